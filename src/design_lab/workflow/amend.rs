//! Changing the set of designs before it is reviewed: the user has a design rewritten, or removes one from the set.
//!
//! A run that starts this way, or whose set was changed, ends when its designs are written. When it is continued after that, the
//! designs are reviewed. A design that is rewritten stays until the new one is accepted, even if that fails; what left the set is kept
//! in `former/<n>/`.

use super::code::{WorkflowCode, too_few_designs};
use super::comparison;
use super::job::{self, Job, Part, Turn, Work};
use super::job_name::JobName;
use super::protocol::{Amendment, Command, Opening};
use super::reconfigured::FORMER;
use super::results;
use super::rubric::Draft;
use super::state::{Phase, State};
use crate::design_lab::config::{Config, ModelEntry, ReviewerEntry};
use crate::shared::capped::capped;
use crate::shared::figures::count;
use kernel::drive::notice;
use kernel::job::JobState;
use kernel::problem::Problem;
use kernel::protocol::{JobId, Outcome, Tone};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The longest remark, in characters: it goes into a prompt.
const REMARK: usize = 4_000;
/// How much of a remark is quoted, in characters.
const QUOTED: usize = 300;

/// The user's changes to the set of designs.
#[derive(Clone, Debug, Default)]
pub(super) struct Amendments {
    /// Whether the run ends once its designs are written.
    pub(super) review_later: bool,
    /// Whether the user has seen the designs: from then on, a failed one is retried only at the user's request.
    pub(super) is_shown: bool,
    /// Whether the run continues next because of a change.
    pub(super) is_under_way: bool,
    /// Designs that are then asked for again.
    pub(super) again: BTreeSet<JobId>,
    /// The user's remarks to the authors of designs that aren't written yet.
    pub(super) remarks: BTreeMap<JobId, String>,
    /// Designs that are being rewritten: the previous one is the latest of its id among the retired.
    pub(super) standing: BTreeSet<JobId>,
    /// Designs that the user took out of the set, each with its place in `design_models`.
    dropped: Vec<(usize, ModelEntry)>,
    /// The notes on these changes that are kept with the results.
    pub(super) notes: Vec<String>,
}

impl Amendments {
    /// The initial state.
    pub(super) fn of(opening: &Opening) -> Self {
        Self { review_later: opening.review_later, ..Self::default() }
    }
}

impl State {
    /// Ends the run in this process, once its designs are written.
    pub(super) fn pause(&mut self, commands: &mut Vec<Command>) {
        self.amendments.is_shown = true;
        self.phase = Phase::Over(Outcome::Paused);
        let message = "The designs are written; no reviewer was asked".to_owned();
        commands.push(notice(Tone::Success, message));
        self.finish(commands);
    }

    /// Explains why the set of designs can't be changed this way; `None` when it can.
    pub(super) fn refuses(&self, amendment: &Amendment) -> Option<Problem> {
        let run = self.directory.name.as_deref()?;
        let stands = |why: String| {
            Problem::new(
                WorkflowCode::SetStands,
                format!("The designs of {run} can no longer change: {why}."),
            )
            .next(format!(
                "/design-lab-refine {run} lets designers revise their designs after the reviews; \
                 /design-lab-review {run} reviews them in a new run; /design-lab --new --review-later <task> \
                 starts with other designs."
            ))
        };
        if let Some(parent) = &self.opening.parent {
            return Some(stands(format!("the run is built on {}", parent.run)));
        }
        if self.is_reviewed() || self.human_reviewers().next().is_some() {
            return Some(stands("reviewers have received them".to_owned()));
        }
        let Some(job) = self.design_jobs().find(|job| job.part.model.design_id() == amendment.design) else {
            let known: Vec<&str> = self.design_jobs().map(|job| job.part.model.id.as_str()).collect();
            let problem = Problem::new(WorkflowCode::UnknownDesign, format!("{run} has no such design."));
            let next = format!("/design-lab-status {run} shows its designs.");
            return Some(problem.found(amendment.design.to_string()).allowed(known.join(", ")).next(next));
        };
        let last = self.opening.config.design_models.len() < 2 && amendment.again.is_none();
        if job.part.file().is_some() || last {
            let why = match job.part.file() {
                Some(_) => "it is your own file, which no model wrote",
                None => "no other model writes a design",
            };
            let change = if amendment.again.is_some() { "rewritten" } else { "dropped" };
            let problem = Problem::new(
                WorkflowCode::SetStands,
                format!("{} can't be {change}: {why}.", amendment.design),
            );
            return Some(problem.next("/design-lab --new <task> starts a run with other designs."));
        }
        let Some(remark) = &amendment.again else {
            let others = self.designs().filter(|(id, _)| *id != amendment.design).count();
            if others < 2 {
                let id = &amendment.design;
                return Some(Problem {
                    message: format!(
                        "Without {id}, {} would be left, but a comparison needs 2.",
                        count(others as u64, "design", "designs")
                    ),
                    next: Some(format!("/design-lab-resume {run} --again {id} rewrites it.")),
                    ..too_few_designs(run, others)
                });
            }
            let mut config = self.opening.config.clone();
            config.design_models.retain(|model| model.design_id() != amendment.design);
            return comparison::uncountable(&config, self.opening.own_files().count());
        };
        if !job.state.is_settled() {
            let message = format!("The design by {} isn't written yet.", amendment.design);
            let next = format!("/design-lab-resume {run} continues the run.");
            return Some(Problem::new(WorkflowCode::NoDesign, message).next(next));
        }
        let length = remark.chars().count();
        (length > REMARK).then(|| {
            Problem::new(
                WorkflowCode::LongRemark,
                format!("The remark is too long: {}.", count(length as u64, "character", "characters")),
            )
            .allowed(format!("at most {}", count(REMARK as u64, "character", "characters")))
            .next("Shorten it; requirements for all designs belong in the task.")
        })
    }

    /// Applies the part of the change that needs no model call.
    pub(super) fn amended(&mut self, amendment: Amendment, commands: &mut Vec<Command>) {
        self.amendments.review_later = true;
        self.amendments.is_under_way = true;
        let Amendment { design, again } = amendment;
        let note = if let Some(remark) = again {
            let job = JobName::Design(design.clone()).id();
            let said = match remark.as_str() {
                "" => "without a remark".to_owned(),
                remark => format!("with the remark \u{201c}{}\u{201d}", capped(remark, QUOTED)),
            };
            self.amendments.remarks.remove(&job);
            self.amendments.remarks.extend((!remark.is_empty()).then(|| (job.clone(), remark)));
            self.amendments.again.insert(job);
            format!("Before any review, you had {design} rewrite its design, {said}.")
        } else {
            self.drop_design(&design, commands);
            format!("Before any review, you dropped {design}; it is kept in {FORMER}/{}.", self.changes)
        };
        self.note_mend(&note);
    }

    pub(super) fn note_mend(&mut self, note: &str) {
        for notes in [&mut self.notes, &mut self.lasting_notes, &mut self.amendments.notes] {
            notes.push(note.to_owned());
        }
    }

    fn drop_design(&mut self, design: &str, commands: &mut Vec<Command>) {
        let before = results::current(self);
        let already_retired = self.calls.retired.len();
        let old = self.opening.config.clone();
        let models = &mut self.opening.config.design_models;
        let Some(at) = models.iter().position(|model| model.id == design) else { return };
        self.amendments.dropped.push((at, models.remove(at)));
        self.changes += 1;
        self.retire_what_differs(&old);
        self.let_go(already_retired, commands);
        self.file_away(before, commands);
    }

    /// Removes the designers that the user took out of the set from a configuration, and adds the reviewers who joined.
    pub(super) fn amend(&self, config: &mut Config) -> Result<(), Problem> {
        let is_dropped = |model: &ModelEntry| {
            let mut dropped = self.amendments.dropped.iter();
            dropped.any(|(_, gone)| gone.id == model.id && gone.model_id == model.model_id)
        };
        config.design_models.retain(|model| !is_dropped(model));
        for id in self.added() {
            let entry = self.opening.config.review_models.iter().find(|entry| *entry.model.id == **id);
            let is_there = |entry: &ReviewerEntry| {
                config.review_models.iter().any(|known| {
                    known.model.model_id == entry.model.model_id || known.model.id == entry.model.id
                })
            };
            config.review_models.extend(entry.filter(|entry| !is_there(entry)).cloned());
        }
        let left = config.design_models.len() + self.opening.own_files().count();
        let run = self.directory.name.as_deref().unwrap_or("The run");
        if left < 2 { Err(too_few_designs(run, left)) } else { Ok(()) }
    }

    /// The opening that the run would have under its current configuration if the user had not changed the set.
    pub(super) fn unmended(&self) -> Cow<'_, Opening> {
        let mut opening = Cow::Borrowed(&self.opening);
        for id in self.added() {
            opening.to_mut().config.review_models.retain(|entry| *entry.model.id != **id);
        }
        if let Draft::Approved { configured, .. } = &self.draft {
            opening.to_mut().config.scoring_criteria.dimensions.clone_from(configured);
        }
        for (at, model) in self.amendments.dropped.iter().rev() {
            let models = &mut opening.to_mut().config.design_models;
            models.insert((*at).min(models.len()), model.clone());
        }
        opening
    }

    /// Retires the designs that are to be rewritten: each stays valid until the new one is accepted.
    pub(super) fn write_again(&mut self) {
        for job in &mut self.calls.jobs {
            if self.amendments.again.contains(&job.id) && job.state == JobState::Done {
                let part = Part::new(job.part.work, job.part.model.clone());
                // It may have ended with its claims, which follow again.
                let turn = if job.turn == Turn::Claims { Turn::Design } else { job.turn };
                let fresh = Job::new(job.id.clone(), turn, part);
                self.amendments.standing.insert(job.id.clone());
                self.calls.retired.push(std::mem::replace(job, fresh));
            }
        }
    }

    /// The design that stays valid while its designer rewrites it.
    pub(super) fn standing(&self, job: &JobId) -> Option<&Job> {
        self.calls.retired.get(self.place_of_standing(job)?)
    }

    fn place_of_standing(&self, id: &JobId) -> Option<usize> {
        let is_it = |job: &Job| job.id == *id && job.part.product.design.is_some();
        self.amendments.standing.contains(id).then(|| self.calls.retired.iter().rposition(is_it))?
    }

    /// Settles a design that was rewritten: the new one replaces the previous one, or the previous one stays. Returns `false` for any
    /// other job.
    pub(super) fn is_rewritten(&mut self, index: usize, is_known: bool, commands: &mut Vec<Command>) -> bool {
        let id = self.calls.jobs[index].id.clone();
        if matches!(self.calls.jobs[index].part.work, Work::Design(_)) {
            self.amendments.remarks.remove(&id);
        }
        let Some(at) = self.place_of_standing(&id) else { return false };
        self.amendments.standing.remove(&id);
        if !is_known {
            self.tell_settled(index, commands);
        }
        self.changes += 1;
        let author = job::label(&self.calls.jobs[index]);
        let JobState::Failed(reason) = &self.calls.jobs[index].state else {
            let before = results::files_of_design(&self.calls.retired[at]);
            self.file_away(before, commands);
            self.note_mend(&format!(
                "{author} has rewritten its design; the earlier one is kept in {FORMER}/{}.",
                self.changes
            ));
            return true;
        };
        let why = reason.in_own_words().to_owned();
        let mut standing = self.calls.retired.remove(at);
        standing.part.work = self.calls.jobs[index].part.work;
        let failed = std::mem::replace(&mut self.calls.jobs[index], standing);
        let salvaged = results::salvaged_files(self, &failed);
        self.calls.retired.push(failed);
        self.former.extend(
            salvaged.into_iter().map(|(path, text)| (format!("{FORMER}/{}/{path}", self.changes), text)),
        );
        commands.extend(results::write(self.former.clone()));
        self.note_mend(&format!("{author} failed to rewrite its design ({why}): the earlier one stays."));
        true
    }
}
