//! The decision map: a model reads the designs of a ranked run blind, and says what all agree on, where they contradict each other, and
//! what only one of them has.
//!
//! The map comes after the ranking, so nothing that happens to it costs the run anything else: a map that can't be made, that no budget
//! is left for or that the user stops is noted, and the ranking stays. It is made in every run with the setting `decision_map`, and of a
//! ranked run on request.

use super::budget;
use super::code::WorkflowCode;
use super::follow_up::FollowUp;
use super::forecast::{self, Forecast};
use super::job::{Job, Work};
use super::job_name::JobName;
use super::opening;
use super::parent::EarlierDesign;
use super::plan;
use super::protocol::{Command, Decision, EventKind, Opening, Presented, Reconfiguration};
use super::results;
use super::run_index::not_ranked;
use super::state::{Phase, State};
use crate::design_lab::anonymity;
use crate::design_lab::artefacts::{DecisionMap, MapQuote};
use crate::design_lab::config::{self, AvailableModels, ReferencedFile, Source};
use crate::design_lab::ids::DesignId;
use crate::design_lab::report::{MapTally, Offer};
use kernel::drive::{self, notice};
use kernel::job::JobState;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::{ModelFacts, Tone};
use kernel::reason::Reason;
use kernel::workflow::Workflow as _;
use serde::Serialize;

/// The option that maps the designs of a run.
pub(super) const MAP: &str = "--map";

/// The arguments of a request for a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapRequest {
    /// Whether the user has said yes to the possible cost.
    pub permitted: bool,
    /// Whether the user only wants to know what it would cost.
    pub dry_run: bool,
}

/// A map as its author wrote it: its sentences contain the labels under which the author saw the designs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mapping {
    /// The map, with the designs' real ids where it refers to them.
    pub map: DecisionMap,
    /// How its author saw the designs.
    pub presented: Presented,
}

impl Mapping {
    /// The checked points for a model that sees these designs under other labels, each in a line.
    pub(super) fn for_reader(&self, shown: &Presented) -> Vec<String> {
        let label =
            |id: &DesignId| shown.pairs().find(|(_, known)| *known == id).map(|(label, _)| label.as_str());
        let names: Vec<_> =
            self.presented.pairs().map(|(old, id)| (old, label(id).unwrap_or("another design"))).collect();
        let DecisionMap { agreements, contradictions, only_one, .. } =
            self.map.only_checked().reworded(|text| anonymity::reveal(text, &names));
        let quoted = |quotes: &[MapQuote]| {
            let quotes =
                quotes.iter().filter_map(|one| Some(format!("{}: “{}”", label(&one.design_id)?, one.quote)));
            quotes.collect::<Vec<_>>().join("; ")
        };
        let agreed =
            agreements.iter().map(|one| format!("All agree: {} ({})", one.statement, quoted(&one.quotes)));
        let contradicted = contradictions.iter().map(|one| {
            let answers = one
                .positions
                .iter()
                .map(|position| format!("{} ({})", position.position, quoted(&position.quotes)));
            let answers: Vec<String> = answers.collect();
            format!(
                "They contradict each other: {} {} Trade-off: {}",
                one.question,
                answers.join(" / "),
                one.tradeoff
            )
        });
        let singles = only_one.iter().filter_map(|one| {
            let only = label(&one.quote.design_id)?;
            Some(format!("Only {only}: {} (“{}”)", one.statement, one.quote.quote))
        });
        agreed.chain(contradicted).chain(singles).collect()
    }
}

impl State {
    /// The job of the map, if the run has one.
    pub(super) fn map_job(&self) -> Option<&Job> {
        self.calls.jobs.iter().find(|job| job.part.work == Work::Map)
    }

    /// Whether a map has been asked for and may have been paid for.
    pub(super) fn is_mapped(&self) -> bool {
        self.map_job().is_some_and(|job| job.ledger.prompts > 0 || self.phase == Phase::Mapping)
    }

    /// How many points the map has; `None` before there is one.
    pub(super) fn mapped_points(&self) -> Option<MapTally> {
        let map = &self.map_job()?.part.product.map.as_ref()?.map;
        Some(MapTally::of(map))
    }

    /// Starts the map of a run that has just been ranked; `false` if none is due.
    pub(super) fn begins_map(&mut self, commands: &mut Vec<Command>) -> bool {
        let is_due = !self.map_dropped && self.map_job().is_some_and(|job| !job.state.is_settled());
        if !is_due || self.designs().count() < 2 {
            return false;
        }
        self.phase = Phase::Mapping;
        let id = JobName::Map.id();
        if !self.presented.contains_key(&id) {
            // The next row that no reviewer and no person has.
            let reviewers = self.opening.config.review_models.len().max(self.form_rows);
            let presented = self.present(&id, reviewers + self.human_reviewers().count(), 0);
            commands.push(Command::Record { event: EventKind::Decided(Decision::Presented(presented)) });
        }
        true
    }

    /// Ends the run once the map is made or has failed.
    pub(super) fn advance_map(&mut self, commands: &mut Vec<Command>) {
        let Some(at) = self.calls.jobs.iter().position(|job| job.part.work == Work::Map) else { return };
        // What stops the calls of a ranked run costs it only the map.
        if let Some(reason) = self.calls.closing.take()
            && !self.calls.jobs[at].state.is_settled()
        {
            drive::fail(self, at, Reason::own(reason), false, commands);
        }
        if self.calls.jobs[at].state.is_settled() {
            self.ends_mapping(commands);
        }
    }

    /// The user stops the run while it is mapped: it keeps its ranking, and an answer that has arrived after all is found later.
    pub(super) fn stops_mapping(&mut self, reason: &str, commands: &mut Vec<Command>) {
        self.note_no_map(reason);
        self.ends_mapping(commands);
    }

    /// Whether the user stopped the run while it was mapped: the map can still be continued.
    pub(super) fn is_map_stopped(&self) -> bool {
        let has_begun = self.presented.contains_key(&JobName::Map.id()) && !self.map_dropped;
        self.is_ranked() && has_begun && self.map_job().is_some_and(|job| !job.state.is_settled())
    }

    /// Settles a map that the user stopped: the run continues for another reason, and who wants the map asks for it.
    pub(super) fn drop_map(&mut self) {
        self.map_dropped = true;
        let now = self.calls.clock.now;
        if let Some(job) = self.calls.job(&JobName::Map.id()) {
            job.settle(JobState::Failed(Reason::own("you stopped it")), now);
        }
    }

    /// The job of the map, if the run will make it by itself. A run that only people review is ranked by a command that calls no model.
    pub(super) fn due_map(&self) -> Option<&Job> {
        self.map_job().filter(|_| !self.map_dropped && !self.waits_for_people())
    }

    fn ends_mapping(&mut self, commands: &mut Vec<Command>) {
        self.phase = Phase::Over(self.outcome_of_ranking());
        commands.extend(results::write(results::result_files(self)));
        self.finish(commands);
    }

    /// Notes why there is no map, and writes a map that arrives after the end of the run.
    pub(super) fn settled_map(&mut self, index: usize, commands: &mut Vec<Command>) {
        let job = &self.calls.jobs[index];
        if job.part.work != Work::Map {
            return;
        }
        match &job.state {
            JobState::Failed(reason) => {
                let reason = reason.in_own_words().to_owned();
                self.note_no_map(&reason);
            }
            _ => self.forget_missing_map(),
        }
        if matches!(self.phase, Phase::Over(_)) {
            commands.extend(results::write(results::result_files(self)));
        }
    }

    fn note_no_map(&mut self, reason: &str) {
        self.forget_missing_map();
        let run = self.directory.name.as_deref().unwrap_or_default();
        let reason = reason.trim_end_matches('.');
        let note = format!("There is no decision map: {reason}. /design-lab-review {MAP} {run} makes it.");
        self.missing_map = Some(note.clone());
        self.note(note);
    }

    fn forget_missing_map(&mut self) {
        let Some(missing) = self.missing_map.take() else { return };
        for notes in [&mut self.notes, &mut self.lasting_notes] {
            notes.retain(|note| *note != missing);
        }
    }

    /// Maps a ranked run under this configuration, after `idle` milliseconds in which no process ran it.
    pub(super) fn mapped_afresh(&mut self, change: Reconfiguration, idle: u64, commands: &mut Vec<Command>) {
        (self.opening.config, self.opening.models) = (change.config, change.models);
        commands.extend(results::write(results::setup_files(self)));
        if self.map_job().is_none() {
            self.calls.jobs.extend(plan::map(&self.opening.config));
        }
        if self.blind.len() != self.designs().count() {
            self.blind_designs();
        }
        self.forget_missing_map();
        self.takes_up_map(idle, commands);
        self.foresee_more();
        let message = "A model maps where the designs agree and differ".to_owned();
        commands.push(notice(Tone::Info, message));
    }

    /// Continues with the map where the previous process left it. Nothing else is asked.
    pub(super) fn takes_up_map(&mut self, idle: u64, commands: &mut Vec<Command>) {
        self.closed = false;
        self.map_dropped = false;
        self.calls.begin_again();
        let map = JobName::Map.id();
        let starts = self.phase != Phase::Mapping;
        let refused = self.map_job().filter(|_| starts).into_iter().flat_map(results::rejected_file);
        commands.extend(refused.map(|(path, _)| Command::Discard { path }));
        self.calls.take_up(idle, &|job| starts && *job == map, commands);
        self.begins_map(commands);
    }

    /// The map for a model that merges these designs: its sentences without names, like everything that another model reads.
    pub(super) fn map_for(&self, follow_up: FollowUp, designs: &[EarlierDesign]) -> Option<Mapping> {
        let Mapping { map, presented } = self.map_job()?.part.product.map.as_ref()?;
        let names = self.names();
        let is_merged = |id: &DesignId| designs.iter().any(|given| given.id == *id);
        let map = map.among(is_merged).reworded(|text| anonymity::scrubbed(text, &names));
        (follow_up == FollowUp::Merge && !map.is_empty())
            .then(|| Mapping { map, presented: presented.clone() })
    }

    // ---- on request ----

    /// Explains why the run can't be mapped; `None` when it can.
    pub(super) fn refuses_map(&self) -> Option<Problem> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        if !self.is_ranked() {
            return Some(not_ranked(run));
        }
        if self.amendments.review_later || self.is_cut_short() {
            let message = format!("Some reviewers of {run} have not been asked yet.");
            let next = format!("/design-lab-resume {run} asks them; then you can map its designs.");
            return Some(Problem::new(WorkflowCode::Unfinished, message).next(next));
        }
        self.map_job().filter(|job| job.state == JobState::Done).map(|_| {
            Problem::new(WorkflowCode::MappedAlready, format!("{run} has a decision map already."))
                .next(format!("Read it in the report: /design-lab-status {run} shows where that is."))
        })
    }

    /// The event by which the run gets a map.
    pub(super) fn mapping(
        &self,
        request: MapRequest,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<EventKind, Vec<Problem>> {
        let mut change = self.to_map(sources, files, available)?;
        if self.is_adopted {
            change.config.isolation.close();
        }
        budget::permit(&self.asked_for_map(&change), request.permitted, || {
            let run = self.directory.name.as_deref().unwrap_or_default();
            format!("/design-lab-review {MAP} --yes {run} makes the map anyway.")
        })?;
        Ok(EventKind::Decided(Decision::Mapped(Box::new(change))))
    }

    /// Describes the call and the expected cost of a map: for a question to the user, or as a full dry run if there is no `question`.
    pub(super) fn cost_of_map(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        question: Option<&str>,
    ) -> Result<String, Vec<Problem>> {
        let opening = self.asked_for_map(&self.to_map(sources, files, available)?);
        let run = self.directory.name.as_deref().unwrap_or_default();
        Ok(forecast::told(opening, question, &format!("/design-lab-review {MAP} {run}")))
    }

    /// The run with a map, under the settings of today that cause no further calls.
    fn to_map(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<Reconfiguration, Vec<Problem>> {
        if let Some(problem) = self.refuses_map() {
            return Err(vec![problem]);
        }
        let today = config::load(sources, files, available)?.config;
        let mut config = self.limited_as(&today);
        config.decision_map = true;
        let models = opening::facts_for_all(&self.opening, &config, available);
        let notes = self.opening.notes.clone();
        Ok(self.opening.retold(Reconfiguration { config, notes, models, added: Vec::new() }))
    }

    /// The opening of a separate run in which only the map's author is asked.
    fn asked_for_map(&self, change: &Reconfiguration) -> Opening {
        let mut then = self.clone();
        (then.opening.config, then.opening.models) = (change.config.clone(), change.models.clone());
        let Some(job) = self.job_to_map() else { return then.opening };
        let forecast = Some(then.forecast_of(&job));
        let mut asked = Opening { forecast, permitted: false, ..then.opening };
        asked.config.design_models.clear();
        asked.config.people.clear();
        asked.config.topic_generator_model.clone_from(&job.part.model.model_id);
        asked.config.review_models.retain(|entry| entry.model.model_id == job.part.model.model_id);
        asked
    }

    /// What a map is expected to cost; `None` unless it may be requested.
    pub(super) fn map_offer(&self) -> Option<Offer> {
        if self.designs().count() < 2 || self.ranking.is_none() || self.refuses_map().is_some() {
            return None;
        }
        let job = self.job_to_map()?;
        let facts = self.opening.models.iter().find(|facts| facts.model_id == job.part.model.model_id);
        let is_priced = facts.is_some_and(ModelFacts::is_priced);
        let Forecast { mapping, cost, .. } = self.forecast_of(&job);
        Some(Offer { calls: [mapping; 2], cost: is_priced.then_some([cost; 2]), at_most: false, cap: None })
    }

    /// The job that would map the run: the one that failed, or a new one.
    fn job_to_map(&self) -> Option<Job> {
        let mut job = self.map_job().cloned().or_else(|| plan::map(&self.opening.config))?;
        job.begin_afresh();
        Some(job)
    }

    fn forecast_of(&self, job: &Job) -> Forecast {
        let material: u64 = self.design_jobs().filter_map(forecast::design_tokens).sum();
        let mut sum = Forecast::default();
        sum.add(self, job, 1, material);
        sum
    }
}
