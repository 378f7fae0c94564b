//! A server that ends while tests run: its end is reported, and only the test that was running is judged by it.

use super::*;
use crate::validation::protocol::TestUnderWay;
use crate::validation::status::Status;

/// A server ends in this pass, during this test.
fn crashes(at: (Against, u32), test: Option<(&'static str, &'static str)>) -> impl Fn(&Effect) -> Decision {
    move |effect: &Effect| match effect {
        Effect::RunTests { effect, against, pass, .. } if (*against, *pass) == at => Decision::TestsRan {
            effect: *effect,
            ran: RanTests::ServerEnded {
                server: "web".to_owned(),
                code: Some(3),
                signal: None,
                tail: "listening\n\nout of memory\n".to_owned(),
                test: test.map(|(title, tag)| TestUnderWay {
                    whose: Whose::Written,
                    file: "tests/sign-in.spec.ts".to_owned(),
                    title: title.to_owned(),
                    tags: vec![tag.to_owned()],
                }),
            },
            duration_ms: 900,
            noted: noted(Against::Application),
        },
        other => well(other),
    }
}

#[test]
fn only_the_criterion_of_the_test_under_way_is_judged_by_it() {
    for pass in [1, 2] {
        let effects = crashes((Against::Application, pass), Some(("tells a wrong password", "@C2")));
        let shell = run(&honest, &effects);
        assert_eq!(verdicts(&shell), ["untested", "not_met"], "pass {pass}");
        let facts = shell.run.summary().unwrap();
        assert_eq!((facts.own.status, facts.unfinished), (Status::Failed, true));
        assert_eq!(commanded(&shell).last(), Some(&"tear down"));
        let ended = format!(
            "web ended with exit code 3 in pass {pass}, while the test \u{201c}tells a wrong password\u{201d} ran. Its last lines: listening / out of memory"
        );
        for text in [flat(&status(&shell)), flat(&shell.files["FINAL-VALIDATION.md"])] {
            assert!(text.contains(&ended), "{text}");
            assert!(text.contains("web ended with exit code 3 while the test ran"), "{text}");
        }
        let expected = format!("the server web ended in pass {pass}, before all tests had run");
        assert!(flat(&status(&shell)).contains(&expected), "{}", status(&shell));
        assert!(shell.files["report.html"].contains("stopped: web ended with exit code 3"));
        let next = json!(["/flow-plan fix validate-20261122t223110z-a1b2", "/validate-resume"]);
        assert_eq!(shell.json("run.json")["next_commands"], next);
        assert_eq!(shell.run.to_fix().unwrap().faults.len(), 1);
    }
}

#[test]
fn without_a_test_under_way_nothing_is_judged() {
    let effects = crashes((Against::Application, 2), None);
    let shell = run(&honest, &effects);
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
    assert_eq!(shell.run.summary().unwrap().own.status, Status::Incomplete);
    let expected = "web ended with exit code 3 in pass 2, before the first test began.";
    assert!(flat(&status(&shell)).contains(expected), "{}", status(&shell));
}

#[test]
fn a_server_that_ends_behind_the_live_counterfeit_refutes_no_test() {
    let effects = crashes((Against::Live, 0), Some(("tells a wrong password", "@C2")));
    let shell = run(&honest, &effects);
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
    assert!(
        flat(&status(&shell)).contains("the server web ended during the negative control"),
        "{}",
        status(&shell)
    );
}

#[test]
fn a_pass_that_runs_again_leaves_a_note_of_the_servers_end() {
    let effects = crashes((Against::Application, 2), Some(("tells a wrong password", "@C2")));
    let first = run(&honest, &effects);
    let mut shell = Shell::of(&first.journal, &honest, Order::FirstIn).with_effects(&well);
    let events = shell.run.resume(&settings(), &[]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    assert_eq!(verdicts(&shell), ["met", "met"]);
    assert_eq!(commanded(&shell)[..2], ["start", "test"], "the first pass counts");
    let note = "web ended with exit code 3 in pass 2, while the test \u{201c}tells a wrong password\u{201d} ran; that pass ran again.";
    assert!(flat(&status(&shell)).contains(note), "{}", status(&shell));
}
