//! Which of this package's files are hidden: its usual directories in the project, and the output directories of other
//! runs.
//!
//! Every run of this user notes its output directory, whichever project it ran in. Only the runs in a noted directory
//! are hidden: if a project keeps its runs among another project's sources, those runs are hidden and the sources are
//! not.

use kernel::json::Deserialize;
use serde::Serialize;

use super::kept::{DIRECTORIES, is_kept};
use super::path::{components, is_under};
use crate::design_lab::schema::quote;

/// The output directories that runs have noted, as the shell sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NotedOutputs {
    /// The sessions' working directory, absolute.
    pub project: String,
    /// The root of the repository around it, absolute; `None` if there is no repository.
    pub worktree: Option<String>,
    /// The directories, including the project's usual one, whether it was noted or not.
    pub noted: Vec<NotedOutput>,
}

/// A noted directory that exists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NotedOutput {
    /// The absolute path.
    pub directory: String,
    /// The names of the directories in it that contain a run, or one that is about to start.
    pub runs: Vec<String>,
    /// Whether it contains anything that is neither a run nor a file of this package.
    pub others: bool,
}

/// The result for the noted directories.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HiddenOutputs {
    /// The paths that no designer can access, absolute: the usual directories of the project, output directories of
    /// other runs, or single runs.
    pub hidden: Vec<String>,
    /// Directories that no longer contain a run: their notes are to be removed.
    pub lapsed: Vec<String>,
}

/// Returns what is hidden: the usual directories, whether they exist or not, and the directories that runs have noted.
pub fn hidden_outputs(seen: &NotedOutputs) -> HiddenOutputs {
    let project = seen.project.trim_end_matches(['/', '\\']);
    let mut outputs = HiddenOutputs {
        hidden: DIRECTORIES.iter().map(|name| format!("{project}/{name}")).collect(),
        lapsed: Vec::new(),
    };
    for noted in &seen.noted {
        if seen.is_usual(noted) {
            continue;
        }
        if noted.runs.is_empty() {
            outputs.lapsed.push(noted.directory.clone());
        } else {
            outputs.hidden.extend(seen.hidden(noted));
        }
    }
    outputs
}

/// Returns the notes for the user: what is hidden in the project, apart from this run's own output directory.
pub fn wording(seen: &NotedOutputs, output_directory: &str) -> Vec<String> {
    let own = if super::path::is_absolute(output_directory) {
        output_directory.to_owned()
    } else {
        format!("{}/{output_directory}", seen.project)
    };
    let own = components(&own);
    let tell = |noted: &NotedOutput| {
        let directory = components(&noted.directory);
        let count = noted.runs.iter().filter(|name| !name.starts_with('.')).count();
        if count == 0 || seen.is_usual(noted) || (is_under(&directory, &own) && is_under(&own, &directory)) {
            return None;
        }
        let shown = quote(&seen.relative(&directory)?);
        let runs = if count == 1 { "1 earlier run".to_owned() } else { format!("{count} earlier runs") };
        let seen = if seen.is_shared(noted) { "only those files" } else { "the directory" };
        Some(format!("{shown} contains {runs}: designers and reviewers can't see {seen}."))
    };
    seen.noted.iter().filter_map(tell).collect()
}

impl NotedOutputs {
    fn is_usual(&self, noted: &NotedOutput) -> bool {
        let (directory, project) = (components(&noted.directory), components(&self.project));
        directory.len() == project.len() + 1
            && is_under(&directory, &project)
            && is_kept(&directory[project.len()..])
    }

    /// Whether the directory contains more than runs.
    fn is_shared(&self, noted: &NotedOutput) -> bool {
        noted.others || is_under(&components(&self.project), &components(&noted.directory))
    }

    fn hidden(&self, noted: &NotedOutput) -> Vec<String> {
        if !self.is_shared(noted) {
            return vec![noted.directory.clone()];
        }
        let root = noted.directory.trim_end_matches(['/', '\\']);
        let runs = noted.runs.iter().map(|name| format!("{root}/{name}"));
        runs.filter(|run| !is_under(&components(&self.project), &components(run))).collect()
    }

    /// Returns the path relative to the project, or `None` for a directory that no session can access.
    fn relative(&self, directory: &[&str]) -> Option<String> {
        let project = components(&self.project);
        if is_under(directory, &project) {
            return Some(directory[project.len()..].join("/")).filter(|way| !way.is_empty());
        }
        let worktree = components(self.worktree.as_deref()?);
        if worktree.is_empty() || !is_under(directory, &worktree) {
            return None;
        }
        let up = std::iter::repeat_n("..", project.len().saturating_sub(worktree.len()));
        Some(up.chain(directory[worktree.len()..].iter().copied()).collect::<Vec<_>>().join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(directory: &str, runs: &[&str], others: bool) -> NotedOutput {
        let runs = runs.iter().map(|&run| run.to_owned()).collect();
        NotedOutput { directory: directory.to_owned(), runs, others }
    }

    fn seen(outputs: Vec<NotedOutput>) -> NotedOutputs {
        NotedOutputs {
            project: "/home/ada/mono/shop".to_owned(),
            worktree: Some("/home/ada/mono".to_owned()),
            noted: outputs,
        }
    }

    #[test]
    fn no_more_is_hidden_than_runs() {
        const RUN: &str = "2026-11-20-user-auth";
        type Case<'a> = (NotedOutput, &'a [&'a str], &'a [&'a str]);
        let cases: [Case<'_>; 9] = [
            (noted("/home/ada/labs", &[RUN], false), &["/home/ada/labs"], &[]),
            (
                noted("/home/ada/mono/shop/labs", &[RUN, ".starting-x"], false),
                &["/home/ada/mono/shop/labs"],
                &[],
            ),
            (
                noted("/home/ada/mono/shop/src", &[RUN], true),
                &["/home/ada/mono/shop/src/2026-11-20-user-auth"],
                &[],
            ),
            (noted("/home/ada/mono/shop/src", &[], true), &[], &["/home/ada/mono/shop/src"]),
            (noted("/home/ada/mono/shop/src", &[], false), &[], &["/home/ada/mono/shop/src"]),
            (noted("/home/ada/mono", &[RUN], true), &["/home/ada/mono/2026-11-20-user-auth"], &[]),
            (noted("/home/ada/mono", &[RUN], false), &["/home/ada/mono/2026-11-20-user-auth"], &[]),
            (noted("/home/ada/mono", &["shop"], false), &[], &[]),
            (noted("/home/ada/mono/shop/.design-lab", &[], true), &[], &[]),
        ];
        for (output, hidden, lapsed) in cases {
            let mut came = hidden_outputs(&seen(vec![output.clone()]));
            let usual: Vec<String> = came.hidden.drain(..2).collect();
            assert_eq!(usual, ["/home/ada/mono/shop/.design-lab", "/home/ada/mono/shop/.flow"]);
            assert_eq!(
                (&came.hidden[..], &came.lapsed[..]),
                (
                    &hidden.iter().map(|&path| path.to_owned()).collect::<Vec<_>>()[..],
                    &lapsed.iter().map(|&path| path.to_owned()).collect::<Vec<_>>()[..],
                ),
                "{output:?}"
            );
        }
    }

    #[test]
    fn what_is_hidden_in_the_project_is_told_unless_it_is_the_runs_own() {
        let of = |output: NotedOutput, own: &str| wording(&seen(vec![output]), own);
        let src = || noted("/home/ada/mono/shop/src", &["2026-a", "2026-b", ".starting-x"], true);
        let sentence = "\"src\" contains 2 earlier runs: designers and reviewers can't see only those files.";
        assert_eq!(of(src(), ".design-lab"), [sentence]);
        for own in ["src", "./src/", "/home/ada/mono/shop/src"] {
            assert!(of(src(), own).is_empty(), "{own}");
        }
        let labs = noted("/home/ada/mono/labs", &["2026-a"], false);
        let sentence = "\"../labs\" contains 1 earlier run: designers and reviewers can't see the directory.";
        assert_eq!(of(labs, "src"), [sentence]);
        assert!(
            of(noted("/home/ada/labs", &["2026-a"], false), "src").is_empty(),
            "nobody reaches it anyway"
        );
        assert!(of(noted("/home/ada/mono/shop/.design-lab", &["2026-a"], false), "src").is_empty());
        assert!(of(noted("/home/ada/mono/shop/src", &[".starting-x"], false), "x").is_empty());
    }
}
