//! What reviewers see of designs: nothing of who wrote them, and nothing that can speak for itself unnoticed.

use design_lab::anonymity::{Blind, InstructionKind, Names, blind, shown};
use design_lab::artefacts::{Component, Design, Risk, Task, Tradeoff};
use design_lab::config::Config;
use serde::Deserialize;
use serde_json::json;

/// A run of these models, `provider/model` each.
fn config(models: &[&str]) -> Config {
    let entry = |model: &&str| {
        let name = model.rsplit('/').next().unwrap_or(model);
        json!({
            "id": design_lab::slug::slug(name, 60), "name": name, "model_id": model,
            "temperature": 0.7, "prompt_template": null, "variant": null,
            "evaluation_criteria": {"qualitative": true, "quantitative": true},
        })
    };
    let entries: Vec<_> = models.iter().map(entry).collect();
    serde_json::from_value(json!({
        "design_models": entries, "review_models": entries, "topic_generator_model": models[0],
        "output_directory": ".design-lab",
        "scoring_criteria": {"dimensions": [], "require_justification": true},
        "isolation": {"enforce_design_isolation": true, "blocked_patterns": [], "allowed_tools": ["read"]},
        "concurrency": 4, "timeouts": {"call_ms": 1, "run_ms": null}, "retries": {"call": 1, "repair": 1},
        "budget": {"max_cost_usd": null, "max_tokens": null},
        "review": {"mode": "scores", "repeats": 1, "exclude_self": true, "exclude_family": false}, "seed": null,
    }))
    .expect("the configuration is whole")
}

fn summary(text: &str) -> Design {
    Design { summary: text.to_owned(), ..Design::default() }
}

/// A run whose models none of the texts is about.
fn bystanders() -> Names {
    Names::new(&config(&["example/zq-1", "example/zq-2"]), &[], &Task::default())
}

#[derive(Deserialize)]
struct Instructions {
    flagged: Vec<Flagged>,
    plain: Vec<String>,
}

#[derive(Deserialize)]
struct Flagged {
    kind: InstructionKind,
    text: String,
}

#[test]
fn text_that_speaks_to_the_reviewer_is_flagged_and_text_about_reviewing_is_not() {
    let cases: Instructions =
        serde_json::from_str(include_str!("anonymity/instructions.json")).expect("cases are JSON");
    let names = bystanders();
    let kinds = |text: &str| -> Vec<InstructionKind> {
        blind(&summary(text), &names).instructions.into_iter().map(|found| found.kind).collect()
    };
    let missed = cases.flagged.iter().filter(|case| !kinds(&case.text).contains(&case.kind));
    let mut wrong: Vec<String> = missed.map(|case| format!("not {:?}: {}", case.kind, case.text)).collect();
    for text in &cases.plain {
        let kinds = kinds(text);
        if !kinds.is_empty() {
            wrong.push(format!("{kinds:?}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A run of well-known models.
const MODELS: [&str; 3] = ["anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "zhipuai/glm-4.6"];

#[derive(Deserialize)]
struct NameCases {
    /// Texts in which nothing is a model's name, in a run of models that they don't name.
    kept: Vec<String>,
    /// Texts with names of other models than the run's.
    taken: Vec<Taken>,
    /// Texts with names of the run of [`MODELS`].
    own: Vec<Taken>,
}

#[derive(Deserialize)]
struct Taken {
    text: String,
    shown: String,
}

#[test]
fn names_are_taken_out_and_other_words_are_kept() {
    let cases: NameCases =
        serde_json::from_str(include_str!("anonymity/names.json")).expect("cases are JSON");
    let scrubbed = |text: &str, names: &Names| blind(&summary(text), names).design.summary;
    let own = Names::new(&config(&MODELS), &[], &Task::default());
    let others = bystanders();
    let kept = cases.kept.iter().map(|text| (text, text, &others));
    let taken = cases.taken.iter().map(|case| (&case.text, &case.shown, &others));
    let own = cases.own.iter().map(|case| (&case.text, &case.shown, &own));
    let wrong: Vec<String> = kept
        .chain(taken)
        .chain(own)
        .filter_map(|(text, expected, names)| {
            let got = scrubbed(text, names);
            (got != *expected).then(|| format!("{text}\n   → {got}\n not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
