//! The ignored paths that copies get through a link, such as `node_modules`: not among the project's files, but still code that
//! checks run. A copy is clean only if this code is as it was when the feature was started.

use super::evidence::some;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeMap;

/// A directory or file that copies get through a link, as it was at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLink"))]
pub struct Link {
    /// Where it is, from the root of the tree.
    pub path: String,
    /// The digest of everything in it except [`left_out`]; keyed, because it may contain secrets.
    pub digest: String,
    /// The files in it that have changed since the feature was started, if this process saw it then, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub changed: Vec<String>,
}

/// The digests of links, by path.
pub type Links = BTreeMap<String, String>;

/// The links that make a copy unclean, one line each: those that have changed, and those that were not linked before.
pub(super) fn unclean(before: &Links, now: &[Link]) -> Vec<String> {
    let wording = now.iter().filter_map(|link| match before.get(&link.path) {
        Some(digest) if *digest == link.digest => None,
        Some(_) if link.changed.is_empty() => Some(format!("{} has changed", link.path)),
        Some(_) => Some(format!("{} has changed ({})", link.path, some(&link.changed))),
        None => Some(format!("{} was not linked before", link.path)),
    });
    wording.map(|line| visible::line(&line)).collect()
}

/// The warning about copies that are not clean.
pub(super) fn told_of(unclean: &[String]) -> String {
    format!(
        "Flow's copies of the project are not clean, because paths that they link to have changed since \
         the feature was started: {}. To give each copy a fresh installation, set `flow.worktree.setup`, \
         for example to `[\"npm\", \"ci\"]`.",
        unclean.join("; ")
    )
}

/// Names of files and directories, at any depth of a link, that tools write to on every run. Their contents are not compared.
pub fn left_out() -> &'static [&'static str] {
    &[
        // npm, pnpm and Yarn record here what they installed.
        ".package-lock.json",
        ".modules.yaml",
        ".pnpm-workspace-state.json",
        ".pnpm-workspace-state-v1.json",
        ".yarn-integrity",
        ".yarn-state.yml",
        // Build and test caches.
        ".cache",
        ".vite",
        ".vite-temp",
        ".vitest",
        // Compiled Python: the clean room makes Python ignore it.
        "__pycache__",
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_makes_a_copy_unclean_that_has_changed_or_is_new() {
        let link = |path: &str, digest: &str, changed: &[&str]| Link {
            path: path.to_owned(),
            digest: digest.to_owned(),
            changed: changed.iter().map(|&file| file.to_owned()).collect(),
        };
        let before = Links::from(
            [("node_modules", "a"), ("vendor", "b"), (".venv", "c")]
                .map(|(path, digest)| (path.to_owned(), digest.to_owned())),
        );
        assert!(unclean(&before, &[link("node_modules", "a", &[]), link("vendor", "b", &[])]).is_empty());
        let now = [
            link("node_modules", "x", &[".bin/vitest", "a\nb"]),
            link("vendor", "x", &[]),
            link("test/.env", "x", &[]),
        ];
        assert_eq!(
            unclean(&before, &now),
            [
                "node_modules has changed (.bin/vitest, a b)",
                "vendor has changed",
                "test/.env was not linked before"
            ]
        );
    }
}
