//! A verifier's opinion on the criteria. It proves nothing: it guides the run, and lists the criteria if none were given.

use super::code::ValidationCode;
use super::protocol::Criterion;
use super::schema;
use crate::shared::citation::{Citation, Grounds};
use crate::shared::schema::{DocumentKind, quote, sort_problems};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write as _;

/// A verifier's answer: one JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Verification {
    /// Every criterion.
    #[cfg_attr(test, schemars(length(min = 1, max = 100)))]
    pub criteria: Vec<Opinion>,
}

/// A verifier's opinion on one criterion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Opinion {
    /// The criterion's id.
    pub id: String,
    /// What must be true; used only if no criteria were given.
    #[serde(default)]
    pub text: String,
    /// Whether it is met.
    pub verdict: Opined,
    /// The file that shows it, relative to the project's root; empty if there is no particular one.
    #[serde(default)]
    pub file: String,
    /// The line in it, from 1.
    #[serde(default)]
    pub line: Option<u32>,
    /// What the file shows there.
    #[serde(default)]
    pub note: String,
    /// Why the verdict is less certain than the model claims, for people. Never set by an answer.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(skip))]
    pub doubt: Option<String>,
}

/// Whether a criterion is met, in a model's opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Opined {
    /// It is.
    Met,
    /// It isn't.
    NotMet,
    /// The files don't show it.
    CannotTell,
}

impl Opined {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not met",
            Self::CannotTell => "can't tell",
        }
    }
}

impl Opinion {
    /// The place that the model cites.
    fn cited(&self) -> Option<Citation> {
        Citation::of(&self.file, self.line)
    }

    /// The opinion, limited to what its grounds support: a model that read nothing can't tell, and "met" requires a place that exists.
    fn grounded(mut self, grounds: Grounds<'_>) -> Self {
        let said = self.verdict.words();
        if grounds.read_nothing() {
            self.verdict = Opined::CannotTell;
            self.doubt = Some(format!("the model says {said}, but it read no file"));
        } else if let Some(fault) = self.cited().and_then(|cited| grounds.fault(&cited)) {
            if self.verdict == Opined::Met {
                self.verdict = Opined::CannotTell;
            }
            self.doubt = Some(format!("the model says {said} but cites {fault}"));
        } else if self.verdict == Opined::Met && self.cited().is_none() && grounds.are_known() {
            self.verdict = Opined::CannotTell;
            self.doubt = Some(format!("the model says {said} but names no file that shows it"));
        }
        self
    }

    /// What the model judged, in a line: `met (src/a.js:12): There is a form.`
    pub(super) fn wording(&self) -> String {
        let in_line = |text: &str| visible::line(text.trim());
        let mut said = self.verdict.words().to_owned();
        let place = self.place();
        if !place.is_empty() {
            let _ = write!(said, " ({})", in_line(&place));
        }
        if !self.note.trim().is_empty() {
            let _ = write!(said, ": {}", in_line(&self.note));
        }
        if let Some(doubt) = &self.doubt {
            let _ = write!(said, " ({})", in_line(doubt));
        }
        said
    }

    /// The place that shows it: `src/a.js:12`; empty if no file is named.
    pub(super) fn place(&self) -> String {
        match self.line {
            Some(line) if !self.file.is_empty() => format!("{}:{line}", self.file),
            _ => self.file.clone(),
        }
    }
}

impl Verification {
    /// Parses a verifier's reply, or returns everything that is wrong with it. `given`: the criteria that it was asked about.
    pub(super) fn from_reply(value: &Value, given: &[Criterion]) -> Result<Self, Vec<Problem>> {
        let problems = problems(value, given);
        if !problems.is_empty() {
            return Err(problems);
        }
        kernel::json::of(value).map_err(|error| vec![DocumentKind::Verification.unreadable(&error)])
    }

    /// The paths that it cites.
    pub(super) fn cited(&self) -> Vec<String> {
        self.criteria.iter().filter_map(Opinion::cited).map(|cited| cited.path).collect()
    }

    /// Each opinion, limited to what its grounds support.
    pub(super) fn grounded(mut self, grounds: Grounds<'_>) -> Self {
        self.criteria = self.criteria.into_iter().map(|one| one.grounded(grounds)).collect();
        self
    }

    /// The criteria as the verifier lists them, if none were given.
    pub(super) fn criteria(&self) -> Vec<Criterion> {
        let listed = self.criteria.iter();
        listed.map(|one| Criterion { id: one.id.clone(), text: one.text.trim().to_owned() }).collect()
    }
}

/// Everything that is wrong with a value as a verification of these criteria.
pub(super) fn problems(value: &Value, given: &[Criterion]) -> Vec<Problem> {
    let mut problems = schema::verification_problems(value);
    let listed = value["criteria"].as_array().map_or(&[][..], Vec::as_slice);
    for (index, one) in listed.iter().enumerate() {
        let Some(id) = one["id"].as_str() else { continue };
        let at = |key: &str| format!("/criteria/{index}/{key}");
        if listed[..index].iter().any(|other| other["id"] == one["id"]) {
            problems.push(
                Problem::new(ValidationCode::DuplicateId, "The criterion occurs twice.")
                    .at(at("id"))
                    .found(quote(id)),
            );
        }
        if given.is_empty() {
            let wanted = format!("C{}", index + 1);
            if id != wanted {
                problems.push(
                    Problem::new(ValidationCode::MalformedId, "The criteria aren't numbered consecutively.")
                        .at(at("id"))
                        .found(quote(id))
                        .allowed(quote(&wanted)),
                );
            }
            if one["text"].as_str().is_none_or(|text| text.trim().is_empty()) {
                problems.push(
                    Problem::new(
                        ValidationCode::SkippedCriterion,
                        "The criterion doesn't say what must be true.",
                    )
                    .at(at("text"))
                    .allowed("one statement that a user can see to be true or false"),
                );
            }
        } else if !given.iter().any(|criterion| criterion.id == id) {
            let known = given.iter().map(|criterion| quote(&criterion.id)).collect::<Vec<_>>().join(", ");
            problems.push(
                Problem::new(ValidationCode::UnknownCriterion, "There is no criterion with this id.")
                    .at(at("id"))
                    .found(quote(id))
                    .allowed(known),
            );
        }
    }
    for criterion in given {
        if value["criteria"].is_array() && !listed.iter().any(|one| one["id"] == criterion.id.as_str()) {
            problems.push(
                Problem::new(
                    ValidationCode::SkippedCriterion,
                    format!("The answer skips the criterion {}.", criterion.id),
                )
                .at("/criteria")
                .allowed("an entry for every criterion"),
            );
        }
    }
    sort_problems(&mut problems, &|_| 0);
    problems
}
