//! Pairwise mode: turns verdicts into a ranking.

use super::alike::Alike;
use super::bias;
use super::choice::{Grounds, choice};
use super::contests::{Opinion, Turn, opinions, same_verdicts};
use super::descriptive::{competition_ranks, mean};
use super::gains::{Unit, gains};
use super::human_review;
use super::independence::{self, Independence};
use super::intervals::Places;
use super::model::SHARED_ERROR;
use super::order::{by_rank, count, metadata, ordered, sole_first};
use super::output::{
    Agreement, Audit, Bias, Orders, Pairwise, Preference, RankedDesign, Ranking, Reasons, Sensitivity,
    Strength, Verdict, VerdictKind,
};
use super::pairwise::{Contest, PRIOR_PRECISION, Strengths};
use super::permutation;
use super::provisional::Provisional;
use super::sensitivity::{self, Wins};
use super::study::Study;
use super::table::{Judged, Kinship, Kinships, judged};
use super::verdict::{Evidence, verdict};
use crate::design_lab::artefacts::Preferred;
use crate::random::Random;
use design_lab_numerics::chances::{Component, Difference};
use design_lab_numerics::sorting::{distinct, map};
use design_lab_numerics::tastes::Tastes;
use kernel::problem::Problem;
use std::collections::BTreeMap;

/// Ranks designs by their strengths in Davidson's model.
pub(super) fn rank(study: &Study) -> Result<Ranking, Problem> {
    Ok(Panel::of(study)?.ranking())
}

/// Returns the share of its pairs that each design has won, ties counting half.
pub(super) fn win_rates(study: &Study) -> Result<Vec<Provisional>, Problem> {
    let panel = Panel::of(study)?;
    let pairs_with = |design: usize| panel.opinions.iter().filter(|one| one.involves(design)).count();
    let counts: Vec<usize> = (0..study.designs.len()).map(pairs_with).collect();
    Ok(Provisional::all(study, &sensitivity::win_rate(&panel.wins()), &counts))
}

pub(super) struct Panel<'a> {
    study: &'a Study,
    all: Vec<Judged>,
    counted: Vec<Judged>,
    opinions: Vec<Opinion>,
    /// The compared designs, ascending.
    designs: Vec<usize>,
}

/// What the verdicts show.
struct Findings {
    /// The reviewers that gave any verdict that counts.
    reviewers: Vec<usize>,
    fit: Option<Strengths>,
    /// The log-strength of each design of the study.
    logs: Vec<Option<f64>>,
    /// The rank of each compared design.
    ranks: Vec<u32>,
    /// Whether at least two reviewers and two designs took part.
    sure: bool,
    /// What the verdicts have in common.
    tastes: Tastes,
    /// The equivalent number of independent reviewers.
    votes: f64,
    places: Option<Places>,
    methods: [(&'static str, Vec<Option<f64>>); 3],
    /// Log-strengths with each of the reviewers left out.
    left_out: Vec<(usize, Vec<Option<f64>>)>,
}

impl<'a> Panel<'a> {
    pub(super) fn of(study: &'a Study) -> Result<Self, Problem> {
        let all = judged(study)?;
        let kinships = Kinships::of(study);
        let related = |judged: &Judged| {
            [judged.first, judged.second].into_iter().any(|design| {
                match kinships.between(design, judged.reviewer) {
                    Kinship::Own => study.options.exclude_self,
                    Kinship::Family => study.options.exclude_family,
                    Kinship::None => false,
                }
            })
        };
        let counted: Vec<Judged> = all.iter().copied().filter(|judged| !related(judged)).collect();
        Ok(Self {
            study,
            designs: distinct(
                study.designs.len(),
                counted.iter().flat_map(|judged| [judged.first, judged.second]),
            ),
            opinions: opinions(&counted),
            counted,
            all,
        })
    }

    /// Returns what the verdicts show, before it is prepared for people.
    fn findings(&self) -> Findings {
        let reviewers = distinct(self.study.reviewers.len(), self.opinions.iter().map(|one| one.reviewer));
        let fit = self.fit(|_| true);
        let sure = reviewers.len() > 1 && self.designs.len() > 1;
        let independence = fit.as_ref().and_then(|fit| self.independence(&reviewers, fit));
        let tastes = fit.as_ref().map_or_else(Tastes::default, |fit| {
            self.tastes(fit, independence.map_or(SHARED_ERROR, |found| found.correlation))
        });
        let places = fit.as_ref().filter(|_| sure).map(|fit| {
            let variances = fit.spread(&tastes);
            let component = Component { weight: 1.0, means: fit.logs.clone(), variances };
            Places::of(self.designs.len(), &[component])
        });
        let wins = self.wins();
        let left_out = reviewers
            .iter()
            .filter(|_| sure)
            .map(|&reviewer| (reviewer, self.spread(self.fit(|one| one.reviewer != reviewer).as_ref())));
        Findings {
            logs: self.spread(fit.as_ref()),
            ranks: competition_ranks(&fit.as_ref().map_or_else(Vec::new, |fit| fit.logs.clone())),
            sure,
            tastes,
            votes: independence.map_or(0.0, |found| found.votes),
            places,
            methods: [
                ("win rate", sensitivity::win_rate(&wins)),
                ("Copeland count", sensitivity::copeland_of(&wins)),
                ("Bradley–Terry model", sensitivity::bradley_terry_of(&wins)),
            ],
            left_out: left_out.collect(),
            reviewers,
            fit,
        }
    }

    /// Returns only the kind of the verdict.
    pub(super) fn verdict_kind(&self) -> VerdictKind {
        self.verdict(&self.findings()).kind
    }

    /// Returns the log-strength of each design of the study, compared or not, and their covariance, row by row; `None`
    /// before any verdict.
    pub(super) fn strengths(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let (contests, by) = self.contests(|_| true);
        let fit = Strengths::of(self.study.designs.len(), &contests, PRIOR_PRECISION)?;
        let covariance = fit.covariance(&Tastes::of(&fit, &contests, &by, SHARED_ERROR));
        Some((fit.logs, covariance))
    }

    /// Returns what each reviewer thinks of each pair that it judged.
    pub(super) fn opinions(&self) -> &[Opinion] {
        &self.opinions
    }

    fn verdict(&self, found: &Findings) -> Verdict {
        let first = sole_first(&found.logs);
        let places = found.places.as_ref();
        let alone = |index: usize| places.is_some_and(|places| places.interval(index, 1) == [1, 1]);
        let leaders = || (0..found.ranks.len()).filter(|&index| found.ranks[index] == 1);
        let evidence = Evidence {
            reviewers: found.reviewers.len(),
            only_excluded: false,
            designs: self.designs.len(),
            first: leaders().map(|index| self.study.designs[self.designs[index]].id.as_str()).collect(),
            chances: places.map(|places| places.first_and_rival(&found.ranks)),
            lead: None,
            votes: found.votes,
            leads_in: None,
            alone_in_interval: leaders().next().is_some_and(alone),
            rests_on_equals: false,
            dissenting_methods: found
                .methods
                .iter()
                .filter(|(_, values)| first.is_none() || sole_first(values) != first)
                .map(|(name, _)| *name)
                .collect(),
            decisive_reviewers: found
                .left_out
                .iter()
                .filter(|(_, without)| first.is_none() || sole_first(without) != first)
                .map(|(reviewer, _)| self.reviewer_id(*reviewer))
                .collect(),
        };
        let said = verdict(&evidence);
        let is_clear = |panel: Self| panel.verdict_kind() == VerdictKind::Clear;
        if said.kind == VerdictKind::Clear && !self.without_equals().is_none_or(is_clear) {
            return verdict(&Evidence { rests_on_equals: true, ..evidence });
        }
        said
    }

    /// Returns the panel with reviewers that gave the same verdicts throughout counted once; `None` if there are none.
    ///
    /// On few designs nothing shows whether they are copies, so they count as several. But a clear verdict must not need
    /// that: in simulation, one in six was wrong if all reviewers were copies.
    fn without_equals(&self) -> Option<Self> {
        let mut kept: Vec<&[Opinion]> = Vec::new();
        for theirs in self.opinions.chunk_by(|one, other| one.reviewer == other.reviewer) {
            if !kept.iter().any(|known| same_verdicts(known, theirs)) {
                kept.push(theirs);
            }
        }
        let opinions = kept.concat();
        (opinions.len() < self.opinions.len()).then(|| Self {
            study: self.study,
            all: self.all.clone(),
            counted: self.counted.clone(),
            designs: self.designs.clone(),
            opinions,
        })
    }

    fn ranking(&self) -> Ranking {
        let found = self.findings();
        let mut designs: Vec<RankedDesign> =
            (0..self.study.designs.len()).map(|design| self.described(design)).collect();
        for (index, &design) in self.designs.iter().enumerate() {
            let described = &mut designs[design];
            described.rank = found.ranks.get(index).copied();
            if let Some(places) = &found.places {
                described.rank_interval = described.rank.map(|rank| places.interval(index, rank));
            } else {
                let reason = "One reviewer's verdicts can't show how much another's would differ.";
                described.reasons.insert("rank_interval".to_owned(), reason.to_owned());
            }
        }
        let (order, rankings) = by_rank(designs);
        let verdict = self.verdict(&found);
        let choice = found.places.as_ref().map(|places| {
            choice(Grounds {
                ids: self.designs.iter().map(|&design| &self.study.designs[design].id).collect(),
                ranks: &found.ranks,
                places,
                qualities: None,
                votes: found.votes,
                leads_only_in: None,
            })
        });
        let Findings { reviewers, fit, logs, sure, tastes, votes, methods, left_out, .. } = found;
        let leave_one_out = left_out.iter().map(|(reviewer, without)| {
            (self.reviewer_id(*reviewer).to_owned(), self.ids(&ordered(without, &order)))
        });
        let [borda, copeland, bradley_terry] = methods.map(|(_, values)| self.ids(&ordered(&values, &order)));
        Ranking {
            verdict,
            rubric: None,
            choice,
            agreement: Agreement {
                humans: human_review::agreement_in_pairs(self.study, &self.all),
                ..agreement(reviewers.len(), votes)
            },
            bias: self.bias(&logs),
            sensitivity: Sensitivity {
                orders: Orders { borda, copeland, bradley_terry, ..Orders::default() },
                leave_one_out: map(leave_one_out),
            },
            pairwise: Some(self.pairwise(fit.as_ref(), &tastes, &order)),
            close_pairs: Vec::new(),
            additions: Vec::new(),
            gains: match fit.as_ref().filter(|_| sure) {
                Some(fit) => {
                    let difference = |design, over| self.difference(fit, design, over, &tastes);
                    gains(self.study, &self.designs, Unit::LogStrength, Some(&difference))
                }
                None => gains(self.study, &self.designs, Unit::LogStrength, None),
            },
            metadata: metadata(self.study, "davidson", reviewers.len(), self.all.len() - self.counted.len()),
            rankings,
        }
    }

    fn described(&self, design: usize) -> RankedDesign {
        let facts = &self.study.designs[design];
        let reviewers = distinct(
            self.study.reviewers.len(),
            self.opinions.iter().filter(|one| one.involves(design)).map(|one| one.reviewer),
        );
        let mut reasons = Reasons::new();
        for field in ["average_score", "median_score", "score_variance", "adjusted_score"] {
            reasons.insert(field.to_owned(), "The designs were compared, not scored.".to_owned());
        }
        if reviewers.is_empty() {
            for field in ["rank", "rank_interval"] {
                reasons.insert(field.to_owned(), "No reviewer compared this design with another.".to_owned());
            }
        }
        RankedDesign {
            design_id: facts.id.clone(),
            title: facts.title.clone(),
            model: facts.told_model(),
            file: facts.file.clone(),
            rank: None,
            average_score: None,
            median_score: None,
            score_variance: None,
            adjusted_score: None,
            rank_interval: None,
            reviewer_count: count(reviewers.len()),
            reviews: Vec::new(),
            score_breakdown: BTreeMap::new(),
            qualitative_summary: facts.qualitative_summary.clone(),
            reasons,
        }
    }

    /// Returns the strengths over the opinions that the predicate keeps; indices are those of `designs`.
    fn fit(&self, keep: impl Fn(&Opinion) -> bool) -> Option<Strengths> {
        let contests = self.compact(self.contests(keep).0);
        if contests.is_empty() {
            return None;
        }
        Strengths::of(self.designs.len(), &contests, PRIOR_PRECISION)
    }

    /// Returns the contests of the opinions that the predicate keeps, and whose they are.
    fn contests(&self, keep: impl Fn(&Opinion) -> bool) -> (Vec<Contest>, Vec<usize>) {
        let kept = self.opinions.iter().filter(|one| keep(one));
        kept.flat_map(|one| one.contests.iter().map(|contest| (*contest, one.reviewer))).unzip()
    }

    /// Returns the contests with the indices of `designs`.
    fn compact(&self, mut contests: Vec<Contest>) -> Vec<Contest> {
        for contest in &mut contests {
            (contest.first, contest.second) = (self.index(contest.first), self.index(contest.second));
        }
        contests
    }

    /// Returns the index among `designs`.
    fn index(&self, design: usize) -> usize {
        self.designs.binary_search(&design).unwrap_or(0)
    }

    /// Returns what the verdicts behind a fit have in common if reviewers' errors correlate that far.
    fn tastes(&self, fit: &Strengths, correlation: f64) -> Tastes {
        let (contests, by) = self.contests(|_| true);
        Tastes::of(fit, &self.compact(contests), &by, correlation)
    }

    /// Returns the log-strength of each design of the study.
    fn spread(&self, fit: Option<&Strengths>) -> Vec<Option<f64>> {
        let mut logs = vec![None; self.study.designs.len()];
        if let Some(fit) = fit {
            for (&design, &log) in self.designs.iter().zip(&fit.logs) {
                logs[design] = Some(log);
            }
        }
        logs
    }

    /// Returns how independent the reviewers are, judging by their names and by how alike their verdicts are.
    fn independence(&self, reviewers: &[usize], fit: &Strengths) -> Option<Independence> {
        let index = |design| self.index(design);
        let facts: Vec<_> = reviewers.iter().map(|&index| &self.study.reviewers[index]).collect();
        independence::of_verdicts(&facts, &Alike::of(&self.opinions, fit, &index))
    }

    /// Returns the difference of two log-strengths: normal around the fit.
    fn difference(&self, fit: &Strengths, design: usize, over: usize, tastes: &Tastes) -> Difference {
        let (one, other) = (self.index(design), self.index(over));
        let variance = fit.spread_of_difference(one, other, tastes);
        Difference { parts: vec![(1.0, fit.logs[one] - fit.logs[other], variance.sqrt())] }
    }

    /// Returns how often each design was preferred to each other, ties counting half to both.
    fn wins(&self) -> Wins {
        let mut wins = Wins::none(self.study.designs.len());
        for contest in self.opinions.iter().flat_map(|one| &one.contests) {
            wins.add(contest.first, contest.second, contest.first_wins + 0.5 * contest.ties);
            wins.add(contest.second, contest.first, contest.second_wins + 0.5 * contest.ties);
        }
        wins
    }

    fn pairwise(&self, fit: Option<&Strengths>, tastes: &Tastes, order: &[usize]) -> Pairwise {
        let both: Vec<Turn> = self.turns().collect();
        let mut reasons = Reasons::new();
        // The effect of order is visible in single verdicts, before verdicts that changed were made ties.
        let raw = self.compact(self.opinions.iter().flat_map(Opinion::in_single_orders).collect());
        // If no pair was judged in both orders, these are exactly the contests that the strengths are fitted to.
        let order_effect = Strengths::of(self.designs.len(), &raw, PRIOR_PRECISION).and_then(|fit| fit.order);
        if order_effect.is_none() {
            reasons.insert("order_effect".to_owned(), "No verdict counts.".to_owned());
        }
        let strengths = fit.map_or_else(Vec::new, |fit| {
            let errors = fit.standard_errors(tastes);
            order
                .iter()
                .filter_map(|design| {
                    let index = self.designs.binary_search(design).ok()?;
                    Some(Strength {
                        design_id: self.study.designs[*design].id.clone(),
                        log_strength: fit.logs[index],
                        standard_error: errors[index],
                    })
                })
                .collect()
        });
        Pairwise {
            strengths,
            tie_parameter: fit.and_then(|fit| fit.tie).unwrap_or(0.0),
            order_effect,
            flips: count(both.iter().filter(|turn| **turn != Turn::Not).count()),
            pairs_in_both_orders: count(both.len()),
            reasons,
        }
    }

    fn bias(&self, logs: &[Option<f64>]) -> Bias {
        let lengths: Vec<(f64, f64)> = self
            .designs
            .iter()
            .filter_map(|&design| Some((self.study.designs[design].length? as f64, logs[design]?)))
            .collect();
        Bias {
            position: self.position(),
            length: bias::length(&lengths, &mut Random::new(self.study.options.seed, "length")),
            self_preference: self.preferences(Kinship::Own, "self-preference"),
            family_preference: self.preferences(Kinship::Family, "family-preference"),
            reviewers: BTreeMap::new(),
            instructions_in_designs: self.study.context.instructions_in_designs.clone(),
        }
    }

    /// Returns how each verdict in both orders turned out.
    fn turns(&self) -> impl Iterator<Item = Turn> {
        self.opinions.iter().flat_map(|one| &one.sittings).filter_map(|sitting| sitting.turned)
    }

    /// Tests whether verdicts that changed with the order favour the first and the second place equally often: an exact
    /// sign test, in which a reviewer's repeats on one pair count once.
    fn position(&self) -> Audit {
        let turns: Vec<Turn> = self.turns().collect();
        let towards = turns.iter().filter(|turn| **turn == Turn::TowardsFirst).count();
        let away = turns.iter().filter(|turn| **turn == Turn::TowardsSecond).count();
        if turns.is_empty() {
            return Audit {
                sentence: "Position: insufficient data; no pair was judged in both orders.".to_owned(),
                ..Audit::default()
            };
        }
        let effect = (towards as f64 - away as f64) / turns.len() as f64;
        let size = format!(
            "{} of {} verdicts changed with the order, {towards} of them in favour of the design shown first",
            towards + away,
            turns.len()
        );
        let favours = |direction: i32| self.opinions.iter().filter(|one| one.turn() == direction).count();
        let test = bias::sign_test(favours(1), favours(-1));
        Audit {
            effect: Some(effect),
            p_value: Some(test.p_value),
            observations: count(turns.len()),
            sentence: bias::tested("Position", &size, test),
        }
    }

    /// Returns, for each reviewer with a related design, the share of its verdicts for that design, less the unrelated
    /// reviewers' share. The test asks how often at least as large a surplus occurs for as many designs picked at
    /// random from those that it compared.
    fn preferences(&self, wanted: Kinship, purpose: &str) -> BTreeMap<String, Preference> {
        let (designs, reviewers) = (self.study.designs.len(), self.study.reviewers.len());
        let kinships = Kinships::of(self.study);
        // `shares[reviewer · designs + design]`: verdicts for the design, and all verdicts on it.
        let mut shares = vec![(0.0, 0.0); reviewers * designs];
        for judged in &self.all {
            for design in [judged.first, judged.second] {
                let (won, all) = &mut shares[judged.reviewer * designs + design];
                *won += judged.share_of(design);
                *all += 1.0;
            }
        }
        let mut found = BTreeMap::new();
        for reviewer in 0..reviewers {
            let related = |design: usize| kinships.between(design, reviewer);
            let compared = |design: &usize| shares[reviewer * designs + design].1 > 0.0;
            if !(0..designs).filter(compared).any(|design| related(design) == wanted) {
                continue;
            }
            // The reviewer's share and the unrelated reviewers' share, for each design of one kinship.
            let both = |kin: Kinship| {
                (0..designs).filter(compared).filter(move |&design| related(design) == kin).filter_map(
                    |design| {
                        let (won, all) = shares[reviewer * designs + design];
                        let others: Vec<(f64, f64)> = (0..reviewers)
                            .filter(|&judge| {
                                judge != reviewer && kinships.between(design, judge) == Kinship::None
                            })
                            .map(|judge| shares[judge * designs + design])
                            .collect();
                        let theirs: f64 = others.iter().map(|(_, all)| all).sum();
                        let for_it: f64 = others.iter().map(|(won, _)| won).sum();
                        (theirs > 0.0).then(|| (won / all, for_it / theirs))
                    },
                )
            };
            let on_related: Vec<(f64, f64)> = both(wanted).collect();
            let mut surplus: Vec<f64> = on_related.iter().map(|(own, others)| own - others).collect();
            let front = surplus.len();
            surplus.extend(both(Kinship::None).map(|(own, others)| own - others));
            let preference = match mean(&surplus[..front]).filter(|_| front < surplus.len()) {
                None => Preference {
                    points: None,
                    p_value: None,
                    sentence: "Insufficient data: no unrelated reviewer compared them and other designs."
                        .to_owned(),
                },
                Some(points) => {
                    let purpose = format!("{purpose}-{}", self.reviewer_id(reviewer));
                    let random = &mut Random::new(self.study.options.seed, &purpose);
                    let (_, test) = permutation::surplus(&surplus, front, random);
                    let whose =
                        if wanted == Kinship::Own { "its own design" } else { "designs of its vendor" };
                    let percent = |share: fn(&(f64, f64)) -> f64| {
                        100.0 * on_related.iter().map(share).sum::<f64>() / front as f64
                    };
                    let size = format!(
                        "preferred {whose} in {:.0}% of its verdicts, unrelated reviewers in {:.0}%",
                        percent(|(own, _)| *own),
                        percent(|(_, others)| *others)
                    );
                    Preference {
                        points: Some(points),
                        p_value: Some(test.p_value),
                        sentence: bias::verdict(&size, test),
                    }
                }
            };
            found.insert(self.reviewer_id(reviewer).to_owned(), preference);
        }
        found
    }

    fn ids(&self, designs: &[usize]) -> Vec<String> {
        designs.iter().map(|&design| self.study.designs[design].id.to_string()).collect()
    }

    fn reviewer_id(&self, reviewer: usize) -> &str {
        &self.study.reviewers[reviewer].id
    }
}

impl Judged {
    /// Returns 1 if the design was preferred, ½ for a tie, 0 if the other was.
    fn share_of(&self, design: usize) -> f64 {
        match (self.verdict, self.first == design) {
            (Preferred::Tie, _) => 0.5,
            (Preferred::First, true) | (Preferred::Second, false) => 1.0,
            _ => 0.0,
        }
    }
}

fn agreement(reviewers: usize, votes: f64) -> Agreement {
    let mut reasons = Reasons::new();
    for field in
        ["kendall_w", "rank_correlation", "krippendorff_alpha.ordinal", "krippendorff_alpha.interval"]
    {
        reasons
            .insert(field.to_owned(), "This exists for scores only; the designs were compared.".to_owned());
    }
    if reviewers == 0 {
        reasons.insert("effective_votes".to_owned(), "No verdict counts.".to_owned());
    }
    let effective_votes = (reviewers > 0).then_some(votes);
    Agreement { reviewers: count(reviewers), effective_votes, reasons, ..Agreement::default() }
}
