//! The result of a command that the shell ran: its end, its output, and whether that proves anything.

use super::runner;
use super::runners::{Runner, Tests};
use kernel::json::Deserialize;
use serde::Serialize;

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CommandRan"))]
pub struct Ran {
    /// How it ended.
    pub end: CommandEnd,
    /// The time that it took, in whole milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
    /// Its output, both streams in the order of arrival, in the file that the effect named.
    pub output: Output,
    /// What its output shows about tests, as read by `testsTold`; `None` when it shows nothing.
    pub tests: Option<Tests>,
    /// The test runner that was started without printing a summary; see [`Ran::heard_of`].
    #[serde(skip)]
    #[cfg_attr(test, ts(skip))]
    pub(crate) silent: Option<Runner>,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CommandEnd"))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum CommandEnd {
    /// On its own, with this exit code.
    Exited {
        /// 0 if it succeeded.
        code: i32,
    },
    /// By a signal that the plugin didn't send.
    Signalled {
        /// `SIGSEGV`, for example.
        signal: String,
    },
    /// It was stopped at its time limit.
    TimedOut,
    /// It could not be started: no such program, not executable.
    NotStarted {
        /// Why, in the system's words.
        message: String,
    },
}

/// The output of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "CommandOutput"))]
pub struct Output {
    /// Its length.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
    /// Its SHA-256, in lower-case hex.
    pub sha256: String,
    /// The last part of it, about [`TAIL`] characters.
    pub tail: String,
}

/// How much of the end of an output is stored in an event, in characters.
pub const TAIL: usize = 4_000;

impl Ran {
    /// The same, as the result of this command: a test runner that ended well without a summary didn't finish, so it is unknown whether
    /// a test ran.
    pub(crate) fn heard_of(self, argv: &[String]) -> Self {
        let silent = if self.tests.is_none() { runner::summarising(argv) } else { None };
        Self { silent, ..self }
    }

    /// Describes what it shows.
    pub(crate) fn account(&self) -> String {
        match () {
            () if self.passed() => format!("passed{}", self.account_of_tests()),
            () if self.is_hollow() => self.wording(),
            () => format!("failed, {}", self.wording()),
        }
    }

    /// Describes how it ended and, if it ended well, what its output shows about tests.
    pub(crate) fn wording(&self) -> String {
        let (end, tests) = (self.end.words(), self.account_of_tests());
        match () {
            () if self.is_hollow() => format!("{end}, but {}{tests}", self.nothing_ran()),
            () if self.ended_well() => format!("{end}{tests}"),
            () => end,
        }
    }

    /// Whether it ended well and a test ran, as far as that is known.
    pub(crate) fn passed(&self) -> bool {
        self.ended_well() && !self.is_hollow()
    }

    /// Whether it ended well without a known test run.
    pub(crate) fn is_hollow(&self) -> bool {
        self.ended_well()
            && (self.silent.is_some() || self.tests.as_ref().is_some_and(|tests| tests.ran == 0))
    }

    /// The runner that ended well and printed no summary; `None` when there is none.
    pub(crate) fn fell_silent(&self) -> Option<Runner> {
        self.silent.filter(|_| self.ended_well())
    }

    /// Explains why it is hollow.
    pub(crate) fn nothing_ran(&self) -> String {
        match self.fell_silent() {
            Some(runner) => {
                format!("{} printed no summary, so it is unknown whether a test ran", runner.name())
            }
            None => "no test ran".to_owned(),
        }
    }

    fn ended_well(&self) -> bool {
        self.end == CommandEnd::Exited { code: 0 }
    }

    fn account_of_tests(&self) -> String {
        match &self.tests {
            // That no test ran is said already.
            None | Some(Tests { skipped: 0, ran: 0, .. }) => String::new(),
            Some(Tests { skipped, ran: 0, .. }) => format!(" ({skipped} skipped)"),
            Some(Tests { skipped: 0, ran, .. }) => format!(" ({} ran)", tests(*ran)),
            Some(Tests { skipped, ran, .. }) => format!(" ({} ran, {skipped} skipped)", tests(*ran)),
        }
    }
}

fn tests(count: u32) -> String {
    if count == 1 { "1 test".to_owned() } else { format!("{count} tests") }
}

impl CommandEnd {
    /// In words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Exited { code } => format!("exit code {code}"),
            Self::Signalled { signal } => format!("ended by signal {signal}"),
            Self::TimedOut => "stopped because it took too long".to_owned(),
            Self::NotStarted { message } => format!("could not be started: {message}"),
        }
    }
}
