//! What a call used, in tokens.

use crate::json::{Fault, Node, Read};
use crate::lenient;
use serde::Serialize;
use serde_json::Value;

/// Tokens as the provider counted them; `input` excludes cache, `output` excludes reasoning (OpenCode 1.18).
///
/// If one count is impossible, none is trusted: all are read as 0, which is equivalent to not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS, schemars::JsonSchema))]
pub struct Tokens {
    /// Prompt tokens that were not read from the cache.
    pub input: u64,
    /// Answer tokens.
    pub output: u64,
    /// Reasoning tokens.
    pub reasoning: u64,
    /// Tokens read from the provider's cache.
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    pub cache_write: u64,
}

impl Read for Tokens {
    fn read(node: Node) -> Result<Self, Fault> {
        let usage = Value::from(node);
        let count = |kind: &str| usage.get(kind).map_or(Some(0), lenient::count);
        let believed = || {
            Some(Self {
                input: count("input")?,
                output: count("output")?,
                reasoning: count("reasoning")?,
                cache_read: count("cache_read")?,
                cache_write: count("cache_write")?,
            })
        };
        Ok(believed().unwrap_or_default())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_count_that_cannot_be_true_takes_the_others_with_it() {
        let read = |text: &str| crate::json::read::<Tokens>(text).unwrap();
        let right = Tokens { input: 12, output: 3, ..Tokens::default() };
        for text in [
            r#"{"input": 12, "output": 3}"#,
            r#"{"input": 11.6, "output": 3, "reasoning": null}"#,
            r#"{"input": 12, "output": 3, "cache_write": 0, "other": -1}"#,
        ] {
            assert_eq!(read(text), right, "{text}");
        }
        for impossible in ["-1", "1e300", "\"3\"", "[]", "18446744073709551615"] {
            for kind in ["output", "reasoning", "cache_read"] {
                let text = format!(r#"{{"input": 12, "{kind}": {impossible}}}"#);
                assert_eq!(read(&text), Tokens::default(), "{text}");
            }
        }
        for nothing in ["null", "[]", "7", "{}"] {
            assert_eq!(read(nothing), Tokens::default(), "{nothing}");
        }
    }
}
