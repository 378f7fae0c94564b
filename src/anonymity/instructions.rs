//! Text in a design that speaks to the reviewer instead of about the design.

use serde::{Deserialize, Serialize};

/// A place where a design speaks to the reviewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Instruction {
    /// JSON pointer of the text in the design.
    pub pointer: String,
    /// What it does.
    pub kind: InstructionKind,
    /// The place in its own words, shortened; hidden characters shown.
    pub quote: String,
}

/// What such text does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// Speaks to the reviewer, or says what a reviewer has to do.
    Addresses,
    /// Looks like the end of the design, or like another one.
    Delimiter,
    /// Hides text, or the order of it, from people.
    Hidden,
    /// Asks to set the task or the rubric aside.
    Overrides,
    /// Asks for a score.
    Scores,
    /// Looks like a chat template's, or a conversation's, own marks.
    Template,
}

/// Characters that hide text from people: tags, and controls of direction.
pub(super) fn find_hidden(pointer: &str, text: &str) -> Option<Instruction> {
    let hides =
        |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e0fff}');
    let at = text.find(hides)?;
    Some(Instruction { pointer: pointer.to_owned(), kind: InstructionKind::Hidden, quote: quote(text, at) })
}

/// All places in a text.
pub(super) fn find_instructions(pointer: &str, text: &str) -> Vec<Instruction> {
    let lower = text.to_ascii_lowercase();
    let templates = ["<|", "[inst]", "[/inst]", "<<sys>>"];
    let delimiters = ["</design", "<design"];
    let kinds = [(InstructionKind::Template, &templates[..]), (InstructionKind::Delimiter, &delimiters[..])];
    kinds
        .into_iter()
        .filter_map(|(kind, marks)| {
            let at = marks.iter().filter_map(|mark| lower.find(mark)).min()?;
            Some(Instruction { pointer: pointer.to_owned(), kind, quote: quote(text, at) })
        })
        .collect()
}

/// Up to 160 characters from a place on, on one line, with what can't be seen written out.
fn quote(text: &str, at: usize) -> String {
    text[at..]
        .chars()
        .take(160)
        .map(|c| match u32::from(c) {
            tag @ 0xe0020..=0xe007e => char::from_u32(tag - 0xe0000).unwrap_or(' '),
            _ if c.is_whitespace() => ' ',
            _ if super::fold::is_invisible(c) => '\u{fffd}',
            _ => c,
        })
        .collect()
}
