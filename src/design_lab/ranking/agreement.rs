//! How much reviewers agree, and how many independent reviewers they are equivalent to.

use super::descriptive::{TIE, mid_ranks};
use super::table::Matrix;
use design_lab_numerics::sorting::descending;

/// A statistic, or a sentence that explains why the data don't support it.
pub type Stat = Result<f64, String>;

/// How similar the reviewers' orders are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concordance {
    /// Kendall's W, 0–1.
    pub w: f64,
    /// The mean Spearman correlation r̄ of two reviewers' orders, −1 to 1.
    pub correlation: f64,
}

/// Kendall's coefficient of concordance W, corrected for ties (Kendall and Babington Smith 1939, "The problem of m
/// rankings", Annals of Mathematical Statistics 10; Siegel and Castellan 1988, §9.5), and the mean rank correlation
/// that it is equivalent to: `W = (1 + (m − 1) r̄) / m` for m reviewers.
///
/// r̄ is pooled over pairs of reviewers: the sum of the covariances of their mid-ranks over that of their mean
/// variances, which on a complete table makes W exactly the published coefficient, ties included. A pair is compared on
/// the designs that both scored, with ranks among these only; m counts the reviewers that share two designs with
/// another. Missing scores therefore neither count as a place nor exclude a reviewer; if they push W below 0, it is cut
/// off at 0.
pub fn concordance(matrix: &Matrix) -> Result<Concordance, String> {
    if (0..matrix.designs()).filter(|&design| !matrix.of_design(design).is_empty()).count() < 2 {
        return Err("Agreement needs at least two designs with scores that count.".to_owned());
    }
    let orders: Vec<Vec<(usize, f64)>> = (0..matrix.reviewers())
        .map(|reviewer| {
            let scores = matrix.of_reviewer(reviewer);
            let values: Vec<f64> = scores.iter().map(|(_, score)| *score).collect();
            descending(&values).into_iter().map(|index| scores[index]).collect()
        })
        .collect();
    let mut compared = vec![false; matrix.reviewers()];
    let (mut covariances, mut variances) = (0.0, 0.0);
    for one in 0..matrix.reviewers() {
        for other in one + 1..matrix.reviewers() {
            let ranks = |order: &[(usize, f64)], by: usize| {
                ranks_of_sorted(order.iter().copied().filter(|&(design, _)| matrix.get(design, by).is_some()))
            };
            let (mine, theirs) = (ranks(&orders[one], other), ranks(&orders[other], one));
            if mine.len() < 2 {
                continue;
            }
            (compared[one], compared[other]) = (true, true);
            let centre = (mine.len() + 1) as f64 / 2.0;
            let mut places = vec![0.0; matrix.designs()];
            for &(design, rank) in &theirs {
                places[design] = rank - centre;
                variances += 0.5 * (rank - centre) * (rank - centre);
            }
            for (design, rank) in mine {
                covariances += (rank - centre) * places[design];
                variances += 0.5 * (rank - centre) * (rank - centre);
            }
        }
    }
    let reviewers = compared.iter().filter(|compared| **compared).count() as f64;
    if reviewers < 2.0 {
        return Err("No two reviewers' scores that count have two designs in common.".to_owned());
    }
    if variances <= 0.0 {
        return Err("Every reviewer gave all designs the same score.".to_owned());
    }
    let correlation = covariances / variances;
    Ok(Concordance { w: ((1.0 + (reviewers - 1.0) * correlation) / reviewers).clamp(0.0, 1.0), correlation })
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

/// Krippendorff's α for ordinal data (same source): the squared difference of mid-ranks among all pairable scores,
/// which is equivalent to his ordinal metric `(Σ n_g − (n_c + n_k) / 2)²`.
pub fn krippendorff_ordinal(matrix: &Matrix) -> Stat {
    let units = pairable(matrix)?;
    let all: Vec<f64> = units.iter().flatten().copied().collect();
    let mut ranks = mid_ranks(&all).into_iter();
    let ranked: Vec<Vec<f64>> = units.iter().map(|unit| ranks.by_ref().take(unit.len()).collect()).collect();
    alpha(&ranked)
}

/// Returns the number of independent directions in which the `active` reviewers depart from their common opinion, as
/// far as the scores show.
///
/// One more than the effective rank `tr(K)² / tr(K²)` of their doubly centred scores' covariance K, estimated without
/// its small-sample bias (Huynh and Feldt 1976, "Estimation of the Box correction for degrees of freedom", Journal of
/// Educational Statistics 1). Copies of a reviewer add nothing to it.
///
/// Only designs that every active reviewer scored are used. With two such designs, the scores only show which reviewers
/// gave exactly the same scores; with fewer, they show nothing, and every reviewer counts. The matrix should include
/// reviewers' reviews of their own designs, since otherwise no design is left that every author scored; a preference
/// for one's own designs then appears as a separate direction, so the number is more likely too high than too low.
pub(super) fn visible_votes(matrix: &Matrix, active: &[usize]) -> f64 {
    let common: Vec<Vec<f64>> = (0..matrix.designs())
        .filter_map(|design| {
            active.iter().map(|&reviewer| matrix.get(design, reviewer)).collect::<Option<Vec<_>>>()
        })
        .collect();
    match common.len() {
        0 | 1 => active.len() as f64,
        2 => {
            let same = |a: usize, b: usize| common.iter().all(|row| (row[a] - row[b]).abs() <= TIE);
            (0..active.len()).filter(|&one| !(0..one).any(|other| same(one, other))).count() as f64
        }
        _ => directions(&common),
    }
}

/// Returns the independent directions among reviewers, from complete rows (one per design).
fn directions(rows: &[Vec<f64>]) -> f64 {
    let (designs, reviewers) = (rows.len(), rows[0].len());
    let row_means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / reviewers as f64).collect();
    let grand = row_means.iter().sum::<f64>() / designs as f64;
    // One row per reviewer: how it departs, for each design, from the common opinion and its own leniency.
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

/// Returns the scores of each design that at least two reviewers scored.
fn pairable(matrix: &Matrix) -> Result<Vec<Vec<f64>>, String> {
    let units: Vec<Vec<f64>> =
        (0..matrix.designs()).map(|design| matrix.of_design(design)).filter(|unit| unit.len() > 1).collect();
    if units.is_empty() { Err("No design was scored by two reviewers.".to_owned()) } else { Ok(units) }
}

fn alpha(units: &[Vec<f64>]) -> Stat {
    let all: Vec<f64> = units.iter().flatten().copied().collect();
    let expected = squares(&all);
    if expected <= TIE * TIE {
        return Err("All scores are the same, so there is nothing to agree on.".to_owned());
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

/// Returns mid-ranks, starting from 1, of scores in descending order.
fn ranks_of_sorted(scores: impl Iterator<Item = (usize, f64)>) -> Vec<(usize, f64)> {
    let scores: Vec<(usize, f64)> = scores.collect();
    let mut ranks = Vec::with_capacity(scores.len());
    for tied in scores.chunk_by(|(_, above), (_, below)| above - below <= TIE) {
        let rank = ranks.len() as f64 + (tied.len() + 1) as f64 / 2.0;
        ranks.extend(tied.iter().map(|&(design, _)| (design, rank)));
    }
    ranks
}
