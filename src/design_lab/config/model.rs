//! The effective configuration: every value present, every bound respected.
//!
//! A configuration file holds the same sections, so their defaults and bounds are defined once, here: serde fills in what a file
//! leaves out, and `schemas/design-lab/config.json` is generated from these types.

use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::design_lab::isolation::Isolation;
use crate::design_lab::schema::HUMAN;
use kernel::budget::{Budget, Price};
use kernel::json::Deserialize;
use kernel::limits::Deadlines;
use serde::Serialize;
use std::collections::BTreeMap;

/// The effective configuration of a run, as stored in `config.json`. It contains no secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Config {
    /// At least two, with distinct ids.
    pub design_models: Vec<ModelEntry>,
    /// At least one if no person reviews, with distinct ids.
    pub review_models: Vec<ReviewerEntry>,
    /// The people who review, in the order of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Person>>"))]
    pub people: Vec<Person>,
    /// `provider/model` that names the run.
    pub topic_generator_model: String,
    /// Relative to the project, or absolute.
    pub output_directory: String,
    /// The rubric.
    pub scoring_criteria: ScoringCriteria,
    /// What designers and reviewers may reach.
    pub isolation: Isolation,
    /// Calls in flight at once, at least 1.
    pub concurrency: u32,
    /// Calls in flight at once to a server on the user's machine, at least 1.
    #[serde(default = "one")]
    pub local_concurrency: u32,
    /// Deadlines.
    pub timeouts: Timeouts,
    /// How often to retry.
    pub retries: Retries,
    /// What a run may cost.
    pub budget: RunBudget,
    /// The user's own prices of models, by `provider/model`.
    #[serde(default)]
    pub prices: BTreeMap<String, Price>,
    /// How reviews are made and counted.
    pub review: Review,
    /// Whether a model maps where the designs agree and differ. Runs from before that have no map.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub decision_map: bool,
    /// If set, only the comparisons that matter are requested, until the first place is clear. It is not a setting; a command
    /// requests it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub until_clear: Option<UntilClear>,
    /// The configured seed; `None` means that it is derived from the task.
    pub seed: Option<u64>,
}

/// The value that runs had before it could be set.
const fn one() -> u32 {
    1
}

impl Config {
    /// The reviewers: models as `name` names them, then people.
    pub(crate) fn reviewers(&self, name: impl Fn(&ModelEntry) -> &String) -> Vec<String> {
        let models = self.review_models.iter().map(|entry| name(&entry.model).clone());
        models.chain(self.people.iter().map(|person| format!("{} (a person)", person.id))).collect()
    }

    /// Returns the configuration as a file has it, with people among the review models.
    pub(crate) fn file(&self) -> serde_json::Value {
        let mut file = serde_json::to_value(self).unwrap_or_default();
        if let Some(file) = file.as_object_mut() {
            file.remove("people");
            file.remove("until_clear");
            if let Some(list) = file.get_mut("review_models").and_then(serde_json::Value::as_array_mut) {
                for Person { id, place } in &self.people {
                    let person = serde_json::json!({ "id": id, "model_id": HUMAN });
                    list.insert((*place).min(list.len()), person);
                }
            }
        }
        file
    }
}

/// Reviewing until the first place is clear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UntilClear {
    /// US dollars that the whole run may cost; `None` when only the configured limit applies.
    pub max_cost_usd: Option<f64>,
}

impl UntilClear {
    /// Changes the configuration of a run that is reviewed in this way.
    pub(crate) fn set(self, config: &mut Config) {
        config.review.mode = ReviewMode::Pairwise;
        for reviewer in &mut config.review_models {
            // A comparison gives both in one answer.
            reviewer.evaluation_criteria = Criteria { qualitative: true, quantitative: true };
        }
        let limits = [config.budget.max_cost_usd, self.max_cost_usd];
        config.budget.max_cost_usd = limits.into_iter().flatten().reduce(f64::min);
        config.until_clear = Some(self);
    }
}

/// A person who reviews by filling in a form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Person {
    /// The slug that names the form; no design and no other reviewer has it.
    pub id: ReviewerId,
    /// The index in the file's `review_models`.
    pub place: usize,
}

impl Person {
    /// Returns the index of a review model in the file's `review_models`, which lists these people among the models.
    pub(crate) fn among(people: &[Self], reviewer: usize) -> usize {
        people.iter().fold(reviewer, |place, person| place + usize::from(person.place <= place))
    }
}

/// A design model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ModelEntry {
    /// The slug that names files and agents, unique within its kind.
    pub id: String,
    /// The name that people see.
    pub name: String,
    /// `provider/model`; the model part may contain further slashes.
    pub model_id: String,
    /// 0–2.
    pub temperature: f64,
    /// Replaces the built-in prompt of its kind; already read from its file.
    pub prompt_template: Option<String>,
    /// The angle from which it designs, added to its prompt, so that one model can write several different designs.
    #[serde(default)]
    pub brief: Option<String>,
    /// The provider's variant (reasoning effort and the like), passed through.
    pub variant: Option<String>,
}

impl ModelEntry {
    /// The id of the design that it writes.
    pub fn design_id(&self) -> DesignId {
        DesignId::new(self.id.as_str())
    }

    /// Returns its instructions: its own text, or else the `usual` one, followed by the angle from which it designs.
    pub(crate) fn instructions(&self, usual: &str) -> String {
        let mut text = self.prompt_template.as_deref().unwrap_or(usual).trim_end().to_owned();
        if let Some(brief) = &self.brief {
            text.push_str("\n\n");
            text.push_str(brief.trim());
        }
        text
    }
}

/// A review model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewerEntry {
    /// The model.
    #[serde(flatten)]
    pub model: ModelEntry,
    /// What it has to return.
    pub evaluation_criteria: Criteria,
}

impl ReviewerEntry {
    /// Its id as a reviewer.
    pub fn reviewer_id(&self) -> ReviewerId {
        ReviewerId::new(self.model.id.as_str())
    }
}

/// What a reviewer has to return; at least one of the two is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Criteria {
    /// A written review in Markdown.
    pub qualitative: bool,
    /// Scores as JSON.
    pub quantitative: bool,
}

impl Default for Criteria {
    fn default() -> Self {
        Self { qualitative: true, quantitative: true }
    }
}

/// The rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct ScoringCriteria {
    /// What reviewers score: 1 to 32 dimensions, with distinct names.
    #[cfg_attr(test, schemars(length(min = 1, max = 32)))]
    pub dimensions: Vec<Dimension>,
    /// Whether every evaluation needs a justification.
    pub require_justification: bool,
}

impl Default for ScoringCriteria {
    fn default() -> Self {
        Self { dimensions: BUILT_IN.iter().map(BuiltIn::dimension).collect(), require_justification: true }
    }
}

/// A dimension of the built-in rubric.
struct BuiltIn {
    name: &'static str,
    description: &'static str,
    /// What the scores 2, 5, 8 and 10 mean.
    anchors: [&'static str; 4],
}

const BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        name: "clarity",
        description: "How well explained and understandable is the design?",
        anchors: [
            "Parts are unnamed or contradict each other.",
            "An engineer could build it after asking questions.",
            "An engineer could build it as it stands. Failure cases are named.",
            "There is nothing to ask.",
        ],
    },
    BuiltIn {
        name: "feasibility",
        description: "Can it be built as described, with what the task allows?",
        anchors: [
            "A central part can't work as described.",
            "It works if open questions are answered well.",
            "Every part can be built with known means. The hard ones are named, with their failure cases.",
            "It also says how each hard part is built and checked.",
        ],
    },
    BuiltIn {
        name: "scalability",
        description: "How well does it handle growth in load, data and teams?",
        anchors: [
            "Growth is left out, or contradicts the design.",
            "It names what grows, without limits.",
            "It names limits in numbers, and what happens beyond them.",
            "It also says which step follows at each limit.",
        ],
    },
    BuiltIn {
        name: "maintainability",
        description: "How easy is it to operate, to change and to extend?",
        anchors: [
            "Responsibilities are unnamed or overlap.",
            "Parts are separate, but operating them raises questions.",
            "Likely changes touch one part. Operating and recovering it are described.",
            "It also shows how each part is tested and replaced.",
        ],
    },
    BuiltIn {
        name: "completeness",
        description: "Does it meet every requirement and constraint of the task?",
        anchors: [
            "A central requirement is unmet or unmentioned.",
            "Every central requirement is met. Others are left open.",
            "Every requirement and constraint is met. Failure cases are named.",
            "It also says how each requirement is verified.",
        ],
    },
];

impl BuiltIn {
    fn dimension(&self) -> Dimension {
        let scores = ["2", "5", "8", "10"].map(str::to_owned);
        Dimension {
            description: self.description.to_owned(),
            anchors: scores.into_iter().zip(self.anchors.map(str::to_owned)).collect(),
            ..Dimension::new(self.name)
        }
    }
}

/// Whether a rubric is the built-in one of any version: earlier versions had no anchors.
pub(crate) fn is_built_in(dimensions: &[Dimension]) -> bool {
    let is = |(one, other): (&Dimension, &BuiltIn)| {
        let known = other.dimension();
        let anchors = if one.anchors.is_empty() { BTreeMap::new() } else { known.anchors.clone() };
        *one == Dimension { anchors, ..known }
    };
    dimensions.len() == BUILT_IN.len() && dimensions.iter().zip(&BUILT_IN).all(is)
}

/// One thing that reviewers score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct Dimension {
    /// The key in a reviewer's reply: lower-case letters, digits, `_` and `-`, beginning with a letter.
    #[cfg_attr(test, schemars(extend("format" = "dimension-name")))]
    pub name: String,
    /// What the reviewer should look at.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub description: String,
    /// The lowest score; below `max`.
    #[serde(default = "Dimension::default_min")]
    #[cfg_attr(test, schemars(range(min = -1e100, max = 1e100)))]
    pub min: f64,
    /// The highest score.
    #[serde(default = "Dimension::default_max")]
    #[cfg_attr(test, schemars(range(min = -1e100, max = 1e100)))]
    pub max: f64,
    /// Its share in the overall score, above 0; only ratios matter.
    #[serde(default = "Dimension::default_weight")]
    #[cfg_attr(test, schemars(extend("minimum" = 1e-9, "maximum" = 1_000_000_000)))]
    pub weight: f64,
    /// What certain scores mean, by score; at most 101.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("maxProperties" = 101)))]
    pub anchors: BTreeMap<String, String>,
}

impl Dimension {
    pub(super) const MIN: f64 = 0.0;
    pub(super) const MAX: f64 = 10.0;
    pub(super) const WEIGHT: f64 = 1.0;

    /// Creates a dimension of which only the name is known: from 0 to 10, and with the default weight.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: String::new(),
            min: Self::MIN,
            max: Self::MAX,
            weight: Self::WEIGHT,
            anchors: BTreeMap::new(),
        }
    }

    // serde accepts only functions as defaults.
    fn default_min() -> f64 {
        Self::MIN
    }

    fn default_max() -> f64 {
        Self::MAX
    }

    fn default_weight() -> f64 {
        Self::WEIGHT
    }
}

/// Deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Timeouts {
    /// Milliseconds that one model call may take in all: a second to a day.
    #[cfg_attr(test, schemars(range(min = 1_000, max = 86_400_000)))]
    pub call_ms: u64,
    /// Milliseconds that a call may wait without any output from the model: a second to a day.
    #[cfg_attr(test, schemars(range(min = 1_000, max = 86_400_000)))]
    pub idle_ms: u64,
    /// Milliseconds that the run may take, a second to a week; null means no limit.
    #[cfg_attr(test, schemars(range(min = 1_000, max = 604_800_000)))]
    pub run_ms: Option<u64>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { call_ms: 3_600_000, idle_ms: Deadlines::IDLE_MS, run_ms: None }
    }
}

impl Timeouts {
    /// How long a call may take.
    pub fn of_calls(&self) -> Deadlines {
        Deadlines { call_ms: self.call_ms, idle_ms: self.idle_ms }
    }
}

/// How often to retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Retries {
    /// Retries of a call that failed for a temporary reason: rate limit, server error, network.
    #[cfg_attr(test, schemars(range(max = 10)))]
    pub call: u32,
    /// Repair prompts to a model whose answer can't be used.
    #[cfg_attr(test, schemars(range(max = 10)))]
    pub repair: u32,
}

impl Default for Retries {
    fn default() -> Self {
        Self { call: 3, repair: 2 }
    }
}

/// What a run may cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct RunBudget {
    /// US dollars over all calls; null means no limit.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub max_cost_usd: Option<f64>,
    /// Tokens of every kind over all calls; null means no limit.
    #[cfg_attr(test, schemars(range(min = 1, max = 9_007_199_254_740_991_u64)))]
    #[cfg_attr(test, ts(type = "number | null"))]
    pub max_tokens: Option<u64>,
    /// Calls, including repairs and retries; null means no limit.
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub max_calls: Option<u32>,
    /// Requests to providers over all calls; null means no limit. A model that reads and searches makes several for one answer.
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub max_requests: Option<u32>,
    /// US dollars above which a run waits for the user before its first call. It also waits if the price of a model is unknown.
    /// Null means that no run waits, and is the default if a limit is set.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub confirm_usd: Option<f64>,
}

impl Default for RunBudget {
    fn default() -> Self {
        let Budget { max_cost_usd, max_tokens, max_calls, max_requests } = Budget::default();
        Self { max_cost_usd, max_tokens, max_calls, max_requests, confirm_usd: Some(1.0) }
    }
}

impl RunBudget {
    /// The limits for all calls of the run.
    pub fn limits(&self) -> Budget {
        let Self { max_cost_usd, max_tokens, max_calls, max_requests, confirm_usd: _ } = *self;
        Budget { max_cost_usd, max_tokens, max_calls, max_requests }
    }
}

/// How reviews are made and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Review {
    /// Scores or comparisons.
    pub mode: ReviewMode,
    /// How often each reviewer scores, each time in a fresh order.
    #[cfg_attr(test, schemars(range(min = 1, max = 10)))]
    pub repeats: u32,
    /// The number of turns in which a reviewer scores: 2 (first the written review, then the scores) or 1 (both in one answer).
    #[cfg_attr(test, schemars(range(min = 1, max = 2)))]
    pub turns: u32,
    /// Leave a model's scores of its own design out of the plain means.
    pub exclude_self: bool,
    /// Likewise for designs of the same vendor.
    pub exclude_family: bool,
    /// After scores, have the reviewers also compare the first two designs if these are less than a point apart.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub close_pairs: bool,
}

impl Review {
    /// Whether one answer has both the written review and the scores, if a reviewer has to give both.
    pub fn is_in_one_turn(&self) -> bool {
        self.turns == 1
    }

    /// Whether close designs are compared on top of their scores.
    pub(crate) fn compares_close_pairs(&self) -> bool {
        self.close_pairs && self.mode == ReviewMode::Scores
    }
}

impl Default for Review {
    fn default() -> Self {
        Self {
            mode: ReviewMode::Scores,
            repeats: 1,
            turns: 2,
            exclude_self: true,
            exclude_family: false,
            close_pairs: false,
        }
    }
}

/// Scores or comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReviewMode {
    /// Every reviewer scores every design on every dimension.
    Scores,
    /// Every reviewer compares pairs of designs in both orders.
    Pairwise,
}
