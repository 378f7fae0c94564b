//! The doctor's findings as people read them: `doctor/` contains a machine without faults, one where everything is wrong, and cases in
//! between. `cargo xtask update` updates them; review the difference with `git diff`.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

use crate::common::assert_golden;
use kernel::code::RunCode;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::protocol::Outcome;
use kernel::tokens::Tokens;
use lab_core::design_lab::config::{AvailableModel, AvailableModels, Layer, OutputPlace, Source};
use lab_core::design_lab::doctor::{
    Area, DiskFailure, DoctorInput, Finding, HostProgram, Newest, OutputDirectory, Search, Sidebar, Trial,
    TuiFile, Versions, diagnose, diagnosis, trial_calls,
};
use lab_core::design_lab::prompts::Role;
use lab_core::design_lab::workflow::{CallFailure, Found, Owner, RunFacts, Summary};
use lab_core::flow::opening::ConfiguredModels;
use lab_core::opencode::registration::{self, asks_for_calls};
use lab_core::opencode::{HostAgent, HostRule};
use lab_core::validation::check::Setup;
use lab_core::validation::left::Left;
use lab_core::validation::protocol::Obstacle;

const CONFIG: &str = r#"{
  "design_models": ["anthropic/claude-opus-4-5", "openai/gpt-5.1"],
  "review_models": ["openai/gpt-5.1", "google/gemini-3-pro"]
}"#;

fn source(text: &str) -> Source {
    Source { origin: Layer::Project, file: ".opencode/design-lab.jsonc".to_owned(), text: text.to_owned() }
}

fn model(id: &str) -> AvailableModel {
    let (provider, model) = id.split_once('/').unwrap();
    AvailableModel {
        provider: provider.to_owned(),
        model: model.to_owned(),
        tool_call: true,
        cost_input: 3.0,
        cost_output: 15.0,
        ..AvailableModel::default()
    }
}

/// Returns the agents that OpenCode derives from the registration.
fn agents(config: &str) -> Vec<HostAgent> {
    let config = lab_core::design_lab::config::load(&[source(config)], &[], &AvailableModels::default())
        .unwrap()
        .config;
    let rule = |permission: &str, pattern: &str, action: &str| HostRule {
        permission: permission.to_owned(),
        pattern: pattern.to_owned(),
        action: action.to_owned(),
    };
    let resolve = |(name, agent): (String, serde_json::Value)| {
        let mut rules = vec![rule("*", "*", "allow")];
        for (permission, action) in agent["permission"].as_object().unwrap() {
            match action.as_object() {
                None => rules.push(rule(permission, "*", action.as_str().unwrap())),
                Some(patterns) => rules.extend(
                    patterns
                        .iter()
                        .map(|(pattern, action)| rule(permission, pattern, action.as_str().unwrap())),
                ),
            }
        }
        HostAgent { name, rules }
    };
    registration::agents(Some(&config), &config.isolation).into_iter().map(resolve).collect()
}

fn healthy() -> DoctorInput {
    let models = ["anthropic/claude-opus-4-5", "openai/gpt-5.1", "google/gemini-3-pro"].map(model).to_vec();
    DoctorInput {
        versions: Versions {
            package: "0.1.0".to_owned(),
            newest: Newest::Known("0.1.0".to_owned()),
            host: HostProgram::OpenCode,
            opencode: Some("1.18.33".to_owned()),
            node: Some("v20.19.2".to_owned()),
        },
        sources: vec![source(CONFIG)],
        files: Vec::new(),
        unreadable: Vec::new(),
        available: Some(AvailableModels { models, ..AvailableModels::default() }),
        agents: Some(agents(CONFIG)),
        sidebar: Sidebar {
            files: vec![TuiFile {
                file: ".opencode/tui.json".to_owned(),
                directory: "/home/ada/shop/.opencode".to_owned(),
                text: r#"{ "plugin": ["opencode-design-lab"] }"#.to_owned(),
            }],
            server: vec!["opencode-design-lab".to_owned()],
            package: "/home/ada/.cache/opencode/packages/opencode-design-lab".to_owned(),
        },
        search: Search::Found { honours_ignore: true },
        output: OutputDirectory {
            name: ".design-lab".to_owned(),
            failure: None,
            ignore_files_left: Vec::new(),
            stale_locks: Vec::new(),
            place: place(".design-lab"),
        },
        runs: Vec::new(),
        flow: ConfiguredModels::default(),
        validation: Some(validation(
            r#"{ "servers": [{ "name": "web", "command": ["node", "server.js"] }] }"#,
        )),
        trials: None,
        by_model: false,
    }
}

fn validation(text: &str) -> Setup {
    let source = Source {
        origin: Layer::Project,
        file: ".opencode/validation.jsonc".to_owned(),
        text: text.to_owned(),
    };
    Setup { source, obstacle: None, installed: false, left: Vec::new() }
}

fn place(name: &str) -> OutputPlace {
    let (directory, project) = (format!("/home/ada/shop/{name}"), "/home/ada/shop".to_owned());
    OutputPlace {
        real: directory.clone(),
        directory,
        project_real: project.clone(),
        project,
        home: "/home/ada".to_owned(),
        host: Vec::new(),
    }
}

fn run(name: &str, unfinished: bool) -> Found {
    Found {
        name: name.to_owned(),
        summary: Some(Summary {
            directory: Some(name.to_owned()),
            task: "A task".to_owned(),
            outcome: None,
            unfinished,
            failed: false,
            likeness: 0,
            origin: Origin::Here,
            at: 1,
            cost: 0.0,
            tokens: Tokens::default(),
            own: RunFacts::default(),
        }),
        problem: None,
        owner: Owner::Nobody,
    }
}

/// Compares a machine's diagnosis for people with `doctor/<name>.txt`.
fn assert_diagnosis(name: &str, examination: &DoctorInput) {
    assert_golden(format!("doctor/{name}.txt"), &(diagnosis(&diagnose(examination)) + "\n"));
}

/// The message of the shell for a run whose list of processes is missing.
const LOST: &str = "The list of the processes that this run started is missing: .design-lab/validation/validate-1/processes.json. \
                    Find them with: grep -l DESIGN_LAB_VALIDATION=4f1c /proc/[0-9]*/environ.";

#[test]
fn what_people_read() {
    assert_diagnosis("well", &healthy());
    assert_diagnosis(
        "newcomer",
        &DoctorInput {
            sources: Vec::new(),
            sidebar: Sidebar::default(),
            search: Search::Missing,
            validation: None,
            ..healthy()
        },
    );

    let mut ill = healthy();
    ill.versions.opencode = Some("1.17.2".to_owned());
    ill.versions.node = None;
    ill.sources =
        vec![source(&CONFIG.replace("openai/gpt-5.1\"]", "openai/gpt-5.2\", \"mistral/large-3\"]"))];
    ill.unreadable = vec![DiskFailure {
        file: "~/.config/opencode/design-lab.json".to_owned(),
        code: "EACCES".to_owned(),
    }];
    for model in &mut ill.available.as_mut().unwrap().models {
        if model.model == "gemini-3-pro" {
            model.status = "deprecated".to_owned();
            model.context = 16_000.0;
            model.tool_call = false;
        }
    }
    let agents = ill.agents.as_mut().unwrap();
    let open = HostRule { permission: "bash".into(), pattern: "*".into(), action: "allow".into() };
    agents.iter_mut().find(|agent| agent.name == "design-lab-designer").unwrap().rules.push(open);
    agents.retain(|agent| agent.name != "design-lab-topic" && agent.name != "design-lab-review-gemini-3-pro");
    ill.search = Search::Found { honours_ignore: false };
    ill.output = OutputDirectory {
        name: "labs".to_owned(),
        failure: Some(DiskFailure { file: "labs".to_owned(), code: "EROFS".to_owned() }),
        ignore_files_left: vec![".ignore".to_owned(), ".rgignore".to_owned()],
        stale_locks: vec!["2026-11-19-user-auth".to_owned()],
        place: place("labs"),
    };
    let mut damaged = run("2026-11-17-queue", true);
    damaged.summary = None;
    damaged.problem = Some(
        Problem::new(RunCode::JournalDamaged, "Line 7 isn't what was written.")
            .next("Restore the file from a backup."),
    );
    ill.runs = vec![run("2026-11-18-cache", false), run("2026-11-19-user-auth", true), damaged];
    ill.validation = Some(Setup {
        obstacle: Some(Obstacle::NoBrowser { directory: None }),
        left: vec![Left {
            run: "validate-1".to_owned(),
            processes: Vec::new(),
            problem: Some(LOST.to_owned()),
        }],
        ..validation("{\n  \"servers\": [{ \"name\": \"web\", \"comand\": [\"node\"] }]\n}")
    });
    ill.trials = Some(vec![
        Trial {
            model: "openai/gpt-5.1".to_owned(),
            variant: Some("high".to_owned()),
            text: Some("ready".to_owned()),
            failure: None,
            cost: 0.000_4,
            duration_ms: 2_300,
            no_tools: false,
            written: 80,
            writing_ms: 2_000,
        },
        Trial {
            model: "google/gemini-3-pro".to_owned(),
            variant: None,
            text: None,
            failure: Some(CallFailure {
                name: "APIError".into(),
                message: "Incorrect API key provided".into(),
                status: Some(401),
                ..CallFailure::default()
            }),
            cost: 0.0,
            duration_ms: 300,
            no_tools: false,
            written: 0,
            writing_ms: 0,
        },
    ]);
    assert_diagnosis("ill", &ill);
    let text = |by_model| diagnosis(&diagnose(&DoctorInput { by_model, ..ill.clone() }));
    assert!(text(false).contains("Incorrect API key provided"));
    assert!(!text(true).contains("Incorrect API key provided") && text(true).contains("doctor.call-failed"));
    assert_diagnosis("unpriced", &unpriced());
    assert_diagnosis(
        "broken-configuration",
        &DoctorInput {
            sources: vec![source(&CONFIG.replace("review_models", "reviewmodels"))],
            available: None,
            agents: None,
            ..healthy()
        },
    );
}

/// Returns a machine with a cap in dollars, and two models without a known price.
fn unpriced() -> DoctorInput {
    let mut it = healthy();
    it.sources = vec![source(&CONFIG.replace("\n}", ",\n  \"budget\": { \"max_cost_usd\": 2 }\n}"))];
    for model in it.available.as_mut().unwrap().models.iter_mut().skip(1) {
        (model.cost_input, model.cost_output) = (0.0, 0.0);
    }
    it
}

#[test]
fn models_without_a_price_are_named_only_where_a_cap_in_dollars_relies_on_it() {
    let hints = |it: &DoctorInput| {
        let findings = diagnose(it).findings;
        findings.into_iter().filter(|(_, finding)| matches!(finding, Finding::Hint(_))).count()
    };
    assert_eq!(hints(&unpriced()), 1);
    let free_of_caps = DoctorInput { sources: vec![source(CONFIG)], ..unpriced() };
    assert_eq!(hints(&free_of_caps), 0);
    let priced = DoctorInput { available: healthy().available, ..unpriced() };
    assert_eq!(hints(&priced), 0);
    let mut by_the_user = unpriced();
    let table = r#""prices": {"openai/gpt-5.1": {"input": 0, "output": 0}, "google/gemini-3-pro": {"input": 2, "output": 12}}"#;
    by_the_user.sources = vec![source(
        &CONFIG.replace("\n}", &format!(",\n  \"budget\": {{ \"max_cost_usd\": 2 }},\n  {table}\n}}")),
    )];
    assert_eq!(hints(&by_the_user), 0);
    // The caps of Flow and of Validation depend on prices as well, each for the models that it would ask.
    let gpt = || Some("openai/gpt-5.1".to_owned());
    let capped = |prices: &str| {
        let flow = format!(r#", {prices} "flow": {{ "budget": {{ "max_cost_usd": 2 }} }} }}"#);
        DoctorInput {
            sources: vec![source(&CONFIG.replace("\n}", &flow))],
            flow: ConfiguredModels { planner: None, worker: gpt(), reviewer: gpt(), examiner: None },
            validation: Some(validation(
                r#"{ "servers": [{ "name": "web", "command": ["node"] }], "models": { "verifier": "google/gemini-3-pro" },
                    "budget": { "max_cost_usd": 2 } }"#,
            )),
            ..unpriced()
        }
    };
    let report = |it: &DoctorInput| diagnosis(&diagnose(it)).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(hints(&capped("")), 2);
    for cap in [
        "flow.budget.max_cost_usd doesn't limit openai/gpt-5.1:",
        "! budget.max_cost_usd doesn't limit google/gemini-3-pro:",
    ] {
        assert!(report(&capped("")).contains(cap), "{}", report(&capped("")));
    }
    assert_eq!(hints(&capped(&format!("{table},"))), 0);
}

#[test]
fn a_run_whose_designs_wait_for_the_user_is_not_told_as_unfinished() {
    for (outcome, is_told) in [
        (None, true),
        (Some(Outcome::Stopped), true),
        (Some(Outcome::Paused), false),
        (Some(Outcome::Pending), false),
    ] {
        let mut examination = healthy();
        let mut left = run("a", true);
        left.summary.as_mut().unwrap().outcome = outcome;
        examination.runs = vec![left];
        let text = diagnosis(&diagnose(&examination));
        assert_eq!(text.contains("[doctor.unfinished]"), is_told, "{outcome:?}: {text}");
    }
}

#[test]
fn every_finding_that_is_not_good_has_a_code_and_a_remedy() {
    let ways: [fn(&mut DoctorInput); 11] = [
        |it| it.versions.opencode = None,
        |it| it.available = None,
        |it| it.agents = None,
        |it| it.agents = Some(Vec::new()),
        |it| it.search = Search::Missing,
        |it| it.sidebar.files.clear(),
        |it| it.output.stale_locks = vec!["a".to_owned()],
        |it| it.runs = vec![run("a", true)],
        |it| it.output.ignore_files_left = vec![".rgignore".to_owned()],
        |it| *it = unpriced(),
        |it| it.sources = vec![source("{")],
    ];
    let clean = diagnose(&healthy());
    assert!(clean.findings.iter().all(|(_, finding)| matches!(finding, Finding::Good(_))), "{clean:?}");
    for (index, spoil) in ways.into_iter().enumerate() {
        let mut examination = healthy();
        spoil(&mut examination);
        let findings = diagnose(&examination).findings;
        let bad: Vec<&Problem> = findings
            .iter()
            .filter_map(|(_, finding)| match finding {
                Finding::Good(_) => None,
                Finding::Hint(problem) | Finding::Fault(problem) => Some(problem),
            })
            .collect();
        assert!(!bad.is_empty(), "way {index}");
        for problem in bad {
            assert!(problem.code.as_str().contains('.') && problem.next.is_some(), "{problem:?}");
        }
    }
}

#[test]
fn calls_are_made_only_when_asked_for_and_once_a_model() {
    assert_eq!(asks_for_calls(" "), Ok(false));
    assert_eq!(asks_for_calls(" --call "), Ok(true));
    assert_eq!(asks_for_calls("--cal").unwrap_err().code, "doctor.argument");
    let text = r#"{
        "design_models": ["a/one", {"model_id": "a/one", "id": "deep", "variant": "high"}, "b/two"],
        "review_models": ["b/two", "c/three"],
        "topic_generator_model": "d/four"
    }"#;
    let config =
        lab_core::design_lab::config::load(&[source(text)], &[], &AvailableModels::default()).unwrap().config;
    let calls: Vec<(String, Option<String>)> = trial_calls(&config, &AvailableModels::default())
        .into_iter()
        .map(|call| (call.model, call.variant))
        .collect();
    let expected =
        [("a/one", None), ("a/one", Some("high")), ("b/two", None), ("c/three", None), ("d/four", None)];
    assert_eq!(calls, expected.map(|(model, variant)| (model.to_owned(), variant.map(str::to_owned))));
    assert!(diagnose(&healthy()).findings.iter().all(|(area, _)| *area != Area::Calls));
}

#[test]
fn models_are_tried_on_the_terms_of_a_run() {
    let text = r#"{
      "design_models": ["a/one", "b/two"],
      "review_models": ["c/three"],
      "timeouts": { "call_ms": 90000, "idle_ms": 30000 }
    }"#;
    let models =
        vec![model("a/one"), AvailableModel { tool_call: false, ..model("b/two") }, model("c/three")];
    let available = AvailableModels { models, ..AvailableModels::default() };
    let config = lab_core::design_lab::config::load(&[source(text)], &[], &available).unwrap().config;
    let calls = trial_calls(&config, &available);
    let terms: Vec<_> = calls.iter().map(|call| (call.model.as_str(), call.no_tools)).collect();
    assert_eq!(terms, [("a/one", false), ("b/two", true), ("c/three", false)]);
    let roles: Vec<_> = calls.iter().map(|call| call.role).collect();
    assert_eq!(roles, [Role::Reviewer; 3], "a designer would be sent the project's instructions");
    assert!(calls.iter().all(|call| (call.deadline_ms, call.idle_ms, call.steps) == (90_000, 30_000, 3)));
}
