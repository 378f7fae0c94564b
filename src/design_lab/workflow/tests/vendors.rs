//! Vendors that would get a project's files for the first time.

use super::*;
use crate::design_lab::workflow::review_within;
use crate::design_lab::workflow::run_index::ResumeRequest;
use kernel::protocol::Outcome;

const TASK: &str = "Design a rate limiter for a public API";

/// The input of a run that starts in a session of the provider `session`, where the user allows these providers to receive the
/// project's files.
fn asked(session: &str, agreed: Option<&[&str]>) -> OpeningInput {
    let mut config = config();
    config["budget"] = json!({"max_cost_usd": 9});
    let mut input = beginning(&config, TASK);
    input.permitted = true;
    input.available.current = Some(format!("{session}/quill-4"));
    input.available.agreed = agreed.map(|agreed| agreed.iter().map(|&one| one.to_owned()).collect());
    input
}

#[test]
pub(super) fn a_run_waits_where_files_would_go_to_a_new_vendor() {
    for (session, agreed, new) in [
        ("x", Some(&["y", "z"][..]), None),
        ("x", None, None),
        ("x", Some(&["y"][..]), Some("reviewers will be z/judge and z/jury")),
        ("z", Some(&["y"][..]), Some("designers will be x/quill-4 and x/brisk-10")),
    ] {
        let opening = begin(&asked(session, agreed)).unwrap();
        assert_eq!(opening.vendors.as_ref().map(|new| new.who.as_str()), new, "{session} {agreed:?}");
        let mut shell = Shell::new(&well, Order::FirstIn);
        shell.feed(EventKind::Opened(Box::new(opening)));
        let waits = shell.ending.as_ref().is_some_and(|(outcome, _)| *outcome == Outcome::Waiting);
        assert_eq!(waits, new.is_some(), "within a budget, and with leave to pay: {session} {agreed:?}");
        assert_eq!(shell.asked.is_empty(), waits);
    }
}

#[test]
fn whoever_continues_a_run_that_waited_lets_its_vendors_have_the_files_and_no_others() {
    let input = asked("x", Some(&["y"]));
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input).unwrap())));
    let message = shell.run.live_message(shell.now);
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        message.contains(
            "reviewers will be z/judge and z/jury, and your project's files will be sent to this vendor"
        ),
        "{message}"
    );
    shell.feed(EventKind::Closed);

    let request = ResumeRequest::parse("").unwrap();
    let go_on = |request: &ResumeRequest, input: &OpeningInput| {
        shell.run.go_on(request, &input.sources, &input.files, &input.available, Origin::Here)
    };
    assert_eq!(go_on(&request, &input).unwrap().agreed, ["z"]);
    let by_model = ResumeRequest { by_model: true, ..request.clone() };
    assert_eq!(go_on(&by_model, &input).unwrap_err()[0].code, "vendors.new", "only the user lets them");
    let mut changed = config();
    changed["design_models"] = json!(["x/quill-4", "w/other"]);
    let mut elsewhere = beginning(&changed, TASK);
    elsewhere.available.current.clone_from(&input.available.current);
    elsewhere.available.agreed.clone_from(&input.available.agreed);
    elsewhere.available.models.push(AvailableModel {
        provider: "w".to_owned(),
        model: "other".to_owned(),
        ..Default::default()
    });
    let problems = go_on(&request, &elsewhere).unwrap_err();
    assert!(problems[0].found.as_deref().unwrap_or_default().contains("w/other"), "{problems:?}");
}

#[test]
fn a_reviewer_of_a_new_vendor_joins_only_once_the_user_has_allowed_it() {
    let mut input = asked("x", Some(&["y", "z"]));
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(begin(&input).unwrap())));
    assert_eq!(shell.finish(), Outcome::Complete);
    input.available.models.push(AvailableModel {
        provider: "w".to_owned(),
        model: "other".to_owned(),
        ..Default::default()
    });
    let request = review_within("--add w/other", &[], false).unwrap().unwrap();
    let go_on = |input: &OpeningInput| {
        shell.run.go_on(&request, &input.sources, &input.files, &input.available, Origin::Here)
    };
    let problem = go_on(&input).unwrap_err().remove(0);
    assert_eq!(problem.code, "vendors.new");
    assert!(problem.found.as_deref().unwrap_or_default().contains("w/other"), "{problem:?}");
    input.available.agreed = Some(["w", "y", "z"].map(str::to_owned).into());
    assert!(go_on(&input).is_ok());
}
