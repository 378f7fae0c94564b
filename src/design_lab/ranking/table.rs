//! A validated study: every name resolved, every score within bounds and on the common scale.

use super::code::RankingCode;
use super::descriptive::mean;
use super::study::{Comparison, Study};
use crate::design_lab::artefacts::Preferred;
use crate::shared::vendor::vendor;
use design_lab_numerics::sorting::{by_key, distinct};
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// The top of the common scale, whose bottom is 0.
pub const SCALE: f64 = 10.0;

/// The largest study: a hundred times the size of a run, and still ranked in seconds.
const MOST: usize = 1_000;
const MOST_PAIRS: usize = 20_000;

/// How far the ends of a dimension may be from 0, so that sums of squares of its scores remain finite.
const FARTHEST: f64 = 1e100;

/// The place of a design in the order shown, from first to last: 0.5 to −0.5.
pub type Place = f64;

/// All of one reviewer's scores for one design.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Index into the study's designs.
    pub design: usize,
    /// Index into the study's reviewers.
    pub reviewer: usize,
    /// The overall score, 0–10: the mean of the repeats.
    pub score: f64,
    /// The overall score of each repeat, 0–10.
    pub repeats: Vec<f64>,
    /// For each dimension, in its own units: the mean of the repeats; `None` when the reviewer gave no score.
    pub dimensions: Vec<Option<f64>>,
    /// For each repeat, the design's place in the order shown; `None` when that is unknown.
    pub places: Vec<Option<Place>>,
    /// How the design's author is related to the reviewer.
    pub kinship: Kinship,
}

impl Cell {
    /// Returns the mean place over the repeats whose order is known.
    pub fn place(&self) -> Option<Place> {
        mean(&self.places.iter().copied().flatten().collect::<Vec<_>>())
    }
}

/// How the author of a design is related to its reviewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kinship {
    /// Another model of the same vendor.
    Family,
    /// Not related, judging by the names.
    #[default]
    None,
    /// The same model.
    Own,
}

impl Kinship {
    /// Determines the kinship from the models' names: the same string is the same model.
    pub fn of(author: &str, judge: &str) -> Self {
        Self::between((author, vendor(author)), (judge, vendor(judge)))
    }

    fn between((author, author_vendor): Maker<'_>, (judge, judge_vendor): Maker<'_>) -> Self {
        if author == judge {
            Self::Own
        } else if author_vendor.is_some() && author_vendor == judge_vendor {
            Self::Family
        } else {
            Self::None
        }
    }
}

/// The validated scores of a study, in the order of its designs, then of its reviewers.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The number of designs, including unscored ones.
    pub designs: usize,
    /// The number of reviewers, including those that gave no score.
    pub reviewers: usize,
    /// One cell per design and reviewer with at least one score.
    pub cells: Vec<Cell>,
}

/// A validated verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    /// Index into the study's reviewers.
    pub reviewer: usize,
    /// Starts from 1.
    pub repeat: u32,
    /// Index of the design shown first.
    pub first: usize,
    /// Index of the design shown second.
    pub second: usize,
    /// Which design is better.
    pub verdict: Preferred,
}

impl Table {
    /// Validates the scores of a study and converts them to the common scale.
    ///
    /// A dimension's score `x` counts as `10 (x − min) / (max − min)`, the overall score is the mean over dimensions by
    /// weight. If a reviewer left a dimension out, its overall score is based on the others, adjusted by the change
    /// that the missing dimension's mean over the whole study would have caused: a missing score neither raises nor
    /// lowers a design.
    pub fn of(study: &Study) -> Result<Self, Problem> {
        let names = Names::of(study)?;
        let dimensions = dimension_indices(study)?;
        let mut keys: Vec<[usize; 4]> = Vec::with_capacity(study.rows.len());
        for (index, row) in study.rows.iter().enumerate() {
            let at = |field: &str| format!("/rows/{index}/{field}");
            let design = names.design(&row.design, &|| at("design"))?;
            let reviewer = names.reviewer(&row.reviewer, &|| at("reviewer"))?;
            check_repeat(row.repeat, &|| at("repeat"))?;
            let Some(&dimension) = dimensions.get(row.dimension.as_str()) else {
                return Err(unknown(
                    RankingCode::UnknownDimension,
                    "dimension",
                    &row.dimension,
                    at("dimension"),
                    &dimensions,
                ));
            };
            let bounds = &study.dimensions[dimension];
            if !(bounds.min..=bounds.max).contains(&row.score) {
                let message = format!("A score for `{}` is out of bounds.", bounds.name);
                return Err(Problem::new(RankingCode::OutOfBounds, message)
                    .at(at("score"))
                    .found(row.score.to_string())
                    .allowed(format!("{} to {}", bounds.min, bounds.max))
                    .next("Correct the score, or the dimension's `min` and `max`."));
            }
            keys.push([design, reviewer, row.repeat as usize, dimension]);
        }
        let order = by_key(&keys);
        if let Some(twice) = order.windows(2).find(|pair| keys[pair[0]] == keys[pair[1]]) {
            let row = &study.rows[twice[1]];
            return Err(Problem::new(
                RankingCode::DuplicateRow,
                "Two rows score the same design, reviewer, repeat and dimension.",
            )
            .at(format!("/rows/{}", twice[1]))
            .found(format!(
                "design {}, reviewer {}, repeat {}, dimension {}",
                row.design, row.reviewer, row.repeat, row.dimension
            ))
            .next("Remove one of the two rows, or change the `repeat` of one."));
        }
        let places = Places::of(study, &names)?;
        let kinships = Kinships::of(study);
        let overall =
            Overall::of(study, order.iter().map(|&index| (keys[index][3], study.rows[index].score)));
        let mut cells = Vec::new();
        for rows in order.chunk_by(|&a, &b| keys[a][..2] == keys[b][..2]) {
            let [design, reviewer, ..] = keys[rows[0]];
            let mut cell = Cell {
                design,
                reviewer,
                score: 0.0,
                repeats: Vec::new(),
                dimensions: Vec::new(),
                places: Vec::new(),
                kinship: kinships.between(design, reviewer),
            };
            for sitting in rows.chunk_by(|&a, &b| keys[a][2] == keys[b][2]) {
                let mut scores = vec![None; study.dimensions.len()];
                for &index in sitting {
                    scores[keys[index][3]] = Some(study.rows[index].score);
                }
                cell.repeats.push(overall.score(&scores));
                cell.places.push(places.get([reviewer, keys[sitting[0]][2], design]));
            }
            cell.score = mean(&cell.repeats).unwrap_or_default();
            let mut by_dimension = vec![Vec::new(); study.dimensions.len()];
            for &index in rows {
                by_dimension[keys[index][3]].push(study.rows[index].score);
            }
            cell.dimensions = by_dimension.iter().map(|scores| mean(scores)).collect();
            cells.push(cell);
        }
        Ok(Self { designs: study.designs.len(), reviewers: study.reviewers.len(), cells })
    }

    /// Returns the table without the cells that the predicate rejects.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&Cell) -> bool) -> Self {
        Self { cells: self.cells.iter().filter(|cell| keep(cell)).cloned().collect(), ..*self }
    }

    /// Returns the overall scores as a matrix.
    pub fn matrix(&self) -> Matrix {
        let mut matrix = Matrix::empty(self.designs, self.reviewers);
        for cell in &self.cells {
            matrix.set(cell.design, cell.reviewer, cell.score);
        }
        matrix
    }

    /// Returns the cells of one design.
    pub fn of_design(&self, design: usize) -> &[Cell] {
        let from = self.cells.partition_point(|cell| cell.design < design);
        let to = self.cells.partition_point(|cell| cell.design <= design);
        &self.cells[from..to]
    }

    /// Returns the cells of each reviewer.
    pub fn by_reviewer(&self) -> Vec<Vec<&Cell>> {
        let mut cells = vec![Vec::new(); self.reviewers];
        for cell in &self.cells {
            cells[cell.reviewer].push(cell);
        }
        cells
    }

    /// Returns the designs with at least one score, ascending.
    pub fn scored_designs(&self) -> Vec<usize> {
        distinct(self.designs, self.cells.iter().map(|cell| cell.design))
    }

    /// Returns the reviewers with at least one score, ascending.
    pub fn active_reviewers(&self) -> Vec<usize> {
        distinct(self.reviewers, self.cells.iter().map(|cell| cell.reviewer))
    }
}

/// Scores of designs (rows) by reviewers (columns), some of which may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    designs: usize,
    reviewers: usize,
    scores: Vec<Option<f64>>,
}

impl Matrix {
    /// Returns a matrix without any scores.
    pub fn empty(designs: usize, reviewers: usize) -> Self {
        Self { designs, reviewers, scores: vec![None; designs * reviewers] }
    }

    /// Builds a matrix from one row per design; rows shorter than the longest end in missing scores.
    pub fn of_rows(rows: &[Vec<Option<f64>>]) -> Self {
        let mut matrix = Self::empty(rows.len(), rows.iter().map(Vec::len).max().unwrap_or(0));
        for (design, row) in rows.iter().enumerate() {
            for (reviewer, score) in row.iter().enumerate() {
                if let Some(score) = *score {
                    matrix.set(design, reviewer, score);
                }
            }
        }
        matrix
    }

    /// The number of designs.
    pub fn designs(&self) -> usize {
        self.designs
    }

    /// The number of reviewers.
    pub fn reviewers(&self) -> usize {
        self.reviewers
    }

    /// Returns one score.
    pub fn get(&self, design: usize, reviewer: usize) -> Option<f64> {
        self.scores[design * self.reviewers + reviewer]
    }

    /// Sets one score.
    pub fn set(&mut self, design: usize, reviewer: usize, score: f64) {
        self.scores[design * self.reviewers + reviewer] = Some(score);
    }

    /// Returns the scores of one design, without the missing ones, in the order of the reviewers.
    pub fn of_design(&self, design: usize) -> Vec<f64> {
        (0..self.reviewers).filter_map(|reviewer| self.get(design, reviewer)).collect()
    }

    /// Returns the designs that a reviewer scored, with their scores.
    pub fn of_reviewer(&self, reviewer: usize) -> Vec<(usize, f64)> {
        (0..self.designs).filter_map(|design| Some((design, self.get(design, reviewer)?))).collect()
    }
}

/// Validates the verdicts of a study and returns them ascending by reviewer, repeat and pair.
pub fn judged(study: &Study) -> Result<Vec<Judged>, Problem> {
    let names = Names::of(study)?;
    let mut keys: Vec<[usize; 4]> = Vec::with_capacity(study.comparisons.len());
    for (index, Comparison { reviewer, repeat, first, second, .. }) in study.comparisons.iter().enumerate() {
        let at = |field: &str| format!("/comparisons/{index}/{field}");
        let reviewer = names.reviewer(reviewer, &|| at("reviewer"))?;
        check_repeat(*repeat, &|| at("repeat"))?;
        let key = [
            reviewer,
            *repeat as usize,
            names.design(first, &|| at("first"))?,
            names.design(second, &|| at("second"))?,
        ];
        if key[2] == key[3] {
            return Err(Problem::new(RankingCode::SelfComparison, "A design is compared with itself.")
                .at(at("second"))
                .found(second.as_str())
                .next("Remove the row."));
        }
        keys.push(key);
    }
    let order = by_key(&keys);
    if let Some(twice) = order.windows(2).find(|pair| keys[pair[0]] == keys[pair[1]]) {
        let Comparison { reviewer, repeat, first, second, .. } = &study.comparisons[twice[1]];
        return Err(Problem::new(
            RankingCode::DuplicateRow,
            "Two rows compare the same designs, by the same reviewer, in the same repeat.",
        )
        .at(format!("/comparisons/{}", twice[1]))
        .found(format!("reviewer {reviewer}, repeat {repeat}, first {first}, second {second}"))
        .next("Remove one of the two rows, or change the `repeat` of one."));
    }
    Ok(order
        .into_iter()
        .map(|index| {
            let [reviewer, _, first, second] = keys[index];
            let Comparison { repeat, verdict, .. } = study.comparisons[index];
            Judged { reviewer, repeat, first, second, verdict }
        })
        .collect())
}

/// How each design's author is related to each reviewer.
pub(super) struct Kinships<'a> {
    /// The models that wrote the designs, and those that review, each with its vendor.
    authors: Vec<Option<Maker<'a>>>,
    judges: Vec<Option<Maker<'a>>>,
}

/// A model and its vendor, if the name reveals it.
type Maker<'a> = (&'a str, Option<&'static str>);

impl<'a> Kinships<'a> {
    pub(super) fn of(study: &'a Study) -> Self {
        fn maker(model: Option<&str>) -> Option<Maker<'_>> {
            model.map(|model| (model, vendor(model)))
        }
        Self {
            authors: study.designs.iter().map(|design| maker(design.model.as_deref())).collect(),
            judges: study.reviewers.iter().map(|reviewer| maker(reviewer.model.as_deref())).collect(),
        }
    }

    /// Returns how a design's author is related to a reviewer.
    pub(super) fn between(&self, design: usize, reviewer: usize) -> Kinship {
        match (self.authors[design], self.judges[reviewer]) {
            (Some(author), Some(judge)) => Kinship::between(author, judge),
            _ => Kinship::None,
        }
    }
}

/// How the overall score is computed from the dimensions.
struct Overall {
    /// For each dimension: minimum and width in its own units, weight, mean on the common scale.
    dimensions: Vec<(f64, f64, f64, f64)>,
}

impl Overall {
    /// Computes the weights and means from all scores with their dimensions.
    fn of(study: &Study, scores: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut sums = vec![(0.0, 0.0); study.dimensions.len()];
        for (dimension, score) in scores {
            let (sum, count) = sums[dimension];
            sums[dimension] = (sum + score, count + 1.0);
        }
        let dimensions = study
            .dimensions
            .iter()
            .zip(sums)
            .map(|(dimension, (sum, count))| {
                let width = dimension.max - dimension.min;
                // A dimension without any score has no mean to substitute for missing scores, so its weight is 0.
                if count > 0.0 {
                    (dimension.min, width, dimension.weight, SCALE * (sum / count - dimension.min) / width)
                } else {
                    (dimension.min, width, 0.0, 0.0)
                }
            })
            .collect();
        Self { dimensions }
    }

    fn score(&self, scores: &[Option<f64>]) -> f64 {
        // Sums over the scored dimensions and over all dimensions: of scores, of means, and of weights.
        let (mut sum, mut present, mut weights) = (0.0, 0.0, 0.0);
        let (mut whole, mut all_weights) = (0.0, 0.0);
        for (&(min, width, weight, centre), score) in self.dimensions.iter().zip(scores) {
            whole += weight * centre;
            all_weights += weight;
            if let Some(score) = score {
                sum += weight * SCALE * ((score - min) / width);
                present += weight * centre;
                weights += weight;
            }
        }
        if scores.iter().all(Option::is_some) {
            return sum / weights;
        }
        (sum / weights - present / weights + whole / all_weights).clamp(0.0, SCALE)
    }
}

/// Maps names to indices.
struct Names<'a> {
    designs: BTreeMap<&'a str, usize>,
    reviewers: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn of(study: &'a Study) -> Result<Self, Problem> {
        let (designs, reviewers) = (study.designs.len(), study.reviewers.len());
        if designs > MOST || reviewers > MOST || designs * reviewers > MOST_PAIRS {
            return Err(Problem::new(
                RankingCode::TooLarge,
                "There are too many designs or reviewers to rank at once.",
            )
            .found(format!("{designs} designs, {reviewers} reviewers"))
            .allowed(format!("at most {MOST} of each, and {MOST_PAIRS} pairs of a design and a reviewer"))
            .next("Rank a part of them."));
        }
        Ok(Self {
            designs: indices("design", "/designs", study.designs.iter().map(|design| design.id.as_str()))?,
            reviewers: indices(
                "reviewer",
                "/reviewers",
                study.reviewers.iter().map(|reviewer| reviewer.id.as_str()),
            )?,
        })
    }

    fn design(&self, name: &str, pointer: &dyn Fn() -> String) -> Result<usize, Problem> {
        self.designs
            .get(name)
            .copied()
            .ok_or_else(|| unknown(RankingCode::UnknownDesign, "design", name, pointer(), &self.designs))
    }

    fn reviewer(&self, name: &str, pointer: &dyn Fn() -> String) -> Result<usize, Problem> {
        self.reviewers.get(name).copied().ok_or_else(|| {
            unknown(RankingCode::UnknownReviewer, "reviewer", name, pointer(), &self.reviewers)
        })
    }
}

fn indices<'a>(
    kind: &str,
    pointer: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<BTreeMap<&'a str, usize>, Problem> {
    let mut indices = BTreeMap::new();
    for (index, name) in names.enumerate() {
        if indices.insert(name, index).is_some() {
            return Err(Problem::new(RankingCode::DuplicateId, format!("Two {kind}s have the same id."))
                .at(format!("{pointer}/{index}/id"))
                .found(name)
                .next("Give each its own id."));
        }
    }
    Ok(indices)
}

fn dimension_indices(study: &Study) -> Result<BTreeMap<&str, usize>, Problem> {
    for (index, dimension) in study.dimensions.iter().enumerate() {
        let bad = |field: &str, found: f64, allowed: &str| {
            Problem::new(
                RankingCode::BadDimension,
                format!("The dimension `{}` can't be used.", dimension.name),
            )
            .at(format!("/dimensions/{index}/{field}"))
            .found(found.to_string())
            .allowed(allowed)
            .next("Correct `scoring_criteria.dimensions`.")
        };
        if !(-FARTHEST..=FARTHEST).contains(&dimension.min) {
            return Err(bad("min", dimension.min, "a number from -1e100 to 1e100"));
        }
        if !(-FARTHEST..=FARTHEST).contains(&dimension.max) || dimension.max <= dimension.min {
            return Err(bad("max", dimension.max, "a number above `min`, up to 1e100"));
        }
        if !(1e-9..=1e9).contains(&dimension.weight) {
            return Err(bad("weight", dimension.weight, "a number from 1e-9 to 1e9"));
        }
    }
    indices("dimension", "/dimensions", study.dimensions.iter().map(|dimension| dimension.name.as_str()))
}

/// The place of each design in each order shown.
struct Places {
    /// Reviewer, repeat and design, ascending.
    keys: Vec<[usize; 3]>,
    places: Vec<Place>,
}

impl Places {
    fn of(study: &Study, names: &Names<'_>) -> Result<Self, Problem> {
        let (mut keys, mut places, mut pointers) = (Vec::new(), Vec::new(), Vec::new());
        for (index, shown) in study.shown.iter().enumerate() {
            let reviewer = names.reviewer(&shown.reviewer, &|| format!("/shown/{index}/reviewer"))?;
            let last = shown.designs.len().saturating_sub(1);
            for (position, name) in shown.designs.iter().enumerate() {
                let design = names.design(name, &|| format!("/shown/{index}/designs/{position}"))?;
                keys.push([reviewer, shown.repeat as usize, design]);
                places.push(if last == 0 { 0.0 } else { 0.5 - position as f64 / last as f64 });
                pointers.push((index, position));
            }
        }
        let order = by_key(&keys);
        if let Some(twice) = order.windows(2).find(|pair| keys[pair[0]] == keys[pair[1]]) {
            let (index, position) = pointers[twice[1]];
            return Err(Problem::new(
                RankingCode::DuplicateRow,
                "A design is shown twice to one reviewer in one repeat.",
            )
            .at(format!("/shown/{index}/designs/{position}"))
            .found(study.shown[index].designs[position].as_str())
            .next("Give each reviewer and repeat one order, with each design once."));
        }
        Ok(Self {
            keys: order.iter().map(|&index| keys[index]).collect(),
            places: order.iter().map(|&index| places[index]).collect(),
        })
    }

    fn get(&self, key: [usize; 3]) -> Option<Place> {
        self.keys.binary_search(&key).ok().map(|index| self.places[index])
    }
}

fn check_repeat(repeat: u32, pointer: &dyn Fn() -> String) -> Result<(), Problem> {
    if repeat == 0 {
        return Err(Problem::new(RankingCode::BadRepeat, "Repeats are numbered from 1.")
            .at(pointer())
            .found("0")
            .allowed("1 or more")
            .next("Number the repeats from 1."));
    }
    Ok(())
}

fn unknown(
    code: RankingCode,
    kind: &str,
    name: &str,
    pointer: String,
    known: &BTreeMap<&str, usize>,
) -> Problem {
    Problem::new(code, format!("The study has no {kind} with this name."))
        .at(pointer)
        .found(name)
        .allowed(known.keys().copied().collect::<Vec<_>>().join(", "))
        .next(format!("Correct the name, or add the {kind} to the study."))
}
