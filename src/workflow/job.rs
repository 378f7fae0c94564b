//! A job: one conversation with one model, from its first prompt to an accepted product or a failure.

use super::budget::Estimate;
use super::protocol::{Ask, JobId, Role};
use super::reason::Reason;
use crate::artefacts::{ComparisonVerdict, Design, Evaluation, Provenance, Tokens};
use crate::config::ModelEntry;
use crate::prompts::Form;

/// A conversation with one model.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub(super) id: JobId,
    pub(super) work: Work,
    /// The model asked, and how.
    pub(super) model: ModelEntry,
    pub(super) state: JobState,
    /// What is to be asked next, or is being asked.
    pub(super) turn: Turn,
    /// The session that holds the conversation so far.
    pub(super) session: Option<String>,
    /// Whether that session holds an answer that later turns build on.
    pub(super) in_conversation: bool,
    /// Failed tries of the present prompt.
    pub(super) tries: u32,
    /// Repair prompts used in the present turn.
    pub(super) repairs: u32,
    /// The repair prompt to send instead of the turn's own.
    pub(super) repair_prompt: Option<String>,
    /// What has been accepted so far.
    pub(super) product: Product,
    pub(super) ledger: Ledger,
    /// What the prompt on its way is expected to use.
    pub(super) reserved: Estimate,
    /// The prompt on its way, to be found again after a crash.
    pub(super) asked: Option<Ask>,
    /// The last answer as it came.
    pub(super) last_text: String,
    /// The last answer with any text that could not be used, as it came: kept for the user when the job fails.
    pub(super) rejected: Option<String>,
}

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Naming the run.
    Topic,
    /// The design of this entry of `design_models`.
    Design(usize),
    /// The review by this entry of `review_models`; in pairwise mode one comparison of two designs.
    Review { reviewer: usize, repeat: u32 },
}

/// The prompts that a job may be at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A short name.
    Topic,
    /// A design as JSON.
    Design,
    /// The next version of a design as JSON.
    Refine,
    /// A design made of the best parts of several, as JSON.
    Merge,
    /// A written review.
    Prose,
    /// Scores as JSON.
    Scores,
    /// Which of two designs is better, as JSON.
    Compare,
}

impl Turn {
    /// What the answer should be.
    pub(super) fn form(self) -> Form {
        match self {
            Self::Compare => Form::Comparison,
            Self::Design | Self::Refine | Self::Merge => Form::Design,
            Self::Topic | Self::Prose => Form::Review,
            Self::Scores => Form::Scores,
        }
    }
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JobState {
    /// Waits for a free place among the concurrent calls.
    Ready,
    /// A session is being opened.
    Opening,
    /// A prompt is on its way, since then by the shell's clock.
    Asking { since: u64 },
    /// A prompt was on its way when the process ended: its answer is being looked for.
    Recovering { since: u64 },
    /// Waits before the next try.
    Pausing { until: u64 },
    /// Accepted.
    Done,
    /// Failed for good, with the reason.
    Failed(Reason),
}

impl JobState {
    pub(super) fn is_in_flight(&self) -> bool {
        self.is_calling() || *self == Self::Opening
    }

    /// Whether a prompt may be costing something.
    pub(super) fn is_calling(&self) -> bool {
        matches!(self, Self::Asking { .. } | Self::Recovering { .. })
    }

    pub(super) fn is_settled(&self) -> bool {
        matches!(self, Self::Done | Self::Failed(_))
    }
}

/// What a job has brought so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    pub(super) design: Option<Design>,
    /// Where the design came from, if an earlier run made it.
    pub(super) made_earlier: Option<Provenance>,
    pub(super) prose: Option<String>,
    /// By real design id, in the run's order of designs.
    pub(super) evaluations: Option<Vec<Evaluation>>,
    /// On the two designs in the order shown.
    pub(super) verdict: Option<ComparisonVerdict>,
    /// What extraction repaired in the accepted answer.
    pub(super) repairs: Vec<String>,
}

/// What a job has cost so far, failed calls included.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    pub(super) prompts: u32,
    pub(super) cost: f64,
    pub(super) tokens: Tokens,
    pub(super) first_asked_at: Option<u64>,
    pub(super) settled_at: Option<u64>,
    /// The model as the provider named it.
    pub(super) model_version: String,
}

impl Job {
    pub(super) fn new(id: JobId, work: Work, model: ModelEntry, turn: Turn) -> Self {
        Self {
            id,
            work,
            model,
            state: JobState::Ready,
            turn,
            session: None,
            in_conversation: false,
            tries: 0,
            repairs: 0,
            repair_prompt: None,
            product: Product::default(),
            ledger: Ledger::default(),
            reserved: Estimate::default(),
            asked: None,
            last_text: String::new(),
            rejected: None,
        }
    }

    pub(super) fn role(&self) -> Role {
        match self.work {
            Work::Topic => Role::Topic,
            Work::Design(_) => Role::Designer,
            Work::Review { .. } => Role::Reviewer,
        }
    }

    /// The provider that answers for the model.
    pub(super) fn provider(&self) -> &str {
        self.model.model_id.split('/').next().unwrap_or_default()
    }

    /// What people call it: the entry's id, with the repeat or the comparison's number where there are several.
    pub(super) fn label(&self) -> String {
        match self.work {
            Work::Review { .. } if self.turn == Turn::Compare => {
                format!("{} #{}", self.model.id, self.id.rsplit(':').next().unwrap_or_default())
            }
            Work::Review { repeat, .. } if repeat > 0 => format!("{} #{}", self.model.id, repeat + 1),
            _ => self.model.id.clone(),
        }
    }

    /// The prompt on its way brought nothing, as if it had never been asked. A session that holds no answer yet is left
    /// behind: the prompt may linger in it, half answered.
    pub(super) fn forget_prompt(&mut self) {
        if !self.in_conversation {
            self.session = None;
        }
        self.state = JobState::Ready;
    }

    /// Leaves the session behind: the next prompt has to stand on its own.
    pub(super) fn begin_afresh(&mut self) {
        self.session = None;
        self.in_conversation = false;
        self.repair_prompt = None;
    }

    pub(super) fn settle(&mut self, state: JobState, at: u64) {
        self.ledger.settled_at = Some(at);
        self.state = state;
    }

    /// Milliseconds from the first prompt to the end, or to `now` while it runs.
    pub(super) fn duration_ms(&self, now: u64) -> u64 {
        let end = self.ledger.settled_at.unwrap_or(now);
        self.ledger.first_asked_at.map_or(0, |start| end.saturating_sub(start))
    }
}
