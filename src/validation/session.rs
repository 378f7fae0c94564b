//! The state of a run: the stage under way, the observations so far, and the next request.

use super::analysis::Analysis;
use super::answer;
use super::checks::{CheckRun, JudgedCheck};
use super::files::DECISION;
use super::own::Own;
use super::prompts;
use super::protocol::{
    Against, Criterion, Decision, Effect, EventKind, EvidenceFile, FilesSeen, GateChoice, How, LookedAt,
    Noted, Opening, ProcessEnd, RanTests, Role, Scope, ServerStarted, Sources, WORKFLOW,
};
use super::settings::{CheckSettings, ServerSettings, ValidationSettings, usual};
use super::sight;
use super::stage::{Record, Stage, StageFault, StageState};
use super::suite::Suite;
use super::verdict::{self, Conclusion, Judged};
use super::verification::{Opinion, Verification};
use super::versions::BeganAgain;
use crate::opencode::OpenCode;
use crate::shared::capped::session_title;
use crate::shared::groups;
use crate::shared::prices;
use crate::shared::reply::{self, Interruption, Words};
use kernel::calls::Calls;
use kernel::clock::iso;
use kernel::digest::sha256;
use kernel::directory::Directory;
use kernel::drive;
use kernel::effects::Effects;
use kernel::job::{CallSettings, JobState};
use kernel::limits::{Deadlines, Limits};
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::protocol::{Command, JobId, ModelFacts, Outcome, Reply, Tone};
use kernel::slug::slug;
use kernel::workflow::{Again, Repetition, Verdict, Workflow};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A command of this workflow, for the shell.
pub(super) type Commands = kernel::workflow::Commands<Session>;
/// A conversation with one model.
pub(super) type Job = kernel::job::Job<Session>;

/// The time limit of one answer: a model reads the whole application for it.
const CALL_MS: u64 = 30 * 60_000;
/// Further tries after a call fails.
const TRIES: u32 = 2;
/// Repair prompts per turn.
const REPAIRS: u32 = 3;

/// What is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The run has no directory yet.
    Begun,
    /// Its directory is being created.
    Claiming,
    /// A stage.
    At(Stage),
    /// Nothing in this process: the run waits for the user, or is finished.
    Resting(Outcome),
}

/// A run of Validation.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) opening: Opening,
    /// The settings that apply now.
    pub(super) settings: ValidationSettings,
    /// The known facts about the models, with the prices of these settings.
    known: Vec<ModelFacts>,
    pub(super) calls: Calls<Self>,
    pub(super) effects: Effects<Effect>,
    /// How many effects have started so far.
    pub(super) effects_begun: u32,
    pub(super) directory: Directory,
    pub(super) phase: Phase,
    pub(super) stages: BTreeMap<Stage, Record>,
    /// The stage at which a resume continues: the one that failed or was stopped.
    pub(super) broken_off: Option<Stage>,
    /// Whether a report was written before the run continued.
    pub(super) was_reported: bool,
    /// Why the user stopped the run; `None` once it has continued.
    pub(super) cancelled: Option<String>,
    /// The opinions so far of a verifier that is still asked.
    opinions: Vec<Opinion>,
    pub(super) verification: Option<Verification>,
    pub(super) analysis: Option<Analysis>,
    pub(super) gate: Option<Gate>,
    pub(super) prep: Prep,
    /// The project's own tests; `None` before they are listed, or when the settings name none.
    pub(super) own: Option<Own>,
    pub(super) suite: Option<Suite>,
    /// Files of an earlier version of the tests.
    pub(super) dropped: BTreeSet<String>,
    /// How many tests were listed.
    pub(super) listed: u32,
    /// The progress of the running tests: the effect, the test that started last, and how many there are.
    pub(super) far: Option<(u32, u32, u32)>,
    /// The files that the pass under way found, with its effect's number.
    pub(super) seen: Option<(u32, FilesSeen)>,
    /// Whether the passes started again because files had changed.
    pub(super) again: BeganAgain,
    /// The hash of the commands that the user allows to run.
    pub(super) leave: Option<String>,
    /// What was found on the pages, for the checks of pages.
    pub(super) looked: Option<LookedAt>,
    /// Each run of a check's command.
    pub(super) checked: Vec<CheckRun>,
    /// The servers as they were last started.
    pub(super) servers: Vec<ServerStarted>,
    /// The ports at which any server was started.
    pub(super) ports: BTreeSet<u16>,
    /// Whether they run for the next pass of the live counterfeit, and nothing has changed the application since they started.
    pub(super) is_afresh: bool,
    /// The project's files when the servers were started.
    pub(super) sources: Option<Sources>,
    pub(super) passes: Vec<Pass>,
    pub(super) processes: Vec<ProcessEnd>,
    pub(super) evidence: Vec<EvidenceFile>,
    pub(super) notes: Vec<String>,
    /// Whether everything that has to be written is on disk.
    pub(super) closed: bool,
}

/// The user's decision about gaps.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) decision: GateChoice,
    /// ISO 8601 in UTC.
    pub(super) at: String,
}

/// A run of all tests.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pass {
    pub(super) against: Against,
    /// From 1; [`FITTING`](super::live::FITTING) for the first of the live counterfeit.
    pub(super) number: u32,
    pub(super) ran: RanTests,
    pub(super) duration_ms: u64,
    pub(super) noted: Noted,
    /// The project's files when it started. `None` in older journals.
    pub(super) files: Option<FilesSeen>,
}

/// The progress of the tests' preparation.
#[derive(Clone, Debug, Default)]
pub(super) struct Prep {
    pub(super) step: Step,
    /// How often the tester was asked to fix them.
    pub(super) fixes: u32,
    /// What is wrong with them.
    pub(super) fault: String,
}

/// What the tests are waiting for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Step {
    /// The tester.
    #[default]
    Writing,
    /// The listing.
    Listing,
}

/// This workflow's part of a job.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) role: Role,
    /// The model that it asks: `provider/model`.
    pub(super) model: String,
    /// The criteria that a verifier still has to judge, in the groups in which they are asked. If none were given, one empty group
    /// stands for those that it lists.
    pub(super) groups: VecDeque<Vec<Criterion>>,
}

impl Part {
    /// The criteria that are asked about now.
    pub(super) fn asked(&self) -> &[Criterion] {
        self.groups.front().map_or(&[], Vec::as_slice)
    }
}

/// What a job can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Its opinion on the criteria, or on the first of them.
    Verify,
    /// Its opinion on the next criteria.
    Criteria,
    /// Journeys and gaps.
    Analyze,
    /// Tests.
    Tests,
    /// The same tests, fixed.
    Fix,
}

impl Turn {
    fn words(self) -> Words {
        match self {
            Self::Verify | Self::Criteria => prompts::VERIFICATION_WORDS,
            Self::Analyze => prompts::ANALYSIS_WORDS,
            Self::Tests | Self::Fix => prompts::SUITE_WORDS,
        }
    }
}

/// What an answer can be accepted as.
pub(super) enum Accepted {
    Verification(Verification),
    Analysis(Analysis),
    Suite(Suite),
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
                Err(format!("it names the directory {:?}", shortened(name)))
            }
            EventKind::Opened(opening) => {
                names_are_plain(&opening.settings)?;
                if let Some(before) = opening.before.as_ref().filter(|before| !before.is_plain()) {
                    return Err(format!("it names the earlier run {:?}", shortened(&before.run)));
                }
                opening
                    .repeat
                    .as_ref()
                    .and_then(|repeat| repeat.fault(opening.acceptance))
                    .map_or(Ok(()), Err)
            }
            EventKind::Decided(Decision::Configured { settings, .. }) => names_are_plain(settings),
            _ => Ok(()),
        }
    }

    fn open(opening: Opening, at: u64) -> Self {
        let mut session = Self {
            settings: usual(),
            known: Vec::new(),
            calls: Calls::new(Vec::new(), at),
            effects: Effects::default(),
            effects_begun: 0,
            directory: Directory::default(),
            phase: Phase::Begun,
            stages: BTreeMap::new(),
            broken_off: None,
            was_reported: false,
            cancelled: None,
            opinions: Vec::new(),
            verification: None,
            analysis: None,
            gate: None,
            prep: Prep::default(),
            own: None,
            suite: None,
            dropped: BTreeSet::new(),
            listed: 0,
            far: None,
            seen: None,
            again: BeganAgain::default(),
            leave: None,
            looked: None,
            checked: Vec::new(),
            servers: Vec::new(),
            ports: BTreeSet::new(),
            is_afresh: false,
            sources: None,
            passes: Vec::new(),
            processes: Vec::new(),
            evidence: Vec::new(),
            notes: opening.notes.clone(),
            closed: false,
            opening,
        };
        session.configure(session.opening.settings.clone());
        if let Some(repeat) = &session.opening.repeat {
            session.suite.clone_from(&repeat.suite);
            session.prep.step = Step::Listing;
        }
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
            run_ms: None,
            tries: TRIES,
            repairs: REPAIRS,
            repair_temperature: self.opening.acceptance.repair_temperature(),
            budget: self.settings.budget,
            models: &self.known,
            seed: self.opening.seed,
        }
    }

    fn is_ready(&self, job: &Job) -> bool {
        match (self.phase, job.part.role) {
            (Phase::At(Stage::Verify), Role::Verifier) | (Phase::At(Stage::FlowAnalyze), Role::Analyst) => {
                true
            }
            (Phase::At(Stage::TestPrep), Role::Tester) => {
                self.prep.step == Step::Writing && self.effects.under_way().is_empty()
            }
            _ => false,
        }
    }

    fn call_settings<'a>(&self, job: &'a Job) -> CallSettings<'a> {
        CallSettings { model: &job.part.model, temperature: 0.0, variant: None }
    }

    fn role(&self, job: &Job) -> Role {
        job.part.role
    }

    fn title(&self, job: &Job) -> String {
        let what = match job.part.role {
            Role::Verifier => "criteria",
            Role::Analyst => "journeys",
            Role::Tester => "tests",
        };
        session_title(&format!("Validation: {what}"), &self.opening.subject.title)
    }

    fn system(&self, job: &Job) -> String {
        let text = match job.part.role {
            Role::Verifier => prompts::VERIFIER,
            Role::Analyst => prompts::ANALYST,
            Role::Tester => prompts::TESTER,
        };
        text.trim_end().to_owned()
    }

    fn prompt(&self, job: &Job) -> String {
        match job.turn {
            Turn::Criteria if job.in_conversation => prompts::verify_next(job.part.asked()),
            Turn::Verify | Turn::Criteria => prompts::verify(&self.opening.subject, job.part.asked()),
            Turn::Analyze => prompts::analyze(&self.opening.subject, &self.criteria()),
            Turn::Fix if job.in_conversation => prompts::fix(&self.prep.fault),
            Turn::Tests | Turn::Fix => prompts::tests(
                &self.opening.subject,
                &self.criteria(),
                &self.analysis.as_ref().map(|analysis| analysis.journeys.clone()).unwrap_or_default(),
                self.own.as_ref(),
                self.opening.rule_seed.is_some(),
                &self.prep.fault,
            ),
        }
    }

    fn expected_output(turn: Turn) -> u64 {
        match turn {
            Turn::Verify | Turn::Analyze => 3_000,
            Turn::Criteria => 400,
            Turn::Tests | Turn::Fix => 6_000,
        }
    }

    fn judge(&self, job: &Job, reply: &Reply) -> Verdict<Accepted> {
        answer::judge(self, job, reply)
    }

    fn cited(&self, accepted: &Accepted) -> Vec<String> {
        match accepted {
            Accepted::Verification(verification) => verification.cited(),
            Accepted::Analysis(analysis) => analysis.cited(),
            Accepted::Suite(_) => Vec::new(),
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
        match accepted {
            Accepted::Verification(verification) => {
                self.opinions.extend(verification.criteria);
                let groups = &mut self.calls.jobs[index].part.groups;
                groups.pop_front();
                if !groups.is_empty() {
                    return Some(Turn::Criteria);
                }
                self.verification = Some(Verification { criteria: std::mem::take(&mut self.opinions) });
                None
            }
            Accepted::Analysis(analysis) => {
                self.analysis = Some(analysis);
                None
            }
            Accepted::Suite(suite) => {
                self.take_suite(suite);
                // The tester may be asked to fix them; until then nothing is asked.
                Some(Turn::Fix)
            }
        }
    }

    fn settled(&mut self, _: usize, _: bool, _: &mut Commands) {}

    fn directory_claimed(&mut self, name: String, commands: &mut Commands) {
        if self.phase == Phase::Claiming {
            self.directory.name = Some(name);
            self.begin_or_ask(commands);
        }
    }

    fn directory_taken(&mut self, _: &str, commands: &mut Commands) {
        if self.phase != Phase::Claiming {
            return;
        }
        if self.directory.is_taken() {
            commands.push(Command::ClaimDirectory { name: self.candidate() });
            return;
        }
        let wording =
            "Every name that this run could have is taken. Move some runs to another directory".to_owned();
        commands.push(drive::notice(Tone::Error, wording));
        self.rest(Outcome::Stopped, commands);
    }

    fn decided(&mut self, decision: Decision, idle: u64, commands: &mut Commands) {
        match decision {
            Decision::Configured { settings, resumes } => {
                self.configure(*settings);
                if resumes {
                    self.resumed(idle, commands);
                }
            }
            Decision::GateDecided { decision } => {
                if self.awaits_decision() {
                    self.decide(decision, commands);
                }
            }
            Decision::Allowed { commands: hash } => {
                if self.awaited_leave().as_ref() == Some(&hash) {
                    self.leave = Some(hash);
                    self.wake();
                    self.enter(Stage::Checks, commands);
                }
            }
            Decision::TestsListed { effect, listed } => self.tests_listed(effect, listed, commands),
            Decision::CheckRan { effect, ran } => self.check_ran(effect, ran, commands),
            Decision::ServersStarted { effect, servers, sources } => {
                self.servers_started(effect, servers, sources, commands);
            }
            Decision::ServerFailed { effect, server, fault, tail } => {
                self.server_failed(effect, &server, &fault, &tail, commands);
            }
            Decision::TestsRan { effect, ran, duration_ms, noted } => {
                self.tests_ran(effect, (ran, duration_ms, noted), commands);
            }
            Decision::FilesSeen { effect, files } => self.files_seen(effect, files, commands),
            Decision::TestBegan { effect, test, of } => self.test_began(effect, test, of),
            Decision::PagesSeen { effect, seen } => self.pages_seen(effect, seen, commands),
            Decision::TornDown { effect, processes, evidence } => {
                self.torn_down(effect, processes, evidence, commands);
            }
            Decision::EffectFailed { effect, message } => self.effect_failed(effect, &message, commands),
        }
    }

    fn adopted(&mut self, voids: bool, _: u64) {
        if voids {
            self.take_over();
        }
    }

    fn retried(&mut self) {}

    fn resumed(&mut self, idle: u64, commands: &mut Commands) {
        self.wake();
        if !matches!(self.phase, Phase::Resting(_)) {
            self.calls.clock.from += idle;
        }
        self.directory.begin_again();
        let failed = self.broken_off;
        match self.phase {
            _ if self.directory.name.is_none() => {
                self.cancelled = None;
                self.phase = Phase::Begun;
            }
            // Its command died with its process, and may now need the user's approval.
            Phase::At(Stage::Checks) => {
                self.drop_effects();
                self.enter(Stage::Checks, commands);
            }
            // The servers died with their process, and the tests that ran against them start again.
            Phase::At(Stage::ServersStart | Stage::TestExecute) => {
                self.drop_effects();
                self.enter(self.before_tests(), commands);
            }
            // So did the servers of the live counterfeit.
            Phase::At(Stage::NegativeControl) if self.awaits_live() => {
                self.drop_effects();
                self.is_afresh = false;
                self.run_next(commands);
            }
            Phase::Begun | Phase::Claiming | Phase::At(_) => self.effects.begin_again(commands),
            Phase::Resting(outcome) => match self.goes_on_at() {
                Some(stage) => self.go_back_to(stage, commands),
                // Only files or the ending itself could not be written; or the run still waits for the user.
                None => commands.push(outcome.finish(String::new())),
            },
        }
        let again = |job: &JobId| failed.and_then(job_of).is_some_and(|of| of == job.as_str());
        self.calls.take_up(idle, &again, commands);
    }

    fn advance(&mut self, commands: &mut Commands) {
        drive::give_up_waiting(self, commands);
        match self.phase {
            Phase::Begun => {
                self.phase = Phase::Claiming;
                commands.push(Command::ClaimDirectory { name: self.candidate() });
            }
            Phase::At(stage) => self.advance_stage(stage, commands),
            Phase::Claiming | Phase::Resting(_) => {}
        }
    }

    fn cancelled(&mut self, reason: &str, commands: &mut Commands) {
        match self.phase {
            // It is about to end anyway.
            Phase::At(Stage::SafeTeardown | Stage::FinalReport) => {}
            Phase::Resting(outcome) if outcome != Outcome::Waiting => {}
            Phase::Begun | Phase::Claiming | Phase::Resting(_) => {
                self.cancelled = Some(reason.to_owned());
                self.rest(Outcome::Cancelled, commands);
            }
            Phase::At(stage) => {
                self.cancelled = Some(reason.to_owned());
                self.break_off(stage, commands);
            }
        }
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

impl Session {
    /// Applies these settings from here on, and notes if their cap in dollars can't be enforced.
    fn configure(&mut self, settings: ValidationSettings) {
        let Opening { models, prices, scope, repeat, .. } = &self.opening;
        let before = models.void_cap(*scope, &self.settings, &self.known);
        self.known = models.known(&settings, prices);
        let now = models.void_cap(*scope, &settings, &self.known);
        self.settings = settings;
        // If no model is asked, nothing is spent.
        if repeat.is_none() {
            prices::retell(&mut self.notes, before.as_ref(), now);
        }
    }

    fn candidate(&self) -> String {
        let Opening { stamp, suffix, .. } = &self.opening;
        let phase = self.scope().phase();
        self.directory.candidate(&format!("{phase}-{}", slug(stamp, 40)), &slug(suffix, 20))
    }

    pub(super) fn scope(&self) -> Scope {
        self.opening.scope
    }

    /// The current time, by the run's own clock.
    pub(super) fn now(&self) -> String {
        iso(self.calls.clock.now)
    }

    /// What must be true: as given, or as the verifier lists it.
    pub(super) fn criteria(&self) -> Vec<Criterion> {
        let given = &self.opening.subject.criteria;
        if !given.is_empty() {
            return given.clone();
        }
        self.verification.as_ref().map(Verification::criteria).unwrap_or_default()
    }

    /// The verifier's opinion on a criterion.
    pub(super) fn opinion(&self, criterion: &str) -> Option<&Opinion> {
        self.verification.as_ref()?.criteria.iter().find(|one| one.id == criterion)
    }

    /// The stages of the run's scope; that of the checks only if there are any.
    pub(super) fn its_stages(&self) -> Vec<Stage> {
        let has_checks = !self.settings.checks.is_empty() || self.stages.contains_key(&Stage::Checks);
        let mut stages = self.scope().stages();
        stages.retain(|stage| match stage {
            Stage::Checks => has_checks,
            Stage::Verify | Stage::FlowAnalyze | Stage::GapGate => self.opening.repeat.is_none(),
            _ => true,
        });
        stages
    }

    /// How many tests there are to run.
    pub(super) fn number_of_tests(&self) -> u64 {
        u64::from(self.listed) + self.own.as_ref().map_or(0, Own::number) as u64
    }

    // ---- from stage to stage ----

    /// Starts the next stage. All stages are entered through here: a stage outside the run's scope is skipped, and no stage of
    /// testing is entered while gaps are undecided.
    pub(super) fn enter(&mut self, stage: Stage, commands: &mut Commands) {
        let stage = stage.within(self.scope());
        let stage = match stage {
            Stage::Verify | Stage::FlowAnalyze | Stage::GapGate if self.opening.repeat.is_some() => {
                Stage::TestPrep
            }
            _ if stage.is_testing() && !self.may_test() => Stage::GapGate,
            Stage::Checks if self.settings.checks.is_empty() => Stage::ServersStart,
            _ => stage,
        };
        let now = self.calls.clock.now;
        if let Phase::At(before) = self.phase
            && before != stage
        {
            self.stages.entry(before).or_default().ended = Some(now);
        }
        let record = self.stages.entry(stage).or_default();
        record.began.get_or_insert(now);
        record.ended = None;
        record.fault = None;
        self.phase = Phase::At(stage);
        if let Some(message) = stage.announcement() {
            let message = message.to_owned();
            commands.push(drive::line(Tone::Info, message));
        }
        match stage {
            Stage::Verify => self.ask(Role::Verifier, Turn::Verify),
            Stage::FlowAnalyze => self.ask(Role::Analyst, Turn::Analyze),
            Stage::TestPrep if self.own.is_none() && self.settings.tests.is_some() => {
                self.list_own_tests(commands);
            }
            Stage::TestPrep if self.is_unwritten() => {
                self.ask(Role::Tester, Turn::Tests);
            }
            Stage::TestPrep => self.list_tests(commands),
            Stage::GapGate => {
                if self.may_test() {
                    self.enter(Stage::TestPrep, commands);
                } else {
                    self.wait(commands);
                }
            }
            Stage::Checks | Stage::ServersStart if self.lacks_leave().is_some() => self.wait(commands),
            Stage::Checks => self.check_next(commands),
            Stage::ServersStart => {
                let servers = self.settings.servers.clone();
                self.begin(|effect| Effect::StartServers { effect, servers }, commands);
            }
            Stage::TestExecute => self.run_next(commands),
            Stage::NegativeControl => {
                self.is_afresh = false;
                self.begin(|effect| Effect::StopServers { effect }, commands);
            }
            Stage::SafeTeardown => self.begin(|effect| Effect::TearDown { effect }, commands),
            Stage::FinalReport => {
                self.stages.entry(stage).or_default().ended = Some(now);
                let outcome = match self.conclusion() {
                    _ if self.cancelled.is_some() => Outcome::Cancelled,
                    Conclusion::Incomplete => Outcome::Partial,
                    Conclusion::Validated | Conclusion::Failed => Outcome::Complete,
                };
                self.rest(outcome, commands);
            }
        }
    }

    /// Whether a model has to write tests.
    fn is_unwritten(&self) -> bool {
        self.opening.repeat.is_none() && (self.suite.is_none() || self.prep.step == Step::Writing)
    }

    /// Whether tests may be written and run: there are no gaps, or the user wants them to run anyway. Repeated tests were allowed in
    /// their original run.
    pub(super) fn may_test(&self) -> bool {
        if self.opening.repeat.is_some() {
            return true;
        }
        let is_whole = self.analysis.as_ref().is_some_and(|analysis| analysis.gaps.is_empty());
        is_whole || self.gate.as_ref().is_some_and(|gate| gate.decision == GateChoice::ForceTest)
    }

    /// Records a stage's failure: what was started is ended, and a report is written.
    pub(super) fn fail(&mut self, fault: StageFault, commands: &mut Commands) {
        let Phase::At(stage) = self.phase else { return };
        commands.push(drive::notice(Tone::Warning, fault.message.clone()));
        self.stages.entry(stage).or_default().fault = Some(fault);
        if stage == Stage::SafeTeardown {
            self.enter(Stage::FinalReport, commands);
        } else {
            self.break_off(stage, commands);
        }
    }

    /// Stops the run at this stage, for now.
    fn break_off(&mut self, stage: Stage, commands: &mut Commands) {
        self.broken_off = Some(stage);
        self.drop_effects();
        self.enter(Stage::SafeTeardown, commands);
    }

    /// Continues at the stage that was broken off, in a new process or at the user's request.
    fn go_back_to(&mut self, stage: Stage, commands: &mut Commands) {
        self.broken_off = None;
        self.cancelled = None;
        self.was_reported |= self.is_reported();
        for later in [Stage::SafeTeardown, Stage::FinalReport] {
            self.stages.remove(&later);
        }
        // What couldn't be started is tried again, and a pass without a report is repeated.
        self.checked.retain(|run| !run.is_unstarted());
        self.looked = self.looked.take().filter(|looked| matches!(looked, LookedAt::Pages { .. }));
        self.note_crashes();
        self.passes.retain(|pass| matches!(pass.ran, RanTests::Report { .. }));
        self.prep.fixes = 0;
        self.again.once = false;
        let stage = if stage == Stage::TestExecute { self.before_tests() } else { stage };
        self.enter(stage, commands);
    }

    /// The stage to repeat before the tests run in a new process.
    fn before_tests(&self) -> Stage {
        if self.again.checks_due { Stage::Checks } else { Stage::ServersStart }
    }

    /// The stage at which a resume continues, if there is anything to continue that doesn't wait for the user.
    pub(super) fn goes_on_at(&self) -> Option<Stage> {
        if self.awaits_decision() || self.awaited_leave().is_some() {
            return None;
        }
        let unasked = self.is_waiting().then_some(Stage::Checks);
        let unconfirmed = self.awaits_yes().then_some(Stage::Verify);
        self.broken_off.or(unasked).or(unconfirmed)
    }

    /// Whether there is anything to continue that doesn't wait for the user.
    pub(super) fn is_unfinished(&self) -> bool {
        let is_whole = self.closed && self.directory.name.is_some();
        !is_whole || !matches!(self.phase, Phase::Resting(_)) || self.goes_on_at().is_some()
    }

    /// Waits for the user.
    fn wait(&mut self, commands: &mut Commands) {
        let wording = match self.phase {
            Phase::At(Stage::GapGate) => "The analysis found gaps. Choose: fix plan, stop, or test anyway",
            _ => "The commands are waiting for your approval",
        };
        commands.push(drive::notice(Tone::Warning, wording.to_owned()));
        self.rest(Outcome::Partial, commands);
    }

    fn rest(&mut self, outcome: Outcome, commands: &mut Commands) {
        self.phase = Phase::Resting(outcome);
        commands.push(outcome.finish(String::new()));
    }

    /// Marks the run as working in this process.
    fn wake(&mut self) {
        self.closed = false;
        self.calls.begin_again();
    }

    /// The job whose model is being asked; `None` when none is.
    pub(super) fn asked(&self) -> Option<&Job> {
        self.calls.jobs.iter().find(|job| self.is_ready(job) && !job.state.is_settled())
    }

    // ---- what waits for the user ----

    /// Whether the run rests before its end without having been broken off.
    pub(super) fn is_waiting(&self) -> bool {
        let began = |stage: Stage| self.stages.contains_key(&stage);
        let first = if self.opening.repeat.is_some() { Stage::TestPrep } else { Stage::GapGate };
        matches!(self.phase, Phase::Resting(_)) && began(first) && !began(Stage::FinalReport)
    }

    /// Whether the user has to decide about gaps.
    pub(super) fn awaits_decision(&self) -> bool {
        self.is_waiting() && self.gate.is_none() && !self.may_test()
    }

    /// The hash of the commands that wait for the user's approval.
    pub(super) fn awaited_leave(&self) -> Option<String> {
        let came_to_commands =
            [Stage::Checks, Stage::ServersStart].iter().any(|one| self.stages.contains_key(one));
        let waits = self.is_waiting() && came_to_commands;
        self.lacks_leave().filter(|_| waits)
    }

    /// The servers whose commands the settings don't allow.
    pub(super) fn asked_for(&self) -> Vec<&ServerSettings> {
        self.settings.servers.iter().filter(|server| !server.allow).collect()
    }

    /// The checks whose commands the settings don't allow.
    pub(super) fn checks_asked_for(&self) -> Vec<&CheckSettings> {
        self.settings.checks.iter().filter(|check| !check.allow).collect()
    }

    /// The hash of the commands that the user has to approve; `None` when all may run.
    fn lacks_leave(&self) -> Option<String> {
        let (servers, checks) = (self.asked_for(), self.checks_asked_for());
        let text = match (servers.is_empty(), checks.is_empty()) {
            (true, true) => return None,
            // The format from before there were checks, so that older journals can continue.
            (false, true) => serde_json::to_string(&servers),
            (_, false) => serde_json::to_string(&(servers, checks)),
        };
        let hash = sha256(&text.unwrap_or_default());
        (self.leave.as_ref() != Some(&hash)).then_some(hash)
    }

    fn decide(&mut self, decision: GateChoice, commands: &mut Commands) {
        self.gate = Some(Gate { decision, at: self.now() });
        self.dropped.remove(DECISION);
        self.wake();
        self.stages.entry(Stage::GapGate).or_default().ended = Some(self.calls.clock.now);
        match decision {
            GateChoice::ForceTest => self.enter(Stage::TestPrep, commands),
            GateChoice::GenerateFixPlan | GateChoice::Stop => self.enter(Stage::SafeTeardown, commands),
        }
    }

    // ---- models ----

    pub(super) fn ask(&mut self, role: Role, turn: Turn) {
        let models = &self.opening.models;
        let (id, model) = match role {
            Role::Verifier => ("verify:1", &models.verifier),
            Role::Analyst => ("journeys:1", &models.analyst),
            Role::Tester => ("tests:1", &models.tester),
        };
        let id = JobId::new(id);
        // A stage that is entered again continues its conversation.
        if self.calls.job(&id).is_none() {
            let model = model.clone();
            let groups = if role == Role::Verifier { self.groups_of_criteria() } else { VecDeque::new() };
            let part = Part { role, model, groups };
            self.calls.jobs.push(Job::new(id, turn, part));
        }
    }

    /// The groups in which a verifier judges the given criteria.
    fn groups_of_criteria(&self) -> VecDeque<Vec<Criterion>> {
        let given = &self.opening.subject.criteria;
        if given.is_empty() || !self.opening.acceptance.want_separate_criteria() {
            return [given.clone()].into();
        }
        let size = groups::size(given.len(), self.settings.criteria_per_call);
        given.chunks(size).map(<[_]>::to_vec).collect()
    }

    /// The job whose answer a stage waits for.
    fn job_at(&self, stage: Stage) -> Option<&Job> {
        let id = job_of(stage)?;
        self.calls.jobs.iter().find(|job| job.id.as_str() == id)
    }

    fn advance_stage(&mut self, stage: Stage, commands: &mut Commands) {
        let failed = self.job_at(stage).and_then(|job| match &job.state {
            JobState::Failed(reason) => Some(format!("{} gave no usable answer: {reason}.", job.part.model)),
            _ => None,
        });
        match stage {
            Stage::Verify if self.verification.is_some() => self.enter(Stage::FlowAnalyze, commands),
            Stage::FlowAnalyze if self.analysis.is_some() => self.enter(Stage::GapGate, commands),
            Stage::TestPrep if self.prep.step == Step::Listing => {
                // A tester's answer is listed once.
                if self.effects.under_way().is_empty() {
                    self.list_tests(commands);
                }
            }
            _ => {
                if let Some(message) = failed {
                    let next = if self.calls.closing.is_some() {
                        "To spend more, raise `budget` in .opencode/validation.jsonc, then continue with \
                         /validate-resume."
                    } else {
                        "Fix the cause, then continue with /validate-resume."
                    };
                    self.fail(StageFault { message, next: next.to_owned() }, commands);
                }
            }
        }
    }

    // ---- effects ----

    pub(super) fn begin(&mut self, effect: impl FnOnce(u32) -> Effect, commands: &mut Commands) {
        self.effects_begun += 1;
        self.effects.begin(effect(self.effects_begun), commands);
    }

    /// The effect that an answer belongs to, if one of this kind is expected.
    pub(super) fn answered(&mut self, number: u32, is_kind: fn(&Effect) -> bool) -> Option<Effect> {
        if !matches!(self.phase, Phase::At(_)) {
            return None;
        }
        self.effects.answered(|effect| effect.number() == number && is_kind(effect))
    }

    /// Whether what is under way needs servers that this run started in its negative control.
    fn awaits_live(&self) -> bool {
        let needs = |effect: &Effect| {
            matches!(effect, Effect::StartServers { .. } | Effect::RunTests { against: Against::Live, .. })
        };
        self.effects.under_way().iter().any(needs)
    }

    /// Stops waiting for the effects under way.
    pub(super) fn drop_effects(&mut self) {
        while self.effects.answered(|_| true).is_some() {}
    }

    // ---- the end ----

    /// Every check with its verdict, from what was observed so far.
    pub(super) fn judged_checks(&self) -> Vec<JudgedCheck> {
        if self.scope() != Scope::Full {
            return Vec::new();
        }
        let judged = |check: &CheckSettings| check.judged(&self.checked, self.settings.repeat);
        let pages = sight::judged(&self.settings, self.looked.as_ref());
        self.settings.checks.iter().map(judged).chain(pages).collect()
    }

    /// The runs of a check's command, in order.
    pub(super) fn runs_of(&self, check: &JudgedCheck) -> impl Iterator<Item = &CheckRun> {
        self.checked.iter().filter(|run| check.outputs.contains(&run.output))
    }

    /// Every criterion with its verdict, from what was observed so far.
    pub(super) fn judged(&self) -> Vec<Judged> {
        verdict::judge(&verdict::Seen {
            criteria: &self.criteria(),
            suite: self.suite.as_ref(),
            own: self.own.as_ref(),
            passes: &self.passes,
            repeat: self.settings.repeat,
            control: &self.settings.control,
            checks: &self.judged_checks(),
            ports: &self.ports,
        })
    }

    /// The run's conclusion.
    pub(super) fn conclusion(&self) -> Conclusion {
        if self.scope() != Scope::Full {
            return Conclusion::Incomplete;
        }
        verdict::conclusion(&self.judged(), &self.judged_checks())
    }

    /// Whether Flow should fix something next: the user decided this about the gaps, or something failed.
    pub(super) fn leads_to_fix(&self) -> bool {
        let decided = self.gate.as_ref().is_some_and(|gate| gate.decision == GateChoice::GenerateFixPlan);
        self.is_reported() && (decided || self.conclusion() == Conclusion::Failed)
    }

    /// Whether servers may have been started whose end is not recorded. A start is recorded only once it is answered, so the stage
    /// counts.
    pub(super) fn may_have_left(&self) -> bool {
        let came_to_servers = self.stages.contains_key(&Stage::ServersStart);
        let all_ended =
            self.is_reported() && self.processes.iter().all(|process| process.end != How::LeftAlone);
        let ended = all_ended && self.state_of(Stage::SafeTeardown) == StageState::Done;
        came_to_servers && !ended && self.awaited_leave().is_none()
    }

    /// Whether its report has been started.
    pub(super) fn is_reported(&self) -> bool {
        self.stages.contains_key(&Stage::FinalReport)
    }

    /// The state of a stage.
    pub(super) fn state_of(&self, stage: Stage) -> StageState {
        let Some(record) = self.stages.get(&stage) else { return StageState::Pending };
        match record {
            Record { fault: Some(_), .. } => StageState::Failed,
            _ if self.broken_off == Some(stage) => StageState::Stopped,
            // The run went back to an earlier stage, so this one is repeated.
            Record { ended: Some(_), .. } if matches!(self.phase, Phase::At(now) if now < stage) => {
                StageState::Pending
            }
            Record { ended: Some(_), .. } => StageState::Done,
            _ => StageState::Running,
        }
    }
}

/// Checks names, because logs are named after servers and checks, and a journal can come from anyone.
fn names_are_plain(settings: &ValidationSettings) -> Result<(), String> {
    let servers = settings.servers.iter().map(|server| ("server", &server.name));
    let checks = settings.checks.iter().map(|check| ("check", &check.id));
    match servers.chain(checks).find(|(_, name)| !is_name(name, NAME_LENGTH)) {
        Some((what, name)) => Err(format!("it names the {what} {:?}", shortened(name))),
        None => Ok(()),
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(NAME_LENGTH).collect()
}

/// The job of a stage.
fn job_of(stage: Stage) -> Option<&'static str> {
    match stage {
        Stage::Verify => Some("verify:1"),
        Stage::FlowAnalyze => Some("journeys:1"),
        Stage::TestPrep => Some("tests:1"),
        _ => None,
    }
}
