//! Known keys with invisible characters between their letters.

use super::MARK;
use crate::visible::is_invisible;
use design_lab_numerics::sorting::sort;

/// The text without these keys, even with invisible characters between their letters.
pub(super) fn without(keys: &[String], text: String) -> String {
    let Some((plain, places)) = seen(&text) else { return text };
    let mut found: Vec<(usize, usize)> = Vec::new();
    for key in keys {
        for (start, _) in plain.match_indices(key.as_str()) {
            let last = start + key.len() - 1;
            // From the first letter to the end of the last one.
            found.push((places[start], places[last] + 1));
        }
    }
    if found.is_empty() {
        return text;
    }
    sort(&mut found);
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (start, end) in found {
        if start >= from {
            out.push_str(&text[from..start]);
            out.push_str(MARK);
        }
        from = from.max(end);
    }
    out.push_str(&text[from..]);
    out
}

/// The visible part of a text, and the position of each of its bytes in the text; `None` when all of it is visible.
fn seen(text: &str) -> Option<(String, Vec<usize>)> {
    let may_hide = |c: char| is_invisible(c) || matches!(c, '\\' | '[' | '&');
    text.contains(may_hide).then_some(())?;
    let (mut plain, mut places, mut at) =
        (String::with_capacity(text.len()), Vec::with_capacity(text.len()), 0);
    while let Some(c) = text[at..].chars().next() {
        let hidden = if is_invisible(c) { c.len_utf8() } else { spelled(&text[at..]) };
        if hidden == 0 {
            places.extend(at..at + c.len_utf8());
            plain.push(c);
        }
        at += hidden.max(c.len_utf8());
    }
    (plain.len() < text.len()).then_some((plain, places))
}

/// The length in bytes of an invisible character's escape at the beginning: `\u200b`, `[U+200B]`, `&#8203;`, `&#x200B;`.
fn spelled(text: &str) -> usize {
    let number = |start: &str, radix: u32, end: &str| {
        let rest = text.strip_prefix(start)?;
        let most = rest.len().min(8);
        let digits = rest.as_bytes()[..most].iter().take_while(|c| c.is_ascii_hexdigit()).count();
        let digits = if end.is_empty() { digits.min(4) } else { digits };
        let code = u32::from_str_radix(&rest[..digits], radix).ok()?;
        let is_whole = rest[digits..].starts_with(end) && char::from_u32(code).is_some_and(is_invisible);
        is_whole.then_some(start.len() + digits + end.len())
    };
    [("\\u", 16, ""), ("[U+", 16, "]"), ("&#x", 16, ";"), ("&#", 10, ";")]
        .into_iter()
        .find_map(|(start, radix, end)| number(start, radix, end))
        .unwrap_or(0)
}
