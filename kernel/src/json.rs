//! JSON text: one way in, and one way out. Serde compiles each type once for each of them.
//!
//! Serde reads a structure from an object, or from a list of its fields. Nobody writes such lists, but the code that reads them is a
//! third of the code for each type. A [`Reader`] wraps what serde hands on while it reads, and asks for objects only. Serde's own
//! buffer, through which it reads tagged and flattened types, still takes lists.

use serde::Serialize;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::fmt;

/// Writes a value with each member and item on a line of its own, exactly as `serde_json` does; empty if it can't be written. The
/// lines are broken afterwards, so that no type is compiled for a second form.
pub fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string(value).map(|text| broken(&text)).unwrap_or_default()
}

fn broken(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    let new_line = |out: &mut String, depth| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    let (mut depth, mut is_in_string) = (0, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if matches!(c, '}' | ']') && !is_in_string {
            depth -= 1;
            new_line(&mut out, depth);
        }
        out.push(c);
        match c {
            '"' => is_in_string = !is_in_string,
            '\\' => out.extend(rest.next()),
            _ if is_in_string => {}
            '{' | '[' => match rest.next_if(|next| matches!(next, '}' | ']')) {
                Some(end) => out.push(end),
                None => {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            },
            ',' => new_line(&mut out, depth),
            ':' => out.push(' '),
            _ => {}
        }
    }
    out
}

/// Reads a value.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Reader(&mut json))?;
    json.end()?;
    Ok(value)
}

struct Reader<T>(T);

/// Hands a request on as it is, for values in which no structure can be.
macro_rules! plain {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name(visitor)
        })*
    };
}

/// Hands a request on, and stays there for what is inside.
macro_rules! nested {
    ($($name:ident($($argument:ident: $kind:ty),*))*) => {
        $(fn $name<V: Visitor<'de>>(self, $($argument: $kind,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name($($argument,)* Reader(visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Reader<D> {
    type Error = D::Error;

    plain! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_identifier
        deserialize_ignored_any
    }

    nested! {
        deserialize_option()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(length: usize)
        deserialize_tuple_struct(name: &'static str, length: usize)
        deserialize_map()
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.deserialize_map(visitor)
    }
}

/// Hands a value on as it is.
macro_rules! value {
    ($($name:ident($kind:ty))*) => {
        $(fn $name<E: serde::de::Error>(self, value: $kind) -> Result<V::Value, E> {
            self.0.$name(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Reader<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    value! {
        visit_bool(bool) visit_i64(i64) visit_u64(u64) visit_f64(f64) visit_str(&str) visit_borrowed_str(&'de str)
        visit_string(String)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Reader(inner))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Reader(inner))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Reader(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Reader(members))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Reader(variant))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Reader<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Reader(from))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Reader<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Reader(seed))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Reader<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Reader(seed))
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Reader<A> {
    type Error = A::Error;
    type Variant = Reader<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        self.0.variant_seed(seed).map(|(name, content)| (name, Reader(content)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Reader<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Reader(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, Reader(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, Reader(visitor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Part {
        name: Box<str>,
        #[serde(default)]
        worth: Option<(u8, f64)>,
        #[serde(default)]
        parts: BTreeMap<String, Vec<Self>>,
        #[serde(default)]
        kind: Option<Kind>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Unit,
        Newtype(Id),
        Tuple(u8, i64),
        Struct { inner: Box<Part> },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Id(String);

    const WHOLE: &str = r#"{"name":"a","worth":[1,2],"other":[null,{}],"parts":{"x":[{"name":"\u00e9","worth":null},
        {"name":"b","kind":"unit"},{"name":"c","kind":{"newtype":"d"}},{"name":"e","kind":{"tuple":[1,-2]}},
        {"name":"f","kind":{"struct":{"inner":{"name":"g"}}}}]}}"#;

    #[test]
    fn a_value_and_an_error_are_those_of_serde_json() {
        assert_eq!(read::<Part>(WHOLE).unwrap(), serde_json::from_str(WHOLE).unwrap());
        let mut wrong: Vec<String> = (0..WHOLE.len())
            .filter(|end| WHOLE.is_char_boundary(*end))
            .map(|end| format!("{}?{}", &WHOLE[..end], &WHOLE[end + 1..]))
            .collect();
        wrong.extend(
            [r#"{"name":"a"} x"#, r#"{"name":"a","name":"b"}"#, r#"{"name":1}"#, "{\n\"worth\":1}"]
                .map(str::to_owned),
        );
        for text in wrong {
            let told = |error: serde_json::Error| error.to_string();
            assert_eq!(
                read::<Part>(&text).map_err(told),
                serde_json::from_str(&text).map_err(told),
                "{text}"
            );
        }
    }

    #[test]
    fn lines_are_broken_where_serde_json_breaks_them() {
        for text in [
            r#"{"a":[],"b":{},"c":[{},[[]],1.5e300,-2],"d":{"e":{"f":null}},"\\\"{[,:":"\\","g":"\"]}\u0000é"}"#,
            "[]",
            "3",
            r#""a,b""#,
            r#"[{"a":true}]"#,
        ] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(pretty(&value), serde_json::to_string_pretty(&value).unwrap());
        }
    }

    #[test]
    fn a_list_is_no_structure() {
        let told = read::<Vec<Part>>(r#"[["a"]]"#).unwrap_err().to_string();
        assert_eq!(told, "invalid type: sequence, expected struct Part at line 1 column 1");
    }
}
