//! How a design turned out after its run, as a person reported.

use crate::design_lab::ids::DesignId;
use kernel::json::Deserialize;
use serde::Serialize;

/// How a design turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum TurnedOut {
    /// It was implemented. This doesn't say how well it works.
    Built,
    /// It was implemented, and was seen to work.
    Validated,
    /// It was tried and didn't work, or was given up.
    Failed,
}

impl TurnedOut {
    /// All of them, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::Built, Self::Validated, Self::Failed];

    /// The word that the user types.
    pub fn word(self) -> &'static str {
        match self {
            Self::Built => "built",
            Self::Validated => "validated",
            Self::Failed => "failed",
        }
    }

    /// The end of a sentence whose subject is the design.
    pub fn predicate(self) -> &'static str {
        match self {
            Self::Built => "was built",
            Self::Validated => "was validated",
            Self::Failed => "failed",
        }
    }
}

/// What a person reports about how a design turned out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DesignOutcome {
    /// The design.
    pub design: DesignId,
    /// How it turned out.
    pub turned_out: TurnedOut,
    /// The person's remark in one line; may be empty.
    #[serde(default)]
    pub remark: String,
}

/// An outcome, and when it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatedOutcome {
    /// Milliseconds since 1970-01-01 UTC.
    pub at: u64,
    /// What the person said.
    pub outcome: DesignOutcome,
    /// Whether somebody else may have said it, on another machine.
    pub elsewhere: bool,
}
