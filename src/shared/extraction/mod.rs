//! From a model's text to the JSON object that it intended.
//!
//! A reply may contain prose, code blocks, reasoning with drafts in it, tool calls, several objects, JSON with faults, or half an
//! object. [`extract`] finds every place where an object may be ([`mod@search`]), reads each strictly and, if that fails, with repairs
//! that add no content ([`parser`]), and returns the best one, preferring in this order:
//!
//! 1. an object that has anything to do with the request ([`Fit`]), looking into envelopes such as tool calls,
//! 2. an object written as the answer over one in the model's reasoning,
//! 3. the object that best fits the request,
//! 4. an object that stands on its own over one inside another object or string,
//! 5. an object that could be read without guessing,
//! 6. the last one.
//!
//! Valid JSON is never altered. An incomplete object is never passed off as complete: it is returned as [`ExtractionError::Truncated`].
//! The work is linear in the length of the text, for any text.

mod choice;
mod error;
mod lookahead;
mod parser;
mod reasoning;
mod repair;
mod scalars;
mod search;
mod space;
mod strings;
mod unescape;

pub use error::{Cut, ExtractionCode, ExtractionError};
pub use repair::{Repair, RepairKind};

use choice::Choice;
use parser::Work;
use search::search;
use serde_json::Value;
use std::cmp::Reverse;

/// The longest text that is read, in bytes: several times what any model writes in one reply.
pub const MAX_BYTES: usize = 4 << 20;

/// The maximum number of bytes that tolerant reading may look at, in all attempts together. A reply that needs every kind of repair
/// takes about 6 per byte; the rest is for false starts.
fn budget(bytes: usize) -> u64 {
    let bytes = bytes as u64;
    (1 << 16) + (12 * bytes).min((1 << 20) + 2 * bytes)
}

/// Why the reply ended, according to the provider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// The model had finished its answer.
    Stop,
    /// The reply reached its length limit.
    Length,
    /// The provider gives no reason, or another one.
    #[default]
    Unknown,
}

/// Reads the provider's word for it.
impl From<&str> for Finish {
    fn from(word: &str) -> Self {
        match word {
            "stop" => Self::Stop,
            "length" => Self::Length,
            _ => Self::Unknown,
        }
    }
}

/// How well an object fits the request; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Another object.
    Unrelated,
    /// The requested object, with faults: more keys count before fewer faults.
    Partial {
        /// The number of expected keys that it has.
        keys: usize,
        /// The number of faults that validation finds.
        faults: Reverse<usize>,
        /// Whether it has at least half of the expected keys: then it is no envelope of something else.
        half: bool,
    },
    /// The request is unknown: any object will do.
    Any,
    /// The requested object.
    Full,
}

impl Fit {
    /// The fit of an object with `keys` of the `expected` keys, and this many faults.
    pub fn new(keys: usize, expected: usize, faults: usize) -> Self {
        match (keys, faults) {
            (_, 0) => Self::Full,
            (0, _) => Self::Unrelated,
            _ => Self::Partial { keys, faults: Reverse(faults), half: 2 * keys >= expected },
        }
    }

    /// The fit by required keys alone; [`Fit::Any`] if none are required.
    pub fn by_keys(object: &Value, required: &[&str]) -> Self {
        if required.is_empty() {
            return Self::Any;
        }
        let keys = required.iter().filter(|&&key| object.get(key).is_some()).count();
        Self::new(keys, required.len(), required.len() - keys)
    }
}

/// The intended object, and the repairs needed to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// An object.
    pub value: Value,
    /// The repairs; empty for valid JSON, whatever surrounded it.
    pub repairs: Vec<Repair>,
    /// Whether another object with different content was equally good except for being earlier.
    pub contested: bool,
}

impl Extraction {
    /// Whether the reply contradicts itself: in two objects, or under one key.
    pub fn is_ambiguous(&self) -> bool {
        self.contested || self.repairs.iter().any(|repair| repair.kind == RepairKind::DuplicateKey)
    }
}

/// The rules for choosing an object. Replaying earlier replies needs the former ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// A part that fits better beats the object that contains it, and an abbreviated copy after a whole object puts it in doubt.
    Former,
    /// An object with half of the expected keys is the intended one, whatever it contains; a whole object stays whole.
    #[default]
    Latest,
}

/// Finds the intended object in a model's reply, by the latest rules.
///
/// `fit` measures an object against the request; it is called a bounded number of times, from the last candidate to the first. An
/// object that fits fully is used unchanged; otherwise the object is searched for a part that fits better.
///
/// With [`Finish::Length`], only an object that is closed, fits fully and isn't a draft counts as complete.
pub fn extract(
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, ExtractionError> {
    extract_by(Reading::Latest, text, finish, fit)
}

/// Like [`extract`], by these rules.
pub fn extract_by(
    reading: Reading,
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, ExtractionError> {
    extract_counting(reading, text, finish, fit).0
}

/// Like [`extract`], and also returns the work that it took.
fn extract_counting(
    reading: Reading,
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> (Result<Extraction, ExtractionError>, Work) {
    let mut work = Work { spent: 0, limit: budget(text.len()), readings: 0 };
    if text.len() > MAX_BYTES {
        return (Err(ExtractionError::TooLarge { bytes: text.len(), limit: MAX_BYTES }), work);
    }
    let found = search(text, 0, &mut work);
    let result = Choice::new(reading, fit, &mut work).decide(text, finish, found);
    (result, work)
}

#[cfg(test)]
mod tests;
