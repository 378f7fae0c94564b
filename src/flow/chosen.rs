//! A ranked design that a session builds, and what its plan has to answer.
//!
//! The invariant: each requirement of the task, each component of the design, and each concern about it has its own id, so that
//! none of them can be dropped silently. The texts of a design and its reviewers are material: they are shown to the planner
//! between delimiters, and never turned into a command.

use super::plan::Requirement;
use crate::design_lab::anonymity::enclosed;
use crate::design_lab::artefacts::Design;
use crate::design_lab::ids::DesignId;
use crate::design_lab::workflow::{Handover, numbered};
use design_lab_numerics::sorting::set;
use kernel::json::Deserialize;
use kernel::slug::slug;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeSet;

/// A design of a ranked run, as a session adopted it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowChosen"))]
pub struct Chosen {
    /// The run's directory, below the output directory.
    pub run: String,
    /// The design's id within the run.
    pub design_id: DesignId,
    /// Its place in the ranking; `None` when none of its scores count.
    pub rank: Option<u32>,
    /// The ranking's verdict in a sentence, if it isn't clear.
    pub doubt: Option<String>,
    /// The design.
    pub design: Design,
    /// The constraints of the task, and the required qualities.
    pub requirements: Vec<Requirement>,
    /// The design's components, in its order.
    pub components: Vec<ChosenComponent>,
    /// The design's open questions, and the weaknesses that reviewers found.
    pub concerns: Vec<Concern>,
}

/// A component of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowComponent"))]
pub struct ChosenComponent {
    /// The component's id, derived from its name.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// An open question or weakness of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowConcern"))]
pub struct Concern {
    /// `question-1` and so on for its author's, `weakness-1` and so on for its reviewers'.
    pub id: String,
    /// In the author's or the reviewer's own words.
    pub text: String,
}

/// The longest id derived from a component's name; a number may follow it.
const NAMED_BY: usize = 50;

impl Chosen {
    /// The parts of a design that a session adopts.
    pub(super) fn of(handover: &Handover) -> Self {
        let Handover { run, design_id, rank, doubt, design, weaknesses, .. } = handover;
        let requirement = |(id, text)| Requirement { id, text };
        let concern = |(id, text)| Concern { id, text };
        let requirements: Vec<Requirement> = handover.requirements().map(requirement).collect();
        let mut taken = set(requirements.iter().map(|one| one.id.clone()));
        let components = design.components.iter().map(|component| {
            let named = slug(&component.name, NAMED_BY);
            let id = free_id(if named.is_empty() { "component" } else { &named }, &taken);
            taken.insert(id.clone());
            ChosenComponent { id, name: component.name.clone() }
        });
        Self {
            run: run.clone(),
            design_id: design_id.clone(),
            rank: *rank,
            doubt: doubt.clone(),
            design: design.clone(),
            components: components.collect(),
            requirements,
            concerns: numbered("question", &design.open_questions)
                .chain(numbered("weakness", weaknesses))
                .map(concern)
                .collect(),
        }
    }

    /// What the user has to know about the choice, in sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        let Self { run, design_id, rank, doubt, design, .. } = self;
        let place = match rank {
            Some(1) => "which ranked first".to_owned(),
            Some(rank) => format!("which has rank {rank}"),
            None => "which has no valid score".to_owned(),
        };
        let title = visible::line(&design.title);
        let taken = format!("The plan builds the design {design_id} of {run}, {place}: {title}.");
        let unclear =
            |verdict: &String| format!("The ranking has no clear winner. {}", visible::line(verdict));
        [taken].into_iter().chain(doubt.as_ref().map(unclear)).collect()
    }

    /// The design as a planner reads it.
    pub(super) fn shown(&self) -> String {
        enclosed("design", None, &self.design)
    }

    /// What the plan has to answer, as a planner reads it.
    pub(super) fn asked(&self) -> String {
        #[derive(Serialize)]
        struct Asked<'a> {
            requirements: &'a [Requirement],
            components: &'a [ChosenComponent],
            concerns: &'a [Concern],
        }
        let Self { requirements, components, concerns, .. } = self;
        enclosed("given", None, &Asked { requirements, components, concerns })
    }
}

/// The id, or the first one like it that isn't taken.
fn free_id(id: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..=taken.len() + 2).map(|number| format!("{id}-{number}"));
    std::iter::once(id.to_owned()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or_default()
}
