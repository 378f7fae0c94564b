//! Replies of real models to a request for a plan: no useless reply is accepted.

use super::*;
use crate::shared::reply::corpus::rows;

#[test]
fn no_plan_that_copies_the_form_is_accepted() {
    let rows = rows("plan");
    assert!(!rows.is_empty());
    for row in rows {
        let script = |ask: &Ask| match ask.job.as_str() {
            "plan:1" if ask.text.starts_with("# Goal") => Does::Ends(row.text.clone(), row.finish),
            _ => honest(ask),
        };
        let mut shell = Shell::new(&script, Order::FirstIn);
        shell.feed(opening());
        shell.finish();
        let plans: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str() == "plan:1").collect();
        row.assert_asked(plans.get(1).map(|ask| ask.text.as_str()));
        assert!(plans[1].temperature >= 1.0, "{}", plans[1].temperature);
    }
}

/// Each program of a plan is looked up before the plan is shown; the planner is asked about missing ones.
#[test]
fn a_check_whose_program_is_not_installed_is_planned_again() {
    use kernel::protocol::{LookedUp, PathFound, Reply};
    let replied = |found: PathFound| {
        let looked_up = LookedUp { path: "$PATH/npm".to_owned(), found, lines: None, place: None };
        let text = plan_value().to_string();
        Box::new(Reply { text, finish: "stop".to_owned(), looked_up: vec![looked_up], ..Reply::default() })
    };
    let script = |ask: &Ask| match ask.job.as_str() {
        "plan:1" if ask.text.starts_with("# Goal") => Does::Replies(replied(PathFound::Nothing)),
        "plan:1" => Does::Replies(replied(PathFound::File)),
        _ => honest(ask),
    };
    let mut shell = Shell::new(&script, Order::FirstIn);
    shell.feed(opening());
    assert_eq!(shell.finish(), Outcome::Complete);
    let plans: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str() == "plan:1").collect();
    let [_, again] = plans[..] else { panic!("one repair") };
    assert!(
        again.text.contains("/features/1/verification/1/command: This program isn't installed here."),
        "{}",
        again.text
    );
    let mut own = plan();
    assert_eq!(own.programs(), ["$PATH/node", "$PATH/node", "$PATH/npm"]);
    own.features[0].verification[0].command = vec!["./src/limits.js".to_owned()];
    own.features[1].verification[0].command = vec!["bin/check".to_owned()];
    assert_eq!(own.programs(), ["bin/check", "$PATH/npm"], "a feature writes the first");
}
