//! Turns the merged value into the effective configuration: models, ids, prompts, and the rules that span keys.

use super::choose::{AvailableModels, choose_models};
use super::code::ConfigCode;
use super::ids::{Ids, id_of};
use super::layers::Layers;
use super::model::{Config, Criteria, ModelEntry, Person, ReviewMode, ReviewerEntry};
use super::raw::{RawConfig, RawEntry};
use super::{Layer, ReferencedFile, output, prices, rubric, template};
use crate::design_lab::ids::ReviewerId;
use crate::design_lab::isolation::Isolation;
use crate::design_lab::isolation::{validate_pattern, validate_tool};
use crate::design_lab::schema::{DocumentKind, HUMAN, quote};
use kernel::problem::Problem;
use kernel::slug::slug;

/// Returns the effective configuration and notes for the user. Problems have pointers into the merged value, and no place
/// yet.
///
/// `whole` is true if every source was valid on its own. If not, design models may be missing only because they were
/// invalid, so none are chosen.
pub(super) fn resolve(
    layers: &Layers<'_>,
    files: &[ReferencedFile],
    available: &AvailableModels,
    whole: bool,
) -> Result<(Config, Vec<String>), Vec<Problem>> {
    // Every source and the merged result conform to the schema, so this can't fail; if it does, the problem is reported.
    let raw: RawConfig = RawConfig::read(layers.merged.clone())
        .map_err(|error| vec![DocumentKind::Config.unreadable(&error)])?;
    let mut resolver = Resolver { layers, files, problems: Vec::new(), notes: Vec::new() };
    let (design_models, chosen_reviewers) = match &raw.design_models {
        Some(models) => (resolver.designers(models, raw.design_agent_temperature), None),
        None if whole => {
            match choose_models(available, raw.design_agent_temperature, raw.review_agent_temperature) {
                Ok(choice) => {
                    resolver.notes.push(choice.sentence);
                    (choice.design_models, Some(choice.review_models))
                }
                Err(problem) => {
                    resolver.problems.push(problem);
                    (Vec::new(), None)
                }
            }
        }
        None => (Vec::new(), None),
    };
    let (review_models, people) = match (&raw.review_models, chosen_reviewers) {
        (Some(models), _) => resolver.reviewers(models, &design_models, raw.review_agent_temperature),
        (None, Some(chosen)) => (chosen, Vec::new()),
        (None, None) => (reviewing(&design_models, raw.review_agent_temperature), Vec::new()),
    };
    resolver.check_reviewers(&review_models, &people, raw.review.mode);
    if let ([only], [], Some(_)) = (&review_models[..], &people[..], &raw.design_models) {
        resolver.notes.push(format!(
            "`{}` is the only reviewer, so the ranking is one opinion. Add a second reviewer.",
            only.model.model_id
        ));
    }
    resolver.problems.extend(rubric::dimension_problems(&raw.scoring_criteria.dimensions));
    resolver.check_output_directory(&raw.output_directory);
    resolver.check_isolation(&raw.isolation);
    resolver.problems.extend(prices::problems(&raw.prices));
    resolver.check_vendors(raw.confirm_vendors);
    if !resolver.problems.is_empty() {
        return Err(resolver.problems);
    }
    let first = design_models.first().map(|model| model.model_id.clone());
    let budget = raw.run_budget();
    let config = Config {
        topic_generator_model: raw.topic_generator_model.or(first).unwrap_or_default(),
        design_models,
        review_models,
        people,
        output_directory: tidy_directory(&raw.output_directory),
        scoring_criteria: raw.scoring_criteria,
        isolation: raw.isolation,
        concurrency: raw.concurrency,
        local_concurrency: raw.local_concurrency,
        timeouts: raw.timeouts,
        retries: raw.retries,
        budget,
        prices: raw.prices,
        review: raw.review,
        decision_map: raw.decision_map,
        until_clear: None,
        seed: raw.seed,
    };
    Ok((config, resolver.notes))
}

struct Resolver<'a> {
    layers: &'a Layers<'a>,
    files: &'a [ReferencedFile],
    problems: Vec<Problem>,
    notes: Vec<String>,
}

impl Resolver<'_> {
    /// A project must not switch off a question that protects the user from it.
    fn check_vendors(&mut self, confirm: bool) {
        if !confirm && self.layers.origin("/confirm_vendors").layer != Layer::Global {
            let problem =
                Problem::new(ConfigCode::VendorsElsewhere, "A project can't switch `confirm_vendors` off.")
                    .at("/confirm_vendors")
                    .found("false")
                    .allowed(
                        "`false` in your own configuration: design-lab.jsonc in OpenCode's global directory",
                    )
                    .next("Move the key there, or remove it: you are asked once for each project.");
            self.problems.push(problem);
        }
    }

    fn designers(&mut self, entries: &[RawEntry], temperature: f64) -> Vec<ModelEntry> {
        let ids = self.ids("/design_models", entries, &[]);
        let designers: Vec<ModelEntry> = entries
            .iter()
            .zip(ids)
            .enumerate()
            .map(|(index, (entry, id))| {
                self.entry(&format!("/design_models/{index}"), entry, id, temperature)
            })
            .collect();
        for (index, model) in designers.iter().enumerate() {
            let same = |other: &ModelEntry| *other == ModelEntry { id: other.id.clone(), ..model.clone() };
            if designers[..index].iter().any(same) {
                self.notes.push(format!(
                    "`{}` occurs twice in `design_models` with the same settings: its designs will differ by \
                     chance alone.",
                    model.model_id
                ));
            }
        }
        designers
    }

    fn reviewers(
        &mut self,
        entries: &[RawEntry],
        designers: &[ModelEntry],
        temperature: f64,
    ) -> (Vec<ReviewerEntry>, Vec<Person>) {
        let ids = self.ids("/review_models", entries, designers);
        let (mut models, mut people) = (Vec::new(), Vec::new());
        for (place, (entry, id)) in entries.iter().zip(ids).enumerate() {
            let pointer = format!("/review_models/{place}");
            if entry.model_id == HUMAN {
                self.check_person(&pointer, entry, &id, designers);
                people.push(Person { id: ReviewerId::new(id), place });
            } else {
                models.push(ReviewerEntry {
                    model: self.entry(&pointer, entry, id, temperature),
                    evaluation_criteria: entry.evaluation_criteria,
                });
            }
        }
        (models, people)
    }

    /// A person reviews only by a form, and can't have the id of a design: in a table of scores, that would make the person
    /// its author.
    fn check_person(&mut self, pointer: &str, entry: &RawEntry, id: &str, designers: &[ModelEntry]) {
        let bare = RawEntry {
            model_id: HUMAN.to_owned(),
            id: entry.id.clone(),
            name: entry.name.clone(),
            ..RawEntry::default()
        };
        if *entry != bare {
            let what = format!("`{id}` is a person, so settings of a model don't apply.");
            self.problems.push(
                Problem::new(ConfigCode::PersonSettings, what)
                    .at(pointer)
                    .found("settings of a model beside \"model_id\": \"human\"")
                    .allowed("`id` or `name` beside \"model_id\": \"human\"")
                    .next("Remove the other keys."),
            );
        }
        if designers.iter().any(|model| model.id == id) {
            let what = format!("A person and a design model have the same id `{id}`.");
            let (allowed, next) = ("an id that no design model has", "Give the person another `id`.");
            self.problems.push(
                Problem::new(ConfigCode::DuplicateId, what)
                    .at(pointer)
                    .found(quote(id))
                    .allowed(allowed)
                    .next(next),
            );
        }
    }

    fn entry(&mut self, pointer: &str, entry: &RawEntry, id: String, temperature: f64) -> ModelEntry {
        let prompt_template = entry.prompt_template.as_ref().and_then(|text| {
            let source = self.layers.source(pointer)?;
            match template::resolve(text, source, self.files) {
                Ok(text) => Some(text),
                Err(problem) => {
                    self.problems.push(problem.at(format!("{pointer}/prompt_template")).found(quote(text)));
                    None
                }
            }
        });
        ModelEntry {
            id,
            name: entry.name.clone().unwrap_or_else(|| model_part(&entry.model_id).to_owned()),
            temperature: entry.temperature.unwrap_or(temperature),
            prompt_template,
            brief: entry.brief.clone(),
            variant: entry.variant.clone(),
            model_id: entry.model_id.clone(),
        }
    }

    /// Returns one id for every entry. Explicit ids are kept; the rest are made from the model's name, and if they collide,
    /// the later ones get `-2`, `-3` and so on. A model that also designs keeps its id as a designer, so that tables are
    /// readable.
    fn ids(&mut self, list: &str, entries: &[RawEntry], designers: &[ModelEntry]) -> Vec<String> {
        let mut ids = Ids::default();
        for (index, entry) in entries.iter().enumerate() {
            let Some(id) = &entry.id else { continue };
            if ids.take(id).is_none() {
                self.problems.push(
                    Problem::new(
                        ConfigCode::DuplicateId,
                        format!("Two entries of `{}` have the same id `{id}`.", list.trim_start_matches('/')),
                    )
                    .at(format!("{list}/{index}/id"))
                    .found(quote(id))
                    .allowed("an id that no other entry of the list has: it names files and agents")
                    .next("Change one of the two, or remove both: ids are then made from the names."),
                );
            }
        }
        let base = |entry: &RawEntry| match designers.iter().find(|model| model.model_id == entry.model_id) {
            Some(designer) => designer.id.clone(),
            None => match entry.name.as_deref().map(|name| slug(name, 60)) {
                Some(id) if entry.model_id == HUMAN && !id.is_empty() => id,
                _ => id_of(&entry.model_id),
            },
        };
        // Names that can be used as they are go first: `x-2` is the model of that name before it is a second `x`.
        let named: Vec<Option<String>> =
            entries.iter().map(|entry| entry.id.clone().or_else(|| ids.take(&base(entry)))).collect();
        named
            .into_iter()
            .zip(entries)
            .map(|(id, entry)| id.unwrap_or_else(|| ids.take_numbered(&base(entry))))
            .collect()
    }

    fn check_reviewers(&mut self, reviewers: &[ReviewerEntry], people: &[Person], mode: ReviewMode) {
        for (index, reviewer) in reviewers.iter().enumerate() {
            let index = Person::among(people, index);
            let Criteria { qualitative, quantitative } = reviewer.evaluation_criteria;
            if !qualitative && !quantitative {
                self.problems.push(
                    Problem::new(
                        ConfigCode::IdleReviewer,
                        format!("The reviewer `{}` has nothing to do.", reviewer.model.id),
                    )
                    .at(format!("/review_models/{index}/evaluation_criteria"))
                    .found("qualitative: false, quantitative: false")
                    .allowed("at least one of `qualitative` and `quantitative`")
                    .next("Set one of them to true, or remove the reviewer."),
                );
            } else if mode == ReviewMode::Pairwise && !(qualitative && quantitative) {
                self.problems.push(
                    Problem::new(
                        ConfigCode::UndividedComparison,
                        "`evaluation_criteria` doesn't apply to pairwise reviews.",
                    )
                    .at(format!("/review_models/{index}/evaluation_criteria"))
                    .found(format!("qualitative: {qualitative}, quantitative: {quantitative}"))
                    .allowed("no `evaluation_criteria`, or both true")
                    .next(
                        "Remove `evaluation_criteria`, or set `review.mode` to \"scores\". To make reasons optional, set \
                         `scoring_criteria.require_justification` to false.",
                    ),
                );
            }
        }
        let scores = reviewers.iter().any(|reviewer| reviewer.evaluation_criteria.quantitative);
        if mode == ReviewMode::Scores && !scores && !reviewers.is_empty() && people.is_empty() {
            self.problems.push(
                Problem::new(ConfigCode::NoScores, "No reviewer gives scores, so nothing could be ranked.")
                    .at("/review_models")
                    .found("quantitative: false in every entry")
                    .allowed("at least one reviewer with `quantitative`: true")
                    .next("Set `evaluation_criteria.quantitative` to true for one reviewer."),
            );
        }
    }

    fn check_output_directory(&mut self, directory: &str) {
        let problem = output::misspelt(directory).map(|why| output::refused(why, directory));
        self.problems.extend(problem);
    }

    fn check_isolation(&mut self, isolation: &Isolation) {
        self.problems.extend(isolation_problems(isolation));
    }
}

/// Returns what designers and reviewers may reach; `None` when the sources are invalid in that.
pub(super) fn isolation(layers: &Layers<'_>) -> Option<Isolation> {
    let raw = RawConfig::read(layers.merged.clone()).ok()?;
    isolation_problems(&raw.isolation).is_empty().then_some(raw.isolation)
}

fn isolation_problems(isolation: &Isolation) -> Vec<Problem> {
    let patterns = isolation.blocked_patterns.iter().enumerate().filter_map(|(index, pattern)| {
        Some(validate_pattern(pattern).err()?.at(format!("/isolation/blocked_patterns/{index}")))
    });
    // Without isolation, no tool can break it.
    let tools: &[String] = if isolation.enforce_design_isolation { &isolation.allowed_tools } else { &[] };
    let tools = tools.iter().enumerate().filter_map(|(index, tool)| {
        Some(validate_tool(tool).err()?.at(format!("/isolation/allowed_tools/{index}")))
    });
    patterns.chain(tools).collect()
}

/// Returns the design models as reviewers, for when no reviewers are set: each model once, for scores and words.
pub(super) fn reviewing(designers: &[ModelEntry], temperature: f64) -> Vec<ReviewerEntry> {
    let same = |a: &ModelEntry, b: &ModelEntry| (&a.model_id, &a.variant) == (&b.model_id, &b.variant);
    designers
        .iter()
        .enumerate()
        .filter(|(index, designer)| !designers[..*index].iter().any(|other| same(other, designer)))
        .map(|(_, designer)| ReviewerEntry {
            model: ModelEntry { temperature, prompt_template: None, brief: None, ..designer.clone() },
            evaluation_criteria: Criteria::default(),
        })
        .collect()
}

/// Returns the model part of `provider/model`.
pub(super) fn model_part(model_id: &str) -> &str {
    model_id.split_once('/').map_or(model_id, |(_, model)| model)
}

/// Returns the directory without `./` in front and slashes at the end, so that one directory has one spelling.
fn tidy_directory(directory: &str) -> String {
    let tidy = directory.trim_start_matches("./").trim_end_matches(['/', '\\']);
    tidy.to_owned()
}
