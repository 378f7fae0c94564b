//! What pages share: their frame and style, and foreign text in them. A page is one file that asks nothing of the network, runs no
//! script and allows none: the policy in its head allows two style sheets, by their hashes, and nothing else. (A person's form to
//! fill in is the one exception: it has one script, by its hash.) One is that of all
//! pages, the other the page's own. A page that holds pictures allows these as well, where they stand in it.
//!
//! A page is a template that extends `base.html`; it has a title, a line of facts, and a section `result` that comes first.

mod address;
mod escape;
mod prose;

pub(crate) use address::addressed;
pub(crate) use escape::Escape;
pub(crate) use prose::{Prose, code_span};

/// The style sheet of all pages.
pub(crate) const STYLE: &str = include_str!("style.css");
/// Its SHA-256 in Base64, as the policy wants it; a test keeps it true.
pub(crate) const STYLE_HASH: &str = include_str!("style.sha256").trim_ascii_end();
