//! How far the jobs of a run are, as people may see it.

use crate::drive::was_not_asked;
use crate::job::{Job, JobState};
use crate::reason::Reason;
use crate::workflow::Workflow;

/// A model's part in a run.
#[derive(Clone, Debug)]
pub struct Participant {
    /// What the workflow calls it.
    pub name: String,
    /// `provider/model`.
    pub model: String,
    /// How far it is.
    pub standing: Standing,
    /// Milliseconds since its first prompt, or until it was done.
    pub duration_ms: u64,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: u64,
    /// Prompts so far, repairs and retries included.
    pub prompts: u32,
}

/// How far a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not asked yet.
    Waiting,
    /// At work, in a word.
    Working(String),
    /// Was at work when the run ended.
    Stopped,
    /// The run ended before it was asked.
    NotAsked,
    /// Waits before another try.
    Pausing {
        /// Failed tries so far.
        tries: u32,
        /// Seconds until the next.
        seconds: u64,
    },
    /// Its answer was accepted.
    Done,
    /// It failed for good, with the reason.
    Failed(Reason),
}

impl Participant {
    /// What these jobs of one model come to together, at a moment of the run's clock.
    pub fn of<W: Workflow>(
        name: String,
        model: String,
        standing: Standing,
        jobs: &[&Job<W>],
        now: u64,
    ) -> Self {
        Self {
            name,
            model,
            standing,
            duration_ms: jobs.iter().map(|job| job.duration_ms(now)).sum(),
            cost: jobs.iter().map(|job| job.ledger.cost).sum(),
            tokens: jobs.iter().map(|job| job.ledger.tokens.total()).sum(),
            prompts: jobs.iter().map(|job| job.ledger.prompts).sum(),
        }
    }
}

impl Standing {
    /// How far a job is at a moment of the run's clock. `turn`: the workflow's word for what the model is doing in it.
    pub fn of<W: Workflow>(job: &Job<W>, turn: &str, now: u64) -> Self {
        match &job.state {
            // A prompt that is lost with its process doesn't count; its model was asked all the same.
            JobState::Ready if job.ledger.first_asked_at.is_none() => Self::Waiting,
            JobState::Ready | JobState::Opening | JobState::Asking { .. } | JobState::Recovering { .. } => {
                let repairs = job.repair_prompt.is_some();
                Self::Working(if repairs { format!("repair {}", job.repairs) } else { turn.to_owned() })
            }
            JobState::Pausing { until } => {
                Self::Pausing { tries: job.tries, seconds: until.saturating_sub(now).div_ceil(1000) }
            }
            JobState::Done => Self::Done,
            // Why nobody is asked any more is told once, for all.
            JobState::Failed(reason) if job.ledger.first_asked_at.is_none() && was_not_asked(reason) => {
                Self::NotAsked
            }
            JobState::Failed(reason) => Self::Failed(reason.clone()),
        }
    }

    /// The same where nobody drives the run on: nobody is at work for it or waits to be asked.
    #[must_use]
    pub fn at_rest(self) -> Self {
        match self {
            Self::Working(_) | Self::Pausing { .. } => Self::Stopped,
            Self::Waiting => Self::NotAsked,
            Self::Stopped | Self::NotAsked | Self::Done | Self::Failed(_) => self,
        }
    }

    /// A sign for it, one column wide.
    pub fn mark(&self) -> &'static str {
        match self {
            Self::Waiting | Self::NotAsked => "·",
            Self::Working(_) => "●",
            Self::Stopped => "○",
            Self::Pausing { .. } => "◌",
            Self::Done => "✓",
            Self::Failed(_) => "✗",
        }
    }
}
