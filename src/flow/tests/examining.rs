//! Exams: who writes them and when, which results count, who sees them, and that they stop nothing on their own.

use super::*;
use crate::flow::protocol::{Approver, ExamPlace, ExamRun, ExamSeen, Examined, Opening};
use kernel::protocol::Reply;
use std::cell::Cell;

type Model<'a> = &'a dyn Fn(&Ask) -> Does;
type Alteration = Box<dyn Fn(&mut Value)>;

fn with_exams(exam: ExamPolicy) -> FlowSettings {
    FlowSettings { exam, ..patient() }
}

/// A session with this setting and an approved plan.
fn under<'a>(exam: ExamPolicy, script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(with_exams(exam), false));
    assert_eq!(shell.finish(), Outcome::Complete);
    approve(shell)
}

/// A session that examines each feature.
pub(super) fn examined<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    under(ExamPolicy::Feature, script, effects)
}

/// An exam with a test in each of these files, for the first criterion and the first check that the prompt names.
pub(super) fn exam(ask: &Ask, paths: &[&str]) -> Value {
    let after = |start: &str| ask.text.split_once(start).unwrap().1;
    let criterion = after("It is done when:\n\n- ").split_once(' ').unwrap().0;
    let check = after("the check that you name for it:\n\n- ").split_once(": `").unwrap().0;
    let text = "test(\"it holds\", () => assert.ok(1));";
    let tests = paths.iter().map(
        |path| json!({"path": path, "text": text, "check": check, "criteria": [criterion.trim_end_matches(':')]}),
    );
    json!({"tests": tests.collect::<Vec<_>>(), "left_out": ""})
}

fn ran(tests: u32, code: i32) -> Ran {
    let tests = Some(Tests { runners: vec![Runner::Node], ran: tests, skipped: 0 });
    Ran { end: CommandEnd::Exited { code }, tests, ..went_well() }
}

fn seen(runs: [Ran; 2], before: Ran) -> ExamSeen {
    ExamSeen { runs: Vec::from(runs), before: Some(before), ..ExamSeen::default() }
}

/// A test that passes, and fails when the change is removed.
pub(super) fn passes() -> ExamSeen {
    seen([ran(4, 0), ran(4, 0)], ran(4, 1))
}

/// A test that fails.
pub(super) fn fails() -> ExamSeen {
    seen([ran(4, 1), ran(4, 1)], ran(4, 1))
}

/// An answer with these results for the tests; the checks pass without the change.
pub(super) fn sat(effect: &Effect, tests: Vec<ExamSeen>) -> Decision {
    let Effect::Examine { effect, before, .. } = effect else { panic!("no exam is sat") };
    let before = before.iter().map(|_| went_well()).collect();
    Decision::Examined(Box::new(Examined { effect: *effect, unprepared: None, before, tests }))
}

/// Files that change with each of the worker's first turns, up to this many; the results of the tests, by how often an exam was
/// run.
fn effects<'a>(turns: u32, sittings: &'a [&'a [ExamSeen]]) -> impl Fn(&Effect) -> Decision + 'a {
    let (turn, times) = (Cell::new(0), Cell::new(0));
    move |effect| {
        if let Effect::TakeTree { ends_work: true, .. } = effect {
            turn.set((turn.get() + 1).min(turns));
        }
        let tree = format!("t{}", turn.get());
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, &tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, &tree)),
            Effect::RunApart { .. } => apart(effect),
            Effect::Examine { .. } => {
                times.set(times.get() + 1);
                sat(effect, sittings[times.get() - 1].to_vec())
            }
            _ => untried(),
        }
    }
}

/// All goes well except for a test of the first feature's exam: by the number of the effect, so that it is the same after a crash.
pub(super) fn well(effect: &Effect) -> Decision {
    // 1 before, 2 after, 3 check, 4 to 6 copies, 7 exam, 8 after, 9 check, 10 and 11 copies, 12 exam, 13 confirmed; 14 before, ...
    let tree = match effect.number() {
        1 => "t0",
        2..=7 => "t1",
        8..=14 => "t2",
        _ => "t3",
    };
    match effect {
        Effect::TakeTree { .. } => tree_taken(effect, tree),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
        Effect::RunApart { .. } => apart(effect),
        Effect::Examine { effect: 7, .. } => sat(effect, vec![fails()]),
        Effect::Examine { tests, .. } => sat(effect, tests.iter().map(|_| passes()).collect()),
        _ => untried(),
    }
}

fn sittings<'s>(shell: &'s Shell<'_>) -> Vec<&'s Vec<ExamRun>> {
    let tests = |effect: &'s Effect| match effect {
        Effect::Examine { tests, .. } => Some(tests),
        _ => None,
    };
    shell.effects_asked.iter().filter_map(tests).collect()
}

fn asked(shell: &Shell<'_>, kind: &str) -> usize {
    shell.asked.iter().filter(|ask| ask.job.as_str().starts_with(kind)).count()
}

#[test]
fn a_test_that_passes_is_reported_and_nothing_else_happens() {
    let results: [&[ExamSeen]; 1] = [&[passes()]];
    let script = effects(1, &results);
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let expected = "1 of 1 new test by acme/reviewer passes";
    assert!(
        flat(&shell.files["docs/features/limits.md"]).contains(&format!("Exam (re-executed): {expected}"))
    );
    assert!(shell.files["report.html"].contains(expected));
    let exam = &shell.json("features/limits.json")["exam"];
    assert_eq!((&exam["tier"], &exam["tests"][0]["grade"]), (&json!("re-executed"), &json!("passed")));
    let review = shell.prompts_to("acme/reviewer").pop().unwrap();
    assert!(
        review.contains(&format!("a machine ran them in copies of these files: {expected}.\n")),
        "{review}"
    );
    let tests = sittings(&shell)[0];
    assert_eq!((tests[0].path.as_str(), tests[0].run.check.as_str()), ("test/exam.test.js", "unit"));
    // Three times the check's duration plus a minute, but no more than the plan allows.
    assert_eq!(tests[0].run.timeout_ms, 60_000);
}

#[test]
pub(crate) fn the_settings_say_when_there_is_an_exam() {
    let results: [&[ExamSeen]; 2] = [&[passes()], &[passes()]];
    for (policy, expected) in [
        (ExamPolicy::Off, [0, 0]),
        (ExamPolicy::Auto, [0, 0]),
        (ExamPolicy::Session, [0, 1]),
        (ExamPolicy::Feature, [1, 2]),
    ] {
        let script = effects(2, &results);
        let mut shell = under(policy, &honest, &script);
        let each = [(); 2].map(|()| {
            assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
            asked(&shell, "exam:")
        });
        assert_eq!(each, expected, "{policy:?}");
    }
    let script = effects(2, &results);
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
    shell.feed(opened_under(with_exams(ExamPolicy::Auto), true));
    assert_eq!(shell.finish(), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.run.state().unwrap().approval.as_ref().unwrap().by, Approver::Autonomous);
    assert_eq!(asked(&shell, "exam:"), 1, "of all features, with the last one");
    let examiner = shell.asked.iter().position(|ask| ask.job.as_str().starts_with("exam:")).unwrap();
    assert!(shell.asked[examiner + 1].job.as_str().starts_with("review:api"), "before it is reviewed");
    assert_eq!(sittings(&shell)[0][0].run.check, "limits/unit", "every check of the plan can run its tests");
}

#[test]
fn a_test_that_fails_goes_to_the_worker_and_the_next_exam_is_a_new_one() {
    let results: [&[ExamSeen]; 2] = [&[fails()], &[passes(), passes()]];
    let script = effects(2, &results);
    let model = |ask: &Ask| match ask.job.as_str() {
        "exam:limits:2" => {
            assert!(
                ask.text.contains("with other names than these:\n\n- test/exam.test.js\n"),
                "{}",
                ask.text
            );
            Does::Says(exam(ask, &["test/other.test.js"]).to_string())
        }
        _ => honest(ask),
    };
    let mut shell = examined(&model, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let prompts = shell.prompts_to("acme/worker");
    assert_eq!(prompts.len(), 2);
    for part in
        ["These tests fail on your change", "test/exam.test.js (refills):", "() => assert.ok(1)", "ℹ tests 3"]
    {
        assert!(prompts[1].contains(part), "{part}: {}", prompts[1]);
    }
    let replaced = |of: &Vec<ExamRun>| of.iter().map(|one| one.replaces).collect::<Vec<_>>();
    let replaced: Vec<Vec<bool>> = sittings(&shell).into_iter().map(replaced).collect();
    assert_eq!(
        replaced,
        [vec![false], vec![true, false]],
        "who has seen a test can't put another in its place"
    );
    let paths = |of: &Vec<ExamRun>| of.iter().map(|one| one.path.clone()).collect::<Vec<_>>();
    let sat: Vec<Vec<String>> = sittings(&shell).into_iter().map(paths).collect();
    assert_eq!(sat, [vec!["test/exam.test.js"], vec!["test/exam.test.js", "test/other.test.js"]]);
    assert!(shell.files["docs/features/limits.md"].contains("2 of 2 new tests by acme/reviewer pass"));
}

#[test]
fn there_are_two_exams_at_most_and_then_the_reviewer_decides() {
    let results: [&[ExamSeen]; 3] = [&[fails()], &[fails(), fails()], &[fails(), passes()]];
    let script = effects(3, &results);
    let model = |ask: &Ask| match ask.job.as_str() {
        "exam:limits:2" => Does::Says(exam(ask, &["test/other.test.js"]).to_string()),
        _ => honest(ask),
    };
    let mut shell = examined(&model, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!((asked(&shell, "exam:"), sittings(&shell).len()), (2, 3));
    assert_eq!(shell.prompts_to("acme/worker").len(), 3);
    let review = shell.prompts_to("acme/reviewer").pop().unwrap();
    assert!(
        review.contains("1 of 2 new tests by acme/reviewer pass. These tests fail. If a test is right"),
        "{review}"
    );
    assert!(
        review.contains("test/exam.test.js (refills):") && !review.contains("test/other.test.js"),
        "{review}"
    );
    let page = &shell.files["docs/features/limits.md"];
    assert!(page.contains("- test/exam.test.js (refills): fails ([output](../../evidence/"), "{page}");
}

#[test]
fn what_the_worker_was_shown_is_not_shown_again_where_the_next_exam_has_nothing_new() {
    let results: [&[ExamSeen]; 2] = [&[fails()], &[fails()]];
    let script = effects(2, &results);
    let model = |ask: &Ask| match ask.job.as_str() {
        "exam:limits:2" => {
            Does::Says(json!({"tests": [], "left_out": "Everything was examined."}).to_string())
        }
        _ => honest(ask),
    };
    let mut shell = examined(&model, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.prompts_to("acme/worker").len(), 2);
    assert!(shell.prompts_to("acme/reviewer").pop().unwrap().contains("These tests fail."));
}

#[test]
fn a_worker_may_leave_the_files_as_they_are() {
    let results: [&[ExamSeen]; 1] = [&[fails()]];
    let script = effects(1, &results);
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(
        (asked(&shell, "exam:"), sittings(&shell).len()),
        (1, 1),
        "what was seen of these files is known"
    );
    assert_eq!(shell.prompts_to("acme/worker").len(), 2);
}

#[test]
fn only_what_was_seen_to_run_twice_alike_and_to_fail_without_the_change_counts() {
    let stopped = Ran { end: CommandEnd::TimedOut, tests: None, ..went_well() };
    let none = Ran { tests: None, ..ran(0, 1) };
    let placed = |place| ExamSeen { place, ..ExamSeen::default() };
    let cases: [(ExamSeen, &str); 16] = [
        (passes(), "passes, and fails when the change is removed"),
        (fails(), "fails"),
        (placed(ExamPlace::Same), "doesn't count: the project already had this file, so the test isn't new"),
        (
            ExamSeen { place: ExamPlace::Replaced, ..passes() },
            "doesn't count: the worker added another version of the test to the project",
        ),
        (ExamSeen { place: ExamPlace::Replaced, ..fails() }, "fails"),
        (placed(ExamPlace::Other), "doesn't count: the project has another file with this name"),
        (
            ExamSeen { touched: true, ..passes() },
            "doesn't count: files in the copy were written to while the test ran",
        ),
        (ExamSeen { runs: Vec::new(), ..passes() }, "doesn't count: the test was not run"),
        (seen([ran(4, 0), stopped.clone()], ran(4, 1)), "doesn't count: the check did not finish"),
        (
            seen([ran(4, 0), ran(4, 1)], ran(4, 1)),
            "doesn't count: two runs of the test gave different results",
        ),
        (
            seen([ran(3, 0), ran(3, 0)], ran(4, 1)),
            "doesn't count: the check's output doesn't show that the test ran",
        ),
        (seen([ran(1, 1), ran(2, 1)], ran(4, 1)), "fails"),
        (
            seen([none.clone(), none], ran(4, 1)),
            "doesn't count: the check runs no test when this file is added",
        ),
        (seen([ran(4, 0), ran(4, 0)], ran(4, 0)), "doesn't count: the test also passes without the change"),
        (seen([ran(4, 0), ran(4, 0)], stopped), "doesn't count: the test was not run without the change"),
        (
            seen([ran(4, 0), ran(4, 0)], ran(0, 0)),
            "doesn't count: the check runs no test when the change is removed",
        ),
    ];
    for (result, expected) in cases {
        let results: [&[ExamSeen]; 1] = [&[result]];
        let script = effects(1, &results);
        let mut shell = examined(&honest, &script);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        let page = &shell.files["docs/features/limits.md"];
        assert!(
            page.contains(&format!("- test/exam.test.js (refills): {expected} ([output]")),
            "{expected}: {page}"
        );
    }
}

#[test]
fn a_test_that_the_worker_takes_over_counts_if_its_check_runs_it_there() {
    let taken_over = |with: Ran, without: Ran| {
        let runs = vec![with, without];
        ExamSeen { place: ExamPlace::Same, runs, ..ExamSeen::default() }
    };
    for (second, expected) in [
        (taken_over(ran(4, 0), ran(3, 0)), "passes, and is now one of the project's tests"),
        (
            taken_over(ran(3, 0), ran(3, 0)),
            "doesn't count: the worker added the test to the project, but the check doesn't run it there",
        ),
        (
            taken_over(ran(4, 1), ran(3, 0)),
            "doesn't count: the worker added the test to the project, but the check fails in a copy",
        ),
    ] {
        let results: [&[ExamSeen]; 2] = [&[fails()], &[second, passes()]];
        let script = effects(2, &results);
        let mut shell = examined(&honest, &script);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        let page = &shell.files["docs/features/limits.md"];
        assert!(page.contains(&format!("- test/exam.test.js (refills): {expected} ([output]")), "{page}");
    }
}

#[test]
fn where_there_is_no_git_nobody_is_paid_for_an_exam() {
    let all = effects(1, &[]);
    let script = |effect: &Effect| {
        let mut decision = all(effect);
        if let Decision::TreeTaken(seen) = &mut decision {
            seen.recorded = None;
        }
        decision
    };
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!((asked(&shell, "exam:"), sittings(&shell).len()), (0, 0));
}

#[test]
fn where_the_check_fails_without_the_change_anyway_a_test_that_passes_shows_nothing() {
    let all = effects(1, &[]);
    let with = |before: Ran| {
        move |effect: &Effect| match effect {
            Effect::Examine { effect, .. } => Decision::Examined(Box::new(Examined {
                effect: *effect,
                before: vec![before.clone()],
                tests: vec![passes()],
                ..Examined::default()
            })),
            other => all(other),
        }
    };
    let script = with(failed("no such script"));
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let page = shell.files["docs/features/limits.md"].clone();
    assert!(
        page.contains(
            "Exam (not checked): 1 test not counted: without the change, the check fails even if this test isn't added"
        ),
        "{page}"
    );
}

#[test]
fn a_check_that_had_no_test_before_is_one_that_a_new_test_can_fail() {
    let all = effects(1, &[]);
    let script = |effect: &Effect| match effect {
        Effect::Examine { effect, .. } => Decision::Examined(Box::new(Examined {
            effect: *effect,
            before: vec![ran(0, 0)],
            tests: vec![seen([ran(4, 0), ran(4, 0)], ran(1, 1))],
            ..Examined::default()
        })),
        other => all(other),
    };
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(shell.json("features/limits.json")["exam"]["tests"][0]["grade"], "passed");
}

#[test]
fn without_an_exam_that_is_stated_and_the_reviewer_is_asked_all_the_same() {
    let fails = |ask: &Ask| match ask.job.as_str().split(':').next() {
        Some("exam") => Does::Fails("ProviderAuthError", Some(401)),
        _ => honest(ask),
    };
    let empty = |ask: &Ask| match ask.job.as_str().split(':').next() {
        Some("exam") => {
            Does::Says(json!({"tests": [], "left_out": "It needs a second machine."}).to_string())
        }
        _ => honest(ask),
    };
    let models: [(Model<'_>, &str); 2] = [
        (&fails, "none: the examiner failed: "),
        (&empty, "none: the examiner wrote no test: It needs a second machine."),
    ];
    for (model, expected) in models {
        let script = effects(1, &[]);
        let mut shell = examined(model, &script);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
        let page = &shell.files["docs/features/limits.md"];
        assert!(page.contains(&format!("Exam (not checked): {expected}")), "{page}");
        assert!(sittings(&shell).is_empty());
    }
    let mut settings = with_exams(ExamPolicy::Feature);
    settings.budget.calls = 2;
    let script = effects(1, &[]);
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
    shell.feed(opened_under(settings, false));
    assert_eq!(shell.finish(), Outcome::Complete);
    let mut shell = approve(shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let page = &shell.files["docs/features/limits.md"];
    assert!(
        page.contains("Exam (not checked): none: the feature's budget has no model call left for an exam"),
        "{page}"
    );
}

#[test]
fn where_there_is_no_copy_that_is_stated_and_stops_nothing() {
    let all = effects(1, &[]);
    let script = |effect: &Effect| match effect {
        Effect::Examine { effect, .. } => {
            let unprepared = Some("`npm ci` didn't make the copy ready".to_owned());
            Decision::Examined(Box::new(Examined { effect: *effect, unprepared, ..Examined::default() }))
        }
        other => all(other),
    };
    let mut shell = examined(&honest, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert!(shell.files["docs/features/limits.md"].contains("Exam (not checked): none: `npm ci`"));
}

/// The codes of an exam's problems, in the order of the places.
fn codes(change: &dyn Fn(&mut Value)) -> Vec<String> {
    let plan = plan();
    let mut value = json!({"tests": [
        {"path": "test/a.test.js", "text": "assert.ok(sum)", "check": "unit", "criteria": ["refills"]},
    ], "left_out": ""});
    change(&mut value);
    let problems = crate::flow::exam::problems(
        &value,
        &crate::flow::exam::AskedExam { of: &plan.features[0], checks: &["unit".to_owned()], most: 5 },
    );
    problems.into_iter().map(|problem| problem.code.as_str().to_owned()).collect()
}

#[test]
fn an_exam_is_refused_for_what_could_not_be_run_or_would_decide_nothing() {
    let set =
        |at: &'static str, to: Value| move |value: &mut Value| *value.pointer_mut(at).unwrap() = to.clone();
    let two =
        json!({"path": "test/a.test.js", "text": "assert.ok(1)", "check": "unit", "criteria": ["refills"]});
    let cases: [(Alteration, &[&str]); 10] = [
        (Box::new(|_| {}), &[]),
        (Box::new(set("/tests/0/check", json!("other"))), &["exam.unknown-check"]),
        (Box::new(set("/tests/0/path", json!("../a.test.js"))), &["exam.path-outside"]),
        (Box::new(set("/tests/0/path", json!("src/a.js"))), &["exam.no-test-file"]),
        (Box::new(set("/tests/0/criteria/0", json!("x"))), &["exam.unknown-criterion"]),
        (Box::new(set("/tests/0/text", json!("sum(1, 2)"))), &["exam.asserts-nothing"]),
        (Box::new(set("/tests", json!([]))), &["exam.without-test"]),
        (
            Box::new(move |value| value["tests"].as_array_mut().unwrap().push(two.clone())),
            &["exam.duplicate-path"],
        ),
        (Box::new(set("/tests/0/criteria", json!([]))), &["exam.too-few"]),
        (Box::new(|value| _ = value.as_object_mut().unwrap().remove("tests")), &["exam.missing-field"]),
    ];
    for (change, expected) in cases {
        assert_eq!(codes(&change), expected);
    }
}

#[test]
fn an_examiner_that_read_nothing_is_asked_again() {
    let results: [&[ExamSeen]; 1] = [&[passes()]];
    let script = effects(1, &results);
    let turns = Cell::new(0);
    let model = |ask: &Ask| match ask.job.as_str().split(':').next() {
        Some("exam") => {
            turns.set(turns.get() + 1);
            match turns.get() {
                1 => {
                    let text = exam(ask, &["test/exam.test.js"]).to_string();
                    let finish = "stop".to_owned();
                    Does::Replies(Box::new(Reply { text, finish, reads: Some(0), ..Reply::default() }))
                }
                _ => Does::Says(json!({"tests": [], "left_out": "nothing"}).to_string()),
            }
        }
        _ => honest(ask),
    };
    let mut shell = examined(&model, &script);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    assert_eq!(turns.get(), 2);
}

#[test]
fn sessions_of_earlier_rules_have_none() {
    let EventKind::Opened(opening) = opened_under(with_exams(ExamPolicy::Feature), false) else {
        panic!("a session begins by its opening")
    };
    let script = effects(1, &[]);
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&script);
    shell.feed(EventKind::Opened(Box::new(Opening { rules: 4, ..*opening })));
    assert_eq!(shell.finish(), Outcome::Complete);
    let mut shell = approve(shell);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(asked(&shell, "exam:"), 0);
}
