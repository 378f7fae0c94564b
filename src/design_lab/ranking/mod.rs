//! Turns scores into a ranking that states its own certainty.
//!
//! [`rank`] turns a [`Study`] (rows by name, some of which may be missing) into a [`Ranking`], which is
//! `results/ranking.json`. It has no state and draws every random number (of permutation tests) from the study's seed:
//! the same study gives the same bits on every platform. Floats use only `+ − × ÷ √` and the `libm` crate, in a fixed
//! order of summation; the platform's own `exp` and `ln` differ in their last bits.
//!
//! | file | purpose |
//! |---|---|
//! | `study`, `table` | the input: names resolved, bounds checked, every score on the scale of 0–10 |
//! | [`model`], `fit` | the linear mixed model: adjusted scores, leniency, how certain the true qualities are |
//! | [`intervals`] | rank intervals and the probability of being best, by integration |
//! | `independence`, `lineage`, `alike` | how far reviewers' errors correlate, judged by their names and by the similarity of their answers |
//! | [`pairwise`], [`tastes`] | Bradley–Terry and Davidson, and what verdicts have in common |
//! | `comparisons`, `contests`, `schedule` | pairwise mode; verdicts as contests; which pairs to show |
//! | [`sequential`], `prospects` | which pairs to request next, if only those that matter are requested; what the rest is expected to bring |
//! | [`agreement`] | Kendall's W, Krippendorff's α, effective votes |
//! | [`human_review`] | people compared with models: Kendall's τ-b |
//! | [`bias`], `permutation` | position, length, self- and family-preference, each with an exact or a permutation test |
//! | `close_pair` | the first two designs, compared as well if their scores are close |
//! | `additions` | what changed with reviewers that joined later |
//! | `gains` | how much better one design is than another, if the study asks for it |
//! | [`sensitivity`] | Borda, Copeland, Bradley–Terry based on the same scores |
//! | [`verdict`], `choice` | what may be claimed about the first place; what to do with it |
//! | `scores`, `order`, `output`, `rounding` | scores mode as a whole; the public format, and its number of digits |
//! | `in_short` | a ranking in one line |
//! | `rubric`, `spread` | the rubric behind a ranking; which of its dimensions told the designs apart |
//! | `provisional` | the standings before all reviews are complete |
//! | [`csv`] | both kinds of CSV file |
//! | `code` | why a study can't be ranked |
//!
//! # Conventions
//!
//! - **Scale.** A dimension's score x counts as `10 (x − min) / (max − min)`; the overall score of a review is the mean
//!   over dimensions by weight. All scores in the output are on that scale, except `score_breakdown`, which is in the
//!   dimension's own units.
//! - **Repeats** by one reviewer on one design, or on one pair, are averaged first: asking three times makes an answer
//!   steadier, but doesn't give the reviewer more weight.
//! - **Authors.** A reviewer's own designs are those by the same model string; its family's are those by another model
//!   of the same vendor ([`crate::shared::vendor`]). `exclude_self` and `exclude_family` leave such reviews out of the
//!   plain statistics (average, median, variance, breakdown, Borda, Copeland, Bradley–Terry); the mixed model keeps
//!   them and estimates their bias. Agreement counts the same reviews as the plain statistics; effective votes and
//!   dissent include every review.
//! - **Ties.** Values within 1e-9 are equal, in chains; tied designs share the best rank (1, 2, 2, 4).
//! - **Digits.** Computed values are rounded to twelve significant digits.
//! - **Missing scores.** No method replaces a missing score with a number. A design without a counted review is listed
//!   without a rank, unless no design has one.
//!
//! `docs/ranking-measurements.md` contains comparisons with other methods, and the limits.

mod additions;
pub mod agreement;
mod alike;
pub mod bias;
mod choice;
mod close_pair;
mod code;
mod comparisons;
mod contests;
pub mod csv;
mod fit;
mod gains;
pub mod human_review;
mod in_short;
pub mod independence;
pub mod intervals;
mod lineage;
mod order;
mod output;
mod permutation;
mod prospects;
mod provisional;
mod rounding;
mod rubric;
mod schedule;
mod scores;
pub mod sensitivity;
pub mod sequential;
mod spread;
mod study;
pub mod table;
pub mod verdict;

pub use close_pair::Leaders;
pub use code::RankingCode;
pub use in_short::InShort;
pub use output::{
    Addition, Agreement, Audit, Bias, Breakdown, Choice, ClosePair, Dissent, Failure, Gain, GainKind,
    GivenScore, HumanAgreement, InstructionInDesign, KrippendorffAlpha, Moved, Orders, Pairwise, Preference,
    QualitativeSummary, RankedDesign, Ranking, RankingMetadata, Reasons, ReviewerHabits, Sensitivity,
    Strength, Verdict, VerdictKind,
};
pub use provisional::Provisional;
pub use rubric::{RubricOrigin, RubricUsed};
pub use schedule::schedule;
pub(crate) use spread::spread;
pub use study::{Comparison, Context, Contrast, DesignFacts, Options, ReviewerFacts, ScoreRow, Shown, Study};

pub use design_lab_numerics::{descriptive, model, pairwise, tastes};

use crate::design_lab::config::ReviewMode;
use kernel::problem::Problem;

/// Ranks the designs of a study.
///
/// Problems: a name that the study doesn't list (`ranking.unknown-design`, `-reviewer`, `-dimension`), a duplicate id
/// or row (`ranking.duplicate-id`, `-row`), a score that is not a number within its bounds (`ranking.out-of-bounds`), a
/// dimension without width or weight, or beyond what the configuration accepts (`ranking.bad-dimension`), repeat 0
/// (`ranking.bad-repeat`), a design compared with itself (`ranking.self-comparison`), a study of more than 1,000
/// designs or reviewers (`ranking.too-large`).
///
/// The order of rows, designs and reviewers changes nothing: designs that share a place are listed by their ids.
pub fn rank(study: &Study) -> Result<Ranking, Problem> {
    let ranked = |study: &Study| match study.mode {
        ReviewMode::Scores => scores::rank(study),
        ReviewMode::Pairwise => comparisons::rank(study),
    };
    // A problem has its place in the study as it was given.
    ranked(&study.sorted()).or_else(|_| ranked(study)).map(Ranking::rounded)
}

/// Returns the standings by the reviews so far, best first. Cheap enough to be called repeatedly; problems are those of
/// [`rank`].
pub fn provisional(study: &Study) -> Result<Vec<Provisional>, Problem> {
    match study.mode {
        ReviewMode::Scores => scores::means(study),
        ReviewMode::Pairwise => comparisons::win_rates(study),
    }
}
