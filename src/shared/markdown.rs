//! Text by models, providers and programs as Markdown (GitHub's flavour): it remains text, loads nothing and can't look like a
//! section of the page.

use super::page::code_span;
use kernel::visible;
use std::fmt::Write as _;

/// Returns foreign text as one line that remains text in a table, a list or a heading: it can't become a tag, link,
/// image, heading or cell. Code between backticks and emphasis are kept.
pub(crate) fn inline(text: &str) -> String {
    let line = visible::line(text);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    if starts_a_block(rest) {
        // "1." is escaped at its dot, all others at their first character.
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(&rest[..digits]);
        out.push('\\');
        out.push_str(&rest[digits..=digits]);
        rest = &rest[digits + 1..];
    }
    while let Some(c) = rest.chars().next() {
        let end = match c {
            '`' => match code_span(rest).filter(|span| !span.contains(['|', '\\'])) {
                Some(span) => {
                    out.push_str(span);
                    span.len()
                }
                None => {
                    let run = rest.len() - rest.trim_start_matches('`').len();
                    out.push_str(&"\\`".repeat(run));
                    run
                }
            },
            '<' => {
                out.push_str("&lt;");
                1
            }
            '\\' | '|' | '[' | ']' => {
                out.extend(['\\', c]);
                1
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[end..];
    }
    out
}

/// Returns foreign text as code on one line, whatever backticks it contains.
pub(crate) fn code(text: &str) -> String {
    let line = visible::line(text);
    match line.split(|letter| letter != '`').map(str::len).max().unwrap_or(0) {
        0 => format!("`{line}`"),
        longest => {
            let mark = "`".repeat(longest + 1);
            format!("{mark} {line} {mark}")
        }
    }
}

/// Returns foreign Markdown of several blocks: its tags, links and images become text, and its headings rank below the
/// section that contains it.
///
/// A Markdown renderer must never treat as prose what is passed as code here, since code is passed unchanged. A code
/// block therefore doesn't keep its original fence, which a list or a quotation around it may end early: it gets a new
/// fence at the margin, longer than any run of backticks inside, which is always closed. All other text is escaped line
/// by line, and no line leaves a backtick open that a later one could close.
pub(crate) fn blocks(text: &str) -> String {
    let text = visible::text(text);
    let mut out = String::with_capacity(text.len());
    let mut lines = text.trim().lines();
    while let Some(line) = lines.next() {
        let Some(fence) = Fence::opened_by(line) else {
            out.push_str(&disarmed(line));
            out.push('\n');
            continue;
        };
        let code: Vec<&str> = lines.by_ref().take_while(|line| !fence.is_closed_by(line)).collect();
        let longest = code.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
        let mark = "`".repeat(3.max(longest + 1));
        let _ = writeln!(out, "{mark}{}", fence.language);
        for line in code {
            let dent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let _ = writeln!(out, "{}", &line[dent.min(fence.dent)..]);
        }
        let _ = writeln!(out, "{mark}");
    }
    out.truncate(out.trim_end().len());
    out
}

/// The fence that opens a block of code.
struct Fence<'a> {
    mark: char,
    length: usize,
    /// The white space before it, in bytes.
    dent: usize,
    /// The name of the language; empty if there is none.
    language: &'a str,
}

impl<'a> Fence<'a> {
    fn opened_by(line: &'a str) -> Option<Self> {
        let bare = line.trim_start();
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = bare.trim_start_matches(mark);
        let length = bare.len() - info.len();
        let word = info.split_whitespace().next().unwrap_or_default();
        let is_language = word.chars().all(|c| c.is_ascii_alphanumeric() || "+-#_.".contains(c));
        (length >= 3 && !info.contains('`')).then(|| Self {
            mark,
            length,
            dent: line.len() - bare.len(),
            language: if is_language { word } else { "" },
        })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let bare = line.trim();
        bare.len() >= self.length && bare.chars().all(|c| c == self.mark)
    }
}

/// Returns a line of prose without tags, links and images; a heading moves two levels down.
fn disarmed(line: &str) -> String {
    let bare = line.trim_start();
    let level = bare.bytes().take_while(|&byte| byte == b'#').count();
    let is_heading = (1..=6).contains(&level) && bare[level..].chars().next().is_none_or(char::is_whitespace);
    let deeper = if is_heading { 6.min(level + 2) - level } else { 0 };
    let mut out = "#".repeat(deeper);
    if !bare.is_empty() && bare.trim_end().chars().all(|c| c == '=') {
        // Below a line of text, it would turn that line into a heading.
        out.push('\\');
    } else if bare.starts_with('-') && bare.chars().all(|c| c == '-' || c.is_whitespace()) {
        // So would this; a rule of asterisks is always a rule.
        return if bare.matches('-').count() < 3 { "\\-".to_owned() } else { "***".to_owned() };
    }
    let mut rest = if is_heading { bare } else { line };
    while let Some(c) = rest.chars().next() {
        if let Some(span) = code_span(rest) {
            out.push_str(span);
            rest = &rest[span.len()..];
            continue;
        }
        let next = rest[c.len_utf8()..].chars().next();
        let length = match c {
            '<' => {
                out.push_str("&lt;");
                1
            }
            '`' => {
                let run = rest.len() - rest.trim_start_matches('`').len();
                out.push_str(&"\\`".repeat(run));
                run
            }
            // Escaped characters stay escaped.
            '\\' if next.is_some_and(|c| c.is_ascii_punctuation() && c != '<') => {
                out.push_str(&rest[..2]);
                2
            }
            '\\' => {
                out.push_str("\\\\");
                1
            }
            ']' if next.is_some_and(|c| matches!(c, '(' | '[' | ':')) => {
                out.push_str("\\]");
                1
            }
            other => {
                out.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    out
}

/// Whether a line would start a heading, a quotation, a list, a rule or a code block.
fn starts_a_block(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().get(digits) {
        // Not a number such as 1.61.
        Some(b'.' | b')') if digits > 0 => line[digits + 1..].chars().next().is_none_or(char::is_whitespace),
        Some(b'#' | b'>' | b'+' | b'-' | b'=' | b'~') if digits == 0 => true,
        Some(b'*' | b'_') if digits == 0 => {
            line.len() == 1 || line[1..].starts_with([' ', '*', '_']) && !line.starts_with("**")
        }
        _ => false,
    }
}

/// What a renderer makes of Markdown, for tests of what remains live in it.
#[cfg(test)]
pub(crate) mod rendered {
    use super::code_span;

    /// Returns the lines outside code in the output of [`blocks`], as a Markdown renderer sees it: fences at the margin
    /// count.
    pub(super) fn outside_of_code(written: &str) -> String {
        let mut out = String::new();
        let mut open: Option<usize> = None;
        for line in written.lines() {
            let run = line.len() - line.trim_start_matches('`').len();
            match open {
                None if run >= 3 && !line[run..].contains('`') => open = Some(run),
                None => {
                    out.push_str(line);
                    out.push('\n');
                }
                Some(length) if run >= length && line.trim_end().len() == run => open = None,
                Some(_) => {}
            }
        }
        assert_eq!(open, None, "every block of code is closed: {written}");
        out
    }

    /// Prose without its escapes, and the code spans in it.
    pub(super) struct Inlines<'a> {
        /// A dot stands for each escape and each span.
        pub(super) prose: String,
        pub(super) spans: Vec<&'a str>,
    }

    /// Reads text outside blocks of code. Panics if a live backtick isn't closed on its line, because a later line could close it.
    pub(super) fn inlines(text: &str) -> Inlines<'_> {
        let mut out = Inlines { prose: String::new(), spans: Vec::new() };
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let (shown, length) = match letter {
                '\\' => ('·', 1 + rest[1..].chars().next().map_or(0, char::len_utf8)),
                '`' => {
                    let line = rest.lines().next().unwrap_or_default();
                    let span = code_span(line).expect("a live backtick is closed on its line");
                    out.spans.push(span);
                    ('·', span.len())
                }
                other => (other, other.len_utf8()),
            };
            out.prose.push(shown);
            rest = &rest[length..];
        }
        out
    }

    /// Asserts that a page has no tag, no image, and no link but those of Flow's pages to their own files.
    pub(crate) fn assert_inert(page: &str) {
        let text = outside_of_code(page);
        let prose = inlines(&text).prose;
        assert!(!prose.contains('<'), "{prose}");
        let own = |link: &str| link.starts_with("../../") || link.starts_with("features/");
        assert!(prose.split("](").skip(1).all(own), "{prose}");
    }
}

#[cfg(test)]
mod tests {
    use super::rendered::{inlines, outside_of_code};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn foreign_text_stays_text() {
        for (text, expected) in [
            ("plain, snake_case and **bold**", "plain, snake_case and **bold**"),
            ("a | b\nc", "a \\| b c"),
            ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
            ("[safe](https://evil.example)", "\\[safe\\](https://evil.example)"),
            ("![x](y)", "!\\[x\\](y)"),
            ("use `Vec<u8>` here", "use `Vec<u8>` here"),
            ("a `b|c` d", "a \\`b\\|c\\` d"),
            ("open ` tick", "open \\` tick"),
            ("\\<b>", "\\\\&lt;b>"),
            ("# heading", "\\# heading"),
            ("1. item", "1\\. item"),
            ("1.61.0", "1.61.0"),
            ("- item", "\\- item"),
            ("", ""),
        ] {
            assert_eq!(inline(text), expected);
        }
    }

    #[test]
    fn code_has_a_mark_that_it_does_not_contain() {
        for (text, expected) in [
            ("npm test", "`npm test`"),
            ("a `b` ![c](d)", "`` a `b` ![c](d) ``"),
            ("``", "``` `` ```"),
            ("a\nb", "`a b`"),
        ] {
            assert_eq!(code(text), expected);
            assert_eq!(code_span(expected), Some(expected));
        }
    }

    /// Tests pairs of a model's text and the text written for it, each after its line of dashes.
    #[test]
    fn code_stays_code_and_prose_stays_prose() {
        let mut cases =
            include_str!("../../tests/design_lab/report/foreign-blocks.txt").split("\n---- ").skip(1);
        let mut count = 0;
        while let (Some(given), Some(written)) = (cases.next(), cases.next()) {
            let (name, given) = given.split_once('\n').expect("a name");
            let (_, written) = written.split_once('\n').expect("a line");
            assert_eq!(blocks(given), written.trim_end_matches('\n'), "{name}");
            count += 1;
        }
        assert!(count > 20, "{count} cases");
    }

    #[test]
    fn foreign_blocks_close_what_they_open_and_stay_below_their_section() {
        assert_eq!(
            blocks("# Top\n\ntext <b>\n\n```html\n<b>"),
            "### Top\n\ntext &lt;b>\n\n```html\n<b>\n```"
        );
        assert_eq!(
            blocks("see [here](javascript:x) and `a[0](b)`"),
            "see [here\\](javascript:x) and `a[0](b)`"
        );
        assert_eq!(blocks("[a]: https://evil.example"), "[a\\]: https://evil.example");
    }

    proptest! {
        #[test]
        fn no_block_leaves_a_tag_or_a_link(
            text in "(`{1,4}|~{3,4}| {1,5}|\n|- |> |1\\. |<img src=x>|!\\[a\\]\\(b\\)|\\[a\\]: b|\\\\|[a#=\r\u{b}\u{2028}-]){0,24}",
        ) {
            let prose = outside_of_code(&blocks(&text));
            // Within and across lines: if each live backtick is closed on its line, spans are what they seem to be.
            let prose = inlines(&prose).prose;
            prop_assert!(!["<", "](", "][", "]:"].iter().any(|live| prose.contains(live)), "{prose:?}");
        }

        #[test]
        fn no_text_opens_a_tag_a_link_or_a_cell(text in "[a`<\\[\\]()|\\\\ #\n]{0,40}") {
            let line = inline(&text);
            prop_assert!(!line.contains('\n'));
            let seen = inlines(&line);
            prop_assert!(!seen.spans.iter().any(|span| span.contains('|')), "{line:?}");
            prop_assert!(!seen.prose.contains(['<', '[', ']', '|']), "{line:?}");
        }
    }
}
