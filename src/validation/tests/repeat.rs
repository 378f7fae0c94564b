//! The tests of an earlier run, repeated: no model is asked, and each verdict is computed again.

use super::*;
use crate::validation::status::Status;

fn repeated(earlier: &Shell<'_>, settings: ValidationSettings) -> EventKind {
    let repeat = Box::new(earlier.run.repeat().unwrap());
    let input = OpeningInput {
        package: "0.1.0".to_owned(),
        stamp: "20261123T223110Z".to_owned(),
        suffix: "b2c3".to_owned(),
        subject: SubjectInput::Tests { repeat, seed: None },
        scope: Scope::Full,
        available: AvailableModels::default(),
        settings,
        left: Vec::new(),
        obstacle: None,
        fast_check: None,
    };
    EventKind::Opened(Box::new(begin(&input).unwrap()))
}

fn nobody(ask: &Ask) -> Does {
    panic!("{} is asked", ask.job)
}

#[test]
fn the_same_tests_run_again_without_a_model_and_are_judged_by_what_is_seen_now() {
    let earlier = run(&strict, &well);
    assert_eq!(earlier.run.repeat().unwrap_err().code, ValidationCode::NothingToRepeat, "it has none yet");
    let earlier = run(&honest, &well);
    assert!(earlier.run.summary().unwrap().own.has_tests);
    let opening = repeated(&earlier, settings());
    let shell = run_of(opening.clone(), &nobody, &well);
    assert_eq!(
        commanded(&shell),
        ["list", "start", "test", "test", "stop", "nothing", "blank", "frozen", "start", "live", "tear down"]
    );
    assert_eq!(verdicts(&shell), ["met", "met"]);
    assert_eq!(shell.files["tests/sign-in.spec.ts"], TEXT);
    insta::assert_snapshot!("repeated", status(&shell));
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(!report.contains("Models:") && report.contains("without calling a model."), "{report}");
    let earlier = "validate-20261122t223110z-a1b2";
    assert_eq!(shell.json("FINAL-VALIDATION.json")["tests_of"], earlier);
    let failing = |effect: &Effect| {
        well_but(effect, |against, pass| tests_seen(against, pass).into_iter().map(fallen).collect())
    };
    let worse = run_of(opening, &nobody, &failing);
    assert_eq!(verdicts(&worse), ["not_met", "not_met"], "nothing of the earlier verdict is left");
    let name = "validate-20261123t223110z-b2c3";
    let shown = status(&worse);
    assert!(shown.contains(&format!("/flow-plan fix {name}")), "{shown}");
    assert!(
        flat(&shown).contains(&format!("Once the fix is built, validate it with /validate --again {name}.")),
        "{shown}"
    );
    assert!(worse.run.repeat().is_ok(), "and it can be repeated itself");
}

#[test]
fn it_waits_for_leave_and_can_be_resumed_after_each_line() {
    let earlier = run(&honest, &well);
    let mut asks = settings();
    asks.servers[0].allow = false;
    let mut shell = run_of(repeated(&earlier, asks.clone()), &nobody, &well);
    let facts = shell.run.summary().unwrap().own;
    assert_eq!((facts.status, commanded(&shell)), (Status::AwaitingUser, vec!["list"]));
    let events = shell.run.resume(&asks, &[facts.commands_hash.unwrap()]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    let whole = run_of(repeated(&earlier, settings()), &nobody, &well);
    for length in 1..whole.journal.len() {
        let mut later = Shell::of(&whole.journal[..length], &nobody, Order::FirstIn).with_effects(&well);
        later.feed(EventKind::Resumed);
        assert_eq!(later.finish(), Outcome::Complete, "after line {length}");
        assert_eq!(verdicts(&later), ["met", "met"], "after line {length}");
    }
}

#[test]
fn tests_that_can_no_longer_be_read_end_it_and_no_model_fixes_them() {
    let earlier = run(&honest, &well);
    let unreadable = |effect: &Effect| match effect {
        Effect::ListTests { effect, .. } => Decision::TestsListed {
            effect: *effect,
            listed: Listed::Unreadable { message: "SyntaxError".to_owned() },
        },
        other => well(other),
    };
    let shell = run_of(repeated(&earlier, settings()), &nobody, &unreadable);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
    assert!(status(&shell).contains("A model then writes new tests"), "{}", status(&shell));
}

#[test]
fn a_journal_with_tests_that_no_model_may_write_is_refused() {
    let earlier = run(&honest, &well);
    let EventKind::Opened(mut opening) = repeated(&earlier, settings()) else { unreachable!() };
    let suite = opening.repeat.as_mut().unwrap().suite.as_mut().unwrap();
    suite.files[0].text = "require('node:child_process').exec('x')".to_owned();
    let line = Run::new().seal(&super::super::protocol::Event { at: 0, kind: EventKind::Opened(opening) });
    assert!(Run::replay(&line).is_err());
}

#[test]
fn what_is_on_its_way_names_the_test_that_runs() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    while !matches!(shell.effects_asked.last(), Some(Effect::RunTests { .. })) {
        assert!(shell.step());
    }
    let effect = shell.effects_asked.last().unwrap().number();
    shell.feed(EventKind::Decided(Decision::TestBegan { effect, test: 2, of: 4 }));
    let live = shell.run.live_message();
    assert!(live.contains("test the application       pass 1 of 2, test 2 of 4"), "{live}");
    shell.finish();
    assert!(!status(&shell).contains("test 2 of 4"));
}

#[test]
fn against_a_counterfeit_no_test_waits_much_longer_than_it_took() {
    let waits = |ms: u64| {
        let seen = move |effect: &Effect| {
            well_but(effect, |against, pass| {
                let tests = tests_seen(against, pass).into_iter();
                tests.map(|test| TestSeen { duration_ms: ms, ..test }).collect()
            })
        };
        let shell = run(&honest, &seen);
        let waits = shell.effects_asked.iter().filter_map(|effect| match effect {
            Effect::RunTests { against, test_ms, wait_ms, .. } => Some((*against, *test_ms, *wait_ms)),
            _ => None,
        });
        waits.collect::<Vec<_>>()
    };
    let quick = waits(300);
    assert_eq!(quick[0], (Against::Application, 30_000, None));
    assert_eq!(quick[2], (Against::Nothing, 14_000, Some(2_000)));
    assert_eq!(waits(1_800)[3], (Against::Blank, 17_200, Some(3_600)));
    assert_eq!(waits(20_000)[4], (Against::Frozen, 20_000, Some(5_000)), "never longer than it was before");
}

#[test]
fn against_a_counterfeit_an_assertion_waits_several_times_as_long_as_the_slowest_one_took() {
    for (slowest, expected) in
        [(Some(20), Some(360)), (Some(400), Some(1_500)), (Some(9_000), Some(2_000)), (None, None)]
    {
        let seen = move |effect: &Effect| {
            well_but(effect, |against, pass| {
                let tests = tests_seen(against, pass).into_iter();
                tests.map(|test| TestSeen { slowest_assertion_ms: slowest, ..test }).collect()
            })
        };
        let shell = run(&honest, &seen);
        let waits: Vec<_> = shell
            .effects_asked
            .iter()
            .filter_map(|effect| match effect {
                Effect::RunTests { against, assert_ms, .. } => Some((*against, *assert_ms)),
                _ => None,
            })
            .collect();
        assert_eq!(waits[0], (Against::Application, None));
        assert_eq!(waits[3], (Against::Blank, expected), "{slowest:?}");
    }
}
