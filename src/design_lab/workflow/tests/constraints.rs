//! What reviewers say about the constraints of the task, through whole runs.

use super::*;
use crate::shared::Rules;

const TASK: &str = "Task: Design a rate limiter.\n\nConstraints:\n- One region\n- No new service";

/// Scores with these answers on the constraints, for each design.
fn scored(ask: &Ask, answers: &Value) -> Does {
    let labels = labels_to_score(&ask.text);
    let mut reply: Value = serde_json::from_str(&scores(&labels, |index| 9.0 - index as f64)).unwrap();
    for evaluation in reply["evaluations"].as_array_mut().unwrap() {
        evaluation["constraints"] = answers.clone();
    }
    Does::Says(reply.to_string())
}

/// Plays a run in which one of two reviewers answers this on the constraints.
fn play_with<'a>(script: &'a dyn Fn(&Ask) -> Does, task: &str, rules: Rules) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn);
    let opening = begin(&beginning(&config(), task)).unwrap();
    shell.feed(EventKind::Opened(Box::new(Opening { acceptance: rules, ..opening })));
    shell.finish();
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    shell
}

fn answering(answers: Value) -> impl Fn(&Ask) -> Does {
    move |ask: &Ask| match ask.job.as_str() {
        "review:judge:1" if ask.text.contains("design_id: \"") => scored(ask, &answers),
        _ => well(ask),
    }
}

#[test]
fn answers_are_listed_by_constraint_and_change_no_rank() {
    let answers = json!([{"constraint": 1, "state": "Met", "where": "the overview"}, {"constraint": "2", "state": "not"}]);
    let script = answering(answers);
    let shell = play_with(&script, TASK, Rules::LATEST);
    let asked = shell.asked.iter().find(|ask| ask.job.as_str() == "review:judge:1").unwrap();
    assert!(asked.text.contains("## Constraints\n\n1. One region\n2. No new service"), "{}", asked.text);
    let form = shell.asked.iter().find(|ask| ask.text.contains("design_id: \"")).unwrap();
    assert!(
        form.text.contains("      constraint: number; // as the task numbers them, 1 to 2\n"),
        "{}",
        form.text
    );

    let results = &shell.files["results/results.md"];
    assert!(results.contains("1 of 2 reviewers answered for every constraint and design."), "{results}");
    assert!(results.contains("| 1: One region | 1 met | 1 met | 1 met |"), "{results}");
    assert!(results.contains("| 2: No new service | 1 not met | 1 not met | 1 not met |"), "{results}");
    assert!(shell.files["results/report.html"].contains("id=\"constraints\""));
    assert!(shell.files["reviews/review-judge.md"].contains("Constraint 1, met: the overview"));

    let silent = play_with(&well, TASK, Rules::LATEST);
    assert_eq!(shell.asked.len(), silent.asked.len(), "nothing is asked for again");
    assert!(silent.files["results/results.md"].contains("0 of 2 reviewers answered"));
    assert_eq!(
        shell.json("results/ranking.json")["rankings"],
        silent.json("results/ranking.json")["rankings"]
    );
}

#[test]
fn nobody_is_asked_without_constraints_or_under_earlier_rules() {
    let script = answering(json!([{"constraint": 1, "state": "met"}]));
    for (task, rules) in [("Design a rate limiter", Rules::LATEST), (TASK, Rules::CheckedClaims)] {
        let shell = play_with(&script, task, rules);
        assert!(shell.asked.iter().all(|ask| !ask.text.contains("constraint: number")));
        assert!(shell.json("reviews/review-judge.json")["evaluations"][0].get("constraints").is_none());
        assert!(!shell.files["results/results.md"].contains("## Constraints"));
    }
}
