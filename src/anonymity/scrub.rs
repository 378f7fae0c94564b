//! A design without what tells its author.

use serde::{Deserialize, Serialize};

use super::fold::is_invisible;
use super::instructions::{Instruction, find_instructions};
use super::names::{Kind, Names};
use crate::artefacts::Design;

/// A design as reviewers see it, and what was done for that. Only the design is for reviewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Blind {
    /// Without names.
    pub design: Design,
    /// What was taken out, by place and name.
    pub scrubbed: Vec<Scrub>,
    /// Text in it that speaks to the reviewer; left in, and flagged.
    pub instructions: Vec<Instruction>,
}

/// Something that was taken out of a text of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scrub {
    /// JSON pointer of the text.
    pub pointer: String,
    /// What it was.
    pub kind: ScrubKind,
    /// As it stood there first.
    pub what: String,
    /// How often.
    pub count: u32,
}

/// What was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ScrubKind {
    /// The name of an agent.
    Agent,
    /// What an author tells of itself without a known name.
    Author,
    /// Characters that can't be seen.
    Invisible,
    /// The name of a model.
    Model,
    /// The name of a maker or provider.
    Vendor,
}

/// Takes out of a design every name that could tell its author, and every character that can't be seen.
pub fn blind(design: &Design, names: &Names) -> Blind {
    let mut blind = Blind { design: design.clone(), scrubbed: Vec::new(), instructions: Vec::new() };
    let mut aliases = Aliases::default();
    for (pointer, text) in texts(&mut blind.design) {
        let mut scrubs = Vec::new();
        blind.instructions.extend(find_instructions(&pointer, text));
        if text.chars().any(is_invisible) {
            *text = visible(text, &mut scrubs);
        }
        *text = scrub(text, names, &mut aliases, &mut scrubs);
        blind.scrubbed.extend(scrubs.into_iter().map(|(kind, _, what, count)| Scrub {
            pointer: pointer.clone(),
            kind,
            what,
            count,
        }));
    }
    blind
}

type Scrubs = Vec<(ScrubKind, String, String, u32)>;

/// The text without characters that can't be seen, except joiners between letters that aren't Latin and what shapes
/// an emoji.
fn visible(text: &str, scrubs: &mut Scrubs) -> String {
    let mut out = String::with_capacity(text.len());
    let mut removed = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let shapes = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}')
            && out.chars().next_back().is_some_and(|c| !c.is_ascii() && !is_invisible(c))
            && rest.peek().is_none_or(|next| !next.is_ascii_alphanumeric());
        if is_invisible(c) && !shapes {
            removed += 1;
        } else {
            out.push(c);
        }
    }
    if removed > 0 {
        scrubs.push((ScrubKind::Invisible, String::new(), "invisible characters".to_owned(), removed));
    }
    out
}

/// The text with neutral words for names.
fn scrub(text: &str, names: &Names, aliases: &mut Aliases, scrubs: &mut Scrubs) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for found in names.find(text) {
        out.push_str(&text[from..found.start]);
        out.push_str(&aliases.of(found.kind, found.key));
        from = found.end;
        let kind = match found.kind {
            Kind::Agent => ScrubKind::Agent,
            Kind::Author => ScrubKind::Author,
            Kind::Model => ScrubKind::Model,
            Kind::Vendor => ScrubKind::Vendor,
        };
        if let Some((.., count)) =
            scrubs.iter_mut().find(|(known, key, ..)| *known == kind && key == found.key)
        {
            *count += 1;
        } else {
            let what = text[found.start..found.end].to_owned();
            scrubs.push((kind, found.key.to_owned(), what, 1));
        }
    }
    out.push_str(&text[from..]);
    out
}

/// What stands for each name within one design: `[model]`, then `[model 2]`, in order of appearance, so that a design
/// that speaks of several stays understandable.
#[derive(Default)]
struct Aliases(Vec<(Kind, String)>);

impl Aliases {
    fn of(&mut self, kind: Kind, key: &str) -> String {
        let same = |known: &&(Kind, String)| known.0 == kind;
        if !self.0.iter().any(|known| known.0 == kind && known.1 == key) {
            self.0.push((kind, key.to_owned()));
        }
        let number = self.0.iter().filter(same).position(|known| known.1 == key).map_or(1, |index| index + 1);
        let word = match kind {
            Kind::Agent => "agent",
            Kind::Author => "author",
            Kind::Model => "model",
            Kind::Vendor => "vendor",
        };
        if number == 1 { format!("[{word}]") } else { format!("[{word} {number}]") }
    }
}

/// Every text of a design with its JSON pointer.
pub(super) fn texts(design: &mut Design) -> Vec<(String, &mut String)> {
    fn list<'a>(at: &str, items: &'a mut [String], out: &mut Vec<(String, &'a mut String)>) {
        out.extend(items.iter_mut().enumerate().map(|(index, text)| (format!("{at}/{index}"), text)));
    }
    let mut out =
        vec![("/title".to_owned(), &mut design.title), ("/summary".to_owned(), &mut design.summary)];
    list("/assumptions", &mut design.assumptions, &mut out);
    out.push(("/architecture_overview".to_owned(), &mut design.architecture_overview));
    for (index, component) in design.components.iter_mut().enumerate() {
        let at = format!("/components/{index}");
        out.push((format!("{at}/name"), &mut component.name));
        out.push((format!("{at}/description"), &mut component.description));
        list(&format!("{at}/responsibilities"), &mut component.responsibilities, &mut out);
        list(
            &format!("{at}/dependencies"),
            component.dependencies.as_deref_mut().unwrap_or_default(),
            &mut out,
        );
    }
    out.push(("/data_flow".to_owned(), &mut design.data_flow));
    for (index, tradeoff) in design.tradeoffs.iter_mut().enumerate() {
        let at = format!("/tradeoffs/{index}");
        out.push((format!("{at}/aspect"), &mut tradeoff.aspect));
        list(&format!("{at}/options"), &mut tradeoff.options, &mut out);
        out.push((format!("{at}/chosen"), &mut tradeoff.chosen));
        out.push((format!("{at}/rationale"), &mut tradeoff.rationale));
    }
    for (index, risk) in design.risks.iter_mut().enumerate() {
        let at = format!("/risks/{index}");
        out.push((format!("{at}/risk"), &mut risk.risk));
        out.push((format!("{at}/mitigation"), &mut risk.mitigation));
    }
    list("/open_questions", &mut design.open_questions, &mut out);
    out
}
