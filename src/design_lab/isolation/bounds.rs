//! The rules, parsed once for all the paths of a call.

use super::kept::is_kept;
use super::path::{components, is_under};
use super::pattern::Pattern;
use super::rules::{BlockedRoot, Rules};

/// What is blocked and what is in bounds.
pub(super) struct Bounds<'a> {
    /// Whether anything is hidden at all.
    pub(super) enforced: bool,
    /// The project as the host spells it, and its real path if that differs.
    projects: Vec<Vec<&'a str>>,
    /// The repository around it, in the same forms.
    worktrees: Vec<Vec<&'a str>>,
    blocked: Vec<(&'a BlockedRoot, Vec<&'a str>)>,
    patterns: Vec<Pattern>,
}

/// Why a path is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocked {
    /// The path is one of the files that this package keeps, recognised by a name in the path.
    Kept,
    Pattern,
    Root,
}

impl<'a> Bounds<'a> {
    /// Returns the bounds of the rules; nothing is blocked if they aren't enforced.
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

    /// Returns why the path is blocked, if it is.
    pub(super) fn blocks(&self, path: &[&str]) -> Option<Blocked> {
        if self.blocked.iter().any(|(_, root)| is_under(path, root)) {
            return Some(Blocked::Root);
        }
        // For most paths, the names alone settle this.
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

    /// Whether the path is in the project or its worktree.
    pub(super) fn contain(&self, path: &[&str]) -> bool {
        self.inside(path).is_some()
    }

    /// Returns the path relative to the project or its worktree, if it is inside one of them.
    fn inside<'p, 'n>(&self, path: &'p [&'n str]) -> Option<&'p [&'n str]> {
        let root = self.projects.iter().chain(&self.worktrees).find(|root| is_under(path, root))?;
        Some(&path[root.len()..])
    }

    /// Returns the blocked directories below a path that isn't blocked itself, each with its path relative to that one.
    pub(super) fn blocked_below(&self, path: &[&str]) -> impl Iterator<Item = (&'a BlockedRoot, &[&'a str])> {
        self.blocked
            .iter()
            .filter(move |(_, names)| is_under(names, path))
            .map(move |(root, names)| (*root, &names[path.len()..]))
    }

    /// Returns the names of the blocked directories: each path, relative to the project if it is inside, and the name
    /// of the directory that the path is relative to.
    pub(super) fn blocked_names(&self) -> impl Iterator<Item = (&[&'a str], &'a str)> {
        self.blocked.iter().map(|(_, root)| {
            let mut below = self.projects.iter().filter_map(|project| root.strip_prefix(&project[..]));
            let inside = below.find(|inside| !inside.is_empty()).unwrap_or(root);
            let parent = root.iter().nth_back(inside.len()).copied().unwrap_or_default();
            (inside, parent)
        })
    }
}
