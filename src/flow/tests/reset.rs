//! Features that are taken back, and sessions that are archived.

use super::*;
use crate::flow::plan::Feature;
use crate::flow::reached::Reached;
use crate::flow::session::{FeatureState, Phase, Progress};
use kernel::workflow::Workflow;
use proptest::prelude::*;
use serde_json::json;

#[test]
fn a_feature_is_taken_back_with_all_that_needs_it_and_can_be_built_again() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    assert_eq!(shell.json("session.json")["status"], "completed");
    let (asked, evidence) = (shell.asked.len(), shell.run.state().unwrap().evidence.len());

    let event = shell.run.reset("limits").unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
    assert_eq!(
        (shell.asked.len(), shell.performing.len()),
        (asked, 0),
        "no model is asked, no file looked at"
    );
    let session = shell.json("session.json");
    assert_eq!((&session["status"], &session["next_command"]), (&json!("approved"), &json!("/flow-run")));
    for feature in session["execution"]["features"].as_array().unwrap() {
        assert_eq!((&feature["state"], &feature["tree"]), (&json!("pending"), &Value::Null));
        assert!(!feature["tree_before"].is_null(), "what it changed so far is still in the files");
        let file = shell.json(feature["file"].as_str().unwrap());
        for kept in ["evidence", "copies", "decisions"] {
            let kept = file[kept].as_array().unwrap();
            assert!(!kept.is_empty() && kept.iter().all(|one| one["void"] == true), "{kept:?}");
        }
    }
    let page = |id: &str| &shell.files[&format!("docs/features/{id}.md")];
    assert!(page("limits").contains("- no longer valid, round 2, unit: passed"));
    assert!(page("api").contains("- no longer valid, round 1, acme/reviewer"));
    assert!(shell.files["docs/index.md"].contains("You reset limits, api."));

    // Earlier results are no evidence now: all of it has to be seen again.
    let later = |effect: &Effect| match effect {
        Effect::TakeTree { .. } => tree_taken(effect, "t3"),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, "t3")),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    };
    let mut later = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&later);
    let event = later.run.start("", &[]).unwrap();
    assert!(matches!(&event, EventKind::Decided(Decision::Started { feature, .. }) if feature == "limits"));
    assert_eq!(carry_out(&mut later, event), Outcome::Complete);
    let state = later.run.state().unwrap();
    assert_eq!(state.state_of("limits"), FeatureState::Completed);
    assert!(state.evidence.len() > evidence, "its checks ran again");
    let feature = later.json("features/limits.json");
    let void: Vec<&Value> = feature["evidence"].as_array().unwrap().iter().map(|one| &one["void"]).collect();
    assert_eq!(void, [true, true, false]);
}

#[test]
fn only_what_needs_a_feature_falls_with_it() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    let event = shell.run.reset("api").unwrap();
    carry_out(&mut shell, event);
    let state = shell.run.state().unwrap();
    assert_eq!(
        [state.state_of("limits"), state.state_of("api")],
        [FeatureState::Completed, FeatureState::Pending]
    );
}

#[test]
fn a_session_that_is_archived_does_nothing_any_more() {
    let mut begun = approved(&honest, &well);
    let event = begun.run.start("", &[]).unwrap();
    begun.ending = None;
    begun.feed(event);
    for shell in [drafted(&honest, &well), approved(&honest, &well), begun] {
        // Another process may do it, whatever the first one was doing.
        let mut shell = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
        let event = shell.run.archive().unwrap();
        assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
        let session = shell.json("session.json");
        assert_eq!((&session["status"], &session["execution"]["active"]), (&json!("archived"), &Value::Null));
        assert_eq!(session["next_command"], "/flow-session");
        assert!(!shell.run.summary().unwrap().unfinished);

        let hash = shell.run.state().unwrap().hash.clone();
        let run = &shell.run;
        for refused in [
            run.start("", &[]),
            run.revise("x", &[]),
            run.approve(&hash),
            run.select(vec![]),
            run.reset("limits"),
            run.archive(),
        ] {
            assert_eq!(refused.unwrap_err().error_code.text(), "session.archived");
        }
        let before = status(&shell);
        let number = shell.performed;
        for event in [Decision::Archived, Decision::Started { feature: "limits".to_owned(), expected: None }]
        {
            shell.feed(EventKind::Decided(event));
        }
        shell.ending = None;
        shell.feed(EventKind::Resumed);
        assert_eq!(status(&shell), before);
        assert_eq!((shell.performed, shell.pending.len()), (number, 0), "it asks for nothing");
    }
}

#[test]
fn a_session_s_history_is_reported_in_its_order() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    let event = shell.run.reset("limits").unwrap();
    carry_out(&mut shell, event);
    insta::assert_snapshot!("history", headless(&shell.run.history()));
}

/// A session at rest with this plan, with these features complete.
fn at_rest(needs: &[Vec<usize>], complete: &[bool]) -> Session {
    let EventKind::Opened(opening) = opening() else { panic!("a session is opened") };
    let mut session = Session::open(*opening, 0);
    session.phase = Phase::Resting(Outcome::Complete);
    session.directory.name = Some("one".to_owned());
    session.drafting = None;
    let id = |index: usize| format!("f{index}");
    let features = needs.iter().enumerate().map(|(index, needs)| Feature {
        id: id(index),
        depends_on: needs.iter().map(|needed| id(*needed)).collect(),
        ..Feature::default()
    });
    session.plan = Some(Plan { features: features.collect(), ..Plan::default() });
    for (index, is_complete) in complete.iter().enumerate() {
        let reached = if *is_complete { Reached::Foreseen } else { Reached::Pending };
        session.features.insert(id(index), Progress { reached, rounds: 1, ..Progress::default() });
    }
    session
}

proptest! {
    #[test]
    fn nothing_stays_complete_that_needs_what_was_taken_back(
        order in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        needs in prop::collection::vec(any::<bool>(), 36),
        done in 0..=6_usize,
        taken_back in 0..6_usize,
    ) {
        // A feature may be anywhere in the plan, and needs some of those that come before it in this order.
        let rank = |index: usize| order.iter().position(|other| *other == index).unwrap();
        let needs: Vec<Vec<usize>> = (0..6)
            .map(|one| (0..6).filter(|other| rank(*other) < rank(one) && needs[one * 6 + other]).collect())
            .collect();
        let complete: Vec<bool> = (0..6).map(|one| rank(one) < done).collect();
        let mut session = at_rest(&needs, &complete);
        let id = format!("f{taken_back}");
        session.decided(Decision::Reset { feature: id.clone() }, 0, &mut Vec::new());
        prop_assert_ne!(session.state_of(&id), FeatureState::Completed);
        for feature in session.completed() {
            prop_assert!(session.blocked_by(feature).is_empty(), "{} needs what isn't complete", feature.id);
        }
        // And nothing else: features that don't need it are unchanged.
        let mut falls = vec![taken_back];
        let mut known = 0;
        while known < falls.len() {
            falls.extend((0..6).filter(|one| needs[*one].contains(&falls[known]) && !falls.contains(one)).collect::<Vec<_>>());
            known += 1;
        }
        for (one, was_complete) in complete.iter().enumerate().filter(|(one, _)| !falls.contains(one)) {
            prop_assert_eq!(session.state_of(&format!("f{one}")) == FeatureState::Completed, *was_complete);
        }
    }
}
