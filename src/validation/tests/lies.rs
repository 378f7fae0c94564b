//! Models that lie, and tests that are written to deceive: they never make a criterion met.

use super::*;
use crate::shared::Rules;

/// The prompts of a job.
fn prompts_of<'a>(shell: &'a Shell<'_>, job: &str) -> Vec<&'a str> {
    shell.asked.iter().filter(|ask| ask.job.as_str() == job).map(|ask| ask.text.as_str()).collect()
}

/// A job whose first answer is this, and which answers correctly when it is asked again.
fn first(job: &'static str, says: Value) -> impl Fn(&Ask) -> Does {
    move |ask: &Ask| {
        let is_first = ask.text.starts_with("# What was asked for");
        if ask.job.as_str() == job && is_first { Does::Says(says.to_string()) } else { honest(ask) }
    }
}

#[test]
fn replies_that_are_not_what_was_asked_are_sent_back_with_what_is_wrong() {
    let file = |path: &str, text: &str| json!({"files": [{"path": path, "text": text}]});
    let verified = |ids: &[&str]| {
        let criteria: Vec<Value> = ids.iter().map(|id| json!({"id": id, "verdict": "met"})).collect();
        json!({"criteria": criteria})
    };
    for (job, says, expected) in [
        ("verify:1", verified(&["C1"]), "The answer skips the criterion C2"),
        ("verify:1", verified(&["C1", "C2", "C3"]), "There is no criterion with this id. Found: \"C3\""),
        ("verify:1", verified(&["C1", "C1", "C2"]), "occurs twice"),
        (
            "verify:1",
            json!({"criteria": [{"id": "C1", "verdict": "passed"}, {"id": "C2", "verdict": "met"}]}),
            "not one of the allowed words",
        ),
        (
            "journeys:1",
            analysis_value(
                &json!([{"id": "G1", "severity": "major", "type": "data", "journey": "J9", "evidence": "x"}]),
            ),
            "No journey has this id. Found: \"J9\"",
        ),
        (
            "journeys:1",
            analysis_value(
                &json!([{"id": "gap", "severity": "major", "type": "data", "journey": "J1", "evidence": "x"}]),
            ),
            "An id must be a letter followed by a number",
        ),
        ("journeys:1", json!({"journeys": [], "gaps": []}), "too few entries"),
        ("tests:1", file("../sign-in.spec.ts", TEXT), "The name of a test file is invalid"),
        (
            "tests:1",
            file("sign-in.spec.ts", &TEXT.replace("./validation", "node:fs")),
            "from \\\"node:fs\\\"",
        ),
        ("tests:1", file("sign-in.spec.ts", &TEXT.replace("@C2", "@C3")), "No test has the tag @C2"),
        (
            "tests:1",
            json!({"files": [], "untestable": [{"criterion": "C1", "why": "x"}, {"criterion": "C9", "why": "x"}]}),
            "There is no criterion with this id. Found: \"C9\"",
        ),
    ] {
        let script = first(job, says.clone());
        let shell = run(&script, &well);
        let prompts = prompts_of(&shell, job);
        assert_eq!(prompts.len(), 2, "{says}");
        assert!(prompts[1].contains(expected), "{says}: {}", prompts[1]);
        assert_eq!(verdicts(&shell), ["met", "met"]);
    }
}

#[test]
fn a_reply_in_fences_with_prose_around_it_is_read() {
    let chatty = |ask: &Ask| {
        Does::Says(format!("Here it is:\n\n```json\n{}\n```\n\nGood luck!", right(ask, &json!([]))))
    };
    assert_eq!(verdicts(&run(&chatty, &well)), ["met", "met"]);
}

#[test]
fn tests_that_cannot_be_read_go_back_with_what_playwright_says() {
    let unreadable_until = |good: u32| {
        move |effect: &Effect| match effect {
            Effect::ListTests { effect, .. } if *effect <= good => Decision::TestsListed {
                effect: *effect,
                listed: Listed::Unreadable { message: format!("SyntaxError {effect}: unexpected token") },
            },
            other => well(other),
        }
    };
    let effects = unreadable_until(2);
    let shell = run(&honest, &effects);
    assert_eq!(verdicts(&shell), ["met", "met"]);
    let prompts = prompts_of(&shell, "tests:1");
    assert_eq!(prompts.len(), 3);
    assert!(prompts[2].contains("SyntaxError 2") && !prompts[2].contains("SyntaxError 1"), "{}", prompts[2]);
    let effects = unreadable_until(99);
    let shell = run(&honest, &effects);
    assert_eq!(prompts_of(&shell, "tests:1").len(), 4, "three times, and no more");
    assert_eq!(commanded(&shell), ["list", "list", "list", "list", "tear down"]);
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
}

#[test]
fn a_tag_that_no_test_has_is_asked_for_and_then_untested() {
    let lists_one =
        |effect: &Effect| well_but(effect, |against, pass| tests_seen(against, pass)[..1].to_vec());
    let shell = run(&honest, &lists_one);
    let prompts = prompts_of(&shell, "tests:1");
    assert!(prompts[1].contains("contain them: @C2."), "{}", prompts[1]);
    assert_eq!(verdicts(&shell), ["met", "untested"], "claims in the files count for nothing");
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete");
}

#[test]
fn a_test_of_several_criteria_is_asked_to_be_split() {
    let merged = |effect: &Effect| {
        well_but(effect, |against, pass| {
            let mut tests = tests_seen(against, pass);
            for test in &mut tests {
                test.tags = vec!["@C1".to_owned(), "@C2".to_owned()];
            }
            tests
        })
    };
    let shell = run(&honest, &merged);
    let prompts = prompts_of(&shell, "tests:1");
    let expected = "Write a separate test for each criterion. These tests have the tags of several criteria: \
                    \"signs in\", \"tells a wrong password\".";
    assert!(prompts[1].contains(expected), "{}", prompts[1]);
    assert_eq!(prompts.len(), 4, "three times, and no more");
    // What it still merges is reported as such.
    assert!(
        shell.files["FINAL-VALIDATION.md"].contains("; the test decides several criteria at once: C1, C2")
    );

    let EventKind::Opened(mut old) = opening() else { unreachable!() };
    old.acceptance = Rules::FreshStart;
    let shell = run_of(EventKind::Opened(old), &honest, &merged);
    assert_eq!(prompts_of(&shell, "tests:1").len(), 1, "a run keeps the rules that it was opened under");
}

#[test]
fn files_of_tests_that_were_written_again_go() {
    let renames = |ask: &Ask| match ask.job.as_str() {
        "tests:1" if !ask.text.starts_with("# What was asked for") => {
            Does::Says(json!({"files": [{"path": "other.spec.ts", "text": TEXT}]}).to_string())
        }
        _ => honest(ask),
    };
    let once = |effect: &Effect| match effect {
        Effect::ListTests { effect: 1, .. } => Decision::TestsListed {
            effect: 1,
            listed: Listed::Unreadable { message: "SyntaxError".to_owned() },
        },
        other => well(other),
    };
    let shell = run(&renames, &once);
    let tests: Vec<&String> = shell.files.keys().filter(|path| path.starts_with("tests/")).collect();
    assert_eq!(tests, ["tests/other.spec.ts"]);
}

#[test]
fn criteria_that_no_test_can_decide_leave_nothing_to_run() {
    let gives_up = |ask: &Ask| {
        match ask.job.as_str() {
        "tests:1" => Does::Says(
            json!({"files": [], "untestable": [{"criterion": "C1", "why": "It is a feeling."}, {"criterion": "C2", "why": "It is dark."}]})
                .to_string(),
        ),
        _ => honest(ask),
    }
    };
    let shell = run(&gives_up, &well);
    assert_eq!(commanded(&shell), ["tear down"]);
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete");
}

#[test]
fn tests_that_are_written_to_deceive_are_hollow_or_untested() {
    type Change = fn(Against, TestSeen) -> TestSeen;
    let cases: [(&str, Change, &str, &str); 6] = [
        ("no assertion", |_, test| TestSeen { expects: 0, ..test }, "hollow", "the test asserts nothing"),
        (
            "tautology",
            |_, test| TestSeen { status: TestStatus::Passed, ..test },
            "hollow",
            "the test also passes against a closed port",
        ),
        (
            "only a body",
            |against, test| {
                if against == Against::Blank { TestSeen { status: TestStatus::Passed, ..test } } else { test }
            },
            "hollow",
            "the test also passes against an empty page",
        ),
        (
            "what stands there anyhow",
            |against, test| {
                if against == Against::Frozen {
                    TestSeen { status: TestStatus::Passed, ..test }
                } else {
                    test
                }
            },
            "hollow",
            "the test also passes against a copy of the start page",
        ),
        (
            "skipped",
            |_, test| TestSeen { status: TestStatus::Skipped, expects: 0, ..test },
            "untested",
            "the test was skipped",
        ),
        (
            "caught",
            |against, test| {
                if against == Against::Application { TestSeen { caught: 1, ..test } } else { test }
            },
            "hollow",
            "an assertion in the test failed, but the test passed anyway",
        ),
    ];
    for (what, change, verdict, reason) in cases {
        let effects = |effect: &Effect| {
            well_but(effect, |against, pass| {
                let mut tests = tests_seen(against, pass);
                let first = tests.remove(0);
                tests.insert(0, change(against, first));
                tests
            })
        };
        let shell = run(&honest, &effects);
        assert_eq!(verdicts(&shell), [verdict, "met"], "{what}");
        let last = shell.json("FINAL-VALIDATION.json");
        assert_eq!(
            (&last["criteria"][0]["reason"], &last["outcome"]),
            (&json!(reason), &json!("incomplete")),
            "{what}"
        );
    }
}
