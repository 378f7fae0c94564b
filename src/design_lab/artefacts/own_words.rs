//! Checks whether a design or a review has content of its own: models copy the form, and write one part again and again.

use super::canonical;
use super::code::ArtefactCode;
use super::design::DETAIL_KEYS;
use crate::design_lab::config::Dimension;
use crate::design_lab::schema::{child, quote};
use crate::shared::AnswerCode;
use crate::shared::reply::{FormTexts, words};
use kernel::problem::Problem;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static DESIGN_FORM: LazyLock<FormTexts> =
    LazyLock::new(|| FormTexts::of(&[include_str!("../../../prompts/design-lab/design-form.md")]));
static SCORES_FORM: LazyLock<FormTexts> = LazyLock::new(|| {
    FormTexts::of(&[
        include_str!("../../../prompts/design-lab/scores-form.md"),
        include_str!("../../../prompts/design-lab/scores-form-plain.md"),
        include_str!("../../../prompts/design-lab/constraints-form.md"),
    ])
});
static COMPARISON_FORM: LazyLock<FormTexts> =
    LazyLock::new(|| FormTexts::of(&[include_str!("../../../prompts/design-lab/comparison-form.md")]));

/// The top-level keys of a design, which distinguish it from any other object.
pub const DESIGN_KEYS: [&str; 9] = [
    "title",
    "summary",
    "assumptions",
    "architecture_overview",
    "components",
    "data_flow",
    "tradeoffs",
    "risks",
    "open_questions",
];
/// The levels that a design's form names; no other text consists of just a level.
const LEVELS: [&str; 3] = ["low", "medium", "high"];
/// The keys at which a design may repeat a single word of its form: the choices of a decision, and values that refer to
/// something else.
const CHOICES: [&str; 5] = ["impact", "options", "chosen", "dependencies", "sources"];
/// The parts of a design, as its form names them: no component may have such a name.
const PARTS: [&str; 5] = ["architecture overview", "assumptions", "data flow", "open questions", "tradeoffs"];

/// Returns what a design copied from its form, and components that are the same, and repeated text.
pub fn design_copies(value: &Value) -> Vec<Problem> {
    let value = &only(canonical::design(value.clone()), &DESIGN_KEYS);
    let mut problems = DESIGN_FORM.copied(value, &CHOICES);
    let components = value["components"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, component) in components.iter().enumerate() {
        let at = |key: &str| format!("/components/{index}/{key}");
        let name = plain(&component["name"]);
        if PARTS.contains(&name.as_str()) {
            problems.push(copied(&at("name"), &component["name"]));
        }
        for key in ["name", "description"] {
            let said = plain(&component[key]);
            let before = components[..index].iter().position(|other| plain(&other[key]) == said);
            if let Some(before) = before.filter(|_| !said.is_empty()) {
                problems.push(
                    Problem::new(ArtefactCode::DesignEqualComponents, "Two components are the same.")
                        .at(at(key))
                        .found(format!("{}, already at /components/{before}", quote(text(&component[key]))))
                        .allowed(format!("a {key} that no other component has")),
                );
            }
        }
    }
    for key in ["title", "summary", "architecture_overview", "data_flow"] {
        problems.extend(level(&format!("/{key}"), &value[key]));
    }
    for (list, keys) in [("tradeoffs", &["aspect", "rationale"]), ("risks", &["risk", "mitigation"])] {
        for (index, entry) in value[list].as_array().into_iter().flatten().enumerate() {
            problems
                .extend(keys.iter().filter_map(|key| level(&format!("/{list}/{index}/{key}"), &entry[*key])));
        }
    }
    problems.extend(repeated(value));
    problems
}

/// Finds a text that occurs in three places or more, and so describes none of them. Names may be repeated.
fn repeated(design: &Value) -> Option<Problem> {
    /// Shorter texts may be names.
    const SHORTEST: usize = 4;
    let mut places: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    let mut texts = vec![(String::new(), design)];
    while let Some((at, value)) = texts.pop() {
        match value {
            Value::String(text) => places.entry(words(text)).or_default().push(at),
            Value::Array(items) => {
                texts.extend(
                    items.iter().enumerate().map(|(index, item)| (child(&at, &index.to_string()), item)),
                );
            }
            Value::Object(members) => {
                let wording =
                    members.iter().filter(|(key, _)| !["dependencies", "options"].contains(&key.as_str()));
                texts.extend(wording.map(|(key, member)| (child(&at, key), member)));
            }
            _ => {}
        }
    }
    let (said, at) = places.into_iter().find(|(said, at)| said.len() >= SHORTEST && at.len() > 2)?;
    Some(
        Problem::new(AnswerCode::Repeated, "The same text occurs in several places.")
            .at(at.last()?.as_str())
            .found(quote(&said.join(" ")))
            .allowed("a different text in each place"),
    )
}

/// Returns what a reviewer's scores copied from their form.
pub fn scores_copies(value: &Value) -> Vec<Problem> {
    SCORES_FORM.copied(value, &["design_id", "risk_assessment", "quote"])
}

/// Returns what a comparison copied from its form.
pub fn comparison_copies(value: &Value) -> Vec<Problem> {
    COMPARISON_FORM.copied(value, &["preferred", "dimensions"])
}

/// Returns justifications that repeat a sentence of the request. `texts` are pairs of a pointer and a text.
pub fn echoes<'a>(texts: impl Iterator<Item = (String, &'a str)>, request: &str) -> Vec<Problem> {
    let ends = |c: char| matches!(c, '.' | '\n' | '?' | '!' | ';');
    let asked: Vec<Vec<String>> = request.split(ends).map(words).filter(|words| words.len() > 3).collect();
    texts
        .filter(|(_, text)| asked.contains(&words(text)))
        .map(|(at, text)| {
            Problem::new(AnswerCode::Echo, "This text repeats the prompt.")
                .at(at)
                .found(quote(text))
                .allowed("your own words: the reasons, with their evidence")
        })
        .collect()
}

/// Whether a review gives every design the same score on each dimension, so that it doesn't distinguish them.
pub fn is_undiscriminating(scores: &[&BTreeMap<String, f64>], dimensions: &[Dimension]) -> bool {
    let [first, others @ ..] = scores else { return false };
    let same = |name: &String| others.iter().all(|other| other.get(name) == first.get(name));
    !others.is_empty() && dimensions.iter().all(|dimension| same(&dimension.name))
}

/// Returns what the parts of a design for a builder copied from its form. Earlier versions didn't keep these parts.
pub fn detail_copies(value: &Value) -> Vec<Problem> {
    DESIGN_FORM.copied(&only(canonical::design(value.clone()), &DETAIL_KEYS), &[])
}

/// Returns these parts of a design; the rest of an answer is dropped.
fn only(design: Value, keys: &[&str]) -> Value {
    let Value::Object(members) = design else { return design };
    members.into_iter().filter(|(key, _)| keys.contains(&key.as_str())).collect::<Map<_, _>>().into()
}

fn level(at: &str, value: &Value) -> Option<Problem> {
    LEVELS.contains(&plain(value).as_str()).then(|| copied(at, value))
}

fn copied(at: &str, value: &Value) -> Problem {
    Problem::new(AnswerCode::Copied, "This text is copied from the form.")
        .at(at)
        .found(quote(text(value)))
        .allowed("your own words about this task")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn plain(value: &Value) -> String {
    words(text(value)).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn design() -> Value {
        json!({
            "title": "A token bucket in Redis", "summary": "One Lua script takes tokens atomically.", "assumptions": [],
            "architecture_overview": "The gateway asks Redis before it lets a request through.",
            "components": [
                {"name": "Gateway", "description": "Answers 429.", "responsibilities": ["count requests"]},
                {"name": "Store", "description": "Holds the buckets.", "responsibilities": []},
            ],
            "data_flow": "Client, gateway, Redis.",
            "tradeoffs": [{"aspect": "Consistency", "options": ["high", "low"], "chosen": "low", "rationale": "A second is fine."}],
            "risks": [{"risk": "Redis is down.", "impact": "high", "mitigation": "Let requests through."}],
            "open_questions": ["Who pays?"],
        })
    }

    fn codes(value: &Value) -> Vec<String> {
        let problems = design_copies(value).into_iter();
        problems.map(|problem| format!("{} {}", problem.code, problem.pointer.unwrap_or_default())).collect()
    }

    #[test]
    fn a_design_of_its_own_has_no_copies() {
        assert_eq!(codes(&design()), Vec::<String>::new());
    }

    #[test]
    fn texts_of_the_form_are_copies_however_they_are_written() {
        for text in [
            "its name",
            "It's Name…",
            "what it is",
            "A Short, Descriptive Title",
            "The design in two paragraphs",
            "string",
        ] {
            let mut value = design();
            value["summary"] = json!(text);
            assert_eq!(codes(&value), ["answer.copied /summary"], "{text}");
        }
    }

    #[test]
    fn a_component_is_named_once_and_not_after_a_part_of_the_form() {
        let mut value = design();
        value["components"][1] = value["components"][0].clone();
        value["components"][1]["name"] = json!("GATEWAY");
        let twice = [
            "design.equal-components /components/1/name",
            "design.equal-components /components/1/description",
        ];
        assert_eq!(codes(&value), twice);
        value["components"][1] =
            json!({"name": "data_flow", "description": "Flows.", "responsibilities": []});
        assert_eq!(codes(&value), ["answer.copied /components/1/name"]);
    }

    #[test]
    fn a_part_for_a_builder_may_be_missing_and_is_the_models_own() {
        let mut value = design();
        let copies = |value: &Value| -> Vec<String> {
            detail_copies(value).into_iter().filter_map(|problem| problem.pointer).collect()
        };
        value["interfaces"] = json!([
            "take(tenant: string): Promise<boolean>",
            "what other code calls or is sent, with signatures or messages"
        ]);
        value["touches"] = json!("string");
        assert_eq!(copies(&value), ["/interfaces/1", "/touches/0"]);
        assert_eq!(codes(&value), Vec::<String>::new());
        assert_eq!(copies(&design()), Vec::<String>::new());
    }

    #[test]
    fn a_level_is_no_risk() {
        let mut value = design();
        value["risks"][0]["risk"] = json!("low");
        assert_eq!(codes(&value), ["answer.copied /risks/0/risk"]);
    }

    #[test]
    fn a_justification_that_repeats_the_request_is_an_echo() {
        let said = |text| {
            echoes(
                std::iter::once(("/justification".to_owned(), text)),
                "Score every proposal on every dimension.\nNow",
            )
        };
        assert_eq!(said("Score every proposal on every dimension").len(), 1);
        assert!(said("Amber scores its own failure modes.").is_empty());
    }
}
