//! Scores mode: combines the statistics into a ranking.

use super::agreement::{self, Stat};
use super::bias;
use super::choice::{self, Grounds, choice};
use super::close_pair::Verdicts;
use super::descriptive::{competition_ranks, mean, median, variance};
use super::fit::Fit;
use super::gains::{Unit, gains};
use super::human_review;
use super::independence::{Independence, independence};
use super::intervals::Places;
use super::model::{DeletedResidual, Observation};
use super::order::{by_rank, count, metadata, ordered, sole_first};
use super::output::{
    Agreement, Bias, Breakdown, Dissent, GivenScore, KrippendorffAlpha, Orders, RankedDesign, Ranking,
    Reasons, Sensitivity,
};
use super::provisional::Provisional;
use super::sensitivity;
use super::study::Study;
use super::table::{Cell, Kinship, Table};
use super::verdict::{Evidence, verdict};
use crate::design_lab::ids::ReviewerId;
use crate::random::Random;
use design_lab_numerics::compared::Compared;
use design_lab_numerics::sorting::descending;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// A score dissents if it differs by this many standard deviations, and this many points, from what the others predict.
const DISSENT_DEVIATIONS: f64 = 3.0;
const DISSENT_POINTS: f64 = 2.0;

/// The reason why a design has no plain statistics, or no place.
const ONLY_EXCLUDED: &str =
    "Only reviews that don't count (of a model's own design, or its vendor's) scored this design.";

/// Ranks designs by adjusted score.
pub(super) fn rank(study: &Study) -> Result<Ranking, Problem> {
    let all = Table::of(study)?;
    let panel = Panel::of(study, &all);
    Ok(panel.ranking(&Verdicts::of(study)?))
}

/// Returns the means over the reviews that count.
pub(super) fn means(study: &Study) -> Result<Vec<Provisional>, Problem> {
    let all = Table::of(study)?;
    let matrix = Panel::of(study, &all).counted.matrix();
    let scores: Vec<Vec<f64>> = (0..matrix.designs()).map(|design| matrix.of_design(design)).collect();
    Ok(Provisional::all(
        study,
        &scores.iter().map(|scores| mean(scores)).collect::<Vec<_>>(),
        &scores.iter().map(Vec::len).collect::<Vec<_>>(),
    ))
}

/// The scores of a study, and which of them each statistic uses.
struct Panel<'a> {
    study: &'a Study,
    /// Every review.
    all: &'a Table,
    /// Every review of every ranked design.
    table: Table,
    /// Without the reviews that the options leave out of the plain statistics.
    counted: Table,
    /// Designs with at least one counted review, in the study's order; if no review counts, all scored designs.
    ranked: Vec<usize>,
    /// Whether there are reviews, but none that counts: for example, a single model that reviewed its own designs.
    only_excluded: bool,
    /// The number of reviews that the options leave out.
    excluded: usize,
}

impl<'a> Panel<'a> {
    fn of(study: &'a Study, all: &'a Table) -> Self {
        let left_out = |cell: &Cell| match cell.kinship {
            Kinship::Own => study.options.exclude_self,
            Kinship::Family => study.options.exclude_family,
            Kinship::None => false,
        };
        let counted = all.filtered(|cell| !left_out(cell));
        let only_excluded = counted.cells.is_empty() && !all.cells.is_empty();
        let ranked = if only_excluded { all.scored_designs() } else { counted.scored_designs() };
        let table = all.filtered(|cell| ranked.binary_search(&cell.design).is_ok());
        let excluded = all.cells.len() - counted.cells.len();
        Self { study, all, table, counted, ranked, only_excluded, excluded }
    }

    fn ranking(&self, verdicts: &Verdicts) -> Ranking {
        let observations = self.observations();
        let fit = Fit::of(&observations);
        let reviewers = self.table.active_reviewers();
        let compared = verdicts.compared(&self.ranked, |_| true);
        let (by_scores, adjusted) = self.adjusted(fit.as_ref(), &compared);
        let places = self.ranked_values(&adjusted);
        let ranks = competition_ranks(&places);
        let independence = independence(&self.table.matrix(), &self.study.reviewers);
        let sure = reviewers.len() > 1 && self.ranked.len() > 1 && !self.only_excluded;
        let known = fit.as_ref().zip(independence).filter(|_| sure);
        let qualities =
            known.map(|(fit, independence)| fit.qualities(&self.ranked, independence.correlation, &compared));
        let chances = qualities.as_ref().map(|qualities| Places::of(self.ranked.len(), qualities));

        let mut designs: Vec<RankedDesign> =
            (0..self.table.designs).map(|design| self.described(design, &adjusted)).collect();
        for (index, &design) in self.ranked.iter().enumerate() {
            let described = &mut designs[design];
            described.rank = Some(ranks[index]);
            if let Some(chances) = &chances {
                described.rank_interval = Some(chances.interval(index, ranks[index]));
            } else {
                let reason = if self.only_excluded {
                    ONLY_EXCLUDED
                } else if self.ranked.len() > 1 {
                    "One reviewer's scores can't show how much another's would differ."
                } else {
                    "There is no other ranked design."
                };
                described.reasons.insert("rank_interval".to_owned(), reason.to_owned());
            }
        }
        let (order, rankings) = by_rank(designs);

        let methods = self.methods(&adjusted);
        let (leave_one_out, decisive) =
            self.leave_one_out(fit.as_ref(), &observations, verdicts, &order, &ranks);
        let first: Vec<usize> = self
            .ranked
            .iter()
            .zip(&ranks)
            .filter(|(_, rank)| **rank == 1)
            .map(|(&design, _)| design)
            .collect();
        let leads_only_in = choice::leads_only_in(&rankings, &self.study.dimensions);
        let votes = independence.map_or(0.0, |found| found.votes);
        let evidence = Evidence {
            reviewers: reviewers.len(),
            only_excluded: self.only_excluded,
            designs: self.ranked.len(),
            first: first.iter().map(|&design| self.design_id(design)).collect(),
            chances: chances.as_ref().map(|chances| chances.first_and_rival(&ranks)),
            lead: Some(Self::lead(&places)),
            votes,
            leads_in: leads_only_in.as_ref().map(|led| [led.len(), self.study.dimensions.len()]),
            alone_in_interval: rankings.first().is_some_and(|first| first.rank_interval == Some([1, 1])),
            rests_on_equals: false,
            dissenting_methods: methods
                .iter()
                .filter(|(_, values)| sole_first(values) != first.first().copied() || first.len() > 1)
                .map(|(name, _)| *name)
                .collect(),
            decisive_reviewers: decisive.iter().map(|&reviewer| self.reviewer_id(reviewer)).collect(),
        };
        let [mean, median, adjusted_order, borda, copeland, bradley_terry] =
            methods.map(|(_, values)| self.ids(&ordered(&values, &order)));
        Ranking {
            verdict: verdict(&evidence),
            rubric: None,
            choice: chances.as_ref().map(|places| {
                choice(Grounds {
                    ids: self.ranked.iter().map(|&design| &self.study.designs[design].id).collect(),
                    ranks: &ranks,
                    places,
                    qualities: qualities.as_deref(),
                    votes,
                    leads_only_in,
                })
            }),
            agreement: self.agreement(fit.as_ref(), independence),
            bias: self.bias(fit.as_ref(), &adjusted),
            sensitivity: Sensitivity {
                orders: Orders { mean, median, adjusted: adjusted_order, borda, copeland, bradley_terry },
                leave_one_out,
            },
            pairwise: None,
            close_pairs: verdicts.described(self.study, &by_scores, &adjusted),
            additions: Vec::new(),
            gains: match known {
                Some((fit, Independence { correlation, .. })) => {
                    let difference = |design, over| fit.difference(design, over, correlation);
                    gains(self.study, &self.ranked, Unit::Points, Some(&difference))
                }
                None => gains(self.study, &self.ranked, Unit::Points, None),
            },
            metadata: metadata(self.study, "linear_mixed_model", reviewers.len(), self.excluded),
            rankings,
        }
    }

    /// Returns the adjusted scores by scores alone, and with comparisons.
    fn adjusted(&self, fit: Option<&Fit>, compared: &[Compared]) -> (Vec<Option<f64>>, Vec<Option<f64>>) {
        let designs = self.table.designs;
        let Some(fit) = fit else { return (vec![None; designs], vec![None; designs]) };
        let by_scores = fit.adjusted(designs);
        let adjusted = shifted(&by_scores, &fit.shifts(designs, compared));
        (by_scores, adjusted)
    }

    /// Returns the reviews as the model's input.
    fn observations(&self) -> Vec<Observation> {
        let observation = |cell: &Cell| Observation {
            design: cell.design,
            reviewer: cell.reviewer,
            score: cell.score,
            own: match cell.kinship {
                Kinship::Own => true,
                Kinship::Family => self.study.options.exclude_family,
                Kinship::None => false,
            },
            place: cell.place().unwrap_or(0.0),
        };
        self.table.cells.iter().map(observation).collect()
    }

    fn described(&self, design: usize, adjusted: &[Option<f64>]) -> RankedDesign {
        let facts = &self.study.designs[design];
        let cells = self.counted.of_design(design);
        let scores: Vec<f64> = cells.iter().map(|cell| cell.score).collect();
        let mut reasons = Reasons::new();
        if scores.is_empty() {
            let only_excluded = self.excluded > 0 && self.study.rows.iter().any(|row| row.design == facts.id);
            let why =
                if only_excluded { ONLY_EXCLUDED } else { "No reviewer gave this design a valid score." };
            for field in ["average_score", "median_score", "score_variance"] {
                reasons.insert(field.to_owned(), why.to_owned());
            }
            if !self.ranked.contains(&design) {
                for field in ["rank", "adjusted_score", "rank_interval"] {
                    reasons.insert(field.to_owned(), why.to_owned());
                }
            }
        } else if scores.len() == 1 {
            reasons.insert("score_variance".to_owned(), "Only one reviewer's score counts.".to_owned());
        }
        let mut score_breakdown = BTreeMap::new();
        for (index, dimension) in self.study.dimensions.iter().enumerate() {
            let whose = |cell: &Cell| {
                let reviewer = self.study.reviewers[cell.reviewer].id.clone();
                Some((reviewer, cell.dimensions[index]?))
            };
            let (reviewers, reviews) = cells.iter().filter_map(whose).unzip();
            score_breakdown.insert(dimension.name.clone(), breakdown(reviewers, reviews));
        }
        RankedDesign {
            design_id: facts.id.clone(),
            title: facts.title.clone(),
            model: facts.told_model(),
            file: facts.file.clone(),
            rank: None,
            average_score: mean(&scores),
            median_score: median(&scores),
            score_variance: variance(&scores),
            adjusted_score: adjusted[design],
            rank_interval: None,
            reviewer_count: u32::try_from(scores.len()).unwrap_or(u32::MAX),
            reviews: self.given(design),
            score_breakdown,
            qualitative_summary: facts.qualitative_summary.clone(),
            reasons,
        }
    }

    /// Returns every reviewer's score of a design, including those that don't count.
    fn given(&self, design: usize) -> Vec<GivenScore> {
        let counted: Vec<usize> = self.counted.of_design(design).iter().map(|cell| cell.reviewer).collect();
        let given = |cell: &Cell| {
            let reviewer = &self.study.reviewers[cell.reviewer];
            GivenScore {
                reviewer: reviewer.id.clone(),
                model: reviewer.told_model(),
                score: cell.score,
                counts: counted.contains(&cell.reviewer),
            }
        };
        self.all.of_design(design).iter().map(given).collect()
    }

    /// Returns each method's values for all designs of the study.
    fn methods(&self, adjusted: &[Option<f64>]) -> [(&'static str, Vec<Option<f64>>); 6] {
        let matrix = self.counted.matrix();
        let by_design = |statistic: fn(&[f64]) -> Option<f64>| {
            (0..matrix.designs()).map(|design| statistic(&matrix.of_design(design))).collect::<Vec<_>>()
        };
        [
            ("mean", by_design(mean)),
            ("median", by_design(median)),
            ("adjusted score", adjusted.to_vec()),
            ("Borda count", sensitivity::borda(&matrix)),
            ("Copeland count", sensitivity::copeland(&matrix)),
            ("Bradley–Terry model", sensitivity::bradley_terry(&matrix)),
        ]
    }

    /// Returns the order without each reviewer, and the reviewers without whom the first place would change.
    fn leave_one_out(
        &self,
        fit: Option<&Fit>,
        observations: &[Observation],
        verdicts: &Verdicts,
        order: &[usize],
        ranks: &[u32],
    ) -> (BTreeMap<String, Vec<String>>, Vec<usize>) {
        let mut orders = BTreeMap::new();
        let mut decisive = Vec::new();
        let reviewers = self.table.active_reviewers();
        let Some(fit) = fit.filter(|_| reviewers.len() > 1) else { return (orders, decisive) };
        let first: Vec<usize> = self
            .ranked
            .iter()
            .zip(ranks)
            .filter(|(_, rank)| **rank == 1)
            .map(|(&design, _)| design)
            .collect();
        let mut judges = vec![Vec::new(); self.table.designs];
        for cell in &self.counted.cells {
            judges[cell.design].push(cell.reviewer);
        }
        for reviewer in reviewers {
            // Without this reviewer, a design stays as long as it has another reviewer's counted review.
            let stays = |design: usize| judges[design].iter().any(|&judge| judge != reviewer);
            let rest: Vec<Observation> = observations
                .iter()
                .filter(|observation| observation.reviewer != reviewer && stays(observation.design))
                .copied()
                .collect();
            let designs = self.table.designs;
            let adjusted = fit.refit(&rest).map_or_else(
                || vec![None; designs],
                |fit| {
                    let stay: Vec<usize> = (0..designs).filter(|&design| stays(design)).collect();
                    let compared = verdicts.compared(&stay, |judge| judge != reviewer);
                    shifted(&fit.adjusted(designs), &fit.shifts(designs, &compared))
                },
            );
            if first.len() != 1 || sole_first(&adjusted) != first.first().copied() {
                decisive.push(reviewer);
            }
            orders.insert(self.reviewer_id(reviewer).to_owned(), self.ids(&ordered(&adjusted, order)));
        }
        (orders, decisive)
    }

    fn agreement(&self, fit: Option<&Fit>, independence: Option<Independence>) -> Agreement {
        let counted = self.counted.matrix();
        let mut reasons = Reasons::new();
        let mut keep = |field: &str, stat: Stat| match stat {
            Ok(value) => Some(value),
            Err(reason) => {
                reasons.insert(field.to_owned(), reason);
                None
            }
        };
        let concordance = agreement::concordance(&counted);
        let rank_correlation = keep("rank_correlation", concordance.clone().map(|found| found.correlation));
        let kendall_w = keep("kendall_w", concordance.map(|found| found.w));
        let krippendorff_alpha = KrippendorffAlpha {
            ordinal: keep("krippendorff_alpha.ordinal", agreement::krippendorff_ordinal(&counted)),
            interval: keep("krippendorff_alpha.interval", agreement::krippendorff_interval(&counted)),
        };
        let effective_votes = keep(
            "effective_votes",
            independence.map(|found| found.votes).ok_or_else(|| "No reviewer gave a score.".to_owned()),
        );
        Agreement {
            kendall_w,
            rank_correlation,
            krippendorff_alpha,
            effective_votes,
            reviewers: count(self.table.active_reviewers().len()),
            dissent: fit.map(|fit| self.dissent(fit)).unwrap_or_default(),
            humans: human_review::agreement(self.study, &self.table),
            reasons,
        }
    }

    /// Returns scores far from what all others predict, farthest first; reviews of a model's own design are left to the
    /// self-preference audit.
    fn dissent(&self, fit: &Fit) -> Vec<Dissent> {
        let far: Vec<(Observation, DeletedResidual)> = fit
            .deleted_residuals()
            .into_iter()
            .filter(|(cell, residual)| {
                !cell.own
                    && residual.deviations.abs() >= DISSENT_DEVIATIONS
                    && (cell.score - residual.expected).abs() >= DISSENT_POINTS
            })
            .collect();
        let distances: Vec<f64> = far.iter().map(|(_, residual)| residual.deviations.abs()).collect();
        descending(&distances)
            .into_iter()
            .map(|index| {
                let (cell, residual) = far[index];
                Dissent {
                    reviewer: self.study.reviewers[cell.reviewer].id.clone(),
                    design_id: self.study.designs[cell.design].id.clone(),
                    score: cell.score,
                    expected: residual.expected,
                    quote: None,
                }
            })
            .collect()
    }

    fn bias(&self, fit: Option<&Fit>, adjusted: &[Option<f64>]) -> Bias {
        let seed = self.study.options.seed;
        let reviewers = self.table.active_reviewers();
        let cells = self.table.by_reviewer();
        let leniency = match fit {
            Some(fit) => fit.leniency(self.table.reviewers),
            None => vec![0.0; self.table.reviewers],
        };
        let lengths: Vec<(f64, f64)> = self
            .ranked
            .iter()
            .filter_map(|&design| Some((self.study.designs[design].length? as f64, adjusted[design]?)))
            .collect();
        let preference = |kinship: Kinship, purpose: &str| {
            let mut found = BTreeMap::new();
            for &reviewer in &reviewers {
                let random = &mut Random::new(seed, &format!("{purpose}-{}", self.reviewer_id(reviewer)));
                let cells = &cells[reviewer];
                if let Some(preference) = bias::preference(&self.table, cells, kinship, &leniency, random) {
                    found.insert(self.reviewer_id(reviewer).to_owned(), preference);
                }
            }
            found
        };
        let mut habits = BTreeMap::new();
        for &reviewer in &reviewers {
            let leniency = (reviewers.len() > 1).then(|| leniency[reviewer]);
            habits.insert(self.reviewer_id(reviewer).to_owned(), bias::habits(&cells[reviewer], leniency));
        }
        Bias {
            position: bias::position(&self.table, &mut Random::new(seed, "position")),
            length: bias::length(&lengths, &mut Random::new(seed, "length")),
            self_preference: preference(Kinship::Own, "self-preference"),
            family_preference: preference(Kinship::Family, "family-preference"),
            reviewers: habits,
            instructions_in_designs: self.study.context.instructions_in_designs.clone(),
        }
    }

    /// Returns the lead of the highest of the adjusted scores over the next.
    fn lead(adjusted: &[f64]) -> f64 {
        let order = descending(adjusted);
        order.get(1).map_or(0.0, |&second| adjusted[order[0]] - adjusted[second])
    }

    fn ranked_values(&self, values: &[Option<f64>]) -> Vec<f64> {
        self.ranked.iter().map(|&design| values[design].unwrap_or(f64::NEG_INFINITY)).collect()
    }

    fn ids(&self, designs: &[usize]) -> Vec<String> {
        designs.iter().map(|&design| self.design_id(design).to_owned()).collect()
    }

    fn design_id(&self, design: usize) -> &'a str {
        &self.study.designs[design].id
    }

    fn reviewer_id(&self, reviewer: usize) -> &'a str {
        &self.study.reviewers[reviewer].id
    }
}

/// Returns scores with what comparisons add to them.
fn shifted(scores: &[Option<f64>], shifts: &[f64]) -> Vec<Option<f64>> {
    scores.iter().zip(shifts).map(|(score, shift)| Some((*score)? + shift)).collect()
}

fn breakdown(reviewers: Vec<ReviewerId>, reviews: Vec<f64>) -> Breakdown {
    let mut reasons = Reasons::new();
    if reviews.is_empty() {
        for field in ["mean", "median"] {
            reasons.insert(field.to_owned(), "No counted reviewer scored this dimension.".to_owned());
        }
    }
    if reviews.len() < 2 {
        reasons.insert("variance".to_owned(), "This needs two reviewers' scores.".to_owned());
    }
    Breakdown {
        mean: mean(&reviews),
        median: median(&reviews),
        variance: variance(&reviews),
        reviewers,
        reviews,
        reasons,
    }
}
