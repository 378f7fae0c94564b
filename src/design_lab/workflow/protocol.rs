//! The parts of the kernel's protocol that are specific to this workflow: how a run is opened, and its own decision events.

use super::brief::Brief;
use super::candidate::Candidate;
use super::forecast::Forecast;
use super::parent::Parent;
use crate::design_lab::artefacts::{DesignOutcome, Preferred};
use crate::design_lab::config::{Config, Dimension, NewVendors};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::design_lab::images::Image;
pub use crate::design_lab::prompts::Role;
use crate::shared::Rules;
use kernel::effects::NoEffect;
use kernel::json::Deserialize;
use kernel::protocol::{JobId, ModelFacts};
use serde::Serialize;
use std::collections::BTreeMap;

/// An event of a run.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// What happened in a run.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// A command to the shell.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, NoEffect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// An event that only runs of this workflow have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// How a reviewer sees the designs.
    Presented(Presented),
    /// The run is ranked again, without calling a model. Only for a run that is over.
    #[serde(rename = "recounted")]
    Reranked(Box<Rerank>),
    /// A new process continues the run under another configuration.
    Reconfigured(Box<Reconfiguration>),
    /// The user changes the set of designs before it is reviewed; the next event, which continues the run, carries out the change.
    #[serde(rename = "mended")]
    Amended(Amendment),
    /// The designs of a ranked run are to be mapped, under this configuration.
    Mapped(Box<Reconfiguration>),
    /// The map that the user stopped is left out from now on; the next event continues the run without it.
    MapDropped,
    /// The user approves the rubric for the task; the next event continues the run with it.
    RubricApproved(TaskRubric),
    /// A person says how a design turned out. Only for a run that is over.
    TurnedOut(DesignOutcome),
    /// No further comparison is needed, in a run that asks only for the comparisons that matter.
    Sufficed {
        /// Why, as a sentence.
        why: String,
    },
}

/// The workflow's name in its journals.
pub(super) const WORKFLOW: &str = "design-lab";

/// The start of a run: everything that its outcome depends on, except the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    /// [`kernel::protocol::JOURNAL_VERSION`].
    pub version: u32,
    /// The workflow. Missing in journals from before there were other workflows.
    #[serde(default = "this_workflow")]
    pub workflow: String,
    /// The rules for accepting answers.
    #[serde(default, skip_serializing_if = "Rules::are_oldest")]
    #[cfg_attr(test, ts(optional, as = "Option<Rules>"))]
    pub acceptance: Rules,
    /// The package's version.
    pub package: String,
    /// The user's local date, `YYYY-MM-DD`: the start of the run directory's name.
    pub date: String,
    /// The user's task.
    pub task: crate::design_lab::artefacts::Task,
    /// The effective configuration.
    pub config: Config,
    /// The seed of every shuffle and jitter, below 2^53: configured, or derived from the task.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
    /// Whether the user asked for another run of exactly the same task.
    pub new_directory: bool,
    /// Sentences that the user should read, such as which models were picked and why.
    pub notes: Vec<String>,
    /// The facts of the host's catalogue about the models in use.
    pub models: Vec<ModelFacts>,
    /// Whether the run ends once its designs are written, so that the user can read them before they are reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub review_later: bool,
    /// Whether the user has already said yes, so that the run doesn't wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub permitted: bool,
    /// Vendors that would get the project's files for the first time: the run waits until the user allows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub vendors: Option<NewVendors>,
    /// The expected cost. `None` in journals from before there were forecasts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub forecast: Option<Forecast>,
    /// The earlier run that this one is built upon.
    #[serde(rename = "basis", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub parent: Option<Parent>,
    /// The user's own designs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Candidate>>"))]
    pub candidates: Vec<Candidate>,
    /// The images of the task, in the order in which the task names them; their bytes are in the run's directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Image>>"))]
    pub images: Vec<Image>,
    /// Whether a model first drafts a rubric for the task, which the user decides on before any design is written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub drafts_rubric: bool,
    /// The rubric for the task that the user approved in the run that this one is built upon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rubric: Option<TaskRubric>,
    /// A digest of the project, for models that can't call tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub brief: Option<Brief>,
}

fn this_workflow() -> String {
    WORKFLOW.to_owned()
}

impl kernel::workflow::Opening for Opening {
    fn version(&self) -> u32 {
        self.version
    }

    fn workflow(&self) -> &str {
        &self.workflow
    }
}

/// A rubric for the task that the user has approved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TaskRubric {
    /// The model that drafted it: `provider/model`.
    pub drafted_by: String,
    /// Whether the user changed the draft.
    pub edited: bool,
    /// What reviewers score.
    pub dimensions: Vec<Dimension>,
    /// Whether it was approved on another machine, perhaps by somebody else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub elsewhere: bool,
}

/// The configuration with which a run continues after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reconfiguration {
    /// The effective configuration from now on.
    pub config: Config,
    /// Sentences that the user should read; they replace those of the [`Opening`].
    pub notes: Vec<String>,
    /// The facts of the host's catalogue about the models in use.
    pub models: Vec<ModelFacts>,
    /// The reviewers who join a ranked run; if there are any, only they are asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ReviewerId>>"))]
    pub added: Vec<ReviewerId>,
}

/// A change by the user to a set of designs that is not reviewed yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Amendment {
    /// The design to change.
    pub design: DesignId,
    /// The user's remark to the designer, who rewrites the design; may be empty. `None` when the design is removed from the set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub again: Option<String>,
}

/// The order and the labels in which one reviewer sees the designs, in one repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Presented {
    /// The review job, or a person's form.
    pub job: JobId,
    /// Design ids in the order shown.
    pub order: Vec<DesignId>,
    /// The label of each, in the same order.
    pub labels: Vec<Label>,
}

impl Presented {
    /// Each design with its label, in the order shown.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&Label, &DesignId)> {
        self.labels.iter().zip(&self.order)
    }

    /// The design under this label: the only way from one to the other.
    pub(super) fn design(&self, label: &Label) -> Option<&DesignId> {
        self.pairs().find(|(shown, _)| *shown == label).map(|(_, design)| design)
    }

    /// The words that replace labels in texts for the designer of a design, who must not learn about the other designs.
    pub(super) fn words_for(&self, author_of: &DesignId) -> Vec<(&Label, &'static str)> {
        let word = |id: &DesignId| if id == author_of { "this design" } else { "another design" };
        self.pairs().map(|(label, id)| (label, word(id))).collect()
    }
}

/// Everything that a new ranking depends on and that the journal didn't contain yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rerank {
    /// `review.exclude_self` from now on.
    pub exclude_self: bool,
    /// `review.exclude_family` from now on.
    pub exclude_family: bool,
    /// The dimensions' weights from now on, by name; empty in pairwise mode.
    pub weights: BTreeMap<String, f64>,
    /// People's scores; these replace all earlier ones.
    pub humans: Vec<HumanReview>,
    /// Sentences that the user should read, such as what a form still lacks.
    pub notes: Vec<String>,
}

/// One person's scores or, in pairwise mode, verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanReview {
    /// The person's id among the reviewers.
    pub reviewer: ReviewerId,
    /// A score on every dimension for each design that counts.
    pub scores: Vec<HumanScore>,
    /// Which of two designs is better, with each pair once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<HumanVerdict>>"))]
    pub verdicts: Vec<HumanVerdict>,
}

/// One verdict by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanVerdict {
    /// The design that was shown first.
    pub first: DesignId,
    /// The other.
    pub second: DesignId,
    /// Which is better.
    pub verdict: Preferred,
    /// The person's comment; may be empty.
    #[serde(default)]
    pub comment: String,
}

/// One score by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanScore {
    /// The design's id.
    pub design: DesignId,
    /// The dimension's name.
    pub dimension: String,
    /// Within the dimension's bounds.
    pub score: f64,
    /// The person's comment; may be empty.
    #[serde(default)]
    pub comment: String,
}
