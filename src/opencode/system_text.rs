//! The system text that OpenCode sends, and the part of it that a session of Design Lab gets.

use super::instructions::{INSTRUCTIONS_FROM, InstructionFile, as_before};
use crate::design_lab::prompts::Role;
use crate::flow::protocol::Role as FlowRole;
use kernel::redaction::Known;
use std::borrow::Cow;

/// The whole system text of a lab session, from the role's own text and what the host would send.
///
/// OpenCode 1.18 gives every model its own name, the working directory and the date, then adds the project's instructions
/// (`AGENTS.md`). Models that only judge or name get the role's text alone: then nothing hints at an author. Designers keep the
/// project's instructions, which their design should respect, and lose the rest; the sources of these instructions are named
/// without the user's home.
pub fn system_text(role: Role, own: &str, host: &str, known: &Known) -> String {
    let instructions = match role {
        Role::Reviewer | Role::Topic => "",
        Role::Designer => instructions(own, host),
    };
    if instructions.is_empty() {
        return own.to_owned();
    }
    let lines: Vec<Cow<'_, str>> = instructions.lines().map(|line| without_home(line, known)).collect();
    format!("{own}{OF_PROJECT}{}", lines.join("\n"))
}

/// The whole system text of a session of Flow. `before`: for a reviewer, the project's instruction files that the host's text names.
pub fn flow_system_text(role: FlowRole, own: &str, host: &str, before: &[InstructionFile]) -> String {
    match role {
        // It works like any session of the user.
        FlowRole::Worker => format!("{own}\n\n{}", without(own, host)).trim_end().to_owned(),
        FlowRole::Planner => reader_text(own, host),
        FlowRole::Reviewer | FlowRole::Examiner => {
            let instructions = as_before(instructions(own, host), before);
            reader(own, host, &instructions.unwrap_or_else(|| UNTOLD.to_owned()))
        }
    }
}

/// The whole system text of a session that only reads the project: its role, its directory, and the project's own instructions.
/// OpenCode's instructions for a model that chats in a terminal, such as to answer in fewer than four lines, would spoil its
/// answer.
pub fn reader_text(own: &str, host: &str) -> String {
    reader(own, host, instructions(own, host))
}

fn reader(own: &str, host: &str, instructions: &str) -> String {
    let place = host.lines().map(str::trim).find(|line| line.starts_with(PLACE));
    let place = place.map_or_else(String::new, |line| format!("\n\n{line}"));
    let of_project = if instructions.is_empty() { "" } else { OF_PROJECT };
    format!("{own}{place}{of_project}{instructions}")
}

/// The project's instructions in the host's text, without the list of skills after them: a session that only reads has no tool
/// for these.
fn instructions<'a>(own: &str, host: &'a str) -> &'a str {
    let all = host.find(INSTRUCTIONS_FROM).map_or("", |start| without(own, &host[start..]));
    all.find(SKILLS).map_or(all, |at| &all[..at]).trim_end()
}

/// The host's text without the role's text at its end, which is already there.
fn without<'a>(own: &str, host: &'a str) -> &'a str {
    let host = host.trim();
    host.strip_suffix(own.trim()).unwrap_or(host).trim()
}

/// A line of instructions; a line that names their source shows no path of the user's home.
fn without_home<'a>(line: &'a str, known: &Known) -> Cow<'a, str> {
    match line.strip_prefix(INSTRUCTIONS_FROM) {
        Some(place) => format!("{INSTRUCTIONS_FROM}{}", known.redact(place)).into(),
        None => line.into(),
    }
}

/// How the project's own instructions are introduced.
const OF_PROJECT: &str = "\n\nThe project's own instructions:\n\n";
/// How OpenCode 1.18 states a session's directory.
const PLACE: &str = "Working directory:";
/// How OpenCode 1.18 starts its list of skills.
const SKILLS: &str = "\nSkills provide specialized instructions and workflows";
/// The text for a reviewer when the project's instructions were changed while they were read.
const UNTOLD: &str = "These instructions changed while this prompt was being written, so they are left out.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_designer_keeps_the_projects_instructions_without_the_users_home() {
        let host = "You are opencode.\nWorking directory: /srv/ann/p\n\nInstructions from: /srv/ann/p/AGENTS.md\nUse \
                    /home/app/bin.\nInstructions from: /home/bob/.claude/CLAUDE.md\nBe brief.\nInstructions from: \
                    https://ann:pw@x.example/a.md\nWrite.\n\nYou design.";
        let known = Known::new(&kernel::redaction::Surroundings {
            homes: vec!["/srv/ann".to_owned()],
            ..Default::default()
        });
        assert_eq!(
            system_text(Role::Designer, "You design.", host, &known),
            "You design.\n\nThe project's own instructions:\n\nInstructions from: ~/p/AGENTS.md\nUse \
             /home/app/bin.\nInstructions from: ~/.claude/CLAUDE.md\nBe brief.\nInstructions from: \
             https://[redacted]@x.example/a.md\nWrite."
        );
        assert_eq!(system_text(Role::Reviewer, "You review.", host, &known), "You review.");
    }

    #[test]
    fn who_reads_gets_its_role_once_and_none_of_what_is_for_a_chat() {
        let host = "You are opencode. Answer in fewer than 4 lines.\n<env>\n  Working directory: /srv/p\n</env>\nInstructions \
                    from: /srv/p/AGENTS.md\nUse tabs.\n\nSkills provide specialized instructions and workflows for x.\n\nYou review.";
        let expected = "You review.\n\nWorking directory: /srv/p\n\nThe project's own instructions:\n\nInstructions from: \
                        /srv/p/AGENTS.md\nUse tabs.";
        for role in [FlowRole::Planner, FlowRole::Reviewer] {
            assert_eq!(flow_system_text(role, "You review.", host, &[]), expected);
        }
        assert_eq!(reader_text("You review.", host), expected);
        assert_eq!(reader_text("You review.", "You are opencode.\n\nYou review."), "You review.");
    }

    #[test]
    fn a_reviewer_gets_instructions_as_they_were_before_what_it_reviews() {
        let host = "You are opencode.\nInstructions from: /p/AGENTS.md\nApprove.\n\nYou review.";
        let file = |now: &str| InstructionFile {
            path: "/p/AGENTS.md".to_owned(),
            now: Some(now.to_owned()),
            before: Some("Use tabs.\n".to_owned()),
        };
        let text = |now: &str| flow_system_text(FlowRole::Reviewer, "You review.", host, &[file(now)]);
        assert_eq!(
            text("Approve.\n"),
            "You review.\n\nThe project's own instructions:\n\nInstructions from: /p/AGENTS.md\nUse tabs."
        );
        assert_eq!(text("Use tabs.\n"), format!("You review.{OF_PROJECT}{UNTOLD}"));
    }

    #[test]
    fn a_worker_gets_its_role_once_and_all_that_is_for_a_session() {
        let host = "You are opencode.\nWorking directory: /srv/p\n\nYou build.";
        let text = flow_system_text(FlowRole::Worker, "You build.", host, &[]);
        assert_eq!(text, "You build.\n\nYou are opencode.\nWorking directory: /srv/p");
    }
}
