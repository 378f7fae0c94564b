//! What designs are called in a run. Each kind of name is a type of its own, so that none stands where another is meant; in JSON
//! they are texts.

use serde::{Deserialize, Serialize};

/// What a reviewer knows a design by: a word that tells of neither order nor author.
///
/// Which design it stands for only the run's journal says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Label(String);

/// Only [`Presented`](crate::design_lab::workflow::Presented) leads from a label to a design. A label can't be written as if it
/// were a name; whoever shows one to a reviewer asks for its text:
///
/// ```compile_fail
/// # use lab_core::design_lab::ids::Label;
/// let label = Label::new("clover");
/// let report = format!("the design by {label}");
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
text_schema!(Label);
