//! Which pairs a reviewer is shown in pairwise mode.

use super::code::RankingCode;
use crate::random::Random;
use kernel::problem::Problem;

/// Returns the pairs to judge, each in both orders, in a shuffled sequence: `(shown first, shown second)`, as indices
/// below `designs`.
///
/// Without a `budget` (in pairs, so half the number of verdicts), all pairs are drawn. With one, designs are placed in
/// a shuffled circle, and each meets its neighbours at distance 1, then 2, and so on until the budget is used up (a
/// cyclic design; David 1963, "The structure of cyclic paired-comparison designs", Journal of the Australian
/// Mathematical Society 3): after the first round every design is connected with every other, and at no time does a
/// design have more than two comparisons more than another.
///
/// Problem `ranking.small-budget`: there are too few pairs to connect all designs (`designs − 1`).
pub fn schedule(
    designs: usize,
    budget: Option<usize>,
    random: &mut Random,
) -> Result<Vec<(usize, usize)>, Problem> {
    let all = designs * designs.saturating_sub(1) / 2;
    let budget = budget.unwrap_or(all).min(all);
    let needed = designs.saturating_sub(1);
    if budget < needed {
        return Err(Problem::new(RankingCode::SmallBudget, "Too few pairs to connect all designs.")
            .found(budget.to_string())
            .allowed(format!("{needed} to {all}"))
            .next("Increase the number of pairs, or compare fewer designs."));
    }
    let mut circle: Vec<usize> = (0..designs).collect();
    random.shuffle(&mut circle);
    let mut pairs = Vec::with_capacity(budget);
    for distance in 1..=designs / 2 {
        // Opposite designs on an even circle meet once, not twice.
        let starts = if 2 * distance == designs { distance } else { designs };
        for start in 0..starts {
            if pairs.len() < budget {
                pairs.push((circle[start], circle[(start + distance) % designs]));
            }
        }
    }
    let mut shown: Vec<(usize, usize)> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    random.shuffle(&mut shown);
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_budget_connects_and_balances() {
        for designs in 2..=9usize {
            for budget in designs - 1..=designs * (designs - 1) / 2 {
                let shown = schedule(designs, Some(budget), &mut Random::new(3, "test")).unwrap();
                assert_eq!(shown.len(), 2 * budget);
                assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), 2 * budget, "no verdict twice");
                assert!(shown.iter().all(|&(a, b)| a != b && shown.contains(&(b, a))), "both orders");
                let degree = |design| shown.iter().filter(|pair| pair.0 == design).count();
                let degrees: Vec<usize> = (0..designs).map(degree).collect();
                let (least, most) = (degrees.iter().min().unwrap(), degrees.iter().max().unwrap());
                assert!(most - least <= 2, "{designs} designs, {budget} pairs: {degrees:?}");
                let mut reached = BTreeSet::from([0]);
                for _ in 0..designs {
                    reached.extend(
                        shown
                            .iter()
                            .filter(|pair| reached.contains(&pair.0))
                            .map(|pair| pair.1)
                            .collect::<Vec<_>>(),
                    );
                }
                assert_eq!(reached.len(), designs);
            }
        }
    }

    #[test]
    fn all_pairs_without_a_budget() {
        assert_eq!(schedule(5, None, &mut Random::new(3, "test")).unwrap().len(), 20);
        assert!(schedule(1, None, &mut Random::new(3, "test")).unwrap().is_empty());
        assert!(schedule(0, None, &mut Random::new(3, "test")).unwrap().is_empty());
        let problem = schedule(5, Some(3), &mut Random::new(3, "test")).unwrap_err();
        assert_eq!(problem.code, "ranking.small-budget");
    }
}
