//! The word by which a user takes over a run that somebody else may have written.

/// The same behind each command of each workflow: no model's shell may give it, whatever the command (`in_person` decides that).
pub(crate) const TRUST: &str = "--trust";
