//! Reviewing until the first place is clear.

use super::super::run_index::Purpose;
use super::follow_up::build_upon;
use super::*;
use crate::design_lab::workflow::{FollowUp, Found, Presented, review_within, wanted};
use kernel::index::Owner;
use std::collections::BTreeSet;

const UNTIL: &str = "--until clear";

/// Models that do well; comparisons prefer the design by `a` or by `zeph-3`, and the others are alike.
fn all_do(ask: &Ask) -> Does {
    if !ask.text.contains("preferred: ") {
        return well(ask);
    }
    let best = |title: &str| title.starts_with("Plan 1 ") || title.starts_with("Plan 6 ");
    prefers(ask, |one, other| match (best(one), best(other)) {
        (true, false) => 0,
        (false, true) => 1,
        _ => 2,
    })
}

/// A panel that is large enough for a clear verdict.
fn many() -> Value {
    let mut config = config();
    let names = ["a", "bb", "ccc", "dddd", "eeeee"];
    config["design_models"] = names.iter().map(|name| json!({"id": name, "model_id": "x/quill-4"})).collect();
    config["review_models"] =
        json!(["x/topaz-2", "y/onyx-7", "z/beryl-1", "z/umber-5", "anthropic/claude-haiku-4.5", "z/judge"]);
    config
}

fn until<'a>(config: &Value, text: &str, script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let first = play(config, &all_do, Order::FirstIn);
    build_upon(&first, FollowUp::Review, &wanted(FollowUp::Review, text).unwrap(), config, script)
}

/// Every presentation that the journal's lines decided on.
fn presented(journal: &[String]) -> Vec<Presented> {
    let lines = journal.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| serde_json::from_value(line["event"]["presented"].clone()).ok()).collect()
}

/// The run as the shell finds it in its directory.
fn found(run: &Run) -> Found {
    let summary = run.summary();
    let name = summary.as_ref().and_then(|summary| summary.directory.clone()).unwrap_or_default();
    Found { name, summary, owner: Owner::Nobody, problem: None }
}

/// A new process carries out the arguments of `/design-lab-review` in the run itself.
fn further<'a>(
    journal: &[String],
    config: &Value,
    text: &str,
    script: &'a dyn Fn(&Ask) -> Does,
) -> Shell<'a> {
    let run = Run::replay(&journal.concat()).unwrap().0;
    let request = review_within(text, &[found(&run)], false).unwrap().expect("it continues the run");
    asked_to_go_on(journal, config, &request, script, Order::FirstIn)
}

/// Every comparison that was asked, by model and by titles in order.
fn comparisons(shell: &Shell<'_>) -> Vec<(String, Vec<String>)> {
    let asks = shell.asked.iter().filter(|ask| ask.text.contains("preferred: "));
    asks.map(|ask| (ask.model.clone(), shown(&ask.text).into_iter().map(|(_, title)| title).collect()))
        .collect()
}

fn stopped(shell: &Shell<'_>) -> String {
    let results = &shell.files["results/results.md"];
    let said = results.lines().find(|line| line.contains("Reviewing stopped after"));
    said.unwrap_or_else(|| panic!("it doesn't say why it stopped: {results}")).to_owned()
}

#[test]
fn reviewers_who_agree_are_asked_until_it_is_clear_and_no_further() {
    let shell = until(&many(), UNTIL, &all_do);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["verdict"]["kind"], "clear");
    assert_eq!(ranking["rankings"][0]["design_id"], "a");
    let asked = comparisons(&shell);
    assert!(asked.len() < 72, "{} of 120", asked.len());
    assert!(
        stopped(&shell).contains(&format!("after {} of 120 possible comparisons", asked.len())),
        "{}",
        stopped(&shell)
    );
    assert!(stopped(&shell).contains("the first place is clear"), "{}", stopped(&shell));
    let distinct: BTreeSet<_> = asked.iter().cloned().collect();
    assert_eq!(distinct.len(), asked.len(), "nothing is asked twice");
    for (model, titles) in &asked {
        let turned = titles.iter().rev().cloned().collect();
        assert!(distinct.contains(&(model.clone(), turned)), "both orders of {titles:?} by {model}");
    }
    assert_replays(&shell);
    let chat = shell.run.live_message(shell.now);
    assert!(chat.contains("Reviewing stopped after"), "{chat}");
}

#[test]
fn it_stops_where_no_further_comparison_would_help_and_says_so() {
    // Two reviewers are too few for a clear verdict, whatever they answer.
    let shell = until(&config(), UNTIL, &all_do);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_ne!(shell.json("results/ranking.json")["verdict"]["kind"], "clear");
    assert!(comparisons(&shell).len() < 12, "{}", comparisons(&shell).len());
    let why = stopped(&shell);
    assert!(why.contains("reviewers may share an error") && why.contains("--add MODEL"), "{why}");
    // If no reviewer ever prefers a design, all comparisons are asked.
    let shell = until(&config(), UNTIL, &undecided);
    assert_eq!(comparisons(&shell).len(), 12);
    assert!(stopped(&shell).contains("after 12 of 12 possible comparisons"), "{}", stopped(&shell));
    assert_replays(&shell);
}

#[test]
fn money_ends_it_and_more_money_continues_without_asking_again() {
    let mut config = many();
    let price = json!({"input": 100, "output": 100});
    config["prices"] = many()["review_models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| (model.as_str().unwrap().to_owned(), price.clone()))
        .collect();
    let shell = until(&config, "--until clear --max-cost 2", &all_do);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert!(
        stopped(&shell).contains("exceed the run's limit of $2.00")
            && stopped(&shell).contains("--max-cost DOLLARS"),
        "{}",
        stopped(&shell)
    );
    assert!(shell.run.summary().unwrap().cost <= 2.0);
    let before = comparisons(&shell);
    assert!((2..40).contains(&before.len()), "{}", before.len());
    let more = further(&shell.journal, &config, "--until clear --max-cost $50", &all_do);
    let mut more = more;
    assert_eq!(more.finish(), Outcome::Complete);
    assert_eq!(more.json("results/ranking.json")["verdict"]["kind"], "clear");
    assert!(stopped(&more).contains("the first place is clear"), "{}", stopped(&more));
    assert_eq!(more.files["results/results.md"].matches("Reviewing stopped after").count(), 1);
    let after = comparisons(&more);
    assert!(!after.is_empty() && after.iter().all(|asked| !before.contains(asked)));
    assert_replays(&more);
}

#[test]
fn designs_that_wait_for_their_reviews_are_reviewed_so_in_their_own_run() {
    let task = "--review-later Design a rate limiter for a public API";
    let mut shell = Shell::new(&all_do, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&beginning(&many(), task)).unwrap())));
    assert_eq!(shell.finish(), Outcome::Paused);
    let mut shell = further(&shell.journal, &many(), UNTIL, &all_do);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(shell.asked.iter().all(|ask| ask.text.contains("preferred: ")), "no design is asked for again");
    assert_eq!(shell.json("results/ranking.json")["verdict"]["kind"], "clear");
    assert_replays(&shell);
    // The current configuration doesn't change that.
    let request = review_within("", &[found(&shell.run)], false).unwrap();
    assert_eq!(request.map(|request| request.purpose), None, "reviewed again in a run of its own");
    let request = review_within("--until=clear", &[found(&shell.run)], false).unwrap().unwrap();
    assert_eq!(request.purpose, Purpose::Rank);
}

#[test]
fn it_can_be_resumed_after_any_line_and_asks_nothing_twice() {
    let whole = until(&config(), UNTIL, &all_do);
    let verdict = whole.json("results/ranking.json")["verdict"]["kind"].clone();
    for length in 1..whole.journal.len() {
        let mut shell = Shell::of(&whole.journal[..length], &all_do, Order::LastIn);
        if !shell.run.summary().unwrap().unfinished {
            continue;
        }
        let OpeningInput { sources, files, available, .. } = beginning(&config(), "");
        let event = shell.run.resumption(&sources, &files, &available).unwrap();
        assert_eq!(event, EventKind::Resumed, "it stays as it was asked for");
        shell.feed(event);
        assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranking["verdict"]["kind"], verdict, "after line {length}");
        let shown = presented(&shell.journal);
        let of =
            |one: &Presented| (one.job.as_str().split(':').nth(1).unwrap().to_owned(), one.order.clone());
        let distinct: BTreeSet<_> = shown.iter().map(of).collect();
        assert_eq!(distinct.len(), shown.len(), "after line {length}: shown twice");
        assert_replays(&shell);
    }
}

#[test]
fn a_reviewer_that_always_fails_is_given_up_and_the_others_go_on() {
    let script = |ask: &Ask| {
        if ask.model == "x/topaz-2" { Does::Fails("ProviderAuthError", Some(401)) } else { all_do(ask) }
    };
    let shell = until(&many(), UNTIL, &script);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert!(shell.prompts_to("x/topaz-2").len() <= 2, "{}", shell.prompts_to("x/topaz-2").len());
    assert!(!stopped(&shell).is_empty());
    assert_replays(&shell);
}

#[test]
fn a_verdict_on_ones_own_design_is_never_paid_for() {
    let mut config = config();
    config["review_models"] = json!(["x/quill-4", "y/zeph-3", "z/judge"]);
    let shell = until(&config, UNTIL, &all_do);
    let own = presented(&shell.journal).into_iter().filter(|one| {
        let reviewer = one.job.as_str().split(':').nth(1).unwrap_or_default();
        one.order.iter().any(|id| **id == *reviewer)
    });
    assert_eq!(own.count(), 0);
}

#[test]
fn what_follows_the_option_is_read_or_refused() {
    let read = |text| wanted(FollowUp::Review, text).map_err(|problem| problem.code.to_string());
    let cap = |text| read(text).unwrap().until.unwrap().max_cost_usd;
    assert_eq!(cap("--until clear"), None);
    assert_eq!(cap("--until=clear --max-cost=3 auth"), Some(3.0));
    assert_eq!(cap("--max-cost $0.5 --until clear"), Some(0.5));
    for (text, code) in [
        ("--until", "command.missing-value"),
        ("--until settled", "command.missing-value"),
        ("--max-cost 3", "command.unknown-option"),
        ("--until clear --max-cost", "command.bad-cost"),
        ("--until clear --max-cost 0", "command.bad-cost"),
        ("--until clear --max-cost -1", "command.bad-cost"),
        ("--until clear --max-cost NaN", "command.bad-cost"),
        ("--until clear --max-cost inf", "command.bad-cost"),
        ("--until clear --add a/b", "command.unknown-option"),
    ] {
        assert_eq!(read(text).unwrap_err(), code, "{text}");
    }
    let found = |text| wanted(FollowUp::Review, text).unwrap_err().found;
    assert_eq!((found("--until"), found("--until settled")), (None, Some("settled".to_owned())));
    let mut alone = config();
    alone["review_models"] = json!(["z/judge"]);
    let first = play(&alone, &all_do, Order::FirstIn);
    let wanted = read(UNTIL).unwrap();
    let problem =
        first.run.follow_up(FollowUp::Review, &wanted, &beginning(&alone, ""), Origin::Here).unwrap_err();
    assert_eq!(problem[0].code, "command.few-reviewers");
}
