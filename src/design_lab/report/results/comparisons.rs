//! Pairwise mode: which design was preferred to which, and the effect of the order shown.

use super::super::markdown::{inline, table_of_numbers};
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::ranking::{Comparison, Pairwise, Ranking, Study};
use crate::shared::figures::{NONE, count};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn write(out: &mut String, ranking: &Ranking, study: &Study) {
    let Some(pairwise) = &ranking.pairwise else { return };
    let tallies = tallies(&study.comparisons);
    let names: Vec<String> = ranking.rankings.iter().map(|row| inline(&row.design_id)).collect();
    let rows: Vec<Vec<String>> = ranking
        .rankings
        .iter()
        .map(|row| {
            let mut cells = vec![inline(&row.design_id)];
            cells.extend(ranking.rankings.iter().map(|column| {
                let key = (row.design_id.as_str(), column.design_id.as_str());
                tallies.get(&key).map_or_else(|| NONE.to_owned(), Tally::shown)
            }));
            cells
        })
        .collect();
    let _ = writeln!(out, "## Pair by pair\n\n{}", table_of_numbers("Preferred to →", &names, &rows));
    let _ = writeln!(out, "{} The reasons are in `reviews/`.\n", reading(ranking));
    if let Some(turned) = turned(pairwise) {
        let _ = writeln!(out, "{turned}\n");
    }
}

/// Returns how to read the tallies.
pub(in super::super) fn reading(ranking: &Ranking) -> String {
    let mut text =
        "Each cell shows won–lost–tied, with one verdict for each reviewer, repeat and pair. If a \
                    reviewer judged a pair in both orders, contradicting verdicts count as one tie; a win \
                    and a tie count as half a win and half a tie, and a loss and a tie as half a loss and \
                    half a tie."
            .to_owned();
    if ranking.metadata.self_reviews_excluded > 0 {
        text.push_str(
            " Verdicts on a reviewer's own design are listed too, but don't count for the ranking.",
        );
    }
    text
}

/// Returns how many verdicts changed with the order; `None` when no pair was judged in both orders.
pub(in super::super) fn turned(pairwise: &Pairwise) -> Option<String> {
    (pairwise.pairs_in_both_orders > 0).then(|| {
        format!(
            "For {} of {} judged in both orders, the verdict changed with the order.",
            pairwise.flips,
            count(u64::from(pairwise.pairs_in_both_orders), "pair", "pairs")
        )
    })
}

/// The verdicts on one design compared with another.
#[derive(Default)]
pub(in super::super) struct Tally {
    pub(in super::super) won: f64,
    pub(in super::super) lost: f64,
    pub(in super::super) tied: f64,
}

impl Tally {
    /// Formats the tally as `won–lost–tied`.
    pub(in super::super) fn shown(&self) -> String {
        format!("{}–{}–{}", self.won, self.lost, self.tied)
    }

    fn add(&mut self, [won, lost, tied]: [f64; 3]) {
        self.won += won;
        self.lost += lost;
        self.tied += tied;
    }
}

/// Returns the tallies by design and rival: one reviewer's verdicts on one pair in one repeat count as one, as in the
/// ranking.
pub(in super::super) fn tallies(comparisons: &[Comparison]) -> BTreeMap<(&str, &str), Tally> {
    // For each reviewer, repeat and pair in alphabetical order: verdicts for the first, for the second, and ties.
    let mut sittings: BTreeMap<(&str, u32, &str, &str), [f64; 3]> = BTreeMap::new();
    for one in comparisons {
        let swapped = one.first > one.second;
        let (low, high) = if swapped { (&one.second, &one.first) } else { (&one.first, &one.second) };
        let place = match (one.verdict, swapped) {
            (Preferred::First, false) | (Preferred::Second, true) => 0,
            (Preferred::Second, false) | (Preferred::First, true) => 1,
            (Preferred::Tie, _) => 2,
        };
        sittings.entry((one.reviewer.as_str(), one.repeat, low.as_str(), high.as_str())).or_default()
            [place] += 1.0;
    }
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for ((_, _, low, high), [won, lost, tied]) in sittings {
        let all = won + lost + tied;
        let [won, lost, tied] =
            if won > 0.0 && lost > 0.0 { [0.0, 0.0, 1.0] } else { [won / all, lost / all, tied / all] };
        tallies.entry((low, high)).or_default().add([won, lost, tied]);
        tallies.entry((high, low)).or_default().add([lost, won, tied]);
    }
    tallies
}
