//! Strings: quotes, escapes, and the end of a string that contains unescaped quotes.

use super::error::Cut;
use super::parser::{Parser, Role, Stop, Tolerance};
use super::repair::RepairKind;

/// The quotes that open a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    Backtick,
    Curly,
    CurlySingle,
    Double,
    Guillemet,
    Single,
    TripleDouble,
    TripleSingle,
}

impl Quote {
    /// The length of the opening quote in bytes.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Backtick | Self::Double | Self::Single => 1,
            Self::Guillemet => 2,
            Self::Curly | Self::CurlySingle | Self::TripleDouble | Self::TripleSingle => 3,
        }
    }

    /// The length of the closing quote at the start of `rest`, whose first byte is one of [`Self::closer_bytes`].
    fn closer(self, rest: &[u8]) -> Option<usize> {
        match self {
            Self::Double | Self::Single => Some(1),
            _ => self
                .closers()
                .iter()
                .map(|closer| closer.as_bytes())
                .find(|it| rest.starts_with(it))
                .map(<[u8]>::len),
        }
    }

    /// The quotes that close it.
    fn closers(self) -> &'static [&'static str] {
        match self {
            Self::Backtick => &["`", "´"],
            Self::Curly => &["”", "“", "\""],
            Self::CurlySingle => &["’", "'"],
            Self::Double => &["\""],
            Self::Guillemet => &["»"],
            Self::Single => &["'"],
            Self::TripleDouble => &["\"\"\""],
            Self::TripleSingle => &["'''"],
        }
    }

    /// The bytes with which [`Self::closers`] start.
    fn closer_bytes(self) -> [u8; 2] {
        match self {
            Self::Backtick => [b'`', 0xc2],
            Self::Curly => [b'"', 0xe2],
            Self::CurlySingle => [b'\'', 0xe2],
            Self::Double | Self::TripleDouble => [b'"'; 2],
            Self::Guillemet => [0xc2; 2],
            Self::Single | Self::TripleSingle => [b'\''; 2],
        }
    }
}

/// What is known about a string while its end is searched for among unescaped quotes.
#[derive(Default)]
struct Suspicion {
    /// Whether a quote was read as text.
    quoted: bool,
    /// Opening minus closing brackets in the text so far, counted up to `counted`.
    brackets: i64,
    counted: usize,
}

impl Parser<'_> {
    /// The quote that opens a string here.
    pub(super) fn quote(&self) -> Option<Quote> {
        if self.tolerance == Tolerance::Strict {
            return (self.peek() == Some(b'"')).then_some(Quote::Double);
        }
        let rest = &self.text[self.at..];
        Some(match rest.chars().next()? {
            '"' if matches!(rest.as_bytes(), [_, b'"', b'"', ..]) => Quote::TripleDouble,
            '"' => Quote::Double,
            '\'' if matches!(rest.as_bytes(), [_, b'\'', b'\'', ..]) => Quote::TripleSingle,
            '\'' => Quote::Single,
            '`' => Quote::Backtick,
            '“' | '”' | '„' => Quote::Curly,
            '‘' | '’' | '‚' => Quote::CurlySingle,
            '«' => Quote::Guillemet,
            _ => return None,
        })
    }

    /// Reads a string, or several joined by `+`.
    pub(super) fn strings(&mut self, quote: Quote, role: Role) -> Result<String, Stop> {
        let mut text = self.string(quote, role)?;
        while self.tolerance != Tolerance::Strict {
            let rest = &self.text[self.at..];
            let Some(rest) = rest.trim_start().strip_prefix('+') else { break };
            let operand = self.text.len() - rest.trim_start().len();
            let end = std::mem::replace(&mut self.at, operand);
            let Some(quote) = self.quote() else {
                self.at = end;
                break;
            };
            self.repair(RepairKind::Concatenation)?;
            match self.string(quote, role) {
                Ok(more) => text.push_str(&more),
                Err(stop) => {
                    if let Some(more) = self.unfinished.take() {
                        text.push_str(&more);
                        self.unfinished = Some(text);
                    }
                    return Err(stop);
                }
            }
        }
        Ok(text)
    }

    /// Reads one string, from its opening quote to past its closing quote.
    pub(super) fn string(&mut self, quote: Quote, role: Role) -> Result<String, Stop> {
        if quote != Quote::Double {
            self.repair(RepairKind::QuoteStyle)?;
        }
        self.at += quote.len();
        self.string_body(quote, role)
    }

    /// Reads the text after an opening quote, to past the closing one.
    pub(super) fn string_body(&mut self, quote: Quote, role: Role) -> Result<String, Stop> {
        let bytes = self.text.as_bytes();
        let [first, second] = quote.closer_bytes();
        let mut out = String::new();
        let mut run = self.at;
        let mut suspicion = Suspicion { counted: self.at, ..Suspicion::default() };
        loop {
            while let Some(&byte) = bytes.get(self.at)
                && byte >= b' '
                && byte != b'\\'
                && byte != first
                && byte != second
            {
                self.at += 1;
            }
            match bytes.get(self.at) {
                None => {
                    out.push_str(&self.text[run..]);
                    self.unfinished = Some(out);
                    return Err(Stop::Cut(Cut::EndOfText));
                }
                Some(b'\\') => {
                    out.push_str(&self.text[run..self.at]);
                    if let Err(stop) = self.escape(&mut out) {
                        self.unfinished = Some(out);
                        return Err(stop);
                    }
                    run = self.at;
                }
                Some(0..b' ') => {
                    self.repair(RepairKind::ControlCharacter)?;
                    self.at += 1;
                }
                Some(_) => {
                    let Some(closer) = quote.closer(&bytes[self.at..]) else {
                        self.at += 1;
                        continue;
                    };
                    if role == Role::Key && self.closes_late(run, closer) {
                        out.push_str(self.text[run..self.at].trim_end().trim_end_matches(':'));
                        self.repair(RepairKind::MissingQuote)?;
                        return Ok(out);
                    }
                    if self.tolerance != Tolerance::Guess
                        || role == Role::Key
                        || self.is_end(closer, role, &mut suspicion)
                    {
                        out.push_str(&self.text[run..self.at]);
                        self.at += closer;
                        return Ok(out);
                    }
                    if self.over_budget() {
                        return Err(Stop::OverBudget);
                    }
                    if role == Role::Member && self.opens_next_key(run, &out, &suspicion) {
                        self.repair(RepairKind::MissingQuote)?;
                        out.push_str(&self.text[run..self.at]);
                        self.step_back_to_comma(&mut out);
                        return Ok(out);
                    }
                    self.repair(RepairKind::UnescapedQuote)?;
                    suspicion.quoted = true;
                    self.at += closer;
                }
            }
        }
    }

    /// `"key: "x"`: whether the quote here opens the value, because the key's closing quote is missing.
    fn closes_late(&mut self, run: usize, length: usize) -> bool {
        self.tolerance == Tolerance::Guess
            && self.text[run..self.at].trim_end().ends_with(':')
            && !self.ends_value(self.at + length, Role::Key)
    }

    /// Whether the quote here ends the string, judged by the following text.
    fn is_end(&mut self, length: usize, role: Role, suspicion: &mut Suspicion) -> bool {
        for byte in &self.text.as_bytes()[suspicion.counted..self.at] {
            match byte {
                b'{' | b'[' => suspicion.brackets += 1,
                b'}' | b']' => suspicion.brackets -= 1,
                _ => {}
            }
        }
        suspicion.counted = self.at;
        // Inside quoted JSON or code, the quotes are followed by its own punctuation.
        if suspicion.quoted && suspicion.brackets > 0 {
            return false;
        }
        self.ends_value(self.at + length, role)
    }

    /// `"x, "key": …`: whether the quote here opens the next key, because the closing quote is missing.
    fn opens_next_key(&mut self, run: usize, out: &str, suspicion: &Suspicion) -> bool {
        if suspicion.brackets > 0 {
            return false;
        }
        let before = &self.text[run..self.at];
        let trimmed = before.trim_end();
        let separated = trimmed.ends_with(',')
            || before[trimmed.len()..].contains('\n')
            || (trimmed.is_empty() && out.trim_end().ends_with(','));
        separated && self.key_ahead(self.at, false)
    }

    /// Returns the comma before the next key to the object.
    fn step_back_to_comma(&mut self, out: &mut String) {
        let text = out.trim_end();
        if let Some(text) = text.strip_suffix(',') {
            let length = text.trim_end().len();
            self.at = self.text[..self.at].trim_end().len() - 1;
            out.truncate(length);
        } else {
            out.truncate(text.len());
        }
    }

    /// Reads an escape, from its backslash.
    fn escape(&mut self, out: &mut String) -> Result<(), Stop> {
        let rest = &self.text[self.at + 1..];
        let Some(&byte) = rest.as_bytes().first() else {
            self.at = self.text.len();
            return Err(Stop::Cut(Cut::EndOfText));
        };
        let plain = match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(out),
            _ => {
                self.repair(RepairKind::Escape)?;
                return {
                    self.foreign_escape(out);
                    Ok(())
                };
            }
        };
        out.push(plain);
        self.at += 2;
        Ok(())
    }

    fn unicode_escape(&mut self, out: &mut String) -> Result<(), Stop> {
        let rest = &self.text.as_bytes()[self.at + 2..];
        let Some(unit) = hex(rest, 4) else {
            if rest.len() < 4 && rest.iter().all(u8::is_ascii_hexdigit) {
                self.at = self.text.len();
                return Err(Stop::Cut(Cut::EndOfText));
            }
            self.repair(RepairKind::Escape)?;
            self.foreign_escape(out);
            return Ok(());
        };
        self.at += 6;
        if let Some(c) = char::from_u32(unit) {
            out.push(c);
            return Ok(());
        }
        if unit < 0xdc00
            && let [b'\\', b'u', low @ ..] = &self.text.as_bytes()[self.at..]
            && let Some(low @ 0xdc00..0xe000) = hex(low, 4)
        {
            self.at += 6;
            out.extend(char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
            return Ok(());
        }
        self.tally.add(RepairKind::LoneSurrogate);
        out.push(char::REPLACEMENT_CHARACTER);
        Ok(())
    }

    /// Reads an escape of JavaScript or Python; in any other case, the backslash should have been escaped itself.
    fn foreign_escape(&mut self, out: &mut String) {
        let rest = &self.text[self.at + 1..];
        let (c, length) = match rest.as_bytes() {
            [quote @ (b'\'' | b'`'), ..] => (Some(char::from(*quote)), 2),
            [b'\r', b'\n', ..] => (None, 3),
            [b'\n', ..] => (None, 2),
            [b'x', digits @ ..] if hex(digits, 2).is_some() => (hex(digits, 2).and_then(char::from_u32), 4),
            [b'u', b'{', ..] => {
                let length = rest.bytes().skip(2).take(7).take_while(u8::is_ascii_hexdigit).count();
                match hex(&rest.as_bytes()[2..], length).and_then(char::from_u32) {
                    Some(c) if rest.as_bytes().get(length + 2) == Some(&b'}') => (Some(c), length + 4),
                    _ => (Some('\\'), 1),
                }
            }
            _ => (Some('\\'), 1),
        };
        out.extend(c);
        self.at += length;
    }
}

/// Parses the first `count` bytes as hexadecimal digits, at most eight.
fn hex(bytes: &[u8], count: usize) -> Option<u32> {
    let digits = bytes.get(..count).filter(|_| (1..=8).contains(&count))?;
    digits.iter().try_fold(0u32, |value, &byte| Some((value << 4) | char::from(byte).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quote_begins_one_of_its_closers_with_one_of_its_bytes() {
        use Quote::{Backtick, Curly, CurlySingle, Double, Guillemet, Single, TripleDouble, TripleSingle};
        for quote in [Backtick, Curly, CurlySingle, Double, Guillemet, Single, TripleDouble, TripleSingle] {
            for closer in quote.closers() {
                assert!(quote.closer_bytes().contains(&closer.as_bytes()[0]), "{quote:?} {closer}");
            }
        }
    }
}
