//! A run's expected cost before it starts, compared with what it then asks.

use super::follow_up::merged;
use super::options::unwrapped;
use super::{Does, Order, Shell, beginning, compares, config, play, shown, well};
use crate::design_lab::workflow::{
    Ask, EventKind, FollowUp, Forecast, Found, Opening, OpeningInput, Outcome, Owner, Wanted,
    asks_for_forecast, begin, foreseen, wording,
};
use kernel::origin::Origin;
use kernel::run::Durable as _;
use serde_json::{Value, json};

const TASK: &str = "Design a rate limiter for a public API";

fn opening(config: &Value) -> Opening {
    begin(&beginning(config, TASK)).unwrap()
}

fn forecast(opening: Opening, runs: &[Found]) -> Forecast {
    foreseen(opening, runs).forecast.unwrap()
}

/// All models answer as they should, including those that merge or compare.
pub(super) fn whatever_is_asked(ask: &Ask) -> Does {
    match (ask.job.as_str(), shown(&ask.text).first()) {
        ("design:merged", Some((label, _))) => Does::Says(merged(&[label], &[label])),
        _ if ask.text.contains("preferred: ") => compares(ask),
        _ => well(ask),
    }
}

pub(super) fn played(opening: Opening) -> Shell<'static> {
    let mut shell = Shell::new(&whatever_is_asked, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening)));
    shell.finish();
    shell
}

pub(super) fn found(name: &str, shell: &Shell<'_>) -> Found {
    let mut summary = shell.run.summary();
    if let Some(summary) = &mut summary {
        summary.origin = Origin::Here;
    }
    Found { name: name.to_owned(), summary, problem: None, owner: Owner::Nobody }
}

fn all(forecast: &Forecast) -> usize {
    (forecast.naming + forecast.designing + forecast.reviewing) as usize
}

#[test]
fn where_nothing_fails_as_many_calls_are_made_as_were_foreseen() {
    let mut scored = config();
    scored["review_models"] = json!([
        {"name": "j", "model_id": "z/judge", "evaluation_criteria": {"qualitative": false, "quantitative": true}},
        "z/jury",
    ]);
    scored["review"] = json!({"repeats": 2});
    let mut pairwise = config();
    pairwise["review"] = json!({"mode": "pairwise"});
    for config in [config(), scored, pairwise] {
        let first = foreseen(opening(&config), &[]);
        let foreseen_calls = first.forecast.clone().unwrap();
        let shell = played(first);
        assert_eq!(shell.asked.len(), all(&foreseen_calls), "{config}");
        for follow_up in [FollowUp::Review, FollowUp::Refine, FollowUp::Merge] {
            let wanted = Wanted { rounds: 1, ..Wanted::default() };
            let next =
                shell.run.follow_up(follow_up, &wanted, &beginning(&config, ""), Origin::Here).unwrap();
            let next = foreseen(next, &[]);
            let foreseen_calls = next.forecast.clone().unwrap();
            assert_eq!(played(next).asked.len(), all(&foreseen_calls), "{follow_up:?} {config}");
        }
    }
}

#[test]
fn what_answers_are_expected_to_take_counts_in_tokens_and_dollars() {
    let forecast = forecast(opening(&config()), &[]);
    assert_eq!((forecast.naming, forecast.designing, forecast.reviewing), (1, 3, 4));
    // Only the output, at $5 a million tokens: a name, three designs, two reviews of two turns.
    let output = 50 + 3 * 4_000 + 4 * 2_000;
    assert!(
        forecast.tokens > output + 4 * 12_000,
        "reviewers are sent three designs of 4,000 tokens, in both turns"
    );
    assert!(forecast.tokens < 2 * (output + 4 * 12_000), "{}", forecast.tokens);
    let by_price = (output as f64 * 5.0 + (forecast.tokens - output) as f64) / 1e6;
    assert!((forecast.cost - by_price).abs() < 1e-9, "{} {by_price}", forecast.cost);
}

/// The README's example of a cost: three models that design and review, at $3 and $15 per million tokens.
#[test]
fn the_front_page_names_the_calls_and_the_cost_of_three_models() {
    let mut input = beginning(&json!({"design_models": ["x/quill-4", "x/brisk-10", "y/zeph-3"]}), TASK);
    for model in &mut input.available.models {
        (model.cost_input, model.cost_output) = (3.0, 15.0);
    }
    let forecast = forecast(begin(&input).unwrap(), &[]);
    let thousands = (forecast.tokens as f64 / 10_000.0).round() * 10.0;
    let said = format!("{} calls and uses about {thousands},000 tokens", all(&forecast));
    let cost = format!("this costs about ${:.2}", forecast.cost);
    for page in [include_str!("../../../../README.md"), include_str!("../../../../pkg-template/README.md")] {
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains(&said) && page.contains(&cost), "{said}, {cost}");
    }
}

#[test]
fn models_without_a_price_are_named() {
    let mut input = beginning(&config(), TASK);
    for model in &mut input.available.models {
        if model.model == "zeph-3" {
            (model.cost_input, model.cost_output) = (0.0, 0.0);
        }
    }
    let wording = wording(&begin(&input).unwrap(), &[]);
    assert!(unwrapped(&wording).contains("no price for y/zeph-3: their calls count as $0"), "{wording}");
    let forecast = forecast(begin(&input).unwrap(), &[]);
    assert!(forecast.cost > 0.0, "the others still count");
}

#[test]
fn runs_of_the_same_models_give_the_range_and_no_others() {
    let shell = play(&config(), &well, Order::FirstIn);
    let done = found("2026-11-20-a", &shell);
    let taken = done.summary.as_ref().unwrap();
    let (cost, tokens) = (taken.cost, taken.tokens.total());
    let mut dearer = done.clone();
    let summary = dearer.summary.as_mut().unwrap();
    summary.cost += 1.0;
    summary.tokens.output += 500;
    let mut partial = dearer.clone();
    partial.summary.as_mut().unwrap().outcome = Some(Outcome::Partial);
    partial.summary.as_mut().unwrap().cost = 99.0;
    let unreadable = Found { summary: None, ..done.clone() };
    let runs = [done, unreadable, partial, dearer];
    let earlier = forecast(opening(&config()), &runs).earlier.unwrap();
    assert_eq!((earlier.runs, earlier.tokens), (2, [tokens, tokens + 500]));
    assert!(earlier.cost[0] >= cost && earlier.cost[0] < earlier.cost[1] - 0.9, "{:?}", earlier.cost);

    let mut other_order = config();
    other_order["design_models"] = json!(["y/zeph-3", "x/quill-4", "x/brisk-10"]);
    assert!(forecast(opening(&other_order), &runs).earlier.is_some());
    for (key, value) in [
        ("design_models", json!(["x/quill-4", "x/brisk-10"])),
        ("review_models", json!(["z/judge"])),
        ("review", json!({"repeats": 2})),
        ("review", json!({"mode": "pairwise"})),
    ] {
        let mut other = config();
        other[key] = value;
        assert_eq!(forecast(opening(&other), &runs).earlier, None, "{other}");
    }
}

#[test]
fn the_chat_tells_it_before_the_first_call_and_beside_the_result() {
    let opening = foreseen(opening(&config()), &[]);
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening)));
    let before = shell.run.live_message(shell.now);
    assert!(
        before.contains("\n  Expected  8 calls: 1 to name the run, 3 for designs, 4 for reviews."),
        "{before}"
    );
    shell.finish();
    let after = shell.run.live_message(shell.now);
    assert!(after.contains("\n  Expected  about $0.1"), "{after}");
    assert!(after.contains("; actual: $0.0"), "{after}");
    let (replayed, _) = super::Run::replay(&shell.journal.concat()).unwrap();
    assert_eq!(replayed.live_message(shell.now), after, "it stands in the journal");
}

/// A run under this budget, opened, where each model costs `price` dollars per million tokens.
fn opened(budget: &Value, price: f64, permitted: bool) -> Shell<'static> {
    let mut config = config();
    config["budget"] = budget.clone();
    let mut input = OpeningInput { permitted, ..beginning(&config, TASK) };
    for model in &mut input.available.models {
        (model.cost_input, model.cost_output) = (price, price);
    }
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(foreseen(begin(&input).unwrap(), &[]))));
    shell
}

fn waits(shell: &Shell<'_>) -> bool {
    shell.ending.as_ref().is_some_and(|(outcome, _)| *outcome == Outcome::Waiting)
}

#[test]
pub(super) fn a_run_waits_where_nobody_has_said_what_it_may_cost() {
    // About 77,000 tokens.
    for (budget, price, expected) in [
        (json!({}), 1.0, false),
        (json!({}), 20.0, true),
        (json!({}), 0.0, true),
        (json!({"confirm_usd": 2}), 20.0, false),
        (json!({"confirm_usd": 0.01}), 1.0, true),
        (json!({"confirm_usd": null}), 20.0, false),
        (json!({"confirm_usd": null}), 0.0, false),
        (json!({"max_cost_usd": 9}), 20.0, false),
        (json!({"max_tokens": 900_000}), 0.0, false),
        (json!({"max_calls": 90}), 0.0, false),
        (json!({"max_calls": 90, "confirm_usd": 1}), 20.0, true),
    ] {
        let shell = opened(&budget, price, false);
        assert_eq!(waits(&shell), expected, "{budget} {price}");
        let message = shell.run.live_message(shell.now);
        let unknown = message
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains("No model has been called yet: OpenCode knows no price for x/brisk-10");
        assert_eq!(unknown, expected && price < 1.0, "{budget} {price}");
        assert!(!waits(&opened(&budget, price, true)), "the user has said yes: {budget} {price}");
    }
    let dear = play(&config(), &well, Order::FirstIn);
    let mut dear = found("2026-11-20-a", &dear);
    dear.summary.as_mut().unwrap().cost = 1.5;
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(foreseen(opening(&config()), &[dear]))));
    assert!(waits(&shell), "earlier runs took more than that");
}

#[test]
fn a_run_that_waits_asks_nothing_until_it_is_resumed_and_can_be_called_off() {
    let mut shell = opened(&json!({}), 20.0, false);
    assert!(waits(&shell) && shell.asked.is_empty() && shell.sessions == 0);
    let message = shell.run.live_message(shell.now);
    insta::assert_snapshot!(message);
    shell.feed(EventKind::Closed);
    let waiting = found(".starting-a1", &shell);
    let summary = waiting.summary.as_ref().unwrap();
    assert!(summary.unfinished && summary.outcome == Some(Outcome::Waiting), "{summary:?}");

    let cancelled = EventKind::Cancelled { reason: "you cancelled it".to_owned() };
    for first in [None, Some(cancelled)] {
        let mut again = Shell::of(&shell.journal, &well, Order::FirstIn);
        assert_eq!(again.run.live_message(again.now), message, "it stands in the journal");
        if let Some(first) = first {
            again.feed(first);
            assert_eq!(again.ending.take().unwrap().0, Outcome::Cancelled);
            assert!(again.run.live_message(again.now).contains("stopped by you"));
            again.feed(EventKind::Closed);
        }
        again.feed(EventKind::Resumed);
        assert_eq!(again.finish(), Outcome::Complete);
        assert_eq!(again.asked.len(), 8, "all that was foreseen");
    }
}

#[test]
fn a_dry_run_is_asked_for_by_its_option_and_tells_all_of_it() {
    for (text, asks) in [
        ("--dry-run x", true),
        ("--new --dry-run x", true),
        ("-- --dry-run x", false),
        ("x --dry-run", false),
    ] {
        assert_eq!(asks_for_forecast(text), asks, "{text}");
    }
    let mut config = config();
    config["budget"] = json!({"max_cost_usd": 2, "max_calls": 12});
    let shell = play(&config, &well, Order::FirstIn);
    let opening = begin(&beginning(&config, &format!("--dry-run {TASK}"))).unwrap();
    assert_eq!(opening.task.problem_statement, TASK);
    insta::assert_snapshot!(wording(&opening, &[found("2026-11-20-a", &shell)]));
}
