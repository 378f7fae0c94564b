//! The runs of an output directory: what each is, and which one the user means.

use super::protocol::{Opening, Outcome};
use super::run::Run;
use super::state::Phase;
use crate::artefacts::Tokens;
use crate::config::Isolation;
use crate::error::Problem;
use crate::nearest::nearest;
use crate::random;
use serde::{Deserialize, Serialize};

/// A run in a few facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Summary {
    /// The name of its directory below the output directory; none before it is claimed.
    pub directory: Option<String>,
    /// The beginning of the task.
    pub task: String,
    /// How it ended; none where it was going on when its journal was written last.
    pub outcome: Option<Outcome>,
    /// Whether resuming would ask for anything.
    pub unfinished: bool,
    /// Whether a design or a review failed that can be asked for again.
    #[serde(default)]
    pub failed: bool,
    /// The moment of the last event: milliseconds since 1970-01-01 UTC.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: u64,
    /// Whether people were given forms.
    pub forms: bool,
    /// US dollars so far.
    pub cost: f64,
    /// Tokens so far.
    pub tokens: Tokens,
    /// What its designers and reviewers may reach.
    pub isolation: Isolation,
    /// The same for runs of the same day, task and configuration.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "number"))]
    pub likeness: u64,
}

/// A directory with a journal, as the shell found it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Found {
    /// Below the output directory.
    pub name: String,
    /// What its journal says; none where that can't be read.
    pub summary: Option<Summary>,
    /// Why its journal can't be read.
    pub problem: Option<Problem>,
    /// Who carries it on at this moment.
    pub carrier: Carrier,
}

/// Who carries a run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Carrier {
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

/// What a run is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// To stop it.
    Cancel,
    /// To look into it from the command line, where a file may be meant as well.
    File,
    /// To have a person review it.
    Form,
    /// To rank it again.
    Rank,
    /// To build upon it.
    Derive,
    /// To go on with it.
    Resume,
    /// To ask again for what failed in it.
    Retry,
    /// To look at it.
    Status,
}

impl Summary {
    fn is_ranked(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Complete | Outcome::Partial))
    }

    /// Ranked before, or over with forms that people may have filled in.
    fn may_be_ranked(&self) -> bool {
        self.is_ranked() || (self.outcome.is_some() && self.forms)
    }
}

impl Run {
    /// The run in a few facts; none before its first event.
    pub fn summary(&self) -> Option<Summary> {
        let state = self.state()?;
        let (cost, tokens) = state.spent();
        Some(Summary {
            directory: state.directory.clone(),
            task: state.opening.task.problem_statement.split_whitespace().collect::<Vec<_>>().join(" "),
            outcome: match state.phase {
                Phase::Over(outcome) => Some(outcome),
                _ => None,
            },
            unfinished: state.is_unfinished(),
            failed: state.has_failed(),
            at: state.told,
            forms: state.people().next().is_some(),
            cost,
            tokens,
            isolation: state.opening.config.isolation.clone(),
            likeness: likeness(&state.opening),
        })
    }
}

/// A number that runs share which would be each other's repetition.
fn likeness(opening: &Opening) -> u64 {
    let Opening { date, task, config, basis, .. } = opening;
    random::seed(&serde_json::to_string(&(date, task, config, basis)).unwrap_or_default())
}

/// Refuses a run that would only repeat one that is there, which costs as much again. Any other run, and one by `--new`, gets a
/// directory of its own whatever its name is.
pub fn refuse_twin(opening: &Opening, runs: &[Found]) -> Result<(), Problem> {
    if opening.new_directory {
        return Ok(());
    }
    let likeness = likeness(opening);
    let twin = |run: &&Found| run.summary.as_ref().is_some_and(|summary| summary.likeness == likeness);
    let Some(run) = runs.iter().filter(twin).max_by_key(|run| &run.name) else { return Ok(()) };
    let unfinished = run.summary.as_ref().is_some_and(|summary| summary.unfinished);
    let name = &run.name;
    let (message, first) = match &run.carrier {
        Carrier::Process { .. } => ("is running", format!("/design-lab-status {name} shows how far it is")),
        Carrier::Nobody if unfinished => {
            ("has begun", format!("/design-lab-resume {name} goes on with it, and asks only what is missing"))
        }
        Carrier::Nobody => ("is done", format!("/design-lab-status {name} shows its result")),
    };
    Err(Problem::new(
        "run.exists",
        format!("The very same task, under the same configuration, {message} already: {name}."),
    )
    .next(format!("{first}. To do it once more beside that one, put --new behind the command.")))
}

/// The run that the user means: by its directory's name or a part of it that no other has; without a name the most recent
/// one that fits the purpose; only what is to be stopped is never guessed.
pub fn choose<'a>(purpose: Purpose, name: &str, runs: &'a [Found]) -> Result<&'a Found, Problem> {
    let name = name.trim().trim_matches('"').trim_end_matches('/');
    let name = name.rsplit('/').next().unwrap_or(name);
    let found = if name.is_empty() { latest(purpose, runs) } else { named(purpose, name, runs) }?;
    match purpose {
        Purpose::Cancel if found.carrier == Carrier::Nobody => {
            Err(none_running(format!("{} isn't running.", found.name)))
        }
        Purpose::Form => may_be_reviewed(found).map(|()| found),
        Purpose::Rank => may_be_ranked(found).map(|()| found),
        // What can't be read can't be built upon.
        Purpose::Derive => found.problem.clone().map_or(Ok(found), Err),
        Purpose::Resume => may_be_resumed(found).map(|()| found),
        Purpose::Retry => may_be_retried(found).map(|()| found),
        Purpose::Cancel | Purpose::File | Purpose::Status => Ok(found),
    }
}

fn latest(purpose: Purpose, runs: &[Found]) -> Result<&Found, Problem> {
    if purpose == Purpose::Cancel {
        return the_running_one(runs);
    }
    let fits = |run: &&Found| match (purpose, &run.summary) {
        (_, None) | (Purpose::Cancel, _) => false,
        (Purpose::File | Purpose::Status, Some(_)) => true,
        (Purpose::Form, Some(summary)) => summary.outcome.is_some() && run.carrier == Carrier::Nobody,
        (Purpose::Rank, Some(summary)) => summary.may_be_ranked() && run.carrier == Carrier::Nobody,
        (Purpose::Derive, Some(summary)) => summary.is_ranked(),
        (Purpose::Resume, Some(summary)) => summary.unfinished && run.carrier == Carrier::Nobody,
        (Purpose::Retry, Some(summary)) => summary.failed && run.carrier == Carrier::Nobody,
    };
    let at = |run: &&Found| run.summary.as_ref().map_or(0, |summary| summary.at);
    runs.iter().filter(fits).max_by_key(at).ok_or_else(|| match purpose {
        Purpose::Derive => Problem::new("run.none", "There is no ranked run here yet.")
            .next("Begin one by /design-lab <task>; /design-lab-status lists the runs."),
        Purpose::Form => Problem::new("run.none", "No run is over yet.")
            .next("/design-lab-status lists the runs; /design-lab <task> begins one."),
        Purpose::Cancel | Purpose::File | Purpose::Status => {
            Problem::new("run.none", "There is no run here yet.").next("Begin one by /design-lab <task>.")
        }
        Purpose::Rank => Problem::new("run.none", "No run has a ranking yet.")
            .next("/design-lab-status lists the runs; /design-lab-resume goes on with one."),
        Purpose::Resume => Problem::new("run.none", "No run waits to be resumed.")
            .next("/design-lab-status lists the runs; /design-lab <task> begins one."),
        Purpose::Retry => Problem::new("run.none", "Nothing has failed in any run here.")
            .next("/design-lab-status lists the runs; /design-lab-resume goes on with one."),
    })
}

fn the_running_one(runs: &[Found]) -> Result<&Found, Problem> {
    let running: Vec<&Found> = runs.iter().filter(|run| run.carrier != Carrier::Nobody).collect();
    match running[..] {
        [run] => Ok(run),
        [] => Err(none_running("No run is on.".to_owned())),
        _ => Err(Problem::new("run.ambiguous", "Several runs are on, in other processes.")
            .allowed(running.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", "))
            .next("Name the one to be stopped: /design-lab-cancel <run>.")),
    }
}

fn none_running(message: String) -> Problem {
    Problem::new("run.none-running", message).next("/design-lab-status lists the runs.")
}

fn named<'a>(purpose: Purpose, name: &str, runs: &'a [Found]) -> Result<&'a Found, Problem> {
    if let Some(run) = runs.iter().find(|run| run.name == name) {
        return Ok(run);
    }
    let matching: Vec<&Found> = runs.iter().filter(|run| run.name.contains(name)).collect();
    let names = |runs: &[&Found]| runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", ");
    match matching[..] {
        [run] => Ok(run),
        [] => {
            let problem = match purpose {
                Purpose::File => {
                    Problem::new("run.unknown", format!("There is neither a file nor a run called {name}."))
                        .next("Name a file, a run's directory, or a part of its name that no other run has.")
                }
                _ => Problem::new("run.unknown", format!("No run is called {name}."))
                    .next("/design-lab-status lists the runs."),
            };
            Err(match nearest(name, runs.iter().map(|run| run.name.as_str())) {
                Some(near) => problem.allowed(near),
                None => problem,
            })
        }
        _ => Err(Problem::new("run.ambiguous", format!("Several runs have {name} in their names."))
            .allowed(names(&matching))
            .next("Give more of the name.")),
    }
}

fn may_be_taken(run: &Found) -> Result<(), Problem> {
    match (&run.problem, &run.carrier) {
        (Some(problem), _) => Err(problem.clone()),
        (None, Carrier::Process { name, .. }) => Err(locked(&run.name, name)),
        (None, Carrier::Nobody) => Ok(()),
    }
}

fn may_be_ranked(run: &Found) -> Result<(), Problem> {
    may_be_taken(run)?;
    match &run.summary {
        Some(summary) if summary.may_be_ranked() => Ok(()),
        _ => Err(not_ranked(&run.name)),
    }
}

fn may_be_reviewed(run: &Found) -> Result<(), Problem> {
    may_be_taken(run)?;
    match &run.summary {
        Some(summary) if summary.outcome.is_some() => Ok(()),
        _ => Err(not_over(&run.name)),
    }
}

/// A run that goes on, where one is needed that is over.
pub(super) fn not_over(run: &str) -> Problem {
    Problem::new("run.unfinished", format!("{run} is not over yet.")).next(format!(
        "/design-lab-resume {run} goes on with it; /design-lab-status {run} shows where it stands."
    ))
}

/// A run without a ranking, where one is needed.
pub(super) fn not_ranked(run: &str) -> Problem {
    Problem::new("run.not-ranked", format!("{run} has no ranking yet.")).next(format!(
        "/design-lab-resume {run} goes on with it. Once it is over, /design-lab-review --human NAME {run} has a person review its designs; \
         a form that is filled in can be ranked by."
    ))
}

fn may_be_resumed(run: &Found) -> Result<(), Problem> {
    may_be_taken(run)?;
    let name = &run.name;
    match &run.summary {
        Some(summary) if summary.unfinished => Ok(()),
        Some(summary) if summary.failed => {
            Err(Problem::new("run.finished", format!("{name} is ranked without what failed in it."))
                .next(format!("/design-lab-resume {name} --retry-failed asks again for what failed.")))
        }
        _ => Err(Problem::new(
            "run.finished",
            format!("{name} is finished: nothing in it is left to be asked."),
        )
        .next(format!("/design-lab-status {name} shows its result."))),
    }
}

fn may_be_retried(run: &Found) -> Result<(), Problem> {
    may_be_taken(run)?;
    match &run.summary {
        Some(summary) if summary.failed => Ok(()),
        _ => Err(Problem::new("run.nothing-failed", format!("Nothing has failed in {}.", run.name)).next(
            format!("/design-lab-status {} shows where it stands; /design-lab-resume goes on.", run.name),
        )),
    }
}

/// What stands behind `/design-lab-resume`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResumeRequest {
    /// The run, as the user names it; empty for the latest.
    pub run: String,
    /// What it is looked for.
    pub purpose: Purpose,
}

impl ResumeRequest {
    /// Reads `[run] [--retry-failed]`.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let bad = |code: &str, message: String| {
            Err(Problem::new(code, message).next("Type /design-lab-resume [run] [--retry-failed]."))
        };
        let mut request = Self { run: String::new(), purpose: Purpose::Resume };
        for word in text.split_whitespace() {
            match word {
                "--retry-failed" => request.purpose = Purpose::Retry,
                _ if word.starts_with("--") => {
                    return bad("command.unknown-option", format!("`{word}` is no option of this command."));
                }
                _ if request.run.is_empty() => word.clone_into(&mut request.run),
                _ => return bad("command.too-many-words", format!("`{word}` is one word too many.")),
            }
        }
        Ok(request)
    }
}

/// A run directory that another process writes to.
pub fn locked(run: &str, process: &str) -> Problem {
    Problem::new("run.locked", format!("{run} is being carried on by {process}.")).next(format!(
        "Look at it by /design-lab-status {run}. It can be resumed here once that process has ended or /design-lab-cancel {run} has stopped it."
    ))
}

/// A run whose process was asked to stop it and has not done so.
pub fn not_stopped(run: &str, process: &str) -> Problem {
    Problem::new("run.not-stopped", format!("{process} was asked to stop {run}, and carries it on still."))
        .next(format!(
            "It may be busy or asleep, and stops once it sees that: /design-lab-status {run} tells. Otherwise end that process; /design-lab-resume {run} then goes on."
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, at: u64, unfinished: bool) -> Found {
        Found {
            name: name.to_owned(),
            summary: Some(Summary {
                directory: Some(name.to_owned()),
                task: String::new(),
                outcome: (!unfinished).then_some(Outcome::Complete),
                unfinished,
                failed: false,
                at,
                forms: false,
                cost: 0.0,
                tokens: Tokens::default(),
                isolation: Isolation::default(),
                likeness: at,
            }),
            problem: None,
            carrier: Carrier::Nobody,
        }
    }

    fn runs() -> Vec<Found> {
        let mut locked = found("2026-11-23-cache", 9, true);
        locked.carrier = Carrier::Process { name: "process 7".to_owned(), here: false };
        let mut damaged = found("2026-11-24-queue", 0, true);
        damaged.summary = None;
        damaged.problem = Some(Problem::new("journal.damaged", "Damaged."));
        vec![
            found("2026-11-20-user-auth", 1, true),
            found("2026-11-21-user-auth-2", 2, true),
            found("2026-11-22-billing", 3, false),
            locked,
            damaged,
        ]
    }

    #[test]
    fn a_run_is_named_by_its_directory_a_unique_part_of_it_or_not_at_all() {
        let runs = runs();
        let cases = [
            (Purpose::Resume, "", Ok("2026-11-21-user-auth-2")),
            (Purpose::Status, "", Ok("2026-11-23-cache")),
            (Purpose::Resume, "2026-11-20-user-auth", Ok("2026-11-20-user-auth")),
            (Purpose::Resume, " .design-lab/2026-11-20-user-auth/ ", Ok("2026-11-20-user-auth")),
            (Purpose::Resume, "auth-2", Ok("2026-11-21-user-auth-2")),
            (Purpose::Resume, "auth", Err("run.ambiguous")),
            (Purpose::Resume, "payments", Err("run.unknown")),
            (Purpose::Resume, "billing", Err("run.finished")),
            (Purpose::Status, "billing", Ok("2026-11-22-billing")),
            (Purpose::Derive, "", Ok("2026-11-22-billing")),
            (Purpose::Derive, "queue", Err("journal.damaged")),
            (Purpose::Resume, "cache", Err("run.locked")),
            (Purpose::Resume, "queue", Err("journal.damaged")),
            (Purpose::Cancel, "", Ok("2026-11-23-cache")),
            (Purpose::Cancel, "cache", Ok("2026-11-23-cache")),
            (Purpose::Cancel, "billing", Err("run.none-running")),
            (Purpose::Cancel, "payments", Err("run.unknown")),
            (Purpose::Rank, "", Ok("2026-11-22-billing")),
            (Purpose::Rank, "billing", Ok("2026-11-22-billing")),
            (Purpose::Rank, "user-auth-2", Err("run.not-ranked")),
            (Purpose::Form, "", Ok("2026-11-22-billing")),
            (Purpose::Form, "user-auth-2", Err("run.unfinished")),
            (Purpose::File, "user-auth-2", Ok("2026-11-21-user-auth-2")),
            (Purpose::File, "auth", Err("run.ambiguous")),
            (Purpose::File, "scores.csv", Err("run.unknown")),
            (Purpose::Rank, "cache", Err("run.locked")),
            (Purpose::Rank, "queue", Err("journal.damaged")),
        ];
        for (purpose, name, expected) in cases {
            let chosen = choose(purpose, name, &runs);
            assert_eq!(
                chosen.as_ref().map(|run| run.name.as_str()).map_err(|problem| problem.code.as_str()),
                expected,
                "{name}"
            );
        }
        assert_eq!(choose(Purpose::Resume, "", &runs[2..]).unwrap_err().code, "run.none");
        assert_eq!(choose(Purpose::Cancel, "", &runs[..3]).unwrap_err().code, "run.none-running");
        let two = [runs[3].clone(), runs[3].clone()];
        assert_eq!(choose(Purpose::Cancel, "", &two).unwrap_err().code, "run.ambiguous");
        assert_eq!(choose(Purpose::Rank, "", &runs[..2]).unwrap_err().code, "run.none");
    }
}
