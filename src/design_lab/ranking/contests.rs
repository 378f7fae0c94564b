//! Verdicts as contests: one for each reviewer and pair, however often it was asked.
//!
//! Repeats are averaged, as those of scores are: giving the same answers again makes a reviewer's opinion no stronger, and an
//! answer that changes makes it weaker.

use super::table::Judged;
use crate::design_lab::artefacts::Preferred;
use design_lab_numerics::pairwise::Contest;
use design_lab_numerics::sorting::by_key;

/// What one reviewer thinks of one pair, over all repeats.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opinion {
    pub(super) reviewer: usize,
    /// The two designs, the lower index first.
    pub(super) pair: (usize, usize),
    /// Up to three contests, which together count as one verdict: of the repeats that were judged in both orders, and of those
    /// in either one.
    pub(super) contests: Vec<Contest>,
    /// The verdicts behind it, in the order of the repeats.
    pub(super) sittings: Vec<Sitting>,
}

/// One repeat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sitting {
    /// The verdict with the design of the lower index shown first, and with the other one shown first.
    pub(super) verdicts: [Option<Preferred>; 2],
    /// 1 for the design of the lower index, ½ for a tie, 0 for the other; a win and a tie are ¾.
    pub(super) share: f64,
    /// If both orders were judged: whether the verdict changed with the order, and if so, which place it followed.
    pub(super) turned: Option<Turn>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Not,
    TowardsFirst,
    TowardsSecond,
}

impl Opinion {
    /// Whether it is about this design.
    pub(super) fn involves(&self, design: usize) -> bool {
        self.pair.0 == design || self.pair.1 == design
    }

    /// Which place the verdicts that changed with the order followed more often: 1 for the first, −1 for the second.
    pub(super) fn turn(&self) -> i32 {
        let direction = |sitting: &Sitting| match sitting.turned {
            Some(Turn::TowardsFirst) => 1,
            Some(Turn::TowardsSecond) => -1,
            _ => 0,
        };
        self.sittings.iter().map(direction).sum::<i32>().signum()
    }

    /// The contests as they were shown: up to one for each order, averaged over all repeats.
    pub(super) fn in_single_orders(&self) -> impl Iterator<Item = Contest> {
        let (low, high) = self.pair;
        let orders = [(0, low, high), (1, high, low)];
        orders.into_iter().filter_map(|(order, first, second)| {
            let share = |wanted| {
                let given = self.sittings.iter().filter(|one| one.verdicts[order] == Some(wanted)).count();
                given as f64 / self.sittings.len() as f64
            };
            let [first_wins, second_wins, ties] =
                [Preferred::First, Preferred::Second, Preferred::Tie].map(share);
            let contest = Contest { first, second, first_wins, second_wins, ties, ordered: true };
            (first_wins + second_wins + ties > 0.0).then_some(contest)
        })
    }

    /// The mean of the sittings' shares.
    pub(super) fn share(&self) -> f64 {
        self.sittings.iter().map(|sitting| sitting.share).sum::<f64>() / self.sittings.len() as f64
    }

    /// The mean of the squares of the sittings' shares.
    pub(super) fn square(&self) -> f64 {
        let squares = self.sittings.iter().map(|sitting| sitting.share * sitting.share);
        squares.sum::<f64>() / self.sittings.len() as f64
    }
}

/// Combines verdicts by reviewer and pair. Both orders of a repeat make one verdict: the same design twice is a win, a changed
/// verdict is a tie, a win and a tie are half of each. A verdict in one order alone is kept, with the effect of order in its
/// odds. Then the repeats are averaged.
pub(super) fn opinions(judged: &[Judged]) -> Vec<Opinion> {
    let keys: Vec<[usize; 4]> = judged
        .iter()
        .map(|judged| {
            let (low, high) = (judged.first.min(judged.second), judged.first.max(judged.second));
            [judged.reviewer, low, high, judged.repeat as usize]
        })
        .collect();
    let order = by_key(&keys);
    let of_pair = order.chunk_by(|&a, &b| keys[a][..3] == keys[b][..3]);
    of_pair
        .map(|indices| {
            let [reviewer, low, high, _] = keys[indices[0]];
            let repeats = indices.chunk_by(|&a, &b| keys[a] == keys[b]);
            let sittings: Vec<Sitting> = repeats
                .map(|indices| {
                    let in_order = |first: usize| {
                        let mut verdicts = indices.iter().map(|&index| judged[index]);
                        verdicts.find(|judged| judged.first == first).map(|judged| judged.verdict)
                    };
                    Sitting::of([in_order(low), in_order(high)])
                })
                .collect();
            Opinion { reviewer, pair: (low, high), contests: contests((low, high), &sittings), sittings }
        })
        .collect()
}

/// Whether two reviewers, each with its opinions ascending by pair, gave the same verdicts throughout.
pub(super) fn same_verdicts(one: &[Opinion], other: &[Opinion]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(a, b)| (a.pair, &a.sittings) == (b.pair, &b.sittings))
}

/// Averages a reviewer's sittings on one pair.
fn contests((low, high): (usize, usize), sittings: &[Sitting]) -> Vec<Contest> {
    let in_orders = |low_first: bool, high_first: bool| {
        let of_kind = sittings.iter().filter(move |sitting| {
            sitting.verdicts.map(|verdict| verdict.is_some()) == [low_first, high_first]
        });
        let (first, second) = if low_first { (low, high) } else { (high, low) };
        // Summed before divided, so that the same answers again give the same bits.
        let mut sums = [0.0; 3];
        for sitting in of_kind {
            for (sum, part) in sums.iter_mut().zip(sitting.outcome()) {
                *sum += part;
            }
        }
        let [low_wins, high_wins, ties] = sums.map(|sum| sum / sittings.len() as f64);
        let (first_wins, second_wins) = if low_first { (low_wins, high_wins) } else { (high_wins, low_wins) };
        Contest { first, second, first_wins, second_wins, ties, ordered: !(low_first && high_first) }
    };
    let contests = [in_orders(true, true), in_orders(true, false), in_orders(false, true)];
    contests.into_iter().filter(|one| one.first_wins + one.second_wins + one.ties > 0.0).collect()
}

impl Sitting {
    fn of(verdicts: [Option<Preferred>; 2]) -> Self {
        let turned = match verdicts {
            [Some(Preferred::First), Some(Preferred::First)] => Some(Turn::TowardsFirst),
            [Some(Preferred::Second), Some(Preferred::Second)] => Some(Turn::TowardsSecond),
            [Some(_), Some(_)] => Some(Turn::Not),
            _ => None,
        };
        let mut sitting = Self { verdicts, share: 0.5, turned };
        let [low_wins, _, ties] = sitting.outcome();
        sitting.share = low_wins + 0.5 * ties;
        sitting
    }

    /// How far the design of the lower index won, the other won, and neither did; in all 1.
    fn outcome(&self) -> [f64; 3] {
        let wins = |low: Preferred, high: Preferred| {
            let orders = [(self.verdicts[0], low), (self.verdicts[1], high)];
            let given = orders.iter().filter(|(verdict, _)| verdict.is_some()).count();
            let won = orders.iter().filter(|(verdict, wanted)| *verdict == Some(*wanted)).count();
            won as f64 / given.max(1) as f64
        };
        if matches!(self.turned, Some(Turn::TowardsFirst | Turn::TowardsSecond)) {
            return [0.0, 0.0, 1.0];
        }
        let (low, high) =
            (wins(Preferred::First, Preferred::Second), wins(Preferred::Second, Preferred::First));
        [low, high, 1.0 - low - high]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(repeat: u32, (first, second): (usize, usize), verdict: Preferred) -> Judged {
        Judged { reviewer: 0, repeat, first, second, verdict }
    }

    fn only(judged: &[Judged]) -> Opinion {
        let [opinion] = <[Opinion; 1]>::try_from(opinions(judged)).expect("one reviewer and one pair");
        opinion
    }

    #[test]
    fn both_orders_make_one_verdict_and_repeats_one_opinion() {
        use Preferred::{First, Second, Tie};
        let both = |repeat, low_first, high_first| {
            [judged(repeat, (2, 5), low_first), judged(repeat, (5, 2), high_first)]
        };
        let cases = [
            ("a win", both(1, First, Second).to_vec(), [1.0, 0.0, 0.0]),
            ("a turn", both(1, First, First).to_vec(), [0.0, 0.0, 1.0]),
            ("a win and a tie", both(1, First, Tie).to_vec(), [0.5, 0.0, 0.5]),
            ("twice the same", [both(1, Second, First), both(2, Second, First)].concat(), [0.0, 1.0, 0.0]),
            ("a win and a loss", [both(1, First, Second), both(2, Second, First)].concat(), [0.5, 0.5, 0.0]),
        ];
        for (name, judged, expected) in cases {
            let Contest { first, second, first_wins, second_wins, ties, ordered } = only(&judged).contests[0];
            assert_eq!(
                ([first_wins, second_wins, ties], (first, second), ordered),
                (expected, (2, 5), false),
                "{name}"
            );
        }
    }

    #[test]
    fn repeats_in_one_order_are_kept_apart_and_count_as_one_verdict_together() {
        use Preferred::{First, Second};
        let opinion = only(&[
            judged(1, (0, 1), First),
            judged(1, (1, 0), Second),
            judged(2, (1, 0), Second),
            judged(3, (0, 1), Second),
        ]);
        let parts: Vec<_> = opinion
            .contests
            .iter()
            .map(|one| (one.first, one.ordered, 3.0 * one.first_wins, 3.0 * one.second_wins))
            .collect();
        assert_eq!(parts, [(0, false, 1.0, 0.0), (0, true, 0.0, 1.0), (1, true, 0.0, 1.0)]);
        assert!((opinion.share() - 2.0 / 3.0).abs() < 1e-12 && (opinion.square() - 2.0 / 3.0).abs() < 1e-12);
        let turns: Vec<_> = opinion.sittings.iter().map(|sitting| sitting.turned).collect();
        assert_eq!(turns, [Some(Turn::Not), None, None]);
    }
}
