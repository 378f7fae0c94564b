//! The errors of the committed schemas, in words.
//!
//! `schemas/<workflow>/*.json` are generated from the Rust types (see `codegen`).

pub(crate) mod check;
mod code;

use super::figures::{count, thousands};
pub use code::{DocumentCode, DocumentKind, Fault};
use design_lab_numerics::sorting::sort_by_key;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use kernel::slug::slug;
use serde_json::Value;

/// The maximum length of the text shown for a found value, in characters.
const FOUND_LENGTH: usize = 80;

/// What is wrong with a value according to a schema, in the order of the pointers.
pub(crate) fn problems(document: DocumentKind, value: &Value, schema: &str) -> Vec<Problem> {
    let schema: Value = serde_json::from_str(schema).unwrap_or_default();
    let faults = check::faults(value, &schema, &has_form);
    let mut problems: Vec<Problem> = faults.iter().flat_map(|fault| explain(document, fault)).collect();
    sort_problems(&mut problems, &|_| 0);
    problems
}

/// Whether a text has the form that a schema's `format` names; any text has an unknown one.
pub(crate) fn has_form(form: &str, text: &str) -> bool {
    match form {
        "auto" => text == "auto",
        "model-name" => is_model_name(text),
        "slug" => is_slug(text),
        "dimension-name" => is_dimension_name(text),
        _ => true,
    }
}

/// Whether a text has the form `provider/model`, neither part empty; the model part may contain further slashes.
pub(crate) fn is_model_name(text: &str) -> bool {
    text.split_once('/').is_some_and(|(provider, model)| !provider.is_empty() && !model.is_empty())
        && !text.contains(char::is_whitespace)
        && !text.ends_with('/')
}

/// Whether `kernel::slug` leaves a text unchanged.
fn is_slug(text: &str) -> bool {
    !text.is_empty() && slug(text, 60) == text
}

/// Whether a text has only lower-case ASCII letters, digits, `_` and `-`, starts with a letter, and has at most 40
/// characters.
pub(crate) fn is_dimension_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.len() <= 40
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-')
}

/// Sorts problems by the rank of their file, place, pointer and code. In a pointer, positions in a list count
/// as numbers.
pub(crate) fn sort_problems(problems: &mut [Problem], rank: &dyn Fn(&Problem) -> usize) {
    sort_by_key(problems, |problem| {
        let pointer = problem.pointer.as_deref().unwrap_or_default();
        let parts: Vec<(usize, String)> =
            pointer.split('/').map(|part| (part.parse().unwrap_or(usize::MAX), part.to_owned())).collect();
        (rank(problem), problem.line, problem.column, parts, problem.code.clone())
    });
}

/// A number as JSON, without a fraction if it has none.
pub(crate) fn number(number: f64) -> Value {
    /// 2⁵³: up to here every whole number has its own 64-bit float.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and in range, as just checked")]
        return Value::from(number as i64);
    }
    Value::from(number)
}

/// Describes one error; a schema error about several keys becomes several problems.
fn explain(document: DocumentKind, fault: &check::Fault<'_>) -> Vec<Problem> {
    let check::Fault { pointer, value: instance, node, keyword, keys: concerned } = fault;
    let place = place(pointer);
    let problem = |fault: Fault, message: String| Problem::new(document.code(fault), message + ".");
    let wrong = |fault: Fault, what: &str| {
        let subject = if pointer.is_empty() { "The document" } else { &place };
        let allowed = allowed(node) + &unit(pointer).map(|unit| format!(", {unit}")).unwrap_or_default();
        let problem = problem(fault, format!("{subject} {what}")).found(shorten(instance)).allowed(allowed);
        let pointer = Some(pointer.clone()).filter(|pointer| !pointer.is_empty());
        vec![Problem { next: advice(pointer.as_deref(), instance, node), pointer, ..problem }]
    };
    match *keyword {
        "additionalProperties" => {
            let known = keys(node);
            let owner = if pointer.is_empty() { String::new() } else { format!(" in {place}") };
            let unknown = |key: &&str| {
                let next = match nearest(key, known.iter().copied()) {
                    Some(near) => {
                        let unit = unit(near).map(|unit| format!(" It is {unit}.")).unwrap_or_default();
                        format!("Did you mean `{near}`?{unit} Rename or remove `{key}`.")
                    }
                    None => format!("Remove `{key}`, or use one of the allowed keys."),
                };
                problem(Fault::UnknownKey, format!("Unknown key `{key}`{owner}"))
                    .at(child(pointer, key))
                    .found(quote(key))
                    .allowed(list(&known))
                    .next(next)
            };
            concerned.iter().map(unknown).collect()
        }
        "required" => {
            let key = concerned.first().copied().unwrap_or_default();
            let wanted = &node["properties"][key];
            let at = child(pointer, key);
            let next = example(&at, wanted).map(|example| format!("Add {example}, for example."));
            let problem = problem(Fault::MissingField, format!("`{key}` is missing from {place}"))
                .found(format!("only {}", list(&member_names(instance))))
                .allowed(allowed(wanted))
                .at(at);
            vec![Problem { next, ..problem }]
        }
        "type" => wrong(Fault::WrongType, &format!("must not be {}", type_of(instance))),
        "enum" => wrong(Fault::NotAChoice, "is not one of the allowed words"),
        "minimum" | "maximum" | "exclusiveMinimum" => wrong(Fault::OutOfBounds, "is out of bounds"),
        "minItems" => wrong(Fault::TooFew, "has too few entries"),
        "maxItems" | "maxProperties" => {
            let number = instance.as_array().map_or_else(|| member_names(instance).len(), Vec::len);
            let wording = |problem: Problem| problem.found(entries(number as u64)).next("Remove some.");
            wrong(Fault::TooMany, "has too many entries").into_iter().map(wording).collect()
        }
        "minLength" => wrong(Fault::Empty, "is empty"),
        "format" => {
            let allowed = allowed_of_type("string", node);
            wrong(Fault::Malformed, unfit(instance.as_str().unwrap_or_default(), node))
                .into_iter()
                .map(|problem| problem.allowed(&allowed))
                .collect()
        }
        other => wrong(Fault::Invalid, &format!("breaks the rule `{other}`")),
    }
}

/// Why a text doesn't have the form that the schema asks for.
fn unfit(text: &str, node: &Value) -> &'static str {
    match node["format"].as_str() {
        Some("model-name") => match text.split_once('/') {
            _ if text.contains(char::is_whitespace) => "is not the name of a model: it contains a space",
            None | Some(("", _)) => "names no provider",
            Some((_, "")) => "names a provider without a model",
            Some(_) => "is not the name of a model",
        },
        Some("slug") => "can't be used as an id",
        Some("dimension-name") => "can't be used as a name",
        _ => "can't be used here",
    }
}

/// What to write instead: the likely intended value, or an example if the schema has one.
fn advice(pointer: Option<&str>, instance: &Value, node: &Value) -> Option<String> {
    let Some(pointer) = pointer else {
        return Some("Write an object, `{ … }`, with these keys.".to_owned());
    };
    if node["format"] == "model-name" {
        return Some(
            "Write the model as `opencode models` prints it, \"zhipuai/glm-4.6\" for example.".to_owned(),
        );
    }
    let meant = match (instance, node["format"].as_str(), node["enum"].as_array()) {
        (Value::String(text), Some("slug"), _) => Some(slug(text, 60)),
        (Value::String(text), Some("dimension-name"), _) => Some(slug(text, 40).replace('-', "_")),
        (Value::String(text), _, Some(words)) => {
            nearest(text, words.iter().filter_map(Value::as_str)).map(str::to_owned)
        }
        _ => None,
    };
    match meant.filter(|meant| !meant.is_empty()) {
        Some(meant) => Some(format!("Did you mean \"{meant}\"?")),
        None => example(pointer, node).map(|example| format!("Write {example}, for example.")),
    }
}

/// `"key": value`, as in the schema's examples.
fn example(pointer: &str, node: &Value) -> Option<String> {
    let value = example_value(node)?;
    let key = pointer.rsplit('/').next().filter(|key| !is_index(key));
    Some(key.map_or_else(|| value.to_string(), |key| format!("\"{key}\": {value}")))
}

fn example_value(node: &Value) -> Option<Value> {
    if let Some(example) = node["examples"].get(0) {
        return Some(example.clone());
    }
    if node["items"].is_object() {
        let least = node["minItems"].as_u64().unwrap_or(1);
        let item = example_value(&node["items"])?;
        return Some((0..least).map(|_| item.clone()).collect());
    }
    let members = node["properties"].as_object()?;
    members.iter().map(|(key, node)| Some((key.clone(), example_value(node)?))).collect()
}

/// Describes what a schema node allows.
pub(crate) fn allowed(node: &Value) -> String {
    if let Some(choices) = node["enum"].as_array() {
        let words: Vec<&str> = choices.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", list(&words));
    }
    let types: Vec<&str> = match &node["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let words: Vec<String> = types.iter().map(|name| allowed_of_type(name, node)).collect();
    words.join(", or ")
}

fn allowed_of_type(name: &str, node: &Value) -> String {
    match name {
        "string" => match node["format"].as_str() {
            Some("auto") => "\"auto\"".to_owned(),
            Some("model-name") => "a model as \"provider/model\"".to_owned(),
            Some("slug") => "lower-case letters, digits and single hyphens".to_owned(),
            Some("dimension-name") => {
                "lower-case letters, digits, `_` and `-`, beginning with a letter".to_owned()
            }
            _ if node["minLength"].is_number() => "text that isn't empty".to_owned(),
            _ => "text".to_owned(),
        },
        "number" => format!("a number{}", bounds(node)),
        "integer" => format!("a whole number{}", bounds(node)),
        "boolean" => "true or false".to_owned(),
        "array" => {
            let each = match allowed(&node["items"]) {
                items if items.is_empty() => String::new(),
                items => format!("; each entry is {items}"),
            };
            match (node["minItems"].as_u64(), node["maxItems"].as_u64()) {
                (Some(least), Some(most)) => format!("a list of {least} to {most} entries{each}"),
                (Some(least), None) => format!("a list of at least {}{each}", entries(least)),
                (None, Some(most)) => format!("a list of at most {}{each}", entries(most)),
                (None, None) => format!("a list{each}"),
            }
        }
        "object" if node["maxProperties"].is_u64() => {
            format!("an object with at most {} keys", node["maxProperties"])
        }
        "object" => match keys(node) {
            keys if keys.is_empty() => "an object".to_owned(),
            keys => format!("an object with {}", list(&keys)),
        },
        other => other.to_owned(),
    }
}

/// The unit of a number, by the end of its key; `None` if the key names none.
fn unit(key: &str) -> Option<&'static str> {
    match key.rsplit('_').next()? {
        "ms" => Some("in milliseconds"),
        "usd" => Some("in US dollars"),
        _ => None,
    }
}

fn entries(number: u64) -> String {
    count(number, "entry", "entries")
}

fn bounds(node: &Value) -> String {
    // A port is a name, not an amount.
    let is_port = node["maximum"] == 65_535;
    let number = |key: &str| match &node[key] {
        Value::Number(number) => {
            let whole = number.as_u64().filter(|_| !is_port);
            Some(whole.map_or_else(|| number.to_string(), thousands))
        }
        _ => None,
    };
    match (number("minimum"), number("maximum"), number("exclusiveMinimum")) {
        (Some(least), Some(most), _) => format!(" from {least} to {most}"),
        (Some(least), None, _) => format!(" of at least {least}"),
        (None, Some(most), _) => format!(" of at most {most}"),
        (None, None, Some(above)) => format!(" above {above}"),
        (None, None, None) => String::new(),
    }
}

fn keys(node: &Value) -> Vec<&str> {
    member_names(&node["properties"])
}

fn member_names(value: &Value) -> Vec<&str> {
    value.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn list(words: &[&str]) -> String {
    if words.is_empty() {
        return "nothing".to_owned();
    }
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a fraction",
        Value::Number(_) => "a whole number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A value as JSON, cut to a readable length.
pub(crate) fn shorten(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= FOUND_LENGTH {
        return text;
    }
    text.chars().take(FOUND_LENGTH).chain(['…']).collect()
}

/// Text as JSON, cut to a readable length.
pub(crate) fn quote(text: &str) -> String {
    shorten(&Value::from(text))
}

/// The pointer of an object's member (RFC 6901).
pub(crate) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A pointer in the usual notation of paths: `/design_models/0/id` is `design_models[0].id`.
pub(crate) fn place(pointer: &str) -> String {
    let mut out = String::new();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        if is_index(&part) {
            out.extend(["[", &part, "]"]);
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&part);
        }
    }
    if out.is_empty() { "the document".to_owned() } else { format!("`{out}`") }
}

fn is_index(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}
