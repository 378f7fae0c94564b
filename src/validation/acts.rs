//! What a test does, by Playwright's titles of its steps.

use super::protocol::{StepKind, TestSeen, TrailStep};

/// Whether the last action of a test is one on the page, rather than a navigation or a request.
pub(super) fn ends_on_page(test: &TestSeen) -> bool {
    let (trail, last) = last_act(test);
    last.is_some_and(|at| is_on_page(&trail[at]))
}

/// How many assertions a test makes before its last action.
pub(super) fn before_acting(test: &TestSeen) -> usize {
    let (trail, last) = last_act(test);
    trail[..last.unwrap_or_default()].iter().filter(|step| step.kind == StepKind::Expect).count()
}

/// The positions of a test's actions on the page.
pub(super) fn on_page(test: &TestSeen) -> impl Iterator<Item = usize> {
    positions(test, is_on_page)
}

/// The positions of a test's own requests that may change the application.
pub(super) fn writes(test: &TestSeen) -> impl Iterator<Item = usize> {
    const WRITES: [&str; 4] = ["post", "put", "patch", "delete"];
    positions(test, |step| {
        step.kind == StepKind::Call && WRITES.contains(&action(&step.title).to_ascii_lowercase().as_str())
    })
}

fn positions(test: &TestSeen, is_one: fn(&TrailStep) -> bool) -> impl Iterator<Item = usize> {
    let trail = test.trail.as_deref().unwrap_or_default();
    trail.iter().enumerate().filter(move |(_, step)| is_one(step)).map(|(at, _)| at)
}

/// Whether a step is an action on the page, rather than a navigation or a request.
fn is_on_page(step: &TrailStep) -> bool {
    const AWAY: [&str; 10] =
        ["navigate", "goto", "reload", "go", "get", "post", "put", "patch", "delete", "fetch"];
    is_act(step) && !AWAY.contains(&action(&step.title).to_ascii_lowercase().as_str())
}

/// The steps of a test, and the index of its last action.
fn last_act(test: &TestSeen) -> (&[TrailStep], Option<usize>) {
    let trail = test.trail.as_deref().unwrap_or_default();
    (trail, trail.iter().rposition(is_act))
}

/// Whether a step is an action, by Playwright's title: `Click`, `Double click`, `POST`, and `locator.click(…)` in older versions.
fn is_act(step: &TrailStep) -> bool {
    const ACTS: [&str; 41] = [
        "dispatch",
        "dispatchevent",
        "set",
        "setinputfiles",
        "insert",
        "inserttext",
        "key",
        "focus",
        "blur",
        "drop",
        "scroll",
        "fast",
        "run",
        "call",
        "click",
        "dblclick",
        "double",
        "tap",
        "fill",
        "clear",
        "check",
        "uncheck",
        "setchecked",
        "press",
        "type",
        "select",
        "selectoption",
        "hover",
        "drag",
        "dragto",
        "navigate",
        "goto",
        "reload",
        "go",
        "mouse",
        "keyboard",
        "post",
        "put",
        "patch",
        "delete",
        "fetch",
    ];
    let word = action(&step.title);
    step.kind == StepKind::Call && (word == "GET" || ACTS.contains(&word.to_ascii_lowercase().as_str()))
}

/// The word for what is done in Playwright's title of a step.
fn action(title: &str) -> &str {
    let word = title.split([' ', '(']).next().unwrap_or_default();
    word.rsplit('.').next().unwrap_or_default()
}
