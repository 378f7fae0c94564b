//! The two designs with the highest scores, compared as well if their scores are close.

use super::comparisons;
use super::contests::Opinion;
use super::order::count;
use super::output::{ClosePair, Ranking};
use super::study::Study;
use crate::design_lab::ids::DesignId;
use crate::shared::figures;
use design_lab_numerics::compared::Compared;
use kernel::problem::Problem;

/// Designs with adjusted scores closer than this, in points, are worth a comparison: from about here on, even a unanimous
/// verdict of the reviewers would not reverse their order (`design_lab_numerics::compared`, with residuals of a point).
const CLOSE: f64 = 1.0;

/// The first two designs of a ranking by scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaders {
    /// The first, and the second.
    pub designs: [DesignId; 2],
    /// By how many points the first leads.
    pub lead: f64,
}

impl Leaders {
    /// Returns the first two designs of a ranking, or `None` if it has fewer with a score.
    pub fn of(ranking: &Ranking) -> Option<Self> {
        let [first, second, ..] = ranking.rankings.as_slice() else { return None };
        first.rank.zip(second.rank)?;
        let lead = first.adjusted_score? - second.adjusted_score?;
        Some(Self { designs: [first.design_id.clone(), second.design_id.clone()], lead })
    }

    /// Whether a comparison could change their order.
    pub fn are_close(&self) -> bool {
        self.lead < CLOSE
    }
}

/// What reviewers say about pairs that they compared on top of their scores.
pub(super) struct Verdicts {
    /// Ascending by reviewer and pair; only those that count.
    opinions: Vec<Opinion>,
}

impl Verdicts {
    /// Validates the comparisons of a study that is ranked by scores.
    pub(super) fn of(study: &Study) -> Result<Self, Problem> {
        if study.comparisons.is_empty() {
            return Ok(Self { opinions: Vec::new() });
        }
        Ok(Self { opinions: comparisons::Panel::of(study)?.opinions().to_vec() })
    }

    /// Returns the mean verdict on each pair of these designs, ascending, by the reviewers that the predicate keeps.
    pub(super) fn compared(&self, designs: &[usize], keep: impl Fn(usize) -> bool) -> Vec<Compared> {
        let kept = |one: &&Opinion| {
            keep(one.reviewer) && designs.contains(&one.pair.0) && designs.contains(&one.pair.1)
        };
        self.pairs()
            .into_iter()
            .filter_map(|pair| {
                let shares: Vec<f64> =
                    self.of_pair(pair).filter(kept).map(|one| 2.0 * one.share() - 1.0).collect();
                let reviewers = shares.len();
                let verdict = shares.iter().sum::<f64>() / reviewers as f64;
                (reviewers > 0).then_some(Compared { designs: [pair.0, pair.1], verdict, reviewers })
            })
            .collect()
    }

    /// Describes the comparisons; `before` and `after` are the adjusted scores without and with them.
    pub(super) fn described(
        &self,
        study: &Study,
        before: &[Option<f64>],
        after: &[Option<f64>],
    ) -> Vec<ClosePair> {
        let described = |(low, high): (usize, usize)| {
            let leads = before[low]? >= before[high]?;
            let [one, other] = if leads { [low, high] } else { [high, low] };
            let prefers = |design: usize| {
                let share = |one: &Opinion| if design == low { one.share() } else { 1.0 - one.share() };
                count(self.of_pair((low, high)).filter(|one| share(one) > 0.5).count())
            };
            let reviewers = count(self.of_pair((low, high)).count());
            let preferred = [prefers(one), prefers(other)];
            let lead = before[one]? - before[other]?;
            let lead_with_comparisons = after[one]? - after[other]?;
            let designs = [one, other].map(|design| study.designs[design].id.clone());
            let sentence = sentence(&designs, reviewers, preferred, lead, lead_with_comparisons);
            Some(ClosePair { designs, reviewers, preferred, lead, lead_with_comparisons, sentence })
        };
        self.pairs().into_iter().filter_map(described).collect()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs: Vec<(usize, usize)> = self.opinions.iter().map(|one| one.pair).collect();
        design_lab_numerics::sorting::sort(&mut pairs);
        pairs.dedup();
        pairs
    }

    fn of_pair(&self, pair: (usize, usize)) -> impl Iterator<Item = &Opinion> {
        self.opinions.iter().filter(move |one| one.pair == pair)
    }
}

fn sentence(
    [one, other]: &[DesignId; 2],
    reviewers: u32,
    [for_one, for_other]: [u32; 2],
    lead: f64,
    after: f64,
) -> String {
    let who = figures::count(reviewers.into(), "reviewer", "reviewers");
    let undecided = match reviewers - for_one - for_other {
        0 => String::new(),
        undecided => format!(", {undecided} undecided"),
    };
    let change = if after.abs() < 0.005 {
        "With the comparisons, the two are level".to_owned()
    } else if after < 0.0 {
        format!("The comparisons put {other} ahead, by {:.2} points", -after)
    } else if lead > 0.0 {
        format!("With the comparisons, {one} leads by {after:.2} points")
    } else {
        format!("The comparisons put {one} ahead, by {after:.2} points")
    };
    format!(
        "{who} compared {one} and {other}, which are {lead:.2} points apart by scores: {for_one} for {one}, \
         {for_other} for {other}{undecided}. {change}."
    )
}
