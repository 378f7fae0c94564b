//! What a run hands over to be fixed: failures as well as gaps, and nothing that is met.

use super::*;

fn ids(shell: &Shell<'_>) -> Vec<String> {
    shell.run.to_fix().unwrap().faults.into_iter().map(|fault| fault.id).collect()
}

#[test]
fn criteria_that_are_not_met_are_handed_over_with_what_was_seen() {
    let fails = |effect: &Effect| {
        well_but(effect, |against, pass| {
            let [first, second] = <[TestSeen; 2]>::try_from(tests_seen(against, pass)).unwrap();
            vec![first, fallen(second)]
        })
    };
    let shell = run(&honest, &fails);
    let found = shell.run.to_fix().unwrap();
    assert_eq!((found.run.as_str(), found.title.as_str()), ("validate-20261122t223110z-a1b2", "Sign in"));
    assert_eq!(found.source, SubjectSource::Text);
    let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
    assert_eq!(fault.id, "c2");
    assert!(fault.text.starts_with("A wrong password is reported. Seen: "), "{}", fault.text);
    assert!(fault.text.contains("toBeVisible"), "{}", fault.text);
}

#[test]
fn gaps_are_handed_over_before_and_after_the_users_decision() {
    let mut shell = run(&strict, &well);
    assert_eq!(ids(&shell), ["gap-g2", "gap-g1"]);
    decide(&mut shell, "stop");
    assert_eq!(ids(&shell), ["gap-g2", "gap-g1"]);
}

#[test]
fn checks_that_failed_are_handed_over() {
    let fails = |effect: &Effect| match effect {
        Effect::RunCheck { effect, .. } => Decision::CheckRan { effect: *effect, ran: check_ran(2) },
        _ => well(effect),
    };
    let mut settings = checks::checked(&[]);
    settings.checks[0].allow = true;
    let shell = run_of(opened(subject(), settings), &honest, &fails);
    let found = shell.run.to_fix().unwrap();
    assert_eq!(found.faults[0].id, "check-build");
    assert_eq!(found.faults[0].text, "The check build failed: exit code 2.");
}

#[test]
fn what_holds_is_nothing_to_fix() {
    let shell = run(&honest, &well);
    assert_eq!(shell.run.to_fix().unwrap_err().code, ValidationCode::NothingToFix);
    assert_eq!(Run::new().to_fix().unwrap_err().code, ValidationCode::NoRun);
}
