//! What the kernel's protocol carries in this workflow: how a run is opened, and the events that are decisions of its own.

use super::brief::Brief;
use super::candidate::Candidate;
use super::forecast::Forecast;
use super::parent::Parent;
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::config::{Config, NewVendors};
use crate::design_lab::ids::{DesignId, Label, ReviewerId};
use crate::design_lab::images::Image;
pub use crate::design_lab::prompts::Role;
use crate::shared::Rules;
use kernel::effects::NoEffect;
use kernel::protocol::{JobId, ModelFacts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An event of a run.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// What happened in a run.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// What the shell has to do for a run.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, NoEffect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// What happens in a run beside what happens in any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// How a reviewer sees the designs.
    Presented(Presented),
    /// The run is ranked again, without a model. Only if it has a ranking.
    #[serde(rename = "recounted")]
    Reranked(Box<Rerank>),
    /// A new process continues the run under another configuration.
    Reconfigured(Box<Reconfiguration>),
    /// The user changes the set of designs before it is reviewed: the event that follows, by which the run continues, does the rest.
    #[serde(rename = "mended")]
    Amended(Amendment),
    /// No further comparison is asked for, where only those are that matter.
    Sufficed {
        /// Why, as a sentence.
        why: String,
    },
}

/// What the journals of this workflow say they are of.
pub(super) const WORKFLOW: &str = "design-lab";

/// How a run begins: everything that its outcome depends on but the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opening {
    /// [`kernel::protocol::JOURNAL_VERSION`].
    pub version: u32,
    /// The workflow. Journals from before there were others don't say it.
    #[serde(default = "this_workflow")]
    pub workflow: String,
    /// The rules by which answers are accepted.
    #[serde(default, skip_serializing_if = "Rules::are_oldest")]
    #[cfg_attr(test, ts(optional, as = "Option<Rules>"))]
    pub acceptance: Rules,
    /// The package's version.
    pub package: String,
    /// The user's local date, `YYYY-MM-DD`: begins the run directory's name.
    pub date: String,
    /// What the user asked for.
    pub task: crate::design_lab::artefacts::Task,
    /// The effective configuration.
    pub config: Config,
    /// The seed of every shuffle and jitter, below 2^53: configured, or derived from the task.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
    /// Whether the user asked for another run beside one of the very same task.
    pub new_directory: bool,
    /// Sentences that the user should read, such as which models were picked and why.
    pub notes: Vec<String>,
    /// The facts of the host's catalogue about the models in use.
    pub models: Vec<ModelFacts>,
    /// Whether it ends once its designs are there, for the user to read them before they are reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub review_later: bool,
    /// Whether the user has said yes to it already: it doesn't wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub permitted: bool,
    /// Vendors that would get the project's files for the first time: the run waits until the user lets them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub vendors: Option<NewVendors>,
    /// What it is expected to cost. Journals from before there were forecasts have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub forecast: Option<Forecast>,
    /// The earlier run that this one is built upon.
    #[serde(rename = "basis", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub parent: Option<Parent>,
    /// The designs that the user brings along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Candidate>>"))]
    pub candidates: Vec<Candidate>,
    /// The images of the task, in the order in which it names them; their bytes are in the run's directory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Image>>"))]
    pub images: Vec<Image>,
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

/// The configuration with which a run continues once it has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reconfiguration {
    /// The effective configuration from now on.
    pub config: Config,
    /// Sentences that the user should read, in place of those of the [`Opening`].
    pub notes: Vec<String>,
    /// The facts of the host's catalogue about the models in use.
    pub models: Vec<ModelFacts>,
    /// Who joins the reviewers of a run that is ranked; nothing else is asked then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ReviewerId>>"))]
    pub added: Vec<ReviewerId>,
}

/// What the user changes in a set of designs that nobody has reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Amendment {
    /// The design that it is about.
    pub design: DesignId,
    /// The user's remark to its designer, who rewrites it; may be empty. `None` when the design leaves the set.
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

    /// The design behind a label: nothing else leads from one to the other.
    pub(super) fn design(&self, label: &Label) -> Option<&DesignId> {
        self.pairs().find(|(shown, _)| *shown == label).map(|(_, design)| design)
    }

    /// The words that replace labels in texts for the designer of a design, who must not learn about the others.
    pub(super) fn words_for(&self, author_of: &DesignId) -> Vec<(&Label, &'static str)> {
        let word = |id: &DesignId| if id == author_of { "this design" } else { "another design" };
        self.pairs().map(|(label, id)| (label, word(id))).collect()
    }
}

/// Everything that a new ranking depends on and that was not in the journal before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rerank {
    /// `review.exclude_self` from now on.
    pub exclude_self: bool,
    /// `review.exclude_family` from now on.
    pub exclude_family: bool,
    /// The dimensions' weights from now on, by name; empty in pairwise mode.
    pub weights: BTreeMap<String, f64>,
    /// What people have scored: replaces what they had before.
    pub humans: Vec<HumanReview>,
    /// Sentences that the user should read, such as what a form still lacks.
    pub notes: Vec<String>,
}

/// What one person scored, or in pairwise mode compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanReview {
    /// The person's id among the reviewers.
    pub reviewer: ReviewerId,
    /// Every dimension of each design that counts.
    pub scores: Vec<HumanScore>,
    /// Which of two designs is better, each pair once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<HumanVerdict>>"))]
    pub verdicts: Vec<HumanVerdict>,
}

/// One verdict by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HumanVerdict {
    /// The design that stood first.
    pub first: DesignId,
    /// The other.
    pub second: DesignId,
    /// Which is better.
    pub verdict: Preferred,
    /// What the person wrote beside it; may be empty.
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
    /// What the person wrote beside it; may be empty.
    #[serde(default)]
    pub comment: String,
}
