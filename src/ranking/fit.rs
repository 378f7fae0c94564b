//! The mixed model on a panel's reviews: names in, names out, whatever their order.

use super::descriptive::mean;
use super::model::{DeletedResidual, Observation, Posterior};
use crate::random::Random;
use design_lab_numerics::sorting::{ascending, sorted_indices};

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
    /// Fits the model; none without observations, of which there is one per design and reviewer at most. Indices are the panel's.
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

    /// Every observation, with the panel's indices, and how it lies to all others.
    pub(super) fn deleted_residuals(&self) -> Vec<(Observation, DeletedResidual)> {
        let named = self.observations.iter().map(|observation| Observation {
            design: self.designs[observation.design],
            reviewer: self.reviewers[observation.reviewer],
            ..*observation
        });
        named.zip(self.posterior.deleted_residuals()).collect()
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
        let picked: Vec<usize> = ranked.iter().map(|&design| positions[design]).collect();
        let mut qualities = vec![0.0; ranked.len()];
        self.posterior.draw(count, random, |drawn| {
            for (quality, &position) in qualities.iter_mut().zip(&picked) {
                *quality = drawn[position];
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
        let mut cells = vec![None; designs.len() * reviewers.len()];
        for observation in observations {
            let design = design_positions[observation.design];
            let reviewer = reviewer_positions[observation.reviewer];
            cells[design * reviewers.len() + reviewer] =
                Some(Observation { design, reviewer, ..*observation });
        }
        let observations: Vec<Observation> = cells.into_iter().flatten().collect();
        let posterior = fit(designs.len(), reviewers.len(), &observations)?;
        Some(Self { posterior, designs, reviewers, observations })
    }
}

/// The groups of observations, by descending mean score, then by their sorted scores.
fn canonical(observations: &[Observation], group: impl Fn(&Observation) -> usize) -> Vec<usize> {
    let groups = 1 + observations.iter().map(&group).max().unwrap_or(0);
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); groups];
    for observation in observations {
        scores[group(observation)].push(observation.score);
    }
    let means: Vec<Option<f64>> = scores.iter().map(|scores| mean(scores)).collect();
    let order = sorted_indices(groups, &|a, b| {
        let by_mean = means[b].unwrap_or(-1.0).total_cmp(&means[a].unwrap_or(-1.0));
        by_mean.then_with(|| {
            let (one, other) = (ascending(&scores[a]), ascending(&scores[b]));
            let differing = one.iter().zip(&other).find(|(x, y)| x.total_cmp(y).is_ne());
            differing.map_or_else(|| one.len().cmp(&other.len()), |(x, y)| x.total_cmp(y))
        })
    });
    order.into_iter().filter(|&group| means[group].is_some()).collect()
}

/// The place of each index in an order; 0 for those that don't occur.
fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; 1 + order.iter().copied().max().unwrap_or(0)];
    for (position, &index) in order.iter().enumerate() {
        positions[index] = position;
    }
    positions
}
