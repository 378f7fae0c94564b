//! The rules of a run: what is blocked, and what may be called.

use serde::{Deserialize, Serialize};

use super::path::{components, is_under};
use super::pattern;
use crate::config::Isolation;

/// What holds for every lab session while a run is on. Built once per run by [`Rules::new`]; where several runs are
/// on, each has the directories of all of them among its [`Places`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Rules {
    /// `isolation.enforce_design_isolation`. Where false, nothing is hidden from a session; the list of tools and
    /// what OpenCode itself guards hold all the same.
    pub enforce: bool,
    /// Where sessions work and relative paths start: absolute, real.
    pub project: String,
    /// The root of the repository around the project, absolute; none without one.
    pub worktree: Option<String>,
    /// Nothing at or below these is reached.
    pub blocked: Vec<BlockedRoot>,
    /// Globs relative to the project.
    pub patterns: Vec<String>,
    /// Tools that may be called.
    pub allowed_tools: Vec<String>,
}

/// A directory that nothing is read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockedRoot {
    /// Absolute.
    pub path: String,
    /// Whether it has to hold an `.ignore` before anything around it is searched.
    pub guarded: bool,
}

/// The directories that the rules of a run depend on, each absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Places {
    /// The sessions' working directory, real.
    pub project: String,
    /// OpenCode's worktree. `/`, which OpenCode gives outside a repository, counts as none.
    pub worktree: Option<String>,
    /// The output directories of all runs that are on, each both as configured and real where they differ.
    pub outputs: Vec<String>,
    /// OpenCode's own data and state directories: they hold every session's messages and cut-off tool results.
    pub host: Vec<String>,
}

impl Rules {
    /// The rules for the configuration at these places.
    pub fn new(isolation: &Isolation, places: &Places) -> Self {
        let root = |guarded| move |path: &String| BlockedRoot { path: path.clone(), guarded };
        Self {
            enforce: isolation.enforce_design_isolation,
            project: places.project.clone(),
            worktree: places.worktree.clone().filter(|root| !is_filesystem_root(root)),
            blocked: places
                .outputs
                .iter()
                .map(root(true))
                .chain(places.host.iter().map(root(false)))
                .collect(),
            patterns: isolation.blocked_patterns.clone(),
            allowed_tools: isolation.allowed_tools.clone(),
        }
    }

    /// The first blocked directory at or above the path, or the pattern that matches it.
    pub(super) fn blocks(&self, path: &[&str]) -> Option<Blocked> {
        if !self.enforce {
            return None;
        }
        if self.blocked.iter().any(|root| is_under(path, &components(&root.path))) {
            return Some(Blocked::Root);
        }
        let relative = self.relative(path)?;
        pattern::is_blocked(&self.patterns, relative).then_some(Blocked::Pattern)
    }

    /// Whether the path lies in the project or its worktree.
    pub(super) fn contains(&self, path: &[&str]) -> bool {
        is_under(path, &components(&self.project))
            || self.worktree.as_ref().is_some_and(|root| is_under(path, &components(root)))
    }

    /// The blocked directories strictly below the path, with what leads there from it.
    pub(super) fn blocked_below<'a>(
        &'a self,
        path: &[&str],
    ) -> impl Iterator<Item = (&'a BlockedRoot, Vec<&'a str>)> {
        let roots: &[BlockedRoot] = if self.enforce { &self.blocked } else { &[] };
        roots.iter().filter_map(move |root| {
            let names = components(&root.path);
            (names.len() > path.len() && is_under(&names, path)).then(|| (root, names[path.len()..].to_vec()))
        })
    }

    fn relative<'a, 'b>(&self, path: &'a [&'b str]) -> Option<&'a [&'b str]> {
        let project = components(&self.project);
        is_under(path, &project).then(|| &path[project.len()..])
    }
}

fn is_filesystem_root(path: &str) -> bool {
    match components(path)[..] {
        [] => true,
        [drive] => drive.ends_with(':'),
        _ => false,
    }
}

/// Why a path is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    Pattern,
    Root,
}
