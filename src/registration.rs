//! What a host is told at its start: commands, agents and tools, as data for OpenCode 1.x.

use crate::config::{Config, Isolation};
use crate::prompts;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Commands, agents and permissions by name, in the form of OpenCode 1.x's settings `command`, `agent` and `permission`;
/// and the tools that models get.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Registration {
    /// Slash commands.
    pub commands: BTreeMap<String, Value>,
    /// Agents.
    pub agents: BTreeMap<String, Value>,
    /// Tools for the models of the user's own sessions.
    pub tools: BTreeMap<String, Tool>,
    /// What is asked before a tool is used, unless the user's own settings say otherwise.
    pub permission: BTreeMap<String, Value>,
}

/// A command as a tool: a model calls it in place of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tool {
    /// The command that it carries out.
    pub command: &'static str,
    /// What models are told of it.
    pub description: &'static str,
    /// What stands behind the command.
    pub argument: Option<Argument>,
    /// Whether it makes paid calls.
    pub paid: bool,
}

/// The one argument of a tool, a text. OpenCode demands every argument that a tool has: an empty text leaves it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// What models are told of it.
    pub description: &'static str,
}

/// What to register. Runs use three agents of fixed name, and bring model, temperature and system text along with
/// each prompt: so a configuration that changed since OpenCode's start is obeyed. The agents named after the
/// configured models are for the user to call by `@`.
///
/// `config` names the models; none where they are chosen when a run begins. `isolation` holds in either case.
pub fn registration(config: Option<&Config>, isolation: &Isolation) -> Registration {
    let tools = &isolation.allowed_tools;
    let mut agents = BTreeMap::from([
        ("design-lab-topic".to_owned(), hidden("Names a Design Lab run", prompts::NAMER, &[])),
        (
            "design-lab-designer".to_owned(),
            hidden("Writes a design in a Design Lab run", prompts::DESIGNER, tools),
        ),
        (
            "design-lab-reviewer".to_owned(),
            hidden("Reviews designs in a Design Lab run", prompts::REVIEWER, tools),
        ),
    ]);
    if let Some(config) = config {
        for model in &config.design_models {
            let prompt = model.instructions(prompts::DESIGNER);
            let mut agent = agent(&format!("Designs with {}", model.name), &prompt, tools);
            personalise(&mut agent, model);
            agents.insert(format!("design-lab-design-{}", model.id), agent);
        }
        for entry in &config.review_models {
            let prompt = entry.model.instructions(prompts::REVIEWER);
            let mut agent = agent(&format!("Reviews designs with {}", entry.model.name), &prompt, tools);
            personalise(&mut agent, &entry.model);
            agents.insert(format!("design-lab-review-{}", entry.model.id), agent);
        }
    }
    let commands = COMMANDS
        .iter()
        .map(|(name, description)| {
            ((*name).to_owned(), json!({ "template": "$ARGUMENTS", "description": description }))
        })
        .collect();
    let tools = BTreeMap::from(TOOLS.map(|(name, tool)| (name.to_owned(), tool)));
    let permission =
        tools.iter().filter(|(_, tool)| tool.paid).map(|(name, _)| (name.clone(), json!("ask"))).collect();
    Registration { commands, agents, tools, permission }
}

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of it.
const COMMANDS: [(&str, &str); 10] = [
    ("design-lab", "Several models design <task>, review blind, rank"),
    ("design-lab-cancel", "Stop the runs that are on; keep what they have"),
    ("design-lab-doctor", "Check setup and models, and say what to do"),
    ("design-lab-init", "Write a configuration file from connected models"),
    ("design-lab-merge", "Merge a run's designs into one, and review it"),
    ("design-lab-rank", "Rank a run again, with people's scores; no calls"),
    ("design-lab-refine", "Let authors revise their designs, review again"),
    ("design-lab-resume", "Go on with a run; only what is missing is asked"),
    ("design-lab-review", "Review a run again; --human NAME: by a person"),
    ("design-lab-status", "List the runs, or show how one stands"),
];

/// Tools, each with its command.
const TOOLS: [(&str, Tool); 4] = [
    (
        "design_lab_run",
        Tool {
            command: "design-lab",
            description: "Starts a Design Lab run: several models each design a solution to the task in isolation, several \
                review the anonymised designs, and code ranks them and says how sure the ranking is. Use it only when the user \
                asks for a design lab, or for a design chosen by several models: it makes many paid model calls and takes \
                minutes. The user watches its progress in the chat. Returns the result.",
            argument: Some(Argument {
                name: "task",
                description: "What is to be designed, complete in itself: the designers see nothing of this conversation. \
                    May have sections headed `Constraints:` and `Non-functional requirements:`.",
            }),
            paid: true,
        },
    ),
    (
        "design_lab_status",
        Tool {
            command: "design-lab-status",
            description: "Shows how far a Design Lab run is, or its ranking and where its files are; or lists all runs. \
                Makes no model call.",
            argument: Some(Argument {
                name: "run",
                description: "The name of a run, or a unique part of it. Empty for the list of all runs.",
            }),
            paid: false,
        },
    ),
    (
        "design_lab_resume",
        Tool {
            command: "design-lab-resume",
            description: "Goes on with a Design Lab run that was stopped or interrupted: only what is missing is asked, and \
                paid. Use it only when the user asks for it. Returns the result.",
            argument: Some(Argument {
                name: "run",
                description: "The name of a run, or a unique part of it. Empty for the latest that is unfinished.",
            }),
            paid: true,
        },
    ),
    (
        "design_lab_cancel",
        Tool {
            command: "design-lab-cancel",
            description: "Stops every Design Lab run that is on in this process. What they have is kept, and \
                design_lab_resume goes on with it.",
            argument: None,
            paid: false,
        },
    ),
];

fn hidden(description: &str, prompt: &str, tools: &[String]) -> Value {
    let mut agent = agent(description, prompt, tools);
    agent["hidden"] = json!(true);
    agent
}

fn agent(description: &str, prompt: &str, tools: &[String]) -> Value {
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
    if let Some(variant) = &model.variant {
        agent["variant"] = json!(variant);
    }
}

/// Everything is denied but these tools, and nothing is ever asked about: a question that nobody answers would hang
/// the run. The last matching rule wins in OpenCode, so the order matters.
fn permission(tools: &[String]) -> Value {
    let mut rules = serde_json::Map::from_iter([("*".to_owned(), json!("deny"))]);
    for tool in tools {
        let rule = match tool.as_str() {
            "read" => json!({ "*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow" }),
            _ => json!("allow"),
        };
        rules.insert(tool.clone(), rule);
    }
    for never in ["external_directory", "doom_loop", "question"] {
        rules.insert(never.to_owned(), json!("deny"));
    }
    Value::Object(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isolation::validate_tool;

    #[test]
    fn nothing_that_could_hang_or_leak_is_left_open() {
        let registration = registration(None, &Isolation::default());
        for (name, agent) in &registration.agents {
            let rules = agent["permission"].as_object().unwrap();
            assert_eq!(rules.keys().next().map(String::as_str), Some("*"), "{name}: the last match wins");
            assert_eq!(rules["*"], "deny", "{name}");
            assert!(!agent["permission"].to_string().contains("\"ask\""), "{name}");
            assert_eq!(agent["mode"], "subagent", "{name}");
        }
        assert_eq!(registration.agents["design-lab-topic"]["permission"].get("read"), None);
    }

    #[test]
    fn a_description_says_all_where_a_list_cuts_it_off() {
        for (name, command) in registration(None, &Isolation::default()).commands {
            let description = command["description"].as_str().unwrap();
            assert!(description.chars().count() <= 51, "{name}: {description}");
        }
    }

    #[test]
    fn the_agent_of_a_model_is_asked_as_a_run_asks_it() {
        let text = r#"{
            "design_models": [
                { "model_id": "a/one", "brief": "Think of cost first." },
                { "model_id": "b/two", "prompt_template": "Be short.", "brief": "  Think of time.  " },
                "c/three"
            ],
            "review_models": ["a/one"]
        }"#;
        let source = crate::config::Source {
            origin: crate::config::Layer::Project,
            file: "design-lab.json".to_owned(),
            text: text.to_owned(),
        };
        let config =
            crate::config::load(&[source], &[], &crate::config::AvailableModels::default()).unwrap().config;
        let agents = registration(Some(&config), &config.isolation).agents;
        let prompt = |name: &str| agents[name]["prompt"].as_str().unwrap().to_owned();
        let usual = prompts::DESIGNER.trim_end();
        assert_eq!(prompt("design-lab-design-one"), format!("{usual}\n\nThink of cost first."));
        assert_eq!(prompt("design-lab-design-two"), "Be short.\n\nThink of time.");
        assert_eq!(prompt("design-lab-design-three"), usual);
        assert_eq!(prompt("design-lab-review-one"), prompts::REVIEWER.trim_end());
    }

    #[test]
    fn allowed_tools_are_allowed_whoever_chooses_the_models() {
        let source = |text: &str| crate::config::Source {
            origin: crate::config::Layer::Project,
            file: "design-lab.json".to_owned(),
            text: text.to_owned(),
        };
        let tools = r#""isolation": { "allowed_tools": ["read", "webfetch"] }"#;
        let sources = [source(&format!("{{ {tools} }}"))];
        let isolation = crate::config::isolation(&sources).unwrap();
        let registration = registration(None, &isolation);
        for name in ["design-lab-designer", "design-lab-reviewer"] {
            let permission = &registration.agents[name]["permission"];
            assert_eq!((&permission["webfetch"], permission.get("grep")), (&json!("allow"), None), "{name}");
        }
        assert_eq!(registration.agents["design-lab-topic"]["permission"].get("webfetch"), None);
        for broken in [r#"{ "isolation": { "allowed_tools": ["bash"] } }"#, "{", r#"{ "concurrency": 0 }"#] {
            assert_eq!(crate::config::isolation(&[source(broken)]), None, "{broken}");
        }
    }

    #[test]
    fn a_tool_carries_out_a_command_and_asks_before_it_costs() {
        let registration = registration(None, &Isolation::default());
        for (name, tool) in &registration.tools {
            assert!(registration.commands.contains_key(tool.command), "{name}");
            assert_eq!(registration.permission.contains_key(name), tool.paid, "{name}");
            assert!(validate_tool(name).is_err(), "{name}: never for designers and reviewers");
        }
        for name in registration.permission.keys() {
            assert!(registration.tools.contains_key(name), "{name}");
        }
    }
}
