//! Features that change no behaviour: only tests, a renamed test, a refactoring. No check can fail when they are removed, so
//! another rule applies: each check of the feature, and each broad one, runs no fewer tests than before it.
//!
//! Only the planner declares a feature to be of this kind. So the plan shows it, a person has to approve it, and the reviewer sees
//! it.

use super::ledger::Row;
use super::plan::{Feature, Plan, Scope};
use super::recovery::Recovery;
use super::session::{Commands, FeatureState, Session};
use super::step::Frozen;
use super::test_files::may_hold_tests;
use crate::shared::spelled::spelled;

/// How a plan shows this for a feature.
pub(super) const PLANNED: &str = "changes no behaviour, so its checks may pass without it";

impl Session {
    /// Whether the feature that is being built must change no behaviour. Sessions from before [`super::protocol::RULES`] 3 compare
    /// no tests, so the ordinary rule applies to them.
    pub(super) fn keeps_behaviour(&self) -> bool {
        let build = self.build.as_ref().filter(|_| self.opening.rules >= 3);
        let feature = build.and_then(|build| self.planned(&build.feature));
        feature.is_some_and(|feature| feature.keeps_behaviour)
    }

    /// The checks of the feature that run fewer tests than before it, or skip more, in sentences.
    pub(super) fn tests_lost(&self) -> Vec<String> {
        let Some(build) = &self.build else { return Vec::new() };
        // Tests that move out of a code file exist twice when they are put over the files from before.
        let may_move = build.changed.iter().any(|path| may_hold_tests(path));
        let row = |row: Row<'_>| {
            let counted = row.before_with_its_tests.filter(|_| !may_move);
            Row { before_with_its_tests: counted, ..row }.fewer()
        };
        self.ledger(&build.feature).into_iter().filter_map(row).collect()
    }

    /// Continues once the ledger is complete. A feature that must change no behaviour but lost tests goes back to the worker;
    /// otherwise small faults are tried in it.
    pub(super) fn weigh_ledger(&mut self, files: Frozen, commands: &mut Commands) {
        let lost = if self.keeps_behaviour() { self.tests_lost() } else { Vec::new() };
        if lost.is_empty() {
            self.mutate(files, commands);
            return;
        }
        let lines: Vec<String> = lost.iter().map(|line| format!("- {line}")).collect();
        self.tried(format!("tests that ran before no longer run: {}", lost.join("; ")));
        let text = format!(
            "Your feature must change no behaviour, so every test that ran before it must still run and \
             pass. Some tests no longer run:\n\n{}\n\nRestore them. If a test must be removed, the plan \
             must change: report `replan_required`.",
            lines.join("\n")
        );
        self.fix(files.trees, text, commands);
    }

    /// The weak points in the evidence of such a feature, in sentences: no check had to fail, and if no tests were seen before it,
    /// none are compared. Empty for other features.
    pub(super) fn weak_points_of_kept(&self, feature: &Feature) -> Vec<String> {
        if !feature.keeps_behaviour {
            return Vec::new();
        }
        let mut accounts = vec![
            "the planner says that the feature changes no behaviour, so no check had to fail without it"
                .to_owned(),
        ];
        let ledger = self.ledger(&feature.id);
        let base = self.features.get(&feature.id).and_then(|progress| progress.base.as_ref());
        let broad = self.plan.iter().flat_map(Plan::broad_checks).map(|(_, check)| check);
        for check in feature.checks(Scope::Targeted).chain(broad) {
            if ledger.iter().any(|row| row.command == check.command) {
                continue;
            }
            let mut before = self.base_runs.iter().rev().filter(|run| Some(&run.tree) == base);
            let before = before.find(|run| run.argv == check.command);
            let why = match before.map(|run| &run.seen) {
                Some(Err(why)) => why.as_str(),
                Some(Ok(_)) => "its output showed no tests without the feature",
                None => "the command was not run without the feature",
            };
            accounts.push(format!("the tests of `{}` can't be compared: {why}", spelled(&check.command)));
        }
        accounts
    }

    /// Why a plan with such features needs a person; `None` when it has none, or is approved.
    pub(super) fn rests_on_the_planner(&self) -> Option<Recovery> {
        let features = self.plan.iter().flat_map(|plan| &plan.features);
        let open = features.filter(|feature| self.state_of(&feature.id) != FeatureState::Completed);
        let keeping: Vec<&str> =
            open.filter(|feature| feature.keeps_behaviour).map(|feature| feature.id.as_str()).collect();
        if keeping.is_empty() || self.approval.is_some() {
            return None;
        }
        let message = match &keeping[..] {
            [one] => format!(
                "The planner says that the feature {one} changes no behaviour, so its checks may pass \
                 without it."
            ),
            several => format!(
                "The planner says that these features change no behaviour, so their checks may pass \
                 without them: {}.",
                several.join(", ")
            ),
        };
        Some(self.unchecked(
            message,
            "your approval of the plan, or a plan whose checks fail without its features",
        ))
    }
}
