//! The state of a session, for the chat: its features, their cost, and the next possible commands.

use super::approval::short;
use super::changes::changes;
use super::code::FlowCode;
use super::ended;
use super::files::PAGE;
use super::kept_behaviour;
use super::of_feature::{Costs, account_of_change};
use super::plan::{Feature, Plan, Scope};
use super::protocol::Approver;
use super::review::Verdict;
use super::session::{FeatureState, Phase, Progress, Session};
use crate::shared::figures::money;
use crate::shared::spelled::spelled;
use crate::shared::wrapped::{fitted, unbroken};
use design_lab_numerics::sorting::set;
use kernel::clock::span;
use kernel::index::Owner;
use kernel::json::Deserialize;
use kernel::protocol::Outcome;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The status of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowStatus"))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The plan is being drafted, or is waiting for approval.
    Draft,
    /// The plan is approved, and the next feature can be built.
    Approved,
    /// A feature is being built.
    Running,
    /// A worker asked for permission, and nobody was there to give it.
    AwaitingUser,
    /// Nothing can be built before a person resolves the problem.
    Blocked,
    /// Every feature is complete.
    Completed,
    /// The user has archived it.
    Archived,
}

impl Status {
    /// The status in a word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Approved => "approved",
            Self::Running => "running",
            Self::AwaitingUser => "waiting for you",
            Self::Blocked => "blocked",
            Self::Completed => "completed",
            Self::Archived => "archived",
        }
    }
}

/// The status of a session.
pub(super) fn status(session: &Session) -> Status {
    match session.phase {
        _ if session.archived => Status::Archived,
        Phase::Resting(Outcome::Waiting) => Status::AwaitingUser,
        _ if session.build.is_some() || session.is_racing() => Status::Running,
        Phase::Resting(Outcome::Stopped) if awaits_user(session) => Status::AwaitingUser,
        Phase::Resting(Outcome::Stopped) if !take_failed(session) => Status::Blocked,
        _ if session.is_complete() || session.race.is_some() => Status::Completed,
        _ if session.approval.is_some() => Status::Approved,
        _ => Status::Draft,
    }
}

/// Whether only a take has failed, which blocks no feature.
fn take_failed(session: &Session) -> bool {
    session.recovery.as_ref().is_some_and(|recovery| {
        matches!(
            recovery.error_code,
            FlowCode::TakeConflict
                | FlowCode::TakeFailed
                | FlowCode::TakeMoved
                | FlowCode::TakeNothing
                | FlowCode::TakeThawed
                | FlowCode::TakeWrongHash
        )
    })
}

fn awaits_user(session: &Session) -> bool {
    session.recovery.as_ref().is_some_and(|recovery| {
        matches!(
            recovery.error_code,
            FlowCode::RunAwaitingUser | FlowCode::ApprovalAsked | FlowCode::ApprovalUnchecked
        )
    })
}

/// The mark of a complete feature: a question mark if only a reviewer, and no check, has judged it.
pub(super) fn completed_mark(feature: &Feature) -> char {
    if feature.is_checked() { '✓' } else { '?' }
}

pub(super) fn state_word(state: FeatureState) -> &'static str {
    match state {
        FeatureState::Pending => "pending",
        FeatureState::Running => "running",
        FeatureState::Blocked => "blocked",
        FeatureState::Completed => "completed",
    }
}

pub(super) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Approved => "approved",
        Verdict::NeedsFix => "needs a fix",
        Verdict::Blocked => "blocked",
        Verdict::Refuted => "refuted: the reported problem doesn't occur",
    }
}

/// The status in a word, for people who see which process runs the session.
fn word(session: &Session, owner: &Owner) -> &'static str {
    match (session.phase, status(session)) {
        (Phase::Resting(_), Status::Running) => "stopped",
        (Phase::Resting(_), status) => status.word(),
        _ if *owner == Owner::Nobody => "interrupted",
        (_, status) => status.word(),
    }
}

/// The session as people see it. `owner`: the process that runs it; `live`: the current activity.
pub(super) fn text(session: &Session, owner: &Owner, live: &str) -> String {
    let goal = visible::line(session.opening.goal.lines().next().unwrap_or_default());
    let mut out = format!("Flow · {} · {goal}\n", word(session, owner));
    match &session.plan {
        Some(_) if session.race.is_some() => session.account_of_race(&mut out),
        Some(plan) => {
            out.push('\n');
            rows(session, plan, &mut out);
            if session.approval.is_none() && session.drafting.is_none() {
                shown(session, plan, &mut out);
            }
        }
        None if matches!(session.phase, Phase::Resting(_)) => {}
        None if *owner == Owner::Nobody => out.push_str("\nThe plan was not finished.\n"),
        None => {
            let _ = writeln!(out, "\n{} drafts a plan.", session.opening.models.planner);
        }
    }
    if let Some(approval) = &session.approval {
        let _ = writeln!(out, "\nPlan {}, {}.", short(&approval.hash), approval.words());
    }
    let under_way = !matches!(session.phase, Phase::Resting(_));
    // Notes that belong to the plan are shown with the plan; if nobody read it, they are shown at the end as well. Each command
    // names the models that it asks.
    let by_user = session.approval.as_ref().is_some_and(|approval| approval.by == Approver::User);
    let models = session.opening.models.wording();
    let is_due = |note: &String| under_way && *note == models;
    let is_read = |note: &String| by_user && session.opening.notes.contains(note) && !is_due(note);
    for note in session.notes.iter().filter(|note| !is_read(note)) {
        let _ = writeln!(out, "\n{note}");
    }
    if !under_way && session.recovery.is_none() {
        ended::completed(session, &mut out);
    }
    if let Some(recovery) = &session.recovery {
        let _ = writeln!(out, "\n{}", recovery.message);
        let blocked = session.features.values().filter(|one| one.recovery() == Some(recovery));
        for (index, tried) in blocked.flat_map(Progress::tried).enumerate() {
            let _ = writeln!(out, "  {}. {}", index + 1, visible::line(tried));
        }
        ended::output(session, &mut out);
        ended::blocked(session, &mut out);
    }
    ended::left(session, &mut out);
    out.push_str(live);
    if session.is_complete() && matches!(session.phase, Phase::Resting(_)) {
        changed(session, &mut out);
    }
    session.account_of_lane(&mut out);
    let (cost, _) = session.spent();
    let _ = writeln!(out, "\nCost  {} for the whole session", money(cost));
    // A command's cost is shown below its own end, and nowhere later.
    let is_here = matches!(owner, Owner::Process { here: true, .. });
    let is_over = matches!(session.phase, Phase::Resting(outcome) if outcome != Outcome::Waiting);
    if let Some(wording) = session.account_of_cost().filter(|_| is_here || !is_over) {
        let _ = writeln!(out, "      {wording}");
    }
    if let Some(lane) = &session.lane {
        let _ = writeln!(out, "Lane  {}", unbroken(&visible::line(&lane.directory)));
    }
    if !under_way && let (Some(name), Some(page)) = (&session.directory.name, page(session)) {
        let _ = writeln!(out, "Page  .flow/sessions/{name}/{page}");
    }
    let _ = match owner {
        Owner::Process { here: true, .. } if under_way => {
            writeln!(out, "Next  /flow-cancel stops it and keeps the results so far.")
        }
        Owner::Process { name, here: false } => {
            writeln!(
                out,
                "Next  The session is running in {name}. /flow-cancel stops it and keeps the results so far."
            )
        }
        _ => {
            let (hint, command) = session.way_on();
            writeln!(out, "Next  {command}\n      {hint}")
        }
    };
    fitted(&visible::text(&out))
}

/// How many changed files the chat lists.
const FILES: usize = 20;

/// The files that the session changed.
fn changed(session: &Session, out: &mut String) {
    let files: BTreeSet<&String> = set(session.completed().flat_map(|one| session.changed_by(&one.id)));
    let is_told_below = session.lane.is_some() && (session.take.is_some() || !session.has_more_in_lane());
    if files.is_empty() || is_told_below {
        return;
    }
    let heading = if session.lane.is_some() {
        "Changed files, in the lane only"
    } else {
        "Changed files (Flow commits nothing)"
    };
    let _ = writeln!(out, "\n{heading}:");
    list(files, out);
}

/// Lists changed files, one line each.
pub(super) fn list<'a>(
    files: impl IntoIterator<Item = &'a String, IntoIter: ExactSizeIterator>,
    out: &mut String,
) {
    let files = files.into_iter();
    let more = files.len().saturating_sub(FILES);
    for file in files.take(FILES) {
        let _ = writeln!(out, "  {}", visible::line(file));
    }
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
}

/// The page that shows the session's current state, below its directory; `None` while a command is at work.
pub(super) fn page(session: &Session) -> Option<&'static str> {
    let rests = matches!(session.phase, Phase::Resting(_)) && session.directory.name.is_some();
    rests.then_some(PAGE)
}

/// The permanent replacement for a text that showed the session at work.
pub(super) fn continued(session: &Session) -> String {
    let goal = visible::line(session.opening.goal.lines().next().unwrap_or_default());
    fitted(&format!(
        "Flow · interrupted · {goal}\n\nThis session was continued later. Use /flow-status to see it."
    ))
}

fn rows(session: &Session, plan: &Plan, out: &mut String) {
    let width = |of: fn(&Feature) -> usize| plan.features.iter().map(of).max().unwrap_or(0);
    let (ids, titles) =
        (width(|one| one.id.chars().count()), width(|one| visible::line(&one.title).chars().count()));
    let costs = Costs::new(session);
    for feature in &plan.features {
        let state = session.state_of(&feature.id);
        let mark = match state {
            FeatureState::Pending => ' ',
            FeatureState::Running => '›',
            FeatureState::Blocked => '!',
            FeatureState::Completed => completed_mark(feature),
        };
        let progress = session.features.get(&feature.id);
        let mut rest = state_word(state).to_owned();
        if let Some(build) = session.build.as_ref().filter(|build| build.feature == feature.id) {
            rest = format!("{}, round {}", build.step.word(), build.round);
        } else if let Some(rounds) = progress.map(|one| one.rounds).filter(|rounds| *rounds > 0) {
            let _ = write!(rest, ", {}", crate::shared::figures::count(rounds.into(), "round", "rounds"));
        }
        let missing = session.blocked_by(feature);
        if state == FeatureState::Pending && !missing.is_empty() {
            let _ = write!(rest, ", needs {}", missing.join(", "));
        }
        let cost = costs.of(feature);
        if cost > 0.0 {
            let _ = write!(rest, ", {}", money(cost));
        }
        let title = visible::line(&feature.title);
        let _ = writeln!(out, "  {mark} {:ids$}  {title:titles$}  {rest}", feature.id);
        for criterion in &feature.acceptance {
            if let Some(why) = criterion.unverifiable().filter(|_| state == FeatureState::Completed) {
                let (text, why) = (visible::line(&criterion.text), visible::line(why));
                let _ = writeln!(out, "      not checked: {text} ({why})");
            }
        }
        for account in weak_points(session, feature) {
            let _ = writeln!(out, "      {account}");
        }
    }
}

/// The weak points in a complete feature's evidence: tests that were skipped or became fewer, checks that weren't probed.
pub(super) fn weak_points(session: &Session, feature: &Feature) -> Vec<String> {
    let Some(tree) = session.features.get(&feature.id).and_then(Progress::tree) else {
        return Vec::new();
    };
    let mut accounts: Vec<String> = session
        .evidence
        .iter()
        .filter(|one| one.feature == feature.id && one.tree == *tree)
        .filter(|one| one.seen.ran.tests.as_ref().is_some_and(|tests| tests.skipped > 0))
        .map(|one| format!("{}: {}", one.check, one.account()))
        .collect();
    accounts.dedup();
    if !feature.is_checked() {
        accounts.insert(
            0,
            "no check verifies any criterion of this feature: only a reviewer's opinion completed it"
                .to_owned(),
        );
    }
    accounts.extend(session.weak_points_of_kept(feature));
    let apart = session.apart.iter().filter(|one| one.feature == feature.id && one.tree == *tree);
    let not_checked = apart.filter(|one| one.passed().is_none());
    accounts.extend(not_checked.map(|one| visible::line(&format!("{}: {}", one.check, one.account()))));
    let wording = account_of_change(session, &feature.id).into_iter();
    accounts.extend(wording.map(|(what, line)| format!("{what}: {}", visible::line(&line))));
    accounts
}

/// The whole plan that is waiting for approval.
fn shown(session: &Session, plan: &Plan, out: &mut String) {
    for feature in &plan.features {
        let _ = writeln!(out, "\n{}: {}", feature.id, visible::line(&feature.title));
        let _ = writeln!(out, "  {}", visible::line(&feature.summary));
        if !feature.files.is_empty() {
            let _ = writeln!(out, "  files: {}", visible::line(&feature.files.join(", ")));
        }
        if feature.keeps_behaviour {
            let _ = writeln!(out, "  {}", kept_behaviour::PLANNED);
        }
        for check in &feature.verification {
            let scope = if check.scope == Scope::Broad { "broad check" } else { "check" };
            let most = span(check.timeout_ms);
            let _ = writeln!(
                out,
                "  {scope} {} (at most {most}): {}",
                check.id,
                unbroken(&spelled(&check.command))
            );
        }
        for criterion in &feature.acceptance {
            let text = visible::line(&criterion.text);
            let _ = writeln!(out, "  {}: {text} ({})", criterion.id, visible::line(&criterion.judge()));
        }
    }
    for (heading, lines) in plan.answers(session.opening.basis()) {
        let _ = writeln!(out, "\n{heading}");
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
    if let (Some(former), Some(plan)) = (&session.former_plan, &session.plan) {
        out.push_str("\nChanged since the previous draft:\n");
        for line in changes(former, plan) {
            let _ = writeln!(out, "  {}", visible::line(&line));
        }
    }
    if !plan.features.iter().any(Feature::is_checked) {
        out.push_str(
            "\nNo check verifies any criterion of this plan. Only a reviewer's opinion would complete its \
             features.\n",
        );
    }
    session.account_of_leave(out);
    session.account_of_entrants(out);
    let _ = writeln!(out, "\nPlan {}, not approved yet.", short(&session.hash));
}
