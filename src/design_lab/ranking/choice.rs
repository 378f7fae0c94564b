//! What to do with a ranking: which design to choose, what the choice is expected to cost, and which designs to leave
//! aside.
//!
//! All numbers come from the posterior that rank intervals come from. `docs/ranking-measurements.md` shows how far they
//! could be trusted on real panels.

use super::descriptive::TIE;
use super::intervals::Places;
use super::output::{Choice, RankedDesign, Reasons};
use super::verdict::{is_one_opinion, listed, percent};
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::DesignId;
use design_lab_numerics::chances::{Component, chance_within, expected_loss};
use design_lab_numerics::sorting::{descending, sorted_indices};

/// The best design is among the candidates with at least this chance.
const LEVEL: f64 = 0.9;

/// On real panels, choosing the first design lost this many times what the posterior expects.
const LOST: f64 = 1.3;

/// A design within this many points of the best is nearly as good. Distances are stretched by [`LOST`], as the loss is.
const MARGIN: f64 = 0.5;

/// A first place that rests on no more dimensions than this is worth a word.
const FEW: usize = 2;

/// Chances closer than this are equal: the integral has six digits.
const SAME: f64 = 1e-6;

/// Names longer than this together are replaced by their number, if their places allow it: the chat stays short.
const NAMES: usize = 17;

/// What the choice is based on.
pub(super) struct Grounds<'a> {
    /// The ids of the ranked designs.
    pub(super) ids: Vec<&'a DesignId>,
    /// Their ranks.
    pub(super) ranks: &'a [u32],
    /// The chance of each place.
    pub(super) places: &'a Places,
    /// Their qualities in points; `None` in pairwise mode.
    pub(super) qualities: Option<&'a [Component]>,
    /// The equivalent number of independent reviewers.
    pub(super) votes: f64,
    /// The dimensions in which the first design has the highest mean, if they are few.
    pub(super) leads_only_in: Option<Vec<String>>,
}

/// Returns what to do with a ranking.
pub(super) fn choice(grounds: Grounds<'_>) -> Choice {
    let Grounds { ids, ranks, places, qualities, votes, leads_only_in } = grounds;
    let order = sorted_indices(ids.len(), &|a, b| ranks[a].cmp(&ranks[b]));
    let named = |keep: &dyn Fn(usize) -> bool| -> Vec<DesignId> {
        order.iter().filter(|&&index| keep(index)).map(|&index| ids[index].clone()).collect()
    };
    let first: Vec<usize> = (0..ids.len()).filter(|&index| ranks[index] == 1).collect();
    // If several share the first place, the numbers are those of the least favourable of them.
    let worst = |value: &dyn Fn(&[Component], usize) -> f64, pick: fn(f64, f64) -> f64| {
        qualities.and_then(|mixture| first.iter().map(|&design| value(mixture, design)).reduce(pick))
    };
    let mut reasons = Reasons::new();
    if qualities.is_none() {
        for field in ["expected_loss", "within_half_a_point"] {
            reasons.insert(field.to_owned(), "The designs were compared, not scored.".to_owned());
        }
    }
    // One opinion leaves no design alone: "too close to call" would contradict that.
    let candidates = candidates(places, ranks, if is_one_opinion(votes) { 2 } else { 1 });
    let mut choice = Choice {
        first: named(&|index| ranks[index] == 1),
        expected_loss: worst(&|mixture, design| LOST * expected_loss(mixture, design), f64::max),
        within_half_a_point: worst(
            &|mixture, design| chance_within(mixture, design, MARGIN / LOST),
            f64::min,
        ),
        best_among: named(&|index| candidates[index]),
        left_aside: named(&|index| !candidates[index]),
        leads_only_in,
        sentence: String::new(),
        reasons,
    };
    let last_in = (0..ids.len()).filter(|&index| candidates[index]).map(|index| ranks[index]).max();
    let first_out = (0..ids.len()).filter(|&index| !candidates[index]).map(|index| ranks[index]).min();
    choice.sentence = sentence(&choice, last_in < first_out);
    choice
}

/// Returns whether each design belongs to the smallest set of at least `least` designs that contains the best one with a
/// chance of [`LEVEL`]. Designs in first place always belong to it, and so does one whose chance equals that of another
/// member.
fn candidates(places: &Places, ranks: &[u32], least: usize) -> Vec<bool> {
    let chances: Vec<f64> = (0..ranks.len()).map(|design| places.best(design)).collect();
    let (mut held, mut lowest) = (0.0, f64::INFINITY);
    for (count, design) in descending(&chances).into_iter().enumerate() {
        if held < LEVEL || count < least {
            held += chances[design];
            lowest = chances[design];
        }
    }
    (0..ranks.len()).map(|design| ranks[design] == 1 || chances[design] >= lowest - SAME).collect()
}

/// Returns the dimensions in which no other ranked design has a higher mean than the single design in first place, if
/// there are at most [`FEW`] of more than [`FEW`], and no more than half of all.
pub(super) fn leads_only_in(rankings: &[RankedDesign], dimensions: &[Dimension]) -> Option<Vec<String>> {
    let ranked = || rankings.iter().filter(|row| row.rank.is_some());
    let first = ranked().next()?;
    if ranked().nth(1)?.rank == Some(1) {
        return None;
    }
    let mean = |row: &RankedDesign, name: &str| row.score_breakdown.get(name).and_then(|found| found.mean);
    let mut scored = 0;
    let mut led = Vec::new();
    for Dimension { name, .. } in dimensions {
        let Some(own) = mean(first, name) else { continue };
        scored += 1;
        if ranked().skip(1).all(|row| mean(row, name).is_none_or(|other| other <= own + TIE)) {
            led.push(name.clone());
        }
    }
    (led.len() <= FEW && 2 * led.len() <= scored && scored > FEW).then_some(led)
}

/// Returns the choice in at most five sentences. `split` is whether every candidate ranks above every other design.
fn sentence(choice: &Choice, split: bool) -> String {
    let first = names(&choice.first, "or");
    let cost = match (choice.expected_loss, choice.within_half_a_point) {
        (Some(loss), Some(near)) => format!(
            " On average, it is {} below the truly best one. The chance that it is at most 0.5 below is {}.",
            points(loss),
            percent(near)
        ),
        _ => String::new(),
    };
    let (among, aside) = (&choice.best_among, &choice.left_aside);
    let rest = if among.len() == 1 {
        // The verdict states its chance, which may be much more than 90%.
        "Leave the others aside.".to_owned()
    } else if aside.is_empty() {
        "No design can be left aside yet.".to_owned()
    } else if among.len() < aside.len() {
        let among = shortened(among, "or", split.then_some("among the first"));
        format!("The best is {among} (90% chance). Leave the others aside.")
    } else {
        let chance = if aside.len() == 1 {
            "its chance of being best is at most 10%"
        } else {
            "the chance that one of them is best is at most 10%"
        };
        let aside = shortened(aside, "and", split.then_some("the last"));
        format!("Leave {aside} aside: {chance}.")
    };
    format!("Choose {first}.{cost} {rest}")
}

fn names(ids: &[DesignId], word: &str) -> String {
    listed(&ids.iter().map(|id| &**id).collect::<Vec<_>>(), word)
}

/// Returns names, or if they are long, the given words and their number.
fn shortened(ids: &[DesignId], word: &str, counted: Option<&str>) -> String {
    let all = names(ids, word);
    match (counted.filter(|_| all.chars().count() > NAMES), ids.len()) {
        (Some(counted), 1) => format!("{counted} one"),
        (Some(counted), count) => format!("{counted} {count}"),
        (None, _) => all,
    }
}

/// Points with two digits, never rounded down to nothing.
fn points(loss: f64) -> String {
    if loss < 0.01 { "less than 0.01 points".to_owned() } else { format!("{loss:.2} points") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::wrapped::wrapped;

    /// The choice between designs with these chances of being the best, in the order of their ranks.
    fn chosen(chances: &[f64], ranks: &[u32], votes: f64) -> Choice {
        let ids: Vec<DesignId> = (0..chances.len()).map(|index| DesignId::new(format!("d{index}"))).collect();
        let qualities = [Component {
            weight: 1.0,
            means: ranks.iter().map(|rank| 8.0 - f64::from(*rank)).collect(),
            variances: vec![0.5; ids.len()],
        }];
        choice(Grounds {
            ids: ids.iter().collect(),
            ranks,
            places: &Places::with_best(chances),
            qualities: Some(&qualities),
            votes,
            leads_only_in: None,
        })
    }

    fn ids(designs: &[DesignId]) -> Vec<&str> {
        designs.iter().map(|id| &**id).collect()
    }

    #[test]
    fn the_smallest_set_that_holds_the_best_with_ninety_percent() {
        for (chances, votes, among) in [
            (&[0.95, 0.05][..], 1.5, &["d0"][..]),
            (&[0.89, 0.11], 1.5, &["d0", "d1"]),
            (&[0.5, 0.3, 0.1, 0.1], 1.5, &["d0", "d1", "d2", "d3"]),
            (&[0.5, 0.3, 0.15, 0.05], 1.5, &["d0", "d1", "d2"]),
            (&[0.95, 0.05, 0.0], 1.0, &["d0", "d1"]),
        ] {
            let ranks: Vec<u32> = (1..=u32::try_from(chances.len()).unwrap()).collect();
            let choice = chosen(chances, &ranks, votes);
            assert_eq!(ids(&choice.best_among), among, "{chances:?}");
            assert_eq!(choice.best_among.len() + choice.left_aside.len(), chances.len());
        }
        let choice = chosen(&[0.02, 0.49, 0.49], &[1, 1, 3], 1.5);
        assert_eq!(ids(&choice.best_among), ["d0", "d1", "d2"], "a first place always belongs to it");
    }

    #[test]
    fn a_choice_says_which_names_are_fewer() {
        let said = |chances: &[f64], ranks: &[u32]| {
            let text = chosen(chances, ranks, 1.5).sentence;
            text.split_once("%. ").map_or(String::new(), |(_, set)| set.to_owned())
        };
        for (chances, ranks, expected) in [
            (&[0.7, 0.3][..], &[1, 2][..], "No design can be left aside yet."),
            (&[0.7, 0.25, 0.05], &[1, 2, 3], "Leave d2 aside: its chance of being best is at most 10%."),
            (&[0.92, 0.06, 0.02], &[1, 2, 3], "Leave the others aside."),
            (
                &[0.7, 0.01, 0.01, 0.01, 0.27],
                &[1, 2, 3, 4, 5],
                "The best is d0 or d4 (90% chance). Leave the others aside.",
            ),
            (
                &[0.4, 0.3, 0.25, 0.02, 0.02, 0.01],
                &[1, 2, 3, 4, 5, 6],
                "Leave d3, d4 and d5 aside: the chance that one of them is best is at most 10%.",
            ),
            (
                &[0.4, 0.3, 0.25, 0.02, 0.01, 0.01, 0.01],
                &[1, 2, 3, 4, 5, 6, 7],
                "The best is d0, d1 or d2 (90% chance). Leave the others aside.",
            ),
            (
                &[0.4, 0.3, 0.02, 0.02, 0.01, 0.25],
                &[1, 2, 3, 4, 5, 6],
                "Leave d2, d3 and d4 aside: the chance that one of them is best is at most 10%.",
            ),
        ] {
            assert_eq!(said(chances, ranks), expected);
        }
    }

    #[test]
    fn a_choice_takes_three_lines_of_the_chat_whatever_the_number_of_designs() {
        for count in 2..=8 {
            for kept in 1..=count {
                let ids = |range: std::ops::Range<usize>| {
                    range.map(|index| DesignId::new(format!("claude-sonnet-4-{index}"))).collect::<Vec<_>>()
                };
                let choice = Choice {
                    first: ids(0..1),
                    expected_loss: Some(0.31),
                    within_half_a_point: Some(0.81),
                    best_among: ids(0..kept),
                    left_aside: ids(kept..count),
                    ..Choice::default()
                };
                let (mut text, sentence) = (String::new(), sentence(&choice, true));
                wrapped(&mut text, "  ", "  ", &sentence);
                assert!(text.lines().count() <= 3, "{text}");
                let several = kept > 1 && (kept + 1 < count);
                assert_eq!(
                    sentence.contains("the last ") || sentence.contains("the first "),
                    several,
                    "{sentence}"
                );
            }
        }
    }

    #[test]
    fn a_choice_says_what_it_costs() {
        // Two equal designs with a variance of 0.5 each: E[max] − E is 1 / √(2π) · 1, times the factor.
        let choice = chosen(&[0.5, 0.5], &[1, 1], 1.5);
        let expected = LOST / std::f64::consts::TAU.sqrt();
        assert!((choice.expected_loss.unwrap() - expected).abs() < 1e-6);
        assert_eq!(
            choice.sentence,
            "Choose d0 or d1. On average, it is 0.52 points below the truly best one. The chance that it \
             is at most 0.5 below is 65%. No design can be left aside yet."
        );
        assert_eq!([points(0.009), points(0.01)], ["less than 0.01 points", "0.01 points"]);
    }
}
