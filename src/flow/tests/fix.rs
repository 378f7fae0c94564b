//! A session that fixes the findings of a validation: none of them is dropped, and its end leads back to the same criteria.

use super::*;
use crate::validation::to_fix::{Fault, ToFix};

fn found(source: SubjectSource) -> ToFix {
    let fault = |id: &str, text: &str| Fault { id: id.to_owned(), text: text.to_owned() };
    ToFix {
        run: "validate-20261122t223110z-a1b2".to_owned(),
        title: "A shop".to_owned(),
        source,
        faults: vec![
            fault("c2", "A wrong price is refused. Seen: Error: </found> 0 € was taken"),
            fault("gap-g1", "The gap G1 (J1): src/a.js:7: the cart is forgotten"),
        ],
    }
}

fn opened_to_fix(source: SubjectSource) -> EventKind {
    let EventKind::Opened(opening) = opened(false) else { panic!("a session is opened") };
    let models = &opening.models;
    let input = OpeningInput {
        fix: Some(found(source)),
        configured: ConfiguredModels {
            planner: Some(models.planner.clone()),
            worker: Some(models.worker.clone()),
            reviewer: Some(models.reviewer.clone()),
            ..ConfiguredModels::default()
        },
        settings: opening.settings.clone(),
        date: opening.date.clone(),
        package: opening.package,
        ..OpeningInput::default()
    };
    EventKind::Opened(Box::new(begin(&input).unwrap()))
}

fn answering(ask: &Ask) -> Does {
    if !ask.job.as_str().starts_with("plan") {
        return honest(ask);
    }
    let mut plan = plan_value();
    // It answers for the gap only after it was told.
    plan["features"][0]["implements"] =
        if ask.text.contains("gap-g1") && ask.text.contains("`left_out` doesn't list it") {
            json!(["c2", "gap-g1"])
        } else {
            json!(["c2"])
        };
    Does::Says(plan.to_string())
}

fn fixing(source: SubjectSource) -> Shell<'static> {
    let mut shell = Shell::new(&answering, Order::FirstIn).with_effects(&well);
    shell.feed(opened_to_fix(source));
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

#[test]
fn each_failure_and_each_gap_is_a_requirement_of_the_plan() {
    let shell = fixing(SubjectSource::Text);
    let prompts = shell.prompts_to("acme/planner");
    assert!(
        prompts[0].starts_with("# Goal\n\nFix what validate-20261122t223110z-a1b2 found: A shop"),
        "{}",
        prompts[0]
    );
    assert!(
        prompts[0].contains("0 € was taken") && prompts[0].matches("</found>").count() == 1,
        "{}",
        prompts[0]
    );
    assert!(prompts[1].contains("No feature implements the requirement gap-g1"), "{}", prompts[1]);
    let plan = shell.run.state().unwrap().plan.clone().unwrap();
    let given: Vec<&str> = plan.requirements.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(given, ["c2", "gap-g1"], "in the words of the validation");
    let status = status(&shell);
    assert!(
        status.contains("c2: A wrong price is refused.") && flat(&status).contains("→ limits gap-g1"),
        "{status}"
    );
    let kept = shell.journal.concat();
    assert_eq!(Run::replay(&kept).unwrap().0.status(&Owner::Nobody), shell.run.status(&Owner::Nobody));
}

#[test]
fn its_end_names_the_validation_of_all_that_was_validated_before() {
    let session = || "2026-11-20-a-shop".to_owned();
    let flow = SubjectSource::Flow { session: session(), tree: None, worker: None };
    let run = SubjectSource::Run { run: "2026-11-19-shop".to_owned(), design: "brisk-10".to_owned() };
    let file = SubjectSource::File { path: "docs/criteria.md".to_owned() };
    for (source, command, fixes) in [
        (flow, "/validate flow 2026-11-20-a-shop", Some(session())),
        (run, "/validate run 2026-11-19-shop/brisk-10", None),
        (file, "/validate file docs/criteria.md", None),
        (SubjectSource::Text, "/validate", None),
    ] {
        let mut shell = fixing(source);
        assert_eq!(shell.run.summary().unwrap().own.fixes, fixes);
        let hash = shell.run.state().unwrap().hash.clone();
        let event = shell.run.approve(&hash[..8]).unwrap();
        carry_out(&mut shell, event);
        run_next(&mut shell);
        run_next(&mut shell);
        assert_eq!(shell.json("session.json")["next_command"], command);
        assert!(status(&shell).contains(&format!("Next  {command}\n")), "{}", status(&shell));
    }
}

#[test]
fn the_end_of_any_session_names_its_proof_and_the_files_that_it_leaves_changed() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    assert!(!status(&shell).contains("Changed files"), "it isn't the end");
    run_next(&mut shell);
    let status = status(&shell);
    let files = "Changed files (Flow commits nothing):\n  src/limits.js\n  test/limits.test.js\n";
    assert!(status.contains(files), "{status}");
    assert!(status.contains("Next  /validate\n      Tests the result in a browser."), "{status}");
}
