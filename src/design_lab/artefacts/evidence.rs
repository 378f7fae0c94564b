//! The evidence in a reviewer's reply: a reason for each score, and a quote for each weakness.

use super::design::Design;
use super::review::Qualitative;
use crate::design_lab::config::Dimension;
use crate::shared::reply::words;
use serde_json::{Map, Value, json};

/// The names of a weakness in an object of its own.
const CLAIM_KEYS: [&str; 3] = ["claim", "weakness", "text"];
/// The longest quote that is kept, in characters.
const LONGEST: usize = 500;

/// Returns evaluations as they are stored: scores are numbers, their reasons are the justification, and weaknesses are texts next to
/// their quotes.
pub(super) fn stored(mut value: Value, dimensions: &[Dimension]) -> Value {
    let evaluations = value.get_mut("evaluations").and_then(Value::as_array_mut);
    for evaluation in evaluations.into_iter().flatten() {
        if let Some(Value::Object(qualitative)) = evaluation.get_mut("qualitative") {
            take_quotes(qualitative);
        }
        if let Some(Value::Object(scores)) = evaluation.get_mut("quantitative") {
            take_reasons(scores, dimensions);
        }
    }
    value
}

fn take_quotes(qualitative: &mut Map<String, Value>) {
    let mut quotes = Vec::new();
    for weakness in qualitative.get_mut("weaknesses").and_then(Value::as_array_mut).into_iter().flatten() {
        let claim = CLAIM_KEYS.iter().find_map(|key| weakness.get(*key)?.as_str());
        let Some(claim) = claim.map(str::to_owned).filter(|claim| !claim.trim().is_empty()) else { continue };
        let quote = weakness["quote"].as_str().filter(|quote| quote.contains(char::is_alphanumeric));
        if let Some(quote) = quote {
            let quote: String = quote.chars().take(LONGEST).collect();
            quotes.push(json!({ "claim": claim, "quote": quote }));
        }
        *weakness = json!(claim);
    }
    if !quotes.is_empty() {
        qualitative.insert("quotes".to_owned(), quotes.into());
    }
}

fn take_reasons(scores: &mut Map<String, Value>, dimensions: &[Dimension]) {
    let given = scores.get("justification").and_then(Value::as_str).unwrap_or_default().trim();
    let mut said: Vec<String> = if given.is_empty() { Vec::new() } else { vec![given.to_owned()] };
    for Dimension { name, .. } in dimensions {
        said.extend(reason(scores.get(name)).map(|reason| format!("{name}: {}", sentence(reason))));
        if let Some(score) = scores.get(name).and_then(|one| one.get("score")).cloned() {
            scores.insert(name.clone(), score);
        }
    }
    if !said.is_empty() {
        scores.insert("justification".to_owned(), json!(said.join(" ")));
    }
}

/// The reason in a score; `None` if it has none, or only a blank one.
pub(super) fn reason(score: Option<&Value>) -> Option<&str> {
    score?.get("reason")?.as_str().map(str::trim).filter(|reason| !reason.is_empty())
}

/// Ends a reason with a full stop, unless it ends with another mark.
fn sentence(reason: &str) -> String {
    let mark = if reason.ends_with(char::is_alphanumeric) { "." } else { "" };
    format!("{reason}{mark}")
}

impl Qualitative {
    /// Looks every quote up in the design, as the reviewer saw it. The results name a reviewer whose quote isn't there, so in doubt it
    /// counts as found; in a decision map, where a quote has to prove something, it doesn't (`quote.rs`).
    pub(crate) fn look_up_quotes(&mut self, shown: &Design) {
        if self.quotes.is_empty() {
            return;
        }
        let mut text = String::new();
        // Via text, because serialising into a value would add a second copy of every type's code.
        let design = serde_json::to_string(shown).unwrap_or_default();
        read_out(&kernel::json::read(&design).unwrap_or_default(), &mut text);
        let text = bare(&text);
        for quote in &mut self.quotes {
            let parts = quote.quote.split(['…', '\n']).flat_map(|part| part.split("..."));
            quote.found = parts.map(bare).all(|part| text.contains(&part));
        }
    }
}

/// Writes the keys and texts of a design in the order in which a reviewer sees them.
fn read_out(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => *out = std::mem::take(out) + text + "\n",
        Value::Array(items) => items.iter().for_each(|item| read_out(item, out)),
        Value::Object(members) => {
            for (key, member) in members {
                *out = std::mem::take(out) + key + "\n";
                read_out(member, out);
            }
        }
        _ => {}
    }
}

/// A text without case, punctuation, Markdown and line breaks.
fn bare(text: &str) -> String {
    words(text).join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::review::Quote;
    use super::*;

    #[test]
    fn a_quote_is_found_however_it_is_set_and_not_if_its_words_differ() {
        let shown = Design {
            summary: "Every request **asks** `Redis` first;\nit doesn't wait longer than 5 ms.".to_owned(),
            data_flow: "Client, gateway, store.".to_owned(),
            ..Design::default()
        };
        for (quote, found) in [
            ("Every request asks Redis first", true),
            ("“every request **asks** Redis first; it doesn’t wait”", true),
            ("asks   Redis\nfirst", true),
            ("Every request … longer than 5 ms.", true),
            ("Every request ... than 50 ms", false),
            ("\"data_flow\": \"Client, gateway", true),
            ("asks Redis twice", false),
            ("wait longer than 5 seconds", false),
        ] {
            let quotes = vec![Quote { claim: "c".to_owned(), quote: quote.to_owned(), found: !found }];
            let mut said = Qualitative { quotes, ..Qualitative::default() };
            said.look_up_quotes(&shown);
            assert_eq!(said.quotes[0].found, found, "{quote}");
        }
    }

    #[test]
    fn reasons_and_quotes_are_kept_next_to_what_they_support() {
        let reply = json!({"evaluations": [{
            "qualitative": {"weaknesses": [
                {"claim": "It waits.", "quote": "it waits"}, {"claim": "No backup.", "missing": true}, "Old.",
                {"claim": "Vague.", "quote": "…"}, {"quote": "nothing said"},
            ]},
            "quantitative": {"cost": {"reason": "Few parts", "score": 7}, "risk": {"reason": " ", "score": 3}, "age": 2},
        }]});
        let stored = stored(reply, &["cost", "risk", "age"].map(Dimension::new));
        let one = &stored["evaluations"][0];
        let weaknesses = json!(["It waits.", "No backup.", "Old.", "Vague.", {"quote": "nothing said"}]);
        assert_eq!(one["qualitative"]["weaknesses"], weaknesses);
        assert_eq!(one["qualitative"]["quotes"], json!([{"claim": "It waits.", "quote": "it waits"}]));
        let scores = json!({"cost": 7, "risk": 3, "age": 2, "justification": "cost: Few parts."});
        assert_eq!(one["quantitative"], scores);
    }
}
