//! Building without asking: the session continues with the commands that the user would otherwise type. The journal records this.

use super::approval::{Approval, short};
use super::code::FlowCode;
use super::plan::Feature;
use super::protocol::Approver;
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, Session};
use kernel::protocol::Outcome;

/// How often the session may have the plan drafted again without the user.
const REPLANS: u32 = 3;

impl Session {
    /// Continues with the next command after one is finished, if the user wants the goal built without being asked. Returns whether
    /// it does.
    pub(super) fn goes_on_by_itself(&mut self, commands: &mut Commands) -> bool {
        // If the budget is used up, the user has to decide how to continue.
        if !self.automatic || self.calls.closing.is_some() || self.plan.is_none() || self.is_complete() {
            return false;
        }
        // In a race, every lane builds the same plan.
        let may_replan = self.opening.lane_of.is_none() && self.replans < REPLANS;
        if self.objection().is_some() && may_replan {
            self.replans += 1;
            self.revise(String::new(), commands);
            return true;
        }
        if let Some(recovery) = self.wants_a_person() {
            self.wait_for_a_person(recovery, commands);
            return true;
        }
        if self.approval.is_none() {
            let (hash, at) = (self.hash.clone(), self.now());
            self.approval = Some(Approval { hash, by: Approver::Autonomous, at, leave: Vec::new() });
            self.log("The plan is built without your approval, because you typed /flow-auto.");
        }
        // A blocked feature isn't retried automatically; features that don't need it are built.
        let Some(next) = self.runnable().map(|feature| feature.id.clone()) else { return false };
        self.begin_features(next, commands);
        true
    }

    /// Why the plan can't continue without a person; `None` when it can.
    pub(super) fn wants_a_person(&self) -> Option<Recovery> {
        self.denied()
            .or_else(|| self.wants_leave())
            .or_else(|| self.rests_on_a_word())
            .or_else(|| self.rests_on_the_planner())
    }

    /// Why a plan needs a person if only a reviewer's opinion would complete its features; `None` when checks decide.
    fn rests_on_a_word(&self) -> Option<Recovery> {
        let is_checked = self.plan.as_ref().is_none_or(|plan| plan.features.iter().any(Feature::is_checked));
        if is_checked || self.approval.is_some() || self.opening.rules < 3 {
            return None;
        }
        let message = "No check verifies any criterion of this plan. Only a reviewer's opinion would \
                       complete its features.";
        Some(self.unchecked(message, "your approval of the plan, or a plan with criteria that checks verify"))
    }

    /// Says that a person has to approve the plan, because no check shows what it depends on. `takes`: what else would suffice.
    pub(super) fn unchecked(&self, message: impl Into<String>, takes: &str) -> Recovery {
        Recovery::new(FlowCode::ApprovalUnchecked, RecoveryStage::Approval, message).takes(takes).next(
            "Read the plan with /flow-status. To get another draft, type /flow-plan revise followed by \
             what should change. This command approves the plan; after that, /flow-auto builds all its \
             features.",
            format!("/flow-plan approve {}", short(&self.hash)),
        )
    }

    /// Ends here: only the user can decide.
    pub(super) fn wait_for_a_person(&mut self, recovery: Recovery, commands: &mut Commands) {
        self.automatic = false;
        self.closed = false;
        self.log(&recovery.message);
        self.stop(Outcome::Stopped, recovery, commands);
    }

    /// The outcome of a session that continued automatically: it isn't complete while a feature is blocked.
    pub(super) fn outcome_of_all(&self, outcome: Outcome) -> Outcome {
        let is_blocked = self.features.values().any(|progress| progress.blocked().is_some());
        if outcome == Outcome::Complete && is_blocked { Outcome::Stopped } else { outcome }
    }
}
