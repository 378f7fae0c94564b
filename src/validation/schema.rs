//! The schemas of the settings and of models' answers, as validators.

use crate::shared::schema::{DocumentKind, Fault, problems};
use kernel::problem::Problem;
use serde_json::Value;

/// The schema of `.opencode/validation.jsonc`.
#[jsonschema::validator(
    path = "schemas/validation/settings.json",
    validate_formats = true,
    formats = {
        "auto" => crate::validation::schema::is_auto,
        "model-name" => crate::design_lab::schema::is_model_name,
        "slug" => crate::design_lab::schema::is_slug,
    }
)]
struct SettingsSchema;

/// The schema of a verifier's answer.
#[jsonschema::validator(path = "schemas/validation/verification-reply.json")]
struct VerificationSchema;

/// The schema of an analyst's answer.
#[jsonschema::validator(path = "schemas/validation/analysis-reply.json")]
struct AnalysisSchema;

/// The schema of a tester's answer.
#[jsonschema::validator(path = "schemas/validation/suite-reply.json")]
struct SuiteSchema;

const SETTINGS: &str = include_str!("../../schemas/validation/settings.json");
const VERIFICATION: &str = include_str!("../../schemas/validation/verification-reply.json");
const ANALYSIS: &str = include_str!("../../schemas/validation/analysis-reply.json");
const SUITE: &str = include_str!("../../schemas/validation/suite-reply.json");

/// The structural problems of settings.
pub(super) fn settings_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Config, SettingsSchema::iter_errors(value), SETTINGS)
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
    problems(DocumentKind::Verification, VerificationSchema::iter_errors(value), VERIFICATION)
}

/// The structural problems of an analysis.
pub(super) fn analysis_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Analysis, AnalysisSchema::iter_errors(value), ANALYSIS)
}

/// The structural problems of test files.
pub(super) fn suite_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Suite, SuiteSchema::iter_errors(value), SUITE)
}

/// The word for a free port.
pub(crate) fn is_auto(text: &str) -> bool {
    text == "auto"
}
