//! What pages share: their frame and style, and foreign text in them. A page is one file that makes no network requests, and runs and
//! allows no script: the policy in its head allows two style sheets, by their hashes, and nothing else. (A person's form to fill in is
//! the one exception: it has one script, by its hash.) One style sheet is shared by all pages, the other is the page's own. A page with
//! pictures also allows the pictures embedded in it.
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
/// The SHA-256 of the style sheet in Base64, as the policy needs it; a test keeps it up to date.
pub(crate) const STYLE_HASH: &str = include_str!("style.sha256").trim_ascii_end();
