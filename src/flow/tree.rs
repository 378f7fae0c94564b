//! The name of a state of the project's files.

use kernel::json::{Fault, Node, Read};
use serde::de::{Error as _, Unexpected};
use serde::{Serialize, Serializer};
use std::fmt;

/// A name for the state of every file that git would not ignore: the same files always have the same name. It is never empty: it is
/// read from what the shell saw, so evidence can't be about files that nobody looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "string", type = "string"))]
#[serde(transparent)]
pub struct TreeId(String);

impl TreeId {
    /// Its text, as written in journals.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TreeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<TreeId> for String {
    fn from(tree: TreeId) -> Self {
        tree.0
    }
}

impl Read for TreeId {
    fn read(node: Node) -> Result<Self, Fault> {
        let text = String::read(node)?;
        if text.is_empty() {
            return Err(serde_json::Error::invalid_value(Unexpected::Str(""), &"the name of a tree").into());
        }
        Ok(Self(text))
    }
}

/// Reads a tree that is missing if its text is empty.
pub(super) fn read_unless_empty(node: Node) -> Result<Option<TreeId>, Fault> {
    Ok(Some(String::read(node)?).filter(|text| !text.is_empty()).map(TreeId))
}

/// Writes such a tree.
#[expect(clippy::ref_option, reason = "serde calls it with the field")]
pub(super) fn write_or_empty<S: Serializer>(tree: &Option<TreeId>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(tree.as_ref().map_or("", TreeId::as_str))
}

/// For tests, which name trees as they like.
#[cfg(test)]
mod for_tests {
    use super::TreeId;

    impl Default for TreeId {
        fn default() -> Self {
            Self("t".to_owned())
        }
    }

    impl From<&str> for TreeId {
        fn from(text: &str) -> Self {
            assert!(!text.is_empty(), "a tree has a name");
            Self(text.to_owned())
        }
    }

    impl PartialEq<str> for TreeId {
        fn eq(&self, other: &str) -> bool {
            self.0 == other
        }
    }

    impl PartialEq<&str> for TreeId {
        fn eq(&self, other: &&str) -> bool {
            self.0 == *other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TreeId;
    use crate::flow::protocol::LaneMade;

    #[test]
    fn a_tree_has_a_name_in_every_journal() {
        let read = |text: &str| kernel::json::read::<TreeId>(text);
        assert_eq!(serde_json::to_string(&read("\"4b82\"").unwrap()).unwrap(), "\"4b82\"");
        let refused = read("\"\"").unwrap_err().to_string();
        assert!(refused.starts_with("invalid value: string \"\", expected the name of a tree"), "{refused}");
        assert!(read("null").is_err() && read("7").is_err());
    }

    #[test]
    fn a_lane_that_was_not_made_has_no_tree() {
        let text = r#"{"effect":1,"unprepared":"no","directory":"/lane","tree":"","files":0,"bytes":0,"linked":[],"copied":[]}"#;
        let made: LaneMade = kernel::json::read(text).unwrap();
        assert_eq!(made.tree, None);
        assert_eq!(serde_json::to_string(&made).unwrap(), text);
        let made: LaneMade = kernel::json::read(&text.replace("\"tree\":\"\"", "\"tree\":\"4b82\"")).unwrap();
        assert_eq!(made.tree, Some("4b82".into()));
    }
}
