//! What people read: Markdown, and the blocks in the chat.

mod artefacts;
mod chat;
mod diagnostics;
mod figures;
mod markdown;
mod overview;
mod panel;
mod results;
mod status;

pub use artefacts::{blind_design, design, review};
pub use chat::{block, brief, problems, ranking};
pub use diagnostics::diagnostics;
pub use overview::{Overview, Participant, Stage, Standing};
pub use panel::{Look, Panel, Row, panel};
pub use results::{Material, Scrubbed, results};
pub use status::{form, list, status, stopped};
