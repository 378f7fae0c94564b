//! The current activity of a session, only for the live message: none of it is kept.

use super::panel::doing;
use super::session::Session;
use kernel::clock::span;
use kernel::progress::{Activity, Incoming};
use kernel::visible;
use std::fmt::Write as _;

/// How many files are named.
const FILES: usize = 4;

/// Who is at work and for how long, at a moment of the session's clock, and what is seen of the work.
pub(super) fn lines(session: &Session, now: u64, activity: Option<&Activity>, out: &mut String) {
    let calls = activity.map_or(&[][..], |activity| &activity.calls);
    let Some((who, how)) = doing(session, now, calls, Incoming::wording) else { return };
    let elapsed = span(now.saturating_sub(session.calls.clock.from));
    let _ = writeln!(out, "\nNow   {who}: {how} ({elapsed} in all)");
    let Some(Activity { tool, files, asks, .. }) = activity else { return };
    if let Some(asks) = asks {
        let _ = writeln!(out, "      Waiting for your permission: {}", visible::line(asks));
    }
    if let Some(tool) = tool {
        let _ = writeln!(out, "      Last tool: {}", visible::line(tool));
    }
    if !files.is_empty() {
        let named: Vec<&str> = files.iter().rev().take(FILES).map(String::as_str).collect();
        let more =
            if files.len() > FILES { format!(" and {} more", files.len() - FILES) } else { String::new() };
        let _ = writeln!(out, "      Files touched: {}{more}", visible::line(&named.join(", ")));
    }
}
