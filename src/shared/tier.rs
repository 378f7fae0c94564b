//! How much something carries that a page or a file says.

/// How much something carries, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// The shell ran a command, or compared files, and looked itself.
    Observed,
    /// The shell ran it again, in a copy of the files.
    ReExecuted,
    /// A person decided it.
    Person,
    /// A model says so.
    Opinion,
    /// Nobody looked, or nothing here can.
    NotChecked,
}

impl Tier {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::Observed, Self::ReExecuted, Self::Person, Self::Opinion, Self::NotChecked];

    /// In a word, for people and programs.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::ReExecuted => "re-executed",
            Self::Person => "person",
            Self::Opinion => "model's opinion",
            Self::NotChecked => "not checked",
        }
    }

    /// What style sheets call it.
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
            Self::ReExecuted => "The plugin ran it in a copy of the files.",
            Self::Person => "A person decided it.",
            Self::Opinion => "A model says so. That alone decides nothing.",
            Self::NotChecked => "Nothing checked it, or nothing here could.",
        }
    }
}
