//! The stages of a run, in order, and the record of each.

use super::protocol::Scope;
use serde::Serialize;

/// A stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// A model reviews the criteria.
    Verify,
    /// A model looks for journeys and gaps.
    FlowAnalyze,
    /// The user decides about gaps.
    GapGate,
    /// A model writes tests, and they are listed.
    TestPrep,
    /// The checks' commands run.
    Checks,
    /// The servers are started.
    ServersStart,
    /// The tests run against the application.
    TestExecute,
    /// The tests run against counterfeits, after the servers have ended.
    NegativeControl,
    /// Everything that was started is ended, and the evidence is recorded.
    SafeTeardown,
    /// The verdict is computed.
    FinalReport,
}

impl Stage {
    /// All of them, in order.
    pub(super) const ALL: [Self; 10] = [
        Self::Verify,
        Self::FlowAnalyze,
        Self::GapGate,
        Self::TestPrep,
        Self::Checks,
        Self::ServersStart,
        Self::TestExecute,
        Self::NegativeControl,
        Self::SafeTeardown,
        Self::FinalReport,
    ];

    /// The first stage in the scope from this one on. Every scope includes the stages that end a run.
    pub(super) fn within(self, scope: Scope) -> Self {
        scope.stages().into_iter().find(|stage| *stage >= self).unwrap_or(Self::FinalReport)
    }

    /// Its name for people.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Verify => "judge the code",
            Self::FlowAnalyze => "analyse the journeys",
            Self::GapGate => "decide about gaps",
            Self::TestPrep => "write the tests",
            Self::Checks => "run the checks",
            Self::ServersStart => "start the servers",
            Self::TestExecute => "test the application",
            Self::NegativeControl => "check that tests can fail",
            Self::SafeTeardown => "clean up",
            Self::FinalReport => "report",
        }
    }

    /// What people are told when it starts, for stages that take a while without a model.
    pub(super) fn announcement(self) -> Option<&'static str> {
        match self {
            Self::Checks => Some("Running the checks"),
            Self::ServersStart => Some("Starting the servers"),
            Self::TestExecute => Some("Testing the application"),
            Self::NegativeControl => Some("Running the tests against counterfeits, where they must fail"),
            _ => None,
        }
    }

    /// Whether it runs a command or a model's code, or prepares for that: after gaps are found, only the user's decision leads there.
    pub(super) fn is_testing(self) -> bool {
        (Self::TestPrep..=Self::NegativeControl).contains(&self)
    }
}

impl Scope {
    /// Its stages, in order.
    pub(super) fn stages(self) -> Vec<Stage> {
        let reads = |stage: Stage| vec![stage, Stage::SafeTeardown, Stage::FinalReport];
        match self {
            Self::Full => Stage::ALL.to_vec(),
            Self::Work => reads(Stage::Verify),
            Self::Flows => reads(Stage::FlowAnalyze),
        }
    }

    /// The prefix of its runs' names.
    pub(super) fn phase(self) -> &'static str {
        match self {
            Self::Full => "validate",
            Self::Work => "work",
            Self::Flows => "flows",
        }
    }

    /// The note that a model only read the code, if nothing is tested.
    pub(super) fn only_read(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Work => Some("a model read the code; nothing was tested"),
            Self::Flows => Some("a model listed the journeys in the code; nothing was tested"),
        }
    }
}

/// The record of a stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// When it began, by the run's clock; the first time if the run went back to it.
    pub(super) began: Option<u64>,
    /// When it ended, by the run's clock.
    pub(super) ended: Option<u64>,
    /// Why it failed.
    pub(super) fault: Option<StageFault>,
}

/// Why a stage failed, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct StageFault {
    /// The message, in a sentence; may quote.
    pub(super) message: String,
    /// What to do, in a sentence of this package.
    pub(super) next: String,
}

/// The state of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StageState {
    /// It has not started.
    Pending,
    /// It is under way, or waits for the user.
    Running,
    /// It is finished.
    Done,
    /// It failed.
    Failed,
    /// It was stopped before its end.
    Stopped,
}

impl StageState {
    /// In a word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Pending => "not started",
            Self::Running => "under way",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }

    /// A sign for it, one column wide.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Pending => "·",
            Self::Running => "●",
            Self::Done => "✓",
            Self::Failed => "✗",
            Self::Stopped => "○",
        }
    }
}
