//! A reviewer that hasn't looked: its review is requested again, and completes nothing.

use super::lies::blocked;
use super::*;
use crate::flow::review::{Asked, Review};
use crate::shared::citation::Grounds;
use kernel::protocol::{LookedUp, PathFound, Reply};

/// The correct review, based on these grounds.
fn resting_on(ask: &Ask, reads: Option<u32>, place: &str, found: (&str, PathFound, Option<u32>)) -> Does {
    let mut answer = right(ask);
    if !ask.job.as_str().starts_with("review") {
        return Does::Says(answer.to_string());
    }
    answer["criteria"][0]["where"] = json!(place);
    let (path, found, lines) = found;
    let looked_up = vec![LookedUp { path: path.to_owned(), found, lines, place: None }];
    let text = answer.to_string();
    Does::Replies(Box::new(Reply { text, finish: "stop".to_owned(), reads, looked_up, ..Reply::default() }))
}

#[test]
fn an_approval_by_a_place_that_is_not_there_is_none() {
    for (place, reads, found) in [
        ("src/ghost.js:42", Some(3), ("src/ghost.js", PathFound::Nothing, None)),
        ("see src/limits.js:42", Some(3), ("src/limits.js", PathFound::File, Some(9))),
        ("src/limits.js:1", Some(0), ("src/limits.js", PathFound::File, Some(9))),
    ] {
        let script = |ask: &Ask| resting_on(ask, reads, place, found);
        assert_eq!(blocked(&script, &well).0, "run.reviewer-failed", "{place}");
    }
}

#[test]
fn the_reviewer_hears_what_is_not_there_and_may_look_again() {
    let script = |ask: &Ask| {
        if ask.text.contains("src/ghost.js:42, which doesn't exist") {
            return honest(ask);
        }
        resting_on(ask, Some(3), "src/ghost.js:42", ("src/ghost.js", PathFound::Nothing, None))
    };
    let mut shell = approved(&script, &well);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let reviews = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("review"));
    assert_eq!(reviews.count(), 2);
}

#[test]
fn what_the_change_took_away_and_what_nobody_looked_up_count() {
    for (place, reads, found) in [
        // The paths of the change, as `tree_taken` has them.
        ("test/limits.test.js", Some(3), ("test/limits.test.js", PathFound::Nothing, None)),
        ("src/ghost.js:42", None, ("src/other.js", PathFound::Nothing, None)),
        ("the output of unit: 3 passed", Some(3), ("unit", PathFound::Nothing, None)),
    ] {
        let script = |ask: &Ask| resting_on(ask, reads, place, found);
        let mut shell = approved(&script, &well);
        assert_eq!(run_next(&mut shell), Outcome::Complete, "{place}");
    }
}

#[test]
fn a_finding_may_name_a_file_that_is_missing_but_no_line_of_it() {
    let feature = &plan().features[0];
    let reply = Reply {
        reads: Some(1),
        looked_up: vec![LookedUp {
            path: "test/ghost.test.js".to_owned(),
            found: PathFound::Nothing,
            lines: None,
            place: None,
        }],
        ..Reply::default()
    };
    for (line, codes) in [(Value::Null, &[][..]), (json!(4), &["review.citation"])] {
        let review = Review::from_reply(
            &json!({
                "decision": "needs_fix",
                "criteria": [
                    {"id": "refills", "met": false, "where": "test/ghost.test.js:4"},
                    {"id": "readable", "met": true, "where": "it is"},
                ],
                "findings": [{"severity": "major", "file": "test/ghost.test.js", "line": line, "text": "No test"}],
            }),
            feature,
            Asked::Everything,
        )
        .unwrap();
        let problems = review.ungrounded(Grounds::of(&reply), &[]);
        let found: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
        assert_eq!(found, codes);
    }
}
