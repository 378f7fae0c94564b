//! The names of designs and reviewers. Each kind of name has its own type, so that none can be used in place of another; in JSON
//! they are strings.

use kernel::json::Deserialize;
use serde::Serialize;
use std::fmt;
use std::ops::Deref;

/// The id of a design. In a run it is the id of the entry of `design_models` that wrote the design, so it reveals the author.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct DesignId(String);

/// The id of a reviewer. In a run it comes from the entry of `review_models` or from a person's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct ReviewerId(String);

/// People read ids, and files are named after them, so unlike a label, an id may be used as plain text.
macro_rules! readable {
    ($($name:ty),*) => {
        $(
            impl $name {
                /// Creates the id with this text. If a file is named after it, the configuration or the journal was checked
                /// before.
                pub fn new(text: impl Into<String>) -> Self {
                    Self(text.into())
                }

                /// Its text.
                pub fn as_str(&self) -> &str {
                    &self.0
                }
            }

            impl Deref for $name {
                type Target = str;

                fn deref(&self) -> &str {
                    &self.0
                }
            }

            impl PartialEq<str> for $name {
                fn eq(&self, text: &str) -> bool {
                    self.0 == text
                }
            }

            impl PartialEq<&str> for $name {
                fn eq(&self, text: &&str) -> bool {
                    self.0 == *text
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(&self.0)
                }
            }
        )*
    };
}

readable!(DesignId, ReviewerId);

/// The name by which a reviewer knows a design: a word that reveals neither order nor author.
///
/// Only the run's journal records which design it stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Label(String);

/// Only the workflow's `Presented` maps a label to a design. A label can't be formatted as if it were a name; code that shows
/// one to a reviewer has to ask for its text:
///
/// ```compile_fail
/// # use lab_core::design_lab::ids::Label;
/// let label = Label::new("clover");
/// let report = format!("the design by {label}");
/// ```
///
/// Nor can it be used as the id of a design, which reveals the author:
///
/// ```
/// # use lab_core::design_lab::ids::DesignId;
/// fn author(design: &DesignId) -> String {
///     format!("the design by {design}")
/// }
/// assert_eq!(author(&DesignId::new("quill-4")), "the design by quill-4");
/// ```
///
/// ```compile_fail
/// # use lab_core::design_lab::ids::{DesignId, Label};
/// # fn author(design: &DesignId) -> String {
/// #     format!("the design by {design}")
/// # }
/// author(&Label::new("clover"));
/// ```
impl Label {
    /// Creates the label with this text. Labels from a journal were checked before.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, as reviewers read it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Several labels as reviewers read them, separated by commas.
    pub fn list(labels: &[Self]) -> String {
        labels.iter().map(Self::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// In schemas these types are plain strings.
#[cfg(test)]
macro_rules! text_schema {
    ($($name:ty),*) => {
        $(impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                String::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        })*
    };
}

#[cfg(test)]
text_schema!(DesignId, Label, ReviewerId);
