//! One feature from its worker to *completed* or *blocked*: the steps, and the one gate.
//!
//! ```text
//! tree before → worker → tree after → checks → copies → small faults → exam → reviewer → copies → tree after the review → completed
//!                  ↑____________________________fix______________________________|
//! ```
//!
//! A model's answer never advances a feature: a worker's "done" leads to a look at the files and then to the checks, whose results
//! decide; a reviewer's approval leads to another look at the files. The steps that run in copies of the files are in
//! [`super::copies`], and the gate is in [`super::gate`].

use super::apart::Apart;
use super::apart::Purpose;
use super::code::FlowCode;
use super::evidence::{Evidence, Standing, named, some};
use super::exam::Exam;
use super::examining::Sitting;
use super::gate::Proven;
use super::git_record::GitRecord;
use super::held::Ruling;
use super::instructions;
use super::kept_behaviour;
use super::links::Link;
use super::mutation::Mutation;
use super::of_feature::{Change, model_of};
use super::plan::{Check, Criterion, Feature};
use super::prompts;
use super::protocol::{CheckFinished, Effect, EndedProcess, Outside, Role, TreeId, TreeTaken};
use super::reached::{Blocked, Reached};
use super::recovery::{Recovery, RecoveryStage};
use super::report::{Report, WorkOutcome};
use super::review::{Asked, Review, ReviewDecision, Verdict};
use super::review_parts::Parts;
use super::session::{Commands, FeatureState, Job, Reported, Reviewed, Session, Turn};
use super::step::{Frozen, GaveUp, Judge, Look, Step, Trees, Work};
use super::test_files::weakened;
use super::test_settings::{self, TestSetting};
use crate::shared::figures::count;
use crate::shared::spelled::spelled;
use design_lab_numerics::sorting::{map, set};
use kernel::drive;
use kernel::job::JobState;
use kernel::protocol::{JobId, Outcome, Tone};
use kernel::reason::Reason;
use kernel::workflow::Workflow as _;
use std::collections::{BTreeMap, VecDeque};

/// How many times in a row the same check may fail in the same way.
const ALIKE: u32 = 3;
/// How many reviews of one round may be refuted before a person has to look.
const REFUTED: usize = 2;
/// How many rounds in a row a worker may change nothing.
const STALE: u32 = 2;

/// The message to a worker about a runner that printed no summary.
const SILENT: &str = "A check that runs a test runner passes only if the runner prints its summary. At \
                      least one of these checks exited with code 0 but printed no summary, so it is \
                      unknown whether any test ran. Look for code that ends the process while tests run, \
                      such as `process.exit(0)` or `os._exit(0)`, and for settings that hide the summary.";

/// What a person can do if checks pass in the project but fail in a copy of its files.
const LACKING: &str = "The feature's checks pass in the project but fail in a clean copy of it. The copy \
                       has no network and none of the files that git ignores. If the checks need such a \
                       file, name it in `flow.worktree.link` in .opencode/design-lab.jsonc, or create it \
                       with a command (`flow.worktree.setup`). If the checks need a server, set \
                       `flow.worktree.network` to true. Then build the feature again.";

/// The feature that is being built.
#[derive(Clone, Debug)]
pub(super) struct Build {
    pub(super) feature: String,
    pub(super) step: Step,
    pub(super) round: u32,
    /// The worker's job.
    pub(super) worker: JobId,
    /// The paths that differ from the tree before the feature.
    pub(super) changed: Vec<String>,
    /// The losses in the project's tests, in sentences.
    pub(super) weakened: Vec<String>,
    /// Changed settings that decide how tests run, in files that also hold much else.
    pub(super) test_settings: Vec<TestSetting>,
    /// What the change adds of that which rules of the project forbid; `None` when no rule was checked.
    pub(super) ruling: Option<Ruling>,
    /// Whether the rules of the project changed since the worker's conversation began.
    pub(super) rules_changed: bool,
    /// What git had on record at the last look.
    pub(super) recorded: Option<Box<GitRecord>>,
    /// What OpenCode would have loaded at the last look; `None` before the first one.
    pub(super) loaded: Option<Vec<Link>>,
    /// What the worker has to fix.
    fix: String,
    /// Whether the worker was shown the small faults that no check notices.
    pub(super) account_of_mutants: bool,
    /// The exams of this run.
    pub(super) exams: Vec<Exam>,
    /// How many of them the worker was shown.
    pub(super) account_of_exams: usize,
    /// Why the examiner wrote no exam, if it wrote none.
    pub(super) no_exam: Option<String>,
    /// How many rounds in a row the worker changed nothing.
    stale: u32,
    /// How each check failed last, and how many times in a row it failed that way.
    alike: BTreeMap<String, (String, u32)>,
    /// The index at which the evidence of this run starts.
    evidence_from: usize,
    /// The index at which the reviews of this run start.
    pub(super) reviews_from: usize,
    /// What was tried, one line for each round.
    pub(super) tried: Vec<String>,
    /// The index at which this run's results from copies start.
    pub(super) apart_from: usize,
    /// The index at which this run's results on the files from before the feature start.
    pub(super) base_runs_from: usize,
    /// The number of calls that this feature's jobs made before this run.
    calls_before: u32,
}

impl Build {
    pub(super) fn new(
        feature: String,
        worker: JobId,
        evidence_from: usize,
        apart_from: usize,
        base_runs_from: usize,
        calls_before: u32,
        is_built: bool,
    ) -> Self {
        Self {
            feature,
            step: Step::Before { is_built },
            round: 1,
            worker,
            changed: Vec::new(),
            weakened: Vec::new(),
            test_settings: Vec::new(),
            ruling: None,
            rules_changed: false,
            recorded: None,
            loaded: None,
            fix: String::new(),
            account_of_mutants: false,
            exams: Vec::new(),
            account_of_exams: 0,
            no_exam: None,
            stale: 0,
            alike: BTreeMap::new(),
            evidence_from,
            reviews_from: 0,
            tried: Vec::new(),
            apart_from,
            base_runs_from,
            calls_before,
        }
    }

    /// The tree at the last look, except the one after a review; `None` before the first look.
    pub(super) fn tree(&self) -> Option<&TreeId> {
        self.step.tree()
    }

    /// The seal of the copy that the reviewer of the files reads; `None` when no reviewer needs one.
    pub(super) fn seal(&self) -> Option<&String> {
        match &self.step {
            Step::Judging(files, _) => files.seal.as_ref(),
            _ => None,
        }
    }

    /// How the worker gave up, if the files are being looked at for that reason.
    pub(super) fn gave_up(&self) -> Option<&GaveUp> {
        match &self.step {
            Step::After(look) => look.gave_up.as_ref(),
            _ => None,
        }
    }
}

impl Session {
    // ---- the worker's prompt ----

    pub(super) fn work_prompt(&self, job: &Job) -> String {
        let Some((build, feature)) =
            self.build.as_ref().and_then(|build| Some((build, self.planned(&build.feature)?)))
        else {
            return String::new();
        };
        if job.turn == Turn::Fix && job.in_conversation {
            let rules = if build.rules_changed { self.held.told() } else { String::new() };
            return prompts::fix(&build.fix, &rules);
        }
        let broad: Vec<Vec<String>> = self.broad_checks().into_iter().map(|check| check.command).collect();
        let design = self.opening.lane_of.as_ref().and_then(|of| of.entrant.design.as_deref());
        prompts::work(&self.opening.goal, feature, design, &broad, &build.fix, &self.held.told())
    }

    // ---- answers ----

    /// Keeps a worker's report, for [`Self::advance_build`] to act on.
    pub(super) fn reported(&mut self, job: JobId, report: Report) {
        if let Some(Build { step: Step::Working(work), worker, feature, round, .. }) = &mut self.build
            && *worker == job
        {
            work.report = Some(report.clone());
            let (feature, round) = (feature.clone(), *round);
            self.reports.push(Reported { job, feature, round, report });
        }
    }

    /// Keeps a review with the tree that it reviewed.
    pub(super) fn reviewed(&mut self, job: JobId, session: String, review: Review) {
        if let Some(Build { step: Step::Judging(files, judge), feature, round, .. }) = &mut self.build
            && let Judge::Reviewing { reviewer, review: kept } = judge
            && *reviewer == job
        {
            *kept = Some(review.clone());
            let (feature, round, tree) = (feature.clone(), *round, files.tree().clone());
            let whole = self.calls.jobs.iter().any(|one| one.id == job && one.part.whole);
            let of = if whole { "the complete change" } else { &feature };
            let model = model_of(self, &job);
            let unmet = review.criteria.iter().filter(|one| !one.met).count();
            let line = match review.decision {
                ReviewDecision::Approved if unmet > 0 => {
                    format!(
                        "{model} approved {of}, except for {}.",
                        count(unmet as u64, "unmet criterion", "unmet criteria")
                    )
                }
                ReviewDecision::Approved => format!("{model} approved {of}."),
                ReviewDecision::NeedsFix => format!("{model} asked for a fix in {of}."),
                ReviewDecision::Blocked => format!("{model} said that {of} is blocked."),
            };
            self.log(&line);
            self.reviews.push(Reviewed {
                job,
                session,
                feature,
                round,
                tree,
                review,
                whole,
                unconfirmed: Vec::new(),
                own_word: self.opening.rules >= 1,
            });
        }
    }

    /// Acts on a model's answer.
    pub(super) fn advance_build(&mut self, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        match build.step.clone() {
            Step::Working(work) => self.worker_is_over(work, commands),
            Step::Judging(files, Judge::Examining { examiner, exam }) => {
                self.exam_is_over(files, &examiner, exam, commands);
            }
            Step::Judging(files, Judge::Reviewing { review: Some(review), .. }) => {
                self.try_claims(files, &review, commands);
            }
            Step::Judging(_, Judge::Reviewing { reviewer, review: None }) => {
                if let Some(reason) = self.failure(&reviewer) {
                    self.give_up_with(&reason, FlowCode::RunReviewerFailed, "The reviewer", commands);
                }
            }
            Step::Before { .. } | Step::After(_) | Step::Judging(..) => {}
        }
    }

    /// Why a job failed, if it did.
    pub(super) fn failure(&self, job: &JobId) -> Option<Reason> {
        match &self.calls.jobs.iter().find(|other| other.id == *job)?.state {
            JobState::Failed(reason) => Some(reason.clone()),
            _ => None,
        }
    }

    fn give_up_with(&mut self, reason: &Reason, code: FlowCode, who: &str, commands: &mut Commands) {
        let message = format!("{who} gave no usable answer: {reason}.");
        if self.calls.closing.is_some() {
            self.over_budget(message, commands);
            return;
        }
        if reason.is_for_person() {
            let recovery = Recovery::new(FlowCode::RunAwaitingUser, RecoveryStage::Run, message)
                .takes("your permission in OpenCode's TUI, or a permission rule that allows the action");
            let hint = "Build the feature again in OpenCode's TUI, where OpenCode can ask you, or allow the \
                        action under `permission` in opencode.json.";
            self.block(recovery, hint, commands);
            return;
        }
        let recovery = Recovery::new(code, RecoveryStage::Run, message).takes("a model that answers");
        self.block(recovery, "Fix the cause, then build the feature again.", commands);
    }

    fn over_budget(&mut self, message: String, commands: &mut Commands) {
        let recovery = Recovery::new(FlowCode::RunBudget, RecoveryStage::Run, message)
            .takes("a smaller feature, or a larger flow.budget in the configuration");
        let hint = "Look at what was tried. If the feature is worth it, raise flow.budget in \
                    .opencode/design-lab.jsonc and build the feature again.";
        self.block(recovery, hint, commands);
    }

    /// Ends the worker's turn if it reported or failed. Either way it may have changed files, so they are looked at first, to make
    /// it possible to take the changes back. Sessions from before [`super::protocol::RULES`] 4 look only if the worker is done.
    fn worker_is_over(&mut self, work: Work, commands: &mut Commands) {
        let looks_always = self.opening.rules >= 4;
        let Some(build) = &self.build else { return };
        let gave_up = match work.report {
            Some(Report { outcome: WorkOutcome::Done, .. }) => None,
            Some(Report { outcome: WorkOutcome::Blocked, summary }) => Some(GaveUp::Blocked(summary)),
            Some(Report { outcome: WorkOutcome::ReplanRequired, summary }) => Some(GaveUp::Replan(summary)),
            None => match self.failure(&build.worker) {
                Some(reason) => Some(GaveUp::Failed { reason, closing: self.calls.closing.clone() }),
                None => return,
            },
        };
        match gave_up {
            Some(why) if !looks_always => self.act_on_giving_up(&why, commands),
            gave_up => {
                let base = work.trees.base.clone();
                self.enter(Step::After(Look { trees: work.trees, may_stay: work.may_stay, gave_up }));
                self.take_tree_after_work(Some(base), commands);
            }
        }
    }

    /// Continues with this step.
    pub(super) fn enter(&mut self, step: Step) {
        if let Some(build) = &mut self.build {
            build.step = step;
        }
    }

    /// Adds a line to what was tried.
    pub(super) fn tried(&mut self, what: String) {
        if let Some(build) = &mut self.build {
            build.tried.push(what);
        }
    }

    /// Forgets the base if a worker gave up without changing a file: the next build starts from the files as they are then.
    fn forget_unchanged_base(&mut self, tree: &TreeId) {
        let progress = self.build.as_ref().and_then(|build| self.features.get_mut(&build.feature));
        if let Some(progress) = progress.filter(|progress| progress.base.as_ref() == Some(tree)) {
            (progress.base, progress.links) = (None, None);
        }
    }

    pub(super) fn act_on_giving_up(&mut self, why: &GaveUp, commands: &mut Commands) {
        match why {
            GaveUp::Failed { reason, closing } => {
                // If the session was interrupted meanwhile, the new process no longer knows the reason.
                if self.calls.closing.is_none() {
                    self.calls.closing.clone_from(closing);
                }
                self.give_up_with(reason, FlowCode::RunWorkerFailed, "The worker", commands);
            }
            GaveUp::Blocked(said) => {
                let said = kernel::visible::line(said);
                self.tried(format!("the worker was blocked: {said}"));
                let recovery = Recovery::new(
                    FlowCode::RunWorkerBlocked,
                    RecoveryStage::Run,
                    format!("The worker is blocked: {said}"),
                )
                .takes("what the worker needs");
                self.block(recovery, "Remove the obstacle, then build the feature again.", commands);
            }
            GaveUp::Replan(said) => {
                let said = kernel::visible::line(said);
                self.tried(format!("the worker asked for another plan: {said}"));
                let recovery = Recovery::new(
                    FlowCode::RunReplanRequired,
                    RecoveryStage::Plan,
                    format!("The worker says that the feature can't be built as planned: {said}"),
                )
                .takes("a plan that works")
                .next(
                    "Revise the plan. The planner receives the worker's report and any remarks that you \
                     add.",
                    "/flow-plan revise",
                );
                self.end_blocked(recovery, commands);
            }
        }
    }

    /// Acts on the review that was given last, after its findings were tried.
    pub(super) fn act_on_review(&mut self, files: Frozen, commands: &mut Commands) {
        let leads_to_another = self.needs_final_review();
        let Some(given) = self.reviews.last() else { return };
        let (verdict, whole) = (given.verdict(), given.whole);
        let may_ask_again = self.refuted(whole).count() < REFUTED;
        let Reviewed { review, unconfirmed, .. } = given;
        let findings = review.findings.iter().enumerate().filter(|(index, _)| !unconfirmed.contains(index));
        let findings: Vec<String> = findings.map(|(_, finding)| format!("- {}", finding.line())).collect();
        let unmet = review.criteria.iter().filter(|one| !one.met);
        let unmet = unmet.map(|one| format!("- the criterion {} isn't met: {}", one.id, one.r#where));
        let list: Vec<String> = findings.into_iter().chain(unmet).collect();
        match verdict {
            Verdict::Approved if !whole && leads_to_another => self.ask_for_review(true, files, commands),
            Verdict::Approved => {
                self.enter(Step::Judging(files.clone(), Judge::Confirming));
                self.take_tree_after_review(files, commands);
            }
            Verdict::NeedsFix => {
                self.tried(format!(
                    "the checks passed, but the reviewer found {}",
                    wording(list.len(), "problem")
                ));
                let text = format!("The checks passed. A reviewer found this:\n\n{}", list.join("\n"));
                self.fix(files.trees, text, commands);
            }
            Verdict::Refuted if may_ask_again => self.ask_for_review(whole, files, commands),
            Verdict::Refuted => {
                self.tried(
                    "the problem that the reviewer reported doesn't occur, but the reviewer doesn't approve"
                        .to_owned(),
                );
                let recovery = Recovery::new(
                    FlowCode::RunReviewRefuted,
                    RecoveryStage::Run,
                    "The reviewer doesn't approve, although the reported problem doesn't occur.",
                )
                .takes("a reviewer that approves, or reports something that a test can show");
                let hint = "Read the findings on the feature's page, then build the feature again. To use \
                            another reviewer, set `model` of the agent flow-reviewer.";
                self.block(recovery, hint, commands);
            }
            Verdict::Blocked => {
                let first = list.first().map_or("", |line| line.trim_start_matches("- "));
                self.tried(format!("the reviewer said that a worker can't fix this: {first}"));
                let recovery = Recovery::new(
                    FlowCode::RunReviewBlocked,
                    RecoveryStage::Run,
                    format!("The reviewer says that a worker can't fix this: {first}"),
                )
                .takes("a person's decision");
                self.block(recovery, "Decide what to do about this, then build the feature again.", commands);
            }
        }
    }

    /// The reviews of this round, of the whole or of the feature, that their own reproducers refuted. Earlier rules also counted those
    /// of an earlier build.
    fn refuted(&self, whole: bool) -> impl Iterator<Item = &Reviewed> {
        let round = self.build.as_ref().map(|build| (build.feature.as_str(), build.round));
        let of_build = self.build.as_ref().filter(|_| self.opening.rules >= 9);
        let from = of_build.map_or(0, |build| build.reviews_from);
        self.reviews.iter().skip(from).filter(move |one| {
            one.whole == whole
                && round == Some((one.feature.as_str(), one.round))
                && one.verdict() == Verdict::Refuted
        })
    }

    // ---- trees ----

    /// The tree before the feature was first started.
    pub(super) fn base(&self) -> Option<TreeId> {
        self.features.get(&self.build.as_ref()?.feature)?.base.clone()
    }

    /// The tree before the subject of the review or exam: the feature, or all features.
    pub(super) fn review_base(&self) -> Option<TreeId> {
        let asked = self.build.as_ref()?.step.judging_job()?;
        self.base_of(self.calls.jobs.iter().any(|one| one.id == *asked && one.part.whole))
    }

    /// The tree before the feature that is being built, or before all of them.
    pub(super) fn base_of(&self, whole: bool) -> Option<TreeId> {
        if whole {
            // Features are built in any order: the one with the first evidence was built first.
            return self.evidence.iter().find_map(|one| self.features.get(&one.feature)?.base.clone());
        }
        self.base()
    }

    /// Keeps what was seen beside the tree, and returns what has changed there, in words.
    fn seen_beside(
        &mut self,
        recorded: Option<Box<GitRecord>>,
        loaded: Option<Vec<Link>>,
        outside: Option<Box<Outside>>,
        changed: &[String],
    ) -> Vec<String> {
        let outside = self.outside_is(outside);
        let Some(build) = &mut self.build else { return Vec::new() };
        let before = build.loaded.as_deref().zip(loaded.as_deref());
        let loading = before.and_then(|(before, now)| instructions::loaded_anew(before, now, changed));
        build.loaded = loaded.or_else(|| build.loaded.take());
        let before = std::mem::replace(&mut build.recorded, recorded);
        let recorded = before.zip(build.recorded.clone());
        let rewritten = recorded.and_then(|(before, now)| self.told_of_git(&before, &now));
        rewritten.into_iter().chain(loading).chain(outside).collect()
    }

    /// Continues the current step with the tree that was taken for it.
    pub(super) fn tree_is(&mut self, mut look: TreeTaken, commands: &mut Commands) {
        self.rule_on(&look, commands);
        self.tell_ended(&look.ended, commands);
        let (recorded, loaded, outside) = (look.recorded.take(), look.loaded.take(), look.outside.take());
        for note in self.seen_beside(recorded, loaded, outside, &look.changed) {
            self.tell(note, commands);
        }
        let Some(build) = &self.build else { return };
        match build.step.clone() {
            Step::Before { is_built } => self.begins_on(look, is_built, commands),
            Step::After(before) => self.worked(look, before, commands),
            Step::Judging(files, Judge::Confirming) => self.reviewed_on(&look, files, commands),
            Step::Working(_) | Step::Judging(..) => {}
        }
    }

    /// Starts the worker on these files, or the checks if the feature was built before.
    fn begins_on(&mut self, look: TreeTaken, is_built: bool, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let progress = self.features.entry(build.feature.clone()).or_default();
        let is_new = progress.base.is_none();
        let base = progress.base.get_or_insert_with(|| look.tree.clone()).clone();
        progress
            .links
            .get_or_insert_with(|| map(look.links.into_iter().map(|link| (link.path, link.digest))));
        let trees = Trees { base: base.clone(), now: look.tree };
        if is_built {
            build.step = Step::After(Look { trees, may_stay: true, gave_up: None });
            let message = format!("{} is checked again", build.feature);
            commands.push(drive::notice(Tone::Info, message));
            self.take_tree(Some(base), commands);
            return;
        }
        build.step = Step::Working(Work { trees, may_stay: false, report: None });
        let message = format!("{} builds {}", self.opening.models.worker, build.feature);
        if let Some(note) = self.since_latest(&look.changed).filter(|_| is_new) {
            self.log(&note);
            self.note(note);
        }
        commands.push(drive::notice(Tone::Info, message));
    }

    /// Checks the files that the worker left, unless it gave up.
    fn worked(&mut self, look: TreeTaken, before: Look, commands: &mut Commands) {
        let TreeTaken { tree, changed, tests, test_settings, undo, .. } = look;
        let Some(build) = &mut self.build else { return };
        build.weakened = weakened(&tests);
        build.test_settings = test_settings;
        build.changed = changed;
        self.features.entry(build.feature.clone()).or_default().undo = undo;
        if let Some(why) = before.gave_up {
            self.forget_unchanged_base(&tree);
            self.act_on_giving_up(&why, commands);
            return;
        }
        self.tree_after_work(tree, before.trees, before.may_stay, commands);
    }

    /// Completes the feature if the reviewed files are still the same.
    fn reviewed_on(&mut self, look: &TreeTaken, files: Frozen, commands: &mut Commands) {
        if look.unsealed {
            let what = "the copy that the reviewer read was changed, so the review doesn't count";
            self.check_again(files.trees, what, commands);
        } else if look.tree != *files.tree() {
            let what = format!(
                "files changed during the review, so the review doesn't count: {}",
                some(&look.changed)
            );
            self.check_again(files.trees, &what, commands);
        } else if self.breaks_rules() {
            self.fix_rules(files, commands);
        } else {
            self.face_gate(&files, commands);
        }
    }

    /// Checks the files after a worker's turn, unless it changed nothing. `before`: the trees before its turn.
    fn tree_after_work(&mut self, tree: TreeId, before: Trees, may_stay: bool, commands: &mut Commands) {
        let Some(build) = &mut self.build else { return };
        let is_same = before.now == tree;
        let trees = Trees { now: tree, ..before };
        // The feature may already exist from an earlier run and lack only its checks.
        let is_stale = is_same && !may_stay && (trees.base == trees.now || build.round > 1);
        if !is_stale {
            build.stale = 0;
            self.begin_checks(Frozen { trees, seal: None }, commands);
            return;
        }
        build.stale += 1;
        build.tried.push("the worker said that it was done, but no file had changed".to_owned());
        if build.stale >= STALE {
            let recovery = Recovery::new(
                FlowCode::RunNoChange,
                RecoveryStage::Run,
                "In two consecutive rounds, the worker said that it was done but changed no file.",
            )
            .takes("a change to at least one file");
            let hint = "Make the change by hand or revise the plan, then build the feature again.";
            self.block(recovery, self.lacking_in_copies().unwrap_or(hint), commands);
            return;
        }
        let before = std::mem::take(&mut build.fix);
        let text = format!("You said that you are done, but no file has changed.\n\n{before}");
        self.fix(trees, text, commands);
    }

    // ---- checks ----

    fn begin_checks(&mut self, files: Frozen, commands: &mut Commands) {
        let checks = self.targeted().into();
        self.run_checks(files, checks, commands);
    }

    fn run_checks(&mut self, files: Frozen, mut checks: VecDeque<Check>, commands: &mut Commands) {
        let Some(check) = checks.pop_front() else {
            self.checks_are_over(files, commands);
            return;
        };
        self.effects_begun += 1;
        let effect = self.effects_begun;
        let run = Effect::RunCheck {
            effect,
            check: check.id.clone(),
            argv: check.command.clone(),
            timeout_ms: check.timeout_ms,
            output: format!("evidence/{effect}-{}.log", check.id),
        };
        self.enter(Step::Judging(files, Judge::Checking { check, left: checks }));
        self.effects.begin(run, commands);
    }

    /// Handles the result of the check that was running.
    pub(super) fn check_is_over(&mut self, seen: CheckFinished, output: String, commands: &mut Commands) {
        let Some(Build { step: Step::Judging(files, judge), feature, round, .. }) = &self.build else {
            return;
        };
        let Judge::Checking { check, left } = judge else { return };
        let (files, check, left) = (files.clone(), check.clone(), left.clone());
        let seen = CheckFinished { ran: self.opening.heard(&check.command, seen.ran), ..seen };
        let evidence = Evidence {
            feature: feature.clone(),
            check: check.id,
            argv: check.command,
            scope: check.scope,
            round: *round,
            tree: files.tree().clone(),
            seen,
            output,
        };
        let (standing, account) = (evidence.standing(), evidence.account());
        let line = format!("{}: {account}", named(&evidence.feature, &evidence.check));
        let tone = if standing == Standing::Passed { Tone::Info } else { Tone::Warning };
        commands.push(drive::line(tone, line.clone()));
        let check = evidence.check.clone();
        let changed = some(evidence.altered());
        self.evidence.push(evidence);
        self.log(&line);
        match standing {
            Standing::OtherTree => {
                self.check_again(files.trees, "files changed before a check started", commands);
            }
            Standing::ChangedFiles => {
                self.tried(format!("the check {check} changed files"));
                self.fix(
                    files.trees,
                    format!(
                        "The check {check} or another process wrote to these files of the project while \
                         the check ran: {changed}. The result of the check therefore doesn't count. A \
                         check must not write to the project's files, even if it writes the same content \
                         again. Git must ignore every file that a check writes."
                    ),
                    commands,
                );
            }
            Standing::Passed | Standing::Failed | Standing::Hollow => self.run_checks(files, left, commands),
        }
    }

    fn checks_are_over(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let failed: Vec<Evidence> =
            self.of_round(build).filter(|one| one.standing() != Standing::Passed).cloned().collect();
        if !failed.is_empty() {
            self.checks_failed(files, &failed, commands);
            return;
        }
        if self.breaks_rules() {
            self.fix_rules(files, commands);
            return;
        }
        let passed: Vec<&Vec<String>> = self.of_round(build).map(|one| &one.argv).collect();
        let more: VecDeque<Check> =
            self.broad_checks().into_iter().filter(|check| !passed.contains(&&check.command)).collect();
        if more.is_empty() {
            self.probe(files, commands);
        } else {
            self.run_checks(files, more, commands);
        }
    }

    fn checks_failed(&mut self, files: Frozen, failed: &[Evidence], commands: &mut Commands) {
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
            .takes("another approach, or another check");
            self.block(
                recovery,
                "Look at the check's output. Fix the feature by hand or revise the plan, then build the \
                 feature again.",
                commands,
            );
            return;
        }
        let mut wording: Vec<String> = failed.iter().map(prompts::shown).collect();
        if failed.iter().any(|one| one.seen.ran.fell_silent().is_some()) {
            wording.push(SILENT.to_owned());
        }
        wording.extend(self.broken_rules());
        let text = format!("These checks don't pass.\n\n{}", wording.join("\n\n"));
        self.fix(files.trees, text, commands);
    }

    /// The evidence of the current round.
    fn of_round<'a>(&'a self, build: &'a Build) -> impl Iterator<Item = &'a Evidence> {
        self.of_run(build).filter(|one| one.round == build.round)
    }

    /// The evidence since the feature was started.
    pub(super) fn of_run(&self, build: &Build) -> impl Iterator<Item = &Evidence> {
        self.evidence.get(build.evidence_from..).unwrap_or_default().iter()
    }

    /// The broad checks of the plan if this is its last feature or one that changes no behaviour; otherwise empty.
    pub(super) fn broad_checks(&self) -> Vec<Check> {
        let runs_all = self.is_last() || self.keeps_behaviour();
        let Some(plan) = self.plan.as_ref().filter(|_| runs_all) else { return Vec::new() };
        plan.broad_checks().into_iter().map(|(_, check)| check.clone()).collect()
    }

    // ---- the next round ----

    /// Asks the worker to fix something.
    pub(super) fn fix(&mut self, trees: Trees, what: String, commands: &mut Commands) {
        self.work_again(Work { trees, may_stay: false, report: None }, what, commands);
    }

    /// Asks the worker to fix something if it sees a need: it may leave the files unchanged.
    pub(super) fn fix_or_stay(&mut self, trees: Trees, what: String, commands: &mut Commands) {
        self.work_again(Work { trees, may_stay: true, report: None }, what, commands);
    }

    fn work_again(&mut self, work: Work, what: String, commands: &mut Commands) {
        if self.begins_round(commands)
            && let Some(build) = &mut self.build
        {
            build.fix = what;
            build.step = Step::Working(work);
            let message = format!(
                "{} works on {} again: round {} of {}",
                self.opening.models.worker, build.feature, build.round, self.settings.rounds
            );
            commands.push(drive::line(Tone::Info, message));
        }
    }

    /// Runs the checks again on the files as they are now, because the earlier results don't apply to this state.
    fn check_again(&mut self, trees: Trees, why: &str, commands: &mut Commands) {
        self.log(why);
        self.tried(why.to_owned());
        if self.begins_round(commands) {
            let base = trees.base.clone();
            self.enter(Step::After(Look { trees, may_stay: true, gave_up: None }));
            self.take_tree(Some(base), commands);
        }
    }

    /// Starts another round and returns `true`; blocks the feature and returns `false` if there is none left.
    fn begins_round(&mut self, commands: &mut Commands) -> bool {
        let rounds = self.settings.rounds;
        if !self.may_call(commands) {
            return false;
        }
        let Some(build) = &mut self.build else { return false };
        if build.round < rounds {
            build.round += 1;
            if let Some(progress) = self.features.get_mut(&build.feature) {
                progress.rounds = build.round;
            }
            return true;
        }
        let recovery = Recovery::new(
            FlowCode::RunRounds,
            RecoveryStage::Run,
            format!("The feature isn't complete after {}.", count(rounds.into(), "round", "rounds")),
        )
        .takes("a smaller feature, or a person's help");
        let hint = "Look at what was tried. Fix the feature by hand or revise the plan, then build the \
                    feature again.";
        self.block(recovery, self.lacking_in_copies().unwrap_or(hint), commands);
        false
    }

    /// What to do if the checks last failed in a clean copy; `None` if they didn't.
    fn lacking_in_copies(&self) -> Option<&'static str> {
        let last = self.apart_of_run(self.build.as_ref()?).last()?;
        (last.purpose == Purpose::Again && last.passed() == Some(false)).then_some(LACKING)
    }

    /// Whether the feature's budget allows another call; blocks the feature if it doesn't.
    fn may_call(&mut self, commands: &mut Commands) -> bool {
        let Some((made, left)) = self.calls_made_and_left() else { return false };
        if left == 0 {
            let message = format!(
                "The feature isn't complete after {}.",
                count(made.into(), "model call", "model calls")
            );
            self.over_budget(message, commands);
        }
        left > 0
    }

    /// The number of calls in this run of the feature, and how many its budget still allows; `None` when nothing is being built.
    fn calls_made_and_left(&self) -> Option<(u32, u32)> {
        let build = self.build.as_ref()?;
        let made = self.calls_of(&build.feature) - build.calls_before;
        Some((made, self.settings.budget.calls.saturating_sub(made)))
    }

    /// Whether the worker can be asked again without blocking its feature: another round is left, and enough calls for the worker,
    /// the review, and the review of the whole.
    pub(super) fn bears_another_round(&self) -> bool {
        let needed = if self.needs_final_review() { 3 } else { 2 };
        let has_round = self.build.as_ref().is_some_and(|build| build.round < self.settings.rounds);
        has_round && self.calls_made_and_left().is_some_and(|(_, left)| left >= needed)
    }

    /// Whether the feature's budget has a call for an examiner in addition to those for the reviews.
    pub(super) fn bears_an_exam(&self) -> bool {
        let needed = if self.needs_final_review() { 3 } else { 2 };
        self.calls_made_and_left().is_some_and(|(_, left)| left >= needed)
    }

    /// The number of calls made for a feature so far. All parts of a review are one.
    pub(super) fn calls_of(&self, feature: &str) -> u32 {
        let jobs = self.calls.jobs.iter().filter(|job| job.part.feature.as_deref() == Some(feature));
        let calls = |job: &Job| {
            let prompts = job.ledger.prompts;
            job.part.parts.as_ref().map_or(prompts, |parts| parts.calls(prompts))
        };
        jobs.map(calls).sum()
    }

    /// Asks a reviewer about the feature, or about everything that was built.
    pub(super) fn ask_for_review(&mut self, whole: bool, files: Frozen, commands: &mut Commands) {
        if !self.may_call(commands) {
            return;
        }
        let Some(reviewer) = self.review_job(whole, Some(files.tree())) else { return };
        self.enter(Step::Judging(files, Judge::Reviewing { reviewer, review: None }));
        let model = &self.opening.models.reviewer;
        let what = self.build.as_ref().map_or("", |build| &build.feature);
        let what = if whole { "all features together" } else { what };
        commands.push(drive::notice(Tone::Info, format!("{model} reviews {what}")));
    }

    /// Adds a job that reviews the feature, or everything that was built. `tree`: the files that it reviews; `None` in a forecast.
    pub(super) fn review_job(&mut self, whole: bool, tree: Option<&TreeId>) -> Option<JobId> {
        let build = self.build.as_ref()?;
        let id = build.feature.clone();
        let about = self.reviewed_feature(whole)?;
        let changed = self.reviewed_changes(whole);
        let evidence: Vec<&Evidence> = self.of_round(build).collect();
        let apart: Vec<&Apart> = self.apart_of_round(build).collect();
        let refuted: Vec<String> = self.refuted(whole).flat_map(Reviewed::refuted_findings).collect();
        let weakened: Vec<String> = self.reviewed_ids(whole).flat_map(|id| self.fewer_tests(id)).collect();
        let test_settings: Vec<String> =
            self.reviewed_ids(whole).flat_map(|id| self.account_of_settings(id)).collect();
        let mutations: Vec<&Mutation> =
            self.reviewed_ids(whole).filter_map(|id| self.mutation_of(id)).collect();
        let sitting: Option<&Sitting> = self.sitting_of(&id);
        let seen = prompts::Seen {
            exam: sitting,
            changed: &changed,
            evidence: &evidence,
            apart: &apart,
            weakened: &weakened,
            test_settings: &test_settings,
            mutations: &mutations,
            refuted: &refuted,
        };
        let material = prompts::review(&self.opening.goal, &about, &seen, &self.held.told());
        let groups = self.groups_of_criteria(&about, whole);
        // What a refuted review found of the criteria holds as long as the files are the same.
        let of_tree = self.refuted(whole).filter(|one| tree == Some(&one.tree));
        let judged = of_tree.last().map(|one| one.review.criteria.clone()).unwrap_or_default();
        let parts = (groups.len() > 1).then(|| Parts::new(material.clone(), groups, judged));
        let asked = parts.as_ref().map_or(Asked::Everything, Parts::asked);
        let prompt = format!("{material}\n\n{}", prompts::review_now(&about, asked));
        let job = self.ask(Role::Reviewer, Turn::Review, Some(&id), prompt);
        if let Some(added) = self.calls.job(&job) {
            added.part.whole = whole;
            added.part.parts = parts;
        }
        Some(job)
    }

    /// Whether the whole has to be reviewed after this feature, which is so if it is the last of several.
    pub(super) fn needs_final_review(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.features.len() > 1) && self.is_last()
    }

    /// Whether every other feature is complete.
    pub(super) fn is_last(&self) -> bool {
        let (Some(plan), Some(build)) = (&self.plan, &self.build) else { return false };
        let is_there = |id: &str| id == build.feature || self.state_of(id) == FeatureState::Completed;
        plan.features.iter().all(|feature| is_there(&feature.id))
    }

    /// All features as one, for the review of the whole: with the criteria and checks of every feature, named `<feature>/<id>`.
    pub(super) fn whole(&self) -> Option<Feature> {
        let plan = self.plan.as_ref()?;
        let criteria = plan.features.iter().flat_map(|feature| {
            let named =
                |one: &Criterion| Criterion { id: format!("{}/{}", feature.id, one.id), ..one.clone() };
            feature.acceptance.iter().map(named)
        });
        Some(Feature {
            verification: plan.all_checks(),
            title: "all features".to_owned(),
            summary: format!(
                "Every feature was built and reviewed separately. Look at all of them together:\n\n{}",
                self.summaries()
            ),
            acceptance: criteria.collect(),
            ..Feature::default()
        })
    }

    /// The features of the plan, one line each.
    pub(super) fn summaries(&self) -> String {
        let titled = |one: &Feature| {
            let kept =
                if one.keeps_behaviour { format!(" It {}.", kept_behaviour::PLANNED) } else { String::new() };
            format!("- {}: {}{kept}", one.title, one.summary)
        };
        self.all_planned().map(titled).collect::<Vec<_>>().join("\n")
    }

    /// The paths that the reviewed change touches.
    pub(super) fn reviewed_changes(&self, whole: bool) -> Vec<String> {
        let Some(build) = &self.build else { return Vec::new() };
        if whole { self.changed_in_all(build) } else { build.changed.clone() }
    }

    /// The reviewed features: the one that is being built, preceded by all completed ones if the review covers the whole.
    fn reviewed_ids(&self, whole: bool) -> impl Iterator<Item = &str> {
        let own = self.build.as_ref().map(|build| build.feature.as_str());
        let others = self.completed().map(|one| one.id.as_str()).filter(move |id| whole && Some(*id) != own);
        others.chain(own)
    }

    fn account_of_settings(&self, feature: &str) -> Vec<String> {
        let change = Change::of(self, feature);
        test_settings::told_of(change.paths, change.test_settings)
    }

    /// The paths that any feature changed.
    fn changed_in_all(&self, build: &Build) -> Vec<String> {
        let before = self.features.values().flat_map(|progress| progress.change().paths);
        set(before.chain(&build.changed)).into_iter().cloned().collect()
    }

    /// Tells the user something, now and in the session's files.
    pub(super) fn tell(&mut self, note: String, commands: &mut Commands) {
        self.announce(Tone::Warning, note.clone(), commands);
        self.note(note);
    }

    /// Tells which processes were ended that a worker had left running.
    pub(super) fn tell_ended(&mut self, ended: &[EndedProcess], commands: &mut Commands) {
        if let Some(note) = account_of_ended(ended) {
            self.tell(note, commands);
        }
    }

    // ---- the end ----

    /// Completes the feature if it is proven on these files; otherwise blocks it.
    fn face_gate(&mut self, files: &Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        match self.gate(build, files) {
            Ok(proven) => self.complete(proven, commands),
            Err(missing) => {
                let recovery = Recovery::new(
                    FlowCode::RunNotProven,
                    RecoveryStage::Run,
                    format!("The feature can't be completed: {missing}."),
                );
                self.block(recovery, "Build the feature again.", commands);
            }
        }
    }

    fn complete(&mut self, proven: Proven, commands: &mut Commands) {
        let Some(build) = self.build.take() else { return };
        let feature = proven.feature().to_owned();
        if let Some(progress) = self.features.get_mut(&feature) {
            progress.reached = Reached::Completed(Box::new(proven));
        }
        self.settle(&build);
        self.log(&format!("The feature {feature} is complete."));
        let message = if self.is_complete() {
            "Every feature is complete".to_owned()
        } else {
            format!("{feature} is complete")
        };
        self.latest = Some(feature);
        commands.push(drive::notice(Tone::Success, message));
        self.rest(Outcome::Complete, commands);
    }

    /// Blocks the feature; building it again is the way to continue.
    pub(super) fn block(&mut self, recovery: Recovery, hint: &str, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let command = format!("/flow-run {}", build.feature);
        self.end_blocked(recovery.next(hint, command), commands);
    }

    fn end_blocked(&mut self, recovery: Recovery, commands: &mut Commands) {
        let Some(build) = self.build.take() else { return };
        if let Some(progress) = self.features.get_mut(&build.feature) {
            progress.reached = Reached::Blocked(Box::new(Blocked {
                recovery: recovery.clone(),
                tried: build.tried.clone(),
                changed: build.changed.clone(),
                ruling: build.ruling.clone(),
            }));
        }
        self.settle(&build);
        self.log(&format!("The feature {} is blocked: {}", build.feature, recovery.message));
        self.stop(Outcome::Stopped, recovery, commands);
    }

    /// Ends the conversation with the feature's worker.
    fn settle(&mut self, build: &Build) {
        let now = self.calls.clock.now;
        if let Some(job) = self.calls.job(&build.worker).filter(|job| !job.state.is_settled()) {
            job.settle(JobState::Done, now);
        }
    }
}

/// A sentence about the processes that a worker had left running; `None` if there were none.
fn account_of_ended(ended: &[EndedProcess]) -> Option<String> {
    let each: Vec<String> =
        ended.iter().map(|one| format!("{} (process {})", spelled(&one.command), one.pid)).collect();
    let count = count(ended.len() as u64, "process", "processes");
    (!ended.is_empty())
        .then(|| format!("Flow ended {count} that the worker had left running: {}.", some(&each)))
}

/// `1 problem`, `2 problems`.
fn wording(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
