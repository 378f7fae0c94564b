//! Crashes, faults and budgets: in every case, no answer is lost or requested again.

use super::protocol::EventKind;
use super::tests::{Does, Order, Shell, assert_replays, config, design, opening, play, well, without_times};
use super::{Ask, Event, Run};
use crate::random::Random;
use kernel::journal::{self, Chain};
use kernel::protocol::{CallFailure, JobId, Outcome, Reply};
use kernel::run::Durable as _;
use kernel::testing::answered;
use kernel::tokens::Tokens;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Faults that depend only on the prompt: a design that needs a repair, one that was cut off.
fn with_repairs(ask: &Ask) -> Does {
    match ask.job.as_str() {
        "design:quill-4" if !ask.text.contains("can't be used") => {
            Does::Says("{\"title\": \"half\"}".to_owned())
        }
        "design:brisk-10" if !ask.text.contains("cut off") => {
            Does::Ends(design("brisk-10").chars().take(200).collect(), "length")
        }
        _ => well(ask),
    }
}

/// The same, with a reviewer without credentials.
fn with_faults(ask: &Ask) -> Does {
    match ask.job.as_str() {
        "review:jury:1" => Does::Fails("ProviderAuthError", Some(401)),
        _ => with_repairs(ask),
    }
}

pub(super) fn timeless(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let durationless = |text: &str| {
        text.lines().filter(|line| !line.contains("\"duration_ms\"")).collect::<Vec<_>>().join("\n")
    };
    files.iter().map(|(path, text)| (path.clone(), without_times(&durationless(text)))).collect()
}

#[test]
fn a_run_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    {
        let script = &with_repairs;
        for order in [Order::FirstIn, Order::LastIn] {
            let undisturbed = play(&config(), script, order);
            let outcome = undisturbed.ending.as_ref().unwrap().0;
            let expected = timeless(&undisturbed.files);
            let kept = undisturbed.kept_by_the_host();
            assert!(undisturbed.journal.last().unwrap().contains("closed"));
            for length in 1..undisturbed.journal.len() {
                let journal = &undisturbed.journal[..length];
                for kept in [BTreeMap::new(), kept.clone()] {
                    let mut shell = Shell::resumed(journal, script, order, kept.clone());
                    assert_eq!(shell.finish(), outcome, "after line {length}");
                    assert_eq!(shell.files.len(), undisturbed.files.len(), "after line {length}");
                    for (path, text) in timeless(&shell.files) {
                        assert_eq!(text, expected[&path], "after line {length}: {path}");
                    }
                    let before = answered(journal);
                    assert!(before.is_subset(&answered(&shell.journal)), "after line {length}");
                    assert_eq!(
                        before.len() + shell.recovered + shell.asked.len(),
                        undisturbed.asked.len(),
                        "after line {length}: each answer was paid for once"
                    );
                }
            }
        }
    }
}

/// A journal that ends while designs are being written, and the number of these designs.
fn cut_short(budget: &Value) -> (Vec<String>, usize) {
    let mut config = config();
    config["budget"] = budget.clone();
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    shell.step();
    (shell.journal.clone(), shell.pending.len())
}

#[test]
fn a_call_that_was_lost_with_its_process_counts_as_estimated_unless_it_was_never_sent() {
    let (journal, lost) = cut_short(&json!({}));
    assert!(lost > 1);
    let before = Run::replay(&journal.concat()).unwrap().0.summary().unwrap();
    for (name, counts) in
        [("Lost", true), ("NotFoundError", true), ("MessageAbortedError", true), ("Unsent", false)]
    {
        let mut shell = Shell::of(&journal, &well, Order::FirstIn);
        shell.lost_as = name;
        shell.feed(EventKind::Resumed);
        let after = shell.run.summary().unwrap();
        let tokens = after.tokens.total() - before.tokens.total();
        // 4,000 tokens of answer plus the prompt, for each.
        let expected = if counts { 4_000 * lost as u64 } else { 0 };
        assert!((expected..=expected + expected / 2).contains(&tokens), "{name}: {tokens}");
        assert_eq!(after.cost > before.cost, counts, "{name}: {}", after.cost);
        // A model whose call was cut off and that is stopped before the retry is not shown as never asked.
        let mut stopped = shell.run.clone();
        let event =
            Event { at: shell.now, kind: EventKind::Cancelled { reason: "you cancelled it".to_owned() } };
        stopped.apply(&stopped.seal(&event)).unwrap();
        let message = stopped.live_message(shell.now);
        assert!(message.contains("brisk-10  not finished"), "{name}: {message}");
        assert_eq!(shell.finish(), Outcome::Complete, "{name}");
        let results = &shell.files["results/results.md"];
        assert_eq!(results.contains("that were cut off"), counts, "{name}");
        assert_replays(&shell);
    }
    // The host's report on the call replaces the estimate.
    let mut shell = Shell::of(&journal, &well, Order::FirstIn);
    let text = journal.concat();
    let line = shell.run.seal(&Event { at: shell.now, kind: EventKind::Resumed });
    let job = JobId::new("design:quill-4");
    shell.run.apply(&line).unwrap();
    shell.journal.push(line);
    let failure = CallFailure { name: "Lost".into(), cost: 0.25, ..CallFailure::default() };
    shell.feed(EventKind::CallFailed { job, failure });
    assert!((shell.run.summary().unwrap().cost - before.cost - 0.25).abs() < 1e-9);
    assert!(Run::replay(&text).is_ok());
}

#[test]
fn a_call_that_the_limit_of_time_stops_counts_as_estimated() {
    let mut config = config();
    config["timeouts"] = json!({"run_ms": 60_000});
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    shell.step();
    let (before, calls) = (shell.run.summary().unwrap().tokens.total(), shell.pending.len() as u64);
    assert!(calls > 1);
    shell.now += 60_000;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.aborted.len() as u64, calls);
    let tokens = shell.run.summary().unwrap().tokens.total() - before;
    assert!((4_000 * calls..=6_000 * calls).contains(&tokens), "{tokens}");
}

#[test]
fn calls_that_are_lost_again_and_again_use_the_budget_up() {
    let (mut journal, _) = cut_short(&json!({"max_tokens": 60_000}));
    for crashes in 0.. {
        assert!(crashes < 20, "the budget never ends");
        let mut shell = Shell::of(&journal, &well, Order::FirstIn);
        shell.lost_as = "Lost";
        shell.feed(EventKind::Resumed);
        journal = shell.journal;
        if shell.pending.is_empty() {
            break;
        }
    }
    let (run, _) = Run::replay(&journal.concat()).unwrap();
    let tokens = run.summary().unwrap().tokens.total();
    assert!((40_000..=60_000).contains(&tokens), "{tokens}");
    assert!(run.live_message(0).contains("exceed the budget of 60,000 tokens"), "{}", run.live_message(0));
}

#[test]
fn every_torn_tail_of_a_real_journal_replays_to_the_line_before_it() {
    let shell = play(&config(), &with_faults, Order::LastIn);
    let text = shell.journal.concat();
    let ends: Vec<usize> = text.match_indices('\n').map(|(index, _)| index + 1).collect();
    // Wherever the last line is torn, no part of a line is accepted as a whole one.
    let mut chain = Chain::default();
    for line in &shell.journal {
        let parts = (0..line.len() - 1).filter_map(|length| line.get(..length));
        assert_eq!(parts.filter(|part| chain.read::<Event>(part).is_ok()).count(), 0, "{line}");
        chain.add(line);
    }
    for length in ends[ends.len() - 4]..=text.len() {
        let whole = *ends.iter().rfind(|&&end| end <= length).unwrap();
        assert_eq!(journal::read_all::<Event>(&text[..length]).unwrap().concat(), text[..whole]);
    }
    let (_, whole) = Run::replay(&text[..text.len() - 1]).unwrap();
    assert_eq!(whole, ends[ends.len() - 2]);
}

#[test]
fn a_ranked_run_has_nothing_to_resume_and_asks_what_failed_in_it_only_when_told_to() {
    let done = play(&config(), &well, Order::FirstIn);
    assert!(!done.run.summary().unwrap().unfinished);
    let shell = Shell::resumed(&done.journal, &well, Order::FirstIn, BTreeMap::new());
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete, "it ends at once");
    assert!(shell.asked.is_empty());

    let partial = play(&config(), &with_faults, Order::FirstIn);
    let summary = partial.run.summary().unwrap();
    assert!(!summary.unfinished && summary.failed, "what failed is paid for again only by --retry-failed");
    let mut shell = Shell::of(&partial.journal, &well, Order::FirstIn);
    shell.feed(EventKind::Retried);
    assert!(shell.run.summary().unwrap().unfinished, "the wish is in the journal");
    shell.feed(EventKind::Resumed);
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(shell.asked.iter().all(|ask| ask.job.as_str() == "review:jury:1"));
    assert_eq!(shell.asked.len(), 2);
}

#[test]
fn time_in_which_nobody_carries_the_run_does_not_count() {
    let mut config = config();
    config["timeouts"] = json!({"run_ms": 3_600_000});
    let undisturbed = play(&config, &well, Order::FirstIn);
    let half = undisturbed.journal.len() / 2;
    let mut shell = Shell::resumed(&undisturbed.journal[..half], &well, Order::FirstIn, BTreeMap::new());
    assert_eq!(shell.finish(), Outcome::Complete, "a day between two processes is no time of the run");
    for path in ["designs/zeph-3.json", "reviews/review-jury.json"] {
        let duration = shell.json(path)["metadata"]["duration_ms"].as_u64().unwrap();
        assert!(duration < 60_000, "{path}: {duration}");
    }
}

#[test]
fn an_answer_that_came_while_cancelling_is_found() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    shell.step();
    let on_their_way = shell.pending.clone();
    assert!(on_their_way.len() > 1);
    shell.feed(EventKind::Cancelled { reason: "you cancelled it".to_owned() });
    let reply = |ask: &Ask| match well(ask) {
        Does::Says(text) => Reply { text, finish: "stop".to_owned(), ..Reply::default() },
        _ => Reply::default(),
    };
    let kept = on_their_way.iter().map(|ask| ((ask.session.clone(), ask.text.clone()), reply(ask))).collect();
    let mut later = Shell::resumed(&shell.journal, &well, Order::FirstIn, kept);
    assert_eq!(later.finish(), Outcome::Complete);
    for ask in &on_their_way {
        assert!(later.asked.iter().all(|again| again.job != ask.job), "{} was asked again", ask.job);
    }
}

#[test]
fn a_provider_that_struggles_gets_fewer_calls_at_once() {
    let mut config = config();
    config["design_models"] = json!(["x/quill-4", "x/brisk-10", "y/zeph-3"]);
    config["review_models"] = json!(["x/quill-4", "x/brisk-10", "z/judge", "z/jury"]);
    config["concurrency"] = json!(9);
    let refusals = RefCell::new(0);
    let script = |ask: &Ask| {
        if ask.model.starts_with("x/") && ask.job.as_str().starts_with("design") && *refusals.borrow() < 2 {
            *refusals.borrow_mut() += 1;
            return Does::Fails("APIError", Some(429));
        }
        well(ask)
    };
    let mut shell = Shell::new(&script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    let mut most = 0;
    while shell.ending.is_none() {
        assert!(shell.step());
        let to_x = shell.pending.iter().filter(|ask| ask.model.starts_with("x/")).count();
        if *refusals.borrow() == 2 && answered(&shell.journal).len() < 4 {
            most = most.max(to_x);
        }
    }
    assert_eq!(shell.ending.as_ref().unwrap().0, Outcome::Complete);
    assert_eq!(most, 1, "after two refusals one call at a time");
}

#[test]
fn a_server_on_this_machine_gets_one_call_at_once_also_after_it_struggled() {
    let refused = RefCell::new(false);
    let script = |ask: &Ask| {
        if ask.job.as_str().starts_with("design") && !refused.replace(true) {
            return Does::Fails("APIError", Some(429));
        }
        well(ask)
    };
    let mut config = config();
    config["design_models"] = json!(["x/quill-4", "x/brisk-10"]);
    config["review_models"] = json!(["x/quill-4", "x/brisk-10"]);
    config["concurrency"] = json!(9);
    let mut opening = opening(&config);
    opening.models.iter_mut().for_each(|model| model.local = true);
    let mut shell = Shell::new(&script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(shell.finish(), Outcome::Complete);
    assert!(*refused.borrow());
    assert_eq!(shell.most_in_flight, 1);
}

#[test]
fn tries_of_the_host_count_as_ours() {
    let shell = RefCell::new(0);
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:zeph-3" {
            *shell.borrow_mut() += 1;
        }
        well(ask)
    };
    let mut run = Shell::new(&script, Order::FirstIn);
    run.feed(EventKind::Opened(Box::new(opening(&config()))));
    run.step();
    let ask = run.pending.iter().position(|ask| ask.job.as_str() == "design:zeph-3").unwrap();
    run.pending.remove(ask);
    run.feed(EventKind::CallFailed {
        job: JobId::new("design:zeph-3"),
        failure: CallFailure {
            name: "APIError".into(),
            status: Some(500),
            host_retries: 5,
            ..CallFailure::default()
        },
    });
    assert_eq!(run.finish(), Outcome::Partial);
    assert_eq!(*shell.borrow(), 0, "six requests were made already: not one more");
}

#[test]
fn the_host_may_repeat_a_request_as_often_as_tries_are_left() {
    let failed = RefCell::new(false);
    let script = |ask: &Ask| {
        if ask.job.as_str() == "design:zeph-3" && !failed.replace(true) {
            return Does::Fails("APIError", Some(500));
        }
        well(ask)
    };
    let shell = play(&config(), &script, Order::FirstIn);
    let asks = shell.asked.iter().filter(|ask| ask.job.as_str() == "design:zeph-3");
    assert_eq!(asks.map(|ask| ask.host_retries).collect::<Vec<_>>(), [3, 2]);
    let others = shell.asked.iter().filter(|ask| ask.job.as_str() != "design:zeph-3");
    assert!(others.map(|ask| ask.host_retries).all(|retries| retries == 3));
}

/// A model that fails three calls of ten, in every possible way; the seed decides what it does.
fn moody(random: &RefCell<Random>) -> impl Fn(&Ask) -> Does {
    move |ask| {
        let mut random = random.borrow_mut();
        if random.below(10) >= 3 {
            return well(ask);
        }
        match random.below(12) {
            0 => Does::Fails("APIError", Some(429)),
            1 => Does::Fails("APIError", Some(500)),
            2 => Does::Fails("APIError", Some(529)),
            3 => Does::Fails("APIError", None),
            4 => Does::Fails("Timeout", None),
            5 => Does::Fails("NotFoundError", None),
            6 => Does::Fails("ContextOverflowError", Some(400)),
            7 => Does::Fails("ContentFilterError", None),
            8 => Does::Fails("MessageOutputLengthError", None),
            9 => Does::Says(String::new()),
            10 => Does::Says("I'd rather not.".to_owned()),
            _ => Does::Ends("{\"title\": \"x".to_owned(), "length"),
        }
    }
}

#[test]
fn a_run_among_faults_crashes_and_cancellations_always_ends_and_says_the_truth() {
    for seed in 0..60 {
        let random = RefCell::new(Random::new(seed, "models"));
        let script = moody(&random);
        let mut fate = Random::new(seed, "fate");
        let order = if seed % 2 == 0 { Order::FirstIn } else { Order::LastIn };
        let mut shell = Shell::new(&script, order);
        shell.feed(EventKind::Opened(Box::new(opening(&config()))));
        let mut steps = 0;
        while shell.ending.is_none() {
            assert!(shell.step(), "seed {seed}: the run hangs");
            steps += 1;
            assert!(steps < 2_000, "seed {seed}: no end");
            let ended = shell.ending.is_some();
            if !ended && fate.below(15) == 0 {
                if fate.below(3) == 0 {
                    shell.feed(EventKind::Cancelled { reason: "chance".to_owned() });
                }
                let before = answered(&shell.journal);
                let journal = shell.journal.clone();
                shell = Shell::resumed(&journal, &script, order, BTreeMap::new());
                assert!(before.is_subset(&answered(&shell.journal)), "seed {seed}");
            }
        }
        let outcome = shell.ending.as_ref().unwrap().0;
        let failed = shell.files.get("results/ranking.json").map(|_| {
            let ranking = shell.json("results/ranking.json");
            (ranking["metadata"]["failed"].as_array().unwrap().len(), ranking["metadata"]["partial"].clone())
        });
        match outcome {
            Outcome::Complete => assert_eq!(failed, Some((0, json!(false))), "seed {seed}"),
            Outcome::Partial => {
                let (count, partial) = failed.unwrap();
                assert!(count > 0 && partial == json!(true), "seed {seed}: {count} {partial}");
            }
            Outcome::Stopped => assert!(shell.run.live_message(shell.now).contains("[run."), "seed {seed}"),
            Outcome::Cancelled => panic!("seed {seed}: resumed, so not cancelled"),
            Outcome::Paused | Outcome::Pending | Outcome::Waiting => {
                panic!("seed {seed}: nothing was to be waited for")
            }
        }
        for (path, text) in Run::replay(&shell.journal.concat()).unwrap().0.files().unwrap() {
            assert_eq!(shell.files[&path], text, "seed {seed}: {path}");
        }
    }
}

/// Plays a run in which the output of each call is `factor` times what is expected of its kind. Returns the tokens used, and by how
/// much the estimates of the last calls in flight fall short.
fn spending(budget: u64, concurrency: u64, order: Order, factor: u64) -> (u64, u64) {
    let mut config = config();
    config["budget"] = json!({ "max_tokens": budget });
    config["concurrency"] = json!(concurrency);
    let expected = |ask: &Ask| {
        let input = (ask.system.len() + ask.text.len()).div_ceil(3) as u64;
        let output = match ask.job.as_str().split(':').next() {
            Some("topic") => 50,
            Some("design") => 4_000,
            _ => 2_000,
        };
        Tokens { input, output, ..Tokens::default() }
    };
    let used = |ask: &Ask| {
        let mut tokens = expected(ask);
        tokens.output *= factor;
        tokens
    };
    let mut shell = Shell::new(&well, order);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    let (mut spent, mut shortfall) = (0, 0);
    let mut asked = 0;
    while !shell.pending.is_empty() {
        if shell.asked.len() > asked {
            asked = shell.asked.len();
            shortfall = shell.pending.iter().map(|ask| used(ask).total() - expected(ask).total()).sum();
        }
        let ask = match order {
            Order::FirstIn => shell.pending.remove(0),
            Order::LastIn => shell.pending.pop().unwrap(),
        };
        let Does::Says(text) = well(&ask) else { unreachable!() };
        spent += used(&ask).total();
        shell.now += 1_000;
        let reply = Reply { text, finish: "stop".to_owned(), tokens: used(&ask), ..Reply::default() };
        shell.feed(EventKind::Answered { job: ask.job, reply });
    }
    assert!(shell.ending.is_some());
    (spent, shortfall)
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    #[test]
    fn the_budget_holds_under_concurrency(budget in 1_000u64..60_000, concurrency in 1u64..9, last_in: bool) {
        let order = if last_in { Order::LastIn } else { Order::FirstIn };
        let (spent, _) = spending(budget, concurrency, order, 1);
        proptest::prop_assert!(spent <= budget, "{spent} of {budget}: every estimate was right");
        let (spent, shortfall) = spending(budget, concurrency, order, 3);
        proptest::prop_assert!(
            spent <= budget + shortfall,
            "{spent} of {budget}: more than the estimates of the calls in flight fell short of ({shortfall})"
        );
    }
}

/// An event as a host might report it, as JSON.
fn event_kind(event: Value) -> EventKind {
    serde_json::from_value(event).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn whatever_usage_a_provider_reports_a_run_continues_and_can_be_resumed() {
    let nonsense = [
        json!(1000.5),
        json!(1e300),
        json!(-1),
        json!(-1e300),
        json!(null),
        json!("1000"),
        json!([1]),
        json!(u64::MAX),
        json!({"input": 1}),
    ];
    for value in nonsense {
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening(&config()))));
        let mut failed = false;
        while !shell.pending.is_empty() {
            let ask = shell.pending.remove(0);
            let Does::Says(text) = well(&ask) else { unreachable!() };
            let usage = json!({"input": value, "output": value, "reasoning": value, "cache_read": value});
            let of = json!({"cost": value, "tokens": usage, "host_retries": value, "model": value});
            let (mut event, part) = if !failed && ask.job.as_str() == "design:quill-4" {
                failed = true;
                let failure = json!({
                    "name": "APIError", "message": value, "status": value, "retryable": value, "retry_after_ms": value,
                });
                (json!({"event": "call_failed", "job": ask.job, "failure": failure}), "failure")
            } else {
                let reply = json!({"text": text, "finish": "stop"});
                (json!({"event": "answered", "job": ask.job, "reply": reply}), "reply")
            };
            for (key, value) in of.as_object().unwrap() {
                event[part][key] = value.clone();
            }
            shell.feed(event_kind(event));
            while shell.pending.is_empty() && shell.ending.is_none() {
                assert!(shell.step(), "{value}: the run hangs");
            }
        }
        let outcome = shell.ending.as_ref().unwrap().0;
        assert!(matches!(outcome, Outcome::Complete | Outcome::Partial), "{value}: {outcome:?}");
        let summary = Run::replay(&shell.journal.concat()).unwrap().0.summary().unwrap();
        assert!(summary.cost.is_finite() && summary.cost >= 0.0, "{value}: {}", summary.cost);
        assert!(summary.tokens.total() < 1_000_000, "{value}: {:?}", summary.tokens);
    }
}

/// A model that fails in the ways of [`moody`], and requests waits of all lengths.
fn with_waits(random: &mut Random, ask: &Ask) -> EventKind {
    let job = ask.job.clone();
    let Does::Says(text) = well(ask) else { unreachable!() };
    if random.below(10) < 6 {
        return EventKind::Answered {
            job,
            reply: Reply { text, finish: "stop".to_owned(), ..Reply::default() },
        };
    }
    let waits = [None, Some(0), Some(1), Some(2_000), Some(599_999), Some(1_000_000_000_000), Some(u64::MAX)];
    let pick = |random: &mut Random, count: usize| usize::try_from(random.below(count as u64)).unwrap();
    let failure = CallFailure {
        name: ["APIError", "Timeout", "NotFoundError"][pick(random, 3)].into(),
        status: [None, Some(425), Some(429), Some(503)][pick(random, 4)],
        retry_after_ms: waits[pick(random, waits.len())],
        host_retries: [0, 1, u32::MAX][pick(random, 3)],
        ..CallFailure::default()
    };
    EventKind::CallFailed { job, failure }
}

#[test]
fn no_clock_no_timer_and_no_failure_leaves_a_run_without_call_alarm_and_end() {
    for seed in 0..300 {
        let mut random = Random::new(seed, "clock");
        let mut config = config();
        if seed % 3 == 0 {
            config["timeouts"] = json!({"run_ms": 3_600_000});
        }
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening(&config))));
        let mut steps = 0;
        while shell.ending.is_none() {
            // The clock is broken for a while, and correct from then on.
            if steps < 40 {
                shell.now = match random.below(8) {
                    0 => shell.now - 400,
                    1 => shell.now / 2,
                    2 => shell.now.saturating_add(3_600_000),
                    3 => shell.now.saturating_mul(1_000).min(u64::MAX / 2),
                    4 => 0,
                    5 => 1_795_167_000_000,
                    _ => shell.now,
                }
                .max(1_000);
            }
            let alarm_first = random.below(2) == 0;
            if let Some(at) = shell.alarm.filter(|_| alarm_first || shell.pending.is_empty()) {
                shell.alarm = None;
                // On time, a little early, or at once, like a timer that is too long for Node.
                let early = if steps < 40 {
                    [0, 1, 400, u64::MAX][usize::try_from(random.below(4)).unwrap()]
                } else {
                    0
                };
                shell.now = shell.now.max(at.saturating_sub(early));
                shell.feed(EventKind::Woken);
            } else {
                assert!(
                    !shell.pending.is_empty(),
                    "seed {seed}: after {steps} steps neither call nor alarm nor end"
                );
                let ask = shell.pending.remove(0);
                let event = with_waits(&mut random, &ask);
                shell.feed(event);
            }
            steps += 1;
            assert!(steps < 2_000, "seed {seed}: no end");
        }
        Run::replay(&shell.journal.concat()).unwrap();
    }
}

#[test]
fn a_clock_that_goes_back_in_a_pause_makes_it_no_longer_and_one_that_jumps_no_shorter() {
    let failed = |wait| EventKind::CallFailed {
        job: JobId::new("design:quill-4"),
        failure: CallFailure { status: Some(425), retry_after_ms: Some(wait), ..CallFailure::default() },
    };
    let mut config = config();
    config["design_models"] = json!(["x/quill-4", "x/brisk-10"]);
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config))));
    shell.step();
    let others = shell.pending.iter().filter(|ask| ask.job.as_str() != "design:quill-4").count();
    shell.pending.retain(|ask| ask.job.as_str() != "design:quill-4");
    shell.feed(failed(5_000));
    let began = shell.now;
    assert_eq!(shell.alarm, Some(began + 5_000));
    // The timer fires on time; the clock has gone back by 400 ms.
    shell.now = began + 5_000 - 400;
    shell.alarm = None;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.alarm, Some(began + 5_000), "the rest of the pause is waited for");
    // And by a day: the remaining wait is still 400 ms.
    shell.now -= 86_400_000;
    shell.alarm = None;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.alarm, Some(shell.now + 400));
    // Another answer is no reason to wait longer.
    shell.now += 399;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.pending.len(), others);
    shell.now += 1;
    shell.feed(EventKind::Woken);
    assert_eq!(shell.pending.len(), others + 1, "asked again after 5 s in all");
}

#[test]
fn a_wait_that_no_run_makes_ends_the_job_and_not_the_run() {
    let script = |ask: &Ask| match ask.job.as_str() {
        "design:zeph-3" => Does::Fails("Waits", Some(425)),
        _ => well(ask),
    };
    let mut shell = Shell::new(&script, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    shell.step();
    shell.pending.retain(|ask| ask.job.as_str() != "design:zeph-3");
    let failure = CallFailure {
        status: Some(429),
        retry_after_ms: Some(1_000_000_000_000),
        message: "slow down".into(),
        ..CallFailure::default()
    };
    shell.feed(EventKind::CallFailed { job: JobId::new("design:zeph-3"), failure });
    assert_eq!(shell.alarm, None, "nobody waits for years");
    assert_eq!(shell.finish(), Outcome::Partial);
    let failed = shell.json("results/ranking.json")["metadata"]["failed"][0]["reason"].clone();
    assert!(failed.as_str().unwrap().starts_with("the provider asks to wait 11574 d 1 h"), "{failed}");
}
