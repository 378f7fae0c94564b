//! The rubric behind a ranking: where it comes from.

use kernel::json::Deserialize;
use serde::Serialize;

/// Where a rubric comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RubricOrigin {
    /// The rubric that applies if none is configured.
    Default,
    /// The configuration of the run.
    Configured,
    /// A model drafted it for the task, and the user approved it.
    Task,
}

/// The rubric that reviewers used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RubricUsed {
    /// Where it comes from.
    pub origin: RubricOrigin,
    /// The model that drafted it: `provider/model`; absent unless the origin is `task`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(with = "String"))]
    pub drafted_by: Option<String>,
    /// The same in words, without a full stop.
    pub sentence: String,
}

impl RubricUsed {
    /// A rubric that no model drafted.
    pub(crate) fn of(origin: RubricOrigin) -> Self {
        let sentence = match origin {
            RubricOrigin::Configured => "rubric of the run's configuration",
            RubricOrigin::Default | RubricOrigin::Task => "default rubric",
        };
        Self { origin, drafted_by: None, sentence: sentence.to_owned() }
    }

    /// A rubric for the task that the user approved, perhaps after editing it.
    /// `elsewhere`: on another machine.
    pub(crate) fn of_task(drafted_by: &str, edited: bool, elsewhere: bool) -> Self {
        let approved = if edited { "edited and approved" } else { "approved" };
        Self {
            origin: RubricOrigin::Task,
            drafted_by: Some(drafted_by.to_owned()),
            sentence: format!(
                "rubric drafted by {drafted_by} for this task, {approved} {}",
                if elsewhere { "on another machine" } else { "by you" }
            ),
        }
    }
}
