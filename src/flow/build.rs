//! One feature from its worker to *completed* or *blocked*: the steps, and the one gate.
//!
//! ```text
//! tree before → worker → tree after → checks → reviewer → tree after the review → completed
//!                  ↑_________________mend_________________|
//! ```
//!
//! What a model says moves nothing forward by itself: after a worker's "done" comes a look at the files, after it the checks, and
//! what they show decides; after a reviewer's approval comes a look at the files again. The gate is [`Session::proven`].

use super::code::FlowCode;
use super::evidence::{Evidence, Standing, some};
use super::plan::{Check, Scope};
use super::prompts;
use super::protocol::{CheckFinished, Effect, Role, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::report::{Report, WorkOutcome};
use super::review::{Review, ReviewDecision};
use super::session::{Commands, FeatureState, Job, Reported, Reviewed, Session, Turn};
use kernel::drive;
use kernel::job::JobState;
use kernel::protocol::{JobId, Outcome, Tone};
use std::collections::{BTreeMap, VecDeque};

/// Rounds of a feature, from a worker's report to what is said of it.
pub(super) const ROUNDS: u32 = 5;
/// How often the same check may fail alike, one time after another.
const ALIKE: u32 = 3;
/// Rounds, one after another, in which a worker changes nothing.
const STALE: u32 = 2;
/// How much of a worker's words goes into a command that can be typed, in characters.
const REMARK: usize = 200;

/// The feature that is being built.
#[derive(Clone, Debug)]
pub(super) struct Build {
    pub(super) feature: String,
    pub(super) step: Step,
    pub(super) round: u32,
    /// The worker's job.
    pub(super) worker: JobId,
    /// The present round's reviewer's job.
    pub(super) reviewer: Option<JobId>,
    /// The tree that was taken last, but for the one after a review.
    tree: Option<TreeId>,
    /// The paths that differ from the tree before the feature.
    changed: Vec<String>,
    /// The checks that are still to be run in this round, with the one that is running.
    left: VecDeque<Check>,
    /// What the worker has to mend.
    mend: String,
    /// Whether this round checks again without asking the worker.
    without_worker: bool,
    /// Rounds in which the worker changed nothing, one after another.
    stale: u32,
    /// How each check failed last, and how often alike.
    alike: BTreeMap<String, (String, u32)>,
    /// Where the evidence of this run begins.
    evidence_from: usize,
    /// What was tried, a line a round.
    pub(super) tried: Vec<String>,
    /// A report that is to be acted on.
    report: Option<Report>,
    /// A review that is to be acted on.
    review: Option<Review>,
}

/// What a feature waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The tree before the worker.
    Before,
    /// The worker.
    Working,
    /// The tree after the worker.
    After,
    /// Checks.
    Checking,
    /// The reviewer.
    Reviewing,
    /// The tree after the review.
    Confirming,
}

impl Step {
    /// In a word, for people.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Before | Self::Working => "working",
            Self::After | Self::Checking => "checking",
            Self::Reviewing | Self::Confirming => "reviewing",
        }
    }
}

impl Build {
    pub(super) fn new(feature: String, worker: JobId, evidence_from: usize) -> Self {
        Self {
            feature,
            step: Step::Before,
            round: 1,
            worker,
            reviewer: None,
            tree: None,
            changed: Vec::new(),
            left: VecDeque::new(),
            mend: String::new(),
            without_worker: false,
            stale: 0,
            alike: BTreeMap::new(),
            evidence_from,
            tried: Vec::new(),
            report: None,
            review: None,
        }
    }
}

impl Session {
    // ---- what a worker is asked ----

    pub(super) fn work_prompt(&self, job: &Job) -> String {
        let Some((build, feature)) =
            self.build.as_ref().and_then(|build| Some((build, self.planned(&build.feature)?)))
        else {
            return String::new();
        };
        if job.turn == Turn::Mend && job.in_conversation {
            return prompts::mend(&build.mend);
        }
        let broad: Vec<Vec<String>> =
            self.broad_checks(build).into_iter().map(|check| check.command).collect();
        prompts::work(&self.opening.goal, feature, &broad, &build.mend)
    }

    // ---- answers ----

    /// A worker's report is kept, and acted on by [`Self::advance_build`].
    pub(super) fn reported(&mut self, job: JobId, report: Report) {
        if let Some(build) = self.build.as_mut().filter(|build| build.worker == job) {
            build.report = Some(report.clone());
            let (feature, round) = (build.feature.clone(), build.round);
            self.reports.push(Reported { job, feature, round, report });
        }
    }

    /// A review is kept with the tree that it is of.
    pub(super) fn reviewed(&mut self, job: JobId, session: String, review: Review) {
        if let Some(build) = self.build.as_mut().filter(|build| build.reviewer.as_ref() == Some(&job)) {
            build.review = Some(review.clone());
            let (feature, round) = (build.feature.clone(), build.round);
            let tree = build.tree.clone().unwrap_or_default();
            self.reviews.push(Reviewed { job, session, feature, round, tree, review });
        }
    }

    /// Acts on what came back from a model.
    pub(super) fn advance_build(&mut self, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        match build.step {
            Step::Working => match build.report.take() {
                Some(report) => self.act_on_report(&report, commands),
                None => {
                    let job = build.worker.clone();
                    self.give_up_with(Some(&job), FlowCode::RunWorkerFailed, "The worker", commands);
                }
            },
            Step::Reviewing => match build.review.take() {
                Some(review) => self.act_on_review(&review, commands),
                None => {
                    let job = build.reviewer.clone();
                    self.give_up_with(job.as_ref(), FlowCode::RunReviewerFailed, "The reviewer", commands);
                }
            },
            Step::Before | Step::After | Step::Checking | Step::Confirming => {}
        }
    }

    fn give_up_with(&mut self, job: Option<&JobId>, code: FlowCode, who: &str, commands: &mut Commands) {
        let job = self.calls.jobs.iter().find(|other| Some(&other.id) == job);
        if let Some(JobState::Failed(reason)) = job.map(|job| &job.state) {
            let recovery =
                Recovery::new(code, RecoveryStage::Run, format!("{who} brought nothing: {reason}."))
                    .takes("a model that answers");
            self.block(recovery, "Mend what is named, and build the feature again.", commands);
        }
    }

    fn act_on_report(&mut self, report: &Report, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let said = kernel::visible::line(&report.summary);
        match report.outcome {
            WorkOutcome::Done => {
                build.step = Step::After;
                let base = self.base();
                self.take_tree(base, commands);
            }
            WorkOutcome::Blocked => {
                build.tried.push(format!("the worker was blocked: {said}"));
                let recovery = Recovery::new(
                    FlowCode::RunWorkerBlocked,
                    RecoveryStage::Run,
                    format!("The worker can't go on: {said}"),
                )
                .takes("what the worker misses");
                self.block(recovery, "Move what is in the way, and build the feature again.", commands);
            }
            WorkOutcome::ReplanRequired => {
                build.tried.push(format!("the worker asks for another plan: {said}"));
                let remark: String = said.chars().take(REMARK).collect();
                let command = format!("/flow-plan revise {}: {}", build.feature, remark.trim());
                let recovery = Recovery::new(
                    FlowCode::RunReplanRequired,
                    RecoveryStage::Plan,
                    format!("The feature can't be built as planned, the worker says: {said}"),
                )
                .takes("a plan that fits")
                .next("Have the plan revised, in your own words if you like.", command);
                self.end_blocked(recovery, commands);
            }
        }
    }

    fn act_on_review(&mut self, review: &Review, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let findings: Vec<String> =
            review.findings.iter().map(|finding| format!("- {}", finding.line())).collect();
        let unmet = review.criteria.iter().filter(|one| !one.met);
        let unmet = unmet.map(|one| format!("- the criterion {} isn't met: {}", one.id, one.r#where));
        let list: Vec<String> = findings.into_iter().chain(unmet).collect();
        match review.verdict() {
            ReviewDecision::Approved => {
                build.step = Step::Confirming;
                let tree = build.tree.clone();
                self.take_tree(tree, commands);
            }
            ReviewDecision::NeedsFix => {
                build.tried.push(format!("checks passed; the reviewer found {}", told(list.len(), "fault")));
                let text = format!("The checks passed. A reviewer found this:\n\n{}", list.join("\n"));
                self.mend(text, commands);
            }
            ReviewDecision::Blocked => {
                let first = list.first().map_or("", |line| line.trim_start_matches("- "));
                build.tried.push(format!("the reviewer sees no way: {first}"));
                let recovery = Recovery::new(
                    FlowCode::RunReviewBlocked,
                    RecoveryStage::Run,
                    format!("The reviewer says that a worker can't mend it: {first}"),
                )
                .takes("a person's decision");
                self.block(recovery, "Settle what is named, and build the feature again.", commands);
            }
        }
    }

    // ---- trees ----

    /// The tree before the feature was first begun.
    fn base(&self) -> Option<TreeId> {
        self.features.get(&self.build.as_ref()?.feature)?.base.clone()
    }

    /// A tree was taken that the present step waits for.
    pub(super) fn tree_is(&mut self, tree: TreeId, changed: Vec<String>, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        match build.step {
            Step::Before => {
                let progress = self.features.entry(build.feature.clone()).or_default();
                progress.base.get_or_insert_with(|| tree.clone());
                build.tree = Some(tree);
                build.step = Step::Working;
                let message = format!("{} builds {}", self.opening.models.worker, build.feature);
                commands.push(drive::notice(Tone::Info, message));
            }
            Step::After => {
                let base = self.base();
                self.tree_after_work(&tree, changed, base.as_ref() == Some(&tree), commands);
            }
            Step::Confirming if build.tree.as_ref() == Some(&tree) => match self.proven() {
                Ok(()) => self.complete(tree, commands),
                Err(what) => {
                    let recovery = Recovery::new(
                        FlowCode::RunNotProven,
                        RecoveryStage::Run,
                        format!("Something is missing that completes the feature: {what}."),
                    );
                    self.block(recovery, "Build the feature again.", commands);
                }
            },
            Step::Confirming => {
                let what =
                    format!("files changed during the review, so it counts for nothing: {}", some(&changed));
                self.check_again(&what, commands);
            }
            Step::Working | Step::Checking | Step::Reviewing => {}
        }
    }

    fn tree_after_work(
        &mut self,
        tree: &TreeId,
        changed: Vec<String>,
        is_base: bool,
        commands: &mut Commands,
    ) {
        let Some(build) = &mut self.build else { return };
        let is_same = build.tree.as_ref() == Some(tree);
        build.changed = changed;
        build.tree = Some(tree.clone());
        // A feature may be there from an earlier run, and only its checks be missing.
        let is_stale = is_same && !build.without_worker && (is_base || build.round > 1);
        build.without_worker = false;
        if !is_stale {
            build.stale = 0;
            self.begin_checks(commands);
            return;
        }
        build.stale += 1;
        build.tried.push("the worker said done, and no file had changed".to_owned());
        if build.stale >= STALE {
            let recovery = Recovery::new(
                FlowCode::RunNoChange,
                RecoveryStage::Run,
                "The worker said done in two rounds, and changed no file in them.",
            )
            .takes("a change of files");
            self.block(
                recovery,
                "Change what is missing by hand or have the plan revised, and build the feature again.",
                commands,
            );
            return;
        }
        let before = std::mem::take(&mut build.mend);
        let text = format!("You said that you are done, and no file has changed.\n\n{before}");
        self.mend(text, commands);
    }

    // ---- checks ----

    fn begin_checks(&mut self, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let Some(feature) = self.planned(&build.feature) else { return };
        let checks = feature.checks(Scope::Targeted).cloned().collect();
        self.run_checks(checks, commands);
    }

    fn run_checks(&mut self, checks: VecDeque<Check>, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        build.step = Step::Checking;
        build.left = checks;
        self.run_next_check(commands);
    }

    fn run_next_check(&mut self, commands: &mut Commands) {
        let Some(check) = self.build.as_ref().and_then(|build| build.left.front()).cloned() else { return };
        self.effects_begun += 1;
        let effect = self.effects_begun;
        let output = format!("evidence/{effect}-{}.log", check.id);
        let run = Effect::RunCheck {
            effect,
            check: check.id,
            argv: check.command,
            timeout_ms: check.timeout_ms,
            output,
        };
        self.effects.begin(run, commands);
    }

    /// The check that was running is over.
    pub(super) fn check_is_over(&mut self, seen: CheckFinished, output: String, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let Some(check) = build.left.pop_front() else { return };
        let evidence = Evidence {
            feature: build.feature.clone(),
            check: check.id,
            argv: check.command,
            scope: check.scope,
            round: build.round,
            tree: build.tree.clone().unwrap_or_default(),
            seen,
            output,
        };
        let (standing, account) = (evidence.standing(), evidence.account());
        let line = format!("{} of {}: {account}", evidence.check, evidence.feature);
        let tone = if standing == Standing::Passed { Tone::Info } else { Tone::Warning };
        commands.push(kernel::protocol::Command::Notify { tone, message: line.clone(), toast: false });
        let check = evidence.check.clone();
        let changed = some(&evidence.seen.changed);
        self.evidence.push(evidence);
        self.log(&line);
        match standing {
            Standing::OtherTree => self.check_again("files changed before a check began", commands),
            Standing::ChangedFiles => {
                let what = format!("the check {check} changed files");
                if let Some(build) = &mut self.build {
                    build.left.clear();
                    build.tried.push(what);
                }
                self.mend(
                    format!(
                        "The check {check} changed files of the project while it ran, so what it showed holds for no state of them: \
                         {changed}. What a check writes has to be ignored by git or be there already."
                    ),
                    commands,
                );
            }
            Standing::Passed | Standing::Failed | Standing::Hollow => {
                if self.build.as_ref().is_some_and(|build| !build.left.is_empty()) {
                    self.run_next_check(commands);
                } else {
                    self.checks_are_over(commands);
                }
            }
        }
    }

    fn checks_are_over(&mut self, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let failed: Vec<Evidence> =
            self.of_round(build).filter(|one| one.standing() != Standing::Passed).cloned().collect();
        if !failed.is_empty() {
            self.checks_failed(&failed, commands);
            return;
        }
        let passed: Vec<&Vec<String>> = self.of_round(build).map(|one| &one.argv).collect();
        let more: VecDeque<Check> =
            self.broad_checks(build).into_iter().filter(|check| !passed.contains(&&check.command)).collect();
        if more.is_empty() {
            self.ask_for_review(commands);
        } else {
            self.run_checks(more, commands);
        }
    }

    fn checks_failed(&mut self, failed: &[Evidence], commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let mut alike = BTreeMap::new();
        let mut stuck = None;
        for one in failed {
            let likeness = one.likeness();
            let before = build.alike.get(&one.check).filter(|(last, _)| *last == likeness);
            let count = before.map_or(0, |(_, count)| *count) + 1;
            if count >= ALIKE {
                stuck = Some(one.check.clone());
            }
            alike.insert(one.check.clone(), (likeness, count));
        }
        build.alike = alike;
        let names: Vec<String> =
            failed.iter().map(|one| format!("{} {}", one.check, one.account())).collect();
        build.tried.push(names.join("; "));
        if let Some(check) = stuck {
            let recovery = Recovery::new(
                FlowCode::RunSameFailure,
                RecoveryStage::Run,
                format!("The check {check} failed {ALIKE} times in the same way."),
            )
            .takes("another way, or another check");
            self.block(
                recovery,
                "Look at its output; mend it by hand or have the plan revised, and build the feature again.",
                commands,
            );
            return;
        }
        let outputs: Vec<String> = failed.iter().map(prompts::shown).collect();
        self.mend(format!("These checks don't pass.\n\n{}", outputs.join("\n\n")), commands);
    }

    /// The evidence of the present round.
    fn of_round<'a>(&'a self, build: &'a Build) -> impl Iterator<Item = &'a Evidence> {
        self.of_run(build).filter(|one| one.round == build.round)
    }

    /// The evidence since the feature was begun.
    fn of_run(&self, build: &Build) -> impl Iterator<Item = &Evidence> {
        self.evidence.get(build.evidence_from..).unwrap_or_default().iter()
    }

    /// The broad checks of the plan, where this is its last feature.
    fn broad_checks(&self, build: &Build) -> Vec<Check> {
        let Some(plan) = &self.plan else { return Vec::new() };
        let is_there = |id: &str| id == build.feature || self.state_of(id) == FeatureState::Completed;
        if !plan.features.iter().all(|feature| is_there(&feature.id)) {
            return Vec::new();
        }
        plan.broad_checks().into_iter().map(|(_, check)| check.clone()).collect()
    }

    // ---- the next round ----

    /// The worker is asked to mend something.
    fn mend(&mut self, what: String, commands: &mut Commands) {
        if self.begins_round(commands)
            && let Some(build) = &mut self.build
        {
            build.mend = what;
            build.step = Step::Working;
        }
    }

    /// The checks are run anew on the files as they are now: what was seen is of no state of them.
    fn check_again(&mut self, why: &str, commands: &mut Commands) {
        self.log(why);
        if let Some(build) = &mut self.build {
            build.left.clear();
            build.tried.push(why.to_owned());
        }
        if self.begins_round(commands) {
            if let Some(build) = &mut self.build {
                build.without_worker = true;
                build.step = Step::After;
            }
            let base = self.base();
            self.take_tree(base, commands);
        }
    }

    /// Whether there is another round; blocks the feature where there is none.
    fn begins_round(&mut self, commands: &mut Commands) -> bool {
        let Some(build) = &mut self.build else { return false };
        if build.round < ROUNDS {
            build.round += 1;
            build.reviewer = None;
            if let Some(progress) = self.features.get_mut(&build.feature) {
                progress.rounds = build.round;
            }
            return true;
        }
        let recovery = Recovery::new(
            FlowCode::RunRounds,
            RecoveryStage::Run,
            format!("After {ROUNDS} rounds the feature isn't complete."),
        )
        .takes("a smaller step, or a person's help");
        self.block(
            recovery,
            "Look at what was tried; mend it by hand or have the plan revised, and build the feature again.",
            commands,
        );
        false
    }

    fn ask_for_review(&mut self, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let Some(feature) = self.planned(&build.feature) else { return };
        let evidence: Vec<&Evidence> = self.of_round(build).collect();
        let prompt = prompts::review(&self.opening.goal, feature, &build.changed, &evidence);
        let id = build.feature.clone();
        let job = self.ask(Role::Reviewer, Turn::Review, Some(&id), prompt);
        if let Some(build) = &mut self.build {
            build.reviewer = Some(job);
            build.step = Step::Reviewing;
        }
        commands.push(drive::notice(Tone::Info, format!("{} reviews {id}", self.opening.models.reviewer)));
    }

    // ---- the end ----

    /// Whether all is there that completes the feature, for the tree that was taken last; the error says what isn't.
    fn proven(&self) -> Result<(), String> {
        let none = || "nothing is being built".to_owned();
        let build = self.build.as_ref().ok_or_else(none)?;
        let tree = build.tree.as_ref().ok_or_else(none)?;
        let feature = self.planned(&build.feature).ok_or_else(none)?;
        let passed = |argv: &[String]| {
            let last = self.of_run(build).filter(|one| one.argv == argv && one.tree == *tree).last();
            last.is_some_and(|one| one.standing() == Standing::Passed)
        };
        let broad = self.broad_checks(build);
        let mut needed = feature.checks(Scope::Targeted).chain(&broad).peekable();
        if needed.peek().is_none() {
            return Err("no check was run".to_owned());
        }
        if let Some(check) = needed.find(|check| !passed(&check.command)) {
            return Err(format!("the check {} has not passed on these files", check.id));
        }
        let review = self.reviews.last().filter(|one| Some(&one.job) == build.reviewer.as_ref());
        let review = review.ok_or_else(|| "nobody reviewed it".to_owned())?;
        if review.tree != *tree || review.review.verdict() != ReviewDecision::Approved {
            return Err("no reviewer approved these files".to_owned());
        }
        let mut workers = self.calls.jobs.iter().filter(|job| job.part.role == Role::Worker);
        if workers.any(|job| job.ledger.sessions.contains(&review.session)) {
            return Err("its reviewer's session is a worker's".to_owned());
        }
        Ok(())
    }

    fn complete(&mut self, tree: TreeId, commands: &mut Commands) {
        let Some(build) = self.build.take() else { return };
        if let Some(progress) = self.features.get_mut(&build.feature) {
            progress.state = FeatureState::Completed;
            progress.tree = Some(tree);
        }
        self.settle(&build);
        self.log(&format!("The feature {} is complete.", build.feature));
        let message = if self.is_complete() {
            "Every feature is complete".to_owned()
        } else {
            format!("{} is complete", build.feature)
        };
        commands.push(drive::notice(Tone::Success, message));
        self.rest(Outcome::Complete, commands);
    }

    /// The feature can't be completed now; the way on is to build it again.
    pub(super) fn block(&mut self, recovery: Recovery, hint: &str, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let command = format!("/flow-run {}", build.feature);
        self.end_blocked(recovery.next(hint, command), commands);
    }

    fn end_blocked(&mut self, recovery: Recovery, commands: &mut Commands) {
        let Some(build) = self.build.take() else { return };
        if let Some(progress) = self.features.get_mut(&build.feature) {
            progress.state = FeatureState::Blocked;
            progress.recovery = Some(recovery.clone());
            progress.tried.clone_from(&build.tried);
        }
        self.settle(&build);
        self.log(&format!("The feature {} is blocked: {}", build.feature, recovery.message));
        self.stop(Outcome::Stopped, recovery, commands);
    }

    /// The conversation with its worker is over.
    fn settle(&mut self, build: &Build) {
        let now = self.calls.clock.now;
        if let Some(job) = self.calls.job(&build.worker).filter(|job| !job.state.is_settled()) {
            job.settle(JobState::Done, now);
        }
    }
}

/// `1 fault`, `2 faults`.
fn told(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
