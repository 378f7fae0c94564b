//! A form with which a person reviews the designs: what they read, what they fill in, and how it is read back.
//!
//! | file | for |
//! |---|---|
//! | `human/<name>.md` | reading: the task, the rubric, the designs without their authors |
//! | `human/<name>.csv` | filling in: `design,dimension,score,comment`, or for pairs `pair,first,second,verdict,comment` |
//! | `human/<name>.html` | both, in a browser; `report::html::form` makes it |
//!
//! A form for scores has a row for each label and dimension. Here a design is known only by its label; the
//! run's journal records which design that is.

mod code;
mod columns;
mod filled;
mod pairs;

pub use code::FormCode;
pub use filled::{Entry, FilledForm, is_form, problems, read};
pub use pairs::{Compared, empty_pairs, read as read_pairs};

use crate::design_lab::config::Dimension;
use crate::design_lab::ids::Label;
use std::fmt::Write as _;

/// Returns the form before anything is filled in.
pub fn empty_form(labels: &[Label], dimensions: &[Dimension]) -> String {
    let mut text = "design,dimension,score,comment\r\n".to_owned();
    for label in labels {
        for dimension in dimensions {
            let _ = write!(text, "{},{},,\r\n", label.as_str(), dimension.name);
        }
    }
    text
}
