//! The arguments of `/flow-feedback`.

use crate::flow::code::FlowCode;
use kernel::problem::Problem;
use serde::Serialize;

/// The longest piece of feedback, in characters.
const LONGEST: usize = 2_000;

/// A request to `/flow-feedback`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowFeedbackCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FeedbackCommand {
    /// Log a piece of feedback, and show what was understood.
    Say {
        /// The user's words.
        said: String,
    },
    /// Make a rule of it.
    Confirm {
        /// The part of its hash that was typed.
        hash: String,
    },
    /// List rules and feedback.
    List,
    /// Remove a rule, or a piece of feedback that is no rule.
    Remove {
        /// Its id.
        id: String,
    },
}

/// Whether only a person may type these arguments: they decide which rules there are.
pub fn is_personal(text: &str) -> bool {
    matches!(text.split_whitespace().next(), Some("confirm" | "remove"))
}

/// Parses the arguments. Feedback that begins with one of the words is written after `--`.
pub fn feedback_command(text: &str) -> Result<FeedbackCommand, Problem> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim().to_owned();
    let is_alone = rest.split_whitespace().count() <= 1;
    let said = match word {
        "" | "list" if rest.is_empty() => return Ok(FeedbackCommand::List),
        "confirm" if is_alone => return Ok(FeedbackCommand::Confirm { hash: rest }),
        "remove" if is_alone => return Ok(FeedbackCommand::Remove { id: rest }),
        "--" => rest,
        _ => text.to_owned(),
    };
    let length = said.chars().count();
    if said.is_empty() {
        return Err(Problem::new(FlowCode::FeedbackEmpty, "Say what should be different.").next(
            "Type it after /flow-feedback, for example: /flow-feedback don't use moment, use date-fns",
        ));
    }
    if length > LONGEST {
        return Err(Problem::new(FlowCode::FeedbackTooLong, "This feedback is too long.")
            .found(format!("{length} characters"))
            .allowed(format!("at most {LONGEST}"))
            .next("Give one piece of feedback at a time."));
    }
    Ok(FeedbackCommand::Say { said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides_unless_a_sentence_follows() {
        let say = |said: &str| FeedbackCommand::Say { said: said.to_owned() };
        for (text, expected) in [
            ("", FeedbackCommand::List),
            (" list ", FeedbackCommand::List),
            ("list the files first", say("list the files first")),
            ("confirm 3fa91c02", FeedbackCommand::Confirm { hash: "3fa91c02".to_owned() }),
            ("confirm", FeedbackCommand::Confirm { hash: String::new() }),
            ("confirm every deletion twice", say("confirm every deletion twice")),
            ("remove no-moment", FeedbackCommand::Remove { id: "no-moment".to_owned() }),
            ("remove the old code", say("remove the old code")),
            ("-- remove logs", say("remove logs")),
            ("don't use `a\nb`", say("don't use `a\nb`")),
        ] {
            assert_eq!(feedback_command(text), Ok(expected), "{text}");
        }
        assert_eq!(feedback_command("--").unwrap_err().code, FlowCode::FeedbackEmpty);
        assert_eq!(feedback_command(&"x ".repeat(1_500)).unwrap_err().code, FlowCode::FeedbackTooLong);
        assert!(is_personal("confirm 3fa91c02") && is_personal(" remove x") && !is_personal("list"));
        assert!(!is_personal("don't use moment"));
    }
}
