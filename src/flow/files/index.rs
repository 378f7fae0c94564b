//! `docs/index.md`: the session, for people.

use crate::flow::approval::short;
use crate::flow::session::Session;
use crate::flow::status;
use crate::shared::markdown::{blocks, inline};
use kernel::workflow::Workflow as _;
use std::fmt::Write as _;

pub(super) fn index(session: &Session, head: &str) -> String {
    let goal = &session.opening.goal;
    let mut out = format!("# {}\n\n", inline(goal.lines().next().unwrap_or_default()));
    let (hint, command) = session.way_on();
    let _ = writeln!(out, "{}\n\n- Status: {}", blocks(goal), status::status(session).word());
    match &session.approval {
        Some(approval) => {
            let _ =
                writeln!(out, "- Plan: {}, {} on {}", short(&approval.hash), approval.words(), approval.at);
        }
        None if session.plan.is_some() => {
            let _ = writeln!(out, "- Plan: {}, not approved", short(&session.hash));
        }
        None => {}
    }
    let _ = writeln!(out, "- Next: `{command}`. {}", inline(&hint));
    for note in &session.notes {
        let _ = writeln!(out, "- {}", inline(note));
    }
    if session.outcome().is_some() {
        let _ = writeln!(out, "- Journal head: {head}");
    }
    if let Some(plan) = &session.plan {
        out.push_str("\n## Features\n\n");
        for feature in &plan.features {
            let (title, state) = (inline(&feature.title), status::state_word(session.state_of(&feature.id)));
            let _ = writeln!(out, "- [{}]({}): {title} ({state})", feature.id, super::page_of(&feature.id));
        }
    }
    for (heading, lines) in session.plan.iter().flat_map(|plan| plan.answers(session.opening.basis())) {
        let _ = writeln!(out, "\n## {heading}\n");
        for line in lines {
            let _ = writeln!(out, "- {}", inline(&line));
        }
    }
    out.push_str("\n## History\n\n");
    for entry in &session.history {
        let _ = writeln!(out, "- {} {}", entry.at, inline(&entry.text));
    }
    out
}
