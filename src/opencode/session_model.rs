//! The model that the user's session uses.

use kernel::json::Deserialize;
use serde::Serialize;

/// The facts that determine which model the user's session uses, each as `provider/model`. If a message names a model, it is the
/// one that OpenCode itself uses next: the user's choice, otherwise the session's, the configured one, or OpenCode's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionModelFacts {
    /// The model that the last user message names: the message that the command becomes, or the one that is being answered.
    pub message: Option<String>,
    /// The session's own model.
    pub session: Option<String>,
    /// `model` of OpenCode's configuration.
    pub configured: Option<String>,
}

impl SessionModelFacts {
    /// The model that the user's session uses; `None` when it is unknown.
    pub fn model(self) -> Option<String> {
        self.message.or(self.session).or(self.configured)
    }
}

#[cfg(test)]
mod tests {
    use super::SessionModelFacts;

    #[test]
    fn the_message_counts_before_the_session_and_that_before_the_configuration() {
        let own = |is: bool, id: &str| is.then(|| id.to_owned());
        for (message, session, configured, expected) in [
            (true, true, true, Some("house/picked")),
            (false, true, true, Some("house/session")),
            (false, false, true, Some("house/configured")),
            (true, false, true, Some("house/picked")),
            (false, false, false, None),
        ] {
            let facts = SessionModelFacts {
                message: own(message, "house/picked"),
                session: own(session, "house/session"),
                configured: own(configured, "house/configured"),
            };
            assert_eq!(facts.clone().model().as_deref(), expected, "{facts:?}");
        }
    }
}
