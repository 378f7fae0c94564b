//! Adaptive pairwise mode: which comparisons reveal most about the first place next, and when to stop.
//!
//! After every step there is a leader, and each other design has a chance of being better than it. The value of a pair
//! is how much a verdict on it narrows the differences between the leader and the designs that may be better (the
//! expected drop of each difference's variance, weighted by that chance), so a design that is far behind causes no
//! further cost. This is the idea of top-two sampling (Russo 2020, "Simple Bayesian algorithms for best-arm
//! identification", Operations Research 68), but the chances are computed rather than drawn, so that the same verdicts
//! always lead to the same requests.
//!
//! Among the reviewers that have not judged that pair, the next is the one whose verdicts are steadiest for their
//! price: turns are shared in proportion to steadiness over the square root of the price (Neyman 1934, "On the two
//! different aspects of the representative method", JRSS 97; with prices: Cochran 1977, "Sampling techniques", §5.5). A
//! verdict that changes with the order reveals little.
//!
//! A reviewer's taste for a design recurs in every pair, so each further opponent adds less, and asking a reviewer again about a
//! pair only removes some noise.
//!
//! Both orders of a pair are always requested together. Measurements are in `docs/ranking-measurements.md`.

use super::comparisons::Panel;
use super::contests::Turn;
use super::model::SHARED_ERROR;
use super::output::VerdictKind;
use super::pairwise::PRIOR_PRECISION;
use super::prospects::{Lead, chance_of_clear, expected_gain};
use super::study::Study;
use super::tastes::TASTE;
use design_lab_numerics::chances::Difference;
use kernel::problem::Problem;
use std::collections::{BTreeMap, BTreeSet};

/// Comparisons end if all that are left are expected to improve the first design's log-strength by no more than this. In
/// simulation, higher values save more calls, and lose quality on panels of eight reviewers or eight designs.
const LITTLE: f64 = 0.01;

/// They also continue while the verdict becomes clear with at least this chance, because that is what they were asked for.
const LIKELY_CLEAR: f64 = 0.2;

/// One comparison that can still be requested, by indices of the study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// The reviewer that would judge.
    pub reviewer: usize,
    /// Starts from 1.
    pub repeat: u32,
    /// The design shown first.
    pub first: usize,
    /// The design shown second.
    pub second: usize,
}

/// Both orders of a pair: reviewer, repeat, and the two designs, the lower index first.
type Sitting = (usize, u32, usize, usize);

/// How the review continues.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The review continues with these comparisons.
    Ask(Vec<Offer>),
    /// The review stops.
    Stop(Settled),
}

/// Why no further comparison is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The verdict is clear.
    Clear,
    /// The remaining comparisons are expected to improve the first design by little, and unlikely to make the verdict clear.
    LittleToGain,
    /// No comparison is left.
    Exhausted,
}

/// Returns which of the offers to request next, at most `most` (but always both orders of a pair), or why none.
///
/// `prices` is the cost of a comparison by each reviewer of the study, in any unit; if any offered reviewer's price is
/// 0 or unknown, all reviewers have the same price.
pub fn next(study: &Study, offers: &[Offer], prices: &[f64], most: usize) -> Result<Next, Problem> {
    let panel = Panel::of(study)?;
    if panel.verdict_kind() == VerdictKind::Clear {
        return Ok(Next::Stop(Settled::Clear));
    }
    let mut sittings: BTreeMap<Sitting, Vec<Offer>> = BTreeMap::new();
    for offer in offers {
        let pair = (offer.first.min(offer.second), offer.first.max(offer.second));
        sittings.entry((offer.reviewer, offer.repeat, pair.0, pair.1)).or_default().push(*offer);
    }
    if sittings.is_empty() {
        return Ok(Next::Stop(Settled::Exhausted));
    }
    let is_priced = offers.iter().all(|offer| prices.get(offer.reviewer).is_some_and(|price| *price > 0.0));
    let mut knowledge = Knowledge::of(study, &panel, if is_priced { prices } else { &[] });
    if knowledge.is_second_opinion_there() {
        let leads = knowledge.leads(sittings.keys());
        if expected_gain(&leads) <= LITTLE && chance_of_clear(&leads) < LIKELY_CLEAR {
            return Ok(Next::Stop(Settled::LittleToGain));
        }
    }
    let mut asked = Vec::new();
    while asked.is_empty() || asked.len() + 1 < most {
        let Some(key) = knowledge.best(sittings.keys()) else { break };
        asked.extend(sittings.remove(&key).unwrap_or_default());
        knowledge.expect(key);
    }
    Ok(Next::Ask(asked))
}

/// What is known so far, and what a further verdict is expected to add.
#[derive(Clone)]
struct Knowledge {
    /// The log-strength of each design of the study.
    logs: Vec<f64>,
    /// The covariance of `logs`, row by row.
    covariance: Vec<f64>,
    /// How many reviewers have judged each pair, or are about to.
    judges: BTreeMap<(usize, usize), f64>,
    /// How often each reviewer has judged each pair, or is about to.
    sittings: BTreeMap<(usize, (usize, usize)), f64>,
    /// For each design of the study: in how many pairs it was judged, counted for each reviewer.
    met: Vec<f64>,
    /// For each reviewer: how steady its verdicts are for their price.
    worth: Vec<f64>,
    /// For each reviewer: how many pairs it has judged, or is about to.
    turns: Vec<f64>,
    /// For each design of the study: the reviewers that have judged it.
    judged_by: Vec<BTreeSet<usize>>,
}

impl Knowledge {
    fn of(study: &Study, panel: &Panel<'_>, prices: &[f64]) -> Self {
        let designs = study.designs.len();
        let (logs, covariance) = panel.strengths().unwrap_or_else(|| {
            let mut prior = vec![0.0; designs * designs];
            prior.iter_mut().step_by(designs + 1).for_each(|entry| *entry = 1.0 / PRIOR_PRECISION);
            (vec![0.0; designs], prior)
        });
        let reviewers = study.reviewers.len();
        let mut knowledge = Self {
            logs,
            covariance,
            judges: BTreeMap::new(),
            sittings: BTreeMap::new(),
            met: vec![0.0; designs],
            worth: vec![0.0; reviewers],
            turns: vec![0.0; reviewers],
            judged_by: vec![BTreeSet::new(); designs],
        };
        let mut steady = vec![0.0; reviewers];
        for opinion in panel.opinions() {
            for sitting in &opinion.sittings {
                knowledge.count(opinion.reviewer, opinion.pair);
                steady[opinion.reviewer] +=
                    f64::from(u8::from(matches!(sitting.turned, None | Some(Turn::Not))));
            }
        }
        for (reviewer, steady) in steady.into_iter().enumerate() {
            // The prior: as if two more verdicts had stayed the same and one had changed.
            let steadiness = (steady + 2.0) / (knowledge.turns[reviewer] + 3.0);
            let price = prices.get(reviewer).copied().unwrap_or(1.0);
            knowledge.worth[reviewer] = steadiness / price.sqrt();
        }
        knowledge
    }

    fn covariance(&self, one: (usize, usize), other: (usize, usize)) -> f64 {
        let designs = self.logs.len();
        let entry = |row: usize, column: usize| self.covariance[row * designs + column];
        entry(one.0, other.0) - entry(one.0, other.1) - entry(one.1, other.0) + entry(one.1, other.1)
    }

    /// Returns the design with the highest strength, the earliest of equal ones.
    fn leader(&self) -> usize {
        let stronger = |one: usize, other: usize| if self.logs[other] > self.logs[one] { other } else { one };
        (0..self.logs.len()).reduce(stronger).unwrap_or(0)
    }

    /// Returns what a reviewer's next verdict adds about a pair's difference: that of a Bradley–Terry model, and less for
    /// each reviewer that has judged it and for each opponent that the designs have met, because errors correlate. A
    /// reviewer that has judged the pair before adds what the mean of one more answer loses of its noise.
    fn information(&self, reviewer: usize, pair: (usize, usize)) -> f64 {
        let share = 1.0 / (1.0 + libm::exp(self.logs[pair.1] - self.logs[pair.0]));
        let judges = self.judges.get(&pair).copied().unwrap_or(0.0);
        let opponents = 0.5 * (self.opponents(pair.0) + self.opponents(pair.1));
        let next = match self.sittings.get(&(reviewer, pair)) {
            None => effective(judges + 1.0) - effective(judges),
            Some(times) => effective(judges) / judges * (1.0 - TASTE) / (times * (times + 1.0)),
        };
        share * (1.0 - share) * next * (heard(opponents + 1.0) - heard(opponents))
    }

    /// Returns the mean number of opponents that a design's reviewers have compared it with.
    fn opponents(&self, design: usize) -> f64 {
        self.met[design] / (self.judged_by[design].len() as f64).max(1.0)
    }

    /// Returns how much a verdict on a pair is expected to narrow the differences that matter.
    fn value(&self, reviewer: usize, pair: (usize, usize)) -> f64 {
        let leader = self.leader();
        let left = 1.0 / self.information(reviewer, pair) + self.covariance(pair, pair);
        let rivals = (0..self.logs.len()).filter(|&rival| rival != leader);
        rivals
            .map(|rival| {
                let lead = (leader, rival);
                let variance = self.covariance(lead, lead);
                let ahead = self.logs[leader] - self.logs[rival];
                let better = Difference { parts: vec![(1.0, ahead, variance.sqrt())] }.at_most(0.0);
                let narrowed = self.covariance(lead, pair);
                better * narrowed * narrowed / left / variance
            })
            .sum()
    }

    /// Returns the sitting with the highest value.
    fn best<'a>(&self, sittings: impl Iterator<Item = &'a Sitting>) -> Option<Sitting> {
        let mut found: Option<((f64, f64), Sitting)> = None;
        for &key in sittings {
            let (reviewer, _, low, high) = key;
            let worth =
                (self.value(reviewer, (low, high)), self.worth[reviewer] / (1.0 + self.turns[reviewer]));
            let more = |a: f64, b: f64| a > b * (1.0 + 1e-9);
            let is_better = found.is_none_or(|(best, _)| {
                more(worth.0, best.0) || (!more(best.0, worth.0) && more(worth.1, best.1))
            });
            if is_better {
                found = Some((worth, key));
            }
        }
        found.map(|(_, key)| key)
    }

    /// Whether at least two reviewers have judged each design: until then, a single reviewer decides.
    fn is_second_opinion_there(&self) -> bool {
        self.judged_by.iter().all(|reviewers| reviewers.len() > 1)
    }

    /// Returns the leader's lead over each rival, now and once all these sittings are judged.
    fn leads<'a>(&self, sittings: impl Iterator<Item = &'a Sitting>) -> Vec<Lead> {
        let mut after = self.clone();
        sittings.for_each(|&key| after.expect(key));
        let leader = self.leader();
        let rivals = (0..self.logs.len()).filter(|&rival| rival != leader);
        let lead = |rival: usize| Lead {
            ahead: self.logs[leader] - self.logs[rival],
            now: self.covariance((leader, rival), (leader, rival)),
            after: after.covariance((leader, rival), (leader, rival)),
        };
        rivals.map(lead).collect()
    }

    /// Counts a sitting as judged, with its expected effect.
    fn expect(&mut self, (reviewer, _, low, high): Sitting) {
        let pair = (low, high);
        let designs = self.logs.len();
        let scale = 1.0 / (1.0 / self.information(reviewer, pair) + self.covariance(pair, pair));
        let column: Vec<f64> = (0..designs)
            .map(|row| self.covariance[row * designs + low] - self.covariance[row * designs + high])
            .collect();
        for row in 0..designs {
            for other in 0..designs {
                self.covariance[row * designs + other] -= scale * column[row] * column[other];
            }
        }
        self.count(reviewer, pair);
    }

    /// Counts a sitting as judged.
    fn count(&mut self, reviewer: usize, pair: (usize, usize)) {
        if !self.sittings.contains_key(&(reviewer, pair)) {
            *self.judges.entry(pair).or_default() += 1.0;
            for design in [pair.0, pair.1] {
                self.met[design] += 1.0;
                self.judged_by[design].insert(reviewer);
            }
        }
        *self.sittings.entry((reviewer, pair)).or_default() += 1.0;
        self.turns[reviewer] += 1.0;
    }
}

/// Returns the equivalent number of independent reviewers for reviewers whose errors correlate.
fn effective(judges: f64) -> f64 {
    judges / (1.0 + (judges - 1.0) * SHARED_ERROR)
}

/// Returns the equivalent number of independent verdicts for a reviewer's verdicts on a design and that many opponents, whose
/// errors correlate by its taste.
fn heard(opponents: f64) -> f64 {
    opponents / (1.0 + (opponents - 1.0) * 0.5 * TASTE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::artefacts::Preferred;
    use crate::design_lab::config::ReviewMode;
    use crate::design_lab::ids::{DesignId, ReviewerId};
    use crate::design_lab::ranking::{Comparison, Context, DesignFacts, Options, ReviewerFacts};

    fn study(designs: usize, reviewers: usize) -> Study {
        let reviewer = |index| ReviewerFacts { id: ReviewerId::new(format!("r{index}")), model: None };
        let design = |index| DesignFacts { id: DesignId::new(format!("d{index}")), ..DesignFacts::default() };
        Study {
            mode: ReviewMode::Pairwise,
            designs: (0..designs).map(design).collect(),
            reviewers: (0..reviewers).map(reviewer).collect(),
            dimensions: Vec::new(),
            rows: Vec::new(),
            shown: Vec::new(),
            comparisons: Vec::new(),
            contrasts: Vec::new(),
            options: Options { exclude_self: true, exclude_family: false, seed: 1 },
            context: Context::default(),
        }
    }

    fn all(designs: usize, reviewers: usize) -> Vec<Offer> {
        let orders =
            move || (0..designs).flat_map(move |first| (0..designs).map(move |second| (first, second)));
        (0..reviewers)
            .flat_map(|reviewer| {
                orders().filter(|(first, second)| first != second).map(move |(first, second)| Offer {
                    reviewer,
                    repeat: 1,
                    first,
                    second,
                })
            })
            .collect()
    }

    /// Requests comparisons until the end; `better` returns which design wins a comparison, if any.
    fn played(
        mut study: Study,
        prices: &[f64],
        better: impl Fn(&Offer) -> Option<usize>,
    ) -> (Vec<Offer>, Settled) {
        let mut offers = all(study.designs.len(), study.reviewers.len());
        let mut asked = Vec::new();
        loop {
            match next(&study, &offers, prices, 4).unwrap() {
                Next::Stop(why) => return (asked, why),
                Next::Ask(chosen) => {
                    assert!((1..=4).contains(&chosen.len()) && chosen.iter().all(|one| offers.contains(one)));
                    offers.retain(|offer| !chosen.contains(offer));
                    for offer in chosen {
                        let verdict = match better(&offer) {
                            Some(design) if design == offer.first => Preferred::First,
                            Some(_) => Preferred::Second,
                            None => Preferred::Tie,
                        };
                        study.comparisons.push(Comparison {
                            reviewer: study.reviewers[offer.reviewer].id.clone(),
                            repeat: 1,
                            first: study.designs[offer.first].id.clone(),
                            second: study.designs[offer.second].id.clone(),
                            verdict,
                        });
                        asked.push(offer);
                    }
                }
            }
        }
    }

    fn lower(offer: &Offer) -> usize {
        offer.first.min(offer.second)
    }

    #[test]
    fn designs_far_behind_are_left_alone() {
        let (asked, _) = played(study(6, 4), &[0.0; 4], |offer| Some(lower(offer)));
        let pairs = |one: usize, other: usize| {
            asked
                .iter()
                .filter(|offer| {
                    offer.first.min(offer.second) == one && offer.first.max(offer.second) == other
                })
                .count()
        };
        assert_eq!(pairs(0, 1), 8, "all are asked who of the first two is better");
        assert!(pairs(4, 5) < 4, "{} on the last two", pairs(4, 5));
        assert!(asked.len() < 96, "{} of 120", asked.len());
    }

    #[test]
    fn it_stops_when_clear_when_settled_and_when_all_is_asked() {
        let stands_out = |offer: &Offer| (lower(offer) == 0).then_some(0);
        let (asked, why) = played(study(5, 6), &[0.0; 6], stands_out);
        assert_eq!(why, Settled::Clear);
        assert!(asked.len() < 72, "{} of 120", asked.len());
        // Two reviewers can't make anything clear.
        let (asked, why) = played(study(6, 2), &[0.0; 2], |offer| Some(lower(offer)));
        assert_eq!(why, Settled::LittleToGain);
        assert!(asked.len() < 48, "{} of 60", asked.len());
        let (asked, why) = played(study(3, 3), &[0.0; 3], |_| None);
        assert_eq!((asked.len(), why), (18, Settled::Exhausted));
        assert_eq!(next(&study(3, 3), &[], &[0.0; 3], 4).unwrap(), Next::Stop(Settled::Exhausted));
    }

    #[test]
    fn it_stops_when_settled_though_a_clear_verdict_is_possible() {
        // Three of eight reviewers follow the place. If all who are left preferred the first design, it would be clear; they don't.
        let better =
            |offer: &Offer| Some(if offer.reviewer.is_multiple_of(3) { offer.first } else { lower(offer) });
        let (asked, why) = played(study(4, 8), &[0.0; 8], better);
        assert_eq!(why, Settled::LittleToGain);
        assert!(asked.len() < 24, "{} of 96", asked.len());
    }

    #[test]
    fn the_order_of_the_verdicts_changes_no_request() {
        let (asked, _) = played(study(5, 4), &[0.0; 4], |offer| (offer.reviewer > 0).then_some(lower(offer)));
        for shown in (0..asked.len()).step_by(6) {
            let mut known = study(5, 4);
            known.comparisons = asked[..shown]
                .iter()
                .map(|offer| Comparison {
                    reviewer: known.reviewers[offer.reviewer].id.clone(),
                    repeat: 1,
                    first: known.designs[offer.first].id.clone(),
                    second: known.designs[offer.second].id.clone(),
                    verdict: if offer.first < offer.second { Preferred::First } else { Preferred::Second },
                })
                .collect();
            let left: Vec<Offer> =
                all(5, 4).into_iter().filter(|one| !asked[..shown].contains(one)).collect();
            let mut turned = known.clone();
            turned.comparisons.reverse();
            let turned_left: Vec<Offer> = left.iter().rev().copied().collect();
            let sorted = |study: &Study, left: &[Offer]| match next(study, left, &[0.0; 4], 4).unwrap() {
                Next::Stop(why) => Err(why),
                Next::Ask(asked) => {
                    let keys = asked.iter().map(|one| (one.reviewer, one.repeat, one.first, one.second));
                    Ok(keys.collect::<BTreeSet<_>>())
                }
            };
            assert_eq!(sorted(&known, &left), sorted(&turned, &turned_left), "after {shown}");
        }
    }

    #[test]
    fn the_cheap_and_steady_are_asked_more() {
        let turns =
            |asked: &[Offer], reviewer| asked.iter().filter(|offer| offer.reviewer == reviewer).count();
        let (asked, _) = played(study(6, 3), &[9.0, 1.0, 1.0], |offer| Some(lower(offer)));
        assert!(turns(&asked, 0) < turns(&asked, 1), "{} and {}", turns(&asked, 0), turns(&asked, 1));
        // The first reviewer always prefers the design shown first.
        let unsteady =
            |offer: &Offer| if offer.reviewer == 0 { Some(offer.first) } else { Some(lower(offer)) };
        let (asked, _) = played(study(6, 3), &[0.0; 3], unsteady);
        assert!(turns(&asked, 0) < turns(&asked, 1), "{} and {}", turns(&asked, 0), turns(&asked, 1));
        // An unknown price makes no reviewer expensive.
        let (known, unknown) = ([9.0, 0.0, 1.0], [0.0; 3]);
        assert_eq!(
            played(study(4, 3), &known, |offer| Some(lower(offer))),
            played(study(4, 3), &unknown, |offer| Some(lower(offer)))
        );
    }

    #[test]
    fn a_pair_that_was_judged_in_one_order_is_offered_in_the_other() {
        let mut study = study(2, 2);
        study.comparisons.push(Comparison {
            reviewer: ReviewerId::new("r0"),
            repeat: 1,
            first: DesignId::new("d0"),
            second: DesignId::new("d1"),
            verdict: Preferred::First,
        });
        let left: Vec<Offer> =
            all(2, 2).into_iter().filter(|offer| (offer.reviewer, offer.first) != (0, 0)).collect();
        let Next::Ask(asked) = next(&study, &left, &[0.0; 2], 8).unwrap() else { panic!("it continues") };
        let asked: BTreeSet<_> = asked.iter().map(|offer| (offer.reviewer, offer.first)).collect();
        assert_eq!(asked, BTreeSet::from([(0, 1), (1, 0), (1, 1)]));
    }
}
