//! A rubric for the task: one model drafts it before any design is written, and it counts only once the user has approved it.
//!
//! The draft is a file that the user may edit. The user approves what the file contains by typing its hash. If the user continues
//! without doing so, the rubric of the configuration counts.

use super::code::WorkflowCode;
use super::forecast;
use super::job::{Job, Part, Turn, Work};
use super::job_name::JobName;
use super::protocol::{Command, Opening, TaskRubric};
use super::results::{self, File};
use super::run_index::GivenRubric;
use super::state::{Naming, Phase, State};
use crate::design_lab::config::{self, Config, Dimension};
use crate::design_lab::ranking::{RubricOrigin, RubricUsed};
use crate::design_lab::report::DraftedRubric;
use crate::shared::commented;
use crate::shared::named_text::NamedText;
use crate::shared::typed_hash::{is_typed, short};
use kernel::digest::sha256;
use kernel::drive::notice;
use kernel::job::JobState;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::protocol::{Outcome, Tone};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The option that asks for a draft, and that approves one.
pub(super) const RUBRIC: &str = "--rubric";
/// The file with the draft, below the run directory.
const FILE: &str = "rubric.jsonc";

/// How far the rubric for the task is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Draft {
    /// The run drafts none.
    None,
    /// The user has not seen the draft yet.
    Open,
    /// The user has seen the draft, or why there is none.
    Shown,
    /// The user continued without it.
    Declined,
    /// The user approved it.
    Approved {
        rubric: TaskRubric,
        /// The dimensions of the configuration, which it replaced.
        configured: Vec<Dimension>,
    },
}

impl Draft {
    /// The initial state.
    pub(super) fn of(opening: &Opening) -> Self {
        match &opening.rubric {
            _ if opening.drafts_rubric => Self::Open,
            Some(rubric) => Self::Approved {
                rubric: rubric.clone(),
                configured: opening.config.scoring_criteria.dimensions.clone(),
            },
            None => Self::None,
        }
    }

    /// Whether its job is still asked when the run continues. What is drafted or left out stays, whoever would draft it now.
    pub(super) fn is_asked_for(&self, job: &Job, retrying: bool) -> bool {
        matches!(self, Self::Open | Self::Shown)
            && job.state != JobState::Done
            && (retrying || !job.state.is_settled())
    }
}

/// The job that drafts the rubric: the first review model does it. `None` if only people review.
pub(super) fn job(config: &Config) -> Option<Job> {
    let model = config.review_models.first()?.model.clone();
    Some(Job::new(JobName::Rubric.id(), Turn::Rubric, Part::new(Work::Rubric, model)))
}

/// The problem of a run that should draft a rubric without a review model.
pub(super) fn no_drafter(config: &Config) -> Option<Problem> {
    config.review_models.is_empty().then(|| {
        Problem::new(WorkflowCode::NoDrafter, "No model can draft the rubric: only people review.").next(
            "Add a model to `review_models`, or write the rubric yourself in `scoring_criteria.dimensions`.",
        )
    })
}

/// The hash that approves these dimensions.
fn hash(dimensions: &[Dimension]) -> String {
    sha256(&serde_json::to_string(dimensions).unwrap_or_default())
}

/// The file with the draft, for a person to edit.
fn file(run: &str, drafted_by: &str, dimensions: &[Dimension]) -> File {
    let criteria =
        json!({ "scoring_criteria": { "dimensions": dimensions.iter().map(editable).collect::<Vec<_>>() } });
    let lead = format!(
        "// A rubric for the task of {run}, drafted by {drafted_by}. It counts only once you approve it.\n\
         // Edit it as you like: names, descriptions, anchors, weights, and the number of dimensions.\n\
         //   /design-lab-resume {run} {RUBRIC} HASH   approves what is written here\n\
         //   /design-lab-resume {run}   continues with the rubric of the configuration\n\
         // If you type the hash of an earlier version, the refusal shows the present one.\n"
    );
    (FILE.to_owned(), format!("{lead}{}\n", commented::layout(&criteria, 0)))
}

/// A dimension as a person writes it.
fn editable(dimension: &Dimension) -> Value {
    let Dimension { name, description, min, max, weight, anchors } = dimension;
    let mut value =
        json!({ "name": name, "description": description, "weight": plain(*weight), "anchors": anchors });
    let usual = Dimension::new("");
    for (key, number, usual) in [("min", *min, usual.min), ("max", *max, usual.max)] {
        if number.total_cmp(&usual).is_ne() {
            value[key] = plain(number);
        }
    }
    value
}

/// A number without `.0`.
fn plain(number: f64) -> Value {
    serde_json::from_str(&number.to_string()).unwrap_or_else(|_| json!(number))
}

impl State {
    fn rubric_job(&self) -> Option<&Job> {
        self.calls.jobs.iter().find(|job| job.part.work == Work::Rubric)
    }

    /// The draft, once its model has written it.
    fn drafted(&self) -> Option<(&Job, &[Dimension])> {
        let job = self.rubric_job().filter(|job| job.state == JobState::Done)?;
        Some((job, job.part.product.rubric.as_deref()?))
    }

    /// Whether the run waits until the user has decided on the draft, or on its failure.
    pub(super) fn awaits_rubric(&self) -> bool {
        matches!(self.draft, Draft::Open | Draft::Shown)
            && self.directory.name.is_some()
            && self.rubric_job().is_none_or(|job| job.state.is_settled())
    }

    /// The phase in which the run asks its models next, before any design is written.
    pub(super) fn first_phase(&self) -> Phase {
        if self.draft == Draft::Open { Phase::Drafting } else { Phase::Designing }
    }

    /// Names the run by its task, so that only the draft is paid for, and ends the run in this process once the draft is settled.
    pub(super) fn advance_draft(&mut self, commands: &mut Vec<Command>) {
        if matches!(self.naming, Naming::Ahead | Naming::Asked) {
            if let Some(job) = self.rubric_job().filter(|job| !job.state.is_settled()) {
                let message = format!("{} drafts the rubric for this task", job.part.model.model_id);
                commands.push(notice(Tone::Info, message));
            }
            self.topic = self.topic_slug();
            self.naming = Naming::Claiming;
            commands.push(Command::ClaimDirectory { name: self.directory_name() });
        }
        if let Naming::Refused(problem) = &self.naming {
            self.end_without_ranking(problem.clone(), commands);
        } else if self.awaits_rubric() {
            self.wait_for_approval(commands);
        }
    }

    fn wait_for_approval(&mut self, commands: &mut Vec<Command>) {
        self.further = Some(forecast::of_rest(self));
        self.phase = Phase::Over(Outcome::Waiting);
        let run = self.directory.name.as_deref().unwrap_or_default();
        let message = match self.drafted() {
            Some((job, dimensions)) => {
                let (path, text) = file(run, &job.part.model.model_id, dimensions);
                commands.push(Command::Create { path, text });
                "The rubric is drafted; the run waits for your decision on it"
            }
            None => "No rubric was drafted; the run waits for your decision",
        };
        commands.push(notice(Tone::Warning, message.to_owned()));
        self.finish(commands);
    }

    /// Notes that the user has been shown everything: from now on, continuing is a decision.
    pub(super) fn note_shown(&mut self) {
        if self.draft == Draft::Open && self.awaits_rubric() && self.phase == Phase::Over(Outcome::Waiting) {
            self.draft = Draft::Shown;
        }
    }

    /// Settles a draft that the user has seen and not approved, when the run continues: it is left out or, if it failed, drafted again.
    pub(super) fn decide_on_draft(&mut self) {
        let job = self.rubric_job();
        let cannot_be_drafted = self.draft == Draft::Open && job.is_none();
        if self.draft != Draft::Shown && !cannot_be_drafted {
            return;
        }
        if self.retrying && job.is_some() && self.drafted().is_none() {
            self.draft = Draft::Open;
            return;
        }
        let why = match job.map(|job| (&job.part.model.id, &job.state)) {
            Some((who, JobState::Failed(reason))) => {
                format!("{who} failed to draft a rubric for this task ({})", reason.in_own_words())
            }
            Some(_) => "You didn't approve the rubric that was drafted for this task".to_owned(),
            None => "No review model is left to draft a rubric for this task".to_owned(),
        };
        self.draft = Draft::Declined;
        self.note_mend(&format!("{why}: reviewers use the rubric of the configuration."));
    }

    /// What the user approves by typing this hash, or everything that prevents it.
    pub(super) fn approval(&self, given: &GivenRubric) -> Result<TaskRubric, Vec<Problem>> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        let none = |message: String| {
            let next = format!("/design-lab-status {run} shows its state.");
            vec![Problem::new(WorkflowCode::NoRubric, message).next(next)]
        };
        let Some((job, drafted)) = self.drafted().filter(|_| self.awaits_rubric()) else {
            return Err(none(format!("{run} has no rubric that waits for your approval.")));
        };
        let name = format!("{}/{run}/{FILE}", self.opening.config.output_directory.trim_end_matches('/'));
        let Some(text) = &given.text else { return Err(none(format!("{name} doesn't exist."))) };
        let dimensions = config::task_rubric(&NamedText { name: name.clone(), text: text.clone() })?;
        let hash = hash(&dimensions);
        if !is_typed(&given.hash, &hash) {
            let names: Vec<&str> = dimensions.iter().map(|one| one.name.as_str()).collect();
            let mut problem = Problem::new(
                WorkflowCode::RubricChanged,
                "This hash is not the hash of the rubric in the file.",
            )
            .found(given.hash.clone())
            .allowed(format!("{}, for the dimensions {}", short(&hash), names.join(", ")))
            .next(format!(
                "Read the file. If it says what you want, type /design-lab-resume {run} {RUBRIC} {}.",
                short(&hash)
            ));
            problem.file = Some(name);
            return Err(vec![problem]);
        }
        Ok(TaskRubric {
            drafted_by: job.part.model.model_id.clone(),
            edited: dimensions != drafted,
            dimensions,
            elsewhere: false,
        })
    }

    /// Why a model may not continue the run; `None` when it may. Only the user decides on a draft.
    pub(super) fn refuses_model(&self) -> Option<Problem> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        self.awaits_rubric().then(|| {
            Problem::new(
                WorkflowCode::RubricWaits,
                format!("{run} waits for the user's decision on its rubric."),
            )
            .next(format!("Ask the user to read the rubric and to type the command that {run} shows."))
        })
    }

    /// Why this rubric can't be approved, as the end of a sentence; `None` when it can.
    pub(super) fn refuses_approval(&self, rubric: &TaskRubric) -> Option<&'static str> {
        let Some((job, _)) = self.drafted().filter(|_| self.awaits_rubric()) else {
            return Some("a rubric is approved that the run doesn't wait for");
        };
        (job.part.model.model_id != rubric.drafted_by).then_some("another model drafted the rubric")
    }

    /// Lets reviewers use the approved rubric.
    pub(super) fn approve(&mut self, rubric: TaskRubric, commands: &mut Vec<Command>) {
        let dimensions = &mut self.opening.config.scoring_criteria.dimensions;
        let configured = std::mem::replace(dimensions, rubric.dimensions.clone());
        self.draft = Draft::Approved { rubric, configured };
        commands.extend(results::write(results::setup_files(self)));
    }

    /// Notes that whatever people decided so far wasn't decided on this machine: the approval of a rubric, and outcomes.
    pub(super) fn disown(&mut self) {
        self.outcomes.iter_mut().for_each(|known| known.elsewhere = true);
        let Draft::Approved { rubric, .. } = &mut self.draft else { return };
        rubric.elsewhere = true;
        let used = self.rubric_used();
        if let Some(ranking) = &mut self.ranking {
            ranking.rubric = Some(used);
        }
    }

    /// The run as this machine shows it: what people decided in a run from elsewhere may be somebody else's decision.
    pub(super) fn vouched(&self, origin: Origin) -> Cow<'_, Self> {
        let mut state = Cow::Borrowed(self);
        if origin != Origin::Here {
            state.to_mut().disown();
        }
        state
    }

    /// The approved rubric.
    pub(super) fn approved_rubric(&self) -> Option<&TaskRubric> {
        match &self.draft {
            Draft::Approved { rubric, .. } => Some(rubric),
            _ => None,
        }
    }

    /// Gives a configuration the approved rubric, if there is one: it belongs to the task, not to the configuration.
    pub(super) fn keep_rubric(&self, config: &mut Config) {
        if self.approved_rubric().is_some() {
            config.scoring_criteria.dimensions.clone_from(&self.opening.config.scoring_criteria.dimensions);
        }
    }

    /// The draft that waits for the user.
    pub(super) fn draft_to_show(&self) -> Option<DraftedRubric<'_>> {
        if self.phase != Phase::Over(Outcome::Waiting) || !self.awaits_rubric() {
            return None;
        }
        let job = self.rubric_job()?;
        let dimensions = self.drafted().map_or(&[][..], |(_, dimensions)| dimensions);
        Some(DraftedRubric {
            drafted_by: &job.part.model.model_id,
            dimensions,
            file: FILE,
            hash: short(&hash(dimensions)).to_owned(),
            failure: match &job.state {
                JobState::Failed(reason) => Some(reason),
                _ => None,
            },
        })
    }

    /// The rubric that reviewers use, as a ranking states it.
    pub(super) fn rubric_used(&self) -> RubricUsed {
        if let Draft::Approved { rubric, .. } = &self.draft {
            return RubricUsed::of_task(&rubric.drafted_by, rubric.edited, rubric.elsewhere);
        }
        let dimensions = &self.opening.config.scoring_criteria.dimensions;
        RubricUsed::of(if config::is_built_in(dimensions) {
            RubricOrigin::Default
        } else {
            RubricOrigin::Configured
        })
    }
}
