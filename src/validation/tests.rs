//! Runs in the virtual shell, with scripted models, servers and tests and a virtual clock; including faults and lies.

mod before_after;
mod checks;
mod crash;
mod durability;
mod faults;
mod fix;
mod forecast;
mod gate;
mod grounds;
mod lies;
mod own;
mod page;
mod parts;
mod patience;
mod repeat;
mod replies;
mod rules;
mod scopes;
mod seen;
mod taken_over;
mod to_fix;
mod verdicts;
mod verify;
mod versions;
mod written_by;

use super::analysis::Analysis;
use super::code::ValidationCode;
use super::opening::{OpeningInput, begin};
use super::own::Own;
use super::protocol::{
    Against, Ask, Attachment, Command, Criterion, Decision, Effect, EventKind, EvidenceFile, FailedRequest,
    GateChoice, How, Listed, ListedTest, Listener, LogEnd, LookedAt, Noted, PageSeen, ProcessEnd, RanTests,
    Scope, ServerStarted, Shown, Sources, StepKind, Subject, SubjectSource, TestSeen, TestStatus, Told,
    TrailStep, Uncommitted, Whose,
};
use super::run::Run;
use super::settings::{MappedTests, ServerSettings, TestsSettings, ValidationSettings};
use super::subject::SubjectInput;
use crate::design_lab::config::AvailableModels;
use crate::shared::ran::{CommandEnd, Output, Ran};
use crate::shared::wrapped::flat;
use kernel::index::Owner;
use kernel::protocol::Outcome;
use kernel::run::Durable as _;
use kernel::testing::{self, Does, Order};
use serde_json::{Value, json};

type Shell<'a> = testing::Shell<'a, Run>;
type Effects<'a> = &'a dyn Fn(&Effect) -> Decision;

/// The subject of the runs.
pub(super) fn subject() -> Subject {
    let criterion = |id: &str, text: &str| Criterion { id: id.to_owned(), text: text.to_owned() };
    Subject {
        title: "Sign in".to_owned(),
        text: "Users sign in, and out again.".to_owned(),
        source: SubjectSource::Text,
        criteria: vec![criterion("C1", "A user signs in"), criterion("C2", "A wrong password is reported")],
    }
}

fn gaps() -> Value {
    json!([
        {"id": "G1", "severity": "minor", "type": "state", "journey": "J1", "evidence": "src/a.js:7: the name is forgotten"},
        {"id": "G2", "severity": "blocker", "type": "dead_end", "journey": "J1", "evidence": "src/b.js:1: `/flow-plan rm -rf ~` leads nowhere"},
    ])
}

fn analysis_value(gaps: &Value) -> Value {
    json!({
        "journeys": [{"id": "J1", "title": "Sign in", "steps": ["Open the page", "Type the name"]}],
        "gaps": gaps,
    })
}

/// An analyst's answer without gaps.
pub(super) fn analysis() -> Analysis {
    serde_json::from_value(analysis_value(&json!([]))).unwrap()
}

fn settings() -> ValidationSettings {
    serde_json::from_value(json!({
        "servers": [{"name": "web", "command": ["node", "server.js"], "allow": true}],
        // One answer, except in the tests of `parts`.
        "criteria_per_call": 100,
    }))
    .unwrap()
}

fn opening() -> EventKind {
    opened(subject(), settings())
}

fn opened(subject: Subject, settings: ValidationSettings) -> EventKind {
    opened_as(Scope::Full, subject, settings)
}

fn opened_as(scope: Scope, subject: Subject, settings: ValidationSettings) -> EventKind {
    let available = AvailableModels { current: Some("acme/model".to_owned()), ..AvailableModels::default() };
    let input = OpeningInput {
        package: "0.1.0".to_owned(),
        stamp: "20261122T223110Z".to_owned(),
        suffix: "a1b2".to_owned(),
        subject: SubjectInput::Flow { subject: Box::new(subject) },
        scope,
        available,
        settings,
        left: Vec::new(),
        obstacle: None,
        fast_check: None,
    };
    EventKind::Opened(Box::new(begin(&input).unwrap()))
}

const TEXT: &str = "import { expect, test } from \"./validation\";\n\
    test(\"signs in\", { tag: \"@C1\" }, async ({ page }) => {});\n\
    test(\"tells a wrong password\", { tag: \"@C2\" }, async ({ page }) => {});\n";

/// The answer of a model that does what it is asked; `gaps`: those that the analyst finds.
fn right(ask: &Ask, gaps: &Value) -> Value {
    match ask.job.as_str() {
        "verify:1" => json!({"criteria": [
            {"id": "C1", "verdict": "met", "file": "src/a.js", "line": 3, "note": "There is a form."},
            {"id": "C2", "verdict": "cannot_tell"},
        ]}),
        "journeys:1" => analysis_value(gaps),
        _ => json!({"files": [{"path": "sign-in.spec.ts", "text": TEXT}]}),
    }
}

fn honest(ask: &Ask) -> Does {
    Does::Says(right(ask, &json!([])).to_string())
}

/// A model that finds gaps.
fn strict(ask: &Ask) -> Does {
    Does::Says(right(ask, &gaps()).to_string())
}

/// A test of the project's own that decides C2.
pub(super) fn own() -> Own {
    Own::new(&own_settings(), &subject().criteria, &own_listed()).unwrap()
}

fn own_settings() -> TestsSettings {
    let map = [MappedTests {
        file: Some("login.spec.ts".to_owned()),
        title: Some("wrong".to_owned()),
        criteria: vec!["C2".to_owned()],
    }];
    TestsSettings { directory: "e2e".to_owned(), map: map.to_vec() }
}

/// The tests in the project's own directory.
fn own_listed() -> Vec<ListedTest> {
    let listed = |title: &str| ListedTest {
        file: "e2e/login.spec.ts".to_owned(),
        title: title.to_owned(),
        tags: Vec::new(),
    };
    ["a wrong password", "something else"].map(listed).to_vec()
}

/// A passing test, to be changed where needed.
pub(super) fn test_seen(title: &str, tag: &str) -> TestSeen {
    TestSeen {
        whose: Whose::Written,
        file: "tests/sign-in.spec.ts".to_owned(),
        title: title.to_owned(),
        tags: vec![tag.to_owned()],
        status: TestStatus::Passed,
        expects: 2,
        caught: 0,
        duration_ms: 800,
        error: String::new(),
        console: Vec::new(),
        failed_requests: Vec::new(),
        attachments: Vec::new(),
        steps: vec!["page.goto(/)".to_owned(), "expect.toBeVisible".to_owned()],
        visited: vec!["http://127.0.0.1:4711/sign-in".to_owned()],
        shown: None,
        trail: Some(trail_to("")),
        opened: Vec::new(),
        mocks: Vec::new(),
        evaluated: Vec::new(),
        slowest_assertion_ms: Some(20),
        slowest_action_ms: Some(30),
        rules: Vec::new(),
    }
}

/// A page is opened, and something is asserted.
fn trail_to(error: &str) -> Vec<TrailStep> {
    let step =
        |kind, title: &str, error: &str| TrailStep { kind, title: title.to_owned(), error: error.to_owned() };
    vec![step(StepKind::Call, "Navigate", ""), step(StepKind::Expect, "Expect \"toBeVisible\"", error)]
}

fn fallen(test: TestSeen) -> TestSeen {
    TestSeen {
        trail: Some(trail_to("Error: expect(locator).toBeVisible() failed")),
        status: TestStatus::Failed,
        error: "\nError: expect(locator).toBeVisible() failed\nReceived: <nothing>".to_owned(),
        ..test
    }
}

/// The results of both tests if all is well.
fn tests_seen(against: Against, pass: u32) -> Vec<TestSeen> {
    let both = [("signs in", "@C1"), ("tells a wrong password", "@C2")];
    let both = both.map(|(title, tag)| test_seen(title, tag));
    if against != Against::Application {
        return both.map(fallen).to_vec();
    }
    let [mut first, second] = both;
    first.attachments = vec![Attachment {
        name: "trace".to_owned(),
        path: format!("playwright/application-{pass}/artifacts/trace.zip"),
    }];
    first.console = vec![Told {
        level: "error".to_owned(),
        text: "Failed to load favicon".to_owned(),
        page: "http://127.0.0.1:4711/".to_owned(),
    }];
    first.failed_requests = vec![FailedRequest {
        method: "GET".to_owned(),
        url: "http://127.0.0.1:4711/favicon.ico".to_owned(),
        status: Some(404),
        reason: String::new(),
    }];
    vec![first, second]
}

/// Servers and tests as they should be.
fn well(effect: &Effect) -> Decision {
    well_but(effect, tests_seen)
}

fn well_but(effect: &Effect, seen: impl Fn(Against, u32) -> Vec<TestSeen>) -> Decision {
    let number = effect.number();
    match effect {
        Effect::ListTests { files, .. } => {
            let listed = seen(Against::Application, 1).into_iter().map(|test| ListedTest {
                file: files[0].clone(),
                title: test.title,
                tags: test.tags,
            });
            Decision::TestsListed { effect: number, listed: Listed::Tests { tests: listed.collect() } }
        }
        Effect::ListOwnTests { .. } => {
            Decision::TestsListed { effect: number, listed: Listed::Tests { tests: own_listed() } }
        }
        Effect::RunCheck { .. } => Decision::CheckRan { effect: number, ran: check_ran(0) },
        Effect::StartServers { servers, .. } => {
            let servers = servers.iter().map(started).collect();
            let uncommitted = Some(Uncommitted { files: vec!["src/sign-in.js".to_owned()], count: 2 });
            let (commit, tree) = (Some("c0".repeat(20)), "7e".repeat(20));
            let sources = Sources::Git { commit, tree, uncommitted };
            Decision::ServersStarted { effect: number, servers, sources: Some(sources) }
        }
        Effect::RunTests { against, pass, .. } => Decision::TestsRan {
            effect: number,
            ran: RanTests::Report { tests: seen(*against, *pass) },
            duration_ms: 2_000,
            noted: noted(*against),
        },
        Effect::LookAtPages { pages, a11y, .. } => Decision::PagesSeen {
            effect: number,
            seen: LookedAt::Pages {
                pages: pages.iter().map(|url| page_seen(url)).collect(),
                axe: a11y.then(|| "4.14.1".to_owned()),
            },
        },
        Effect::StopServers { .. } => Decision::TornDown {
            effect: number,
            processes: vec![ProcessEnd {
                name: "web".to_owned(),
                pid: 4_712,
                end: How::Terminated,
                why: String::new(),
                look: String::new(),
                checked: ["start time", "nonce"].map(str::to_owned).to_vec(),
            }],
            evidence: Vec::new(),
        },
        Effect::TearDown { .. } => Decision::TornDown {
            effect: number,
            processes: Vec::new(),
            evidence: vec![EvidenceFile {
                path: "playwright/application-1/artifacts/trace.zip".to_owned(),
                bytes: 1_234,
                sha256: "ab".repeat(32),
            }],
        },
    }
}

/// The result of a check's command.
fn check_ran(code: i32) -> Ran {
    let output = Output { bytes: 9, sha256: "cd".repeat(32), tail: "built <b>\n".to_owned() };
    Ran { end: CommandEnd::Exited { code }, duration_ms: 1_500, output, tests: None, silent: None }
}

/// A page without faults.
fn page_seen(url: &str) -> PageSeen {
    let said = |text: &str| Some(text.to_owned());
    PageSeen {
        url: url.to_owned(),
        at: url.to_owned(),
        status: Some(200),
        is_html: true,
        title: said("Sign in"),
        language: said("en"),
        description: said("Users sign in"),
        canonical: said("http://127.0.0.1:4711/"),
        barriers: Vec::new(),
        problem: None,
    }
}

/// What is recorded about a run of tests.
fn noted(against: Against) -> Noted {
    let log = LogEnd { server: "web".to_owned(), tail: "GET / 200\nPOST /session 500 <script>\n".to_owned() };
    let logs = if against == Against::Application { vec![log] } else { Vec::new() };
    let browser = Some("chromium 139.0.7258.5".to_owned());
    Noted { playwright: Some("1.61.0".to_owned()), browser, logs, ..Noted::default() }
}

fn started(server: &ServerSettings) -> ServerStarted {
    ServerStarted {
        name: server.name.clone(),
        url: "http://127.0.0.1:4711".to_owned(),
        port: 4_711,
        pid: 4_712,
        listener: Listener::Group,
        ready_after_ms: 300,
    }
}

/// Carries out the user's command to its end.
fn carry_out(shell: &mut Shell<'_>, events: Vec<EventKind>) -> Outcome {
    shell.ending = None;
    for event in events {
        shell.feed(event);
    }
    shell.finish()
}

fn run<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    run_of(opening(), script, effects)
}

fn run_of<'a>(opening: EventKind, script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opening);
    shell.finish();
    shell
}

fn decide(shell: &mut Shell<'_>, decision: &str) -> Outcome {
    let events = shell.run.decide(&settings(), decision).unwrap();
    carry_out(shell, events)
}

fn status(shell: &Shell<'_>) -> String {
    shell.run.status(&Owner::Nobody)
}

/// The verdicts of the criteria, in order.
fn verdicts(shell: &Shell<'_>) -> Vec<String> {
    let last = shell.json("FINAL-VALIDATION.json");
    let criteria = last["criteria"].as_array().unwrap();
    criteria.iter().map(|one| one["verdict"].as_str().unwrap().to_owned()).collect()
}

fn commanded(shell: &Shell<'_>) -> Vec<&'static str> {
    let word = |effect: &Effect| match effect {
        Effect::ListTests { .. } => "list",
        Effect::ListOwnTests { .. } => "list own",
        Effect::RunCheck { .. } => "check",
        Effect::StartServers { .. } => "start",
        Effect::RunTests { against: Against::Application, .. } => "test",
        Effect::RunTests { against: Against::Nothing, .. } => "nothing",
        Effect::RunTests { against: Against::Blank, .. } => "blank",
        Effect::RunTests { against: Against::Frozen, .. } => "frozen",
        Effect::RunTests { against: Against::Live, .. } => "live",
        Effect::LookAtPages { .. } => "look",
        Effect::StopServers { .. } => "stop",
        Effect::TearDown { .. } => "tear down",
    };
    shell.effects_asked.iter().map(word).collect()
}

#[test]
fn a_good_build_is_validated() {
    let shell = run(&honest, &well);
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_eq!(
        commanded(&shell),
        ["list", "start", "test", "test", "stop", "nothing", "blank", "frozen", "start", "live", "tear down"]
    );
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!((&last["outcome"], &last["counts"]["met"]), (&json!("validated"), &json!(2)));
    assert_eq!(last["to_complete"], json!([]));
    assert_eq!(last["criteria"][0]["evidence"][0]["sha256"], json!("ab".repeat(32)));
    assert_eq!(last["criteria"][0]["evidence"][1]["sha256"], Value::Null, "of the second pass nobody told");
    assert_eq!(shell.json("run.json")["status"], "validated");
    assert_eq!(shell.json("verify.json")["tier"], "a model's opinion");
    assert_eq!(shell.files["tests/sign-in.spec.ts"], TEXT);
    insta::assert_snapshot!("validated", status(&shell));
    insta::assert_snapshot!("report", shell.files["FINAL-VALIDATION.md"]);
    assert_eq!(
        shell.files,
        shell.run.files().unwrap().into_iter().collect(),
        "what a crash kept from disk can be written again"
    );
    let Some(Effect::RunTests { base_url, test_ms, timeout_ms, files, .. }) = shell.effects_asked.get(5)
    else {
        panic!("a counterfeit is tested")
    };
    assert_eq!((base_url.as_str(), *test_ms, *timeout_ms), ("http://127.0.0.1:4711", 14_000, 88_000));
    assert_eq!(*files, ["tests/sign-in.spec.ts"]);
    let next = json!(["git commit", "/validate --keep e2e validate-20261122t223110z-a1b2"]);
    assert_eq!(shell.json("run.json")["next_commands"], next, "the end is on disk by then");
}

#[test]
fn the_chat_has_the_address_of_the_page_once_there_is_a_report() {
    let place = "file:///home/ada/a%20shop/.design-lab/validation/r";
    let shell = run(&strict, &well);
    assert_eq!(
        shell.run.live_message_at(shell.now, place, &[]),
        shell.run.live_message(),
        "it waits for a decision"
    );
    let shell = run(&honest, &well);
    let address = "\n\nfile:///home/ada/a%20shop/.design-lab/validation/r/report.html";
    assert_eq!(shell.run.live_message_at(shell.now, place, &[]), shell.run.live_message() + address);
    assert_eq!(shell.run.live_message_at(shell.now, "", &[]), shell.run.live_message());
    assert!(shell.files.contains_key("report.html"));
}

#[test]
fn tests_lie_there_before_they_are_listed() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    while shell.effects_asked.is_empty() {
        assert!(!shell.files.contains_key("tests/sign-in.spec.ts"));
        assert!(shell.step());
    }
    assert!(matches!(shell.effects_asked[0], Effect::ListTests { .. }));
    assert!(shell.files.contains_key("tests/sign-in.spec.ts"));
    let event = super::protocol::Event { at: shell.now + 5_000, kind: EventKind::Woken };
    let line = shell.run.seal(&event);
    let again = shell.run.apply(&line).unwrap();
    let writes = again.iter().filter(|command| matches!(command, Command::Write { .. })).count();
    assert_eq!(writes, 1, "run.json alone says something else: when it was looked at last");
}

#[test]
fn without_criteria_the_verifier_lists_them() {
    let lists = |ask: &Ask| match ask.job.as_str() {
        "verify:1" => Does::Says(
            json!({"criteria": [
                {"id": "C1", "text": "It shows a form", "verdict": "met"},
                {"id": "C2", "text": "It says what is wrong", "verdict": "not_met"},
            ]})
            .to_string(),
        ),
        _ => honest(ask),
    };
    let bare = Subject { criteria: Vec::new(), ..subject() };
    let shell = run_of(opened(bare, settings()), &lists, &well);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!(last["criteria"][1]["text"], "It says what is wrong");
    assert_eq!(last["outcome"], "validated", "a verifier's opinion on a criterion is no verdict");
    assert!(shell.asked[1].text.contains("- C2: It says what is wrong"));
}

#[test]
fn a_run_has_a_name_of_its_own() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.taken.push("validate-20261122t223110z-a1b2".to_owned());
    shell.feed(opening());
    shell.finish();
    let name = shell.run.summary().unwrap().directory.unwrap();
    assert_eq!(name, "validate-20261122t223110z-a1b2-2");
}
