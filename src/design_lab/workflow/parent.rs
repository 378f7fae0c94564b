//! What a run may be built upon: the designs of an earlier run, reviewed again, revised by their authors, or merged.
//!
//! Such a run is a run like any other, with its own directory, journal, budget and ranking; the earlier one stays unchanged. Only its
//! start differs: it has designs already, and the new ones are made from them.

use super::candidate::OwnFile;
use super::map::Mapping;
use crate::design_lab::artefacts::{Design, Provenance};
use crate::design_lab::config::ModelEntry;
use crate::design_lab::ids::DesignId;
use kernel::json::Deserialize;
use serde::Serialize;
use std::collections::BTreeMap;

/// The id of a merged design.
pub(super) const MERGED: &str = "merged";

/// The earlier run that a run builds upon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Parent {
    /// The earlier run's directory, below the output directory.
    pub run: String,
    /// What is done with its designs.
    pub step: Step,
    /// Its designs that take part, best first if they were ranked.
    pub designs: Vec<EarlierDesign>,
    /// Where these designs agree and differ, for a model that merges them; `None` if nobody mapped that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub map: Option<Mapping>,
}

/// What is done with existing designs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Step {
    /// They are reviewed again.
    Review,
    /// Each author writes the next version of its own design.
    Refine {
        /// The id of each new version, with the id of the design that it is made from.
        versions: BTreeMap<DesignId, DesignId>,
        /// How many further rounds may follow this one.
        rounds: u32,
    },
    /// One model writes a design from the best parts of all.
    Merge {
        /// The id of the new design.
        id: DesignId,
    },
}

/// A design of an earlier run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EarlierDesign {
    /// Its id, the same in both runs.
    pub id: DesignId,
    /// The id of its first version.
    pub line: DesignId,
    /// The version, from 1.
    pub version: u32,
    /// The design.
    pub design: Design,
    /// The design's origin and original cost.
    pub metadata: Provenance,
    /// The file that it was read from, if no model wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub from: Option<OwnFile>,
    /// The reviewers' comments, without names and labels; empty if nothing will read them.
    #[serde(default)]
    pub feedback: Feedback,
}

/// Reviewers' comments on one design: nothing in them names the reviewer, or another design by its label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Feedback {
    /// What is good.
    pub strengths: Vec<String>,
    /// What is weak.
    pub weaknesses: Vec<String>,
    /// What the design doesn't consider.
    pub missing_considerations: Vec<String>,
    /// What may go wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// Why the scores or verdicts are as they are.
    pub justifications: Vec<String>,
}

impl Feedback {
    /// Whether there are no comments.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Parent {
    /// The design of this id, if it is one of the earlier run.
    pub(super) fn given(&self, id: &DesignId) -> Option<&EarlierDesign> {
        self.designs.iter().find(|given| given.id == *id)
    }

    /// The design whose next version has this id.
    pub(super) fn earlier_version(&self, id: &DesignId) -> Option<&EarlierDesign> {
        match &self.step {
            Step::Refine { versions, .. } => self.given(versions.get(id)?),
            Step::Review | Step::Merge { .. } => None,
        }
    }

    /// The line and the number of a design's version.
    pub(super) fn version(&self, id: &DesignId) -> (DesignId, u32) {
        let of = |given: &EarlierDesign, ahead: u32| (given.line.clone(), given.version + ahead);
        let known = self.given(id).map(|given| of(given, 0));
        known
            .or_else(|| self.earlier_version(id).map(|given| of(given, 1)))
            .unwrap_or_else(|| (id.clone(), 1))
    }

    /// The name by which a design's author may be known; the suffixes that the lab adds to ids are not part of it.
    pub(super) fn nickname(&self, model: &ModelEntry) -> String {
        let (line, _) = self.version(&model.design_id());
        if line.starts_with(MERGED) { model.name.clone() } else { line.to_string() }
    }

    /// Each new design paired with each design that it was made from.
    pub(super) fn contrasts(&self) -> Vec<(&DesignId, &DesignId)> {
        match &self.step {
            Step::Review => Vec::new(),
            Step::Refine { versions, .. } => versions.iter().collect(),
            Step::Merge { id } => self.designs.iter().map(|given| (id, &given.id)).collect(),
        }
    }
}

impl Step {
    /// The suffix of the topic in the name of such a run.
    pub(super) fn suffix(&self) -> &'static str {
        match self {
            Self::Review => "-reviewed",
            Self::Refine { .. } => "-refined",
            Self::Merge { .. } => "-merged",
        }
    }
}
