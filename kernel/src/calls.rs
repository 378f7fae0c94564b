//! The jobs of a run, its clock, and what they have cost.

use crate::budget::{Estimate, Spent};
use crate::job::{Job, JobState};
use crate::protocol::Command;
use crate::protocol::JobId;
use crate::tokens::Tokens;
use crate::workflow::{CommandOf, Workflow};
use std::collections::BTreeMap;

/// The jobs of a run.
#[derive(Clone, Debug)]
pub struct Calls<W: Workflow> {
    /// In the order in which they start.
    pub jobs: Vec<Job<W>>,
    /// Jobs that left the run when its configuration changed: their cost has been paid.
    pub retired: Vec<Job<W>>,
    /// The run's own time.
    pub clock: RunClock,
    /// Why nothing more may be asked, in words.
    pub closing: Option<String>,
    /// How many concurrent calls a struggling provider gets; absent if only the limit of all calls applies.
    pub(crate) slots: BTreeMap<String, u32>,
    pub(crate) wake_at: Option<u64>,
    /// Models whose server seems to truncate prompts: the user has been notified.
    pub(crate) cut: Vec<String>,
}

/// The run's own time: it never goes backwards, whatever the shell's clock does.
#[derive(Clone, Copy, Debug)]
pub struct RunClock {
    /// When the run was opened.
    pub began: u64,
    /// When it began, moved later by the time that it was idle between two processes.
    pub from: u64,
    /// When it was opened, plus the time since.
    pub now: u64,
    /// The shell's clock at the latest event. It may be set back or forward between two events.
    pub reported_at: u64,
}

/// If the clock jumps further between two events, it was wrong: ten years.
const LONGEST_IDLE_MS: u64 = 315_360_000_000;
/// The latest possible date, which is JavaScript's. Milliseconds since 1970-01-01 UTC.
pub const LATEST: u64 = 8_640_000_000_000_000;

impl RunClock {
    /// A clock that starts at this moment of the shell's clock.
    pub fn new(at: u64) -> Self {
        let began = at.min(LATEST);
        Self { began, from: began, now: began, reported_at: at }
    }

    /// Milliseconds from the latest event to a moment by the shell's clock; 0 when that clock can't be right.
    pub fn passed_by(&self, at: u64) -> u64 {
        Some(at.saturating_sub(self.reported_at)).filter(|passed| *passed <= LONGEST_IDLE_MS).unwrap_or(0)
    }

    /// The run's own time at a moment by the shell's clock.
    pub fn moment(&self, at: u64) -> u64 {
        self.now + self.passed_by(at)
    }
}

impl<W: Workflow> Calls<W> {
    /// The jobs of a run that is opened at this moment.
    pub fn new(jobs: Vec<Job<W>>, at: u64) -> Self {
        Self {
            jobs,
            retired: Vec::new(),
            clock: RunClock::new(at),
            closing: None,
            slots: BTreeMap::new(),
            wake_at: None,
            cut: Vec::new(),
        }
    }

    /// The job with that id.
    pub fn job(&mut self, id: &JobId) -> Option<&mut Job<W>> {
        self.jobs.iter_mut().find(|job| job.id == *id)
    }

    /// Whether every job that matches is settled.
    pub fn settled(&self, of: impl Fn(&Job<W>) -> bool) -> bool {
        self.jobs.iter().filter(|job| of(job)).all(|job| job.state.is_settled())
    }

    /// The job with that id, if an answer to it is expected.
    pub(crate) fn asking(&self, id: &JobId) -> Option<usize> {
        self.jobs.iter().position(|job| job.id == *id && job.state.is_in_flight())
    }

    /// US dollars and tokens so far, including failed and repeated calls and retired jobs.
    pub fn spent(&self) -> (f64, Tokens) {
        self.jobs.iter().chain(&self.retired).fold((0.0, Tokens::default()), |(cost, mut tokens), job| {
            tokens += job.ledger.tokens;
            (cost + job.ledger.cost, tokens)
        })
    }

    /// The usage that counts towards the budget.
    pub(crate) fn used(&self) -> Spent {
        let (cost, tokens) = self.spent();
        let prompts = self.jobs.iter().chain(&self.retired).map(|job| job.ledger.prompts);
        let calling = self.jobs.iter().filter(|job| job.state.is_calling()).map(|_| 1);
        let requests = calling.fold(self.requests(), u32::saturating_add);
        Spent { cost, tokens: tokens.total(), calls: prompts.fold(0, u32::saturating_add), requests }
    }

    /// Requests made by calls that have returned.
    pub(crate) fn requests(&self) -> u32 {
        let made = self.jobs.iter().chain(&self.retired).map(|job| job.ledger.requests);
        made.fold(0, u32::saturating_add)
    }

    pub(crate) fn reserved(&self) -> Estimate {
        let asking = self.jobs.iter().filter(|job| job.state.is_calling());
        asking.fold(Estimate::default(), |sum, job| Estimate {
            cost: sum.cost + job.reserved.cost,
            tokens: sum.tokens + job.reserved.tokens,
        })
    }

    /// Forgets what applied only while the previous process was running the run.
    pub fn begin_again(&mut self) {
        self.closing = None;
        self.wake_at = None;
        self.slots.clear();
    }

    /// Resumes every job where the previous process left it. `again` decides for each failed job whether it is asked again;
    /// `idle` is the time in milliseconds without a process.
    pub fn take_up(&mut self, idle: u64, again: &dyn Fn(&JobId) -> bool, commands: &mut Vec<CommandOf<W>>) {
        let now = self.clock.now;
        for job in &mut self.jobs {
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
                JobState::Failed(_) if again(&job.id) => {
                    job.begin_afresh();
                    job.state = JobState::Ready;
                    job.tries = 0;
                    job.repairs = 0;
                    // The time since it failed doesn't count as its own.
                    let since = job.ledger.settled_at.take().map_or(0, |at| now.saturating_sub(at));
                    job.ledger.first_asked_at = job.ledger.first_asked_at.map(|at| at + since);
                }
                JobState::Ready | JobState::Done | JobState::Failed(_) => {}
            }
        }
    }

    /// The remaining time of the jobs in milliseconds, if each takes about as long as the finished ones, side by side. `None`
    /// before one is done.
    pub fn expected_ms(&self, of: impl Fn(&Job<W>) -> bool, concurrency: u32, now: u64) -> Option<u64> {
        let jobs = || self.jobs.iter().filter(|job| of(job));
        let done: Vec<u64> =
            jobs().filter(|job| job.state == JobState::Done).map(|job| job.duration_ms(now)).collect();
        let usual = done.iter().sum::<u64>().checked_div(done.len() as u64)?;
        let left: Vec<u64> = jobs()
            .filter(|job| !job.state.is_settled())
            .map(|job| usual.saturating_sub(job.duration_ms(now)))
            .collect();
        let side_by_side = u64::from(concurrency).min(left.len() as u64).max(1);
        let longest = left.iter().max().copied()?;
        Some((left.iter().sum::<u64>() / side_by_side).max(longest))
    }
}

/// Stops whatever the job's session is doing.
pub fn abort<W: Workflow>(job: &Job<W>) -> Option<CommandOf<W>> {
    Some(Command::Abort { job: job.id.clone(), session: job.session.clone()? })
}
