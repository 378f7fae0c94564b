//! Which candidate is the intended one.

use super::error::{Cut, ExtractionError};
use super::parser::{MAX_DEPTH, Work};
use super::repair::{RepairKind, Tally};
use super::search::{Broken, Candidate, Found, MAX_LEVEL, Setting, search};
use super::space::is_blank;
use super::{Extraction, Finish, Fit, Reading};
use serde_json::Value;

/// The maximum number of objects measured, from the last to the first.
const MAX_MEASURED: u32 = 2_048;

/// The maximum depth of the object in an envelope.
const MAX_ENVELOPE: u8 = 6;

/// Chooses among candidates.
pub(super) struct Choice<'a> {
    reading: Reading,
    fit: &'a dyn Fn(&Value) -> Fit,
    measured: u32,
    work: &'a mut Work,
}

/// A candidate whose fit is known.
struct Measured {
    candidate: Candidate,
    fit: Fit,
    /// Whether it is an envelope of two objects that fit equally well and differ.
    contested: bool,
}

impl Measured {
    /// The order of complete candidates; of equals, the later one wins.
    fn rank(&self) -> impl Ord + use<> {
        let it = &self.candidate;
        let certainty = match () {
            () if is_empty(&it.object) => 0,
            () if it.tally.has_guess() => 1,
            () => 2,
        };
        (self.is_related(), !it.is_draft, self.fit, it.setting, certainty)
    }

    /// Whether both are the complete requested object, written as the answer, and equally prominent.
    fn rivals(&self, other: &Self) -> bool {
        let answers = |it: &Self| it.fit == Fit::Full && !it.candidate.is_draft;
        answers(self) && answers(other) && self.candidate.setting == other.candidate.setting
    }

    fn is_related(&self) -> bool {
        self.fit > Fit::Unrelated
    }

    /// Whether this is only a part of an object that could not be read, or irrelevant.
    fn is_remains_of(&self, broken: Broken) -> bool {
        let it = &self.candidate;
        (it.setting == Setting::Broken && self.fit < Fit::Full)
            || (!self.is_related() && it.end - it.start < broken.len())
    }

    /// Whether this is prose with braces rather than JSON.
    fn is_prose(&self) -> bool {
        !self.is_related() && self.candidate.tally.has_guess()
    }

    /// The order of candidates that are cut off.
    fn cut_rank(&self) -> impl Ord + use<> {
        let it = &self.candidate;
        (self.is_related(), !it.is_draft, it.setting, it.keyed)
    }

    /// Whether this one, which is cut off, was intended as the answer in place of the complete `best`.
    fn supersedes(&self, best: &Self, text: &str) -> bool {
        let (cut, whole) = (&self.candidate, &best.candidate);
        let shares_key = || {
            let members = cut.object.as_object();
            let mut keys = members.into_iter().flat_map(|members| members.keys()).chain(&cut.open_key);
            keys.any(|key| whole.object.get(key).is_some())
        };
        if !cut.keyed || (cut.is_draft && !whole.is_draft) {
            return false;
        }
        if cut.start < whole.start && whole.start < cut.end {
            // The whole one is in a string of the cut one: quoted there, unless the model started again.
            let begins_line = text[..whole.start].trim_end_matches([' ', '\t']).ends_with('\n');
            let began_anew = begins_line && cut.tally.count(RepairKind::UnescapedQuote) > 0 && shares_key();
            return self.fit >= best.fit && !began_anew;
        }
        cut.start >= whole.end && (!best.is_related() || cut.is_draft != whole.is_draft || shares_key())
    }
}

impl<'a> Choice<'a> {
    pub(super) fn new(reading: Reading, fit: &'a dyn Fn(&Value) -> Fit, work: &'a mut Work) -> Self {
        Self { reading, fit, measured: 0, work }
    }

    pub(super) fn decide(
        &mut self,
        text: &str,
        finish: Finish,
        found: Found,
    ) -> Result<Extraction, ExtractionError> {
        if text.trim_matches(is_blank).is_empty() {
            return Err(ExtractionError::Empty);
        }
        let mut best: Option<Measured> = None;
        let mut cut: Option<Measured> = None;
        let mut contested = false;
        // From the last to the first, so that the last ones are measured if not all can be.
        for candidate in found.candidates.into_iter().rev() {
            let measured = self.measure(candidate, 0);
            if measured.candidate.cut.is_some() {
                if cut.as_ref().is_none_or(|other| measured.cut_rank() > other.cut_rank()) {
                    cut = Some(measured);
                }
                continue;
            }
            let rivals = best.as_ref().is_some_and(|other| measured.rivals(other));
            contested |= rivals
                && (measured.contested
                    || best
                        .as_ref()
                        .is_some_and(|other| measured.candidate.object != other.candidate.object));
            if best.as_ref().is_none_or(|other| measured.rank() > other.rank()) {
                contested = measured.contested || (contested && rivals);
                best = Some(measured);
            }
        }
        match (best.filter(|best| !best.is_prose()), cut) {
            (best, Some(cut))
                if best
                    .as_ref()
                    .is_none_or(|best| !self.stays_whole(best, &cut) && cut.supersedes(best, text)) =>
            {
                Err(truncated(cut.candidate))
            }
            (Some(best), _) => match found.broken {
                Some(broken) if best.is_remains_of(broken) => Err(unreadable(text, broken)),
                _ => complete(best, finish).map(|found| Extraction { contested, ..found }),
            },
            (None, _) => Err(match found.broken {
                _ if finish == Finish::Length => {
                    ExtractionError::Truncated { cut: Cut::Length, partial: None }
                }
                Some(broken) => unreadable(text, broken),
                None => ExtractionError::NoObject { beginning: shorten(text.trim_matches(is_blank)) },
            }),
        }
    }

    /// Whether the cut-off object is only a figure of speech, because the complete requested object comes before it.
    fn stays_whole(&self, best: &Measured, cut: &Measured) -> bool {
        self.reading == Reading::Latest
            && best.fit == Fit::Full
            && cut.candidate.cut == Some(Cut::Ellipsis)
            && cut.candidate.start >= best.candidate.end
    }

    /// Measures a candidate; if a part of it fits better, the candidate becomes that part.
    fn measure(&mut self, mut candidate: Candidate, level: u8) -> Measured {
        let mut part = Part::of(self.fit_of(&candidate.object), None);
        let is_meant = self.reading == Reading::Latest && matches!(part.fit, Fit::Partial { half: true, .. });
        if part.fit < Fit::Any && !is_meant {
            self.look_inside(&candidate.object, level, MAX_ENVELOPE, &mut part);
        }
        if let Some(object) = part.object {
            candidate.object = object;
            candidate.tally.merge(&part.tally);
            candidate.tally.add(RepairKind::Unwrapped);
            candidate.cut = candidate.cut.or(part.cut);
        }
        Measured { candidate, fit: part.fit, contested: part.contested }
    }

    /// Looks for an object that fits better than `best` among the parts of an envelope.
    fn look_inside(&mut self, envelope: &Value, level: u8, depth: u8, best: &mut Part) {
        match envelope {
            _ if depth == 0 || self.measured >= MAX_MEASURED => {}
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
                best.offer(fit, value, || Part::of(fit, Some(value.clone())));
                if fit == Fit::Full {
                    return;
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
        for candidate in search(text, level, self.work).candidates.into_iter().rev() {
            let Measured { candidate, fit, contested } = self.measure(candidate, level);
            let Candidate { object, mut tally, cut, is_draft, .. } = candidate;
            if is_draft && best.fit == Fit::Full {
                continue;
            }
            tally.add(RepairKind::DoubleEncoded);
            best.offer(fit, &object, || Part { fit, object: Some(object.clone()), tally, cut, contested });
            best.contested |= contested && best.fit == Fit::Full;
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

/// The best part of an envelope so far; without `object`, the envelope itself.
struct Part {
    fit: Fit,
    object: Option<Value>,
    tally: Tally,
    cut: Option<Cut>,
    /// Whether another part is also the complete requested object, with different content.
    contested: bool,
}

impl Part {
    fn of(fit: Fit, object: Option<Value>) -> Self {
        Self { fit, object, tally: Tally::default(), cut: None, contested: false }
    }

    /// Becomes this part if it fits better; if both are the complete requested object, notes whether they differ.
    fn offer(&mut self, fit: Fit, object: &Value, part: impl FnOnce() -> Self) {
        if fit > self.fit {
            *self = part();
        } else if fit == Fit::Full {
            self.contested |= self.object.as_ref() != Some(object);
        }
    }
}

fn complete(best: Measured, finish: Finish) -> Result<Extraction, ExtractionError> {
    let Measured { candidate, fit, .. } = best;
    if finish == Finish::Length && (fit < Fit::Full || candidate.is_draft) {
        return Err(truncated(Candidate { cut: Some(Cut::Length), ..candidate }));
    }
    Ok(Extraction { repairs: candidate.tally.repairs(), value: candidate.object, contested: false })
}

fn truncated(candidate: Candidate) -> ExtractionError {
    ExtractionError::Truncated {
        cut: candidate.cut.unwrap_or(Cut::EndOfText),
        partial: Some(candidate.object).filter(|object| !is_empty(object)),
    }
}

fn unreadable(text: &str, broken: Broken) -> ExtractionError {
    if broken.is_too_deep {
        return ExtractionError::TooDeep { limit: MAX_DEPTH };
    }
    let at = broken.at;
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

/// Whether a string may be an object in text form: plain, in a code block, or encoded again.
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
