//! What counterfeits cost: how long single tests wait there, and how often the servers start for the live one.

use super::*;
use crate::validation::live::{Lie, LieOrder};
use crate::validation::patience::Patience;
use crate::validation::protocol::Opening;
use crate::validation::session::Pass;

#[test]
fn a_test_waits_several_times_as_long_as_its_own_steps_took() {
    let test = |title: &str, action: Option<u64>, assertion: Option<u64>| TestSeen {
        title: title.to_owned(),
        slowest_action_ms: action,
        slowest_assertion_ms: assertion,
        duration_ms: 700,
        ..tests_seen(Against::Application, 1).remove(0)
    };
    let failed = TestSeen { status: TestStatus::Failed, ..test("fails", Some(5_000), Some(5_000)) };
    let first = vec![test("quick", Some(50), Some(5)), test("slow", Some(900), Some(4_000)), failed];
    let second = vec![test("quick", Some(80), Some(9)), test("old", None, None)];
    let pass = |number: u32, tests: Vec<TestSeen>| Pass {
        against: Against::Application,
        number,
        ran: RanTests::Report { tests },
        duration_ms: 2_000,
        noted: Noted::default(),
        files: None,
    };
    let passes = [pass(1, first), pass(2, second)];
    let each = |against: Against| {
        let Patience { each, .. } = Patience::of(against, &passes, 30_000);
        each.into_iter().map(|one| (one.title, one.wait_ms, one.assert_ms)).collect::<Vec<_>>()
    };
    let of = |title: &str, wait_ms, assert_ms| (title.to_owned(), wait_ms, assert_ms);
    assert_eq!(each(Against::Application), []);
    assert_eq!(
        each(Against::Live),
        [of("quick", 1_000, 227), of("slow", 3_000, 12_200), of("old", 2_400, 2_300)],
        "the slower pass counts, and a test that failed decides nothing"
    );
    assert_eq!(each(Against::Blank)[0], of("quick", 2_000, 227));
}

#[test]
fn the_servers_start_again_only_after_something_could_have_changed_the_application() {
    let starts = |methods: Option<&[&str]>| {
        let methods =
            methods.map(|methods| methods.iter().map(|one| (*one).to_owned()).collect::<Box<[_]>>());
        let seen = move |effect: &Effect| {
            let seen = |against, pass| {
                let tests =
                    tests_seen(if against == Against::Live { Against::Application } else { against }, pass);
                // What stays hidden from the fitting lie falls in the third.
                if (against, pass) == (Against::Live, 3) {
                    tests.into_iter().map(fallen).collect()
                } else {
                    tests
                }
            };
            match well_but(effect, seen) {
                Decision::TestsRan { effect, ran, duration_ms, noted } => {
                    let noted = Noted { methods: methods.clone(), ..noted };
                    Decision::TestsRan { effect, ran, duration_ms, noted }
                }
                other => other,
            }
        };
        let shell = run(&honest, &seen);
        assert_eq!(verdicts(&shell), ["met", "met"]);
        commanded(&shell).split_off(8)
    };
    let once = ["start", "live", "live", "tear down"];
    let each_time = ["start", "live", "start", "live", "tear down"];
    assert_eq!(starts(Some(&["GET", "HEAD", "OPTIONS"])), once);
    assert_eq!(starts(Some(&[])), once);
    assert_eq!(starts(Some(&["GET", "POST"])), each_time);
    assert_eq!(starts(Some(&["GET", "UPGRADE"])), each_time);
    assert_eq!(starts(None), each_time, "in an older journal, what reached the application is unknown");
}

#[test]
fn each_test_meets_first_the_lie_that_fits_it_and_in_older_runs_one_lie_after_another() {
    let passes = |order: LieOrder| {
        let EventKind::Opened(opening) = opening() else { panic!("a run is opened") };
        let opened = EventKind::Opened(Box::new(Opening { lies: order, ..*opening }));
        let shell = run_of(opened, &honest, &|effect| {
            well_but(effect, |against, pass| match against {
                Against::Live => vec![
                    // One test acts on the page, and the other one doesn't.
                    acting(if pass == 0 { TestStatus::Failed } else { TestStatus::Passed }),
                    test_seen("tells a wrong password", "@C2"),
                ],
                Against::Application => {
                    vec![acting(TestStatus::Passed), test_seen("tells a wrong password", "@C2")]
                }
                _ => tests_seen(against, pass),
            })
        });
        let live = |effect: &Effect| match effect {
            Effect::RunTests { against: Against::Live, pass, live, lies, only, .. } => {
                let each = lies.iter().map(|one| (one.title.clone(), one.lie)).collect::<Vec<_>>();
                Some((*pass, live.unwrap().lie, each, only.as_ref().unwrap().len()))
            }
            _ => None,
        };
        shell.effects_asked.iter().filter_map(live).collect::<Vec<_>>()
    };
    let each = vec![("signs in".to_owned(), Lie::Both), ("tells a wrong password".to_owned(), Lie::Names)];
    assert_eq!(
        passes(LieOrder::FittingFirst),
        [(0, Lie::Both, each, 2), (3, Lie::Deaf, vec![], 1), (4, Lie::Elsewhere, vec![], 1)]
    );
    assert_eq!(
        passes(LieOrder::InTurn),
        [
            (1, Lie::Words, vec![], 2),
            // The frozen copy has settled the other one, which passes regardless of the words.
            (2, Lie::Names, vec![], 1),
            (3, Lie::Deaf, vec![], 1),
            (4, Lie::Elsewhere, vec![], 1)
        ]
    );
}

/// A test that clicks; where it fails, its assertion does.
fn acting(status: TestStatus) -> TestSeen {
    let error = if status == TestStatus::Failed { "Error: expect(locator).toBeVisible() failed" } else { "" };
    let mut trail = trail_to(error);
    trail.insert(1, TrailStep { kind: StepKind::Call, title: "Click".to_owned(), error: String::new() });
    TestSeen { status, trail: Some(trail), ..test_seen("signs in", "@C1") }
}
