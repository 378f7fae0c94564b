//! The cap on what a run may cost, checked before every call with an estimate of it.
//!
//! Calls in flight count with their estimates, so the cap holds under concurrency: it is exceeded only by
//! what an estimate fell short of. They may cost less, so nothing is given up before they have come back. An answer whose use
//! nobody reported counts with an estimate, too. A model that reads and searches answers in steps, which no estimate knows: a call that has
//! brought the run to its cap is stopped before the next one.

use super::beginning::models_of;
use super::job::Turn;
use super::protocol::ModelFacts;
use crate::artefacts::Tokens;
use crate::config::{Budget, Config};

/// What a call is expected to use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub(super) cost: f64,
    pub(super) tokens: u64,
}

/// Characters per token, on the low side so that estimates err upwards.
const CHARACTERS_PER_TOKEN: f64 = 3.0;

/// Output tokens expected of a turn before any has been seen.
fn expected_output(turn: Turn) -> u64 {
    match turn {
        Turn::Topic => 50,
        Turn::Design | Turn::Refine | Turn::Merge => 4_000,
        Turn::Prose | Turn::Scores => 2_000,
        Turn::Compare => 800,
    }
}

/// The expected use of a prompt of so many characters; `seen` is the most output that this kind of turn has
/// used so far in the run. A model without a known price is expected to cost nothing, as OpenCode will report.
pub(super) fn estimate(turn: Turn, characters: usize, seen: u64, facts: Option<&ModelFacts>) -> Estimate {
    let input = tokens_of(characters);
    let output = expected_output(turn).max(seen);
    Estimate { cost: price(facts, input, output), tokens: input + output }
}

/// What an exchange of so many characters used, where nobody reported it: the price of it, and its tokens.
pub(super) fn unreported(asked: usize, answered: usize, facts: Option<&ModelFacts>) -> (f64, Tokens) {
    let tokens = Tokens { input: tokens_of(asked), output: tokens_of(answered), ..Tokens::default() };
    (price(facts, tokens.input, tokens.output), tokens)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length over three, rounded up"
)]
fn tokens_of(characters: usize) -> u64 {
    (characters as f64 / CHARACTERS_PER_TOKEN).ceil() as u64
}

fn price(facts: Option<&ModelFacts>, input: u64, output: u64) -> f64 {
    let price = |per_million: f64, tokens: u64| per_million * tokens as f64 / 1e6;
    facts.map_or(0.0, |facts| price(facts.input_cost, input) + price(facts.output_cost, output))
}

/// The sentence on models whose calls a cap in dollars can't count; none where there is no such cap or no such model.
pub(super) fn unpriced(config: &Config, models: &[ModelFacts]) -> Option<String> {
    config.budget.max_cost_usd?;
    let priced = |id: &str| {
        models.iter().any(|facts| facts.model_id == id && (facts.input_cost > 0.0 || facts.output_cost > 0.0))
    };
    let ids: Vec<&str> = models_of(config).into_iter().map(String::as_str).filter(|id| !priced(id)).collect();
    (!ids.is_empty()).then(|| {
        format!(
            "budget.max_cost_usd can't hold for {}: OpenCode knows no price, so calls of theirs count as $0. \
             budget.max_tokens holds for every model.",
            ids.join(", ")
        )
    })
}

/// Why the run can't come to a single design, in words, before anything is paid; none where it may.
pub(super) fn hopeless(budget: &Budget, name: Estimate, cheapest: Estimate) -> Option<String> {
    let cost = name.cost + cheapest.cost;
    let by_cost = budget.max_cost_usd.filter(|max| cost > *max);
    let tokens = name.tokens + cheapest.tokens;
    let by_tokens = budget.max_tokens.filter(|max| tokens > *max);
    by_cost
        .map(|max| format!("the budget of ${max:.2} is less than one design is estimated at (${cost:.4})"))
        .or_else(|| {
            by_tokens.map(|max| {
                format!("the budget of {max} tokens is less than one design is estimated at ({tokens})")
            })
        })
}

/// Why the next call must not be made, in words; none when it may.
pub(super) fn refusal(
    budget: &Budget,
    (spent_cost, spent_tokens): (f64, Tokens),
    reserved: Estimate,
    next: Estimate,
) -> Option<String> {
    if let Some(max) = budget.max_cost_usd {
        let after = spent_cost + reserved.cost + next.cost;
        if after > max {
            return Some(format!(
                "the budget of ${max:.2} is reached: ${spent_cost:.4} spent, ${:.4} in flight, the next call is estimated at ${:.4}",
                reserved.cost, next.cost
            ));
        }
    }
    if let Some(max) = budget.max_tokens {
        let spent = spent_tokens.total();
        if spent + reserved.tokens + next.tokens > max {
            return Some(format!(
                "the budget of {max} tokens is reached: {spent} spent, {} in flight, the next call is estimated at {}",
                reserved.tokens, next.tokens
            ));
        }
    }
    None
}

/// Why no further step may be made, in words, where calls in flight have brought the run to its budget.
pub(super) fn reached(budget: &Budget, (cost, tokens): (f64, u64)) -> Option<String> {
    let by_cost = budget.max_cost_usd.filter(|max| cost >= *max);
    let by_cost = by_cost.map(|max| format!("the budget of ${max:.2} is reached: ${cost:.4} spent"));
    let by_tokens = budget.max_tokens.filter(|max| tokens >= *max);
    by_cost.or_else(|| by_tokens.map(|max| format!("the budget of {max} tokens is reached: {tokens} spent")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_per_million_tokens() {
        let facts = ModelFacts { model_id: "a/b".into(), input_cost: 3.0, output_cost: 15.0 };
        let estimate = estimate(Turn::Design, 3_000, 0, Some(&facts));
        assert_eq!(estimate.tokens, 5_000);
        assert!((estimate.cost - (0.003 + 0.06)).abs() < 1e-12);
    }

    #[test]
    fn the_cap_counts_what_is_spent_in_flight_and_asked_for() {
        let budget = Budget { max_cost_usd: Some(1.0), max_tokens: None };
        let half = Estimate { cost: 0.5, tokens: 0 };
        let quarter = Estimate { cost: 0.25, tokens: 0 };
        assert_eq!(refusal(&budget, (0.25, Tokens::default()), half, quarter), None);
        assert!(refusal(&budget, (0.26, Tokens::default()), half, quarter).unwrap().contains("$1.00"));
        let budget = Budget { max_cost_usd: None, max_tokens: Some(10) };
        let ten = Estimate { cost: 0.0, tokens: 10 };
        assert_eq!(refusal(&budget, (0.0, Tokens::default()), Estimate::default(), ten), None);
        assert!(
            refusal(&budget, (0.0, Tokens { input: 1, ..Tokens::default() }), Estimate::default(), ten)
                .is_some()
        );
    }
}
