//! Strengths from paired comparisons: Bradley–Terry, with ties (Davidson) and the effect of being shown first.
//!
//! For designs of log-strength s, a verdict on *i* shown first against *j* has odds
//!
//! ```text
//! i : j : tie  =  exp(s_i + δ/2) : exp(s_j − δ/2) : ν·exp((s_i + s_j) / 2)
//! ```
//!
//! (Bradley and Terry 1952, Biometrika 39; ties: Davidson 1970, "On extending the Bradley–Terry model to accommodate ties in
//! paired comparison experiments", JASA 65; order: Davidson and Beaver 1977, Biometrics 33, who multiply one of the two
//! strengths: when it is shared between both, as here, the effect leaves ties alone, and only ν has another meaning). Verdicts
//! whose order cancels have δ = 0.
//!
//! If one design wins all its comparisons, or the comparisons fall into groups that never met, the likelihood has no maximum. A
//! normal prior on every log-strength, log ν and δ (mean 0, [`PRIOR_PRECISION`]) gives it exactly one: the penalised likelihood
//! is strictly concave.

use crate::chances::independent_variances;
use crate::linear::{Cholesky, Symmetric};
use crate::tastes::Tastes;

/// Inverse variance of the prior of each parameter: standard deviation 2, so that strengths a factor of fifty apart are not
/// unlikely, and infinite ones impossible.
pub const PRIOR_PRECISION: f64 = 0.25;

/// Newton's method stops when no parameter moves by more than this.
const CONVERGED: f64 = 1e-12;
const STEPS: usize = 200;

/// All verdicts on one pair of designs in one order; counts may be fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contest {
    /// The design shown first.
    pub first: usize,
    /// The design shown second.
    pub second: usize,
    /// Verdicts for the first.
    pub first_wins: f64,
    /// Verdicts for the second.
    pub second_wins: f64,
    /// Verdicts for neither.
    pub ties: f64,
    /// Whether being shown first may have mattered; false if both orders were judged and combined into one verdict.
    pub ordered: bool,
}

/// Strengths and their uncertainty.
#[derive(Clone, Debug)]
pub struct Strengths {
    /// Log-strength by design, mean 0.
    pub logs: Vec<f64>,
    /// Davidson's ν; `None` when no verdict was a tie.
    pub tie: Option<f64>,
    /// δ, the log-odds that being shown first adds; `None` when no contest was ordered.
    pub order: Option<f64>,
    factor: Cholesky,
}

impl Strengths {
    /// The penalised maximum likelihood fit. With a `precision` of 0 there is no penalty, and there may be no fit: then `None`.
    pub fn of(designs: usize, contests: &[Contest], precision: f64) -> Option<Self> {
        if designs == 0 {
            return None;
        }
        let ties = contests.iter().any(|contest| contest.ties > 0.0);
        let ordered = contests.iter().any(|contest| contest.ordered);
        let layout = Layout {
            designs,
            tie: ties.then_some(designs),
            order: ordered.then_some(designs + usize::from(ties)),
            size: designs + usize::from(ties) + usize::from(ordered),
        };
        let mut parameters = vec![0.0; layout.size];
        let mut current = layout.objective(contests, precision, &parameters);
        for _ in 0..STEPS {
            let (gradient, curvature) = layout.derivatives(contests, precision, &parameters);
            let factor = curvature.cholesky()?;
            let step = factor.solve(&gradient);
            if step.iter().all(|value| value.abs() <= CONVERGED) {
                let shift = parameters[..designs].iter().sum::<f64>() / designs as f64;
                return Some(Self {
                    logs: parameters[..designs].iter().map(|value| value - shift).collect(),
                    tie: layout.tie.map(|index| libm::exp(parameters[index])),
                    order: layout.order.map(|index| parameters[index]),
                    factor,
                });
            }
            // Halve the step until the objective doesn't decrease; the last halvings are below rounding and always pass.
            let mut scale = 1.0;
            loop {
                let next: Vec<f64> =
                    parameters.iter().zip(&step).map(|(value, move_by)| value + scale * move_by).collect();
                let reached = layout.objective(contests, precision, &next);
                if reached >= current - 1e-9 * current.abs().max(1.0) || scale < 1e-9 {
                    (parameters, current) = (next, reached);
                    break;
                }
                scale *= 0.5;
            }
        }
        None
    }

    /// Standard error of each log-strength, relative to their mean.
    pub fn standard_errors(&self, tastes: &Tastes) -> Vec<f64> {
        let designs = self.logs.len();
        let weights = |design: usize| {
            let mut weights = vec![0.0; self.size()];
            weights[..designs].fill(-1.0 / designs as f64);
            weights[design] += 1.0;
            weights
        };
        (0..designs).map(|design| self.variance_of(&weights(design), tastes).sqrt()).collect()
    }

    /// The variances of independent variables whose differences match those of the log-strengths.
    pub fn spread(&self, tastes: &Tastes) -> Vec<f64> {
        let designs = self.logs.len();
        let variances: Vec<f64> =
            (0..designs).map(|design| self.variance_of(&self.unit(design), tastes)).collect();
        let mut ones = vec![0.0; self.size()];
        ones[..designs].fill(1.0);
        // Tastes don't change the sums of rows: they affect only differences.
        independent_variances(&variances, &self.factor.solve(&ones)[..designs])
    }

    /// The covariance of the log-strengths, row by row; it is valid for their differences.
    pub fn covariance(&self, tastes: &Tastes) -> Vec<f64> {
        let designs = self.logs.len();
        let rows: Vec<Vec<f64>> = (0..designs).map(|design| self.factor.solve(&self.unit(design))).collect();
        let excesses = tastes.excesses(&rows);
        let independent = rows.iter().flat_map(|row| &row[..designs]);
        independent.zip(excesses).map(|(independent, excess)| independent + excess).collect()
    }

    /// The variance of the difference of two log-strengths.
    pub fn spread_of_difference(&self, one: usize, other: usize, tastes: &Tastes) -> f64 {
        let mut weights = self.unit(one);
        weights[other] -= 1.0;
        self.variance_of(&weights, tastes)
    }

    /// The probabilities of a contest's outcomes: the first wins, the second wins, a tie.
    pub fn chances(&self, contest: &Contest) -> [f64; 3] {
        let order = self.order.filter(|_| contest.ordered).unwrap_or(0.0);
        let lead = 0.5 * (self.logs[contest.first] - self.logs[contest.second] + order);
        let odds = [libm::exp(lead), libm::exp(-lead), self.tie.unwrap_or(0.0)];
        let total: f64 = odds.iter().sum();
        odds.map(|odds| odds / total)
    }

    /// The variance of a contest's outcome, with 1 for the first, 0 for the second and ½ for a tie.
    pub fn variance(&self, contest: &Contest) -> f64 {
        let [first, _, tie] = self.chances(contest);
        let mean = first + 0.5 * tie;
        first + 0.25 * tie - mean * mean
    }

    /// The variance of the parameters' sum with the given weights.
    fn variance_of(&self, weights: &[f64], tastes: &Tastes) -> f64 {
        let solved = self.factor.solve(weights);
        let independent: f64 = weights.iter().zip(&solved).map(|(weight, solved)| weight * solved).sum();
        independent + tastes.excess(&solved)
    }

    fn unit(&self, design: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.size()];
        unit[design] = 1.0;
        unit
    }

    /// The index of δ among the parameters.
    pub(crate) fn order_index(&self) -> Option<usize> {
        self.order.map(|_| self.size() - 1)
    }

    /// How many parameters the fit has.
    fn size(&self) -> usize {
        self.logs.len() + usize::from(self.tie.is_some()) + usize::from(self.order.is_some())
    }
}

/// The index of each parameter.
struct Layout {
    designs: usize,
    tie: Option<usize>,
    order: Option<usize>,
    size: usize,
}

/// One possible verdict: its count, its log-odds, and its derivative by each parameter.
struct Outcome {
    count: f64,
    logit: f64,
    features: [(usize, f64); 3],
}

impl Layout {
    fn outcomes(&self, contest: &Contest, parameters: &[f64]) -> Vec<Outcome> {
        let (first, second) = (contest.first, contest.second);
        let order =
            |half: f64| self.order.filter(|_| contest.ordered).map_or((first, 0.0), |index| (index, half));
        let mut outcomes = vec![
            Outcome {
                count: contest.first_wins,
                logit: 0.0,
                features: [(first, 1.0), order(0.5), (first, 0.0)],
            },
            Outcome {
                count: contest.second_wins,
                logit: 0.0,
                features: [(second, 1.0), order(-0.5), (second, 0.0)],
            },
        ];
        if let Some(tie) = self.tie {
            let features = [(first, 0.5), (second, 0.5), (tie, 1.0)];
            outcomes.push(Outcome { count: contest.ties, logit: 0.0, features });
        }
        for outcome in &mut outcomes {
            outcome.logit = outcome.features.iter().map(|&(index, value)| value * parameters[index]).sum();
        }
        outcomes
    }

    fn objective(&self, contests: &[Contest], precision: f64, parameters: &[f64]) -> f64 {
        let mut total = -0.5 * precision * parameters.iter().map(|value| value * value).sum::<f64>();
        for contest in contests {
            let outcomes = self.outcomes(contest, parameters);
            let norm = log_sum_exp(&outcomes);
            total += outcomes.iter().map(|outcome| outcome.count * (outcome.logit - norm)).sum::<f64>();
        }
        total
    }

    /// The gradient, and minus the matrix of second derivatives. Strengths are known only up to a constant, so the square of
    /// their sum is added as a penalty: it is 0 at the fit.
    fn derivatives(&self, contests: &[Contest], precision: f64, parameters: &[f64]) -> (Vec<f64>, Symmetric) {
        let mut gradient: Vec<f64> = parameters.iter().map(|value| -precision * value).collect();
        let mut curvature = Symmetric::zeros(self.size);
        for index in 0..self.size {
            curvature.add(index, index, precision);
        }
        let sum: f64 = parameters[..self.designs].iter().sum();
        for entry in &mut gradient[..self.designs] {
            *entry -= sum;
        }
        let mut ones = vec![0.0; self.size];
        ones[..self.designs].fill(1.0);
        curvature.add_outer(1.0, &ones);
        for contest in contests {
            let outcomes = self.outcomes(contest, parameters);
            let norm = log_sum_exp(&outcomes);
            let count: f64 = outcomes.iter().map(|outcome| outcome.count).sum();
            let shares: Vec<f64> = outcomes.iter().map(|outcome| libm::exp(outcome.logit - norm)).collect();
            let mut sparse: Vec<(usize, Vec<f64>)> = Vec::with_capacity(4);
            for (number, outcome) in outcomes.iter().enumerate() {
                for &(index, value) in &outcome.features {
                    if value != 0.0 {
                        match sparse.iter_mut().find(|(known, _)| *known == index) {
                            Some((_, row)) => row[number] += value,
                            None => {
                                let mut row = vec![0.0; outcomes.len()];
                                row[number] = value;
                                sparse.push((index, row));
                            }
                        }
                    }
                }
            }
            let mean = |row: &[f64]| row.iter().zip(&shares).map(|(value, share)| value * share).sum::<f64>();
            for (index, row) in &sparse {
                let observed: f64 =
                    row.iter().zip(&outcomes).map(|(value, outcome)| value * outcome.count).sum();
                gradient[*index] += observed - count * mean(row);
                for (other, column) in sparse.iter().filter(|(other, _)| other <= index) {
                    let product: Vec<f64> = row.iter().zip(column).map(|(a, b)| a * b).collect();
                    curvature.add(*index, *other, count * (mean(&product) - mean(row) * mean(column)));
                }
            }
        }
        (gradient, curvature)
    }
}

fn log_sum_exp(outcomes: &[Outcome]) -> f64 {
    let highest = outcomes.iter().map(|outcome| outcome.logit).fold(f64::NEG_INFINITY, f64::max);
    highest + libm::log(outcomes.iter().map(|outcome| libm::exp(outcome.logit - highest)).sum())
}
