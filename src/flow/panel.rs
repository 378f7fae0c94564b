//! The panel next to the chat while a command of Flow is at work: its features, and the current activity for the one that is being
//! built.

use super::of_feature::Costs;
use super::protocol::Effect;
use super::race::Race;
use super::review_parts::Parts;
use super::session::{FeatureState, Phase, Session};
use super::status::state_word;
use crate::shared::figures::{money, thousands};
use crate::shared::panel::{Look, Panel, Row, aligned};
use kernel::clock::span;
use kernel::progress::{self, Incoming};
use kernel::workflow::Workflow as _;

const NAME: &str = "Flow";

/// The panel of a session at a moment of its clock; `None` while it rests.
pub(super) fn panel(session: &Session, now: u64, calls: &[Incoming]) -> Option<Panel> {
    if matches!(session.phase, Phase::Resting(_)) {
        return None;
    }
    let elapsed = span(now.saturating_sub(session.calls.clock.from));
    let (stage, done) = stage(session);
    let (cost, tokens) = session.spent();
    let mut rows = vec![Row::new(Look::Title, "", NAME, elapsed.as_str())];
    if let Some(directory) = &session.directory.name {
        rows.push(Row::new(Look::Remark, "", directory.as_str(), ""));
    }
    rows.push(Row::new(Look::Plain, "", stage.as_str(), done.as_str()));
    if let Some((what, how)) = doing(session, now, calls, Incoming::short) {
        rows.push(Row::new(Look::Plain, "", what, how));
    }
    let spent = format!("{} · {} tokens", money(cost), thousands(tokens));
    rows.push(Row::new(Look::Plain, "", "Cost", spent));
    features(session, &mut rows);
    let parts = [format!("{NAME} {stage}"), done, elapsed];
    let summary = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    Some(Panel { name: NAME.to_owned(), cancel: "flow-cancel".to_owned(), summary, rows })
}

/// The current stage, and how much of the whole is done.
fn stage(session: &Session) -> (String, String) {
    if let Some(race) = &session.race {
        let (doing, done) = race.stage();
        return (doing.to_owned(), done);
    }
    let Some(build) = &session.build else { return ("planning".to_owned(), String::new()) };
    let all = session.plan.as_ref().map_or(0, |plan| plan.features.len());
    let done = format!("{} of {all} done", session.completed().count());
    let round = if build.round > 1 { format!("round {}, ", build.round) } else { String::new() };
    (format!("building {}", build.feature), round + &done)
}

/// The check that is running, or the model that is asked, with its progress.
pub(super) fn doing(
    session: &Session,
    now: u64,
    calls: &[Incoming],
    tell: fn(&Incoming, &str) -> String,
) -> Option<(String, String)> {
    match session.effects.under_way().last() {
        Some(Effect::RunCheck { check, .. }) => {
            return Some((format!("check {check}"), "running".to_owned()));
        }
        Some(Effect::RunApart { runs, .. }) => {
            let what = match &runs[..] {
                [run] => format!("check {}", run.check),
                runs => format!("{} checks", runs.len()),
            };
            return Some((what, "in a copy".to_owned()));
        }
        Some(Effect::Mutate { .. }) => return Some(("small faults".to_owned(), "in a copy".to_owned())),
        Some(Effect::Examine { .. }) => return Some(("exam".to_owned(), "in a copy".to_owned())),
        Some(Effect::BuildLane { .. }) => {
            let races = session.race.as_ref().map(Race::stage);
            return races.map(|(doing, done)| (doing.to_owned(), done));
        }
        Some(Effect::MakeLane { .. }) => return Some(("lane".to_owned(), "being made".to_owned())),
        Some(Effect::WeighTake { .. }) => return Some(("lane".to_owned(), "being compared".to_owned())),
        Some(Effect::Take { .. }) => return Some(("your files".to_owned(), "being written".to_owned())),
        Some(Effect::TakeTree { .. }) => return Some(("files".to_owned(), "being read".to_owned())),
        None => {}
    }
    let job = session.calls.jobs.iter().find(|job| session.is_ready(job) && !job.state.is_settled())?;
    let judges = job.part.parts.as_ref().and_then(Parts::progress);
    let what = judges.map_or_else(|| job.part.model.clone(), |what| format!("{}, {what}", job.part.model));
    Some((what, progress::doing(job, now, calls, tell)))
}

/// A row for each feature: step or state, cost. The figures are short, so that the names fit.
fn features(session: &Session, rows: &mut Vec<Row>) {
    let Some(plan) = &session.plan else { return };
    let costs = Costs::new(session);
    let mut table = vec![["state", "cost"].map(str::to_owned)];
    table.extend(plan.features.iter().map(|feature| {
        let build = session.build.as_ref().filter(|build| build.feature == feature.id);
        let word = build.map_or_else(|| state_word(session.state_of(&feature.id)), |build| build.step.word());
        let cost = costs.of(feature);
        [word.to_owned(), if cost > 0.0 { money(cost) } else { String::new() }]
    }));
    let mut lines = aligned(&table).into_iter();
    rows.push(Row::new(Look::Heading, "", "Features", lines.next().unwrap_or_default()));
    for (feature, figures) in plan.features.iter().zip(lines) {
        let (look, mark) = match session.state_of(&feature.id) {
            FeatureState::Pending => (Look::Waiting, "·"),
            FeatureState::Running => (Look::Working, "●"),
            FeatureState::Blocked => (Look::Failed, "✗"),
            FeatureState::Completed if feature.is_checked() => (Look::Done, "✓"),
            FeatureState::Completed => (Look::Done, "?"),
        };
        rows.push(Row::new(look, mark, feature.id.as_str(), figures));
    }
}
