//! Ranking in scores mode: whole studies in, whole rankings out.

mod common;

use common::{matrix, ranked};
use design_lab::ranking::{VerdictKind, rank};

#[test]
fn a_unanimous_panel_is_clear() {
    let study = matrix(&[&[9.0, 9.0, 8.5, 9.0], &[6.0, 6.5, 6.0, 5.5], &[4.0, 5.0, 4.0, 4.5]]);
    let ranking = rank(&study).unwrap();
    println!("{}", serde_json::to_string_pretty(&ranking).unwrap());
    assert_eq!(ranked(&ranking), [("d0", 1), ("d1", 2), ("d2", 3)]);
    assert_eq!(ranking.verdict.kind, VerdictKind::Clear);
}
