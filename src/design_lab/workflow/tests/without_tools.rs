//! Runs with models that can't call tools: they are offered none, and the user learns which ones don't see the project.

use super::*;
use crate::design_lab::attachments::{Entry, LeftOut};
use crate::design_lab::config::AvailableModels;
use crate::design_lab::workflow::protocol::Decision;
use crate::design_lab::workflow::{FollowUp, Wanted, files_for_brief, wants_brief};

/// The input of a run in which these models can't call tools.
fn input(lacking: &[&str]) -> OpeningInput {
    let mut input = beginning(&config(), "Design a rate limiter");
    for model in &mut input.available.models {
        model.tool_call = !lacking.contains(&model.model.as_str());
    }
    input
}

fn played<'a>(lacking: &[&str], script: &'a dyn Fn(&Ask) -> Does) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input(lacking)).unwrap())));
    shell.finish();
    shell
}

const BELOW: &str = "You have no tools here, so you can't open the project's files.";

#[test]
fn models_without_tools_are_offered_none_and_know_it() {
    let shell = played(&["quill-4", "jury"], &well);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    for ask in &shell.asked {
        let lacks = matches!(ask.model.as_str(), "x/quill-4" | "z/jury");
        assert_eq!(ask.no_tools, lacks, "{}", ask.job);
        let names = ask.job.as_str() == "topic";
        assert_eq!(ask.system.contains(BELOW), lacks && !names, "{}: {}", ask.job, ask.system);
    }
}

#[test]
fn the_user_hears_before_anything_is_paid_and_beside_the_results_who_does_not_see_the_project() {
    let of = |lacking: &[&str]| begin(&input(lacking)).unwrap().notes;
    assert!(of(&[]).is_empty());
    assert_eq!(
        of(&["quill-4"]),
        ["quill-4 can't call tools according to OpenCode's catalogue, so it doesn't see the project. Put \
             into the task what it needs to \
             know, or set `brief`: then it gets a digest of the project."]
    );
    let note = "quill-4, zeph-3 and jury can't call tools according to OpenCode's catalogue, so they don't \
                see the project. Put into the task what they \
         need to know, or set `brief`: then they get a digest of the project.";
    let three = ["quill-4", "zeph-3", "jury"];
    assert_eq!(of(&three), [note]);
    let shell = played(&three, &well);
    let words = shell.files["results/results.md"].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("so they don't see the project"), "{words}");
}

#[test]
fn a_run_that_continues_goes_by_what_the_catalogue_says_now() {
    let refuses = |ask: &Ask| {
        if ask.model == "x/quill-4" && !ask.no_tools {
            return Does::Fails("APIError", Some(400));
        }
        well(ask)
    };
    let failed = played(&[], &refuses);
    let run = failed.run;
    let now = input(&["quill-4"]);
    let resumed = |available: &AvailableModels| run.resumption(&now.sources, &[], available).unwrap();
    assert_eq!(resumed(&input(&[]).available), EventKind::Resumed);
    let EventKind::Decided(Decision::Reconfigured(change)) = resumed(&now.available) else {
        panic!("the model has lost its tools");
    };
    assert!(
        change.notes.iter().any(|note| note.starts_with("quill-4 can't call tools")),
        "{:?}",
        change.notes
    );
    assert!(change.models.iter().any(|facts| facts.model_id == "x/quill-4" && facts.no_tools));
}

#[test]
fn what_is_built_upon_a_run_names_only_those_who_are_asked() {
    let shell = played(&["quill-4", "jury"], &well);
    let input = input(&["quill-4", "jury"]);
    let opening = shell.run.follow_up(FollowUp::Review, &Wanted::default(), &input, Origin::Here).unwrap();
    let notes: Vec<_> = opening.notes.iter().filter(|note| note.contains("can't call tools")).collect();
    assert_eq!(notes.len(), 1, "{:?}", opening.notes);
    assert!(notes[0].starts_with("jury can't"), "{notes:?}");
}

/// The project as the shell lists it, with the files that it has read.
fn listed(files: &[(&str, &str)]) -> Attachment {
    let entries =
        files.iter().map(|(path, text)| Entry { path: (*path).to_owned(), size: text.len() as u64 });
    let content = Content::Folder {
        path: "/p".to_owned(),
        real: "/p".to_owned(),
        files: entries.collect(),
        more: false,
        left_out: LeftOut::default(),
    };
    let attached = Attached { name: ".".to_owned(), mime: String::new(), lines: None, own: false, content };
    let read = files.iter().map(|(path, text)| Read {
        path: (*path).to_owned(),
        text: Some((*text).to_owned()),
        image: None,
    });
    Attachment { attached, read: read.collect() }
}

/// The input of a run that may send a digest of this project.
fn briefed(allowed: bool, files: &[(&str, &str)]) -> OpeningInput {
    let mut config = config();
    config["brief"] = json!(allowed);
    config["isolation"] = json!({ "blocked_patterns": ["plans/**"] });
    let mut input = beginning(&config, "Design a rate limiter");
    input.available.models[0].tool_call = false;
    input.brief = Some(listed(files));
    input
}

#[test]
pub(super) fn who_does_not_see_the_project_gets_a_digest_of_it_if_the_user_allows() {
    let long = format!("# Shop\n\n{}", "word ".repeat(5_000));
    let files = [
        ("src/server.js", "secret code"),
        ("Cargo.toml", "[package]"),
        ("README.md", long.as_str()),
        ("package.json", "{ \"name\": \"shop\" }"),
        ("plans/next.md", "hidden"),
    ];
    let input = briefed(true, &files);
    assert!(wants_brief(&input));
    let read = files_for_brief(&input, &input.brief.as_ref().unwrap().attached);
    assert_eq!(read, ["README.md", "package.json", "Cargo.toml"]);
    let mut shell = Shell::new(&well, Order::FirstIn);
    let opening = begin(&input).unwrap();
    let expected =
        "Instead it gets a digest of it (the names of 4 files, README.md, package.json, Cargo.toml; 7 KB).";
    assert!(opening.notes[0].ends_with(expected), "{:?}", opening.notes);
    shell.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(shell.finish(), Outcome::Complete);
    for ask in &shell.asked {
        let gets = ask.model == "x/quill-4" && ask.job.as_str() != "topic";
        assert_eq!(ask.text.contains("## The project"), gets, "{}", ask.job);
        assert!(
            !gets || ask.text.contains("- src/server.js\n") && ask.text.contains("### package.json"),
            "{}",
            ask.text
        );
        assert!(!ask.text.contains("secret code") && !ask.text.contains("plans"), "{}", ask.text);
        assert!(ask.text.len() < 12_000, "it is bounded");
    }
}

#[test]
fn nobody_gets_a_digest_who_sees_the_project_or_where_the_user_does_not_allow_it() {
    let forbidden = briefed(false, &[("README.md", "# Shop")]);
    assert!(!wants_brief(&forbidden));
    assert_eq!(begin(&forbidden).unwrap().brief, None);
    let mut all_see = briefed(true, &[("README.md", "# Shop")]);
    all_see.available.models[0].tool_call = true;
    assert!(!wants_brief(&all_see));
    assert_eq!(begin(&all_see).unwrap().brief, None);
    let empty = begin(&briefed(true, &[])).unwrap();
    assert_eq!(empty.brief, None);
}

#[test]
fn the_names_of_a_large_project_are_bounded() {
    let paths: Vec<String> = (0..900).map(|number| format!("src/file{number:03}.rs")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "x")).collect();
    let brief = begin(&briefed(true, &files)).unwrap().brief.unwrap();
    assert!(brief.text.ends_with("- src/file199.rs\n- and 700 more"), "{}", brief.text);
    assert!(brief.holds.starts_with("the names of 900 files;"), "{}", brief.holds);
}
