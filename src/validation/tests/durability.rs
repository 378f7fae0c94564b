//! Whatever happens, no answer is lost or requested again, and no process is forgotten.

use super::checks::checked;
use super::*;
use crate::validation::status::Status;
use kernel::testing::{Kept, answered};

/// Continues as a user would, until the run is over.
fn go_on(shell: &mut Shell<'_>) {
    for _ in 0..10 {
        let facts = shell.run.summary().unwrap();
        let shown: Vec<String> = facts.own.commands_hash.into_iter().collect();
        let settings = shell.run.state().unwrap().settings.clone();
        let events =
            shell.run.decide(&settings, "force-test").or_else(|_| shell.run.resume(&settings, &shown));
        let Ok(events) = events else { return };
        carry_out(shell, events);
    }
    panic!("it never ends");
}

/// Settings with a check and with tests of the project's own; the commands need the user's approval.
fn asking() -> ValidationSettings {
    let tests = Some(own_settings());
    let mut settings = ValidationSettings { metadata: true, tests, ..checked(&["C1"]) };
    settings.servers[0].allow = false;
    settings
}

/// A whole run, including everything that waits for the user.
fn whole<'a>(order: Order) -> Shell<'a> {
    let mut shell = Shell::new(&strict, order).with_effects(&well);
    shell.feed(opened(subject(), asking()));
    shell.finish();
    go_on(&mut shell);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated);
    shell
}

/// The parts that don't depend on the time, on calls that were paid for twice, or on how often servers were started and ended.
pub(super) fn result(shell: &Shell<'_>) -> Value {
    let mut last = shell.json("FINAL-VALIDATION.json");
    for key in ["timestamps", "cost_usd", "tokens", "stages", "processes"] {
        last[key] = Value::Null;
    }
    last
}

fn passes(journal: &[String]) -> usize {
    journal.iter().filter(|line| line.contains("\"tests_ran\"")).count()
}

#[test]
fn a_run_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    for order in [Order::FirstIn, Order::LastIn] {
        let undisturbed = whole(order);
        for length in 1..undisturbed.journal.len() {
            let journal = &undisturbed.journal[..length];
            for kept in [Kept::new(), undisturbed.kept_by_the_host()] {
                let mut shell = Shell::of(journal, &strict, order).with_effects(&well);
                shell.kept = kept;
                let (replayed, _) = Run::replay(&journal.concat()).unwrap();
                assert_eq!(replayed.files().unwrap(), shell.run.files().unwrap(), "after line {length}");
                go_on(&mut shell);
                assert_eq!(result(&shell), result(&undisturbed), "after line {length}");
                assert_eq!(
                    answered(journal).len() + shell.recovered + shell.asked.len(),
                    undisturbed.asked.len(),
                    "after line {length}: each answer was paid for once"
                );
                let tested = shell.effects_asked.iter().filter(|one| matches!(one, Effect::RunTests { .. }));
                assert_eq!(
                    passes(journal) + tested.count(),
                    passes(&undisturbed.journal),
                    "after line {length}: no pass was run again"
                );
            }
        }
    }
}

#[test]
fn a_run_that_nobody_continues_is_reported_as_interrupted_and_none_of_its_stages_as_under_way() {
    let undisturbed = whole(Order::FirstIn);
    let mut interrupted = 0;
    for length in 1..undisturbed.journal.len() {
        let status = Run::replay(&undisturbed.journal[..length].concat()).unwrap().0.status(&Owner::Nobody);
        assert!(!status.starts_with("Validation · running"), "after line {length}: {status}");
        if status.starts_with("Validation · interrupted") {
            interrupted += 1;
            assert!(!status.contains('●'), "after line {length}: {status}");
        }
    }
    assert!(interrupted > 5);
}

#[test]
fn a_stage_that_is_done_again_is_not_told_as_done() {
    let undisturbed = whole(Order::FirstIn);
    let tested = undisturbed.journal.iter().position(|line| line.contains("\"tests_ran\"")).unwrap();
    let mut shell = Shell::of(&undisturbed.journal[..=tested], &strict, Order::FirstIn).with_effects(&well);
    shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    shell.finish();
    assert!(shell.run.status(&Owner::Nobody).contains("○ test the application"), "it was interrupted");
    let settings = shell.run.state().unwrap().settings.clone();
    for event in shell.run.resume(&settings, &[]).unwrap() {
        shell.feed(event);
    }
    let message = shell.run.live_message();
    assert!(message.contains("● start the servers"), "{message}");
    assert!(message.contains("· test the application"), "{message}");
}

#[test]
fn a_new_process_starts_the_servers_again_that_died_with_the_one_before() {
    let undisturbed = run(&honest, &well);
    let line = |event: &str| undisturbed.journal.iter().position(|line| line.contains(event)).unwrap();
    for length in [line("\"servers_started\"") + 1, line("\"tests_ran\"") + 1] {
        let mut shell =
            Shell::of(&undisturbed.journal[..length], &honest, Order::FirstIn).with_effects(&well);
        go_on(&mut shell);
        assert_eq!(commanded(&shell)[0], "start", "after line {length}");
    }
    let mut shell = Shell::of(&undisturbed.journal[..=line("\"torn_down\"")], &honest, Order::FirstIn)
        .with_effects(&well);
    go_on(&mut shell);
    assert_eq!(commanded(&shell)[0], "nothing", "counterfeits need no server");
    let Effect::RunTests { base_url, .. } = &shell.effects_asked[0] else { panic!("tests are run") };
    assert_eq!(base_url, "http://127.0.0.1:4711");
}

#[test]
fn a_run_that_is_cancelled_after_any_line_ends_what_it_started_and_can_be_continued() {
    let undisturbed = whole(Order::FirstIn);
    for length in 1..undisturbed.journal.len() - 1 {
        let journal = &undisturbed.journal[..length];
        let mut shell = Shell::of(journal, &strict, Order::FirstIn).with_effects(&well);
        let before = shell.run.summary().unwrap();
        shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
        let is_claimed = before.directory.is_some();
        let ends = before.outcome.is_none() && is_claimed;
        if ends {
            // If it is being torn down already, that continues.
            let is_ending = passes(journal) == 6;
            let last = commanded(&shell).last().copied();
            assert_eq!(last, (!is_ending).then_some("tear down"), "after line {length}");
            // The effect that was under way answers too late, and is ignored.
            shell.feed(EventKind::Decided(Decision::TestsRan {
                effect: 3,
                ran: RanTests::Absent,
                duration_ms: 1,
                noted: Noted::default(),
            }));
            while shell.ending.is_none() && shell.step() {}
        }
        assert!(shell.asked.is_empty(), "after line {length}: nothing more is asked");
        go_on(&mut shell);
        assert_eq!(result(&shell), result(&undisturbed), "after line {length}");
    }
}

#[test]
fn a_run_whose_process_died_is_cancelled_after_any_line_and_all_of_it_is_ended() {
    let undisturbed = whole(Order::FirstIn);
    for length in 1..undisturbed.journal.len() {
        let journal = &undisturbed.journal[..length];
        let mut shell = Shell::of(journal, &strict, Order::FirstIn).with_effects(&well);
        let before = shell.run.summary().unwrap();
        let events = shell.run.cancel().unwrap();
        assert_eq!(
            events.is_empty(),
            before.outcome.is_some(),
            "after line {length}: what rests has no event"
        );
        if events.is_empty() {
            continue;
        }
        carry_out(&mut shell, events);
        let ends: &[&str] = if before.directory.is_some() { &["tear down"] } else { &[] };
        assert_eq!(commanded(&shell), ends, "after line {length}");
        assert!(shell.asked.is_empty(), "after line {length}: nothing more is asked");
    }
}

#[test]
fn a_cancelled_run_says_so_until_it_is_continued() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    while !commanded(&shell).contains(&"test") {
        shell.step();
    }
    shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    shell.feed(EventKind::Cancelled { reason: "twice".to_owned() });
    assert_eq!(shell.performing.len(), 2, "the tests, and what ends them");
    assert_eq!(shell.finish(), Outcome::Cancelled);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Cancelled);
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(report.starts_with("# Validation: incomplete, stopped before the end\n"), "{report}");
    assert!(report.contains("- test the application: stopped\n"), "{report}");
    let events = shell.run.resume(&settings(), &[]).unwrap();
    shell.ending = None;
    for event in events {
        shell.feed(event);
    }
    assert!(!shell.files.contains_key("FINAL-VALIDATION.md"), "it holds no longer");
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(shell.files["FINAL-VALIDATION.md"].starts_with("# Validation: validated\n"));
}

#[test]
fn no_journal_names_a_server_that_leads_out_of_the_run() {
    let mut forged = settings();
    forged.servers[0].name = "../../victim".to_owned();
    let event = |kind: EventKind| crate::validation::protocol::Event { at: 1, kind };
    let opened = event(opened(subject(), forged.clone()));
    let mut fresh = Run::new();
    let line = fresh.seal(&opened);
    assert_eq!(fresh.apply(&line).unwrap_err().code, "journal.invalid");
    let mut shell = run(&honest, &well);
    let configured = EventKind::Decided(Decision::Configured { settings: Box::new(forged), resumes: true });
    let line = shell.run.seal(&event(configured));
    let problem = shell.run.apply(&line).unwrap_err();
    assert!(problem.message.contains("it names the server \"../../victim\""), "{problem}");
}

#[test]
fn settings_that_were_changed_hold_from_then_on() {
    let fails = |effect: &Effect| match effect {
        Effect::StartServers { effect, servers } if servers[0].command[0] == "node" => {
            Decision::EffectFailed { effect: *effect, message: "no such program".to_owned() }
        }
        other => well(other),
    };
    let mut shell = run(&honest, &fails);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
    let mut other = settings();
    other.servers[0].command = vec!["deno".to_owned()];
    other.repeat = 3;
    let events = shell.run.resume(&other, &[]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    assert_eq!(commanded(&shell).iter().filter(|word| **word == "test").count(), 3);
}

#[test]
fn journals_from_before_versions_were_noted_are_read() {
    let read = |value: Value| serde_json::from_value::<Decision>(value).unwrap();
    let started = read(json!({"event": "servers_started", "effect": 1, "servers": []}));
    assert_eq!(started, Decision::ServersStarted { effect: 1, servers: Vec::new(), sources: None });
    let ran = json!({"event": "tests_ran", "effect": 1, "ran": {"ran": "absent"}, "duration_ms": 1});
    let noted = Noted::default();
    assert_eq!(read(ran), Decision::TestsRan { effect: 1, ran: RanTests::Absent, duration_ms: 1, noted });
}
