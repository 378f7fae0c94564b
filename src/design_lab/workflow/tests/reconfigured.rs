//! Continuing under another configuration: what stays, what is asked, what is moved aside.

use super::super::durability_tests::timeless;
use super::*;
use crate::design_lab::config::{AvailableModels, ScoringCriteria};
use crate::design_lab::workflow::Decision;
use std::collections::BTreeSet;

/// Continues a run in a new process under this configuration.
pub(super) fn taken_over<'a>(
    journal: &[String],
    config: &Value,
    script: &'a dyn Fn(&Ask) -> Does,
    order: Order,
) -> Shell<'a> {
    let mut shell = Shell::of(journal, script, order);
    let OpeningInput { sources, files, available, .. } = beginning(config, "");
    let event = shell.run.resumption(&sources, &files, &available).unwrap();
    shell.feed(event);
    shell
}

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut config = config();
    change(&mut config);
    config
}

/// The built-in rubric as earlier versions had it.
fn without_anchors() -> Value {
    let mut rubric = serde_json::to_value(ScoringCriteria::default()).unwrap();
    for dimension in rubric["dimensions"].as_array_mut().unwrap() {
        dimension["anchors"] = json!({});
    }
    changed(|config| config["scoring_criteria"] = rubric)
}

/// The jobs that were asked, each once.
fn asked(shell: &Shell<'_>) -> Vec<String> {
    let jobs: BTreeSet<&str> = shell.asked.iter().map(|ask| ask.job.as_str()).collect();
    jobs.into_iter().map(str::to_owned).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn only_what_is_asked_on_other_terms_is_asked_again() {
    let both = ["review:judge:1", "review:jury:1"];
    let rubric = |weight: u32, description: &str| json!({"dimensions": [{"name": "clarity", "description": description, "weight": weight}]});
    let cases: Vec<(&str, Value, Value, Vec<&str>)> = vec![
        ("nothing", config(), config(), vec![]),
        ("the built-in rubric of an earlier version", without_anchors(), config(), vec![]),
        ("money", config(), changed(|c| c["budget"] = json!({"max_cost_usd": 99})), vec![]),
        (
            "patience",
            config(),
            changed(|c| {
                c["timeouts"] = json!({"call_ms": 5_000});
                c["retries"] = json!({"call": 0, "repair": 0});
                c["concurrency"] = json!(1);
            }),
            vec![],
        ),
        ("how scores count", config(), changed(|c| c["review"] = json!({"exclude_self": false})), vec![]),
        (
            "weights",
            changed(|c| c["scoring_criteria"] = rubric(1, "Clear?")),
            changed(|c| c["scoring_criteria"] = rubric(7, "Clear?")),
            vec![],
        ),
        (
            "the rubric",
            changed(|c| c["scoring_criteria"] = rubric(1, "Clear?")),
            changed(|c| c["scoring_criteria"] = rubric(1, "Plain?")),
            both.to_vec(),
        ),
        (
            "a name",
            config(),
            changed(|c| c["design_models"][0] = json!({"model_id": "x/quill-4", "name": "Quill"})),
            vec![],
        ),
        (
            "a designer's temperature",
            config(),
            changed(|c| c["design_models"][0] = json!({"model_id": "x/quill-4", "temperature": 0.1})),
            [&["design:quill-4"][..], &both].concat(),
        ),
        (
            "a further designer",
            changed(|c| c["design_models"] = json!(["x/quill-4", "x/brisk-10"])),
            config(),
            [&["design:zeph-3"][..], &both].concat(),
        ),
        (
            "a designer less",
            config(),
            changed(|c| c["design_models"] = json!(["x/quill-4", "y/zeph-3"])),
            both.to_vec(),
        ),
        (
            "another order of designers",
            config(),
            changed(|c| c["design_models"] = json!(["y/zeph-3", "x/quill-4", "x/brisk-10"])),
            vec![],
        ),
        (
            "another reviewer",
            config(),
            changed(|c| c["review_models"] = json!(["x/quill-4", "z/jury"])),
            vec!["review:quill-4:1"],
        ),
        ("a reviewer less", config(), changed(|c| c["review_models"] = json!(["z/jury"])), vec![]),
        (
            "a reviewer's instructions",
            config(),
            changed(|c| {
                c["review_models"][1] = json!({"model_id": "z/jury", "prompt_template": "Be harsh."});
            }),
            vec!["review:jury:1"],
        ),
        (
            "a reviewer without prose",
            config(),
            changed(|c| {
                c["review_models"][1] =
                    json!({"model_id": "z/jury", "evaluation_criteria": {"qualitative": false}});
            }),
            vec!["review:jury:1"],
        ),
        (
            "repeats",
            config(),
            changed(|c| c["review"] = json!({"repeats": 2})),
            vec!["review:judge:2", "review:jury:2"],
        ),
        ("fewer repeats", changed(|c| c["review"] = json!({"repeats": 2})), config(), vec![]),
        ("the seed, which stays", config(), changed(|c| c["seed"] = json!(5)), vec![]),
    ];
    for (what, old, new, expected) in cases {
        let first = play(&old, &well, Order::FirstIn);
        let mut second = taken_over(&first.journal, &new, &well, Order::FirstIn);
        assert_eq!(second.finish(), Outcome::Complete, "{what}");
        assert_eq!(asked(&second), expected, "{what}");
        let afresh = play(&new, &well, Order::FirstIn);
        let count =
            |shell: &Shell<'_>| shell.files.keys().filter(|path| !path.starts_with("former/")).count();
        assert_eq!(count(&second), count(&afresh), "{what}: {:?}", second.files.keys());
        nothing_is_lost(&first, &second, what);
    }
}

fn answers(journal: &[String]) -> usize {
    journal.iter().filter(|line| line.contains("\"event\":\"answered\"")).count()
}

/// Every file is still on disk, what was paid is counted, and the journal gives the same files.
fn nothing_is_lost(first: &Shell<'_>, second: &Shell<'_>, what: &str) {
    for (path, text) in &first.files {
        // Results are made from the other files, and contain the time.
        let kept = second.files.get(path) == Some(text)
            || second.files.get(&format!("former/1/{path}")) == Some(text)
            || path.starts_with("results/");
        assert!(kept, "{what}: {path}");
    }
    let cost = second.run.summary().unwrap().cost;
    let paid = 0.01 * (first.asked.len() + second.asked.len()) as f64;
    assert!((cost - paid).abs() < 1e-9, "{what}: {cost} of {paid}");
    let replayed: BTreeMap<String, String> =
        Run::replay(&second.journal.concat()).unwrap().0.files().unwrap().into_iter().collect();
    assert_eq!(replayed.len(), second.files.len(), "{what}");
    for (path, text) in replayed {
        assert_eq!(text, second.files[&path], "{what}: {path}");
    }
}

#[test]
fn another_mode_of_review_asks_the_reviewers_alone_and_back_again() {
    let pairs = pairwise();
    for (old, new) in [(config(), pairs.clone()), (pairs, config())] {
        let (before, script) = (able_in(&old), able_in(&new));
        let first = play(&old, &before, Order::FirstIn);
        let mut second = taken_over(&first.journal, &new, &script, Order::FirstIn);
        assert_eq!(second.finish(), Outcome::Complete);
        assert!(second.asked.iter().all(|ask| ask.job.as_str().starts_with("review:")));
        let afresh = play(&new, &script, Order::FirstIn);
        assert_eq!(second.asked.len() + 4, afresh.asked.len(), "all but the topic and three designs");
        nothing_is_lost(&first, &second, "mode");
    }
}

/// Models that do well in the mode of this configuration.
fn able_in(config: &Value) -> fn(&Ask) -> Does {
    if config["review"]["mode"] == "pairwise" { compares } else { well }
}

#[test]
fn in_pairs_a_further_reviewer_leaves_the_verdicts_of_the_others() {
    let first = play(&pairwise(), &compares, Order::FirstIn);
    let mut new = pairwise();
    new["review_models"] = json!(["x/quill-4", "z/judge", "z/jury"]);
    new["review"]["exclude_self"] = json!(false);
    let mut second = taken_over(&first.journal, &new, &compares, Order::LastIn);
    assert_eq!(second.finish(), Outcome::Complete);
    assert!(second.asked.iter().all(|ask| ask.job.as_str().starts_with("review:quill-4:")));
    assert_eq!(second.asked.len(), 6);
    assert_eq!(second.files["results/comparisons.csv"].lines().count(), 19);
    nothing_is_lost(&first, &second, "pairs");
}

#[test]
fn a_larger_budget_lets_a_stopped_run_go_on_to_the_end_of_an_undisturbed_one() {
    let undisturbed = play(&config(), &well, Order::FirstIn);
    let dollars = (1..10).map(|cents| json!({"max_cost_usd": f64::from(cents) / 100.0}));
    let calls = (1..undisturbed.asked.len()).map(|calls| json!({"max_calls": calls}));
    for budget in dollars.chain(calls) {
        let small = changed(|c| c["budget"] = budget.clone());
        let stopped = play(&small, &well, Order::FirstIn);
        let mut resumed = taken_over(&stopped.journal, &config(), &well, Order::FirstIn);
        assert_eq!(resumed.finish(), Outcome::Complete, "{budget}");
        let prompts = stopped.asked.len() + resumed.asked.len();
        if stopped.asked.is_empty() {
            // Too little for a single design, so no model was asked: the task's own words became the name.
            assert_eq!(prompts + 1, undisturbed.asked.len(), "{budget}");
            continue;
        }
        assert_eq!(prompts, undisturbed.asked.len(), "{budget}: each answer is paid for once");
        let mut files = timeless(&resumed.files);
        files.retain(|path, _| !path.starts_with("former/"));
        for (path, text) in timeless(&undisturbed.files) {
            if path != "results/results.md" {
                assert_eq!(files[&path], text, "{budget}: {path}");
            }
        }
        assert_eq!(files.len(), undisturbed.files.len(), "{budget}");
    }
}

#[test]
fn a_model_that_failed_for_good_is_tried_again_and_so_is_the_one_in_its_place() {
    let script = |ask: &Ask| {
        if ask.model == "x/quill-4" && ask.job.as_str().starts_with("design") {
            return Does::Fails("APIError", Some(404));
        }
        if ask.model == "x/brisk-10" && ask.job.as_str().starts_with("design") {
            return Does::Fails("ProviderAuthError", Some(401));
        }
        well(ask)
    };
    let first = play(&config(), &script, Order::FirstIn);
    assert_eq!(first.ending.as_ref().unwrap().0, Outcome::Stopped, "one design is none to compare");
    let new = changed(|c| c["design_models"][0] = json!({"id": "quill-4", "model_id": "z/jury"}));
    let mut second = taken_over(&first.journal, &new, &well, Order::FirstIn);
    assert_eq!(second.finish(), Outcome::Complete);
    let designs: Vec<(String, String)> = second
        .asked
        .iter()
        .filter(|ask| ask.job.as_str().starts_with("design"))
        .map(|ask| (ask.job.to_string(), ask.model.clone()))
        .collect();
    let expected = [("design:quill-4", "z/jury"), ("design:brisk-10", "x/brisk-10")];
    assert_eq!(designs, expected.map(|(job, model)| (job.to_owned(), model.to_owned())));
}

#[test]
fn wherever_a_process_ends_the_change_is_made_once_and_the_end_is_the_same() {
    let old = changed(|c| c["design_models"] = json!(["x/quill-4", "x/brisk-10"]));
    let with = |key: &str, value: Value| {
        let mut config = old.clone();
        config[key] = value;
        config
    };
    let changes = [
        with(
            "design_models",
            json!([{"model_id": "x/quill-4", "temperature": 0.1}, "y/zeph-3", "x/brisk-10"]),
        ),
        with("review_models", json!(["z/judge", "x/quill-4"])),
        with("review", json!({"mode": "pairwise"})),
    ];
    let first = play(&old, &well, Order::FirstIn);
    for new in &changes {
        let script = able_in(new);
        let middle = first.journal.len() * 2 / 3;
        for length in 1..=first.journal.len() {
            let journal = &first.journal[..length];
            let mut second = taken_over(journal, new, &script, Order::LastIn);
            assert_eq!(second.finish(), Outcome::Complete, "after line {length}");
            let replayed: BTreeMap<String, String> =
                Run::replay(&second.journal.concat()).unwrap().0.files().unwrap().into_iter().collect();
            assert_eq!(replayed, second.files, "after line {length}");
            if length != middle {
                continue;
            }
            let expected = timeless(&second.files);
            for cut in length + 1..second.journal.len() {
                let journal = &second.journal[..cut];
                let mut third = taken_over(journal, new, &script, Order::LastIn);
                assert_eq!(third.finish(), Outcome::Complete, "after line {length}, then {cut}");
                let files = timeless(&third.files);
                assert_eq!(files.len(), expected.len(), "after line {length}, then {cut}");
                for (path, text) in files {
                    for (line, expected) in text.lines().zip(expected[&path].lines()) {
                        assert_eq!(line, expected, "after line {length}, then {cut}: {path}");
                    }
                }
                let paid = answers(journal) + third.asked.len();
                assert_eq!(paid, answers(&second.journal), "after line {length}, then {cut}");
            }
        }
    }
}

#[test]
fn the_chat_says_what_is_kept_and_what_is_asked_before_it_is() {
    let first = play(&config(), &well, Order::FirstIn);
    let new = changed(|c| {
        c["design_models"] = json!(["x/quill-4", "x/brisk-10", "z/jury"]);
    });
    let second = taken_over(&first.journal, &new, &well, Order::FirstIn);
    assert!(second.asked.iter().all(|ask| ask.job.as_str() == "design:jury"), "no review yet");
    let message = second.run.live_message(second.now).split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        "The configuration has changed. Kept: the design by quill-4, the design by brisk-10.",
        "To ask: the design by jury, the review by judge, the review by jury.",
        "kept in former/1: the design by zeph-3, the review by judge, the review by jury.",
        "because the designs have changed",
    ] {
        assert!(message.contains(sentence), "{sentence}: {message}");
    }
    let unchanged = taken_over(&first.journal[..9], &config(), &well, Order::FirstIn);
    assert!(!unchanged.run.live_message(unchanged.now).contains("changed"));
}

#[test]
fn models_that_nobody_named_stay_those_of_the_run() {
    let unnamed = json!({"budget": {"max_cost_usd": 5}});
    let first = play(&unnamed, &well, Order::FirstIn);
    let half = &first.journal[..first.journal.len() / 2];
    let (run, _) = Run::replay(&half.concat()).unwrap();
    let OpeningInput { sources, files, mut available, .. } = beginning(&unnamed, "");
    available.models.reverse();
    available.models.truncate(3);
    assert_eq!(run.resumption(&sources, &files, &available).unwrap(), EventKind::Resumed);
    let dearer = json!({"budget": {"max_cost_usd": 6}});
    let sources = beginning(&dearer, "").sources;
    let EventKind::Decided(Decision::Reconfigured(change)) =
        run.resumption(&sources, &files, &available).unwrap()
    else {
        panic!("the budget is another");
    };
    let opening = opening(&unnamed);
    assert_eq!(change.config.design_models, opening.config.design_models);
    assert_eq!(change.config.review_models, opening.config.review_models);
    assert_eq!(change.notes, opening.notes);
    let unknown = json!({"design_models": ["x/quill-4", "x/nobody"]});
    let problems = run.resumption(&beginning(&unknown, "").sources, &files, &AvailableModels::default());
    assert!(problems.unwrap_err().iter().any(|problem| problem.to_string().contains("x/nobody")));
}

#[test]
fn a_call_on_its_way_whose_model_left_is_stopped_and_said() {
    let mut first = Shell::new(&well, Order::FirstIn);
    first.feed(EventKind::Opened(Box::new(opening(&config()))));
    while first.pending.len() < 3 {
        assert!(first.step());
    }
    let on_its_way =
        first.pending.iter().find(|ask| ask.job.as_str() == "design:zeph-3").unwrap().session.clone();
    let without = changed(|c| c["design_models"] = json!(["x/quill-4", "x/brisk-10"]));
    let mut second = taken_over(&first.journal, &without, &well, Order::FirstIn);
    assert_eq!(second.aborted, [on_its_way]);
    let message = second.run.live_message(second.now).split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "No longer needed, and stopped before the answer arrived: the design by zeph-3. Its cost is \
                unknown.";
    assert!(message.contains(said), "{message}");
    assert_eq!(second.finish(), Outcome::Complete);
}

#[test]
fn a_tool_that_was_allowed_once_is_named_to_the_end() {
    let tool = changed(|c| c["isolation"] = json!({"allowed_tools": ["read", "index_search"]}));
    for (old, new) in [(&tool, &config()), (&config(), &tool)] {
        let first = play(old, &well, Order::FirstIn);
        let mut second = taken_over(&first.journal, new, &well, Order::FirstIn);
        second.finish();
        assert!(second.run.live_message(second.now).contains("index_search"));
        assert!(second.files["results/results.md"].contains("index_search"));
    }
}

#[test]
fn once_off_isolation_was_off_for_the_run() {
    let off = changed(|c| c["isolation"] = json!({"enforce_design_isolation": false}));
    for (old, new) in [(&off, &config()), (&config(), &off)] {
        let first = play(old, &well, Order::FirstIn);
        let mut second = taken_over(&first.journal, new, &well, Order::FirstIn);
        second.finish();
        assert!(second.run.live_message(second.now).contains("Isolation is switched off"));
    }
}
