//! What decides how a project's tests run, apart from the tests: scripts, and the settings and setup files of test runners and
//! mutation testing tools. The reviewer and the user see changes of it, but these decide nothing: narrowing a script narrows every
//! check that runs it.
//!
//! The texts of `package.json` and `pyproject.toml` are compared, because they also hold much else; other files count by name.

use super::test_files::is_test;
use design_lab_numerics::sorting::set;
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use serde_json::{Map, Value};

/// A changed setting that decides how tests run, in a file that also holds much else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTestSetting"))]
pub struct TestSetting {
    /// The file, from the root of the tree.
    pub path: String,
    /// The part of the file; `None` when it is unknown, which means the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub part: Option<TestSettingPart>,
}

/// The part of such a file that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTestSettingPart"))]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum TestSettingPart {
    /// A script of `package.json`.
    Script {
        /// Its name.
        name: String,
        /// The script before; `None` when it didn't exist.
        before: Option<String>,
        /// The script now; `None` when it no longer exists.
        after: Option<String>,
    },
    /// The settings of a tool.
    Tool {
        /// The tool.
        name: String,
    },
}

/// A file's contents before and now; each `None` when there is no such file.
pub type Texts = (Option<String>, Option<String>);

/// The length above which a text is not compared.
const LONGEST: usize = 1 << 20;
/// How much of a script is recorded, in characters.
const SCRIPT: usize = 300;

/// Keys of `package.json` that are settings of a test runner.
const RUNNER_KEYS: [&str; 4] = ["ava", "jest", "mocha", "tap"];

/// Whole file names, in lower case.
const NAMES: [&str; 22] = [
    ".npmrc",
    ".pytest.ini",
    ".taprc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "conftest.py",
    "deno.json",
    "deno.jsonc",
    "gnumakefile",
    "jasmine.json",
    "jasmine.mjs",
    "justfile",
    "makefile",
    "nextest.toml",
    "node.config.json",
    "noxfile.py",
    "pytest.ini",
    "pytest.toml",
    "setup.cfg",
    "tox.ini",
    "tox.toml",
];
/// Beginnings of other file names, in lower case.
const BEGINNINGS: [&str; 15] = [
    ".mocharc",
    ".stryker.conf",
    "ava.config.",
    "cypress.config.",
    "jest.config.",
    "karma.conf",
    "mocha.opts",
    "playwright.config.",
    "stryker-conf",
    "stryker.conf",
    "stryker4s.conf",
    "vite.config.",
    "vitest.config.",
    "vitest.workspace.",
    "web-test-runner.config.",
];
/// Words for what a setup file sets up.
const SET_UP: [&str; 9] =
    ["cypress", "global", "jasmine", "jest", "mocha", "playwright", "spec", "test", "vitest"];

/// The paths among these whose texts are compared.
pub fn compared(paths: Vec<String>) -> Vec<String> {
    paths.into_iter().filter(|path| matches!(name_of(path), "package.json" | "pyproject.toml")).collect()
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// The parts of such a file that changed. `texts`: `None` when they are unknown.
pub fn changes(path: &str, texts: Option<Texts>) -> Vec<TestSetting> {
    let of = |part| TestSetting { path: path.to_owned(), part };
    let is_short = |text: &Option<String>| text.as_ref().is_none_or(|text| text.len() <= LONGEST);
    let known = texts.filter(|(before, after)| is_short(before) && is_short(after));
    let Some((before, after)) = known else { return vec![of(None)] };
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    let parts = if name_of(path) == "package.json" {
        in_package(&before, &after)
    } else {
        let differs = |tool: &&str| settings_of(tool, &before) != settings_of(tool, &after);
        let tool = |name: &str| TestSettingPart::Tool { name: name.to_owned() };
        Some(["pytest", "mutmut"].into_iter().filter(differs).map(tool).collect())
    };
    parts.map_or_else(|| vec![of(None)], |parts| parts.into_iter().map(|part| of(Some(part))).collect())
}

/// Returns `None` when one of the two can't be read.
fn in_package(before: &str, after: &str) -> Option<Vec<TestSettingPart>> {
    let (before, after) = (object(before)?, object(after)?);
    let none = Map::new();
    let scripts = |package: &Map<String, Value>| {
        package.get("scripts").and_then(Value::as_object).unwrap_or(&none).clone()
    };
    let (was, is) = (scripts(&before), scripts(&after));
    let names = set(was.keys().chain(is.keys()));
    let shown = |value: &Value| -> String {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.chars().take(SCRIPT).collect()
    };
    let script = |name: &&String| TestSettingPart::Script {
        name: name.chars().take(SCRIPT).collect(),
        before: was.get(*name).map(shown),
        after: is.get(*name).map(shown),
    };
    let differs = |name: &&String| was.get(*name) != is.get(*name);
    let mut parts: Vec<TestSettingPart> =
        names.iter().copied().filter(differs).map(|name| script(&name)).collect();
    let keys = RUNNER_KEYS.iter().filter(|key| before.get(**key) != after.get(**key));
    parts.extend(keys.map(|key| TestSettingPart::Tool { name: (*key).to_owned() }));
    Some(parts)
}

fn object(text: &str) -> Option<Map<String, Value>> {
    if text.trim().is_empty() {
        return Some(Map::new());
    }
    serde_json::from_str(text).ok()
}

/// The lines of a `pyproject.toml` that can contain settings of a tool: those below the tool's own headers, below `[tool]`, and
/// above the first header. Of the latter two, only those that name it, except for pytest, which almost every project has.
fn settings_of<'a>(tool: &str, text: &'a str) -> Vec<&'a str> {
    let (mut is_own, mut may_be) = (false, true);
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') && line.split('#').next().unwrap_or_default().trim_end().ends_with(']') {
            let name = line.trim_start_matches('[').replace([' ', '"', '\''], "");
            let is_header = |header: &str| {
                name.strip_prefix(header).is_some_and(|rest| rest.starts_with([']', '.', '#']))
            };
            (is_own, may_be) = (is_header(&format!("tool.{tool}")), name.starts_with("tool]"));
        }
        if is_own || may_be && (tool == "pytest" || line.contains(tool)) {
            lines.push(line);
        }
    }
    lines
}

/// The files among these that set up a test runner as a whole.
fn setting_up(changed: &[String]) -> Vec<&str> {
    let sets_up = |path: &&str| {
        let name = name_of(path).to_ascii_lowercase();
        let is_cargo = ["config", "config.toml", "mutants.toml"].contains(&name.as_str())
            && path.rsplit('/').nth(1).is_some_and(|folder| folder == ".cargo");
        let is_setup = name.contains("setup") || name.contains("teardown");
        NAMES.contains(&name.as_str())
            || BEGINNINGS.iter().any(|start| name.starts_with(start))
            || is_cargo
            || is_setup && (is_test(path) || SET_UP.iter().any(|word| name.contains(word)))
    };
    changed.iter().map(String::as_str).filter(sets_up).collect()
}

/// The parts of a change that affect how tests run, one line each.
pub(super) fn told_of(changed: &[String], settings: &[TestSetting]) -> Vec<String> {
    let files = setting_up(changed).into_iter().map(str::to_owned);
    settings.iter().map(TestSetting::line).chain(files).map(|line| visible::line(&line)).collect()
}

impl TestSetting {
    fn line(&self) -> String {
        let path = &self.path;
        match &self.part {
            None => path.clone(),
            Some(TestSettingPart::Tool { name }) => format!("settings of {name} in {path}"),
            Some(TestSettingPart::Script { name, before, after }) => {
                let script = format!("script {name} of {path}");
                match (before, after) {
                    (Some(before), Some(after)) => format!("{script} is `{after}` instead of `{before}`"),
                    (Some(before), None) => format!("{script} was removed; it was `{before}`"),
                    (None, after) => format!("{script} is new: `{}`", after.as_deref().unwrap_or_default()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(path: &str, before: Option<&str>, after: Option<&str>) -> Vec<String> {
        let texts = (before.map(str::to_owned), after.map(str::to_owned));
        told_of(&[], &changes(path, Some(texts)))
    }

    #[test]
    fn files_that_set_up_tests_are_known_by_their_names() {
        for path in [
            "jest.config.ts",
            "web/vitest.config.mjs",
            "vite.config.js",
            ".mocharc.yml",
            "ava.config.cjs",
            "playwright.config.ts",
            "karma.conf.js",
            "spec/support/jasmine.json",
            "pytest.ini",
            "tox.ini",
            "setup.cfg",
            "tests/conftest.py",
            ".npmrc",
            ".cargo/config.toml",
            ".config/nextest.toml",
            "Makefile",
            "stryker.conf.json",
            "web/stryker.config.mjs",
            ".stryker.conf.js",
            "stryker-config.json",
            ".cargo/mutants.toml",
            "test/setup.js",
            "jest.setup.js",
            "src/setupTests.ts",
            "vitest.global-setup.ts",
            "global-teardown.ts",
        ] {
            assert_eq!(told_of(&[path.to_owned()], &[]), [path]);
        }
        for path in [
            "src/setup.ts",
            "setup.py",
            "config.toml",
            "src/config.toml",
            "package.json",
            "pyproject.toml",
            "src/makefile.js",
            "docs/jest.md",
            "mutants.toml",
            "docs/stryker.md",
            "test/limits.test.js",
        ] {
            assert!(told_of(&[path.to_owned()], &[]).is_empty(), "{path}");
        }
        let paths = ["package.json", "a/package.json", "pyproject.toml", "package-lock.json", "x.js"];
        let paths = paths.map(str::to_owned).to_vec();
        assert_eq!(compared(paths), ["package.json", "a/package.json", "pyproject.toml"]);
    }

    #[test]
    fn scripts_of_a_package_are_compared_one_by_one() {
        let before = r#"{"name": "x", "scripts": {"test": "node --test", "lint": "eslint .", "old": "x"}}"#;
        let after = r#"{"scripts": {"lint": "eslint .", "test": "node --test test/a.test.js", "pretest": "y"},
                        "dependencies": {"z": "1"}, "jest": {"testMatch": []}}"#;
        assert_eq!(
            lines("package.json", Some(before), Some(after)),
            [
                "script old of package.json was removed; it was `x`",
                "script pretest of package.json is new: `y`",
                "script test of package.json is `node --test test/a.test.js` instead of `node --test`",
                "settings of jest in package.json",
            ]
        );
        assert!(lines("package.json", Some(before), Some(before)).is_empty());
        assert!(
            lines("package.json", Some("{}"), Some(r#"{"dependencies": {"z": "1"}, "scripts": {}}"#))
                .is_empty(),
            "what else a package holds says nothing of its tests"
        );
        assert_eq!(
            lines("web/package.json", None, Some(r#"{"scripts": {"test": "x"}}"#)),
            ["script test of web/package.json is new: `x`"]
        );
        assert_eq!(lines("package.json", Some(before), None).len(), 3);
    }

    #[test]
    fn what_can_not_be_compared_is_reported_as_a_file() {
        assert_eq!(lines("package.json", Some("{}"), Some("{\"scripts\":")), ["package.json"]);
        assert_eq!(told_of(&[], &changes("pyproject.toml", None)), ["pyproject.toml"]);
        let long = " ".repeat(LONGEST + 1);
        assert_eq!(lines("package.json", Some("{}"), Some(&long)), ["package.json"]);
    }

    #[test]
    fn of_a_python_project_what_pytest_reads_is_compared() {
        let text = |version: &str, option: &str| {
            format!(
                "[project]\nversion = \"{version}\"\n\n[tool.pytest.ini_options]\naddopts = \"{option}\"\n\n[tool.ruff]\nx = 1\n"
            )
        };
        let of = |before: &str, after: &str| lines("pyproject.toml", Some(before), Some(after));
        assert!(of(&text("1", "-q"), &text("2", "-q")).is_empty());
        let pytest = ["settings of pytest in pyproject.toml"];
        assert_eq!(of(&text("1", "-q"), &text("1", "-q -k limits")), pytest);
        assert_eq!(of("[project]\nname = 'x'\n", &text("1", "-q")), pytest);
        assert_eq!(of("", "tool.pytest.ini_options.addopts = \"-q\""), pytest);
        assert_eq!(
            of("[tool]\nx = 1", "[tool]\nx = 1\npytest = { ini_options = { addopts = \"-q\" } }"),
            pytest
        );
        assert!(of("[tool.pytest-watch]\nx = 1", "[tool.pytest-watch]\nx = 2").is_empty());
        let mutmut = ["settings of mutmut in pyproject.toml"];
        assert_eq!(of("", "[project]\nname = 'x'\n[tool.mutmut]\ndo_not_mutate = [\"a.py\"]"), mutmut);
        let [before, after] = ["a", "b"].map(|path| format!("[tool]\nmutmut.source_paths = [\"{path}\"]"));
        assert_eq!(of(&before, &after), [pytest, mutmut].concat());
    }

    proptest! {
        #[test]
        fn whatever_the_texts_hold(before in "[\\[\\]{}\":a-z.\n ]{0,60}", after in "[\\[\\]{}\":a-z.\n ]{0,60}") {
            for path in ["package.json", "pyproject.toml"] {
                let _ = lines(path, Some(&before), Some(&after));
                prop_assert!(lines(path, Some(&before), Some(&before)).len() <= 1, "a file that can't be read");
            }
        }
    }
}
