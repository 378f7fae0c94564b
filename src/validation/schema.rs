//! What is wrong with the settings and with models' answers, by their schemas.

use crate::shared::schema::{DocumentKind, Fault, problems};
use design_lab_derive::schema;
use kernel::problem::Problem;
use serde_json::Value;

const SETTINGS: &str = schema!("schemas/validation/settings.json");
const VERIFICATION: &str = schema!("schemas/validation/verification-reply.json");
const ANALYSIS: &str = schema!("schemas/validation/analysis-reply.json");
const SUITE: &str = schema!("schemas/validation/suite-reply.json");

/// The structural problems of settings.
pub(super) fn settings_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Config, value, SETTINGS)
}

/// The same for settings that need not name a server.
pub(super) fn settings_problems_but_servers(value: &Value) -> Vec<Problem> {
    let is_missing = |problem: &Problem| {
        problem.code == DocumentKind::Config.code(Fault::MissingField)
            && problem.pointer.as_deref() == Some("/servers")
    };
    let mut problems = settings_problems(value);
    problems.retain(|problem| !is_missing(problem));
    problems
}

/// The structural problems of a verification.
pub(super) fn verification_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Verification, value, VERIFICATION)
}

/// The structural problems of an analysis.
pub(super) fn analysis_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Analysis, value, ANALYSIS)
}

/// The structural problems of test files.
pub(super) fn suite_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Suite, value, SUITE)
}
