//! The check of the work, a criterion a question: only what hasn't been answered is asked, and only the part at fault again.

use super::*;
use crate::shared::Rules;
use crate::validation::protocol::Opening;
use kernel::testing::{Kept, answered};

/// A check of the work of so many criteria, with so many a call.
fn of_work(count: usize, per_call: Option<u32>) -> EventKind {
    let criteria = (1..=count)
        .map(|number| Criterion { id: format!("C{number}"), text: format!("Number {number} holds") })
        .collect();
    let settings = ValidationSettings { criteria_per_call: per_call, ..settings() };
    opened_as(Scope::Work, Subject { criteria, ..subject() }, settings)
}

/// The criteria that a prompt asks for.
fn asked_in(text: &str) -> Vec<&str> {
    let rule = text.lines().find_map(|line| line.split_once("and no other: "));
    rule.map_or_else(Vec::new, |(_, ids)| ids.trim_end_matches('.').split(", ").collect())
}

/// A verifier that finds every criterion met, apart from C2.
fn verifier(ask: &Ask) -> Does {
    let opinion = |id: &&str| {
        let verdict = if *id == "C2" { "not_met" } else { "met" };
        json!({"id": id, "verdict": verdict, "file": "src/a.js", "line": 3, "note": "There is a form."})
    };
    let criteria: Vec<Value> = asked_in(&ask.text).iter().map(opinion).collect();
    Does::Says(json!({ "criteria": criteria }).to_string())
}

fn done(opening: EventKind, script: &dyn Fn(&Ask) -> Does) -> Shell<'_> {
    run_of(opening, script, &well)
}

#[test]
fn each_criterion_is_asked_by_itself_in_one_session() {
    let shell = done(of_work(3, None), &verifier);
    let asked: Vec<Vec<&str>> = shell.asked.iter().map(|ask| asked_in(&ask.text)).collect();
    assert_eq!(asked, [["C1"], ["C2"], ["C3"]]);
    assert!(shell.asked.iter().all(|ask| ask.session == shell.asked[0].session));
    assert!(!shell.asked[0].text.contains("Number 2 holds"), "{}", shell.asked[0].text);
    assert!(!shell.asked[1].text.contains("Users sign in"), "{}", shell.asked[1].text);
    let said = shell.json("verify.json");
    let verdicts: Vec<_> =
        said["criteria"].as_array().unwrap().iter().map(|one| (&one["id"], &one["verdict"])).collect();
    assert_eq!(json!(verdicts), json!([["C1", "met"], ["C2", "not_met"], ["C3", "met"]]));
}

#[test]
fn criteria_are_asked_in_groups_as_the_settings_say() {
    for (count, per_call, calls) in
        [(12, None, 12), (13, None, 7), (13, Some(1), 13), (5, Some(2), 3), (5, Some(100), 1)]
    {
        let shell = done(of_work(count, per_call), &verifier);
        assert_eq!(shell.asked.len(), calls, "{count} {per_call:?}");
        assert_eq!(shell.json("verify.json")["criteria"].as_array().unwrap().len(), count);
    }
    // A verifier that lists the criteria itself is asked once.
    let lists = |_: &Ask| {
        Does::Says(
            json!({"criteria": [{"id": "C1", "text": "A user signs in", "verdict": "met", "file": "a.js"}]})
                .to_string(),
        )
    };
    assert_eq!(done(of_work(0, None), &lists).asked.len(), 1);
}

#[test]
fn only_the_part_at_fault_is_asked_again() {
    let wrong = std::cell::Cell::new(true);
    let script = |ask: &Ask| match asked_in(&ask.text)[..] {
        ["C2"] if wrong.replace(false) => {
            Does::Says(json!({"criteria": [{"id": "C1", "verdict": "met"}]}).to_string())
        }
        [] => {
            Does::Says(json!({"criteria": [{"id": "C2", "verdict": "met", "file": "src/a.js"}]}).to_string())
        }
        _ => verifier(ask),
    };
    let shell = done(of_work(3, None), &script);
    assert_eq!(shell.asked.len(), 4);
    assert!(shell.asked[2].text.contains("The answer skips the criterion C2."), "{}", shell.asked[2].text);
}

#[test]
fn a_run_that_is_resumed_after_any_line_asks_no_answered_criterion_again() {
    let undisturbed = done(of_work(4, None), &verifier);
    for length in 1..undisturbed.journal.len() {
        let journal = &undisturbed.journal[..length];
        for kept in [Kept::new(), undisturbed.kept_by_the_host()] {
            let mut shell = Shell::of(journal, &verifier, Order::FirstIn).with_effects(&well);
            shell.kept = kept;
            let settings = ValidationSettings { criteria_per_call: None, ..settings() };
            if let Ok(events) = shell.run.resume(&settings, &[]) {
                carry_out(&mut shell, events);
            }
            assert_eq!(shell.json("verify.json"), undisturbed.json("verify.json"), "after line {length}");
            assert_eq!(
                answered(journal).len() + shell.recovered + shell.asked.len(),
                4,
                "after line {length}"
            );
        }
    }
}

#[test]
fn a_forecast_counts_every_part_and_runs_of_earlier_rules_have_one() {
    let EventKind::Opened(opening) = of_work(4, None) else { panic!("a run is opened") };
    let foreseen = crate::validation::forecast::foreseen((*opening).clone(), &[]);
    assert_eq!(foreseen.expected.unwrap().calls, 4);
    let before = Opening { acceptance: Rules::CheckedClaims, ..*opening };
    assert_eq!(done(EventKind::Opened(Box::new(before)), &verifier).asked.len(), 1);
}
