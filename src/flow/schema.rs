//! What is wrong with what models return, and with the project's rules, by their schemas.

use crate::shared::schema::{DocumentKind, problems};
use design_lab_derive::schema;
use kernel::problem::Problem;
use serde_json::Value;

const PLAN: &str = schema!("schemas/flow/plan-reply.json");
const REPORT: &str = schema!("schemas/flow/report-reply.json");
const REVIEW: &str = schema!("schemas/flow/review-reply.json");
const EXAM: &str = schema!("schemas/flow/exam-reply.json");
const RULES: &str = schema!("schemas/flow/rules.json");

/// The errors in the structure of a plan.
pub(super) fn plan_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Plan, value, PLAN)
}

/// The errors in a worker's report.
pub(super) fn report_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Report, value, REPORT)
}

/// The errors in the structure of a review.
pub(super) fn review_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Review, value, REVIEW)
}

/// The errors in the structure of an exam.
pub(super) fn exam_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Exam, value, EXAM)
}

/// The errors in the structure of the project's rules.
pub(super) fn rules_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Config, value, RULES)
}
