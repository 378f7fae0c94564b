//! What new versions gained, or what a merged design is worth beside its sources.

use super::super::figures::{NONE, signed};
use super::super::piece::Piece;
use crate::ranking::{Gain, Ranking};

/// Each new design beside those it was made from; nothing where none was.
pub(in super::super) fn gains(ranking: &Ranking) -> Vec<Piece> {
    if ranking.gains.is_empty() {
        return Vec::new();
    }
    let headings = ["Design", "Beside", "Difference", "95 %", "Chance of being better"];
    vec![
        Piece::table(&headings, &[false, false, true, true, true], ranking.gains.iter().map(row).collect()),
        Piece::Text(
            "The difference of the two designs' true quality as far as the reviewers show it, in points of the adjusted score (in \
             pairwise mode in log-strength). More than noise means that the whole interval lies on one side of 0; each line is \
             judged by itself, so of twenty one may be noise all the same."
                .to_owned(),
        ),
    ]
}

fn row(gain: &Gain) -> Vec<String> {
    let interval = gain.interval.map_or_else(
        || NONE.to_owned(),
        |[low, high]| format!("{} to {}", signed(Some(low)), signed(Some(high))),
    );
    let chance =
        gain.probability.map_or_else(|| NONE.to_owned(), |chance| format!("{:.0} %", chance * 100.0));
    vec![gain.design_id.clone(), gain.over.clone(), signed(gain.difference), interval, chance]
}
