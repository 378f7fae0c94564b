//! The schemas of Design Lab as validators.

pub use crate::shared::schema::{DocumentCode, DocumentKind, Fault};
pub(crate) use crate::shared::schema::{
    allowed, child, number, place, quote, shorten, sort_problems, type_of,
};

use crate::shared::schema::problems;
use kernel::problem::Problem;
use kernel::slug::slug;
use serde_json::Value;

/// The schema of a configuration file.
#[jsonschema::validator(
    path = "schemas/design-lab/config.json",
    validate_formats = true,
    formats = {
        "model-name" => crate::design_lab::schema::is_model_name,
        "slug" => crate::design_lab::schema::is_slug,
        "dimension-name" => crate::design_lab::schema::is_dimension_name,
    }
)]
struct ConfigSchema;

/// The schema of a design as a model returns it.
#[jsonschema::validator(path = "schemas/design-lab/design-reply.json")]
struct DesignSchema;

/// The schema of evaluations as a model returns them, whatever the rubric.
#[jsonschema::validator(path = "schemas/design-lab/review-reply.json")]
struct ReviewSchema;

const CONFIG: &str = include_str!("../../schemas/design-lab/config.json");
const DESIGN_REPLY: &str = include_str!("../../schemas/design-lab/design-reply.json");
const REVIEW_REPLY: &str = include_str!("../../schemas/design-lab/review-reply.json");

/// Returns the problems of a design.
pub(crate) fn design_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Design, DesignSchema::iter_errors(value), DESIGN_REPLY)
}

/// Returns the structural problems of evaluations. They ask for what the form asks for: code takes `quotes` from the weaknesses.
pub(crate) fn review_problems(value: &Value) -> Vec<Problem> {
    let mut problems = problems(DocumentKind::Review, ReviewSchema::iter_errors(value), REVIEW_REPLY);
    for allowed in problems.iter_mut().filter_map(|problem| problem.allowed.as_mut()) {
        *allowed = allowed.replace(", `quotes`", "");
    }
    problems
}

/// Returns the problems of a configuration file.
pub(crate) fn config_problems(value: &Value) -> Vec<Problem> {
    let mut problems = problems(DocumentKind::Config, ConfigSchema::iter_errors(value), CONFIG);
    problems.retain_mut(|problem| {
        let found = problem.found.as_deref().unwrap_or_default().trim_matches('"');
        let is_model = problem.allowed.as_deref().is_some_and(|allowed| allowed.contains("provider/model"));
        if !is_model || !PERSON.iter().any(|word| found.eq_ignore_ascii_case(word)) {
            return true;
        }
        let reviews =
            problem.pointer.as_deref().is_some_and(|pointer| pointer.starts_with("/review_models/"));
        if reviews && found == HUMAN {
            // The one reviewer that is no model.
            return false;
        }
        let subject = place(problem.pointer.as_deref().unwrap_or_default());
        problem.message = if reviews {
            format!("{subject} names a person, but not as \"{HUMAN}\".")
        } else {
            format!("{subject} names a person, not a model.")
        };
        if reviews {
            problem.allowed = Some(format!("a model as \"provider/model\", or \"{HUMAN}\" for a person"));
        }
        problem.next = Some(format!(
            "Enter a person as \"{HUMAN}\" in `review_models`, or make a form with /design-lab-review \
             --human NAME once a run is finished."
        ));
        true
    });
    problems
}

/// The entry of a person, instead of a model, in `review_models`.
pub(crate) const HUMAN: &str = "human";
/// The words that users write for a reviewer that isn't a model.
const PERSON: [&str; 4] = [HUMAN, "person", "me", "user"];

/// Whether a text has the form `provider/model`, neither part empty; the model part may contain further slashes.
pub(crate) fn is_model_name(text: &str) -> bool {
    text.split_once('/').is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty())
        && !text.contains(char::is_whitespace)
        && !text.ends_with('/')
}

/// Whether `kernel::slug` leaves a text unchanged.
pub(crate) fn is_slug(text: &str) -> bool {
    !text.is_empty() && slug(text, 60) == text
}

/// Whether a text has only lower-case ASCII letters, digits, `_` and `-`, starts with a letter, and has at most 40
/// characters.
pub(crate) fn is_dimension_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 40
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

#[cfg(test)]
mod tests;
