//! Sessions that the user takes over: nothing in them counts until it was seen here.

use super::*;
use crate::flow::FlowCode;
use crate::flow::session::FeatureState;

const ADOPTED: EventKind = EventKind::Adopted { voids: true };

/// A session whose journal claims that everything is complete.
fn finished_elsewhere() -> Shell<'static> {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    assert_eq!(shell.json("session.json")["status"], "completed");
    shell
}

/// The results of a repository that stays as it is.
fn unchanged(effect: &Effect) -> Decision {
    match effect {
        Effect::TakeTree { .. } => tree_taken(effect, "t3"),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, "t3")),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

fn states(shell: &Shell<'_>) -> [FeatureState; 2] {
    let state = shell.run.state().unwrap();
    [state.state_of("limits"), state.state_of("api")]
}

#[test]
fn what_the_journal_of_a_session_from_elsewhere_claims_does_not_count() {
    let mut theirs = finished_elsewhere();
    theirs.feed(ADOPTED);
    let state = theirs.run.state().unwrap();
    assert_eq!(states(&theirs), [FeatureState::Pending; 2]);
    assert!(state.approval.is_none() && state.recovery.is_none());
    assert!(status(&theirs).contains("You took this session over."), "{}", status(&theirs));
    assert_eq!(theirs.run.start("", &[]).unwrap_err().error_code, FlowCode::ApprovalMissing);

    let mut ours = approve(Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&unchanged));
    assert_eq!(run_next(&mut ours), Outcome::Complete);
    assert_eq!(run_next(&mut ours), Outcome::Complete);
    assert_eq!(states(&ours), [FeatureState::Completed; 2]);
    assert!(
        ours.prompts_to("acme/worker").is_empty(),
        "the files are there: no worker is paid for them again"
    );
    assert!(!ours.prompts_to("acme/reviewer").is_empty(), "a reviewer of this machine has read them");
    let feature = ours.json("features/limits.json");
    let void: Vec<&Value> = feature["evidence"].as_array().unwrap().iter().map(|one| &one["void"]).collect();
    assert_eq!(void, [true, true, false]);
}

#[test]
fn a_worker_fixes_what_fails_here() {
    let mut theirs = finished_elsewhere();
    theirs.feed(ADOPTED);
    let fails_once = std::cell::Cell::new(true);
    let effects = |effect: &Effect| match effect {
        Effect::RunCheck { effect, .. } if fails_once.take() => {
            finished(CheckFinished { ran: failed("1 failed"), ..passed(*effect, "t3") })
        }
        Effect::TakeTree { .. } | Effect::RunCheck { .. } if !fails_once.get() => {
            let tree = "t4";
            match effect {
                Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
                _ => tree_taken(effect, tree),
            }
        }
        effect => unchanged(effect),
    };
    let mut ours = approve(Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&effects));
    assert_eq!(run_next(&mut ours), Outcome::Complete, "{}", status(&ours));
    let prompt = ours.prompts_to("acme/worker")[0].to_owned();
    assert!(prompt.contains("1 failed"), "{prompt}");
}

#[test]
fn a_feature_that_was_being_built_starts_again() {
    let mut theirs = approved(&honest, &well);
    let event = theirs.run.start("", &[]).unwrap();
    theirs.ending = None;
    theirs.feed(event);
    theirs.feed(ADOPTED);
    assert_eq!(states(&theirs), [FeatureState::Pending; 2]);
    let mut ours = Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&well);
    ours.feed(EventKind::Resumed);
    ours = approve(ours);
    assert_eq!(run_next(&mut ours), Outcome::Complete, "{}", status(&ours));
    assert_eq!(states(&ours)[0], FeatureState::Completed);
}

#[test]
fn a_session_is_continued_under_the_rules_of_this_version() {
    let mut theirs = drafted_before(&honest, &well);
    theirs.feed(ADOPTED);
    assert_eq!(theirs.run.state().unwrap().opening.rules, 6);
}

#[test]
fn a_session_that_an_earlier_version_took_over_stays_as_it_was() {
    let mut session = finished_elsewhere();
    session.feed(serde_json::from_value(json!({"event": "adopted"})).unwrap());
    assert_eq!(states(&session), [FeatureState::Completed; 2]);
}
