//! An analyst's description of the user's journeys: their steps, and the gaps in them.

use super::code::ValidationCode;
use super::schema;
use crate::shared::citation::{Citation, Grounds};
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use design_lab_numerics::sorting::sort_by_key;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::Value;

/// An analyst's answer: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The goals of users, and how they reach them.
    #[cfg_attr(test, schemars(length(min = 1, max = 50)))]
    pub journeys: Vec<Journey>,
    /// The points at which a journey can't be completed.
    #[cfg_attr(test, schemars(length(max = 100)))]
    pub gaps: Vec<Gap>,
    /// Whether the model is known to have read no file. Never set by an answer.
    #[serde(skip_deserializing, skip_serializing_if = "is_false")]
    #[cfg_attr(test, schemars(skip))]
    pub unread: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A goal of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Journey {
    /// `J1`, `J2`, ….
    pub id: String,
    /// A one-line title.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub title: String,
    /// The user's steps, in order.
    #[cfg_attr(test, schemars(length(min = 1, max = 50), inner(length(min = 1))))]
    pub steps: Vec<String>,
}

/// A point at which a journey can't be completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Gap {
    /// `G1`, `G2`, ….
    pub id: String,
    /// How bad it is.
    pub severity: GapSeverity,
    /// What is missing.
    pub r#type: GapType,
    /// The id of the journey.
    pub journey: String,
    /// The evidence: a file and line, and what a user would experience there.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub evidence: String,
    /// Why the gap is less certain than the model claims, for people. Never set by an answer.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    pub doubt: Option<String>,
}

impl Gap {
    /// The gap with any doubt about its evidence. It remains a gap: the user decides about it.
    fn grounded(mut self, grounds: Grounds<'_>) -> Self {
        let faults = || Citation::all_in(&self.evidence).iter().find_map(|cited| grounds.fault(cited));
        self.doubt = if grounds.read_nothing() {
            Some("the model read no file".to_owned())
        } else {
            faults().map(|fault| format!("the model cites {fault}"))
        };
        self
    }
}

/// How bad a gap is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GapSeverity {
    /// The journey is impossible.
    Blocker,
    /// Users get stuck in a case that they will encounter.
    Major,
    /// It could be better.
    Minor,
}

/// What is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapType {
    /// A step that nothing supports.
    MissingStep,
    /// A place from which users can't continue.
    DeadEnd,
    /// The handling of an error.
    ErrorPath,
    /// Something that has to be remembered but isn't.
    State,
    /// The rules for who may do it.
    Access,
    /// Data that has to exist but doesn't.
    Data,
}

impl GapSeverity {
    /// In a word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Blocker => "blocker",
            Self::Major => "major",
            Self::Minor => "minor",
        }
    }
}

impl GapType {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::MissingStep => "missing step",
            Self::DeadEnd => "dead end",
            Self::ErrorPath => "error path",
            Self::State => "state",
            Self::Access => "access",
            Self::Data => "data",
        }
    }
}

impl Analysis {
    /// Parses an analyst's reply, or returns everything that is wrong with it.
    pub(super) fn from_reply(value: &Value) -> Result<Self, Vec<Problem>> {
        let problems = problems(value);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(value).map_err(|error| vec![DocumentKind::Analysis.unreadable(&error)])
    }

    /// The paths that it cites.
    pub(super) fn cited(&self) -> Vec<String> {
        let cited = self.gaps.iter().flat_map(|gap| Citation::all_in(&gap.evidence));
        cited.map(|cited| cited.path).collect()
    }

    /// Each gap with any doubt about its evidence.
    pub(super) fn grounded(mut self, grounds: Grounds<'_>) -> Self {
        self.gaps = self.gaps.into_iter().map(|gap| gap.grounded(grounds)).collect();
        self.unread = grounds.read_nothing();
        self
    }

    /// The gaps, the worst first, grouped by type.
    pub(super) fn sorted_gaps(&self) -> Vec<&Gap> {
        let mut gaps: Vec<&Gap> = self.gaps.iter().collect();
        sort_by_key(&mut gaps, |gap| (gap.severity, gap.r#type));
        gaps
    }
}

/// Everything that is wrong with a value as an analysis.
pub(super) fn problems(value: &Value) -> Vec<Problem> {
    let mut problems = schema::analysis_problems(value);
    let list = |key: &str| value[key].as_array().map_or(&[][..], Vec::as_slice);
    for (key, letter) in [("journeys", 'J'), ("gaps", 'G')] {
        for (index, one) in list(key).iter().enumerate() {
            let Some(id) = one["id"].as_str() else { continue };
            let at = format!("/{key}/{index}/id");
            if !is_numbered(id, letter) {
                problems.push(
                    Problem::new(ValidationCode::MalformedId, "An id must be a letter followed by a number.")
                        .at(at)
                        .found(quote(id))
                        .allowed(format!("\"{letter}1\", \"{letter}2\", …")),
                );
            } else if list(key)[..index].iter().any(|other| other["id"] == one["id"]) {
                problems.push(
                    Problem::new(ValidationCode::DuplicateId, "Two entries have the same id.")
                        .at(at)
                        .found(quote(id)),
                );
            }
        }
    }
    let journeys: Vec<&str> = list("journeys").iter().filter_map(|one| one["id"].as_str()).collect();
    for (index, gap) in list("gaps").iter().enumerate() {
        if let Some(journey) = gap["journey"].as_str().filter(|journey| !journeys.contains(journey)) {
            problems.push(
                Problem::new(ValidationCode::UnknownJourney, "No journey has this id.")
                    .at(format!("/gaps/{index}/journey"))
                    .found(quote(journey))
                    .allowed("the id of an entry in `journeys`"),
            );
        }
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}

/// Whether an id is this letter and a number.
pub(super) fn is_numbered(id: &str, letter: char) -> bool {
    let number = id.strip_prefix(letter).unwrap_or_default();
    (1..=3).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !number.starts_with('0')
}
