//! The tests of an earlier run: repeated without a model, or kept as the project's own.

use super::code::ValidationCode;
use super::property::FAST_CHECK;
use super::protocol::{Criterion, Models, Subject};
use super::session::Session;
use super::settings::SETTINGS_FILE;
use super::suite::{self, FIXTURE, Suite};
use crate::shared::Rules;
use crate::shared::figures::count;
use crate::shared::schema::quote;
use crate::shared::wrapped::{fitted, unbroken};
use kernel::json::Deserialize;
use kernel::paths::NAME_LENGTH;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

/// The data with which a run repeats the tests of an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationRepeat"))]
pub struct Repeat {
    /// The earlier run.
    pub run: String,
    /// What it validated, with its criteria.
    pub subject: Subject,
    /// The tests that were written for it; `None` when the project's own decided everything.
    pub suite: Option<Suite>,
    /// The models that the earlier run asked. None is asked now.
    pub models: Models,
    /// The seed of fast-check in it; `None` when its tests couldn't use it. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub rule_seed: Option<u32>,
}

/// Tests of a run as files of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationKept"))]
pub struct Kept {
    /// Each file's path from the project's root, and its text.
    pub files: Vec<(String, String)>,
    /// What the user reads once they are written.
    pub wording: String,
}

/// The module that the project's own tests import for Playwright.
const PLAYWRIGHT: &str = "@playwright/test";

/// Folders in which tests are never kept; nor are they kept in a folder whose name begins with a dot.
const NOT_THE_PROJECTS: [&str; 1] = ["node_modules"];

/// What can be repeated of a run, or why nothing can.
pub(super) fn repeat(session: &Session) -> Result<Repeat, Problem> {
    let run = session.directory.name.clone().unwrap_or_default();
    if !session.has_tests() {
        return Err(Problem::new(ValidationCode::NothingToRepeat, "This run has no tests to repeat.")
            .found(run)
            .allowed("a run of /validate whose tests were written and listed")
            .next("Type /validate with the same subject. A model then writes tests."));
    }
    Ok(Repeat {
        run,
        subject: Subject { criteria: session.criteria(), ..session.opening.subject.clone() },
        suite: session.suite.clone(),
        models: session.opening.models.clone(),
        rule_seed: session.opening.rule_seed,
    })
}

impl Session {
    /// Whether there are tests that can be repeated: tests that could be listed, or the project's own.
    pub(super) fn has_tests(&self) -> bool {
        self.number_of_tests() > 0
    }
}

impl Repeat {
    /// What is wrong with the tests as tests that a model may write: a journal can come from anyone.
    pub(super) fn fault(&self, rules: Rules) -> Option<String> {
        let suite = serde_json::to_value(&self.suite).ok().filter(|suite| !suite.is_null())?;
        suite::faults_of_files(&suite, rules, self.rule_seed.is_some())
            .into_iter()
            .next()
            .map(|problem| problem.message)
    }

    /// The tests as files of the project in a directory. `taken`: those of their paths that already exist.
    pub fn kept(&self, directory: &str, taken: &[String]) -> Result<Kept, Problem> {
        let place = place(directory)?;
        let suite = self.suite.iter().flat_map(|suite| &suite.files);
        let files: Vec<(String, String)> =
            suite.map(|file| (format!("{place}/{}", file.path), own(&file.text))).collect();
        if files.is_empty() {
            return Err(Problem::new(ValidationCode::NothingToRepeat, "No test was written for this run.")
                .found(self.run.clone())
                .allowed("a run for which a model wrote tests")
                .next("The tests that this run used already belong to the project."));
        }
        if !taken.is_empty() {
            return Err(Problem::new(ValidationCode::KeepTaken, "Some of the test files already exist.")
                .found(taken.join(", "))
                .allowed("a directory without these files")
                .next("Nothing was written. Name another directory, or move these files away."));
        }
        let wording = wording(&place, &files, &self.subject.criteria);
        Ok(Kept { files, wording })
    }
}

/// A directory of the project's own, without a trailing slash.
fn place(directory: &str) -> Result<String, Problem> {
    let plain = directory.trim().trim_start_matches("./").trim_end_matches('/');
    let is_plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
            && part.len() <= NAME_LENGTH
    };
    if plain.split('/').all(is_plain) && !plain.split('/').any(|part| NOT_THE_PROJECTS.contains(&part)) {
        return Ok(plain.to_owned());
    }
    Err(Problem::new(ValidationCode::KeepDirectory, "Tests can't be kept in this directory.")
        .found(quote(directory))
        .allowed("a directory of the project, relative to its root, such as e2e")
        .next("Type /validate --keep e2e, or another directory."))
}

/// A test's text with Playwright's module instead of the run's own file.
fn own(text: &str) -> String {
    ["\"", "'", "`"].iter().fold(text.to_owned(), |text, quote| {
        text.replace(&format!("{quote}{FIXTURE}{quote}"), &format!("{quote}{PLAYWRIGHT}{quote}"))
    })
}

fn wording(place: &str, files: &[(String, String)], criteria: &[Criterion]) -> String {
    let number = count(files.len() as u64, "test file", "test files");
    let mut out = format!("Kept {number} in {place}:\n");
    for (path, _) in files {
        let _ = writeln!(out, "  {path}");
    }
    let needs_fast_check = files.iter().any(|(_, text)| text.contains(FAST_CHECK));
    let packages =
        if needs_fast_check { format!("{PLAYWRIGHT} {FAST_CHECK}") } else { PLAYWRIGHT.to_owned() };
    let them = if needs_fast_check { "both" } else { "it" };
    let setting = unbroken(&format!("\"tests\": {{ \"directory\": \"{place}\" }}"));
    let _ = write!(
        out,
        "\nTo let these tests decide criteria, add this to {SETTINGS_FILE}:\n  {setting}\n\nThe tests import \
         {}. Install {them} in the project:\n  npm install --save-dev {packages}\n\nThe tags of the tests \
         refer to these criteria:",
        packages.replace(' ', " and ")
    );
    for Criterion { id, text } in criteria {
        let _ = write!(out, "\n  {id}  {}", visible::line(text));
    }
    fitted(&out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::protocol::SubjectSource;
    use crate::validation::suite::SuiteFile;

    fn repeat(text: &str) -> Repeat {
        let file = SuiteFile { path: "sign-in.spec.ts".to_owned(), text: text.to_owned() };
        let criteria = vec![Criterion { id: "C1".to_owned(), text: "A user signs in".to_owned() }];
        let (title, text) = ("Sign in".to_owned(), String::new());
        let model = "acme/model".to_owned();
        Repeat {
            run: "validate-1".to_owned(),
            subject: Subject { title, text, source: SubjectSource::Text, criteria },
            suite: Some(Suite { files: vec![file], untestable: Vec::new() }),
            models: Models { verifier: model.clone(), analyst: model.clone(), tester: model },
            rule_seed: None,
        }
    }

    #[test]
    fn kept_tests_import_playwright_and_say_what_makes_them_count() {
        let kept = repeat("import { test } from './validation';\n").kept("./tests/e2e/", &[]).unwrap();
        let file = ("tests/e2e/sign-in.spec.ts", "import { test } from '@playwright/test';\n");
        assert_eq!(kept.files, [(file.0.to_owned(), file.1.to_owned())]);
        insta::assert_snapshot!(kept.wording, @r#"
        Kept 1 test file in tests/e2e:
          tests/e2e/sign-in.spec.ts

        To let these tests decide criteria, add this to
        .opencode/validation.jsonc:
          "tests": { "directory": "tests/e2e" }

        The tests import @playwright/test. Install it in the project:
          npm install --save-dev @playwright/test

        The tags of the tests refer to these criteria:
          C1  A user signs in
        "#);
    }

    #[test]
    fn tests_of_rules_need_fast_check_where_they_are_kept() {
        let rules = Repeat { rule_seed: Some(7), ..repeat("import fc from 'fast-check';") };
        assert_eq!(rules.fault(Rules::LATEST), None);
        assert!(Repeat { rule_seed: None, ..rules.clone() }.fault(Rules::LATEST).is_some());
        let wording = rules.kept("e2e", &[]).unwrap().wording;
        assert!(wording.contains("import @playwright/test and fast-check."), "{wording}");
        assert!(wording.contains("npm install --save-dev @playwright/test fast-check\n"), "{wording}");
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_lands_outside_the_project() {
        let taken = repeat("x").kept("e2e", &["e2e/sign-in.spec.ts".to_owned()]).unwrap_err();
        assert_eq!(taken.code, ValidationCode::KeepTaken);
        for directory in
            ["", "/", "..", "a/../b", "/etc", ".opencode/x", "node_modules/x", "a//b", "a b", "C:\\x"]
        {
            let problem = repeat("x").kept(directory, &[]).unwrap_err();
            assert_eq!(problem.code, ValidationCode::KeepDirectory, "{directory}");
        }
    }

    #[test]
    fn tests_that_no_model_may_write_are_a_fault() {
        assert_eq!(repeat("import { test } from './validation';").fault(Rules::LATEST), None);
        assert!(repeat("require('child_process')").fault(Rules::LATEST).is_some());
        let mut outside = repeat("x");
        outside.suite.as_mut().unwrap().files[0].path = "../../x.spec.ts".to_owned();
        assert!(outside.fault(Rules::LATEST).is_some());
    }
}
