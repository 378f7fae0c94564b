//! Which of the stored runs the user means.

use super::run::{RunFacts, VERBS, no_run};
use super::status::Status;
use kernel::problem::Problem;

/// A run as the shell found it.
pub type Found = kernel::index::Found<RunFacts>;

/// `/validate-status [run]`: the run that is shown, the latest where none is named.
pub fn to_show(text: &str, stored: &[Found]) -> Result<String, Problem> {
    named(text, stored, |_| true)
}

/// `/validate-decide`: the latest run that waits for a decision; else the latest, which says that it doesn't.
pub fn to_decide(stored: &[Found]) -> Result<String, Problem> {
    named("", stored, |run| status(run) == Some(Status::AwaitingDecision))
}

/// `/validate-resume [run]`: the run that is gone on with, the latest that can be where none is named.
pub fn to_resume(text: &str, stored: &[Found]) -> Result<String, Problem> {
    let name = named(text, stored, |run| run.summary.as_ref().is_some_and(|summary| summary.unfinished))?;
    let run = stored.iter().find(|run| run.name == name).ok_or_else(no_run)?;
    VERBS.may_be_taken(run)?;
    Ok(name)
}

fn status(run: &Found) -> Option<Status> {
    run.summary.as_ref().map(|summary| summary.own.status)
}

/// The run of that name; where none is typed the latest for which this holds, or the latest of all.
fn named(text: &str, stored: &[Found], is_meant: impl Fn(&Found) -> bool) -> Result<String, Problem> {
    let text = text.trim();
    if !text.is_empty() {
        return VERBS.named(text, stored).map(|run| run.name.clone());
    }
    // Names begin with the moment; what has none of its own yet was left by a process that died before it began.
    let is_named = |run: &&Found| run.summary.as_ref().is_none_or(|summary| summary.directory.is_some());
    let runs = || stored.iter().filter(is_named);
    let latest = runs().filter(|run| is_meant(run)).map(|run| &run.name).max();
    latest.or_else(|| runs().map(|run| &run.name).max()).cloned().ok_or_else(no_run)
}
