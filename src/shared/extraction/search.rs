//! Where objects may be in a text: a single walk over it that tries every brace.
//!
//! The walk is linear. A brace inside something that was read is never tried again with the same tolerance (`seen`), strict readings
//! can overlap in only two ways (a brace is inside or outside the strings of the other reading), and tolerant readings share a budget.

use super::error::Cut;
use super::lookahead::{is_bare, member_follows};
use super::parser::{Parse, Stop, Tolerance, Work, parse};
use super::reasoning::{Tag, Tags};
use super::repair::Tally;
use super::space::is_blank;
use super::unescape;
use serde_json::Value;
use std::collections::VecDeque;

/// The maximum number of candidates kept: the last ones.
const MAX_CANDIDATES: usize = 512;

/// The maximum number of readings before only the end of the text is tried: many times more than any reply needs.
pub(super) const MAX_READINGS: u32 = 8_192;

/// The length of the end of the text that is always tried, in bytes: the intended object is usually last.
pub(super) const TAIL: usize = 64 << 10;

/// The maximum number of times that a text may be packed in a string.
pub(super) const MAX_LEVEL: u8 = 3;

/// An object found in the text, complete or cut off.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Always an object.
    pub(super) object: Value,
    pub(super) tally: Tally,
    /// Its position in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is in a model's reasoning.
    pub(super) is_draft: bool,
    pub(super) setting: Setting,
    /// The sign that it isn't complete.
    pub(super) cut: Option<Cut>,
    /// Whether at least one key with its colon was read.
    pub(super) keyed: bool,
    /// The key whose value is missing, if it is cut off there.
    pub(super) open_key: Option<String>,
}

/// The surroundings of an object; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Setting {
    /// In an object that could not be read: probably a part of it.
    Broken,
    /// In the strings of an object that needed repairs: probably quoted there, unless the object was misread.
    Repaired,
    /// In prose.
    Open,
}

/// The result of one walk over a text.
#[derive(Default)]
pub(super) struct Found {
    /// In the order of their ends; the last [`MAX_CANDIDATES`].
    pub(super) candidates: VecDeque<Candidate>,
    /// The end of the reading that got furthest into something that turned out not to be an object.
    pub(super) broken: Option<Broken>,
}

/// An object that could not be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Broken {
    start: usize,
    /// Where reading stopped.
    pub(super) at: usize,
    /// Whether it stopped because the nesting is too deep.
    pub(super) is_too_deep: bool,
}

impl Broken {
    pub(super) fn len(self) -> usize {
        self.at - self.start
    }
}

/// Finds every candidate in `text`; `level` counts the strings that it was unpacked from.
pub(super) fn search(text: &str, level: u8, work: &mut Work) -> Found {
    let mut search = Search {
        text,
        level,
        work,
        found: Found::default(),
        seen: vec![0; text.len()],
        inner_until: 0,
        broken_until: 0,
        broken_open: 0,
        unpacked_until: 0,
        reopened_until: 0,
        limit: text.len(),
        skipped: false,
        tags: Tags::default(),
        draft_from: None,
    };
    search.walk();
    search.found
}

struct Search<'a> {
    text: &'a str,
    level: u8,
    work: &'a mut Work,
    found: Found,
    /// For each byte, the tolerances, as bits, with which reading from there is settled.
    seen: Vec<u8>,
    /// Everything before this position is inside a repaired candidate.
    inner_until: usize,
    /// Everything before this position is inside an object that could not be read.
    broken_until: usize,
    /// The number of that object's brackets that are still open after that position.
    broken_open: usize,
    /// Escaped text before this position has been unpacked.
    unpacked_until: usize,
    /// Before this position, continuing after a closing brace has been tried.
    reopened_until: usize,
    /// The position where readings have to end: the end of the reasoning in which they start.
    limit: usize,
    /// Whether any braces were left untried.
    skipped: bool,
    tags: Tags,
    /// The start of the reasoning that the walk is in.
    draft_from: Option<usize>,
}

impl Search<'_> {
    fn walk(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = match byte {
                b'{' => self.brace(at),
                b'<' | b'[' | 0xe2 if at >= self.inner_until => self.tag(at),
                _ => at + 1,
            };
            if next == at + 1 && at >= self.broken_until {
                self.count_brackets(at, byte);
            }
            at = next;
        }
        if let Some(from) = self.draft_from {
            self.mark_drafts(from);
        }
    }

    /// Reads the object that starts at `at`. Valid JSON may contain text that looks like the end of the reasoning.
    fn read(&mut self, at: usize, tolerance: Tolerance) -> Parse {
        if tolerance == Tolerance::Strict {
            let reading = parse(self.text, at, tolerance, false, self.work);
            if reading.end <= self.limit || reading.result.is_ok() {
                return reading;
            }
        }
        parse(&self.text[..self.limit], at, tolerance, false, self.work)
    }

    /// Counts the brackets of an object that could not be read, to find where its remains end.
    fn count_brackets(&mut self, at: usize, byte: u8) {
        match byte {
            _ if self.broken_open == 0 => {}
            b'{' | b'[' => self.broken_open += 1,
            b'}' | b']' => self.broken_open -= 1,
            b'`' if self.text[at..].starts_with("```") => self.broken_open = 0,
            _ => {}
        }
    }

    /// Tries the brace at `at`; returns where the walk continues.
    fn brace(&mut self, at: usize) -> usize {
        let after = &self.text[at + 1..self.limit];
        if !may_begin_object(after) {
            return at + 1;
        }
        if self.work.readings >= MAX_READINGS && (self.level > 0 || self.text.len() - at > TAIL) {
            self.skip(at);
            return at + 1;
        }
        if self.level < MAX_LEVEL
            && at >= self.unpacked_until
            && let Some(end) = self.unpack(at)
        {
            return end;
        }
        let mut cut = None;
        let mut broken: Option<Parse> = None;
        for tolerance in [Tolerance::Strict, Tolerance::Syntax, Tolerance::Guess] {
            let bit = 1 << tolerance as u8;
            if self.seen[at] & bit != 0
                || (tolerance != Tolerance::Strict && self.work.spent > self.work.limit)
            {
                continue;
            }
            let reading = self.read(at, tolerance);
            match reading.result {
                Ok(()) => {
                    if reading.end > self.limit {
                        self.limit = self.tags.next_close(self.text, reading.end).unwrap_or(self.text.len());
                    }
                    if member_follows(&self.text[reading.end..self.limit]) {
                        let tolerance = tolerance.max(Tolerance::Syntax);
                        if let Some(longer) = self.reopened(at, tolerance) {
                            return self.accept(at, longer, tolerance, None);
                        }
                    }
                    return self.accept(at, reading, tolerance, None);
                }
                // An object that is valid up to its end can't be read in another way; more tolerance must not find an end inside it.
                Err(Stop::Cut(end))
                    if tolerance == Tolerance::Strict || end != Cut::Block && reading.keyed =>
                {
                    return self.accept(at, reading, tolerance, Some(end));
                }
                // Without a key and its colon, a guess is not an object.
                Err(Stop::Cut(_)) if tolerance == Tolerance::Guess && !reading.keyed => {}
                Err(Stop::Cut(end)) => cut = cut.or(Some((reading, end))),
                Err(Stop::Broken) => {
                    for &inner in &reading.inner {
                        self.seen[inner] |= bit;
                    }
                    if broken.as_ref().is_none_or(|other| reading.end > other.end) {
                        broken = Some(reading);
                    }
                }
                Err(Stop::OverBudget) => {}
                Err(Stop::TooDeep) => {
                    self.note_broken(at, &reading, true);
                    return reading.end;
                }
            }
        }
        if let Some((reading, end)) = cut {
            return self.accept(at, reading, Tolerance::Guess, Some(end));
        }
        if let Some(reading) = broken.filter(|reading| reading.keyed) {
            self.note_broken(at, &reading, false);
        }
        at + 1
    }

    /// Tries whether the object continues after its closing brace.
    fn reopened(&mut self, at: usize, tolerance: Tolerance) -> Option<Parse> {
        if at < self.reopened_until || self.work.spent > self.work.limit {
            return None;
        }
        let reading = parse(&self.text[..self.limit], at, tolerance, true, self.work);
        // In a row of objects with a fault, reading from each of them fails at the same place.
        self.reopened_until = reading.end;
        reading.result.is_ok().then_some(reading)
    }

    /// Keeps the object that was read from `start`; returns where the walk continues.
    fn accept(&mut self, start: usize, reading: Parse, tolerance: Tolerance, cut: Option<Cut>) -> usize {
        let end = reading.end;
        self.keep(Candidate {
            object: Value::Object(reading.members),
            tally: reading.tally,
            start,
            end,
            is_draft: false,
            setting: self.setting(start),
            cut: cut.map(|cut| self.seen_from_outside(cut, end)),
            keyed: reading.keyed,
            open_key: reading.open_key,
        });
        if tolerance == Tolerance::Strict {
            return end.max(start + 1);
        }
        // A repair may have misread the object, so objects inside its strings get their own chance.
        for inner in reading.inner {
            self.seen[inner] = u8::MAX;
        }
        self.inner_until = self.inner_until.max(end);
        start + 1
    }

    fn setting(&self, at: usize) -> Setting {
        if at < self.broken_until || self.broken_open > 0 || self.skipped {
            Setting::Broken
        } else if at < self.inner_until {
            Setting::Repaired
        } else {
            Setting::Open
        }
    }

    /// For an object in reasoning, the end of the reasoning isn't the end of the text.
    fn seen_from_outside(&self, cut: Cut, end: usize) -> Cut {
        if cut == Cut::EndOfText && end < self.text.len() { Cut::Block } else { cut }
    }

    fn keep(&mut self, candidate: Candidate) {
        if self.found.candidates.len() == MAX_CANDIDATES {
            self.found.candidates.pop_front();
        }
        self.found.candidates.push_back(candidate);
    }

    /// Leaves a brace untried. Objects found after it may be a part of the object that starts here.
    fn skip(&mut self, at: usize) {
        self.skipped = true;
        self.found.broken.get_or_insert(Broken { start: at, at, is_too_deep: false });
    }

    fn note_broken(&mut self, start: usize, reading: &Parse, is_too_deep: bool) {
        let broken = Broken { start, at: reading.end, is_too_deep };
        if reading.end > self.broken_until {
            self.broken_until = reading.end;
            self.broken_open = reading.inner.len();
        }
        if self.found.broken.is_none_or(|longest| broken.len() > longest.len()) {
            self.found.broken = Some(broken);
        }
    }

    /// Tries text whose quotes are escaped, as inside a JSON string or in XML; returns where the walk continues if there was an object.
    fn unpack(&mut self, at: usize) -> Option<usize> {
        let (plain, end, kind) = unescape::unpack(&self.text[..self.limit], at)?;
        self.unpacked_until = end;
        self.work.spent += (end - at) as u64;
        let found = search(&plain, self.level + 1, self.work);
        if found.candidates.is_empty() {
            return None;
        }
        for mut candidate in found.candidates {
            candidate.tally.add(kind);
            candidate.cut = candidate.cut.map(|cut| self.seen_from_outside(cut, end));
            (candidate.start, candidate.end) = (at, end);
            candidate.setting = candidate.setting.min(self.setting(at));
            self.keep(candidate);
        }
        Some(end)
    }

    /// Records where reasoning starts and ends; returns where the walk continues.
    fn tag(&mut self, at: usize) -> usize {
        match Tag::at(self.text, at) {
            Some(Tag::Open { end }) => {
                if self.draft_from.is_some() {
                    return at + 1;
                }
                self.draft_from = Some(at);
                self.limit = self.tags.next_close(self.text, end).unwrap_or(self.text.len());
                end
            }
            Some(Tag::Close { end }) => {
                // A model may start to reason without a tag if its template has already set one.
                self.mark_drafts(self.draft_from.unwrap_or(0));
                self.draft_from = None;
                self.limit = self.text.len();
                end
            }
            None => at + 1,
        }
    }

    fn mark_drafts(&mut self, from: usize) {
        for candidate in self.found.candidates.iter_mut().rev().take_while(|it| it.start >= from) {
            candidate.is_draft = true;
        }
    }
}

/// Whether an object may start with this after its brace: avoids reading at the many braces of prose and code.
fn may_begin_object(after: &str) -> bool {
    let rest = after.trim_start();
    match rest.chars().next() {
        // Doubled braces, but not a row of them.
        Some('{') => rest.len() == after.len() && !rest[1..].trim_start().starts_with('{'),
        // A bare key and its colon, or half of one.
        Some(c) if is_bare(c) && c != '.' => {
            let rest = rest.trim_start_matches(is_bare);
            let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start();
            rest.is_empty() || rest.starts_with([':', '/', '#']) || rest.starts_with(is_blank)
        }
        Some(c) => "….\"'`“”„‘’‚«}&\\/#,".contains(c) || is_blank(c),
        None => true,
    }
}
