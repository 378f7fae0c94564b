//! No order of rows, designs or reviewers changes a digit of a ranking, in either mode.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{dimension, empty, matrix};
use crate::ranking_laws::any_study;
use crate::ranking_pairs::any_comparisons;
use lab_core::design_lab::config::Dimension;
use lab_core::design_lab::ids::ReviewerId;
use lab_core::design_lab::ranking::{Comparison, Contrast, ScoreRow, Shown, Study, csv, provisional, rank};
use lab_core::random::Random;
use proptest::prelude::*;

/// The rows of a study in another order, and its designs and reviewers with them.
fn shuffled(study: &Study, seed: u64) -> Study {
    let random = &mut Random::new(seed, "rows");
    let mut study = study.clone();
    random.shuffle(&mut study.rows);
    random.shuffle(&mut study.comparisons);
    random.shuffle(&mut study.designs);
    random.shuffle(&mut study.reviewers);
    random.shuffle(&mut study.shown);
    random.shuffle(&mut study.dimensions);
    study
}

/// Every number and name of a ranking, as printed.
fn printed(study: &Study) -> String {
    serde_json::to_string_pretty(&rank(study).unwrap()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_order_of_rows_changes_a_digit_in_pairwise_mode(study in any_comparisons(), seed in any::<u64>()) {
        prop_assert_eq!(printed(&study), printed(&shuffled(&study, seed)));
    }

    /// A person among the reviewers, relatives left out, a gain, and the standings before the end.
    #[test]
    fn no_order_of_rows_changes_a_digit_with_people_and_relatives(
        study in any_comparisons(),
        exclude_family in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut study = study;
        study.options.exclude_family = exclude_family;
        study.reviewers[0].model = None;
        study.contrasts.push(Contrast { design: study.designs[1].id.clone(), over: study.designs[0].id.clone() });
        let other = shuffled(&study, seed);
        prop_assert_eq!(printed(&study), printed(&other));
        let standings = |study: &Study| {
            let mut standings = provisional(study).unwrap();
            standings.sort_by(|one, other| one.design_id.cmp(&other.design_id));
            standings
        };
        prop_assert_eq!(standings(&study), standings(&other));
    }

    #[test]
    fn no_order_of_rows_changes_a_digit_of_scores(
        scores in prop::collection::vec(prop::collection::vec(prop::option::weighted(0.9, 0.0..=10.0f64), 4), 2..6),
        authors in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let rows: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| score.unwrap_or(f64::NAN)).collect()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let mut study = matrix(&rows);
        for index in (0..rows.len().min(4)).filter(|_| authors) {
            study.designs[index].model = Some(format!("acme/{index}"));
            study.reviewers[index].model = Some(format!("acme/{index}"));
            study.designs[index].length = Some(100 + 37 * index as u64 % 5);
        }
        prop_assert_eq!(printed(&study), printed(&shuffled(&study, seed)));
        let read = |study: &Study| {
            csv::read(&csv::write_scores(&study.rows)).unwrap().study(None, study.options)
        };
        prop_assert_eq!(printed(&read(&study)), printed(&read(&shuffled(&study, seed))));
    }

    /// Several dimensions and repeats, self-reviews that count, and gains.
    #[test]
    fn no_order_of_rows_changes_a_digit_of_a_whole_rubric(
        scores in prop::collection::vec(prop::option::weighted(0.9, 0.0..=10.0f64), 4 * 3 * 2 * 3),
        exclude_self in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut study = empty(4, 3);
        study.dimensions = [("clarity", 1.0), ("cost", 0.3), ("risk", 2.7)]
            .map(|(name, weight)| Dimension { weight, ..dimension(name) })
            .into();
        for (index, score) in scores.into_iter().enumerate() {
            let [part, repeat, reviewer, design] = [index % 3, index / 3 % 2, index / 6 % 3, index / 18];
            let row = crate::common::row(design, reviewer, u32::try_from(repeat).unwrap() + 1, score.unwrap_or(5.0));
            let dimension = study.dimensions[part].name.clone();
            study.rows.extend(score.map(|_| ScoreRow { dimension, ..row }));
        }
        for index in 0..3 {
            study.designs[index].model = Some(format!("acme/{index}"));
            study.reviewers[index].model = Some(format!("acme/{index}"));
            study.shown.push(Shown {
                reviewer: study.reviewers[index].id.clone(),
                repeat: 1,
                designs: study.designs.iter().map(|design| design.id.clone()).collect(),
            });
        }
        study.contrasts.push(Contrast { design: study.designs[0].id.clone(), over: study.designs[3].id.clone() });
        study.options.exclude_self = exclude_self;
        prop_assert_eq!(printed(&study), printed(&shuffled(&study, seed)));
    }

    /// Scores with self-reviews, repeats, places and holes, and comparisons of close designs on top.
    #[test]
    fn no_order_of_rows_changes_a_digit_of_scores_and_comparisons(
        study in any_study(),
        compared in any_comparisons(),
        is_compared in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut study = study;
        let knows = |one: &Comparison| {
            let mut designs = study.designs.iter();
            study.reviewers.iter().any(|reviewer| reviewer.id == one.reviewer)
                && designs.clone().any(|design| design.id == one.first)
                && designs.any(|design| design.id == one.second)
        };
        study.comparisons = compared.comparisons.into_iter().filter(|one| is_compared && knows(one)).collect();
        prop_assert_eq!(printed(&study), printed(&shuffled(&study, seed)));
        // In a file, a reviewer with the name of a design reviews itself.
        for row in &mut study.rows {
            row.reviewer = ReviewerId::new(row.reviewer.replace('r', "d"));
        }
        let read = |study: &Study| csv::read(&csv::write_scores(&study.rows)).unwrap().study(None, study.options);
        prop_assume!(!study.rows.is_empty());
        prop_assert_eq!(printed(&read(&study)), printed(&read(&shuffled(&study, seed))));
    }

    #[test]
    fn no_order_of_rows_of_a_file_changes_a_digit(study in any_comparisons(), seed in any::<u64>()) {
        let read = |study: &Study| {
            csv::read(&csv::write_verdicts(&study.comparisons)).unwrap().study(None, study.options)
        };
        prop_assume!(!study.comparisons.is_empty());
        prop_assert_eq!(printed(&read(&study)), printed(&read(&shuffled(&study, seed))));
    }
}
