//! A form by which a person reviews the designs: what they read, what they fill in, and how that is read again.
//!
//! | file | for |
//! |---|---|
//! | `human/<name>.md` | reading: the task, the rubric, the designs without their authors |
//! | `human/<name>.csv` | filling in: `design,dimension,score,comment`, a row for each label and dimension; of pairs `pair,first,second,verdict,comment` |
//! | `human/<name>.html` | both, in a browser; `report::html::form` makes it |
//!
//! Here a design is known by its label only; which design that is stands in the run's journal.

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

/// The form before anything is filled in.
pub fn empty_form(labels: &[Label], dimensions: &[Dimension]) -> String {
    let mut text = "design,dimension,score,comment\r\n".to_owned();
    for label in labels {
        for dimension in dimensions {
            let _ = write!(text, "{},{},,\r\n", label.as_str(), dimension.name);
        }
    }
    text
}
