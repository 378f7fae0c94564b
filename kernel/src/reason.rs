//! Why a model's part came to nothing, for people and for models.

use std::fmt;

/// Why a model's part came to nothing.
///
/// People see the words of the provider or the model. The user's own model doesn't: it may have a shell, and whoever
/// writes an error would be writing its prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// For people.
    wording: String,
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

    /// Our own words, and a quotation of someone else's.
    pub fn quoting(own: impl Into<String>, said: &str) -> Self {
        let own = own.into();
        let wording = if said.is_empty() { own.clone() } else { format!("{own}: {said}") };
        Self::worded(wording, own)
    }

    /// The same in other sentences; `wording` may quote.
    pub fn worded(wording: String, own: String) -> Self {
        Self { wording, own, for_person: false }
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
    pub fn wording(&self) -> &str {
        &self.wording
    }

    /// For models, in our own words alone.
    pub fn in_own_words(&self) -> &str {
        &self.own
    }

    /// The same behind these words.
    #[must_use]
    pub fn behind(&self, words: &str) -> Self {
        let (wording, own) = (format!("{words}{}", self.wording), format!("{words}{}", self.own));
        Self { wording, own, ..*self }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.wording)
    }
}
