//! The stages of a run, in their order, and what is on record of each.

use super::protocol::Scope;
use serde::Serialize;

/// A stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// A model goes through the criteria.
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
    /// The tests run against counterfeits, once the servers are ended.
    NegativeControl,
    /// Everything that was started is ended, and the evidence counted.
    SafeTeardown,
    /// The verdict is computed.
    FinalReport,
}

impl Stage {
    /// All of them, in their order.
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

    /// The first stage from this one on that is in the scope. What ends a run is in each.
    pub(super) fn within(self, scope: Scope) -> Self {
        scope.stages().into_iter().find(|stage| *stage >= self).unwrap_or(Self::FinalReport)
    }

    /// What people read.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Verify => "check the work",
            Self::FlowAnalyze => "analyse the journeys",
            Self::GapGate => "decide about gaps",
            Self::TestPrep => "write the tests",
            Self::Checks => "run the checks",
            Self::ServersStart => "start the servers",
            Self::TestExecute => "test the application",
            Self::NegativeControl => "test counterfeits",
            Self::SafeTeardown => "stop what was started",
            Self::FinalReport => "report",
        }
    }

    /// Whether it runs a command or what a model wrote, or leads to it: no way leads there from gaps but the user's decision.
    pub(super) fn is_testing(self) -> bool {
        (Self::TestPrep..=Self::NegativeControl).contains(&self)
    }
}

impl Scope {
    /// Its stages, in their order.
    pub(super) fn stages(self) -> Vec<Stage> {
        let reads = |stage: Stage| vec![stage, Stage::SafeTeardown, Stage::FinalReport];
        match self {
            Self::Full => Stage::ALL.to_vec(),
            Self::Work => reads(Stage::Verify),
            Self::Flows => reads(Stage::FlowAnalyze),
        }
    }

    /// What the names of its runs begin with.
    pub(super) fn phase(self) -> &'static str {
        match self {
            Self::Full => "validate",
            Self::Work => "work",
            Self::Flows => "flows",
        }
    }

    /// What a model only read, where nothing is tested.
    pub(super) fn only_read(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Work => Some("a model read the code; nothing was tested"),
            Self::Flows => Some("a model read the code for journeys; nothing was tested"),
        }
    }
}

/// What is on record of a stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// When it began, by the run's clock; the first time, where it was gone back to.
    pub(super) began: Option<u64>,
    /// When it ended, by the run's clock.
    pub(super) ended: Option<u64>,
    /// Why it failed.
    pub(super) fault: Option<StageFault>,
}

/// Why a stage failed, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct StageFault {
    /// In a sentence; may quote.
    pub(super) message: String,
    /// What to do, in a sentence of our own.
    pub(super) next: String,
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StageState {
    /// It was not begun.
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
