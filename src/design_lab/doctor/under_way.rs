//! What the chat shows while the doctor waits for models.

use kernel::clock::span;
use kernel::json::Deserialize;
use kernel::progress::Incoming;
use kernel::visible;
use std::fmt::Write as _;

/// The progress of a call to a model.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrialProgress {
    /// `provider/model`.
    pub model: String,
    /// Whether it answered; `None` while the call is running.
    pub answered: Option<bool>,
    /// How long the call has taken so far.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
    /// What has arrived, if that is known.
    pub incoming: Option<Incoming>,
}

/// Returns the whole text.
pub fn under_way(calls: &[TrialProgress]) -> String {
    let answered = calls.iter().filter(|call| call.answered == Some(true)).count();
    let mut out = format!("Design Lab · doctor: {answered} of {} models answered\n", calls.len());
    let width = calls.iter().map(|call| call.model.chars().count()).max().unwrap_or(0);
    for call in calls {
        let doing =
            || call.incoming.as_ref().map_or_else(|| "asked".to_owned(), |came| came.wording("writing"));
        let (mark, doing) = match call.answered {
            None => ("●", doing()),
            Some(true) => ("✓", "answered".to_owned()),
            Some(false) => ("✗", "failed".to_owned()),
        };
        let _ = write!(out, "\n  {mark} {:width$}  {doing}, {}", call.model, span(call.duration_ms));
    }
    visible::text(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_says_how_far_it_is() {
        let call = |model: &str, answered, incoming| TrialProgress {
            model: model.to_owned(),
            answered,
            duration_ms: 12_400,
            incoming,
        };
        let came = |waiting, characters| {
            Some(Incoming { waiting, characters, writing_ms: 2_000, ..Incoming::default() })
        };
        let calls = [
            call("a/one", Some(true), came(false, 90)),
            call("a/three", Some(false), None),
            call("b/four", None, None),
            call("b/five", None, came(true, 0)),
            call("b/six", None, came(false, 90)),
        ];
        assert_eq!(
            under_way(&calls),
            "Design Lab · doctor: 1 of 5 models answered\n\n  \
             ✓ a/one    answered, 12 s\n  \
             ✗ a/three  failed, 12 s\n  \
             ● b/four   asked, 12 s\n  \
             ● b/five   waiting for the first token, 12 s\n  \
             ● b/six    writing · ~23 tokens · 11 tokens/s, 12 s"
        );
    }
}
