//! Hides from reviewers who wrote what: orders, labels, scrubbing.
//!
//! [`presentation()`] decides in which order and under which labels a reviewer sees the designs. [`blind`] removes from
//! a design what reveals its author, and finds text in it that addresses the reviewer. [`shown()`] formats the design
//! for the prompt, and [`reveal()`] turns labels back into designs. What was removed and found is for the user, never
//! for a reviewer.
//!
//! `docs/anonymity.md` explains what counts as a name, where it is removed and why, and what can't be hidden.

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
