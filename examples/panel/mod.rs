//! Simulated panels that compare designs in pairs, where the truth is known.
//!
//! Each regime draws true qualities and reviewers with faults. Reviewers answer any comparison in the same way, whoever asks for it.
//! Everything is seeded.

#![allow(dead_code, reason = "each example uses a part of it")]

use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::config::{Dimension, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::sequential::Offer;
use lab_core::design_lab::ranking::{
    Comparison, Context, DesignFacts, Options, Ranking, ReviewerFacts, ScoreRow, Study, VerdictKind, rank,
};
use lab_core::random::Random;

/// What the world is like. Standard deviations and effects are in points of the scale of 0–10.
#[derive(Clone, Copy)]
pub(crate) struct Regime {
    pub(crate) name: &'static str,
    pub(crate) designs: usize,
    pub(crate) reviewers: usize,
    /// How often each reviewer compares each pair in each order.
    pub(crate) repeats: u32,
    /// Spread of the true qualities.
    pub(crate) quality: f64,
    /// Spread of one reviewer's error on a design, as it has it in every comparison.
    pub(crate) taste: f64,
    /// Correlation of two reviewers' errors on one design.
    pub(crate) shared: f64,
    /// Spread of what changes from one comparison to the next.
    pub(crate) noise: f64,
    /// Spread of a reviewer's error on a pair that neither design explains, as in intransitive tastes; the same in every comparison.
    pub(crate) intransitive: f64,
    /// What the design shown first earns: mean and spread over reviewers.
    pub(crate) place: (f64, f64),
    /// Designs closer than this are a tie.
    pub(crate) tie: f64,
    /// Spread of the logarithm of a reviewer's own taste and noise.
    pub(crate) reliability: f64,
    /// Whether errors have heavy tails (Student's t with 3 degrees of freedom, with the same spread).
    pub(crate) heavy: bool,
    /// The chance that a reviewer doesn't compare a pair.
    pub(crate) missing: f64,
    /// How many of the reviewers are the first one under another name, which gives the same answers.
    pub(crate) copies: usize,
}

pub(crate) const BASE: Regime = Regime {
    name: "",
    designs: 4,
    reviewers: 4,
    repeats: 1,
    quality: 0.8,
    taste: 0.8,
    shared: 0.25,
    noise: 0.6,
    intransitive: 0.0,
    place: (0.3, 0.3),
    tie: 0.15,
    reliability: 0.0,
    heavy: false,
    missing: 0.0,
    copies: 0,
};

/// One simulated panel.
pub(crate) struct World {
    pub(crate) truth: Vec<f64>,
    /// `seen[reviewer][design]`.
    pub(crate) seen: Vec<Vec<f64>>,
    /// What a reviewer adds to the lead of a design with a lower index: `pair[reviewer][first · designs + second]`.
    pair: Vec<Vec<f64>>,
    pub(crate) place: Vec<f64>,
    noise: Vec<f64>,
    missing: Vec<bool>,
    pub(crate) regime: &'static Regime,
    pub(crate) number: u64,
    /// Without comparisons.
    pub(crate) study: Study,
}

impl World {
    pub(crate) fn draw(regime: &'static Regime, number: u64) -> Self {
        let random = &mut Random::new(number, regime.name);
        let (designs, reviewers) = (regime.designs, regime.reviewers);
        let error = |random: &mut Random| if regime.heavy { heavy(random) } else { normal(random) };
        let truth: Vec<f64> = (0..designs).map(|_| regime.quality * normal(random)).collect();
        let shared: Vec<f64> = (0..designs).map(|_| error(random) * regime.shared.sqrt()).collect();
        let shared_pair: Vec<f64> =
            (0..designs * designs).map(|_| normal(random) * regime.shared.sqrt()).collect();
        let own = (1.0 - regime.shared).sqrt();
        let mut world = Self {
            truth,
            seen: Vec::new(),
            pair: Vec::new(),
            place: Vec::new(),
            noise: Vec::new(),
            missing: Vec::new(),
            regime,
            number,
            study: study(designs, reviewers, number),
        };
        for _ in 0..reviewers {
            let unreliable = (regime.reliability * normal(random)).exp();
            let taste = |shared: &f64| regime.taste * (shared + unreliable * own * error(random));
            let errors: Vec<f64> = shared.iter().map(taste).collect();
            world.seen.push(world.truth.iter().zip(errors).map(|(truth, error)| truth + error).collect());
            let twist = |shared: &f64| regime.intransitive * (shared + own * normal(random));
            world.pair.push(shared_pair.iter().map(twist).collect());
            world.place.push(regime.place.0 + regime.place.1 * normal(random));
            world.noise.push(regime.noise * unreliable);
        }
        world.missing = (0..reviewers * designs * designs).map(|_| random.unit() < regime.missing).collect();
        world
    }

    /// What a reviewer says when asked; the same each time.
    pub(crate) fn answer(&self, offer: &Offer) -> Comparison {
        let Offer { repeat, first, second, .. } = *offer;
        let reviewer = self.taste_of(offer.reviewer);
        let random = &mut Random::new(
            self.number,
            &format!("{} {reviewer} {repeat} {first} {second}", self.regime.name),
        );
        let seen = &self.seen[reviewer];
        let twist = if first < second {
            self.pair[reviewer][first * self.regime.designs + second]
        } else {
            -self.pair[reviewer][second * self.regime.designs + first]
        };
        let noise = if self.regime.heavy { heavy(random) } else { normal(random) };
        let lead = seen[first] - seen[second] + twist + self.place[reviewer] + self.noise[reviewer] * noise;
        let verdict = match lead {
            lead if lead.abs() < self.regime.tie => Preferred::Tie,
            lead if lead > 0.0 => Preferred::First,
            _ => Preferred::Second,
        };
        self.judging(offer, verdict)
    }

    /// The reviewer whose answers a reviewer gives.
    fn taste_of(&self, reviewer: usize) -> usize {
        if reviewer > self.regime.copies { reviewer } else { 0 }
    }

    pub(crate) fn judging(&self, offer: &Offer, verdict: Preferred) -> Comparison {
        Comparison {
            reviewer: self.study.reviewers[offer.reviewer].id.clone(),
            repeat: offer.repeat,
            first: self.study.designs[offer.first].id.clone(),
            second: self.study.designs[offer.second].id.clone(),
            verdict,
        }
    }

    /// Every comparison that can be asked for.
    pub(crate) fn offers(&self) -> Vec<Offer> {
        let Regime { designs, reviewers, repeats, .. } = *self.regime;
        let mut offers = Vec::new();
        for reviewer in 0..reviewers {
            for repeat in 1..=repeats {
                for (first, second) in (0..designs).flat_map(|one| (0..designs).map(move |two| (one, two))) {
                    let (low, high) = (first.min(second), first.max(second));
                    let is_missing = self.missing[(self.taste_of(reviewer) * designs + low) * designs + high];
                    if first != second && !is_missing {
                        offers.push(Offer { reviewer, repeat, first, second });
                    }
                }
            }
        }
        offers
    }

    /// The study with all comparisons.
    pub(crate) fn compared(&self) -> Study {
        let comparisons = self.offers().iter().map(|offer| self.answer(offer)).collect();
        Study { comparisons, ..self.study.clone() }
    }

    /// What each reviewer scores, once and all designs in one go: what it sees, with as much noise between two designs as in a
    /// comparison, on a scale of its own, in steps of a fifth as five dimensions in whole points give.
    pub(crate) fn scores(&self) -> Vec<Vec<f64>> {
        let random = &mut Random::new(self.number, &format!("{} scores", self.regime.name));
        let noise = self.regime.noise / std::f64::consts::SQRT_2;
        let designs = self.regime.designs;
        (0..self.regime.reviewers)
            .map(|reviewer| {
                let leniency = normal(random);
                let mut slots: Vec<usize> = (0..designs).collect();
                random.shuffle(&mut slots);
                let score = |(seen, slot): (&f64, &usize), noise: f64| {
                    let place = self.place[reviewer] * (0.5 - *slot as f64 / (designs - 1) as f64);
                    (((7.0 + leniency + seen + place + noise) * 5.0).round() / 5.0).clamp(0.0, 10.0)
                };
                self.seen[reviewer].iter().zip(&slots).map(|at| score(at, noise * normal(random))).collect()
            })
            .collect()
    }

    /// The same as a run has it that is reviewed by scores.
    pub(crate) fn scored(&self, scores: &[Vec<f64>]) -> Study {
        let row = |reviewer: usize, design: usize| ScoreRow {
            design: self.study.designs[design].id.clone(),
            reviewer: self.study.reviewers[reviewer].id.clone(),
            repeat: 1,
            dimension: "quality".to_owned(),
            score: scores[reviewer][design],
        };
        let reviewers = 0..self.regime.reviewers;
        Study {
            mode: ReviewMode::Scores,
            dimensions: vec![Dimension::new("quality")],
            rows: reviewers
                .flat_map(|reviewer| (0..self.regime.designs).map(move |design| row(reviewer, design)))
                .collect(),
            ..self.study.clone()
        }
    }

    /// How far the mean of these designs is below the best one, in points.
    fn below_best(&self, designs: &[DesignId]) -> f64 {
        let all = self.study.designs.iter().zip(&self.truth);
        let theirs: f64 = all.filter(|(facts, _)| designs.contains(&facts.id)).map(|(_, truth)| truth).sum();
        self.truth[self.best()] - theirs / designs.len() as f64
    }

    fn best(&self) -> usize {
        (0..self.truth.len()).max_by(|&a, &b| self.truth[a].total_cmp(&self.truth[b])).unwrap_or(0)
    }

    /// What the ranking of a study of this panel says.
    pub(crate) fn judged(&self, study: &Study) -> Judged {
        let ranking: Ranking = rank(study).expect("the study is sound");
        let first: Vec<_> = ranking.rankings.iter().filter(|row| row.rank == Some(1)).collect();
        let best = &self.study.designs[self.best()].id;
        let hit = first.iter().any(|row| row.design_id == *best);
        let first: Vec<DesignId> = first.iter().map(|row| row.design_id.clone()).collect();
        Judged {
            hit: if hit { 1.0 / first.len() as f64 } else { 0.0 },
            verdict: ranking.verdict.kind,
            chance: ranking.verdict.probability,
            lost: self.below_best(&first),
            first,
            votes: ranking.agreement.effective_votes,
            held: ranking.choice.as_ref().is_some_and(|choice| choice.best_among.contains(best)),
            among: ranking.choice.as_ref().map_or(0, |choice| choice.best_among.len()),
        }
    }
}

/// What a ranking says.
pub(crate) struct Judged {
    /// Whether the design in the first place is the best; shared if several are there.
    pub(crate) hit: f64,
    pub(crate) verdict: VerdictKind,
    pub(crate) chance: Option<f64>,
    /// How far the design in the first place is below the best one, in points.
    pub(crate) lost: f64,
    pub(crate) first: Vec<DesignId>,
    pub(crate) votes: Option<f64>,
    /// Whether the set of candidates holds the best design, and its size.
    pub(crate) held: bool,
    pub(crate) among: usize,
}

impl Judged {
    pub(crate) fn is_clear(&self) -> bool {
        self.verdict == VerdictKind::Clear
    }
}

fn study(designs: usize, reviewers: usize, seed: u64) -> Study {
    let vendors = [
        "anthropic/claude",
        "openai/gpt",
        "google/gemini",
        "xai/grok",
        "mistral/large",
        "qwen/max",
        "deepseek/chat",
        "moonshotai/kimi",
    ];
    Study {
        mode: ReviewMode::Pairwise,
        designs: (0..designs)
            .map(|index| DesignFacts { id: DesignId::new(format!("d{index}")), ..DesignFacts::default() })
            .collect(),
        reviewers: (0..reviewers)
            .map(|index| ReviewerFacts {
                id: ReviewerId::new(format!("r{index}")),
                model: Some(vendors[index].to_owned()),
            })
            .collect(),
        dimensions: Vec::new(),
        rows: Vec::new(),
        shown: Vec::new(),
        comparisons: Vec::new(),
        contrasts: Vec::new(),
        options: Options { exclude_self: true, exclude_family: false, seed },
        context: Context::default(),
    }
}

/// A standard normal number (Box and Muller 1958).
pub(crate) fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}

/// Student's t with 3 degrees of freedom, scaled to a standard deviation of 1.
fn heavy(random: &mut Random) -> f64 {
    let numerator = normal(random);
    let squares: f64 = (0..3)
        .map(|_| {
            let value = normal(random);
            value * value
        })
        .sum();
    numerator / squares.sqrt()
}
