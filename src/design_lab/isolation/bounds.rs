//! The rules, read once for all the paths of a call.

use super::kept::is_kept;
use super::path::{components, is_under};
use super::pattern::Pattern;
use super::rules::{BlockedRoot, Rules};

/// What is blocked and what is in bounds.
pub(super) struct Bounds<'a> {
    /// Whether anything is hidden at all.
    pub(super) enforced: bool,
    /// The project as the host spells it, and its real path where that differs.
    projects: Vec<Vec<&'a str>>,
    /// The repository around it, likewise.
    worktrees: Vec<Vec<&'a str>>,
    blocked: Vec<(&'a BlockedRoot, Vec<&'a str>)>,
    patterns: Vec<Pattern>,
}

/// Why a path is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// What this package keeps, known by a name in the path.
    Kept,
    Pattern,
    Root,
}

impl<'a> Bounds<'a> {
    /// Those of the rules; nothing is blocked where they aren't enforced.
    pub(super) fn of(rules: &'a Rules) -> Self {
        let (blocked, patterns): (&[BlockedRoot], &[String]) =
            if rules.enforce { (&rules.blocked, &rules.patterns) } else { (&[], &[]) };
        Self {
            enforced: rules.enforce,
            projects: std::iter::once(rules.project.as_str())
                .chain(rules.real.project.as_deref())
                .map(components)
                .collect(),
            worktrees: [&rules.worktree, &rules.real.worktree]
                .into_iter()
                .flatten()
                .map(|root| components(root))
                .collect(),
            blocked: blocked.iter().map(|root| (root, components(&root.path))).collect(),
            patterns: patterns.iter().map(|pattern| Pattern::of(pattern)).collect(),
        }
    }

    /// Why the path is blocked, if it is.
    pub(super) fn blocks(&self, path: &[&str]) -> Option<Blocked> {
        if self.blocked.iter().any(|(_, root)| is_under(path, root)) {
            return Some(Blocked::Root);
        }
        // Most paths are done with by their letters alone.
        if self.enforced && is_kept(path) && self.inside(path).is_some_and(is_kept) {
            return Some(Blocked::Kept);
        }
        if self.patterns.is_empty() {
            return None;
        }
        let mut relatives =
            self.projects.iter().filter(|root| is_under(path, root)).map(|root| &path[root.len()..]);
        relatives
            .any(|relative| self.patterns.iter().any(|pattern| pattern.blocks(relative)))
            .then_some(Blocked::Pattern)
    }

    /// Whether the path lies in the project or its worktree.
    pub(super) fn contain(&self, path: &[&str]) -> bool {
        self.inside(path).is_some()
    }

    /// The way from the project, or from its worktree, to a path that lies in it.
    fn inside<'p, 'n>(&self, path: &'p [&'n str]) -> Option<&'p [&'n str]> {
        let root = self.projects.iter().chain(&self.worktrees).find(|root| is_under(path, root))?;
        Some(&path[root.len()..])
    }

    /// The blocked directories below a path that isn't blocked itself, each with what leads there from it.
    pub(super) fn blocked_below(&self, path: &[&str]) -> impl Iterator<Item = (&'a BlockedRoot, &[&'a str])> {
        self.blocked
            .iter()
            .filter(move |(_, names)| is_under(names, path))
            .map(move |(root, names)| (*root, &names[path.len()..]))
    }

    /// The blocked directories as they are named: relative to the project where they lie in it, and the name of the
    /// directory that this is relative to.
    pub(super) fn blocked_names(&self) -> impl Iterator<Item = (&[&'a str], &'a str)> {
        self.blocked.iter().map(|(_, root)| {
            let mut below = self.projects.iter().filter_map(|project| root.strip_prefix(&project[..]));
            let inside = below.find(|inside| !inside.is_empty()).unwrap_or(root);
            let parent = root.iter().nth_back(inside.len()).copied().unwrap_or_default();
            (inside, parent)
        })
    }
}
