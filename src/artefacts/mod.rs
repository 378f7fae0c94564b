//! The documents of a run: what models return and what lands on disk.
//!
//! The Rust types are the source; `schemas/*.json` and the TypeScript types are generated from them.

mod design;
mod review;
mod task;

pub use design::{Component, Design, Level, Provenance, Risk, StoredDesign, Tokens, Tradeoff};
pub use review::{Evaluation, Evaluations, Qualitative, Quantitative, StoredReview, StoredScore};
pub use task::Task;
