//! The repair conversation: the reply to each kind of unusable answer, and the outcome of those never fixed.

use super::*;
use std::cell::RefCell;
use std::fmt::Write;

const DESIGN: &str = "design:quill-4";
const REVIEW: &str = "review:judge:1";

/// A run in which one answer can't be used; returns all prompts of its job.
///
/// `turn` counts the prompts of the job from 0; `bad` gets the labels that the prompt shows.
fn spoilt(job: &str, turn: usize, bad: &dyn Fn(&[String]) -> Does) -> Vec<Ask> {
    let asked = RefCell::new(Vec::<Ask>::new());
    let script = |ask: &Ask| {
        if ask.job.as_str() != job {
            return well(ask);
        }
        let mut asked = asked.borrow_mut();
        asked.push(ask.clone());
        let last_question = asked.iter().rev().find(|ask| ask.text.contains("design_id: \""));
        let labels = last_question.map_or(Vec::new(), |ask| labels_to_score(&ask.text));
        match asked.len() - 1 {
            // The fixed answer uses the labels of the prompt before the repair.
            count if count == turn + 1 && !labels.is_empty() => {
                Does::Says(scores(&labels, |index| 6.0 + index as f64))
            }
            count if count == turn => bad(&labels),
            _ => well(ask),
        }
    };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{}", shell.run.live_message(shell.now));
    let rejected = shell.files.keys().any(|path| path.ends_with(".rejected.txt"));
    assert!(!rejected, "{:?}", shell.files.keys());
    asked.into_inner()
}

/// A design with one value changed.
fn design_with(pointer: &str, value: Value) -> String {
    let mut design: Value = serde_json::from_str(&design("Plan")).unwrap();
    *design.pointer_mut(pointer).unwrap() = value;
    design.to_string()
}

/// Scores for these labels with something changed.
fn scores_with(labels: &[String], change: impl Fn(&mut Vec<Value>)) -> Does {
    let mut reply: Value = serde_json::from_str(&scores(labels, |index| 6.0 + index as f64)).unwrap();
    change(reply["evaluations"].as_array_mut().unwrap());
    Does::Says(reply.to_string())
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

const REFUSAL: &str = "I'm sorry, but I can't help with that.";

#[test]
#[expect(clippy::too_many_lines, reason = "a table, a few lines a case")]
fn every_unusable_answer_gets_a_repair_prompt_of_its_own() {
    type Bad = Box<dyn Fn(&[String]) -> Does>;
    let says = |text: &str| -> Bad {
        let text = text.to_owned();
        Box::new(move |_| Does::Says(text.clone()))
    };
    let ends = |text: &str, finish: &'static str| -> Bad {
        let text = text.to_owned();
        Box::new(move |_| Does::Ends(text.clone(), finish))
    };
    let changed =
        |change: fn(&mut Vec<Value>)| -> Bad { Box::new(move |labels| scores_with(labels, change)) };
    let fails = |name: &'static str| -> Bad { Box::new(move |_| Does::Fails(name, None)) };

    let whole = design("Plan");
    let half = &whole[..whole.len() / 2];
    let cases: Vec<(&str, &str, usize, Bad)> = vec![
        ("a design: nothing", DESIGN, 0, says("")),
        ("a design: white space", DESIGN, 0, says(" \n\t ")),
        ("a design: a question instead", DESIGN, 0, says("Which database do you use?")),
        ("a design: a refusal", DESIGN, 0, says(REFUSAL)),
        ("a design: cut off, and the provider says so", DESIGN, 0, ends(half, "length")),
        ("a design: cut off, and nobody says so", DESIGN, 0, says(half)),
        ("a design: outgrew the limit", DESIGN, 0, fails("MessageOutputLengthError")),
        ("a design: abbreviated", DESIGN, 0, says("{\"title\": \"Plan\", \"components\": [ ... ]}")),
        (
            "a design: a block that ends too early",
            DESIGN,
            0,
            says("```json\n{\"title\": \"Plan\",\n```\nDone."),
        ),
        ("a design: no JSON", DESIGN, 0, says("{\"title\": \"Plan\" \"summary\": <b>it</b> }")),
        ("a design: stopped by the content filter", DESIGN, 0, ends(half, "content-filter")),
        ("a design: stopped by the content filter at once", DESIGN, 0, fails("ContentFilterError")),
        ("a design: broken off by an error", DESIGN, 0, ends(half, "error")),
        ("a design: fields missing", DESIGN, 0, says("{\"title\": \"Plan\", \"summary\": \"S\"}")),
        ("a design: no components", DESIGN, 0, says(&design_with("/components", json!([])))),
        (
            "a design: a word that isn't allowed",
            DESIGN,
            0,
            says(&design_with("/risks/0/impact", json!("severe"))),
        ),
        ("a written review: nothing", REVIEW, 0, says("\n")),
        ("a written review: a refusal", REVIEW, 0, says(REFUSAL)),
        ("a written review: cut off", REVIEW, 0, ends("The first proposal", "length")),
        ("a written review: stopped by the content filter", REVIEW, 0, ends("The", "content-filter")),
        ("a written review: broken off by an error", REVIEW, 0, ends("The", "error")),
        ("scores: nothing", REVIEW, 1, says("")),
        (
            "scores: two that differ",
            REVIEW,
            1,
            Box::new(|labels| {
                Does::Says(format!(
                    "{}\n\nOn reflection:\n{}",
                    scores(labels, |_| 5.0),
                    scores(labels, |_| 9.0)
                ))
            }),
        ),
        (
            "scores: two that differ, in one list",
            REVIEW,
            1,
            Box::new(|labels| {
                Does::Says(format!("[{}, {}]", scores(labels, |_| 5.0), scores(labels, |_| 9.0)))
            }),
        ),
        (
            "scores: two that differ, in one object",
            REVIEW,
            1,
            Box::new(|labels| {
                let two = [scores(labels, |_| 5.0), scores(labels, |_| 9.0)];
                Does::Says(format!("{{\"result\": [{}]}}", two.join(", ")))
            }),
        ),
        (
            "scores: two that differ, one of them as text",
            REVIEW,
            1,
            Box::new(|labels| {
                let [first, second] = [5.0, 9.0].map(|score| scores(labels, |_| score));
                Does::Says(json!({"input": parsed(&second), "arguments": first}).to_string())
            }),
        ),
        (
            "scores: the list twice in one object",
            REVIEW,
            1,
            Box::new(|labels| {
                let [first, second] = [5.0, 9.0].map(|score| scores(labels, |_| score));
                Does::Says(format!("{}, {}", &first[..first.len() - 1], &second[1..]))
            }),
        ),
        (
            "scores: a dimension twice in one object",
            REVIEW,
            1,
            Box::new(|labels| {
                let whole = scores(labels, |_| 5.0);
                Does::Says(whole.replacen("\"clarity\":", "\"clarity\":9,\"clarity\":", 1))
            }),
        ),
        ("scores: a refusal", REVIEW, 1, says(REFUSAL)),
        ("scores: cut off", REVIEW, 1, says("{\"evaluations\": [{\"design_id\": \"")),
        ("scores: an id that wasn't shown", REVIEW, 1, changed(|all| all[1]["design_id"] = json!("nobody"))),
        (
            "scores: one design twice",
            REVIEW,
            1,
            changed(|all| all[1]["design_id"] = all[0]["design_id"].clone()),
        ),
        ("scores: one design too few", REVIEW, 1, changed(|all| all.truncate(2))),
        ("scores: out of bounds", REVIEW, 1, changed(|all| all[2]["quantitative"]["clarity"] = json!(11))),
        ("scores: no number", REVIEW, 1, changed(|all| all[0]["quantitative"]["clarity"] = json!("good"))),
        (
            "scores: a dimension is missing",
            REVIEW,
            1,
            changed(|all| drop(all[0]["quantitative"].as_object_mut().unwrap().shift_remove("scalability"))),
        ),
        (
            "scores: no justification",
            REVIEW,
            1,
            changed(|all| all[0]["quantitative"]["justification"] = json!("")),
        ),
    ];
    let mut text = String::new();
    for (name, job, turn, bad) in &cases {
        let asked = spoilt(job, *turn, bad);
        let (question, repair) = (&asked[*turn], &asked[*turn + 1]);
        assert_eq!(question.session, repair.session, "{name}: the same conversation");
        assert_eq!(question.system, repair.system, "{name}");
        assert_ne!(question.text, repair.text, "{name}: not the same words again");
        writeln!(text, "======= {name}\n{}\n", repair.text).unwrap();
    }
    insta::assert_snapshot!("repair", text);
}

#[test]
fn what_can_be_repaired_without_asking_is_taken_with_an_account_of_it() {
    let faulty = design("Plan")
        .replace("\"overview\",", "\"overview\", // as discussed\n")
        .replace("[\"q\"]", "[\"q\",]");
    let draft = format!(
        "A draft:\n```json\n{{\"title\": \"Draft\"}}\n```\nThe final one:\n```json\n{faulty}\n```\nDone."
    );
    let script = |ask: &Ask| if ask.job.as_str() == DESIGN { Does::Says(draft.clone()) } else { well(ask) };
    let shell = play(&config(), &script, Order::FirstIn);
    assert_eq!(shell.prompts_to("x/quill-4").len(), 2, "the topic and the design: nothing was asked again");
    let stored = shell.json("designs/quill-4.json");
    assert_eq!(stored["title"], "Plan");
    assert_eq!(stored["metadata"]["attempts"], 1);
    let repairs = stored["metadata"]["repairs"].to_string();
    assert!(repairs.contains("comma") && repairs.contains("comment"), "{repairs}");
    assert_eq!(shell.json("designs/zeph-3.json")["metadata"]["repairs"], json!([]), "nothing to account for");
}

#[test]
fn an_answer_that_is_all_there_counts_whatever_ended_it() {
    for finish in ["length", "content-filter", "error", "tool-calls", "unknown"] {
        let script = |ask: &Ask| {
            if ask.job.as_str() == DESIGN { Does::Ends(design("Plan"), finish) } else { well(ask) }
        };
        let shell = play(&config(), &script, Order::FirstIn);
        assert_eq!(shell.prompts_to("x/quill-4").len(), 2, "{finish}");
    }
}

#[test]
pub(super) fn a_model_that_never_gets_it_right_fails_after_the_configured_repairs_and_its_answer_is_kept() {
    let cases: [(&str, Does, &str, Option<&str>); 4] = [
        (DESIGN, Does::Says(REFUSAL.to_owned()), "The model declined", Some(REFUSAL)),
        (DESIGN, Does::Says(" ".to_owned()), "The reply is empty", None),
        (
            REVIEW,
            Does::Ends("Half a".to_owned(), "length"),
            "The review reached its length limit",
            Some("Half a"),
        ),
        (DESIGN, Does::Says("{\"title\": 1}".to_owned()), "more faults", Some("{\"title\": 1}")),
    ];
    for (job, bad, expected, kept) in &cases {
        for repair in [0, 1, 3] {
            let mut config = config();
            config["retries"] = json!({"repair": repair});
            let script = |ask: &Ask| match (ask.job.as_str() == *job, bad) {
                (false, _) => well(ask),
                (true, Does::Says(text) | Does::Mute(text)) => Does::Says(text.clone()),
                (true, Does::Ends(text, finish)) => Does::Ends(text.clone(), finish),
                (true, Does::Fails(name, status)) => Does::Fails(name, *status),
                (true, Does::Replies(reply)) => Does::Replies(reply.clone()),
            };
            let shell = play(&config, &script, Order::FirstIn);
            assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Partial);
            let prompts = shell.asked.iter().filter(|ask| ask.job.as_str() == *job).count();
            assert_eq!(prompts, repair + 1, "{job}");
            let failed = &shell.json("results/ranking.json")["metadata"]["failed"][0];
            let reason = failed["reason"].as_str().unwrap();
            assert!(reason.contains(expected), "{reason}");
            assert!(repair == 0 || reason.contains(&format!("after {repair} repair prompt")), "{reason}");
            let path = shell.files.keys().find(|path| path.ends_with(".rejected.txt"));
            assert_eq!(path.map(|path| shell.files[path].as_str()), *kept, "{job}");
            assert!(path.is_none_or(|path| reason.contains(path.as_str())), "{reason}");
            assert_replays(&shell);
        }
    }
}

#[test]
fn what_was_paid_for_stays_on_disk_if_the_next_call_fails() {
    let script = |ask: &Ask| match ask.job.as_str() {
        DESIGN if ask.text.contains("can't be used") => Does::Fails("ProviderAuthError", Some(401)),
        DESIGN => Does::Says("{\"title\": \"half\"}".to_owned()),
        // Its written review was accepted, so it must not be listed as a rejected answer.
        REVIEW if ask.text.contains("design_id: \"") => Does::Fails("ProviderAuthError", Some(401)),
        _ => well(ask),
    };
    let shell = play(&config(), &script, Order::FirstIn);
    let rejected: Vec<&String> = shell.files.keys().filter(|path| path.ends_with(".rejected.txt")).collect();
    assert_eq!(rejected, ["designs/quill-4.rejected.txt"]);
    assert_eq!(shell.files["designs/quill-4.rejected.txt"], "{\"title\": \"half\"}");
    assert!(shell.files["reviews/judge.unscored.md"].starts_with("A thorough review.\n"));
    assert_replays(&shell);
}

#[test]
fn each_turn_has_its_own_count_of_repairs() {
    let mut config = config();
    config["retries"] = json!({"repair": 1});
    let seen = RefCell::new(Vec::new());
    let script = |ask: &Ask| {
        if ask.job.as_str() != REVIEW {
            return well(ask);
        }
        let mut seen = seen.borrow_mut();
        seen.push(ask.text.clone());
        match seen.len() {
            1 | 3 => Does::Says(String::new()),
            2 => Does::Says(written_review(&seen[0])),
            4 => Does::Says(scores(&labels_to_score(&seen[2]), |index| 5.0 + index as f64)),
            _ => well(ask),
        }
    };
    let shell = play(&config, &script, Order::FirstIn);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
}

#[test]
fn comparisons_are_repaired_in_words_of_their_own() {
    const COMPARISON: &str = "review:jury:4";
    let cases = [
        ("a comparison: nothing", ""),
        ("a comparison: a refusal", REFUSAL),
        ("a comparison: words alone", "The first is better."),
        (
            "a comparison: a label that wasn't shown",
            "{\"justification\": \"so\", \"preferred\": \"design 1\"}",
        ),
        ("a comparison: no justification", "{\"preferred\": \"tie\"}"),
        (
            "a comparison: two that differ",
            "{\"justification\": \"so\", \"preferred\": \"tie\"}\n\nOn reflection:\n\
             {\"justification\": \"or so\", \"preferred\": \"LABEL\"}",
        ),
        (
            "a comparison: two that differ, in one list",
            "[{\"justification\": \"so\", \"preferred\": \"LABEL\"}, {\"justification\": \"so\", \"preferred\": \"tie\"}]",
        ),
        (
            "a comparison: two that differ, in one object",
            "{\"verdicts\": [{\"justification\": \"so\", \"preferred\": \"LABEL\"}, {\"justification\": \"so\", \"preferred\": \"tie\"}]}",
        ),
        (
            "a comparison: a key twice",
            "{\"justification\": \"so\", \"preferred\": \"LABEL\", \"preferred\": \"tie\"}",
        ),
    ];
    let mut text = String::new();
    for (name, bad) in cases {
        let asked = RefCell::new(Vec::<Ask>::new());
        let script = |ask: &Ask| {
            if ask.job.as_str() != COMPARISON {
                return compares(ask);
            }
            asked.borrow_mut().push(ask.clone());
            let fixed = "{\"justification\": \"so\", \"preferred\": \"tie\"}";
            let said = if asked.borrow().len() == 1 { bad } else { fixed };
            Does::Says(
                said.replace("LABEL", &shown(&ask.text).first().map_or_else(String::new, |it| it.0.clone())),
            )
        };
        let shell = play(&pairwise(), &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{name}");
        let asked = asked.borrow();
        let [question, repair] = &asked[..] else { panic!("{name}: {} prompts", asked.len()) };
        assert_eq!(question.session, repair.session, "{name}: the same conversation");
        writeln!(text, "======= {name}\n{}\n", repair.text).unwrap();
    }
    insta::assert_snapshot!("repair_comparison", text);
}

#[test]
fn the_same_verdict_or_scores_twice_are_not_asked_about() {
    let twice = |text: String| format!("{text}\n\nAgain:\n\n[{text}]\n\n{{\"verdicts\": [{text}, {text}]}}");
    for config in [config(), pairwise()] {
        let script = |ask: &Ask| match compares_or_scores(ask) {
            Does::Says(text) if ask.job.as_str() == REVIEW => Does::Says(match text.find('{') {
                Some(at) => twice(text[at..].to_owned()),
                None => text,
            }),
            other => other,
        };
        let shell = play(&config, &script, Order::FirstIn);
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
        let asked = shell.asked.iter().filter(|ask| ask.job.as_str() == REVIEW).count();
        assert_eq!(asked, if config["review"].is_null() { 2 } else { 1 });
    }
}

pub(super) fn compares_or_scores(ask: &Ask) -> Does {
    if ask.text.contains("preferred: ") { compares(ask) } else { well(ask) }
}
