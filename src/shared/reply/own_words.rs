//! Whether a text is the model's own: a form's description of a field is not an answer to it.
//!
//! Small models copy the form: a third of their texts, measured. The form's texts are read from the same templates that are sent
//! ([`FormTexts::of`]), so this check follows any rewording of a form.

use super::code::AnswerCode;
use crate::shared::schema::{child, quote};
use design_lab_numerics::sorting::sort;
use kernel::problem::Problem;
use serde_json::Value;

/// The texts of earlier versions' forms, which models still use.
const FORMER: &str = include_str!("../../../prompts/shared/former-forms.txt");

/// The words that replace a value in a type.
const TYPES: [&str; 6] = ["string", "number", "boolean", "text", "null", "undefined"];

/// How many words more than the copied phrase a text may have to count as a copy.
const LONGER: usize = 4;

/// The texts of a form that describe what a value should be, as [`words`].
#[derive(Clone, Debug, Default)]
pub(crate) struct FormTexts(Vec<Vec<String>>);

impl FormTexts {
    /// The texts of these templates and of former ones.
    pub(crate) fn of(templates: &[&str]) -> Self {
        let now = templates.iter().flat_map(|template| texts(template));
        let mut phrases: Vec<Vec<String>> =
            now.chain(FORMER.lines().map(str::to_owned)).map(|text| words(&text)).collect();
        phrases.retain(|phrase| !phrase.is_empty());
        sort(&mut phrases);
        phrases.dedup();
        Self(phrases)
    }

    /// Whether a text is one of the form's, or nearly so.
    pub(crate) fn hold(&self, text: &str) -> bool {
        // A text this long was not copied from a form.
        if text.len() > 400 {
            return false;
        }
        let said = words(text);
        match &said[..] {
            [] => false,
            [word] if TYPES.contains(&word.as_str()) => true,
            _ => self.0.iter().any(|phrase| is_near(&said, phrase)),
        }
    }

    /// A problem for each text of a value that was copied from the form. Values under `choices` are words that a form lists; there a
    /// single word is not a copy.
    pub(crate) fn copied(&self, value: &Value, choices: &[&str]) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.look(value, "", false, choices, &mut problems);
        problems
    }

    fn look(&self, value: &Value, at: &str, is_choice: bool, choices: &[&str], found: &mut Vec<Problem>) {
        match value {
            Value::String(text)
                if (!is_choice || text.trim().contains(char::is_whitespace)) && self.hold(text) =>
            {
                found.push(copy(at, text));
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.look(item, &child(at, &index.to_string()), is_choice, choices, found);
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    self.look(member, &child(at, key), choices.contains(&key.as_str()), choices, found);
                }
            }
            _ => {}
        }
    }
}

fn copy(at: &str, text: &str) -> Problem {
    Problem::new(AnswerCode::Copied, "This text is copied from the form.")
        .at(at)
        .found(quote(text))
        .allowed("your own words about this task")
}

/// The words of a text in lower case, without punctuation: `It's … here` is `its here`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace(['\'', '’', '`'], "");
    let words = plain.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether a text equals a phrase except for one word in four, in a longer text one word in three, or for a few letters.
fn is_near(text: &[String], phrase: &[String]) -> bool {
    if text == phrase {
        return true;
    }
    let (short, long) = (text.len().min(phrase.len()), text.len().max(phrase.len()));
    if short < 3 || long - short > LONGER {
        return false;
    }
    let letters = |words: &[String]| words.join(" ").chars().collect::<Vec<_>>();
    let shared = common(text, phrase);
    4 * shared >= 3 * long || (short > 4 && 3 * shared >= 2 * long) || {
        let (one, other) = (letters(text), letters(phrase));
        10 * common(&one, &other) >= 9 * one.len().max(other.len())
    }
}

/// How many items two lists have in common, in the same order.
fn common<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    let mut row = vec![0; other.len() + 1];
    for item in one {
        let mut diagonal = 0;
        for (index, candidate) in other.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if item == candidate { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row[other.len()]
}

/// A template's texts about values: its quoted texts and its comments. Keys, and words that a value is chosen from, don't count.
fn texts(template: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in template.lines() {
        let mut rest = line;
        while let Some(at) = rest.find(['"', '/']) {
            let (before, here) = rest.split_at(at);
            if let Some(comment) = here.strip_prefix("//").or_else(|| here.strip_prefix("/*")) {
                found.extend(parts(comment.trim_end_matches("*/")));
                break;
            }
            let Some(quoted) = here.strip_prefix('"') else {
                rest = &here[1..];
                continue;
            };
            let end = closing_quote(quoted);
            let (text, after) = (&quoted[..end], quoted.get(end + 1..).unwrap_or_default());
            if !is_key(after) && !is_choice(before, text, after) {
                found.extend(parts(text));
            }
            rest = after;
        }
    }
    found
}

fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at)
}

fn is_key(after: &str) -> bool {
    after.trim_start().starts_with(':')
}

/// Whether a quoted word is one of several allowed values.
fn is_choice(before: &str, text: &str, after: &str) -> bool {
    let (before, after) = (before.trim_end(), after.trim_start());
    !text.trim().contains(char::is_whitespace)
        && (before.ends_with('|')
            || before.ends_with(" or")
            || after.starts_with('|')
            || after.starts_with("or ")
            || after.starts_with(", \"") && !before.ends_with('[')
            || after.starts_with('('))
}

/// A text without its blanks, and each of its longer parts: models may leave out the rest.
fn parts(text: &str) -> Vec<String> {
    let whole: String =
        text.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest)).collect();
    let part = |part: &str| (words(part).len() > 3).then(|| part.trim().to_owned());
    let parts: Vec<String> = whole.split([';', ':', '(', ')']).filter_map(part).collect();
    std::iter::once(whole).chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::extraction::{Finish, Fit, extract};
    use crate::shared::reply::corpus;
    use std::fs;
    use std::path::Path;

    fn templates() -> Vec<(String, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("prompts");
        let mut found = Vec::new();
        for folder in ["design-lab", "flow", "validation"] {
            for entry in fs::read_dir(root.join(folder)).expect("the prompts are there") {
                let path = entry.expect("an entry").path();
                let text = fs::read_to_string(&path).expect("a prompt");
                found.push((path.display().to_string(), text));
            }
        }
        found
    }

    /// The descriptions in a form: quoted words that are not keys, and comments.
    fn described(form: &str) -> Vec<String> {
        let mut found = Vec::new();
        for line in form.lines() {
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            found.push(comment.trim().to_owned());
            let quoted: Vec<&str> = code.split('"').collect();
            for pair in quoted.windows(2).skip(1).step_by(2) {
                if !pair[1].trim_start().starts_with(':') && pair[0].contains(' ') {
                    found.push(pair[0].to_owned());
                }
            }
        }
        found.retain(|text| !text.contains("{{") && words(text).len() > 1);
        found
    }

    #[test]
    fn whatever_a_form_states_about_a_value_is_no_answer() {
        let mut count = 0;
        for (name, template) in templates() {
            let is_form = |line: &str| line.starts_with('{') || line.starts_with("type ");
            let Some(begin) = template.lines().position(is_form) else { continue };
            let form = template.lines().skip(begin).collect::<Vec<_>>().join("\n");
            let texts = FormTexts::of(&[&template]);
            for text in described(&form) {
                count += 1;
                assert!(texts.hold(&text), "{name}: {text}");
                assert!(texts.hold(&format!(" {}… ", text.to_uppercase())), "{name}: {text}");
            }
        }
        assert!(count > 20, "{count} texts were found in the forms");
        let none = FormTexts::of(&[]);
        assert!(FORMER.lines().all(|text| none.hold(text)));
    }

    #[test]
    fn a_filled_example_would_be_copied_too() {
        let texts = FormTexts::of(&[&corpus::file("filled-example.txt")]);
        for row in corpus::rows("example") {
            let found = extract(&row.text, Finish::Stop, &|_| Fit::Any).expect("an object");
            row.assert_asked(texts.copied(&found.value, &[]).first().map(|problem| problem.message.as_str()));
        }
    }

    #[test]
    fn words_about_the_task_are_ones_own() {
        let templates = templates();
        let texts: Vec<&str> = templates.iter().map(|(_, text)| text.as_str()).collect();
        let texts = FormTexts::of(&texts);
        for text in [
            "A token bucket in Redis",
            "Gateway",
            "What happens to a request when Redis is down?",
            "The design keeps one process and one file",
            "Data moves from the gateway to the store through one Lua script",
            "done.js",
            "It is fixed.",
            "src/a.js:12",
            "…",
            "",
        ] {
            assert!(!texts.hold(text), "{text}");
        }
        let value = serde_json::json!({"impact": "low", "text": "low, medium or high"});
        let at = |problem: &Problem| problem.pointer.clone().unwrap_or_default();
        assert_eq!(texts.copied(&value, &["impact"]).iter().map(at).collect::<Vec<_>>(), ["/text"]);
    }
}
