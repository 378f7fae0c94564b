//! Matches one name in its many spellings: letter case, separators, camel case, plurals.

use super::fold::{Glyph, glyphs};
use super::vocabulary::QUALIFIERS;

/// A name in the form in which it is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelling {
    /// Its letters and digits, folded.
    letters: Vec<char>,
    /// For each of them, whether a word of the name starts there.
    joints: Vec<bool>,
    /// Whether letters may directly follow it (`openaiclient`): it is long enough not to be part of another word by chance, and
    /// its last word doesn't start other words, as `pro` and `mini` do.
    open: bool,
}

impl Spelling {
    /// Returns the name, unless it is too short to be searched for.
    pub(super) fn of(name: &str) -> Option<Self> {
        let words = words(name);
        let letters: Vec<char> = words.iter().flat_map(|word| word.chars()).collect();
        let joints =
            words.iter().flat_map(|word| (0..word.chars().count()).map(|index| index == 0)).collect();
        let open =
            letters.len() >= LONG && words.last().is_some_and(|word| !QUALIFIERS.contains(&word.as_str()));
        (letters.len() > 1).then_some(Self { letters, joints, open })
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    pub(super) fn first(&self) -> char {
        self.letters[0]
    }

    /// Returns where the name ends in the text if it starts here, including a plural.
    ///
    /// Separators may be between its words; within a word there may be marks, and in longer names also spaces (`Open AI`). Open
    /// names may be directly followed by letters.
    pub(super) fn end(&self, text: &[Glyph], start: usize) -> Option<usize> {
        self.joined_end(text, start).or_else(|| self.spelled_end(text, start))
    }

    /// Does the same for a name whose letters are separate: `C|l|a|u|d|e`, `[C][l][a]…`. Single letters with spaces or commas
    /// between them may be a list, so a short name doesn't count then.
    fn spelled_end(&self, text: &[Glyph], start: usize) -> Option<usize> {
        let is_mark = |glyph: &&Glyph| !glyph.letter.is_alphanumeric() && glyph.letter != '\n';
        let is_list = |glyph: &Glyph| glyph.letter.is_whitespace() || ",;".contains(glyph.letter);
        let mut at = start;
        for (index, &letter) in self.letters.iter().enumerate() {
            if index > 0 {
                let marks = text[at..].iter().take(4).take_while(is_mark).count();
                let lists = self.letters.len() < SPELLED && text[at..at + marks].iter().any(is_list);
                if marks == 0 || marks > 3 || lists {
                    return None;
                }
                at += marks;
            }
            if text.get(at)?.letter != letter {
                return None;
            }
            at += 1;
        }
        let goes_on = text.get(at).is_some_and(|glyph| glyph.letter.is_alphanumeric());
        (self.letters.len() > 2 && !goes_on).then_some(at)
    }

    fn joined_end(&self, text: &[Glyph], start: usize) -> Option<usize> {
        let mut at = start;
        for (index, &letter) in self.letters.iter().enumerate() {
            if index > 0 && text.get(at)?.letter != letter {
                let gap = gap(text, at);
                let spaced = text[at].letter.is_whitespace();
                if gap == 0 || (spaced && !self.joints[index] && self.letters.len() < LONG - 1) {
                    return None;
                }
                at += gap;
            }
            if text.get(at)?.letter != letter {
                return None;
            }
            at += 1;
        }
        if is_end(text, at) {
            return Some(at);
        }
        let plural = text[at].letter == 's' && is_end(text, at + 1);
        if plural { Some(at + 1) } else { self.open.then_some(at) }
    }
}

/// The length from which a name is not part of another word by chance.
const LONG: usize = 6;

/// The length from which a list of letters is a name and not chance.
const SPELLED: usize = 5;

/// Returns the words of a name: runs of letters or of digits, folded.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for glyph in glyphs(name) {
        let c = glyph.letter;
        if c.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if last.is_alphanumeric() && last.is_numeric() == c.is_numeric() => word.push(c),
                _ => words.push(c.to_string()),
            }
        }
        last = c;
    }
    words
}

/// Whether a name may start here: not after a letter or digit, or else at a capital after a small letter, or at a letter after
/// a digit.
pub(super) fn is_start(text: &[Glyph], at: usize) -> bool {
    let here = text[at];
    if !here.letter.is_alphanumeric() {
        return false;
    }
    let Some(before) = at.checked_sub(1).map(|at| text[at]) else { return true };
    !before.letter.is_alphanumeric()
        || (here.capital && !before.capital)
        || (here.letter.is_alphabetic() && before.letter.is_numeric())
}

/// Whether a name may end here, by the same rules, or before a digit.
pub(super) fn is_end(text: &[Glyph], at: usize) -> bool {
    let Some(here) = text.get(at) else { return true };
    let Some(last) = at.checked_sub(1).map(|at| text[at]) else { return true };
    if !here.letter.is_alphanumeric() {
        return true;
    }
    if here.capital {
        let small_next = text.get(at + 1).is_some_and(|next| next.letter.is_alphabetic() && !next.capital);
        return !last.capital || small_next;
    }
    here.letter.is_numeric() != last.letter.is_numeric()
}

/// Returns the word that starts here, and where it ends: a run of letters and digits, up to a capital after a small letter. A
/// dot between digits belongs to it.
pub(super) fn word_at(text: &[Glyph], start: usize) -> (String, usize) {
    let is_digit = |at: usize| text.get(at).is_some_and(|glyph| glyph.letter.is_ascii_digit());
    let mut end = start;
    while let Some(glyph) = text.get(end) {
        let after = end > start;
        let inner_dot = after && glyph.letter == '.' && is_digit(end - 1) && is_digit(end + 1);
        let next_word = after && glyph.capital && !text[end - 1].capital && !is_digit(end - 1);
        if !(glyph.letter.is_alphanumeric() || inner_dot) || next_word {
            break;
        }
        end += 1;
    }
    (text[start..end].iter().map(|glyph| glyph.letter).collect(), end)
}

/// Returns how many glyphs separate two parts of one name here: up to three marks or spaces, but not the end of a sentence.
pub(super) fn gap(text: &[Glyph], at: usize) -> usize {
    let separators = text[at..]
        .iter()
        .take(4)
        .take_while(|glyph| glyph.letter.is_whitespace() || "-–—_./:*`~+".contains(glyph.letter))
        .count();
    let ends_sentence = separators > 1 && text[at].letter == '.' && text[at + 1].letter.is_whitespace();
    let joins = text.get(at + separators).is_some_and(|glyph| glyph.letter.is_alphanumeric());
    if separators > 3 || ends_sentence || !joins { 0 } else { separators }
}

/// Whether a word is a version: `4`, `4.5`, `v3`, `4o`, `70b`, `k2`, `20250514`. After a space, a plain number counts only up
/// to 9.
pub(super) fn is_version(word: &str, spaced: bool) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let plain = letters == 0 && !word.contains('.');
    digits > 0 && letters <= 2 && !(spaced && plain && digits > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Option<String> {
        let text = glyphs(text);
        let spelling = Spelling::of(name)?;
        (0..text.len()).filter(|&at| is_start(&text, at)).find_map(|at| {
            let end = spelling.end(&text, at)?;
            Some(text[at..end].iter().map(|glyph| glyph.letter).collect())
        })
    }

    #[test]
    fn a_plural_ends_where_its_s_does() {
        for (text, expected) in
            [("groks", Some("groks")), ("groksworth", None), ("groky", None), ("grok", Some("grok"))]
        {
            assert_eq!(found("grok", text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_dot_is_part_of_a_word_between_digits_alone() {
        for (text, expected) in [("5.1 pro", "5.1"), ("5.x", "5"), ("v.5", "v"), ("v5.", "v5")] {
            assert_eq!(word_at(&glyphs(text), 0), (expected.to_owned(), expected.len()), "{text}");
        }
    }

    #[test]
    fn a_name_is_found_however_it_is_spelled() {
        let texts = [
            "gpt-5.1",
            "GPT 5.1",
            "Gpt_5_1",
            "gpt51",
            "GPT5.1",
            "**GPT**-5.1",
            "g.p.t-5.1",
            "useGpt51Now",
            "v2GPT-5.1",
            "the GPT-5.1s",
            "GPT\n5.1",
            "(gpt‑5․1)",
        ];
        for text in texts {
            assert!(found("gpt-5.1", text).is_some(), "{text}");
        }
        for text in ["gpt-5.2", "gpt 5. 1", "egpt-5.1", "gpt", "GPT, 5.1"] {
            assert_eq!(found("gpt-5.1", text), None, "{text}");
        }
        for text in ["Open AI", "OPENAI_API_KEY", "openaiclient", "open-ai", "OpenAI's", "O p e n A I"] {
            assert!(found("openai", text).is_some(), "{text}");
        }
        for text in ["reopenai", "open the AI", "philopenai"] {
            assert_eq!(found("openai", text), None, "{text}");
        }
        for text in ["phi", "PHI-4", "phiNode"] {
            assert!(found("phi", text).is_some(), "{text}");
        }
        for text in ["philosophy", "delphi", "graphics", "p hi"] {
            assert_eq!(found("phi", text), None, "{text}");
        }
    }

    #[test]
    fn a_name_is_found_letter_by_letter() {
        for text in [
            "C|l|a|u|d|e",
            "[C][l][a][u][d][e]",
            "(c) (l) (a) (u) (d) (e)",
            "c, l, a, u, d, e",
            "C=l=a=u=d=e!",
        ] {
            assert!(found("claude", text).is_some(), "{text}");
        }
        assert!(found("grok", "[g][r][o][k]").is_some());
        for (name, text) in [
            ("xai", "x, a, i"),
            ("grok", "g, r, o, k"),
            ("claude", "C|l|a|u|d|ed"),
            ("claude", "C|l|a||||u|d|e"),
            ("o3", "o|3"),
        ] {
            assert_eq!(found(name, text), None, "{text}");
        }
    }

    #[test]
    fn versions_are_reported_from_counts() {
        for word in ["4", "4.5", "v3", "4o", "70b", "k2", "2.5"] {
            assert!(is_version(word, true), "{word}");
        }
        assert!(is_version("20250514", false));
        for word in ["20", "2026", "ms10x", "two"] {
            assert!(!is_version(word, true), "{word}");
        }
    }

    #[test]
    fn names_are_split_where_their_words_join() {
        assert_eq!(words("Claude-Sonnet_4.5"), ["claude", "sonnet", "4", "5"]);
        assert_eq!(words("gpt4o"), ["gpt", "4", "o"]);
        assert!(words("--").is_empty());
        assert_eq!(Spelling::of("-x-"), None);
    }
}
