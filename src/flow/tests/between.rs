//! What happens to the files while nothing is being built: a week passes, someone rebases, renames, or continues by hand.

use super::*;

/// The first feature is complete with the tree `t2`; the second one starts on this tree.
fn second_begins_on(tree: &'static str) -> Shell<'static> {
    let effects = Box::leak(Box::new(move |effect: &Effect| match effect {
        Effect::TakeTree { .. } if effect.number() == 10 => tree_taken(effect, tree),
        _ => well(effect),
    }));
    let mut shell = approved(&honest, effects);
    run_next(&mut shell);
    run_next(&mut shell);
    shell
}

#[test]
fn what_changed_since_a_feature_was_complete_is_reported_with_what_it_voids_and_what_to_type() {
    let shell = second_begins_on("t9");
    let expected = "Files have changed since limits was completed: src/limits.js, test/limits.test.js. The \
                    results of limits apply to the earlier files. Every check runs again before the \
                    session is complete. To build limits again, type /flow-reset feature limits first.";
    assert!(flat(&shell.run.history()).contains(expected), "{}", shell.run.history());
    assert!(flat(&status(&shell)).contains("/flow-reset feature limits"), "{}", status(&shell));
    assert!(shell.files["docs/index.md"].contains(expected));
    assert_eq!(shell.json("session.json")["status"], "completed", "every check ran again in a clean copy");
}

#[test]
fn where_nothing_changed_nothing_is_reported() {
    let shell = second_begins_on("t2");
    assert!(!shell.run.history().contains("Files have changed"), "{}", shell.run.history());
}

#[test]
fn what_was_taken_back_is_compared_with_nothing() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    let event = shell.run.reset("limits").unwrap();
    carry_out(&mut shell, event);
    assert_eq!(shell.run.state().unwrap().since_latest(&["a.js".to_owned()]), None);
}
