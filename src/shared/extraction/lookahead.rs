//! A short look at the following text, to tell the end of a value from text inside it.

use super::parser::{Parser, Role};
use super::space::comment;

/// How far a look goes, in bytes: longer than any indentation or key, and short enough for every quote.
const REACH: usize = 384;

/// The longest key that is recognised ahead, in bytes.
const MAX_KEY: usize = 96;

/// The minimum cost of a look, in units of [`super::parser::Work`]: about a key.
const LOOK: u64 = 16;

impl<'a> Parser<'a> {
    /// Whether a value or key that ended just before `after` is followed by a valid next token.
    pub(super) fn ends_value(&mut self, after: usize, role: Role) -> bool {
        let mut ahead = self.look(after);
        let reach = ahead.text.len();
        let ends = self.is_followed_well(&mut ahead, role);
        self.work.spent += (reach - ahead.text.len()) as u64;
        ends
    }

    fn is_followed_well(&self, ahead: &mut Ahead<'_>, role: Role) -> bool {
        let line_break = ahead.skip_space();
        match (role, ahead.first()) {
            (Role::Key, next) => matches!(next, Some(b':' | b'=')) || ahead.starts_with("："),
            (_, None) => true,
            (_, Some(b'}' | b']')) => self.leads_out(ahead),
            (_, Some(b',' | b';')) => {
                ahead.skip(1);
                self.begins_next(ahead, role)
            }
            (Role::Item, Some(b':')) => self.is_array(1) == Some(false),
            (Role::Member, Some(b'"' | b'\'')) => ahead.is_key(false),
            (Role::Item, Some(b'"' | b'\'' | b'{')) => line_break,
            (_, Some(b'+')) => {
                ahead.skip(1);
                ahead.skip_space();
                matches!(ahead.first(), Some(b'"' | b'\''))
            }
            (_, Some(_)) => {
                ahead.is_end_of_block()
                    || ahead.starts_with("，")
                    || (role == Role::Member && line_break && ahead.is_key(true))
            }
        }
    }

    /// Whether there is a key with its colon at `at`; a bare key counts only if `bare`.
    pub(super) fn key_ahead(&mut self, at: usize, bare: bool) -> bool {
        self.look(at).is_key(bare)
    }

    /// Whether the text after a comma can be the next member or item.
    fn begins_next(&self, ahead: &mut Ahead<'_>, role: Role) -> bool {
        let line_break = ahead.skip_space();
        match ahead.first() {
            None => true,
            Some(b'}' | b']') => self.leads_out(ahead),
            _ if ahead.starts_with("...") => true,
            Some(_) if role == Role::Item => begins_value(ahead.text),
            Some(_) => ahead.is_key(line_break || self.has_bare_key()) || ahead.is_half_quoted_key(),
        }
    }

    /// Whether a row of closing brackets matches the open containers, and ends either outside the object or where an outer container
    /// continues.
    fn leads_out(&self, ahead: &mut Ahead<'_>) -> bool {
        for level in 0..self.depth() {
            match (ahead.first(), self.is_array(level)) {
                (None | Some(b','), _) => return true,
                (Some(b']'), Some(true)) | (Some(b'}'), Some(false)) => {}
                // A bracket or a comma is missing, which is a separate repair.
                (Some(b'}' | b'{'), Some(true)) => return level > 0,
                (Some(b'"' | b'\''), _) => return level > 0 && ahead.is_key(false),
                _ => return ahead.is_end_of_block(),
            }
            ahead.skip(1);
            ahead.skip_space();
        }
        true
    }

    fn look(&mut self, at: usize) -> Ahead<'a> {
        self.work.spent += LOOK;
        let rest = &self.text[at..];
        Ahead { text: &rest[..rest.floor_char_boundary(REACH)] }
    }
}

/// The following text, up to the limit of the look.
#[derive(Clone, Copy)]
struct Ahead<'a> {
    text: &'a str,
}

impl Ahead<'_> {
    fn first(&self) -> Option<u8> {
        self.text.bytes().next()
    }

    fn starts_with(&self, prefix: &str) -> bool {
        self.text.starts_with(prefix)
    }

    fn is_end_of_block(&self) -> bool {
        ["```", "~~~", "</"].into_iter().any(|end| self.starts_with(end))
    }

    /// Skips this many bytes, which must be ASCII.
    fn skip(&mut self, bytes: usize) {
        self.text = &self.text[bytes..];
    }

    /// Skips white space and comments; returns whether they included a line break.
    fn skip_space(&mut self) -> bool {
        let before = self.text;
        loop {
            self.text = self.text.trim_start();
            match comment(self.text) {
                Some(length) => self.skip(length),
                None => return before[..before.len() - self.text.len()].contains('\n'),
            }
        }
    }

    /// Whether a key with its colon is here.
    fn is_key(self, bare: bool) -> bool {
        let Some(quote) = self.text.chars().next() else { return false };
        let reach = &self.text[..self.text.floor_char_boundary(MAX_KEY)];
        let rest = match quote {
            '"' | '\'' => {
                let Some(end) = reach[1..].find([quote, '\n']) else { return false };
                self.text[1 + end..].strip_prefix(quote)
            }
            '“' | '”' => {
                let Some(end) = reach[3..].find(['“', '”', '\n']) else { return false };
                self.text[3 + end..].strip_prefix(['“', '”'])
            }
            c if bare && is_bare(c) => {
                let rest = reach.trim_start_matches(is_bare).trim_start();
                // `https://` is not a key.
                return rest.starts_with(':') && !rest.starts_with("://");
            }
            _ => return false,
        };
        rest.is_some_and(|rest| {
            let rest = rest.trim_start();
            [":", "=", "："].into_iter().any(|colon| rest.starts_with(colon))
        })
    }

    /// Whether a key without its opening quote is here.
    fn is_half_quoted_key(self) -> bool {
        let reach = &self.text[..self.text.floor_char_boundary(MAX_KEY)];
        let rest = reach.trim_start_matches(is_bare);
        rest.len() < reach.len() && rest.starts_with(['"', '\'']) && rest[1..].trim_start().starts_with(':')
    }
}

/// Whether a comma and a key with its colon follow.
pub(super) fn member_follows(text: &str) -> bool {
    let mut ahead = Ahead { text: &text[..text.floor_char_boundary(REACH)] };
    ahead.skip_space();
    if ahead.first() != Some(b',') {
        return false;
    }
    ahead.skip(1);
    ahead.skip_space();
    ahead.is_key(false)
}

/// Whether a value seems to start here.
pub(super) fn begins_value(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "\"'“‘`{[-".contains(c)) || begins_literal(text)
}

fn begins_literal(text: &str) -> bool {
    ["true", "false", "null", "True", "False", "None"].into_iter().any(|literal| text.starts_with(literal))
}

/// Whether only the end of the text or of its block follows.
pub(super) fn is_end(text: &str) -> bool {
    let mut ahead = Ahead { text: &text[..text.floor_char_boundary(REACH)] };
    ahead.skip_space();
    ahead.text.is_empty() || ahead.is_end_of_block()
}

/// Whether a key without quotes may contain this character.
pub(super) fn is_bare(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.' | '@')
}
