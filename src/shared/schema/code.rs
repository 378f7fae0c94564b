//! The codes of what any document can get wrong against its schema.

use kernel::problem::{ErrorCode, Problem};
use std::borrow::Cow;
use std::fmt::Display;

/// A document that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// What an analyst of journeys returns.
    Analysis,
    /// A configuration file.
    Config,
    /// A design.
    Design,
    /// An exam.
    Exam,
    /// JSON that doesn't show yet what it is.
    Json,
    /// A plan.
    Plan,
    /// A ranking.
    Ranking,
    /// A worker's report.
    Report,
    /// A review.
    Review,
    /// One reviewer's scores of one design.
    Score,
    /// Test files.
    Suite,
    /// A task.
    Task,
    /// What a verifier of criteria returns.
    Verification,
}

/// What a document can get wrong, whichever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A key stands twice in one object.
    DuplicateKey,
    /// A text is empty.
    Empty,
    /// A rule is broken that has no code of its own, or reading failed although the schema holds.
    Invalid,
    /// A text isn't of the form that is wanted.
    Malformed,
    /// A key is missing.
    MissingField,
    /// A text is none of the words that are allowed.
    NotAChoice,
    /// A number is too small or too large.
    OutOfBounds,
    /// The text isn't JSON.
    Syntax,
    /// A list has too few entries.
    TooFew,
    /// A list or an object has too many entries.
    TooMany,
    /// There is no such key.
    UnknownKey,
    /// A value is of another type.
    WrongType,
}

/// The code of a fault in a document: `config.unknown-key`, `task.missing-field`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentCode {
    /// Which document.
    pub document: DocumentKind,
    /// What is wrong with it.
    pub fault: Fault,
}

impl DocumentKind {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Analysis,
        Self::Config,
        Self::Design,
        Self::Exam,
        Self::Json,
        Self::Plan,
        Self::Ranking,
        Self::Report,
        Self::Review,
        Self::Score,
        Self::Suite,
        Self::Task,
        Self::Verification,
    ];

    /// The code of a fault in it.
    pub const fn code(self, fault: Fault) -> DocumentCode {
        DocumentCode { document: self, fault }
    }

    /// The problem that it holds to its schema and can't be read all the same.
    pub(crate) fn unreadable(self, error: &dyn Display) -> Problem {
        let name = match self {
            Self::Config => "configuration",
            Self::Review => "evaluations",
            other => other.prefix(),
        };
        Problem::new(self.code(Fault::Invalid), format!("The {name} can't be read: {error}."))
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Analysis => "analysis",
            Self::Config => "config",
            Self::Design => "design",
            Self::Exam => "exam",
            Self::Json => "json",
            Self::Plan => "plan",
            Self::Ranking => "ranking",
            Self::Report => "report",
            Self::Review => "review",
            Self::Score => "score",
            Self::Suite => "suite",
            Self::Task => "task",
            Self::Verification => "verification",
        }
    }
}

impl Fault {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::DuplicateKey,
        Self::Empty,
        Self::Invalid,
        Self::Malformed,
        Self::MissingField,
        Self::NotAChoice,
        Self::OutOfBounds,
        Self::Syntax,
        Self::TooFew,
        Self::TooMany,
        Self::UnknownKey,
        Self::WrongType,
    ];

    const fn text(self) -> &'static str {
        match self {
            Self::DuplicateKey => "duplicate-key",
            Self::Empty => "empty",
            Self::Invalid => "invalid",
            Self::Malformed => "malformed",
            Self::MissingField => "missing-field",
            Self::NotAChoice => "not-a-choice",
            Self::OutOfBounds => "out-of-bounds",
            Self::Syntax => "syntax",
            Self::TooFew => "too-few",
            Self::TooMany => "too-many",
            Self::UnknownKey => "unknown-key",
            Self::WrongType => "wrong-type",
        }
    }
}

impl ErrorCode for DocumentCode {
    fn text(self) -> Cow<'static, str> {
        [self.document.prefix(), ".", self.fault.text()].concat().into()
    }
}
