//! A review in parts: a criterion a question, the approval from all of them, and only the part at fault asked again.

use super::copies::{finds, with_reproducer};
use super::durability::is_resumed_after_any_line;
use super::lies::{calm, with};
use super::*;
use crate::flow::plan::Criterion;
use crate::flow::protocol::Opening;
use crate::flow::review::Review;
use crate::flow::review_parts::Parts;
use kernel::protocol::{LookedUp, PathFound, Reply};

/// A session under these settings, with its plan approved.
fn under<'a>(settings: FlowSettings, script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(settings, false));
    assert_eq!(shell.finish(), Outcome::Complete);
    approve(shell)
}

fn in_parts<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    under(FlowSettings { criteria_per_call: None, ..patient() }, script, effects)
}

/// The criteria that each prompt to the reviewer asks for; `None` for the first part of a review.
fn asked<'a>(shell: &'a Shell<'_>) -> Vec<Option<&'a str>> {
    let of =
        |text: &'a str| text.lines().last()?.strip_prefix("Judge ")?.rsplit_once(": ")?.1.strip_suffix('.');
    shell.prompts_to("acme/reviewer").into_iter().map(of).collect()
}

#[test]
fn each_criterion_is_asked_by_itself_in_the_session_of_its_review() {
    let mut shell = in_parts(&honest, &well);
    run_next(&mut shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let of_limits = [None, Some("refills"), Some("readable")];
    // The feature api has one criterion that can be judged: one answer is enough.
    let of_api = [Some("answers")];
    let of_all = [None, Some("limits/refills"), Some("limits/readable"), Some("api/answers")];
    assert_eq!(asked(&shell), [&of_limits[..], &of_api, &of_all].concat());
    let prompts = shell.prompts_to("acme/reviewer");
    assert!(prompts[0].contains("# The change") && prompts[0].contains("You are asked about them next."));
    assert!(prompts[1].contains("refills holds") && !prompts[1].contains("readable holds"), "{}", prompts[1]);
    assert!(!prompts[2].contains("# The change"), "the conversation holds that already: {}", prompts[2]);
    let sessions: Vec<&str> = shell
        .asked
        .iter()
        .filter(|ask| ask.model == "acme/reviewer")
        .map(|ask| ask.session.as_str())
        .collect();
    assert_eq!(sessions[0], sessions[2]);
    assert_ne!(sessions[2], sessions[3]);
    let judged = &shell.json("features/limits.json")["decisions"][0]["review"]["criteria"];
    assert_eq!((&judged[0]["id"], &judged[1]["id"]), (&json!("refills"), &json!("readable")), "{judged}");
}

#[test]
fn one_criterion_that_is_not_met_stops_the_feature_alone() {
    let unmet = |ask: &Ask| {
        if ask.text.contains("no other: readable.") {
            let judged = json!([{"id": "readable", "met": false, "where": "src/limits.js:1"}]);
            return with(ask, "review", &json!({"criteria": judged}));
        }
        // The worker's next round doesn't matter here.
        with(
            ask,
            "work",
            &json!({"outcome": if ask.text.contains("isn't met") { "blocked" } else { "done" }}),
        )
    };
    let mut shell = in_parts(&unmet, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let fix = shell.prompts_to("acme/worker")[1];
    assert!(
        fix.contains("- the criterion readable isn't met: src/limits.js:1") && !fix.contains("refills"),
        "{fix}"
    );
    let decision = &shell.json("features/limits.json")["decisions"][0];
    assert_eq!(
        (&decision["review"]["decision"], &decision["verdict"]),
        (&json!("approved"), &json!("needs_fix"))
    );
}

#[test]
fn only_the_part_at_fault_is_asked_again() {
    let judged = |id: &str, place: &str| json!({"criteria": [{"id": id, "met": true, "where": place}]});
    let missing =
        || LookedUp { path: "src/ghost.js".to_owned(), found: PathFound::Nothing, lines: None, place: None };
    let said = |answer: &Value, reads: u32, looked_up: Vec<LookedUp>| {
        let text = answer.to_string();
        let finish = "stop".to_owned();
        Does::Replies(Box::new(Reply { text, finish, reads: Some(reads), looked_up, ..Reply::default() }))
    };
    let right_answer = judged("refills", "src/limits.js:1");
    for (wrong, why) in [
        (
            said(&judged("readable", "src/limits.js:1"), 3, Vec::new()),
            "The review skips the criterion \"refills\".",
        ),
        (
            said(&judged("refills", "src/ghost.js:4"), 3, vec![missing()]),
            "src/ghost.js:4, which doesn't exist",
        ),
        (said(&right_answer, 0, Vec::new()), "The reviewer has read no file"),
        (said(&json!({"decision": "approved", "findings": []}), 3, Vec::new()), "criteria"),
    ] {
        let wrong = std::cell::RefCell::new(Some(wrong));
        let script = |ask: &Ask| match ask.text.contains("no other: refills.") {
            true => wrong.borrow_mut().take().unwrap(),
            false if ask.text.contains("can't be used") => Does::Says(right_answer.to_string()),
            false => honest(ask),
        };
        let mut shell = in_parts(&script, &calm);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{why}: {}", status(&shell));
        let prompts = shell.prompts_to("acme/reviewer");
        assert_eq!(prompts.len(), 4, "{why}");
        assert!(prompts[2].contains(why), "{why}: {}", prompts[2]);
        assert!(prompts[3].contains("no other: readable."), "{}", prompts[3]);
    }
}

#[test]
fn a_decision_without_a_finding_is_asked_again_before_any_criterion() {
    let script = |ask: &Ask| match ask.text.contains("type Findings = ") {
        true => Does::Says(json!({"decision": "needs_fix", "findings": []}).to_string()),
        false if ask.text.contains("can't be used") => {
            Does::Says(json!({"decision": "approved", "findings": []}).to_string())
        }
        false => honest(ask),
    };
    let mut shell = in_parts(&script, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert!(shell.prompts_to("acme/reviewer")[1].contains("names no finding"));
}

#[test]
fn a_conversation_that_begins_again_shows_the_change_and_asks_only_for_what_is_left() {
    let fails_once = std::cell::Cell::new(true);
    let script = |ask: &Ask| {
        if ask.text.contains("no other: readable.") && fails_once.replace(false) {
            return Does::Fails("ContextOverflowError", None);
        }
        honest(ask)
    };
    let mut shell = in_parts(&script, &calm);
    if run_next(&mut shell) != Outcome::Complete {
        // The host can't continue this conversation: the feature is built again.
        assert_eq!(code(&shell), "run.reviewer-failed");
        return;
    }
    let last = shell.prompts_to("acme/reviewer").pop().unwrap();
    assert!(last.contains("# The change") && last.contains("no other: readable."), "{last}");
}

#[test]
fn the_parts_of_a_review_are_one_call_of_the_budget() {
    let mut settings = FlowSettings { criteria_per_call: None, ..patient() };
    settings.budget.calls = 2;
    let mut shell = under(settings, &honest, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 3);
}

#[test]
fn a_forecast_counts_every_part_with_the_conversation_before_it() {
    let foreseen = |criteria_per_call: Option<u32>| {
        let shell = under(FlowSettings { criteria_per_call, ..patient() }, &honest, &calm);
        let EventKind::Decided(Decision::Started { expected, .. }) = shell.run.start("", &[]).unwrap() else {
            panic!("a feature is started")
        };
        expected.unwrap()
    };
    let (one, parts) = (foreseen(Some(100)), foreseen(None));
    assert_eq!((one.calls, parts.calls), (2, 4));
    let review = one.tokens / 4;
    assert!(parts.tokens > one.tokens + review, "{} {}", one.tokens, parts.tokens);
}

#[test]
fn a_session_in_parts_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    is_resumed_after_any_line(in_parts(&honest, &well), &well);
}

#[test]
fn sessions_of_earlier_rules_are_reviewed_in_one_answer() {
    let EventKind::Opened(opening) =
        opened_under(FlowSettings { criteria_per_call: None, ..patient() }, false)
    else {
        panic!("a session is opened")
    };
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&calm);
    shell.feed(EventKind::Opened(Box::new(Opening { rules: 8, ..*opening })));
    shell.finish();
    let mut shell = approve(shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(asked(&shell), [Some("refills, readable")]);
}

#[test]
pub(crate) fn criteria_are_asked_in_groups_as_the_settings_say() {
    let of = |count: usize, features: usize| -> Vec<Criterion> {
        let id = |index: usize| {
            if features == 1 {
                format!("c{index}")
            } else {
                format!("f{}/c{index}", index * features / count)
            }
        };
        (0..count)
            .map(|index| Criterion {
                id: id(index),
                verified_by: "review".to_owned(),
                ..Criterion::default()
            })
            .collect()
    };
    for (per_call, count, features, sizes) in [
        (None, 2, 1, &[1, 1][..]),
        (None, 12, 1, &[1; 12]),
        (None, 14, 1, &[2; 7]),
        (None, 12, 4, &[1; 12]),
        (None, 16, 4, &[4; 4]),
        (Some(5), 12, 1, &[5, 5, 2]),
        (Some(5), 16, 4, &[5, 5, 5, 1]),
        (Some(1), 16, 4, &[1; 16]),
        (Some(100), 16, 4, &[16]),
    ] {
        let shell = under(FlowSettings { criteria_per_call: per_call, ..patient() }, &honest, &well);
        let about = crate::flow::plan::Feature { acceptance: of(count, features), ..Default::default() };
        let groups = shell.run.state().unwrap().groups_of_criteria(&about, features > 1);
        let found: Vec<usize> = groups.iter().map(Vec::len).collect();
        assert_eq!(found, sizes, "{per_call:?} {count} {features}");
        assert_eq!(groups.concat(), about.acceptance, "every criterion once, in order");
    }
}

#[test]
fn what_an_earlier_review_of_the_same_files_judged_is_not_asked_again() {
    let script = |ask: &Ask| {
        let is_new = !ask.text.contains("Their reproducers ran and passed");
        if ask.text.contains("type Findings = ") && is_new { finds(ask) } else { honest(ask) }
    };
    let passes = with_reproducer(4);
    let mut shell = in_parts(&script, &passes);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(asked(&shell), [None, Some("refills"), Some("readable"), None]);
    let last = shell.prompts_to("acme/reviewer").pop().unwrap();
    assert!(last.contains("They have been judged on these files already."), "{last}");
    let decisions = &shell.json("features/limits.json")["decisions"];
    assert_eq!(decisions[1]["verdict"], "approved");
    assert_eq!(decisions[1]["review"]["criteria"], decisions[0]["review"]["criteria"]);
}

#[test]
fn the_progress_of_a_review_is_counted_in_criteria() {
    let of = |ids: &[&str]| -> Vec<Criterion> {
        ids.iter().map(|id| Criterion { id: (*id).to_owned(), ..Criterion::default() }).collect()
    };
    let met = |ids: &[&str]| -> Review {
        let judged = ids.iter().map(|id| json!({"id": id, "met": true, "where": "src/a.js:1"}));
        let criteria: Vec<Value> = judged.collect();
        serde_json::from_value(json!({"decision": "approved", "criteria": criteria, "findings": []})).unwrap()
    };
    let mut parts = Parts::new(String::new(), vec![of(&["a"]), of(&["b", "c"])], Vec::new());
    assert_eq!((parts.progress(), parts.calls(7)), (None, 7));
    assert_eq!(parts.add(met(&[]), 2), None);
    assert_eq!((parts.progress().as_deref(), parts.calls(7)), (Some("criterion 1 of 3"), 2));
    assert_eq!(parts.add(met(&["a"]), 3), None);
    assert_eq!(parts.progress().as_deref(), Some("criteria 2 to 3 of 3"));
    assert_eq!(parts.add(met(&["b", "c"]), 4), Some(met(&["a", "b", "c"])));
}

#[test]
fn what_a_reviewer_finds_while_it_judges_a_criterion_is_not_lost() {
    let finds_late = |ask: &Ask| {
        if ask.text.contains("no other: readable.") {
            let judged = json!([{"id": "readable", "met": true, "where": "src/limits.js:1"}]);
            let finding = json!({"severity": "blocking", "file": "src/limits.js", "line": 1, "text": "It never refills."});
            return with(
                ask,
                "review",
                &json!({"criteria": judged, "decision": "needs_fix", "findings": [finding]}),
            );
        }
        with(
            ask,
            "work",
            &json!({"outcome": if ask.text.contains("never refills") { "blocked" } else { "done" }}),
        )
    };
    let mut shell = in_parts(&finds_late, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let decision = &shell.json("features/limits.json")["decisions"][0];
    assert_eq!(
        (&decision["review"]["decision"], &decision["verdict"]),
        (&json!("needs_fix"), &json!("needs_fix"))
    );
    assert!(shell.prompts_to("acme/worker")[1].contains("It never refills."));
}
