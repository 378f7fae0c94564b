//! What new versions gained, or what a merged design is worth beside its sources.

use super::super::figures::{NONE, signed};
use super::super::markdown::{inline, table_of_numbers};
use crate::ranking::{Gain, Ranking};
use std::fmt::Write as _;

pub(super) fn write(out: &mut String, ranking: &Ranking) {
    if ranking.gains.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = ranking.gains.iter().map(row).collect();
    let columns = ["beside", "difference", "95 %", "chance of being better"].map(str::to_owned);
    let _ = writeln!(out, "## What was gained\n\n{}", table_of_numbers("Design", &columns, &rows));
    for gain in &ranking.gains {
        let _ = writeln!(out, "- {}", inline(&gain.sentence));
    }
    out.push_str(
        "\nThe difference of the two designs' true quality as far as the reviewers show it, in points of the adjusted score (in \
         pairwise mode in log-strength). More than noise means that the whole interval lies on one side of 0; each line is judged \
         by itself, so of twenty one may be noise all the same.\n\n",
    );
}

fn row(gain: &Gain) -> Vec<String> {
    let interval = gain.interval.map_or_else(
        || NONE.to_owned(),
        |[low, high]| format!("{} to {}", signed(Some(low)), signed(Some(high))),
    );
    let chance =
        gain.probability.map_or_else(|| NONE.to_owned(), |chance| format!("{:.0} %", chance * 100.0));
    vec![inline(&gain.design_id), inline(&gain.over), signed(gain.difference), interval, chance]
}
