//! Handing a design over to be built: which one the user means, and why it may be refused.

use super::super::handover::{Taker, ToBuild, to_build};
use super::*;
use crate::design_lab::workflow::Handover;
use kernel::problem::Problem;

/// Both reviewers put the design by brisk-10 first, whatever its label is; they recognise it by the part of its title that reveals no
/// name.
fn brisk_first(ask: &Ask) -> Does {
    if !ask.text.contains("design_id: \"") {
        return well(ask);
    }
    let blocks = shown(&ask.text);
    let labels = labels_to_score(&ask.text);
    let worth = |index: usize| {
        let title = blocks.iter().find(|(label, _)| *label == labels[index]).map(|(_, title)| title.as_str());
        if title.is_some_and(|title| title.contains("Plan 8")) { 9.0 } else { 4.0 }
    };
    Does::Says(scores(&labels, worth).replace("\"w\"", &format!("\"{} forgets a restart\"", labels[0])))
}

/// Without a written review, so that each prompt for scores contains the designs.
fn scored() -> Value {
    let criteria = json!({"qualitative": false, "quantitative": true});
    let reviewer = |model: &str| json!({"name": model, "model_id": model, "evaluation_criteria": criteria});
    let mut config = config();
    config["review_models"] = json!([reviewer("z/judge"), reviewer("z/jury")]);
    config
}

fn found(name: &str, shell: &Shell<'_>) -> Found {
    Found { name: name.to_owned(), summary: shell.run.summary(), problem: None, owner: Owner::Nobody }
}

fn refused<T: std::fmt::Debug>(result: Result<T, Problem>) -> Problem {
    let problem = result.unwrap_err();
    assert!(!problem.message.is_empty() && problem.next.is_some(), "{problem:?}");
    problem
}

#[test]
fn the_design_that_came_first_is_handed_over_or_the_one_that_is_named() {
    let shell = play(&scored(), &brisk_first, Order::FirstIn);
    let first: Handover = shell.run.handover(None, Taker::Flow).unwrap();
    assert_eq!((first.run.as_str(), first.design_id.as_str()), ("2026-11-20-rate-limiter", "brisk-10"));
    assert_eq!(first.rank, Some(1));
    assert_eq!(first.design.title, "Plan 8 by brisk-10");
    assert_eq!(first.task.problem_statement, "Design a rate limiter for a public API");
    let verdict = &shell.json("results/ranking.json")["verdict"];
    assert_ne!(verdict["kind"], "clear");
    assert_eq!(first.doubt.as_deref(), verdict["sentence"].as_str());
    assert!(
        first.weaknesses.iter().any(|text| text == "this design forgets a restart"),
        "{:?}",
        first.weaknesses
    );

    let named = shell.run.handover(Some("zeph-3"), Taker::Flow).unwrap();
    assert_eq!(named.design.title, "Plan 6 by zeph-3");
    assert_ne!(named.rank, Some(1));
    let labels: Vec<String> = labels_to_score(shell.prompts_to("z/judge")[0]);
    for text in first.weaknesses.iter().chain(&named.weaknesses) {
        assert!(labels.iter().all(|label| !text.contains(label.as_str())), "{text}");
    }
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert_eq!(replayed.handover(None, Taker::Flow), Ok(first));
}

#[test]
fn the_result_says_whose_the_first_design_is_and_what_its_sharpest_critic_has_against_it() {
    let shell = play(&scored(), &brisk_first, Order::FirstIn);
    let first = shell.json("results/ranking.json")["rankings"][0].clone();
    assert_eq!([&first["title"], &first["model"]], ["Plan 8 by brisk-10", "x/brisk-10"]);
    let given = first["reviews"].as_array().unwrap();
    let of = |key: &str| given.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("reviewer"), ["judge", "jury"]);
    assert_eq!(of("model"), ["z/judge", "z/jury"]);
    let clarity = &first["score_breakdown"]["clarity"];
    assert_eq!(clarity["reviewers"], json!(["judge", "jury"]));

    let message = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(message.contains("First brisk-10 by x/brisk-10 Plan 8 by brisk-10"), "{message}");
    assert!(message.contains("Objection judge: brisk-10 forgets a restart"), "{message}");
}

#[test]
fn a_run_and_a_design_are_named_as_elsewhere_or_by_their_paths() {
    let shell = play(&config(), &well, Order::FirstIn);
    let mut begun = Shell::new(&well, Order::FirstIn);
    begun.feed(EventKind::Opened(Box::new(opening(&config()))));
    let runs = [
        found("2026-11-20-rate-limiter", &shell),
        found("2026-11-20-rate-limiter-reviewed", &shell),
        found("2026-11-21-cache", &begun),
        found("Old Runs", &shell),
    ];
    let named =
        |run: &str, design: Option<&str>| ToBuild { run: run.to_owned(), design: design.map(str::to_owned) };
    for (text, expected) in [
        ("2026-11-20-rate-limiter", named("2026-11-20-rate-limiter", None)),
        (" \"limiter-rev\" ", named("2026-11-20-rate-limiter-reviewed", None)),
        ("reviewed/brisk-10", named("2026-11-20-rate-limiter-reviewed", Some("brisk-10"))),
        ("cache", named("2026-11-21-cache", None)),
        // An exact name has priority.
        ("limiter/zeph-3", named("2026-11-20-rate-limiter", Some("zeph-3"))),
        ("Old Run", named("Old Runs", None)),
        (".design-lab/2026-11-20-rate-limiter/", named("2026-11-20-rate-limiter", None)),
        (
            ".design-lab/2026-11-20-rate-limiter/designs/zeph-3.md",
            named("2026-11-20-rate-limiter", Some("zeph-3")),
        ),
        (".design-lab/2026-11-20-rate-limiter/zeph-3", named("2026-11-20-rate-limiter", Some("zeph-3"))),
    ] {
        assert_eq!(to_build(text, &runs, Taker::Flow), Ok(expected), "{text}");
    }
    assert_eq!(
        to_build("", &runs[..1], Taker::Flow),
        Ok(named("2026-11-20-rate-limiter", None)),
        "the latest that is ranked"
    );

    for (text, code, found, allowed, next) in [
        ("queue", "run.unknown", "\"queue\"", None, "/design-lab-status lists the runs."),
        (
            "2026-11-21-cash",
            "run.unknown",
            "\"2026-11-21-cash\"",
            Some("2026-11-21-cache"),
            "Did you mean this one? Type: /flow-plan from 2026-11-21-cache",
        ),
        (
            "rate-lim/zeph-3",
            "run.ambiguous",
            "\"rate-lim\"",
            Some("2026-11-20-rate-limiter, 2026-11-20-rate-limiter-reviewed"),
            "Type more of the name: /flow-plan from 2026-11-20-rate-limiter-reviewed",
        ),
        ("Old-Runs", "run.unknown", "\"Old-Runs\"", Some("Old Runs"), "/design-lab-status lists the runs."),
    ] {
        let problem = refused(to_build(text, &runs, Taker::Flow));
        assert_eq!(problem.code, code, "{text}");
        assert_eq!(problem.found.as_deref(), Some(found), "{text}");
        assert_eq!(problem.allowed.as_deref(), allowed, "{text}");
        assert_eq!(problem.next.as_deref(), Some(next), "{text}");
    }
    assert_eq!(refused(to_build("", &runs[2..3], Taker::Flow)).code, "run.none");
    let damaged = Problem::new(kernel::code::RunCode::JournalDamaged, "Damaged.").next("Restore it.");
    let damaged = Found { summary: None, problem: Some(damaged), ..found("2026-11-22-queue", &begun) };
    assert_eq!(refused(to_build("queue", &[damaged], Taker::Flow)).code, "journal.damaged");
}

#[test]
fn what_isn_t_ranked_or_isn_t_there_is_not_handed_over() {
    let shell = play(&config(), &well, Order::FirstIn);
    let problem = refused(shell.run.handover(Some("brisk-1"), Taker::Flow));
    assert_eq!(problem.code, "run.unknown-design");
    assert_eq!(problem.found.as_deref(), Some("\"brisk-1\""));
    assert_eq!(problem.allowed.as_deref(), Some("quill-4, brisk-10, zeph-3"));
    let next = "Did you mean this one? Type: /flow-plan from 2026-11-20-rate-limiter/brisk-10";
    assert_eq!(problem.next.as_deref(), Some(next));
    let next = refused(shell.run.handover(Some("another"), Taker::Flow)).next.unwrap();
    assert!(next.ends_with("/flow-plan from 2026-11-20-rate-limiter builds the winning design."), "{next}");

    for length in 1..shell.journal.len() - 1 {
        let (run, _) = Run::replay(&shell.journal[..length].concat()).unwrap();
        let problem = refused(run.handover(None, Taker::Flow));
        assert!(problem.code == "run.empty" || problem.found.as_deref() == Some("a run that isn't finished"));
        let is_named = run.summary().unwrap().directory.is_some();
        assert_eq!(
            problem.code,
            if is_named { "run.not-ranked" } else { "run.empty" },
            "after line {length}"
        );
        assert_eq!(problem.next.unwrap().contains("/design-lab-resume 2026-11-20-rate-limiter "), is_named);
    }

    let without_zeph = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" => Does::Fails("ProviderAuthError", Some(401)),
        _ => well(ask),
    };
    let partial = play(&config(), &without_zeph, Order::FirstIn);
    assert!(partial.run.handover(None, Taker::Flow).is_ok(), "what is there can be built");
    let problem = refused(partial.run.handover(Some("zeph-3"), Taker::Flow));
    assert_eq!(problem.code, "run.no-design");
    assert!(problem.found.unwrap().contains("credentials"), "why it failed is told");
    let next = problem.next.unwrap();
    assert!(next.starts_with("/design-lab-resume 2026-11-20-rate-limiter --retry-failed "), "{next}");
    assert!(next.contains("/flow-plan from 2026-11-20-rate-limiter"), "{next}");

    let mut retried = Shell::of(&partial.journal, &well, Order::FirstIn);
    retried.feed(EventKind::Retried);
    retried.feed(EventKind::Resumed);
    assert_eq!(
        refused(retried.run.handover(None, Taker::Flow)).code,
        "run.not-ranked",
        "it is being ranked again"
    );
}

#[test]
fn who_takes_it_over_is_reported_by_their_own_command() {
    let shell = play(&config(), &well, Order::FirstIn);
    let runs = [found("2026-11-20-rate-limiter", &shell)];
    for (taker, near, none) in [
        (Taker::Flow, "/flow-plan from 2026-11-20-rate-limiter", "builds the winning design."),
        (Taker::Validation, "/validate run 2026-11-20-rate-limiter", "validates the winning design."),
    ] {
        let next = refused(to_build("2026-11-20-rate-limited", &runs, taker)).next.unwrap();
        assert!(next.ends_with(near), "{next}");
        let next = refused(shell.run.handover(Some("another"), taker)).next.unwrap();
        assert_eq!(next, format!("{near} {none}"));
    }
}
