//! The reader of a command's output: a person, or a model that called the command as a tool.

use kernel::index::Found;
use kernel::origin::Origin;
use kernel::problem::Problem;
use kernel::reason::Reason;
use kernel::visible;

/// The maximum length of the name of a run that was started here, in bytes.
const LONGEST_SLUG: usize = 80;

/// The reader of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The user's own model, which may have a shell: it gets only the package's own words, nothing that a provider or a model wrote.
    Model,
    /// The user.
    Person,
}

impl Reader {
    /// Whether a model called the command.
    pub fn of(by_model: bool) -> Self {
        if by_model { Self::Model } else { Self::Person }
    }

    /// A reason in the form that this reader may see.
    pub(crate) fn reason(self, reason: &Reason) -> &str {
        match self {
            Self::Model => reason.in_own_words(),
            Self::Person => reason.wording(),
        }
    }

    /// A problem in the form that this reader may see: the content of a run's files may have come from elsewhere and address a model.
    pub(crate) fn problem(self, problem: &Problem) -> Problem {
        let code = problem.code.as_str();
        let of_files = ["csv.", "form.", "journal."].iter().any(|room| code.starts_with(room));
        let of_names = ["run.ambiguous", "run.unknown"].contains(&code);
        match self {
            Self::Model if of_files => Problem {
                message: "A file of the run is invalid.".to_owned(),
                next: Some("Ask the user to type the command: its message shows where and why.".to_owned()),
                file: None,
                line: None,
                column: None,
                pointer: None,
                found: None,
                allowed: None,
                ..problem.clone()
            },
            Self::Model if of_names => Problem { allowed: None, ..problem.clone() },
            Self::Model | Self::Person => problem.clone(),
        }
    }

    /// A run's name for this reader. A run's directory may have come from elsewhere, and its name may address the model that reads it.
    pub(crate) fn name<S>(self, run: &Found<S>) -> String {
        let is_slug = |name: &str| {
            name.len() <= LONGEST_SLUG
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        let name = run.name.strip_prefix('.').unwrap_or(&run.name);
        if self == Self::Person || is_slug(name) {
            visible::line(&run.name)
        } else {
            "(an invalid name)".to_owned()
        }
    }

    /// Whether the reader sees a run's own texts. In a run from elsewhere, these may have been written by anybody.
    pub(crate) fn hears<S>(self, run: &Found<S>) -> bool {
        self == Self::Person || run.summary.as_ref().is_some_and(|summary| summary.origin == Origin::Here)
    }
}
