//! The arguments of `/flow-plan`, `/flow-auto`, `/flow-reset` and `/flow-session`.

use super::code::FlowCode;
use super::recovery::{Recovery, RecoveryStage};
use crate::shared::trust::TRUST;
use serde::Serialize;

/// A request to `/flow-plan`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPlanCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PlanCommand {
    /// Start a session for a new goal.
    Draft {
        /// What the user wants built.
        goal: String,
    },
    /// Start a session for a ranked design.
    From {
        /// The run and the design, as the user names them; empty for the latest run.
        named: String,
    },
    /// Start a session that fixes what a validation found.
    Fix {
        /// The validation, as the user names it; empty for the latest.
        named: String,
    },
    /// Draft the plan again.
    Revise {
        /// What should change.
        remarks: String,
    },
    /// Narrow the draft.
    Select {
        /// The ids of the features to keep.
        features: Vec<String>,
    },
    /// Approve the plan.
    Approve {
        /// The part of its hash that was typed.
        hash: String,
    },
}

/// Parses the arguments of `/flow-plan`. A goal that begins with one of the words is written after `--`.
pub fn plan_command(text: &str) -> Result<PlanCommand, Recovery> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim().to_owned();
    let goal = match word {
        "revise" => return Ok(PlanCommand::Revise { remarks: rest }),
        "select" => return Ok(PlanCommand::Select { features: ids(&rest) }),
        "approve" => return Ok(PlanCommand::Approve { hash: rest }),
        "from" => return Ok(PlanCommand::From { named: named(rest, "/flow-plan")? }),
        // With more words, as in "Fix the login", it is a goal.
        "fix" if rest.split_whitespace().count() <= 1 => return Ok(PlanCommand::Fix { named: rest }),
        "--" => rest,
        _ => text.to_owned(),
    };
    if goal.is_empty() {
        return Err(no_goal());
    }
    Ok(PlanCommand::Draft { goal })
}

/// A request to `/flow-auto`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowAutoCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum AutoCommand {
    /// Start a session for a new goal.
    Draft {
        /// What the user wants built.
        goal: String,
    },
    /// Start a session for a ranked design.
    From {
        /// The run and the design, as the user names them; empty for the latest run.
        named: String,
    },
    /// Continue the current session.
    Continue,
}

/// Parses the arguments of `/flow-auto`. A goal that begins with `from` is written after `--`.
pub fn auto_command(text: &str) -> Result<AutoCommand, Recovery> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim().to_owned();
    Ok(match word {
        "" => AutoCommand::Continue,
        "from" => AutoCommand::From { named: named(rest, "/flow-auto")? },
        "--" if rest.is_empty() => return Err(no_goal()),
        "--" => AutoCommand::Draft { goal: rest },
        _ => AutoCommand::Draft { goal: text.to_owned() },
    })
}

/// The argument of `from`, which is one word.
fn named(rest: String, command: &str) -> Result<String, Recovery> {
    if rest.split_whitespace().count() <= 1 {
        return Ok(rest);
    }
    Err(Recovery::new(
        FlowCode::PlanTooManyWords,
        RecoveryStage::Plan,
        "`from` takes a run and at most one design.",
    )
    .takes("<run> or <run>/<design>")
    .next(
        format!(
            "Type nothing else after `from`: you can change the plan later with /flow-plan revise. If your \
             goal begins with the word `from`, type it after `{command} --`. /design-lab-status lists the \
             runs."
        ),
        "/design-lab-status",
    ))
}

fn ids(text: &str) -> Vec<String> {
    text.split([' ', ',', '\t', '\n']).filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// A request to `/flow-reset`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowResetCommand"))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ResetCommand {
    /// Take a feature back, with everything that needs it.
    Feature {
        /// Its id.
        feature: String,
    },
    /// Archive the session.
    Session,
}

/// Parses the arguments of `/flow-reset`.
pub fn reset_command(text: &str) -> Result<ResetCommand, Recovery> {
    match text.split_whitespace().collect::<Vec<_>>()[..] {
        ["feature", feature] => Ok(ResetCommand::Feature { feature: feature.to_owned() }),
        ["session"] => Ok(ResetCommand::Session),
        _ => Err(Recovery::new(FlowCode::ResetUnclear, RecoveryStage::Session, "Name what to reset.")
            .takes("`feature` and its id, or `session`")
            .next("Type /flow-reset feature and its id, or /flow-reset session.", "/flow-status")),
    }
}

/// A request to `/flow-session`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowSessionCommand"))]
pub struct SessionCommand {
    /// The session, as the user names it.
    pub named: String,
    /// Whether the user takes it over, even if this machine didn't write its journal.
    pub trust: bool,
}

/// Parses the arguments of `/flow-session`. `by_model`: whether a model calls it, which can't take a session over.
pub fn session_command(text: &str, by_model: bool) -> Result<SessionCommand, Recovery> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != TRUST).collect();
    let trust = words.len() < text.split_whitespace().count();
    let named = words.join(" ");
    if trust && by_model {
        let message = "Only the user can take over a session that this machine didn't write.";
        return Err(Recovery::new(FlowCode::SessionElsewhere, RecoveryStage::Session, message)
            .takes("the command, typed by the user")
            .next(
                "Ask the user to look at the session and to type this command.",
                format!("/flow-session {named} {TRUST}"),
            ));
    }
    Ok(SessionCommand { named, trust })
}

/// The refusal when the command names no goal.
pub(super) fn no_goal() -> Recovery {
    Recovery::new(FlowCode::PlanNoGoal, RecoveryStage::Plan, "Name a goal.")
        .takes("a goal")
        .next("Type /flow-plan followed by the goal. /flow-status shows the active session.", "/flow-status")
}

/// The refusal when a command needs a session and there is none.
pub fn no_session() -> Recovery {
    Recovery::new(FlowCode::SessionNone, RecoveryStage::Session, "There is no Flow session.")
        .next(
            "In OpenCode, type /flow-plan followed by what you want to build. /flow-status then shows the session.",
            "/flow-status",
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_decides_unless_it_is_put_behind_dashes() {
        let draft = |goal: &str| PlanCommand::Draft { goal: goal.to_owned() };
        let from = |named: &str| PlanCommand::From { named: named.to_owned() };
        for (text, expected) in [
            ("Add a limit\nto the API", draft("Add a limit\nto the API")),
            ("revise  smaller, please ", PlanCommand::Revise { remarks: "smaller, please".to_owned() }),
            ("revise", PlanCommand::Revise { remarks: String::new() }),
            ("approve 3fa91c02", PlanCommand::Approve { hash: "3fa91c02".to_owned() }),
            ("approve", PlanCommand::Approve { hash: String::new() }),
            ("select a, b c", PlanCommand::Select { features: ["a", "b", "c"].map(str::to_owned).to_vec() }),
            ("select", PlanCommand::Select { features: Vec::new() }),
            ("-- approve the form by mail", draft("approve the form by mail")),
            ("approver roles", draft("approver roles")),
            ("from rate-limiter/brisk-10 ", from("rate-limiter/brisk-10")),
            ("from", from("")),
            ("-- from scratch, a parser", draft("from scratch, a parser")),
            ("fromage", draft("fromage")),
            (
                "fix validate-20261122t223110z-a1b2 ",
                PlanCommand::Fix { named: "validate-20261122t223110z-a1b2".to_owned() },
            ),
            ("fix", PlanCommand::Fix { named: String::new() }),
            ("fix the login", draft("fix the login")),
            ("-- fix login", draft("fix login")),
        ] {
            assert_eq!(plan_command(text), Ok(expected), "{text}");
        }
        for text in ["", "  ", "--"] {
            assert_eq!(plan_command(text).unwrap_err().error_code, FlowCode::PlanNoGoal, "{text:?}");
        }
    }

    #[test]
    fn without_a_goal_or_a_design_what_is_there_continues() {
        let draft = |goal: &str| AutoCommand::Draft { goal: goal.to_owned() };
        let from = |named: &str| AutoCommand::From { named: named.to_owned() };
        for (text, expected) in [
            (" ", AutoCommand::Continue),
            ("Add a limit\nto the API ", draft("Add a limit\nto the API")),
            ("from rate-limiter", from("rate-limiter")),
            ("from", from("")),
            ("-- from scratch, a parser", draft("from scratch, a parser")),
            ("revise the guide", draft("revise the guide")),
        ] {
            assert_eq!(auto_command(text), Ok(expected), "{text}");
        }
        assert_eq!(auto_command("--").unwrap_err().error_code, FlowCode::PlanNoGoal);
    }

    #[test]
    fn behind_from_stands_a_run_and_nothing_else() {
        for (refused, goal) in [
            (plan_command("from scratch, a parser").unwrap_err(), "`/flow-plan --`"),
            (auto_command("from scratch, a parser").unwrap_err(), "`/flow-auto --`"),
        ] {
            assert_eq!(refused.error_code, FlowCode::PlanTooManyWords);
            assert_eq!(refused.next_command, "/design-lab-status");
            assert!(refused.resolution_hint.contains(goal), "{}", refused.resolution_hint);
        }
    }

    #[test]
    fn what_is_taken_back_has_to_be_named() {
        let feature = ResetCommand::Feature { feature: "api".to_owned() };
        assert_eq!(reset_command(" feature  api "), Ok(feature));
        assert_eq!(reset_command("session"), Ok(ResetCommand::Session));
        for text in ["", "api", "feature", "feature a b", "session now"] {
            assert_eq!(reset_command(text).unwrap_err().error_code, FlowCode::ResetUnclear, "{text:?}");
        }
    }
}
