//! Tables as text: comma-separated values (RFC 4180), and the variants that spreadsheets write.
//!
//! `csv-core` would cost 3.8 KB, as much as this file. It accepts any text as a table: it reads `"x"y` as `xy` and lets a quote that
//! isn't closed end with the file, while people need an error (`csv.quote`); and it counts lines, but no columns. So the search for
//! these faults would have to stay here, and that is most of the code.

use super::capped::capped;
use super::figures::thousands;
use kernel::error_codes;
use kernel::problem::Problem;
use std::borrow::Cow;

error_codes! {
    /// A fault in a table as text.
    pub enum CsvCode {
        /// The table is empty.
        Empty => "csv.empty",
        /// It isn't text in UTF-8.
        Encoding => "csv.encoding",
        /// A row has too many or too few fields, or a field has an invalid value.
        Field => "csv.field",
        /// The first line doesn't name the columns.
        Header => "csv.header",
        /// There are more problems than are listed.
        More => "csv.more",
        /// A quote isn't closed, or text follows a closing one.
        Quote => "csv.quote",
    }
}

/// A field and where it starts.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub(crate) text: Cow<'a, str>,
    /// All text before it.
    before: &'a str,
}

impl Field<'_> {
    /// Line and column, both from 1, columns in characters.
    pub(crate) fn position(&self) -> (u32, u32) {
        position(self.before)
    }

    /// Places a problem in this field.
    pub(crate) fn place(&self, problem: Problem) -> Problem {
        let found = if self.text.is_empty() { "nothing".to_owned() } else { shortened(&self.text) };
        at(self.before, problem.found(found))
    }
}

/// The separator of the first line's fields, outside of quotes, or the one that this line announces: spreadsheets write semicolons and
/// tabs in languages with a decimal comma.
pub(crate) fn delimiter(text: &str) -> char {
    let mut quoted = false;
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if let Some(announced) = announced(header) {
        return announced;
    }
    let mut outside = header.chars().filter(|&c| {
        quoted ^= c == '"';
        !quoted
    });
    outside.find(|c| [',', ';', '\t'].contains(c)).unwrap_or(',')
}

/// The separator announced by a line such as `sep=;`, which only Excel uses and which isn't a row of the table.
pub(crate) fn announced(line: &str) -> Option<char> {
    let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n', ' ']).replace('"', "");
    let (name, separator) = line.split_at_checked(4)?;
    let mut separator = separator.chars();
    let (first, rest) = (separator.next()?, separator.as_str());
    // When a spreadsheet has saved the file again, the line has as many fields as the table.
    let is_alone = rest.chars().all(|c| c == first);
    (name.eq_ignore_ascii_case("sep=") && is_alone && [',', ';', '\t'].contains(&first)).then_some(first)
}

/// Splits a text into records of fields.
///
/// Fields may be quoted, quotes are doubled, lines end in CRLF or LF; a byte order mark, empty lines and an [`announced`] separator are
/// skipped.
pub(crate) fn records(text: &str, delimiter: char) -> Result<Vec<Vec<Field<'_>>>, Problem> {
    let mut records = all_records(text, delimiter)?;
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if announced(first).is_some() && !records.is_empty() {
        records.remove(0);
    }
    Ok(records)
}

fn all_records(text: &str, delimiter: char) -> Result<Vec<Vec<Field<'_>>>, Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut records, mut record) = (Vec::new(), Vec::new());
    let mut start = 0;
    loop {
        let (before, rest) = text.split_at(start);
        let is_quoted = rest.starts_with('"');
        let (content, end) = if is_quoted {
            quoted(text, start, delimiter)?
        } else {
            let end = rest.find([delimiter, '\n']).unwrap_or(rest.len());
            let line_ends = rest[end..].starts_with('\n');
            let content = rest[..end].strip_suffix('\r').filter(|_| line_ends).unwrap_or(&rest[..end]);
            (Cow::Borrowed(content), start + end)
        };
        let next = text[end..].chars().next();
        let record_ends = next != Some(delimiter);
        let empty_line = record_ends && record.is_empty() && content.is_empty() && !is_quoted;
        if !empty_line {
            record.push(Field { text: content, before });
        }
        if record_ends && !record.is_empty() {
            let next = Vec::with_capacity(record.len());
            records.push(std::mem::replace(&mut record, next));
        }
        let Some(next) = next else { return Ok(records) };
        start = end + next.len_utf8();
    }
}

/// The content of the quoted field that starts at `start`, and the position of the separator or line break after it.
fn quoted(text: &str, start: usize, delimiter: char) -> Result<(Cow<'_, str>, usize), Problem> {
    let opened = start + 1;
    let mut end = opened;
    // Finds the closing quote; a doubled one is part of the text.
    loop {
        let Some(quote) = text[end..].find('"') else {
            let problem = Problem::new(CsvCode::Quote, "A quoted field has no closing quote.")
                .allowed(format!("a closing quote, followed by {} or the end of the line", called(delimiter)))
                .next("Close the quote, or double a quote that belongs to the text.");
            return Err(at(&text[..start], problem));
        };
        end += quote;
        if !text[end + 1..].starts_with('"') {
            break;
        }
        end += 2;
    }
    let content = &text[opened..end];
    let content =
        if content.contains('"') { content.replace("\"\"", "\"").into() } else { Cow::Borrowed(content) };
    let after = &text[end + 1..];
    let carriage_return = usize::from(after.starts_with("\r\n"));
    match after[carriage_return..].chars().next() {
        Some(other) if other != delimiter && other != '\n' => {
            let problem = Problem::new(CsvCode::Quote, "Text follows a closing quote.")
                .found(other.to_string())
                .allowed(format!("{} or the end of the line", called(delimiter)))
                .next("Double each quote that is part of the text.");
            Err(at(&text[..=end], problem))
        }
        _ => Ok((content, end + 1 + carriage_return)),
    }
}

/// Places a problem right after this text.
fn at(before: &str, problem: Problem) -> Problem {
    let (line, column) = position(before);
    Problem { line: Some(line), column: Some(column), ..problem }
}

/// Line and column right after a text.
fn position(before: &str) -> (u32, u32) {
    let last = before.rsplit('\n').next().unwrap_or_default();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (number(before.matches('\n').count() + 1), number(last.chars().count() + 1))
}

fn called(delimiter: char) -> &'static str {
    match delimiter {
        ';' => "a semicolon",
        '\t' => "a tab",
        _ => "a comma",
    }
}

/// The maximum number of problems of one file that are listed at once.
const MOST_TOLD: usize = 20;

/// The problems of a file, listed together up to the number that a person reads.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Problem>, Option<usize>);

impl Faults {
    /// Whether the search for problems can stop.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MOST_TOLD
    }

    /// Adds a problem, unless there are enough of them.
    pub(crate) fn add(&mut self, problem: Problem) {
        if !self.is_full() {
            self.0.push(problem);
        }
    }

    /// Records how many rows were not checked because there are enough problems.
    pub(crate) fn leave(&mut self, rows: usize) {
        self.1 = Some(rows).filter(|rows| *rows > 0);
    }

    /// Returns the value, if there were no problems.
    pub(crate) fn or<T>(mut self, value: T) -> Result<T, Vec<Problem>> {
        if self.is_full() {
            let rest = match self.1 {
                Some(1) => "1 more row was".to_owned(),
                Some(rows) => {
                    format!("{} more rows were", thousands(u64::try_from(rows).unwrap_or(u64::MAX)))
                }
                None => "The rest was".to_owned(),
            };
            let message = format!("These are the first {MOST_TOLD} problems. {rest} not checked.");
            self.0.push(Problem::new(CsvCode::More, message).next("Fix these, then try again."));
        }
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}

/// A file as text in lines, or the problem that it isn't text: lines that end in only a carriage return come from an old spreadsheet.
pub(crate) fn lines_of<'a>(text: &'a str, what: &str) -> Result<Cow<'a, str>, Problem> {
    // The shell passes a zero character for bytes that aren't UTF-8: a file in Latin-1 would lose its umlauts.
    if text.contains('\0') {
        return Err(Problem::new(CsvCode::Encoding, format!("The {what} is not UTF-8 text."))
            .allowed("CSV in UTF-8")
            .next("Save it as CSV in UTF-8 (in Excel \"CSV UTF-8\"), not as a workbook."));
    }
    Ok(if text.contains('\n') { Cow::Borrowed(text) } else { text.replace('\r', "\n").into() })
}

/// A number with a decimal point or, if it can't be a thousands separator, a decimal comma.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = match text.split_once(',') {
        None => text.parse().ok(),
        Some((whole, decimals)) if decimals.len() == 3 && !whole.trim_start_matches('0').is_empty() => None,
        Some((whole, decimals)) if decimals.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{whole}.{decimals}").parse().ok()
        }
        Some(_) => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// At most 80 characters.
pub(crate) fn shortened(text: &str) -> String {
    capped(text, 80)
}
