//! A verdict is about one version: whatever changes between the passes, no pass counts that ran on other files than the rest.

use super::checks::checked;
use super::*;
use crate::validation::protocol::{FilesSeen, Paths};
use crate::validation::status::Status;

/// What a pass finds: the tree, and its differences from the tree with which it is compared.
fn tree(tree: &str, changed: &[&str]) -> FilesSeen {
    FilesSeen::Tree { tree: tree.to_owned(), changed: Some(paths(changed)) }
}

fn paths(paths: &[&str]) -> Paths {
    let count = u32::try_from(paths.len()).unwrap();
    Paths { paths: paths.iter().map(|path| (*path).to_owned()).collect(), count }
}

/// A disk with one tree at a time: the differences are recognised by the trees' names.
fn disk(now: &'static str, changed: &'static [&'static str]) -> impl Fn(&Effect) -> FilesSeen {
    move |effect: &Effect| {
        let Effect::RunTests { since, .. } = effect else { panic!("tests are run") };
        match since {
            Some(since) if since != now => tree(now, changed),
            since => FilesSeen::Tree { tree: now.to_owned(), changed: since.as_ref().map(|_| paths(&[])) },
        }
    }
}

/// Continues to the end of the run: each pass finds these files before its tests run.
fn continue_with(shell: &mut Shell<'_>, files: &dyn Fn(&Effect) -> FilesSeen) {
    let mut seen = 0;
    while shell.ending.is_none() {
        let next = shell.performing.iter().find(|one| matches!(one, Effect::RunTests { .. })).cloned();
        match next.filter(|effect| effect.number() > seen) {
            Some(effect) => {
                seen = effect.number();
                let files = files(&effect);
                shell.feed(EventKind::Decided(Decision::FilesSeen { effect: seen, files }));
            }
            None => assert!(shell.step(), "it hangs"),
        }
    }
}

fn begun(settings: ValidationSettings, effects: Effects<'_>) -> Shell<'_> {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(effects);
    shell.feed(opened(subject(), settings));
    shell
}

/// A check decides a criterion, and everything is allowed to run.
fn with_check() -> ValidationSettings {
    let mut settings = checked(&["C1"]);
    settings.checks.iter_mut().for_each(|check| check.allow = true);
    settings
}

/// The part of a journal that was on disk when its process died, continued.
fn killed<'a>(journal: &[String], effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::of(journal, &honest, Order::FirstIn).with_effects(effects);
    let settings = shell.run.state().unwrap().settings.clone();
    for event in shell.run.resume(&settings, &[]).unwrap() {
        shell.feed(event);
    }
    shell
}

fn trees(shell: &Shell<'_>) -> Vec<Value> {
    let last = shell.json("FINAL-VALIDATION.json");
    last["passes"].as_array().unwrap().iter().map(|pass| pass["tree"].clone()).collect()
}

/// The number of the journal's lines at which this many passes are recorded.
fn after_passes(journal: &[String], passes: usize) -> usize {
    let ran = journal.iter().enumerate().filter(|(_, line)| line.contains("\"tests_ran\""));
    ran.map(|(index, _)| index + 1).nth(passes - 1).unwrap()
}

#[test]
fn passes_begin_again_where_files_changed_between_them() {
    let mut undisturbed = begun(settings(), &well);
    continue_with(&mut undisturbed, &disk("one", &[]));
    assert_eq!(undisturbed.run.summary().unwrap().own.status, Status::Validated);
    assert_eq!(trees(&undisturbed), vec!["one"; 6]);
    for (passes, after) in [(1, "pass 1"), (2, "pass 2"), (4, "the pass against an empty page")] {
        let journal = &undisturbed.journal[..after_passes(&undisturbed.journal, passes)];
        let mut shell = killed(journal, &well);
        continue_with(&mut shell, &disk("two", &["src/a.js"]));
        assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated, "{passes}");
        assert_eq!(trees(&shell), vec!["two"; 6], "{passes}: of the earlier ones none counts");
        let expected = format!(
            "Files changed after {after} (src/a.js). The passes started again, and the earlier ones don't \
             count."
        );
        for text in [status(&shell), shell.files["FINAL-VALIDATION.md"].clone()] {
            assert!(flat(&text).contains(&expected), "{text}");
        }
        assert!(shell.notices.contains(&expected.trim_end_matches('.').to_owned()), "{:?}", shell.notices);
        let begins = commanded(&shell);
        let again = begins.windows(4).filter(|four| *four == ["stop", "start", "test", "test"]).count();
        assert_eq!(again, 1, "{passes}: {begins:?}");
    }
}

#[test]
fn a_run_that_begins_again_can_be_killed_after_any_line() {
    let mut first = begun(with_check(), &well);
    continue_with(&mut first, &disk("one", &[]));
    let mut second = killed(&first.journal[..after_passes(&first.journal, 3)], &well);
    continue_with(&mut second, &disk("two", &["src/a.js"]));
    let began = after_passes(&second.journal, 3);
    for length in began..second.journal.len() {
        let mut shell = Shell::of(&second.journal[..length], &honest, Order::FirstIn).with_effects(&well);
        let settings = shell.run.state().unwrap().settings.clone();
        for event in shell.run.resume(&settings, &[]).unwrap_or_default() {
            shell.feed(event);
        }
        continue_with(&mut shell, &disk("two", &["src/a.js"]));
        let last = shell.json("FINAL-VALIDATION.json");
        assert_eq!(
            (&last["outcome"], &last["checks"]),
            (&json!("validated"), &second.json("FINAL-VALIDATION.json")["checks"]),
            "after line {length}"
        );
        assert_eq!(trees(&shell), vec!["two"; 6], "after line {length}");
    }
}

#[test]
fn the_checks_run_again_before_the_passes_do() {
    let mut first = begun(with_check(), &well);
    continue_with(&mut first, &disk("one", &[]));
    let mut shell = killed(&first.journal[..after_passes(&first.journal, 1)], &well);
    continue_with(&mut shell, &disk("two", &["src/a.js"]));
    assert_eq!(commanded(&shell)[..7], ["start", "test", "stop", "check", "check", "start", "test"]);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated);
}

#[test]
fn a_second_change_ends_the_run_and_no_pass_counts() {
    let mut shell = begun(settings(), &well);
    let names: Vec<String> = (1..8).map(|n| format!("src/{n}.js")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Files keep changing.
    let files = |effect: &Effect| tree(&format!("tree {}", effect.number()), &names);
    continue_with(&mut shell, &files);
    let facts = shell.run.summary().unwrap();
    assert_eq!((facts.own.status, facts.unfinished), (Status::Incomplete, true));
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
    assert_eq!(trees(&shell), Vec::<Value>::new());
    assert_eq!(
        commanded(&shell).iter().filter(|word| **word == "test").count(),
        4,
        "it doesn't go on for ever"
    );
    let status = flat(&status(&shell));
    let message = "Files changed again after pass 1: src/1.js, src/2.js, src/3.js, src/4.js, src/5.js and 2 \
                   more. No pass counts.";
    assert!(status.contains(message) && status.contains("continue with /validate-resume"), "{status}");

    // The user continues it, and the passes may start yet again.
    for event in shell.run.resume(&settings(), &[]).unwrap() {
        shell.ending = None;
        shell.feed(event);
    }
    continue_with(&mut shell, &disk("at last", &[]));
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated);
    assert_eq!(trees(&shell), vec!["at last"; 6]);
}

#[test]
fn what_the_application_writes_is_named_and_not_held_against_it() {
    let writes = |effect: &Effect| match well(effect) {
        Decision::TestsRan { effect, ran, duration_ms, noted } => {
            let noted = Noted { written: Some(paths(&["data/notes.db", ".opencode/x"])), ..noted };
            Decision::TestsRan { effect, ran, duration_ms, noted }
        }
        other => other,
    };
    let mut shell = begun(settings(), &writes);
    let files = |effect: &Effect| {
        tree(&format!("tree {}", effect.number()), &["data/notes.db", ".opencode/validation.jsonc"])
    };
    continue_with(&mut shell, &files);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated, "{}", status(&shell));
    let expected =
        "While the application was tested, these files changed and count as its data: data/notes.db.";
    for text in
        [status(&shell), shell.files["FINAL-VALIDATION.md"].clone(), shell.files["report.html"].clone()]
    {
        assert!(
            flat(&text).contains(expected) || text.contains("count as its data: data/notes.db."),
            "{text}"
        );
    }
    assert_eq!(shell.json("FINAL-VALIDATION.json")["written"], json!(["data/notes.db"]));

    // A change of another file as well counts.
    let mut shell = begun(settings(), &writes);
    continue_with(&mut shell, &|effect| {
        tree(&format!("{}", effect.number()), &["data/notes.db", "src/a.js"])
    });
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
    assert!(flat(&status(&shell)).contains("Files changed after pass 1 (src/a.js). "), "{}", status(&shell));
}

#[test]
fn further_ports_of_a_server_belong_to_the_application_and_are_named() {
    let opens = |ports: &'static [u16]| {
        move |effect: &Effect| match well(effect) {
            Decision::TestsRan { effect, ran: RanTests::Report { mut tests }, duration_ms, noted } => {
                for test in &mut tests {
                    test.opened = vec!["http://127.0.0.1:4099/notes".to_owned()];
                }
                let noted = Noted { ports: ports.to_vec(), ..noted };
                Decision::TestsRan { effect, ran: RanTests::Report { tests }, duration_ms, noted }
            }
            other => other,
        }
    };
    let expected = "The servers also listened on a port that the settings don't name: 4099.";
    for (ports, verdict) in [(&[4_099][..], "met"), (&[], "hollow")] {
        let effects = opens(ports);
        let shell = run(&honest, &effects);
        assert_eq!(verdicts(&shell), [verdict, verdict]);
        assert_eq!(shell.files["FINAL-VALIDATION.md"].contains(expected), verdict == "met", "{verdict}");
    }
}

#[test]
fn what_nobody_can_tell_is_reported_as_that() {
    let mut shell = begun(settings(), &well);
    continue_with(&mut shell, &|_| FilesSeen::Untold { message: "git was killed.".to_owned() });
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated);
    let expected = "It is unknown whether files changed between the passes: git was killed.";
    assert_eq!(flat(&status(&shell)).matches(expected).count(), 1, "{}", status(&shell));

    // The first tree no longer exists, or more files differ than are listed.
    let many = FilesSeen::Tree { tree: "b".to_owned(), changed: Some(Paths { paths: Vec::new(), count: 3 }) };
    let lost = FilesSeen::Tree { tree: "b".to_owned(), changed: None };
    for (files, expected) in [(many, "(3 files)"), (lost, "(it is unknown which)")] {
        let mut shell = begun(settings(), &well);
        let passes = std::cell::Cell::new(0);
        continue_with(&mut shell, &|_| {
            passes.set(passes.get() + 1);
            if passes.get() == 1 { tree("a", &[]) } else { files.clone() }
        });
        assert_eq!(shell.run.summary().unwrap().own.status, Status::Validated);
        assert!(flat(&status(&shell)).contains(expected), "{}", status(&shell));
    }
}
