//! The chance of each design to be first given uncertain qualities, by integration: the same answer in any order of the designs,
//! and ½ for a tie of two.
//!
//! Qualities are a mixture of [`Component`]s. Only differences of qualities decide a place, so a component with any covariance is
//! replaced by *independent* normals whose differences have the right variances: exactly for two or three designs and for any
//! table without holes, otherwise in least squares ([`independent_variances`]). The places of independent variables need a single
//! integral, over the value of the one in question.

use crate::sorting::sorted_indices;

/// How far a normal density is integrated to either side, in standard deviations: four in a hundred million lie beyond.
const REACH: f64 = 5.5;
/// Step of the integral, in units of the smallest standard deviation. The trapezoidal rule is exact for normal densities to far
/// more digits than this step suggests (Trefethen and Weideman 2014, "The exponentially convergent trapezoidal rule", SIAM Review
/// 56).
const STEP: f64 = 0.4;
/// With more designs than this, the steps become finer.
const SHARP: f64 = 16.0;
/// The maximum number of steps of an integral, however uneven the standard deviations.
const MOST_STEPS: f64 = 600.0;
/// The minimum standard deviation, as a share of the widest.
const NARROWEST: f64 = 0.02;
/// Chances below this, or above one minus this, count as certain within one step.
const CERTAIN: f64 = 1e-12;

/// Independent normal qualities, and the probability that they are the right description.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its share of the mixture.
    pub weight: f64,
    /// By design.
    pub means: Vec<f64>,
    /// By design, above 0.
    pub variances: Vec<f64>,
}

/// The chance of each place: entry `design · designs + place`, places from 0, the highest quality first.
pub fn places(designs: usize, mixture: &[Component]) -> Vec<f64> {
    let mut table = vec![0.0; designs * designs];
    let total: f64 = mixture.iter().map(|component| component.weight).sum();
    for component in mixture {
        let weight = component.weight / total;
        match designs {
            0 => {}
            1 => table[0] += weight,
            2 => {
                let deviation = (component.variances[0] + component.variances[1]).sqrt();
                let lead = (component.means[0] - component.means[1]) / deviation;
                let (ahead, behind) = (weight * below(lead), weight * below(-lead));
                for (entry, chance) in table.iter_mut().zip([ahead, behind, behind, ahead]) {
                    *entry += chance;
                }
            }
            _ => add_places(&mut table, weight, component),
        }
    }
    table
}

/// By how much the best design's quality is expected to exceed that of one of them: `E[max q] − E[q]`, at least 0.
///
/// With the distribution function F of its quality and G of the highest of the others, that is `∫ F (1 − G)`, whose integrand
/// vanishes at both ends. It uses only differences of qualities, so the independent normals that replace the true ones serve.
pub fn expected_loss(mixture: &[Component], design: usize) -> f64 {
    average(mixture, |component| {
        let Range { deviations, low, high, step } = Range::of(component);
        let others = others(component, &deviations, design);
        let (mean, deviation) = (component.means[design], deviations[design]);
        let mut sum = 0.0;
        let mut at = low;
        while at <= high {
            sum += below((at - mean) / deviation) * (1.0 - all_below(&others, at));
            at += step;
        }
        sum * step
    })
}

/// The chance that no other design's quality exceeds that of one of them by more than `margin`.
pub fn chance_within(mixture: &[Component], design: usize, margin: f64) -> f64 {
    average(mixture, |component| {
        let Range { deviations, low, high, step } = Range::of(component);
        let others = others(component, &deviations, design);
        let (mean, deviation) = (component.means[design], deviations[design]);
        let (mut sum, mut mass) = (0.0, 0.0);
        let mut at = low;
        while at <= high {
            let distance = (at - mean) / deviation;
            let density = libm::exp(-0.5 * distance * distance);
            mass += density;
            sum += density * all_below(&others, at + margin);
            at += step;
        }
        // Without mass, it is so far from the others that no step fell on it.
        if mass > 0.0 {
            sum / mass
        } else {
            f64::from(others.iter().all(|(other, _)| *other <= mean + margin))
        }
    })
}

/// The average of a value over the components.
fn average(mixture: &[Component], value: impl Fn(&Component) -> f64) -> f64 {
    let total: f64 = mixture.iter().map(|component| component.weight).sum();
    mixture.iter().map(|component| component.weight / total * value(component)).sum()
}

/// Mean and deviation of every other design, in an order that depends on nothing else.
fn others(component: &Component, deviations: &[f64], design: usize) -> Vec<(f64, f64)> {
    let pairs = component.means.iter().copied().zip(deviations.iter().copied());
    let pairs: Vec<(f64, f64)> =
        pairs.enumerate().filter(|(other, _)| *other != design).map(|(_, pair)| pair).collect();
    let order = sorted_indices(pairs.len(), &|a, b| {
        let ((mean, by), (other, further)) = (pairs[a], pairs[b]);
        mean.total_cmp(&other).then(by.total_cmp(&further))
    });
    order.into_iter().map(|index| pairs[index]).collect()
}

/// The chance that all are below a value.
fn all_below(others: &[(f64, f64)], value: f64) -> f64 {
    others.iter().map(|(mean, deviation)| below((value - mean) / deviation)).product()
}

/// Where an integral over one component runs.
struct Range {
    /// By design, none too narrow.
    deviations: Vec<f64>,
    low: f64,
    high: f64,
    step: f64,
}

impl Range {
    fn of(Component { means, variances, .. }: &Component) -> Self {
        let widest = variances.iter().copied().fold(0.0, f64::max).sqrt();
        let deviations: Vec<f64> =
            variances.iter().map(|variance| variance.sqrt().max(NARROWEST * widest)).collect();
        let ends = means.iter().zip(&deviations);
        let low = ends.clone().map(|(mean, by)| mean - REACH * by).fold(f64::INFINITY, f64::min);
        let high = ends.map(|(mean, by)| mean + REACH * by).fold(f64::NEG_INFINITY, f64::max);
        let narrowest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
        // The more designs there are, the more precisely the value of one determines its place.
        let finer = (SHARP / means.len() as f64).min(1.0).sqrt();
        let step = (STEP * finer * narrowest).max((high - low) / MOST_STEPS);
        Self { deviations, low, high, step }
    }
}

/// Adds `weight` times the chances of places under one component.
fn add_places(table: &mut [f64], weight: f64, component: &Component) {
    let means = &component.means;
    let designs = means.len();
    let Range { deviations, low, high, step } = Range::of(component);
    let mut found = vec![0.0; designs * designs];
    let mut masses = vec![0.0; designs];
    let mut above = vec![0.0; designs];
    let mut at = low;
    while at <= high {
        for ((chance, mean), deviation) in above.iter_mut().zip(means).zip(&deviations) {
            *chance = below((mean - at) / deviation);
        }
        let uncertain: Vec<usize> =
            (0..designs).filter(|&design| above[design] > CERTAIN && above[design] < 1.0 - CERTAIN).collect();
        let ahead = above.iter().filter(|chance| **chance >= 1.0 - CERTAIN).count();
        let mut counts = vec![1.0];
        for &design in &uncertain {
            with(&mut counts, above[design]);
        }
        for &design in &uncertain {
            let distance = (at - means[design]) / deviations[design];
            if distance.abs() <= REACH {
                let density = libm::exp(-0.5 * distance * distance) / deviations[design];
                masses[design] += density;
                let row = &mut found[design * designs + ahead..(design + 1) * designs];
                for (entry, chance) in row.iter_mut().zip(without(&counts, above[design])) {
                    *entry += density * chance;
                }
            }
        }
        at += step;
    }
    for (design, &mass) in masses.iter().enumerate() {
        if mass > 0.0 {
            for place in 0..designs {
                table[design * designs + place] += weight * found[design * designs + place] / mass;
            }
        } else {
            // It is so far from the others that no step fell on it: its place is certain.
            let place = means.iter().filter(|mean| **mean > means[design]).count();
            table[design * designs + place] += weight;
        }
    }
}

/// Updates the chances of how many of some events happen for one more event, with the given chance.
fn with(counts: &mut Vec<f64>, chance: f64) {
    counts.push(0.0);
    for index in (0..counts.len()).rev() {
        let carried = if index > 0 { counts[index - 1] } else { 0.0 };
        counts[index] = counts[index] * (1.0 - chance) + carried * chance;
    }
}

/// Undoes [`with`], from the end where errors shrink.
fn without(counts: &[f64], chance: f64) -> Vec<f64> {
    let last = counts.len() - 1;
    let mut rest = vec![0.0; last];
    let mut carried = 0.0;
    if chance <= 0.5 {
        for index in 0..last {
            carried = ((counts[index] - chance * carried) / (1.0 - chance)).max(0.0);
            rest[index] = carried;
        }
    } else {
        for index in (0..last).rev() {
            carried = ((counts[index + 1] - (1.0 - chance) * carried) / chance).max(0.0);
            rest[index] = carried;
        }
    }
    rest
}

/// The variances of independent variables whose differences have the variances of those of the correlated ones: `ω_i + ω_j =
/// Var(x_i − x_j)`, exactly for up to three, in least squares for more. `variances` is the diagonal of the covariance, `sums` the
/// sums of its rows.
pub fn independent_variances(variances: &[f64], sums: &[f64]) -> Vec<f64> {
    let count = variances.len() as f64;
    let trace: f64 = variances.iter().sum();
    let whole: f64 = sums.iter().sum();
    // The sum of the variances of the differences, over all pairs.
    let pairs = count * trace - whole;
    if variances.len() < 3 {
        return vec![pairs.max(0.0) / count.max(1.0); variances.len()];
    }
    variances
        .iter()
        .zip(sums)
        .map(|(variance, sum)| {
            let own = count * variance + trace - 2.0 * sum;
            ((own - pairs / (count - 1.0)) / (count - 2.0)).max(0.0)
        })
        .collect()
}

/// A mixture of normals: the difference of two qualities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Weight, mean and standard deviation of each.
    pub parts: Vec<(f64, f64, f64)>,
}

impl Difference {
    /// Its mean.
    pub fn mean(&self) -> f64 {
        self.parts.iter().map(|(weight, mean, _)| weight * mean).sum()
    }

    /// The chance that it is at most `value`.
    pub fn at_most(&self, value: f64) -> f64 {
        self.parts.iter().map(|(weight, mean, deviation)| weight * below((value - mean) / deviation)).sum()
    }

    /// The value that it is below with the given chance, by bisection.
    pub fn quantile(&self, chance: f64) -> f64 {
        let end = |sign: f64| {
            self.parts
                .iter()
                .map(|(_, mean, deviation)| sign * mean + 12.0 * deviation)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let (mut low, mut high) = (-end(-1.0), end(1.0));
        for _ in 0..80 {
            let middle = f64::midpoint(low, high);
            if self.at_most(middle) < chance {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// The standard normal distribution function.
fn below(value: f64) -> f64 {
    0.5 * libm::erfc(-value * std::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(means: &[f64], variances: &[f64]) -> Component {
        Component { weight: 1.0, means: means.to_vec(), variances: variances.to_vec() }
    }

    #[test]
    fn a_tie_of_two_is_exactly_even() {
        assert_eq!(places(2, &[component(&[3.3, 3.3], &[0.7, 2.0])]), [0.5; 4]);
    }

    #[test]
    fn equals_share_every_place() {
        for designs in [3usize, 8, 40] {
            let even = 1.0 / designs as f64;
            for chance in places(designs, &[component(&vec![1.0; designs], &vec![0.3; designs])]) {
                assert!((chance - even).abs() < 1e-6, "{designs}: {chance}");
            }
        }
    }

    #[test]
    fn three_are_as_tables_of_the_normal_distribution_say() {
        // The chance that x > max(y, z) for independent normals is that of two correlated ones being below; with one far below,
        // it is that of a pair, Φ(1 / √2).
        let found = places(3, &[component(&[1.0, 0.0, -30.0], &[1.0, 1.0, 1.0])]);
        assert!((found[0] - 0.760_249_938_906_524).abs() < 1e-7, "{}", found[0]);
        assert!((found[8] - 1.0).abs() < 1e-7);
        // The expected number of designs above the best one: ∑ Φ over pairs.
        let found = places(3, &[component(&[0.4, 0.1, -0.2], &[0.5, 0.8, 0.2])]);
        let expected = below((0.1 - 0.4) / 1.3f64.sqrt()) + below((-0.2 - 0.4) / 0.7f64.sqrt());
        assert!((found[1] + 2.0 * found[2] - expected).abs() < 1e-6);
        for design in 0..3 {
            let row: f64 = found[3 * design..3 * design + 3].iter().sum();
            let column: f64 = (0..3).map(|other| found[3 * other + design]).sum();
            assert!((row - 1.0).abs() < 1e-9 && (column - 1.0).abs() < 1e-6, "{row} {column}");
        }
    }

    #[test]
    fn the_expected_loss_is_that_of_the_normal_distribution() {
        // For two, with the lead m and the deviation s of their difference: s φ(m / s) − m Φ(−m / s).
        let density = |value: f64| libm::exp(-0.5 * value * value) / std::f64::consts::TAU.sqrt();
        for (lead, variances) in
            [(0.0, [0.5, 0.5]), (1.3, [0.2, 0.9]), (-2.0, [1.0, 1.0]), (9.0, [0.01, 0.4])]
        {
            let deviation = f64::sqrt(variances[0] + variances[1]);
            let expected = deviation * density(lead / deviation) - lead * below(-lead / deviation);
            let found = expected_loss(&[component(&[lead, 0.0], &variances)], 0);
            assert!((found - expected).abs() < 1e-7, "{lead}: {found} {expected}");
        }
        // The expected maximum of three and of four standard normals (Harter 1961, "Expected values of normal order statistics",
        // Biometrika 48).
        for (designs, expected) in [(3, 0.846_284_375_3), (4, 1.029_375_373_0)] {
            let found = expected_loss(&[component(&vec![2.0; designs], &vec![1.0; designs])], 1);
            assert!((found - expected).abs() < 1e-7, "{designs}: {found}");
        }
    }

    #[test]
    fn the_chance_within_a_margin_is_that_of_the_normal_distribution() {
        for (lead, margin) in [(0.0, 0.5), (1.0, 0.5), (-0.7, 0.5), (0.3, 0.0)] {
            let found = chance_within(&[component(&[lead, 0.0], &[0.7, 0.5])], 0, margin);
            let expected = below((lead + margin) / 1.2f64.sqrt());
            assert!((found - expected).abs() < 1e-7, "{lead} {margin}: {found} {expected}");
        }
        // Without a margin, it is the chance of being the best, and a mixture is the average of its components.
        let parts =
            [component(&[0.4, 0.1, -0.2], &[0.5, 0.8, 0.2]), component(&[1.4, 0.1, 2.0], &[0.5, 1.1, 0.4])];
        let best = places(3, &parts);
        for design in 0..3 {
            assert!((chance_within(&parts, design, 0.0) - best[3 * design]).abs() < 1e-6);
            assert!(chance_within(&parts, design, 0.5) > best[3 * design]);
            assert!((chance_within(&parts, design, 50.0) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn no_order_changes_a_bit_of_loss_and_margin() {
        let (means, variances) = ([0.4, 0.1, -0.2, 0.3], [0.5, 0.8, 0.2, 0.7]);
        let turned = |by: usize| {
            let (mut means, mut variances) = (means, variances);
            means.rotate_left(by);
            variances.rotate_left(by);
            let parts = [component(&means, &variances)];
            let design = (4 - by) % 4;
            [expected_loss(&parts, design).to_bits(), chance_within(&parts, design, 0.5).to_bits()]
        };
        for by in 1..4 {
            assert_eq!(turned(by), turned(0));
        }
    }

    #[test]
    fn one_event_can_be_taken_out_again() {
        for chance in [1e-9, 0.3, 0.5, 0.8, 1.0 - 1e-9] {
            let mut counts = vec![1.0];
            for other in [0.9, 0.2, 0.5] {
                with(&mut counts, other);
            }
            let before = counts.clone();
            with(&mut counts, chance);
            let after = without(&counts, chance);
            assert!(before.iter().zip(&after).all(|(a, b)| (a - b).abs() < 1e-12), "{chance}");
        }
    }

    #[test]
    fn differences_keep_their_variances() {
        // Covariance [[2, .5, .3], [.5, 1, .2], [.3, .2, 1.5]]: differences vary by 2, 2.9 and 2.1.
        let found = independent_variances(&[2.0, 1.0, 1.5], &[2.8, 1.7, 2.0]);
        for (pair, expected) in [((0, 1), 2.0), ((0, 2), 2.9), ((1, 2), 2.1)] {
            assert!((found[pair.0] + found[pair.1] - expected).abs() < 1e-12);
        }
        assert_eq!(independent_variances(&[2.0, 1.0], &[2.5, 1.5]), [1.0, 1.0]);
    }

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        let difference = Difference { parts: vec![(0.5, 1.0, 2.0), (0.5, 1.0, 2.0)] };
        assert!((difference.quantile(0.975) - (1.0 + 2.0 * 1.959_963_984_540_054)).abs() < 1e-9);
        assert!((difference.mean() - 1.0).abs() < 1e-12);
    }
}
