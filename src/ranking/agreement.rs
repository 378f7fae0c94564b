//! How far reviewers agree, and how many independent ones they are worth.

use super::descriptive::{TIE, mid_ranks, tied_groups};
use super::model::SHARED_ERROR;
use super::table::Matrix;

/// A statistic, or the sentence that says why the data can't carry it.
pub type Stat = Result<f64, String>;

/// Kendall's coefficient of concordance W, corrected for ties (Kendall and Babington Smith 1939, "The problem of m
/// rankings", Annals of Mathematical Statistics 10; Siegel and Castellan 1988, §9.5), 0–1.
///
/// Only reviewers who scored every design that anyone scored count; two of them are needed.
pub fn kendall_w(matrix: &Matrix) -> Stat {
    let designs: Vec<usize> =
        (0..matrix.designs()).filter(|&design| !matrix.of_design(design).is_empty()).collect();
    let complete: Vec<Vec<f64>> = (0..matrix.reviewers())
        .map(|reviewer| matrix.of_reviewer(reviewer).into_iter().map(|(_, score)| score).collect::<Vec<_>>())
        .filter(|scores| scores.len() == designs.len())
        .collect();
    if designs.len() < 2 {
        return Err("Agreement on an order needs at least two designs with scores.".to_owned());
    }
    if complete.len() < 2 {
        return Err("Fewer than two reviewers scored every design.".to_owned());
    }
    let (items, judges) = (designs.len() as f64, complete.len() as f64);
    let mut sums = vec![0.0; designs.len()];
    let mut ties = 0.0;
    for scores in &complete {
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(scores)) {
            *sum += rank;
        }
        ties += tied_groups(scores).iter().map(|group| cube_less_self(group.len())).sum::<f64>();
    }
    let expected = judges * (items + 1.0) / 2.0;
    let squares: f64 = sums.iter().map(|sum| (sum - expected) * (sum - expected)).sum();
    let most = judges * judges * cube_less_self(designs.len()) - judges * ties;
    if most <= 0.0 {
        return Err("Every reviewer gave all designs the same score.".to_owned());
    }
    Ok((12.0 * squares / most).clamp(0.0, 1.0))
}

/// Krippendorff's α for interval data: disagreement is the squared difference of scores, in points
/// (Krippendorff 2011, "Computing Krippendorff's alpha-reliability"). Holes are allowed; designs that fewer than two
/// reviewers scored don't count.
///
/// With squared differences the coincidence matrix reduces to sums of squares: within designs, weighted
/// `m_u / (m_u − 1)`, and over all pairable scores.
pub fn krippendorff_interval(matrix: &Matrix) -> Stat {
    alpha(&pairable(matrix)?)
}

/// Krippendorff's α for ordinal data (same source): the squared difference of mid-ranks among all pairable scores, to
/// which his ordinal metric `(Σ n_g − (n_c + n_k) / 2)²` amounts.
pub fn krippendorff_ordinal(matrix: &Matrix) -> Stat {
    let units = pairable(matrix)?;
    let all: Vec<f64> = units.iter().flatten().copied().collect();
    let mut ranks = mid_ranks(&all).into_iter();
    let ranked: Vec<Vec<f64>> = units.iter().map(|unit| ranks.by_ref().take(unit.len()).collect()).collect();
    alpha(&ranked)
}

/// How many reviewers with independent errors the panel is worth.
///
/// First, what the data show: the number of independent directions in which reviewers depart from their common
/// opinion, one more than the effective rank `tr(K)² / tr(K²)` of their doubly centred scores' covariance K, estimated
/// without its small-sample bias (Huynh and Feldt 1976, "Estimation of the Box correction for degrees of freedom",
/// Journal of Educational Statistics 1). Copies of a reviewer add nothing to it. Then what scores can't show:
/// errors that all share, correlated by [`SHARED_ERROR`], leave `v / (1 + (v − 1) ρ)` votes (Kish 1965, "Survey
/// sampling", §5.4).
///
/// Over the designs that every active reviewer scored; three of them are needed. One reviewer is one vote.
pub fn effective_votes(matrix: &Matrix) -> Stat {
    let active: Vec<usize> =
        (0..matrix.reviewers()).filter(|&reviewer| !matrix.of_reviewer(reviewer).is_empty()).collect();
    match active.len() {
        0 => return Err("No reviewer gave a score.".to_owned()),
        1 => return Ok(1.0),
        _ => {}
    }
    let common: Vec<Vec<f64>> = (0..matrix.designs())
        .filter_map(|design| {
            active.iter().map(|&reviewer| matrix.get(design, reviewer)).collect::<Option<Vec<_>>>()
        })
        .collect();
    if common.len() < 3 {
        return Err(
            "Fewer than three designs were scored by every reviewer: too few to tell reviewers apart."
                .to_owned(),
        );
    }
    let visible = visible_votes(&common);
    Ok(visible / (1.0 + (visible - 1.0) * SHARED_ERROR))
}

/// Independent directions among reviewers, from complete rows (one per design).
fn visible_votes(rows: &[Vec<f64>]) -> f64 {
    let (designs, reviewers) = (rows.len(), rows[0].len());
    let row_means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / reviewers as f64).collect();
    let grand = row_means.iter().sum::<f64>() / designs as f64;
    // One row per reviewer: how it departs, design by design, from the common opinion and its own leniency.
    let departures: Vec<Vec<f64>> = (0..reviewers)
        .map(|reviewer| {
            let own = rows.iter().map(|row| row[reviewer]).sum::<f64>() / designs as f64;
            rows.iter().zip(&row_means).map(|(row, mean)| row[reviewer] - own - (mean - grand)).collect()
        })
        .collect();
    let distinct = (0..reviewers)
        .filter(|&reviewer| {
            !departures[..reviewer]
                .iter()
                .any(|earlier| earlier.iter().zip(&departures[reviewer]).all(|(a, b)| (a - b).abs() <= TIE))
        })
        .count();
    let covariance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let trace: f64 = departures.iter().map(|row| covariance(row, row)).sum();
    if distinct == 1 || trace <= TIE {
        return 1.0;
    }
    let mut squared = 0.0;
    for a in &departures {
        for b in &departures {
            let entry = covariance(a, b) / trace;
            squared += entry * entry;
        }
    }
    let freedom = (designs - 1) as f64;
    let numerator = (freedom + 1.0) / freedom * (1.0 - 2.0 * squared / (freedom + 1.0));
    let denominator = squared - 1.0 / freedom;
    let most = (distinct - 1) as f64;
    1.0 + if denominator > TIE { (numerator / denominator).clamp(1.0, most) } else { most }
}

/// The scores of each design that at least two reviewers scored.
fn pairable(matrix: &Matrix) -> Result<Vec<Vec<f64>>, String> {
    let units: Vec<Vec<f64>> =
        (0..matrix.designs()).map(|design| matrix.of_design(design)).filter(|unit| unit.len() > 1).collect();
    if units.is_empty() { Err("No design was scored by two reviewers.".to_owned()) } else { Ok(units) }
}

fn alpha(units: &[Vec<f64>]) -> Stat {
    let all: Vec<f64> = units.iter().flatten().copied().collect();
    let expected = squares(&all);
    if expected <= TIE * TIE {
        return Err("All scores are the same: nothing varies that reviewers could agree on.".to_owned());
    }
    let observed: f64 =
        units.iter().map(|unit| squares(unit) * unit.len() as f64 / (unit.len() - 1) as f64).sum();
    let count = all.len() as f64;
    Ok(1.0 - (count - 1.0) / count * observed / expected)
}

fn squares(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean) * (value - mean)).sum()
}

fn cube_less_self(count: usize) -> f64 {
    let count = count as f64;
    count * count * count - count
}
