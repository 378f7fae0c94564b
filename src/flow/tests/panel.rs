//! The panel next to the chat: shown only while a command is at work, with the current activity for each feature.

use super::*;
use crate::shared::panel::{Look, Panel};

/// The panel as a terminal would write it, without times.
fn drawn(panel: &Panel) -> String {
    let rows = panel.rows.iter().filter(|row| !matches!(row.look, Look::Title | Look::Remark));
    rows.map(|row| format!("{} {} | {}", row.mark, row.text, row.figures)).collect::<Vec<_>>().join("\n")
}

#[test]
fn it_shows_each_feature_and_what_is_done_for_the_one_that_is_built() {
    let mut shell = approved(&honest, &well);
    assert_eq!(shell.run.panel(shell.now, &[]), None, "nothing is at work");
    let event = shell.run.start("", &[]).unwrap();
    shell.ending = None;
    shell.feed(event);
    let mut seen: Vec<String> = Vec::new();
    let mut reviewing = String::new();
    while let Some(panel) = shell.run.panel(shell.now, &[]) {
        assert_eq!((panel.name.as_str(), panel.cancel.as_str()), ("Flow", "flow-cancel"));
        let begins =
            ["Flow building limits · 0 of 2 done · ", "Flow building limits · round 2, 0 of 2 done · "];
        assert!(begins.iter().any(|begin| panel.summary.starts_with(begin)), "{}", panel.summary);
        let doing = &panel.rows[3];
        let how = doing.figures.split(',').next().unwrap_or_default();
        let line = format!("{}: {how}", doing.text);
        if line.starts_with("acme/reviewer") {
            reviewing = drawn(&panel);
        }
        if seen.last() != Some(&line) {
            seen.push(line);
        }
        assert!(shell.step());
    }
    assert_eq!(
        seen,
        [
            "files: being read",
            "acme/worker: at work",
            "files: being read",
            "check unit: running",
            "acme/worker: at work",
            "files: being read",
            "check unit: running",
            "check unit: in a copy",
            "acme/reviewer: at work",
            "files: being read",
        ]
    );
    insta::assert_snapshot!("panel", reviewing);
    assert_eq!(shell.run.panel(shell.now, &[]), None, "the command is done");
}

#[test]
fn a_plan_that_is_drafted_has_no_features_yet() {
    let mut shell = Shell::new(&honest, Order::FirstIn).with_effects(&well);
    shell.feed(opening());
    let panel = shell.run.panel(shell.now, &[]).unwrap();
    assert!(panel.summary.starts_with("Flow planning · "), "{}", panel.summary);
    assert!(!panel.rows.iter().any(|row| row.look == Look::Heading));
}
