//! Journals that were forged or changed: their checksums are right, their content is not.

use super::follow_up::build_upon;
use super::human_review::scored_by_ada;
use super::reconfigured::taken_over;
use super::*;
use crate::design_lab::workflow::{FollowUp, Found, Owner, Wanted};
use crate::random::Random;
use kernel::journal;

fn parsed(journal: &[String]) -> Vec<Value> {
    journal
        .iter()
        .map(|line| {
            let mut event: Value = serde_json::from_str(line).unwrap();
            let members = event.as_object_mut().unwrap();
            for sealed in ["n", "crc", "prev"] {
                members.shift_remove(sealed);
            }
            event
        })
        .collect()
}

/// A line with a correct checksum, whatever its content.
fn sealed(number: usize, event: &Value) -> String {
    journal::seal_text(number as u64, &event.to_string())
}

/// One journal of each kind of run, with lines as they were before there was a chain, so that any of them can be replaced.
fn journals() -> Vec<Vec<String>> {
    let mut scored = play(&config(), &well, Order::FirstIn);
    scored_by_ada(&mut scored);
    let upon = |follow_up, wanted: &Wanted| build_upon(&scored, follow_up, wanted, &config(), &well).journal;
    let refined = upon(FollowUp::Refine, &Wanted { rounds: 2, ..Wanted::default() });
    let merged = upon(FollowUp::Merge, &Wanted::default());
    let mut pairs = config();
    pairs["review"] = json!({"mode": "pairwise"});
    let mut other = config();
    other["review_models"] = json!(["z/judge", "x/quill-4"]);
    let mut changed = taken_over(&scored.journal, &other, &well, Order::LastIn);
    changed.finish();
    let pairwise = play(&pairs, &well, Order::LastIn).journal;
    let unchained =
        |journal: Vec<String>| (1..).zip(parsed(&journal)).map(|(n, event)| sealed(n, &event)).collect();
    [scored.journal.clone(), changed.journal, pairwise, refined, merged].map(unchained).into()
}

/// Whether everything that a process does with an existing run succeeds or is refused with a message, and stays in the run's directory.
fn is_harmless(run: &mut Run, at: u64) {
    let found = Found {
        name: "2026-11-20-x".to_owned(),
        summary: run.summary(),
        problem: None,
        owner: Owner::Nobody,
    };
    run.status(&found, at, Reader::Person);
    run.live_message(at);
    run.panel(at, &[]);
    let _ = run.page();
    run.next_round();
    let mut paths: Vec<String> = match run.files() {
        Ok(files) => files.into_iter().map(|(path, _)| path).collect(),
        Err(problem) => panic!("only the last door stopped it: {problem:?}"),
    };
    for kind in [EventKind::Resumed, EventKind::Woken, EventKind::Cancelled { reason: "enough".to_owned() }] {
        let line = run.seal(&Event { at, kind });
        for command in run.apply(&line).unwrap_or_else(|problem| panic!("{problem:?}")) {
            match command {
                Command::Write { path, .. } | Command::Discard { path } => paths.push(path),
                Command::ClaimDirectory { name } => paths.push(name),
                _ => {}
            }
        }
    }
    for path in paths {
        let plain =
            |name: &str| !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', ':', '\0']);
        assert!(path.split('/').all(plain), "{path:?}");
    }
}

/// Every place in a value that contains no further value.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                leaves(value, &crate::design_lab::schema::child(pointer, key), found);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

/// Whether it is a place from which names of files or numbers of jobs are made.
fn is_telling(place: &str) -> bool {
    let telling =
        ["id", "line", "run", "name", "date", "reviewer", "job", "repeats", "version", "design", "session"];
    let key = place.rsplit('/').next().unwrap_or_default();
    telling.contains(&key) || ["/order/", "/labels/", "/versions/"].iter().any(|list| place.contains(list))
}

/// How many of the nasty values are paths to somewhere else.
const PATHS: usize = 4;

#[test]
fn whatever_a_journal_says_nothing_panics_and_no_path_leaves_the_run() {
    let nasty = [
        json!("../../../victim"),
        json!("/etc/passwd"),
        json!("..\\..\\victim"),
        json!("human:../../x"),
        json!(""),
        json!("quill-4"),
        json!("review:judge:1"),
        json!("a\u{0}b\u{202e}"),
        json!(4e9),
        json!(4_000_000_000_u64),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(-1),
        json!(0),
        json!(1e308),
        json!(0.5),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
        json!(["../x", "../x"]),
    ];
    let mut refused = 0;
    let rounds = std::env::var("MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    for (kind, journal) in journals().iter().enumerate() {
        let events = parsed(journal);
        // The run before each line.
        let mut before = vec![Run::new()];
        for line in journal {
            let mut run = before.last().unwrap().clone();
            run.apply(line).unwrap();
            before.push(run);
        }
        let mut random = Random::new(kind as u64, "hostile");
        let mut pick = |count: usize| usize::try_from(random.below(count as u64)).unwrap();
        for round in 0..rounds {
            // The opening contains the most, so it is changed the most.
            let line = if round % 2 == 0 { 0 } else { pick(events.len()) };
            let mut event = events[line].clone();
            for _ in 0..=pick(2) {
                let mut places = Vec::new();
                leaves(&event, "", &mut places);
                let telling: Vec<&String> = places.iter().filter(|place| is_telling(place)).collect();
                let mut place = places[pick(places.len())].as_str();
                if !telling.is_empty() && pick(2) == 0 {
                    place = telling[pick(telling.len())];
                }
                if pick(4) == 0 {
                    place = place.rsplit_once('/').map_or("", |(parent, _)| parent);
                }
                if !place.is_empty() {
                    let most = if pick(2) == 0 { PATHS } else { nasty.len() };
                    *event.pointer_mut(place).unwrap() = nasty[pick(most)].clone();
                }
            }
            let mut run = before[line].clone();
            let mut rest = vec![sealed(line + 1, &event)];
            rest.extend_from_slice(&journal[line + 1..]);
            if round % 3 == 0 {
                // An attacker with a plan changes a name wherever it occurs.
                let names =
                    ["quill-4", "brisk-10", "judge", "jury", "ada", "2026-11-20", "rate-limiter", "merged"];
                let (old, new) = (names[pick(names.len())], nasty[pick(PATHS)].to_string());
                let changed = |event: &Value| event.to_string().replace(old, new.trim_matches('"'));
                run = Run::new();
                rest = (1..).zip(&events).map(|(n, event)| journal::seal_text(n, &changed(event))).collect();
            }
            let outcome = rest.iter().try_for_each(|line| run.apply(line).map(drop));
            match outcome {
                Ok(()) => is_harmless(&mut run, 1_795_167_900_000),
                Err(problem) => {
                    refused += 1;
                    assert!(problem.code.as_str().starts_with("journal."), "{problem:?}");
                    assert_ne!(problem.code, "journal.path", "only the last door stopped it: {event}");
                }
            }
        }
    }
    assert!(refused > 50, "{refused} were refused");
}

#[test]
fn a_journal_is_parsed_as_strictly_as_a_configuration() {
    let journals = journals();
    let [scored, changed, _, refined, _] = &journals[..] else { unreachable!() };
    let line_of = |journal: &[String], kind: &str| {
        journal.iter().position(|line| line.contains(&format!("\"event\":\"{kind}\""))).unwrap()
    };
    let cases = [
        (scored, "opened", "/config/design_models/0/id", json!("../../../victim")),
        (scored, "opened", "/config/design_models/0/id", json!("brisk-10")),
        (scored, "opened", "/config/design_models", json!([])),
        (scored, "opened", "/config/review_models", json!([])),
        (scored, "opened", "/config/review_models/1/id", json!("a/../../b")),
        (scored, "opened", "/config/review_models/0/temperature", json!(1e300)),
        (scored, "opened", "/config/review/repeats", json!(4_000_000_000_u64)),
        (scored, "opened", "/config/concurrency", json!(0)),
        (scored, "opened", "/config/retries/call", json!(4_000_000_000_u64)),
        (scored, "opened", "/config/timeouts/call_ms", json!(0)),
        (scored, "opened", "/config/timeouts/run_ms", json!(u64::MAX)),
        (scored, "opened", "/config/budget/max_cost_usd", json!(-1)),
        (scored, "opened", "/config/prices", json!({"a/b": {"input": -1, "output": 0}})),
        (scored, "opened", "/config/scoring_criteria/dimensions", json!([])),
        (scored, "opened", "/config/scoring_criteria/dimensions/0/name", json!("../x")),
        (scored, "opened", "/config/scoring_criteria/dimensions/0/weight", json!(1e300)),
        (scored, "opened", "/config/isolation/allowed_tools", json!(["bash; rm"])),
        (scored, "opened", "/date", json!("../../../../x")),
        (scored, "opened", "/seed", json!(u64::MAX)),
        (scored, "directory_claimed", "/name", json!("../elsewhere")),
        (scored, "presented", "/order/0", json!("../victim")),
        (scored, "presented", "/labels/0", json!("</design>")),
        (scored, "presented", "/labels", json!([])),
        (scored, "presented", "/job", json!("human:../../victim")),
        (scored, "recounted", "/humans/0/reviewer", json!("../../victim")),
        (scored, "recounted", "/humans/0/scores/0/score", json!(1e300)),
        (scored, "recounted", "/humans/0/scores/0/design", json!("nobody")),
        (scored, "recounted", "/weights/clarity", json!(0)),
        (changed, "reconfigured", "/config/review_models/1/id", json!("../x")),
        (changed, "reconfigured", "/config/review/repeats", json!(4_000_000_000_u64)),
        (refined, "opened", "/basis/designs/0/id", json!("../victim")),
        (refined, "opened", "/basis/designs/0/line", json!("../victim")),
        (refined, "opened", "/basis/designs/0/version", json!(u32::MAX)),
        (refined, "opened", "/basis/run", json!("../../elsewhere")),
        (refined, "opened", "/basis/step/versions", json!({"../x": "quill-4"})),
    ];
    for (journal, kind, place, value) in cases {
        let line = line_of(journal, kind);
        let mut event = parsed(journal)[line].clone();
        *event.pointer_mut(place).unwrap_or_else(|| panic!("{kind} has no {place}")) = value.clone();
        let text = [&journal[..line], &[sealed(line + 1, &event)], &journal[line + 1..]].concat().concat();
        let problem = Run::replay(&text).map(drop).expect_err(&format!("{kind} {place} {value}"));
        assert_eq!(problem.code, "journal.invalid", "{kind} {place} {value}: {problem:?}");
        assert!(problem.message.contains(&format!("Line {} ", line + 1)), "{problem:?}");
    }
}

#[test]
fn what_a_run_is_listed_with_is_a_number_to_javascript_whatever_its_clock_said() {
    let mut events = parsed(&play(&config(), &well, Order::FirstIn).journal);
    for at in [0, 1 << 53, u64::MAX] {
        for event in &mut events {
            event["at"] = json!(at);
        }
        let text: String = (1..).zip(&events).map(|(n, event)| sealed(n, event)).collect();
        let summary = Run::replay(&text).unwrap().0.summary().unwrap();
        assert!(
            summary.at < 1 << 53 && summary.tokens.total() < 1 << 53 && summary.likeness < 1 << 53,
            "{at}"
        );
    }
}

#[test]
fn a_session_of_no_usable_name_fails_its_call_and_not_the_run() {
    for session in ["", "../../session/ses_other", "a b", "ses\u{0}"] {
        let mut shell = Shell::new(&well, Order::FirstIn);
        let line = shell.run.seal(&Event { at: 0, kind: EventKind::Opened(Box::new(opening(&config()))) });
        let commands = shell.run.apply(&line).unwrap();
        let of_topic = |command: &Command| matches!(command, Command::OpenSession { job, .. } if job.as_str() == "topic");
        let (topic, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(of_topic);
        assert_eq!(topic.len(), 1);
        shell.now = 1;
        for command in others {
            shell.perform(command);
        }
        let opened = EventKind::SessionOpened { job: JobId::new("topic"), session: session.to_owned() };
        shell.feed(opened.clone());
        assert!(shell.pending.len() == 3 && shell.alarm.is_some(), "{session:?}: tried again later");
        assert_eq!(shell.finish(), Outcome::Complete);
        // Repeating it changes nothing.
        shell.feed(opened);
    }
}
