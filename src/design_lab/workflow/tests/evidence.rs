//! What reviewers give as evidence, through whole runs: a reason before each score, and quotes that are looked up.

use super::*;
use crate::shared::Rules;

const DIMENSIONS: [&str; 5] = ["clarity", "feasibility", "scalability", "maintainability", "completeness"];

/// Scores in the form that is asked for; the second reviewer quotes what no design says.
fn evidence(labels: &[String], quote: &str) -> Value {
    let evaluations = labels.iter().enumerate().map(|(index, label)| {
        let score = |name: &&str| ((*name).to_owned(), json!({"reason": format!("For {name}, it names {index} parts"), "score": 9 - index}));
        json!({
            "design_id": label,
            "qualitative": {
                "strengths": ["s"],
                "weaknesses": [{"claim": "It waits.", "quote": quote}, {"claim": "No backup.", "missing": true}, "Old."],
                "missing_considerations": [], "risk_assessment": "low",
            },
            "quantitative": DIMENSIONS.iter().map(score).collect::<serde_json::Map<_, _>>(),
        })
    });
    json!({ "evaluations": evaluations.collect::<Vec<_>>() })
}

fn is_scores(ask: &Ask) -> bool {
    ask.text.contains("design_id: \"")
}

#[test]
fn quotes_are_looked_up_in_the_design_that_the_reviewer_saw() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "review:judge:1" if is_scores(ask) => {
            Does::Says(evidence(&labels_to_score(&ask.text), "“Overview” flow").to_string())
        }
        "review:jury:1" if is_scores(ask) => Does::Says(
            evidence(&labels_to_score(&ask.text), "the **gate**").to_string().replace("the **gate**", "gate"),
        ),
        _ => well(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    let asked = shell.asked.iter().find(|ask| is_scores(ask)).unwrap();
    assert!(
        asked.text.contains("\"clarity\": { reason: string; score: number }; // 0 to 10"),
        "{}",
        asked.text
    );
    assert!(!asked.text.contains("overall"), "it never counted");

    let of =
        |reviewer: &str| shell.json(&format!("reviews/review-{reviewer}.json"))["evaluations"][0].clone();
    let first = of("judge");
    assert_eq!(first["qualitative"]["weaknesses"], json!(["It waits.", "No backup.", "Old."]));
    let quotes = json!([{"claim": "It waits.", "quote": "“Overview” flow", "found": false}]);
    assert_eq!(first["qualitative"]["quotes"], quotes);
    assert_eq!(of("jury")["qualitative"]["quotes"][0]["found"], json!(true));
    let why = first["quantitative"]["justification"].as_str().unwrap();
    assert!(
        why.starts_with("clarity: For clarity, it names") && why.contains("parts. feasibility: For"),
        "{why}"
    );
    assert!(first["quantitative"]["clarity"].is_number());

    let note = "observed: Design Lab found 0 of 3 quotes from judge in the designs that it reviewed.";
    assert!(shell.files["results/results.md"].contains(note));
    assert!(!shell.files["results/results.md"].contains("quotes from jury"));
    assert!(shell.files["results/results.md"].contains("| jury | 3 | 3 |"));
    assert!(shell.files["results/report.html"].contains("Quotes (observed)"));
    assert!(shell.files["reviews/review-judge.md"].contains("not found in "));
    assert_replays(&shell);
}

#[test]
fn a_score_without_a_reason_is_asked_for_and_the_former_form_is_accepted() {
    let asked_again = |spoil: &dyn Fn(&mut Value)| {
        let script = |ask: &Ask| {
            if ask.job.as_str() != "review:judge:1" || !is_scores(ask) {
                return if ask.text.starts_with("Your last answer") {
                    Does::Says("{}".to_owned())
                } else {
                    well(ask)
                };
            }
            let mut reply = evidence(&labels_to_score(&ask.text), "overview");
            spoil(&mut reply["evaluations"][0]);
            Does::Says(reply.to_string())
        };
        let shell = play(&config(), &script, Order::FirstIn);
        let repair = shell.asked.iter().find(|ask| ask.text.starts_with("Your last answer"));
        repair.map(|ask| ask.text.clone()).unwrap_or_default()
    };
    for (pointer, value, expected) in [
        ("/quantitative/cost", json!(7), ""),
        (
            "/quantitative/clarity/reason",
            json!(" "),
            "/evaluations/0/quantitative/clarity: The score for clarity has no reason.",
        ),
        ("/quantitative/clarity", json!(7), "The score for clarity has no reason. Found: 7."),
        (
            "/quantitative/clarity/score",
            json!(11),
            "/evaluations/0/quantitative/clarity/score: The score for clarity is out of bounds.",
        ),
        ("/quantitative/clarity/score", json!("7/10"), ""),
        ("/qualitative/quotes", json!([{"claim": 1}]), ""),
        (
            "/qualitative/weaknesses/0",
            json!({"quote": "overview"}),
            "/evaluations/0/qualitative/weaknesses/0",
        ),
    ] {
        let text = asked_again(&|one| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let parent = one.pointer_mut(parent).unwrap();
            match key.parse::<usize>() {
                Ok(index) => parent[index] = value.clone(),
                Err(_) => parent[key] = value.clone(),
            }
        });
        assert!(
            if expected.is_empty() { text.is_empty() } else { text.contains(expected) },
            "{pointer}: {text}"
        );
    }
    let shell = play(&config(), &well, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "the former form");
    assert!(!shell.files["results/results.md"].contains("Quotes (observed)"));
}

#[test]
fn a_run_of_earlier_rules_is_asked_for_the_former_form() {
    let mut earlier = opening(&config());
    earlier.acceptance = Rules::CheckedClaims;
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(earlier)));
    shell.finish();
    let asked = shell.asked.iter().find(|ask| is_scores(ask)).unwrap();
    assert!(asked.text.contains("weaknesses: string[];") && asked.text.contains("overall: number;"));
    assert_replays(&shell);
}
