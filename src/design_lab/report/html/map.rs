//! The decision map, above the designs.

use super::results;
use crate::design_lab::artefacts::{DecisionMap, StoredMap};

/// The checked points of a map.
pub(super) struct Map {
    /// Who says what.
    pub(super) source: String,
    pub(super) points: DecisionMap,
    /// What isn't shown; `None` when everything is.
    pub(super) left_out: Option<String>,
}

impl Map {
    pub(super) fn new(stored: &StoredMap) -> Self {
        Self {
            source: results::source(stored),
            points: stored.map.only_checked(),
            left_out: results::left_out(&stored.map),
        }
    }
}
