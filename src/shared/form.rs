//! The form of an answer, as a TypeScript type. Models copy the texts of a filled-in form into their answers; a type has no values to
//! copy, and is valid code, unlike a form.

use super::template::fill;

/// Asks for one object of this type, and nothing else.
pub(crate) fn alone(form: &str) -> String {
    asked(include_str!("../../prompts/shared/answer.md"), form)
}

/// Asks for one object of this type at the end of a longer answer.
pub(crate) fn at_end(form: &str) -> String {
    asked(include_str!("../../prompts/shared/answer-end.md"), form)
}

fn asked(template: &str, form: &str) -> String {
    fill(template, &[("name", name(form)), ("form", form.trim_end())])
}

/// The name of the type.
fn name(form: &str) -> &str {
    let behind = form.split_once("type ").map_or("", |(_, rest)| rest);
    behind.split_once(" =").map_or("", |(name, _)| name)
}

/// These texts as a union: `"a" | "b"`.
pub(crate) fn one_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> =
        texts.into_iter().map(|text| serde_json::Value::from(text).to_string()).collect();
    quoted.join(" | ")
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// Every field by its path, and whether an answer needs it.
    type Fields = BTreeMap<String, bool>;

    /// The fields of a form.
    fn fields(form: &str) -> Fields {
        let code: String = form.lines().map(|line| line.split(" //").next().unwrap_or("")).collect();
        let (_, code) = code.split_once('=').expect("a type");
        let (mut found, mut path) = (Fields::new(), Vec::new());
        let (mut word, mut key) = (String::new(), String::new());
        for c in code.chars() {
            match c {
                ':' => {
                    let is_needed = !word.trim().ends_with('?');
                    key = word.trim().trim_end_matches('?').trim_matches('"').to_owned();
                    let at: Vec<&String> = path.iter().skip(1).chain([&key]).collect();
                    found.insert(at.into_iter().cloned().collect::<Vec<_>>().join("/"), is_needed);
                }
                '{' => path.push(std::mem::take(&mut key)),
                '}' => drop(path.pop()),
                ';' => {}
                _ => {
                    word.push(c);
                    continue;
                }
            }
            word.clear();
        }
        found
    }

    /// The fields of a schema.
    fn wanted(schema: &Value, path: &str, found: &mut Fields) {
        for inner in schema["anyOf"].as_array().into_iter().flatten().chain(schema.get("items")) {
            wanted(inner, path, found);
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            let at = if path.is_empty() { key.clone() } else { format!("{path}/{key}") };
            wanted(inner, &at, found);
            found.insert(at, required.contains(&key.as_str()));
        }
    }

    /// Asserts that a form asks for what the schema requires, and for nothing that it doesn't know. `own`: fields that the
    /// configuration names.
    pub(crate) fn assert_of_schema(form: &str, schema: &str, own: &[&str]) {
        let mut known = Fields::new();
        wanted(&serde_json::from_str(schema).expect("JSON"), "", &mut known);
        let asked = fields(form);
        for (field, needed) in &asked {
            if own.contains(&field.as_str()) {
                continue;
            }
            let is_required = known.get(field).copied();
            assert!(is_required.is_some(), "no such field: {field}\n{form}");
            assert!(*needed || is_required == Some(false), "{field} is required\n{form}");
        }
        // A field that is required in one that may be left out is only needed with it.
        let has_parent =
            |field: &str| field.rsplit_once('/').is_none_or(|(parent, _)| asked.contains_key(parent));
        for (field, _) in known.iter().filter(|(field, required)| **required && has_parent(field)) {
            assert!(asked.contains_key(field), "{field} is missing\n{form}");
        }
    }

    #[test]
    fn a_form_is_read_with_all_its_fields() {
        let form = "// Ids: a, b.\ntype A = {\n  a: string; // one: two\n  b?: { c: null | { \"d\": 1 | 2 } }[];\n  e: { f: { g: string } };\n};";
        let read: Vec<(String, bool)> = fields(form).into_iter().collect();
        let read: Vec<(&str, bool)> = read.iter().map(|(at, needed)| (at.as_str(), *needed)).collect();
        let expected = [
            ("a", true),
            ("b", false),
            ("b/c", true),
            ("b/c/d", true),
            ("e", true),
            ("e/f", true),
            ("e/f/g", true),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn the_name_of_a_type_stands_in_the_sentence_that_asks_for_it() {
        let form = "type Plan = {\n  id: string;\n};\n";
        assert!(
            super::alone(form)
                .starts_with("Answer with one JSON object of the type `Plan` and nothing else.")
        );
        assert!(super::at_end(form).ends_with("\n};"));
        assert_eq!(super::one_of(["a", "b\""]), r#""a" | "b\"""#);
    }
}
