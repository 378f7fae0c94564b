//! What designs and reviewers are called. Each kind of name is a type of its own, so that none stands where another is meant; in
//! JSON they are texts.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;

/// What a design is called, in a run by the entry of `design_models` that wrote it: who knows it knows the author.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct DesignId(String);

/// What a reviewer is called, in a run by the entry of `review_models` or a person's name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct ReviewerId(String);

/// People read ids, and files are named by them; so, unlike a label, an id may be used as the text that it is.
macro_rules! readable {
    ($($name:ty),*) => {
        $(
            impl $name {
                /// The id of this text. Where a file is named by it, the configuration or the journal has been checked before.
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
/// Which design it stands for only the run's journal says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Label(String);

/// Only `Presented` of the workflow leads from a label to a design. A label can't be written as if it
/// were a name; whoever shows one to a reviewer asks for its text:
///
/// ```compile_fail
/// # use lab_core::design_lab::ids::Label;
/// let label = Label::new("clover");
/// let report = format!("the design by {label}");
/// ```
///
/// Nor does it pass for the id of a design, which is what tells the author:
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
    /// The label of this text. What stands in a journal is looked at before.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As reviewers read it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Several as reviewers read them, with commas between.
    pub fn list(labels: &[Self]) -> String {
        labels.iter().map(Self::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// Schemas show the text alone.
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
