//! Properties of every ranking, whatever the scores.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{alpha_by_definition, empty, interval, matrix, ordinal};
use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::agreement::{concordance, krippendorff_interval, krippendorff_ordinal};
use lab_core::design_lab::ranking::descriptive::{mid_ranks, tied_groups};
use lab_core::design_lab::ranking::table::{Matrix, SCALE, Table};
use lab_core::design_lab::ranking::{Ranking, Shown, Study, VerdictKind, provisional, rank};
use proptest::prelude::*;
use serde_json::Value;

/// Full tables on the grid of rubrics, so that ties occur.
fn full(
    designs: std::ops::Range<usize>,
    reviewers: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<Vec<f64>>> {
    (designs, reviewers).prop_flat_map(|(designs, reviewers)| {
        prop::collection::vec(
            prop::collection::vec((0..=20u32).prop_map(|step| f64::from(step) / 2.0), reviewers),
            designs,
        )
    })
}

/// Tables with holes, own designs, display orders and repeats.
pub(crate) fn any_study() -> impl Strategy<Value = Study> {
    (2..6usize, 1..6usize)
        .prop_flat_map(|(designs, reviewers)| {
            let cell = prop::option::weighted(0.8, prop::collection::vec(0.0..=10.0, 1..3));
            (
                prop::collection::vec(prop::collection::vec(cell, reviewers), designs),
                prop::collection::vec(0..4usize, designs),
                prop::collection::vec(0..4usize, reviewers),
                any::<bool>(),
                any::<(bool, bool)>(),
                any::<u32>(),
            )
        })
        .prop_map(|(cells, authors, judges, shown, (exclude_self, exclude_family), seed)| {
            let models = ["openai/gpt-5", "openai/o3", "anthropic/claude", "acme/unknown"];
            let mut study = empty(cells.len(), judges.len());
            for (design, author) in study.designs.iter_mut().zip(authors) {
                design.model = Some(models[author].to_owned());
                design.length = Some(1_000 + 10 * author as u64);
            }
            for (reviewer, judge) in study.reviewers.iter_mut().zip(&judges) {
                reviewer.model = Some(models[*judge].to_owned());
            }
            for (design, row) in cells.iter().enumerate() {
                for (reviewer, scores) in row.iter().enumerate() {
                    for (repeat, &score) in scores.iter().flatten().enumerate() {
                        study.rows.push(crate::common::row(
                            design,
                            reviewer,
                            u32::try_from(repeat).unwrap() + 1,
                            score,
                        ));
                    }
                }
            }
            if shown {
                for reviewer in 0..judges.len() {
                    for repeat in 1..=2 {
                        let mut designs: Vec<DesignId> =
                            study.designs.iter().map(|design| design.id.clone()).collect();
                        designs.rotate_left((reviewer + repeat as usize) % cells.len());
                        study.shown.push(Shown {
                            reviewer: ReviewerId::new(format!("r{reviewer}")),
                            repeat,
                            designs,
                        });
                    }
                }
            }
            study.options.exclude_self = exclude_self;
            study.options.exclude_family = exclude_family;
            study.options.seed = u64::from(seed);
            study
        })
}

fn any_comparisons() -> impl Strategy<Value = Study> {
    (2..6usize, 1..5usize)
        .prop_flat_map(|(designs, reviewers)| {
            let verdict = prop_oneof![Just(Preferred::First), Just(Preferred::Second), Just(Preferred::Tie)];
            let cell = prop::option::weighted(0.7, verdict);
            (Just(designs), prop::collection::vec(prop::collection::vec(cell, designs * designs), reviewers))
        })
        .prop_map(|(designs, cells)| {
            let mut study = empty(designs, cells.len());
            study.mode = lab_core::design_lab::config::ReviewMode::Pairwise;
            for (reviewer, verdicts) in cells.iter().enumerate() {
                for (index, verdict) in verdicts.iter().enumerate() {
                    let (first, second) = (index / designs, index % designs);
                    if let Some(verdict) = *verdict
                        && first != second
                    {
                        study.comparisons.push(crate::common::comparison(reviewer, first, second, verdict));
                    }
                }
            }
            study
        })
}

/// Returns another name, which sorts the other way.
fn renamed(id: &str) -> String {
    let number: u32 = id[1..].parse().unwrap();
    format!("x{}", 9 - number)
}

fn adjusted(ranking: &Ranking, id: &str) -> Option<f64> {
    ranking.rankings.iter().find(|design| design.design_id == id).unwrap().adjusted_score
}

/// Asserts that every number is finite and has at most twelve digits, and that every null has a reason: in `reasons` beside it, or in
/// the sentence of an audit or a verdict.
fn assert_sound(value: &Value, path: &str) {
    match value {
        Value::Object(fields) => {
            let reasons = fields.get("reasons");
            for (name, field) in fields {
                if field.is_null() {
                    let explained = reasons.is_some_and(|reasons| reasons.get(name).is_some())
                        || fields
                            .get("sentence")
                            .is_some_and(|sentence| !sentence.as_str().unwrap().is_empty());
                    assert!(explained, "{path}.{name} is null without a reason");
                }
                // The reasons for the two alphas are in the object around them.
                if name == "krippendorff_alpha" {
                    for (metric, alpha) in field.as_object().unwrap() {
                        let key = format!("krippendorff_alpha.{metric}");
                        assert_eq!(
                            alpha.is_null(),
                            reasons.is_some_and(|reasons| reasons.get(key).is_some()),
                            "{path}"
                        );
                    }
                } else {
                    assert_sound(field, &format!("{path}.{name}"));
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_sound(item, path)),
        Value::Number(number) => {
            let text = number.to_string();
            let mantissa = text.split('e').next().unwrap().replace(['-', '.'], "");
            let digits = mantissa.trim_start_matches('0').trim_end_matches('0').len();
            assert!(digits <= 12 && text != "-0.0", "{path} is {text}");
        }
        _ => {}
    }
}

/// Asserts that ranks follow scores, that ties share ranks, that intervals contain the rank, and that verdicts keep their promises.
fn assert_consistent(ranking: &Ranking) {
    assert_sound(&serde_json::to_value(ranking).unwrap(), "ranking");
    let ranked: Vec<_> = ranking.rankings.iter().filter(|design| design.rank.is_some()).collect();
    let count = u32::try_from(ranked.len()).unwrap();
    for (index, design) in ranked.iter().enumerate() {
        let rank = design.rank.unwrap();
        let above = u32::try_from(index).unwrap();
        let tied = index > 0 && ranked[index - 1].rank == design.rank;
        assert!(rank == above + 1 || tied, "1, 2, 2, 4");
        if let Some([best, worst]) = design.rank_interval {
            assert!(1 <= best && best <= rank && rank <= worst && worst <= count, "{best} {rank} {worst}");
        }
        if let (Some(score), Some(previous)) =
            (design.adjusted_score, index.checked_sub(1).map(|index| ranked[index]))
        {
            let previous_score = previous.adjusted_score.unwrap();
            assert!(previous_score >= score - 1e-9);
            assert_eq!(tied, previous_score - score <= 1e-9);
        }
    }
    if ranking.verdict.kind == VerdictKind::Clear {
        let first = &ranked[0].design_id;
        assert_eq!(ranked[0].rank_interval, Some([1, 1]));
        assert!(ranking.sensitivity.leave_one_out.values().all(|order| *first == *order[0]));
        let orders = &ranking.sensitivity.orders;
        for order in [&orders.borda, &orders.copeland, &orders.bradley_terry] {
            assert_eq!(order[0], first.as_str());
        }
    }
    if ranking.metadata.total_reviewers < 2 || count < 2 {
        assert_eq!(ranking.verdict.kind, VerdictKind::Insufficient);
    }
    if let Some(probability) = ranking.verdict.probability {
        assert!((0.0..=1.0).contains(&probability));
    }
}

/// Asserts that what to do agrees with the verdict: the first place is chosen, every ranked design is either a candidate or left
/// aside, and no word contradicts its own number.
fn assert_helpful(ranking: &Ranking) {
    let Some(choice) = &ranking.choice else {
        assert_eq!(ranking.verdict.kind, VerdictKind::Insufficient);
        return;
    };
    let with = |keep: &dyn Fn(u32) -> bool| -> Vec<&DesignId> {
        let kept = ranking.rankings.iter().filter(|design| design.rank.is_some_and(keep));
        kept.map(|design| &design.design_id).collect()
    };
    assert_eq!(choice.first.iter().collect::<Vec<_>>(), with(&|rank| rank == 1));
    assert!(choice.first.iter().all(|id| choice.best_among.contains(id)));
    let mut all: Vec<&DesignId> = choice.best_among.iter().chain(&choice.left_aside).collect();
    let mut ranked = with(&|_| true);
    all.sort();
    ranked.sort();
    assert_eq!(all, ranked);
    let (sentence, chance) = (&ranking.verdict.sentence, ranking.verdict.probability.unwrap());
    match ranking.verdict.kind {
        VerdictKind::Clear => assert_eq!(choice.best_among, choice.first),
        VerdictKind::Leaning => {
            assert_eq!(sentence.contains("not clearly"), chance < 0.95, "{sentence} {chance}");
        }
        VerdictKind::TooCloseToCall => {
            assert!(choice.best_among.len() > 1, "{sentence} {choice:?}");
            assert!(!sentence.contains('%') || chance < 0.75, "{sentence} {chance}");
        }
        VerdictKind::Insufficient => panic!("nothing to choose"),
    }
    assert_eq!(choice.expected_loss.is_some(), ranking.pairwise.is_none());
    if let (Some(loss), Some(near)) = (choice.expected_loss, choice.within_half_a_point) {
        assert!(loss >= 0.0 && near <= 1.0 + 1e-9);
        assert!(choice.first.len() > 1 || near >= chance - 1e-5, "{near} {chance}");
        assert!(choice.sentence.contains("On average"));
    }
    // The chat shows at most three more lines than without it.
    assert!(choice.sentence.chars().count() <= 210, "{}", choice.sentence);
}

/// Returns Kendall's W with its correction for ties, from the sums of mid-ranks (Siegel and Castellan 1988, §9.5).
fn w_by_definition(scores: &[Vec<f64>]) -> f64 {
    let (designs, reviewers) = (scores.len(), scores[0].len());
    let mut sums = vec![0.0; designs];
    let (mut ties, n, m) = (0.0, designs as f64, reviewers as f64);
    for reviewer in 0..reviewers {
        let column: Vec<f64> = scores.iter().map(|row| row[reviewer]).collect();
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(&column)) {
            *sum += rank;
        }
        for group in tied_groups(&column) {
            let size = group.len() as f64;
            ties += size * size * size - size;
        }
    }
    let squares: f64 = sums.iter().map(|sum| sum * sum).sum();
    (12.0 * squares - 3.0 * m * m * n * (n + 1.0) * (n + 1.0)) / (m * m * n * (n * n - 1.0) - m * ties)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn provisional_means_are_those_of_the_ranking(study in any_study()) {
        let ranking = rank(&study).unwrap();
        let standings = provisional(&study).unwrap();
        prop_assert_eq!(standings.len(), study.designs.len());
        for standing in &standings {
            let ranked = ranking.rankings.iter().find(|ranked| ranked.design_id == standing.design_id).unwrap();
            prop_assert_eq!(standing.figure, ranked.average_score);
            prop_assert_eq!(standing.count, ranked.reviewer_count);
            prop_assert_eq!(standing.rank.is_some(), standing.figure.is_some());
        }
        let order: Vec<&DesignId> = standings.iter().filter(|one| one.rank.is_some()).map(|one| &one.design_id).collect();
        prop_assert!(standings.windows(2).all(|pair| pair[0].figure >= pair[1].figure || pair[0].rank == pair[1].rank));
        prop_assert_eq!(order.len(), ranking.sensitivity.orders.mean.len());
    }

    #[test]
    fn provisional_wins_follow_the_order_by_win_rate(study in any_comparisons()) {
        let ranking = rank(&study).unwrap();
        let standings = provisional(&study).unwrap();
        prop_assert_eq!(standings.len(), study.designs.len());
        let place = |id: &str| ranking.sensitivity.orders.borda.iter().position(|other| other == id);
        for pair in standings.windows(2) {
            prop_assert_eq!(pair[0].figure.is_some(), pair[0].count > 0);
            if pair[1].rank > pair[0].rank {
                prop_assert!(place(&pair[0].design_id) < place(&pair[1].design_id));
            }
        }
    }

    #[test]
    fn every_ranking_is_sound(study in any_study()) {
        let ranking = rank(&study).unwrap();
        assert_consistent(&ranking);
        assert_helpful(&ranking);
        prop_assert_eq!(&ranking, &rank(&study).unwrap(), "the same twice");
        let text = serde_json::to_string(&ranking).unwrap();
        let read: Ranking = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read.verdict.sentence, &ranking.verdict.sentence);
        prop_assert_eq!(read.rankings.len(), ranking.rankings.len());
        let any_counts = ranking.rankings.iter().any(|design| design.average_score.is_some());
        prop_assert!(any_counts || ranking.verdict.kind == VerdictKind::Insufficient);
        for design in &ranking.rankings {
            let scored = study.rows.iter().any(|row| row.design == design.design_id);
            prop_assert!(scored || design.rank.is_none());
            prop_assert!(!any_counts || design.rank.is_some() == design.average_score.is_some());
        }
    }

    #[test]
    fn every_ranking_of_comparisons_is_sound(study in any_comparisons()) {
        let ranking = rank(&study).unwrap();
        assert_consistent(&ranking);
        assert_helpful(&ranking);
        let pairwise = ranking.pairwise.as_ref().unwrap();
        prop_assert!(pairwise.flips <= pairwise.pairs_in_both_orders);
        let sum: f64 = pairwise.strengths.iter().map(|strength| strength.log_strength).sum();
        prop_assert!(sum.abs() < 1e-9);
        prop_assert!(pairwise.strengths.iter().all(|strength| strength.standard_error.is_finite()));
    }

    /// Reversing every verdict mirrors the strengths.
    #[test]
    fn reversed_verdicts_reverse_the_order(mut study in any_comparisons()) {
        let before = rank(&study).unwrap();
        for comparison in &mut study.comparisons {
            comparison.verdict = match comparison.verdict {
                Preferred::First => Preferred::Second,
                Preferred::Second => Preferred::First,
                Preferred::Tie => Preferred::Tie,
            };
        }
        let after = rank(&study).unwrap();
        for strength in &before.pairwise.unwrap().strengths {
            let mirrored = after.pairwise.as_ref().unwrap().strengths.iter()
                .find(|other| other.design_id == strength.design_id).unwrap();
            prop_assert!((strength.log_strength + mirrored.log_strength).abs() < 1e-8);
        }
    }

    /// Designs and reviewers in another order, under other names: the same scores, ranks and intervals.
    #[test]
    fn relabelling_permutes_the_result(study in any_study(), turn in 0..5usize) {
        let mut turned = study.clone();
        let (designs, reviewers) = (turned.designs.len(), turned.reviewers.len());
        turned.designs.rotate_left(turn % designs);
        turned.reviewers.rotate_left(turn % reviewers);
        turned.rows.reverse();
        let (one, other) = (rank(&study).unwrap(), rank(&turned).unwrap());
        for design in &one.rankings {
            let twin = other.rankings.iter().find(|twin| twin.design_id == design.design_id).unwrap();
            prop_assert_eq!(design.rank, twin.rank);
            prop_assert_eq!(design.rank_interval, twin.rank_interval);
            match (design.adjusted_score, twin.adjusted_score) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-9),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
        prop_assert_eq!(one.verdict.kind, other.verdict.kind);
    }

    /// No order and no name changes a bit of the chances.
    #[test]
    fn no_order_and_no_name_changes_a_bit_of_the_chances(study in any_study(), turn in 0..5usize, coarse in any::<bool>()) {
        let mut study = study;
        study.options.exclude_self = false;
        // Few values, so that places are shared and whole rows are equal.
        for row in study.rows.iter_mut().filter(|_| coarse) {
            row.score = 5.0 + (row.score / 4.0).floor();
        }
        let mut turned = study.clone();
        let (designs, reviewers) = (turned.designs.len(), turned.reviewers.len());
        turned.designs.rotate_left(turn % designs);
        turned.reviewers.rotate_left(turn % reviewers);
        turned.rows.reverse();
        for design in &mut turned.designs {
            design.id = DesignId::new(renamed(&design.id));
        }
        for row in &mut turned.rows {
            row.design = DesignId::new(renamed(&row.design));
        }
        for design in turned.shown.iter_mut().flat_map(|shown| &mut shown.designs) {
            *design = DesignId::new(renamed(design));
        }
        let (one, other) = (rank(&study).unwrap(), rank(&turned).unwrap());
        prop_assert_eq!(one.verdict.kind, other.verdict.kind);
        prop_assert_eq!(one.verdict.probability, other.verdict.probability);
        prop_assert_eq!(one.agreement.effective_votes, other.agreement.effective_votes);
        let numbers = |ranking: &Ranking| ranking.choice.as_ref().map(|choice| (choice.expected_loss, choice.within_half_a_point));
        prop_assert_eq!(numbers(&one), numbers(&other));
        let mut candidates: Vec<String> = one.choice.iter().flat_map(|choice| &choice.best_among).map(|id| renamed(id)).collect();
        let mut twins: Vec<String> = other.choice.iter().flat_map(|choice| &choice.best_among).map(ToString::to_string).collect();
        candidates.sort();
        twins.sort();
        prop_assert_eq!(candidates, twins);
        for design in &one.rankings {
            let twin = other.rankings.iter().find(|twin| *twin.design_id == *renamed(&design.design_id)).unwrap();
            prop_assert_eq!((design.rank, design.rank_interval), (twin.rank, twin.rank_interval));
            prop_assert_eq!(design.adjusted_score, twin.adjusted_score);
        }
    }

    /// Two designs that the reviewers like equally well: even odds, to the last bit.
    #[test]
    fn a_tie_of_two_says_one_half(scores in prop::collection::vec(0..=20u32, 2..6)) {
        let scores: Vec<f64> = scores.into_iter().map(|step| f64::from(step) / 2.0).collect();
        let mirrored: Vec<f64> = scores.iter().rev().copied().collect();
        let ranking = rank(&matrix(&[&scores, &mirrored])).unwrap();
        prop_assert_eq!(ranking.verdict.probability, Some(0.5));
        prop_assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
    }

    /// A reviewer's leniency doesn't matter either.
    #[test]
    fn a_constant_leaves_the_chances(scores in full(2..6, 2..6), reviewer in 0..6usize, shift in 0.5..3.0f64) {
        let reviewer = reviewer % scores[0].len();
        let low: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| score * 0.7).collect()).collect();
        let mut high = low.clone();
        for row in &mut high {
            row[reviewer] += shift;
        }
        let of = |scores: &[Vec<f64>]| {
            let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            rank(&matrix(&rows)).unwrap()
        };
        let (before, after) = (of(&low), of(&high));
        let change = before.verdict.probability.unwrap() - after.verdict.probability.unwrap();
        prop_assert!(change.abs() < 0.001, "{change}");
    }

    /// A panel in which all agree on large leads: the chances are high, and every verdict and choice still agree.
    #[test]
    fn no_word_contradicts_its_number(mut scores in full(2..6, 2..6), lead in 0..=10u32, kin in any::<bool>()) {
        for score in &mut scores[0] {
            *score = (*score / 4.0 + f64::from(lead)).min(10.0);
        }
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let mut study = matrix(&rows);
        for (index, reviewer) in study.reviewers.iter_mut().enumerate().filter(|_| kin) {
            reviewer.model = Some(format!("openai/gpt-5:{index}"));
        }
        assert_helpful(&rank(&study).unwrap());
    }

    /// One reviewer under many names is one opinion, whatever its scores.
    #[test]
    fn copies_of_one_reviewer_are_never_clear(scores in prop::collection::vec(0..=20u32, 2..6), copies in 2..12usize) {
        let rows: Vec<Vec<f64>> = scores.iter().map(|&step| vec![f64::from(step) / 2.0; copies]).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let ranking = rank(&matrix(&rows)).unwrap();
        prop_assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
        assert_helpful(&ranking);
        prop_assert_eq!(ranking.agreement.effective_votes, Some(1.0));
        // A lead of more than three points is hardly an accident, whoever the reviewer is.
        let highest = scores.iter().max().unwrap();
        let lead = highest - scores.iter().filter(|score| *score < highest).max().unwrap_or(highest);
        prop_assert!(lead > 6 || ranking.verdict.probability.unwrap() < 0.99);
    }

    /// Names of a common lineage make the panel less certain, and never change the order of a full table.
    #[test]
    fn a_common_lineage_never_makes_surer(scores in full(2..6, 2..5)) {
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let mut study = matrix(&rows);
        let strangers = rank(&study).unwrap();
        for (index, reviewer) in study.reviewers.iter_mut().enumerate() {
            reviewer.model = Some(format!("openai/gpt-5:{index}"));
        }
        let kin = rank(&study).unwrap();
        let order = |ranking: &Ranking| ranking.rankings.iter().map(|design| (design.design_id.clone(), design.rank)).collect::<Vec<_>>();
        prop_assert_eq!(order(&strangers), order(&kin));
        prop_assert!(kin.verdict.probability <= strangers.verdict.probability);
        prop_assert_eq!(kin.agreement.effective_votes, Some(1.0));
        prop_assert_eq!(kin.verdict.kind, VerdictKind::TooCloseToCall);
    }

    /// Without holes, self-reviews and known positions, the adjusted score orders like the mean, ties included.
    #[test]
    fn a_full_table_orders_like_the_mean(scores in full(2..7, 1..7)) {
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let ranking = rank(&matrix(&rows)).unwrap();
        for a in &ranking.rankings {
            for b in &ranking.rankings {
                let difference = a.average_score.unwrap() - b.average_score.unwrap();
                let expected = if difference.abs() < 1e-9 { std::cmp::Ordering::Equal } else { difference.total_cmp(&0.0) };
                prop_assert_eq!(b.rank.cmp(&a.rank), expected);
            }
        }
        prop_assert_eq!(&ranking.sensitivity.orders.mean, &ranking.sensitivity.orders.adjusted);
    }

    /// A reviewer who gives every design one point more changes no rank.
    #[test]
    fn a_constant_leaves_the_order(scores in full(2..6, 2..6), reviewer in 0..6usize, shift in 0.5..3.0f64) {
        let reviewer = reviewer % scores[0].len();
        let low: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| score * 0.7).collect()).collect();
        let mut high = low.clone();
        for row in &mut high {
            row[reviewer] += shift;
        }
        let order = |scores: &[Vec<f64>]| {
            let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            rank(&matrix(&rows)).unwrap().rankings.into_iter().map(|design| (design.design_id, design.rank)).collect::<Vec<_>>()
        };
        prop_assert_eq!(order(&low), order(&high));
    }

    /// Counting every reviewer twice adds no evidence: the same order, and no more effective votes.
    #[test]
    fn copies_of_reviewers_add_no_votes(scores in full(3..6, 2..5)) {
        let doubled: Vec<Vec<f64>> = scores.iter().map(|row| [row.clone(), row.clone()].concat()).collect();
        let result = |scores: &[Vec<f64>]| {
            let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
            rank(&matrix(&rows)).unwrap()
        };
        let (once, twice) = (result(&scores), result(&doubled));
        let ids = |ranking: &Ranking| ranking.rankings.iter().map(|design| (design.design_id.clone(), design.rank)).collect::<Vec<_>>();
        prop_assert_eq!(ids(&once), ids(&twice));
        let (before, after) = (once.agreement.effective_votes.unwrap(), twice.agreement.effective_votes.unwrap());
        prop_assert!(after <= before + 1e-9, "{before} became {after}");
        prop_assert!((1.0..=scores[0].len() as f64 + 1e-9).contains(&before));
    }

    /// A design that every reviewer puts below another one is not first.
    #[test]
    fn a_dominated_design_never_wins(scores in full(2..6, 1..6), margin in 0.01..2.0f64) {
        let mut scores = scores;
        let dominated: Vec<f64> = scores[0].iter().map(|score| (score - margin).max(-margin) + 2.0).collect();
        let dominating: Vec<f64> = dominated.iter().map(|score| score + margin).collect();
        scores[0].clone_from(&dominated);
        scores.push(dominating);
        let scores: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| score.clamp(0.0, 20.0) / 2.0).collect()).collect();
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let ranking = rank(&matrix(&rows)).unwrap();
        let first = ranking.rankings.iter().find(|design| design.design_id == "d0").unwrap();
        prop_assert!(first.rank.unwrap() > 1);
    }

    /// A design without scores changes nothing except its own entry.
    #[test]
    fn an_unscored_design_changes_nothing(study in any_study()) {
        let mut larger = study.clone();
        larger.designs.push(lab_core::design_lab::ranking::DesignFacts { id: DesignId::new("nobody"), ..Default::default() });
        let (without, mut with) = (rank(&study).unwrap(), rank(&larger).unwrap());
        let last = with.rankings.pop().unwrap();
        prop_assert_eq!((last.design_id.as_str(), last.rank, last.average_score, last.reviewer_count), ("nobody", None, None, 0));
        with.metadata.total_designs -= 1;
        prop_assert_eq!(without, with);
    }

    /// The sums of squares behind α agree with its definition by pairs of scores, and W with that by sums of ranks, with any ties.
    #[test]
    fn agreement_is_as_defined(scores in full(2..6, 2..6), holes in prop::collection::vec(any::<bool>(), 25)) {
        let rows: Vec<Vec<Option<f64>>> = scores.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        let complete = Matrix::of_rows(&rows);
        if let Ok(found) = concordance(&complete) {
            prop_assert!((found.w - w_by_definition(&scores)).abs() < 1e-9);
        }
        let mut holed = Matrix::empty(complete.designs(), complete.reviewers());
        for (design, row) in scores.iter().enumerate() {
            for (reviewer, &score) in row.iter().enumerate().filter(|(reviewer, _)| holes[design * 5 + reviewer]) {
                holed.set(design, reviewer, score);
            }
        }
        if let (Ok(by_distance), Ok(by_order)) = (krippendorff_interval(&holed), krippendorff_ordinal(&holed)) {
            prop_assert!((by_distance - alpha_by_definition(&holed, &interval)).abs() < 1e-9);
            prop_assert!((by_order - alpha_by_definition(&holed, &ordinal(&holed))).abs() < 1e-9);
        }
        if let Ok(found) = concordance(&holed) {
            prop_assert!((0.0..=1.0).contains(&found.w) && found.correlation.abs() <= 1.0 + 1e-9, "{found:?}");
        }
    }

    /// Another unit of a dimension changes nothing, because scores are put on a common scale first.
    #[test]
    fn the_unit_of_a_dimension_does_not_matter(scores in full(2..5, 2..5), min in -5.0..5.0f64, width in 0.5..200.0f64) {
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let study = matrix(&rows);
        let mut scaled = study.clone();
        (scaled.dimensions[0].min, scaled.dimensions[0].max) = (min, min + width);
        for row in &mut scaled.rows {
            row.score = (min + row.score / SCALE * width).clamp(min, min + width);
        }
        let (one, other) = (rank(&study).unwrap(), rank(&scaled).unwrap());
        for design in &one.rankings {
            let difference = design.adjusted_score.unwrap() - adjusted(&other, &design.design_id).unwrap();
            prop_assert!(difference.abs() < 1e-6);
        }
    }

    /// Repeats are averaged first: a reviewer who scores three times has the same weight as one who scores once.
    #[test]
    fn repeats_do_not_multiply_a_vote(scores in full(2..5, 2..5)) {
        let rows: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
        let study = matrix(&rows);
        let mut repeated = study.clone();
        for repeat in 2..=3 {
            for row in study.rows.iter().filter(|row| row.reviewer == "r0") {
                let mut row = row.clone();
                row.repeat = repeat;
                repeated.rows.push(row);
            }
        }
        let (one, other) = (rank(&study).unwrap(), rank(&repeated).unwrap());
        for design in &one.rankings {
            let difference = design.adjusted_score.unwrap() - adjusted(&other, &design.design_id).unwrap();
            prop_assert!(difference.abs() < 1e-9);
        }
    }

    /// A missing dimension counts with its mean: it neither raises nor lowers the design beyond the scale.
    #[test]
    fn overall_scores_stay_on_the_scale(study in any_study(), extra in prop::collection::vec(0.0..=10.0f64, 0..20)) {
        let mut study = study;
        study.dimensions.push(crate::common::dimension("depth"));
        for (row, score) in study.rows.clone().into_iter().zip(extra) {
            study.rows.push(lab_core::design_lab::ranking::ScoreRow { dimension: "depth".to_owned(), score, ..row });
        }
        for cell in Table::of(&study).unwrap().cells {
            prop_assert!((0.0..=SCALE + 1e-9).contains(&cell.score), "{}", cell.score);
        }
        assert_consistent(&rank(&study).unwrap());
    }
}
