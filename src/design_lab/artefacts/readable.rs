//! Converts what a person would understand in a reviewer's reply into the form that is validated: an id in another case or in
//! backticks, `"7/10"`, `{"score": 7}`, scores keyed by id, scores next to the id. Ambiguous values stay as they are, and the
//! reviewer is asked about them.

use super::canonical;
use super::review_reply::ReplyRules;
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::Label;
use serde_json::{Map, Value, json};

/// Other names for `design_id`.
const ID_KEYS: [&str; 4] = ["id", "design", "proposal", "label"];
/// The names of a score in an object of its own.
const SCORE_KEYS: [&str; 3] = ["score", "value", "rating"];
/// The names of the reason next to a score in an object of its own.
const REASON_KEYS: [&str; 3] = ["justification", "reason", "rationale"];

/// Returns the label that a reviewer means by a text, if only one fits.
pub(super) fn label<'a>(said: &str, labels: &'a [Label]) -> Option<&'a Label> {
    let bare = bare(said);
    labels.iter().find(|label| label.as_str() == bare).or_else(|| {
        let mut fitting = labels.iter().filter(|label| label.as_str().eq_ignore_ascii_case(bare));
        fitting.next().filter(|_| fitting.next().is_none())
    })
}

/// Returns a text without the marks that Markdown and habit put around it.
pub(super) fn bare(said: &str) -> &str {
    said.trim_matches(|c: char| c.is_whitespace() || "`*_\"'<>[]#".contains(c))
}

/// Returns a reviewer's scores in the form that is validated.
pub fn scores(value: &Value, rules: &ReplyRules<'_>) -> Value {
    let mut value = listed(value, rules.labels);
    let evaluations = value.get_mut("evaluations").and_then(Value::as_array_mut);
    for evaluation in evaluations.into_iter().flatten().filter_map(Value::as_object_mut) {
        name(evaluation, rules.labels);
        flat(evaluation, rules.dimensions);
    }
    value = canonical::evaluations(value);
    let evaluations = value.get_mut("evaluations").and_then(Value::as_array_mut);
    for evaluation in evaluations.into_iter().flatten() {
        if let Some(Value::Object(scores)) = evaluation.get_mut("quantitative") {
            numbers(scores, rules);
        }
    }
    value
}

/// Turns evaluations keyed by the designs' ids into a list.
fn listed(value: &Value, labels: &[Label]) -> Value {
    let inner =
        ["evaluations", "scores"].into_iter().find_map(|key| value.get(key).filter(|it| it.is_object()));
    let Some(keyed) = inner.or(Some(value)).and_then(Value::as_object) else { return value.clone() };
    let named = |key: &String| label(key, labels).is_some();
    let (designs, others): (Vec<_>, Vec<_>) =
        keyed.iter().partition(|(key, value)| named(key) && value.is_object());
    if designs.is_empty() || (inner.is_some() && !others.is_empty()) {
        return value.clone();
    }
    let entry = |(key, value): (&String, &Value)| {
        let mut evaluation = value.as_object().cloned().unwrap_or_default();
        evaluation.insert("design_id".to_owned(), json!(key));
        Value::Object(evaluation)
    };
    json!({ "evaluations": designs.into_iter().map(entry).collect::<Vec<_>>() })
}

fn name(evaluation: &mut Map<String, Value>, labels: &[Label]) {
    if !evaluation.contains_key("design_id") {
        let other = ID_KEYS.into_iter().find(|key| evaluation.get(*key).is_some_and(Value::is_string));
        if let Some(id) = other.and_then(|key| evaluation.shift_remove(key)) {
            evaluation.insert("design_id".to_owned(), id);
        }
    }
    if let Some(id) = evaluation.get_mut("design_id")
        && let Some(label) = id.as_str().and_then(|said| label(said, labels))
    {
        *id = json!(label.as_str());
    }
}

/// Moves scores that are next to the id into `quantitative`.
fn flat(evaluation: &mut Map<String, Value>, dimensions: &[Dimension]) {
    let keys: Vec<String> = evaluation
        .keys()
        .filter(|key| *key == "overall" || dimension(key, dimensions).is_some())
        .cloned()
        .collect();
    if keys.is_empty() || evaluation.contains_key("quantitative") || evaluation.contains_key("scores") {
        return;
    }
    let scores: Map<String, Value> =
        keys.into_iter().filter_map(|key| Some((key.clone(), evaluation.shift_remove(&key)?))).collect();
    evaluation.insert("quantitative".to_owned(), Value::Object(scores));
}

/// Returns the dimension that a key names, in any case.
fn dimension<'a>(key: &str, dimensions: &'a [Dimension]) -> Option<&'a Dimension> {
    let key = key.trim().replace([' ', '-'], "_");
    let mut fitting =
        dimensions.iter().filter(|dimension| dimension.name.replace('-', "_").eq_ignore_ascii_case(&key));
    fitting.next().filter(|_| fitting.next().is_none())
}

/// Turns every score into a number under its dimension's name, or into `{reason, score}` if evidence is wanted. Otherwise, reasons
/// next to single scores become the justification if there is none.
fn numbers(scores: &mut Map<String, Value>, rules: &ReplyRules<'_>) {
    let mut reasons = Vec::new();
    for (key, mut value) in std::mem::take(scores) {
        let Some(Dimension { name, max, .. }) = dimension(&key, rules.dimensions) else {
            scores.insert(key, value);
            continue;
        };
        if let Value::Object(members) = &value
            && let Some(score) = SCORE_KEYS.iter().find_map(|key| members.get(*key))
        {
            let reason = REASON_KEYS.iter().find_map(|key| members.get(*key)?.as_str());
            if rules.wants_evidence {
                let read = score
                    .as_str()
                    .and_then(|text| number(text).map(Value::Number).or_else(|| out_of(text, *max)));
                let name = if scores.contains_key(name) { key } else { name.clone() };
                scores.insert(name, json!({ "reason": reason, "score": read.as_ref().unwrap_or(score) }));
                continue;
            }
            reasons.extend(reason.map(|reason| format!("{name}: {}", reason.trim())));
            value = score.clone();
        }
        if let Some(number) = value.as_str().and_then(|text| out_of(text, *max)) {
            value = number;
        }
        let name = if scores.contains_key(name) { key } else { name.clone() };
        scores.insert(name, value);
    }
    if !reasons.is_empty() && !scores.contains_key("justification") {
        scores.insert("justification".to_owned(), json!(reasons.join("; ")));
    }
}

fn number(text: &str) -> Option<serde_json::Number> {
    text.trim().parse().ok()
}

/// Returns the number in `7/10` or `7 out of 10`, if the scale ends there.
fn out_of(text: &str, max: f64) -> Option<Value> {
    let (score, of) = text.split_once('/').or_else(|| text.split_once(" out of "))?;
    let of = number(of)?.as_f64()?;
    ((of - max).abs() < f64::EPSILON).then(|| number(score).map(Value::Number))?
}

/// Returns a design in which a text without a word is empty, and list entries without one are removed.
pub fn design(value: &Value) -> Value {
    match value {
        Value::String(text) if !text.contains(char::is_alphanumeric) => json!(""),
        Value::Array(items) => {
            let items = items.iter().map(design);
            items.filter(|item| item.as_str() != Some("")).collect()
        }
        Value::Object(members) => {
            members.iter().map(|(key, member)| (key.clone(), design(member))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::review::Evaluations;
    use super::*;

    fn read(value: &Value) -> Result<Vec<(String, f64, String)>, Vec<String>> {
        let labels = ["heather", "pipit"].map(Label::new);
        let dimensions = [Dimension::new("clarity"), Dimension::new("feasibility")];
        let rules = ReplyRules {
            labels: &labels,
            dimensions: &dimensions,
            require_justification: true,
            wants_evidence: false,
            constraints: 0,
        };
        let read = Evaluations::from_reply(scores(value, &rules), &rules);
        let row = |one: super::super::review::Evaluation<Label>| {
            let Quantitative { scores, justification, .. } = one.quantitative;
            (one.design_id.as_str().to_owned(), scores["clarity"], justification)
        };
        read.map(|reply| reply.evaluations.into_iter().map(row).collect())
            .map_err(|problems| problems.into_iter().map(|problem| problem.code.to_string()).collect())
    }

    use super::super::review::Quantitative;

    fn evaluation(id: &str, scores: &Value) -> Value {
        json!({
            "design_id": id, "quantitative": scores,
            "qualitative": {"strengths": ["s"], "weaknesses": [], "missing_considerations": [], "risk_assessment": "low"},
        })
    }

    fn expected(why: &str) -> Vec<(String, f64, String)> {
        vec![("heather".to_owned(), 7.0, why.to_owned()), ("pipit".to_owned(), 7.0, why.to_owned())]
    }

    #[test]
    fn what_a_person_reads_at_once_is_read() {
        let plain = json!({"clarity": 7, "feasibility": 5, "justification": "so"});
        let both = |first: &str, second: &str, scores: &Value| json!({"evaluations": [evaluation(first, scores), evaluation(second, scores)]});
        for (first, second) in
            [("Heather", "`pipit`"), ("**HEATHER**", " \"Pipit\" "), ("<heather>", "# pipit")]
        {
            assert_eq!(read(&both(first, second, &plain)).unwrap(), expected("so"), "{first}");
        }
        for seven in [
            json!("7/10"),
            json!("7 / 10"),
            json!("7 out of 10"),
            json!({"score": 7}),
            json!({"score": "7/10"}),
            json!("7"),
        ] {
            let scores = json!({"Clarity": seven, "feasibility": 5, "justification": "so"});
            assert_eq!(read(&both("heather", "pipit", &scores)).unwrap(), expected("so"), "{seven}");
        }
        let reasons = json!({"clarity": {"score": 7, "reason": "plain"}, "feasibility": {"score": 5, "reason": "known parts"}});
        let why = "clarity: plain; feasibility: known parts";
        assert_eq!(read(&both("heather", "pipit", &reasons)).unwrap(), expected(why));
        let flat = |id: &str| {
            json!({
                "id": id, "clarity": 7, "feasibility": 5, "justification": "so", "strengths": ["s"], "weaknesses": [],
                "missing_considerations": [], "risk_assessment": "Low",
            })
        };
        assert_eq!(read(&json!({"evaluations": [flat("heather"), flat("pipit")]})).unwrap(), expected("so"));
        let keyed = json!({"pipit": flat("pipit"), "Heather": flat("heather")});
        assert_eq!(read(&keyed).unwrap(), expected("so"));
        assert_eq!(read(&json!({ "evaluations": keyed })).unwrap(), expected("so"));
    }

    #[test]
    fn what_has_two_readings_is_asked_about() {
        let scores = |score: Value| json!({"clarity": score, "feasibility": 5, "justification": "so"});
        let reply = |score: Value| json!({"evaluations": [evaluation("heather", &scores(score)), evaluation("pipit", &scores(json!(7)))]});
        for score in [json!("7/5"), json!("70/100"), json!("7 or 8"), json!({"score": [7]}), json!("high")] {
            assert_eq!(read(&reply(score.clone())).unwrap_err(), ["review.wrong-type"], "{score}");
        }
        let labels = ["Pipit", "pipit"].map(Label::new);
        assert!(label("PIPIT", &labels).is_none(), "either may be meant");
        assert!(label("the pipit", &labels).is_none());
    }

    #[test]
    fn a_text_without_a_word_is_empty() {
        let said = json!({"title": " … ", "assumptions": ["", "a", "..."], "components": [{"name": " x "}]});
        assert_eq!(
            design(&said),
            json!({"title": "", "assumptions": ["a"], "components": [{"name": " x "}]})
        );
    }
}
