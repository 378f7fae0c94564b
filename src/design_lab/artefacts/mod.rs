//! The documents of a run: what models return, and what is stored on disk.
//!
//! The Rust types are the source; `schemas/design-lab/*.json` and the TypeScript types are generated from them. `from_reply`
//! turns a model's reply into a type: older spellings are accepted, unknown fields are dropped, and everything else that is
//! wrong is returned as a list of problems that the model can act on.

mod canonical;
mod claim;
mod code;
mod comparison;
mod constraint;
mod design;
mod draft;
mod evidence;
mod map;
mod outcome;
mod own_words;
mod quote;
mod readable;
mod review;
mod review_reply;
mod rubric_reply;
mod task;

pub use claim::{Claim, ClaimFinding, ClaimKind, ClaimState, ClaimVerdict};
pub use code::ArtefactCode;
pub use comparison::{ComparisonRules, ComparisonVerdict, Preferred, StoredComparison, comparison_fit};
pub use constraint::{ConstraintLine, ConstraintState};
pub use design::{
    Component, DETAIL_KEYS, Design, Level, Provenance, Risk, StoredDesign, Tradeoff, design_fit,
};
pub(crate) use draft::is_empty_part;
pub use draft::{Draft, empty_parts};
pub use map::{
    Agreement, Contradiction, DecisionMap, MAP_KEYS, MapQuote, OnlyOne, Position, QuoteFault, ShownDesign,
    StoredMap,
};
pub use outcome::{DatedOutcome, DesignOutcome, TurnedOut};
pub use own_words::{
    DESIGN_KEYS, comparison_copies, design_copies, detail_copies, echoes, is_undiscriminating, scores_copies,
};
pub use readable::{design as readable_design, scores as readable_scores};
pub use review::{
    CitedPlace, Evaluation, Evaluations, Qualitative, Quantitative, Quote, QuoteTally, StoredReview,
    StoredScore,
};
pub use review_reply::{ReplyRules, evaluations_fit};
pub use rubric_reply::{drafted_rubric, rubric_copies};
pub use task::Task;

/// Returns the full name of one of the package's schemas: the `$id` of the schema, and the `$schema` of documents. It is not
/// an address, because the package's location differs from machine to machine: `npx opencode-design-lab schema NAME` prints
/// the schema.
pub fn schema_name(name: &str) -> String {
    format!("urn:opencode-design-lab:schema:{name}")
}
