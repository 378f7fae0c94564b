//! Tables as text: comma-separated values (RFC 4180), and what spreadsheets make of them.

use crate::error::Problem;

/// A field and where it starts; both from 1, columns in characters.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Field {
    /// The problem, found in this field.
    pub(crate) fn place(&self, problem: Problem) -> Problem {
        let found = if self.text.is_empty() { "nothing".to_owned() } else { shortened(&self.text) };
        Problem { line: Some(self.line), column: Some(self.column), ..problem.found(found) }
    }
}

/// What the first line separates its fields by, outside of quotes: semicolons and tabs are what spreadsheets write where
/// the comma is the decimal sign.
pub(crate) fn delimiter(text: &str) -> char {
    let mut quoted = false;
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut outside = header.chars().filter(|&c| {
        quoted ^= c == '"';
        !quoted
    });
    outside.find(|c| [',', ';', '\t'].contains(c)).unwrap_or(',')
}

/// Splits a text into records of fields.
///
/// Fields may be quoted, quotes are doubled, lines end in CRLF or LF; a byte order mark and empty lines are skipped.
pub(crate) fn records(text: &str, delimiter: char) -> Result<Vec<Vec<Field>>, Problem> {
    let mut characters = text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable();
    let (mut line, mut column) = (1u32, 1u32);
    let mut records = Vec::new();
    let mut record: Vec<Field> = Vec::new();
    let mut field = Field { text: String::new(), line, column };
    let mut quoted = false;
    let ends_field = |c: char| c == '\n' || c == delimiter;
    loop {
        let next = characters.next();
        match next {
            Some('"') if field.text.is_empty() && !quoted => {
                quoted = true;
                column += 1;
                // To the closing quote; a doubled one is part of the text.
                loop {
                    let Some(inner) = characters.next() else {
                        let mut problem = Problem::new("csv.quote", "A quoted field does not end.")
                            .allowed(format!(
                                "a closing quote, followed by {} or the end of the line",
                                called(delimiter)
                            ))
                            .next("Close the quote, or double it where it belongs to the text.");
                        problem.line = Some(field.line);
                        problem.column = Some(field.column);
                        return Err(problem);
                    };
                    column += 1;
                    if inner == '"' {
                        if characters.next_if_eq(&'"').is_none() {
                            break;
                        }
                        column += 1;
                    } else if inner == '\n' {
                        (line, column) = (line + 1, 1);
                    }
                    field.text.push(inner);
                }
            }
            Some('\r') if characters.peek() == Some(&'\n') => {}
            Some(other) if quoted && !ends_field(other) => {
                let mut problem = Problem::new("csv.quote", "Text follows a closing quote.")
                    .found(other.to_string())
                    .allowed(format!("{} or the end of the line", called(delimiter)))
                    .next("Double a quote that belongs to the text.");
                problem.line = Some(line);
                problem.column = Some(column);
                return Err(problem);
            }
            Some(other) if !ends_field(other) => {
                field.text.push(other);
                column += 1;
            }
            // The end of a field, of a line, or of all.
            _ => {
                let ended = next != Some(delimiter);
                (line, column) = if next == Some('\n') { (line + 1, 1) } else { (line, column + 1) };
                let empty_line = ended && record.is_empty() && field.text.is_empty() && !quoted;
                let finished = std::mem::replace(&mut field, Field { text: String::new(), line, column });
                quoted = false;
                if !empty_line {
                    record.push(finished);
                }
                if ended && !record.is_empty() {
                    records.push(std::mem::take(&mut record));
                }
                if next.is_none() {
                    return Ok(records);
                }
            }
        }
    }
}

fn called(delimiter: char) -> &'static str {
    match delimiter {
        ';' => "a semicolon",
        '\t' => "a tab",
        _ => "a comma",
    }
}

/// At most 80 characters.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 { text.to_owned() } else { text.chars().take(79).chain(['…']).collect() }
}
