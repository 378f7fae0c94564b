//! Numbers with their 95% intervals.

use crate::design_lab::ranking::descriptive::{mean, variance};
use serde::Serialize;

/// A number, its uncertainty, and how much data it is based on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower and upper end of the 95% interval.
    pub interval: [f64; 2],
    /// How many tasks, designs or jobs it is based on.
    pub n: u32,
}

impl Estimate {
    /// Rounds to four decimals: further digits depend on the order of runs.
    pub(super) fn new(value: f64, interval: [f64; 2], n: usize) -> Self {
        let rounded = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
        Self {
            value: rounded(value),
            interval: interval.map(rounded),
            n: u32::try_from(n).unwrap_or(u32::MAX),
        }
    }
}

/// Student's t at 97.5% by degrees of freedom. Between two of them the smaller one is used, because its interval is wider.
const STUDENT: [(usize, f64); 15] = [
    (1, 12.706),
    (2, 4.303),
    (3, 3.182),
    (4, 2.776),
    (5, 2.571),
    (6, 2.447),
    (7, 2.365),
    (8, 2.306),
    (9, 2.262),
    (10, 2.228),
    (12, 2.179),
    (15, 2.131),
    (20, 2.086),
    (30, 2.042),
    (60, 2.0),
];
/// The same quantile of the normal distribution.
const NORMAL: f64 = 1.96;

/// Few tasks may be alike by chance, so their variance is at least what it would be with one more task this far off, in points.
const LEAST_SPREAD: f64 = 0.5;

/// Returns the mean of independent values; `None` if there are fewer than two.
pub(super) fn of_mean(values: &[f64]) -> Option<Estimate> {
    let (mean, variance) = (mean(values)?, variance(values)?);
    let degrees = values.len() - 1;
    let student = STUDENT.iter().rev().find(|(from, _)| *from <= degrees).map_or(STUDENT[0].1, |(_, t)| *t);
    let floor = (variance * degrees as f64 + LEAST_SPREAD * LEAST_SPREAD) / values.len() as f64;
    let half = student * (variance.max(floor) / values.len() as f64).sqrt();
    Some(Estimate::new(mean, [mean - half, mean + half], values.len()))
}

/// Returns a share of independent cases (Wilson 1927, "Probable inference, the law of succession, and statistical inference", JASA
/// 22); `None` if there are no cases.
pub(super) fn of_share(of: u32, all: u32) -> Option<Estimate> {
    let n = f64::from(all);
    let share = f64::from(of.min(all)) / n;
    let square = NORMAL * NORMAL;
    let middle = share + square / (2.0 * n);
    let half = NORMAL * (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
    let end = |end: f64| (end / (1.0 + square / n)).clamp(0.0, 1.0);
    (all > 0).then(|| Estimate::new(share, [end(middle - half), end(middle + half)], all as usize))
}

/// Returns a correlation of pairs that are worth `degrees` degrees of freedom, by Fisher's transformation (Fisher 1921, "On the
/// probable error of a coefficient of correlation deduced from a small sample", Metron 1); `None` when either side doesn't vary.
pub(super) fn of_correlation(pairs: &[(f64, f64)], degrees: f64) -> Option<Estimate> {
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let (xx, yy, xy) = (sum(|(x, _)| x * x), sum(|(_, y)| y * y), sum(|(x, y)| x * y));
    if xx < 1e-9 || yy < 1e-9 || degrees <= 2.0 {
        return None;
    }
    let found = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    let bounded = found.clamp(-0.999, 0.999);
    let z = 0.5 * libm::log((1.0 + bounded) / (1.0 - bounded));
    let half = NORMAL / (degrees - 2.0).sqrt();
    let back = |z: f64| 1.0 - 2.0 / (libm::exp(2.0 * z) + 1.0);
    Some(Estimate::new(found, [back(z - half).min(found), back(z + half).max(found)], pairs.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<Estimate>, value: f64, interval: [f64; 2]) {
        let found = found.unwrap();
        let all = [(found.value, value), (found.interval[0], interval[0]), (found.interval[1], interval[1])];
        assert!(all.iter().all(|(one, other)| (one - other).abs() < 2e-3), "{found:?}");
    }

    #[test]
    fn intervals_are_those_of_textbooks() {
        // Newcombe 1998, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17, table I.
        near(of_share(81, 263), 0.3080, [0.2553, 0.3662]);
        near(of_share(15, 148), 0.1014, [0.0624, 0.1605]);
        near(of_share(0, 20), 0.0, [0.0, 0.1611]);
        assert_eq!(of_share(0, 0), None);
        // 2, 4, 6: mean 4, standard error 2/√3.
        near(of_mean(&[2.0, 4.0, 6.0]), 4.0, [4.0 - 4.303 * 1.1547, 4.0 + 4.303 * 1.1547]);
        near(of_mean(&[1.0; 4]), 1.0, [1.0 - 3.182 * 0.125, 1.0 + 3.182 * 0.125]);
        assert_eq!(of_mean(&[2.0]), None);
        // r = 0.5 of 28 pairs with means of their own: z = 0.5493 ± 1.96/5.
        let pairs: Vec<(f64, f64)> = (0..28)
            .map(|index| {
                let x = if index % 2 == 0 { 1.0 } else { -1.0 };
                (x, if index < 21 { x } else { -x })
            })
            .collect();
        near(of_correlation(&pairs, 27.0), 0.5, [0.156, 0.736]);
        assert_eq!(of_correlation(&[(0.0, 1.0); 9], 8.0), None, "one side doesn't vary");
    }
}
