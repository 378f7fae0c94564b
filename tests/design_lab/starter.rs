//! First configuration files from a newcomer's point of view, and their rule: writing one changes nothing, and removing the slashes
//! from a line changes nothing either.
//!
//! `cargo xtask update` updates the golden files; review the difference with `git diff`.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use crate::common::assert_golden;
use lab_core::design_lab::config::{
    AvailableModel, AvailableModels, Config, Layer, Source, Starter, StarterInput, load, starter,
};
use lab_core::design_lab::report::configured;
use proptest::prelude::*;

fn model(id: &str, name: &str, cost: (f64, f64), release: &str) -> AvailableModel {
    let (provider, model) = id.split_once('/').unwrap();
    AvailableModel {
        provider: provider.to_owned(),
        model: model.to_owned(),
        name: name.to_owned(),
        context: 200_000.0,
        output: 32_000.0,
        cost_input: cost.0,
        cost_output: cost.1,
        reasoning: true,
        tool_call: true,
        temperature: true,
        images: false,
        release_date: release.to_owned(),
        status: "active".to_owned(),
        ..AvailableModel::default()
    }
}

fn connected(models: &[AvailableModel]) -> AvailableModels {
    AvailableModels { models: models.to_vec(), ..AvailableModels::default() }
}

fn three_vendors() -> AvailableModels {
    connected(&[
        model("anthropic/claude-opus-4-5", "Claude Opus 4.5", (5.0, 25.0), "2025-11-24"),
        model("anthropic/claude-haiku-4-5", "Claude Haiku 4.5", (1.0, 5.0), "2025-10-15"),
        model("openai/gpt-5.1", "GPT-5.1", (1.25, 10.0), "2025-11-13"),
        model("google/gemini-3-pro", "Gemini 3 Pro", (2.0, 12.0), "2025-11-18"),
        model("local/qwen3-coder", "qwen3-coder", (0.0, 0.0), "2025-07-22"),
    ])
}

fn given(available: Option<AvailableModels>) -> StarterInput {
    StarterInput {
        sources: Vec::new(),
        files: Vec::new(),
        available,
        wanted: String::new(),
        package: "0.1.0".to_owned(),
    }
}

fn source(origin: Layer, text: &str) -> Source {
    let file = match origin {
        Layer::Options => "opencode.json (plugin options)",
        Layer::Project => ".opencode/design-lab.json",
        _ => "~/.config/opencode/design-lab.jsonc",
    };
    Source { origin, file: file.to_owned(), text: text.to_owned() }
}

/// Compares a configuration, and the message about it, with `config/starter/<name>.jsonc` and `.txt`.
fn assert_starter(name: &str, Starter { text, loaded }: &Starter) {
    assert_golden(format!("config/starter/{name}.jsonc"), text);
    assert_golden(format!("config/starter/{name}.txt"), &(configured(loaded.as_ref()) + "\n"));
}

/// Returns the file with every setting uncommented, except those that stand for models.
fn uncommented(text: &str) -> String {
    let is_setting = |rest: &str| rest.starts_with(['"', '}', ']', ' ']) && !rest.contains("provider/model");
    let lines = text.lines().map(|line| match line.strip_prefix("  // ") {
        Some(rest) if is_setting(rest) => format!("  {rest}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Returns the configuration that applies with this file in the project.
fn with(given: &StarterInput, text: &str) -> Config {
    let mut sources = given.sources.clone();
    sources.push(Source {
        origin: Layer::Project,
        file: ".opencode/design-lab.jsonc".to_owned(),
        text: text.to_owned(),
    });
    let available = given.available.clone().unwrap_or_default();
    load(&sources, &given.files, &available).unwrap_or_else(|problems| panic!("{problems:?}\n{text}")).config
}

#[test]
fn a_newcomer_gets_a_file_that_says_everything() {
    assert_starter("three-vendors", &starter(&given(Some(three_vendors()))).unwrap());
    let mut one_provider = three_vendors();
    one_provider.models.retain(|model| model.provider == "anthropic");
    one_provider.models.push(model(
        "anthropic/claude-sonnet-4-5",
        "Claude Sonnet 4.5",
        (3.0, 15.0),
        "2025-09-29",
    ));
    assert_starter("one-provider", &starter(&given(Some(one_provider))).unwrap());
    let mut one_model = three_vendors();
    one_model.models.retain(|model| model.provider == "local");
    assert_starter("one-model", &starter(&given(Some(one_model))).unwrap());
    assert_starter("offline", &starter(&given(None)).unwrap());
    let named =
        StarterInput { wanted: "--models openai/gpt-5.1,google/gemini-3-pro".to_owned(), ..given(None) };
    assert_starter("named", &starter(&named).unwrap());
    let elsewhere = StarterInput {
        sources: vec![
            source(
                Layer::Global,
                r#"{"design_models": ["a/one", "b/two"], "concurrency": 8, "timeouts": {"run_ms": 7200000}}"#,
            ),
            source(Layer::Options, r#"{"budget": {"max_cost_usd": 5}, "review_models": ["c/three"]}"#),
        ],
        ..given(Some(three_vendors()))
    };
    assert_starter("elsewhere", &starter(&elsewhere).unwrap());
}

#[test]
fn what_stands_in_the_way_is_said() {
    let code = |given: &StarterInput| {
        let problems = starter(given).unwrap_err();
        problems.iter().map(|problem| problem.code.to_string()).collect::<Vec<_>>().join(" ")
    };
    let with = |sources: Vec<Source>| StarterInput { sources, ..given(Some(three_vendors())) };
    let wanted = |wanted: &str| StarterInput { wanted: wanted.to_owned(), ..given(Some(three_vendors())) };
    assert_eq!(code(&with(vec![source(Layer::Project, "{}")])), "init.exists");
    assert_eq!(
        code(&with(vec![source(Layer::Project, "{ broken")])),
        "init.exists",
        "broken or not, it stays"
    );
    assert_eq!(code(&with(vec![source(Layer::Global, "{ broken")])), "config.syntax");
    assert_eq!(code(&given(Some(AvailableModels::default()))), "config.no-models");
    assert_eq!(code(&wanted("gpt-5.1 x/")), "init.model init.model");
    assert_eq!(code(&wanted("openai/gpt-5.1, openai/gpt-5.9")), "config.unknown-model");
    assert_eq!(code(&wanted("--modls a/b")), "init.model");
}

fn models() -> impl Strategy<Value = AvailableModels> {
    let id = prop::sample::select(vec![
        "a/x",
        "b/x",
        "a/x-2",
        "a/y",
        "a/Y",
        "c/deep/x",
        "anthropic/claude-1",
        "openai/gpt-1",
        "a/日本",
    ]);
    let name = prop::sample::select(vec!["", "x", "X One", "Name\nwith a break", "// \"quoted\" */"]);
    let one = (id, name, 0_u8..3, any::<bool>()).prop_map(|(id, name, cost, tool_call)| AvailableModel {
        tool_call,
        ..model(id, name, (f64::from(cost) / 4.0, f64::from(cost)), "2026-01-01")
    });
    prop::collection::vec(one, 1..30).prop_map(|mut models| {
        models.sort_by_key(AvailableModel::id);
        models.dedup_by_key(|model| model.id());
        connected(&models)
    })
}

fn settings() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "{}",
        r#"{"design_models": ["a/one", {"model_id": "b/two", "prompt_template": "Be brief."}]}"#,
        r#"{"review_models": ["a/one", {"model_id": "a/x", "id": "judge", "temperature": 0.5}]}"#,
        r#"{"topic_generator_model": "a/one", "output_directory": "labs/x", "seed": 7}"#,
        r#"{"design_agent_temperature": 1, "review_agent_temperature": 0.35}"#,
        r#"{"scoring_criteria": {"dimensions": [{"name": "cost", "description": "\"What\" it\ncosts", "anchors": {"0": "much"}}]}}"#,
        r#"{"isolation": {"blocked_patterns": ["docs/**"]}, "budget": {"max_tokens": 10000}}"#,
        r#"{"review": {"mode": "pairwise", "exclude_family": true}, "retries": {"repair": 0}, "concurrency": 1}"#,
    ])
}

proptest! {
    #[test]
    fn writing_it_changes_nothing(
        available in models(),
        global in settings(),
        options in settings(),
        current in prop::sample::select(vec![None, Some("a/x"), Some("b/x")]),
    ) {
        let available = AvailableModels { current: current.map(str::to_owned), ..available };
        let sources = vec![source(Layer::Global, global), source(Layer::Options, options)];
        let given = StarterInput { sources, ..given(Some(available.clone())) };
        let before = load(&given.sources, &[], &available).unwrap().config;
        let written = starter(&given).unwrap();
        prop_assert_eq!(&written.loaded.unwrap().config, &before);
        prop_assert_eq!(&with(&given, &written.text), &before);
        prop_assert_eq!(&with(&given, &uncommented(&written.text)), &before, "{}", uncommented(&written.text));
    }

    #[test]
    fn named_models_design_in_their_order(names in prop::collection::vec("[a-c]{1,2}/[x-z]{1,2}", 2..5)) {
        let given = StarterInput { wanted: names.join(", "), ..given(None) };
        let config = with(&given, &starter(&given).unwrap().text);
        let mut expected = names;
        let mut seen = std::collections::BTreeSet::new();
        expected.retain(|name| seen.insert(name.clone()));
        let designers: Vec<String> = config.design_models.iter().map(|model| model.model_id.clone()).collect();
        if expected.len() == 1 {
            prop_assert_eq!(designers, vec![expected[0].clone(); 3]);
        } else {
            prop_assert_eq!(designers, expected);
        }
    }
}
