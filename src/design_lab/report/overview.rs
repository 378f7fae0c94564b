//! A run at one moment, as people may see it.

use super::offers::Offers;
use crate::design_lab::artefacts::Task;
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::design_lab::ranking::Ranking;
use kernel::problem::Problem;
use kernel::progress::{Incoming, Participant};
use kernel::protocol::Outcome;
use kernel::tokens::Tokens;

/// A run at one moment.
#[derive(Clone, Debug)]
pub struct Overview<'a> {
    /// What was asked for.
    pub task: &'a Task,
    /// The designs that came first, once there is a ranking; all, where they are to be reviewed later.
    pub first: Vec<First<'a>>,
    /// The run directory as the user would write it; none before it is claimed.
    pub directory: Option<String>,
    /// Where the run stands.
    pub stage: Stage,
    /// One per design model.
    pub designers: Vec<Participant>,
    /// One per review model and repeat.
    pub reviewers: Vec<Participant>,
    /// Whether the run's process ended before the run did.
    pub interrupted: bool,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
    /// Milliseconds that the present phase will still take, by the calls so far; none while that is unknown.
    pub expected_ms: Option<u64>,
    /// Milliseconds that the run will still take, by how long its models took in earlier runs; none while that is unknown.
    pub left_ms: Option<u64>,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: Tokens,
    /// What it is or was expected to cost, in words; none of runs from before there were forecasts.
    pub expected: Option<String>,
    /// Why the cap in dollars can't apply, in words; `None` when it does.
    pub void_cap: Option<String>,
    /// Why it waits for the user before its first call, in words; `None` when it doesn't.
    pub waiting: Option<String>,
    /// Whether it waits for leave to send the project's files to new vendors.
    pub asks_for_vendors: bool,
    /// Sentences that the user should read.
    pub notes: &'a [String],
    /// Whether designers were kept apart.
    pub isolated: bool,
    /// Tools that the user allowed and whose inside can't be checked.
    pub unchecked_tools: Vec<&'a str>,
    /// Of a refinement that might have gone on: why no further round follows.
    pub no_further_round: Option<String>,
    /// Why nothing more is asked.
    pub closing: Option<&'a str>,
    /// Why there is no ranking.
    pub problem: Option<&'a Problem>,
    /// The ranking, once there is one.
    pub ranking: Option<&'a Ranking>,
    /// What may settle the ranking; none unless it is too close to call.
    pub offers: Option<Offers>,
}

/// A design that came first, in the words of those who know it.
#[derive(Clone, Debug)]
pub struct First<'a> {
    /// The design's id within the run.
    pub design_id: DesignId,
    /// The model that wrote it, `provider/model`, or the file that it was read from.
    pub author: &'a str,
    /// What its author calls it.
    pub title: &'a str,
    /// What its author says it is.
    pub summary: &'a str,
    /// Which of the reviewing models gave it the lowest score, and the weakness that it named first; `None` when none named any.
    pub objection: Option<(ReviewerId, String)>,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The run is being named and its directory made.
    Setup,
    /// Designs are being written.
    Design,
    /// Designs are being reviewed.
    Review,
    /// It is over.
    Over(Outcome),
}

impl Overview<'_> {
    /// Where nobody carries the run on, nobody is at work for it or waits to be asked.
    pub(crate) fn at_rest(mut self) -> Self {
        self.interrupted = !matches!(self.stage, Stage::Over(_));
        for person in self.designers.iter_mut().chain(&mut self.reviewers) {
            person.standing = person.standing.clone().at_rest();
        }
        self
    }

    /// With what has come in of the calls that are under way.
    #[must_use]
    pub(crate) fn hearing(mut self, calls: &[Incoming]) -> Self {
        for person in self.designers.iter_mut().chain(&mut self.reviewers) {
            person.hear(calls);
        }
        self
    }

    /// The name of the run directory.
    pub(super) fn name(&self) -> Option<&str> {
        self.directory.as_deref()?.rsplit('/').next()
    }

    /// What is typed to have the design built that came first. `None` when none did, or when its score is the lowest there is.
    pub(super) fn to_build(&self) -> Option<String> {
        let first = self.ranking?.rankings.first()?;
        first.rank?;
        if first.average_score.is_some_and(|score| score <= 0.0) {
            return None;
        }
        self.name().map(|name| format!("/flow-plan from {name}"))
    }

    /// The models that are asked, each once, while their answers are awaited; `None` when none is.
    pub(crate) fn asked(&self) -> Option<String> {
        if matches!(self.stage, Stage::Over(outcome) if outcome != Outcome::Waiting) {
            return None;
        }
        let models = |all: &[Participant]| {
            let mut models: Vec<&str> = Vec::new();
            for model in all.iter().map(|participant| participant.model.as_str()) {
                if !model.is_empty() && !models.contains(&model) {
                    models.push(model);
                }
            }
            models.join(", ")
        };
        let [designers, reviewers] = [models(&self.designers), models(&self.reviewers)];
        let parts = [("designs by", designers), ("reviews by", reviewers)];
        let parts = parts.into_iter().filter(|(_, models)| !models.is_empty());
        let parts: Vec<String> = parts.map(|(what, models)| format!("{what} {models}")).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}
