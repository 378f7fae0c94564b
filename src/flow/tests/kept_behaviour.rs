//! Features that change no behaviour: their checks may pass when they are removed, and no test may be lost.

use super::lies::{calm, with};
use super::*;

/// An honest answer; plans are the example with this change.
fn planned(ask: &Ask, change: impl Fn(&mut Value)) -> Does {
    if !ask.job.as_str().starts_with("plan") {
        return honest(ask);
    }
    let mut plan = plan_value();
    change(&mut plan);
    Does::Says(plan.to_string())
}

/// A planner whose first feature changes no behaviour, with honest workers and reviewers.
fn keeping(ask: &Ask) -> Does {
    planned(ask, |plan| plan["features"][0]["keeps_behaviour"] = json!(true))
}

/// The result of a command that passed and ran this many tests.
fn ran(ran: u32) -> Ran {
    Ran { tests: Some(Tests { runners: vec![Runner::Node], ran, skipped: 0 }), ..went_well() }
}

/// Files that change with each turn of a worker, and the number of tests that run: on the files from before, then after each turn.
/// Without the second feature its own tests fail.
fn tests(before: u32, turns: &'static [u32]) -> impl Fn(&Effect) -> Decision {
    let turn = std::cell::Cell::new(0);
    move |effect| {
        if let Effect::TakeTree { ends_work: true, .. } = effect {
            turn.set(turn.get() + 1);
        }
        let now = format!("t{}", turn.get());
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, &now),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, &now)),
            Effect::RunApart { tree, over, .. } => {
                let turn = tree.as_str().trim_start_matches('t').parse::<usize>().unwrap();
                apart_with(effect, |_, run| match (over, run.argv.last().map(String::as_str)) {
                    (Overlay::Paths { .. }, Some("test/api.test.js")) => failed("not ok"),
                    _ if turn == 0 => ran(before),
                    _ => ran(turns[turn - 1]),
                })
            }
            _ => untried(),
        }
    }
}

#[test]
fn a_check_that_passes_without_such_a_feature_stops_nothing() {
    let effects = tests(3, &[3]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let copies = &shell.json("features/limits.json")["copies"][0];
    assert_eq!(copies["purpose"], "as_before");
    assert_eq!(copies["account"], "also passes without the feature, which changes no behaviour");
    assert!(shell.prompts_to("acme/worker")[0].contains("Don't change the behaviour"));
    let review = shell.prompts_to("acme/reviewer")[0];
    assert!(review.contains("The plan says that this feature changes no behaviour"), "{review}");
    let shown = flat(&status(&shell));
    assert!(shown.contains("Without unit: also passes without the feature"), "{shown}");
    for text in [shown, shell.files["report.html"].clone()] {
        assert!(
            text.contains("the planner says that the feature changes no behaviour, so no check had to fail"),
            "{text}"
        );
    }
    assert!(shell.files["docs/features/limits.md"].contains("- The feature changes no behaviour"));
}

#[test]
fn tests_that_it_loses_are_brought_back_before_anybody_reviews_it() {
    let effects = tests(3, &[2, 3]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(prompt.contains("`node --test test/limits.test.js` ran 2 tests instead of 3"), "{prompt}");
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 1);
    let effects = tests(3, &[2, 2, 2, 2, 2]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!((code(&shell).as_str(), shell.prompts_to("acme/reviewer").len()), ("run.rounds", 0));
}

#[test]
fn the_plan_says_so_and_a_person_approves_it() {
    let effects = tests(3, &[3, 3]);
    let mut shell = Shell::new(&keeping, Order::FirstIn).with_effects(&effects);
    shell.feed(opened(true));
    assert_eq!(shell.finish(), Outcome::Stopped);
    assert_eq!(code(&shell), "approval.unchecked");
    assert_eq!(shell.json("session.json")["status"], "awaiting_user");
    assert!(shell.prompts_to("acme/worker").is_empty());
    let shown = flat(&status(&shell));
    assert!(
        shown.contains(
            "The planner says that the feature limits changes no behaviour, so its checks may pass"
        ),
        "{shown}"
    );
    assert!(shown.contains("changes no behaviour, so its checks may pass without it"), "{shown}");

    let mut shell = approve(shell);
    let event = shell.run.automate(&[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
}

#[test]
fn a_plan_that_says_no_is_the_plan_that_says_nothing() {
    let mut said = plan_value();
    said["features"][0]["keeps_behaviour"] = json!(false);
    let read: Plan = serde_json::from_value(said).unwrap();
    assert_eq!(read, plan());
    assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&plan()).unwrap());
}

/// Builds the first feature; returns the worker's prompt in the second round.
fn sent_back(script: &dyn Fn(&Ask) -> Does, effects: Effects<'_>) -> String {
    let mut shell = approved(script, effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped, "{}", status(&shell));
    assert!(shell.prompts_to("acme/reviewer").is_empty(), "nobody is paid to review it");
    shell.prompts_to("acme/worker")[1].to_owned()
}

#[test]
fn new_tests_do_not_make_up_for_lost_ones() {
    let others = tests(3, &[3, 3, 3, 3, 3]);
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { over: Overlay::Paths { .. }, .. } => apart_with(effect, |_, _| ran(5)),
        _ => others(effect),
    };
    let prompt = sent_back(&keeping, &effects);
    assert!(prompt.contains("ran 3 tests, although 5 run with the feature's tests"), "{prompt}");
    // If tests may only have moved out of a code file, that can't be known.
    let others = tests(3, &[3]);
    let moved = |effect: &Effect| match effect {
        Effect::RunApart { over: Overlay::Paths { .. }, .. } => apart_with(effect, |_, _| ran(5)),
        _ => match others(effect) {
            Decision::TreeTaken(mut seen) if !seen.changed.is_empty() => {
                seen.changed.push("src/limits.rs".to_owned());
                taken(seen.effect, seen.tree.as_str(), seen.changed, Vec::new())
            }
            other => other,
        },
    };
    let mut shell = approved(&keeping, &moved);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
}

#[test]
fn a_check_that_shows_no_tests_any_more_is_compared_all_the_same() {
    let quiet = || Ran { tests: None, ..went_well() };
    let script = |ask: &Ask| {
        planned(ask, |plan| {
            plan["features"][0]["keeps_behaviour"] = json!(true);
            plan["features"][0]["verification"][0]["command"] = json!(["npm", "run", "unit"]);
        })
    };
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { over: Overlay::Paths { .. }, .. } => {
            apart_with(effect, |_, _| Ran { tests: None, ..failed("No tests found") })
        }
        Effect::RunApart { tree, .. } if tree == "t0" => apart_with(effect, |_, _| ran(10)),
        Effect::RunApart { .. } => apart_with(effect, |_, _| quiet()),
        _ => match calm(effect) {
            Decision::CheckFinished(seen) => finished(CheckFinished { ran: quiet(), ..*seen }),
            other => other,
        },
    };
    let prompt = sent_back(&script, &effects);
    assert!(
        prompt.contains("`npm run unit` ran 10 tests before the feature, but now shows none"),
        "{prompt}"
    );
}

#[test]
fn the_broad_checks_are_compared_too_before_any_such_feature() {
    // A test is renamed, so its check has nothing to compare with; other tests disappear at the same time.
    let others = tests(3, &[3, 3, 3, 3, 3]);
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { tree, over: Overlay::Nothing, .. } if tree == "t0" => {
            apart_with(effect, |_, run| match run.argv[0].as_str() {
                "npm" => ran(9),
                _ => Ran { tests: None, ..failed("Could not find test/limits.test.js") },
            })
        }
        _ => others(effect),
    };
    let prompt = sent_back(&keeping, &effects);
    assert!(prompt.contains("`npm test` ran 3 tests instead of 9"), "{prompt}");
}

#[test]
fn what_is_compared_with_nothing_is_reported() {
    let others = tests(3, &[3]);
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { effect: number, tree, over: Overlay::Nothing, .. } if tree == "t0" => {
            let unprepared = Some("`npm ci` failed".to_owned());
            let seen = RanApart { effect: *number, unprepared, ..RanApart::default() };
            Decision::RanApart(Box::new(seen))
        }
        _ => others(effect),
    };
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    for command in ["node --test test/limits.test.js", "npm test"] {
        let expected = format!("the tests of `{command}` can't be compared: `npm ci` failed");
        assert!(flat(&status(&shell)).contains(&expected), "{}", status(&shell));
    }
}

#[test]
fn the_reviewer_of_the_whole_and_the_page_say_which_features_they_are() {
    let script = |ask: &Ask| planned(ask, |plan| plan["features"][1]["keeps_behaviour"] = json!(true));
    let shell = drafted(&script, &well);
    assert!(shell.files["report.html"].contains("changes no behaviour, so its checks may pass without it"));
    let effects = |effect: &Effect| match well(effect) {
        Decision::RanApart(_) if effect.number() > 10 => apart_with(effect, |_, _| ran(3)),
        other => other,
    };
    let mut shell = approved(&script, &effects);
    run_next(&mut shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let whole = shell.prompts_to("acme/reviewer").last().unwrap().to_string();
    assert!(whole.contains("Answer 429. It changes no behaviour"), "{whole}");
}

#[test]
fn a_session_of_earlier_rules_compares_no_tests_so_the_ordinary_rule_stays() {
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { .. } => apart_with(effect, |_, _| ran(3)),
        _ => calm(effect),
    };
    for rules in 1..3 {
        let mut shell = approve(drafted_under(rules, &keeping, &effects));
        assert_eq!(run_next(&mut shell), Outcome::Stopped, "{rules}");
    }
}

#[test]
fn what_changed_before_it_is_built_again_is_not_held_against_it() {
    // The first worker gives up without a change; the other feature removes tests for a good reason.
    let script = |ask: &Ask| match ask.job.as_str() {
        "work:limits:1" => with(ask, "work", &json!({"outcome": "blocked", "summary": "A file is missing."})),
        _ => planned(ask, |plan| {
            plan["features"][0]["keeps_behaviour"] = json!(true);
            plan["features"][1]["depends_on"] = json!([]);
        }),
    };
    // The first turn changes nothing.
    let others = tests(9, &[9, 7, 8]);
    let effects = |effect: &Effect| match others(effect) {
        Decision::TreeTaken(seen) if seen.tree == "t1" => taken(seen.effect, "t0", Vec::new(), Vec::new()),
        other => other,
    };
    let mut shell = approved(&script, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let event = shell.run.start("limits", &[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete, "{}", status(&shell));
}

#[test]
fn one_that_is_complete_needs_no_person_any_more() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "work:api:2" => {
            with(ask, "work", &json!({"outcome": "replan_required", "summary": "It needs a cache."}))
        }
        _ => keeping(ask),
    };
    let effects = tests(3, &[3, 3, 3]);
    let mut shell = approved(&script, &effects);
    let event = shell.run.automate(&[]).unwrap();
    carry_out(&mut shell, event);
    assert_eq!(shell.prompts_to("acme/planner").len(), 2, "{}", status(&shell));
    assert_eq!(shell.json("session.json")["status"], "completed", "{}", status(&shell));
}
