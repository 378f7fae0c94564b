//! From scores to a ranking that says how sure it is.

pub mod agreement;
pub mod bias;
mod comparisons;
pub mod csv;
pub mod descriptive;
mod draws;
pub mod intervals;
mod linear;
pub mod model;
mod order;
mod output;
pub mod pairwise;
mod permutation;
mod schedule;
mod scores;
pub mod sensitivity;
mod study;
pub mod table;
mod vendor;
pub mod verdict;

pub use output::{
    Agreement, Audit, Bias, Breakdown, Dissent, Failure, InstructionInDesign, KrippendorffAlpha, Orders,
    Pairwise, Preference, QualitativeSummary, RankedDesign, Ranking, RankingMetadata, Reasons,
    ReviewerHabits, Sensitivity, Strength, Verdict, VerdictKind,
};
pub use schedule::schedule;
pub use study::{
    Comparison, Context, DesignFacts, Options, Preferred, ReviewerFacts, ScoreRow, Shown, Study,
};
pub use vendor::vendor;

use crate::config::ReviewMode;
use crate::error::Problem;

/// Ranks the designs of a study.
///
/// Problems: a name that the study doesn't list (`ranking.unknown-design`, `-reviewer`, `-dimension`), the same id or row twice
/// (`ranking.duplicate-id`, `-row`), a score that is not a number within its bounds (`ranking.out-of-bounds`), a dimension
/// without width or weight (`ranking.bad-dimension`), repeat 0 (`ranking.bad-repeat`), a design against itself
/// (`ranking.self-comparison`).
pub fn rank(study: &Study) -> Result<Ranking, Problem> {
    match study.mode {
        ReviewMode::Scores => scores::rank(study),
        ReviewMode::Pairwise => comparisons::rank(study),
    }
}
