//! Comparisons of two designs by reviewers who have also scored them.
//!
//! A reviewer's score of each design has the error `e ~ N(0, σ²)`, and so has what it thinks of the design when it compares it
//! with another. These two errors correlate by [`SAME`]: a taste recurs, and only the rest is new. A reviewer prefers the
//! design for which it sees the lead, so its verdict, 1 or −1, has the mean `δ / (σ√π)` for small leads δ of the consensus, and
//! a variance of 1. With the mean verdict `v` of k reviewers and the lead `m` by their scores,
//!
//! ```text
//! y = v · σ√π                          the lead that the verdicts show      Var(y | δ) = π σ² / k
//! z = (y − SAME · m) / (1 − SAME)      the same without what the scores already show
//! Var(z | δ) = (π − 2 · SAME²) σ² / (k · (1 − SAME)²)
//! ```
//!
//! The consensus then moves as a Kalman filter moves it (Kalman 1960). The error that all reviewers share is part of the
//! consensus, so no comparison makes it smaller.

use std::f64::consts::PI;

/// Correlation of a reviewer's error in a comparison with its error in scores. Nobody has measured it on designs. With 0 the
/// verdicts would count as fully new, which is too bold for two answers of one model; with 1 they would say nothing.
const SAME: f64 = 0.5;

/// What some reviewers say about two designs when they compare them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// The two designs.
    pub designs: [usize; 2],
    /// The mean verdict: 1 if all prefer the first of them, −1 if all prefer the second.
    pub verdict: f64,
    /// The number of reviewers.
    pub reviewers: usize,
}

impl Compared {
    /// Moves the consensus on the two designs, which are independent variables, when a score's residual has this variance.
    pub(crate) fn update(&self, residual: f64, means: &mut [f64], variances: &mut [f64]) {
        let [one, other] = self.designs;
        let lead = means[one] - means[other];
        let shown = self.verdict * (PI * residual).sqrt();
        let new = 1.0 - SAME;
        let noise = (PI - 2.0 * SAME * SAME) * residual / (self.reviewers as f64 * new * new);
        let surprise = (shown - SAME * lead) / new - lead;
        let total = variances[one] + variances[other] + noise;
        for (design, direction) in [(one, 1.0), (other, -1.0)] {
            let gain = variances[design] / total;
            means[design] += direction * gain * surprise;
            variances[design] *= 1.0 - gain;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(lead: f64, verdict: f64, reviewers: usize) -> ([f64; 2], [f64; 2]) {
        let (mut means, mut variances) = ([lead, 0.0], [0.4, 0.4]);
        Compared { designs: [0, 1], verdict, reviewers }.update(1.0, &mut means, &mut variances);
        (means, variances)
    }

    #[test]
    fn verdicts_move_both_designs_by_as_much_as_they_say_something_new() {
        let ([one, other], [spread, _]) = moved(0.5, -1.0, 3);
        assert!(one < other, "a unanimous verdict reverses half a point: {one} {other}");
        assert!((one + other - 0.5).abs() < 1e-12 && spread < 0.4);
        let ([one, other], _) = moved(0.5, -1.0 / 3.0, 3);
        assert!(one > other, "two of three don't: {one} {other}");
        let ([one, other], _) = moved(1.2, -1.0, 3);
        assert!(one > other, "nor does a unanimous one reverse more than a point: {one} {other}");
        let ([one, other], _) = moved(0.5, 0.0, 3);
        assert!(one - other < 0.5 && one > other, "ties bring them closer: {one} {other}");
        let ([one, other], _) = moved(0.0, 0.0, 3);
        assert!(one.abs() + other.abs() < 1e-12);
    }

    #[test]
    fn more_reviewers_say_more() {
        let lead = |reviewers| {
            let ([one, other], _) = moved(0.0, 1.0, reviewers);
            one - other
        };
        assert!(0.0 < lead(1) && lead(1) < lead(2) && lead(2) < lead(6));
    }
}
