//! How much weight a statement on a page or in a file carries.

/// The weight of a statement, the highest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// The shell itself ran a command, or compared files.
    Observed,
    /// The shell ran it again, in a copy of the files.
    ReExecuted,
    /// A person decided it.
    Person,
    /// A model states it.
    Opinion,
    /// It was not checked, or can't be checked here.
    NotChecked,
}

impl Tier {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::Observed, Self::ReExecuted, Self::Person, Self::Opinion, Self::NotChecked];

    /// In one word, for people and programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::ReExecuted => "re-executed",
            Self::Person => "person",
            Self::Opinion => "model's opinion",
            Self::NotChecked => "not checked",
        }
    }

    /// The name in style sheets.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::ReExecuted => "executed",
            Self::Person => "person",
            Self::Opinion => "opinion",
            Self::NotChecked => "unchecked",
        }
    }

    /// In a sentence, for people.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::Observed => "The plugin ran the command or compared the files itself.",
            Self::ReExecuted => "The plugin ran the command in a copy of the files.",
            Self::Person => "A person decided this.",
            Self::Opinion => "A model says so.",
            Self::NotChecked => "This was not checked, or it can't be checked here.",
        }
    }
}
