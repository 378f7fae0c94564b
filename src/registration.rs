//! What a host is told at its start: commands and agents, as data for OpenCode 1.x's configuration.

use crate::config::Config;
use crate::prompts;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Commands and agents by name, in the form of OpenCode 1.x's `command` and `agent` settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Registration {
    /// Slash commands.
    pub commands: BTreeMap<String, Value>,
    /// Agents.
    pub agents: BTreeMap<String, Value>,
}

/// What to register. Runs use three agents of fixed name, and bring model, temperature and system text along with
/// each prompt: so a configuration that changed since OpenCode's start is obeyed. The agents named after the
/// configured models are for the user to call by `@`.
pub fn registration(config: Option<&Config>) -> Registration {
    let mut agents = BTreeMap::from([
        ("design-lab-topic".to_owned(), hidden("Names a Design Lab run", prompts::NAMER, &[])),
        (
            "design-lab-designer".to_owned(),
            hidden("Writes a design in a Design Lab run", prompts::DESIGNER, &TOOLS),
        ),
        (
            "design-lab-reviewer".to_owned(),
            hidden("Reviews designs in a Design Lab run", prompts::REVIEWER, &TOOLS),
        ),
    ]);
    if let Some(config) = config {
        for model in &config.design_models {
            let mut agent = agent(&format!("Designs with {}", model.name), prompts::DESIGNER, &TOOLS);
            personalise(&mut agent, model);
            agents.insert(format!("design-lab-design-{}", model.id), agent);
        }
        for entry in &config.review_models {
            let mut agent =
                agent(&format!("Reviews designs with {}", entry.model.name), prompts::REVIEWER, &TOOLS);
            personalise(&mut agent, &entry.model);
            agents.insert(format!("design-lab-review-{}", entry.model.id), agent);
        }
        for (name, agent) in &mut agents {
            if name != "design-lab-topic" {
                agent["permission"] = permission(&config.isolation.allowed_tools);
            }
        }
    }
    let commands = COMMANDS
        .iter()
        .map(|(name, description)| {
            ((*name).to_owned(), json!({ "template": "$ARGUMENTS", "description": description }))
        })
        .collect();
    Registration { commands, agents }
}

/// Slash commands, each with its description.
const COMMANDS: [(&str, &str); 8] = [
    (
        "design-lab",
        "Let several models design <task> apart from one another, review blind, and rank by evidence",
    ),
    ("design-lab-cancel", "Stop the Design Lab run that is on; what it has is kept"),
    ("design-lab-rank", "Rank a Design Lab run again, people's scores included; no model is called"),
    ("design-lab-resume", "Go on with a Design Lab run where it stopped: only what is missing is asked"),
    (
        "design-lab-merge",
        "Make one design of the best parts of a run's designs, and have it reviewed blind beside them",
    ),
    (
        "design-lab-refine",
        "Let each author revise its design by what reviewers said of it, then review old and new blind",
    ),
    (
        "design-lab-review",
        "Have a run's designs reviewed again by the reviewers and the rubric of now, or, by --human NAME, by a person",
    ),
    ("design-lab-status", "Show how far a Design Lab run is, or list the runs"),
];

/// The tools of an agent when nothing is configured.
const TOOLS: [&str; 3] = ["read", "glob", "grep"];

fn hidden(description: &str, prompt: &str, tools: &[&str]) -> Value {
    let mut agent = agent(description, prompt, tools);
    agent["hidden"] = json!(true);
    agent
}

fn agent(description: &str, prompt: &str, tools: &[&str]) -> Value {
    json!({
        "description": description,
        "mode": "subagent",
        "prompt": prompt.trim_end(),
        "permission": permission(tools),
    })
}

fn personalise(agent: &mut Value, model: &crate::config::ModelEntry) {
    agent["model"] = json!(model.model_id);
    agent["temperature"] = json!(model.temperature);
    if let Some(prompt) = &model.prompt_template {
        agent["prompt"] = json!(prompt);
    }
    if let Some(variant) = &model.variant {
        agent["variant"] = json!(variant);
    }
}

/// Everything is denied but these tools, and nothing is ever asked about: a question that nobody answers would hang
/// the run. The last matching rule wins in OpenCode, so the order matters.
fn permission(tools: &[impl AsRef<str>]) -> Value {
    let mut rules = serde_json::Map::from_iter([("*".to_owned(), json!("deny"))]);
    for tool in tools {
        let rule = match tool.as_ref() {
            "read" => json!({ "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" }),
            _ => json!("allow"),
        };
        rules.insert(tool.as_ref().to_owned(), rule);
    }
    for never in ["external_directory", "doom_loop", "question"] {
        rules.insert(never.to_owned(), json!("deny"));
    }
    Value::Object(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_could_hang_or_leak_is_left_open() {
        let registration = registration(None);
        for (name, agent) in &registration.agents {
            let rules = agent["permission"].as_object().unwrap();
            assert_eq!(rules.keys().next().map(String::as_str), Some("*"), "{name}: the last match wins");
            assert_eq!(rules["*"], "deny", "{name}");
            assert!(!agent["permission"].to_string().contains("\"ask\""), "{name}");
            assert_eq!(agent["mode"], "subagent", "{name}");
        }
        assert_eq!(registration.agents["design-lab-topic"]["permission"].get("read"), None);
    }
}
