//! The tests that a model wrote, before any of them runs: the names of their files, what they may access, and that each criterion is
//! named.
//!
//! These checks keep well-meant tests honest: they are no sandbox. Test code runs in Node.js with the user's rights, as the
//! project's own tests do.

use super::code::ValidationCode;
use super::own::Own;
use super::property::FAST_CHECK;
use super::protocol::Criterion;
use super::schema;
use super::tokens::Token::{Mark, Text, Word};
use super::tokens::tokens;
use crate::shared::Rules;
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;

/// A tester's answer: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSuite"))]
pub struct Suite {
    /// Test files for Playwright Test.
    #[cfg_attr(test, schemars(length(max = 50)))]
    pub files: Vec<SuiteFile>,
    /// The criteria that no test in a browser can decide.
    #[serde(default)]
    pub untestable: Vec<Untestable>,
}

/// A test file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationSuiteFile"))]
pub struct SuiteFile {
    /// Its name, which ends in `.spec.ts`.
    pub path: String,
    /// Its full text.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
}

/// A criterion that no test in a browser can decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationUntestable"))]
pub struct Untestable {
    /// Its id.
    pub criterion: String,
    /// Why not.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub why: String,
}

/// The module that a test file imports. The only other one is fast-check, where it is available.
pub(super) const FIXTURE: &str = "./validation";
/// The longest name of a test file.
const LONGEST_NAME: usize = 80;

impl Suite {
    /// Parses a tester's reply, or returns everything that is wrong with it.
    pub(super) fn from_reply(
        value: &Value,
        criteria: &[Criterion],
        own: Option<&Own>,
        rules: Rules,
        fast_check: bool,
    ) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, criteria, own, rules, fast_check);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(value).map_err(|error| vec![DocumentKind::Suite.unreadable(&error)])
    }

    /// The paths of its files, relative to the run's directory.
    pub(super) fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| place(&file.path)).collect()
    }

    /// Why no test decides a criterion, if the tester gave a reason.
    pub(super) fn untestable(&self, criterion: &str) -> Option<&str> {
        self.untestable.iter().find(|one| one.criterion == criterion).map(|one| one.why.as_str())
    }
}

/// The path of a test file, relative to the run's directory.
pub(super) fn place(name: &str) -> String {
    format!("tests/{name}")
}

/// The tag by which a test names a criterion.
pub(super) fn tag(criterion: &str) -> String {
    format!("@{criterion}")
}

/// Everything that is wrong with the files alone: their form, their names, and what they access. `fast_check`: whether they may import it.
pub(super) fn faults_of_files(value: &Value, rules: Rules, fast_check: bool) -> Vec<Problem> {
    let unsuitable = |text: &str| {
        if rules.want_single_criteria() { unsuitable(text, fast_check) } else { unsuitable_by_words(text) }
    };
    let modules =
        if fast_check { format!("\"{FIXTURE}\" and \"{FAST_CHECK}\"") } else { format!("\"{FIXTURE}\"") };
    let mut problems = schema::suite_problems(value);
    let files = value["files"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, file) in files.iter().enumerate() {
        let at = |key: &str| format!("/files/{index}/{key}");
        if let Some(path) = file["path"].as_str() {
            if !is_spec(path) {
                problems.push(
                    Problem::new(ValidationCode::MalformedPath, "The name of a test file is invalid.")
                        .at(at("path"))
                        .found(quote(path))
                        .allowed("lower-case letters, digits and hyphens, then .spec.ts; no directory"),
                );
            } else if files[..index].iter().any(|other| other["path"] == file["path"]) {
                problems.push(
                    Problem::new(ValidationCode::DuplicateId, "Two files have this name.")
                        .at(at("path"))
                        .found(quote(path)),
                );
            }
        }
        for unsuitable in file["text"].as_str().map(unsuitable).unwrap_or_default() {
            problems.push(
                Problem::new(ValidationCode::UnsuitableTest, "A test must not do this.")
                    .at(at("text"))
                    .found(quote(&unsuitable))
                    .allowed(format!(
                        "imports from {modules} alone; no files, processes or code made at run time; no `only`, `fail` or `configure`"
                    )),
            );
        }
    }
    problems
}

/// Everything that is wrong with a value as tests of these criteria. Criteria that the project's own tests decide need none.
pub(super) fn problems(
    value: &Value,
    criteria: &[Criterion],
    own: Option<&Own>,
    rules: Rules,
    fast_check: bool,
) -> Vec<Problem> {
    let mut problems = faults_of_files(value, rules, fast_check);
    let list = |key: &str| value[key].as_array().map_or(&[][..], Vec::as_slice);
    let files = list("files");
    for (index, one) in list("untestable").iter().enumerate() {
        let id = one["criterion"].as_str();
        if let Some(id) = id.filter(|id| !criteria.iter().any(|criterion| criterion.id == *id)) {
            let known = criteria.iter().map(|criterion| quote(&criterion.id)).collect::<Vec<_>>().join(", ");
            problems.push(
                Problem::new(ValidationCode::UnknownCriterion, "There is no criterion with this id.")
                    .at(format!("/untestable/{index}/criterion"))
                    .found(quote(id))
                    .allowed(known),
            );
        }
    }
    let names = |criterion: &str| {
        let tag = tag(criterion);
        files.iter().filter_map(|file| file["text"].as_str()).any(|text| holds(text, &tag))
    };
    for Criterion { id, .. } in criteria {
        let is_left_out = list("untestable").iter().any(|one| one["criterion"] == id.as_str())
            || own.is_some_and(|own| own.of(id).next().is_some());
        if value["files"].is_array() && !is_left_out && !names(id) {
            problems.push(
                Problem::new(ValidationCode::SkippedCriterion, format!("No test has the tag {}.", tag(id)))
                    .at("/files")
                    .allowed("one test for every criterion, or its id in `untestable` with the reason"),
            );
        }
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}

fn is_spec(path: &str) -> bool {
    let stem = path.strip_suffix(".spec.ts").unwrap_or_default();
    path.len() <= LONGEST_NAME
        && stem.starts_with(|c: char| c.is_ascii_alphanumeric())
        && stem.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Whether a text contains a tag that isn't the beginning of a longer one.
fn holds(text: &str, tag: &str) -> bool {
    text.split(tag).skip(1).any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// The code with which a test file accesses something beyond the browser, or that no test may use.
fn unsuitable(text: &str, fast_check: bool) -> Vec<String> {
    const NAMES: [&str; 8] =
        ["require", "process", "globalThis", "global", "module", "mainModule", "eval", "Function"];
    let tokens = tokens(text);
    let at = |index: usize| tokens.get(index).copied();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(at);
        let [next, after] = [at(index + 1), at(index + 2)];
        let is_member = before == Some(Mark('.'));
        let is_called = next == Some(Mark('('));
        // The key of an object is no use of a name.
        let is_key = next == Some(Mark(':')) && matches!(before, Some(Mark('{' | ',')));
        let fault = match (*token, next) {
            (Word("from" | "import"), Some(Text(FIXTURE))) => None,
            (Word("from"), Some(Text(FAST_CHECK))) if fast_check => None,
            (Word(word @ ("from" | "import")), Some(Text(name))) if !is_member => {
                Some(format!("{word} \"{name}\""))
            }
            (Word("import"), _) if is_called && !is_member => Some("import(".to_owned()),
            (Word(word), _) if NAMES.contains(&word) && !is_member && !is_key => Some(word.to_owned()),
            (Word(word @ ("require" | "constructor" | "mainModule")), _) if is_member => {
                Some(format!(".{word}"))
            }
            // Also as a key: taking a function apart yields it.
            (Word("constructor"), _) => Some("constructor".to_owned()),
            (Word(word @ ("only" | "fail" | "configure")), _) if is_member && is_called => {
                Some(format!(".{word}("))
            }
            (Text(word @ ("only" | "fail" | "configure")), Some(Mark(']')))
                if before == Some(Mark('[')) && after == Some(Mark('(')) =>
            {
                Some(format!("[\"{word}\"]("))
            }
            (Text(word @ ("require" | "constructor" | "mainModule" | "process")), Some(Mark(']')))
                if before == Some(Mark('[')) =>
            {
                Some(format!("[\"{word}\"]"))
            }
            _ => None,
        };
        found.extend(fault.filter(|fault| !found.contains(fault)));
    }
    found
}

/// The same as runs judged it that were opened before [`Rules::SingleCriterion`]: by words, also in strings and comments.
fn unsuitable_by_words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        before = rest[..start].trim_end().chars().next_back().unwrap_or(before);
        rest = &rest[start..];
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let next = after.trim_start();
        let is_called = next.starts_with('(');
        let is_used = next
            .strip_prefix(['.', '['])
            .is_some_and(|more| more.starts_with(['"', '\'']) || more.starts_with(is_word));
        let is_member = before == '.';
        let fault = match word {
            "from" | "import" => {
                quoted(next).filter(|name| *name != FIXTURE).map(|name| format!("{word} \"{name}\""))
            }
            "require" | "eval" | "Function" if is_called => Some(format!("{word}(")),
            "process" | "globalThis" if is_used && !is_member => Some(word.to_owned()),
            "only" | "fail" | "configure" if is_member && is_called => Some(format!(".{word}(")),
            _ => None,
        };
        let fault = fault.or_else(|| (word == "import" && is_called).then(|| "import(".to_owned()));
        found.extend(fault.filter(|fault| !found.contains(fault)));
        before = ' ';
        rest = after;
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The quoted text at the beginning of this.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    text[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reaches_the_browser_and_nothing_else() {
        for (text, expected) in [
            (
                "import { expect, test } from \"./validation\";\ntest('a', { tag: '@C1' }, async ({ page }) => {});",
                vec![],
            ),
            ("import { test } from '@playwright/test';", vec!["from \"@playwright/test\""]),
            ("import fs from \"node:fs\"; import 'dotenv';", vec!["from \"node:fs\"", "import \"dotenv\""]),
            ("export * from '../src/server';", vec!["from \"../src/server\""]),
            ("const fs = await import ('node:fs');", vec!["import("]),
            ("require('child_process').exec('x')", vec!["require"]),
            ("process.exit(0)", vec!["process"]),
            ("eval('1'); new Function('x')", vec!["eval", "Function"]),
            (
                "test.only('a', f); test.fail(); test.describe.configure({ retries: 3 });",
                vec![".only(", ".fail(", ".configure("],
            ),
            (
                "await expect(page.getByText('Processing. Your process: done')).toBeVisible(); // you fail (once)",
                vec![],
            ),
            ("expect(await page.evaluate(() => window.data.process.id)).toBe(1)", vec![]),
            ("await expect(row).toHaveText(\"Moved from 'drafts', by import('x')\");", vec![]),
            ("const { process: id } = await answer.json(); // require('fs')", vec![]),
            ("await page.getByText(/^from \"here\"$/).click();", vec![]),
            ("page.getByText(`from '${name}'`)", vec![]),
            ("const p = process; p.exit(0)", vec!["process"]),
            ("module.require('node:fs')", vec!["module", ".require"]),
            ("global.process.env", vec!["global"]),
            ("const load = on ? require : 0;", vec!["require"]),
            ("const { constructor: Made } = () => {};", vec!["constructor"]),
            ("x! / 2, process.exit(0); // a / b", vec!["process"]),
            ("i++ / 2; process.exit(0)", vec!["process"]),
            ("expect(rows).toEqual([{ module: 1, global: 2 }]);", vec![]),
            ("const load = require; `${load('fs')}`", vec!["require"]),
            (
                "import/**/('node:fs'); globalThis\n['process']",
                vec!["import(", "globalThis", "[\"process\"]"],
            ),
            ("(() => {}).constructor('return process')()", vec![".constructor"]),
            (
                "(() => {})[\"constructor\"]('x')(); test [ 'only' ] ('a', f)",
                vec!["[\"constructor\"]", "[\"only\"]("],
            ),
            ("test.skip('later', f)", vec![]),
        ] {
            assert_eq!(unsuitable(text, false), expected, "{text}");
        }
    }

    #[test]
    fn fast_check_is_imported_only_where_it_is_available_and_nothing_beside_it() {
        for (text, without, with) in [
            ("import fc from \"fast-check\";", vec!["from \"fast-check\""], vec![]),
            ("import * as fc from 'fast-check';", vec!["from \"fast-check\""], vec![]),
            (
                "import fc from \"fast-check/lib\";",
                vec!["from \"fast-check/lib\""],
                vec!["from \"fast-check/lib\""],
            ),
            ("await import('fast-check')", vec!["import("], vec!["import("]),
            ("require('fast-check')", vec!["require"], vec!["require"]),
            ("import { assert } from \"pure-rand\";", vec!["from \"pure-rand\""], vec!["from \"pure-rand\""]),
        ] {
            assert_eq!(unsuitable(text, false), without, "{text}");
            assert_eq!(unsuitable(text, true), with, "{text}");
        }
    }

    #[test]
    fn a_tag_is_whole() {
        for (text, expected) in
            [("tag: '@C1'", true), ("@C1 @C2", true), ("'@C12'", false), ("@C12 @C1", true)]
        {
            assert_eq!(holds(text, "@C1"), expected, "{text}");
        }
        for (path, expected) in [
            ("sign-in.spec.ts", true),
            ("a.spec.ts", true),
            ("../a.spec.ts", false),
            ("tests/a.spec.ts", false),
            (".spec.ts", false),
            ("a.spec.js", false),
            ("A.spec.ts", false),
            ("validation.ts", false),
        ] {
            assert_eq!(is_spec(path), expected, "{path}");
        }
    }
}
