//! What is wrong with configurations, designs and evaluations, by their schemas.

pub use crate::shared::schema::{DocumentCode, DocumentKind, Fault};
pub(crate) use crate::shared::schema::{
    allowed, child, is_dimension_name, is_model_name, number, place, quote, shorten, sort_problems, type_of,
};

use crate::shared::schema::problems;
use design_lab_derive::schema;
use kernel::problem::Problem;
use serde_json::Value;

const CONFIG: &str = schema!("schemas/design-lab/config.json");
const DESIGN_REPLY: &str = schema!("schemas/design-lab/design-reply.json");
const REVIEW_REPLY: &str = schema!("schemas/design-lab/review-reply.json");

/// Returns the problems of a design.
pub(crate) fn design_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Design, value, DESIGN_REPLY)
}

/// Returns the structural problems of evaluations. They ask for what the form asks for: code takes `quotes` from the weaknesses.
pub(crate) fn review_problems(value: &Value) -> Vec<Problem> {
    let mut problems = problems(DocumentKind::Review, value, REVIEW_REPLY);
    for allowed in problems.iter_mut().filter_map(|problem| problem.allowed.as_mut()) {
        *allowed = allowed.replace(", `quotes`", "");
    }
    problems
}

/// Returns the problems of a configuration file.
pub(crate) fn config_problems(value: &Value) -> Vec<Problem> {
    let mut problems = problems(DocumentKind::Config, value, CONFIG);
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

#[cfg(test)]
mod tests;
