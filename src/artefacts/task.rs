//! The task that every designer is given.

use serde::{Deserialize, Serialize};

/// The task of a run, as stored in `task.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What is to be designed, in the user's own words.
    pub problem_statement: String,
    /// What every design has to respect.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// Qualities the design has to reach: performance, security, scale.
    #[serde(default)]
    pub non_functional_requirements: Vec<String>,
}
