//! The contents of a report before they become Markdown or HTML: plain text, including unchanged text from models and
//! providers. Both formats therefore have the same contents.

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The heading of the pieces up to the next heading.
    Heading(String),
    /// One or more sentences.
    Text(String),
    /// Statements of equal rank.
    List(Vec<String>),
    /// Rows under headings.
    Table(Table),
}

/// Rows under headings; the first column names the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// One heading per column.
    pub(super) headings: Vec<String>,
    /// Which columns are numbers.
    pub(super) numbers: Vec<bool>,
    /// One cell per column.
    pub(super) rows: Vec<Vec<String>>,
}

impl Piece {
    /// Returns a table.
    pub(super) fn table(headings: &[&str], numbers: &[bool], rows: Vec<Vec<String>>) -> Self {
        let headings = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Self::Table(Table { headings, numbers: numbers.to_vec(), rows })
    }
}
