//! Where objects may stand in a text: a single walk over it that tries every brace.
//!
//! The walk is linear. A brace inside something that was read is never tried again with the same tolerance
//! (`seen`), strict readings can overlap only in two ways (a brace is inside or outside the strings of the
//! other reading), and tolerant readings share a budget.

use super::error::Cut;
use super::lookahead::{is_bare, member_follows};
use super::parser::{Parse, Stop, Tolerance, Work, parse};
use super::reasoning::{Tag, Tags};
use super::repair::Tally;
use super::space::is_blank;
use super::unescape;
use serde_json::Value;
use std::collections::VecDeque;

/// How many candidates are kept: the last ones.
const MAX_CANDIDATES: usize = 512;

/// How many readings may begin before only the end of the text is tried: many times what any reply needs.
pub(super) const MAX_READINGS: u32 = 8_192;

/// The end of the text that is tried in any case, in bytes: what was meant is usually last.
pub(super) const TAIL: usize = 64 << 10;

/// How often a text may be packed in a string.
pub(super) const MAX_LEVEL: u8 = 3;

/// An object found in the text, complete or cut off.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Always an object.
    pub(super) object: Value,
    pub(super) tally: Tally,
    /// Where it stands.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it stands in a model's reasoning.
    pub(super) is_draft: bool,
    pub(super) setting: Setting,
    /// How it shows that it isn't complete.
    pub(super) cut: Option<Cut>,
    /// Whether at least one key with its colon was read.
    pub(super) keyed: bool,
    /// The key whose value is missing, if it is cut off there.
    pub(super) open_key: Option<String>,
}

/// What an object stands in; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Setting {
    /// In an object that could not be read: probably a part of it.
    Broken,
    /// In the strings of one that needed repairs: probably quoted there, unless it was misread.
    Repaired,
    /// In prose.
    Open,
}

/// What one walk over a text gave.
#[derive(Default)]
pub(super) struct Found {
    /// In the order of their ends; the last [`MAX_CANDIDATES`].
    pub(super) candidates: VecDeque<Candidate>,
    /// Where the reading stopped that got farthest into something that isn't an object after all.
    pub(super) broken: Option<Broken>,
}

/// An object that could not be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Broken {
    start: usize,
    /// Where reading stopped.
    pub(super) at: usize,
    /// Whether it stopped since the nesting is too deep.
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
    /// Per byte the tolerances, as bits, with which reading from there is settled.
    seen: Vec<u8>,
    /// Up to here everything is inside a repaired candidate.
    inner_until: usize,
    /// Up to here everything is inside an object that could not be read.
    broken_until: usize,
    /// How many of its brackets are still open after that.
    broken_open: usize,
    /// Up to here escaped text has been unpacked.
    unpacked_until: usize,
    /// Up to here going on after a closing brace has been tried.
    reopened_until: usize,
    /// Where readings have to end: at the end of the reasoning they begin in.
    limit: usize,
    /// Whether braces were left untried.
    skipped: bool,
    tags: Tags,
    /// Where the reasoning began that the walk is in.
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

    /// Reads the object that begins at `at`. Valid JSON may hold what looks like the end of the reasoning.
    fn read(&mut self, at: usize, tolerance: Tolerance) -> Parse {
        if tolerance == Tolerance::Strict {
            let reading = parse(self.text, at, tolerance, false, self.work);
            if reading.end <= self.limit || reading.result.is_ok() {
                return reading;
            }
        }
        parse(&self.text[..self.limit], at, tolerance, false, self.work)
    }

    /// Follows the brackets of an object that could not be read, to know where its remains end.
    fn count_brackets(&mut self, at: usize, byte: u8) {
        match byte {
            _ if self.broken_open == 0 => {}
            b'{' | b'[' => self.broken_open += 1,
            b'}' | b']' => self.broken_open -= 1,
            b'`' if self.text[at..].starts_with("```") => self.broken_open = 0,
            _ => {}
        }
    }

    /// Tries the brace at `at`; where the walk goes on.
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
                // What is valid up to its end can't be read otherwise; more tolerance must not find an end in it.
                Err(Stop::Cut(end))
                    if tolerance == Tolerance::Strict || end != Cut::Block && reading.keyed =>
                {
                    return self.accept(at, reading, tolerance, Some(end));
                }
                // Without a key and its colon a guess is no object.
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

    /// Tries whether the object goes on after its closing brace.
    fn reopened(&mut self, at: usize, tolerance: Tolerance) -> Option<Parse> {
        if at < self.reopened_until || self.work.spent > self.work.limit {
            return None;
        }
        let reading = parse(&self.text[..self.limit], at, tolerance, true, self.work);
        // A row of objects that goes wrong somewhere goes wrong there from each of them.
        self.reopened_until = reading.end;
        reading.result.is_ok().then_some(reading)
    }

    /// Keeps what was read from `start`; where the walk goes on.
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
        // A repair may have misread: what stands inside strings gets its own chance.
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

    /// The end of the reasoning isn't the end of the text.
    fn seen_from_outside(&self, cut: Cut, end: usize) -> Cut {
        if cut == Cut::EndOfText && end < self.text.len() { Cut::Block } else { cut }
    }

    fn keep(&mut self, candidate: Candidate) {
        if self.found.candidates.len() == MAX_CANDIDATES {
            self.found.candidates.pop_front();
        }
        self.found.candidates.push_back(candidate);
    }

    /// Leaves a brace untried. What is found after it may be a part of what begins here.
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

    /// Tries text whose quotes are escaped, as inside a JSON string or in XML; where the walk goes on if an
    /// object stood there.
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

    /// Notes where reasoning begins and ends; where the walk goes on.
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
                // A model may begin to reason without a tag, where its template has put one.
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

/// Whether an object may begin with this after its brace: spares the many braces of prose and code a reading.
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
