//! Exact tests of counts. They use no approximation, so they are valid from the first case.

/// How a count comes out by chance alone: entry `k` is the probability of `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts(Vec<f64>);

impl Counts {
    /// How many of `flips` fair coins show heads.
    pub fn of_coins(flips: usize) -> Self {
        // By its own recurrence; the logarithms keep the terms finite for any number of coins.
        let mut log = -(flips as f64) * std::f64::consts::LN_2;
        let mut chances: Vec<f64> = (0..=flips)
            .map(|heads| {
                let chance = libm::exp(log);
                log += libm::log((flips - heads) as f64) - libm::log((heads + 1) as f64);
                chance
            })
            .collect();
        // Rounding must not favour a side.
        for tails in 0..flips.div_ceil(2) {
            chances[flips - tails] = chances[tails];
        }
        Self(chances)
    }

    /// How many of `draws` cases are marked, drawn without replacement from `marked` cases and `others` (Fisher 1935, "The logic of
    /// inductive inference", JRSS 98). More draws than cases draw all of them.
    pub fn of_draws(draws: usize, marked: usize, others: usize) -> Self {
        let draws = draws.min(marked + others);
        let (least, most) = (draws.saturating_sub(others), draws.min(marked));
        let mut logs = vec![0.0];
        for found in least..most {
            let more = (marked - found) * (draws - found);
            let fewer = (found + 1) * (others + found + 1 - draws);
            logs.push(logs[found - least] + libm::log(more as f64) - libm::log(fewer as f64));
        }
        let highest = logs.iter().copied().fold(0.0, f64::max);
        let terms: Vec<f64> = logs.iter().map(|log| libm::exp(log - highest)).collect();
        let total: f64 = terms.iter().sum();
        let mut chances = vec![0.0; least];
        chances.extend(terms.iter().map(|term| term / total));
        Self(chances)
    }

    /// The sum of two independent counts.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = vec![0.0; self.0.len() + other.0.len() - 1];
        for (mine, chance) in self.0.iter().enumerate() {
            for (theirs, other) in other.0.iter().enumerate() {
                sum[mine + theirs] += chance * other;
            }
        }
        Self(sum)
    }

    /// The probability of at least this count.
    pub fn at_least(&self, count: usize) -> f64 {
        // The smallest terms first.
        self.0.iter().skip(count).rev().sum()
    }
}

/// The exact two-sided sign test (Dixon and Mood 1946, "The statistical sign test", JASA 41): how often fair coins split at least as
/// unevenly as `a` against `b`.
pub fn sign_test(a: usize, b: usize) -> f64 {
    (2.0 * Counts::of_coins(a + b).at_least(a.max(b))).min(1.0)
}

/// The highest chance that a difference with this p-value is real, if every second case has none: 1 / (1 − e p ln p) (Sellke, Bayarri
/// and Berger 2001, "Calibration of p values for testing precise null hypotheses", The American Statistician 55). Without evidence,
/// from p = 1/e, it is ½.
pub fn chance_of_difference(p: f64) -> f64 {
    let p = p.clamp(f64::MIN_POSITIVE, 1.0 / std::f64::consts::E);
    1.0 / (1.0 - std::f64::consts::E * p * libm::log(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12 * expected.max(1e-3), "{found} {expected}");
    }

    #[test]
    fn coins_split_as_counted_by_hand() {
        for (a, b, expected) in [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (3, 3, 1.0),
            (6, 0, 1.0 / 32.0),
            (0, 6, 1.0 / 32.0),
            (8, 1, 20.0 / 512.0),
            (10, 2, 158.0 / 4096.0),
        ] {
            near(sign_test(a, b), expected);
        }
        near(Counts::of_coins(3).at_least(2), 0.5);
        assert!(
            sign_test(40_000, 39_000) < 0.001 && sign_test(40_000, 40_000) > 0.999,
            "any number of cases"
        );
    }

    #[test]
    fn draws_are_those_of_the_lady_tasting_tea() {
        // Fisher 1935, "The design of experiments": four of eight cups, all four right in one of 70.
        let tea = Counts::of_draws(4, 4, 4);
        for (right, expected) in [(0, 70.0), (1, 69.0), (2, 53.0), (3, 17.0), (4, 1.0), (5, 0.0)] {
            near(tea.at_least(right), expected / 70.0);
        }
        near(Counts::of_draws(5, 3, 4).at_least(1), 1.0);
        near(Counts::of_draws(9, 3, 4).at_least(3), 1.0);
        near(Counts::of_draws(2, 0, 4).at_least(1), 0.0);
        near(Counts::of_draws(0, 0, 0).at_least(0), 1.0);
    }

    #[test]
    fn a_sum_has_the_chances_of_its_parts() {
        let sum = Counts::of_coins(2).plus(&Counts::of_coins(3));
        for heads in 0..=5 {
            near(sum.at_least(heads), Counts::of_coins(5).at_least(heads));
        }
        near(Counts::of_draws(4, 4, 4).plus(&Counts::of_coins(1)).at_least(5), 1.0 / 140.0);
    }

    #[test]
    fn the_chance_of_a_difference_is_that_of_the_paper() {
        // The lower bound of the chance that there is none, as in table 1 to three digits from p = 0.1.
        for (p, none) in
            [(0.2, 0.467), (0.1, 0.385), (0.05, 0.289), (0.01, 0.111), (0.005, 0.067), (0.001, 0.018)]
        {
            assert!((1.0 - chance_of_difference(p) - none).abs() < 1e-3, "{p}");
        }
        near(chance_of_difference(1.0), 0.5);
        near(chance_of_difference(0.0), 1.0);
    }
}
