//! Studies for tests, and the comparison with golden files.
#![expect(clippy::float_cmp, clippy::unwrap_used, reason = "a test may panic, and scores are whole")]

use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::config::{self, AvailableModels, Config, Dimension, Layer, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::table::Matrix;
use lab_core::design_lab::ranking::{
    Comparison, Context, DesignFacts, Options, Ranking, ReviewerFacts, ScoreRow, Study,
};
use std::path::{Path, PathBuf};

/// One dimension from 0 to 10.
pub(crate) fn dimension(name: &str) -> Dimension {
    Dimension::new(name)
}

/// Returns an effective configuration.
pub(crate) fn configuration() -> Config {
    let source = config::Source {
        origin: Layer::Project,
        file: "design-lab.json".to_owned(),
        text: r#"{"design_models": ["lab/a", "lab/b"], "budget": {"max_cost_usd": 5}}"#.to_owned(),
    };
    config::load(&[source], &[], &AvailableModels::default()).unwrap().config
}

/// Returns designs `d0`… by outsiders and reviewers `r0`…, without scores.
pub(crate) fn empty(designs: usize, reviewers: usize) -> Study {
    Study {
        mode: ReviewMode::Scores,
        designs: (0..designs)
            .map(|index| DesignFacts { id: DesignId::new(format!("d{index}")), ..DesignFacts::default() })
            .collect(),
        reviewers: (0..reviewers)
            .map(|index| ReviewerFacts { id: ReviewerId::new(format!("r{index}")), model: None })
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

/// Returns a study with one row per design and one column per reviewer; NaN is a hole.
pub(crate) fn matrix(scores: &[&[f64]]) -> Study {
    let mut study = empty(scores.len(), scores.iter().map(|row| row.len()).max().unwrap_or(0));
    for (design, row) in scores.iter().enumerate() {
        for (reviewer, &score) in row.iter().enumerate().filter(|(_, score)| !score.is_nan()) {
            study.rows.push(ScoreRow {
                design: DesignId::new(format!("d{design}")),
                reviewer: ReviewerId::new(format!("r{reviewer}")),
                repeat: 1,
                dimension: "quality".to_owned(),
                score,
            });
        }
    }
    study
}

/// Returns the ids and ranks of the ranked designs, in order.
pub(crate) fn ranked(ranking: &Ranking) -> Vec<(&str, u32)> {
    ranking.rankings.iter().filter_map(|design| Some((design.design_id.as_str(), design.rank?))).collect()
}

/// Returns the directory of these tests and their data.
pub(crate) fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/design_lab")
}

/// Compares a text with its committed file below [`directory`]; `cargo xtask update` rewrites the file.
pub(crate) fn assert_golden(file: impl AsRef<Path>, text: &str) {
    let path = directory().join(file);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "{} differs; if it should: `cargo xtask update`, then read `git diff`. Now:\n{text}",
        path.display()
    );
}

/// One score on the dimension `quality`.
pub(crate) fn row(design: usize, reviewer: usize, repeat: u32, score: f64) -> ScoreRow {
    ScoreRow {
        design: DesignId::new(format!("d{design}")),
        reviewer: ReviewerId::new(format!("r{reviewer}")),
        repeat,
        dimension: "quality".to_owned(),
        score,
    }
}

/// One verdict, in the first repeat.
pub(crate) fn comparison(reviewer: usize, first: usize, second: usize, verdict: Preferred) -> Comparison {
    Comparison {
        reviewer: ReviewerId::new(format!("r{reviewer}")),
        repeat: 1,
        first: DesignId::new(format!("d{first}")),
        second: DesignId::new(format!("d{second}")),
        verdict,
    }
}

/// Returns Krippendorff's α by its definition, for any squared difference of two scores (Krippendorff 2011, "Computing Krippendorff's
/// alpha-reliability"): one minus the mean difference within designs, each of their `m (m − 1)` ordered pairs having the weight
/// `1 / (m − 1)`, divided by that of all pairs of scores.
pub(crate) fn alpha_by_definition(matrix: &Matrix, difference: &dyn Fn(f64, f64) -> f64) -> f64 {
    let units: Vec<Vec<f64>> =
        (0..matrix.designs()).map(|design| matrix.of_design(design)).filter(|unit| unit.len() > 1).collect();
    let sum = |scores: &[f64]| -> f64 {
        scores.iter().flat_map(|a| scores.iter().map(move |b| (a, b))).map(|(a, b)| difference(*a, *b)).sum()
    };
    let all: Vec<f64> = units.iter().flatten().copied().collect();
    let count = all.len() as f64;
    let observed: f64 = units.iter().map(|unit| sum(unit) / (unit.len() - 1) as f64).sum();
    1.0 - (observed / count) / (sum(&all) / (count * (count - 1.0)))
}

/// Returns the ordinal squared difference of α's definition, for the scores of a matrix: `(Σ n_g − (n_a + n_b) / 2)²` over the values
/// g from a to b.
pub(crate) fn ordinal(matrix: &Matrix) -> impl Fn(f64, f64) -> f64 {
    let all: Vec<f64> = (0..matrix.designs())
        .map(|design| matrix.of_design(design))
        .filter(|unit| unit.len() > 1)
        .flatten()
        .collect();
    move |a, b| {
        let (low, high) = (a.min(b), a.max(b));
        let within = all.iter().filter(|score| (low..=high).contains(*score)).count() as f64;
        let ends =
            all.iter().filter(|score| **score == a).count() + all.iter().filter(|score| **score == b).count();
        let steps = within - ends as f64 / 2.0;
        if a == b { 0.0 } else { steps * steps }
    }
}

pub(crate) fn interval(a: f64, b: f64) -> f64 {
    (a - b) * (a - b)
}
