//! The findings of a validation, as adopted by a session that fixes them.
//!
//! The invariant: each failure and each gap is a requirement of the plan with its own id, so that none of them can be dropped
//! silently. Their details are text from tests and models: they are shown to the planner between delimiters.

use super::plan::Requirement;
use crate::design_lab::anonymity::enclosed;
use crate::validation::protocol::SubjectSource;
use crate::validation::to_fix::ToFix;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;

/// The findings of a validation that a session fixes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFix"))]
pub struct Fix {
    /// The validation's directory.
    pub validation: String,
    /// What it validated, in a few words.
    pub title: String,
    /// Where the validated text came from.
    pub source: SubjectSource,
    /// What is wrong.
    pub faults: Vec<Requirement>,
}

impl Fix {
    /// The parts of a validation that a session adopts.
    pub(super) fn of(found: &ToFix) -> Self {
        let ToFix { run, title, source, faults } = found.clone();
        let faults = faults.into_iter().map(|fault| Requirement { id: fault.id, text: fault.text });
        Self { validation: run, title, source, faults: faults.collect() }
    }

    /// The goal of the session, in Flow's own words except for the title.
    pub(super) fn goal(&self) -> String {
        format!("Fix what {} found: {}", self.validation, visible::line(&self.title))
    }

    /// What is wrong, as a planner reads it.
    pub(super) fn shown(&self) -> String {
        enclosed("found", None, &self.faults)
    }

    /// The command that validates the same criteria again, and what it does.
    pub(super) fn validated_by(&self) -> (String, String) {
        match self.source.validated_by() {
            Some(command) => (command, "Tests all criteria again in a browser.".to_owned()),
            None => (
                "/validate".to_owned(),
                format!(
                    "Tests the result again in a browser. After the command, type the text that {} \
                     validated.",
                    self.validation
                ),
            ),
        }
    }

    /// The Flow session whose criteria were validated.
    pub(super) fn session(&self) -> Option<&str> {
        match &self.source {
            SubjectSource::Flow { session, .. } => Some(session),
            _ => None,
        }
    }
}
