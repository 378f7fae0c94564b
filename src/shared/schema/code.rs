//! The codes of the faults that any document can have against its schema.

use kernel::problem::{ErrorCode, Problem};
use std::borrow::Cow;
use std::fmt::Display;

/// A document that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentKind {
    /// The answer of an analyst of journeys.
    Analysis,
    /// A configuration file.
    Config,
    /// A design.
    Design,
    /// An exam.
    Exam,
    /// JSON whose kind isn't known yet.
    Json,
    /// A decision map.
    Map,
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
    /// The answer of a verifier of criteria.
    Verification,
}

/// A fault that any document can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A key occurs twice in one object.
    DuplicateKey,
    /// A text is empty.
    Empty,
    /// A rule without its own code is broken, or reading failed although the document matches its schema.
    Invalid,
    /// A text doesn't have the required form.
    Malformed,
    /// A key is missing.
    MissingField,
    /// A text is none of the allowed words.
    NotAChoice,
    /// A number is too small or too large.
    OutOfBounds,
    /// The text isn't JSON.
    Syntax,
    /// A list has too few entries.
    TooFew,
    /// A list or an object has too many entries.
    TooMany,
    /// The schema has no such key.
    UnknownKey,
    /// A value has the wrong type.
    WrongType,
}

/// The code of a fault in a document: `config.unknown-key`, `task.missing-field`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentCode {
    /// The document.
    pub document: DocumentKind,
    /// Its fault.
    pub fault: Fault,
}

impl DocumentKind {
    /// All kinds of documents.
    pub const ALL: &[Self] = &[
        Self::Analysis,
        Self::Config,
        Self::Design,
        Self::Exam,
        Self::Json,
        Self::Map,
        Self::Plan,
        Self::Ranking,
        Self::Report,
        Self::Review,
        Self::Score,
        Self::Suite,
        Self::Task,
        Self::Verification,
    ];

    /// The code of a fault in this kind of document.
    pub const fn code(self, fault: Fault) -> DocumentCode {
        DocumentCode { document: self, fault }
    }

    /// The problem of a document that matches its schema and still can't be read.
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
            Self::Map => "map",
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
    /// All faults.
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
