//! The configuration of isolation.

use kernel::json::Deserialize;
use serde::Serialize;

/// What designers and reviewers may access.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Isolation {
    /// Whether isolation is on; the results say so if it isn't.
    pub enforce_design_isolation: bool,
    /// Globs, relative to the project, that are blocked in addition to the output directory, which is always blocked;
    /// at most 256.
    #[cfg_attr(test, schemars(length(max = 256)))]
    pub blocked_patterns: Vec<String>,
    /// Tools that designers and reviewers may call, at most 64.
    #[cfg_attr(test, schemars(length(max = 64)))]
    pub allowed_tools: Vec<String>,
}

impl Default for Isolation {
    fn default() -> Self {
        Self {
            enforce_design_isolation: true,
            blocked_patterns: Vec::new(),
            allowed_tools: ["read", "glob", "grep"].map(str::to_owned).to_vec(),
        }
    }
}
