//! The kernel: the base that every workflow of the package runs on.
//!
//! It knows neither workflows nor hosts, and reads neither files nor the clock: time and events arrive as data. It is a separate
//! crate so that the compiler enforces this.
//!
//! One rule makes a run durable: an event is sealed into a line, the line is written to disk, and only then is it applied
//! ([`protocol`]). Nothing else changes a run. So a run, faults included, is a list of lines, and resuming is replaying them.
//!
//! An event's path through the modules: [`run`] reads the line with [`journal`] and passes the event to `drive`, which changes
//! the jobs in [`calls`] and asks the [`workflow`] which jobs are ready, what to ask, how to judge an answer and what follows.
//! The result is a list of commands.
//! back are commands.
//!
//! | module | job |
//! |---|---|
//! | [`protocol`] | the events that happen and the commands that follow |
//! | [`journal`] | an event ↔ a checksummed line, chained to those before it |
//! | [`run`] | seal, apply, replay |
//! | [`workflow`] | what a workflow supplies |
//! | [`host`] | how an adapter that knows the host interprets a failed call |
//! | [`calls`], [`job`] | the conversations of a run, and the run's clock |
//! | [`drive`] | which call is made next, how many at once; answers, failures, repairs, recovery |
//! | [`effects`] | the effects that a workflow requests besides asking models |
//! | [`limits`], [`budget`], [`retry`] | what bounds calls: deadlines, money, tries |
//! | [`progress`] | the progress of each model, for people |
//! | [`reason`] | why a job failed, for people and for models |
//! | [`written`] | which of a run's files have changed |
//! | [`directory`] | the name of a run's directory |
//! | [`origin`] | whether a run was started on this machine |
//! | [`index`] | the existing runs, which process continues each, and which run a name refers to |
//! | [`paths`] | which names and paths a run may write to |
//! | [`problem`] | what went wrong, for people and programs |
//! | [`code`] | the codes of the kernel's own problems |
//! | [`redaction`] | text of hosts and providers without secrets, keys and home paths |
//! | [`visible`] | text from outside as it may be shown: without anything that hides or acts |
//! | [`lenient`] | reads host reports without ever failing |
//! | [`json`] | reads and writes JSON text; types derive how they are read (`kernel/derive`) |
//! | `unique` | JSON without duplicate keys |
//! | [`tokens`] | the tokens that a call used |
//! | [`clock`], [`slug`], [`nearest`], [`digest`] | times and spans as text; directory names; likely intended names; hashes |

// The name that derived code has for this crate.
extern crate self as kernel;

pub mod budget;
pub mod calls;
pub mod clock;
pub mod code;
mod cut;
pub mod digest;
pub mod directory;
pub mod drive;
pub mod effects;
pub mod figures;
pub mod host;
pub mod index;
pub mod job;
pub mod journal;
pub mod json;
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
