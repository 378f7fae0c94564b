//! Continuing a run in a new process: settled answers stay, calls in flight are looked up, the rest is asked.

use super::comparison;
use super::forecast;
use super::job;
use super::job::{Job, Work};
use super::job_name::JobName;
use super::plan;
use super::protocol::Command;
use super::reconfigured::FORMER;
use super::results;
use super::rubric::Draft;
use super::state::{Naming, Phase, State};
use crate::design_lab::ids::ReviewerId;
use design_lab_numerics::sorting::set;
use kernel::job::JobState;
use kernel::protocol::{JobId, Outcome, Tone};
use std::fmt::Write as _;

impl State {
    /// Whether there is anything to resume: a call to make, or files of the ranking that a crash kept from disk. A review that failed
    /// before the ranking doesn't count as unfinished: the user decides whether it is retried.
    pub(super) fn is_unfinished(&self) -> bool {
        let is_open = |job: &Job| {
            job.part.work != Work::Map
                && self.is_asked_again(job)
                && (self.retrying || !is_review(&job.id) || self.was_not_asked(job))
        };
        !self.closed || !self.is_ranked() || self.is_cut_short() || self.calls.jobs.iter().any(is_open)
    }

    /// Whether a limit of the run prevented a job from being asked.
    fn was_not_asked(&self, job: &Job) -> bool {
        let JobState::Failed(reason) = &job.state else { return false };
        let is_given_up =
            matches!(job.part.work, Work::Review { reviewer, .. } if comparison::is_hopeless(self, reviewer));
        reason.was_not_asked() && !is_given_up
    }

    /// Whether a model would be asked if the run continued.
    fn has_more_to_ask(&self) -> bool {
        self.is_cut_short() || self.calls.jobs.iter().any(|job| self.is_asked_again(job))
    }

    /// Whether the run ended before all models had been asked.
    pub(super) fn is_cut_short(&self) -> bool {
        let is_open = |job: &Job| !job.state.is_settled() && job.part.work != Work::Map;
        matches!(self.phase, Phase::Over(_)) && self.calls.jobs.iter().any(is_open)
    }

    /// Whether any model's review was written.
    pub(super) fn is_reviewed_by_models(&self) -> bool {
        let mut reviews = self.calls.jobs.iter().filter(|job| matches!(job.part.work, Work::Review { .. }));
        reviews.any(|job| job.state == JobState::Done)
    }

    /// Whether the run ended with a ranking.
    pub(super) fn is_ranked(&self) -> bool {
        matches!(self.phase, Phase::Over(outcome) if outcome.is_done())
    }

    /// Continues after `idle` milliseconds in which no process ran it.
    pub(super) fn go_on_as_configured(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.discard_former(commands);
        // Who retries failed reviews gets the map once these are settled.
        if self.phase == Phase::Mapping && !self.retrying {
            self.calls.clock.from += idle;
            self.takes_up_map(idle, commands);
            return;
        }
        if self.retrying {
            self.superseded = results::current(self);
            let account = self.account_of_retrial();
            self.notes.extend(account);
        }
        if self.is_ranked() && !self.has_more_to_ask() {
            self.closed = false;
            self.finish(commands);
            return;
        }
        self.go_on(idle, commands);
    }

    /// Resumes every job where the previous process left it.
    pub(super) fn go_on(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.continue_with(idle, &[], commands);
    }

    /// The same; if reviewers are `added`, only they are asked.
    pub(super) fn continue_with(&mut self, idle: u64, added: &[ReviewerId], commands: &mut Vec<Command>) {
        // Ranked by people.
        let was_paused =
            self.phase == Phase::Over(Outcome::Paused) || self.amendments.review_later && self.is_ranked();
        let was_ranked = self.is_ranked();
        let may_review = was_paused && !self.retrying && !self.amendments.is_under_way;
        self.closed = false;
        if !matches!(self.phase, Phase::Over(_)) {
            self.calls.clock.from += idle;
        }
        self.calls.begin_again();
        self.chooses_again();
        self.map_dropped &= !self.retrying;
        self.directory.begin_again();
        self.problem = None;
        self.ranking = None;
        if let Some(before) = self.by_people_alone.take() {
            self.lasting_notes.retain(|note| *note != before);
        }
        // Back to the start of the phase: settled jobs advance the run from there at once.
        self.decide_on_draft();
        self.phase = self.first_phase();
        self.naming = if self.directory.name.is_some() { Naming::Claimed } else { Naming::Asked };
        if !self.is_reviewed() {
            self.forget_presentations();
        }
        commands.push(self.account());
        if self.directory.name.is_some() {
            self.present_sources(commands);
        }
        self.write_again();
        let asked_again = |job: &&Job| added.is_empty() && self.is_asked_again(job);
        let again = set(self.calls.jobs.iter().filter(asked_again).map(|job| job.id.clone()));
        if self.is_reviewed() {
            let is_design = |job: &&Job| matches!(job.part.work, Work::Design(_)) && again.contains(&job.id);
            let late = self.calls.jobs.iter().filter(is_design).map(|job| job.id.clone());
            self.late.extend(late);
        }
        self.calls.take_up(idle, &|job| again.contains(job), commands);
        self.retrying = false;
        self.amendments.is_under_way = false;
        self.amendments.again.clear();
        // A design that the user hasn't seen is shown before any is reviewed.
        if may_review && self.calls.settled(|job| matches!(job.part.work, Work::Design(_))) {
            self.amendments.review_later = false;
        }
        if was_paused || !added.is_empty() {
            self.foresee_more();
        } else if was_ranked {
            // A late design makes all reviews start over: there is no estimate for those.
            self.further = self.late.is_empty().then(|| forecast::of_rest(self));
        }
    }

    /// Whether anything failed that can be retried.
    pub(super) fn has_failed(&self) -> bool {
        self.calls
            .jobs
            .iter()
            .any(|job| matches!(job.state, JobState::Failed(_)) && self.counts_as_missing(job.part.work))
    }

    /// Whether the result lacks something if this job failed. A rubric that the user continued without is not missing.
    fn counts_as_missing(&self, work: Work) -> bool {
        match work {
            Work::Topic | Work::Map => false,
            Work::Rubric => self.awaits_rubric(),
            Work::Design(_) | Work::Review { .. } => true,
        }
    }

    /// Lists what is retried, in a sentence; `None` when nothing is.
    pub(super) fn account_of_retrial(&self) -> Option<String> {
        let again = || self.calls.jobs.iter().filter(|job| self.is_asked_again(job));
        let names: Vec<String> = again()
            .filter_map(|job| match job.part.work {
                Work::Topic => None,
                Work::Rubric => Some(format!("the draft of the rubric by {}", job::label(job))),
                Work::Design(_) => Some(format!("the design by {}", job::label(job))),
                Work::Review { .. } => Some(format!("the review by {}", job::label(job))),
                Work::Map => Some("the decision map".to_owned()),
            })
            .collect();
        if names.is_empty() {
            return None;
        }
        let mut account = format!("Retrying: {}.", names.join(", "));
        if self.is_reviewed() && again().any(|job| matches!(job.part.work, Work::Design(_))) {
            let reviewers = match self.opening.config.review_models.len() {
                1 => "the reviewer reads and scores the designs again, and its".to_owned(),
                count => format!("all {count} reviewers read and score the designs again, and their"),
            };
            let _ = write!(
                account,
                " If such a design is written now, {reviewers} earlier reviews are kept in {FORMER}/{}. \
                 Otherwise, the earlier reviews count.",
                self.changes + 1
            );
        }
        Some(account)
    }

    /// Whether there is a design that reviewers should have seen and haven't.
    pub(super) fn is_review_outdated(&self) -> bool {
        self.calls.jobs.iter().any(|job| job.state == JobState::Done && self.late.contains(&job.id))
    }

    pub(super) fn is_review_in_flight(&self) -> bool {
        self.calls
            .jobs
            .iter()
            .any(|job| matches!(job.part.work, Work::Review { .. }) && job.state.is_in_flight())
    }

    /// Retires the reviews that were made without a design that exists now: scores are comparable only among designs that were read
    /// together.
    pub(super) fn review_afresh(&mut self, commands: &mut Vec<Command>) {
        let mut before = results::current(self);
        for (path, text) in std::mem::take(&mut self.superseded) {
            if before.iter().all(|(known, _)| *known != path) {
                before.push((path, text));
            }
        }
        self.changes += 1;
        let (reviews, others): (Vec<Job>, Vec<Job>) = std::mem::take(&mut self.calls.jobs)
            .into_iter()
            .partition(|job| matches!(job.part.work, Work::Review { .. } | Work::Map));
        self.calls.retired.extend(reviews);
        self.calls.jobs = others;
        let planned = plan::jobs(&self.opening);
        self.calls.jobs.extend(
            planned.into_iter().filter(|job| matches!(job.part.work, Work::Review { .. } | Work::Map)),
        );
        self.presented.remove(&JobName::Map.id());
        self.forget_presentations();
        self.file_away(before, commands);
    }

    /// Reports what is already done.
    fn account(&self) -> Command {
        let count = |of: fn(Work) -> bool| {
            let jobs = || self.calls.jobs.iter().filter(move |job| of(job.part.work));
            format!("{} of {}", jobs().filter(|job| job.state == JobState::Done).count(), jobs().count())
        };
        let designs = count(|work| matches!(work, Work::Design(_)));
        let reviews = count(|work| matches!(work, Work::Review { .. }));
        let message = format!("Continuing with {designs} designs and {reviews} reviews");
        Command::Notify { tone: Tone::Info, message, toast: true }
    }

    /// Forgets how reviewers see the designs.
    pub(super) fn forget_presentations(&mut self) {
        self.presented.retain(|job, _| !is_review(job));
    }

    /// Whether it is decided how reviewers see the designs.
    pub(super) fn is_presented(&self) -> bool {
        self.presented.keys().any(is_review)
    }

    /// Whether any reviewer has been asked: it was shown the designs of that time.
    pub(super) fn is_reviewed(&self) -> bool {
        let mut reviews = self.calls.jobs.iter().filter(|job| matches!(job.part.work, Work::Review { .. }));
        reviews.any(|job| job.ledger.prompts > 0)
    }

    /// Whether a failed job is retried. Once reviewers or the user have seen the designs, a design that failed stays out of this
    /// ranking unless the user wants a retry; and a run that has its name needs no other.
    fn is_asked_again(&self, job: &Job) -> bool {
        let wanted = match job.part.work {
            Work::Topic => self.directory.name.is_none(),
            Work::Rubric => self.draft == Draft::Open && self.retrying,
            Work::Design(_) => {
                self.retrying
                    || self.amendments.again.contains(&job.id)
                    || !(self.is_reviewed() || self.amendments.is_shown)
            }
            Work::Review { .. } => true,
            // The user asks again for a map that failed; one that a limit prevented is still wanted.
            Work::Map => {
                self.retrying || matches!(&job.state, JobState::Failed(reason) if reason.was_not_asked())
            }
        };
        wanted && matches!(job.state, JobState::Failed(_))
    }
}

/// Whether an id is that of a review or a comparison.
pub(super) fn is_review(job: &JobId) -> bool {
    matches!(JobName::of(job), Some(JobName::Review { .. } | JobName::Pair { .. }))
}
