//! The summary of a step in GitHub's Markdown: what passed, as a table, and what differs.

use super::{Difference, Kind, Outcome, Results, Row, sentence, unlinked};
use crate::shared::capped::capped;
use crate::shared::markdown::inline;
use kernel::problem::Problem;
use std::fmt::Write as _;

/// The largest table, in bytes: GitHub refuses a summary of more than 1 MiB.
const TABLE: usize = 900_000;
/// The most text in a cell, in characters.
const CELL: usize = 400;
/// How many differences are listed.
const MOST: usize = 50;

pub(super) fn text(results: &Results) -> String {
    let mut out = format!("## {}\n", cell(&results.heading()));
    if !results.differences.is_empty() {
        let _ = writeln!(out, "\n**The verification failed.**\n");
        for Difference { problem, .. } in results.differences.iter().take(MOST) {
            let _ = writeln!(out, "- {}", difference(problem));
        }
        if results.differences.len() > MOST {
            let _ = writeln!(out, "- and {} more", results.differences.len() - MOST);
        }
    }
    if !results.rows.is_empty() {
        let _ = writeln!(out, "\n{}\n\n{}", sentence(&results.rows), table(&results.rows, TABLE));
    }
    let facts: Vec<_> = results.facts.iter().filter(|(_, text)| !text.is_empty()).collect();
    if !facts.is_empty() {
        out.push('\n');
        for (name, text) in facts {
            let _ = writeln!(out, "- {name}: {}", cell(text));
        }
    }
    out
}

fn difference(problem: &Problem) -> String {
    let mut out = format!("{}: {}", cell(problem.code.as_str()), cell(&problem.message));
    for (name, said) in [("found", &problem.found), ("allowed", &problem.allowed)] {
        if let Some(said) = said {
            let _ = write!(out, " {name}: {}.", cell(said).trim_end_matches('.'));
        }
    }
    if let Some(next) = &problem.next {
        let _ = write!(out, " {}", cell(next));
    }
    out
}

/// Criteria and checks as a table of at most about `room` bytes: what failed comes first, and rows that don't fit are counted.
pub(crate) fn table(rows: &[Row], room: usize) -> String {
    let mut out = String::from("| criterion | check | result | tier |\n|---|---|---|---|");
    let is_failed = |row: &&Row| row.outcome == Outcome::Failed;
    let ordered = rows.iter().filter(is_failed).chain(rows.iter().filter(|row| !is_failed(row)));
    let mut left = rows.len();
    for row in ordered {
        let line = line(row);
        if out.len() + line.len() > room {
            let _ = write!(out, "\n\n{left} more rows don't fit here.");
            break;
        }
        out.push('\n');
        out.push_str(&line);
        left -= 1;
    }
    out
}

fn line(row: &Row) -> String {
    let mark = match row.outcome {
        Outcome::Passed => "✓",
        Outcome::Failed => "✗",
        Outcome::Open => "–",
    };
    let about = match row.kind {
        Kind::Check => row.name(),
        Kind::Criterion => format!("{}: {}", row.name(), row.text),
    };
    let (about, by, result) = (cell(&about), cell(&row.by), cell(&row.result));
    format!("| {about} | {by} | {mark} {result} | {} |", row.tier.word())
}

fn cell(text: &str) -> String {
    unlinked(&inline(&capped(&kernel::visible::line(text), CELL)))
}
