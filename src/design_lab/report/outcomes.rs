//! How designs turned out, in sentences.

use super::overview::Overview;
use crate::design_lab::artefacts::{DatedOutcome, DesignOutcome};
use crate::shared::reader::Reader;
use kernel::clock;

/// What the report says next to outcomes.
pub(super) fn outcomes_aside(run: &Overview<'_>) -> &'static str {
    if run.outcomes.iter().any(|one| one.elsewhere) {
        "People recorded these outcomes. They don't change the ranking."
    } else {
        "You recorded these outcomes. They don't change the ranking."
    }
}

/// Returns a sentence for each outcome, in the order in which they were recorded. A model doesn't read the remarks.
pub(super) fn outcomes(run: &Overview<'_>, reader: Reader) -> Vec<String> {
    let sentence = |DatedOutcome { at, outcome, elsewhere }: &DatedOutcome| {
        let DesignOutcome { design, turned_out, remark } = outcome;
        let day = clock::day(*at);
        let place = if *elsewhere { " on another machine" } else { "" };
        let remark = match reader {
            Reader::Person if !remark.is_empty() => format!(": \u{201c}{remark}\u{201d}"),
            _ => ".".to_owned(),
        };
        format!("{design} {} (recorded{place} on {day}){remark}", turned_out.predicate())
    };
    run.outcomes.iter().map(sentence).collect()
}
