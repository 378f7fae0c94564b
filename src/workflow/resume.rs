//! Going on with a run in a new process: what is settled stays, what was on its way is looked for, the rest is asked.

use super::job::{Job, JobState, Work};
use super::plan;
use super::protocol::{CallFailure, Command, Outcome, Tone};
use super::reconfigured::FORMER;
use super::recount::BY_PEOPLE_ALONE;
use super::results;
use super::retry::{self, Remedy};
use super::state::{Phase, State};
use std::fmt::Write as _;

impl State {
    /// Whether there is anything to resume: something to ask, or files of the ranking that a crash kept from disk.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.closed || !self.is_ranked() || self.has_more_to_ask()
    }

    /// Whether a model would be asked if the run went on.
    fn has_more_to_ask(&self) -> bool {
        self.is_cut_short() || self.jobs.iter().any(|job| self.is_asked_again(job))
    }

    /// Whether the run ended before everybody had been asked.
    pub(super) fn is_cut_short(&self) -> bool {
        matches!(self.phase, Phase::Over(_)) && self.jobs.iter().any(|job| !job.state.is_settled())
    }

    /// Whether any model's review came about.
    pub(super) fn is_reviewed_by_models(&self) -> bool {
        let mut reviews = self.jobs.iter().filter(|job| matches!(job.work, Work::Review { .. }));
        reviews.any(|job| job.state == JobState::Done)
    }

    /// Whether the run came to a ranking.
    pub(super) fn is_ranked(&self) -> bool {
        matches!(self.phase, Phase::Over(Outcome::Complete | Outcome::Partial))
    }

    /// Goes on after `idle` milliseconds in which no process carried the run.
    pub(super) fn resumed(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.discard_former(commands);
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

    /// Takes every job up again where the process before left it.
    pub(super) fn go_on(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.closed = false;
        if !matches!(self.phase, Phase::Over(_)) {
            self.clock_from += idle;
        }
        self.closing = None;
        self.problem = None;
        self.ranking = None;
        self.lasting_notes.retain(|note| !note.starts_with(BY_PEOPLE_ALONE));
        self.wake_at = None;
        self.taken = 0;
        self.slots.clear();
        // Back to the beginning of the phase: what is settled carries it on from there at once.
        self.phase = if self.directory.is_some() { Phase::Designing } else { Phase::Naming };
        if !self.is_reviewed() {
            self.forget_presentations();
        }
        commands.push(self.account());
        if self.directory.is_some() {
            self.present_sources(commands);
        }
        let now = self.now;
        let reviewed = self.is_reviewed();
        for index in 0..self.jobs.len() {
            let asked_again = self.is_asked_again(&self.jobs[index]);
            let job = &mut self.jobs[index];
            if !job.state.is_settled() {
                job.ledger.first_asked_at = job.ledger.first_asked_at.map(|at| at + idle);
            }
            match job.state {
                JobState::Asking { since } | JobState::Recovering { since } => {
                    if let Some(ask) = job.asked.clone() {
                        job.state = JobState::Recovering { since };
                        commands.push(Command::Recover { ask, since });
                    } else {
                        job.forget_prompt();
                    }
                }
                JobState::Opening | JobState::Pausing { .. } => {
                    job.tries = 0;
                    job.forget_prompt();
                }
                JobState::Failed(_) if asked_again => {
                    if reviewed && matches!(job.work, Work::Design(_)) {
                        self.late.push(job.id.clone());
                    }
                    job.begin_afresh();
                    job.state = JobState::Ready;
                    job.tries = 0;
                    job.repairs = 0;
                    // The time since it failed is no time of its own.
                    let since = job.ledger.settled_at.take().map_or(0, |at| now.saturating_sub(at));
                    job.ledger.first_asked_at = job.ledger.first_asked_at.map(|at| at + since);
                }
                JobState::Ready | JobState::Done | JobState::Failed(_) => {}
            }
        }
        self.retrying = false;
    }

    /// Whether anything failed that can be asked again.
    pub(super) fn has_failed(&self) -> bool {
        self.jobs.iter().any(|job| matches!(job.state, JobState::Failed(_)) && job.work != Work::Topic)
    }

    /// What is asked again, in a sentence; none where nothing is.
    pub(super) fn account_of_retrial(&self) -> Option<String> {
        let again = || self.jobs.iter().filter(|job| self.is_asked_again(job));
        let names: Vec<String> = again()
            .filter_map(|job| match job.work {
                Work::Topic => None,
                Work::Design(_) => Some(format!("the design by {}", job.label())),
                Work::Review { .. } => Some(format!("the review by {}", job.label())),
            })
            .collect();
        if names.is_empty() {
            return None;
        }
        let mut account = format!("Asked again: {}.", names.join(", "));
        if self.is_reviewed() && again().any(|job| matches!(job.work, Work::Design(_))) {
            let reviewers = match self.opening.config.review_models.len() {
                1 => "the reviewer reads".to_owned(),
                count => format!("all {count} reviewers read"),
            };
            let _ = write!(
                account,
                " Once such a design is there, {reviewers} and score the designs afresh, for they did it without that one; what \
                 they gave is kept in {FORMER}/{}. If it fails again, their reviews stand.",
                self.changes + 1
            );
        }
        Some(account)
    }

    /// Whether a design is there that reviewers should have seen, and have not.
    pub(super) fn is_review_outdated(&self) -> bool {
        self.jobs.iter().any(|job| job.state == JobState::Done && self.late.contains(&job.id))
    }

    pub(super) fn is_review_in_flight(&self) -> bool {
        self.jobs.iter().any(|job| matches!(job.work, Work::Review { .. }) && job.state.is_in_flight())
    }

    /// Puts the reviews aside that were made without a design which is there now: scores hold among the designs that were read
    /// beside one another.
    pub(super) fn review_afresh(&mut self, commands: &mut Vec<Command>) {
        let mut before = results::current(self);
        for (path, text) in std::mem::take(&mut self.superseded) {
            if before.iter().all(|(known, _)| *known != path) {
                before.push((path, text));
            }
        }
        self.changes += 1;
        let (reviews, others): (Vec<Job>, Vec<Job>) = std::mem::take(&mut self.jobs)
            .into_iter()
            .partition(|job| matches!(job.work, Work::Review { .. }));
        self.retired.extend(reviews);
        self.jobs = others;
        let planned = plan::jobs(&self.opening.config, self.opening.basis.as_ref());
        self.jobs.extend(planned.into_iter().filter(|job| matches!(job.work, Work::Review { .. })));
        self.forget_presentations();
        self.file_away(before, commands);
    }

    /// Says what is there already.
    fn account(&self) -> Command {
        let count = |of: fn(Work) -> bool| {
            let jobs = || self.jobs.iter().filter(move |job| of(job.work));
            format!("{} of {}", jobs().filter(|job| job.state == JobState::Done).count(), jobs().count())
        };
        let designs = count(|work| matches!(work, Work::Design(_)));
        let reviews = count(|work| matches!(work, Work::Review { .. }));
        let message = format!("Going on: {designs} designs and {reviews} reviews are there");
        Command::Notify { tone: Tone::Info, message, toast: true }
    }

    /// Forgets how reviewers are to see the designs.
    pub(super) fn forget_presentations(&mut self) {
        self.presented.retain(|job, _| !is_review(job));
    }

    /// Whether it is settled how reviewers see the designs.
    pub(super) fn is_presented(&self) -> bool {
        self.presented.keys().any(|job| is_review(job))
    }

    /// Whether any reviewer has been asked: it was shown the designs there were.
    fn is_reviewed(&self) -> bool {
        let mut reviews = self.jobs.iter().filter(|job| matches!(job.work, Work::Review { .. }));
        reviews.any(|job| job.ledger.prompts > 0)
    }

    /// Whether a job that failed gets another chance. Once reviewers have seen the designs there were, a design that
    /// failed stays out of this ranking unless the user wants it asked again; and a run that has its name needs no other.
    fn is_asked_again(&self, job: &Job) -> bool {
        let wanted = match job.work {
            Work::Topic => self.directory.is_none(),
            Work::Design(_) => self.retrying || !self.is_reviewed(),
            Work::Review { .. } => true,
        };
        wanted && matches!(job.state, JobState::Failed(_))
    }

    /// The prompt that was on its way is lost with its process: it is asked again, and doesn't count as a try.
    pub(super) fn not_recovered(&mut self, index: usize, failure: &CallFailure) {
        let job = &mut self.jobs[index];
        job.ledger.cost += failure.cost;
        job.ledger.tokens += failure.tokens;
        job.ledger.prompts = job.ledger.prompts.saturating_sub(1);
        job.tries = 0;
        job.asked = None;
        if retry::remedy(failure) == Remedy::TryAfresh {
            job.begin_afresh();
        }
        job.forget_prompt();
    }
}

fn is_review(job: &str) -> bool {
    job.starts_with("review:")
}
