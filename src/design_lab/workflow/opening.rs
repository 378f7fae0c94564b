//! From the user's arguments and configuration to the first event of a run.

use super::brief;
use super::budget;
use super::candidate::{self, Candidate, NamedFile, WITH};
use super::code::WorkflowCode;
use super::comparison;
use super::protocol::Opening;
use super::protocol::WORKFLOW;
use super::rubric::{self, RUBRIC};
use crate::design_lab::artefacts::Task;
use crate::design_lab::attachments::{self, Attachment, Included};
use crate::design_lab::config::{self, AvailableModels, Config, NewVendors, ReferencedFile, Source};
use crate::design_lab::isolation::{NotedOutputs, wording};
use crate::random;
use crate::shared::Rules;
use crate::shared::prices;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::protocol::{JOURNAL_VERSION, ModelFacts};
use serde::Serialize;

const NEW: &str = "--new";
/// The option that calls no model and only shows what the run would cost.
pub const DRY_RUN: &str = "--dry-run";
/// The option that ends the run once its designs are written.
const REVIEW_LATER: &str = "--review-later";

/// The start of a run, as the shell gathered it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpeningInput {
    /// The package's version.
    pub package: String,
    /// The user's local date, `YYYY-MM-DD`.
    pub date: String,
    /// The arguments of the command: flags, then the task.
    pub text: String,
    /// The attachments of the command: part of the task.
    pub attachments: Vec<Attachment>,
    /// The configuration texts.
    pub sources: Vec<Source>,
    /// The files that these refer to.
    pub files: Vec<ReferencedFile>,
    /// The models of the connected providers.
    pub available: AvailableModels,
    /// Whether a model called the command: the user was then asked for permission.
    #[serde(default)]
    pub permitted: bool,
    /// The output directories of other runs, which are hidden from this one.
    #[serde(default)]
    pub outputs: NotedOutputs,
    /// The project, by each of its absolute paths.
    #[serde(default)]
    pub project: Vec<String>,
    /// The paths of the repository around it, likewise; empty if there is none.
    #[serde(default)]
    pub worktree: Vec<String>,
    /// The project's files that the shell has listed and read for a digest.
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub brief: Option<Attachment>,
}

/// Returns the first event's content, or everything that prevents the run from starting.
pub fn begin(input: &OpeningInput) -> Result<Opening, Vec<Problem>> {
    let (flags, own, text) = flags(&input.text);
    let (new_directory, review_later) = (flags.contains(&NEW), flags.contains(&REVIEW_LATER));
    let drafts_rubric = flags.contains(&RUBRIC);
    let mut problems: Vec<Problem> = flags
        .iter()
        .filter(|flag| ![NEW, DRY_RUN, REVIEW_LATER, RUBRIC].contains(flag))
        .map(|flag| {
            Problem::new(WorkflowCode::UnknownOption, format!("/design-lab has no option `{flag}`."))
                .allowed(
                    "--new, which starts another run of the same task; --rubric, which drafts a rubric for the \
                          task first; --review-later, which ends the run once its designs are written; \
                          --dry-run, which only shows what a run would cost; --with FILE, which adds your own \
                          design",
                )
                .next(
                    "Type /design-lab [--new] [--rubric] [--review-later] [--dry-run] [--with FILE] <task>. \
                       Write `--` before a task that begins with --.",
                )
        })
        .collect();
    if own.iter().any(|own| own.path.is_empty()) {
        problems.push(
            Problem::new(WorkflowCode::MissingValue, format!("{WITH} needs a file after it."))
                .next("Type /design-lab --with docs/draft.md <task>; put a name with spaces in quotes."),
        );
    }
    let task = Task::parse(text).map_err(|problem| problems.push(problem)).ok();
    let mut loaded = config::load(&input.sources, &input.files, &input.available)
        .map_err(|more| problems.extend(more))
        .ok();
    let mut candidates = Vec::new();
    if let Some(loaded) = &mut loaded {
        match candidate::candidates(input, &loaded.config) {
            Ok(own) if own.is_empty() => problems.extend(config::too_few(loaded, &input.sources)),
            Ok(own) => {
                config::design_once(loaded);
                candidate::hide(&mut loaded.config, own.iter().map(|own| &own.from));
                problems.extend(candidate::hides_too_much(&loaded.config));
                candidates = own;
            }
            Err(more) => problems.extend(more),
        }
        problems.extend(comparison::uncountable(&loaded.config, candidates.len()));
        problems.extend(rubric::no_drafter(&loaded.config).filter(|_| drafts_rubric));
        problems.extend(config::check_models(&loaded.config, &input.available));
    }
    let readers = loaded.as_ref().map_or_else(String::new, |loaded| readers(&loaded.config));
    let included = attachments::include(&input.attachments, &readers)
        .map_err(|more| problems.extend(more))
        .unwrap_or_default();
    match (task, loaded) {
        (Some(mut task), Some(config::Loaded { config, mut notes, .. })) if problems.is_empty() => {
            notes.extend(wording(&input.outputs, &config.output_directory));
            let Included { text, images, note } = included;
            task.problem_statement.push_str(&text);
            notes.extend(note);
            notes.extend(candidates.iter().map(Candidate::note));
            let brief = brief::brief(input, &config);
            let seed_of = serde_json::to_string(&task).unwrap_or_default();
            let mut opening = Opening {
                new_directory,
                review_later,
                candidates,
                images,
                drafts_rubric,
                brief,
                ..opening(input, config, task, notes, &seed_of)
            };
            opening.notes.extend(opening.account_of_images());
            opening.notes.extend(opening.account_of_tools());
            Ok(opening)
        }
        _ => Err(problems),
    }
}

/// The opening of a run that builds upon no other. `seed_of` determines the seed if none is configured.
pub(super) fn opening(
    input: &OpeningInput,
    config: Config,
    task: Task,
    notes: Vec<String>,
    seed_of: &str,
) -> Opening {
    let models = facts(&config, &input.available);
    let vendors = new_vendors(&config, &input.available, false);
    Opening {
        version: JOURNAL_VERSION,
        acceptance: Rules::LATEST,
        workflow: WORKFLOW.to_owned(),
        package: input.package.clone(),
        date: input.date.clone(),
        seed: config.seed.unwrap_or_else(|| random::seed(seed_of)),
        models,
        config,
        notes,
        task,
        new_directory: false,
        review_later: false,
        permitted: input.permitted,
        vendors,
        forecast: None,
        parent: None,
        candidates: Vec::new(),
        images: Vec::new(),
        drafts_rubric: false,
        rubric: None,
        brief: None,
    }
}

/// The files named after `--with`.
pub fn own_designs(text: &str) -> Vec<NamedFile> {
    flags(text).1.into_iter().filter(|file| !file.path.is_empty()).collect()
}

/// The leading words that begin with `--`, the files after `--with`, and the rest. A lone `--` ends them.
pub(super) fn flags(text: &str) -> (Vec<&str>, Vec<NamedFile>, &str) {
    let (mut flags, mut own) = (Vec::new(), Vec::new());
    let mut rest = text.trim_start();
    while rest.starts_with("--") {
        if let Some(value) = rest
            .strip_prefix(WITH)
            .filter(|value| value.starts_with(['=', ' ', '\t', '\n']) || value.is_empty())
        {
            let (file, tail) = candidate::named_file(value.strip_prefix('=').unwrap_or(value));
            own.push(file);
            rest = tail;
            continue;
        }
        let (word, tail) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        rest = tail.trim_start();
        if word == "--" {
            break;
        }
        flags.push(word);
    }
    (flags, own, rest)
}

/// The models that receive the task, in words.
fn readers(config: &Config) -> String {
    let (designers, reviewers) = (config.design_models.len(), config.review_models.len());
    let reviewers = match reviewers {
        0 => String::new(),
        1 => " and the reviewer".to_owned(),
        _ => format!(" and the {reviewers} reviewers"),
    };
    let designers =
        if designers == 1 { "The designer".to_owned() } else { format!("The {designers} designers") };
    format!("{designers}{reviewers}")
}

/// The models that a configuration uses: `provider/model`.
pub(super) fn models_of(config: &Config) -> Vec<&String> {
    let designers = config.design_models.iter().map(|model| &model.model_id);
    let reviewers = config.review_models.iter().map(|entry| &entry.model.model_id);
    designers.chain(reviewers).chain([&config.topic_generator_model]).collect()
}

/// The vendors that would get the project's files for the first time under this configuration. `only_reviews`: whether no model is
/// asked for a design.
pub(super) fn new_vendors(
    config: &Config,
    available: &AvailableModels,
    only_reviews: bool,
) -> Option<NewVendors> {
    let designers = config.design_models.iter().filter(|_| !only_reviews);
    let designers: Vec<&String> = designers.map(|model| &model.model_id).collect();
    let reviewers: Vec<&String> = config.review_models.iter().map(|entry| &entry.model.model_id).collect();
    let namer = &config.topic_generator_model;
    let namer = if designers.contains(&namer) || reviewers.contains(&namer) { vec![] } else { vec![namer] };
    NewVendors::among(&[("designer", designers), ("reviewer", reviewers), ("namer", namer)], available)
}

/// Explains why the cap in dollars can't be enforced; `None` when it can, or there is none.
pub(crate) fn void_cap(config: &Config, available: &AvailableModels) -> Option<String> {
    budget::void_cap(config, &facts(config, available))
}

/// The facts of the catalogue and of the user about the models that a configuration uses.
pub(super) fn facts(config: &Config, available: &AvailableModels) -> Vec<ModelFacts> {
    let used = models_of(config);
    prices::facts(&used, &available.prices(&used), &config.prices)
}

/// The same for a run that continues under another configuration; for models that only the original opening uses, the facts known at
/// that time.
pub(super) fn facts_for_all(
    opened: &Opening,
    config: &Config,
    available: &AvailableModels,
) -> Vec<ModelFacts> {
    let mut models = facts(config, available);
    for former in &opened.models {
        if models.iter().all(|known| known.model_id != former.model_id) {
            models.push(ModelFacts { own: None, ..former.clone() });
        }
    }
    models
}
