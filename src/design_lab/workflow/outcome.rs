//! `/design-lab-rank --outcome`: a person records how a design turned out. This changes no ranking and calls no model.

use super::code::{WorkflowCode, too_many_words, unknown_option};
use super::protocol::{Command, Decision, EventKind};
use super::results;
use super::run::Run;
use super::run_index::not_ranked;
use super::state::{Phase, State};
use crate::design_lab::artefacts::{DatedOutcome, DesignOutcome, TurnedOut};
use crate::design_lab::ids::DesignId;
use crate::shared::figures::count;
use kernel::clock;
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use kernel::protocol::Tone;
use serde::Serialize;

/// The option of `/design-lab-rank` that records an outcome. Only a person may type it.
pub const OUTCOME: &str = "--outcome";
/// The longest remark, in characters.
const REMARK: usize = 500;
/// How the command is typed.
const USAGE: &str = "Type /design-lab-rank [run] --outcome DESIGN built|validated|failed [remark].";

/// The arguments of `/design-lab-rank` if they record an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutcomeRequest {
    /// The run, as the user wrote it; empty for the latest.
    pub run: String,
    /// The outcome of one of its designs.
    pub outcome: DesignOutcome,
}

impl OutcomeRequest {
    /// Parses `[run] --outcome DESIGN WORD [remark]`; the remark is all text after the word. `None` when no outcome is recorded.
    pub fn parse(text: &str) -> Result<Option<Self>, Problem> {
        let mut words = text.split_whitespace();
        let before: Vec<&str> = words.by_ref().take_while(|word| *word != OUTCOME).collect();
        if !text.split_whitespace().any(|word| word == OUTCOME) {
            return Ok(None);
        }
        if let Some(option) = before.iter().find(|word| word.starts_with("--")) {
            return Err(unknown_option(option).next(USAGE));
        }
        if let [_, more, ..] = before[..] {
            return Err(too_many_words(more).next(USAGE));
        }
        let (Some(design), Some(word)) = (words.next(), words.next()) else {
            let message = format!("{OUTCOME} needs a design's id and an outcome after it.");
            return Err(Problem::new(WorkflowCode::MissingValue, message).allowed(known_words()).next(USAGE));
        };
        let Some(turned_out) = TurnedOut::ALL.into_iter().find(|known| known.word() == word) else {
            let message = format!("The word after {OUTCOME} {design} is no outcome.");
            let problem = Problem::new(WorkflowCode::UnknownOutcome, message).found(word);
            let near = nearest(word, TurnedOut::ALL.map(TurnedOut::word));
            let next = near.map_or_else(|| USAGE.to_owned(), |near| format!("Did you mean {near}?"));
            return Err(problem.allowed(known_words()).next(next));
        };
        let remark = words.collect::<Vec<_>>().join(" ");
        let remark = remark.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&remark);
        Ok(Some(Self {
            run: before.first().copied().unwrap_or_default().to_owned(),
            outcome: DesignOutcome {
                design: DesignId::new(design),
                turned_out,
                remark: remark.trim().to_owned(),
            },
        }))
    }
}

fn known_words() -> String {
    TurnedOut::ALL.map(TurnedOut::word).join(", ")
}

impl Run {
    /// Returns the event that records an outcome, or why it can't be recorded.
    pub fn report_outcome(&self, outcome: &DesignOutcome) -> Result<EventKind, Problem> {
        let state = self.over()?;
        if let Some(problem) = state.refuses_outcome(outcome).or_else(|| state.knows_outcome(outcome)) {
            return Err(problem);
        }
        Ok(EventKind::Decided(Decision::TurnedOut(outcome.clone())))
    }
}

impl State {
    /// Explains why a run can't have this outcome; `None` when it can.
    pub(super) fn refuses_outcome(&self, outcome: &DesignOutcome) -> Option<Problem> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        if !matches!(self.phase, Phase::Over(_)) || !self.is_ranked() {
            return Some(not_ranked(run));
        }
        if !self.designs().any(|(id, _)| id == outcome.design) {
            let known: Vec<String> = self.designs().map(|(id, _)| id.to_string()).collect();
            let problem = Problem::new(WorkflowCode::UnknownDesign, format!("{run} has no such design."));
            let next = format!("/design-lab-status {run} shows its designs.");
            return Some(problem.found(outcome.design.to_string()).allowed(known.join(", ")).next(next));
        }
        let length = outcome.remark.chars().count();
        (length > REMARK).then(|| {
            let long = count(length as u64, "character", "characters");
            Problem::new(WorkflowCode::LongRemark, format!("The remark is too long: {long}."))
                .allowed(format!("at most {}", count(REMARK as u64, "character", "characters")))
                .next("Shorten it, for example to where the details are.")
        })
    }

    /// The problem of an outcome that is the design's latest already, with the same remark or without a new one.
    fn knows_outcome(&self, outcome: &DesignOutcome) -> Option<Problem> {
        let DatedOutcome { at, outcome: known, .. } = self.latest_outcome(&outcome.design)?;
        let says_more = !outcome.remark.is_empty() && outcome.remark != known.remark;
        if known.turned_out != outcome.turned_out || says_more {
            return None;
        }
        let (design, word) = (&known.design, known.turned_out.word());
        let message = format!("{design} is recorded as {word} already, since {}.", clock::day(*at));
        let next = "Nothing was changed. To add to it, type the command with another remark.";
        Some(Problem::new(WorkflowCode::OutcomeKnown, message).next(next))
    }

    /// The latest outcome of a design.
    pub(super) fn latest_outcome(&self, design: &DesignId) -> Option<&DatedOutcome> {
        self.outcomes.iter().rfind(|known| known.outcome.design == *design)
    }

    pub(super) fn turned_out(&mut self, outcome: DesignOutcome, commands: &mut Vec<Command>) {
        let Phase::Over(over) = self.phase else { return };
        let message = format!("Recorded: {} {}", outcome.design, outcome.turned_out.predicate());
        self.outcomes.push(DatedOutcome { at: self.calls.clock.reported_at, outcome, elsewhere: false });
        self.closed = false;
        commands.extend(results::write(results::result_files(self)));
        commands.push(Command::Notify { tone: Tone::Success, message, toast: true });
        // No model is called, not even to report it.
        commands.push(over.finish(String::new()));
    }
}
