//! Reports from hosts and providers: any JSON value is read, and impossible values count as not reported.
//!
//! A provider that counts `1000.5`, `-1` or `1e300` tokens reports something wrong about one call. If such a value were an error,
//! it would end the run and every resume of it, because it is in the journal.

use crate::json::{Fault, Node};
use serde_json::Value;

/// More tokens than any call can use.
pub(crate) const MOST_TOKENS: f64 = 1e9;
/// More US dollars than any call can cost.
const MOST_DOLLARS: f64 = 1e5;
/// More than any sum over a run: whole numbers are exact up to here.
const MOST_IN_ALL: f64 = 9_007_199_254_740_992.0;
/// More requests than any call makes.
const MOST_REQUESTS: f64 = 1e6;
/// More tries than any host makes.
const MOST_TRIES: f64 = 1e3;

/// Tokens of one kind; 0 if the host reports none, `None` when the number is impossible.
pub(crate) fn count(said: &Value) -> Option<u64> {
    if said.is_null() { Some(0) } else { whole(said, MOST_TOKENS) }
}

/// Tokens of one call; `None` when no possible value was reported.
pub fn tokens(from: Node) -> Result<Option<u64>, Fault> {
    Ok(whole(&Value::from(from), MOST_TOKENS))
}

/// Tokens over a whole run.
pub fn tokens_in_all(from: Node) -> Result<u64, Fault> {
    Ok(whole(&Value::from(from), MOST_IN_ALL).unwrap_or(0))
}

/// US dollars; 0 when no possible value was reported.
pub fn dollars(from: Node) -> Result<f64, Fault> {
    Ok(amount(&Value::from(from), MOST_DOLLARS).unwrap_or(0.0))
}

/// US dollars over a whole run.
pub fn dollars_in_all(from: Node) -> Result<f64, Fault> {
    Ok(amount(&Value::from(from), MOST_IN_ALL).unwrap_or(0.0))
}

/// How often something was tried.
pub fn tries(from: Node) -> Result<u32, Fault> {
    Ok(whole(&Value::from(from), MOST_TRIES).and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
}

/// How often something happened; `None` when no possible value was reported.
pub fn times(from: Node) -> Result<Option<u32>, Fault> {
    Ok(whole(&Value::from(from), MOST_TRIES).and_then(|count| u32::try_from(count).ok()))
}

/// How many requests were made.
pub fn requests(from: Node) -> Result<u32, Fault> {
    Ok(whole(&Value::from(from), MOST_REQUESTS).and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
}

/// Milliseconds, however many.
pub fn milliseconds(from: Node) -> Result<Option<u64>, Fault> {
    let said = Value::from(from).as_f64().filter(|said| *said >= 0.0);
    Ok(said.and_then(|said| whole(&Value::from(said.min(MOST_IN_ALL)), MOST_IN_ALL)))
}

/// An HTTP status.
pub fn status(from: Node) -> Result<Option<u16>, Fault> {
    let status = Value::from(from).as_u64().filter(|status| (100..1_000).contains(status));
    Ok(status.and_then(|status| u16::try_from(status).ok()))
}

/// Yes, no, or neither.
pub fn flag(from: Node) -> Result<Option<bool>, Fault> {
    Ok(Value::from(from).as_bool())
}

/// Text; empty for any other value.
pub fn text<T: From<String>>(from: Node) -> Result<T, Fault> {
    Ok(T::from(match Value::from(from) {
        Value::String(text) => text,
        _ => String::new(),
    }))
}

fn amount(value: &Value, most: f64) -> Option<f64> {
    value.as_f64().filter(|number| (0.0..=most).contains(number))
}

fn whole(value: &Value, most: f64) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within 0 and 2^53, and rounded"
    )]
    amount(value, most).map(|number| number.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Said {
        #[serde(deserialize_with = "tokens_in_all")]
        tokens: u64,
        #[serde(deserialize_with = "dollars")]
        dollars: f64,
        #[serde(deserialize_with = "tries")]
        tries: u32,
        #[serde(deserialize_with = "milliseconds")]
        milliseconds: Option<u64>,
        #[serde(deserialize_with = "status")]
        status: Option<u16>,
        #[serde(deserialize_with = "flag")]
        flag: Option<bool>,
        #[serde(deserialize_with = "text")]
        text: String,
    }

    fn said(value: &str) -> Said {
        let fields = ["tokens", "dollars", "tries", "milliseconds", "status", "flag", "text"];
        let members: Vec<String> = fields.iter().map(|field| format!("\"{field}\":{value}")).collect();
        crate::json::read(&format!("{{{}}}", members.join(","))).unwrap()
    }

    #[test]
    fn whatever_is_said_is_read_and_nonsense_counts_as_not_said() {
        let nothing = Said {
            tokens: 0,
            dollars: 0.0,
            tries: 0,
            milliseconds: None,
            status: None,
            flag: None,
            text: String::new(),
        };
        for nonsense in ["null", "-1", "-1e300", "[]", "{\"a\":[1]}"] {
            assert_eq!(said(nonsense), nothing, "{nonsense}");
        }
        let number = |tokens, dollars, tries, milliseconds| Said {
            tokens,
            dollars,
            tries,
            milliseconds: Some(milliseconds),
            status: None,
            flag: None,
            text: String::new(),
        };
        assert_eq!(said("1000.5"), number(1001, 1000.5, 0, 1001));
        assert_eq!(said("1e300"), number(0, 0.0, 0, 9_007_199_254_740_992));
        assert_eq!(said("18446744073709551615"), number(0, 0.0, 0, 9_007_199_254_740_992));
        assert_eq!(said("429"), Said { status: Some(429), ..number(429, 429.0, 429, 429) });
        assert_eq!(said("70000"), number(70_000, 70_000.0, 0, 70_000));
        assert_eq!(said("true"), Said { flag: Some(true), ..said("null") });
        assert_eq!(said("\"429\""), Said { text: "429".to_owned(), ..said("null") });
    }
}
