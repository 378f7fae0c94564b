//! What would change the result: other methods of counting, and other panels.

use super::super::piece::Piece;
use crate::design_lab::ranking::{Ranking, VerdictKind};
use std::collections::BTreeMap;

/// The method that determines a ranking by scores.
const USED: &str = "adjusted score";

/// Returns which methods of counting, and which panels, lead to which order.
pub(in super::super) fn change(ranking: &Ranking) -> Vec<Piece> {
    let first = ranking.rankings.first().filter(|row| row.rank == Some(1)).map(|row| row.design_id.as_str());
    let orders = &ranking.sensitivity.orders;
    let pairs = ranking.pairwise.is_some();
    let methods = [
        ("adjusted score", &orders.adjusted),
        ("mean", &orders.mean),
        ("median", &orders.median),
        (if pairs { "share of comparisons won" } else { "Borda count" }, &orders.borda),
        ("Copeland count", &orders.copeland),
        (
            if pairs { "Bradley–Terry, a tie half a win" } else { "Bradley–Terry model" },
            &orders.bradley_terry,
        ),
    ];
    let mut rows = Vec::new();
    // For each design that would come first: the conditions under which it would.
    let mut changes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut note = |label: String, condition: String, order: &[String]| {
        let Some(other) = order.first() else { return };
        if first.is_some_and(|first| other != first) {
            changes.entry(other.clone()).or_default().push(condition);
        }
        rows.push(vec![label, order.join(" › ")]);
    };
    for (method, order) in methods {
        let label = if method == USED { format!("{method} (used)") } else { method.to_owned() };
        note(label, format!("by {method}"), order);
    }
    for (reviewer, order) in &ranking.sensitivity.leave_one_out {
        let label = format!("without {reviewer}");
        note(label.clone(), label, order);
    }
    let added = ranking.additions.iter().map(|addition| Piece::Text(addition.sentences.join(" ")));
    let mut pieces: Vec<Piece> = added.collect();
    if rows.is_empty() {
        return pieces;
    }
    let lead = if ranking.verdict.kind == VerdictKind::Insufficient {
        Piece::Text(
            "Another reviewer could change anything here: the rows below only count the same few scores in \
             other ways."
                .to_owned(),
        )
    } else if changes.is_empty() && ranking.verdict.kind == VerdictKind::Clear {
        Piece::Text(format!(
            "Nothing that was tried: {} comes first however the scores are combined and whichever reviewer \
             is left out.",
            first.unwrap_or_default()
        ))
    } else if changes.is_empty() {
        Piece::Text(
            "Every row below begins with the same design, but it may share the first place: tied designs are \
             listed in the order of the ranking."
                .to_owned(),
        )
    } else {
        let would = |(design, conditions): (&String, &Vec<String>)| {
            format!("{design} would come first {}", either(conditions))
        };
        Piece::List(changes.iter().map(would).collect())
    };
    let reading = if pairs {
        "The ranking itself is by strength, which treats a tie as an outcome of its own. Copeland: \
         majorities won, pair by pair. “Without” leaves one reviewer's verdicts out and counts as before."
    } else {
        "Borda: the share of other designs that reviewers rank below, averaged over reviewers. Copeland: \
         majorities won, pair by pair. Bradley–Terry: strength from wins, pair by pair. “Without” leaves one \
         reviewer's scores out and counts as before."
    };
    pieces.extend([
        lead,
        Piece::table(&["Way of counting", "Order"], &[false, false], rows),
        Piece::Text(reading.to_owned()),
    ]);
    pieces
}

/// Joins conditions: `a`, `a or b`, `a, b or c`.
fn either(conditions: &[String]) -> String {
    match conditions {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
