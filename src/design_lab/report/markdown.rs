//! The pieces of a report as Markdown (GitHub's flavour).

use super::piece::Piece;
pub(super) use crate::shared::markdown::{blocks, inline};
use std::fmt::Write as _;

/// Writes the pieces of a section, one after the other.
pub(super) fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().fold(String::new(), |mut out, piece| {
        let _ = match piece {
            Piece::Heading(text) => writeln!(out, "### {}\n", inline(text)),
            Piece::Text(text) => writeln!(out, "{}\n", inline(text)),
            Piece::List(items) => writeln!(out, "{}", quoted_list(items)),
            Piece::Table(one) => {
                // Numbers are generated here and need no escaping, which would turn 0.5 into a list item.
                let cell =
                    |(text, number): (&String, &bool)| if *number { text.clone() } else { inline(text) };
                let rows: Vec<Vec<String>> =
                    one.rows.iter().map(|row| row.iter().zip(&one.numbers).map(cell).collect()).collect();
                let headings: Vec<String> = one.headings.iter().map(|heading| inline(heading)).collect();
                let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
                writeln!(out, "{}", table(&headings, &one.numbers, &rows))
            }
        };
        out
    })
}

/// Returns a table of numbers: `corner` heads the first column, which names the rows, `names` head the others.
pub(super) fn table_of_numbers(corner: &str, names: &[String], rows: &[Vec<String>]) -> String {
    let headings: Vec<&str> = [corner].into_iter().chain(names.iter().map(String::as_str)).collect();
    let right: Vec<bool> = (0..headings.len()).map(|column| column > 0).collect();
    table(&headings, &right, rows)
}

/// Returns a table with a heading row; `right` marks the columns that are numbers. Cells are already [`inline`]
/// Markdown.
pub(super) fn table(headings: &[&str], right: &[bool], rows: &[Vec<String>]) -> String {
    let mut out =
        format!("| {} |\n|", headings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>().join(" | "));
    for is_right in right {
        out.push_str(if *is_right { " ---: |" } else { " --- |" });
    }
    out.push('\n');
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out
}

/// Returns a bulleted list of [`inline`] items; empty without items.
pub(super) fn list(items: &[impl AsRef<str>]) -> String {
    items.iter().fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "- {}", item.as_ref());
        out
    })
}

/// Returns a bulleted list of foreign texts.
pub(super) fn quoted_list(items: &[impl AsRef<str>]) -> String {
    list(&items.iter().map(|item| inline(item.as_ref())).collect::<Vec<_>>())
}

/// Returns a text as one line, to be shortened.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
