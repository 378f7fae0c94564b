//! Pairwise mode: who was preferred to whom, and what the order shown did.

use super::super::figures::{NONE, count};
use super::super::markdown::{inline, table};
use crate::ranking::{Comparison, Preferred, Ranking, Study};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn write(out: &mut String, ranking: &Ranking, study: &Study) {
    let Some(pairwise) = &ranking.pairwise else { return };
    let tallies = tallies(&study.comparisons);
    let names: Vec<String> = ranking.rankings.iter().map(|row| inline(&row.design_id)).collect();
    let mut headings = vec!["Preferred to →"];
    headings.extend(names.iter().map(String::as_str));
    let mut right = vec![true; headings.len()];
    right[0] = false;
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
    let _ = writeln!(out, "## Pair by pair\n\n{}", table(&headings, &right, &rows));
    out.push_str(
        "Won–lost–tied, one verdict for each reviewer and pair. Two verdicts on a pair, one in each order, that contradict one \
         another count as a tie.\n\n",
    );
    if pairwise.pairs_in_both_orders > 0 {
        let _ = writeln!(
            out,
            "{} of {} judged in both orders turned with the order.\n",
            pairwise.flips,
            count(u64::from(pairwise.pairs_in_both_orders), "pair", "pairs")
        );
    }
}

/// Verdicts on one design against another.
#[derive(Default)]
struct Tally {
    won: u32,
    lost: u32,
    tied: u32,
}

impl Tally {
    fn shown(&self) -> String {
        format!("{}–{}–{}", self.won, self.lost, self.tied)
    }
}

/// By design and rival: both orders of one pair by one reviewer in one repeat make one verdict.
fn tallies(comparisons: &[Comparison]) -> BTreeMap<(&str, &str), Tally> {
    // Per reviewer, repeat and pair in alphabetical order: the sum of its verdicts for the first of the two.
    let mut verdicts: BTreeMap<(&str, u32, &str, &str), i32> = BTreeMap::new();
    for one in comparisons {
        let (low, high) =
            if one.first < one.second { (&one.first, &one.second) } else { (&one.second, &one.first) };
        let preferred = match one.verdict {
            Preferred::First => Some(&one.first),
            Preferred::Second => Some(&one.second),
            Preferred::Tie => None,
        };
        let points = preferred.map_or(0, |preferred| if preferred == low { 1 } else { -1 });
        *verdicts.entry((one.reviewer.as_str(), one.repeat, low.as_str(), high.as_str())).or_default() +=
            points;
    }
    let mut tallies: BTreeMap<(&str, &str), Tally> = BTreeMap::new();
    for ((_, _, low, high), points) in verdicts {
        for (pair, points) in [((low, high), points), ((high, low), -points)] {
            let tally = tallies.entry(pair).or_default();
            match points {
                1.. => tally.won += 1,
                0 => tally.tied += 1,
                _ => tally.lost += 1,
            }
        }
    }
    tallies
}
