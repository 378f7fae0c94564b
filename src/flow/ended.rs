//! How the latest feature ended, in a few lines: the evidence if it is complete, the end of its output if it is blocked; and how to
//! undo its changes.

use super::apart::Purpose;
use super::evidence::Standing;
use super::examining::Sitting;
use super::mutation::Mutation;
use super::of_feature::{apart_of, evidence_of, model_of, reviews_of};
use super::plan::Feature;
use super::protocol::TreeId;
use super::review::Verdict;
use super::session::{Progress, Session};
use super::status::completed_mark;
use crate::shared::spelled::spelled;
use crate::shared::wrapped::unbroken;
use kernel::visible;
use std::fmt::Write as _;

/// How many lines of the output are shown.
const LINES: usize = 8;
/// The longest line, in characters.
const LINE: usize = 160;

/// The feature that was completed last: its files, what failed before it, what passes with it, who approved it, how to undo it.
pub(super) fn completed(session: &Session, out: &mut String) {
    let latest = session.latest.as_deref().and_then(|id| session.planned(id));
    let Some((feature, tree)) = latest.and_then(|one| Some((one, session.features.get(&one.id)?.tree()?)))
    else {
        return;
    };
    let files = session.changed_by(&feature.id);
    let rows = [
        ("Files", if files.is_empty() { "none changed".to_owned() } else { files.join(", ") }),
        ("Without", before(session, feature, tree)),
        ("With", after(session, feature, tree)),
        ("Faults", session.mutation_of(&feature.id).and_then(Mutation::account).unwrap_or_default()),
        ("Exam", session.sitting_of(&feature.id).map(Sitting::account).unwrap_or_default()),
        ("Approved", approved(session, feature, tree)),
        undo(session, feature),
    ];
    let _ = writeln!(out, "\n{} {}: {}", completed_mark(feature), feature.id, visible::line(&feature.title));
    for (label, text) in rows.into_iter().filter(|(_, text)| !text.is_empty()) {
        let _ = writeln!(out, "  {label:8}  {}", visible::line(&text));
    }
}

fn before(session: &Session, feature: &Feature, tree: &TreeId) -> String {
    let probes = apart_of(session, &feature.id).filter(|(one, void)| !void && one.tree == *tree);
    let shown: Vec<String> = probes
        .filter(|(one, _)| match one.purpose {
            Purpose::CanFail => one.passed() == Some(false),
            Purpose::AsBefore => one.passed().is_some(),
            Purpose::Again | Purpose::Reproducer { .. } => false,
        })
        .map(|(one, _)| format!("{}: {}", one.check, one.brief()))
        .collect();
    if shown.is_empty() {
        if feature.keeps_behaviour {
            "not compared with the files from before the feature"
        } else {
            "no check was seen to fail"
        }
        .to_owned()
    } else {
        shown.join("; ")
    }
}

fn after(session: &Session, feature: &Feature, tree: &TreeId) -> String {
    let passed = evidence_of(session, &feature.id)
        .filter(|(one, void)| !void && one.tree == *tree && one.standing() == Standing::Passed);
    let mut passed: Vec<String> =
        passed.map(|(one, _)| format!("{}: {}", one.check, one.account())).collect();
    passed.dedup();
    passed.join("; ")
}

fn approved(session: &Session, feature: &Feature, tree: &TreeId) -> String {
    let approvals = reviews_of(session, &feature.id)
        .filter(|(one, void)| !void && one.tree == *tree && one.verdict() == Verdict::Approved);
    let mut models: Vec<&str> = approvals.map(|(one, _)| model_of(session, &one.job)).collect();
    models.dedup();
    models.join(", ")
}

fn undo(session: &Session, feature: &Feature) -> (&'static str, String) {
    let reset = format!("/flow-reset feature {}", feature.id);
    let progress = session.features.get(&feature.id);
    match progress.and_then(|progress| taken_back_by(progress.undo.as_slice())) {
        Some(command) => ("Undo", format!("{reset}, then in a terminal: {}", unbroken(&command))),
        None => ("Reset", format!("{reset} (discards its results and keeps the files)")),
    }
}

/// The command that restores the files from before a feature, including everything that the user had not committed then; `None`
/// without a patch. `patches`: paths from the root of the tree.
pub(super) fn taken_back_by(patches: &[String]) -> Option<String> {
    let first = patches.first()?;
    // Git ignores what is outside the directory in which it runs.
    let git = if first.starts_with(".flow/") { "git" } else { "git -C \"$(git rev-parse --show-toplevel)\"" };
    Some(format!("{git} apply {}", spelled(patches)))
}

/// The feature at which the session stopped, and its progress.
fn blocked_feature(session: &Session) -> Option<(&String, &Progress)> {
    let recovery = session.recovery.as_ref()?;
    session.features.iter().find(|(_, one)| one.recovery() == Some(recovery))
}

/// How to undo the changes of a blocked feature.
pub(super) fn blocked(session: &Session, out: &mut String) {
    let blocked = blocked_feature(session);
    if let Some(command) = blocked.and_then(|(_, progress)| taken_back_by(progress.undo.as_slice())) {
        let _ = writeln!(
            out,
            "\nThe feature's changes are still in your files. To restore the files to their state before \
             the feature, including your uncommitted changes from that time, run:\n  {}",
            unbroken(&command)
        );
    }
}

/// The last lines of the output of a blocked feature's checks.
pub(super) fn output(session: &Session, out: &mut String) {
    let Some((feature, _)) = blocked_feature(session) else { return };
    let last = evidence_of(session, feature).filter(|(_, void)| !void).last();
    let Some((evidence, _)) = last.filter(|(one, _)| one.standing() != Standing::Passed) else { return };
    let tail: Vec<&str> =
        evidence.seen.ran.output.tail.lines().filter(|line| !line.trim().is_empty()).collect();
    if tail.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nThe end of the output of {} ({}):", evidence.check, evidence.account());
    for line in &tail[tail.len().saturating_sub(LINES)..] {
        let line: String = visible::line(line).chars().take(LINE).collect();
        let _ = writeln!(out, "  {}", unbroken(&line));
    }
}

/// What a reset leaves in the files, and the command that undoes it.
pub(super) fn left(session: &Session, out: &mut String) {
    let Some(left) = &session.left_changed else { return };
    let _ = writeln!(out, "\nFiles that are still changed: {}", visible::line(&left.files.join(", ")));
    if let Some(command) = taken_back_by(&left.undo) {
        let features = if left.undo.len() == 1 { "the feature" } else { "these features" };
        let _ = writeln!(
            out,
            "To restore the files to their state before {features}, including your uncommitted changes \
             from that time, run:\n  {}",
            unbroken(&command)
        );
    }
}
