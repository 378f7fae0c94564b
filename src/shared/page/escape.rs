//! Text escaped for a page.

use askama::filters::Escaper;
use kernel::visible::is_hidden;
use std::fmt::{self, Write};

/// Escapes every text that a template prints, so that no character of it acts on the page or, by reversing the direction or hiding,
/// misleads the reader.
#[derive(Clone, Copy)]
pub(crate) struct Escape;

impl Escaper for Escape {
    fn write_escaped_str<W: Write>(&self, mut out: W, text: &str) -> fmt::Result {
        let mut plain = 0;
        for (at, c) in text.char_indices() {
            let entity = match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&#34;",
                '\'' => "&#39;",
                c if is_hidden(c) => "",
                _ => continue,
            };
            out.write_str(&text[plain..at])?;
            if entity.is_empty() {
                write!(out, "[U+{:04X}]", u32::from(c))?;
            } else {
                out.write_str(entity)?;
            }
            plain = at + c.len_utf8();
        }
        out.write_str(&text[plain..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(text: &str) -> String {
        let mut out = String::new();
        Escape.write_escaped_str(&mut out, text).unwrap();
        out
    }

    #[test]
    fn no_character_acts() {
        for (text, shown) in [
            ("plain — text", "plain — text"),
            ("<img src=x onerror='a(\"b\")'>", "&lt;img src=x onerror=&#39;a(&#34;b&#34;)&#39;&gt;"),
            ("a &amp; b", "a &amp;amp; b"),
            ("user\u{202e}txt.exe", "user[U+202E]txt.exe"),
            ("zero\u{200b}width\u{feff}\u{0}", "zero[U+200B]width[U+FEFF][U+0000]"),
            ("👩\u{200d}💻 ❤\u{fe0f}", "👩\u{200d}💻 ❤\u{fe0f}"),
        ] {
            assert_eq!(escaped(text), shown);
        }
    }

    proptest! {
        #[test]
        fn whatever_comes(text in "\\PC{0,20}|[<>&\"'\u{0}-\u{1f}\u{202a}-\u{202e}a]{0,20}") {
            let shown = escaped(&text);
            prop_assert!(!shown.contains(['<', '>', '"', '\'']));
            prop_assert!(!shown.chars().any(is_hidden));
            for rest in shown.split('&').skip(1) {
                prop_assert!(["amp;", "lt;", "gt;", "#34;", "#39;"].iter().any(|entity| rest.starts_with(entity)));
            }
        }
    }
}
