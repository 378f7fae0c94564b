//! Other ways to combine the same scores: what each would have put first.

use super::descriptive::{TIE, mean};
use super::pairwise::{Contest, PRIOR_PRECISION, Strengths};
use super::table::Matrix;

/// Normalised Borda score by design, 0–1: the share of the other designs that a reviewer puts below this one, ties
/// counting half, averaged over reviewers (Borda 1781). A reviewer ranks only the designs that it scored: one that is left out
/// takes no place away from another. None where no reviewer compares the design with another.
pub fn borda(matrix: &Matrix) -> Vec<Option<f64>> {
    let mut shares: Vec<Vec<f64>> = vec![Vec::new(); matrix.designs()];
    for reviewer in 0..matrix.reviewers() {
        let scores = matrix.of_reviewer(reviewer);
        if scores.len() > 1 {
            for &(design, score) in &scores {
                let points: f64 = scores.iter().map(|&(_, other)| beats(score, other)).sum();
                shares[design].push((points - 0.5) / (scores.len() - 1) as f64);
            }
        }
    }
    shares.iter().map(|shares| mean(shares)).collect()
}

/// Copeland score by design, 0–1: the share of pairwise majorities that it wins, ties counting half (Copeland 1951), among
/// the designs it was compared with by one reviewer at least. None where there are none.
pub fn copeland(matrix: &Matrix) -> Vec<Option<f64>> {
    let wins = implied_wins(matrix);
    (0..matrix.designs())
        .map(|design| {
            let results: Vec<f64> = (0..matrix.designs())
                .filter(|&other| other != design && wins[design][other] + wins[other][design] > 0.0)
                .map(|other| beats(wins[design][other], wins[other][design]))
                .collect();
            mean(&results)
        })
        .collect()
}

/// Bradley–Terry log-strength by design over the comparisons that scores imply: each reviewer's higher score wins, equal
/// scores are half a win each. The prior of [`super::pairwise`] applies. None where a design was never compared.
pub fn bradley_terry(matrix: &Matrix) -> Vec<Option<f64>> {
    let wins = implied_wins(matrix);
    let compared: Vec<usize> = (0..matrix.designs())
        .filter(|&design| (0..matrix.designs()).any(|other| wins[design][other] + wins[other][design] > 0.0))
        .collect();
    let mut contests = Vec::new();
    for (first, &a) in compared.iter().enumerate() {
        for (second, &b) in compared.iter().enumerate().skip(first + 1) {
            if wins[a][b] + wins[b][a] > 0.0 {
                let (first_wins, second_wins) = (wins[a][b], wins[b][a]);
                contests.push(Contest { first, second, first_wins, second_wins, ties: 0.0, ordered: false });
            }
        }
    }
    let mut strengths = vec![None; matrix.designs()];
    if let Some(fit) = Strengths::of(compared.len(), &contests, PRIOR_PRECISION) {
        for (&design, log) in compared.iter().zip(fit.logs) {
            strengths[design] = Some(log);
        }
    }
    strengths
}

/// `wins[a][b]`: how many reviewers score a above b, equal scores counting half.
fn implied_wins(matrix: &Matrix) -> Vec<Vec<f64>> {
    let mut wins = vec![vec![0.0; matrix.designs()]; matrix.designs()];
    for reviewer in 0..matrix.reviewers() {
        let scores = matrix.of_reviewer(reviewer);
        for &(design, score) in &scores {
            for &(other, against) in scores.iter().filter(|(other, _)| *other != design) {
                wins[design][other] += beats(score, against);
            }
        }
    }
    wins
}

/// 1 for more, ½ for as much, 0 for less.
fn beats(score: f64, other: f64) -> f64 {
    if (score - other).abs() <= TIE {
        0.5
    } else if score > other {
        1.0
    } else {
        0.0
    }
}
