//! The panel beside the chat while something is at work: rows that a terminal draws as they stand.

use kernel::visible;
use serde::Serialize;

/// What is at work. Words and figures are final: a terminal chooses colours and cuts what is too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Panel {
    /// What it is of.
    pub name: String,
    /// The command that stops it.
    pub cancel: String,
    /// One line, for where there is no room for more.
    pub summary: String,
    /// From top to bottom. Made for some 38 columns.
    pub rows: Vec<Row>,
}

/// A row of a panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// What kind of row it is.
    pub look: Look,
    /// A sign of one column in front of the text; empty where there is none.
    pub mark: String,
    /// On the left, cut where there is no room.
    pub text: String,
    /// On the right, never cut.
    pub figures: String,
}

/// What a row is, for its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Something that is done.
    Done,
    /// Something that failed for good.
    Failed,
    /// Begins a part of the panel.
    Heading,
    /// Something that waits before another try.
    Pausing,
    /// A label and its figure.
    Plain,
    /// A design on the leaderboard.
    Ranked,
    /// A sentence, wrapped where it is too long.
    Remark,
    /// The name of the panel.
    Title,
    /// Something that wasn't begun.
    Waiting,
    /// Something at work; its mark may move.
    Working,
}

impl Row {
    /// A row; its text stays on one line.
    pub(crate) fn new(
        look: Look,
        mark: impl Into<String>,
        text: impl Into<String>,
        figures: impl Into<String>,
    ) -> Self {
        Self { look, mark: mark.into(), text: visible::line(&text.into()), figures: figures.into() }
    }
}

/// Rows of cells, right-aligned, one space between the columns.
pub(crate) fn aligned<const N: usize>(table: &[[String; N]]) -> Vec<String> {
    let widths: [usize; N] = std::array::from_fn(|column| {
        table.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0)
    });
    let line = |cells: &[String; N]| {
        let cells: Vec<String> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        cells.join(" ")
    };
    table.iter().map(line).collect()
}
