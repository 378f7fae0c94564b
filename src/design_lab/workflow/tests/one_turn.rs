//! Reviews whose prose and scores come in one answer.

use super::super::durability_tests::timeless;
use super::*;
use crate::design_lab::workflow::foreseen;

pub(super) fn in_one_turn() -> Value {
    let mut config = config();
    config["review"] = json!({"turns": 1});
    config
}

/// A review with its scores below it.
pub(super) fn whole(ask: &Ask) -> Does {
    match well(ask) {
        Does::Says(scores) if ask.job.as_str().starts_with("review:") => {
            Does::Says(format!("A thorough review.\n\n```json\n{scores}\n```\n"))
        }
        other => other,
    }
}

fn reviews(shell: &Shell<'_>) -> Vec<Ask> {
    shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("review:")).cloned().collect()
}

#[test]
pub(super) fn a_reviewer_is_asked_once_for_both() {
    let shell = play(&in_one_turn(), &whole, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let asked = reviews(&shell);
    assert_eq!(asked.len(), 2, "each of two reviewers");
    assert!(asked[0].text.contains("First write a review") && asked[0].text.contains("design_id: \""));
    let text = &shell.files["reviews/review-judge.md"];
    assert!(text.contains("A thorough review.") && !text.contains("```json"), "{text}");
    let in_two = play(&config(), &well, Order::FirstIn);
    assert_eq!(shell.files.keys().collect::<Vec<_>>(), in_two.files.keys().collect::<Vec<_>>());
    assert_eq!(shell.files["results/scores.csv"], in_two.files["results/scores.csv"]);
    let forecast = |config: &Value| foreseen(opening(config), &[]).forecast.unwrap().reviewing;
    assert_eq!((forecast(&in_one_turn()), forecast(&config())), (2, 4));
}

#[test]
fn a_reviewer_that_is_asked_for_one_half_has_one_turn_in_any_case() {
    let mut config = in_one_turn();
    config["review_models"] = json!([
        {"model_id": "z/judge", "evaluation_criteria": {"qualitative": false}},
        {"model_id": "z/jury", "evaluation_criteria": {"quantitative": false}},
    ]);
    let asked = reviews(&play(&config, &well, Order::FirstIn));
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|ask| !ask.text.contains("First write a review")));
}

/// The review is paid for, so only the scores are requested again, with their faults.
#[test]
fn a_review_stays_where_its_scores_cannot_be_used() {
    for (below, fault) in [
        ("", "no JSON object"),
        ("```json\n{\"evaluations\": [{\"design_id\": \"nobody\"}]}\n```", "/evaluations/0/design_id"),
    ] {
        let script = |ask: &Ask| match whole(ask) {
            Does::Says(_) if ask.text.contains("First write a review") => {
                Does::Says(format!("{}\n\n{below}", written_review(&ask.text)))
            }
            // The repair lists ids only if these are at fault; the first prompt listed them.
            Does::Says(_) if ask.job.as_str().starts_with("review:") => {
                Does::Says(scores(&labels_of(ask), |index| 9.0 - index as f64))
            }
            other => other,
        };
        let shell = play(&in_one_turn(), &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{below}");
        let judge: Vec<Ask> =
            reviews(&shell).into_iter().filter(|ask| ask.job.as_str() == "review:judge:1").collect();
        assert_eq!(judge.len(), 2, "{below}");
        assert_eq!(judge[0].session, judge[1].session);
        assert!(judge[1].text.contains(fault), "{}", judge[1].text);
        assert!(shell.files["reviews/review-judge.md"].contains("A thorough review."));
    }
}

#[test]
fn scores_alone_count_and_a_review_that_is_cut_off_is_asked_for_again() {
    let alone = |ask: &Ask| well(ask);
    let shell = play(&in_one_turn(), &alone, Order::FirstIn);
    assert_eq!((shell.ending.as_ref().unwrap().0, reviews(&shell).len()), (Outcome::Complete, 2));
    let cut = |ask: &Ask| {
        if ask.text.contains("First write a review") {
            Does::Ends("A thorough rev".to_owned(), "length")
        } else if ask.job.as_str().starts_with("review:") {
            Does::Says(format!("Shorter.\n\n{}", scores(&labels_of(ask), |index| 9.0 - index as f64)))
        } else {
            well(ask)
        }
    };
    let shell = play(&in_one_turn(), &cut, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert!(shell.files["reviews/review-judge.md"].contains("Shorter."));
}

#[test]
fn it_is_resumed_after_any_line() {
    let undisturbed = play(&in_one_turn(), &whole, Order::LastIn);
    let expected = timeless(&undisturbed.files);
    for length in 1..undisturbed.journal.len() {
        let mut shell = Shell::of(&undisturbed.journal[..length], &whole, Order::LastIn);
        shell.feed(EventKind::Resumed);
        assert_eq!(shell.finish(), Outcome::Complete, "after line {length}");
        assert_eq!(timeless(&shell.files), expected, "after line {length}");
    }
}

/// The labels that the reviewer of a prompt was shown; a repair doesn't list them.
fn labels_of(ask: &Ask) -> Vec<String> {
    let shown = play(&in_one_turn(), &whole, Order::FirstIn);
    let first = reviews(&shown).into_iter().find(|other| other.job == ask.job).unwrap();
    labels_to_score(&first.text)
}
