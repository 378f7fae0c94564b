//! Where a pattern occurs in a text. A pattern is a piece of text, never an expression: no character of it has a meaning of its own.
//!
//! *Exact* occurrences are whole: an identifier isn't part of a longer one, and an operator isn't part of a longer one. *Similar*
//! ones ignore case and may be part of a longer name. They are shown, and decide nothing.

use kernel::json::Deserialize;
use serde::Serialize;
use std::borrow::Cow;

/// How many occurrences of each kind are listed for a text.
pub(super) const MOST: usize = 2_000;
/// The length up to which a line is shown whole, in characters.
const LINE: usize = 160;
/// How many letters and digits a pattern needs to have similar occurrences.
const LEAST: usize = 3;

/// An occurrence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowUse"))]
pub struct Use {
    /// Its line, counted from 1.
    pub line: u32,
    /// Its line without margins, or the part of it around the occurrence.
    pub text: String,
}

/// The occurrences in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Those that a rule would check.
    pub exact: Vec<Use>,
    /// Those that only a person can judge.
    pub similar: Vec<Use>,
    /// Whether there are more than are listed.
    pub more: bool,
}

/// Where a pattern occurs in a text.
pub fn uses(pattern: &str, text: &str) -> Uses {
    let text = unified(pattern, text);
    let (exact, mut more) = at_most(exact_at(pattern, &text));
    let letters = pattern.chars().filter(|c| c.is_alphanumeric()).count();
    let (folded, wanted) = (text.to_ascii_lowercase(), pattern.to_ascii_lowercase());
    let (similar, further) = if letters < LEAST {
        (Vec::new(), false)
    } else {
        let mut exact = exact.iter().copied().peekable();
        at_most(overlapping(&wanted, &folded).filter(move |at| {
            while exact.next_if(|one| one < at).is_some() {}
            exact.peek() != Some(at)
        }))
    };
    more |= further;
    Uses { exact: shown(&text, pattern, &exact), similar: shown(&text, pattern, &similar), more }
}

/// The exact occurrences alone; `None` when there are more than can be listed.
pub(super) fn exact(pattern: &str, text: &str) -> Option<Vec<Use>> {
    let text = unified(pattern, text);
    let (found, more) = at_most(exact_at(pattern, &text));
    (!more).then(|| shown(&text, pattern, &found))
}

/// The text with the line breaks that patterns have.
fn unified<'a>(pattern: &str, text: &'a str) -> Cow<'a, str> {
    if pattern.contains('\n') { text.replace("\r\n", "\n").into() } else { text.into() }
}

fn at_most(found: impl Iterator<Item = usize>) -> (Vec<usize>, bool) {
    let mut found: Vec<usize> = found.take(MOST + 1).collect();
    let more = found.len() > MOST;
    found.truncate(MOST);
    (found, more)
}

/// The places of exact occurrences, in bytes. None overlaps another.
fn exact_at<'a>(pattern: &'a str, text: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut free = 0;
    overlapping(pattern, text).filter(move |&at| {
        let end = at + pattern.len();
        let is_free = at >= free && is_whole(pattern, &text[..at], &text[end..]);
        if is_free {
            free = end;
        }
        is_free
    })
}

/// The places where a text contains a pattern, including those that overlap.
fn overlapping<'a>(pattern: &'a str, text: &'a str) -> impl Iterator<Item = usize> + 'a {
    let step = pattern.chars().next().map_or(1, char::len_utf8);
    let mut from = 0;
    std::iter::from_fn(move || {
        if pattern.is_empty() {
            return None;
        }
        let at = from + text.get(from..)?.find(pattern)?;
        from = at + step;
        Some(at)
    })
}

/// Whether an occurrence between these texts is no part of a longer name or operator.
fn is_whole(pattern: &str, before: &str, after: &str) -> bool {
    let is_operator = pattern.chars().all(is_operator_sign);
    let ends_free = |edge: Option<char>, next: Option<char>, beyond: Option<char>| {
        if edge.is_some_and(is_of_name) {
            let is_joined = next == Some('-') && beyond.is_some_and(char::is_alphabetic);
            return !next.is_some_and(is_of_name) && !is_joined;
        }
        !is_operator || !next.is_some_and(is_operator_sign)
    };
    let (mut left, mut right) = (before.chars().rev(), after.chars());
    ends_free(pattern.chars().next(), left.next(), left.next())
        && ends_free(pattern.chars().next_back(), right.next(), right.next())
}

/// Whether identifiers contain this character: letters and digits of any script with their marks, and the underscore.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || ('\u{300}'..='\u{36f}').contains(&c)
}

fn is_operator_sign(c: char) -> bool {
    "=<>!&|+-*/%^~?".contains(c)
}

/// The lines of these places, which are in order.
fn shown(text: &str, pattern: &str, places: &[usize]) -> Vec<Use> {
    let (mut line, mut start, mut seen) = (1, 0, 0);
    places
        .iter()
        .map(|&at| {
            for (index, _) in text[seen..at].match_indices('\n') {
                line += 1;
                start = seen + index + 1;
            }
            seen = at;
            Use { line, text: excerpt(text, start, at, at + pattern.len()) }
        })
        .collect()
}

/// The line of an occurrence, or the part of it around the occurrence.
fn excerpt(text: &str, start: usize, at: usize, end: usize) -> String {
    let margin = LINE / 2;
    let left: Vec<char> = text[start..at].chars().rev().take(margin + 1).collect();
    let right: Vec<char> = text[end..].chars().take_while(|c| *c != '\n').take(margin + 1).collect();
    let cut = |part: &[char]| part.len() > margin;
    let mut out = String::new();
    if cut(&left) {
        out.push('…');
    }
    out.extend(left.iter().take(margin).rev());
    out.push_str(&text[at..end]);
    out.extend(right.iter().take(margin));
    if cut(&right) {
        out.push('…');
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_exact_occurrence_is_a_whole_one_in_any_language() {
        for (pattern, text, exact, similar) in [
            ("moment", "import moment from \"moment\";", 2, 0),
            ("moment", "moments Moment momentum a_moment moment2", 0, 5),
            ("moment", "moment-timezone x-moment moment - 1", 1, 2),
            ("moment", "$moment @moment moment.utc() (moment)", 4, 0),
            ("any", "x: any[] = many; // anything", 1, 2),
            ("console.log", "console.log(1); consoleXlog(2); myconsole.log(3)", 1, 1),
            ("eval(", "eval(x); retrieval(y)", 1, 1),
            (".unwrap()", "a.unwrap(); b.unwrap()?; c.unwrap_or()", 2, 0),
            ("==", "a == b; a === b; a != b; a==b; a <= b", 2, 0),
            ("[a-z]+", "[a-z]+ abc", 1, 0),
            (".*", "x.*; xyz", 1, 0),
            ("größe", "größe Größe größen", 1, 2),
            ("é", "é e\u{301}", 1, 0),
            ("cafe", "cafe cafe\u{301}", 1, 1),
            ("a a", "xa a a", 1, 0),
            ("`x`", "``x`` `x`", 2, 0),
            ("System.out.println", "System.out.println(x)", 1, 0),
            ("日本", "日本 日本語", 1, 0),
            ("", "anything", 0, 0),
        ] {
            let found = uses(pattern, text);
            assert_eq!(
                (found.exact.len(), found.similar.len()),
                (exact, similar),
                "{pattern} in {text}: {found:?}"
            );
        }
    }

    #[test]
    fn an_occurrence_has_its_line_and_a_long_line_is_cut() {
        let found = uses("b", "a\n  b c\r\nb\n").exact;
        let lines: Vec<_> = found.iter().map(|one| (one.line, one.text.as_str())).collect();
        assert_eq!(lines, [(2, "b c"), (3, "b")]);
        let long = format!("{}needle{}", "x ".repeat(500_000), " y".repeat(500_000));
        let found = uses("needle", &long).exact;
        assert_eq!(found.len(), 1);
        assert!(
            found[0].text.starts_with('…')
                && found[0].text.ends_with('…')
                && found[0].text.contains("needle")
        );
        assert!(found[0].text.chars().count() <= LINE + 8);
        let many = uses("x", &"x ".repeat(500_000));
        assert_eq!((many.exact.len(), many.more), (MOST, true));
        assert_eq!(exact("x", &"x ".repeat(500_000)), None);
        assert_eq!(uses("foo(\n  1)", "foo(\r\n  1)").exact.len(), 1);
    }

    proptest! {
        #[test]
        fn whatever_is_searched(pattern in "[ab_.*=é\n-]{0,3}", text in "[abAB_.*=é \n\r-]{0,60}") {
            let found = uses(&pattern, &text);
            prop_assert_eq!(exact(&pattern, &text), Some(found.exact.clone()));
            prop_assert!(found.exact.len() <= text.len());
        }

        #[test]
        fn a_name_among_spaces_is_found_as_often_as_it_is_there(times in 0usize..20) {
            let text = "moment momentum\n".repeat(times);
            let found = uses("moment", &text);
            prop_assert_eq!((found.exact.len(), found.similar.len()), (times, times));
        }
    }
}
