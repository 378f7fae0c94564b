//! What follows a run that found something to fix: Flow, and then the same criteria again.

use super::*;

/// The first of both tests fails against the application, too.
fn first_fails(effect: &Effect) -> Decision {
    well_but(effect, |against, pass| {
        let [first, second] = tests_seen(against, pass).try_into().unwrap();
        vec![fallen(first), second]
    })
}

fn of_flow(session: &str) -> Subject {
    let source = SubjectSource::Flow { session: session.to_owned(), tree: None, worker: None };
    Subject { source, ..subject() }
}

#[test]
fn a_failed_validation_leads_to_a_fix_by_flow_and_then_to_the_same_criteria() {
    let shell = run_of(opened(of_flow("2026-11-22-sign-in"), settings()), &honest, &first_fails);
    let fix = "/flow-plan fix validate-20261122t223110z-a1b2";
    let then = "Plans the fix. Once the fix is built, validate it with /validate flow 2026-11-22-sign-in.";
    let shown = status(&shell);
    assert!(flat(&shown).contains(&format!("Next {fix} {then}")), "{shown}");
    assert!(shown.contains(" /validate flow 2026-11-22-sign-in.\n"), "on one line: {shown}");
    assert!(shell.files["fix-plan.md"].contains("\n- c1: A user signs in. Seen: "), "a failure as well");
    assert_eq!(
        shell.json("run.json")["next_commands"],
        json!([fix, "/validate --again validate-20261122t223110z-a1b2"])
    );
}

#[test]
fn a_name_that_is_not_plain_becomes_no_part_of_a_command() {
    let shell = run_of(opened(of_flow("x; rm -rf ~"), settings()), &honest, &first_fails);
    assert!(!status(&shell).contains("rm -rf"), "{}", status(&shell));
}
