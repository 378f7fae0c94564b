//! What a host is told of Flow at its start: its commands and agents, as data for OpenCode 1.x.

use super::registration::{Registration, permission, slash_commands};
use super::tools::TOOL;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of it.
const COMMANDS: [(&str, &str); 9] = [
    ("flow-auto", "Build <goal>, or from <run>, without asking"),
    ("flow-cancel", "Stop what Flow is doing; keep what is there"),
    ("flow-history", "Show what happened in a session"),
    ("flow-plan", "Plan <goal>; from <run>; revise; select; approve"),
    ("flow-reset", "Take back feature <id>; or archive the session"),
    ("flow-resume", "Go on with what Flow was doing"),
    ("flow-run", "Build the next feature of the approved plan"),
    ("flow-session", "Make another stored session the active one"),
    ("flow-status", "Show the plan, its features and what comes next"),
];

/// What planner and reviewer may use: they read, and nothing else.
const READING: [&str; 3] = ["glob", "grep", "read"];

/// Commands and agents to register, and what keeps the agents out of the requests of the user's own sessions. The agents have
/// no prompt, since that would take the place of OpenCode's own: a session's system text comes along with each prompt, and so
/// does its model.
pub(super) fn flow() -> Registration {
    let agent = |description: &str, permission: Value| json!({ "description": description, "mode": "subagent", "hidden": true, "permission": permission });
    let reading = || permission(&READING.map(str::to_owned));
    // The user's own rules hold for the rest. A question that nobody answers would hang the session.
    let working = json!({
        "edit": { ".flow/*": "deny", "*/.flow/*": "deny" },
        "task": "deny",
        "question": "deny",
        TOOL: "deny",
    });
    Registration {
        commands: slash_commands(&COMMANDS),
        agents: BTreeMap::from([
            ("flow-planner".to_owned(), agent("Plans a change for Flow", reading())),
            ("flow-reviewer".to_owned(), agent("Reviews a change for Flow", reading())),
            ("flow-worker".to_owned(), agent("Builds a feature of a Flow plan", working)),
        ]),
        tools: BTreeMap::new(),
        // What `task` lists stands in every request of the user's sessions.
        permission: BTreeMap::from([("task".to_owned(), json!({ "flow-*": "deny" }))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_plans_or_reviews_can_only_read_and_nobody_can_hang() {
        let Registration { agents, commands, tools, permission } = flow();
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
        assert_eq!(permission["task"], json!({ "flow-*": "deny" }));
    }
}
