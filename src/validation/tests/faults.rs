//! Whatever fails, at any stage: the run ends in a report, and everything that was started is asked to end.

use super::*;
use crate::random::Random;
use crate::validation::protocol::{Event, Obstacle, ServerFault};
use crate::validation::status::Status;
use kernel::budget::Price;

/// The faulty outcomes of an effect.
fn faults(effect: &Effect) -> Vec<Decision> {
    let number = effect.number();
    let failed = Decision::EffectFailed { effect: number, message: "No space left on device.".to_owned() };
    let listed = |listed: Listed| Decision::TestsListed { effect: number, listed };
    let ran =
        |ran: RanTests| Decision::TestsRan { effect: number, ran, duration_ms: 1, noted: Noted::default() };
    let server = |fault: ServerFault| Decision::ServerFailed {
        effect: number,
        server: "web".to_owned(),
        fault,
        tail: "\nlistening\n\nError: EACCES\n".to_owned(),
    };
    let obstacles = [Obstacle::NoPlaywright, Obstacle::NoBrowser { directory: None }, Obstacle::NoNode];
    let mut all = vec![failed];
    match effect {
        Effect::ListTests { .. } => {
            all.push(listed(Listed::Unreadable { message: "SyntaxError".to_owned() }));
            all.push(listed(Listed::Tests { tests: Vec::new() }));
            all.extend(obstacles.map(|obstacle| listed(Listed::Impossible { obstacle })));
        }
        Effect::StartServers { .. } => {
            all.push(Decision::ServersStarted { effect: number, servers: Vec::new(), sources: None });
            all.extend(
                [
                    ServerFault::PortTaken { port: 3000, pid: Some(7), command: Some("nginx".to_owned()) },
                    ServerFault::PortTaken { port: 3000, pid: None, command: None },
                    ServerFault::NotStarted { message: "ENOENT".to_owned() },
                    ServerFault::Died { code: Some(1), signal: None },
                    ServerFault::Died { code: None, signal: Some("SIGSEGV".to_owned()) },
                    ServerFault::NotReady { after_ms: 60_000, listens_on: Vec::new() },
                    ServerFault::NotReady { after_ms: 60_000, listens_on: vec![5173] },
                    ServerFault::ForeignListener {
                        port: 3000,
                        pid: Some(7),
                        command: Some("nginx".to_owned()),
                    },
                    ServerFault::ForeignListener { port: 3000, pid: None, command: None },
                ]
                .map(server),
            );
        }
        Effect::RunTests { .. } => {
            all.extend([RanTests::Absent, RanTests::Empty].map(ran));
            all.push(ran(RanTests::Unparsable { message: "line 1".to_owned() }));
            all.push(ran(RanTests::TimedOut { after_ms: 120_000 }));
            all.push(ran(RanTests::ServerEnded {
                server: "web".to_owned(),
                code: None,
                signal: Some("SIGSEGV".to_owned()),
                tail: "\nlistening\n".to_owned(),
                test: None,
            }));
            all.push(ran(RanTests::Report { tests: Vec::new() }));
            all.extend(obstacles.map(|obstacle| ran(RanTests::Impossible { obstacle })));
        }
        // The outcomes of checks and of the project's own tests have their own tables.
        Effect::ListOwnTests { .. }
        | Effect::RunCheck { .. }
        | Effect::LookAtPages { .. }
        | Effect::StopServers { .. }
        | Effect::TearDown { .. } => {}
    }
    all
}

/// Whether the tester is asked to fix what is wrong.
fn is_mended(fault: &Decision) -> bool {
    let Decision::TestsListed { listed, .. } = fault else { return false };
    !matches!(listed, Listed::Impossible { .. })
}

/// Whether it is a report, even one without tests.
fn is_report(fault: &Decision) -> bool {
    matches!(fault, Decision::TestsRan { ran: RanTests::Report { .. }, .. })
}

/// What must be true of every run that is over in its process and doesn't wait for the user.
fn ended_as_it_should(shell: &Shell<'_>, what: &str) {
    let status = shell.run.summary().unwrap().own.status;
    assert!(
        !matches!(status, Status::Running | Status::AwaitingDecision | Status::AwaitingUser),
        "{what}: {status:?}"
    );
    let last = commanded(shell).last().copied();
    assert_eq!(last, Some("tear down"), "{what}: it was the last thing that was done");
    let report = shell.files.get("FINAL-VALIDATION.md").unwrap_or_else(|| panic!("{what}: no report"));
    assert!(report.starts_with(&format!(
        "# Validation: {}",
        shell.json("FINAL-VALIDATION.json")["outcome"].as_str().unwrap()
    )));
}

#[test]
fn every_fault_of_every_effect_ends_in_a_report_and_is_reported() {
    let undisturbed = run(&honest, &well);
    for (index, effect) in undisturbed.effects_asked.iter().enumerate() {
        for fault in faults(effect) {
            let number = effect.number();
            let effects = |asked: &Effect| if asked.number() == number { fault.clone() } else { well(asked) };
            let shell = run(&honest, &effects);
            let what = format!("effect {index}: {fault:?}");
            ended_as_it_should(&shell, &what);
            let last = shell.json("FINAL-VALIDATION.json");
            let faulty = last["stages"].as_array().unwrap().iter().filter(|stage| stage["fault"].is_object());
            let faulty: Vec<&Value> = faulty.collect();
            if is_mended(&fault) {
                assert_eq!(last["outcome"], "validated", "{what}: its tester fixed it");
                continue;
            }
            if matches!(effect, Effect::TearDown { .. }) {
                assert_eq!(last["outcome"], "validated", "{what}: what was seen was seen");
            } else {
                assert_eq!(last["outcome"], "incomplete", "{what}");
            }
            if is_report(&fault) {
                assert!(faulty.is_empty(), "{what}");
                continue;
            }
            assert_eq!(faulty.len(), 1, "{what}");
            let (message, next) = (
                faulty[0]["fault"]["message"].as_str().unwrap(),
                faulty[0]["fault"]["next"].as_str().unwrap(),
            );
            assert!(next.contains("/validate-resume"), "{what}: {next}");
            assert!(
                flat(&status(&shell)).contains(&flat(&kernel::visible::line(message))),
                "{what}: {message}"
            );
        }
    }
}

#[test]
fn a_fault_of_every_model_ends_in_a_report() {
    for job in ["verify:1", "journeys:1", "tests:1"] {
        for does in [
            Does::Fails("ProviderAuthError", Some(401)),
            Does::Says("I have no idea.".to_owned()),
            Does::Says(String::new()),
            Does::Ends("{\"criteria\": [".to_owned(), "length"),
        ] {
            let script = |ask: &Ask| if ask.job.as_str() == job { does.clone() } else { honest(ask) };
            let shell = run(&script, &well);
            ended_as_it_should(&shell, &format!("{job}: {does:?}"));
            assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete");
            assert!(shell.run.summary().unwrap().failed && shell.run.summary().unwrap().unfinished);
        }
    }
}

#[test]
fn a_budget_that_is_used_up_ends_in_a_report() {
    for most in [1, 2_000, 4_000, 6_500] {
        let mut settings = settings();
        settings.budget.max_tokens = Some(most);
        let shell = run_of(opened(subject(), settings), &honest, &well);
        ended_as_it_should(&shell, &format!("{most} tokens"));
        assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete", "{most}");
        assert!(status(&shell).contains("raise `budget`"), "{}", status(&shell));
    }
}

/// A cap in dollars, and the user's own price.
fn capped(cap: f64, price: Option<f64>) -> ValidationSettings {
    let mut settings = settings();
    settings.budget.max_cost_usd = Some(cap);
    let own =
        price.map(|dollars| Price { input: dollars, output: dollars, cache_read: None, cache_write: None });
    settings.prices = own.map(|own| ("acme/model".to_owned(), own)).into_iter().collect();
    settings
}

#[test]
fn a_price_of_ones_own_counts_before_the_hosts_and_towards_the_cap() {
    // A call takes 1,000 input tokens and 500 output tokens, and costs $0.01 at the host's price; there are three calls.
    for (cap, price, outcome, cost) in [
        (1.0, None, "validated", 0.03),
        (0.001, Some(0.0), "validated", 0.0),
        (1.0, Some(10.0), "validated", 0.045),
        (0.02, Some(10.0), "incomplete", 0.0),
    ] {
        let shell = run_of(opened(subject(), capped(cap, price)), &honest, &well);
        assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], outcome, "{cap} {price:?}");
        let spent = shell.run.summary().unwrap().cost;
        assert!((spent - cost).abs() < 1e-9, "{cap} {price:?}: {spent}");
    }
    let mut few = settings();
    few.budget.max_calls = Some(2);
    let shell = run_of(opened(subject(), few), &honest, &well);
    assert_eq!(
        (shell.asked.len(), flat(&status(&shell)).contains("the budget of 2 calls is reached")),
        (2, true)
    );
}

#[test]
fn a_cap_in_dollars_that_cannot_hold_is_told_before_the_first_call_until_there_is_a_price() {
    let expected = "budget.max_cost_usd doesn't limit acme/model: without a known price";
    for scope in [Scope::Full, Scope::Work, Scope::Flows] {
        for (settings, is_void) in
            [(settings(), false), (capped(1.0, None), true), (capped(1.0, Some(0.0)), false)]
        {
            let opened = opened_as(scope, subject(), settings);
            let mut begun = Run::new();
            let line = begun.seal(&Event { at: 0, kind: opened.clone() });
            begun.apply(&line).unwrap();
            assert_eq!(begun.live_message().contains(expected), is_void, "{scope:?}");
            let shell = run_of(opened, &strict, &well);
            assert_eq!(status(&shell).matches(expected).count(), usize::from(is_void), "{scope:?}");
        }
    }
    // Gaps wait for a decision: the settings at that time apply.
    let mut shell = run_of(opened(subject(), capped(1.0, None)), &strict, &well);
    let events = shell.run.decide(&capped(1.0, Some(3.0)), "force-test").unwrap();
    carry_out(&mut shell, events);
    assert!(!status(&shell).contains(expected) && !shell.files["FINAL-VALIDATION.md"].contains(expected));
}

#[test]
fn what_failed_can_be_continued_and_nothing_is_asked_twice() {
    let undisturbed = run(&honest, &well);
    for effect in &undisturbed.effects_asked {
        let number = effect.number();
        for fault in faults(effect) {
            if is_mended(&fault) || is_report(&fault) || matches!(effect, Effect::TearDown { .. }) {
                continue;
            }
            let effects = |asked: &Effect| if asked.number() == number { fault.clone() } else { well(asked) };
            let mut shell = run(&honest, &effects);
            let events = shell.run.resume(&settings(), &[]).unwrap();
            assert_eq!(carry_out(&mut shell, events), Outcome::Complete, "{fault:?}: {}", status(&shell));
            assert_eq!(verdicts(&shell), ["met", "met"], "{fault:?}");
            assert_eq!(shell.asked.len(), 3, "{fault:?}: no model is asked again");
            let tested = commanded(&shell).iter().filter(|word| **word == "test").count();
            let again = usize::from(matches!(effect, Effect::RunTests { against: Against::Application, .. }));
            assert_eq!(tested, 2 + again, "{fault:?}: a pass with a report isn't run again");
            let files: Vec<&str> = shell.files.keys().map(String::as_str).collect();
            assert!(files.contains(&"FINAL-VALIDATION.md"), "{files:?}");
        }
    }
}

/// Random faults of models and effects, cancels and resumes in any order: every process ends, and each end is a valid one.
#[test]
fn whatever_happens_every_process_ends_in_a_teardown_or_waits_for_the_user() {
    let mut random = Random::new(20_261_122, "faults");
    for round in 0..400 {
        let mut below = |most: u64| random.below(most);
        let is_strict = below(4) == 0;
        let (rate, salt) = (2 + below(6), below(1 << 30));
        let hash = |text: &str, salt: u64| crate::random::seed(&format!("{text} {salt} {round}"));
        let script = |ask: &Ask| match hash(&ask.text, salt) % (rate * 3) {
            0 => Does::Fails("ProviderAuthError", Some(401)),
            1 => Does::Says("{}".to_owned()),
            _ if is_strict => strict(ask),
            _ => honest(ask),
        };
        let effects = |effect: &Effect| {
            let faults = faults(effect);
            let draw = hash(&format!("{effect:?}"), salt);
            if draw.is_multiple_of(rate) {
                faults[usize::try_from(draw / rate).unwrap() % faults.len()].clone()
            } else {
                well(effect)
            }
        };
        let mut shell = Shell::new(&script, Order::FirstIn).with_effects(&effects);
        shell.feed(opening());
        for turn in 0..6 {
            for _ in 0..below(20) {
                shell.step();
            }
            if below(3) == 0 && shell.ending.is_none() {
                shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
            }
            shell.finish();
            let what = format!("round {round}, turn {turn}");
            let facts = shell.run.summary().unwrap();
            if !matches!(facts.own.status, Status::AwaitingDecision) && facts.directory.is_some() {
                ended_as_it_should(&shell, &what);
            }
            let is_undecided = !shell.files.contains_key("gate-decision.json");
            let has_gaps = shell.files.get("flow-analysis.json").is_some_and(|text| text.contains("\"G1\""));
            assert!(!(has_gaps && is_undecided && commanded(&shell).contains(&"test")), "{what}");
            let words = ["force-test", "stop", "generate-fix-plan"];
            let word = words[usize::try_from(below(3)).unwrap()];
            let events = shell.run.decide(&settings(), word).or_else(|_| shell.run.resume(&settings(), &[]));
            let Ok(events) = events else { break };
            shell.ending = None;
            for event in events {
                shell.feed(event);
            }
        }
    }
}
