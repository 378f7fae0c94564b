//! Rounds numbers for output to twelve significant digits, so that the mean of 7.6, 7.7 and 7.8 is 7.7 and not
//! 7.699999999999999. The arithmetic is more accurate than that, the statistics far less.

use super::output::{Audit, Breakdown, Preference, Ranking};

const DIGITS: usize = 12;

/// Values closer to 0 than this are 0, for numbers whose unit is a point, a share or a logarithm.
const NOTHING: f64 = 1e-12;

/// Powers of ten that are exact as doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Returns the double nearest to the value's first twelve significant decimal digits; values below 1e-11 or from 1e22
/// on are unchanged.
fn significant(value: f64) -> f64 {
    let magnitude = value.abs();
    if magnitude == 0.0 || magnitude >= 1e22 {
        return value + 0.0;
    }
    // Digits before the decimal point, or zeros after it.
    let before = POWERS.iter().take_while(|power| **power <= magnitude).count();
    let behind = POWERS.iter().take_while(|power| magnitude * **power < 0.1).count();
    // Twelve digits and an exact power of ten: the quotient is the nearest double, the product within half a unit of it.
    if before > DIGITS {
        let power = POWERS[before - DIGITS];
        return libm::round(value / power) * power;
    }
    match POWERS.get(DIGITS + behind - before) {
        Some(power) => libm::round(value * power) / power,
        None => value,
    }
}

/// Returns the same, but 0 for a value that is only arithmetic error.
pub(super) fn settled(value: f64) -> f64 {
    if value.abs() < NOTHING { 0.0 } else { significant(value) }
}

impl Ranking {
    /// Rounds every computed number; the caller's own values are unchanged.
    pub(super) fn rounded(mut self) -> Self {
        for design in &mut self.rankings {
            settle([&mut design.average_score, &mut design.median_score]);
            settle([&mut design.score_variance, &mut design.adjusted_score]);
            for given in &mut design.reviews {
                given.score = settled(given.score);
            }
            // In a dimension's own units, in which no value is too small to count.
            for breakdown in design.score_breakdown.values_mut() {
                let Breakdown { mean, median, variance, reviews, .. } = breakdown;
                for number in [mean, median, variance].into_iter().flatten().chain(reviews) {
                    *number = significant(*number);
                }
            }
        }
        settle([&mut self.verdict.probability]);
        if let Some(choice) = &mut self.choice {
            settle([&mut choice.expected_loss, &mut choice.within_half_a_point]);
        }
        let agreement = &mut self.agreement;
        settle([&mut agreement.kendall_w, &mut agreement.rank_correlation, &mut agreement.effective_votes]);
        settle([&mut agreement.krippendorff_alpha.ordinal, &mut agreement.krippendorff_alpha.interval]);
        for dissent in &mut agreement.dissent {
            (dissent.score, dissent.expected) = (settled(dissent.score), settled(dissent.expected));
        }
        for human in agreement.humans.values_mut() {
            settle([&mut human.kendall_tau_b]);
            human.p_value = human.p_value.map(significant);
        }
        for Audit { effect, p_value, .. } in [&mut self.bias.position, &mut self.bias.length] {
            settle([effect]);
            *p_value = p_value.map(significant);
        }
        let preferences = [&mut self.bias.self_preference, &mut self.bias.family_preference];
        for Preference { points, p_value, .. } in preferences.into_iter().flat_map(|map| map.values_mut()) {
            settle([points]);
            *p_value = p_value.map(significant);
        }
        for habits in self.bias.reviewers.values_mut() {
            settle([&mut habits.leniency, &mut habits.spread, &mut habits.repeat_spread]);
        }
        if let Some(pairwise) = &mut self.pairwise {
            pairwise.tie_parameter = settled(pairwise.tie_parameter);
            settle([&mut pairwise.order_effect]);
            for strength in &mut pairwise.strengths {
                strength.log_strength = settled(strength.log_strength);
                strength.standard_error = settled(strength.standard_error);
            }
        }
        for pair in &mut self.close_pairs {
            pair.lead = settled(pair.lead);
            pair.lead_with_comparisons = settled(pair.lead_with_comparisons);
        }
        for gain in &mut self.gains {
            settle([&mut gain.difference, &mut gain.probability]);
            gain.interval = gain.interval.map(|interval| interval.map(settled));
        }
        self
    }
}

fn settle<const N: usize>(numbers: [&mut Option<f64>; N]) {
    for number in numbers {
        *number = number.map(settled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_the_nearest_to_what_is_printed() {
        let cases = [
            (7.699_999_999_999_999, 7.7),
            (0.1 + 0.2, 0.3),
            (-2.0 / 3.0, -0.666_666_666_667),
            (123_456.789_012_345_6, 123_456.789_012),
            (9.999_999_999_999_9, 10.0),
            (1.0e20 / 3.0, 3.333_333_333_33e19),
            (1.0e30 / 3.0, 1.0e30 / 3.0),
            (1.0e-300 / 3.0, 1.0e-300 / 3.0),
            (-0.0, 0.0),
        ];
        for (value, expected) in cases {
            assert_eq!(significant(value).to_bits(), f64::to_bits(expected), "{value:?}");
        }
        assert_eq!(settled(-4e-17).to_bits(), 0);
        assert_eq!(settled(2e-12).to_bits(), f64::to_bits(2e-12));
    }

    proptest! {
        #[test]
        fn rounding_is_that_of_the_decimal_and_settles(value in -1e12..1e12f64, power in 0..20i32) {
            let value = value / f64::powi(10.0, power);
            let once = significant(value);
            prop_assert_eq!(significant(once).to_bits(), once.to_bits());
            prop_assert!((once - value).abs() <= 1e-11 * value.abs());
            let printed: f64 = format!("{once:.11e}").parse().unwrap();
            prop_assert!(value.abs() < 1e-11 || printed.to_bits() == once.to_bits(), "{once:?} {printed:?}");
        }
    }
}
