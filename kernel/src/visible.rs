//! Text from outside as people may see it: no character hides, changes the text direction, or controls a terminal.
//!
//! Text from models, providers, files and configurations is shown in a terminal, in the chat, in Markdown and on the page. An
//! escape sequence there moves the cursor, sets the clipboard or renames the window; a bidirectional control makes `txt.exe` read
//! `exe.txt`. Wherever such text leaves, it passes through here: invisible characters are spelled out, `[U+001B]`.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text of several lines. Line feeds and tabs stay; a carriage return before a line feed is removed.
pub fn text(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_hidden) {
        out.push_str(&rest[..at]);
        let Some(c) = rest[at..].chars().next() else { break };
        rest = &rest[at + c.len_utf8()..];
        if c != '\r' || !rest.starts_with('\n') {
            let _ = write!(out, "[U+{:04X}]", u32::from(c));
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Text that has to stay on one line: white space of any kind becomes a space.
pub fn line(line: &str) -> String {
    text(&line.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// Equivalent JSON text that is safe to print: invisible characters can only occur in its strings, and are escaped.
pub fn json(json: String) -> String {
    // True nearly always, and checking bytes takes a fifth of the time.
    if json.bytes().all(|byte| matches!(byte, b'\r' | b'\n' | b' '..=b'~')) {
        return json;
    }
    let unsafe_here = |c: char| is_hidden(c) && !matches!(c, '\r' | '\n');
    if !json.contains(unsafe_here) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if unsafe_here(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character would be invisible or act, except those that emoji and some scripts need.
pub fn is_hidden(c: char) -> bool {
    // Nearly all characters that pass through here.
    if matches!(c, ' '..='~') {
        return false;
    }
    matches!(c, '\r' | '\u{2028}' | '\u{2029}')
        || is_invisible(c)
            && !matches!(c, '\u{ad}' | '\u{34f}' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

/// Characters without a visible shape: zero-width and bidirectional controls, variation selectors, tags, fillers, C0 and C1
/// controls other than line breaks and tabs.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}'
        | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_acts_on_a_terminal_or_a_reader_is_spelled_out() {
        for (given, shown) in [
            ("plain — text\n\tindented", "plain — text\n\tindented"),
            ("\u{1b}]0;owned\u{7}", "[U+001B]]0;owned[U+0007]"),
            ("\u{1b}[2J\u{9b}31m", "[U+001B][2J[U+009B]31m"),
            ("\u{9d}52;c;AAAA\u{9c}", "[U+009D]52;c;AAAA[U+009C]"),
            ("user\u{202e}txt.exe", "user[U+202E]txt.exe"),
            ("over\rwritten\u{8}\u{7f}", "over[U+000D]written[U+0008][U+007F]"),
            ("from\r\nWindows", "from\nWindows"),
            ("one\u{2028}two\u{2029}three\u{85}four", "one[U+2028]two[U+2029]three[U+0085]four"),
            ("👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم", "👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم"),
        ] {
            assert_eq!(text(given), shown);
        }
        assert_eq!(line(" a\n b\u{2028}c\u{b}d\u{0}"), "a b c d[U+0000]");
    }

    proptest! {
        #[test]
        fn whatever_comes(given in "[\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{202e}\u{2066}-\u{2069}\u{feff}a]{0,40}|\\PC{0,20}") {
            let shown = text(&given);
            prop_assert!(!shown.contains(is_hidden));
            prop_assert_eq!(text(&shown), shown.as_ref());
            prop_assert!(!line(&given).contains(|c: char| c.is_control()));
            let value = serde_json::json!({ &given: [&given] });
            let printed = json(serde_json::to_string_pretty(&value).unwrap());
            prop_assert!(!printed.replace('\n', "").contains(is_hidden));
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).unwrap(), value);
        }
    }
}
