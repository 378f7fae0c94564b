//! Chooses models when none are configured, and checks configured models against those that are connected.

use super::code::ConfigCode;
use super::ids::{Ids, id_of};
use super::model::{Config, Criteria, ModelEntry, Person, ReviewerEntry};
use super::resolve::reviewing;
use super::{Layer, Loaded};
use crate::design_lab::schema::quote;
use crate::shared::vendor::vendor;
use design_lab_numerics::sorting::{sort, sort_by_key};
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use kernel::protocol::ModelFacts;
use kernel::slug::slug;
use serde::Serialize;
use std::cmp::Reverse;
use std::net::IpAddr;

/// The most models that are chosen.
const MOST: usize = 3;

/// Tokens that a call must be able to hold: a reviewer reads the task and every design.
const LEAST_CONTEXT: f64 = 32_000.0;

/// Tokens that an answer must be able to hold: a design takes a few thousand.
const LEAST_OUTPUT: f64 = 8_000.0;

/// US dollars per million output tokens above which a model is chosen only if the user names it.
const COSTLY: f64 = 100.0;

/// Words that mark the small sibling of a better model.
const SMALL: [&str; 8] = ["fast", "flash", "haiku", "lite", "mini", "nano", "small", "tiny"];

/// The angles from which one model designs when there is only one.
const BRIEFS: [(&str, &str); 3] = [
    ("system", include_str!("../../../prompts/design-lab/brief-system.md")),
    ("architecture", include_str!("../../../prompts/design-lab/brief-architecture.md")),
    ("api", include_str!("../../../prompts/design-lab/brief-api.md")),
];

/// The start of the message when no models are configured.
const UNCONFIGURED: &str = "No design models are configured";

/// The models of the connected providers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct AvailableModels {
    /// In any order: the choice doesn't depend on it.
    pub models: Vec<AvailableModel>,
    /// The model of the session that runs the command, as `provider/model`, if it is known.
    pub current: Option<String>,
    /// The providers that the user allows to get this project's files; `None` when the user doesn't want to be asked.
    pub agreed: Option<Vec<String>>,
}

impl AvailableModels {
    /// Returns the session's own model, or else the best suitable one, also if the catalogue says that the session's can't call
    /// tools.
    pub(crate) fn usual(&self) -> Option<String> {
        self.current
            .clone()
            .filter(|id| !self.lacks_tools(id))
            .or_else(|| self.candidates(None).max_by_key(|model| model.worth()).map(AvailableModel::id))
    }

    /// Whether the catalogue says that a model can't call tools.
    pub(crate) fn lacks_tools(&self, id: &str) -> bool {
        self.models.iter().any(|model| !model.tool_call && model.id() == id)
    }

    /// Returns the session's own model if it can't call tools, in which case it isn't the usual one.
    pub(crate) fn passed_over(&self) -> Option<&str> {
        self.current.as_deref().filter(|id| self.lacks_tools(id))
    }

    /// Returns the best model of another vendor than this model's, by the same rule as for designers.
    pub(crate) fn of_another_vendor(&self, than: &str) -> Option<String> {
        let others = self.candidates(Some(than)).filter(|model| is_of_another_vendor(&model.id(), than));
        others.max_by_key(|model| model.worth()).map(AvailableModel::id)
    }

    /// The models that may be chosen without being named: suitable ones, of providers that the user has set up. `named` is always one
    /// of them.
    fn candidates(&self, named: Option<&str>) -> impl Iterator<Item = &AvailableModel> {
        self.models.iter().filter(move |model| {
            !model.brought_along && model.is_suitable() || named.is_some_and(|id| id == model.id())
        })
    }

    /// Returns the catalogue's prices of these ids; [`crate::shared::prices`] adds the user's.
    pub(crate) fn prices(&self, ids: &[&String]) -> Vec<ModelFacts> {
        let used = self.models.iter().filter(|model| ids.contains(&&model.id()));
        used.map(|model| ModelFacts {
            model_id: model.id(),
            input_cost: model.cost_input,
            output_cost: model.cost_output,
            images: model.images,
            local: model.is_local(),
            no_tools: !model.tool_call,
            own: None,
        })
        .collect()
    }
}

/// A model of a connected provider, with the catalogue's facts about it.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct AvailableModel {
    /// The provider's id.
    pub provider: String,
    /// The model's id at that provider; may contain slashes.
    pub model: String,
    /// The name that people see.
    pub name: String,
    /// Tokens that fit into one call; 0 if unknown.
    pub context: f64,
    /// The most tokens of one answer; 0 if unknown.
    pub output: f64,
    /// US dollars per million tokens read.
    #[serde(deserialize_with = "kernel::lenient::dollars")]
    pub cost_input: f64,
    /// US dollars per million tokens written.
    #[serde(deserialize_with = "kernel::lenient::dollars")]
    pub cost_output: f64,
    /// Whether it reasons before it answers.
    pub reasoning: bool,
    /// Whether it can call tools.
    pub tool_call: bool,
    /// Whether it accepts a temperature.
    pub temperature: bool,
    /// Whether it accepts images.
    pub images: bool,
    /// `YYYY-MM-DD`, or empty.
    pub release_date: String,
    /// `active`, `alpha`, `beta`, `deprecated`, or empty.
    pub status: String,
    /// Whether its provider comes with the host, and the user has not set it up.
    pub brought_along: bool,
    /// The host name or address of its provider, if the catalogue or the configuration gives one.
    pub host: String,
}

impl AvailableModel {
    /// Whether it runs on this machine: its provider is on loopback, and it has no price, unlike the models of a proxy.
    fn is_local(&self) -> bool {
        self.is_on_loopback() && self.cost_input == 0.0 && self.cost_output == 0.0
    }

    /// Whether its provider is on this machine.
    pub(crate) fn is_on_loopback(&self) -> bool {
        let host = self.host.trim_matches(['[', ']']).to_ascii_lowercase();
        let by_name = host == "localhost" || host.ends_with(".localhost");
        let by_address =
            host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback() || address.is_unspecified());
        by_name || by_address
    }

    /// `provider/model`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    /// Who made it.
    fn vendor(&self) -> String {
        maker(&self.id())
    }

    /// Identifies the same model under any provider and date: `claude-sonnet-4-5-20250929` is `claude-sonnet-4.5`.
    fn line(&self) -> String {
        let name = slug(self.model.rsplit('/').next().unwrap_or(&self.model), 60);
        let mut words: Vec<&str> = name.split('-').collect();
        let number = |word: Option<&&str>, digits: usize| {
            word.is_some_and(|word| word.len() == digits && word.bytes().all(|byte| byte.is_ascii_digit()))
        };
        while words.last().is_some_and(|word| matches!(*word, "latest" | "preview" | "free")) {
            words.pop();
        }
        if number(words.last(), 8) {
            words.pop();
        } else if let [.., year, month, day] = words[..]
            && number(Some(&year), 4)
            && number(Some(&month), 2)
            && number(Some(&day), 2)
        {
            words.truncate(words.len() - 3);
        }
        words.join("-")
    }

    /// Whether it can do the work at a price that surprises no user. Facts that the catalogue doesn't have count in its favour.
    pub(crate) fn is_suitable(&self) -> bool {
        self.tool_call
            && self.status != "deprecated"
            && (self.context == 0.0 || self.context >= LEAST_CONTEXT)
            && (self.output == 0.0 || self.output >= LEAST_OUTPUT)
            && self.cost_output <= COSTLY
    }

    /// A rank by which models are sorted: greater is better. The name decides between equal models, so that the order of the
    /// catalogue doesn't.
    pub(crate) fn worth(&self) -> impl Ord + use<> {
        let small = self.line().split('-').any(|word| SMALL.contains(&word));
        let settled = matches!(self.status.as_str(), "" | "active");
        (!small, self.reasoning, settled, self.release_date.clone(), Reverse(self.id()))
    }
}

/// Whether two models are of different vendors.
fn is_of_another_vendor(model: &str, than: &str) -> bool {
    maker(model) != maker(than)
}

/// The vendor of `provider/model`; if the model's name doesn't show it, the segment before the name.
fn maker(model: &str) -> String {
    let before = model.rsplit('/').nth(1).unwrap_or_default();
    vendor(model).map_or_else(|| before.to_owned(), str::to_owned)
}

/// Models chosen because none are configured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// One to three models; a single one is listed under three briefs.
    pub design_models: Vec<ModelEntry>,
    /// Models of vendors that don't design, then the designers' models, each once and at most three; if there are no such vendors,
    /// all of the designers' models.
    pub review_models: Vec<ReviewerEntry>,
    /// Which were chosen and why, for the user.
    pub sentence: String,
}

/// Chooses at most three models from those that the user has set up: the session's own first, then the most capable of every vendor,
/// then what remains. If there is only one model, it designs three times, under different briefs. Models of further vendors review:
/// no two authors who review one another see the same designs, so their scores hardly tell the designs apart.
pub fn choose_models(
    available: &AvailableModels,
    design_temperature: f64,
    review_temperature: f64,
) -> Result<Choice, Problem> {
    let is_current = |model: &AvailableModel| available.current.as_ref().is_some_and(|id| *id == model.id());
    let mut models: Vec<&AvailableModel> = available.candidates(available.current.as_deref()).collect();
    if models.is_empty() {
        models = available.models.iter().filter(|model| !model.brought_along).collect();
    }
    sort_by_key(&mut models, |model| Reverse((is_current(model), model.worth())));
    let mut picked: Vec<&AvailableModel> = Vec::new();
    add_others(&mut picked, &models, MOST, is_of_new_vendor);
    let of_new_vendors = picked.len();
    add_others(&mut picked, &models, MOST, is_of_new_line);
    let mut with_reviewers = picked.clone();
    add_others(&mut with_reviewers, &models, 2 * MOST, is_of_new_vendor);
    let outsiders = &with_reviewers[picked.len()..];

    let only_one = available.models.len() == 1;
    let sentence = match picked[..] {
        [] => return Err(no_models()),
        [only] => designs_thrice(&only.id(), if only_one { Only::Connected } else { Only::Suitable }),
        _ => {
            let why = if of_new_vendors == picked.len() {
                "one from each vendor"
            } else {
                "different vendors first"
            };
            let names = |models: &[&AvailableModel]| {
                models.iter().map(|model| model.id()).collect::<Vec<_>>().join(", ")
            };
            let designers = names(&picked);
            let reviewers = match outsiders {
                [] => String::new(),
                others => format!(" Reviewers from other vendors: {}.", names(others)),
            };
            format!(
                "{UNCONFIGURED}, so these were chosen from the connected providers \
                 ({why}): {designers}.{reviewers} /design-lab-init writes them into a file that you can change."
            )
        }
    };
    let (design_models, authors) = written(&picked, design_temperature, review_temperature);
    let review_models = panel(outsiders, authors, review_temperature);
    Ok(Choice { design_models, review_models, sentence })
}

/// Adds the first models that differ from those already picked, until there are `most` in total.
fn add_others<'a>(
    picked: &mut Vec<&'a AvailableModel>,
    models: &[&'a AvailableModel],
    most: usize,
    is_new: fn(&AvailableModel, &AvailableModel) -> bool,
) {
    for &model in models {
        let differs = |other: &&AvailableModel| is_of_new_line(model, other) && is_new(model, other);
        if picked.len() < most && picked.iter().all(differs) {
            picked.push(model);
        }
    }
}

fn is_of_new_vendor(model: &AvailableModel, beside: &AvailableModel) -> bool {
    model.vendor() != beside.vendor()
}

fn is_of_new_line(model: &AvailableModel, beside: &AvailableModel) -> bool {
    model.line() != beside.line()
}

/// The outsiders, filled up to three with authors; only the authors if there are no outsiders.
fn panel(outsiders: &[&AvailableModel], authors: Vec<ReviewerEntry>, temperature: f64) -> Vec<ReviewerEntry> {
    if outsiders.is_empty() {
        return authors;
    }
    let outsiders = entries(outsiders, temperature).into_iter();
    let outsiders = outsiders.map(|model| ReviewerEntry { model, evaluation_criteria: Criteria::default() });
    outsiders.chain(authors).take(MOST).collect()
}

/// Why a model is the only one that designs.
#[derive(Clone, Copy)]
enum Only {
    /// No other model is connected.
    Connected,
    /// No other connected model is suitable.
    Suitable,
}

/// The note on a single model that was chosen.
fn designs_thrice(model: &str, only: Only) -> String {
    let is_what = match only {
        Only::Connected => "connected",
        Only::Suitable => "suitable",
    };
    format!(
        "{UNCONFIGURED}, and only {model} is {is_what}. It designs three times, under different briefs (system, \
         architecture, API), and reviews alone: connect a second model for a meaningful ranking."
    )
}

/// Makes a model that was chosen because it is the only one design once, without a brief: it is compared with the user's own design.
pub(crate) fn design_once(loaded: &mut Loaded) {
    let chosen = loaded.origins.get("/design_models").is_none_or(|origin| origin.layer == Layer::Default);
    let models = &mut loaded.config.design_models;
    if !chosen || models.len() < 2 || models.iter().any(|model| model.model_id != models[0].model_id) {
        return;
    }
    models.truncate(1);
    let only = &mut models[0];
    only.id = id_of(&only.model_id);
    only.brief = None;
    let before = [Only::Connected, Only::Suitable].map(|only_one| designs_thrice(&only.model_id, only_one));
    loaded.notes.retain(|note| !before.contains(note));
    loaded.notes.push(format!(
        "{UNCONFIGURED}, and only {} is available. It writes one design beside yours, and reviews: \
         connect a second model for a meaningful ranking.",
        only.model_id
    ));
}

/// Turns these models into designers and reviewers: each designs and reviews, and a single one designs under three briefs.
pub(super) fn written(
    models: &[&AvailableModel],
    design_temperature: f64,
    review_temperature: f64,
) -> (Vec<ModelEntry>, Vec<ReviewerEntry>) {
    let designers = if let [only] = models {
        briefed(only, design_temperature)
    } else {
        entries(models, design_temperature)
    };
    let mut reviewers = reviewing(&designers, review_temperature);
    if let [only] = &mut reviewers[..] {
        only.model.id = id_of(&only.model.model_id);
    }
    (designers, reviewers)
}

fn entries(models: &[&AvailableModel], temperature: f64) -> Vec<ModelEntry> {
    let mut ids = Ids::default();
    let entries = models.iter().map(|model| {
        let id = id_of(&model.id());
        let id = ids.take(&id).unwrap_or_else(|| ids.take_numbered(&id));
        entry(model, id, temperature)
    });
    entries.collect()
}

fn entry(model: &AvailableModel, id: String, temperature: f64) -> ModelEntry {
    ModelEntry {
        id,
        name: if model.name.is_empty() { model.model.clone() } else { model.name.clone() },
        model_id: model.id(),
        temperature,
        prompt_template: None,
        brief: None,
        variant: None,
    }
}

fn briefed(model: &AvailableModel, temperature: f64) -> Vec<ModelEntry> {
    let base = id_of(&model.id());
    BRIEFS
        .iter()
        .map(|(angle, brief)| ModelEntry {
            // On one line, so that a file that contains it stays readable.
            brief: Some(brief.split_whitespace().collect::<Vec<_>>().join(" ")),
            ..entry(model, format!("{base}-{angle}"), temperature)
        })
        .collect()
}

fn no_models() -> Problem {
    Problem::new(ConfigCode::NoModels, "No design models are configured, and no model is connected.")
        .at("/design_models")
        .found("neither `design_models` nor a connected provider")
        .allowed("a list of at least two models, or a connected provider")
        .next("Connect a provider with `opencode auth login`, or name models in .opencode/design-lab.jsonc.")
}

/// Reports every configured model that no connected provider has. Pointers are into the configuration as a file has it.
pub fn check_models(config: &Config, available: &AvailableModels) -> Vec<Problem> {
    let designers = config.design_models.iter().enumerate();
    let reviewers = config.review_models.iter().enumerate();
    let mut used: Vec<(String, &str)> = Vec::new();
    used.extend(
        designers.map(|(index, model)| (format!("/design_models/{index}/model_id"), model.model_id.as_str())),
    );
    used.extend(reviewers.map(|(index, entry)| {
        let place = Person::among(&config.people, index);
        (format!("/review_models/{place}/model_id"), entry.model.model_id.as_str())
    }));
    used.push(("/topic_generator_model".to_owned(), &config.topic_generator_model));

    let mut known: Vec<String> = available.models.iter().map(AvailableModel::id).collect();
    sort(&mut known);
    let first = |index: usize| !used[..index].iter().any(|(_, model)| *model == used[index].1);
    used.iter()
        .enumerate()
        .filter(|(index, (_, model))| !known.iter().any(|id| id == model) && first(*index))
        .map(|(_, (pointer, model))| unknown_model(model, &known, available).at(pointer))
        .collect()
}

fn unknown_model(model: &str, known: &[String], available: &AvailableModels) -> Problem {
    let provider = model.split_once('/').map_or(model, |(provider, _)| provider);
    let mut providers: Vec<&str> = available.models.iter().map(|model| model.provider.as_str()).collect();
    sort(&mut providers);
    providers.dedup();
    let connected = providers.contains(&provider);
    let message = if connected {
        format!("The provider `{provider}` has no model `{model}`.")
    } else {
        format!("The provider `{provider}` of `{model}` isn't connected.")
    };
    // The same model at another provider is a better suggestion than any similar spelling.
    let name = |id: &str| id.rsplit('/').next().map(str::to_ascii_lowercase);
    let elsewhere = known.iter().map(String::as_str).find(|other| name(other) == name(model));
    let near = elsewhere.or_else(|| nearest(model, known.iter().map(String::as_str)));
    let next = match near {
        Some(near) => format!("Did you mean `{near}`? `opencode models` lists what is connected."),
        None if connected => format!("`opencode models {provider}` lists its models."),
        None => {
            "Connect it with `opencode auth login`, or use a model that `opencode models` lists.".to_owned()
        }
    };
    let allowed = if providers.is_empty() {
        "models of connected providers; none is connected".to_owned()
    } else {
        format!("models of the connected providers: {}", providers.join(", "))
    };
    Problem::new(ConfigCode::UnknownModel, message).found(quote(model)).allowed(allowed).next(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_further_vendors_review_what_the_first_three_design() {
        let models = |names: &[&str]| {
            let models = names.iter().map(|name| AvailableModel {
                provider: (*name).to_owned(),
                model: format!("{name}-1"),
                tool_call: true,
                ..AvailableModel::default()
            });
            AvailableModels { models: models.collect(), current: None, agreed: None }
        };
        let chosen = |names: &[&str]| {
            let choice = choose_models(&models(names), 0.7, 0.1).unwrap();
            let designers: Vec<String> = choice.design_models.into_iter().map(|entry| entry.id).collect();
            let reviewers: Vec<String> =
                choice.review_models.into_iter().map(|entry| entry.model.id).collect();
            (designers.join(" "), reviewers.join(" "), choice.sentence)
        };
        let without_sentence = |(designers, reviewers, _): (String, String, String)| [designers, reviewers];
        assert_eq!(without_sentence(chosen(&["ash", "birch", "cedar"])), ["ash-1 birch-1 cedar-1"; 2]);
        let (designers, reviewers, sentence) = chosen(&["ash", "birch", "cedar", "elder"]);
        assert_eq!([designers, reviewers], ["ash-1 birch-1 cedar-1", "elder-1 ash-1 birch-1"]);
        assert!(sentence.contains("Reviewers from other vendors: elder/elder-1."), "{sentence}");
        assert_eq!(
            without_sentence(chosen(&["ash", "birch", "cedar", "elder", "fir", "gorse", "hazel"])),
            ["ash-1 birch-1 cedar-1", "elder-1 fir-1 gorse-1"]
        );
    }

    #[test]
    fn a_provider_that_the_host_brought_along_is_never_chosen_and_only_used_when_named() {
        let model = |provider: &str, name: &str, brought_along| AvailableModel {
            provider: provider.to_owned(),
            model: name.to_owned(),
            tool_call: true,
            brought_along,
            ..AvailableModel::default()
        };
        let zen = [model("zen", "free-1", true), model("zen", "claude-free", true)];
        let chosen = |own: &[AvailableModel], current: Option<&str>| {
            let models = own.iter().chain(&zen).cloned().collect();
            let available = AvailableModels { models, current: current.map(str::to_owned), agreed: None };
            choose_models(&available, 0.7, 0.1).map(|choice| {
                let mut ids: Vec<String> =
                    choice.design_models.into_iter().map(|entry| entry.model_id).collect();
                ids.dedup();
                ids
            })
        };
        let [mine, other] = [model("llamacpp", "mine", false), model("openai", "gpt-5.1", false)];
        assert_eq!(chosen(std::slice::from_ref(&mine), Some("llamacpp/mine")).unwrap(), ["llamacpp/mine"]);
        assert_eq!(
            chosen(&[mine, other], Some("llamacpp/mine")).unwrap(),
            ["llamacpp/mine", "openai/gpt-5.1"]
        );
        assert_eq!(chosen(&[], Some("zen/free-1")).unwrap(), ["zen/free-1"], "the session's own");
        assert_eq!(chosen(&[], None).unwrap_err().code, ConfigCode::NoModels);
    }
}
