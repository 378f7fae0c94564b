//! Flow's part of a configuration: how long it may work, and how copies of the project's files are prepared.

use super::Source;
use super::common::{Common, is_usual_silence};
use super::mutator::Mutator;
use super::raw::RawConfig;
use kernel::budget::{Budget, Price};
use kernel::json::Deserialize;
use kernel::limits::Deadlines;
use kernel::problem::Problem;
use serde::Serialize;
use std::collections::BTreeMap;

/// How Flow builds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct FlowSettings {
    /// Rounds of a feature: from a worker's report to the results of checks and review.
    #[cfg_attr(test, schemars(range(min = 1, max = 20)))]
    pub rounds: u32,
    /// How many criteria a reviewer judges in one answer. If left out: one, as long as that takes at most twelve calls.
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000)))]
    #[cfg_attr(test, ts(optional))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria_per_call: Option<u32>,
    /// What building may cost.
    pub budget: FlowBudget,
    /// Where the workers of new sessions work.
    #[serde(skip_serializing_if = "Workplace::is_project")]
    #[cfg_attr(test, ts(optional, as = "Option<Workplace>"))]
    pub place: Workplace,
    /// How the copies of the project's files in which checks run again are prepared.
    pub worktree: Worktree,
    /// How many small faults are tried in a feature, to see whether its checks notice them; 0 tries none.
    #[cfg_attr(test, schemars(range(min = 0, max = 100)))]
    pub mutation: u32,
    /// When a model that did not build the change writes new tests for it.
    pub exam: ExamPolicy,
    /// The mutation testing tool that is used instead of these faults.
    pub mutator: Mutator,
    /// The user's own prices of models, by `provider/model`. In a configuration, `prices` is next to these settings.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional, as = "Option<BTreeMap<String, Price>>"))]
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub prices: BTreeMap<String, Price>,
    /// US dollars above which the user is asked first: `budget.confirm_usd`, which is next to these settings.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm_usd: Option<f64>,
    /// Milliseconds that a call may wait without any output from the model: `timeouts.idle_ms`, which is next to these settings.
    #[cfg_attr(test, schemars(skip))]
    #[cfg_attr(test, ts(optional, as = "Option<f64>"))]
    #[serde(skip_serializing_if = "is_usual_silence")]
    pub idle_ms: u64,
}

impl Default for FlowSettings {
    fn default() -> Self {
        Self {
            rounds: 5,
            criteria_per_call: None,
            budget: FlowBudget::default(),
            place: Workplace::default(),
            worktree: Worktree::default(),
            mutation: 12,
            exam: ExamPolicy::default(),
            mutator: Mutator::default(),
            prices: BTreeMap::new(),
            confirm_usd: None,
            idle_ms: Deadlines::IDLE_MS,
        }
    }
}

/// Where the workers of a session work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Workplace {
    /// In the project itself.
    #[default]
    Project,
    /// In a lane: a separate repository outside the project, whose result is taken over by a command of the user's.
    Lane,
}

impl Workplace {
    /// Whether it is the project itself.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes what it serialises by reference")]
    fn is_project(&self) -> bool {
        *self == Self::Project
    }
}

/// When a model that did not build the change writes tests for it, which the worker could not target while building.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExamPolicy {
    /// With the last feature of a goal that is built without approval.
    #[default]
    Auto,
    /// With the last feature.
    Session,
    /// With each feature.
    Feature,
    /// Never.
    Off,
}

/// What building may cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct FlowBudget {
    /// Model calls for each build of a feature.
    #[cfg_attr(test, schemars(range(min = 2, max = 1_000)))]
    pub calls: u32,
    /// Milliseconds that a session may work; time spent waiting for the user doesn't count.
    #[cfg_attr(test, schemars(range(min = 60_000, max = 604_800_000)))]
    #[cfg_attr(test, ts(type = "number"))]
    pub session_ms: u64,
    /// US dollars over all calls of a session; null means no limit.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub max_cost_usd: Option<f64>,
    /// Tokens of every kind over all calls of a session; null means no limit.
    #[cfg_attr(test, schemars(range(min = 1, max = 9_007_199_254_740_991_u64)))]
    #[cfg_attr(test, ts(type = "number | null"))]
    pub max_tokens: Option<u64>,
    /// Calls of a session, including repairs and retries; null means no limit.
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub max_calls: Option<u32>,
    /// Requests to providers over all calls of a session; null means no limit. A worker makes many for one call.
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub max_requests: Option<u32>,
}

impl Default for FlowBudget {
    fn default() -> Self {
        let Budget { max_cost_usd, max_tokens, max_calls, max_requests } = Budget::default();
        let session_ms = 2 * 60 * 60_000;
        Self { calls: 12, session_ms, max_cost_usd, max_tokens, max_calls, max_requests }
    }
}

impl FlowBudget {
    /// The limits for all calls of a session.
    pub fn of_session(&self) -> Budget {
        let Self { max_cost_usd, max_tokens, max_calls, max_requests, .. } = *self;
        Budget { max_cost_usd, max_tokens, max_calls, max_requests }
    }
}

/// How copies of the project's files are prepared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Worktree {
    /// The command that prepares a copy, program and arguments: `["npm", "ci", "--offline"]`. If left out, the entries of `link` are
    /// linked.
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub setup: Vec<String>,
    /// Directories and files that git ignores and that are linked into a copy: a name matches anywhere, a path is relative to the
    /// root of the repository.
    #[cfg_attr(test, schemars(inner(length(min = 1))))]
    pub link: Vec<String>,
    /// Whether commands in a copy have the network, for example to reach a database. Otherwise they reach only what they start themselves.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub network: bool,
}

impl Default for Worktree {
    fn default() -> Self {
        let link = ["node_modules", ".venv", "venv", "vendor"];
        Self { setup: Vec::new(), link: link.map(str::to_owned).to_vec(), network: false }
    }
}

/// Reads Flow's settings, the prices, the confirmation limit and the idle limit from the sources; the models that they name don't
/// matter.
pub fn flow_settings(sources: &[Source]) -> Result<FlowSettings, Vec<Problem>> {
    RawConfig::of(sources).map(|raw| {
        let Common { prices, confirm_usd, idle_ms } = Common::in_raw(&raw, raw.flow.budget.of_session());
        FlowSettings { prices, confirm_usd, idle_ms, ..raw.flow }
    })
}
