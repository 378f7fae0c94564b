//! Narrowing a draft.

use super::*;
use crate::flow::plan::{self, Scope};

fn select(shell: &mut Shell<'_>, ids: &[&str]) -> Outcome {
    let event = shell.run.select(ids.iter().map(|id| (*id).to_owned()).collect()).unwrap();
    carry_out(shell, event)
}

#[test]
fn a_draft_is_narrowed_to_a_feature_and_keeps_its_broad_checks() {
    let mut shell = drafted(&honest, &well);
    let before = shell.run.state().unwrap().hash.clone();
    assert_eq!(select(&mut shell, &["limits"]), Outcome::Complete);
    assert_eq!(shell.asked.len(), 1, "no model is asked");
    let state = shell.run.state().unwrap();
    let plan = state.plan.clone().unwrap();
    assert_eq!(plan.features.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["limits"]);
    let broad: Vec<_> = plan.features[0].checks(Scope::Broad).map(|check| check.command.join(" ")).collect();
    assert_eq!(broad, ["npm test"], "the whole project is looked at, whatever is built of it");
    assert_eq!(plan::problems(&serde_json::to_value(&plan).unwrap(), &[], None), []);

    let hash = state.hash.clone();
    assert_ne!(hash, before);
    assert_eq!(shell.run.approve(&before).unwrap_err().error_code.text(), "approval.outdated-hash");
    assert!(status(&shell).contains(&format!("/flow-plan approve {}", &hash[..8])));
    let event = shell.run.approve(&hash).unwrap();
    carry_out(&mut shell, event);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(shell.json("session.json")["status"], "completed");
}

#[test]
fn a_feature_brings_along_all_that_it_needs() {
    let three = |ask: &Ask| {
        let mut value = plan_value();
        let mut other = value["features"][0].clone();
        other["id"] = json!("docs");
        other["verification"][0]["command"] = json!(["node", "docs.js"]);
        value["features"].as_array_mut().unwrap().push(other);
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    let mut shell = drafted(&three, &well);
    select(&mut shell, &["api"]);
    let kept: Vec<String> = shell
        .run
        .state()
        .unwrap()
        .plan
        .iter()
        .flat_map(|plan| &plan.features)
        .map(|one| one.id.clone())
        .collect();
    assert_eq!(kept, ["limits", "api"]);
}

#[test]
fn what_is_complete_stays_whatever_is_selected() {
    let mut built = approved(&honest, &well);
    run_next(&mut built);
    let more = |ask: &Ask| {
        let mut value = plan_value();
        let mut other = value["features"][1].clone();
        other["id"] = json!("docs");
        value["features"].as_array_mut().unwrap().push(other);
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    let mut shell = Shell::of(&built.journal, &more, Order::FirstIn).with_effects(&well);
    let event = shell.run.revise("docs, too", &[]).unwrap();
    carry_out(&mut shell, event);
    let refused = shell.run.select(vec!["limits".to_owned()]).unwrap_err();
    assert_eq!(
        refused.error_code.text(),
        "plan.no-selection",
        "a plan with nothing left to build would be complete"
    );
    select(&mut shell, &["docs"]);
    let session = shell.json("session.json");
    let states: Vec<(&Value, &Value)> = session["execution"]["features"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["id"], &one["state"]))
        .collect();
    assert_eq!(states, [(&json!("limits"), &json!("completed")), (&json!("docs"), &json!("pending"))]);
}

#[test]
fn the_page_of_a_feature_that_the_plan_no_longer_has_goes() {
    let mut shell = drafted(&honest, &well);
    assert!(shell.files.contains_key("docs/features/api.md"));
    let journal = shell.journal.clone();
    let event = shell.run.select(vec!["limits".to_owned()]).unwrap();
    carry_out(&mut shell, event);
    let pages: Vec<&str> =
        shell.files.keys().map(String::as_str).filter(|path| path.starts_with("docs/features/")).collect();
    assert_eq!(pages, ["docs/features/limits.md"]);

    // A process that died before it removed the page leaves that to the next process.
    let mut later = Shell::of(
        &[&journal[..], &shell.journal[journal.len()..=journal.len()]].concat(),
        &honest,
        Order::FirstIn,
    )
    .with_effects(&well);
    later.files.insert("docs/features/api.md".to_owned(), "of an earlier plan".to_owned());
    later.feed(EventKind::Closed);
    assert!(!later.files.contains_key("docs/features/api.md"));
}
