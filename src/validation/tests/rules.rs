//! Tests of rules, which try fast-check's inputs: who may write them, with which seed they run, and what their results prove.

use super::*;
use crate::validation::protocol::RuleTried;

const RULE: &str = "import fc from \"fast-check\";\nimport { expect, test } from \"./validation\";\n\
    test(\"signs in\", { tag: \"@C1\" }, async ({ page }) => {});\n\
    test(\"tells a wrong password\", { tag: \"@C2\" }, async ({ page }) => {});\n";

/// How fast-check begins its message.
const FAILED: &str = "Error: Property failed after 2 tests\n{ seed: 42, path: \"1:1\", endOnFailure: true }\nCounterexample: \
    [{\"name\":\"a\"}]\nShrunk 3 time(s)\nGot error: expect(received).toBe(expected)\n\nExpected: 5\nReceived: 4\n    at \
    a.spec.ts:1:1";
const REJECTED: &str = "Error: Failed to run property, too many pre-condition failures encountered\n{ seed: 42 }\n\nRan 0 \
    time(s)\nSkipped 2001 time(s)";

fn opened_with(
    fast_check: Option<&str>,
    subject: SubjectInput,
) -> Result<EventKind, kernel::problem::Problem> {
    let available = AvailableModels { current: Some("acme/model".to_owned()), ..AvailableModels::default() };
    let input = OpeningInput {
        package: "0.1.0".to_owned(),
        stamp: "20261122T223110Z".to_owned(),
        suffix: "a1b2".to_owned(),
        subject,
        scope: Scope::Full,
        available,
        settings: settings(),
        left: Vec::new(),
        obstacle: None,
        fast_check: fast_check.map(str::to_owned),
    };
    Ok(EventKind::Opened(Box::new(begin(&input)?)))
}

fn opening_with(fast_check: Option<&str>) -> EventKind {
    opened_with(fast_check, SubjectInput::Flow { subject: Box::new(subject()) }).unwrap()
}

/// A model that writes a test of a rule, and without fast-check another one when it is told.
fn ruling(ask: &Ask) -> Does {
    let is_refused = ask.text.contains("fast-check") && ask.text.contains("imports from");
    match ask.job.as_str() {
        "tests:1" if !is_refused => {
            Does::Says(json!({"files": [{"path": "rules.spec.ts", "text": RULE}]}).to_string())
        }
        _ => honest(ask),
    }
}

/// The results if the test of C1 tried a rule.
fn seen(against: Against, pass: u32, inputs: u32, interrupted: bool, error: &str) -> Vec<TestSeen> {
    let mut tests = tests_seen(against, pass);
    if against == Against::Application {
        tests[0].rules = vec![RuleTried { inputs, interrupted }];
        tests[0].error = error.to_owned();
        tests[0].status = if error.is_empty() { TestStatus::Passed } else { TestStatus::Failed };
    }
    tests
}

fn seeds(shell: &Shell<'_>) -> Vec<u32> {
    let of = |effect: &Effect| match effect {
        Effect::RunTests { rule_seed, .. } => *rule_seed,
        _ => None,
    };
    let mut seeds: Vec<u32> = shell.effects_asked.iter().filter_map(of).collect();
    seeds.dedup();
    seeds
}

#[test]
fn the_tester_learns_of_fast_check_only_where_it_is_and_else_may_not_import_it() {
    for (version, tries) in [(Some("4.10.2"), 1), (Some("3.23.2"), 1), (Some("2.25.0"), 2), (None, 2)] {
        let shell = run_of(opening_with(version), &ruling, &well);
        let asked: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str() == "tests:1").collect();
        assert_eq!(asked.len(), tries, "{version:?}");
        assert_eq!(asked[0].text.contains("# Rules for any input"), tries == 1, "{version:?}");
        assert_eq!(seeds(&shell).len(), usize::from(tries == 1), "one seed for every pass");
    }
}

#[test]
fn what_a_rule_was_tried_with_decides_what_it_proves() {
    for (inputs, interrupted, error, verdict, reason) in [
        (20, false, "", "met", "; the test tried a rule with 20 inputs"),
        (7, true, "", "met", "; the test tried a rule with 7 inputs before its time ran out"),
        (0, false, "", "hollow", "the test tried a rule without any input"),
        (
            0,
            false,
            REJECTED,
            "hollow",
            "the test tried its rule with only 0 inputs, because it rejected 2001 with fc.pre",
        ),
        (
            2,
            false,
            FAILED,
            "not met",
            "Fails for: name = \"a\" (seed 42, after 3 shrinks): expect(received).toBe(expected): expected 5, received 4",
        ),
        (2, true, FAILED, "not met", "received 4; the test's time ran out before smaller inputs were tried"),
        (
            0,
            true,
            "Error: Property interrupted after 0 tests\n{ seed: 42 }",
            "not met",
            "the test ran out of time before it had tried its rule with any input",
        ),
    ] {
        let effects = |effect: &Effect| {
            well_but(effect, |against, pass| seen(against, pass, inputs, interrupted, error))
        };
        let shell = run_of(opening_with(Some("4.10.2")), &ruling, &effects);
        let judged = shell.run.state().unwrap().judged();
        assert_eq!(judged[0].verdict.words(), verdict, "{}", judged[0].reason);
        assert!(judged[0].reason.ends_with(reason), "{}", judged[0].reason);
        let [seed] = seeds(&shell)[..] else { panic!("one seed") };
        let report = &shell.files["FINAL-VALIDATION.md"];
        assert!(flat(report).contains(&format!("from the seed {seed}.")), "{report}");
    }
    let silent = run_of(opening_with(Some("4.10.2")), &honest, &well);
    assert!(!silent.files["FINAL-VALIDATION.md"].contains("tried rules"), "no test tried one");
}

#[test]
fn tests_that_run_again_try_the_same_inputs_unless_the_user_names_a_seed() {
    let earlier = run_of(opening_with(Some("4.10.2")), &ruling, &well);
    let first = seeds(&earlier);
    let again = |seed: Option<u32>| {
        let repeat = Box::new(earlier.run.repeat().unwrap());
        opened_with(Some("4.10.2"), SubjectInput::Tests { repeat, seed }).unwrap()
    };
    let nobody = |ask: &Ask| -> Does { panic!("{} is asked", ask.job) };
    assert_eq!(seeds(&run_of(again(None), &nobody, &well)), first);
    assert_eq!(seeds(&run_of(again(Some(7)), &nobody, &well)), [7]);
    let plain = run_of(opening_with(None), &honest, &well);
    let repeat = Box::new(plain.run.repeat().unwrap());
    let unseeded = opened_with(Some("4.10.2"), SubjectInput::Tests { repeat, seed: Some(7) });
    assert_eq!(unseeded.unwrap_err().code, ValidationCode::UnknownOption, "a seed that nothing uses");
}
