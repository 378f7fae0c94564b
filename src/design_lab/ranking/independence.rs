//! How independent a panel's reviewers are: what their names reveal, and how similar their errors are.

use super::agreement;
use super::alike::Alike;
use super::descriptive::TIE;
use super::lineage;
use super::model::SHARED_ERROR;
use super::study::ReviewerFacts;
use super::table::Matrix;
use design_lab_numerics::sorting::ascending;

/// The similarity of two reviewers is shrunken towards the usual level as if this many more designs had been scored.
const CAUTION: f64 = 12.0;

/// The usual variance of one reviewer's error, in squared points (of verdicts, in its own unit): reviewers that differ
/// by that much, or more, aren't similar.
const USUAL: f64 = 1.0;

/// How far the errors of a panel's reviewers correlate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Independence {
    /// The correlation of two reviewers' errors, the mean over all pairs.
    pub correlation: f64,
    /// The equivalent number of independent reviewers.
    pub votes: f64,
}

/// Returns the independence of the reviewers with a score in the matrix, or `None` if it has no scores.
///
/// The correlation of a pair is [`SHARED_ERROR`], unless the names show a common lineage or their scores are closer
/// together than independent errors would leave them. Points are compared, not orders: with the mean square `q` of the
/// difference of two reviewers' scores, each centred, over twice the usual variance, and `f` degrees of freedom, `1 −
/// ρ` shrinks by `(CAUTION + f·q) / (CAUTION + f)`, once for the pair and once for the panel as a whole; the stronger
/// effect counts.
///
/// Votes are counted in two ways, and the smaller number is used: by the mean correlation, and by the directions in
/// which the scores depart from one another (never more than the number of different models), discounted by the error
/// that mixed panels share. Both are also computed with every copy left out, so that a copy never adds to them.
pub fn independence(matrix: &Matrix, reviewers: &[ReviewerFacts]) -> Option<Independence> {
    let active: Vec<usize> =
        (0..matrix.reviewers()).filter(|&reviewer| !matrix.of_reviewer(reviewer).is_empty()).collect();
    let same = |one: usize, other: usize| {
        (0..matrix.designs()).all(|design| match (matrix.get(design, one), matrix.get(design, other)) {
            (Some(a), Some(b)) => (a - b).abs() <= TIE,
            (a, b) => a == b,
        })
    };
    Panel {
        reviewers: &reviewers.iter().collect::<Vec<_>>(),
        apart: &|one, other| apart(matrix, one, other),
        directions: &|active| agreement::visible_votes(matrix, active),
    }
    .independence(&active, &same)
}

/// Returns the same for reviewers that compared pairs, all of whom took part. The strengths that all verdicts lead to
/// show how often independent reviewers would agree. Reviewers count as copies if they gave the same verdicts throughout
/// and chance doesn't explain it.
pub(super) fn of_verdicts(reviewers: &[&ReviewerFacts], verdicts: &Alike<'_>) -> Option<Independence> {
    let active: Vec<usize> = (0..reviewers.len()).collect();
    Panel {
        reviewers,
        apart: &|one, other| verdicts.apart(one, other),
        directions: &|active| active.len() as f64,
    }
    .independence(&active, &|one, other| verdicts.coincide(one, other))
}

/// What is known about some reviewers.
struct Panel<'a> {
    reviewers: &'a [&'a ReviewerFacts],
    /// How far apart two reviewers are, as squares in units of the usual variance, and the degrees of freedom of that.
    apart: &'a dyn Fn(usize, usize) -> (f64, f64),
    /// The number of directions in which the given reviewers depart from one another.
    directions: &'a dyn Fn(&[usize]) -> f64,
}

impl Panel<'_> {
    /// Returns the independence of the `active` reviewers, of which some may be the `same`.
    fn independence(&self, active: &[usize], same: &dyn Fn(usize, usize) -> bool) -> Option<Independence> {
        let mut voices: Vec<Vec<usize>> = Vec::new();
        for &reviewer in active {
            match voices.iter_mut().find(|voice| same(voice[0], reviewer)) {
                Some(voice) => voice.push(reviewer),
                None => voices.push(vec![reviewer]),
            }
        }
        let single = |&reviewer: &usize| vec![reviewer];
        let all = self.measured(&active.iter().map(single).collect::<Vec<_>>())?;
        let votes = self.measured(&voices)?.votes;
        Some(Independence { votes: all.votes.min(votes), ..all })
    }

    /// Returns the independence of voices, each of one reviewer or of several that gave the same answers; two voices are as
    /// close by name as their closest members, so that it doesn't matter which of several equal reviewers is listed first.
    fn measured(&self, voices: &[Vec<usize>]) -> Option<Independence> {
        let active: Vec<usize> = voices.iter().map(|voice| voice[0]).collect();
        let facts: Vec<&ReviewerFacts> =
            voices.iter().flatten().map(|&reviewer| self.reviewers[reviewer]).collect();
        if active.len() < 2 {
            return (active.len() == 1).then_some(Independence { correlation: SHARED_ERROR, votes: 1.0 });
        }
        let mut pairs = Vec::new();
        for (index, voice) in voices.iter().enumerate() {
            for other in &voices[..index] {
                let of_pair = |&one: &usize| {
                    let others = other.iter();
                    others.map(move |&two| lineage::correlation(self.reviewers[one], self.reviewers[two]))
                };
                let named = voice.iter().flat_map(of_pair).fold(SHARED_ERROR, f64::max);
                pairs.push((named, (self.apart)(voice[0], other[0])));
            }
        }
        let squares = sorted_sum(&pairs.iter().map(|(_, (squares, _))| *squares).collect::<Vec<_>>());
        let freedom = sorted_sum(&pairs.iter().map(|(_, (_, freedom))| *freedom).collect::<Vec<_>>());
        let reviewers = active.len() as f64;
        let mean_square = if freedom > 0.0 { squares / freedom } else { USUAL };
        let usual = mean_square.max(USUAL);
        let shrunken = |squares: f64, freedom: f64| (CAUTION + squares / usual) / (CAUTION + freedom);
        // Pairs aren't independent of one another: m reviewers have m − 1 differences.
        let all = freedom * 2.0 / reviewers;
        let panel = shrunken(mean_square * all, all);
        let correlations: Vec<f64> = pairs
            .iter()
            .map(|&(named, (squares, freedom))| {
                let alike = 1.0 - (1.0 - SHARED_ERROR) * shrunken(squares, freedom).min(panel).min(1.0);
                named.max(alike)
            })
            .collect();
        let correlation = sorted_sum(&correlations) / pairs.len() as f64;
        let directions = (self.directions)(&active).min(lineage::models(&facts) as f64);
        let votes = discounted(directions, SHARED_ERROR).min(discounted(reviewers, correlation));
        Some(Independence { correlation, votes })
    }
}

/// Returns the equivalent number of independent voices for voices whose errors correlate (Kish 1965, "Survey sampling",
/// §5.4).
fn discounted(voices: f64, correlation: f64) -> f64 {
    voices / (1.0 + (voices - 1.0) * correlation)
}

/// Returns half the sum of squares of two reviewers' differences, less their mean, over the designs that both scored,
/// with its degrees of freedom.
fn apart(matrix: &Matrix, one: usize, other: usize) -> (f64, f64) {
    let differences: Vec<f64> = (0..matrix.designs())
        .filter_map(|design| Some(matrix.get(design, one)? - matrix.get(design, other)?))
        .collect();
    // Sorted, so that the order of the designs doesn't change any bit of a sum.
    let differences = ascending(&differences);
    let Some(freedom) = differences.len().checked_sub(1) else { return (0.0, 0.0) };
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let squares: f64 = differences.iter().map(|value| (value - mean) * (value - mean)).sum();
    (0.5 * squares, freedom as f64)
}

/// Returns a sum whose bits don't depend on the order of its terms.
fn sorted_sum(values: &[f64]) -> f64 {
    ascending(values).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::ids::ReviewerId;

    fn of(rows: &[&[f64]], names: &[&str]) -> Independence {
        let rows: Vec<Vec<Option<f64>>> =
            rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        let reviewers: Vec<ReviewerFacts> = names
            .iter()
            .map(|name| ReviewerFacts { id: ReviewerId::new(*name), model: Some((*name).to_owned()) })
            .collect();
        independence(&Matrix::of_rows(&rows), &reviewers).unwrap()
    }

    #[test]
    fn strangers_who_differ_are_as_independent_as_models_are() {
        let found =
            of(&[&[9.0, 5.0, 7.0], &[4.0, 8.0, 6.0], &[7.0, 3.0, 2.0]], &["gpt-5", "claude-4", "gemini-3"]);
        assert!((SHARED_ERROR..0.3).contains(&found.correlation), "{found:?}");
        assert!(found.votes > 1.8 && found.votes <= 2.0, "{found:?}");
    }

    #[test]
    fn one_lineage_is_nearly_one() {
        let rows: [&[f64]; 3] = [&[9.0, 5.0], &[4.0, 8.0], &[7.0, 3.0]];
        assert_eq!(of(&rows, &["gpt-5:a", "gpt-5:b"]), Independence { correlation: 0.75, votes: 1.0 });
        let vendor = of(&rows, &["gpt-5", "gpt-4o"]);
        assert!((vendor.correlation - 0.4).abs() < 1e-12 && (vendor.votes - 2.0 / 1.4).abs() < 1e-12);
    }

    #[test]
    fn likeness_shows_where_names_do_not() {
        let copies: Vec<[f64; 10]> = [9.0, 6.0, 5.0].iter().map(|score| [*score; 10]).collect();
        let rows: Vec<&[f64]> = copies.iter().map(<[f64; 10]>::as_slice).collect();
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "k"];
        let found = of(&rows, &names);
        assert!(found.correlation > 0.6, "{found:?}");
        assert!((found.votes - 1.0).abs() < 1e-12);
        // Two of three agree exactly, the third doesn't: more similar than strangers, less similar than copies.
        let found = of(&[&[9.0, 9.0, 6.0], &[4.0, 4.0, 8.0], &[7.0, 7.0, 2.0]], &names[..3]);
        assert!(found.correlation > SHARED_ERROR && found.correlation < 0.3, "{found:?}");
    }
}
