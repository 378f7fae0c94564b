//! The files of a run: each is a function of the state, so any of them can be written again at any time.

use super::code::WorkflowCode;
use super::job;
use super::job::{Job, Turn, Work};
use super::map::Mapping;
use super::protocol::Command;
use super::state::{Phase, State};
use super::{added, answer, comparison, human_review};
use crate::design_lab::anonymity;
use crate::design_lab::artefacts::{
    Claim, Evaluation, Provenance, StoredDesign, StoredMap, StoredReview, StoredScore, schema_name,
};
use crate::design_lab::config::{Config, ReviewMode};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::design_lab::ranking::{
    self, Context, Contrast, DesignFacts, Failure, GivenScore, InstructionInDesign, Options, Provisional,
    QualitativeSummary, RankedDesign, Ranking, ReviewerFacts, ScoreRow, Shown, Study, csv,
};
use crate::design_lab::report::{self, Written};
use crate::shared::tier::Tier;
use design_lab_numerics::sorting::sort_by;
use kernel::clock;
use kernel::job::JobState;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;

/// The page on the ranking.
const PAGE: &str = "results/report.html";

/// A path below the run directory, and the whole content.
pub(super) type File = (String, String);

/// Every file that the run should have by now, including those of jobs that left it.
pub(super) fn files(state: &State) -> Vec<File> {
    let mut files = current(state);
    files.extend(state.former.iter().cloned());
    files.into_iter().map(finished).collect()
}

/// Every file that is currently valid.
pub(super) fn current(state: &State) -> Vec<File> {
    let mut files = if state.directory.name.is_some() { setup_files(state) } else { Vec::new() };
    for (index, job) in state.calls.jobs.iter().enumerate() {
        match (&job.state, job.part.work) {
            (JobState::Done, Work::Design(_)) if job.part.product.made_earlier.is_none() => {
                files.extend(design_files(state, index));
            }
            (JobState::Failed(_), _) => files.extend(salvaged_files(state, job)),
            _ => files.extend(state.standing(&job.id).into_iter().flat_map(files_of_design)),
        }
    }
    for reviewer in 0..state.opening.config.review_models.len() {
        if state.review_jobs(reviewer).all(|job| job.state.is_settled()) {
            files.extend(review_files(state, reviewer));
        }
    }
    files.extend(result_files(state));
    files
}

/// The commands that write these files.
pub(super) fn write(files: Vec<File>) -> impl Iterator<Item = Command> {
    files.into_iter().map(finished).map(|(path, text)| Command::Write { path, text })
}

/// A file that is safe to print: nothing in it acts on a terminal or hides from a reader. The page does its own escaping; a table of
/// scores is data, and its names are needed to read it back.
fn finished((path, text): File) -> File {
    let text = match path.rsplit('.').next() {
        Some("json") => visible::json(text),
        Some("md" | "txt") => visible::text(&text).into_owned(),
        _ => text,
    };
    (path, text)
}

/// The files that exist from the start: the task, the effective configuration, and the designs of an earlier run.
pub(super) fn setup_files(state: &State) -> Vec<File> {
    let mut files = vec![
        ("task.json".to_owned(), json(&state.opening.task)),
        ("config.json".to_owned(), config_file(&state.opening.config)),
    ];
    let given = |&index: &usize| state.calls.jobs[index].part.product.made_earlier.is_some();
    files.extend((0..state.calls.jobs.len()).filter(given).flat_map(|index| design_files(state, index)));
    files
}

fn config_file(config: &Config) -> String {
    if config.people.is_empty() { json(config) } else { json(&config.file()) }
}

/// The files of an accepted design, for programs and for people.
pub(super) fn design_files(state: &State, index: usize) -> Vec<File> {
    files_of_design(&state.calls.jobs[index])
}

/// The files of a job's design.
pub(super) fn files_of_design(job: &Job) -> Vec<File> {
    let Some(stored) = stored_design(job) else { return Vec::new() };
    let name = &stored.design_id;
    vec![
        (format!("designs/{name}.json"), json(&stored)),
        (format!("designs/{name}.md"), report::design(&stored)),
    ]
}

fn stored_design(job: &Job) -> Option<StoredDesign> {
    Some(StoredDesign {
        schema: schema_name("design"),
        design_id: job.part.model.design_id(),
        model: job.part.model.model_id.clone(),
        file: job.part.file().map(str::to_owned),
        design: job.part.product.design.clone()?,
        metadata: provenance(job),
    })
}

/// The usable output of a failed job: the answer that could not be used, a written review without scores.
pub(super) fn salvaged_files(state: &State, job: &Job) -> Vec<File> {
    let mut files = rejected_file(job);
    if let Some(text) = prose(state, job) {
        files.push((format!("reviews/{}.unscored.md", file_name(job)), report::prose(&text)));
    }
    files
}

/// The last answer of a model whose answers could not be used, unchanged except for invisible characters; empty when there was no
/// answer.
pub(super) fn rejected_file(job: &Job) -> Vec<File> {
    let folder = match job.part.work {
        Work::Topic => return Vec::new(),
        Work::Rubric => "",
        Work::Map => "results/",
        Work::Design(_) => "designs/",
        Work::Review { .. } => "reviews/",
    };
    let name = match job.part.work {
        Work::Rubric => "rubric".to_owned(),
        Work::Map => "map".to_owned(),
        _ => file_name(job),
    };
    job.rejected.iter().map(|text| (format!("{folder}{name}.rejected.txt"), text.clone())).collect()
}

fn file_name(job: &Job) -> String {
    job::label(job).replace(" #", "-").replace(' ', "-")
}

/// One reviewer's review, and its scores of each design. Empty until an answer was accepted.
pub(super) fn review_files(state: &State, reviewer: usize) -> Vec<File> {
    let Some(Written { review, prose }) = written(state, reviewer) else { return Vec::new() };
    let jobs = accepted(state, reviewer);
    let name = &review.review_id;
    let mut files = vec![
        (format!("reviews/review-{name}.json"), json(&review)),
        (format!("reviews/review-{name}.md"), report::review(&review, &prose)),
    ];
    if jobs.first().is_some_and(|job| job.part.product.evaluations.is_some()) {
        let designs = state.calls.jobs.iter().filter(|job| job.part.product.design.is_some());
        files.extend(designs.map(|design| score_file(design, &review, &jobs)));
    }
    files
}

/// A reviewer's jobs whose answers were accepted.
fn accepted(state: &State, reviewer: usize) -> Vec<&Job> {
    state.review_jobs(reviewer).filter(|job| job.state == JobState::Done).collect()
}

/// One reviewer's review of all repeats or comparisons; `None` until an answer was accepted.
fn written(state: &State, reviewer: usize) -> Option<Written> {
    let entry = &state.opening.config.review_models[reviewer];
    let jobs = accepted(state, reviewer);
    let last = jobs.last()?;
    let mut metadata = provenance(last);
    for job in &jobs[..jobs.len() - 1] {
        metadata.attempts += job.ledger.prompts;
        metadata.cost += job.ledger.cost;
        metadata.tokens += job.ledger.tokens;
        metadata.duration_ms += job.duration_ms(state.calls.clock.now);
        metadata.repairs.extend(job.part.product.repairs.iter().cloned());
    }
    let evaluations = |job: &&Job| job.part.product.evaluations.clone().unwrap_or_default();
    let review = StoredReview {
        schema: schema_name("review"),
        review_id: entry.reviewer_id(),
        reviewer_model: entry.model.model_id.clone(),
        orders: jobs
            .iter()
            .filter(|job| job.turn != Turn::Compare)
            .filter_map(|job| Some(state.presented.get(&job.id)?.order.clone()))
            .collect(),
        evaluations: jobs.iter().flat_map(evaluations).collect(),
        comparisons: comparison::stored(state, reviewer),
        citations: answer::citations(state, jobs.iter().copied()),
        metadata,
    };
    Some(Written { review, prose: jobs.iter().filter_map(|job| prose(state, job)).collect() })
}

fn score_file(design: &Job, review: &StoredReview, jobs: &[&Job]) -> File {
    let of_design = |job: &&Job| -> Option<Evaluation> {
        job.part
            .product
            .evaluations
            .as_ref()?
            .iter()
            .find(|one| one.design_id == *design.part.model.id)
            .cloned()
    };
    let score = StoredScore {
        schema: schema_name("score"),
        design_id: design.part.model.design_id(),
        reviewer: review.review_id.clone(),
        reviewer_model: review.reviewer_model.clone(),
        self_review: design.part.model.model_id == review.reviewer_model,
        repeats: jobs.iter().filter_map(of_design).collect(),
    };
    (format!("scores/{}-reviewed-by-{}.json", score.design_id, score.reviewer), json(&score))
}

/// A written review with the designs' real ids in place of the labels, since reviewing is done.
fn prose(state: &State, job: &Job) -> Option<String> {
    revealed(state, job, job.part.product.prose.as_ref()?)
}

fn revealed(state: &State, job: &Job, text: &str) -> Option<String> {
    let presented = state.presented.get(&job.id)?;
    let names: Vec<(&Label, &str)> = presented.pairs().map(|(label, id)| (label, id.as_str())).collect();
    Some(anonymity::reveal(text, &names))
}

/// The ranking and its reports; empty before there is one.
pub(super) fn result_files(state: &State) -> Vec<File> {
    let Some(ranking) = &state.ranking else { return Vec::new() };
    let study = study(state);
    let (text, page) = reports(state, ranking, &study);
    let map = stored_map(state).map(|map| ("results/map.json".to_owned(), json(&map)));
    let verdicts = || ("results/comparisons.csv".to_owned(), csv::write_verdicts(&study.comparisons));
    let mut files = vec![
        ("results/ranking.json".to_owned(), json(ranking)),
        ("results/results.md".to_owned(), text),
        (PAGE.to_owned(), page),
        match study.mode {
            ReviewMode::Scores => ("results/scores.csv".to_owned(), csv::write_scores(&study.rows)),
            ReviewMode::Pairwise => verdicts(),
        },
    ];
    if study.mode == ReviewMode::Scores && !study.comparisons.is_empty() {
        files.push(verdicts());
    }
    files.extend(map);
    files
}

/// The decision map, with the designs' real ids in its sentences; `None` before there is one.
pub(super) fn stored_map(state: &State) -> Option<StoredMap> {
    let job = state.map_job()?;
    let Mapping { map, presented } = job.part.product.map.as_ref()?;
    let names: Vec<(&Label, &str)> = presented.pairs().map(|(label, id)| (label, id.as_str())).collect();
    Some(StoredMap {
        schema: schema_name("map"),
        author: ReviewerId::new(job.part.model.id.as_str()),
        model: job.part.model.model_id.clone(),
        map: map.clone().reworded(|text| anonymity::reveal(text, &names)),
        metadata: provenance(job),
    })
}

/// The path of the page on the ranking, below the run directory; `None` before there is a ranking.
pub(super) fn page_of(state: &State) -> Option<&'static str> {
    state.ranking.as_ref().map(|_| PAGE)
}

/// The page on the ranking, or on the ranking so far.
pub(super) fn page(state: &State) -> Result<String, Problem> {
    Ok(reports(state, &standing(state)?, &study(state)).1)
}

/// The ranking; for a run that isn't ranked, the ranking of the reviews so far.
pub(super) fn standing(state: &State) -> Result<Ranking, Problem> {
    state.ranking.clone().map_or_else(|| rank(state), Ok)
}

/// The decision for a project's records.
pub(super) fn decision(state: &State, ranking: &Ranking, form: report::DecisionForm) -> String {
    wording(state, ranking, &study(state), |run, material| report::decision(run, ranking, material, form))
}

/// The results as Markdown and as a page.
fn reports(state: &State, ranking: &Ranking, study: &Study) -> (String, String) {
    wording(state, ranking, study, |run, material| {
        (report::results(run, material), report::page(run, material))
    })
}

/// Passes everything that a report needs to `tell`.
fn wording<T>(
    state: &State,
    ranking: &Ranking,
    study: &Study,
    tell: impl FnOnce(&report::Overview<'_>, &report::Material<'_>) -> T,
) -> T {
    let designs: Vec<StoredDesign> = state.calls.jobs.iter().filter_map(stored_design).collect();
    let reviewers = 0..state.opening.config.review_models.len();
    let reviews: Vec<Written> = reviewers.filter_map(|reviewer| written(state, reviewer)).collect();
    let map = stored_map(state);
    let material = report::Material {
        task: &state.opening.task,
        study,
        scrubbed: &scrubbed(state),
        designs: &designs,
        reviews: &reviews,
        map: map.as_ref(),
        config: &state.opening.config,
        asks_constraints: state.reply_rules(&[]).constraints > 0,
    };
    let overview = report::Overview { ranking: Some(ranking), ..state.overview(state.calls.clock.now) };
    tell(&overview, &material)
}

/// The parts of each design that were hidden from reviewers.
fn scrubbed(state: &State) -> Vec<report::Scrubbed> {
    let blind = state.blind.iter();
    blind
        .map(|(id, blind)| report::Scrubbed { design_id: id.clone(), scrubs: blind.scrubbed.clone() })
        .collect()
}

/// Ranks the designs by the reviews.
pub(super) fn rank(state: &State) -> Result<Ranking, Problem> {
    if !state.is_reviewed_by_models() && state.humans.is_empty() {
        return Err(Problem::new(
            WorkflowCode::NoReviews,
            "No review was written, so there is nothing to rank.",
        )
        .next(format!(
            "Fix what made the reviewers fail (see above). Then {} asks them again.",
            state.resumed_by()
        )));
    }
    let study = study(state);
    let mut ranking = ranking::rank(&study)?;
    ranking.rubric = Some(state.rubric_used());
    ranking.additions = added::additions(state, &study, &ranking);
    for dissent in &mut ranking.agreement.dissent {
        dissent.quote = justification(state, &dissent.reviewer, &dissent.design_id);
    }
    Ok(ranking)
}

/// A model's justification of a design's scores, in its own words, with the designs' real ids.
fn justification(state: &State, reviewer: &ReviewerId, design: &DesignId) -> Option<String> {
    said(state, reviewer, design, |evaluation| {
        let justification = evaluation.quantitative.justification.as_str();
        (!justification.trim().is_empty()).then_some(justification)
    })
}

/// The first text that a model gave in some part of its evaluations of a design, with the designs' real ids.
fn said(
    state: &State,
    reviewer: &ReviewerId,
    design: &DesignId,
    part: fn(&Evaluation) -> Option<&str>,
) -> Option<String> {
    let mut jobs = state.calls.jobs.iter().filter(|job| *reviewer == *job.part.model.id);
    jobs.find_map(|job| {
        let evaluations = job.part.product.evaluations.as_ref()?;
        let evaluation = evaluations.iter().find(|evaluation| evaluation.design_id == *design)?;
        revealed(state, job, part(evaluation)?)
    })
}

/// The first weakness named by the reviewing model with the lowest score, with the designs' real ids; if it named none, that of the
/// next model. A designer's comments on its own design don't count as an objection.
pub(super) fn objection(state: &State, row: &RankedDesign) -> Option<(ReviewerId, String)> {
    let author = row.author();
    let is_author = |critic: &GivenScore| author.is_some() && critic.model.as_deref() == author;
    let mut critics: Vec<&GivenScore> = row.reviews.iter().filter(|critic| !is_author(critic)).collect();
    sort_by(&mut critics, |one, other| one.score.total_cmp(&other.score));
    critics.into_iter().find_map(|critic| {
        let weakness = said(state, &critic.reviewer, &row.design_id, |evaluation| {
            let mut weaknesses = evaluation.qualitative.weaknesses.iter();
            weaknesses.find(|text| !text.trim().is_empty()).map(String::as_str)
        })?;
        Some((critic.reviewer.clone(), weakness))
    })
}

/// The order of the designs while reviews are coming in, best first; empty before the first review.
pub(super) fn provisional(state: &State) -> Vec<Provisional> {
    let study = material(state);
    if study.rows.is_empty() && study.comparisons.is_empty() {
        return Vec::new();
    }
    ranking::provisional(&study).unwrap_or_default()
}

fn study(state: &State) -> Study {
    Study { context: context(state), ..material(state) }
}

/// The study without the parts that only a report shows.
pub(super) fn material(state: &State) -> Study {
    let config = &state.opening.config;
    let mut rows = Vec::new();
    let mut shown = Vec::new();
    for job in &state.calls.jobs {
        let Work::Review { reviewer, repeat } = job.part.work else { continue };
        let Some(evaluations) = &job.part.product.evaluations else { continue };
        if is_undiscriminating(state, reviewer) {
            continue;
        }
        let reviewer = config.review_models[reviewer].reviewer_id();
        for evaluation in evaluations {
            for (dimension, &score) in &evaluation.quantitative.scores {
                rows.push(ScoreRow {
                    design: evaluation.design_id.clone(),
                    reviewer: reviewer.clone(),
                    repeat: repeat + 1,
                    dimension: dimension.clone(),
                    score,
                });
            }
        }
        if let Some(presented) = state.presented.get(&job.id) {
            shown.push(Shown { reviewer, repeat: repeat + 1, designs: presented.order.clone() });
        }
    }
    rows.extend(human_review::rows(state));
    shown.extend(human_review::shown(state));
    let reviewers = config
        .review_models
        .iter()
        .map(|entry| ReviewerFacts { id: entry.reviewer_id(), model: Some(entry.model.model_id.clone()) })
        .chain(human_review::reviewers(state));
    Study {
        mode: config.review.mode,
        designs: state.calls.jobs.iter().filter_map(|job| design_facts(state, job)).collect(),
        reviewers: reviewers.collect(),
        dimensions: config.scoring_criteria.dimensions.clone(),
        rows,
        shown,
        comparisons: comparison::rows(state),
        contrasts: contrasts(state),
        options: Options {
            exclude_self: config.review.exclude_self,
            exclude_family: config.review.exclude_family,
            seed: state.opening.seed,
        },
        context: Context::default(),
    }
}

/// Whether a reviewer gave every design the same scores each time: these don't show which design is better, and would count as
/// agreement with every other reviewer.
pub(super) fn is_undiscriminating(state: &State, reviewer: usize) -> bool {
    let products = || state.review_jobs(reviewer).map(|job| &job.part.product);
    let mut scored = products().filter(|product| product.evaluations.is_some()).peekable();
    scored.peek().is_some() && scored.all(|product| product.undiscriminating)
}

fn contrasts(state: &State) -> Vec<Contrast> {
    let contrasts = state.opening.parent.iter().flat_map(|parent| parent.contrasts());
    contrasts.map(|(design, over)| Contrast { design: design.clone(), over: over.clone() }).collect()
}

fn design_facts(state: &State, job: &Job) -> Option<DesignFacts> {
    let Work::Design(_) = job.part.work else { return None };
    let length = job.part.product.design.as_ref().map(|design| json(design).chars().count() as u64);
    let mut summary = QualitativeSummary::default();
    let claims = job.part.product.design.iter().flat_map(|design| &design.claims);
    let wrong = claims.filter(|claim| claim.is_wrong()).filter_map(Claim::checked);
    let observed = |text| format!("{}: {text}", Tier::Observed.word());
    add(&mut summary.weaknesses, &wrong.map(observed).collect::<Vec<_>>());
    for review in &state.calls.jobs {
        let evaluations = review.part.product.evaluations.iter().flatten();
        for evaluation in evaluations.filter(|evaluation| evaluation.design_id == *job.part.model.id) {
            let said = &evaluation.qualitative;
            add(&mut summary.strengths, &said.strengths);
            add(&mut summary.weaknesses, &said.weaknesses);
            add(&mut summary.missing_considerations, &said.missing_considerations);
            add(&mut summary.risks, &said.risks);
            let level = summary.risk_assessments.entry(review.part.model.id.clone());
            level
                .and_modify(|level| *level = (*level).max(said.risk_assessment))
                .or_insert(said.risk_assessment);
        }
    }
    summary.comments = human_review::comments(state, &job.part.model.design_id());
    Some(DesignFacts {
        id: job.part.model.design_id(),
        title: job.part.product.design.as_ref().map(|design| design.title.clone()),
        model: job.part.file().is_none().then(|| job.part.model.model_id.clone()),
        file: job.part.file().map(str::to_owned),
        length,
        qualitative_summary: summary,
    })
}

fn add(list: &mut Vec<String>, items: &[String]) {
    for item in items {
        if !list.contains(item) {
            list.push(item.clone());
        }
    }
}

fn context(state: &State) -> Context {
    let pairwise = state.opening.config.review.mode == ReviewMode::Pairwise;
    let mut failed: Vec<Failure> = state
        .calls
        .jobs
        .iter()
        .filter_map(|job| {
            let phase = match job.part.work {
                Work::Topic | Work::Rubric | Work::Map => return None,
                Work::Design(_) => "design",
                Work::Review { .. } if pairwise => return None,
                Work::Review { .. } => "review",
            };
            let JobState::Failed(reason) = &job.state else { return None };
            Some(Failure {
                phase: phase.to_owned(),
                id: job::label(job),
                model: job.part.model.model_id.clone(),
                reason: reason.wording().to_owned(),
            })
        })
        .collect();
    if pairwise {
        failed.extend(comparison::failures(state));
    }
    let instructions = state.blind.iter().flat_map(|(id, blind)| {
        let found = blind.instructions.iter();
        found.map(|found| InstructionInDesign { design_id: id.clone(), excerpt: found.quote.clone() })
    });
    let (cost, tokens) = state.calls.spent();
    Context {
        generated_at: clock::iso(state.calls.clock.now),
        partial: state.calls.closing.is_some()
            || !failed.is_empty()
            || state.is_cut_short()
            || !matches!(state.phase, Phase::Reviewing | Phase::Mapping | Phase::Over(_)),
        instructions_in_designs: instructions.collect(),
        failed,
        cost,
        tokens,
    }
}

pub(super) fn provenance(job: &Job) -> Provenance {
    if let Some(earlier) = &job.part.product.made_earlier {
        return earlier.clone();
    }
    Provenance {
        generated_at: clock::iso(job.ledger.settled_at.unwrap_or_default()),
        model_version: job.ledger.model_version.clone(),
        temperature: Some(job.ledger.temperature.unwrap_or(job.part.model.temperature)),
        attempts: job.ledger.prompts,
        cost: job.ledger.cost,
        tokens: job.ledger.tokens,
        duration_ms: job.duration_ms(0),
        repairs: job.part.product.repairs.clone(),
    }
}

fn json(value: &impl Serialize) -> String {
    let mut text = kernel::json::pretty(value);
    text.push('\n');
    text
}
