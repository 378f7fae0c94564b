//! `/design-lab-doctor`: judges what the shell found out. Each finding that isn't good names its remedy.

mod code;
mod diagnosis;
mod permissions;
mod sidebar;
mod under_way;
mod versions;

pub use code::DoctorCode;
pub use diagnosis::diagnosis;
pub use sidebar::{Sidebar, TuiFile};
pub use under_way::{TrialProgress, under_way};
pub use versions::{HostProgram, Newest, Versions};

use crate::design_lab::config::{
    self, AvailableModel, AvailableModels, Config, Layer, Loaded, ReferencedFile, Source, Timeouts,
    check_models, flow_settings, own_prices,
};
use crate::design_lab::prompts::Role;
use crate::design_lab::schema::place;
use crate::design_lab::workflow::{CallFailure, Found, Owner, Summary, void_cap};
use crate::flow;
use crate::flow::opening::ConfiguredModels;
use crate::opencode::HostAgent;
use crate::opencode::OpenCode;
use crate::opencode::registration;
use crate::shared::disk::{DiskDeed, DiskUser, failure};
use crate::shared::figures::{money, whole};
use crate::validation;
use crate::validation::check;
use crate::validation::settings::ValidationSettings;
use kernel::clock::span;
use kernel::host::Host as _;
use kernel::json::Deserialize;
use kernel::limits::Deadlines;
use kernel::problem::Problem;
use kernel::protocol::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the shell found out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoctorInput {
    /// The versions of Design Lab and of what it runs on.
    pub versions: Versions,
    /// The configuration.
    pub sources: Vec<Source>,
    /// The prompt files that it refers to.
    pub files: Vec<ReferencedFile>,
    /// Configuration files that exist but can't be read.
    pub unreadable: Vec<DiskFailure>,
    /// The connected models; `None` if the host didn't report them.
    pub available: Option<AvailableModels>,
    /// The host's agents, each with the rules that finally apply to it; `None` if the host didn't report them.
    pub agents: Option<Vec<HostAgent>>,
    /// The plugins that OpenCode's terminal interface loads.
    pub sidebar: Sidebar,
    /// The tool that OpenCode searches with.
    pub search: Search,
    /// Where runs are kept.
    pub output: OutputDirectory,
    /// The runs that are kept there.
    pub runs: Vec<Found>,
    /// The models that the user configured for Flow's agents.
    pub flow: ConfiguredModels,
    /// The settings of Validation; `None` if the project has none.
    pub validation: Option<check::Setup>,
    /// A trial call to each model, if the user asked for that.
    pub trials: Option<Vec<Trial>>,
    /// Whether a model runs the command. It may have a shell, so only people see providers' messages about failed calls.
    pub by_model: bool,
}

/// A file operation that failed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiskFailure {
    /// The file, as the user would recognise it.
    pub file: String,
    /// The system's error code: `EACCES`, `ENOSPC`.
    pub code: String,
}

/// The tool that OpenCode's `grep` and `glob` search with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Search {
    /// ripgrep is installed.
    Found {
        /// Whether it skips what an `.ignore` file names.
        honours_ignore: bool,
    },
    /// ripgrep is not installed.
    Missing,
}

/// Where runs are kept.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OutputDirectory {
    /// The directory, as configured.
    pub name: String,
    /// Why nothing can be written there.
    pub failure: Option<DiskFailure>,
    /// Design Lab's ignore files that were left there although no run is running: `.ignore`, `.rgignore`.
    pub ignore_files_left: Vec<String>,
    /// Runs whose directory holds the lock of a process that no longer exists.
    pub stale_locks: Vec<String>,
    /// Where it is.
    pub place: config::OutputPlace,
}

/// A call that the shell makes to a model, to see whether it answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrialCall {
    /// The model's role in a run, which decides the agent and with it the tools that are offered.
    pub role: Role,
    /// `provider/model`.
    pub model: String,
    /// The provider's variant.
    pub variant: Option<String>,
    /// Whether no tools are sent, as in a run.
    pub no_tools: bool,
    /// The number of requests that the call may make.
    pub steps: u32,
    /// The temperature to use.
    pub temperature: f64,
    /// The system text.
    pub system: String,
    /// The prompt.
    pub text: String,
    /// Milliseconds that the call may take in all.
    #[cfg_attr(test, ts(type = "number"))]
    pub deadline_ms: u64,
    /// Milliseconds that the call may wait without any output.
    #[cfg_attr(test, ts(type = "number"))]
    pub idle_ms: u64,
}

/// The outcome of a [`TrialCall`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trial {
    /// `provider/model`.
    pub model: String,
    /// The provider's variant.
    pub variant: Option<String>,
    /// Whether no tools were sent.
    pub no_tools: bool,
    /// What it wrote; `None` when the call failed.
    pub text: Option<String>,
    /// Why the call failed.
    pub failure: Option<CallFailure>,
    /// US dollars.
    pub cost: f64,
    /// How long it took.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
    /// The number of tokens that it wrote.
    #[cfg_attr(test, ts(type = "number"))]
    pub written: u64,
    /// Milliseconds in which they arrived.
    #[cfg_attr(test, ts(type = "number"))]
    pub writing_ms: u64,
}

/// The judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// The findings by area, in the order in which people read them.
    pub findings: Vec<(Area, Finding)>,
    /// Whether models were called.
    pub called: bool,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The versions of Design Lab and of what it runs on.
    Versions,
    /// Configuration files.
    Configuration,
    /// Models, and the providers that they need.
    Models,
    /// What agents may do.
    Agents,
    /// Whether the sidebar next to the chat can show a run.
    Sidebar,
    /// The search tool.
    Search,
    /// The output directory and the runs in it.
    Output,
    /// The settings of Validation, and what it needs on this machine.
    Validation,
    /// Calls made on request.
    Calls,
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// All is well.
    Good(String),
    /// Worth knowing, but a run works anyway.
    Hint(Problem),
    /// A run fails because of this, or doesn't work as it should.
    Fault(Problem),
}

/// The package, and the id of both its plugins.
const NAME: &str = "opencode-design-lab";

/// The number of tokens below which a context is reported as small.
const LITTLE_CONTEXT: f64 = 32_000.0;

/// Requests that a trial may make: the model doesn't have to look anything up.
const TRIAL_STEPS: u32 = 3;

/// The shortest writing time for which a speed is reported, in milliseconds.
const LEAST_TIME: u64 = 500;

/// Returns one call for each model and variant that a run would use, with the tools that the run would send.
pub fn trial_calls(config: &Config, available: &AvailableModels) -> Vec<TrialCall> {
    let mut calls: Vec<TrialCall> = Vec::new();
    // Designers get the project's instructions. Reviewers don't, and have the same tools, so trials use their role: nothing of
    // the project is sent to any provider.
    let configured = (config.design_models.iter())
        .chain(config.review_models.iter().map(|entry| &entry.model))
        .map(|model| (Role::Reviewer, &model.model_id, &model.variant, model.temperature));
    let lacks_tools = |id: &str| available.models.iter().any(|model| model.id() == id && !model.tool_call);
    let topic = (Role::Topic, &config.topic_generator_model, &None, 0.0);
    for (role, model, variant, temperature) in configured.chain([topic]) {
        let known =
            |call: &TrialCall| call.model == *model && (call.variant == *variant || variant.is_none());
        if !calls.iter().any(known) {
            calls.push(TrialCall {
                role,
                no_tools: lacks_tools(model),
                steps: TRIAL_STEPS,
                model: model.clone(),
                variant: variant.clone(),
                temperature,
                system: "You answer with one line.".to_owned(),
                // Long enough to measure how fast it writes.
                text: "Write the numbers from 1 to 40 in one line, with a space between them.".to_owned(),
                deadline_ms: config.timeouts.call_ms,
                idle_ms: config.timeouts.idle_ms,
            });
        }
    }
    calls
}

/// Judges everything that was found.
pub fn diagnose(found: &DoctorInput) -> Diagnosis {
    let offline = AvailableModels::default();
    let available = found.available.as_ref().unwrap_or(&offline);
    let loaded = config::load(&found.sources, &found.files, available);
    let mut findings = Vec::new();
    let mut add = |area, of: Vec<Finding>| findings.extend(of.into_iter().map(|finding| (area, finding)));
    add(Area::Versions, versions::judge(&found.versions));
    add(Area::Configuration, configuration(found, &loaded));
    add(Area::Models, loaded.as_ref().map_or_else(|_| Vec::new(), |loaded| models(found, loaded)));
    add(Area::Agents, agents(found, loaded.as_ref().ok()));
    add(
        Area::Sidebar,
        if found.versions.is_second_host() {
            vec![Finding::Good("The sidebar comes with the plugin.".to_owned())]
        } else {
            sidebar::judge(&found.sidebar)
        },
    );
    add(Area::Search, vec![search(&found.search)]);
    add(Area::Output, output(&found.sources, &found.output));
    add(Area::Output, runs(&found.runs));
    add(Area::Validation, found.validation.as_ref().map_or_else(Vec::new, |setup| validation(found, setup)));
    let timeouts = loaded.as_ref().map_or_else(|_| Timeouts::default(), |loaded| loaded.config.timeouts);
    let judge = |call| trial(call, timeouts.of_calls(), found.by_model);
    add(Area::Calls, found.trials.iter().flatten().map(judge).collect());
    Diagnosis { findings, called: found.trials.is_some() }
}

fn hint(code: DoctorCode, message: impl Into<String>, next: impl Into<String>) -> Finding {
    Finding::Hint(Problem::new(code, message).next(next))
}

fn fault(code: DoctorCode, message: impl Into<String>, next: impl Into<String>) -> Finding {
    Finding::Fault(Problem::new(code, message).next(next))
}

fn configuration(found: &DoctorInput, loaded: &Result<Loaded, Vec<Problem>>) -> Vec<Finding> {
    let unreadable = found.unreadable.iter().map(|there| {
        if matches!(&*there.code, "NOT_A_FILE" | "TOO_LARGE") {
            return Finding::Fault(failure(&there.file, &there.code, DiskDeed::Read, DiskUser::DesignLab));
        }
        let mut problem = Problem::new(
            DoctorCode::Unreadable,
            format!("A configuration file can't be read ({}).", there.code),
        )
        .next("Change its permissions, or move it away.");
        problem.file = Some(there.file.clone());
        Finding::Fault(problem)
    });
    let mut findings: Vec<Finding> = unreadable.collect();
    match loaded {
        Err(problems) => findings.extend(problems.iter().cloned().map(Finding::Fault)),
        Ok(loaded) => {
            let files: Vec<&str> = found.sources.iter().map(|source| source.file.as_str()).collect();
            findings.push(Finding::Good(if files.is_empty() {
                "No configuration, so the defaults apply. /design-lab-init writes them into a file."
                    .to_owned()
            } else {
                format!("Valid: {}", files.join(", "))
            }));
            findings.extend(config::too_few(loaded, &found.sources).map(Finding::Fault));
            findings.extend(origins(loaded));
            findings.extend(loaded.notes.iter().enumerate().map(|(index, note)| {
                if index == 0 && is_chosen(loaded) {
                    Finding::Good(note.clone())
                } else {
                    hint(DoctorCode::Note, note.clone(), "If this is what you want, ignore this hint.")
                }
            }));
        }
    }
    findings
}

/// Reports which settings come from which source; all others have their defaults.
fn origins(loaded: &Loaded) -> Vec<Finding> {
    let mut by_file: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (pointer, origin) in &loaded.origins {
        if let Some(file) = &origin.file {
            let setting = place(pointer);
            let setting = setting.trim_matches('`');
            let line = origin.line.map_or_else(String::new, |line| format!(" (line {line})"));
            by_file.entry(file).or_default().push(format!("{setting}{line}"));
        }
    }
    let sentence = |(file, settings): (&str, Vec<String>)| {
        Finding::Good(format!("{} from {file}; everything else has its default.", settings.join(", ")))
    };
    by_file.into_iter().map(sentence).collect()
}

/// Whether the models were chosen because none are configured.
fn is_chosen(loaded: &Loaded) -> bool {
    loaded.origins.get("/design_models").is_some_and(|origin| origin.layer == Layer::Default)
}

fn models(found: &DoctorInput, loaded: &Loaded) -> Vec<Finding> {
    let Some(available) = &found.available else {
        return vec![hint(
            DoctorCode::ModelsUnknown,
            "OpenCode didn't say which models are connected.",
            "`opencode models` lists them; try again.",
        )];
    };
    let used: Vec<String> = trial_calls(&loaded.config, available).into_iter().fold(
        Vec::new(),
        |mut names, TrialCall { model, .. }| {
            if !names.contains(&model) {
                names.push(model);
            }
            names
        },
    );
    let unknown = check_models(&loaded.config, available);
    let mut findings = Vec::new();
    if unknown.is_empty() {
        findings.push(Finding::Good(format!("Connected: {}", used.join(", "))));
    }
    findings.extend(unknown.into_iter().map(Finding::Fault));
    findings.extend(void_cap(&loaded.config, available).map(unpriced));
    let of_flow = flow_settings(&found.sources).ok();
    let of_flow = of_flow.and_then(|settings| flow::opening::void_cap(&settings, &found.flow, available));
    findings.extend(of_flow.map(unpriced));
    let described = used.iter().filter_map(|name| available.models.iter().find(|model| model.id() == *name));
    findings.extend(described.flat_map(weaknesses));
    findings
}

/// A limit in dollars that can't be enforced.
fn unpriced(why: String) -> Finding {
    hint(
        DoctorCode::Unpriced,
        why,
        "Set the prices of these models in `prices`. For a subscription, write 0.",
    )
}

/// The weaknesses that the catalogue shows for a model.
fn weaknesses(model: &AvailableModel) -> Vec<Finding> {
    let id = model.id();
    let mut findings = Vec::new();
    if model.status == "deprecated" {
        findings.push(hint(
            DoctorCode::Deprecated,
            format!("`{id}` is deprecated by its provider."),
            "Choose its successor before the provider removes it.",
        ));
    }
    if model.context > 0.0 && model.context < LITTLE_CONTEXT {
        findings.push(hint(
            DoctorCode::SmallContext,
            format!(
                "`{id}` has a context of only {} tokens, and a reviewer reads the task and every design.",
                whole(model.context)
            ),
            "Use it only as a designer, or choose a model with a larger context.",
        ));
    }
    if !model.tool_call {
        findings.push(hint(
            DoctorCode::NoTools,
            format!("`{id}` can't call tools, so it doesn't see the project."),
            "Put everything it needs to know into the task, or choose another model.",
        ));
    }
    findings
}

fn agents(found: &DoctorInput, loaded: Option<&Loaded>) -> Vec<Finding> {
    let Some(agents) = &found.agents else {
        return vec![hint(
            DoctorCode::AgentsUnknown,
            "OpenCode didn't list its agents.",
            "Restart OpenCode and try again.",
        )];
    };
    // Agents of automatically chosen models are never registered, because the choice may change from run to run.
    let config = loaded.filter(|loaded| !is_chosen(loaded)).map(|loaded| &loaded.config);
    let isolation = loaded.map_or_else(config::Isolation::default, |loaded| loaded.config.isolation.clone());
    let expected = registration::agents(config, &isolation);
    let tools = loaded.map_or_else(Vec::new, |loaded| loaded.config.isolation.allowed_tools.clone());
    permissions::judge(&expected, agents, loaded.map(|_| tools.as_slice()))
}

fn search(search: &Search) -> Finding {
    match search {
        Search::Found { honours_ignore: true } => {
            Finding::Good("ripgrep is installed and honours `.ignore` files.".to_owned())
        }
        Search::Found { honours_ignore: false } => fault(
            DoctorCode::IgnoreUnheeded,
            "ripgrep ignores `.ignore` files, which hide other designs from searches during a run.",
            "Check which `rg` comes first on PATH: a wrapper may add `--no-ignore`, and a very old version \
             needs an update.",
        ),
        Search::Missing => hint(
            DoctorCode::NoRipgrep,
            "ripgrep (`rg`) is not installed: OpenCode downloads it from GitHub at its first search, so \
             without a network designers can't search.",
            "Install ripgrep with your system's package manager.",
        ),
    }
}

fn output(sources: &[Source], output: &OutputDirectory) -> Vec<Finding> {
    let name = &output.name;
    if let Some(problem) = config::check_output(sources, &output.place) {
        return vec![Finding::Fault(problem)];
    }
    let mut findings = Vec::new();
    match &output.failure {
        None => findings.push(Finding::Good(format!("{name} is writable."))),
        Some(DiskFailure { file, code }) => {
            findings.push(Finding::Fault(failure(file, code, DiskDeed::Write, DiskUser::DesignLab)));
        }
    }
    let left: Vec<String> = output.ignore_files_left.iter().map(|file| format!("{name}/{file}")).collect();
    if !left.is_empty() {
        let left = left.join(" and ");
        findings.push(hint(
            DoctorCode::IgnoreLeft,
            format!("A run that was killed left {left} behind, so your own searches find nothing there."),
            format!("Delete {left}, or let the next run do so."),
        ));
    }
    for run in &output.stale_locks {
        findings.push(hint(
            DoctorCode::StaleLock,
            format!("{run} is locked by a process that no longer exists."),
            format!("You don't have to do anything: /design-lab-resume {run} takes the run over."),
        ));
    }
    findings
}

fn runs(runs: &[Found]) -> Vec<Finding> {
    let broken = runs.iter().filter_map(|run| {
        let mut problem = run.problem.clone()?;
        problem.file.get_or_insert_with(|| format!("{}/journal.jsonl", run.name));
        Some(Finding::Fault(problem))
    });
    let waits = |run: &&Found| {
        // Runs whose designs wait for a review, or for people's forms, are as the user wanted them.
        let is_left = |summary: &Summary| matches!(summary.outcome, Some(Outcome::Paused | Outcome::Pending));
        let is_unfinished =
            |summary: &Summary| summary.unfinished && !summary.is_called_off() && !is_left(summary);
        run.owner == Owner::Nobody && run.summary.as_ref().is_some_and(is_unfinished)
    };
    let unfinished: Vec<&str> = runs.iter().filter(waits).map(|run| run.name.as_str()).collect();
    let mut findings: Vec<Finding> = broken.collect();
    if let [first, ..] = unfinished[..] {
        let what = if unfinished.len() == 1 { "A run is unfinished" } else { "Runs are unfinished" };
        findings.push(hint(
            DoctorCode::Unfinished,
            format!("{what}: {}.", unfinished.join(", ")),
            format!("/design-lab-resume {first} requests only the missing answers."),
        ));
    }
    findings
}

fn validation(found: &DoctorInput, setup: &check::Setup) -> Vec<Finding> {
    let checked = check::check(setup);
    let mut findings = match checked.settings {
        Ok(settings) => {
            let mut findings = vec![Finding::Good(check::understood(&settings, setup))];
            findings.extend(void_cap_of_validation(found, settings).map(unpriced));
            findings
        }
        Err(problems) => problems.into_iter().map(Finding::Fault).collect(),
    };
    findings.extend(checked.missing.map(Finding::Fault));
    findings.extend(setup.left.iter().map(validation::left::problem).map(Finding::Fault));
    findings
}

/// Returns `None` when the prices of models aren't known.
fn void_cap_of_validation(found: &DoctorInput, settings: ValidationSettings) -> Option<String> {
    let prices = own_prices(&found.sources).ok()?;
    validation::opening::void_cap(&ValidationSettings { prices, ..settings }, found.available.as_ref()?)
}

fn trial(trial: &Trial, deadlines: Deadlines, by_model: bool) -> Finding {
    let name = match &trial.variant {
        Some(variant) => format!("{} ({variant})", trial.model),
        None => trial.model.clone(),
    };
    let (time, cost) = (span(trial.duration_ms), money(trial.cost));
    match (&trial.failure, &trial.text) {
        (Some(failure), _) => {
            let next = match (&*failure.name, failure.status) {
                ("ProviderAuthError", _) | (_, Some(401 | 403)) => {
                    "Run `opencode auth login` and enter a valid key for this provider."
                }
                (_, Some(402)) => "Top up the account at its provider.",
                (_, Some(404)) => "`opencode models` lists the models; the provider may have renamed it.",
                (_, Some(400)) if !trial.no_tools => {
                    "If its server refuses tools, set \"tool_call\": false for this model in opencode.json: \
                     then no tools are sent."
                }
                (_, Some(429)) => "Wait until the provider's limit resets, or lower `concurrency`.",
                _ => "Try again; if it still fails, choose another model.",
            };
            let reason = OpenCode::reason(failure, deadlines, "give it a larger context on its server");
            let wording = if by_model { reason.in_own_words() } else { reason.wording() };
            fault(DoctorCode::CallFailed, format!("{name}: {wording}."), next)
        }
        (None, Some(text)) if !text.trim().is_empty() => {
            Finding::Good(format!("{name} answered in {time} for {cost}{}.", speed(trial)))
        }
        (None, _) => hint(
            DoctorCode::EmptyAnswer,
            format!("{name} returned an empty answer in {time} for {cost}."),
            "Try again; a model that reasons at length may need another variant.",
        ),
    }
}

/// How fast a model wrote; empty if it wrote for too short a time.
fn speed(trial: &Trial) -> String {
    let per_second = (trial.written.saturating_mul(1_000)).checked_div(trial.writing_ms);
    let speed = per_second.filter(|speed| trial.writing_ms >= LEAST_TIME && *speed > 0);
    speed.map_or_else(String::new, |speed| format!(", at {speed} tokens/s"))
}
