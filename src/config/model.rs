//! The effective configuration: every value present, every bound respected.

use serde::{Deserialize, Serialize};

/// The effective configuration of a run, as stored in `config.json`. It holds no secrets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Config {
    /// At least two, with distinct ids.
    pub design_models: Vec<ModelEntry>,
    /// At least one, with distinct ids.
    pub review_models: Vec<ReviewerEntry>,
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
    /// Deadlines.
    pub timeouts: Timeouts,
    /// How often to try again.
    pub retries: Retries,
    /// What a run may cost.
    pub budget: Budget,
    /// How reviews are made and counted.
    pub review: Review,
    /// The configured seed; none means that it is derived from the task.
    pub seed: Option<u64>,
}

/// A design model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ModelEntry {
    /// Slug, unique among its kind: names files and agents.
    pub id: String,
    /// For people.
    pub name: String,
    /// `provider/model`; the model part may hold further slashes.
    pub model_id: String,
    /// 0–2.
    pub temperature: f64,
    /// Replaces the built-in prompt of its kind; already read from its file.
    pub prompt_template: Option<String>,
    /// The provider's variant (reasoning effort and the like), passed through.
    pub variant: Option<String>,
}

/// A review model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewerEntry {
    /// The model.
    #[serde(flatten)]
    pub model: ModelEntry,
    /// What it is asked for.
    pub evaluation_criteria: Criteria,
}

/// What a reviewer is asked for; at least one is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Criteria {
    /// A written review in Markdown.
    pub qualitative: bool,
    /// Scores as JSON.
    pub quantitative: bool,
}

/// The rubric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ScoringCriteria {
    /// At least one, with distinct names.
    pub dimensions: Vec<Dimension>,
    /// Whether every evaluation needs a justification.
    pub require_justification: bool,
}

/// One thing that reviewers score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Dimension {
    /// The key in a reviewer's reply.
    pub name: String,
    /// What the reviewer should look at.
    pub description: String,
    /// The lowest score, below `max`.
    pub min: f64,
    /// The highest score.
    pub max: f64,
    /// Its share in the overall, above 0; only ratios matter.
    pub weight: f64,
    /// What certain scores mean, by score.
    #[serde(default)]
    pub anchors: std::collections::BTreeMap<String, String>,
}

/// What designers and reviewers may reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Isolation {
    /// Whether isolation is on; the results say so when it isn't.
    pub enforce_design_isolation: bool,
    /// Globs, relative to the project, beside the output directory.
    pub blocked_patterns: Vec<String>,
    /// Tools that lab sessions may call.
    pub allowed_tools: Vec<String>,
}

/// Deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Timeouts {
    /// Milliseconds that one model call may take.
    pub call_ms: u64,
    /// Milliseconds that the run may take; none means no limit.
    pub run_ms: Option<u64>,
}

/// How often to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Retries {
    /// Further tries of a call that failed for a passing reason.
    pub call: u32,
    /// Further prompts to a model whose answer can't be used.
    pub repair: u32,
}

/// What a run may cost; checked before every call.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Budget {
    /// US dollars.
    pub max_cost_usd: Option<f64>,
    /// Tokens of every kind.
    pub max_tokens: Option<u64>,
}

/// How reviews are made and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Review {
    /// Scores or comparisons.
    pub mode: ReviewMode,
    /// How often each reviewer scores, at least 1.
    pub repeats: u32,
    /// Leave a model's scores of its own design out of the plain means.
    pub exclude_self: bool,
    /// Likewise for designs of the same vendor.
    pub exclude_family: bool,
}

/// Scores or comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ReviewMode {
    /// Every reviewer scores every design on every dimension.
    Scores,
    /// Every reviewer compares pairs of designs in both orders.
    Pairwise,
}
