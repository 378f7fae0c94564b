//! Output for people: Markdown, HTML, and the live messages in the chat.

mod artefacts;
mod chat;
mod configured;
mod decision;
mod diagnostics;
mod dry_run;
mod history;
mod html;
mod markdown;
mod offers;
mod outcomes;
mod overview;
mod panel;
mod piece;
mod results;
mod status;

pub use artefacts::{blind_design, design, prose, review};
pub use chat::{brief, continued, live_message, notes, problems, ranking};
pub(crate) use chat::{explain, paragraph};
pub use configured::configured;
pub use decision::DecisionForm;
pub(super) use decision::decision;
pub use diagnostics::diagnostics;
pub(super) use dry_run::dry_run;
pub use history::history;
pub use html::{Form, form_page, page};
pub use offers::{Offer, Offers};
pub use overview::{DraftedRubric, First, MapTally, Overview, Stage};
pub use panel::panel;
pub use results::{Material, Scrubbed, Written, results};
pub use status::{exported, form, list, status, stopped, withheld};
