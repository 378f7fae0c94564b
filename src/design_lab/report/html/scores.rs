//! The scores as heat maps and bars.

use super::results::{Tally, is_own, overall_scores};
use super::{percent, results};
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::design_lab::ranking::{Ranking, Study};
use crate::shared::figures::{NONE, number};
use design_lab_numerics::sorting::map;
use std::collections::BTreeMap;

/// A table of shaded numbers: reviewers by designs, or designs by designs.
pub(super) struct Grid {
    /// What the numbers mean: `overall`, or a dimension's name.
    pub(super) name: String,
    pub(super) description: String,
    /// The heading of the column with the row names.
    pub(super) corner: &'static str,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<(String, Vec<Cell>)>,
    /// Rows below a line: means and the like.
    pub(super) sums: Vec<(&'static str, Vec<String>)>,
}

/// A shaded number.
pub(super) struct Cell {
    pub(super) text: String,
    /// The shade, 0–10; `None` for a missing score.
    pub(super) shade: Option<u8>,
    /// A note on the number, in a word or two.
    pub(super) note: &'static str,
}

impl Cell {
    fn hole() -> Self {
        Self { text: NONE.to_owned(), shade: None, note: "" }
    }
}

/// One dimension: every design's mean and each reviewer's score.
pub(super) struct Bars {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) bounds: String,
    pub(super) rows: Vec<Bar>,
}

/// One design on one dimension.
pub(super) struct Bar {
    pub(super) design: String,
    pub(super) mean: String,
    /// The length along the scale; `None` without a score.
    pub(super) length: Option<String>,
    /// The position of each reviewer's score along the scale.
    pub(super) dots: Vec<String>,
    /// The reviewers' scores in figures.
    pub(super) scores: String,
}

/// Returns the heat maps and how to read them: overall first, then each dimension; in pairwise mode, which design was
/// preferred to which.
pub(super) fn grids(ranking: &Ranking, study: &Study) -> (Vec<Grid>, String) {
    if ranking.pairwise.is_some() {
        return (vec![pairs(ranking, study)], results::comparisons_reading(ranking));
    }
    let overall = overall_scores(study);
    if overall.is_empty() {
        return (Vec::new(), String::new());
    }
    let mut reading = results::MATRIX_READING.to_owned();
    let has_own = study
        .reviewers
        .iter()
        .any(|reviewer| ranking.rankings.iter().any(|row| is_own(study, reviewer, &row.design_id)));
    if has_own {
        reading.push_str(" “Own” marks a reviewer's own design: ");
        reading.push_str(results::own_reading(ranking));
        reading.push('.');
    }
    if !ranking.agreement.dissent.is_empty() {
        reading.push_str(" “Far off” marks a score far from the one that all the others predict.");
    }
    let mut grid = heat("overall", "", ranking, study, &overall, (0.0, 10.0));
    let of = |value: &dyn Fn(&crate::design_lab::ranking::RankedDesign) -> Option<f64>| {
        ranking.rankings.iter().map(|row| number(value(row))).collect()
    };
    grid.sums =
        vec![("Mean", of(&|row| row.average_score)), ("Adjusted score", of(&|row| row.adjusted_score))];
    let mut grids = vec![grid];
    grids.extend(study.dimensions.iter().map(|one| {
        heat(&one.name, &one.description, ranking, study, &dimension_scores(study, one), (one.min, one.max))
    }));
    (grids, reading)
}

fn heat(
    name: &str,
    description: &str,
    ranking: &Ranking,
    study: &Study,
    scores: &BTreeMap<(&str, &str), f64>,
    (min, max): (f64, f64),
) -> Grid {
    let far = |reviewer: &ReviewerId, design: &DesignId| {
        let dissent = &ranking.agreement.dissent;
        name == "overall" && dissent.iter().any(|one| one.reviewer == *reviewer && one.design_id == *design)
    };
    let rows = study.reviewers.iter().map(|reviewer| {
        let cells = ranking.rankings.iter().map(|row| {
            let Some(score) = scores.get(&(reviewer.id.as_str(), row.design_id.as_str())) else {
                return Cell::hole();
            };
            let note = match (is_own(study, reviewer, &row.design_id), far(&reviewer.id, &row.design_id)) {
                (true, true) => "own, far off",
                (true, false) => "own",
                (false, true) => "far off",
                (false, false) => "",
            };
            Cell { text: number(Some(*score)), shade: Some(shade((score - min) / (max - min))), note }
        });
        (reviewer.id.to_string(), cells.collect())
    });
    Grid {
        name: name.to_owned(),
        description: description.to_owned(),
        corner: "Reviewer",
        columns: ranking.rankings.iter().map(|row| row.design_id.to_string()).collect(),
        rows: rows.collect(),
        sums: Vec::new(),
    }
}

/// Returns each reviewer's score of each design on one dimension, in its own units; repeats are averaged.
fn dimension_scores<'a>(study: &'a Study, dimension: &Dimension) -> BTreeMap<(&'a str, &'a str), f64> {
    let mut sums: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for row in study.rows.iter().filter(|row| row.dimension == dimension.name) {
        let (sum, count) = sums.entry((row.reviewer.as_str(), row.design.as_str())).or_default();
        *sum += row.score;
        *count += 1.0;
    }
    map(sums.into_iter().map(|(key, (sum, count))| (key, sum / count)))
}

/// Returns the table of which design was preferred to which, shaded by the share of verdicts.
fn pairs(ranking: &Ranking, study: &Study) -> Grid {
    let tallies = results::tallies(&study.comparisons);
    let cell = |row: &str, column: &str| {
        let Some(tally) = tallies.get(&(row, column)) else { return Cell::hole() };
        let Tally { won, lost, tied } = *tally;
        let share = (won + tied / 2.0) / (won + lost + tied).max(1.0);
        Cell { text: tally.shown(), shade: Some(shade(share)), note: "" }
    };
    let rows = ranking.rankings.iter().map(|row| {
        let cells = ranking.rankings.iter().map(|column| cell(&row.design_id, &column.design_id));
        (row.design_id.to_string(), cells.collect())
    });
    Grid {
        name: "pair by pair".to_owned(),
        description: "How often the design of the row was preferred to that of the column.".to_owned(),
        corner: "Preferred to →",
        columns: ranking.rankings.iter().map(|row| row.design_id.to_string()).collect(),
        rows: rows.collect(),
        sums: Vec::new(),
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 10")]
fn shade(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 10.0).round() as u8
}

/// Returns one chart per dimension, with the designs in the order of the ranking.
pub(super) fn bars(ranking: &Ranking, study: &Study) -> Vec<Bars> {
    if ranking.pairwise.is_some() {
        return Vec::new();
    }
    let chart = |one: &Dimension| {
        let along = |score: f64| percent((score - one.min) / (one.max - one.min));
        let rows = ranking.rankings.iter().map(|row| {
            let found = row.score_breakdown.get(&one.name);
            let mean = found.and_then(|found| found.mean);
            let reviews = found.map_or(&[][..], |found| &found.reviews);
            let scores: Vec<String> = reviews.iter().map(|score| number(Some(*score))).collect();
            Bar {
                design: row.design_id.to_string(),
                mean: number(mean),
                length: mean.map(along),
                dots: reviews.iter().map(|score| along(*score)).collect(),
                scores: scores.join(", "),
            }
        });
        Bars {
            name: one.name.clone(),
            description: one.description.clone(),
            bounds: format!("{} to {}, weight {}", one.min, one.max, one.weight),
            rows: rows.collect(),
        }
    };
    study.dimensions.iter().map(chart).collect()
}

/// Returns how to read the charts by dimension.
pub(super) fn bars_reading(study: &Study) -> String {
    if study.dimensions.is_empty() {
        return String::new();
    }
    format!("Mean over reviewers; each dot is one reviewer's score. {}", results::bounds(study))
}
