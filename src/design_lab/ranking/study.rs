//! The input of a ranking as provided by the caller: rows by name, not yet validated.

use super::output::{Failure, InstructionInDesign, QualitativeSummary};
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::config::{Dimension, ReviewMode};
use crate::design_lab::ids::{DesignId, ReviewerId};
use design_lab_numerics::sorting::sorted_indices;
use kernel::json::Deserialize;
use kernel::tokens::Tokens;
use serde::Serialize;

/// Everything that [`rank`](super::rank) uses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Scores or comparisons.
    pub mode: ReviewMode,
    /// Every design of the run, with distinct ids.
    pub designs: Vec<DesignFacts>,
    /// Every reviewer of the run, with distinct ids.
    pub reviewers: Vec<ReviewerFacts>,
    /// The rubric; unused in pairwise mode.
    pub dimensions: Vec<Dimension>,
    /// The scores; unused in pairwise mode.
    #[serde(default)]
    pub rows: Vec<ScoreRow>,
    /// The order in which designs were shown, if known.
    #[serde(default)]
    pub shown: Vec<Shown>,
    /// The verdicts; in scores mode, those on designs whose scores are close.
    #[serde(default)]
    pub comparisons: Vec<Comparison>,
    /// The designs whose difference is to be estimated.
    #[serde(default)]
    pub contrasts: Vec<Contrast>,
    /// How reviews are counted.
    pub options: Options,
    /// Data that the ranking only passes on.
    #[serde(default)]
    pub context: Context,
}

impl Study {
    /// Returns the study with designs, reviewers and dimensions in the order of their names, so that no sum depends on the
    /// order in which they were given.
    pub(super) fn sorted(&self) -> Self {
        fn by_name<T: Clone>(items: &[T], name: impl Fn(&T) -> &str) -> Vec<T> {
            let order = sorted_indices(items.len(), &|a, b| name(&items[a]).cmp(name(&items[b])));
            order.into_iter().map(|index| items[index].clone()).collect()
        }
        Self {
            designs: by_name(&self.designs, |design| &design.id),
            reviewers: by_name(&self.reviewers, |reviewer| &reviewer.id),
            dimensions: by_name(&self.dimensions, |dimension| &dimension.name),
            ..self.clone()
        }
    }
}

/// The facts about a design that its ranking needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DesignFacts {
    /// Its id within the run.
    pub id: DesignId,
    /// The title that its designer gave it, if known; passed on.
    #[serde(default)]
    pub title: Option<String>,
    /// The model that wrote it: `provider/model`; `None` for a design by a person or of unknown origin.
    #[serde(default)]
    pub model: Option<String>,
    /// The file that it was read from, if no model of the run wrote it; passed on.
    #[serde(default)]
    pub file: Option<String>,
    /// The length of its text in characters, if known.
    #[serde(default)]
    pub length: Option<u64>,
    /// The reviewers' comments on it; passed on.
    #[serde(default)]
    pub qualitative_summary: QualitativeSummary,
}

impl DesignFacts {
    /// Returns the name to show for the model that wrote it.
    pub(super) fn told_model(&self) -> Option<String> {
        wording(self.model.as_deref(), &self.id)
    }
}

/// A reviewer: a model or a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewerFacts {
    /// Its id within the run.
    pub id: ReviewerId,
    /// `provider/model`; `None` for a person.
    #[serde(default)]
    pub model: Option<String>,
}

impl ReviewerFacts {
    /// Returns the name to show for its model.
    pub(super) fn told_model(&self) -> Option<String> {
        wording(self.model.as_deref(), &self.id)
    }
}

/// Returns a model's name for people. A table contains only ids and uses each as a model's name; such an id isn't shown
/// as a name.
fn wording(model: Option<&str>, id: &str) -> Option<String> {
    model.filter(|model| *model != id).map(str::to_owned)
}

/// One score, in its dimension's own units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreRow {
    /// The design's id.
    pub design: DesignId,
    /// The reviewer's id.
    pub reviewer: ReviewerId,
    /// Starts from 1, the default.
    #[serde(default = "first")]
    pub repeat: u32,
    /// The dimension's name.
    pub dimension: String,
    /// Within the dimension's bounds.
    pub score: f64,
}

/// The order in which one reviewer saw the designs in one repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The reviewer's id.
    pub reviewer: ReviewerId,
    /// Starts from 1.
    pub repeat: u32,
    /// Design ids, the first shown first.
    pub designs: Vec<DesignId>,
}

/// One verdict on one pair in one order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The reviewer's id.
    pub reviewer: ReviewerId,
    /// Starts from 1, the default.
    #[serde(default = "first")]
    pub repeat: u32,
    /// The design shown first.
    pub first: DesignId,
    /// The design shown second.
    pub second: DesignId,
    /// Which design is better.
    pub verdict: Preferred,
}

fn first() -> u32 {
    1
}

/// A design, and one it was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contrast {
    /// The newer one's id.
    pub design: DesignId,
    /// The older one's id.
    pub over: DesignId,
}

/// How reviews are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Whether a model's scores of its own design are left out of the plain statistics, and modelled in the adjusted
    /// score.
    pub exclude_self: bool,
    /// Whether designs by other models of the reviewer's vendor are treated in the same way.
    pub exclude_family: bool,
    /// The seed of every random draw.
    pub seed: u64,
}

/// Data that the ranking only passes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// The time of the ranking, ISO 8601 in UTC.
    pub generated_at: String,
    /// The models that failed permanently.
    pub failed: Vec<Failure>,
    /// Whether the run ended before it was complete.
    pub partial: bool,
    /// The cost of the whole run in US dollars.
    pub cost: f64,
    /// The tokens of the whole run.
    pub tokens: Tokens,
    /// Designs whose text addresses the reviewer.
    pub instructions_in_designs: Vec<InstructionInDesign>,
}
