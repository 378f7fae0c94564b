//! `results/ranking.json`: a public format. Names and nesting stay as they are here.
//!
//! A statistic that the data cannot carry is `null`; the reason stands in the `reasons` of the same object,
//! keyed by the field's name. All scores are on the common scale of 0–10 unless a field says otherwise. What is computed has
//! twelve significant digits.

use crate::design_lab::artefacts::Level;
use crate::design_lab::ids::{DesignId, ReviewerId};
use kernel::tokens::Tokens;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a statistic is missing, keyed by the name of its field in the same object.
pub type Reasons = BTreeMap<String, String>;

/// The result of a study: the order of the designs, and how sure it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ranking {
    /// Every design, best first; designs without a valid score come last, unranked.
    pub rankings: Vec<RankedDesign>,
    /// What may be claimed about the first place.
    pub verdict: Verdict,
    /// How far the reviewers agree.
    pub agreement: Agreement,
    /// What else than quality may have moved the scores.
    pub bias: Bias,
    /// What other methods, or fewer reviewers, would have said.
    pub sensitivity: Sensitivity,
    /// The model of paired comparisons; present in that mode only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairwise: Option<Pairwise>,
    /// How designs stand beside those they were made from; present where a run revised or merged designs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub gains: Vec<Gain>,
    /// What reviewers changed who were added once there was a ranking, each time; present where some were.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub additions: Vec<Addition>,
    /// What this result was made from.
    pub metadata: RankingMetadata,
}

/// What reviewers changed who joined once there was a ranking: the ranking without them, and with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Addition {
    /// Who joined.
    pub reviewers: Vec<ReviewerId>,
    /// The verdict before and after.
    pub verdict: [VerdictKind; 2],
    /// Who came first before and after.
    pub first: [Vec<DesignId>; 2],
    /// `agreement.effective_votes` before and after.
    pub effective_votes: [Option<f64>; 2],
    /// Designs whose rank, or range of ranks, is another.
    pub moved: Vec<Moved>,
    /// All that in sentences.
    pub sentences: Vec<String>,
    /// What it can't be taken for; empty where nobody who joined gave anything.
    pub caution: String,
}

/// A design whose rank, or range of ranks, is another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Moved {
    /// The design's id.
    pub design_id: DesignId,
    /// `rank` before and after.
    pub rank: [Option<u32>; 2],
    /// `rank_interval` before and after.
    pub rank_interval: [Option<[u32; 2]>; 2],
}

/// One design and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankedDesign {
    /// The design's id within the run.
    pub design_id: DesignId,
    /// What its author calls it; absent where that isn't known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The model that wrote it: `provider/model`; absent for a design by a person or of unknown origin.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// The file that it was read from, where the user brought it along.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// Its place by `adjusted_score` (in pairwise mode by strength), 1 is best; ties share a place (1, 2, 2, 4);
    /// null without a valid score.
    pub rank: Option<u32>,
    /// Mean of the reviewers' overall scores, each reviewer counting once, 0–10; reviews of a model's own design are
    /// left out where `metadata.self_reviews_excluded` says so.
    pub average_score: Option<f64>,
    /// Median of the same scores.
    pub median_score: Option<f64>,
    /// Sample variance (divisor n − 1) of the same scores, in squared points.
    pub score_variance: Option<f64>,
    /// The score that this panel would have given with every bias in the model taken out and every hole filled:
    /// design effect of the linear mixed model plus the panel's mean leniency, shrunken, in points of the scale of 0–10; an
    /// estimate that may lie a little beyond its ends.
    pub adjusted_score: Option<f64>,
    /// Best and worst place that the data leave open at 95%; it always holds `rank`.
    pub rank_interval: Option<[u32; 2]>,
    /// How many reviewers' scores `average_score` is made of (in pairwise mode: how many compared this design).
    pub reviewer_count: u32,
    /// Each reviewer's overall score, in the order of the reviewers; absent where designs were compared.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reviews: Vec<GivenScore>,
    /// The same by dimension, keyed by the dimension's name, in the dimension's own units.
    pub score_breakdown: BTreeMap<String, Breakdown>,
    /// The reviewers' comments on it.
    pub qualitative_summary: QualitativeSummary,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

impl RankedDesign {
    /// Whose it is: its model, or its file; `None` where that isn't known.
    pub fn author(&self) -> Option<&str> {
        self.file.as_deref().or(self.model.as_deref())
    }
}

/// What one reviewer gave a design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GivenScore {
    /// The reviewer's id.
    pub reviewer: ReviewerId,
    /// `provider/model`; absent for a person.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// The overall score, 0–10: the mean of its repeats.
    pub score: f64,
    /// Whether `average_score` and the like are made of it, too.
    pub counts: bool,
}

/// One design's scores on one dimension, in that dimension's own units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Breakdown {
    /// Mean over reviewers.
    pub mean: Option<f64>,
    /// Median over reviewers.
    pub median: Option<f64>,
    /// Sample variance over reviewers (divisor n − 1); null with fewer than two.
    pub variance: Option<f64>,
    /// Who gave `reviews`, in the same order.
    #[serde(default)]
    pub reviewers: Vec<ReviewerId>,
    /// Each counted reviewer's score, the mean of its repeats, in the order of the reviewers.
    pub reviews: Vec<f64>,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// Reviewers' comments on a design in words, given by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QualitativeSummary {
    /// What is good.
    pub strengths: Vec<String>,
    /// What is not.
    pub weaknesses: Vec<String>,
    /// What may go wrong.
    pub risks: Vec<String>,
    /// What it doesn't speak of and should.
    #[serde(default)]
    pub missing_considerations: Vec<String>,
    /// How risky each reviewer thinks building it is; of several repeats the highest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub risk_assessments: BTreeMap<String, Level>,
    /// What people wrote beside their scores.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub comments: Vec<String>,
}

/// What may be claimed about the first place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verdict {
    /// In one word.
    pub kind: VerdictKind,
    /// In one sentence, with the reason.
    pub sentence: String,
    /// The chance, 0–1, that the design in first place is truly the best of those ranked, under the model;
    /// null when the verdict is `insufficient`.
    pub probability: Option<f64>,
}

/// How sure the first place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    /// Every method and every panel with one reviewer left out put the same design first, and its rank interval holds
    /// no other place.
    Clear,
    /// One design is ahead, but not beyond doubt.
    Leaning,
    /// The scores do not separate the first from the second.
    TooCloseToCall,
    /// Fewer than two reviewers, fewer than two designs with scores, or no review that counts.
    Insufficient,
}

impl VerdictKind {
    /// In words, as a heading.
    pub fn words(self) -> &'static str {
        match self {
            Self::Clear => "Clear",
            Self::Leaning => "Leaning",
            Self::TooCloseToCall => "Too close to call",
            Self::Insufficient => "Not enough to tell",
        }
    }
}

/// How far the reviewers agree, by the reviews that count: those that `average_score` is made of. Only `effective_votes` and
/// `dissent` look at every review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Agreement {
    /// Kendall's coefficient of concordance W, 0–1, corrected for ties; where reviews are missing or don't count, two
    /// reviewers are compared on the designs that they share.
    pub kendall_w: Option<f64>,
    /// The mean rank correlation (Spearman's, pooled over pairs) of two reviewers, −1 to 1: W without the part that a small
    /// panel has by chance.
    pub rank_correlation: Option<f64>,
    /// Krippendorff's α: 1 is perfect agreement, 0 what chance would give, below 0 systematic disagreement.
    pub krippendorff_alpha: KrippendorffAlpha,
    /// How many reviewers with independent errors these are worth: what their residuals show, less the error that
    /// models are known to share and that scores alone can't show.
    pub effective_votes: Option<f64>,
    /// How many reviewers gave at least one valid score or verdict.
    pub reviewers: u32,
    /// Single scores that lie far from what the other scores predict, farthest first.
    pub dissent: Vec<Dissent>,
    /// By person among the reviewers: how far their order of the designs is that of the models.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub humans: BTreeMap<String, HumanAgreement>,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// How far a person's order of the designs is that of the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HumanAgreement {
    /// Kendall's τ-b between the person's overall scores and the models' mean overall scores: 1 is the same order, −1 the
    /// reverse, 0 no relation.
    pub kendall_tau_b: Option<f64>,
    /// The chance that as strong a relation, either way, appears without any: exact where the orders are few,
    /// else from a seeded sample of them.
    pub p_value: Option<f64>,
    /// How many designs both the person and a model scored.
    pub designs: u32,
    /// How many models scored some of them.
    pub models: u32,
    /// What this says, in words.
    pub sentence: String,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// Krippendorff's α under two metrics.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KrippendorffAlpha {
    /// By order only.
    pub ordinal: Option<f64>,
    /// By squared distance.
    pub interval: Option<f64>,
}

/// A reviewer far from the rest on one design.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dissent {
    /// Who.
    pub reviewer: ReviewerId,
    /// On which design.
    pub design_id: DesignId,
    /// What the reviewer gave, 0–10.
    pub score: f64,
    /// What all the other scores predict of this reviewer on this design.
    pub expected: f64,
    /// The reason that the reviewer gave for its scores, where one is known; given by the caller.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quote: Option<String>,
}

/// What else than quality may have moved the scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bias {
    /// Whether designs shown earlier got more.
    pub position: Audit,
    /// Whether longer designs got more.
    pub length: Audit,
    /// By reviewer who also wrote a design: how it treats that design.
    pub self_preference: BTreeMap<String, Preference>,
    /// By reviewer whose vendor's other models wrote a design: how it treats those.
    pub family_preference: BTreeMap<String, Preference>,
    /// By reviewer: how it uses the scale.
    pub reviewers: BTreeMap<String, ReviewerHabits>,
    /// Designs whose text addresses the reviewer; given by the caller.
    pub instructions_in_designs: Vec<InstructionInDesign>,
}

/// One possible bias: its size, and how likely chance alone would show one as large.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Audit {
    /// Position: points that the first place earned over the last (in pairwise mode: the share of verdicts that turned
    /// towards the design shown first, less the share that turned away). Length: Spearman's rank correlation of length and
    /// score.
    pub effect: Option<f64>,
    /// Two-sided, by permutation: exact where the permutations are few, else from a seeded sample of them (position in pairwise
    /// mode: an exact sign test).
    pub p_value: Option<f64>,
    /// How many observations the audit rests on: scores or pairs (position), designs (length).
    pub observations: u32,
    /// What this says, in words; "insufficient" where no outcome could have reached p ≤ 0.05.
    pub sentence: String,
}

/// How a reviewer treats designs that are its own, or its vendor's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Preference {
    /// Points above what the other reviewers' scores and its own leniency predict; negative when it is harder on them
    /// (in pairwise mode: its share of verdicts for them, less the unrelated reviewers' share).
    pub points: Option<f64>,
    /// The chance that as large a surplus falls on these designs if the reviewer doesn't care whose they are; one-sided, by
    /// permutation: exact where the permutations are few, else from a seeded sample of them.
    pub p_value: Option<f64>,
    /// What this says, in words.
    pub sentence: String,
}

/// How one reviewer uses the scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewerHabits {
    /// Points above the panel's mean for the same designs, as the mixed model estimates them, shrunken; negative is harsh.
    pub leniency: Option<f64>,
    /// Standard deviation of its scores over designs, its own among them, in points.
    pub spread: Option<f64>,
    /// Standard deviation between its repeated scores of one design, in points.
    pub repeat_spread: Option<f64>,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// Text in a design that addresses the reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstructionInDesign {
    /// The design.
    pub design_id: DesignId,
    /// The words, shortened.
    pub excerpt: String,
}

/// What other methods, or fewer reviewers, would have said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sensitivity {
    /// The order under each method.
    pub orders: Orders,
    /// The order under the ranking's own method without each reviewer, keyed by the reviewer left out.
    pub leave_one_out: BTreeMap<String, Vec<String>>,
}

/// Design ids, best first; designs that tie stand in the order of `rankings`; designs that a method can't place are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Orders {
    /// By `average_score`.
    pub mean: Vec<String>,
    /// By `median_score`.
    pub median: Vec<String>,
    /// By `adjusted_score`.
    pub adjusted: Vec<String>,
    /// By the share of the other designs that each reviewer puts below it, averaged over reviewers.
    pub borda: Vec<String>,
    /// By pairwise majorities won, ties counting half.
    pub copeland: Vec<String>,
    /// By Bradley–Terry strength over the comparisons that the scores imply.
    pub bradley_terry: Vec<String>,
}

/// The model of paired comparisons (Davidson 1970).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Pairwise {
    /// One per compared design, in the order of `rankings`.
    pub strengths: Vec<Strength>,
    /// Davidson's ν, at least 0: how readily reviewers call equals a tie; 0 where nothing was a tie.
    pub tie_parameter: f64,
    /// Log-odds that being shown first adds; 0 is none; null without verdicts that count. It is taken out of the strengths: where a pair was
    /// judged in both orders it cancels, elsewhere it is fitted beside them.
    pub order_effect: Option<f64>,
    /// How many verdicts turned with the order, among `pairs_in_both_orders`; each counts as a tie.
    pub flips: u32,
    /// How often one reviewer judged one pair in both orders.
    pub pairs_in_both_orders: u32,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// One design's strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Strength {
    /// The design's id within the run.
    pub design_id: DesignId,
    /// Natural logarithm of the strength; the mean over designs is 0.
    pub log_strength: f64,
    /// Of the logarithm, as if verdicts were independent of one another.
    pub standard_error: f64,
}

/// How much better a design is than one that it was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Gain {
    /// The newer design.
    pub design_id: DesignId,
    /// The one that it was made from.
    pub over: DesignId,
    /// The newer one's true quality less the older one's, as far as the reviewers show it, shrunken: in points of the scale of
    /// 0–10, in pairwise mode in natural logarithms of strength.
    pub difference: Option<f64>,
    /// Lower and upper end of the difference at 95%.
    pub interval: Option<[f64; 2]>,
    /// The chance, 0–1, that the newer design is truly better.
    pub probability: Option<f64>,
    /// In one word.
    pub kind: GainKind,
    /// In one sentence.
    pub sentence: String,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// What may be claimed about a gain. Each is judged by itself: of twenty, one may be noise all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GainKind {
    /// The interval lies above 0.
    Better,
    /// The interval lies below 0.
    Worse,
    /// The interval holds 0.
    WithinNoise,
    /// The data carry no interval.
    #[default]
    Insufficient,
}

/// What the result was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankingMetadata {
    /// Designs, unranked ones included.
    pub total_designs: u32,
    /// Reviewers with at least one valid score or verdict.
    pub total_reviewers: u32,
    /// `linear_mixed_model` or `davidson`.
    pub aggregation_method: String,
    /// When, ISO 8601 in UTC; given by the caller.
    pub generated_at: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// How many reviews of a model's own design (or its vendor's, where that is configured) were left out of the plain
    /// statistics.
    pub self_reviews_excluded: u32,
    /// What failed for good; given by the caller.
    pub failed: Vec<Failure>,
    /// Whether the run ended before it was complete; given by the caller.
    pub partial: bool,
    /// US dollars over the whole run; given by the caller.
    pub cost: f64,
    /// Tokens over the whole run; given by the caller.
    pub tokens: Tokens,
}

/// A model that failed for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// `design` or `review`.
    pub phase: String,
    /// The design's or reviewer's id.
    pub id: String,
    /// `provider/model`.
    pub model: String,
    /// Why, in a sentence.
    pub reason: String,
}
