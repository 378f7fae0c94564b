//! Which parts of a source are code, as opposed to comments and strings, and the forms of conditions and statements, as far as that
//! is possible without a parser. A mistake makes a mutant that decides nothing, or a test seem to notice a little too much because
//! of a changed string; the only loss is one try.

/// A family of languages with the same comments, strings and conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// JavaScript and TypeScript.
    JavaScript,
    /// Languages with `if (…)` and `;`: Java, Kotlin, C, C++, C#, PHP, Scala.
    C,
    /// Languages with `if … {`: Go, Swift.
    Go,
    /// `if … {`, lifetimes, multi-line strings.
    Rust,
    /// `if …:`.
    Python,
    /// `#` comments, and no braces.
    Ruby,
}

impl Language {
    /// The language for the path's extension; `None` when it is unknown.
    pub(super) fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        Some(match name.rsplit_once('.')?.1 {
            "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" => Self::JavaScript,
            "java" | "kt" | "c" | "cc" | "cpp" | "h" | "hpp" | "cs" | "php" | "scala" => Self::C,
            "go" | "swift" => Self::Go,
            "rs" => Self::Rust,
            "py" => Self::Python,
            "rb" => Self::Ruby,
            _ => return None,
        })
    }

    fn has_slashes(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby)
    }

    /// The line with its condition inverted; `None` when it has none that ends in it.
    pub(super) fn turned_round(self, line: &str, code: &[bool]) -> Option<String> {
        let opening = "if ";
        let mut found = line.match_indices(opening).map(|(at, _)| at);
        let is_word = |at: &usize| {
            code[*at]
                && at.checked_sub(1).is_none_or(|before| !line.as_bytes()[before].is_ascii_alphanumeric())
        };
        let start = found.find(is_word)? + opening.len();
        let (condition, rest) = match self {
            Self::JavaScript | Self::C => {
                let end = closing(line, code, start)?;
                return Some(format!("{}(!{}){}", &line[..start], &line[start..=end], &line[end + 1..]));
            }
            Self::Go | Self::Rust => line[start..].trim_end().strip_suffix('{').map(|it| (it, "{"))?,
            Self::Python => line[start..].trim_end().strip_suffix(':').map(|it| (it, ":"))?,
            Self::Ruby => return None,
        };
        let condition = condition.trim();
        if condition.is_empty() || condition.starts_with("let ") || condition.contains(';') {
            return None;
        }
        let end = &line[line.trim_end().len()..];
        Some(match self {
            Self::Python => format!("{}not ({condition}){rest}{end}", &line[..start]),
            _ => format!("{}!({condition}) {rest}{end}", &line[..start]),
        })
    }

    /// The replacement for a line that is a whole statement and declares nothing; `None` when it isn't one. `last`: the last byte
    /// of code before it.
    pub(super) fn left_out(self, line: &str, code: &[bool], last: Option<u8>) -> Option<String> {
        const KEPT: [&str; 27] = [
            "let ",
            "const ",
            "var ",
            "import ",
            "use ",
            "export ",
            "package ",
            "return",
            "type ",
            "static ",
            "pub ",
            "fn ",
            "class ",
            "interface ",
            "break",
            "continue",
            "else",
            "from ",
            "def ",
            "mod ",
            "case ",
            "default",
            "extern ",
            "using ",
            "namespace ",
            "include ",
            "pass",
        ];
        let text = line.trim();
        let first = text.chars().next()?;
        let goes_on = |last: u8| b"(,[\\=+-*/|&.?<>".contains(&last);
        let is_whole = (first.is_alphabetic() || matches!(first, '_' | '*' | '$'))
            && !KEPT.iter().any(|word| text.starts_with(word))
            && !last.is_some_and(goes_on)
            && is_balanced(line, code);
        let ends = |end: char| text.ends_with(end) && line.rfind(end).is_some_and(|at| code[at]);
        let is_statement = ends(';')
            || !matches!(self, Self::C | Self::Rust)
                && (ends(')') && text.contains('(') || assigns(line, code));
        if !is_whole || !is_statement || text.starts_with("if ") || text.starts_with("for ") {
            return None;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = &line[line.trim_end().len()..];
        Some(if self == Self::Python { format!("{indent}pass{end}") } else { end.to_owned() })
    }
}

/// Whether the line gives something another value; leaving it out would leave out what it declares.
fn assigns(line: &str, code: &[bool]) -> bool {
    [" += ", " -= "].iter().any(|operator| line.find(operator).is_some_and(|at| code[at + 1]))
}

/// The index of the bracket that closes the one opening here.
fn closing(line: &str, code: &[bool], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    if line.as_bytes().get(open) != Some(&b'(') {
        return None;
    }
    for (at, byte) in line.bytes().enumerate().skip(open).filter(|(at, _)| code[*at]) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_balanced(line: &str, code: &[bool]) -> bool {
    let mut open = Vec::new();
    for (_, byte) in line.bytes().enumerate().filter(|(at, _)| code[*at]) {
        match byte {
            b'(' | b'[' | b'{' => open.push(byte),
            b')' | b']' | b'}' => {
                let matching = if byte == b')' { b'(' } else { byte - 2 };
                if open.pop() != Some(matching) {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Which bytes of a source are code; white space between comments and strings counts as code.
pub(super) fn code_in(source: &str, language: Language) -> Vec<bool> {
    let bytes = source.as_bytes();
    let mut code = vec![true; bytes.len()];
    let mut at = 0;
    while at < bytes.len() {
        let end = not_code(source, at, language);
        if end > at {
            code[at..end].fill(false);
            at = end;
        } else {
            at += 1;
        }
    }
    code
}

/// The end of the comment or string that begins here; the same index when none does.
fn not_code(source: &str, at: usize, language: Language) -> usize {
    let bytes = source.as_bytes();
    let rest = &bytes[at..];
    let until = |from: usize, what: &str| {
        let found = bytes[from..].windows(what.len()).position(|window| window == what.as_bytes());
        found.map_or(bytes.len(), |found| from + found + what.len())
    };
    let line_end = || bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end);
    match rest[0] {
        b'/' if language.has_slashes() && rest.starts_with(b"//") => line_end(),
        b'/' if language.has_slashes() && rest.starts_with(b"/*") => until(at + 2, "*/"),
        b'#' if !language.has_slashes() => line_end(),
        b'"' | b'\''
            if language == Language::Python && rest.len() > 2 && rest[1] == rest[0] && rest[2] == rest[0] =>
        {
            until(at + 3, if rest[0] == b'"' { "\"\"\"" } else { "'''" })
        }
        b'r' if language == Language::Rust => {
            let is_word = at.checked_sub(1).is_some_and(|before| bytes[before].is_ascii_alphanumeric());
            let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
            if is_word || rest.get(1 + hashes) != Some(&b'"') {
                return at;
            }
            until(at + 2 + hashes, &format!("\"{}", "#".repeat(hashes)))
        }
        b'"' => quoted(bytes, at, language == Language::Rust),
        b'`' if matches!(language, Language::JavaScript | Language::Go) => quoted(bytes, at, true),
        b'\'' => match language {
            Language::JavaScript | Language::Python | Language::Ruby => quoted(bytes, at, false),
            _ => character(source, at),
        },
        _ => at,
    }
}

/// The end of a string; a single-line string ends at the end of its line at the latest.
fn quoted(bytes: &[u8], at: usize, of_lines: bool) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 1,
            byte if byte == bytes[at] => return end + 1,
            b'\n' if !of_lines => return end,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

/// The end of a character in quotes; the same index when the quote belongs to a lifetime.
fn character(source: &str, at: usize) -> usize {
    let mut chars = source[at + 1..].char_indices();
    match chars.next() {
        Some((_, '\\')) => quoted(source.as_bytes(), at, false),
        Some(_) if matches!(chars.next(), Some((_, '\''))) => {
            source[at + 1..].char_indices().nth(1).map_or(at, |(end, _)| at + 1 + end + 1)
        }
        _ => at,
    }
}
