//! How designs turned out, as people said: counts by author, and which reviewers foresaw it.
//!
//! Nothing here weights a reviewer or changes a ranking. Usually only the design that came first gets built, so that a reviewer who
//! agreed with the others looks right if most designs turn out well.

use super::designers::index_of;
use super::estimate::{Estimate, of_share};
use super::record::{PastReviewer, PastRun};
use super::reviewers::is_kin;
use crate::design_lab::artefacts::TurnedOut;
use design_lab_numerics::sorting::sort_by_key;
use serde::Serialize;

/// With fewer tasks than this, a reviewer's share isn't stated: in fewer than 6 tasks, not even a reviewer who was right every time
/// differs from a coin by an exact two-sided binomial test at 5%.
pub const LEAST_FORESEEN: u32 = 6;

/// How designs turned out, and who foresaw it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcomes {
    /// The designs with an outcome, by their authors.
    pub authors: Vec<OfAuthor>,
    /// The models that scored designs which were validated or failed.
    pub reviewers: Vec<Foresight>,
}

/// How the designs of one author turned out. A design counts by its latest outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfAuthor {
    /// `provider/model`; null for designs that no model wrote.
    pub model: Option<String>,
    /// Designs that were built, without any later outcome.
    pub built: u32,
    /// Designs that were validated.
    pub validated: u32,
    /// Designs that failed.
    pub failed: u32,
    /// How many of all these outcomes another person may have recorded: this machine didn't write all of their runs.
    pub elsewhere: u32,
}

/// How often a reviewer's own scores foresaw the outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Foresight {
    /// `provider/model`.
    pub name: String,
    /// The tasks whose outcome its scores could have foreseen.
    pub tasks: u32,
    /// How many of these it foresaw.
    pub right: u32,
    /// The share; null with fewer than [`LEAST_FORESEEN`] tasks.
    pub share: Option<Estimate>,
}

impl Outcomes {
    /// `tasks`: the runs that were ranked by scores, by task.
    pub(super) fn of(runs: &[&PastRun], tasks: &[Vec<&PastRun>]) -> Self {
        Self { authors: authors(runs), reviewers: reviewers(tasks) }
    }
}

fn authors(runs: &[&PastRun]) -> Vec<OfAuthor> {
    let mut rows: Vec<OfAuthor> = Vec::new();
    for design in runs.iter().flat_map(|run| &run.designs) {
        let Some(turned_out) = design.turned_out else { continue };
        let at = rows.iter().position(|row| row.model == design.author).unwrap_or_else(|| {
            rows.push(OfAuthor {
                model: design.author.clone(),
                built: 0,
                validated: 0,
                failed: 0,
                elsewhere: 0,
            });
            rows.len() - 1
        });
        rows[at].elsewhere += u32::from(design.elsewhere);
        *match turned_out {
            TurnedOut::Built => &mut rows[at].built,
            TurnedOut::Validated => &mut rows[at].validated,
            TurnedOut::Failed => &mut rows[at].failed,
        } += 1;
    }
    sort_by_key(&mut rows, |row| (row.model.is_none(), row.model.clone()));
    rows
}

/// People aren't listed: they may know the outcome when they score.
fn reviewers(tasks: &[Vec<&PastRun>]) -> Vec<Foresight> {
    let mut all: Vec<&PastReviewer> = Vec::new();
    for reviewer in tasks.iter().flatten().flat_map(|run| &run.reviewers).filter(|one| !one.person) {
        index_of(&mut all, reviewer);
    }
    sort_by_key(&mut all, |reviewer| &reviewer.name);
    let rows = all.into_iter().map(|of| {
        // Runs of one task are not independent cases: they count as one, in which it has to be right each time.
        let of_task = |runs: &Vec<&PastRun>| {
            let cases: Vec<bool> = runs.iter().filter_map(|run| foresaw(run, of)).collect();
            (!cases.is_empty()).then(|| cases.iter().all(|right| *right))
        };
        let found: Vec<bool> = tasks.iter().filter_map(of_task).collect();
        let [tasks, right] = [found.len(), found.iter().filter(|right| **right).count()]
            .map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let share = of_share(right, tasks).filter(|_| tasks >= LEAST_FORESEEN);
        Foresight { name: of.name.clone(), tasks, right, share }
    });
    rows.filter(|row| row.tasks > 0).collect()
}

/// Whether a reviewer's own scores foresaw how designs turned out. Only designs that aren't by its vendor count. If one of them was
/// validated, the reviewer was right if it gave a validated design the highest score; otherwise, if it gave that score to a design
/// that didn't fail. `None` if there is no such outcome, or if several designs share its highest score.
fn foresaw(run: &PastRun, of: &PastReviewer) -> Option<bool> {
    let at = run.reviewers.iter().position(|reviewer| reviewer == of)?;
    let scored: Vec<(f64, Option<TurnedOut>)> = run
        .scores
        .iter()
        .filter(|&&(design, by, _)| by == at && !is_kin(run, design, of))
        .filter_map(|&(design, _, score)| Some((score, run.designs.get(design)?.turned_out)))
        .collect();
    let highest = scored.iter().map(|(score, _)| *score).fold(f64::NEG_INFINITY, f64::max);
    let mut first = scored.iter().filter(|(score, _)| *score >= highest);
    let (Some((_, first)), None) = (first.next(), first.next()) else { return None };
    let some = |outcome| scored.iter().any(|(_, found)| *found == Some(outcome));
    let is_case = scored.len() > 1 && (some(TurnedOut::Validated) || some(TurnedOut::Failed));
    is_case.then(|| match first {
        Some(TurnedOut::Validated) => true,
        Some(TurnedOut::Failed) => false,
        Some(TurnedOut::Built) | None => !some(TurnedOut::Validated),
    })
}
