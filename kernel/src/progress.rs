//! The progress of a run's jobs, as shown to people.

use crate::clock::span;
use crate::figures::thousands;
use crate::job::{Job, JobState};
use crate::json::Deserialize;
use crate::reason::Reason;
use crate::workflow::Workflow;
use serde::Serialize;

/// What the models of a run are doing at a moment: it is displayed and never stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Activity {
    /// The tool that one of them called last, and its purpose; `None` before the first call.
    pub tool: Option<String>,
    /// The files that they have written to, without duplicates.
    pub files: Vec<String>,
    /// The permission that one of them is waiting for; `None` when none waits.
    pub asks: Option<String>,
    /// The output received so far of each call in progress.
    pub calls: Vec<Incoming>,
}

/// The output received so far of a call in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Incoming {
    /// The session that was prompted.
    pub session: String,
    /// Whether nothing has arrived since the prompt.
    pub waiting: bool,
    /// Characters of text and reasoning since the prompt.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub characters: u64,
    /// Milliseconds in which they arrived.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub writing_ms: u64,
}

impl Incoming {
    /// Tokens, estimated from the characters.
    pub fn tokens(&self) -> u64 {
        self.characters.div_ceil(4)
    }

    /// What the model is doing, how much it has written and how fast. `word`: its activity in a word.
    pub fn wording(&self, word: &str) -> String {
        if self.waiting {
            return "waiting for the first token".to_owned();
        }
        if self.characters == 0 {
            return word.to_owned();
        }
        let tokens = self.tokens();
        match tokens.saturating_mul(1_000).checked_div(self.writing_ms).filter(|_| self.writing_ms >= 1_000) {
            Some(speed) => {
                format!("{word} · ~{} tokens · {} tokens/s", thousands(tokens), thousands(speed))
            }
            None => format!("{word} · ~{} tokens", thousands(tokens)),
        }
    }

    /// The same for narrow spaces.
    pub fn short(&self, word: &str) -> String {
        match self.tokens() {
            _ if self.waiting => "no tokens yet".to_owned(),
            0 => word.to_owned(),
            tokens => format!("~{} tokens", thousands(tokens)),
        }
    }
}

/// What the only model of a run is doing, and for how long. `tell`: [`Incoming::wording`] or [`Incoming::short`].
pub fn doing<W: Workflow>(
    job: &Job<W>,
    now: u64,
    calls: &[Incoming],
    tell: fn(&Incoming, &str) -> String,
) -> String {
    match Standing::of(job, "at work", now) {
        Standing::Pausing { seconds, .. } => format!("retries in {seconds} s"),
        Standing::Working(word) => {
            let heard = calls
                .iter()
                .find(|call| job.state.is_calling() && job.session.as_ref() == Some(&call.session));
            let how = heard.map_or_else(|| word.clone(), |call| tell(call, &word));
            format!("{how}, {}", span(job.duration_ms(now)))
        }
        _ => "waiting".to_owned(),
    }
}

/// A model's part in a run.
#[derive(Clone, Debug)]
pub struct Participant {
    /// The workflow's name for it.
    pub name: String,
    /// `provider/model`.
    pub model: String,
    /// Its state.
    pub standing: Standing,
    /// Milliseconds since its first prompt, or until it was done.
    pub duration_ms: u64,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: u64,
    /// Prompts so far, repairs and retries included.
    pub prompts: u32,
    /// The session of the call in progress.
    pub session: Option<String>,
    /// The output received so far of that call, when known.
    pub incoming: Option<Incoming>,
}

/// The state of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Not asked yet.
    Waiting,
    /// At work, with its activity in a word.
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
    /// The combined state of these jobs of one model, at a moment of the run's clock.
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
            session: jobs.iter().find(|job| job.state.is_calling()).and_then(|job| job.session.clone()),
            incoming: None,
        }
    }

    /// Adds the output received so far of its call.
    pub fn hear(&mut self, calls: &[Incoming]) {
        let heard = |session: &String| calls.iter().find(|call| call.session == *session).cloned();
        self.incoming = self.session.as_ref().and_then(heard);
    }

    /// What it is doing, with the output received so far if known. `tell`: [`Incoming::wording`] or [`Incoming::short`].
    pub fn wording(&self, word: &str, tell: fn(&Incoming, &str) -> String) -> String {
        self.incoming.as_ref().map_or_else(|| word.to_owned(), |incoming| tell(incoming, word))
    }
}

impl Standing {
    /// The state of a job at a moment of the run's clock. `turn`: the workflow's word for what the model is doing in it.
    pub fn of<W: Workflow>(job: &Job<W>, turn: &str, now: u64) -> Self {
        match &job.state {
            // A prompt that is lost with its process doesn't count, but its model was asked.
            JobState::Ready if job.ledger.first_asked_at.is_none() => Self::Waiting,
            JobState::Ready | JobState::Opening | JobState::Asking { .. } | JobState::Recovering { .. } => {
                let repairs = job.repair_prompt.is_some();
                Self::Working(if repairs { format!("repair {}", job.repairs) } else { turn.to_owned() })
            }
            JobState::Pausing { until } => {
                Self::Pausing { tries: job.tries, seconds: until.saturating_sub(now).div_ceil(1000) }
            }
            JobState::Done => Self::Done,
            // The reason why nothing more is asked is shown once, for all jobs.
            JobState::Failed(reason) if job.ledger.first_asked_at.is_none() && reason.was_not_asked() => {
                Self::NotAsked
            }
            JobState::Failed(reason) => Self::Failed(reason.clone()),
        }
    }

    /// The same when no process is running the run: no model is at work or waits to be asked.
    #[must_use]
    pub fn at_rest(self) -> Self {
        match self {
            Self::Working(_) | Self::Pausing { .. } => Self::Stopped,
            Self::Waiting => Self::NotAsked,
            Self::Stopped | Self::NotAsked | Self::Done | Self::Failed(_) => self,
        }
    }

    /// A symbol for it, one column wide.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_come_in_is_reported_with_its_speed_once_there_is_one() {
        let call = |waiting, characters, writing_ms| Incoming {
            session: "ses".to_owned(),
            waiting,
            characters,
            writing_ms,
        };
        for (call, wording, short) in [
            (call(true, 0, 0), "waiting for the first token", "no tokens yet"),
            // It calls tools: something arrived, but no text.
            (call(false, 0, 0), "writing", "writing"),
            (call(false, 9, 200), "writing · ~3 tokens", "~3 tokens"),
            (call(false, 1_240, 25_000), "writing · ~310 tokens · 12 tokens/s", "~310 tokens"),
            (
                call(false, u64::MAX, 1_000),
                "writing · ~4,611,686,018,427,387,904 tokens",
                "~4,611,686,018,427,387,904 tokens",
            ),
        ] {
            assert!(call.wording("writing").starts_with(wording), "{call:?}");
            assert_eq!(call.short("writing"), short);
        }
        assert_eq!(call(false, 400, 20_000).wording("reading"), "reading · ~100 tokens · 5 tokens/s");
    }
}
