//! What is registered when a host starts: commands, agents and tools, as data for OpenCode 1.x.

use super::flow::{self, flow};
use super::tools::{TOOL, VENDORS};
use super::validation::validation;
use crate::design_lab::config::{Config, Isolation, NewVendors};
use crate::design_lab::prompts;
use crate::design_lab::workflow::{DRY_RUN, HumanReviewRequest, OUTCOME, asks_for_forecast};
use crate::shared::trust::TRUST;
use design_lab_numerics::sorting::map;
use kernel::error_codes;
use kernel::nearest::nearest;
use kernel::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

error_codes! {
    /// Problems with a tool call by which a model gives a command, or with a command's arguments.
    pub enum RegistrationCode {
        /// A model calls a tool to approve a plan.
        ApprovalByTool => "tool.approval",
        /// The doctor is called with an argument that it doesn't know.
        DoctorArgument => "doctor.argument",
        /// The tool has no such action.
        UnknownAction => "tool.unknown-action",
        /// A model uses an option by which only a user declares something.
        UsersAlone => "tool.users-alone",
    }
}

/// Commands, agents and permissions by name, in the form of OpenCode 1.x's settings `command`, `agent` and `permission`; and the
/// tools for models.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Registration {
    /// Slash commands.
    pub commands: BTreeMap<String, Value>,
    /// Agents.
    pub agents: BTreeMap<String, Value>,
    /// The tools for the models of the user's own sessions.
    pub tools: BTreeMap<String, Tool>,
    /// The permissions that apply before a tool is used, unless the user's own settings say otherwise.
    pub permission: BTreeMap<String, Value>,
}

/// Commands as a tool: a model calls it instead of the user. Design Lab has one tool for all commands, because a tool's
/// description is part of every request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tool {
    /// Its description for models.
    pub description: &'static str,
    /// JSON Schema of each argument. OpenCode requires every argument of a tool: an empty text means that it is omitted.
    pub arguments: BTreeMap<String, Value>,
}

/// What a call of the tool results in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ToolCall {
    /// The command to execute.
    pub command: String,
    /// Its arguments.
    pub text: String,
    /// What the user must allow first, because it costs money or writes into the project. `None` when nothing is asked.
    pub ask: Option<Permission>,
}

/// A question to the user, in the words of OpenCode's permissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Permission {
    /// The tool.
    pub permission: String,
    /// The arguments: the action, then the text.
    pub pattern: String,
    /// The pattern that is permitted from now on if the user answers "always".
    pub always: String,
}

/// What a call of a tool results in. `action` and `text` are what the model sent.
pub fn tool_call(tool: &str, action: &str, text: &str) -> Result<ToolCall, Problem> {
    flow::tool_call(tool, text).unwrap_or_else(|| design_lab_call(action, text))
}

/// The question to the user before a model's call sends the project's files to new vendors. It has a separate permission: a user
/// who always allows runs has not decided where the files may go.
pub fn vendors_question(new: &NewVendors) -> Permission {
    let sentence = new.sentence();
    Permission { permission: VENDORS.to_owned(), pattern: sentence.clone(), always: sentence }
}

/// The actions of the tool. Only the user decides where the project's files may go.
fn actions() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| action_of(name)).filter(|action| *action != "vendors")
}

fn design_lab_call(action: &str, text: &str) -> Result<ToolCall, Problem> {
    let known = actions;
    if !known().any(|known| known == action) {
        let problem =
            Problem::new(RegistrationCode::UnknownAction, format!("{TOOL} has no action `{action}`."))
                .allowed(known().collect::<Vec<_>>().join(", "));
        return Err(match nearest(action, known()) {
            Some(near) => problem.next(format!("Did you mean the action {near}?")),
            None => problem,
        });
    }
    if text.split_whitespace().any(|word| word == TRUST) {
        return Err(Problem::new(RegistrationCode::UsersAlone, format!("Only the user may give {TRUST}."))
            .next(
                "Ask the user to type the command: it continues a run that wasn't started on this machine.",
            ));
    }
    if action == "rank" && text.split_whitespace().any(|word| word == OUTCOME) {
        return Err(Problem::new(RegistrationCode::UsersAlone, format!("Only the user may give {OUTCOME}."))
            .next("Ask the user to type the command: it records how a design turned out."));
    }
    let asks = match action {
        "doctor" => asks_for_calls(text) == Ok(true),
        "run" => !asks_for_forecast(text),
        "review" => {
            HumanReviewRequest::parse(text)?.is_none() && !text.split(' ').any(|word| word == DRY_RUN)
        }
        "cancel" | "rank" | "status" => false,
        _ => true,
    };
    let ask = asks.then(|| Permission {
        permission: TOOL.to_owned(),
        pattern: format!("{action} {text}").trim_end().to_owned(),
        always: format!("{action}*"),
    });
    let command = if action == "run" { "design-lab".to_owned() } else { format!("design-lab-{action}") };
    Ok(ToolCall { command, text: text.to_owned(), ask })
}

/// The tool's name for a command.
fn action_of(command: &str) -> &str {
    command.strip_prefix("design-lab-").unwrap_or("run")
}

fn tool() -> Tool {
    let actions: Vec<&str> = actions().collect();
    Tool {
        description: "Design Lab: several models each design a solution, models review the anonymised designs, and code ranks them. Use it \
            only when the user asks for a design lab. Asking models costs money and takes minutes: the user is asked first.",
        arguments: map([
            ("action".to_owned(), json!({ "type": "string", "enum": actions })),
            (
                "text".to_owned(),
                json!({
                    "type": "string",
                    "description": "run: the complete task, because designers don't see this conversation; \
                                    before it --review-later or --with FILE, a design in the project. Other \
                                    actions: a run's name, or empty for the latest, with options as in \
                                    /design-lab-<action>. resume: RUN --again DESIGN [remark] or --drop \
                                    DESIGN. status: RUN --export adr; --history: all runs.",
                }),
            ),
        ]),
    }
}

/// The commands, agents and tools to register. Runs use three agents with fixed names, and send model, temperature and system
/// text with each prompt: so changes of the configuration since OpenCode's start take effect. The agents named after the
/// configured models are for the user to call with `@`.
///
/// `config` names the models; `None` when they are chosen at the start of a run. `isolation` applies in either case.
pub fn registration(config: Option<&Config>, isolation: &Isolation) -> Registration {
    let mut all = flow();
    for other in [validation(), design_lab(config, isolation)] {
        all.commands.extend(other.commands);
        all.agents.extend(other.agents);
        all.tools.extend(other.tools);
        for (tool, rules) in other.permission {
            match (all.permission.entry(tool).or_insert_with(|| json!({})), rules) {
                (Value::Object(there), Value::Object(rules)) => there.extend(rules),
                (there, rule) => *there = rule,
            }
        }
    }
    all
}

fn design_lab(config: Option<&Config>, isolation: &Isolation) -> Registration {
    Registration {
        commands: slash_commands(&COMMANDS),
        agents: agents(config, isolation),
        tools: map([(TOOL.to_owned(), tool())]),
        permission: map([
            (TOOL.to_owned(), json!("ask")),
            (VENDORS.to_owned(), json!("ask")),
            // Everything that `task` lists is part of every request of the user's sessions. Agents that the user calls with `@`
            // work nevertheless.
            ("task".to_owned(), json!({ "design-lab-*": "deny" })),
        ]),
    }
}

/// Design Lab's own agents by name.
pub fn agents(config: Option<&Config>, isolation: &Isolation) -> BTreeMap<String, Value> {
    let tools = &isolation.allowed_tools;
    let mut agents = map([
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
    agents
}

/// Commands with their descriptions, as OpenCode's setting `command`.
pub(super) fn slash_commands(commands: &[(&str, &str)]) -> BTreeMap<String, Value> {
    let setting = |description: &str| json!({ "template": "$ARGUMENTS", "description": description });
    map(commands.iter().map(|(name, description)| ((*name).to_owned(), setting(description))))
}

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of a description.
const COMMANDS: [(&str, &str); 11] = [
    ("design-lab", "Several models design <task>, review blind, rank"),
    ("design-lab-cancel", "Stop the running runs; keep their results"),
    ("design-lab-doctor", "Check setup and models; suggest what to do"),
    ("design-lab-init", "Write a configuration file from connected models"),
    ("design-lab-merge", "Merge a run's designs into one, and review it"),
    ("design-lab-rank", "Rank again, with people's scores; --outcome DESIGN"),
    ("design-lab-refine", "Let designers revise their designs; review again"),
    ("design-lab-resume", "Continue a run; requests only the missing answers"),
    ("design-lab-review", "Review again; --add MODEL; --map; --human NAME"),
    ("design-lab-status", "List runs and winners, or show one run"),
    ("design-lab-vendors", "Choose which vendors may get this project's files"),
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

fn personalise(agent: &mut Value, model: &crate::design_lab::config::ModelEntry) {
    agent["model"] = json!(model.model_id);
    agent["temperature"] = json!(model.temperature);
    if let Some(variant) = &model.variant {
        agent["variant"] = json!(variant);
    }
}

/// The only tools of an agent that reads.
const READING: [&str; 3] = ["glob", "grep", "read"];

/// A hidden agent that only reads.
pub(super) fn reading_agent(description: &str) -> Value {
    host_agent(description, &permission(&READING.map(str::to_owned)))
}

/// A hidden agent of the host's own kind. It has no prompt, because that would replace OpenCode's own: a session's system text is
/// sent with each prompt, and so is its model.
pub(super) fn host_agent(description: &str, permission: &Value) -> Value {
    json!({ "description": description, "mode": "subagent", "hidden": true, "permission": permission })
}

/// Denies everything except these tools, and never asks: a question that nobody answers would hang the run. The last matching
/// rule wins in OpenCode, so the order matters.
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

/// Whether `/design-lab-doctor` is asked to make paid calls.
pub fn asks_for_calls(text: &str) -> Result<bool, Problem> {
    match text.trim() {
        "" => Ok(false),
        "--call" => Ok(true),
        other => Err(Problem::new(
            RegistrationCode::DoctorArgument,
            format!("The doctor has no option `{other}`."),
        )
        .found(other)
        .allowed("nothing, or `--call` to ask each configured model for one line, which costs a little")
        .next("/design-lab-doctor")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::isolation::validate_tool;

    #[test]
    fn nothing_that_could_hang_or_leak_is_left_open() {
        let registration = registration(None, &Isolation::default());
        for (name, agent) in registration.agents.iter().filter(|(name, _)| *name != "flow-worker") {
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
        let source = crate::design_lab::config::Source {
            origin: crate::design_lab::config::Layer::Project,
            file: "design-lab.json".to_owned(),
            text: text.to_owned(),
        };
        let config = crate::design_lab::config::load(
            &[source],
            &[],
            &crate::design_lab::config::AvailableModels::default(),
        )
        .unwrap()
        .config;
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
        let source = |text: &str| crate::design_lab::config::Source {
            origin: crate::design_lab::config::Layer::Project,
            file: "design-lab.json".to_owned(),
            text: text.to_owned(),
        };
        let tools = r#""isolation": { "allowed_tools": ["read", "webfetch"] }"#;
        let sources = [source(&format!("{{ {tools} }}"))];
        let isolation = crate::design_lab::config::isolation(&sources).unwrap();
        let registration = registration(None, &isolation);
        for name in ["design-lab-designer", "design-lab-reviewer"] {
            let permission = &registration.agents[name]["permission"];
            assert_eq!((&permission["webfetch"], permission.get("grep")), (&json!("allow"), None), "{name}");
        }
        assert_eq!(registration.agents["design-lab-topic"]["permission"].get("webfetch"), None);
        for broken in [r#"{ "isolation": { "allowed_tools": ["bash"] } }"#, "{", r#"{ "concurrency": 0 }"#] {
            assert_eq!(crate::design_lab::config::isolation(&[source(broken)]), None, "{broken}");
        }
    }

    #[test]
    fn the_tool_has_every_command_and_asks_before_it_costs_or_writes() {
        let registration = registration(None, &Isolation::default());
        let ask =
            |action: &str, text: &str| tool_call(TOOL, action, text).unwrap().ask.map(|ask| ask.pattern);
        let mut actions = Vec::new();
        let by_tool = |name: &&String| name.starts_with("design-lab") && *name != "design-lab-vendors";
        assert!(tool_call(TOOL, "vendors", "allow a").is_err(), "only the user allows vendors");
        for command in registration.commands.keys().filter(by_tool) {
            let action = action_of(command);
            assert_eq!(tool_call(TOOL, action, "x").unwrap().command, *command);
            actions.push(action);
        }
        assert_eq!(registration.tools[TOOL].arguments["action"]["enum"], json!(actions));
        for (action, text, asked) in [
            ("run", "a cache", Some("run a cache")),
            ("run", "--dry-run a cache", None),
            ("init", "", Some("init")),
            ("resume", "", Some("resume")),
            ("refine", "cache", Some("refine cache")),
            ("merge", "", Some("merge")),
            ("review", "cache", Some("review cache")),
            ("review", "--human Ada", None),
            ("review", "--add a/b cache", Some("review --add a/b cache")),
            ("review", "--add a/b --dry-run cache", None),
            ("doctor", "--call", Some("doctor --call")),
            ("doctor", "", None),
            ("rank", "", None),
            ("status", "", None),
            ("cancel", "", None),
        ] {
            assert_eq!(ask(action, text).as_deref(), asked, "{action} {text}");
        }
        assert_eq!(tool_call(TOOL, "resume", "cache --trust").unwrap_err().code, "tool.users-alone");
        let of_outcome = tool_call(TOOL, "rank", "cache --outcome ash validated");
        assert_eq!(of_outcome.unwrap_err().code, "tool.users-alone");
        let problem = tool_call(TOOL, "statsu", "").unwrap_err();
        assert_eq!(problem.code, "tool.unknown-action");
        assert!(problem.next.is_some_and(|next| next.contains("status")));
        assert!(validate_tool(TOOL).is_err(), "never for designers and reviewers");
    }

    /// A tool's description costs money in every request of the user's sessions.
    #[test]
    fn the_tool_is_reported_in_few_words() {
        let tool = serde_json::to_string(&tool()).unwrap();
        assert!(tool.len() < 760, "{} bytes: {tool}", tool.len());
    }
}
