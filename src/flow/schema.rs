//! The schemas of what models return, and of the project's rules, as validators.

use crate::shared::schema::{DocumentKind, problems};
use kernel::problem::Problem;
use serde_json::Value;

/// The schema of a plan as a planner returns it.
#[jsonschema::validator(path = "schemas/flow/plan-reply.json")]
struct PlanSchema;

/// The schema of a worker's report.
#[jsonschema::validator(path = "schemas/flow/report-reply.json")]
struct ReportSchema;

/// The schema of a review as a reviewer returns it.
#[jsonschema::validator(path = "schemas/flow/review-reply.json")]
struct ReviewSchema;

/// The schema of an exam as an examiner returns it.
#[jsonschema::validator(path = "schemas/flow/exam-reply.json")]
struct ExamSchema;

/// The schema of `.opencode/flow-rules.jsonc`.
#[jsonschema::validator(path = "schemas/flow/rules.json")]
struct RulesSchema;

const PLAN: &str = include_str!("../../schemas/flow/plan-reply.json");
const REPORT: &str = include_str!("../../schemas/flow/report-reply.json");
const REVIEW: &str = include_str!("../../schemas/flow/review-reply.json");
const EXAM: &str = include_str!("../../schemas/flow/exam-reply.json");
const RULES: &str = include_str!("../../schemas/flow/rules.json");

/// The errors in the structure of a plan.
pub(super) fn plan_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Plan, PlanSchema::iter_errors(value), PLAN)
}

/// The errors in a worker's report.
pub(super) fn report_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Report, ReportSchema::iter_errors(value), REPORT)
}

/// The errors in the structure of a review.
pub(super) fn review_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Review, ReviewSchema::iter_errors(value), REVIEW)
}

/// The errors in the structure of an exam.
pub(super) fn exam_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Exam, ExamSchema::iter_errors(value), EXAM)
}

/// The errors in the structure of the project's rules.
pub(super) fn rules_problems(value: &Value) -> Vec<Problem> {
    problems(DocumentKind::Config, RulesSchema::iter_errors(value), RULES)
}
