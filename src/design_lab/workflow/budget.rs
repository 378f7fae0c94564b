//! What a cap can't count, and what would exceed it.

use super::code::WorkflowCode;
use super::opening::models_of;
use super::protocol::Opening;
use crate::design_lab::config::{Config, NewVendors};
use crate::shared::figures::{money, thousands};
use crate::shared::prices;
use kernel::budget::{Budget, Estimate};
use kernel::problem::Problem;
use kernel::protocol::ModelFacts;

/// The warning before the first call about models without a price; `None` when there are none.
pub(super) fn unpriced(config: &Config, models: &[ModelFacts]) -> Option<String> {
    void_cap(config, models).or_else(|| {
        let names = without_price(config, models);
        let names = (!names.is_empty()).then(|| names.join(", "))?;
        Some(format!(
            "OpenCode knows no price for {names}: their calls count as $0, unless `prices` sets one."
        ))
    })
}

/// Explains why the cap in dollars can't be enforced; `None` when it can, or there is none.
pub(super) fn void_cap(config: &Config, models: &[ModelFacts]) -> Option<String> {
    prices::void_cap("budget", &config.budget.limits(), &models_of(config), models)
}

/// Explains why a run must wait for the user before its first call; `None` when it continues at once. A user who limits a run's cost
/// has not yet said where the project's files may go.
pub(super) fn awaits_yes(opening: &Opening) -> Option<String> {
    let new = opening.vendors.as_ref().map(NewVendors::clause);
    let reasons: Vec<String> = new.into_iter().chain(awaits_price(opening)).collect();
    (!reasons.is_empty()).then(|| reasons.join("; and "))
}

/// Explains why a run must wait because of its cost; `None` when it continues at once.
fn awaits_price(opening: &Opening) -> Option<String> {
    let Opening { config, models, forecast, permitted, review_later, .. } = opening;
    let limit = config.budget.confirm_usd.filter(|_| !permitted)?;
    let most = forecast.as_ref()?.most();
    if most > limit {
        return Some(format!(
            "the run may cost {}, which is more than {} (budget.confirm_usd)",
            money(most),
            money(limit)
        ));
    }
    let mut names = without_price(config, models);
    if *review_later {
        let writes = |name: &String| config.design_models.iter().any(|model| model.model_id == *name);
        names.retain(|name| writes(name) || *name == config.topic_generator_model);
    }
    (!names.is_empty()).then(|| format!("OpenCode knows no price for {}", names.join(", ")))
}

/// Refuses calls whose cost the user has not permitted. `anyway`: the command that makes them, and what it does, as a sentence.
pub(super) fn permit(
    asked: &Opening,
    permitted: bool,
    anyway: impl FnOnce() -> String,
) -> Result<(), Vec<Problem>> {
    let Some(why) = awaits_price(asked).filter(|_| !permitted) else { return Ok(()) };
    let message = format!("No model has been called yet: {why}.");
    Err(vec![Problem::new(WorkflowCode::WantsYes, message).next(anyway())])
}

/// The models of a configuration without a known price: `provider/model`.
pub(super) fn without_price(config: &Config, models: &[ModelFacts]) -> Vec<String> {
    prices::without_price(&models_of(config), models)
}

/// Explains, before anything is paid, why the run can't produce a single design; `None` when it can.
pub(super) fn hopeless(budget: &Budget, name: Estimate, cheapest: Estimate) -> Option<String> {
    let cost = name.cost + cheapest.cost;
    let by_cost = budget.max_cost_usd.filter(|max| cost > *max);
    let tokens = name.tokens + cheapest.tokens;
    let by_tokens = budget.max_tokens.filter(|max| tokens > *max);
    if budget.max_calls == Some(1) {
        return Some("the budget of 1 call leaves none for a design".to_owned());
    }
    if budget.max_requests == Some(1) {
        return Some("the budget of 1 request leaves none for a design".to_owned());
    }
    by_cost
        .map(|max| {
            format!("the budget of {} is less than the estimate for one design ({})", money(max), money(cost))
        })
        .or_else(|| {
            by_tokens.map(|max| {
                format!(
                    "the budget of {} tokens is less than the estimate for one design ({})",
                    thousands(max),
                    thousands(tokens)
                )
            })
        })
}
