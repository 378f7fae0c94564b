//! The option by which a user trusts a run that may come from elsewhere.

/// The same for every command of every workflow: no model's shell may pass it with any command (enforced by `in_person`).
pub(crate) const TRUST: &str = "--trust";
