//! The cap on the cost of a run, checked before every call with an estimate for it.
//!
//! Calls in flight count with their estimates, so the cap holds under concurrency: it is exceeded only if an estimate was too
//! low, or if the host repeated requests within a call. Calls in flight may cost less than estimated, so nothing is given up
//! before they have returned. An answer whose usage was not reported counts with an estimate, and so does each one that broke
//! off. A model that reads and searches answers in steps, which no estimate covers: a call that has brought the run to its cap is
//! stopped before the next step.

use crate::figures::{count, money, thousands};
use crate::json::Deserialize;
use crate::protocol::ModelFacts;
use crate::tokens::Tokens;
use serde::Serialize;

/// The limits on a run's cost; checked before every call.
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
    /// Calls, including repairs and retries; null means no limit.
    #[cfg_attr(feature = "codegen", schemars(range(min = 1, max = 1_000_000)))]
    pub max_calls: Option<u32>,
    /// Requests to providers over all calls; null means no limit. A model that reads and searches makes several for one answer.
    #[cfg_attr(feature = "codegen", schemars(range(min = 1, max = 1_000_000)))]
    pub max_requests: Option<u32>,
}

/// The price of a model's tokens from the user's own table, in US dollars per million.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(feature = "codegen", schemars(deny_unknown_fields))]
pub struct Price {
    /// Tokens sent; 0 if a subscription covers them.
    #[cfg_attr(feature = "codegen", schemars(range(min = 0, max = 1_000_000)))]
    pub input: f64,
    /// Tokens received, reasoning included.
    #[cfg_attr(feature = "codegen", schemars(range(min = 0, max = 1_000_000)))]
    pub output: f64,
    /// Tokens read from the provider's cache; null means the same as `input`.
    #[serde(default)]
    #[cfg_attr(feature = "codegen", schemars(range(min = 0, max = 1_000_000)))]
    pub cache_read: Option<f64>,
    /// Tokens written to the provider's cache; null means the same as `input`.
    #[serde(default)]
    #[cfg_attr(feature = "codegen", schemars(range(min = 0, max = 1_000_000)))]
    pub cache_write: Option<f64>,
}

impl Price {
    /// US dollars for these tokens.
    pub fn of(&self, tokens: Tokens) -> f64 {
        let kinds = [
            (self.input, tokens.input),
            (self.output, tokens.output),
            (self.output, tokens.reasoning),
            (self.cache_read.unwrap_or(self.input), tokens.cache_read),
            (self.cache_write.unwrap_or(self.input), tokens.cache_write),
        ];
        kinds.iter().map(|(per_million, count)| per_million * *count as f64 / 1e6).sum()
    }
}

/// What a run has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    /// US dollars.
    pub(crate) cost: f64,
    /// Tokens of every kind.
    pub(crate) tokens: u64,
    /// Prompts sent, including those in flight.
    pub(crate) calls: u32,
    /// Requests made, at least one for each call in flight.
    pub(crate) requests: u32,
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
    /// The estimate for this many such calls.
    pub(crate) fn times(self, calls: u32) -> Self {
        Self { cost: self.cost * f64::from(calls), tokens: self.tokens.saturating_mul(calls.into()) }
    }

    /// The whole estimate for a call with a prompt of this many characters, as its usage.
    pub(crate) fn used(self, asked: usize) -> (f64, Tokens) {
        let input = tokens_of(asked).min(self.tokens);
        (self.cost, Tokens { input, output: self.tokens - input, ..Tokens::default() })
    }
}

/// Characters per token, on the low side so that estimates err upwards.
const CHARACTERS_PER_TOKEN: f64 = 3.0;

/// The size that a file sent with the text counts as: 1,600 tokens, as much as an image uses with most vendors' models.
pub(crate) const CHARACTERS_PER_FILE: usize = 4_800;

/// The expected usage of a prompt of this many characters. `expected`: output tokens before any have been observed; `seen`: the
/// most that this kind of turn has used so far in the run. A model without a known price is expected to cost nothing, as OpenCode
/// will report.
pub(crate) fn estimate(characters: usize, expected: u64, seen: u64, facts: Option<&ModelFacts>) -> Estimate {
    let input = tokens_of(characters);
    let output = expected.max(seen);
    Estimate { cost: price(facts, input, output), tokens: input + output }
}

/// The price and tokens of an exchange of this many characters whose usage was not reported.
pub(crate) fn unreported(asked: usize, answered: usize, facts: Option<&ModelFacts>) -> (f64, Tokens) {
    let tokens = Tokens { input: tokens_of(asked), output: tokens_of(answered), ..Tokens::default() };
    (price(facts, tokens.input, tokens.output), tokens)
}

/// The estimated tokens of a text of this many characters, rather too many than too few.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a length over three, rounded up"
)]
pub fn tokens_of(characters: usize) -> u64 {
    (characters as f64 / CHARACTERS_PER_TOKEN).ceil() as u64
}

/// US dollars for this many tokens; 0 if the price is unknown.
pub fn price(facts: Option<&ModelFacts>, input: u64, output: u64) -> f64 {
    facts.map_or(0.0, |facts| facts.price().of(Tokens { input, output, ..Tokens::default() }))
}

/// Why the next call must not be made, in words; `None` when it may.
pub(crate) fn refusal(budget: &Budget, spent: Spent, reserved: Estimate, next: Estimate) -> Option<String> {
    let Spent { cost, tokens, calls, requests } = spent;
    if let Some(max) = budget.max_calls.filter(|max| calls >= *max) {
        return Some(format!("the budget of {} is reached", count(max.into(), "call", "calls")));
    }
    if let Some(reason) = requests_reached(budget, requests) {
        return Some(reason);
    }
    if let Some(max) = budget.max_cost_usd {
        let after = cost + reserved.cost + next.cost;
        if after > max {
            let in_flight = in_flight((reserved.cost > 0.0).then(|| money(reserved.cost)));
            return Some(format!(
                "the next call might exceed the budget of {}: {} spent,{in_flight} {} estimated for the call",
                money(max),
                money(cost),
                money(next.cost)
            ));
        }
    }
    if let Some(max) = budget.max_tokens
        && tokens + reserved.tokens + next.tokens > max
    {
        let in_flight = in_flight((reserved.tokens > 0).then(|| thousands(reserved.tokens)));
        return Some(format!(
            "the next call might exceed the budget of {} tokens: {} spent,{in_flight} {} estimated for the call",
            thousands(max),
            thousands(tokens),
            thousands(next.tokens)
        ));
    }
    None
}

/// The part of a refusal about calls in flight; empty if there are none.
fn in_flight(amount: Option<String>) -> String {
    amount.map_or_else(String::new, |amount| format!(" {amount} in flight,"))
}

fn requests_reached(budget: &Budget, requests: u32) -> Option<String> {
    let max = budget.max_requests.filter(|max| requests >= *max)?;
    Some(format!("the budget of {} is reached", count(max.into(), "request", "requests")))
}

/// Why no further step may be made, in words, when calls in flight have brought the run to its budget.
pub(crate) fn reached(budget: &Budget, (cost, tokens, requests): (f64, u64, u32)) -> Option<String> {
    let by_cost = budget.max_cost_usd.filter(|max| cost >= *max);
    let by_cost =
        by_cost.map(|max| format!("the budget of {} is reached: {} spent", money(max), money(cost)));
    let by_tokens = budget.max_tokens.filter(|max| tokens >= *max);
    let by_tokens = by_tokens.map(|max| {
        format!("the budget of {} tokens is reached: {} spent", thousands(max), thousands(tokens))
    });
    by_cost.or(by_tokens).or_else(|| requests_reached(budget, requests))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_per_million_tokens() {
        let facts = ModelFacts {
            model_id: "a/b".into(),
            input_cost: 3.0,
            output_cost: 15.0,
            ..ModelFacts::default()
        };
        let of = |facts: &ModelFacts| estimate(3_000, 4_000, 0, Some(facts));
        assert_eq!(of(&facts).tokens, 5_000);
        assert!((of(&facts).cost - (0.003 + 0.06)).abs() < 1e-12);
        let own = Price { input: 1.0, output: 2.0, cache_read: None, cache_write: None };
        assert!((of(&ModelFacts { own: Some(own), ..facts }).cost - (0.001 + 0.008)).abs() < 1e-12);
    }

    #[test]
    fn a_price_of_ones_own_counts_every_kind_of_token() {
        let million = 1_000_000;
        let price = Price { input: 2.0, output: 10.0, cache_read: Some(0.25), cache_write: None };
        for (tokens, dollars) in [
            (Tokens { input: million, ..Tokens::default() }, 2.0),
            (Tokens { output: million, ..Tokens::default() }, 10.0),
            (Tokens { reasoning: million, ..Tokens::default() }, 10.0),
            (Tokens { cache_read: million, ..Tokens::default() }, 0.25),
            (Tokens { cache_write: million, ..Tokens::default() }, 2.0),
        ] {
            assert!((price.of(tokens) - dollars).abs() < 1e-9, "{tokens:?}");
        }
    }

    #[test]
    fn the_cap_counts_what_is_spent_in_flight_and_asked_for() {
        let spent = |cost, tokens, calls| Spent { cost, tokens, calls, requests: calls };
        let next = |cost, tokens| Estimate { cost, tokens };
        let none = Budget::default();
        let dollars = Budget { max_cost_usd: Some(1.0), ..none };
        let tokens = Budget { max_tokens: Some(10), ..none };
        let calls = Budget { max_calls: Some(2), ..none };
        let one_call = Budget { max_calls: Some(1), ..none };
        let requests = Budget { max_requests: Some(2), ..none };
        for (budget, so_far, reserved, refused) in [
            (none, spent(1e6, 1 << 50, 1_000), next(1e6, 1 << 50), None),
            (dollars, spent(0.25, 99, 9), next(0.5, 99), None),
            (
                dollars,
                spent(0.26, 0, 0),
                next(0.5, 0),
                Some("the next call might exceed the budget of $1.00: $0.26 spent"),
            ),
            (tokens, spent(9.0, 5, 9), next(9.0, 3), None),
            (
                tokens,
                spent(0.0, 6, 0),
                next(0.0, 3),
                Some("the next call might exceed the budget of 10 tokens: 6 spent, 3 in flight"),
            ),
            (calls, spent(9.0, 99, 1), next(9.0, 99), None),
            (calls, spent(0.0, 0, 2), next(0.0, 0), Some("the budget of 2 calls is reached")),
            (one_call, spent(0.0, 0, 1), next(0.0, 0), Some("the budget of 1 call is reached")),
            (requests, spent(9.0, 99, 1), next(9.0, 99), None),
            (requests, spent(0.0, 0, 2), next(0.0, 0), Some("the budget of 2 requests is reached")),
        ] {
            let reason = refusal(&budget, so_far, reserved, next(0.25, 2));
            match refused {
                Some(words) => assert!(reason.clone().unwrap().starts_with(words), "{reason:?}"),
                None => assert_eq!(reason, None, "{budget:?}"),
            }
        }
    }
}
