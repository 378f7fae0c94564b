//! Means, medians, variances and ranks: the basic statistics for the rest of the crate.

use crate::sorting::{ascending, descending, sorted_indices};

/// Scores closer than this are equal: far above rounding noise, far below any difference that a rubric can make.
pub const TIE: f64 = 1e-9;

/// The arithmetic mean; `None` for an empty slice.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle value, or the mean of the two middle values; `None` for an empty slice.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = ascending(values);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[half]),
        _ => Some(f64::midpoint(sorted[half - 1], sorted[half])),
    }
}

/// The sample variance (divisor n − 1), in two passes so that nothing cancels; `None` for fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    // Relative to one of them, the mean of equal values is that value, and their variance exactly 0.
    let first = values.first()?;
    let centre = first + mean(&values.iter().map(|value| value - first).collect::<Vec<_>>())?;
    let squares: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// Groups of equal values, the highest first, each in ascending order of index. Values tie in a chain: each is within
/// [`TIE`] of its neighbour.
pub fn tied_groups(values: &[f64]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut previous = f64::INFINITY;
    for index in descending(values) {
        match groups.last_mut() {
            Some(group) if previous - values[index] <= TIE => group.push(index),
            _ => groups.push(vec![index]),
        }
        previous = values[index];
    }
    for group in &mut groups {
        *group = sorted_indices(group.len(), &|a, b| group[a].cmp(&group[b]))
            .into_iter()
            .map(|at| group[at])
            .collect();
    }
    groups
}

/// Places by descending value, 1 is best, ties share the best place: 1, 2, 2, 4.
pub fn competition_ranks(values: &[f64]) -> Vec<u32> {
    let mut ranks = vec![0; values.len()];
    let mut place = 1;
    for group in tied_groups(values) {
        for &index in &group {
            ranks[index] = place;
        }
        place += u32::try_from(group.len()).unwrap_or(u32::MAX);
    }
    ranks
}

/// Ranks by ascending value from 1, ties share the mean of their ranks: 1, 2.5, 2.5, 4.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let mut below = values.len();
    for group in tied_groups(values) {
        below -= group.len();
        for &index in &group {
            ranks[index] = below as f64 + (group.len() + 1) as f64 / 2.0;
        }
    }
    ranks
}

/// Pearson's correlation; `None` when either side doesn't vary.
pub fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let (mean_x, mean_y) = (mean(x)?, mean(y)?);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (a, b) in x.iter().zip(y) {
        xx += (a - mean_x) * (a - mean_x);
        yy += (b - mean_y) * (b - mean_y);
        xy += (a - mean_x) * (b - mean_y);
    }
    (xx > TIE * TIE && yy > TIE * TIE).then(|| (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_ranks() {
        assert_eq!(competition_ranks(&[7.0, 9.0, 7.0, 1.0]), [2, 1, 2, 4]);
        assert_eq!(mid_ranks(&[7.0, 9.0, 7.0, 1.0]), [2.5, 4.0, 2.5, 1.0]);
        assert_eq!(competition_ranks(&[0.1 + 0.2, 0.3]), [1, 1], "rounding noise breaks no tie");
        assert!(competition_ranks(&[]).is_empty());
    }

    #[test]
    fn plain_statistics() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(variance(&[2.0, 4.0]), Some(2.0));
        assert_eq!(variance(&[2.0]), None);
        assert_eq!(variance(&[7.1; 3]), Some(0.0), "whose sum, divided by three, is not 7.1");
        assert_eq!(mean(&[]), None);
        assert_eq!(variance(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]), Some(30.0), "nothing cancels");
        assert_eq!(correlation(&[1.0, 2.0, 3.0], &[2.0, 4.0, 6.0]), Some(1.0));
        assert_eq!(correlation(&[1.0, 1.0], &[2.0, 4.0]), None);
    }
}
