//! What the kernel's protocol carries in Validation: how a run is opened, what happens in one, and its effects.
//!
//! A job is called `verify:1`, `journeys:1` or `tests:1`. Effects are numbered from 1 over the whole run, and answered by their
//! number. What the shell reports of pages and logs contains none of the secrets that the settings name: it redacts before it reports.

use super::install;
use super::live::Lie;
use super::repeat::Repeat;
use super::settings::{CheckSettings, Counterfeit, ServerSettings, ValidationSettings};
use crate::shared::Rules;
use crate::shared::expected::Expected;
use crate::shared::prices;
use crate::shared::ran::Ran;
use crate::shared::spelled::for_shell;
use kernel::protocol::ModelFacts;
use serde::{Deserialize, Serialize};

/// An event of a run.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// What happened in a run.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// What the shell has to do for a run.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, Effect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// What the journals of this workflow say they are of.
pub(super) const WORKFLOW: &str = "validation";

/// How a run begins: everything that it depends on but the models.
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
    /// When the run was asked for, in UTC, `YYYYMMDDTHHMMSSZ`: begins its name.
    pub stamp: String,
    /// Four hexadecimal digits by chance: end its name.
    pub suffix: String,
    /// What is validated.
    pub subject: Subject,
    /// How much of it is done. Older journals don't have it: they are of the whole.
    #[serde(default)]
    pub scope: Scope,
    /// Who is asked.
    pub models: Models,
    /// The tests of an earlier run, when these are repeated and no model is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub repeat: Option<Box<Repeat>>,
    /// Sentences that the user should read.
    pub notes: Vec<String>,
    /// The prices that the host's catalogue has for the models in use.
    pub prices: Vec<ModelFacts>,
    /// What the run is expected to take; `None` when nobody foresaw it, or no model is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub expected: Option<Expected>,
    /// What `.opencode/validation.jsonc` says.
    pub settings: ValidationSettings,
    /// The seed of the jitter of pauses, below 2^53.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
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
    /// All of it: `/validate`.
    #[default]
    Full,
    /// A model goes through the criteria, and that is all: `/validate-work`.
    Work,
    /// A model looks for journeys and gaps, and that is all: `/validate-flows`.
    Flows,
}

/// What is validated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSubject"))]
pub struct Subject {
    /// In a line.
    pub title: String,
    /// What was asked for, in full.
    pub text: String,
    /// Where that comes from.
    pub source: SubjectSource,
    /// What must be true. Empty if the text doesn't list it: the verifier then does.
    pub criteria: Vec<Criterion>,
}

/// Where it comes from what is validated.
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
        /// As the user named it.
        path: String,
    },
}

/// Something that has to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationCriterion"))]
pub struct Criterion {
    /// `C1`, `C2`, ….
    pub id: String,
    /// What has to hold.
    pub text: String,
}

/// Who is asked for what, each as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationModels"))]
pub struct Models {
    /// Goes through the criteria.
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

    /// Who is asked for what in a run of this scope.
    pub(super) fn roles(&self, scope: Scope) -> Vec<(&'static str, Vec<&String>)> {
        let [verifier, analyst, tester] = self.all();
        let all = [("verifier", verifier), ("analyst", analyst), ("tester", tester)];
        let asked = self.of(scope);
        all.into_iter()
            .filter(|(_, id)| asked.iter().any(|one| std::ptr::eq(*one, *id)))
            .map(|(role, id)| (role, vec![id]))
            .collect()
    }

    /// The same in a sentence, before any of them is asked.
    pub(super) fn wording(&self, scope: Scope) -> String {
        let roles = self.roles(scope);
        if let Some((_, first)) = roles.first().filter(|(_, first)| roles.iter().all(|(_, ids)| ids == first))
        {
            return format!("Model: {}.", first[0]);
        }
        let wording = roles.into_iter().map(|(role, ids)| format!("{role} {}", ids[0]));
        format!("Models: {}.", wording.collect::<Vec<_>>().join(", "))
    }

    /// Those that a run of this scope asks.
    fn of(&self, scope: Scope) -> Vec<&String> {
        match scope {
            Scope::Full => self.all().to_vec(),
            Scope::Work => vec![&self.verifier],
            Scope::Flows => vec![&self.analyst],
        }
    }

    /// What is known of them, where the catalogue said this of them.
    pub(super) fn known(&self, settings: &ValidationSettings, catalogue: &[ModelFacts]) -> Vec<ModelFacts> {
        prices::facts(&self.all(), catalogue, &settings.prices)
    }

    /// Why the cap in dollars can't hold in a run of this scope, in words; `None` when it does, or there is none.
    pub(super) fn void_cap(
        &self,
        scope: Scope,
        settings: &ValidationSettings,
        known: &[ModelFacts],
    ) -> Option<String> {
        prices::void_cap("budget", &settings.budget, &self.of(scope), known)
    }
}

/// What a child session is for: decides the agent, `validation-verifier`, `validation-analyst` or `validation-tester`. All of
/// them only read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRole"))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Goes through the criteria.
    Verifier,
    /// Lists journeys and gaps.
    Analyst,
    /// Writes the tests.
    Tester,
}

/// What happens in a run beside what happens in any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationDecision"))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// The user decided what to do about the gaps.
    GateDecided {
        /// What.
        decision: GateChoice,
    },
    /// The user lets the commands run that were shown.
    Allowed {
        /// The hash of these commands, as the run's facts had it.
        commands: String,
    },
    /// What the settings say has changed. It holds from here on.
    Configured {
        /// What they say now.
        settings: Box<ValidationSettings>,
        /// Whether the run continues with it in a new process, as by [`kernel::protocol::EventKind::Resumed`].
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
        /// In the order of the effect's.
        servers: Vec<ServerStarted>,
        /// The project's files at that moment. Older journals don't have it.
        #[serde(default)]
        sources: Option<Sources>,
    },
    /// An answer to [`Effect::StartServers`]: one is not. Those that were started still run; they are ended by the teardown.
    ServerFailed {
        /// The effect's number.
        effect: u32,
        /// Its name.
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
        /// What was seen.
        ran: RanTests,
        /// Milliseconds that it took, whole.
        #[cfg_attr(test, ts(type = "number"))]
        duration_ms: u64,
        /// What else was noted of it. Older journals don't have it.
        #[serde(default)]
        noted: Noted,
    },
    /// The project's files as [`Effect::RunTests`] finds them, before its tests run. Older journals don't have it.
    FilesSeen {
        /// The effect's number.
        effect: u32,
        /// What was seen.
        files: FilesSeen,
    },
    /// A test of [`Effect::RunTests`] began. People see by it how far the run is; nothing follows from it.
    TestBegan {
        /// The effect's number.
        effect: u32,
        /// Which of its tests it is, from 1.
        test: u32,
        /// How many there are.
        of: u32,
    },
    /// The answer to [`Effect::LookAtPages`].
    PagesSeen {
        /// The effect's number.
        effect: u32,
        /// What was seen.
        seen: LookedAt,
    },
    /// The answer to [`Effect::StopServers`] and to [`Effect::TearDown`].
    TornDown {
        /// The effect's number.
        effect: u32,
        /// What became of each process that was there to be ended.
        processes: Vec<ProcessEnd>,
        /// Every file of evidence; none of [`Effect::StopServers`].
        evidence: Vec<EvidenceFile>,
    },
    /// An effect could not be done at all: a file could not be written, the registry of processes not be read.
    EffectFailed {
        /// The effect's number.
        effect: u32,
        /// Why, in a sentence for people.
        message: String,
    },
}

/// How much of the end of a server's log goes into an event, in characters.
pub const LOG_TAIL: usize = 4_000;

/// What the user decides about gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationGateChoice"))]
#[serde(rename_all = "kebab-case")]
pub enum GateChoice {
    /// A goal that closes them is written for Flow; nothing is tested.
    GenerateFixPlan,
    /// Nothing more is done.
    Stop,
    /// What is there is tested all the same.
    ForceTest,
}

/// What became of a listing of tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListed"))]
#[serde(tag = "listed", rename_all = "snake_case")]
pub enum Listed {
    /// The files could be read.
    Tests {
        /// The tests that they hold.
        tests: Vec<ListedTest>,
    },
    /// They couldn't: the fault is in them.
    Unreadable {
        /// What Playwright says.
        message: String,
    },
    /// Nothing could be listed, whatever the files hold.
    Impossible {
        /// What is missing.
        obstacle: Obstacle,
    },
}

/// Whose a test is.
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

/// A test, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListedTest"))]
pub struct ListedTest {
    /// The file, below the run's directory; of the project's own tests, below the project's root.
    pub file: String,
    /// Its title behind those of its groups.
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
        /// Where Playwright Test is, from the project's root; `None` when the root finds it. Older journals don't have it.
        #[serde(default)]
        directory: Option<String>,
    },
    /// No Node.js.
    NoNode,
    /// No axe-core, which the settings ask for.
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

    /// What fixes it, as a sentence without its full stop.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoPlaywright => format!(
                "Install it with {}; or in the project with `npm install --save-dev @playwright/test`; or \
                 name its directory in `playwright.directory`",
                install::offer()
            ),
            Self::NoBrowser { directory } => format!(
                "Install one with `{} install chromium`, or name one in `playwright.browser`",
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

/// How people call Playwright; `npx` takes what is installed at or above its prefix. `directory`: where it is, from the project's root;
/// `None` when the root finds it.
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
    /// Its address, without a slash at the end.
    pub url: String,
    /// The port.
    pub port: u16,
    /// The process that was started.
    pub pid: u32,
    /// By what it is known that the listener is ours.
    pub listener: Listener,
    /// Milliseconds from its start.
    #[cfg_attr(test, ts(type = "number"))]
    pub ready_after_ms: u64,
}

/// The project's files as they lay there when its servers were started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSources"))]
#[serde(tag = "sources", rename_all = "snake_case")]
pub enum Sources {
    /// They are in a repository of git.
    Git {
        /// What is checked out; none before the first commit.
        commit: Option<String>,
        /// The id of a tree with the files as they were, committed or not.
        tree: String,
        /// Those that differ from what is checked out. Older journals don't have it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        uncommitted: Option<Uncommitted>,
    },
    /// No git knows them.
    NoGit,
    /// Git couldn't tell.
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
    /// The first of them, from the root of the repository.
    pub files: Vec<String>,
    /// How many there are in all.
    pub count: u32,
}

/// By what it is known that a listener is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationListener"))]
#[serde(rename_all = "lowercase")]
pub enum Listener {
    /// It is in the group of the process that was started.
    Group,
    /// It carries the run's mark in its environment.
    Nonce,
    /// The system doesn't tell.
    Unknown,
}

/// Why a server isn't ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationServerFault"))]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum ServerFault {
    /// Somebody listens on its port already. It was not started.
    PortTaken {
        /// The port.
        port: u16,
        /// Who, where the system tells.
        pid: Option<u32>,
        /// Its command, where the system tells.
        command: Option<String>,
    },
    /// It could not be started.
    NotStarted {
        /// Why, in the system's words.
        message: String,
    },
    /// It ended before it was ready.
    Died {
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// The signal.
        signal: Option<String>,
    },
    /// Its time was up.
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
        /// Who, where the system tells.
        pid: Option<u32>,
        /// Its command, where the system tells.
        command: Option<String>,
    },
}

/// What was seen of a run of tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRanTests"))]
#[serde(tag = "ran", rename_all = "snake_case")]
pub enum RanTests {
    /// There is a report.
    Report {
        /// Every test of it.
        tests: Vec<TestSeen>,
    },
    /// There is none.
    Absent,
    /// There is one, and it is empty.
    Empty,
    /// There is one, and it can't be read.
    Unparsable {
        /// Why.
        message: String,
    },
    /// The run was stopped since it took too long.
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
    /// A server ended by itself, and the run was stopped.
    ServerEnded {
        /// Its name.
        server: String,
        /// Its exit code; `None` when a signal ended it.
        code: Option<i32>,
        /// The signal.
        signal: Option<String>,
        /// The last lines of its log, at most [`LOG_TAIL`] characters.
        tail: String,
        /// The test that began last. `None` when none had begun.
        test: Option<TestUnderWay>,
    },
}

/// A test that was under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestUnderWay"))]
pub struct TestUnderWay {
    /// Whose it is.
    pub whose: Whose,
    /// The file, below the run's directory; of the project's own tests, below the project's root.
    pub file: String,
    /// Its title behind those of its groups.
    pub title: String,
    /// Its tags, each with its `@`.
    pub tags: Vec<String>,
}

/// What was noted of a run of tests beside what its tests did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationNoted"))]
pub struct Noted {
    /// Playwright's version, as it says.
    pub playwright: Option<String>,
    /// The browser and its version, as it reports them; `None` when no test reached one.
    pub browser: Option<String>,
    /// What the servers wrote to their logs meanwhile.
    pub logs: Vec<LogEnd>,
    /// Where Playwright Test is, from the project's root; `None` when the root finds it. Older journals don't have it.
    #[serde(default)]
    pub directory: Option<String>,
    /// The files that changed since the servers were last started or the pass before ended, until the end of this pass: the
    /// application ran all the while. `None` where that can't be told. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub written: Option<Paths>,
}

/// The project's files before the tests of a pass run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationFilesSeen"))]
#[serde(tag = "files", rename_all = "snake_case")]
pub enum FilesSeen {
    /// They were read.
    Tree {
        /// The id of a tree with them: equal where, and only where, they are.
        tree: String,
        /// Those that differ from the tree that the effect named. `None` if it named none, or nobody knows that tree any more.
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
    /// The first of them, from the project's root, at most 1,000.
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

/// What was seen of a test in one pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestSeen"))]
pub struct TestSeen {
    /// Whose it is. Older journals don't have it: all were written for the run.
    #[serde(default)]
    pub whose: Whose,
    /// The file, below the run's directory; of the project's own tests, below the project's root.
    pub file: String,
    /// Its title behind those of its groups.
    pub title: String,
    /// Its tags, each with its `@`.
    pub tags: Vec<String>,
    /// How it ended.
    pub status: TestStatus,
    /// Its steps that are assertions.
    pub expects: u32,
    /// Assertions that failed although the test passed.
    pub caught: u32,
    /// Milliseconds that it took, whole.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
    /// What it failed by, at most 2000 characters, without colours; empty where it passed.
    pub error: String,
    /// What its pages wrote to the console, errors and warnings first, at most [`MOST_TOLD`].
    pub console: Vec<Told>,
    /// Requests of its pages that failed, at most [`MOST_TOLD`].
    pub failed_requests: Vec<FailedRequest>,
    /// What it left behind.
    pub attachments: Vec<Attachment>,
    /// The titles of its steps, at most [`MOST_TOLD`].
    pub steps: Vec<String>,
    /// The addresses that its pages came to, each once, at most [`MOST_TOLD`]. Older journals don't have it.
    #[serde(default)]
    pub visited: Vec<String>,
    /// What its last page showed when it failed. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shown: Option<Shown>,
    /// What it did and asserted, in its order, at most [`LONGEST_TRAIL`]. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub trail: Option<Vec<TrailStep>>,
    /// By what it answers for the application, at most [`MOST_TOLD`]. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub mocks: Vec<String>,
}

/// How many steps of a test the shell tells.
pub const LONGEST_TRAIL: usize = 200;

/// A step of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTrailStep"))]
pub struct TrailStep {
    /// What it is.
    pub kind: StepKind,
    /// As Playwright calls it.
    pub title: String,
    /// Why it failed; empty where it didn't.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<String>"))]
    pub error: String,
}

/// What a step is, by Playwright's own categories.
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
    /// Whether both are of the same test.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.whose, &self.file, &self.title) == (other.whose, &other.file, &other.title)
    }
}

/// How much the shell reports of one test, of each kind.
pub const MOST_TOLD: usize = 50;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestStatus"))]
#[serde(rename_all = "snake_case")]
pub enum TestStatus {
    /// It passed, as expected.
    Passed,
    /// It failed; or it declares that it is expected to.
    Failed,
    /// Its time was up.
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
    /// `error`, `warning`, `info`, …; `pageerror` of an exception that nobody caught.
    pub level: String,
    /// What it says.
    pub text: String,
    /// The page's address.
    pub page: String,
}

/// A request of a page that failed, or was answered by 400 or more.
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
    /// Why there was none, in the browser's words; else empty.
    pub reason: String,
}

/// Something that a test left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationAttachment"))]
pub struct Attachment {
    /// `trace`, `screenshot`, `video`, ….
    pub name: String,
    /// The file, below the run's directory.
    pub path: String,
}

/// What was seen of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLookedAt"))]
#[serde(tag = "looked", rename_all = "snake_case")]
pub enum LookedAt {
    /// There is a report.
    Pages {
        /// Every page that was to be looked at.
        pages: Vec<PageSeen>,
        /// The version of axe-core; `None` when it wasn't to be used, or isn't installed.
        axe: Option<String>,
    },
    /// There is none, or none that can be read; or it took too long.
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

/// A page, as somebody sees it who has only its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPageSeen"))]
pub struct PageSeen {
    /// The address that was asked for.
    pub url: String,
    /// The one that was come to.
    pub at: String,
    /// The status of the answer; `None` when there was no answer.
    pub status: Option<u16>,
    /// Whether it is HTML.
    pub is_html: bool,
    /// Its title.
    pub title: Option<String>,
    /// Its language, as it says.
    pub language: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The address by which it wants to be known.
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
    /// What the rule asks for.
    pub help: String,
    /// How many elements break it.
    pub elements: u32,
    /// The first of them, as a selector.
    pub example: String,
}

/// What became of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationProcessEnd"))]
pub struct ProcessEnd {
    /// The server's name, or what else it is for.
    pub name: String,
    /// Its number.
    pub pid: u32,
    /// How it ended.
    pub end: How,
    /// Why it was left alone; else empty.
    pub why: String,
    /// The command by which a person can look at it; empty where it is gone.
    pub look: String,
    /// Which facts were verified before anything was done.
    pub checked: Vec<String>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationHow"))]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// By itself, while it was looked at.
    EndedByItself,
    /// By a polite signal.
    Terminated,
    /// By force.
    Killed,
    /// It had ended before.
    AlreadyGone,
    /// It still runs, for it can't be shown to be ours.
    LeftAlone,
}

/// A file of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationEvidenceFile"))]
pub struct EvidenceFile {
    /// Below the run's directory.
    pub path: String,
    /// How long it is.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
    /// SHA-256 of it, in lower-case hex.
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
    /// Nothing that listens.
    Nothing,
    /// An empty page for every path.
    Blank,
    /// The recorded start page for every path, without its scripts.
    Frozen,
    /// The application itself, behind a proxy that changes what it answers.
    Live,
}

/// What a live counterfeit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationLive"))]
pub struct Live {
    /// What it changes.
    pub lie: Lie,
    /// By what, below 2^53.
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

/// Tests of the project's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationOwnTests"))]
pub struct OwnTests {
    /// Where they are, from the project's root.
    pub directory: String,
    /// They.
    pub tests: Vec<TestName>,
}

/// What a test is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationTestName"))]
pub struct TestName {
    /// The file, below the project's root.
    pub file: String,
    /// Its title behind those of its groups.
    pub title: String,
}

/// What is done in a run beside asking models. Each may be asked for again after a crash, under the same number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationEffect"))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Effect {
    /// List the tests of these files, which were written before. Answer with `tests_listed` or `effect_failed`.
    ListTests {
        /// Its number.
        effect: u32,
        /// Below the run's directory.
        files: Vec<String>,
    },
    /// List the project's own tests, all that this directory holds. Answer with `tests_listed` or `effect_failed`.
    ListOwnTests {
        /// Its number.
        effect: u32,
        /// From the project's root.
        directory: String,
    },
    /// Run the command of a check. Answer with `check_ran` or `effect_failed`.
    RunCheck {
        /// Its number.
        effect: u32,
        /// The check.
        check: CheckSettings,
        /// Which time it is, from 1.
        pass: u32,
        /// The file of its output, below the run's directory.
        output: String,
    },
    /// End what earlier processes of this run have left; then start the servers one after another, each once the one before is
    /// ready. Answer with `servers_started`, `server_failed` or `effect_failed`.
    StartServers {
        /// Its number.
        effect: u32,
        /// The servers.
        servers: Vec<ServerSettings>,
    },
    /// Run the tests of these files and these of the project's own, with the counterfeit in the place of the application unless they are run against that.
    /// Tell `files_seen` first, then answer with `tests_ran` or `effect_failed`.
    RunTests {
        /// Its number.
        effect: u32,
        /// What against.
        against: Against,
        /// Which pass it is, from 1.
        pass: u32,
        /// Below the run's directory.
        files: Vec<String>,
        /// Those of the project's own that count; `None` when none does.
        own: Option<OwnTests>,
        /// Which of the tests in `files` run; `None` for all of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        only: Option<Vec<TestName>>,
        /// What the live counterfeit does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        live: Option<Live>,
        /// The tree of the project's files by which the first pass ran; `None` in the first pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        since: Option<String>,
        /// The address of the first server. A counterfeit takes its port.
        base_url: String,
        /// Milliseconds that each test may take.
        #[cfg_attr(test, ts(type = "number"))]
        test_ms: u64,
        /// Milliseconds that an action or an assertion may wait; `None` for as long as Playwright lets it.
        #[cfg_attr(test, ts(type = "number | null"))]
        wait_ms: Option<u64>,
        /// Milliseconds that all of it may take.
        #[cfg_attr(test, ts(type = "number"))]
        timeout_ms: u64,
    },
    /// Look at pages of the application by a program in which no test runs. Answer with `pages_seen` or `effect_failed`.
    LookAtPages {
        /// Its number.
        effect: u32,
        /// Their addresses.
        pages: Vec<String>,
        /// Whether axe-core looks at them.
        a11y: bool,
        /// Milliseconds that each may take.
        #[cfg_attr(test, ts(type = "number"))]
        page_ms: u64,
        /// Milliseconds that all of it may take.
        #[cfg_attr(test, ts(type = "number"))]
        timeout_ms: u64,
    },
    /// End the servers. Answer with `torn_down` or `effect_failed`.
    StopServers {
        /// Its number.
        effect: u32,
    },
    /// End whatever of this run is still going on: a listing or a run of tests, whose answer nobody waits for any more, and every
    /// process; then make the digests of the evidence. Answer with `torn_down` or `effect_failed`. It is asked for in every
    /// ending, the user's cancel included.
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
