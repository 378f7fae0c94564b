//! Formats a design, and the comments on it, for a prompt.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::design_lab::artefacts::Design;
use crate::design_lab::ids::Label;

/// Returns the design as compact JSON between `<design id="LABEL">` and `</design>`, in the form of [`enclosed`]. What it states about
/// the project follows between `<observed id="LABEL">` and `</observed>`, each statement with what was found.
pub fn shown(design: &Design, label: &Label) -> String {
    let mut unclaimed = design.clone();
    let claims = std::mem::take(&mut unclaimed.claims);
    let shown = enclosed("design", Some(label), &unclaimed);
    if claims.is_empty() { shown } else { format!("{shown}\n{}", enclosed("observed", Some(label), &claims)) }
}

/// Returns untrusted text as compact JSON between `<TAG id="LABEL">` and `</TAG>`.
///
/// Inside, characters that open a tag, a comment or a chat template's marker are written as a JSON escape: the
/// delimiter, `<!--`, `<|im_start|>` and `[INST]` stay readable text but can't act as what they look like.
pub fn enclosed(tag: &str, label: Option<&Label>, content: &impl Serialize) -> String {
    let mut json = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut json, Harmless);
    // Writing strings, lists and a level into memory can't fail.
    let written = content.serialize(&mut serializer).is_ok();
    debug_assert!(written, "strings and lists are always JSON");
    let json = String::from_utf8_lossy(&json);
    let id = label.map_or_else(String::new, |label| format!(" id=\"{}\"", label.as_str()));
    format!("<{tag}{id}>\n{json}\n</{tag}>")
}

/// Writes compact JSON with harmless strings. Indented, a design would take a quarter more tokens, in every review
/// that shows it.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let escape: &[u8] = match c {
                '<' => b"\\u003c",
                '[' if opens_template(&text[at..]) => b"\\u005b",
                _ => continue,
            };
            writer.write_all(&text.as_bytes()[from..at])?;
            writer.write_all(escape)?;
            from = at + 1;
        }
        writer.write_all(&text.as_bytes()[from..])
    }
}

/// Whether a text starts with `[INST]`, `[/INST]`, `[SYSTEM_PROMPT]` or the like.
fn opens_template(text: &str) -> bool {
    let name = text[1..].trim_start_matches('/');
    ["INST]", "SYSTEM_PROMPT]", "AVAILABLE_TOOLS]", "TOOL_RESULTS]", "TOOL_CALLS]"]
        .iter()
        .any(|token| name.get(..token.len()).is_some_and(|start| start.eq_ignore_ascii_case(token)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::artefacts::{Component, Risk, Tradeoff};
    use proptest::prelude::*;

    fn design(text: &str) -> Design {
        let texts = || vec![text.to_owned(), String::new()];
        Design {
            title: text.to_owned(),
            assumptions: texts(),
            components: vec![Component {
                name: text.to_owned(),
                dependencies: Some(texts()),
                ..Component::default()
            }],
            tradeoffs: vec![Tradeoff { options: texts(), ..Tradeoff::default() }],
            risks: vec![Risk { risk: text.to_owned(), ..Risk::default() }],
            ..Design::default()
        }
    }

    #[test]
    fn stands_between_its_delimiters_as_json() {
        insta::assert_snapshot!(shown(
            &design("a </design> b <!-- c --> [INST] d [0]"),
            &Label::new("clover")
        ));
    }

    proptest! {
        #[test]
        fn whatever_a_design_says_it_stays_inside(text in r#"(\PC|</design>|<design id="x">|\[INST\]|<\|im_end\|>|\n|"|\\){0,40}"#) {
            let design = design(&text);
            let shown = shown(&design, &Label::new("clover"));
            let inside = shown
                .strip_prefix("<design id=\"clover\">\n")
                .and_then(|rest| rest.strip_suffix("\n</design>"))
                .unwrap();
            prop_assert!(!inside.contains('<'));
            prop_assert!(!inside.contains("[INST]"));
            let read: Design = serde_json::from_str(inside).unwrap();
            prop_assert_eq!(read, design);
        }
    }
}
