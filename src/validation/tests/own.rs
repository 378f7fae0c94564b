//! The project's own tests: they count like tests that are written for a run, and every fault in them is reported.

use super::*;

fn with_own(tests: TestsSettings) -> EventKind {
    opened(subject(), ValidationSettings { tests: Some(tests), ..settings() })
}

/// A tester that writes a test for the first criterion only.
fn sparing(ask: &Ask) -> Does {
    let text = TEXT.lines().filter(|line| !line.contains("@C2")).collect::<Vec<_>>().join("\n");
    match ask.job.as_str() {
        "tests:1" => Does::Says(json!({"files": [{"path": "sign-in.spec.ts", "text": text}]}).to_string()),
        _ => honest(ask),
    }
}

/// The project's test of C2, passing.
fn own_seen() -> TestSeen {
    TestSeen {
        whose: Whose::Project,
        file: "e2e/login.spec.ts".to_owned(),
        tags: Vec::new(),
        ..test_seen("a wrong password", "@C2")
    }
}

/// The results if the project's test ends like this against the application, and fails elsewhere unless it `passes` there.
fn seen(own: &TestSeen, passes: Option<Against>) -> impl Fn(Against, u32) -> Vec<TestSeen> + use<> {
    let own = own.clone();
    move |against, pass| {
        let written = tests_seen(against, pass).remove(0);
        let falls = against != Against::Application && Some(against) != passes;
        vec![written, if falls { fallen(own.clone()) } else { own.clone() }]
    }
}

#[test]
fn they_are_listed_before_others_are_written_and_run_with_these() {
    let effects = |effect: &Effect| well_but(effect, seen(&own_seen(), None));
    let mut shell = Shell::new(&sparing, Order::FirstIn).with_effects(&effects);
    shell.feed(with_own(own_settings()));
    while shell.effects_asked.is_empty() {
        assert!(shell.step());
    }
    assert!(!shell.asked.iter().any(|ask| ask.job.as_str() == "tests:1"), "nobody writes tests yet");
    shell.finish();
    assert_eq!(
        commanded(&shell),
        [
            "list own",
            "list",
            "start",
            "test",
            "test",
            "stop",
            "nothing",
            "blank",
            "frozen",
            "start",
            "live",
            "tear down"
        ]
    );
    let asked = &shell.asked.iter().find(|ask| ask.job.as_str() == "tests:1").unwrap().text;
    assert!(asked.contains("- C2: a wrong password (e2e/login.spec.ts)"), "{asked}");
    for effect in &shell.effects_asked {
        let Effect::RunTests { against, own, files, timeout_ms, .. } = effect else { continue };
        let own = own.as_ref().unwrap();
        assert_eq!((own.directory.as_str(), own.tests.len()), ("e2e", 1), "the other one decides nothing");
        assert_eq!(own.tests[0].title, "a wrong password");
        let each = match against {
            Against::Application => 30_000,
            Against::Live => 12_000,
            _ => 14_000,
        };
        assert_eq!(
            (files.len(), *timeout_ms),
            (1, 3 * each + 120_000),
            "time for those listed, and for it and its start"
        );
    }
    assert_eq!(verdicts(&shell), ["met", "met"]);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!(last["outcome"], "validated");
    let whose = |at: usize| &last["criteria"][at]["tests"][0]["whose"];
    assert_eq!((whose(0), whose(1)), (&json!("written"), &json!("project")));
    assert_eq!(last["criteria"][1]["seen"][0]["whose"], "project");
    assert_eq!(
        last["own_tests"],
        json!({
            "directory": "e2e",
            "listed": 2,
            "tests": [{"file": "e2e/login.spec.ts", "title": "a wrong password", "criteria": ["C2"]}],
            "unknown": [],
        })
    );
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(report.contains("- a wrong password (e2e/login.spec.ts, the project's own): met"), "{report}");
    assert!(report.contains("- 1 of 2 tests in e2e decides criteria"), "{report}");
    assert!(shell.files["report.html"].contains("e2e/login.spec.ts, the project"));
    assert!(status(&shell).contains("3 tests, 1 of them the project's own"), "{}", status(&shell));
}

#[test]
fn where_they_decide_everything_no_other_is_needed() {
    let map = [MappedTests {
        file: None,
        title: Some("wrong".to_owned()),
        criteria: ["C1", "C2", "C9"].map(str::to_owned).to_vec(),
    }];
    let none = |ask: &Ask| match ask.job.as_str() {
        "tests:1" => Does::Says(json!({"files": []}).to_string()),
        _ => honest(ask),
    };
    let effects = |effect: &Effect| {
        well_but(effect, |against, pass| seen(&own_seen(), None)(against, pass).split_off(1))
    };
    let settings = TestsSettings { map: map.to_vec(), ..own_settings() };
    let shell = run_of(with_own(settings), &none, &effects);
    assert_eq!(
        commanded(&shell),
        [
            "list own",
            "start",
            "test",
            "test",
            "stop",
            "nothing",
            "blank",
            "frozen",
            "start",
            "live",
            "tear down"
        ]
    );
    assert_eq!(verdicts(&shell), ["met", "met"]);
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(
        report.contains(
            "The settings assign some of these tests to a criterion that this run doesn't have: C9"
        ),
        "{report}"
    );
}

#[test]
fn they_are_held_to_the_same() {
    let judged = |own: TestSeen, passes: Option<Against>| {
        let effects = |effect: &Effect| well_but(effect, seen(&own, passes));
        let shell = run_of(with_own(own_settings()), &sparing, &effects);
        let last = shell.json("FINAL-VALIDATION.json");
        let of = |key: &str| last["criteria"][1][key].as_str().unwrap().to_owned();
        (of("verdict"), of("reason"))
    };
    let with = |change: fn(&mut TestSeen)| {
        let mut own = own_seen();
        change(&mut own);
        own
    };
    for (own, passes, verdict, reason) in [
        (own_seen(), Some(Against::Blank), "hollow", "the test also passes against an empty page"),
        (with(|own| own.expects = 0), None, "hollow", "the test asserts nothing"),
        (
            with(|own| own.caught = 1),
            None,
            "hollow",
            "an assertion in the test failed, but the test passed anyway",
        ),
        (with(|own| own.status = TestStatus::Skipped), None, "untested", "the test was skipped"),
        (fallen(own_seen()), None, "not_met", "expect(locator).toBeVisible() failed: received <nothing>"),
        (
            with(|own| own.title = "renamed".to_owned()),
            None,
            "untested",
            "the test did not run in every pass",
        ),
        (with(|own| own.whose = Whose::Written), None, "untested", "the test did not run in every pass"),
    ] {
        assert_eq!(judged(own, passes), (verdict.to_owned(), reason.to_owned()));
    }
}

#[test]
fn what_is_wrong_with_them_stops_the_run_before_it_costs_and_is_fixed() {
    let unfit = TestsSettings {
        map: vec![MappedTests { title: Some("nowhere".to_owned()), ..own_settings().map.remove(0) }],
        ..own_settings()
    };
    let unreadable = Listed::Unreadable { message: "Error: No tests found\n".to_owned() };
    for (settings, listed, expected) in [
        (
            unfit,
            None,
            "No test in e2e matches `tests.map` in .opencode/validation.jsonc: file login.spec.ts, title \
             \"nowhere\".",
        ),
        (own_settings(), Some(unreadable), "in e2e can't be read: Error: No tests found"),
        (
            own_settings(),
            Some(Listed::Impossible { obstacle: crate::validation::protocol::Obstacle::NoNode }),
            "Node.js was not found.",
        ),
    ] {
        let lists = std::cell::Cell::new(listed.as_ref());
        let effects = |effect: &Effect| match (effect, lists.take()) {
            (Effect::ListOwnTests { effect, .. }, Some(listed)) => {
                Decision::TestsListed { effect: *effect, listed: listed.clone() }
            }
            _ => well_but(effect, seen(&own_seen(), None)),
        };
        let mut shell = run_of(with_own(settings), &sparing, &effects);
        assert_eq!(commanded(&shell), ["list own", "tear down"]);
        assert!(!shell.asked.iter().any(|ask| ask.job.as_str() == "tests:1"), "{expected}");
        let report = &shell.files["FINAL-VALIDATION.md"];
        assert!(
            report.starts_with("# Validation: incomplete") && report.contains(expected),
            "{expected}: {report}"
        );
        let now = ValidationSettings { tests: Some(own_settings()), ..super::settings() };
        let events = shell.run.resume(&now, &[]).unwrap();
        carry_out(&mut shell, events);
        assert_eq!(verdicts(&shell), ["met", "met"], "{expected}");
    }
}
