//! Laws of extraction, on generated input, and a bound on its work, on hostile input.

use super::*;
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

fn any_object(_: &Value) -> Fit {
    Fit::Any
}

fn always_full(_: &Value) -> Fit {
    Fit::Full
}

/// Text with many of the characters that extraction looks at.
fn text() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        4 => "[a-z ]{1,6}",
        2 => any::<char>().prop_map(String::from),
        4 => prop::sample::select(vec![
            "\"", "'", "\\", "\\\"", "{", "}", "[", "]", ":", ",", "\n", "```", "```json\n", "//", "/*", "*/",
            "#", "...", "…", "<think>", "</think>", "“", "”", "null", "True", "12", "-", "{\"a\": 1}", "\", \"",
            "\": \"", "\\u12", "\\ud800", "\u{a0}", "\u{feff}", "&quot;", "+", "=>", "{{", "}}", "\t", "\"a\":",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

fn number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("JSON has finite numbers only", Number::from_f64),
        (-1e6..1e6).prop_filter_map("JSON has finite numbers only", Number::from_f64),
    ]
}

fn object() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number().prop_map(Value::Number),
        text().prop_map(Value::String),
    ];
    let value = scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            members(inner).prop_map(Value::Object),
        ]
    });
    members(value).prop_map(Value::Object)
}

fn members(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![3 => "[a-z_]{1,8}", 1 => text().prop_map(|text| text.replace('{', ""))];
    prop::collection::vec((key, value), 0..4).prop_map(|members| members.into_iter().collect())
}

/// Prose in which no object starts.
fn prose() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        text().prop_map(|text| text.replace('{', "")),
        prop::sample::select(vec![
            " the set {a, b} ",
            " {name} ",
            " ${x} ",
            " {{y}} ",
            " an opening { and more ",
            " \\frac{1}{2} "
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(part, 0..3).prop_map(|parts| parts.concat())
}

/// The object in the style of a Python programmer or a careless writer.
fn sloppy(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => {
            out.push('\'');
            out.push_str(&text.replace('\\', "\\\\").replace('\'', "\\'"));
            out.push('\'');
        }
        Value::Array(items) => {
            out.push_str("[ # items\n");
            for item in items {
                sloppy(item, out);
                out.push_str(",\u{a0}");
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push_str("{\n  ");
            for (key, value) in members {
                sloppy(&Value::String(key.clone()), out);
                out.push_str(" : ");
                sloppy(value, out);
                out.push_str(", // member\n");
            }
            out.push('}');
        }
    }
}

proptest! {
    #[test]
    fn valid_json_is_never_altered(object in object(), before in prose(), after in prose(), pretty: bool) {
        let json = if pretty { format!("{object:#}") } else { object.to_string() };
        let after = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        let reply = format!("{before}\n{json}\n{after}");
        let found = extract(&reply, Finish::Stop, &any_object).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(found.value.to_string(), object.to_string());
        prop_assert_eq!(found.repairs, []);
    }

    #[test]
    fn strict_reading_agrees_with_serde_json(object in object(), edit in any::<prop::sample::Index>(), with in text()) {
        let mut json = object.to_string();
        if let Some((at, c)) = json.char_indices().nth(edit.index(json.chars().count())) {
            json.replace_range(at..at + c.len_utf8(), &with);
        }
        let expected = serde_json::from_str::<Map<String, Value>>(&json);
        let mut work = Work { spent: 0, limit: u64::MAX, readings: 0 };
        if !json.trim_start_matches([' ', '\n', '\r', '\t']).starts_with('{') {
            return Ok(());
        }
        let start = json.find('{').unwrap_or(0);
        let parse = parser::parse(&json, start, parser::Tolerance::Strict, false, &mut work);
        let is_whole = parse.result.is_ok() && json[parse.end..].trim_end_matches([' ', '\n', '\r', '\t']).is_empty();
        match expected {
            Ok(expected) => {
                prop_assert!(is_whole);
                // Default float parsing of serde_json may be off by one unit in the last place.
                let strings = |members: &Map<String, Value>| Value::Object(members.clone()).to_string().len();
                prop_assert!(strings(&parse.members).abs_diff(strings(&expected)) <= 24);
            }
            Err(_) => prop_assert!(!is_whole || !parse.tally.repairs().is_empty() , "{}", json),
        }
    }

    #[test]
    fn no_prefix_is_passed_off_as_complete(object in object(), pretty: bool, fenced: bool) {
        let json = if pretty { format!("{object:#}") } else { object.to_string() };
        let before = if fenced { "Here:\n```json\n" } else { "" };
        for (at, _) in json.char_indices() {
            let reply = format!("{before}{}", &json[..at]);
            for fit in [any_object, always_full] {
                let found = extract(&reply, Finish::Stop, &fit);
                prop_assert!(found.is_err(), "{reply}\n{found:?}");
                if at > 0 {
                    let truncated = matches!(found, Err(ExtractionError::Truncated { .. }));
                    prop_assert!(truncated, "{reply}\n{found:?}");
                }
            }
        }
    }

    #[test]
    fn sloppy_objects_are_read(object in object()) {
        let mut reply = String::new();
        sloppy(&object, &mut reply);
        let found = extract(&reply, Finish::Stop, &any_object).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(found.value.to_string(), object.to_string(), "{}", reply);
        prop_assert!(object.as_object().is_some_and(Map::is_empty) || !found.repairs.is_empty());
    }

    #[test]
    fn no_prefix_of_a_sloppy_object_is_passed_off_as_complete(object in object()) {
        let mut reply = String::new();
        sloppy(&object, &mut reply);
        for (at, _) in reply.char_indices() {
            let found = extract(&reply[..at], Finish::Unknown, &any_object);
            prop_assert!(found.is_err(), "{}\n{found:?}", &reply[..at]);
        }
    }

    #[test]
    fn what_comes_out_goes_in_unchanged(reply in text(), more in text()) {
        let reply = format!("{{{reply}}} {more}");
        if let Ok(first) = extract(&reply, Finish::Unknown, &any_object) {
            let json = first.value.to_string();
            let again = extract(&json, Finish::Stop, &any_object).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(again.value.to_string(), json);
            prop_assert_eq!(again.repairs, []);
        }
    }

    #[test]
    fn work_is_linear_on_mixtures(units in prop::collection::vec(prop::sample::select(hostile_units()), 2..6)) {
        let unit = units.concat();
        let row = unit.repeat(6_000 / unit.len());
        assert_bounded(extract_counting(Reading::Latest, &row, Finish::Stop, &any_object).1, &row);
    }

    #[test]
    fn damaged_json_gives_an_object_or_an_error(object in object(), edits in prop::collection::vec((any::<prop::sample::Index>(), text()), 1..4)) {
        let mut reply = object.to_string();
        for (place, with) in edits {
            let at = place.index(reply.chars().count() + 1);
            let at = reply.char_indices().nth(at).map_or(reply.len(), |(at, _)| at);
            let end = reply[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            reply.replace_range(at..end, &with);
        }
        for fit in [any_object, always_full] {
            let (found, work) = extract_counting(Reading::Latest, &reply, Finish::Unknown, &fit);
            prop_assert!(found.is_err() || found.is_ok_and(|found| found.value.is_object()));
            assert_bounded(work, &reply);
        }
    }
}

/// Asserts that no more work was done than [`extract`] promises.
fn assert_bounded(work: Work, row: &str) {
    let bytes = row.len() as u64;
    let beginning: String = row.chars().take(60).collect();
    let most = budget(row.len()) + 12 * bytes;
    assert!(work.spent <= most, "{} looked at for {bytes} bytes of {beginning}", work.spent);
    // A brace is followed by at least one byte; on it, three tolerances may be tried, and continuing after its end.
    let most = u64::from(search::MAX_READINGS) + 4 * bytes.min(search::TAIL as u64) / 2 + 4;
    assert!(u64::from(work.readings) <= most, "{} readings for {bytes} bytes of {beginning}", work.readings);
}

/// Texts that make careless readers quadratic or recursive when repeated; `examples/hostile.rs` measures them too.
fn hostile_units() -> Vec<String> {
    serde_json::from_str(include_str!("../../../tests/extraction/hostile.json")).expect("a list of strings")
}

/// Rows that make careless readers quadratic, recursive or both.
fn hostile(bytes: usize) -> Vec<String> {
    let units = hostile_units();
    let mut rows: Vec<String> = units.iter().map(|unit| unit.repeat(bytes / unit.len())).collect();
    rows.extend(
        units.iter().map(|unit| format!("{{\"a\": \"x\", \"b\": {}", unit.repeat(bytes / unit.len()))),
    );
    rows.extend(units.iter().map(|unit| format!("{{\"a\": \"x\" y \"{}", unit.repeat(bytes / unit.len()))));
    rows.push(format!("{}{}", "{\"a\":".repeat(bytes / 12), "}".repeat(bytes / 12)));
    rows.push(format!("{}\"{}", "{\"a\":[".repeat(60), "x\" ".repeat(bytes / 3)));
    // Nested encodings.
    let mut packed = "{\"a\": 1}".to_owned();
    while packed.len() < bytes {
        packed = Value::String(packed).to_string();
    }
    rows.push(packed);
    let mut envelope = "{\"a\": 1}".to_owned();
    while envelope.len() < bytes {
        envelope = serde_json::json!({"arguments": envelope, "more": "{\"b\": 2}"}).to_string();
    }
    rows.push(envelope);
    rows
}

#[test]
fn work_is_linear_whatever_the_text() {
    let wanted = |object: &Value| Fit::by_keys(object, &["title", "summary"]);
    for bytes in [1_000, 10_000] {
        for row in hostile(bytes) {
            for fit in [&wanted as &dyn Fn(&Value) -> Fit, &any_object] {
                assert_bounded(extract_counting(Reading::Latest, &row, Finish::Stop, fit).1, &row);
            }
        }
    }
}

#[test]
fn a_megabyte_of_openings_is_an_error() {
    for unit in ["[", "{\"a\":", "`", "```json\n", "\\"] {
        let row = unit.repeat((1 << 20) / unit.len());
        assert!(extract(&row, Finish::Stop, &any_object).is_err(), "{unit}");
    }
}

#[test]
fn beyond_many_false_starts_only_the_end_is_tried() {
    let false_starts = "{\"a\":1".repeat(20_000);
    let wanted = |object: &Value| Fit::by_keys(object, &["title"]);
    let answer = "\n{\"title\": \"x\"}";
    let (found, work) =
        extract_counting(Reading::Latest, &format!("{false_starts}{answer}"), Finish::Stop, &wanted);
    assert_eq!(found.map(|found| found.value), Ok(serde_json::json!({"title": "x"})));
    assert!(work.readings < 60_000, "{}", work.readings);
    // The object at the end may be a part of the text that was not tried.
    let found = extract(&format!("{false_starts}{answer}"), Finish::Stop, &any_object);
    assert!(matches!(found, Err(ExtractionError::Malformed { .. })), "{found:?}");
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let nested = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert!(extract(&nested(parser::MAX_DEPTH), Finish::Stop, &any_object).is_ok());
    let too_deep = Err(ExtractionError::TooDeep { limit: parser::MAX_DEPTH });
    assert_eq!(extract(&nested(parser::MAX_DEPTH + 1), Finish::Stop, &any_object), too_deep);
    assert_eq!(extract(&nested(200_000), Finish::Stop, &any_object), too_deep);
}

#[test]
fn a_text_beyond_the_limit_is_refused_unread() {
    let (found, work) =
        extract_counting(Reading::Latest, &" ".repeat(MAX_BYTES + 1), Finish::Stop, &any_object);
    assert_eq!(found, Err(ExtractionError::TooLarge { bytes: MAX_BYTES + 1, limit: MAX_BYTES }));
    assert_eq!((work.spent, work.readings), (0, 0));
}

#[test]
fn a_broken_object_is_located_in_lines_and_characters() {
    let reply = "Here — it is:\n{\"title\": \"é\",\n \"risks\": @@@}";
    let found = extract(reply, Finish::Stop, &any_object);
    assert_eq!(found, Err(ExtractionError::Malformed { line: 3, column: 11, found: "@@@}".to_owned() }));
}
