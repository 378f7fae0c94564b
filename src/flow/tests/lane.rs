//! Sessions whose workers work in a lane, and what of it is taken into the user's project.

use super::*;
use crate::design_lab::config::Workplace;
use crate::flow::protocol::{LaneMade, Outside, Taken, Weighed};
use proptest::prelude::*;
use std::cell::RefCell;

/// What the user's project and the lane contain, as trees.
#[derive(Clone, Debug, Default)]
struct Files {
    /// The project.
    project: String,
    /// The paths that changed there while the worker worked.
    moved: Vec<String>,
    /// The paths in conflict.
    conflicts: Vec<String>,
    /// The paths that were changed meanwhile when the result is written.
    refused: Vec<String>,
    /// Why the lane can't be made.
    unprepared: Option<String>,
}

/// All goes well in the lane; the rest is as `files` says. Trees by the number of the effect, so that they are the same after a crash.
fn in_lane(files: &RefCell<Files>) -> impl Fn(&Effect) -> Decision + '_ {
    move |effect| {
        let files = files.borrow();
        // 1 lane, 2 before, 3 after, 4 check, 5 to 7 copies, 8 confirmed; 9 before, 10 after, ...
        let tree = match effect.number() {
            1 | 2 => "t0",
            3..=9 => "t1",
            _ => "t2",
        };
        match effect {
            Effect::MakeLane { effect, .. } => Decision::LaneMade(Box::new(LaneMade {
                effect: *effect,
                unprepared: files.unprepared.clone(),
                directory: "/state/lanes/shop/limits/lane".to_owned(),
                tree: files.unprepared.is_none().then(|| "t0".into()),
                files: 214,
                bytes: 1_234_567,
                linked: vec!["node_modules".to_owned()],
                copied: vec!["opencode.json".to_owned()],
            })),
            Effect::TakeTree { outside_since, .. } => {
                let mut seen = tree_taken(effect, tree);
                let Decision::TreeTaken(look) = &mut seen else { panic!("a tree is taken") };
                let changed = outside_since.as_ref().map_or_else(Vec::new, |_| files.moved.clone());
                look.outside = Some(Box::new(Outside {
                    tree: files.project.as_str().into(),
                    changed,
                    recorded: Some(Box::default()),
                }));
                seen
            }
            Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
            Effect::RunApart { .. } => apart(effect),
            Effect::WeighTake { effect, base, .. } => {
                let is_same = files.project == base.as_str();
                let merged = if is_same { "t2".to_owned() } else { format!("{}+t2", files.project) };
                Decision::TakeWeighed(Box::new(Weighed {
                    effect: *effect,
                    project: files.project.as_str().into(),
                    lane: "t2".into(),
                    merged: files.conflicts.is_empty().then(|| merged.as_str().into()),
                    conflicts: files.conflicts.clone(),
                    changed: if files.project == "t2" {
                        Vec::new()
                    } else {
                        vec!["src/limits.js".to_owned(), "test/limits.test.js".to_owned()]
                    },
                    moved: if is_same { Vec::new() } else { vec!["README.md".to_owned()] },
                    unchecked: Vec::new(),
                }))
            }
            Effect::Take { effect, to, undo, .. } => Decision::Taken(Box::new(Taken {
                effect: *effect,
                tree: to.clone(),
                refused: files.refused.clone(),
                undo: Some(format!(".flow/sessions/s/{undo}")),
            })),
            _ => untried(),
        }
    }
}

fn files() -> RefCell<Files> {
    RefCell::new(Files { project: "t0".to_owned(), ..Files::default() })
}

/// A session with an approved plan that works in a lane.
fn begun(effects: Effects<'_>) -> Shell<'_> {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(effects);
    shell.feed(opened_under(FlowSettings { place: Workplace::Lane, ..patient() }, false));
    assert_eq!(shell.finish(), Outcome::Complete);
    approve(shell)
}

/// The same with every feature complete.
fn built(effects: Effects<'_>) -> Shell<'_> {
    let mut shell = begun(effects);
    run_next(&mut shell);
    run_next(&mut shell);
    assert_eq!(shell.json("session.json")["status"], "completed", "{}", status(&shell));
    shell
}

/// Types `/flow-take`; returns the whole hash of what is shown.
fn show(shell: &mut Shell<'_>) -> Option<String> {
    let event = shell.run.take("", &[]).unwrap();
    carry_out(shell, event);
    shell.run.summary().unwrap().own.take_hash
}

/// Types `/flow-take` with a hash that was shown.
fn take(shell: &mut Shell<'_>, hash: &str) -> Outcome {
    let event = shell.run.take(&hash[..8], &[hash.to_owned()]).unwrap();
    carry_out(shell, event)
}

#[test]
pub(crate) fn the_project_gets_the_result_of_the_lane_when_the_user_types_its_hash() {
    let files = files();
    let effects = in_lane(&files);
    let mut shell = begun(&effects);
    assert_eq!(shell.run.take("", &[]).unwrap_err().error_code.text(), "take.no-lane");
    run_next(&mut shell);
    let made = shell.journal.iter().filter(|line| line.contains("\"lane_made\"")).count();
    run_next(&mut shell);
    assert_eq!(made, 1, "the lane is made for the first feature");
    assert_eq!(shell.journal.iter().filter(|line| line.contains("\"lane_made\"")).count(), 1);
    insta::assert_snapshot!("complete in a lane", status(&shell));

    let hash = show(&mut shell).expect("the changes are shown");
    insta::assert_snapshot!("what a take would change", status(&shell));
    assert_eq!(
        shell.run.take("", &[]).unwrap(),
        EventKind::Decided(Decision::TakeWanted { hash: None, frozen: None })
    );
    assert_eq!(
        shell.run.take(&hash, &[]).unwrap_err().error_code.text(),
        "take.wrong-hash",
        "another process showed it"
    );
    assert_eq!(
        shell.run.take("00000000", &["00".repeat(32)]).unwrap_err().error_code.text(),
        "take.wrong-hash"
    );

    assert_eq!(take(&mut shell, &hash), Outcome::Complete);
    files.borrow_mut().project = "t2".to_owned();
    insta::assert_snapshot!("taken", status(&shell));
    assert_eq!(shell.json("session.json")["next_command"], "/validate");

    assert_eq!(show(&mut shell), None);
    assert_eq!(code(&shell), "take.nothing");
    assert_eq!(shell.json("session.json")["status"], "completed", "no feature is blocked");
}

#[test]
fn who_undoes_a_take_can_take_it_again() {
    let files = files();
    let effects = in_lane(&files);
    let bases = RefCell::new(Vec::new());
    let watched = |effect: &Effect| {
        if let Effect::WeighTake { base, .. } = effect {
            bases.borrow_mut().push(base.clone());
        }
        let mut seen = effects(effect);
        if let (Effect::WeighTake { base, .. }, Decision::TakeWeighed(weighed)) = (effect, &mut seen)
            && base == "t2"
        {
            // Compared with what was taken, only the user has changed anything.
            weighed.changed = Vec::new();
        }
        seen
    };
    let mut shell = built(&watched);
    let hash = show(&mut shell).unwrap();
    take(&mut shell, &hash);
    assert!(show(&mut shell).is_some(), "{}", status(&shell));
    assert_eq!(*bases.borrow(), ["t0", "t0", "t2", "t0"]);
}

#[test]
fn a_take_that_is_half_written_is_completed_before_anything_else() {
    let files = files();
    let effects = in_lane(&files);
    let mut shell = built(&effects);
    let hash = show(&mut shell).unwrap();
    take(&mut shell, &hash);
    let wanted = shell.journal.iter().rposition(|line| line.contains("\"take_weighed\"")).unwrap();
    let mut again = Shell::of(&shell.journal[..=wanted], &honest, Order::FirstIn).with_effects(&effects);
    assert_eq!(again.run.archive().unwrap_err().error_code.text(), "session.interrupted");
    let event = again.run.resume().unwrap();
    assert_eq!(carry_out(&mut again, event), Outcome::Complete);
    assert!(status(&again).contains("Changed in your project"), "{}", status(&again));
    again.run.archive().unwrap();
}

#[test]
fn changes_of_the_users_stay_and_what_nobody_checked_is_named() {
    let files = files();
    let effects = in_lane(&files);
    let mut shell = begun(&effects);
    run_next(&mut shell);
    files.borrow_mut().moved = vec!["README.md".to_owned()];
    run_next(&mut shell);
    files.borrow_mut().moved = Vec::new();
    files.borrow_mut().project = "u1".to_owned();
    let hash = show(&mut shell).unwrap();
    insta::assert_snapshot!("what a take would change in a project that has moved", status(&shell));
    take(&mut shell, &hash);
    assert!(status(&shell).contains("were not checked and not reviewed"), "{}", status(&shell));
}

#[test]
fn nothing_is_written_that_was_not_shown() {
    let files = files();
    let effects = in_lane(&files);
    let mut shell = built(&effects);
    let hash = show(&mut shell).unwrap();
    files.borrow_mut().project = "u1".to_owned();
    take(&mut shell, &hash);
    assert_eq!(code(&shell), "take.wrong-hash");
    assert!(shell.run.state().unwrap().take_hash().is_none(), "the user has to look again");

    let hash = show(&mut shell).unwrap();
    files.borrow_mut().refused = vec!["src/limits.js".to_owned()];
    take(&mut shell, &hash);
    assert_eq!(code(&shell), "take.moved");
    assert!(status(&shell).contains("src/limits.js"));

    files.borrow_mut().conflicts = vec!["src/limits.js".to_owned()];
    assert_eq!(show(&mut shell), None);
    assert_eq!(code(&shell), "take.conflict");
    insta::assert_snapshot!("a take in conflict", status(&shell));
}

#[test]
fn without_a_lane_nothing_is_paid() {
    let files = files();
    files.borrow_mut().unprepared = Some("the project is not in a git repository".to_owned());
    let effects = in_lane(&files);
    let mut shell = begun(&effects);
    assert_eq!(run_next(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "lane.unprepared");
    assert!(shell.prompts_to("acme/worker").is_empty());
    insta::assert_snapshot!("no lane", status(&shell));

    files.borrow_mut().unprepared = None;
    let event = shell.run.start("limits", &[]).unwrap();
    carry_out(&mut shell, event);
    assert!(shell.run.has_lane(), "the next build tries again");
}

#[test]
fn a_session_in_a_lane_that_is_resumed_after_any_line_ends_like_one_that_was_not() {
    let files = files();
    let effects = in_lane(&files);
    durability::is_resumed_after_any_line(begun(&effects), &effects);
}

#[test]
fn a_take_that_was_interrupted_is_completed() {
    let files = files();
    let effects = in_lane(&files);
    let mut shell = built(&effects);
    let before = shell.journal.len();
    let hash = show(&mut shell).unwrap();
    take(&mut shell, &hash);
    let wanted = shell.journal.iter().rposition(|line| line.contains("\"take_wanted\"")).unwrap();
    for length in before + 1..shell.journal.len() {
        let mut again = Shell::of(&shell.journal[..length], &honest, Order::FirstIn).with_effects(&effects);
        if again.run.summary().unwrap().unfinished {
            let event = again.run.resume().unwrap();
            carry_out(&mut again, event);
        }
        assert!(!again.run.summary().unwrap().unfinished, "after line {length}");
        let takes = again.journal.iter().filter(|line| line.contains("\"event\":\"taken\"")).count();
        assert_eq!(takes, usize::from(length > wanted), "after line {length}");
    }
}

proptest! {
    /// Whatever the shell answers and the user types, only the tree is written whose hash was typed, over the tree that was shown.
    #[test]
    fn a_take_writes_only_what_was_shown(
        steps in prop::collection::vec((0_usize..4, "[uvw][12]", any::<bool>()), 1..8),
    ) {
        let files = files();
        let effects = in_lane(&files);
        let written = RefCell::new(Vec::new());
        let watched = |effect: &Effect| {
            if let Effect::Take { from, to, .. } = effect {
                written.borrow_mut().push((from.clone(), to.clone()));
            }
            effects(effect)
        };
        let mut shell = built(&watched);
        let mut shown: Vec<String> = Vec::new();
        for (step, tree, conflicts) in steps {
            let seen = written.borrow().len();
            match step {
                0 => files.borrow_mut().project = tree,
                1 => files.borrow_mut().conflicts = if conflicts { vec!["a".to_owned()] } else { Vec::new() },
                2 => shown.extend(show(&mut shell)),
                _ => {
                    let Some(hash) = shown.last().cloned() else { continue };
                    let Ok(event) = shell.run.take(&hash, &shown) else { continue };
                    carry_out(&mut shell, event);
                    for (from, to) in &written.borrow()[seen..] {
                        let typed = kernel::digest::sha256(&format!("take {from} {to}"));
                        prop_assert_eq!(&typed, &hash);
                        prop_assert_eq!(from.as_str(), &files.borrow().project);
                    }
                }
            }
        }
    }
}
