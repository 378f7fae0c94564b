//! What each check showed of the tests before a feature and shows now, and what decides how tests run: changes are reported, and
//! block nothing.

use super::lies::{calm, with};
use super::*;
use crate::flow::test_settings::{TestSetting, TestSettingPart};

/// The result of a command that passed and ran this many tests.
fn ran(ran: u32, skipped: u32) -> Ran {
    Ran { tests: Some(Tests { runners: vec![Runner::Node], ran, skipped }), ..went_well() }
}

/// Whether this runs on exactly the files from before the first feature.
fn is_base(effect: &Effect) -> bool {
    matches!(effect, Effect::RunApart { tree, over: Overlay::Nothing, .. } if tree == "t0")
}

/// [`calm`], with these results for each check on the files from before the feature.
fn before(went: impl Fn(&ApartRun) -> Ran) -> impl Fn(&Effect) -> Decision {
    move |effect| if is_base(effect) { apart_with(effect, |_, run| went(run)) } else { calm(effect) }
}

/// The commands that ran on the files from before the first feature.
fn base_runs(shell: &Shell<'_>) -> Vec<String> {
    let runs = shell.effects_asked.iter().filter(|effect| is_base(effect)).flat_map(|effect| match effect {
        Effect::RunApart { runs, .. } => runs.iter().map(|run| run.argv.join(" ")).collect(),
        _ => Vec::new(),
    });
    runs.collect()
}

#[test]
fn fewer_tests_than_before_the_feature_are_reported_and_block_nothing() {
    for (was, expected) in [
        (ran(3, 0), None),
        (ran(1, 2), None),
        (ran(9, 0), Some("ran 3 tests instead of 9")),
        (Ran { end: CommandEnd::Exited { code: 1 }, ..ran(4, 0) }, Some("ran 3 tests instead of 4")),
        // A check that didn't run there claims nothing.
        (Ran { tests: None, ..failed("no such script") }, None),
        (ran(0, 0), None),
    ] {
        let effects = before(|_| was.clone());
        let mut shell = approved(&honest, &effects);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "it decides nothing");
        let command = "`node --test test/limits.test.js`";
        let review = shell.prompts_to("acme/reviewer")[0].to_owned();
        let places = [
            ("prompt", review),
            ("chat", flat(&status(&shell))),
            ("page", shell.files["docs/features/limits.md"].clone()),
            ("report", shell.files["report.html"].clone()),
        ];
        for (place, text) in places {
            let is_told =
                |expected: &str| text.contains(expected) && (place == "report" || text.contains(command));
            match expected {
                Some(expected) => assert!(is_told(expected), "{place}: {text}"),
                None => assert!(!text.contains(" instead of "), "{place}: {text}"),
            }
        }
        let rows = shell.json("features/limits.json")["ledger"].clone();
        let has_row = was.tests.as_ref().is_some_and(|tests| tests.ran > 0);
        assert_eq!(rows.as_array().unwrap().len(), usize::from(has_row), "{rows}");
        if has_row {
            assert_eq!(rows[0]["now"]["ran"], 3);
        }
    }
}

#[test]
fn more_tests_that_are_skipped_are_reported() {
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { tree, over: Overlay::Nothing, .. } if tree != "t0" => {
            apart_with(effect, |_, _| ran(4, 2))
        }
        _ => before(|_| ran(3, 0))(effect),
    };
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let expected = "`node --test test/limits.test.js` skipped 2 tests instead of 0";
    assert!(shell.prompts_to("acme/reviewer")[0].contains(expected));
    assert!(flat(&status(&shell)).contains(&format!("fewer tests: {expected}")), "{}", status(&shell));
}

#[test]
fn new_tests_do_not_hide_old_ones_that_no_longer_run() {
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { over: Overlay::Paths { .. }, .. } => {
            apart_with(effect, |_, _| Ran { tests: ran(5, 0).tests, ..failed("not ok") })
        }
        _ => before(|_| ran(3, 0))(effect),
    };
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let expected = "ran 3 tests, although 5 run with the feature's tests on the earlier files";
    assert!(
        shell.prompts_to("acme/reviewer")[0].contains(expected),
        "{}",
        shell.prompts_to("acme/reviewer")[0]
    );
}

#[test]
fn a_broad_check_that_no_longer_shows_its_tests_is_reported() {
    let effects = |effect: &Effect| match well(effect) {
        Decision::RanApart(seen) => {
            let Effect::RunApart { tree, over, runs, .. } = effect else { panic!() };
            let mut seen = *seen;
            for (run, went) in runs.iter().zip(&mut seen.runs) {
                if run.argv == ["npm", "test"] && *over == Overlay::Nothing {
                    went.tests = if tree == "t3" { None } else { ran(7, 0).tests };
                }
            }
            Decision::RanApart(Box::new(seen))
        }
        other => other,
    };
    let mut shell = approved(&honest, &effects);
    run_next(&mut shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let expected = "`npm test` ran 7 tests before the feature, but now shows none";
    let asked = shell.prompts_to("acme/reviewer");
    assert!(
        !asked[0].contains(expected) && asked[1].contains(expected) && asked[2].contains(expected),
        "{asked:#?}"
    );
    assert!(flat(&status(&shell)).contains(&format!("fewer tests: {expected}")), "{}", status(&shell));
}

#[test]
fn each_command_runs_once_on_the_files_from_before_the_feature() {
    // The reviewer wants a fix in the first round; trees by round.
    let effects = |effect: &Effect| {
        if is_base(effect) {
            return apart_with(effect, |_, _| ran(3, 0));
        }
        let tree = match effect.number() {
            1 => "t0",
            2..=6 => "t1",
            _ => "t2",
        };
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
            Effect::RunApart { .. } => apart(effect),
            _ => untried(),
        }
    };
    let finds = |ask: &Ask| {
        let finding = json!([{"severity": "major", "file": "", "line": null, "text": "It leaks."}]);
        match ask.job.as_str() {
            "review:limits:1" => with(ask, "review", &json!({"decision": "needs_fix", "findings": finding})),
            _ => honest(ask),
        }
    };
    let mut shell = approved(&finds, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 2);
    assert_eq!(base_runs(&shell), ["node --test test/limits.test.js"]);
}

#[test]
fn a_probe_over_which_nothing_is_laid_is_the_run_before_the_feature() {
    let effects = |effect: &Effect| match calm(effect) {
        Decision::TreeTaken(seen) => {
            let changed = seen.changed.into_iter().filter(|path| !path.starts_with("test/")).collect();
            taken(seen.effect, seen.tree.as_str(), changed, Vec::new())
        }
        _ if is_base(effect) => {
            apart_with(effect, |_, _| Ran { end: CommandEnd::Exited { code: 1 }, ..ran(4, 0) })
        }
        other => other,
    };
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(base_runs(&shell).len(), 1);
    assert!(shell.prompts_to("acme/reviewer")[0].contains("ran 3 tests instead of 4"));
}

#[test]
fn sessions_of_before_the_ledger_run_nothing_more() {
    let mut shell = approve(drafted_under(2, &honest, &calm));
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert!(base_runs(&shell).is_empty());
}

#[test]
fn a_changed_test_setup_is_reported() {
    let effects = |effect: &Effect| {
        let mut seen = calm(effect);
        if let Decision::TreeTaken(look) = &mut seen {
            look.changed.push("vitest.config.js".to_owned());
            let part = TestSettingPart::Script {
                name: "test".to_owned(),
                before: Some("node --test".to_owned()),
                after: Some("node --test test/limits.test.js".to_owned()),
            };
            look.test_settings.push(TestSetting { path: "package.json".to_owned(), part: Some(part) });
        }
        seen
    };
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let script = "script test of package.json is `node --test test/limits.test.js` instead of `node --test`";
    for line in [script, "vitest.config.js"] {
        let review = shell.prompts_to("acme/reviewer")[0].to_owned();
        assert!(review.contains("affects how tests run") && review.contains(&format!("- {line}\n")));
        let chat = flat(&status(&shell));
        assert!(chat.contains(&format!("test setup changed: {line}")), "{chat}");
        assert!(shell.files["docs/features/limits.md"].contains(&format!("Test setup changed: {line}")));
        assert!(shell.files["report.html"].contains("test setup changed"));
    }
}
