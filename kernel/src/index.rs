//! The runs of an output directory: what each is, who carries it, and which one a name means.

use crate::code::RunCode;
use crate::nearest::nearest;
use crate::origin::Origin;
use crate::problem::Problem;
use crate::protocol::Outcome;
use crate::tokens::Tokens;
use serde::{Deserialize, Serialize};

/// The commands of a workflow, as users type them.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    /// Begins a run.
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
    /// The name of its directory below the output directory; none before it is claimed.
    pub directory: Option<String>,
    /// The beginning of the task.
    pub task: String,
    /// How it ended; `None` when it was going on when its journal was written last.
    pub outcome: Option<Outcome>,
    /// Whether resuming would ask for anything.
    pub unfinished: bool,
    /// Whether anything failed that can be asked for again.
    #[serde(default)]
    pub failed: bool,
    /// The moment of the last event: milliseconds since 1970-01-01 UTC.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub at: u64,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: Tokens,
    /// The same for runs of the same day, task and configuration.
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
    /// Whether the user called it off before any model answered: it has neither a name nor anything that could be completed.
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
    /// What its journal says; `None` when that can't be read.
    pub summary: Option<Summary<S>>,
    /// Why its journal can't be read.
    pub problem: Option<Problem>,
    /// Who carries it on at this moment.
    pub owner: Owner,
}

/// Who carries a run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Owner {
    /// Nobody.
    Nobody,
    /// A process that may still be there.
    Process {
        /// In words: `process 4711`, `process 4711 on build-2`.
        name: String,
        /// Whether it is the one that asks.
        here: bool,
    },
}

/// The runs among what the shell found: what has no whole line yet is about to begin, or never did.
pub fn begun<S>(found: Vec<Found<S>>) -> Vec<Found<S>> {
    let begun =
        |run: &Found<S>| run.problem.as_ref().is_none_or(|problem| problem.code != RunCode::JournalEmpty);
    found.into_iter().filter(begun).collect()
}

/// What a command that stops says where nothing runs.
pub const NOTHING_RUNS: &str = "Nothing is running, so nothing was stopped.";

impl Verbs {
    /// The one run that is running: what is to be stopped is never guessed.
    pub fn the_running_one<'a, S>(&self, runs: &'a [Found<S>]) -> Result<&'a Found<S>, Problem> {
        let running: Vec<&Found<S>> = runs.iter().filter(|run| run.owner != Owner::Nobody).collect();
        match running[..] {
            [run] => Ok(run),
            [] => Err(self.none_running("No run is running.".to_owned())),
            _ => Err(Problem::new(RunCode::Ambiguous, "Several runs are running, in other processes.")
                .allowed(names(&running))
                .next(format!("Name the run to stop: {} <run>.", self.cancel))),
        }
    }

    /// Nothing is there to be stopped.
    pub fn none_running(&self, message: String) -> Problem {
        Problem::new(RunCode::NoneRunning, message).next(format!("{} lists the runs.", self.status))
    }

    /// The run of that name, or of a part of it that no other has.
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

    /// A run directory that another process writes to.
    pub fn locked(&self, run: &str, process: &str) -> Problem {
        let Self { cancel, status, .. } = self;
        Problem::new(RunCode::Locked, format!("{run} is running in {process}.")).next(format!(
            "{status} {run} shows it. You can resume it here once that process has ended or {cancel} {run} \
             has stopped it. \
             If it ended on another machine or in a container, delete `run.lock` in the run's directory."
        ))
    }

    /// A run whose process was asked to stop it and has not done so.
    pub fn not_stopped(&self, run: &str, process: &str) -> Problem {
        let Self { resume, status, .. } = self;
        Problem::new(
            RunCode::NotStopped,
            format!(
                "{process} was asked to stop {run}, but is still running \
                                                   it."
            ),
        )
        .next(format!(
            "It may be busy or asleep, and stops as soon as it sees the request: check with {status} {run}. \
             Otherwise end that process, then continue with {resume} {run}."
        ))
    }
}

fn names<S>(runs: &[&Found<S>]) -> String {
    runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Of all that have `name` in their names, the one whose name ends with it, where only one does: `codes-6` isn't `codes-6-reviewed`.
pub fn by_its_end<'a, T>(name: &str, matching: Vec<&'a T>, name_of: impl Fn(&T) -> &str) -> Vec<&'a T> {
    let mut ending = matching.iter().copied().filter(|one| !name.is_empty() && name_of(one).ends_with(name));
    match (ending.next(), ending.next()) {
        (Some(one), None) => vec![one],
        _ => matching,
    }
}
