//! What went wrong, in a form that people, models and programs can act on.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An expected failure: a stable code, a sentence, the place, and what to do next.
///
/// Expected failures are data, never panics: they cross the wasm boundary as this object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct Problem {
    /// Stable and dotted, for programs and searches: `config.unknown-key`.
    pub code: String,
    /// One sentence that says what is wrong.
    pub message: String,
    /// The file, as the user wrote or would recognise it; never a home path.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub file: Option<String>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// 1-based, in characters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub column: Option<u32>,
    /// JSON pointer (RFC 6901) into the document.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pointer: Option<String>,
    /// What was found there, shortened.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub found: Option<String>,
    /// What is allowed there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub allowed: Option<String>,
    /// What to do next, in a sentence or a command.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next: Option<String>,
}

impl Problem {
    /// A problem with its stable code and a sentence.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), ..Self::default() }
    }

    /// What a failed file operation means for the user; `code` is the system's (`ENOSPC`, `EACCES`, …).
    pub fn disk(file: &str, code: &str) -> Self {
        let (what, next) = match code {
            "ENOSPC" | "EDQUOT" => ("the disk is full", "Free some space"),
            "EACCES" | "EPERM" => (
                "writing there is not permitted",
                "Change its permissions or choose another `output_directory`",
            ),
            "EROFS" => ("the file system is read-only", "Choose another `output_directory`"),
            "ENOTDIR" | "EEXIST" => (
                "a file stands where a directory should be",
                "Move that file or choose another `output_directory`",
            ),
            "ENOENT" => ("it, or the directory it belongs in, is gone", "Put it back"),
            "ENAMETOOLONG" => ("its path is too long", "Choose a shorter `output_directory`"),
            "EMFILE" | "ENFILE" => ("too many files are open", "Close other programs"),
            _ => ("the system refused", "See to that"),
        };
        let mut problem = Self::new("disk.failed", format!("A file could not be read or written: {what} ({code})."))
            .next(format!("{next}, then go on by /design-lab-resume, or start again if the run had not begun. What was written stays valid."));
        problem.file = Some(file.to_owned());
        problem
    }

    /// Adds the JSON pointer.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    /// Adds what was found.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = Some(found.into());
        self
    }

    /// Adds what is allowed.
    #[must_use]
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(allowed.into());
        self
    }

    /// Adds what to do next.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

/// The form that people read: the sentence first, then place, found, allowed, next, each on its line.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)?;
        if let Some(file) = &self.file {
            write!(f, "\n  in      {file}")?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
                if let Some(column) = self.column {
                    write!(f, ":{column}")?;
                }
            }
        }
        let rows =
            [("at", &self.pointer), ("found", &self.found), ("allowed", &self.allowed), ("next", &self.next)];
        for (label, text) in rows {
            if let Some(text) = text {
                write!(f, "\n  {label:<7} {text}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}
