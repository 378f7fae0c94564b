//! What bounds the calls of a run.

use crate::budget::Budget;
use crate::protocol::ModelFacts;

/// What bounds the calls of a run, as configured now.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Calls at once.
    pub concurrency: u32,
    /// Calls at once to a server on the user's machine.
    pub local_concurrency: u32,
    /// How long a call may take.
    pub deadlines: Deadlines,
    /// Milliseconds that the run may take; `None` when it has no limit.
    pub run_ms: Option<u64>,
    /// Further tries of a call that failed.
    pub tries: u32,
    /// Repair prompts a turn.
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
    /// While its model is asked and writes nothing.
    pub idle_ms: u64,
}

impl Deadlines {
    /// The silence that a call may have unless somebody says otherwise: a slow machine reads a long prompt for minutes before it
    /// writes the first word.
    pub const IDLE_MS: u64 = 600_000;
}
