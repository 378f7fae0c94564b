//! What a run accepts: the model's own words, scores that differ between designs, reviews that name what they review.

use super::*;
use crate::shared::Rules;
use std::cell::RefCell;

const DESIGN: &str = "design:quill-4";
const REVIEW: &str = "review:judge:1";

/// The prompts of one job.
fn prompts<'a>(shell: &'a Shell<'_>, job: &str) -> Vec<&'a Ask> {
    shell.asked.iter().filter(|ask| ask.job.as_str() == job).collect()
}

/// A design from a model that copies the form.
fn copied() -> String {
    let mut design: Value = serde_json::from_str(&design("A short, descriptive title")).unwrap();
    design["components"][0]["name"] = json!("Its name…");
    design.to_string()
}

fn copies_once(ask: &Ask) -> Does {
    let is_first = ask.job.as_str() == DESIGN && !ask.text.contains("copied from the form");
    if is_first { Does::Says(copied()) } else { well(ask) }
}

#[test]
fn a_copy_of_the_form_is_asked_for_again_at_a_higher_temperature() {
    let mut config = config();
    config["design_models"][0] = json!({"model_id": "x/quill-4", "temperature": 0.1});
    let shell = play(&config, &copies_once, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let [first, again] = prompts(&shell, DESIGN)[..] else { panic!("one repair") };
    assert!(again.text.contains("/title") && again.text.contains("/components/0/name"), "{}", again.text);
    assert!(first.temperature < 0.9 && (again.temperature - 1.0).abs() < 1e-9, "{}", again.temperature);
    let stored = shell.json("designs/quill-4.json");
    assert_eq!(stored["title"], "Plan 7 by quill-4");
    assert_eq!(stored["metadata"]["temperature"], 1.0, "the temperature of the answer that counts");
    assert_replays(&shell);
}

#[test]
fn a_review_with_an_item_that_says_nothing_is_asked_for_again() {
    let script = |ask: &Ask| {
        if ask.job.as_str() != REVIEW || !ask.text.contains("design_id: \"") {
            return well(ask);
        }
        Does::Says(scores(&labels_to_score(&ask.text), |_| 5.0).replacen("[\"s\"]", "[\"s\", \" \"]", 1))
    };
    let shell = play(&config(), &script, Order::FirstIn);
    let asked = prompts(&shell, REVIEW);
    let again = &asked[2].text;
    assert!(
        again.contains("/evaluations/0/qualitative/strengths/1: An item of this list is empty."),
        "{again}"
    );
    assert_replays(&shell);
}

#[test]
fn a_configured_temperature_that_is_higher_stays() {
    let mut config = config();
    config["design_models"][0] = json!({"model_id": "x/quill-4", "temperature": 1.1});
    let shell = play(&config, &copies_once, Order::FirstIn);
    let temperatures: Vec<f64> = prompts(&shell, DESIGN).iter().map(|ask| ask.temperature).collect();
    assert!(temperatures.iter().all(|one| (one - 1.1).abs() < 1e-9), "{temperatures:?}");
}

#[test]
fn a_form_that_comes_before_the_answer_is_passed_over() {
    let both = |ask: &Ask| match ask.job.as_str() {
        DESIGN => Does::Says(format!("The form:\n{}\nMy design:\n{}", copied(), design("Plan"))),
        _ => well(ask),
    };
    let shell = play(&config(), &both, Order::FirstIn);
    assert_eq!(prompts(&shell, DESIGN).len(), 1);
    assert_eq!(shell.json("designs/quill-4.json")["title"], "Plan");
}

#[test]
fn the_same_answer_again_gets_a_new_conversation() {
    let stubborn = |ask: &Ask| match ask.job.as_str() {
        DESIGN if !ask.text.contains("An earlier answer to this request was refused") => Does::Says(copied()),
        _ => well(ask),
    };
    let shell = play(&config(), &stubborn, Order::FirstIn);
    let [first, again, otherwise] = prompts(&shell, DESIGN)[..] else { panic!("two repairs") };
    assert!(otherwise.text.starts_with(&first.text), "the whole request stands in it");
    assert_eq!(first.session, again.session);
    assert_ne!(again.session, otherwise.session);
    assert_replays(&shell);
}

/// A journal that names no rules was written when only structure counted; its replay gives the same run.
#[test]
fn a_run_keeps_the_rules_that_it_was_opened_under() {
    let old = Opening { acceptance: Rules::Structure, ..opening(&config()) };
    let flat = |ask: &Ask| match ask.job.as_str() {
        DESIGN => Does::Says(copied()),
        REVIEW if ask.text.contains("design_id: \"") => {
            Does::Says(scores(&labels_to_score(&ask.text), |_| 5.0))
        }
        REVIEW => Does::Says("You can't compare the proposals.".to_owned()),
        _ => well(ask),
    };
    let mut shell = Shell::new(&flat, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(old)));
    shell.finish();
    assert!(!shell.journal[0].contains("\"acceptance\""), "{}", shell.journal[0]);
    assert_eq!(prompts(&shell, DESIGN).len(), 1);
    assert_eq!(prompts(&shell, REVIEW).len(), 2);
    assert_eq!(shell.json("designs/quill-4.json")["title"], "A short, descriptive title");
    assert_replays(&shell);
}

#[test]
fn a_reviewer_with_equal_scores_is_asked_once_and_left_out_by_name() {
    let labels = RefCell::new(Vec::new());
    let script = |ask: &Ask| {
        if ask.job.as_str() != REVIEW {
            return well(ask);
        }
        if ask.text.contains("design_id: \"") {
            *labels.borrow_mut() = labels_to_score(&ask.text);
        }
        if labels.borrow().is_empty() { well(ask) } else { Does::Says(scores(&labels.borrow(), |_| 5.0)) }
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let asked = prompts(&shell, REVIEW);
    assert_eq!(asked.len(), 3, "the review, the scores, and the scores again");
    assert!(asked[2].text.contains("don't tell the proposals apart"), "{}", asked[2].text);
    let note = "judge gave every design the same scores";
    assert!(shell.notices.iter().any(|line| line.contains(note)), "{:?}", shell.notices);
    assert!(shell.files["results/results.md"].contains(note), "{}", shell.files["results/results.md"]);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["total_reviewers"], 1, "its scores count for nobody");
    let sentence = ranking["verdict"]["sentence"].as_str().unwrap();
    assert!(!sentence.contains("gave the same scores"), "{sentence}");
    assert!(!shell.files["results/scores.csv"].contains("judge"));
    assert!(shell.files["reviews/review-judge.md"].contains("A thorough review."), "what it wrote is kept");
    assert_replays(&shell);
}

#[test]
fn a_reviewer_that_then_sees_a_difference_counts() {
    let labels = RefCell::new(Vec::new());
    let script = |ask: &Ask| {
        if ask.job.as_str() != REVIEW {
            return well(ask);
        }
        if ask.text.contains("design_id: \"") {
            *labels.borrow_mut() = labels_to_score(&ask.text);
            return Does::Says(scores(&labels.borrow(), |_| 5.0));
        }
        if labels.borrow().is_empty() {
            return well(ask);
        }
        Does::Says(scores(&labels.borrow(), |index| 5.0 + index as f64))
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.json("results/ranking.json")["metadata"]["total_reviewers"], 2);
    assert!(!shell.notices.iter().any(|line| line.contains("undiscriminating")), "{:?}", shell.notices);
}

#[test]
fn a_review_names_every_design_and_says_something_of_its_own() {
    let repairs = |bad: &dyn Fn(&Ask) -> String| {
        let script = |ask: &Ask| match ask.job.as_str() {
            REVIEW if ask.text.contains("<design id=") => Does::Says(bad(ask)),
            _ => well(ask),
        };
        let shell = play(&config(), &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
        prompts(&shell, REVIEW)[1].text.clone()
    };
    let one = repairs(&|ask| format!("Only {} is worth a word.", shown(&ask.text)[0].0));
    assert!(one.contains("says nothing about \"") && one.contains("\" or \""), "{one}");
    let none = repairs(&|_| "You can't compare the proposals dimension by dimension.".to_owned());
    assert!(none.contains("says nothing about"), "{none}");
    let echo = repairs(&|ask| ask.text.clone());
    assert!(echo.contains("repeats the prompt"), "{echo}");
}

#[test]
fn a_review_that_is_cut_off_twice_is_kept_and_its_scores_are_asked_for() {
    for config in [config(), one_turn::in_one_turn()] {
        let labels = RefCell::new(Vec::new());
        let script = |ask: &Ask| {
            if ask.job.as_str() != REVIEW {
                return one_turn::whole(ask);
            }
            if ask.text.contains("<design id=") {
                *labels.borrow_mut() =
                    shown(&ask.text).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
            }
            let half = format!("# {}\n\nIt is", labels.borrow()[0]);
            if ask.text.contains("Score every proposal") && !ask.text.contains("First write a review") {
                Does::Says(scores(&labels_to_score(&ask.text), |index| 9.0 - index as f64))
            } else {
                Does::Ends(half, "length")
            }
        };
        let shell = play(&config, &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{config}");
        let asked = prompts(&shell, REVIEW);
        assert_eq!(asked.len(), 3, "{config}");
        assert!(asked[1].text.contains("was cut off"), "{}", asked[1].text);
        assert!(shell.files["reviews/review-judge.md"].contains("It is"), "{config}");
        assert_replays(&shell);
    }
}

#[test]
fn what_a_person_reads_at_once_is_not_asked_again() {
    let script = |ask: &Ask| match ask.job.as_str() {
        REVIEW if ask.text.contains("design_id: \"") => {
            let labels = labels_to_score(&ask.text);
            let evaluation = |(index, label): (usize, &String)| {
                let mut scores: Value =
                    ["clarity", "feasibility", "scalability", "maintainability", "completeness"]
                        .iter()
                        .map(|name| ((*name).to_owned(), json!(format!("{}/10", 9 - index))))
                        .collect::<serde_json::Map<_, _>>()
                        .into();
                scores["justification"] = json!("because");
                scores["strengths"] = json!(["s"]);
                scores["weaknesses"] = json!([]);
                scores["missing_considerations"] = json!([]);
                scores["risk_assessment"] = json!("Low");
                (format!("`{}`", label.to_uppercase()), scores)
            };
            let keyed: serde_json::Map<String, Value> = labels.iter().enumerate().map(evaluation).collect();
            Does::Says(Value::from(keyed).to_string())
        }
        _ => well(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(prompts(&shell, REVIEW).len(), 2);
    assert_eq!(shell.json("results/ranking.json")["metadata"]["total_reviewers"], 2);
    let scores = shell.json("reviews/review-judge.json")["evaluations"].clone();
    let mut clarity: Vec<f64> =
        scores.as_array().unwrap().iter().filter_map(|one| one["quantitative"]["clarity"].as_f64()).collect();
    clarity.sort_by(f64::total_cmp);
    assert_eq!(clarity, [7.0, 8.0, 9.0]);
}

#[test]
fn a_design_that_scored_nothing_is_not_built_next() {
    let script = |ask: &Ask| match well(ask) {
        Does::Says(_) if ask.text.contains("design_id: \"") => {
            Does::Says(scores(&labels_to_score(&ask.text), |_| 0.0))
        }
        other => other,
    };
    let shell = play(&config(), &script, Order::FirstIn);
    let message = shell.run.live_message(shell.now);
    assert!(!message.contains("/flow-plan"), "{message}");
}
