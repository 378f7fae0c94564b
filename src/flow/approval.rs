//! Approval by hash: the user types the hash of the plan that was shown, so the approved plan is the one that was seen.

use super::plan::Plan;
use super::protocol::Approver;
pub(super) use crate::shared::typed_hash::{SHORT, is_typed, short};
use kernel::digest::sha256;
use serde::Serialize;

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
    }
}
