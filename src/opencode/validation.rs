//! What Validation registers when a host starts: its commands and agents, as data for OpenCode 1.x.

use super::registration::{Registration, reading_agent, slash_commands};
use design_lab_numerics::sorting::map;
use serde_json::json;
use std::collections::BTreeMap;

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of a description.
const COMMANDS: [(&str, &str); 8] = [
    ("validate", "Prove that it works: <what>; flow; run; file"),
    ("validate-cancel", "Stop the validation and everything it started"),
    ("validate-decide", "For gaps: generate-fix-plan, stop or force-test"),
    ("validate-flows", "Have a model find gaps in journeys; runs no tests"),
    ("validate-init", "Write settings that fit the project"),
    ("validate-resume", "Continue a validation, or approve its commands"),
    ("validate-status", "Show a validation and what is next; --all lists all"),
    ("validate-work", "Have a model check criteria; runs no tests"),
];

/// Commands and agents to register, and the rules that keep the agents out of the requests of the user's own sessions, as for Flow.
pub(super) fn validation() -> Registration {
    Registration {
        commands: slash_commands(&COMMANDS),
        agents: map([
            ("validation-analyst".to_owned(), reading_agent("Analyses journeys for a validation")),
            ("validation-tester".to_owned(), reading_agent("Writes tests for a validation")),
            ("validation-verifier".to_owned(), reading_agent("Checks criteria for a validation")),
        ]),
        tools: BTreeMap::new(),
        // Everything that `task` lists is part of every request of the user's sessions.
        permission: map([("task".to_owned(), json!({ "validation-*": "deny" }))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_can_only_read_and_nobody_can_hang() {
        let Registration { agents, commands, tools, permission } = validation();
        assert_eq!(agents.len(), 3);
        for (name, agent) in &agents {
            let rules = agent["permission"].as_object().unwrap();
            assert_eq!(rules.keys().next().map(String::as_str), Some("*"), "{name}: the last match wins");
            let allowed: Vec<&str> =
                rules.iter().filter(|(_, rule)| **rule != "deny").map(|(tool, _)| tool.as_str()).collect();
            assert_eq!(allowed, ["glob", "grep", "read"], "{name}");
            assert_eq!((&agent["mode"], &agent["hidden"]), (&json!("subagent"), &json!(true)), "{name}");
        }
        for (name, command) in &commands {
            assert!(command["description"].as_str().unwrap().chars().count() <= 51, "{name}");
        }
        assert!(tools.is_empty(), "an ordinary session is as it is without Validation");
        assert_eq!(permission["task"], json!({ "validation-*": "deny" }));
    }
}
