//! When OpenCode may replace a lab session's conversation with a summary.

use crate::design_lab::prompts::Role;

/// Whether the model may summarise its conversation and continue from that, as OpenCode 1.18 makes it do once an answer has
/// filled the context (seen on 1.18.33), at the user's cost. `steps` are the finish reasons of its answers to the last prompt,
/// oldest first; `None` when one was never written.
///
/// Only a designer that has been reading may: what it read is too much for its context, and its next step has to be asked for
/// anyway. After a final answer there is nothing to continue, a lab's prompt that doesn't fit can't be answered from what is left
/// of it, and a reviewer would judge a summary.
pub fn may_compact(role: Role, steps: &[Option<String>]) -> bool {
    let reads = |step: &Option<String>| step.as_deref() == Some("tool-calls");
    let goes_on = steps.last().is_some_and(|last| last.is_none() || reads(last));
    role == Role::Designer && goes_on && steps.iter().any(reads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_designer_that_is_reading_continues_from_a_summary() {
        let steps = |steps: &[&str]| -> Vec<Option<String>> {
            steps.iter().map(|step| (!step.is_empty()).then(|| (*step).to_owned())).collect()
        };
        let cases = [
            (Role::Designer, steps(&["tool-calls"]), true),
            (Role::Designer, steps(&["tool-calls", "tool-calls"]), true),
            // The provider refused the step after the reading.
            (Role::Designer, steps(&["tool-calls", ""]), true),
            (Role::Designer, steps(&["tool-calls", "stop"]), false),
            (Role::Designer, steps(&["stop"]), false),
            (Role::Designer, steps(&["length"]), false),
            // The provider refused the prompt itself, or the conversation before it fills the context.
            (Role::Designer, steps(&[""]), false),
            (Role::Designer, steps(&[]), false),
            (Role::Reviewer, steps(&["tool-calls"]), false),
            (Role::Reviewer, steps(&["stop"]), false),
            (Role::Topic, steps(&["tool-calls"]), false),
        ];
        for (role, steps, may) in cases {
            assert_eq!(may_compact(role, &steps), may, "{role:?} {steps:?}");
        }
    }
}
