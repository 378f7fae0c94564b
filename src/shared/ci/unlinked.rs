//! Text on a site such as GitHub, without what the site itself acts on: a mention notifies people, and "closes #12" closes an issue
//! when the change is merged.

use crate::shared::page::code_span;

/// An invisible break, spelled so that readers of the source see it.
const BREAK: &str = "&#8203;";

/// Markdown without mentions, references to issues and addresses that become links. Code spans stay as they are: sites don't look
/// into them.
pub(crate) fn unlinked(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(c) = rest.chars().next() {
        if let Some(span) = code_span(rest) {
            out.push_str(span);
            rest = &rest[span.len()..];
            continue;
        }
        let escape = usize::from(c == '\\' && rest.len() > 1);
        let acts = active(&rest[escape..]);
        let length = escape + acts.unwrap_or_else(|| step(&rest[escape..]));
        if c == '&' && !rest.starts_with("&lt;") {
            // Otherwise `&#64;` would become an `@`.
            out.push_str("&amp;");
        } else {
            out.push_str(&rest[..length]);
        }
        if acts.is_some() {
            out.push_str(BREAK);
        }
        rest = &rest[length..];
    }
    out
}

/// How many bytes are passed over at once: a run of backticks that opens no span, or a character.
fn step(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let first = text.chars().next().map_or(0, char::len_utf8);
    ticks.max(first)
}

/// Plain text, such as a title, without mentions and references to issues.
pub(crate) fn unlinked_plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = active(rest);
        out.push_str(&rest[..length.unwrap_or(c.len_utf8())]);
        if length.is_some() {
            out.push(' ');
        }
        rest = &rest[length.unwrap_or(c.len_utf8())..];
    }
    out
}

/// How many bytes at the beginning a site would act on together with what follows them; `None` when it wouldn't.
fn active(text: &str) -> Option<usize> {
    let starts =
        |prefix: &str| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let next = |length: usize| text[length..].chars().next();
    match () {
        () if starts("@") && next(1).is_some_and(char::is_alphanumeric) => Some(1),
        () if (starts("#") || starts("!")) && next(1).is_some_and(|c| c.is_ascii_digit()) => Some(1),
        () if starts("GH-") && next(3).is_some_and(|c| c.is_ascii_digit()) => Some(3),
        () if starts("://") => Some(1),
        () if starts("www.") => Some(3),
        () => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::shared::markdown::inline;
    use proptest::prelude::*;

    /// How many cells a row of a table has, as a Markdown renderer counts them.
    pub(crate) fn cells(line: &str) -> usize {
        line.replace("\\\\", "").replace("\\|", "").matches('|').count() - 1
    }

    #[test]
    fn what_a_site_acts_on_is_broken_and_code_stays() {
        for (text, expected) in [
            ("ask @octocat, closes #12", "ask @&#8203;octocat, closes #&#8203;12"),
            ("fixes GH-7 and gh-8", "fixes GH-&#8203;7 and gh-&#8203;8"),
            ("closes https://github.com/o/r/issues/1", "closes https:&#8203;//github.com/o/r/issues/1"),
            ("see www.example.org, merge !3", "see www&#8203;.example.org, merge !&#8203;3"),
            ("`npm i @org/x#1` @org", "`npm i @org/x#1` @&#8203;org"),
            ("a @ b # 3 é", "a @ b # 3 é"),
            ("&#64;octocat &commat;x a & b", "&amp;#&#8203;64;octocat &amp;commat;x a &amp; b"),
        ] {
            assert_eq!(unlinked(text), expected);
        }
        for (text, expected) in [
            ("#12 first", "\\#&#8203;12 first"),
            ("\\@octocat", "\\\\@&#8203;octocat"),
            ("an open ` @octocat `<b", "an open ` @octocat `&lt;b"),
            ("one ` and @octocat", "one \\` and @&#8203;octocat"),
            ("`a|` @octocat `", "\\`a\\|` @octocat `"),
        ] {
            assert_eq!(unlinked(&inline(text)), expected);
        }
        assert_eq!(
            unlinked_plain("Fix `x` for @octocat (closes #12)"),
            "Fix `x` for @ octocat (closes # 12)"
        );
    }

    proptest! {
        #[test]
        fn nothing_acts_outside_code(text in "[@#!aG`é:/1.w -]{0,30}") {
            let plain = unlinked_plain(&text);
            for at in plain.char_indices().map(|(at, _)| at) {
                prop_assert!(active(&plain[at..]).is_none(), "{plain:?}");
            }
            let written = unlinked(&text);
            prop_assert_eq!(written.replace(BREAK, ""), text);
        }
    }
}
