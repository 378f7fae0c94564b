//! What this workflow keeps of a job: what it is for, whom it asks, what it has brought.

use super::job_name::JobName;
use super::protocol::Role;
use super::state::State;
use crate::design_lab::artefacts::{ComparisonVerdict, Design, Evaluation, Provenance};
use crate::design_lab::config::ModelEntry;
use crate::design_lab::prompts::Form;

/// A conversation with one model.
pub(super) type Job = kernel::job::Job<State>;

/// What this workflow keeps of a job.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) work: Work,
    /// The model asked, and how. For a design of the user's own an entry stands in that names no model: nobody is asked.
    pub(super) model: ModelEntry,
    /// What has been accepted so far.
    pub(super) product: Product,
}

impl Part {
    pub(super) fn new(work: Work, model: ModelEntry) -> Self {
        Self { work, model, product: Product::default() }
    }

    /// The file that a design was read from, where no model wrote it.
    pub(super) fn file(&self) -> Option<&str> {
        (self.work == Work::Design(None)).then_some(self.model.name.as_str())
    }

    /// Whose a design is: its model, or its file.
    pub(super) fn author(&self) -> &str {
        self.file().unwrap_or(&self.model.model_id)
    }
}

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Naming the run.
    Topic,
    /// The design of this entry of `design_models`; of none, where it is a file of the user's own.
    Design(Option<usize>),
    /// The review by this entry of `review_models`; in pairwise mode one comparison of two designs.
    Review { reviewer: usize, repeat: u32 },
}

/// The prompts that a job may be at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A short name.
    Topic,
    /// A design as JSON.
    Design,
    /// The next version of a design as JSON.
    Refine,
    /// A design made of the best parts of several, as JSON.
    Merge,
    /// A written review, and scores as JSON below it.
    Whole,
    /// A written review.
    Prose,
    /// Scores as JSON.
    Scores,
    /// Which of two designs is better, as JSON.
    Compare,
}

impl Turn {
    /// What the answer should be.
    pub(super) fn form(self) -> Form {
        match self {
            Self::Compare => Form::Comparison,
            Self::Design | Self::Refine | Self::Merge => Form::Design,
            Self::Topic | Self::Prose => Form::Review,
            Self::Whole => Form::Whole,
            Self::Scores => Form::Scores,
        }
    }
}

/// What a job has brought so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Product {
    pub(super) design: Option<Design>,
    /// Where the design came from, if an earlier run made it.
    pub(super) made_earlier: Option<Provenance>,
    pub(super) prose: Option<String>,
    /// What asks to fix the scores that came with the written review.
    pub(super) fix: Option<String>,
    /// By real design id, in the run's order of designs.
    pub(super) evaluations: Option<Vec<Evaluation>>,
    /// Whether these tell no design from another, also when asked again.
    pub(super) undiscriminating: bool,
    /// On the two designs in the order shown.
    pub(super) verdict: Option<ComparisonVerdict>,
    /// What extraction repaired in the accepted answer.
    pub(super) repairs: Vec<String>,
}

impl Work {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Topic => Role::Topic,
            Self::Design(_) => Role::Designer,
            Self::Review { .. } => Role::Reviewer,
        }
    }
}

/// What people call a job: the entry's id, with the repeat or the comparison's number where there are several.
pub(super) fn label(job: &Job) -> String {
    let id = &job.part.model.id;
    match JobName::of(&job.id) {
        Some(JobName::Review { number, .. }) if job.turn == Turn::Compare || number > 1 => {
            format!("{id} #{number}")
        }
        _ => id.clone(),
    }
}
