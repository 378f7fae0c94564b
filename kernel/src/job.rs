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
    /// What the workflow keeps of it.
    pub part: W::Part,
    /// How far it is.
    pub state: JobState,
    /// What is to be asked next, or is being asked.
    pub turn: W::Turn,
    /// The session that holds the conversation so far.
    pub session: Option<String>,
    /// Whether that session holds an answer that later turns build on.
    pub in_conversation: bool,
    /// Failed tries of the present prompt.
    pub tries: u32,
    /// Repair prompts used in the present turn.
    pub repairs: u32,
    /// The repair prompt to send instead of the turn's own.
    pub repair_prompt: Option<String>,
    /// What it has cost so far.
    pub ledger: Ledger,
    /// What the prompt on its way is expected to use.
    pub reserved: Estimate,
    /// The prompt on its way, to be found again after a crash.
    pub asked: Option<AskOf<W>>,
    /// The last answer as it came.
    pub last_text: String,
    /// The last answer with any text that could not be used, as it came: kept for the user when the job fails.
    pub rejected: Option<String>,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    /// Waits for a free place among the concurrent calls.
    Ready,
    /// A session is being opened.
    Opening,
    /// A prompt is on its way, since then by the shell's clock.
    Asking {
        /// Milliseconds since 1970-01-01 UTC.
        since: u64,
    },
    /// A prompt was on its way when the process ended: its answer is being looked for.
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
    /// Whether the shell owes an answer.
    pub fn is_in_flight(&self) -> bool {
        self.is_calling() || *self == Self::Opening
    }

    /// Whether a prompt may be costing something.
    pub fn is_calling(&self) -> bool {
        matches!(self, Self::Asking { .. } | Self::Recovering { .. })
    }

    /// Whether nothing more is asked.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }
}

/// No call takes longer than a day: a clock that says so was set.
const LONGEST_CALL_MS: u64 = 86_400_000;

/// What a job has cost so far, failed calls included.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Prompts sent, repairs and further tries included.
    pub prompts: u32,
    /// Requests that providers were sent for them.
    pub(crate) requests: u32,
    /// The temperature of the latest prompt; `None` before the first.
    pub temperature: Option<f64>,
    /// US dollars.
    pub cost: f64,
    /// Tokens of every kind.
    pub tokens: Tokens,
    /// Of these, tokens of answers that broke off: a guess, from which no other is to be made.
    pub(crate) guessed: u64,
    /// When it was first asked, by the run's clock.
    pub first_asked_at: Option<u64>,
    /// When it was settled, by the run's clock.
    pub settled_at: Option<u64>,
    /// Answers that could not be used as they came.
    pub unusable: u32,
    /// Calls that brought no answer.
    pub failures: u32,
    /// Milliseconds in which a prompt was on its way, as far as one process saw both its ends.
    pub busy_ms: u64,
    /// The model as the provider named it.
    pub model_version: String,
    /// Every session that it was given, the latest last.
    pub sessions: Vec<String>,
    /// The largest prompt that it was asked with, in tokens as the provider reported.
    pub(crate) largest_prompt: u64,
}

impl Ledger {
    /// Adds the time that a prompt was on its way, by the shell's clock.
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

/// Whom a job asks, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CallSettings<'a> {
    /// `provider/model`.
    pub model: &'a str,
    /// The temperature to ask for.
    pub temperature: f64,
    /// The provider's variant.
    pub variant: Option<&'a str>,
}

impl CallSettings<'_> {
    /// The provider that answers for the model.
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

    /// The prompt on its way brought nothing, as if it had never been asked. A session that holds no answer yet is left
    /// behind: the prompt may linger in it, half answered.
    pub fn forget_prompt(&mut self) {
        if !self.in_conversation {
            self.session = None;
        }
        self.state = JobState::Ready;
    }

    /// What its model was told last.
    pub fn prompt_text(&self) -> Option<&str> {
        self.asked.as_ref().map(|ask| ask.text.as_str())
    }

    /// Leaves the session behind: the next prompt has to stand on its own.
    pub fn begin_afresh(&mut self) {
        self.session = None;
        self.in_conversation = false;
        self.repair_prompt = None;
    }

    /// Nothing more is asked from this moment of the run's clock on.
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
