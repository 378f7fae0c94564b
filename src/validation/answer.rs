//! What an answer is worth: accepted, or to be repaired in the same session.

use super::analysis::{self, Analysis};
use super::prompts;
use super::session::{Accepted, Job, Session, Turn};
use super::suite::{self, Suite};
use super::verification::{self, Verification};
use crate::shared::citation::Grounds;
use crate::shared::reply::{self, accept, fit};
use kernel::protocol::Reply;

/// What follows from an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

/// Judges an answer to the job's present turn.
pub(super) fn judge(session: &Session, job: &Job, reply: &Reply) -> Verdict {
    let given = &session.opening.subject.criteria;
    let criteria = &session.criteria();
    let own = session.own.as_ref();
    let grounds = Grounds::of(reply);
    match job.turn {
        Turn::Verify => {
            let found = reply::object(reply, prompts::VERIFICATION_WORDS, &|object| {
                fit(object, &["criteria"], |value| verification::problems(value, given).len())
            });
            accept(found, |value| {
                let said = Verification::from_reply(value, given)?;
                Ok(Accepted::Verification(said.grounded(grounds)))
            })
        }
        Turn::Analyze => {
            let found = reply::object(reply, prompts::ANALYSIS_WORDS, &|object| {
                fit(object, &["journeys", "gaps"], |value| analysis::problems(value).len())
            });
            accept(found, |value| Ok(Accepted::Analysis(Analysis::from_reply(value)?.grounded(grounds))))
        }
        Turn::Tests | Turn::Mend => {
            let found = reply::object(reply, prompts::SUITE_WORDS, &|object| {
                fit(object, &["files"], |value| suite::problems(value, criteria, own).len())
            });
            accept(found, |value| Suite::from_reply(value, criteria, own).map(Accepted::Suite))
        }
    }
}
