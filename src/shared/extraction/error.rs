//! Why a text contains no complete object.

use crate::shared::figures::{count, thousands};
use kernel::error_codes;
use kernel::problem::Problem;
use serde_json::Value;
use std::fmt;

/// Why there is no complete object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExtractionError {
    /// The text is empty or only white space.
    Empty,
    /// An object starts, but the following text can't be read as one without inventing content.
    Malformed {
        /// Where reading stopped, 1-based.
        line: u32,
        /// Where reading stopped, 1-based, in characters.
        column: u32,
        /// The text at that place, shortened; empty at the end.
        found: String,
    },
    /// The text has words, but no object: a refusal, a question, an error page.
    NoObject {
        /// The start of the text, shortened.
        beginning: String,
    },
    /// Containers are nested deeper than `limit`.
    TooDeep {
        /// The maximum depth.
        limit: usize,
    },
    /// The text is longer than any reply can be.
    TooLarge {
        /// Its length in bytes.
        bytes: usize,
        /// The longest allowed, in bytes.
        limit: usize,
    },
    /// The object is incomplete.
    Truncated {
        /// The sign of that.
        cut: Cut,
        /// The existing part, with everything open closed and a half scalar left out; a string may end halfway.
        partial: Option<Value>,
    },
}

error_codes! {
    /// The codes of [`ExtractionError`].
    pub enum ExtractionCode {
        /// See [`ExtractionError::Empty`].
        Empty => "extraction.empty",
        /// See [`ExtractionError::Malformed`].
        Malformed => "extraction.malformed",
        /// See [`ExtractionError::NoObject`].
        NoObject => "extraction.no-object",
        /// See [`ExtractionError::TooDeep`].
        TooDeep => "extraction.too-deep",
        /// See [`ExtractionError::TooLarge`].
        TooLarge => "extraction.too-large",
        /// See [`ExtractionError::Truncated`].
        Truncated => "extraction.truncated",
    }
}

/// The sign that an object is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Its code block or element ends while brackets are open.
    Block,
    /// An ellipsis stands for what was left out.
    Ellipsis,
    /// The text ends while brackets are open.
    EndOfText,
    /// The provider reports that the answer reached its length limit.
    Length,
}

impl fmt::Display for ExtractionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("The reply is empty."),
            Self::Malformed { line, column, found } if found.is_empty() => {
                write!(
                    f,
                    "The JSON object can't be read: it ends too early, at line {line}, column \
                           {column}."
                )
            }
            Self::Malformed { line, column, .. } => {
                write!(f, "The JSON object can't be read: it is invalid at line {line}, column {column}.")
            }
            Self::NoObject { .. } => f.write_str("The reply has no JSON object."),
            Self::TooDeep { limit } => {
                write!(f, "The JSON object is nested more than {limit} levels deep.")
            }
            Self::TooLarge { bytes, limit } => {
                let length = count(*bytes as u64, "byte", "bytes");
                write!(f, "The reply is {length} long; at most {} are read.", thousands(*limit as u64))
            }
            Self::Truncated { cut, .. } => f.write_str(match cut {
                Cut::Block => "The JSON object is incomplete: its block ends while brackets are open.",
                Cut::Ellipsis => "The JSON object is incomplete: an ellipsis stands for a part of it.",
                Cut::EndOfText => "The JSON object is incomplete: the reply ends while brackets are open.",
                Cut::Length => "The reply reached its length limit before the JSON object was complete.",
            }),
        }
    }
}

impl std::error::Error for ExtractionError {}

/// The problem, in words that the model that wrote the reply can act on.
impl From<ExtractionError> for Problem {
    fn from(error: ExtractionError) -> Self {
        let message = error.to_string();
        match error {
            ExtractionError::Empty => {
                Self::new(ExtractionCode::Empty, message).next("Reply with the JSON object.")
            }
            ExtractionError::Malformed { line, column, found } => {
                let mut problem = Self::new(ExtractionCode::Malformed, message)
                    .allowed("one JSON object as in RFC 8259")
                    .next("Reply with the whole object again as valid JSON; escape quotes and line breaks inside strings.");
                problem.line = Some(line);
                problem.column = Some(column);
                problem.found = Some(found).filter(|found| !found.is_empty());
                problem
            }
            ExtractionError::NoObject { beginning } => Self::new(ExtractionCode::NoObject, message)
                .found(beginning)
                .allowed("one JSON object")
                .next("Reply with the JSON object and nothing else."),
            ExtractionError::TooDeep { limit } => Self::new(ExtractionCode::TooDeep, message)
                .allowed(format!("at most {limit} levels"))
                .next("Reply with a flatter JSON object."),
            ExtractionError::TooLarge { bytes, limit } => Self::new(ExtractionCode::TooLarge, message)
                .found(count(bytes as u64, "byte", "bytes"))
                .allowed(format!("at most {}", count(limit as u64, "byte", "bytes")))
                .next("Reply with a shorter JSON object."),
            ExtractionError::Truncated { cut, .. } => {
                Self::new(ExtractionCode::Truncated, message).next(match cut {
                    Cut::Ellipsis => "Reply with the whole object, written out without an ellipsis.",
                    Cut::Block | Cut::EndOfText | Cut::Length => {
                        "Reply with a shorter version of the whole object, or continue exactly where the object stopped."
                    }
                })
            }
        }
    }
}
