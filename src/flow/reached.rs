//! How far a feature has come, with what exists only then: a complete feature has its proof, a blocked one its reason.

use super::gate::Proven;
use super::held::Ruling;
use super::of_feature::Change;
use super::protocol::TreeId;
use super::recovery::Recovery;
use super::session::{FeatureState, Progress};

/// How far a feature has come.
#[derive(Clone, Debug, Default)]
pub(super) enum Reached {
    /// It was not started.
    #[default]
    Pending,
    /// It is being built.
    Running,
    /// It could not be completed.
    Blocked(Box<Blocked>),
    /// It is complete, and this is the proof.
    Completed(Box<Proven>),
    /// It counts as complete in the copy of a session with which costs are foreseen: a forecast proves nothing.
    Foreseen,
}

/// What is known of a feature that could not be completed.
#[derive(Clone, Debug)]
pub(super) struct Blocked {
    /// Why it is blocked.
    pub(super) recovery: Recovery,
    /// What was tried, one line for each round.
    pub(super) tried: Vec<String>,
    /// The paths that its worker changed.
    pub(super) changed: Vec<String>,
    /// What its change adds of that which rules of the project forbid; `None` when no rule was checked.
    pub(super) ruling: Option<Ruling>,
}

impl Progress {
    /// The state in which the feature is.
    pub(super) fn state(&self) -> FeatureState {
        match self.reached {
            Reached::Pending => FeatureState::Pending,
            Reached::Running => FeatureState::Running,
            Reached::Blocked(_) => FeatureState::Blocked,
            Reached::Completed(_) | Reached::Foreseen => FeatureState::Completed,
        }
    }

    /// The tree with which the feature was completed; `None` unless it is complete.
    pub(super) fn tree(&self) -> Option<&TreeId> {
        match &self.reached {
            Reached::Completed(proven) => Some(proven.tree()),
            _ => None,
        }
    }

    /// What is known of the feature if it is blocked.
    pub(super) fn blocked(&self) -> Option<&Blocked> {
        match &self.reached {
            Reached::Blocked(blocked) => Some(blocked),
            _ => None,
        }
    }

    /// Why the feature is blocked, if it is.
    pub(super) fn recovery(&self) -> Option<&Recovery> {
        Some(&self.blocked()?.recovery)
    }

    /// What was tried before the feature was blocked, one line for each round.
    pub(super) fn tried(&self) -> &[String] {
        self.blocked().map_or(&[], |blocked| &blocked.tried)
    }

    /// What the feature changed, if it is complete or blocked.
    pub(super) fn change(&self) -> Change<'_> {
        match &self.reached {
            Reached::Completed(proven) => proven.change(),
            Reached::Blocked(blocked) => {
                Change { paths: &blocked.changed, ruling: blocked.ruling.as_ref(), ..Change::default() }
            }
            Reached::Pending | Reached::Running | Reached::Foreseen => Change::default(),
        }
    }
}
