//! Whether the files of a session match its journal, in any checkout, without a host and without a model.
//!
//! The journal itself, with its chain and its events, was checked when it was replayed. The shell looks at the rest, and it is
//! judged here: a head that was noted, the files, the outputs of checks. For a complete session, every check can also be run again
//! and compared with its earlier result.

use super::apart::Purpose;
use super::code::FlowCode;
use super::foreign;
use super::plan::{Check, Plan};
use super::protocol::{Decision, Effect, Overlay, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{FeatureState, Session};
use super::status;
use crate::shared::figures::count;
use crate::shared::ran::Ran;
use kernel::journal::{self, Chain};
use kernel::json::Deserialize;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The size in bytes up to which an output is kept whole on disk; parts of a longer one are left out.
const KEPT_WHOLE: u64 = 1 << 20;
/// Configuration that commands of this package write into a project.
const CONFIGURATION: [&str; 2] = [".opencode/design-lab.jsonc", ".opencode/validation.jsonc"];
/// How many paths are named; the rest are counted.
const NAMED: usize = 20;

/// What has to be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowToVerify"))]
pub struct ToVerify {
    /// The tree with which the session was completed; `None` before it is.
    pub tree: Option<TreeId>,
    /// Outputs of checks, below the session's directory.
    pub outputs: Vec<String>,
}

/// What was observed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowSeen"))]
pub struct Seen {
    /// The text of the journal.
    pub journal: String,
    /// A head that was noted, or its beginning.
    pub head: Option<String>,
    /// The tree of the current files, if one was requested.
    pub tree: Option<TreeId>,
    /// The paths that differ from the requested tree.
    pub changed: Vec<String>,
    /// The SHA-256 digest of each output in hex; `None` when the file is missing.
    pub outputs: BTreeMap<String, Option<String>>,
}

/// The results of checks that were run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowRanAgain"))]
pub struct RanAgain {
    /// Each check with its results then and now; empty if none could run.
    pub account: String,
    /// The differences.
    pub problems: Vec<Problem>,
}

pub(super) fn to_verify(session: &Session) -> ToVerify {
    ToVerify {
        tree: completed_tree(session).cloned(),
        outputs: kept_whole(session).map(|(path, _)| path.to_owned()).collect(),
    }
}

/// The outputs of checks that are kept whole, from here and from copies, each with its digest.
fn kept_whole(session: &Session) -> impl Iterator<Item = (&str, &str)> {
    let here = session.evidence.iter().map(|one| (&one.output, &one.seen.ran));
    let apart = session.apart.iter().filter_map(|one| Some((&one.output, one.seen.as_ref().ok()?)));
    let base = session.base_runs.iter().filter_map(|one| Some((&one.output, one.seen.as_ref().ok()?)));
    let whole = here.chain(apart).chain(base).filter(|(_, ran)| ran.output.bytes <= KEPT_WHOLE);
    whole.map(|(path, ran)| (path.as_str(), ran.output.sha256.as_str()))
}

/// The tree with which the last feature was completed, which was reviewed last.
pub(super) fn completed_tree(session: &Session) -> Option<&TreeId> {
    let is_completed = |feature: &str| session.state_of(feature) == FeatureState::Completed;
    let latest = session.reviews.iter().rev().find(|one| is_completed(&one.feature));
    latest.filter(|_| session.is_complete()).map(|one| &one.tree)
}

/// Returns the account if everything matches the journal, otherwise the differences.
pub(super) fn verify(
    session: &Session,
    chain: &Chain,
    seen: &Seen,
    origin: Origin,
) -> Result<String, Vec<Problem>> {
    let problems: Vec<Problem> =
        head(seen, chain).into_iter().chain(tree(session, seen)).chain(outputs(session, seen)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let goal = visible::line(session.opening.goal.lines().next().unwrap_or_default());
    let mut out = format!("Flow · {} · {goal}\n\n", status::status(session).word());
    let before = match chain.unchained() {
        0 => "each chained to the lines before it".to_owned(),
        1 => "chained except for the first line, which is older than the chain".to_owned(),
        lines => format!("chained except for the first {lines} lines, which are older than the chain"),
    };
    let _ = writeln!(out, "Journal  {} lines, {before}", chain.lines());
    let _ = writeln!(out, "Writer   {}", foreign::vouched(origin));
    let _ = writeln!(out, "Head     {}", chain.head());
    let _ = match completed_tree(session) {
        Some(tree) => {
            let ours: Vec<String> = ours(&seen.changed).into_iter().map(visible::line).collect();
            let but = if ours.is_empty() {
                String::new()
            } else {
                format!(", except for configuration that no check depends on: {}", ours.join(", "))
            };
            let tree = visible::line(tree.as_str());
            writeln!(out, "Files    as they were when the last feature was completed: tree {tree}{but}")
        }
        None => writeln!(out, "Files    not compared: the session isn't complete"),
    };
    let outputs = to_verify(session).outputs.len() as u64;
    let _ = writeln!(out, "Outputs  {} of checks, unchanged", count(outputs, "output", "outputs"));
    Ok(out)
}

fn head(seen: &Seen, chain: &Chain) -> Option<Problem> {
    let noted = seen.head.as_deref()?;
    if journal::is_head(noted, &seen.journal, chain) {
        return None;
    }
    let problem = Problem::new(FlowCode::VerifyHead, "The journal doesn't continue from the noted head.");
    Some(journal::no_head(problem, noted, chain))
}

fn tree(session: &Session, seen: &Seen) -> Option<Problem> {
    let (completed, now) = (completed_tree(session)?, seen.tree.as_ref()?);
    if completed == now || !ours(&seen.changed).is_empty() {
        return None;
    }
    let mut changed: Vec<String> = seen.changed.iter().take(NAMED).map(|path| visible::line(path)).collect();
    if seen.changed.len() > NAMED {
        changed.push(format!("and {} more", seen.changed.len() - NAMED));
    }
    Some(
        Problem::new(
            FlowCode::VerifyTree,
            format!("The files differ from those that were checked: {}.", changed.join(", ")),
        )
        .found(now.clone())
        .allowed(format!("the tree {completed}"))
        .next(
            "Check out the files with which the session was completed, or build the change in a new \
                   session.",
        ),
    )
}

/// The files that differ, if all of them are configuration of this package: its commands write it after a build, and no check of
/// the build depends on it. Empty if anything else differs.
pub(super) fn ours(changed: &[String]) -> Vec<&str> {
    let is_ours = |path: &str| {
        CONFIGURATION
            .iter()
            .any(|file| path.strip_suffix(file).is_some_and(|at| at.is_empty() || at.ends_with('/')))
    };
    if changed.iter().all(|path| is_ours(path)) {
        changed.iter().map(String::as_str).collect()
    } else {
        Vec::new()
    }
}

fn outputs(session: &Session, seen: &Seen) -> Vec<Problem> {
    let differs = |path: &str, what: &str| {
        Problem::new(FlowCode::VerifyOutput, format!("The output file {path} {what}."))
            .next("Restore the file from a backup: there is no other record of what the check printed.")
    };
    kept_whole(session)
        .filter_map(|(path, sha256)| match seen.outputs.get(path) {
            Some(Some(digest)) if digest == sha256 => None,
            Some(Some(_)) => Some(differs(path, "differs from the recorded output of its check")),
            _ => Some(differs(path, "is missing")),
        })
        .collect()
}

// ---- run again ----

/// The effect that runs every check of the plan again, in a clean copy of the files with which the session was completed.
pub(super) fn to_run_again(session: &Session) -> Result<Effect, Recovery> {
    let Some(tree) = completed_tree(session) else {
        let (hint, command) = session.way_on();
        let message = "The session isn't complete, so there is nothing to run again yet.";
        return Err(Recovery::new(FlowCode::VerifyNotCompleted, RecoveryStage::Run, message)
            .takes("a session whose features are all complete")
            .next(hint, command));
    };
    Ok(session.in_a_copy(session.effects_begun + 1, tree.clone(), Overlay::Nothing, &all_checks(session)))
}

fn all_checks(session: &Session) -> Vec<Check> {
    session.plan.as_ref().map(Plan::all_checks).unwrap_or_default()
}

/// What the answer to that effect shows.
pub(super) fn ran_again(session: &Session, seen: &Decision) -> RanAgain {
    match repeated(session, seen) {
        Ok(rows) => RanAgain {
            account: account(&rows),
            problems: rows.iter().filter(|row| row.differs()).map(Repeated::problem).collect(),
        },
        Err(why) => not_run(why),
    }
}

/// Every check of the plan with its result then and now, or why there is none.
pub(super) fn repeated<'a>(session: &Session, seen: &'a Decision) -> Result<Vec<Repeated>, &'a str> {
    let checks = all_checks(session);
    let runs = match seen {
        Decision::RanApart(seen) if seen.runs.len() == checks.len() => &seen.runs,
        Decision::RanApart(seen) => return Err(seen.unprepared.as_deref().unwrap_or_default()),
        Decision::EffectFailed { message, .. } => return Err(message),
        _ => return Err(""),
    };
    Ok(checks.into_iter().zip(runs).map(|(check, ran)| Repeated::new(session, check, ran)).collect())
}

fn not_run(why: &str) -> RanAgain {
    let message = format!("The checks could not be run again: {}.", why.trim_end_matches('.'));
    let next = "Fix the cause. flow.worktree.setup sets the command that prepares a copy.";
    RanAgain {
        account: String::new(),
        problems: vec![Problem::new(FlowCode::VerifyNotRun, message).next(next)],
    }
}

/// A check that was run again.
#[derive(Debug)]
pub(super) struct Repeated {
    pub(super) check: Check,
    /// Its result when the last feature was completed.
    pub(super) then: String,
    pub(super) now: String,
    pub(super) ran: Ran,
}

impl Repeated {
    fn new(session: &Session, check: Check, ran: &Ran) -> Self {
        let ran = session.opening.heard(&check.command, ran.clone());
        let tree = completed_tree(session);
        let mut again = session.apart.iter().rev().filter(|one| one.purpose == Purpose::Again);
        let then = again.find(|one| one.argv == check.command && Some(&one.tree) == tree);
        let then = then.and_then(|one| one.seen.as_ref().ok());
        Self { then: then.map_or_else(|| "nothing".to_owned(), Ran::account), now: ran.account(), ran, check }
    }

    /// Whether the results differ although the files are the same.
    pub(super) fn differs(&self) -> bool {
        self.then != self.now
    }

    fn problem(&self) -> Problem {
        let message = format!("The check {} now has a different result on the same files.", self.check.id);
        Problem::new(FlowCode::VerifyCheck, message).found(self.now.clone()).allowed(self.then.clone()).next(
            "The check's output is above. Its result depends on something other than the files. Find out \
             what that is: until then, the check proves little.",
        )
    }
}

/// The rows as a table, and the outputs of those that differ.
fn account(rows: &[Repeated]) -> String {
    let width = |of: fn(&Repeated) -> usize, least: usize| rows.iter().map(of).max().unwrap_or(0).max(least);
    let (first, second) = (width(|row| row.check.id.len(), 5), width(|row| row.then.chars().count(), 4));
    let mut out = format!(
        "Checks   run again in a clean copy of these files\n\n  {:first$}  {:second$}  now\n",
        "check", "then"
    );
    for Repeated { check, then, now, .. } in rows {
        let _ = writeln!(out, "  {:first$}  {then:second$}  {now}", check.id);
    }
    for row in rows.iter().filter(|row| row.differs()) {
        let _ = writeln!(out, "\nThe end of the output of {}:\n", row.check.id);
        for line in row.ran.output.tail.trim_end().lines() {
            let _ = writeln!(out, "    {line}");
        }
    }
    visible::text(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Run;
    use crate::flow::protocol::RanApart;
    use crate::shared::ran::CommandEnd;
    use crate::shared::runners::Tests;
    use kernel::digest::sha256;
    use kernel::run::Durable as _;

    use crate::flow::tests::{failed, went_well, whole_journal};

    fn session(journal: &str) -> Run {
        Run::replay(journal).unwrap().0
    }

    /// What is seen if nothing was touched.
    fn untouched(run: &Run, journal: &str) -> Seen {
        let of = |path: &str| {
            kept_whole(run.state().unwrap()).find(|(other, _)| *other == path).unwrap().1.to_owned()
        };
        let digest = |path: &String| (path.clone(), Some(of(path)));
        let wanted = run.to_verify().unwrap();
        Seen {
            journal: journal.to_owned(),
            head: None,
            outputs: wanted.outputs.iter().map(digest).collect(),
            tree: wanted.tree,
            changed: Vec::new(),
        }
    }

    #[test]
    fn what_is_as_the_journal_says_is_reported_and_what_differs_is_named() {
        let journal = whole_journal();
        let run = session(&journal);
        let seen = untouched(&run, &journal);
        assert_eq!(seen.tree, Some("t3".into()), "of the feature that was complete last");
        let account = run.verify(&seen, Origin::Here).unwrap();
        for line in [
            "Flow · completed · Limit the rate of the public API",
            &format!("Journal  {} lines, each chained to the lines before it", journal.lines().count()),
            "Files    as they were when the last feature was completed: tree t3",
            "Outputs  13 outputs of checks, unchanged",
            &format!("Head     {}", sha256(&journal)),
        ] {
            assert!(account.lines().any(|other| other == line), "{line}\n{account}");
        }

        let many = (0..22).map(|n| format!("src/{n}.js")).collect();
        let elsewhere = Seen { tree: Some("t4".into()), changed: many, ..seen.clone() };
        let problems = run.verify(&elsewhere, Origin::Here).unwrap_err();
        assert_eq!(problems[0].code, FlowCode::VerifyTree);
        assert!(
            problems[0].message.ends_with("src/18.js, src/19.js, and 2 more."),
            "{}",
            problems[0].message
        );

        let configured = Seen { changed: vec!["app/.opencode/validation.jsonc".to_owned()], ..elsewhere };
        let account = run.verify(&configured, Origin::Here).unwrap();
        assert!(
            account.contains("tree t3, except for configuration that no check depends on: app/.opencode/"),
            "{account}"
        );
        let changed = vec!["src/a.js".to_owned(), ".opencode/validation.jsonc".to_owned()];
        assert_eq!(
            run.verify(&Seen { changed, ..configured }, Origin::Here).unwrap_err()[0].code,
            FlowCode::VerifyTree
        );

        let mut forged = seen;
        forged.outputs.insert("evidence/3-unit.log".to_owned(), Some(sha256("ok")));
        forged.outputs.insert("evidence/15-1-limits-unit.log".to_owned(), None);
        let problems = run.verify(&forged, Origin::Here).unwrap_err();
        let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "The output file evidence/3-unit.log differs from the recorded output of its check.",
                "The output file evidence/15-1-limits-unit.log is missing."
            ]
        );
    }

    #[test]
    fn a_head_that_was_noted_is_found_as_long_as_the_journal_continues_from_it() {
        let mut journal = whole_journal();
        let mut run = session(&journal);
        let noted = sha256(&journal);
        for at in [1_795_200_000_000, 1_795_200_001_000] {
            let line =
                run.seal(&crate::flow::protocol::Event { at, kind: kernel::protocol::EventKind::Woken });
            run.apply(&line).unwrap();
            journal.push_str(&line);
        }
        let with = |head: &str| Seen { head: Some(head.to_owned()), ..untouched(&run, &journal) };
        for head in [&noted, &noted[..16], &noted.to_uppercase(), &sha256(&journal)] {
            run.verify(&with(head), Origin::Here).unwrap();
        }
        for head in ["", &noted[..15], &sha256("another"), &"0".repeat(64)] {
            let problems = run.verify(&with(head), Origin::Here).unwrap_err();
            assert_eq!(problems[0].code, FlowCode::VerifyHead, "{head}");
        }
    }

    #[test]
    fn checks_that_are_run_again_are_reported_with_what_they_showed_then_and_show_now() {
        let run = session(&whole_journal());
        let command = run.to_run_again().unwrap();
        let Effect::RunApart { effect, tree, over, runs, .. } = &command else { panic!("{command:?}") };
        assert_eq!((tree.as_str(), over), ("t3", &Overlay::Nothing));
        let checks: Vec<&str> = runs.iter().map(|run| run.check.as_str()).collect();
        assert_eq!(checks, ["limits/unit", "api/unit", "api/all"], "all of the plan");
        let ran_again = |decision: Decision| run.ran_again(&decision).unwrap();
        let ran = |unprepared: Option<&str>, runs: Vec<Ran>| {
            let unprepared = unprepared.map(str::to_owned);
            ran_again(Decision::RanApart(Box::new(RanApart {
                effect: *effect,
                unprepared,
                runs,
                ..RanApart::default()
            })))
        };

        let same = ran(None, vec![went_well(); 3]);
        assert_eq!(same.problems, []);
        assert!(
            same.account
                .lines()
                .any(|line| line == "  limits/unit  passed (3 tests ran)  passed (3 tests ran)"),
            "{}",
            same.account
        );

        let fewer = Ran {
            tests: went_well().tests.map(|tests| Tests { ran: 2, skipped: 1, ..tests }),
            ..went_well()
        };
        let no_such =
            Ran { end: CommandEnd::NotStarted { message: "ENOENT".to_owned() }, tests: None, ..went_well() };
        let other = ran(None, vec![failed("not ok 1\n\u{1b}[2J"), fewer, no_such]);
        let found: Vec<_> = other.problems.iter().map(|problem| problem.found.as_deref().unwrap()).collect();
        assert_eq!(
            found,
            [
                "failed, exit code 1",
                "passed (2 tests ran, 1 skipped)",
                "failed, could not be started: ENOENT"
            ]
        );
        for problem in &other.problems {
            assert_eq!(problem.code, FlowCode::VerifyCheck);
            assert_eq!(problem.allowed.as_deref(), Some("passed (3 tests ran)"));
        }
        assert!(
            other
                .account
                .contains("\nThe end of the output of limits/unit:\n\n    not ok 1\n    [U+001B][2J\n"),
            "{}",
            other.account
        );

        let failure = Decision::EffectFailed { effect: *effect, message: "no space left".to_owned() };
        for (result, why) in [
            (ran(Some("`npm ci` failed."), Vec::new()), "`npm ci` failed."),
            (ran_again(failure), "no space left."),
        ] {
            assert_eq!(result.account, "");
            assert_eq!(result.problems[0].code, FlowCode::VerifyNotRun);
            assert!(result.problems[0].message.ends_with(why), "{}", result.problems[0].message);
        }
    }

    #[test]
    fn nothing_is_run_again_of_a_session_that_is_not_complete() {
        let journal = whole_journal();
        let lines: Vec<&str> = journal.split_inclusive('\n').collect();
        for length in [7, lines.len() - 8] {
            let refusal = session(&lines[..length].concat()).to_run_again().unwrap_err();
            assert_eq!(refusal.error_code, FlowCode::VerifyNotCompleted);
            assert!(refusal.next_command.starts_with('/') && !refusal.resolution_hint.is_empty());
        }
        assert_eq!(Run::new().to_run_again().unwrap_err().error_code, FlowCode::SessionNone);
    }

    #[test]
    fn the_files_of_a_session_that_is_not_complete_are_not_compared() {
        let journal = whole_journal();
        let lines: Vec<&str> = journal.split_inclusive('\n').collect();
        let started = lines[..lines.len() - 8].concat();
        let run = session(&started);
        let seen = untouched(&run, &started);
        assert_eq!(seen.tree, None);
        assert!(
            run.verify(&seen, Origin::Here)
                .unwrap()
                .contains("Files    not compared: the session isn't complete")
        );
    }
}
