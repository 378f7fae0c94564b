//! Text for the chat, wrapped: OpenCode 1.18 breaks a longer line wherever it reaches the edge, even in the middle of a command.

use std::fmt::Write as _;

/// The width of wrapped prose: it fits the chat of OpenCode 1.18 in a terminal of 80 columns, and next to the sidebar. Tables take the
/// width that they need.
pub(crate) const WIDTH: usize = 72;

/// Replaces a space inside text that must stay on one line.
const JOINED: char = '\u{e000}';

/// The furthest start of a column below which the further rows of a line are indented.
const COLUMN: usize = 40;

/// A command of any program, or its output, marked so that [`fitted`] leaves it on one line.
pub(crate) fn unbroken(text: &str) -> String {
    text.replace(' ', JOINED.encode_utf8(&mut [0; 4]))
}

/// A text with its lines wrapped to the width of the chat. A line that is too long continues below its own column; commands, addresses
/// and paths are never broken.
pub(crate) fn fitted(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.chars().count() <= WIDTH {
            let _ = writeln!(out, "{line}");
            continue;
        }
        let column = column(line);
        let first: String = line.chars().take(column).collect();
        let rest: String = line.chars().skip(column).collect();
        let words = whole(&rest);
        let chunks = words.iter().map(|word| Chunk { gap: " ", text: word });
        rows(&mut out, &first, &" ".repeat(column), chunks);
    }
    out.truncate(out.trim_end().len());
    out.replace(JOINED, " ")
}

/// A text without its line breaks and margins, for tests of its content.
#[cfg(test)]
pub(crate) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the last column of a line starts, in characters: after its margin, or after the last gap of several spaces.
fn column(line: &str) -> usize {
    let mut column = 0;
    let mut spaces = 2;
    for (at, letter) in line.chars().enumerate().take(COLUMN) {
        if letter != ' ' && spaces > 1 {
            column = at;
        }
        spaces = if letter == ' ' { spaces + 1 } else { 0 };
    }
    column
}

/// Wraps at spaces. A word that is longer than a line continues on the next one, if possible after a separator as in paths.
pub(crate) fn wrapped(out: &mut String, first: &str, further: &str, text: &str) {
    let room = WIDTH.saturating_sub(further.chars().count());
    let words = whole(text);
    rows(out, first, further, words.iter().flat_map(|word| pieces(word, room)));
}

fn rows<'a>(out: &mut String, first: &str, further: &str, words: impl Iterator<Item = Chunk<'a>>) {
    let mut row = first.to_owned();
    let mut empty = true;
    for word in words {
        if !empty && row.chars().count() + word.gap.len() + word.text.chars().count() > WIDTH {
            let _ = writeln!(out, "{row}");
            further.clone_into(&mut row);
            empty = true;
        }
        if !empty {
            row.push_str(word.gap);
        }
        row.push_str(word.text);
        empty = false;
    }
    let _ = writeln!(out, "{row}");
}

/// The words of a text. Text between backticks is one word, and so is one of the package's commands with its options and their values,
/// so that it can be copied from one line. A number and its unit are one word as well.
fn whole(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_command = false;
    let backticks = |text: &str| text.matches('`').count() % 2;
    let mut in_code = false;
    for word in text.split_whitespace() {
        let ends_or_begins = backticks(text) == 0 && backticks(word) == 1;
        if let Some(code) = words.last_mut().filter(|_| in_code) {
            code.push(' ');
            code.push_str(word);
            in_code = !ends_or_begins;
            continue;
        }
        in_code = ends_or_begins;
        let is_argument = |word: &str| {
            let bare = word.trim_end_matches(['.', ',', ';', ':']);
            word.starts_with("--")
                || bare.contains('-') && bare.bytes().any(|byte| byte.is_ascii_digit())
                || bare.len() > 1 && bare.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
                || matches!(bare, "clear" | "select")
                || takes_a_name(bare)
                || matches!(bare.as_bytes().first(), Some(b'<' | b'['))
        };
        let is_named =
            words.last().and_then(|command| command.split(' ').next_back()).is_some_and(takes_a_name);
        let is_measured = words.last().is_some_and(|number| measures(number, word));
        match words.last_mut().filter(|_| is_measured || in_command && (is_named || is_argument(word))) {
            Some(before) => {
                before.push(' ');
                before.push_str(word);
            }
            None => {
                let commands = ["/design-lab", "/flow-", "/validate"];
                in_command = commands.iter().any(|command| word.starts_with(command));
                words.push(word.to_owned());
            }
        }
        in_command &= !word.ends_with(['.', ',', ';', ':']);
    }
    words
}

/// Whether `unit` is the unit of the number that `before` ends with.
fn measures(before: &str, unit: &str) -> bool {
    let unit = unit.trim_end_matches(['.', ',', ';', ':', ')']);
    before.ends_with(|letter: char| letter.is_ascii_digit())
        && matches!(unit, "ms" | "s" | "min" | "h" | "KB" | "MB" | "GB")
}

/// Whether the word after this word of a command belongs to it.
fn takes_a_name(word: &str) -> bool {
    matches!(
        word,
        "approve" | "feature" | "file" | "fix" | "flow" | "from" | "revise" | "run" | "--keep" | "--again"
    )
}

/// A word, or a part of one, with the gap that separates it from the previous one in the row.
struct Chunk<'a> {
    gap: &'static str,
    text: &'a str,
}

/// Splits a word into parts that each fit in a row.
fn pieces(word: &str, room: usize) -> Vec<Chunk<'_>> {
    let mut chunks = Vec::new();
    // Half an address or command is useless.
    if word.starts_with("file://") || word.contains(' ') {
        return vec![Chunk { gap: " ", text: word }];
    }
    let mut left = word;
    loop {
        let gap = if chunks.is_empty() { " " } else { "" };
        let beyond = left.char_indices().nth(room).map(|(at, _)| at);
        let Some(beyond) = beyond.filter(|at| *at > 0) else {
            chunks.push(Chunk { gap, text: left });
            return chunks;
        };
        let fitting = left.get(..beyond).unwrap_or(left);
        let behind = |signs: &[char]| fitting.rfind(signs).map(|sign| sign + 1).filter(|at| 2 * at > beyond);
        let at = behind(&['/', '\\'])
            .or_else(|| behind(&['-', '_', '.', ',', ':', '=', '&', '?']))
            .unwrap_or(beyond);
        let (text, rest) = left.split_at(at);
        chunks.push(Chunk { gap, text });
        left = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_and_an_address_stay_on_one_line() {
        let command = "/design-lab-resume 2026-11-20-rate-limiter --retry-failed";
        let address = format!("file:///home/ada/{}report.html", "a-long-way/".repeat(9));
        let mut out = String::new();
        wrapped(&mut out, "  ", "  ", &format!("{}{command} asks again. {address}", "word ".repeat(11)));
        assert!(out.contains(&format!("\n  {command} asks again.\n")), "{out}");
        assert!(out.contains(&format!("\n  {address}\n")), "{out}");
    }

    #[test]
    fn a_line_that_is_too_long_continues_below_its_last_column() {
        let words = "word ".repeat(20);
        let text = fitted(&format!("Short\n\n  ✓ C1  met  {words}\n  Undo  {words}\n{words}"));
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
        assert!(text.starts_with("Short\n\n  ✓ C1  met  word "), "{text}");
        assert!(text.contains(&format!("\n{}word ", " ".repeat(13))), "{text}");
        assert!(
            text.contains("\n        word ") && text.ends_with("\nword word word word word word"),
            "{text}"
        );
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        for before in 0..30 {
            let text = fitted(&format!("{}It took 12 s.", "of ".repeat(before)));
            assert!(text.contains("12 s."), "{text}");
        }
    }

    #[test]
    fn no_command_path_or_address_is_broken() {
        let path = format!("{}/report.html", "directory/".repeat(9));
        let command = format!("git stash push -- {}", "a.js ".repeat(20).trim_end());
        for (command, text) in [
            (path.as_str(), path.clone()),
            (command.as_str(), unbroken(&command)),
            ("/flow-plan approve 3fa91c02", "/flow-plan approve 3fa91c02".to_owned()),
            ("`npm i -D it`;", "`npm i -D it`; or `it`".to_owned()),
            ("/flow-reset feature limits", "/flow-reset feature limits".to_owned()),
            ("/validate --keep e2e validate-1", "/validate --keep e2e validate-1".to_owned()),
        ] {
            for before in 0..16 {
                let wrapped = fitted(&format!("Next  {}{text}, end.", "word ".repeat(before)));
                assert!(wrapped.lines().any(|line| line.contains(command)), "{wrapped}");
                assert!(wrapped.ends_with("end."), "{wrapped}");
            }
        }
        let alone = fitted(&format!("Next  a ` {}", "word ".repeat(20)));
        assert!(alone.lines().all(|line| line.chars().count() <= WIDTH), "{alone}");
    }
}
