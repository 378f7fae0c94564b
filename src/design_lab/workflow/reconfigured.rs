//! Continuing under another configuration: answers given on the same terms stay, the rest is asked.
//!
//! A designer or reviewer whose model and prompt settings are unchanged keeps its answers. Reviews are valid only for the designs, the
//! rubric and the mode that they were made for. Changed budgets, deadlines, retries and concurrency cause no new calls: they apply from
//! here on. Whatever leaves the run is moved to `former/<n>/`, since it was paid for.

use super::candidate::{self, Candidate};
use super::comparison;
use super::job::Part;
use super::job::{Job, Work};
use super::job_name::JobName;
use super::opening;
use super::plan;
use super::protocol::Decision;
use super::protocol::{Command, EventKind, Reconfiguration};
use super::results::{self, File};
use super::state::State;
use super::until_clear;
use crate::design_lab::config::{
    self, AvailableModel, AvailableModels, Config, Dimension, Layer, ModelEntry, ReferencedFile,
    ReviewerEntry, Source, UntilClear,
};
use crate::design_lab::ids::DesignId;
use crate::design_lab::ids::ReviewerId;
use crate::design_lab::isolation::unchecked_tools;
use design_lab_numerics::sorting::map;
use kernel::drive;
use kernel::job::JobState;
use kernel::problem::Problem;
use kernel::protocol::{JobId, Tone};

/// The folder for what left the run, below the run directory.
pub(super) const FORMER: &str = "former";

impl State {
    /// Returns the event by which a new process continues under the current configuration.
    pub(super) fn resumption(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        until: Option<UntilClear>,
    ) -> Result<EventKind, Vec<Problem>> {
        let (old, loaded) = (&self.opening, config::load(sources, files, available)?);
        let few =
            config::too_few(&loaded, sources).filter(|_| old.parent.is_none() && old.candidates.is_empty());
        let (mut config, mut notes) = (loaded.config, loaded.notes);
        let unnamed =
            |setting: &str| loaded.origins.get(setting).is_none_or(|origin| origin.layer == Layer::Default);
        if unnamed("/design_models") {
            // Models that were picked automatically stay those of the run, whatever is connected by now.
            config.design_models.clone_from(&old.config.design_models);
            if unnamed("/review_models") {
                config.review_models.clone_from(&old.config.review_models);
                config.people.clone_from(&old.config.people);
            }
            if unnamed("/topic_generator_model") {
                config.topic_generator_model.clone_from(&old.config.topic_generator_model);
            }
            notes.clone_from(&old.notes);
        }
        if unnamed("/scoring_criteria/dimensions")
            && config::is_built_in(&old.config.scoring_criteria.dimensions)
        {
            // Reviews by the built-in rubric of an earlier version stay valid.
            config.scoring_criteria.dimensions.clone_from(&old.config.scoring_criteria.dimensions);
        }
        if old.parent.is_some() {
            // The designs are those of an earlier run, and their next step is fixed.
            config.design_models.clone_from(&old.config.design_models);
            config.topic_generator_model.clone_from(&old.config.topic_generator_model);
            notes.clone_from(&old.notes);
        }
        candidate::hide(&mut config, old.own_files().map(|(_, file)| file));
        if self.is_extended() {
            // Only settings that cause no new calls may change until the reviewers who joined have been asked.
            config = self.limited_as(&config);
            notes.clone_from(&old.notes);
        }
        notes.extend(
            old.candidates
                .iter()
                .map(Candidate::note)
                .filter(|note| !notes.contains(note))
                .collect::<Vec<_>>(),
        );
        self.keep_rubric(&mut config);
        // Orders and labels that were already shown were drawn from the seed.
        config.seed = old.config.seed;
        if let Some(until) = until.or(old.config.until_clear) {
            until.set(&mut config);
        }
        // Comparisons and a map that were asked for stay, whatever the settings say by now.
        config.review.close_pairs |= old.config.review.close_pairs && self.is_scored();
        config.decision_map |= self.is_mapped();
        self.amend(&mut config).map_err(|problem| vec![problem])?;
        if self.is_adopted {
            config.isolation.close();
        }
        let models = opening::facts_for_all(old, &config, available);
        if config == old.config {
            if !old.has_other_tools(&models) {
                return Ok(EventKind::Resumed);
            }
            notes.clone_from(&old.notes);
        }
        let mut problems: Vec<Problem> = few.into_iter().chain(candidate::taken_id(&config, old)).collect();
        problems.extend(comparison::uncountable(&config, old.own_files().count()));
        problems.extend(until_clear::refusal(&config));
        problems.extend(config::check_models(&config, &with_models_of(&old.config, available)));
        if !problems.is_empty() {
            return Err(problems);
        }
        let change = old.retold(Reconfiguration { config, notes, models, added: Vec::new() });
        Ok(EventKind::Decided(Decision::Reconfigured(Box::new(change))))
    }

    /// Continues under another configuration after `idle` milliseconds in which no process ran it.
    pub(super) fn reconfigured(&mut self, change: Reconfiguration, idle: u64, commands: &mut Vec<Command>) {
        let before = results::current(self);
        let already_retired = self.calls.retired.len();
        let Reconfiguration { config, notes, models, added } = change;
        let old = std::mem::replace(&mut self.opening.config, config);
        (self.opening.notes, self.opening.models) = (notes, models);
        self.lasting_notes = self.opening.notes.iter().chain(&self.amendments.notes).cloned().collect();
        self.isolated &= self.opening.config.isolation.enforce_design_isolation;
        let tools = unchecked_tools(&self.opening.config.isolation);
        self.unchecked_tools.extend(tools.into_iter().map(str::to_owned));
        self.changes += 1;
        self.join(&added, old.review_models.len());
        let people: Vec<String> = self.humans.iter().map(|review| review.reviewer.to_string()).collect();
        let staleness = self.retire_what_differs(&old);
        let retrial = self.account_of_retrial().filter(|_| self.retrying);
        self.let_go(already_retired, commands);
        self.continue_with(idle, &added, commands);
        self.file_away(before, commands);
        self.notes.clone_from(&self.opening.notes);
        self.notes.extend(self.account_of_change(
            &self.calls.retired[already_retired..],
            &people,
            staleness,
            &added,
        ));
        self.notes.extend(retrial);
        for message in &self.notes[self.opening.notes.len()..] {
            commands.push(drive::line(Tone::Info, message.clone()));
        }
    }

    /// Stops the calls of jobs that have left the run, except the first `already_retired`: their answers are no longer needed.
    pub(super) fn let_go(&mut self, already_retired: usize, commands: &mut Vec<Command>) {
        let left = &self.calls.retired[already_retired..];
        commands.extend(left.iter().filter(|job| job.state.is_calling()).filter_map(kernel::calls::abort));
        self.amendments.standing.retain(|id| left.iter().all(|job| job.id != *id));
    }

    /// Replaces the old jobs by those of the new configuration, and keeps those that ask for the same. Returns why no review stays
    /// valid, if so.
    pub(super) fn retire_what_differs(&mut self, old: &Config) -> Option<&'static str> {
        let new = &self.opening.config;
        let has = |all: &[ModelEntry], one: &ModelEntry| all.iter().any(|other| asks_the_same(other, one));
        let designs_stand = new.design_models.iter().all(|model| has(&old.design_models, model))
            && self.designs_by().all(|author| has(&new.design_models, author));
        let same_mode = new.review.mode == old.review.mode;
        let staleness = if !designs_stand {
            Some("the designs have changed")
        } else if !same_mode {
            Some("the review mode has changed")
        } else if rubric(new) != rubric(old) {
            Some("the rubric has changed")
        } else {
            None
        };
        if staleness.is_some() {
            // People scored what no longer exists.
            self.humans.clear();
        }
        // What is known of a design that is written again isn't known of the new one.
        let as_before = |id: &DesignId| {
            let mut former = old.design_models.iter().filter(|model| model.design_id() == *id);
            former.all(|model| has(&new.design_models, model))
        };
        self.outcomes.retain(|one| as_before(&one.outcome.design));
        let planned = plan::jobs(&self.opening);
        let terms = |job: &Job| match job.part.work {
            Work::Topic => Some((Work::Topic, planned[0].part.model.clone())),
            Work::Rubric => {
                let model = &job.part.model;
                let same =
                    planned.iter().any(|one| one.id == job.id && asks_the_same(&one.part.model, model));
                (same || !self.draft.is_asked_for(job, self.retrying)).then(|| (Work::Rubric, model.clone()))
            }
            Work::Design(None) => Some((Work::Design(None), job.part.model.clone())),
            Work::Design(Some(_)) => {
                let index =
                    new.design_models.iter().position(|model| asks_the_same(model, &job.part.model))?;
                Some((Work::Design(Some(index)), new.design_models[index].clone()))
            }
            Work::Review { reviewer, repeat } => {
                let entry = &old.review_models[reviewer];
                let reviewer = new.review_models.iter().position(|other| reviews_the_same(other, entry))?;
                let stands = staleness.is_none() && repeat < new.review.repeats;
                stands.then(|| (Work::Review { reviewer, repeat }, new.review_models[reviewer].model.clone()))
            }
            // A map is valid for its designs, whoever reviews them by now.
            Work::Map => {
                (designs_stand && job.ledger.prompts > 0).then(|| (Work::Map, job.part.model.clone()))
            }
        };
        let mut kept = Vec::new();
        for job in std::mem::take(&mut self.calls.jobs) {
            match terms(&job) {
                Some((work, model)) => kept.push(Job { part: Part { work, model, ..job.part }, ..job }),
                None => self.calls.retired.push(job),
            }
        }
        self.calls.jobs = planned;
        for job in &mut self.calls.jobs {
            if let Some(index) = kept.iter().position(|known| known.id == job.id) {
                let turn = job.turn;
                *job = kept.remove(index);
                if job.ledger.prompts == 0 {
                    job.turn = turn;
                }
            }
        }
        // Comparisons are not planned yet.
        self.calls.jobs.extend(kept);
        if !designs_stand || !same_mode {
            self.forget_presentations();
        }
        if !designs_stand {
            // A form names designs by labels, and these designs are gone.
            let rows = old.review_models.len().max(self.form_rows) + self.human_reviewers().count();
            self.form_rows = rows;
            let stays = |job: &JobId| !matches!(JobName::of(job), Some(JobName::Form { .. } | JobName::Map));
            self.presented.retain(|job, _| stays(job));
        }
        staleness
    }

    /// Moves the files that are no longer valid out of the way of the current ones.
    pub(super) fn file_away(&mut self, before: Vec<File>, commands: &mut Vec<Command>) {
        if before.is_empty() {
            return;
        }
        let mut now = map(results::current(self));
        for (path, text) in before {
            if now.get(&path) == Some(&text) {
                now.remove(&path);
            } else {
                self.former.push((format!("{FORMER}/{}/{path}", self.changes), text));
            }
        }
        commands.extend(results::write(self.former.clone()));
        commands.extend(results::write(now.into_iter().collect()));
        self.discard_former(commands);
    }

    /// Deletes the moved files from their old paths.
    pub(super) fn discard_former(&self, commands: &mut Vec<Command>) {
        if self.former.is_empty() {
            return;
        }
        let now = map(results::current(self));
        let from = |path: &str| path.splitn(3, '/').nth(2).map(str::to_owned);
        let moved = self.former.iter().filter_map(|(path, _)| from(path));
        commands.extend(moved.filter(|path| !now.contains_key(path)).map(|path| Command::Discard { path }));
    }

    fn designs_by(&self) -> impl Iterator<Item = &ModelEntry> {
        let designs = self.calls.jobs.iter().filter(|job| matches!(job.part.work, Work::Design(Some(_))));
        designs.filter(|job| job.state == JobState::Done).map(|job| &job.part.model)
    }

    /// Lists what is kept, what will be asked, and what left the run, in sentences.
    fn account_of_change(
        &self,
        retired: &[Job],
        people: &[String],
        staleness: Option<&str>,
        added: &[ReviewerId],
    ) -> Vec<String> {
        let mut kept = Vec::new();
        let mut asked = Vec::new();
        let mut left_out = Vec::new();
        for job in self.calls.jobs.iter().filter(|job| matches!(job.part.work, Work::Design(_))) {
            match job.state {
                JobState::Done => kept.push(format!("the design by {}", job.part.model.id)),
                JobState::Failed(_) => {}
                _ => asked.push(format!("the design by {}", job.part.model.id)),
            }
        }
        for (reviewer, entry) in self.opening.config.review_models.iter().enumerate() {
            let mut jobs = self.review_jobs(reviewer).peekable();
            let done = jobs.peek().is_some() && jobs.all(|job| job.state == JobState::Done);
            let list = match done {
                true => &mut kept,
                false if added.is_empty() || added.contains(&entry.reviewer_id()) => &mut asked,
                false => &mut left_out,
            };
            list.push(format!("the review by {}", entry.model.id));
        }
        if !self.possible_comparisons().is_empty() {
            asked.push("the comparison of the first two designs, if their scores are close".to_owned());
        }
        if let Some(job) = self.map_job().filter(|_| added.is_empty()) {
            match job.state {
                JobState::Done => kept.push("the decision map".to_owned()),
                JobState::Failed(_) => {}
                _ => asked.push("the decision map".to_owned()),
            }
        }
        let left = names_of(retired.iter().filter(|job| job.state == JobState::Done));
        let called_off = names_of(retired.iter().filter(|job| job.state.is_calling()));
        let change = match added {
            [] => "The configuration has changed.".to_owned(),
            added => {
                let names: Vec<String> = added.iter().map(ToString::to_string).collect();
                format!("Added reviewers: {}.", listed(&names))
            }
        };
        let mut sentences = vec![format!("{change} Kept: {}. To ask: {}.", listed(&kept), listed(&asked))];
        if !left_out.is_empty() {
            sentences.push(format!("Failed before and not retried now: {}.", listed(&left_out)));
        }
        if !left.is_empty() {
            let because = staleness.map_or(String::new(), |why| format!(" (reviews, because {why})"));
            sentences.push(format!(
                "No longer counted{because}, and kept in {FORMER}/{}: {}.",
                self.changes,
                listed(&left)
            ));
        }
        if !called_off.is_empty() {
            let costs = if called_off.len() == 1 { "Its cost is" } else { "Their costs are" };
            sentences.push(format!(
                "No longer needed, and stopped before the answer arrived: {}. {costs} unknown.",
                listed(&called_off)
            ));
        }
        if let Some(why) = staleness.filter(|_| !people.is_empty()) {
            let forms = if people.len() == 1 { "form stays" } else { "forms stay" };
            sentences.push(format!(
                "The scores of {} no longer count either, because {why}; the {forms} in human/.",
                listed(people)
            ));
        }
        sentences
    }
}

/// The purposes of jobs, in words, each once.
fn names_of<'a>(jobs: impl Iterator<Item = &'a Job>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for job in jobs {
        let what = match job.part.work {
            Work::Topic => "name",
            Work::Rubric => "rubric",
            Work::Design(_) => "design",
            Work::Review { .. } => "review",
            Work::Map => "decision map",
        };
        let name = format!("the {what} by {}", job.part.model.id);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Whether two entries ask a model for the same in the same way; their display names don't matter.
fn asks_the_same(one: &ModelEntry, other: &ModelEntry) -> bool {
    *one == ModelEntry { name: one.name.clone(), ..other.clone() }
}

fn reviews_the_same(one: &ReviewerEntry, other: &ReviewerEntry) -> bool {
    one.evaluation_criteria == other.evaluation_criteria && asks_the_same(&one.model, &other.model)
}

/// The rubric that reviewers score by. They don't see weights, which count only in the ranking.
fn rubric(config: &Config) -> (Vec<Dimension>, bool) {
    let criteria = &config.scoring_criteria;
    let weightless = |dimension: &Dimension| Dimension { weight: 1.0, ..dimension.clone() };
    (criteria.dimensions.iter().map(weightless).collect(), criteria.require_justification)
}

/// The available models, and those that the run has used: answers of a model that is no longer connected still count.
pub(super) fn with_models_of(config: &Config, available: &AvailableModels) -> AvailableModels {
    let mut all = available.clone();
    let reviewers = config.review_models.iter().map(|entry| &entry.model);
    let used = config.design_models.iter().chain(reviewers).map(|model| &model.model_id);
    for id in used.chain([&config.topic_generator_model]) {
        if let Some((provider, model)) = id.split_once('/') {
            all.models.push(AvailableModel {
                provider: provider.to_owned(),
                model: model.to_owned(),
                ..AvailableModel::default()
            });
        }
    }
    all
}
