//! An exam: tests that did not exist while the code was written, by a model that did not write it.

use super::code::FlowCode;
use super::plan::Feature;
use super::review::{TestFileCodes, problems_of_test_file};
use super::schema;
use super::test_files::count;
use crate::shared::citation::Grounds;
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;

/// What an examiner returns: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exam {
    /// New test files.
    pub tests: Vec<ExamTest>,
    /// What no test can examine, and why; empty if everything can be.
    #[serde(default)]
    pub left_out: String,
}

/// A new test file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExamTest {
    /// The file, from the project's root.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub path: String,
    /// The file's contents.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
    /// The id of the check that runs it.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub check: String,
    /// The ids of the criteria that it examines.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub criteria: Vec<String>,
}

const CODES: TestFileCodes = TestFileCodes {
    unknown_check: FlowCode::ExamUnknownCheck,
    outside: FlowCode::ExamPathOutside,
    no_test_file: FlowCode::ExamNoTestFile,
};

impl Exam {
    /// Parses an examiner's reply, or returns everything that is wrong with it.
    pub(super) fn from_reply(value: &Value, asked: &AskedExam<'_>) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, asked);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(value).map_err(|error| vec![DocumentKind::Exam.unreadable(&error)])
    }

    /// Why the exam is ungrounded: its examiner read no file.
    pub(super) fn ungrounded(grounds: Grounds<'_>) -> Vec<Problem> {
        let unread = || {
            Problem::new(FlowCode::ExamUnread, "The examiner has read no file of the project.")
                .at("")
                .allowed("an exam based on the project's files: read them first")
        };
        if grounds.read_nothing() { vec![unread()] } else { Vec::new() }
    }
}

/// What an examiner is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct AskedExam<'a> {
    /// What is examined.
    pub(super) of: &'a Feature,
    /// The ids of the checks that can run its tests.
    pub(super) checks: &'a [String],
    /// How many tests it may have.
    pub(super) most: usize,
}

/// Everything that is wrong with a value as such an exam.
pub(super) fn problems(value: &Value, asked: &AskedExam<'_>) -> Vec<Problem> {
    let AskedExam { of, checks, most } = *asked;
    let mut problems = schema::exam_problems(value);
    let tests = value["tests"].as_array().map_or(&[][..], Vec::as_slice);
    if tests.len() > most {
        problems.push(
            Problem::new(FlowCode::ExamTooMany, "The exam has too many tests.")
                .at("/tests")
                .found(tests.len().to_string())
                .allowed(format!("at most {most}")),
        );
    }
    let checks: Vec<&str> = checks.iter().map(String::as_str).collect();
    let criteria: Vec<&str> = of.acceptance.iter().map(|criterion| criterion.id.as_str()).collect();
    for (index, test) in tests.iter().enumerate() {
        let at = |key: &str| format!("/tests/{index}/{key}");
        problems.extend(problems_of_test_file(test, &at, &checks, &CODES));
        for (place, id) in test["criteria"].as_array().into_iter().flatten().enumerate() {
            let Some(id) = id.as_str().filter(|id| !criteria.contains(id)) else { continue };
            let allowed = criteria.iter().map(|id| quote(id)).collect::<Vec<_>>().join(", ");
            problems.push(
                Problem::new(FlowCode::ExamUnknownCriterion, "The feature has no criterion with this id.")
                    .at(at(&format!("criteria/{place}")))
                    .found(quote(id))
                    .allowed(allowed),
            );
        }
        if tests[..index].iter().any(|other| other["path"] == test["path"]) {
            problems.push(
                Problem::new(FlowCode::ExamDuplicatePath, "Two tests have the same file.")
                    .at(at("path"))
                    .found(quote(test["path"].as_str().unwrap_or_default()))
                    .allowed("one file for each test"),
            );
        }
        let counts = test["text"].as_str().map(count);
        if counts.is_some_and(|counts| counts.assertions == 0) {
            problems.push(
                Problem::new(FlowCode::ExamAssertsNothing, "The test has no assertion.")
                    .at(at("text"))
                    .allowed(
                        "an assertion of the project's test framework that fails if the criterion isn't met",
                    ),
            );
        }
    }
    let says_nothing = value["left_out"].as_str().unwrap_or_default().trim().is_empty();
    if value["tests"].is_array() && tests.is_empty() && says_nothing {
        problems.push(
            Problem::new(FlowCode::ExamWithoutTest, "The exam has no test and gives no reason.")
                .at("/tests")
                .allowed("at least one test, or the reason in left_out"),
        );
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}
