//! What an answer is worth: accepted, or to be repaired in the same session.

use super::plan::{self, Feature, Plan};
use super::prompts;
use super::report::{self, Report};
use super::review::{self, Review};
use super::session::{Accepted, Job, Session, Turn};
use crate::shared::citation::Grounds;
use crate::shared::reply::{self, accept, fit};
use kernel::protocol::Reply;

/// What follows from an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

/// Judges an answer to the job's present turn.
pub(super) fn judge(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    match job.turn {
        Turn::Plan => a_plan(session, reply),
        Turn::Work | Turn::Mend => a_report(reply),
        Turn::Review => a_review(session, job, reply),
    }
}

fn a_plan(session: &Session, reply: &Reply) -> Verdict {
    let completed: Vec<Feature> = session.completed().cloned().collect();
    let basis = session.opening.basis();
    let found = reply::object(reply, prompts::PLAN_WORDS, &|object| {
        fit(object, &["features"], |value| plan::problems(value, &completed, basis).len())
    });
    accept(found, |value| Plan::from_reply(value, &completed, basis).map(Accepted::Plan))
}

fn a_report(reply: &Reply) -> Verdict {
    let found = reply::object(reply, prompts::REPORT_WORDS, &|object| {
        fit(object, &["outcome", "summary"], |value| report::problems(value).len())
    });
    if found.as_ref().is_err_and(|unusable| unusable.reason == reply::REFUSED) {
        // The prompt after a refusal says that nothing is to be built, and here something is.
        return Verdict::Repair { prompt: reply::missing(), reason: reply::REFUSED.to_owned() };
    }
    accept(found, |value| Report::from_reply(value).map(Accepted::Report))
}

fn a_review(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    let feature = &session.reviewed_feature(job.part.whole).unwrap_or_default();
    let found = reply::object(reply, prompts::REVIEW_WORDS, &|object| {
        fit(object, &["decision", "criteria", "findings"], |value| review::problems(value, feature).len())
    });
    accept(found, |value| {
        let review = Review::from_reply(value, feature)?;
        let problems = review.ungrounded(Grounds::of(reply), &session.reviewed_changes(job.part.whole));
        if problems.is_empty() { Ok(Accepted::Review(review)) } else { Err(problems) }
    })
}
