//! What a report says, before it is Markdown or HTML: plain words, with those of models and providers among them as they
//! came. So that both say the same.

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Heads the pieces up to the next heading.
    Heading(String),
    /// One or more sentences.
    Text(String),
    /// Statements of equal standing.
    List(Vec<String>),
    /// Rows under headings.
    Table(Table),
}

/// Rows under headings; the first column names the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// One per column.
    pub(super) headings: Vec<&'static str>,
    /// Which columns are numbers.
    pub(super) numbers: Vec<bool>,
    /// One cell per column.
    pub(super) rows: Vec<Vec<String>>,
}

impl Piece {
    /// A table.
    pub(super) fn table(headings: &[&'static str], numbers: &[bool], rows: Vec<Vec<String>>) -> Self {
        Self::Table(Table { headings: headings.to_vec(), numbers: numbers.to_vec(), rows })
    }
}
