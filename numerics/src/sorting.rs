//! Sorting and grouping of indices. The whole module sorts through [`sorted_indices`]: the standard sort is compiled separately
//! for every element type and comparison, at seven kilobytes of WebAssembly each.

use std::cmp::Ordering;

/// The indices below `count` in the order of `compare`; equal ones stay in ascending order.
pub fn sorted_indices(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..count).collect();
    indices.sort_by(|&a, &b| compare(a, b));
    indices
}

/// The indices of `values` by descending value.
pub fn descending(values: &[f64]) -> Vec<usize> {
    sorted_indices(values.len(), &|a, b| values[b].total_cmp(&values[a]))
}

/// The values in ascending order.
pub fn ascending(values: &[f64]) -> Vec<f64> {
    sorted_indices(values.len(), &|a, b| values[a].total_cmp(&values[b]))
        .into_iter()
        .map(|index| values[index])
        .collect()
}

/// The indices of `keys` in the order of the keys.
pub fn by_key<const N: usize>(keys: &[[usize; N]]) -> Vec<usize> {
    sorted_indices(keys.len(), &|a, b| keys[a].cmp(&keys[b]))
}

/// Which of the indices below `count` occur, ascending.
pub fn distinct(count: usize, indices: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut occurs = vec![false; count];
    for index in indices {
        occurs[index] = true;
    }
    (0..count).filter(|&index| occurs[index]).collect()
}

/// The number of different keys.
pub fn count_distinct<const N: usize>(keys: &[[usize; N]]) -> usize {
    by_key(keys).chunk_by(|&a, &b| keys[a] == keys[b]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_stable() {
        assert_eq!(descending(&[1.0, 3.0, 1.0, 2.0]), [1, 3, 0, 2]);
        assert_eq!(ascending(&[1.0, 3.0, -1.0]), [-1.0, 1.0, 3.0]);
        assert_eq!(by_key(&[[1, 2], [0, 9], [1, 2], [1, 0]]), [1, 3, 0, 2]);
        assert_eq!(count_distinct(&[[1, 2], [0, 9], [1, 2], [1, 0]]), 3);
        assert_eq!(distinct(5, [3, 1, 3].into_iter()), [1, 3]);
    }
}
