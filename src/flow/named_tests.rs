//! Which changed files are a feature's tests: those that the runners of its checks recognise by their own conventions, and what
//! such tests need alongside them. Only these stay in the copy without the feature.
//!
//! The conventions are those of each runner's documentation, as of October 2026. For an unknown runner, the conventions of all
//! runners count.

use crate::shared::runner;
use crate::shared::runners::Runner;
use std::collections::BTreeSet;

/// Folders of tests and of what tests need, by the conventions of all runners.
const FOLDERS: [&str; 9] = [
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "__fixtures__",
    "__snapshots__",
    "testdata",
    "e2e",
    "cypress",
];
/// Folders whose data belongs to tests, while sources in them are code like any other.
const DATA: [&str; 3] = ["fixtures", "snapshots", "spec"];

const JS: &[&str] = &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
const PY: &[&str] = &["py"];
/// Extensions of source code, as opposed to data.
const SOURCES: [&str; 30] = [
    "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "py", "rs", "go", "rb", "java", "kt", "scala",
    "groovy", "cs", "fs", "php", "c", "cc", "cpp", "h", "hpp", "swift", "zig", "ex", "exs", "vue", "svelte",
];

/// How a runner recognises test files by name.
struct Convention {
    extensions: &'static [&'static str],
    /// The whole name, without its extension.
    whole: &'static [&'static str],
    starts: &'static [&'static str],
    ends: &'static [&'static str],
}

impl Convention {
    fn takes(&self, name: &str) -> bool {
        let Some((stem, extension)) = name.rsplit_once('.') else { return false };
        self.extensions.contains(&extension)
            && (self.whole.contains(&stem)
                || self.starts.iter().any(|start| stem.starts_with(start))
                || self.ends.iter().any(|end| stem.len() > end.len() && stem.ends_with(end)))
    }
}

/// Returns `None` when a runner recognises tests only by their folder, or inside sources.
fn convention(runner: Runner) -> Option<Convention> {
    let (extensions, whole, starts, ends): (_, &'static [_], &'static [_], &'static [_]) = match runner {
        Runner::Cargo | Runner::Nextest => return None,
        Runner::Node => (JS, &["test"], &["test-"], &[".test", "-test", "_test"]),
        Runner::Vitest | Runner::Mocha | Runner::Playwright => (JS, &[], &[], &[".test", ".spec"]),
        Runner::Jest => (JS, &["test", "spec"], &[], &[".test", ".spec"]),
        Runner::Ava => (JS, &["test"], &["test-"], &[".test"]),
        Runner::Tap | Runner::Uvu => (JS, &["test"], &[], &[".test", ".spec"]),
        Runner::Jasmine => (JS, &["spec"], &[], &["spec", "Spec"]),
        Runner::Bun => (JS, &[], &[], &[".test", "_test", ".spec", "_spec"]),
        Runner::Deno => (JS, &["test"], &[], &[".test", "_test"]),
        Runner::Pytest => (PY, &["conftest"], &["test_"], &["_test"]),
        Runner::Unittest => (PY, &[], &["test"], &[]),
        Runner::Go => (&["go"], &[], &[], &["_test"]),
    };
    Some(Convention { extensions, whole, starts, ends })
}

/// Conventions of runners whose output isn't read: for Java and similar languages, for Ruby and Elixir, and for scripts.
const OTHERS: [Convention; 3] = [
    Convention {
        extensions: &["java", "kt", "scala", "groovy", "cs", "fs", "php", "swift"],
        whole: &[],
        starts: &[],
        ends: &["Test", "Tests", "TestCase", "Spec", "IT"],
    },
    Convention {
        extensions: &["rb", "exs"],
        whole: &[],
        starts: &["test_"],
        ends: &["_spec", "_test", "_helper"],
    },
    Convention {
        extensions: &["sh", "bats", "zig", "c", "cc", "cpp"],
        whole: &["test"],
        starts: &["test_"],
        ends: &["_test"],
    },
];

/// Which paths are tests for these runners; for any runner if none is known.
pub(super) struct NamedTests {
    conventions: Vec<Convention>,
    /// Files that the checks themselves name.
    named: Vec<String>,
}

impl NamedTests {
    /// The conventions of these checks, each given with the runners that its output shows.
    pub(super) fn of<'a>(checks: impl Iterator<Item = (&'a [String], &'a [Runner])>) -> Self {
        let (mut runners, mut named) = (BTreeSet::new(), Vec::new());
        let mut all_known = true;
        for (argv, seen) in checks {
            let by_name = runner::summarising(argv);
            if by_name.is_some() {
                // pytest names a test after its file: `tests/api.py::test_a`.
                let files = argv.iter().map(|word| word.split("::").next().unwrap_or(word));
                named.extend(files.map(|file| file.trim_start_matches("./").to_owned()));
            }
            all_known &= by_name.is_some() || !seen.is_empty();
            runners.extend(by_name);
            runners.extend(seen);
        }
        let known: Vec<Runner> = if all_known { runners.into_iter().collect() } else { Runner::ALL.to_vec() };
        let mut conventions: Vec<Convention> = known.into_iter().filter_map(convention).collect();
        if !all_known {
            conventions.extend(OTHERS);
        }
        Self { conventions, named }
    }

    /// Whether this file is a test, or belongs only to tests; the path is from the root of the tree.
    pub(super) fn holds(&self, path: &str) -> bool {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_in = |wanted: &[&str]| folders.split('/').any(|folder| wanted.contains(&folder));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.named.iter().any(|named| named == path)
            || is_in(&FOLDERS)
            || is_in(&DATA) && !SOURCES.contains(&extension)
            || is_in(&["spec"]) && (extension == "rb" || is_in(&["helpers"]))
            || self.conventions.iter().any(|convention| convention.takes(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(checks: &[(&str, &[Runner])]) -> NamedTests {
        let argvs: Vec<Vec<String>> =
            checks.iter().map(|(argv, _)| argv.split(' ').map(str::to_owned).collect()).collect();
        NamedTests::of(argvs.iter().map(Vec::as_slice).zip(checks.iter().map(|(_, seen)| *seen)))
    }

    #[test]
    fn a_runner_names_its_tests() {
        let no_seen: &[Runner] = &[];
        for (argv, seen, tests, code) in [
            (
                "node --test",
                no_seen,
                &["a.test.js", "src/a-test.mjs", "test-limits.js", "test/helper.js", "test.cjs"][..],
                &["src/a.spec.js", "test-utils/copy.js", "src/latest.js", "spec/parser.js", "test_a.py"][..],
            ),
            (
                "npx vitest run",
                no_seen,
                &["src/a.spec.tsx", "src/a.test.ts", "__mocks__/fs.js"],
                &["src/test-utils.ts", "src/spec.ts", "fixtures/plans.ts", "a.test.py"],
            ),
            ("npx jest", no_seen, &["src/__tests__/a.js", "src/test.js"], &["src/attest.js"]),
            (
                "pytest",
                no_seen,
                &["test_a.py", "pkg/a_test.py", "conftest.py", "tests/data/a.json"],
                &["pkg/testing.py", "a.test.js"],
            ),
            ("python -m unittest", no_seen, &["tests_of_a.py", "test_a.py"], &["contest.py"]),
            ("go test ./...", no_seen, &["pkg/a_test.go", "pkg/testdata/a.txt"], &["pkg/fixtures/a.go"]),
            ("cargo test", no_seen, &["tests/api.rs", "src/snapshots/a.snap"], &["src/spec/parse.rs"]),
            // The runner of a script is known from its output.
            ("npm test", &[Runner::Vitest], &["src/a.spec.ts"], &["test-utils.js", "test_a.py"]),
            // For other commands, all conventions count.
            (
                "make check",
                no_seen,
                &[
                    "test_a.py",
                    "a_test.go",
                    "test-a.js",
                    "src/ATest.java",
                    "spec/a_spec.rb",
                    "spec/support/x.rb",
                    "test.sh",
                ],
                &[
                    "spec/parser.js",
                    "src/fixtures/build.js",
                    "src/Latest.java",
                    "src/protest.rs",
                    "README.md",
                ],
            ),
            ("node --test ./checks/limits.js", no_seen, &["checks/limits.js"], &["checks/other.js"]),
            ("pytest checks/limits.py::test_a", no_seen, &["checks/limits.py"], &["checks/other.py"]),
            // A program of the project may be the feature itself.
            ("node src/main.js", no_seen, &["a.test.js"], &["src/main.js"]),
        ] {
            let named = of(&[(argv, seen)]);
            for path in tests {
                assert!(named.holds(path), "{argv}: {path}");
            }
            for path in code {
                assert!(!named.holds(path), "{argv}: {path}");
            }
        }
    }

    #[test]
    fn one_check_of_an_unknown_runner_has_all_conventions_count() {
        let named = of(&[("node --test", &[]), ("make check", &[])]);
        assert!(named.holds("test_a.py") && named.holds("src/a.spec.js"));
        let named = of(&[("node --test", &[]), ("go test", &[])]);
        assert!(named.holds("a_test.go") && named.holds("a.test.js") && !named.holds("test_a.py"));
    }
}
