//! Converts other spellings of the same content into the one form that is validated and stored. Nothing is
//! invented: a value moves, or changes between a text and a list of texts, and what can't be moved without
//! guessing fails validation.

use super::design::DETAIL_KEYS;
use serde_json::{Map, Value, json};

/// Returns a design in its current form. Also accepted: the object wrapped as `{"design": {…}}`;
/// `responsibility`; `choice` and `alternatives`; `severity`; levels in any case; a text instead of a list of
/// texts, and vice versa; objects in the parts for a builder.
pub(super) fn design(value: Value) -> Value {
    let mut design = match value {
        Value::Object(mut map) if map.len() == 1 && map.get("design").is_some_and(Value::is_object) => {
            map.shift_remove("design").unwrap_or_default()
        }
        other => other,
    };
    let Value::Object(map) = &mut design else { return design };
    for key in ["summary", "architecture_overview", "data_flow"] {
        text(map, key);
    }
    for key in ["assumptions", "open_questions"] {
        list(map, key);
    }
    for component in objects(map, "components") {
        rename(component, "responsibility", "responsibilities");
        text(component, "description");
        list(component, "responsibilities");
        list(component, "dependencies");
        list(component, "sources");
    }
    for tradeoff in objects(map, "tradeoffs") {
        older_tradeoff(tradeoff);
        list(tradeoff, "options");
        list(tradeoff, "sources");
        text(tradeoff, "rationale");
    }
    for risk in objects(map, "risks") {
        rename(risk, "severity", "impact");
        lower(risk, "impact");
        text(risk, "mitigation");
    }
    details(map);
    claims(map);
    design
}

/// Turns the parts for a builder into lists of texts, and drops what has no text: these parts are optional, so a fault in them must
/// not cost a design.
fn details(map: &mut Map<String, Value>) {
    for key in DETAIL_KEYS {
        let Some(given) = map.shift_remove(key) else { continue };
        let items = if given.is_array() { given } else { json!([given]) };
        let items = items.as_array().into_iter().flatten().map(said);
        let items: Vec<String> = items.filter(|text| !text.is_empty()).collect();
        if !items.is_empty() {
            map.insert(key.to_owned(), items.into());
        }
    }
}

/// The text of a value: of an object, the texts of its members in one.
fn said(value: &Value) -> String {
    let joined = |texts: Vec<String>, mark: &str| {
        texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(mark)
    };
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => joined(items.iter().map(said).collect(), "; "),
        Value::Object(members) => joined(members.values().map(said).collect(), ": "),
        _ => String::new(),
    }
}

/// The most claims that a design keeps.
const MOST_CLAIMS: usize = 40;
/// The longest statement of a claim, in characters.
const LONGEST_STATEMENT: usize = 500;
/// The longest name in a claim, in characters.
const LONGEST_NAME: usize = 200;

/// Drops what is no claim: claims are optional, so a fault in them must not cost a design.
fn claims(map: &mut Map<String, Value>) {
    let Some(given) = map.shift_remove("claims") else { return };
    let claims: Vec<Value> =
        given.as_array().into_iter().flatten().filter_map(claim).take(MOST_CLAIMS).collect();
    if !claims.is_empty() {
        map.insert("claims".to_owned(), claims.into());
    }
}

fn claim(given: &Value) -> Option<Value> {
    let text = |key: &str, longest: usize| -> Option<String> {
        let text: String = given[key].as_str()?.trim().chars().take(longest).collect();
        (!text.is_empty()).then_some(text)
    };
    let word =
        |key: &str| given[key].as_str().unwrap_or_default().trim().to_lowercase().replace([' ', '-'], "_");
    let kind = match word("kind").as_str() {
        "file" | "folder" | "directory" | "path" => "file",
        "symbol" | "function" | "method" | "class" | "type" | "struct" | "interface" | "constant"
        | "variable" => "symbol",
        "dependency" | "package" | "library" | "crate" => "dependency",
        "script" | "command" => "script",
        _ => "other",
    };
    let state = match word("state").as_str() {
        "to_be_made" | "new" | "planned" | "to_be_added" | "to_be_created" => "to_be_made",
        _ => "exists",
    };
    let statement = text("text", LONGEST_STATEMENT)?;
    let name = text("name", LONGEST_NAME).unwrap_or_default();
    // A part of a name is another name.
    let is_whole = given["name"].as_str().is_none_or(|given| given.trim() == name);
    let kind = if is_whole { kind } else { "other" };
    Some(json!({ "text": statement, "kind": kind, "name": name, "state": state }))
}

/// Returns evaluations in their current form. Also accepted: the bare list; levels in any case; a text
/// instead of a list of texts; the flat form `{design_id, scores: {…}, justification, strengths, …}`.
pub(super) fn evaluations(value: Value) -> Value {
    let mut reply = if value.is_array() { json!({ "evaluations": value }) } else { value };
    let Value::Object(map) = &mut reply else { return reply };
    for evaluation in objects(map, "evaluations") {
        rename(evaluation, "scores", "quantitative");
        gather(evaluation, "quantitative", &["justification"]);
        let words = ["strengths", "weaknesses", "missing_considerations", "risks", "risk_assessment"];
        gather(evaluation, "qualitative", &words);
        if let Some(Value::Object(qualitative)) = evaluation.get_mut("qualitative") {
            for key in &words[..4] {
                list(qualitative, key);
            }
            // Only code says what was found.
            qualitative.shift_remove("quotes");
            // The form that designs have: `{risk, impact, …}`.
            for risk in qualitative.get_mut("risks").and_then(Value::as_array_mut).into_iter().flatten() {
                if let Some(text) = risk.get_mut("risk").filter(|text| text.is_string()) {
                    *risk = text.take();
                }
            }
            lower(qualitative, "risk_assessment");
        }
        if let Some(Value::Object(quantitative)) = evaluation.get_mut("quantitative") {
            text(quantitative, "justification");
        }
    }
    reply
}

/// Converts `{choice, alternatives}` to `{chosen, options}`, in which the options also contain the choice.
/// This form has no field for what had to be decided, so it is made from the options.
fn older_tradeoff(tradeoff: &mut Map<String, Value>) {
    rename(tradeoff, "choice", "chosen");
    if tradeoff.contains_key("options") || !tradeoff.contains_key("alternatives") {
        return;
    }
    rename(tradeoff, "alternatives", "options");
    list(tradeoff, "options");
    let Some(chosen) = tradeoff.get("chosen").and_then(Value::as_str).map(str::to_owned) else { return };
    let Some(Value::Array(options)) = tradeoff.get_mut("options") else { return };
    if !options.iter().any(|option| option == chosen.as_str()) {
        options.insert(0, json!(chosen));
    }
    let words: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
    let aspect = words.join(" or ");
    tradeoff.entry("aspect").or_insert_with(|| json!(aspect));
}

/// Returns the objects in the list under a key.
fn objects<'v>(
    map: &'v mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'v mut Map<String, Value>> {
    map.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Moves a value to its current key, unless that key exists.
fn rename(map: &mut Map<String, Value>, old: &str, new: &str) {
    if !map.contains_key(new)
        && let Some(value) = map.shift_remove(old)
    {
        map.insert(new.to_owned(), value);
    }
}

/// Moves fields that are next to an object into it.
fn gather(map: &mut Map<String, Value>, into: &str, keys: &[&str]) {
    for key in keys {
        let Some(value) = map.shift_remove(*key) else { continue };
        if let Value::Object(target) = map.entry(into).or_insert_with(|| json!({})) {
            target.entry(*key).or_insert(value);
        }
    }
}

/// Turns a text into a list of one, and an empty text or null into an empty list.
fn list(map: &mut Map<String, Value>, key: &str) {
    let Some(value) = map.get_mut(key) else { return };
    *value = match value.take() {
        Value::String(text) if text.trim().is_empty() => json!([]),
        Value::String(text) => json!([text]),
        Value::Null => json!([]),
        other => other,
    };
}

/// Turns a list of texts into one text with a line for each.
fn text(map: &mut Map<String, Value>, key: &str) {
    let Some(value) = map.get_mut(key) else { return };
    let lines: Option<Vec<&str>> =
        value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
    if let Some(lines) = lines {
        *value = json!(lines.join("\n"));
    }
}

fn lower(map: &mut Map<String, Value>, key: &str) {
    if let Some(Value::String(word)) = map.get_mut(key) {
        *word = word.trim().to_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_for_a_builder_becomes_a_list_of_texts_or_is_missing() {
        let given = json!({
            "interfaces": [{"name": "take", "signature": "(tenant) -> bool"}, " put ", 7, ""],
            "data_model": "buckets", "failure_modes": null, "verification": [" "], "rollout": {"steps": ["one", "two"]},
        });
        let read = design(given);
        let expected = json!({"interfaces": ["take: (tenant) -> bool", "put"], "data_model": ["buckets"], "rollout": ["one; two"]});
        assert_eq!(read, expected);
        assert_eq!(design(read.clone()), read);
    }
}
