//! What the kernel has to know of a failed call, told by whoever knows the host.

use crate::limits::Deadlines;
use crate::protocol::CallFailure;
use crate::reason::Reason;

/// Knows how a host names its failures.
pub trait Host {
    /// What follows from a failed call.
    fn remedy(failure: &CallFailure) -> Remedy;
    /// Whether a model was at work when the call was stopped: what it had read by then is paid for.
    fn was_stopped(failure: &CallFailure) -> bool;
    /// Whether a failed recovery means that nothing whole came of the prompt. Any other failure is the model's own, and counts.
    fn is_lost(failure: &CallFailure) -> bool;
    /// Whether a prompt that is lost may have reached its model, which then is paid for.
    fn was_sent(failure: &CallFailure) -> bool;
    /// The failure in a sentence: what happened, what to do where that is known, and what the provider said. `smaller`: what
    /// to do about a prompt that is too large.
    fn reason(failure: &CallFailure, deadlines: Deadlines, smaller: &str) -> Reason;
}

/// What follows from a failed call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The answer outgrew the model's limit: ask for a shorter one.
    AskShorter,
    /// Trying again can't help.
    GiveUp,
    /// A content filter stopped the answer: say in neutral words what is asked for.
    Reword,
    /// Trying again may help, in another session: this one is gone.
    TryAfresh,
    /// Trying again may help.
    TryAgain,
}
