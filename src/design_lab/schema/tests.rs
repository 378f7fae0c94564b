//! Compares the checks with those of the `jsonschema` crate, and with what can be read.

use super::*;
use crate::design_lab::artefacts::{Design, Evaluations};
use crate::design_lab::config::RawConfig;
use crate::random::Random;
use crate::shared::schema::check::{Fault as Broken, faults};
use crate::shared::schema::has_form;
use jsonc_parser::{ParseOptions, parse_to_serde_value};
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::json;

/// The number of valid and invalid variants of each example.
const VARIANTS: usize = 1_000;

#[test]
fn what_the_library_complains_about_is_found() {
    for (name, schema) in [
        ("design-lab/examples/config", include_str!("../../../schemas/design-lab/config.json")),
        ("design-lab/examples/design", include_str!("../../../schemas/design-lab/design-reply.json")),
        ("design-lab/examples/review", include_str!("../../../schemas/design-lab/review-reply.json")),
        ("validation/examples/settings", include_str!("../../../schemas/validation/settings.json")),
    ] {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut library = jsonschema::options().should_validate_formats(true);
        for form in ["auto", "model-name", "slug", "dimension-name"] {
            library = library.with_format(form, move |text: &str| has_form(form, text));
        }
        let library = library.build(&schema).unwrap();
        let mut valid = 0;
        for value in variants(name) {
            let mut found: Vec<Complaint> =
                faults(&value, &schema, &has_form).into_iter().map(Complaint::from).collect();
            let mut expected: Vec<Complaint> = library.iter_errors(&value).map(Complaint::from).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{name}: {value}");
            valid += usize::from(found.is_empty());
        }
        assert!(valid > VARIANTS / 100 && valid < VARIANTS, "{name}: {valid} of {VARIANTS} are valid");
    }
}

#[test]
fn every_rule_of_the_schemas_is_checked() {
    const CHECKED: [&str; 13] = [
        "additionalProperties",
        "enum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "properties",
        "required",
    ];
    const SAY_NOTHING: [&str; 8] =
        ["$id", "$schema", "default", "description", "enumDescriptions", "examples", "title", "type"];
    let mut open: Vec<Value> = [
        "design-lab/config",
        "design-lab/design-reply",
        "design-lab/review-reply",
        "validation/settings",
        "validation/verification-reply",
        "validation/analysis-reply",
        "validation/suite-reply",
        "flow/plan-reply",
        "flow/report-reply",
        "flow/review-reply",
        "flow/exam-reply",
    ]
    .map(|name| format!("{}/schemas/{name}.json", env!("CARGO_MANIFEST_DIR")))
    .map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    .into();
    while let Some(node) = open.pop() {
        for (keyword, value) in node.as_object().into_iter().flatten() {
            assert!(
                CHECKED.contains(&keyword.as_str()) || SAY_NOTHING.contains(&keyword.as_str()),
                "{keyword}: {node}"
            );
            match keyword.as_str() {
                "properties" => open.extend(value.as_object().unwrap().values().cloned()),
                "items" | "additionalProperties" => open.push(value.clone()),
                _ => {}
            }
        }
    }
}

/// Checks this so that a value that the schema accepts can't fail later, where the error could no longer be explained.
#[test]
fn whatever_a_schema_accepts_serde_reads() {
    type Check = fn(&Value) -> Vec<Problem>;
    type Read = fn(Value) -> Result<(), String>;
    let cases: [(&str, Check, Read); 3] = [
        ("config", config_problems, |value| {
            RawConfig::read(value).map(drop).map_err(|error| error.to_string())
        }),
        ("design", design_problems, |value| {
            Design::from_reply(value).map(drop).map_err(|problems| format!("{problems:?}"))
        }),
        ("review", review_problems, |value| {
            serde_json::from_value::<Evaluations>(value).map(drop).map_err(|error| error.to_string())
        }),
    ];
    for (name, problems, read) in cases {
        for value in
            variants(&format!("design-lab/examples/{name}")).filter(|value| problems(value).is_empty())
        {
            let result = read(value.clone());
            assert!(result.is_ok(), "{name}: {result:?} {value}");
        }
    }
}

#[test]
fn every_error_is_explained() {
    type Check = fn(&Value) -> Vec<Problem>;
    let checks: [(&str, Check); 3] =
        [("config", config_problems), ("design", design_problems), ("review", review_problems)];
    for (name, problems) in checks {
        for value in variants(&format!("design-lab/examples/{name}")) {
            for problem in problems(&value) {
                let explained = !problem.code.as_str().ends_with(".invalid")
                    && problem.found.is_some()
                    && problem.allowed.as_ref().is_some_and(|allowed| !allowed.is_empty());
                assert!(explained, "{problem:?}");
                assert!(name != "config" || problem.next.is_some(), "{problem:?}");
            }
        }
    }
}

#[test]
fn model_names_have_a_provider() {
    for name in ["zhipuai/glm-4.6", "openrouter/anthropic/claude-sonnet-4.5", "ollama/llama3:8b"] {
        assert!(is_model_name(name), "{name}");
    }
    for name in ["", "glm", "/glm", "a/", "a/b/", "a /b", "a/b c", "a/b\n"] {
        assert!(!is_model_name(name), "{name}");
    }
}

#[test]
fn places_read_like_code() {
    let cases = [
        ("", "the document"),
        ("/design_models/0/id", "`design_models[0].id`"),
        ("/a~1b/~0/12", "`a/b.~[12]`"),
        ("/1", "`[1]`"),
    ];
    for (pointer, expected) in cases {
        assert_eq!(place(pointer), expected);
    }
    assert_eq!(child("/a", "b/~c"), "/a/b~1~0c");
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Complaint {
    pointer: String,
    keyword: String,
    keys: Vec<String>,
}

impl From<Broken<'_>> for Complaint {
    fn from(fault: Broken<'_>) -> Self {
        let keys = fault.keys.into_iter().map(str::to_owned).collect();
        Self { pointer: fault.pointer, keyword: fault.keyword.to_owned(), keys }
    }
}

impl From<jsonschema::ValidationError<'_>> for Complaint {
    fn from(error: jsonschema::ValidationError<'_>) -> Self {
        let keys = match error.kind() {
            Kind::AdditionalProperties { unexpected } => unexpected.clone(),
            Kind::Required { property } => vec![property.as_str().unwrap().to_owned()],
            _ => Vec::new(),
        };
        let pointer = error.instance_path().as_str().to_owned();
        Self { pointer, keyword: error.kind().keyword().to_owned(), keys }
    }
}

/// Returns the example, and copies of it with a few changes at random places.
fn variants(name: &str) -> impl Iterator<Item = Value> {
    let path = format!("{}/schemas/{name}.jsonc", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let example: Value = parse_to_serde_value(&text, &ParseOptions::default()).unwrap();
    let mut random = Random::new(20_261_120, name);
    (0..VARIANTS).map(move |_| {
        let mut value = example.clone();
        for _ in 0..random.below(4) {
            change(&mut value, &mut random);
        }
        value
    })
}

fn change(value: &mut Value, random: &mut Random) {
    let descend = random.below(6) > 0;
    let pick = |random: &mut Random, count: usize| usize::try_from(random.below(count as u64)).unwrap();
    match value {
        Value::Object(map) if descend && !map.is_empty() => {
            let key = map.keys().nth(pick(random, map.len())).unwrap().clone();
            match random.below(12) {
                0 => drop(map.shift_remove(&key)),
                1 => {
                    let moved = map.shift_remove(&key).unwrap();
                    map.insert(format!("{key}s"), moved);
                }
                _ => change(&mut map[&key], random),
            }
        }
        Value::Array(items) if descend && !items.is_empty() => {
            let index = pick(random, items.len());
            match random.below(8) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => change(&mut items[index], random),
            }
        }
        _ => {
            let others = [
                json!(null),
                json!(true),
                json!(-1),
                json!(0),
                json!(1),
                json!(2.5),
                json!(1e300),
                json!(""),
                json!("low"),
                json!("a/b"),
                json!("Ünïcode ✓"),
                json!([]),
                json!(["text"]),
                json!({}),
                json!({ "name": "x" }),
            ];
            *value = others[pick(random, others.len())].clone();
        }
    }
}
