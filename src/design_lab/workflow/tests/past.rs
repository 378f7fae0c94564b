//! What runs contribute to the history of all runs, and how that estimates a new run's time.

use super::forecast::{found, played};
use super::options::unwrapped;
use super::*;
use crate::design_lab::history::{Duty, PastRun};
use crate::design_lab::report;
use crate::design_lab::workflow::{FollowUp, Wanted, asks_for_history, foreseen, history};

fn of_task(task: &str) -> Shell<'static> {
    played(begin(&beginning(&config(), task)).unwrap())
}

fn past(shell: &Shell<'_>) -> PastRun {
    shell.run.summary().unwrap().own.past
}

#[test]
fn a_run_tells_its_scores_and_what_its_models_were_asked() {
    let fails = |ask: &Ask| match (ask.job.as_str(), ask.model.as_str()) {
        ("design:zeph-3", _) => Does::Says("Sorry.".to_owned()),
        _ => well(ask),
    };
    let shell = play(&config(), &fails, Order::FirstIn);
    let run = past(&shell);
    assert!(run.ranked && !run.pairwise);
    let authors: Vec<_> = run.designs.iter().map(|design| (design.author.as_deref(), design.first)).collect();
    assert_eq!(authors.len(), 3, "{authors:?}");
    assert!(authors.iter().all(|(author, first)| author.is_some() && *first));
    assert_eq!((run.reviewers.len(), run.scores.len()), (2, 4));
    assert!(run.reviewers.iter().all(|reviewer| !reviewer.person && reviewer.name.starts_with("z/")));
    let of = |model: &str, duty| {
        run.calls.iter().find(|calls| calls.model == model && calls.duty == duty).unwrap()
    };
    let zeph = of("y/zeph-3", Duty::Design);
    assert_eq!((zeph.jobs, zeph.failed, zeph.calls, zeph.unusable, zeph.broken), (1, 1, 3, 3, 0));
    let judge = of("z/judge", Duty::Review);
    assert_eq!((judge.jobs, judge.failed, judge.calls, judge.unusable), (1, 0, 2, 0));
    assert!(judge.ms > 0 && judge.cost > 0.0 && judge.tokens > 0, "{judge:?}");
    assert_eq!(run.calls.len(), 5, "naming tells nothing");
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert_eq!(replayed.summary().unwrap().own.past, run, "old journals tell it as well");
}

#[test]
fn calls_that_bring_no_answer_are_reported_apart_from_answers_of_no_use() {
    let fails = |ask: &Ask| match ask.model.as_str() {
        "z/jury" => Does::Fails("APIError", Some(500)),
        _ => well(ask),
    };
    let run = past(&play(&config(), &fails, Order::FirstIn));
    let jury = run.calls.iter().find(|calls| calls.model == "z/jury").unwrap();
    assert_eq!((jury.jobs, jury.failed, jury.unusable), (1, 1, 0));
    assert!(jury.broken == jury.calls && jury.calls > 1, "{jury:?}");
    assert!(run.ranked && run.reviewers.len() == 1, "who gave nothing is no reviewer");
}

#[test]
fn second_versions_and_merged_designs_are_reported_apart_and_runs_built_on_one_are_of_its_task() {
    let shell = of_task("Design a queue");
    for (follow_up, first) in [(FollowUp::Review, 3), (FollowUp::Refine, 3), (FollowUp::Merge, 3)] {
        let wanted = Wanted { rounds: 1, ..Wanted::default() };
        let next =
            played(shell.run.follow_up(follow_up, &wanted, &beginning(&config(), ""), Origin::Here).unwrap());
        let run = past(&next);
        assert_eq!(run.task, past(&shell).task);
        assert_eq!(run.designs.iter().filter(|design| design.first).count(), first, "{follow_up:?}");
        assert_eq!(run.designs.len() > 3, follow_up != FollowUp::Review);
        let designs: u32 =
            run.calls.iter().filter(|calls| calls.duty == Duty::Design).map(|calls| calls.jobs).sum();
        assert_eq!(designs as usize, run.designs.len() - 3, "earlier designs were asked for elsewhere");
    }
    assert_ne!(past(&of_task("Design a cache")).task, past(&shell).task);
}

#[test]
fn pairs_and_people_are_reported_as_what_they_are() {
    let mut pairs = config();
    pairs["review"] = json!({"mode": "pairwise"});
    let run = past(&played(opening(&pairs)));
    assert!(run.pairwise && run.ranked && run.scores.is_empty());
    assert!(run.calls.iter().any(|calls| calls.duty == Duty::Compare && calls.jobs == 6));
}

#[test]
fn the_history_names_what_it_leaves_out_and_says_little_of_little() {
    let mut runs: Vec<Found> = ["queue", "cache", "rate limiter"]
        .iter()
        .enumerate()
        .map(|(index, task)| found(&format!("2026-11-2{index}-run"), &of_task(&format!("Design a {task}"))))
        .collect();
    let problem = Run::replay("{\"n\":1}\n").unwrap_err();
    runs.push(Found {
        summary: None,
        problem: Some(problem),
        ..found("2026-11-24-damaged", &Shell::new(&well, Order::FirstIn))
    });
    let owner = Owner::Process { name: "process 7".to_owned(), here: false };
    runs.push(Found { owner, ..runs[0].clone() });
    let of_all = history(&runs);
    assert_eq!((of_all.runs, of_all.scored_runs, of_all.tasks, of_all.left_out.len()), (3, 3, 3, 2));
    insta::assert_snapshot!(report::history(&of_all, ".design-lab"));
    let empty = report::history(&history(&[]), ".design-lab");
    assert!(empty.contains("history of 0 runs") && empty.contains("Start a run with"), "{empty}");
}

#[test]
fn the_history_is_asked_for_by_its_option_alone() {
    for (text, asks) in
        [("", false), ("cache", false), ("--history", true), (" --history ", true), ("--export adr", false)]
    {
        assert_eq!(asks_for_history(text).unwrap(), asks, "{text}");
    }
    let code = |text: &str| asks_for_history(text).unwrap_err().code;
    assert_eq!(code("cache --history"), "command.too-many-words");
    assert_eq!(code("--history --json"), "command.unknown-option");
}

#[test]
fn earlier_runs_tell_how_long_a_run_takes_before_it_and_while_it_runs() {
    let done = found("2026-11-20-a", &of_task("Design a queue"));
    let opening = foreseen(opening(&config()), std::slice::from_ref(&done));
    let time = opening.forecast.clone().unwrap().time.unwrap();
    assert_eq!((time.jobs, time.calls, time.again, time.unknown), (5, 7, 0, 0));
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening)));
    let before = unwrapped(&shell.run.live_message(shell.now));
    assert!(
        before.contains("The run takes about ")
            && before.contains("5 earlier designs and reviews by these models. 0 of the 7 calls for them"),
        "{before}"
    );
    let owner = Owner::Process { name: "process 7".to_owned(), here: true };
    let running = Found { owner, ..found("2026-11-20-b", &shell) };
    let status = unwrapped(&shell.run.status(&running, shell.now, Reader::Person));
    assert!(status.contains("left until the end, judged by earlier runs."), "{status}");
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(!shell.run.live_message(shell.now).contains("until the end"));

    let mut rewritten = done;
    let summary = rewritten.summary.as_mut().unwrap();
    let (cost, tokens) = (summary.cost, summary.tokens.total());
    summary.cost += 1.0;
    summary.tokens.output += 500;
    (summary.own.retired_cost, summary.own.retired_tokens) = (1.0, 500);
    let earlier = foreseen(self::opening(&config()), &[rewritten]).forecast.unwrap().earlier.unwrap();
    assert_eq!(earlier.tokens, [tokens; 2], "a design that was rewritten is no part of what a run takes");
    assert!((earlier.cost[0] - cost).abs() < 1e-9, "{earlier:?}");
}
