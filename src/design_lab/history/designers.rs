//! Rates designers with a mixed model over tasks.
//!
//! Within a task, least squares explain each score by the design's author, the reviewer, and whether the reviewer's model is the
//! author, without shrinkage. What remains for each author goes into a second model, over tasks,
//!
//! ```text
//! y_tm = μ + a_t + θ_m + e_tm      θ_m ~ N(0, σ²·δ²)      e_tm ~ N(0, σ²)
//! ```
//!
//! with the task's level a, the author's quality θ, and a rest e: how well this author did on this task, and the reviewers' errors.
//! It is the model of one ranking ([`Posterior`]) with authors in place of designs and tasks in place of reviewers: θ is shrunken,
//! and the variances are integrated over weak priors, not estimated at a point (Robinson 1991, "That BLUP is a good thing",
//! Statistical Science 6).
//!
//! Two runs of one task are not two independent cases: tasks are what counts. What a reviewer likes of an author in every task
//! ([`super::taste`]) looks like quality, so its variance is added to the intervals.

use super::estimate::Estimate;
use super::record::PastRun;
use super::taste::{self, Rest, Taste};
use crate::design_lab::ranking::model::{Observation, Posterior, Shared};
use crate::design_lab::ranking::table::Kinship;
use design_lab_numerics::chances::Difference;
use design_lab_numerics::sorting::{set, sort_by};
use serde::Serialize;

/// Reviewers' judgement is used as it is, with no deduction for errors that they share. The words next to the numbers state this.
const AS_SEEN: Shared = Shared { floor: 0.0, ceiling: 1.0 };
/// Rounds of least squares: each solves for one kind of effect at a time, given the others.
const ROUNDS: usize = 200;

/// How a model has designed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Designer {
    /// `provider/model`.
    pub model: String,
    /// The number of tasks in which it was scored along with another model.
    pub tasks: u32,
    /// Points above the mean of all these models, shrunken; null if it has only one task.
    pub points: Option<Estimate>,
}

/// All designers, best first as far as that is known.
pub(super) struct Designers {
    pub(super) rows: Vec<Designer>,
    /// The number of tasks in which authors were compared.
    pub(super) tasks: usize,
    posterior: Option<Posterior>,
    /// The models, by their index.
    models: Vec<String>,
    /// The variance that reviewers' tastes add to each model's points; `None` if one reviewer's taste can't be told from quality.
    tastes: Option<Vec<f64>>,
}

impl Designers {
    /// Rates the designers of runs that are grouped by task.
    pub(super) fn of(tasks: &[Vec<&PastRun>]) -> Self {
        let mut models: Vec<String> = Vec::new();
        let mut observations = Vec::new();
        let mut compared = 0;
        let mut rests = Vec::new();
        for task in tasks.iter().map(|runs| Task::of(runs)).filter(|task| task.means.len() > 1) {
            rests.extend(task.rests);
            for (author, score) in task.means {
                let design = index_of(&mut models, author.to_owned());
                observations.push(Observation { design, reviewer: compared, score, own: false, place: 0.0 });
            }
            compared += 1;
        }
        let posterior =
            (compared > 1).then(|| Posterior::of(models.len(), compared, &observations)).flatten();
        let taste = Taste::of(rests);
        let tastes: Vec<f64> = models.iter().map(|model| taste.error_of(model)).collect();
        let mut mixture =
            posterior.as_ref().map_or_else(Vec::new, |posterior| posterior.qualities(0.0, &AS_SEEN, &[]));
        for part in &mut mixture {
            part.variances.iter_mut().zip(&tastes).for_each(|(variance, taste)| *variance += taste);
        }
        let many = models.len() as f64;
        let points = |model: usize, tasks: usize| {
            let parts = mixture.iter().map(|part| {
                let all: f64 = part.variances.iter().sum();
                let variance = part.variances[model] * (1.0 - 2.0 / many) + all / (many * many);
                (part.weight, part.means[model], variance.sqrt())
            });
            let total: f64 = mixture.iter().map(|part| part.weight).sum();
            let all = Difference {
                parts: parts.map(|(weight, mean, deviation)| (weight / total, mean, deviation)).collect(),
            };
            (tasks > 1 && !mixture.is_empty())
                .then(|| Estimate::new(all.mean(), [all.quantile(0.025), all.quantile(0.975)], tasks))
        };
        let mut rows: Vec<Designer> = models
            .iter()
            .enumerate()
            .map(|(index, model)| {
                let tasks = observations.iter().filter(|one| one.design == index).count();
                Designer {
                    model: model.clone(),
                    tasks: u32::try_from(tasks).unwrap_or(u32::MAX),
                    points: points(index, tasks),
                }
            })
            .collect();
        let value = |row: &Designer| row.points.map_or(f64::NEG_INFINITY, |points| points.value);
        sort_by(&mut rows, |one, other| {
            value(other).total_cmp(&value(one)).then_with(|| one.model.cmp(&other.model))
        });
        Self { rows, tasks: compared, posterior, models, tastes: taste.is_measured().then_some(tastes) }
    }

    /// Whether one is clearly worse than another: the interval of their difference is below 0. As the best model is found by looking at
    /// all of them, the intervals of all pairs together miss in 5% (Bonferroni).
    pub(super) fn is_behind(&self, one: &str, other: &str) -> bool {
        let at = |model: &str| self.models.iter().position(|known| known == model);
        let (Some(posterior), Some(one), Some(other)) = (&self.posterior, at(one), at(other)) else {
            return false;
        };
        let many = self.models.len() as f64;
        let pairs = many * (many - 1.0) / 2.0;
        let Some(tastes) = &self.tastes else { return false };
        let mut difference = posterior.difference(one, other, 0.0, &AS_SEEN);
        for (_, _, deviation) in &mut difference.parts {
            *deviation = (*deviation * *deviation + tastes[one] + tastes[other]).sqrt();
        }
        difference.quantile(1.0 - 0.025 / pairs) < 0.0
    }
}

/// Returns the index of a value in a list, and appends the value if it is missing.
pub(super) fn index_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// A score in a task: the design, the reviewer, the score, and whether both are the same model.
struct Cell {
    design: usize,
    reviewer: usize,
    score: f64,
    own: bool,
}

/// What the runs of one task show.
struct Task<'a> {
    /// The score of each author, for designs written from the task alone.
    means: Vec<(&'a str, f64)>,
    /// What is left of each score.
    rests: Vec<Rest<'a>>,
}

impl<'a> Task<'a> {
    fn of(runs: &[&'a PastRun]) -> Self {
        // An author, or a design that counts for no author but still shows how lenient its reviewers are.
        let mut designs: Vec<Result<&str, (usize, usize)>> = Vec::new();
        let mut reviewers: Vec<(usize, usize)> = Vec::new();
        let mut cells = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            for &(design, reviewer, score) in &run.scores {
                let (Some(of), Some(by)) = (run.designs.get(design), run.reviewers.get(reviewer)) else {
                    continue;
                };
                let author = of.author.as_deref();
                let own =
                    !by.person && author.is_some_and(|author| Kinship::of(author, &by.name) == Kinship::Own);
                let whose = author.filter(|_| of.first).ok_or((number, design));
                cells.push(Cell {
                    design: index_of(&mut designs, whose),
                    reviewer: index_of(&mut reviewers, (number, reviewer)),
                    score,
                    own,
                });
            }
        }
        let mut worth = vec![0.0; designs.len()];
        let mut leniency = vec![0.0; reviewers.len()];
        let mut own = vec![0.0];
        for _ in 0..ROUNDS {
            solve(
                &mut leniency,
                &cells,
                |cell| Some(cell.reviewer),
                |cell| worth[cell.design] + own_part(cell, &own),
            );
            solve(
                &mut own,
                &cells,
                |cell| cell.own.then_some(0),
                |cell| worth[cell.design] + leniency[cell.reviewer],
            );
            solve(
                &mut worth,
                &cells,
                |cell| Some(cell.design),
                |cell| leniency[cell.reviewer] + own_part(cell, &own),
            );
        }
        let name = |&(number, reviewer): &(usize, usize)| runs[number].reviewers[reviewer].name.as_str();
        let names = set(reviewers.iter().map(name));
        let share = |count: usize| 1.0 - 1.0 / count.max(1) as f64;
        let share = share(designs.len()) * share(names.len());
        let rest = |cell: &Cell| {
            Some(Rest {
                author: designs[cell.design].ok()?,
                reviewer: name(&reviewers[cell.reviewer]),
                points: cell.score - worth[cell.design] - leniency[cell.reviewer],
                share,
            })
        };
        let rests = taste::once_each(cells.iter().filter(|cell| !cell.own).filter_map(rest));
        let of_author = |(whose, worth): (&Result<&'a str, _>, &f64)| Some((whose.ok()?, *worth));
        Self { means: designs.iter().zip(&worth).filter_map(of_author).collect(), rests }
    }
}

fn own_part(cell: &Cell, own: &[f64]) -> f64 {
    if cell.own { own[0] } else { 0.0 }
}

/// Sets each effect to the mean of what the other effects leave of its cells.
fn solve(
    effects: &mut [f64],
    cells: &[Cell],
    of: impl Fn(&Cell) -> Option<usize>,
    others: impl Fn(&Cell) -> f64,
) {
    let mut sums = vec![(0.0, 0.0); effects.len()];
    for cell in cells {
        let Some(index) = of(cell) else { continue };
        sums[index].0 += cell.score - others(cell);
        sums[index].1 += 1.0;
    }
    for (effect, (sum, count)) in effects.iter_mut().zip(sums) {
        if count > 0.0 {
            *effect = sum / count;
        }
    }
}
