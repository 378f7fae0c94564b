//! `results/ranking.json`: a public format. The names and nesting here are stable.
//!
//! A statistic that the data don't support is `null`; the reason is in the `reasons` of the same object, keyed by the
//! field's name. All scores are on the common scale of 0–10 unless a field says otherwise. Computed values have twelve
//! significant digits.

use super::rubric::RubricUsed;
use crate::design_lab::artefacts::Level;
use crate::design_lab::ids::{DesignId, ReviewerId};
use kernel::json::Deserialize;
use kernel::tokens::Tokens;
use serde::Serialize;
use std::collections::BTreeMap;

/// Why a statistic is missing, keyed by the name of its field in the same object.
pub type Reasons = BTreeMap<String, String>;

/// The result of a study: the order of the designs, and how certain it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Ranking {
    /// Every design, best first; designs without a valid score come last, unranked.
    pub rankings: Vec<RankedDesign>,
    /// What may be claimed about the first place.
    pub verdict: Verdict,
    /// What to do with it; absent if the verdict is `insufficient`, and in rankings by versions that didn't compute it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub choice: Option<Choice>,
    /// The rubric that reviewers used; absent in rankings of tables, and by versions that didn't record it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rubric: Option<RubricUsed>,
    /// How much the reviewers agree.
    pub agreement: Agreement,
    /// Influences other than quality that may have affected the scores.
    pub bias: Bias,
    /// The results of other methods, or of fewer reviewers.
    pub sensitivity: Sensitivity,
    /// The model of paired comparisons; present only in pairwise mode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pairwise: Option<Pairwise>,
    /// Close designs that reviewers compared on top of their scores; present if there were any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub close_pairs: Vec<ClosePair>,
    /// How designs compare with those they were made from; present if a run revised or merged designs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub gains: Vec<Gain>,
    /// What changed with each group of reviewers that was added after a ranking existed; present if there were any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub additions: Vec<Addition>,
    /// What this result was made from.
    pub metadata: RankingMetadata,
}

/// Two designs with close scores, which reviewers compared as well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClosePair {
    /// The two designs, the one with the higher adjusted score by scores alone first.
    pub designs: [DesignId; 2],
    /// How many reviewers compared them whose verdicts count.
    pub reviewers: u32,
    /// How many of these prefer each of the two; the others prefer neither, or changed their verdict with the order.
    pub preferred: [u32; 2],
    /// By how many points the first leads by scores alone.
    pub lead: f64,
    /// By how many points it leads with the comparisons; below 0 if they reverse the order.
    pub lead_with_comparisons: f64,
    /// The same as a sentence.
    pub sentence: String,
}

/// What changed with reviewers that joined after a ranking existed: the ranking without them, and with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Addition {
    /// The reviewers that joined.
    pub reviewers: Vec<ReviewerId>,
    /// The verdict before and after.
    pub verdict: [VerdictKind; 2],
    /// The designs in first place before and after.
    pub first: [Vec<DesignId>; 2],
    /// `agreement.effective_votes` before and after.
    pub effective_votes: [Option<f64>; 2],
    /// Designs whose rank, or range of ranks, changed.
    pub moved: Vec<Moved>,
    /// The same as sentences.
    pub sentences: Vec<String>,
    /// A caution about reviewers added after a ranking was seen; empty if none of them gave a score or verdict.
    pub caution: String,
}

/// A design whose rank, or range of ranks, changed.
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
    /// The title that its designer gave it; absent if unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// The model that wrote it: `provider/model`; absent for a design by a person or of unknown origin.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// The file that it was read from, if the user provided it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// Its place by `adjusted_score` (in pairwise mode by strength), 1 is best; ties share a place (1, 2, 2, 4);
    /// null without a valid score.
    pub rank: Option<u32>,
    /// Mean of the reviewers' overall scores, each reviewer counting once, 0–10; reviews of a model's own design are
    /// left out if `metadata.self_reviews_excluded` says so.
    pub average_score: Option<f64>,
    /// Median of the same scores.
    pub median_score: Option<f64>,
    /// Sample variance (divisor n − 1) of the same scores, in squared points.
    pub score_variance: Option<f64>,
    /// The score that this panel would have given without every bias in the model and with every missing score filled
    /// in: design effect of the linear mixed model plus the panel's mean leniency, shrunken, in points of the scale of
    /// 0–10; an estimate that may be slightly outside that scale.
    pub adjusted_score: Option<f64>,
    /// Best and worst place that are consistent with the data at 95%; always includes `rank`.
    pub rank_interval: Option<[u32; 2]>,
    /// How many reviewers' scores `average_score` is based on (in pairwise mode: how many compared this design).
    pub reviewer_count: u32,
    /// Each reviewer's overall score, in the order of their ids; absent if designs were compared.
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
    /// Returns the origin of the design: its model, or its file; `None` when unknown.
    pub fn author(&self) -> Option<&str> {
        self.file.as_deref().or(self.model.as_deref())
    }
}

/// A reviewer's score for a design.
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
    /// Whether `average_score` and the like include it.
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
    /// The reviewers who gave `reviews`, in the same order.
    #[serde(default)]
    pub reviewers: Vec<ReviewerId>,
    /// Each counted reviewer's score, the mean of its repeats, in the order of their ids.
    pub reviews: Vec<f64>,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// Reviewers' written comments on a design, provided by the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QualitativeSummary {
    /// What the design does well.
    pub strengths: Vec<String>,
    /// What the design does badly.
    pub weaknesses: Vec<String>,
    /// What may go wrong.
    pub risks: Vec<String>,
    /// What it doesn't address but should.
    #[serde(default)]
    pub missing_considerations: Vec<String>,
    /// How risky each reviewer considers building it; the highest of several repeats.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub risk_assessments: BTreeMap<String, Level>,
    /// Comments that people added to their scores.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub comments: Vec<String>,
}

/// What may be claimed about the first place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The kind of verdict.
    pub kind: VerdictKind,
    /// The verdict in one sentence, with the reason.
    pub sentence: String,
    /// The probability, 0–1, that the design in first place is truly the best of those ranked, under the model; null
    /// when the verdict is `insufficient`.
    pub probability: Option<f64>,
}

/// What to do with a ranking, according to the model that `verdict.probability` comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Choice {
    /// The designs to choose from: those in first place.
    pub first: Vec<DesignId>,
    /// How many points worse than the best design the first one is on average: what the model expects, multiplied by the
    /// factor that was measured on real panels; the highest value if several designs share the first place.
    pub expected_loss: Option<f64>,
    /// The probability, 0–1, that no design is more than half a point better than the first one; the lowest value if
    /// several share the first place.
    pub within_half_a_point: Option<f64>,
    /// The smallest set of designs that contains the best one with a probability of at least 0.9, in the order of
    /// `rankings`; at least two if the reviewers count as one.
    pub best_among: Vec<DesignId>,
    /// The other ranked designs, in the same order.
    pub left_aside: Vec<DesignId>,
    /// The dimensions in which no design has a higher mean than the single first one, if there are at most two of
    /// three or more, and no more than half of all; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub leads_only_in: Option<Vec<String>>,
    /// The choice in words.
    pub sentence: String,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// How certain the first place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    /// Every method and every panel with one reviewer left out put the same design first, and its rank interval
    /// includes no other place.
    Clear,
    /// One design is ahead, but not with certainty.
    Leaning,
    /// The scores do not separate the first design from the second.
    TooCloseToCall,
    /// Fewer than two reviewers, fewer than two designs with scores, or no review that counts.
    Insufficient,
}

impl VerdictKind {
    /// Returns the verdict as a heading.
    pub fn words(self) -> &'static str {
        match self {
            Self::Clear => "Clear",
            Self::Leaning => "Leaning",
            Self::TooCloseToCall => "Too close to call",
            Self::Insufficient => "Not enough to tell",
        }
    }
}

/// How much the reviewers agree, according to the reviews that count: those that `average_score` is based on. Only
/// `effective_votes` and `dissent` include every review.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Agreement {
    /// Kendall's coefficient of concordance W, 0–1, corrected for ties; if reviews are missing or don't count, two
    /// reviewers are compared on the designs that both reviewed.
    pub kendall_w: Option<f64>,
    /// The mean rank correlation (Spearman's, pooled over pairs) of two reviewers, −1 to 1: W without the part that a
    /// small panel has by chance.
    pub rank_correlation: Option<f64>,
    /// Krippendorff's α: 1 is perfect agreement, 0 the level expected by chance, below 0 systematic disagreement.
    pub krippendorff_alpha: KrippendorffAlpha,
    /// The equivalent number of reviewers with independent errors: what their residuals show (in pairwise mode: how alike
    /// their verdicts are), less the error that models are known to share and that scores alone can't show.
    pub effective_votes: Option<f64>,
    /// How many reviewers gave at least one valid score or verdict.
    pub reviewers: u32,
    /// Single scores that are far from what the other scores predict, farthest first.
    pub dissent: Vec<Dissent>,
    /// For each person among the reviewers: how closely their order of the designs matches that of the models.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub humans: BTreeMap<String, HumanAgreement>,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// How closely a person's order of the designs matches that of the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct HumanAgreement {
    /// Kendall's τ-b between the person's overall scores and the models' mean overall scores: 1 is the same order, −1 the
    /// reverse, 0 no relation.
    pub kendall_tau_b: Option<f64>,
    /// The probability of at least as strong a relation, in either direction, by chance alone: exact if there are few
    /// possible orders, otherwise from a seeded sample of them.
    pub p_value: Option<f64>,
    /// How many designs both the person and a model scored.
    pub designs: u32,
    /// How many models scored at least one of them.
    pub models: u32,
    /// The result in words.
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

/// A reviewer whose score for one design is far from the others'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dissent {
    /// The reviewer.
    pub reviewer: ReviewerId,
    /// The design.
    pub design_id: DesignId,
    /// The reviewer's score, 0–10.
    pub score: f64,
    /// What all the other scores predict for this reviewer and this design.
    pub expected: f64,
    /// The reviewer's reason for its scores, if known; provided by the caller.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quote: Option<String>,
}

/// Influences other than quality that may have affected the scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Bias {
    /// Whether designs shown earlier got higher scores.
    pub position: Audit,
    /// Whether longer designs got higher scores.
    pub length: Audit,
    /// For each reviewer that also wrote a design: how it treats that design.
    pub self_preference: BTreeMap<String, Preference>,
    /// For each reviewer whose vendor's other models wrote a design: how it treats those designs.
    pub family_preference: BTreeMap<String, Preference>,
    /// For each reviewer: how it uses the scale.
    pub reviewers: BTreeMap<String, ReviewerHabits>,
    /// Designs whose text addresses the reviewer; provided by the caller.
    pub instructions_in_designs: Vec<InstructionInDesign>,
}

/// One possible bias: its size, and the probability of one at least as large by chance alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Audit {
    /// Position: points that the first place gained over the last (in pairwise mode: the share of verdicts that changed
    /// to favour the design shown first, less the share that changed to favour the other). Length: Spearman's rank
    /// correlation of length and score.
    pub effect: Option<f64>,
    /// Two-sided, by permutation: exact if there are few permutations, otherwise from a seeded sample of them (position
    /// in pairwise mode: an exact sign test).
    pub p_value: Option<f64>,
    /// The number of observations in the audit: scores or pairs (position), designs (length).
    pub observations: u32,
    /// The result in words; "insufficient" if no outcome could have reached p ≤ 0.05.
    pub sentence: String,
}

/// How a reviewer treats its own designs, or its vendor's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Preference {
    /// Points above what the other reviewers' scores and its own leniency predict; negative if it scores them lower (in
    /// pairwise mode: its share of verdicts for them, less the unrelated reviewers' share).
    pub points: Option<f64>,
    /// The probability that these designs get at least as large a surplus if the reviewer is indifferent to who wrote
    /// them; one-sided, by permutation: exact if there are few permutations, otherwise from a seeded sample of them.
    pub p_value: Option<f64>,
    /// The result in words.
    pub sentence: String,
}

/// How one reviewer uses the scale.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReviewerHabits {
    /// Points above the panel's mean for the same designs, as estimated by the mixed model, shrunken; negative is
    /// harsh.
    pub leniency: Option<f64>,
    /// Standard deviation of its scores over designs, including its own, in points.
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

/// The results of other methods, or of fewer reviewers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sensitivity {
    /// The order under each method.
    pub orders: Orders,
    /// The order under the ranking's own method with one reviewer left out, keyed by that reviewer.
    pub leave_one_out: BTreeMap<String, Vec<String>>,
}

/// Design ids, best first; tied designs are in the order of `rankings`; designs that a method can't place are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Orders {
    /// By `average_score`.
    pub mean: Vec<String>,
    /// By `median_score`.
    pub median: Vec<String>,
    /// By `adjusted_score`.
    pub adjusted: Vec<String>,
    /// By the share of the other designs that each reviewer ranks below it, averaged over reviewers.
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
    /// One entry per compared design, in the order of `rankings`.
    pub strengths: Vec<Strength>,
    /// Davidson's ν, at least 0: how readily reviewers judge equal designs as tied; 0 if there were no ties.
    pub tie_parameter: f64,
    /// Log-odds that being shown first adds; 0 means no effect; null without verdicts that count. It doesn't affect the
    /// strengths: it cancels for pairs judged in both orders, and for the others it is fitted together with the
    /// strengths.
    pub order_effect: Option<f64>,
    /// How many of the `pairs_in_both_orders` got a different verdict when the order changed; each counts as a tie.
    pub flips: u32,
    /// How often a reviewer judged a pair in both orders; each repeat counts.
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
    /// The standard error of `log_strength`. It accounts for a reviewer's taste for a design, which recurs in each of its
    /// verdicts on it, and for errors that reviewers share.
    pub standard_error: f64,
}

/// How much better a design is than one it was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Gain {
    /// The newer design.
    pub design_id: DesignId,
    /// The design that it was made from.
    pub over: DesignId,
    /// The newer one's true quality less the older one's, as shown by the reviews, shrunken: in points of the scale of
    /// 0–10, in pairwise mode in natural logarithms of strength.
    pub difference: Option<f64>,
    /// Lower and upper bound of the difference at 95%.
    pub interval: Option<[f64; 2]>,
    /// The probability, 0–1, that the newer design is truly better.
    pub probability: Option<f64>,
    /// The kind of gain.
    pub kind: GainKind,
    /// The gain in one sentence.
    pub sentence: String,
    /// Why a field above is null.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub reasons: Reasons,
}

/// What may be claimed about a gain. Each gain is judged separately: of twenty, one may still be noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GainKind {
    /// The interval is above 0.
    Better,
    /// The interval is below 0.
    Worse,
    /// The interval includes 0.
    WithinNoise,
    /// The data don't support an interval.
    #[default]
    Insufficient,
}

/// What the result was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankingMetadata {
    /// The number of designs, including unranked ones.
    pub total_designs: u32,
    /// The number of reviewers with at least one valid score or verdict.
    pub total_reviewers: u32,
    /// `linear_mixed_model` or `davidson`.
    pub aggregation_method: String,
    /// The time of the ranking, ISO 8601 in UTC; provided by the caller.
    pub generated_at: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// How many reviews of a model's own design (or its vendor's, if so configured) were left out of the plain
    /// statistics.
    pub self_reviews_excluded: u32,
    /// The models that failed permanently; provided by the caller.
    pub failed: Vec<Failure>,
    /// Whether the run ended before it was complete; provided by the caller.
    pub partial: bool,
    /// The cost of the whole run in US dollars; provided by the caller.
    pub cost: f64,
    /// The tokens of the whole run; provided by the caller.
    pub tokens: Tokens,
}

/// A model that failed permanently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// `design` or `review`.
    pub phase: String,
    /// The design's or reviewer's id.
    pub id: String,
    /// `provider/model`.
    pub model: String,
    /// The reason in one sentence.
    pub reason: String,
}
