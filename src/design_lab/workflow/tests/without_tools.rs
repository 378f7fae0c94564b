//! Runs with models that can't call tools: they are offered none, and the user hears who doesn't see the project.

use super::*;
use crate::design_lab::config::AvailableModels;
use crate::design_lab::workflow::protocol::Decision;
use crate::design_lab::workflow::{FollowUp, Wanted};

/// What a run begins with in which these models can't call tools.
fn input(lacking: &[&str]) -> OpeningInput {
    let mut input = beginning(&config(), "Design a rate limiter");
    for model in &mut input.available.models {
        model.tool_call = !lacking.contains(&model.model.as_str());
    }
    input
}

fn played<'a>(lacking: &[&str], script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input(lacking)).unwrap())));
    shell.finish();
    shell
}

const BELOW: &str = "You have no tools here, so you can't open the project's files.";

#[test]
fn models_without_tools_are_offered_none_and_know_it() {
    let shell = played(&["quill-4", "jury"], &well);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    for ask in &shell.asked {
        let lacks = matches!(ask.model.as_str(), "x/quill-4" | "z/jury");
        assert_eq!(ask.no_tools, lacks, "{}", ask.job);
        let names = ask.job.as_str() == "topic";
        assert_eq!(ask.system.contains(BELOW), lacks && !names, "{}: {}", ask.job, ask.system);
    }
}

#[test]
fn the_user_hears_before_anything_is_paid_and_beside_the_results_who_does_not_see_the_project() {
    let of = |lacking: &[&str]| begin(&input(lacking)).unwrap().notes;
    assert!(of(&[]).is_empty());
    assert_eq!(
        of(&["quill-4"]),
        [
            "quill-4 can't call tools, says OpenCode's catalogue, so it doesn't see the project. Put into the task what it needs to \
          know."
        ]
    );
    let note = "quill-4, zeph-3 and jury can't call tools, says OpenCode's catalogue, so they don't see the project. Put into the task what they \
         need to know.";
    let three = ["quill-4", "zeph-3", "jury"];
    assert_eq!(of(&three), [note]);
    let shell = played(&three, &well);
    let words = shell.files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("so they don't see the project"), "{words}");
}

#[test]
fn a_run_that_continues_goes_by_what_the_catalogue_says_now() {
    let refuses = |ask: &Ask| {
        if ask.model == "x/quill-4" && !ask.no_tools {
            return Does::Fails("APIError", Some(400));
        }
        well(ask)
    };
    let failed = played(&[], &refuses);
    let run = failed.run;
    let now = input(&["quill-4"]);
    let resumed = |available: &AvailableModels| run.resumption(&now.sources, &[], available).unwrap();
    assert_eq!(resumed(&input(&[]).available), EventKind::Resumed);
    let EventKind::Decided(Decision::Reconfigured(change)) = resumed(&now.available) else {
        panic!("the model has lost its tools");
    };
    assert!(
        change.notes.iter().any(|note| note.starts_with("quill-4 can't call tools")),
        "{:?}",
        change.notes
    );
    assert!(change.models.iter().any(|facts| facts.model_id == "x/quill-4" && facts.no_tools));
}

#[test]
fn what_is_built_upon_a_run_names_only_those_who_are_asked() {
    let shell = played(&["quill-4", "jury"], &well);
    let input = input(&["quill-4", "jury"]);
    let opening = shell.run.follow_up(FollowUp::Review, &Wanted::default(), &input).unwrap();
    let told: Vec<_> = opening.notes.iter().filter(|note| note.contains("can't call tools")).collect();
    assert_eq!(told.len(), 1, "{:?}", opening.notes);
    assert!(told[0].starts_with("jury can't"), "{told:?}");
}
