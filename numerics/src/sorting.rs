//! Sorting and grouping. The whole core sorts through [`sorted_indices`]: the standard sort is compiled separately for every element
//! type and comparison, at seven kilobytes of WebAssembly each. Collecting into a map or set of the standard library sorts, too;
//! [`map`] and [`set`] don't.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sorts; equal items stay in their order.
pub fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a key, which is computed once for each item; items with equal keys stay in their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    reorder(items, sorted_indices(items.len(), &|a, b| keys[a].cmp(&keys[b])));
}

/// Sorts in the order of `compare`; equal items stay in their order.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_indices(items.len(), &|a, b| compare(&items[a], &items[b]));
    reorder(items, order);
}

/// Puts at each place the item whose index stands there in `order`.
fn reorder<T>(items: &mut [T], order: Vec<usize>) {
    for (place, other) in swaps(order) {
        items.swap(place, other);
    }
}

/// The swaps, in order, that put at each place the item whose index stands there.
fn swaps(mut order: Vec<usize>) -> Vec<(usize, usize)> {
    let mut swaps = Vec::new();
    for first in 0..order.len() {
        let mut place = first;
        while order[place] != first {
            let from = std::mem::replace(&mut order[place], place);
            swaps.push((place, from));
            place = from;
        }
        order[place] = place;
    }
    swaps
}

/// A map of these entries; the last of those with the same key counts.
pub fn map<K: Ord, V>(entries: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

/// A set of these items.
pub fn set<T: Ord>(items: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for item in items {
        set.insert(item);
    }
    set
}

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

    #[test]
    fn items_are_sorted_like_the_standard_library_sorts_them() {
        for count in 0..40_usize {
            let items: Vec<(usize, usize)> = (0..count).map(|place| (place * 7919 % 13, place)).collect();
            let [mut ours, mut theirs] = [items.clone(), items.clone()];
            sort_by_key(&mut ours, |(key, _)| *key);
            theirs.sort_by_key(|(key, _)| *key);
            assert_eq!(ours, theirs);
            ours.reverse();
            sort(&mut ours);
            theirs.sort_unstable();
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn maps_and_sets_are_those_of_the_standard_library() {
        let entries = [("b", 1), ("a", 2), ("b", 3)];
        assert_eq!(map(entries), BTreeMap::from(entries));
        assert_eq!(set([2, 1, 2]), BTreeSet::from([1, 2]));
    }
}
