//! The order and the labels in which a reviewer sees the designs.

use kernel::json::Deserialize;
use serde::Serialize;

use crate::design_lab::ids::Label;
use crate::random::Random;

/// What one reviewer sees in one repeat. It is kept in the journal, so that every score can be traced back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presentation {
    /// The indices of the designs, by the position shown.
    pub order: Vec<usize>,
    /// The labels, by the position shown; distinct words that reveal neither order nor author.
    pub labels: Vec<Label>,
}

/// Returns the presentation of `designs` designs to a reviewer in a repeat, both counted from 0, if every reviewer
/// has `repeats` of them. It depends on nothing else: neither on which reviewer comes first nor on how many there
/// are.
///
/// Among the first n reviewers, for any n, how often a design has a position differs by at most one between designs
/// and between positions. Whole squares also balance which design comes after which (Williams, "Experimental designs
/// balanced for the estimation of residual effects of treatments", 1949). A reviewer's own repeats differ as long as
/// there are at least as many designs as repeats.
pub fn presentation(
    seed: u64,
    reviewer: usize,
    repeat: usize,
    designs: usize,
    repeats: usize,
) -> Presentation {
    if designs == 0 {
        return Presentation { order: Vec::new(), labels: Vec::new() };
    }
    let repeats = repeats.max(1);
    // Rotated by the reviewer: otherwise, if there are as many repeats as designs, all reviewers would see the same
    // rows in their first repeat.
    let turn = (repeat + reviewer) % repeats;
    let row = reviewer * repeats + turn;
    Presentation { order: order(seed, row, designs), labels: labels(seed, row, designs) }
}

/// Returns a row of the square, with rows and designs in an order drawn from the seed.
fn order(seed: u64, row: usize, designs: usize) -> Vec<usize> {
    let mut random = Random::new(seed, "anonymity.order");
    let mut names: Vec<usize> = (0..designs).collect();
    let mut rows = names.clone();
    random.shuffle(&mut names);
    random.shuffle(&mut rows);
    // 0, n−1, 1, n−2, …, each row shifted by one; if n is odd, the mirrored square is needed too.
    let shift = rows[row % designs];
    let mut order: Vec<usize> = (0..designs)
        .map(|position| {
            let half = position.div_ceil(2);
            let start = if position % 2 == 0 { half } else { designs - half };
            names[(start + shift) % designs]
        })
        .collect();
    if designs % 2 == 1 && (row / designs) % 2 == 1 {
        order.reverse();
    }
    order
}

/// Returns the next words of a shuffled list, so that reviewers share no label until the list is used up.
fn labels(seed: u64, row: usize, designs: usize) -> Vec<Label> {
    let mut words = WORDS;
    Random::new(seed, "anonymity.labels").shuffle(&mut words);
    let first = row * designs;
    (first..first + designs)
        .map(|index| {
            let word = words[index % WORDS.len()];
            // Only with more designs than words would one reviewer see a word twice.
            match (index - first) / WORDS.len() {
                0 => Label::new(word),
                round => Label::new(format!("{word}-{round}")),
            }
        })
        .collect()
}

/// Plants and birds: no model, vendor or common software has such a name, none sounds first or best, and no two start
/// with the same three letters.
const WORDS: [&str; 72] = [
    "alder",
    "avocet",
    "barley",
    "bilberry",
    "bittern",
    "bluebell",
    "bracken",
    "bryony",
    "burdock",
    "campion",
    "chervil",
    "chough",
    "clover",
    "cowslip",
    "cranesbill",
    "curlew",
    "damson",
    "dipper",
    "dogwood",
    "dunlin",
    "egret",
    "eider",
    "fennel",
    "fieldfare",
    "foxglove",
    "gannet",
    "gentian",
    "gorse",
    "grebe",
    "guillemot",
    "hawthorn",
    "heather",
    "hornbeam",
    "hyssop",
    "jackdaw",
    "jessamine",
    "knapweed",
    "lapwing",
    "larch",
    "lichen",
    "linnet",
    "lovage",
    "mallow",
    "medlar",
    "moorhen",
    "myrtle",
    "nettle",
    "nuthatch",
    "oxlip",
    "pipit",
    "plover",
    "poplar",
    "primrose",
    "pimpernel",
    "puffin",
    "quince",
    "ragwort",
    "redshank",
    "rowan",
    "sanderling",
    "siskin",
    "snipe",
    "sorrel",
    "stonechat",
    "tansy",
    "teasel",
    "thistle",
    "turnstone",
    "vetch",
    "wagtail",
    "willow",
    "yarrow",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Counts how often each design has each position, over this many reviewers and repeats.
    fn counts(seed: u64, designs: usize, reviewers: usize, repeats: usize) -> Vec<usize> {
        let mut counts = vec![0; designs * designs];
        for reviewer in 0..reviewers {
            for repeat in 0..repeats {
                let shown = presentation(seed, reviewer, repeat, designs, repeats);
                for (position, design) in shown.order.into_iter().enumerate() {
                    counts[design * designs + position] += 1;
                }
            }
        }
        counts
    }

    #[test]
    fn every_design_stands_in_every_position_as_often_as_any_other() {
        for designs in 1..=12 {
            for reviewers in 1..=12 {
                for repeats in 1..=4 {
                    for seed in 0..3 {
                        let counts = counts(seed, designs, reviewers, repeats);
                        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
                        assert!(most - least <= 1, "{designs} × {reviewers} × {repeats}: {counts:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn whole_squares_balance_which_design_follows_which() {
        for designs in 2..=12 {
            let rows = if designs % 2 == 0 { designs } else { 2 * designs };
            let mut follows = vec![0; designs * designs];
            for reviewer in 0..rows {
                let order = presentation(11, reviewer, 0, designs, 1).order;
                for pair in order.windows(2) {
                    follows[pair[0] * designs + pair[1]] += 1;
                }
            }
            for first in 0..designs {
                for second in 0..designs {
                    let expected = if first == second { 0 } else { rows / designs };
                    assert_eq!(follows[first * designs + second], expected, "{designs}: {first} {second}");
                }
            }
        }
    }

    #[test]
    fn a_reviewer_meets_a_fresh_order_and_fresh_labels_in_each_repeat() {
        for designs in 2..=8 {
            for repeats in 2..=designs {
                for reviewer in 0..6 {
                    let shown: Vec<_> = (0..repeats)
                        .map(|repeat| presentation(5, reviewer, repeat, designs, repeats))
                        .collect();
                    for (first, second) in shown.iter().zip(&shown[1..]) {
                        assert_ne!(first.order, second.order, "{designs} {repeats} {reviewer}");
                        assert_ne!(first.labels, second.labels);
                    }
                }
            }
        }
    }

    #[test]
    fn first_repeats_of_different_reviewers_differ() {
        let firsts: std::collections::BTreeSet<_> =
            (0..3).map(|reviewer| presentation(1, reviewer, 0, 3, 3).order).collect();
        assert_eq!(firsts.len(), 3);
    }

    #[test]
    fn labels_are_reported_apart_at_a_glance() {
        let starts: std::collections::BTreeSet<_> = WORDS.iter().map(|word| &word[..3]).collect();
        assert_eq!(starts.len(), WORDS.len());
        assert!(WORDS.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    }

    #[test]
    fn the_order_of_a_seed_never_changes() {
        // Stored runs rely on these to be resumed and traced back.
        let shown = presentation(42, 1, 0, 4, 1);
        assert_eq!(shown.order, [2, 1, 0, 3]);
        assert_eq!(shown.labels, ["rowan", "campion", "poplar", "lovage"].map(Label::new));
    }

    proptest! {
        #[test]
        fn an_order_is_a_permutation_and_labels_are_distinct(
            seed: u64, reviewer in 0usize..40, repeat in 0usize..5, designs in 0usize..100, repeats in 0usize..5,
        ) {
            let shown = presentation(seed, reviewer, repeat, designs, repeats);
            let mut order = shown.order.clone();
            order.sort_unstable();
            prop_assert_eq!(order, (0..designs).collect::<Vec<_>>());
            let labels: std::collections::BTreeSet<_> = shown.labels.iter().collect();
            prop_assert_eq!(labels.len(), designs);
            let plain = shown.labels.iter().filter(|label| WORDS.contains(&label.as_str())).count();
            prop_assert_eq!(plain, designs.min(WORDS.len()));
        }

        #[test]
        fn labels_tell_nothing_of_designs(seed: u64) {
            // Two reviewers share no label, so no word can go with the same design for both.
            let (first, second) = (presentation(seed, 0, 0, 4, 1), presentation(seed, 1, 0, 4, 1));
            prop_assert!(first.labels.iter().all(|label| !second.labels.contains(label)));
        }
    }
}
