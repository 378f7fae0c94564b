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
    /// What kept the part from its answer.
    cause: Cause,
}

/// What kept a part from its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// Its model was asked, and failed.
    Failed,
    /// Its model was not asked.
    NotAsked,
    /// A person was needed but not available.
    NoPerson,
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
        Self { wording, own, cause: Cause::Failed }
    }

    /// The reason of a part whose model was not asked: why not, in this package's own words.
    pub fn not_asked(why: &str) -> Self {
        Self { cause: Cause::NotAsked, ..Self::own(format!("not asked: {why}")) }
    }

    /// Whether the model was not asked.
    pub fn was_not_asked(&self) -> bool {
        self.cause == Cause::NotAsked
    }

    /// The same, marked as failed because no person was available to decide.
    #[must_use]
    pub fn for_person(self) -> Self {
        Self { cause: Cause::NoPerson, ..self }
    }

    /// Whether a person was needed but not available.
    pub fn is_for_person(&self) -> bool {
        self.cause == Cause::NoPerson
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reason_says_does_not_make_it_one_of_a_part_that_was_not_asked() {
        let why = Reason::not_asked("the budget is used up");
        assert!(why.was_not_asked() && !why.is_for_person());
        assert_eq!(why.wording(), "not asked: the budget is used up");
        assert_eq!(why.in_own_words(), why.wording());
        for other in [
            Reason::own("not asked: the budget is used up"),
            Reason::quoting("not asked", "by a provider"),
            Reason::worded("not asked".to_owned(), "refused".to_owned()).for_person(),
        ] {
            assert!(!other.was_not_asked(), "{other}");
        }
    }
}
