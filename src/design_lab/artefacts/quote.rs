//! Whether a passage that a model quotes is in the design that it names.
//!
//! A model rarely copies a text byte for byte: it straightens quote marks, drops the marks of Markdown, or breaks a line elsewhere.
//! None of that changes the words, so none of it counts. Words that are missing, changed or in another order do count.

use super::design::Design;
use kernel::visible::is_invisible;
use serde_json::Value;

/// The fewest words of a quote: one or two words occur anywhere.
const FEWEST_WORDS: usize = 3;
/// The longest quote in characters. Models are asked for 25 words.
pub(super) const LONGEST: usize = 400;

/// The texts of a design, ready for looking passages up.
pub(super) struct Passages(Vec<String>);

/// A quote, ready for looking it up.
pub(super) struct Needle(String);

impl Passages {
    /// Everything that a design's author wrote, except its claims about the project.
    pub(super) fn of(design: &Design) -> Self {
        let mut texts = Vec::new();
        // Via text, because a value would need a second copy of every type's code.
        let text = serde_json::to_string(design).unwrap_or_default();
        let mut value: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(design) = value.as_object_mut() {
            design.shift_remove("claims");
        }
        collect(&value, &mut texts);
        Self(texts)
    }

    /// Whether one of the texts contains the passage, from the start of a word to the end of one.
    pub(super) fn contain(&self, needle: &Needle) -> bool {
        self.0.iter().any(|text| occurs(text, &needle.0))
    }
}

impl Needle {
    /// Returns the words of a quote, or `None` if it is too short to show anything or too long for a quote.
    pub(super) fn of(quote: &str) -> Option<Self> {
        if quote.chars().take(LONGEST + 1).count() > LONGEST {
            return None;
        }
        let plain = plain(quote);
        let words = plain.trim_matches(|c: char| c == ' ' || ".…,;:".contains(c));
        (count(words) >= FEWEST_WORDS).then(|| Self(words.to_owned()))
    }
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(plain(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(map) => map.values().for_each(|item| collect(item, texts)),
        _ => {}
    }
}

/// A text in lower case without quote marks and the marks of Markdown, with single spaces and plain hyphens.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '_' | '`' | '~' | '\\' | '"' | '\'' | '‘' | '’' | '‚' | '“' | '”' | '„' | '«' | '»'
            | '‹' | '›' => {}
            '‐' | '‑' | '–' | '—' => out.push('-'),
            _ if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            _ if is_invisible(c) => {}
            _ => out.extend(c.to_lowercase()),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Whether a character is a word by itself, as in Chinese: letters of scripts with words have neighbours and a case.
fn is_word(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

fn count(text: &str) -> usize {
    let (mut words, mut inside) = (0, false);
    for c in text.chars() {
        let belongs = c.is_alphanumeric();
        words += usize::from(belongs && (!inside || is_word(c)));
        inside = belongs && !is_word(c);
    }
    words
}

fn occurs(text: &str, words: &str) -> bool {
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_word(c));
    let cuts = |outside, inside| goes_on(outside) && goes_on(inside);
    text.match_indices(words).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + words.len()..]);
        !cuts(before.chars().next_back(), words.chars().next())
            && !cuts(behind.chars().next(), words.chars().next_back())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_in(quote: &str, text: &str) -> Option<bool> {
        let design = Design { summary: text.to_owned(), ..Design::default() };
        Needle::of(quote).map(|needle| Passages::of(&design).contain(&needle))
    }

    #[test]
    fn a_passage_is_found_by_its_words() {
        let text =
            "Each tenant gets a **token bucket** in `Redis`;\nit's refilled by a Lua script — atomically.";
        for (quote, found) in [
            ("Each tenant gets a token bucket", Some(true)),
            ("each tenant gets a **token bucket** in Redis", Some(true)),
            ("“in Redis; it’s refilled by a Lua script - atomically”", Some(true)),
            ("… refilled by a Lua script …", Some(true)),
            ("refilled by a\n  Lua script.", Some(true)),
            ("refilled by the Lua script", Some(false)),
            ("tenant gets ... a token bucket", Some(false)),
            ("ach tenant gets a token", Some(false)),
            ("a token buck", Some(false)),
            ("script refilled by Lua", Some(false)),
            ("", None),
            ("Redis", None),
            ("** . ** , ;", None),
            ("token bucket", None),
        ] {
            assert_eq!(is_in(quote, text), found, "{quote:?}");
        }
        assert_eq!(is_in("每个租户有自己的桶", "结论：每个租户有自己的桶，由脚本填充。"), Some(true));
        assert_eq!(is_in(&"a bee ".repeat(100), &"a bee ".repeat(100)), None);
        assert_eq!(is_in("p99 < 5 ms", "We aim for p99 > 5 ms."), Some(false));
    }

    #[test]
    fn a_passage_lies_in_a_single_text_and_not_in_the_claims() {
        let claim = crate::design_lab::artefacts::Claim {
            text: "the limiter has its own table".to_owned(),
            ..Default::default()
        };
        let design = Design {
            title: "A limiter at".to_owned(),
            summary: "the edge of the network".to_owned(),
            claims: vec![claim],
            ..Design::default()
        };
        let found = |quote| Passages::of(&design).contain(&Needle::of(quote).unwrap());
        assert!(found("the edge of the network"));
        assert!(!found("limiter at the edge"));
        assert!(!found("the limiter has its own table"));
    }

    proptest! {
        #[test]
        fn every_run_of_words_is_found_and_nothing_panics(
            words in prop::collection::vec("[a-zA-Zéß0-9]{1,8}", 3..40),
            from in 0_usize..30,
            more in 3_usize..20,
            noise in r"\PC{0,60}",
        ) {
            let text = words.join(" ");
            let _ = is_in(&noise, &text);
            let part = &words[from.min(words.len() - 3)..];
            let part = part[..more.min(part.len())].join("  ");
            if part.chars().count() <= LONGEST {
                prop_assert_eq!(is_in(&format!("*{part}*"), &text), Some(true));
            }
        }
    }
}
