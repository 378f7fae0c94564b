//! Turns a reviewer's reply into evaluations that can be counted: the schema checks the structure, and code
//! checks the rubric.

use super::canonical;
use super::code::ArtefactCode;
use super::constraint;
use super::evidence;
use super::review::Evaluations;
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::Label;
use crate::design_lab::schema::{self, DocumentKind, Fault, child, quote, shorten};
use design_lab_numerics::sorting::sort_by_key;
use kernel::problem::Problem;
use serde_json::{Map, Value};

/// The rules for a reply.
#[derive(Clone, Copy, Debug)]
pub struct ReplyRules<'a> {
    /// The labels of the designs as this reviewer was shown them.
    pub labels: &'a [Label],
    /// The configured rubric.
    pub dimensions: &'a [Dimension],
    /// Whether every evaluation needs a justification.
    pub require_justification: bool,
    /// Whether it gives the reason before each score, and quotes what is weak. The form without both is accepted, too.
    pub wants_evidence: bool,
    /// How many constraints of the task it answers for; 0 if it isn't asked.
    pub constraints: usize,
}

impl Evaluations {
    /// Parses a reviewer's reply: one evaluation for each label, in the order of the labels.
    ///
    /// Unknown fields are dropped. Nothing is guessed: a label that wasn't shown, a score out of bounds or a
    /// missing score is a problem. Problems are in the order of their pointers.
    pub fn from_reply(value: Value, rules: &ReplyRules<'_>) -> Result<Self, Vec<Problem>> {
        let value = tidy_constraints(tidy_scores(canonical::evaluations(value), rules), rules);
        let mut problems = rubric_problems(&value, rules);
        let value = if rules.wants_evidence { evidence::stored(value, rules.dimensions) } else { value };
        problems.extend(schema::review_problems(&value));
        if !problems.is_empty() {
            schema::sort_problems(&mut problems, &|_| 0);
            // If a score is not a number, the rubric's problem is more precise than the schema's.
            problems
                .dedup_by(|second, first| (&second.pointer, &second.code) == (&first.pointer, &first.code));
            return Err(problems);
        }
        // Via text, because deserialising from a value would add a second copy of every type's code.
        let mut reply: Self =
            kernel::json::of(&value).map_err(|error| vec![DocumentKind::Review.unreadable(&error)])?;
        let rank = |label: &Label| rules.labels.iter().position(|shown| shown == label);
        sort_by_key(&mut reply.evaluations, |evaluation| rank(&evaluation.design_id));
        Ok(reply)
    }
}

/// Returns how many problems a value has as a reviewer's reply: of several candidates in an answer, the one
/// with the fewest counts. A value that is neither an object nor a list is no candidate, and gets the
/// highest number.
pub fn evaluations_fit(value: &Value, rules: &ReplyRules<'_>) -> usize {
    if !value.is_object() && !value.is_array() {
        return usize::MAX;
    }
    Evaluations::from_reply(value.clone(), rules).err().map_or(0, |problems| problems.len())
}

/// Drops what answers for no constraint of the task.
fn tidy_constraints(mut value: Value, rules: &ReplyRules<'_>) -> Value {
    let evaluations = value.get_mut("evaluations").and_then(Value::as_array_mut);
    for evaluation in evaluations.into_iter().flatten().filter_map(Value::as_object_mut) {
        constraint::tidy(evaluation, rules.constraints);
    }
    value
}

/// Drops entries among the scores that were not requested, since models add remarks. A number in quotes
/// counts as a number.
fn tidy_scores(mut value: Value, rules: &ReplyRules<'_>) -> Value {
    let evaluations = value.get_mut("evaluations").and_then(Value::as_array_mut);
    for evaluation in evaluations.into_iter().flatten() {
        let Some(Value::Object(scores)) = evaluation.get_mut("quantitative") else { continue };
        scores.retain(|key, value| match key.as_str() {
            "justification" => true,
            // Recorded if it is a number, and never counted.
            "overall" => value.is_number(),
            _ => rules.dimensions.iter().any(|dimension| dimension.name == *key),
        });
        for (key, score) in scores {
            if key != "justification"
                && let Some(Ok(number)) = score.as_str().map(|text| text.trim().parse::<serde_json::Number>())
            {
                *score = Value::Number(number);
            }
        }
    }
    value
}

/// Returns the problems with the rubric and the labels, beyond structure.
fn rubric_problems(value: &Value, rules: &ReplyRules<'_>) -> Vec<Problem> {
    let Some(evaluations) = value["evaluations"].as_array() else { return Vec::new() };
    let labels = Label::list(rules.labels);
    let mut problems = Vec::new();
    let mut first: Vec<(&str, usize)> = Vec::new();
    for (index, evaluation) in evaluations.iter().enumerate() {
        let pointer = format!("/evaluations/{index}");
        if let Some(id) = evaluation["design_id"].as_str() {
            if !rules.labels.iter().any(|label| label.as_str() == id) {
                problems.push(
                    Problem::new(
                        ArtefactCode::ReviewUnknownDesign,
                        format!("No design with the id {} was shown.", quote(id)),
                    )
                    .at(format!("{pointer}/design_id"))
                    .found(shorten(&evaluation["design_id"]))
                    .allowed(format!("exactly one of: {labels}")),
                );
            } else if let Some((_, before)) = first.iter().find(|(other, _)| *other == id) {
                problems.push(
                    Problem::new(
                        ArtefactCode::ReviewDuplicateEvaluation,
                        format!("The design {id} is evaluated twice."),
                    )
                    .at(format!("{pointer}/design_id"))
                    .found(format!("{}, already at /evaluations/{before}", quote(id)))
                    .allowed("one evaluation for each design"),
                );
            } else {
                first.push((id, index));
            }
        }
        if let Some(scores) = evaluation["quantitative"].as_object() {
            problems.extend(score_problems(&format!("{pointer}/quantitative"), scores, rules));
        }
    }
    for label in
        rules.labels.iter().map(Label::as_str).filter(|label| !first.iter().any(|(id, _)| id == label))
    {
        problems.push(
            Problem::new(ArtefactCode::ReviewMissingDesign, format!("The design {label} has no evaluation."))
                .at("/evaluations")
                .found(format!(
                    "evaluations of: {}",
                    first.iter().map(|(id, _)| *id).collect::<Vec<_>>().join(", ")
                ))
                .allowed(format!("one evaluation for each of: {labels}")),
        );
    }
    problems
}

fn score_problems(pointer: &str, scores: &Map<String, Value>, rules: &ReplyRules<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for Dimension { name, min, max, .. } in rules.dimensions {
        let mut at = child(pointer, name);
        let mut given = scores.get(name);
        if rules.wants_evidence
            && let Some(score) = given.and_then(|given| given.get("score"))
        {
            (at, given) = (child(&at, "score"), Some(score));
        }
        let allowed = format!("a number from {min} to {max}");
        match given {
            None => problems.push(
                Problem::new(
                    ArtefactCode::ReviewMissingDimension,
                    format!("The score for {name} is missing."),
                )
                .at(at)
                .found(format!("only: {}", scores.keys().map(String::as_str).collect::<Vec<_>>().join(", ")))
                .allowed(allowed),
            ),
            Some(Value::Number(score))
                if !score.as_f64().is_some_and(|score| (*min..=*max).contains(&score)) =>
            {
                problems.push(
                    Problem::new(
                        ArtefactCode::ReviewScoreOutOfBounds,
                        format!("The score for {name} is out of bounds."),
                    )
                    .at(at)
                    .found(score.to_string())
                    .allowed(allowed),
                );
            }
            Some(Value::Number(_)) => {}
            Some(other) => problems.push(
                Problem::new(
                    DocumentKind::Review.code(Fault::WrongType),
                    format!("The score for {name} is not a number."),
                )
                .at(at)
                .found(shorten(other))
                .allowed(allowed),
            ),
        }
    }
    let justified = scores
        .get("justification")
        .is_some_and(|text| text.as_str().is_none_or(|text| !text.trim().is_empty()));
    if !rules.require_justification || justified {
        return problems;
    }
    let without = |one: &&Dimension| evidence::reason(scores.get(&one.name)).is_none();
    let unreasoned: Vec<&Dimension> = rules.dimensions.iter().filter(without).collect();
    if rules.wants_evidence && unreasoned.len() < rules.dimensions.len() {
        problems.extend(unreasoned.into_iter().map(|Dimension { name, .. }| {
            Problem::new(
                ArtefactCode::ReviewMissingJustification,
                format!("The score for {name} has no reason."),
            )
            .at(child(pointer, name))
            .found(scores.get(name).map_or_else(|| "nothing".to_owned(), shorten))
            .allowed("`{ reason, score }`, with a sentence of evidence as the reason")
        }));
    } else if rules.wants_evidence {
        problems.push(
            Problem::new(ArtefactCode::ReviewMissingJustification, "The scores have no reasons.")
                .at(pointer)
                .found("no `reason`")
                .allowed("`{ reason, score }` for each dimension, with a sentence of evidence as the reason"),
        );
    } else {
        problems.push(
            Problem::new(ArtefactCode::ReviewMissingJustification, "The scores are not justified.")
                .at(child(pointer, "justification"))
                .found(if scores.contains_key("justification") { "empty text" } else { "no `justification`" })
                .allowed("one or more sentences that explain these scores"),
        );
    }
    problems
}
