//! What Flow registers when a host starts: its commands, agents and tools, as data for OpenCode 1.x.

use super::registration::{
    Permission, Registration, RegistrationCode, Tool, ToolCall, host_agent, reading_agent, slash_commands,
};
use super::tools::{FLOW_TOOLS, TOOL};
use crate::flow::command::{PlanCommand, plan_command};
use design_lab_numerics::sorting::map;
use kernel::problem::Problem;
use serde_json::json;
use std::collections::BTreeMap;

/// Slash commands, each with its description. OpenCode's list in the terminal shows the first 51 characters of a description.
const COMMANDS: [(&str, &str); 13] = [
    ("flow-auto", "Build <goal>, or from <run>, without asking"),
    ("flow-cancel", "Stop what Flow is doing; keep the results"),
    ("flow-feedback", "Feedback that sticks; list; confirm; remove"),
    ("flow-history", "Show the history of a session"),
    ("flow-plan", "Plan <goal>; from; fix; revise; select; approve"),
    ("flow-pr", "Show the pull request of the session; --create"),
    ("flow-race", "Build <goal> or designs in several lanes; take one"),
    ("flow-reset", "Reset feature <id>, or archive the session"),
    ("flow-resume", "Continue the stopped command"),
    ("flow-run", "Build the next feature of the approved plan"),
    ("flow-session", "List the sessions, or make <id> the active one"),
    ("flow-status", "Show the plan, its features and what comes next"),
    ("flow-take", "Show what the lane changes here, or take <hash>"),
];

/// Tools that mirror commands, each with the command and its description for models. No request lists them unless a rule of the
/// user names them.
const TOOLS: [(&str, &str, &str); 7] = [
    (
        "flow_auto",
        "flow-auto",
        "Plans a goal and builds all of it without asking the user. text: the goal, `from <run>`, or empty \
         to continue. Costs money and changes files.",
    ),
    (
        "flow_history",
        "flow-history",
        "Shows the history of a Flow session. text: its name, or empty for the active one.",
    ),
    (
        "flow_plan",
        "flow-plan",
        "Drafts a plan of features; a person approves it. text: the goal, `from <run>[/<design>]`, `fix <validation>`, `revise <remarks>` or `select <ids>`. \
         Costs money.",
    ),
    (
        "flow_pr",
        "flow-pr",
        "Shows the pull request of a completed session. text: empty, or `--create` to create it with the user's client.",
    ),
    (
        "flow_reset",
        "flow-reset",
        "Resets a feature, or archives the session. Changes no file of the project. text: `feature <id>` or \
         `session`.",
    ),
    (
        "flow_run",
        "flow-run",
        "Builds one feature of the approved plan. text: its id, or empty for the next. Costs money and \
         changes files.",
    ),
    ("flow_status", "flow-status", "Shows the plan, its features, and what comes next. text: empty."),
];

fn tools() -> BTreeMap<String, Tool> {
    let arguments = || map([("text".to_owned(), json!({ "type": "string" }))]);
    map(TOOLS.map(|(name, _, description)| (name.to_owned(), Tool { description, arguments: arguments() })))
}

/// What a call of one of these tools results in; `None` for any other tool. No model can approve a plan.
pub(super) fn tool_call(tool: &str, text: &str) -> Option<Result<ToolCall, Problem>> {
    let (name, command, _) = TOOLS.iter().find(|(name, ..)| *name == tool)?;
    let plan = (tool == "flow_plan").then(|| plan_command(text));
    let asks = match plan {
        Some(Ok(PlanCommand::Approve { .. })) => {
            return Some(Err(Problem::new(
                RegistrationCode::ApprovalByTool,
                "Only a person can approve a plan.",
            )
            .found("flow_plan with `approve`")
            .next("Ask the user to read the plan and to type the command below it.")));
        }
        // The command reports what it doesn't understand.
        Some(Ok(PlanCommand::Select { .. }) | Err(_)) => false,
        Some(Ok(_)) => true,
        None if tool == "flow_pr" => !text.trim().is_empty(),
        None => !matches!(tool, "flow_history" | "flow_status"),
    };
    let ask = asks.then(|| Permission {
        permission: tool.to_owned(),
        pattern: format!("{name} {text}").trim_end().to_owned(),
        always: "*".to_owned(),
    });
    Some(Ok(ToolCall { command: (*command).to_owned(), text: text.to_owned(), ask }))
}

/// Commands and agents to register, and the rules that keep the agents out of the requests of the user's own sessions.
pub(super) fn flow() -> Registration {
    // The user's own rules decide the rest. A question that nobody answers would hang the session.
    let working = json!({
        "edit": { ".flow/*": "deny", "*/.flow/*": "deny" },
        "task": "deny",
        "question": "deny",
        TOOL: "deny",
        FLOW_TOOLS: "deny",
    });
    Registration {
        commands: slash_commands(&COMMANDS),
        agents: map([
            ("flow-examiner".to_owned(), reading_agent("Writes tests of a change for Flow")),
            ("flow-planner".to_owned(), reading_agent("Plans a change for Flow")),
            ("flow-reviewer".to_owned(), reading_agent("Reviews a change for Flow")),
            ("flow-worker".to_owned(), host_agent("Builds a feature of a Flow plan", &working)),
        ]),
        tools: tools(),
        // Everything that `task` lists, and every tool that isn't denied, is part of every request of the user's sessions.
        permission: map([
            ("task".to_owned(), json!({ "flow-*": "deny" })),
            (FLOW_TOOLS.to_owned(), json!("deny")),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_plans_or_reviews_can_only_read_and_nobody_can_hang() {
        let Registration { agents, commands, tools, permission } = flow();
        for name in ["flow-examiner", "flow-planner", "flow-reviewer"] {
            let rules = agents[name]["permission"].as_object().unwrap();
            assert_eq!(rules.keys().next().map(String::as_str), Some("*"), "{name}: the last match wins");
            let allowed: Vec<&str> =
                rules.iter().filter(|(_, rule)| **rule != "deny").map(|(tool, _)| tool.as_str()).collect();
            assert_eq!(allowed, ["glob", "grep", "read"], "{name}");
        }
        assert_eq!(agents["flow-worker"]["permission"]["edit"][".flow/*"], "deny");
        for (name, agent) in &agents {
            assert_eq!(agent["permission"]["question"], "deny", "{name}");
            assert_eq!((&agent["mode"], &agent["hidden"]), (&json!("subagent"), &json!(true)), "{name}");
        }
        for (name, command) in &commands {
            assert!(command["description"].as_str().unwrap().chars().count() <= 51, "{name}");
        }
        assert_eq!(permission["task"], json!({ "flow-*": "deny" }));
        assert_eq!(permission["flow_*"], "deny", "an ordinary session is as it is without Flow");
        assert_eq!(agents["flow-worker"]["permission"]["flow_*"], "deny");
        for name in tools.keys() {
            assert!(name.starts_with("flow_"), "{name} would not be hidden");
        }
    }

    #[test]
    fn each_tool_mirrors_a_command_and_asks_before_it_costs_or_takes_back() {
        let ask = |tool: &str, text: &str| {
            let call = tool_call(tool, text).unwrap().unwrap();
            assert!(flow().commands.contains_key(&call.command));
            assert_eq!(call.command, tool.replace('_', "-"));
            call.ask.map(|ask| (ask.permission == tool, ask.pattern))
        };
        for (tool, text, asked) in [
            ("flow_plan", "a rate limiter", Some("flow_plan a rate limiter")),
            ("flow_plan", "from", Some("flow_plan from")),
            ("flow_plan", "revise smaller", Some("flow_plan revise smaller")),
            ("flow_plan", "select one", None),
            ("flow_plan", "", None),
            ("flow_run", "", Some("flow_run")),
            ("flow_auto", "a rate limiter", Some("flow_auto a rate limiter")),
            ("flow_reset", "feature one", Some("flow_reset feature one")),
            ("flow_pr", "", None),
            ("flow_pr", "--create", Some("flow_pr --create")),
            ("flow_status", "", None),
            ("flow_history", "", None),
        ] {
            let expected = asked.map(|pattern| (true, pattern.to_owned()));
            assert_eq!(ask(tool, text), expected, "{tool} {text}");
        }
        for text in ["approve 3fa91c02", "approve", "  approve\n3fa91c02"] {
            assert_eq!(tool_call("flow_plan", text).unwrap().unwrap_err().code, "tool.approval");
        }
        assert!(tool_call("flow_cancel", "").is_none());
    }
}
