//! What the kernel's protocol carries in Validation: how a run is opened, the events of a run, and its effects.
//!
//! A job is called `verify:1`, `journeys:1` or `tests:1`. Effects are numbered from 1 over the whole run, and answers refer to
//! them by number. The shell redacts the secrets that the settings name before it reports anything of pages and logs.

use super::before::Before;
use super::install;
use super::live::{Lie, LieOrder};
use super::repeat::Repeat;
use super::settings::{CheckSettings, Counterfeit, ServerSettings, ValidationSettings};
use crate::shared::Rules;
use crate::shared::expected::Expected;
use crate::shared::prices;
use crate::shared::ran::Ran;
use crate::shared::spelled::for_shell;
use kernel::json::Deserialize;
use kernel::protocol::ModelFacts;
use serde::Serialize;

/// An event of a run.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// The kind of an event.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// A command for the shell.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, Effect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// The workflow that this workflow's journals name.
pub(super) const WORKFLOW: &str = "validation";

/// The opening of a run: everything that it depends on except the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationOpening"))]
pub struct Opening {
    /// [`kernel::protocol::JOURNAL_VERSION`].
    pub version: u32,
    /// The workflow.
    pub workflow: String,
    /// The rules by which answers are accepted.
    #[serde(default, skip_serializing_if = "Rules::are_oldest")]
    #[cfg_attr(test, ts(optional, as = "Option<Rules>"))]
    pub acceptance: Rules,
    /// The package's version.
    pub package: String,
    /// When the run was requested, in UTC, `YYYYMMDDTHHMMSSZ`: the start of its name.
    pub stamp: String,
    /// Four random hexadecimal digits: the end of its name.
    pub suffix: String,
    /// What is validated.
    pub subject: Subject,
    /// How much of a validation is done. Older journals don't have it: they validated everything.
    #[serde(default)]
    pub scope: Scope,
    /// The models that are asked.
    pub models: Models,
    /// The tests of an earlier run, if this run repeats them and asks no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub repeat: Option<Box<Repeat>>,
    /// The run before on the same subject, if it found a criterion not to be met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub before: Option<Box<Before>>,
    /// Sentences that the user should read.
    pub notes: Vec<String>,
    /// The prices that the host's catalogue has for the models in use.
    pub prices: Vec<ModelFacts>,
    /// What the run is expected to cost; `None` when there is no forecast, or no model is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub expected: Option<Expected>,
    /// The settings in `.opencode/validation.jsonc`.
    pub settings: ValidationSettings,
    /// The seed of the jitter of pauses, below 2^53.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
    /// The seed of fast-check in the tests; `None` when they can't use it. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rule_seed: Option<u32>,
    /// The order in which tests meet the lies of the live counterfeit.
    #[serde(default, skip_serializing_if = "LieOrder::is_oldest")]
    #[cfg_attr(test, ts(optional, as = "Option<LieOrder>"))]
    pub lies: LieOrder,
}

impl kernel::workflow::Opening for Opening {
    fn version(&self) -> u32 {
        self.version
    }

    fn workflow(&self) -> &str {
        &self.workflow
    }
}

/// How much of a validation is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationScope"))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Everything: `/validate`.
    #[default]
    Full,
    /// Only a model's review of the criteria: `/validate-work`.
    Work,
    /// Only a model's search for journeys and gaps: `/validate-flows`.
    Flows,
}

/// What is validated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSubject"))]
pub struct Subject {
    /// A one-line title.
    pub title: String,
    /// The full text of the request.
    pub text: String,
    /// The source of that text.
    pub source: SubjectSource,
    /// What must be true. Empty if the text doesn't list it: the verifier then lists it.
    pub criteria: Vec<Criterion>,
}

/// The source of what is validated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSubjectSource"))]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum SubjectSource {
    /// The user typed it.
    Text,
    /// A session of Flow.
    Flow {
        /// Its name.
        session: String,
        /// The tree that its last complete feature left; `None` when no feature is complete.
        tree: Option<String>,
        /// The model of its worker, `provider/model`; `None` when no feature is complete. Older journals don't have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        worker: Option<String>,
    },
    /// The task of a ranked run of Design Lab.
    Run {
        /// Its name.
        run: String,
        /// The design that was to be built.
        design: String,
    },
    /// A file.
    File {
        /// The path as the user wrote it.
        path: String,
    },
}

/// Something that must be true.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationCriterion"))]
pub struct Criterion {
    /// `C1`, `C2`, ….
    pub id: String,
    /// What must be true.
    pub text: String,
}

/// The model for each role, each as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationModels"))]
pub struct Models {
    /// Reviews the criteria.
    pub verifier: String,
    /// Lists journeys and gaps.
    pub analyst: String,
    /// Writes the tests.
    pub tester: String,
}

impl Models {
    pub(super) fn all(&self) -> [&String; 3] {
        [&self.verifier, &self.analyst, &self.tester]
    }

    /// The roles of a run of this scope, each with its models.
    pub(super) fn roles(&self, scope: Scope) -> Vec<(&'static str, Vec<&String>)> {
        let [verifier, analyst, tester] = self.all();
        let all = [("verifier", verifier), ("analyst", analyst), ("tester", tester)];
        let asked = self.of(scope);
        all.into_iter()
            .filter(|(_, id)| asked.iter().any(|one| std::ptr::eq(*one, *id)))
            .map(|(role, id)| (role, vec![id]))
            .collect()
    }

    /// The roles and their models in a sentence, before any model is asked.
    pub(super) fn wording(&self, scope: Scope) -> String {
        let roles = self.roles(scope);
        if let Some((_, first)) = roles.first().filter(|(_, first)| roles.iter().all(|(_, ids)| ids == first))
        {
            return format!("Model: {}.", first[0]);
        }
        let wording = roles.into_iter().map(|(role, ids)| format!("{role} {}", ids[0]));
        format!("Models: {}.", wording.collect::<Vec<_>>().join(", "))
    }

    /// The models that a run of this scope asks.
    fn of(&self, scope: Scope) -> Vec<&String> {
        match scope {
            Scope::Full => self.all().to_vec(),
            Scope::Work => vec![&self.verifier],
            Scope::Flows => vec![&self.analyst],
        }
    }

    /// The known facts about the models, given those of the catalogue.
    pub(super) fn known(&self, settings: &ValidationSettings, catalogue: &[ModelFacts]) -> Vec<ModelFacts> {
        prices::facts(&self.all(), catalogue, &settings.prices)
    }

    /// Why the cap in dollars can't be enforced in a run of this scope, in words; `None` when it can, or there is no cap.
    pub(super) fn void_cap(
        &self,
        scope: Scope,
        settings: &ValidationSettings,
        known: &[ModelFacts],
    ) -> Option<String> {
        prices::void_cap("budget", &settings.budget, &self.of(scope), known)
    }
}

/// The purpose of a child session: decides the agent, `validation-verifier`, `validation-analyst` or `validation-tester`. All of
/// them are read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRole"))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reviews the criteria.
    Verifier,
    /// Lists journeys and gaps.
    Analyst,
    /// Writes the tests.
    Tester,
}

/// The events of a Validation run in addition to those of every run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationDecision"))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// The user decided what to do about the gaps.
    GateDecided {
        /// The decision.
        decision: GateChoice,
    },
    /// The user allows the commands that were shown to run.
    Allowed {
        /// The hash of these commands, as in the run's facts.
        commands: String,
    },
    /// The settings have changed. The new ones apply from here on.
    Configured {
        /// The new settings.
        settings: Box<ValidationSettings>,
        /// Whether the run continues with them in a new process, as with [`kernel::protocol::EventKind::Resumed`].
        resumes: bool,
    },
    /// The answer to [`Effect::ListTests`] and to [`Effect::ListOwnTests`].
    TestsListed {
        /// The effect's number.
        effect: u32,
        /// What was listed.
        listed: Listed,
    },
    /// The answer to [`Effect::RunCheck`].
    CheckRan {
        /// The effect's number.
        effect: u32,
        /// How it went.
        ran: Ran,
    },
    /// An answer to [`Effect::StartServers`]: every server is ready.
    ServersStarted {
        /// The effect's number.
        effect: u32,
        /// The servers, in the same order as in the effect.
        servers: Vec<ServerStarted>,
        /// The project's files at that moment. Older journals don't have it.
        #[serde(default)]
        sources: Option<Sources>,
    },
    /// An answer to [`Effect::StartServers`]: a server isn't ready. The servers that were started still run; the teardown ends them.
    ServerFailed {
        /// The effect's number.
        effect: u32,
        /// The server's name.
        server: String,
        /// Why.
        fault: ServerFault,
        /// The last lines of its log, at most [`LOG_TAIL`] characters.
        tail: String,
    },
    /// The answer to [`Effect::RunTests`].
    TestsRan {
        /// The effect's number.
        effect: u32,
        /// What was observed.
        ran: RanTests,
        /// The duration in whole milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        duration_ms: u64,
        /// What else was recorded about it. Older journals don't have it.
        #[serde(default)]
        noted: Noted,
    },
    /// The project's files as [`Effect::RunTests`] finds them before its tests run. Older journals don't have it.
    FilesSeen {
        /// The effect's number.
        effect: u32,
        /// What was found.
        files: FilesSeen,
    },
    /// A test of [`Effect::RunTests`] started. Shows people the run's progress; it has no other consequence.
    TestBegan {
        /// The effect's number.
        effect: u32,
        /// The test's position among the effect's tests, from 1.
        test: u32,
        /// How many tests there are.
        of: u32,
    },
    /// The answer to [`Effect::LookAtPages`].
    PagesSeen {
        /// The effect's number.
        effect: u32,
        /// What was found.
        seen: LookedAt,
    },
    /// The answer to [`Effect::StopServers`] and to [`Effect::TearDown`].
    TornDown {
        /// The effect's number.
        effect: u32,
        /// The outcome of each process that was to be ended.
        processes: Vec<ProcessEnd>,
        /// Every file of evidence; empty for [`Effect::StopServers`].
        evidence: Vec<EvidenceFile>,
    },
    /// An effect could not be carried out at all: a file could not be written, or the registry of processes could not be read.
    EffectFailed {
        /// The effect's number.
        effect: u32,
        /// Why, in a sentence for people.
        message: String,
    },
}

/// How much of the end of a server's log an event contains, in characters.
pub const LOG_TAIL: usize = 4_000;

/// The user's decision about gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationGateChoice"))]
#[serde(rename_all = "kebab-case")]
pub enum GateChoice {
    /// Write a goal for Flow that closes them, and test nothing.
    GenerateFixPlan,
    /// Do nothing more.
    Stop,
    /// Test what has been built anyway.
    ForceTest,
}

/// The outcome of listing tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListed"))]
#[serde(tag = "listed", rename_all = "snake_case")]
pub enum Listed {
    /// The files could be read.
    Tests {
        /// The tests in them.
        tests: Vec<ListedTest>,
    },
    /// The files could not be read, and the fault is in them.
    Unreadable {
        /// Playwright's message.
        message: String,
    },
    /// Nothing could be listed, regardless of the files.
    Impossible {
        /// What is missing.
        obstacle: Obstacle,
    },
}

/// The owner of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationWhose"))]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// A model wrote it for the run.
    #[default]
    Written,
    /// The project's own.
    Project,
}

/// A test in a listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListedTest"))]
pub struct ListedTest {
    /// The file, relative to the run's directory; for the project's own tests, relative to the project's root.
    pub file: String,
    /// Its title, preceded by those of its groups.
    pub title: String,
    /// Its tags, each with its `@`.
    pub tags: Vec<String>,
}

/// What this machine lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationObstacle"))]
#[serde(tag = "obstacle", rename_all = "snake_case")]
pub enum Obstacle {
    /// No `@playwright/test`.
    NoPlaywright,
    /// No browser.
    NoBrowser {
        /// Where Playwright Test is, relative to the project's root; `None` when the root resolves it. Older journals don't have it.
        #[serde(default)]
        directory: Option<String>,
    },
    /// No Node.js.
    NoNode,
    /// No axe-core, which the settings require.
    NoAxe,
}

impl Obstacle {
    /// What is missing.
    pub fn words(&self) -> &'static str {
        match self {
            Self::NoPlaywright => "Playwright Test isn't installed here.",
            Self::NoBrowser { .. } => "No browser for Playwright was found.",
            Self::NoNode => "Node.js was not found.",
            Self::NoAxe => "axe-core isn't installed here.",
        }
    }

    /// How to fix it, as a sentence without its full stop.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoPlaywright => format!(
                "{}. Or install it in the project with `npm install --save-dev @playwright/test`, or set \
                 `playwright.directory` to the directory where it is installed",
                install::offer()
            ),
            Self::NoBrowser { directory } => format!(
                "Install one with `{} install chromium`, or set `playwright.browser` to the path of one",
                playwright(directory.as_deref())
            ),
            Self::NoNode => "Install it from https://nodejs.org".to_owned(),
            Self::NoAxe => {
                "Install it with `npm install --save-dev axe-core` in the directory of Playwright Test"
                    .to_owned()
            }
        }
    }
}

/// The command for Playwright; `npx` runs what is installed at or above its prefix. `directory`: where it is, relative to the
/// project's root; `None` when the root resolves it.
pub(super) fn playwright(directory: Option<&str>) -> String {
    let prefix = directory.map(|directory| format!(" --prefix {}", for_shell(directory))).unwrap_or_default();
    format!("npx{prefix} playwright")
}

/// A server that is ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationServerStarted"))]
pub struct ServerStarted {
    /// Its name.
    pub name: String,
    /// Its address, without a trailing slash.
    pub url: String,
    /// The port.
    pub port: u16,
    /// The process that was started.
    pub pid: u32,
    /// The proof that the listener belongs to this run.
    pub listener: Listener,
    /// Milliseconds from its start until it was ready.
    #[cfg_attr(test, ts(type = "number"))]
    pub ready_after_ms: u64,
}

/// The project's files as they were when its servers were started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSources"))]
#[serde(tag = "sources", rename_all = "snake_case")]
pub enum Sources {
    /// They are in a Git repository.
    Git {
        /// The checked-out commit; `None` before the first commit.
        commit: Option<String>,
        /// The id of a tree with the files as they were, committed or not.
        tree: String,
        /// The files that differ from the checked-out commit. Older journals don't have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        uncommitted: Option<Uncommitted>,
    },
    /// They are not in a Git repository.
    NoGit,
    /// Git could not report them.
    Untold {
        /// Why.
        message: String,
    },
}

/// Files that aren't committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationUncommitted"))]
pub struct Uncommitted {
    /// The first of them, relative to the root of the repository.
    pub files: Vec<String>,
    /// How many there are in all.
    pub count: u32,
}

/// The proof that a listener belongs to this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListener"))]
#[serde(rename_all = "lowercase")]
pub enum Listener {
    /// It is in the group of the process that was started.
    Group,
    /// It carries the run's mark in its environment.
    Nonce,
    /// The system doesn't report it.
    Unknown,
}

/// Why a server isn't ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationServerFault"))]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum ServerFault {
    /// Another process already listens on its port. The server was not started.
    PortTaken {
        /// The port.
        port: u16,
        /// The process, if the system reports it.
        pid: Option<u32>,
        /// Its command, if the system reports it.
        command: Option<String>,
    },
    /// It could not be started.
    NotStarted {
        /// The system's error message.
        message: String,
    },
    /// It ended before it was ready.
    Died {
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// The signal.
        signal: Option<String>,
    },
    /// It wasn't ready in time.
    NotReady {
        /// Milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        after_ms: u64,
        /// The other ports on which it listens; empty if the system doesn't report them.
        listens_on: Vec<u16>,
    },
    /// Another process is using its port.
    ForeignListener {
        /// The port.
        port: u16,
        /// The process, if the system reports it.
        pid: Option<u32>,
        /// Its command, if the system reports it.
        command: Option<String>,
    },
}

/// The outcome of a run of tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRanTests"))]
#[serde(tag = "ran", rename_all = "snake_case")]
pub enum RanTests {
    /// There is a report.
    Report {
        /// Every test in it.
        tests: Vec<TestSeen>,
    },
    /// There is no report.
    Absent,
    /// The report is empty.
    Empty,
    /// The report can't be read.
    Unparsable {
        /// Why.
        message: String,
    },
    /// The run was stopped because it took too long.
    TimedOut {
        /// Milliseconds.
        #[cfg_attr(test, ts(type = "number"))]
        after_ms: u64,
    },
    /// Nothing could be run.
    Impossible {
        /// What is missing.
        obstacle: Obstacle,
    },
    /// A server ended on its own, and the run was stopped.
    ServerEnded {
        /// Its name.
        server: String,
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// The signal.
        signal: Option<String>,
        /// The last lines of its log, at most [`LOG_TAIL`] characters.
        tail: String,
        /// The test that started last. `None` when none had started.
        test: Option<TestUnderWay>,
    },
}

/// A test that was running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestUnderWay"))]
pub struct TestUnderWay {
    /// Its owner.
    pub whose: Whose,
    /// The file, relative to the run's directory; for the project's own tests, relative to the project's root.
    pub file: String,
    /// Its title, preceded by those of its groups.
    pub title: String,
    /// Its tags, each with its `@`.
    pub tags: Vec<String>,
}

/// What was recorded about a run of tests besides the results of its tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationNoted"))]
pub struct Noted {
    /// Playwright's version, as it reports it.
    pub playwright: Option<String>,
    /// The browser and its version, as it reports them; `None` when no test reached one.
    pub browser: Option<String>,
    /// What the servers wrote to their logs meanwhile.
    pub logs: Vec<LogEnd>,
    /// Where Playwright Test is, relative to the project's root; `None` when the root resolves it. Older journals don't have it.
    #[serde(default)]
    pub directory: Option<String>,
    /// The files that changed between the last start of the servers, or the end of the previous pass, and the end of this pass, while
    /// the application was running. `None` when unknown. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub written: Option<Paths>,
    /// Further ports on which the servers listen. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<u16>>"))]
    pub ports: Vec<u16>,
    /// The methods of the requests that the live counterfeit handed on to the application, each once; `UPGRADE` for a request that
    /// became something other than HTTP. `None` for other counterfeits. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub methods: Option<Box<[String]>>,
}

/// The project's files before the tests of a pass run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFilesSeen"))]
#[serde(tag = "files", rename_all = "snake_case")]
pub enum FilesSeen {
    /// They were read.
    Tree {
        /// The id of a tree that contains them: equal if and only if the files are.
        tree: String,
        /// The files that differ from the tree that the effect named. `None` if it named none, or that tree no longer exists.
        changed: Option<Paths>,
    },
    /// They could not be read.
    Untold {
        /// Why.
        message: String,
    },
}

/// Files of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPaths"))]
pub struct Paths {
    /// The first of them, relative to the project's root, at most 1,000.
    pub paths: Vec<String>,
    /// How many there are in all.
    pub count: u32,
}

/// The end of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLogEnd"))]
pub struct LogEnd {
    /// The server.
    pub server: String,
    /// Its last lines, at most [`LOG_TAIL`] characters.
    pub tail: String,
}

/// The result of a test in one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestSeen"))]
pub struct TestSeen {
    /// Its owner. Older journals don't have it: all tests were written for the run.
    #[serde(default)]
    pub whose: Whose,
    /// The file, relative to the run's directory; for the project's own tests, relative to the project's root.
    pub file: String,
    /// Its title, preceded by those of its groups.
    pub title: String,
    /// Its tags, each with its `@`.
    pub tags: Vec<String>,
    /// How it ended.
    pub status: TestStatus,
    /// How many of its steps are assertions.
    pub expects: u32,
    /// How many assertions failed although the test passed.
    pub caught: u32,
    /// The duration in whole milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
    /// Its error message, at most 2000 characters, without colours; empty if it passed.
    pub error: String,
    /// What its pages wrote to the console, errors and warnings first, at most [`MOST_TOLD`].
    pub console: Vec<Told>,
    /// Requests of its pages that failed, at most [`MOST_TOLD`].
    pub failed_requests: Vec<FailedRequest>,
    /// The files that it left behind.
    pub attachments: Vec<Attachment>,
    /// The titles of its steps, at most [`MOST_TOLD`].
    pub steps: Vec<String>,
    /// The addresses that its pages reached, each once, at most [`MOST_TOLD`]. Older journals don't have it.
    #[serde(default)]
    pub visited: Vec<String>,
    /// What its last page showed when it failed. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shown: Option<Shown>,
    /// Its actions and assertions in order, at most [`LONGEST_TRAIL`]. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trail: Option<Vec<TrailStep>>,
    /// The addresses outside the application's start address that it opened or requested itself, each once, at most [`MOST_TOLD`].
    /// Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub opened: Vec<String>,
    /// The calls with which it answers for the application, at most [`MOST_TOLD`]. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub mocks: Vec<String>,
    /// The code that it ran in pages, each once, at most [`MOST_TOLD`]; what is too long or too much ends in `…`. Older journals don't have
    /// it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub evaluated: Vec<String>,
    /// Milliseconds that its slowest assertion took; `None` if it asserted nothing. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub slowest_assertion_ms: Option<u64>,
    /// Milliseconds that its slowest action took, apart from those of Playwright's fixtures; `None` if it did nothing. Older journals
    /// don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "number"))]
    pub slowest_action_ms: Option<u64>,
    /// The rules that it tried with fast-check, in order, at most [`MOST_TOLD`]. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<RuleTried>>"))]
    pub rules: Vec<RuleTried>,
}

/// The inputs with which a test tried a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRuleTried"))]
pub struct RuleTried {
    /// How many were tried, apart from those that shrinking tried.
    pub inputs: u32,
    /// Whether the test's time was up before all were.
    pub interrupted: bool,
}

/// How many steps of a test the shell reports.
pub const LONGEST_TRAIL: usize = 200;

/// A step of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTrailStep"))]
pub struct TrailStep {
    /// Its kind.
    pub kind: StepKind,
    /// Playwright's title for it.
    pub title: String,
    /// Why it failed; empty if it didn't.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub error: String,
}

/// The kind of a step, by Playwright's own categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationStepKind"))]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// It asserts something.
    Expect,
    /// It calls Playwright.
    Call,
}

/// What a page showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationShown"))]
pub struct Shown {
    /// Its address.
    pub address: String,
    /// Its title.
    pub title: String,
    /// The text on it, at most 2000 characters.
    pub text: String,
}

impl TestSeen {
    /// Whether both are results of the same test.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.whose, &self.file, &self.title) == (other.whose, &other.file, &other.title)
    }
}

/// How many items of each kind the shell reports for one test.
pub const MOST_TOLD: usize = 50;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestStatus"))]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// It passed, as expected.
    Passed,
    /// It failed, or it declares that it is expected to fail.
    Failed,
    /// It ran out of time.
    TimedOut,
    /// Something stopped it.
    Interrupted,
    /// It was not run: `skip`, `fixme`.
    Skipped,
}

/// A line on the console of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTold"))]
pub struct Told {
    /// `error`, `warning`, `info`, …; `pageerror` for an uncaught exception.
    pub level: String,
    /// Its text.
    pub text: String,
    /// The page's address.
    pub page: String,
}

/// A request of a page that failed, or whose answer had a status of 400 or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFailedRequest"))]
pub struct FailedRequest {
    /// `GET`, …
    pub method: String,
    /// The address.
    pub url: String,
    /// The status of the answer; `None` when there was no answer.
    pub status: Option<u16>,
    /// Why there was none, in the browser's words; empty otherwise.
    pub reason: String,
}

/// A file that a test left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationAttachment"))]
pub struct Attachment {
    /// `trace`, `screenshot`, `video`, ….
    pub name: String,
    /// The file, relative to the run's directory.
    pub path: String,
}

/// The outcome of looking at pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLookedAt"))]
#[serde(tag = "looked", rename_all = "snake_case")]
pub enum LookedAt {
    /// There is a report.
    Pages {
        /// Every page that was to be looked at.
        pages: Vec<PageSeen>,
        /// The version of axe-core; `None` when it was not requested, or isn't installed.
        axe: Option<String>,
    },
    /// There is no report, it can't be read, or looking took too long.
    Unreadable {
        /// Why.
        message: String,
    },
    /// No page could be looked at.
    Impossible {
        /// What is missing.
        obstacle: Obstacle,
    },
}

/// A page, as seen by a visitor who has only its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPageSeen"))]
pub struct PageSeen {
    /// The requested address.
    pub url: String,
    /// The final address.
    pub at: String,
    /// The status of the answer; `None` when there was no answer.
    pub status: Option<u16>,
    /// Whether it is HTML.
    pub is_html: bool,
    /// Its title.
    pub title: Option<String>,
    /// Its declared language.
    pub language: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its canonical address.
    pub canonical: Option<String>,
    /// What axe-core found, at most [`MOST_TOLD`]; empty if it wasn't used.
    pub barriers: Vec<Barrier>,
    /// Why it could not be looked at.
    pub problem: Option<String>,
}

/// A rule of accessibility that a page breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationBarrier"))]
pub struct Barrier {
    /// The rule's id.
    pub rule: String,
    /// `minor`, `moderate`, `serious` or `critical`.
    pub impact: String,
    /// The rule's requirement.
    pub help: String,
    /// How many elements break it.
    pub elements: u32,
    /// The first of them, as a selector.
    pub example: String,
}

/// The outcome of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationProcessEnd"))]
pub struct ProcessEnd {
    /// The server's name, or the process's purpose.
    pub name: String,
    /// Its process ID.
    pub pid: u32,
    /// How it ended.
    pub end: How,
    /// Why it was left alone; empty otherwise.
    pub why: String,
    /// The command with which a person can inspect it; empty if it is gone.
    pub look: String,
    /// The facts that were verified before anything was done.
    pub checked: Vec<String>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationHow"))]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// On its own, while it was being checked.
    EndedByItself,
    /// By a polite signal.
    Terminated,
    /// By force.
    Killed,
    /// It had already ended.
    AlreadyGone,
    /// It still runs, because nothing proves that it belongs to this run.
    LeftAlone,
}

/// A file of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationEvidenceFile"))]
pub struct EvidenceFile {
    /// Its path, relative to the run's directory.
    pub path: String,
    /// Its size in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
    /// Its SHA-256, in lower-case hex.
    pub sha256: String,
}

/// What tests are run against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationAgainst"))]
#[serde(rename_all = "lowercase")]
pub enum Against {
    /// The application itself.
    Application,
    /// Nothing: no server listens.
    Nothing,
    /// An empty page for every path.
    Blank,
    /// The recorded start page for every path, without its scripts.
    Frozen,
    /// The application itself, behind a proxy that changes its answers.
    Live,
}

/// What a live counterfeit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLive"))]
pub struct Live {
    /// What it changes.
    pub lie: Lie,
    /// The seed of the changes, below 2^53.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
}

impl From<Counterfeit> for Against {
    fn from(counterfeit: Counterfeit) -> Self {
        match counterfeit {
            Counterfeit::Nothing => Self::Nothing,
            Counterfeit::Blank => Self::Blank,
            Counterfeit::Frozen => Self::Frozen,
            Counterfeit::Live => Self::Live,
        }
    }
}

/// Some of the project's own tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationOwnTests"))]
pub struct OwnTests {
    /// Their directory, relative to the project's root.
    pub directory: String,
    /// The tests.
    pub tests: Vec<TestName>,
}

/// The name of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestName"))]
pub struct TestName {
    /// The file, relative to the project's root.
    pub file: String,
    /// Its title, preceded by those of its groups.
    pub title: String,
}

/// The lie of the live counterfeit that a test meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestLie"))]
pub struct TestLie {
    /// The owner of the test.
    pub whose: Whose,
    /// The file, relative to the run's directory; for the project's own tests, relative to the project's root.
    pub file: String,
    /// Its title, preceded by those of its groups.
    pub title: String,
    /// The lie.
    pub lie: Lie,
}

/// How long a test may wait at most when a counterfeit replaces the application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestWaits"))]
pub struct TestWaits {
    /// Its title, preceded by those of its groups. Tests of the same title share the limits.
    pub title: String,
    /// Milliseconds that each of its actions may wait.
    #[cfg_attr(test, ts(type = "number"))]
    pub wait_ms: u64,
    /// Milliseconds that each of its assertions may wait. The time begins again while the page receives answers.
    #[cfg_attr(test, ts(type = "number"))]
    pub assert_ms: u64,
}

/// What a run does besides asking models. Each effect may be requested again after a crash, under the same number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationEffect"))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Effect {
    /// List the tests of these files, which already exist. Answer with `tests_listed` or `effect_failed`.
    ListTests {
        /// Its number.
        effect: u32,
        /// Their paths, relative to the run's directory.
        files: Vec<String>,
    },
    /// List all of the project's own tests in this directory. Answer with `tests_listed` or `effect_failed`.
    ListOwnTests {
        /// Its number.
        effect: u32,
        /// Its path, relative to the project's root.
        directory: String,
    },
    /// Run the command of a check. Answer with `check_ran` or `effect_failed`.
    RunCheck {
        /// Its number.
        effect: u32,
        /// The check.
        check: CheckSettings,
        /// Which run of the check this is, from 1.
        pass: u32,
        /// The file for its output, relative to the run's directory.
        output: String,
    },
    /// End what earlier processes of this run left behind; then start the servers one after another, each once the previous one is
    /// ready. Answer with `servers_started`, `server_failed` or `effect_failed`.
    StartServers {
        /// Its number.
        effect: u32,
        /// The servers.
        servers: Vec<ServerSettings>,
    },
    /// Run the tests of these files and these tests of the project's own, with the counterfeit in place of the application unless they
    /// run against the application. Report `files_seen` first, then answer with `tests_ran` or `effect_failed`.
    RunTests {
        /// Its number.
        effect: u32,
        /// What they run against.
        against: Against,
        /// Which pass it is, from 1; 0 for the one in which each test meets the lie that fits it.
        pass: u32,
        /// The paths of the files, relative to the run's directory.
        files: Vec<String>,
        /// The project's own tests that count; `None` when none does.
        own: Option<OwnTests>,
        /// Which of the tests in `files` run; `None` for all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        only: Option<Vec<TestName>>,
        /// What the live counterfeit does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        live: Option<Live>,
        /// The lie of each test with the same seed, if they meet different ones.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<TestLie>>"))]
        lies: Vec<TestLie>,
        /// The seed of fast-check; `None` when the tests can't use it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        rule_seed: Option<u32>,
        /// Whether a video of each test is kept, not only of those that fail.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        video: bool,
        /// The tree of the project's files on which the first pass ran; `None` in the first pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        since: Option<String>,
        /// The address of the first server. A counterfeit takes over its port.
        base_url: String,
        /// The addresses of the other servers. A counterfeit takes over their ports as well.
        others: Vec<String>,
        /// Milliseconds that each test may take.
        #[cfg_attr(test, ts(type = "number"))]
        test_ms: u64,
        /// Milliseconds that an action or an assertion may wait; `None` for Playwright's own limit.
        #[cfg_attr(test, ts(type = "number | null"))]
        wait_ms: Option<u64>,
        /// Milliseconds that an assertion may wait; `None` if it may wait as long as an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional, type = "number"))]
        assert_ms: Option<u64>,
        /// What single tests may wait at most, whatever limit applies or the test itself states.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<TestWaits>>"))]
        waits: Vec<TestWaits>,
        /// Milliseconds that the whole run may take.
        #[cfg_attr(test, ts(type = "number"))]
        timeout_ms: u64,
    },
    /// Look at pages of the application with a program that runs no test. Answer with `pages_seen` or `effect_failed`.
    LookAtPages {
        /// Its number.
        effect: u32,
        /// Their addresses.
        pages: Vec<String>,
        /// Whether axe-core checks them.
        a11y: bool,
        /// Milliseconds that each may take.
        #[cfg_attr(test, ts(type = "number"))]
        page_ms: u64,
        /// Milliseconds that all of them together may take.
        #[cfg_attr(test, ts(type = "number"))]
        timeout_ms: u64,
    },
    /// End the servers. Answer with `torn_down` or `effect_failed`.
    StopServers {
        /// Its number.
        effect: u32,
    },
    /// End everything of this run that is still running: a listing or a run of tests whose answer is no longer needed, and every
    /// process; then compute the digests of the evidence. Answer with `torn_down` or `effect_failed`. It is requested at every
    /// ending, including the user's cancel.
    TearDown {
        /// Its number.
        effect: u32,
    },
}

impl Effect {
    /// Its number.
    pub fn number(&self) -> u32 {
        match self {
            Self::ListTests { effect, .. }
            | Self::ListOwnTests { effect, .. }
            | Self::RunCheck { effect, .. }
            | Self::StartServers { effect, .. }
            | Self::RunTests { effect, .. }
            | Self::LookAtPages { effect, .. }
            | Self::StopServers { effect }
            | Self::TearDown { effect } => *effect,
        }
    }
}
