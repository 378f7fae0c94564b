//! What verdicts on pairs have in common, and how much less they reveal than as many independent ones.
//!
//! A reviewer that likes a design likes it in every pair, and what one reviewer overrates, others overrate as well. In units of
//! the standard deviation of a verdict, the error of reviewer r on designs i and j is
//!
//! ```text
//! e_rij  =  √(w/2) · (t_ri − t_rj)  +  √(1 − w) · ε_rij        Var(t) = Var(ε) = 1,  corr(t_ri, t_si) = ρ
//! ```
//!
//! with tastes t that recur in all verdicts on a design and a slip ε that doesn't. Two verdicts of one reviewer on pairs that share
//! a design correlate by w/2, those of two reviewers on the same pair by w ρ; w is [`TASTE`].
//!
//! Strengths are fitted as if verdicts were independent, and only their covariance is corrected for what the verdicts share: a
//! working likelihood with a model for its errors (Liang and Zeger 1986, "Longitudinal data analysis using generalized linear
//! models", Biometrika 73). With A the curvature of the penalised likelihood and M the covariance of the gradient beyond that of
//! independent verdicts, it is `A⁻¹ + A⁻¹ M A⁻¹`. If k reviewers each compare all n designs and all designs are equal, every
//! variance grows by the factor `w n/2 · (1 + (k − 1) ρ) + 1 − w`.

use crate::pairwise::{Contest, Strengths};

/// The share of a verdict's error that is the reviewer's taste for the two designs.
///
/// It was chosen by simulation: with less, chances up to 70% are too high. `docs/ranking-measurements.md` has the measurement.
pub const TASTE: f64 = 0.75;

/// Who gave the verdicts behind some strengths, and how far reviewers' tastes correlate. The default is that verdicts are
/// independent.
#[derive(Clone, Debug, Default)]
pub struct Tastes {
    designs: usize,
    reviewers: usize,
    correlation: f64,
    terms: Vec<Term>,
}

/// One contest.
#[derive(Clone, Copy, Debug)]
struct Term {
    reviewer: usize,
    first: usize,
    second: usize,
    /// The index of the effect of order among the parameters, if the order may have mattered.
    order: Option<usize>,
    /// What a unit of taste for the first design adds to the gradient by its strength.
    taste: f64,
    /// The variance that independent verdicts would have in the place of that.
    independent: f64,
}

/// What a combination of the strengths takes from tastes, as a vector whose squares add up to a variance, and from the same
/// verdicts if they were independent.
struct Felt {
    tastes: Vec<f64>,
    independent: Vec<f64>,
}

impl Tastes {
    /// Describes the contests that `fit` was made from, each by the reviewer at the same index of `by`.
    pub fn of(fit: &Strengths, contests: &[Contest], by: &[usize], correlation: f64) -> Self {
        let term = |(contest, &reviewer): (&Contest, &usize)| {
            let count = contest.first_wins + contest.second_wins + contest.ties;
            let variance = fit.variance(contest);
            Term {
                reviewer,
                first: contest.first,
                second: contest.second,
                order: fit.order_index().filter(|_| contest.ordered),
                taste: count * (0.5 * TASTE * variance).sqrt(),
                independent: TASTE * count * variance,
            }
        };
        Self {
            designs: fit.logs.len(),
            reviewers: by.iter().map(|reviewer| reviewer + 1).max().unwrap_or(0),
            correlation,
            terms: contests.iter().zip(by).map(term).collect(),
        }
    }

    /// The variance beyond that of independent verdicts for the combination of strengths whose weights, divided by the curvature,
    /// are `solved`.
    pub(crate) fn excess(&self, solved: &[f64]) -> f64 {
        let felt = self.felt(solved);
        felt.with(&felt)
    }

    /// The covariances beyond those of independent verdicts, row by row, for combinations as in [`Self::excess`].
    pub(crate) fn excesses(&self, solved: &[Vec<f64>]) -> Vec<f64> {
        let felt: Vec<Felt> = solved.iter().map(|solved| self.felt(solved)).collect();
        felt.iter().flat_map(|one| felt.iter().map(move |other| one.with(other))).collect()
    }

    fn felt(&self, solved: &[f64]) -> Felt {
        let mut tastes = vec![0.0; (self.reviewers + 1) * self.designs];
        let mut independent = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let order = term.order.map_or(0.0, |index| solved[index]);
            let step = solved[term.first] - solved[term.second] + order;
            tastes[term.reviewer * self.designs + term.first] += term.taste * step;
            tastes[term.reviewer * self.designs + term.second] -= term.taste * step;
            independent.push(term.independent.sqrt() * step);
        }
        // The last row is what all have in common.
        let (own, common) = tastes.split_at_mut(self.reviewers * self.designs);
        for row in own.chunks(self.designs.max(1)) {
            for (sum, taste) in common.iter_mut().zip(row) {
                *sum += taste;
            }
        }
        for taste in own {
            *taste *= (1.0 - self.correlation).sqrt();
        }
        for taste in common {
            *taste *= self.correlation.sqrt();
        }
        Felt { tastes, independent }
    }
}

impl Felt {
    fn with(&self, other: &Self) -> f64 {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        product(&self.tastes, &other.tastes) - product(&self.independent, &other.independent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reviewer compares every pair and sees no difference.
    fn equal(designs: usize, reviewers: usize) -> (Vec<Contest>, Vec<usize>) {
        let pairs = (0..designs).flat_map(|first| (first + 1..designs).map(move |second| (first, second)));
        let contests: Vec<Contest> = pairs
            .map(|(first, second)| Contest {
                first,
                second,
                first_wins: 0.5,
                second_wins: 0.5,
                ties: 0.0,
                ordered: false,
            })
            .collect();
        let by = (0..reviewers).flat_map(|reviewer| contests.iter().map(move |_| reviewer)).collect();
        (contests.repeat(reviewers), by)
    }

    #[test]
    fn equal_designs_give_the_factor_in_closed_form() {
        for (designs, reviewers, correlation) in [(2, 1, 0.25), (3, 4, 0.0), (6, 4, 0.25), (8, 3, 0.7)] {
            let (contests, by) = equal(designs, reviewers);
            let fit = Strengths::of(designs, &contests, 0.0).unwrap();
            let tastes = Tastes::of(&fit, &contests, &by, correlation);
            let factor =
                TASTE * designs as f64 / 2.0 * (1.0 + (reviewers as f64 - 1.0) * correlation) + 1.0 - TASTE;
            let independent = Tastes::default();
            let [with, without] =
                [&tastes, &independent].map(|tastes| fit.spread_of_difference(0, 1, tastes));
            assert!((with / without / factor - 1.0).abs() < 1e-9, "{with} {without} {factor}");
            let covariance = fit.covariance(&tastes);
            let entry = |row: usize, column: usize| covariance[row * designs + column];
            let difference = entry(0, 0) + entry(1, 1) - 2.0 * entry(0, 1);
            assert!((difference / with - 1.0).abs() < 1e-9);
            let spread = fit.spread(&tastes);
            assert!(((spread[0] + spread[1]) / with - 1.0).abs() < 1e-9);
            let error = fit.standard_errors(&tastes)[0];
            let share = (designs as f64 - 1.0) / designs as f64;
            assert!((error * error / (share * spread[0]) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_verdict_in_parts_is_one_verdict() {
        let (contests, by) = equal(4, 2);
        let half = |contest: &Contest| Contest { first_wins: 0.25, second_wins: 0.25, ..*contest };
        let halves: Vec<Contest> = contests.iter().chain(&contests).map(half).collect();
        let [whole, parts] =
            [(contests, by.clone()), (halves, [by.clone(), by].concat())].map(|(contests, by)| {
                let fit = Strengths::of(4, &contests, 0.25).unwrap();
                fit.spread_of_difference(0, 3, &Tastes::of(&fit, &contests, &by, 0.25))
            });
        assert!((whole / parts - 1.0).abs() < 1e-12);
    }
}
