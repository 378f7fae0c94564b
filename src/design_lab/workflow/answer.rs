//! What an answer is worth: accepted, to be repaired in the same session, or neither.

use super::job::{Job, Turn};
use super::state::State;
use crate::design_lab::artefacts::ArtefactCode;
use crate::design_lab::artefacts::{
    ComparisonRules, ComparisonVerdict, Design, Evaluation, Evaluations, ReplyRules, comparison_fit,
    design_fit, evaluations_fit,
};
use crate::design_lab::ids::{DesignId, Label};
use crate::design_lab::prompts::{self, Form};
use crate::shared::extraction::{self, Extraction, Fit};
use crate::shared::reply::{self, fit};
use kernel::problem::Problem;
use kernel::protocol::Reply;
use serde_json::Value;

/// What follows from an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

/// What was asked for.
pub(super) enum Accepted {
    Topic,
    Design {
        design: Design,
        repairs: Vec<String>,
    },
    Prose(String),
    /// Under the designs' real ids.
    Scores {
        evaluations: Vec<Evaluation>,
        repairs: Vec<String>,
    },
    Comparison {
        verdict: ComparisonVerdict,
        repairs: Vec<String>,
    },
}

/// Judges an answer to the job's present turn.
pub(super) fn judge(state: &State, job: &Job, reply: &Reply) -> Verdict {
    match job.turn {
        // A useless name is no reason to ask again: the task's own words serve as well.
        Turn::Topic => Verdict::Accept(Box::new(Accepted::Topic)),
        Turn::Design | Turn::Refine | Turn::Merge => design(state, job, reply),
        Turn::Prose => prose(state, job, reply),
        Turn::Scores => scores(state, job, reply),
        Turn::Compare => comparison(state, job, reply),
    }
}

/// Puts what was accepted into the job; says the turn that follows, if any.
pub(super) fn store(job: &mut Job, accepted: Accepted) -> Option<Turn> {
    match accepted {
        Accepted::Topic => None,
        Accepted::Design { design, repairs } => {
            job.part.product.design = Some(design);
            job.part.product.repairs = repairs;
            None
        }
        Accepted::Prose(text) => {
            job.part.product.prose = Some(text);
            Some(Turn::Scores)
        }
        Accepted::Scores { evaluations, repairs } => {
            job.part.product.evaluations = Some(evaluations);
            job.part.product.repairs = repairs;
            None
        }
        Accepted::Comparison { verdict, repairs } => {
            job.part.product.verdict = Some(verdict);
            job.part.product.repairs = repairs;
            None
        }
    }
}

fn design(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let found = match object(reply, Form::Design, &|object| fit(object, &DESIGN_KEYS, design_fit)) {
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    let design = match state.presented.get(&job.id) {
        Some(shown) if job.turn == Turn::Merge => {
            Design::merged_from_reply(found.value, &shown.pairs().collect::<Vec<_>>())
        }
        _ => Design::from_reply(found.value),
    };
    match design {
        Ok(design) => {
            Verdict::Accept(Box::new(Accepted::Design { design, repairs: account(&found.repairs) }))
        }
        Err(problems) => mend(&problems, &[]),
    }
}

fn prose(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let text = reply.text.trim();
    let labels = state.presented.get(&job.id).map_or(&[][..], |presented| &presented.labels);
    let speaks_of_a_design = labels.iter().any(|label| text.contains(label.as_str()));
    let words = Form::Review.words();
    let (prompt, reason) = if let Some(interruption) = reply::interruption(reply) {
        (reply::interrupted(words, interruption), interruption.sentence())
    } else if text.is_empty() {
        (reply::empty(words), "The reply is empty.")
    } else if reply.finish == "length" {
        (reply::shorten(words), "The review hit the limit of its length before its end.")
    } else if !speaks_of_a_design && reply::is_refusal(text) {
        (reply::refused(words), reply::REFUSED)
    } else {
        return Verdict::Accept(Box::new(Accepted::Prose(text.to_owned())));
    };
    Verdict::Repair { prompt, reason: reason.to_owned() }
}

fn scores(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let Some(presented) = state.presented.get(&job.id) else {
        return mend(&[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")], &[]);
    };
    let criteria = &state.opening.config.scoring_criteria;
    let rules = ReplyRules {
        labels: &presented.labels,
        dimensions: &criteria.dimensions,
        require_justification: criteria.require_justification,
    };
    let found = match object(reply, Form::Scores, &|object| {
        fit(object, &["evaluations"], |value| evaluations_fit(value, &rules))
    }) {
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    if found.is_ambiguous() {
        return several();
    }
    match Evaluations::from_reply(found.value, &rules) {
        Ok(reply) => {
            let mut evaluations: Vec<Evaluation> = reply
                .evaluations
                .into_iter()
                .filter_map(|evaluation| {
                    let design = presented.design(&evaluation.design_id)?.clone();
                    Some(evaluation.of(design))
                })
                .collect();
            let place = |id: &DesignId| state.designs().position(|(design, _)| design == *id);
            evaluations.sort_by_key(|evaluation| place(&evaluation.design_id));
            Verdict::Accept(Box::new(Accepted::Scores { evaluations, repairs: account(&found.repairs) }))
        }
        Err(problems) => mend(&problems, &presented.labels),
    }
}

fn comparison(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let Some(presented) = state.presented.get(&job.id) else {
        return mend(&[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")], &[]);
    };
    let criteria = &state.opening.config.scoring_criteria;
    let rules = ComparisonRules {
        labels: &presented.labels,
        dimensions: &criteria.dimensions,
        require_justification: criteria.require_justification,
    };
    let found = object(reply, Form::Comparison, &|object| {
        fit(object, &["preferred"], |value| comparison_fit(value, &rules))
    });
    if found.as_ref().is_ok_and(Extraction::is_ambiguous) {
        return several();
    }
    match found.map(|found| (ComparisonVerdict::from_reply(&found.value, &rules), found.repairs)) {
        Err(verdict) => verdict,
        Ok((Err(problems), _)) => mend(&problems, &[]),
        Ok((Ok(verdict), repairs)) => {
            Verdict::Accept(Box::new(Accepted::Comparison { verdict, repairs: account(&repairs) }))
        }
    }
}

/// The object that the answer holds, or what to do about its lack.
fn object(reply: &Reply, form: Form, fit: &dyn Fn(&Value) -> Fit) -> Result<Extraction, Verdict> {
    reply::object(reply, form.words(), fit).map_err(reply::Unusable::verdict)
}

/// Which of several judgements counts is the reviewer's to say.
fn several() -> Verdict {
    reply::several().verdict()
}

/// The top-level keys of a design: what tells one from any other object.
const DESIGN_KEYS: [&str; 9] = [
    "title",
    "summary",
    "assumptions",
    "architecture_overview",
    "components",
    "data_flow",
    "tradeoffs",
    "risks",
    "open_questions",
];

/// Asks to mend these faults. Where an id is at fault, all valid ones are listed: guessing would cost another prompt.
fn mend(problems: &[Problem], labels: &[Label]) -> Verdict {
    let about_ids = problems.iter().any(|problem| ID_FAULTS.iter().any(|fault| problem.code == *fault));
    let labels = if about_ids { labels } else { &[] };
    Verdict::Repair { prompt: prompts::repair(problems, labels), reason: reply::faults(problems) }
}

const ID_FAULTS: [ArtefactCode; 3] = [
    ArtefactCode::ReviewDuplicateEvaluation,
    ArtefactCode::ReviewMissingDesign,
    ArtefactCode::ReviewUnknownDesign,
];

fn account(repairs: &[extraction::Repair]) -> Vec<String> {
    repairs.iter().map(ToString::to_string).collect()
}
