//! The forecast for a command: reported before its first call, confirmed above the limit, and shown next to the actual cost.

use super::*;
use crate::flow::forecast::{Past, Took, foreseen};
use crate::flow::protocol::Opening;
use crate::flow::status::Status;
use crate::flow::stored::Found;
use kernel::protocol::ModelFacts;

fn priced(confirm_usd: Option<f64>, automatic: bool) -> OpeningInput {
    let EventKind::Opened(opening) = opened(automatic) else { panic!("a session is opened") };
    let models = &opening.models;
    let price =
        kernel::budget::Price { input: 1_000.0, output: 5_000.0, cache_read: None, cache_write: None };
    let mut settings = opening.settings.clone();
    settings.confirm_usd = confirm_usd;
    settings.prices = models.all().into_iter().map(|model| (model.clone(), price)).collect();
    OpeningInput {
        goal: opening.goal.clone(),
        configured: ConfiguredModels {
            planner: Some(models.planner.clone()),
            worker: Some(models.worker.clone()),
            reviewer: Some(models.reviewer.clone()),
            ..ConfiguredModels::default()
        },
        settings,
        date: opening.date.clone(),
        automatic,
        ..OpeningInput::default()
    }
}

fn opened_at(confirm_usd: Option<f64>, automatic: bool) -> Shell<'static> {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    let opening = foreseen(begin(&priced(confirm_usd, automatic)).unwrap(), &[]);
    shell.feed(EventKind::Opened(Box::new(opening)));
    shell.finish();
    shell
}

fn found(shell: &Shell<'_>) -> Found {
    Found {
        name: "2026-11-20-limits".to_owned(),
        summary: shell.run.summary(),
        problem: None,
        owner: Owner::Nobody,
    }
}

fn expected(event: &EventKind) -> crate::shared::expected::Expected {
    let EventKind::Decided(
        Decision::Started { expected, .. }
        | Decision::Revised { expected, .. }
        | Decision::Automatic { expected },
    ) = event
    else {
        panic!("{event:?}")
    };
    expected.clone().unwrap()
}

#[test]
fn below_the_limit_it_is_stated_and_put_beside_what_it_took() {
    let mut shell = opened_at(None, false);
    let message = shell.run.live_message();
    assert!(message.contains("Expected: about $") && message.contains("; actual: $"), "{message}");
    assert!(!shell.run.status(&Owner::Nobody).contains("Expected"), "only the command's own end says it");
    let hash = shell.run.state().unwrap().hash.clone();
    let approval = shell.run.approve(&hash).unwrap();
    carry_out(&mut shell, approval);
    assert!(!shell.run.live_message().contains("Expected"), "{}", shell.run.live_message());
    let event = shell.run.start("", &[]).unwrap();
    assert_eq!(expected(&event).calls, 2, "its worker and its reviewer");
    shell.ending = None;
    let models = "Models: acme/planner plans, acme/worker builds, acme/reviewer reviews.";
    assert!(!shell.run.live_message().contains(models), "behind the plan they are named no more");
    shell.feed(event);
    assert!(shell.run.live_message().contains(models), "{}", shell.run.live_message());
    assert!(status(&shell).contains("Expected: 2 calls, about $"), "{}", status(&shell));
    shell.finish();
    assert!(flat(&shell.run.live_message()).contains("; actual: $"), "{}", shell.run.live_message());
    shell.ending = None;
    let reset = Decision::Reset { feature: shell.run.state().unwrap().latest.clone().unwrap() };
    let mut taken_back = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
    taken_back.feed(EventKind::Decided(reset));
    assert!(!taken_back.run.live_message().contains("Expected"), "{}", taken_back.run.live_message());
    let last = shell.run.start("", &[]).unwrap();
    assert_eq!(expected(&last).calls, 3, "after the last one the whole is reviewed");
    assert_eq!(
        Run::replay(&shell.journal.concat()).unwrap().0.status(&Owner::Nobody),
        shell.run.status(&Owner::Nobody)
    );
}

#[test]
fn above_the_limit_nothing_is_asked_before_the_users_yes() {
    let mut shell = opened_at(Some(0.01), false);
    assert!(shell.asked.is_empty(), "no model was asked");
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Waiting);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::AwaitingUser);
    let status = status(&shell);
    let said = flat(&status);
    assert!(
        said.contains("This may cost $")
            && said.contains(
                "which is more than $0.0100 (budget.confirm_usd). No model has been called for it yet."
            ),
        "{status}"
    );
    assert!(status.contains("Next  /flow-resume\n"), "{status}");
    let mut later = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
    let event = later.run.resume().unwrap();
    assert_eq!(carry_out(&mut later, event), Outcome::Complete);
    assert_eq!(later.asked.len(), 1);

    let hash = later.run.state().unwrap().hash.clone();
    let approval = later.run.approve(&hash).unwrap();
    carry_out(&mut later, approval);
    for (event, calls) in [(later.run.start("", &[]).unwrap(), 2), (later.run.automate(&[]).unwrap(), 5)] {
        assert_eq!(expected(&event).calls, calls);
        let mut waits = Shell::of(&later.journal, &honest, Order::FirstIn).with_effects(&well);
        assert_eq!(carry_out(&mut waits, event), Outcome::Waiting);
        assert!(waits.asked.is_empty() && waits.effects_asked.is_empty(), "nothing was begun");
        assert_eq!(
            waits.run.start("", &[]).unwrap_err().error_code,
            crate::flow::FlowCode::SessionInterrupted
        );
        let yes = waits.run.resume().unwrap();
        assert_eq!(carry_out(&mut waits, yes), Outcome::Complete);
        let state = waits.run.state().unwrap();
        assert_eq!(state.is_complete(), calls == 5, "what was to be built without asking still is");
    }
    shell.ending = None;
    shell.feed(EventKind::Decided(Decision::Archived));
    shell.finish();
    assert!(shell.asked.is_empty());
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Archived);
}

#[test]
fn what_the_same_models_took_before_counts() {
    let mut shell = approved(&honest, &well);
    run_next(&mut shell);
    let mut one = found(&shell);
    let past = |features: &[(u64, f64)], models: u64| Past {
        models,
        plans: Vec::new(),
        features: features.iter().map(|(tokens, cost)| Took { tokens: *tokens, cost: *cost }).collect(),
    };
    let own = shell.run.summary().unwrap().own.past;
    assert_eq!((own.plans.len(), own.features.len()), (1, 1));
    one.summary.as_mut().unwrap().own.past = past(&[(900, 0.5), (70, 2.5)], own.models);
    let mut others = found(&shell);
    others.summary.as_mut().unwrap().own.past = past(&[(1, 99.0)], own.models + 1);
    let event = shell.run.start("", &[one, others]).unwrap();
    let earlier = expected(&event).earlier.unwrap();
    assert_eq!((earlier.runs, earlier.tokens, earlier.cost), (2, [70, 900], [0.5, 2.5]));
    let mut settings = shell.run.state().unwrap().settings.clone();
    settings.confirm_usd = Some(2.0);
    let events = shell.run.under(&settings, &[], event);
    assert_eq!(expected(events.last().unwrap()).above, Some(2.0), "by the settings of now");
}

#[test]
fn what_no_earlier_version_foresaw_starts_at_once() {
    let shell = approved(&honest, &well);
    let old = shell.journal.concat();
    assert!(!old.contains("\"expected\""), "as an earlier version wrote it");
    assert_eq!(Run::replay(&old).unwrap().0.state().unwrap().foreseen.as_ref().map(|_| ()), None);
}

#[test]
fn features_that_are_built_without_asking_wait_once_if_they_may_cost_too_much() {
    let opening = |limit| foreseen(begin(&priced(limit, true)).unwrap(), &[]);
    let plan = opening(None).expected.unwrap().cost;
    for (limit, waits) in [(Some(1.5 * plan), true), (Some(100.0 * plan), false), (None, false)] {
        let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
        shell.feed(EventKind::Opened(Box::new(opening(limit))));
        shell.finish();
        if waits {
            assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Waiting);
            assert_eq!(shell.asked.len(), 1, "only the planner was asked");
            assert!(flat(&status(&shell)).contains("This may cost $"), "{}", status(&shell));
            let mut later = Shell::of(&shell.journal, &honest, Order::FirstIn).with_effects(&well);
            let yes = later.run.resume().unwrap();
            assert_eq!(carry_out(&mut later, yes), Outcome::Complete);
            assert!(later.run.state().unwrap().is_complete(), "nothing else was asked");
        } else {
            assert!(shell.run.state().unwrap().is_complete());
        }
    }
}

#[test]
fn sessions_of_earlier_rules_build_their_features_at_once() {
    let opening = foreseen(begin(&priced(Some(0.000_1), true)).unwrap(), &[]);
    let expected = opening.expected.clone().map(|one| one.asked_above(None));
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(EventKind::Opened(Box::new(Opening { rules: 7, expected, ..opening })));
    shell.finish();
    assert!(shell.run.state().unwrap().is_complete());
}

#[test]
fn a_plan_that_is_built_without_asking_says_that_features_come_on_top() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(EventKind::Opened(Box::new(foreseen(begin(&priced(None, true)).unwrap(), &[]))));
    assert!(flat(&status(&shell)).contains("This leaves out the cost of the features"), "{}", status(&shell));
}

#[test]
fn models_without_a_price_cost_nothing_that_could_be_foreseen() {
    let facts: Vec<ModelFacts> = Vec::new();
    let EventKind::Opened(opening) = opened(false) else { panic!("a session is opened") };
    assert_eq!(opening.prices, facts);
    assert!(foreseen(*opening, &[]).expected.unwrap().cost.abs() < f64::EPSILON);
}
