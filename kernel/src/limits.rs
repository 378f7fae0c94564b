//! The limits on the calls of a run.

use crate::budget::Budget;
use crate::protocol::ModelFacts;

/// The limits on the calls of a run, as configured now.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Concurrent calls.
    pub concurrency: u32,
    /// Concurrent calls to a server on the user's machine.
    pub local_concurrency: u32,
    /// How long a call may take.
    pub deadlines: Deadlines,
    /// Milliseconds that the run may take; `None` when it has no limit.
    pub run_ms: Option<u64>,
    /// Retries of a failed call.
    pub tries: u32,
    /// Repair prompts per turn.
    pub repairs: u32,
    /// The lowest temperature of a repair prompt.
    pub repair_temperature: f64,
    /// What the run may cost.
    pub budget: Budget,
    /// What models cost.
    pub models: &'a [ModelFacts],
    /// The seed of the jitter of pauses.
    pub seed: u64,
}

/// How long a call may take, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// From its prompt to its answer.
    pub call_ms: u64,
    /// While its model is being asked and writes nothing.
    pub idle_ms: u64,
}

impl Deadlines {
    /// The default limit on a call's silence: a slow machine reads a long prompt for minutes before it writes the first word.
    pub const IDLE_MS: u64 = 600_000;
}
