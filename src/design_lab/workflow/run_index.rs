//! Which run of an output directory the user means, and what can be done with it.

use super::added::Add;
use super::close_request::CloseRequest;
use super::code::{WorkflowCode, too_many_words, unknown_option};
use super::follow_up::{FollowUp, wanted};
use super::forecast;
use super::foreign;
use super::map::MapRequest;
use super::protocol::{Amendment, Opening};
use super::rubric::RUBRIC;
use super::run::Run;
use super::state::Phase;
use crate::design_lab::config::{Isolation, UntilClear};
use crate::design_lab::history::PastRun;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::InShort;
use crate::design_lab::report;
use crate::random;
use crate::shared::listed::{Listed, beginning};
use crate::shared::reader::Reader;
use crate::shared::trust::TRUST;
use kernel::calls::LATEST;
use kernel::code::RunCode;
use kernel::index::{Owner, Verbs};
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::protocol::Outcome;
use serde::Serialize;

/// The commands that messages about runs mention.
pub const VERBS: Verbs = Verbs {
    begin: "/design-lab <task>",
    cancel: "/design-lab-cancel",
    resume: "/design-lab-resume",
    status: "/design-lab-status",
};

/// A directory with a journal, as the shell found it.
pub type Found = kernel::index::Found<RunFacts>;
/// A summary of a run.
pub type Summary = kernel::index::Summary<RunFacts>;

/// The facts that only runs of this workflow record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RunFacts {
    /// Whether people got forms.
    pub forms: bool,
    /// What the run's designers and reviewers may reach.
    pub isolation: Isolation,
    /// The same number for runs in which the same models are asked the same number of times.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "number"))]
    pub panel: u64,
    /// The run's part in the history of all runs.
    #[serde(default)]
    pub past: PastRun,
    /// The cost in US dollars of what is no longer part of the run, such as a design that was rewritten.
    #[serde(default)]
    pub retired_cost: f64,
    /// The tokens of the same.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "number"))]
    pub retired_tokens: u64,
    /// Whether the run is reviewed until its first place is clear.
    #[serde(default)]
    pub until_clear: bool,
    /// The ranking in short; `None` before there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub ranked: Option<InShort>,
}

/// `/design-lab-status` without a name: the runs of an output directory, the latest first.
pub fn list(runs: &[Found], output_directory: &str, now: u64, listed: Listed, reader: Reader) -> String {
    report::list(runs, output_directory, now, listed, reader, |facts: &RunFacts| facts.ranked.as_ref())
}

/// The purpose for which a run is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To stop it.
    Cancel,
    /// To look into it from the command line, where the name may also be a file's.
    File,
    /// To let a person review it.
    Form,
    /// To rank it again.
    Rank,
    /// To build upon it.
    FollowUp,
    /// To review its designs, again or for the first time.
    Review,
    /// To change its designs before they are reviewed.
    Amend,
    /// To continue it.
    Resume,
    /// To retry what failed in it.
    Retry,
    /// To look at it.
    Status,
}

/// Whether no model was called yet because the user has not said yes.
fn is_waiting(run: &Found) -> bool {
    run.owner == Owner::Nobody
        && run.summary.as_ref().is_some_and(|summary| summary.outcome == Some(Outcome::Waiting))
}

/// Whether its designs are ready for the user to read and are not reviewed yet.
fn is_paused(run: &Summary) -> bool {
    run.outcome == Some(Outcome::Paused)
}

fn is_ranked(run: &Summary) -> bool {
    run.outcome.is_some_and(Outcome::is_done)
}

/// Whether a run is ranked, or is over with forms that people may have filled in.
fn is_rankable(run: &Summary) -> bool {
    is_ranked(run) || (run.outcome.is_some() && run.own.forms)
}

impl Run {
    /// A summary of the run; `None` before its first event.
    pub fn summary(&self) -> Option<Summary> {
        let state = self.state()?;
        let (cost, tokens) = state.calls.spent();
        let (retired_cost, retired_tokens) = state.retired();
        Some(Summary {
            directory: state.directory.name.clone(),
            task: beginning(&state.opening.task.problem_statement),
            outcome: match state.phase {
                Phase::Over(outcome) => Some(outcome),
                _ => None,
            },
            unfinished: state.is_unfinished(),
            failed: state.has_failed(),
            // A time beyond what clocks show is not a number in JavaScript, and this run would hide the others.
            at: state.calls.clock.reported_at.min(LATEST),
            cost,
            tokens,
            likeness: likeness(&state.unmended()),
            origin: Origin::default(),
            own: RunFacts {
                forms: state.human_reviewers().next().is_some(),
                isolation: state.opening.config.isolation.clone(),
                panel: forecast::panel(&state.opening),
                past: state.past(),
                retired_cost,
                retired_tokens,
                until_clear: state.opening.config.until_clear.is_some(),
                ranked: state.in_short(),
            },
        })
    }
}

/// A number that two runs share if one would repeat the other.
fn likeness(opening: &Opening) -> u64 {
    let Opening { date, task, config, parent, candidates, images, .. } = opening;
    let mut key = serde_json::to_string(&(date, task, config, parent)).unwrap_or_default();
    if !candidates.is_empty() {
        key += &serde_json::to_string(candidates).unwrap_or_default();
    }
    for image in images {
        key += &image.file.sha256;
    }
    if opening.drafts_rubric {
        key += RUBRIC;
    }
    random::seed(&key)
}

/// Refuses a run that would only repeat an existing one, since that costs the same again. Any other run, and one with `--new`, gets its
/// own directory whatever its name is.
pub fn refuse_twin(opening: &Opening, runs: &[Found]) -> Result<(), Problem> {
    if opening.new_directory {
        return Ok(());
    }
    let likeness = likeness(opening);
    let twin = |run: &&Found| run.summary.as_ref().is_some_and(|summary| summary.likeness == likeness);
    let Some(run) = runs.iter().filter(twin).max_by_key(|run| &run.name) else { return Ok(()) };
    let unfinished = run.summary.as_ref().is_some_and(|summary| summary.unfinished);
    let name = &run.name;
    let (message, first) = match &run.owner {
        Owner::Process { .. } => {
            ("is running already", format!("/design-lab-status {name} shows its progress"))
        }
        Owner::Nobody if run.summary.as_ref().is_some_and(is_paused) => {
            ("has already written its designs", format!("/design-lab-review {name} reviews them"))
        }
        Owner::Nobody if unfinished => (
            "has already started",
            format!("/design-lab-resume {name} continues it, and requests only the missing answers"),
        ),
        Owner::Nobody => ("is already finished", format!("/design-lab-status {name} shows its result")),
    };
    Err(Problem::new(
        WorkflowCode::Exists,
        format!("A run of the same task with the same configuration {message}: {name}."),
    )
    .next(format!("{first}. To start another one, add --new to the command.")))
}

/// Chooses the run that the user means: by its directory's name or a part of it that no other run has; without a name, the most recent
/// run that fits the purpose. Only a run to be stopped is never guessed.
pub fn choose<'a>(purpose: Purpose, name: &str, runs: &'a [Found]) -> Result<&'a Found, Problem> {
    let name = name.trim().trim_matches('"').trim_end_matches('/');
    let name = name.rsplit('/').next().unwrap_or(name);
    let found = if name.is_empty() { latest(purpose, runs) } else { named(purpose, name, runs) }?;
    match purpose {
        Purpose::Cancel if found.owner == Owner::Nobody && !is_waiting(found) => {
            Err(VERBS.none_running(format!("{} isn't running.", found.name)))
        }
        Purpose::Form => may_be_reviewed(found).map(|()| found),
        Purpose::Rank => may_be_ranked(found).map(|()| found),
        Purpose::Amend => VERBS.may_be_taken(found).map(|()| found),
        // A run that can't be read can't be built upon.
        Purpose::FollowUp | Purpose::Review => found.problem.clone().map_or(Ok(found), Err),
        Purpose::Resume => may_be_resumed(found).map(|()| found),
        Purpose::Retry => may_be_retried(found).map(|()| found),
        Purpose::Cancel | Purpose::File | Purpose::Status => Ok(found),
    }
}

fn latest(purpose: Purpose, runs: &[Found]) -> Result<&Found, Problem> {
    if purpose == Purpose::Cancel {
        let waiting: Vec<&Found> = runs.iter().filter(|run| is_waiting(run)).collect();
        return VERBS.the_running_one(runs).or_else(|problem| match waiting[..] {
            [run] if problem.code == RunCode::NoneRunning => Ok(run),
            _ => Err(problem),
        });
    }
    let fits = |run: &&Found| match (purpose, &run.summary) {
        (_, None) | (Purpose::Cancel, _) => false,
        (Purpose::File | Purpose::Status, Some(_)) => true,
        (Purpose::Form, Some(summary)) => {
            summary.outcome.is_some() && run.owner == Owner::Nobody && !is_waiting(run)
        }
        (Purpose::Rank, Some(summary)) => is_rankable(summary) && run.owner == Owner::Nobody,
        (Purpose::FollowUp, Some(summary)) => is_ranked(summary),
        (Purpose::Review, Some(summary)) => is_ranked(summary) || is_paused(summary),
        (Purpose::Amend, Some(summary)) => is_paused(summary),
        // A run that was started elsewhere is continued only by its name.
        (Purpose::Resume, Some(summary)) => {
            summary.unfinished && run.owner == Owner::Nobody && summary.origin == Origin::Here
        }
        (Purpose::Retry, Some(summary)) => {
            summary.failed && run.owner == Owner::Nobody && summary.origin == Origin::Here
        }
    };
    let at = |run: &&Found| run.summary.as_ref().map_or(0, |summary| summary.at);
    runs.iter().filter(fits).max_by_key(at).ok_or_else(|| match purpose {
        Purpose::Amend => Problem::new(WorkflowCode::NoRun, "No run here is waiting for reviews.")
            .next("Start one with /design-lab --review-later <task>; /design-lab-status lists the runs."),
        Purpose::FollowUp | Purpose::Review => {
            Problem::new(WorkflowCode::NoRun, "There is no ranked run here yet.")
                .next("Start one with /design-lab <task>; /design-lab-status lists the runs.")
        }
        Purpose::Form => Problem::new(WorkflowCode::NoRun, "No run is finished yet.")
            .next("/design-lab-status lists the runs; /design-lab <task> starts one."),
        Purpose::Cancel | Purpose::File | Purpose::Status => {
            Problem::new(WorkflowCode::NoRun, "There is no run here yet.")
                .next("Start one with /design-lab <task>.")
        }
        Purpose::Rank => Problem::new(WorkflowCode::NoRun, "No run has a ranking yet.")
            .next("/design-lab-status lists the runs; /design-lab-resume continues one."),
        Purpose::Resume => match foreign::waiting(runs) {
            Some(run) => Problem::new(
                WorkflowCode::NoRun,
                "No run from this machine is waiting to be resumed.",
            )
            .next(format!(
                "/design-lab-resume {} shows what the run from elsewhere would cost, and asks you first.",
                run.name
            )),
            None => Problem::new(WorkflowCode::NoRun, "No run is waiting to be resumed.")
                .next("/design-lab-status lists the runs; /design-lab <task> starts one."),
        },
        Purpose::Retry => Problem::new(WorkflowCode::NoRun, "Nothing has failed in any run here.")
            .next("/design-lab-status lists the runs; /design-lab-resume continues one."),
    })
}

fn named<'a>(purpose: Purpose, name: &str, runs: &'a [Found]) -> Result<&'a Found, Problem> {
    VERBS.named(name, runs).map_err(|problem| {
        if purpose != Purpose::File || problem.code != RunCode::Unknown {
            return problem;
        }
        let message = format!("There is no file and no run {name}.");
        Problem { message, ..problem }
            .next("Name a file, a run's directory, or a part of the run's name that no other run has.")
    })
}

fn may_be_ranked(run: &Found) -> Result<(), Problem> {
    VERBS.may_be_taken(run)?;
    match &run.summary {
        Some(summary) if is_rankable(summary) => Ok(()),
        _ => Err(not_ranked(&run.name)),
    }
}

fn may_be_reviewed(run: &Found) -> Result<(), Problem> {
    VERBS.may_be_taken(run)?;
    match &run.summary {
        Some(summary) if summary.outcome.is_some() && !is_waiting(run) => Ok(()),
        _ => Err(not_over(&run.name)),
    }
}

/// The problem of an unfinished run when a finished one is needed.
pub(super) fn not_over(run: &str) -> Problem {
    Problem::new(WorkflowCode::Unfinished, format!("{run} is not finished yet."))
        .next(format!("/design-lab-resume {run} continues it; /design-lab-status {run} shows its state."))
}

/// The problem of an unranked run when a ranked one is needed.
pub(super) fn not_ranked(run: &str) -> Problem {
    Problem::new(WorkflowCode::NotRanked, format!("{run} has no ranking yet.")).next(format!(
        "/design-lab-resume {run} continues it. Once it is finished, /design-lab-review --human NAME {run} \
         makes a form for a person; a completed form can be ranked."
    ))
}

fn may_be_resumed(run: &Found) -> Result<(), Problem> {
    VERBS.may_be_taken(run)?;
    let name = &run.name;
    match &run.summary {
        Some(summary) if summary.unfinished => Ok(()),
        Some(summary) if summary.failed => Err(Problem::new(
            WorkflowCode::Finished,
            format!(
                "{name} is ranked without the calls that \
                                                              failed."
            ),
        )
        .next(format!("/design-lab-resume {name} --retry-failed retries what failed."))),
        _ => Err(Problem::new(
            WorkflowCode::Finished,
            format!("{name} is finished: it has no model calls left to make."),
        )
        .next(format!("/design-lab-status {name} shows its result."))),
    }
}

fn may_be_retried(run: &Found) -> Result<(), Problem> {
    VERBS.may_be_taken(run)?;
    match &run.summary {
        Some(summary) if summary.failed => Ok(()),
        _ => Err(Problem::new(WorkflowCode::NothingFailed, format!("Nothing has failed in {}.", run.name))
            .next(format!(
                "/design-lab-status {} shows its state; /design-lab-resume continues it.",
                run.name
            ))),
    }
}

/// The arguments of `/design-lab-resume`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ResumeRequest {
    /// The run, as the user names it; empty for the latest.
    pub run: String,
    /// The purpose for which the run is chosen.
    pub purpose: Purpose,
    /// The models that are to join its reviewers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub add: Option<Add>,
    /// Whether to map where its designs agree and differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub map: Option<MapRequest>,
    /// Whether to compare its first two designs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub close: Option<CloseRequest>,
    /// Whether to review it until its first place is clear, and what that may cost from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub until: Option<UntilClear>,
    /// The change to its set of designs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub amendment: Option<Amendment>,
    /// The rubric for the task that the user approves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rubric: Option<GivenRubric>,
    /// Whether the user trusts the run although it wasn't started on this machine.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub trust: bool,
    /// Whether a model called the command: it can't allow vendors to receive the project's files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub by_model: bool,
    /// Whether the user has said yes to what its reviews may cost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub permitted: bool,
}

/// The user's approval of a rubric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GivenRubric {
    /// The hash that the user typed.
    pub hash: String,
    /// The file as it is now; `None` if there is none.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub text: Option<String>,
}

impl ResumeRequest {
    /// Continues a run, and asks for nothing else.
    fn of(run: String, purpose: Purpose) -> Self {
        Self {
            run,
            purpose,
            add: None,
            map: None,
            close: None,
            until: None,
            amendment: None,
            rubric: None,
            trust: false,
            by_model: false,
            permitted: false,
        }
    }

    /// Reads `[run]` with `--trust` and `--yes`, and with `--retry-failed`, `--rubric HASH`, `--again DESIGN [remark]` or `--drop DESIGN`; the remark is
    /// all text after the design.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let bad = |problem: Problem| {
            Err(problem.next(
                "Type /design-lab-resume [run] [--trust] [--yes], optionally with one of --retry-failed, \
                 --rubric HASH, --again DESIGN [remark], --drop DESIGN.",
            ))
        };
        let mut request = Self::of(String::new(), Purpose::Resume);
        let mut rest = text.trim();
        while !rest.is_empty() {
            let word;
            (word, rest) = first_word(rest);
            match word {
                TRUST => request.trust = true,
                "--yes" if request.amendment.is_none() => request.permitted = true,
                RUBRIC if request.purpose == Purpose::Resume && request.rubric.is_none() => {
                    let (hash, behind) = first_word(rest);
                    if hash.is_empty() || hash.starts_with("--") {
                        let message = format!("{RUBRIC} needs the hash of the rubric after it.");
                        return bad(Problem::new(WorkflowCode::MissingValue, message));
                    }
                    request.rubric = Some(GivenRubric { hash: hash.to_owned(), text: None });
                    rest = behind;
                }
                "--retry-failed" if request.amendment.is_none() && request.rubric.is_none() => {
                    request.purpose = Purpose::Retry;
                }
                "--again" | "--drop" if request.purpose == Purpose::Resume && request.rubric.is_none() => {
                    let (design, behind) = first_word(rest);
                    if design.is_empty() || design.starts_with("--") {
                        let message = format!("{word} needs a design's id after it.");
                        return bad(Problem::new(WorkflowCode::MissingValue, message));
                    }
                    let again = (word == "--again").then(|| behind.to_owned());
                    rest = if again.is_some() { "" } else { behind };
                    request.purpose = Purpose::Amend;
                    request.amendment = Some(Amendment { design: DesignId::new(design), again });
                }
                _ if word.starts_with("--") => {
                    return bad(unknown_option(word));
                }
                _ if request.run.is_empty() => word.clone_into(&mut request.run),
                _ => return bad(too_many_words(word)),
            }
        }
        Ok(request)
    }
}

/// How `/design-lab-review` continues an existing run; `None` when it starts a new run. `permitted`: whether the user has already said
/// yes.
pub fn review_within(text: &str, runs: &[Found], permitted: bool) -> Result<Option<ResumeRequest>, Problem> {
    let wanted = wanted(FollowUp::Review, text)?;
    if let Some(mut add) = wanted.add {
        add.permitted |= permitted;
        return Ok(Some(ResumeRequest { add: Some(add), ..ResumeRequest::of(wanted.run, Purpose::Rank) }));
    }
    if let Some(mut map) = wanted.map {
        map.permitted |= permitted;
        return Ok(Some(ResumeRequest { map: Some(map), ..ResumeRequest::of(wanted.run, Purpose::Rank) }));
    }
    if let Some(mut close) = wanted.close {
        close.permitted |= permitted;
        return Ok(Some(ResumeRequest {
            close: Some(close),
            ..ResumeRequest::of(wanted.run, Purpose::Rank)
        }));
    }
    let run = choose(Purpose::Review, &wanted.run, runs)?;
    let goes_on = |run: &Summary| is_paused(run) || (wanted.until.is_some() && run.own.until_clear);
    let goes_on = run.summary.as_ref().is_some_and(goes_on);
    let is_done = run.summary.as_ref().is_some_and(|summary| !summary.unfinished);
    // Another rubric judges in a run of its own: its scores don't mix with others.
    let purpose = if is_done { Purpose::Rank } else { Purpose::Resume };
    Ok((goes_on && !wanted.new_directory && !wanted.rubric).then(|| ResumeRequest {
        until: wanted.until,
        permitted,
        ..ResumeRequest::of(run.name.clone(), purpose)
    }))
}

/// Splits a text without leading space into its first word and the rest.
fn first_word(text: &str) -> (&str, &str) {
    let (word, behind) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, behind.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::run::Durable as _;
    use kernel::tokens::Tokens;

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
                cost: 0.0,
                tokens: Tokens::default(),
                likeness: at,
                origin: Origin::Here,
                own: RunFacts::default(),
            }),
            problem: None,
            owner: Owner::Nobody,
        }
    }

    fn runs() -> Vec<Found> {
        let mut locked = found("2026-11-23-cache", 9, true);
        locked.owner = Owner::Process { name: "process 7".to_owned(), here: false };
        let mut damaged = found("2026-11-24-queue", 0, true);
        damaged.summary = None;
        damaged.problem = Some(Problem::new(RunCode::JournalDamaged, "Damaged."));
        vec![
            found("2026-11-20-user-auth", 1, true),
            found("2026-11-21-user-auth-2", 2, true),
            found("2026-11-22-billing", 3, false),
            locked,
            damaged,
        ]
    }

    #[test]
    fn what_has_not_begun_is_no_run_and_what_is_damaged_is_one() {
        let mut all = runs();
        for (name, journal) in [("empty", ""), ("torn", "{\"n\":1,\"crc\":\"")] {
            let problem = Run::replay(journal).err();
            all.insert(0, Found { summary: None, problem, ..found(name, 0, true) });
        }
        assert_eq!(kernel::index::begun(all), runs());
    }

    #[test]
    fn what_waits_for_a_yes_can_be_called_off_and_continued_and_is_not_over() {
        let mut waits = found(".starting-a1", 10, true);
        waits.summary.as_mut().unwrap().outcome = Some(Outcome::Waiting);
        let [billing, cache] = [2, 3].map(|at| runs()[at].clone());
        let code = |purpose, runs: &[Found]| {
            choose(purpose, "", runs)
                .map(|run| run.name.clone())
                .map_err(|problem| problem.code.as_str().to_owned())
        };
        let name = || Ok(waits.name.clone());
        let alone = [billing.clone(), waits.clone()];
        for (purpose, runs, expected) in [
            (Purpose::Cancel, &alone[..], name()),
            (Purpose::Resume, &alone, name()),
            (Purpose::Form, &alone, Ok(billing.name)),
            (Purpose::Cancel, &[waits.clone(), cache.clone()], Ok(cache.name)),
            (Purpose::Cancel, &[waits.clone(), waits.clone()], Err("run.none-running".to_owned())),
        ] {
            assert_eq!(code(purpose, runs), expected, "{purpose:?}");
        }
        assert_eq!(choose(Purpose::Form, "starting", &alone).unwrap_err().code, "run.unfinished");
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
            (Purpose::Resume, "auth", Ok("2026-11-20-user-auth")),
            (Purpose::Resume, "user", Err("run.ambiguous")),
            (Purpose::Resume, "payments", Err("run.unknown")),
            (Purpose::Resume, "billing", Err("run.finished")),
            (Purpose::Status, "billing", Ok("2026-11-22-billing")),
            (Purpose::FollowUp, "", Ok("2026-11-22-billing")),
            (Purpose::FollowUp, "queue", Err("journal.damaged")),
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
            (Purpose::File, "auth", Ok("2026-11-20-user-auth")),
            (Purpose::File, "user", Err("run.ambiguous")),
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
