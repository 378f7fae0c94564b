//! A design: what a design model must return, and how it is stored.

use super::canonical;
use super::claim::Claim;
use super::code::ArtefactCode;
use crate::design_lab::ids::{DesignId, Label};
use crate::design_lab::schema::{self, DocumentKind, quote};
use kernel::json::Deserialize;
use kernel::lenient;
use kernel::problem::Problem;
use kernel::tokens::Tokens;
use serde::Serialize;
use serde_json::Value;

/// What a design model returns: one JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Design {
    /// A short, descriptive title.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub title: String,
    /// The design in a few paragraphs.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub summary: String,
    /// What the design assumes.
    pub assumptions: Vec<String>,
    /// The approach at the highest level.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub architecture_overview: String,
    /// The parts the system is made of.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub components: Vec<Component>,
    /// How data moves through the components.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub data_flow: String,
    /// The decisions, with the options that were weighed.
    pub tradeoffs: Vec<Tradeoff>,
    /// What may go wrong, and what is done about it.
    pub risks: Vec<Risk>,
    /// The questions that stakeholders have to answer.
    pub open_questions: Vec<String>,
    /// What other code calls or is sent: names with signatures or messages. This and the next five parts may be missing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub interfaces: Vec<String>,
    /// What is stored, with fields, types and keys.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub data_model: Vec<String>,
    /// What fails, how that shows, and what the system then does.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub failure_modes: Vec<String>,
    /// How a requirement or constraint is proved.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub verification: Vec<String>,
    /// The steps to production, and back.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub rollout: Vec<String>,
    /// The files of the project that change or are added.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"), schemars(with = "Vec<String>"))]
    pub touches: Vec<String>,
    /// What the design states about the project. Designs of earlier versions have none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Claim>>"), schemars(with = "Vec<Claim>"))]
    pub claims: Vec<Claim>,
}

/// The keys of the parts that a builder needs. Each of them may be missing.
pub const DETAIL_KEYS: [&str; 6] =
    ["interfaces", "data_model", "failure_modes", "verification", "rollout", "touches"];

impl Design {
    /// The parts that a builder needs, in the order of [`DETAIL_KEYS`], with their headings. An empty one is missing.
    pub fn details(&self) -> [(&'static str, &[String]); 6] {
        [
            ("Interfaces", &self.interfaces),
            ("Data model", &self.data_model),
            ("Failure modes", &self.failure_modes),
            ("Verification", &self.verification),
            ("Rollout", &self.rollout),
            ("Files", &self.touches),
        ]
    }

    /// Drops the parts that a builder needs: a run of earlier rules never kept them, whatever its models wrote.
    pub(crate) fn forget_details(&mut self) {
        let Self { interfaces, data_model, failure_modes, verification, rollout, touches, .. } = self;
        for part in [interfaces, data_model, failure_modes, verification, rollout, touches] {
            part.clear();
        }
    }

    /// Parses a design model's reply. Older spellings are accepted and unknown fields are dropped; problems are in the
    /// order of their pointers.
    pub fn from_reply(value: Value) -> Result<Self, Vec<Problem>> {
        let mut design = Self::with_sources(value)?;
        design.forget_sources();
        Ok(design)
    }

    /// Drops the sources, which only a merged design has.
    pub(super) fn forget_sources(&mut self) {
        self.sources_mut().for_each(|(_, sources)| *sources = None);
    }

    /// Parses the reply of a model that merged designs: every component and decision has to name the labels of the
    /// designs that it was taken from, or `new`. The labels are replaced with the designs' ids.
    pub fn merged_from_reply(value: Value, designs: &[(&Label, &DesignId)]) -> Result<Self, Vec<Problem>> {
        let mut design = Self::with_sources(value)?;
        let labels: Vec<String> = designs.iter().map(|(label, _)| quote(label.as_str())).collect();
        let allowed = format!("one or more of {}, or \"{NEW}\"", labels.join(", "));
        let mut problems = Vec::new();
        for (pointer, sources) in design.sources_mut() {
            let named = sources.get_or_insert_default();
            if named.is_empty() {
                problems.push(
                    Problem::new(
                        ArtefactCode::DesignMissingSources,
                        "Name the designs that this part was taken from.",
                    )
                    .at(pointer.as_str())
                    .allowed(allowed.as_str()),
                );
            }
            for (index, source) in named.iter_mut().enumerate() {
                let label = source.trim();
                if let Some((_, id)) =
                    designs.iter().find(|(known, _)| known.as_str().eq_ignore_ascii_case(label))
                {
                    id.as_str().clone_into(source);
                } else if label.eq_ignore_ascii_case(NEW) {
                    NEW.clone_into(source);
                } else {
                    problems.push(
                        Problem::new(
                            ArtefactCode::DesignUnknownSource,
                            "No design with that label was \
                                                                         shown.",
                        )
                        .at(format!("{pointer}/{index}"))
                        .found(quote(label))
                        .allowed(allowed.as_str()),
                    );
                }
            }
        }
        if problems.is_empty() { Ok(design) } else { Err(problems) }
    }

    /// The sources of each component and decision, with their pointers.
    fn sources_mut(&mut self) -> impl Iterator<Item = (String, &mut Option<Vec<String>>)> {
        let components = self.components.iter_mut().enumerate();
        let tradeoffs = self.tradeoffs.iter_mut().enumerate();
        components
            .map(|(index, component)| (format!("/components/{index}/sources"), &mut component.sources))
            .chain(
                tradeoffs
                    .map(|(index, tradeoff)| (format!("/tradeoffs/{index}/sources"), &mut tradeoff.sources)),
            )
    }

    fn with_sources(value: Value) -> Result<Self, Vec<Problem>> {
        let value = canonical::design(value);
        let problems = schema::design_problems(&value);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(&value).map_err(|error| vec![DocumentKind::Design.unreadable(&error)])
    }
}

/// The source of parts that a merging model added itself.
const NEW: &str = "new";

/// Returns how many problems a value has as a design: of several candidates in an answer, the one with the fewest
/// counts. A value that isn't an object is no candidate, and gets the highest number.
pub fn design_fit(value: &Value) -> usize {
    if value.is_object() {
        schema::design_problems(&canonical::design(value.clone())).len()
    } else {
        usize::MAX
    }
}

/// One part of the system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Component {
    /// Its name.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub name: String,
    /// What it is.
    pub description: String,
    /// What it is responsible for.
    pub responsibilities: Vec<String>,
    /// The components or services it needs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub dependencies: Option<Vec<String>>,
    /// The designs that it was taken from, or `new`; in a merged design only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub sources: Option<Vec<String>>,
}

/// One decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Tradeoff {
    /// What had to be decided.
    pub aspect: String,
    /// What could have been chosen.
    pub options: Vec<String>,
    /// What was chosen.
    pub chosen: String,
    /// Why.
    pub rationale: String,
    /// The designs that it was taken from, or `new`; in a merged design only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub sources: Option<Vec<String>>,
}

/// One risk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Risk {
    /// What may go wrong.
    pub risk: String,
    /// How bad that would be.
    pub impact: Level,
    /// What is done about it.
    pub mitigation: String,
}

/// A coarse level of risk or impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Little harm.
    Low,
    /// Some harm.
    #[default]
    Medium,
    /// Great harm.
    High,
}

/// Where an artefact came from and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Provenance {
    /// When the accepted answer arrived, ISO 8601 in UTC; for a user's own file, the day on which it was read.
    pub generated_at: String,
    /// The model as the provider named it in its answer.
    pub model_version: String,
    /// The requested temperature; null if the model decides.
    pub temperature: Option<f64>,
    /// How many prompts it took, repairs and retries included.
    pub attempts: u32,
    /// US dollars over all attempts.
    #[serde(deserialize_with = "lenient::dollars_in_all")]
    pub cost: f64,
    /// Tokens over all attempts.
    pub tokens: Tokens,
    /// Milliseconds from the first prompt to the accepted answer.
    pub duration_ms: u64,
    /// What extraction repaired in the accepted answer, in words; empty when nothing was.
    #[serde(default)]
    pub repairs: Vec<String>,
}

/// A design as stored in `designs/<design>.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StoredDesign {
    /// The schema of this document.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// The design's id within the run.
    pub design_id: DesignId,
    /// The model that wrote it: `provider/model`; empty for a user's own file.
    pub model: String,
    /// The file that it was read from, if no model wrote it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(test, schemars(with = "String"))]
    pub file: Option<String>,
    /// The design itself.
    #[serde(flatten)]
    pub design: Design,
    /// Where it came from.
    pub metadata: Provenance,
}

impl StoredDesign {
    /// The author: its model, or its file.
    pub fn author(&self) -> &str {
        self.file.as_deref().unwrap_or(&self.model)
    }
}
