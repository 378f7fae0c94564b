//! What happened in a session, for the chat.

use super::session::Session;
use super::status;
use crate::shared::wrapped::fitted;
use kernel::visible;
use std::fmt::Write as _;

/// The session's history, one line for each entry, the oldest first, and the head of its journal.
pub(super) fn text(session: &Session, head: &str) -> String {
    let goal = visible::line(session.opening.goal.lines().next().unwrap_or_default());
    let mut out = format!("Flow · {} · {goal}\n\n", status::status(session).word());
    if let Some(name) = &session.directory.name {
        let _ = writeln!(out, "  {name}\n");
    }
    for entry in &session.history {
        let _ = writeln!(out, "  {}  {}", entry.at, entry.text);
    }
    let _ = writeln!(out, "\nJournal head  {head}");
    fitted(&visible::text(&out))
}
