//! The judgement of an answer that should be one JSON object: the object, or the prompt that asks again in the same session.

mod blanks;
mod code;
#[cfg(test)]
pub(crate) mod corpus;
mod own_words;
mod refusal;
mod rules;

pub(crate) use blanks::blanks;
pub use code::AnswerCode;
pub(crate) use own_words::{FormTexts, words};
pub(crate) use refusal::is_refusal;
pub use rules::Rules;

use super::extraction::{self, Cut, Extraction, ExtractionCode, ExtractionError, Finish, Fit, Reading};
use super::schema::sort_problems;
use super::template::fill;
use kernel::problem::Problem;
use kernel::protocol::Reply;
use kernel::workflow::Verdict;
use serde_json::Value;

/// The request, as described in the prompts that ask again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The name of the requested thing: `object`, `review`.
    pub what: &'static str,
    /// The required form, as the end of a sentence.
    pub form: &'static str,
    /// The kind of work: `for …`.
    pub work: &'static str,
}

impl Words {
    fn blanks(self) -> [(&'static str, &'static str); 3] {
        [("what", self.what), ("form", self.form), ("work", self.work)]
    }
}

/// An answer that can't be used.
pub(crate) struct Unusable {
    /// The prompt that asks again.
    pub(crate) prompt: String,
    /// The fault, in a sentence.
    pub(crate) reason: String,
}

impl Unusable {
    /// The answer as a verdict.
    pub(crate) fn verdict<A>(self) -> Verdict<A> {
        Verdict::Repair { prompt: self.prompt, reason: self.reason }
    }
}

/// Returns the object in the answer, or the reaction when there is none.
pub(crate) fn object(
    reply: &Reply,
    rules: Rules,
    words: Words,
    fit: &dyn Fn(&Value) -> Fit,
) -> Result<Extraction, Unusable> {
    let interruption = interruption(reply);
    // However an answer was stopped, only a complete object counts.
    let finish = if interruption.is_some() { Finish::Length } else { Finish::from(reply.finish.as_str()) };
    let reading = if rules.want_own_words() { Reading::Latest } else { Reading::Former };
    extraction::extract_by(reading, &reply.text, finish, fit).map_err(|error| {
        if let Some(interruption) = interruption {
            let reason = interruption.sentence().to_owned();
            return Unusable { prompt: interrupted(words, interruption), reason };
        }
        let mut reason = error.to_string();
        let prompt = match error {
            ExtractionError::Empty => empty(words),
            ExtractionError::NoObject { .. } if is_refusal(&reply.text) => {
                REFUSED.clone_into(&mut reason);
                refused(words)
            }
            ExtractionError::NoObject { .. } => missing(),
            ExtractionError::Truncated { cut: Cut::EndOfText, .. }
                if rules.want_own_words() && has_ended(reply) =>
            {
                let problem = Problem::new(
                    ExtractionCode::Malformed,
                    "The JSON object can't be read: a quote or a bracket is never closed.",
                );
                reason.clone_from(&problem.message);
                unreadable(&problem)
            }
            ExtractionError::Truncated { cut: Cut::EndOfText | Cut::Length, .. } => shorten(words),
            other => unreadable(&Problem::from(other)),
        };
        Unusable { prompt, reason }
    })
}

/// Whether the model had finished its answer: it stopped on its own, at the end of an object.
fn has_ended(reply: &Reply) -> bool {
    reply.finish == "stop" && reply.text.trim_end().trim_end_matches('`').trim_end().ends_with(['}', ']'])
}

/// Reads the object that was found as the requested type; if there are several, the model has to choose.
pub(crate) fn accept<A>(
    found: Result<Extraction, Unusable>,
    read: impl FnOnce(&Value) -> Result<A, Vec<Problem>>,
) -> Verdict<A> {
    match found {
        Err(unusable) => unusable.verdict(),
        Ok(found) if found.is_ambiguous() => several().verdict(),
        Ok(found) => match read(&found.value) {
            Ok(accepted) => Verdict::Accept(Box::new(accepted)),
            Err(problems) => Verdict::Repair { prompt: repair(&problems, ""), reason: faults(&problems) },
        },
    }
}

/// Returns what was read, unless texts in it aren't the model's own: then these are problems, too.
pub(crate) fn own<A>(copies: Vec<Problem>, read: Result<A, Vec<Problem>>) -> Result<A, Vec<Problem>> {
    if copies.is_empty() {
        return read;
    }
    let mut problems = copies;
    problems.extend(read.err().into_iter().flatten());
    sort_problems(&mut problems, &|_| 0);
    Err(problems)
}

/// The reason of a refusal.
pub(crate) const REFUSED: &str = "The model declined.";

/// The model has to say which of several objects, or of several values of one key, counts.
pub(crate) fn several() -> Unusable {
    Unusable {
        prompt: fill(include_str!("../../../prompts/shared/repair-several.md"), &[]),
        reason:
            "The answer contradicts itself: it has several complete objects, or different values of one key."
                .to_owned(),
    }
}

/// How well an object fits: by its expected keys, then by the faults that validation finds in it.
pub(crate) fn fit(object: &Value, keys: &[&str], faults: impl Fn(&Value) -> usize) -> Fit {
    let present = keys.iter().filter(|&&key| object.get(key).is_some()).count();
    if present == 0 { Fit::Unrelated } else { Fit::new(present, keys.len(), faults(object)) }
}

/// Summarises these faults in a line.
pub(crate) fn faults(problems: &[Problem]) -> String {
    match problems {
        [only] => summary(only),
        [first, _] => format!("{} (and 1 more fault)", summary(first)),
        [first, rest @ ..] => format!("{} (and {} more faults)", summary(first), rest.len()),
        [] => "the answer could not be used".to_owned(),
    }
}

fn summary(problem: &Problem) -> String {
    let place = problem.pointer.as_deref().filter(|pointer| !pointer.is_empty());
    place.map_or_else(|| problem.message.clone(), |pointer| format!("{pointer}: {}", problem.message))
}

/// The reason why an answer was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// The provider's content filter.
    ContentFilter,
    /// An error at the provider.
    Error,
}

impl Interruption {
    /// In words, for the user.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::ContentFilter => "The provider's content filter stopped the answer.",
            Self::Error => "The provider ended the answer with an error.",
        }
    }
}

/// What stopped the answer, if it was neither the model nor a limit.
pub(crate) fn interruption(reply: &Reply) -> Option<Interruption> {
    match reply.finish.as_str() {
        "content-filter" => Some(Interruption::ContentFilter),
        "error" => Some(Interruption::Error),
        _ => None,
    }
}

// ---- the prompts that ask again ----

/// Asks to fix the faults of an object; `hint` lists what is valid if that helps, otherwise it is empty.
pub(crate) fn repair(problems: &[Problem], hint: &str) -> String {
    let list: Vec<String> = problems
        .iter()
        .map(|problem| {
            let place = problem.pointer.as_deref().map_or(String::new(), |pointer| {
                format!("{}: ", if pointer.is_empty() { "the whole object" } else { pointer })
            });
            format!("- {place}{}", findings(problem))
        })
        .collect();
    let hint = if hint.is_empty() { String::new() } else { format!("{hint}\n\n") };
    fill(
        include_str!("../../../prompts/shared/repair.md"),
        &[("problems", &list.join("\n")), ("hint", &hint)],
    )
}

/// Asks in a new conversation after the model repeated the refused answer byte for byte: the request and what to avoid.
pub(crate) fn otherwise(request: &str, reason: &str) -> String {
    fill(
        include_str!("../../../prompts/shared/repair-repeated.md"),
        &[("request", request), ("reason", reason.trim_end_matches('.'))],
    )
}

/// Asks for the object again, complete and as valid JSON.
fn unreadable(problem: &Problem) -> String {
    fill(include_str!("../../../prompts/shared/repair-unreadable.md"), &[("problem", &findings(problem))])
}

/// Asks for the object that the answer did not contain.
pub(crate) fn missing() -> String {
    fill(include_str!("../../../prompts/shared/repair-missing.md"), &[])
}

/// Asks for a shorter answer after one that was cut off.
pub(crate) fn shorten(words: Words) -> String {
    fill(include_str!("../../../prompts/shared/repair-cut-off.md"), &words.blanks())
}

/// Asks again after an empty answer.
pub(crate) fn empty(words: Words) -> String {
    fill(include_str!("../../../prompts/shared/repair-empty.md"), &words.blanks())
}

/// Asks again after a refusal, by stating plainly what is requested and what isn't.
pub(crate) fn refused(words: Words) -> String {
    fill(include_str!("../../../prompts/shared/repair-refused.md"), &words.blanks())
}

/// Asks for the whole answer again after the provider stopped it.
pub(crate) fn interrupted(words: Words, interruption: Interruption) -> String {
    let template = match interruption {
        Interruption::ContentFilter => include_str!("../../../prompts/shared/repair-filtered.md"),
        Interruption::Error => include_str!("../../../prompts/shared/repair-broken-off.md"),
    };
    fill(template, &words.blanks())
}

/// The fault, the found value and the allowed ones, in a line.
fn findings(problem: &Problem) -> String {
    let found = problem.found.as_deref().map_or(String::new(), |found| format!(" Found: {found}."));
    let allowed = problem.allowed.as_deref().map_or(String::new(), |allowed| format!(" Allowed: {allowed}."));
    let message = problem.message.trim_end_matches('.');
    format!("{message}.{found}{allowed}")
}
