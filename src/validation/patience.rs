//! How long tests wait against a counterfeit, where they should fail: not much longer than they took against the application.
//!
//! A short limit must not refute what is true. Playwright checks each assertion at least once, however short its time is, so a limit
//! matters only to what the page doesn't show at once. The limits therefore follow from the times that were seen, and the fixture of
//! the tests (plugin-js/validation/fixture.js) begins an assertion's limit again while the page still receives answers.

use super::protocol::{Against, RanTests, TestSeen, TestStatus, TestWaits};
use super::session::Pass;

/// Milliseconds that an action or an assertion may wait when a counterfeit replaces the application.
const SHORTEST_WAIT_MS: u64 = 2_000;
const LONGEST_WAIT_MS: u64 = 5_000;
/// The same when it is the application behind a proxy.
const SHORTEST_LIVE_WAIT_MS: u64 = 1_000;
/// How many times as long as the slowest one an action or an assertion may wait.
const TIMES: u64 = 3;
/// The milliseconds that are added to this.
const MARGIN_MS: u64 = 300;
/// The same for the assertions of a single test, which the fixture checks again at the very end of their time.
const OWN_MARGIN_MS: u64 = 200;
/// Milliseconds that a test may take there in addition: a browser starts on a busy machine.
const BEGINNING_MS: u64 = 10_000;

/// How long tests may take, in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patience {
    /// A test.
    pub(super) test: u64,
    /// Each of its actions and assertions; `None` for Playwright's own limit.
    pub(super) action: Option<u64>,
    /// Each of its assertions; `None` for the same limit as for actions.
    pub(super) assertion: Option<u64>,
    /// What applies to single tests in addition, and to the limits that a test states itself.
    pub(super) each: Vec<TestWaits>,
}

impl Patience {
    /// The patience against this, after these passes. `test_ms`: what a test may take against the application.
    pub(super) fn of(against: Against, passes: &[Pass], test_ms: u64) -> Self {
        if against == Against::Application {
            return Self { test: test_ms, action: None, assertion: None, each: Vec::new() };
        }
        let application = passes.iter().filter(|pass| pass.against == Against::Application);
        let took = application.flat_map(|pass| match &pass.ran {
            RanTests::Report { tests } => tests.as_slice(),
            _ => &[],
        });
        let sound: Vec<&TestSeen> = took.filter(|test| test.status == TestStatus::Passed).collect();
        let longest = sound.iter().map(|test| test.duration_ms).max();
        let shortest_ms = if against == Against::Live { SHORTEST_LIVE_WAIT_MS } else { SHORTEST_WAIT_MS };
        let wait = match (against, longest) {
            // The application itself answers, as fast as before.
            (Against::Live, Some(longest)) => longest,
            // A counterfeit answers at once: what it doesn't show within twice that time, it never shows.
            (_, longest) => longest.map_or(LONGEST_WAIT_MS, |longest| longest.saturating_mul(2)),
        };
        let wait = wait.clamp(shortest_ms, LONGEST_WAIT_MS);
        let slowest = sound.iter().filter_map(|test| test.slowest_assertion_ms).max();
        Self {
            test: test_ms.min(2 * wait + BEGINNING_MS),
            action: Some(wait),
            assertion: slowest.map(|slowest| several(slowest, MARGIN_MS).min(wait)),
            each: each(&sound, shortest_ms),
        }
    }
}

/// What applies to each test that passed. Tests of the same title share the longer limits.
fn each(passed: &[&TestSeen], shortest_ms: u64) -> Vec<TestWaits> {
    let mut each: Vec<TestWaits> = Vec::new();
    for test in passed {
        let wait_ms = several(test.slowest_action_ms.unwrap_or(test.duration_ms), MARGIN_MS).max(shortest_ms);
        let assert_ms = several(test.slowest_assertion_ms.unwrap_or(test.duration_ms), OWN_MARGIN_MS);
        match each.iter_mut().find(|known| known.title == test.title) {
            Some(known) => {
                known.wait_ms = known.wait_ms.max(wait_ms);
                known.assert_ms = known.assert_ms.max(assert_ms);
            }
            None => each.push(TestWaits { title: test.title.clone(), wait_ms, assert_ms }),
        }
    }
    each
}

/// Several times as long, and a little longer.
fn several(ms: u64, margin_ms: u64) -> u64 {
    ms.saturating_mul(TIMES).saturating_add(margin_ms)
}
