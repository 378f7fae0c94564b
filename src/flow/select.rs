//! Narrows a draft to some of its features and everything that they need.
//!
//! The invariant: the rest is as good a plan as the one before. Completed features stay, and so does each broad check, because it
//! looks at the whole project.

use super::code::FlowCode;
use super::plan::{Check, Plan, Scope};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, FeatureState, Session};
use std::collections::BTreeSet;

impl Session {
    /// The draft with only these features, or the reason why it can't be narrowed to them.
    pub(super) fn narrowed(&self, ids: &[String]) -> Result<Plan, Recovery> {
        self.at_rest()?;
        self.not_over()?;
        if self.approval.is_some() {
            return Err(Recovery::new(
                FlowCode::ApprovalAlready,
                RecoveryStage::Plan,
                "This plan is already approved, so it can't change.",
            )
            .takes("a plan that is waiting for approval")
            .next("Build it, or type /flow-plan revise followed by what to remove.", "/flow-run"));
        }
        for id in ids {
            self.named_feature(id, "/flow-plan select")?;
        }
        let mut plan = self.plan.clone().unwrap_or_default();
        let kept = self.needed_for(ids);
        let is_left = |id: &str| self.state_of(id) != FeatureState::Completed;
        if !kept.iter().any(|id| is_left(id)) {
            let ids = plan.features.iter().map(|one| one.id.as_str()).filter(|id| is_left(id));
            return Err(refused("Name the features to build.")
                .takes(format!("one of {}", ids.collect::<Vec<_>>().join(", "))));
        }
        let (features, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut plan.features)
            .into_iter()
            .partition(|one| kept.contains(&one.id) || !is_left(&one.id));
        if dropped.is_empty() {
            return Err(refused(
                "Together with the features that they need, these are all features of the plan.",
            )
            .takes("a selection that leaves a feature out"));
        }
        let mut narrowed = Plan { features, ..plan };
        let broad =
            dropped.into_iter().flat_map(|one| one.verification).filter(|one| one.scope == Scope::Broad);
        let last = narrowed.features.iter().rposition(|one| is_left(&one.id));
        for check in broad {
            if !narrowed.broad_checks().iter().any(|(_, other)| other.command == check.command)
                && let Some(last) = last
            {
                let checks = &mut narrowed.features[last].verification;
                checks.push(Check { id: free_id(&check.id, checks), ..check });
            }
        }
        Ok(narrowed.with_the_rest_left_out(self.opening.basis()))
    }

    /// These features and everything that they need.
    fn needed_for(&self, ids: &[String]) -> BTreeSet<String> {
        let mut needed = BTreeSet::new();
        let mut left: Vec<String> = ids.to_vec();
        while let Some(id) = left.pop() {
            let needs = self.planned(&id).map(|feature| feature.depends_on.clone());
            if needed.insert(id) {
                left.extend(needs.unwrap_or_default());
            }
        }
        needed
    }

    pub(super) fn select(&mut self, plan: Plan, commands: &mut Commands) {
        self.log("You narrowed the plan.");
        self.take_plan(plan);
        self.settled_at_once(commands);
    }
}

/// The id, or the first one like it that none of these checks has.
fn free_id(id: &str, checks: &[Check]) -> String {
    let is_free = |id: &String| checks.iter().all(|check| check.id != *id);
    let numbered = (2..=checks.len() + 1).map(|number| format!("{id}-{number}"));
    std::iter::once(id.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

fn refused(message: &str) -> Recovery {
    Recovery::new(FlowCode::PlanNoSelection, RecoveryStage::Plan, message).next(
        "Type /flow-plan select followed by the ids of the features. /flow-status lists the ids.",
        "/flow-status",
    )
}
