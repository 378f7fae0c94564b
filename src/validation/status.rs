//! The status of a run, for the chat: its stages, its results, what waits for the user, and what can be typed next.
//!
//! A suggested command consists only of words of this package: no text of a model becomes part of one.

use super::analysis::Gap;
use super::checks::CheckVerdict;
use super::failure;
use super::files::PAGE;
use super::own::Own;
use super::protocol::{Against, Criterion, Effect, GateChoice, Scope, Sources, SubjectSource, Uncommitted};
use super::session::{Phase, Session};
use super::settings::SETTINGS_FILE;
use super::stage::{Stage, StageState};
use super::verdict::{Conclusion, Verdict, pass_words};
use crate::shared::figures::{count, money};
use crate::shared::spelled::spelled;
use crate::shared::wrapped::{fitted, unbroken};
use kernel::clock::span;
use kernel::index::Owner;
use kernel::json::Deserialize;
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

/// Where runs are kept, relative to the project's root.
const OUTPUT: &str = ".design-lab/validation";

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationStatus"))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A stage is under way, or the process died during it.
    Running,
    /// There are gaps, and the user decides about them.
    AwaitingDecision,
    /// Commands wait for the user's approval.
    AwaitingUser,
    /// The expected cost waits for the user's approval.
    AwaitingYes,
    /// The user stopped it.
    Cancelled,
    /// Every criterion is met.
    Validated,
    /// At least one criterion is not met.
    Failed,
    /// All other cases.
    Incomplete,
}

impl Status {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::AwaitingDecision => "waiting for your decision",
            Self::AwaitingUser => "waiting for your approval",
            Self::AwaitingYes => "waiting for your approval of the cost",
            Self::Cancelled => "cancelled",
            Self::Validated => "validated",
            Self::Failed => "failed",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The status of a run.
pub(super) fn status(session: &Session) -> Status {
    if !matches!(session.phase, Phase::Resting(_)) {
        return Status::Running;
    }
    if session.awaits_decision() {
        return Status::AwaitingDecision;
    }
    if session.awaits_yes() {
        return Status::AwaitingYes;
    }
    if session.is_waiting() {
        return Status::AwaitingUser;
    }
    if session.cancelled.is_some() {
        return Status::Cancelled;
    }
    match session.conclusion() {
        Conclusion::Validated => Status::Validated,
        Conclusion::Failed => Status::Failed,
        Conclusion::Incomplete => Status::Incomplete,
    }
}

/// The run as people see it. `owner`: the process that is working on it; `live`: its current activity, empty if unknown.
pub(super) fn text(session: &Session, owner: &Owner, live: &str) -> String {
    let title = visible::line(&session.opening.subject.title);
    let is_interrupted = status(session) == Status::Running && *owner == Owner::Nobody;
    let word = if is_interrupted { "interrupted" } else { status(session).words() };
    let mut out = format!("Validation · {word} · {title}\n\n");
    rows(session, is_interrupted, &mut out);
    out.push_str(live);
    if session.awaits_decision() {
        gaps(session, &mut out);
    }
    if status(session) == Status::AwaitingUser {
        asked_for(session, &mut out);
    }
    if session.is_reported() {
        match session.scope() {
            Scope::Full => {
                criteria(session, &mut out);
                checks(session, &mut out);
            }
            Scope::Work => opinions(session, &mut out),
            Scope::Flows => gaps(session, &mut out),
        }
    }
    for fault in session.stages.values().filter_map(|record| record.fault.as_ref()) {
        let _ = writeln!(out, "\n{}\n{}", visible::line(&fault.message), fault.next);
    }
    for process in session.processes.iter().filter(|process| !process.why.is_empty()) {
        let look = unbroken(&visible::line(&process.look));
        let look = if look.is_empty() { look } else { format!(" To inspect the process: {look}") };
        let _ = writeln!(
            out,
            "\n{} (process {}) was not stopped: {}.{look}",
            visible::line(&process.name),
            process.pid,
            visible::line(&process.why)
        );
    }
    for note in session.told_notes() {
        let _ = writeln!(out, "\n{}", visible::line(&note));
    }
    if let Some(question) = session.question().filter(|_| session.awaits_yes()) {
        let _ = writeln!(out, "\n{question}");
    }
    let (cost, _) = session.calls.spent();
    let _ = writeln!(out, "\nCost    {}", money(cost));
    if let Some(wording) = session.account_of_cost() {
        let _ = writeln!(out, "        Expected: {wording}");
    }
    if let (Some(place), Some(page)) = (place(session), page(session)) {
        let _ = writeln!(out, "Report  {place}/FINAL-VALIDATION.md");
        let _ = writeln!(out, "Page    {place}/{page}");
    }
    let under_way = !matches!(session.phase, Phase::Resting(_));
    let stops = "/validate-cancel stops it and everything it started, and writes a report.";
    match owner {
        Owner::Process { here: true, .. } if under_way => {
            let _ = writeln!(out, "Next    {stops}");
        }
        Owner::Process { name, here: false } => {
            let _ = writeln!(out, "Next    The validation is running in {name}. {stops}");
        }
        _ => {
            let is_here = matches!(owner, Owner::Process { here: true, .. });
            let mut label = "Next";
            if status(session) == Status::Validated && page(session).is_some() {
                let _ = writeln!(out, "{label:6}  Open the page: it shows the evidence for each criterion.");
                label = "";
            }
            for (command, hint) in ways_on(session, session.closed || is_here) {
                let _ = writeln!(out, "{label:6}  {command}\n        {hint}");
                label = "";
            }
        }
    }
    fitted(&visible::text(&out))
}

/// The page about the run, relative to its directory; `None` before its report is written.
pub(super) fn page(session: &Session) -> Option<&'static str> {
    (session.is_reported() && session.directory.name.is_some()).then_some(PAGE)
}

/// The text that permanently replaces one that showed the run at work.
pub(super) fn continued(session: &Session) -> String {
    let title = visible::line(&session.opening.subject.title);
    fitted(&format!(
        "Validation · interrupted · {title}\n\nThis run was continued later. Use /validate-status to see it."
    ))
}

/// What can be typed next, each with its effect. `is_kept`: whether everything that has to be written is on disk, or will be.
pub(super) fn ways_on(session: &Session, is_kept: bool) -> Vec<(String, String)> {
    let way = |command: &str, hint: &str| (command.to_owned(), hint.to_owned());
    let resume = |hint: &str| vec![way("/validate-resume", hint)];
    if session.awaits_decision() {
        return vec![
            way("/validate-decide generate-fix-plan", "Writes a goal for Flow that closes the gaps."),
            way("/validate-decide stop", "Writes a report and tests nothing."),
            way("/validate-decide force-test", "Tests anyway. The report states this at the top."),
        ];
    }
    if status(session) == Status::AwaitingUser {
        return vec![(
            "/validate-resume".to_owned(),
            format!(
                "Runs these commands. To skip this question, set `\"allow\": true` for each of them in {SETTINGS_FILE}."
            ),
        )];
    }
    if session.awaits_yes() {
        let name = session.directory.name.as_deref().unwrap_or_default();
        return vec![
            way("/validate-resume", "Starts the run."),
            (format!("/validate-cancel {name}"), "Cancels the run. No model has been called yet.".to_owned()),
        ];
    }
    if let Some(name) =
        session.directory.name.as_ref().filter(|_| session.has_crashed() && session.leads_to_fix())
    {
        let fix = way(&format!("/flow-plan fix {name}"), "Plans the fix.");
        return [vec![fix], resume("Repeats the pass in which the server ended.")].concat();
    }
    if session.broken_off.is_some() || !matches!(session.phase, Phase::Resting(_)) {
        return resume("Continues where the run stopped, and keeps every answer so far.");
    }
    if let Some(name) = session.directory.name.as_ref().filter(|_| session.leads_to_fix()) {
        let again = again(session, name);
        let hint = format!("Plans the fix. Once the fix is built, validate it with {again}.");
        let mut ways = vec![(format!("/flow-plan fix {name}"), hint)];
        // Unless the first entry already names this command.
        if session.has_tests() && again != format!("/validate --again {name}") {
            let hint = "Runs the same tests again, without a model.".to_owned();
            ways.push((format!("/validate --again {name}"), hint));
        }
        return ways;
    }
    if !is_kept {
        return resume("Writes the files that are missing after a crash.");
    }
    if session.scope() != Scope::Full {
        let command = again(session, session.directory.name.as_deref().unwrap_or_default());
        let hint = "Tests the application in a browser. So far, there is only a model's opinion.";
        if command == "/validate" {
            return vec![way(
                "/validate <text>",
                &format!("{hint} Replace <text> with what you typed for this run."),
            )];
        }
        return vec![way(&command, hint)];
    }
    let hint = match session.conclusion() {
        Conclusion::Validated => return after_success(session),
        Conclusion::Failed | Conclusion::Incomplete => {
            "The report shows what is missing. Then validate again."
        }
    };
    vec![way("/validate", hint)]
}

/// The directory for kept tests unless the user names another one.
const KEPT_IN: &str = "e2e";

/// The next steps after a successful validation: none of them concerns the run itself.
fn after_success(session: &Session) -> Vec<(String, String)> {
    let mut ways = Vec::new();
    if let Some(files) = uncommitted(session) {
        ways.push((
            "git commit".to_owned(),
            format!("Commits your work. Not committed yet: {files}. Run git add first."),
        ));
    }
    let has_files = session.suite.as_ref().is_some_and(|suite| !suite.files.is_empty());
    if let Some(name) = session.directory.name.as_ref().filter(|_| has_files) {
        let hint = "Copies the tests of this run into the project.".to_owned();
        ways.push((format!("/validate --keep {KEPT_IN} {name}"), hint));
    }
    ways
}

/// How many uncommitted files are named.
const FILES: usize = 6;

/// The validated files that aren't committed; `None` when there are none, or when it is unknown.
fn uncommitted(session: &Session) -> Option<String> {
    let Some(Sources::Git { uncommitted: Some(Uncommitted { files, count }), .. }) = &session.sources else {
        return None;
    };
    let named: Vec<String> = files.iter().take(FILES).map(|file| visible::line(file)).collect();
    let more = u64::from(*count).saturating_sub(named.len() as u64);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (*count > 0).then(|| named.join(", ") + &more)
}

/// The command that validates the same subject again. Only plain names go into a command, because a journal can come from anyone.
fn again(session: &Session, name: &str) -> String {
    let is_plain = |name: &str| is_name(name, NAME_LENGTH);
    match &session.opening.subject.source {
        SubjectSource::Flow { session, .. } if is_plain(session) => format!("/validate flow {session}"),
        SubjectSource::Run { run, design } if is_plain(run) && is_plain(design) => {
            format!("/validate run {run}/{design}")
        }
        SubjectSource::File { path } if is_plain_path(path) => format!("/validate file {path}"),
        _ if session.has_tests() => format!("/validate --again {name}"),
        _ => "/validate".to_owned(),
    }
}

/// Whether a path can be part of a command as it is.
fn is_plain_path(path: &str) -> bool {
    path.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && path.len() <= 200
        && path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}

/// The run's directory, relative to the project's root.
pub(super) fn place(session: &Session) -> Option<String> {
    session.directory.name.as_ref().map(|name| format!("{OUTPUT}/{name}"))
}

/// `is_interrupted`: whether a stage is recorded as under way although no process is working on the run.
fn rows(session: &Session, is_interrupted: bool, out: &mut String) {
    let stages = session.its_stages();
    let width = stages.iter().map(|stage| stage.words().chars().count()).max().unwrap_or(0);
    for stage in stages {
        let (words, mut state) = (stage.words(), session.state_of(stage));
        let mut wording = detail(session, stage);
        if is_interrupted && state == StageState::Running {
            state = StageState::Stopped;
            wording.clear();
        }
        let rest = if wording.is_empty() { state.word().to_owned() } else { wording };
        let _ = writeln!(out, "  {} {words:width$}  {rest}", state.mark());
    }
}

/// The details of a stage; empty if its state is enough.
pub(super) fn detail(session: &Session, stage: Stage) -> String {
    let far = session.state_of(stage);
    let Some(record) = session.stages.get(&stage) else { return String::new() };
    if far == StageState::Running {
        return if session.is_waiting() { "waiting for you".to_owned() } else { running(session, stage) };
    }
    if far != StageState::Done {
        return String::new();
    }
    let took = record.began.zip(record.ended).map(|(began, ended)| ended.saturating_sub(began));
    let took = took.filter(|ms| *ms >= 1_000).map(span);
    let what = match stage {
        Stage::Verify => count(session.criteria().len() as u64, "criterion", "criteria"),
        Stage::FlowAnalyze => {
            let gaps = session.analysis.as_ref().map_or(0, |analysis| analysis.gaps.len());
            count(gaps as u64, "gap", "gaps")
        }
        Stage::GapGate => match session.gate.as_ref().map(|gate| gate.decision) {
            None => "nothing to decide".to_owned(),
            Some(decision) => format!("you chose {}", decision_word(decision)),
        },
        Stage::TestPrep => {
            let all = count(session.number_of_tests(), "test", "tests");
            match session.own.as_ref().map_or(0, Own::number) {
                0 => all,
                own => format!("{all}, {own} of them the project's own"),
            }
        }
        Stage::Checks => count(session.settings.checks.len() as u64, "check", "checks"),
        Stage::ServersStart => {
            session.servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    };
    [what, took.unwrap_or_default()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The current activity of a stage.
pub(super) fn running(session: &Session, stage: Stage) -> String {
    match (stage, session.effects.under_way().last()) {
        (_, Some(Effect::ListTests { .. })) => "listing the tests".to_owned(),
        (_, Some(Effect::ListOwnTests { .. })) => "listing the project's own tests".to_owned(),
        (_, Some(Effect::RunTests { against, pass, .. })) => match against {
            Against::Application => format!("pass {pass} of {}{}", session.settings.repeat, far(session)),
            other => format!("against {}{}", pass_words(*other, *pass), far(session)),
        },
        (_, Some(Effect::RunCheck { check, .. })) => check.id.clone(),
        (_, Some(Effect::LookAtPages { .. })) => "checking the pages".to_owned(),
        (_, Some(Effect::StartServers { .. })) => "starting".to_owned(),
        (_, Some(Effect::StopServers { .. })) => "stopping the servers".to_owned(),
        (_, Some(Effect::TearDown { .. })) => "stopping everything".to_owned(),
        (Stage::TestPrep, None) if session.prep.fixes > 0 => {
            format!("{} fixes the tests, attempt {}", session.opening.models.tester, session.prep.fixes)
        }
        (Stage::Verify, None) => format!("{} reads", session.opening.models.verifier),
        (Stage::FlowAnalyze, None) => format!("{} reads", session.opening.models.analyst),
        (Stage::TestPrep, None) => format!("{} writes", session.opening.models.tester),
        _ => "under way".to_owned(),
    }
}

/// The number of the running test; empty before the first test starts.
fn far(session: &Session) -> String {
    let number = session.effects.under_way().last().map(Effect::number);
    match session.far {
        Some((effect, test, of)) if Some(effect) == number => format!(", test {test} of {of}"),
        _ => String::new(),
    }
}

pub(super) fn decision_word(decision: GateChoice) -> &'static str {
    match decision {
        GateChoice::GenerateFixPlan => "generate-fix-plan",
        GateChoice::Stop => "stop",
        GateChoice::ForceTest => "force-test",
    }
}

fn gaps(session: &Session, out: &mut String) {
    let Some(analysis) = &session.analysis else { return };
    let mut group = None;
    for gap in analysis.sorted_gaps() {
        if group != Some((gap.severity, gap.r#type)) {
            group = Some((gap.severity, gap.r#type));
            let _ = writeln!(out, "\n{}: {}", gap.severity.word(), gap.r#type.words());
        }
        let _ = writeln!(out, "  {}", gap_line(gap));
    }
}

/// A model's opinion on each criterion.
fn opinions(session: &Session, out: &mut String) {
    if session.verification.is_none() {
        return;
    }
    out.push_str("\nIn a model's opinion:\n");
    for Criterion { id, text } in session.criteria() {
        let Some(opinion) = session.opinion(&id) else { continue };
        let (words, text, place) = (opinion.verdict.words(), visible::line(&text), opinion.place());
        let at = if place.is_empty() { String::new() } else { format!(" ({})", visible::line(&place)) };
        let _ = writeln!(out, "  {id}  {words:10}  {text}{at}");
        if let Some(doubt) = &opinion.doubt {
            let _ = writeln!(out, "  {:width$}  {:10}  {}", "", "", visible::line(doubt), width = id.len());
        }
    }
}

/// A gap in a line.
pub(super) fn gap_line(gap: &Gap) -> String {
    format!("{} ({}): {}", gap.id, gap.journey, grounds(gap))
}

/// A model's evidence for a gap, with any doubt about it.
pub(super) fn grounds(gap: &Gap) -> String {
    let evidence = visible::line(&gap.evidence);
    match &gap.doubt {
        Some(doubt) => format!("{evidence} ({})", visible::line(doubt)),
        None => evidence,
    }
}

fn asked_for(session: &Session, out: &mut String) {
    out.push_str("\nThese commands would run with your permissions:\n");
    for server in session.asked_for() {
        let variables: Vec<&str> = server.env.keys().map(String::as_str).collect();
        let with = if variables.is_empty() {
            String::new()
        } else {
            format!(", environment: {}", visible::line(&variables.join(", ")))
        };
        let _ = writeln!(
            out,
            "  {}: {}  (in {}{with})",
            server.name,
            unbroken(&spelled(&server.command)),
            visible::line(&server.cwd)
        );
    }
    for check in session.checks_asked_for() {
        let (command, cwd) = (unbroken(&spelled(&check.command)), visible::line(&check.cwd));
        let _ = writeln!(out, "  {}: {command}  (in {cwd})", check.id);
    }
}

fn criteria(session: &Session, out: &mut String) {
    let judged = session.judged();
    if judged.is_empty() {
        return;
    }
    out.push('\n');
    let width = judged.iter().map(|one| one.id.len()).max().unwrap_or(0);
    for one in &judged {
        let mark = match one.verdict {
            Verdict::Met => "✓",
            Verdict::NotMet => "✗",
            Verdict::Hollow | Verdict::Unproven | Verdict::Flaky | Verdict::Untested => "?",
        };
        let (words, text) = (one.verdict.words(), visible::line(&one.text));
        let _ = writeln!(out, "  {mark} {:width$}  {words:8}  {text}", one.id);
        if one.verdict != Verdict::Met {
            let _ = writeln!(out, "    {:width$}            {}", "", visible::line(&one.reason));
        }
        for line in failure::of_criterion(session, one).iter().flat_map(|failure| failure.in_chat(session)) {
            let _ = writeln!(out, "    {:width$}            {line}", "");
        }
    }
}

/// The checks, apart from the criteria.
fn checks(session: &Session, out: &mut String) {
    let judged = session.judged_checks();
    let width = judged.iter().map(|one| one.id.len()).max().unwrap_or(0);
    for (index, one) in judged.iter().enumerate() {
        let mark = match one.verdict {
            CheckVerdict::Passed => "✓",
            CheckVerdict::Failed => "✗",
            CheckVerdict::Hollow | CheckVerdict::Flaky | CheckVerdict::NotRun => "?",
        };
        let gap = if index == 0 { "\n" } else { "" };
        let (words, reason) = (one.verdict.words(), visible::line(&one.reason));
        let _ = writeln!(out, "{gap}  {mark} {:width$}  {words:8}  {reason}", one.id);
    }
}
