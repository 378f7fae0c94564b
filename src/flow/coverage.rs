//! What a plan has to answer: each requirement, and each component of a chosen design, is built or left out with a reason; each
//! concern about the design is answered or accepted.
//!
//! The invariant: no requirement is dropped silently.

use super::basis::Basis;
use super::code::FlowCode;
use super::plan::{LeftOut, Plan, list, text};
use crate::shared::schema::quote;
use kernel::problem::Problem;
use kernel::visible;
use serde_json::Value;
use std::collections::BTreeSet;

/// The reason for leaving out what the user removed by narrowing a plan.
const NARROWED: &str = "the user left its features out of the plan";

/// What has to be built or left out.
struct Asked<'a> {
    id: &'a str,
    what: &'static str,
    /// The place to report if a plan forgets it.
    place: String,
}

/// Everything that a planner's reply gets wrong about this.
pub(super) fn problems(plan: &Value, basis: Option<Basis<'_>>) -> Vec<Problem> {
    let asked = asked(plan, basis);
    let known = listed(asked.iter().map(|one| one.id), "none: the plan has no requirements");
    let is_known = |id: &str| asked.iter().any(|one| one.id == id);
    let mut problems = Vec::new();
    let mut covered = BTreeSet::new();
    let mut named = |id: &'_ Value, place: String| {
        let Some(id) = id.as_str() else { return };
        covered.insert(id.to_owned());
        if !is_known(id) {
            let message = if basis.is_some_and(|basis| !basis.components().is_empty()) {
                "No requirement or component has this id."
            } else {
                "No requirement has this id."
            };
            let problem = Problem::new(FlowCode::PlanUnknownRequirement, message);
            problems.push(problem.at(place).found(quote(id)).allowed(known.as_str()));
        }
    };
    for (index, feature) in list(plan, "features").iter().enumerate() {
        for (number, id) in list(feature, "implements").iter().enumerate() {
            named(id, format!("/features/{index}/implements/{number}"));
        }
    }
    for (index, one) in list(plan, "left_out").iter().enumerate() {
        named(&one["id"], format!("/left_out/{index}/id"));
    }
    for Asked { id, what, place } in asked.iter().filter(|one| !covered.contains(one.id)) {
        problems.push(
            Problem::new(
                FlowCode::PlanUncovered,
                format!("No feature implements the {what} {id}, and `left_out` doesn't list it."),
            )
            .at(place.as_str())
            .found(quote(id))
            .allowed("its id in a feature's `implements`, or in `left_out` with a reason"),
        );
    }
    problems.extend(ids_of_components(plan, basis));
    problems.extend(concerns(plan, basis));
    problems.extend(unexplained(plan));
    problems
}

fn asked<'a>(plan: &'a Value, basis: Option<Basis<'a>>) -> Vec<Asked<'a>> {
    let given = basis.into_iter().flat_map(|basis| {
        let of = |id: &'a str, what| Asked { id, what, place: "/features".to_owned() };
        let requirements = basis.requirements().iter().map(move |one| of(&one.id, "requirement"));
        requirements.chain(basis.components().iter().map(move |one| of(&one.id, "component")))
    });
    let mut asked: Vec<Asked<'_>> = given.collect();
    for (index, one) in list(plan, "requirements").iter().enumerate() {
        let Some(id) = text(one, "id") else { continue };
        // A planner may repeat the given requirements.
        if asked.iter().all(|other| other.id != id) {
            asked.push(Asked { id, what: "requirement", place: format!("/requirements/{index}") });
        }
    }
    asked
}

/// The planner's own requirements that would hide a component.
fn ids_of_components(plan: &Value, basis: Option<Basis<'_>>) -> Vec<Problem> {
    let is_component =
        |id: &str| basis.is_some_and(|basis| basis.components().iter().any(|one| one.id == id));
    let requirements = list(plan, "requirements").iter().enumerate();
    let ids = requirements.filter_map(|(index, one)| Some((index, text(one, "id")?)));
    ids.filter(|(_, id)| is_component(id))
        .map(|(index, id)| {
            Problem::new(FlowCode::PlanDuplicateId, "A component of the design has the same id.")
                .at(format!("/requirements/{index}/id"))
                .found(quote(id))
        })
        .collect()
}

fn concerns(plan: &Value, basis: Option<Basis<'_>>) -> Vec<Problem> {
    let ids: Vec<&str> = basis.into_iter().flat_map(Basis::concerns).map(|one| one.id.as_str()).collect();
    let risks = list(plan, "risks");
    let unknown = risks.iter().enumerate().filter_map(|(index, risk)| {
        let id = text(risk, "concern").filter(|id| !ids.contains(id))?;
        let problem = Problem::new(FlowCode::PlanUnknownConcern, "No concern has this id.")
            .at(format!("/risks/{index}/concern"))
            .found(quote(id))
            .allowed(listed(ids.iter().copied(), "none: the plan isn't based on a chosen design"));
        Some(problem)
    });
    let is_answered = |id: &&&str| risks.iter().any(|risk| text(risk, "concern") == Some(**id));
    let unanswered = ids.iter().filter(|id| !is_answered(id)).map(|id| {
        Problem::new(FlowCode::PlanUnansweredConcern, format!("The plan doesn't answer the concern {id}."))
            .at("/risks")
            .found(quote(id))
            .allowed(
                "an entry in `risks` whose `concern` is this id and whose `answer` says what is done about \
                 the concern, or why it is accepted",
            )
    });
    unknown.chain(unanswered).collect()
}

/// Required reasons that consist only of spaces.
fn unexplained(plan: &Value) -> Vec<Problem> {
    let of = |key: &'static str, field: &'static str| {
        let blank = move |one: &Value| {
            text(one, field).is_some_and(|said| !said.is_empty() && said.trim().is_empty())
        };
        let entries = list(plan, key).iter().enumerate();
        entries.filter(move |(_, one)| blank(one)).map(move |(index, _)| {
            Problem::new(FlowCode::PlanUnexplained, "This text is empty.")
                .at(format!("/{key}/{index}/{field}"))
                .allowed("a sentence")
        })
    };
    of("left_out", "why").chain(of("risks", "answer")).collect()
}

fn listed<'a>(ids: impl Iterator<Item = &'a str>, none: &str) -> String {
    let ids: Vec<String> = ids.map(quote).collect();
    if ids.is_empty() { none.to_owned() } else { format!("one of {}", ids.join(", ")) }
}

impl Plan {
    /// The plan with the original wording of what was given: the planner may have shortened it.
    pub(super) fn in_given_words(mut self, basis: Basis<'_>) -> Self {
        let is_given = |id: &str| basis.requirements().iter().any(|one| one.id == id);
        self.requirements.retain(|one| !is_given(&one.id));
        self.requirements.splice(0..0, basis.requirements().iter().cloned());
        for risk in &mut self.risks {
            let concern = basis.concerns().iter().find(|one| risk.concern.as_ref() == Some(&one.id));
            if let Some(concern) = concern {
                risk.text.clone_from(&concern.text);
            }
        }
        self
    }

    /// The plan, with everything left out that none of its features implements any more.
    pub(super) fn with_the_rest_left_out(mut self, basis: Option<Basis<'_>>) -> Self {
        let components = basis.into_iter().flat_map(Basis::components).map(|one| &one.id);
        let ids: Vec<String> =
            self.requirements.iter().map(|one| &one.id).chain(components).cloned().collect();
        for id in ids {
            if self.implementing(&id).is_empty() && self.left_out.iter().all(|one| one.id != id) {
                self.left_out.push(LeftOut { id, why: NARROWED.to_owned() });
            }
        }
        self
    }

    /// The ids of the features that implement this.
    fn implementing(&self, id: &str) -> Vec<&str> {
        let implements = |names: &[String]| names.iter().any(|name| name == id);
        let features = self.features.iter().filter(|feature| implements(&feature.implements));
        features.map(|feature| feature.id.as_str()).collect()
    }

    /// The plan's answers, for people: headings, each with its lines. Headings without lines are omitted.
    pub(super) fn answers(&self, basis: Option<Basis<'_>>) -> Vec<(&'static str, Vec<String>)> {
        let line = |id: &str, said: &str| {
            let by = self.implementing(id);
            let why =
                self.left_out.iter().find(|one| one.id == id).map(|one| format!("left out: {}", one.why));
            let by = (!by.is_empty()).then(|| by.join(", "));
            let answer: Vec<String> = by.into_iter().chain(why).collect();
            visible::line(&format!("{id}: {said} → {}", answer.join("; ")))
        };
        let components = basis.into_iter().flat_map(Basis::components);
        let risk = |text: &str, answer: &str| visible::line(&format!("{text} → {answer}"));
        let all = [
            ("Requirements", self.requirements.iter().map(|one| line(&one.id, &one.text)).collect()),
            ("Components", components.map(|one| line(&one.id, &one.name)).collect()),
            ("Risks", self.risks.iter().map(|one| risk(&one.text, &one.answer)).collect::<Vec<_>>()),
        ];
        all.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
    }
}
