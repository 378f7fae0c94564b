//! The verdict on an answer: accepted, or to be repaired in the same session.

use super::exam::{self, AskedExam, Exam};
use super::examining;
use super::plan::{self, Feature, Plan};
use super::prompts;
use super::race;
use super::report::{self, Report};
use super::review::{self, Asked, Review};
use super::review_parts::Parts;
use super::session::{Accepted, Job, Session, Turn};
use crate::shared::citation::Grounds;
use crate::shared::reply::{self, FormTexts, accept, fit, own};
use kernel::problem::Problem;
use kernel::protocol::Reply;
use serde_json::Value;
use std::sync::LazyLock;

/// The verdict on an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

static FORMS: LazyLock<FormTexts> = LazyLock::new(|| FormTexts::of(&prompts::FORMS));
/// The fields in which an answer may use a single word that its form also contains.
const CHOICES: [&str; 14] = [
    "id",
    "depends_on",
    "implements",
    "files",
    "command",
    "scope",
    "verified_by",
    "outcome",
    "decision",
    "severity",
    "check",
    "concern",
    "path",
    "criteria",
];

/// The parts of an answer that are copied from its form, or empty.
fn copied(session: &Session, value: &Value) -> Vec<Problem> {
    let rules = session.opening.acceptance;
    let mut problems = reply::blanks(value, rules);
    if rules.want_own_words() {
        problems.extend(FORMS.copied(value, &CHOICES));
    }
    problems
}

/// Judges an answer to the job's current turn.
pub(super) fn judge(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    match job.turn {
        Turn::Plan => a_plan(session, reply),
        Turn::Work | Turn::Fix => a_report(session, reply),
        Turn::Review | Turn::Criteria => a_review(session, job, reply),
        Turn::Exam => an_exam(session, job, reply),
    }
}

fn a_plan(session: &Session, reply: &Reply) -> Verdict {
    let completed: Vec<Feature> = session.completed().cloned().collect();
    let basis = session.opening.basis();
    let copied = |value: &Value| {
        let mut problems = copied(session, value);
        if session.opening.acceptance.want_own_words() {
            problems.extend(plan::placeholders(value));
        }
        problems
    };
    let found = reply::object(reply, session.opening.acceptance, prompts::PLAN_WORDS, &|object| {
        fit(object, &["features"], |value| {
            plan::problems(value, &completed, basis).len() + copied(value).len()
        })
    });
    accept(found, |value| {
        let plan = own(copied(value), Plan::from_reply(value, &completed, basis))?;
        let mut problems = plan.unfound(&reply.looked_up);
        problems.extend(session.denied_in(&plan));
        if problems.is_empty() { Ok(Accepted::Plan(plan)) } else { Err(problems) }
    })
}

fn a_report(session: &Session, reply: &Reply) -> Verdict {
    let found = reply::object(reply, session.opening.acceptance, prompts::REPORT_WORDS, &|object| {
        fit(object, &["outcome", "summary"], |value| {
            report::problems(value).len() + copied(session, value).len()
        })
    });
    if found.as_ref().is_err_and(|unusable| unusable.reason == reply::REFUSED) {
        // The prompt after a refusal says that nothing has to be built, which isn't true here.
        return Verdict::Repair { prompt: reply::missing(), reason: reply::REFUSED.to_owned() };
    }
    accept(found, |value| own(copied(session, value), Report::from_reply(value)).map(Accepted::Report))
}

fn a_review(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    let feature = &session.reviewed_feature(job.part.whole).unwrap_or_default();
    let asked = job.part.parts.as_ref().map_or(Asked::Everything, Parts::asked);
    let keys: &[&str] = match asked {
        Asked::Everything => &["decision", "criteria", "findings"],
        Asked::Findings { .. } => &["decision", "findings"],
        Asked::Criteria(_) => &["criteria"],
    };
    let found = reply::object(reply, session.opening.acceptance, prompts::REVIEW_WORDS, &|object| {
        fit(object, keys, |value| {
            review::problems(value, feature, asked).len() + copied(session, value).len()
        })
    });
    accept(found, |value| {
        let review = own(copied(session, value), Review::from_reply(value, feature, asked))?;
        let problems = review.ungrounded(Grounds::of(reply), &session.reviewed_changes(job.part.whole));
        if problems.is_empty() { Ok(Accepted::Review(review)) } else { Err(problems) }
    })
}

fn an_exam(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    let of = &session.reviewed_feature(job.part.whole).unwrap_or_default();
    let checks = session.examining_checks();
    let most = if session.is_race() { race::TESTS } else { examining::TESTS };
    let asked = AskedExam { of, checks: &checks, most };
    let found = reply::object(reply, session.opening.acceptance, prompts::EXAM_WORDS, &|object| {
        fit(object, &["tests", "left_out"], |value| {
            exam::problems(value, &asked).len() + copied(session, value).len()
        })
    });
    accept(found, |value| {
        let exam = own(copied(session, value), Exam::from_reply(value, &asked))?;
        let problems = Exam::ungrounded(Grounds::of(reply));
        if problems.is_empty() { Ok(Accepted::Exam(exam)) } else { Err(problems) }
    })
}
