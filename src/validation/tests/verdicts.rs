//! The table of verdicts: what was seen of a test in each pass, and what that is worth.

use super::*;
use crate::validation::session::Pass;
use crate::validation::settings::Counterfeit;
use crate::validation::verdict::{Conclusion, Judged, Seen, Verdict, conclusion, judge};

use Against::{Application, Blank, Frozen, Nothing};
use TestStatus::{Failed, Interrupted, Passed, Skipped, TimedOut};

const ALL: [Counterfeit; 3] = [Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Frozen];

fn pass(against: Against, number: u32, tests: Vec<TestSeen>) -> Pass {
    Pass { against, number, ran: RanTests::Report { tests }, duration_ms: 1, noted: Noted::default() }
}

fn a_test(status: TestStatus) -> TestSeen {
    TestSeen { status, error: "Error: it isn't there".to_owned(), ..test_seen("signs in", "@C1") }
}

/// The test as it ended in both passes, and against nothing, an empty page and a copy.
fn passes(ends: [TestStatus; 5]) -> Vec<Pass> {
    let against = [(Application, 1), (Application, 2), (Nothing, 1), (Blank, 1), (Frozen, 1)];
    let each = against.into_iter().zip(ends);
    each.map(|((against, number), end)| pass(against, number, vec![a_test(end)])).collect()
}

fn criteria(ids: &[&str]) -> Vec<Criterion> {
    ids.iter().map(|id| Criterion { id: (*id).to_owned(), text: format!("{id} holds") }).collect()
}

fn judged(passes: &[Pass]) -> Judged {
    let criteria = criteria(&["C1"]);
    judge(&Seen {
        criteria: &criteria,
        suite: None,
        own: None,
        passes,
        repeat: 2,
        control: &ALL,
        checks: &[],
    })
    .remove(0)
}

#[test]
fn how_a_test_ended_in_each_pass_decides() {
    for (ends, verdict, reason) in [
        (
            [Passed, Passed, Failed, Failed, Failed],
            Verdict::Met,
            "it passed, and failed against every counterfeit",
        ),
        (
            [Passed, Passed, TimedOut, TimedOut, Failed],
            Verdict::Met,
            "it passed, and failed against every counterfeit",
        ),
        ([Failed, Failed, Failed, Failed, Failed], Verdict::NotMet, "Error: it isn't there"),
        ([TimedOut, Failed, Passed, Passed, Passed], Verdict::NotMet, "Error: it isn't there"),
        (
            [Passed, Failed, Failed, Failed, Failed],
            Verdict::Flaky,
            "it passed 1 time, and failed 1: Error: it isn't there",
        ),
        (
            [TimedOut, Passed, Passed, Failed, Failed],
            Verdict::Flaky,
            "it passed 1 time, and failed 1: Error: it isn't there",
        ),
        ([Passed, Passed, Passed, Failed, Failed], Verdict::Hollow, "it passes against nothing at all, too"),
        ([Passed, Passed, Failed, Passed, Failed], Verdict::Hollow, "it passes against an empty page, too"),
        (
            [Passed, Passed, Failed, Failed, Passed],
            Verdict::Hollow,
            "it passes against a copy of the start page, too",
        ),
        ([Skipped, Skipped, Skipped, Skipped, Skipped], Verdict::Untested, "it was skipped"),
        ([Passed, Skipped, Failed, Failed, Failed], Verdict::Untested, "it was skipped"),
        ([Failed, Interrupted, Failed, Failed, Failed], Verdict::Untested, "it was interrupted"),
        (
            [Passed, Passed, Skipped, Failed, Failed],
            Verdict::Untested,
            "it was not run against nothing at all",
        ),
        (
            [Passed, Passed, Failed, Failed, Interrupted],
            Verdict::Untested,
            "it was not run against a copy of the start page",
        ),
        (
            [Passed, Passed, Interrupted, Failed, Passed],
            Verdict::Hollow,
            "it passes against a copy of the start page, too",
        ),
    ] {
        let judged = judged(&passes(ends));
        assert_eq!((judged.verdict, judged.reason.as_str()), (verdict, reason), "{ends:?}");
    }
}

#[test]
fn what_is_missing_is_never_met() {
    let good = passes([Passed, Passed, Failed, Failed, Failed]);
    let unread = |at: usize, ran: RanTests| {
        let mut passes = good.clone();
        passes[at].ran = ran;
        passes
    };
    let without = |at: usize| {
        let mut passes = good.clone();
        passes.remove(at);
        passes
    };
    for (what, passes, reason) in [
        ("no pass", Vec::new(), "no test was run"),
        ("no second pass", without(1), "the tests ran 1 of 2 passes"),
        ("an absent report", unread(0, RanTests::Absent), "pass 1 left no report that can be read"),
        ("an empty report", unread(1, RanTests::Empty), "pass 2 left no report that can be read"),
        ("no control", good[..2].to_vec(), "the negative control did not run"),
        ("a counterfeit less", without(3), "the negative control did not run"),
        (
            "a control that timed out",
            unread(4, RanTests::TimedOut { after_ms: 1 }),
            "the negative control did not run",
        ),
        (
            "a control without the test",
            unread(3, RanTests::Report { tests: Vec::new() }),
            "it was not run against an empty page",
        ),
        (
            "a second pass without the test",
            unread(1, RanTests::Report { tests: Vec::new() }),
            "it was not in every pass",
        ),
        (
            "no test of it",
            vec![pass(Application, 1, Vec::new()), pass(Application, 2, Vec::new())],
            "no test names it",
        ),
    ] {
        let judged = judged(&passes);
        assert_eq!((judged.verdict, judged.reason.as_str()), (Verdict::Untested, reason), "{what}");
    }
    let criteria = criteria(&["C1"]);
    let none = judge(&Seen {
        criteria: &criteria,
        suite: None,
        own: None,
        passes: &good,
        repeat: 2,
        control: &[],
        checks: &[],
    });
    assert_eq!(none[0].verdict, Verdict::Untested, "without a counterfeit nothing could come out otherwise");
    let failed = judged(&passes([Failed, Failed, Failed, Failed, Failed])[..2]);
    assert_eq!(failed.verdict, Verdict::NotMet, "what fails needs no control");
}

#[test]
fn the_worst_of_its_tests_decides_a_criterion() {
    let named = |title: &str, tags: &[&str], status: TestStatus| TestSeen {
        title: title.to_owned(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        status,
        ..a_test(status)
    };
    let all = |met: TestStatus| {
        vec![
            named("both", &["@C1", "@C2", "@slow"], met),
            named("skipped", &["@C1"], Skipped),
            named("bad", &["@C2"], Failed),
            named("other", &["@C12"], Failed),
        ]
    };
    let passes = [
        pass(Application, 1, all(Passed)),
        pass(Application, 2, all(Passed)),
        pass(Nothing, 1, all(Failed)),
        pass(Blank, 1, all(Failed)),
        pass(Frozen, 1, all(Failed)),
    ];
    let criteria = criteria(&["C1", "C2", "C3"]);
    let judged = judge(&Seen {
        criteria: &criteria,
        suite: None,
        own: None,
        passes: &passes,
        repeat: 2,
        control: &ALL,
        checks: &[],
    });
    let verdicts: Vec<Verdict> = judged.iter().map(|one| one.verdict).collect();
    assert_eq!(verdicts, [Verdict::Met, Verdict::NotMet, Verdict::Untested]);
    let titles: Vec<&str> = judged[0].tests.iter().map(|test| test.title.as_str()).collect();
    assert_eq!(titles, ["both", "skipped"], "each test once");
}

#[test]
fn the_outcome_follows_from_the_verdicts() {
    let of = |verdicts: &[Verdict]| {
        let judged: Vec<Judged> = verdicts
            .iter()
            .map(|verdict| Judged {
                id: "C1".to_owned(),
                text: String::new(),
                verdict: *verdict,
                reason: String::new(),
                tests: Vec::new(),
                checks: Vec::new(),
            })
            .collect();
        conclusion(&judged, &[])
    };
    for (verdicts, expected) in [
        (&[Verdict::Met, Verdict::Met][..], Conclusion::Validated),
        (&[], Conclusion::Incomplete),
        (&[Verdict::Met, Verdict::Hollow], Conclusion::Incomplete),
        (&[Verdict::Flaky], Conclusion::Incomplete),
        (&[Verdict::Untested, Verdict::Met], Conclusion::Incomplete),
        (&[Verdict::Met, Verdict::NotMet, Verdict::Untested], Conclusion::Failed),
    ] {
        assert_eq!(of(verdicts), expected, "{verdicts:?}");
    }
}
