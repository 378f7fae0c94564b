//! What went wrong, in a form that people, models and programs can act on.

use crate::json::Deserialize;
use crate::redaction::Known;
use crate::visible;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// A code of a problem in Rust: each module has one enum of them, made by [`error_codes!`](crate::error_codes).
pub trait ErrorCode: Copy {
    /// Its stable text, as journals, JavaScript and users see it.
    fn text(self) -> Cow<'static, str>;
}

/// The codes of a module as a table: an enum with the stable text of each.
#[macro_export]
macro_rules! error_codes {
    ($(#[$about:meta])* $visibility:vis enum $name:ident {
        $($(#[$said:meta])* $variant:ident => $text:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        $visibility enum $name {
            $($(#[$said])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];
        }

        impl $crate::problem::ErrorCode for $name {
            fn text(self) -> std::borrow::Cow<'static, str> {
                match self {
                    $(Self::$variant => $text.into(),)+
                }
            }
        }
    };
}

/// The code of a problem: made from a module's enum, or read from text that another version or the shell has written.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Code(Cow<'static, str>);

impl Code {
    /// The text that crosses the boundary.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<C: ErrorCode> From<C> for Code {
    fn from(code: C) -> Self {
        Self(code.text())
    }
}

impl<C: ErrorCode> PartialEq<C> for Code {
    fn eq(&self, other: &C) -> bool {
        self.0 == other.text()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// For tests of the text itself; the code's own decisions use enums.
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// An expected failure: a stable code, a sentence, the place, and what to do next.
///
/// Expected failures are data, never panics: they cross the wasm boundary as this object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[cfg_attr(feature = "codegen", ts(optional_fields))]
pub struct Problem {
    /// Stable and dotted, for programs and searches: `config.unknown-key`.
    #[cfg_attr(feature = "codegen", ts(type = "string"))]
    pub code: Code,
    /// One sentence that says what is wrong.
    pub message: String,
    /// The file, as the user wrote it or would recognise it; never a home path.
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
    pub fn new(code: impl ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), ..Self::default() }
    }

    /// The problem as it may leave the core: no secret, no home directory, nothing that hides or acts, and each part on one line.
    #[must_use]
    pub fn redacted(self, known: &Known) -> Self {
        let clean = |text: String| visible::line(&known.redact(&text));
        Self {
            code: self.code,
            message: clean(self.message),
            file: self.file.map(clean),
            line: self.line,
            column: self.column,
            pointer: self.pointer.map(clean),
            found: self.found.map(clean),
            allowed: self.allowed.map(clean),
            next: self.next.map(clean),
        }
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

/// The form for people: the sentence first, then place, found, allowed, next, each on its own line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::RunCode;
    use crate::redaction::Surroundings;

    #[test]
    fn a_code_is_its_text_outside_and_its_enum_inside() {
        let said = Problem::new(RunCode::Unknown, "No run is called x.");
        let json = r#"{"code":"run.unknown","message":"No run is called x."}"#;
        assert_eq!(serde_json::to_string(&said).unwrap(), json);
        let read: Problem = serde_json::from_str(json).unwrap();
        assert_eq!(read, said);
        assert!(read.code == RunCode::Unknown && read.code != RunCode::Ambiguous);
        let unheard = r#"{"code":"other.version","message":"Said by another version."}"#;
        let read: Problem = serde_json::from_str(unheard).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), unheard);
    }

    #[test]
    fn what_leaves_holds_no_secret_no_home_and_no_escape() {
        let known = Known::new(&Surroundings {
            settings: vec![("ACME_API_KEY".into(), "acme-0815".into())],
            homes: vec!["/srv/ann".into()],
        });
        let problem = Problem {
            file: Some("/srv/ann/project/.design-lab/\u{1b}]0;x\u{7}".into()),
            ..Problem::new(RunCode::Unknown, "The key acme-0815 is unknown.")
                .at("/a\n  next    rm -rf ~")
                .found("{\"apiKey\": \"hunter2\"} in /home/bob/x")
                .next("Ask acme-0815.")
        };
        let shown = problem.redacted(&known).to_string();
        assert_eq!(
            shown,
            "The key [redacted] is unknown. [run.unknown]\n  \
               in      ~/project/.design-lab/[U+001B]]0;x[U+0007]\n  \
               at      /a next rm -rf ~\n  \
               found   {\"apiKey\": \"[redacted]\"} in ~/x\n  \
               next    Ask [redacted]."
        );
    }
}
