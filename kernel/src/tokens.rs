//! What a call used, in tokens.

use crate::lenient;
use serde::{Deserialize, Serialize};

/// Tokens as the provider counted them; `input` excludes cache, `output` excludes reasoning (OpenCode 1.18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Tokens {
    /// Prompt tokens that were not read from the cache.
    #[serde(default, deserialize_with = "lenient::tokens")]
    pub input: u64,
    /// Answer tokens.
    #[serde(default, deserialize_with = "lenient::tokens")]
    pub output: u64,
    /// Reasoning tokens.
    #[serde(default, deserialize_with = "lenient::tokens")]
    pub reasoning: u64,
    /// Tokens read from the provider's cache.
    #[serde(default, deserialize_with = "lenient::tokens")]
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    #[serde(default, deserialize_with = "lenient::tokens")]
    pub cache_write: u64,
}

impl Tokens {
    /// All tokens, of every kind.
    pub fn total(&self) -> u64 {
        [self.output, self.reasoning, self.cache_read, self.cache_write]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }
}

impl std::ops::AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}
