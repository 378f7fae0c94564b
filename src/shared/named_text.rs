//! A text and its source.

use kernel::json::Deserialize;
use kernel::problem::{ErrorCode, Problem};
use serde::Serialize;

/// A text and the name of the file that it comes from, as the user wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NamedText {
    /// The file.
    pub name: String,
    /// Its content.
    pub text: String,
}

impl NamedText {
    /// Adds this file to a problem.
    pub(crate) fn place(&self, mut problem: Problem) -> Problem {
        problem.file.get_or_insert_with(|| self.name.clone());
        problem
    }

    /// A reading error with its place; the place is removed from the reader's own message.
    pub(crate) fn unreadable(&self, code: impl ErrorCode, error: &serde_json::Error) -> Problem {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        let mut letters = message.chars();
        let capital = letters.next().map_or_else(String::new, |letter| letter.to_uppercase().collect());
        let mut problem = Problem::new(code, format!("{capital}{}", letters.as_str()));
        if error.line() > 0 {
            problem.line = u32::try_from(error.line()).ok();
            problem.column = u32::try_from(error.column().max(1)).ok();
        }
        self.place(problem)
    }
}
