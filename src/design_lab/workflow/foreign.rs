//! Runs that weren't started on this machine: what continuing one would ask, and the question to the user.
//!
//! The author of such a run's journal controls everything in it: which models are asked, by which prompts, how long, and that nothing
//! is isolated. So such a run is never chosen when no name is given, the user first sees what it would ask and cost, and once it is
//! continued here it stays isolated, with only the tools that every run has.

use super::forecast;
use super::opening::models_of;
use super::protocol::EventKind;
use super::rubric::RUBRIC;
use super::run_index::{Found, ResumeRequest};
use super::state::State;
use crate::design_lab::config::{Config, Isolation};
use crate::shared::trust::TRUST;
use design_lab_numerics::sorting::set;
use kernel::code::RunCode;
use kernel::index::Owner;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::workflow::Workflow as _;
use std::fmt::Write as _;

/// The longest name of a model that providers use, in bytes.
const LONGEST_NAME: usize = 100;

impl Isolation {
    /// Limits sessions to what those of every run may reach.
    pub(super) fn close(&mut self) {
        self.enforce_design_isolation = true;
        self.allowed_tools.clear();
    }
}

/// The latest run that could be continued and was started elsewhere.
pub(super) fn waiting(runs: &[Found]) -> Option<&Found> {
    let at = |run: &&Found| run.summary.as_ref().map_or(0, |summary| summary.at);
    let waits = |run: &&Found| {
        let summary = run.summary.as_ref();
        run.owner == Owner::Nobody
            && summary.is_some_and(|summary| summary.unfinished && summary.origin != Origin::Here)
    };
    runs.iter().filter(waits).max_by_key(at)
}

/// Everything that the user has to know before this event continues the run, as the problem that it hasn't continued yet.
pub(super) fn question(
    mut state: State,
    request: &ResumeRequest,
    event: &EventKind,
    origin: Origin,
) -> Problem {
    let directory = state.directory.name.clone().unwrap_or_default();
    let name = if request.run.is_empty() { &directory } else { &request.run };
    let from = match origin {
        Origin::Unmarked => "was started by an earlier version, or on another machine",
        Origin::Elsewhere | Origin::Here => "was not started on this machine",
    };
    match event {
        EventKind::Decided(decision) => state.decided(decision.clone(), 0, &mut Vec::new()),
        _ => state.resumed(0, &mut Vec::new()),
    }
    Problem::new(RunCode::Elsewhere, format!("{name} {from}. No model has been called yet."))
        .found(wording(&state))
        .next(next(name, request))
}

/// What the run would ask from here on.
fn wording(state: &State) -> String {
    let config = &state.opening.config;
    let rest = forecast::of_rest(state);
    if rest.all_calls() == 0 {
        return "The run has no model calls left to make.".to_owned();
    }
    let models: Vec<&str> = set(models_of(config)).into_iter().map(|name| plain(name)).collect();
    let mut wording =
        format!("{} Models: {}.", rest.sentences(config, &state.opening.models), models.join(", "));
    match own_prompts(config) {
        0 => {}
        1 => wording.push_str(" One of them gets a prompt from the run's own configuration."),
        // Writing to a string can't fail.
        count => drop(write!(wording, " {count} of them get a prompt from the run's own configuration.")),
    }
    wording
}

/// A model's name, if it looks like one: text in a journal may address its reader.
fn plain(name: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:/@+-".contains(&byte);
    if name.len() <= LONGEST_NAME && name.bytes().all(is_plain) {
        name
    } else {
        "a model whose name isn't shown"
    }
}

/// How many models get a prompt that isn't the package's. A model may both design and review, and may do so more than once.
fn own_prompts(config: &Config) -> usize {
    let reviewers = config.review_models.iter().map(|entry| &entry.model);
    let models = config.design_models.iter().chain(reviewers);
    let own = models.filter(|model| model.prompt_template.is_some() || model.brief.is_some());
    set(own.map(|model| &model.model_id)).len()
}

fn next(name: &str, request: &ResumeRequest) -> String {
    let ResumeRequest { add, until, map, close, .. } = request;
    if add.is_some() || until.is_some() || map.is_some() || close.is_some() {
        return format!("/design-lab-review {name} reviews its designs in your own run.");
    }
    let more = match &request.amendment {
        Some(amendment) if amendment.again.is_some() => format!(" --again {}", amendment.design),
        Some(amendment) => format!(" --drop {}", amendment.design),
        None if request.rubric.is_some() => {
            let given = request.rubric.as_ref().map_or("", |given| given.hash.as_str());
            format!(" {RUBRIC} {given}")
        }
        None if request.purpose == super::run_index::Purpose::Retry => " --retry-failed".to_owned(),
        None => String::new(),
    };
    format!(
        "Look at the run first: /design-lab-status {name}. If you trust it, type /design-lab-resume {name} \
         {TRUST}{more}. The run is then isolated, whatever its configuration says, and no additional tool \
         is allowed. To start your own run instead: /design-lab <task>."
    )
}
