//! How alike two reviewers' verdicts are, compared with those of independent reviewers who see the same strengths.

use super::contests::Opinion;
use super::model::SHARED_ERROR;
use super::pairwise::{Contest, Strengths};

/// The variance of a verdict on two equal designs without ties, which is the largest: the unit in which differences are measured.
const EVEN: f64 = 0.25;

/// Reviewers that gave the same verdicts throughout are one opinion if independent ones would coincide with a lower chance. In
/// simulation, this finds nine of ten copies on five designs and none on three, and joins at most 0.8% of the pairs of reviewers
/// that are none.
const COINCIDENCE: f64 = 0.05;

/// The opinions of some reviewers, and how they would vary by chance.
pub(super) struct Alike<'a> {
    designs: usize,
    /// By reviewer, each by pair, ascending.
    opinions: Vec<Vec<Known<'a>>>,
}

/// One opinion.
struct Known<'a> {
    opinion: &'a Opinion,
    /// The fit's indices of the two designs.
    pair: (usize, usize),
    share: f64,
    square: f64,
    /// The variance of a verdict on this pair.
    variance: f64,
    /// The chance that two independent verdicts on this pair are the same.
    coincidence: f64,
}

impl<'a> Alike<'a> {
    /// Takes opinions ascending by reviewer and pair, the strengths that they lead to, and the fit's index of each design.
    /// Reviewers are those with an opinion, by their position among them.
    pub(super) fn of(opinions: &'a [Opinion], fit: &Strengths, index: &dyn Fn(usize) -> usize) -> Self {
        let known = |opinion: &'a Opinion| {
            let pair = (index(opinion.pair.0), index(opinion.pair.1));
            let contest = Contest {
                first: pair.0,
                second: pair.1,
                first_wins: 0.0,
                second_wins: 0.0,
                ties: 0.0,
                ordered: false,
            };
            Known {
                opinion,
                pair,
                share: opinion.share(),
                square: opinion.square(),
                variance: fit.variance(&contest),
                coincidence: fit.chances(&contest).iter().map(|chance| chance * chance).sum(),
            }
        };
        let by_reviewer = opinions.chunk_by(|one, other| one.reviewer == other.reviewer);
        let opinions = by_reviewer.map(|of_one| of_one.iter().map(known).collect()).collect();
        Self { designs: fit.logs.len(), opinions }
    }

    /// Returns half the square of the difference of two reviewers' verdicts, summed over the pairs that both judged, and
    /// what it would be for reviewers whose errors are shared as usual; both in units of a verdict on equal designs.
    ///
    /// Where one design is far ahead, independent reviewers agree as well, and such pairs count for little. Verdicts on n
    /// designs depend on one another: they count as n − 1, however many pairs there are.
    pub(super) fn apart(&self, one: usize, other: usize) -> (f64, f64) {
        let (mut squares, mut usual, mut pairs) = (0.0, 0.0, 0.0);
        let mut compared = vec![false; self.designs];
        let theirs = &self.opinions[other];
        for mine in &self.opinions[one] {
            let Ok(at) = theirs.binary_search_by(|theirs| theirs.pair.cmp(&mine.pair)) else { continue };
            squares += 0.5 * (mine.square + theirs[at].square) - mine.share * theirs[at].share;
            usual += mine.variance;
            pairs += 1.0;
            (compared[mine.pair.0], compared[mine.pair.1]) = (true, true);
        }
        let designs = compared.iter().filter(|compared| **compared).count();
        if designs == 0 {
            return (0.0, 0.0);
        }
        let freedom = ((designs as f64 - 1.0) / pairs).min(1.0);
        (freedom * squares / (EVEN * (1.0 - SHARED_ERROR)), freedom * usual / EVEN)
    }

    /// Whether two reviewers gave the same verdicts throughout, and chance doesn't explain it.
    pub(super) fn coincide(&self, one: usize, other: usize) -> bool {
        let (mine, theirs) = (&self.opinions[one], &self.opinions[other]);
        let same = mine.len() == theirs.len()
            && mine
                .iter()
                .zip(theirs)
                .all(|(a, b)| (a.pair, &a.opinion.sittings) == (b.pair, &b.opinion.sittings));
        same && mine.iter().map(|known| known.coincidence).product::<f64>() < COINCIDENCE
    }
}
