//! A review: what a reviewer says of a feature, and what it comes to.

use super::code::FlowCode;
use super::plan::Feature;
use super::schema;
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::problem::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a reviewer returns: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Review {
    /// What the reviewer decides.
    pub decision: ReviewDecision,
    /// Every criterion that was asked about.
    pub criteria: Vec<Judged>,
    /// What is wrong, if anything.
    pub findings: Vec<Finding>,
}

/// What a reviewer decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReviewDecision {
    /// The feature is as it should be.
    Approved,
    /// The worker has to mend something.
    NeedsFix,
    /// Something is in the way that a worker can't mend.
    Blocked,
}

/// Whether a criterion is met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Judged {
    /// The criterion's id.
    pub id: String,
    /// Whether it is met.
    pub met: bool,
    /// Where that shows: a file and line, a check's output.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub r#where: String,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The file, from the project's root; empty where it is none in particular.
    #[serde(default)]
    pub file: String,
    /// The line in it, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// What is wrong, and why.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub text: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The feature doesn't work, or does harm.
    Blocking,
    /// It has to be mended before the feature counts as done.
    Major,
    /// It would be better otherwise.
    Minor,
}

impl Finding {
    /// Whether a feature can't be complete with it.
    pub(super) fn is_open(&self) -> bool {
        self.severity != Severity::Minor
    }

    /// In a line, place first.
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
    /// Understands a reviewer's reply, or says all that is wrong with it.
    pub(super) fn from_reply(value: &Value, feature: &Feature) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, feature);
        if !problems.is_empty() {
            return Err(problems);
        }
        serde_json::from_str(&value.to_string())
            .map_err(|error| vec![DocumentKind::Review.unreadable(&error)])
    }

    /// What the review comes to: an approval with an open finding or an unmet criterion is none.
    pub(super) fn verdict(&self) -> ReviewDecision {
        let contradicted =
            self.findings.iter().any(Finding::is_open) || self.criteria.iter().any(|one| !one.met);
        match self.decision {
            ReviewDecision::Approved if contradicted => ReviewDecision::NeedsFix,
            decision => decision,
        }
    }
}

/// All that is wrong with a value as a review of this feature.
pub(super) fn problems(value: &Value, feature: &Feature) -> Vec<Problem> {
    let mut problems = schema::review_problems(value);
    let list = |key: &str| value[key].as_array().map_or(&[][..], Vec::as_slice);
    let judged = list("criteria");
    let known: Vec<&str> = feature.acceptance.iter().map(|criterion| criterion.id.as_str()).collect();
    for (index, one) in judged.iter().enumerate() {
        let Some(id) = one["id"].as_str() else { continue };
        let at = format!("/criteria/{index}/id");
        if !known.contains(&id) {
            let allowed = known.iter().map(|id| quote(id)).collect::<Vec<_>>().join(", ");
            problems.push(
                Problem::new(FlowCode::ReviewUnknownCriterion, "The feature has no such criterion.")
                    .at(at)
                    .found(quote(id))
                    .allowed(allowed),
            );
        } else if judged[..index].iter().any(|other| other["id"] == one["id"]) {
            problems.push(
                Problem::new(FlowCode::ReviewDuplicateCriterion, "The criterion is judged twice.")
                    .at(at)
                    .found(quote(id)),
            );
        }
    }
    for criterion in feature.criteria() {
        if value["criteria"].is_array() && !judged.iter().any(|one| one["id"] == criterion.id.as_str()) {
            problems.push(
                Problem::new(
                    FlowCode::ReviewSkippedCriterion,
                    format!("Nothing is said of the criterion {}.", quote(&criterion.id)),
                )
                .at("/criteria")
                .allowed("an entry for every criterion, met or not, and where that shows"),
            );
        }
    }
    let unmet = judged.iter().any(|one| one["met"] == false);
    let speechless = list("findings").is_empty() && value["findings"].is_array();
    if speechless && (value["decision"] == "blocked" || value["decision"] == "needs_fix" && !unmet) {
        problems.push(
            Problem::new(FlowCode::ReviewNoFinding, "Nothing is named that stands against an approval.")
                .at("/findings")
                .allowed("at least one finding, unless the decision is \"approved\""),
        );
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}
