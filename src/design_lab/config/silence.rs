//! How long a model may be asked without writing anything: `timeouts.idle_ms` counts in every workflow.

use super::Source;
use super::raw::RawConfig;
use kernel::limits::Deadlines;
use kernel::problem::Problem;

/// Milliseconds by the sources; the models that they name don't matter.
pub fn longest_silence(sources: &[Source]) -> Result<u64, Vec<Problem>> {
    RawConfig::of(sources).map(|raw| raw.timeouts.idle_ms)
}

/// Whether nothing else was said: then a journal doesn't say it.
pub fn is_usual_silence(idle_ms: &u64) -> bool {
    *idle_ms == Deadlines::IDLE_MS
}
