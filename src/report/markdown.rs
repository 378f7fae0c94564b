//! Pieces of Markdown (GitHub's flavour), and text by models and providers made to stay text in it.

use super::piece::Piece;
use std::fmt::Write as _;

/// Pieces of a section, one after the other.
pub(super) fn pieces(pieces: &[Piece]) -> String {
    pieces.iter().fold(String::new(), |mut out, piece| {
        let _ = match piece {
            Piece::Heading(text) => writeln!(out, "### {}\n", inline(text)),
            Piece::Text(text) => writeln!(out, "{}\n", inline(text)),
            Piece::List(items) => writeln!(out, "{}", quoted_list(items)),
            Piece::Table(one) => {
                // Numbers are written here and need no care, which would turn 0.5 into a list's item.
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

/// A table of numbers: `corner` heads the first column, which names the rows, `names` head the others.
pub(super) fn table_of_numbers(corner: &str, names: &[String], rows: &[Vec<String>]) -> String {
    let headings: Vec<&str> = [corner].into_iter().chain(names.iter().map(String::as_str)).collect();
    let right: Vec<bool> = (0..headings.len()).map(|column| column > 0).collect();
    table(&headings, &right, rows)
}

/// A table with a heading row; `right` says which columns are numbers. Cells are [`inline`] Markdown already.
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

/// A bulleted list of [`inline`] items; nothing for no items.
pub(super) fn list(items: &[impl AsRef<str>]) -> String {
    items.iter().fold(String::new(), |mut out, item| {
        let _ = writeln!(out, "- {}", item.as_ref());
        out
    })
}

/// A bulleted list of foreign texts.
pub(super) fn quoted_list(items: &[impl AsRef<str>]) -> String {
    list(&items.iter().map(|item| inline(item.as_ref())).collect::<Vec<_>>())
}

/// Foreign text as one line that stays text wherever it stands, in a table, a list or a heading: no tag, link, image,
/// heading or cell comes of it. Code between backticks and emphasis stay what they are.
pub(super) fn inline(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    if starts_a_block(rest) {
        // "1." is disarmed at its dot, all others at their first character.
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

/// Foreign Markdown of several blocks: its tags and links become text, a code fence left open is closed, and its headings
/// stand below the section that holds it.
pub(super) fn blocks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.trim().lines() {
        let bare = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                // What follows the fence is a word or two about the language, no place for markup.
                out.push_str(&line.replace('<', "&lt;"));
            }
            (Some(open), Some(mark)) if open == mark && bare.trim_end().chars().all(|c| mark.contains(c)) => {
                fence = None;
                out.push_str(line);
            }
            (Some(_), _) => out.push_str(line),
            (None, None) => out.push_str(&disarmed(line)),
        }
        out.push('\n');
    }
    if let Some(mark) = fence {
        out.push_str(mark);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}

/// A line of prose without tags and links; a heading goes two levels down.
fn disarmed(line: &str) -> String {
    let bare = line.trim_start();
    let level = bare.bytes().take_while(|&byte| byte == b'#').count();
    let deeper =
        if (1..=6).contains(&level) && bare[level..].starts_with(' ') { 6.min(level + 2) - level } else { 0 };
    let mut out = "#".repeat(deeper);
    let mut rest = if deeper > 0 { bare } else { line };
    while let Some(c) = rest.chars().next() {
        if let Some(span) = code_span(rest) {
            out.push_str(span);
            rest = &rest[span.len()..];
            continue;
        }
        match c {
            '<' => out.push_str("&lt;"),
            ']' if rest[1..].starts_with(['(', '[', ':']) => out.push_str("\\]"),
            other => out.push(other),
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The code span that a text begins with: a run of backticks up to the next run of the same length.
pub(super) fn code_span(text: &str) -> Option<&str> {
    let run = text.len() - text.trim_start_matches('`').len();
    if run == 0 {
        return None;
    }
    let mut from = run;
    loop {
        let start = from + text[from..].find('`')?;
        let length = text.len() - start - text[start..].trim_start_matches('`').len();
        if length == run {
            return Some(&text[..start + length]);
        }
        from = start + length;
    }
}

/// Whether a line would begin a heading, a quotation, a list, a rule or a code block.
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

/// One line, for what is shortened.
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
        fn no_text_opens_a_tag_a_link_or_a_cell(text in "[a`<\\[\\]()|\\\\ #\n]{0,40}") {
            let line = inline(&text);
            prop_assert!(!line.contains('\n'));
            // What a renderer sees outside of code: skip escapes and code spans, and nothing that acts is left.
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
