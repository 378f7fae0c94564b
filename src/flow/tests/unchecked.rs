//! Plans in which no check decides a criterion: only a reviewer's opinion would complete them.

use super::*;

/// A planner whose criteria are all decided by review, or by nothing.
fn by_word_alone(ask: &Ask) -> Does {
    match honest(ask) {
        Does::Says(text) if ask.job.as_str().starts_with("plan") => {
            Does::Says(text.replace(r#""verified_by":"unit""#, r#""verified_by":"review""#))
        }
        other => other,
    }
}

#[test]
fn it_is_shown_as_such_and_needs_a_person() {
    let mut shell = Shell::new(&by_word_alone, Order::FirstIn).with_effects(&well);
    shell.feed(opened(true));
    assert_eq!(shell.finish(), Outcome::Stopped);
    assert_eq!(code(&shell), "approval.unchecked");
    assert_eq!(shell.json("session.json")["status"], "awaiting_user");
    assert!(shell.prompts_to("acme/worker").is_empty());
    let expected = "No check verifies any criterion of this plan. Only a reviewer's opinion would complete its features.";
    assert!(flat(&status(&shell)).contains(expected), "{}", status(&shell));

    let mut shell = approve(shell);
    let event = shell.run.automate(&[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
    let shown = status(&shell);
    assert!(shown.contains("  ? limits") && shown.contains("  ? api") && !shown.contains('✓'), "{shown}");
    assert!(
        flat(&shown).contains(
            "no check verifies any criterion of this feature: only a reviewer's opinion completed it"
        )
    );
}

#[test]
fn one_check_that_decides_is_enough_and_marks_its_feature() {
    let one = |ask: &Ask| match by_word_alone(ask) {
        Does::Says(text) => {
            Does::Says(text.replacen(r#""verified_by":"review""#, r#""verified_by":"unit""#, 1))
        }
        other => other,
    };
    let mut shell = Shell::new(&one, Order::FirstIn).with_effects(&well);
    shell.feed(opened(true));
    assert_eq!(shell.finish(), Outcome::Complete);
    let shown = status(&shell);
    assert!(shown.contains("  ✓ limits") && shown.contains("  ? api"), "{shown}");
}

#[test]
fn a_session_of_earlier_rules_goes_ahead() {
    let mut shell = drafted_under(2, &by_word_alone, &well);
    let event = shell.run.automate(&[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
}
