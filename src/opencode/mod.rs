//! The core's knowledge about OpenCode. Names and forms are those of OpenCode 1, seen on 1.18.33. The adapter of OpenCode 2
//! (`plugin-js/opencode2/`) translates its own into them, so that every decision is made once.
//!
//! | module | job |
//! |---|---|
//! | `closing_turn` | whether the session's model is asked to comment on a result |
//! | `failures` | its names for failures: which of them are temporary, and how they are described |
//! | `overflow` | a prompt that exceeds a model's context |
//! | `flow` | commands and agents of Flow, as data |
//! | `validation` | commands and agents of Validation, as data |
//! | `permission` | its rules, and which of them applies |
//! | [`registration`] | commands, agents and tools, as data |
//! | `in_person` | commands that only a person may give |
//! | `instructions` | a project's instructions to models, as they were before a change |
//! | `session_model` | which model the user's session uses |
//! | `shell_commands` | which commands a command runs, each as OpenCode asks for it |
//! | `system_text` | its system text for models, and the part that remains |
//! | `tools` | its tools: their names and arguments |
//! | `compaction` | when it may replace a conversation with a summary |

mod closing_turn;
mod compaction;
mod failures;
mod flow;
mod in_person;
mod instructions;
mod overflow;
pub(crate) mod permission;
pub mod registration;
mod session_model;
pub(crate) mod shell_commands;
mod system_text;
pub(crate) mod tools;
mod validation;

pub use closing_turn::no_closing_turn;
pub use compaction::may_compact;
pub(crate) use failures::OpenCode;
pub use in_person::in_person;
pub use instructions::{InstructionFile, instruction_files, without_near_instructions};
pub use permission::{HostAgent, HostRule};
pub use session_model::SessionModelFacts;
pub use system_text::{flow_system_text, reader_text, system_text};
pub use tools::refused_to_readers;
