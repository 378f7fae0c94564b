//! The cap on what a run may cost, checked before every call with an estimate of it.
//!
//! Calls in flight count with their estimates, so the cap holds under concurrency: it is exceeded only by
//! what an estimate fell short of, and by what the host asked again within a call. They may cost less, so nothing is given up before
//! they have come back. An answer whose use nobody reported counts with an estimate, and so does each that broke off. A model that reads and searches answers in steps, which no estimate knows: a call that has
//! brought the run to its cap is stopped before the next one.

use crate::protocol::ModelFacts;
use crate::tokens::Tokens;
use serde::{Deserialize, Serialize};

/// What a run may cost; checked before every call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(feature = "codegen", schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Budget {
    /// US dollars over all calls; null means no limit.
    #[cfg_attr(feature = "codegen", schemars(extend("exclusiveMinimum" = 0)))]
    pub max_cost_usd: Option<f64>,
    /// Tokens of every kind over all calls; null means no limit.
    #[cfg_attr(feature = "codegen", schemars(range(min = 1, max = 9_007_199_254_740_991_u64)))]
    pub max_tokens: Option<u64>,
}

/// What a call is expected to use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// US dollars.
    pub cost: f64,
    /// Tokens of every kind.
    pub tokens: u64,
}

impl Estimate {
    /// For so many such calls.
    pub(crate) fn times(self, calls: u32) -> Self {
        Self { cost: self.cost * f64::from(calls), tokens: self.tokens.saturating_mul(calls.into()) }
    }

    /// All that was expected of a call with a prompt of so many characters, as what it used.
    pub(crate) fn used(self, asked: usize) -> (f64, Tokens) {
        let input = tokens_of(asked).min(self.tokens);
        (self.cost, Tokens { input, output: self.tokens - input, ..Tokens::default() })
    }
}

/// Characters per token, on the low side so that estimates err upwards.
const CHARACTERS_PER_TOKEN: f64 = 3.0;

/// The expected use of a prompt of so many characters. `expected`: output tokens before any has been seen; `seen`: the most that this
/// kind of turn has used so far in the run. A model without a known price is expected to cost nothing, as OpenCode will report.
pub(crate) fn estimate(characters: usize, expected: u64, seen: u64, facts: Option<&ModelFacts>) -> Estimate {
    let input = tokens_of(characters);
    let output = expected.max(seen);
    Estimate { cost: price(facts, input, output), tokens: input + output }
}

/// What an exchange of so many characters used, where nobody reported it: the price of it, and its tokens.
pub(crate) fn unreported(asked: usize, answered: usize, facts: Option<&ModelFacts>) -> (f64, Tokens) {
    let tokens = Tokens { input: tokens_of(asked), output: tokens_of(answered), ..Tokens::default() };
    (price(facts, tokens.input, tokens.output), tokens)
}

/// How many tokens a text of so many characters is taken for: rather too many.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length over three, rounded up"
)]
pub fn tokens_of(characters: usize) -> u64 {
    (characters as f64 / CHARACTERS_PER_TOKEN).ceil() as u64
}

/// US dollars for so many tokens; nothing where nobody knows the price.
pub fn price(facts: Option<&ModelFacts>, input: u64, output: u64) -> f64 {
    let price = |per_million: f64, tokens: u64| per_million * tokens as f64 / 1e6;
    facts.map_or(0.0, |facts| price(facts.input_cost, input) + price(facts.output_cost, output))
}

/// Why the next call must not be made, in words; none when it may.
pub(crate) fn refusal(
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
pub(crate) fn reached(budget: &Budget, (cost, tokens): (f64, u64)) -> Option<String> {
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
        let estimate = estimate(3_000, 4_000, 0, Some(&facts));
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
