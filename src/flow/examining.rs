//! The exam of what was built: a model that did not build it writes [tests](super::exam) once the files are frozen, and they run in
//! copies. No worker could aim at them.
//!
//! ```text
//! small faults → examiner → its tests in copies → reviewer
//!                                   ↓ once for each exam in which some fail
//!                                 worker → a new exam
//! ```
//!
//! A test counts only if it is new and its check was seen to run it, twice with the same result. One that fails is a finding with a
//! reproducer: it is shown to the worker, and the next exam is a new one; there are at most two. The reviewer decides whether a test
//! that still fails is right. A test that passes counts if it fails when the change is removed.

use super::build::Build;
use super::exam::{Exam, ExamTest};
use super::plan::Check;
use super::prompts;
use super::protocol::{ApartRun, Effect, ExamPlace, ExamRun, ExamSeen, Examined, Role, TreeId};
use super::session::{Commands, Session, Turn};
use super::step::{Frozen, Judge, Step};
use crate::design_lab::config::ExamPolicy;
use crate::shared::figures::count;
use crate::shared::ran::{CommandEnd, Ran};
use crate::shared::tier::Tier;
use kernel::drive::notice;
use kernel::protocol::{JobId, Tone};
use serde::Serialize;

/// The number of exams that one run of a feature may have.
const EXAMS: usize = 2;
/// The number of tests that one exam may have.
pub(super) const TESTS: usize = 5;
/// How long a check may take with a test of an exam, in ms, in addition to three times its duration without the test.
const GRACE_MS: u64 = 60_000;

/// The results of a feature's exams for one state of the files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sitting {
    pub(super) feature: String,
    /// The run of the feature, identified by its worker's job.
    pub(super) run: JobId,
    pub(super) tree: TreeId,
    /// The model that wrote the tests.
    pub(super) examiner: String,
    pub(super) tests: Vec<Sat>,
    /// What no test can examine, in the examiner's words.
    pub(super) left_out: String,
    /// Why there are no results, if there are none.
    pub(super) none: Option<String>,
}

/// A test of an exam, and its result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Sat {
    pub(super) path: String,
    pub(super) criteria: Vec<String>,
    pub(super) check: String,
    #[serde(flatten)]
    pub(super) grade: Grade,
    /// Whether the project had no file at its path.
    #[serde(skip)]
    was_free: bool,
    /// The output of its first run, below the session's directory.
    pub(super) output: String,
    /// The test's contents and the end of that output, for models.
    #[serde(skip)]
    pub(super) shown: (String, String),
}

/// The result of a test of an exam.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "grade", rename_all = "lowercase")]
pub(super) enum Grade {
    /// It passes, and fails when the change is removed.
    Passed,
    /// It fails.
    Failed,
    /// The project now has the test, and its checks run it.
    Kept,
    /// It shows nothing.
    Void {
        /// Why.
        why: String,
    },
}

impl Sat {
    /// The test in one line: its path, and the criteria that it examines.
    pub(super) fn line(&self) -> String {
        format!("{} ({})", self.path, self.criteria.join(", "))
    }

    /// The same line with the result.
    pub(super) fn wording(&self) -> String {
        let what = match &self.grade {
            Grade::Passed => "passes, and fails when the change is removed".to_owned(),
            Grade::Failed => "fails".to_owned(),
            Grade::Kept => "passes, and is now one of the project's tests".to_owned(),
            Grade::Void { why } => format!("doesn't count: {why}"),
        };
        format!("{}: {what}", self.line())
    }
}

impl Sitting {
    /// The tests that fail.
    pub(super) fn failed(&self) -> impl Iterator<Item = &Sat> {
        self.tests.iter().filter(|one| one.grade == Grade::Failed)
    }

    /// The strength of the result as evidence.
    pub(super) fn tier(&self) -> Tier {
        let decides = self.tests.iter().any(|one| !matches!(one.grade, Grade::Void { .. }));
        if decides { Tier::ReExecuted } else { Tier::NotChecked }
    }

    /// The result as a sentence without its final period.
    pub(super) fn account(&self) -> String {
        if let Some(why) = &self.none {
            return format!("none: {why}");
        }
        let void = |one: &Sat| match &one.grade {
            Grade::Void { why } => Some(why.clone()),
            _ => None,
        };
        let voided: Vec<String> = self.tests.iter().filter_map(void).collect();
        let decided = self.tests.len() - voided.len();
        let passed = decided - self.failed().count();
        let mut parts = Vec::new();
        if decided > 0 {
            let tests = count(decided as u64, "new test", "new tests");
            let verb = if decided == 1 { "passes" } else { "pass" };
            parts.push(format!("{passed} of {tests} by {} {verb}", self.examiner));
        }
        if let Some(why) = voided.first() {
            let tests = count(voided.len() as u64, "test", "tests");
            parts.push(format!("{tests} not counted: {why}"));
        }
        parts.join("; ")
    }
}

impl Build {
    /// Why its last exam has no test, as a clause; `None` without an exam.
    fn wrote_no_test(&self) -> Option<String> {
        self.exams.last().map(|exam| format!("the examiner wrote no test: {}", exam.left_out.trim()))
    }
}

impl Session {
    /// Whether what is being built now gets an exam.
    pub(super) fn exam_is_due(&self) -> bool {
        let is_due = match self.settings.exam {
            ExamPolicy::Off => false,
            ExamPolicy::Feature => true,
            ExamPolicy::Session => self.is_last(),
            ExamPolicy::Auto => self.automatic && self.is_last(),
        };
        // If the behaviour stays the same, no new test can fail when the change is removed.
        let can_fail = self.needs_final_review() || !self.keeps_behaviour();
        // Without git, no copy of the files from before can be made.
        let has_before =
            self.opening.rules < 6 || self.build.as_ref().is_some_and(|build| build.recorded.is_some());
        self.opening.rules >= 5 && is_due && can_fail && has_before
    }

    /// Continues once the checks pass and notice faults: next come tests that no worker could aim at.
    pub(super) fn examine(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let (given, reported) = (build.exams.len(), build.account_of_exams);
        if self.sitting(&build.feature, files.tree()).is_some() {
            self.weigh_exam(files, commands);
        } else if !self.exam_is_due() {
            self.ask_for_review(false, files, commands);
        } else if let Some(why) = build.no_exam.clone().filter(|_| given == 0) {
            self.without_exam(files, why, commands);
        } else if (given == 0 || reported == given && given < EXAMS) && self.bears_an_exam() {
            let Some(examiner) = self.exam_job() else { return };
            self.enter(Step::Judging(files, Judge::Examining { examiner, exam: None }));
            let model = self.opening.models.examiner();
            commands.push(notice(
                Tone::Info,
                format!("{model} writes an exam: tests that the worker has not seen"),
            ));
        } else if given == 0 {
            let why = "the feature's budget has no model call left for an exam".to_owned();
            self.without_exam(files, why, commands);
        } else if self.opening.rules >= 6 && build.exams.iter().all(|exam| exam.tests.is_empty()) {
            self.without_exam(files, build.wrote_no_test().unwrap_or_default(), commands);
        } else {
            self.sit(files, commands);
        }
    }

    /// Adds a job that writes an exam of what is being built.
    pub(super) fn exam_job(&mut self) -> Option<JobId> {
        let whole = self.needs_final_review();
        let about = self.reviewed_feature(whole)?;
        let build = self.build.as_ref()?;
        let id = build.feature.clone();
        let earlier: Vec<&str> =
            build.exams.iter().flat_map(|exam| &exam.tests).map(|test| test.path.as_str()).collect();
        let checks = self.to_be_repeated();
        let changed = self.reviewed_changes(whole);
        let prompt = prompts::exam(&self.opening.goal, &about, &changed, &checks, &earlier);
        let job = self.ask(Role::Examiner, Turn::Exam, Some(&id), prompt);
        if let Some(added) = self.calls.job(&job) {
            added.part.whole = whole;
        }
        Some(job)
    }

    /// The ids of the checks that can run an exam.
    pub(super) fn examining_checks(&self) -> Vec<String> {
        let checks = if self.is_racing() { self.examining_checks_of_race() } else { self.to_be_repeated() };
        checks.into_iter().map(|check| check.id).collect()
    }

    /// Keeps an exam, for [`Self::exam_is_over`] to act on.
    pub(super) fn exam_written(&mut self, job: &JobId, exam: Exam) {
        if let Some(race) = &mut self.race {
            race.exam_written(job, &exam);
        }
        if let Some(Build { step: Step::Judging(_, Judge::Examining { examiner, exam: kept }), .. }) =
            &mut self.build
            && examiner == job
        {
            *kept = Some(exam);
        }
    }

    /// Ends the examiner's turn if it wrote an exam or failed. Without an exam, the reviewer is still asked.
    pub(super) fn exam_is_over(
        &mut self,
        files: Frozen,
        examiner: &JobId,
        exam: Option<Exam>,
        commands: &mut Commands,
    ) {
        let failure = self.failure(examiner);
        let Some(build) = &mut self.build else { return };
        match (exam, failure) {
            (Some(exam), _) => build.exams.push(exam),
            (None, Some(reason)) => build.no_exam = Some(format!("the examiner failed: {reason}")),
            (None, None) => return,
        }
        if build.exams.iter().any(|exam| !exam.tests.is_empty()) {
            self.sit(files, commands);
            return;
        }
        let why = build.wrote_no_test().or_else(|| build.no_exam.clone()).unwrap_or_default();
        self.without_exam(files, why, commands);
    }

    fn without_exam(&mut self, files: Frozen, why: String, commands: &mut Commands) {
        let sitting = self.new_sitting(files.tree(), Vec::new());
        self.end_sitting(files, sitting.map(|one| Sitting { none: Some(why), ..one }), commands);
    }

    /// Runs the tests of all exams of this run on the current files.
    fn sit(&mut self, files: Frozen, commands: &mut Commands) {
        let whole = self.needs_final_review();
        let Some(build) = &self.build else { return };
        let tree = files.tree().clone();
        let base = self.base_of(whole).unwrap_or_else(|| files.trees.base.clone());
        let checks = self.to_be_repeated();
        let took = |argv: &[String]| self.again_on(argv, &tree).map(|(ms, _)| ms);
        let written = build.exams.iter().flat_map(|exam| &exam.tests);
        let written: Vec<(&ExamTest, bool)> =
            written.map(|test| (test, self.was_free(build, test))).collect();
        let effect = self.exam_of(self.effects_begun + 1, [&tree, &base], &written, &checks, &took);
        self.effects_begun = effect.number();
        self.enter(Step::Judging(files, Judge::Sitting));
        self.effects.begin(effect, commands);
    }

    /// The effect with this number that runs tests of an exam on a tree, and on the one before its change. `written`: each test, and
    /// whether a file at its path must make way for it; `took`: how long a command took on that tree without a test, in ms, if it is
    /// known.
    pub(super) fn exam_of(
        &self,
        effect: u32,
        [tree, base]: [&TreeId; 2],
        written: &[(&ExamTest, bool)],
        checks: &[Check],
        took: &dyn Fn(&[String]) -> Option<u64>,
    ) -> Effect {
        let run = |check: &Check, name: &str| {
            let usual = took(&check.command).unwrap_or(check.timeout_ms);
            ApartRun {
                check: check.id.clone(),
                argv: check.command.clone(),
                timeout_ms: check.timeout_ms.min(usual.saturating_mul(3).saturating_add(GRACE_MS)),
                output: format!("evidence/{effect}-{name}.log"),
            }
        };
        let check_of = |test: &ExamTest| checks.iter().find(|check| check.id == test.check);
        let tests: Vec<ExamRun> = written
            .iter()
            .filter_map(|(test, replaces)| Some((test, *replaces, check_of(test)?)))
            .enumerate()
            .map(|(index, (test, replaces, check))| ExamRun {
                path: test.path.clone(),
                text: test.text.clone(),
                replaces,
                run: run(check, &format!("exam-{}", index + 1)),
            })
            .collect();
        let used = |check: &&Check| tests.iter().any(|test| test.run.argv == check.command);
        let before = checks.iter().filter(used).enumerate();
        let before = before.map(|(index, check)| run(check, &format!("exam-before-{}", index + 1))).collect();
        let (link, setup) = (self.linked_names(), self.settings.worktree.setup.clone());
        let (tree, base, offline) = (tree.clone(), base.clone(), self.is_offline());
        Effect::Examine { effect, tree, base, link, setup, before, tests, offline }
    }

    /// The grade of each test of an exam, in order. `usual`: how many tests a command runs on the same files without it.
    pub(super) fn grades(
        &self,
        seen: &Examined,
        before: &[ApartRun],
        tests: &[ExamRun],
        usual: &dyn Fn(&[String]) -> Option<u32>,
    ) -> Vec<Grade> {
        let graded = |(test, seen): (&ExamRun, &ExamSeen), went: &[Ran]| {
            let argv = &test.run.argv;
            let heard = |ran: &Ran| self.opening.heard(argv, ran.clone());
            let went_before = before.iter().zip(went).find(|(run, _)| run.argv == *argv);
            let went_before = went_before.map(|(_, ran)| heard(ran));
            let seen = ExamSeen { runs: seen.runs.iter().map(heard).collect(), ..seen.clone() };
            grade(&seen, usual(argv), went_before.as_ref(), test.replaces)
        };
        tests.iter().zip(&seen.tests).map(|pair| graded(pair, &seen.before)).collect()
    }

    /// Whether the test's path was free when it first ran in this run of the feature: putting another file there is the worker's
    /// doing.
    fn was_free(&self, build: &Build, test: &ExamTest) -> bool {
        let mut earlier =
            self.sittings.iter().filter(|one| one.run == build.worker).flat_map(|one| &one.tests);
        let first = earlier.find(|one| one.path == test.path && one.shown.0 == test.text);
        first.is_some_and(|one| one.was_free)
    }

    /// Handles the results of the tests.
    pub(super) fn examined(
        &mut self,
        seen: Examined,
        before: &[ApartRun],
        tests: Vec<ExamRun>,
        commands: &mut Commands,
    ) {
        let Some(build) = &self.build else { return };
        let Step::Judging(files, Judge::Sitting) = &build.step else { return };
        let files = files.clone();
        if let Some(why) = seen.unprepared {
            self.without_exam(files, why, commands);
            return;
        }
        let of = |path: &str, text: &str| {
            let mut written = build.exams.iter().flat_map(|exam| &exam.tests);
            written.find(|test| test.path == path && test.text == text).map(|test| test.criteria.clone())
        };
        let usual = |argv: &[String]| self.again_on(argv, files.tree()).and_then(|(_, tests)| tests);
        let grades = self.grades(&seen, before, &tests, &usual);
        let sat = |((test, seen), grade): ((ExamRun, ExamSeen), Grade)| {
            let shown = seen.runs.first().map(|ran| ran.output.tail.clone()).unwrap_or_default();
            Sat {
                criteria: of(&test.path, &test.text).unwrap_or_default(),
                grade,
                was_free: seen.place == ExamPlace::Free,
                path: test.path,
                check: test.run.check,
                output: numbered(&test.run.output),
                shown: (test.text, shown),
            }
        };
        let sat = tests.into_iter().zip(seen.tests).zip(grades).map(sat).collect();
        let sitting = self.new_sitting(files.tree(), sat);
        self.end_sitting(files, sitting, commands);
    }

    fn new_sitting(&self, tree: &TreeId, tests: Vec<Sat>) -> Option<Sitting> {
        let build = self.build.as_ref()?;
        let said = build.exams.iter().map(|exam| exam.left_out.trim()).filter(|said| !said.is_empty());
        Some(Sitting {
            feature: build.feature.clone(),
            run: build.worker.clone(),
            tree: tree.clone(),
            examiner: self.opening.models.examiner().clone(),
            tests,
            left_out: said.collect::<Vec<_>>().join(" "),
            none: None,
        })
    }

    fn end_sitting(&mut self, files: Frozen, sitting: Option<Sitting>, commands: &mut Commands) {
        let Some(sitting) = sitting else { return };
        let line = format!("{}: exam: {}", sitting.feature, sitting.account());
        let tone = if sitting.tier() == Tier::NotChecked { Tone::Warning } else { Tone::Info };
        self.announce(tone, line, commands);
        self.sittings.push(sitting);
        self.weigh_exam(files, commands);
    }

    fn weigh_exam(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let failed: Vec<Sat> = self
            .sitting(&build.feature, files.tree())
            .map(|one| one.failed().cloned().collect())
            .unwrap_or_default();
        let given = build.exams.len();
        let mut untold = build.exams.iter().skip(build.account_of_exams).flat_map(|exam| &exam.tests);
        let is_new =
            untold.any(|test| failed.iter().any(|one| one.path == test.path && one.shown.0 == test.text));
        if !is_new || !self.bears_another_round() {
            self.ask_for_review(false, files, commands);
            return;
        }
        if let Some(build) = &mut self.build {
            build.account_of_exams = given;
            build.tried.push(format!(
                "the checks passed, but {} of the exam failed",
                count(failed.len() as u64, "test", "tests")
            ));
        }
        self.fix_or_stay(files.trees, prompts::failed_exam(&failed), commands);
    }

    /// The results of a feature's exams for these files. If there was no exam, the next run of the feature tries again.
    fn sitting(&self, feature: &str, tree: &TreeId) -> Option<&Sitting> {
        let run = self.build.as_ref().map(|build| &build.worker);
        let of_tree = self.sittings_of(feature).filter(|one| one.tree == *tree);
        of_tree.filter(|one| one.none.is_none() || run.is_none_or(|run| *run == one.run)).last()
    }

    /// The results of a feature's exams since it was last reset.
    fn sittings_of(&self, feature: &str) -> impl Iterator<Item = &Sitting> {
        let void = self.voided.get(feature).map_or(0, |voided| voided.sittings);
        self.sittings.iter().skip(void).filter(move |one| one.feature == feature)
    }

    /// The results of a feature's exams in its current state, or in its state when it was blocked.
    pub(super) fn sitting_of(&self, feature: &str) -> Option<&Sitting> {
        let progress = self.features.get(feature)?;
        let build = self.build.as_ref().filter(|build| build.feature == feature);
        match build.map_or_else(|| progress.tree(), Build::tree) {
            Some(tree) => self.sitting(feature, tree),
            None if progress.blocked().is_some() => self.sittings_of(feature).last(),
            None => None,
        }
    }
}

/// The grade of a test that the project has as it was written. `was_free`: whether there was none when it first ran.
fn kept(seen: &ExamSeen, was_free: bool) -> Grade {
    let void = |why: &str| Grade::Void { why: why.to_owned() };
    if !was_free {
        return void("the project already had this file, so the test isn't new");
    }
    let ran = |ran: &Ran| ran.tests.as_ref().map(|tests| tests.ran);
    match &seen.runs[..] {
        // Older journals have no runs of it.
        [] => Grade::Kept,
        [with, without] if with.passed() && ran(with) > ran(without) => Grade::Kept,
        [with, _] if with.passed() => {
            void("the worker added the test to the project, but the check doesn't run it there")
        }
        _ => void("the worker added the test to the project, but the check fails in a copy"),
    }
}

/// The grade of a test. `usual`: how many tests its check runs on the same files without it; `before`: the check's result without
/// the change and without the test; `was_free`: whether the project had no file at its path when it first ran.
fn grade(seen: &ExamSeen, usual: Option<u32>, before: Option<&Ran>, was_free: bool) -> Grade {
    let void = |why: &str| Grade::Void { why: why.to_owned() };
    match seen.place {
        ExamPlace::Free | ExamPlace::Replaced => {}
        ExamPlace::Same => return kept(seen, was_free),
        ExamPlace::Other => return void("the project has another file with this name"),
    }
    if seen.touched {
        return void("files in the copy were written to while the test ran");
    }
    let ran = |ran: &Ran| ran.tests.as_ref().map(|tests| tests.ran);
    let [first, second] = &seen.runs[..] else { return void("the test was not run") };
    let ended = |ran: &Ran| !matches!(ran.end, CommandEnd::TimedOut | CommandEnd::NotStarted { .. });
    if !ended(first) || !ended(second) {
        return void("the check did not finish");
    }
    if first.passed() != second.passed() {
        return void("two runs of the test gave different results");
    }
    if !first.passed() {
        // Many runners stop at the first failure, so fewer tests may have run than without the exam's test.
        let ran_any = ran(first).is_some_and(|ran| ran > 0) && ran(second).is_some_and(|ran| ran > 0);
        return if ran_any { Grade::Failed } else { void("the check runs no test when this file is added") };
    }
    if seen.place == ExamPlace::Replaced {
        return void("the worker added another version of the test to the project");
    }
    if !matches!((usual, ran(first), ran(second)), (Some(usual), Some(one), Some(other)) if one > usual && other > usual)
    {
        return void("the check's output doesn't show that the test ran");
    }
    // A check that ran no test at all has no earlier failure that could explain this one.
    let was_well = before.is_some_and(|ran| ran.passed() || ran.is_hollow());
    match &seen.before {
        _ if !was_well => void("without the change, the check fails even if this test isn't added"),
        Some(ran) if ran.is_hollow() => void("the check runs no test when the change is removed"),
        Some(ran) if ran.passed() => void("the test also passes without the change"),
        Some(ran) if ended(ran) => Grade::Passed,
        _ => void("the test was not run without the change"),
    }
}

/// Where the output of a test's first run is.
fn numbered(output: &str) -> String {
    output.replace(".log", "-1.log")
}
