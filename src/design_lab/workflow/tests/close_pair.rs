//! The first two designs are compared after the scores, if these are close (`review.close_pairs`).

use super::*;
use crate::design_lab::workflow::{FollowUp, foreseen, review_within, wanted};

/// The titles that comparisons prefer.
const PREFERRED: &str = "Plan 8 ";

/// Models that score by title, the design of `quill-4` ahead by this lead, and in comparisons prefer that of `brisk-10`.
fn scoring(ask: &Ask, lead: f64) -> Does {
    if ask.text.contains("preferred: ") {
        return prefers(ask, |one, _| usize::from(!one.starts_with(PREFERRED)));
    }
    if !ask.text.contains("design_id: \"") {
        return well(ask);
    }
    let seen = shown(&ask.text);
    let labels = labels_to_score(&ask.text);
    let title = |label: &String| seen.iter().find(|(known, _)| known == label).map_or("", |(_, title)| title);
    let values: Vec<f64> = labels
        .iter()
        .map(|label| match title(label) {
            title if title.starts_with("Plan 7 ") => 6.0 + lead,
            title if title.starts_with(PREFERRED) => 6.0,
            _ => 2.0,
        })
        .collect();
    let scores = scores(&labels, |index| values[index]);
    Does::Says(format!("A thorough review.\n\n```json\n{scores}\n```\n"))
}

fn close(ask: &Ask) -> Does {
    scoring(ask, 0.4)
}

/// A new process continues a run, and retries what failed if asked to.
fn continued(journal: &[String], config: &Value, retry: bool) -> Shell<'static> {
    let mut shell = Shell::of(journal, &close, Order::FirstIn);
    if retry {
        shell.feed(EventKind::Retried);
    }
    let OpeningInput { sources, files, available, .. } = beginning(config, "");
    let event = shell.run.resumption(&sources, &files, &available).unwrap();
    shell.feed(event);
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

/// In one turn, so that the prompt for scores shows the designs.
fn wanted_config() -> Value {
    let mut config = config();
    config["review"] = json!({"close_pairs": true, "turns": 1});
    config
}

/// The comparisons that were asked: each job, with the designs in the order shown.
fn comparisons(shell: &Shell<'_>) -> Vec<(String, Vec<String>)> {
    let asks = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("pair:"));
    asks.map(|ask| (ask.job.to_string(), shown(&ask.text).into_iter().map(|(_, title)| title).collect()))
        .collect()
}

#[test]
pub(super) fn close_designs_are_compared_in_both_orders_and_the_comparisons_count() {
    let shell = play(&wanted_config(), &close, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let asked = comparisons(&shell);
    assert_eq!(asked.len(), 4, "two reviewers, two orders: {asked:?}");
    for (job, titles) in &asked {
        assert!(titles.iter().all(|title| !title.starts_with("Plan 6 ")), "{job}: {titles:?}");
        let turned: Vec<String> = titles.iter().rev().cloned().collect();
        let reviewer = job.rsplit_once(':').unwrap().0;
        assert!(asked.iter().any(|(other, titles)| other.starts_with(reviewer) && *titles == turned));
    }
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["close_pairs"][0]["preferred"], json!([0, 2]));
    assert_eq!(ranking["rankings"][0]["design_id"], "brisk-10", "the comparisons reverse 0.4 points");
    let sentence = ranking["close_pairs"][0]["sentence"].as_str().unwrap();
    assert!(shell.files["results/results.md"].contains("compared quill-4 and brisk-10"), "{sentence}");
    assert!(shell.files["results/report.html"].contains(sentence));
    assert!(
        shell.run.live_message(shell.now).contains("compared quill-4"),
        "{}",
        shell.run.live_message(shell.now)
    );
    assert_eq!(shell.files["results/comparisons.csv"].lines().count(), 5);
    assert_eq!(shell.json("reviews/review-judge.json")["comparisons"].as_array().unwrap().len(), 2);
    assert_eq!(shell.json("reviews/review-judge.json")["orders"].as_array().unwrap().len(), 1);
    assert_replays(&shell);
}

#[test]
fn designs_far_apart_are_not_compared_and_the_run_says_so() {
    let shell = play(&wanted_config(), &|ask| scoring(ask, 2.0), Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert!(comparisons(&shell).is_empty());
    let results = &shell.files["results/results.md"];
    assert!(
        results.contains("quill-4 leads brisk-10 by 1.8 points, so reviewers didn't compare the two."),
        "{results}"
    );
    assert_replays(&shell);
    // And no run compares them unless asked to.
    assert!(comparisons(&play(&config(), &close, Order::FirstIn)).is_empty());
}

#[test]
fn a_reviewer_compares_no_design_of_its_own_and_many_reviewers_compare_once_each() {
    let mut own = wanted_config();
    own["review_models"] = json!(["x/quill-4", "z/judge"]);
    let asked = comparisons(&play(&own, &close, Order::FirstIn));
    assert!(asked.len() == 2 && asked.iter().all(|(job, _)| job.starts_with("pair:judge:")), "{asked:?}");

    let mut none = wanted_config();
    none["review_models"] = json!(["x/quill-4", "x/brisk-10"]);
    let shell = play(&none, &close, Order::FirstIn);
    assert!(comparisons(&shell).is_empty());
    assert!(shell.files["results/results.md"].contains("would count, so none was made"));

    let mut many = wanted_config();
    many["review_models"] = json!(["z/judge", "z/jury", "x/topaz-2", "y/onyx-7"]);
    let asked = comparisons(&play(&many, &close, Order::FirstIn));
    assert_eq!(asked.len(), 4);
    let first = |title: &str| asked.iter().filter(|(_, titles)| titles[0].starts_with(title)).count();
    assert_eq!((first("Plan 7 "), first(PREFERRED)), (2, 2), "each design is shown first as often");
}

#[test]
fn it_can_be_resumed_after_any_line_and_asks_nothing_twice() {
    let whole = play(&wanted_config(), &close, Order::FirstIn);
    let first = whole.json("results/ranking.json")["rankings"][0]["design_id"].clone();
    for length in 1..whole.journal.len() {
        let mut shell = Shell::of(&whole.journal[..length], &close, Order::LastIn);
        if !shell.run.summary().unwrap().unfinished {
            continue;
        }
        let OpeningInput { sources, files, available, .. } = beginning(&wanted_config(), "");
        let event = shell.run.resumption(&sources, &files, &available).unwrap();
        shell.feed(event);
        assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranking["rankings"][0]["design_id"], first, "after line {length}");
        assert_eq!(ranking["close_pairs"][0]["reviewers"], 2, "after line {length}");
        assert_eq!(shell.files["results/comparisons.csv"].lines().count(), 5, "after line {length}");
        assert_replays(&shell);
    }
}

#[test]
fn a_reviewer_that_fails_to_compare_leaves_a_partial_run_and_is_asked_again() {
    let fails = |ask: &Ask| {
        let is_its = ask.job.as_str().starts_with("pair:jury:");
        if is_its { Does::Fails("ProviderAuthError", Some(401)) } else { close(ask) }
    };
    let shell = play(&wanted_config(), &fails, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    assert_eq!(shell.json("results/ranking.json")["close_pairs"][0]["reviewers"], 1);
    assert!(
        shell.files["results/results.md"].contains("jury pair #1"),
        "{}",
        shell.files["results/results.md"]
    );
    assert_replays(&shell);
    let again = continued(&shell.journal, &wanted_config(), true);
    assert_eq!(comparisons(&again).len(), 2, "only those that failed");
    assert_eq!(again.json("results/ranking.json")["close_pairs"][0]["reviewers"], 2);
}

#[test]
fn money_for_comparisons_is_told_before_and_never_overdrawn() {
    let sentences = |config: &Value| {
        let opening = foreseen(opening(config), &[]);
        opening.forecast.as_ref().unwrap().sentences(&opening.config, &opening.models)
    };
    let said = sentences(&wanted_config());
    assert!(said.contains("6 calls"), "{said}");
    assert!(said.contains("reviewers also compare them: at most 4 more calls, about $"), "{said}");
    assert!(!sentences(&config()).contains("compare"), "{}", sentences(&config()));

    let mut poor = wanted_config();
    let scored = play(&poor, &close, Order::FirstIn).asked.len() - 4;
    poor["budget"] = json!({"max_cost_usd": 0.01 * scored as f64 + 0.0101});
    poor["concurrency"] = json!(1);
    let shell = play(&poor, &close, Order::FirstIn);
    assert!(comparisons(&shell).len() < 4);
}

#[test]
fn a_rubric_that_changes_retires_the_comparisons_too() {
    let shell = play(&wanted_config(), &close, Order::FirstIn);
    let mut changed = wanted_config();
    changed["review"]["repeats"] = json!(2);
    let again = continued(&shell.journal, &changed, false);
    assert!(comparisons(&again).is_empty(), "the comparisons that exist still count");
    assert_eq!(again.json("results/ranking.json")["close_pairs"][0]["reviewers"], 2);
    assert_replays(&again);

    changed["scoring_criteria"] = json!({"require_justification": false});
    let again = continued(&again.journal, &changed, false);
    assert_eq!(comparisons(&again).len(), 4);
    assert_replays(&again);
}

#[test]
fn the_note_on_the_lead_goes_once_a_retried_review_has_changed_the_lead() {
    // The judge sees a clear lead; the jury, which fails at first, sees less of one or none.
    let by = |jury: f64| {
        move |ask: &Ask| match ask.job.as_str() {
            job if job.starts_with("review:jury:") => scoring(ask, jury),
            _ => scoring(ask, 2.0),
        }
    };
    let fails = |ask: &Ask| {
        let is_its = ask.job.as_str().starts_with("review:jury:");
        if is_its { Does::Fails("ProviderAuthError", Some(401)) } else { scoring(ask, 2.0) }
    };
    let shell = play(&wanted_config(), &fails, Order::FirstIn);
    let lead = |shell: &Shell<'_>| -> Vec<String> {
        let results = shell.files["results/results.md"].lines();
        results
            .filter(|line| line.contains("so reviewers didn't compare the two"))
            .map(str::to_owned)
            .collect()
    };
    let before = lead(&shell);
    assert_eq!(before.len(), 1, "{}", shell.files["results/results.md"]);
    for (jury, compared, notes) in [(-1.9, true, 0), (3.9, false, 1)] {
        let script = by(jury);
        let mut again = Shell::of(&shell.journal, &script, Order::FirstIn);
        again.feed(EventKind::Retried);
        let OpeningInput { sources, files, available, .. } = beginning(&wanted_config(), "");
        let event = again.run.resumption(&sources, &files, &available).unwrap();
        again.feed(event);
        assert_eq!(again.finish(), Outcome::Complete);
        let after = lead(&again);
        assert_eq!((after.len(), !comparisons(&again).is_empty()), (notes, compared), "{jury}: {after:?}");
        assert_ne!(after, before, "{jury}");
        assert_replays(&again);
    }
}

/// A new process has the first two designs of a run compared.
fn on_request<'a>(journal: &[String], config: &Value, script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let request = review_within("--close rate", &[], false).unwrap().unwrap();
    asked_to_go_on(journal, config, &request, script, Order::FirstIn)
}

fn refusal(run: &Run, config: &Value) -> String {
    let request = review_within("--close", &[], false).unwrap().unwrap();
    events(run, config, &request).unwrap_err()[0].code.to_string()
}

/// The same run without the setting.
fn plain_config() -> Value {
    let mut config = wanted_config();
    config["review"]["close_pairs"] = json!(false);
    config
}

#[test]
fn a_ranked_run_offers_the_comparisons_with_their_price_and_makes_them_on_request() {
    let config = plain_config();
    let scored = play(&config, &close, Order::FirstIn);
    let offer = scored.run.state().unwrap().overview(0).offers.unwrap().close.unwrap();
    let price = crate::shared::figures::money(offer.cost.unwrap()[0]);
    let said = format!("has the reviewers compare the first two designs: 4 calls, about {price}");
    let chat = scored.run.live_message(scored.now).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(chat.contains(&said), "{chat}");
    let page = &scored.files["results/report.html"];
    assert!(page.contains("<code>/design-lab-review --close ") && page.contains(&said));

    let request = review_within("--close --dry-run", &[], false).unwrap().unwrap();
    assert!(request.close.unwrap().dry_run);
    let OpeningInput { sources, files, available, .. } = beginning(&config, "");
    let dry = scored.run.cost_of_addition(&request, &sources, &files, &available, None).unwrap();
    let dry = dry.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(dry.contains("4 calls") && dry.contains(&price), "{dry}");

    let mut shell = on_request(&scored.journal, &config, &close);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert_eq!((shell.asked.len(), comparisons(&shell).len()), (4, 4), "nothing else is asked");
    // As if the setting had been on from the start.
    let whole = play(&wanted_config(), &close, Order::FirstIn);
    let ranking = |shell: &Shell<'_>| {
        let ranking = shell.json("results/ranking.json");
        (ranking["rankings"].clone(), ranking["close_pairs"].clone(), ranking["verdict"].clone())
    };
    assert_eq!(ranking(&shell), ranking(&whole));
    assert!(
        shell.files.keys().any(|path| path == "former/1/results/ranking.json"),
        "the former ranking is kept"
    );
    assert_eq!(refusal(&shell.run, &config), "command.nothing-to-compare");
    assert!(shell.run.state().unwrap().overview(0).offers.is_none_or(|offers| offers.close.is_none()));
    assert_replays(&shell);
}

#[test]
fn requested_comparisons_survive_the_end_of_the_process_at_any_line() {
    let config = plain_config();
    let scored = play(&config, &close, Order::FirstIn);
    let mut whole = on_request(&scored.journal, &config, &close);
    assert_eq!(whole.finish(), Outcome::Complete);
    for lines in scored.journal.len() + 1..whole.journal.len() {
        // The setting is still off.
        let again = continued(&whole.journal[..lines], &config, false);
        assert_eq!(
            again.json("results/ranking.json")["close_pairs"],
            whole.json("results/ranking.json")["close_pairs"],
            "{lines}"
        );
        let paid = whole.journal[..lines].iter().filter(|line| line.contains("\"answered\"")).count()
            - scored.journal.iter().filter(|line| line.contains("\"answered\"")).count();
        assert!(comparisons(&again).len() <= 4 - paid.min(4), "{lines}: nothing is paid twice");
        assert_replays(&again);
    }
}

#[test]
fn comparisons_on_request_need_close_scores_that_are_complete() {
    let config = plain_config();
    let far = play(&config, &|ask| scoring(ask, 2.0), Order::FirstIn);
    assert_eq!(refusal(&far.run, &config), "command.nothing-to-compare");
    assert!(far.run.state().unwrap().overview(0).offers.is_none_or(|offers| offers.close.is_none()));
    let fails = |ask: &Ask| match ask.job.as_str() {
        job if job.starts_with("review:jury:") => Does::Fails("ProviderAuthError", Some(401)),
        _ => close(ask),
    };
    assert_eq!(refusal(&play(&config, &fails, Order::FirstIn).run, &config), "run.unfinished");
    let mut begun = Shell::new(&close, Order::FirstIn);
    begun.feed(EventKind::Opened(Box::new(opening(&config))));
    assert_eq!(refusal(&begun.run, &config), "run.not-ranked");
    assert_eq!(
        refusal(&play(&pairwise(), &compares, Order::FirstIn).run, &config),
        "command.nothing-to-compare"
    );
    let mut dear = config.clone();
    dear["budget"] = json!({"confirm_usd": 0.000_001});
    let scored = play(&config, &close, Order::FirstIn);
    assert_eq!(refusal(&scored.run, &dear), "command.wants-yes");

    for other in ["--map", "--add z/jury", "--until clear", "--new", "--rubric"] {
        let problem = wanted(FollowUp::Review, &format!("--close {other}")).unwrap_err();
        assert_eq!(problem.code, "command.unknown-option", "{other}");
    }
    let request = review_within("--close --yes", &[], false).unwrap().unwrap();
    assert!(request.close.unwrap().permitted);
}
