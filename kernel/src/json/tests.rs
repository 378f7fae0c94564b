use super::{pretty, read};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The same types twice: read by our derive, and by serde's.
macro_rules! twice {
    ($($types:tt)*) => {
        #[expect(dead_code, reason = "their values are only formatted")]
        mod ours {
            use crate::json::{Deserialize, Fault, Node, Read};

            fn half(node: Node) -> Result<u64, Fault> {
                u64::read(node).map(|number| number / 2)
            }

            $($types)*
        }

        #[expect(dead_code, reason = "their values are only formatted")]
        mod theirs {
            use serde::{Deserialize, Deserializer};

            fn half<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
                u64::deserialize(from).map(|number| number / 2)
            }

            $($types)*
        }
    };
}

twice! {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet};

    fn seven() -> u64 {
        7
    }

    // The first field of a structure is one that no list of these tests begins with: serde would read a structure from a list.
    #[derive(Debug, Deserialize)]
    pub(super) struct Whole {
        name: Id,
        kind: Tagged,
        plain: Option<Plain>,
        #[serde(default)]
        outer: Option<Outer>,
        #[serde(rename = "besides", default)]
        beside: Vec<Beside>,
        numbers: BTreeMap<Id, (u8, i64, f64)>,
        #[serde(deserialize_with = "half")]
        half: u64,
        #[serde(default = "seven", deserialize_with = "half")]
        or_seven: u64,
        #[serde(skip)]
        skipped: u8,
        #[serde(flatten)]
        rest: Rest,
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
    #[serde(transparent)]
    struct Id(Cow<'static, str>);

    #[derive(Debug, Deserialize)]
    struct Rest {
        note: Box<str>,
        #[serde(flatten)]
        others: BTreeMap<String, serde_json::Value>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Tagged {
        NoFields,
        #[serde(rename = "with")]
        WithFields {
            text: Box<str>,
            #[serde(default)]
            set: BTreeSet<u32>,
        },
        New(Box<Settings>),
        #[serde(skip_deserializing)]
        Skipped,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Plain {
        TheFirst,
        Second,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Outer {
        NoFields,
        New(Option<bool>),
        Pair(bool, [u16; 2]),
        Fields { text: String, id: Option<Id> },
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "kind", content = "content")]
    enum Beside {
        None,
        Text(String),
    }

    #[derive(Debug, Deserialize)]
    #[serde(default)]
    struct Settings {
        label: String,
        on: bool,
        most: usize,
        strict: Option<Strict>,
    }

    impl Default for Settings {
        fn default() -> Self {
            Self { label: "none".to_owned(), on: true, most: 3, strict: None }
        }
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        r#type: String,
        least: Option<i32>,
    }
}

fn examples() -> [Value; 4] {
    [
        json!({"name": "a", "kind": {"kind": "no_fields", "more": 1}, "numbers": {}, "half": 4, "note": "é"}),
        json!({"name": "a", "kind": {"text": "b", "kind": "with", "set": [1, 2, 1]}, "plain": "the-first",
            "outer": {"new": true}, "besides": [{"kind": "None"}, {"kind": "Text", "content": "c"}],
            "numbers": {"x": [1, -2, 0.5], "y": [255, 9, 3]}, "half": 3, "or_seven": 20, "note": "n", "other": {"z": []}}),
        json!({"name": "a", "kind": {"kind": "new", "on": false, "strict": {"type": "t", "least": -4}}, "plain": "second",
            "outer": {"pair": [false, [1, 2]]}, "numbers": {}, "half": 0, "note": "n"}),
        json!({"name": "a", "kind": {"kind": "new"}, "plain": {"second": null}, "outer": {"fields": {"text": "t"}},
            "numbers": {}, "half": 0, "note": "n"}),
    ]
}

/// Where the values within a value are, as JSON pointers, itself included.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| places(item, &format!("{at}/{index}"), all));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| places(member, &format!("{at}/{key}"), all));
        }
        _ => {}
    }
}

/// What may happen to a value.
#[derive(Clone, Debug)]
enum Change {
    /// One of the values in it becomes another.
    Becomes(usize, Value),
    /// A member of one of its objects disappears.
    Loses(usize, usize),
    /// One of its objects gains a member, perhaps in place of another.
    Gains(usize, &'static str, Value),
}

fn objects(value: &mut Value, act: &mut dyn FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| objects(item, act)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| objects(member, act));
            act(members);
        }
        _ => {}
    }
}

fn change(value: &mut Value, change: Change) {
    match change {
        Change::Becomes(which, other) => {
            let mut all = Vec::new();
            places(value, "", &mut all);
            *value.pointer_mut(&all[which % all.len()]).unwrap() = other;
        }
        Change::Loses(which, member) => {
            let (mut seen, which) = (0, which % 6);
            objects(value, &mut |members| {
                if seen == which && !members.is_empty() {
                    let key = members.keys().nth(member % members.len()).cloned().unwrap_or_default();
                    members.shift_remove(&key);
                }
                seen += 1;
            });
        }
        Change::Gains(which, key, other) => {
            let (mut seen, which) = (0, which % 6);
            objects(value, &mut |members| {
                if seen == which {
                    members.insert(key.to_owned(), other.clone());
                }
                seen += 1;
            });
        }
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 11] = [
        "a",
        "no_fields",
        "with",
        "new",
        "skipped",
        "Skipped",
        "the-first",
        "TheFirst",
        "nofields",
        "pair",
        "Text",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-300_i64..70_000).prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        Just(json!(1.0)),
        Just(json!(-2.5)),
    ];
    prop_oneof![
        leaf.clone(),
        prop::sample::select(&WORDS).prop_map(Value::from),
        prop::collection::vec(leaf.clone(), 0..4).prop_map(Value::from),
        prop::collection::btree_map(prop::sample::select(&WORDS), leaf, 0..3).prop_map(|all| json!(all)),
    ]
}

fn any_change() -> impl Strategy<Value = Change> {
    const KEYS: [&str; 9] = ["name", "kind", "content", "plain", "outer", "text", "type", "least", "extra"];
    prop_oneof![
        (any::<usize>(), any_value()).prop_map(|(which, value)| Change::Becomes(which, value)),
        (any::<usize>(), any::<usize>()).prop_map(|(which, member)| Change::Loses(which, member)),
        (any::<usize>(), prop::sample::select(&KEYS), any_value())
            .prop_map(|(which, key, value)| Change::Gains(which, key, value)),
    ]
}

/// What both read, or that both refuse.
fn both(text: &str) -> [Option<String>; 2] {
    [
        read::<ours::Whole>(text).ok().map(|whole| format!("{whole:?}")),
        serde_json::from_str::<theirs::Whole>(text).ok().map(|whole| format!("{whole:?}")),
    ]
}

#[test]
fn the_examples_are_read() {
    for example in examples() {
        let [ours, theirs] = both(&example.to_string());
        assert_eq!(ours, theirs);
        assert!(ours.is_some(), "{example}: {:?}", read::<ours::Whole>(&example.to_string()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_serde_reads_is_read_and_what_it_refuses_is_refused(
        example in 0..4_usize,
        changes in prop::collection::vec(any_change(), 1..3),
    ) {
        let mut value = examples()[example].clone();
        for one in changes {
            change(&mut value, one);
        }
        let [ours, theirs] = both(&value.to_string());
        prop_assert_eq!(ours, theirs, "{}", value);
    }
}

fn without_position(error: &str) -> String {
    error.rsplit_once(" at line ").unwrap().0.to_owned()
}

#[test]
fn an_error_is_that_of_serde_with_the_place() {
    let told = |change: fn(&mut Value)| {
        let mut value = examples()[1].clone();
        change(&mut value);
        without_position(&read::<ours::Whole>(&value.to_string()).unwrap_err().to_string())
    };
    for (change, expected) in [
        (
            (|value| drop(value.as_object_mut().unwrap().remove("name"))) as fn(&mut Value),
            "missing field `name`",
        ),
        (|value| value["name"] = json!(3), "invalid type: integer `3`, expected a string, in name"),
        (
            |value| value["kind"]["kind"] = json!("other"),
            "unknown variant `other`, expected one of `no_fields`, `with`, `new`, in kind.kind",
        ),
        (|value| value["kind"]["text"] = json!(null), "invalid type: null, expected a string, in kind.text"),
        (
            |value| value["kind"]["set"][1] = json!(-1),
            "invalid value: integer `-1`, expected u32, in kind.set[1]",
        ),
        (|value| value["kind"] = json!({}), "missing field `kind`, in kind"),
        (
            |value| value["plain"] = json!("third"),
            "unknown variant `third`, expected `the-first` or `second`, in plain",
        ),
        (
            |value| value["outer"] = json!({"new": 1.5}),
            "invalid type: floating point `1.5`, expected a boolean, in outer.new",
        ),
        (
            |value| value["outer"] = json!("new"),
            "invalid type: unit variant, expected newtype variant, in outer",
        ),
        (
            |value| value["numbers"]["x"] = json!([1]),
            "invalid length 1, expected a tuple of size 3, in numbers.x",
        ),
        (
            |value| value["kind"] = json!({"kind": "new", "strict": {"type": "t", "most": 1}}),
            "unknown field `most`, expected `type` or `least`, in kind.strict",
        ),
    ] {
        assert_eq!(told(change), expected);
    }
}

#[test]
fn an_error_in_the_text_has_its_line_and_column() {
    for text in ["", "{", "{\"name\":\n?}", "{} x", "[1,]", "nul", r#"{"name":"\x"}"#] {
        assert_eq!(
            read::<ours::Whole>(text).unwrap_err().to_string(),
            serde_json::from_str::<Value>(text).unwrap_err().to_string()
        );
    }
}

#[test]
fn a_wrong_value_is_found_by_its_line_and_column() {
    let mut value = examples()[1].clone();
    value["name"] = json!("a \"},{[\\");
    value["besides"][1]["content"] = json!(["here"]);
    for text in [value.to_string(), pretty(&value), pretty(&value).replace('\n', "\r\n").replace(':', " :")] {
        let error = read::<ours::Whole>(&text).unwrap_err();
        let line = text.lines().nth(error.line() - 1).unwrap();
        let found: String =
            line[error.column() - 1..].to_owned() + text.lines().nth(error.line()).unwrap_or_default();
        assert!(found.replace(' ', "").starts_with("[\"here\""), "{error}: {found}");
    }
    let error = read::<Vec<u8>>("[1,\n 2, 300]").unwrap_err();
    assert_eq!(error.to_string(), "invalid value: integer `300`, expected u8, in [2] at line 2 column 5");
}

#[test]
fn a_member_occurs_once() {
    let told = |text: &str| without_position(&read::<ours::Whole>(text).unwrap_err().to_string());
    assert_eq!(told(r#"{"name":"a","name":"b"}"#), "duplicate field `name`");
    assert_eq!(
        told(r#"{"name":"a","kind":{"kind":"no_fields","kind":"new"}}"#),
        "duplicate field `kind`, in kind"
    );
}

#[test]
fn a_list_is_no_structure() {
    let told = read::<Vec<ours::Whole>>(r#"[["a"]]"#).unwrap_err().to_string();
    assert_eq!(told, "invalid type: sequence, expected struct Whole, in [0] at line 1 column 2");
}

#[test]
fn lines_are_broken_where_serde_json_breaks_them() {
    for text in [
        r#"{"a":[],"b":{},"c":[{},[[]],1.5e300,-2],"d":{"e":{"f":null}},"\\\"{[,:":"\\","g":"\"]}\u0000é"}"#,
        "[]",
        "3",
        r#""a,b""#,
        r#"[{"a":true}]"#,
    ] {
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(pretty(&value), serde_json::to_string_pretty(&value).unwrap());
    }
}
