//! The report for people at the end, `FINAL-VALIDATION.md`, and Flow's list of things to fix, `fix-plan.md`.

use super::analysis::Journey;
use super::before;
use super::checks::{CheckVerdict, JudgedCheck};
use super::failure::{self, Failure, VIDEO};
use super::files::{self, Versions, console, failed_requests};
use super::own::Own;
use super::protocol::{
    Against, FailedRequest, GateChoice, How, Models, Opening, RanTests, Scope, Sources, SubjectSource, Told,
    playwright,
};
use super::session::Session;
use super::stage::{Stage, StageState};
use super::status::{self, decision_word, detail, gap_line};
use super::to_fix::{self, Fault};
use super::verdict::{Conclusion, Counts, Judged, Verdict};
use super::verification::Opined;
use crate::shared::figures::{count, counted, money, thousands};
use crate::shared::markdown::{code, inline};
use crate::shared::vendor::vendor;
use kernel::visible;
use std::fmt::Write as _;

/// The heading of the project's own tests.
pub(super) const OWN_TESTS: &str = "The project's own tests";

/// The heading of the command with which people run the tests themselves.
pub(super) const BY_HAND: &str = "Run the tests yourself";

/// The maximum number of lines of one kind in the report; all of them are in the file for programs.
const MOST: usize = 30;

/// The report.
pub(super) fn report(session: &Session) -> String {
    let judged = session.judged();
    let conclusion = session.conclusion();
    let mut out = heading(session, conclusion);
    let _ = writeln!(out, "\n{}\n\n{}", inline(&session.opening.subject.title), sentence(session, &judged));
    facts(session, &mut out);
    let missing = to_complete(session, &judged);
    list(&mut out, "What is missing", &missing);
    criteria(session, &judged, &mut out);
    let checks = session.judged_checks();
    list(&mut out, OWN_TESTS, &session.own.as_ref().map(Own::wording).unwrap_or_default());
    if let Some(ByHand { command, how }) = by_hand(session) {
        let _ = writeln!(out, "\n## {BY_HAND}\n\n- {}\n- {}", code(&command), inline(&how));
    }
    let lines: Vec<String> = checks.iter().map(|one| check(session, one)).collect();
    list(&mut out, "Checks", &lines);
    let found: Vec<String> = checks.into_iter().flat_map(|one| one.findings).collect();
    list(&mut out, "Results of the page checks", &found);
    stages(session, &mut out);
    gaps(session, &mut out);
    let processes: Vec<String> = session.processes.iter().map(process).collect();
    list(&mut out, "Processes", &processes);
    list(&mut out, "Errors on the console (reported, not judged)", &console_lines(session));
    list(&mut out, "Requests that failed (reported, not judged)", &request_lines(session));
    let evidence: Vec<String> = session
        .evidence
        .iter()
        .map(|file| format!("{} ({} bytes, SHA-256 {})", file.path, thousands(file.bytes), file.sha256))
        .collect();
    list(&mut out, "Evidence", &evidence);
    visible::text(&out).into_owned()
}

/// The heading: the first line contains everything that the reader must not miss.
fn heading(session: &Session, conclusion: Conclusion) -> String {
    let mut out = format!("# Validation: {}", conclusion.word());
    if session.gate.as_ref().is_some_and(|gate| gate.decision == GateChoice::ForceTest) {
        let gaps = session.analysis.as_ref().map_or(0, |analysis| analysis.gaps.len());
        let _ = write!(out, ", tested despite {}", count(gaps as u64, "open gap", "open gaps"));
    }
    if let Some(only) = session.scope().only_read() {
        let _ = write!(out, " ({only})");
    }
    if session.cancelled.is_some() {
        out.push_str(", stopped before the end");
    }
    out.push('\n');
    out
}

/// Errors that pages wrote to the console, each line once.
pub(super) fn console_lines(session: &Session) -> Vec<String> {
    let wording = console(session);
    let errors =
        wording.iter().filter(|(_, wording)| matches!(wording.level.as_str(), "error" | "pageerror"));
    distinct(
        errors
            .map(|(test, wording)| format!("{}: {} ({test}, {})", wording.level, wording.text, wording.page))
            .collect(),
    )
}

/// A page's line on the console.
pub(super) fn console_line(wording: &Told) -> String {
    format!("{}: {} ({})", wording.level, wording.text, wording.page)
}

/// Requests that failed, each once.
pub(super) fn request_lines(session: &Session) -> Vec<String> {
    let failed = failed_requests(session);
    distinct(failed.iter().map(|(test, request)| format!("{} ({test})", request_line(request))).collect())
}

/// A request that failed.
pub(super) fn request_line(request: &FailedRequest) -> String {
    let how = request.status.map_or_else(|| request.reason.clone(), |status| status.to_string());
    format!("{} {}: {how}", request.method, request.url)
}

/// A version, and what it belongs to.
pub(super) struct Version {
    pub(super) of: &'static str,
    pub(super) wording: String,
}

/// The tools and files used for the run; empty if a model only read.
pub(super) fn versions(session: &Session) -> Vec<Version> {
    if session.scope() != Scope::Full {
        return Vec::new();
    }
    let Versions { application, browser, playwright } = files::seen_with(session);
    let place =
        playwright_directory(session).map(|directory| format!(", in {directory}")).unwrap_or_default();
    let wording = |of: &'static str, wording: Option<String>| Version {
        of,
        wording: wording.unwrap_or_else(|| "not recorded".to_owned()),
    };
    let application = application.map(|sources| match sources {
        Sources::Git { commit: Some(commit), tree, .. } => {
            format!("commit {commit}, tree {tree} (the files at the start)")
        }
        Sources::Git { commit: None, tree, .. } => {
            format!("no commit yet, tree {tree} (the files at the start)")
        }
        Sources::NoGit => "not in a Git repository, so its version is unknown".to_owned(),
        Sources::Untold { message } => format!("git failed: {message}"),
    });
    vec![
        wording("Application", application),
        wording("Browser", browser.map(str::to_owned)),
        wording("Playwright", playwright.map(|version| format!("{version}{place}"))),
    ]
}

/// The command with which people run the tests themselves; `None` if none ran.
pub(super) fn by_hand(session: &Session) -> Option<ByHand> {
    let ran = session.passes.iter().any(|pass| pass.against == Against::Application);
    let (true, Some(place), Some(server)) = (ran, status::place(session), session.servers.first()) else {
        return None;
    };
    let playwright = playwright_command(session);
    Some(ByHand {
        command: format!("{playwright} test --config {place}/by-hand/playwright.config.cjs"),
        how: format!(
            "First start the application at {}, or set BASE_URL to its address. Then run the command in the \
             project's root. This report stays as it is",
            server.url
        ),
    })
}

/// How people run the tests themselves.
pub(super) struct ByHand {
    pub(super) command: String,
    /// Where and against what.
    pub(super) how: String,
}

/// The command for the Playwright that ran the tests.
pub(super) fn playwright_command(session: &Session) -> String {
    playwright(playwright_directory(session))
}

/// Where Playwright Test is, relative to the project's root; `None` when the root resolves it.
fn playwright_directory(session: &Session) -> Option<&str> {
    let noted = session.passes.iter().rev().find_map(|pass| pass.noted.directory.as_ref());
    // Older journals have only the directory that the settings name.
    noted.or(session.settings.playwright.directory.as_ref()).map(String::as_str)
}

/// Why there are no traces; `None` when there may be some.
pub(super) fn traces(session: &Session) -> Option<&'static str> {
    let has_secrets = session.scope() == Scope::Full && !session.settings.secrets.is_empty();
    has_secrets
        .then_some("none kept, because the settings name secrets, and secrets can't be removed from traces")
}

/// Why there are no videos although the settings ask for them; `None` otherwise.
pub(super) fn videos(session: &Session) -> Option<String> {
    let first = session.passes.iter().find(|pass| pass.against == Against::Application)?;
    let RanTests::Report { tests } = &first.ran else { return None };
    let mut left = tests.iter().flat_map(|test| &test.attachments);
    let is_missing = session.settings.video && !left.any(|one| one.name == VIDEO);
    is_missing.then(|| {
        let playwright = playwright_command(session);
        format!("none recorded. To record videos, install Playwright's FFmpeg: {playwright} install ffmpeg")
    })
}

/// Who wrote the tests of a session of Flow, and when: unlike its acceptance lists, they are younger than its code. `None` for other
/// subjects, and if no tests were written.
pub(super) fn written_by(session: &Session) -> Option<String> {
    let Opening { subject, repeat, models, .. } = &session.opening;
    let SubjectSource::Flow { worker, .. } = &subject.source else { return None };
    session.suite.as_ref().filter(|suite| !suite.files.is_empty())?;
    let tester = &models.tester;
    let code = match repeat {
        Some(repeat) => format!("for {}, after the code that it tested", repeat.run),
        None => "after the code".to_owned(),
    };
    let worker = match worker {
        None => String::new(),
        Some(worker) if worker == tester => "; the session's worker is the same model".to_owned(),
        Some(worker) => {
            let vendors = match (vendor(tester), vendor(worker)) {
                (Some(one), Some(other)) if one == other => "is from the same vendor",
                (Some(_), Some(_)) => "is from another vendor",
                _ => "may be from the same vendor",
            };
            format!("; the session's worker, {worker}, {vendors}")
        }
    };
    Some(format!("written {code}, by {tester}{worker}"))
}

/// The verdicts in a sentence; the model's opinion if there was nothing to test.
pub(super) fn sentence(session: &Session, judged: &[Judged]) -> String {
    match session.scope() {
        Scope::Full => {
            let checks = session.judged_checks();
            let parts = [verdicts(judged), checked(&checks)];
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        }
        Scope::Work => {
            let said = session.verification.iter().flat_map(|said| &said.criteria);
            let of = |opined: Opined| said.clone().filter(|one| one.verdict == opined).count();
            let parts = [Opined::Met, Opined::NotMet, Opined::CannotTell].map(|one| (of(one), one.words()));
            let criteria = count(said.clone().count() as u64, "criterion", "criteria");
            let wording = format!("A model gave its opinion on {criteria}: {}.", counted(parts));
            if session.verification.is_some() { format!("{wording} {UNTESTED}") } else { UNTESTED.to_owned() }
        }
        Scope::Flows => match &session.analysis {
            None => UNTESTED.to_owned(),
            Some(analysis) => {
                let journeys = count(analysis.journeys.len() as u64, "journey", "journeys");
                let gaps = count(analysis.gaps.len() as u64, "gap", "gaps");
                let unread = if analysis.unread {
                    " The model read no file, so its opinion doesn't count."
                } else {
                    ""
                };
                format!("A model found {journeys} and {gaps}.{unread} {UNTESTED}")
            }
        },
    }
}

/// The part that no opinion changes.
const UNTESTED: &str = "Nothing was tested.";

fn verdicts(judged: &[Judged]) -> String {
    if judged.is_empty() {
        return "There are no criteria.".to_owned();
    }
    let criteria = count(judged.len() as u64, "criterion", "criteria");
    format!("Of {criteria}: {}.", Counts::of(judged).words())
}

fn checked(checks: &[JudgedCheck]) -> String {
    use CheckVerdict::{Failed, Flaky, Hollow, NotRun, Passed};
    if checks.is_empty() {
        return String::new();
    }
    let of = |verdict: CheckVerdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let parts = [Passed, Failed, Hollow, Flaky, NotRun].map(|verdict| (of(verdict), verdict.words()));
    format!("Of {}: {}.", count(checks.len() as u64, "check", "checks"), counted(parts))
}

/// The source of what was validated.
pub(super) fn source(session: &Session) -> String {
    match &session.opening.subject.source {
        SubjectSource::Text => "the text that you typed".to_owned(),
        SubjectSource::Flow { session, tree: None, .. } => format!("the Flow session {session}"),
        SubjectSource::Flow { session, tree: Some(tree), .. } => {
            let tree: String = tree.chars().take(12).collect();
            format!("the Flow session {session} (its files: tree {tree})")
        }
        SubjectSource::Run { run, design } => format!("the task of the run {run} and its design {design}"),
        SubjectSource::File { path } => format!("the file {path}"),
    }
}

/// The models that the run's scope asks, each with its stage.
pub(super) fn asked(session: &Session) -> Vec<(Stage, &str)> {
    let Models { verifier, analyst, tester } = &session.opening.models;
    let stages = if session.opening.repeat.is_some() { Vec::new() } else { session.scope().stages() };
    let all = [(Stage::Verify, verifier), (Stage::FlowAnalyze, analyst), (Stage::TestPrep, tester)];
    let asked = all.into_iter().filter(|(stage, _)| stages.contains(stage));
    asked.map(|(stage, model)| (stage, model.as_str())).collect()
}

/// What a model contributes in a stage.
fn stage_noun(stage: Stage) -> &'static str {
    match stage {
        Stage::Verify => "criteria",
        Stage::FlowAnalyze => "journeys",
        _ => "tests",
    }
}

fn facts(session: &Session, out: &mut String) {
    let (cost, _) = session.calls.spent();
    let _ = writeln!(out, "\n- Source: {}", inline(&source(session)));
    let asked: Vec<String> =
        asked(session).into_iter().map(|(stage, model)| format!("{model} ({})", stage_noun(stage))).collect();
    if !asked.is_empty() {
        let _ = writeln!(out, "- Models: {}. Code computes the verdict, not a model.", asked.join(", "));
    }
    if let Some(line) = written_by(session) {
        let _ = writeln!(out, "- Tests: {}", inline(&line));
    }
    if let Some(gate) = &session.gate {
        let _ = writeln!(
            out,
            "- Decision about gaps: {}, by the user, at {}",
            decision_word(gate.decision),
            gate.at
        );
    }
    if let Some(reason) = &session.cancelled {
        let _ = writeln!(out, "- Stopped: {}", inline(reason));
    }
    for Version { of, wording } in versions(session) {
        let _ = writeln!(out, "- {of}: {}", inline(&wording));
    }
    if let Some(line) = traces(session) {
        let _ = writeln!(out, "- Traces: {line}");
    }
    if let Some(line) = videos(session) {
        let _ = writeln!(out, "- Videos: {line}");
    }
    for note in session.report_notes() {
        let _ = writeln!(out, "- {}", inline(&note));
    }
    let _ = writeln!(out, "- Cost: {}", money(cost));
    if let Some(wording) = session.account_of_cost() {
        let _ = writeln!(out, "- Expected: {wording}");
    }
    out.push_str("- Page with pictures: report.html\n");
}

/// What is missing for the conclusion "validated", a line each.
pub(super) fn to_complete(session: &Session, judged: &[Judged]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (stage, record) in &session.stages {
        if let Some(fault) = &record.fault {
            let message = fault.message.trim_end_matches('.');
            lines.push(format!("{}: {message}. {}", stage.words(), fault.next));
        }
    }
    if session.cancelled.is_some() {
        lines.push("The validation was stopped. Continue it with /validate-resume.".to_owned());
    }
    match session.gate.as_ref().map(|gate| gate.decision) {
        Some(GateChoice::Stop) => lines.push("Nothing was tested, as you decided.".to_owned()),
        Some(GateChoice::GenerateFixPlan) => {
            let name = session.directory.name.as_deref().unwrap_or_default();
            lines.push(format!("Nothing was tested: first close the gaps with /flow-plan fix {name}."));
        }
        Some(GateChoice::ForceTest) | None => {}
    }
    if session.scope() != Scope::Full {
        lines.push(
            "To test the application in a browser, type /validate with the arguments of this run. A model's opinion proves nothing.".to_owned(),
        );
        return lines;
    }
    if judged.is_empty() {
        lines.push("There are no criteria. Add some, then validate again.".to_owned());
    }
    for one in judged {
        let wanted = match one.verdict {
            Verdict::Met => continue,
            Verdict::NotMet => "fix the application",
            Verdict::Hollow => "write a test that fails when the application doesn't meet the criterion",
            Verdict::Unproven => {
                "write a test whose assertion fails when the application answers something else"
            }
            Verdict::Flaky => "make the test give the same result each time",
            Verdict::Untested => "run a test that decides it",
        };
        lines.push(format!(
            "{} ({}): {wanted}. Seen: {}.",
            one.id,
            one.verdict.words(),
            one.reason.trim_end_matches('.')
        ));
    }
    for one in session.judged_checks() {
        let wanted = match one.verdict {
            CheckVerdict::Passed => continue,
            CheckVerdict::Failed => "fix what the check found",
            CheckVerdict::Flaky => "make the command give the same result each time",
            CheckVerdict::Hollow => "choose a command that runs tests",
            CheckVerdict::NotRun => "fix what keeps the check from running",
        };
        let (id, verdict) = (&one.id, one.verdict.words());
        lines.push(format!("{id} ({verdict}): {wanted}. Seen: {}.", one.reason.trim_end_matches('.')));
    }
    lines
}

/// A check in a line: its result, what it decides, and where its output is.
pub(super) fn check(session: &Session, check: &JudgedCheck) -> String {
    let JudgedCheck { id, verdict, reason, .. } = check;
    let mut out = format!("{id}: {}, {reason}", verdict.words());
    if !check.criteria.is_empty() {
        let _ = write!(out, "; the settings let this check decide {}", check.criteria.join(", "));
    }
    let known = session.criteria();
    let is_unknown = |id: &&String| !known.iter().any(|criterion| criterion.id == **id);
    let unknown: Vec<&str> = check.criteria.iter().filter(is_unknown).map(String::as_str).collect();
    if !unknown.is_empty() {
        let _ = write!(out, ", but this run has no {}", unknown.join(", "));
    }
    if !check.outputs.is_empty() {
        let _ = write!(out, " ({})", check.outputs.join(", "));
    }
    out
}

fn criteria(session: &Session, judged: &[Judged], out: &mut String) {
    if judged.is_empty() {
        return;
    }
    out.push_str(
        "\n## Criteria\n\n| id | verdict | what must be true | result \
                  |\n|---|---|---|---|\n",
    );
    for one in judged {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            one.id,
            one.verdict.words(),
            inline(&one.text),
            inline(&one.reason)
        );
    }
    for one in judged {
        let _ = writeln!(out, "\n### {}: {}\n", one.id, one.verdict.words());
        for test in &one.tests {
            let _ = writeln!(
                out,
                "- {} ({}): {}, {}",
                inline(&test.title),
                inline(&test.place()),
                test.verdict.words(),
                inline(&test.reason)
            );
            for line in failure::of_test(session, test).iter().flat_map(Failure::lines) {
                let _ = writeln!(out, "  - {}", inline(&line));
            }
        }
        if let Some(pair) = before::pair(session, one) {
            for line in pair.lines() {
                let _ = writeln!(out, "- {}", inline(&line));
            }
        }
        for check in &one.checks {
            let (id, verdict) = (&check.id, check.verdict.words());
            let reason = inline(&check.reason);
            let _ = writeln!(
                out,
                "- The settings let the command {id} decide this criterion: {verdict}, {reason}"
            );
        }
        if one.tests.is_empty() && one.checks.is_empty() {
            let _ = writeln!(out, "- {}", inline(&one.reason));
        }
        if let Some(opinion) = session.opinion(&one.id) {
            let _ = writeln!(out, "- {MODELS_OPINION}: {}", inline(&opinion.wording()));
        }
    }
}

fn stages(session: &Session, out: &mut String) {
    out.push_str("\n## Stages\n\n");
    for stage in session.its_stages() {
        let state = session.state_of(stage);
        let wording = detail(session, stage);
        let wording = if wording.is_empty() || state != StageState::Done {
            String::new()
        } else {
            format!(" ({wording})")
        };
        let _ = writeln!(out, "- {}: {}{wording}", stage.words(), state.word());
        if let Some(fault) = session.stages.get(&stage).and_then(|record| record.fault.as_ref()) {
            let _ = writeln!(out, "  {}", inline(&fault.message));
        }
    }
}

fn gaps(session: &Session, out: &mut String) {
    let Some(analysis) = &session.analysis else { return };
    out.push_str("\n## Journeys and gaps (a model's opinion)\n\n");
    for journey in &analysis.journeys {
        let steps: Vec<String> = journey.steps.iter().map(|step| inline(step)).collect();
        let _ = writeln!(out, "- {} {}: {}", journey.id, inline(&journey.title), steps.join(" → "));
    }
    for gap in analysis.sorted_gaps() {
        let _ =
            writeln!(out, "- {}, {}: {}", gap.severity.word(), gap.r#type.words(), inline(&gap_line(gap)));
    }
    if analysis.gaps.is_empty() {
        out.push_str("- No gap was found.\n");
    }
}

/// How a model's opinion on a criterion is introduced.
pub(super) const MODELS_OPINION: &str = "A model's opinion";

pub(super) fn process(process: &super::protocol::ProcessEnd) -> String {
    let how = match process.end {
        How::EndedByItself => "ended by itself",
        How::Terminated => "was stopped",
        How::Killed => "was killed",
        How::AlreadyGone => "had already ended",
        How::LeftAlone => "was not stopped",
    };
    let why = if process.why.is_empty() {
        String::new()
    } else {
        let look = &process.look;
        let look = if look.is_empty() { String::new() } else { format!(". To inspect the process: {look}") };
        format!(": {}{look}", process.why)
    };
    let checked = if process.checked.is_empty() || process.end == How::LeftAlone {
        String::new()
    } else {
        format!(" (identified by {})", process.checked.join(", "))
    };
    format!("{} (process {}) {how}{checked}{why}", process.name, process.pid)
}

fn list(out: &mut String, heading: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## {heading}\n");
    for line in lines.iter().take(MOST) {
        let _ = writeln!(out, "- {}", inline(line));
    }
    if lines.len() > MOST {
        let _ = writeln!(out, "- and {} more in FINAL-VALIDATION.json", lines.len() - MOST);
    }
}

/// Each line once, in order: every pass reports the same.
fn distinct(lines: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in lines {
        if !out.contains(&line) {
            out.push(line);
        }
    }
    out
}

/// `fix-plan.md`: what Flow should fix, failures as well as gaps. `None` unless the run leads to a fix.
pub(super) fn fix_plan(session: &Session) -> Option<String> {
    if !session.leads_to_fix() {
        return None;
    }
    let mut out = format!("# What to fix: {}\n\n", inline(&session.opening.subject.title));
    for Fault { id, text } in to_fix::faults(session) {
        let _ = writeln!(out, "- {id}: {}", inline(&text));
    }
    let Some(analysis) = &session.analysis else { return Some(out) };
    let has_gap = |journey: &&Journey| analysis.gaps.iter().any(|gap| gap.journey == journey.id);
    for journey in analysis.journeys.iter().filter(has_gap) {
        let _ = writeln!(out, "\n## Journey {}: {}\n", journey.id, inline(&journey.title));
        for (index, step) in journey.steps.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", index + 1, inline(step));
        }
        out.push_str("\nA gap is closed when users can complete the journey and a test shows it.\n");
    }
    Some(out)
}
