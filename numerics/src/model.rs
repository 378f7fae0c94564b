//! The linear mixed model behind `adjusted_score` and `rank_interval`.
//!
//! For reviewer *j*'s score of design *i*, both on the scale of 0–10 (a cell: the mean of its repeats),
//!
//! ```text
//! y_ij = μ + u_i + r_j + β_own·own_ij + β_place·place_ij + e_ij      u_i = d_i + c_i
//!
//! d_i  ~ N(0, σ²·δ²)              true quality
//! c_i  ~ N(0, σ²·ρ/(1−ρ))         error that all reviewers share; ρ = SHARED_ERROR
//! r_j  ~ N(0, σ²·λ²)              leniency
//! e_ij ~ N(0, σ²·(1 + τ²·own_ij)) residual; self-preference has its own spread τσ around its mean β_own
//! ```
//!
//! `place` runs from ½ (shown first) to −½ (shown last), so `β_place` is the advantage of the first place over the last.
//! Random effects are shrunken (Henderson 1975, "Best linear unbiased estimation and prediction under a selection model",
//! Biometrics 31; Robinson 1991, "That BLUP is a good thing", Statistical Science 6).
//!
//! **Variances.** A 2 × 2 table has one residual degree of freedom: REML would estimate variances as 0 or not at all. So σ² gets
//! a weak scaled-inverse-χ² prior and is integrated out exactly, and the ratios δ, λ and τ are integrated over a fixed grid with
//! log-normal weights (an empirical relative: Chung et al. 2013, "A nondegenerate penalized likelihood estimator for variance
//! parameters in multilevel models", Psychometrika 78; the nested sum is that of Rue, Martino and Chopin 2009, "Approximate
//! Bayesian inference for latent Gaussian models", JRSS B 71). Nothing is iterated, so nothing can fail to converge.
//!
//! **Shared error.** Scores show only `d + c`, the consensus `u`: a panel's common error leaves no trace in them. How much of the
//! consensus is quality is therefore an assumption, calibrated where panels of model judges could be compared with people's
//! judgement (`docs/ranking-measurements.md`): the shared error has a floor, and a part that grows with the spread of the
//! consensus, faster the less independent the reviewers are, up to a ceiling ([`Shared`]). With the variance C of the consensus,
//! the correlation ρ of two reviewers' errors and r = ρ / (1 − ρ),
//!
//! ```text
//! V = floor² + r · C·ceiling / (C + ceiling)        s = C / (C + V)        d | u ~ N(s·u, s·(1 − s)·C)
//! ```
//!
//! It never changes an order on a balanced table; it widens every interval. An earlier form was proportional to σ², so that it
//! shrank where reviewers agreed; in real panels agreement is hardly evidence.
//!
//! **A constant shifts nobody.** Chances must not depend on a reviewer's leniency. So where chances need σ² and δ, they are
//! learned with leniency left entirely free ([`Scale`]); leniency is shrunken only for the adjusted scores, where holes have to
//! be filled.

use crate::chances::{Component, Difference, independent_variances};
use crate::compared::Compared;
use crate::linear::{Cholesky, Symmetric};

/// Correlation of the errors of two reviewers on one design who have nothing in common except being models: 0.14 to 0.25 in mixed
/// panels of real judges. Nine judges of seven families were worth about two independent votes (Kohli 2026, arXiv 2605.29800),
/// which is 0.44 on tasks whose answers are known.
pub const SHARED_ERROR: f64 = 0.25;

/// The size of the error that all reviewers share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// Its minimum standard deviation, in points.
    pub floor: f64,
    /// The limit of the variance of its other part, over ρ / (1 − ρ), as the designs differ more and more, in squared points.
    pub ceiling: f64,
}

/// As measured on panels of model judges.
pub const SHARED: Shared = Shared { floor: 0.7, ceiling: 3.0 };

/// The share of the shared error that a design and its next version have in common: what all reviewers overrate in a design, they
/// overrate in its next version too. This is an assumption; nothing here measures it.
const VERSIONS: f64 = 0.5;

/// The assumptions before any data, besides the grid.
struct Prior {
    /// The part of `Var(u) / σ²` that doesn't depend on δ: a panel sees differences between designs, if only through its errors.
    shared: f64,
    /// σ² is known as well as from this many observations …
    degrees: f64,
    /// … with this standard deviation, in points.
    deviation: f64,
    /// Standard deviation of `β_own` around 0, in units of σ.
    own: f64,
    /// Standard deviation of `β_place` around 0, in units of σ.
    place: f64,
}

const PRIOR: Prior =
    Prior { shared: SHARED_ERROR / (1.0 - SHARED_ERROR), degrees: 3.0, deviation: 1.0, own: 1.5, place: 0.5 };

/// The grid of each ratio of standard deviations to σ. It is evenly spaced in the logarithm; points are weighted by a log-normal
/// of spread 1 around the median.
const DESIGN_RATIOS: [f64; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
const REVIEWER_RATIOS: [f64; 4] = [0.25, 0.75, 2.25, 6.75];
const OWN_RATIOS: [f64; 3] = [0.2, 0.6, 1.8];
const MEDIAN_DESIGN: f64 = 1.0;
const MEDIAN_REVIEWER: f64 = 1.0;
const MEDIAN_OWN: f64 = 0.5;

/// The ratio that leaves leniency free.
const FREE: f64 = 1e4;

/// Where σ² is evaluated: this many steps of its logarithm, over this range around the middle in its standard deviations.
const VARIANCE_STEPS: usize = 7;
const VARIANCE_REACH: (f64, f64) = (-3.0, 4.0);

/// Grid points with less than this share of the posterior are left out.
const NEGLIGIBLE: f64 = 1e-5;

/// The same threshold for the components of chances.
const RARE: f64 = 1e-4;

/// Columns that all observations have in common: `β_own`, `β_place`, μ.
const COMMON: usize = 3;

/// One cell of the table, as input to the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Index of the design.
    pub design: usize,
    /// Index of the reviewer.
    pub reviewer: usize,
    /// 0–10.
    pub score: f64,
    /// Whether the reviewer's model wrote the design.
    pub own: bool,
    /// From ½ (shown first) to −½ (shown last); 0 if unknown.
    pub place: f64,
}

/// Standard deviations relative to σ: one point of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    design: f64,
    reviewer: f64,
    own: f64,
}

/// The model's fit to a table of scores.
#[derive(Clone, Debug)]
pub struct Posterior {
    shape: Shape,
    centre: f64,
    observations: Vec<Observation>,
    /// With their shares of the posterior, which add up to 1.
    points: Vec<(f64, Point)>,
}

/// What is known about σ² at one pair of ratios of the grid with leniency left free.
#[derive(Clone, Debug)]
struct Scale {
    ratios: Ratios,
    /// Its share of the posterior.
    weight: f64,
    /// σ² is scaled-inverse-χ²: this sum of squares over a χ² with this many degrees of freedom.
    squares: f64,
    degrees: f64,
}

impl Posterior {
    /// Fits the model. Every design below `designs` and every reviewer below `reviewers` should occur; those that don't are known
    /// only from the prior. Returns `None` without observations.
    pub fn of(designs: usize, reviewers: usize, observations: &[Observation]) -> Option<Self> {
        let own = observations.iter().any(|observation| observation.own);
        let own_ratios: &[f64] = if own { &OWN_RATIOS } else { &OWN_RATIOS[..1] };
        let mut grid = Vec::new();
        for design in DESIGN_RATIOS {
            for reviewer in REVIEWER_RATIOS {
                grid.extend(own_ratios.iter().map(|&own| Ratios { design, reviewer, own }));
            }
        }
        Self::over(designs, reviewers, observations, &grid)
    }

    /// Fits the model with the ratios held fixed.
    pub fn at(
        designs: usize,
        reviewers: usize,
        observations: &[Observation],
        ratios: Ratios,
    ) -> Option<Self> {
        Self::over(designs, reviewers, observations, &[ratios])
    }

    fn over(designs: usize, reviewers: usize, observations: &[Observation], grid: &[Ratios]) -> Option<Self> {
        if observations.is_empty() {
            return None;
        }
        let shape = Shape { designs, reviewers };
        let centre =
            observations.iter().map(|observation| observation.score).sum::<f64>() / observations.len() as f64;
        let mut centred = observations.to_vec();
        for observation in &mut centred {
            observation.score -= centre;
        }
        let mut points: Vec<(f64, Point)> = grid
            .iter()
            .filter_map(|&ratios| Point::of(shape, &centred, ratios, &PRIOR))
            .map(|point| (point.log_evidence, point))
            .collect();
        if points.is_empty() {
            return None;
        }
        normalise(&mut points);
        // Negligible points get weight 0, so that they can be skipped wherever they would cost time.
        for (weight, _) in &mut points {
            *weight = if *weight >= NEGLIGIBLE { *weight } else { 0.0 };
        }
        let total: f64 = points.iter().map(|(weight, _)| weight).sum();
        for (weight, _) in &mut points {
            *weight /= total;
        }
        Some(Self { shape, centre, observations: centred, points })
    }

    /// `μ + mean leniency + u_i` by design: the score that the whole panel would have given, 0–10.
    pub fn adjusted(&self) -> Vec<f64> {
        let mut adjusted = vec![0.0; self.shape.designs];
        for (weight, point) in &self.points {
            let panel = self.centre + point.common[2] + average(&point.reviewers);
            for (sum, effect) in adjusted.iter_mut().zip(&point.designs) {
                *sum += weight * (panel + effect);
            }
        }
        adjusted
    }

    /// Each reviewer's points above the panel's mean.
    pub fn leniency(&self) -> Vec<f64> {
        let mut leniency = vec![0.0; self.shape.reviewers];
        for (weight, point) in &self.points {
            let panel = average(&point.reviewers);
            for (sum, effect) in leniency.iter_mut().zip(&point.reviewers) {
                *sum += weight * (effect - panel);
            }
        }
        leniency
    }

    /// The advantage of the first place shown over the last, in points.
    pub fn place_effect(&self) -> f64 {
        self.points.iter().map(|(weight, point)| weight * point.common[1]).sum()
    }

    /// The ratios with the greatest share of the posterior.
    pub fn ratios(&self) -> Ratios {
        let best =
            self.points.iter().fold(&self.points[0], |best, next| if next.0 > best.0 { next } else { best });
        best.1.ratios
    }

    /// Per observation, under the likeliest ratios: the prediction from all the *other* observations, and how many of their
    /// standard deviations the observation is from it (the externally studentised residual; Cook and Weisberg 1982, "Residuals
    /// and influence in regression", §2.2.1). The deviation is 0 if no other observation informs the cell.
    pub fn deleted_residuals(&self) -> Vec<DeletedResidual> {
        let best =
            self.points.iter().fold(&self.points[0], |best, next| if next.0 > best.0 { next } else { best });
        self.observations
            .iter()
            .map(|observation| best.1.deleted_residual(observation, self.centre))
            .collect()
    }

    /// The true qualities `d`, up to a constant, when two reviewers' errors correlate by `correlation` on average and
    /// reviewers have `compared` pairs as well.
    pub fn qualities(&self, correlation: f64, shared: &Shared, compared: &[Compared]) -> Vec<Component> {
        let of = |found: Consensus| {
            let quality = Quality::of(found.scale, correlation, shared);
            Component {
                weight: found.weight,
                means: found.means.iter().map(|mean| quality.share * mean).collect(),
                variances: found.variances.iter().map(|&variance| quality.variance(variance)).collect(),
            }
        };
        self.consensus(compared).into_iter().map(of).collect()
    }

    /// By how many points comparisons change the adjusted score of each design.
    pub fn shifts(&self, compared: &[Compared]) -> Vec<f64> {
        let mut shifts = vec![0.0; self.shape.designs];
        if compared.is_empty() {
            return shifts;
        }
        let (before, after) = (self.consensus(&[]), self.consensus(compared));
        let total: f64 = after.iter().map(|found| found.weight).sum();
        for (before, after) in before.iter().zip(&after) {
            for (shift, (from, to)) in shifts.iter_mut().zip(before.means.iter().zip(&after.means)) {
                *shift += after.weight / total * (to - from);
            }
        }
        shifts
    }

    /// The consensus `u` at every point of the grid that matters, as scores and comparisons show it.
    fn consensus(&self, compared: &[Compared]) -> Vec<Consensus> {
        let mut found = Vec::new();
        for scale in self.scales() {
            let mut means = vec![0.0; self.shape.designs];
            let mut variances = vec![0.0; self.shape.designs];
            let parts: Vec<(f64, &Point, Vec<f64>)> =
                self.given(&scale).map(|(share, point)| (share, point, point.spread())).collect();
            for (share, point, spread) in &parts {
                let middle = average(&point.designs);
                for (design, effect) in point.designs.iter().enumerate() {
                    means[design] += share * (effect - middle);
                    variances[design] += share * spread[design];
                }
            }
            for at in scale.variances() {
                // The differences of the effects between values of λ don't shrink with σ², and are 0 on a table without holes.
                let between = |design: usize| {
                    let off = |(share, point, _): &(f64, &Point, Vec<f64>)| {
                        let distance = point.designs[design] - average(&point.designs) - means[design];
                        share * distance * distance
                    };
                    parts.iter().map(off).sum::<f64>()
                };
                let spread = |design: usize| at.value * variances[design] + between(design);
                let mut consensus = Consensus {
                    weight: at.weight,
                    scale: scale.consensus(at.value),
                    means: means.clone(),
                    variances: (0..means.len()).map(spread).collect(),
                };
                for pair in compared {
                    pair.update(at.value, &mut consensus.means, &mut consensus.variances);
                }
                found.push(consensus);
            }
        }
        found
    }

    /// How much better a design is than the one it was made from, in points, when two reviewers' errors correlate by
    /// `correlation` on average.
    pub fn difference(&self, design: usize, over: usize, correlation: f64, shared: &Shared) -> Difference {
        let mut parts = Vec::new();
        for scale in self.scales() {
            for (share, point) in self.given(&scale) {
                let spread = point.spread_of_difference(design, over);
                for at in scale.variances() {
                    let quality = Quality::of(scale.consensus(at.value), correlation, shared);
                    let mean = quality.share * (point.designs[design] - point.designs[over]);
                    // Two qualities with two remainders, of which the share VERSIONS is the same error made twice.
                    let variance =
                        quality.variance(at.value * spread) + (1.0 - 2.0 * VERSIONS) * quality.rest;
                    parts.push((share * at.weight, mean, variance.sqrt()));
                }
            }
        }
        let total: f64 = parts.iter().map(|(weight, _, _)| weight).sum();
        for (weight, _, _) in &mut parts {
            *weight /= total;
        }
        Difference { parts }
    }

    /// The pairs of δ and τ that matter, with what the scores imply about σ² there, whatever the reviewers' leniency.
    fn scales(&self) -> Vec<Scale> {
        let mut scales: Vec<(f64, Scale)> = Vec::new();
        for (_, Point { ratios, .. }) in &self.points {
            if scales.iter().any(|(_, known)| known.ratios.same_scale(*ratios)) {
                continue;
            }
            let free = Ratios { reviewer: FREE, ..*ratios };
            let Some(point) = Point::of(self.shape, &self.observations, free, &PRIOR) else { continue };
            let lost = self.shape.reviewers as f64 - 1.0;
            let scale =
                Scale { ratios: *ratios, weight: 0.0, squares: point.squares, degrees: point.degrees - lost };
            scales.push((point.log_evidence + 0.5 * lost * libm::log(point.squares), scale));
        }
        normalise(&mut scales);
        scales
            .into_iter()
            .filter(|(weight, _)| *weight >= RARE)
            .map(|(weight, scale)| Scale { weight, ..scale })
            .collect()
    }

    /// The points of the grid that share a scale, with their shares of it.
    fn given(&self, scale: &Scale) -> impl Iterator<Item = (f64, &Point)> {
        let mut points: Vec<(f64, &Point)> = self
            .points
            .iter()
            .filter(|(_, point)| point.ratios.same_scale(scale.ratios))
            .map(|(_, point)| (point.log_evidence, point))
            .collect();
        normalise(&mut points);
        points.into_iter().filter(|(share, _)| *share >= RARE)
    }
}

impl Scale {
    /// Values of σ² with their weights: its logarithm in even steps, by the trapezoidal rule.
    fn variances(&self) -> Vec<Variance> {
        let middle = self.squares / self.degrees;
        let deviation = (2.0 / self.degrees).sqrt();
        let (low, high) = VARIANCE_REACH;
        let logs: Vec<f64> = (0..VARIANCE_STEPS)
            .map(|index| deviation * (low + (high - low) * index as f64 / (VARIANCE_STEPS - 1) as f64))
            .collect();
        let weights: Vec<f64> =
            logs.iter().map(|log| libm::exp(-0.5 * self.degrees * (log + libm::exp(-log) - 1.0))).collect();
        let total: f64 = weights.iter().sum();
        logs.iter()
            .zip(weights)
            .map(|(log, weight)| Variance {
                value: middle * libm::exp(*log),
                weight: self.weight * weight / total,
            })
            .collect()
    }

    /// The variance of the consensus when that of the residual is `variance`.
    fn consensus(&self, variance: f64) -> f64 {
        variance * (self.ratios.design * self.ratios.design + PRIOR.shared)
    }
}

/// The consensus at one point of the grid.
struct Consensus {
    weight: f64,
    /// The variance of the consensus over designs.
    scale: f64,
    /// For each design, as independent variables.
    means: Vec<f64>,
    variances: Vec<f64>,
}

/// One value of σ².
struct Variance {
    value: f64,
    weight: f64,
}

/// `d | u ~ N(share · u, rest)`.
struct Quality {
    share: f64,
    rest: f64,
}

impl Quality {
    /// What a consensus with the variance `consensus` says about quality.
    fn of(consensus: f64, correlation: f64, shared: &Shared) -> Self {
        let Shared { floor, ceiling } = *shared;
        let grown = correlation / (1.0 - correlation) * consensus / (1.0 + consensus / ceiling);
        let share = consensus / (consensus + floor * floor + grown);
        Self { share, rest: share * (1.0 - share) * consensus }
    }

    /// The variance of a quality whose consensus has the given variance.
    fn variance(&self, consensus: f64) -> f64 {
        self.share * self.share * consensus + self.rest
    }
}

/// Converts logarithms of weights to weights that add up to 1.
fn normalise<T>(weighted: &mut [(f64, T)]) {
    let highest = weighted.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
    for (weight, _) in &mut *weighted {
        *weight = libm::exp(*weight - highest);
    }
    let total: f64 = weighted.iter().map(|(weight, _)| *weight).sum();
    for (weight, _) in weighted {
        *weight /= total;
    }
}

/// How an observation compares with all others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeletedResidual {
    /// The prediction from the others, 0–10 if the model applies.
    pub expected: f64,
    /// How far the observation is above that, in standard deviations of a residual.
    pub deviations: f64,
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    designs: usize,
    reviewers: usize,
}

impl Shape {
    /// The smaller of the two groups stays in the dense system, the larger is eliminated: the cost is `larger · smaller² +
    /// smaller³` per grid point.
    fn keeps_designs(self) -> bool {
        self.designs <= self.reviewers
    }

    fn kept(self) -> usize {
        self.designs.min(self.reviewers)
    }

    fn eliminated(self) -> usize {
        self.designs.max(self.reviewers)
    }

    /// Indices of an observation's kept and eliminated effects.
    fn indices(self, observation: &Observation) -> (usize, usize) {
        if self.keeps_designs() {
            (observation.design, observation.reviewer)
        } else {
            (observation.reviewer, observation.design)
        }
    }
}

/// The model at one point of the grid: everything is Gaussian given σ², and σ² is scaled-inverse-χ².
#[derive(Clone, Debug)]
struct Point {
    ratios: Ratios,
    shape: Shape,
    /// Of the kept effects and the common columns, after the others are eliminated; in units of 1/σ².
    factor: Cholesky,
    /// Precision of each eliminated effect, and its coupling to the rest (one row each).
    precision: Vec<f64>,
    coupling: Vec<f64>,
    designs: Vec<f64>,
    reviewers: Vec<f64>,
    /// `β_own`, `β_place`, μ.
    common: [f64; COMMON],
    degrees: f64,
    squares: f64,
    log_evidence: f64,
}

impl Point {
    fn of(shape: Shape, observations: &[Observation], ratios: Ratios, prior: &Prior) -> Option<Self> {
        let (kept, eliminated) = (shape.kept(), shape.eliminated());
        let width = kept + COMMON;
        let design_precision = 1.0 / (ratios.design * ratios.design + prior.shared);
        let reviewer_precision = 1.0 / (ratios.reviewer * ratios.reviewer);
        let own_precision = 1.0 / (prior.own * prior.own);
        let place_precision = 1.0 / (prior.place * prior.place);
        let (kept_precision, eliminated_precision) = if shape.keeps_designs() {
            (design_precision, reviewer_precision)
        } else {
            (reviewer_precision, design_precision)
        };

        let mut system = Symmetric::zeros(width);
        let mut right = vec![0.0; width];
        let mut precision = vec![eliminated_precision; eliminated];
        let mut coupling = vec![0.0; eliminated * width];
        let mut eliminated_right = vec![0.0; eliminated];
        for index in 0..kept {
            system.add(index, index, kept_precision);
        }
        system.add(kept, kept, own_precision);
        system.add(kept + 1, kept + 1, place_precision);
        let mut log_weights = 0.0;
        for observation in observations {
            let weight = ratios.weight(observation);
            if observation.own {
                log_weights += libm::log(weight);
            }
            let (near, far) = shape.indices(observation);
            let columns = columns(observation);
            system.add(near, near, weight);
            right[near] += weight * observation.score;
            precision[far] += weight;
            eliminated_right[far] += weight * observation.score;
            coupling[far * width + near] += weight;
            for (index, left) in columns.iter().enumerate() {
                system.add(kept + index, near, weight * left);
                right[kept + index] += weight * left * observation.score;
                coupling[far * width + kept + index] += weight * left;
                for (other, value) in columns[..=index].iter().enumerate() {
                    system.add(kept + index, kept + other, weight * left * value);
                }
            }
        }
        for far in 0..eliminated {
            let row = &coupling[far * width..(far + 1) * width];
            system.add_outer(-1.0 / precision[far], row);
            for (entry, value) in right.iter_mut().zip(row) {
                *entry -= value * eliminated_right[far] / precision[far];
            }
        }
        let factor = system.cholesky()?;
        let near = factor.solve(&right);
        let far: Vec<f64> = (0..eliminated)
            .map(|far| {
                (eliminated_right[far] - dot(&coupling[far * width..(far + 1) * width], &near))
                    / precision[far]
            })
            .collect();
        let common = [near[kept], near[kept + 1], near[kept + 2]];
        let (designs, reviewers) =
            if shape.keeps_designs() { (near[..kept].to_vec(), far) } else { (far, near[..kept].to_vec()) };

        let mut point = Self {
            ratios,
            shape,
            factor,
            precision,
            coupling,
            designs,
            reviewers,
            common,
            degrees: prior.degrees + observations.len() as f64 - 1.0,
            squares: 0.0,
            log_evidence: 0.0,
        };
        // The penalised sum of squares, computed from the residuals themselves: as a difference of totals it would cancel.
        let penalty = design_precision * dot(&point.designs, &point.designs)
            + reviewer_precision * dot(&point.reviewers, &point.reviewers)
            + own_precision * common[0] * common[0]
            + place_precision * common[1] * common[1];
        let residuals: f64 = observations
            .iter()
            .map(|observation| {
                let residual = observation.score - point.expected(observation);
                ratios.weight(observation) * residual * residual
            })
            .sum();
        point.squares = prior.degrees * prior.deviation * prior.deviation + residuals + penalty;
        let log_determinants = 0.5
            * (shape.designs as f64 * libm::log(design_precision)
                + shape.reviewers as f64 * libm::log(reviewer_precision)
                + log_weights
                - point.precision.iter().map(|value| libm::log(*value)).sum::<f64>())
            - point.factor.half_log_determinant();
        point.log_evidence =
            log_determinants - 0.5 * point.degrees * libm::log(point.squares) + ratios.log_prior();
        point.log_evidence.is_finite().then_some(point)
    }

    fn expected(&self, observation: &Observation) -> f64 {
        self.designs[observation.design]
            + self.reviewers[observation.reviewer]
            + dot(&columns(observation), &self.common)
    }

    fn deleted_residual(&self, observation: &Observation, centre: f64) -> DeletedResidual {
        let weight = self.ratios.weight(observation);
        let kept = self.shape.kept();
        let width = kept + COMMON;
        let (near, far) = self.shape.indices(observation);
        let mut direction: Vec<f64> = self.coupling[far * width..(far + 1) * width]
            .iter()
            .map(|value| -value / self.precision[far])
            .collect();
        direction[near] += 1.0;
        for (entry, value) in direction[kept..].iter_mut().zip(columns(observation)) {
            *entry += value;
        }
        let leverage = weight * (1.0 / self.precision[far] + self.factor.inverse_form(&direction));
        let rest = (1.0 - leverage).max(1e-9);
        let residual = observation.score - self.expected(observation);
        let deleted = residual / rest;
        let squares = (self.squares - weight * residual * deleted).max(0.0);
        let deviation = (squares / (self.degrees - 1.0).max(1.0) / weight).sqrt();
        DeletedResidual {
            expected: centre + observation.score - deleted,
            deviations: if deviation > 0.0 { deleted * rest.sqrt() / deviation } else { 0.0 },
        }
    }

    /// In units of σ²: the variances of independent variables whose differences match those of the design effects.
    fn spread(&self) -> Vec<f64> {
        let (kept, width) = (self.shape.kept(), self.shape.kept() + COMMON);
        let mut ones = vec![0.0; width];
        let (variances, sums): (Vec<f64>, Vec<f64>) = if self.shape.keeps_designs() {
            ones[..kept].fill(1.0);
            let sums = self.factor.solve(&ones);
            let variance = |design: usize| {
                let mut unit = vec![0.0; width];
                unit[design] = 1.0;
                self.factor.inverse_form(&unit)
            };
            ((0..kept).map(variance).collect(), sums[..kept].to_vec())
        } else {
            for (far, precision) in self.precision.iter().enumerate() {
                for (entry, value) in ones.iter_mut().zip(self.coupled(far)) {
                    *entry -= value / precision;
                }
            }
            let near = self.factor.solve(&ones);
            (0..self.shape.designs)
                .map(|far| {
                    let (row, precision) = (self.coupled(far), self.precision[far]);
                    let own = 1.0 / precision + self.factor.inverse_form(row) / (precision * precision);
                    (own, (1.0 - dot(row, &near)) / precision)
                })
                .unzip()
        };
        independent_variances(&variances, &sums)
    }

    /// The variance of the difference of two design effects, in units of σ².
    fn spread_of_difference(&self, one: usize, other: usize) -> f64 {
        let width = self.shape.kept() + COMMON;
        let mut direction = vec![0.0; width];
        if self.shape.keeps_designs() {
            direction[one] += 1.0;
            direction[other] -= 1.0;
            return self.factor.inverse_form(&direction);
        }
        let (here, there) = (self.precision[one], self.precision[other]);
        for (entry, (a, b)) in direction.iter_mut().zip(self.coupled(one).iter().zip(self.coupled(other))) {
            *entry = b / there - a / here;
        }
        1.0 / here + 1.0 / there + self.factor.inverse_form(&direction)
    }

    /// The coupling of one eliminated effect to the rest.
    fn coupled(&self, far: usize) -> &[f64] {
        let width = self.shape.kept() + COMMON;
        &self.coupling[far * width..(far + 1) * width]
    }
}

impl Ratios {
    fn weight(self, observation: &Observation) -> f64 {
        if observation.own { 1.0 / (1.0 + self.own * self.own) } else { 1.0 }
    }

    /// Whether two points of the grid differ only in leniency.
    fn same_scale(self, other: Self) -> bool {
        self.design.total_cmp(&other.design).is_eq() && self.own.total_cmp(&other.own).is_eq()
    }

    /// The logarithm of the grid point's prior weight.
    fn log_prior(self) -> f64 {
        [self.design / MEDIAN_DESIGN, self.reviewer / MEDIAN_REVIEWER, self.own / MEDIAN_OWN]
            .iter()
            .map(|ratio| {
                let distance = libm::log(*ratio);
                -0.5 * distance * distance
            })
            .sum()
    }
}

fn columns(observation: &Observation) -> [f64; COMMON] {
    [f64::from(u8::from(observation.own)), observation.place, 1.0]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No prior, except that kinship and place are known not to affect the mean: the log-evidence is then the restricted
    /// likelihood, profiled over σ².
    const NONE: Prior = Prior { shared: 0.0, degrees: 0.0, deviation: 0.0, own: 1e-6, place: 1e-6 };

    fn observations(rows: &[&[f64]]) -> (Shape, Vec<Observation>) {
        let shape = Shape { designs: rows.len(), reviewers: rows[0].len() };
        let observations = rows.iter().enumerate().flat_map(|(design, row)| {
            row.iter().enumerate().map(move |(reviewer, &score)| Observation {
                design,
                reviewer,
                score,
                own: false,
                place: 0.0,
            })
        });
        (shape, observations.collect())
    }

    /// Standard deviations of design, reviewer and residual that maximise the restricted likelihood, by shrinking steps.
    fn restricted_maximum(rows: &[&[f64]]) -> [f64; 3] {
        let (shape, mut observations) = observations(rows);
        let mean = average(&observations.iter().map(|observation| observation.score).collect::<Vec<_>>());
        for observation in &mut observations {
            observation.score -= mean;
        }
        let point = |design: f64, reviewer: f64| {
            let ratios = Ratios { design: libm::exp(design), reviewer: libm::exp(reviewer), own: 1.0 };
            let point = Point::of(shape, &observations, ratios, &NONE).unwrap();
            // The weights of the grid are not part of the likelihood.
            (point.log_evidence - ratios.log_prior(), point)
        };
        let (mut at, mut step) = ([0.0, 0.0], 1.0);
        let (mut best, mut found) = point(at[0], at[1]);
        while step > 1e-7 {
            let moves = [[step, 0.0], [-step, 0.0], [0.0, step], [0.0, -step]];
            let improved = moves.iter().find_map(|[x, y]| {
                let next = [at[0] + x, at[1] + y];
                let (value, point) = point(next[0], next[1]);
                (value > best).then_some((next, value, point))
            });
            match improved {
                Some((next, value, point)) => (at, best, found) = (next, value, point),
                None => step /= 2.0,
            }
        }
        let residual = (found.squares / found.degrees).sqrt();
        [found.ratios.design * residual, found.ratios.reviewer * residual, residual]
    }

    fn assert_printed(found: f64, printed: f64, digits: i32) {
        let half = 0.5 * f64::powi(10.0, -digits);
        assert!((found - printed).abs() <= half * 1.000_001, "{found} is not {printed}");
    }

    #[test]
    fn restricted_likelihood_finds_the_variances_of_penicillin() {
        // Davies and Goldsmith 1972, "Statistical methods in research and production", table 6.6: diameters for 24 plates
        // by 6 samples. Bates 2010, "lme4: Mixed-effects modeling with R", §2.1 prints 0.8467, 1.9316 and 0.5499.
        #[rustfmt::skip]
        let plates: [&[f64]; 24] = [
            &[27., 23., 26., 23., 23., 21.], &[27., 23., 26., 23., 23., 21.], &[25., 21., 25., 24., 24., 20.],
            &[26., 23., 25., 23., 23., 20.], &[25., 22., 26., 22., 23., 20.], &[24., 22., 25., 23., 22., 19.],
            &[24., 20., 23., 21., 22., 19.], &[26., 22., 26., 24., 24., 21.], &[24., 21., 24., 22., 22., 20.],
            &[24., 21., 24., 23., 22., 19.], &[26., 23., 26., 24., 24., 21.], &[25., 22., 26., 24., 24., 20.],
            &[26., 24., 26., 24., 25., 22.], &[26., 23., 26., 23., 23., 20.], &[26., 23., 25., 24., 24., 22.],
            &[25., 22., 25., 23., 23., 20.], &[25., 21., 24., 23., 23., 20.], &[25., 22., 24., 23., 23., 19.],
            &[24., 21., 23., 21., 21., 19.], &[26., 23., 26., 24., 24., 21.], &[25., 21., 24., 22., 22., 18.],
            &[25., 22., 25., 22., 22., 20.], &[24., 21., 24., 22., 24., 19.], &[24., 21., 24., 22., 21., 18.],
        ];
        let [plate, sample, residual] = restricted_maximum(&plates);
        assert_printed(plate, 0.8467, 4);
        assert_printed(sample, 1.9316, 4);
        assert_printed(residual, 0.5499, 4);
    }

    #[test]
    fn restricted_likelihood_finds_the_intraclass_correlations() {
        // Shrout and Fleiss 1979, "Intraclass correlations", Psychological Bulletin 86, tables 2 and 4.
        let [target, judge, residual] = restricted_maximum(&[
            &[9.0, 2.0, 5.0, 8.0],
            &[6.0, 1.0, 3.0, 2.0],
            &[8.0, 4.0, 6.0, 8.0],
            &[7.0, 1.0, 2.0, 6.0],
            &[10.0, 5.0, 6.0, 9.0],
            &[6.0, 2.0, 4.0, 7.0],
        ])
        .map(|deviation| deviation * deviation);
        assert_printed(target / (target + judge + residual), 0.29, 2);
        assert_printed(target / (target + residual), 0.71, 2);
        assert_printed(target / (target + (judge + residual) / 4.0), 0.62, 2);
        assert_printed(target / (target + residual / 4.0), 0.91, 2);
    }

    #[test]
    fn either_side_may_be_eliminated() {
        // The same scores with designs and reviewers exchanged must give the same evidence and mirrored effects.
        let rows: [&[f64]; 2] = [&[7.0, 6.0, 9.0], &[5.0, 6.5, 6.0]];
        let (shape, observed) = observations(&rows);
        let mirrored: Vec<Observation> = observed
            .iter()
            .map(|observation| Observation {
                design: observation.reviewer,
                reviewer: observation.design,
                ..*observation
            })
            .collect();
        let ratios = Ratios { design: 0.7, reviewer: 0.7, own: 1.0 };
        let one = Point::of(shape, &observed, ratios, &NONE).unwrap();
        let other = Point::of(Shape { designs: 3, reviewers: 2 }, &mirrored, ratios, &NONE).unwrap();
        assert!((one.log_evidence - other.log_evidence).abs() < 1e-10);
        for (a, b) in one.designs.iter().zip(&other.reviewers) {
            assert!((a - b).abs() < 1e-10);
        }
    }

    #[test]
    fn deleted_residuals_are_those_of_a_fit_without_the_cell() {
        let (_, observed) = observations(&[&[7.0, 6.0, 9.0], &[5.0, 6.5, 6.0], &[8.0, 3.0, 9.5]]);
        let full = Posterior::of(3, 3, &observed).unwrap();
        let ratios = full.ratios();
        for (index, residual) in full.deleted_residuals().iter().enumerate() {
            let mut rest = observed.clone();
            let left_out = rest.remove(index);
            let fit = Posterior::at(3, 3, &rest, ratios).unwrap();
            let point = &fit.points[0].1;
            let expected = fit.centre + point.expected(&left_out);
            assert!((residual.expected - expected).abs() < 1e-9, "{} {expected}", residual.expected);
        }
    }

    #[test]
    fn spreads_are_those_of_the_whole_system() {
        // The covariance of the design effects from the dense normal equations, with one cell missing, whichever side is eliminated.
        let rows: [&[f64]; 4] = [&[7.0, 6.0, 9.0], &[5.0, 6.5, 6.0], &[8.0, 3.0, 9.5], &[4.0, 4.5, 7.0]];
        let (_, all) = observations(&rows);
        for (designs, reviewers) in [(4usize, 3usize), (3, 4)] {
            let mut observed: Vec<Observation> = all[..all.len() - 1].to_vec();
            if designs == 3 {
                for observation in &mut observed {
                    std::mem::swap(&mut observation.design, &mut observation.reviewer);
                }
            }
            let shape = Shape { designs, reviewers };
            let ratios = Ratios { design: 0.7, reviewer: 1.3, own: 1.0 };
            let point = Point::of(shape, &observed, ratios, &PRIOR).unwrap();
            let size = designs + reviewers + 1;
            let mut dense = Symmetric::zeros(size);
            for design in 0..designs {
                dense.add(design, design, 1.0 / (0.49 + PRIOR.shared));
            }
            for reviewer in designs..size - 1 {
                dense.add(reviewer, reviewer, 1.0 / 1.69);
            }
            for observation in &observed {
                let mut row = vec![0.0; size];
                row[observation.design] = 1.0;
                row[designs + observation.reviewer] = 1.0;
                row[size - 1] = 1.0;
                dense.add_outer(1.0, &row);
            }
            let factor = dense.cholesky().unwrap();
            let spread = point.spread();
            for one in 0..designs {
                for other in 0..one {
                    let mut contrast = vec![0.0; size];
                    (contrast[one], contrast[other]) = (1.0, -1.0);
                    let expected = factor.inverse_form(&contrast);
                    assert!((point.spread_of_difference(one, other) - expected).abs() < 1e-9);
                    let near = if designs == 3 { 1e-9 } else { 0.02 };
                    assert!((spread[one] + spread[other] - expected).abs() < near * expected);
                }
            }
        }
    }

    #[test]
    fn the_shared_error_has_a_floor_and_a_ceiling() {
        let shared = |consensus: f64, correlation: f64| {
            let Quality { share, .. } = Quality::of(consensus, correlation, &SHARED);
            consensus / share - consensus
        };
        let floor = SHARED.floor * SHARED.floor;
        for (correlation, ratio) in [(0.25, 1.0 / 3.0), (0.75, 3.0)] {
            assert!((shared(1e-6, correlation) - floor).abs() < 1e-5);
            assert!((shared(1e9, correlation) - floor - ratio * SHARED.ceiling).abs() < 1e-4);
            // Halfway when the variance of the consensus equals the ceiling.
            assert!(
                (shared(SHARED.ceiling, correlation) - floor - 0.5 * ratio * SHARED.ceiling).abs() < 1e-12
            );
        }
    }

    #[test]
    fn a_constant_changes_nothing_of_what_chances_rest_on() {
        let rows: [&[f64]; 2] = [&[7.0, 6.0, 9.0], &[5.0, 6.5, 6.0]];
        let harsh: [&[f64]; 2] = [&[7.0, 1.0, 9.0], &[5.0, 1.5, 6.0]];
        let [one, other] = [&rows, &harsh].map(|rows| {
            let (_, observed) = observations(rows);
            Posterior::of(2, 3, &observed).unwrap().difference(0, 1, SHARED_ERROR, &SHARED)
        });
        assert!((one.at_most(0.0) - other.at_most(0.0)).abs() < 1e-5);
        assert!((one.mean() - other.mean()).abs() < 1e-5);
    }
}
