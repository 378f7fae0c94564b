//! Which model gets which job: the jobs of a configuration, and the name of a run that builds upon another.

use super::candidate::Candidate;
use super::job::Part;
use super::job::{Job, Turn, Work};
use super::job_name::JobName;
use super::parent::{Parent, Step};
use super::protocol::Opening;
use super::rubric;
use crate::design_lab::artefacts::{Design, Provenance};
use crate::design_lab::config::{Config, Criteria, ModelEntry, ReviewMode};
use crate::design_lab::ids::DesignId;
use crate::shared::vendor::vendors;
use kernel::job::JobState;
use kernel::slug::slug;

/// The longest topic that suits file systems and people.
pub(super) const TOPIC_LENGTH: usize = 60;

/// The jobs of a run in the order in which they are started, except comparisons, which are added once the designs are known.
pub(super) fn jobs(opening: &Opening) -> Vec<Job> {
    let (config, parent) = (&opening.config, opening.parent.as_ref());
    let mut jobs = Vec::new();
    if opening.drafts_rubric {
        // The run is named by its task: until the user has decided on the rubric, only its draft is paid for.
        jobs.extend(rubric::job(config));
    } else if parent.is_none() {
        let mut topic = config.design_models[0].clone();
        "topic".clone_into(&mut topic.id);
        topic.model_id.clone_from(&config.topic_generator_model);
        topic.variant = None;
        jobs.push(Job::new(JobName::Topic.id(), Turn::Topic, Part::new(Work::Topic, topic)));
    }
    for (index, model) in config.design_models.iter().enumerate() {
        jobs.push(design(index, model, parent));
    }
    for own in &opening.candidates {
        jobs.push(of_file(&own.id, &own.from.file, &own.design, Candidate::metadata(&opening.date)));
    }
    for earlier in parent.iter().flat_map(|parent| &parent.designs) {
        if let Some(from) = &earlier.from {
            jobs.push(of_file(&earlier.id, &from.file, &earlier.design, earlier.metadata.clone()));
        }
    }
    let scored = config.review.mode == ReviewMode::Scores;
    for (reviewer, entry) in config.review_models.iter().enumerate().filter(|_| scored) {
        let Criteria { qualitative, quantitative } = entry.evaluation_criteria;
        let turn = match (qualitative, quantitative) {
            (true, true) if config.review.is_in_one_turn() => Turn::Whole,
            (true, _) => Turn::Prose,
            (false, _) => Turn::Scores,
        };
        for repeat in 0..config.review.repeats {
            let name = JobName::Review { reviewer: entry.reviewer_id(), number: repeat + 1 };
            jobs.push(Job::new(
                name.id(),
                turn,
                Part::new(Work::Review { reviewer, repeat }, entry.model.clone()),
            ));
        }
    }
    if config.decision_map {
        jobs.extend(map(config));
    }
    jobs
}

/// The job of the decision map. Its model is a reviewer of a vendor that wrote none of the designs, otherwise the first reviewer that is
/// a model. If only people review, it is the first designer: the designs are blind, and a map judges none of them.
pub(super) fn map(config: &Config) -> Option<Job> {
    let has_written = |model: &ModelEntry| {
        config.design_models.iter().any(|designer| {
            designer.model_id == model.model_id
                || vendors(&designer.model_id).iter().any(|vendor| vendors(&model.model_id).contains(vendor))
        })
    };
    let reviewers = || config.review_models.iter().map(|entry| &entry.model);
    let impartial = reviewers().find(|model| !has_written(model));
    let author = match impartial.or_else(|| reviewers().next()) {
        Some(reviewer) => reviewer.clone(),
        None => ModelEntry { prompt_template: None, brief: None, ..config.design_models.first()?.clone() },
    };
    Some(Job::new(JobName::Map.id(), Turn::Map, Part::new(Work::Map, author)))
}

/// The job of an entry of `design_models`; it is done if an earlier run brought its design.
fn design(index: usize, model: &ModelEntry, parent: Option<&Parent>) -> Job {
    let turn = match parent.map(|parent| &parent.step) {
        None | Some(Step::Review) => Turn::Design,
        Some(Step::Refine { .. }) => Turn::Refine,
        Some(Step::Merge { .. }) => Turn::Merge,
    };
    let name = JobName::Design(model.design_id());
    let mut job = Job::new(name.id(), turn, Part::new(Work::Design(Some(index)), model.clone()));
    if let Some(earlier) = parent.and_then(|parent| parent.given(&model.design_id())) {
        settle(&mut job, &earlier.design, earlier.metadata.clone());
    }
    job
}

/// The job of a design that no model wrote; it is done.
fn of_file(id: &DesignId, file: &str, design: &Design, metadata: Provenance) -> Job {
    let entry = ModelEntry {
        id: id.to_string(),
        name: file.to_owned(),
        model_id: String::new(),
        temperature: 0.0,
        prompt_template: None,
        brief: None,
        variant: None,
    };
    let part = Part::new(Work::Design(None), entry);
    let mut job = Job::new(JobName::Design(id.clone()).id(), Turn::Design, part);
    settle(&mut job, design, metadata);
    job
}

fn settle(job: &mut Job, design: &Design, metadata: Provenance) {
    job.state = JobState::Done;
    job.part.product.design = Some(design.clone());
    job.part.product.made_earlier = Some(metadata);
}

/// The topic of a run that builds upon another: the other's topic with the suffix of the step, only once.
pub(super) fn follow_up_topic(parent: &Parent) -> String {
    let suffix = parent.step.suffix();
    // `YYYY-MM-DD-<topic>`
    let topic = parent.run.get(11..).unwrap_or(&parent.run);
    let topic = topic.find(suffix).map_or(topic, |at| &topic[..at]);
    format!("{}{suffix}", slug(topic, TOPIC_LENGTH - suffix.len()))
}
