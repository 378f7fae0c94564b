//! How the types of the language are read. Those of the project derive [`Read`].

use super::{Fault, Node};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A type that is read from JSON. Derive it with [`Deserialize`](super::Deserialize).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be read by `kernel::json`",
    note = "derive `kernel::json::Deserialize` instead of `serde::Deserialize`"
)]
pub trait Read: Sized {
    /// Reads a value.
    fn read(node: Node) -> Result<Self, Fault>;

    /// What a missing field of this type is read as.
    fn absent(field: &'static str) -> Result<Self, Fault> {
        Err(Fault::missing(field))
    }
}

impl Read for Node {
    fn read(node: Node) -> Result<Self, Fault> {
        Ok(node)
    }
}

impl Read for Value {
    fn read(node: Node) -> Result<Self, Fault> {
        Ok(node.into())
    }
}

impl Read for () {
    fn read(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Null => Ok(()),
            other => Err(Fault::new(&other, "unit")),
        }
    }
}

impl Read for bool {
    fn read(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Bool(value) => Ok(value),
            other => Err(Fault::new(&other, "a boolean")),
        }
    }
}

impl Read for f64 {
    fn read(node: Node) -> Result<Self, Fault> {
        match &node {
            Node::Number(number) => number.as_f64().ok_or_else(|| Fault::range(&node, "f64")),
            other => Err(Fault::new(other, "f64")),
        }
    }
}

/// A whole number.
fn whole(node: &Node, expected: &str) -> Result<i128, Fault> {
    let Node::Number(number) = node else { return Err(Fault::new(node, expected)) };
    let whole = number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from));
    whole.ok_or_else(|| Fault::new(node, expected))
}

macro_rules! numbers {
    ($($name:ident)*) => {
        $(impl Read for $name {
            fn read(node: Node) -> Result<Self, Fault> {
                let expected = stringify!($name);
                whole(&node, expected)?.try_into().map_err(|_| Fault::range(&node, expected))
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 usize i32 i64);

impl Read for String {
    fn read(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Text(text) => Ok(text),
            other => Err(Fault::new(&other, "a string")),
        }
    }
}

macro_rules! texts {
    ($($name:ty)*) => {
        $(impl Read for $name {
            fn read(node: Node) -> Result<Self, Fault> {
                String::read(node).map(Self::from)
            }
        })*
    };
}

texts!(Box<str> Cow<'static, str>);

impl<T: Read> Read for Option<T> {
    fn read(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Null => Ok(None),
            other => T::read(other).map(Some),
        }
    }

    fn absent(_: &'static str) -> Result<Self, Fault> {
        Ok(None)
    }
}

impl<T: Read> Read for Box<T> {
    fn read(node: Node) -> Result<Self, Fault> {
        T::read(node).map(Self::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(node: Node) -> Result<Self, Fault> {
        let mut all = Self::new();
        node.each_item(&mut |item| {
            all.push(T::read(item)?);
            Ok(())
        })?;
        Ok(all)
    }
}

impl<T: Read> Read for Box<[T]> {
    fn read(node: Node) -> Result<Self, Fault> {
        Vec::read(node).map(Self::from)
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(node: Node) -> Result<Self, Fault> {
        Vec::read(node).map(design_lab_numerics::sorting::set)
    }
}

impl<K: Read + Ord, V: Read> Read for BTreeMap<K, V> {
    fn read(node: Node) -> Result<Self, Fault> {
        let mut all = Self::new();
        node.each_member(&mut |name, value| {
            all.insert(K::read(name)?, V::read(value)?);
            Ok(())
        })?;
        Ok(all)
    }
}

impl<T: Read, const N: usize> Read for [T; N] {
    fn read(node: Node) -> Result<Self, Fault> {
        let all: Vec<T> = Vec::read(node)?;
        all.try_into().map_err(|all: Vec<T>| Fault::length(all.len(), &format!("an array of length {N}")))
    }
}

macro_rules! tuples {
    ($($size:literal $expected:literal: $($name:ident $index:literal)*;)*) => {
        $(impl<$($name: Read),*> Read for ($($name,)*) {
            #[expect(non_snake_case, reason = "each item is named like its type")]
            fn read(node: Node) -> Result<Self, Fault> {
                let [$($name),*] = node.fixed::<$size>($expected)?;
                Ok(($($name::read($name).map_err(|fault| fault.in_item($index))?,)*))
            }
        })*
    };
}

tuples! {
    2 "a tuple of size 2": A 0 B 1;
    3 "a tuple of size 3": A 0 B 1 C 2;
    4 "a tuple of size 4": A 0 B 1 C 2 D 3;
}
