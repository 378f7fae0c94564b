//! Every option of a configuration, by its effect on a run.

use super::*;
use crate::design_lab::config::ReferencedFile;
use crate::design_lab::isolation::{Facts, Places, Rules, Verdict, verdict};
use crate::design_lab::workflow::{Spending, foreseen};
use crate::flow::tests::examining::the_settings_say_when_there_is_an_exam;
use crate::flow::tests::lane::the_project_gets_the_result_of_the_lane_when_the_user_types_its_hash;
use crate::flow::tests::mutation::{
    the_settings_name_a_tool_that_tries_faults_in_flow_s_place, the_settings_say_how_many_faults_are_tried,
};
use crate::flow::tests::parts::criteria_are_asked_in_groups_as_the_settings_say;
use crate::flow::tests::settings::{
    copies_are_made_ready_as_the_settings_say, copies_have_a_network_as_the_settings_say,
    rounds_and_calls_of_a_feature_are_bounded, what_a_session_costs_is_bounded,
};
use crate::shared::wrapped::flat;
use std::cell::RefCell;

/// Each key of the configuration with the test that shows its effect. A key without a test fails `every_option_has_a_test`.
const SHOWN: [(&str, fn()); 73] = [
    ("base_output_dir", the_output_directory_goes_by_either_name),
    ("brief", without_tools::who_does_not_see_the_project_gets_a_digest_of_it_if_the_user_allows),
    ("budget.confirm_usd", forecast::a_run_waits_where_nobody_has_said_what_it_may_cost),
    ("budget.max_calls", the_budget_caps_dollars_tokens_and_calls),
    ("budget.max_cost_usd", the_budget_caps_dollars_tokens_and_calls),
    ("budget.max_requests", the_budget_caps_dollars_tokens_and_calls),
    ("budget.max_tokens", the_budget_caps_dollars_tokens_and_calls),
    ("confirm_vendors", vendors::a_run_waits_where_files_would_go_to_a_new_vendor),
    ("concurrency", concurrency_bounds_what_is_in_flight),
    ("decision_map", map::with_the_setting_each_run_is_mapped_blind_after_its_ranking),
    ("design_agent_temperature", temperatures_go_by_kind_then_by_entry),
    ("design_models", models_are_named_by_text_or_object),
    ("design_models.brief", a_brief_is_added_to_the_designers_prompt),
    ("design_models.id", models_are_named_by_text_or_object),
    ("design_models.model_id", models_are_named_by_text_or_object),
    ("design_models.name", a_models_name_is_shown_to_people_and_hidden_from_reviewers),
    ("design_models.prompt_template", a_prompt_of_ones_own_replaces_the_systems),
    ("design_models.temperature", temperatures_go_by_kind_then_by_entry),
    ("design_models.variant", variants_are_passed_on),
    ("flow.budget.calls", rounds_and_calls_of_a_feature_are_bounded),
    ("flow.budget.max_calls", what_a_session_costs_is_bounded),
    ("flow.budget.max_cost_usd", what_a_session_costs_is_bounded),
    ("flow.budget.max_requests", what_a_session_costs_is_bounded),
    ("flow.budget.max_tokens", what_a_session_costs_is_bounded),
    ("flow.budget.session_ms", what_a_session_costs_is_bounded),
    ("flow.criteria_per_call", criteria_are_asked_in_groups_as_the_settings_say),
    ("flow.exam", the_settings_say_when_there_is_an_exam),
    ("flow.mutation", the_settings_say_how_many_faults_are_tried),
    ("flow.mutator.command", the_settings_name_a_tool_that_tries_faults_in_flow_s_place),
    ("flow.mutator.report", the_settings_name_a_tool_that_tries_faults_in_flow_s_place),
    ("flow.mutator.timeout_ms", the_settings_name_a_tool_that_tries_faults_in_flow_s_place),
    ("flow.place", the_project_gets_the_result_of_the_lane_when_the_user_types_its_hash),
    ("flow.rounds", rounds_and_calls_of_a_feature_are_bounded),
    ("flow.worktree.link", copies_are_made_ready_as_the_settings_say),
    ("flow.worktree.network", copies_have_a_network_as_the_settings_say),
    ("flow.worktree.setup", copies_are_made_ready_as_the_settings_say),
    ("isolation.allowed_tools", tools_and_patterns_decide_what_a_session_may_reach),
    ("isolation.blocked_patterns", tools_and_patterns_decide_what_a_session_may_reach),
    ("isolation.enforce_design_isolation", isolation_that_is_off_is_said_to_be),
    ("local_concurrency", local_concurrency_bounds_what_a_server_on_this_machine_gets),
    ("output_directory", the_output_directory_goes_by_either_name),
    ("prices", a_price_of_ones_own_counts_before_the_hosts),
    ("retries.call", retries_of_calls_are_counted),
    (
        "retries.repair",
        repair::a_model_that_never_gets_it_right_fails_after_the_configured_repairs_and_its_answer_is_kept,
    ),
    ("review.close_pairs", close_pair::close_designs_are_compared_in_both_orders_and_the_comparisons_count),
    ("review.exclude_family", reviews_of_kin_can_be_left_out),
    ("review.exclude_self", reviews_of_kin_can_be_left_out),
    ("review.mode", pairs_are_compared_in_both_orders_each_in_a_session_of_its_own),
    ("review.repeats", repeats_review_again_in_another_order),
    ("review.turns", one_turn::a_reviewer_is_asked_once_for_both),
    ("review_agent_temperature", temperatures_go_by_kind_then_by_entry),
    ("review_models", models_are_named_by_text_or_object),
    ("review_models.evaluation_criteria.qualitative", either_half_of_a_review_can_be_left_out),
    ("review_models.evaluation_criteria.quantitative", either_half_of_a_review_can_be_left_out),
    ("review_models.id", models_are_named_by_text_or_object),
    ("review_models.model_id", models_are_named_by_text_or_object),
    ("review_models.name", a_models_name_is_shown_to_people_and_hidden_from_reviewers),
    ("review_models.prompt_template", a_prompt_of_ones_own_replaces_the_systems),
    ("review_models.temperature", temperatures_go_by_kind_then_by_entry),
    ("review_models.variant", variants_are_passed_on),
    ("scoring_criteria.dimensions", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.anchors", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.description", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.max", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.min", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.name", reviewers_are_asked_by_the_configured_rubric_and_held_to_it),
    ("scoring_criteria.dimensions.weight", weights_decide_between_dimensions),
    ("scoring_criteria.require_justification", justifications_are_required_unless_they_are_not),
    ("seed", the_seed_decides_every_order),
    ("timeouts.call_ms", deadlines_hold_for_calls_and_for_the_run),
    ("timeouts.idle_ms", deadlines_hold_for_calls_and_for_the_run),
    ("timeouts.run_ms", deadlines_hold_for_calls_and_for_the_run),
    ("topic_generator_model", the_topic_is_asked_of_its_own_model),
];

#[test]
fn every_option_has_a_test() {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../schemas/design-lab/config.json")).unwrap();
    let mut keys = Vec::new();
    leaves("", &schema, &mut keys);
    keys.retain(|key| key != "$schema");
    keys.sort();
    let shown: Vec<&str> = SHOWN.iter().map(|(key, _)| *key).collect();
    for key in &keys {
        assert!(shown.contains(&key.as_str()), "no test shows what {key} does");
    }
    for key in shown {
        assert!(keys.iter().any(|known| known == key), "{key} is no option");
    }
}

/// The keys of a configuration by path. A list of objects is a key, and so is each field of its entries.
fn leaves(path: &str, schema: &Value, keys: &mut Vec<String>) {
    let (list, properties) = match (schema.get("properties"), schema["items"].get("properties")) {
        (Some(properties), _) => (false, properties),
        (None, Some(properties)) => (true, properties),
        (None, None) => return keys.push(path.to_owned()),
    };
    if list {
        keys.push(path.to_owned());
    }
    for (key, property) in properties.as_object().unwrap() {
        leaves(&if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, property, keys);
    }
}

/// The usual configuration with these changes.
fn with(changes: &Value) -> Value {
    let mut config = config();
    for (key, value) in changes.as_object().unwrap() {
        config[key] = value.clone();
    }
    config
}

fn jobs<'a>(shell: &'a Shell<'_>, prefix: &str) -> Vec<&'a Ask> {
    shell.asked.iter().filter(|ask| ask.job.as_str().starts_with(prefix)).collect()
}

fn order(shell: &Shell<'_>) -> Vec<String> {
    let ranking = shell.json("results/ranking.json");
    let rows = ranking["rankings"].as_array().unwrap().iter();
    rows.map(|row| row["design_id"].as_str().unwrap().to_owned()).collect()
}

/// Reviewers that score at once, without a written review, so that their prompt shows the designs that they score.
fn scoring_at_once() -> Value {
    json!([
        {"model_id": "z/judge", "evaluation_criteria": {"qualitative": false}},
        {"model_id": "z/jury", "evaluation_criteria": {"qualitative": false}},
    ])
}

/// Designs are named after trees, and scored by their title and the dimension.
fn by_title<'a>(
    dimensions: &'a [&'a str],
    score: impl Fn(&str, &str) -> f64 + 'a,
) -> impl Fn(&Ask) -> Does + 'a {
    move |ask| match ask.job.as_str() {
        "design:quill-4" => Does::Says(design("Alder")),
        "design:brisk-10" => Does::Says(design("Birch")),
        "design:zeph-3" => Does::Says(design("Cedar")),
        job if job.starts_with("review") => {
            let evaluations: Vec<Value> = shown(&ask.text)
                .iter()
                .map(|(label, title)| {
                    let mut quantitative = json!({"overall": 5, "justification": "because"});
                    for dimension in dimensions {
                        quantitative[*dimension] = json!(score(title, dimension));
                    }
                    json!({
                        "design_id": label,
                        "qualitative": {"strengths": ["s"], "weaknesses": ["w"], "missing_considerations": [], "risk_assessment": "low"},
                        "quantitative": quantitative,
                    })
                })
                .collect();
            Does::Says(json!({ "evaluations": evaluations }).to_string())
        }
        _ => well(ask),
    }
}

#[test]
fn models_are_named_by_text_or_object() {
    let config = with(&json!({
        "design_models": ["x/quill-4", {"model_id": "x/quill-4", "id": "second"}, {"model_id": "y/zeph-3"}],
        "review_models": ["z/judge", {"model_id": "z/jury", "id": "bench"}],
    }));
    let shell = play(&config, &well, Order::FirstIn);
    let asked: Vec<(&str, &str)> =
        jobs(&shell, "design:").iter().map(|ask| (ask.job.as_str(), ask.model.as_str())).collect();
    let expected =
        [("design:quill-4", "x/quill-4"), ("design:second", "x/quill-4"), ("design:zeph-3", "y/zeph-3")];
    assert_eq!(asked, expected);
    for file in ["designs/second.json", "reviews/review-bench.json", "scores/second-reviewed-by-bench.json"] {
        assert!(shell.files.contains_key(file), "{file}");
    }
    assert_eq!(shell.json("reviews/review-bench.json")["reviewer_model"], "z/jury");
}

#[test]
fn the_topic_is_asked_of_its_own_model() {
    let shell = play(&with(&json!({"topic_generator_model": "z/jury"})), &well, Order::FirstIn);
    assert_eq!(jobs(&shell, "topic")[0].model, "z/jury");
}

#[test]
fn temperatures_go_by_kind_then_by_entry() {
    let temperatures = |config: &Value| -> BTreeMap<String, f64> {
        let shell = play(config, &well, Order::FirstIn);
        shell.asked.iter().map(|ask| (ask.job.to_string(), ask.temperature)).collect()
    };
    let usual = temperatures(&config());
    assert_eq!((usual["design:quill-4"], usual["review:judge:1"]), (0.7, 0.1));
    let own = temperatures(&with(&json!({
        "design_agent_temperature": 1.2,
        "review_agent_temperature": 0.3,
        "design_models": ["x/quill-4", {"model_id": "x/brisk-10", "temperature": 0}],
        "review_models": ["z/judge", {"model_id": "z/jury", "temperature": 0.9}],
    })));
    assert_eq!((own["design:quill-4"], own["design:brisk-10"]), (1.2, 0.0));
    assert_eq!((own["review:judge:1"], own["review:jury:1"]), (0.3, 0.9));
}

#[test]
fn a_models_name_is_shown_to_people_and_hidden_from_reviewers() {
    let config = with(&json!({
        "design_models": [{"model_id": "x/quill-4", "name": "Falcon Prime"}, "x/brisk-10"],
        "review_models": ["z/judge", {"model_id": "z/jury", "name": "Owl Major"}],
    }));
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" => Does::Says(design("A plan by Falcon Prime, unlike that of Owl Major")),
        _ => well(ask),
    };
    let shell = play(&config, &script, Order::FirstIn);
    for ask in jobs(&shell, "review:") {
        assert!(!ask.text.contains("Falcon") && !ask.text.contains("Owl Major"), "{}", ask.text);
    }
    let config = opening(&config).config;
    let agents = crate::opencode::registration::registration(Some(&config), &config.isolation).agents;
    for (agent, name) in
        [("design-lab-design-quill-4", "Falcon Prime"), ("design-lab-review-jury", "Owl Major")]
    {
        assert!(agents[agent]["description"].as_str().unwrap().contains(name));
    }
}

#[test]
fn a_prompt_of_ones_own_replaces_the_systems() {
    let config = with(&json!({
        "design_models": [{"model_id": "x/quill-4", "prompt_template": "{file:./mine.md}"}, "x/brisk-10"],
        "review_models": ["z/judge", {"model_id": "z/jury", "prompt_template": "Be harsh."}],
    }));
    let mut beginning = beginning(&config, "Design a rate limiter");
    let references = crate::design_lab::config::references(&beginning.sources);
    let text = Some("Prefer boring technology.\n".to_owned());
    beginning.files = references
        .into_iter()
        .map(|reference| ReferencedFile {
            leads: Some(reference.path.clone()),
            reference,
            text: text.clone(),
            error: None,
        })
        .collect();
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&beginning).unwrap())));
    shell.finish();
    let system = |job: &str| jobs(&shell, job)[0].system.clone();
    assert_eq!(system("design:quill-4"), "Prefer boring technology.");
    assert_eq!(system("design:brisk-10"), crate::design_lab::prompts::DESIGNER.trim_end());
    assert_eq!(system("review:jury"), "Be harsh.");
    assert_eq!(system("review:judge"), crate::design_lab::prompts::REVIEWER.trim_end());
    assert_eq!(system("topic"), crate::design_lab::prompts::NAMER.trim_end());
}

#[test]
fn a_brief_is_added_to_the_designers_prompt() {
    let config = with(&json!({
        "design_models": [{"model_id": "x/quill-4", "brief": "Think of cost first."}, "x/brisk-10"],
    }));
    let shell = play(&config, &well, Order::FirstIn);
    for ask in shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("design:")) {
        assert!(ask.system.starts_with(crate::design_lab::prompts::DESIGNER.trim_end()));
        assert_eq!(ask.system.ends_with("Think of cost first."), ask.job.as_str() == "design:quill-4");
    }
}

#[test]
fn variants_are_passed_on() {
    let config = with(&json!({
        "design_models": [{"model_id": "x/quill-4", "variant": "high"}, "x/brisk-10"],
        "review_models": [{"model_id": "z/judge", "variant": "low"}],
    }));
    let shell = play(&config, &well, Order::FirstIn);
    let variants: BTreeMap<&str, Option<&str>> =
        shell.asked.iter().map(|ask| (ask.job.as_str(), ask.variant.as_deref())).collect();
    let expected = [
        ("design:brisk-10", None),
        ("design:quill-4", Some("high")),
        ("review:judge:1", Some("low")),
        ("topic", None),
    ];
    assert_eq!(variants, expected.into());
}

#[test]
fn either_half_of_a_review_can_be_left_out() {
    let config = with(&json!({
        "review_models": [
            {"model_id": "z/judge", "evaluation_criteria": {"qualitative": false}},
            {"model_id": "z/jury", "evaluation_criteria": {"quantitative": false}},
        ],
    }));
    let shell = play(&config, &well, Order::FirstIn);
    let [scores_only] = jobs(&shell, "review:judge")[..] else { panic!("one prompt") };
    assert!(scores_only.text.contains("design_id: \"") && shown(&scores_only.text).len() == 3);
    let [words_only] = jobs(&shell, "review:jury")[..] else { panic!("one prompt") };
    assert!(!words_only.text.contains("design_id: \""));
    assert!(shell.files["reviews/review-jury.md"].contains("A thorough review."));
    assert!(!shell.files.keys().any(|path| path.ends_with("-by-jury.json")), "{:?}", shell.files.keys());
    assert_eq!(shell.json("results/ranking.json")["metadata"]["total_reviewers"], 1);
}

#[test]
fn the_output_directory_goes_by_either_name() {
    for key in ["output_directory", "base_output_dir"] {
        let shell = play(&with(&json!({key: "notes/lab/"})), &well, Order::FirstIn);
        let message = shell.run.live_message(shell.now);
        assert!(message.contains(" notes/lab/2026-11-20-rate-limiter/results/results.md"), "{message}");
    }
}

#[test]
fn reviewers_are_asked_by_the_configured_rubric_and_held_to_it() {
    let config = with(&json!({
        "review_models": scoring_at_once(),
        "scoring_criteria": {"dimensions": [
            {"name": "cost", "description": "What will it cost to run?", "min": -5, "max": 5, "anchors": {"-5": "ruinous"}},
            {"name": "joy", "description": "Would you want to build it?", "max": 3},
        ]},
    }));
    let fair = by_title(&["cost", "joy"], |title, _| if title == "Birch" { 3.0 } else { 0.0 });
    let shell = play(&config, &fair, Order::FirstIn);
    let text = &jobs(&shell, "review:judge")[0].text;
    for expected in [
        "**cost** (-5 to 5): What will it cost to run?",
        "- -5: ruinous",
        "**joy** (0 to 3): Would you want to build it?",
        "\"cost\": { reason: string; score: number }; // -5 to 5",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("clarity"), "{text}");
    assert_eq!(order(&shell)[0], "brisk-10");
    let row = &shell.json("results/ranking.json")["rankings"][0];
    assert_eq!(row["score_breakdown"]["joy"]["mean"], 3.0);
    // -5 is within the bounds of cost and below those of joy; 4 is within those of cost and above those of joy.
    for (score, complaint) in
        [(-5.0, "Allowed: a number from 0 to 3."), (4.0, "Allowed: a number from 0 to 3.")]
    {
        let unfair = by_title(&["cost", "joy"], move |_, _| score);
        let shell = play(&config, &unfair, Order::FirstIn);
        let repair = &jobs(&shell, "review:judge")[1].text;
        assert!(
            repair.contains(complaint) && repair.contains("/joy") && !repair.contains("/cost"),
            "{repair}"
        );
    }
}

#[test]
fn weights_decide_between_dimensions() {
    let script = by_title(&["cost", "joy"], |title, dimension| match (title, dimension) {
        ("Alder", "cost") | ("Birch", "joy") => 10.0,
        ("Cedar", _) => 1.0,
        _ => 2.0,
    });
    for (cost, joy, first) in [(9, 1, "quill-4"), (1, 9, "brisk-10")] {
        let config = with(&json!({
            "review_models": scoring_at_once(),
            "scoring_criteria": {"dimensions": [
                {"name": "cost", "description": "C", "weight": cost}, {"name": "joy", "description": "J", "weight": joy},
            ]},
        }));
        assert_eq!(order(&play(&config, &script, Order::FirstIn))[0], first);
    }
}

#[test]
fn justifications_are_required_unless_they_are_not() {
    let script = |ask: &Ask| match well(ask) {
        Does::Says(text) => Does::Says(text.replace(",\"justification\":\"because\"", "")),
        other => other,
    };
    let config = with(&json!({"scoring_criteria": {"require_justification": false}}));
    let shell = play(&config, &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert!(jobs(&shell, "review:judge")[1].text.contains("{ reason?: string; score: number }"));
    assert!(!shell.files["reviews/review-judge.json"].contains("because"), "there was none");
    let shell = play(&config_only_judge(), &script, Order::FirstIn);
    assert!(jobs(&shell, "review:judge")[2].text.contains("The scores have no reasons"));
}

fn config_only_judge() -> Value {
    with(&json!({"review_models": ["z/judge"]}))
}

#[test]
fn isolation_that_is_off_is_said_to_be() {
    let off = play(&with(&json!({"isolation": {"enforce_design_isolation": false}})), &well, Order::FirstIn);
    let on = play(&config(), &well, Order::FirstIn);
    let says = |text: &str| {
        text.to_lowercase().contains("isolation is switched off")
            || text.to_lowercase().contains("isolation was switched off")
    };
    assert!(says(&off.files["results/results.md"]), "{}", off.files["results/results.md"]);
    assert!(says(&off.run.live_message(off.now)));
    assert!(!says(&on.files["results/results.md"]) && !says(&on.run.live_message(on.now)));
    let places =
        Places { project: "/p".to_owned(), outputs: vec!["/p/.design-lab".to_owned()], ..Places::default() };
    let enforced = |shell: &Shell<'_>| Rules::new(&isolation_of(shell), &places).enforce;
    assert!(!enforced(&off) && enforced(&on));
}

#[test]
fn tools_that_weaken_isolation_are_named() {
    let says = |isolation: &Value| {
        let shell = play(&with(&json!({"isolation": isolation})), &well, Order::FirstIn);
        let shown = [&shell.files["results/results.md"], &shell.run.live_message(shell.now)];
        let said =
            shown.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ").contains("weakened"));
        assert_eq!(said[0], said[1]);
        (said[0], shown.iter().all(|text| text.contains("webfetch")))
    };
    assert_eq!(says(&json!({"allowed_tools": ["read", "webfetch"]})), (true, true));
    assert_eq!(says(&json!({"allowed_tools": ["read", "glob"]})), (false, false));
    let off = json!({"allowed_tools": ["webfetch"], "enforce_design_isolation": false});
    assert_eq!(says(&off), (false, false), "nothing is claimed that could be weakened");
}

fn isolation_of(shell: &Shell<'_>) -> crate::design_lab::config::Isolation {
    serde_json::from_value(shell.json("config.json")["isolation"].clone()).unwrap()
}

#[test]
fn tools_and_patterns_decide_what_a_session_may_reach() {
    let config =
        with(&json!({"isolation": {"allowed_tools": ["read", "list"], "blocked_patterns": ["secret/**"]}}));
    let shell = play(&config, &well, Order::FirstIn);
    let places = Places { project: "/p".to_owned(), ..Places::default() };
    let rules = Rules::new(&isolation_of(&shell), &places);
    let reads = |path: &str| {
        let facts: Facts = serde_json::from_value(json!({
            "paths": [{"given": path, "absolute": format!("/p/{path}"), "real": format!("/p/{path}"), "kind": "file", "same_file_as_blocked": false}],
        }))
        .unwrap();
        verdict(&rules, "read", &json!({"filePath": path}).to_string(), &facts) == Verdict::Allow
    };
    assert!(reads("src/main.rs") && !reads("secret/plan.md"));
    let grep = json!({"pattern": "x", "path": "src"}).to_string();
    assert!(
        matches!(verdict(&rules, "grep", &grep, &Facts::default()), Verdict::Deny(_)),
        "not among the tools"
    );
    let config = opening(&config).config;
    let agents = crate::opencode::registration::registration(Some(&config), &config.isolation).agents;
    for agent in
        ["design-lab-designer", "design-lab-reviewer", "design-lab-design-quill-4", "design-lab-review-judge"]
    {
        let rules = &agents[agent]["permission"];
        assert_eq!((&rules["list"], &rules["*"]), (&json!("allow"), &json!("deny")), "{agent}");
        assert!(rules.get("read").is_some() && rules.get("grep").is_none(), "{agent}");
    }
}

#[test]
fn concurrency_bounds_what_is_in_flight() {
    for concurrency in [1, 2, 3] {
        let shell = play(&with(&json!({"concurrency": concurrency})), &well, Order::FirstIn);
        assert_eq!(shell.most_in_flight, concurrency, "all of it is used, and no more");
    }
}

#[test]
fn local_concurrency_bounds_what_a_server_on_this_machine_gets() {
    for (settings, most) in [(json!({}), 1), (json!({"local_concurrency": 2}), 2)] {
        let mut config = with(&settings);
        // Two designs and the topic could be requested at once.
        config["design_models"] = json!(["x/quill-4", "x/brisk-10"]);
        config["review_models"] = config["design_models"].clone();
        let mut opening = opening(&config);
        opening.models.iter_mut().for_each(|model| model.local = true);
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening)));
        assert_eq!(shell.finish(), Outcome::Complete);
        assert_eq!(shell.most_in_flight, most);
    }
}

#[test]
fn deadlines_hold_for_calls_and_for_the_run() {
    let shell =
        play(&with(&json!({"timeouts": {"call_ms": 90_000, "idle_ms": 30_000}})), &well, Order::FirstIn);
    assert!(shell.asked.iter().all(|ask| (ask.deadline_ms, ask.idle_ms) == (90_000, 30_000)));
    // A call takes a second: the topic, three designs, two written reviews, one reviewer's scores.
    let shell = play(&with(&json!({"timeouts": {"run_ms": 6_500}})), &well, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert_eq!(shell.json("results/ranking.json")["metadata"]["total_reviewers"], 1);
    assert!(
        shell.run.live_message(shell.now).contains("the run reached its time limit of 6 s"),
        "{}",
        shell.run.live_message(shell.now)
    );
}

#[test]
fn retries_of_calls_are_counted() {
    for retries in [0, 2] {
        let script = |ask: &Ask| match ask.job.as_str() {
            "design:zeph-3" => Does::Fails("APIError", Some(503)),
            _ => well(ask),
        };
        let shell = play(&with(&json!({"retries": {"call": retries}})), &script, Order::FirstIn);
        assert_eq!(jobs(&shell, "design:zeph-3").len(), retries + 1);
    }
}

#[test]
fn the_budget_caps_dollars_tokens_and_calls() {
    // A call really costs 0.01 dollars and 1500 tokens.
    for budget in [
        json!({"max_cost_usd": 0.08}),
        json!({"max_tokens": 13_000}),
        json!({"max_calls": 7}),
        json!({"max_requests": 7}),
    ] {
        let mut config = with(&json!({"budget": budget, "concurrency": 1}));
        let shell = play(&config, &well, Order::FirstIn);
        let calls = shell.asked.len();
        assert!(calls < 8, "{budget}: something was not asked");
        assert!(calls as f64 * 0.01 <= 0.08 && calls * 1_500 <= 13_000, "{budget}: {calls} calls");
        assert!(shell.run.live_message(shell.now).contains("the budget of"), "{budget}");
        config["budget"] = json!({});
        assert_eq!(play(&config, &well, Order::FirstIn).asked.len(), 8, "without a cap");
    }
}

#[test]
fn repeats_review_again_in_another_order() {
    let shell = play(&with(&json!({"review": {"repeats": 3}})), &well, Order::FirstIn);
    assert_eq!(jobs(&shell, "review:judge").len(), 3 * 2);
    let review = shell.json("reviews/review-judge.json");
    let orders = review["orders"].as_array().unwrap();
    assert_eq!(orders.len(), 3);
    assert!(orders[0] != orders[1] && orders[1] != orders[2], "{orders:?}");
    assert_eq!(review["evaluations"].as_array().unwrap().len(), 3 * 3);
    assert_eq!(shell.json("scores/zeph-3-reviewed-by-judge.json")["repeats"].as_array().unwrap().len(), 3);
}

/// A message's words without its line breaks.
pub(super) fn unwrapped(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_set_aside_for_calls_in_flight_ends_no_run() {
    // With four calls at once, more is reserved than the calls really cost.
    let asked = |concurrency: u32| {
        let config = with(&json!({"budget": {"max_cost_usd": 0.15}, "concurrency": concurrency}));
        let shell = play(&config, &well, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{concurrency} at once");
        shell.asked.len()
    };
    assert_eq!(asked(4), asked(1));
}

#[test]
fn a_budget_below_one_design_is_told_once_and_before_anything_is_paid() {
    let estimated = "is less than the estimate for one design";
    for (budget, why) in [
        (json!({"max_cost_usd": 0.01}), estimated),
        (json!({"max_tokens": 3_000}), estimated),
        (json!({"max_calls": 1}), "the budget of 1 call leaves none for a design"),
        (json!({"max_requests": 1}), "the budget of 1 request leaves none for a design"),
    ] {
        let shell = play(&with(&json!({"budget": budget})), &well, Order::FirstIn);
        assert!(shell.asked.is_empty(), "{budget}: {:?}", shell.asked.len());
        let message = unwrapped(&shell.run.live_message(shell.now));
        assert!(message.contains(why), "{message}");
        let times = shell.notices.iter().filter(|line| line.contains(why)).count();
        assert_eq!(times, 1, "{:?}", shell.notices);
    }
}

#[test]
fn a_cap_in_dollars_that_cannot_hold_is_said_before_the_first_call_and_in_the_results() {
    let capped = with(&json!({"budget": {"max_cost_usd": 1.0}}));
    let mut priced = capped.clone();
    priced["prices"] = json!({"x/quill-4": {"input": 0, "output": 0}});
    for (config, free, is_void) in [(&capped, true, true), (&priced, true, false), (&capped, false, false)] {
        let mut beginning = beginning(config, "Design a rate limiter");
        if free {
            let model = beginning.available.models.first_mut().unwrap();
            (model.cost_input, model.cost_output) = (0.0, 0.0);
        }
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(foreseen(begin(&beginning).unwrap(), &[]))));
        let before = unwrapped(&shell.run.live_message(shell.now));
        shell.finish();
        let after = unwrapped(&shell.run.live_message(shell.now));
        for text in [&before, &after, &unwrapped(&shell.files["results/results.md"])] {
            let times = text.matches("max_cost_usd doesn't limit x/quill-4").count();
            assert_eq!(times, usize::from(is_void), "{text}");
        }
        assert_eq!(before.contains("or set budget.max_calls or budget.max_tokens"), is_void);
    }
}

#[test]
fn a_price_of_ones_own_counts_before_the_hosts() {
    // A call takes 1000 tokens in and 500 out and costs $0.01 at the host's price, which models without a price of the user's own keep.
    let cost = |prices: &Value| {
        let shell = play(&with(&json!({"prices": prices})), &well, Order::FirstIn);
        shell.json("designs/brisk-10.json")["metadata"]["cost"].as_f64().unwrap()
    };
    for (prices, expected) in [
        (json!({}), 0.01),
        (json!({"x/quill-4": {"input": 99, "output": 99}}), 0.01),
        (json!({"x/brisk-10": {"input": 2, "output": 20}}), 0.012),
        (json!({"x/brisk-10": {"input": 0, "output": 0}}), 0.0),
    ] {
        assert!((cost(&prices) - expected).abs() < 1e-9, "{prices}: {}", cost(&prices));
    }
    // The cap uses this price too, and so does the forecast.
    let dear =
        json!({"prices": {"x/brisk-10": {"input": 1, "output": 1_000}}, "budget": {"max_cost_usd": 3}});
    let shell = play(&with(&dear), &well, Order::FirstIn);
    let message = flat(&shell.run.live_message(shell.now));
    assert!(message.contains("the next call might exceed the budget of $3.00"), "{message}");
    let expected = |config: &Value| foreseen(opening(config), &[]).forecast.unwrap().cost;
    assert!(expected(&with(&dear)) > expected(&config()) + 3.0);
}

#[test]
fn an_answer_without_a_report_of_its_use_counts_as_estimated() {
    let mute = |ask: &Ask| match well(ask) {
        Does::Says(text) if ask.job.as_str().starts_with("design:") => Does::Mute(text),
        other => other,
    };
    let shell = play(&config(), &mute, Order::FirstIn);
    let ranking = shell.json("results/ranking.json");
    let spent = ranking["metadata"]["cost"].as_f64().unwrap();
    let reported =
        0.01 * shell.asked.iter().filter(|ask| !ask.job.as_str().starts_with("design:")).count() as f64;
    assert!(spent > reported, "{spent} of {reported}");
    let message = unwrapped(&shell.run.live_message(shell.now));
    assert!(message.contains("didn't report what each call used"), "{message}");
}

/// The cost of a run of these models, and the note on it; each event of the designer has these changes to its `part`.
fn told_cost(part: &str, changes: &Value) -> (f64, String) {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    while shell.ending.is_none() {
        let Some(at) = shell.pending.iter().position(|ask| ask.job.as_str() == "design:quill-4") else {
            assert!(shell.step());
            continue;
        };
        let ask = shell.pending.remove(at);
        let Does::Says(text) = well(&ask) else { unreachable!() };
        let usage = json!({"cost": 0.01, "tokens": {"input": 1_000, "output": 500}});
        let said = match part {
            "reply" => json!({"text": text, "finish": "stop"}),
            _ => json!({"name": "APIError", "message": "terminated", "status": null}),
        };
        let event = if part == "reply" { "answered" } else { "call_failed" };
        let mut event = json!({"event": event, "job": ask.job, part: said});
        for (key, value) in usage.as_object().unwrap().iter().chain(changes.as_object().unwrap()) {
            event[part][key] = value.clone();
        }
        shell.feed(serde_json::from_value(event).unwrap());
    }
    (shell.run.summary().unwrap().cost, unwrapped(&shell.run.live_message(shell.now)))
}

#[test]
fn usage_counts_as_estimated_where_any_number_of_it_cannot_be_true() {
    let (right, message) = told_cost("reply", &json!({}));
    assert!(!message.contains("estimated"), "{message}");
    for tokens in [
        json!({"input": 1_000, "output": -500}),
        json!({"input": 1e300, "output": 500}),
        json!({"input": 1_000, "output": 500, "reasoning": "many"}),
    ] {
        let (spent, message) = told_cost("reply", &json!({"cost": 0.000_001, "tokens": tokens}));
        assert!(message.contains("didn't report what each call used"), "{tokens}: {message}");
        assert!(spent > right - 0.01 + 0.000_1, "{tokens}: {spent}, all others {}", right - 0.01);
    }
}

#[test]
fn what_broke_off_counts_as_estimated_each_time() {
    let unknown = "that were cut off is unknown. For such calls";
    for part in ["reply", "failure"] {
        let (none, message) = told_cost(part, &json!({"cut_off": 0}));
        assert!(!message.contains(unknown), "{part}: {message}");
        let (once, message) = told_cost(part, &json!({"cut_off": 1}));
        assert!(message.contains(unknown), "{part}: {message}");
        let (thrice, _) = told_cost(part, &json!({"cut_off": 3}));
        let each = once - none;
        assert!(each > 0.01, "{part}: {each}");
        assert!((thrice - none - 3.0 * each).abs() < 1e-9, "{part}: {thrice} is not {none} + 3 x {each}");
    }
}

#[test]
fn a_call_in_several_steps_is_stopped_between_two_of_them_once_the_budget_is_reached() {
    let config = with(&json!({"budget": {"max_cost_usd": 1.0}}));
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    assert!(shell.step(), "the run has its name");
    let spending = |ask: &Ask, cost: f64| {
        let tokens = Tokens { input: 1_000, ..Tokens::default() };
        Spending { job: ask.job.clone(), cost, tokens, requests: 1 }
    };
    let [first, second, third] = [0, 1, 2].map(|at| shell.pending[at].clone());
    let used = [spending(&first, 0.4), spending(&second, 0.5)];
    assert_eq!(shell.run.overspending(&first.job, &used), None, "with the topic's cent 0.91 are spent");
    let used = [spending(&first, 0.4), spending(&second, 0.6)];
    assert_eq!(shell.run.overspending(&third.job, &used), None, "it has made no step");
    let event = shell.run.overspending(&second.job, &used).unwrap();
    shell.feed(event);
    assert_eq!(
        shell.aborted,
        std::slice::from_ref(&second.session),
        "the other one may be writing its answer"
    );
    assert_eq!(shell.run.overspending(&second.job, &used), None, "it is stopped once");
    assert!(shell.run.live_message(shell.now).contains("the budget of $1.00 is reached: $1.01 spent"));
    // The host's later report about the stopped call is already counted.
    let cost = |shell: &Shell<'_>| shell.run.summary().unwrap().cost;
    let before = cost(&shell);
    let failure = CallFailure { name: "MessageAbortedError".into(), cost: 0.6, ..CallFailure::default() };
    shell.feed(EventKind::CallFailed { job: second.job.clone(), failure });
    assert!((cost(&shell) - before).abs() < 1e-12 && before > 0.6);
    shell.pending.retain(|ask| ask.job != second.job);
    let asked = shell.asked.len();
    shell.finish();
    assert_eq!(shell.asked.len(), asked, "nothing more is asked");
    let larger = with(&json!({"budget": {"max_cost_usd": 9.0}}));
    let mut later = reconfigured::taken_over(&shell.journal, &larger, &well, Order::FirstIn);
    assert_eq!(later.finish(), Outcome::Complete);
    assert!(later.asked.iter().any(|ask| ask.job == second.job && ask.session != second.session));
}

#[test]
fn reviews_that_are_there_are_kept_when_the_budget_ends_the_repeats() {
    let config = with(&json!({"review": {"repeats": 2}, "concurrency": 1, "timeouts": {"run_ms": 7_000}}));
    let shell = play(&config, &well, Order::FirstIn);
    assert_eq!(shell.json("reviews/review-judge.json")["orders"].as_array().unwrap().len(), 1);
    assert_replays(&shell);
}

#[test]
fn reviews_of_kin_can_be_left_out() {
    let models = ["anthropic/claude-opus-4.5", "anthropic/claude-haiku-4.5", "y/zeph-3"];
    let excluded = |review: &Value| {
        let config = json!({"design_models": models, "review": review});
        let shell = play(&config, &well, Order::FirstIn);
        let ranking = shell.json("results/ranking.json");
        let counts: BTreeMap<String, u64> = ranking["rankings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                (row["design_id"].as_str().unwrap().to_owned(), row["reviewer_count"].as_u64().unwrap())
            })
            .collect();
        let of = |id: &str| counts[id];
        (of("claude-opus-4-5"), of("zeph-3"), ranking["metadata"]["self_reviews_excluded"].as_u64().unwrap())
    };
    assert_eq!(excluded(&json!({})), (2, 2, 3), "its own review is left out");
    assert_eq!(excluded(&json!({"exclude_self": false})), (3, 3, 0));
    assert_eq!(excluded(&json!({"exclude_family": true})), (1, 2, 5), "and its vendor's");
}

#[test]
fn the_seed_decides_every_order() {
    let orders_of = |seed: Value, later: u64| {
        let seen = RefCell::new(Vec::new());
        let script = |ask: &Ask| {
            if ask.text.contains("<design id=") {
                seen.borrow_mut().push((ask.job.clone(), shown(&ask.text)));
            }
            well(ask)
        };
        let mut shell = Shell::new(&script, Order::FirstIn);
        shell.now += later;
        shell.feed(EventKind::Opened(Box::new(opening(&with(&json!({ "seed": seed }))))));
        shell.finish();
        (shell.json("results/ranking.json")["metadata"]["seed"].clone(), seen.into_inner())
    };
    let orders = |seed: Value| orders_of(seed, 0);
    assert_eq!(orders(json!(7)), orders(json!(7)));
    assert_eq!(orders(json!(7)).0, 7);
    assert!((8..20).any(|seed| orders(json!(seed)).1 != orders(json!(7)).1));
    assert_eq!(orders(json!(null)), orders(json!(null)), "derived from the task");
    let (seed, shown) = orders_of(json!(null), 60_000);
    assert_eq!(seed, orders(json!(null)).0);
    assert_ne!(shown, orders(json!(null)).1, "no design can be written for the labels of another run");
    assert_eq!(orders_of(json!(7), 60_000), orders(json!(7)), "what is configured is repeated");
}

// ---- no configuration at all ----

fn unconfigured(models: &[&str]) -> OpeningInput {
    let mut beginning = beginning(&config(), "Design a rate limiter");
    beginning.sources.clear();
    beginning.available.models.retain(|model| models.contains(&model.id().as_str()));
    for model in &mut beginning.available.models {
        model.tool_call = true;
    }
    beginning
}

#[test]
fn without_configuration_the_connected_models_do_it_and_the_user_is_reported() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&unconfigured(&["x/quill-4", "y/zeph-3"])).unwrap())));
    assert_eq!(shell.finish(), Outcome::Complete);
    let message = unwrapped(&shell.run.live_message(shell.now));
    assert!(message.contains("chosen from the connected"), "{message}");
    assert!(message.contains("x/quill-4") && message.contains("y/zeph-3"), "{message}");
}

#[test]
fn a_single_model_designs_under_three_briefs() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&unconfigured(&["x/quill-4"])).unwrap())));
    assert_eq!(shell.finish(), Outcome::Complete);
    for (angle, words) in [
        ("system", "from the system's point of view"),
        ("architecture", "from the inside out"),
        ("api", "from the contracts"),
    ] {
        let asks = jobs(&shell, &format!("design:quill-4-{angle}"));
        assert!(
            asks[0].system.starts_with(crate::design_lab::prompts::DESIGNER.trim_end()),
            "{}",
            asks[0].system
        );
        assert!(asks[0].system.contains(words), "{}", asks[0].system);
    }
    for ask in jobs(&shell, "review:") {
        assert_eq!(ask.system, crate::design_lab::prompts::REVIEWER.trim_end(), "reviewers have no brief");
    }
    assert!(shell.run.live_message(shell.now).contains("three times, under different briefs"));
    assert_eq!(shell.json("results/ranking.json")["verdict"]["kind"], "insufficient");
}
