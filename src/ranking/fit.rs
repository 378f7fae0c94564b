//! The mixed model on a panel's reviews: names in, names out, whatever their order.

use super::descriptive::mean;
use super::model::{DeletedResidual, Observation, Posterior};
use crate::random::Random;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The model fitted in an order of designs and reviewers that depends on their scores alone: so renaming or reordering them changes
/// no bit of the result, random draws included.
pub(super) struct Fit {
    posterior: Posterior,
    /// The panel's index by the model's.
    designs: Vec<usize>,
    reviewers: Vec<usize>,
    /// As the model has them.
    observations: Vec<Observation>,
}

impl Fit {
    /// Fits the model; none without observations. Indices are the panel's.
    pub(super) fn of(observations: &[Observation]) -> Option<Self> {
        Self::with(observations, Posterior::of)
    }

    /// Fits other observations with the ratios of variances kept as they were found in these.
    pub(super) fn refit(&self, observations: &[Observation]) -> Option<Self> {
        let ratios = self.posterior.ratios();
        Self::with(observations, |designs, reviewers, observations| {
            Posterior::at(designs, reviewers, observations, ratios)
        })
    }

    /// Adjusted score by design; none for those that were not observed.
    pub(super) fn adjusted(&self, designs: usize) -> Vec<Option<f64>> {
        let mut adjusted = vec![None; designs];
        for (&design, score) in self.designs.iter().zip(self.posterior.adjusted()) {
            adjusted[design] = Some(score);
        }
        adjusted
    }

    /// Points above the panel's mean, by reviewer; 0 for those that were not observed.
    pub(super) fn leniency(&self, reviewers: usize) -> Vec<f64> {
        let mut leniency = vec![0.0; reviewers];
        for (&reviewer, points) in self.reviewers.iter().zip(self.posterior.leniency()) {
            leniency[reviewer] = points;
        }
        leniency
    }

    /// By design and reviewer.
    pub(super) fn deleted_residuals(&self) -> BTreeMap<(usize, usize), DeletedResidual> {
        let cells =
            self.observations.iter().map(|cell| (self.designs[cell.design], self.reviewers[cell.reviewer]));
        cells.zip(self.posterior.deleted_residuals()).collect()
    }

    /// Draws of the true qualities, in the order of `ranked`, all of which must have been observed.
    pub(super) fn draw(
        &self,
        count: usize,
        ranked: &[usize],
        random: &mut Random,
        mut visit: impl FnMut(&[f64]),
    ) {
        let positions = positions(&self.designs);
        let mut qualities = vec![0.0; ranked.len()];
        self.posterior.draw(count, random, |drawn| {
            for (quality, design) in qualities.iter_mut().zip(ranked) {
                *quality = drawn[positions[design]];
            }
            visit(&qualities);
        });
    }

    fn with(
        observations: &[Observation],
        fit: impl FnOnce(usize, usize, &[Observation]) -> Option<Posterior>,
    ) -> Option<Self> {
        let designs = canonical(observations, |observation| observation.design);
        let reviewers = canonical(observations, |observation| observation.reviewer);
        let (design_positions, reviewer_positions) = (positions(&designs), positions(&reviewers));
        let mut observations: Vec<Observation> = observations
            .iter()
            .map(|observation| Observation {
                design: design_positions[&observation.design],
                reviewer: reviewer_positions[&observation.reviewer],
                ..*observation
            })
            .collect();
        observations.sort_by_key(|observation| (observation.design, observation.reviewer));
        let posterior = fit(designs.len(), reviewers.len(), &observations)?;
        Some(Self { posterior, designs, reviewers, observations })
    }
}

/// The groups of observations, by descending mean score, then by their sorted scores.
fn canonical(observations: &[Observation], group: impl Fn(&Observation) -> usize) -> Vec<usize> {
    let mut scores: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for observation in observations {
        scores.entry(group(observation)).or_default().push(observation.score);
    }
    let mut groups: Vec<usize> = scores.keys().copied().collect();
    for scores in scores.values_mut() {
        scores.sort_by(f64::total_cmp);
    }
    groups.sort_by_cached_key(|group| {
        // Scores are never negative, so their bits sort as they do.
        let bits: Vec<u64> = scores[group].iter().map(|score| score.to_bits()).collect();
        (Reverse(mean(&scores[group]).unwrap_or_default().to_bits()), bits)
    });
    groups
}

fn positions(order: &[usize]) -> BTreeMap<usize, usize> {
    order.iter().enumerate().map(|(position, &original)| (original, position)).collect()
}
