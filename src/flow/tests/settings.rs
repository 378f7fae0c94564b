//! The user's settings for Flow, and how it ends when a budget is used up.

use super::lies::{blocked, calm, with};
use super::*;
use crate::design_lab::config::{Layer, Source, Worktree, flow_settings};
use kernel::budget::Price;

/// Builds the first feature under these settings, with a worker that never gets it right; returns how it ended, and how often
/// models were asked for it.
fn under(change: impl Fn(&mut FlowSettings), effects: Effects<'_>) -> (Outcome, String, usize) {
    let mut shell = approved(&honest, effects);
    let mut settings = patient();
    change(&mut settings);
    let events = shell.run.under(&settings, &[], shell.run.start("", &[]).unwrap());
    assert_eq!(events.len(), 2, "what has changed is on record before the command");
    shell.ending = None;
    for event in events {
        shell.feed(event);
    }
    let outcome = shell.finish();
    let asked = shell.prompts_to("acme/worker").len() + shell.prompts_to("acme/reviewer").len();
    (outcome, code(&shell), asked)
}

/// Checks that fail in a different way each time.
fn failing(effect: &Effect) -> Decision {
    match effect {
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{number}")),
        Effect::RunCheck { effect, .. } => {
            let seen = passed(*effect, &format!("t{}", effect - 1));
            finished(CheckFinished { ran: failed(&format!("{} failing", 100 - effect)), ..seen })
        }
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

#[test]
pub(crate) fn rounds_and_calls_of_a_feature_are_bounded() {
    assert_eq!(
        under(|settings| settings.rounds = 2, &failing),
        (Outcome::Stopped, "run.rounds".to_owned(), 2)
    );
    let few = |settings: &mut FlowSettings| settings.budget.calls = 3;
    assert_eq!(under(few, &failing), (Outcome::Stopped, "run.budget".to_owned(), 3));
}

#[test]
pub(crate) fn what_a_session_costs_is_bounded() {
    for change in [
        (|settings| settings.budget.max_cost_usd = Some(0.000_1)) as fn(&mut FlowSettings),
        |settings| settings.budget.max_tokens = Some(1),
        |settings| settings.budget.max_calls = Some(1),
        |settings| settings.budget.max_requests = Some(1),
        |settings| settings.budget.session_ms = 1,
    ] {
        let (outcome, code, asked) = under(change, &calm);
        assert_eq!((outcome, code.as_str()), (Outcome::Stopped, "run.budget"));
        assert!(asked <= 1, "{asked}");
    }
}

/// The settings with this user-defined price for every model.
fn priced(settings: FlowSettings, dollars: f64) -> FlowSettings {
    let price = Price { input: dollars, output: dollars, cache_read: None, cache_write: None };
    let models = ["planner", "worker", "reviewer"].map(|name| (format!("acme/{name}"), price));
    FlowSettings { prices: models.into(), ..settings }
}

fn capped(dollars: f64) -> FlowSettings {
    let mut settings = patient();
    settings.budget.max_cost_usd = Some(dollars);
    settings
}

#[test]
fn a_price_of_ones_own_counts_before_the_hosts_and_towards_the_cap() {
    // A call uses 1000 tokens of input and 500 of output, and costs $0.01 according to the host.
    for (settings, outcome, a_call) in [
        (capped(1.0), Outcome::Complete, 0.01),
        (priced(capped(0.001), 0.0), Outcome::Complete, 0.0),
        (priced(capped(1.0), 10.0), Outcome::Complete, 0.015),
        (priced(capped(0.09), 10.0), Outcome::Stopped, 0.015),
    ] {
        let (shell, ended) = automatic_under(settings.clone(), &honest, &well);
        assert_eq!(ended, outcome, "{settings:?}");
        let (spent, asked) = (shell.run.summary().unwrap().cost, shell.asked.len());
        assert_eq!(asked > 1, outcome == Outcome::Complete, "{settings:?}: {asked}");
        assert!((spent - a_call * asked as f64).abs() < 1e-9, "{settings:?}: {spent}");
    }
}

#[test]
fn a_cap_in_dollars_that_cannot_hold_is_told_before_the_first_call_until_there_is_a_price() {
    let expected = "flow.budget.max_cost_usd doesn't limit acme/planner, acme/reviewer, acme/worker: without \
                a known price";
    for (settings, is_void) in [(patient(), false), (capped(1.0), true), (priced(capped(1.0), 0.0), false)] {
        let opened = opened_under(settings.clone(), false);
        let mut begun = Run::new();
        let line = begun.seal(&Event { at: 0, kind: opened.clone() });
        begun.apply(&line).unwrap();
        assert_eq!(flat(&begun.live_message()).contains(expected), is_void, "{settings:?}");
        let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
        shell.feed(opened);
        shell.finish();
        for said in [status(&shell), shell.files["docs/index.md"].clone()] {
            assert_eq!(flat(&said).matches(expected).count(), usize::from(is_void), "{said}");
        }
        // Later configuration applies from then on.
        for (later, is_void) in [(capped(2.0), true), (priced(capped(2.0), 3.0), false), (patient(), false)] {
            shell.ending = None;
            for event in shell.run.under(&later, &[], shell.run.revise("Smaller.", &[]).unwrap()) {
                shell.feed(event);
            }
            shell.finish();
            assert_eq!(flat(&status(&shell)).matches(expected).count(), usize::from(is_void), "{later:?}");
        }
    }
}

#[test]
pub(crate) fn copies_are_made_ready_as_the_settings_say() {
    for (setup, link) in [(vec!["npm", "ci"], Vec::new()), (Vec::new(), vec!["deps"])] {
        let mut shell = approved(&honest, &calm);
        let mut settings = patient();
        settings.worktree.setup = setup.iter().map(|word| (*word).to_owned()).collect();
        settings.worktree.link = vec!["deps".to_owned()];
        for event in shell.run.under(&settings, &[], shell.run.start("", &[]).unwrap()) {
            shell.ending = None;
            shell.feed(event);
        }
        shell.finish();
        let of_copies = shell.effects_asked.iter().filter_map(|effect| match effect {
            Effect::RunApart { setup, link, .. } => Some((setup.clone(), link.clone())),
            _ => None,
        });
        for asked in of_copies {
            let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
            assert_eq!(asked, (words(&setup), words(&link)));
        }
    }
}

#[test]
fn settings_that_change_meanwhile_are_named() {
    let mut shell = approved(&honest, &calm);
    assert!(!status(&shell).contains("These settings changed"));
    let settings = Box::new(FlowSettings { mutation: 0, exam: ExamPolicy::Off, rounds: 9, ..patient() });
    shell.feed(EventKind::Decided(Decision::Configured {
        settings,
        resumes: false,
        shell_rules: None,
        project_rules: None,
    }));
    let shown = flat(&status(&shell));
    assert!(shown.contains("These settings changed and apply from now on: `flow.rounds`."), "{shown}");
}

#[test]
fn a_session_that_was_interrupted_continues_under_the_new_settings_at_once() {
    let mut undisturbed = approved(&honest, &calm);
    run_next(&mut undisturbed);
    let at = undisturbed.journal.iter().position(|line| line.contains("\"check_finished\"")).unwrap();
    let mut shell = Shell::of(&undisturbed.journal[..=at], &honest, Order::FirstIn).with_effects(&calm);
    let mut settings = patient();
    settings.rounds = 9;
    let events = shell.run.under(&settings, &[], shell.run.resume().unwrap());
    let resumes =
        |event: &EventKind| matches!(event, EventKind::Decided(Decision::Configured { resumes: true, .. }));
    assert!(events.len() == 1 && resumes(&events[0]), "{events:?}");
    assert_eq!(carry_out(&mut shell, events[0].clone()), Outcome::Complete);
    assert_eq!(
        shell.run.under(&settings, &[], EventKind::Resumed),
        [EventKind::Resumed],
        "nothing has changed since"
    );
}

// ---- without asking ----

fn automatic<'a>(script: &'a dyn Fn(&Ask) -> Does, effects: Effects<'a>) -> (Shell<'a>, Outcome) {
    automatic_under(patient(), script, effects)
}

fn automatic_under<'a>(
    settings: FlowSettings,
    script: &'a dyn Fn(&Ask) -> Does,
    effects: Effects<'a>,
) -> (Shell<'a>, Outcome) {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(settings, true));
    let outcome = shell.finish();
    (shell, outcome)
}

#[test]
fn a_goal_is_built_to_its_end_without_asking_and_that_is_on_record() {
    let (shell, outcome) = automatic(&honest, &well);
    assert_eq!(outcome, Outcome::Complete);
    let session = shell.json("session.json");
    assert_eq!((&session["status"], &session["approval"]["by"]), (&json!("completed"), &json!("autonomous")));
    let expected = "built without approval (/flow-auto)";
    assert!(shell.files["docs/index.md"].contains(expected) && status(&shell).contains(expected));
    let refused = shell.run.automate(&[]).unwrap_err();
    assert_eq!(refused.error_code.text(), "session.completed");
}

#[test]
fn a_session_that_waits_continues_by_itself_where_the_user_says_so() {
    let mut shell = drafted(&honest, &well);
    let event = shell.run.automate(&[]).unwrap();
    assert!(matches!(event, EventKind::Decided(Decision::Automatic { .. })));
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
    assert_eq!(shell.json("session.json")["status"], "completed");
}

#[test]
fn it_continues_by_itself_after_any_line() {
    let (undisturbed, _) = automatic(&honest, &well);
    for length in 1..undisturbed.journal.len() {
        let mut shell =
            Shell::of(&undisturbed.journal[..length], &honest, Order::FirstIn).with_effects(&well);
        let event = shell.run.automate(&[]).unwrap();
        assert_eq!(event, EventKind::Resumed, "after line {length}");
        assert_eq!(carry_out(&mut shell, event), Outcome::Complete, "after line {length}");
        assert_eq!(shell.json("session.json")["status"], "completed", "after line {length}");
    }
}

#[test]
fn a_used_up_budget_stays_used_up_whenever_the_process_ends() {
    let script = |ask: &Ask| match honest(ask) {
        Does::Says(text) => Does::Says(text.replace(r#""depends_on":["limits"]"#, r#""depends_on":[]"#)),
        other => other,
    };
    let mut settings = patient();
    settings.budget.max_calls = Some(1);
    let mut shell = Shell::new(&script, Order::FirstIn).with_effects(&well);
    shell.feed(opened_under(settings, true));
    assert_eq!(shell.finish(), Outcome::Stopped);
    let ended = |shell: &Shell<'_>| {
        let features = shell.json("session.json")["execution"]["features"].clone();
        (code(shell), features[0]["state"].clone(), features[1]["state"].clone())
    };
    let expected = ("run.budget".to_owned(), json!("blocked"), json!("pending"));
    assert_eq!(ended(&shell), expected);
    for length in 1..shell.journal.len() {
        let mut later = Shell::of(&shell.journal[..length], &script, Order::FirstIn).with_effects(&well);
        if later.run.state().unwrap().build.is_none() {
            continue;
        }
        let Ok(event) = later.run.resume() else { continue };
        carry_out(&mut later, event);
        assert_eq!(ended(&later), expected, "after line {length}");
    }
}

#[test]
fn a_plan_that_does_not_fit_is_drafted_again_by_itself_and_not_for_ever() {
    let once = |ask: &Ask| {
        if ask.job.as_str() == "work:limits:1" {
            with(ask, "work", &json!({"outcome": "replan_required", "summary": "It needs a cache first."}))
        } else {
            honest(ask)
        }
    };
    // 1 before the worker that gives up and 2 after it; then as if it had never been there.
    let later = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 1 | 2, .. } => tree_taken(effect, "t0"),
        _ => shifted(effect, &well),
    };
    let (shell, outcome) = automatic(&once, &later);
    assert_eq!(outcome, Outcome::Complete);
    assert!(shell.prompts_to("acme/planner")[1].contains("It needs a cache first."));

    let always = |ask: &Ask| {
        with(ask, "work", &json!({"outcome": "replan_required", "summary": "It needs a cache first."}))
    };
    let (shell, outcome) = automatic(&always, &|effect| tree_taken(effect, "t0"));
    assert_eq!((outcome, code(&shell).as_str()), (Outcome::Stopped, "run.replan-required"));
    assert_eq!(shell.prompts_to("acme/planner").len(), 4, "the first plan, and three more");
}

/// The answer to an effect as if two fewer had been requested before it.
fn shifted(effect: &Effect, script: Effects<'_>) -> Decision {
    let mut before = effect.clone();
    let (Effect::TakeTree { effect: number, .. }
    | Effect::RunCheck { effect: number, .. }
    | Effect::RunApart { effect: number, .. }
    | Effect::Mutate { effect: number, .. }
    | Effect::Examine { effect: number, .. }) = &mut before
    else {
        return untried();
    };
    *number -= 2;
    let mut answer = script(&before);
    match &mut answer {
        Decision::TreeTaken(seen) => seen.effect += 2,
        Decision::EffectFailed { effect, .. } => *effect += 2,
        Decision::CheckFinished(seen) => seen.effect += 2,
        Decision::RanApart(seen) => seen.effect += 2,
        _ => {}
    }
    answer
}

#[test]
fn what_is_blocked_blocks_only_what_needs_it() {
    assert_eq!(blocked(&honest, &failing).0, "run.rounds");
    let (shell, outcome) = automatic(&honest, &failing);
    assert_eq!((outcome, code(&shell).as_str()), (Outcome::Stopped, "run.rounds"));
    assert_eq!(
        shell.json("session.json")["execution"]["features"][1]["state"],
        "pending",
        "it needs the first"
    );
}

#[test]
fn how_long_a_model_may_be_silent_stands_beside_the_settings_of_flow() {
    let text = r#"{ "flow": { "mutation": 0 }, "timeouts": { "idle_ms": 30000 } }"#.to_owned();
    let source = Source { origin: Layer::Project, file: "design-lab.jsonc".to_owned(), text };
    let read = flow_settings(&[source]).unwrap();
    let mut shell = approved(&honest, &calm);
    let before = shell.asked.len();
    shell.ending = None;
    for event in shell.run.under(&read, &[], shell.run.start("", &[]).unwrap()) {
        shell.feed(event);
    }
    shell.finish();
    assert!(shell.asked[..before].iter().all(|ask| ask.idle_ms == 600_000));
    assert!(shell.asked.len() > before && shell.asked[before..].iter().all(|ask| ask.idle_ms == 30_000));
}

#[test]
pub(crate) fn copies_have_a_network_as_the_settings_say() {
    let offline = |shell: &Shell<'_>| -> Vec<bool> {
        let of = |effect: &Effect| match effect {
            Effect::RunApart { offline, .. } => Some(*offline),
            _ => None,
        };
        shell.effects_asked.iter().filter_map(of).collect()
    };
    for (rules, network, expected) in [(6, false, false), (7, false, true), (7, true, false)] {
        let mut shell = approve(drafted_under(rules, &honest, &calm));
        let worktree = Worktree { network, ..Worktree::default() };
        let settings = Box::new(FlowSettings { worktree, ..patient() });
        shell.feed(EventKind::Decided(Decision::Configured {
            settings,
            resumes: false,
            shell_rules: None,
            project_rules: None,
        }));
        assert_eq!(run_next(&mut shell), Outcome::Complete);
        let seen = offline(&shell);
        assert!(seen.len() > 1 && seen.iter().all(|one| *one == expected), "{rules} {network}: {seen:?}");
    }
}
