//! A job: one conversation with one model, from its first prompt to an accepted product or a failure.

use crate::budget::Estimate;
use crate::protocol::JobId;
use crate::reason::Reason;
use crate::tokens::Tokens;
use crate::workflow::{AskOf, Workflow};

/// A conversation with one model.
#[derive(Clone, Debug)]
pub struct Job<W: Workflow> {
    /// Its id within the run.
    pub id: JobId,
    /// The workflow's data about it.
    pub part: W::Part,
    /// Its state.
    pub state: JobState,
    /// The turn to ask next, or being asked.
    pub turn: W::Turn,
    /// The session that holds the conversation so far.
    pub session: Option<String>,
    /// Whether that session holds an answer that later turns build on.
    pub in_conversation: bool,
    /// Failed tries of the current prompt.
    pub tries: u32,
    /// Repair prompts used in the current turn.
    pub repairs: u32,
    /// The repair prompt to send instead of the turn's own.
    pub repair_prompt: Option<String>,
    /// What it has cost so far.
    pub ledger: Ledger,
    /// What the prompt in flight is expected to use.
    pub reserved: Estimate,
    /// The prompt in flight, to be recovered after a crash.
    pub asked: Option<AskOf<W>>,
    /// The last answer, unchanged.
    pub last_text: String,
    /// The last answer with any text that could not be used, unchanged: kept for the user when the job fails.
    pub rejected: Option<String>,
}

/// The state of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    /// Waits for a free slot among the concurrent calls.
    Ready,
    /// A session is being opened.
    Opening,
    /// A prompt has been in flight since this moment by the shell's clock.
    Asking {
        /// Milliseconds since 1970-01-01 UTC.
        since: u64,
    },
    /// A prompt was in flight when the process ended: its answer is being looked for.
    Recovering {
        /// Milliseconds since 1970-01-01 UTC.
        since: u64,
    },
    /// Waits before the next try.
    Pausing {
        /// By the run's clock.
        until: u64,
    },
    /// Accepted.
    Done,
    /// Failed for good, with the reason.
    Failed(Reason),
}

impl JobState {
    /// Whether the shell still has to answer.
    pub fn is_in_flight(&self) -> bool {
        self.is_calling() || *self == Self::Opening
    }

    /// Whether a prompt may be costing something.
    pub fn is_calling(&self) -> bool {
        matches!(self, Self::Asking { .. } | Self::Recovering { .. })
    }

    /// Whether nothing more will be asked.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }
}

/// No call takes longer than a day: a longer one means that the clock was changed.
const LONGEST_CALL_MS: u64 = 86_400_000;

/// What a job has cost so far, failed calls included.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Prompts sent, including repairs and retries.
    pub prompts: u32,
    /// Requests sent to providers for them.
    pub(crate) requests: u32,
    /// The temperature of the latest prompt; `None` before the first.
    pub temperature: Option<f64>,
    /// US dollars.
    pub cost: f64,
    /// Tokens of every kind.
    pub tokens: Tokens,
    /// Those of the tokens that were estimated for answers that broke off: not a basis for further estimates.
    pub(crate) guessed: u64,
    /// When it was first asked, by the run's clock.
    pub first_asked_at: Option<u64>,
    /// When it was settled, by the run's clock.
    pub settled_at: Option<u64>,
    /// Answers that could not be used as they came.
    pub unusable: u32,
    /// Calls that returned no answer.
    pub failures: u32,
    /// Milliseconds in which a prompt was in flight, if one process saw both its start and its end.
    pub busy_ms: u64,
    /// The model's name as the provider reported it.
    pub model_version: String,
    /// Every session that it was given, the latest last.
    pub sessions: Vec<String>,
    /// Its largest prompt, in tokens as the provider reported them.
    pub(crate) largest_prompt: u64,
}

impl Ledger {
    /// Adds the time that a prompt was in flight, by the shell's clock.
    pub(crate) fn was_busy(&mut self, state: &JobState, until: u64) {
        if let JobState::Asking { since } = state {
            self.busy_ms = self.busy_ms.saturating_add(until.saturating_sub(*since).min(LONGEST_CALL_MS));
        }
    }

    /// Adds requests.
    pub(crate) fn made(&mut self, requests: u32) {
        self.requests = self.requests.saturating_add(requests);
    }

    /// Adds US dollars and tokens.
    pub(crate) fn spend(&mut self, (cost, tokens): (f64, Tokens)) {
        self.cost += cost;
        self.tokens += tokens;
    }
}

/// Which model a job asks, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallSettings<'a> {
    /// `provider/model`.
    pub model: &'a str,
    /// The temperature to request.
    pub temperature: f64,
    /// The provider's variant.
    pub variant: Option<&'a str>,
}

impl CallSettings<'_> {
    /// The provider that serves the model.
    pub fn provider(&self) -> &str {
        self.model.split('/').next().unwrap_or_default()
    }
}

impl<W: Workflow> Job<W> {
    /// A job that has not been asked yet.
    pub fn new(id: JobId, turn: W::Turn, part: W::Part) -> Self {
        Self {
            id,
            part,
            state: JobState::Ready,
            turn,
            session: None,
            in_conversation: false,
            tries: 0,
            repairs: 0,
            repair_prompt: None,
            ledger: Ledger::default(),
            reserved: Estimate::default(),
            asked: None,
            last_text: String::new(),
            rejected: None,
        }
    }

    /// Resets the job as if the prompt in flight had never been asked. A session that holds no answer yet is abandoned: the
    /// prompt may linger in it, half answered.
    pub fn forget_prompt(&mut self) {
        if !self.in_conversation {
            self.session = None;
        }
        self.state = JobState::Ready;
    }

    /// The last prompt that its model received.
    pub fn prompt_text(&self) -> Option<&str> {
        self.asked.as_ref().map(|ask| ask.text.as_str())
    }

    /// Abandons the session: the next prompt has to be self-contained.
    pub fn begin_afresh(&mut self) {
        self.session = None;
        self.in_conversation = false;
        self.repair_prompt = None;
    }

    /// Settles the job at this moment of the run's clock: nothing more will be asked.
    pub fn settle(&mut self, state: JobState, at: u64) {
        self.ledger.settled_at = Some(at);
        self.state = state;
    }

    /// Milliseconds from the first prompt to the end, or to `now` while it runs.
    pub fn duration_ms(&self, now: u64) -> u64 {
        let end = self.ledger.settled_at.unwrap_or(now);
        self.ledger.first_asked_at.map_or(0, |start| end.saturating_sub(start))
    }
}
