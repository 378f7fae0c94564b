//! The runs of an output directory: what each is, which process continues it, and which one a name refers to.

use crate::code::RunCode;
use crate::json::Deserialize;
use crate::nearest::nearest;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::protocol::Outcome;
use crate::tokens::Tokens;
use serde::Serialize;

/// The commands of a workflow, as users type them.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    /// Starts a run.
    pub begin: &'static str,
    /// Stops one.
    pub cancel: &'static str,
    /// Continues one.
    pub resume: &'static str,
    /// Shows one, or lists all.
    pub status: &'static str,
}

/// A run in a few facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Summary<S> {
    /// The name of its directory below the output directory; `None` before it is claimed.
    pub directory: Option<String>,
    /// The beginning of the task.
    pub task: String,
    /// How it ended; `None` if it was in progress when its journal was last written.
    pub outcome: Option<Outcome>,
    /// Whether resuming would make any calls.
    pub unfinished: bool,
    /// Whether anything failed that can be asked again.
    #[serde(default)]
    pub failed: bool,
    /// The moment of the last event: milliseconds since 1970-01-01 UTC.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub at: u64,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: Tokens,
    /// The same for runs with the same day, task and configuration.
    #[serde(default)]
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub likeness: u64,
    /// Where it comes from.
    #[serde(default)]
    pub origin: Origin,
    /// What the workflow adds.
    #[serde(flatten)]
    pub own: S,
}

impl<S> Summary<S> {
    /// Whether the user cancelled it before any model answered: it has neither a name nor anything that could be completed.
    pub fn is_called_off(&self) -> bool {
        self.outcome == Some(Outcome::Cancelled) && self.directory.is_none() && self.tokens.total() == 0
    }
}

/// A directory with a journal, as the shell found it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Found<S> {
    /// Below the output directory.
    pub name: String,
    /// The summary from its journal; `None` when that can't be read.
    pub summary: Option<Summary<S>>,
    /// Why its journal can't be read.
    pub problem: Option<Problem>,
    /// The process that it is running in at this moment.
    pub owner: Owner,
}

/// The process that a run is running in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Owner {
    /// None.
    Nobody,
    /// A process that may still be running.
    Process {
        /// In words: `process 4711`, `process 4711 on build-2`.
        name: String,
        /// Whether it is the current process.
        here: bool,
    },
}

/// The runs among the directories found: one without a whole line is about to start, or never did.
pub fn begun<S>(found: Vec<Found<S>>) -> Vec<Found<S>> {
    let begun =
        |run: &Found<S>| run.problem.as_ref().is_none_or(|problem| problem.code != RunCode::JournalEmpty);
    found.into_iter().filter(begun).collect()
}

/// The reply of a stop command when nothing is running.
pub const NOTHING_RUNS: &str = "Nothing is running, so nothing was stopped.";

impl Verbs {
    /// The only run that is running: which one to stop is never guessed.
    pub fn the_running_one<'a, S>(&self, runs: &'a [Found<S>]) -> Result<&'a Found<S>, Problem> {
        let running: Vec<&Found<S>> = runs.iter().filter(|run| run.owner != Owner::Nobody).collect();
        match running[..] {
            [run] => Ok(run),
            [] => Err(self.none_running("No run is running.".to_owned())),
            _ => Err(Problem::new(RunCode::Ambiguous, "Several runs are running in other processes.")
                .allowed(names(&running))
                .next(format!("Name the run to stop: {} <run>.", self.cancel))),
        }
    }

    /// The problem that there is nothing to stop.
    pub fn none_running(&self, message: String) -> Problem {
        Problem::new(RunCode::NoneRunning, message).next(format!("{} lists the runs.", self.status))
    }

    /// The run with that name, or whose name alone contains it.
    pub fn named<'a, S>(&self, name: &str, runs: &'a [Found<S>]) -> Result<&'a Found<S>, Problem> {
        if let Some(run) = runs.iter().find(|run| run.name == name) {
            return Ok(run);
        }
        let matching: Vec<&Found<S>> = runs.iter().filter(|run| run.name.contains(name)).collect();
        match by_its_end(name, matching, |run| &run.name)[..] {
            [run] => Ok(run),
            [] => {
                let problem = Problem::new(RunCode::Unknown, format!("There is no run {name}."))
                    .next(format!("{} lists the runs.", self.status));
                Err(match nearest(name, runs.iter().map(|run| run.name.as_str())) {
                    Some(near) => problem.allowed(near),
                    None => problem,
                })
            }
            ref several => Err(Problem::new(RunCode::Ambiguous, format!("Several runs match {name}."))
                .allowed(names(several))
                .next("Type more of the name.")),
        }
    }

    /// Whether this process may continue a run.
    pub fn may_be_taken<S>(&self, run: &Found<S>) -> Result<(), Problem> {
        match (&run.problem, &run.owner) {
            (Some(problem), _) => Err(problem.clone()),
            (None, Owner::Process { name, .. }) => Err(self.locked(&run.name, name)),
            (None, Owner::Nobody) => Ok(()),
        }
    }

    /// The problem that another process is writing to the run's directory.
    pub fn locked(&self, run: &str, process: &str) -> Problem {
        let Self { cancel, status, .. } = self;
        Problem::new(RunCode::Locked, format!("{run} is running in {process}.")).next(format!(
            "{status} {run} shows the run. You can resume it here once that process has ended, or once \
             {cancel} {run} has stopped the run. If the process ended on another machine or in a container, \
             delete `run.lock` in the run's directory."
        ))
    }

    /// The problem that a process was asked to stop a run and has not done so.
    pub fn not_stopped(&self, run: &str, process: &str) -> Problem {
        let Self { resume, status, .. } = self;
        Problem::new(
            RunCode::NotStopped,
            format!("{process} was asked to stop {run}, but is still running it."),
        )
        .next(format!(
            "The process may be busy or suspended, and stops the run when it sees the request. Check with \
             {status} {run}. If it doesn't stop, end that process, then use {resume} {run}."
        ))
    }
}

fn names<S>(runs: &[&Found<S>]) -> String {
    runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Of all whose names contain `name`, the one whose name ends with it, if there is only one: `codes-6` isn't `codes-6-reviewed`.
pub fn by_its_end<'a, T>(name: &str, matching: Vec<&'a T>, name_of: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let mut ending = matching.iter().copied().filter(|one| !name.is_empty() && name_of(one).ends_with(name));
    match (ending.next(), ending.next()) {
        (Some(one), None) => vec![one],
        _ => matching,
    }
}
