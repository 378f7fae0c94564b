//! Influences other than quality that may have affected the scores. Every test here is by permutation: with so few
//! scores, a normal approximation raises false alarms.

use super::descriptive::{correlation, mid_ranks, variance};
use super::output::{Audit, Preference, Reasons, ReviewerHabits};
use super::permutation;
use super::table::{Cell, Kinship, Table};
use crate::random::Random;
use design_lab_numerics::exact;
use design_lab_numerics::sorting::by_key;

/// A p-value up to this one is reported as notable.
const NOTABLE: f64 = 0.05;

/// Whether designs shown earlier got higher scores.
///
/// `effect` is the slope of score on place in the additive model of designs and sittings (one repeat of one reviewer),
/// from the last place to the first, in points. The test permutes places within each sitting, because the presentation
/// drew them at random, and compares the partial correlation (Draper and Stoneman 1966, "Testing for the inclusion of
/// variables in linear regression by a randomisation technique", Technometrics 8); two-sided. Reviews of a model's own
/// design are left out.
pub fn position(table: &Table, random: &mut Random) -> Audit {
    let seen: Vec<Seen> = table
        .cells
        .iter()
        .filter(|cell| cell.kinship != Kinship::Own)
        .flat_map(|cell| {
            cell.repeats.iter().zip(&cell.places).enumerate().filter_map(|(repeat, (&score, &place))| {
                Some(Seen { sitting: (cell.reviewer, repeat), design: cell.design, score, place: place? })
            })
        })
        .collect();
    let keys: Vec<[usize; 3]> =
        seen.iter().map(|seen| [seen.sitting.0, seen.sitting.1, seen.design]).collect();
    let seen: Vec<Seen> = by_key(&keys).into_iter().map(|index| seen[index]).collect();
    let observations = u32::try_from(seen.len()).unwrap_or(u32::MAX);
    let insufficient = |why: &str| Audit {
        observations,
        sentence: format!("Position: insufficient data; {why}."),
        ..Audit::default()
    };
    if seen.is_empty() {
        return insufficient("the order in which designs were shown is not known");
    }
    let blocks: Vec<usize> = seen.chunk_by(|a, b| a.sitting == b.sitting).map(<[Seen]>::len).collect();
    let layout = Additive::of(&seen, &blocks, table.designs);
    let mut scores: Vec<f64> = seen.iter().map(|seen| seen.score).collect();
    layout.sweep(&mut scores);
    let score_squares: f64 = scores.iter().map(|score| score * score).sum();
    // Slope and partial correlation for one arrangement of places; `None` when designs and sittings explain all of it.
    let mut swept = Vec::new();
    let mut fit = |items: &[usize]| {
        swept.clear();
        swept.extend(items.iter().map(|&item| seen[item].place));
        layout.sweep(&mut swept);
        let squares: f64 = swept.iter().map(|place| place * place).sum();
        let product: f64 = swept.iter().zip(&scores).map(|(place, score)| place * score).sum();
        (squares > 1e-9).then(|| (product / squares, product / (squares * score_squares).sqrt()))
    };
    let given: Vec<usize> = (0..seen.len()).collect();
    if score_squares <= 1e-12 {
        return insufficient("scores don't vary beyond designs and reviewers");
    }
    let Some((effect, _)) = fit(&given) else {
        return insufficient("place and design can't be separated");
    };
    let test = permutation::test(&blocks, seen.len() * 4, random, |items| {
        fit(items).map_or(0.0, |(_, strength)| strength.abs())
    });
    let size = match Direction::of(effect) {
        Direction::Up => format!("designs shown first got {effect:.2} points more than those shown last"),
        Direction::Down => {
            format!("designs shown first got {:.2} points less than those shown last", -effect)
        }
        Direction::Neither => {
            "designs shown first got neither more nor less than those shown last (0.00 points)".to_owned()
        }
    };
    Audit {
        effect: Some(effect),
        p_value: Some(test.p_value),
        observations,
        sentence: tested("Position", &size, test),
    }
}

/// Whether longer designs got higher scores: Spearman's rank correlation of length and adjusted score over designs
/// (Spearman 1904, "The proof and measurement of association between two things", American Journal of Psychology 15;
/// ties share mid-ranks), tested by permuting lengths, two-sided.
pub fn length(designs: &[(f64, f64)], random: &mut Random) -> Audit {
    let observations = u32::try_from(designs.len()).unwrap_or(u32::MAX);
    let lengths = mid_ranks(&designs.iter().map(|(length, _)| *length).collect::<Vec<_>>());
    let scores = mid_ranks(&designs.iter().map(|(_, score)| *score).collect::<Vec<_>>());
    let Some(effect) = correlation(&lengths, &scores) else {
        return Audit {
            observations,
            sentence: "Length: insufficient data; this needs designs of known and different lengths with \
                       different scores."
                .to_owned(),
            ..Audit::default()
        };
    };
    let mut permuted = Vec::new();
    let test = permutation::test(&[designs.len()], designs.len() * 4, random, |items| {
        permuted.clear();
        permuted.extend(items.iter().map(|&item| lengths[item]));
        correlation(&permuted, &scores).unwrap_or_default().abs()
    });
    let size = match Direction::of(effect) {
        Direction::Up => format!("longer designs scored higher (rank correlation {effect:.2})"),
        Direction::Down => format!("longer designs scored lower (rank correlation {effect:.2})"),
        Direction::Neither => {
            "longer designs scored neither higher nor lower (rank correlation 0.00)".to_owned()
        }
    };
    Audit {
        effect: Some(effect),
        p_value: Some(test.p_value),
        observations,
        sentence: tested("Length", &size, test),
    }
}

/// How one reviewer treats the designs of one kinship, compared with its treatment of unrelated designs: a difference
/// of differences. `cells` are the reviewer's own; `leniency` is every reviewer's, in points. `None` when the reviewer
/// has scored no such design.
///
/// Its score of each design is compared with the mean of the unrelated other reviewers' scores, each less that
/// reviewer's leniency. The test asks how often at least as large a surplus occurs for as many designs picked at random
/// from those that it scored.
pub fn preference(
    table: &Table,
    cells: &[&Cell],
    kinship: Kinship,
    leniency: &[f64],
    random: &mut Random,
) -> Option<Preference> {
    let reviewer = cells.iter().find(|cell| cell.kinship == kinship)?.reviewer;
    // For each design, the unrelated other reviewers' scores less their leniency: their sum and number.
    let mut others = vec![(0.0, 0.0); table.designs];
    for cell in &table.cells {
        if cell.kinship == Kinship::None && cell.reviewer != reviewer {
            let (sum, count) = others[cell.design];
            others[cell.design] = (sum + (cell.score - leniency[cell.reviewer]), count + 1.0);
        }
    }
    // How far this reviewer's scores exceed them, first on related designs, then on unrelated ones.
    let surplus_of = |wanted: Kinship| {
        cells.iter().filter(move |cell| cell.kinship == wanted).filter_map(|cell| {
            let (sum, count) = others[cell.design];
            (count > 0.0).then(|| cell.score - sum / count)
        })
    };
    let mut surplus: Vec<f64> = surplus_of(kinship).collect();
    let related = surplus.len();
    surplus.extend(surplus_of(Kinship::None));
    let whose = if kinship == Kinship::Own { "its own design" } else { "designs of its vendor" };
    if related == 0 || related == surplus.len() {
        return Some(Preference {
            points: None,
            p_value: None,
            sentence: format!("Insufficient data: no unrelated reviewer scored {whose} and another design."),
        });
    }
    let (points, test) = permutation::surplus(&surplus, related, random);
    let size = match Direction::of(points) {
        Direction::Up => {
            format!("scored {whose} {points:.2} points higher than the other reviewers' scores predict")
        }
        Direction::Down => {
            format!("scored {whose} {:.2} points lower than the other reviewers' scores predict", -points)
        }
        Direction::Neither => format!(
            "scored {whose} neither higher nor lower than the other reviewers' scores predict (0.00 points)"
        ),
    };
    Some(Preference { points: Some(points), p_value: Some(test.p_value), sentence: verdict(&size, test) })
}

/// How the reviewer that these cells belong to uses the scale; `leniency` is `None` when there is no other reviewer to
/// compare with.
pub fn habits(cells: &[&Cell], leniency: Option<f64>) -> ReviewerHabits {
    let spread = variance(&cells.iter().map(|cell| cell.score).collect::<Vec<_>>()).map(f64::sqrt);
    let (mut squares, mut degrees) = (0.0, 0.0);
    for cell in cells {
        if let Some(variance) = variance(&cell.repeats) {
            let freedom = (cell.repeats.len() - 1) as f64;
            squares += variance * freedom;
            degrees += freedom;
        }
    }
    let repeat_spread = (degrees > 0.0).then(|| (squares / degrees).sqrt());
    let mut reasons = Reasons::new();
    let mut explain = |missing: bool, field: &str, why: &str| {
        if missing {
            reasons.insert(field.to_owned(), why.to_owned());
        }
    };
    explain(leniency.is_none(), "leniency", "There is no other reviewer to compare with.");
    explain(spread.is_none(), "spread", "The reviewer scored fewer than two designs.");
    explain(repeat_spread.is_none(), "repeat_spread", "The reviewer scored no design twice.");
    ReviewerHabits { leniency, spread, repeat_spread, reasons }
}

/// How often fair coins split at least as unevenly as `a` against `b`, in either direction.
pub(super) fn sign_test(a: usize, b: usize) -> permutation::Test {
    permutation::Test { p_value: exact::sign_test(a, b), smallest: exact::sign_test(a + b, 0) }
}

/// Returns the sentence of an audit.
pub(super) fn tested(what: &str, size: &str, test: permutation::Test) -> String {
    format!("{what}: {}", verdict(size, test))
}

/// Describes a size with the result of the test.
pub(super) fn verdict(size: &str, test: permutation::Test) -> String {
    if test.smallest > NOTABLE {
        format!("{size}; insufficient data to exclude chance.")
    } else if test.p_value < 0.001 {
        format!("{size}; chance alone rarely does that (p < 0.001).")
    } else if test.p_value <= NOTABLE {
        format!("{size}; chance alone rarely does that (p = {:.3}).", test.p_value)
    } else if test.p_value < 0.1 {
        format!("{size}; chance alone may do that (p = {:.3}).", test.p_value)
    } else {
        format!("{size}; chance alone may do that (p = {:.2}).", test.p_value)
    }
}

/// The direction of an effect, at the two decimals that sentences show.
enum Direction {
    Up,
    Down,
    Neither,
}

impl Direction {
    fn of(effect: f64) -> Self {
        if effect.abs() < 0.005 {
            Self::Neither
        } else if effect > 0.0 {
            Self::Up
        } else {
            Self::Down
        }
    }
}

/// One score with the design's place in the order shown.
#[derive(Clone, Copy)]
struct Seen {
    sitting: (usize, usize),
    design: usize,
    score: f64,
    place: f64,
}

/// The additive layout of designs and sittings: removes the effects of both from a vector.
struct Additive<'a> {
    seen: &'a [Seen],
    blocks: &'a [usize],
    /// Observations per design.
    counts: Vec<f64>,
}

impl<'a> Additive<'a> {
    fn of(seen: &'a [Seen], blocks: &'a [usize], designs: usize) -> Self {
        let mut counts = vec![0.0; designs];
        for seen in seen {
            counts[seen.design] += 1.0;
        }
        Self { seen, blocks, counts }
    }

    /// Removes sittings and designs alternately (Gauss–Seidel on the normal equations) until no mean exceeds 1e-12
    /// points, at most 200 times. On a complete table, one pass is exact. If sittings hardly overlap, a residue may
    /// remain after 200 passes: the effect is then approximate, but the test is still valid, because every arrangement
    /// is treated in the same way.
    fn sweep(&self, values: &mut [f64]) {
        let mut means = vec![0.0; self.counts.len()];
        for _ in 0..200 {
            let mut largest = 0.0f64;
            let mut start = 0;
            for &size in self.blocks {
                let block = &mut values[start..start + size];
                let mean = block.iter().sum::<f64>() / size as f64;
                for value in block {
                    *value -= mean;
                }
                largest = largest.max(mean.abs());
                start += size;
            }
            means.fill(0.0);
            for (value, seen) in values.iter().zip(self.seen) {
                means[seen.design] += value / self.counts[seen.design];
            }
            for (value, seen) in values.iter_mut().zip(self.seen) {
                *value -= means[seen.design];
            }
            largest = means.iter().fold(largest, |largest, mean| largest.max(mean.abs()));
            if largest <= 1e-12 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length_sentence(scores: &[f64]) -> String {
        let designs: Vec<(f64, f64)> =
            scores.iter().enumerate().map(|(length, &score)| (length as f64, score)).collect();
        length(&designs, &mut Random::new(1, "test")).sentence
    }

    /// Returns the sentence for reviewers unrelated to the designs, one per sitting, whose first score was shown first.
    fn position_sentence(sittings: &[&[(usize, f64)]]) -> String {
        let cells = sittings.iter().enumerate().flat_map(|(reviewer, sitting)| {
            sitting.iter().enumerate().map(move |(at, &(design, score))| Cell {
                design,
                reviewer,
                score,
                repeats: vec![score],
                dimensions: Vec::new(),
                places: vec![Some(0.5 - at as f64 / (sitting.len() - 1) as f64)],
                kinship: Kinship::None,
            })
        });
        let table = Table { designs: sittings[0].len(), reviewers: sittings.len(), cells: cells.collect() };
        position(&table, &mut Random::new(1, "test")).sentence
    }

    #[test]
    fn a_size_that_reads_zero_has_no_direction() {
        let cases = [
            (
                length_sentence(&[1.0, 2.0, 3.0, 4.0]),
                "Length: longer designs scored higher (rank correlation 1.00); insufficient data to exclude \
                 chance.",
            ),
            (
                length_sentence(&[2.0, 4.0, 1.0, 3.0]),
                "Length: longer designs scored neither higher nor lower (rank correlation 0.00); \
                 insufficient data to exclude chance.",
            ),
            (
                position_sentence(&[&[(0, 8.0), (1, 6.0)], &[(1, 7.0), (0, 7.0)]]),
                "Position: designs shown first got 1.00 points more than those shown last; insufficient data \
                 to exclude chance.",
            ),
            (
                position_sentence(&[&[(0, 8.0), (1, 6.0), (2, 4.0)], &[(2, 4.0), (1, 7.0), (0, 8.0)]]),
                "Position: designs shown first got neither more nor less than those shown last (0.00 \
                 points); insufficient data to exclude chance.",
            ),
            (
                tested(
                    "Position",
                    "nothing",
                    permutation::Test { p_value: 1.0 / 5_040.0, smallest: 1.0 / 5_040.0 },
                ),
                "Position: nothing; chance alone rarely does that (p < 0.001).",
            ),
            (
                tested("Position", "nothing", permutation::Test { p_value: 0.051, smallest: 0.001 }),
                "Position: nothing; chance alone may do that (p = 0.051).",
            ),
        ];
        for (sentence, expected) in cases {
            assert_eq!(sentence, expected);
        }
    }
}
