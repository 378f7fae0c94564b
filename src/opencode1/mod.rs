//! What the core knows of OpenCode 1, seen on 1.18.33. The shell's half is `plugin-js/opencode1/`.
//!
//! | module | job |
//! |---|---|
//! | `failures` | how it names failures: which of them pass, and how they are told |
//! | `flow` | commands and agents of Flow, as data |
//! | [`registration`] | commands, agents and tools, as data |
//! | `compaction` | when it may put a summary in the place of a conversation |

mod compaction;
mod failures;
mod flow;
pub mod registration;

pub use compaction::may_compact;
pub(crate) use failures::OpenCode1;
