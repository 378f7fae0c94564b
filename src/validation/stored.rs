//! Which of the stored runs the user means, and the list of them.

use super::protocol::Scope;
use super::run::{RunFacts, VERBS, no_run};
use super::status::Status;
use super::verdict::Counts;
use crate::shared::figures::count;
use crate::shared::listed::{List, Listed, Row};
use crate::shared::reader::Reader;
use crate::shared::trust::TRUST;
use design_lab_numerics::sorting::sort_by;
use kernel::clock::iso;
use kernel::code::RunCode;
use kernel::index::Owner;
use kernel::origin::Origin;
use kernel::problem::Problem;

/// A stored run as the shell found it.
pub type Found = kernel::index::Found<RunFacts>;

/// The run with this name, or the latest if none is named.
pub fn to_show(text: &str, stored: &[Found]) -> Result<String, Problem> {
    named(text, stored, |_| true)
}

/// `/validate-status [run]`: the run to show; `None` when only the list of all runs is requested.
pub fn shown(text: &str, stored: &[Found]) -> Result<Option<String>, Problem> {
    match Listed::parse(text) {
        Some(Listed::All) if stored.iter().any(is_named) => Ok(None),
        Some(_) => to_show("", stored).map(Some),
        None => to_show(text, stored).map(Some),
    }
}

/// `/validate-decide`: the latest run of this machine that waits for a decision; otherwise the latest run, which then refuses.
pub fn to_decide(stored: &[Found]) -> Result<String, Problem> {
    named("", stored, |run| is_ours(run) && status(run) == Some(Status::AwaitingDecision))
}

/// `/validate-resume [run]`: the run to continue. Without a name, the latest run of this machine that can continue.
pub fn to_resume(text: &str, stored: &[Found]) -> Result<String, Problem> {
    let is_unfinished = |run: &Found| run.summary.as_ref().is_some_and(|summary| summary.unfinished);
    let name = named(text, stored, |run| is_ours(run) && is_unfinished(run))?;
    let run = stored.iter().find(|run| run.name == name).ok_or_else(no_run)?;
    VERBS.may_be_taken(run)?;
    Ok(name)
}

/// `/flow-plan fix [run]`: the run whose failures and gaps are to be fixed; without a name, the latest that may have any.
pub fn to_fix(text: &str, stored: &[Found]) -> Result<String, Problem> {
    let may_have = |run: &Found| {
        let status = status(run);
        is_ours(run)
            && matches!(
                status,
                Some(Status::Failed | Status::AwaitingDecision | Status::Incomplete | Status::Cancelled)
            )
    };
    named(text, stored, may_have).map_err(|problem| {
        if problem.code != RunCode::Unknown {
            return problem;
        }
        problem.next(
            "/validate-status names the latest run. If your goal begins with `fix`, type it after \
                      `/flow-plan --`.",
        )
    })
}

/// `/validate --again [run]` and `/validate --keep <directory> [run]`: the run whose tests are used; without a name, the latest of this
/// machine that has any.
pub fn to_repeat(text: &str, stored: &[Found]) -> Result<String, Problem> {
    let has_tests = |run: &Found| run.summary.as_ref().is_some_and(|summary| summary.own.has_tests);
    named(text, stored, |run| is_ours(run) && has_tests(run))
}

/// `/validate-status` without a name: the latest runs below the one that is shown, or all of them, newest first. `None` when a run is
/// named, or no other run exists. No model can call the command.
pub fn list(text: &str, stored: &[Found]) -> Option<String> {
    let listed = Listed::parse(text)?;
    let mut runs: Vec<&Found> = stored.iter().filter(|run| is_named(run)).collect();
    if listed == Listed::Latest && runs.len() < 2 {
        return None;
    }
    sort_by(&mut runs, |one, other| moment(other).cmp(&moment(one)));
    let number = count(runs.len() as u64, "validation", "validations");
    let order = if runs.len() == 1 { "" } else { ", the newest first" };
    let mut out = format!("{number}{order}\n\n");
    let (reader, command) = (Reader::Person, VERBS.status);
    List { listed, reader, command, shows: command }.rows(&mut out, &runs, row);
    out.push_str("\n/validate-status <run> shows one of them.");
    Some(out)
}

/// A run in the list.
fn row(run: &Found, name: &str) -> Row {
    let Some(summary) = &run.summary else { return Row::default() };
    let facts = &summary.own;
    let is_left = facts.status == Status::Running && run.owner == Owner::Nobody;
    let words = if is_left { "interrupted" } else { facts.status.words() };
    let checks = match facts.failed_checks {
        0 => String::new(),
        failed => count(failed.into(), "check failed", "checks failed"),
    };
    let counts = facts.counts.map(Counts::words).unwrap_or_default();
    let mut counts: Vec<String> = [counts, checks].into_iter().filter(|part| !part.is_empty()).collect();
    if facts.scope != Scope::Full {
        counts.push("a model's opinion".to_owned());
    }
    Row {
        columns: vec![iso(summary.at).chars().take(10).collect(), words.to_owned(), counts.join(", ")],
        words: vec![summary.task.clone()],
        remark: None,
        adopting: summary.unfinished.then(|| format!("{} {name} {TRUST} takes it over", VERBS.resume)),
    }
}

/// Whether this machine wrote all of its journal.
pub(super) fn is_ours(run: &Found) -> bool {
    run.summary.as_ref().is_some_and(|summary| summary.origin == Origin::Here)
}

fn status(run: &Found) -> Option<Status> {
    run.summary.as_ref().map(|summary| summary.own.status)
}

/// The run with this name; without a name, the latest that matches, or else the latest of all.
fn named(text: &str, stored: &[Found], is_meant: impl Fn(&Found) -> bool) -> Result<String, Problem> {
    let text = text.trim();
    if !text.is_empty() {
        return VERBS.named(text, stored).map(|run| run.name.clone());
    }
    let latest = latest(stored, is_meant).or_else(|| latest(stored, |_| true));
    latest.map(|run| run.name.clone()).ok_or_else(no_run)
}

/// The latest run that matches.
pub(super) fn latest(stored: &[Found], is_meant: impl Fn(&Found) -> bool) -> Option<&Found> {
    stored.iter().filter(|run| is_named(run) && is_meant(run)).max_by_key(|run| moment(run))
}

/// Whether a run has a name: a process that died before the run began leaves one without.
fn is_named(run: &Found) -> bool {
    run.summary.as_ref().is_none_or(|summary| summary.directory.is_some())
}

/// A run's time, for sorting: its name has it after the phase; of two runs in the same second, the last one worked on is later.
fn moment(run: &Found) -> (&str, u64, &str) {
    let (_, behind) = run.name.split_once('-').unwrap_or(("", &run.name));
    let (second, suffix) = behind.split_once('-').unwrap_or((behind, ""));
    (second, run.summary.as_ref().map_or(0, |summary| summary.at), suffix)
}

/// The runs in chronological order: the latest comes last.
pub fn begun(mut stored: Vec<Found>) -> Vec<Found> {
    sort_by(&mut stored, |one, other| moment(one).cmp(&moment(other)));
    stored
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::ValidationCode;
    use kernel::index::Summary;
    use kernel::tokens::Tokens;

    fn stored(name: &str, status: Status, unfinished: bool) -> Found {
        let summary = Summary {
            directory: Some(name.to_owned()),
            task: "T".to_owned(),
            outcome: None,
            unfinished,
            failed: false,
            at: 0,
            cost: 0.0,
            tokens: Tokens::default(),
            likeness: 0,
            origin: Origin::Here,
            own: RunFacts {
                status,
                subject: String::new(),
                scope: Scope::Full,
                commands_hash: None,
                has_tests: false,
                may_have_left: false,
                counts: None,
                failed_checks: 0,
            },
        };
        Found { name: name.to_owned(), summary: Some(summary), problem: None, owner: Owner::Nobody }
    }

    #[test]
    fn the_latest_run_that_fits_is_meant_where_none_is_named() {
        let mut staged = stored(".new-1", Status::Running, true);
        staged.summary.as_mut().unwrap().directory = None;
        let mut all = [
            stored("validate-20261120t000000z-aaaa", Status::AwaitingDecision, true),
            stored("validate-20261121t000000z-bbbb", Status::Cancelled, true),
            stored("validate-20261122t000000z-cccc", Status::Validated, false),
            staged,
        ];
        let name = |found: Result<String, Problem>| found.unwrap().rsplit('-').next().unwrap().to_owned();
        assert_eq!(name(to_show("", &all)), "cccc");
        assert_eq!(name(to_decide(&all)), "aaaa");
        assert_eq!(name(to_resume(" ", &all)), "bbbb");
        assert_eq!(name(to_resume("aaaa", &all)), "aaaa");
        assert_eq!(name(to_decide(&all[1..])), "cccc", "its own summary says that it waits for nothing");
        assert_eq!(name(to_fix("", &all)), "bbbb", "one that is validated has nothing to fix");
        assert_eq!(name(to_fix("aaaa", &all)), "aaaa");
        let goal = to_fix("login", &all).unwrap_err();
        assert!(goal.next.as_deref().is_some_and(|next| next.contains("/flow-plan --")), "{goal:?}");
        assert_eq!(to_show("2026", &all).unwrap_err().code, "run.ambiguous");
        assert_eq!(to_show("", &all[3..]).unwrap_err().code, ValidationCode::NoRun);
        let mut twins = ["flows-20261122t000000z-ffff", "work-20261122t000000z-0000"]
            .map(|name| stored(name, Status::Incomplete, false));
        twins[1].summary.as_mut().unwrap().at = 1;
        assert_eq!(name(to_show("", &twins)), "0000", "within a second the name doesn't tell");
        let mut mixed = all[..3].to_vec();
        mixed[0].name = "work-20261121t120000z-dddd".to_owned();
        mixed[2].name = "flows-20261123t000000z-eeee".to_owned();
        assert_eq!(name(to_show("", &mixed)), "eeee", "the moment decides, not the phase");
        let ordered: Vec<String> =
            begun(mixed).into_iter().map(|run| run.name.rsplit('-').next().unwrap().to_owned()).collect();
        assert_eq!(ordered, ["bbbb", "dddd", "eeee"]);
        all[0].summary.as_mut().unwrap().own.has_tests = true;
        assert_eq!(name(to_repeat("", &all)), "aaaa");
        assert_eq!(name(to_repeat("bbbb", &all)), "bbbb", "its own summary says that it has none");
        // A run from elsewhere is chosen by its name alone.
        all[1].summary.as_mut().unwrap().origin = Origin::Elsewhere;
        assert_eq!(name(to_resume("", &all)), "aaaa");
        assert_eq!(name(to_fix("", &all)), "aaaa");
        assert_eq!(name(to_resume("bbbb", &all)), "bbbb");
        all[0].summary.as_mut().unwrap().origin = Origin::Unmarked;
        assert_eq!(name(to_repeat("", &all)), "cccc", "its own summary says that it has none");
        all[1].owner = Owner::Process { name: "process 7".to_owned(), here: false };
        assert_eq!(to_resume("bbbb", &all).unwrap_err().code, "run.locked");
    }

    #[test]
    fn runs_are_listed_with_subject_verdict_and_counts_the_newest_first() {
        let mut failed = stored("validate-20261121t000000z-aaaa", Status::Failed, false);
        let summary = failed.summary.as_mut().unwrap();
        summary.at = 1_795_167_000_500;
        summary.own.counts = Some(Counts { met: 3, not_met: 1, untested: 2, ..Counts::default() });
        let left = stored("validate-20261122t000000z-bbbb", Status::Running, true);
        let mut damaged = stored("work-20261120t000000z-cccc", Status::Running, true);
        damaged.summary = None;
        let mut work = stored("work-20261119t000000z-dddd", Status::Incomplete, false);
        work.summary.as_mut().unwrap().own.scope = Scope::Work;
        let mut theirs = stored("validate-20261118t000000z-eeee", Status::Failed, true);
        let summary = theirs.summary.as_mut().unwrap();
        summary.origin = Origin::Elsewhere;
        summary.own.counts = Some(Counts { met: 3, ..Counts::default() });
        summary.own.failed_checks = 1;
        let all = [failed, left, damaged, work, theirs];
        assert_eq!(
            list(" ", &all).unwrap(),
            "5 validations, the newest first\n\n\
             \x20 validate-20261122t000000z-bbbb  1970-01-01  interrupted\n    T\n\
             \x20 validate-20261121t000000z-aaaa  2026-11-20  failed       3 met, 1 not met, 2 untested\n    T\n\
             \x20 work-20261120t000000z-cccc      can't be read (journal.damaged)\n\
             \x20   /validate-status work-20261120t000000z-cccc says why\n\
             \x20 work-20261119t000000z-dddd      1970-01-01  incomplete   a model's opinion\n    T\n\
             \x20 validate-20261118t000000z-eeee  1970-01-01  failed       3 met, 1 check failed\n    T\n\
             \x20   not all written on this machine;\n\
             \x20   /validate-resume validate-20261118t000000z-eeee --trust takes it\n\
             \x20   over\n\n\
             /validate-status <run> shows one of them."
        );
        assert_eq!(list("aaaa", &all), None, "one is shown by its name");
        assert_eq!(list("", &all[..1]), None);
        assert!(list("--all", &all[..1]).unwrap().starts_with("1 validation\n\n  validate-"));
        assert_eq!(shown("--all", &all), Ok(None));
        assert_eq!(shown("--all", &[]).unwrap_err().code, ValidationCode::NoRun);
        assert_eq!(shown("aaaa", &all), Ok(Some(all[0].name.clone())));
        assert_eq!(shown(" ", &all), Ok(Some(all[1].name.clone())), "the latest");
        assert_eq!(to_show("--all", &all).unwrap_err().code, RunCode::Unknown, "no other command lists");
        let many: Vec<Found> = (0..23)
            .map(|n| stored(&format!("validate-202611{:02}t000000z-aaaa", n + 1), Status::Failed, false))
            .collect();
        let listing = list("", &many).unwrap();
        assert_eq!(listing.matches("failed").count(), 20);
        assert!(listing.contains("… and 3 earlier; /validate-status --all lists them, too"), "{listing}");
        assert!(!listing.contains("20261103t"), "{listing}");
        assert_eq!(list(" --all", &many).unwrap().matches("failed").count(), 23);
    }
}
