//! A session: what is known, which of the user's commands is under way, and what is asked next.

use super::answer;
use super::apart::Apart;
use super::approval::{self, Approval};
use super::build::Build;
use super::code::FlowCode;
use super::evidence::{Evidence, some};
use super::exam::Exam;
use super::examining::Sitting;
use super::forecast::Foreseen;
use super::held::Held;
use super::lane::{Lane, Take};
use super::leave::ShellRules;
use super::ledger::BaseRun;
use super::links::Links;
use super::mutation::Mutation;
use super::plan::{Feature, Plan};
use super::prompts;
use super::protocol::{
    Approver, Decision, Effect, EventKind, Examined, Mutated, Opening, RanApart, Role, TreeId, TreeTaken,
    WORKFLOW,
};
use super::race::{LaneOf, Race};
use super::reached::Reached;
use super::recovery::{Recovery, RecoveryStage};
use super::report::Report;
use super::reset::Voided;
use super::review::{self, Review, ReviewDecision};
use super::review_parts::{self, Parts};
use super::step::{Frozen, Step};
use crate::design_lab::config::{ExamPolicy, FlowSettings};
use crate::opencode::OpenCode;
use crate::shared::capped::session_title;
use crate::shared::prices;
use crate::shared::reply::{self, Interruption, Words};
use design_lab_numerics::sorting::map;
use kernel::calls::Calls;
use kernel::clock::iso;
use kernel::directory::Directory;
use kernel::drive;
use kernel::effects::Effects;
use kernel::job::{CallSettings, JobState};
use kernel::limits::{Deadlines, Limits};
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::protocol::{JobId, ModelFacts, Outcome, Reply, Tone};
use kernel::slug::slug;
use kernel::workflow::{Again, Repetition, Verdict, Workflow};
use std::collections::{BTreeMap, BTreeSet};

/// A command of this workflow, for the shell.
pub(super) type Commands = kernel::workflow::Commands<Session>;
/// A conversation with one model.
pub(super) type Job = kernel::job::Job<Session>;

/// How long one answer may take: a worker builds a whole feature in a single one.
const CALL_MS: u64 = 45 * 60_000;
/// How often a failed call is retried.
const TRIES: u32 = 2;
/// How many repair prompts a turn may have.
const REPAIRS: u32 = 3;
/// How much of the goal goes into the session's name, in characters.
const NAMED_BY: usize = 40;

/// What the session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The session has no directory yet.
    Begun,
    /// Its directory is being created.
    Claiming,
    /// A plan is being drafted.
    Planning,
    /// A feature is being built.
    Building,
    /// Lanes are built, and what they built is compared.
    Racing,
    /// The result of the lane is compared with the project, or written to it.
    Taking,
    /// Nothing: the session rests until the user's next command, or forever.
    Resting(Outcome),
}

/// A session of Flow.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) opening: Opening,
    /// Flow's part of the user's configuration, in its latest version.
    pub(super) settings: FlowSettings,
    /// The latest user rules for shell commands; `None` when they were never given.
    pub(super) shell_rules: Option<ShellRules>,
    /// The rules of the project that the session holds its models to.
    pub(super) held: Held,
    /// The known facts about the models, with the prices of these settings.
    known: Vec<ModelFacts>,
    /// Whether the whole goal is built without asking the user.
    pub(super) automatic: bool,
    /// The expected cost of the command that started last.
    pub(super) foreseen: Option<Foreseen>,
    /// How often the plan was drafted again without the user.
    pub(super) replans: u32,
    pub(super) calls: Calls<Self>,
    pub(super) effects: Effects<Effect>,
    /// The number of effects started so far.
    pub(super) effects_begun: u32,
    pub(super) directory: Directory,
    pub(super) phase: Phase,
    /// The job of the planner whose draft is still outstanding.
    pub(super) drafting: Option<JobId>,
    /// The user's remarks on each draft.
    pub(super) remarks: Vec<String>,
    /// The latest draft.
    pub(super) plan: Option<Plan>,
    /// The draft before it.
    pub(super) former_plan: Option<Plan>,
    /// The latest draft's hash.
    pub(super) hash: String,
    /// The hashes of the drafts before it.
    pub(super) former_hashes: Vec<String>,
    pub(super) approval: Option<Approval>,
    /// The progress of each feature, by id.
    pub(super) features: BTreeMap<String, Progress>,
    /// Features that an earlier plan had and the current one doesn't.
    pub(super) dropped: BTreeSet<String>,
    /// The feature that is being built.
    pub(super) build: Option<Build>,
    /// Where the workers work; `None` when that is the project, or before there is a lane.
    pub(super) lane: Option<Lane>,
    /// The take that is under way or shown.
    pub(super) take: Option<Take>,
    /// The race, once it is approved.
    pub(super) race: Option<Race>,
    pub(super) evidence: Vec<Evidence>,
    /// What was run in copies of the files.
    pub(super) apart: Vec<Apart>,
    /// What was run on the files from before features; each command runs once for each tree.
    pub(super) base_runs: Vec<BaseRun>,
    /// The results of small faults in features.
    pub(super) mutations: Vec<Mutation>,
    /// The results of exams.
    pub(super) sittings: Vec<Sitting>,
    pub(super) reports: Vec<Reported>,
    pub(super) reviews: Vec<Reviewed>,
    pub(super) history: Vec<Entry>,
    /// Why the session stopped, and what to do about it.
    pub(super) recovery: Option<Recovery>,
    /// The feature that was completed last.
    pub(super) latest: Option<String>,
    /// What was taken back, by feature.
    pub(super) voided: BTreeMap<String, Voided>,
    /// What a reset left in the files.
    pub(super) left_changed: Option<LeftChanged>,
    /// Whether the user has archived the session.
    pub(super) archived: bool,
    pub(super) notes: Vec<String>,
    /// Whether everything that had to be written is on disk.
    pub(super) closed: bool,
}

/// What a reset leaves in the files.
#[derive(Clone, Debug)]
pub(super) struct LeftChanged {
    pub(super) files: Vec<String>,
    /// The patches that restore the earlier files, as paths from the root of the tree, in the order in which they apply.
    pub(super) undo: Vec<String>,
}

/// The progress of a feature.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) reached: Reached,
    /// Rounds of the latest run.
    pub(super) rounds: u32,
    /// The tree before the feature was first started.
    pub(super) base: Option<TreeId>,
    /// What copies had through a link at that time; `None` before this machine has seen it.
    pub(super) links: Option<Links>,
    /// The patch from what the worker left back to `base`, as a path from the root of the tree.
    pub(super) undo: Option<String>,
    /// Whether it was complete when the session was taken over: it is checked without a worker first.
    pub(super) is_built: bool,
}

impl Progress {
    /// The same feature before any work: keeps what was recorded when it was first started.
    pub(super) fn restarted(&self) -> Self {
        Self {
            base: self.base.clone(),
            links: self.links.clone(),
            undo: self.undo.clone(),
            ..Self::default()
        }
    }
}

/// The state of a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum FeatureState {
    /// Not started.
    #[default]
    Pending,
    /// Being built.
    Running,
    /// It could not be completed.
    Blocked,
    /// Its checks passed, and a reviewer approved that very state of the files.
    Completed,
}

/// A worker's report.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    pub(super) job: JobId,
    pub(super) feature: String,
    pub(super) round: u32,
    pub(super) report: Report,
}

/// A reviewer's review, and the tree that it reviewed.
#[derive(Clone, Debug)]
pub(super) struct Reviewed {
    pub(super) job: JobId,
    /// The host's id of the session with the conversation.
    pub(super) session: String,
    pub(super) feature: String,
    pub(super) round: u32,
    pub(super) tree: TreeId,
    pub(super) review: Review,
    /// Whether the review covers all features together.
    pub(super) whole: bool,
    /// The findings that were tried and don't happen, by their index in the review.
    pub(super) unconfirmed: Vec<usize>,
    /// Whether only the reviewer's own approval approves: not in sessions from before [`super::protocol::RULES`] 1.
    pub(super) own_word: bool,
}

impl Reviewed {
    /// The verdict of the review.
    pub(super) fn verdict(&self) -> review::Verdict {
        match self.review.verdict(&self.unconfirmed) {
            review::Verdict::Refuted if !self.own_word => match self.review.decision {
                ReviewDecision::Blocked => review::Verdict::Blocked,
                _ => review::Verdict::Approved,
            },
            verdict => verdict,
        }
    }

    /// The findings that were tried and don't happen, one line each.
    pub(super) fn refuted_findings(&self) -> impl Iterator<Item = String> {
        self.unconfirmed.iter().filter_map(|index| Some(self.review.findings.get(*index)?.line()))
    }
}

/// A line of the history.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// ISO 8601 in UTC.
    pub(super) at: String,
    pub(super) text: String,
}

/// What this workflow keeps of a job.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) role: Role,
    /// The feature that it is for; `None` for a planner's job.
    pub(super) feature: Option<String>,
    /// The model that it asks: `provider/model`.
    pub(super) model: String,
    /// The prompt, if it was settled when the job was made.
    pub(super) prompt: String,
    /// Whether a reviewer's job covers all features together.
    pub(super) whole: bool,
    /// The parts of its review; `None` when it is given in one answer, and for other roles.
    pub(super) parts: Option<Parts>,
}

/// A request that a job can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A plan as JSON.
    Plan,
    /// Build a feature and return a report as JSON.
    Work,
    /// Fix it and return a report as JSON.
    Fix,
    /// A review as JSON, or its first part.
    Review,
    /// The next criteria of a review as JSON.
    Criteria,
    /// An exam as JSON.
    Exam,
}

impl Turn {
    fn words(self) -> Words {
        match self {
            Self::Plan => prompts::PLAN_WORDS,
            Self::Work | Self::Fix => prompts::REPORT_WORDS,
            Self::Review | Self::Criteria => prompts::REVIEW_WORDS,
            Self::Exam => prompts::EXAM_WORDS,
        }
    }
}

/// An accepted answer.
pub(super) enum Accepted {
    Plan(Plan),
    Report(Report),
    Review(Review),
    Exam(Exam),
}

impl Workflow for Session {
    const NAME: &'static str = WORKFLOW;
    type Host = OpenCode;
    type Opening = Opening;
    type Decision = Decision;
    type Effect = Effect;
    type Role = Role;
    type Turn = Turn;
    type Part = Part;
    type Accepted = Accepted;

    fn admit(_: Option<&Self>, event: &EventKind) -> Result<(), String> {
        match event {
            EventKind::DirectoryClaimed { name } | EventKind::DirectoryTaken { name }
                if !is_name(name, NAME_LENGTH) =>
            {
                Err(format!("a directory is called {:?}", name.chars().take(NAME_LENGTH).collect::<String>()))
            }
            _ => Ok(()),
        }
    }

    fn open(opening: Opening, at: u64) -> Self {
        let mut session = Self {
            settings: FlowSettings::default(),
            shell_rules: opening.shell_rules.clone(),
            held: Held::new(opening.project_rules.clone()),
            known: Vec::new(),
            automatic: opening.automatic,
            foreseen: None,
            replans: 0,
            calls: Calls::new(Vec::new(), at),
            effects: Effects::default(),
            effects_begun: 0,
            directory: Directory::default(),
            phase: Phase::Begun,
            drafting: None,
            remarks: Vec::new(),
            plan: None,
            former_plan: None,
            hash: String::new(),
            former_hashes: Vec::new(),
            approval: None,
            features: BTreeMap::new(),
            dropped: BTreeSet::new(),
            build: None,
            lane: None,
            take: None,
            race: None,
            evidence: Vec::new(),
            apart: Vec::new(),
            base_runs: Vec::new(),
            mutations: Vec::new(),
            sittings: Vec::new(),
            reports: Vec::new(),
            reviews: Vec::new(),
            history: Vec::new(),
            recovery: None,
            latest: None,
            voided: BTreeMap::new(),
            left_changed: None,
            archived: false,
            notes: opening.notes.clone(),
            closed: false,
            opening,
        };
        session.configure(session.opening.settings.clone());
        match session.opening.lane_of.clone() {
            None => session.draft(session.first_prompt()),
            Some(lane_of) => session.take_plan_of_race(*lane_of),
        }
        session.log("The session started.");
        session.expect(session.opening.expected.clone());
        session
    }

    fn calls(&self) -> &Calls<Self> {
        &self.calls
    }

    fn calls_mut(&mut self) -> &mut Calls<Self> {
        &mut self.calls
    }

    fn limits(&self) -> Limits<'_> {
        Limits {
            concurrency: 1,
            local_concurrency: 1,
            deadlines: Deadlines { call_ms: CALL_MS, idle_ms: self.settings.idle_ms },
            // Each lane of a race has its own limit.
            run_ms: self.race.is_none().then_some(self.settings.budget.session_ms),
            tries: TRIES,
            repairs: REPAIRS,
            repair_temperature: self.opening.acceptance.repair_temperature(),
            budget: self.settings.budget.of_session(),
            models: &self.known,
            seed: self.opening.seed,
        }
    }

    /// A worker reads, writes and runs commands again and again; a planner looks at the whole project.
    fn steps(&self, job: &Job) -> u32 {
        match job.part.role {
            Role::Worker => 400,
            Role::Planner => 200,
            Role::Reviewer | Role::Examiner => 100,
        }
    }

    fn is_ready(&self, job: &Job) -> bool {
        match self.phase {
            Phase::Planning => self.drafting.as_ref() == Some(&job.id),
            Phase::Building => self.build.as_ref().is_some_and(|build| build.asks(&job.id)),
            Phase::Racing => self.race.as_ref().is_some_and(|race| race.asks(&job.id)),
            Phase::Begun | Phase::Claiming | Phase::Taking | Phase::Resting(_) => false,
        }
    }

    fn call_settings<'a>(&self, job: &'a Job) -> CallSettings<'a> {
        CallSettings { model: &job.part.model, temperature: 0.0, variant: None }
    }

    fn role(&self, job: &Job) -> Role {
        job.part.role
    }

    fn title(&self, job: &Job) -> String {
        session_title(&format!("Flow: {}", in_words(&job.id)), &self.opening.goal)
    }

    fn system(&self, job: &Job) -> String {
        let text = match job.part.role {
            Role::Planner => prompts::PLANNER,
            Role::Worker => prompts::WORKER,
            Role::Reviewer => prompts::REVIEWER,
            Role::Examiner if self.is_race() => prompts::RACE_EXAMINER,
            Role::Examiner => prompts::EXAMINER,
        };
        text.trim_end().to_owned()
    }

    fn prompt(&self, job: &Job) -> String {
        match job.turn {
            Turn::Plan | Turn::Review | Turn::Exam => job.part.prompt.clone(),
            Turn::Criteria => review_parts::prompt(job),
            Turn::Work | Turn::Fix => self.work_prompt(job),
        }
    }

    fn expected_output(turn: Turn) -> u64 {
        match turn {
            Turn::Plan | Turn::Fix | Turn::Exam => 3_000,
            Turn::Work => 8_000,
            Turn::Review => 1_000,
            Turn::Criteria => 300,
        }
    }

    fn judge(&self, job: &Job, reply: &Reply) -> Verdict<Accepted> {
        answer::judge(self, job, reply)
    }

    fn cited(&self, accepted: &Accepted) -> Vec<String> {
        match accepted {
            Accepted::Review(review) => review.cited(),
            Accepted::Plan(plan) if self.opening.acceptance.want_own_words() => plan.programs(),
            Accepted::Plan(_) | Accepted::Report(_) | Accepted::Exam(_) => Vec::new(),
        }
    }

    fn ask_again(&self, turn: Turn, again: Again) -> String {
        match again {
            Again::Shorter => reply::shorten(turn.words()),
            Again::Reworded => reply::interrupted(turn.words(), Interruption::ContentFilter),
        }
    }

    fn ask_otherwise(&self, job: &Job, reason: &str, again: Repetition) -> Option<String> {
        self.opening.acceptance.ask_otherwise(self, job, reason, again)
    }

    fn kept_answer(&self, _: &Job) -> Option<String> {
        None
    }

    fn accept(&mut self, index: usize, accepted: Accepted) -> Option<Turn> {
        let id = self.calls.jobs[index].id.clone();
        match accepted {
            Accepted::Plan(plan) => {
                self.take_plan(plan);
                None
            }
            Accepted::Report(report) => {
                self.reported(id, report);
                // The worker may be asked to fix; until then it is asked nothing.
                Some(Turn::Fix)
            }
            Accepted::Review(review) => self.take_review(index, review),
            Accepted::Exam(exam) => {
                self.exam_written(&id, exam);
                None
            }
        }
    }

    fn settled(&mut self, index: usize, is_known: bool, commands: &mut Commands) {
        let job = &self.calls.jobs[index];
        if let JobState::Failed(reason) = &job.state
            && !is_known
        {
            let message = format!("{} ({}) failed: {reason}", in_words(&job.id), job.part.model);
            commands.push(drive::line(Tone::Warning, message));
        }
    }

    fn directory_claimed(&mut self, name: String, commands: &mut Commands) {
        if self.phase == Phase::Claiming {
            self.directory.name = Some(name);
            if self.question().is_some() {
                self.wait_for_yes(commands);
                return;
            }
            self.say_what_is_expected(commands);
            self.phase = Phase::Planning;
            if self.drafting.is_some() {
                let planner = &self.opening.models.planner;
                commands.push(drive::notice(Tone::Info, format!("{planner} drafts a plan")));
            }
        }
    }

    fn directory_taken(&mut self, _: &str, commands: &mut Commands) {
        if self.phase != Phase::Claiming {
            return;
        }
        if self.directory.is_taken() {
            commands.push(kernel::protocol::Command::ClaimDirectory { name: self.candidate() });
            return;
        }
        let recovery = Recovery::new(
            FlowCode::SessionNoName,
            RecoveryStage::Session,
            "Every name that this session could have today is taken.",
        )
        .takes("a free name below .flow/sessions")
        .next("Move some sessions elsewhere, then continue.", "/flow-resume");
        self.stop(Outcome::Stopped, recovery, commands);
    }

    fn decided(&mut self, decision: Decision, idle: u64, commands: &mut Commands) {
        match decision {
            Decision::Ruled { project_rules } => self.hold_to(project_rules),
            Decision::Configured { settings, resumes, shell_rules, project_rules } => {
                self.report_change(&settings);
                self.configure(*settings);
                if let Some(rules) = shell_rules {
                    self.take_rules(rules);
                }
                if let Some(rules) = project_rules {
                    self.hold_to(rules);
                }
                if resumes {
                    self.resumed(idle, commands);
                }
            }
            Decision::Automatic { expected } => {
                self.automatic = true;
                self.replans = 0;
                self.log("You asked to build the goal without approval.");
                if self.may_automate().is_err() {
                    return;
                }
                let objects = self.objection().is_some();
                if let Some(recovery) = self.wants_a_person().filter(|_| !objects) {
                    self.wait_for_a_person(recovery, commands);
                } else {
                    self.begin(expected, commands, |session, commands| {
                        session.goes_on_by_itself(commands);
                    });
                }
            }
            Decision::Revised { remarks, expected } => {
                if self.may_revise(&remarks).is_ok() {
                    self.begin(expected, commands, |session, commands| session.revise(remarks, commands));
                }
            }
            Decision::Approved { hash, by } => {
                if self.may_approve(&hash).is_ok() {
                    let (at, leave) = (self.now(), self.leave());
                    self.approval = Some(Approval { hash, by, at, leave });
                    let settled =
                        [FlowCode::ApprovalAsked, FlowCode::ApprovalUnchecked, FlowCode::PlanCommandDenied];
                    self.recovery = self.recovery.take().filter(|one| !settled.contains(&one.error_code));
                    self.log("You approved the plan.");
                    self.foreseen = None;
                    self.rest(Outcome::Complete, commands);
                }
            }
            Decision::Selected { features } => {
                if let Ok(plan) = self.narrowed(&features) {
                    self.select(plan, commands);
                }
            }
            Decision::Reset { feature } => {
                if self.may_reset(&feature).is_ok() {
                    self.reset(&feature, commands);
                }
            }
            Decision::Archived => {
                if self.may_archive().is_ok() {
                    self.archive(commands);
                }
            }
            Decision::Started { feature, expected } => {
                if self.may_start(&feature).is_ok() {
                    self.begin(expected, commands, |session, commands| session.start(feature, commands));
                }
            }
            Decision::Raced { hash, expected } => {
                if self.may_race(&hash).is_ok() {
                    let (at, leave) = (self.now(), self.leave());
                    self.approval = Some(Approval { hash, by: Approver::User, at, leave });
                    self.begin(expected, commands, Self::start_race);
                }
            }
            Decision::LaneTold(told) => self.lane_is_told(told),
            Decision::LaneBuilt(built) => self.lane_is_built(*built, commands),
            Decision::LaneTaken { lane } => self.lane_is_taken(lane, commands),
            Decision::TreeTaken(look) => self.tree_taken(*look, commands),
            Decision::LaneMade(made) => self.lane_made(*made, commands),
            Decision::TakeWanted { hash, frozen } => {
                if self.may_take().is_ok() {
                    self.take_wanted(hash, frozen, commands);
                }
            }
            Decision::TakeWeighed(weighed) => self.take_weighed(*weighed, commands),
            Decision::Taken(taken) => self.taken(*taken, commands),
            Decision::CheckFinished(seen) => self.check_finished(*seen, commands),
            Decision::RanApart(seen) => self.ran_apart(*seen, commands),
            Decision::Mutated(seen) => self.mutants_tried(*seen, commands),
            Decision::Examined(seen) => self.exam_sat(*seen, commands),
            Decision::EffectFailed { effect, message } => self.effect_failed(effect, &message, commands),
        }
    }

    fn adopted(&mut self, voids: bool, at: u64) {
        if voids {
            self.take_over(at);
        }
    }

    fn retried(&mut self) {}

    fn resumed(&mut self, idle: u64, commands: &mut Commands) {
        self.closed = false;
        self.take_yes();
        if !matches!(self.phase, Phase::Resting(_)) {
            self.calls.clock.from += idle;
        }
        self.calls.begin_again();
        self.directory.begin_again();
        if self.directory.name.is_none() {
            self.phase = Phase::Begun;
        } else if self.build.is_some() {
            self.phase = Phase::Building;
            self.effects.begin_again(commands);
        } else if self.drafting.is_some() {
            self.phase = Phase::Planning;
        } else if self.take.as_ref().is_some_and(Take::is_under_way) {
            self.phase = Phase::Taking;
            self.effects.begin_again(commands);
        } else if self.is_racing() {
            self.phase = Phase::Racing;
            self.effects.begin_again(commands);
        } else if let Phase::Resting(outcome) = self.phase {
            // Only files, or the final write, failed to reach the disk.
            commands.push(outcome.finish(String::new()));
            return;
        }
        self.recovery = None;
        let drafting = self.drafting.clone();
        // Without an exam, a race goes on without its examiner.
        let race = self.race.clone().filter(|_| self.settings.exam != ExamPolicy::Off);
        let again =
            |job: &JobId| Some(job) == drafting.as_ref() || race.as_ref().is_some_and(|race| race.asks(job));
        self.calls.take_up(idle, &again, commands);
    }

    fn advance(&mut self, commands: &mut Commands) {
        drive::give_up_waiting(self, commands);
        match self.phase {
            Phase::Begun => {
                self.phase = Phase::Claiming;
                commands.push(kernel::protocol::Command::ClaimDirectory { name: self.candidate() });
            }
            Phase::Planning => self.advance_plan(commands),
            Phase::Building => self.advance_build(commands),
            Phase::Racing => self.advance_race(commands),
            Phase::Claiming | Phase::Taking | Phase::Resting(_) => {}
        }
    }

    fn cancelled(&mut self, reason: &str, commands: &mut Commands) {
        self.log(&format!("Stopped: {reason}."));
        let recovery = Recovery::new(
            FlowCode::SessionCancelled,
            RecoveryStage::Session,
            format!("The session stopped: {reason}."),
        )
        .next("Continue the work that was stopped.", "/flow-resume");
        self.stop(Outcome::Cancelled, recovery, commands);
    }

    fn closed(&mut self) {
        self.closed = true;
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Resting(outcome) => Some(outcome),
            _ => None,
        }
    }
}

/// The keys of `flow` in the configuration whose values differ.
fn changed_keys(before: &FlowSettings, now: &FlowSettings) -> Vec<&'static str> {
    let FlowSettings {
        rounds,
        criteria_per_call,
        budget,
        // It decides only where a new session works.
        place: _,
        worktree,
        mutation,
        exam,
        mutator,
        prices,
        confirm_usd,
        idle_ms,
    } = before;
    let keys = [
        ("`flow.rounds`", *rounds != now.rounds),
        ("`flow.criteria_per_call`", *criteria_per_call != now.criteria_per_call),
        ("`flow.budget`", *budget != now.budget),
        ("`flow.worktree`", *worktree != now.worktree),
        ("`flow.mutation`", *mutation != now.mutation),
        ("`flow.exam`", *exam != now.exam),
        ("`flow.mutator`", *mutator != now.mutator),
        ("`budget.confirm_usd`", *confirm_usd != now.confirm_usd),
        ("`prices`", *prices != now.prices),
        ("`timeouts.idle_ms`", *idle_ms != now.idle_ms),
    ];
    keys.into_iter().filter(|(_, differs)| *differs).map(|(key, _)| key).collect()
}

impl Session {
    /// Uses these settings from now on, and notes if they make the cap in dollars unenforceable.
    fn configure(&mut self, settings: FlowSettings) {
        let models = &self.opening.models;
        let before = models.void_cap(&self.settings, &self.known);
        self.known = models.known(&settings, &self.opening.prices);
        let now = models.void_cap(&settings, &self.known);
        self.settings = settings;
        prices::retell(&mut self.notes, before.as_ref(), now);
    }

    /// Reports which settings change: a worker can write the project's configuration, so no gate changes silently.
    fn report_change(&mut self, to: &FlowSettings) {
        let changed = changed_keys(&self.settings, to);
        if !changed.is_empty() {
            let report = format!("These settings changed and apply from now on: {}.", changed.join(", "));
            self.log(&report);
            self.note(report);
        }
    }

    /// The session's models without a known price.
    pub(super) fn without_price(&self) -> Vec<String> {
        prices::without_price(&self.opening.models.all(), &self.known)
    }

    fn candidate(&self) -> String {
        let topic = slug(&self.opening.goal, NAMED_BY);
        let topic = if topic.is_empty() { "session".to_owned() } else { topic };
        let lane = self.opening.lane_of.as_ref().map(|of| format!("-lane-{}", of.entrant.lane));
        let topic = topic + lane.as_deref().unwrap_or_default();
        self.directory.candidate(&self.opening.date, &topic)
    }

    /// The current time, by the session's own clock.
    pub(super) fn now(&self) -> String {
        iso(self.calls.clock.now)
    }

    pub(super) fn log(&mut self, text: &str) {
        let entry = Entry { at: self.now(), text: kernel::visible::line(text) };
        self.history.push(entry);
    }

    /// Shows the user a notice, and keeps it in the history.
    pub(super) fn announce(&mut self, tone: Tone, text: String, commands: &mut Commands) {
        self.log(&text);
        commands.push(drive::notice(tone, text));
    }

    /// Adds a job that makes this request to this role.
    pub(super) fn ask(&mut self, role: Role, turn: Turn, feature: Option<&str>, prompt: String) -> JobId {
        let models = &self.opening.models;
        let (kind, model) = match role {
            Role::Planner => ("plan", &models.planner),
            Role::Worker => ("work", &models.worker),
            Role::Reviewer => ("review", &models.reviewer),
            Role::Examiner => ("exam", models.examiner()),
        };
        let number = 1 + self.calls.jobs.iter().filter(|job| job.part.role == role).count();
        let id = JobId::new(match feature {
            None => format!("{kind}:{number}"),
            Some(feature) => format!("{kind}:{feature}:{number}"),
        });
        let (feature, model) = (feature.map(str::to_owned), model.clone());
        let part = Part { role, feature, model, prompt, whole: false, parts: None };
        self.calls.jobs.push(Job::new(id.clone(), turn, part));
        id
    }

    // ---- resting ----

    /// The user's command is finished.
    pub(super) fn rest(&mut self, outcome: Outcome, commands: &mut Commands) {
        let mut outcome = outcome;
        // A command that was interrupted or waits for a confirmation continues later in the mode in which it started.
        if !matches!(outcome, Outcome::Cancelled | Outcome::Waiting) {
            if self.goes_on_by_itself(commands) {
                return;
            }
            if std::mem::take(&mut self.automatic) {
                outcome = self.outcome_of_all(outcome);
            }
        }
        self.phase = Phase::Resting(outcome);
        commands.push(outcome.finish(String::new()));
    }

    /// The user's command could not be completed.
    pub(super) fn stop(&mut self, outcome: Outcome, recovery: Recovery, commands: &mut Commands) {
        commands.push(drive::notice(Tone::Warning, recovery.message.clone()));
        self.recovery = Some(recovery);
        self.rest(outcome, commands);
    }

    /// Starts a command of the user's.
    pub(super) fn wake(&mut self, phase: Phase) {
        self.closed = false;
        self.recovery = None;
        self.take = None;
        self.left_changed = None;
        self.calls.begin_again();
        self.phase = phase;
    }

    // ---- the plan ----

    fn first_prompt(&self) -> String {
        let basis = self.opening.basis();
        prompts::plan(&self.opening.goal, basis, &self.held.told(), self.is_race())
    }

    /// Takes the plan over from a race, with its approval: the user approved it for every lane.
    fn take_plan_of_race(&mut self, lane_of: LaneOf) {
        let LaneOf { race, plan, leave, .. } = lane_of;
        self.plan_is(plan);
        self.log(&format!("The race {race} gave the plan {}.", approval::short(&self.hash)));
        // The user's rules may ask about more by now.
        if self.leave().iter().all(|command| leave.contains(command)) {
            let (hash, at) = (self.hash.clone(), self.now());
            self.approval = Some(Approval { hash, by: Approver::User, at, leave });
        }
    }

    fn draft(&mut self, prompt: String) {
        let job = self.ask(Role::Planner, Turn::Plan, None, prompt);
        self.drafting = Some(job);
    }

    /// A worker's objection to the plan, if the session is waiting because of it.
    pub(super) fn objection(&self) -> Option<String> {
        let recovery = self.recovery.as_ref()?;
        let said = self.reports.last().filter(|_| recovery.error_code == FlowCode::RunReplanRequired)?;
        let summary = kernel::visible::line(&said.report.summary);
        Some(format!("The worker says that {} can't be built as planned: {summary}", said.feature))
    }

    /// `remarks`: the user's remarks on the plan; empty if a worker's objection is enough.
    pub(super) fn revise(&mut self, remarks: String, commands: &mut Commands) {
        let objection = self.objection();
        self.wake(Phase::Planning);
        self.approval = None;
        if remarks.is_empty() {
            self.log("The planner drafts the plan again, because a worker can't build a feature as planned.");
        } else {
            self.log(&format!("You asked for another plan: {remarks}"));
        }
        let said = [Some(remarks).filter(|remarks| !remarks.is_empty()), objection];
        let remarks = said.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let completed: Vec<Feature> = self.completed().cloned().collect();
        let prompt = prompts::revise(
            &self.opening.goal,
            self.opening.basis(),
            self.plan.as_ref(),
            &remarks,
            &completed,
            &self.held.told(),
            self.is_race(),
        );
        self.remarks.push(remarks);
        self.draft(prompt);
        let planner = &self.opening.models.planner;
        commands.push(drive::notice(Tone::Info, format!("{planner} drafts the plan again")));
    }

    pub(super) fn take_plan(&mut self, plan: Plan) {
        self.drafting = None;
        self.plan_is(plan);
        self.log(&format!("The planner drafted the plan {}.", approval::short(&self.hash)));
    }

    /// Keeps a plan, and what was done of it before.
    fn plan_is(&mut self, plan: Plan) {
        if !self.hash.is_empty() {
            self.former_hashes.push(std::mem::take(&mut self.hash));
        }
        self.hash = approval::hash(&self.opening.goal, &plan);
        self.former_hashes.retain(|former| *former != self.hash);
        let mut before = std::mem::take(&mut self.features);
        let now = |id: &str| plan.feature(id).is_some();
        self.dropped.extend(before.keys().cloned());
        self.dropped.retain(|id| !now(id));
        self.features = map(plan.features.iter().map(|feature| {
            let kept = before.remove(&feature.id).unwrap_or_default();
            let progress = match kept.reached {
                Reached::Completed(_) => kept,
                _ => kept.restarted(),
            };
            (feature.id.clone(), progress)
        }));
        self.former_plan = self.plan.replace(plan);
    }

    fn advance_plan(&mut self, commands: &mut Commands) {
        let Some(job) = &self.drafting else {
            let goes_ahead = self.automatic && self.wants_a_person().is_none();
            let waits = if self.opening.lane_of.is_some() {
                "The lane builds it."
            } else if goes_ahead {
                "Building without approval (/flow-auto)."
            } else {
                "It is waiting for your approval."
            };
            commands.push(drive::notice(Tone::Success, format!("Plan ready. {waits}")));
            self.rest(Outcome::Complete, commands);
            return;
        };
        let job = self.calls.jobs.iter().find(|other| other.id == *job);
        if let Some(JobState::Failed(reason)) = job.map(|job| &job.state) {
            let message = format!("No plan was written: {reason}.");
            let recovery = if self.calls.closing.is_some() {
                Recovery::new(FlowCode::RunBudget, RecoveryStage::Plan, message)
                    .takes("a larger flow.budget in the configuration")
                    .next(
                        "If the goal is worth it, raise flow.budget in .opencode/design-lab.jsonc. This \
                           command then asks the planner again.",
                        "/flow-resume",
                    )
            } else if let Some(denied) = Self::no_plan_without_it(reason) {
                denied
            } else {
                Recovery::new(FlowCode::PlanFailed, RecoveryStage::Plan, message)
                    .takes("a planner that answers")
                    .next("Fix the cause. This command then asks the planner again.", "/flow-resume")
            };
            self.log(&recovery.message);
            self.stop(Outcome::Stopped, recovery, commands);
        }
    }

    // ---- features ----

    pub(super) fn start(&mut self, feature: String, commands: &mut Commands) {
        self.wake(Phase::Building);
        self.log(&format!("Flow started the feature {feature}."));
        let progress = self.features.entry(feature.clone()).or_default();
        let is_built = std::mem::take(&mut progress.is_built);
        *progress = Progress { reached: Reached::Running, rounds: 1, ..progress.restarted() };
        let worker = self.ask(Role::Worker, Turn::Work, Some(&feature), String::new());
        let calls = self.calls_of(&feature);
        let (evidence, apart, base_runs) = (self.evidence.len(), self.apart.len(), self.base_runs.len());
        let mut build = Build::new(feature, worker, evidence, apart, base_runs, calls, is_built);
        build.reviews_from = self.reviews.len();
        self.build = Some(build);
        if !self.makes_lane(commands) {
            self.look_before(commands);
        }
    }

    /// Takes the tree before the worker.
    pub(super) fn look_before(&mut self, commands: &mut Commands) {
        let since = self.base().or_else(|| self.latest().map(|(_, tree)| tree.clone()));
        self.take_tree(since, commands);
    }

    /// The feature that was completed last and is still complete, and its tree at that moment.
    fn latest(&self) -> Option<(&str, &TreeId)> {
        let id = self.latest.as_deref()?;
        Some((id, self.features.get(id)?.tree()?))
    }

    /// The note for a feature that starts after files have changed since another one was complete.
    pub(super) fn since_latest(&self, changed: &[String]) -> Option<String> {
        let (id, _) = self.latest().filter(|_| !changed.is_empty())?;
        Some(format!(
            "Files have changed since {id} was completed: {}. The results of {id} apply to the earlier \
             files. Every check runs again before the session is complete. To build {id} again, type \
             /flow-reset feature {id} first.",
            some(changed)
        ))
    }

    /// The feature with this id.
    pub(super) fn planned(&self, id: &str) -> Option<&Feature> {
        self.plan.as_ref()?.feature(id)
    }

    pub(super) fn state_of(&self, id: &str) -> FeatureState {
        self.features.get(id).map_or(FeatureState::Pending, Progress::state)
    }

    /// The features of the plan, if there is one.
    pub(super) fn all_planned(&self) -> impl Iterator<Item = &Feature> {
        self.plan.iter().flat_map(|plan| &plan.features)
    }

    /// The features that are complete, in the order of the plan.
    pub(super) fn completed(&self) -> impl Iterator<Item = &Feature> {
        self.all_planned().filter(|feature| self.state_of(&feature.id) == FeatureState::Completed)
    }

    /// The paths that a completed feature changed.
    pub(super) fn changed_by(&self, id: &str) -> &[String] {
        self.features.get(id).map_or(&[], |progress| progress.change().paths)
    }

    /// The features that this feature needs and that aren't complete.
    pub(super) fn blocked_by(&self, feature: &Feature) -> Vec<String> {
        let missing = |id: &&String| self.state_of(id) != FeatureState::Completed;
        feature.depends_on.iter().filter(missing).cloned().collect()
    }

    /// Whether every feature of the plan is complete.
    pub(super) fn is_complete(&self) -> bool {
        self.plan.as_ref().is_some_and(|plan| {
            plan.features.iter().all(|one| self.state_of(&one.id) == FeatureState::Completed)
        })
    }

    // ---- effects ----

    pub(super) fn take_tree(&mut self, since: Option<TreeId>, commands: &mut Commands) {
        self.begin_look(since, false, None, commands);
    }

    /// Takes the tree after ending what the worker's shells left running.
    pub(super) fn take_tree_after_work(&mut self, since: Option<TreeId>, commands: &mut Commands) {
        self.begin_look(since, true, None, commands);
    }

    /// Takes the tree, and checks whether the copy that the reviewer read is unchanged.
    pub(super) fn take_tree_after_review(&mut self, files: Frozen, commands: &mut Commands) {
        self.begin_look(Some(files.trees.now), false, files.seal, commands);
    }

    fn begin_look(
        &mut self,
        since: Option<TreeId>,
        ends_work: bool,
        seal: Option<String>,
        commands: &mut Commands,
    ) {
        self.effects_begun += 1;
        let is_unseen = self.build.as_ref().is_some_and(|build| {
            self.features.get(&build.feature).is_none_or(|progress| progress.links.is_none())
        });
        let link = if is_unseen && self.opening.rules >= 4 { self.linked_names() } else { Vec::new() };
        // In a lane, the user's files need no patch: they are as they were.
        let worked =
            self.build.as_ref().filter(|build| matches!(build.step, Step::After(_)) && self.lane.is_none());
        let undo = worked.map(|build| format!("undo/{}.patch", build.feature));
        let (hold, outside_since) = (self.hold(), self.outside_since());
        let effect = Effect::TakeTree {
            effect: self.effects_begun,
            since,
            ends_work,
            seal,
            link,
            undo,
            outside_since,
            hold,
        };
        self.effects.begin(effect, commands);
    }

    fn tree_taken(&mut self, look: TreeTaken, commands: &mut Commands) {
        let is_look = |effect: &Effect| matches!(effect, Effect::TakeTree { .. });
        let Some(Effect::TakeTree { since, seal, hold, .. }) = self.answered(look.effect, is_look) else {
            return;
        };
        if self.phase == Phase::Racing {
            self.race_base_is(look.tree, commands);
            return;
        }
        if hold == self.hold() {
            self.tree_is(look, commands);
        } else {
            // The rules changed meanwhile. What the worker left running has been ended.
            self.tell_ended(&look.ended, commands);
            self.begin_look(since, false, seal, commands);
        }
    }

    fn ran_apart(&mut self, seen: RanApart, commands: &mut Commands) {
        let is_apart = |effect: &Effect| matches!(effect, Effect::RunApart { .. });
        match self.answered(seen.effect, is_apart) {
            Some(Effect::RunApart { runs, .. }) if self.phase == Phase::Racing => {
                self.race_ran_apart(seen, runs, commands);
            }
            Some(Effect::RunApart { runs, over, .. }) => self.apart_is_over(seen, runs, &over, commands),
            _ => {}
        }
    }

    fn mutants_tried(&mut self, seen: Mutated, commands: &mut Commands) {
        let are_mutants = |effect: &Effect| matches!(effect, Effect::Mutate { .. });
        if let Some(Effect::Mutate { runs, .. }) = self.answered(seen.effect, are_mutants) {
            self.mutated(seen, &runs, commands);
        }
    }

    fn exam_sat(&mut self, seen: Examined, commands: &mut Commands) {
        let is_exam = |effect: &Effect| matches!(effect, Effect::Examine { .. });
        match self.answered(seen.effect, is_exam) {
            Some(Effect::Examine { before, tests, .. }) if self.phase == Phase::Racing => {
                self.race_examined(seen, &before, &tests, commands);
            }
            Some(Effect::Examine { before, tests, .. }) => self.examined(seen, &before, tests, commands),
            _ => {}
        }
    }

    fn check_finished(&mut self, seen: super::protocol::CheckFinished, commands: &mut Commands) {
        let is_check = |effect: &Effect| matches!(effect, Effect::RunCheck { .. });
        if let Some(Effect::RunCheck { output, .. }) = self.answered(seen.effect, is_check) {
            self.check_is_over(seen, output, commands);
        }
    }

    fn effect_failed(&mut self, effect: u32, message: &str, commands: &mut Commands) {
        if let Some(effect) = self.answered(effect, |_| true) {
            if self.phase == Phase::Racing {
                self.race_effect_failed(effect, message, commands);
                return;
            }
            if self.phase == Phase::Taking {
                self.take_failed(message, commands);
                return;
            }
            if let Some(why) = self.build.as_ref().and_then(Build::gave_up).cloned() {
                let note = format!("The files could not be read: {}.", message.trim_end_matches('.'));
                self.log(&note);
                self.note(note);
                self.act_on_giving_up(&why, commands);
                return;
            }
            let recovery = Recovery::new(
                FlowCode::RunEffectFailed,
                RecoveryStage::Run,
                format!(
                    "The files could not be read, or a check could not run: {}.",
                    message.trim_end_matches('.')
                ),
            )
            .takes("a directory that can be read and written");
            self.block(recovery, "Fix the cause, then build the feature again.", commands);
        }
    }

    /// The effect that an answer belongs to, if one of this kind is expected. Answers that arrive after a session was stopped are
    /// dropped; the effect is requested again when the session continues.
    pub(super) fn answered(&mut self, number: u32, is_kind: fn(&Effect) -> bool) -> Option<Effect> {
        if !matches!(self.phase, Phase::Building | Phase::Racing | Phase::Taking) {
            return None;
        }
        self.effects.answered(|effect| effect.number() == number && is_kind(effect))
    }
}

/// A job's id as people read it.
fn in_words(id: &JobId) -> String {
    id.as_str().replace(':', " ")
}

impl Build {
    /// Whether the current step waits for this job.
    fn asks(&self, job: &JobId) -> bool {
        let asked =
            if let Step::Working(_) = self.step { Some(&self.worker) } else { self.step.judging_job() };
        asked == Some(job)
    }
}
