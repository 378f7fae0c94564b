//! The decision map: what all designs agree on, where they contradict each other, and what only one has. Its sentences are a model's;
//! the passages under them were found in the designs.

use crate::design_lab::artefacts::{DecisionMap, MapQuote, StoredMap};
use crate::design_lab::report::markdown::{inline, one_line};
use crate::shared::figures::count;
use std::fmt::Write as _;

/// Writes the section.
pub(super) fn write(out: &mut String, stored: &StoredMap) {
    let DecisionMap { agreements, contradictions, only_one, .. } = stored.map.only_checked();
    let _ = writeln!(out, "## Decision map\n\n{}\n", inline(&source(stored)));
    if !agreements.is_empty() {
        out.push_str("### All designs agree\n\n");
        for agreement in &agreements {
            let _ = writeln!(out, "- {}", inline(&agreement.statement));
            quotes(out, "  ", &agreement.quotes);
        }
        out.push('\n');
    }
    if !contradictions.is_empty() {
        out.push_str("### Designs contradict each other\n\n");
        for contradiction in &contradictions {
            let _ = writeln!(out, "- **{}**", inline(&contradiction.question));
            for position in &contradiction.positions {
                let _ = writeln!(out, "  - {}", inline(&position.position));
                quotes(out, "    ", &position.quotes);
            }
            if !contradiction.tradeoff.is_empty() {
                let _ = writeln!(out, "  - Trade-off: {}", inline(&contradiction.tradeoff));
            }
        }
        out.push('\n');
    }
    if !only_one.is_empty() {
        out.push_str("### Only one design has it\n\n");
        for one in &only_one {
            let _ = writeln!(out, "- {}: {}", inline(one.quote.design_id.as_str()), inline(&one.statement));
            let _ = writeln!(out, "  - “{}”", inline(&one_line(&one.quote.quote)));
        }
        out.push('\n');
    }
    if let Some(left_out) = left_out(&stored.map) {
        let _ = writeln!(out, "{}\n", inline(&left_out));
    }
}

fn quotes(out: &mut String, indent: &str, quotes: &[MapQuote]) {
    for MapQuote { design_id, quote, .. } in quotes {
        let _ = writeln!(out, "{indent}- {}: “{}”", inline(design_id.as_str()), inline(&one_line(quote)));
    }
}

/// Returns who says what in a map.
pub(in super::super) fn source(stored: &StoredMap) -> String {
    format!(
        "According to {}, which read the designs blind. Code found each quote in the design that it is \
         attributed to; the sentences are the model's own.",
        stored.model
    )
}

/// Returns what the report leaves out of a map; `None` when it shows all of it.
pub(in super::super) fn left_out(map: &DecisionMap) -> Option<String> {
    let points = |number: usize| count(number as u64, "point", "points");
    let missing = match map.unchecked() {
        0 => None,
        number => Some(format!(
            "{} left out, because a quote was not found in its design, or is in others, too. map.json has all.",
            points(number)
        )),
    };
    let unread = match map.unread {
        0 => None,
        number => Some(format!("{} could not be read.", points(number as usize))),
    };
    let all: Vec<String> = missing.into_iter().chain(unread).collect();
    (!all.is_empty()).then(|| all.join(" "))
}
