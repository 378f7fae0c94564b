//! Replies of real models about an application that they have not read: nothing useless is accepted.

use super::*;
use crate::shared::reply::corpus::rows;

#[test]
fn no_answer_that_copies_the_form_is_accepted() {
    for (kind, job, scope) in [("verify", "verify:1", Scope::Work), ("journeys", "journeys:1", Scope::Flows)]
    {
        let rows = rows(kind);
        assert!(!rows.is_empty(), "{kind}");
        for row in rows {
            let first = std::cell::Cell::new(true);
            let script = |ask: &Ask| {
                if ask.job.as_str() == job && first.take() {
                    Does::Ends(row.text.clone(), row.finish)
                } else {
                    honest(ask)
                }
            };
            let mut shell = Shell::new(&script, Order::FirstIn).with_effects(&well);
            shell.feed(opened_as(scope, subject(), settings()));
            shell.finish();
            let asked: Vec<&Ask> = shell.asked.iter().filter(|ask| ask.job.as_str() == job).collect();
            row.assert_asked(asked.get(1).map(|ask| ask.text.as_str()));
        }
    }
}
