//! Checks under the user's own rules for shell commands: no plan contains denied ones, and others may need the user's permission.

use super::super::leave::ShellRules;
use super::*;

/// These rules, after one that allows everything.
fn rules(own: &[(&str, &str)]) -> ShellRules {
    let all = [("*", "allow")];
    let rule = |(pattern, action): &(&str, &str)| json!({"pattern": pattern, "action": action});
    serde_json::from_value(all.iter().chain(own).map(rule).collect()).unwrap()
}

fn opened_with(rules: ShellRules, automatic: bool) -> EventKind {
    let EventKind::Opened(mut opening) = opened(automatic) else { panic!("a session begins by its opening") };
    opening.shell_rules = Some(rules);
    EventKind::Opened(opening)
}

fn drafted_with(rules: ShellRules, automatic: bool, script: &dyn Fn(&Ask) -> Does) -> (Shell<'_>, Outcome) {
    let mut shell = Shell::new(script, Order::FirstIn).with_effects(&well);
    shell.feed(opened_with(rules, automatic));
    let outcome = shell.finish();
    (shell, outcome)
}

/// The user's command, as the shell feeds it if the host reports these rules now.
fn under(
    shell: &mut Shell<'_>,
    rules: ShellRules,
    decide: impl Fn(&Run) -> Result<EventKind, super::super::recovery::Recovery>,
) -> Result<Outcome, String> {
    shell.run.know_rules(rules);
    let event = decide(&shell.run).map_err(|refused| refused.error_code.text().into_owned())?;
    shell.ending = None;
    for event in shell.run.under(&patient(), &[], event) {
        shell.feed(event);
    }
    Ok(shell.finish())
}

fn replayed(shell: &Shell<'_>) -> String {
    let (run, _) = Run::replay(&shell.journal.concat()).unwrap();
    headless(&run.status(&Owner::Nobody))
}

fn approve_it(run: &Run) -> Result<EventKind, super::super::recovery::Recovery> {
    run.approve(&run.state().unwrap().hash)
}

#[test]
fn a_plan_with_a_denied_command_goes_back_to_the_planner_and_is_no_plan() {
    let better = |ask: &Ask| {
        let mut value = plan_value();
        let is_repair = ask.text.contains("can't be used");
        value["features"][1]["verification"][1]["command"] =
            if is_repair { json!(["npm", "test"]) } else { json!(["sh", "-c", "npm test; rm -f ~/x"]) };
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    let (shell, outcome) = drafted_with(rules(&[("rm *", "deny")]), false, &better);
    assert_eq!(outcome, Outcome::Complete);
    let repair = flat(shell.prompts_to("acme/planner")[1]);
    for said in [
        "/features/1/verification/1/command",
        "The user's permission rules deny this command: your rule `rm *` (deny) matches `rm -f ~/x`",
        "`*`: allow, `rm *`: deny",
    ] {
        assert!(repair.contains(said), "{said}: {repair}");
    }
    let stubborn = |ask: &Ask| {
        let mut value = plan_value();
        value["features"][0]["verification"][0]["command"] = json!(["rm", "-f", "x"]);
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    for automatic in [false, true] {
        let (shell, outcome) = drafted_with(rules(&[("rm *", "deny")]), automatic, &stubborn);
        assert_eq!((outcome, code(&shell).as_str()), (Outcome::Stopped, "plan.command-denied"));
        assert!(shell.run.state().unwrap().plan.is_none(), "what is denied is no plan");
        let status = flat(&status(&shell));
        assert!(
            status.contains("The user's permission rules deny this command: your rule `rm *` (deny)"),
            "{status}"
        );
        assert_eq!(shell.prompts_to("acme/worker").len(), 0);
    }
}

#[test]
fn an_approval_gives_leave_for_the_commands_that_the_plan_named() {
    let strict = rules(&[("npm *", "ask")]);
    let (mut shell, _) = drafted_with(strict.clone(), false, &honest);
    insta::assert_snapshot!("asks before commands of the plan", status(&shell));
    assert_eq!(under(&mut shell, strict.clone(), approve_it), Ok(Outcome::Complete));
    assert_eq!(shell.json("session.json")["approval"]["leave"], json!([["npm", "test"]]));
    for _ in 0..2 {
        assert_eq!(under(&mut shell, strict.clone(), |run| run.start("", &[])), Ok(Outcome::Complete));
    }
    assert_eq!(shell.json("session.json")["status"], "completed");
    assert_eq!(replayed(&shell), status(&shell));
}

#[test]
fn where_nobody_approves_the_session_awaits_the_user() {
    let strict = rules(&[("npm *", "ask")]);
    let (mut shell, outcome) = drafted_with(strict.clone(), true, &honest);
    let asked = |shell: &Shell<'_>| {
        let session = shell.json("session.json");
        assert_eq!(
            (&session["status"], &session["recovery"]["error_code"], &session["approval"]),
            (&json!("awaiting_user"), &json!("approval.asked"), &Value::Null)
        );
        let approve = format!("/flow-plan approve {}", &shell.run.state().unwrap().hash[..8]);
        assert_eq!(session["next_command"], approve);
        assert!(shell.performing.is_empty() && shell.prompts_to("acme/worker").is_empty(), "nothing ran");
    };
    assert_eq!(outcome, Outcome::Stopped);
    asked(&shell);
    assert_eq!(replayed(&shell), status(&shell));
    // Requesting it again doesn't give permission.
    assert_eq!(under(&mut shell, strict.clone(), |run| run.automate(&[])), Ok(Outcome::Stopped));
    asked(&shell);
    assert_eq!(
        under(&mut shell, strict.clone(), |run| run.start("", &[])),
        Err("approval.missing".to_owned())
    );

    assert_eq!(under(&mut shell, strict.clone(), approve_it), Ok(Outcome::Complete));
    assert_eq!(shell.json("session.json")["status"], "approved");
    assert_eq!(under(&mut shell, strict, |run| run.automate(&[])), Ok(Outcome::Complete));
    assert_eq!(shell.json("session.json")["status"], "completed");
    assert_eq!(replayed(&shell), status(&shell));
}

#[test]
fn a_command_of_several_checks_is_one_that_needs_approval() {
    let twice = |ask: &Ask| {
        let mut value = plan_value();
        value["features"][0]["verification"][0]["command"] = json!(["npm", "test"]);
        if ask.job.as_str().starts_with("plan") { Does::Says(value.to_string()) } else { honest(ask) }
    };
    for (own, number) in [(&[("npm *", "ask")][..], "one"), (&[("npm *", "ask"), ("node *", "ask")], "2")] {
        let (shell, outcome) = drafted_with(rules(own), true, &twice);
        assert_eq!((outcome, code(&shell).as_str()), (Outcome::Stopped, "approval.asked"));
        let message = format!(
            "This plan isn't approved. Your permission rules require approval for {number} of its commands."
        );
        assert_eq!(shell.json("session.json")["recovery"]["message"], message);
    }
}

#[test]
fn rules_that_became_stricter_void_the_approval_and_are_shown_before_they_are_on_record() {
    let mut shell = approved(&honest, &well);
    let strict = rules(&[("npm *", "ask")]);
    assert_eq!(
        under(&mut shell, strict.clone(), |run| run.start("", &[])),
        Err("approval.missing".to_owned())
    );
    let shown = flat(&shell.run.status(&Owner::Nobody));
    assert!(shown.contains("your rule `npm *` (ask) matches `npm test`"), "{shown}");
    assert!(shell.run.summary().unwrap().own.plan_hash.is_some(), "it may be approved as it is shown");
    assert_eq!(under(&mut shell, strict.clone(), approve_it), Ok(Outcome::Complete));
    assert_eq!(under(&mut shell, strict.clone(), |run| run.start("", &[])), Ok(Outcome::Complete));
    let (status, before) = (status(&shell), shell.journal.len());
    assert_eq!(replayed(&shell), status);

    let denies = rules(&[("npm *", "deny")]);
    assert_eq!(
        under(&mut shell, denies.clone(), |run| run.start("", &[])),
        Err("plan.command-denied".to_owned())
    );
    assert_eq!(shell.journal.len(), before, "a refusal is no event");
    assert_eq!(under(&mut shell, denies, |run| run.automate(&[])), Ok(Outcome::Stopped));
    assert_eq!(code(&shell), "plan.command-denied");
    // What is allowed again needs no further permission.
    assert_eq!(under(&mut shell, strict, |run| run.start("", &[])), Ok(Outcome::Complete));
}

#[test]
fn a_plan_that_the_rules_deny_now_is_not_approved_and_one_by_nobody_has_no_leave() {
    let (mut shell, _) = drafted_with(rules(&[]), false, &honest);
    let denies = rules(&[("npm *", "deny")]);
    assert_eq!(under(&mut shell, denies, approve_it), Err("plan.command-denied".to_owned()));

    let shell_of = |ask: &Ask| match ask.job.as_str() {
        id if id.starts_with("work:api") => Does::Fails("ProviderAuthError", Some(401)),
        _ => honest(ask),
    };
    let (mut shell, _) = drafted_with(rules(&[]), true, &shell_of);
    assert_eq!(shell.json("session.json")["approval"]["by"], "autonomous");
    let strict = rules(&[("npm *", "ask")]);
    assert_eq!(
        under(&mut shell, strict, |run| run.start("api", &[])),
        Err("approval.missing".to_owned()),
        "what went ahead by itself has no leave"
    );
}

#[test]
fn what_was_interrupted_does_not_go_on_against_the_rules() {
    let (mut shell, _) = drafted_with(rules(&[]), false, &honest);
    assert_eq!(under(&mut shell, rules(&[]), approve_it), Ok(Outcome::Complete));
    let event = shell.run.start("", &[]).unwrap();
    shell.ending = None;
    shell.feed(event);
    for action in ["ask", "deny"] {
        let refused = under(&mut shell, rules(&[("npm *", action)]), Run::resume);
        assert_eq!(refused, Err("plan.command-denied".to_owned()), "{action}");
    }
    assert_eq!(under(&mut shell, rules(&[]), Run::resume), Ok(Outcome::Complete));
}

#[test]
fn a_session_that_never_heard_of_rules_replays_as_before_and_hears_of_them_with_its_next_command() {
    let mut shell = approved(&honest, &well);
    assert!(shell.journal.iter().all(|line| !line.contains("shell_rules")));
    assert_eq!(shell.run.state().unwrap().shell_rules, None);
    assert_eq!(under(&mut shell, rules(&[]), |run| run.start("", &[])), Ok(Outcome::Complete));
    let times = shell.journal.iter().filter(|line| line.contains("\"shell_rules\"")).count();
    assert_eq!(times, 1, "what is known already is not told again");
    assert_eq!(under(&mut shell, rules(&[]), |run| run.start("", &[])), Ok(Outcome::Complete));
    assert_eq!(shell.journal.iter().filter(|line| line.contains("\"shell_rules\"")).count(), times);
    assert_eq!(replayed(&shell), status(&shell));
}

#[test]
fn where_every_command_is_denied_nothing_is_paid_for() {
    let all = serde_json::from_value(json!([{"pattern": "*", "action": "deny"}])).unwrap();
    let input = OpeningInput { goal: "G".to_owned(), shell_rules: Some(all), ..OpeningInput::default() };
    let refused = begin(&input).unwrap_err();
    assert_eq!(refused.error_code.text(), "rules.deny-all");
}
