//! The system text that OpenCode sends, and what a session of Design Lab gets of it.

use crate::design_lab::prompts::Role;
use kernel::redaction::Known;
use std::borrow::Cow;

/// The whole system text of a lab session, from the role's own text and what the host would send.
///
/// OpenCode 1.18 tells every model its own name, the working directory and the date, then adds the project's
/// instructions (`AGENTS.md`). Who only judges or names gets the role's text alone: nothing then hints at an author.
/// Designers keep the project's instructions, which their design should respect, and lose the rest; the files that these
/// are from are named without the user's home.
pub fn system_text(role: Role, own: &str, host: &str, known: &Known) -> String {
    let instructions = match role {
        Role::Reviewer | Role::Topic => "",
        Role::Designer => host.find(INSTRUCTIONS_FROM).map_or("", |start| host[start..].trim()),
    };
    let instructions = instructions.strip_suffix(own.trim()).unwrap_or(instructions).trim();
    if instructions.is_empty() {
        return own.to_owned();
    }
    let lines: Vec<Cow<'_, str>> = instructions.lines().map(|line| without_home(line, known)).collect();
    format!("{own}\n\nThe project's own instructions:\n\n{}", lines.join("\n"))
}

/// A line of instructions; one that says where they are from names a file in the user's home.
fn without_home<'a>(line: &'a str, known: &Known) -> Cow<'a, str> {
    match line.strip_prefix(INSTRUCTIONS_FROM) {
        Some(place) => format!("{INSTRUCTIONS_FROM}{}", known.redact(place)).into(),
        None => line.into(),
    }
}

/// How OpenCode 1.18 heads each file of instructions.
const INSTRUCTIONS_FROM: &str = "Instructions from:";

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
}
