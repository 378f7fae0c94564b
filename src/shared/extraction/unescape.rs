//! Text whose quotes are escaped: JSON in a JSON string, or in XML.

use super::repair::RepairKind;
use std::borrow::Cow;

/// If the brace at `at` starts an object with escaped quotes: the text as it was before escaping, and where it ends.
pub(super) fn unpack(text: &str, at: usize) -> Option<(String, usize, RepairKind)> {
    let mut inside = text[at + 1..].trim_start();
    while let Some(rest) = ["\\n", "\\r", "\\t"].into_iter().find_map(|space| inside.strip_prefix(space)) {
        inside = rest.trim_start();
    }
    if inside.starts_with("\\\"") || inside.starts_with("\\\\") {
        let (plain, length) = json_unescape(&text[at..]);
        return Some((plain, at + length, RepairKind::DoubleEncoded));
    }
    if inside.strip_prefix("\"\"").is_some_and(|inside| inside.starts_with(char::is_alphanumeric)) {
        let (plain, length) = undouble_quotes(&text[at..]);
        return Some((plain, at + length, RepairKind::DoubleEncoded));
    }
    if ["&quot;", "&#34;", "&#x22;", "&apos;", "&#39;"].into_iter().any(|entity| inside.starts_with(entity)) {
        let length = text[at..].find('<').unwrap_or(text.len() - at);
        let plain = xml_unescape(&text[at..at + length]).into_owned();
        return Some((plain, at + length, RepairKind::Entity));
    }
    None
}

/// Undoes one level of JSON's escapes, up to a quote that isn't escaped; also returns the number of bytes read.
fn json_unescape(text: &str) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(index) = rest.find(['\\', '"']) {
        plain.push_str(&rest[..index]);
        rest = &rest[index..];
        if rest.starts_with('"') {
            return (plain, text.len() - rest.len());
        }
        let (c, length) = match rest.as_bytes().get(1) {
            Some(b'"') => ('"', 2),
            Some(b'/') => ('/', 2),
            Some(b'\\') => ('\\', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            // Other escapes have the same meaning one level down.
            _ => ('\\', 1),
        };
        plain.push(c);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    (plain, text.len())
}

/// Undoes the doubling of quotes, as in CSV, up to a quote that isn't doubled; also returns the number of bytes read.
fn undouble_quotes(text: &str) -> (String, usize) {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(index) = rest.find('"') {
        plain.push_str(&rest[..index]);
        let Some(after) = rest[index..].strip_prefix("\"\"") else {
            return (plain, text.len() - rest.len() + index);
        };
        plain.push('"');
        rest = after;
    }
    plain.push_str(rest);
    (plain, text.len())
}

fn xml_unescape(text: &str) -> Cow<'_, str> {
    const ENTITIES: [(&str, char); 9] = [
        ("&quot;", '"'),
        ("&#34;", '"'),
        ("&#x22;", '"'),
        ("&apos;", '\''),
        ("&#39;", '\''),
        ("&#x27;", '\''),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&amp;", '&'),
    ];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(index) = rest.find('&') {
        plain.push_str(&rest[..index]);
        rest = &rest[index..];
        let (entity, c) =
            ENTITIES.into_iter().find(|(entity, _)| rest.starts_with(entity)).unwrap_or(("&", '&'));
        plain.push(c);
        rest = &rest[entity.len()..];
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}
