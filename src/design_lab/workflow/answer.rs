//! How an answer is judged: accepted, to be repaired in the same session, or neither.

use super::job::{Job, Product, Turn};
use super::map::Mapping;
use super::question;
use super::state::State;
use crate::design_lab::anonymity;
use crate::design_lab::artefacts::{
    ArtefactCode, CitedPlace, Claim, ComparisonRules, ComparisonVerdict, DESIGN_KEYS, DecisionMap, Design,
    Evaluation, Evaluations, MAP_KEYS, ReplyRules, ShownDesign, comparison_copies, comparison_fit,
    design_copies, design_fit, detail_copies, drafted_rubric, echoes, evaluations_fit, is_undiscriminating,
    readable_design, readable_scores, rubric_copies, scores_copies,
};
use crate::design_lab::claims;
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::{DesignId, Label};
use crate::design_lab::prompts::{self, Form};
use crate::shared::citation;
use crate::shared::extraction::{self, Extraction, Fit};
use crate::shared::reply::{self, fit};
use design_lab_numerics::sorting::{set, sort_by_key};
use kernel::problem::Problem;
use kernel::protocol::{LookedUp, Reply};
use serde_json::Value;

/// The verdict on an answer.
type Verdict = kernel::workflow::Verdict<Accepted>;

/// The content of an accepted answer.
pub(super) enum Accepted {
    Topic,
    Design {
        design: Box<Design>,
        repairs: Vec<String>,
        /// Whether it has to be asked what it states about the project.
        asks_claims: bool,
    },
    /// What a design states about the project.
    Claims(Vec<Claim>),
    Rubric {
        dimensions: Vec<Dimension>,
        repairs: Vec<String>,
    },
    Prose {
        text: String,
        /// The prompt that asks to fix the scores that came with it, if any did.
        fix: Option<String>,
        looked_up: Vec<LookedUp>,
    },
    Scores(Scores),
    /// Review and scores in one answer.
    Whole {
        /// `None` when the scores came alone.
        prose: Option<String>,
        scores: Scores,
        looked_up: Vec<LookedUp>,
    },
    Comparison {
        verdict: ComparisonVerdict,
        repairs: Vec<String>,
        looked_up: Vec<LookedUp>,
    },
    Map {
        map: Mapping,
        repairs: Vec<String>,
    },
}

/// A reviewer's scores.
pub(super) struct Scores {
    /// Under the designs' real ids.
    evaluations: Vec<Evaluation>,
    repairs: Vec<String>,
    /// Whether they are the same for every design.
    undiscriminating: bool,
}

/// Judges an answer to the job's current turn.
pub(super) fn judge(state: &State, job: &Job, reply: &Reply) -> Verdict {
    match job.turn {
        // A useless name is no reason to retry: the task's own words will do.
        Turn::Topic => Verdict::Accept(Box::new(Accepted::Topic)),
        Turn::Rubric => rubric(state, reply),
        Turn::Design | Turn::Refine | Turn::Merge => design(state, job, reply),
        Turn::Claims => Verdict::Accept(Box::new(Accepted::Claims(listed_claims(state, reply)))),
        Turn::Prose => match prose(state, job, reply, &reply.text, Form::Review) {
            Ok(text) => {
                let looked_up = reply.looked_up.clone();
                Verdict::Accept(Box::new(Accepted::Prose { text, fix: None, looked_up }))
            }
            Err(verdict) => verdict,
        },
        Turn::Whole => whole(state, job, reply),
        Turn::Scores => match scores(state, job, reply) {
            Ok(scores) => Verdict::Accept(Box::new(Accepted::Scores(scores))),
            Err(verdict) => verdict,
        },
        Turn::Compare => comparison(state, job, reply),
        Turn::Map => map(state, job, reply),
    }
}

/// Stores an accepted answer in the job; returns the turn that follows, if any.
pub(super) fn store(job: &mut Job, accepted: Accepted) -> Option<Turn> {
    match accepted {
        Accepted::Topic => None,
        Accepted::Design { design, repairs, asks_claims } => {
            job.part.product.design = Some(*design);
            job.part.product.repairs = repairs;
            asks_claims.then_some(Turn::Claims)
        }
        Accepted::Claims(claims) => {
            if let Some(design) = &mut job.part.product.design {
                design.claims = claims;
            }
            None
        }
        Accepted::Rubric { dimensions, repairs } => {
            job.part.product.rubric = Some(dimensions);
            job.part.product.repairs = repairs;
            None
        }
        Accepted::Prose { text, fix, looked_up } => {
            job.part.product.looked_up = looked_up;
            job.part.product.prose = Some(text);
            job.part.product.fix = fix;
            Some(Turn::Scores)
        }
        Accepted::Scores(scores) => {
            job.part.product.evaluations = Some(scores.evaluations);
            job.part.product.undiscriminating = scores.undiscriminating;
            job.part.product.repairs = scores.repairs;
            None
        }
        Accepted::Whole { prose, scores, looked_up } => {
            job.part.product.looked_up = looked_up;
            job.part.product.prose = prose;
            store(job, Accepted::Scores(scores))
        }
        Accepted::Comparison { verdict, repairs, looked_up } => {
            job.part.product.looked_up = looked_up;
            job.part.product.verdict = Some(verdict);
            job.part.product.repairs = repairs;
            None
        }
        Accepted::Map { map, repairs } => {
            job.part.product.map = Some(map);
            job.part.product.repairs = repairs;
            None
        }
    }
}

/// The parts of an object that are copied from its form, or empty.
fn faults(state: &State, value: &Value, copies: fn(&Value) -> Vec<Problem>) -> Vec<Problem> {
    let rules = state.opening.acceptance;
    let mut problems = reply::blanks(value, rules);
    if rules.want_own_words() {
        problems.extend(copies(value));
    }
    problems
}

fn design(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let own = state.opening.acceptance.want_own_words();
    let read = |value: &Value| if own { readable_design(value) } else { value.clone() };
    let of_form = |value: &Value| {
        let mut problems = faults(state, value, design_copies);
        if state.opening.acceptance.want_details() {
            problems.extend(detail_copies(value));
        }
        problems
    };
    let found = object(state, reply, Form::Design, &|object| {
        fit(&read(object), &DESIGN_KEYS, |value| design_fit(value) + of_form(value).len())
    });
    let found = match found {
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    let value = read(&found.value);
    let copied = of_form(&value);
    let lists_claims = [&value["claims"], &value["design"]["claims"]].iter().any(|claims| claims.is_array());
    let design = match state.presented.get(&job.id) {
        Some(shown) if job.turn == Turn::Merge => {
            Design::merged_from_reply(value, &shown.pairs().collect::<Vec<_>>())
        }
        _ => Design::from_reply(value),
    };
    match reply::own(copied, design) {
        Ok(mut design) => {
            let is_checked = state.opening.acceptance.want_checked_claims();
            if is_checked {
                claims::check(&mut design.claims, &reply.looked_up);
            } else {
                design.claims.clear();
            }
            if !state.opening.acceptance.want_details() {
                design.forget_details();
            }
            let sees_project = !state.opening.lacks_tools(&job.part.model.model_id);
            let asks_claims =
                is_checked && !lists_claims && sees_project && claims::has_code(&reply.looked_up);
            Verdict::Accept(Box::new(Accepted::Design {
                design: Box::new(design),
                repairs: account(&found.repairs),
                asks_claims,
            }))
        }
        Err(problems) => ask_to_fix(&problems, &[]),
    }
}

/// A draft of the rubric. It may name no author, since reviewers read it.
fn rubric(state: &State, reply: &Reply) -> Verdict {
    let names = state.names();
    let names_author = |text: &str| anonymity::scrubbed(text, &names) != *text;
    let of_form = |value: &Value| faults(state, value, rubric_copies);
    let found = object(state, reply, Form::Rubric, &|object| {
        fit(object, &["dimensions"], |value| {
            drafted_rubric(value, &names_author).err().map_or(0, |faults| faults.len()) + of_form(value).len()
        })
    });
    let found = match found {
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    match reply::own(of_form(&found.value), drafted_rubric(&found.value, &names_author)) {
        Ok(dimensions) => {
            Verdict::Accept(Box::new(Accepted::Rubric { dimensions, repairs: account(&found.repairs) }))
        }
        Err(problems) => ask_to_fix(&problems, &[]),
    }
}

/// The claims of a design that was asked for them. It is asked once: an answer that can't be read has none.
fn listed_claims(state: &State, reply: &Reply) -> Vec<Claim> {
    let found = object(state, reply, Form::Claims, &|object| fit(object, &["claims"], |_| 0));
    let Ok(found) = found else { return Vec::new() };
    let mut claims = Claim::all_in(found.value);
    claims::check(&mut claims, &reply.looked_up);
    claims
}

/// What to look up in the project before an answer is judged.
pub(super) fn cited(state: &State, accepted: &Accepted) -> Vec<String> {
    let blocked = &state.opening.config.isolation.blocked_patterns;
    match accepted {
        Accepted::Design { design, .. } => claims::wanted(&design.claims, blocked),
        Accepted::Claims(claims) if !claims.is_empty() => claims::wanted(claims, blocked),
        Accepted::Prose { text, .. } | Accepted::Whole { prose: Some(text), .. } => paths(text, blocked),
        Accepted::Comparison { verdict, .. } => paths(&verdict.justification, blocked),
        _ => Vec::new(),
    }
}

fn paths(text: &str, blocked: &[String]) -> Vec<String> {
    claims::cited_places(text, blocked).into_iter().map(|cited| cited.path).collect()
}

/// The places that a review cites, each once, as far as they were looked up.
pub(super) fn citations<'a>(state: &State, jobs: impl Iterator<Item = &'a Job>) -> Vec<CitedPlace> {
    let blocked = &state.opening.config.isolation.blocked_patterns;
    let mut citations: Vec<CitedPlace> = Vec::new();
    for job in jobs {
        let Product { prose, verdict, looked_up, .. } = &job.part.product;
        let reason = verdict.as_ref().map(|verdict| &verdict.justification);
        for cited in prose.iter().chain(reason).flat_map(|text| claims::cited_places(text, blocked)) {
            let place = cited.to_string();
            let is_known = looked_up.iter().any(|one| one.path == cited.path);
            if is_known && citations.iter().all(|known| known.place != place) {
                citations.push(CitedPlace { place, fault: citation::fault(&cited, looked_up) });
            }
        }
    }
    citations
}

/// Returns the written review in `text`, or the verdict when there is none.
fn prose(state: &State, job: &Job, reply: &Reply, text: &str, form: Form) -> Result<String, Verdict> {
    let text = text.trim();
    let own = state.opening.acceptance.want_own_words();
    let labels = state.presented.get(&job.id).map_or(&[][..], |presented| &presented.labels);
    let lower = text.to_lowercase();
    let unnamed = |label: &&Label| !lower.contains(&label.as_str().to_lowercase());
    let missing: Vec<&Label> = labels.iter().filter(unnamed).collect();
    let speaks_of_a_design = missing.len() < labels.len();
    let words = form.words();
    let (prompt, reason) = if let Some(interruption) = reply::interruption(reply) {
        (reply::interrupted(words, interruption), interruption.sentence())
    } else if text.is_empty() {
        (reply::empty(words), "The reply is empty.")
    } else if own && is_echo(state, job, text) {
        (prompts::echo(labels), "The answer repeats the prompt.")
    } else if reply.finish == "length" && !(own && speaks_of_a_design && was_cut_off(job, form)) {
        (reply::shorten(words), "The review reached its length limit before its end.")
    } else if !speaks_of_a_design && reply::is_refusal(text) {
        (reply::refused(words), reply::REFUSED)
    } else if own && !missing.is_empty() && reply.finish != "length" {
        (prompts::unnamed(&missing, labels), "The review doesn't name every design that it was shown.")
    } else {
        return Ok(text.to_owned());
    };
    Err(Verdict::Repair { prompt, reason: reason.to_owned() })
}

/// Whether the answer is to a prompt that already asks for a shorter one, so that it would be cut off a second time.
fn was_cut_off(job: &Job, form: Form) -> bool {
    job.prompt_text() == Some(&reply::shorten(form.words()))
}

/// Whether most lines of a text repeat the prompt.
fn is_echo(state: &State, job: &Job, text: &str) -> bool {
    /// Shorter lines occur in any review.
    const SHORTEST: usize = 20;
    let request = request(state, job);
    let asked = set(request.lines().map(str::trim));
    let lines = || text.lines().map(str::trim).filter(|line| line.len() >= SHORTEST);
    let (all, repeated) =
        lines().fold((0, 0), |(all, repeated), line| (all + 1, repeated + usize::from(asked.contains(line))));
    repeated > 0 && 2 * repeated >= all
}

/// Everything that the job's model was sent in its current turn, except the review that it wrote itself: a new conversation contains
/// it, and a model that repeats its own words copies nothing.
fn request(state: &State, job: &Job) -> String {
    let asked = job.prompt_text().unwrap_or_default();
    let wording = [question::system(state, job).as_str(), &question::prompt(state, job), asked].join("\n");
    match job.part.product.prose.as_deref().map(str::trim).filter(|own| !own.is_empty()) {
        Some(own) => wording.replace(own, ""),
        None => wording,
    }
}

/// A written review and the scores below it. If only the scores can't be used, the review is kept, and the scores are asked for as in a
/// second turn, with their faults.
fn whole(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let (text, _) = reply.text.split_at(scores_begin(&reply.text));
    match (scores(state, job, reply), prose(state, job, reply, text, Form::Whole)) {
        // Complete scores count, however the answer ended.
        (Ok(scores), _) => {
            let prose = Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            let looked_up = reply.looked_up.clone();
            Verdict::Accept(Box::new(Accepted::Whole { prose, scores, looked_up }))
        }
        (Err(Verdict::Repair { prompt, .. }), Ok(text)) => {
            // A review that was cut off has no scores yet, so their own prompt asks for them.
            let fix = (reply.finish != "length").then_some(prompt);
            let looked_up = reply.looked_up.clone();
            Verdict::Accept(Box::new(Accepted::Prose { text, fix, looked_up }))
        }
        // The review matters more than its scores, which get their own prompt once it is accepted.
        (Err(_), Err(verdict)) if state.opening.acceptance.want_own_words() && reply.finish == "length" => {
            verdict
        }
        (Err(verdict), _) => verdict,
    }
}

/// Where the object with the scores starts, including the fence around it; the end of the text if there is none.
fn scores_begin(text: &str) -> usize {
    let key = text.rfind("\"evaluations\"");
    let Some(brace) = key.and_then(|key| text[..key].rfind('{')) else { return text.len() };
    let before = text[..brace].trim_end();
    let fence = before.rfind('\n').map_or(0, |end| end + 1);
    if before[fence..].trim_start().starts_with("```") { fence } else { brace }
}

fn scores(state: &State, job: &Job, reply: &Reply) -> Result<Scores, Verdict> {
    let Some(presented) = state.presented.get(&job.id) else {
        return Err(ask_to_fix(
            &[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")],
            &[],
        ));
    };
    let rules = state.reply_rules(&presented.labels);
    let own = state.opening.acceptance.want_own_words();
    let read = |value: &Value| if own { readable_scores(value, &rules) } else { value.clone() };
    let of_form = |value: &Value| faults(state, value, scores_copies);
    let found = object(state, reply, Form::Scores, &|object| {
        fit(&read(object), &["evaluations"], |value| evaluations_fit(value, &rules) + of_form(value).len())
    })?;
    if found.is_ambiguous() {
        return Err(several());
    }
    let value = read(&found.value);
    let mut copied = of_form(&value);
    if own {
        copied.extend(echoes(justifications(&value).chain(reasons(&value, &rules)), &request(state, job)));
    }
    match reply::own(copied, Evaluations::from_reply(value, &rules)) {
        Ok(reply) => {
            let given: Vec<_> = reply.evaluations.iter().map(|one| &one.quantitative.scores).collect();
            let undiscriminating = own && is_undiscriminating(&given, rules.dimensions);
            if undiscriminating && may_ask_for_other_scores(state, job) {
                let reason = "The scores are the same for every design, on every dimension.".to_owned();
                return Err(Verdict::Repair { prompt: prompts::same_scores(), reason });
            }
            let mut evaluations: Vec<Evaluation> = reply
                .evaluations
                .into_iter()
                .filter_map(|mut evaluation| {
                    let design = presented.design(&evaluation.design_id)?.clone();
                    if let Some((_, blind)) = state.blind.iter().find(|(id, _)| *id == design) {
                        evaluation.qualitative.look_up_quotes(&blind.design);
                    }
                    Some(evaluation.of(design))
                })
                .collect();
            let place = |id: &DesignId| state.designs().position(|(design, _)| design == *id);
            sort_by_key(&mut evaluations, |evaluation| place(&evaluation.design_id));
            Ok(Scores { evaluations, repairs: account(&found.repairs), undiscriminating })
        }
        Err(problems) => Err(ask_to_fix(&problems, &presented.labels)),
    }
}

/// Whether a reviewer with the same scores for every design is asked for others: once, if a repair is left.
fn may_ask_for_other_scores(state: &State, job: &Job) -> bool {
    let was_asked = job.prompt_text() == Some(&prompts::same_scores());
    !was_asked && job.repairs < state.opening.config.retries.repair
}

/// The justifications of evaluations, with their pointers.
fn justifications(value: &Value) -> impl Iterator<Item = (String, &str)> {
    let evaluations = value["evaluations"].as_array().into_iter().flatten().enumerate();
    evaluations.filter_map(|(index, one)| {
        let text = one["quantitative"]["justification"].as_str()?;
        Some((format!("/evaluations/{index}/quantitative/justification"), text))
    })
}

/// The reasons for single scores, with their pointers.
fn reasons<'v>(value: &'v Value, rules: &ReplyRules<'v>) -> impl Iterator<Item = (String, &'v str)> {
    let dimensions = if rules.wants_evidence { rules.dimensions } else { &[] };
    let evaluations = value["evaluations"].as_array().into_iter().flatten().enumerate();
    evaluations.flat_map(move |(index, one)| {
        dimensions.iter().filter_map(move |Dimension { name, .. }| {
            let text = one["quantitative"][name.as_str()]["reason"].as_str()?;
            Some((format!("/evaluations/{index}/quantitative/{name}/reason"), text))
        })
    })
}

fn comparison(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let Some(presented) = state.presented.get(&job.id) else {
        return ask_to_fix(&[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")], &[]);
    };
    let criteria = &state.opening.config.scoring_criteria;
    let own = state.opening.acceptance.want_own_words();
    let rules = ComparisonRules {
        labels: &presented.labels,
        dimensions: &criteria.dimensions,
        require_justification: criteria.require_justification,
        read_widely: own,
    };
    let of_form = |value: &Value| faults(state, value, comparison_copies);
    let found = object(state, reply, Form::Comparison, &|object| {
        fit(object, &["preferred"], |value| comparison_fit(value, &rules) + of_form(value).len())
    });
    let found = match found {
        Ok(found) if found.is_ambiguous() => return several(),
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    let mut copied = of_form(&found.value);
    if own {
        let said = found.value["justification"].as_str().map(|text| ("/justification".to_owned(), text));
        copied.extend(echoes(said.into_iter(), &request(state, job)));
    }
    match reply::own(copied, ComparisonVerdict::from_reply(&found.value, &rules)) {
        Err(problems) => ask_to_fix(&problems, &[]),
        Ok(verdict) => {
            let repairs = account(&found.repairs);
            let looked_up = reply.looked_up.clone();
            Verdict::Accept(Box::new(Accepted::Comparison { verdict, repairs, looked_up }))
        }
    }
}

/// A map of the designs, with each of its quotes looked up in the design as the model saw it.
fn map(state: &State, job: &Job, reply: &Reply) -> Verdict {
    let Some(presented) = state.presented.get(&job.id) else {
        return ask_to_fix(&[Problem::new(ArtefactCode::ReviewNotPresented, "No designs were shown.")], &[]);
    };
    let found = match object(state, reply, Form::Map, &|object| fit(object, &MAP_KEYS, |_| 0)) {
        Ok(found) if found.is_ambiguous() => return several(),
        Ok(found) => found,
        Err(verdict) => return verdict,
    };
    let shown = |(label, id)| {
        let (id, blind) = state.blind.iter().find(|(design, _)| design == id)?;
        Some(ShownDesign { label, id, design: &blind.design })
    };
    let designs: Vec<ShownDesign<'_>> = presented.pairs().filter_map(shown).collect();
    match DecisionMap::from_reply(&found.value, &designs) {
        Ok(map) => {
            let map = Mapping { map, presented: presented.clone() };
            Verdict::Accept(Box::new(Accepted::Map { map, repairs: account(&found.repairs) }))
        }
        Err(problems) => ask_to_fix(&problems, &[]),
    }
}

/// Returns the object in the answer, or the verdict when there is none.
fn object(
    state: &State,
    reply: &Reply,
    form: Form,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, Verdict> {
    reply::object(reply, state.opening.acceptance, form.words(), fit).map_err(reply::Unusable::verdict)
}

/// The reviewer has to say which of several judgements counts.
fn several() -> Verdict {
    reply::several().verdict()
}

/// Asks the model to fix these faults. If an id is at fault, all valid ones are listed: guessing would cost another prompt.
fn ask_to_fix(problems: &[Problem], labels: &[Label]) -> Verdict {
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
