//! The origin of a run: started on this machine, or brought here.
//!
//! A clone, an archive or a colleague may bring a run whose journal names models, prompts and limits that nobody here chose. So
//! the lines that this machine appends carry a *mark*: HMAC-SHA-256 (RFC 2104) over the line, with a key that is stored outside
//! of every project and reaches the core as input. Each line contains a hash of the lines before it ([`crate::journal`]), so the
//! mark of the last line vouches for the whole journal: a line that someone else appends, or a run made of another's lines, has
//! none. Cutting lines off the end leaves a state that the run really had.
//!
//! A run that isn't marked stays unmarked, whatever is appended to it here, until the user adopts it
//! ([`crate::protocol::EventKind::Adopted`]).
//!
//! The crate `hmac` isn't used: to save the few lines of [`Key::mac`] it would add `subtle`, whose licence is not in deny.toml. A
//! comparison in constant time would protect nothing here: nobody can make this machine check marks and measure how long it
//! takes.

use crate::digest::hex;
use crate::json::Deserialize;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The block size of SHA-256 in bytes.
const BLOCK: usize = 64;

/// The purpose of journal marks: a mark for any other purpose is not valid for a journal.
pub(crate) const JOURNAL: &str = "journal";

/// The key of this machine.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// The key with these 64 hex digits; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut key = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        for (index, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Self(key))
    }

    /// The mark of a text, in hex. `purpose`: the kind of text; it contains no NUL.
    pub fn mark(&self, purpose: &str, text: &str) -> String {
        hex(Self::mac(&self.0, &[purpose.as_bytes(), b"\0", text.as_bytes()]))
    }

    /// Whether a mark was made with this key, for this purpose and text.
    pub fn made(&self, purpose: &str, text: &str, mark: &str) -> bool {
        self.mark(purpose, text) == mark
    }

    /// HMAC-SHA-256 of the concatenated parts. `key`: no longer than a block.
    fn mac(key: &[u8], parts: &[&[u8]]) -> Sha256 {
        let pad = |with: u8| {
            let mut block = [with; BLOCK];
            block.iter_mut().zip(key).for_each(|(byte, of_key)| *byte ^= of_key);
            block
        };
        let mut inner = Sha256::new_with_prefix(pad(0x36));
        for part in parts {
            inner.update(part);
        }
        Sha256::new_with_prefix(pad(0x5c)).chain_update(inner.finalize())
    }
}

/// The origin of a run, judged by its journal and the key of this machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It was started or adopted on this machine, and nobody else has appended to it since.
    Here,
    /// Lines have marks, but the last line has none from a key that is known here.
    Elsewhere,
    /// No line has a mark: an earlier version of this package wrote it, or it wasn't written here.
    #[default]
    Unmarked,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_examples_come_out() {
        // RFC 4231, test cases 1, 2 and 3.
        for (key, data, expected) in [
            (
                vec![0x0b; 20],
                b"Hi There".to_vec(),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe".to_vec(),
                b"what do ya want for nothing?".to_vec(),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 20],
                vec![0xdd; 50],
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            ),
        ] {
            assert_eq!(hex(Key::mac(&key, &[&data])), expected);
            let (one, other) = data.split_at(3);
            assert_eq!(hex(Key::mac(&key, &[one, other])), expected);
        }
    }

    #[test]
    fn a_mark_is_good_for_its_key_its_purpose_and_its_text() {
        let key = Key::parse(&"0f".repeat(32)).unwrap();
        let mark = key.mark("journal", "a line");
        assert!(key.made("journal", "a line", &mark));
        assert!(!key.made("journal", "another", &mark));
        assert!(!key.made("evidence", "a line", &mark));
        assert!(!key.made("journal", "a line", ""));
        assert!(!Key::parse(&"1f".repeat(32)).unwrap().made("journal", "a line", &mark));
    }

    #[test]
    fn a_key_is_64_hex_digits() {
        for text in ["", "0f", &"0g".repeat(32), &"ä".repeat(32), &"0f".repeat(33), &"+f".repeat(32)] {
            assert!(Key::parse(text).is_none(), "{text}");
        }
    }
}
