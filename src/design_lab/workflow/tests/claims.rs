//! What designs state about the project, and what reviews cite, through whole runs.

use super::*;
use kernel::protocol::{LookedUp, PathFound};

const WRONG: &str = "src/gone.ts";
const RIGHT: &str = "src/server.ts";

fn looked(path: &str, found: PathFound) -> LookedUp {
    LookedUp { path: path.to_owned(), found, lines: (found == PathFound::File).then_some(20), place: None }
}

/// An answer with what the shell would have found for it.
fn replies(text: String, looked_up: Vec<LookedUp>) -> Does {
    Does::Replies(Box::new(Reply { text, finish: "stop".to_owned(), looked_up, ..Reply::default() }))
}

fn with_claims(title: &str) -> String {
    let mut design: Value = serde_json::from_str(&design(title)).unwrap();
    design["claims"] = claims();
    design.to_string()
}

fn claims() -> Value {
    json!([
        {"text": "Requests enter here.", "kind": "File", "name": RIGHT, "state": "exists", "finding": "true"},
        {"text": "Limits are read there.", "kind": "file", "name": WRONG, "state": "exists"},
        {"text": "The bucket is new.", "kind": "file", "name": "src/bucket.ts", "state": "to be made"},
    ])
}

fn found() -> Vec<LookedUp> {
    vec![
        looked(RIGHT, PathFound::File),
        looked(WRONG, PathFound::Nothing),
        looked("src/bucket.ts", PathFound::Nothing),
    ]
}

/// Two designers; the first states something about the project.
fn small() -> Value {
    json!({"design_models": ["x/quill-4", "y/zeph-3"], "review_models": ["z/judge"]})
}

#[test]
fn what_a_design_states_is_looked_up_and_shown_to_reviewers_as_found() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" => replies(with_claims("First plan"), found()),
        "design:zeph-3" => replies(design("Second plan"), vec![looked("$code", PathFound::Nothing)]),
        "review:judge:1" if !ask.text.contains("design_id: \"") => {
            let text = format!("{}\n\nSee {RIGHT}:3 and {WRONG}:9.", written_review(&ask.text));
            replies(text, vec![looked(RIGHT, PathFound::File), looked(WRONG, PathFound::Nothing)])
        }
        _ => well(ask),
    };
    let shell = play(&small(), &script, Order::FirstIn);
    assert_eq!(shell.asked.iter().filter(|ask| ask.job.as_str() == "design:quill-4").count(), 1);

    let stored = shell.json("designs/quill-4.json");
    let verdicts: Vec<&Value> =
        stored["claims"].as_array().unwrap().iter().map(|claim| &claim["finding"]["verdict"]).collect();
    assert_eq!(verdicts, ["as_stated", "wrong", "as_stated"]);
    assert!(shell.json("designs/zeph-3.json").get("claims").is_none());

    let review = shell.asked.iter().find(|ask| ask.job.as_str() == "review:judge:1").unwrap();
    let observed = review.text.split("<observed id=").nth(1).unwrap().split("</observed>").next().unwrap();
    assert!(observed.contains("it doesn't exist\""), "{observed}");
    assert!(review.text.contains("What was found is a fact;"));
    let shown = review.text.split("<design id=").skip(1);
    assert!(shown.into_iter().all(|block| !block.split("</design>").next().unwrap().contains("claims")));

    let weaknesses = &shell.json("results/ranking.json")["rankings"];
    let text = weaknesses.to_string();
    assert!(
        text.contains("observed: wrong: `src/gone.ts` (it doesn't exist). Claim: Limits are read there."),
        "{text}"
    );
    let page = &shell.files["results/report.html"];
    assert!(page.contains("Claims about the project") && page.contains("1 of 3") && page.contains("0 of 0"));
    assert!(shell.files["designs/quill-4.md"].contains("## Claims about the project"));

    let stored = shell.json("reviews/review-judge.json");
    let cited = json!([
        {"place": "src/server.ts:3"},
        {"place": "src/gone.ts:9", "fault": "src/gone.ts:9, which doesn't exist"},
    ]);
    assert_eq!(stored["citations"], cited);
    assert!(shell.files["results/results.md"].contains("judge cites src/gone.ts:9, which doesn't exist"));
    assert_replays(&shell);
}

#[test]
fn a_design_that_states_nothing_about_a_project_with_code_is_asked_once() {
    let asks = |shell: &Shell<'_>| {
        let of_design = shell.asked.iter().filter(|ask| ask.job.as_str() == "design:quill-4");
        of_design.filter(|ask| ask.text.contains("type Claims = {")).count()
    };
    let run = |answer: &dyn Fn() -> Does| {
        let script = |ask: &Ask| match ask.job.as_str() {
            "design:quill-4" if ask.text.contains("type Claims = {") => answer(),
            "design:quill-4" => replies(design("First plan"), vec![looked("$code", PathFound::File)]),
            _ => well(ask),
        };
        let shell = play(&small(), &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
        assert_replays(&shell);
        (asks(&shell), shell.json("designs/quill-4.json"))
    };
    let (asked, stored) = run(&|| replies(json!({ "claims": claims() }).to_string(), found()));
    assert_eq!(asked, 1);
    assert_eq!(stored["claims"][1]["finding"]["why"], "it doesn't exist");
    assert_eq!(stored["title"], "First plan");
    // Whatever the second answer is, the first one, which is paid for, stays.
    for answer in ["", "I'd rather not.", "{\"claims\": []}", "{\"claims\": [{\"kind\": 1}]}"] {
        let (asked, stored) = run(&|| Does::Says(answer.to_owned()));
        assert_eq!((asked, stored["title"].as_str()), (1, Some("First plan")), "{answer}");
        assert!(stored.get("claims").is_none());
    }
    for (name, status) in
        [("ProviderAuthError", Some(401)), ("APIError", Some(500)), ("MessageOutputLengthError", None)]
    {
        let (asked, stored) = run(&|| Does::Fails(name, status));
        assert_eq!((asked, stored["title"].as_str()), (1, Some("First plan")), "{name}");
    }
}

#[test]
fn a_run_of_earlier_rules_and_a_model_without_tools_are_not_asked() {
    let script = |ask: &Ask| {
        if ask.job.as_str().starts_with("design:") {
            replies(design(ask.job.as_str()), vec![looked("$code", PathFound::File)])
        } else {
            well(ask)
        }
    };
    let asked = |opening: Opening| {
        let mut shell = Shell::new(&script, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening)));
        shell.finish();
        shell.asked.iter().filter(|ask| ask.text.contains("type Claims = {")).count()
    };
    let mut earlier = opening(&small());
    earlier.acceptance = crate::shared::Rules::SingleCriterion;
    assert_eq!(asked(earlier), 0);
    let mut blind = beginning(&small(), "Design a rate limiter");
    for model in &mut blind.available.models {
        model.tool_call = model.model != "zeph-3";
    }
    assert_eq!(asked(begin(&blind).unwrap()), 1, "only the model that sees the project");
}

/// Claims are optional, so whatever stands there costs no design and no further prompt.
#[test]
fn no_claim_costs_a_design() {
    for (claims, kept) in [
        (json!(null), 0),
        (json!("none"), 0),
        (json!({"a.js": "exists"}), 0),
        (json!(["a.js exists"]), 0),
        (json!([{"text": "It stores.", "kind": "class", "name": "Store", "state": "planned"}]), 1),
        (json!([{"text": "It stores."}, {"kind": "file"}, 7]), 1),
        (json!(vec![json!({"text": "x".repeat(900), "kind": "other", "name": "y"}); 200]), 40),
    ] {
        let mut answer: Value = serde_json::from_str(&design("First plan")).unwrap();
        answer["claims"] = claims;
        let script = |ask: &Ask| match ask.job.as_str() {
            "design:quill-4" => replies(answer.to_string(), Vec::new()),
            _ => well(ask),
        };
        let shell = play(&small(), &script, Order::FirstIn);
        let asked: Vec<&Ask> =
            shell.asked.iter().filter(|ask| ask.job.as_str() == "design:quill-4").collect();
        assert_eq!(asked.len(), 1, "{}", asked.last().unwrap().text);
        let stored = shell.json("designs/quill-4.json");
        assert_eq!(stored["claims"].as_array().map_or(0, Vec::len), kept);
        assert!(stored.to_string().len() < 40_000);
    }
}
