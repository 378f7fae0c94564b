//! Runs in copies of the files: a check that passes without the feature proves nothing, nor does one that passes only here.

use super::lies::{blocked, calm, with};
use super::*;
use crate::flow::links::Link;
use crate::flow::step::Step;

/// [`calm`], with these results in copies.
fn seen_in_copies(went: impl Fn(&Overlay, &ApartRun) -> Ran) -> impl Fn(&Effect) -> Decision {
    move |effect| match effect {
        Effect::RunApart { .. } => apart_with(effect, &went),
        _ => calm(effect),
    }
}

fn is_without(over: &Overlay) -> bool {
    matches!(over, Overlay::Paths { .. })
}

/// The answer that there is no copy.
fn unprepared(effect: &Effect) -> Decision {
    let unprepared =
        Some("`npm ci` (flow.worktree.setup) didn't make the copy ready: exit code 1".to_owned());
    Decision::RanApart(Box::new(RanApart { effect: effect.number(), unprepared, ..RanApart::default() }))
}

#[test]
fn a_check_that_passes_without_the_feature_is_fixed_and_never_counts() {
    let idle = |effect: &Effect| match effect {
        Effect::RunApart { .. } => apart_with(effect, |_, _| went_well()),
        // 1 before; then after, check and copy for each round.
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{}", (number + 1) / 3)),
        Effect::RunCheck { effect: number, .. } => {
            finished(passed(*number, &format!("t{}", (number + 1) / 3)))
        }
        _ => untried(),
    };
    let mut shell = approved(&honest, &idle);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "run.rounds");
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(
        prompt.contains("also pass without your feature") && prompt.contains("test/limits.test.js"),
        "{prompt}"
    );
    assert!(shell.prompts_to("acme/reviewer").is_empty(), "nobody is paid to review what shows nothing");
    let copies = &shell.json("features/limits.json")["copies"];
    assert_eq!(copies[0]["account"], "also passes without the feature");
}

#[test]
fn a_check_whose_script_no_longer_runs_tests_is_fixed() {
    let swapped = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{}", (number + 1) / 3)),
        Effect::RunCheck { effect: number, .. } => {
            let seen = passed(*number, &format!("t{}", (number + 1) / 3));
            finished(CheckFinished { ran: Ran { tests: None, ..went_well() }, ..seen })
        }
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    };
    let through_a_script = |ask: &Ask| match honest(ask) {
        Does::Says(text) => Does::Says(text.replace(r#""--test","#, "")),
        other => other,
    };
    let mut shell = approved(&through_a_script, &swapped);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(prompt.contains("but their output no longer shows that any test runs"), "{prompt}");
    assert!(shell.prompts_to("acme/reviewer").is_empty());
}

#[test]
fn the_tests_of_the_feature_are_laid_over_the_files_from_before_it() {
    let mut shell = approved(&honest, &calm);
    run_next(&mut shell);
    let asked: Vec<&Effect> =
        shell.effects_asked.iter().filter(|effect| matches!(effect, Effect::RunApart { .. })).collect();
    let Effect::RunApart { tree, over, runs, link, setup, .. } = asked[0] else { panic!() };
    assert_eq!((tree.as_str(), runs.len()), ("t0", 1));
    let tests = Overlay::Paths { tree: "t1".into(), paths: vec!["test/limits.test.js".to_owned()] };
    assert_eq!((over, &setup[..]), (&tests, &[][..]));
    assert!(link.contains(&"node_modules".to_owned()));
    let Effect::RunApart { tree, over, .. } = asked[1] else { panic!() };
    assert_eq!(
        (tree.as_str(), over),
        ("t1", &Overlay::Nothing),
        "what failed there has to pass with the feature"
    );
}

#[test]
fn the_tests_of_the_feature_are_those_that_its_runner_names() {
    let changed = ["spec/limits.js", "test-utils/clock.js", "src/limits.test.js", "test/helper.js"];
    let elsewhere = |effect: &Effect| match calm(effect) {
        Decision::TreeTaken(seen) if !seen.changed.is_empty() => {
            taken(seen.effect, seen.tree.as_str(), changed.map(str::to_owned).to_vec(), Vec::new())
        }
        other => other,
    };
    let laid = |mut shell: Shell<'_>| {
        run_next(&mut shell);
        let mut asked = shell.effects_asked.into_iter();
        asked.find_map(|effect| match effect {
            Effect::RunApart { over: Overlay::Paths { paths, .. }, .. } => Some(paths),
            _ => None,
        })
    };
    let named = ["src/limits.test.js", "test/helper.js"].map(str::to_owned).to_vec();
    assert_eq!(laid(approved(&honest, &elsewhere)), Some(named));
    // A session with earlier rules still uses the words in paths.
    let by_words = changed.map(str::to_owned).to_vec();
    assert_eq!(laid(approve(drafted_under(2, &honest, &elsewhere))), Some(by_words));
}

#[test]
fn each_feature_has_to_pass_in_a_copy_of_its_tree() {
    let lacking = seen_in_copies(|_, _| failed("Cannot find module 'express'"));
    let mut shell = approved(&honest, &lacking);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(prompt.contains("fail in a clean copy") && prompt.contains("Cannot find module"), "{prompt}");
    assert!(shell.prompts_to("acme/reviewer").is_empty());
    let none = |effect: &Effect| match effect {
        Effect::RunApart { .. } => unprepared(effect),
        _ => calm(effect),
    };
    assert_eq!(code_of(&none), "run.not-repeated");
}

/// Why an honest worker's feature isn't completed.
fn code_of(effects: Effects<'_>) -> String {
    let mut shell = approved(&honest, effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    code(&shell)
}

#[test]
fn a_check_that_runs_no_test_without_the_feature_was_not_probed() {
    let without =
        |ran: Ran| seen_in_copies(move |over, _| if is_without(over) { ran.clone() } else { went_well() });
    let missing = Ran { tests: None, ..failed("sh: test.sh: not found") };
    let empty = Some(Tests { runners: vec![Runner::Node], ran: 0, skipped: 0 });
    for (ran, expected) in [
        (missing, "not shown to fail without the feature: no test was seen to run there (exit code 1)"),
        (
            Ran { tests: empty, ..went_well() },
            "not shown to fail without the feature: no test was seen to run there (no test ran)",
        ),
    ] {
        let effects = without(ran.clone());
        let mut shell = approved(&honest, &effects);
        assert_eq!(run_next(&mut shell), Outcome::Complete);
        assert!(flat(&status(&shell)).contains(expected), "{}", status(&shell));
        assert!(!flat(&status(&shell)).contains("fails when the feature is removed"));
        let effects = without(ran);
        let mut before = approve(drafted_under(1, &honest, &effects));
        assert_eq!(run_next(&mut before), Outcome::Complete);
        assert!(status(&before).contains("fails when the feature is removed"), "{}", status(&before));
    }
}

/// A test runner that exited without an error and printed no summary.
fn mute() -> Ran {
    Ran { tests: None, ..went_well() }
}

/// The same wherever the check runs with the feature; without it, the check fails.
fn mute_everywhere(effect: &Effect) -> Decision {
    match calm(effect) {
        Decision::CheckFinished(seen) => finished(CheckFinished { ran: mute(), ..*seen }),
        Decision::RanApart(_) => apart_with(effect, |over, _| {
            if is_without(over) { Ran { tests: None, ..failed("not ok") } } else { mute() }
        }),
        other => other,
    }
}

#[test]
fn a_runner_that_prints_no_summary_shows_nothing() {
    let mut shell = approved(&honest, &mute_everywhere);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let prompt = shell.prompts_to("acme/worker")[1];
    let account = "exit code 0, but node --test printed no summary, so it is unknown whether a test ran";
    assert!(prompt.contains(account) && prompt.contains("`process.exit(0)`"), "{prompt}");
    assert!(shell.prompts_to("acme/reviewer").is_empty(), "nobody is paid to review what shows nothing");
    // A session with earlier rules keeps its meaning.
    let mut before = approve(drafted_under(2, &honest, &mute_everywhere));
    assert_eq!(run_next(&mut before), Outcome::Complete);
    assert!(!before.run.history().contains("printed no summary"));
}

#[test]
fn a_runner_that_prints_no_summary_in_a_clean_copy_did_not_pass_there() {
    let effects = seen_in_copies(|over, _| if is_without(over) { failed("not ok") } else { mute() });
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(prompt.contains("failed in a clean copy, node --test printed no summary"), "{prompt}");
    let mut before = approve(drafted_under(2, &honest, &effects));
    assert_eq!(run_next(&mut before), Outcome::Complete);
}

#[test]
fn a_runner_that_prints_no_summary_without_the_feature_has_not_failed_there() {
    let effects = seen_in_copies(|over, _| if is_without(over) { mute() } else { went_well() });
    let mut shell = approved(&honest, &effects);
    run_next(&mut shell);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(prompt.contains("also pass without your feature"), "{prompt}");
}

/// The results in the copies of a feature if a file in them is touched.
fn touched_in(copies: impl Fn(&Overlay) -> bool) -> impl Fn(&Effect) -> Decision {
    move |effect| match (effect, calm(effect)) {
        (Effect::RunApart { over, .. }, Decision::RanApart(mut seen)) if copies(over) => {
            seen.touched = vec![vec!["src/limits.js".to_owned()]];
            Decision::RanApart(seen)
        }
        (_, other) => other,
    }
}

#[test]
fn what_ran_in_a_copy_that_was_touched_shows_nothing() {
    let touched = touched_in(|over| *over == Overlay::Nothing);
    let mut shell = approved(&honest, &touched);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(
        prompt.contains("files in the copy were written to while the check ran: src/limits.js"),
        "{prompt}"
    );
    assert!(shell.prompts_to("acme/reviewer").is_empty());
    let probe = touched_in(is_without);
    let mut shell = approved(&honest, &probe);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert!(
        flat(&status(&shell))
            .contains("not shown to fail without the feature: files in the copy were written to"),
        "{}",
        status(&shell)
    );
}

#[test]
fn a_review_is_of_the_copy_that_its_tools_read() {
    let asked = |shell: &Shell<'_>| -> Vec<Option<String>> {
        let looks = shell.effects_asked.iter().filter_map(|effect| match effect {
            Effect::TakeTree { seal, .. } => Some(seal.clone()),
            _ => None,
        });
        looks.collect()
    };
    let mut shell = approved(&honest, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(asked(&shell), [None, None, Some("5e".repeat(32))]);

    let unread = |effect: &Effect| match calm(effect) {
        Decision::RanApart(seen) => Decision::RanApart(Box::new(RanApart { seal: None, ..*seen })),
        other => other,
    };
    assert_eq!(code_of(&unread), "run.not-proven");
}

#[test]
fn a_copy_is_needed_until_a_look_at_it_is_on_record() {
    let mut shell = approved(&honest, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let needed: Vec<bool> = (1..=shell.journal.len())
        .map(|length| Run::replay(&shell.journal[..length].concat()).unwrap().0.needs_reviewed_copy())
        .collect();
    let last = |part: &str| shell.journal.iter().rposition(|line| line.contains(part)).unwrap();
    let (laid, looked) = (last("\"seal\":\""), last("\"tree_taken\""));
    assert!(laid < looked);
    let as_told: Vec<bool> = (0..needed.len()).map(|line| (laid..looked).contains(&line)).collect();
    assert_eq!(needed, as_told);
}

#[test]
fn no_copy_is_needed_while_the_worker_fixes() {
    let finding = json!([{"severity": "major", "file": "", "line": null, "text": "It leaks."}]);
    let finds = |ask: &Ask| match ask.job.as_str() {
        "review:limits:1" => with(ask, "review", &json!({"decision": "needs_fix", "findings": finding})),
        _ => honest(ask),
    };
    let mut shell = approved(&finds, &calm);
    run_next(&mut shell);
    for length in 1..=shell.journal.len() {
        let (run, _) = Run::replay(&shell.journal[..length].concat()).unwrap();
        let step = run.state().and_then(|session| session.build.as_ref()).map(|build| &build.step);
        let is_working = matches!(step, Some(Step::Working(_)));
        assert!(!(run.needs_reviewed_copy() && is_working), "after line {length}");
    }
}

#[test]
fn a_review_whose_copy_was_touched_counts_for_nothing() {
    let touched = |effect: &Effect| {
        let mut seen = calm(effect);
        if let (Effect::TakeTree { seal: Some(_), .. }, Decision::TreeTaken(look)) = (effect, &mut seen) {
            look.unsealed = true;
        }
        seen
    };
    let mut shell = approved(&honest, &touched);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert!(status(&shell).contains("the copy that the reviewer read was changed"), "{}", status(&shell));
}

#[test]
fn what_a_worker_left_running_is_reported() {
    let left = |effect: &Effect| {
        let mut seen = calm(effect);
        if let (Effect::TakeTree { ends_work: true, .. }, Decision::TreeTaken(look)) = (effect, &mut seen) {
            let command = vec!["node".to_owned(), "flip files.js".to_owned()];
            look.ended = vec![EndedProcess { pid: 4_711, command }];
        }
        seen
    };
    let mut shell = approved(&honest, &left);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let expected =
        "Flow ended 1 process that the worker had left running: node \"flip files.js\" (process 4711).";
    assert!(flat(&status(&shell)).contains(expected), "{}", status(&shell));
    assert!(flat(&shell.run.history()).contains(expected));
}

#[test]
fn a_check_that_fails_in_any_copy_was_not_probed() {
    let lacking = seen_in_copies(|_, _| failed("Cannot find module 'express'"));
    let mut shell = approve(drafted_under(1, &honest, &lacking));
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let shown = status(&shell);
    let why = "not shown to fail without the feature: the check also fails in a copy that has the feature";
    assert!(flat(&shown).contains(&format!("unit: {why}")), "{shown}");
    let copies = &shell.json("features/limits.json")["copies"];
    assert_eq!((&copies[0]["tier"], &copies[0]["passed"]), (&json!("not checked"), &Value::Null));
}

#[test]
fn where_there_is_no_copy_the_check_was_not_probed() {
    let none = |effect: &Effect| match effect {
        Effect::RunApart { .. } => unprepared(effect),
        // No second copy is requested.
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { .. } => tree_taken(effect, "t1"),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, "t1")),
        _ => untried(),
    };
    let mut shell = approve(drafted_under(1, &honest, &none));
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let shown = status(&shell);
    assert!(flat(&shown).contains("unit: not shown to fail without the feature: `npm ci`"), "{shown}");
}

#[test]
fn tests_that_stand_beside_their_code_can_not_be_taken_from_it() {
    let in_rust = |effect: &Effect| match (effect, calm(effect)) {
        (_, Decision::TreeTaken(seen)) => {
            let TreeTaken { effect, tree, changed, tests, .. } = *seen;
            let changed = changed.iter().map(|_| "src/limits.rs".to_owned()).take(1).collect();
            taken(effect, tree.as_str(), changed, tests)
        }
        (Effect::RunApart { .. }, _) => apart_with(effect, |_, _| went_well()),
        (_, other) => other,
    };
    let unclear = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 5, .. } => tree_taken(effect, "t1"),
        _ => in_rust(effect),
    };
    let mut shell = approved(&honest, &unclear);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let why = "not shown to fail without the feature: the feature's tests are in the same file as the code";
    assert!(flat(&status(&shell)).contains(why), "{}", status(&shell));
}

/// Builds the last feature of the plan, with these results in clean copies.
fn last_feature(went: &dyn Fn(&Effect) -> Decision) -> (Outcome, String, Vec<String>) {
    let effects = |effect: &Effect| match effect {
        Effect::RunApart { effect: number, .. } if *number > 8 => went(effect),
        _ => well(effect),
    };
    let mut shell = approved(&honest, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let outcome = run_next(&mut shell);
    let prompts = shell.prompts_to("acme/worker").iter().map(|text| (*text).to_owned()).collect();
    (outcome, code(&shell), prompts)
}

#[test]
fn the_last_feature_needs_every_check_to_pass_in_a_clean_copy() {
    let (outcome, _, _) = last_feature(&apart);
    assert_eq!(outcome, Outcome::Complete);
    let only_here = |effect: &Effect| {
        apart_with(effect, |over, run| {
            if is_without(over) || run.check == "api/all" { failed("needs build/") } else { went_well() }
        })
    };
    let (outcome, _, prompts) = last_feature(&only_here);
    assert_eq!(outcome, Outcome::Stopped);
    let prompt = prompts.last().unwrap();
    assert!(prompt.contains("fail in a clean copy") && prompt.contains("needs build/"), "{prompt}");
    let no_copy = |effect: &Effect| match effect {
        Effect::RunApart { over, .. } if is_without(over) => apart(effect),
        _ => unprepared(effect),
    };
    let (outcome, code, _) = last_feature(&no_copy);
    assert_eq!((outcome, code.as_str()), (Outcome::Stopped, "run.not-repeated"));
}

#[test]
fn the_whole_is_reviewed_again_where_it_was_built_in_parts() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 1);
    run_next(&mut shell);
    let prompts = shell.prompts_to("acme/reviewer");
    assert_eq!(prompts.len(), 3);
    assert!(
        prompts[2].contains("limits/refills") && prompts[2].contains("Look at all of them together"),
        "{}",
        prompts[2]
    );
    let bases = (1..shell.journal.len()).filter_map(|length| {
        let (run, _) = Run::replay(&shell.journal[..length].concat()).unwrap();
        run.review_base()
    });
    let mut bases: Vec<_> = bases.collect();
    bases.dedup();
    let [first, second] =
        ["limits", "api"].map(|id| shell.run.state().unwrap().features[id].base.clone().unwrap());
    assert_ne!(first, second);
    assert_eq!(
        bases,
        [first.clone(), second, first],
        "each feature is judged by what was before it, and the whole by what was before all"
    );
    let objects = |ask: &Ask| {
        let finding = json!([{"severity": "major", "file": "", "line": null, "text": "They don't fit."}]);
        if ask.text.contains("Look at all of them together") {
            with(ask, "review", &json!({"findings": finding}))
        } else {
            honest(ask)
        }
    };
    let mut shell = approved(&objects, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    assert!(shell.prompts_to("acme/worker").last().unwrap().contains("They don't fit."));
}

/// A reviewer that reports a finding with a reproducer.
pub(super) fn finds(ask: &Ask) -> Does {
    let finding = json!([{
        "severity": "major", "file": "src/limits.js", "line": 3, "text": "It never refills.",
        "reproducer": {"path": "test/refills.test.js", "text": "test('refills', …)", "check": "unit"},
    }]);
    with(ask, "review", &json!({"decision": "needs_fix", "findings": finding}))
}

/// A check that ran this many tests, all of which passed.
fn ran(tests: u32) -> Ran {
    Ran { tests: went_well().tests.map(|seen| Tests { ran: tests, ..seen }), ..went_well() }
}

/// [`calm`], except that a check runs this many tests once a reproducer is present.
pub(super) fn with_reproducer(tests: u32) -> impl Fn(&Effect) -> Decision {
    move |effect| match effect {
        Effect::RunApart { over: Overlay::File { path, .. }, .. } => {
            assert_eq!(path, "test/refills.test.js");
            apart_with(effect, |_, _| ran(tests))
        }
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { .. } => tree_taken(effect, "t1"),
        _ => calm(effect),
    }
}

#[test]
fn a_finding_that_does_not_happen_is_dropped_and_the_reviewer_asked_again() {
    let wording = "Their reproducers ran and passed";
    let gives_in = |ask: &Ask| if ask.text.contains(wording) { honest(ask) } else { finds(ask) };
    let more = with_reproducer(4);
    let mut shell = approved(&gives_in, &more);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let asked = shell.prompts_to("acme/reviewer");
    assert!(asked[1].contains("major: src/limits.js:3: It never refills."), "{}", asked[1]);
    let page = &shell.files["docs/features/limits.md"];
    assert!(page.contains("It never refills. (Flow ran its test: the problem doesn't occur)"), "{page}");
    let decisions = &shell.json("features/limits.json")["decisions"];
    let verdicts = (&decisions[0]["verdict"], &decisions[0]["unconfirmed"], &decisions[1]["verdict"]);
    assert_eq!(verdicts, (&json!("refuted"), &json!([0]), &json!("approved")));
}

#[test]
fn what_runs_in_copies_has_a_clean_room_unless_the_session_began_before_there_were_any() {
    for rules in [3, 4] {
        let mut shell = approve(drafted_under(rules, &honest, &calm));
        assert_eq!(run_next(&mut shell), Outcome::Complete);
        let rooms: Vec<bool> = shell
            .effects_asked
            .iter()
            .filter_map(|effect| match effect {
                Effect::RunApart { clean, .. } => Some(*clean),
                _ => None,
            })
            .collect();
        assert_eq!(rooms, vec![rules >= 4; rooms.len()]);
        assert!(rooms.len() > 1, "{rooms:?}");
    }
}

#[test]
fn a_session_from_before_rules_were_numbered_keeps_its_meaning() {
    let unconfirmed = |effect: &Effect| match effect {
        // After tree, check and both copies come the reviewer's reproducer and the last look.
        Effect::RunApart { effect: 6, over: Overlay::File { .. }, .. } => {
            apart_with(effect, |_, _| went_well())
        }
        Effect::TakeTree { effect: 7, .. } => tree_taken(effect, "t1"),
        _ => calm(effect),
    };
    let mut shell = approve(drafted_before(&finds, &unconfirmed));
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let decision = &shell.json("features/limits.json")["decisions"][0];
    assert_eq!((&decision["verdict"], &decision["unconfirmed"]), (&json!("approved"), &json!([0])));
}

#[test]
fn a_reviewer_that_never_approves_completes_nothing() {
    let more = with_reproducer(4);
    let mut shell = approved(&finds, &more);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "run.review-refuted");
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 2);
    assert_eq!(shell.prompts_to("acme/worker").len(), 1, "there is nothing for the worker to fix");
}

#[test]
fn a_reproducer_that_the_check_does_not_run_refutes_nothing() {
    for (tests, why) in [
        (Some(3), "the check ran 3 tests with the reviewer's test and 3 without it"),
        (None, "the check's output does not show how many tests ran"),
    ] {
        let seen = |effect: &Effect| match effect {
            Effect::RunApart { over: Overlay::File { .. }, .. } => {
                apart_with(effect, |_, _| tests.map_or_else(|| Ran { tests: None, ..went_well() }, ran))
            }
            Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
            _ => calm(effect),
        };
        // The worker's next round doesn't matter here.
        let gives_up = |ask: &Ask| {
            if ask.job.as_str().starts_with("work") && ask.text.contains("It never refills") {
                with(ask, "work", &json!({"outcome": "blocked"}))
            } else {
                finds(ask)
            }
        };
        let mut shell = approved(&gives_up, &seen);
        assert_eq!(run_next(&mut shell), Outcome::Stopped);
        assert_eq!(code(&shell), "run.worker-blocked");
        let feature = shell.json("features/limits.json");
        assert_eq!(feature["decisions"][0]["verdict"], "needs_fix");
        let tried = feature["copies"].as_array().unwrap().last().unwrap();
        assert!(tried["account"].as_str().unwrap().contains(why), "{tried}");
    }
}

#[test]
fn a_finding_that_happens_is_fixed() {
    let confirmed = |effect: &Effect| match effect {
        Effect::RunApart { .. } => {
            apart_with(
                effect,
                |over, _| if *over == Overlay::Nothing { went_well() } else { failed("not ok") },
            )
        }
        // Tree, check, both copies and the reproducer of each round.
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{}", (number + 3) / 5)),
        Effect::RunCheck { effect: number, .. } => {
            finished(passed(*number, &format!("t{}", (number + 3) / 5)))
        }
        _ => untried(),
    };
    assert_eq!(blocked(&finds, &confirmed), ("run.rounds".to_owned(), 5));
}

#[test]
fn a_reproducer_is_a_file_of_the_project_and_a_check_of_the_plan() {
    for (path, check, pointer) in [
        ("../outside.js", "unit", "/findings/0/reproducer/path"),
        (".git/hooks/pre-commit", "unit", "/findings/0/reproducer/path"),
        ("src/limits.js", "unit", "/findings/0/reproducer/path"),
        ("test/a.test.js", "rm -rf", "/findings/0/reproducer/check"),
    ] {
        let escapes = |ask: &Ask| {
            let finding = json!([{
                "severity": "major", "file": "", "line": null, "text": "x",
                "reproducer": {"path": path, "text": "x", "check": check},
            }]);
            if ask.text.contains("can't be used") {
                honest(ask)
            } else {
                with(ask, "review", &json!({"findings": finding}))
            }
        };
        let mut shell = approved(&escapes, &calm);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{path}");
        assert!(shell.prompts_to("acme/reviewer")[1].contains(pointer), "{path}");
    }
}

#[test]
fn tests_that_became_fewer_are_reported_to_the_reviewer_and_to_the_user() {
    use crate::flow::test_files::{TestCounts, TestFile};
    let weaker = |effect: &Effect| match calm(effect) {
        Decision::TreeTaken(seen) => {
            let counts = |assertions| Some(TestCounts { tests: 2, assertions, skipped: 0 });
            let file = TestFile { path: "test/old.test.js".to_owned(), before: counts(5), after: counts(1) };
            taken(seen.effect, seen.tree.as_str(), seen.changed, vec![file])
        }
        other => other,
    };
    let mut shell = approved(&honest, &weaker);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let expected = "test/old.test.js has 1 assertion instead of 5";
    assert!(shell.prompts_to("acme/reviewer")[0].contains(expected));
    assert!(status(&shell).contains(&format!("fewer tests: {expected}")), "{}", status(&shell));
}

#[test]
fn a_copy_is_clean_only_if_what_it_has_by_a_link_is_as_before_the_feature() {
    let link = |path: &str, digest: &str, changed: &[&str]| Link {
        path: path.to_owned(),
        digest: digest.to_owned(),
        changed: changed.iter().map(|&file| file.to_owned()).collect(),
    };
    let began_with = [link("node_modules", "a", &[])];
    let in_the_copies = |now: Vec<Link>| {
        let began_with = began_with.clone();
        move |effect: &Effect| {
            let mut seen = calm(effect);
            match (effect, &mut seen) {
                (Effect::TakeTree { link, .. }, Decision::TreeTaken(look)) if !link.is_empty() => {
                    look.links.extend(began_with.clone());
                }
                (_, Decision::RanApart(seen)) => seen.links.clone_from(&now),
                _ => {}
            }
            seen
        }
    };

    let same = in_the_copies(began_with.to_vec());
    let mut shell = approved(&honest, &same);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert!(!status(&shell).contains("not clean"), "{}", status(&shell));
    let event = shell.run.reset("limits").unwrap();
    carry_out(&mut shell, event);
    run_next(&mut shell);
    let digest = |effect: &Effect| match effect {
        Effect::RunApart { began_with, .. } => Some(began_with.clone()?.remove("node_modules")?),
        _ => None,
    };
    let copies = shell.effects_asked.iter().filter(|effect| matches!(effect, Effect::RunApart { .. }));
    let digests: Vec<Option<String>> = copies.map(digest).collect();
    assert!(digests.len() > 3 && digests.iter().all(|one| one.as_deref() == Some("a")), "{digests:?}");
    let looks = shell
        .effects_asked
        .iter()
        .filter(|effect| matches!(effect, Effect::TakeTree { link, .. } if !link.is_empty()));
    assert_eq!(looks.count(), 1, "once, as the feature is first begun");

    let other = in_the_copies(vec![link("node_modules", "b", &[".bin/vitest"])]);
    let mut shell = approved(&honest, &other);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "who adds a dependency changes it as well");
    let why = "the copy was not clean: node_modules has changed (.bin/vitest)";
    let prompt = shell.prompts_to("acme/reviewer")[0].to_owned();
    assert!(flat(&prompt).contains(&format!("passed again in a copy; {why}")), "{prompt}");
    assert!(
        flat(&prompt).contains(&format!("fails when the feature is removed, as it should; {why}")),
        "{prompt}"
    );
    let expected = "have changed since the feature was started: node_modules has changed (.bin/vitest). To \
                give each copy a fresh installation, set `flow.worktree.setup`";
    assert_eq!(flat(&status(&shell)).matches(expected).count(), 1, "{}", status(&shell));
    assert!(!prompt.contains("clean copy"), "{prompt}");
}

#[test]
fn what_a_worker_that_gave_up_had_installed_was_not_linked_before() {
    let installed = Link { path: "node_modules".to_owned(), digest: "a".to_owned(), changed: Vec::new() };
    let effects = |effect: &Effect| {
        let tree = if effect.number() == 1 { "t0" } else { "t1" };
        let mut seen = match effect {
            Effect::TakeTree { .. } => tree_taken(effect, tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
            other => calm(other),
        };
        match (effect, &mut seen) {
            (Effect::TakeTree { effect: 2.., link, .. }, Decision::TreeTaken(look)) if !link.is_empty() => {
                look.links.push(installed.clone());
            }
            (_, Decision::RanApart(seen)) => seen.links = vec![installed.clone()],
            _ => {}
        }
        seen
    };
    let gives_up_once = |ask: &Ask| match ask.job.as_str() {
        "work:limits:1" => {
            with(ask, "work", &json!({"outcome": "blocked", "summary": "No database is there."}))
        }
        _ => honest(ask),
    };
    let mut shell = approved(&gives_up_once, &effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let event = shell.run.start("limits", &[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete, "{}", status(&shell));
    let prompt = flat(shell.prompts_to("acme/reviewer")[0]);
    assert!(prompt.contains("the copy was not clean: node_modules was not linked before"), "{prompt}");
}

#[test]
fn a_copy_below_settings_of_tools_is_called_unclean() {
    let below = |effect: &Effect| {
        let mut seen = calm(effect);
        if let Decision::RanApart(seen) = &mut seen {
            seen.above = vec!["/var/tmp/conftest.py".to_owned()];
        }
        seen
    };
    let mut shell = approved(&honest, &below);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let prompt = flat(shell.prompts_to("acme/reviewer")[0]);
    let why = "passed again in a copy; the copy was not clean: tools find /var/tmp/conftest.py in parent directories";
    assert!(prompt.contains(why), "{prompt}");
    let note =
        "tools that search parent directories find /var/tmp/conftest.py. Move it elsewhere, or set `TMPDIR`";
    assert_eq!(flat(&status(&shell)).matches(note).count(), 1, "{}", status(&shell));
}

#[test]
fn a_system_that_can_not_cut_copies_off_is_named_once() {
    let online = |effect: &Effect| {
        let mut seen = calm(effect);
        if let Decision::RanApart(seen) = &mut seen {
            seen.online = true;
        }
        seen
    };
    let mut shell = approved(&honest, &online);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let note = "On this system, Flow can't disconnect its copies of the project from the network, so a check";
    assert_eq!(flat(&status(&shell)).matches(note).count(), 1, "{}", status(&shell));
}
