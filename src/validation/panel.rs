//! The panel next to the chat while a run is working: its stages, and the activity in the current one.

use super::session::{Phase, Session};
use super::stage::{Stage, StageState};
use super::status::{detail, running};
use crate::shared::figures::{money, thousands};
use crate::shared::panel::{Look, Panel, Row};
use kernel::clock::span;
use kernel::progress::{self, Incoming};
use kernel::workflow::Workflow as _;

const NAME: &str = "Validation";

/// The panel of a run at a given time of its clock; `None` while it rests.
pub(super) fn panel(session: &Session, now: u64, calls: &[Incoming]) -> Option<Panel> {
    let stage = match session.phase {
        Phase::Resting(_) => return None,
        Phase::Begun | Phase::Claiming => Stage::Verify.within(session.scope()),
        Phase::At(stage) => stage,
    };
    let elapsed = span(now.saturating_sub(session.calls.clock.from));
    let (cost, tokens) = session.calls.spent();
    let mut rows = vec![Row::new(Look::Title, "", NAME, elapsed.as_str())];
    if let Some(directory) = &session.directory.name {
        rows.push(Row::new(Look::Remark, "", directory.as_str(), ""));
    }
    rows.push(Row::new(Look::Plain, "", running(session, stage), how(session, now, calls)));
    let spent = format!("{} · {} tokens", money(cost), thousands(tokens.total()));
    rows.push(Row::new(Look::Plain, "", "Cost", spent));
    rows.push(Row::new(Look::Heading, "", "Stages", ""));
    rows.extend(session.its_stages().into_iter().map(|stage| {
        let far = session.state_of(stage);
        let look = match far {
            StageState::Pending => Look::Waiting,
            StageState::Running => Look::Working,
            StageState::Done => Look::Done,
            StageState::Failed | StageState::Stopped => Look::Failed,
        };
        let figures = if far == StageState::Done { detail(session, stage) } else { String::new() };
        Row::new(look, far.mark(), stage.words(), figures)
    }));
    let summary = format!("{NAME} · {} · {elapsed}", stage.words());
    Some(Panel { name: NAME.to_owned(), cancel: "validate-cancel".to_owned(), summary, rows })
}

/// The progress of the model that is being asked; empty if none is.
fn how(session: &Session, now: u64, calls: &[Incoming]) -> String {
    let job = session.asked();
    job.map_or_else(String::new, |job| progress::doing(job, now, calls, Incoming::short))
}

/// The model that is being asked at this moment, for the live message; empty if none is.
pub(super) fn now(session: &Session, now: u64, calls: &[Incoming]) -> String {
    let asked = session.asked().filter(|_| matches!(session.phase, Phase::At(_)));
    asked.map_or_else(String::new, |job| {
        let how = progress::doing(job, now, calls, Incoming::wording);
        format!("\nNow     {}: {how}\n", session.call_settings(job).model)
    })
}
