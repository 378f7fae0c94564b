//! This workflow's data about a job: its purpose, its model, its product.

use super::job_name::JobName;
use super::map::Mapping;
use super::protocol::Role;
use super::state::State;
use crate::design_lab::artefacts::{ComparisonVerdict, Design, Evaluation, Provenance};
use crate::design_lab::config::{Dimension, ModelEntry};
use crate::design_lab::prompts::Form;
use kernel::protocol::LookedUp;

/// A conversation with one model.
pub(super) type Job = kernel::job::Job<State>;

/// This workflow's data about a job.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) work: Work,
    /// The model, and its settings. For a design of the user's own, this entry names no model, since none is asked.
    pub(super) model: ModelEntry,
    /// What has been accepted so far.
    pub(super) product: Product,
}

impl Part {
    pub(super) fn new(work: Work, model: ModelEntry) -> Self {
        Self { work, model, product: Product::default() }
    }

    /// The file that a design was read from, if no model wrote it.
    pub(super) fn file(&self) -> Option<&str> {
        (self.work == Work::Design(None)).then_some(self.model.name.as_str())
    }

    /// The author of a design: its model, or its file.
    pub(super) fn author(&self) -> &str {
        self.file().unwrap_or(&self.model.model_id)
    }
}

/// The purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Naming the run.
    Topic,
    /// Drafting the rubric for the task.
    Rubric,
    /// The design of this entry of `design_models`; `None` for a file of the user's own.
    Design(Option<usize>),
    /// The review by this entry of `review_models`; in pairwise mode, one comparison of two designs.
    Review { reviewer: usize, repeat: u32 },
    /// Mapping where all designs agree and differ.
    Map,
}

/// The kinds of prompts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A short name.
    Topic,
    /// The rubric for the task as JSON.
    Rubric,
    /// A design as JSON.
    Design,
    /// The next version of a design as JSON.
    Refine,
    /// A design made of the best parts of several, as JSON.
    Merge,
    /// What the design states about the project, as JSON: the design that was accepted states nothing.
    Claims,
    /// A written review, and scores as JSON below it.
    Whole,
    /// A written review.
    Prose,
    /// Scores as JSON.
    Scores,
    /// Which of two designs is better, as JSON.
    Compare,
    /// Where the designs agree and differ, as JSON.
    Map,
}

impl Turn {
    /// The expected form of the answer.
    pub(super) fn form(self) -> Form {
        match self {
            Self::Compare => Form::Comparison,
            Self::Design | Self::Refine | Self::Merge => Form::Design,
            Self::Claims => Form::Claims,
            Self::Map => Form::Map,
            Self::Rubric => Form::Rubric,
            Self::Topic | Self::Prose => Form::Review,
            Self::Whole => Form::Whole,
            Self::Scores => Form::Scores,
        }
    }
}

/// The product of a job so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    pub(super) design: Option<Design>,
    /// The provenance of the design, if an earlier run made it.
    pub(super) made_earlier: Option<Provenance>,
    pub(super) prose: Option<String>,
    /// The drafted rubric.
    pub(super) rubric: Option<Vec<Dimension>>,
    /// The prompt that asks to fix the scores that came with the written review.
    pub(super) fix: Option<String>,
    /// By real design id, in the run's order of designs.
    pub(super) evaluations: Option<Vec<Evaluation>>,
    /// Whether these are the same for every design, even after a retry.
    pub(super) undiscriminating: bool,
    /// What was found at the places that a review cites.
    pub(super) looked_up: Vec<LookedUp>,
    /// The verdict on the two designs in the order shown.
    pub(super) verdict: Option<ComparisonVerdict>,
    /// The decision map.
    pub(super) map: Option<Mapping>,
    /// What extraction repaired in the accepted answer.
    pub(super) repairs: Vec<String>,
}

impl Work {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Topic => Role::Topic,
            Self::Design(_) => Role::Designer,
            // Who drafts the rubric reads what reviewers will read.
            Self::Rubric | Self::Review { .. } | Self::Map => Role::Reviewer,
        }
    }
}

/// A job's name for people: the entry's id, with the number of the repeat or the comparison if there are several.
pub(super) fn label(job: &Job) -> String {
    let id = &job.part.model.id;
    match JobName::of(&job.id) {
        Some(JobName::Review { number, .. }) if job.turn == Turn::Compare || number > 1 => {
            format!("{id} #{number}")
        }
        Some(JobName::Pair { number, .. }) => format!("{id} pair #{number}"),
        _ => id.clone(),
    }
}
