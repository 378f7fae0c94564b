//! The ledger of tests: what each check showed of the tests on the files from before its feature, and what it shows now.
//!
//! Both results are from clean copies. The run on the files from before happens once for each tree and command, after the checks
//! passed in a copy of the current files. What the runner doesn't report, and what can't run there, such as a new script, has no
//! row: nothing is claimed about it. The reviewer and the user learn that fewer tests run. The ledger decides only if the
//! [behaviour has to stay](super::kept_behaviour), because otherwise a test may be removed for a good reason.

use super::apart::{Apart, Purpose};
use super::build::Build;
use super::evidence::some;
use super::of_feature::Change;
use super::plan::{Check, Scope};
use super::protocol::{ApartRun, Overlay, RanApart, TreeId};
use super::session::{Commands, Session};
use super::step::{Frozen, Judge, Step, Trees};
use crate::shared::figures::count;
use crate::shared::ran::Ran;
use crate::shared::runners::Tests;
use crate::shared::spelled::spelled;
use kernel::drive;
use kernel::protocol::Tone;
use serde::Serialize;

/// A command that ran on the files from before a feature, with nothing put over them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BaseRun {
    pub(super) tree: TreeId,
    pub(super) argv: Vec<String>,
    /// The result, or why there is none.
    pub(super) seen: Result<Ran, String>,
    /// Where its output is, below the session's directory.
    pub(super) output: String,
}

/// A row of the ledger.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    pub(super) check: &'a str,
    pub(super) command: &'a [String],
    /// The tests that it ran on the files from before the feature.
    pub(super) before: &'a Tests,
    /// The tests that it runs now; `None` when it no longer shows how many.
    pub(super) now: Option<&'a Tests>,
    /// How many ran on the files from before the feature with its tests put over them; `None` when that is unknown.
    pub(super) before_with_its_tests: Option<u32>,
    /// Where the output of the run before is.
    pub(super) output: &'a str,
}

impl Row<'_> {
    /// The row in words.
    pub(super) fn account(&self) -> String {
        let now = self.now.map_or_else(|| "unknown now".to_owned(), |now| format!("{} now", wording(now)));
        format!("{} before the feature, {now}", wording(self.before))
    }

    /// Says that fewer tests run, or more are skipped, in words; `None` when neither is true.
    pub(super) fn fewer(&self) -> Option<String> {
        let command = spelled(self.command);
        let Some(now) = self.now else {
            return Some(format!(
                "`{command}` ran {} before the feature, but now shows none",
                tests(self.before.ran)
            ));
        };
        let expected = self.before_with_its_tests.filter(|expected| now.ran < *expected);
        let ran = match expected {
            _ if now.ran < self.before.ran => {
                Some(format!("ran {} instead of {}", tests(now.ran), self.before.ran))
            }
            Some(expected) => Some(format!(
                "ran {}, although {expected} run with the feature's tests on the earlier files",
                tests(now.ran)
            )),
            None => None,
        };
        let skipped = (now.skipped > self.before.skipped)
            .then(|| format!("skipped {} instead of {}", tests(now.skipped), self.before.skipped));
        let all: Vec<String> = [ran, skipped].into_iter().flatten().collect();
        (!all.is_empty()).then(|| format!("`{command}` {}", all.join(" and ")))
    }
}

fn tests(number: u32) -> String {
    count(number.into(), "test", "tests")
}

fn wording(tests: &Tests) -> String {
    match tests.skipped {
        0 => format!("{} ran", self::tests(tests.ran)),
        skipped => format!("{} ran, {skipped} skipped", self::tests(tests.ran)),
    }
}

impl Session {
    /// Continues after the checks passed in a clean copy. Checks without a known result on the files from before the feature run
    /// there; then the reviewer is asked.
    pub(super) fn compare(&mut self, files: Frozen, commands: &mut Commands) {
        let checks = if self.opening.rules >= 3 { self.not_compared(&files.trees) } else { Vec::new() };
        if checks.is_empty() {
            self.weigh_ledger(files, commands);
            return;
        }
        let base = files.trees.base.clone();
        self.enter(Step::Judging(files, Judge::Comparing));
        self.run_apart(base, Overlay::Nothing, &checks, commands);
    }

    /// The checks of the feature, with the broad ones if they run for it, that have not run on the tree before it yet. If a feature's own
    /// check shows no tests now, it showed none before either: see [`Session::lost_its_tests`].
    fn not_compared(&self, Trees { base, now }: &Trees) -> Vec<Check> {
        let Some(build) = self.build.as_ref().filter(|_| base != now) else { return Vec::new() };
        let own = build.base_runs_from;
        let is_known = |argv: &[String]| {
            let mut runs = self.base_runs.iter().enumerate();
            runs.any(|(index, one)| {
                one.tree == *base && one.argv == argv && (one.seen.is_ok() || index >= own)
            })
        };
        let mut checks: Vec<Check> = Vec::new();
        for check in self.targeted().into_iter().chain(self.broad_checks()) {
            let shows_tests = check.scope == Scope::Broad
                || self.keeps_behaviour()
                || self.tests_now(&check.command, now).is_some();
            if shows_tests
                && !is_known(&check.command)
                && !checks.iter().any(|one| one.command == check.command)
            {
                checks.push(check);
            }
        }
        checks
    }

    /// Handles the results on the files from before the feature.
    pub(super) fn compared(
        &mut self,
        files: Frozen,
        seen: RanApart,
        runs: Vec<ApartRun>,
        commands: &mut Commands,
    ) {
        let Some(build) = &self.build else { return };
        let (base, feature) = (files.trees.base.clone(), build.feature.clone());
        let why = seen.unprepared.unwrap_or_else(|| "the check was not run".to_owned());
        let (mut went, mut touched) = (seen.runs.into_iter(), seen.touched.into_iter());
        for run in runs {
            let touched = touched.next().unwrap_or_default();
            let seen = match went.next() {
                None => Err(why.clone()),
                Some(_) if !touched.is_empty() => {
                    Err(format!("files in the copy were written to while the check ran: {}", some(&touched)))
                }
                Some(ran) => Ok(ran),
            };
            let account = match &seen {
                Ok(ran) => ran.account(),
                Err(why) => format!("not run: {why}"),
            };
            let line = format!("{}, on the files from before {feature}: {account}", run.check);
            commands.push(drive::line(Tone::Info, line.clone()));
            self.log(&line);
            self.base_runs.push(BaseRun { tree: base.clone(), argv: run.argv, seen, output: run.output });
        }
        self.weigh_ledger(files, commands);
    }

    /// Keeps the result of a run without the feature if nothing was put over the files: the ledger needs it.
    pub(super) fn keep_base_run(&mut self, run: &ApartRun, ran: &Ran) {
        if let Some(tree) = self.base() {
            let (argv, seen, output) = (run.argv.clone(), Ok(ran.clone()), run.output.clone());
            self.base_runs.push(BaseRun { tree, argv, seen, output });
        }
    }

    /// What a check shows of the tests in a clean copy of this tree; `None` when it shows nothing.
    fn tests_now(&self, argv: &[String], tree: &TreeId) -> Option<&Tests> {
        self.passed_again(argv, tree)?.seen.as_ref().ok()?.tests.as_ref()
    }

    /// The run of a check that passed in a clean copy of this tree.
    pub(super) fn passed_again(&self, argv: &[String], tree: &TreeId) -> Option<&Apart> {
        let again = self.apart.iter().rev().filter(|one| one.purpose == Purpose::Again);
        again.filter(|one| one.argv == argv && one.tree == *tree).find(|one| one.passed() == Some(true))
    }

    /// How many tests a check ran on the files from before the feature, with the tests of this tree put over them.
    fn without_it(&self, argv: &[String], tree: &TreeId) -> Option<u32> {
        let mut probes = self.apart.iter().rev().filter(|one| one.purpose.is_probe());
        let probe = probes.find(|one| one.argv == argv && one.tree == *tree && one.touched.is_empty())?;
        Some(probe.seen.as_ref().ok()?.tests.as_ref()?.ran)
    }

    /// The rows of a feature: one for each of its checks that ran tests on the files from before it.
    pub(super) fn ledger<'a>(&'a self, feature: &str) -> Vec<Row<'a>> {
        let build = self.build.as_ref().filter(|build| build.feature == feature);
        let progress = self.features.get(feature);
        let tree = build.map_or_else(|| progress?.tree(), Build::tree);
        let (Some(tree), Some(base)) = (tree, progress.and_then(|one| one.base.as_ref())) else {
            return Vec::new();
        };
        let check_of = |argv: &[String]| {
            let own = self.planned(feature).into_iter().flat_map(|one| &one.verification);
            let broad = self.all_planned().flat_map(|one| one.checks(Scope::Broad));
            own.chain(broad).find(|check| check.command == argv)
        };
        let row = |run: &'a BaseRun| {
            let before = run.seen.as_ref().ok()?.tests.as_ref()?;
            let (check, now) = (check_of(&run.argv)?, self.passed_again(&run.argv, tree)?);
            (before.ran > 0 || before.skipped > 0).then(|| Row {
                check: &check.id,
                command: &run.argv,
                before,
                now: now.seen.as_ref().ok().and_then(|ran| ran.tests.as_ref()),
                before_with_its_tests: self.without_it(&run.argv, tree),
                output: &run.output,
            })
        };
        let mut rows: Vec<Row<'a>> = Vec::new();
        for row in self.base_runs.iter().filter(|one| one.tree == *base).filter_map(row) {
            if !rows.iter().any(|other| other.command == row.command) {
                rows.push(row);
            }
        }
        rows
    }

    /// The losses of a feature, in sentences: tests that no longer run, and tests that its files no longer contain.
    pub(super) fn fewer_tests(&self, feature: &str) -> Vec<String> {
        let ran: Vec<String> = self.ledger(feature).iter().filter_map(Row::fewer).collect();
        ran.into_iter().chain(Change::of(self, feature).weakened.iter().cloned()).collect()
    }
}
