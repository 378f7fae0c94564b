//! Why no complete object came out of a text.

use kernel::error_codes;
use kernel::problem::Problem;
use serde_json::Value;
use std::fmt;

/// Why there is no complete object.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExtractionError {
    /// Nothing but white space.
    Empty,
    /// An object begins, but what follows can't be read as one without inventing content.
    Malformed {
        /// Where reading stopped, 1-based.
        line: u32,
        /// Where reading stopped, 1-based, in characters.
        column: u32,
        /// What stands there, shortened; empty at the end.
        found: String,
    },
    /// Words, but no object: a refusal, a question, an error page.
    NoObject {
        /// How the text begins, shortened.
        beginning: String,
    },
    /// Containers are nested deeper than `limit`.
    TooDeep {
        /// How deep is allowed.
        limit: usize,
    },
    /// The text is longer than any reply can be.
    TooLarge {
        /// Its length in bytes.
        bytes: usize,
        /// The longest allowed, in bytes.
        limit: usize,
    },
    /// The object is not all there.
    Truncated {
        /// How that shows.
        cut: Cut,
        /// What is there, with everything open closed and a half scalar left out; a string may end halfway.
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

/// How it shows that an object is not all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Its code block or element ends while brackets are open.
    Block,
    /// An ellipsis stands for what was left out.
    Ellipsis,
    /// The text ends while brackets are open.
    EndOfText,
    /// The provider says that the answer hit the limit of its length.
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
                write!(f, "The reply is {bytes} bytes long; at most {limit} are read.")
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

/// In words that the model which wrote the reply can act on.
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
                .found(format!("{bytes} bytes"))
                .allowed(format!("at most {limit} bytes"))
                .next("Reply with a shorter JSON object."),
            ExtractionError::Truncated { cut, .. } => {
                Self::new(ExtractionCode::Truncated, message).next(match cut {
                    Cut::Ellipsis => "Reply with the whole object, written out without an ellipsis.",
                    Cut::Block | Cut::EndOfText | Cut::Length => {
                        "Reply with the whole object again, shorter, or continue exactly where it stops."
                    }
                })
            }
        }
    }
}
