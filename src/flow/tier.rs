//! How much something that is said of a session carries.

/// How much something carries, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    /// The shell ran a command, or compared files, and looked itself.
    Observed,
    /// The shell ran it once more, in a copy of the files.
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
    pub(super) const ALL: [Self; 5] =
        [Self::Observed, Self::ReExecuted, Self::Person, Self::Opinion, Self::NotChecked];

    /// In a word, for people and programs.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::ReExecuted => "re-executed",
            Self::Person => "person",
            Self::Opinion => "model's opinion",
            Self::NotChecked => "not checked",
        }
    }

    /// In a sentence, for people.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Observed => "The plugin ran the command, or compared the files, and looked itself.",
            Self::ReExecuted => "The plugin ran it in a copy of the files.",
            Self::Person => "A person decided it.",
            Self::Opinion => "A model says so. By itself that moves nothing.",
            Self::NotChecked => "Nobody looked, or nothing here could.",
        }
    }
}
