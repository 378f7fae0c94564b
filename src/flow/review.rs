//! A review: a reviewer's answer about a feature, and its outcome.

use super::code::FlowCode;
use super::plan::{Criterion, Feature};
use super::schema;
use super::test_files::is_test;
use crate::shared::citation::{Citation, Grounds};
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// What a reviewer returns: one JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Review {
    /// The reviewer's decision.
    pub decision: ReviewDecision,
    /// A judgement of every criterion that was asked about.
    pub criteria: Vec<Judged>,
    /// What is wrong, if anything.
    pub findings: Vec<Finding>,
}

/// What a request to a reviewer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// The whole review.
    Everything,
    /// The decision and the findings.
    Findings {
        /// Whether requests about criteria follow.
        criteria: bool,
    },
    /// A judgement of these criteria.
    Criteria(&'a [Criterion]),
}

/// A reviewer's decision, the most favourable first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// The feature is as it should be.
    Approved,
    /// The worker has to fix something.
    #[default]
    NeedsFix,
    /// Something blocks the feature that a worker can't fix.
    Blocked,
}

/// The outcome of a review once its findings were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// The reviewer approved, and nothing in its review contradicts that.
    Approved,
    /// The worker has to fix something.
    NeedsFix,
    /// Something blocks the feature that a worker can't fix.
    Blocked,
    /// Everything that the reviewer reported was tried and does not happen. That is no approval: the reviewer is asked again.
    Refuted,
}

/// Whether a criterion is met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// The criterion's id.
    pub id: String,
    /// Whether it is met.
    pub met: bool,
    /// The evidence for that: a file and line, or a check's output.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub r#where: String,
}

/// Something that is wrong with the feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The file, from the project's root; empty if the finding isn't about a particular file.
    #[serde(default)]
    pub file: String,
    /// The line in the file, counted from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// What is wrong, and why.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
    /// A test that shows it, if there can be one.
    #[serde(default)]
    pub reproducer: Option<Reproducer>,
}

/// A test file that makes a check of the plan fail if the finding is right. It runs in a copy of the project's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reproducer {
    /// The file, from the project's root.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub path: String,
    /// The file's contents.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
    /// The id of the check that it makes fail.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub check: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The feature doesn't work, or does harm.
    Blocking,
    /// It has to be fixed before the feature counts as done.
    Major,
    /// It would be better done differently.
    Minor,
}

impl Judged {
    fn cited(&self) -> Vec<Citation> {
        Citation::all_in(&self.r#where)
    }
}

impl Finding {
    /// The line that it points to. A file without a line may be one that is missing.
    fn cited(&self) -> Option<Citation> {
        Citation::of(&self.file, self.line).filter(|cited| cited.line.is_some())
    }

    /// Whether a feature with this finding can't be complete.
    pub(super) fn is_open(&self) -> bool {
        self.severity != Severity::Minor
    }

    /// The finding in one line, with its place first.
    pub(super) fn line(&self) -> String {
        let place = match (self.file.as_str(), self.line) {
            ("", _) => String::new(),
            (file, Some(line)) => format!("{file}:{line}: "),
            (file, None) => format!("{file}: "),
        };
        let severity = match self.severity {
            Severity::Blocking => "blocking",
            Severity::Major => "major",
            Severity::Minor => "minor",
        };
        format!("{severity}: {place}{}", self.text)
    }
}

impl Review {
    /// Parses a reviewer's reply, or returns everything that is wrong with it. What wasn't asked for is empty.
    pub(super) fn from_reply(
        value: &Value,
        feature: &Feature,
        asked: Asked<'_>,
    ) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, feature, asked);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(&completed(value, asked))
            .map_err(|error| vec![DocumentKind::Review.unreadable(&error)])
    }

    /// The paths that it cites.
    pub(super) fn cited(&self) -> Vec<String> {
        let criteria = self.criteria.iter().flat_map(Judged::cited);
        criteria.chain(self.findings.iter().filter_map(Finding::cited)).map(|cited| cited.path).collect()
    }

    /// Why the review is ungrounded: its reviewer read no file, or it cites places that don't exist. `changed`: the changed paths,
    /// some of which the change may have removed.
    pub(super) fn ungrounded(&self, grounds: Grounds<'_>, changed: &[String]) -> Vec<Problem> {
        if grounds.read_nothing() {
            let unread =
                Problem::new(FlowCode::ReviewUnread, "The reviewer has read no file of the project.");
            return vec![unread.at("").allowed("a review based on the changed files: read them first")];
        }
        let is_gone = |cited: &Citation| {
            cited.line.is_none() && changed.iter().any(|path| Path::new(path).ends_with(&cited.path))
        };
        let fault = |cited: &Citation| grounds.fault(cited).filter(|_| !is_gone(cited));
        let problem = |at: String, fault: String| {
            Problem::new(FlowCode::ReviewCitation, "The cited place doesn't exist.")
                .at(at)
                .found(fault)
                .allowed("a file of the project and a line in it that you have read")
        };
        let criteria = self.criteria.iter().enumerate().filter(|(_, one)| one.met);
        let criteria = criteria.filter_map(|(index, one)| {
            let fault = one.cited().iter().find_map(fault)?;
            Some(problem(format!("/criteria/{index}/where"), fault))
        });
        let findings = self.findings.iter().enumerate().filter_map(|(index, one)| {
            let fault = one.cited().as_ref().and_then(fault)?;
            Some(problem(format!("/findings/{index}/file"), fault))
        });
        criteria.chain(findings).collect()
    }

    /// The review's verdict. An approval with an open finding or an unmet criterion doesn't count as one. Findings that were tried
    /// and don't happen, given by their indexes, are ignored.
    pub(super) fn verdict(&self, unconfirmed: &[usize]) -> Verdict {
        let is_open = |(index, one): (usize, &Finding)| one.is_open() && !unconfirmed.contains(&index);
        let contradicted =
            self.findings.iter().enumerate().any(is_open) || self.criteria.iter().any(|one| !one.met);
        match self.decision {
            ReviewDecision::Approved if contradicted => Verdict::NeedsFix,
            ReviewDecision::Approved => Verdict::Approved,
            _ if !contradicted && !unconfirmed.is_empty() => Verdict::Refuted,
            ReviewDecision::NeedsFix => Verdict::NeedsFix,
            ReviewDecision::Blocked => Verdict::Blocked,
        }
    }
}

/// An answer as a whole review. Criteria that weren't asked for don't count, because each is asked for later. A decision and findings
/// that weren't asked for do count: nothing that a reviewer found is lost.
fn completed(value: &Value, asked: Asked<'_>) -> Value {
    let mut value = value.clone();
    let Some(fields) = value.as_object_mut() else { return value };
    match asked {
        Asked::Everything => {}
        Asked::Findings { .. } => _ = fields.insert("criteria".to_owned(), json!([])),
        Asked::Criteria(_) => {
            for (key, unasked) in [("decision", json!("approved")), ("findings", json!([]))] {
                fields.entry(key).or_insert(unasked);
            }
        }
    }
    value
}

/// Everything that is wrong with a value as an answer about this feature.
pub(super) fn problems(value: &Value, feature: &Feature, asked: Asked<'_>) -> Vec<Problem> {
    let value = &completed(value, asked);
    let mut problems = schema::review_problems(value);
    let list = |key: &str| value[key].as_array().map_or(&[][..], Vec::as_slice);
    let judged = list("criteria");
    let (known, needed): (Vec<&Criterion>, Vec<&Criterion>) = match asked {
        Asked::Everything => (feature.acceptance.iter().collect(), feature.criteria().collect()),
        Asked::Findings { .. } => (Vec::new(), Vec::new()),
        Asked::Criteria(group) => (group.iter().collect(), group.iter().collect()),
    };
    for (index, one) in judged.iter().enumerate() {
        let Some(id) = one["id"].as_str() else { continue };
        let at = format!("/criteria/{index}/id");
        if !known.iter().any(|criterion| criterion.id == id) {
            let allowed = known.iter().map(|criterion| quote(&criterion.id)).collect::<Vec<_>>().join(", ");
            let message = match asked {
                Asked::Criteria(_) => "No criterion with this id was asked for.",
                _ => "The feature has no criterion with this id.",
            };
            problems.push(
                Problem::new(FlowCode::ReviewUnknownCriterion, message)
                    .at(at)
                    .found(quote(id))
                    .allowed(allowed),
            );
        } else if judged[..index].iter().any(|other| other["id"] == one["id"]) {
            problems.push(
                Problem::new(FlowCode::ReviewDuplicateCriterion, "The review judges this criterion twice.")
                    .at(at)
                    .found(quote(id)),
            );
        }
    }
    for criterion in needed {
        if value["criteria"].is_array() && !judged.iter().any(|one| one["id"] == criterion.id.as_str()) {
            problems.push(
                Problem::new(
                    FlowCode::ReviewSkippedCriterion,
                    format!("The review skips the criterion {}.", quote(&criterion.id)),
                )
                .at("/criteria")
                .allowed("an entry for every criterion: whether it is met, and where you saw that"),
            );
        }
    }
    let checks: Vec<&str> = feature.verification.iter().map(|check| check.id.as_str()).collect();
    for (index, finding) in list("findings").iter().enumerate() {
        let at = |key: &str| format!("/findings/{index}/reproducer/{key}");
        problems.extend(problems_of_test_file(&finding["reproducer"], &at, &checks, &CODES));
    }
    let unmet = judged.iter().any(|one| one["met"] == false);
    let speechless = list("findings").is_empty() && value["findings"].is_array();
    if speechless && (value["decision"] == "blocked" || value["decision"] == "needs_fix" && !unmet) {
        problems.push(
            Problem::new(FlowCode::ReviewNoFinding, "The review doesn't approve, but names no finding.")
                .at("/findings")
                .allowed("at least one finding, unless the decision is \"approved\""),
        );
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}

/// The codes of problems with a new test file that can't be run.
pub(super) struct TestFileCodes {
    pub(super) unknown_check: FlowCode,
    pub(super) outside: FlowCode,
    pub(super) no_test_file: FlowCode,
}

const CODES: TestFileCodes = TestFileCodes {
    unknown_check: FlowCode::ReviewUnknownCheck,
    outside: FlowCode::ReviewPathOutside,
    no_test_file: FlowCode::ReviewNoTestFile,
};

/// Everything that is wrong with a new test file: its `path`, and the `check` that runs it. `checks`: the ids of the available
/// checks.
pub(super) fn problems_of_test_file(
    value: &Value,
    at: &dyn Fn(&str) -> String,
    checks: &[&str],
    codes: &TestFileCodes,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(check) = value["check"].as_str().filter(|check| !checks.contains(check)) {
        let allowed = checks.iter().map(|id| quote(id)).collect::<Vec<_>>().join(", ");
        problems.push(
            Problem::new(codes.unknown_check, "No check has this id.")
                .at(at("check"))
                .found(quote(check))
                .allowed(allowed),
        );
    }
    let Some(path) = value["path"].as_str() else { return problems };
    if !is_inside(path) {
        problems.push(
            Problem::new(
                codes.outside,
                "The path isn't relative to the project's root, or is inside .git or .flow.",
            )
            .at(at("path"))
            .found(quote(path))
            .allowed(
                "a path relative to the project's root, with / between its parts, and not inside .git or \
                 .flow",
            ),
        );
    } else if !is_test(path) {
        problems.push(
            Problem::new(codes.no_test_file, "The path doesn't look like a test file.")
                .at(at("path"))
                .found(quote(path))
                .allowed("a new file that the check runs, named like the project's tests"),
        );
    }
    problems
}

/// Whether a path names a file of the project: relative to its root, never outside it, and not in the directories of git or Flow.
fn is_inside(path: &str) -> bool {
    /// The longest name of a file, and the longest path, that every system can create in a copy, in bytes.
    const LONGEST: (usize, usize) = (200, 1_000);
    let is_plain = |part: &str| {
        let kept = [".git", ".flow"].iter().any(|kept| part.eq_ignore_ascii_case(kept));
        !part.is_empty() && part.len() <= LONGEST.0 && part != "." && part != ".." && !kept
    };
    path.len() <= LONGEST.1 && !path.contains(['\\', '\0', ':']) && path.split('/').all(is_plain)
}
