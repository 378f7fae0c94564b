//! Finds names within phrases that mean something else: `Claude Shannon`, `the Gemini protocol`, `the Opus codec`.
//!
//! Such a phrase stays whole even if a model of the run has the name: it reveals no more about the author than any
//! other words, whereas `[model] Shannon` would reveal the name. If the text claims to be written by someone of that
//! name, the whole phrase is removed.

use std::ops::Range;

use super::fold::Glyph;
use super::spelling::{is_end, is_start};

/// Names, each with the phrases in which it is a well-known person or thing. A phrase belongs here if designs use it,
/// if it has only one meaning, and if no model could have such a name. The list is maintained by hand; it is folded,
/// in one spelling.
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

/// Returns the phrase around the name here, within the text from `rest` on.
pub(super) fn phrase_around(text: &[Glyph], name: &Range<usize>, rest: usize) -> Option<Range<usize>> {
    let written =
        |(known, _): &&(&str, _)| known.chars().eq(text[name.clone()].iter().map(|glyph| glyph.letter));
    let (known, phrases) = PHRASES.iter().find(written)?;
    phrases.iter().find_map(|phrase| {
        let (before, behind) = phrase.split_once(known)?;
        let end = follow(behind, text, name.end)?;
        let plural = text.get(end).is_some_and(|glyph| glyph.letter == 's');
        let ends = is_end(text, end) || (plural && is_end(text, end + 1));
        // As many glyphs as the phrase has letters, or fewer because of its joints.
        let first = name.start.saturating_sub(before.len()).max(rest);
        let start = (first..=name.start)
            .find(|&start| follow(before, text, start) == Some(name.start) && is_start(text, start))?;
        ends.then_some(start..end + usize::from(!is_end(text, end)))
    })
}

/// Returns where a part of a phrase ends in the text if it starts here. Its words may be joined by a space, a hyphen,
/// an underscore, or only a capital.
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
