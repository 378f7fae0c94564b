//! Runs with a rubric that a model drafts for the task.

use super::*;
use crate::design_lab::workflow::run_index::{GivenRubric, Purpose};
use crate::design_lab::workflow::{FollowUp, Wanted};

const TASK: &str = "--rubric Design a rate limiter for a public API";
const NAMES: [&str; 4] = ["failure_handling", "fairness", "operation", "cost_of_change"];

fn draft(names: &[&str]) -> String {
    let one = |(index, name): (usize, &&str)| {
        json!({
            "name": name, "description": format!("How is {name} handled here?"), "weight": 1 + index % 3,
            "low": "It isn't mentioned.", "middle": "It is mentioned.", "high": "It is worked out, with its limits.",
        })
    };
    json!({ "dimensions": names.iter().enumerate().map(one).collect::<Vec<_>>() }).to_string()
}

/// Every model does its work well, also by a drafted rubric: scores go by the names in the form.
fn well_by_rubric(ask: &Ask) -> Does {
    if ask.job.as_str() == "rubric" {
        return Does::Says(draft(&NAMES));
    }
    if !ask.text.contains("design_id: \"") {
        return well(ask);
    }
    let labels = labels_to_score(&ask.text);
    let form = ask.text.split("quantitative: {").nth(1).unwrap_or_default();
    let fields = form.split("overall").next().unwrap_or_default();
    let names: Vec<&str> = fields.split('"').skip(1).step_by(2).collect();
    let evaluations: Vec<Value> = labels
        .iter()
        .enumerate()
        .map(|(index, label)| {
            let mut quantitative = json!({"overall": 5, "justification": "because"});
            for (place, name) in names.iter().enumerate() {
                // Only the first dimension tells the designs apart.
                quantitative[*name] = json!(if place == 0 { 9.0 - 2.0 * index as f64 } else { 6.0 });
            }
            json!({
                "design_id": label,
                "qualitative": {"strengths": ["s"], "weaknesses": ["w"], "missing_considerations": [], "risk_assessment": "low"},
                "quantitative": quantitative,
            })
        })
        .collect();
    Does::Says(json!({ "evaluations": evaluations }).to_string())
}

fn begun<'a>(config: &Value, script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&beginning(config, TASK)).unwrap())));
    shell
}

/// A run that waits for the user's decision on its draft.
fn waiting<'a>(config: &Value, script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let mut shell = begun(config, script);
    assert_eq!(shell.finish(), Outcome::Waiting);
    shell
}

/// The live message on one line.
fn message(shell: &Shell<'_>) -> String {
    shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The hash in the command that approves the draft.
fn hash(shell: &Shell<'_>) -> String {
    let message = message(shell);
    message.split("--rubric ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned()
}

fn approval(hash: &str, text: &str) -> ResumeRequest {
    let rubric = Some(GivenRubric { hash: hash.to_owned(), text: Some(text.to_owned()) });
    ResumeRequest { rubric, ..ResumeRequest::parse("").unwrap() }
}

fn approved<'a>(shell: &Shell<'_>, text: &str, script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let request = approval(&hash_of(shell, text), text);
    let mut next = asked_to_go_on(&shell.journal, &config(), &request, script, Order::FirstIn);
    assert_eq!(next.finish(), Outcome::Complete);
    next
}

/// The hash of a file: the one that the refusal of a wrong hash shows.
fn hash_of(shell: &Shell<'_>, text: &str) -> String {
    let problem = events(&shell.run, &config(), &approval("00000000", text)).unwrap_err().remove(0);
    assert_eq!(problem.code, "run.rubric-changed");
    problem.allowed.unwrap()[..8].to_owned()
}

#[test]
fn one_call_drafts_the_rubric_and_the_run_waits() {
    let shell = waiting(&config(), &well_by_rubric);
    let asked: Vec<&str> = shell.asked.iter().map(|ask| ask.job.as_str()).collect();
    assert_eq!(asked, ["rubric"], "nothing else is paid for");
    assert_eq!(shell.asked[0].model, "z/judge", "the first review model");
    assert!(shell.asked[0].text.contains("Design a rate limiter for a public API"));
    assert_eq!(
        shell.run.summary().unwrap().directory.as_deref(),
        Some("2026-11-20-design-a-rate-limiter-for-a")
    );
    let mut written: Vec<&str> = shell.files.keys().map(String::as_str).collect();
    written.sort_unstable();
    assert_eq!(written, ["config.json", "rubric.jsonc", "task.json"]);
    insta::assert_snapshot!(
        "a_drafted_rubric",
        format!("{}\n\n{}", without_times(&shell.run.live_message(shell.now)), shell.files["rubric.jsonc"])
    );
    let for_model = shell.run.account(shell.now, Origin::Here);
    assert!(!for_model.contains("failure_handling") && for_model.contains("Drafted by"), "{for_model}");
}

#[test]
fn an_approved_rubric_is_what_every_reviewer_scores() {
    let before = waiting(&config(), &well_by_rubric);
    let text = before.files["rubric.jsonc"].clone();
    assert_eq!(hash(&before), hash_of(&before, &text), "the chat shows the hash of the file");
    let shell = approved(&before, &text, &well_by_rubric);
    let jobs: Vec<&str> = shell.asked.iter().map(|ask| ask.job.as_str()).collect();
    assert!(!jobs.contains(&"rubric") && !jobs.contains(&"topic"), "{jobs:?}");
    for ask in shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("review")) {
        assert!(ask.text.contains("cost_of_change") && !ask.text.contains("scalability"), "{}", ask.text);
    }
    let ranking = shell.json("results/ranking.json");
    let sentence = "rubric drafted by z/judge for this task, approved by you";
    assert_eq!(ranking["rubric"], json!({"origin": "task", "drafted_by": "z/judge", "sentence": sentence}));
    assert!(ranking["rankings"][0]["score_breakdown"]["fairness"]["mean"].is_number());
    assert!(shell.files["results/results.md"].contains(&format!("Judged by the {sentence}.")));
    assert!(shell.files["results/report.html"].contains(sentence));
    assert!(message(&shell).contains("Judged by"), "{}", message(&shell));
    assert_eq!(shell.json("config.json")["scoring_criteria"]["dimensions"][0]["name"], "failure_handling");
    // The file is the user's: a replay doesn't write it.
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert!(replayed.files().unwrap().iter().all(|(path, _)| path != "rubric.jsonc"));
    assert_eq!(serde_json::to_value(replayed.rank().unwrap()).unwrap(), ranking);

    let rubric = shell.run.summary().unwrap().own.past.rubric.unwrap();
    assert_eq!(rubric.spread[0], ("failure_handling".to_owned(), 1.0), "{rubric:?}");

    // The rubric belongs to the task: the configuration doesn't replace it.
    let OpeningInput { sources, files, available, .. } = beginning(&config(), "");
    let go_on = shell.run.resumption(&sources, &files, &available).unwrap();
    assert_eq!(go_on, EventKind::Resumed);
    let again = shell.run.rerank(&crate::design_lab::workflow::RerankInput {
        sources,
        files,
        available,
        forms: vec![],
    });
    assert!(again.is_ok(), "{again:?}");
    // A twin is recognised by the configuration, not by the rubric.
    let found =
        Found { name: "one".into(), summary: shell.run.summary(), problem: None, owner: Owner::Nobody };
    let twin = begin(&beginning(&config(), TASK)).unwrap();
    assert_eq!(refuse_twin(&twin, std::slice::from_ref(&found)).unwrap_err().code, "run.exists");
    assert!(
        refuse_twin(&opening(&config()), &[found]).is_ok(),
        "without a rubric of its own, it is another run"
    );
}

#[test]
fn what_the_user_edits_is_what_counts() {
    let before = waiting(&config(), &well_by_rubric);
    let text = before.files["rubric.jsonc"].replace("fairness", "fair_to_tenants");
    let old = hash(&before);
    let problem = events(&before.run, &config(), &approval(&old, &text)).unwrap_err().remove(0);
    assert_eq!((problem.code.as_str(), problem.found.as_deref()), ("run.rubric-changed", Some(old.as_str())));
    assert!(problem.next.unwrap().contains(&format!("--rubric {}", hash_of(&before, &text))));
    let shell = approved(&before, &text, &well_by_rubric);
    let rubric = &shell.json("results/ranking.json")["rubric"];
    assert!(rubric["sentence"].as_str().unwrap().ends_with("edited and approved by you"), "{rubric}");
    assert!(
        shell.json("results/ranking.json")["rankings"][0]["score_breakdown"]["fair_to_tenants"].is_object()
    );

    for (wrong, code) in [
        (text.replace("failure_handling", "overall"), "config.reserved-dimension"),
        (text.replace("\"5\"", "\"50\""), "config.misplaced-anchor"),
        ("{".to_owned(), "config.syntax"),
    ] {
        let problem = events(&before.run, &config(), &approval(&old, &wrong)).unwrap_err().remove(0);
        assert_eq!(problem.code, code);
        assert_eq!(
            problem.file.as_deref(),
            Some(".design-lab/2026-11-20-design-a-rate-limiter-for-a/rubric.jsonc")
        );
        assert!(problem.line.is_some(), "{problem:?}");
    }
    let missing = ResumeRequest {
        rubric: Some(GivenRubric { hash: old, text: None }),
        ..ResumeRequest::parse("").unwrap()
    };
    assert_eq!(events(&before.run, &config(), &missing).unwrap_err()[0].code, "run.no-rubric");
}

#[test]
fn without_approval_the_configured_rubric_counts() {
    let before = waiting(&config(), &well_by_rubric);
    let request = ResumeRequest::parse("").unwrap();
    let by_model = ResumeRequest { by_model: true, ..request.clone() };
    assert_eq!(events(&before.run, &config(), &by_model).unwrap_err()[0].code, "run.rubric-waits");
    let mut shell = asked_to_go_on(&before.journal, &config(), &request, &well_by_rubric, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["rubric"], json!({"origin": "default", "sentence": "default rubric"}));
    assert!(ranking["rankings"][0]["score_breakdown"]["clarity"].is_object());
    assert!(message(&shell).contains("You didn't approve the rubric"), "{}", message(&shell));
    assert!(shell.asked.iter().all(|ask| !ask.text.contains("cost_of_change")), "no reviewer sees the draft");
    let late = events(&shell.run, &config(), &approval("00000000", "{}")).unwrap_err().remove(0);
    assert_eq!(late.code, "run.no-rubric", "it has been decided");
}

#[test]
fn a_draft_that_fails_is_told_and_can_be_tried_again_or_left_out() {
    let broken = |ask: &Ask| match ask.job.as_str() {
        "rubric" => Does::Says(draft(&["too_few"])),
        _ => well_by_rubric(ask),
    };
    let before = waiting(&config(), &broken);
    assert_eq!(before.asked.len(), 3, "two repairs are allowed");
    assert!(before.asked[1].text.contains("4 to 7 dimensions"), "{}", before.asked[1].text);
    let told = message(&before);
    assert!(told.contains("z/judge failed to draft a rubric") && told.contains("--retry-failed"), "{told}");
    assert!(before.files.contains_key("rubric.rejected.txt") && !before.files.contains_key("rubric.jsonc"));
    let summary = before.run.summary().unwrap();
    assert!(summary.failed && summary.unfinished);

    let retry = ResumeRequest { purpose: Purpose::Retry, ..ResumeRequest::parse("").unwrap() };
    let mut again = asked_to_go_on(&before.journal, &config(), &retry, &well_by_rubric, Order::FirstIn);
    assert_eq!(again.finish(), Outcome::Waiting);
    assert!(message(&again).contains("--rubric "), "{}", message(&again));

    let go_on = ResumeRequest::parse("").unwrap();
    let mut without = asked_to_go_on(&before.journal, &config(), &go_on, &well_by_rubric, Order::FirstIn);
    assert_eq!(
        without.finish(),
        Outcome::Complete,
        "a rubric that the user continued without is not missing"
    );
    assert!(message(&without).contains("judge failed to draft a rubric for this task"));
}

#[test]
fn another_first_reviewer_drafts_only_what_is_still_to_be_drafted() {
    let broken = |ask: &Ask| match ask.job.as_str() {
        "rubric" if ask.model == "z/judge" => Does::Says("no".to_owned()),
        _ => well_by_rubric(ask),
    };
    let other = json!({"design_models": ["x/quill-4", "y/zeph-3"], "review_models": ["z/jury"]});
    let failed = waiting(&config(), &broken);
    let go_on = ResumeRequest::parse("").unwrap();
    let retry = ResumeRequest { purpose: Purpose::Retry, ..go_on.clone() };
    for (before, request, expected, drafters) in [
        (&failed, &retry, Outcome::Waiting, 1),
        (&failed, &go_on, Outcome::Complete, 0),
        (&waiting(&config(), &well_by_rubric), &go_on, Outcome::Complete, 0),
    ] {
        let mut shell = asked_to_go_on(&before.journal, &other, request, &broken, Order::FirstIn);
        assert_eq!(shell.finish(), expected);
        assert_eq!(shell.asked.iter().filter(|ask| ask.job.as_str() == "rubric").count(), drafters);
        let summary = shell.run.summary().unwrap();
        assert_eq!((summary.unfinished, summary.failed), (expected == Outcome::Waiting, false));
    }
    let mut people = other;
    people["review_models"] = json!(["human"]);
    let mut shell = begun(&config(), &well_by_rubric);
    shell.feed(EventKind::Cancelled { reason: "you asked".to_owned() });
    shell.finish();
    let mut alone = asked_to_go_on(&shell.journal, &people, &go_on, &well_by_rubric, Order::FirstIn);
    assert_eq!(alone.finish(), Outcome::Pending);
    assert!(alone.asked.iter().all(|ask| ask.job.as_str() != "rubric"));
}

#[test]
fn no_line_of_the_journal_is_one_after_which_a_draft_is_paid_twice() {
    let before = waiting(&config(), &well_by_rubric);
    for lines in 1..=before.journal.len() {
        let journal = &before.journal[..lines];
        let mut shell = Shell::resumed(journal, &well_by_rubric, Order::FirstIn, before.kept_by_the_host());
        let closed = lines == before.journal.len();
        let expected = if closed { Outcome::Complete } else { Outcome::Waiting };
        assert_eq!(shell.finish(), expected, "after line {lines}");
        let answered = testing::answered(journal).contains("rubric");
        let asked = shell.asked.iter().filter(|ask| ask.job.as_str() == "rubric").count();
        assert!(!answered || asked == 0, "after line {lines}");
        if !closed {
            assert_eq!(hash(&shell), hash(&before), "after line {lines}");
        }
    }
}

#[test]
fn a_draft_names_no_model_and_no_vendor() {
    let naming = |ask: &Ask| match ask.job.as_str() {
        "rubric" if ask.text.contains("names a model") => Does::Says(draft(&NAMES)),
        "rubric" => Does::Says(draft(&NAMES).replace("It is mentioned.", "As good as quill-4 would do it.")),
        _ => well_by_rubric(ask),
    };
    assert_eq!(waiting(&config(), &naming).asked.len(), 2);
}

#[test]
fn only_models_draft_and_only_new_runs_do() {
    let mut people = config();
    people["review_models"] = json!(["human"]);
    let problems = begin(&beginning(&people, TASK)).unwrap_err();
    assert_eq!(problems[0].code, "command.no-drafter");

    let parse = |text: &str| ResumeRequest::parse(text).map_err(|problem| problem.code.as_str().to_owned());
    let given = parse("cache --rubric 3fa91c02").unwrap();
    assert_eq!((given.run.as_str(), given.rubric.unwrap().hash.as_str()), ("cache", "3fa91c02"));
    assert_eq!(parse("--rubric"), Err("command.missing-value".to_owned()));
    assert_eq!(parse("--rubric 3fa91c02 --retry-failed"), Err("command.unknown-option".to_owned()));
    assert_eq!(parse("--retry-failed --rubric 3fa91c02"), Err("command.unknown-option".to_owned()));
}

#[test]
fn a_run_cannot_be_made_to_approve_what_nobody_drafted() {
    use crate::design_lab::workflow::{Decision, TaskRubric};
    let before = waiting(&config(), &well_by_rubric);
    let text = before.files["rubric.jsonc"].clone();
    let [EventKind::Decided(Decision::RubricApproved(rubric)), _] =
        &events(&before.run, &config(), &approval(&hash(&before), &text)).unwrap()[..]
    else {
        panic!("an approval and a resumption")
    };
    let refused = |run: &Run, rubric: TaskRubric| {
        let event = Event { at: 9_000_000, kind: EventKind::Decided(Decision::RubricApproved(rubric)) };
        run.clone().apply(&run.seal(&event)).is_err()
    };
    assert!(!refused(&before.run, rubric.clone()));
    assert!(refused(&before.run, TaskRubric { drafted_by: "z/jury".into(), ..rubric.clone() }));
    assert!(refused(&before.run, TaskRubric { dimensions: Vec::new(), ..rubric.clone() }));
    assert!(refused(&play(&config(), &well, Order::FirstIn).run, rubric.clone()));
}

#[test]
fn reviews_by_a_drafted_rubric_are_a_run_of_their_own() {
    let first = play(&config(), &well, Order::FirstIn);
    let wanted = crate::design_lab::workflow::wanted(FollowUp::Review, "--rubric").unwrap();
    let opening =
        first.run.follow_up(FollowUp::Review, &wanted, &beginning(&config(), ""), Origin::Here).unwrap();
    let mut before = Shell::new(&well_by_rubric, Order::FirstIn);
    before.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(before.finish(), Outcome::Waiting);
    assert_eq!(before.asked.len(), 1);
    assert!(!before.asked[0].text.contains("Plan "), "the drafter doesn't see the designs");
    let text = before.files["rubric.jsonc"].clone();
    let shell = approved(&before, &text, &well_by_rubric);
    assert!(shell.asked.iter().all(|ask| ask.job.as_str().starts_with("review")));
    assert_eq!(shell.json("results/ranking.json")["rubric"]["origin"], "task");

    // What is built upon it is judged alike.
    let refined = shell
        .run
        .follow_up(
            FollowUp::Refine,
            &Wanted { rounds: 1, ..Wanted::default() },
            &beginning(&config(), ""),
            Origin::Here,
        )
        .unwrap();
    assert_eq!(refined.config.scoring_criteria.dimensions[1].name, "fairness");
    assert_eq!(refined.rubric.unwrap().drafted_by, "z/judge");
    let another = first
        .run
        .follow_up(FollowUp::Review, &Wanted::default(), &beginning(&config(), ""), Origin::Here)
        .unwrap();
    assert!(another.rubric.is_none() && !another.drafts_rubric);
}

#[test]
fn a_rubric_that_was_approved_on_another_machine_is_nowhere_said_to_be_approved_by_you() {
    let before = waiting(&config(), &well_by_rubric);
    let theirs = approved(&before, &before.files["rubric.jsonc"], &well_by_rubric);
    let mut adopted = Shell::of(&theirs.journal, &well_by_rubric, Order::FirstIn);
    adopted.feed(EventKind::Adopted { voids: true });
    let wanted = Wanted::default();
    for (run, origin, whose) in [
        (&theirs.run, Origin::Here, "approved by you"),
        (&theirs.run, Origin::Elsewhere, "approved on another machine"),
        (&theirs.run, Origin::Unmarked, "approved on another machine"),
        (&adopted.run, Origin::Here, "approved on another machine"),
    ] {
        let opening = run.follow_up(FollowUp::Review, &wanted, &beginning(&config(), ""), origin).unwrap();
        let mut later = Shell::new(&well_by_rubric, Order::FirstIn);
        later.feed(EventKind::Opened(Box::new(opening)));
        later.finish();
        let sentence = later.json("results/ranking.json")["rubric"]["sentence"].to_string();
        assert!(sentence.contains(whose), "{origin:?}: {sentence}");
        // It stays so in what builds on that.
        let opening =
            later.run.follow_up(FollowUp::Review, &wanted, &beginning(&config(), ""), Origin::Here).unwrap();
        assert_eq!(opening.rubric.unwrap().elsewhere, whose.ends_with("machine"));
        assert_eq!(later.journal[0].contains("\"elsewhere\""), whose.ends_with("machine"));
        let mut found = forecast::found("2026-11-20-a", &theirs);
        found.summary.as_mut().unwrap().origin = origin;
        let status = run.status(&found, theirs.now, Reader::Person);
        let status = status.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(status.contains(&format!("for this task, {whose}.")), "{origin:?}: {status}");
        assert_replays(&later);
    }
}

#[test]
fn pairs_are_compared_by_the_approved_rubric() {
    let mut pairwise = config();
    pairwise["review"] = json!({"mode": "pairwise"});
    let compare = |ask: &Ask| {
        if !ask.text.contains("preferred: ") {
            return well_by_rubric(ask);
        }
        assert!(ask.text.contains("\"fairness\":") && ask.text.contains("failure_handling 1, fairness 2"));
        Does::Says(json!({"preferred": "tie", "justification": "both do", "dimensions": {}}).to_string())
    };
    let before = waiting(&pairwise, &compare);
    let request = approval(&hash(&before), &before.files["rubric.jsonc"]);
    let mut shell = asked_to_go_on(&before.journal, &pairwise, &request, &compare, Order::FirstIn);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert_eq!(shell.json("results/ranking.json")["rubric"]["origin"], "task");
    assert!(shell.run.summary().unwrap().own.past.rubric.is_none(), "there are no scores");
}
