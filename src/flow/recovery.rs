//! Refusals and stops, each with a way to continue: what is missing, and a command that can be typed as is.

use super::code::FlowCode;
use kernel::problem::{ErrorCode as _, Problem};
use serde::{Serialize, Serializer};

/// Why something isn't done, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recovery {
    /// The stable, dotted code.
    #[serde(serialize_with = "as_text")]
    pub error_code: FlowCode,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do, in a sentence.
    pub resolution_hint: String,
    /// Where to do it.
    pub recovery_stage: RecoveryStage,
    /// What is needed first, as the end of "it takes …".
    pub prerequisite: String,
    /// A command that can be typed as is.
    pub next_command: String,
}

/// Where something has to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RecoveryStage {
    /// A session has to exist, or to continue.
    Session,
    /// The plan has to be made or changed.
    Plan,
    /// The plan has to be approved.
    Approval,
    /// A feature has to be built.
    Run,
}

impl Recovery {
    pub(super) fn new(code: FlowCode, stage: RecoveryStage, message: impl Into<String>) -> Self {
        Self {
            error_code: code,
            message: message.into(),
            resolution_hint: String::new(),
            recovery_stage: stage,
            prerequisite: String::new(),
            next_command: "/flow-status".to_owned(),
        }
    }

    /// Adds what is needed first.
    #[must_use]
    pub(super) fn takes(mut self, prerequisite: impl Into<String>) -> Self {
        self.prerequisite = prerequisite.into();
        self
    }

    /// Adds what to do, and the command for it.
    #[must_use]
    pub(super) fn next(mut self, hint: impl Into<String>, command: impl Into<String>) -> Self {
        self.resolution_hint = hint.into();
        self.next_command = command.into();
        self
    }
}

impl From<Recovery> for Problem {
    fn from(recovery: Recovery) -> Self {
        let Recovery { error_code, message, resolution_hint, prerequisite, next_command, .. } = recovery;
        let named = resolution_hint.contains(&next_command);
        let next = if named { resolution_hint } else { format!("{resolution_hint} Type: {next_command}") };
        let problem = Self::new(error_code, message).next(next);
        if prerequisite.is_empty() { problem } else { problem.allowed(prerequisite) }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it serialises by reference")]
fn as_text<S: Serializer>(code: &FlowCode, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&code.text())
}
