//! Judges an answer: it is accepted, or has to be repaired in the same session.

use super::analysis::{self, Analysis};
use super::prompts;
use super::session::{Accepted, Job, Session, Turn};
use super::suite::{self, Suite};
use super::verification::{self, Verification};
use crate::shared::citation::Grounds;
use crate::shared::reply::{self, FormTexts, accept, fit, own};
use kernel::problem::Problem;
use kernel::protocol::Reply;
use serde_json::Value;
use std::sync::LazyLock;

/// The verdict on an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

static FORMS: LazyLock<FormTexts> = LazyLock::new(|| FormTexts::of(&prompts::FORMS));
/// The keys whose values may be a single word that also appears in the form.
const CHOICES: [&str; 6] = ["id", "verdict", "severity", "type", "journey", "criterion"];

/// Judges an answer to the job's current turn.
pub(super) fn judge(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    let given = job.part.asked();
    let criteria = &session.criteria();
    let tests = session.own.as_ref();
    let rules = session.opening.acceptance;
    let fast_check = session.opening.rule_seed.is_some();
    let copied = |value: &Value| -> Vec<Problem> {
        let mut problems = reply::blanks(value, rules);
        if rules.want_own_words() {
            problems.extend(FORMS.copied(value, &CHOICES));
        }
        problems
    };
    let grounds = Grounds::of(reply);
    match job.turn {
        Turn::Verify | Turn::Criteria => {
            let found = reply::object(reply, rules, prompts::VERIFICATION_WORDS, &|object| {
                fit(object, &["criteria"], |value| {
                    verification::problems(value, given).len() + copied(value).len()
                })
            });
            accept(found, |value| {
                let said = own(copied(value), Verification::from_reply(value, given))?;
                Ok(Accepted::Verification(said.grounded(grounds)))
            })
        }
        Turn::Analyze => {
            let found = reply::object(reply, rules, prompts::ANALYSIS_WORDS, &|object| {
                fit(object, &["journeys", "gaps"], |value| {
                    analysis::problems(value).len() + copied(value).len()
                })
            });
            accept(found, |value| {
                let said = own(copied(value), Analysis::from_reply(value))?;
                Ok(Accepted::Analysis(said.grounded(grounds)))
            })
        }
        Turn::Tests | Turn::Fix => {
            let found = reply::object(reply, rules, prompts::SUITE_WORDS, &|object| {
                fit(object, &["files"], |value| {
                    suite::problems(value, criteria, tests, rules, fast_check).len() + copied(value).len()
                })
            });
            accept(found, |value| {
                let suite = Suite::from_reply(value, criteria, tests, rules, fast_check);
                own(copied(value), suite).map(Accepted::Suite)
            })
        }
    }
}
