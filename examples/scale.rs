//! What a ranking costs: `cargo run --release --example scale`.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use lab_core::design_lab::config::{Dimension, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::{
    Context, DesignFacts, Options, ReviewerFacts, ScoreRow, Shown, Study, rank,
};
use lab_core::random::Random;
use std::time::Instant;

fn main() {
    println!("| designs | reviewers | dimensions | repeats | ms |\n|---:|---:|---:|---:|---:|");
    let only: Option<usize> = std::env::args().nth(1).and_then(|text| text.parse().ok());
    for (designs, reviewers, dimensions, repeats) in [
        (3, 3, 5, 1),
        (4, 4, 5, 1),
        (8, 8, 5, 1),
        (8, 8, 5, 3),
        (20, 20, 5, 1),
        (100, 8, 10, 1),
        (8, 100, 10, 1),
        (50, 50, 10, 1),
        (100, 100, 10, 1),
    ] {
        if only.is_some_and(|only| only != designs * reviewers) {
            continue;
        }
        let study = study(designs, reviewers, dimensions, repeats);
        let started = Instant::now();
        let ranking = rank(&study).expect("the study is well formed");
        let elapsed = started.elapsed().as_secs_f64() * 1e3;
        assert_eq!(ranking.rankings.len(), designs);
        println!("| {designs} | {reviewers} | {dimensions} | {repeats} | {elapsed:.1} |");
    }
}

/// Uniform scores, a tenth of them missing, every reviewer the author of a design while there are designs.
fn study(designs: usize, reviewers: usize, dimensions: usize, repeats: u32) -> Study {
    let random = &mut Random::new(1, "scale");
    let mut rows = Vec::new();
    let mut shown = Vec::new();
    for reviewer in 0..reviewers {
        for repeat in 1..=repeats {
            let mut order: Vec<usize> = (0..designs).collect();
            random.shuffle(&mut order);
            let designs = order.iter().map(|design| DesignId::new(format!("d{design}"))).collect();
            shown.push(Shown { reviewer: ReviewerId::new(format!("r{reviewer}")), repeat, designs });
            for design in order {
                if random.below(10) > 0 {
                    for dimension in 0..dimensions {
                        rows.push(ScoreRow {
                            design: DesignId::new(format!("d{design}")),
                            reviewer: ReviewerId::new(format!("r{reviewer}")),
                            repeat,
                            dimension: format!("q{dimension}"),
                            score: random.below(11) as f64,
                        });
                    }
                }
            }
        }
    }
    Study {
        mode: ReviewMode::Scores,
        designs: (0..designs)
            .map(|index| DesignFacts {
                id: DesignId::new(format!("d{index}")),
                model: Some(format!("acme/{index}")),
                length: Some(random.below(10_000)),
                ..DesignFacts::default()
            })
            .collect(),
        reviewers: (0..reviewers)
            .map(|index| ReviewerFacts {
                id: ReviewerId::new(format!("r{index}")),
                model: Some(format!("acme/{index}")),
            })
            .collect(),
        dimensions: (0..dimensions).map(|index| Dimension::new(format!("q{index}"))).collect(),
        rows,
        shown,
        comparisons: Vec::new(),
        contrasts: Vec::new(),
        options: Options { exclude_self: true, exclude_family: false, seed: 1 },
        context: Context::default(),
    }
}
