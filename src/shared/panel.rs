//! The panel next to the chat while something is running: rows that a terminal draws unchanged.

use kernel::visible;
use serde::Serialize;

/// What is running. Words and figures are final: a terminal only chooses colours and cuts text that is too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Panel {
    /// The name of what is running.
    pub name: String,
    /// The command that stops it.
    pub cancel: String,
    /// One line, for when there is no room for more.
    pub summary: String,
    /// From top to bottom, for about 38 columns.
    pub rows: Vec<Row>,
}

/// A row of a panel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Row {
    /// What kind of row it is.
    pub look: Look,
    /// A sign of one column before the text; empty if there is none.
    pub mark: String,
    /// On the left, cut if there is no room.
    pub text: String,
    /// On the right, never cut.
    pub figures: String,
}

/// The kind of a row, for its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Something that is done.
    Done,
    /// Something that failed for good.
    Failed,
    /// Starts a section of the panel.
    Heading,
    /// Something that waits before another try.
    Pausing,
    /// A label and its figure.
    Plain,
    /// A design on the leaderboard.
    Ranked,
    /// A sentence, wrapped if it is too long.
    Remark,
    /// The name of the panel.
    Title,
    /// Something that hasn't started.
    Waiting,
    /// Something that is running; its mark may move.
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
