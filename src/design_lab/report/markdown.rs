//! Pieces of Markdown (GitHub's flavour), with text by models and providers escaped so that it remains text.

use super::piece::Piece;
use crate::shared::page::code_span;
use kernel::visible;
use std::fmt::Write as _;

/// Writes the pieces of a section, one after the other.
pub(super) fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().fold(String::new(), |mut out, piece| {
        let _ = match piece {
            Piece::Heading(text) => writeln!(out, "### {}\n", inline(text)),
            Piece::Text(text) => writeln!(out, "{}\n", inline(text)),
            Piece::List(items) => writeln!(out, "{}", quoted_list(items)),
            Piece::Table(one) => {
                // Numbers are generated here and need no escaping, which would turn 0.5 into a list item.
                let cell =
                    |(text, number): (&String, &bool)| if *number { text.clone() } else { inline(text) };
                let rows: Vec<Vec<String>> =
                    one.rows.iter().map(|row| row.iter().zip(&one.numbers).map(cell).collect()).collect();
                writeln!(out, "{}", table(&one.headings, &one.numbers, &rows))
            }
        };
        out
    })
}

/// Returns a table of numbers: `corner` heads the first column, which names the rows, `names` head the others.
pub(super) fn table_of_numbers(corner: &str, names: &[String], rows: &[Vec<String>]) -> String {
    let headings: Vec<&str> = [corner].into_iter().chain(names.iter().map(String::as_str)).collect();
    let right: Vec<bool> = (0..headings.len()).map(|column| column > 0).collect();
    table(&headings, &right, rows)
}

/// Returns a table with a heading row; `right` marks the columns that are numbers. Cells are already [`inline`]
/// Markdown.
pub(super) fn table(headings: &[&str], right: &[bool], rows: &[Vec<String>]) -> String {
    let mut out =
        format!("| {} |\n|", headings.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>().join(" | "));
    for is_right in right {
        out.push_str(if *is_right { " ---: |" } else { " --- |" });
    }
    out.push('\n');
    for row in rows {
        let _ = writeln!(out, "| {} |", row.join(" | "));
    }
    out
}

/// Returns a bulleted list of [`inline`] items; empty without items.
pub(super) fn list(items: &[impl AsRef<str>]) -> String {
    items.iter().fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "- {}", item.as_ref());
        out
    })
}

/// Returns a bulleted list of foreign texts.
pub(super) fn quoted_list(items: &[impl AsRef<str>]) -> String {
    list(&items.iter().map(|item| inline(item.as_ref())).collect::<Vec<_>>())
}

/// Returns foreign text as one line that remains text in a table, a list or a heading: it can't become a tag, link,
/// image, heading or cell. Code between backticks and emphasis are kept.
pub(super) fn inline(text: &str) -> String {
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

/// Returns foreign Markdown of several blocks: its tags, links and images become text, and its headings rank below the
/// section that contains it.
///
/// A Markdown renderer must never treat as prose what is passed as code here, since code is passed unchanged. A code
/// block therefore doesn't keep its original fence, which a list or a quotation around it may end early: it gets a new
/// fence at the margin, longer than any run of backticks inside, which is always closed. All other text is escaped line
/// by line, and no line leaves a backtick open that a later one could close.
pub(super) fn blocks(text: &str) -> String {
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
        Some(b'.' | b')') if digits > 0 => true,
        Some(b'#' | b'>' | b'+' | b'-' | b'=' | b'~') if digits == 0 => true,
        Some(b'*' | b'_') if digits == 0 => {
            line.len() == 1 || line[1..].starts_with([' ', '*', '_']) && !line.starts_with("**")
        }
        _ => false,
    }
}

/// Returns a text as one line, to be shortened.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
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
            ("- item", "\\- item"),
            ("", ""),
        ] {
            assert_eq!(inline(text), expected);
        }
    }

    /// Tests pairs of a model's text and the text written for it, each after its line of dashes.
    #[test]
    fn code_stays_code_and_prose_stays_prose() {
        let mut cases =
            include_str!("../../../tests/design_lab/report/foreign-blocks.txt").split("\n---- ").skip(1);
        let mut count = 0;
        while let (Some(given), Some(written)) = (cases.next(), cases.next()) {
            let (name, given) = given.split_once('\n').expect("a name");
            let (_, written) = written.split_once('\n').expect("a line");
            assert_eq!(blocks(given), written.trim_end_matches('\n'), "{name}");
            count += 1;
        }
        assert!(count > 20, "{count} cases");
    }

    /// Returns the lines outside code in the output of [`blocks`], as a Markdown renderer sees it: fences at the margin
    /// count.
    fn outside_of_code(written: &str) -> String {
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
            let mut rest = prose.as_str();
            while let Some(c) = rest.chars().next() {
                let skip = match c {
                    '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                    '`' => {
                        let line = rest.lines().next().unwrap_or_default();
                        code_span(line).expect("a live backtick is closed on its line").len()
                    }
                    other => {
                        prop_assert!(other != '<', "{prose:?}");
                        prop_assert!(!["](", "][", "]:"].iter().any(|link| rest.starts_with(link)), "{prose:?}");
                        other.len_utf8()
                    }
                };
                rest = &rest[skip..];
            }
        }

        #[test]
        fn no_text_opens_a_tag_a_link_or_a_cell(text in "[a`<\\[\\]()|\\\\ #\n]{0,40}") {
            let line = inline(&text);
            prop_assert!(!line.contains('\n'));
            // What a renderer sees outside code: after skipping escapes and code spans, no active markup is left.
            let mut rest = line.as_str();
            while let Some(c) = rest.chars().next() {
                let skip = match c {
                    '\\' => 2,
                    '`' => {
                        let span = code_span(rest).expect("a live backtick opens a span");
                        prop_assert!(!span.contains('|'));
                        span.len()
                    }
                    other => {
                        prop_assert!(!"<[]|".contains(other), "{line:?}");
                        other.len_utf8()
                    }
                };
                rest = &rest[skip.min(rest.len())..];
            }
        }
    }
}
