//! The table of verdicts: the results of a test in each pass, and what they prove.

use super::*;
use crate::validation::session::Pass;
use crate::validation::settings::Counterfeit;
use crate::validation::verdict::{Conclusion, Judged, Seen, Verdict, conclusion, judge, unsettled};
use std::collections::BTreeSet;
use std::iter;

use Against::{Application, Blank, Frozen, Live, Nothing};
use TestStatus::{Failed, Interrupted, Passed, Skipped, TimedOut};

const ALL: [Counterfeit; 3] = [Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Frozen];

fn pass(against: Against, number: u32, tests: Vec<TestSeen>) -> Pass {
    let (ran, noted) = (RanTests::Report { tests }, Noted::default());
    Pass { against, number, ran, duration_ms: 1, noted, files: None }
}

fn a_test(status: TestStatus) -> TestSeen {
    // As in older journals, which have no steps.
    let test = TestSeen { trail: None, ..test_seen("signs in", "@C1") };
    TestSeen { status, error: "Error: it isn't there".to_owned(), ..test }
}

/// The passes of a test that ended like this in both passes, and against nothing, an empty page and a copy.
fn passes(ends: [TestStatus; 5]) -> Vec<Pass> {
    let against = [(Application, 1), (Application, 2), (Nothing, 1), (Blank, 1), (Frozen, 1)];
    let each = against.into_iter().zip(ends);
    each.map(|((against, number), end)| pass(against, number, vec![a_test(end)])).collect()
}

fn criteria(ids: &[&str]) -> Vec<Criterion> {
    ids.iter().map(|id| Criterion { id: (*id).to_owned(), text: format!("{id} holds") }).collect()
}

fn judged(passes: &[Pass]) -> Judged {
    judged_of(&["C1"], passes).remove(0)
}

fn judged_of(ids: &[&str], passes: &[Pass]) -> Vec<Judged> {
    judge(&Seen {
        criteria: &criteria(ids),
        suite: None,
        own: None,
        passes,
        repeat: 2,
        control: &ALL,
        checks: &[],
        ports: &BTreeSet::new(),
    })
}

#[test]
fn how_a_test_ended_in_each_pass_decides() {
    for (ends, verdict, reason) in [
        (
            [Passed, Passed, Failed, Failed, Failed],
            Verdict::Met,
            "the test passed, and failed against a closed port, an empty page and a copy of the start page",
        ),
        (
            [Passed, Passed, TimedOut, TimedOut, Failed],
            Verdict::Met,
            "the test passed, and failed against a closed port, an empty page and a copy of the start page",
        ),
        ([Failed, Failed, Failed, Failed, Failed], Verdict::NotMet, "Error: it isn't there"),
        ([TimedOut, Failed, Passed, Passed, Passed], Verdict::NotMet, "Error: it isn't there"),
        (
            [Passed, Failed, Failed, Failed, Failed],
            Verdict::Flaky,
            "the test passed 1 time and failed 1 time: Error: it isn't there",
        ),
        (
            [TimedOut, Passed, Passed, Failed, Failed],
            Verdict::Flaky,
            "the test passed 1 time and failed 1 time: Error: it isn't there",
        ),
        (
            [Passed, Passed, Passed, Failed, Failed],
            Verdict::Hollow,
            "the test also passes against a closed port",
        ),
        (
            [Passed, Passed, Failed, Passed, Failed],
            Verdict::Hollow,
            "the test also passes against an empty page",
        ),
        (
            [Passed, Passed, Failed, Failed, Passed],
            Verdict::Hollow,
            "the test also passes against a copy of the start page",
        ),
        ([Skipped, Skipped, Skipped, Skipped, Skipped], Verdict::Untested, "the test was skipped"),
        ([Passed, Skipped, Failed, Failed, Failed], Verdict::Untested, "the test was skipped"),
        ([Failed, Interrupted, Failed, Failed, Failed], Verdict::Untested, "the test was interrupted"),
        (
            [Passed, Passed, Skipped, Failed, Failed],
            Verdict::Untested,
            "the test was not run against a closed port",
        ),
        (
            [Passed, Passed, Failed, Failed, Interrupted],
            Verdict::Untested,
            "the test was not run against a copy of the start page",
        ),
        (
            [Passed, Passed, Interrupted, Failed, Passed],
            Verdict::Hollow,
            "the test also passes against a copy of the start page",
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
        ("no second pass", without(1), "the tests ran only 1 of 2 passes"),
        ("an absent report", unread(0, RanTests::Absent), "pass 1 left no readable report"),
        ("an empty report", unread(1, RanTests::Empty), "pass 2 left no readable report"),
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
            "the test was not run against an empty page",
        ),
        (
            "a second pass without the test",
            unread(1, RanTests::Report { tests: Vec::new() }),
            "the test did not run in every pass",
        ),
        (
            "no test of it",
            vec![pass(Application, 1, Vec::new()), pass(Application, 2, Vec::new())],
            "no test covers this criterion",
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
        ports: &BTreeSet::new(),
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
    let judged = judged_of(&["C1", "C2", "C3"], &passes);
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

// ---- with recorded steps ----

const LIVE: [Counterfeit; 3] = [Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Live];

/// `goto`, `click` and the like are calls, `expect` an assertion; the one with `!` failed.
fn trail(steps: &str) -> Vec<TrailStep> {
    let step = |word: &str| {
        let (title, error) = word.strip_suffix('!').map_or((word, ""), |title| (title, "Error: it isn't so"));
        let kind = if title == "expect" { StepKind::Expect } else { StepKind::Call };
        TrailStep { kind, title: title.to_owned(), error: error.to_owned() }
    };
    steps.split(' ').map(step).collect()
}

fn traced(status: TestStatus, steps: &str) -> TestSeen {
    TestSeen { trail: Some(trail(steps)), ..a_test(status) }
}

/// The steps against the application, against nothing, an empty page, and in the passes of the live counterfeit.
fn controlled(application: &str, control: &[&str]) -> Vec<Pass> {
    let of = |steps: &str| if steps.contains('!') { Failed } else { Passed };
    let against = [(Nothing, 1), (Blank, 1), (Live, 1), (Live, 2), (Live, 3), (Live, 4)];
    let control = against.into_iter().zip(control).filter(|(_, steps)| !steps.is_empty());
    let control =
        control.map(|((against, number), steps)| pass(against, number, vec![traced(of(steps), steps)]));
    let passed = || vec![traced(Passed, application)];
    [pass(Application, 1, passed()), pass(Application, 2, passed())].into_iter().chain(control).collect()
}

fn judged_live(passes: &[Pass], control: &[Counterfeit]) -> Judged {
    let criteria = criteria(&["C1"]);
    let ports = BTreeSet::from([4_711]);
    let seen = Seen {
        criteria: &criteria,
        suite: None,
        own: None,
        passes,
        repeat: 2,
        control,
        checks: &[],
        ports: &ports,
    };
    judge(&seen).remove(0)
}

#[test]
fn a_test_is_met_by_an_assertion_that_failed_and_by_nothing_else() {
    let signed_in = "goto fill click expect";
    for (what, application, control, verdict) in [
        ("an honest test", "goto expect", &["goto!", "goto expect!", "goto expect!"][..], Verdict::Met),
        ("behind a sign-in", signed_in, &["goto!", "goto fill!", "goto fill click expect!"], Verdict::Met),
        (
            "a tautology behind a sign-in",
            signed_in,
            &["goto!", "goto fill!", signed_in, "goto fill!", signed_in, signed_in],
            Verdict::Hollow,
        ),
        (
            "the form appears, and a tautology after it",
            "goto expect fill click expect",
            &[
                "goto!",
                "goto expect!",
                "goto expect fill click expect",
                "goto expect!",
                "goto expect fill click expect",
                "goto expect fill click expect",
            ],
            Verdict::Hollow,
        ),
        (
            "names of what isn't used",
            "goto expect expect",
            &["goto!", "goto expect!", "goto expect expect", "goto expect!"],
            Verdict::Met,
        ),
        (
            "what is gone after a click",
            "goto click expect",
            &["goto!", "goto click!", "goto click!", "", "goto click expect!"],
            Verdict::Met,
        ),
        (
            "only the address after a click",
            "goto click expect",
            &[
                "goto!",
                "goto click!",
                "goto click expect",
                "goto click!",
                "goto click expect",
                "goto click expect!",
            ],
            Verdict::Met,
        ),
        (
            "a state that follows from an action, in words that stay",
            "goto fill expect",
            &[
                "goto!",
                "goto fill!",
                "goto fill expect",
                "goto fill!",
                "goto fill expect",
                "goto fill expect",
            ],
            Verdict::Hollow,
        ),
        (
            "nothing lets it come to its assertion",
            "goto click expect",
            &["goto!", "goto click!", "goto click!", "", "goto click!", "goto click!"],
            Verdict::Unproven,
        ),
    ] {
        let judged = judged_live(&controlled(application, control), &LIVE);
        assert_eq!(judged.verdict, verdict, "{what}: {}", judged.reason);
    }
}

/// The steps against the application, against an empty page, and in the passes of the live counterfeit, each with its number.
fn fitted(application: &str, blank: &str, live: &[(u32, &str)]) -> Vec<Pass> {
    let of = |steps: &str| if steps.contains('!') { Failed } else { Passed };
    let control =
        iter::once((Blank, 1, blank)).chain(live.iter().map(|(number, steps)| (Live, *number, *steps)));
    let control =
        control.map(|(against, number, steps)| pass(against, number, vec![traced(of(steps), steps)]));
    controlled(application, &["goto!"]).into_iter().chain(control).collect()
}

#[test]
fn the_lie_that_fits_a_test_settles_it_only_if_the_others_would() {
    let form = "goto expect fill click expect";
    for (what, application, blank, live, verdict, against) in [
        (
            "names",
            "goto expect",
            "goto!",
            &[(0, "goto expect!")][..],
            Verdict::Met,
            "names and states replaced",
        ),
        (
            "words, and what is written",
            "goto click expect",
            "goto click!",
            &[(0, "goto click expect!")],
            Verdict::Met,
            "words replaced and its writes discarded",
        ),
        (
            "what it wrote itself",
            "POST goto click expect",
            "goto click!",
            &[(0, "POST goto click expect!")],
            Verdict::Met,
            "with its writes discarded",
        ),
        (
            "words, because something is asserted early",
            "goto expect goto expect",
            "goto!",
            &[(0, "goto expect!")],
            Verdict::Met,
            "with its words replaced",
        ),
        (
            "a form that an empty page doesn't have, while it is unknown what other words do",
            form,
            "goto expect!",
            &[(0, "goto expect fill!")],
            Verdict::Unproven,
            "it ended at fill",
        ),
        (
            "the same once it is known that it passes regardless of them",
            form,
            "goto expect!",
            &[(0, "goto expect fill!"), (1, form), (2, "goto expect!"), (3, form), (4, form)],
            Verdict::Hollow,
            "passes against the live application with its words replaced",
        ),
        (
            "the same once it is known that they stop it",
            form,
            "goto expect!",
            &[(0, "goto expect fill!"), (1, "goto expect fill!")],
            Verdict::Met,
            "failed against an empty page",
        ),
        (
            "it passes against both lies at once, and falls early where names change",
            form,
            "goto!",
            &[(0, form), (2, "goto expect!"), (3, form), (4, form)],
            Verdict::Hollow,
            "words replaced and its writes discarded",
        ),
        (
            "a tautology",
            "goto expect",
            "goto!",
            &[(0, "goto expect"), (3, "goto expect"), (4, "goto expect")],
            Verdict::Hollow,
            "names and states replaced",
        ),
    ] {
        let judged = judged_live(&fitted(application, blank, live), &LIVE);
        assert_eq!(judged.verdict, verdict, "{what}: {}", judged.reason);
        assert!(judged.reason.contains(against), "{what}: {}", judged.reason);
    }
}

#[test]
fn after_its_fitting_lie_a_test_meets_only_lies_that_can_show_more() {
    let next = |application: &str, live: &[(u32, &str)]| {
        let passes = fitted(application, "goto!", live);
        (1..=4).filter(|number| !unsettled(&passes, *number).is_empty()).collect::<Vec<_>>()
    };
    let act = "goto click expect";
    for (what, application, live, numbers) in [
        ("settled", act, &[(0, "goto click expect!")][..], &[][..]),
        ("stopped by any of two lies", act, &[(0, "goto click!")], &[1, 3, 4]),
        ("passes regardless of both", act, &[(0, act)], &[2, 3, 4]),
        ("stopped by words", act, &[(0, "goto click!"), (1, "goto click!")], &[3, 4]),
        ("passes regardless of words", act, &[(0, "goto click!"), (1, act)], &[2, 3, 4]),
        ("passes regardless of names", "goto expect", &[(0, "goto expect")], &[3, 4]),
        ("can't read what is named otherwise", "goto expect", &[(0, "goto!")], &[1, 3, 4]),
        ("stopped by words at once", "goto expect goto expect", &[(0, "goto!")], &[3, 4]),
        (
            "writes are discarded, and an action still fails",
            "POST goto click expect",
            &[(0, "POST goto click!")],
            &[1, 4],
        ),
    ] {
        assert_eq!(next(application, live), numbers, "{what}");
    }
    let before = controlled(act, &["goto!", "goto!"]);
    assert_eq!(unsettled(&before, 0).len(), 1, "every test meets the one that fits");
    let hollow = controlled(act, &["goto!", act]);
    assert_eq!(unsettled(&hollow, 0).len(), 0);
}

#[test]
fn what_fails_in_a_frozen_copy_after_an_action_depends_on_the_application() {
    for (application, frozen, verdict) in [
        ("goto fill expect", "goto fill expect!", Verdict::Met),
        ("goto expect fill expect", "goto expect!", Verdict::Hollow),
        ("goto expect fill expect", "goto expect fill expect!", Verdict::Met),
        ("goto fill expect", "goto fill!", Verdict::Hollow),
        ("goto expect", "goto expect!", Verdict::Hollow),
    ] {
        let mut passes = controlled(application, &["goto!", "goto!"]);
        passes.push(pass(Frozen, 1, vec![traced(Failed, frozen)]));
        for (number, steps) in (1..).zip([application, "goto!", application, application]) {
            let status = if steps.contains('!') { Failed } else { Passed };
            passes.push(pass(Live, number, vec![traced(status, steps)]));
        }
        let control = [Counterfeit::Nothing, Counterfeit::Blank, Counterfeit::Frozen, Counterfeit::Live];
        let judged = judged_live(&passes, &control);
        assert_eq!(judged.verdict, verdict, "{application}, {frozen}: {}", judged.reason);
    }
}

#[test]
fn what_ended_a_test_is_reported_and_never_called_observed() {
    let stopped = ["goto!", "goto click!", "goto click!", "", "goto click!", "goto click!"];
    let judged = judged_live(&controlled("goto click expect", &stopped), &LIVE);
    assert_eq!(
        judged.reason,
        "no assertion of the test failed against any counterfeit: against the live application with its \
         links redirected it ended at click (Error: it isn't so)"
    );
    // It timed out during an assertion: it is unknown how that would have ended.
    let mut late = controlled("goto expect", &["goto!", "goto expect!", "goto expect!"]);
    for pass in &mut late[2..] {
        let RanTests::Report { tests } = &mut pass.ran else { continue };
        tests[0].status = TimedOut;
    }
    assert_eq!(judged_live(&late, &LIVE).verdict, Verdict::Unproven);
    // Without the live counterfeit, the others have to prove it.
    let cheap = controlled("goto click expect", &["goto!", "goto click!"]);
    assert_eq!(judged_live(&cheap, &LIVE[..2]).verdict, Verdict::Unproven);
    let unrun = judged_live(&cheap, &LIVE);
    assert_eq!(
        (unrun.verdict, unrun.reason.as_str()),
        (Verdict::Untested, "the negative control did not run")
    );
}

#[test]
fn a_test_that_answers_for_the_application_shows_nothing() {
    for (mock, reason) in [
        (
            "page.route(**/api/notes)",
            "the test answers in place of the application: page.route(**/api/notes)",
        ),
        (
            "test.use({ proxy })",
            "the test may test something other than the application: test.use({ proxy })",
        ),
        ("unwatched", "the test may test something other than the application: unwatched"),
    ] {
        let mut passes = controlled("goto expect", &["goto!", "goto expect!", "goto expect!"]);
        for pass in &mut passes {
            let RanTests::Report { tests } = &mut pass.ran else { continue };
            tests[0].mocks = vec![mock.to_owned()];
        }
        let judged = judged_live(&passes, &LIVE);
        assert_eq!((judged.verdict, judged.reason.as_str()), (Verdict::Hollow, reason));
    }
}

#[test]
fn a_test_that_changes_the_page_itself_shows_nothing() {
    for (code, whose, verdict, reason) in [
        ("(() => document.title)", Whose::Written, Verdict::Met, None),
        (
            "(() => { document.body.textContent = 'Total 42'; })",
            Whose::Written,
            Verdict::Hollow,
            Some("the test may change the page itself, with code that it runs there: textContent ="),
        ),
    ] {
        let mut passes = controlled("goto expect", &["goto!", "goto expect!", "goto expect!"]);
        for pass in &mut passes {
            let RanTests::Report { tests } = &mut pass.ran else { continue };
            (tests[0].evaluated, tests[0].whose) = (vec!["(() => 1)".to_owned(), code.to_owned()], whose);
        }
        let judged = judged_live(&passes, &LIVE);
        assert_eq!(judged.verdict, verdict, "{code}: {}", judged.reason);
        assert!(reason.is_none_or(|reason| reason == judged.reason), "{}", judged.reason);
    }
}

#[test]
fn an_assertion_before_an_action_proves_nothing_about_it_however_the_action_is_spelled() {
    for act in [
        "click",
        "Dispatch \"submit\"",
        "Set input files",
        "Insert \"x\"",
        "Key down \"Enter\"",
        "locator.setInputFiles(a.txt)",
        "locator.dispatchEvent(click)",
        "Scroll into view",
        "Blur",
        "Fast forward clock \"1000\"",
    ] {
        let step = |kind, title: &str, error: &str| TrailStep {
            kind,
            title: title.to_owned(),
            error: error.to_owned(),
        };
        let expected = |error: &str| {
            vec![
                step(StepKind::Call, "Navigate", ""),
                step(StepKind::Expect, "Expect \"toBeVisible\"", error),
            ]
        };
        let whole = [expected(""), vec![step(StepKind::Call, act, "")], expected("").split_off(1)].concat();
        let mut passes = controlled("goto expect", &["goto!", "goto!", "goto expect", "goto expect!"]);
        for pass in &mut passes {
            let RanTests::Report { tests } = &mut pass.ran else { continue };
            tests[0].trail = Some(match (pass.against, pass.number) {
                (Application, _) | (Live, 1) => whole.clone(),
                // It falls before it acts.
                (Live, _) => expected("Error: it isn't so"),
                _ => vec![step(StepKind::Call, "Navigate", "Error: refused")],
            });
        }
        let judged = judged_live(&passes, &LIVE);
        assert_eq!(judged.verdict, Verdict::Hollow, "{act}: {}", judged.reason);
    }
}

#[test]
fn a_test_that_opens_another_address_shows_nothing() {
    let opening = |opened: &str, visited: &str| {
        let mut passes = controlled("goto expect", &["goto!", "goto expect!", "goto expect!"]);
        for pass in &mut passes {
            let RanTests::Report { tests } = &mut pass.ran else { continue };
            tests[0].opened = vec![opened.to_owned()];
            tests[0].visited = vec![visited.to_owned()];
        }
        judged_live(&passes, &LIVE)
    };
    let page = "http://127.0.0.1:4711/sign-in";
    for (opened, visited, foreign) in [
        (page, page, None),
        ("http://localhost:4711", page, None),
        ("http://[::1]:4711/?a=b", "about:blank", None),
        ("http://acme.localhost:4711/", page, None),
        ("http://ann:secret@localhost:4711/", page, None),
        // A link of the application led there.
        (page, "https://example.org/", None),
        ("http://127.0.0.1:4712/", page, Some("http://127.0.0.1:4712/")),
        ("http://127.0.0.1:47110/", page, Some("http://127.0.0.1:47110/")),
        ("http://127.0.0.1:4711@example.org/", page, Some("http://127.0.0.1:4711@example.org/")),
        ("https://example.org/4711", page, Some("https://example.org/4711")),
        ("file:///home/ada/page.html", page, Some("file:///home/ada/page.html")),
        (page, "data:text/html,<h1>Hello</h1>", Some("data:text/html,<h1>Hello</h1>")),
    ] {
        let judged = opening(opened, visited);
        let verdict = if foreign.is_some() { Verdict::Hollow } else { Verdict::Met };
        assert_eq!(judged.verdict, verdict, "{opened}, {visited}: {}", judged.reason);
        if let Some(address) = foreign {
            assert_eq!(
                judged.reason,
                format!("the test opens an address that is not the application's: {address}")
            );
        }
    }
}

#[test]
fn a_test_that_decides_several_criteria_says_so() {
    let mut passes = passes([Passed, Passed, Failed, Failed, Failed]);
    for pass in &mut passes {
        let RanTests::Report { tests } = &mut pass.ran else { continue };
        tests[0].tags = ["@C1", "@C2", "@J1"].map(str::to_owned).to_vec();
    }
    let judged = judged_of(&["C1", "C2", "C3"], &passes);
    let expected = "the test passed, and failed against a closed port, an empty page and a copy of the start \
                    page; the test decides several criteria at once: C1, C2";
    assert_eq!([&judged[0].reason, &judged[1].reason], [expected, expected]);
}

#[test]
fn only_what_is_not_settled_continues_to_the_next_lie() {
    let titles = |passes: &[Pass], number| {
        unsettled(passes, number).into_iter().map(|test| test.title.clone()).collect::<Vec<_>>()
    };
    let run = |control: &[&str]| controlled("goto click expect", control);
    let all = vec!["signs in"];
    for (control, number, expected) in [
        (&["goto!", "goto click!"][..], 1, all.clone()),
        (&["goto!", "goto click expect"], 1, vec![]),
        (&["goto!", "goto click!", "goto click expect!"], 2, vec![]),
        (&["goto!", "goto click!", "goto click!"], 2, vec![]),
        (&["goto!", "goto click!", "goto click!"], 3, all.clone()),
        (&["goto!", "goto click!", "goto click expect"], 2, all.clone()),
        (&["goto!", "goto click!", "goto click!", "", "goto click expect!"], 4, vec![]),
    ] {
        assert_eq!(titles(&run(control), number), expected, "{control:?}, {number}");
    }
}
