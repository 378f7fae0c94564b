//! Pieces of Markdown (GitHub's flavour).

use std::fmt::Write as _;

/// A table with a heading row; `right` says which columns are numbers.
pub(super) fn table(headings: &[&str], right: &[bool], rows: &[Vec<String>]) -> String {
    let mut out =
        format!("| {} |\n|", headings.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
    for is_right in right {
        out.push_str(if *is_right { " ---: |" } else { " --- |" });
    }
    out.push('\n');
    for row in rows {
        let _ = writeln!(out, "| {} |", row.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
    }
    out
}

/// Text that stays in its cell.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// A bulleted list; nothing for no items.
pub(super) fn list(items: &[impl AsRef<str>]) -> String {
    items.iter().fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "- {}", indented(item.as_ref()));
        out
    })
}

/// Text whose further lines stay in their list item.
fn indented(text: &str) -> String {
    text.trim().replace('\n', "\n  ")
}

/// One line, for headings.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
