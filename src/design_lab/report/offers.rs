//! Ways to make a ranking more certain, with the expected calls and cost.

use crate::shared::figures::{count, money, thousands};

/// Ways to make a ranking more certain.
#[derive(Clone, Debug, PartialEq)]
pub struct Offers {
    /// Adding one reviewer.
    pub add: Offer,
    /// Comparing the first two designs; `None` unless they are close and were not compared.
    pub close: Option<Offer>,
    /// Comparing pairs until the first place is clear; `None` when the run doesn't support that, or isn't too close to call.
    pub until: Option<Offer>,
}

/// The expected calls and cost of one of these ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The minimum and maximum number of calls if nothing fails.
    pub calls: [u32; 2],
    /// The minimum and maximum cost in US dollars, estimated from the length of the prompts; `None` when no price is
    /// known.
    pub cost: Option<[f64; 2]>,
    /// Whether fewer calls may be enough.
    pub at_most: bool,
    /// The limit in US dollars at which it stops; `None` without an effective limit.
    pub cap: Option<f64>,
}

impl Offer {
    /// Returns the calls and the cost, if known.
    fn expected(&self) -> String {
        let [least, most] = self.calls;
        let calls = if least == most {
            count(most.into(), "call", "calls")
        } else {
            format!("{} to {} calls", thousands(least.into()), thousands(most.into()))
        };
        let cost = self.cost.map(|[least, most]| match [money(least), money(most)] {
            [one, other] if one == other => one,
            [one, other] => format!("{one} to {other}"),
        });
        let bound = if self.at_most { "at most " } else { "" };
        match cost {
            Some(cost) => format!("{bound}{calls}, about {cost}"),
            None => format!("{bound}{calls}"),
        }
    }

    /// Describes what `--add` does.
    pub(super) fn of_addition(&self) -> String {
        let prices = if self.cost.is_some() { " at the prices of this run's reviewers" } else { "" };
        format!(
            "adds a reviewer, ideally from another vendor: {}{prices} (to see the cost for MODEL, add --dry-run)",
            self.expected()
        )
    }

    /// Describes what `--close` does.
    pub(super) fn of_close(&self) -> String {
        format!("has the reviewers compare the first two designs: {}", self.expected())
    }

    /// Describes what `--map` does.
    pub(super) fn of_map(&self) -> String {
        format!(
            "maps what all designs agree on, where they differ, and what only one has: {}",
            self.expected()
        )
    }

    /// Describes what `--until clear` does.
    pub(super) fn of_comparing(&self) -> String {
        let stops = self.cap.map_or_else(
            || "to limit the cost, add --max-cost DOLLARS".to_owned(),
            |cap| format!("stops at {}, budget.max_cost_usd", money(cap)),
        );
        format!("compares pairs that may change the answer: {} ({stops})", self.expected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_names_calls_and_dollars_and_a_limit_only_where_there_is_one() {
        let offer = |calls, cost, at_most, cap| Offer { calls, cost, at_most, cap };
        for (offer, add, until) in [
            (
                offer([1, 1], Some([0.02, 0.02]), false, None),
                "1 call, about $0.0200 at the prices of this run's reviewers (to see the cost for MODEL, \
                 add --dry-run)",
                "1 call, about $0.0200 (to limit the cost, add --max-cost DOLLARS)",
            ),
            (
                offer([1, 2], Some([0.02, 1.5]), false, None),
                "1 to 2 calls, about $0.0200 to $1.50 at the prices of this run's reviewers (to \
                 see the cost for MODEL, add --dry-run)",
                "1 to 2 calls, about $0.0200 to $1.50 (to limit the cost, add --max-cost DOLLARS)",
            ),
            (
                offer([1_200, 1_200], None, true, Some(2.0)),
                "at most 1,200 calls (to see the cost for MODEL, add --dry-run)",
                "at most 1,200 calls (stops at $2.00, budget.max_cost_usd)",
            ),
        ] {
            let sentences = (offer.of_addition(), offer.of_comparing());
            let [told_add, told_until] =
                [sentences.0, sentences.1].map(|sentence| sentence.split_once(": ").unwrap().1.to_owned());
            assert_eq!((told_add.as_str(), told_until.as_str()), (add, until));
        }
    }
}
