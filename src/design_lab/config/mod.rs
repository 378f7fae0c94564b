//! Configuration: four sources merged and parsed once into a [`Config`] that is always valid.
//!
//! Lowest to highest: the defaults in the core, the global file, the project's file, the plugin's options in
//! `opencode.json`. The core reads no file, so loading takes two steps: [`references`] names the prompt files
//! that the texts refer to, the shell reads them, and [`load`] takes everything. [`load`] reports every
//! problem it can find, not only the first.

mod choose;
mod code;
mod common;
pub(crate) mod document;
mod flow;
mod ids;
mod layers;
mod model;
mod mutator;
mod new_vendors;
mod output;
mod prices;
mod raw;
mod resolve;
mod rubric;
mod starter;
mod template;

pub use crate::design_lab::isolation::Isolation;
pub(crate) use choose::design_once;
pub use choose::{AvailableModel, AvailableModels, Choice, check_models, choose_models};
pub use code::ConfigCode;
pub use common::{Common, is_usual_silence};
pub use flow::{ExamPolicy, FlowBudget, FlowSettings, Workplace, Worktree, flow_settings};
pub(crate) use model::is_built_in;
pub use model::{
    Config, Criteria, Dimension, ModelEntry, Person, Retries, Review, ReviewMode, ReviewerEntry, RunBudget,
    ScoringCriteria, Timeouts, UntilClear,
};
pub use mutator::Mutator;
pub(crate) use new_vendors::NEW;
pub use new_vendors::{NewVendors, VendorsInput, VendorsOutput, briefs, confirms_vendors, vendors};
pub use output::{OutputPlace, check_output};
pub use prices::own_prices;
#[cfg(test)]
pub(crate) use raw::RawConfig;
pub use rubric::rubric;
pub(crate) use rubric::{dimension_problems, in_order, task_rubric};
pub use starter::{STARTER_FILE, Starter, StarterInput, starter};

use crate::design_lab::schema::{DocumentKind, Fault, child, quote, sort_problems};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use layers::Layers;
pub(crate) use layers::{alone, place};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A configuration text and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Source {
    /// Its rank; sources of the same rank merge in the order given.
    pub origin: Layer,
    /// The file as a user would recognise it: `.opencode/design-lab.jsonc`, `opencode.json (plugin options)`.
    pub file: String,
    /// JSON with comments and trailing commas.
    pub text: String,
}

/// The ranks of sources, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The core's own defaults.
    Default,
    /// OpenCode's global configuration directory.
    Global,
    /// The project's `.opencode` directory.
    Project,
    /// The plugin's options in `opencode.json`.
    Options,
}

impl Layer {
    /// Whether lines are reported. Options reach the plugin as an object, so lines in their text mean nothing to the
    /// user.
    fn has_lines(self) -> bool {
        self != Self::Options
    }
}

/// A file that a configuration refers to as `{file:path}`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reference {
    /// [`Source::file`] of the configuration that refers to it: the path is relative to that file's directory
    /// (for plugin options, to the project).
    pub source: String,
    /// The path as written: relative, and never outside the project or the global configuration directory.
    pub path: String,
}

/// What the shell found at a [`Reference`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ReferencedFile {
    /// The reference that was followed.
    #[serde(flatten)]
    pub reference: Reference,
    /// The file's text; `None` if it could not be read.
    #[serde(default)]
    pub text: Option<String>,
    /// Why it could not be read.
    #[serde(default)]
    pub error: Option<String>,
    /// Its real path with links resolved, relative to the real directory that the path starts from. `None` when it
    /// could not be determined.
    #[serde(default)]
    pub leads: Option<String>,
}

/// Where an effective value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The rank of the source.
    pub layer: Layer,
    /// Its file; `None` for defaults.
    pub file: Option<String>,
    /// The line, if the source has lines.
    pub line: Option<u32>,
}

/// The outcome of loading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loaded {
    /// The effective configuration.
    pub config: Config,
    /// Where each setting comes from, by JSON pointer into `config`; a list is one setting.
    pub origins: BTreeMap<String, Origin>,
    /// What the user should know but need not change, in sentences: which models were chosen, what looks unintended.
    pub notes: Vec<String>,
}

/// Returns the prompt files that the effective configuration refers to. Broken texts and forbidden paths are skipped;
/// [`load`] reports them.
pub fn references(sources: &[Source]) -> Vec<Reference> {
    let (layers, _) = Layers::read(sources);
    template::references(&layers)
}

/// Merges the sources into the effective configuration.
///
/// `files` are the files that [`references`] named. `available` are the models of the connected providers, which are
/// used only when no source names design models (see [`choose_models`]). Problems are sorted by source, line and
/// column.
pub fn load(
    sources: &[Source],
    files: &[ReferencedFile],
    available: &AvailableModels,
) -> Result<Loaded, Vec<Problem>> {
    let (layers, mut problems) = Layers::read(sources);
    let whole = problems.is_empty();
    match resolve::resolve(&layers, files, available, whole) {
        Ok((config, notes)) if whole => {
            return Ok(Loaded { origins: origins(&layers, &config), config, notes });
        }
        Ok(_) => {}
        Err(more) => problems.extend(more.into_iter().map(|problem| layers.place(problem))),
    }
    let rank = |problem: &Problem| {
        let file = problem.file.as_deref();
        sources
            .iter()
            .filter(|source| Some(source.file.as_str()) == file)
            .map(|source| source.origin as usize)
            .min()
    };
    sort_problems(&mut problems, &|problem| rank(problem).unwrap_or_default());
    Err(some(problems))
}

/// Returns the problem with a single design model, which has nothing to be compared with unless the user adds a design.
pub(crate) fn too_few(loaded: &Loaded, sources: &[Source]) -> Option<Problem> {
    let [only] = &loaded.config.design_models[..] else { return None };
    let problem = Problem::new(
        DocumentKind::Config.code(Fault::TooFew),
        "`design_models` has too few entries: a comparison needs two designs.",
    );
    let problem = problem
        .at("/design_models")
        .found(quote(&only.model_id))
        .allowed("at least 2; or 1 beside a design of your own")
        .next("Add a model, or bring your own design: /design-lab --with docs/draft.md <task>.");
    Some(Layers::read(sources).0.place(problem))
}

/// The most problems that are reported; users don't read more.
const MOST_PROBLEMS: usize = 40;

/// Returns the first problems and the number of the others: thousands from one file would fill the chat.
fn some(mut problems: Vec<Problem>) -> Vec<Problem> {
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    if more > 1 {
        problems.truncate(MOST_PROBLEMS);
        problems.push(
            Problem::new(ConfigCode::More, format!("There are {more} more problems."))
                .next("Fix those above first."),
        );
    }
    problems
}

/// Returns the problems with one file on its own, which may leave out what another file sets.
pub fn check(source: &Source) -> Vec<Problem> {
    let sources = std::slice::from_ref(source);
    let (layers, mut problems) = Layers::read(sources);
    sort_problems(&mut problems, &|_| 0);
    if !problems.is_empty() || layers.merged.get("design_models").is_none() {
        return some(problems);
    }
    // Prompt files are files of their own; the run checks whether they exist.
    let elsewhere = |problem: &Problem| {
        problem.pointer.as_deref().is_some_and(|pointer| pointer.ends_with("/prompt_template"))
    };
    let found = load(sources, &[], &AvailableModels::default()).err().unwrap_or_default();
    found.into_iter().filter(|problem| !elsewhere(problem)).collect()
}

/// Returns what designers and reviewers may reach according to these sources, whichever models are chosen; `None` when
/// the sources are invalid.
pub fn isolation(sources: &[Source]) -> Option<Isolation> {
    let (layers, problems) = Layers::read(sources);
    if problems.is_empty() { resolve::isolation(&layers) } else { None }
}

fn origins(layers: &Layers<'_>, config: &Config) -> BTreeMap<String, Origin> {
    let mut origins = BTreeMap::new();
    let effective =
        serde_json::to_string(config).and_then(|text| serde_json::from_str(&text)).unwrap_or_default();
    let mut open = vec![(String::new(), effective)];
    while let Some((pointer, value)) = open.pop() {
        if let Value::Object(map) = value {
            open.extend(map.into_iter().map(|(key, value)| (child(&pointer, &key), value)));
        } else {
            let origin = layers.origin(&pointer);
            origins.insert(pointer, origin);
        }
    }
    origins
}

#[cfg(test)]
mod tests;
