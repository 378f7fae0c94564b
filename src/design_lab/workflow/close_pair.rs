//! `review.close_pairs`: once all scores are there, reviewers also compare the first two designs, if these are close.
//!
//! As in `until_clear`, the journal holds the decision: each comparison as [`Presented`], and the end of choosing as `Sufficed`.

use super::comparison;
use super::job::{Job, Part, Turn, Work};
use super::job_name::JobName;
use super::protocol::Presented;
use super::results;
use super::state::State;
use crate::design_lab::anonymity;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::Leaders;
use crate::shared::figures::money;
use design_lab_numerics::sorting::set;
use kernel::job::JobState;

/// Up to this many reviewers compare the two designs in both orders. More of them compare once each, in alternating orders: the
/// effect of order then cancels over the panel, and six reviewers cost no more calls than three.
const IN_BOTH_ORDERS: usize = 3;

/// The orders in which each of these reviewers sees the first and the second design: whether the first is shown first.
fn orders(reviewers: &[usize]) -> Vec<(usize, bool)> {
    if reviewers.len() <= IN_BOTH_ORDERS {
        reviewers.iter().flat_map(|&reviewer| [(reviewer, true), (reviewer, false)]).collect()
    } else {
        reviewers.iter().enumerate().map(|(at, &reviewer)| (reviewer, at.is_multiple_of(2))).collect()
    }
}

impl State {
    /// The comparisons to ask next, or the reason why there are none, as a sentence; empty if there is nothing to explain.
    pub(super) fn close_comparisons(&self) -> Result<Vec<Presented>, String> {
        // Reviewers who join later only score: the comparisons were chosen by the scores of the others.
        if !self.joined.is_empty() {
            return Err(String::new());
        }
        let known = self.pair_jobs().find_map(|job| Some(self.presented.get(&job.id)?.order.clone()));
        let is_known = known.is_some();
        let pair = match known.as_deref() {
            Some([one, other]) => {
                let mut pair = [one.clone(), other.clone()];
                pair.sort();
                pair
            }
            _ => self.close_leaders()?,
        };
        let missing = self.missing(&pair);
        let [one, other] = &pair;
        if missing.is_empty() {
            return Err(if is_known {
                String::new()
            } else {
                format!("No reviewer's comparison of {one} and {other} would count, so none was made.")
            });
        }
        let prices = self.prices();
        let cost: f64 = missing.iter().map(|(reviewer, _)| prices[*reviewer]).sum();
        let cap = self.opening.config.budget.max_cost_usd;
        if let Some(cap) = cap.filter(|cap| self.calls.spent().0 + cost > *cap) {
            return Err(format!(
                "Reviewers didn't compare {one} and {other}: that would exceed the run's limit of {}.",
                money(cap)
            ));
        }
        Ok(self.shown(&missing))
    }

    /// The first two designs, or the reason why they aren't compared.
    fn close_leaders(&self) -> Result<[DesignId; 2], String> {
        let ranking = results::rank(self).map_err(|_| String::new())?;
        let leaders = Leaders::of(&ranking).ok_or_else(String::new)?;
        let (are_close, Leaders { designs, lead }) = (leaders.are_close(), leaders);
        let [one, other] = &designs;
        if !are_close {
            return Err(format!(
                "{one} leads {other} by {lead:.1} points, so reviewers didn't compare the two."
            ));
        }
        let mut pair = designs;
        pair.sort();
        Ok(pair)
    }

    /// The comparisons of a pair that count and have no job yet: the reviewer, and the designs in the order shown.
    pub(super) fn missing(&self, [one, other]: &[DesignId; 2]) -> Vec<(usize, [DesignId; 2])> {
        let has_scored = |reviewer: &usize| {
            let mut jobs = self.review_jobs(*reviewer);
            !results::is_undiscriminating(self, *reviewer)
                && jobs.any(|job| job.state == JobState::Done && job.part.product.evaluations.is_some())
        };
        let reviewers: Vec<usize> =
            self.neutral(&|id| *id == *one || *id == *other).into_iter().filter(has_scored).collect();
        let there = set(self.pair_jobs().filter_map(|job| match job.part.work {
            Work::Review { reviewer, .. } => Some((reviewer, self.presented.get(&job.id)?.order.clone())),
            _ => None,
        }));
        let in_order = |(reviewer, first): (usize, bool)| {
            let [one, other] = [one.clone(), other.clone()];
            (reviewer, if first { [one, other] } else { [other, one] })
        };
        let compares_once = reviewers.len() > IN_BOTH_ORDERS;
        let is_there = |(reviewer, order): &(usize, [DesignId; 2])| {
            there.iter().any(|(known, shown)| known == reviewer && (compares_once || shown == order))
        };
        orders(&reviewers).into_iter().map(in_order).filter(|one| !is_there(one)).collect()
    }

    /// The reviewers who score and whose verdicts on all designs that the predicate keeps would count.
    fn neutral(&self, keep: &dyn Fn(&DesignId) -> bool) -> Vec<usize> {
        let config = &self.opening.config;
        let counts = |model: &str, job: &Job| {
            job.part.file().is_some() || comparison::counts(&config.review, model, job.part.author())
        };
        let reviewers = config.review_models.iter().enumerate();
        reviewers
            .filter(|(_, entry)| entry.evaluation_criteria.quantitative)
            .filter(|(_, entry)| {
                let mut designs = self.design_jobs().filter(|job| keep(&job.part.model.design_id()));
                designs.all(|job| counts(&entry.model.model_id, job))
            })
            .map(|(reviewer, _)| reviewer)
            .collect()
    }

    fn shown(&self, missing: &[(usize, [DesignId; 2])]) -> Vec<Presented> {
        let mut shown: Vec<Presented> = Vec::new();
        for (reviewer, order) in missing {
            let reviewer = self.opening.config.review_models[*reviewer].reviewer_id();
            let is_by = |job| matches!(JobName::of(job), Some(JobName::Pair { reviewer: other, .. }) if other == reviewer);
            let earlier = self.presented.keys().filter(|job| is_by(job)).count()
                + shown.iter().filter(|shown| is_by(&shown.job)).count();
            let number = u32::try_from(earlier + 1).unwrap_or(u32::MAX);
            // Rows of labels that no review and no form uses.
            let row = self.presented.len() + shown.len();
            shown.push(Presented {
                job: JobName::Pair { reviewer, number }.id(),
                order: order.to_vec(),
                labels: anonymity::presentation(self.blind_seed(), row, 0, 2, 1).labels,
            });
        }
        shown
    }

    /// Adds the job of a comparison on top of scores.
    pub(super) fn takes_up_pair(&mut self, presented: &Presented) {
        let Some(JobName::Pair { reviewer: id, .. }) = JobName::of(&presented.job) else { return };
        let config = &self.opening.config;
        let Some(reviewer) = config.review_models.iter().position(|entry| entry.reviewer_id() == id) else {
            return;
        };
        self.choosing = super::until_clear::Choosing::Open;
        // Both orders are one verdict.
        let work = Work::Review { reviewer, repeat: 0 };
        let part = Part::new(work, config.review_models[reviewer].model.clone());
        self.calls.jobs.push(Job::new(presented.job.clone(), Turn::Compare, part));
    }

    /// The comparisons on top of scores.
    fn pair_jobs(&self) -> impl Iterator<Item = &Job> {
        self.calls.jobs.iter().filter(|job| matches!(JobName::of(&job.id), Some(JobName::Pair { .. })))
    }

    /// Whether all scores have arrived or failed, so that comparisons on top of them are what is left to ask.
    pub(super) fn is_scored(&self) -> bool {
        let mut scoring = self.calls.jobs.iter().filter(|job| {
            matches!(job.part.work, Work::Review { .. })
                && !matches!(JobName::of(&job.id), Some(JobName::Pair { .. }))
        });
        self.is_reviewed() && scoring.all(|job| job.state.is_settled())
    }

    /// Whether any comparison on top of scores was chosen.
    pub(super) fn has_pair(&self) -> bool {
        self.pair_jobs().next().is_some()
    }

    /// For the comparisons that may follow the scores: the number of calls of each reviewer, for the pair with the most calls. Empty
    /// if none may follow.
    pub(super) fn possible_comparisons(&self) -> Vec<(usize, u32)> {
        let expects = self.opening.config.review.compares_close_pairs()
            && !self.amendments.review_later
            && self.joined.is_empty();
        if !expects || self.has_pair() {
            return Vec::new();
        }
        let designs: Vec<DesignId> = self.design_jobs().map(|job| job.part.model.design_id()).collect();
        let pairs =
            designs.iter().enumerate().flat_map(|(at, one)| designs[..at].iter().map(move |two| (one, two)));
        let of_pair =
            |(one, two): (&DesignId, &DesignId)| orders(&self.neutral(&|id| id == one || id == two));
        let most = pairs.map(of_pair).max_by_key(Vec::len).unwrap_or_default();
        let calls = |run: &[(usize, bool)]| (run[0].0, u32::try_from(run.len()).unwrap_or(u32::MAX));
        most.chunk_by(|one, other| one.0 == other.0).map(calls).collect()
    }
}
