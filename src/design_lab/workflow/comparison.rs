//! Pairwise mode: every comparison of two designs is a separate review job in its own session, so that no verdict is influenced by
//! another.

use super::human_review;
use super::job::Part;
use super::job::{Job, Turn, Work};
use super::job_name::JobName;
use super::protocol::Presented;
use super::state::{Phase, State};
use crate::design_lab::anonymity;
use crate::design_lab::artefacts::StoredComparison;
use crate::design_lab::config::ConfigCode;
use crate::design_lab::config::{Config, Review, ReviewMode};
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::table::Kinship;
use crate::design_lab::ranking::{self, Comparison, Failure};
use crate::random::Random;
use design_lab_numerics::sorting::sort_by_key;
use kernel::job::JobState;
use kernel::problem::Problem;
use kernel::progress::{Participant, Standing};
use kernel::reason::Reason;
use std::collections::BTreeMap;

/// The pairs that each reviewer compares in each repeat, unless two for each design are more: all pairs of up to six designs.
const PAIRS: usize = 15;
/// After this many failed comparisons and no successful one, a reviewer is not asked again.
const HOPELESS: usize = 2;

/// Explains why comparing would be a waste of money: every possible comparison includes a design on which the reviewer's verdicts don't
/// count, its own or its vendor's. `own`: how many designs no model wrote.
pub(super) fn uncountable(config: &Config, own: usize) -> Option<Problem> {
    let Review { mode, exclude_family, .. } = config.review;
    if mode != ReviewMode::Pairwise || !config.people.is_empty() {
        return None;
    }
    let comparable = |reviewer: &str| {
        let designs = config.design_models.iter();
        designs.filter(|design| counts(&config.review, reviewer, &design.model_id)).count() + own > 1
    };
    if config.review_models.iter().any(|entry| comparable(&entry.model.model_id)) {
        return None;
    }
    let (whose, option) = if exclude_family {
        ("a reviewer's vendor's designs", "review.exclude_self and review.exclude_family")
    } else {
        ("a reviewer's own design", "review.exclude_self")
    };
    let problem = Problem::new(
        ConfigCode::NoNeutralReviewer,
        format!(
            "No reviewer could compare two designs of other models, and verdicts on {whose} don't \
                 count."
        ),
    );
    Some(problem.at("/review_models").allowed("a reviewer and two designs of other models").next(format!(
        "Add a review model that writes no design, add a design model, or set {option} to false."
    )))
}

/// Whether a reviewer's verdicts on a model's design count.
pub(super) fn counts(review: &Review, reviewer: &str, author: &str) -> bool {
    match Kinship::of(author, reviewer) {
        Kinship::Own => !review.exclude_self,
        Kinship::Family => !review.exclude_family,
        Kinship::None => true,
    }
}

/// Adds the jobs that compare the existing designs, and returns what each of them is shown. The same designs and seed give the same
/// jobs, and existing jobs stay unchanged. In a run that asks only for the comparisons that matter, none is added yet.
///
/// Reviewers take turns, so that all have about the same number of verdicts if the budget ends early.
pub(super) fn join(state: &mut State) -> Vec<Presented> {
    if !state.is_presented() {
        // Jobs of another set of designs, none of which was shown to any reviewer.
        state.calls.jobs.retain(|job| !matches!(job.part.work, Work::Review { .. }));
    }
    if state.opening.config.until_clear.is_some() {
        return Vec::new();
    }
    let designs: Vec<DesignId> = state.designs().map(|(id, _)| id).collect();
    let config = &state.opening.config;
    let mut planned = Vec::new();
    for (reviewer, entry) in config.review_models.iter().enumerate() {
        let mut number = 0;
        for repeat in 0..config.review.repeats {
            for (first, second) in schedule(state.opening.seed, designs.len(), &entry.model.id, repeat) {
                number += 1;
                let name = JobName::Review { reviewer: entry.reviewer_id(), number };
                let work = Work::Review { reviewer, repeat };
                planned.push((
                    number,
                    Job::new(name.id(), Turn::Compare, Part::new(work, entry.model.clone())),
                    first,
                    second,
                ));
            }
        }
    }
    sort_by_key(&mut planned, |(number, ..)| *number);
    let seed = state.blind_seed();
    let mut shown = Vec::new();
    for (index, (_, job, first, second)) in planned.into_iter().enumerate() {
        shown.push(Presented {
            job: job.id.clone(),
            order: vec![designs[first].clone(), designs[second].clone()],
            // Counted over all comparisons, so that labels are rarely reused.
            labels: anonymity::presentation(seed, index, 0, 2, 1).labels,
        });
        if !state.calls.jobs.iter().any(|known| known.id == job.id) {
            state.calls.jobs.push(job);
        }
    }
    shown
}

/// The pairs that a reviewer is shown in a repeat, in both orders, as indices of designs.
pub(super) fn schedule(seed: u64, designs: usize, reviewer: &str, repeat: u32) -> Vec<(usize, usize)> {
    let random = &mut Random::new(seed, &format!("pairs {reviewer} {repeat}"));
    // Two pairs for each design always connect them all, so the schedule can't fail.
    ranking::schedule(designs, Some(PAIRS.max(2 * designs)), random).unwrap_or_default()
}

/// Stops asking a reviewer whose first comparisons all failed for good: a key that is refused once is refused again.
pub(super) fn give_up(state: &mut State) {
    let now = state.calls.clock.now;
    for reviewer in 0..state.opening.config.review_models.len() {
        if !is_hopeless(state, reviewer) {
            continue;
        }
        let of_reviewer = |job: &&mut Job| {
            matches!(job.part.work, Work::Review { reviewer: other, .. } if other == reviewer)
                && matches!(job.state, JobState::Ready | JobState::Pausing { .. })
        };
        for job in state.calls.jobs.iter_mut().filter(of_reviewer) {
            job.settle(JobState::Failed(Reason::not_asked("its other comparisons failed")), now);
        }
    }
}

/// Whether a reviewer's first comparisons have all failed for good.
pub(super) fn is_hopeless(state: &State, reviewer: usize) -> bool {
    let (mut failed, mut done) = (0, 0);
    for job in state.review_jobs(reviewer).filter(|job| job.turn == Turn::Compare) {
        failed += usize::from(matches!(job.state, JobState::Failed(_)));
        done += usize::from(job.state == JobState::Done);
    }
    done == 0 && failed >= HOPELESS
}

/// The verdicts of one reviewer, in the order of its jobs.
pub(super) fn stored(state: &State, reviewer: usize) -> Vec<StoredComparison> {
    state.review_jobs(reviewer).filter_map(|job| verdict(state, job)).collect()
}

fn verdict(state: &State, job: &Job) -> Option<StoredComparison> {
    let Work::Review { repeat, .. } = job.part.work else { return None };
    let verdict = job.part.product.verdict.clone()?;
    let [first, second] = state.presented.get(&job.id)?.order.as_slice() else { return None };
    Some(StoredComparison { repeat: repeat + 1, first: first.clone(), second: second.clone(), verdict })
}

/// Every verdict, in the form that the ranking counts: reviewer by reviewer.
pub(super) fn rows(state: &State) -> Vec<Comparison> {
    let reviewers = state.opening.config.review_models.iter().enumerate();
    reviewers
        .flat_map(|(reviewer, entry)| {
            stored(state, reviewer).into_iter().map(|stored| Comparison {
                reviewer: entry.reviewer_id(),
                repeat: stored.repeat,
                first: stored.first,
                second: stored.second,
                verdict: stored.verdict.preferred,
            })
        })
        .chain(human_review::comparisons(state))
        .collect()
}

/// One failure for each reviewer with failed comparisons, however many failed.
pub(super) fn failures(state: &State) -> Vec<Failure> {
    let reviewers = state.opening.config.review_models.iter().enumerate();
    reviewers
        .filter_map(|(reviewer, entry)| {
            Some(Failure {
                phase: "review".to_owned(),
                id: entry.model.id.clone(),
                model: entry.model.model_id.clone(),
                reason: failure(&state.review_jobs(reviewer).collect::<Vec<_>>())?.wording().to_owned(),
            })
        })
        .collect()
}

/// How many of a reviewer's comparisons failed and why, with the most common reason.
fn failure(jobs: &[&Job]) -> Option<Reason> {
    let mut reasons: BTreeMap<&Reason, usize> = BTreeMap::new();
    for job in jobs {
        if let JobState::Failed(reason) = &job.state {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    let failed: usize = reasons.values().sum();
    // A comparison that was never asked explains nothing.
    let (reason, _) = reasons.iter().max_by_key(|(reason, count)| (!reason.was_not_asked(), **count))?;
    Some(reason.behind(&format!("{failed} of {} comparisons failed: ", jobs.len())))
}

/// Each reviewer as shown to people, with all its comparisons together.
pub(super) fn participants(state: &State, now: u64) -> Vec<Participant> {
    let reviewers = state.opening.config.review_models.iter().enumerate();
    reviewers
        .map(|(reviewer, entry)| {
            let jobs: Vec<&Job> = state.review_jobs(reviewer).collect();
            let settled = jobs.iter().filter(|job| job.state.is_settled()).count();
            let standing = match failure(&jobs) {
                // In a run that asks only for the comparisons that matter, a reviewer may get none.
                _ if jobs.is_empty() && matches!(state.phase, Phase::Over(_)) => Standing::NotAsked,
                _ if jobs.iter().all(|job| job.ledger.prompts == 0 && !job.state.is_settled()) => {
                    Standing::Waiting
                }
                _ if jobs.iter().all(|job| Standing::of(job, "", now) == Standing::NotAsked) => {
                    Standing::NotAsked
                }
                _ if settled < jobs.len() => Standing::Working(format!("{settled} of {}", jobs.len())),
                Some(reason) => Standing::Failed(reason),
                None => Standing::Done,
            };
            let model = &entry.model;
            Participant::of(model.id.clone(), model.model_id.clone(), standing, &jobs, now)
        })
        .collect()
}
