//! One parser of JSON objects with three tolerances.
//!
//! It keeps its own stack, so hostile nesting uses no machine stack. In [`Tolerance::Strict`] the first repair is fatal, which makes
//! strict and tolerant reading one code path and leaves valid JSON untouched, since it never needs a repair.

use super::error::Cut;
use super::lookahead::{begins_value, is_bare, is_end, member_follows};
use super::repair::{RepairKind, Tally};
use serde_json::map::Entry;
use serde_json::{Map, Value};

/// The same as in `serde_json` and its readers downstream.
pub(super) const MAX_DEPTH: usize = 128;

/// What may be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tolerance {
    /// Nothing: RFC 8259.
    Strict,
    /// Syntax that can be read in only one way: a string ends at the first quote of its kind.
    Syntax,
    /// Also quotes and bare words that need a look at the following text.
    Guess,
}

/// Why reading stopped before the closing brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// There is something that no repair of this tolerance covers.
    Broken,
    /// The object is incomplete.
    Cut(Cut),
    /// The budget for tolerant reading is used up.
    OverBudget,
    /// The nesting exceeds [`MAX_DEPTH`].
    TooDeep,
}

/// The work done so far, and its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// The number of bytes looked at.
    pub(super) spent: u64,
    /// The maximum number of bytes that tolerant reading may look at.
    pub(super) limit: u64,
    /// The number of objects that reading has started on.
    pub(super) readings: u32,
}

/// The result of reading from one brace.
pub(super) struct Parse {
    pub(super) result: Result<(), Stop>,
    /// Where reading stopped: after the closing brace, or where it can't continue.
    pub(super) end: usize,
    /// All members, or those found so far.
    pub(super) members: Map<String, Value>,
    /// Whether a quoted key with its colon was read: prose with braces rarely gets that far.
    pub(super) keyed: bool,
    /// The outermost key whose value is missing.
    pub(super) open_key: Option<String>,
    pub(super) tally: Tally,
    /// The starts of the objects inside; after [`Stop::Broken`], the starts of the containers that are still open.
    pub(super) inner: Vec<usize>,
}

/// Reads the object that starts at `start`, which must be a `{`.
///
/// With `reopen`, a closing brace of the object itself that is followed by a comma and a key counts as surplus.
pub(super) fn parse(text: &str, start: usize, tolerance: Tolerance, reopen: bool, work: &mut Work) -> Parse {
    let mut parser = Parser {
        text,
        at: start,
        tolerance,
        reopen,
        tally: Tally::default(),
        work,
        unfinished: None,
        stack: Vec::new(),
        root: Map::new(),
        start,
        token_end: start,
        elided: false,
        keyed: false,
        inner: Vec::new(),
    };
    parser.work.readings += 1;
    let result = parser.read();
    parser.finish(result)
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) tolerance: Tolerance,
    pub(super) tally: Tally,
    pub(super) work: &'a mut Work,
    /// The string during which the text ended.
    pub(super) unfinished: Option<String>,
    stack: Vec<Frame>,
    root: Map<String, Value>,
    start: usize,
    reopen: bool,
    /// Where the last token ended.
    token_end: usize,
    pub(super) elided: bool,
    keyed: bool,
    inner: Vec<usize>,
}

struct Frame {
    start: usize,
    container: Container,
}

enum Container {
    Array(Vec<Value>),
    Object { members: Map<String, Value>, key: Option<String>, doubled: bool },
}

/// What may come next, apart from white space.
#[derive(Clone, Copy)]
enum Expect {
    Item { comma: bool },
    Key { comma: bool },
    Separator,
    Value,
}

/// The role of a string or a bare word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Item,
    Key,
    Member,
}

impl Parser<'_> {
    fn read(&mut self) -> Result<(), Stop> {
        let mut expect = self.open_object()?;
        while !self.stack.is_empty() {
            self.skip_space()?;
            let byte = self.peek().ok_or(Stop::Cut(Cut::EndOfText))?;
            expect = match expect {
                Expect::Item { comma } => self.item(byte, comma)?,
                Expect::Key { comma } => self.key(byte, comma)?,
                Expect::Separator => self.separator(byte)?,
                Expect::Value => self.value(byte, Role::Member)?,
            };
            self.token_end = self.at;
            if self.over_budget() {
                return Err(Stop::OverBudget);
            }
        }
        if self.elided { Err(Stop::Cut(Cut::Ellipsis)) } else { Ok(()) }
    }

    fn finish(mut self, result: Result<(), Stop>) -> Parse {
        self.work.spent += (self.at - self.start) as u64 + 1;
        let mut open_key = None;
        if matches!(result, Err(Stop::Broken | Stop::TooDeep)) {
            self.inner.clear();
            self.inner.extend(self.stack.iter().map(|frame| frame.start));
            // An object that leaves something out and then breaks is only a figure of speech.
            self.keyed &= !self.elided;
        }
        if let Some(text) = self.unfinished.take() {
            self.attach(Value::String(text));
        }
        while !self.stack.is_empty() {
            if let [Frame { container: Container::Object { key, .. }, .. }] = &mut self.stack[..] {
                open_key = key.take();
            }
            self.pop();
        }
        Parse {
            result,
            end: self.at,
            members: self.root,
            keyed: self.keyed,
            open_key,
            tally: self.tally,
            inner: self.inner,
        }
    }

    fn item(&mut self, byte: u8, comma: bool) -> Result<Expect, Stop> {
        match byte {
            b']' | b'}' => {
                if comma {
                    self.repair(RepairKind::TrailingComma)?;
                }
                self.close(byte)
            }
            b',' => {
                self.repair(RepairKind::ExtraComma)?;
                self.at += 1;
                Ok(Expect::Item { comma: false })
            }
            _ => self.value(byte, Role::Item),
        }
    }

    fn key(&mut self, byte: u8, comma: bool) -> Result<Expect, Stop> {
        match byte {
            b'}' | b']' => {
                if comma {
                    self.repair(RepairKind::TrailingComma)?;
                }
                return self.close(byte);
            }
            b',' => {
                self.repair(RepairKind::ExtraComma)?;
                self.at += 1;
                return Ok(Expect::Key { comma: false });
            }
            b'{' => return self.brace_for_key(comma),
            _ => {}
        }
        if self.ellipsis() {
            return Ok(Expect::Separator);
        }
        if self.at_end_of_block() {
            return Err(Stop::Cut(Cut::Block));
        }
        let quote = self.quote();
        let missing_before = self.tally.count(RepairKind::MissingQuote);
        let key = match quote {
            Some(quote) => self.string(quote, Role::Key).inspect_err(|_| self.unfinished = None)?,
            None => self.bare_key()?,
        };
        if quote.is_some() && self.tally.count(RepairKind::MissingQuote) > missing_before {
            // `"key: "x"`: the colon was part of the key that was read.
            self.keyed = true;
        } else {
            self.skip_space()?;
            self.colon(quote.is_some())?;
        }
        self.set_key(key);
        Ok(Expect::Value)
    }

    /// Handles a `{` where a key should be: doubled braces, or a neighbour whose closing brace is missing.
    fn brace_for_key(&mut self, comma: bool) -> Result<Expect, Stop> {
        let in_array =
            self.stack.len() > 1 && matches!(self.stack[self.stack.len() - 2].container, Container::Array(_));
        let Some(Frame { start, container: Container::Object { members, doubled, .. } }) =
            self.stack.last_mut()
        else {
            return Err(Stop::Broken);
        };
        if *start + 1 == self.at && !*doubled {
            *doubled = true;
            self.repair(RepairKind::DoubledBrace)?;
            self.at += 1;
            return Ok(Expect::Key { comma: false });
        }
        if comma && in_array && !members.is_empty() {
            self.repair(RepairKind::MissingBracket)?;
            self.pop();
            return Ok(Expect::Item { comma: false });
        }
        Err(Stop::Broken)
    }

    /// Reads a key without quotes, or with only the closing one.
    fn bare_key(&mut self) -> Result<String, Stop> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !is_bare(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.stop());
        }
        self.at += length;
        if length == rest.len() {
            return Err(Stop::Cut(Cut::EndOfText));
        }
        if let Some(b'"' | b'\'') = self.peek() {
            self.repair(RepairKind::MissingQuote)?;
            self.at += 1;
        } else {
            self.repair(RepairKind::UnquotedKey)?;
        }
        Ok(rest[..length].to_owned())
    }

    fn colon(&mut self, quoted: bool) -> Result<(), Stop> {
        let rest = &self.text[self.at..];
        if rest.starts_with(':') {
            self.at += 1;
        } else if let Some(colon) = ["=>", "=", "："].into_iter().find(|colon| rest.starts_with(colon))
            && quoted
        {
            self.repair(RepairKind::Separator)?;
            self.at += colon.len();
        } else if rest.is_empty() {
            return Err(Stop::Cut(Cut::EndOfText));
        } else if self.tolerance == Tolerance::Guess && quoted && begins_value(rest) {
            self.repair(RepairKind::MissingColon)?;
        } else {
            return Err(self.stop());
        }
        self.keyed |= quoted;
        Ok(())
    }

    fn set_key(&mut self, name: String) {
        if let Some(Frame { container: Container::Object { key, .. }, .. }) = self.stack.last_mut() {
            *key = Some(name);
        }
    }

    fn value(&mut self, byte: u8, role: Role) -> Result<Expect, Stop> {
        match byte {
            b'{' => return self.open_object(),
            b'[' => return self.open(Container::Array(Vec::new())).map(|()| Expect::Item { comma: false }),
            b',' | b'}' | b']' => {
                if self.tolerance != Tolerance::Guess {
                    return Err(Stop::Broken);
                }
                self.repair(RepairKind::MissingValue)?;
                self.attach(Value::Null);
                return Ok(Expect::Separator);
            }
            _ => {}
        }
        if self.at_end_of_block() {
            return Err(Stop::Cut(Cut::Block));
        }
        if self.ellipsis() {
            if let Some(Frame { container: Container::Object { key, .. }, .. }) = self.stack.last_mut() {
                *key = None;
            }
            return Ok(Expect::Separator);
        }
        let value = match self.quote() {
            Some(quote) => Value::String(self.strings(quote, role)?),
            None => self.scalar(role)?,
        };
        self.attach(value);
        Ok(Expect::Separator)
    }

    fn separator(&mut self, byte: u8) -> Result<Expect, Stop> {
        let in_array = matches!(self.stack.last(), Some(Frame { container: Container::Array(_), .. }));
        let next = |comma| if in_array { Expect::Item { comma } } else { Expect::Key { comma } };
        match byte {
            b',' => {
                self.at += 1;
                return Ok(next(true));
            }
            b'}' | b']' => return self.close(byte),
            b':' if in_array => return self.colon_in_array(),
            _ => {}
        }
        let other_comma = match byte {
            b';' => 1,
            0xef if self.text[self.at..].starts_with('，') => '，'.len_utf8(),
            _ => 0,
        };
        if other_comma > 0 {
            self.repair(RepairKind::Separator)?;
            self.at += other_comma;
            return Ok(next(true));
        }
        if self.at_end_of_block() {
            return Err(Stop::Cut(Cut::Block));
        }
        if self.ellipsis() {
            return Ok(Expect::Separator);
        }
        let spaced = self.at > self.token_end;
        let missing = match (in_array, byte) {
            (false, _) => self.key_ahead(self.at, spaced && (self.has_bare_key() || self.line_broke())),
            (true, b'{') => true,
            (true, b'"' | b'\'' | b'[' | b'-' | b'0'..=b'9') => spaced,
            (true, _) => {
                self.tolerance == Tolerance::Guess && self.line_broke() && byte.is_ascii_alphabetic()
            }
        };
        if !missing {
            return Err(Stop::Broken);
        }
        self.repair(RepairKind::MissingComma)?;
        Ok(next(false))
    }

    /// `[1, "key": …`: the array's bracket is missing, and its last item is a key of the object around it.
    fn colon_in_array(&mut self) -> Result<Expect, Stop> {
        let parent = self.stack.len().checked_sub(2).map(|index| &self.stack[index].container);
        if !matches!(parent, Some(Container::Object { .. })) {
            return Err(Stop::Broken);
        }
        let Some(Frame { container: Container::Array(items), .. }) = self.stack.last_mut() else {
            return Err(Stop::Broken);
        };
        let Some(Value::String(key)) = items.pop() else {
            return Err(Stop::Broken);
        };
        self.repair(RepairKind::MissingBracket)?;
        self.pop();
        self.set_key(key);
        self.at += 1;
        Ok(Expect::Value)
    }

    fn open_object(&mut self) -> Result<Expect, Stop> {
        if !self.stack.is_empty() {
            self.inner.push(self.at);
        }
        self.open(Container::Object { members: Map::new(), key: None, doubled: false })?;
        Ok(Expect::Key { comma: false })
    }

    fn open(&mut self, container: Container) -> Result<(), Stop> {
        if self.stack.len() == MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        self.stack.push(Frame { start: self.at, container });
        self.at += 1;
        Ok(())
    }

    /// Handles a closing bracket of the innermost container or of one further out.
    fn close(&mut self, byte: u8) -> Result<Expect, Stop> {
        let wanted = self.stack.iter().rev().position(|frame| match frame.container {
            Container::Array(_) => byte == b']',
            Container::Object { .. } => byte == b'}',
        });
        match wanted {
            // The object would end here but continues: `}` was written for `]`, or is surplus.
            Some(unclosed)
                if self.reopen
                    && unclosed + 1 == self.stack.len()
                    && member_follows(&self.text[self.at + 1..]) =>
            {
                let is_wrong = unclosed > 0;
                self.repair(if is_wrong { RepairKind::WrongBracket } else { RepairKind::ExtraBracket })?;
                (0..unclosed).for_each(|_| self.pop());
                self.at += 1;
            }
            // `{"a": 1]` at the end: the wrong one of two brackets.
            None if self.stack.len() == 1 && is_end(&self.text[self.at + 1..]) => {
                self.repair(RepairKind::WrongBracket)?;
                self.at += 1;
                self.pop();
            }
            None => {
                self.repair(RepairKind::ExtraBracket)?;
                self.at += 1;
            }
            Some(unclosed) => {
                for _ in 0..unclosed {
                    self.repair(RepairKind::MissingBracket)?;
                    self.pop();
                }
                self.at += 1;
                let doubled = matches!(
                    self.stack.last(),
                    Some(Frame { container: Container::Object { doubled: true, .. }, .. })
                );
                if doubled && self.peek() == Some(b'}') {
                    self.at += 1;
                }
                self.pop();
            }
        }
        Ok(Expect::Separator)
    }

    /// Closes the innermost container and adds it to its parent.
    fn pop(&mut self) {
        match self.stack.pop().map(|frame| frame.container) {
            Some(Container::Array(items)) => self.attach(Value::Array(items)),
            Some(Container::Object { members, .. }) if self.stack.is_empty() => self.root = members,
            Some(Container::Object { members, .. }) => self.attach(Value::Object(members)),
            None => {}
        }
    }

    fn attach(&mut self, value: Value) {
        match self.stack.last_mut().map(|frame| &mut frame.container) {
            Some(Container::Array(items)) => items.push(value),
            Some(Container::Object { members, key, .. }) => match key.take().map(|key| members.entry(key)) {
                Some(Entry::Occupied(mut there)) if *there.get() != value => {
                    there.insert(value);
                    self.tally.add(RepairKind::DuplicateKey);
                }
                Some(Entry::Vacant(free)) => {
                    free.insert(value);
                }
                Some(Entry::Occupied(_)) | None => {}
            },
            None => {}
        }
    }

    /// Counts a repair; fatal when nothing may be repaired.
    pub(super) fn repair(&mut self, kind: RepairKind) -> Result<(), Stop> {
        if self.tolerance == Tolerance::Strict {
            return Err(Stop::Broken);
        }
        self.tally.add(kind);
        Ok(())
    }

    /// Whether the line has ended since the last token.
    fn line_broke(&self) -> bool {
        self.text[self.token_end..self.at].contains('\n')
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Whether the container `level` levels out from the innermost is an array.
    pub(super) fn is_array(&self, level: usize) -> Option<bool> {
        let index = self.stack.len().checked_sub(level + 1)?;
        Some(matches!(self.stack[index].container, Container::Array(_)))
    }

    /// Whether a key without quotes was found.
    pub(super) fn has_bare_key(&self) -> bool {
        self.tally.count(RepairKind::UnquotedKey) > 0
    }

    pub(super) fn over_budget(&self) -> bool {
        self.tolerance != Tolerance::Strict
            && self.work.spent + (self.at - self.start) as u64 > self.work.limit
    }

    /// The reason to stop at something that can't be read.
    pub(super) fn stop(&self) -> Stop {
        if self.at_end_of_block() { Stop::Cut(Cut::Block) } else { Stop::Broken }
    }

    /// Whether a fence or a closing tag is here, where only JSON may be.
    fn at_end_of_block(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        matches!(
            rest,
            [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] | [b'<', b'/', ..] | [b']', b']', b'>', ..]
        )
    }
}
