//! A worker that lies, and checks that show nothing: neither ever completes a feature.

use super::*;

/// A model's answer with this instead of the correct values.
pub(super) fn with(ask: &Ask, job: &str, changes: &Value) -> Does {
    let mut answer = right(ask);
    if ask.job.as_str().starts_with(job) {
        for (key, value) in changes.as_object().unwrap() {
            answer[key] = value.clone();
        }
    }
    Does::Says(answer.to_string())
}

/// Files that change at each look, and the checks of the tree that was taken last.
fn restless(effect: &Effect) -> Decision {
    match effect {
        Effect::TakeTree { effect: number, .. } => tree_taken(effect, &format!("t{number}")),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, &format!("t{}", effect - 1))),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

/// The same, with the result of each check changed by `seen`.
fn busy(effect: &Effect, seen: impl Fn(CheckFinished) -> CheckFinished) -> Decision {
    match (effect, restless(effect)) {
        (_, Decision::CheckFinished(right)) => finished(seen(*right)),
        (_, other) => other,
    }
}

/// Builds the first feature; returns the code with which it is blocked, and the number of its rounds.
pub(super) fn blocked(script: &dyn Fn(&Ask) -> Does, effects: Effects<'_>) -> (String, u32) {
    let mut shell = approved(script, effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let session = shell.json("session.json");
    let feature = &session["execution"]["features"][0];
    assert_eq!((&feature["state"], &session["status"]), (&json!("blocked"), &json!("blocked")));
    let recovery = shell.run.state().unwrap().recovery.clone().unwrap();
    assert!(!recovery.resolution_hint.is_empty() && recovery.next_command.starts_with("/flow-"));
    assert!(status(&shell).contains(&recovery.next_command), "{}", status(&shell));
    assert!(
        !feature["tried"].as_array().unwrap().is_empty() || code(&shell).ends_with("-failed"),
        "the result names what was tried"
    );
    (code(&shell), u32::try_from(feature["rounds"].as_u64().unwrap()).unwrap())
}

#[test]
fn a_worker_that_says_done_and_changes_nothing_is_not_believed() {
    let idle = |effect: &Effect| match effect {
        Effect::TakeTree { .. } => tree_taken(effect, "t0"),
        Effect::RunCheck { .. } | Effect::RunApart { .. } => panic!("there is nothing to be checked"),
        _ => untried(),
    };
    assert_eq!(blocked(&honest, &idle), ("run.no-change".to_owned(), 2));
}

#[test]
fn evidence_of_files_that_changed_during_the_review_is_void() {
    assert_eq!(blocked(&honest, &restless), ("run.rounds".to_owned(), 5));
}

#[test]
fn files_that_changed_once_during_the_review_are_checked_and_reviewed_again() {
    let once = |effect: &Effect| {
        let tree = match effect.number() {
            1 => "t0",
            // Tree, check and both copies.
            2..=5 => "t1",
            _ => "t2",
        };
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
            Effect::RunApart { .. } => apart(effect),
            _ => untried(),
        }
    };
    let mut shell = approved(&honest, &once);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
    assert_eq!(shell.prompts_to("acme/worker").len(), 1, "the worker has nothing to fix");
    assert_eq!(shell.prompts_to("acme/reviewer").len(), 2);
    let feature = &shell.json("session.json")["execution"]["features"][0];
    let file = shell.json("features/limits.json");
    let trees: Vec<_> = file["evidence"].as_array().unwrap().iter().map(|one| &one["tree"]).collect();
    assert_eq!((json!(trees), &feature["tree"]), (json!(["t1", "t2"]), &json!("t2")));
}

#[test]
fn a_check_that_changes_files_shows_nothing() {
    let changes = |effect: &Effect| {
        busy(effect, |seen| CheckFinished {
            tree_after: "x".into(),
            changed: vec!["snapshot.txt".to_owned()],
            ..seen
        })
    };
    assert_eq!(blocked(&honest, &changes), ("run.rounds".to_owned(), 5));
}

#[test]
fn a_check_whose_files_were_touched_and_put_back_shows_nothing() {
    let touched = |effect: &Effect| {
        busy(effect, |seen| CheckFinished { touched: vec!["src/limits.js".to_owned()], ..seen })
    };
    assert_eq!(blocked(&honest, &touched), ("run.rounds".to_owned(), 5));
    let mut shell = approved(&honest, &touched);
    run_next(&mut shell);
    let prompt = shell.prompts_to("acme/worker")[1];
    assert!(
        prompt.contains("wrote to these files of the project while the check ran")
            && prompt.contains("src/limits.js"),
        "{prompt}"
    );
    assert!(
        flat(&shell.run.history())
            .contains("not counted: files were written to while the check ran: src/limits.js")
    );
}

#[test]
fn a_check_on_other_files_than_the_workers_shows_nothing() {
    let elsewhere = |effect: &Effect| {
        busy(effect, |seen| CheckFinished { tree_before: "x".into(), tree_after: "x".into(), ..seen })
    };
    assert_eq!(blocked(&honest, &elsewhere), ("run.rounds".to_owned(), 5));
}

#[test]
fn a_run_without_a_test_is_hollow() {
    let hollow = |effect: &Effect| {
        busy(effect, |seen| CheckFinished {
            ran: Ran { tests: Some(Tests { runners: vec![Runner::Node], ran: 0, skipped: 3 }), ..seen.ran },
            ..seen
        })
    };
    assert_eq!(blocked(&honest, &hollow), ("run.same-failure".to_owned(), 3));
}

#[test]
fn a_check_that_fails_in_any_way_does_not_pass() {
    for end in [
        CommandEnd::Exited { code: 1 },
        CommandEnd::Signalled { signal: "SIGSEGV".to_owned() },
        CommandEnd::TimedOut,
        CommandEnd::NotStarted { message: "ENOENT".to_owned() },
    ] {
        let fails = |effect: &Effect| {
            busy(effect, |seen| CheckFinished { ran: Ran { end: end.clone(), ..seen.ran }, ..seen })
        };
        assert_eq!(blocked(&honest, &fails), ("run.same-failure".to_owned(), 3), "{end:?}");
    }
    let differently = |effect: &Effect| {
        busy(effect, |seen| CheckFinished { ran: failed(&format!("{} failing", 100 - seen.effect)), ..seen })
    };
    assert_eq!(
        blocked(&honest, &differently),
        ("run.rounds".to_owned(), 5),
        "a failure that changes is progress"
    );
}

#[test]
fn a_worker_that_gives_up_is_heard() {
    let stuck =
        |ask: &Ask| with(ask, "work", &json!({"outcome": "blocked", "summary": "No database is there."}));
    assert_eq!(blocked(&stuck, &well), ("run.worker-blocked".to_owned(), 1));
    let replan = |ask: &Ask| {
        with(ask, "work", &json!({"outcome": "replan_required", "summary": "It needs\na cache first."}))
    };
    let mut shell = approved(&replan, &well);
    run_next(&mut shell);
    assert_eq!(code(&shell), "run.replan-required");
    let command = shell.json("session.json")["next_command"].as_str().unwrap().to_owned();
    assert_eq!(command, "/flow-plan revise", "it can be typed as it stands, and holds no word of a model's");
    let revised = shell.run.revise("", &[]).unwrap();
    let before = shell.asked.len();
    shell.feed(revised);
    shell.finish();
    let said = "The worker says that limits can't be built as planned: It needs a cache first.";
    assert!(shell.asked[before].text.contains(said), "{}", shell.asked[before].text);
}

#[test]
fn an_approval_that_contradicts_itself_is_none() {
    let finding =
        json!([{"severity": "major", "file": "src/limits.js", "line": 3, "text": "It never refills."}]);
    for changes in [
        json!({"findings": finding}),
        json!({"criteria": [
            {"id": "refills", "met": false, "where": "src/limits.js:3"},
            {"id": "readable", "met": true, "where": "src/limits.js"},
        ]}),
        json!({"decision": "needs_fix", "findings": finding}),
    ] {
        let contradicts = |ask: &Ask| with(ask, "review", &changes);
        assert_eq!(blocked(&contradicts, &calm), ("run.rounds".to_owned(), 5), "{changes}");
    }
    let minor = json!({"findings": [{"severity": "minor", "file": "", "line": null, "text": "A name could be better."}]});
    let approves = |ask: &Ask| with(ask, "review", &minor);
    let mut shell = approved(&approves, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete);
}

/// Files that change with each of the worker's rounds, and otherwise stay unchanged.
pub(super) fn calm(effect: &Effect) -> Decision {
    // 1 before, then after, check and two copies for each round, with one more copy for the files from before in the first round,
    // and the look after the review at the end.
    let tree = match effect.number() {
        1 => "t0".to_owned(),
        2..=6 => "t1".to_owned(),
        number => format!("t{}", (number + 1) / 4),
    };
    match effect {
        Effect::TakeTree { effect: 7, since: Some(since), .. } if since == "t1" => tree_taken(effect, "t1"),
        Effect::TakeTree { .. } => tree_taken(effect, &tree),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, &tree)),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

#[test]
fn an_approval_that_skips_a_criterion_is_asked_again() {
    let skips = |ask: &Ask| {
        let is_asked_again = ask.text.contains("can't be used");
        let changes = json!({"criteria": [{"id": "refills", "met": true, "where": "the check unit"}]});
        if is_asked_again { honest(ask) } else { with(ask, "review", &changes) }
    };
    let mut shell = approved(&skips, &calm);
    assert_eq!(run_next(&mut shell), Outcome::Complete, "{}", status(&shell));
    let prompts = shell.prompts_to("acme/reviewer");
    assert_eq!(prompts.len(), 2);
    assert!(
        prompts[1].contains("The review skips the criterion \\\"readable\\\"")
            || prompts[1].contains("The review skips the criterion \"readable\""),
        "{}",
        prompts[1]
    );
}

#[test]
fn a_reviewer_that_brings_nothing_completes_nothing() {
    let fails = |ask: &Ask| {
        if ask.job.as_str().starts_with("review") {
            Does::Fails("ProviderAuthError", Some(401))
        } else {
            honest(ask)
        }
    };
    assert_eq!(blocked(&fails, &calm).0, "run.reviewer-failed");
    let babbles = |ask: &Ask| {
        if ask.job.as_str().starts_with("review") {
            Does::Says("Looks good to me!".to_owned())
        } else {
            honest(ask)
        }
    };
    assert_eq!(blocked(&babbles, &calm).0, "run.reviewer-failed");
    let sees_no_way = |ask: &Ask| {
        with(
            ask,
            "review",
            &json!({"decision": "blocked", "findings": [{"severity": "blocking", "file": "", "line": null, "text": "The licence forbids it."}]}),
        )
    };
    assert_eq!(blocked(&sees_no_way, &calm).0, "run.review-blocked");
}

#[test]
fn an_effect_that_can_not_be_done_blocks_the_feature_and_it_can_be_built_again() {
    let broken =
        |effect: &Effect| Decision::EffectFailed { effect: effect.number(), message: "ENOSPC".to_owned() };
    assert_eq!(blocked(&honest, &broken).0, "run.effect-failed");
    let fixed = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 1, .. } => broken(effect),
        Effect::TakeTree { effect: 2, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { .. } => tree_taken(effect, "t1"),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, "t1")),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    };
    let mut shell = approved(&honest, &fixed);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let event = shell.run.start("limits", &[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
}

#[test]
fn a_feature_that_is_there_from_an_earlier_run_needs_no_further_change() {
    // The reviewer fails in the first run, when the work is already done.
    let fails_first = |ask: &Ask| {
        if ask.job.as_str() == "review:limits:1" {
            Does::Fails("ProviderAuthError", Some(401))
        } else {
            honest(ask)
        }
    };
    let there = |effect: &Effect| {
        let tree = if effect.number() == 1 { "t0" } else { "t1" };
        match effect {
            Effect::TakeTree { .. } => tree_taken(effect, tree),
            Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
            Effect::RunApart { .. } => apart(effect),
            _ => untried(),
        }
    };
    let mut shell = approved(&fails_first, &there);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let event = shell.run.start("limits", &[]).unwrap();
    assert_eq!(carry_out(&mut shell, event), Outcome::Complete);
}
