//! A run as its shell sees it: seal an event, apply the line, and ask what a user's command leads to.

use super::checks::{CheckVerdict, JudgedCheck};
use super::code::ValidationCode;
use super::page::Picture;
use super::protocol::{
    Command, Decision, Effect, Event, EventKind, EvidenceFile, GateChoice, Opening, Role, Scope,
};
use super::repeat::Repeat;
use super::session::{Phase, Session};
use super::settings::ValidationSettings;
use super::stage::{Stage, StageState};
use super::status::{self, Status};
use super::verdict::Counts;
use super::{before, ci, files, page, panel, repeat, verify};
use crate::shared::ci::{Given, Texts};
use crate::shared::page::addressed;
use crate::shared::panel::Panel;
use kernel::calls::LATEST;
use kernel::index::{Owner, Verbs};
use kernel::journal::Chain;
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::paths;
use kernel::problem::Problem;
use kernel::progress::Incoming;
use kernel::protocol::{JobId, Outcome, Reply, Spending};
use kernel::run::Durable;
use kernel::written::Written;
use serde::Serialize;

/// The commands that messages about runs name.
pub const VERBS: Verbs = Verbs {
    begin: "/validate <what>",
    cancel: "/validate-cancel",
    resume: "/validate-resume",
    status: "/validate-status",
};

/// A summary of a run.
pub type Summary = kernel::index::Summary<RunFacts>;

/// What a run records in addition to the facts of every run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFacts"))]
pub struct RunFacts {
    /// Its status.
    pub status: Status,
    /// What identifies its subject across runs.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub subject: String,
    /// How much of a validation it does.
    #[serde(default)]
    pub scope: Scope,
    /// The hash of the commands that wait for the user's approval.
    #[serde(default)]
    pub commands_hash: Option<String>,
    /// Whether it has tests that can be repeated.
    #[serde(default)]
    pub has_tests: bool,
    /// Whether, according to its journal, it may have started servers that it hasn't ended.
    #[serde(default)]
    pub may_have_left: bool,
    /// The counts of its verdicts, once it has a report on tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub counts: Option<Counts>,
    /// How many checks failed, apart from the criteria.
    #[serde(default)]
    pub failed_checks: u32,
}

/// A run: the state that results from the lines of its journal.
#[derive(Clone, Debug, Default)]
pub struct Run {
    durable: kernel::run::Run<Session>,
    written: Written,
}

impl Durable for Run {
    type Role = Role;
    type Opening = Opening;
    type Decision = Decision;
    type Effect = Effect;

    fn replay(journal: &str) -> Result<(Self, usize), Problem> {
        kernel::run::Run::replay(journal).map(|(durable, whole)| (Self { durable, ..Self::default() }, whole))
    }

    fn seal(&self, event: &Event) -> String {
        self.durable.seal(event)
    }

    fn chain(&self) -> &Chain {
        self.durable.chain()
    }

    /// Deleted and changed files come first: tests must be on disk before they are listed.
    fn apply(&mut self, line: &str) -> Result<Vec<Command>, Problem> {
        let follow = self.durable.apply(line)?;
        let stale = self.state().map_or_else(Vec::new, files::stale);
        let files = self.files()?;
        let mut commands = self.written.changes(stale, files);
        commands.extend(follow);
        Ok(commands)
    }

    /// All files except those that the shell writes: logs, Playwright's reports, the registry of processes.
    fn files(&self) -> Result<Vec<(String, String)>, Problem> {
        paths::admit_files(self.state().map_or_else(Vec::new, files::files))
    }
}

impl Run {
    /// A run before its first event.
    pub fn new() -> Self {
        Self::default()
    }

    /// The event that stops a call between two steps of its answer when the run has reached its budget.
    pub fn overspending(&self, job: &JobId, used: &[Spending]) -> Option<EventKind> {
        self.durable.overspending(job, used)
    }

    /// The paths that an answer cites; judging it requires knowing which of them exist.
    pub fn cited(&self, job: &JobId, reply: &Reply) -> Vec<String> {
        self.durable.cited(job, reply)
    }

    // ---- the user's commands ----

    /// `/validate-decide <decision>` under these settings: its events, or why it is refused.
    pub fn decide(&self, settings: &ValidationSettings, text: &str) -> Result<Vec<EventKind>, Problem> {
        if !self.begun()?.awaits_decision() {
            let message = "This run isn't waiting for a decision about gaps.";
            return Err(Problem::new(ValidationCode::GateNothing, message)
                .next("/validate-status shows the state of the run."));
        }
        let decision = gate_choice(text)?;
        Ok(self.under(settings, EventKind::Decided(Decision::GateDecided { decision })))
    }

    /// `/validate-resume` under these settings: its events, or why it is refused. `shown`: the hashes of commands that this process has
    /// shown the user. Another process may be a model's: `opencode run --command` needs only a shell.
    pub fn resume(&self, settings: &ValidationSettings, shown: &[String]) -> Result<Vec<EventKind>, Problem> {
        let mut session = self.begun()?.clone();
        let is_changed = session.settings != *settings;
        session.settings = settings.clone();
        if session.awaits_decision() {
            return Err(Problem::new(
                ValidationCode::NothingToResume,
                "The run is waiting for your decision.",
            )
            .allowed(CHOICES)
            .next(
                "Type /validate-decide followed by one of these choices. /validate-status shows the gaps.",
            ));
        }
        if let Some(commands) = session.awaited_leave() {
            if shown.contains(&commands) {
                return Ok(self.under(settings, EventKind::Decided(Decision::Allowed { commands })));
            }
            if is_changed {
                // The run shows the current commands, and waits.
                return Ok(self.under(settings, EventKind::Resumed));
            }
            return Err(Problem::new(
                ValidationCode::NotShown,
                "This process hasn't shown you the commands, so you can't approve them yet.",
            )
            .allowed("commands that this process has shown you")
            .next("Type /validate-status, read the commands, then type /validate-resume."));
        }
        if !session.is_unfinished() {
            return Err(Problem::new(ValidationCode::NothingToResume, "The run is finished.")
                .next("/validate starts another run. /validate-status shows this one."));
        }
        Ok(self.under(settings, EventKind::Resumed))
    }

    /// `/validate-cancel` of a run whose process has died: its events; empty if it rests and only has processes to end.
    pub fn cancel(&self) -> Result<Vec<EventKind>, Problem> {
        Ok(match self.begun()?.phase {
            Phase::Resting(outcome) if outcome != Outcome::Waiting => Vec::new(),
            // It is about to end anyway.
            Phase::At(Stage::SafeTeardown | Stage::FinalReport) => vec![EventKind::Resumed],
            _ => vec![EventKind::Cancelled { reason: "you cancelled it".to_owned() }],
        })
    }

    /// The events of a command under these settings: a change of the settings comes first.
    fn under(&self, settings: &ValidationSettings, event: EventKind) -> Vec<EventKind> {
        if self.state().is_none_or(|session| session.settings == *settings) {
            return vec![event];
        }
        let resumes = event == EventKind::Resumed;
        let configured =
            EventKind::Decided(Decision::Configured { settings: Box::new(settings.clone()), resumes });
        if resumes { vec![configured] } else { vec![configured, event] }
    }

    // ---- what people and programs see ----

    /// The text of the live message in the chat.
    pub fn live_message(&self) -> String {
        let here = Owner::Process { name: String::new(), here: true };
        self.status(&here)
    }

    /// The same at a given time, with what its calls have received so far, and the address of the page below it.
    /// `place`: see `addressed`.
    pub fn live_message_at(&self, now: u64, place: &str, calls: &[Incoming]) -> String {
        let text = self.state().map_or_else(String::new, |session| {
            let here = Owner::Process { name: String::new(), here: true };
            status::text(session, &here, &panel::now(session, session.calls.clock.moment(now), calls))
        });
        addressed(text, place, self.state().and_then(status::page))
    }

    /// `/validate-status`: the run as people see it, whether or not a process is working on it.
    pub fn status(&self, owner: &Owner) -> String {
        self.state().map_or_else(String::new, |session| status::text(session, owner, ""))
    }

    /// The run for a panel next to the chat, at this moment; `None` unless it is working.
    pub fn panel(&self, now: u64, calls: &[Incoming]) -> Option<Panel> {
        let session = self.state()?;
        panel::panel(session, session.calls.clock.moment(now), calls)
    }

    /// The last live message of a process whose run another process now continues.
    pub fn continued(&self) -> String {
        self.state().map_or_else(String::new, status::continued)
    }

    /// The summary of the run; `None` before its first event.
    pub fn summary(&self) -> Option<Summary> {
        let session = self.state()?;
        let (cost, tokens) = session.calls.spent();
        let is_tested = session.scope() == Scope::Full && session.is_reported();
        let failed = |check: &JudgedCheck| check.verdict == CheckVerdict::Failed;
        let checks = if is_tested { session.judged_checks() } else { Vec::new() };
        Some(Summary {
            directory: session.directory.name.clone(),
            task: session.opening.subject.title.clone(),
            outcome: match session.phase {
                Phase::Resting(outcome) => Some(outcome),
                _ => None,
            },
            unfinished: session.is_unfinished() || session.is_waiting(),
            failed: session.broken_off.is_some_and(|stage| session.state_of(stage) == StageState::Failed),
            at: session.calls.clock.reported_at.min(LATEST),
            cost,
            tokens,
            likeness: session.alike(),
            origin: Origin::default(),
            own: RunFacts {
                status: status::status(session),
                subject: before::key(&session.opening.subject),
                scope: session.scope(),
                commands_hash: session.awaited_leave(),
                has_tests: session.has_tests(),
                may_have_left: session.may_have_left(),
                counts: is_tested.then(|| Counts::of(&session.judged())),
                failed_checks: u32::try_from(checks.iter().filter(|check| failed(check)).count())
                    .unwrap_or(u32::MAX),
            },
        })
    }

    /// The tests of the run that can be repeated, or why there are none.
    pub fn repeat(&self) -> Result<Repeat, Problem> {
        repeat::repeat(self.begun()?)
    }

    /// The pictures and videos that the page contains, as they were recorded, each with the earlier run that has it, if this one
    /// hasn't.
    pub fn pictures(&self) -> Result<Vec<(Option<String>, EvidenceFile)>, Problem> {
        self.reported().map(page::wanted)
    }

    /// `report.html` with these pictures.
    pub fn page(&self, pictures: &[Picture]) -> Result<String, Problem> {
        Ok(page::page(self.reported()?, Some(pictures)))
    }

    /// Compares the given observations with the journal: returns an account of the match, or the differences.
    pub fn verify(&self, seen: &verify::Seen) -> Result<String, Vec<Problem>> {
        let session = self.begun().map_err(|problem| vec![problem])?;
        verify::verify(session, self.durable.chain(), seen)
    }

    /// The texts for build servers.
    pub fn ci(&self, given: &Given) -> Result<Texts, Problem> {
        Ok(ci::texts(self.begun()?, self.durable.chain(), given))
    }

    fn reported(&self) -> Result<&Session, Problem> {
        let session = self.begun()?;
        if session.is_reported() {
            return Ok(session);
        }
        Err(Problem::new(ValidationCode::NotReported, "The run has no report yet.").next(
            "The report is written at the end of the run. /validate-status shows the state of the run.",
        ))
    }

    pub(super) fn begun(&self) -> Result<&Session, Problem> {
        self.state().ok_or_else(no_run)
    }

    pub(super) fn state(&self) -> Option<&Session> {
        self.durable.state()
    }
}

/// The decisions that can be typed.
const CHOICES: &str = "generate-fix-plan, stop or force-test";

fn gate_choice(text: &str) -> Result<GateChoice, Problem> {
    match text.trim() {
        "generate-fix-plan" => Ok(GateChoice::GenerateFixPlan),
        "stop" => Ok(GateChoice::Stop),
        "force-test" => Ok(GateChoice::ForceTest),
        other => {
            let found: String = other.chars().take(80).collect();
            Err(Problem::new(ValidationCode::GateChoice, "Say what to do about the gaps.")
                .found(if found.is_empty() { "nothing".to_owned() } else { found })
                .allowed(CHOICES)
                .next("Type /validate-decide followed by exactly one of these choices. There is no default."))
        }
    }
}

/// The error for a command that needs a run when there is none.
pub fn no_run() -> Problem {
    Problem::new(ValidationCode::NoRun, "There is no validation yet.")
        .next("Type /validate followed by what must be true.")
}
