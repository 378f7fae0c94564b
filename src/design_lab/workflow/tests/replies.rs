//! Replies of real models, each as the first answer to its original request: no useless reply is accepted.

use super::*;
use crate::shared::reply::corpus::{Row, rows};

/// Two designs, so that the labels of the replies can stand for those of the run.
fn config_of(kind: &str) -> Value {
    let mut config = config();
    config["design_models"] = json!(["x/quill-4", "x/brisk-10"]);
    if kind == "compare" {
        config["review"] = json!({"mode": "pairwise"});
    }
    config
}

/// What a model may write before the object that it is asked for.
const THOUGHTS: &str = "Three approaches:\n\n1. A cache per node: \"stale\", and **cheap**.\n2. One store:\n\n```\nGET /limit ->                         429\n```\n\n3. Tokens in a table; don't lock it.\n\nI take the second.\n\n";
/// Objects that aren't the answer.
const OBJECTS: &str =
    "Per node `{key, value}`: {\"ttl\": \"no\"}.\n\n```json\n{\"limit\": {\"per\": \"minute\"}}\n```\n\n";

/// The prompt after the reply; `None` if the reply was accepted.
fn asked_next(kind: &str, row: &Row) -> Option<String> {
    let job = match kind {
        "topic" => "topic",
        "design" => "design:quill-4",
        _ => "review:judge:1",
    };
    let is_asked = |ask: &Ask| {
        ask.job.as_str() == job
            && match kind {
                "scores" => ask.text.contains("design_id: \""),
                "review" => ask.text.contains("<design id="),
                _ => true,
            }
    };
    let seen = std::cell::Cell::new(false);
    let script = |ask: &Ask| {
        if !is_asked(ask) || seen.replace(true) {
            let is_repair = kind == "compare" && ask.text.starts_with("Your last answer");
            let tie = json!({"preferred": "tie", "justification": "so"}).to_string();
            return if is_repair { Does::Says(tie) } else { repair::compares_or_scores(ask) };
        }
        let labels = if kind == "scores" {
            labels_to_score(&ask.text)
        } else {
            shown(&ask.text).into_iter().map(|(label, _)| label).collect()
        };
        let text = match &labels[..] {
            [first, second] => row.text.replace("dunlin", first).replace("lapwing", second),
            _ => row.text.clone(),
        };
        Does::Ends(text, row.finish)
    };
    let shell = play(&config_of(kind), &script, Order::FirstIn);
    let mut prompts =
        shell.asked.iter().filter(|ask| ask.job.as_str() == job).skip_while(|ask| !is_asked(ask));
    prompts.next().expect("it was asked");
    let next =
        prompts.next().filter(|ask| !(kind == "review" && ask.text.starts_with("Score every proposal")));
    next.map(|ask| ask.text.clone())
}

#[test]
fn no_reply_of_a_model_that_copies_is_accepted_as_it_stands() {
    for kind in ["topic", "design", "review", "scores", "compare"] {
        let rows = rows(kind);
        assert!(!rows.is_empty(), "{kind}");
        for row in rows {
            row.assert_asked(asked_next(kind, &row).as_deref());
        }
    }
}

/// Thinking before the object changes nothing about how the object is judged.
#[test]
fn every_reply_is_judged_alike_below_the_thoughts_of_its_model() {
    for mut row in rows("design") {
        let bare = asked_next("design", &row);
        row.text.insert_str(0, THOUGHTS);
        assert_eq!(asked_next("design", &row), bare, "{}", row.name);
        row.text.insert_str(0, OBJECTS);
        assert!(asked_next("design", &row).is_some(), "{}", row.name);
    }
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:quill-4" => Does::Says(format!(
            "{THOUGHTS}{OBJECTS}Not {{\"title\": \"A cache\"}}, but:\n{}",
            design("Table")
        )),
        _ => well(ask),
    };
    let shell = play(&config_of("design"), &script, Order::FirstIn);
    assert_eq!(shell.asked.iter().filter(|ask| ask.job.as_str() == "design:quill-4").count(), 1);
    assert_eq!(shell.json("designs/quill-4.json")["title"], "Table");
}
