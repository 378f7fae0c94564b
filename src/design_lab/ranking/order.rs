//! Orders of designs, and metadata that both modes report about a study.

use super::descriptive::tied_groups;
use super::output::{RankedDesign, RankingMetadata};
use super::study::Study;
use design_lab_numerics::sorting::sorted_indices;

/// Returns the only item with the highest value; `None` when several share it.
pub(super) fn sole_first(values: &[Option<f64>]) -> Option<usize> {
    let present: Vec<(usize, f64)> =
        values.iter().enumerate().filter_map(|(index, value)| Some((index, (*value)?))).collect();
    let groups = tied_groups(&present.iter().map(|(_, value)| *value).collect::<Vec<_>>());
    match groups.first()?.as_slice() {
        &[only] => Some(present[only].0),
        _ => None,
    }
}

/// Returns the items with a value, best first; ties in the order of `order`.
pub(super) fn ordered(values: &[Option<f64>], order: &[usize]) -> Vec<usize> {
    let present: Vec<(usize, f64)> = order.iter().filter_map(|&item| Some((item, values[item]?))).collect();
    tied_groups(&present.iter().map(|(_, value)| *value).collect::<Vec<_>>())
        .into_iter()
        .flatten()
        .map(|index| present[index].0)
        .collect()
}

/// Returns the designs in the order of their ranks, unranked ones last, ties in the given order; and their previous
/// indices.
pub(super) fn by_rank(designs: Vec<RankedDesign>) -> (Vec<usize>, Vec<RankedDesign>) {
    let place = |index: usize| designs[index].rank.unwrap_or(u32::MAX);
    let order = sorted_indices(designs.len(), &|a, b| place(a).cmp(&place(b)));
    let mut designs: Vec<Option<RankedDesign>> = designs.into_iter().map(Some).collect();
    let rankings = order.iter().filter_map(|&index| designs[index].take()).collect();
    (order, rankings)
}

/// Returns the metadata of the result; `excluded` reviews were left out of the plain statistics.
pub(super) fn metadata(study: &Study, method: &str, reviewers: usize, excluded: usize) -> RankingMetadata {
    let context = &study.context;
    RankingMetadata {
        total_designs: count(study.designs.len()),
        total_reviewers: count(reviewers),
        aggregation_method: method.to_owned(),
        generated_at: context.generated_at.clone(),
        seed: study.options.seed,
        self_reviews_excluded: count(excluded),
        failed: context.failed.clone(),
        partial: context.partial,
        cost: context.cost,
        tokens: context.tokens,
    }
}

/// Returns a length as its JSON type.
pub(super) fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
