//! Which dimensions of a rubric told the designs apart.

use super::output::{RankedDesign, Ranking};
use crate::design_lab::config::Dimension;

/// How much each dimension tells the designs apart: its share, from 0 to 1, of the variance between the designs' mean scores, each
/// dimension on the scale of 0–10 and by its weight. Empty if no dimension tells any two designs apart, and in pairwise mode.
pub(crate) fn spread(ranking: &Ranking, dimensions: &[Dimension]) -> Vec<(String, f64)> {
    let variances: Vec<f64> = dimensions.iter().map(|one| variance(ranking, one)).collect();
    let sum: f64 = variances.iter().sum();
    if sum <= 0.0 {
        return Vec::new();
    }
    dimensions.iter().zip(variances).map(|(one, variance)| (one.name.clone(), variance / sum)).collect()
}

/// The variance of the designs' weighted means on a dimension; 0 with fewer than two.
fn variance(ranking: &Ranking, dimension: &Dimension) -> f64 {
    let unit = 10.0 * dimension.weight / (dimension.max - dimension.min);
    let mean = |row: &RankedDesign| Some(row.score_breakdown.get(&dimension.name)?.mean? * unit);
    let means: Vec<f64> = ranking.rankings.iter().filter_map(mean).collect();
    let count = means.len() as f64;
    let centre = means.iter().sum::<f64>() / count.max(1.0);
    means.iter().map(|mean| (mean - centre) * (mean - centre)).sum::<f64>() / (count - 1.0).max(1.0)
}
