//! What a journal may contain: its lines are parsed as strictly as a configuration.
//!
//! A checksum only detects a torn line: a run directory may come with a clone or an archive, and anybody can make one. So ids, names
//! and numbers are checked before a line is applied, and every path again before it leaves the core. Reports from hosts aren't refused
//! here but read leniently (`kernel::lenient`), because a line that is already on disk must not end the run.

use super::brief;
use super::job_name::JobName;
use super::parent::Step;
use super::protocol::Decision;
use super::protocol::{EventKind, HumanVerdict, Opening, Presented, Rerank};
use super::state::State;
use crate::design_lab::config::{self, AvailableModels, Layer, ReviewMode, Source};
use crate::design_lab::ids::DesignId;
use crate::design_lab::images;
use design_lab_numerics::sorting::set;
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::protocol::JOURNAL_VERSION;
use serde_json::json;
use std::collections::BTreeSet;

/// The longest id: file systems must be able to hold two in one name.
const ID_LENGTH: usize = 100;
/// More models than any run has.
const MOST_MODELS: usize = 1_000;
/// The maximum number of people in a configuration: each gets a form.
const MOST_PEOPLE: usize = 64;
/// More rounds or versions than any run has.
const MOST_VERSIONS: u32 = 10_000;
/// Every whole number below this has its own 64-bit float.
const SEEDS: u64 = 1 << 53;

/// Checks an event before it is applied; the error is the end of a sentence.
pub(super) fn admit(event: &EventKind, state: Option<&State>) -> Result<(), String> {
    match (event, state) {
        (EventKind::Opened(opening), _) => admit_opening(opening),
        (EventKind::DirectoryClaimed { name } | EventKind::DirectoryTaken { name }, _) => {
            named("a directory", name, NAME_LENGTH)
        }
        (EventKind::Decided(Decision::Reconfigured(change)), Some(state)) => {
            let changed = Opening { config: change.config.clone(), ..state.opening.clone() };
            admit_config(&changed)?;
            let mut ids = BTreeSet::new();
            for id in &change.added {
                let reviews = |config: &config::Config| {
                    config.review_models.iter().any(|entry| *entry.model.id == **id)
                };
                let joins = reviews(&change.config) && !reviews(&state.opening.config) && ids.insert(id);
                require(joins && state.is_ranked(), || {
                    "a reviewer is added twice, by the wrong name, or before the run has a ranking".to_owned()
                })?;
            }
            admit_given(&changed)
        }
        (EventKind::Decided(Decision::Presented(presented)), Some(state)) => {
            admit_presented(presented, &state.opening)?;
            let is_one = state.opening.config.until_clear.is_none()
                || is_comparison_or_form(presented, &state.opening);
            require(is_one, || "something other than a comparison or a form is shown".to_owned())?;
            let is_pair = matches!(JobName::of(&presented.job), Some(JobName::Pair { .. }));
            let is_wanted = state.opening.config.review.compares_close_pairs() && presented.order.len() == 2;
            require(!is_pair || is_wanted, || "a comparison is shown that nobody asked for".to_owned())
        }
        (EventKind::Decided(Decision::Mapped(change)), Some(state)) => {
            admit_config(&Opening { config: change.config.clone(), ..state.opening.clone() })?;
            let same = change.added.is_empty()
                && change.config.design_models == state.opening.config.design_models
                && change.config.review_models == state.opening.config.review_models;
            require(same && state.refuses_map().is_none(), || {
                "the designs are mapped before the run has a ranking, or by another panel".to_owned()
            })
        }
        (EventKind::Decided(Decision::MapDropped), Some(state)) => {
            require(state.is_map_stopped(), || "a map is left out that was not stopped".to_owned())
        }
        (EventKind::Decided(Decision::RubricApproved(rubric)), Some(state)) => {
            if let Some(why) = state.refuses_approval(rubric) {
                return Err(why.to_owned());
            }
            let mut approved = state.opening.clone();
            approved.config.scoring_criteria.dimensions.clone_from(&rubric.dimensions);
            admit_config(&approved)
        }
        (EventKind::Decided(Decision::Reranked(rerank)), Some(state)) => admit_rerank(rerank, state),
        (EventKind::Decided(Decision::TurnedOut(outcome)), Some(state)) => {
            let refusal = state.refuses_outcome(outcome);
            refusal.map_or(Ok(()), |problem| Err(problem.message.trim_end_matches('.').to_owned()))
        }
        (EventKind::Decided(Decision::Sufficed { .. }), Some(state)) => {
            let config = &state.opening.config;
            require(config.until_clear.is_some() || config.review.compares_close_pairs(), || {
                "a run that makes all comparisons stops early".to_owned()
            })
        }
        (EventKind::Decided(Decision::Amended(amendment)), Some(state)) => {
            let refusal = state.refuses(amendment);
            require(state.directory.name.is_some(), || {
                "the designs of the run are changed before the run has started".to_owned()
            })?;
            refusal.map_or(Ok(()), |problem| Err(problem.message.trim_end_matches('.').to_owned()))
        }
        _ => Ok(()),
    }
}

fn named(what: &str, text: &str, most: usize) -> Result<(), String> {
    require(is_name(text, most), || {
        format!("{what} is called {:?}", text.chars().take(NAME_LENGTH).collect::<String>())
    })
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn admit_opening(opening: &Opening) -> Result<(), String> {
    if opening.version != JOURNAL_VERSION {
        // This has its own error code.
        return Ok(());
    }
    let date = opening.date.as_bytes();
    let is_date = date.len() == 10
        && date.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    require(is_date, || "the date of the run is not a date".to_owned())?;
    require(opening.seed < SEEDS, || format!("the seed is {}", opening.seed))?;
    images::admit(&opening.images)?;
    brief::admit(opening)?;
    admit_config(opening)?;
    admit_given(opening)
}

/// Checks models, ids and temperatures by hand, since their texts may be anything, and the other sections like a configuration file.
fn admit_config(opening: &Opening) -> Result<(), String> {
    let config = &opening.config;
    let own = opening.own_files().count();
    let designers: Vec<_> = config.design_models.iter().collect();
    let reviewers: Vec<_> = config.review_models.iter().map(|entry| &entry.model).collect();
    let alone = usize::from(config.people.is_empty());
    // A run that only reviews may have only the user's own designs; any other run is named by a design model.
    let least = usize::from(opening.parent.is_none()).max(2_usize.saturating_sub(own));
    for (what, models, least) in [("design", designers, least), ("review", reviewers, alone)] {
        require((least..=MOST_MODELS).contains(&models.len()), || format!("{} {what} models", models.len()))?;
        let mut ids = BTreeSet::new();
        for model in models {
            named(&format!("a {what} model"), &model.id, ID_LENGTH)?;
            require(ids.insert(&model.id), || format!("two {what} models are called {}", model.id))?;
            require((0.0..=2.0).contains(&model.temperature), || {
                format!("{} has the temperature {}", model.id, model.temperature)
            })?;
        }
    }
    let mut ids = set(config.design_models.iter().map(|model| model.id.as_str()));
    ids.extend(config.review_models.iter().map(|entry| entry.model.id.as_str()));
    ids.extend(opening.own_files().map(|(id, _)| id.as_str()));
    require(config.people.len() <= MOST_PEOPLE, || format!("{} people", config.people.len()))?;
    for person in &config.people {
        named("a person", &person.id, ID_LENGTH)?;
        require(ids.insert(&person.id), || format!("two reviewers are called {}", person.id))?;
    }
    let asked = |criteria: config::Criteria| criteria.qualitative || criteria.quantitative;
    let idle = config.review_models.iter().find(|entry| !asked(entry.evaluation_criteria));
    require(idle.is_none(), || "a reviewer has nothing to do".to_owned())?;
    let sections = json!({
        "design_models": ["a/a", "a/b"],
        "scoring_criteria": config.scoring_criteria,
        "isolation": config.isolation,
        "concurrency": config.concurrency,
        "local_concurrency": config.local_concurrency,
        "decision_map": config.decision_map,
        "timeouts": config.timeouts,
        "retries": config.retries,
        "budget": config.budget,
        "prices": config.prices,
        "review": config.review,
        "seed": config.seed,
    });
    let source =
        Source { origin: Layer::Options, file: "journal.jsonl".to_owned(), text: sections.to_string() };
    match config::load(&[source], &[], &AvailableModels::default()) {
        Ok(_) => Ok(()),
        Err(problems) => Err(problems.first().map_or_else(String::new, |problem| {
            let message = problem.message.trim_end_matches('.');
            let found = problem.found.as_ref().map_or_else(String::new, |found| format!(" ({found})"));
            format!("the configuration of the run is wrong: {message}{found}")
        })),
    }
}

fn admit_given(opening: &Opening) -> Result<(), String> {
    let config = &opening.config;
    let mut own = BTreeSet::new();
    for (id, _) in opening.own_files() {
        named("a design of the user's own", id, ID_LENGTH)?;
        let known = config.design_models.iter().any(|model| *id == *model.id);
        require(!known && own.insert(id), || format!("two designs are called {id}"))?;
    }
    let Some(parent) = &opening.parent else { return Ok(()) };
    let is_designer = |id: &str| config.design_models.iter().any(|model| model.id == id);
    let new = |id: &DesignId| {
        named("a new design", id, ID_LENGTH)?;
        require(is_designer(id), || format!("no designer writes the new design {id}"))
    };
    named("the run on which it is built", &parent.run, NAME_LENGTH)?;
    let mut ids = BTreeSet::new();
    for given in &parent.designs {
        named("an earlier design", &given.id, ID_LENGTH)?;
        named("an earlier design", &given.line, ID_LENGTH)?;
        require(ids.insert(&given.id), || format!("two earlier designs are called {}", given.id))?;
        require(is_designer(&given.id) || given.from.is_some(), || {
            format!("no designer wrote the earlier design {}", given.id)
        })?;
        require(given.version <= MOST_VERSIONS, || format!("version {} of a design", given.version))?;
    }
    match &parent.step {
        Step::Review => Ok(()),
        Step::Merge { id } => new(id),
        Step::Refine { versions, rounds } => {
            require(*rounds <= MOST_VERSIONS, || format!("{rounds} further rounds"))?;
            versions.iter().try_for_each(|(id, from)| {
                new(id)?;
                require(ids.contains(from), || format!("{id} is made from a design that doesn't exist"))
            })
        }
    }
}

fn admit_presented(presented: &Presented, opening: &Opening) -> Result<(), String> {
    let Presented { job, order, labels } = presented;
    if let Some(JobName::Form { person }) = JobName::of(job) {
        named("a person", &person, NAME_LENGTH)?;
    }
    require(order.len() == labels.len(), || "the numbers of designs and labels differ".to_owned())?;
    for id in order {
        require(opening.has_design(id), || "a design is shown that doesn't exist".to_owned())?;
    }
    labels.iter().try_for_each(|label| named("a design that is shown", label.as_str(), NAME_LENGTH))?;
    let (designs, distinct) = (set(order), set(labels));
    require(designs.len() == order.len() && distinct.len() == labels.len(), || {
        "a design is shown twice".to_owned()
    })
}

/// Whether this is a comparison by an existing reviewer, a person's form, or the merging of designs.
fn is_comparison_or_form(presented: &Presented, opening: &Opening) -> bool {
    match JobName::of(&presented.job) {
        Some(JobName::Review { reviewer, .. }) => {
            let mut reviewers = opening.config.review_models.iter();
            presented.order.len() == 2 && reviewers.any(|entry| *entry.model.id == *reviewer)
        }
        other => other.is_some(),
    }
}

fn admit_rerank(rerank: &Rerank, state: &State) -> Result<(), String> {
    let config = &state.opening.config;
    for (dimension, weight) in &rerank.weights {
        require((1e-9..=1e9).contains(weight), || format!("{dimension:?} weighs {weight}"))?;
    }
    let mut people = BTreeSet::new();
    for review in &rerank.humans {
        named("a person", &review.reviewer, NAME_LENGTH)?;
        require(people.insert(&review.reviewer), || format!("{} reviewed twice", review.reviewer))?;
        let mut scored = BTreeSet::new();
        for given in &review.scores {
            require(state.opening.has_design(&given.design), || {
                "a design is scored that doesn't exist".to_owned()
            })?;
            let dimensions = &config.scoring_criteria.dimensions;
            let within = dimensions
                .iter()
                .any(|one| one.name == given.dimension && (one.min..=one.max).contains(&given.score));
            require(within, || format!("{} gives a score that no dimension allows", review.reviewer))?;
            let first = scored.insert((&given.design, &given.dimension));
            require(first, || format!("{} scores a design twice", review.reviewer))?;
        }
        let pairwise = config.review.mode == ReviewMode::Pairwise;
        let other = if pairwise { review.scores.len() } else { review.verdicts.len() };
        require(other == 0, || format!("{} reviews in another mode", review.reviewer))?;
        let mut compared = BTreeSet::new();
        for HumanVerdict { first, second, .. } in &review.verdicts {
            for id in [first, second] {
                require(state.opening.has_design(id), || {
                    "a design is compared that doesn't exist".to_owned()
                })?;
            }
            let once = first != second && compared.insert((first.min(second), first.max(second)));
            require(once, || format!("{} compares a pair twice", review.reviewer))?;
        }
    }
    Ok(())
}
