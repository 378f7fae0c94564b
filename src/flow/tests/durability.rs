//! Whatever happens, nothing that was answered is lost or asked again.

use super::*;
use crate::flow::protocol::Command;
use crate::flow::session::Phase;
use kernel::index::Owner;
use kernel::testing::{Kept, answered};
use std::collections::BTreeMap;

/// Continues as a user would, until every feature is complete.
fn go_on(shell: &mut Shell<'_>) {
    for _ in 0..10 {
        let run = &shell.run;
        let hash = run.state().unwrap().hash.clone();
        let event = run.resume().or_else(|_| run.approve(&hash)).or_else(|_| run.start("", &[]));
        let Ok(event) = event else { return };
        assert_eq!(carry_out(shell, event), Outcome::Complete, "{}", status(shell));
    }
    panic!("it never ends");
}

/// The parts that don't depend on when the session ran and what was paid for twice.
fn result(shell: &Shell<'_>) -> Value {
    let mut session = shell.json("session.json");
    for key in ["timestamps", "cost_usd", "tokens", "approval"] {
        session[key] = Value::Null;
    }
    for feature in session["execution"]["features"].as_array_mut().unwrap() {
        feature["cost_usd"] = Value::Null;
    }
    session
}

fn effects_answered(journal: &[String]) -> usize {
    journal
        .iter()
        .filter(|line| {
            [
                "\"tree_taken\"",
                "\"check_finished\"",
                "\"ran_apart\"",
                "\"mutated\"",
                "\"examined\"",
                "\"lane_made\"",
            ]
            .iter()
            .any(|event| line.contains(event))
        })
        .count()
}

#[test]
fn a_session_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    is_resumed_after_any_line(approved(&honest, &well), &well);
}

#[test]
fn and_so_does_one_that_tries_small_faults() {
    is_resumed_after_any_line(mutation::trying(&honest, &mutation::well), &mutation::well);
}

#[test]
fn and_so_does_one_with_an_exam() {
    is_resumed_after_any_line(examining::examined(&honest, &examining::well), &examining::well);
}

pub(super) fn is_resumed_after_any_line<'a>(mut undisturbed: Shell<'a>, well: Effects<'a>) {
    go_on(&mut undisturbed);
    assert_eq!(undisturbed.json("session.json")["status"], "completed");
    for length in 1..undisturbed.journal.len() {
        let journal = &undisturbed.journal[..length];
        for kept in [Kept::new(), undisturbed.kept_by_the_host()] {
            let mut shell = Shell::of(journal, &honest, Order::FirstIn).with_effects(well);
            shell.kept = kept;
            let (replayed, _) = Run::replay(&journal.concat()).unwrap();
            assert_eq!(replayed.files().unwrap(), shell.run.files().unwrap(), "after line {length}");
            go_on(&mut shell);
            assert_eq!(result(&shell), result(&undisturbed), "after line {length}");
            let before = answered(journal);
            assert_eq!(
                before.len() + shell.recovered + shell.asked.len(),
                undisturbed.asked.len(),
                "after line {length}: each answer was paid for once"
            );
            assert_eq!(
                effects_answered(journal) + shell.performed,
                undisturbed.performed,
                "after line {length}: each effect was answered once"
            );
        }
    }
}

#[test]
fn what_nobody_works_on_is_never_told_as_running() {
    let mut undisturbed = approved(&honest, &well);
    go_on(&mut undisturbed);
    for length in 1..undisturbed.journal.len() {
        let mut shell =
            Shell::of(&undisturbed.journal[..length], &honest, Order::FirstIn).with_effects(&well);
        let status = shell.run.status(&Owner::Nobody);
        assert!(!status.starts_with("Flow · running"), "after line {length}: {status}");
        shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
        for text in [shell.run.status(&Owner::Nobody), shell.run.live_message()] {
            assert!(!text.starts_with("Flow · running"), "stopped after line {length}: {text}");
        }
    }
}

#[test]
fn a_session_that_is_cancelled_after_any_line_can_be_continued() {
    let mut undisturbed = approved(&honest, &well);
    go_on(&mut undisturbed);
    for length in 1..undisturbed.journal.len() - 1 {
        let mut shell =
            Shell::of(&undisturbed.journal[..length], &honest, Order::FirstIn).with_effects(&well);
        let was_resting = shell.run.summary().unwrap().outcome.is_some();
        shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
        assert_eq!(shell.ending.is_none(), was_resting, "after line {length}");
        if !was_resting {
            assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Cancelled);
            assert_eq!(
                shell.run.start("", &[]).unwrap_err().error_code,
                crate::flow::FlowCode::SessionInterrupted
            );
            assert_eq!(shell.json_if_there()["next_command"], "/flow-resume", "after line {length}");
        }
        assert!(shell.asked.is_empty() && shell.performing.is_empty(), "nothing more is asked");
        // An answer that arrives too late changes nothing: it is requested again.
        shell.feed(EventKind::Decided(taken(1, "x", Vec::new(), Vec::new())));
        go_on(&mut shell);
        assert_eq!(shell.json("session.json")["status"], "completed", "after line {length}");
    }
}

#[test]
fn a_planner_that_fails_can_be_asked_again() {
    let fails = |_: &Ask| Does::Fails("ProviderAuthError", Some(401));
    let mut shell = Shell::new(&fails, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    assert_eq!(shell.finish(), Outcome::Stopped);
    assert_eq!(
        (code(&shell).as_str(), &shell.json("session.json")["status"]),
        ("plan.failed", &json!("blocked"))
    );
    let mut later = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
    go_on(&mut later);
    assert_eq!(later.json("session.json")["status"], "completed");
}

#[test]
fn the_head_of_the_journal_is_shown_on_request_and_stays_in_the_journal() {
    let mut shell = approved(&honest, &well);
    let head = |shell: &Shell<'_>| kernel::digest::sha256(&shell.journal.concat());
    let shown = head(&shell);
    let history = shell.run.history();
    assert!(history.ends_with(&format!("\nJournal head  {shown}")), "{history}");
    assert!(!shell.run.status(&Owner::Nobody).contains(&shown), "digits that nobody asked for");
    assert!(shell.files["docs/index.md"].contains(&format!("\n- Journal head: {shown}\n")));
    let start = shell.run.start("", &[]).unwrap();
    shell.feed(start);
    assert!(!shell.files["docs/index.md"].contains("- Journal head: "), "it is another one at each event");
    shell.finish();
    assert_ne!(head(&shell), shown);
    assert!(shell.journal.concat().contains(&format!("\"prev\":\"{shown}\"")), "it can be found again");
}

#[test]
fn each_file_is_written_where_it_says_something_else_and_not_while_a_journal_is_replayed() {
    let mut shell = approved(&honest, &well);
    let writes = |commands: Vec<Command>| -> Vec<String> {
        let path = |command| if let Command::Write { path, .. } = command { Some(path) } else { None };
        commands.into_iter().filter_map(path).collect()
    };
    let event = |kind| Event { at: shell.now, kind };
    let woken = shell.run.seal(&event(EventKind::Woken));
    let started = shell.run.start("", &[]).unwrap();
    assert_eq!(
        writes(shell.run.apply(&woken).unwrap()),
        ["docs/index.md", "report.html"],
        "the head alone is another one"
    );
    let start = shell.run.seal(&Event { at: shell.now, kind: started });
    assert_eq!(
        writes(shell.run.apply(&start).unwrap()),
        ["session.json", "docs/index.md", "report.html", "docs/features/limits.md"]
    );
}

trait IfThere {
    fn json_if_there(&self) -> Value;
}

impl IfThere for Shell<'_> {
    /// The session's file, or its equivalent: before the directory is claimed there is none.
    fn json_if_there(&self) -> Value {
        if self.files.contains_key("session.json") {
            return self.json("session.json");
        }
        json!({"next_command": "/flow-resume"})
    }
}

/// Only what an event may have changed is rendered; this shows that nothing is missed.
#[test]
fn after_every_line_the_files_are_those_of_the_state() {
    let mut session = approved(&honest, &well);
    go_on(&mut session);
    let (mut run, mut files) = (Run::new(), BTreeMap::new());
    let mut behind = 0;
    for line in &session.journal {
        for command in run.apply(line).unwrap() {
            match command {
                Command::Write { path, text } => _ = files.insert(path, text),
                Command::Discard { path } => _ = files.remove(&path),
                _ => {}
            }
        }
        let mut rendered: BTreeMap<String, String> = run.files().unwrap().into_iter().collect();
        if run.state().unwrap().phase == Phase::Building {
            // Only these may still be from the start of the feature.
            for whole in ["report.html", "docs/index.md"] {
                behind += usize::from(rendered.get(whole) != files.get(whole));
                rendered.insert(whole.to_owned(), files[whole].clone());
            }
        }
        assert_eq!(files, rendered, "after {line}");
    }
    assert!(behind > 0, "steps of a feature were seen");
}
