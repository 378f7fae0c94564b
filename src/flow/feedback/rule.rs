//! A rule of the project: a confirmed piece of feedback, and the files that it is about.

use super::super::test_files::is_test;
use kernel::json::Deserialize;
use serde::Serialize;

/// Stands for test files in a rule's files.
pub(super) const TESTS: &str = "@tests";

/// Endings of documentation, which a rule without files leaves out: it may well name what code may not use.
const PROSE: [&str; 6] = [".md", ".mdx", ".txt", ".rst", ".adoc", ".org"];
/// Files that tools write, which a rule without files leaves out.
const LOCKS: [&str; 14] = [
    "bun.lock",
    "bun.lockb",
    "cargo.lock",
    "composer.lock",
    "flake.lock",
    "gemfile.lock",
    "go.sum",
    "gradle.lockfile",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pipfile.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "yarn.lock",
];

/// A rule of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(test, ts(rename = "FlowProjectRule"))]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub struct ProjectRule {
    /// Its id: lower-case letters, digits and hyphens.
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["no-moment"])))]
    pub id: String,
    /// What it says, as you would say it to a colleague.
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["don't use moment, use date-fns"])))]
    pub say: String,
    /// The text that no change may add. If left out, models read the rule and no machine checks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["moment"])))]
    #[cfg_attr(test, ts(optional))]
    pub pattern: Option<String>,
    /// What to use instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(length(min = 1), extend("examples" = ["date-fns"])))]
    #[cfg_attr(test, ts(optional))]
    pub instead: Option<String>,
    /// The files that it is about, as globs such as `*.ts` or `src/`; `@tests` stands for test files. If left out: every file except
    /// documentation and lock files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(inner(length(min = 1)), extend("examples" = [["*.ts"]])))]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub files: Vec<String>,
}

impl ProjectRule {
    /// Whether the rule is about this file. `path`: from the root of the tree.
    pub(super) fn is_about(&self, path: &str) -> bool {
        are_about(&self.files, path)
    }
}

/// Whether these globs name a file. Without globs, every file counts except documentation and lock files.
pub(super) fn are_about(globs: &[String], path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    if globs.is_empty() {
        let lower = name.to_ascii_lowercase();
        return !PROSE.iter().any(|end| lower.ends_with(end)) && !LOCKS.contains(&lower.as_str());
    }
    globs.iter().any(|glob| {
        if glob == TESTS {
            return is_test(path);
        }
        if let Some(directory) = glob.strip_suffix('/') {
            let mut parents = path.match_indices('/').map(|(end, _)| &path[..end]);
            return parents.any(|parent| matches(directory, parent));
        }
        matches(glob, path)
    })
}

/// Without a `/`, a glob is about names in any directory.
fn matches(glob: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    fast_glob::glob_match(glob, if glob.contains('/') { path } else { name })
}

/// Whether a glob can be used.
pub(super) fn is_glob(glob: &str) -> bool {
    let is_inside = !glob.starts_with(['/', '!']) && !glob.split('/').any(|part| part == "..");
    glob == TESTS || is_inside && fast_glob::validate(glob).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_name_files() {
        for (globs, path, expected) in [
            (&[] as &[&str], "src/a.ts", true),
            (&[], "docs/a.md", false),
            (&[], "package-lock.json", false),
            (&[], "sub/Cargo.lock", false),
            (&["*.ts"], "src/deep/a.ts", true),
            (&["*.ts"], "src/a.tsx", false),
            (&["*.ts", "*.tsx"], "src/a.tsx", true),
            (&["src/**/*.rs"], "src/a/b.rs", true),
            (&["src/**/*.rs"], "tests/a.rs", false),
            (&["src/"], "src/a/b.rs", true),
            (&["src/"], "lib/src/b.rs", true),
            (&["src/api/"], "src/api/b.rs", true),
            (&["src/api/"], "src/apis/b.rs", false),
            (&["@tests"], "test/a.test.js", true),
            (&["@tests"], "src/a.js", false),
            (&["*.md"], "docs/a.md", true),
        ] {
            let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
            assert_eq!(are_about(&globs, path), expected, "{globs:?} {path}");
        }
        assert!(is_glob("*.ts") && is_glob("@tests") && is_glob("src/"));
        assert!(!is_glob("/etc/*") && !is_glob("../a") && !is_glob("!a") && !is_glob("a["));
    }
}
