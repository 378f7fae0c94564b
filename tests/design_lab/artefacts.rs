//! Raw replies of models, and the errors that they are shown.
//!
//! `cargo xtask update` updates the golden files.

use crate::common::assert_golden;
use kernel::problem::Problem;
use lab_core::design_lab::artefacts::{Design, Evaluations, Level, ReplyRules, design_fit, evaluations_fit};
use lab_core::design_lab::config::{Dimension, ScoringCriteria};
use lab_core::design_lab::ids::Label;
use serde_json::{Value, json};

fn in_words(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n") + "\n"
}

fn design() -> Value {
    json!({
        "title": "Token service",
        "summary": "Issues tokens.",
        "assumptions": ["Clients keep secrets."],
        "architecture_overview": "One service.",
        "components": [{ "name": "Service", "description": "Issues tokens.", "responsibilities": ["Sign"], "dependencies": ["Store"] }],
        "data_flow": "Client to service.",
        "tradeoffs": [{ "aspect": "Revocation", "options": ["Short lifetime", "Deny list"], "chosen": "Short lifetime", "rationale": "Cheaper." }],
        "risks": [{ "risk": "The key leaks.", "impact": "high", "mitigation": "Rotate it." }],
        "open_questions": []
    })
}

#[test]
fn a_design_is_read_and_what_is_not_asked_for_is_dropped() {
    let mut reply = design();
    reply["confidence"] = json!("very high");
    reply["components"][0]["technology"] = json!("Rust");
    let read = Design::from_reply(reply.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), design());
    assert_eq!(design_fit(&reply), 0);
}

#[test]
fn older_spellings_become_the_present_form() {
    let older = json!({ "design": {
        "title": "Token service",
        "summary": ["Issues tokens."],
        "assumptions": "Clients keep secrets.",
        "architecture_overview": "One service.",
        "components": [{ "name": "Service", "description": "Issues tokens.", "responsibility": "Sign", "dependencies": "Store" }],
        "data_flow": ["Client to service."],
        "tradeoffs": [{ "choice": "Short lifetime", "alternatives": ["Deny list"], "rationale": "Cheaper." }],
        "risks": [{ "risk": "The key leaks.", "severity": "High", "mitigation": "Rotate it." }],
        "open_questions": null
    }});
    let read = Design::from_reply(older).unwrap();
    let mut expected = design();
    expected["tradeoffs"][0]["aspect"] = json!("Short lifetime or Deny list");
    assert_eq!(serde_json::to_value(&read).unwrap(), expected);
}

#[test]
fn present_spellings_win_over_older_ones() {
    let mut reply = design();
    reply["risks"][0]["severity"] = json!("low");
    reply["tradeoffs"][0]["choice"] = json!("Deny list");
    reply["tradeoffs"][0]["alternatives"] = json!(["Nothing"]);
    reply["components"][0]["responsibility"] = json!("Other");
    let read = Design::from_reply(reply).unwrap();
    assert_eq!(read.risks[0].impact, Level::High);
    assert_eq!(serde_json::to_value(&read).unwrap(), design());
}

#[test]
fn a_broken_design_says_what_to_change() {
    let mut reply = design();
    let map = reply.as_object_mut().unwrap();
    map.remove("summary");
    map.remove("risks");
    map.insert("title".to_owned(), json!(""));
    map.insert("components".to_owned(), json!([]));
    map.insert("assumptions".to_owned(), json!([1, "two"]));
    map.insert("data_flow".to_owned(), json!({ "steps": 3 }));
    map.insert(
        "tradeoffs".to_owned(),
        json!([{ "aspect": "A", "options": ["x"], "rationale": "r" }, "none"]),
    );
    let problems = Design::from_reply(reply.clone()).unwrap_err();
    assert_golden("artefacts/broken-design.txt", &in_words(&problems));
    assert_eq!(design_fit(&reply), problems.len());
}

#[test]
fn a_level_is_never_guessed() {
    let mut reply = design();
    reply["risks"][0]["impact"] = json!("critical");
    let problems = Design::from_reply(reply).unwrap_err();
    assert_golden("artefacts/level.txt", &in_words(&problems));
}

#[test]
fn the_better_candidate_fits_better() {
    let mut nearly = design();
    nearly.as_object_mut().unwrap().remove("title");
    assert_eq!(design_fit(&design()), 0);
    assert_eq!(design_fit(&nearly), 1);
    assert!(design_fit(&nearly) < design_fit(&json!({})));
    for other in [json!(null), json!([]), json!("text"), json!([design()])] {
        assert!(design_fit(&other) > design_fit(&json!({})), "{other}");
    }
}

fn labels() -> Vec<Label> {
    ["A", "B"].map(Label::new).to_vec()
}

fn dimensions() -> Vec<Dimension> {
    ScoringCriteria::default().dimensions.into_iter().take(2).collect()
}

fn evaluation(label: &str) -> Value {
    json!({
        "design_id": label,
        "qualitative": {
            "strengths": ["Small."], "weaknesses": ["Vague."], "missing_considerations": [], "risk_assessment": "medium"
        },
        "quantitative": { "clarity": 8, "feasibility": 7.5, "overall": 7.5, "justification": "Sound." }
    })
}

fn read(reply: Value) -> Result<Evaluations, Vec<Problem>> {
    Evaluations::from_reply(
        reply,
        &ReplyRules {
            labels: &labels(),
            dimensions: &dimensions(),
            require_justification: true,
            wants_evidence: false,
            constraints: 0,
        },
    )
}

#[test]
fn evaluations_are_read_in_the_order_of_the_labels() {
    let reply = read(json!({ "evaluations": [evaluation("B"), evaluation("A")] })).unwrap();
    let ids: Vec<&str> = reply.evaluations.iter().map(|evaluation| evaluation.design_id.as_str()).collect();
    assert_eq!(ids, ["A", "B"]);
    let quantitative = &reply.evaluations[0].quantitative;
    assert_eq!(
        quantitative.scores.clone().into_iter().collect::<Vec<_>>(),
        [("clarity".to_owned(), 8.0), ("feasibility".to_owned(), 7.5)]
    );
    assert_eq!((quantitative.overall, quantitative.justification.as_str()), (Some(7.5), "Sound."));
}

#[test]
fn other_forms_of_a_review_are_understood() {
    let flat = json!([
        { "design_id": "A", "scores": { "clarity": "8", "feasibility": 7.5, "overall": "good" }, "justification": ["Sound."],
          "strengths": "Small.", "weaknesses": ["Vague."], "missing_considerations": "",
          "risks": ["Keys leak.", { "risk": "Clocks drift.", "impact": "low" }], "risk_assessment": "Medium" },
        evaluation("B")
    ]);
    let read_flat = read(flat).unwrap();
    let mut expected = read(json!({ "evaluations": [evaluation("A"), evaluation("B")] })).unwrap();
    expected.evaluations[0].quantitative.overall = None;
    expected.evaluations[0].qualitative.risks = ["Keys leak.", "Clocks drift."].map(str::to_owned).to_vec();
    assert_eq!(read_flat, expected);

    let mut remarks = evaluation("A");
    remarks["quantitative"]["clarity_reason"] = json!("Short sentences.");
    remarks["quantitative"]["beauty"] = json!(3);
    remarks["rank"] = json!(1);
    let read_remarks = read(json!({ "evaluations": [remarks, evaluation("B")], "winner": "A" })).unwrap();
    assert_eq!(read_remarks, read(json!({ "evaluations": [evaluation("A"), evaluation("B")] })).unwrap());
}

#[test]
fn a_broken_review_says_what_to_change() {
    let mut a = evaluation("A");
    a["quantitative"] = json!({ "clarity": 11, "beauty": 3, "justification": " " });
    a["qualitative"]["strengths"] = json!({ "first": "Small." });
    let mut unknown = evaluation("glm-46");
    unknown["quantitative"]["feasibility"] = json!("high");
    let mut missing = evaluation("A");
    missing.as_object_mut().unwrap().remove("qualitative");
    let problems = read(json!({ "evaluations": [a, unknown, missing] })).unwrap_err();
    assert_golden("artefacts/broken-review.txt", &in_words(&problems));
}

#[test]
fn bounds_belong_to_the_dimension() {
    let dimensions = [
        Dimension { min: -1.0, max: 1.0, ..dimensions().remove(0) },
        Dimension { min: 1.0, max: 100.0, ..dimensions().remove(1) },
    ];
    let labels = [Label::new("A")];
    let rules = ReplyRules {
        labels: &labels,
        dimensions: &dimensions,
        require_justification: false,
        wants_evidence: false,
        constraints: 0,
    };
    let cases = [(-1.0, 1.0, 0), (1.0, 100.0, 0), (-1.01, 1.0, 1), (1.0, 100.01, 1), (2.0, 0.0, 2)];
    for (clarity, feasibility, expected) in cases {
        let mut evaluation = evaluation("A");
        evaluation["quantitative"] = json!({ "clarity": clarity, "feasibility": feasibility });
        let reply = json!({ "evaluations": [evaluation] });
        assert_eq!(evaluations_fit(&reply, &rules), expected, "{clarity} {feasibility}");
        let problems = Evaluations::from_reply(reply, &rules).err().unwrap_or_default();
        assert!(problems.iter().all(|problem| problem.code == "review.score-out-of-bounds"));
    }
}

#[test]
fn anything_but_a_review_is_a_problem_and_no_panic() {
    let whole = [
        json!(null),
        json!(true),
        json!(0),
        json!("text"),
        json!([]),
        json!({}),
        json!([1, "two", null, []]),
    ];
    let nested = ["evaluations", "design_id"].map(|key| whole.clone().map(|value| json!({ key: value })));
    for value in whole.iter().chain(nested.iter().flatten()) {
        assert!(!read(value.clone()).unwrap_err().is_empty(), "{value}");
        assert!(!Design::from_reply(value.clone()).unwrap_err().is_empty(), "{value}");
    }
}
