//! Runs with a design of the user's own: it exists before any model is asked.

use super::super::protocol::Decision;
use super::super::{FollowUp, Taker, wanted};
use super::*;
use crate::design_lab::attachments::Attached;

pub(super) const DRAFT: &str = "# Counters at the edge\n\nAuthor: Ada Quux\n\nTold by quill-4: gateways count.\n\n## Components\n\n- Gate: counts\n";

fn own(name: &str, text: &str) -> Attachment {
    let path = format!("/p/{name}");
    let content = Content::File { path: path.clone(), real: path, size: text.len() as u64 };
    let attached = Attached { name: name.to_owned(), mime: String::new(), lines: None, own: true, content };
    Attachment {
        attached,
        read: vec![Read { path: String::new(), text: Some(text.to_owned()), image: None }],
    }
}

pub(super) fn with(config: &Value, files: &[(&str, &str)]) -> OpeningInput {
    OpeningInput {
        attachments: files.iter().map(|(name, text)| own(name, text)).collect(),
        project: vec!["/p".to_owned()],
        ..beginning(config, "--with docs/quill-4.md Design a rate limiter for a public API")
    }
}

pub(super) fn one_model() -> Value {
    json!({ "design_models": ["x/quill-4"], "review_models": ["z/judge", "z/jury"] })
}

pub(super) fn played(
    input: &OpeningInput,
    script: &dyn Fn(&Ask) -> Does,
) -> (Vec<String>, BTreeMap<String, String>, Vec<Ask>) {
    let mut shell = Shell::new(script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(input).unwrap())));
    shell.finish();
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    (shell.journal, shell.files, shell.asked)
}

#[test]
fn one_model_one_file_and_one_reviewer_are_counted_in_the_singular() {
    let config = json!({ "design_models": ["x/quill-4"], "review_models": ["z/judge"] });
    let mut shell = Shell::new(&well, Order::FirstIn);
    let opening = begin(&with(&config, &[("docs/quill-4.md", DRAFT)])).unwrap();
    shell.feed(EventKind::Opened(Box::new(opening)));
    shell.finish();
    for said in
        ["1 model writes its design; 1 design is already written", "2 designs written; 1 model reviews them"]
    {
        assert!(shell.notices.iter().any(|line| line.contains(said)), "{:?}", shell.notices);
    }
}

#[test]
fn a_file_of_ones_own_can_be_neither_rewritten_nor_dropped() {
    let text = "--review-later --with docs/quill-4.md Design a rate limiter for a public API";
    let input = OpeningInput {
        attachments: vec![own("docs/quill-4.md", DRAFT)],
        project: vec!["/p".to_owned()],
        ..beginning(&one_model(), text)
    };
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input).unwrap())));
    assert_eq!(shell.finish(), Outcome::Paused);
    for (option, change) in [("--again", "rewritten"), ("--drop", "dropped")] {
        let request = ResumeRequest::parse(&format!("{option} quill-4-2")).unwrap();
        let refused = events(&shell.run, &one_model(), &request).unwrap_err().remove(0);
        let said = format!("quill-4-2 can't be {change}: it is your own file, which no model wrote.");
        assert_eq!(refused.message, said);
    }
}

#[test]
fn one_model_and_one_file_are_a_run() {
    let (journal, files, asked) = played(&with(&one_model(), &[("docs/quill-4.md", DRAFT)]), &well);
    assert_eq!(asked.len(), 1 + 1 + 4, "a name, a design, two turns of two reviewers");
    let ranking: Value = serde_json::from_str(&files["results/ranking.json"]).unwrap();
    let rows = ranking["rankings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["design_id"] == "quill-4-2").expect("an id of its own");
    assert_eq!((&row["file"], row.get("model")), (&json!("docs/quill-4.md"), None));
    assert!(row["rank"].is_number());
    let stored: Value = serde_json::from_str(&files["designs/quill-4-2.json"]).unwrap();
    assert_eq!((&stored["model"], &stored["file"]), (&json!(""), &json!("docs/quill-4.md")));
    assert_eq!(stored["metadata"]["cost"], 0.0);
    assert!(
        files["designs/quill-4-2.md"]
            .contains("by docs/quill-4.md. Read from a file on 2026-11-20, without a model call.")
    );
    let words = files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(
            "docs/quill-4.md takes part unchanged, as the design quill-4-2. It has no text for these parts \
             of a design, so reviewers see them empty: assumptions"
        ),
        "{words}"
    );
    assert!(words.contains("Not shown to reviewers: Author: Ada Quux"), "{words}");
    assert!(files["results/report.html"].contains("docs/quill-4.md"));
    let run = Run::replay(&journal.concat()).unwrap().0;
    assert!(run.live_message(0).contains("quill-4-2 by docs/quill-4.md"), "{}", run.live_message(0));
    assert_eq!(run.files().unwrap().into_iter().collect::<BTreeMap<_, _>>(), files);
    // Reviewers read it like any other: without its author, its file, and names.
    let reviews = asked.iter().filter(|ask| ask.text.contains("<design id="));
    for ask in reviews {
        assert_eq!(shown(&ask.text).len(), 2);
        assert!(ask.text.contains("gateways count") && !ask.text.contains("Quux"), "{}", ask.text);
        assert!(!ask.text.contains("quill") && !ask.text.contains("docs/"), "{}", ask.text);
    }
    let design = asked.iter().find(|ask| ask.job.as_str().starts_with("design")).unwrap();
    assert!(!design.text.contains("gateways count"), "designers don't see it");
}

#[test]
fn it_is_hidden_from_designers_now_and_after_a_resume() {
    let input = with(&one_model(), &[("docs/quill-4.md", DRAFT), ("own plan.md", DRAFT)]);
    let opening = begin(&input).unwrap();
    let hidden = ["docs/quill-4.md", "{own plan.md,own plan.md/**}"];
    assert_eq!(opening.config.isolation.blocked_patterns, hidden);
    let (journal, ..) = played(&input, &well);
    for lines in 1..journal.len() {
        let run = Run::replay(&journal[..lines].concat()).unwrap().0;
        let mut sources = input.sources.clone();
        let same = run.resumption(&sources, &[], &input.available).unwrap();
        assert_eq!(same, EventKind::Resumed, "nothing has changed by itself");
        let mut changed = one_model();
        changed["concurrency"] = json!(2);
        sources[0].text = changed.to_string();
        let EventKind::Decided(Decision::Reconfigured(change)) =
            run.resumption(&sources, &[], &input.available).unwrap()
        else {
            panic!("the configuration is another")
        };
        assert_eq!(change.config.isolation.blocked_patterns, hidden);
        assert!(change.notes.iter().any(|note| note.starts_with("docs/quill-4.md takes part")));
    }
}

#[test]
fn a_run_with_another_file_is_another_run() {
    let summary = |text: &str| {
        let (journal, ..) = played(&with(&one_model(), &[("a.md", text)]), &well);
        let run = Run::replay(&journal.concat()).unwrap().0;
        let found = Found {
            name: "2026-11-20-a".to_owned(),
            owner: Owner::Nobody,
            summary: run.summary(),
            problem: None,
        };
        move |text: &str| {
            refuse_twin(&begin(&with(&one_model(), &[("a.md", text)])).unwrap(), std::slice::from_ref(&found))
        }
    };
    let refused = summary(DRAFT);
    assert_eq!(refused(DRAFT).unwrap_err().code, "run.exists");
    assert_eq!(refused("# Another\n\nText."), Ok(()));
}

#[test]
fn what_follows_leaves_the_file_as_it_is() {
    let input = with(&config(), &[("a.md", DRAFT)]);
    let (journal, ..) = played(&input, &well);
    let run = Run::replay(&journal.concat()).unwrap().0;
    let after = |kind: FollowUp, words: &str| {
        let opening =
            run.follow_up(kind, &wanted(kind, words).unwrap(), &beginning(&config(), ""), Origin::Here);
        let opening = opening.unwrap();
        assert_eq!(opening.config.isolation.blocked_patterns, ["{a.md,a.md/**}"]);
        let mut shell = Shell::new(&well_too, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening)));
        shell.finish();
        assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "{kind:?}");
        assert!(shell.files["designs/a.md"].contains("by a.md."), "{kind:?}");
        shell.files.keys().filter(|path| path.starts_with("designs/")).count() / 2
    };
    assert_eq!(after(FollowUp::Review, ""), 4);
    assert_eq!(after(FollowUp::Refine, ""), 7, "three new versions, none of the file");
    assert_eq!(after(FollowUp::Merge, ""), 5);
    assert_eq!(after(FollowUp::Merge, "--by z/judge"), 5);
    let design = run.handover(Some("a"), Taker::Flow).unwrap();
    assert_eq!(design.design.title, "Counters at the edge");
    assert!(run.decision("adr").unwrap().1.contains("Counters at the edge (a), by a.md"));
}

fn well_too(ask: &Ask) -> Does {
    match well(ask) {
        Does::Says(text) if ask.job.as_str() == "design:merged" => {
            let mut merged: Value = serde_json::from_str(&text).unwrap();
            merged["components"][0]["sources"] = json!(["new"]);
            merged["tradeoffs"][0]["sources"] = json!(["new"]);
            Does::Says(merged.to_string())
        }
        does => does,
    }
}

#[test]
fn one_connected_model_designs_once_beside_a_file() {
    let mut input = with(&json!({}), &[("a.md", DRAFT)]);
    input.available.models.truncate(1);
    let opening = begin(&input).unwrap();
    let [only] = &opening.config.design_models[..] else { panic!("{:?}", opening.config.design_models) };
    assert_eq!((only.id.as_str(), &only.brief), ("quill-4", &None));
    assert!(opening.notes[0].contains("writes one design beside yours"), "{:?}", opening.notes);
    let (journal, files, asked) = played(&input, &well);
    assert_eq!(asked.len(), 1 + 1 + 2);
    let ranking: Value = serde_json::from_str(&files["results/ranking.json"]).unwrap();
    assert_eq!(ranking["verdict"]["kind"], "insufficient");
    for lines in 1..journal.len() {
        let run = Run::replay(&journal[..lines].concat()).unwrap().0;
        assert_eq!(run.resumption(&input.sources, &[], &input.available).unwrap(), EventKind::Resumed);
    }
}

#[test]
fn what_cannot_take_part_is_refused_with_its_reason() {
    let codes = |input: &OpeningInput| {
        begin(input)
            .map_or_else(|problems| problems.iter().map(|one| one.code.to_string()).collect(), |_| Vec::new())
    };
    assert_eq!(codes(&with(&one_model(), &[])), ["config.too-few"]);
    assert_eq!(codes(&with(&one_model(), &[("a.md", "Text."), ("a.md", "Text.")])), ["candidate.twice"]);
    assert_eq!(codes(&with(&one_model(), &[("a.md", "# Only a title\n\nAuthor: me")])), ["candidate.empty"]);
    assert_eq!(codes(&with(&one_model(), &[("a.json", "{\"risks\": 1}")])), ["design.wrong-type"]);
    let elsewhere = |permitted: bool, worktree: &str| {
        let mut input = with(&one_model(), &[("a.md", DRAFT)]);
        input.project = vec!["/repo/p".to_owned()];
        input.worktree = vec![worktree.to_owned()];
        input.permitted = permitted;
        codes(&input)
    };
    assert_eq!(elsewhere(false, "/repo"), Vec::<String>::new(), "out of everybody's reach");
    assert_eq!(elsewhere(true, "/repo"), ["candidate.outside"], "no model names files of this machine");
    assert_eq!(elsewhere(false, "/p"), ["candidate.outside"], "designers could read it");
    let missing = OpeningInput { text: "--with".to_owned(), ..with(&config(), &[]) };
    assert_eq!(codes(&missing), ["command.missing-value", "task.empty"]);
}

#[test]
fn a_journal_that_lies_of_files_is_refused() {
    let (journal, ..) = played(&with(&one_model(), &[("a.md", DRAFT)]), &well);
    assert!(journal[0].contains("\"candidates\""), "{}", journal[0]);
    let refused = |change: &dyn Fn(&mut Opening)| {
        let mut opening = begin(&with(&one_model(), &[("a.md", DRAFT)])).unwrap();
        change(&mut opening);
        let run = Run::new();
        let line = run.seal(&Event { at: 0, kind: EventKind::Opened(Box::new(opening)) });
        Run::new().apply(&line).map_or_else(|problem| problem.code.to_string(), |_| "taken".to_owned())
    };
    assert_eq!(refused(&|_| {}), "taken");
    let id = crate::design_lab::ids::DesignId::new;
    assert_eq!(refused(&|opening| opening.candidates[0].id = id("../x")), "journal.invalid");
    assert_eq!(refused(&|opening| opening.candidates[0].id = id("quill-4")), "journal.invalid");
    assert_eq!(
        refused(&|opening| opening.candidates.clear()),
        "journal.invalid",
        "one design is none to compare"
    );
}

#[test]
fn the_files_behind_the_option_are_read_off_the_arguments() {
    let paths = |text: &str| -> Vec<(String, bool)> {
        super::super::own_designs(text).into_iter().map(|file| (file.path, file.mentioned)).collect()
    };
    let plain = |path: &str| (path.to_owned(), false);
    let cases = [
        ("--with a.md Design --with b.md", vec![plain("a.md")]),
        ("--new --with a.md --with \"b c.json\" it", vec![plain("a.md"), plain("b c.json")]),
        ("--with=docs/a.md --with='b c.md' it", vec![plain("docs/a.md"), plain("b c.md")]),
        ("--with @docs/a.md it", vec![("docs/a.md".to_owned(), true)]),
        ("--with", vec![]),
        ("--without a.md", vec![]),
        ("-- --with a.md", vec![]),
        ("--with a,b.md it", vec![plain("a,b.md")]),
    ];
    for (text, expected) in cases {
        assert_eq!(paths(text), expected, "{text}");
    }
}
