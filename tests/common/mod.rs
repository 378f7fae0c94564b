//! Studies for tests.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part of this, and a test may panic"
)]

use design_lab::config::{Dimension, ReviewMode};
use design_lab::ranking::{
    Comparison, Context, DesignFacts, Options, Preferred, Ranking, ReviewerFacts, ScoreRow, Study,
};

/// One dimension from 0 to 10.
pub(crate) fn dimension(name: &str) -> Dimension {
    Dimension {
        name: name.to_owned(),
        description: String::new(),
        min: 0.0,
        max: 10.0,
        weight: 1.0,
        anchors: std::collections::BTreeMap::new(),
    }
}

/// Designs `d0`… by strangers and reviewers `r0`…, nothing scored yet.
pub(crate) fn empty(designs: usize, reviewers: usize) -> Study {
    Study {
        mode: ReviewMode::Scores,
        designs: (0..designs)
            .map(|index| DesignFacts { id: format!("d{index}"), ..DesignFacts::default() })
            .collect(),
        reviewers: (0..reviewers)
            .map(|index| ReviewerFacts { id: format!("r{index}"), model: None })
            .collect(),
        dimensions: vec![dimension("quality")],
        rows: Vec::new(),
        shown: Vec::new(),
        comparisons: Vec::new(),
        contrasts: Vec::new(),
        options: Options { exclude_self: true, exclude_family: false, seed: 1 },
        context: Context::default(),
    }
}

/// One row per design, one column per reviewer; NaN is a hole.
pub(crate) fn matrix(scores: &[&[f64]]) -> Study {
    let mut study = empty(scores.len(), scores.iter().map(|row| row.len()).max().unwrap_or(0));
    for (design, row) in scores.iter().enumerate() {
        for (reviewer, &score) in row.iter().enumerate().filter(|(_, score)| !score.is_nan()) {
            study.rows.push(ScoreRow {
                design: format!("d{design}"),
                reviewer: format!("r{reviewer}"),
                repeat: 1,
                dimension: "quality".to_owned(),
                score,
            });
        }
    }
    study
}

/// Ids and ranks of the ranked designs, in order.
pub(crate) fn ranked(ranking: &Ranking) -> Vec<(&str, u32)> {
    ranking.rankings.iter().filter_map(|design| Some((design.design_id.as_str(), design.rank?))).collect()
}

/// Compares a text with its committed file; `UPDATE=1` writes the file anew.
pub(crate) fn assert_golden(file: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{file} differs; read it after `UPDATE=1 cargo test`. Now:\n{text}");
}

/// One score on the dimension `quality`.
pub(crate) fn row(design: usize, reviewer: usize, repeat: u32, score: f64) -> ScoreRow {
    ScoreRow {
        design: format!("d{design}"),
        reviewer: format!("r{reviewer}"),
        repeat,
        dimension: "quality".to_owned(),
        score,
    }
}

/// One verdict, in the first repeat.
pub(crate) fn comparison(reviewer: usize, first: usize, second: usize, verdict: Preferred) -> Comparison {
    Comparison {
        reviewer: format!("r{reviewer}"),
        repeat: 1,
        first: format!("d{first}"),
        second: format!("d{second}"),
        verdict,
    }
}
