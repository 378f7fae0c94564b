//! Runs that the user takes over: nothing in them counts until it was seen here.

use super::checks::checked;
use super::*;

const ADOPTED: EventKind = EventKind::Adopted { voids: true };

fn resumed(shell: &mut Shell<'_>) -> Outcome {
    carry_out(shell, vec![EventKind::Resumed])
}

#[test]
fn what_a_finished_run_from_elsewhere_has_shown_is_tried_here() {
    let mut theirs = run(&honest, &well);
    assert_eq!(verdicts(&theirs), ["met", "met"]);
    theirs.feed(ADOPTED);
    assert!(theirs.run.state().unwrap().passes.is_empty());

    let nothing_holds = |effect: &Effect| {
        well_but(effect, |against, pass| {
            let mut seen = tests_seen(against, pass);
            if against == Against::Application {
                seen = seen.into_iter().map(fallen).collect();
            }
            seen
        })
    };
    let mut ours = Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&nothing_holds);
    assert_eq!(resumed(&mut ours), Outcome::Complete, "{}", status(&ours));
    assert_eq!(verdicts(&ours), ["not_met", "not_met"]);
    assert!(ours.asked.is_empty(), "what models wrote is kept");
    assert!(status(&ours).contains("You took this run over."), "{}", status(&ours));
}

#[test]
fn its_commands_need_a_new_approval() {
    let mut theirs = run_of(opened(subject(), checked(&["C1"])), &honest, &well);
    let shown = theirs.run.state().unwrap().awaited_leave().unwrap();
    let events = theirs.run.resume(&checked(&["C1"]), &[shown]).unwrap();
    carry_out(&mut theirs, events);
    assert!(theirs.run.state().unwrap().leave.is_some());
    theirs.feed(ADOPTED);
    let mut ours = Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&well);
    assert_eq!(resumed(&mut ours), Outcome::Partial);
    let state = ours.run.state().unwrap();
    assert!(state.leave.is_none() && state.awaited_leave().is_some());
    assert!(state.checked.is_empty(), "nothing was run");
}

#[test]
fn gaps_are_decided_here() {
    let mut theirs = run(&strict, &well);
    decide(&mut theirs, "force-test");
    assert_eq!(verdicts(&theirs), ["met", "met"]);
    theirs.feed(ADOPTED);
    let mut ours = Shell::of(&theirs.journal, &strict, Order::FirstIn).with_effects(&well);
    assert_eq!(resumed(&mut ours), Outcome::Partial);
    assert!(ours.run.state().unwrap().awaits_decision());
}

#[test]
fn a_run_that_waits_for_its_first_answer_goes_on() {
    let mut theirs = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    theirs.feed(opening());
    theirs.feed(ADOPTED);
    let mut ours = Shell::of(&theirs.journal, &honest, Order::FirstIn).with_effects(&well);
    assert_eq!(resumed(&mut ours), Outcome::Complete);
    assert_eq!(verdicts(&ours), ["met", "met"]);
}
