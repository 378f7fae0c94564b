//! Decides what a lab session may access: verdicts from facts.
//!
//! A lab session is one that belongs to a designer or a reviewer, or descends from one. Before each of its tool calls,
//! the shell asks twice; both answers are pure functions of the input:
//!
//! 1. [`inquire`] returns what must be known to judge the call, or decides at once;
//! 2. [`verdict()`] judges the call by those [`Facts`].
//!
//! After the call, [`withhold()`] removes from the result whatever still names or quotes a blocked path. Anything that
//! is not understood is refused: an unknown tool, an unknown argument, a path without a fact, a result of unknown form.
//! `docs/isolation.md` contains the threat model. The names and arguments of OpenCode's tools are in
//! [`crate::opencode`]; how those tools treat a path is described here, next to the rule that handles it.

mod address;
mod bounds;
mod call;
mod code;
mod kept;
mod keys;
mod noted;
mod path;
mod pattern;
mod rules;
mod settings;
mod verdict;
mod withhold;

pub use call::{Inquiry, inquire, unchecked_tools, validate_tool};
pub use code::IsolationCode;
pub(crate) use kept::{is_for_people, is_kept, is_kept_at};
pub(crate) use keys::holds_keys;
pub use noted::{HiddenOutputs, NotedOutput, NotedOutputs, hidden_outputs, wording};
pub(crate) use path::{components, is_environment_file, is_under, same_name};
pub(crate) use pattern::is_blocked;
pub use pattern::validate_pattern;
pub use rules::{BlockedRoot, Places, RealPlaces, Rules};
pub use settings::Isolation;
pub use verdict::{
    Denial, Facts, PathFact, PathKind, Rule, UrlFact, Verdict, is_lab_agent, task_verdict, verdict,
};
pub use withhold::withhold;
