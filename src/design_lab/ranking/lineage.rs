//! Which reviewers' errors are likely to correlate, judging by their names.

use super::model::SHARED_ERROR;
use super::study::ReviewerFacts;
use crate::shared::vendor::vendors;

/// The correlation of the errors of one model asked twice: under two names, with two prompts, as two versions, or as
/// its own distillation. On real panels it was 0.79 and 0.83; this value is lower because a few reviewers can show only
/// so little.
const SAME_MODEL: f64 = 0.75;

/// The correlation of the errors of two models of one vendor: 0.37 for three models of one vendor, 0.23 for three of
/// another, compared with 0.19 for models of different vendors on the same texts.
const SAME_VENDOR: f64 = 0.4;

/// Words that describe a reviewer's job, not its model.
const GENERIC: &[&str] = &[
    "agent",
    "ai",
    "annotator",
    "critic",
    "expert",
    "grader",
    "human",
    "j",
    "judge",
    "llm",
    "m",
    "model",
    "panelist",
    "person",
    "r",
    "rater",
    "referee",
    "reviewer",
    "user",
];

/// Words that distinguish two requests to one model.
const REQUEST: &[&str] = &[
    "copy",
    "cot",
    "default",
    "few",
    "latest",
    "lenient",
    "long",
    "low",
    "high",
    "medium",
    "preview",
    "prompt",
    "rep",
    "repeat",
    "run",
    "shot",
    "short",
    "strict",
    "temp",
    "temperature",
    "think",
    "thinking",
    "try",
    "v",
    "variant",
    "zero",
];

/// Returns the correlation of two reviewers' errors, judging by their names. People are related to no reviewer.
pub(super) fn correlation(one: &ReviewerFacts, other: &ReviewerFacts) -> f64 {
    let (Some(one), Some(other)) = (&one.model, &other.model) else { return SHARED_ERROR };
    if same_model(one, other) {
        SAME_MODEL
    } else if vendors(one).iter().any(|vendor| vendors(other).contains(vendor)) {
        SAME_VENDOR
    } else {
        SHARED_ERROR
    }
}

/// Returns the number of different models among the reviewers; each person counts separately.
pub(super) fn models(reviewers: &[&ReviewerFacts]) -> usize {
    let known = |reviewer: &ReviewerFacts, earlier: &[&ReviewerFacts]| {
        earlier.iter().any(|earlier| match (&earlier.model, &reviewer.model) {
            (Some(one), Some(other)) => same_model(one, other),
            _ => false,
        })
    };
    (0..reviewers.len()).filter(|&index| !known(reviewers[index], &reviewers[..index])).count()
}

/// Whether two names belong to one model: they differ only in the host, a date, a number of the version or request, or
/// words that only one of them has.
fn same_model(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (words(one), words(other));
    let common = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let numbered =
        |words: &[String]| words.iter().any(|word| word.contains(|letter: char| letter.is_ascii_digit()));
    if common == 0 || GENERIC.contains(&one[0].as_str()) {
        return false;
    }
    let (rest, others) = (&one[common..], &other[common..]);
    // `gpt-5` and `gpt-5-mini`; but not `claude` and `claude-opus-4`, because a bare family name is not a model.
    if (rest.is_empty() || others.is_empty())
        && (common > 1 || numbered(&one[..common]) || rest.len() == others.len())
    {
        return true;
    }
    let numbered = numbered(&one[..common]);
    let request = |word: &String| {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
        (digits && (numbered || word.len() >= 4)) || (word.len() == 1 && !digits) || REQUEST.contains(&name)
    };
    rest.iter().chain(others).all(request)
}

/// Returns the words of a model's name in lower case, without its host, split at everything that is neither letter nor
/// digit.
fn words(model: &str) -> Vec<String> {
    let name = model.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or(model).to_lowercase();
    name.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::ids::ReviewerId;

    #[test]
    fn lineage_is_read_from_names() {
        let cases = [
            ("openai/gpt-5", "openai/gpt-5", SAME_MODEL),
            ("openai/gpt-5", "openrouter/openai/gpt-5", SAME_MODEL),
            ("openai/gpt-5", "azure/gpt-5-mini", SAME_MODEL),
            ("gpt-4-0314", "gpt-4-0613", SAME_MODEL),
            ("gpt-5-1-2", "gpt-5-1", SAME_MODEL),
            ("prometheus-2 (prompt a)", "prometheus-2 (prompt b)", SAME_MODEL),
            ("qwen2.5-72b:strict", "qwen2.5-72b:lenient", SAME_MODEL),
            ("qwen2.5-72b#1", "qwen2.5-72b#2", SAME_MODEL),
            ("autoj-prompt1", "autoj-prompt2", SAME_MODEL),
            ("gpt-3.5-turbo-0301", "gpt-4-0314", SAME_VENDOR),
            ("gpt-4-0314", "gpt-4o-mini", SAME_VENDOR),
            ("llama-2-7b-chat-hf", "llama-2-13b-chat-hf", SAME_VENDOR),
            ("openai/gpt-5", "openai/o3", SAME_VENDOR),
            ("anthropic/claude", "anthropic/claude-opus-4", SAME_VENDOR),
            ("deepseek/deepseek-r1-distill-qwen-32b", "qwen/qwen2.5-72b", SAME_VENDOR),
            ("gpt-4o-mini", "qwen2.5-72b", SHARED_ERROR),
            ("reviewer-1", "reviewer-2", SHARED_ERROR),
            ("r1", "r2", SHARED_ERROR),
            ("acme/unknown", "acme/other", SHARED_ERROR),
            ("anna", "bert", SHARED_ERROR),
        ];
        let reviewer =
            |model: &str| ReviewerFacts { id: ReviewerId::new(model), model: Some(model.to_owned()) };
        for (one, other, expected) in cases {
            let found = [
                correlation(&reviewer(one), &reviewer(other)),
                correlation(&reviewer(other), &reviewer(one)),
            ];
            assert!(
                found.iter().all(|found| (found - expected).abs() < 1e-12),
                "{one} and {other}: {found:?}"
            );
        }
        let person = ReviewerFacts { id: ReviewerId::new("anna"), model: None };
        assert!((correlation(&person, &person) - SHARED_ERROR).abs() < 1e-12);
        assert_eq!(models(&[&reviewer("a/x-1"), &reviewer("b/x-1"), &person, &person]), 3);
    }
}
