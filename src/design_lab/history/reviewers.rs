//! How reviewers judge: with whom they agree, how lenient they are, and how they score their own vendor's designs.
//!
//! Everything is relative to the other reviewers of the same designs. A reviewer's scores of designs by its own vendor count neither
//! for its agreement nor for its leniency.

use super::designers::index_of;
use super::estimate::{Estimate, of_correlation, of_mean};
use super::record::{PastReviewer, PastRun};
use crate::design_lab::ranking::descriptive::mean;
use crate::design_lab::ranking::table::Kinship;
use design_lab_numerics::sorting::{sort_by, sort_by_key};
use serde::Serialize;

/// If two reviewers share fewer designs than this, their agreement is not rated.
pub const SHARED_DESIGNS: usize = 8;

/// How a reviewer has judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reviewer {
    /// `provider/model`, or the person's name.
    pub name: String,
    /// Whether it is a person.
    pub person: bool,
    /// The number of tasks in which it has scored designs.
    pub tasks: u32,
    /// How many more points than the others it gives for the same designs; null if it has fewer than two tasks.
    pub leniency: Option<Estimate>,
    /// How many more points beyond that it gives designs of its own vendor; null if it has fewer than two tasks.
    pub self_preference: Option<Estimate>,
    /// The correlation of its scores with the mean of the other models'; null if they share too few designs.
    pub with_models: Option<Estimate>,
    /// The correlation of its scores with the mean of people's; null if they share too few designs.
    pub with_people: Option<Estimate>,
}

/// How two reviewers agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// One of the reviewers.
    pub one: String,
    /// The other.
    pub other: String,
    /// The number of designs that both have scored and that are of neither's vendor, each task counting once.
    pub designs: u32,
    /// The correlation of their scores within runs; null if there are too few designs, or if one gave all the same score.
    pub correlation: Option<Estimate>,
}

/// Returns every reviewer, models first, and every two reviewers that share designs, those that agree most first.
pub(super) fn reviewers(tasks: &[Vec<&PastRun>]) -> (Vec<Reviewer>, Vec<Pair>) {
    let mut all: Vec<&PastReviewer> = Vec::new();
    for reviewer in tasks.iter().flatten().flat_map(|run| &run.reviewers) {
        index_of(&mut all, reviewer);
    }
    sort_by_key(&mut all, |reviewer| (reviewer.person, &reviewer.name));
    let rows = all.iter().map(|of| reviewer(tasks, of)).collect();
    let mut pairs = Vec::new();
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            let (designs, correlation) = agreement(tasks, one, &|by| by == *other);
            if designs > 0 {
                pairs.push(Pair { one: one.name.clone(), other: other.name.clone(), designs, correlation });
            }
        }
    }
    let value = |pair: &Pair| pair.correlation.map_or(-2.0, |found| found.value);
    sort_by(&mut pairs, |one, other| value(other).total_cmp(&value(one)));
    (rows, pairs)
}

fn reviewer(tasks: &[Vec<&PastRun>], of: &PastReviewer) -> Reviewer {
    let per_task = |surplus: &dyn Fn(&PastRun) -> Option<f64>| {
        let means = tasks
            .iter()
            .filter_map(|runs| mean(&runs.iter().filter_map(|run| surplus(run)).collect::<Vec<_>>()));
        of_mean(&means.collect::<Vec<_>>())
    };
    let leniency = |run: &PastRun| surplus(run, of, false);
    let own = |run: &PastRun| Some(surplus(run, of, true)? - leniency(run)?);
    let scored = |run: &&PastRun| run.reviewers.contains(of);
    Reviewer {
        name: of.name.clone(),
        person: of.person,
        tasks: u32::try_from(tasks.iter().filter(|runs| runs.iter().any(scored)).count()).unwrap_or(u32::MAX),
        leniency: per_task(&leniency),
        self_preference: per_task(&own),
        with_models: agreement(tasks, of, &|by| !by.person && by != of).1,
        with_people: agreement(tasks, of, &|by| by.person && by != of).1,
    }
}

pub(super) fn is_kin(run: &PastRun, design: usize, reviewer: &PastReviewer) -> bool {
    let author = run.designs.get(design).and_then(|design| design.author.as_deref());
    !reviewer.person && author.is_some_and(|author| Kinship::of(author, &reviewer.name) != Kinship::None)
}

/// Returns how far a reviewer's scores are above the mean of the others, either for designs of its own vendor or for all others. The
/// others' scores of their own vendor's designs don't count.
fn surplus(run: &PastRun, of: &PastReviewer, kin: bool) -> Option<f64> {
    let at = run.reviewers.iter().position(|reviewer| reviewer == of)?;
    let mut surplus = Vec::new();
    for &(design, reviewer, score) in &run.scores {
        if reviewer != at || is_kin(run, design, of) != kin {
            continue;
        }
        let others = run.scores.iter().filter(|&&(other, by, _)| {
            other == design && by != at && run.reviewers.get(by).is_some_and(|by| !is_kin(run, design, by))
        });
        if let Some(others) = mean(&others.map(|(_, _, score)| *score).collect::<Vec<_>>()) {
            surplus.push(score - others);
        }
    }
    mean(&surplus)
}

/// Returns a reviewer's scores in a run, each minus their mean, by design; empty if there are fewer than two.
fn centred(run: &PastRun, at: usize) -> Vec<(usize, f64)> {
    let Some(by) = run.reviewers.get(at) else { return Vec::new() };
    let scores =
        run.scores.iter().filter(|&&(design, reviewer, _)| reviewer == at && !is_kin(run, design, by));
    let scores: Vec<(usize, f64)> = scores.map(|&(design, _, score)| (design, score)).collect();
    let level = mean(&scores.iter().map(|(_, score)| *score).collect::<Vec<_>>()).unwrap_or_default();
    if scores.len() < 2 {
        Vec::new()
    } else {
        scores.into_iter().map(|(design, score)| (design, score - level)).collect()
    }
}

/// Returns how many designs a reviewer shares with some of the others, and how its scores correlate with their mean. Of several runs
/// of a task, only the one with the most shared designs counts, because the same designs are no further evidence.
fn agreement(
    tasks: &[Vec<&PastRun>],
    of: &PastReviewer,
    with: &dyn Fn(&PastReviewer) -> bool,
) -> (u32, Option<Estimate>) {
    let (mut pairs, mut degrees) = (Vec::new(), 0.0);
    for runs in tasks {
        let of_runs = runs.iter().map(|run| shared(run, of, with));
        let (mut found, lost) = of_runs
            .fold((Vec::new(), 0.0), |most, next| if next.0.len() > most.0.len() { next } else { most });
        degrees += found.len() as f64 * (1.0 - lost);
        pairs.append(&mut found);
    }
    let known = (pairs.len() >= SHARED_DESIGNS).then(|| of_correlation(&pairs, degrees)).flatten();
    (u32::try_from(pairs.len()).unwrap_or(u32::MAX), known)
}

/// Returns the pairs of centred scores of a run, and the share of each pair's information that centring uses up.
fn shared(run: &PastRun, of: &PastReviewer, with: &dyn Fn(&PastReviewer) -> bool) -> (Vec<(f64, f64)>, f64) {
    let own =
        run.reviewers.iter().position(|reviewer| reviewer == of).map_or_else(Vec::new, |at| centred(run, at));
    let others = (0..run.reviewers.len()).filter(|&at| with(&run.reviewers[at]));
    let others: Vec<Vec<(usize, f64)>> =
        others.map(|at| centred(run, at)).filter(|scores| !scores.is_empty()).collect();
    let fewest = others.iter().map(Vec::len).chain([own.len()]).min().unwrap_or(0).max(1);
    let pair = |&(design, score): &(usize, f64)| {
        let given = others.iter().flatten().filter(|(other, _)| *other == design).map(|(_, score)| *score);
        Some((score, mean(&given.collect::<Vec<_>>())?))
    };
    (own.iter().filter_map(pair).collect(), 1.0 / fewest as f64)
}
