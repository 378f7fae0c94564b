//! The panel over a whole run: it exists while the run is going, and shows the designs' ranking once there is a review.

use super::{Does, Order, Shell, compares, config, opening, pairwise, well};
use crate::design_lab::workflow::{Ask, EventKind};
use crate::shared::panel::{Look, Panel};
use kernel::progress::Incoming;
use serde_json::Value;

/// The figures of the leaderboard at every step of a run; `None` when there is no panel.
fn leaderboards(config: &Value, script: fn(&Ask) -> Does) -> Vec<Option<Vec<(String, String)>>> {
    let mut shell = Shell::new(&script, Order::FirstIn);
    let mut seen = vec![];
    let mut look = |shell: &Shell<'_>| {
        let panel = shell.run.panel(shell.now, &[]);
        assert_eq!(panel.is_none(), shell.ending.is_some(), "there exactly while the run is on");
        let ranked = |panel: Panel| {
            let rows = panel.rows.into_iter().filter(|row| row.look == Look::Ranked);
            rows.map(|row| (row.text, row.figures)).collect()
        };
        seen.push(panel.map(ranked));
    };
    assert_eq!(shell.run.panel(shell.now, &[]), None, "before the first event");
    shell.feed(EventKind::Opened(Box::new(opening(config))));
    look(&shell);
    while shell.ending.is_none() {
        assert!(shell.step());
        look(&shell);
    }
    seen
}

#[test]
fn the_leaderboard_forms_as_scores_come_in() {
    let seen = leaderboards(&config(), well);
    let formed: Vec<_> = seen.iter().flatten().filter(|rows| !rows.is_empty()).collect();
    assert!(seen.first().unwrap().as_ref().unwrap().is_empty(), "nothing stands before a review");
    let first = formed.first().unwrap();
    let figures: Vec<&str> = first.iter().map(|(_, figures)| figures.as_str()).collect();
    assert_eq!(figures, ["9.00 1 review", "8.00 1 review", "7.00 1 review"]);
    assert_eq!(seen.last().unwrap(), &None);
}

#[test]
fn the_leaderboard_forms_as_pairs_are_compared() {
    let seen = leaderboards(&pairwise(), compares);
    let last = seen.iter().flatten().last().unwrap();
    let figures: Vec<&str> = last.iter().map(|(_, figures)| figures.as_str()).collect();
    assert_eq!(figures, ["100% 4 pairs", " 50% 4 pairs", "  0% 4 pairs"]);
}

#[test]
fn what_has_come_in_of_a_call_stands_in_the_chat_and_the_panel() {
    let mut shell = Shell::new(&well, Order::FirstIn);
    shell.feed(EventKind::Opened(Box::new(opening(&config()))));
    while shell.asked.iter().all(|ask| !ask.job.as_str().starts_with("design:")) {
        assert!(shell.step());
    }
    let session = shell.asked.last().unwrap().session.clone();
    let first = Incoming { session, waiting: true, ..Incoming::default() };
    let later = Incoming { waiting: false, characters: 1_240, writing_ms: 25_000, ..first.clone() };
    for (call, expected, cell) in [
        (&first, "  waiting for the first token  ", "no tokens yet"),
        (&later, "  writing · ~310 tokens · 12 tokens/s  ", "~310 tokens"),
    ] {
        let calls = std::slice::from_ref(call);
        let text = shell.run.live_message_at(shell.now, "", calls);
        assert_eq!(text.matches(expected).count(), 1, "{text}");
        let rows = shell.run.panel(shell.now, calls).unwrap().rows;
        assert_eq!(rows.iter().filter(|row| row.figures.contains(cell)).count(), 1, "{rows:?}");
    }
    let elsewhere = Incoming { session: "another".to_owned(), ..later };
    assert_eq!(shell.run.live_message_at(shell.now, "", &[elsewhere]), shell.run.live_message(shell.now));
}
