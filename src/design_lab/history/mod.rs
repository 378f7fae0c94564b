//! Panel history: what all runs of a project together show about their models.
//!
//! [`PastRun`] holds the results of one run, [`history`] summarises those of all runs, and [`expected_time`] predicts from them how
//! long a new run will take. No conclusion goes beyond what its intervals support: few runs show little, and the words next to the
//! numbers state this.
//!
//! | file | idea |
//! |---|---|
//! | `record` | what the history needs to know about one run |
//! | `estimate` | means, shares and correlations with their intervals |
//! | `designers` | how models design: the mixed model over tasks |
//! | `reviewers` | agreement, leniency, self-preference |
//! | `taste` | what a reviewer likes of an author in every task, and how much it adds to the error |
//! | `calls` | failures, costs and time; how long a run will take |
//! | `outcomes` | how designs turned out, and which reviewers foresaw it |
//! | `rubrics` | which dimensions of which rubrics told designs apart |
//! | `panel` | which panel to propose, and when to propose none |
//!
//! The model, its source and its limits: `docs/history.md`.

mod calls;
mod designers;
mod estimate;
mod outcomes;
mod panel;
mod record;
mod reviewers;
mod rubrics;
mod taste;
#[cfg(test)]
mod tests;

pub use calls::{Calls, ExpectedTime, expected_time};
pub use designers::Designer;
pub use estimate::Estimate;
pub use outcomes::{Foresight, LEAST_FORESEEN, OfAuthor, Outcomes};
pub use panel::{LEAST_TASKS, Proposal};
pub use record::{Duty, PastCalls, PastDesign, PastReviewer, PastRubric, PastRun};
pub use reviewers::{Pair, Reviewer, SHARED_DESIGNS};
pub use rubrics::{Rubrics, TellsApart};

use designers::{Designers, index_of};
use serde::Serialize;

/// The version of [`History`] as JSON.
const VERSION: u32 = 1;

/// All runs together, as `npx opencode-design-lab history --json` prints it. Intervals are 95% intervals; values that the data can't
/// support are null.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct History {
    /// The version of this format.
    pub version: u32,
    /// Runs that could be read.
    pub runs: u32,
    /// Of these, the runs ranked by scores: designers and reviewers are judged only by these.
    pub scored_runs: u32,
    /// Of these, the runs ranked by comparisons in pairs: they count only for calls.
    pub pairwise_runs: u32,
    /// How many tasks the scored runs have. Runs of one task are not independent cases.
    pub tasks: u32,
    /// Runs that don't count, each with the reason.
    pub left_out: Vec<LeftOut>,
    /// How models design, best first.
    pub designers: Vec<Designer>,
    /// How reviewers judge.
    pub reviewers: Vec<Reviewer>,
    /// How pairs of reviewers agree, those that agree most first.
    pub pairs: Vec<Pair>,
    /// The calls that models were asked to make, and their outcomes.
    pub calls: Vec<Calls>,
    /// Which rubrics told designs apart, and by which dimensions; empty if no run recorded it.
    pub rubrics: Vec<Rubrics>,
    /// How designs turned out, as people said.
    pub outcomes: Outcomes,
    /// A panel for the next runs; null if none is proposed.
    pub proposal: Option<Proposal>,
    /// Why none is proposed.
    pub no_proposal: Option<String>,
}

/// A run that doesn't count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Its directory.
    pub run: String,
    /// Why.
    pub reason: String,
}

/// Summarises all runs together.
pub fn history(runs: &[&PastRun], left_out: Vec<LeftOut>) -> History {
    let count = |of: usize| u32::try_from(of).unwrap_or(u32::MAX);
    let scored: Vec<&PastRun> = runs.iter().copied().filter(|run| run.ranked && !run.pairwise).collect();
    let tasks = by_task(&scored);
    let designers = Designers::of(&tasks);
    let (reviewers, pairs) = reviewers::reviewers(&tasks);
    let calls: Vec<Calls> = calls::sums(runs.iter().copied()).iter().map(Calls::of).collect();
    let (proposal, no_proposal) = match panel::proposal(&designers, &reviewers, &calls) {
        Ok(proposal) => (Some(proposal), None),
        Err(reason) => (None, Some(reason)),
    };
    History {
        version: VERSION,
        runs: count(runs.len()),
        scored_runs: count(scored.len()),
        pairwise_runs: count(runs.iter().filter(|run| run.ranked && run.pairwise).count()),
        tasks: count(tasks.len()),
        left_out,
        designers: designers.rows,
        reviewers,
        pairs,
        calls,
        rubrics: rubrics::rubrics(&scored),
        outcomes: Outcomes::of(runs, &tasks),
        proposal,
        no_proposal,
    }
}

fn by_task<'a>(runs: &[&'a PastRun]) -> Vec<Vec<&'a PastRun>> {
    let mut tasks = Vec::new();
    let mut found: Vec<Vec<&PastRun>> = Vec::new();
    for run in runs {
        let at = index_of(&mut tasks, run.task);
        if at == found.len() {
            found.push(Vec::new());
        }
        found[at].push(run);
    }
    found
}
