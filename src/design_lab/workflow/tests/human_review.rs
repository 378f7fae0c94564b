//! People among the reviewers, and ranking again.

use super::reconfigured::taken_over;
use super::{
    Does, Order, Shell, assert_replays, beginning, config, labels_to_score, play, scores, undecided, well,
    without_times,
};
use crate::design_lab::workflow::{
    Ask, FollowUp, HumanReviewForm, HumanReviewRequest, RerankInput, Run, Wanted,
};
use crate::design_lab::workflow::{EventKind, JobId, Outcome};
use crate::shared::named_text::NamedText;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::run::Durable as _;
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Journals a person's form as the shell does, and returns it.
fn give_form(shell: &mut Shell<'_>, name: &str) -> HumanReviewForm {
    let form = shell.run.form(name).unwrap();
    if let Some(event) = form.event.clone() {
        shell.feed(event);
    }
    form
}

fn empty(form: &HumanReviewForm) -> NamedText {
    let (name, text) = form.files[1].clone();
    NamedText { name, text }
}

/// The form filled in with these scores of the designs, by the labels that the journal has for them.
pub(super) fn filled(
    shell: &Shell<'_>,
    form: &HumanReviewForm,
    score: impl Fn(&str, &str) -> Option<f64>,
) -> NamedText {
    let shown = &shell.run.state().unwrap().presented[&JobId::new(format!("human:{}", form.reviewer))];
    let mut filled = empty(form);
    let lines = filled.text.lines().map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let place = shown.labels.iter().position(|label| label.as_str() == fields[0]);
        let score = place.and_then(|place| score(&shown.order[place], fields[1]));
        score.map_or_else(
            || line.to_owned(),
            |score| format!("{},{},{score},\"on {}, really\"", fields[0], fields[1], fields[1]),
        )
    });
    filled.text = lines.collect::<Vec<_>>().join("\r\n");
    filled
}

fn recounting(config: &Value, forms: &[NamedText]) -> RerankInput {
    let given = beginning(config, "");
    RerankInput {
        sources: given.sources,
        files: given.files,
        available: given.available,
        forms: forms.to_vec(),
    }
}

/// Ranks again as the shell does, a while later.
pub(super) fn rerank(shell: &mut Shell<'_>, config: &Value, forms: &[NamedText]) -> Result<(), Vec<Problem>> {
    let event = shell.run.rerank(&recounting(config, forms))?;
    shell.now += 3_600_000;
    shell.ending = None;
    shell.feed(event);
    assert_eq!(shell.ending.as_ref().unwrap().1, "", "no model gets a report");
    Ok(())
}

fn codes(result: Result<(), Vec<Problem>>) -> Vec<String> {
    result.unwrap_err().into_iter().map(|problem| problem.code.to_string()).collect()
}

/// The scores of a person who likes short ids.
pub(super) fn taste(design: &str) -> f64 {
    10.0 - design.len() as f64
}

/// Has a person score the designs by taste, and ranks again.
pub(super) fn scored_by_ada(shell: &mut Shell<'_>) -> [NamedText; 1] {
    let form = give_form(shell, "ada");
    let forms = [filled(shell, &form, |design, _| Some(taste(design)))];
    rerank(shell, &config(), &forms).unwrap();
    forms
}

#[test]
fn a_form_is_blind_and_the_same_again() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let (asked, before) = (shell.asked.len(), shell.files.clone());
    let form = give_form(&mut shell, " Ada Lovelace ");
    assert_eq!(form.reviewer, "ada-lovelace");
    let [(_, text), (_, filled), (_, page)] = &form.files[..] else { panic!("three files") };
    insta::assert_snapshot!("form", format!("{text}\n=======\n\n{}", filled.replace("\r\n", "\n")));
    for name in ["quill", "brisk", "zeph", "judge", "x/"] {
        for file in [text, filled, page] {
            // A colour scheme and a script have their own names.
            let body = file.split("<body>").last().unwrap().split("<script>").next().unwrap();
            assert!(!body.contains(name), "{name} is told");
        }
    }
    let again = give_form(&mut shell, "ada lovelace");
    assert_eq!(again, HumanReviewForm { event: None, ..form.clone() });
    let other = give_form(&mut shell, "Grace");
    let state = shell.run.state().unwrap();
    let shown: Vec<_> = state.presented.values().collect();
    assert_eq!(shown.len(), 4, "two models and two people");
    for (index, one) in shown.iter().enumerate() {
        for later in &shown[index + 1..] {
            assert!(
                one.labels.iter().all(|label| !later.labels.contains(label)),
                "labels are each one's own"
            );
        }
    }
    assert_ne!(filled, &other.files[1].1);
    assert_eq!(shell.asked.len(), asked);
    assert_eq!(
        shell.run.files().unwrap().into_iter().collect::<BTreeMap<_, _>>(),
        before,
        "a form is none of the run's files"
    );
    let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
    assert_eq!(replayed.form("ada-lovelace"), Ok(again));
    assert!(!replayed.summary().unwrap().unfinished);
}

#[test]
fn a_form_is_refused_where_it_can_not_be() {
    let shell = play(&config(), &well, Order::FirstIn);
    let code = |run: &Run, name: &str| run.form(name).unwrap_err().code;
    assert_eq!(code(&shell.run, "Judge"), "form.name-taken");
    assert_eq!(code(&shell.run, "quill 4"), "form.name-taken");
    assert_eq!(code(&shell.run, "日本"), "form.name");
    assert_eq!(code(&shell.run, ""), "form.name");
    let unfinished = Run::replay(&shell.journal[..5].concat()).unwrap().0;
    assert_eq!(code(&unfinished, "ada"), "run.unfinished");
    assert_eq!(unfinished.rerank(&recounting(&config(), &[])).unwrap_err()[0].code, "run.unfinished");
}

#[test]
fn a_run_without_a_ranking_is_ranked_by_people_and_continues_with_its_models() {
    let config =
        json!({"design_models": ["x/quill-4", "x/brisk-10", "y/zeph-3"], "review_models": ["z/judge"]});
    let unlucky = |ask: &Ask| {
        if ask.job.as_str().starts_with("review:") {
            Does::Fails("ProviderAuthError", Some(401))
        } else {
            well(ask)
        }
    };
    // A run that failed, and one that was cancelled while its reviewer was reading.
    let failed = play(&config, &unlucky, Order::FirstIn);
    let begun = play(&config, &well, Order::FirstIn);
    let asked =
        begun.journal.iter().position(|line| line.contains("session_opened") && line.contains("review:"));
    let mut cancelled = Shell::new(&well, Order::FirstIn);
    cancelled.journal = begun.journal[..=asked.unwrap()].to_vec();
    cancelled.run = Run::replay(&cancelled.journal.concat()).unwrap().0;
    cancelled.now = cancelled.run.summary().unwrap().at;
    cancelled.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    for (mut shell, outcome) in [(failed, Outcome::Stopped), (cancelled, Outcome::Cancelled)] {
        assert_eq!(shell.ending.as_ref().unwrap().0, outcome);
        let nothing = shell.run.rerank(&recounting(&config, &[])).unwrap_err().remove(0);
        assert_eq!(nothing.code, "run.not-ranked");
        assert!(nothing.next.unwrap().contains("/design-lab-review --human NAME"));

        let form = give_form(&mut shell, "ada");
        assert!(shell.run.summary().unwrap().own.forms);
        let unfilled = shell.run.rerank(&recounting(&config, &[empty(&form)])).unwrap_err().remove(0);
        assert_eq!(unfilled.found.as_deref(), Some("human/ada.csv has no score yet: ada is not counted."));
        let asked = shell.asked.len();
        let filled = filled(&shell, &form, |design, _| Some(taste(design)));
        rerank(&mut shell, &config, &[filled]).unwrap();
        assert_eq!((shell.asked.len(), shell.ending.as_ref().unwrap().0), (asked, Outcome::Partial));
        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranking["verdict"]["kind"], "insufficient");
        assert_eq!(ranking["metadata"]["partial"], true);
        assert_eq!(ranking["rankings"][0]["design_id"], "zeph-3");
        let message = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            message.contains("Ranked by people alone: no model has reviewed these designs."),
            "{message}"
        );
        let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
        assert_eq!(replayed.files(), shell.run.files());
        let summary = replayed.summary().unwrap();
        assert!(summary.unfinished || summary.failed, "its reviewer can be asked still");

        let mut resumed = taken_over(&shell.journal, &config, &well, Order::FirstIn);
        assert_eq!(resumed.finish(), Outcome::Complete);
        let table = &resumed.files["results/scores.csv"];
        assert!(table.contains(",ada,") && table.contains(",judge,"), "{table}");
        assert!(!resumed.files["results/results.md"].contains("people alone"));
        assert!(!resumed.run.summary().unwrap().unfinished);
    }
}

#[test]
fn what_people_wrote_is_on_the_page_and_goes_to_the_author() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    scored_by_ada(&mut shell);
    for file in ["results/report.html", "results/results.md"] {
        assert!(shell.files[file].contains("ada on clarity: on clarity, really"), "{file}");
    }
    let given = beginning(&config(), "");
    let opening = shell.run.follow_up(
        FollowUp::Refine,
        &Wanted { rounds: 1, ..Wanted::default() },
        &given,
        Origin::Here,
    );
    let parent = opening.unwrap().parent.unwrap();
    for design in &parent.designs {
        let said = &design.feedback.justifications;
        assert!(said.contains(&"On clarity: on clarity, really".to_owned()), "{said:?}");
        assert!(!said.iter().any(|text| text.contains("ada")), "{said:?}");
    }
}

#[test]
fn a_person_counts_like_any_other_reviewer() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let asked = shell.asked.len();
    let elapsed = shell.run.live_message(shell.now);
    let forms = scored_by_ada(&mut shell);
    assert_eq!(shell.asked.len(), asked, "no model is called");
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);

    let table = &shell.files["results/scores.csv"];
    assert!(
        table.contains("quill-4,ada,1,clarity,3\r\n") && table.contains("zeph-3,ada,1,completeness,4\r\n"),
        "{table}"
    );
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["total_reviewers"], 3);
    let agreement = &ranking["agreement"]["humans"]["ada"];
    assert_eq!((agreement["designs"].as_u64(), agreement["models"].as_u64()), (Some(3), Some(2)));
    assert!(agreement["kendall_tau_b"].is_number());
    let report = &shell.files["results/results.md"];
    for part in [
        "| ada (person) |",
        "### People and models",
        "ada on clarity: on clarity, really",
        agreement["sentence"].as_str().unwrap(),
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let spent = |message: &str| message.lines().next().unwrap().to_owned();
    let message = shell.run.live_message(shell.now);
    assert_eq!(spent(&message), spent(&elapsed), "no time passes for a run that is over");
    assert!(message.contains("Person    ada: "), "{message}");

    let replayed = assert_replays(&shell);
    assert!(!replayed.summary().unwrap().unfinished);

    let before = shell.files.clone();
    rerank(&mut shell, &config(), &forms).unwrap();
    for (path, text) in &shell.files {
        assert_eq!(without_times(text), without_times(&before[path]), "{path}: only times have changed");
    }
    // Without the form, the person is not counted, and the report says so.
    rerank(&mut shell, &config(), &[]).unwrap();
    assert!(!shell.files["results/scores.csv"].contains("ada"));
    assert!(shell.files["results/results.md"].contains("human/ada.csv doesn't exist: ada is not counted."));
}

#[test]
fn a_crash_between_journal_and_files_is_fixed_by_resuming_and_by_ranking_again() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let forms = scored_by_ada(&mut shell);
    let expected = shell.files.clone();
    let journal = shell.journal[..shell.journal.len() - 1].concat();
    assert!(shell.journal.last().unwrap().contains("closed"));
    let (run, _) = Run::replay(&journal).unwrap();
    assert!(run.summary().unwrap().unfinished, "its files may be missing");
    assert_eq!(run.files().unwrap().into_iter().collect::<BTreeMap<_, _>>(), expected);
    for ranked in [false, true] {
        let mut later = Shell::new(&well, Order::FirstIn);
        later.run = Run::replay(&journal).unwrap().0;
        later.now = shell.now + 86_400_000;
        later.files.clone_from(&expected);
        if ranked {
            rerank(&mut later, &config(), &forms).unwrap();
        } else {
            later.feed(EventKind::Resumed);
        }
        assert!(later.asked.is_empty());
        assert!(!later.run.summary().unwrap().unfinished);
        for (path, text) in &later.files {
            assert_eq!(without_times(text), without_times(&expected[path]), "{path}");
        }
    }
}

#[test]
fn today_s_weights_and_exclusions_count_and_another_rubric_does_not() {
    // Each reviewer puts its own design first; the judge prefers clarity, the jury feasibility.
    let mut given = config();
    given["review_models"] = json!(["x/quill-4", "x/brisk-10", "z/judge"]);
    let dimensions = |clarity: f64, max: f64| {
        json!({"dimensions": [
            {"name": "clarity", "description": "d", "weight": clarity},
            {"name": "feasibility", "description": "d", "max": max},
        ]})
    };
    given["scoring_criteria"] = dimensions(1.0, 10.0);
    let script = |ask: &Ask| {
        if !ask.text.contains("design_id: \"") {
            return well(ask);
        }
        let labels = labels_to_score(&ask.text);
        let mut reply: Value = serde_json::from_str(&scores(&labels, |_| 5.0)).unwrap();
        for (index, evaluation) in reply["evaluations"].as_array_mut().unwrap().iter_mut().enumerate() {
            evaluation["quantitative"]["clarity"] = json!(index * 3);
            evaluation["quantitative"]["feasibility"] = json!(6 - index);
        }
        Does::Says(reply.to_string())
    };
    let mut shell = play(&given, &script, Order::FirstIn);
    let average = |shell: &Shell<'_>, design: &str| {
        let ranking = shell.json("results/ranking.json");
        let rows = ranking["rankings"].as_array().unwrap().clone();
        rows.iter().find(|row| row["design_id"] == design).unwrap()["average_score"].as_f64().unwrap()
    };
    let before = average(&shell, "zeph-3");
    let journal = shell.journal.len();
    given["scoring_criteria"] = dimensions(3.0, 10.0);
    given["review"] = json!({"exclude_self": false});
    rerank(&mut shell, &given, &[]).unwrap();
    assert_eq!(shell.journal.len(), journal + 2, "one event, and that it is done");
    let after = average(&shell, "zeph-3");
    assert!((before - after).abs() > 0.1, "{before} and {after}");
    assert_eq!(shell.json("results/ranking.json")["metadata"]["self_reviews_excluded"], 0);
    let stored = shell.json("config.json");
    assert_eq!(stored["scoring_criteria"]["dimensions"][0]["weight"], 3.0);
    assert_eq!(stored["review"]["exclude_self"], false);

    given["scoring_criteria"] = dimensions(3.0, 5.0);
    let problem = shell.run.rerank(&recounting(&given, &[])).unwrap_err().remove(0);
    assert_eq!(problem.code, "rank.other-rubric");
    assert!(problem.next.unwrap().contains("/design-lab-review 2026-11-20-rate-limiter"));
    given["scoring_criteria"] = json!({});
    assert_eq!(codes(rerank(&mut shell, &given, &[])), ["rank.other-rubric"]);
    given["scoring_criteria"] = json!({"dimension": []});
    assert_eq!(codes(rerank(&mut shell, &given, &[])), ["config.unknown-key"]);
}

#[test]
fn what_a_form_lacks_is_said_and_what_is_whole_counts() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let forms: Vec<HumanReviewForm> =
        ["ada", "bob", "cyd"].iter().map(|name| give_form(&mut shell, name)).collect();
    let half = filled(&shell, &forms[0], |design, dimension| {
        (design != "zeph-3" || dimension != "clarity").then_some(5.0)
    });
    let label = |form: &HumanReviewForm, design: &str| {
        let shown = &shell.run.state().unwrap().presented[&JobId::new(format!("human:{}", form.reviewer))];
        shown.labels[shown.order.iter().position(|id| id == design).unwrap()].as_str().to_owned()
    };
    let one = filled(&shell, &forms[2], |design, dimension| {
        (design == "zeph-3" && dimension == "clarity").then_some(5.0)
    });
    let (lacking, begun) = (label(&forms[0], "zeph-3"), label(&forms[2], "zeph-3"));
    rerank(&mut shell, &config(), &[half, empty(&forms[1]), one]).unwrap();
    let table = &shell.files["results/scores.csv"];
    assert!(table.contains("quill-4,ada,1") && !table.contains("zeph-3,ada"), "{table}");
    assert!(!table.contains("bob") && !table.contains("cyd"));
    let report = &shell.files["results/results.md"];
    for note in [
        format!("human/ada.csv lacks scores for {lacking} (clarity): ada counts for the other designs."),
        "human/bob.csv has no score yet: bob is not counted.".to_owned(),
        "human/cyd.csv scores no design on every dimension (missing: ".to_owned(),
        format!("{begun} (feasibility, scalability, maintainability, completeness)"),
    ] {
        assert!(report.contains(&note), "{note}: {report}");
    }
    let agreement = &shell.json("results/ranking.json")["agreement"]["humans"];
    assert_eq!(agreement["ada"]["kendall_tau_b"], Value::Null);
    assert!(agreement["ada"]["reasons"]["kendall_tau_b"].as_str().unwrap().contains("the same score"));
    assert_eq!(agreement.as_object().unwrap().len(), 1);
}

#[test]
fn faults_in_forms_name_file_and_place_and_nothing_is_journaled() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    let form = give_form(&mut shell, "ada");
    let lines = shell.journal.len();
    let mut wrong = filled(&shell, &form, |_, _| Some(11.0));
    wrong.text = wrong.text.lines().take(2).collect::<Vec<_>>().join("\n");
    let stranger = NamedText { name: "human/eve.csv".to_owned(), text: String::new() };
    let problems = shell.run.rerank(&recounting(&config(), &[wrong, stranger])).unwrap_err();
    let [unknown, bounds] = &problems[..] else { panic!("{problems:?}") };
    assert_eq!((unknown.code.as_str(), unknown.file.as_deref()), ("form.unknown", Some("human/eve.csv")));
    assert_eq!(unknown.allowed.as_deref(), Some("human/ada.csv"));
    assert_eq!((bounds.code.as_str(), bounds.file.as_deref()), ("form.out-of-bounds", Some("human/ada.csv")));
    assert_eq!(bounds.line, Some(2));
    assert_eq!(shell.journal.len(), lines);
}

#[test]
fn people_stay_when_a_missing_review_comes_later() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "review:jury:1" => Does::Fails("ProviderAuthError", Some(401)),
        _ => well(ask),
    };
    let mut shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
    scored_by_ada(&mut shell);
    let mut later = Shell::new(&well, Order::FirstIn);
    later.run = Run::replay(&shell.journal.concat()).unwrap().0;
    later.now = shell.now + 1_000;
    later.sessions = 1_000;
    later.feed(EventKind::Resumed);
    assert_eq!(later.finish(), Outcome::Complete);
    assert_eq!(later.json("results/ranking.json")["metadata"]["total_reviewers"], 3);
    assert!(later.files["results/scores.csv"].contains(",ada,"));
}

#[test]
fn people_s_scores_leave_with_what_they_scored_and_that_is_stated() {
    let mut shell = play(&config(), &well, Order::FirstIn);
    scored_by_ada(&mut shell);
    let mut changed = config();
    changed["design_models"] = json!(["x/quill-4", "y/zeph-3"]);
    let second = taken_over(&shell.journal, &changed, &well, Order::FirstIn);
    let message = second.run.live_message(second.now).split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "The scores of ada no longer count either, because the designs have changed; the form stays \
                in \
                human/.";
    assert!(message.contains(said), "{message}");
    assert!(second.run.state().unwrap().humans.is_empty());
    assert!(second.files["former/1/results/scores.csv"].contains(",ada,"));
    let mut weights = config();
    weights["budget"] = json!({"max_cost_usd": 99});
    let mut third = taken_over(&shell.journal, &weights, &well, Order::FirstIn);
    assert_eq!(third.finish(), Outcome::Complete);
    assert!(
        third.files["results/scores.csv"].contains(",ada,"),
        "they stay where nothing they saw has changed"
    );
}

fn pairwise() -> Value {
    let mut given = config();
    given["review"] = json!({"mode": "pairwise"});
    given
}

/// A form for pairs with the verdict of a person who likes short ids, in every row that `is_filled` accepts.
fn compared(shell: &Shell<'_>, form: &HumanReviewForm, is_filled: impl Fn(usize) -> bool) -> NamedText {
    let shown = &shell.run.state().unwrap().presented[&JobId::new(format!("human:{}", form.reviewer))];
    let mut filled = empty(form);
    let length = |label: &str| {
        shown.labels.iter().position(|known| known.as_str() == label).map(|place| shown.order[place].len())
    };
    let lines = filled.text.lines().enumerate().map(|(row, line)| {
        let fields: Vec<&str> = line.split(',').collect();
        match (length(fields[1]), length(fields[2])) {
            (Some(one), Some(other)) if is_filled(row) => {
                let verdict = match one.cmp(&other) {
                    Ordering::Less => "first",
                    Ordering::Greater => fields[2],
                    Ordering::Equal => "tie",
                };
                format!(
                    "{},{},{},{verdict},\"{} is what I take\"",
                    fields[0], fields[1], fields[2], fields[1]
                )
            }
            _ => line.to_owned(),
        }
    });
    filled.text = lines.collect::<Vec<_>>().join("\r\n");
    filled
}

#[test]
fn a_pairwise_run_is_ranked_again_with_what_a_person_thought_about_pairs() {
    let mut given = pairwise();
    let mut shell = play(&given, &undecided, Order::FirstIn);
    let before = shell.files.clone();
    given["scoring_criteria"] = json!({"dimensions": [{"name": "other", "description": "d"}]});
    rerank(&mut shell, &given, &[]).unwrap();
    assert!(before.contains_key("results/comparisons.csv"));
    for (path, text) in &shell.files {
        assert_eq!(without_times(text), without_times(&before[path]), "{path}");
    }

    let form = give_form(&mut shell, "ada");
    insta::assert_snapshot!("form-pairs", form.files[0].1);
    assert_eq!(form.files[1].1.lines().count(), 1 + 3, "each pair once: {}", form.files[1].1);
    let unfilled = rerank(&mut shell, &given, &[empty(&form)]);
    assert_eq!(unfilled, Ok(()), "the models' verdicts are there");
    assert!(
        shell.files["results/results.md"].contains("human/ada.csv has no verdict yet: ada is not counted.")
    );
    let [some, all] = [compared(&shell, &form, |row| row == 1), compared(&shell, &form, |_| true)];
    rerank(&mut shell, &given, &[some]).unwrap();
    let lacks = "human/ada.csv lacks verdicts on the pairs 2, 3: ada counts for the others.";
    assert!(shell.files["results/results.md"].contains(lacks));

    rerank(&mut shell, &given, &[all]).unwrap();
    let table = &shell.files["results/comparisons.csv"];
    assert_eq!(table.matches(",ada,").count() + table.matches("\nada,").count(), 3, "{table}");
    let ranking = shell.json("results/ranking.json");
    assert_eq!(ranking["metadata"]["total_reviewers"], 3);
    assert_eq!(ranking["agreement"]["humans"]["ada"]["designs"], 3);
    assert_eq!(
        ranking["rankings"][0]["design_id"], "zeph-3",
        "the models see no difference, the person does"
    );
    assert!(shell.files["results/report.html"].contains("is what I take"));
    assert_replays(&shell);
    let stranger =
        NamedText { name: form.files[1].0.clone(), text: "first,second,verdict\na,b,tie\n".to_owned() };
    assert_eq!(codes(rerank(&mut shell, &given, &[stranger])), ["form.unknown-pair"]);
}

pub(super) fn with_people(reviewers: &Value) -> Value {
    let mut given = config();
    given["review_models"] = reviewers.clone();
    given
}

/// The form that a run wrote on its own.
pub(super) fn written(shell: &Shell<'_>, person: &str) -> HumanReviewForm {
    let form = shell.run.form(person).unwrap();
    assert_eq!(form.event, None, "the journal has it");
    for (path, text) in &form.files {
        assert_eq!(shell.files.get(path), Some(text), "{path}");
    }
    form
}

#[test]
fn a_run_that_people_alone_review_waits_for_them_and_is_ranked_by_them() {
    for (mode, reviewers) in [
        ("scores", json!(["human", {"id": "bob", "model_id": "human"}])),
        ("pairwise", json!([{"name": "Human", "model_id": "human"}, {"id": "bob", "model_id": "human"}])),
    ] {
        let mut given = with_people(&reviewers);
        given["review"] = json!({"mode": mode});
        let mut shell = play(&given, &well, Order::FirstIn);
        assert_eq!(shell.asked.len(), 1 + 3, "a name and three designs: nobody else is called");
        assert_eq!(shell.ending, Some((Outcome::Pending, String::new())));
        let message = shell.run.live_message(shell.now).split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "Design Lab · waiting for people",
            "People review this run: human by .design-lab/2026-11-20-rate-limiter/human/human.html, bob by",
            "/design-lab-rank 2026-11-20-rate-limiter ranks the designs with the forms",
        ] {
            assert!(message.contains(part), "{mode}, {part}: {message}");
        }
        let forms = ["human", "bob"].map(|person| written(&shell, person));
        let addressed = shell.run.live_message_at(shell.now, "file:///r", &[]);
        assert!(addressed.ends_with("\n\nfile:///r/human/human.html"), "{addressed}");
        let stored = shell.json("config.json");
        assert_eq!(stored["review_models"][1], json!({"id": "bob", "model_id": "human"}), "as a file has it");
        assert_eq!(stored.get("people"), None);

        // Wherever a process ends, the resumed run ends the same, and filled-in forms stay.
        for lines in 1..=shell.journal.len() {
            let mut resumed = taken_over(&shell.journal[..lines], &given, &well, Order::FirstIn);
            resumed.files.insert("human/bob.csv".to_owned(), "filled in".to_owned());
            assert_eq!(resumed.finish(), Outcome::Pending, "after line {lines}");
            assert_eq!(resumed.files["human/bob.csv"], "filled in");
            assert!(resumed.files.contains_key("human/human.html"), "after line {lines}");
        }

        let nothing =
            shell.run.rerank(&recounting(&given, &forms.clone().map(|form| empty(&form)))).unwrap_err();
        assert_eq!(nothing[0].code, "run.not-ranked");
        assert!(nothing[0].next.as_ref().unwrap().contains("Fill in a form"), "{nothing:?}");
        let fill = |shell: &Shell<'_>, form: &HumanReviewForm| match mode {
            "scores" => filled(shell, form, |design, _| Some(taste(design))),
            _ => compared(shell, form, |_| true),
        };
        let one = fill(&shell, &forms[0]);
        rerank(&mut shell, &given, std::slice::from_ref(&one)).unwrap();
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial, "bob's is open");
        let both = [one, fill(&shell, &forms[1])];
        rerank(&mut shell, &given, &both).unwrap();
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
        let ranking = shell.json("results/ranking.json");
        assert_eq!(ranking["rankings"][0]["design_id"], "zeph-3");
        assert_eq!(
            (&ranking["metadata"]["partial"], &ranking["metadata"]["total_reviewers"]),
            (&json!(false), &json!(2))
        );
        let report = &shell.files["results/results.md"];
        assert!(report.contains("Ranked by people alone") && !report.contains("asks the models"), "{report}");
        assert!(!report.contains("People review this run"), "nobody is waited for");
        assert!(!shell.run.summary().unwrap().unfinished);
        let replayed = Run::replay(&shell.journal.concat()).unwrap().0;
        assert_eq!(replayed.files(), shell.run.files());
    }
}

#[test]
fn beside_models_a_person_is_awaited_and_the_models_rank() {
    let given = with_people(&json!(["z/judge", {"id": "ada", "model_id": "human"}, "z/jury"]));
    let mut shell = play(&given, &well, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_eq!(shell.asked.len(), play(&config(), &well, Order::FirstIn).asked.len());
    let form = written(&shell, "ada");
    let open = "People review this run: ada by .design-lab/2026-11-20-rate-limiter/human/ada.html.";
    let said = |shell: &Shell<'_>| shell.files["results/results.md"].contains(open);
    assert!(said(&shell));
    let filled = filled(&shell, &form, |design, _| Some(taste(design)));
    rerank(&mut shell, &given, &[filled]).unwrap();
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert!(!said(&shell) && shell.files["results/scores.csv"].contains(",ada,"));

    // If there is no model of that name, the problem shows its place in the file, counting people.
    let mut unknown = given.clone();
    unknown["review_models"][2] = json!("z/nobody");
    let problems = crate::design_lab::workflow::begin(&beginning(&unknown, "Design it")).unwrap_err();
    assert_eq!(problems[0].pointer.as_deref(), Some("/review_models/2/model_id"));
}

#[test]
fn other_designs_get_other_forms_under_other_labels() {
    let mut given = with_people(&json!(["human", "z/judge", "z/jury"]));
    let shell = play(&given, &well, Order::FirstIn);
    let old = written(&shell, "human");
    given["design_models"] = json!(["x/quill-4", "x/brisk-10", "z/jury"]);
    given["review_models"] = json!(["human", "z/judge"]);
    let mut second = taken_over(&shell.journal, &given, &well, Order::FirstIn);
    second.files.insert(old.files[1].0.clone(), old.files[1].1.clone());
    assert_eq!(second.finish(), Outcome::Complete);
    let new = second.run.form("human").unwrap();
    assert_eq!(second.files["human/human.html"], new.files[2].1, "the page is of the new designs");
    assert_eq!(second.files["human/human.csv"], old.files[1].1, "what may have been filled in stays");
    let faults =
        second.run.rerank(&recounting(&given, &[filled(&shell, &old, |_, _| Some(5.0))])).unwrap_err();
    assert!(
        faults.iter().all(|fault| fault.code == "form.unknown-design"),
        "no label comes again: {faults:?}"
    );
}

#[test]
fn a_name_and_a_run_are_reported_apart() {
    let cases = [
        ("--human ada", Some(("ada", ""))),
        ("  --human  ada  rate-limiter ", Some(("ada", "rate-limiter"))),
        ("--human=ada rate", Some(("ada", "rate"))),
        ("--human \"Ada Lovelace\" rate", Some(("Ada Lovelace", "rate"))),
        ("--human \"Ada Lovelace", Some(("Ada Lovelace", ""))),
        ("--human", Some(("", ""))),
        ("rate-limiter --human ada", Some(("ada", "rate-limiter"))),
        ("--humans ada", None),
        ("rate-limiter", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let parsed = HumanReviewRequest::parse(text).unwrap();
        assert_eq!(
            parsed.as_ref().map(|request| (request.human.as_str(), request.run.as_str())),
            expected,
            "{text}"
        );
    }
    for (text, code) in [
        ("--new --human ada", "command.unknown-option"),
        ("--human ada --new", "command.unknown-option"),
        ("--human --new", "command.unknown-option"),
        ("--human ada rate limiter", "command.too-many-words"),
        ("rate --human ada limiter", "command.too-many-words"),
    ] {
        let problem = HumanReviewRequest::parse(text).unwrap_err();
        assert_eq!(problem.code, code, "{text}");
        assert!(problem.next.unwrap().contains("--human NAME [run]"), "{text}");
    }
}
