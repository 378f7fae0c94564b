//! Reviewers who join a ranked run: earlier answers stay, only the new reviewers are asked, and the ranking shows what they changed.

use super::budget;
use super::code::WorkflowCode;
use super::comparison;
use super::forecast;
use super::opening;
use super::protocol::{Decision, EventKind, Opening, Reconfiguration};
use super::reconfigured::with_models_of;
use super::run_index::not_ranked;
use super::state::State;
use crate::design_lab::config::{
    self, AvailableModel, AvailableModels, Config, Layer, ModelEntry, ReferencedFile, ReviewerEntry, Source,
};
use crate::design_lab::ids::ReviewerId;
use crate::design_lab::ranking::{self, Addition, Ranking, Study};
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::json;

/// The option that adds reviewers to a run.
pub(super) const ADD: &str = "--add";

/// The models that are to join the reviewers of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Add {
    /// The models as the user names them: an id of the current `review_models`, or `provider/model`.
    pub models: Vec<String>,
    /// Whether the user has said yes to the possible cost.
    pub permitted: bool,
    /// Whether the user only wants to know what it would cost.
    pub dry_run: bool,
}

/// Reviewers who joined together.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    pub(super) reviewers: Vec<ReviewerId>,
    /// The row of the first one in the square of orders.
    row: usize,
    /// Whether there has been a ranking with them.
    pub(super) is_ranked: bool,
}

impl State {
    /// All reviewers who joined.
    pub(super) fn added(&self) -> impl Iterator<Item = &ReviewerId> {
        self.joined.iter().flat_map(|joined| &joined.reviewers)
    }

    /// Gives the reviewers who join the next rows of the square: after the `former` reviewers, and after the forms.
    pub(super) fn join(&mut self, added: &[ReviewerId], former: usize) {
        if added.is_empty() {
            return;
        }
        let first = former.max(self.form_rows);
        let row = first + self.human_reviewers().count();
        self.form_rows = first + added.len();
        self.joined.push(Joined { reviewers: added.to_vec(), row, is_ranked: false });
    }

    /// Whether there is no ranking yet with the reviewers who joined last.
    pub(super) fn is_extended(&self) -> bool {
        self.joined.last().is_some_and(|joined| !joined.is_ranked)
    }

    /// A reviewer's row in the square of orders.
    pub(super) fn row(&self, reviewer: usize) -> usize {
        let id = &self.opening.config.review_models[reviewer].model.id;
        let place = |joined: &Joined| {
            let at = joined.reviewers.iter().position(|added| **added == **id)?;
            Some(joined.row + at)
        };
        self.joined.iter().rev().find_map(place).unwrap_or(reviewer)
    }

    /// The configuration of the run, with the settings of another one that cause no new calls.
    pub(super) fn limited_as(&self, today: &Config) -> Config {
        let config = self.opening.config.clone();
        let Config { concurrency, local_concurrency, timeouts, retries, budget, prices, .. } = today.clone();
        Config { concurrency, local_concurrency, timeouts, retries, budget, prices, ..config }
    }

    /// The event by which these models join the reviewers.
    pub(super) fn extension(
        &self,
        add: &Add,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<EventKind, Vec<Problem>> {
        let mut change = self.joining(add, sources, files, available)?;
        if self.is_adopted {
            change.config.isolation.close();
        }
        budget::permit(&self.asked_by(&change), add.permitted, || {
            format!("{} starts the reviews anyway.", self.command(add, "--yes "))
        })?;
        Ok(EventKind::Decided(Decision::Reconfigured(Box::new(change))))
    }

    /// Describes the calls and the expected cost of these models: for a question to the user, or as a full dry run if there is no
    /// `question`.
    pub(super) fn cost_of(
        &self,
        add: &Add,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        question: Option<&str>,
    ) -> Result<String, Vec<Problem>> {
        let opening = self.asked_by(&self.joining(add, sources, files, available)?);
        Ok(forecast::told(opening, question, &self.command(add, "")))
    }

    /// The command that asks these models.
    fn command(&self, add: &Add, option: &str) -> String {
        let run = self.directory.name.as_deref().unwrap_or_default();
        format!("/design-lab-review {ADD} {} {option}{run}", add.models.join(","))
    }

    /// The run with these models among its reviewers.
    fn joining(
        &self,
        add: &Add,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<Reconfiguration, Vec<Problem>> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        if !self.is_ranked() {
            return Err(vec![not_ranked(run)]);
        }
        // In a run that asks only for the comparisons that matter, a reviewer may never be asked.
        let never_asked = |reviewer| {
            self.opening.config.until_clear.is_none() && self.review_jobs(reviewer).next().is_none()
        };
        let reviewers = self.opening.config.review_models.len();
        if self.amendments.review_later || self.is_cut_short() || (0..reviewers).any(never_asked) {
            let message = format!("Some reviewers of {run} have not been asked yet.");
            let next = format!("/design-lab-resume {run} asks them; then you can add others.");
            return Err(vec![Problem::new(WorkflowCode::Unfinished, message).next(next)]);
        }
        let today = config::load(sources, files, available)?.config;
        let mut config = self.limited_as(&today);
        let mut added = Vec::new();
        for name in &add.models {
            let mut entry = self.entry(name, &today, (sources, files, available))?;
            let model = &entry.model.model_id;
            if let Some(known) = config.review_models.iter().find(|known| known.model.model_id == *model) {
                let message = format!("{model} is already a reviewer in {run}, as {}.", known.model.id);
                let next = format!(
                    "Name another model: this one's review counts already, and a second adds little. With \
                     review.repeats in the configuration, /design-lab-review {run} lets each reviewer score \
                     several times, in a new run."
                );
                return Err(vec![Problem::new(WorkflowCode::ReviewsAlready, message).next(next)]);
            }
            let is_taken = |id: &str| {
                let designs = config.design_models.iter().filter(|design| design.model_id != *model);
                let mut ids = designs.chain(config.review_models.iter().map(|entry| &entry.model));
                ids.any(|other| other.id == id)
                    || self.human_reviewers().any(|(person, _)| *person == *id)
                    || self.opening.own_files().any(|(own, _)| **own == *id)
                    || config.people.iter().any(|person| *person.id == *id)
            };
            let mut id = entry.model.id.clone();
            while is_taken(&id) {
                id.push_str("-2");
            }
            entry.model.id = id;
            added.push(entry.reviewer_id());
            config.review_models.push(entry);
        }
        let mut problems = config::check_models(&config, &with_models_of(&self.opening.config, available));
        problems.extend(comparison::uncountable(&config, self.opening.own_files().count()));
        if !problems.is_empty() {
            return Err(problems);
        }
        let models = opening::facts_for_all(&self.opening, &config, available);
        let notes = self.opening.notes.clone();
        Ok(self.opening.retold(Reconfiguration { config, notes, models, added }))
    }

    /// The reviewer that a name refers to.
    fn entry(
        &self,
        name: &str,
        today: &Config,
        (sources, files, available): (&[Source], &[ReferencedFile], &AvailableModels),
    ) -> Result<ReviewerEntry, Vec<Problem>> {
        let mut configured = today.review_models.iter();
        if let Some(entry) = configured.find(|entry| entry.model.id == *name || entry.model.model_id == *name)
        {
            return Ok(entry.clone());
        }
        let designer = today.design_models.iter().find(|model| model.id == *name);
        let model = designer.map_or(name, |model| model.model_id.as_str());
        if available.models.iter().any(|one| one.id() == model) {
            let text = json!({ "review_models": [model] }).to_string();
            let own = Source { origin: Layer::Options, file: ADD.to_owned(), text };
            let sources: Vec<Source> = sources.iter().cloned().chain([own]).collect();
            let mut alone = config::load(&sources, files, available)?.config.review_models;
            if let Some(entry) = alone.pop() {
                return Ok(entry);
            }
        }
        let mut people = today.people.iter().chain(&self.opening.config.people);
        if name == "human"
            || people.any(|person| *person.id == *name)
            || self.human_reviewers().any(|(person, _)| *person == *name)
        {
            let message = format!("{ADD} adds models, but {name} is a person: people get forms.");
            let run = self.directory.name.as_deref().unwrap_or_default();
            let next = format!("/design-lab-review --human NAME {run} makes a form.");
            return Err(vec![Problem::new(WorkflowCode::UnknownModel, message).next(next)]);
        }
        let mut allowed = self.may_join(today);
        allowed.push("provider/model");
        let connected: Vec<String> = available.models.iter().map(AvailableModel::id).collect();
        let near = nearest(name, allowed.iter().copied().chain(connected.iter().map(String::as_str)));
        let meant = near.map_or(String::new(), |near| format!("Did you mean `{near}`? "));
        Err(vec![
            Problem::new(WorkflowCode::UnknownModel, format!("{ADD} names an unknown model: `{name}`."))
                .allowed(allowed.join(", "))
                .next(format!("{meant}`opencode models` lists what is connected.")),
        ])
    }

    /// The ids of the current models that don't review in this run yet.
    fn may_join<'a>(&self, today: &'a Config) -> Vec<&'a str> {
        let configured = today.review_models.iter().map(|entry| &entry.model).chain(&today.design_models);
        let mut new: Vec<&ModelEntry> = Vec::new();
        for model in configured {
            let is_known = |other: &ModelEntry| other.model_id == model.model_id;
            let mut reviewing = self.opening.config.review_models.iter().map(|entry| &entry.model);
            if !reviewing.any(is_known) && !new.iter().any(|other| is_known(other)) {
                new.push(model);
            }
        }
        new.into_iter().map(|model| model.id.as_str()).collect()
    }

    /// The opening of a separate run with only what is still asked after this change, that is, of the reviewers who join.
    pub(super) fn asked_by(&self, change: &Reconfiguration) -> Opening {
        let mut then = self.clone();
        if then.is_map_stopped() {
            then.drop_map();
        }
        then.reconfigured(change.clone(), 0, &mut Vec::new());
        let more = forecast::of_rest(&then);
        let mut asked = Opening { forecast: Some(more), permitted: false, ..then.opening };
        asked.config.design_models.clear();
        asked.config.review_models.retain(|entry| change.added.contains(&entry.reviewer_id()));
        let first = asked.config.review_models.first().map(|entry| entry.model.model_id.clone());
        asked.config.topic_generator_model = first.unwrap_or_default();
        asked
    }
}

/// What each group of reviewers who joined changed: the ranking without them compared with the one with them, all else as it is now.
pub(super) fn additions(state: &State, study: &Study, now: &Ranking) -> Vec<Addition> {
    let mut additions = Vec::new();
    let mut after = now.clone();
    let mut study = study.clone();
    for joined in state.joined.iter().rev() {
        let there = study.reviewers.iter().map(|one| one.id.clone());
        let added: Vec<ReviewerId> = there.filter(|id| joined.reviewers.contains(id)).collect();
        let with = study.clone();
        study = study.without(&added);
        let Ok(before) = ranking::rank(&study) else { break };
        if !added.is_empty() {
            additions.push(Addition::between(&added, &with, &before, &after));
        }
        after = before;
    }
    additions.reverse();
    additions
}
