//! A review: what a review model must return, and how reviews and scores are stored.

use super::{ConstraintLine, Level, Provenance, StoredComparison};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use kernel::json::Deserialize;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a review model returns when asked for scores: one JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Evaluations {
    /// One evaluation per design shown.
    pub evaluations: Vec<Evaluation<Label>>,
}

/// One reviewer's comments on one design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Evaluation"))]
pub struct Evaluation<Id = DesignId> {
    /// In a reply, the label shown to the reviewer; in a stored document, the design's id.
    pub design_id: Id,
    /// In words.
    pub qualitative: Qualitative,
    /// In numbers.
    pub quantitative: Quantitative,
    /// On the constraints of the task, in their order. Reviews of earlier versions have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintLine>,
}

impl Evaluation<Label> {
    /// Returns the same evaluation with the id of the design that was shown under the label.
    pub fn of(self, design_id: DesignId) -> Evaluation {
        let Self { design_id: _, qualitative, quantitative, constraints } = self;
        Evaluation { design_id, qualitative, quantitative, constraints }
    }
}

/// The part in words.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Qualitative {
    /// What is good.
    pub strengths: Vec<String>,
    /// What is not.
    pub weaknesses: Vec<String>,
    /// What the design doesn't mention but should.
    pub missing_considerations: Vec<String>,
    /// What may go wrong when it is built or runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<String>,
    /// How risky building it would be.
    pub risk_assessment: Level,
    /// What the weaknesses quote from the design. Reviews of earlier versions have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<Quote>,
}

/// A passage of a design that a reviewer quotes for a weakness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Quote {
    /// The weakness.
    pub claim: String,
    /// The passage, as the reviewer gives it.
    pub quote: String,
    /// Whether the design contains it, as the reviewer saw the design. Case, whitespace and punctuation don't matter.
    #[serde(default)]
    pub found: bool,
}

/// How many quotes of a review the designs contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuoteTally {
    /// The quotes that were found.
    pub found: usize,
    /// All quotes.
    pub given: usize,
}

impl QuoteTally {
    /// Counts the quotes of these evaluations.
    pub fn of<'a, Id: 'a>(evaluations: impl Iterator<Item = &'a Evaluation<Id>>) -> Self {
        let quotes = evaluations.flat_map(|evaluation| &evaluation.qualitative.quotes);
        quotes.fold(Self::default(), |tally, quote| Self {
            found: tally.found + usize::from(quote.found),
            given: tally.given + 1,
        })
    }
}

impl std::fmt::Display for QuoteTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let noun = if self.given == 1 { "quote" } else { "quotes" };
        write!(f, "Design Lab found {} of {} {noun}", self.found, self.given)
    }
}

/// The part in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
// TypeScript has no type for "numbers, except these two keys".
#[cfg_attr(
    test,
    ts(type = "{ overall?: number, justification: string } & { [dimension: string]: number | string }")
)]
pub struct Quantitative {
    /// The reviewer's own overall score, which earlier versions asked for; never used for the ranking.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub overall: Option<f64>,
    /// The reasons for these numbers.
    #[serde(default)]
    pub justification: String,
    /// One score per configured dimension.
    #[serde(flatten)]
    pub scores: BTreeMap<String, f64>,
}

/// A reviewer's whole review as stored in `reviews/review-<reviewer>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredReview {
    /// The schema of this document.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The reviewer's id within the run.
    pub review_id: ReviewerId,
    /// The model that reviewed: `provider/model`.
    pub reviewer_model: String,
    /// Design ids in the order in which this reviewer saw them, one list per repeat.
    pub orders: Vec<Vec<DesignId>>,
    /// One evaluation per design and repeat, by real design id, in the run's order of designs.
    pub evaluations: Vec<Evaluation>,
    /// In pairwise mode, its verdicts in the order in which they were requested; `orders` and `evaluations` are then empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<StoredComparison>,
    /// The places in the project that the written review or the reasons cite, if they were looked up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<CitedPlace>,
    /// Where it came from.
    pub metadata: Provenance,
}

/// A place in the project that a reviewer cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CitedPlace {
    /// The path, with the line if the reviewer names one.
    pub place: String,
    /// Why it doesn't exist, after the word `cites`; missing if it exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub fault: Option<String>,
}

/// One reviewer's scores of one design as stored in `scores/<design>-reviewed-by-<reviewer>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredScore {
    /// The schema of this document.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The design scored.
    pub design_id: DesignId,
    /// The reviewer's id within the run.
    pub reviewer: ReviewerId,
    /// The reviewer's model: `provider/model`.
    pub reviewer_model: String,
    /// Whether the reviewer's model wrote the design.
    pub self_review: bool,
    /// One entry per repeat, in order.
    pub repeats: Vec<Evaluation>,
}
