//! Approval by hash: the user types the first digits of what was shown, so what is approved is what was seen.

/// How many digits of a hash are shown, and have to be typed.
pub(crate) const SHORT: usize = 8;

/// A hash in the form that is shown and typed.
pub(crate) fn short(hash: &str) -> &str {
    hash.get(..SHORT).unwrap_or(hash)
}

/// Whether what was typed matches this hash: its first digits, at least [`SHORT`].
pub(crate) fn is_typed(typed: &str, hash: &str) -> bool {
    typed.len() >= SHORT && hash.starts_with(&typed.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_the_beginning_that_was_shown_or_more() {
        let hash = "3fa91c02".repeat(8);
        assert!(is_typed(short(&hash), &hash) && is_typed(&hash.to_uppercase(), &hash));
        assert!(!is_typed(&hash[..7], &hash) && !is_typed("", &hash) && !is_typed("00000000", &hash));
    }
}
