//! Taking over a run that this machine didn't write. What it has seen may be made up, so none of it counts: the user decides about
//! its gaps and commands again, and its checks and tests run here. What models wrote stays, because it proves nothing.

use super::files::DECISION;
use super::protocol::Scope;
use super::session::{Phase, Prep, Session};
use super::stage::Stage;
use crate::shared::Rules;
use kernel::protocol::Outcome;

/// The rules of the first version that took runs over in this way. Tests that were accepted under earlier ones are written again.
const LEAST_RULES: Rules = Rules::SingleCriterion;

impl Session {
    /// Takes the run over. The user's next command continues it.
    pub(super) fn take_over(&mut self) {
        self.notes.push("You took this run over. Its earlier results don't count.".to_owned());
        (self.gate, self.leave) = (None, None);
        self.dropped.insert(DECISION.to_owned());
        let reached = match self.phase {
            Phase::Begun | Phase::Claiming => None,
            Phase::At(stage) => Some(stage),
            Phase::Resting(_) => self.stages.keys().next_back().copied(),
        };
        if self.scope() != Scope::Full || reached.is_none_or(|stage| stage < Stage::GapGate) {
            return;
        }
        if self.opening.acceptance < LEAST_RULES {
            self.opening.acceptance = LEAST_RULES;
            self.suite = None;
            let fault = "These tests were written under older rules. Write them again.".to_owned();
            self.prep = Prep { fault, ..Prep::default() };
        }
        self.was_reported |= self.is_reported();
        self.passes.clear();
        self.checked.clear();
        self.servers.clear();
        self.evidence.clear();
        (self.looked, self.seen, self.far, self.is_afresh) = (None, None, None, false);
        self.drop_effects();
        self.stages.retain(|stage, _| *stage < Stage::GapGate);
        (self.phase, self.broken_off) = (Phase::Resting(Outcome::Stopped), Some(Stage::GapGate));
    }
}
