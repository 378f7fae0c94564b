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
    Prose {
        text: String,
        /// What asks to mend the scores that came with it, if any did.
        mending: Option<String>,
    },
    Scores(Scores),
    /// Both in one answer.
    Whole {
        /// `None` where the scores came alone.
        prose: Option<String>,
        scores: Scores,
    },
    Comparison {
        verdict: ComparisonVerdict,
        repairs: Vec<String>,
    },
}

/// What a reviewer scored.
pub(super) struct Scores {
    /// Under the designs' real ids.
    evaluations: Vec<Evaluation>,
    repairs: Vec<String>,
}

/// Judges an answer to the job's present turn.
pub(super) fn judge(state: &State, job: &Job, reply: &Reply) -> Verdict {
    match job.turn {
        // A useless name is no reason to ask again: the task's own words serve as well.
        Turn::Topic => Verdict::Accept(Box::new(Accepted::Topic)),
        Turn::Design | Turn::Refine | Turn::Merge => design(state, job, reply),
        Turn::Prose => match prose(state, job, reply, &reply.text, Form::Review) {
            Ok(text) => Verdict::Accept(Box::new(Accepted::Prose { text, mending: None })),
            Err(verdict) => verdict,
        },
        Turn::Whole => whole(state, job, reply),
        Turn::Scores => match scores(state, job, reply) {
            Ok(scores) => Verdict::Accept(Box::new(Accepted::Scores(scores))),
            Err(verdict) => verdict,
        },
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
        Accepted::Prose { text, mending } => {
            job.part.product.prose = Some(text);
            job.part.product.mending = mending;
            Some(Turn::Scores)
        }
        Accepted::Scores(scores) => {
            job.part.product.evaluations = Some(scores.evaluations);
            job.part.product.repairs = scores.repairs;
            None
        }
        Accepted::Whole { prose, scores } => {
            job.part.product.prose = prose;
            store(job, Accepted::Scores(scores))
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

/// The written review that `text` is, or what to do about its lack.
fn prose(state: &State, job: &Job, reply: &Reply, text: &str, form: Form) -> Result<String, Verdict> {
    let text = text.trim();
    let labels = state.presented.get(&job.id).map_or(&[][..], |presented| &presented.labels);
    let speaks_of_a_design = labels.iter().any(|label| text.contains(label.as_str()));
    let words = form.words();
    let (prompt, reason) = if let Some(interruption) = reply::interruption(reply) {
        (reply::interrupted(words, interruption), interruption.sentence())
    } else if text.is_empty() {
        (reply::empty(words), "The reply is empty.")
    } else if reply.finish == "length" {
        (reply::shorten(words), "The review hit the limit of its length before its end.")
    } else if !speaks_of_a_design && reply::is_refusal(text) {
        (reply::refused(words), reply::REFUSED)
    } else {
        return Ok(text.to_owned());
    };
    Err(Verdict::Repair { prompt, reason: reason.to_owned() })
}

/// A written review and the scores below it. Where the review is there and the scores can't be used, it stays, and they are asked for
/// as in a second turn, with what is wrong with them.
fn whole(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let (text, _) = reply.text.split_at(scores_begin(&reply.text));
    match (scores(state, job, reply), prose(state, job, reply, text, Form::Whole)) {
        // Scores that are all there count, whatever ended the answer.
        (Ok(scores), _) => {
            let prose = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            Verdict::Accept(Box::new(Accepted::Whole { prose, scores }))
        }
        (Err(Verdict::Repair { prompt, .. }), Ok(text)) => {
            Verdict::Accept(Box::new(Accepted::Prose { text, mending: Some(prompt) }))
        }
        (Err(verdict), _) => verdict,
    }
}

/// Where the object with the scores begins, with the fence around it; the end of the text where none is seen.
fn scores_begin(text: &str) -> usize {
    let key = text.rfind("\"evaluations\"");
    let Some(brace) = key.and_then(|key| text[..key].rfind('{')) else { return text.len() };
    let before = text[..brace].trim_end();
    let fence = before.rfind('\n').map_or(0, |end| end + 1);
    if before[fence..].trim_start().starts_with("```") { fence } else { brace }
}

fn scores(state: &State, job: &Job, reply: &Reply) -> Result<Scores, Verdict> {
    let Some(presented) = state.presented.get(&job.id) else {
        return Err(mend(&[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")], &[]));
    };
    let criteria = &state.opening.config.scoring_criteria;
    let rules = ReplyRules {
        labels: &presented.labels,
        dimensions: &criteria.dimensions,
        require_justification: criteria.require_justification,
    };
    let found = object(reply, Form::Scores, &|object| {
        fit(object, &["evaluations"], |value| evaluations_fit(value, &rules))
    })?;
    if found.is_ambiguous() {
        return Err(several());
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
            Ok(Scores { evaluations, repairs: account(&found.repairs) })
        }
        Err(problems) => Err(mend(&problems, &presented.labels)),
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
