//! Permutation tests: how often chance alone has at least the same effect. Exact if all permutations can be tried,
//! otherwise from a seeded sample that includes the observed one (Phipson and Smyth 2010, "Permutation p-values should
//! never be zero", Statistical Applications in Genetics and Molecular Biology 9): valid at any sample size.

use crate::random::Random;

/// Up to this many permutations, all are tried.
const ENUMERATED: u64 = 5_040;

/// The result of a permutation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Test {
    /// The share of permutations whose statistic is at least the observed one.
    pub(super) p_value: f64,
    /// The smallest p-value that any outcome could have had, judging by the permutations tried.
    pub(super) smallest: f64,
}

impl Test {
    /// Computes the result from the statistic under each permutation tried, the observed one first.
    fn of(values: &[f64]) -> Self {
        let share = |value: f64| {
            // Values that differ only by rounding are equal.
            let bound = value - 1e-9 * value.abs().max(1.0);
            values.iter().filter(|&&other| other >= bound).count() as f64 / values.len() as f64
        };
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { p_value: share(values[0]), smallest: share(highest) }
    }
}

/// Permutes items within blocks; `statistic` takes the index of the item at each place, and returns a value that grows
/// with the effect being tested. `work` is the cost of one call, which limits the size of the sample.
pub(super) fn test(
    blocks: &[usize],
    work: usize,
    random: &mut Random,
    mut statistic: impl FnMut(&[usize]) -> f64,
) -> Test {
    let mut items: Vec<usize> = (0..blocks.iter().sum()).collect();
    let mut values = vec![statistic(&items)];
    let total = blocks.iter().flat_map(|&size| 1..=size as u64).try_fold(1u64, u64::checked_mul);
    if total.is_some_and(|total| total <= ENUMERATED) {
        while advance(blocks, &mut items) {
            values.push(statistic(&items));
        }
    } else {
        for _ in 0..(4_000_000 / work.max(1)).clamp(99, 999) {
            let mut start = 0;
            for &size in blocks {
                random.shuffle(&mut items[start..start + size]);
                start += size;
            }
            values.push(statistic(&items));
        }
    }
    Test::of(&values)
}

/// Runs a one-sided test (Pitman 1937, "Significance tests which may be applied to samples from any populations", JRSS
/// Supplement 4): by how much the mean of the first `front` values exceeds that of the rest, and how often as many
/// values picked at random exceed the rest by at least as much.
pub(super) fn surplus(values: &[f64], front: usize, random: &mut Random) -> (f64, Test) {
    let total: f64 = values.iter().sum();
    let excess = |picked: &[usize]| {
        let sum: f64 = picked.iter().map(|&item| values[item]).sum();
        sum / front as f64 - (total - sum) / (values.len() - front) as f64
    };
    let mut picked: Vec<usize> = (0..front).collect();
    let observed = excess(&picked);
    let choices = (0..front as u64).try_fold(1u64, |choices, taken| {
        Some(choices.checked_mul(values.len() as u64 - taken)? / (taken + 1))
    });
    if choices.is_none_or(|choices| choices > ENUMERATED) {
        return (observed, test(&[values.len()], values.len(), random, |items| excess(&items[..front])));
    }
    let mut tried = vec![observed];
    // Finds the next choice in lexicographic order: raise the last item that can be raised, and restart those after it.
    while let Some(place) = (0..front).rev().find(|&place| picked[place] < values.len() - front + place) {
        picked[place] += 1;
        for next in place + 1..front {
            picked[next] = picked[next - 1] + 1;
        }
        tried.push(excess(&picked));
    }
    (observed, Test::of(&tried))
}

/// Advances to the next arrangement in lexicographic order, block by block like the digits of a number; returns false
/// after the last one.
fn advance(blocks: &[usize], items: &mut [usize]) -> bool {
    let mut start = 0;
    for &size in blocks {
        let block = &mut items[start..start + size];
        if let Some(pivot) = (1..size).rev().find(|&place| block[place - 1] < block[place]) {
            let other = (pivot..size).rev().find(|&place| block[place] > block[pivot - 1]).unwrap_or(pivot);
            block.swap(pivot - 1, other);
            block[pivot..].reverse();
            return true;
        }
        block.reverse();
        start += size;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries_every_arrangement_once() {
        let mut seen = std::collections::BTreeSet::new();
        let result = test(&[3, 2], 1, &mut Random::new(1, "test"), |items| {
            seen.insert(items.to_vec());
            f64::from(u8::from(items[0] == 0))
        });
        assert_eq!(seen.len(), 12);
        assert_eq!(result, Test { p_value: 1.0 / 3.0, smallest: 1.0 / 3.0 });
    }

    #[test]
    fn tries_every_choice_once() {
        // Of the ten pairs of these five values, only {5, 4} and {5, 3} exceed the rest by as much as {5, 3} does.
        let (excess, found) = surplus(&[5.0, 3.0, 4.0, 1.0, 2.0], 2, &mut Random::new(1, "test"));
        assert!((excess - (4.0 - 7.0 / 3.0)).abs() < 1e-12);
        assert_eq!(found, Test { p_value: 0.2, smallest: 0.1 });
        let (_, one) = surplus(&[1.0, 2.0, 3.0], 1, &mut Random::new(1, "test"));
        assert!((one.p_value - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_smallest_p_value_is_one_that_can_occur() {
        let random = &mut Random::new(1, "test");
        // Two of the three values are equally high, so no single pick stands out.
        let (_, tied) = surplus(&[2.0, 2.0, 1.0], 1, random);
        assert!((tied.smallest - 2.0 / 3.0).abs() < 1e-12, "{tied:?}");
        // A single item of twelve decides the statistic, so no outcome is rarer than one in twelve.
        let sampled = test(&[12], 1, random, |items| if items[0] == 0 { 1.0 } else { 0.0 });
        assert!((sampled.smallest - 1.0 / 12.0).abs() < 0.02, "{sampled:?}");
        let (_, many) = surplus(&[[9.0; 6], [1.0; 6]].concat(), 6, random);
        assert!(many.smallest > 0.001 && many.smallest < 0.01, "{many:?}");
    }

    #[test]
    fn samples_what_it_cannot_try() {
        let result =
            test(&[12], 1, &mut Random::new(1, "test"), |items| if items[0] == 0 { 1.0 } else { 0.0 });
        assert!((result.p_value - 1.0 / 12.0).abs() < 0.02, "{result:?}");
    }
}
