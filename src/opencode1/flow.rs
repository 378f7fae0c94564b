//! What a host is told of Flow at its start: its commands and agents, as data for OpenCode 1.x.

use super::registration::{Registration, hidden, slash_commands};
use crate::flow::prompts;
use serde_json::json;
use std::collections::BTreeMap;

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of it.
const COMMANDS: [(&str, &str); 5] = [
    ("flow-cancel", "Stop what Flow is doing; keep what is there"),
    ("flow-plan", "Plan <goal>; revise <remarks>; approve <hash>"),
    ("flow-resume", "Go on with what Flow was doing"),
    ("flow-run", "Build the next feature of the approved plan"),
    ("flow-status", "Show the plan, its features and what comes next"),
];

/// What planner and reviewer may use: they read, and nothing else.
const READING: [&str; 3] = ["glob", "grep", "read"];

/// Commands and agents to register. Sessions bring model, temperature and system text along with each prompt, but for a `model`
/// that the user gave an agent: that is who is asked.
pub fn flow_registration() -> Registration {
    let reading = READING.map(str::to_owned);
    let mut worker = hidden("Builds a feature of a Flow plan", prompts::WORKER, &[]);
    // The user's own rules hold for the rest. A question that nobody answers would hang the session.
    worker["permission"] = json!({ "edit": { ".flow/*": "deny" }, "question": "deny" });
    let agents = BTreeMap::from([
        ("flow-planner".to_owned(), hidden("Plans a change for Flow", prompts::PLANNER, &reading)),
        ("flow-worker".to_owned(), worker),
        ("flow-reviewer".to_owned(), hidden("Reviews a change for Flow", prompts::REVIEWER, &reading)),
    ]);
    Registration {
        commands: slash_commands(&COMMANDS),
        agents,
        tools: BTreeMap::new(),
        permission: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_plans_or_reviews_can_only_read_and_nobody_can_hang() {
        let Registration { agents, commands, tools, .. } = flow_registration();
        for name in ["flow-planner", "flow-reviewer"] {
            let rules = agents[name]["permission"].as_object().unwrap();
            assert_eq!(rules.keys().next().map(String::as_str), Some("*"), "{name}: the last match wins");
            let allowed: Vec<&str> =
                rules.iter().filter(|(_, rule)| **rule != "deny").map(|(tool, _)| tool.as_str()).collect();
            assert_eq!(allowed, READING, "{name}");
        }
        assert_eq!(agents["flow-worker"]["permission"]["edit"][".flow/*"], "deny");
        for (name, agent) in &agents {
            assert_eq!(agent["permission"]["question"], "deny", "{name}");
            assert_eq!((&agent["mode"], &agent["hidden"]), (&json!("subagent"), &json!(true)), "{name}");
        }
        for (name, command) in &commands {
            assert!(command["description"].as_str().unwrap().chars().count() <= 51, "{name}");
        }
        assert!(tools.is_empty(), "an ordinary session is as it is without Flow");
    }
}
