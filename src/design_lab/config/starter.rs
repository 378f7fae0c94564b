//! Writes a first configuration file: the values that apply anyway, with an explanation of each setting.
//!
//! The models are set; everything else is commented out and shows the value in force. So writing the file changes nothing,
//! and neither does uncommenting a line, until its value is changed.

use super::choose::{AvailableModel, AvailableModels, check_models, choose_models, written};
use super::code::ConfigCode;
use super::ids::id_of;
use super::layers::Layers;
use super::model::{Dimension, ModelEntry, ReviewerEntry, ScoringCriteria};
use super::raw::RawConfig;
use super::resolve::model_part;
use super::{Layer, Loaded, ReferencedFile, Source, load};
use crate::design_lab::schema::{self, DocumentKind, is_model_name, quote};
use crate::shared::commented::{explain, explain_further, layout, put};
use design_lab_numerics::sorting::sort_by_key;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// The path of the file, relative to the project's directory.
pub const STARTER_FILE: &str = ".opencode/design-lab.jsonc";

/// The most connected models that are listed besides those that are set.
const MOST_LISTED: usize = 20;

/// The placeholder for models that the user has to fill in.
const PLACEHOLDER: &str = "provider/model";

/// What a first configuration file is made from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StarterInput {
    /// The existing configuration.
    pub sources: Vec<Source>,
    /// The prompt files that it refers to.
    pub files: Vec<ReferencedFile>,
    /// The connected models; `None` when there is no host to ask.
    pub available: Option<AvailableModels>,
    /// The design models that the user named, separated by commas or spaces, with or without `--models` in front. If
    /// empty, they are chosen.
    pub wanted: String,
    /// The version of the package.
    pub package: String,
}

/// A first configuration file, ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Starter {
    /// The file's text.
    pub text: String,
    /// The configuration that applies once the file is written; `None` when models still have to be filled in.
    pub loaded: Option<Loaded>,
}

/// Writes the file, unless the project has a configuration.
pub fn starter(given: &StarterInput) -> Result<Starter, Vec<Problem>> {
    if let Some(there) = given.sources.iter().find(|source| source.origin == Layer::Project) {
        return Err(vec![exists(&there.file)]);
    }
    let (layers, problems) = Layers::read(&given.sources);
    if !problems.is_empty() {
        return Err(problems);
    }
    let raw = RawConfig::read(layers.merged.clone())
        .map_err(|error| vec![DocumentKind::Config.unreadable(&error)])?;
    let models = Models::of(given, &raw)?;
    let text = Page { layers: &layers, raw: &raw, models: &models, given }.write();
    if matches!(models, Models::Open) {
        return Ok(Starter { text, loaded: None });
    }
    let mut sources = given.sources.clone();
    sources.push(Source { origin: Layer::Project, file: STARTER_FILE.to_owned(), text: text.clone() });
    let available = given.available.clone().unwrap_or_default();
    let loaded = load(&sources, &given.files, &available)?;
    if let (Some(available), Models::Set { .. }) = (&given.available, &models) {
        // Problems with what other sources set are not this file's fault.
        let unknown: Vec<Problem> = check_models(&loaded.config, available)
            .into_iter()
            .filter(|problem| problem.pointer.as_deref().is_some_and(|at| at.starts_with("/design_models")))
            .collect();
        if !unknown.is_empty() {
            return Err(unknown);
        }
    }
    Ok(Starter { text, loaded: Some(loaded) })
}

fn exists(file: &str) -> Problem {
    let mut problem =
        Problem::new(ConfigCode::InitExists, "This project already has a configuration. It was not changed.")
            .allowed("a project without `.opencode/design-lab.json` and `.opencode/design-lab.jsonc`")
            .next("Edit this file and check it with /design-lab-doctor. To start again, move it away and repeat the command.");
    problem.file = Some(file.to_owned());
    problem
}

/// The design models in the file.
enum Models {
    /// Another source sets them.
    Elsewhere,
    /// There are no known models to choose from.
    Open,
    /// These designers, and these reviewers unless another source sets them.
    Set { designers: Vec<ModelEntry>, reviewers: Option<Vec<ReviewerEntry>> },
}

impl Models {
    fn of(given: &StarterInput, raw: &RawConfig) -> Result<Self, Vec<Problem>> {
        let wanted = wanted(&given.wanted)?;
        let (designers, reviewers) = match (&wanted[..], &given.available) {
            ([], _) if raw.design_models.is_some() => return Ok(Self::Elsewhere),
            ([], None) => return Ok(Self::Open),
            ([], Some(available)) => {
                let choice =
                    choose_models(available, raw.design_agent_temperature, raw.review_agent_temperature)
                        .map_err(|problem| vec![problem])?;
                (choice.design_models, choice.review_models)
            }
            (names, available) => {
                let models: Vec<AvailableModel> =
                    names.iter().map(|name| described(name, available.as_ref())).collect();
                written(
                    &models.iter().collect::<Vec<_>>(),
                    raw.design_agent_temperature,
                    raw.review_agent_temperature,
                )
            }
        };
        Ok(Self::Set { designers, reviewers: raw.review_models.is_none().then_some(reviewers) })
    }
}

/// The catalogue's facts about a model, if it has any.
fn described(name: &str, available: Option<&AvailableModels>) -> AvailableModel {
    let known = available.and_then(|available| available.models.iter().find(|model| model.id() == name));
    known.cloned().unwrap_or_else(|| AvailableModel {
        provider: name.split('/').next().unwrap_or_default().to_owned(),
        model: model_part(name).to_owned(),
        ..AvailableModel::default()
    })
}

/// Returns the names that the user gave, each once.
fn wanted(text: &str) -> Result<Vec<String>, Vec<Problem>> {
    let text = text.trim();
    let text = text.strip_prefix("--models").map_or(text, |rest| rest.trim_start_matches(['=', ' ']));
    let mut names: Vec<String> = Vec::new();
    let mut problems = Vec::new();
    for name in text.split([',', ' ', '\n', '\t']).filter(|name| !name.is_empty()) {
        if !is_model_name(name) {
            problems.push(
                Problem::new(ConfigCode::InitModel, format!("{} is not a model.", quote(name)))
                    .found(quote(name))
                    .allowed("`provider/model`, several of them separated by commas")
                    .next("`opencode models` prints the names of the connected models."),
            );
        } else if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    if problems.is_empty() { Ok(names) } else { Err(problems) }
}

/// Returns a designer as a file has it: only the name, if that says everything.
fn designer(model: &ModelEntry, temperature: f64) -> Value {
    short(fields(model, &id_of(&model.model_id), temperature))
}

/// Returns a reviewer likewise. If its id is left out, it is that of the first designer with the same model.
fn reviewer(entry: &ReviewerEntry, designers: &[ModelEntry], temperature: f64) -> Value {
    let model = &entry.model;
    let designer = designers.iter().find(|designer| designer.model_id == model.model_id);
    let id = designer.map_or_else(|| id_of(&model.model_id), |designer| designer.id.clone());
    short(fields(model, &id, temperature))
}

/// Returns the fields of a model, whose id would be `usual` and whose temperature would be `temperature` by default.
fn fields(model: &ModelEntry, usual: &str, temperature: f64) -> Map<String, Value> {
    let ModelEntry { id, name, model_id, temperature: own, prompt_template, brief, variant } = model;
    let mut fields = Map::from_iter([("model_id".to_owned(), json!(model_id))]);
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    if id != usual {
        put("id", json!(id));
    }
    if name != model_part(model_id) {
        put("name", json!(name));
    }
    if (own - temperature).abs() > f64::EPSILON {
        put("temperature", schema::number(*own));
    }
    for (key, text) in [("prompt_template", prompt_template), ("brief", brief), ("variant", variant)] {
        if let Some(text) = text {
            put(key, json!(text));
        }
    }
    fields
}

fn short(fields: Map<String, Value>) -> Value {
    match fields.get("model_id") {
        Some(name) if fields.len() == 1 => name.clone(),
        _ => Value::Object(fields),
    }
}

/// Writes the file.
struct Page<'a> {
    layers: &'a Layers<'a>,
    raw: &'a RawConfig,
    models: &'a Models,
    given: &'a StarterInput,
}

impl Page<'_> {
    fn write(&self) -> String {
        let mut out = format!(
            "// Design Lab in this project. Lines that are commented out show the values in use: remove the \
             slashes to change one.\n// To check this file: /design-lab-doctor, or npx opencode-design-lab \
             validate {STARTER_FILE}\n{{\n  \
             \"$schema\": \"https://unpkg.com/opencode-design-lab@{}/schemas/config.json\",\n",
            self.given.package
        );
        self.designers(&mut out);
        self.reviewers(&mut out);
        let raw = self.raw;
        let first = match (self.models, &raw.design_models) {
            (Models::Set { designers, .. }, _) => designers.first().map(|model| &model.model_id),
            (_, Some(models)) => models.first().map(|model| &model.model_id),
            (_, None) => None,
        };
        let topic = raw.topic_generator_model.as_ref().or(first).map_or(PLACEHOLDER, String::as_str);
        self.setting(
            &mut out,
            "topic_generator_model",
            "The model that names the run, in one short call.",
            &json!(topic),
        );
        self.setting(
            &mut out,
            "output_directory",
            "Where runs are stored: a directory in the project, or an absolute path.",
            &json!(raw.output_directory),
        );
        for (key, value, text) in [
            (
                "design_agent_temperature",
                raw.design_agent_temperature,
                "The designers' temperature, 0 to 2; an entry's own `temperature` takes precedence.",
            ),
            ("review_agent_temperature", raw.review_agent_temperature, "The reviewers' temperature."),
        ] {
            self.setting(&mut out, key, text, &schema::number(value));
        }
        self.setting(
            &mut out,
            "scoring_criteria",
            "What reviewers score. A dimension may have `min` and `max` (0 and 10), a `weight` (1), and \
             `anchors` that explain certain scores.",
            &rubric(&raw.scoring_criteria),
        );
        self.setting(
            &mut out,
            "isolation",
            "What designers and reviewers may read: never each other's work. `blocked_patterns` adds globs.",
            &value_of(&raw.isolation),
        );
        self.setting(
            &mut out,
            "concurrency",
            "Concurrent model calls; 1 means one after another.",
            &json!(raw.concurrency),
        );
        self.setting(
            &mut out,
            "local_concurrency",
            "Concurrent calls to a model server on your own machine. Most answer one call at a time.",
            &json!(raw.local_concurrency),
        );
        self.setting(
            &mut out,
            "timeouts",
            "Milliseconds for one call, and for the whole run; null means no limit.",
            &value_of(&raw.timeouts),
        );
        self.setting(
            &mut out,
            "retries",
            "Retries after a temporary failure, and repair prompts after an answer that can't be used.",
            &value_of(&raw.retries),
        );
        self.spending(&mut out);
        self.reviewing(&mut out);
        self.setting(
            &mut out,
            "flow",
            "How `/flow-plan` and `/flow-auto` build: rounds and model calls for a feature, limits for a \
             session, how many small faults are tried and with which tool, when an exam is written (`auto`: \
             by `/flow-auto`; `session`, `feature`, `off`), and how copies of the project's files are \
             prepared for checks.",
            &value_of(&raw.flow),
        );
        self.setting(
            &mut out,
            "seed",
            "The seed of every random choice; null makes one from the task.",
            &json!(raw.seed),
        );
        out.push_str("}\n");
        out
    }

    /// Writes how reviews are made, and whether the designs are mapped.
    fn reviewing(&self, out: &mut String) {
        let raw = self.raw;
        self.setting(
            out,
            "review",
            "Scores, or comparisons of pairs (`pairwise`); how often each reviewer scores, in one turn or \
             two; whether the plain means leave out a model's scores of its own design, or of its vendor's.",
            &value_of(&raw.review),
        );
        self.setting(
            out,
            "decision_map",
            "Whether each run maps what all designs agree on, where they contradict each other, and what only one \
             has: one more call.",
            &json!(raw.decision_map),
        );
    }

    /// Writes what a run may cost, and which vendors may get the project's files.
    fn spending(&self, out: &mut String) {
        let raw = self.raw;
        self.setting(
            out,
            "budget",
            "What a run may cost, checked before every call: US dollars, tokens, and calls; null means no \
             limit. Without any limit, a run that may cost more than `confirm_usd` waits for you before its \
             first call.",
            &value_of(&raw.run_budget()),
        );
        self.setting(
            out,
            "prices",
            "Prices in US dollars per million tokens, by `provider/model`, for models whose price OpenCode \
             doesn't know or gets wrong.",
            &value_of(&raw.prices),
        );
        self.setting(
            out,
            "confirm_vendors",
            "Whether you are asked, once for each project, before its files go to a vendor that your session \
             doesn't use. `false` counts only in \
             your own configuration, in OpenCode's global directory.",
            &value_of(&raw.confirm_vendors),
        );
        self.setting(
            out,
            "brief",
            "Whether designers and reviewers that can't call tools get a digest of the project: file names, \
             and the beginnings of the README and the manifest.",
            &value_of(&raw.brief),
        );
    }

    fn designers(&self, out: &mut String) {
        match self.models {
            Models::Elsewhere => {
                explain(out, &format!("The designers: at least two. {}", self.elsewhere("design_models")));
                let _ = writeln!(out, "  // \"design_models\": [\"{PLACEHOLDER}\", \"{PLACEHOLDER}\"],");
            }
            Models::Open => {
                explain(
                    out,
                    "The designers: at least two, with names from `opencode models`. While this is \
                     commented out, they are chosen from the connected providers, different vendors first.",
                );
                let _ = writeln!(out, "  // \"design_models\": [\"{PLACEHOLDER}\", \"{PLACEHOLDER}\"],");
            }
            Models::Set { designers, .. } => {
                explain(out, "The designers: at least two.");
                if designers.iter().all(|model| model.brief.is_some()) {
                    explain_further(
                        out,
                        "This model designs several times, each time under another brief. Edit the briefs, \
                         or replace the entries with other models.",
                    );
                }
                out.push_str("  \"design_models\": [\n");
                for model in designers {
                    let value = layout(&designer(model, self.raw.design_agent_temperature), 4);
                    let _ = writeln!(out, "    {value},{}", remark(&[self.price(&model.model_id)]));
                }
                self.others(out, designers);
                out.push_str("  ],\n");
            }
        }
    }

    fn reviewers(&self, out: &mut String) {
        let text = "The reviewers. They don't see which model wrote a design. Without this key, every design \
                    model reviews once. With one reviewer, the ranking is only one opinion.";
        match self.models {
            Models::Set { designers, reviewers: Some(reviewers) } => {
                let temperature = self.raw.review_agent_temperature;
                let list: Value =
                    reviewers.iter().map(|entry| reviewer(entry, designers, temperature)).collect();
                explain(out, text);
                // A single reviewer has no designer's id to use, and a reviewer that doesn't design would be left out.
                let designs = |entry: &ReviewerEntry| {
                    designers.iter().any(|designer| designer.model_id == entry.model.model_id)
                };
                let set = reviewers.len() == 1 || !reviewers.iter().all(designs);
                let lines = format!("\"review_models\": {},", layout(&list, 2));
                put(out, &lines, set);
            }
            _ => {
                explain(out, format!("{text} {}", self.elsewhere("review_models")).trim_end());
                let _ = writeln!(out, "  // \"review_models\": [\"{PLACEHOLDER}\", \"{PLACEHOLDER}\"],");
            }
        }
    }

    /// Lists the connected models that aren't set, the best first.
    fn others(&self, out: &mut String, designers: &[ModelEntry]) {
        let models = self.given.available.iter().flat_map(|available| &available.models);
        let mut others: Vec<&AvailableModel> = models
            .filter(|model| model.is_suitable() && designers.iter().all(|one| one.model_id != model.id()))
            .collect();
        sort_by_key(&mut others, |model| std::cmp::Reverse(model.worth()));
        if others.is_empty() {
            return;
        }
        out.push_str("    // Also connected:\n");
        for model in others.iter().take(MOST_LISTED) {
            let name = if model.name == model.model { "" } else { &model.name };
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            let id = model.id();
            let _ = writeln!(out, "    // {},{}", json!(id), remark(&[name, self.price(&id)]));
        }
        if let Some(more) = others.len().checked_sub(MOST_LISTED).filter(|more| *more > 0) {
            let _ = writeln!(out, "    // … and {more} more: `opencode models` lists them.");
        }
    }

    /// Returns a model's price according to the catalogue; empty if the catalogue has none.
    fn price(&self, id: &str) -> String {
        let model = described(id, self.given.available.as_ref());
        if model.cost_input == 0.0 && model.cost_output == 0.0 {
            return String::new();
        }
        let [input, output] = [model.cost_input, model.cost_output].map(schema::number);
        format!("${input} in, ${output} out per million tokens")
    }

    /// Explains where a setting comes from if another source sets it.
    fn elsewhere(&self, key: &str) -> String {
        if self.layers.merged.get(key).is_none() {
            return String::new();
        }
        let origin = self.layers.origin(&format!("/{key}"));
        match (origin.layer, origin.file) {
            (Layer::Options, Some(file)) => format!("Set in {file}, which takes precedence over this file."),
            (_, Some(file)) => format!("Set in {file}; this file takes precedence."),
            (_, None) => String::new(),
        }
    }

    /// Writes a setting that is commented out, with its value in force.
    fn setting(&self, out: &mut String, key: &str, text: &str, value: &Value) {
        explain(out, format!("{text} {}", self.elsewhere(key)).trim_end());
        put(out, &format!("{}: {},", json!(key), layout(value, 2)), false);
    }
}

/// Returns a comment for the end of a line, made of the parts that aren't empty.
fn remark(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" // {}", parts.join(" · ")) }
}

/// Returns a rubric as short as possible: without the values of dimensions that equal the defaults.
fn rubric(criteria: &ScoringCriteria) -> Value {
    let mut value = value_of(criteria);
    let dimensions = value.get_mut("dimensions").and_then(Value::as_array_mut);
    for dimension in dimensions.into_iter().flatten().filter_map(Value::as_object_mut) {
        let usual = [("min", Dimension::MIN), ("max", Dimension::MAX), ("weight", Dimension::WEIGHT)];
        dimension.retain(|key, value| match usual.iter().find(|(name, _)| name == key) {
            Some((_, usual)) => value.as_f64() != Some(*usual),
            None => key != "anchors" || *value != json!({}),
        });
    }
    value
}

/// Via text, because serialising into a value would add a second copy of every type's code.
fn value_of(section: &impl Serialize) -> Value {
    serde_json::to_string(section).and_then(|text| serde_json::from_str(&text)).unwrap_or_default()
}
