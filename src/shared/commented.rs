//! JSON with comments: the form in which a first settings file is written for people.

use super::schema;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The width up to which a value stays on one line.
const WIDTH: usize = 100;

/// Writes a comment on the following setting, after an empty line.
pub(crate) fn explain(out: &mut String, text: &str) {
    out.push('\n');
    explain_further(out, text);
}

pub(crate) fn explain_further(out: &mut String, text: &str) {
    let mut line = "  //".to_owned();
    for word in text.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            "  //".clone_into(&mut line);
        }
        line.push(' ');
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

/// Writes the lines of a setting, set or commented out.
pub(crate) fn put(out: &mut String, lines: &str, set: bool) {
    for (index, line) in lines.lines().enumerate() {
        // Further lines are indented for the position of a set value.
        let line = if index == 0 { line } else { line.strip_prefix("  ").unwrap_or(line) };
        let _ = writeln!(out, "  {}{line}", if set { "" } else { "// " });
    }
}

/// JSON on one line if it fits, otherwise with one entry on each line.
pub(crate) fn layout(value: &Value, indent: usize) -> String {
    let line = inline(value);
    if indent + line.chars().count() <= WIDTH {
        return line;
    }
    let inner = " ".repeat(indent + 2);
    let outer = " ".repeat(indent);
    match value {
        Value::Array(items) => {
            let items: Vec<String> =
                items.iter().map(|item| format!("{inner}{},\n", layout(item, indent + 2))).collect();
            format!("[\n{}{outer}]", items.concat())
        }
        Value::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{inner}{}: {},\n", json!(key), layout(value, indent + 2)))
                .collect();
            format!("{{\n{}{outer}}}", entries.concat())
        }
        _ => line,
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Object(map) if map.is_empty() => "{}".to_owned(),
        Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", json!(key), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Number(number) if number.is_f64() => {
            schema::number(number.as_f64().unwrap_or_default()).to_string()
        }
        _ => value.to_string(),
    }
}
