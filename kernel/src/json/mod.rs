//! JSON text: one way in, and one way out.
//!
//! Text is parsed to a [`Node`], whatever it is read as, and a type reads its members from the node ([`Read`]). Serde would compile
//! each type once for each source of values: for text, for a parsed value, and for the buffers through which it reads tagged and
//! flattened types.

mod node;
mod place;
mod read;

pub use design_lab_derive::Deserialize;
pub use node::{Content, Fault, Members, Node};
pub use read::Read;

use serde::{Deserializer, Serialize};

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

/// Reads a value from text.
pub fn read<T: Read>(text: &str) -> serde_json::Result<T> {
    T::read(Node::parse(text)?).map_err(|fault| fault.of(text))
}

/// Reads a value from a value.
pub fn of<T: Read>(value: &serde_json::Value) -> serde_json::Result<T> {
    T::read(value.into()).map_err(Into::into)
}

/// Reads a value from any source that serde can read from. Types derive it for tests and for other crates; the core itself reads
/// from text.
pub fn deserialize<'de, T: Read, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    let node = serde::Deserialize::deserialize(from)?;
    T::read(node).map_err(|fault| serde::de::Error::custom(serde_json::Error::from(fault)))
}

#[cfg(test)]
mod tests;
