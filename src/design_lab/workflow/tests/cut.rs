//! Servers that silently cut a prompt: the user is warned once, and no model is suspected wrongly.

use super::*;

/// The text of a task, of some 15,000 tokens.
fn long() -> String {
    (0..6_000).map(|number| format!("word{number}")).collect::<Vec<_>>().join(" ")
}

/// The warnings about cut prompts when models report these numbers of tokens for their prompts.
fn notices(reports: impl Fn(&Ask) -> u64) -> Vec<String> {
    let replies = |ask: &Ask| match well(ask) {
        Does::Says(text) => Does::Replies(Box::new(Reply {
            text,
            finish: "stop".to_owned(),
            prompt_tokens: Some(reports(ask)),
            ..Reply::default()
        })),
        other => other,
    };
    let mut config = config();
    config["review"] = json!({ "repeats": 2 });
    let input = beginning(&config, &format!("Design a rate limiter. {}", long()));
    let mut shell = Shell::new(&replies, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input).unwrap())));
    assert_eq!(shell.finish(), Outcome::Complete);
    let state = shell.run.state().unwrap();
    assert_eq!(state.notes, state.lasting_notes);
    state.notes.iter().filter(|note| note.contains("cut the prompt")).cloned().collect()
}

#[test]
fn a_server_that_reports_far_fewer_tokens_than_it_was_sent_is_named_once() {
    let said = notices(|ask| if ask.model == "x/quill-4" { 4_096 } else { 20_000 });
    assert_eq!(said.len(), 1, "{said:?}");
    let begins = "x/quill-4: the server reported 4,096 tokens for a prompt of ";
    assert!(
        said[0].starts_with(begins) && said[0].ends_with("give the model a larger context on its server."),
        "{said:?}"
    );
    assert_eq!(notices(|_| 4_000).len(), 5, "each model once, the reviewers as well");
}

#[test]
fn nobody_is_suspected_who_may_have_read_it_all() {
    for (what, report) in
        [("a good tokenizer", 9_000), ("nothing reported", 0), ("what was not in the cache alone", 40)]
    {
        assert!(notices(|_| report).is_empty(), "{what}");
    }
    // The first prompt is counted in full, later ones without the cached part.
    let warm = notices(|ask| if ask.job.as_str().ends_with(":2") { 900 } else { 15_000 });
    assert!(warm.is_empty(), "{warm:?}");
}

#[test]
fn after_a_report_that_cannot_be_true_the_next_prompt_goes_into_a_new_conversation() {
    let replies = |ask: &Ask| match well(ask) {
        Does::Says(text) => {
            let held = Some(if ask.model == "z/judge" { 1e300 } else { 900.0 });
            Does::Replies(Box::new(Reply { text, finish: "stop".to_owned(), held, ..Reply::default() }))
        }
        other => other,
    };
    let shell = play(&config(), &replies, Order::FirstIn);
    let sessions = |job: &str| {
        let asked = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with(job));
        asked.map(|ask| ask.session.clone()).collect::<Vec<_>>()
    };
    let [spoilt, usual] = ["review:judge", "review:jury"].map(sessions);
    assert_eq!(spoilt.len(), 2, "{spoilt:?}");
    assert_ne!(spoilt[0], spoilt[1], "the host would summarise the first one");
    assert_eq!(usual[0], usual[1]);
    let scores = shell.asked.iter().rfind(|ask| ask.job.as_str().starts_with("review:judge")).unwrap();
    assert!(scores.text.contains("<design id=") && scores.text.contains("Your own written review of them:"));
}
