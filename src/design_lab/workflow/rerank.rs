//! Ranking again without calling a model: with other weights, another treatment of self-reviews, or people's scores.

use super::code::WorkflowCode;
use super::human_review::{FOLDER, Filled, unknown_form};
use super::protocol::Decision;
use super::protocol::{Command, EventKind, HumanReview, HumanScore, HumanVerdict, Presented, Rerank};
use super::results;
use super::run::Run;
use super::run_index::not_ranked;
use super::state::{Phase, State};
use crate::design_lab::config::{
    self, AvailableModels, Config, Dimension, ReferencedFile, ReviewMode, Source,
};
use crate::design_lab::human_review::{Compared, FilledForm};
use crate::design_lab::ids::ReviewerId;
use crate::shared::named_text::NamedText;
use design_lab_numerics::sorting::map;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::{Outcome, Tone};
use serde::Serialize;
use std::collections::BTreeMap;

/// The input of a new ranking, as the shell gathered it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RerankInput {
    /// The current configuration texts.
    pub sources: Vec<Source>,
    /// The files that these refer to.
    pub files: Vec<ReferencedFile>,
    /// The models of the connected providers.
    pub available: AvailableModels,
    /// Every `human/*.csv` of the run, by its path below the run directory.
    pub forms: Vec<NamedText>,
}

impl Run {
    /// Returns the event that ranks again, with everything that the new ranking depends on; or all problems of the input.
    pub fn rerank(&self, given: &RerankInput) -> Result<EventKind, Vec<Problem>> {
        let state = self.over().map_err(|problem| vec![problem])?;
        let mut problems = Vec::new();
        let config = config::load(&given.sources, &given.files, &given.available)
            .map_err(|more| problems.extend(more))
            .map(|loaded| loaded.config)
            .ok();
        let weights = config
            .as_ref()
            .and_then(|config| weights(state, config).map_err(|problem| problems.push(problem)).ok());
        let (humans, notes) = human_reviews(state, &given.forms, &mut problems);
        let (Some(config), Some(weights), true) = (config, weights, problems.is_empty()) else {
            return Err(problems);
        };
        if humans.is_empty() && !state.is_ranked() {
            // There is nothing to rank by; the notes list what the forms lack.
            let run = state.directory.name.as_deref().unwrap_or("The run");
            let mut problem = not_ranked(run);
            if state.waits_for_people() {
                problem = problem
                    .next(format!("Fill in a form in {FOLDER} of the run; then /design-lab-rank {run}."));
            }
            return Err(vec![Problem {
                found: Some(notes.join(" ")).filter(|notes| !notes.is_empty()),
                ..problem
            }]);
        }
        Ok(EventKind::Decided(Decision::Reranked(Box::new(Rerank {
            exclude_self: config.review.exclude_self,
            exclude_family: config.review.exclude_family,
            weights,
            humans,
            notes,
        }))))
    }
}

impl State {
    pub(super) fn reranked(&mut self, rerank: Rerank, commands: &mut Vec<Command>) {
        let Phase::Over(former) = self.phase else { return };
        self.take_over(rerank);
        self.closed = false;
        match results::rank(self) {
            Ok(ranking) => {
                self.ranking = Some(ranking);
                let by_people = self.opening.config.review_models.is_empty();
                if by_people {
                    self.phase = Phase::Over(self.outcome_of_ranking());
                } else if !former.is_done() {
                    self.phase = Phase::Over(Outcome::Partial);
                }
                self.problem = None;
                if !self.is_reviewed_by_models() {
                    let run = self.directory.name.as_deref().unwrap_or_default();
                    let next = format!(" /design-lab-resume {run} asks the models.");
                    let next = if by_people { "" } else { next.as_str() };
                    let note = format!("Ranked by people alone: no model has reviewed these designs.{next}");
                    self.by_people_alone = Some(note.clone());
                    self.lasting_notes.push(note);
                }
                commands.extend(results::write(results::setup_files(self)));
                commands.extend(results::write(results::result_files(self)));
                let message = "The run was ranked again".to_owned();
                commands.push(Command::Notify { tone: Tone::Success, message, toast: true });
            }
            // Every form was checked, so this can't happen; if it does, it is reported, and the former ranking stays.
            Err(problem) => self.problem = Some(problem),
        }
        // No model is called, not even to report it.
        if let Phase::Over(outcome) = self.phase {
            commands.push(outcome.finish(String::new()));
        }
    }

    fn take_over(&mut self, rerank: Rerank) {
        let config = &mut self.opening.config;
        config.review.exclude_self = rerank.exclude_self;
        config.review.exclude_family = rerank.exclude_family;
        for dimension in &mut config.scoring_criteria.dimensions {
            if let Some(&weight) = rerank.weights.get(&dimension.name) {
                dimension.weight = weight;
            }
        }
        self.humans = rerank.humans;
        self.lasting_notes = self.opening.notes.iter().chain(&self.amendments.notes).cloned().collect();
        self.lasting_notes.extend(rerank.notes);
    }
}

/// The current weights, if the rubric is still the one that reviewers used. In pairwise mode no dimension counts.
fn weights(state: &State, config: &Config) -> Result<BTreeMap<String, f64>, Problem> {
    if state.opening.config.review.mode == ReviewMode::Pairwise {
        return Ok(BTreeMap::new());
    }
    let bounds = |dimensions: &[Dimension]| -> Vec<String> {
        dimensions.iter().map(|one| format!("{} {} to {}", one.name, one.min, one.max)).collect()
    };
    // A rubric that was approved for the task keeps its weights, whatever the configuration says.
    let approved = state.approved_rubric().map(|_| &state.opening.config);
    let now = &approved.unwrap_or(config).scoring_criteria.dimensions;
    let (asked, wanted) = (bounds(&state.opening.config.scoring_criteria.dimensions), bounds(now));
    // Names are distinct, and their order doesn't matter.
    if asked.len() != wanted.len() || asked.iter().any(|one| !wanted.contains(one)) {
        let run = state.directory.name.as_deref().unwrap_or_default();
        return Err(Problem::new(
            WorkflowCode::OtherRubric,
            "The rubric differs from the one that the reviewers used: only its weights may change.",
        )
        .at("/scoring_criteria/dimensions")
        .found(wanted.join(", "))
        .allowed(asked.join(", "))
        .next(format!(
            "/design-lab-review {run} reviews with the new rubric; or restore the former dimensions and \
             bounds."
        )));
    }
    Ok(map(now.iter().map(|one| (one.name.clone(), one.weight))))
}

/// What people have filled in, and the notes on it. The notes name designs only by their labels, since people who are still filling in
/// a form may read this.
fn human_reviews(
    state: &State,
    forms: &[NamedText],
    problems: &mut Vec<Problem>,
) -> (Vec<HumanReview>, Vec<String>) {
    let dimensions = &state.opening.config.scoring_criteria.dimensions;
    let path = |reviewer: &ReviewerId| format!("{FOLDER}{reviewer}.csv");
    let (mut reviews, mut notes) = (Vec::new(), Vec::new());
    for form in forms {
        if !state.human_reviewers().any(|(reviewer, _)| path(&reviewer) == form.name) {
            let known: Vec<String> = state.human_reviewers().map(|(reviewer, _)| path(&reviewer)).collect();
            let mut problem = unknown_form(state, &known);
            problem.file = Some(form.name.clone());
            problems.push(problem);
        }
    }
    for (reviewer, presented) in state.human_reviewers() {
        let path = path(&reviewer);
        let Some(form) = forms.iter().find(|form| form.name == path) else {
            notes.push(format!("{path} doesn't exist: {reviewer} is not counted."));
            continue;
        };
        match state.read_form(&form.text, presented) {
            Ok(filled) => {
                let review = match filled {
                    Filled::Scores(filled) => {
                        notes.extend(note(&reviewer, &path, &filled, dimensions.len()));
                        HumanReview { reviewer, scores: scores(presented, filled), verdicts: Vec::new() }
                    }
                    Filled::Verdicts(given, pairs) => {
                        notes.extend(note_on_pairs(&reviewer, &path, &given, pairs));
                        HumanReview {
                            reviewer,
                            scores: Vec::new(),
                            verdicts: verdicts(state, presented, given),
                        }
                    }
                };
                if !review.scores.is_empty() || !review.verdicts.is_empty() {
                    reviews.push(review);
                }
            }
            Err(found) => problems.extend(found.into_iter().map(|mut problem| {
                problem.file = Some(path.clone());
                problem
            })),
        }
    }
    (reviews, notes)
}

/// The note on what a form lacks.
fn note(reviewer: &ReviewerId, path: &str, filled: &FilledForm, dimensions: usize) -> Option<String> {
    if !filled.is_begun {
        return Some(format!("{path} has no score yet: {reviewer} is not counted."));
    }
    let gaps: Vec<String> = filled
        .gaps
        .iter()
        .map(|(label, missing)| {
            let what = if missing.len() == dimensions { "all".to_owned() } else { missing.join(", ") };
            format!("{} ({what})", label.as_str())
        })
        .collect();
    (!gaps.is_empty()).then(|| {
        let gaps = gaps.join("; ");
        if filled.whole.is_empty() {
            format!(
                "{path} scores no design on every dimension (missing: {gaps}): {reviewer} is not counted."
            )
        } else {
            format!("{path} lacks scores for {gaps}: {reviewer} counts for the other designs.")
        }
    })
}

/// The note on what a form for pairs lacks, by its numbers.
fn note_on_pairs(reviewer: &ReviewerId, path: &str, given: &[Compared], pairs: usize) -> Option<String> {
    let open = |pair: &usize| given.iter().all(|compared| compared.pair != *pair);
    let open: Vec<String> = (0..pairs).filter(open).map(|pair| (pair + 1).to_string()).collect();
    match (given.len(), &open[..]) {
        (_, []) => None,
        (0, _) => Some(format!("{path} has no verdict yet: {reviewer} is not counted.")),
        _ => Some(format!(
            "{path} lacks verdicts on the pairs {}: {reviewer} counts for the others.",
            open.join(", ")
        )),
    }
}

/// The verdicts under the designs' real ids.
fn verdicts(state: &State, presented: &Presented, given: Vec<Compared>) -> Vec<HumanVerdict> {
    let pairs = state.pairs(presented);
    let verdict = |compared: Compared| {
        let (first, second) = pairs.get(compared.pair)?;
        Some(HumanVerdict {
            first: presented.design(first)?.clone(),
            second: presented.design(second)?.clone(),
            verdict: compared.verdict,
            comment: compared.comment,
        })
    };
    given.into_iter().filter_map(verdict).collect()
}

/// The scores of completely scored designs, under their real ids.
fn scores(presented: &Presented, filled: FilledForm) -> Vec<HumanScore> {
    let mut scores = Vec::new();
    for (label, entries) in filled.whole {
        let Some(design) = presented.design(&label) else { continue };
        scores.extend(entries.into_iter().map(|entry| HumanScore {
            design: design.clone(),
            dimension: entry.dimension,
            score: entry.score,
            comment: entry.comment,
        }));
    }
    scores
}
