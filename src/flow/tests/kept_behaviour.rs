//! Features that keep the behaviour: their checks may pass without them, and no test may be lost.

use super::*;

/// A planner whose first feature keeps the behaviour, and workers and reviewers that are honest.
fn keeping(ask: &Ask) -> Does {
    if !ask.job.as_str().starts_with("plan") {
        return honest(ask);
    }
    let mut plan = plan_value();
    plan["features"][0]["keeps_behaviour"] = json!(true);
    Does::Says(plan.to_string())
}

/// What was seen of a command that passed and ran so many tests.
fn ran(ran: u32) -> Ran {
    Ran { tests: Some(Tests { runners: vec![Runner::Node], ran, skipped: 0 }), ..went_well() }
}

/// Files that change in each round, and how many tests run: on the files from before, then in each round.
fn tests(before: u32, rounds: &'static [u32]) -> impl Fn(&Effect) -> Decision {
    // A tree before; then a tree, a check, a probe and a copy in each round. The ledger's run follows once.
    let round = |tree: &str| tree.trim_start_matches('t').parse::<usize>().unwrap();
    let now = std::cell::Cell::new(0);
    move |effect| match effect {
        Effect::TakeTree { since: None, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { seal, .. } => {
            if seal.is_none() {
                now.set(now.get() + 1);
            }
            tree_taken(effect, &format!("t{}", now.get()))
        }
        Effect::RunCheck { effect, .. } => finished(passed(*effect, &format!("t{}", now.get()))),
        Effect::RunApart { tree, .. } => apart_with(effect, |_, _| match round(tree) {
            0 => ran(before),
            round => ran(rounds[round - 1]),
        }),
    }
}

#[test]
fn a_check_that_passes_without_such_a_feature_stops_nothing() {
    let effects = tests(3, &[3]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let copies = &shell.json("features/limits.json")["copies"][0];
    assert_eq!(copies["purpose"], "as_before");
    assert_eq!(copies["account"], "passes without the feature, too");
    assert!(shell.prompts_to("acme/worker")[0].contains("The behaviour stays as it is"));
    let review = shell.prompts_to("acme/reviewer")[0];
    assert!(review.contains("The plan says that this feature changes no behaviour"), "{review}");
    let shown = flat(&status(&shell));
    assert!(shown.contains("Before unit: passes without the feature, too"), "{shown}");
    for text in [shown, shell.files["report.html"].clone()] {
        assert!(text.contains("it keeps the behaviour, as the planner says: no check had to fail"), "{text}");
    }
    assert!(shell.files["docs/features/limits.md"].contains("- It keeps the behaviour"));
}

#[test]
fn tests_that_it_loses_are_brought_back_before_anybody_reviews_it() {
    let effects = tests(3, &[2, 3]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let told = shell.prompts_to("acme/worker")[1];
    assert!(told.contains("`node --test test/limits.test.js` ran 2 tests instead of 3"), "{told}");
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 1);
    let effects = tests(3, &[2, 2, 2, 2, 2]);
    let mut shell = approved(&keeping, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!((code(&shell).as_str(), shell.prompts_to("acme/reviewer").len()), ("run.rounds", 0));
}

#[test]
fn the_plan_says_so_and_a_person_approves_it() {
    let mut shell = Shell::new(&keeping, Order::FirstIn).with_effects(&well);
    shell.feed(opened(true));
    assert_eq!(shell.finish(), Outcome::Stopped);
    assert_eq!(code(&shell), "approval.unchecked");
    assert_eq!(shell.json("session.json")["status"], "awaiting_user");
    assert!(shell.prompts_to("acme/worker").is_empty());
    let shown = flat(&status(&shell));
    assert!(
        shown.contains("no check has to fail without limits, because the behaviour stays as it is"),
        "{shown}"
    );
    assert!(shown.contains("keeps the behaviour: no check has to fail without it"), "{shown}");

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
