//! From a model's text to the JSON object that was meant.
//!
//! A reply holds prose, code blocks, reasoning with drafts in it, tool calls, several objects, JSON with faults,
//! half an object. [`extract`] finds every place where an object may stand ([`mod@search`]), reads each strictly
//! and, where that fails, with repairs that add no content ([`parser`]), and takes the best one:
//!
//! 1. one that was written as the answer, before one that stands in the model's reasoning,
//! 2. the one that fits best what was asked ([`Fit`]), looking into envelopes such as tool calls,
//! 3. one that could be read without guessing,
//! 4. the last one.
//!
//! Valid JSON is never altered. An object that is not all there is never passed off as complete: it comes back
//! as [`ExtractionError::Truncated`]. The work is linear in the length of the text, whatever the text is.

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

/// How many bytes tolerant reading may look at, all attempts together. A reply that needs every kind of repair
/// takes about 6 per byte; the rest is for false starts.
fn budget(bytes: usize) -> u64 {
    let bytes = bytes as u64;
    (1 << 16) + (12 * bytes).min((1 << 20) + 2 * bytes)
}

/// Why the provider says that the reply ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// The model had said all it wanted.
    Stop,
    /// The reply hit the limit of its length.
    Length,
    /// The provider doesn't say, or says something else.
    #[default]
    Unknown,
}

/// From the provider's word for it.
impl From<&str> for Finish {
    fn from(word: &str) -> Self {
        match word {
            "stop" => Self::Stop,
            "length" => Self::Length,
            _ => Self::Unknown,
        }
    }
}

/// How well an object fits what was asked for; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Another object.
    Unrelated,
    /// What was asked for, with faults: more keys count before fewer faults.
    Partial {
        /// How many of the expected keys are there.
        keys: usize,
        /// How many faults validation finds.
        faults: Reverse<usize>,
        /// Whether at least half of the expected keys are there: then it is no envelope of something else.
        half: bool,
    },
    /// The question is unknown: any object will do.
    Any,
    /// What was asked for.
    Full,
}

impl Fit {
    /// The fit of an object with this many of so many expected keys, and this many faults.
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

/// The object that was meant, and what had to be repaired to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// An object.
    pub value: Value,
    /// What was repaired; empty for valid JSON, whatever stood around it.
    pub repairs: Vec<Repair>,
    /// Whether another object, which says something else, was as good but for standing earlier.
    pub contested: bool,
}

impl Extraction {
    /// Whether the reply says two things at once: in two objects, or under one key.
    pub fn is_ambiguous(&self) -> bool {
        self.contested || self.repairs.iter().any(|repair| repair.kind == RepairKind::DuplicateKey)
    }
}

/// By which rules an object is chosen. Who replays what was once read needs the former ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// A part that fits better beats the object that holds it, and an abbreviated copy behind a whole object puts it in doubt.
    Former,
    /// An object with half of the expected keys is the one that was meant, whatever it holds; a whole object stays whole.
    #[default]
    Latest,
}

/// Finds the object that was meant in a model's reply, by the latest rules.
///
/// `fit` measures an object against what was asked; it is called a bounded number of times, from the last candidate to the first. An object that
/// fits fully is used as it is, one that doesn't is searched for a part that fits better.
///
/// With [`Finish::Length`] only an object that is closed, fits fully and isn't a draft counts as complete.
pub fn extract(
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, ExtractionError> {
    extract_by(Reading::Latest, text, finish, fit)
}

/// As [`extract`], by these rules.
pub fn extract_by(
    reading: Reading,
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, ExtractionError> {
    extract_counting(reading, text, finish, fit).0
}

/// As [`extract`], with the work that it took.
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
