//! Who the prompts address.

use kernel::json::Deserialize;
use serde::Serialize;

/// The purpose of a lab session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Names the run.
    Topic,
    /// Writes a design.
    Designer,
    /// Reviews designs.
    Reviewer,
}
