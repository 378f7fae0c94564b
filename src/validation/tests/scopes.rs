//! Runs in which a model only reads: `/validate-work` and `/validate-flows`. They end in a report that proves nothing and says so.

use super::durability::result;
use super::*;
use crate::design_lab::config::{Layer, Source};
use crate::validation::settings::settings_for;
use crate::validation::status::Status;
use kernel::testing::answered;

const SCOPES: [(Scope, &str, &str); 2] =
    [(Scope::Work, "work", "verify:1"), (Scope::Flows, "flows", "journeys:1")];

/// The settings without a file, but with one answer for all criteria.
fn unsaid() -> ValidationSettings {
    ValidationSettings { criteria_per_call: Some(100), ..settings_for(Scope::Work, None, &[]).unwrap() }
}

pub(super) fn reading(scope: Scope, script: &dyn Fn(&Ask) -> Does) -> Shell<'_> {
    run_of(opened_as(scope, subject(), unsaid()), script, &well)
}

#[test]
fn one_model_is_asked_and_nothing_is_started_or_waits_for_a_decision() {
    for (scope, phase, job) in SCOPES {
        let shell = reading(scope, &strict);
        let asked: Vec<&str> = shell.asked.iter().map(|ask| ask.job.as_str()).collect();
        assert_eq!(asked, [job]);
        assert_eq!(commanded(&shell), ["tear down"], "every run comes to that");
        let facts = shell.run.summary().unwrap();
        assert_eq!((facts.own.status, facts.own.scope), (Status::Incomplete, scope));
        assert!(!facts.unfinished && !facts.failed);
        assert_eq!(facts.directory.unwrap(), format!("{phase}-20261122t223110z-a1b2"));
        let last = shell.json("FINAL-VALIDATION.json");
        assert_eq!((&last["outcome"], &last["scope"]), (&json!("incomplete"), &json!(phase)));
        assert_eq!(last["counts"]["met"], json!(0), "a model's word is no verdict");
        assert!(last["to_complete"][0].as_str().unwrap().contains("/validate"));
        assert_eq!(last["stages"].as_array().unwrap().len(), 3);
        assert_eq!(shell.files.contains_key("verify.json"), scope == Scope::Work);
        assert_eq!(shell.files.contains_key("flow-analysis.json"), scope == Scope::Flows);
        assert!(shell.files.contains_key("report.html"));
        assert!(shell.run.decide(&unsaid(), "force-test").is_err(), "there is no gate");
        assert!(shell.run.resume(&unsaid(), &[]).is_err(), "it is finished");
        insta::assert_snapshot!(format!("{phase} status"), status(&shell));
        insta::assert_snapshot!(format!("{phase} report"), shell.files["FINAL-VALIDATION.md"]);
    }
}

#[test]
fn no_answer_of_a_model_makes_it_say_validated() {
    for (scope, ..) in SCOPES {
        let all_met = |ask: &Ask| match ask.job.as_str() {
            "verify:1" => Does::Says(
                json!({"criteria": [{"id": "C1", "verdict": "met"}, {"id": "C2", "verdict": "met"}]})
                    .to_string(),
            ),
            _ => honest(ask),
        };
        let shell = reading(scope, &all_met);
        assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
        for (name, text) in &shell.files {
            assert!(!text.contains("validated"), "{name}");
        }
        assert!(!status(&shell).contains("validated"));
    }
}

#[test]
fn every_fault_ends_in_a_report_and_can_be_continued() {
    for (scope, phase, job) in SCOPES {
        for does in [
            Does::Fails("ProviderAuthError", Some(401)),
            Does::Says("I have no idea.".to_owned()),
            Does::Ends("{\"criteria\": [".to_owned(), "length"),
        ] {
            let script = |_: &Ask| does.clone();
            let shell = reading(scope, &script);
            let facts = shell.run.summary().unwrap();
            assert!(facts.failed && facts.unfinished, "{phase}: {does:?}");
            assert_eq!(facts.own.status, Status::Incomplete);
            let report = &shell.files["FINAL-VALIDATION.md"];
            assert!(report.contains("/validate-resume"), "{phase}: {report}");
            let mut later = Shell::of(&shell.journal, &strict, Order::FirstIn).with_effects(&well);
            let events = later.run.resume(&unsaid(), &[]).unwrap();
            carry_out(&mut later, events);
            assert!(!later.run.summary().unwrap().unfinished, "{phase}: {does:?}");
            assert_eq!(later.asked.last().unwrap().job.as_str(), job);
        }
        let fails = |effect: &Effect| Decision::EffectFailed {
            effect: effect.number(),
            message: "No space left on device.".to_owned(),
        };
        let shell = run_of(opened_as(scope, subject(), unsaid()), &strict, &fails);
        let report = &shell.files["FINAL-VALIDATION.md"];
        assert!(report.contains("No space left on device."), "{report}");
    }
}

#[test]
fn after_each_line_it_can_be_resumed_or_cancelled() {
    for (scope, phase, _) in SCOPES {
        let undisturbed = reading(scope, &strict);
        for length in 1..undisturbed.journal.len() {
            let journal = &undisturbed.journal[..length];
            let of = || {
                let mut shell = Shell::of(journal, &strict, Order::FirstIn).with_effects(&well);
                shell.kept = undisturbed.kept_by_the_host();
                shell
            };
            let mut resumed = of();
            if let Ok(events) = resumed.run.resume(&unsaid(), &[]) {
                carry_out(&mut resumed, events);
            }
            assert_eq!(result(&resumed), result(&undisturbed), "{phase}, after line {length}");
            let paid = answered(journal).len() + resumed.recovered + resumed.asked.len();
            assert_eq!(paid, 1, "{phase}, after line {length}: the answer was paid for once");
            let mut cancelled = of();
            let events = cancelled.run.cancel().unwrap();
            if events.is_empty() || cancelled.run.summary().unwrap().directory.is_none() {
                continue;
            }
            carry_out(&mut cancelled, events);
            let status = cancelled.run.summary().unwrap().own.status;
            assert!(matches!(status, Status::Cancelled | Status::Incomplete), "{phase}, after line {length}");
            assert!(cancelled.files.contains_key("FINAL-VALIDATION.md"), "{phase}, after line {length}");
        }
    }
}

#[test]
fn journeys_are_looked_for_where_nobody_has_listed_criteria() {
    let bare = Subject { criteria: Vec::new(), ..subject() };
    let shell = run_of(opened_as(Scope::Flows, bare, unsaid()), &strict, &well);
    assert!(!shell.asked[0].text.contains("What has to hold"));
    assert_eq!(shell.json("FINAL-VALIDATION.json")["criteria"], json!([]));
    assert!(status(&shell).contains("G2 (J1)"));
}

#[test]
fn a_journal_that_names_no_scope_is_of_the_whole() {
    let shell = run(&honest, &well);
    let mut opening: Value = serde_json::to_value(opening()).unwrap();
    assert_eq!(opening["scope"], "full");
    opening.as_object_mut().unwrap().remove("scope");
    let older: EventKind = serde_json::from_value(opening).unwrap();
    let again = run_of(older, &honest, &well);
    assert_eq!(again.files["FINAL-VALIDATION.md"], shell.files["FINAL-VALIDATION.md"]);
}

#[test]
fn how_long_a_model_may_be_silent_stands_in_the_configuration_of_design_lab() {
    let text = r#"{ "timeouts": { "idle_ms": 30000 } }"#.to_owned();
    let source = Source { origin: Layer::Project, file: "design-lab.jsonc".to_owned(), text };
    let settings = settings_for(Scope::Work, None, &[source]).unwrap();
    for (settings, idle_ms) in [(settings, 30_000), (unsaid(), 600_000)] {
        let shell = run_of(opened_as(Scope::Work, subject(), settings), &strict, &well);
        assert!(!shell.asked.is_empty() && shell.asked.iter().all(|ask| ask.idle_ms == idle_ms));
    }
}
