//! What the kernel has to know about a failed call, supplied by an adapter that knows the host.

use crate::limits::Deadlines;
use crate::protocol::CallFailure;
use crate::reason::Reason;

/// Knows how a host names its failures.
pub trait Host {
    /// What to do after a failed call.
    fn remedy(failure: &CallFailure) -> Remedy;
    /// Whether a model was at work when the call was stopped: what it had read by then has to be paid for.
    fn was_stopped(failure: &CallFailure) -> bool;
    /// Whether a failed recovery means that the prompt has no complete answer. Any other failure is the model's own, and counts.
    fn is_lost(failure: &CallFailure) -> bool;
    /// Whether a lost prompt may have reached its model, and then has to be paid for.
    fn was_sent(failure: &CallFailure) -> bool;
    /// The failure in a sentence: what happened, what to do if that is known, and the provider's message. `smaller`: what to do
    /// about a prompt that is too large.
    fn reason(failure: &CallFailure, deadlines: Deadlines, smaller: &str) -> Reason;
}

/// What to do after a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The answer exceeded the model's limit: ask for a shorter one.
    AskShorter,
    /// Trying again can't help.
    GiveUp,
    /// A content filter stopped the answer: reword the request in neutral terms.
    Reword,
    /// Trying again may help, in another session: this one is gone.
    TryAfresh,
    /// Trying again may help.
    TryAgain,
}
