//! The standings while reviews are still arriving: plain figures, without intervals and without a verdict.

use super::descriptive::competition_ranks;
use super::order::{count, ordered};
use super::rounding::settled;
use super::study::Study;
use crate::design_lab::ids::DesignId;

/// The standing of one design so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Provisional {
    /// The design.
    pub design_id: DesignId,
    /// Its place among the designs with a figure, ties shared.
    pub rank: Option<u32>,
    /// The mean score (0–10), or in pairwise mode the share of its pairs that it won (0–1); `None` before anything
    /// counts.
    pub figure: Option<f64>,
    /// The number of reviews, or pairs, that the figure is based on.
    pub count: u32,
}

impl Provisional {
    /// Returns every design of a study, best first, those without a figure last; figures and counts are in the study's
    /// order.
    pub(super) fn all(study: &Study, figures: &[Option<f64>], counts: &[usize]) -> Vec<Self> {
        let studied: Vec<usize> = (0..study.designs.len()).collect();
        let order = ordered(figures, &studied);
        let ranks =
            competition_ranks(&order.iter().filter_map(|&design| figures[design]).collect::<Vec<_>>());
        let rest = studied.into_iter().filter(|&design| figures[design].is_none());
        let places = ranks.into_iter().map(Some).chain(std::iter::repeat(None));
        let all = order.iter().copied().chain(rest).zip(places);
        all.map(|(design, rank)| Self {
            design_id: study.designs[design].id.clone(),
            rank,
            figure: figures[design].map(settled),
            count: count(counts[design]),
        })
        .collect()
    }
}
