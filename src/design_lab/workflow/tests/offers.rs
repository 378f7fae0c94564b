//! The ways to make a ranking more certain show the same expected cost as their own forecasts.

use super::one_turn::{in_one_turn, whole};
use super::*;
use crate::design_lab::report::Offers;
use crate::design_lab::workflow::{FollowUp, foreseen, review_within, wanted};

const NEW: &str = "anthropic/claude-haiku-4.5";

/// Reviewers who never agree.
fn disagree(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") {
        prefers(ask, |_, _| 2)
    } else if ask.text.contains("First write a review") {
        whole(ask)
    } else {
        well(ask)
    }
}

/// The prices of models, in US dollars for a million tokens, the same for input and output.
fn priced(mut config: Value, models: &[(&str, f64)]) -> Value {
    let prices =
        models.iter().map(|(model, price)| ((*model).to_owned(), json!({"input": price, "output": price})));
    config["prices"] = Value::Object(prices.collect());
    config
}

/// A run that is too close to call, and its offers.
fn close<'a>(config: &Value) -> (Shell<'a>, Offers) {
    let shell = play(config, &disagree, Order::FirstIn);
    let state = shell.run.state().unwrap();
    assert_eq!(
        state.ranking.as_ref().unwrap().verdict.kind,
        crate::design_lab::ranking::VerdictKind::TooCloseToCall
    );
    let offers = state.offers().unwrap();
    (shell, offers)
}

#[test]
fn a_further_reviewer_is_reckoned_as_its_own_forecast_is() {
    for (config, calls) in [(config(), 2), (in_one_turn(), 1), (pairwise(), 6)] {
        let config = priced(config, &[("z/judge", 3.0), ("z/jury", 9.0), (NEW, 3.0)]);
        let (shell, offers) = close(&config);
        assert_eq!((offers.add.calls, offers.add.at_most), ([calls; 2], false));
        let [least, most] = offers.add.cost.unwrap();
        assert!((most / least - 3.0).abs() < 1e-9, "by the prices of both: {least} {most}");
        let request = review_within(&format!("--add {NEW} --dry-run"), &[], false).unwrap().unwrap();
        let OpeningInput { sources, files, available, .. } = beginning(&config, "");
        let message = shell.run.cost_of_addition(&request, &sources, &files, &available, None).unwrap();
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let price = crate::shared::figures::money(least);
        assert!(message.contains(&format!("about {price} and")), "{price}: {message}");
        let chat = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(chat.contains(&format!("about {price} to ")), "{chat}");
        assert!(
            shell.files["results/report.html"].contains(&format!("about {price} to ")),
            "on the page as well"
        );
    }
}

#[test]
fn comparing_until_it_is_clear_is_reckoned_as_the_run_that_does_it() {
    let config = priced(config(), &[("z/judge", 3.0), ("z/jury", 9.0)]);
    let (shell, offers) = close(&config);
    let until = offers.until.unwrap();
    let wanted = wanted(FollowUp::Review, "--until clear").unwrap();
    let opening =
        shell.run.follow_up(FollowUp::Review, &wanted, &beginning(&config, ""), Origin::Here).unwrap();
    let forecast = foreseen(opening, &[]).forecast.unwrap();
    assert_eq!((until.calls, until.at_most), ([forecast.reviewing; 2], true));
    assert_eq!(until.calls, [12, 12], "three pairs in both orders by two reviewers");
    let [cost, _] = until.cost.unwrap();
    assert!((cost / forecast.cost - 1.0).abs() < 0.02, "{cost} {}", forecast.cost);
    assert_eq!(until.cap, None);
    let chat = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        chat.contains("at most 12 calls, about $")
            && chat.contains("(to limit the cost, add --max-cost DOLLARS)"),
        "{chat}"
    );
    assert!(close(&pairwise()).1.until.is_none(), "pairs were compared already");
}

#[test]
fn without_a_price_only_calls_are_named_and_a_limit_where_there_is_one_that_holds() {
    for (unpriced, cap, add, until, stops) in [
        (&["z/judge", "z/jury"][..], None, false, false, false),
        (&["z/judge", "z/jury"], Some(5.0), false, false, false),
        (&["z/jury"], Some(5.0), true, false, false),
        (&[], Some(5.0), true, true, true),
        (&[], None, true, true, false),
    ] {
        let mut config = config();
        if let Some(cap) = cap {
            config["budget"] = json!({ "max_cost_usd": cap });
        }
        let mut input = beginning(&config, "Design a rate limiter for a public API");
        for model in input.available.models.iter_mut().filter(|one| unpriced.contains(&&*one.id())) {
            (model.cost_input, model.cost_output) = (0.0, 0.0);
        }
        let mut shell = Shell::new(&disagree, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(begin(&input).unwrap())));
        shell.finish();
        let offers = shell.run.state().unwrap().offers().unwrap();
        let offer = offers.until.unwrap();
        assert_eq!((offers.add.cost.is_some(), offer.cost.is_some()), (add, until), "{unpriced:?}");
        assert_eq!(offer.cap, cap.filter(|_| stops), "{unpriced:?}");
        let chat = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            chat.contains("another vendor: 2 calls") && chat.contains("answer: at most 12 calls"),
            "{chat}"
        );
        assert_eq!(chat.contains("(stops at $5.00, budget.max_cost_usd)"), stops, "{chat}");
        assert_eq!(chat.contains("(to limit the cost, add --max-cost DOLLARS)"), !stops, "{chat}");
    }
}

#[test]
fn a_leaning_ranking_offers_a_reviewer_in_the_report_and_leaves_the_chat_short() {
    let shell = play(&pairwise(), &compares, Order::FirstIn);
    let state = shell.run.state().unwrap();
    assert_eq!(
        state.ranking.as_ref().unwrap().verdict.kind,
        crate::design_lab::ranking::VerdictKind::Leaning
    );
    let offers = state.offers().unwrap();
    assert_eq!((offers.add.calls, offers.until), ([6; 2], None));
    assert!(!shell.run.live_message(shell.now).contains("--add MODEL"));
    for file in ["results/report.html", "results/results.md"] {
        assert!(
            shell.files[file].contains("adds a reviewer, ideally from another vendor: 6 calls"),
            "{file}"
        );
    }
}

#[test]
fn nothing_is_offered_before_there_is_a_ranking() {
    let mut shell = Shell::new(&disagree, Order::FirstIn);
    assert!(shell.run.state().is_none());
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    assert!(shell.run.state().unwrap().offers().is_none());
}
