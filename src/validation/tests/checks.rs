//! Checks in addition to the criteria: what passes, what doesn't, what decides a criterion, and that nothing runs without approval.

use super::*;
use crate::validation::status::Status;
use kernel::digest::sha256;

/// Settings with a check that needs approval, and decides these criteria.
pub(super) fn checked(criteria: &[&str]) -> ValidationSettings {
    let check = json!({"id": "build", "command": ["npm", "run", "build"], "criteria": criteria});
    ValidationSettings { checks: vec![serde_json::from_value(check).unwrap()], ..settings() }
}

fn allowed(criteria: &[&str]) -> ValidationSettings {
    let mut settings = checked(criteria);
    settings.checks[0].allow = true;
    settings
}

/// All goes well except the check, which ends like this.
fn but(ran: Ran) -> impl Fn(&Effect) -> Decision {
    move |effect| match effect {
        Effect::RunCheck { effect, .. } => Decision::CheckRan { effect: *effect, ran: ran.clone() },
        _ => well(effect),
    }
}

#[test]
fn validated_is_only_what_every_check_passed_for() {
    let unstarted = Ran { end: CommandEnd::NotStarted { message: "ENOENT".to_owned() }, ..check_ran(0) };
    let untested = Ran { tests: crate::shared::runners::tests_in("# pass 0\n# fail 0"), ..check_ran(0) };
    let late = Ran { end: CommandEnd::TimedOut, ..check_ran(0) };
    for (ran, outcome, verdict) in [
        (check_ran(0), "validated", "passed"),
        (check_ran(1), "failed", "failed"),
        (late, "failed", "failed"),
        (unstarted, "incomplete", "not_run"),
        (untested, "incomplete", "hollow"),
    ] {
        let effects = but(ran);
        let shell = run_of(opened(subject(), allowed(&[])), &honest, &effects);
        let last = shell.json("FINAL-VALIDATION.json");
        assert_eq!((&last["outcome"], &last["checks"][0]["verdict"]), (&json!(outcome), &json!(verdict)));
        assert_eq!(verdicts(&shell), ["met", "met"], "what else there is to see is seen");
        assert_eq!(commanded(&shell)[..3], ["list", "check", "start"]);
        assert_eq!(commanded(&shell).iter().filter(|one| **one == "check").count(), 1);
        let is_to_complete = last["to_complete"]
            .as_array()
            .unwrap()
            .iter()
            .any(|line| line.as_str().unwrap().starts_with("build ("));
        assert_eq!(is_to_complete, outcome != "validated", "{verdict}");
    }
}

#[test]
fn a_check_that_fails_is_on_the_page_with_its_output() {
    let effects = but(check_ran(2));
    let shell = run_of(opened(subject(), allowed(&[])), &honest, &effects);
    let page = &shell.files["report.html"];
    assert!(page.contains("built &#60;b&#62;") || page.contains("built &lt;b&gt;"), "as a text");
    assert!(page.contains("checks/build-1.log"));
    insta::assert_snapshot!("check failed", status(&shell));
    let report = &shell.files["FINAL-VALIDATION.md"];
    assert!(
        report.contains("\n## Checks\n\n- build: failed, exit code 2 (checks/build-1.log)\n"),
        "{report}"
    );
    assert!(report.contains("Of 2 criteria: 2 met. Of 1 check: 1 failed."), "{report}");
}

/// A tester that reports that no test in a browser can decide the second criterion, or both.
fn untestable(all: bool) -> impl Fn(&Ask) -> Does {
    move |ask| {
        if ask.job.as_str() != "tests:1" {
            return honest(ask);
        }
        let one = |id: &str| json!({"criterion": id, "why": "it is no page"});
        let says = if all {
            json!({"files": [], "untestable": [one("C1"), one("C2")]})
        } else {
            json!({"files": [{"path": "a.spec.ts", "text": TEXT.replace("@C2", "")}], "untestable": [one("C2")]})
        };
        Does::Says(says.to_string())
    }
}

#[test]
fn a_command_decides_the_criteria_that_the_settings_name_as_often_as_tests_run() {
    let only_first = |against: Against, pass: u32| tests_seen(against, pass)[..1].to_vec();
    let tester = untestable(false);
    for (code, verdict, outcome) in [(0, "met", "validated"), (1, "not_met", "failed")] {
        let effects = |effect: &Effect| match effect {
            Effect::RunCheck { effect, .. } => Decision::CheckRan { effect: *effect, ran: check_ran(code) },
            _ => well_but(effect, only_first),
        };
        let shell = run_of(opened(subject(), allowed(&["C2", "C9"])), &tester, &effects);
        assert_eq!(verdicts(&shell), ["met", verdict]);
        assert_eq!(commanded(&shell)[..4], ["list", "check", "check", "start"]);
        let last = shell.json("FINAL-VALIDATION.json");
        assert_eq!(last["outcome"], outcome);
        assert_eq!(last["checks"][0]["seen"].as_array().unwrap().len(), 2);
        let report = &shell.files["FINAL-VALIDATION.md"];
        assert!(
            report.contains("the settings let this check decide C2, C9, but this run has no C9"),
            "{report}"
        );
        assert_eq!(report.contains("a command has no negative control"), verdict == "met", "{report}");
    }
    // Without the settings' permission it is untested.
    let effects = |effect: &Effect| well_but(effect, only_first);
    let shell = run_of(opened(subject(), allowed(&[])), &tester, &effects);
    assert_eq!(verdicts(&shell), ["met", "untested"]);
}

#[test]
fn where_commands_decide_all_no_server_is_started() {
    let tester = untestable(true);
    let shell = run_of(opened(subject(), allowed(&["C1", "C2"])), &tester, &well);
    assert_eq!(commanded(&shell), ["check", "check", "tear down"]);
    assert_eq!(verdicts(&shell), ["met", "met"]);
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "validated");
}

#[test]
fn a_test_that_was_written_and_never_ran_is_not_replaced_by_a_command() {
    let effects = |effect: &Effect| match effect {
        Effect::StartServers { effect, .. } => {
            Decision::EffectFailed { effect: *effect, message: "no".to_owned() }
        }
        _ => well(effect),
    };
    let shell = run_of(opened(subject(), allowed(&["C2"])), &honest, &effects);
    assert_eq!(verdicts(&shell), ["untested", "untested"]);
}

#[test]
fn a_checks_command_runs_only_with_the_users_leave() {
    let asks = checked(&[]);
    let mut shell = run_of(opened(subject(), asks.clone()), &honest, &well);
    let facts = shell.run.summary().unwrap().own;
    assert_eq!((facts.status, commanded(&shell)), (Status::AwaitingUser, vec!["list"]));
    assert!(status(&shell).contains("  build: npm run build  (in .)"), "{}", status(&shell));
    let hash = facts.commands_hash.unwrap();
    // Another command is shown first.
    let mut other = asks;
    other.checks[0].command = vec!["sh".to_owned(), "-c".to_owned(), "curl x | sh".to_owned()];
    let events = shell.run.resume(&other, std::slice::from_ref(&hash)).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Partial, "it waits on");
    assert!(status(&shell).contains("build: sh -c \"curl x | sh\""), "{}", status(&shell));
    assert_eq!(commanded(&shell), ["list"]);
    let shown = shell.run.summary().unwrap().own.commands_hash.unwrap();
    assert_ne!(shown, hash);
    let events = shell.run.resume(&other, &[shown]).unwrap();
    assert_eq!(carry_out(&mut shell, events), Outcome::Complete);
    let Effect::RunCheck { check, output, .. } = &shell.effects_asked[1] else { panic!("it runs") };
    assert_eq!((check, output.as_str()), (&other.checks[0], "checks/build-1.log"));
}

#[test]
fn the_leave_for_servers_alone_has_the_hash_that_it_had_before_there_were_checks() {
    let mut asks = settings();
    asks.servers[0].allow = false;
    let shell = run_of(opened(subject(), asks.clone()), &honest, &well);
    let hash = sha256(&serde_json::to_string(&asks.servers).unwrap());
    assert_eq!(shell.run.summary().unwrap().own.commands_hash, Some(hash));
}

fn looking() -> ValidationSettings {
    ValidationSettings { a11y: true, metadata: true, ..settings() }
}

#[test]
fn pages_that_tests_came_to_are_looked_at_while_the_servers_run() {
    let shell = run_of(opened(subject(), looking()), &honest, &well);
    assert_eq!(commanded(&shell)[..6], ["list", "start", "test", "test", "look", "stop"]);
    let look = shell.effects_asked.iter().find_map(|effect| match effect {
        Effect::LookAtPages { pages, a11y: true, .. } => Some(pages),
        _ => None,
    });
    assert_eq!(look.unwrap()[..], ["http://127.0.0.1:4711/", "http://127.0.0.1:4711/sign-in"]);
    let last = shell.json("FINAL-VALIDATION.json");
    assert_eq!(last["outcome"], "validated");
    assert_eq!((&last["checks"][0]["id"], &last["checks"][1]["id"]), (&json!("a11y"), &json!("metadata")));
    assert_eq!(last["pages"]["pages"][0]["title"], "Sign in");
}

#[test]
fn what_is_found_on_a_page_fails_and_what_could_not_be_looked_for_is_incomplete() {
    let seen = |page: fn(PageSeen) -> PageSeen, axe: bool| {
        move |effect: &Effect| match effect {
            Effect::LookAtPages { effect, pages, .. } => {
                let pages = pages.iter().map(|url| page(page_seen(url))).collect();
                let axe = axe.then(|| "4.14.1".to_owned());
                Decision::PagesSeen { effect: *effect, seen: LookedAt::Pages { pages, axe } }
            }
            _ => well(effect),
        }
    };
    let untitled = seen(|page| PageSeen { title: None, ..page }, true);
    let shell = run_of(opened(subject(), looking()), &honest, &untitled);
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "failed");
    assert_eq!(verdicts(&shell), ["met", "met"]);
    for name in ["FINAL-VALIDATION.md", "report.html"] {
        let text = &shell.files[name];
        assert!(text.contains("http://127.0.0.1:4711/sign-in: it has no title"), "{name}: {text}");
    }
    let without_axe = seen(|page| page, false);
    let shell = run_of(opened(subject(), looking()), &honest, &without_axe);
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete");
    assert!(shell.files["FINAL-VALIDATION.md"].contains("`npm install --save-dev axe-core`"));
    let unable = |effect: &Effect| match effect {
        Effect::LookAtPages { effect, .. } => {
            Decision::PagesSeen { effect: *effect, seen: LookedAt::Unreadable { message: "no".to_owned() } }
        }
        _ => well(effect),
    };
    let shell = run_of(opened(subject(), looking()), &honest, &unable);
    assert_eq!(shell.json("FINAL-VALIDATION.json")["outcome"], "incomplete");
    assert_eq!(verdicts(&shell), ["met", "met"], "the control ran all the same");
}
