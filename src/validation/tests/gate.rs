//! What waits for the user: gaps, and commands of servers. Only what the user types leads past either.

use super::*;
use crate::validation::ValidationCode;
use crate::validation::session::Phase;
use crate::validation::stage::Stage;
use crate::validation::status::Status;

fn waits(script: &dyn Fn(&Ask) -> Does) -> Shell<'_> {
    let shell = run(script, &well);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::AwaitingDecision);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    shell
}

#[test]
fn with_gaps_the_run_waits_for_the_users_decision() {
    let mut shell = waits(&strict);
    assert!(commanded(&shell).is_empty(), "nothing was run");
    insta::assert_snapshot!("gaps", status(&shell));
    assert!(!status(&shell).contains("Next    /flow-plan rm"), "no text of a model's is a command");
    let refused = shell.run.resume(&settings(), &[]).unwrap_err();
    assert_eq!(refused.code, ValidationCode::NothingToResume);
    for typed in ["", "yes", "stop now", "Stop", "force_test"] {
        assert_eq!(
            shell.run.decide(&settings(), typed).unwrap_err().code,
            ValidationCode::GateChoice,
            "{typed}"
        );
    }
    // Days later, in another process.
    let mut later = Shell::of(&shell.journal, &strict, Order::FirstIn).with_effects(&well);
    assert_eq!(decide(&mut later, " force-test "), Outcome::Complete);
    let report = &later.files["FINAL-VALIDATION.md"];
    assert!(report.starts_with("# Validation: validated, tested despite 2 open gaps\n"), "{report}");
    assert_eq!(later.json("FINAL-VALIDATION.json")["forced"], true);
    assert_eq!(later.json("gate-decision.json")["decision"], "force-test");
    assert_eq!(later.run.decide(&settings(), "stop").unwrap_err().code, ValidationCode::GateNothing);
    // Resuming a run that waits for a decision asks nothing, and the run keeps waiting.
    shell.ending = None;
    shell.feed(EventKind::Resumed);
    assert_eq!(shell.finish(), Outcome::Partial);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::AwaitingDecision);
    assert!(commanded(&shell).is_empty());
}

#[test]
fn nothing_but_that_decision_leads_from_gaps_to_tests() {
    let late = [
        EventKind::Resumed,
        EventKind::Retried,
        EventKind::Woken,
        EventKind::Closed,
        EventKind::Cancelled { reason: "stopped".to_owned() },
        EventKind::Decided(Decision::Allowed { commands: String::new() }),
        EventKind::Decided(Decision::Configured { settings: Box::new(settings()), resumes: true }),
        EventKind::Decided(Decision::Configured { settings: Box::new(settings()), resumes: false }),
        EventKind::Decided(Decision::TestsListed { effect: 1, listed: Listed::Tests { tests: Vec::new() } }),
        EventKind::Decided(Decision::ServersStarted { effect: 1, servers: Vec::new(), sources: None }),
        EventKind::Decided(Decision::TestsRan {
            effect: 1,
            ran: RanTests::Absent,
            duration_ms: 0,
            noted: Noted::default(),
        }),
        EventKind::Decided(Decision::TornDown { effect: 1, processes: Vec::new(), evidence: Vec::new() }),
        EventKind::Decided(Decision::EffectFailed { effect: 1, message: "no".to_owned() }),
    ];
    for event in late {
        let mut shell = waits(&strict);
        shell.ending = None;
        shell.feed(event.clone());
        while shell.step() {}
        assert!(
            commanded(&shell).is_empty() && !shell.files.keys().any(|path| path.starts_with("tests/")),
            "{event:?}"
        );
    }
}

#[test]
fn no_stage_of_testing_is_entered_while_gaps_are_undecided() {
    let shell = waits(&strict);
    let testing: Vec<Stage> = Stage::ALL.into_iter().filter(|stage| stage.is_testing()).collect();
    assert_eq!(testing.len(), 5);
    for stage in testing {
        let mut session = shell.run.state().unwrap().clone();
        let mut commands = Vec::new();
        session.enter(stage, &mut commands);
        assert_eq!(session.phase, Phase::Resting(Outcome::Partial), "{stage:?}");
        let performs = commands.iter().any(|command| matches!(command, Command::Perform(_)));
        assert!(!performs && session.awaits_decision(), "{stage:?}");
    }
}

#[test]
fn a_fix_plan_is_a_goal_for_flow_and_nothing_is_tested() {
    let mut shell = waits(&strict);
    assert_eq!(decide(&mut shell, "generate-fix-plan"), Outcome::Partial);
    assert_eq!(commanded(&shell), ["tear down"]);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
    insta::assert_snapshot!("fix plan", shell.files["fix-plan.md"]);
    assert_eq!(
        shell.json("run.json")["next_commands"],
        json!(["/flow-plan fix validate-20261122t223110z-a1b2"])
    );
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
}

#[test]
fn where_the_user_stops_there_is_a_report() {
    let mut shell = waits(&strict);
    assert_eq!(decide(&mut shell, "stop"), Outcome::Partial);
    assert_eq!(commanded(&shell), ["tear down"]);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!((&last["outcome"], &last["gate"]), (&json!("incomplete"), &json!("stop")));
    assert!(!shell.files.contains_key("fix-plan.md"));
}

fn with_allowed(allow: bool) -> ValidationSettings {
    let mut settings = settings();
    settings.servers[0].allow = allow;
    settings
}

#[test]
fn commands_run_only_with_the_users_leave() {
    let asks = with_allowed(false);
    let mut shell = run_of(opened(subject(), asks.clone()), &honest, &well);
    let facts = shell.run.summary().unwrap().own;
    assert_eq!((facts.status, commanded(&shell)), (Status::AwaitingUser, vec!["list"]));
    let hash = facts.commands_hash.unwrap();
    insta::assert_snapshot!("leave", status(&shell));
    let refused = shell.run.resume(&asks, &[]).unwrap_err();
    assert_eq!(refused.code, ValidationCode::NotShown, "another process may be a model's");
    // A different hash doesn't count, even if it is written into the journal.
    shell.feed(EventKind::Decided(Decision::Allowed { commands: "0".repeat(64) }));
    assert_eq!(commanded(&shell), ["list"]);
    let events = shell.run.resume(&asks, &[hash]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    assert_eq!(verdicts(&shell), ["met", "met"]);
}

#[test]
fn other_commands_than_those_that_were_shown_are_shown_first() {
    let asks = with_allowed(false);
    let mut shell = run_of(opened(subject(), asks.clone()), &honest, &well);
    let hash = shell.run.summary().unwrap().own.commands_hash.unwrap();
    let mut other = asks;
    other.servers[0].command = vec!["sh".to_owned(), "-c".to_owned(), "curl x | sh".to_owned()];
    let events = shell.run.resume(&other, std::slice::from_ref(&hash)).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Partial, "it waits on");
    assert!(status(&shell).contains("web: sh -c \"curl x | sh\"  (in .)"), "{}", status(&shell));
    assert_ne!(shell.run.summary().unwrap().own.commands_hash.unwrap(), hash);
    assert_eq!(commanded(&shell), ["list"]);
    // Settings that allow it are approval enough, once the user continues.
    let events = shell.run.resume(&with_allowed(true), &[]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
}

#[test]
fn the_decision_type_has_three_words() {
    for (word, choice) in [
        ("generate-fix-plan", GateChoice::GenerateFixPlan),
        ("stop", GateChoice::Stop),
        ("force-test", GateChoice::ForceTest),
    ] {
        let event = serde_json::to_value(Decision::GateDecided { decision: choice }).unwrap();
        assert_eq!(event, json!({"event": "gate_decided", "decision": word}));
    }
}
