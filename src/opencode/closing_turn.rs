//! Whether the session's model is asked to comment on a result.
//!
//! OpenCode 1.18 summarises a conversation once an answer reports as many tokens as the context holds, minus those that it
//! reserves for the longest answer. Its own prompt and tools take 33,000 characters, some 8,300 tokens. If these alone exceed
//! that limit, it summarises and asks again endlessly: 201 requests in 28 s, and `opencode run` never returns (seen with a
//! context of 8,192 tokens, and with 16,384 of which the answer may take half).

use crate::design_lab::config::AvailableModels;
use crate::shared::figures::whole;

/// Tokens that a context has to hold: with fewer, the host has no room for a conversation.
const LEAST_CONTEXT: f64 = 16_000.0;

/// Tokens that have to remain besides the longest answer: for OpenCode's prompt and tools, the result, and part of the project's
/// own instructions.
const LEAST_ROOM: f64 = 12_000.0;

/// The most tokens that OpenCode reserves for an answer, also used when the catalogue has no limit.
const LONGEST_ANSWER: f64 = 32_000.0;

/// Why the session's model isn't asked to comment, in a sentence; `None` if it is. A fact missing from the catalogue counts in
/// its favour.
pub fn no_closing_turn(available: &AvailableModels) -> Option<String> {
    let id = available.current.as_ref()?;
    let model = available.models.iter().find(|model| model.id() == *id)?;
    let kept = if model.output > 0.0 { model.output.min(LONGEST_ANSWER) } else { LONGEST_ANSWER };
    let has_room = model.context >= LEAST_CONTEXT && model.context - kept >= LEAST_ROOM;
    if model.context == 0.0 || has_room {
        return None;
    }
    Some(format!(
        "{id} isn't asked to comment. Of its context of {} tokens, OpenCode reserves {} for the answer, and \
         OpenCode's own prompt needs most of the rest.",
        whole(model.context),
        whole(kept.min(model.context))
    ))
}

#[cfg(test)]
mod tests {
    use super::no_closing_turn;
    use crate::design_lab::config::{AvailableModel, AvailableModels};

    #[test]
    fn a_session_whose_model_has_no_room_for_it_ends_without_a_comment() {
        for (context, output, is_asked) in [
            (0.0, 0.0, true),
            (8_192.0, 2_048.0, false),
            (8_192.0, 8_192.0, false),
            (15_999.0, 1_024.0, false),
            (16_384.0, 4_096.0, true),
            (16_384.0, 8_192.0, false),
            (32_768.0, 8_192.0, true),
            // OpenCode reserves 32,000 tokens for an answer whose limit is unknown.
            (32_768.0, 0.0, false),
            (200_000.0, 0.0, true),
            (1e300, 64_000.0, true),
        ] {
            let model = AvailableModel {
                provider: "local".to_owned(),
                model: "mine".to_owned(),
                context,
                output,
                ..AvailableModel::default()
            };
            let of = |current: Option<&str>| {
                let current = current.map(str::to_owned);
                no_closing_turn(&AvailableModels { models: vec![model.clone()], current, agreed: None })
            };
            assert_eq!(of(Some("local/mine")).is_none(), is_asked, "{context} and {output}");
            assert_eq!(of(None), None);
            assert_eq!(of(Some("local/unlisted")), None);
        }
    }
}
