//! What the history needs to know about one run, small enough to be stored in the list of runs.

use crate::design_lab::artefacts::TurnedOut;
use crate::design_lab::ranking::RubricOrigin;
use kernel::json::Deserialize;
use serde::Serialize;

/// What the history needs to know about one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastRun {
    /// The task's number, which is the same for runs of the same task.
    #[cfg_attr(test, ts(type = "number"))]
    pub task: u64,
    /// Whether it has a ranking.
    pub ranked: bool,
    /// Whether designs were compared in pairs, in which case there are no scores.
    pub pairwise: bool,
    /// The designs in the ranking.
    pub designs: Vec<PastDesign>,
    /// The reviewers who scored any of them.
    pub reviewers: Vec<PastReviewer>,
    /// The scores, from 0 to 10: index of the design, index of the reviewer, and the score.
    pub scores: Vec<(usize, usize, f64)>,
    /// The calls of its models.
    pub calls: Vec<PastCalls>,
    /// The rubric, if reviewers scored by one.
    #[serde(default)]
    pub rubric: Option<PastRubric>,
}

/// The rubric of a past run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastRubric {
    /// Where it comes from.
    pub origin: RubricOrigin,
    /// The share of each dimension, from 0 to 1, in the variance between the designs' mean scores; empty if these don't differ.
    pub spread: Vec<(String, f64)>,
}

/// A design of a past run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastDesign {
    /// `provider/model`; `None` when no model wrote it.
    pub author: Option<String>,
    /// Whether its author wrote it from the task alone, not as a second version and not by merging others.
    pub first: bool,
    /// How it turned out; `None` if nobody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub turned_out: Option<TurnedOut>,
    /// Whether somebody else may have said so, on another machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub elsewhere: bool,
}

/// A reviewer of a past run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastReviewer {
    /// `provider/model`, or the person's name.
    pub name: String,
    /// Whether it is a person.
    pub person: bool,
}

/// What a model is asked for: each request is a job, which may take several calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Duty {
    /// A comparison of two designs.
    Compare,
    /// A design.
    Design,
    /// A review of all designs.
    Review,
}

/// The jobs of one model in one duty, and their outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PastCalls {
    /// `provider/model`.
    pub model: String,
    /// The kind of job.
    pub duty: Duty,
    /// Jobs that were requested and are settled.
    pub jobs: u32,
    /// How many of these failed for good.
    pub failed: u32,
    /// Calls that these jobs took.
    pub calls: u32,
    /// Answers that could not be used as they were.
    pub unusable: u32,
    /// Calls that returned no answer.
    pub broken: u32,
    /// US dollars.
    pub cost: f64,
    /// Tokens of every kind.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// Milliseconds that it worked.
    #[cfg_attr(test, ts(type = "number"))]
    pub ms: u64,
}

impl PastCalls {
    /// Creates an entry without any jobs.
    pub fn none(model: &str, duty: Duty) -> Self {
        Self {
            model: model.to_owned(),
            duty,
            jobs: 0,
            failed: 0,
            calls: 0,
            unusable: 0,
            broken: 0,
            cost: 0.0,
            tokens: 0,
            ms: 0,
        }
    }

    /// Adds to the entry of the same model and duty.
    pub fn add_to(&self, all: &mut Vec<Self>) {
        let at = all.iter().position(|one| one.model == self.model && one.duty == self.duty);
        let at = at.unwrap_or_else(|| {
            all.push(Self::none(&self.model, self.duty));
            all.len() - 1
        });
        let sum = &mut all[at];
        sum.jobs = sum.jobs.saturating_add(self.jobs);
        sum.failed = sum.failed.saturating_add(self.failed);
        sum.calls = sum.calls.saturating_add(self.calls);
        sum.unusable = sum.unusable.saturating_add(self.unusable);
        sum.broken = sum.broken.saturating_add(self.broken);
        sum.cost += self.cost;
        sum.tokens = sum.tokens.saturating_add(self.tokens);
        sum.ms = sum.ms.saturating_add(self.ms);
    }
}
