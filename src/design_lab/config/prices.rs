//! The user's own table of prices, which applies to every workflow.

use super::Source;
use super::code::ConfigCode;
use super::raw::RawConfig;
use crate::design_lab::schema::{child, is_model_name, quote};
use kernel::budget::Price;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// Returns the prices in the sources, by `provider/model`; the models that the sources name
/// elsewhere don't matter.
pub fn own_prices(sources: &[Source]) -> Result<BTreeMap<String, Price>, Vec<Problem>> {
    RawConfig::of(sources).map(|raw| raw.prices)
}

/// Reports prices of names that are not models.
pub(super) fn problems(prices: &BTreeMap<String, Price>) -> impl Iterator<Item = Problem> {
    prices.keys().filter(|name| !is_model_name(name)).map(|name| {
        Problem::new(ConfigCode::PriceOfNoModel, format!("{} in `prices` is not a model.", quote(name)))
            .at(child("/prices", name))
            .found(quote(name))
            .allowed("a model as \"provider/model\"")
            .next("Write the model as `opencode models` prints it, \"zhipuai/glm-4.6\" for example.")
    })
}
