//! The prices of models: the user's own table has priority over the host's catalogue. If a price is unknown, a cap in dollars can't be
//! enforced, and the user learns that.

use design_lab_numerics::sorting::sort;
use kernel::budget::{Budget, Price};
use kernel::protocol::ModelFacts;
use std::collections::BTreeMap;

/// The facts of the catalogue and of the user about these models, each once, sorted; models unknown to both are left out.
pub(crate) fn facts(
    used: &[&String],
    catalogue: &[ModelFacts],
    own: &BTreeMap<String, Price>,
) -> Vec<ModelFacts> {
    let known = each(used).into_iter().filter_map(|id| {
        let own = own.get(id).copied();
        let known = catalogue.iter().find(|facts| facts.model_id == *id).cloned();
        let facts =
            known.or_else(|| own.map(|_| ModelFacts { model_id: id.clone(), ..ModelFacts::default() }))?;
        Some(ModelFacts { own, ..facts })
    });
    known.collect()
}

/// The models without a known price, each once, sorted.
pub(crate) fn without_price(used: &[&String], facts: &[ModelFacts]) -> Vec<String> {
    let priced = |id: &str| facts.iter().any(|facts| facts.model_id == id && facts.is_priced());
    each(used).into_iter().filter(|id| !priced(id)).cloned().collect()
}

/// Explains why the cap in dollars can't limit these models; `None` when it does, or there is none. `key`: the place of the budget in
/// its settings.
pub(crate) fn void_cap(key: &str, budget: &Budget, used: &[&String], facts: &[ModelFacts]) -> Option<String> {
    budget.max_cost_usd?;
    let names = without_price(used, facts);
    (!names.is_empty()).then(|| {
        format!(
            "{key}.max_cost_usd doesn't limit {}: without a known price, calls count as $0. Set their prices in \
             `prices` in design-lab.jsonc, or set {key}.max_calls or {key}.max_tokens.",
            names.join(", ")
        )
    })
}

/// Replaces the earlier note on why a cap is void.
pub(crate) fn retell(notes: &mut Vec<String>, before: Option<&String>, now: Option<String>) {
    notes.retain(|note| before != Some(note));
    notes.extend(now);
}

fn each<'a>(used: &[&'a String]) -> Vec<&'a String> {
    let mut ids = used.to_vec();
    sort(&mut ids);
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_of_ones_own_counts_first_and_makes_the_cap_hold() {
        let [paid, free, unlisted] = ["a/paid", "a/free", "b/unlisted"].map(str::to_owned);
        let used = [&unlisted, &free, &paid, &free];
        let of = |id: &String, cost| ModelFacts {
            model_id: id.clone(),
            input_cost: cost,
            output_cost: cost,
            ..ModelFacts::default()
        };
        let catalogue = [of(&paid, 3.0), of(&free, 0.0)];
        let covered = Price { input: 0.0, output: 0.0, cache_read: None, cache_write: None };
        let capped = Budget { max_cost_usd: Some(1.0), ..Budget::default() };
        for (own, without_price) in [
            (vec![], Some("a/free, b/unlisted")),
            (vec![&unlisted], Some("a/free")),
            (vec![&unlisted, &free], None),
        ] {
            let own = own.into_iter().map(|id| (id.clone(), covered)).collect();
            let facts = facts(&used, &catalogue, &own);
            let said = void_cap("flow.budget", &capped, &used, &facts);
            let begins =
                without_price.map(|names| format!("flow.budget.max_cost_usd doesn't limit {names}: without"));
            assert_eq!(said.is_some(), begins.is_some(), "{said:?}");
            assert!(said.unwrap_or_default().starts_with(&begins.unwrap_or_default()), "{without_price:?}");
            assert_eq!(void_cap("budget", &Budget::default(), &used, &facts), None, "there is no cap");
        }
    }
}
