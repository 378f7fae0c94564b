//! What a cap can't count, and what it can't bear.

use super::opening::models_of;
use crate::design_lab::config::Config;
use kernel::budget::{Budget, Estimate};
use kernel::protocol::ModelFacts;

/// The sentence on models whose calls a cap in dollars can't count; `None` when there is no such cap or no such model.
pub(super) fn unpriced(config: &Config, models: &[ModelFacts]) -> Option<String> {
    config.budget.max_cost_usd?;
    let ids = without_price(config, models);
    (!ids.is_empty()).then(|| {
        format!(
            "budget.max_cost_usd can't hold for {}: OpenCode knows no price, so calls of theirs count as $0. \
             budget.max_tokens holds for every model.",
            ids.join(", ")
        )
    })
}

/// The models of a configuration of which nobody knows the price: `provider/model`.
pub(super) fn without_price(config: &Config, models: &[ModelFacts]) -> Vec<String> {
    let priced = |id: &str| {
        models.iter().any(|facts| facts.model_id == id && (facts.input_cost > 0.0 || facts.output_cost > 0.0))
    };
    models_of(config).into_iter().filter(|id| !priced(id)).cloned().collect()
}

/// Why the run can't come to a single design, in words, before anything is paid; `None` when it may.
pub(super) fn hopeless(budget: &Budget, name: Estimate, cheapest: Estimate) -> Option<String> {
    let cost = name.cost + cheapest.cost;
    let by_cost = budget.max_cost_usd.filter(|max| cost > *max);
    let tokens = name.tokens + cheapest.tokens;
    let by_tokens = budget.max_tokens.filter(|max| tokens > *max);
    if budget.max_calls == Some(1) {
        return Some("the budget of 1 call leaves none for a design".to_owned());
    }
    by_cost
        .map(|max| format!("the budget of ${max:.2} is less than one design is estimated at (${cost:.4})"))
        .or_else(|| {
            by_tokens.map(|max| {
                format!("the budget of {max} tokens is less than one design is estimated at ({tokens})")
            })
        })
}
