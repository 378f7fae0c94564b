//! The kernel: what every workflow of the package runs on.
//!
//! It knows no workflow and no host, and reads neither files nor a clock: time and what happened arrive as data. A crate of its
//! own, so that the compiler proves it.
//!
//! One rule makes a run durable: an event is sealed into a line, the line is on disk, and only then is it applied
//! ([`protocol`]). Nothing else changes a run. So a run, faults included, is a list of lines, and resuming is replaying them.
//!
//! The way of an event through the modules: [`run`] reads the line by [`journal`] and hands the event to `drive`, which changes the
//! jobs in [`calls`] and asks the [`workflow`] what is ready, what is asked, how an answer is judged and what follows. What comes
//! back are commands.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | the events that happen and the commands that follow |
//! | [`journal`] | an event ↔ a checksummed line, chained to those before it |
//! | [`run`] | seal, apply, replay |
//! | [`workflow`] | what a workflow supplies |
//! | [`host`] | what an adapter that knows the host makes of a failed call |
//! | [`calls`], [`job`] | the conversations of a run, and the clock they go by |
//! | [`drive`] | which call is made next, how many at once; answers, failures, repairs, recovery |
//! | [`effects`] | what a workflow has done beside asking models |
//! | [`limits`], [`budget`], [`retry`] | what bounds calls: deadlines, money, tries |
//! | [`progress`] | how far each model is, for people |
//! | [`reason`] | why a job came to nothing, for people and for models |
//! | [`written`] | which of a run's files say something else now |
//! | [`directory`] | what the directory of a run is called |
//! | [`origin`] | whether a run was begun on this machine |
//! | [`index`] | the runs there are, who carries each, and which one a name means |
//! | [`paths`] | which names and paths a run may write to |
//! | [`problem`] | what went wrong, for people and programs |
//! | [`code`] | the codes of the problems that the kernel itself has |
//! | [`redaction`] | text of hosts and providers without secrets, keys and home paths |
//! | [`visible`] | text from outside as it may be shown: nothing hides or acts |
//! | [`lenient`] | what hosts report, read without ever failing |
//! | `unique` | JSON in which no key stands twice |
//! | [`tokens`] | what a call used |
//! | [`clock`], [`slug`], [`nearest`], [`digest`] | moments and spans as text; names of directories; what was probably meant; hashes |

pub mod budget;
pub mod calls;
pub mod clock;
pub mod code;
mod cut;
pub mod digest;
pub mod directory;
pub mod drive;
pub mod effects;
pub mod host;
pub mod index;
pub mod job;
pub mod journal;
pub mod lenient;
pub mod limits;
pub mod nearest;
pub mod origin;
pub mod paths;
pub mod problem;
pub mod progress;
pub mod protocol;
#[cfg(test)]
mod questions;
pub mod reason;
pub mod redaction;
pub mod retry;
pub mod run;
pub mod slug;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tokens;
mod unique;
pub mod visible;
pub mod workflow;
pub mod written;
