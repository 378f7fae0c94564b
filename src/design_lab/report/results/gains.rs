//! What new versions gained, or how a merged design compares with its sources.

use super::super::piece::Piece;
use crate::design_lab::ranking::{Gain, Ranking};
use crate::shared::figures::{NONE, signed};

/// Compares each new design with those it was made from; empty if there is none.
pub(in super::super) fn gains(ranking: &Ranking) -> Vec<Piece> {
    if ranking.gains.is_empty() {
        return Vec::new();
    }
    let headings = ["Design", "Compared with", "Difference", "95%", "Chance of being better"];
    let mut pieces = vec![
        Piece::table(&headings, &[false, false, true, true, true], ranking.gains.iter().map(row).collect()),
        Piece::Text(
            "The difference in true quality of the two designs, as far as the reviewers show it, in points \
             of the adjusted score (in pairwise mode in log-strength). More than noise means that the whole \
             interval lies on one side of 0. Each line is judged by itself, so one in twenty may still be \
             noise."
                .to_owned(),
        ),
    ];
    pieces.extend(gains_aside(ranking).map(Piece::Text));
    pieces
}

/// The deviation in points from which a gain visibly differs from the difference in the ranking's table.
const APART: f64 = 0.05;

/// Explains why gains differ from the differences in the ranking's table; `None` when they agree.
pub(in super::super) fn gains_aside(ranking: &Ranking) -> Option<String> {
    let row = |id: &str| ranking.rankings.iter().find(|row| row.design_id == id);
    let apart: Vec<String> = ranking
        .gains
        .iter()
        .filter_map(|gain| {
            let (new, old) = (row(&gain.design_id)?, row(&gain.over)?);
            let adjusted = new.adjusted_score? - old.adjusted_score?;
            let plain = new.average_score? - old.average_score?;
            let gain_is = gain.difference?;
            let differs = (gain_is - adjusted).abs() >= APART || (gain_is - plain).abs() >= APART;
            differs.then(|| {
                let [adjusted, plain] = [adjusted, plain].map(|value| signed(Some(value)));
                format!(
                    "{} compared with {}: {adjusted} by adjusted score, {plain} by mean",
                    gain.design_id, gain.over
                )
            })
        })
        .collect();
    (!apart.is_empty()).then(|| {
        format!(
            "The ranking table shows other differences ({}), because it doesn't reduce a difference that \
             other reviewers like these might not confirm.",
            apart.join("; ")
        )
    })
}

fn row(gain: &Gain) -> Vec<String> {
    let interval = gain.interval.map_or_else(
        || NONE.to_owned(),
        |[low, high]| format!("{} to {}", signed(Some(low)), signed(Some(high))),
    );
    let chance = gain.probability.map_or_else(|| NONE.to_owned(), |chance| format!("{:.0}%", chance * 100.0));
    vec![gain.design_id.to_string(), gain.over.to_string(), signed(gain.difference), interval, chance]
}
