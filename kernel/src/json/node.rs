//! Parsed JSON text that a type is read from, member by member.

use super::Read;
use super::place::{self, Step};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor};
use serde_json::{Error, Number, Value};
use std::fmt;

/// A JSON value.
#[derive(Debug)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Self>),
    /// An object.
    Object(Members),
}

/// The members of an object that nobody has taken yet. They are kept in their order, and duplicates are kept.
#[derive(Debug, Default)]
pub struct Members {
    /// `None` when the value was taken.
    all: Vec<(String, Option<Node>)>,
    /// Where the next member is expected: a type's fields are mostly written in their order.
    next: usize,
}

/// What is beside the name of a variant; a variant without fields has nothing.
#[derive(Debug)]
pub struct Content {
    /// The member that it is the value of.
    name: &'static str,
    node: Option<Node>,
}

/// Why a value can't be read, and where it is.
#[derive(Debug)]
pub struct Fault(Box<Misfit>);

#[derive(Debug)]
struct Misfit {
    what: Error,
    /// To the value, the last one first.
    steps: Vec<Step>,
}

impl Fault {
    /// A value that isn't what is expected.
    pub(super) fn new(node: &Node, expected: &str) -> Self {
        Error::invalid_type(node.unexpected(), &expected).into()
    }

    /// A list with another number of items than expected.
    pub(super) fn length(length: usize, expected: &str) -> Self {
        Error::invalid_length(length, &expected).into()
    }

    /// A number that its type can't hold.
    pub(super) fn range(node: &Node, expected: &str) -> Self {
        Error::invalid_value(node.unexpected(), &expected).into()
    }

    /// A field that isn't there.
    pub(super) fn missing(field: &'static str) -> Self {
        Error::missing_field(field).into()
    }

    /// The same, seen from the object that has the value as this member.
    pub(super) fn in_member(mut self, key: &str) -> Self {
        self.0.steps.push(Step::Member(key.to_owned()));
        self
    }

    /// The same, seen from the list that has the value at this index.
    pub(super) fn in_item(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Item(index));
        self
    }

    /// The fault of a value that was parsed from this text.
    pub(super) fn of(self, text: &str) -> Error {
        let (line, column) = place::position(text, self.0.steps.iter().rev());
        Error::custom(format!("{} at line {line} column {column}", Error::from(self)))
    }
}

impl From<Error> for Fault {
    fn from(what: Error) -> Self {
        Self(Box::new(Misfit { what, steps: Vec::new() }))
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        let Misfit { what, steps } = *fault.0;
        if steps.is_empty() {
            what
        } else {
            Self::custom(format!("{what}, in {}", place::name(steps.iter().rev())))
        }
    }
}

impl Node {
    /// A JSON text.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text)
    }

    /// What an error calls it.
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Unexpected::Unsigned(number),
                (None, Some(number)) => Unexpected::Signed(number),
                (None, None) => Unexpected::Float(number.as_f64().unwrap_or_default()),
            },
            Self::Text(text) => Unexpected::Str(text),
            Self::List(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
        }
    }

    /// The items of a list.
    fn items(self, expected: &str) -> Result<Vec<Self>, Fault> {
        match self {
            Self::List(items) => Ok(items),
            other => Err(Fault::new(&other, expected)),
        }
    }

    /// Reads the items of a list, in order. One loop for lists of every type.
    pub(super) fn each_item(self, read: &mut dyn FnMut(Self) -> Result<(), Fault>) -> Result<(), Fault> {
        for (index, item) in self.items("a sequence")?.into_iter().enumerate() {
            read(item).map_err(|fault| fault.in_item(index))?;
        }
        Ok(())
    }

    /// Reads the members of an object, in order; the name comes as a node.
    pub(super) fn each_member(
        self,
        read: &mut dyn FnMut(Self, Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        for (name, value) in self.members("a map")? {
            read(Self::Text(name.clone()), value).map_err(|fault| fault.in_member(&name))?;
        }
        Ok(())
    }

    /// The items of a list that has this many.
    pub(super) fn fixed<const N: usize>(self, expected: &str) -> Result<[Self; N], Fault> {
        self.items(expected)?.try_into().map_err(|items: Vec<Self>| Fault::length(items.len(), expected))
    }

    /// The members of an object.
    pub fn members(self, expected: &str) -> Result<Members, Fault> {
        match self {
            Self::Object(members) => Ok(members),
            other => Err(Fault::new(&other, expected)),
        }
    }

    /// Whether the member `tag` names one of these variants.
    pub fn is_tagged(&self, tag: &str, variants: &[&str]) -> bool {
        let Self::Object(members) = self else { return false };
        members.all.iter().any(|(name, value)| match value {
            Some(Self::Text(text)) => name == tag && variants.contains(&text.as_str()),
            _ => false,
        })
    }

    /// Which of these variants the member `tag` names, with the other members.
    pub fn tagged(
        self,
        expected: &str,
        tag: &'static str,
        variants: &'static [&'static str],
    ) -> Result<(usize, Members), Fault> {
        let mut members = self.members(expected)?;
        let index = match members.take(tag)? {
            None => return Err(Fault::missing(tag)),
            Some(Self::Text(name)) => index_of(&name, variants).map_err(|fault| fault.in_member(tag))?,
            Some(other) => return Err(Fault::new(&other, "variant identifier").in_member(tag)),
        };
        Ok((index, members))
    }

    /// Which of these variants the member `tag` names, with the value of the member `content`.
    pub fn adjacent(
        self,
        expected: &str,
        tag: &'static str,
        content: &'static str,
        variants: &'static [&'static str],
    ) -> Result<(usize, Content), Fault> {
        let (index, mut members) = self.tagged(expected, tag, variants)?;
        Ok((index, Content { name: content, node: members.take(content)? }))
    }

    /// Which of these variants it names, with what is beside the name.
    pub fn variant(self, variants: &'static [&'static str]) -> Result<(usize, Content), Fault> {
        match self {
            Self::Text(name) => {
                let index = index_of(&name, variants)?;
                Ok((index, Content { name: variants[index], node: None }))
            }
            Self::Object(Members { mut all, .. }) if all.len() == 1 => {
                let (name, node) = all.remove(0);
                let index = index_of(&name, variants)?;
                Ok((index, Content { name: variants[index], node }))
            }
            Self::Object(_) => Err(Fault::range(&self, "map with a single key")),
            other => Err(Fault::new(&other, "string or map")),
        }
    }

    /// Which of these variants it names; none of them has fields.
    pub fn unit_variant(self, variants: &'static [&'static str]) -> Result<usize, Fault> {
        let (index, content) = self.variant(variants)?;
        content.unit().map(|()| index)
    }
}

fn index_of(name: &str, variants: &'static [&'static str]) -> Result<usize, Fault> {
    variants
        .iter()
        .position(|variant| *variant == name)
        .ok_or_else(|| Error::unknown_variant(name, variants).into())
}

impl Content {
    /// Nothing, or `null`.
    pub fn unit(self) -> Result<(), Fault> {
        match self.node {
            None | Some(Node::Null) => Ok(()),
            Some(other) => Err(Fault::new(&other, "unit").in_member(self.name)),
        }
    }

    /// Reads a variant that has fields. `expected`: its kind.
    pub fn read<T>(self, expected: &str, read: fn(Node) -> Result<T, Fault>) -> Result<T, Fault> {
        match self.node {
            Some(node) => read(node).map_err(|fault| fault.in_member(self.name)),
            None => Err(Error::invalid_type(Unexpected::UnitVariant, &expected).into()),
        }
    }
}

impl Members {
    /// The value of this member; an error if the object has it twice.
    fn take(&mut self, key: &'static str) -> Result<Option<Node>, Fault> {
        let count = self.all.len();
        let mut taken = None;
        for step in 0..count {
            let place = (self.next + step) % count;
            let (name, value) = &mut self.all[place];
            if name == key {
                if taken.is_some() {
                    return Err(Error::duplicate_field(key).into());
                }
                taken = value.take().map(|value| (place, value));
            }
        }
        Ok(taken.map(|(place, value)| {
            self.next = place + 1;
            value
        }))
    }

    /// Reads this member, which only a type that can do without a value may lack.
    pub fn member<T: Read>(&mut self, key: &'static str) -> Result<T, Fault> {
        match self.take(key)? {
            Some(node) => T::read(node).map_err(|fault| fault.in_member(key)),
            None => T::absent(key),
        }
    }

    /// Reads this member, which has to be there.
    pub fn required<T>(&mut self, key: &'static str, read: fn(Node) -> Result<T, Fault>) -> Result<T, Fault> {
        self.read(key, read)?.ok_or_else(|| Fault::missing(key))
    }

    /// Reads this member; `None` when it isn't there.
    pub fn read<T>(
        &mut self,
        key: &'static str,
        read: fn(Node) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        match self.take(key)? {
            Some(node) => read(node).map(Some).map_err(|fault| fault.in_member(key)),
            None => Ok(None),
        }
    }

    /// An error if a member is left. `fields`: those that there may be.
    pub fn end(&self, fields: &'static [&'static str]) -> Result<(), Fault> {
        match self.all.iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => Err(Error::unknown_field(name, fields).into()),
            None => Ok(()),
        }
    }
}

impl IntoIterator for Members {
    type Item = (String, Node);
    type IntoIter = std::iter::FilterMap<
        std::vec::IntoIter<(String, Option<Node>)>,
        fn((String, Option<Node>)) -> Option<(String, Node)>,
    >;

    /// The members that nobody has taken.
    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

impl From<Node> for Value {
    fn from(node: Node) -> Self {
        match node {
            Node::Null => Self::Null,
            Node::Bool(value) => Self::Bool(value),
            Node::Number(number) => Self::Number(number),
            Node::Text(text) => Self::String(text),
            Node::List(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Node::Object(members) => {
                Self::Object(members.into_iter().map(|(name, value)| (name, Self::from(value))).collect())
            }
        }
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.clone()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::List(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                let all =
                    members.iter().map(|(name, value)| (name.clone(), Some(Self::from(value)))).collect();
                Self::Object(Members { all, next: 0 })
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Parser)
    }
}

struct Parser;

impl<'de> Visitor<'de> for Parser {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Number::from_f64(value).map_or(Node::Null, Node::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Node::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Node, A::Error> {
        let mut all = Vec::new();
        while let Some(name) = members.next_key()? {
            all.push((name, Some(members.next_value()?)));
        }
        Ok(Node::Object(Members { all, next: 0 }))
    }
}
