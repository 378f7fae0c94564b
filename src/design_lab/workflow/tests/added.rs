//! Reviewers who join once a run is ranked.

use super::candidate::{DRAFT, one_model, played, with};
use super::human_review::{filled, rerank, scored_by_ada, taste, with_people, written};
use super::one_turn::{in_one_turn, whole};
use super::*;
use crate::design_lab::workflow::{FollowUp, review_within, wanted};
use std::collections::BTreeSet;

const NEW: &str = "anthropic/claude-haiku-4.5";
const NEW_ID: &str = "claude-haiku-4-5";

fn all_do(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") {
        compares(ask)
    } else if ask.text.contains("First write a review") {
        whole(ask)
    } else {
        well(ask)
    }
}

fn request(text: &str) -> ResumeRequest {
    review_within(text, &[], false).unwrap().unwrap()
}

/// A new process carries out the arguments of `/design-lab-review`.
fn extended<'a>(
    journal: &[String],
    config: &Value,
    text: &str,
    script: &'a dyn Fn(&Ask) -> Does,
    order: Order,
) -> Shell<'a> {
    asked_to_go_on(journal, config, &request(text), script, order)
}

fn asked(shell: &Shell<'_>) -> BTreeSet<String> {
    shell.asked.iter().map(|ask| ask.job.as_str().split(':').nth(1).unwrap().to_owned()).collect()
}

/// A ranking without its time and its cost.
fn judged(text: &str) -> Value {
    let mut ranking: Value = serde_json::from_str(text).unwrap();
    for field in ["generated_at", "cost", "tokens"] {
        ranking["metadata"][field] = Value::Null;
    }
    ranking
}

#[test]
fn only_those_who_join_are_asked_and_the_result_says_what_they_changed() {
    for config in [config(), pairwise(), in_one_turn()] {
        let first = play(&config, &all_do, Order::FirstIn);
        let mut shell =
            extended(&first.journal, &config, &format!("--add {NEW} rate"), &all_do, Order::FirstIn);
        assert_eq!(shell.finish(), Outcome::Complete);
        assert_eq!(asked(&shell), BTreeSet::from([NEW_ID.to_owned()]));
        assert_replays(&shell);
        for (path, text) in first.files.iter().filter(|(path, _)| !path.starts_with("results/")) {
            let kept = shell.files.get(path).or_else(|| shell.files.get(&format!("former/1/{path}")));
            assert!(kept == Some(text) || path == "config.json", "{path}");
        }
        let (before, after) =
            (shell.json("former/1/results/ranking.json"), shell.json("results/ranking.json"));
        assert_eq!(before, first.json("results/ranking.json"));
        let added = &after["additions"][0];
        assert_eq!(after["additions"].as_array().unwrap().len(), 1);
        assert_eq!(added["reviewers"], json!([NEW_ID]));
        assert_eq!(added["verdict"], json!([before["verdict"]["kind"], after["verdict"]["kind"]]));
        for (at, ranking) in [&before, &after].into_iter().enumerate() {
            assert_eq!(added["effective_votes"][at], ranking["agreement"]["effective_votes"]);
            let rows = ranking["rankings"].as_array().unwrap();
            let first: Vec<&Value> = rows.iter().filter(|row| row["rank"] == 1).collect();
            assert_eq!(added["first"][at][0], first[0]["design_id"]);
            for moved in added["moved"].as_array().unwrap() {
                let row = rows.iter().find(|row| row["design_id"] == moved["design_id"]).unwrap();
                assert_eq!(moved["rank_interval"][at], row["rank_interval"]);
                assert_eq!(moved["rank"][at], row["rank"]);
            }
        }
        let said = added["sentences"][0].as_str().unwrap();
        assert_eq!(said, format!("Without {NEW_ID}: {}", before["verdict"]["sentence"].as_str().unwrap()));
        for file in ["results/results.md", "results/report.html"] {
            let text = shell.files[file].replace("&#39;", "'");
            assert!(text.contains("until you like the answer, you will get that answer"), "{file}");
            assert!(text.contains(&format!("Without {NEW_ID}:")), "{file}");
        }
        let chat = shell.run.live_message(shell.now);
        let words: Vec<&str> = chat.split_whitespace().collect();
        assert!(words.join(" ").contains("If you add reviewers until"), "{chat}");
    }
}

#[test]
fn a_run_that_is_resumed_after_any_line_asks_nobody_else_and_comes_to_the_same() {
    for config in [config(), pairwise(), in_one_turn()] {
        let first = play(&config, &all_do, Order::FirstIn);
        let text = format!("--add={NEW}");
        let mut whole = extended(&first.journal, &config, &text, &all_do, Order::FirstIn);
        assert_eq!(whole.finish(), Outcome::Complete);
        let mut today = config.clone();
        // The current configuration doesn't count before the new reviewers have been asked.
        today["review_models"] = json!(["x/quill-4"]);
        today["review"]["repeats"] = json!(2);
        for length in first.journal.len() + 1..whole.journal.len() {
            let mut shell = Shell::of(&whole.journal[..length], &all_do, Order::LastIn);
            let OpeningInput { sources, files, available, .. } = beginning(&today, "");
            if !shell.run.summary().unwrap().unfinished {
                continue;
            }
            let event = shell.run.resumption(&sources, &files, &available).unwrap();
            shell.feed(event);
            assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
            assert!(asked(&shell).iter().all(|id| id == NEW_ID), "after line {length}: {:?}", asked(&shell));
            let key = "results/ranking.json";
            assert_eq!(judged(&shell.files[key]), judged(&whole.files[key]), "after line {length}");
            assert_replays(&shell);
        }
    }
}

#[test]
fn who_joins_sees_the_designs_in_an_order_and_under_labels_of_its_own_even_beside_people() {
    let mut config = config();
    config["seed"] = json!(7);
    let mut first = play(&config, &well, Order::FirstIn);
    scored_by_ada(&mut first);
    let mut shell = extended(&first.journal, &config, &format!("--add {NEW}"), &well, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
    if let Some(event) = shell.run.form("bea").unwrap().event {
        shell.feed(event);
    }
    let mut again = extended(&shell.journal, &config, "--add y/zeph-3", &well, Order::FirstIn);
    assert_eq!(again.finish(), Outcome::Complete);
    let state = again.run.state().unwrap();
    let shown: Vec<_> = state.presented.values().collect();
    assert_eq!(shown.len(), 6, "four models and two people");
    let orders: BTreeSet<_> = shown.iter().map(|one| one.order.clone()).collect();
    assert_eq!(orders.len(), 6, "the six rows of the two squares of three");
    let labels: BTreeSet<_> = shown.iter().flat_map(|one| one.labels.clone()).collect();
    assert_eq!(labels.len(), 18);
    assert!(state.humans.iter().any(|review| review.reviewer == *"ada"), "what she scored counts still");
    assert_replays(&again);
}

#[test]
fn adding_twice_says_what_each_addition_changed() {
    let first = play(&config(), &well, Order::FirstIn);
    let mut second = extended(&first.journal, &config(), &format!("--add {NEW}"), &well, Order::FirstIn);
    second.finish();
    let mut third = extended(&second.journal, &config(), "--add x/quill-4,y/zeph-3", &well, Order::LastIn);
    assert_eq!(third.finish(), Outcome::Complete);
    assert_eq!(asked(&third), ["quill-4", "zeph-3"].map(str::to_owned).into());
    let additions = third.json("results/ranking.json")["additions"].clone();
    assert_eq!(additions[0], second.json("results/ranking.json")["additions"][0]);
    assert_eq!(additions[1]["reviewers"], json!(["quill-4", "zeph-3"]));
    assert_eq!(additions[1]["verdict"][0], additions[0]["verdict"][1]);
    assert_eq!(additions[1]["first"][0], additions[0]["first"][1]);
    let former = judged(&third.files["former/2/results/ranking.json"]);
    assert_eq!(former, judged(&second.files["results/ranking.json"]));
    assert_eq!(third.run.summary().unwrap().likeness, first.run.summary().unwrap().likeness);
    assert_replays(&third);
}

#[test]
fn a_new_reviewer_that_fails_leaves_the_others_ranking_and_is_asked_again_only_when_told_to() {
    let script = |ask: &Ask| if ask.model == NEW { Does::Fails("APIError", Some(400)) } else { well(ask) };
    let first = play(&config(), &well, Order::FirstIn);
    let mut shell = extended(&first.journal, &config(), &format!("--add {NEW}"), &script, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Partial);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["rankings"], first.json("results/ranking.json")["rankings"]);
    assert_eq!(ranking["additions"][0]["moved"], json!([]));
    let said = format!("{NEW_ID} gave no review, so nothing changed.");
    assert_eq!(ranking["additions"][0]["sentences"], json!([said]));
    assert_eq!(ranking["additions"][0]["caution"], "");
    assert!(!shell.run.summary().unwrap().unfinished, "nothing is paid again that nobody asked for");
    let mut again = Shell::of(&shell.journal, &well, Order::FirstIn);
    again.feed(EventKind::Retried);
    again.feed(EventKind::Resumed);
    assert_eq!(again.finish(), Outcome::Complete);
    assert_eq!(asked(&again), BTreeSet::from([NEW_ID.to_owned()]));
    assert_replays(&again);
}

#[test]
fn cancelled_it_continues_where_it_stopped() {
    let first = play(&config(), &well, Order::FirstIn);
    let mut shell = extended(&first.journal, &config(), &format!("--add {NEW}"), &well, Order::FirstIn);
    shell.feed(EventKind::Cancelled { reason: "enough".to_owned() });
    assert_eq!(shell.finish(), Outcome::Cancelled);
    assert!(shell.files.contains_key("former/1/results/ranking.json"), "what stood is kept");
    let mut again = reconfigured::taken_over(&shell.journal, &config(), &well, Order::FirstIn);
    assert_eq!(again.finish(), Outcome::Complete);
    assert_eq!(asked(&again), BTreeSet::from([NEW_ID.to_owned()]));
}

#[test]
fn what_is_expected_to_cost_more_than_the_user_lets_pass_wants_a_yes() {
    let mut dear = config();
    dear["budget"] = json!({"confirm_usd": 0.0001});
    let first = play(&config(), &well, Order::FirstIn);
    let shell = Shell::of(&first.journal, &well, Order::FirstIn);
    let problem = events(&shell.run, &dear, &request(&format!("--add {NEW}"))).unwrap_err().remove(0);
    assert_eq!(problem.code.to_string(), "command.wants-yes");
    assert!(problem.next.unwrap().contains(&format!("--add {NEW} --yes")));
    let asked_by_model = review_within(&format!("--add {NEW}"), &[], true).unwrap().unwrap();
    assert!(events(&shell.run, &dear, &asked_by_model).is_ok(), "the question was the yes");
    let mut shell = extended(&first.journal, &dear, &format!("--add {NEW} --yes"), &well, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
}

#[test]
fn the_forecast_grows_by_what_is_asked_of_the_new_ones() {
    for config in [config(), pairwise(), in_one_turn()] {
        let mut first = Shell::new(&all_do, Order::FirstIn);
        first.feed(EventKind::Opened(Box::new(crate::design_lab::workflow::foreseen(opening(&config), &[]))));
        first.finish();
        let expected =
            |shell: &Shell<'_>| shell.run.state().unwrap().opening.forecast.clone().unwrap().reviewing;
        let mut shell = extended(&first.journal, &config, &format!("--add {NEW}"), &all_do, Order::FirstIn);
        let more = expected(&shell) - expected(&first);
        let message = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        let calls = if more == 1 { "call" } else { "calls" };
        assert!(message.contains(&format!("Expected {more} {calls}: {more} for reviews.")), "{message}");
        shell.finish();
        assert_eq!(more as usize, shell.asked.len());
    }
}

#[test]
fn what_it_would_cost_is_told_before_anything_is_asked() {
    for (config, calls) in [(config(), 2), (pairwise(), 6), (in_one_turn(), 1)] {
        let first = play(&config, &all_do, Order::FirstIn);
        let shell = Shell::of(&first.journal, &all_do, Order::FirstIn);
        let OpeningInput { sources, files, available, .. } = beginning(&config, "");
        let cost = |text: &str, question| {
            shell.run.cost_of_addition(&request(text), &sources, &files, &available, question)
        };
        let said = format!("{calls} call{}: {calls} for reviews.", if calls == 1 { "" } else { "s" });
        let message = cost(&format!("--add {NEW} --dry-run"), None).unwrap();
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(&said) && !message.contains("quill-4"), "{message}");
        assert!(message.contains(&format!("/design-lab-review --add {NEW} ")), "{message}");
        let asked = cost(&format!("--add {NEW}"), Some("review --add x")).unwrap();
        assert!(asked.starts_with(&format!("review --add x · {said}")), "{asked}");
        assert!(cost("--add z/nobody", None).is_err());
    }
}

#[test]
fn reviewers_that_failed_are_not_asked_with_those_who_join() {
    let script =
        |ask: &Ask| if ask.model == "z/judge" { Does::Fails("APIError", Some(400)) } else { well(ask) };
    let first = play(&config(), &script, Order::FirstIn);
    let mut shell = extended(&first.journal, &config(), &format!("--add {NEW}"), &well, Order::FirstIn);
    let message = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(message.contains(&format!("To ask: the review by {NEW_ID}.")), "{message}");
    assert!(message.contains("Failed before and not retried now: the review by judge."), "{message}");
    assert_eq!(shell.finish(), Outcome::Partial, "the judge is missing still");
    assert_eq!(asked(&shell), BTreeSet::from([NEW_ID.to_owned()]));
    let mut again = reconfigured::taken_over(&shell.journal, &config(), &well, Order::FirstIn);
    assert_eq!(again.finish(), Outcome::Complete);
    assert_eq!(asked(&again), BTreeSet::from(["judge".to_owned()]));
    assert_eq!(again.json("results/ranking.json")["additions"][0]["reviewers"], json!([NEW_ID]));
    assert_replays(&again);
}

#[test]
fn an_author_who_joins_does_not_score_its_own_design() {
    let first = play(&config(), &well, Order::FirstIn);
    let mut shell = extended(&first.journal, &config(), "--add x/quill-4", &well, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
    let mut from_the_start = config();
    from_the_start["review_models"] = json!(["z/judge", "z/jury", "x/quill-4"]);
    let whole = play(&from_the_start, &well, Order::FirstIn);
    let [joined, there] = [&shell, &whole].map(|shell| shell.json("results/ranking.json"));
    assert_eq!(joined["metadata"]["self_reviews_excluded"], 1);
    assert_eq!(there["metadata"]["self_reviews_excluded"], 1);
    assert!(joined["bias"]["self_preference"].get("quill-4").is_some(), "{}", joined["bias"]);
    let mut by_id = extended(&first.journal, &config(), "--add quill-4", &well, Order::FirstIn);
    assert_eq!(by_id.finish(), Outcome::Complete);
    assert_eq!(by_id.json("results/ranking.json")["rankings"], joined["rankings"]);
}

#[test]
fn somebody_joins_where_a_file_takes_part_and_where_people_review() {
    let (journal, ..) = played(&with(&one_model(), &[("docs/quill-4.md", DRAFT)]), &well);
    let mut shell =
        extended(&journal, &one_model(), &format!("--add {NEW},x/quill-4"), &well, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert_eq!(asked(&shell), [NEW_ID, "quill-4"].map(str::to_owned).into());
    assert_eq!(shell.json("results/ranking.json")["rankings"].as_array().unwrap().len(), 2);
    assert_replays(&shell);

    for reviewers in [json!(["human"]), json!(["z/judge", "human"])] {
        let config = with_people(&reviewers);
        let mut first = play(&config, &well, Order::FirstIn);
        let form = written(&first, "human");
        let sheet = filled(&first, &form, |design, _| Some(taste(design)));
        rerank(&mut first, &config, &[sheet]).unwrap();
        let mut shell = extended(&first.journal, &config, &format!("--add {NEW}"), &well, Order::FirstIn);
        assert_eq!(shell.finish(), Outcome::Complete, "{reviewers}");
        assert_eq!(asked(&shell), BTreeSet::from([NEW_ID.to_owned()]), "{reviewers}");
        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranking["additions"][0]["reviewers"], json!([NEW_ID]));
        assert!(shell.run.state().unwrap().humans.iter().any(|review| review.reviewer == *"human"));
        // Replaying doesn't restore people's forms.
        shell.files.retain(|path, _| !path.starts_with("human/"));
        assert_replays(&shell);
    }
}

#[test]
fn what_cannot_be_added_is_refused_and_says_why() {
    let first = play(&config(), &well, Order::FirstIn);
    let ranked = Shell::of(&first.journal, &well, Order::FirstIn);
    let begun = Shell::of(&first.journal[..first.journal.len() / 2], &well, Order::FirstIn);
    for (shell, config, text, code) in [
        (&ranked, config(), "--add z/judge", "command.reviews-already"),
        (&ranked, config(), "--add jury", "command.reviews-already"),
        (&ranked, config(), &*format!("--add {NEW},{NEW}"), "command.reviews-already"),
        (&ranked, config(), "--add z/nobody", "command.unknown-model"),
        (&ranked, config(), "--add \u{7}\u{202e}", "command.unknown-model"),
        (&ranked, config(), "--add human", "command.unknown-model"),
        (&begun, config(), &*format!("--add {NEW}"), "run.not-ranked"),
    ] {
        let problem = events(&shell.run, &config, &request(text)).unwrap_err().remove(0);
        assert_eq!(problem.code.to_string(), code, "{text}");
        assert!(problem.next.is_some(), "{text}");
    }
    let problem = events(&ranked.run, &config(), &request("--add nobody")).unwrap_err().remove(0);
    assert_eq!(problem.allowed.as_deref(), Some("quill-4, brisk-10, zeph-3, provider/model"), "who may join");
    let problem = events(&ranked.run, &config(), &request("--add z/juge")).unwrap_err().remove(0);
    assert!(problem.next.unwrap().starts_with("Did you mean `z/judge`?"));
    for (text, code) in [
        ("--add", "command.missing-value"),
        ("--add --yes", "command.missing-value"),
        ("--add=,", "command.missing-value"),
        ("--yes rate", "command.unknown-option"),
        ("--dry-run rate", "command.unknown-option"),
        ("--new --add z/judge", "command.unknown-option"),
        ("--add z/judge rate limiter", "command.too-many-words"),
    ] {
        assert_eq!(wanted(FollowUp::Review, text).unwrap_err().code.to_string(), code, "{text}");
    }
    assert!(wanted(FollowUp::Merge, "--add z/judge").is_err());
}

#[test]
fn a_journal_from_elsewhere_adds_nobody_who_is_none_or_was_there() {
    let first = play(&config(), &well, Order::FirstIn);
    let shell = Shell::of(&first.journal, &well, Order::FirstIn);
    let event = events(&shell.run, &config(), &request(&format!("--add {NEW}"))).unwrap().remove(0);
    let event = serde_json::to_value(&event).unwrap().to_string();
    let list = format!("\"added\":[\"{NEW_ID}\"]");
    assert!(event.contains(&list), "{event}");
    for (other, good) in [
        (list.clone(), true),
        ("\"added\":[\"judge\"]".to_owned(), false),
        ("\"added\":[\"../x\"]".to_owned(), false),
        (format!("\"added\":[\"{NEW_ID}\",\"{NEW_ID}\"]"), false),
    ] {
        let kind: EventKind = serde_json::from_str(&event.replace(&list, &other)).unwrap();
        let mut run = Run::replay(&first.journal.concat()).unwrap().0;
        let line = run.seal(&Event { at: shell.now, kind });
        assert_eq!(run.apply(&line).is_ok(), good, "{other}");
    }
}
