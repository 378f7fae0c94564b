//! Why a model's part failed, for people and for models.

use std::fmt;

/// Why a model's part failed.
///
/// People see the provider's or the model's words. The user's own model doesn't: it may have a shell, and whoever writes an error
/// would be writing its prompt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// For people.
    wording: String,
    /// In this package's own words only.
    own: String,
    /// Whether a person was needed but not available.
    for_person: bool,
}

impl Reason {
    /// A reason in this package's own words.
    pub fn own(words: impl Into<String>) -> Self {
        let words = words.into();
        Self::worded(words.clone(), words)
    }

    /// The package's own words, and a quotation of someone else's.
    pub fn quoting(own: impl Into<String>, said: &str) -> Self {
        let own = own.into();
        let wording = if said.is_empty() { own.clone() } else { format!("{own}: {said}") };
        Self::worded(wording, own)
    }

    /// A reason with separate texts for people and models; `wording` may quote.
    pub fn worded(wording: String, own: String) -> Self {
        Self { wording, own, for_person: false }
    }

    /// The same, marked as failed because no person was available to decide.
    #[must_use]
    pub fn for_person(self) -> Self {
        Self { for_person: true, ..self }
    }

    /// Whether a person was needed but not available.
    pub fn is_for_person(&self) -> bool {
        self.for_person
    }

    /// For people, including quotations.
    pub fn wording(&self) -> &str {
        &self.wording
    }

    /// For models, in this package's own words only.
    pub fn in_own_words(&self) -> &str {
        &self.own
    }

    /// The same with these words in front.
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
