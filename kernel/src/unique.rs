//! JSON without duplicate keys: parsers differ in which duplicate counts, and a line must mean the same to all of them.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

/// Returns an error if an object in this JSON text has a duplicate key, or if the text is not JSON.
pub(crate) fn check(text: &str) -> Result<(), serde_json::Error> {
    serde_json::from_str::<Unique>(text).map(|_| ())
}

/// Any value, none of which is kept.
struct Unique;

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Looker)
    }
}

struct Looker;

impl<'de> Visitor<'de> for Looker {
    type Value = Unique;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unique, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.contains(&key) {
                let shown: String = key.chars().take(40).collect();
                return Err(A::Error::custom(format!("the key {shown:?} occurs twice in one object")));
            }
            keys.insert(key);
            map.next_value::<Unique>()?;
        }
        Ok(Unique)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Unique, A::Error> {
        while seq.next_element::<Unique>()?.is_some() {}
        Ok(Unique)
    }

    fn visit_unit<E>(self) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Unique, E> {
        Ok(Unique)
    }

    fn visit_str<E>(self, _: &str) -> Result<Unique, E> {
        Ok(Unique)
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn a_key_may_stand_once_in_each_object() {
        for text in [r#"{"a":1,"b":{"a":[{"a":null},{"a":-1.5}]}}"#, "[]", r#""a""#, "true"] {
            assert!(check(text).is_ok(), "{text}");
        }
        for text in [r#"{"a":1,"a":1}"#, r#"{"b":[{"a":1,"c":2,"\u0061":"x"}]}"#] {
            assert!(check(text).unwrap_err().to_string().contains("\"a\" occurs twice"), "{text}");
        }
    }
}
