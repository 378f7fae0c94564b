//! How the arguments of a call are read, and how its result is written.

use super::Core;
use super::handles::Kept;
use crate::flow::recovery::Recovery;
use crate::shared::BoundaryCode;
use kernel::json::Read;
use kernel::problem::Problem;
use serde::Serialize;
use std::fmt::Display;
use std::ops::Deref;
use std::rc::Rc;

/// Why a call has no result.
pub(super) struct Failure(Vec<Problem>);

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl From<Vec<Problem>> for Failure {
    fn from(problems: Vec<Problem>) -> Self {
        Self(problems)
    }
}

impl From<Recovery> for Failure {
    fn from(recovery: Recovery) -> Self {
        Problem::from(recovery).into()
    }
}

/// An argument of a call that crosses as a `C`. Everything that JSON can hold crosses as text.
pub(super) trait Argument<C>: Sized {
    /// Whether JavaScript passes it as it is, not as JSON.
    #[cfg(test)]
    const AS_IT_IS: bool = false;

    fn read(crossed: C, core: &Core) -> Result<Self, Failure>;
}

impl<T: Read> Argument<&str> for T {
    fn read(text: &str, _: &Core) -> Result<Self, Failure> {
        kernel::json::read(text).map_err(unread)
    }
}

/// The problem of what the core can't read.
pub(super) fn unread(reason: impl Display) -> Failure {
    let message = format!("The plugin sent what the core can't read: {reason}.");
    Problem::new(BoundaryCode::Protocol, message).into()
}

/// Text that crosses the boundary as it is.
#[derive(Clone, Copy)]
pub(super) struct Text<'a>(&'a str);

impl<'a> Argument<&'a str> for Text<'a> {
    #[cfg(test)]
    const AS_IT_IS: bool = true;

    fn read(text: &'a str, _: &Core) -> Result<Self, Failure> {
        Ok(Self(text))
    }
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

/// Bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Argument<&'a [u8]> for Bytes<'a> {
    #[cfg(test)]
    const AS_IT_IS: bool = true;

    fn read(bytes: &'a [u8], _: &Core) -> Result<Self, Failure> {
        Ok(Self(bytes))
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

/// A moment by the shell's clock.
pub(super) struct Moment(f64);

impl Moment {
    /// Milliseconds since 1970-01-01 UTC.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a clock's milliseconds are whole and positive"
    )]
    pub(super) fn milliseconds(&self) -> u64 {
        self.0.max(0.0) as u64
    }
}

impl Argument<&str> for Moment {
    fn read(text: &str, core: &Core) -> Result<Self, Failure> {
        core.read(text).map(Self)
    }
}

/// A value that the core keeps, by its handle.
pub(super) struct Held<T>(Rc<T>);

impl<T: Kept> Argument<u32> for Held<T> {
    #[cfg(test)]
    const AS_IT_IS: bool = true;

    fn read(handle: u32, core: &Core) -> Result<Self, Failure> {
        Ok(Self(core.handles.held(handle)?))
    }
}

impl<T: Kept> Argument<&str> for Held<T> {
    fn read(text: &str, core: &Core) -> Result<Self, Failure> {
        let handle: u32 = core.read(text)?;
        core.read(handle)
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Problems to report, without this machine's secrets. If they can't be read, that is the problem: an error must not hide another.
pub(super) struct Problems(Vec<Problem>);

impl Argument<&str> for Problems {
    fn read(text: &str, core: &Core) -> Result<Self, Failure> {
        let problems = core.read(text).unwrap_or_else(|Failure(problems)| problems);
        let known = core.known();
        Ok(Self(problems.into_iter().map(|problem: Problem| problem.redacted(&known)).collect()))
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

/// The result of a call. Everything that JSON can hold is one: no problem then contains a secret or a home directory, and nothing at all
/// contains a secret of this machine.
pub(super) trait Answer: Sized {
    fn write(answer: Result<Self, Failure>, core: &Core) -> String;
}

impl<T: Serialize> Answer for T {
    fn write(answer: Result<Self, Failure>, core: &Core) -> String {
        let known = core.known();
        let redacted = |Failure(problems)| {
            Failure(problems.into_iter().map(|problem: Problem| problem.redacted(&known)).collect())
        };
        known.hide(json(answer.map_err(redacted)))
    }
}

/// Text for people: in addition, their home directory becomes `~`.
pub(super) struct Shown(pub(super) String);

impl Answer for Shown {
    fn write(answer: Result<Self, Failure>, core: &Core) -> String {
        core.answer(answer.map(|Self(text)| core.known().tilde(&text)))
    }
}

/// A result that is written unchanged, because its bytes matter: a line of a journal, a path, a verdict on one.
pub(super) struct Verbatim<T>(pub(super) T);

impl<T: Serialize> Answer for Verbatim<T> {
    fn write(answer: Result<Self, Failure>, _: &Core) -> String {
        json(answer.map(|Self(value)| value))
    }
}

fn json<T: Serialize>(answer: Result<T, Failure>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Outcome<T> {
        Ok(T),
        Problems(Vec<Problem>),
    }
    let outcome = match answer {
        Ok(value) => Outcome::Ok(value),
        Err(Failure(problems)) => Outcome::Problems(problems),
    };
    serde_json::to_string(&outcome).unwrap_or_default()
}

impl Core {
    pub(super) fn read<C, T: Argument<C>>(&self, crossed: C) -> Result<T, Failure> {
        T::read(crossed, self)
    }

    pub(super) fn answer<T: Answer>(&self, answer: Result<T, Failure>) -> String {
        T::write(answer, self)
    }
}
