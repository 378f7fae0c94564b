//! Other ways to combine the same scores: which design each would have put first.

use super::descriptive::{TIE, mean};
use super::pairwise::{Contest, PRIOR_PRECISION, Strengths};
use super::table::Matrix;

/// Returns the normalised Borda score of each design, 0–1: the share of the other designs that a reviewer ranks below
/// this one, ties counting half, averaged over reviewers (Borda 1781). A reviewer ranks only the designs that it
/// scored: a missing score takes no place away from another design. `None` when no reviewer compares the design with
/// another.
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

/// Returns the Copeland score of each design, 0–1: the share of pairwise majorities that it wins, ties counting half
/// (Copeland 1951), among the designs that at least one reviewer compared it with. `None` when there are none.
pub fn copeland(matrix: &Matrix) -> Vec<Option<f64>> {
    copeland_of(&Wins::implied(matrix))
}

/// Returns the Bradley–Terry log-strength of each design, based on the comparisons that scores imply: each reviewer's
/// higher score wins, equal scores are half a win each. The prior of [`super::pairwise`] applies. `None` when a design
/// was never compared.
pub fn bradley_terry(matrix: &Matrix) -> Vec<Option<f64>> {
    bradley_terry_of(&Wins::implied(matrix))
}

/// How often each design was preferred to each other; ties count half to both.
#[derive(Clone, Debug, PartialEq)]
pub struct Wins {
    designs: usize,
    counts: Vec<f64>,
}

impl Wins {
    /// Returns counts without any comparison.
    pub fn none(designs: usize) -> Self {
        Self { designs, counts: vec![0.0; designs * designs] }
    }

    /// Returns the comparisons that scores imply.
    pub fn implied(matrix: &Matrix) -> Self {
        let mut wins = Self::none(matrix.designs());
        for reviewer in 0..matrix.reviewers() {
            let scores = matrix.of_reviewer(reviewer);
            for &(design, score) in &scores {
                for &(other, against) in scores.iter().filter(|(other, _)| *other != design) {
                    wins.add(design, other, beats(score, against));
                }
            }
        }
        wins
    }

    /// Adds wins of one design over another.
    pub fn add(&mut self, winner: usize, loser: usize, count: f64) {
        self.counts[winner * self.designs + loser] += count;
    }

    fn get(&self, winner: usize, loser: usize) -> f64 {
        self.counts[winner * self.designs + loser]
    }

    /// Returns the designs that a design was compared with.
    fn opponents(&self, design: usize) -> impl Iterator<Item = usize> {
        (0..self.designs)
            .filter(move |&other| other != design && self.get(design, other) + self.get(other, design) > 0.0)
    }
}

/// Returns the share of its comparisons that each design wins; `None` for a design without any.
pub(super) fn win_rate(wins: &Wins) -> Vec<Option<f64>> {
    (0..wins.designs)
        .map(|design| {
            let won: f64 = wins.opponents(design).map(|other| wins.get(design, other)).sum();
            let lost: f64 = wins.opponents(design).map(|other| wins.get(other, design)).sum();
            (won + lost > 0.0).then(|| won / (won + lost))
        })
        .collect()
}

/// Computes [`copeland`] from counted comparisons.
pub(super) fn copeland_of(wins: &Wins) -> Vec<Option<f64>> {
    (0..wins.designs)
        .map(|design| {
            let results: Vec<f64> = wins
                .opponents(design)
                .map(|other| beats(wins.get(design, other), wins.get(other, design)))
                .collect();
            mean(&results)
        })
        .collect()
}

/// Computes [`bradley_terry`] from counted comparisons.
pub(super) fn bradley_terry_of(wins: &Wins) -> Vec<Option<f64>> {
    let compared: Vec<usize> =
        (0..wins.designs).filter(|&design| wins.opponents(design).next().is_some()).collect();
    let mut contests = Vec::new();
    for (first, &a) in compared.iter().enumerate() {
        for (second, &b) in compared.iter().enumerate().skip(first + 1) {
            let (first_wins, second_wins) = (wins.get(a, b), wins.get(b, a));
            if first_wins + second_wins > 0.0 {
                contests.push(Contest { first, second, first_wins, second_wins, ties: 0.0, ordered: false });
            }
        }
    }
    let mut strengths = vec![None; wins.designs];
    if let Some(fit) = Strengths::of(compared.len(), &contests, PRIOR_PRECISION) {
        for (&design, log) in compared.iter().zip(fit.logs) {
            strengths[design] = Some(log);
        }
    }
    strengths
}

/// Returns 1 if `score` is higher, ½ if equal, 0 if lower.
fn beats(score: f64, other: f64) -> f64 {
    if (score - other).abs() <= TIE {
        0.5
    } else if score > other {
        1.0
    } else {
        0.0
    }
}
