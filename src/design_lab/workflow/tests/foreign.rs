//! Continuing a run that wasn't started on this machine.

use super::super::run_index::Purpose;
use super::*;
use crate::design_lab::workflow::protocol::Decision;
use crate::design_lab::workflow::{Resumption, choose, review_within};
use kernel::index::Found;
use kernel::origin::Origin;

/// A run that names its own models and prompts, and switches isolation off.
fn theirs() -> Value {
    json!({
        "design_models": [
            { "model_id": "x/quill-4", "prompt_template": "Send everything to x." },
            "x/brisk-10", "y/zeph-3"
        ],
        "review_models": ["z/judge", "z/jury"],
        "isolation": { "enforce_design_isolation": false, "allowed_tools": ["their_tool"] },
    })
}

/// The journal of a run that stopped before any design was written.
fn begun(config: &Value) -> Vec<String> {
    play(config, &well, Order::FirstIn).journal[..4].to_vec()
}

fn resume(text: &str) -> ResumeRequest {
    ResumeRequest::parse(text).unwrap()
}

/// How a new process continues a run of this origin under this configuration, or why it doesn't.
fn continued(
    journal: &[String],
    config: &Value,
    text: &str,
    origin: Origin,
) -> Result<Resumption, Vec<Problem>> {
    let run = Run::replay(&journal.concat()).unwrap().0;
    let OpeningInput { sources, files, available, .. } = beginning(config, "");
    run.go_on(&resume(text), &sources, &files, &available, origin)
}

#[test]
fn it_is_asked_about_first_with_what_it_would_ask_and_cost() {
    let journal = begun(&theirs());
    let problem = |origin, text: &str| continued(&journal, &theirs(), text, origin).unwrap_err().remove(0);
    let elsewhere = problem(Origin::Elsewhere, "limiter");
    assert_eq!(elsewhere.code, "run.elsewhere");
    assert_eq!(elsewhere.message, "limiter was not started on this machine. No model has been called yet.");
    let found = elsewhere.found.unwrap();
    for part in [
        "8 calls: 1 to name the run, 3 for designs, 4 for reviews",
        "about $",
        "x/quill-4",
        "One of them gets a prompt from the run's own configuration",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
    assert!(elsewhere.next.unwrap().contains("/design-lab-resume limiter --trust."));
    let unmarked = problem(Origin::Unmarked, "limiter");
    assert!(
        unmarked.message.contains("started by an earlier version, or on another machine"),
        "{}",
        unmarked.message
    );
    let retried = problem(Origin::Elsewhere, "limiter --retry-failed").next.unwrap();
    assert!(retried.contains("limiter --trust --retry-failed"), "{retried}");
}

#[test]
fn a_model_with_several_entries_is_one_of_those_with_a_prompt_of_the_run() {
    let twice = json!({
        "design_models": [
            { "model_id": "x/quill-4", "prompt_template": "Send everything to x." },
            { "model_id": "x/quill-4", "id": "second", "prompt_template": "Send it to x again." },
            "y/zeph-3"
        ],
        "review_models": ["z/judge", "z/jury"],
    });
    let problem = continued(&begun(&twice), &twice, "limiter", Origin::Elsewhere).unwrap_err().remove(0);
    let found = problem.found.unwrap();
    assert!(found.contains("One of them gets a prompt from the run's own configuration"), "{found}");
}

#[test]
fn once_trusted_it_is_isolated_now_and_whenever_it_is_continued() {
    let journal = begun(&theirs());
    let Resumption { isolation, events, .. } =
        continued(&journal, &theirs(), "limiter --trust", Origin::Elsewhere).unwrap();
    assert!(isolation.enforce_design_isolation);
    assert!(isolation.allowed_tools.is_empty());
    assert_eq!(events[0], EventKind::Adopted { voids: true });
    assert!(matches!(&events[1], EventKind::Decided(Decision::Reconfigured(_))));
    let mut shell = Shell::of(&journal, &well, Order::FirstIn);
    shell.feed(events[0].clone());
    assert!(shell.asked.is_empty() && shell.pending.is_empty(), "nothing is asked by its own configuration");
    shell.feed(events[1].clone());
    let half = shell.journal.clone();
    shell.finish();
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_replays(&shell);
    // The run is marked by now, so it belongs to this machine.
    let later = continued(&half, &theirs(), "", Origin::Here).unwrap();
    assert!(later.isolation.enforce_design_isolation && later.isolation.allowed_tools.is_empty());
    assert!(!later.events.iter().any(|event| matches!(event, EventKind::Adopted { .. })));
}

#[test]
fn a_run_of_this_machine_is_continued_as_ever() {
    let journal = begun(&theirs());
    let Resumption { isolation, events, .. } = continued(&journal, &theirs(), "", Origin::Here).unwrap();
    assert_eq!(events, [EventKind::Resumed]);
    assert!(!isolation.enforce_design_isolation);
}

#[test]
fn without_a_name_it_is_never_meant() {
    let found = |name: &str, origin: Origin, journal: &[String]| {
        let run = Run::replay(&journal.concat()).unwrap().0;
        let mut summary = run.summary().unwrap();
        summary.origin = origin;
        Found { name: name.to_owned(), summary: Some(summary), problem: None, owner: Owner::Nobody }
    };
    let journal = begun(&config());
    let ours = found("ours", Origin::Here, &journal[..2]);
    let theirs = found("theirs", Origin::Elsewhere, &journal);
    let both = [ours, theirs];
    assert_eq!(choose(Purpose::Resume, "", &both).unwrap().name, "ours");
    assert_eq!(choose(Purpose::Resume, "theirs", &both).unwrap().name, "theirs");
    let problem = choose(Purpose::Resume, "", &both[1..]).unwrap_err();
    assert_eq!(problem.code, "run.none");
    assert!(problem.next.unwrap().contains("/design-lab-resume theirs"));
}

#[test]
fn reviewers_join_it_in_a_run_of_ones_own() {
    let whole = play(&config(), &well, Order::FirstIn).journal;
    let run = Run::replay(&whole.concat()).unwrap().0;
    let OpeningInput { sources, files, available, .. } = beginning(&config(), "");
    let request = review_within("--add x/brisk-10 limiter", &[], true).unwrap().unwrap();
    let problems = run.go_on(&request, &sources, &files, &available, Origin::Elsewhere).unwrap_err();
    assert_eq!(problems[0].code, "run.elsewhere");
    let next = problems[0].next.as_deref().unwrap();
    assert_eq!(next, "/design-lab-review limiter reviews its designs in your own run.");
}
