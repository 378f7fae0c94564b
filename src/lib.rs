//! The core of Design Lab: every decision, no effect.
//!
//! A run is a state machine ([`workflow`]): a shell feeds it *events*, appends each to the journal before it
//! is applied, and carries out the *commands* that come back. Nothing here reads a file, a clock, an
//! environment variable or a random source; time and seed arrive as data. So a whole run, faults included,
//! is a list of events, and resuming is replaying that list.
//!
//! The way of a run through the modules:
//!
//! | module | job |
//! |---|---|
//! | [`attachments`] | what the user attached → what of it is part of the task |
//! | [`config`] | four sources → one effective [`config::Config`] |
//! | [`workflow`] | which model is asked what, when; journal and replay |
//! | [`prompts`] | the words that models are asked with |
//! | [`isolation`] | what a designer's or reviewer's tool call may reach |
//! | [`extraction`] | a model's text → the JSON object that was meant |
//! | [`artefacts`] | task, design, review, score: types and their schemas |
//! | [`anonymity`] | orders, labels and scrubbing for blind review |
//! | [`form`] | how a person reviews: what to read, what to fill in, and reading it again |
//! | [`ranking`] | scores → ranks, intervals, agreement, bias, verdict |
//! | [`report`] | Markdown, HTML, CSV, and the blocks in the chat |
//! | [`offline`] | what the command line does without a host |
//! | [`doctor`] | what was found on this machine → what is wrong, and the remedy |
//! | [`registration`] | commands, agents and tools for a host, as data |
//! | [`redaction`] | text of hosts and providers without secrets, keys and home paths |
//! | [`visible`] | text from outside as it may be shown: nothing hides or acts |
//!
//! [`clock`], `delimited`, [`error`], `lenient`, [`random`] and [`slug`] are shared by all of them.

pub mod anonymity;
pub mod artefacts;
pub mod attachments;
pub mod clock;
#[cfg(test)]
mod codegen;
pub mod config;
mod delimited;
pub mod doctor;
pub mod error;
pub mod extraction;
pub mod form;
pub mod isolation;
mod lenient;
pub mod nearest;
pub mod offline;
pub mod prompts;
pub mod ranking;
pub mod redaction;
pub mod registration;
pub mod report;
mod schema;
pub mod slug;
pub mod visible;
pub mod workflow;

pub use design_lab_numerics::random;
