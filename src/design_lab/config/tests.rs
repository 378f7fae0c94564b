//! Laws of loading. Goldens and tables of what users see are in `tests/design_lab/config.rs`.

use super::layers::merge;
use super::*;
use proptest::prelude::*;
use serde_json::json;

fn source(origin: Layer, text: impl Into<String>) -> Source {
    Source { origin, file: format!("{origin:?}"), text: text.into() }
}

fn models() -> Value {
    json!({ "design_models": ["a/one", "b/two"] })
}

/// Values in which `a` and `b` are always objects and `x` and `y` never are, as the schema guarantees for
/// settings.
fn settings() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        (0..9).prop_map(Value::from),
        Just(Value::Null),
        prop::collection::vec(0..3, 0..3).prop_map(|items| json!(items)),
    ];
    let leaves = prop::collection::hash_map(prop::sample::select(vec!["x", "y"]), leaf, 0..3)
        .prop_map(|map| map.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Value>());
    leaves.prop_recursive(3, 16, 2, |inner| {
        (inner.clone(), prop::option::of(inner.clone()), prop::option::of(inner)).prop_map(
            |(mut value, a, b)| {
                for (key, nested) in [("a", a), ("b", b)] {
                    if let Some(nested) = nested {
                        value[key] = nested;
                    }
                }
                value
            },
        )
    })
}

/// Texts that are almost configurations: fragments in any order.
fn nearly_json() -> impl Strategy<Value = String> {
    let fragments = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "'",
        "//",
        "/*",
        "*/",
        "\n",
        "\\",
        "\\u",
        "\u{feff}",
        "1",
        "-",
        "1e999",
        "0.5",
        "true",
        "null",
        "\"design_models\"",
        "\"review\"",
        "\"mode\"",
        "\"a/b\"",
        "\"{file:x}\"",
        "\"seed\"",
        "é",
        "日",
    ];
    prop::collection::vec(prop::sample::select(fragments.to_vec()), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn merging_is_associative(low in settings(), middle in settings(), high in settings()) {
        let left = merge(merge(low.clone(), middle.clone()), high.clone());
        let right = merge(low, merge(middle, high));
        prop_assert_eq!(left, right);
    }

    #[test]
    fn merging_with_nothing_changes_nothing(value in settings()) {
        prop_assert_eq!(&merge(json!({}), value.clone()), &value);
        prop_assert_eq!(&merge(value.clone(), json!({})), &value);
        prop_assert_eq!(&merge(value.clone(), value.clone()), &value);
    }

    #[test]
    fn loading_never_panics(text in prop_oneof![any::<String>(), nearly_json()], options in nearly_json()) {
        let sources = [source(Layer::Options, options), source(Layer::Global, text)];
        let found = references(&sources);
        let files: Vec<ReferencedFile> = found
            .into_iter()
            .map(|reference| ReferencedFile {
                leads: Some(reference.path.clone()),
                reference,
                text: Some("Be brief.".to_owned()),
                error: None,
            })
            .collect();
        if let Err(problems) = load(&sources, &files, &AvailableModels::default()) {
            prop_assert!(!problems.is_empty());
        }
    }

    #[test]
    fn a_setting_comes_from_the_highest_source_that_has_it(
        global in prop::option::of(1_u32..65),
        project in prop::option::of(1_u32..65),
        options in prop::option::of(1_u32..65),
    ) {
        let text = |value: Option<u32>| value.map_or_else(|| json!({}), |value| json!({ "concurrency": value })).to_string();
        // Given in any order.
        let loaded = load(
            &[
                source(Layer::Options, text(options)),
                source(Layer::Global, merge(models(), serde_json::from_str(&text(global)).unwrap()).to_string()),
                source(Layer::Project, text(project)),
            ],
            &[],
            &AvailableModels::default(),
        ).unwrap();
        prop_assert_eq!(loaded.config.concurrency, options.or(project).or(global).unwrap_or(4));
        let expected = [(options, Layer::Options), (project, Layer::Project), (global, Layer::Global)]
            .into_iter()
            .find_map(|(value, layer)| value.map(|_| layer))
            .unwrap_or(Layer::Default);
        prop_assert_eq!(loaded.origins["/concurrency"].layer, expected);
    }
}

#[test]
fn defaults_written_out_change_nothing() {
    let defaults = serde_json::to_value(RawConfig::default()).unwrap();
    let load = |text: Value| {
        load(&[source(Layer::Project, text.to_string())], &[], &AvailableModels::default()).unwrap()
    };
    assert_eq!(load(merge(defaults, models())).config, load(models()).config);
}

#[test]
fn a_setting_that_is_wrong_does_not_hide_others() {
    let sources = [
        source(Layer::Global, r#"{ "design_models": ["a/one", "b/two"], "concurrency": 0 }"#),
        source(Layer::Project, "{ not json"),
        source(Layer::Options, r#"{ "output_directory": "..", "concurrency": 2 }"#),
    ];
    let problems = load(&sources, &[], &AvailableModels::default()).unwrap_err();
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["config.out-of-bounds", "config.syntax", "config.output-directory"]);
}

#[test]
fn a_text_without_end_is_not_looked_at() {
    let text = format!("{{ \"design_models\": [\"a/one\", \"b/two\"]{} }}", " ".repeat(1 << 20));
    let problems = load(&[source(Layer::Project, text)], &[], &AvailableModels::default()).unwrap_err();
    assert_eq!(problems[0].code, "config.too-large");
}

#[test]
fn thousands_of_problems_are_reported_as_some_and_a_number() {
    let keys: Vec<String> = (0..2_000).map(|key| format!("\"k{key}\": 1")).collect();
    let text = source(Layer::Project, format!("{{ {} }}", keys.join(",\n")));
    let loaded = load(std::slice::from_ref(&text), &[], &AvailableModels::default()).unwrap_err();
    for problems in [loaded, check(&text)] {
        assert_eq!(problems.len(), 41);
        assert_eq!(problems[0].pointer.as_deref(), Some("/k0"));
        assert!(problems[40].message.starts_with("There are 1960"), "{}", problems[40].message);
    }
}
