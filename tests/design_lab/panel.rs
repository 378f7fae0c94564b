//! The panel beside the chat, as a terminal shows it.

use crate::report::{study, under_way};
use kernel::progress::{Participant, Standing};
use kernel::reason::Reason;
use kernel::tokens::Tokens;
use lab_core::design_lab::config::ReviewMode;
use lab_core::design_lab::ids::DesignId;
use lab_core::design_lab::ranking::Provisional;
use lab_core::design_lab::report::{Overview, Stage, panel};
use lab_core::design_lab::workflow::Outcome;
use lab_core::shared::panel::{Panel, Row};

fn participant(name: &str, standing: Standing, seconds: u64, cost: f64, tokens: u64) -> Participant {
    let prompts = u32::from(standing != Standing::Waiting);
    let (name, model) = (name.to_owned(), format!("acme/{name}"));
    Participant {
        name,
        model,
        standing,
        duration_ms: seconds * 1_000,
        cost,
        tokens,
        prompts,
        session: None,
        incoming: None,
    }
}

fn run(stage: Stage) -> Overview<'static> {
    let reading = Standing::Working("reading".to_owned());
    Overview {
        designers: vec![
            participant("claude-opus-4-5", Standing::Done, 64, 0.0412, 8_450),
            participant("gpt-5-1", Standing::Failed(Reason::own("no answer within 600 s")), 600, 0.0, 0),
            participant("gemini-3-pro", Standing::Done, 31, 1.25, 123_456),
        ],
        reviewers: vec![
            participant("gpt-5-2", Standing::Done, 12, 0.0102, 5_100),
            participant("claude-sonnet-4-5", reading, 8, 0.0, 0),
            participant("glm-4-6", Standing::Pausing { tries: 1, seconds: 12 }, 5, 0.0, 0),
            participant("kimi-k2", Standing::Waiting, 0, 0.0, 0),
        ],
        elapsed_ms: 700_000,
        expected_ms: Some(40_000),
        cost: 1.3014,
        tokens: Tokens { input: 137_006, ..Tokens::default() },
        ..under_way(&study(&[&[8.0]]), stage)
    }
}

fn standing(design_id: &str, rank: Option<u32>, figure: Option<f64>, count: u32) -> Provisional {
    Provisional { design_id: DesignId::new(design_id), rank, figure, count }
}

/// Returns the panel as a terminal with 38 columns shows it, without wrapping.
fn drawn(panel: &Panel) -> String {
    let line = |row: &Row| {
        let left = if row.mark.is_empty() { row.text.clone() } else { format!("{} {}", row.mark, row.text) };
        if row.figures.is_empty() {
            return left;
        }
        let room = 37 - row.figures.chars().count();
        format!("{:room$} {}", left.chars().take(room).collect::<String>(), row.figures).trim_end().to_owned()
    };
    panel.rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_panel_shows_phase_models_and_how_the_designs_stand() {
    let standings = [
        standing("gemini-3-pro", Some(1), Some(8.2), 1),
        standing("claude-opus-4-5", Some(2), Some(7.45), 1),
        standing("gpt-5-1", None, None, 0),
    ];
    let panel = panel(&run(Stage::Review), ReviewMode::Scores, &standings).unwrap();
    assert_eq!(
        drawn(&panel),
        "\
Design Lab                 11 min 40 s
2026-11-20-rate-limiter
3/3 reviewing              1 of 4 done
Left in this phase          about 40 s
Cost            $1.30 · 137,006 tokens
Designs           time  tokens    cost
✓ claude-opus-4-  1:04    8.5k $0.0412
✗ gpt-5-1        10:00       0
  no answer within 600 s
✓ gemini-3-pro    0:31    123k   $1.25
Reviews           time  tokens    cost
✓ gpt-5-2         0:12    5.1k $0.0102
● claude-sonnet-  0:08 reading
◌ glm-4-6         0:05 in 12 s
· kimi-k2              waiting
Leaderboard                provisional
1 gemini-3-pro          8.20  1 review
2 claude-opus-4-5       7.45  1 review
– gpt-5-1                  – 0 reviews
The mean of the reviews so far. The ranking follows when all reviews are in."
    );
    assert_eq!(panel.summary, "Design Lab 3/3 reviewing · 1 of 4 done · about 40 s left");
}

#[test]
fn a_panel_owns_up_to_what_is_not_known() {
    let left = |expected_ms| {
        let panel = panel(&Overview { expected_ms, ..run(Stage::Design) }, ReviewMode::Scores, &[]).unwrap();
        let row = panel.rows.into_iter().find(|row| row.text == "Left in this phase").unwrap();
        (row.figures, panel.summary.rsplit(" · ").next().unwrap().to_owned())
    };
    assert_eq!(left(None), ("not known yet".to_owned(), "11 min 40 s".to_owned()));
    assert_eq!(left(Some(999)), ("longer than usual".to_owned(), "11 min 40 s".to_owned()));
    assert_eq!(left(Some(61_000)), ("about 1 min 1 s".to_owned(), "about 1 min 1 s left".to_owned()));
}

#[test]
fn pairs_won_are_shares() {
    let standings = [standing("a", Some(1), Some(2.5 / 3.0), 3), standing("b", Some(2), Some(0.0), 1)];
    let panel = panel(&run(Stage::Review), ReviewMode::Pairwise, &standings).unwrap();
    let drawn = drawn(&panel);
    assert!(drawn.contains("1 a                        83% 3 pairs"), "{drawn}");
    assert!(drawn.contains("2 b                         0%  1 pair"), "{drawn}");
}

#[test]
fn a_run_that_is_over_has_no_panel() {
    for outcome in [Outcome::Cancelled, Outcome::Complete, Outcome::Partial, Outcome::Stopped] {
        assert_eq!(panel(&run(Stage::Over(outcome)), ReviewMode::Scores, &[]), None);
    }
}
