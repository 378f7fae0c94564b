//! SHA-256 as text.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// SHA-256 of a text, in lower-case hex.
pub fn sha256(text: &str) -> String {
    sha256_of(text.as_bytes())
}

/// SHA-256 of bytes, in lower-case hex.
pub fn sha256_of(bytes: &[u8]) -> String {
    hex(Sha256::new().chain_update(bytes))
}

/// The digest of the data hashed so far, in lower-case hex.
pub(crate) fn hex(hashed: Sha256) -> String {
    hashed.finalize().iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_example_comes_out() {
        // FIPS 180-4, its first example.
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
