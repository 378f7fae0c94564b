//! Markup that a reader doesn't see: tags within a word, and character references.

/// Markup in a text that readers see differently.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unseen {
    /// A tag within a word, and where it ends: `Cl<b>aude`.
    Tag(usize),
    /// A character, given by its number or name, and where the reference ends: `&#67;`.
    Character(char, usize),
}

/// Tags that change how letters look but keep the word whole.
const INLINE: [&str; 25] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "small", "span", "strong", "sub", "sup", "u", "wbr",
];
/// Names of invisible characters.
const INVISIBLE: [(&str, char); 6] = [
    ("nobreak", '\u{2060}'),
    ("shy", '\u{ad}'),
    ("zerowidthspace", '\u{200b}'),
    ("zwj", '\u{200d}'),
    ("zwnj", '\u{200c}'),
    ("nbsp", '\u{a0}'),
];
/// The longest tag or reference that is recognised; real ones are shorter.
const LONGEST: usize = 80;

/// Returns the invisible markup that starts here, if there is any.
pub(super) fn unseen(text: &str, start: usize) -> Option<Unseen> {
    match text.as_bytes()[start] {
        b'<' => tag(text, start).map(Unseen::Tag),
        b'&' => character(text, start),
        _ => None,
    }
}

/// Returns where the tags that start here end, if they are between two letters or digits of one
/// word.
fn tag(text: &str, start: usize) -> Option<usize> {
    let mut end = start;
    while text[end..].starts_with('<') {
        let inside = &text[end + 1..text.floor_char_boundary((end + LONGEST).min(text.len()))];
        let (inside, _) = inside.split_once('>')?;
        let name = inside.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let is_comment = inside.starts_with("!--") && inside.ends_with("--");
        if !is_comment && !INLINE.contains(&name.to_ascii_lowercase().as_str()) {
            return None;
        }
        end += inside.len() + 2;
    }
    let is_within = text[..start].ends_with(|c: char| c.is_alphanumeric() || c == ';')
        && text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '&');
    is_within.then_some(end)
}

/// Returns a character that is given by its number, or an invisible one that is given by its name.
fn character(text: &str, start: usize) -> Option<Unseen> {
    let inside = &text[start + 1..text.floor_char_boundary((start + LONGEST).min(text.len()))];
    let (name, _) = inside.split_once(';')?;
    let number = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => digits.parse(),
        },
        None => {
            let name = name.to_ascii_lowercase();
            let (_, c) = INVISIBLE.iter().find(|(known, _)| *known == name)?;
            Ok(u32::from(*c))
        }
    };
    let c = char::from_u32(number.ok()?)?;
    Some(Unseen::Character(c, start + 1 + name.len() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_within_a_word_isnt_seen_and_any_other_is() {
        let end = |text: &str| text.find('<').and_then(|start| tag(text, start));
        for (text, expected) in [
            ("Cl<b>aude", Some(5)),
            ("Cl</em>aude", Some(7)),
            ("Cl<b><i>aude", Some(8)),
            ("Cl<span class=\"x\">aude", Some(18)),
            ("Cl<!-- x -->aude", Some(12)),
            ("Vec<String>of", None),
            ("a <b>bold</b> word", None),
            ("1<2", None),
            ("x<b", None),
            ("end</b>", None),
        ] {
            assert_eq!(end(text), expected, "{text}");
        }
    }

    #[test]
    fn characters_are_read_by_their_numbers() {
        for (text, expected) in [
            ("&#67;laude", Some(('C', 5))),
            ("&#x43;", Some(('C', 6))),
            ("&shy;x", Some(('\u{ad}', 5))),
            ("&ZeroWidthSpace;", Some(('\u{200b}', 16))),
            ("&amp;", None),
            ("&#1114112;", None),
            ("a && b;", None),
            ("&", None),
            ("&é;", None),
        ] {
            let found = text.find('&').and_then(|start| character(text, start));
            assert_eq!(found, expected.map(|(c, end)| Unseen::Character(c, end)), "{text}");
        }
    }
}
