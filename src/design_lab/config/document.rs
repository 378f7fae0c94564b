//! A configuration text as a value that knows the place of each of its parts.

use crate::design_lab::schema::{self, DocumentKind, Fault, child, quote};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::{ParseError, ParseErrorKind};
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};
use kernel::problem::Problem;
use serde_json::{Map, Number, Value};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A parsed text. Comments and trailing commas are allowed; an empty text is an empty object.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) value: Value,
    /// Line and column of every key and value, by JSON pointer.
    places: BTreeMap<String, Place>,
}

/// Where something is: 1-based, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    key: Option<Position>,
    value: Position,
}

impl Document {
    /// Parses a text; after a syntax error, the rest of the text is not examined. Problems carry line and column,
    /// and no file.
    pub(crate) fn parse(kind: DocumentKind, text: &str) -> Result<Self, Vec<Problem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let lines = Lines::new(text);
        let root = parse_to_ast(text, &CollectOptions::default(), &options)
            .map_err(|error| vec![syntax_problem(kind, &error, text, &lines)])?
            .value;
        let mut reader = Reader { kind, lines, places: BTreeMap::new(), problems: Vec::new() };
        let value = match root {
            Some(root) => reader.read("", None, &root),
            None => Value::Object(Map::new()),
        };
        if reader.problems.is_empty() {
            Ok(Self { value, places: reader.places })
        } else {
            Err(reader.problems)
        }
    }

    /// Returns where a value is, or its nearest ancestor; with `key`, where its key is.
    pub(crate) fn position(&self, pointer: &str, key: bool) -> Option<Position> {
        let mut pointer = pointer;
        loop {
            if let Some(place) = self.places.get(pointer) {
                return Some(place.key.filter(|_| key).unwrap_or(place.value));
            }
            pointer = pointer.rsplit_once('/')?.0;
        }
    }

    /// Moves a top-level value to another key; it keeps its position.
    pub(super) fn rename(&mut self, old: &str, new: &str, value: Value) {
        if let Value::Object(map) = &mut self.value {
            map.insert(new.to_owned(), value);
        }
        if let Some(place) = self.places.remove(&child("", old)) {
            self.places.insert(child("", new), place);
        }
    }
}

struct Reader<'a> {
    kind: DocumentKind,
    lines: Lines<'a>,
    places: BTreeMap<String, Place>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn read(&mut self, pointer: &str, key: Option<Position>, node: &ast::Value<'_>) -> Value {
        let value = self.lines.position(node.start());
        self.places.insert(pointer.to_owned(), Place { key, value });
        match node {
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
            ast::Value::StringLit(literal) => Value::String(literal.value.to_string()),
            ast::Value::NumberLit(literal) => self.number(pointer, literal.value, value),
            ast::Value::Array(array) => Value::Array(
                array
                    .elements
                    .iter()
                    .enumerate()
                    .map(|(index, element)| self.read(&format!("{pointer}/{index}"), None, element))
                    .collect(),
            ),
            ast::Value::Object(object) => self.object(pointer, object),
        }
    }

    fn object(&mut self, pointer: &str, object: &ast::Object<'_>) -> Value {
        let mut map = Map::new();
        for property in &object.properties {
            let name = property.name.as_str();
            let position = self.lines.position(property.start());
            let pointer = child(pointer, name);
            if map.contains_key(name) {
                let first = self.places.get(&pointer).and_then(|place| place.key);
                let first = first.map_or_else(String::new, |first| format!(", first on line {}", first.line));
                self.problems.push(
                    at(
                        position,
                        Problem::new(
                            self.kind.code(Fault::DuplicateKey),
                            format!("`{name}` occurs twice{first}."),
                        ),
                    )
                    .at(pointer)
                    .found(format!("{} again", quote(name)))
                    .allowed("every key once")
                    .next("Keep one of the two."),
                );
                continue;
            }
            let value = self.read(&pointer, Some(position), &property.value);
            map.insert(name.to_owned(), value);
        }
        Value::Object(map)
    }

    /// Turns whole numbers into integers however they are written: `4.0` and `1e3` are whole.
    fn number(&mut self, pointer: &str, text: &str, position: Position) -> Value {
        match text.parse::<Number>() {
            Ok(number) if number.is_f64() => schema::number(number.as_f64().unwrap_or_default()),
            Ok(number) => Value::Number(number),
            Err(_) => {
                self.problems.push(
                    at(position, Problem::new(self.kind.code(Fault::Syntax), "This number is too large."))
                        .at(pointer)
                        .found(text)
                        .allowed("numbers below 1e308")
                        .next("Write a smaller number."),
                );
                Value::Null
            }
        }
    }
}

/// Byte offsets of line starts.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// The offset of the last request, and the characters before it in its line. A text is read from front to back,
    /// so a long line is counted once, and not once for each value in it.
    last: Cell<(usize, usize)>,
    /// How many bytes were counted.
    #[cfg(test)]
    counted: Cell<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(index, _)| index + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
            last: Cell::default(),
            #[cfg(test)]
            counted: Cell::default(),
        }
    }

    fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let (from, before) = match self.last.get() {
            (last, before) if (start..=offset).contains(&last) => (last, before),
            _ => (start, 0),
        };
        let column = before + self.text.get(from..offset).map_or(0, |between| between.chars().count());
        self.last.set((offset, column));
        #[cfg(test)]
        self.counted.set(self.counted.get() + (offset - from));
        let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
        Position { line: number(line), column: number(column) }
    }
}

/// Adds a position to a problem.
fn at(position: Position, mut problem: Problem) -> Problem {
    problem.line = Some(position.line);
    problem.column = Some(position.column);
    problem
}

/// Describes the parser's error in words that explain what to type instead.
fn syntax_problem(kind: DocumentKind, error: &ParseError, text: &str, lines: &Lines<'_>) -> Problem {
    use ParseErrorKind as Kind;
    let start = error.range().start;
    let rest = text.get(start..).unwrap_or_default();
    let quotes = "Write \"…\" with straight double quotes.";
    let number =
        ("A number is not valid in JSON", "numbers like 4, -1, 0.5 or 1e3", "Write the number in that form.");
    let typographic = rest.starts_with(['“', '”', '„', '‘', '’', '«', '»']);
    let (message, allowed, next) = match error.kind() {
        _ if typographic => ("Text is in typographic quotes", "straight double quotes", quotes),
        Kind::SingleQuotedStringsNotAllowed => ("Text is in single quotes", "double quotes", quotes),
        Kind::ExpectedStringObjectProperty => {
            ("A key has no quotes", "keys in double quotes", "Put the key in double quotes.")
        }
        Kind::UnexpectedWord => (
            "A word has no quotes",
            "text in double quotes, true, false or null",
            "Put the word in double quotes.",
        ),
        Kind::ExpectedComma => ("A comma is missing", "a comma between two entries", "Add a comma here."),
        Kind::ExpectedColonAfterObjectKey => {
            ("A colon is missing after a key", "\"key\": value", "Add a colon between the key and its value.")
        }
        Kind::ExpectedObjectValue => {
            ("A key has no value", "\"key\": value", "Add the value, or remove the key.")
        }
        Kind::UnterminatedObject => {
            ("This `{` is never closed", "a matching `}`", "Add `}` where the object ends.")
        }
        Kind::UnterminatedArray => {
            ("This `[` is never closed", "a matching `]`", "Add `]` where the list ends.")
        }
        Kind::UnterminatedCommentBlock => {
            ("This comment is never closed", "a matching `*/`", "Add `*/` where the comment ends.")
        }
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => (
            "This text is never closed",
            "a closing double quote on the same line",
            "Add the closing double quote.",
        ),
        Kind::String(_) => (
            "This text has an escape that JSON doesn't know",
            "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
            "Write \\\\ for a backslash.",
        ),
        Kind::UnexpectedCloseBrace | Kind::UnexpectedCloseBracket => (
            "A closing bracket has no opening one",
            "brackets in pairs",
            "Remove it, or add the opening one.",
        ),
        Kind::UnexpectedColon => (
            "A colon is not allowed here",
            "a colon between a key and its value, within `{ }`",
            "If a list before this key isn't closed, add its `]`. Otherwise put the key and its value into `{ }`.",
        ),
        Kind::UnexpectedComma => {
            ("There is an extra comma", "one comma between two entries", "Remove this comma.")
        }
        Kind::MultipleRootJsonValues => (
            "There is text after the end of the object",
            "one object and nothing after it",
            "Remove what follows the last `}`.",
        ),
        Kind::NestingDepthExceeded => {
            ("The brackets are nested too deeply", "at most 512 levels", "Remove some levels.")
        }
        Kind::BareDecimalPointNumbersNotAllowed
        | Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral
        | Kind::HexadecimalNumbersNotAllowed
        | Kind::NonFiniteNumbersNotAllowed
        | Kind::UnaryPlusNumbersNotAllowed => number,
        _ => (
            "This is not JSON",
            "JSON with comments and trailing commas",
            "Correct this line. If the file isn't JSON at all, name another file.",
        ),
    };
    let found: String = rest.lines().next().unwrap_or_default().chars().take(40).collect();
    let problem = at(lines.position(start), Problem::new(kind.code(Fault::Syntax), format!("{message}.")))
        .allowed(allowed)
        .next(next);
    if found.trim().is_empty() { problem.found("the end of the line") } else { problem.found(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_counted_once() {
        let text = format!("[{}]", "\"é\",".repeat(6_000));
        let lines = Lines::new(&text);
        let starts: Vec<usize> = text.match_indices("\"é").map(|(start, _)| start).collect();
        for (index, start) in starts.iter().enumerate() {
            let position = lines.position(*start);
            assert_eq!((position.line, position.column as usize), (1, 2 + 4 * index));
        }
        assert!(lines.counted.get() <= text.len(), "{} bytes counted", lines.counted.get());
        assert_eq!(lines.position(1).column, 2, "back again");
    }
}
