//! `/design-lab-review --close`: the reviewers of a ranked run also compare its first two designs, as they would have done with
//! `review.close_pairs`.

use super::budget;
use super::code::WorkflowCode;
use super::forecast::{self, Forecast};
use super::job::Job;
use super::opening;
use super::protocol::{Decision, EventKind, Opening, Reconfiguration};
use super::resume::is_review;
use super::run_index::not_ranked;
use super::state::State;
use crate::design_lab::config::{self, AvailableModels, ReferencedFile, ReviewMode, Source};
use crate::design_lab::ranking::Leaders;
use crate::design_lab::report::Offer;
use kernel::job::JobState;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::ModelFacts;
use serde::Serialize;

/// The option that has the first two designs of a run compared.
pub(super) const CLOSE: &str = "--close";

/// The arguments of a request for comparisons of the first two designs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CloseRequest {
    /// Whether the user has said yes to the possible cost.
    pub permitted: bool,
    /// Whether the user only wants to know what it would cost.
    pub dry_run: bool,
}

impl State {
    /// How often each reviewer would compare the first two designs, or why nobody would.
    fn reviewers_to_compare(&self) -> Result<Vec<(usize, u32)>, Problem> {
        let run = self.directory.name.as_deref().unwrap_or("The run");
        let leaders = self.ranking.as_ref().filter(|_| self.is_ranked()).map(Leaders::of);
        let Some(leaders) = leaders else { return Err(not_ranked(run)) };
        let nothing = |message: String| {
            let next = format!("/design-lab-review --add MODEL {run} adds a reviewer.");
            Err(Problem::new(WorkflowCode::NothingToCompare, message).next(next))
        };
        let has_failed = |job: &Job| is_review(&job.id) && matches!(job.state, JobState::Failed(_));
        if self.amendments.review_later || self.is_cut_short() || self.calls.jobs.iter().any(has_failed) {
            let message = format!("Some reviews of {run} are missing.");
            let next = format!("/design-lab-status {run} shows which, and how to retry them.");
            return Err(Problem::new(WorkflowCode::Unfinished, message).next(next));
        }
        if self.opening.config.review.mode == ReviewMode::Pairwise {
            return nothing(format!("Reviewers of {run} compare designs already."));
        }
        if self.has_pair() {
            return nothing(format!("Reviewers of {run} have compared its first two designs already."));
        }
        if !self.joined.is_empty() {
            return nothing(format!("Reviewers joined {run} after its first ranking, and they only score."));
        }
        let Some(Leaders { designs: [one, other], lead }) = leaders else {
            return nothing(format!("Fewer than two designs of {run} have scores."));
        };
        if !(Leaders { designs: [one.clone(), other.clone()], lead }).are_close() {
            return nothing(format!(
                "{one} leads {other} by {lead:.1} points: comparisons would hardly change that."
            ));
        }
        let mut pair = [one, other];
        pair.sort();
        let missing = self.missing(&pair);
        if missing.is_empty() {
            let [one, other] = &pair;
            return nothing(format!("No reviewer's comparison of {one} and {other} would count."));
        }
        let calls = missing.chunk_by(|one, other| one.0 == other.0);
        Ok(calls.map(|run| (run[0].0, u32::try_from(run.len()).unwrap_or(u32::MAX))).collect())
    }

    /// The event by which the first two designs are compared.
    pub(super) fn comparing_close(
        &self,
        request: CloseRequest,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<EventKind, Vec<Problem>> {
        let (change, asked) = self.to_compare(sources, files, available)?;
        budget::permit(&asked, request.permitted, || {
            let run = self.directory.name.as_deref().unwrap_or_default();
            format!("/design-lab-review {CLOSE} --yes {run} makes the comparisons anyway.")
        })?;
        Ok(EventKind::Decided(Decision::Reconfigured(Box::new(change))))
    }

    /// Describes the calls and the expected cost of these comparisons: for a question to the user, or as a full dry run if there is no
    /// `question`.
    pub(super) fn cost_of_comparing(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
        question: Option<&str>,
    ) -> Result<String, Vec<Problem>> {
        let (_, asked) = self.to_compare(sources, files, available)?;
        let run = self.directory.name.as_deref().unwrap_or_default();
        Ok(forecast::told(asked, question, &format!("/design-lab-review {CLOSE} {run}")))
    }

    /// The run with these comparisons, under the settings of today that cause no further calls; and the opening of a separate run with
    /// nothing else.
    fn to_compare(
        &self,
        sources: &[Source],
        files: &[ReferencedFile],
        available: &AvailableModels,
    ) -> Result<(Reconfiguration, Opening), Vec<Problem>> {
        let calls = self.reviewers_to_compare().map_err(|problem| vec![problem])?;
        let today = config::load(sources, files, available)?.config;
        let mut config = self.limited_as(&today);
        config.review.close_pairs = true;
        if self.is_adopted {
            config.isolation.close();
        }
        let models = opening::facts_for_all(&self.opening, &config, available);
        let mut then = self.clone();
        (then.opening.config, then.opening.models) = (config.clone(), models.clone());
        let forecast = Some(forecast::of_comparisons(&then, &calls));
        let mut asked = Opening { forecast, permitted: false, ..then.opening };
        asked.config.design_models.clear();
        asked.config.people.clear();
        let is_asked = |at: usize| calls.iter().any(|(reviewer, _)| *reviewer == at);
        let reviewers = std::mem::take(&mut asked.config.review_models).into_iter().enumerate();
        asked.config.review_models =
            reviewers.filter(|(at, _)| is_asked(*at)).map(|(_, entry)| entry).collect();
        let first = asked.config.review_models.first().map(|entry| entry.model.model_id.clone());
        asked.config.topic_generator_model = first.unwrap_or_default();
        let notes = self.opening.notes.clone();
        Ok((self.opening.retold(Reconfiguration { config, notes, models, added: Vec::new() }), asked))
    }

    /// What these comparisons are expected to cost; `None` unless they may be requested.
    pub(super) fn close_offer(&self) -> Option<Offer> {
        let calls = self.reviewers_to_compare().ok()?;
        let Forecast { reviewing, cost, .. } = forecast::of_comparisons(self, &calls);
        let is_priced = |(reviewer, _): &(usize, u32)| {
            let model = &self.opening.config.review_models[*reviewer].model.model_id;
            let facts = self.opening.models.iter().find(|facts| facts.model_id == *model);
            facts.is_some_and(ModelFacts::is_priced)
        };
        let cost = calls.iter().all(is_priced).then_some([cost; 2]);
        Some(Offer { calls: [reviewing; 2], cost, at_most: false, cap: None })
    }
}
