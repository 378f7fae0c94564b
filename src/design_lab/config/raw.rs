//! What a configuration file may contain, before defaults of models, ids and references are resolved.

use super::flow::FlowSettings;
use super::layers::Layers;
use super::model::{Criteria, Retries, Review, RunBudget, ScoringCriteria, Timeouts};
use super::{Source, mutator, prices};
use crate::design_lab::isolation::Isolation;
use crate::design_lab::schema::{DocumentKind, sort_problems};
use kernel::budget::{Budget, Price};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A Design Lab configuration: `.opencode/design-lab.jsonc` in a project, `design-lab.jsonc` in OpenCode's
/// global configuration directory, or the plugin's options in `opencode.json`. Every key is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct RawConfig {
    /// The location of this schema, which only editors use, to complete and explain.
    #[cfg(test)]
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub(crate) schema: Option<String>,
    /// The models that write designs: 2 to 64, or 1 if you add a design of your own. If left out, Design Lab chooses from the
    /// connected providers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<DesignerForm>", length(min = 1, max = 64)))]
    pub(crate) design_models: Option<Vec<RawEntry>>,
    /// The reviewers, 1 to 64: models, and `"human"` for a person. If left out, the design models review.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<ReviewerForm>", length(min = 1, max = 64)))]
    pub(crate) review_models: Option<Vec<RawEntry>>,
    /// The model that names the run. If left out, the first design model does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", extend("format" = "model-name")))]
    pub(crate) topic_generator_model: Option<String>,
    /// Where runs are kept: relative to the project, or absolute.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub(crate) output_directory: String,
    /// An older name of `output_directory`, to which it is renamed before files are merged.
    #[cfg(test)]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", length(min = 1)))]
    pub(crate) base_output_dir: Option<String>,
    /// The temperature of design models whose entry gives none.
    #[cfg_attr(test, schemars(range(min = 0, max = 2)))]
    pub(crate) design_agent_temperature: f64,
    /// The temperature of review models whose entry gives none.
    #[cfg_attr(test, schemars(range(min = 0, max = 2)))]
    pub(crate) review_agent_temperature: f64,
    /// The rubric that reviewers score by.
    pub(crate) scoring_criteria: ScoringCriteria,
    /// What designers and reviewers may reach.
    pub(crate) isolation: Isolation,
    /// Model calls in flight at once; 1 means strictly one after another.
    #[cfg_attr(test, schemars(range(min = 1, max = 64)))]
    pub(crate) concurrency: u32,
    /// Model calls in flight at once to a server on your own machine; most such servers answer one call at a time.
    #[cfg_attr(test, schemars(range(min = 1, max = 64)))]
    pub(crate) local_concurrency: u32,
    /// Deadlines, in milliseconds.
    pub(crate) timeouts: Timeouts,
    /// How often to retry.
    pub(crate) retries: Retries,
    /// What a run may cost; checked before every call.
    pub(crate) budget: RunBudget,
    /// Whether the configuration itself sets `budget.confirm_usd`.
    #[serde(skip)]
    pub(crate) sets_confirm_usd: bool,
    /// What models cost in US dollars per million tokens, by `provider/model`. These prices take precedence over those that OpenCode
    /// knows.
    pub(crate) prices: BTreeMap<String, Price>,
    /// Whether you are asked, once for each project, before its files go to a vendor that your session doesn't use. Only your own
    /// configuration, in OpenCode's global directory, can switch it off.
    pub(crate) confirm_vendors: bool,
    /// Whether designers and reviewers that can't call tools get a digest of the project: its file names, and the beginnings of the
    /// README and the manifest.
    pub(crate) brief: bool,
    /// How reviews are made and counted.
    pub(crate) review: Review,
    /// Whether each run gets a decision map: what all designs agree on, where they contradict each other, and what only one has. It
    /// takes one more model call.
    pub(crate) decision_map: bool,
    /// How Flow builds.
    pub(crate) flow: FlowSettings,
    /// The seed of every random choice; null means that it is derived from the task.
    #[cfg_attr(test, schemars(range(max = 9_007_199_254_740_991_u64)))]
    pub(crate) seed: Option<u64>,
}

impl Default for RawConfig {
    fn default() -> Self {
        Self {
            #[cfg(test)]
            schema: None,
            design_models: None,
            review_models: None,
            topic_generator_model: None,
            output_directory: ".design-lab".to_owned(),
            #[cfg(test)]
            base_output_dir: None,
            design_agent_temperature: 0.7,
            review_agent_temperature: 0.1,
            scoring_criteria: ScoringCriteria::default(),
            isolation: Isolation::default(),
            concurrency: 4,
            local_concurrency: 1,
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            budget: RunBudget::default(),
            sets_confirm_usd: false,
            prices: BTreeMap::new(),
            confirm_vendors: true,
            brief: false,
            review: Review::default(),
            decision_map: false,
            flow: FlowSettings::default(),
            seed: None,
        }
    }
}

impl RawConfig {
    /// Reads the sources, for settings that don't depend on the models that they name.
    pub(super) fn of(sources: &[Source]) -> Result<Self, Vec<Problem>> {
        Self::placed(sources).map(|(raw, _)| raw)
    }

    /// Reads the sources likewise, and also returns where each part comes from.
    pub(super) fn placed(sources: &[Source]) -> Result<(Self, Layers<'_>), Vec<Problem>> {
        let (layers, mut problems) = Layers::read(sources);
        if problems.is_empty() {
            let raw = Self::read(layers.merged.clone())
                .map_err(|error| vec![DocumentKind::Config.unreadable(&error)])?;
            let more = prices::problems(&raw.prices).chain(mutator::problems(&raw.flow.mutator));
            problems.extend(more.map(|problem| layers.place(problem)));
            if problems.is_empty() {
                return Ok((raw, layers));
            }
        }
        sort_problems(&mut problems, &|_| 0);
        Err(problems)
    }

    /// Reads a value that conforms to the schema.
    pub(crate) fn read(mut value: Value) -> Result<Self, serde_json::Error> {
        for list in ["design_models", "review_models"] {
            for model in value.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                if model.is_string() {
                    *model = json!({ "model_id": model.take() });
                }
            }
        }
        let mut raw: Self = kernel::json::of(&value)?;
        raw.sets_confirm_usd = value.pointer("/budget/confirm_usd").is_some();
        Ok(raw)
    }

    /// Returns the US dollars above which work with these limits asks first; `None` when it never does. A limit already answers what
    /// the work may cost, so such work asks only if the configuration sets `budget.confirm_usd` as well.
    pub(super) fn confirm_usd(&self, limits: Budget) -> Option<f64> {
        let is_limited = limits != Budget::default() && !self.sets_confirm_usd;
        self.budget.confirm_usd.filter(|_| !is_limited)
    }

    /// The budget of a run of Design Lab.
    pub(super) fn run_budget(&self) -> RunBudget {
        RunBudget { confirm_usd: self.confirm_usd(self.budget.limits()), ..self.budget }
    }
}

/// A model with the settings that differ from the defaults.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(test, derive(serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub(crate) struct RawEntry {
    /// The model as OpenCode names it: `provider/model`.
    #[cfg_attr(test, schemars(extend("format" = "model-name")))]
    pub(crate) model_id: String,
    /// The id, which names files and agents; if left out, it is made from the last part of the model's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", extend("format" = "slug")))]
    pub(crate) id: Option<String>,
    /// The name that people see; if left out, the model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", length(min = 1)))]
    pub(crate) name: Option<String>,
    /// From 0 (always the same answer) to 2 (very free).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0, max = 2)))]
    pub(crate) temperature: Option<f64>,
    /// Replaces the built-in prompt: text, or `{file:./prompt.md}` relative to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", length(min = 1)))]
    pub(crate) prompt_template: Option<String>,
    /// The provider's variant of the model, for example its reasoning effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", length(min = 1)))]
    pub(crate) variant: Option<String>,
    /// The angle from which a designer designs; in the schema, only designers have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) brief: Option<String>,
    /// What a reviewer has to return; in the schema, only reviewers have it.
    #[serde(default)]
    #[cfg_attr(test, schemars(skip))]
    pub(crate) evaluation_criteria: Criteria,
}

/// A model that writes designs: `"provider/model"`, or an object with more settings.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is wanted")]
enum DesignerForm {
    Name(#[schemars(extend("format" = "model-name"))] String),
    Entry(DesignerEntryForm),
}

/// A model with the settings that differ from the defaults.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct DesignerEntryForm {
    #[schemars(flatten)]
    entry: RawEntry,
    /// The angle from which this designer designs, added to the prompt, so that one model can write several different designs.
    #[schemars(default, with = "String", length(min = 1))]
    brief: Option<String>,
}

/// A reviewer: `"provider/model"`, or an object with more settings. `"human"` in place of a model is a person, who gets a form; such
/// an object accepts only `id` or `name`.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is wanted")]
enum ReviewerForm {
    Name(#[schemars(extend("format" = "model-name"))] String),
    Entry(ReviewerEntryForm),
}

/// A model with the settings that differ from the defaults.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is wanted")]
struct ReviewerEntryForm {
    #[schemars(flatten)]
    entry: RawEntry,
    /// What this reviewer has to return; at least one of the two.
    #[schemars(default)]
    evaluation_criteria: Criteria,
}
