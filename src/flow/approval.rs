//! Approval by hash: the user types the hash of the plan that was shown, so the approved plan is the one that was seen.

use super::plan::Plan;
use super::protocol::Approver;
use kernel::digest::sha256;
use serde::Serialize;

/// How many digits of a hash are shown, and have to be typed.
pub(super) const SHORT: usize = 8;

/// An approval on record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Approval {
    /// The whole hash of the plan.
    pub(super) hash: String,
    /// Who approved it.
    pub(super) by: Approver,
    /// When, ISO 8601 in UTC.
    pub(super) at: String,
    /// The commands that the user's rules ask about and that this approval permits: program and arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) leave: Vec<Vec<String>>,
}

impl Approval {
    /// Who approved it, in words.
    pub(super) fn words(&self) -> &'static str {
        match self.by {
            Approver::User => "approved by you",
            Approver::Autonomous => "built without approval (/flow-auto)",
        }
    }
}

/// The hash of a plan for a goal, in hex: the same for the same plan, however its planner formatted it.
pub(super) fn hash(goal: &str, plan: &Plan) -> String {
    #[derive(Serialize)]
    struct Shown<'a> {
        goal: &'a str,
        plan: &'a Plan,
    }
    sha256(&serde_json::to_string(&Shown { goal, plan }).unwrap_or_default())
}

/// A hash in the form that is shown and typed.
pub(super) fn short(hash: &str) -> &str {
    hash.get(..SHORT).unwrap_or(hash)
}

/// Whether what was typed matches this hash: its first digits, at least [`SHORT`].
pub(super) fn is_typed(typed: &str, hash: &str) -> bool {
    typed.len() >= SHORT && hash.starts_with(&typed.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::tests::plan;

    #[test]
    fn a_hash_is_that_of_the_plan_and_nothing_else() {
        let one = hash("G", &plan());
        assert_eq!(one.len(), 64);
        assert_eq!(one, hash("G", &plan()));
        assert_ne!(one, hash("H", &plan()));
        let mut other = plan();
        other.features[0].verification[0].timeout_ms += 1;
        assert_ne!(one, hash("G", &other));
        assert!(is_typed(short(&one), &one) && is_typed(&one.to_uppercase(), &one));
        assert!(!is_typed(&one[..7], &one) && !is_typed("", &one) && !is_typed("00000000", &one));
    }
}
