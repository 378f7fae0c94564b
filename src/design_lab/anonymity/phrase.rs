//! Names within phrases that mean something else: `Claude Shannon`, `the Gemini protocol`, `the Opus codec`.
//!
//! Such a phrase stays whole even where a model of the run bears the name: it tells no more of the author than any
//! other words, whereas `[model] Shannon` would tell the name. Where the text says that it was written by who is
//! called so, all of the phrase goes.

use std::ops::Range;

use super::fold::Glyph;
use super::spelling::{is_end, is_start};

/// Names, each with the phrases in which it is a well-known person's or thing's. A phrase is worth its place here if
/// designs hold it, it means one thing alone, and no model could be called so. Kept by hand; folded, in one spelling.
const PHRASES: [(&str, &[&str]); 10] = [
    (
        "claude",
        &[
            "claude bernard",
            "claude chappe",
            "claude debussy",
            "claude levi strauss",
            "claude monet",
            "claude shannon",
            "jean claude",
            "marie claude",
        ],
    ),
    ("gemini", &["gemini constellation", "gemini observatory", "gemini protocol", "project gemini"]),
    (
        "gpt",
        &["gpt disk label", "gpt partition", "gpt partitioning", "guid partition table (gpt", "mbr or gpt"],
    ),
    ("grok", &["grok filter", "grok pattern"]),
    ("haiku", &["haiku of seventeen syllables", "haiku poem"]),
    ("kimi", &["kimi raikkonen"]),
    ("llama", &["llama farm", "llama wool"]),
    ("mistral", &["mistral wind"]),
    ("opus", &["magnum opus", "opus audio", "opus codec", "opus number"]),
    ("sonnet", &["shakespeare's sonnet"]),
];

/// The phrase around the name that stands here, all of it from `rest` on.
pub(super) fn phrase_around(text: &[Glyph], name: &Range<usize>, rest: usize) -> Option<Range<usize>> {
    let written =
        |(known, _): &&(&str, _)| known.chars().eq(text[name.clone()].iter().map(|glyph| glyph.letter));
    let (known, phrases) = PHRASES.iter().find(written)?;
    phrases.iter().find_map(|phrase| {
        let (before, behind) = phrase.split_once(known)?;
        let end = follow(behind, text, name.end)?;
        let plural = text.get(end).is_some_and(|glyph| glyph.letter == 's');
        let ends = is_end(text, end) || (plural && is_end(text, end + 1));
        // As many glyphs as the phrase has letters, or fewer by its joints.
        let first = name.start.saturating_sub(before.len()).max(rest);
        let start = (first..=name.start)
            .find(|&start| follow(before, text, start) == Some(name.start) && is_start(text, start))?;
        ends.then_some(start..end + usize::from(!is_end(text, end)))
    })
}

/// Where a part of a phrase ends in the text if it begins here. Its words may be joined by a space, a hyphen, an
/// underscore, or a capital alone.
fn follow(part: &str, text: &[Glyph], start: usize) -> Option<usize> {
    part.chars().try_fold(start, |at, c| {
        let here = text.get(at)?;
        let joins = here.letter.is_whitespace() || matches!(here.letter, '-' | '_');
        match c {
            ' ' if joins => Some(at + 1),
            ' ' => here.capital.then_some(at),
            c => (here.letter == c).then_some(at + 1),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::anonymity::fold::glyphs;
    use crate::design_lab::anonymity::vocabulary::FAMILIES;

    #[test]
    fn a_phrase_ends_with_its_last_word() {
        for (text, around) in [
            ("opus codec", Some(0..10)),
            ("opus codecs", Some(0..11)),
            ("opus codecx", None),
            ("opus codecsmith", None),
        ] {
            assert_eq!(phrase_around(&glyphs(text), &(0..4), 0), around, "{text}");
        }
    }

    #[test]
    fn every_phrase_holds_a_known_name_once_and_is_found_as_it_stands_here() {
        for (name, phrases) in PHRASES {
            assert!(FAMILIES.iter().any(|family| family.word == name), "{name}");
            for phrase in phrases {
                assert_eq!(phrase.matches(name).count(), 1, "{phrase}");
                let (text, start) = (glyphs(phrase), phrase.find(name).unwrap());
                let around = phrase_around(&text, &(start..start + name.len()), 0);
                assert_eq!(around, Some(0..text.len()), "{phrase}");
            }
        }
    }
}
