//! Feedback that sticks: what the user says once, kept as a rule that every later change is held to.
//!
//! A piece of feedback is logged at once. If its words hold a pattern, the user sees what was understood and where it occurs. Only
//! the hash that this process has shown to a person makes it a rule of `.opencode/flow-rules.jsonc`. A session records the rules that
//! it holds its models to, so a worker who edits that file changes nothing for the session.
//!
//! | module | job |
//! |---|---|
//! | [`command`] | the arguments of `/flow-feedback` |
//! | `words` | the pattern in a sentence |
//! | [`rule`] | a rule, and the files that it is about |
//! | [`uses`] | where a pattern occurs in a text |
//! | [`added`] | what a change adds of that which rules forbid |
//! | [`mod@file`] | `.opencode/flow-rules.jsonc`: read, and edited without losing comments |
//! | [`log`] | `.flow/feedback-log.json`: all feedback, and what became of it |
//! | [`said`] | what a command does to both, and what people read |

pub mod added;
pub mod command;
pub mod file;
pub mod log;
pub mod rule;
pub mod said;
pub mod uses;
mod words;

pub use rule::ProjectRule;
