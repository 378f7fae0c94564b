//! Every refusal, with its way to continue; and everything that can be wrong with a plan.

use super::*;
use crate::flow::plan;
use crate::flow::recovery::Recovery;
use kernel::problem::ErrorCode as _;

/// A refusal as people and programs get it.
fn refused(result: Result<EventKind, Recovery>) -> (String, String) {
    let recovery = result.unwrap_err();
    assert!(!recovery.message.is_empty() && !recovery.resolution_hint.is_empty(), "{recovery:?}");
    assert!(
        recovery.next_command.starts_with("/flow-") && !recovery.next_command.contains('<'),
        "{recovery:?}"
    );
    let (code, command) = (recovery.error_code.text().into_owned(), recovery.next_command.clone());
    let problem = Problem::from(recovery);
    assert_eq!(problem.code.as_str(), code);
    assert!(problem.next.unwrap().contains(&command));
    (code, command)
}

fn select(shell: &Shell<'_>, id: &str) -> Result<EventKind, Recovery> {
    shell.run.select(vec![id.to_owned()])
}

#[test]
fn every_refusal_says_what_to_do() {
    let none = Run::new();
    let waiting = drafted(&honest, &well);
    let hash = waiting.run.state().unwrap().hash.clone();
    let ready = approved(&honest, &well);
    let mut done = approved(&honest, &well);
    let mut half = approved(&honest, &well);
    run_next(&mut half);
    run_next(&mut done);
    run_next(&mut done);
    let replan = |ask: &Ask| {
        if ask.job.as_str().starts_with("work") {
            Does::Says(json!({"outcome": "blocked", "summary": "No."}).to_string())
        } else {
            honest(ask)
        }
    };
    let mut blocked = approved(&replan, &well);
    run_next(&mut blocked);
    let mut begun = approved(&honest, &well);
    let event = begun.run.start("", &[]).unwrap();
    begun.ending = None;
    begun.feed(event);
    let mut revised = approved(&honest, &well);
    let smaller = |ask: &Ask| {
        let mut value = plan_value();
        value["features"][1]["title"] = json!("Smaller");
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    let mut smaller = Shell::of(&revised.journal, &smaller, Order::FirstIn).with_effects(&well);
    let event = smaller.run.revise("smaller", &[]).unwrap();
    carry_out(&mut smaller, event);
    std::mem::swap(&mut revised.run, &mut smaller.run);

    let approve = format!("/flow-plan approve {}", &hash[..8]);
    let renewed = format!("/flow-plan approve {}", &revised.run.state().unwrap().hash[..8]);
    let table: Vec<(&str, Result<EventKind, Recovery>, &str, &str)> = vec![
        ("no session", none.start("", &[]), "session.none", "/flow-status"),
        ("no session", none.revise("x", &[]), "session.none", "/flow-status"),
        ("no session", none.approve("x"), "session.none", "/flow-status"),
        ("no session", none.resume(), "session.none", "/flow-status"),
        ("no remarks", waiting.run.revise(" ", &[]), "plan.no-remarks", "/flow-status"),
        ("no hash", waiting.run.approve(""), "approval.no-hash", "/flow-status"),
        ("too short", waiting.run.approve(&hash[..7]), "approval.wrong-hash", "/flow-status"),
        ("wrong", waiting.run.approve("00000000"), "approval.wrong-hash", "/flow-status"),
        ("outdated", revised.run.approve(&hash[..8]), "approval.outdated-hash", "/flow-status"),
        ("void", revised.run.start("", &[]), "approval.missing", &renewed),
        ("again", ready.run.approve(&hash), "approval.already", "/flow-run"),
        ("not approved", waiting.run.start("", &[]), "approval.missing", &approve),
        ("unknown", ready.run.reset("limit"), "run.unknown-feature", "/flow-reset feature limits"),
        ("untouched", ready.run.reset("limits"), "reset.nothing", "/flow-run"),
        ("under way", begun.run.reset("limits"), "session.interrupted", "/flow-resume"),
        ("no session", none.reset("x"), "session.none", "/flow-status"),
        ("no session", none.archive(), "session.none", "/flow-status"),
        ("no session", none.select(Vec::new()), "session.none", "/flow-status"),
        ("nothing selected", waiting.run.select(Vec::new()), "plan.no-selection", "/flow-status"),
        ("all selected", select(&waiting, "api"), "plan.no-selection", "/flow-status"),
        ("unknown", select(&waiting, "apis"), "run.unknown-feature", "/flow-plan select api"),
        ("approved", select(&ready, "limits"), "approval.already", "/flow-run"),
        ("under way", select(&begun, "limits"), "session.interrupted", "/flow-resume"),
        ("over", select(&done, "limits"), "session.completed", "/flow-status"),
        ("unknown", ready.run.start("limit", &[]), "run.unknown-feature", "/flow-run limits"),
        ("unknown", ready.run.start("something-else", &[]), "run.unknown-feature", "/flow-status"),
        ("too early", ready.run.start("api", &[]), "run.dependencies", "/flow-run limits"),
        ("complete", half.run.start("limits", &[]), "run.feature-completed", "/flow-run"),
        ("nothing runnable", blocked.run.start("", &[]), "run.nothing-runnable", "/flow-run limits"),
        ("under way", begun.run.start("", &[]), "session.interrupted", "/flow-resume"),
        ("under way", begun.run.revise("x", &[]), "session.interrupted", "/flow-resume"),
        ("under way", begun.run.approve(&hash), "session.interrupted", "/flow-resume"),
        ("nothing to resume", waiting.run.resume(), "session.nothing-to-resume", &approve),
        ("nothing to resume", half.run.resume(), "session.nothing-to-resume", "/flow-run"),
        ("nothing to resume", blocked.run.resume(), "session.nothing-to-resume", "/flow-run limits"),
        ("over", done.run.start("", &[]), "session.completed", "/flow-status"),
        ("over", done.run.revise("more", &[]), "session.completed", "/flow-status"),
        ("over", done.run.approve(&hash), "session.completed", "/flow-status"),
    ];
    for (case, result, code, command) in table {
        assert_eq!(refused(result), (code.to_owned(), command.to_owned()), "{case}");
    }
    assert!(blocked.run.start("limits", &[]).is_ok(), "what is blocked may be tried again");
}

#[test]
fn a_command_that_is_on_record_out_of_place_changes_nothing() {
    let waiting = drafted(&honest, &well);
    for decision in [
        Decision::Started { feature: "limits".to_owned(), expected: None },
        Decision::Approved { hash: "0".repeat(64), by: crate::flow::protocol::Approver::User },
        Decision::Approved {
            hash: waiting.run.state().unwrap().hash[..8].to_owned(),
            by: crate::flow::protocol::Approver::User,
        },
        Decision::Revised { remarks: String::new(), expected: None },
        Decision::Reset { feature: "limits".to_owned() },
        Decision::Selected { features: vec!["api".to_owned()] },
    ] {
        let mut shell = Shell::of(&waiting.journal, &honest, Order::FirstIn);
        let before = status(&shell);
        shell.feed(EventKind::Decided(decision));
        assert_eq!(status(&shell), before);
        assert!(shell.ending.is_none() && shell.pending.is_empty() && shell.performing.is_empty());
    }
}

#[test]
fn a_revision_keeps_what_is_complete_and_voids_the_approval() {
    let revising = |ask: &Ask| {
        let mut value = plan_value();
        match ask.job.as_str() {
            // The first answer changes the completed feature.
            "plan:2" if !ask.text.contains("can't be used") => {
                value["features"][0]["title"] = json!("Another");
            }
            "plan:2" => value["features"][1]["title"] = json!("Another"),
            _ => return honest(ask),
        }
        Does::Says(value.to_string())
    };
    let mut shell = approved(&revising, &well);
    run_next(&mut shell);
    let event = shell.run.revise(" another title ", &[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
    let prompts = shell.prompts_to("acme/planner");
    assert!(
        prompts[1].contains("another title") && prompts[1].contains("Keep them exactly as they are: limits")
    );
    assert!(prompts[2].contains("/features/0: The feature limits is complete"), "{}", prompts[2]);
    let session = shell.json("session.json");
    assert_eq!((&session["status"], &session["approval"]), (&json!("draft"), &Value::Null));
    assert_eq!(session["execution"]["features"][0]["state"], "completed");
    assert_eq!(session["plan"]["features"][1]["title"], "Another");
    let hash = shell.run.state().unwrap().hash.clone();
    let event = shell.run.approve(&hash).unwrap();
    carry_out(&mut shell, event);
    assert!(
        matches!(shell.run.start("", &[]).unwrap(), EventKind::Decided(Decision::Started { feature, .. }) if feature == "api")
    );
}

#[test]
fn all_that_is_wrong_with_a_plan_is_reported_at_once() {
    type Change = fn(&mut Value);
    let table: [(&str, &str, Change); 17] = [
        ("plan.missing-field", "/features", |plan| *plan = json!({})),
        ("plan.too-few", "/features", |plan| plan["features"] = json!([])),
        ("plan.unknown-key", "/features/0/priority", |plan| plan["features"][0]["priority"] = json!(1)),
        ("plan.malformed-id", "/features/1/id", |plan| plan["features"][1]["id"] = json!("The API")),
        ("plan.duplicate-id", "/features/1/id", |plan| {
            plan["features"][1]["id"] = json!("limits");
            plan["features"][1]["depends_on"] = json!([]);
        }),
        ("plan.unknown-dependency", "/features/1/depends_on/0", |plan| {
            plan["features"][1]["depends_on"] = json!(["cache"]);
        }),
        ("plan.cyclic-dependency", "/features/1/depends_on", |plan| {
            plan["features"][1]["depends_on"] = json!(["api"]);
        }),
        ("plan.check-cannot-fail", "/features/0/verification/0/command", |plan| {
            plan["features"][0]["verification"][0]["command"] = json!(["sh", "-c", "npm test || true"]);
        }),
        ("plan.duplicate-id", "/features/1/verification/1/id", |plan| {
            plan["features"][1]["verification"][1]["id"] = json!("unit");
        }),
        ("plan.no-targeted-check", "/features/0/verification", |plan| {
            plan["features"][0]["verification"][0]["scope"] = json!("broad");
        }),
        ("plan.no-broad-check", "/features", |plan| {
            plan["features"][1]["verification"][1]["scope"] = json!("targeted");
        }),
        ("plan.out-of-bounds", "/features/0/verification/0/timeout_ms", |plan| {
            plan["features"][0]["verification"][0]["timeout_ms"] = json!(1);
        }),
        ("plan.not-a-choice", "/features/0/verification/0/scope", |plan| {
            plan["features"][0]["verification"][0]["scope"] = json!("narrow");
        }),
        ("plan.undecided-criterion", "/features/0/acceptance/0/verified_by", |plan| {
            plan["features"][0]["acceptance"][0]["verified_by"] = json!("all");
        }),
        ("plan.undecided-criterion", "/features/0/acceptance/0/verified_by", |plan| {
            plan["features"][0]["acceptance"][0]["verified_by"] = json!("unverifiable: ");
        }),
        ("plan.too-few", "/features/0/acceptance", |plan| plan["features"][0]["acceptance"] = json!([])),
        ("plan.wrong-type", "/features/0/title", |plan| plan["features"][0]["title"] = json!(7)),
    ];
    assert_eq!(plan::problems(&plan_value(), &[], None), []);
    for (code, pointer, change) in table {
        let mut value = plan_value();
        change(&mut value);
        let problems = plan::problems(&value, &[], None);
        let found: Vec<_> = problems
            .iter()
            .map(|one| (one.code.as_str(), one.pointer.as_deref().unwrap_or_default()))
            .collect();
        assert!(found.contains(&(code, pointer)), "{code} {pointer}: {found:?}");
        assert!(Plan::from_reply(&value, &[], None).is_err());
    }
    let mut value = plan_value();
    value["features"][0]["depends_on"] = json!(["api"]);
    value["features"][0]["id"] = json!("limits");
    value["features"][1]["verification"][0]["command"] = json!(["true"]);
    value["features"][1]["title"] = json!("");
    let codes: Vec<String> =
        plan::problems(&value, &[], None).into_iter().map(|one| one.code.to_string()).collect();
    assert_eq!(
        codes,
        ["plan.cyclic-dependency", "plan.cyclic-dependency", "plan.empty", "plan.check-cannot-fail"]
    );
}

#[test]
fn a_planner_is_told_all_that_is_wrong_and_asked_again() {
    let faulty = |ask: &Ask| {
        let mut value = plan_value();
        if !ask.text.contains("can't be used") {
            value["features"][0]["verification"][0]["command"] = json!(["echo", "ok"]);
            value["features"][1]["depends_on"] = json!(["cache"]);
        }
        Does::Says(format!("Here is the plan:\n```json\n{value}\n```"))
    };
    let shell = drafted(&faulty, &well);
    let prompts = shell.prompts_to("acme/planner");
    assert_eq!(prompts.len(), 2);
    for part in [
        "/features/0/verification/0/command: This check can't fail",
        "/features/1/depends_on/0: No feature has this id",
    ] {
        assert!(prompts[1].contains(part), "{}", prompts[1]);
    }
}
