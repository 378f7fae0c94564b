//! Who wrote the tests of a session of Flow, and when.

use super::*;

#[test]
fn the_report_says_that_the_tests_of_a_session_are_younger_than_its_code() {
    let told = |worker: Option<&str>, tester: &str, expected: &str| {
        let source = SubjectSource::Flow {
            session: "2026-11-22-sign-in".to_owned(),
            tree: None,
            worker: worker.map(str::to_owned),
        };
        let EventKind::Opened(mut opening) = opened(Subject { source, ..subject() }, settings()) else {
            unreachable!()
        };
        opening.models.tester = tester.to_owned();
        let shell = run_of(EventKind::Opened(opening), &honest, &well);
        let report = &shell.files["FINAL-VALIDATION.md"];
        assert!(report.contains(&format!("- Tests: written after the code, by {expected}\n")), "{report}");
        assert!(shell.files["report.html"].contains("<dt>Tests</dt>"));
    };
    let (gpt, claude) = ("openai/gpt-5.1", "anthropic/claude-opus-4-5");
    told(None, gpt, gpt);
    told(Some(gpt), gpt, &format!("{gpt}; the session's worker is the same model"));
    told(Some(claude), gpt, &format!("{gpt}; the session's worker, {claude}, is from another vendor"));
    told(Some("openai/o3"), gpt, &format!("{gpt}; the session's worker, openai/o3, is from the same vendor"));
    told(Some("lab/x"), gpt, &format!("{gpt}; the session's worker, lab/x, may be from the same vendor"));
    assert!(!run(&honest, &well).files["FINAL-VALIDATION.md"].contains("- Tests:"), "a text has no worker");
}
