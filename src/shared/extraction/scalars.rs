//! Numbers, literals and bare words.

use super::error::Cut;
use super::parser::{Parser, Role, Stop, Tolerance};
use super::repair::RepairKind;
use super::strings::Quote;
use serde_json::{Number, Value};

/// The longest bare text that counts as a value, in bytes: a word or a name, not prose.
const MAX_BARE_TEXT: usize = 200;

/// Words that schemas and interfaces use in place of values.
const TYPES: [&str; 7] = ["string", "number", "boolean", "integer", "object", "array", "any"];

impl Parser<'_> {
    /// Reads a number, a literal or, if guessing is allowed, bare text.
    pub(super) fn scalar(&mut self, role: Role) -> Result<Value, Stop> {
        let rest = &self.text[self.at..];
        let length = word(rest);
        if length == 0 {
            return Err(self.stop());
        }
        if length == rest.len() {
            // A word at the end of the text may be half of a longer one.
            self.at = self.text.len();
            return Err(Stop::Cut(Cut::EndOfText));
        }
        let after = self.at + length;
        if let Some((value, repair)) = literal(&rest[..length]).or_else(|| number(&rest[..length]))
            && (self.tolerance != Tolerance::Guess || self.ends_value(after, role))
        {
            match repair {
                // Valid JSON that no `Value` can represent exactly.
                Some(kind @ RepairKind::RoundedNumber) => self.tally.add(kind),
                Some(kind @ RepairKind::NotFinite) if is_json_number(&rest.as_bytes()[..length]) => {
                    self.tally.add(kind);
                }
                Some(kind) => self.repair(kind)?,
                None => {}
            }
            self.at = after;
            return Ok(value);
        }
        if self.tolerance != Tolerance::Guess {
            return Err(Stop::Broken);
        }
        self.bare_text(role)
    }

    /// Reads text without quotes, or with only the closing one.
    fn bare_text(&mut self, role: Role) -> Result<Value, Stop> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '$' | '_' | '-' | '+')) {
            return Err(self.stop());
        }
        let bytes = rest.as_bytes();
        let mut length = 0;
        loop {
            let byte = *bytes.get(length).ok_or(Stop::Cut(Cut::EndOfText))?;
            match byte {
                b'"' if self.ends_value(self.at + length + 1, role) => {
                    self.repair(RepairKind::MissingQuote)?;
                    return self.string_body(Quote::Double, role).map(Value::String);
                }
                b'"' | b'{' | b'[' => return Err(Stop::Broken),
                b'\n' | b'}' | b']' => break,
                b',' if role == Role::Item || self.ends_value(self.at + length, role) => break,
                b' ' if rest[length + 1..].starts_with("//") => break,
                _ => length += 1,
            }
            if self.over_budget() {
                return Err(Stop::OverBudget);
            }
        }
        let text = rest[..length].trim_end();
        // The name of a type belongs in a schema, not in an answer.
        if text.len() > MAX_BARE_TEXT || TYPES.contains(&text) {
            return Err(Stop::Broken);
        }
        self.repair(RepairKind::BareText)?;
        self.at += length;
        Ok(Value::String(text.to_owned()))
    }
}

/// The length of the word at the start of `text`: up to the first character that can't be part of a number or a literal.
fn word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let end = |index: usize| match bytes[index] {
        b'/' => matches!(bytes.get(index + 1), Some(b'/' | b'*')),
        byte => matches!(
            byte,
            b' ' | b'\n'
                | b'\r'
                | b'\t'
                | b','
                | b'}'
                | b']'
                | b'{'
                | b'['
                | b'"'
                | b'\''
                | b'`'
                | b':'
                | b';'
                | b'('
                | b')'
                | b'#'
                | b'<'
                | b'\\'
                | 0x80..
        ),
    };
    (0..bytes.len()).find(|&index| end(index)).unwrap_or(bytes.len())
}

/// A literal of JSON, Python, JavaScript or Ruby.
fn literal(word: &str) -> Option<(Value, Option<RepairKind>)> {
    let translated = Some(RepairKind::Literal);
    Some(match word {
        "true" => (Value::Bool(true), None),
        "false" => (Value::Bool(false), None),
        "null" => (Value::Null, None),
        "True" | "TRUE" => (Value::Bool(true), translated),
        "False" | "FALSE" => (Value::Bool(false), translated),
        "None" | "Null" | "NULL" | "nil" | "undefined" => (Value::Null, translated),
        "NaN" | "nan" | "Infinity" | "+Infinity" | "-Infinity" | "inf" | "+inf" | "-inf" => {
            (Value::Null, Some(RepairKind::NotFinite))
        }
        _ => return None,
    })
}

/// A number in JSON's notation or one close to it.
fn number(word: &str) -> Option<(Value, Option<RepairKind>)> {
    if is_json_number(word.as_bytes()) {
        return Some(json_number(word));
    }
    let (sign, digits) = match word.as_bytes().first()? {
        b'+' => ("", &word[1..]),
        b'-' => ("-", &word[1..]),
        _ => ("", word),
    };
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?;
        return Some(restyled(json_number(&format!("{sign}{value}"))));
    }
    if digits.starts_with('_')
        || digits.ends_with('_')
        || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return None;
    }
    let plain = digits.replace('_', "");
    let (whole, rest) = plain.split_at(plain.find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len()));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    // `5.` and `5.e3` lack a digit after the point.
    let rest = match rest.strip_prefix('.') {
        Some(after) if !after.starts_with(|c: char| c.is_ascii_digit()) => format!(".0{after}"),
        _ => rest.to_owned(),
    };
    let written = format!("{sign}{whole}{rest}");
    (plain != "." && is_json_number(written.as_bytes())).then(|| restyled(json_number(&written)))
}

fn restyled((value, repair): (Value, Option<RepairKind>)) -> (Value, Option<RepairKind>) {
    (value, repair.or(Some(RepairKind::NumberStyle)))
}

/// The value of a number in JSON's grammar: 64-bit integers exactly, all others as the nearest double.
fn json_number(word: &str) -> (Value, Option<RepairKind>) {
    if let Ok(integer) = word.parse::<i64>()
        && (integer != 0 || !word.starts_with('-'))
    {
        return (Value::Number(integer.into()), None);
    }
    if let Ok(integer) = word.parse::<u64>() {
        return (Value::Number(integer.into()), None);
    }
    match word.parse::<f64>().ok().and_then(Number::from_f64) {
        None => (Value::Null, Some(RepairKind::NotFinite)),
        Some(number) => {
            let is_integer = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && word != "-0";
            (Value::Number(number), is_integer.then_some(RepairKind::RoundedNumber))
        }
    }
}

/// RFC 8259, section 6.
fn is_json_number(word: &[u8]) -> bool {
    fn digits(text: &[u8]) -> Option<&[u8]> {
        let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (length > 0).then(|| &text[length..])
    }
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let Some(mut rest) = (match word {
        [b'0', rest @ ..] => Some(rest),
        _ => digits(word),
    }) else {
        return false;
    };
    if let [b'.', fraction @ ..] = rest {
        let Some(after) = digits(fraction) else { return false };
        rest = after;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent =
            exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let Some(after) = digits(exponent) else { return false };
        rest = after;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_numbers_as_they_are_written() {
        use RepairKind::{NotFinite, NumberStyle, RoundedNumber};
        let cases = [
            ("0", json!(0), None),
            ("-0", json!(-0.0), None),
            ("1.0", json!(1.0), None),
            ("1e2", json!(100.0), None),
            ("18446744073709551615", json!(u64::MAX), None),
            ("-9223372036854775808", json!(i64::MIN), None),
            ("18446744073709551616", json!(18_446_744_073_709_551_616.0), Some(RoundedNumber)),
            ("1e999", json!(null), Some(NotFinite)),
            ("+1", json!(1), Some(NumberStyle)),
            (".5", json!(0.5), Some(NumberStyle)),
            ("5.", json!(5.0), Some(NumberStyle)),
            ("-.5e1", json!(-5.0), Some(NumberStyle)),
            ("007", json!(7), Some(NumberStyle)),
            ("0x1F", json!(31), Some(NumberStyle)),
            ("1_000", json!(1000), Some(NumberStyle)),
        ];
        for (word, value, repair) in cases {
            assert_eq!(number(word), Some((value, repair)), "{word}");
        }
        for word in [".", "-", "+", "1-2", "0x", "0x+1", "_1", "1_", "1e", "1.2.3", "8/10", "12px", "e5"] {
            assert_eq!(number(word), None, "{word}");
        }
    }
}
