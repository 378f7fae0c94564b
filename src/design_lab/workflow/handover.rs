//! Handing a ranked design over to the feature that builds it, or validates what was built.

use super::code::WorkflowCode;
use super::follow_up::feedback;
use super::job::Job;
use super::run::Run;
use super::run_index::{Found, Purpose, choose, not_ranked};
use super::state::{Phase, State};
use crate::design_lab::artefacts::{Design, Task};
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::{Ranking, VerdictKind};
use crate::shared::schema::quote;
use kernel::code::RunCode;
use kernel::job::JobState;
use kernel::json::Deserialize;
use kernel::nearest::nearest;
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::problem::Problem;
use serde::Serialize;

/// A design of a ranked run, with everything that its builder needs to know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Handover {
    /// The run's directory, below the output directory.
    pub run: String,
    /// The design's id within the run.
    pub design_id: DesignId,
    /// Its place in the ranking; `None` when none of its scores count.
    pub rank: Option<u32>,
    /// The verdict in a sentence, if it isn't clear that the first design is the best.
    pub doubt: Option<String>,
    /// The task of the design.
    pub task: Task,
    /// The design.
    pub design: Design,
    /// The weaknesses that reviewers found in it, without names and labels.
    pub weaknesses: Vec<String>,
}

/// The feature that takes a design over; suggested commands are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Taker {
    /// Flow, which builds it.
    Flow,
    /// Validation, which proves that it was built.
    Validation,
}

impl Taker {
    /// The command that is followed by a run's name.
    fn command(self) -> &'static str {
        match self {
            Self::Flow => "/flow-plan from",
            Self::Validation => "/validate run",
        }
    }

    /// What that command does.
    fn verb(self) -> &'static str {
        match self {
            Self::Flow => "builds",
            Self::Validation => "validates",
        }
    }
}

impl Handover {
    /// The purpose of the design, with constraints and qualities: a reader of one part of it doesn't see the rest.
    pub fn goal(&self) -> String {
        let listed = |head: &str, items: &[String]| {
            if items.is_empty() { String::new() } else { format!("\n\n{head}: {}", items.join("; ")) }
        };
        let Task { problem_statement, constraints, non_functional_requirements } = &self.task;
        format!(
            "{}{}{}",
            problem_statement.trim(),
            listed("Constraints", constraints),
            listed("Non-functional requirements", non_functional_requirements)
        )
    }

    /// The task's demands on the result, each with an id: its constraints and its required qualities.
    pub fn requirements(&self) -> impl Iterator<Item = (String, String)> {
        numbered("constraint", &self.task.constraints)
            .chain(numbered("quality", &self.task.non_functional_requirements))
    }
}

/// Texts with ids made from their kind and their numbers.
pub fn numbered(what: &str, texts: &[String]) -> impl Iterator<Item = (String, String)> {
    let said = texts.iter().filter(|text| !text.trim().is_empty());
    said.enumerate().map(move |(index, text)| (format!("{what}-{}", index + 1), text.clone()))
}

/// The design to build, or that was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToBuild {
    /// The run's directory, below the output directory.
    pub run: String,
    /// The design, as the user names it; `None` for the one that was ranked first.
    pub design: Option<String>,
}

/// The run and the design that the user means by `<run>[/<design>]`. Paths to runs and designs are accepted, too.
pub fn to_build(text: &str, runs: &[Found], taker: Taker) -> Result<ToBuild, Problem> {
    let (run, design) = parts(text, runs);
    let found =
        choose(Purpose::FollowUp, run, runs).map_err(|problem| mistaken(problem, run, runs, taker))?;
    Ok(ToBuild { run: found.name.clone(), design: design.map(str::to_owned) })
}

fn parts<'a>(text: &'a str, runs: &[Found]) -> (&'a str, Option<&'a str>) {
    let text = text.trim().trim_matches('"');
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
    match parts[..] {
        [] => ("", None),
        [run] => (run, None),
        [.., run] if runs.iter().any(|found| found.name == run) => (run, None),
        [.., run, "designs", file] => {
            (run, Some(file.strip_suffix(".md").or_else(|| file.strip_suffix(".json")).unwrap_or(file)))
        }
        [.., run, design] => (run, Some(design)),
    }
}

/// Adds a suggested command to the problem of a name that fits no run, or several.
fn mistaken(problem: Problem, name: &str, runs: &[Found], taker: Taker) -> Problem {
    let found = |problem: Problem| problem.found(quote(name));
    if problem.code == RunCode::Unknown {
        let near = problem.allowed.clone();
        return match near.as_deref().and_then(|near| command(taker, near, None)) {
            Some(command) => found(problem).next(format!("Did you mean this one? Type: {command}")),
            None => found(problem),
        };
    }
    if problem.code == RunCode::Ambiguous {
        let fitting = runs.iter().filter(|run| run.name.contains(name));
        let latest = fitting.max_by(|one, other| one.name.cmp(&other.name));
        return match latest.and_then(|run| command(taker, &run.name, None)) {
            Some(command) => found(problem).next(format!("Type more of the name: {command}")),
            None => found(problem),
        };
    }
    problem
}

/// The command that takes a design over, if the names are ones that the lab gives: a directory may be called anything.
fn command(taker: Taker, run: &str, design: Option<&str>) -> Option<String> {
    let is_ours = is_name(run, NAME_LENGTH) && design.is_none_or(|design| is_name(design, NAME_LENGTH));
    let design = design.map_or_else(String::new, |design| format!("/{design}"));
    is_ours.then(|| format!("{} {run}{design}", taker.command()))
}

impl Run {
    /// Returns the design of this id, or the one that was ranked first; or the reason why it can't be taken over.
    pub fn handover(&self, design: Option<&str>, taker: Taker) -> Result<Handover, Problem> {
        let Some((state, run)) =
            self.state().and_then(|state| Some((state, state.directory.name.as_deref()?)))
        else {
            return Err(Problem::new(WorkflowCode::Empty, "The run has not started.")
                .next("/design-lab-status lists the runs."));
        };
        let Some(ranking) = state.ranking.as_ref().filter(|_| state.is_ranked()) else {
            let is_over = matches!(state.phase, Phase::Over(_));
            let found =
                if is_over { "a run that ended without a ranking" } else { "a run that isn't finished" };
            return Err(not_ranked(run).found(found).allowed("a ranked run"));
        };
        let id = design.map_or_else(|| first(ranking, run), |named| Ok(named.to_owned()))?;
        let Some(job) = state.design_jobs().find(|job| job.part.model.id == id) else {
            return Err(unknown(state, run, &id, taker));
        };
        let Some(design) = &job.part.product.design else { return Err(failed(job, run, taker)) };
        let design_id = job.part.model.design_id();
        let row = ranking.rankings.iter().find(|row| row.design_id == design_id);
        let is_clear = ranking.verdict.kind == VerdictKind::Clear;
        Ok(Handover {
            run: run.to_owned(),
            rank: row.and_then(|row| row.rank),
            doubt: (!is_clear).then(|| ranking.verdict.sentence.clone()),
            task: state.opening.task.clone(),
            design: design.clone(),
            weaknesses: feedback(state, &design_id).weaknesses,
            design_id,
        })
    }
}

impl Run {
    /// The designs that may be the best, the first-ranked first: those whose rank interval holds the first place, at most `most`.
    pub fn contenders(&self, most: usize) -> Vec<DesignId> {
        let ranking = self.state().filter(|state| state.is_ranked()).and_then(|state| state.ranking.as_ref());
        let rows = ranking.map(|ranking| ranking.rankings.as_slice()).unwrap_or_default();
        let may_win = rows.iter().filter(|row| row.rank_interval.is_some_and(|[best, _]| best == 1));
        may_win.map(|row| row.design_id.clone()).take(most).collect()
    }
}

/// The id of the design that was ranked first; of several, the one listed first.
fn first(ranking: &Ranking, run: &str) -> Result<String, Problem> {
    let first = ranking.rankings.first().filter(|row| row.rank.is_some());
    first.map(|row| row.design_id.to_string()).ok_or_else(|| {
        Problem::new(WorkflowCode::NotRanked, format!("No design of {run} has a rank: no score counts."))
            .next(format!("/design-lab-review {run} reviews them again."))
    })
}

fn unknown(state: &State, run: &str, id: &str, taker: Taker) -> Problem {
    let ids: Vec<&str> = state.design_jobs().map(|job| job.part.model.id.as_str()).collect();
    let near = nearest(id, ids.iter().copied());
    let problem = Problem::new(WorkflowCode::UnknownDesign, format!("{run} has no design with this name."))
        .found(quote(id))
        .allowed(ids.join(", "));
    match command(taker, run, near) {
        Some(command) if near.is_some() => problem.next(format!("Did you mean this one? Type: {command}")),
        Some(command) => problem.next(format!("{command} {} the winning design.", taker.verb())),
        None => problem,
    }
}

/// The problem of a design that was never written.
fn failed(job: &Job, run: &str, taker: Taker) -> Problem {
    let command = taker.command();
    let id = job.part.model.design_id();
    let problem = Problem::new(WorkflowCode::NoDesign, format!("{id} wrote no design in {run}."))
        .allowed("a design of the run")
        .next(format!(
            "/design-lab-resume {run} --retry-failed asks for the design again. {command} {run} {} the \
             winning design.",
            taker.verb()
        ));
    match &job.state {
        JobState::Failed(reason) => problem.found(reason.wording()),
        _ => problem,
    }
}
