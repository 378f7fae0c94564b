//! The calls that belong to no workflow.

use super::list::calls;
use super::values::{Text, Verbatim};
use crate::shared::runners::{Tests, tests_of};
use kernel::origin::Key;
use kernel::redaction::{Known, Surroundings};
use std::rc::Rc;

calls! {
    /// The calls into the core that belong to no workflow.
    shared SharedCore |core|

    /// Sets the secrets and home directories of this machine, replacing the previous ones.
    fn know(surroundings: Surroundings) -> () { core.known.replace(Rc::new(Known::new(&surroundings))); }

    /// Sets the key of this machine, in hex; any other text means that there is none.
    fn hold_key(key: Text) -> () { core.key.replace(Key::parse(&key)); }

    /// The mark of a text as written on this machine, in hex; null without a key. `purpose`: the kind of text; contains no NUL.
    fn vouch(purpose: Text, text: Text) -> Verbatim<Option<String>> {
        Verbatim(core.key().map(|key| key.mark(&purpose, &text)))
    }

    /// What the complete output of a command shows about tests; null if it shows nothing.
    fn tests_told(argv: Vec<String>, output: Text) -> Verbatim<Option<Tests>> { Verbatim(tests_of(&argv, &output)) }
}
