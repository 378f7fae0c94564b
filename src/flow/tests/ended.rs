//! How the latest feature ended: five lines if it is complete, the end of its output if it is blocked, and the command that undoes
//! its changes.

use super::lies::with;
use super::*;
use crate::flow::git_record::GitRecord;
use crate::flow::tree::TreeId;
use kernel::progress::{Activity, Incoming};

const UNDO: &str = ".flow/sessions/x/undo/limits.patch";

/// A tree's id in the form that git uses.
fn of_git(tree: &TreeId) -> TreeId {
    format!("{:0>40}", tree.as_str().trim_start_matches('t')).as_str().into()
}

/// All goes well, in a git repository.
fn well_in_git(effect: &Effect) -> Decision {
    let given = effect;
    let plain = match effect {
        Effect::TakeTree { effect, since, .. } => {
            let since = since
                .as_ref()
                .map(|since| since.as_str().trim_start_matches('0').parse().unwrap_or(0))
                .map(|number: u32| format!("t{number}").as_str().into());
            Effect::TakeTree {
                effect: *effect,
                since,
                ends_work: false,
                seal: None,
                link: Vec::new(),
                undo: None,
                outside_since: None,
                hold: None,
            }
        }
        other => other.clone(),
    };
    match well(&plain) {
        Decision::TreeTaken(seen) => {
            let TreeTaken { effect, tree, changed, tests, .. } = *seen;
            let mut seen = taken(effect, of_git(&tree).as_str(), changed, tests);
            if let (Effect::TakeTree { undo: Some(path), .. }, Decision::TreeTaken(look)) = (given, &mut seen)
            {
                look.undo = Some(format!(".flow/sessions/x/{path}"));
            }
            seen
        }
        Decision::CheckFinished(mut seen) => {
            seen.tree_before = of_git(&seen.tree_before);
            seen.tree_after = of_git(&seen.tree_after);
            Decision::CheckFinished(seen)
        }
        other => other,
    }
}

#[test]
fn a_complete_feature_says_what_stands_for_it_and_how_it_is_undone() {
    let mut shell = approved(&honest, &well_in_git);
    run_next(&mut shell);
    let chat = status(&shell);
    let lines = [
        "✓ limits: Token bucket",
        "  Files     src/limits.js, test/limits.test.js",
        "  Without   unit: fails when the feature is removed, as it should",
        "  With      unit: passed (3 tests ran)",
        "  Approved  acme/reviewer",
    ];
    let undo = format!(
        "  Undo      /flow-reset feature limits, then in a terminal:\n            git apply {UNDO}\n"
    );
    assert!(chat.contains(&format!("{}\n{undo}", lines.join("\n"))), "{chat}");

    let event = shell.run.reset("limits").unwrap();
    carry_out(&mut shell, event);
    let chat = status(&shell);
    assert!(chat.contains("Files that are still changed: src/limits.js, test/limits.test.js\n"), "{chat}");
    assert!(
        flat(&chat).contains(&format!("uncommitted changes from that time, run: git apply {UNDO} ")),
        "{chat}"
    );
    let event = shell.run.start("", &[]).unwrap();
    shell.ending = None;
    shell.feed(event);
    assert!(!status(&shell).contains("still changed"), "that was before");
}

#[test]
fn what_a_worker_changed_before_it_gave_up_can_be_taken_back() {
    let says = |outcome: &'static str| {
        move |ask: &Ask| with(ask, "work", &json!({"outcome": outcome, "summary": "A file is missing."}))
    };
    let fails = |ask: &Ask| {
        if ask.job.as_str().starts_with("work") {
            Does::Fails("ProviderAuthError", Some(401))
        } else {
            honest(ask)
        }
    };
    let (blocked, replan) = (says("blocked"), says("replan_required"));
    let scripts: [&dyn Fn(&Ask) -> Does; 3] = [&blocked, &replan, &fails];
    let codes = ["run.worker-blocked", "run.replan-required", "run.worker-failed"];
    for (script, expected) in scripts.into_iter().zip(codes) {
        let mut shell = approved(script, &well_in_git);
        assert_eq!(run_next(&mut shell), Outcome::Stopped, "{expected}");
        assert_eq!(code(&shell), expected);
        let status = status(&shell);
        assert!(
            flat(&status).contains(&format!("uncommitted changes from that time, run: git apply {UNDO} ")),
            "{expected}: {status}"
        );
        assert_eq!(shell.run.state().unwrap().changed_by("limits")[0], "src/limits.js", "{expected}");
    }
    // Even if the files can't be read, the worker's report counts.
    let closed = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 2, .. } => {
            Decision::EffectFailed { effect: 2, message: "EACCES: src/x".to_owned() }
        }
        _ => well_in_git(effect),
    };
    let mut shell = approved(&replan, &closed);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "run.replan-required");
    assert!(shell.run.state().unwrap().objection().is_some(), "the next draft hears of it");
    assert!(shell.run.state().unwrap().notes.iter().any(|note| note.contains("EACCES")));
    // A session with earlier rules looks only if the worker is done.
    let mut shell = approve(drafted_under(3, &blocked, &well_in_git));
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(shell.effects_asked.len(), 1);
}

#[test]
fn a_blocked_feature_shows_the_end_of_its_output() {
    let fails = |effect: &Effect| match effect {
        Effect::TakeTree { effect: 1, .. } => tree_taken(effect, "t0"),
        Effect::TakeTree { .. } => tree_taken(effect, "t1"),
        Effect::RunCheck { effect, .. } => {
            let ran = failed(&format!(
                "{}not ok 1 - it refills\n\u{1b}[31mexpected 3\u{1b}[0m\n",
                "line\n".repeat(20)
            ));
            finished(CheckFinished { ran, ..passed(*effect, "t1") })
        }
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    };
    let mut shell = approved(&honest, &fails);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    let status = status(&shell);
    let (_, end) = status.split_once("The end of the output of unit (").unwrap_or_else(|| panic!("{status}"));
    assert!(end.contains("  not ok 1 - it refills\n") && end.contains("expected 3"), "{end}");
    assert_eq!(end.lines().skip(1).take_while(|line| line.starts_with("  ")).count(), 8);
    assert!(!status.contains('\u{1b}'), "{status}");
}

/// A call that has received 310 tokens in 25 seconds.
fn writing(session: &str) -> Incoming {
    Incoming { session: session.to_owned(), waiting: false, characters: 1_240, writing_ms: 25_000 }
}

#[test]
fn the_live_message_says_who_is_at_work_how_long_and_what_is_seen_of_it() {
    let mut shell = approved(&honest, &well);
    let event = shell.run.start("", &[]).unwrap();
    shell.ending = None;
    shell.feed(event);
    let activity = Activity {
        tool: Some("bash npm test".to_owned()),
        files: ["a.js", "b.js", "c.js", "d.js", "e.js"].map(str::to_owned).to_vec(),
        asks: Some("bash: npm install".to_owned()),
        calls: Vec::new(),
    };
    let (mut texts, mut panels) = (Vec::new(), Vec::new());
    while shell.run.panel(shell.now, &[]).is_some() {
        let calls = shell.asked.last().into_iter().map(|ask| writing(&ask.session)).collect();
        let activity = Activity { calls, ..activity.clone() };
        texts.push(shell.run.live_message_at(shell.now + 61_000, "", Some(&activity)));
        panels.extend(shell.run.panel(shell.now, &activity.calls).map(|panel| panel.rows[3].figures.clone()));
        assert!(shell.step());
    }
    let written = "Now   acme/worker: at work · ~310 tokens · 12 tokens/s, ";
    let working = texts.iter().find(|text| text.contains(written)).unwrap();
    assert!(panels.iter().any(|figures| figures.starts_with("~310 tokens, ")), "{panels:?}");
    for line in [
        " in all)\n",
        "      Waiting for your permission: bash: npm install\n",
        "      Last tool: bash npm test\n",
        "      Files touched: e.js, d.js, c.js, b.js and 1 more\n",
    ] {
        assert!(working.contains(line), "{working}");
    }
    assert!(texts.iter().any(|text| text.contains("Now   check unit: running (")), "{texts:?}");
    let rests = shell.run.live_message_at(shell.now, "", Some(&activity));
    assert!(!rests.contains("Now ") && !rests.contains("Last tool"), "{rests}");
    let kept = shell.journal.iter().chain(shell.files.values());
    assert!(kept.into_iter().all(|text| !text.contains("npm install")), "nothing that is kept has it");
}

/// [`well`], with a commit by the time the tree is taken for the second time.
fn committed(effect: &Effect) -> Decision {
    let mut decision = well(effect);
    if let Decision::TreeTaken(seen) = &mut decision {
        seen.recorded = Some(Box::new(GitRecord {
            branch: "refs/heads/main".to_owned(),
            commit: Some(if seen.effect == 1 { "0123456789abcdef" } else { "fedcba9876543210" }.to_owned()),
            refs: "r".to_owned(),
            staged: "s".to_owned(),
            settings: "c".to_owned(),
        }));
    }
    decision
}

#[test]
fn a_commit_that_nobody_asked_for_is_told_once_and_decides_nothing() {
    let mut shell = approved(&honest, &committed);
    run_next(&mut shell);
    let status = status(&shell);
    assert!(status.contains("✓ limits: Token bucket"), "{status}");
    assert_eq!(
        flat(&status).matches("keeping all files: `git reset --soft 0123456789abcdef`").count(),
        1,
        "{status}"
    );
    let (replayed, _) = Run::replay(&shell.journal.concat()).unwrap();
    assert_eq!(replayed.status(&Owner::Nobody), status);
}
