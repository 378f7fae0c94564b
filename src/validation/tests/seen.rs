//! What people see: the panel and the text while a run is working, and the report on a faulty build.

use super::*;
use kernel::progress::Incoming;

#[test]
fn while_it_is_at_work_the_chat_and_the_panel_say_what_is_done() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    let mut seen: Vec<String> = Vec::new();
    loop {
        if let Some(panel) = shell.run.panel(shell.now, &[]) {
            let doing = panel.rows[2].text.clone();
            assert_eq!(panel.cancel, "validate-cancel");
            if seen.last() != Some(&doing) {
                seen.push(doing);
            }
            assert!(shell.run.live_message().contains("/validate-cancel stops it"));
        }
        if shell.ending.is_some() || !shell.step() {
            break;
        }
    }
    assert_eq!(
        seen,
        [
            "acme/model reads",
            "acme/model writes",
            "listing the tests",
            "starting",
            "pass 1 of 2",
            "pass 2 of 2",
            "stopping the servers",
            "against a closed port",
            "against an empty page",
            "against a copy of the start page",
            "starting",
            "against the live counterfeit",
            "stopping everything",
        ]
    );
    assert!(shell.run.panel(shell.now, &[]).is_none(), "it is over");
    assert!(shell.run.continued().contains("/validate-status"));
}

#[test]
fn what_has_come_in_of_a_call_is_seen_while_its_model_is_asked() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    let (mut waited, mut wrote) = (false, false);
    while shell.ending.is_none() {
        let session = shell.asked.last().map_or_else(String::new, |ask| ask.session.clone());
        let first = Incoming { session, waiting: true, ..Incoming::default() };
        let later = Incoming { waiting: false, characters: 1_240, writing_ms: 25_000, ..first.clone() };
        let message = |call: &Incoming| shell.run.live_message_at(shell.now, "", std::slice::from_ref(call));
        waited |= message(&first).contains("\nNow     acme/model: waiting for the first token, ");
        wrote |= message(&later).contains("\nNow     acme/model: at work · ~310 tokens · 12 tokens/s, ");
        if message(&later).contains("~310 tokens") {
            let panel = shell.run.panel(shell.now, std::slice::from_ref(&later)).unwrap();
            assert!(panel.rows[2].figures.starts_with("~310 tokens, "), "{panel:?}");
        }
        assert!(shell.step());
    }
    assert!(waited && wrote);
    assert!(!shell.run.live_message_at(shell.now, "", &[]).contains("\nNow "), "it is over");
}

#[test]
fn a_build_with_a_fault_is_failed_and_says_which_criterion() {
    let broken = |effect: &Effect| match effect {
        Effect::TearDown { effect } => Decision::TornDown {
            effect: *effect,
            processes: vec![ProcessEnd {
                name: "web".to_owned(),
                pid: 4_713,
                end: How::LeftAlone,
                why: "its start time differs".to_owned(),
                look: "ps -p 4713 -o pid,lstart,args".to_owned(),
                checked: vec!["start time".to_owned()],
            }],
            evidence: Vec::new(),
        },
        other => well_but(other, |against, pass| {
            let mut tests = tests_seen(against, pass);
            let last = tests.pop().unwrap();
            let last = TestSeen { error: "Error: expected \"Wrong | password\"".to_owned(), ..fallen(last) };
            tests.push(last);
            tests
        }),
    };
    let mut shell = run(&strict, &broken);
    assert_eq!(decide(&mut shell, "force-test"), Outcome::Complete);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!((&last["outcome"], &last["criteria"][1]["verdict"]), (&json!("failed"), &json!("not_met")));
    insta::assert_snapshot!("failed", status(&shell));
    insta::assert_snapshot!("report of a failure", shell.files["FINAL-VALIDATION.md"]);
    assert!(flat(&status(&shell)).contains("To inspect the process: ps -p 4713 -o pid,lstart,args"));
}

#[test]
fn that_no_trace_is_kept_beside_secrets_is_reported() {
    let secret = ValidationSettings { secrets: vec!["API_KEY".to_owned()], ..settings() };
    for (settings, is_told) in [(settings(), false), (secret, true)] {
        let fails = |effect: &Effect| {
            well_but(effect, |against, pass| tests_seen(against, pass).into_iter().map(fallen).collect())
        };
        let shell = run_of(opened(subject(), settings), &honest, &fails);
        let (report, page) = (&shell.files["FINAL-VALIDATION.md"], &shell.files["report.html"]);
        assert_eq!(report.contains("\n- Traces: none kept"), is_told, "{report}");
        assert_eq!(page.contains("none kept, because the settings name secrets"), is_told);
        assert_eq!(page.contains("npx playwright show-trace"), !is_told);
    }
}

#[test]
fn a_failed_criterion_says_what_was_there_with_its_picture() {
    let fails = |effect: &Effect| {
        well_but(effect, |against, pass| {
            let [first, second] = tests_seen(against, pass).try_into().unwrap();
            let path = "playwright/application-1/artifacts/a/test-failed-1.png".to_owned();
            let shown = Shown {
                address: "http://127.0.0.1:4711/sign-in".to_owned(),
                title: "Sign in".to_owned(),
                text: "Welcome back\n\u{202e}Ada".to_owned(),
            };
            let second = TestSeen {
                attachments: vec![Attachment { name: "screenshot".to_owned(), path }],
                shown: Some(shown),
                ..fallen(second)
            };
            vec![first, second]
        })
    };
    let shell = run(&honest, &fails);
    let there = "The page at http://127.0.0.1:4711/sign-in, \u{201c}Sign in\u{201d} showed: \u{201c}Welcome back [U+202E]Ada\u{201d}";
    let picture = "playwright/application-1/artifacts/a/test-failed-1.png";
    let report = &shell.files["FINAL-VALIDATION.md"];
    let written = there.replace('[', "\\[").replace(']', "\\]");
    assert!(report.contains(&format!("  - {written}\n  - Picture: {picture}\n")), "{report}");
    let chat = status(&shell);
    let place = ".design-lab/validation/validate-20261122t223110z-a1b2";
    assert!(flat(&chat).contains(there) && chat.contains(&format!("{place}/{picture}\n")), "{chat}");
    assert_eq!(shell.json("FINAL-VALIDATION.json")["criteria"][1]["seen"][0]["shown"]["title"], "Sign in");
    let page = &shell.files["report.html"];
    let criterion = &page[page.find("id=\"criterion-2\"").unwrap()..page.find("id=\"failed\"").unwrap()];
    assert!(criterion.contains("Welcome back"), "{criterion}");
}
