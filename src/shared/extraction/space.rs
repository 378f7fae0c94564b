//! What may be between tokens: white space, comments, and an ellipsis for omitted text.

use super::parser::{Parser, Stop, Tolerance};
use super::repair::RepairKind;

impl Parser<'_> {
    pub(super) fn skip_space(&mut self) -> Result<(), Stop> {
        loop {
            let rest = &self.text[self.at..];
            let bytes = rest.as_bytes();
            let plain = bytes.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
            if plain > 0 {
                self.at += plain;
                continue;
            }
            if self.tolerance == Tolerance::Strict {
                return Ok(());
            }
            if let Some(length) = odd_space(rest) {
                self.repair(RepairKind::OddSpace)?;
                self.at += length;
            } else if let Some(length) = comment(rest) {
                self.repair(RepairKind::Comment)?;
                let words = rest[..length].trim_start_matches(['/', '*', '#', '<', '!', '-', ' ']);
                self.elided |= words.starts_with("...") || words.starts_with('…');
                self.at += length;
            } else {
                return Ok(());
            }
        }
    }

    /// Skips an ellipsis that replaces content.
    pub(super) fn ellipsis(&mut self) -> bool {
        if self.tolerance == Tolerance::Strict {
            return false;
        }
        let rest = &self.text[self.at..];
        let length = match rest.as_bytes() {
            [b'.', b'.', b'.', ..] => rest.find(|c| c != '.').unwrap_or(rest.len()),
            [0xe2, ..] if rest.starts_with('…') => '…'.len_utf8(),
            _ => return false,
        };
        self.at += length;
        self.elided = true;
        true
    }
}

/// The length of the run of spaces unknown to JSON at the start of `text`.
fn odd_space(text: &str) -> Option<usize> {
    if !matches!(text.as_bytes(), [b'\\' | 0xb | 0xc | 0x80.., ..]) {
        return None;
    }
    let is_odd = |c: char| !c.is_ascii() && is_blank(c) || matches!(c, '\u{b}' | '\u{c}');
    let mut rest = text;
    loop {
        // A line break spelled out: its escape was lost on the way.
        let after = ["\\n", "\\r", "\\t"].into_iter().find_map(|space| rest.strip_prefix(space));
        let after = after.unwrap_or(rest).trim_start_matches(is_odd);
        if after.len() == rest.len() {
            break;
        }
        rest = after;
    }
    let length = text.len() - rest.len();
    (length > 0).then_some(length)
}

/// Whether a character is white space, or looks like it.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// The length of the comment at the start of `text`.
pub(super) fn comment(text: &str) -> Option<usize> {
    match text.as_bytes() {
        // At the end of the text, only half of the mark is left.
        [b'/'] => Some(1),
        [b'/', b'/', ..] | [b'#', ..] => Some(text.find('\n').unwrap_or(text.len())),
        [b'<', b'!', b'-', b'-', ..] => Some(text.find("-->").map_or(text.len(), |end| end + 3)),
        [b'/', b'*', ..] => Some(text[2..].find("*/").map_or(text.len(), |end| end + 4)),
        _ => None,
    }
}
