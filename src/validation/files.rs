//! The files of a run for programs: `run.json`, the models' answers, the decision at the gate, the tests, and
//! `FINAL-VALIDATION.json`; and, for people, the output of `report` and `page`. All are rendered from the state and never read back.

use super::analysis::{Gap, Journey};
use super::before;
use super::checks::JudgedCheck;
use super::own::Own;
use super::page;
use super::protocol::{
    Against, EvidenceFile, FailedRequest, GateChoice, LookedAt, Models, ProcessEnd, RanTests, Scope,
    ServerStarted, Shown, Sources, Subject, TestSeen, TestStatus, Told, Whose,
};
use super::report;
use super::session::{Pass, Session};
use super::stage::{Stage, StageFault, StageState};
use super::status::{self, Status};
use super::suite::place;
use super::verdict::{Conclusion, Counts, Judged};
use super::verification::Opinion;
use super::versions;
use crate::shared::ran::Ran;
use kernel::clock::iso;
use kernel::tokens::Tokens;
use kernel::visible;
use serde::Serialize;

/// The page about the run.
pub(super) const PAGE: &str = "report.html";

/// The user's decision about gaps.
pub(super) const DECISION: &str = "gate-decision.json";

/// The format of these files.
const VERSION: u32 = 1;
/// The label on everything that a model says.
const OPINION: &str = "a model's opinion";

/// Every file that should be on disk by now, except those that the shell writes.
pub(super) fn files(session: &Session) -> Vec<(String, String)> {
    if session.directory.name.is_none() {
        return Vec::new();
    }
    let mut files = vec![("run.json".to_owned(), json(&document(session)))];
    let mut add = |path: &str, text: String| files.push((path.to_owned(), text));
    if let Some(verification) = &session.verification {
        add("verify.json", json(&OfModel { version: VERSION, tier: OPINION, said: verification }));
    }
    if let Some(analysis) = &session.analysis {
        add("flow-analysis.json", json(&OfModel { version: VERSION, tier: OPINION, said: analysis }));
    }
    if let Some(gate) = &session.gate {
        let gaps = session.analysis.as_ref().map_or(0, |analysis| analysis.gaps.len());
        let decided = Decided { version: VERSION, decision: gate.decision, by: "user", at: &gate.at, gaps };
        add(DECISION, json(&decided));
    }
    for file in session.suite.iter().flat_map(|suite| &suite.files) {
        add(&place(&file.path), file.text.clone());
    }
    if let Some(plan) = report::fix_plan(session) {
        add("fix-plan.md", plan);
    }
    if session.is_reported() {
        add("FINAL-VALIDATION.md", report::report(session));
        add("FINAL-VALIDATION.json", json(&last(session)));
        add(PAGE, page::page(session, None));
    }
    files
}

/// Outdated files: tests that were rewritten, and the report of a run that continues.
pub(super) fn stale(session: &Session) -> Vec<String> {
    let mut stale: Vec<String> = session.dropped.iter().cloned().collect();
    if session.was_reported && !session.is_reported() {
        stale
            .extend(["FINAL-VALIDATION.md", "FINAL-VALIDATION.json", "fix-plan.md", PAGE].map(str::to_owned));
    }
    stale
}

fn json(document: &impl Serialize) -> String {
    visible::json(kernel::json::pretty(document)) + "\n"
}

#[derive(Serialize)]
struct OfModel<'a, T> {
    version: u32,
    tier: &'static str,
    #[serde(flatten)]
    said: &'a T,
}

#[derive(Serialize)]
struct Decided<'a> {
    version: u32,
    decision: GateChoice,
    by: &'static str,
    at: &'a str,
    gaps: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    id: &'a str,
    status: Status,
    subject: &'a Subject,
    scope: Scope,
    models: &'a Models,
    stages: Vec<Staged<'a>>,
    gate: Option<GateChoice>,
    servers: &'a [ServerStarted],
    passes: Vec<PassTold<'a>>,
    processes: &'a [ProcessEnd],
    notes: &'a [String],
    next_commands: Vec<String>,
    cost_usd: f64,
    tokens: Tokens,
    timestamps: Timestamps,
}

#[derive(Serialize)]
struct Timestamps {
    created: String,
    updated: String,
}

#[derive(Serialize)]
struct Staged<'a> {
    stage: Stage,
    state: StageState,
    began: Option<String>,
    ended: Option<String>,
    fault: Option<&'a StageFault>,
}

#[derive(Serialize)]
struct PassTold<'a> {
    against: Against,
    pass: u32,
    /// `report`, or why there is none.
    ran: &'static str,
    tests: Option<usize>,
    passed: Option<usize>,
    why: Option<&'a str>,
    /// The id of a tree with the project's files when it started; `None` when unknown, and in older runs.
    tree: Option<&'a str>,
    duration_ms: u64,
}

fn document(session: &Session) -> Document<'_> {
    let (cost_usd, tokens) = session.calls.spent();
    Document {
        version: VERSION,
        id: session.directory.name.as_deref().unwrap_or_default(),
        status: status::status(session),
        subject: &session.opening.subject,
        scope: session.scope(),
        models: &session.opening.models,
        stages: stages(session),
        gate: session.gate.as_ref().map(|gate| gate.decision),
        servers: &session.servers,
        passes: session.passes.iter().map(passed).collect(),
        processes: &session.processes,
        notes: &session.notes,
        next_commands: status::ways_on(session, true).into_iter().map(|(command, _)| command).collect(),
        cost_usd,
        tokens,
        timestamps: Timestamps {
            created: iso(session.calls.clock.began),
            updated: iso(session.calls.clock.now),
        },
    }
}

fn stages(session: &Session) -> Vec<Staged<'_>> {
    let staged = |stage: Stage| {
        let record = session.stages.get(&stage);
        Staged {
            stage,
            state: session.state_of(stage),
            began: record.and_then(|record| record.began).map(iso),
            ended: record.and_then(|record| record.ended).map(iso),
            fault: record.and_then(|record| record.fault.as_ref()),
        }
    };
    session.its_stages().into_iter().map(staged).collect()
}

fn passed(pass: &Pass) -> PassTold<'_> {
    let tests = match &pass.ran {
        RanTests::Report { tests } => Some(tests),
        _ => None,
    };
    let (ran, why) = match &pass.ran {
        RanTests::Report { .. } => ("report", None),
        RanTests::Absent => ("absent", None),
        RanTests::Empty => ("empty", None),
        RanTests::Unparsable { message } => ("unparsable", Some(message.as_str())),
        RanTests::TimedOut { .. } => ("timed_out", None),
        RanTests::Impossible { .. } => ("impossible", None),
        RanTests::ServerEnded { server, .. } => ("server_ended", Some(server.as_str())),
    };
    let did_pass = |test: &&TestSeen| test.status == TestStatus::Passed;
    PassTold {
        against: pass.against,
        pass: pass.number,
        ran,
        tests: tests.map(Vec::len),
        passed: tests.map(|tests| tests.iter().filter(did_pass).count()),
        why,
        tree: versions::tree(pass),
        duration_ms: pass.duration_ms,
    }
}

// ---- the end ----

#[derive(Serialize)]
struct Final<'a> {
    version: u32,
    id: &'a str,
    package: &'a str,
    subject: &'a Subject,
    scope: Scope,
    /// The earlier run that the tests come from, if they were repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_of: Option<&'a str>,
    outcome: Conclusion,
    /// Why the user stopped it before its end.
    cancelled: Option<&'a str>,
    /// Whether it was tested in spite of gaps.
    forced: bool,
    counts: Counts,
    to_complete: Vec<String>,
    criteria: Vec<Proven<'a>>,
    /// The project's own tests; `None` when the settings name none, or they were not listed.
    own_tests: Option<&'a Own>,
    checks: Vec<ProvenCheck<'a>>,
    /// The pages that the checks of pages looked at.
    pages: Option<&'a LookedAt>,
    journeys: &'a [Journey],
    gaps: &'a [Gap],
    gate: Option<GateChoice>,
    stages: Vec<Staged<'a>>,
    passes: Vec<PassTold<'a>>,
    /// The files that changed while the application was tested: they count as its data.
    written: Vec<&'a str>,
    versions: Versions<'a>,
    servers: &'a [ServerStarted],
    processes: &'a [ProcessEnd],
    console: Vec<OfTest<'a, Told>>,
    failed_requests: Vec<OfTest<'a, FailedRequest>>,
    evidence: &'a [EvidenceFile],
    cost_usd: f64,
    tokens: Tokens,
    timestamps: Timestamps,
}

#[derive(Serialize)]
struct Proven<'a> {
    #[serde(flatten)]
    judged: Judged,
    /// What the run before showed for it, if it was not met there and is met now.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<BeforeTold<'a>>,
    /// The verifier's opinion on it.
    opinion: Option<&'a Opinion>,
    seen: Vec<SeenTest<'a>>,
    evidence: Vec<Proof<'a>>,
}

/// A failure in the run before, and the files to compare.
#[derive(Serialize)]
struct BeforeTold<'a> {
    run: &'a str,
    at: String,
    test: &'a str,
    /// Of that run.
    files: &'a [EvidenceFile],
    /// Of this run.
    after: Vec<&'a EvidenceFile>,
}

/// A check with its command's output.
#[derive(Serialize)]
struct ProvenCheck<'a> {
    #[serde(flatten)]
    judged: JudgedCheck,
    seen: Vec<&'a Ran>,
    evidence: Vec<Proof<'a>>,
}

/// A test in one pass.
#[derive(Serialize)]
struct SeenTest<'a> {
    against: Against,
    pass: u32,
    whose: Whose,
    file: &'a str,
    title: &'a str,
    status: TestStatus,
    expects: u32,
    caught: u32,
    duration_ms: u64,
    error: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<&'a Shown>,
    steps: &'a [String],
}

/// A file that a test left behind, with its digest if it was recorded.
#[derive(Serialize)]
struct Proof<'a> {
    path: String,
    sha256: Option<&'a str>,
}

/// Something that a test produced in a pass against the application.
#[derive(Serialize)]
struct OfTest<'a, T> {
    test: &'a str,
    pass: u32,
    #[serde(flatten)]
    wording: &'a T,
}

fn last(session: &Session) -> Final<'_> {
    let (cost_usd, tokens) = session.calls.spent();
    let judged = session.judged();
    let analysis = session.analysis.as_ref();
    Final {
        version: VERSION,
        id: session.directory.name.as_deref().unwrap_or_default(),
        package: &session.opening.package,
        subject: &session.opening.subject,
        scope: session.scope(),
        tests_of: session.opening.repeat.as_ref().map(|repeat| repeat.run.as_str()),
        outcome: session.conclusion(),
        cancelled: session.cancelled.as_deref(),
        forced: session.gate.as_ref().is_some_and(|gate| gate.decision == GateChoice::ForceTest),
        counts: Counts::of(&judged),
        to_complete: report::to_complete(session, &judged),
        criteria: judged.into_iter().map(|judged| proven(session, judged)).collect(),
        own_tests: session.own.as_ref(),
        checks: session.judged_checks().into_iter().map(|judged| proven_check(session, judged)).collect(),
        pages: session.looked.as_ref(),
        journeys: analysis.map_or(&[], |analysis| &analysis.journeys),
        gaps: analysis.map_or(&[], |analysis| &analysis.gaps),
        gate: session.gate.as_ref().map(|gate| gate.decision),
        stages: stages(session),
        passes: session.passes.iter().map(passed).collect(),
        written: session.written().into_iter().collect(),
        versions: seen_with(session),
        servers: &session.servers,
        processes: &session.processes,
        console: of_application(session, |test| &test.console),
        failed_requests: of_application(session, |test| &test.failed_requests),
        evidence: &session.evidence,
        cost_usd,
        tokens,
        timestamps: Timestamps {
            created: iso(session.calls.clock.began),
            updated: iso(session.calls.clock.now),
        },
    }
}

/// The tools and files used for the run; each `None` when it was not recorded.
#[derive(Serialize)]
pub(super) struct Versions<'a> {
    pub(super) application: Option<&'a Sources>,
    pub(super) browser: Option<&'a str>,
    pub(super) playwright: Option<&'a str>,
}

pub(super) fn seen_with(session: &Session) -> Versions<'_> {
    let noted = || session.passes.iter().rev().map(|pass| &pass.noted);
    Versions {
        application: session.sources.as_ref(),
        browser: noted().find_map(|noted| noted.browser.as_deref()),
        playwright: noted().find_map(|noted| noted.playwright.as_deref()),
    }
}

/// Every test in every pass that left a report.
pub(super) fn seen_in(session: &Session) -> impl Iterator<Item = (&Pass, &TestSeen)> {
    session.passes.iter().flat_map(|pass| {
        let tests = match &pass.ran {
            RanTests::Report { tests } => tests.as_slice(),
            _ => &[],
        };
        tests.iter().map(move |test| (pass, test))
    })
}

fn of_application<T>(session: &Session, of: fn(&TestSeen) -> &[T]) -> Vec<OfTest<'_, T>> {
    let seen = seen_in(session).filter(|(pass, _)| pass.against == Against::Application);
    seen.flat_map(|(pass, test)| {
        of(test).iter().map(move |wording| OfTest { test: &test.title, pass: pass.number, wording })
    })
    .collect()
}

/// What pages wrote to the console in the passes against the application, each with its test.
pub(super) fn console(session: &Session) -> Vec<(&str, &Told)> {
    of_application(session, |test| &test.console).into_iter().map(|one| (one.test, one.wording)).collect()
}

/// Requests that failed in the passes against the application, each with its test.
pub(super) fn failed_requests(session: &Session) -> Vec<(&str, &FailedRequest)> {
    let all = of_application(session, |test| &test.failed_requests);
    all.into_iter().map(|one| (one.test, one.wording)).collect()
}

fn proven(session: &Session, judged: Judged) -> Proven<'_> {
    let is_its = |test: &TestSeen| judged.tests.iter().any(|one| one.is_of(test));
    let seen: Vec<(&Pass, &TestSeen)> = seen_in(session).filter(|(_, test)| is_its(test)).collect();
    let left = seen.iter().flat_map(|(_, test)| &test.attachments);
    let evidence = left.map(|one| proof(session, &one.path)).collect();
    let opinion = session.opinion(&judged.id);
    let seen = seen.into_iter().map(|(pass, test)| SeenTest {
        against: pass.against,
        pass: pass.number,
        whose: test.whose,
        file: &test.file,
        title: &test.title,
        status: test.status,
        expects: test.expects,
        caught: test.caught,
        duration_ms: test.duration_ms,
        error: &test.error,
        shown: test.shown.as_ref(),
        steps: &test.steps,
    });
    let seen = seen.collect();
    let before = before::pair(session, &judged).map(|pair| BeforeTold {
        run: pair.run,
        at: pair.time,
        test: &pair.fell.test,
        files: &pair.fell.files,
        after: pair.after,
    });
    Proven { judged, before, opinion, seen, evidence }
}

fn proven_check(session: &Session, judged: JudgedCheck) -> ProvenCheck<'_> {
    let seen = session.runs_of(&judged).map(|run| &run.ran).collect();
    let evidence = judged.outputs.iter().map(|output| proof(session, output)).collect();
    ProvenCheck { judged, seen, evidence }
}

/// A file, with its digest if it was recorded.
fn proof<'a>(session: &'a Session, path: &str) -> Proof<'a> {
    let known = session.evidence.iter().find(|file| file.path == path);
    Proof { path: path.to_owned(), sha256: known.map(|file| file.sha256.as_str()) }
}
