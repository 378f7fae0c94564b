//! Checks whether the host allows the lab's agents to do what they need, and nothing else. OpenCode's names of permissions are
//! here, because the doctor checks each of them.

use super::code::DoctorCode;
use super::{Finding, fault, hint};
use crate::opencode::HostAgent;
use serde_json::Value;
use std::collections::BTreeMap;

/// Agents that every run needs.
const NEEDED: [&str; 3] = ["design-lab-designer", "design-lab-reviewer", "design-lab-topic"];

/// What no lab agent may do unless the configuration allows it.
const DENIED: [&str; 14] = [
    "bash",
    "design_lab",
    "doom_loop",
    "edit",
    "external_directory",
    "lsp",
    "question",
    "skill",
    "some_mcp_tool",
    "task",
    "todowrite",
    "webfetch",
    "websearch",
    "write",
];

/// A file that any designer may read.
const PLAIN: &str = "src/main.rs";

const REMEDY: &str = "Restart OpenCode if the configuration has changed since OpenCode started. Otherwise \
                      another plugin, loaded after Design Lab, changes this agent.";

/// `expected` are the agents by name; `tools` are the tools that designers and reviewers should have, or `None` when the
/// configuration doesn't show that.
pub(super) fn judge(
    expected: &BTreeMap<String, Value>,
    agents: &[HostAgent],
    tools: Option<&[String]>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let missing = |name: &&String| !agents.iter().any(|agent| agent.name == **name);
    let (needed, unneeded): (Vec<&String>, Vec<&String>) =
        expected.keys().filter(missing).partition(|name| NEEDED.contains(&name.as_str()));
    for name in needed {
        findings.push(fault(DoctorCode::AgentMissing, format!("OpenCode has no agent `{name}`."), REMEDY));
    }
    if !unneeded.is_empty() {
        let names: Vec<String> = unneeded.iter().map(|name| format!("`{name}`")).collect();
        findings.push(hint(
            DoctorCode::AgentsNew,
            format!("OpenCode has not registered these agents yet: {}.", names.join(", ")),
            "Restart OpenCode if you want to call them with @. Runs work without this.",
        ));
    }
    let ours = agents.iter().filter(|agent| expected.contains_key(&agent.name));
    let mut right = 0;
    for agent in ours {
        let reads = if agent.name == "design-lab-topic" { Some(&[][..]) } else { tools };
        let wrong = reads.map_or_else(Vec::new, |tools| agent.wrong(tools));
        right += usize::from(wrong.is_empty());
        findings.extend(wrong);
    }
    if right > 0 {
        findings.insert(
            0,
            Finding::Good(match right {
                1 => "1 agent has exactly the tools that it needs.".to_owned(),
                _ => format!("{right} agents have exactly the tools that they need."),
            }),
        );
    }
    findings
}

impl HostAgent {
    /// Returns what is wrong with its rules.
    fn wrong(&self, tools: &[String]) -> Vec<Finding> {
        let name = &self.name;
        let list =
            |tools: &[&str]| tools.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", ");
        let blocked: Vec<&str> =
            tools.iter().map(String::as_str).filter(|tool| self.action(tool, PLAIN) != "allow").collect();
        let denied = || DENIED.iter().filter(|tool| !tools.iter().any(|allowed| allowed == *tool)).copied();
        let open: Vec<&str> = denied().filter(|tool| self.action(tool, PLAIN) == "allow").collect();
        let asked: Vec<&str> = denied().filter(|tool| self.action(tool, PLAIN) == "ask").collect();
        let mut findings = Vec::new();
        if !blocked.is_empty() {
            let message = format!("The agent `{name}` may not use {}, but needs it.", list(&blocked));
            findings.push(fault(DoctorCode::ToolBlocked, message, REMEDY));
        }
        if !open.is_empty() {
            let message = format!(
                "The agent `{name}` may use {}, so it could read or change other designs.",
                list(&open)
            );
            findings.push(fault(DoctorCode::ToolOpen, message, REMEDY));
        }
        if !asked.is_empty() {
            let message =
                format!("The agent `{name}` would ask you about {}, and the run would wait.", list(&asked));
            findings.push(fault(DoctorCode::ToolAsked, message, REMEDY));
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencode::HostRule;
    use crate::opencode::registration;

    /// Permission, pattern, action.
    type Rule<'a> = (&'a str, &'a str, &'a str);

    /// The agent as OpenCode resolves it: its defaults, and then what was registered.
    fn resolved(name: &str, then: &[Rule<'_>]) -> HostAgent {
        let rule = |permission: &str, pattern: &str, action: &str| HostRule {
            permission: permission.to_owned(),
            pattern: pattern.to_owned(),
            action: action.to_owned(),
        };
        let mut rules =
            vec![rule("*", "*", "allow"), rule("doom_loop", "*", "ask"), rule("read", "*.env", "ask")];
        for (permission, value) in
            registration::agents(None, &crate::design_lab::config::Isolation::default())[name]["permission"]
                .as_object()
                .unwrap()
        {
            match value {
                Value::String(action) => rules.push(rule(permission, "*", action)),
                patterns => rules.extend(
                    patterns
                        .as_object()
                        .unwrap()
                        .iter()
                        .map(|(pattern, action)| rule(permission, pattern, action.as_str().unwrap())),
                ),
            }
        }
        rules.extend(then.iter().map(|(permission, pattern, action)| rule(permission, pattern, action)));
        HostAgent { name: name.to_owned(), rules }
    }

    fn codes(agents: &[HostAgent]) -> String {
        let tools = ["read", "glob", "grep"].map(str::to_owned);
        let findings = judge(
            &registration::agents(None, &crate::design_lab::config::Isolation::default()),
            agents,
            Some(&tools),
        );
        let codes = findings.into_iter().filter_map(|finding| match finding {
            Finding::Good(_) => None,
            Finding::Hint(problem) | Finding::Fault(problem) => Some(problem.code.to_string()),
        });
        codes.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_registered_is_right_and_what_changes_it_is_seen() {
        let with = |then: &[Rule<'_>]| {
            let [designer, reviewer, topic] = NEEDED;
            codes(&[resolved(designer, then), resolved(reviewer, &[]), resolved(topic, &[])])
        };
        let cases: [(&[Rule<'_>], &str); 7] = [
            (&[], ""),
            (&[("bash", "*", "allow")], "doctor.tool-open"),
            (&[("*", "*", "allow")], "doctor.tool-open"),
            (&[("some_*", "*", "ask")], "doctor.tool-asked"),
            (&[("read", "src/*", "deny")], "doctor.tool-blocked"),
            (&[("g???", "*", "ask")], "doctor.tool-blocked"),
            (&[("bash", "git *", "allow")], ""),
        ];
        for (then, expected) in cases {
            assert_eq!(with(then), expected, "{then:?}");
        }
        assert_eq!(codes(&[]), "doctor.agent-missing doctor.agent-missing doctor.agent-missing");
    }
}
