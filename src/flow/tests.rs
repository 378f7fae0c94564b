//! Sessions in the virtual shell: scripted models and checks, a virtual clock, with faults and lies.

mod between;
mod copies;
mod durability;
mod ended;
pub(crate) mod examining;
mod fix;
mod forecast;
mod from;
mod gates;
mod grounds;
mod kept_behaviour;
pub(crate) mod lane;
mod leave;
mod ledger;
mod lies;
mod mutants;
pub(crate) mod mutation;
mod page;
mod panel;
pub(crate) mod parts;
mod race;
mod refusals;
mod replies;
mod reset;
mod rules;
mod select;
pub(crate) mod settings;
mod taken_over;
mod unchecked;

use super::Run;
use super::opening::{ConfiguredModels, OpeningInput, begin};
use super::plan::Plan;
use super::protocol::{
    ApartRun, Ask, CheckFinished, Command, Decision, Effect, EndedProcess, Event, EventKind, Overlay,
    RanApart, TreeTaken,
};
use super::session::Session;
use super::test_files::TestFile;
use crate::design_lab::config::{ExamPolicy, FlowSettings};
use crate::shared::ran::{CommandEnd, Output, Ran};
use crate::shared::runners::{Runner, Tests};
use crate::shared::wrapped::flat;
use crate::validation::protocol::SubjectSource;
use kernel::index::Owner;
use kernel::problem::{ErrorCode as _, Problem};
use kernel::protocol::Outcome;
use kernel::run::Durable as _;
use kernel::testing::{self, Does, Order};
use serde_json::{Value, json};

type Shell<'a> = testing::Shell<'a, Run>;
type Effects<'a> = &'a dyn Fn(&Effect) -> Decision;

fn plan_value() -> Value {
    let criterion = |id: &str, by: &str| json!({"id": id, "text": format!("{id} holds"), "verified_by": by});
    json!({"features": [
        {
            "id": "limits", "title": "Token bucket", "summary": "Build a token bucket.",
            "files": ["src/limits.js", "test/limits.test.js"], "depends_on": [],
            "verification": [
                {"id": "unit", "command": ["node", "--test", "test/limits.test.js"], "scope": "targeted", "timeout_ms": 60_000},
            ],
            "acceptance": [criterion("refills", "unit"), criterion("readable", "review")],
        },
        {
            "id": "api", "title": "Limits in the API", "summary": "Answer 429.",
            "files": ["src/api.js"], "depends_on": ["limits"],
            "verification": [
                {"id": "unit", "command": ["node", "--test", "test/api.test.js"], "scope": "targeted", "timeout_ms": 60_000},
                {"id": "all", "command": ["npm", "test"], "scope": "broad", "timeout_ms": 600_000},
            ],
            "acceptance": [
                criterion("answers", "unit"),
                criterion("under-load", "unverifiable: it takes a second machine"),
            ],
        },
    ]})
}

pub(super) fn plan() -> Plan {
    serde_json::from_value(plan_value()).unwrap()
}

/// The virtual shell lets hours pass between two processes, even where a real one would continue.
fn patient() -> FlowSettings {
    let mut settings = FlowSettings {
        mutation: 0,
        exam: ExamPolicy::Off,
        // One answer, except in the tests of `parts`.
        criteria_per_call: Some(100),
        ..FlowSettings::default()
    };
    settings.budget.session_ms = 7 * 24 * 60 * 60_000;
    settings
}

fn opening() -> EventKind {
    opened(false)
}

fn opened(automatic: bool) -> EventKind {
    opened_under(patient(), automatic)
}

fn opened_under(settings: FlowSettings, automatic: bool) -> EventKind {
    let model = |name: &str| Some(format!("acme/{name}"));
    let input = OpeningInput {
        package: "0.1.0".to_owned(),
        date: "2026-11-20".to_owned(),
        goal: "Limit the rate of the public API".to_owned(),
        configured: ConfiguredModels {
            planner: model("planner"),
            worker: model("worker"),
            reviewer: model("reviewer"),
            ..ConfiguredModels::default()
        },
        settings,
        automatic,
        ..OpeningInput::default()
    };
    EventKind::Opened(Box::new(begin(&input).unwrap()))
}

/// The answer of a model that does what it is asked.
fn right(ask: &Ask) -> Value {
    match ask.job.as_str().split(':').next() {
        Some("plan") => plan_value(),
        Some("work")
            if ["These checks", "The checks pass."].iter().any(|start| ask.text.starts_with(start)) =>
        {
            json!({"outcome": "done", "summary": "It is fixed."})
        }
        Some("work") => json!({"outcome": "done", "summary": "It is there."}),
        Some("exam") => examining::exam(ask, &["test/exam.test.js"]),
        _ => {
            if ask.text.contains("type Findings = ") {
                return json!({"decision": "approved", "findings": []});
            }
            let plan = plan();
            let feature = ask.job.as_str().split(':').nth(1).and_then(|id| plan.feature(id)).unwrap();
            let of_it = || feature.criteria().map(|one| one.id.clone()).collect();
            // The last line of a prompt names the criteria that it asks for.
            let last = ask.text.lines().last().and_then(|line| line.strip_prefix("Judge ")?.split_once(": "));
            let asked = last.map(|(_, ids)| ids.trim_end_matches('.').split(", "));
            let ids: Vec<String> = asked.map_or_else(of_it, |ids| ids.map(str::to_owned).collect());
            let met = ids.iter().map(|id| json!({"id": id, "met": true, "where": "src/limits.js:1"}));
            let criteria = json!({"criteria": met.collect::<Vec<_>>()});
            if ask.text.contains("type Judgement = ") {
                return criteria;
            }
            json!({"decision": "approved", "criteria": criteria["criteria"], "findings": []})
        }
    }
}

fn honest(ask: &Ask) -> Does {
    Does::Says(right(ask).to_string())
}

fn tree_taken(effect: &Effect, tree: &str) -> Decision {
    let Effect::TakeTree { effect, since, .. } = effect else { panic!("no tree is asked for") };
    let is_changed = since.iter().any(|since| since != tree);
    let changed = ["src/limits.js", "test/limits.test.js"].iter().filter(|_| is_changed);
    taken(*effect, tree, changed.map(|&path| path.to_owned()).collect(), Vec::new())
}

fn taken(effect: u32, tree: &str, changed: Vec<String>, tests: Vec<TestFile>) -> Decision {
    let (tree, recorded) = (tree.into(), Some(Box::default()));
    Decision::TreeTaken(Box::new(TreeTaken {
        effect,
        tree,
        changed,
        tests,
        recorded,
        ..TreeTaken::default()
    }))
}

/// The result of a command that passed.
pub(super) fn went_well() -> Ran {
    Ran {
        end: CommandEnd::Exited { code: 0 },
        duration_ms: 1_200,
        output: Output { bytes: 12, sha256: "00".repeat(32), tail: "ℹ tests 3".to_owned() },
        tests: Some(Tests { runners: vec![Runner::Node], ran: 3, skipped: 0 }),
        silent: None,
    }
}

/// The result of a command that failed, with this at the end of its output.
pub(super) fn failed(tail: &str) -> Ran {
    let output = Output { bytes: tail.len() as u64, sha256: "11".repeat(32), tail: tail.to_owned() };
    Ran { end: CommandEnd::Exited { code: 1 }, output, ..went_well() }
}

/// Correct results in copies: checks fail without the feature, and pass in a clean copy.
fn apart(effect: &Effect) -> Decision {
    apart_with(
        effect,
        |over, _| if matches!(over, Overlay::Paths { .. }) { failed("not ok") } else { went_well() },
    )
}

fn apart_with(effect: &Effect, went: impl Fn(&Overlay, &ApartRun) -> Ran) -> Decision {
    let Effect::RunApart { effect, over, runs, review, .. } = effect else { panic!("no copy is asked for") };
    let runs = runs.iter().map(|run| went(over, run)).collect();
    let seal = review.then(|| "5e".repeat(32));
    Decision::RanApart(Box::new(RanApart { effect: *effect, runs, seal, ..RanApart::default() }))
}

/// Sessions of these tests try no small faults and have no exam, except those of [`mutation`] and [`examining`].
fn untried() -> Decision {
    panic!("a fault is tried, an exam sat or a lane made, although the settings want none")
}

/// A check that passes on this tree; tests change the result where it shouldn't pass.
pub(super) fn passed(effect: u32, tree: &str) -> CheckFinished {
    CheckFinished {
        effect,
        tree_before: tree.into(),
        tree_after: tree.into(),
        changed: Vec::new(),
        touched: Vec::new(),
        ran: went_well(),
    }
}

fn finished(seen: CheckFinished) -> Decision {
    Decision::CheckFinished(Box::new(seen))
}

/// The state of the files at each effect of a session in which all goes well, with one repair round in the first feature: trees by
/// the number of the effect, so that they are the same after a crash.
fn well(effect: &Effect) -> Decision {
    // 1 before, 2 after, 3 check (fails), 4 after, 5 check, 6 to 8 copies, 9 confirmed; 10 before, 11 after, 12 and 13 checks, 14
    // to 16 copies, 17 confirmed.
    let tree = match effect.number() {
        1 => "t0",
        2 | 3 => "t1",
        4..=10 => "t2",
        _ => "t3",
    };
    match effect {
        Effect::TakeTree { .. } => tree_taken(effect, tree),
        Effect::RunCheck { effect: 3, .. } => {
            finished(CheckFinished { ran: failed("not ok 1 - it refills\n"), ..passed(3, tree) })
        }
        Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

/// Runs the user's command until it is finished.
fn carry_out(shell: &mut Shell<'_>, event: EventKind) -> Outcome {
    shell.ending = None;
    shell.feed(event);
    shell.finish()
}

fn drafted<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opening());
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

/// The same under the rules of a session that began before rules were numbered.
fn drafted_before<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    drafted_under(0, script, effects)
}

/// The same under earlier rules.
fn drafted_under<'a>(rules: u32, script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    let EventKind::Opened(opening) = opening() else { panic!("a session begins by its opening") };
    let mut written = serde_json::to_value(*opening).unwrap();
    let fields = written.as_object_mut().unwrap();
    match rules {
        0 => fields.remove("rules"),
        _ => fields.insert("rules".to_owned(), json!(rules)),
    };
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(EventKind::Opened(Box::new(serde_json::from_value(written).unwrap())));
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

fn approved<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> Shell<'a> {
    approve(drafted(script, effects))
}

fn approve(mut shell: Shell<'_>) -> Shell<'_> {
    let hash = shell.run.state().unwrap().hash.clone();
    let event = shell.run.approve(&hash[..8]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
    shell
}

fn run_next(shell: &mut Shell<'_>) -> Outcome {
    let event = shell.run.start("", &[]).unwrap();
    carry_out(shell, event)
}

/// The output of `/flow-status`, without the head of the journal.
fn status(shell: &Shell<'_>) -> String {
    headless(&shell.run.status(&Owner::Nobody))
}

fn headless(text: &str) -> String {
    let is_head = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut out = text.to_owned();
    for head in text.split_whitespace().filter(is_head) {
        out = out.replace(head, "<head>");
    }
    out
}

fn code(shell: &Shell<'_>) -> String {
    shell
        .run
        .state()
        .unwrap()
        .recovery
        .as_ref()
        .map_or(String::new(), |recovery| recovery.error_code.text().into_owned())
}

/// The journal of a session in which every feature is complete.
pub(super) fn whole_journal() -> String {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    run_next(&mut shell);
    shell.journal.concat()
}

#[test]
fn a_plan_is_drafted_approved_built_and_complete() {
    let mut shell = drafted(&honest, &well);
    let session = shell.json("session.json");
    assert_eq!((&session["status"], &session["approval"]), (&json!("draft"), &Value::Null));
    insta::assert_snapshot!("is waiting for approval", status(&shell));

    let hash = shell.run.state().unwrap().hash.clone();
    let event = shell.run.approve(&hash[..8].to_uppercase()).unwrap();
    carry_out(&mut shell, event);
    assert_eq!(shell.json("session.json")["approval"]["by"], "user");
    assert_eq!(shell.json("session.json")["status"], "approved");

    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let session = shell.json("session.json");
    assert_eq!(session["execution"]["features"][0]["state"], "completed");
    assert_eq!(session["execution"]["features"][0]["rounds"], 2);
    assert_eq!(session["next_command"], "/flow-run");
    let fix = shell.prompts_to("acme/worker")[1];
    assert!(fix.contains("not ok 1 - it refills") && fix.contains("exit code 1"), "{fix}");
    assert!(!fix.contains("Token bucket"), "the conversation holds that already: {fix}");
    insta::assert_snapshot!("one feature is complete", status(&shell));

    assert_eq!(run_next(&mut shell), Outcome::Complete);
    let session = shell.json("session.json");
    assert_eq!((&session["status"], &session["recovery"]), (&json!("completed"), &Value::Null));
    let file = shell.json(session["execution"]["features"][1]["file"].as_str().unwrap());
    let checks = file["evidence"].as_array().unwrap();
    let checks: Vec<_> = checks
        .iter()
        .map(|one| (one["check"].as_str().unwrap(), one["standing"].as_str().unwrap()))
        .collect();
    assert_eq!(
        checks,
        [("unit", "passed"), ("all", "passed")],
        "the last feature also passes every broad check"
    );
    insta::assert_snapshot!("complete", status(&shell));
    insta::assert_snapshot!("index", headless(&shell.files["docs/index.md"]));
    insta::assert_snapshot!("page", shell.files["docs/features/api.md"]);
    let review = shell.prompts_to("acme/reviewer")[0];
    assert!(review.contains("- src/limits.js") && review.contains("passed (3 tests ran)"), "{review}");
    assert_eq!(
        shell.files,
        shell.run.files().unwrap().into_iter().collect(),
        "what a crash kept from disk can be written again"
    );
}

#[test]
fn the_chat_has_the_address_of_the_page_where_the_session_rests() {
    let place = "file:///home/ada/a%20shop/.flow/sessions/s";
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    assert!(!shell.run.live_message_at(0, place, None).contains("file:///"), "nothing rests yet");
    shell.finish();
    let (message, page) =
        (shell.run.live_message_at(0, place, None), shell.run.live_message() + "\n\nfile:///");
    assert!(
        message.starts_with(&page)
            && message.ends_with("\nfile:///home/ada/a%20shop/.flow/sessions/s/report.html"),
        "{message}"
    );
    assert!(shell.files.contains_key("report.html"));
    let kept = shell.journal.iter().chain(shell.files.values());
    assert!(kept.into_iter().all(|text| !text.contains("file:///")), "nothing that is kept has it");
}

#[test]
fn a_validation_goes_by_the_acceptance_lists_of_the_plan() {
    let mut shell = approved(&honest, &well);
    assert_eq!(shell.run.to_validate().unwrap().source, of_session(&shell, None));
    run_next(&mut shell);
    let subject = shell.run.to_validate().unwrap();
    assert_eq!(subject.source, of_session(&shell, Some("t2")));
    let criteria: Vec<String> =
        subject.criteria.iter().map(|one| format!("{} {}", one.id, one.text)).collect();
    assert_eq!(
        criteria,
        [
            "C1 Token bucket: refills holds",
            "C2 Token bucket: readable holds",
            "C3 Limits in the API: answers holds",
            "C4 Limits in the API: under-load holds",
        ]
    );
    assert_eq!(subject.title, "Limit the rate of the public API");
    assert_eq!(Run::new().to_validate().unwrap_err().error_code, super::FlowCode::SessionNone);
    let fails = |_: &Ask| Does::Fails("ProviderAuthError", Some(401));
    let mut planless = Shell::new(&fails, Order::FirstIn);
    planless.feed(opening());
    assert_eq!(planless.run.to_validate().unwrap_err().error_code, super::FlowCode::PlanMissing);
}

fn of_session(shell: &Shell<'_>, tree: Option<&str>) -> SubjectSource {
    let session = shell.run.summary().unwrap().directory.unwrap();
    let worker = tree.map(|_| "acme/worker".to_owned());
    SubjectSource::Flow { session, tree: tree.map(str::to_owned), worker }
}

#[test]
fn journals_hold_events_of_one_line_that_say_what_happened() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    let events: Vec<String> = shell
        .journal
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        events,
        [
            "opened",
            "directory_claimed",
            "session_opened",
            "answered",
            "closed",
            "approved",
            "closed",
            "started",
            "tree_taken",
            "session_opened",
            "answered",
            "tree_taken",
            "check_finished",
            "answered",
            "tree_taken",
            "check_finished",
            "ran_apart",
            "ran_apart",
            "ran_apart",
            "session_opened",
            "answered",
            "tree_taken",
            "closed",
        ]
    );
    let check: Value = serde_json::from_str(&shell.journal[12]).unwrap();
    assert_eq!(check["ran"]["end"], json!({"how": "exited", "code": 1}));
    let command: Command = Command::Perform(Effect::TakeTree {
        effect: 7,
        since: None,
        ends_work: false,
        seal: None,
        link: Vec::new(),
        undo: None,
        outside_since: None,
        hold: None,
    });
    assert_eq!(
        serde_json::to_value(command).unwrap(),
        json!({"command": "take_tree", "effect": 7, "since": null})
    );
}
