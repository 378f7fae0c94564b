//! Whether a value is what a schema of ours describes. These schemas are generated from the Rust types and use few keywords, which
//! are implemented here, as the specification has them: JSON Schema 2020-12. A test compares the result with the `jsonschema` crate.
//!
//! The crate would compile each schema into code of its own: 140 KB of the module for what takes 2 KB here.

use super::child;
use serde_json::Value;

/// A value that breaks a rule.
pub(crate) struct Fault<'v> {
    /// Where the value is, as a JSON pointer.
    pub(crate) pointer: String,
    /// The value.
    pub(crate) value: &'v Value,
    /// The schema that the value has to match.
    pub(crate) node: &'v Value,
    /// The keyword of the rule.
    pub(crate) keyword: &'static str,
    /// The keys that are missing or unknown, if the rule is about keys.
    pub(crate) keys: Vec<&'v str>,
}

/// Everything that is wrong with a value. `has_form`: whether a text has the form with this name.
pub(crate) fn faults<'v>(
    value: &'v Value,
    schema: &'v Value,
    has_form: &dyn Fn(&str, &str) -> bool,
) -> Vec<Fault<'v>> {
    let mut faults = Vec::new();
    let mut open = vec![(String::new(), value, schema)];
    while let Some((pointer, value, node)) = open.pop() {
        let mut add = |is_broken: bool, keyword: &'static str, keys: Vec<&'v str>| {
            if is_broken {
                faults.push(Fault { pointer: pointer.clone(), value, node, keyword, keys });
            }
        };
        add(!is_of_type(value, &node["type"]), "type", Vec::new());
        add(node["enum"].as_array().is_some_and(|all| !all.contains(value)), "enum", Vec::new());
        match value {
            Value::Number(number) => {
                let beyond = |keyword: &str, is_beyond: fn(f64, f64) -> bool| {
                    number
                        .as_f64()
                        .zip(node[keyword].as_f64())
                        .is_some_and(|(number, bound)| is_beyond(number, bound))
                };
                add(beyond("minimum", |number, bound| number < bound), "minimum", Vec::new());
                add(beyond("maximum", |number, bound| number > bound), "maximum", Vec::new());
                add(
                    beyond("exclusiveMinimum", |number, bound| number <= bound),
                    "exclusiveMinimum",
                    Vec::new(),
                );
            }
            Value::String(text) => {
                let is_short =
                    node["minLength"].as_u64().is_some_and(|least| (text.chars().count() as u64) < least);
                add(is_short, "minLength", Vec::new());
                add(node["format"].as_str().is_some_and(|form| !has_form(form, text)), "format", Vec::new());
            }
            Value::Array(items) => {
                let count = items.len() as u64;
                add(node["minItems"].as_u64().is_some_and(|least| count < least), "minItems", Vec::new());
                add(node["maxItems"].as_u64().is_some_and(|most| count > most), "maxItems", Vec::new());
                let items = items.iter().enumerate();
                open.extend(items.map(|(index, item)| (format!("{pointer}/{index}"), item, &node["items"])));
            }
            Value::Object(members) => {
                let most = node["maxProperties"].as_u64();
                add(most.is_some_and(|most| members.len() as u64 > most), "maxProperties", Vec::new());
                let required = node["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
                for key in required.filter(|key| !members.contains_key(*key)) {
                    add(true, "required", vec![key]);
                }
                let mut unknown = Vec::new();
                for (key, member) in members {
                    match node["properties"].get(key).or_else(|| node.get("additionalProperties")) {
                        Some(Value::Bool(false)) => unknown.push(key.as_str()),
                        Some(node) => open.push((child(&pointer, key), member, node)),
                        None => {}
                    }
                }
                add(!unknown.is_empty(), "additionalProperties", unknown);
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
    faults
}

fn is_of_type(value: &Value, allowed: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        // 1.0 is a whole number, too.
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    allowed.as_array().map_or_else(|| is(allowed), |names| names.iter().any(is))
}
