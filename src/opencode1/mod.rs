//! What the core knows of OpenCode 1, seen on 1.18.33. The shell's half is `plugin-js/opencode1/`.
//!
//! | module | job |
//! |---|---|
//! | `closing_turn` | whether the session's model is asked to comment on a result |
//! | `failures` | how it names failures: which of them pass, and how they are told |
//! | `overflow` | a prompt that a model's context doesn't hold |
//! | `flow` | commands and agents of Flow, as data |
//! | `validation` | commands and agents of Validation, as data |
//! | `permission` | its rules, and which of them applies |
//! | [`registration`] | commands, agents and tools, as data |
//! | `in_person` | commands that only a person may give |
//! | `instructions` | a project's instructions to models, as they were before a change |
//! | `session_model` | which model the user's session uses |
//! | `shell_commands` | which commands a command runs, each as it asks for it |
//! | `system_text` | what it tells models of themselves, and what is left of that |
//! | `tools` | its tools: their names, and what their arguments hold |
//! | `compaction` | when it may put a summary in the place of a conversation |

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
pub(crate) use failures::OpenCode1;
pub use in_person::in_person;
pub use instructions::{InstructionFile, instruction_files, without_near_instructions};
pub use permission::{HostAgent, HostRule};
pub use session_model::SessionModelFacts;
pub use system_text::{flow_system_text, reader_text, system_text};
pub use tools::refused_to_readers;
