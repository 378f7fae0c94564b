//! What people read: Markdown, and the blocks in the chat.

mod artefacts;
mod chat;
mod figures;
mod markdown;
mod overview;
mod results;
mod status;

pub use artefacts::{design, review};
pub use chat::{block, brief, problems};
pub use overview::{Overview, Participant, Stage, Standing};
pub use results::results;
pub use status::{list, status, stopped};
