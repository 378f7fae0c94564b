//! A run at one moment, as shown to people.

use super::offers::{Offer, Offers};
use crate::design_lab::artefacts::{DatedOutcome, DecisionMap, Task};
use crate::design_lab::config::Dimension;
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::design_lab::ranking::Ranking;
use crate::shared::figures::count;
use kernel::problem::Problem;
use kernel::progress::{Incoming, Participant};
use kernel::protocol::Outcome;
use kernel::reason::Reason;
use kernel::tokens::Tokens;

/// A run at one moment.
#[derive(Clone, Debug)]
pub struct Overview<'a> {
    /// The task.
    pub task: &'a Task,
    /// The designs that came first, once there is a ranking; all designs if they are to be reviewed later.
    pub first: Vec<First<'a>>,
    /// The run directory as the user would write it; `None` before it is claimed.
    pub directory: Option<String>,
    /// The stage of the run.
    pub stage: Stage,
    /// One participant per design model.
    pub designers: Vec<Participant>,
    /// One participant per review model and repeat.
    pub reviewers: Vec<Participant>,
    /// The model that maps where the designs agree and differ; `None` if the run has no map.
    pub mapper: Option<Participant>,
    /// How many points the map has; `None` before there is one.
    pub mapped: Option<MapTally>,
    /// Whether the run's process ended before the run did.
    pub interrupted: bool,
    /// Milliseconds since the run started.
    pub elapsed_ms: u64,
    /// Milliseconds left in the present phase, estimated from the calls so far; `None` while unknown.
    pub expected_ms: Option<u64>,
    /// Milliseconds left in the run, estimated from how long its models took in earlier runs; `None` while unknown.
    pub left_ms: Option<u64>,
    /// The cost so far in US dollars.
    pub cost: f64,
    /// The tokens so far.
    pub tokens: Tokens,
    /// The present or original estimate of the cost, in words; `None` for runs from before forecasts existed.
    pub expected: Option<String>,
    /// Why the cap in dollars can't apply, in words; `None` when it does.
    pub void_cap: Option<String>,
    /// Why the run waits for the user before its first call, in words; `None` when it doesn't.
    pub waiting: Option<String>,
    /// Whether it waits for permission to send the project's files to new vendors.
    pub asks_for_vendors: bool,
    /// The rubric for the task that waits for the user's decision.
    pub draft: Option<DraftedRubric<'a>>,
    /// Sentences that the user should read.
    pub notes: &'a [String],
    /// Whether designers were isolated from each other.
    pub isolated: bool,
    /// Tools that the user allowed and whose internal actions can't be checked.
    pub unchecked_tools: Vec<&'a str>,
    /// For a refinement that might have continued: why no further round follows.
    pub no_further_round: Option<String>,
    /// Why no more calls are made.
    pub closing: Option<&'a str>,
    /// Why there is no ranking.
    pub problem: Option<&'a Problem>,
    /// The ranking, once there is one.
    pub ranking: Option<&'a Ranking>,
    /// Ways to make the ranking more certain; `None` unless it is too close to call or leaning.
    pub offers: Option<Offers>,
    /// What a map is expected to cost; `None` unless the run may still get one.
    pub map_offer: Option<Offer>,
    /// How designs turned out, as people said.
    pub outcomes: &'a [DatedOutcome],
}

/// How many points a decision map has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapTally {
    /// Agreements, contradictions, and points of one design, whose passages were all found.
    pub checked: [usize; 3],
    /// Points that lack a passage.
    pub unchecked: usize,
}

impl MapTally {
    /// Counts the points of a map.
    pub(crate) fn of(map: &DecisionMap) -> Self {
        let DecisionMap { agreements, contradictions, only_one, .. } = map.only_checked();
        Self { checked: [agreements.len(), contradictions.len(), only_one.len()], unchecked: map.unchecked() }
    }

    /// The tally in a line.
    pub(super) fn line(self) -> String {
        let [agreements, contradictions, only_one] = self.checked.map(|points| points as u64);
        let missing = match self.unchecked {
            0 => String::new(),
            points => format!("; {} left out", count(points as u64, "point", "points")),
        };
        format!(
            "{}, {}, {} of one design only{missing} (see the report)",
            count(agreements, "agreement", "agreements"),
            count(contradictions, "contradiction", "contradictions"),
            count(only_one, "point", "points")
        )
    }
}

/// A rubric for the task that the user hasn't decided on.
#[derive(Clone, Debug)]
pub struct DraftedRubric<'a> {
    /// The model that drafts it, `provider/model`.
    pub drafted_by: &'a str,
    /// The dimensions; empty if the draft failed.
    pub dimensions: &'a [Dimension],
    /// The file with the draft, below the run directory.
    pub file: &'a str,
    /// The hash that approves it, as it is typed.
    pub hash: String,
    /// Why there is no draft.
    pub failure: Option<&'a Reason>,
}

/// A design that came first, with text from its designer and a reviewer.
#[derive(Clone, Debug)]
pub struct First<'a> {
    /// The design's id within the run.
    pub design_id: DesignId,
    /// The model that wrote it, `provider/model`, or the file that it was read from.
    pub author: &'a str,
    /// The title that its designer gave it.
    pub title: &'a str,
    /// The designer's summary.
    pub summary: &'a str,
    /// The review model that gave it the lowest score, and the weakness that this model named first; `None` when no
    /// weakness was named.
    pub objection: Option<(ReviewerId, String)>,
}

/// The stage of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The run is being named and its directory made.
    Setup,
    /// Designs are being written.
    Design,
    /// Designs are being reviewed.
    Review,
    /// The designs are ranked, and a model maps where they agree and differ.
    Map,
    /// The run is over.
    Over(Outcome),
}

impl Overview<'_> {
    /// Returns the overview of a run that no process is running: no participant is working or waiting to be asked.
    pub(crate) fn at_rest(mut self) -> Self {
        self.interrupted = !matches!(self.stage, Stage::Over(_));
        for person in self.designers.iter_mut().chain(&mut self.reviewers).chain(&mut self.mapper) {
            person.standing = person.standing.clone().at_rest();
        }
        self
    }

    /// Returns the overview with the output received so far from the running calls.
    #[must_use]
    pub(crate) fn hearing(mut self, calls: &[Incoming]) -> Self {
        for person in self.designers.iter_mut().chain(&mut self.reviewers).chain(&mut self.mapper) {
            person.hear(calls);
        }
        self
    }

    /// Returns the name of the run directory.
    pub(super) fn name(&self) -> Option<&str> {
        self.directory.as_deref()?.rsplit('/').next()
    }

    /// Returns the command that builds the design that came first; `None` when no design did, or when its score is the
    /// lowest possible.
    pub(super) fn to_build(&self) -> Option<String> {
        let first = self.ranking?.rankings.first()?;
        first.rank?;
        if first.average_score.is_some_and(|score| score <= 0.0) {
            return None;
        }
        self.name().map(|name| format!("/flow-plan from {name}"))
    }

    /// Returns the models that are asked, each once, while their answers are pending; `None` when there are none.
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
