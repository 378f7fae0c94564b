//! Configuration from the user's point of view: golden files of the effective configuration and of every kind of error.
//!
//! `cargo xtask update` updates the golden files; review the difference with `git diff`.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use crate::common::{assert_golden, directory};
use kernel::problem::Problem;
use lab_core::design_lab::config::{
    AvailableModel, AvailableModels, Layer, Loaded, ReferencedFile, Source, check_models, load, references,
};
use std::path::PathBuf;

const FILE: &str = ".opencode/design-lab.jsonc";

fn source(origin: Layer, text: &str) -> Source {
    let file = match origin {
        Layer::Default => "defaults",
        Layer::Global => "~/.config/opencode/design-lab.jsonc",
        Layer::Project => FILE,
        Layer::Options => "opencode.json (plugin options)",
    };
    Source { origin, file: file.to_owned(), text: text.to_owned() }
}

fn project(text: &str) -> Result<Loaded, Vec<Problem>> {
    load(&[source(Layer::Project, text)], &[], &AvailableModels::default())
}

#[test]
fn broken_configurations_say_what_to_do() {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(directory().join("config/broken"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonc"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 10);
    for path in cases {
        let problems = project(&std::fs::read_to_string(&path).unwrap())
            .expect_err("a broken configuration was accepted");
        let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_golden(path.with_extension("txt"), &(text.join("\n\n") + "\n"));
        for problem in problems {
            let whole = [&problem.file, &problem.found, &problem.allowed, &problem.next]
                .iter()
                .all(|part| part.is_some());
            assert!(whole, "{}: {problem:?}", path.display());
            assert!(problem.line.is_some() && problem.column.is_some(), "{}: {problem:?}", path.display());
        }
    }
}

#[test]
fn the_full_example_means_what_it_says() {
    let text =
        std::fs::read_to_string(directory().join("../../schemas/design-lab/examples/config.jsonc")).unwrap();
    let loaded = project(&text).unwrap();
    assert_golden("config/full.json", &(serde_json::to_string_pretty(&loaded).unwrap() + "\n"));
}

fn available(ids: &[&str]) -> AvailableModels {
    let model = |id: &&str| {
        let (provider, model) = id.split_once('/').unwrap();
        AvailableModel {
            provider: provider.to_owned(),
            model: model.to_owned(),
            tool_call: true,
            reasoning: true,
            release_date: "2026-01-01".to_owned(),
            ..AvailableModel::default()
        }
    };
    AvailableModels { models: ids.iter().map(model).collect(), ..AvailableModels::default() }
}

fn design_ids(text: &str) -> Vec<String> {
    project(text).unwrap().config.design_models.into_iter().map(|model| model.id).collect()
}

#[test]
fn ids_are_distinct_and_explicit_ones_stand() {
    let cases: [(&str, &[&str]); 8] = [
        (r#""zhipuai/glm-4.6", "zhipuai/glm-46""#, &["glm-4-6", "glm-46"]),
        (r#""openai/gpt-5.1", "azure/gpt-5.1""#, &["gpt-5-1", "gpt-5-1-2"]),
        (r#""openai/gpt-5.1", "azure/gpt-5.1", "x/gpt-5.1-2""#, &["gpt-5-1", "gpt-5-1-3", "gpt-5-1-2"]),
        (r#""openai/gpt-5.1", {"model_id": "azure/gpt-5.1", "id": "gpt-5-1"}"#, &["gpt-5-1-2", "gpt-5-1"]),
        (r#""a/x", "b/x", {"model_id": "c/y", "id": "x-2"}"#, &["x", "x-3", "x-2"]),
        (r#""a/日本", "b/日本""#, &["model", "model-2"]),
        (r#""openrouter/anthropic/claude-sonnet-4.5", "a/b""#, &["claude-sonnet-4-5", "b"]),
        (r#""a/b", "a/b", "a/b""#, &["b", "b-2", "b-3"]),
    ];
    for (models, expected) in cases {
        assert_eq!(design_ids(&format!(r#"{{ "design_models": [{models}] }}"#)), expected, "{models}");
    }
}

#[test]
fn a_reviewer_that_also_designs_has_one_name() {
    let loaded = project(
        r#"{ "design_models": ["a/gpt-5.1", "b/gpt-5.1", { "model_id": "c/m", "id": "mine" }],
             "review_models": ["b/gpt-5.1", "c/m", "d/other"] }"#,
    )
    .unwrap();
    let ids: Vec<&str> = loaded.config.review_models.iter().map(|entry| entry.model.id.as_str()).collect();
    assert_eq!(ids, ["gpt-5-1-2", "mine", "other"]);
}

#[test]
fn design_models_review_when_nothing_says_who_does() {
    let loaded = project(
        r#"{ "design_models": [
               { "model_id": "a/one", "temperature": 1, "prompt_template": "First." },
               { "model_id": "a/one", "id": "again", "prompt_template": "Second." },
               "b/two" ],
             "review_agent_temperature": 0.2 }"#,
    )
    .unwrap();
    let reviewers: Vec<_> = loaded.config.review_models.iter().map(|entry| &entry.model).collect();
    let ids: Vec<&str> = reviewers.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids, ["one", "two"], "a model is one reviewer, however often it designs");
    assert_eq!(reviewers.iter().map(|model| model.temperature).collect::<Vec<_>>(), [0.2, 0.2]);
    assert!(reviewers.iter().all(|model| model.prompt_template.is_none()));
    assert_eq!(loaded.config.topic_generator_model, "a/one");
}

#[test]
fn arrays_replace_and_objects_merge() {
    let loaded = load(
        &[
            source(
                Layer::Global,
                r#"{ "design_models": ["a/1", "b/2", "c/3"], "timeouts": { "call_ms": 5000, "run_ms": 60000 },
                     "budget": { "max_cost_usd": 2 }, "seed": 1 }"#,
            ),
            source(
                Layer::Project,
                "{\n\"design_models\": [\"a/1\", \"b/2\"],\n\"timeouts\": { \"run_ms\": null } }",
            ),
            source(Layer::Options, r#"{ "budget": { "max_tokens": 1000.0 } }"#),
        ],
        &[],
        &AvailableModels::default(),
    )
    .unwrap();
    let config = loaded.config;
    assert_eq!(config.design_models.len(), 2);
    assert_eq!((config.timeouts.call_ms, config.timeouts.run_ms), (5_000, None));
    assert_eq!((config.budget.max_cost_usd, config.budget.max_tokens), (Some(2.0), Some(1_000)));
    assert_eq!(config.seed, Some(1));
    let origin = |pointer: &str| (loaded.origins[pointer].layer, loaded.origins[pointer].line);
    assert_eq!(origin("/design_models"), (Layer::Project, Some(2)));
    assert_eq!(origin("/timeouts/run_ms"), (Layer::Project, Some(3)));
    assert_eq!(origin("/timeouts/call_ms"), (Layer::Global, Some(1)));
    assert_eq!(origin("/budget/max_tokens"), (Layer::Options, None));
    assert_eq!(origin("/review/mode"), (Layer::Default, None));
    assert_eq!(origin("/review_models"), (Layer::Default, None));
}

#[test]
fn the_older_name_of_the_output_directory_is_understood() {
    let models = r#""design_models": ["a/1", "b/2"]"#;
    let directory =
        |sources: &[Source]| load(sources, &[], &AvailableModels::default()).unwrap().config.output_directory;
    assert_eq!(
        directory(&[source(Layer::Project, &format!(r#"{{ {models}, "base_output_dir": "./labs/" }}"#))]),
        "labs"
    );
    // Its rank is that of its file, whatever name it has there.
    let global = source(Layer::Global, &format!(r#"{{ {models}, "output_directory": "global" }}"#));
    assert_eq!(
        directory(&[global, source(Layer::Project, r#"{ "base_output_dir": "project" }"#)]),
        "project"
    );
    let same = format!(r#"{{ {models}, "output_directory": "x", "base_output_dir": "x" }}"#);
    assert_eq!(directory(&[source(Layer::Project, &same)]), "x");
}

#[test]
fn prompts_are_read_from_beside_their_configuration() {
    let global = source(
        Layer::Global,
        r#"{ "design_models": [{ "model_id": "a/1", "prompt_template": "{file:gone.md}" }, "b/2"] }"#,
    );
    let text = r#"{ "design_models": [
        { "model_id": "a/1", "prompt_template": "{file:./prompts/one.md}" },
        { "model_id": "b/2", "prompt_template": " {file: ../two.md } " },
        { "model_id": "c/3", "prompt_template": "Three." } ],
      "review_models": [{ "model_id": "a/1", "prompt_template": "{file:./prompts/one.md}" }] }"#;
    let sources = [global, source(Layer::Project, text)];
    let found = references(&sources);
    // What a higher source replaces is not read.
    assert!(found.iter().all(|reference| reference.source == FILE));
    let paths: Vec<&str> = found.iter().map(|reference| reference.path.as_str()).collect();
    assert_eq!(paths, ["./prompts/one.md", "../two.md"]);
    let files: Vec<ReferencedFile> = found
        .into_iter()
        .map(|reference| ReferencedFile {
            text: Some(format!("\u{feff}Text of {}", reference.path)),
            error: None,
            leads: Some(reference.path.clone()),
            reference,
        })
        .collect();
    let config = load(&sources, &files, &AvailableModels::default()).unwrap().config;
    let prompts: Vec<_> =
        config.design_models.iter().map(|model| model.prompt_template.as_deref().unwrap()).collect();
    assert_eq!(prompts, ["Text of ./prompts/one.md", "Text of ../two.md", "Three."]);
    assert_eq!(config.review_models[0].model.prompt_template.as_deref(), Some("Text of ./prompts/one.md"));

    for (error, why) in [("EACCES", "EACCES"), ("ENOENT", "it was not found")] {
        let unread = |file: &ReferencedFile| ReferencedFile {
            text: None,
            error: Some(error.to_owned()),
            ..file.clone()
        };
        let unread: Vec<ReferencedFile> = files.iter().map(unread).collect();
        let problems = load(&sources, &unread, &AvailableModels::default()).unwrap_err();
        assert_eq!(problems.len(), 3);
        let expected = format!("The prompt file can't be read: {why}.");
        assert!(problems.iter().all(|problem| problem.message == expected), "{problems:?}");
    }
}

#[test]
fn the_refusal_of_a_prompt_file_says_where_it_may_be() {
    let refusal = |origin: Layer, path: &str| {
        let text = format!(
            r#"{{ "design_models": ["a/1", {{ "model_id": "b/2", "prompt_template": "{{file:{path}}}" }}] }}"#
        );
        load(&[source(origin, &text)], &[], &AvailableModels::default()).unwrap_err().remove(0)
    };
    let bases = [(Layer::Project, "the project"), (Layer::Global, "the configuration's directory")];
    for (origin, base) in bases {
        let next = format!("Move the file into {base}, and write its path relative to the configuration.");
        for (path, message) in [
            (
                "../../prompt.md",
                format!("This prompt file is outside {base}, so Design Lab doesn't read it."),
            ),
            (
                "/home/ada/prompt.md",
                "The path of a prompt file must be relative to the configuration.".to_owned(),
            ),
        ] {
            let problem = refusal(origin, path);
            assert_eq!((problem.message, problem.next), (message, Some(next.clone())), "{path}");
        }
    }
}

#[test]
fn a_prompt_file_that_is_a_link_or_may_hold_keys_is_refused() {
    let judge = |origin: Layer, path: &str, leads: Option<&str>| {
        let text = format!(
            r#"{{ "design_models": ["a/1", {{ "model_id": "b/2", "prompt_template": "{{file:{path}}}" }}] }}"#
        );
        let sources = [source(origin, &text)];
        let file = |reference| ReferencedFile {
            reference,
            text: Some("s3cret".to_owned()),
            error: None,
            leads: leads.map(str::to_owned),
        };
        let files: Vec<ReferencedFile> = references(&sources).into_iter().map(file).collect();
        let asked = !files.is_empty();
        load(&sources, &files, &AvailableModels::default()).err().map(|problems| {
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert_eq!(problems[0].pointer.as_deref(), Some("/design_models/1/prompt_template"));
            assert!(!problems[0].to_string().contains("s3cret"));
            (problems[0].code.to_string(), asked)
        })
    };
    let refused = |code: &str, asked| Some((format!("config.{code}"), asked));
    for path in ["./prompt.md", "../prompts/a.md", "x/../prompt.md", "environment.md", "Monkey.keys"] {
        assert_eq!(judge(Layer::Project, path, Some(path)), None, "{path}");
    }
    assert_eq!(judge(Layer::Project, "x/../prompt.md", Some("prompt.md")), None);
    assert_eq!(judge(Layer::Project, "Prompt.md", Some("prompt.md")), None, "one name on some file systems");
    for path in [
        "../.env",
        "../.env.local",
        "../.envrc",
        "../.ENV",
        "../prod.env",
        "../opencode.json",
        "../OpenCode.JSONC",
        "./opencode.json",
        "./design-lab.jsonc",
        "../auth.json",
        "../.npmrc",
        "../.git/config",
        "../deploy/id_rsa",
        "../deploy/server.pem",
        "../deploy/../.env",
        "../.aws/credentials",
        "../secrets.yaml",
        "../.flow/sessions/x/docs/index.md",
        "../.design-lab/r/designs/a.md",
    ] {
        assert_eq!(judge(Layer::Project, path, Some(path)), refused("template-secret", false), "{path}");
    }
    assert_eq!(
        judge(Layer::Global, "opencode.json", Some("opencode.json")),
        refused("template-secret", false)
    );
    assert_eq!(judge(Layer::Global, "../x.md", Some("../x.md")), refused("template-path", false));
    // Facts that only the shell can see.
    let linked = [("a.md", "../.env", "template-secret"), ("a.md", "b.md", "template-path")];
    for (path, leads, code) in linked
        .into_iter()
        .chain([("x/a.md", "../../outside/a.md", "template-path"), ("x/../a.md", "y/a.md", "template-path")])
    {
        assert_eq!(judge(Layer::Project, path, Some(leads)), refused(code, true), "{path} {leads}");
    }
    assert_eq!(judge(Layer::Project, "a.md", None), refused("template-unreadable", true));
}

#[test]
fn plugin_options_have_no_lines() {
    let text = r#"{ "design_models": ["a/1", "b/2"], "concurency": 2 }"#;
    let problems = load(&[source(Layer::Options, text)], &[], &AvailableModels::default()).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!((problems[0].line, problems[0].column), (None, None));
    assert_eq!(problems[0].file.as_deref(), Some("opencode.json (plugin options)"));
    assert_eq!(problems[0].pointer.as_deref(), Some("/concurency"));
}

#[test]
fn columns_count_characters_and_a_byte_order_mark_counts_nothing() {
    let problems = project("\u{feff}{ \"$schema\": \"Größe 日本\", \"x\": 1 }").unwrap_err();
    assert_eq!((problems[0].line, problems[0].column), (Some(1), Some(26)));
    let problems = project("{\r\n  \"concurrency\": 0\r\n}").unwrap_err();
    assert_eq!((problems[0].line, problems[0].column), (Some(2), Some(18)));
}

#[test]
fn the_example_of_the_original_design_document_is_understood() {
    let text = r#"{
      "$schema": "https://raw.githubusercontent.com/yourorg/opencode-design-lab/main/assets/design-lab.schema.json",
      "design_models": [
        { "id": "claude-opus", "name": "Claude Opus 4.5", "model_id": "anthropic/claude-opus-4-20241022",
          "temperature": 0.7, "prompt_template": "{file:./prompts/design-system.md}" },
        { "id": "gpt-codex", "name": "GPT-5.1 Codex", "model_id": "openai/gpt-5.1-codex", "temperature": 0.6 }
      ],
      "review_models": [
        { "id": "gpt-5-2", "name": "GPT-5.2", "model_id": "openai/gpt-5.2", "temperature": 0.3,
          "evaluation_criteria": { "qualitative": true, "quantitative": true } }
        // If review_models is omitted, all design_models will review
      ],
      "output_directory": ".design-lab",
      "scoring_criteria": {
        "dimensions": [{ "name": "clarity", "description": "How clear is the design?", "min": 0, "max": 10 }],
        "require_justification": true
      },
      "isolation": { "enforce_design_isolation": true, "blocked_patterns": [".design-lab/*/designs/"] }
    }"#;
    let sources = [source(Layer::Project, text)];
    let reference = references(&sources).remove(0);
    let file = ReferencedFile {
        leads: Some(reference.path.clone()),
        reference,
        text: Some("Design a system.".to_owned()),
        error: None,
    };
    let loaded = load(&sources, &[file], &AvailableModels::default()).unwrap();
    assert_eq!(loaded.config.design_models[0].id, "claude-opus");
    assert_eq!(loaded.notes.len(), 1, "one reviewer deserves a word: {:?}", loaded.notes);
}

#[test]
fn without_configuration_models_are_chosen() {
    type Case<'a> = (&'a str, &'a [&'a str], Option<&'a str>, &'a [&'a str]);
    let cases: [Case<'_>; 7] = [
        ("one of each vendor", &["a/x-1", "a/x-2", "b/y", "c/z", "d/w"], None, &["a/x-1", "b/y", "c/z"]),
        ("the session's model first", &["a/x-1", "a/x-2", "b/y"], Some("a/x-2"), &["a/x-2", "b/y", "a/x-1"]),
        (
            "one vendor under many providers",
            &["openrouter/anthropic/claude-opus-4.5", "openai/gpt-5.1", "github-copilot/gpt-5.1-codex"],
            None,
            &["github-copilot/gpt-5.1-codex", "openrouter/anthropic/claude-opus-4.5", "openai/gpt-5.1"],
        ),
        (
            "one model under two providers is one",
            &["anthropic/claude-sonnet-4-5", "bedrock/claude-sonnet-4.5-20250929", "b/y"],
            None,
            &["anthropic/claude-sonnet-4-5", "b/y"],
        ),
        ("large before small", &["a/x-mini", "a/x-large", "b/y"], None, &["a/x-large", "b/y", "a/x-mini"]),
        (
            "a current model that isn't connected is nothing",
            &["a/x", "b/y"],
            Some("gone/model"),
            &["a/x", "b/y"],
        ),
        ("two of one vendor", &["a/x-1", "a/x-2"], None, &["a/x-1", "a/x-2"]),
    ];
    for (why, ids, current, expected) in cases {
        let mut models = AvailableModels { current: current.map(str::to_owned), ..available(ids) };
        for _ in 0..2 {
            let loaded = load(&[], &[], &models).unwrap();
            let chosen: Vec<&str> =
                loaded.config.design_models.iter().map(|model| model.model_id.as_str()).collect();
            assert_eq!(chosen, expected, "{why}");
            assert_eq!(loaded.config.review_models.len(), chosen.len(), "{why}");
            assert!(chosen.iter().all(|id| loaded.notes[0].contains(id)), "{why}: {:?}", loaded.notes);
            models.models.reverse();
        }
    }
}

#[test]
fn unsuitable_models_are_chosen_only_when_there_is_nothing_else() {
    let mut models = available(&["a/old", "b/no-tools", "c/costly", "d/short", "e/good", "f/good-too"]);
    "deprecated".clone_into(&mut models.models[0].status);
    models.models[1].tool_call = false;
    models.models[2].cost_output = 600.0;
    models.models[3].context = 8_192.0;
    let chosen = |models: &AvailableModels| -> Vec<String> {
        let config = load(&[], &[], models).unwrap().config;
        config.design_models.into_iter().map(|model| model.model_id).collect()
    };
    assert_eq!(chosen(&models), ["e/good", "f/good-too"]);
    models.current = Some("c/costly".to_owned());
    assert_eq!(chosen(&models), ["c/costly", "e/good", "f/good-too"]);
    models.current = None;
    models.models.truncate(2);
    assert_eq!(chosen(&models), ["b/no-tools", "a/old"]);
}

#[test]
fn one_model_designs_under_three_briefs_and_reviews_alone() {
    let loaded = load(&[], &[], &available(&["zhipuai/glm-4.6"])).unwrap();
    let config = loaded.config;
    let ids: Vec<&str> = config.design_models.iter().map(|model| model.id.as_str()).collect();
    assert_eq!(ids, ["glm-4-6-system", "glm-4-6-architecture", "glm-4-6-api"]);
    let briefs: Vec<&str> =
        config.design_models.iter().map(|model| model.brief.as_deref().unwrap()).collect();
    assert!(briefs.iter().all(|brief| brief.starts_with("Design ")));
    assert!(briefs[0] != briefs[1] && briefs[1] != briefs[2]);
    assert_eq!(config.review_models.len(), 1);
    assert_eq!(config.review_models[0].model.id, "glm-4-6");
    assert_eq!(config.review_models[0].model.brief, None);
    assert!(loaded.notes[0].contains("zhipuai/glm-4.6") && loaded.notes[0].contains("three times"));
}

#[test]
fn without_any_model_the_way_to_one_is_shown() {
    let problems = load(&[], &[], &AvailableModels::default()).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, "config.no-models");
    assert!(problems[0].next.as_ref().unwrap().contains("opencode auth login"));
}

#[test]
fn reviewers_can_be_configured_without_designers() {
    let text = r#"{ "review_models": ["c/judge", "a/x"], "design_agent_temperature": 1 }"#;
    let config = load(&[source(Layer::Project, text)], &[], &available(&["a/x", "b/y"])).unwrap().config;
    assert_eq!(config.design_models.len(), 2);
    assert_eq!(config.design_models.iter().map(|model| model.temperature).collect::<Vec<_>>(), [1.0, 1.0]);
    let reviewers: Vec<&str> =
        config.review_models.iter().map(|entry| entry.model.model_id.as_str()).collect();
    assert_eq!(reviewers, ["c/judge", "a/x"]);
}

#[test]
fn models_that_are_not_connected_are_named_with_the_nearest() {
    let config = project(
        r#"{ "design_models": ["openai/gpt-5.1", "openai/gpt5.2", "anthropic/claude-sonnet-4.5"],
             "review_models": ["openai/gpt5.2", "mistral/large"], "topic_generator_model": "openai/tiny-thing-for-names" }"#,
    )
    .unwrap()
    .config;
    let available =
        available(&["openai/gpt-5.1", "openai/gpt-5.2", "openrouter/anthropic/claude-sonnet-4.5"]);
    let problems = check_models(&config, &available);
    let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_golden("config/unknown-models.txt", &(text.join("\n\n") + "\n"));
    assert_eq!(problems.len(), 4, "a model that stands twice is reported once");
    assert!(
        check_models(&config, &AvailableModels::default())
            .iter()
            .all(|problem| problem.code == "config.unknown-model")
    );
}

/// Returns every key of the schema, with its default if that is a word or a number.
fn keys(prefix: &str, schema: &serde_json::Value) -> Vec<(String, Option<String>)> {
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .flat_map(|(key, node)| {
            let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            let default = Some(&node["default"]).filter(|value| !value.is_null() && !value.is_array());
            let nested = keys(&name, node);
            if nested.is_empty() { vec![(name, default.map(ToString::to_string))] } else { nested }
        })
        .collect()
}

#[test]
fn the_documentation_has_every_key_and_its_default() {
    let root = directory().join("../..");
    let docs = std::fs::read_to_string(root.join("docs/configuration.md")).unwrap();
    let schema = std::fs::read_to_string(root.join("schemas/design-lab/config.json")).unwrap();
    let keys = keys("", &serde_json::from_str(&schema).unwrap());
    assert!(keys.len() > 20);
    for (key, default) in keys.iter().filter(|(key, _)| key != "$schema" && key != "base_output_dir") {
        let row = docs.lines().find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/configuration.md has no row for {key}"));
        assert!(
            default.as_ref().is_none_or(|default| row.contains(&format!("`{default}`"))),
            "{row} {default:?}"
        );
    }
}
