//! A prompt that exceeds a model's context: how many tokens it had, how many fit, and what to do.

use super::failures::shortened;
use crate::shared::figures::thousands;
use kernel::protocol::CallFailure;
use kernel::reason::Reason;

/// OpenCode's name for it. It recognises the messages of many servers, but not all (seen on 1.18.33 with LM Studio's).
pub(super) const NAME: &str = "ContextOverflowError";

/// Phrases of servers that OpenCode doesn't recognise, in lower case.
const WORDS: [&str; 3] = ["context length", "context size", "context window"];

/// A number below this is not the size of a context: HTTP statuses, message counts.
const LEAST: u64 = 512;

/// Whether a failure means that the prompt exceeded the model's context.
pub(super) fn is_overflow(failure: &CallFailure) -> bool {
    let refused = matches!(failure.status, Some(400 | 413 | 422));
    let message = failure.message.to_lowercase();
    &*failure.name == NAME || refused && WORDS.iter().any(|words| message.contains(words))
}

/// The failure in a sentence. `smaller`: what to do.
pub(super) fn reason(failure: &CallFailure, smaller: &str) -> Reason {
    const TOO_LARGE: &str = "the prompt is larger than the model's context";
    match figures(failure) {
        Some((prompt, holds)) => Reason::own(format!(
            "{TOO_LARGE} ({} tokens; the context holds {}); {smaller}",
            thousands(prompt),
            thousands(holds)
        )),
        None => Reason::quoting(format!("{TOO_LARGE}; {smaller}"), &shortened(&failure.message)),
    }
}

/// Tokens of the prompt, and tokens that the context holds.
fn figures(failure: &CallFailure) -> Option<(u64, u64)> {
    let said = failure.prompt_tokens.zip(failure.context_tokens);
    said.or_else(|| figures_in(&failure.message)).filter(|(prompt, holds)| prompt > holds)
}

/// The same, from the message. Each server has its own wording and order, but the first two sizes are the prompt's and the
/// context's, and a prompt that is too large is the larger one. `None` if the answer's limit comes first, because then they can't
/// be told apart.
fn figures_in(message: &str) -> Option<(u64, u64)> {
    if message.starts_with("'max_tokens'") || message.contains("max_completion_tokens") {
        return None;
    }
    let plain = message.replace(',', "");
    let mut sizes = plain
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter_map(|word| word.parse().ok())
        .filter(|number| *number >= LEAST);
    let (one, other): (u64, u64) = (sizes.next()?, sizes.next()?);
    Some((one.max(other), one.min(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording(name: &str, status: Option<u16>, message: &str) -> Option<String> {
        let failure =
            CallFailure { name: name.into(), message: message.into(), status, ..CallFailure::default() };
        is_overflow(&failure).then(|| reason(&failure, "choose another").wording().to_owned())
    }

    #[test]
    fn the_figures_of_every_server_are_kept() {
        let with = |prompt: &str, holds: &str| {
            format!(
                "the prompt is larger than the model's context ({prompt} tokens; the context holds {holds}); \
                 choose another"
            )
        };
        let small = with("9,001", "4,096");
        for (message, expected) in [
            (
                "request (9001 tokens) exceeds the available context size (4096 tokens), try increasing it",
                &small,
            ),
            (
                "This model's maximum context length is 4096 tokens. However, your messages resulted in 9001 tokens.",
                &small,
            ),
            (
                "Bad Request: This model's maximum context length is 4,096 tokens. However, you requested 9,001 tokens (8001 in the \
                 messages, 1000 in the completion). Please reduce the length of the messages or completion.",
                &small,
            ),
            ("prompt is too long: 210001 tokens > 200000 maximum", &with("210,001", "200,000")),
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                &with("1,200,000", "1,048,576"),
            ),
        ] {
            assert_eq!(wording(NAME, None, message).as_ref(), Some(expected), "{message}");
        }
        let of_lm_studio = "Bad Request: Trying to keep the first 9001 tokens when context the overflows. However, the model is loaded \
                            with context length of only 4096 tokens, which is not enough.";
        assert_eq!(wording("APIError", Some(400), of_lm_studio), Some(small));
        assert_eq!(wording("APIError", Some(400), "mute-1 does not support tools"), None);
        assert_eq!(wording("APIError", Some(500), of_lm_studio), None, "the server failed");
    }

    #[test]
    fn what_a_server_does_not_say_is_not_made_up() {
        let begins = "the prompt is larger than the model's context; choose another";
        for message in [
            "the request exceeds the available context size",
            "HTTP 400: the context of 4096 tokens is full",
            "4096 tokens of 4096 are taken",
            "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 4096 tokens and your \
             request has 4000 input tokens",
        ] {
            let wording = wording(NAME, None, message).unwrap();
            assert!(wording.starts_with(&format!("{begins}: {}", &message[..20])), "{wording}");
        }
        assert_eq!(wording(NAME, None, "").unwrap(), begins);
        let mut failure = CallFailure { name: NAME.into(), ..CallFailure::default() };
        (failure.prompt_tokens, failure.context_tokens) = (Some(9_001), Some(4_096));
        assert!(reason(&failure, "x").in_own_words().contains("9,001 tokens; the context holds 4,096"));
        failure.prompt_tokens = Some(17);
        assert_eq!(figures(&failure), None, "that would fit");
    }
}
