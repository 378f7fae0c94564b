//! Proposes a panel, by a rule that a few sentences explain.

use super::calls::Calls;
use super::designers::Designers;
use super::estimate::Estimate;
use super::record::Duty;
use super::reviewers::{Reviewer, SHARED_DESIGNS};
use crate::shared::vendor::vendors;
use design_lab_numerics::sorting::sort_by;
use serde::Serialize;

/// The fewest tasks, each with several scored models, for which a panel is proposed.
pub const LEAST_TASKS: usize = 5;
/// The most designers, and the most reviewers, that are proposed.
const MOST: usize = 3;
/// A model is unreliable if clearly more than this share of its jobs failed.
const UNRELIABLE: f64 = 0.2;

/// Models for the next runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Proposal {
    /// For `design_models`; at least two, or none.
    pub design_models: Vec<String>,
    /// For `review_models`; at least two, or none.
    pub review_models: Vec<String>,
    /// The reasons, including for what was left out.
    pub reasons: Vec<String>,
}

/// Returns the panel, or why none is proposed.
pub(super) fn proposal(
    designers: &Designers,
    reviewers: &[Reviewer],
    calls: &[Calls],
) -> Result<Proposal, String> {
    if designers.tasks < LEAST_TASKS {
        return Err(format!(
            "There is no proposal yet. A proposal needs {LEAST_TASKS} tasks with scores for the same \
             models, and so far there {} {}.",
            if designers.tasks == 1 { "is" } else { "are" },
            designers.tasks
        ));
    }
    let mut reasons = Vec::new();
    let unreliable = |model: &str, duties: &[Duty]| {
        let jobs = calls.iter().filter(|calls| calls.model == model && duties.contains(&calls.duty));
        jobs.filter_map(|calls| calls.failed).any(|failed| failed.interval[0] > UNRELIABLE)
    };
    let mut design_models: Vec<String> = Vec::new();
    let mut behind = Vec::new();
    for row in designers.rows.iter().filter(|row| row.points.is_some()) {
        let model = &row.model;
        if unreliable(model, &[Duty::Design]) {
            reasons.push(format!("{model} is left out as a designer: it fails too often."));
        } else if design_models.first().is_some_and(|best| designers.is_behind(model, best)) {
            behind.push(model);
        } else if design_models.len() < MOST {
            design_models.push(model.clone());
        }
    }
    for model in behind {
        let what = if design_models.len() == 1 {
            design_models.push(model.clone());
            "takes part as a designer, because a run needs two"
        } else {
            "is left out as a designer"
        };
        reasons.push(format!("{model} {what}: it is clearly behind {}.", design_models[0]));
    }
    if design_models.len() < 2 {
        design_models.clear();
        reasons.push("No designers are proposed: fewer than two are left.".to_owned());
    }

    let agreement = |of: &Reviewer| of.with_people.or(of.with_models);
    let mut fit: Vec<(&Reviewer, Estimate)> = reviewers
        .iter()
        .filter(|of| !of.person && !unreliable(&of.name, &[Duty::Review, Duty::Compare]))
        .filter_map(|of| Some((of, agreement(of)?)))
        .collect();
    let best = fit.iter().map(|(_, found)| found.value).fold(0.0, f64::max);
    fit.retain(|(_, found)| found.value > 0.0 && found.interval[1] >= best);
    let price = |of: &Reviewer| {
        let reviews = calls.iter().filter(|calls| calls.model == of.name && calls.duty == Duty::Review);
        reviews.map(|calls| calls.cost).fold(0.0, f64::max)
    };
    sort_by(&mut fit, |(one, of_one), (other, of_other)| {
        price(one).total_cmp(&price(other)).then(of_other.value.total_cmp(&of_one.value))
    });
    let mut review_models: Vec<String> = Vec::new();
    for (of, _) in fit {
        let kin = |known: &String| {
            let own = vendors(known);
            vendors(&of.name).iter().any(|vendor| own.contains(vendor))
        };
        if review_models.len() < MOST && !review_models.iter().any(kin) {
            review_models.push(of.name.clone());
        }
    }
    if review_models.len() < 2 {
        review_models.clear();
        reasons.push(format!(
            "No reviewers are proposed: a panel needs two reviewers of different vendors who agree with \
             people, or with the other reviewers, on at least {SHARED_DESIGNS} designs."
        ));
    }
    if design_models.is_empty() && review_models.is_empty() {
        return Err(format!("There is no proposal. {}", reasons.join(" ")));
    }
    Ok(Proposal { design_models, review_models, reasons })
}
