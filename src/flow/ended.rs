//! How the latest feature ended, in a few lines: what stands for it if it is complete, what its output said last if it is blocked; and
//! how its files are taken back.

use super::apart::Purpose;
use super::evidence::Standing;
use super::of_feature::{apart_of, evidence_of, model_of, reviews_of};
use super::plan::Feature;
use super::protocol::TreeId;
use super::review::Verdict;
use super::session::Session;
use super::status::completed_mark;
use crate::shared::spelled::spelled;
use crate::shared::wrapped::unbroken;
use kernel::visible;
use std::fmt::Write as _;

/// How many lines of the output are shown.
const LINES: usize = 8;
/// The longest of them, in characters.
const LINE: usize = 160;

/// The feature that was completed last: its files, what failed before it, what passes with it, who approved it, how to undo it.
pub(super) fn completed(session: &Session, out: &mut String) {
    let latest = session.latest.as_deref().and_then(|id| session.planned(id));
    let Some((feature, tree)) =
        latest.and_then(|one| Some((one, session.features.get(&one.id)?.tree.as_ref()?)))
    else {
        return;
    };
    let files = session.changed_by(&feature.id);
    let rows = [
        ("Files", if files.is_empty() { "none changed".to_owned() } else { files.join(", ") }),
        ("Before", before(session, feature, tree)),
        ("After", after(session, feature, tree)),
        ("Approved", approved(session, feature, tree)),
        ("Undo", undo(feature, files, tree)),
    ];
    let _ = writeln!(out, "\n{} {}: {}", completed_mark(feature), feature.id, visible::line(&feature.title));
    for (label, text) in rows {
        let _ = writeln!(out, "  {label:8}  {}", visible::line(&text));
    }
}

fn before(session: &Session, feature: &Feature, tree: &TreeId) -> String {
    let probes = apart_of(session, &feature.id).filter(|(one, void)| !void && one.tree == *tree);
    let failed: Vec<String> = probes
        .filter(|(one, _)| one.purpose == Purpose::CanFail && one.passed() == Some(false))
        .map(|(one, _)| format!("{}: {}", one.check, one.account()))
        .collect();
    if failed.is_empty() { "no check was seen to fail without it".to_owned() } else { failed.join("; ") }
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

fn undo(feature: &Feature, files: &[String], tree: &TreeId) -> String {
    let reset = format!("/flow-reset feature {}", feature.id);
    match taken_back_by(files, Some(tree)) {
        Some(command) => format!("{reset}, then {}", unbroken(&command)),
        None => format!("{reset}; the files stay as they are"),
    }
}

/// The command that takes these files back to the last commit, and keeps what they are now in git's stash; `None` when there are none, or
/// the tree isn't git's.
pub(super) fn taken_back_by(files: &[String], tree: Option<&TreeId>) -> Option<String> {
    // Without git a tree's id is a longer digest.
    let is_of_git =
        tree.is_some_and(|tree| tree.len() == 40 && tree.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let stash = ["git", "stash", "push", "--include-untracked", "--"].map(str::to_owned);
    let paths = files.iter().map(|path| format!(":/{path}"));
    (is_of_git && !files.is_empty()).then(|| spelled(&stash.into_iter().chain(paths).collect::<Vec<_>>()))
}

/// The last lines of what the checks of a blocked feature put out.
pub(super) fn output(session: &Session, out: &mut String) {
    let Some(recovery) = &session.recovery else { return };
    let blocked = session.features.iter().find(|(_, one)| one.recovery.as_ref() == Some(recovery));
    let Some((feature, _)) = blocked else { return };
    let last = evidence_of(session, feature).filter(|(_, void)| !void).last();
    let Some((evidence, _)) = last.filter(|(one, _)| one.standing() != Standing::Passed) else { return };
    let tail: Vec<&str> =
        evidence.seen.ran.output.tail.lines().filter(|line| !line.trim().is_empty()).collect();
    if tail.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nThe end of what {} printed ({}):", evidence.check, evidence.account());
    for line in &tail[tail.len().saturating_sub(LINES)..] {
        let line: String = visible::line(line).chars().take(LINE).collect();
        let _ = writeln!(out, "  {}", unbroken(&line));
    }
}

/// What a reset leaves in the files, and the command that takes it back.
pub(super) fn left(session: &Session, out: &mut String) {
    let Some((files, tree)) = &session.left_changed else { return };
    let _ = writeln!(out, "\nStill changed in your files: {}", visible::line(&files.join(", ")));
    if let Some(command) = taken_back_by(files, Some(tree)) {
        let command = unbroken(&command);
        let _ = writeln!(
            out,
            "This takes them back to the last commit, and keeps them in git's stash:\n  {command}"
        );
    }
}
