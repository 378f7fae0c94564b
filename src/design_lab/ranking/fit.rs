//! The mixed model on a panel's reviews: takes and returns the panel's indices, whatever their order.

use super::descriptive::mean;
use super::model::{DeletedResidual, Observation, Posterior, SHARED};
use design_lab_numerics::chances::{Component, Difference};
use design_lab_numerics::compared::Compared;
use design_lab_numerics::sorting::{ascending, sort, sorted_indices};
use std::cmp::Ordering;

/// The model, fitted in an order of designs and reviewers that depends only on their scores (and the model's other
/// inputs), so that renaming or reordering them changes no bit of the result.
pub(super) struct Fit {
    posterior: Posterior,
    /// The panel's index for each of the model's indices.
    designs: Vec<usize>,
    reviewers: Vec<usize>,
    /// The observations with the model's indices.
    observations: Vec<Observation>,
}

impl Fit {
    /// Fits the model, or returns `None` without observations; there is at most one per design and reviewer. Indices
    /// are the panel's.
    pub(super) fn of(observations: &[Observation]) -> Option<Self> {
        Self::with(observations, Posterior::of)
    }

    /// Fits other observations with the variance ratios estimated from these ones.
    pub(super) fn refit(&self, observations: &[Observation]) -> Option<Self> {
        let ratios = self.posterior.ratios();
        Self::with(observations, |designs, reviewers, observations| {
            Posterior::at(designs, reviewers, observations, ratios)
        })
    }

    /// Returns the adjusted score of each design; `None` for designs that were not observed.
    pub(super) fn adjusted(&self, designs: usize) -> Vec<Option<f64>> {
        let mut adjusted = vec![None; designs];
        for (&design, score) in self.designs.iter().zip(self.posterior.adjusted()) {
            adjusted[design] = Some(score);
        }
        adjusted
    }

    /// Returns by how many points comparisons, of observed designs, change the adjusted score of each design.
    pub(super) fn shifts(&self, designs: usize, compared: &[Compared]) -> Vec<f64> {
        let mut shifts = vec![0.0; designs];
        for (&design, shift) in self.designs.iter().zip(self.posterior.shifts(&self.within(compared))) {
            shifts[design] = shift;
        }
        shifts
    }

    /// Returns the comparisons with the model's indices.
    fn within(&self, compared: &[Compared]) -> Vec<Compared> {
        let positions = positions(&self.designs);
        let moved =
            |one: &Compared| Compared { designs: one.designs.map(|design| positions[design]), ..*one };
        compared.iter().map(moved).collect()
    }

    /// Returns each reviewer's points above the panel's mean; 0 for reviewers that were not observed.
    pub(super) fn leniency(&self, reviewers: usize) -> Vec<f64> {
        let mut leniency = vec![0.0; reviewers];
        for (&reviewer, points) in self.reviewers.iter().zip(self.posterior.leniency()) {
            leniency[reviewer] = points;
        }
        leniency
    }

    /// Returns every observation, with the panel's indices, and its deviation from what all the others predict.
    pub(super) fn deleted_residuals(&self) -> Vec<(Observation, DeletedResidual)> {
        let named = self.observations.iter().map(|observation| Observation {
            design: self.designs[observation.design],
            reviewer: self.reviewers[observation.reviewer],
            ..*observation
        });
        named.zip(self.posterior.deleted_residuals()).collect()
    }

    /// Returns the true qualities of the `ranked` designs in their order, all of which must have been observed, for
    /// reviewers whose errors correlate by `correlation` on average and who `compared` pairs as well.
    pub(super) fn qualities(
        &self,
        ranked: &[usize],
        correlation: f64,
        compared: &[Compared],
    ) -> Vec<Component> {
        let positions = positions(&self.designs);
        let picked = |values: &[f64]| ranked.iter().map(|&design| values[positions[design]]).collect();
        let mut mixture = self.posterior.qualities(correlation, &SHARED, &self.within(compared));
        for component in &mut mixture {
            component.means = picked(&component.means);
            component.variances = picked(&component.variances);
        }
        mixture
    }

    /// Returns by how much one design's quality exceeds another's.
    pub(super) fn difference(&self, design: usize, over: usize, correlation: f64) -> Difference {
        let positions = positions(&self.designs);
        self.posterior.difference(positions[design], positions[over], correlation, &SHARED)
    }

    fn with(
        observations: &[Observation],
        fit: impl FnOnce(usize, usize, &[Observation]) -> Option<Posterior>,
    ) -> Option<Self> {
        let (designs, reviewers) = canonical(observations);
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

/// Orders designs and reviewers, each by descending mean score, then by their sorted scores, then by the counterparts
/// of these scores: while one side contains items that can't be distinguished, the other side's current order is used
/// (colour refinement; Weisfeiler and Leman 1968). Items that are still equal after that can be exchanged without
/// changing the table.
fn canonical(observations: &[Observation]) -> (Vec<usize>, Vec<usize>) {
    let mut sides = [Side::of(observations, |one| one.design), Side::of(observations, |one| one.reviewer)];
    while sides.iter().any(|side| side.classes < side.order.len()) {
        let before = [sides[0].classes, sides[1].classes];
        let [designs, reviewers] = &mut sides;
        designs.refine(observations, |one| one.design, |one| reviewers.class[one.reviewer]);
        reviewers.refine(observations, |one| one.reviewer, |one| designs.class[one.design]);
        if before == [sides[0].classes, sides[1].classes] {
            break;
        }
    }
    let [designs, reviewers] = sides;
    (designs.order, reviewers.order)
}

/// Designs, or reviewers, in an order that is being determined.
struct Side {
    order: Vec<usize>,
    /// For each index: its class among those distinguished so far, in their order.
    class: Vec<usize>,
    classes: usize,
}

impl Side {
    fn of(observations: &[Observation], group: impl Fn(&Observation) -> usize) -> Self {
        let groups = 1 + observations.iter().map(&group).max().unwrap_or(0);
        let mut scores: Vec<Vec<f64>> = vec![Vec::new(); groups];
        for observation in observations {
            scores[group(observation)].push(observation.score);
        }
        let sorted: Vec<Vec<f64>> = scores.iter().map(|scores| ascending(scores)).collect();
        // Computed from sorted scores, so that the order of rows changes no bit.
        let means: Vec<Option<f64>> = sorted.iter().map(|scores| mean(scores)).collect();
        let mut side = Self {
            order: (0..groups).filter(|&group| means[group].is_some()).collect(),
            class: vec![0; groups],
            classes: 0,
        };
        side.sort(&|a, b| {
            let by_mean = means[b].unwrap_or(-1.0).total_cmp(&means[a].unwrap_or(-1.0));
            by_mean.then_with(|| {
                let differing = sorted[a].iter().zip(&sorted[b]).find(|(x, y)| x.total_cmp(y).is_ne());
                differing.map_or_else(|| sorted[a].len().cmp(&sorted[b].len()), |(x, y)| x.total_cmp(y))
            })
        });
        side
    }

    /// Splits each class by the classes of the other side.
    fn refine(
        &mut self,
        observations: &[Observation],
        group: impl Fn(&Observation) -> usize,
        other: impl Fn(&Observation) -> usize,
    ) {
        let mut seen: Vec<Vec<(usize, [u64; 3])>> = vec![Vec::new(); self.class.len()];
        for observation in observations {
            let bits = [observation.score.to_bits(), u64::from(observation.own), observation.place.to_bits()];
            seen[group(observation)].push((other(observation), bits));
        }
        for seen in &mut seen {
            sort(seen);
        }
        let class = std::mem::take(&mut self.class);
        self.class = vec![0; class.len()];
        self.sort(&|a, b| class[a].cmp(&class[b]).then_with(|| seen[a].cmp(&seen[b])));
    }

    fn sort(&mut self, compare: &dyn Fn(usize, usize) -> Ordering) {
        let order: Vec<usize> =
            sorted_indices(self.order.len(), &|a, b| compare(self.order[a], self.order[b]))
                .into_iter()
                .map(|index| self.order[index])
                .collect();
        let mut classes = 0;
        for (index, &group) in order.iter().enumerate() {
            classes += usize::from(index == 0 || compare(order[index - 1], group).is_ne());
            self.class[group] = classes - 1;
        }
        (self.order, self.classes) = (order, classes);
    }
}

/// Returns the position of each index in an order; 0 for indices that don't occur.
fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![0; 1 + order.iter().copied().max().unwrap_or(0)];
    for (position, &index) in order.iter().enumerate() {
        positions[index] = position;
    }
    positions
}
