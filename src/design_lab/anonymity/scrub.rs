//! Removes from a design what reveals its author.

use kernel::json::Deserialize;
use serde::Serialize;

use super::instructions::{Instruction, find_instructions};
use super::names::Names;
use crate::design_lab::artefacts::{DETAIL_KEYS, Design};
use kernel::visible::is_invisible;

/// A design as reviewers see it, and what was changed for that. Only the design is for reviewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blind {
    /// The design without names.
    pub design: Design,
    /// What was removed, by place and name.
    pub scrubbed: Vec<Scrub>,
    /// Text in it that addresses the reviewer; left in, and flagged.
    pub instructions: Vec<Instruction>,
}

/// Something that was removed from a text of a design.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scrub {
    /// JSON pointer of the text.
    pub pointer: String,
    /// What it was.
    pub kind: ScrubKind,
    /// The text as it first occurred there.
    pub what: String,
    /// The text that replaces it.
    pub shown: String,
    /// How often it occurred.
    pub count: u32,
}

/// What was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScrubKind {
    /// The name of an agent.
    Agent,
    /// What an author reveals about itself without a known name.
    Author,
    /// Invisible characters.
    Invisible,
    /// The name of a model.
    Model,
    /// The name of a maker or provider.
    Vendor,
}

/// Removes from a design every name that could reveal its author, and every invisible character.
pub fn blind(design: &Design, names: &Names) -> Blind {
    let mut blind = Blind { design: design.clone(), scrubbed: Vec::new(), instructions: Vec::new() };
    // Only a merged design has sources, so they would reveal that it was merged.
    let components = blind.design.components.iter_mut().map(|component| &mut component.sources);
    let tradeoffs = blind.design.tradeoffs.iter_mut().map(|tradeoff| &mut tradeoff.sources);
    components.chain(tradeoffs).for_each(|sources| *sources = None);
    let mut aliases = Aliases::default();
    for (pointer, text) in texts(&mut blind.design) {
        blind.instructions.extend(find_instructions(&pointer, text));
        let (visible, removed) = visible(text);
        let mut scrubs = Vec::new();
        if removed > 0 {
            let what = "invisible characters".to_owned();
            let kind = ScrubKind::Invisible;
            scrubs.push(Scrub { pointer: pointer.clone(), kind, what, shown: String::new(), count: removed });
        }
        *text = nameless(&visible, names, &mut aliases, &pointer, &mut scrubs);
        blind.scrubbed.append(&mut scrubs);
    }
    blind
}

/// Returns a text without names that could reveal an author, and without invisible characters.
pub fn scrubbed(text: &str, names: &Names) -> String {
    nameless(&visible(text).0, names, &mut Aliases::default(), "", &mut Vec::new())
}

/// Returns the text without invisible characters, and how many there were. Joiners between letters that aren't Latin
/// stay, and so does what shapes an emoji.
fn visible(text: &str) -> (String, u32) {
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
    (out, removed)
}

/// The most passes over a text: each pass may reveal a name that was joined to another.
const MOST_PASSES: usize = 4;

/// Returns the text with neutral words for names; the names that they replace are added to `scrubs`.
fn nameless(
    text: &str,
    names: &Names,
    aliases: &mut Aliases,
    pointer: &str,
    scrubs: &mut Vec<Scrub>,
) -> String {
    let mut text = text.to_owned();
    for _ in 0..MOST_PASSES {
        let (out, glued) = without_names(&text, names, aliases, pointer, scrubs);
        text = out;
        if !glued {
            break;
        }
    }
    text
}

/// Makes one pass over a text. Also returns whether a name was joined to another word, which may be a name now that it
/// is on its own.
fn without_names(
    text: &str,
    names: &Names,
    aliases: &mut Aliases,
    pointer: &str,
    scrubs: &mut Vec<Scrub>,
) -> (String, bool) {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut glued = false;
    for found in names.find(text) {
        glued |= text[..found.start].ends_with(char::is_alphanumeric)
            || text[found.end..].starts_with(char::is_alphanumeric);
        let shown = aliases.of(found.kind, found.key);
        out.push_str(&text[from..found.start]);
        out.push_str(&shown);
        from = found.end;
        if let Some(scrub) = scrubs.iter_mut().find(|scrub| scrub.shown == shown) {
            scrub.count += 1;
        } else {
            let what = text[found.start..found.end].to_owned();
            scrubs.push(Scrub { pointer: pointer.to_owned(), kind: found.kind, what, shown, count: 1 });
        }
    }
    out.push_str(&text[from..]);
    (out, glued)
}

/// The neutral word for each name within one design: `[model]`, then `[model 2]`, in order of appearance, so that a
/// design that mentions several stays understandable.
#[derive(Default)]
struct Aliases(Vec<(ScrubKind, String)>);

impl Aliases {
    fn of(&mut self, kind: ScrubKind, key: &str) -> String {
        if !self.0.iter().any(|known| known.0 == kind && known.1 == key) {
            self.0.push((kind, key.to_owned()));
        }
        let mut alike = self.0.iter().filter(|known| known.0 == kind);
        let index = alike.position(|known| known.1 == key).unwrap_or_default();
        let word = match kind {
            ScrubKind::Agent => "agent",
            ScrubKind::Author => "author",
            ScrubKind::Invisible => "invisible",
            ScrubKind::Model => "model",
            ScrubKind::Vendor => "vendor",
        };
        if index == 0 { format!("[{word}]") } else { format!("[{word} {}]", index + 1) }
    }
}

/// Returns every text of a design with its JSON pointer.
fn texts(design: &mut Design) -> Vec<(String, &mut String)> {
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
    let details = [
        &mut design.interfaces,
        &mut design.data_model,
        &mut design.failure_modes,
        &mut design.verification,
        &mut design.rollout,
        &mut design.touches,
    ];
    for (key, items) in DETAIL_KEYS.into_iter().zip(details) {
        list(&format!("/{key}"), items, &mut out);
    }
    for (index, claim) in design.claims.iter_mut().enumerate() {
        let at = format!("/claims/{index}");
        out.push((format!("{at}/text"), &mut claim.text));
        out.push((format!("{at}/name"), &mut claim.name));
        out.extend(claim.finding.as_mut().map(|finding| (format!("{at}/finding"), &mut finding.why)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cant_be_seen_goes_unless_it_shapes_what_can() {
        let cases = [
            ("a\u{200b}b\u{202e}c", "abc", 2),
            ("\u{feff}a\u{1b}[31m\u{0}", "a[31m", 3),
            ("a\tb\nc\r\n", "a\tb\nc\r\n", 0),
            ("👨\u{200d}👩 ❤\u{fe0f}", "👨\u{200d}👩 ❤\u{fe0f}", 0),
            ("می\u{200c}خواهم", "می\u{200c}خواهم", 0),
            ("é\u{200d}claude a\u{fe0f}", "éclaude a", 2),
            ("x\u{e0041}\u{e0101}y", "xy", 2),
        ];
        for (text, expected, removed) in cases {
            assert_eq!(visible(text), (expected.to_owned(), removed), "{text:?}");
        }
    }

    #[test]
    fn every_text_of_a_design_is_looked_at() {
        // Each text of a design with all its parts, named by its own pointer.
        let json = serde_json::json!({
            "title": "/title", "summary": "/summary", "assumptions": ["/assumptions/0"],
            "architecture_overview": "/architecture_overview",
            "components": [{"name": "/components/0/name", "description": "/components/0/description",
                "responsibilities": ["/components/0/responsibilities/0"],
                "dependencies": ["/components/0/dependencies/0", "/components/0/dependencies/1"]}],
            "data_flow": "/data_flow",
            "tradeoffs": [{"aspect": "/tradeoffs/0/aspect", "options": ["/tradeoffs/0/options/0"],
                "chosen": "/tradeoffs/0/chosen", "rationale": "/tradeoffs/0/rationale"}],
            "risks": [{"risk": "/risks/0/risk", "impact": "low", "mitigation": "/risks/0/mitigation"}],
            "open_questions": ["/open_questions/0"],
            "interfaces": ["/interfaces/0"], "data_model": ["/data_model/0"], "failure_modes": ["/failure_modes/0"],
            "verification": ["/verification/0"], "rollout": ["/rollout/0"], "touches": ["/touches/0"],
        });
        let mut design: Design = serde_json::from_value(json.clone()).unwrap();
        let texts = texts(&mut design);
        assert!(texts.iter().all(|(pointer, text)| pointer == *text));
        let strings = json.to_string().matches("\"/").count();
        assert_eq!(texts.len(), strings);
    }

    #[test]
    fn aliases_are_counted_by_kind_in_order_of_appearance() {
        let mut aliases = Aliases::default();
        assert_eq!(aliases.of(ScrubKind::Model, "a"), "[model]");
        assert_eq!(aliases.of(ScrubKind::Vendor, "a"), "[vendor]");
        assert_eq!(aliases.of(ScrubKind::Model, "b"), "[model 2]");
        assert_eq!(aliases.of(ScrubKind::Model, "a"), "[model]");
    }
}
