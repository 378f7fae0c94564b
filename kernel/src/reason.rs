//! Why a model's part came to nothing, for people and for models.

use std::fmt;

/// Why a model's part came to nothing.
///
/// People are told what the provider or the model said. The user's own model is not: it may have a shell, and whoever
/// writes an error would be writing its prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// For people.
    told: String,
    /// In our own words alone.
    own: String,
    /// Whether a person was needed and none was there.
    for_person: bool,
}

impl Reason {
    /// A reason in our own words.
    pub fn own(words: impl Into<String>) -> Self {
        let words = words.into();
        Self::worded(words.clone(), words)
    }

    /// Our own words, and what somebody else said of it.
    pub fn quoting(own: impl Into<String>, said: &str) -> Self {
        let own = own.into();
        let told = if said.is_empty() { own.clone() } else { format!("{own}: {said}") };
        Self::worded(told, own)
    }

    /// The same in other sentences; `told` may quote.
    pub fn worded(told: String, own: String) -> Self {
        Self { told, own, for_person: false }
    }

    /// The same, for want of a person who decides.
    #[must_use]
    pub fn for_person(self) -> Self {
        Self { for_person: true, ..self }
    }

    /// Whether a person was needed and none was there.
    pub fn is_for_person(&self) -> bool {
        self.for_person
    }

    /// For people, with what was quoted.
    pub fn told(&self) -> &str {
        &self.told
    }

    /// For models, in our own words alone.
    pub fn in_own_words(&self) -> &str {
        &self.own
    }

    /// The same behind these words.
    #[must_use]
    pub fn behind(&self, words: &str) -> Self {
        let (told, own) = (format!("{words}{}", self.told), format!("{words}{}", self.own));
        Self { told, own, ..*self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}
