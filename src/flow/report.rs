//! A worker's report on its own work. It decides nothing on its own.

use super::schema;
use crate::shared::schema::DocumentKind;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;

/// What a worker returns: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// How the work ended, in the worker's opinion.
    pub outcome: WorkOutcome,
    /// What was done, or what blocks it.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub summary: String,
}

/// How work ended, in the worker's opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorkOutcome {
    /// The feature is built.
    Done,
    /// Something blocks the work that the worker can't resolve.
    Blocked,
    /// The feature can't be built as planned.
    ReplanRequired,
}

impl Report {
    /// Parses a worker's reply, or returns everything that is wrong with it.
    pub(super) fn from_reply(value: &Value) -> Result<Self, Vec<Problem>> {
        let problems = problems(value);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(value).map_err(|error| vec![DocumentKind::Report.unreadable(&error)])
    }
}

/// Everything that is wrong with a value as a report.
pub(super) fn problems(value: &Value) -> Vec<Problem> {
    schema::report_problems(value)
}
