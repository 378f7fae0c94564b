//! Who wrote what stays hidden from reviewers: orders, labels, scrubbing.
//!
//! [`presentation()`] says in which order and under which labels a reviewer sees the designs. [`blind`] takes out of a
//! design what tells its author, and finds text in it that speaks to the reviewer. [`shown()`] is the design as it
//! stands in the prompt, [`reveal()`] the way back. What was taken out and found is for the user, never for a reviewer.
//!
//! `docs/anonymity.md` holds what counts as a name, where it is taken out and why, and what is out of reach.

mod encoded;
mod fold;
mod instructions;
mod introduction;
mod languages;
mod markup;
mod names;
mod phrase;
mod presentation;
mod reveal;
mod scrub;
mod shown;
mod spelling;
mod vocabulary;

pub use instructions::{Instruction, InstructionKind};
pub use names::Names;
pub use presentation::{Presentation, presentation};
pub use reveal::reveal;
pub use scrub::{Blind, Scrub, ScrubKind, blind, scrubbed};
pub use shown::{enclosed, shown};
