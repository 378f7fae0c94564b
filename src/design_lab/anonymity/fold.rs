//! Folds text for comparison: what looks like a letter counts as that letter, and invisible characters don't count.
//!
//! This takes 1.2 KB of the module. `unicode-normalization` would take 127 KB, with `unicode-security` 217 KB, and both together
//! miss two of the spellings in the test below: small capitals (ᴄʟᴀᴜᴅᴇ) and letters in black squares (🅛). The skeletons of
//! UTS #39 also turn `1` into `l`, `0` into `O` and `m` into `rn`, although names of models differ by numbers, and a glyph here
//! is one letter at one place.

use super::markup::{Unseen, unseen};
use kernel::visible::is_invisible;

/// One visible character of a text: its form for comparison, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    /// Lower case, without accents, Latin where it looks Latin.
    pub(super) letter: char,
    /// Whether the original is a capital.
    pub(super) capital: bool,
    /// Byte offset of the first original character.
    pub(super) start: usize,
    /// Byte offset after the last, including invisible ones that follow.
    pub(super) end: usize,
}

/// Returns the glyphs of a text.
pub(super) fn glyphs(text: &str) -> Vec<Glyph> {
    let mut glyphs: Vec<Glyph> = Vec::with_capacity(text.len());
    let mut after = 0;
    for (start, c) in text.char_indices() {
        if start < after {
            continue;
        }
        let (c, end) = match unseen(text, start) {
            None => (c, start + c.len_utf8()),
            Some(Unseen::Character(c, end)) => (c, end),
            Some(Unseen::Tag(end)) => {
                after = end;
                if let Some(last) = glyphs.last_mut() {
                    last.end = end;
                }
                continue;
            }
        };
        after = end;
        if is_invisible(c) || is_combining(c) {
            if let Some(last) = glyphs.last_mut() {
                last.end = end;
            }
            continue;
        }
        glyphs.push(Glyph { letter: letter(c), capital: c.is_uppercase(), start, end });
    }
    glyphs
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Returns the letter that a character looks like, in lower case.
fn letter(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    if let Some(plain) = compatible(c) {
        return plain;
    }
    let mut lower = c.to_lowercase();
    let lower = lower.next().unwrap_or(c);
    LOOKALIKES.iter().find(|(_, alike)| alike.contains(lower)).map_or(lower, |&(plain, _)| plain)
}

/// Maps full-width, circled and mathematical letters and digits (the alphabets that Unicode repeats in order).
fn compatible(c: char) -> Option<char> {
    let nth = |first: char, base: char, period: u32| {
        let index = (u32::from(c) - u32::from(first)) % period;
        char::from_u32(u32::from(base) + index)
    };
    let alphabet = |first: char| nth(first, 'a', 26);
    match c {
        '\u{3000}' => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => nth('\u{ff01}', '!', 94).map(|plain| plain.to_ascii_lowercase()),
        '\u{24b6}'..='\u{24e9}' => alphabet('\u{24b6}'),
        '\u{1d400}'..='\u{1d6a3}' => alphabet('\u{1d400}'),
        '\u{1d7ce}'..='\u{1d7ff}' => nth('\u{1d7ce}', '0', 10),
        '\u{1f130}'..='\u{1f149}' => alphabet('\u{1f130}'),
        '\u{1f150}'..='\u{1f169}' => alphabet('\u{1f150}'),
        '\u{1f170}'..='\u{1f189}' => alphabet('\u{1f170}'),
        _ => None,
    }
}

/// Accented Latin letters, and the Cyrillic, Greek, Armenian and small capital letters that look like Latin ones (after UTS
/// #39's confusables, in lower case).
const LOOKALIKES: [(char, &str); 30] = [
    ('a', "àáâãäåāăąǎαаᴀɑª"),
    ('b', "βвьʙᖯ"),
    ('c', "çćĉċčсϲᴄⅽ"),
    ('d', "ďđðԁᴅⅾ"),
    ('e', "èéêëēĕėęěεеєҽᴇ℮"),
    ('f', "ƒꜰϝ"),
    ('g', "ĝğġģɡԍɢց"),
    ('h', "ĥħһнηʜհ"),
    ('i', "ìíîïĩīĭįıιіɪⅰ"),
    ('j', "ĵјϳᴊ"),
    ('k', "ķκкᴋ"),
    ('l', "ĺļľŀłӏʟⅼ"),
    ('m', "мᴍⅿ"),
    ('n', "ñńņňŉŋνпɴո"),
    ('o', "òóôõöøōŏőοоσօᴏº"),
    ('p', "ρрᴘ"),
    ('q', "ԛգ"),
    ('r', "ŕŗřгʀ"),
    ('s', "śŝşšѕꜱ"),
    ('t', "ţťŧτтᴛ"),
    ('u', "ùúûüũūŭůűųυսᴜ"),
    ('v', "ѵᴠⅴ"),
    ('w', "ŵωԝᴡ"),
    ('x', "χхⅹ"),
    ('y', "ýÿŷγуүʏ"),
    ('z', "źżžζᴢ"),
    ('-', "‐‑‒−﹘﹣⁃"),
    ('.', "․·∙"),
    (
        ' ',
        "\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200a}\u{202f}\u{205f}",
    ),
    ('\'', "’ʼ′"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        glyphs(text).iter().map(|glyph| glyph.letter).collect()
    }

    #[test]
    fn what_looks_alike_folds_alike() {
        let cases = [
            ("Claude", "claude"),
            ("Ｃｌａｕｄｅ－４．５", "claude-4.5"),
            ("Сlаudе", "claude"),
            ("C\u{200b}l\u{ad}a\u{2060}ude", "claude"),
            ("ⒸⓛⒶⓤⓓⓔ", "claude"),
            ("\u{1f132}\u{1f15b}\u{1f170}\u{1f144}\u{1f153}\u{1f174}", "claude"),
            ("𝐂𝐥𝐚𝐮𝐝𝐞 𝟒", "claude 4"),
            ("𝒞𝓁𝖺𝗎𝖽𝖾", "claude"),
            ("ᴄʟᴀᴜᴅᴇ", "claude"),
            ("Cláu\u{308}de", "claude"),
            ("GPT‑5\u{3000}pro", "gpt-5 pro"),
            ("ΟρеnΑΙ", "openai"),
            ("日本語", "日本語"),
            ("Cl<b>au</b>de", "claude"),
            ("&#67;l&#x61;ude", "claude"),
            ("Cl\u{2800}aude", "claude"),
        ];
        for (text, expected) in cases {
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn glyphs_cover_the_text_with_what_follows_them() {
        let text = "a\u{200b}é\u{301}z";
        let spans: Vec<&str> = glyphs(text).iter().map(|glyph| &text[glyph.start..glyph.end]).collect();
        assert_eq!(spans, ["a\u{200b}", "é\u{301}", "z"]);
    }

    #[test]
    fn no_character_passes_for_two_letters() {
        let all: Vec<char> = LOOKALIKES.iter().flat_map(|(_, alike)| alike.chars()).collect();
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
