//! From a model's text to the JSON object that was meant.
//!
//! A reply holds prose, code blocks, reasoning with drafts in it, tool calls, several objects, JSON with faults,
//! half an object. [`extract`] finds every place where an object may stand ([`search`]), reads each strictly
//! and, where that fails, with repairs that add no content ([`parser`]), and takes the best one:
//!
//! 1. one that was written as the answer, before one that stands in the model's reasoning,
//! 2. the one that fits best what was asked ([`Fit`]), looking into envelopes such as tool calls,
//! 3. one that could be read without guessing,
//! 4. the last one.
//!
//! Valid JSON is never altered. An object that is not all there is never passed off as complete: it comes back
//! as [`ExtractionError::Truncated`]. The work is linear in the length of the text, whatever the text is.

mod error;
mod lookahead;
mod parser;
mod reasoning;
mod repair;
mod scalars;
mod search;
mod strings;
mod unescape;

pub use error::{Cut, ExtractionError};
pub use repair::{Repair, RepairKind};

use parser::Work;
use repair::Tally;
use search::{Broken, Candidate, Found, MAX_LEVEL, search};
use serde_json::Value;
use std::cmp::Reverse;

/// The longest text that is read, in bytes: several times what any model writes in one reply.
pub const MAX_BYTES: usize = 4 << 20;

/// How many objects are measured at most, from the last to the first.
const MAX_MEASURED: u32 = 2_048;

/// How deep in an envelope the object may be.
const MAX_ENVELOPE: u8 = 6;

/// Tolerant reading may look at this many bytes per byte of text.
const WORK_PER_BYTE: u64 = 32;

/// Added to the budget, so that short texts never run out.
const WORK_BASE: u64 = 1 << 16;

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
    },
    /// Nothing is known of what was asked for: any object will do.
    Any,
    /// What was asked for.
    Full,
}

impl Fit {
    /// The fit of an object with this many of the expected keys and this many faults.
    pub fn new(keys: usize, faults: usize) -> Self {
        match (keys, faults) {
            (_, 0) => Self::Full,
            (0, _) => Self::Unrelated,
            _ => Self::Partial { keys, faults: Reverse(faults) },
        }
    }

    /// The fit by required keys alone; [`Fit::Any`] if none are required.
    pub fn by_keys(object: &Value, required: &[&str]) -> Self {
        if required.is_empty() {
            return Self::Any;
        }
        let keys = required.iter().filter(|&&key| object.get(key).is_some()).count();
        Self::new(keys, required.len() - keys)
    }
}

/// The object that was meant, and what had to be repaired to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    /// An object.
    pub value: Value,
    /// What was repaired; empty for valid JSON, whatever stood around it.
    pub repairs: Vec<Repair>,
}

/// Finds the object that was meant in a model's reply.
///
/// `fit` measures an object against what was asked; it is called at most [`MAX_MEASURED`] times. An object that
/// fits fully is taken as it is, one that doesn't is searched for a part that fits better.
///
/// With [`Finish::Length`] only an object that is closed, fits fully and isn't a draft counts as complete.
pub fn extract(
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, ExtractionError> {
    extract_counting(text, finish, fit).0
}

/// As [`extract`], with the number of bytes looked at.
fn extract_counting(
    text: &str,
    finish: Finish,
    fit: &dyn Fn(&Value) -> Fit,
) -> (Result<Extraction, ExtractionError>, u64) {
    if text.len() > MAX_BYTES {
        return (Err(ExtractionError::TooLarge { bytes: text.len(), limit: MAX_BYTES }), 0);
    }
    let mut choice = Choice {
        fit,
        measured: 0,
        work: Work { spent: 0, limit: WORK_BASE + WORK_PER_BYTE * text.len() as u64 },
    };
    let found = search(text, 0, &mut choice.work);
    let result = choice.decide(text, finish, found);
    (result, choice.work.spent)
}

/// Chooses among candidates.
struct Choice<'a> {
    fit: &'a dyn Fn(&Value) -> Fit,
    measured: u32,
    work: Work,
}

/// A candidate whose fit is known.
struct Measured {
    candidate: Candidate,
    fit: Fit,
}

impl Measured {
    /// What decides between complete candidates; of equals the later one wins.
    fn rank(&self) -> impl Ord + use<> {
        let it = &self.candidate;
        let certainty = match () {
            () if is_empty(&it.object) => 0,
            () if it.tally.has_guess() => 1,
            () => 2,
        };
        (self.is_related(), !it.is_draft, self.fit, !it.is_fragment, !it.is_inner, certainty)
    }

    fn is_related(&self) -> bool {
        self.fit > Fit::Unrelated
    }

    /// Whether this is but a part of an object that could not be read, or beside the point.
    fn is_remains_of(&self, broken: Broken) -> bool {
        let it = &self.candidate;
        (it.is_fragment && self.fit < Fit::Full) || (!self.is_related() && it.end - it.start < broken.len())
    }

    /// What decides between candidates that are cut off.
    fn cut_rank(&self) -> impl Ord + use<> {
        let it = &self.candidate;
        (self.is_related(), !it.is_draft, !it.is_inner, it.keyed)
    }

    /// Whether this, being cut off, was to be the answer in place of the complete `best`.
    fn supersedes(&self, best: &Self) -> bool {
        let (cut, whole) = (&self.candidate, &best.candidate);
        if cut.start < whole.start && whole.start < cut.end {
            return self.fit >= best.fit;
        }
        let shares_key = || {
            let keys = cut.object.as_object().into_iter().flat_map(|members| members.keys());
            keys.into_iter().any(|key| whole.object.get(key).is_some())
        };
        cut.start >= whole.end
            && cut.keyed
            && cut.is_draft <= whole.is_draft
            && (!best.is_related() || cut.is_draft < whole.is_draft || shares_key())
    }
}

impl Choice<'_> {
    fn decide(&mut self, text: &str, finish: Finish, found: Found) -> Result<Extraction, ExtractionError> {
        if text.trim_matches(is_blank).is_empty() {
            return Err(ExtractionError::Empty);
        }
        let mut best: Option<Measured> = None;
        let mut cut: Option<Measured> = None;
        // From the last to the first, so that the last ones are measured if not all can be.
        for candidate in found.candidates.into_iter().rev() {
            let measured = self.measure(candidate, 0);
            if measured.candidate.cut.is_some() {
                if cut.as_ref().is_none_or(|other| measured.cut_rank() > other.cut_rank()) {
                    cut = Some(measured);
                }
            } else if best.as_ref().is_none_or(|other| measured.rank() > other.rank()) {
                best = Some(measured);
            }
        }
        match (best, cut) {
            (best, Some(cut)) if best.as_ref().is_none_or(|best| cut.supersedes(best)) => {
                Err(truncated(cut.candidate))
            }
            (Some(best), _) => match found.broken {
                Some(broken) if best.is_remains_of(broken) => Err(malformed(text, broken.at)),
                _ => complete(best, finish),
            },
            (None, _) => Err(match found.broken {
                _ if finish == Finish::Length => {
                    ExtractionError::Truncated { cut: Cut::Length, partial: None }
                }
                Some(broken) => malformed(text, broken.at),
                None if found.too_deep => ExtractionError::TooDeep { limit: parser::MAX_DEPTH },
                None => ExtractionError::NoObject { beginning: shorten(text.trim_matches(is_blank)) },
            }),
        }
    }

    /// Measures a candidate; if a part of it fits better, the candidate becomes that part.
    fn measure(&mut self, mut candidate: Candidate, level: u8) -> Measured {
        let mut part =
            Part { fit: self.fit_of(&candidate.object), object: None, tally: Tally::default(), cut: None };
        if part.fit < Fit::Any {
            self.look_inside(&candidate.object, level, MAX_ENVELOPE, &mut part);
        }
        if let Some(object) = part.object {
            candidate.object = object;
            candidate.tally.merge(&part.tally);
            candidate.tally.add(RepairKind::Unwrapped);
            candidate.cut = candidate.cut.or(part.cut);
        }
        Measured { candidate, fit: part.fit }
    }

    /// Looks for an object that fits better than `best` among the parts of an envelope.
    fn look_inside(&mut self, envelope: &Value, level: u8, depth: u8, best: &mut Part) {
        match envelope {
            _ if depth == 0 || best.fit == Fit::Full || self.measured >= MAX_MEASURED => {}
            Value::Object(members) => {
                members.values().for_each(|value| self.look_into(value, level, depth, best));
            }
            Value::Array(items) => items.iter().for_each(|value| self.look_into(value, level, depth, best)),
            _ => {}
        }
    }

    fn look_into(&mut self, value: &Value, level: u8, depth: u8, best: &mut Part) {
        match value {
            Value::Object(_) => {
                let fit = self.fit_of(value);
                if fit > best.fit {
                    *best = Part { fit, object: Some(value.clone()), tally: Tally::default(), cut: None };
                }
            }
            Value::String(text) if level < MAX_LEVEL && may_hold_object(text) => {
                self.look_into_text(text, level + 1, best);
            }
            _ => {}
        }
        self.look_inside(value, level, depth - 1, best);
    }

    fn look_into_text(&mut self, text: &str, level: u8, best: &mut Part) {
        if self.work.spent > self.work.limit {
            return;
        }
        for candidate in search(text, level, &mut self.work).candidates.into_iter().rev() {
            let Measured { mut candidate, fit } = self.measure(candidate, level);
            if fit > best.fit {
                candidate.tally.add(RepairKind::DoubleEncoded);
                *best =
                    Part { fit, object: Some(candidate.object), tally: candidate.tally, cut: candidate.cut };
            }
        }
    }

    fn fit_of(&mut self, object: &Value) -> Fit {
        if self.measured >= MAX_MEASURED {
            return Fit::Unrelated;
        }
        self.measured += 1;
        (self.fit)(object)
    }
}

/// The best part of an envelope so far; without `object` the envelope itself.
struct Part {
    fit: Fit,
    object: Option<Value>,
    tally: Tally,
    cut: Option<Cut>,
}

fn complete(best: Measured, finish: Finish) -> Result<Extraction, ExtractionError> {
    let Measured { candidate, fit } = best;
    if finish == Finish::Length && (fit < Fit::Full || candidate.is_draft) {
        return Err(truncated(Candidate { cut: Some(Cut::Length), ..candidate }));
    }
    Ok(Extraction { repairs: candidate.tally.repairs(), value: candidate.object })
}

fn truncated(candidate: Candidate) -> ExtractionError {
    ExtractionError::Truncated {
        cut: candidate.cut.unwrap_or(Cut::EndOfText),
        partial: Some(candidate.object).filter(|object| !is_empty(object)),
    }
}

fn malformed(text: &str, at: usize) -> ExtractionError {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    ExtractionError::Malformed {
        line: count(before.matches('\n').count() + 1),
        column: count(before[line_start..].chars().count() + 1),
        found: shorten(text[at..].lines().next().unwrap_or_default()),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn is_empty(object: &Value) -> bool {
    object.as_object().is_none_or(serde_json::Map::is_empty)
}

/// White space, and what looks like it.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Whether a string may be an object in text form: as such, in a code block, or encoded once more.
fn may_hold_object(text: &str) -> bool {
    let text = text.trim_matches(is_blank);
    text.starts_with(['{', '[', '"', '<', '`']) && text.contains('{')
}

/// The first words, for a message.
fn shorten(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
