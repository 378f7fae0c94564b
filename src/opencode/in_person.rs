//! Commands that only a person may give: they declare that something is approved, decided or trusted.
//!
//! Models don't have them as tools ([`super::registration::tool_call`]). But a model whose shell starts another OpenCode could
//! type them there: if such a shell started OpenCode, the plugin checks here.

use super::registration::RegistrationCode;
use crate::design_lab::workflow::OUTCOME;
use crate::flow::feedback::command::is_personal as decides_on_rules;
use crate::flow::pull_request::CREATE;
use crate::shared::trust::TRUST;
use kernel::problem::Problem;

/// The option of `/design-lab-resume` that approves a rubric.
const APPROVES: &str = "--rubric";

/// Why this command isn't executed in an OpenCode that a model's shell started; `None` if it may be.
pub fn in_person(command: &str, text: &str) -> Option<Problem> {
    let mut words = text.split_whitespace();
    let first = words.clone().next().unwrap_or_default();
    let is_personal = match command {
        "flow-feedback" => decides_on_rules(text),
        "flow-plan" => first == "approve",
        "flow-pr" => first == CREATE,
        "flow-race" => first == "approve" || first == "take" && words.clone().count() > 2,
        "flow-take" | "validate-decide" => !first.is_empty(),
        "design-lab-rank" => words.clone().any(|word| word == OUTCOME),
        "design-lab-resume" => words.clone().any(|word| word == APPROVES),
        "design-lab-vendors" => first == "allow",
        _ => false,
    };
    if !is_personal && !words.any(|word| word == TRUST) {
        return None;
    }
    let message = "Only you may type this command, but a model may have typed it: a model's shell started this OpenCode.";
    Some(Problem::new(RegistrationCode::UsersAlone, message).found(format!("/{command} {text}")).next(
        "Check what the model wants to do. If you agree, type the command in an OpenCode that you started \
             yourself.",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_approves_decides_or_trusts_is_a_persons() {
        for (command, text, is_personal) in [
            ("flow-plan", "approve 3fa91c02", true),
            ("flow-plan", "  approve", true),
            ("flow-plan", "approver roles", false),
            ("flow-plan", "-- approve the form by mail", false),
            ("flow-plan", "revise approve it", false),
            ("flow-race", "approve 3fa91c02", true),
            ("flow-race", "take b 3fa91c02", true),
            ("flow-race", "take b", false),
            ("flow-race", "from limiter", false),
            ("flow-race", "", false),
            ("flow-take", "", false),
            ("flow-take", "3fa91c02", true),
            ("flow-feedback", "confirm 3fa91c02", true),
            ("flow-feedback", " remove no-moment", true),
            ("flow-feedback", "don't use moment", false),
            ("flow-feedback", "list", false),
            ("flow-pr", "", false),
            ("flow-pr", " --create 3fa91c02", true),
            ("flow-session", "old", false),
            ("flow-session", "old --trust", true),
            ("design-lab-resume", "--trust rate-limiter", true),
            ("design-lab-resume", "rate-limiter --rubric 3fa91c02", true),
            ("design-lab-resume", "rate-limiter", false),
            ("design-lab-rank", "rate-limiter", false),
            ("design-lab-rank", "rate-limiter --outcome ash validated", true),
            ("design-lab", "--rubric a limiter", false),
            ("validate-decide", "", false),
            ("validate-decide", "force-test", true),
            ("validate-decide", "stop", true),
            ("design-lab-vendors", "", false),
            ("design-lab-vendors", "allow aurora", true),
            ("design-lab-vendors", "forget aurora", false),
            ("design-lab", "a form with --trusted users", false),
        ] {
            assert_eq!(in_person(command, text).is_some(), is_personal, "{command} {text}");
        }
        let problem = in_person("validate-decide", "force-test").unwrap();
        assert_eq!(
            (problem.code.as_str(), problem.found.as_deref()),
            ("tool.users-alone", Some("/validate-decide force-test"))
        );
    }
}
