//! Features that keep the behaviour as it is: tests alone, a rename, a refactoring. No check of theirs can fail without them, so another
//! rule holds: whatever tests a check ran before the feature, it runs no fewer of them now.
//!
//! That a feature is such a one is the planner's word. The plan says it, a person has to approve it, and the reviewer is told.

use super::approval::short;
use super::code::FlowCode;
use super::ledger::Row;
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, Session};

/// How a plan says it of a feature.
pub(super) const PLANNED: &str = "keeps the behaviour: no check has to fail without it";

impl Session {
    /// Whether the feature that is being built is to keep the behaviour.
    pub(super) fn keeps_behaviour(&self) -> bool {
        let feature = self.build.as_ref().and_then(|build| self.planned(&build.feature));
        feature.is_some_and(|feature| feature.keeps_behaviour)
    }

    /// The checks of the feature that run fewer tests than before it, or skip more, in sentences.
    pub(super) fn tests_lost(&self) -> Vec<String> {
        let feature = self.build.as_ref().map(|build| build.feature.as_str()).unwrap_or_default();
        self.ledger(feature).iter().filter_map(Row::fewer).collect()
    }

    /// All is known that the ledger needs. A feature that is to keep the behaviour and lost tests is mended; else the reviewer is asked.
    pub(super) fn weigh_ledger(&mut self, commands: &mut Commands) {
        let lost = if self.keeps_behaviour() { self.tests_lost() } else { Vec::new() };
        if lost.is_empty() {
            self.ask_for_review(false, commands);
            return;
        }
        let lines: Vec<String> = lost.iter().map(|line| format!("- {line}")).collect();
        if let Some(build) = &mut self.build {
            build.tried.push(format!("tests that ran before no longer run: {}", lost.join("; ")));
        }
        let text = format!(
            "Your feature has to keep the behaviour, so every test that ran before it has to run and pass after it. Some no longer \
             run:\n\n{}\n\nBring them back. If a test has to go, the plan has to change: say so.",
            lines.join("\n")
        );
        self.mend(text, commands);
    }

    /// Why nobody but a person can take a plan with such features; `None` where it has none, or is approved.
    pub(super) fn rests_on_the_planner(&self) -> Option<Recovery> {
        let features = self.plan.iter().flat_map(|plan| &plan.features);
        let keeping: Vec<&str> =
            features.filter(|feature| feature.keeps_behaviour).map(|feature| feature.id.as_str()).collect();
        if keeping.is_empty() || self.approval.is_some() {
            return None;
        }
        let message = format!(
            "The planner says that no check has to fail without {}, because the behaviour stays as it is.",
            keeping.join(", ")
        );
        Some(
            Recovery::new(FlowCode::ApprovalUnchecked, RecoveryStage::Approval, message)
                .takes("your approval of the plan, or a plan whose checks fail without its features")
                .next(
                    "Read the plan: /flow-status shows it. This approves it; then /flow-auto builds it to its end. /flow-plan revise has it \
                     drafted again.",
                    format!("/flow-plan approve {}", short(&self.hash)),
                ),
        )
    }
}
