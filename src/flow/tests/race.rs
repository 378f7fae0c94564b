//! Races: who builds what, what is frozen, examined and compared, and what may be taken.

use super::examining::{exam, fails, passes, sat};
use super::*;
use crate::design_lab::config::{AvailableModel, Workplace};
use crate::flow::protocol::{ExamSeen, LaneBuilt, LaneMade, LaneTold, Opening, Weighed};
use crate::flow::race::begin_race;

/// The paths of the exam's tests.
const TESTS: [&str; 8] = [
    "test/x1.test.js",
    "test/x2.test.js",
    "test/x3.test.js",
    "test/x4.test.js",
    "test/x5.test.js",
    "test/x6.test.js",
    "test/x7.test.js",
    "test/x8.test.js",
];

/// What the lanes of a race come to.
#[derive(Clone, Copy)]
struct Course {
    /// Why lane `a` isn't complete; empty if it is.
    a: &'static str,
    /// The same of lane `b`.
    b: &'static str,
    /// How many tests of the exam fail in lane `a`.
    failing: usize,
    /// The tree on which a visible check fails.
    broken: &'static str,
}

const COURSE: Course = Course { a: "", b: "", failing: 7, broken: "" };

fn built(effect: u32, lane: &str, unbuilt: &str) -> Decision {
    let is_built = unbuilt.is_empty();
    Decision::LaneBuilt(Box::new(LaneBuilt {
        effect,
        told: LaneTold { lane: lane.to_owned(), complete: 2, cost: 0.12, tokens: 4_000 },
        session: format!("2026-11-20-limit-the-rate-lane-{lane}"),
        tree: is_built.then(|| format!("tree-{lane}").as_str().into()),
        unbuilt: (!is_built).then(|| unbuilt.to_owned()),
        changed: vec!["src/limits.js".to_owned()],
        moved: Vec::new(),
    }))
}

fn on(course: Course) -> impl Fn(&Effect) -> Decision {
    move |effect| match effect {
        Effect::TakeTree { .. } => tree_taken(effect, "t0"),
        Effect::BuildLane { effect, lane, .. } => {
            built(*effect, lane, if lane == "a" { course.a } else { course.b })
        }
        Effect::RunApart { tree, .. } if tree == course.broken => apart_with(effect, |_, _| failed("not ok")),
        Effect::RunApart { .. } => apart_with(effect, |_, _| went_well()),
        Effect::Examine { tree, tests, .. } => {
            let seen = |(index, _): (usize, &_)| {
                if tree == "tree-a" && index < course.failing { fails() } else { passes() }
            };
            sat(effect, tests.iter().enumerate().map(seen).collect::<Vec<ExamSeen>>())
        }
        _ => panic!("a race doesn't ask for {effect:?}"),
    }
}

fn input() -> OpeningInput {
    let model = |name: &str| AvailableModel {
        provider: "acme".to_owned(),
        model: name.to_owned(),
        tool_call: true,
        ..AvailableModel::default()
    };
    let mut input = OpeningInput {
        package: "0.1.0".to_owned(),
        date: "2026-11-20".to_owned(),
        goal: "Limit the rate of the public API".to_owned(),
        settings: FlowSettings { exam: ExamPolicy::Auto, ..patient() },
        ..OpeningInput::default()
    };
    input.available.models = ["planner", "worker", "reviewer", "brisk", "calm"].map(model).to_vec();
    input.configured = ConfiguredModels {
        planner: Some("acme/planner".to_owned()),
        worker: Some("acme/worker".to_owned()),
        reviewer: Some("acme/reviewer".to_owned()),
        ..ConfiguredModels::default()
    };
    input
}

fn opening_of(workers: &[&str]) -> Opening {
    let workers: Vec<String> = workers.iter().map(|worker| (*worker).to_owned()).collect();
    begin_race(&input(), &workers, &[]).unwrap()
}

/// Models that do what they are asked; the examiner writes eight tests.
fn examining(ask: &Ask) -> Does {
    let is_exam = ask.job.as_str().starts_with("exam:");
    Does::Says(if is_exam { exam(ask, &TESTS) } else { right(ask) }.to_string())
}

/// A race whose plan is drafted.
fn planned(effects: Effects<'_>) -> Shell<'_> {
    let mut shell = Shell::new(&examining, Order::FirstIn).with_effects(effects);
    shell.feed(EventKind::Opened(Box::new(opening_of(&["acme/brisk", "acme/calm"]))));
    assert_eq!(shell.finish(), Outcome::Complete);
    shell
}

/// Types `/flow-race approve`.
fn race(shell: &mut Shell<'_>) -> Outcome {
    let hash = shell.run.state().unwrap().hash.clone();
    let event = shell.run.race(&hash[..8], std::slice::from_ref(&hash)).unwrap();
    carry_out(shell, event)
}

fn lanes_begun(shell: &Shell<'_>) -> Vec<Opening> {
    let opening = |effect: &Effect| match effect {
        Effect::BuildLane { opening, .. } => Some((**opening).clone()),
        _ => None,
    };
    shell.effects_asked.iter().filter_map(opening).collect()
}

#[test]
fn two_lanes_build_one_plan_and_tests_that_nobody_had_seen_decide() {
    let effects = on(COURSE);
    let mut shell = planned(&effects);
    insta::assert_snapshot!("a race before it is approved", status(&shell));
    assert_eq!(race(&mut shell), Outcome::Complete);
    insta::assert_snapshot!("a race that is over", status(&shell));

    let lanes = lanes_begun(&shell);
    let of = |lane: usize| lanes[lane].lane_of.as_deref().unwrap();
    for lane in [0, 1] {
        assert_eq!(of(lane).base, Some("t0".into()), "both begin with the same files");
    }
    assert_eq!(of(0).plan, of(1).plan);
    assert_eq!([&*lanes[0].models.worker, &*lanes[1].models.worker], ["acme/brisk", "acme/calm"]);
    let examiner = shell.asked.iter().find(|ask| ask.job.as_str() == "exam:1").unwrap();
    for word in ["brisk", "calm", "lane", "tree-a"] {
        assert!(!examiner.text.contains(word), "the examiner learns nothing about {word}");
    }
    let asked = shell.effects_asked.iter().map(Effect::number).max().unwrap();
    let exams = shell.effects_asked.iter().filter(|effect| matches!(effect, Effect::Examine { .. })).count();
    assert_eq!((asked, exams), (8, 2), "a tree, two lanes, two checks, a copy, two exams");

    let json = shell.json("session.json");
    assert_eq!((&json["status"], &json["next_command"]), (&json!("completed"), &json!("/flow-race take b")));
    let to_take = shell.run.to_take("B").unwrap();
    assert_eq!((to_take.frozen.as_str(), to_take.lane.as_str()), ("tree-b", "b"));
    assert_eq!(shell.run.to_take("c").unwrap_err().error_code.text(), "race.not-compared");

    let taken = EventKind::Decided(Decision::LaneTaken { lane: "b".to_owned() });
    assert_eq!(carry_out(&mut shell, taken), Outcome::Complete);
    assert!(status(&shell).contains("You took the result of lane b."), "{}", status(&shell));
    assert_eq!(shell.json("session.json")["next_command"], "/validate");
}

#[test]
fn a_race_survives_the_end_of_its_process_after_every_line() {
    let effects = on(COURSE);
    let mut shell = planned(&effects);
    race(&mut shell);
    let expected = status(&shell);
    let raced = shell.journal.iter().position(|line| line.contains("\"raced\"")).unwrap();
    for length in raced + 1..=shell.journal.len() {
        let journal = &shell.journal[..length];
        let mut again = Shell::of(journal, &examining, Order::FirstIn).with_effects(&effects);
        again.kept.clone_from(&shell.kept);
        again.feed(EventKind::Resumed);
        again.finish();
        assert_eq!(status(&again), expected, "after line {length}");
        let ended = |shell: &Shell<'_>| {
            let lines = shell.journal.iter();
            lines.filter(|line| line.contains("\"event\":\"lane_built\"")).count()
        };
        assert_eq!(ended(&again), 2, "no lane is built twice after line {length}");
    }
}

#[test]
fn what_is_not_complete_or_fails_a_visible_check_is_out() {
    let why = "The worker gave up.";
    for (course, outcome, expected) in [
        (Course { a: why, ..COURSE }, Outcome::Complete, "✗ a acme/brisk, $0.12: out. The worker gave up."),
        (
            Course { broken: "tree-b", ..COURSE },
            Outcome::Complete,
            "✗ b acme/calm, $0.12: out. `node --test test/limits.test.js` fails on its files.",
        ),
        (
            Course { a: why, b: why, ..COURSE },
            Outcome::Stopped,
            "No lane was completed. a: The worker gave up. b:",
        ),
    ] {
        let effects = on(course);
        let mut shell = planned(&effects);
        assert_eq!(race(&mut shell), outcome, "{}", status(&shell));
        assert!(flat(&status(&shell)).contains(expected), "{expected}\n{}", status(&shell));
        let exams = shell.asked.iter().filter(|ask| ask.job.as_str().starts_with("exam")).count();
        assert_eq!(exams, 0, "nothing is left to compare");
    }
}

#[test]
fn without_an_exam_nothing_is_said_to_be_better() {
    let effects = on(COURSE);
    let silent = |ask: &Ask| {
        if ask.job.as_str().starts_with("exam") {
            Does::Says(json!({"tests": [], "left_out": "It needs a second machine."}).to_string())
        } else {
            honest(ask)
        }
    };
    let mut shell = Shell::new(&silent, Order::FirstIn).with_effects(&effects);
    shell.feed(EventKind::Opened(Box::new(opening_of(&["acme/brisk", "acme/calm"]))));
    shell.finish();
    assert_eq!(race(&mut shell), Outcome::Complete);
    let told = flat(&status(&shell));
    assert!(told.contains("the examiner wrote no test: It needs a second machine."), "{told}");
    assert!(!told.contains("better:"), "{told}");
}

/// A race without an exam, in which each lane has a test file of its own. `own`: how many tests a check runs with such a file on these
/// files, and whether they pass; `base`: why the files from before the race can't be copied.
fn crossed<'a>(
    own: &'a dyn Fn(&str) -> (u32, bool),
    base: Option<&'a str>,
) -> impl Fn(&Effect) -> Decision + 'a {
    let ordinary = on(COURSE);
    move |effect| match (effect, ordinary(effect)) {
        (Effect::BuildLane { lane, .. }, Decision::LaneBuilt(mut built)) => {
            built.changed.push(format!("test/own-{lane}.test.js"));
            Decision::LaneBuilt(built)
        }
        (Effect::RunApart { tree, over: Overlay::Paths { .. }, .. }, _) => {
            let (ran, passes) = own(tree.as_str());
            let tests = Some(Tests { runners: vec![Runner::Node], ran, skipped: 0 });
            let code = i32::from(!passes);
            apart_with(effect, |_, _| Ran {
                end: CommandEnd::Exited { code },
                tests: tests.clone(),
                ..went_well()
            })
        }
        (Effect::RunApart { effect, tree, .. }, _) if *tree == "t0" && base.is_some() => {
            let unprepared = base.map(str::to_owned);
            Decision::RanApart(Box::new(RanApart { effect: *effect, unprepared, ..RanApart::default() }))
        }
        (_, ordinary) => ordinary,
    }
}

#[test]
fn a_lanes_own_test_counts_elsewhere_only_if_it_is_seen_to_run_there() {
    let silent = |ask: &Ask| {
        if ask.job.as_str().starts_with("exam") {
            Does::Says(json!({"tests": [], "left_out": "Nothing can be."}).to_string())
        } else {
            honest(ask)
        }
    };
    // Without the file, each check runs three tests.
    for (added, passes, base, mark) in [
        (2, false, None, "a ✓ b ✗ test/own-a.test.js (by lane a)"),
        (1, true, None, "a ✓ b ✓ test/own-a.test.js (by lane a)"),
        (0, true, None, "a ✓ b – test/own-a.test.js (by lane a)"),
        (1, false, None, "a ✓ b – test/own-a.test.js (by lane a)"),
        (0, true, Some("the disk is full"), "a ✓ b – test/own-a.test.js (by lane a)"),
        (2, false, Some("the disk is full"), "a ✓ b ✗ test/own-a.test.js (by lane a)"),
    ] {
        let own = |tree: &str| if tree == "t0" { (5, false) } else { (3 + added, passes) };
        let effects = crossed(&own, base);
        let mut shell = Shell::new(&silent, Order::FirstIn).with_effects(&effects);
        shell.feed(EventKind::Opened(Box::new(opening_of(&["acme/brisk", "acme/calm"]))));
        shell.finish();
        assert_eq!(race(&mut shell), Outcome::Complete);
        let told = flat(&status(&shell));
        assert!(told.contains(mark), "{added} {passes} {base:?}: {told}");
        assert!(!told.contains("better:"), "one file of each decides nothing: {told}");
    }
}

#[test]
fn a_race_waits_for_an_examiner_that_failed_because_its_lanes_are_paid_for() {
    let effects = on(COURSE);
    let failing = |ask: &Ask| {
        if ask.job.as_str().starts_with("exam") { Does::Fails("APIError", Some(400)) } else { honest(ask) }
    };
    let mut shell = Shell::new(&failing, Order::FirstIn).with_effects(&effects);
    shell.feed(EventKind::Opened(Box::new(opening_of(&["acme/brisk", "acme/calm"]))));
    shell.finish();
    assert_eq!(race(&mut shell), Outcome::Stopped);
    assert_eq!(code(&shell), "race.no-exam", "{}", status(&shell));
    let begun = lanes_begun(&shell).len();

    let mut again =
        Shell::resumed(&shell.journal, &examining, Order::FirstIn, shell.kept.clone()).with_effects(&effects);
    assert_eq!(again.finish(), Outcome::Complete);
    assert!(flat(&status(&again)).contains("Lane b is probably better:"), "{}", status(&again));
    assert_eq!((begun, lanes_begun(&again).len()), (2, 0), "no lane begins again");

    // Without an exam, the lanes' own tests are all that is left.
    let mut off = Shell::of(&shell.journal, &examining, Order::FirstIn).with_effects(&effects);
    let settings = FlowSettings { exam: ExamPolicy::Off, ..patient() };
    for event in off.run.under(&settings, &[], EventKind::Resumed) {
        off.feed(event);
    }
    assert_eq!(off.finish(), Outcome::Complete);
    assert!(flat(&status(&off)).contains("There was no exam:"), "{}", status(&off));
}

#[test]
fn a_lane_whose_plan_was_changed_is_not_compared() {
    let effects = on(COURSE);
    let mut shell = planned(&effects);
    race(&mut shell);
    let mut opening = lanes_begun(&shell).remove(0);
    opening.automatic = false;
    let replans = |_: &Ask| {
        let mut plan = plan_value();
        plan["features"][0]["title"] = json!("Another bucket");
        Does::Says(plan.to_string())
    };
    let mut lane = Shell::new(&replans, Order::FirstIn).with_effects(&in_its_lane);
    lane.feed(EventKind::Opened(Box::new(opening)));
    lane.finish();
    let event = lane.run.revise("another bucket", &[]).unwrap();
    carry_out(&mut lane, event);
    let built = lane.run.lane_built(7).unwrap();
    assert_eq!(
        (built.tree, built.unbuilt.as_deref()),
        (None, Some("Its plan was changed, so it can't be compared."))
    );
}

#[test]
fn a_race_has_two_or_three_different_lanes_of_connected_models() {
    for (workers, code) in [
        (&["acme/brisk"][..], "race.lanes"),
        (&["acme/brisk", "acme/brisk"], "race.lanes"),
        (&["acme/brisk", "acme/calm", "acme/worker", "acme/planner"], "race.lanes"),
        (&["acme/brisk", "acme/clam"], "race.unknown-model"),
    ] {
        let workers: Vec<String> = workers.iter().map(|worker| (*worker).to_owned()).collect();
        let refused = begin_race(&input(), &workers, &[]).unwrap_err();
        assert_eq!(refused.error_code.text(), code, "{workers:?}");
    }
}

#[test]
fn the_plan_of_a_race_is_built_by_lanes_only_and_by_nobody_before_it_was_shown() {
    let effects = on(COURSE);
    let mut shell = planned(&effects);
    let hash = shell.run.state().unwrap().hash.clone();
    let code = |refused: crate::flow::recovery::Recovery| refused.error_code.text().into_owned();
    assert_eq!(code(shell.run.start("", &[]).unwrap_err()), "race.only");
    assert_eq!(code(shell.run.automate(&[]).unwrap_err()), "race.only");
    assert_eq!(code(shell.run.approve(&hash[..8]).unwrap_err()), "race.only");
    assert_eq!(code(shell.run.race(&hash[..8], &[]).unwrap_err()), "approval.not-shown");
    assert_eq!(code(shell.run.to_take("a").unwrap_err()), "race.none");
    race(&mut shell);
    assert_eq!(code(shell.run.race(&hash[..8], std::slice::from_ref(&hash)).unwrap_err()), "race.over");
    assert_eq!(code(shell.run.revise("smaller", &[]).unwrap_err()), "race.over");
    assert_eq!(code(shell.run.take("", &[]).unwrap_err()), "take.no-lane");
    let ordinary = drafted(&honest, &well);
    let hash = ordinary.run.state().unwrap().hash.clone();
    assert_eq!(code(ordinary.run.race(&hash[..8], std::slice::from_ref(&hash)).unwrap_err()), "race.none");
}

/// All goes well in the lane of a race: every tree but the first is the one that is frozen.
fn in_its_lane(effect: &Effect) -> Decision {
    // As in a session with a lane: 1 lane, 2 before, 3 after, 4 check, 5 to 7 copies, 8 confirmed; 9 before, 10 after, ...
    let tree = match effect.number() {
        1 | 2 => "t0",
        3..=9 => "t1",
        _ => "t3",
    };
    match effect {
        Effect::MakeLane { effect, from, .. } => {
            assert_eq!(*from, Some("t0".into()), "the lane is made from the tree of the race");
            Decision::LaneMade(Box::new(LaneMade {
                effect: *effect,
                directory: "/state/lanes/shop/limits-lane-a/lane".to_owned(),
                tree: Some("t0".into()),
                files: 3,
                bytes: 100,
                ..LaneMade::default()
            }))
        }
        Effect::WeighTake { effect, .. } => Decision::TakeWeighed(Box::new(Weighed {
            effect: *effect,
            project: "t0".into(),
            lane: "t3".into(),
            merged: Some("t3".into()),
            changed: vec!["src/limits.js".to_owned()],
            ..Weighed::default()
        })),
        Effect::TakeTree { .. } => tree_taken(effect, tree),
        Effect::RunCheck { effect, .. } => finished(passed(*effect, tree)),
        Effect::RunApart { .. } => apart(effect),
        _ => untried(),
    }
}

#[test]
fn a_lane_is_a_session_that_builds_the_approved_plan_and_is_taken_as_it_was_compared() {
    let effects = on(COURSE);
    let mut shell = planned(&effects);
    race(&mut shell);
    let opening = lanes_begun(&shell).remove(0);
    assert_eq!((opening.settings.place, opening.settings.exam), (Workplace::Lane, ExamPolicy::Off));

    let mut lane = Shell::new(&honest, Order::FirstIn).with_effects(&in_its_lane);
    lane.feed(EventKind::Opened(Box::new(opening)));
    assert_eq!(lane.finish(), Outcome::Complete);
    assert_eq!(lane.asked.iter().filter(|ask| ask.job.as_str().starts_with("plan")).count(), 0);
    let built = lane.run.lane_built(7).unwrap();
    assert_eq!((built.tree, built.told.complete, &*built.told.lane), (Some("t3".into()), 2, "a"));
    assert!(built.session.ends_with("-lane-a"), "{}", built.session);
    let facts = lane.run.summary().unwrap().own;
    let of = facts.lane_of.unwrap();
    assert_eq!((of.race.as_str(), of.lane.as_str(), of.base), (shell.run.name(), "a", Some("t0".into())));
    let again =
        lane.run.under(&FlowSettings { exam: ExamPolicy::Feature, ..patient() }, &[], EventKind::Resumed);
    assert_eq!(again, [EventKind::Resumed], "a lane keeps the settings of the race");

    let event = lane.run.take_frozen("", &[], &"t3".into()).unwrap();
    assert_eq!(carry_out(&mut lane, event), Outcome::Complete);
    let hash = lane.run.summary().unwrap().own.take_hash.unwrap();
    let next = lane.json("session.json")["next_command"].clone();
    assert_eq!(next, json!(format!("/flow-race take a {}", &hash[..8])));

    let event = lane.run.take_frozen("", &[], &"t2".into()).unwrap();
    assert_eq!(carry_out(&mut lane, event), Outcome::Stopped);
    assert_eq!(code(&lane), "take.thawed", "{}", status(&lane));
}
