//! What git has on record apart from the files: where `HEAD` is, branches, what is staged, settings. Flow asks no worker to change
//! it, and reports it if one does: the guard reads commands as they are written, and there are more ways to write one.

use crate::shared::spelled::for_shell;
use kernel::json::Deserialize;
use serde::Serialize;

/// What git has on record at a moment. Anything that isn't text for people is a digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowGitRecord"))]
pub struct GitRecord {
    /// The branch of `HEAD`, such as `refs/heads/main`; `HEAD` when it is on none.
    pub branch: String,
    /// The commit of `HEAD`; `None` before the first one.
    pub commit: Option<String>,
    /// The digest of all branches, tags and stashes.
    pub refs: String,
    /// The digest of what is staged.
    pub staged: String,
    /// The digest of settings, hooks, ignore rules and attributes in git's own directory.
    pub settings: String,
}

/// What changed between two moments, in a sentence with the command that undoes it; `None` when nothing did.
pub(super) fn told_of(before: &GitRecord, now: &GitRecord) -> Option<String> {
    let mut all = Vec::new();
    if before.branch != now.branch {
        let back = match before.branch.as_str() {
            "HEAD" => "git checkout --detach".to_owned(),
            branch => format!("git symbolic-ref HEAD {}", for_shell(branch)),
        };
        all.push(format!("HEAD is on {} but was on {} (to undo: `{}`)", now.branch, before.branch, back));
    }
    if before.commit == now.commit {
        if before.refs != now.refs {
            all.push("branches, tags or stashes changed (`git reflog --all` lists the changes)".to_owned());
        }
        if before.staged != now.staged {
            all.push("the staged changes are different (`git diff --cached` shows them)".to_owned());
        }
    } else {
        let [was, is] = [before, now].map(|one| one.commit.as_deref().map_or("none", short));
        let back = before.commit.as_deref().map_or_else(
            || "git update-ref -d HEAD".to_owned(),
            |commit| format!("git reset --soft {commit}"),
        );
        all.push(format!("the commit of HEAD is {is} but was {was} (to undo, keeping all files: `{back}`)"));
    }
    if before.settings != now.settings {
        all.push("settings, hooks, ignore rules or attributes in git's own directory changed".to_owned());
    }
    (!all.is_empty()).then(|| {
        format!("Git's own data changed while the feature was built, but not by Flow: {}.", all.join("; "))
    })
}

/// A commit in its short form.
fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> GitRecord {
        GitRecord {
            branch: "refs/heads/main".to_owned(),
            commit: Some("0123456789abcdef".to_owned()),
            refs: "r".to_owned(),
            staged: "s".to_owned(),
            settings: "c".to_owned(),
        }
    }

    #[test]
    fn each_change_is_reported_with_what_takes_it_back() {
        let before = record();
        assert_eq!(told_of(&before, &before), None);
        let text = |change: &str| change.to_owned();
        let table: [(GitRecord, &[&str]); 6] = [
            (
                GitRecord {
                    commit: Some(text("fedcba9876543210")),
                    refs: text("x"),
                    staged: text("x"),
                    ..record()
                },
                &[
                    "the commit of HEAD is fedcba9876 but was 0123456789 (to undo, keeping all files: `git reset --soft 0123456789abcdef`).",
                ],
            ),
            (
                GitRecord { branch: text("refs/heads/other"), ..record() },
                &[
                    "HEAD is on refs/heads/other but was on refs/heads/main (to undo: `git symbolic-ref HEAD refs/heads/main`)",
                ],
            ),
            (GitRecord { branch: text("HEAD"), ..record() }, &["HEAD is on HEAD"]),
            (GitRecord { refs: text("x"), ..record() }, &["branches, tags or stashes"]),
            (
                GitRecord { staged: text("x"), settings: text("x"), ..record() },
                &["the staged changes", "settings, hooks"],
            ),
            (GitRecord { settings: text("x"), ..record() }, &["settings, hooks"]),
        ];
        for (now, expected) in table {
            let wording = told_of(&before, &now).unwrap();
            for part in expected {
                assert!(wording.contains(part), "{wording}");
            }
        }
        let first = GitRecord { commit: None, ..record() };
        assert!(told_of(&first, &record()).unwrap().contains("was none"));
    }
}
