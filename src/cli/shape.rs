//! Whether a value has the shape that one of the package's own schemas describes.
//!
//! Those schemas are generated from the Rust types and use few keywords, which are implemented here. Reading the value into its
//! type would find only the first fault, and add a reader for every type to the module.
//!
//! This takes 0.9 KB of the module. Validators that `jsonschema` compiles from the five schemas take 110 KB more; its own schema
//! reader, which needs no compiling, adds a regex engine of 900 KB. `shared::schema::check` finds more, for documents that people and
//! models write.

use crate::design_lab::schema::{DocumentKind, Fault, allowed, child, place, shorten, type_of};
use kernel::problem::Problem;
use serde_json::Value;

/// Everything that is wrong, each with a pointer.
pub(super) fn problems(document: DocumentKind, value: &Value, schema: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut open = vec![(String::new(), value, schema)];
    while let Some((pointer, value, node)) = open.pop() {
        let problem = |fault: Fault, message: String| {
            Problem::new(document.code(fault), message)
                .at(pointer.clone())
                .found(shorten(value))
                .allowed(allowed(node))
        };
        let here = if pointer.is_empty() { "The document".to_owned() } else { place(&pointer) };
        if !is_of_type(value, &node["type"]) {
            problems.push(problem(Fault::WrongType, format!("{here} is {}.", type_of(value))));
            continue;
        }
        if node["enum"].as_array().is_some_and(|words| !words.contains(value)) {
            problems.push(problem(Fault::NotAChoice, format!("{here} is not one of the allowed words.")));
        }
        let below = |bound: &str| Some(value.as_f64()? - node[bound].as_f64()?);
        if below("minimum").is_some_and(|over| over < 0.0) || below("maximum").is_some_and(|over| over > 0.0)
        {
            problems.push(problem(Fault::OutOfBounds, format!("{here} is out of bounds.")));
        }
        match value {
            Value::Object(map) => {
                let required = node["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                for key in required.filter(|key| !map.contains_key(*key)) {
                    let missing = Problem::new(
                        document.code(Fault::MissingField),
                        format!("`{key}` is missing from {}.", place(&pointer)),
                    );
                    problems
                        .push(missing.at(child(&pointer, key)).allowed(allowed(&node["properties"][key])));
                }
                for (key, value) in map {
                    let known = node["properties"].get(key).or_else(|| node.get("additionalProperties"));
                    open.extend(known.map(|node| (child(&pointer, key), value, node)));
                }
            }
            Value::Array(items) => {
                let entries = items.iter().enumerate();
                open.extend(
                    entries.map(|(index, item)| (format!("{pointer}/{index}"), item, &node["items"])),
                );
            }
            _ => {}
        }
    }
    problems
}

fn is_of_type(value: &Value, allowed: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    allowed.as_array().map_or_else(|| is(allowed), |names| names.iter().any(is))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_fault_is_found_where_it_is() {
        let schema = json!({
            "type": "object", "required": ["a", "b"],
            "properties": {
                "a": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                "b": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
                "c": {"type": "object", "additionalProperties": {"type": "integer"}},
            },
        });
        let codes = |value: &Value| {
            let mut found: Vec<String> = problems(DocumentKind::Task, value, &schema)
                .into_iter()
                .map(|problem| format!("{} {}", problem.pointer.unwrap_or_default(), problem.code))
                .collect();
            found.sort();
            found
        };
        assert!(codes(&json!({"a": null, "b": ["x"], "c": {"k": 1}, "d": true})).is_empty());
        assert_eq!(
            codes(&json!({"a": 2, "b": ["z", 1], "c": {"k": 1.5}})),
            [
                "/a task.out-of-bounds",
                "/b/0 task.not-a-choice",
                "/b/1 task.wrong-type",
                "/c/k task.wrong-type",
            ]
        );
        assert_eq!(codes(&json!({"b": 3})), ["/a task.missing-field", "/b task.wrong-type"]);
        assert_eq!(codes(&json!([])), [" task.wrong-type"]);
    }
}
