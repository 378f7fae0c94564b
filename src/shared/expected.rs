//! The expected cost of work before it starts, next to what it actually took; the wording is the same in every workflow.
//!
//! It is unknown how much of a project a model reads, how much it writes, and what has to be retried. So the sum is based on the length
//! of the prompts and the usual length of such answers, and only earlier work gives a range.

use crate::shared::figures::{count, money, thousands};
use kernel::budget::Estimate;
use kernel::json::Deserialize;
use serde::Serialize;
use std::fmt::Write as _;

/// The expected calls, tokens and cost of a command.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Expected {
    /// Calls, if nothing fails.
    pub calls: u32,
    /// Tokens of every kind, by length.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// The cost of these tokens in US dollars.
    pub cost: f64,
    /// What the same work took before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub earlier: Option<EarlierRuns>,
    /// The limit in US dollars above which the user is asked first, if the work may exceed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub above: Option<f64>,
}

/// What earlier work of the same models took: the lowest and the highest figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EarlierRuns {
    /// How many earlier runs there are.
    pub runs: u32,
    /// Tokens of every kind.
    #[cfg_attr(test, ts(type = "[number, number]"))]
    pub tokens: [u64; 2],
    /// US dollars.
    pub cost: [f64; 2],
}

impl EarlierRuns {
    /// The range over these, each in tokens and US dollars; `None` when there are none.
    pub(crate) fn of(each: impl IntoIterator<Item = (u64, f64)>) -> Option<Self> {
        let each =
            each.into_iter().map(|(tokens, cost)| Self { runs: 1, tokens: [tokens; 2], cost: [cost; 2] });
        each.reduce(|all, one| Self {
            runs: all.runs + one.runs,
            tokens: [all.tokens[0].min(one.tokens[0]), all.tokens[1].max(one.tokens[1])],
            cost: [all.cost[0].min(one.cost[0]), all.cost[1].max(one.cost[1])],
        })
    }

    /// The range in figures.
    pub(crate) fn range(&self) -> String {
        let between = |from: String, to: String| if from == to { from } else { format!("{from} to {to}") };
        let cost = between(money(self.cost[0]), money(self.cost[1]));
        let tokens = between(thousands(self.tokens[0]), thousands(self.tokens[1]));
        format!("{cost} and {tokens} tokens")
    }
}

impl Expected {
    /// Adds a call.
    pub(crate) fn add(&mut self, call: Estimate) {
        self.calls += 1;
        self.tokens += call.tokens;
        self.cost += call.cost;
    }

    /// The highest expected cost in US dollars, as far as it can be estimated.
    pub(crate) fn most(&self) -> f64 {
        self.earlier.iter().fold(self.cost, |most, earlier| most.max(earlier.cost[1]))
    }

    /// The same, with whether the user is asked first. `limit`: `budget.confirm_usd`.
    #[must_use]
    pub(crate) fn asked_above(self, limit: Option<f64>) -> Self {
        Self { above: limit.filter(|limit| self.most() > *limit), ..self }
    }

    /// Explains why the user is asked first, in a sentence; `None` when the work starts at once.
    pub(crate) fn question(&self) -> Option<String> {
        let (most, limit) = (money(self.most()), money(self.above?));
        Some(format!(
            "This may cost {most}, which is more than {limit} (budget.confirm_usd). No model has been called for it yet."
        ))
    }

    /// Everything that is known before the first call. `earlier`: the name of the earlier work, in singular and plural.
    pub(crate) fn sentence(&self, [one, several]: [&str; 2]) -> String {
        let mut said = format!(
            "{}, {}, estimated from the length of the prompts. Models that read much of the project or need \
             a retry cost more.",
            count(self.calls.into(), "call", "calls"),
            sum(self.cost, self.tokens)
        );
        if let Some(earlier) = &self.earlier {
            let what = count(earlier.runs.into(), one, several);
            let _ = write!(said, " Earlier, {what} with these models took {}.", earlier.range());
        }
        said
    }

    /// The expected figures next to the actual ones.
    pub(crate) fn beside(&self, cost: f64, tokens: u64) -> String {
        beside((self.cost, self.tokens), (cost, tokens))
    }
}

/// A sum by length, in figures.
pub(crate) fn sum(cost: f64, tokens: u64) -> String {
    format!("about {} and {} tokens", money(cost), thousands(rounded(tokens)))
}

/// A sum by length, next to the actual figures.
pub(crate) fn beside(expected: (f64, u64), took: (f64, u64)) -> String {
    format!("{}; actual: {} and {} tokens.", sum(expected.0, expected.1), money(took.0), thousands(took.1))
}

/// Rounds to two digits: more would suggest precise knowledge.
fn rounded(tokens: u64) -> u64 {
    let unit = 10_u64.pow(tokens.checked_ilog10().unwrap_or(0).saturating_sub(1));
    tokens.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dearest_of_earlier_work_counts_for_the_question() {
        let expected = Expected { calls: 2, tokens: 12_345, cost: 0.4, ..Expected::default() };
        assert_eq!(expected.clone().asked_above(Some(0.4)).question(), None);
        assert_eq!(expected.clone().asked_above(None).question(), None);
        let earlier = EarlierRuns::of([(9_000, 0.2), (80_000, 1.25)]);
        let asks = Expected { earlier, ..expected }.asked_above(Some(1.0));
        assert!(
            asks.question()
                .unwrap()
                .starts_with("This may cost $1.25, which is more than $1.00 (budget.confirm_usd).")
        );
        let said = asks.sentence(["feature", "features"]);
        assert!(said.starts_with("2 calls, about $0.40 and 13"), "{said}");
        assert!(said.contains(" Earlier, 2 features with these models took $0.20 to $1.25 and 9"), "{said}");
        assert!(asks.beside(0.5, 20).starts_with("about $0.40 and 13"), "{}", asks.beside(0.5, 20));
        assert_eq!(EarlierRuns::of([]), None);
    }
}
