//! The expected cost of a validation: reported before its first call, confirmed above a limit, and shown next to the actual cost.

use super::*;
use crate::validation::forecast::foreseen;
use crate::validation::status::Status;
use crate::validation::stored::Found;
use kernel::protocol::ModelFacts;

const PRICED: &str = "acme/model";

/// The opening of a run whose model has this price per million tokens, with the costs of earlier runs.
fn costly(dollars: f64, limit: Option<f64>, earlier: &[Found]) -> EventKind {
    let asked = ValidationSettings { confirm_usd: limit, ..settings() };
    let EventKind::Opened(mut opening) = opened(subject(), asked) else { unreachable!() };
    let facts = json!({"model_id": PRICED, "input_cost": dollars, "output_cost": dollars});
    opening.prices = vec![serde_json::from_value::<ModelFacts>(facts).unwrap()];
    EventKind::Opened(Box::new(foreseen(*opening, earlier)))
}

#[test]
fn what_it_expects_is_said_before_the_first_call_and_told_beside_what_it_took() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(costly(10.0, Some(1.0), &[]));
    while shell.asked.is_empty() {
        assert!(shell.step());
    }
    let said = shell.notices.iter().find(|line| line.starts_with("Expected: 3 calls, about $0."));
    assert!(said.is_some(), "{:?}", shell.notices);
    shell.finish();
    let shown = status(&shell);
    assert!(shown.contains("        Expected: about $0.") && shown.contains("; actual: $0.03"), "{shown}");
    assert!(shell.files["FINAL-VALIDATION.md"].contains("- Expected: about $0."));
}

#[test]
fn above_the_limit_it_waits_for_a_yes_and_nothing_was_asked() {
    let mut shell = run_of(costly(1_000.0, Some(1.0), &[]), &honest, &well);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::AwaitingYes);
    assert!(shell.asked.is_empty() && commanded(&shell).is_empty());
    let shown = status(&shell);
    let name = "validate-20261122t223110z-a1b2";
    assert!(flat(&shown).contains("more than $1.00 (budget.confirm_usd)"), "{shown}");
    assert!(
        shown.contains("Next    /validate-resume") && shown.contains(&format!("/validate-cancel {name}")),
        "{shown}"
    );
    let mut called_off = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
    let events = called_off.run.cancel().unwrap();
    assert_eq!(carry_out(&mut called_off, events), Outcome::Cancelled);
    let facts = called_off.run.summary().unwrap();
    assert_eq!(
        (facts.own.status, facts.unfinished),
        (Status::Cancelled, false),
        "no longer listed as unfinished"
    );
    let asks = ValidationSettings { confirm_usd: Some(1.0), ..settings() };
    let events = shell.run.resume(&asks, &[]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    assert_eq!(verdicts(&shell), ["met", "met"]);
}

#[test]
fn what_the_same_models_took_before_counts_as_well() {
    let earlier = run_of(costly(10.0, Some(1.0), &[]), &honest, &well);
    let mut summary = earlier.run.summary().unwrap();
    summary.cost = 4.5;
    let found = Found { name: "r".to_owned(), summary: Some(summary), problem: None, owner: Owner::Nobody };
    let shell = run_of(costly(10.0, Some(1.0), std::slice::from_ref(&found)), &honest, &well);
    assert!(status(&shell).contains("This may cost $4.50"), "{}", status(&shell));
    let other =
        Found { summary: found.summary.map(|one| kernel::index::Summary { likeness: 7, ..one }), ..found };
    let shell = run_of(costly(10.0, Some(1.0), &[other]), &honest, &well);
    assert_eq!(verdicts(&shell), ["met", "met"], "other models, or another scope");
}
