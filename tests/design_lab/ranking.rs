//! Rankings of whole studies.
#![expect(
    clippy::format_push_string,
    clippy::items_after_statements,
    reason = "a test may say things where they are used"
)]

use crate::common::{comparison, dimension, empty, matrix, ranked, row};
use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::config::ReviewMode;
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::{Ranking, ReviewerFacts, ScoreRow, Shown, Study, VerdictKind, rank};

const HOLE: f64 = f64::NAN;

#[test]
fn a_lead_beyond_what_reviewers_err_by_together_is_clear() {
    let ranking =
        rank(&matrix(&[&[9.5, 8.0, 9.0, 10.0, 8.5], &[2.0, 2.5, 3.5, 1.0, 3.0], &[3.0, 1.0, 2.0, 2.5, 1.5]]))
            .unwrap();
    assert_eq!(ranked(&ranking), [("d0", 1), ("d1", 2), ("d2", 3)]);
    assert_eq!(ranking.verdict.kind, VerdictKind::Clear);
    assert_eq!(ranking.rankings[0].rank_interval, Some([1, 1]));
    assert!(ranking.agreement.effective_votes.unwrap() > 1.5);
}

#[test]
fn a_ranking_without_a_choice_is_read_as_before() {
    let ranking = rank(&matrix(&[&[8.0, 7.0], &[5.0, 6.0]])).unwrap();
    let mut value = serde_json::to_value(&ranking).unwrap();
    assert!(value.as_object_mut().unwrap().remove("choice").is_some());
    let earlier: Ranking = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(earlier, Ranking { choice: None, ..ranking });
    assert_eq!(serde_json::to_value(&earlier).unwrap(), value, "and is written without it");
}

#[test]
fn a_verdict_says_in_how_few_dimensions_the_first_design_leads() {
    let mut study = matrix(&[&[9.0, 8.0, 9.5], &[6.0, 7.0, 5.5], &[5.0, 4.5, 6.0]]);
    study.dimensions = ["clarity", "cost", "risk", "speed"].map(dimension).into();
    let rows = std::mem::take(&mut study.rows);
    for row in rows {
        // The first design leads by far in two dimensions, and another by a little in the other two.
        for dimension in &study.dimensions {
            let leads = matches!(dimension.name.as_str(), "clarity" | "cost");
            let score = if leads { row.score } else { 6.0 - f64::from(row.design == "d0") };
            study.rows.push(ScoreRow { dimension: dimension.name.clone(), score, ..row.clone() });
        }
    }
    let ranking = rank(&study).unwrap();
    let choice = ranking.choice.unwrap();
    assert_eq!(choice.leads_only_in, Some(vec!["clarity".to_owned(), "cost".to_owned()]));
    let note = "has the highest mean in only 2 of the 4 dimensions.";
    assert!(ranking.verdict.sentence.contains(note), "{}", ranking.verdict.sentence);
    // In three of four, it needs no word.
    for row in study.rows.iter_mut().filter(|row| row.design == "d0" && row.dimension == "risk") {
        row.score = 8.0;
    }
    let ranking = rank(&study).unwrap();
    assert_eq!(ranking.choice.unwrap().leads_only_in, None);
    assert!(!ranking.verdict.sentence.contains("highest mean"));
}

#[test]
fn verdicts_say_no_more_than_the_scores() {
    let cases: [(&str, Study, VerdictKind); 11] = [
        ("one reviewer", matrix(&[&[9.0], &[2.0]]), VerdictKind::Insufficient),
        ("one design", matrix(&[&[9.0, 8.0, 9.0]]), VerdictKind::Insufficient),
        ("no score at all", empty(3, 3), VerdictKind::Insufficient),
        ("opposed reviewers", matrix(&[&[9.0, 2.0], &[2.0, 9.0]]), VerdictKind::TooCloseToCall),
        ("everything equal", matrix(&[&[7.0, 7.0, 7.0], &[7.0, 7.0, 7.0]]), VerdictKind::TooCloseToCall),
        ("a hair's breadth", matrix(&[&[8.1, 8.0, 8.1], &[8.0, 8.1, 8.0]]), VerdictKind::TooCloseToCall),
        ("two reviewers, two designs, two points", matrix(&[&[8.5, 8.0], &[6.5, 6.0]]), VerdictKind::Leaning),
        ("one enthusiast", matrix(&[&[10.0, 6.0, 6.0], &[5.0, 6.5, 6.5]]), VerdictKind::TooCloseToCall),
        (
            "a lead beyond what reviewers err by together",
            matrix(&[&[9.5, 8.0, 9.0, 10.0, 8.5], &[2.0, 2.5, 3.5, 1.0, 3.0], &[3.0, 1.0, 2.0, 2.5, 1.5]]),
            VerdictKind::Clear,
        ),
        (
            "six points",
            matrix(&[&[9.3, 8.6, 9.1, 8.8, 9.2], &[3.4, 2.9, 3.2, 2.8, 2.7], &[1.6, 1.3, 1.7, 1.8, 1.1]]),
            VerdictKind::Clear,
        ),
        (
            "a plain lead",
            matrix(&[&[9.0, 8.0, 8.5, 9.0, 8.0], &[5.0, 5.0, 6.0, 5.0, 5.5], &[6.0, 5.0, 4.5, 6.0, 5.0]]),
            VerdictKind::Leaning,
        ),
    ];
    let mut sentences = String::new();
    for (name, study, kind) in cases {
        let Ranking { verdict, choice, .. } = rank(&study).unwrap();
        assert_eq!(verdict.kind, kind, "{name}: {}", verdict.sentence);
        sentences += &format!("{name}: {}\n", verdict.sentence);
        sentences += &choice.map_or_else(String::new, |choice| format!("    {}\n", choice.sentence));
    }
    insta::assert_snapshot!(sentences);
}

#[test]
fn a_missing_review_of_a_harsh_reviewer_does_not_decide() {
    // r2 is four points harsher; d1, which it never saw, looks better by the mean, and is worse by every reviewer who saw both.
    let ranking = rank(&matrix(&[&[8.0, 8.5, 4.0], &[7.0, 7.5, HOLE], &[6.0, 6.5, 2.0]])).unwrap();
    assert_eq!(ranked(&ranking), [("d0", 1), ("d1", 2), ("d2", 3)]);
    assert_eq!(ranking.sensitivity.orders.mean, ["d1", "d0", "d2"]);
}

#[test]
fn a_model_that_could_only_review_itself_is_heard_but_not_believed() {
    let mut study = matrix(&[&[6.0], &[9.0], &[HOLE]]);
    for design in &mut study.designs {
        design.model = Some("openai/gpt-5".to_owned());
    }
    study.reviewers[0].model = Some("openai/gpt-5".to_owned());
    let ranking = rank(&study).unwrap();
    assert_eq!(ranked(&ranking)[..2], [("d1", 1), ("d0", 2)]);
    assert_eq!(ranking.verdict.kind, VerdictKind::Insufficient);
    assert!(ranking.verdict.sentence.starts_with("No independent review"), "{}", ranking.verdict.sentence);
    assert_eq!(ranking.metadata.self_reviews_excluded, 2);
    let [d1, _, d2] = &ranking.rankings[..] else { panic!("three designs") };
    assert!(d1.adjusted_score.is_some() && d1.average_score.is_none() && d1.rank_interval.is_none());
    assert!(d1.reasons["average_score"].starts_with("Only reviews that don't count"), "{:?}", d1.reasons);
    assert_eq!((d2.rank, d2.adjusted_score), (None, None), "nobody scored it");
    assert!(d2.reasons["rank"].starts_with("No reviewer"), "{:?}", d2.reasons);
}

#[test]
fn a_flattering_self_review_does_not_decide() {
    let mut study = matrix(&[&[9.5, 7.0, 7.0], &[7.5, 9.9, 7.5], &[5.0, 5.0, 8.0]]);
    for (index, model) in ["openai/gpt-5", "anthropic/claude", "google/gemini"].into_iter().enumerate() {
        study.designs[index].model = Some(model.to_owned());
        study.reviewers[index].model = Some(model.to_owned());
    }
    let ranking = rank(&study).unwrap();
    assert_eq!(ranked(&ranking)[0], ("d1", 1));
    assert_eq!(ranking.metadata.self_reviews_excluded, 3);
    let d1 = &ranking.rankings[0];
    assert_eq!((d1.average_score, d1.reviewer_count), (Some(7.5), 2));
    assert_eq!(d1.score_breakdown["quality"].reviews, [7.5, 7.5]);
    // No two reviewers share two designs by other authors: no statement on a common order, and α over the six that count.
    assert_eq!(ranking.agreement.kendall_w, None);
    assert!(ranking.agreement.krippendorff_alpha.interval.is_some());
    let preference = &ranking.bias.self_preference["r0"];
    assert!(preference.points.unwrap() > 1.0, "{preference:?}");
    // With three designs the smallest possible p is 1/3: the size is shown, and chance is not ruled out.
    assert!(preference.sentence.contains("insufficient"), "{}", preference.sentence);
    study.options.exclude_self = false;
    let kept = rank(&study).unwrap();
    assert_eq!(kept.rankings[0].reviewer_count, 3);
    assert_eq!(kept.metadata.self_reviews_excluded, 0);
    assert!(kept.agreement.kendall_w.is_some());
    assert_ne!(kept.agreement.krippendorff_alpha, ranking.agreement.krippendorff_alpha);
}

#[test]
fn agreement_is_over_the_reviews_that_count() {
    // Four authors prefer their own designs strongly and agree on everything else.
    let mut scores: Vec<[f64; 4]> = [8.0, 7.0, 6.0, 5.0].map(|score| [score; 4]).to_vec();
    for (index, row) in scores.iter_mut().enumerate() {
        row[index] = 10.0;
    }
    let rows: Vec<&[f64]> = scores.iter().map(<[f64; 4]>::as_slice).collect();
    let mut study = matrix(&rows);
    for index in 0..4 {
        study.designs[index].model = Some(format!("acme/{index}"));
        study.reviewers[index].model = Some(format!("acme/{index}"));
    }
    let agreement = rank(&study).unwrap().agreement;
    assert_eq!((agreement.kendall_w, agreement.rank_correlation), (Some(1.0), Some(1.0)));
    assert_eq!(agreement.krippendorff_alpha.interval, Some(1.0));
    study.options.exclude_self = false;
    let agreement = rank(&study).unwrap().agreement;
    assert!(
        agreement.rank_correlation.unwrap() < 0.5 && agreement.krippendorff_alpha.interval.unwrap() < 0.5
    );
}

#[test]
fn a_design_known_only_by_its_author_is_listed_unranked() {
    let mut study = matrix(&[&[9.5, HOLE], &[7.0, 7.5], &[HOLE, HOLE]]);
    study.designs[0].model = Some("openai/gpt-5".to_owned());
    study.reviewers[0].model = Some("openai/gpt-5".to_owned());
    let ranking = rank(&study).unwrap();
    assert_eq!(ranked(&ranking), [("d1", 1)]);
    let (own, silent) = (&ranking.rankings[1], &ranking.rankings[2]);
    assert_eq!((own.design_id.as_str(), own.rank, own.average_score), ("d0", None, None));
    assert!(own.reasons["rank"].contains("don't count"));
    assert_eq!((silent.design_id.as_str(), silent.rank), ("d2", None));
    assert!(silent.reasons["rank"].contains("No reviewer"));
}

#[test]
fn families_are_left_out_when_asked() {
    let mut study = matrix(&[&[9.0, 6.0, 6.5], &[7.0, 7.0, 7.0]]);
    study.designs[0].model = Some("openai/gpt-5".to_owned());
    study.reviewers[0].model = Some("azure/gpt-4.1".to_owned());
    assert_eq!(
        rank(&study).unwrap().rankings.iter().find(|design| design.design_id == "d0").unwrap().reviewer_count,
        3
    );
    assert!(rank(&study).unwrap().bias.family_preference["r0"].points.unwrap() > 2.0);
    study.options.exclude_family = true;
    let ranking = rank(&study).unwrap();
    assert_eq!(ranking.rankings.iter().find(|design| design.design_id == "d0").unwrap().reviewer_count, 2);
    assert_eq!(ranking.metadata.self_reviews_excluded, 1);
}

#[test]
fn weights_and_bounds_make_the_overall() {
    // clarity 1–5 with weight 1, safety 0–100 with weight 3: (10·(4−1)/4 + 3·10·50/100) / 4 = 5.625.
    let mut study = empty(1, 1);
    study.dimensions = vec![dimension("clarity"), dimension("safety")];
    (study.dimensions[0].min, study.dimensions[0].max) = (1.0, 5.0);
    (study.dimensions[1].max, study.dimensions[1].weight) = (100.0, 3.0);
    for (name, score) in [("clarity", 4.0), ("safety", 50.0)] {
        let mut row = row(0, 0, 1, score);
        row.dimension = name.to_owned();
        study.rows.push(row);
    }
    let ranking = rank(&study).unwrap();
    assert_eq!(ranking.rankings[0].average_score, Some(5.625));
    assert_eq!(ranking.rankings[0].score_breakdown["safety"].mean, Some(50.0), "in its own units");
}

#[test]
fn audits_find_what_is_there_and_admit_what_is_not() {
    // Six designs, six reviewers, a Latin square; the first place is worth two points, longer designs are better.
    let mut study = empty(6, 6);
    for reviewer in 0..6 {
        let designs: Vec<usize> = (0..6).map(|slot| (slot + reviewer) % 6).collect();
        for (slot, &design) in designs.iter().enumerate() {
            let noise = ((design * 7 + reviewer * 5) % 4) as f64 / 4.0;
            let score = 3.0 + design as f64 / 2.0 + 2.0 * (1.0 - slot as f64 / 5.0) + noise;
            study.rows.push(row(design, reviewer, 1, score));
        }
        let designs = designs.iter().map(|design| DesignId::new(format!("d{design}"))).collect();
        study.shown.push(Shown { reviewer: ReviewerId::new(format!("r{reviewer}")), repeat: 1, designs });
    }
    for (index, design) in study.designs.iter_mut().enumerate() {
        design.length = Some(1_000 * (index as u64 + 1));
    }
    let bias = rank(&study).unwrap().bias;
    assert!((bias.position.effect.unwrap() - 2.0).abs() < 0.5, "{:?}", bias.position);
    assert!(bias.position.p_value.unwrap() <= 0.01);
    assert_eq!(bias.length.effect, Some(1.0));
    // Two of 720 orders correlate as strongly.
    assert!((bias.length.p_value.unwrap() - 2.0 / 720.0).abs() < 1e-12);

    let small = rank(&matrix(&[&[8.0, 7.0], &[6.0, 7.0]])).unwrap().bias;
    assert_eq!(small.position.effect, None);
    assert!(
        small.position.sentence.contains("insufficient") && small.length.sentence.contains("insufficient")
    );
}

#[test]
fn dissent_is_named() {
    let ranking = rank(&matrix(&[
        &[8.0, 8.2, 7.9, 8.1, 8.0],
        &[6.0, 6.1, 6.2, 5.9, 6.0],
        &[7.0, 7.1, 6.9, 1.0, 7.0],
        &[5.0, 5.1, 5.0, 4.9, 5.2],
    ]))
    .unwrap();
    let [dissent] = ranking.agreement.dissent.as_slice() else { panic!("{:?}", ranking.agreement.dissent) };
    assert_eq!((dissent.reviewer.as_str(), dissent.design_id.as_str(), dissent.score), ("r3", "d2", 1.0));
    assert!(dissent.expected > 6.0);
}

#[test]
fn problems_have_codes_and_places() {
    let good = || matrix(&[&[8.0, 7.0], &[6.0, 7.0]]);
    let broken = |change: fn(&mut Study)| {
        let mut study = good();
        change(&mut study);
        rank(&study).unwrap_err()
    };
    type Change = fn(&mut Study);
    assert_eq!(rank(&empty(1_001, 1)).unwrap_err().code, "ranking.too-large");
    assert_eq!(rank(&empty(200, 200)).unwrap_err().code, "ranking.too-large");
    let cases: [(Change, &str, &str); 14] = [
        (|study| study.rows[1].design = DesignId::new("x"), "ranking.unknown-design", "/rows/1/design"),
        (
            |study| study.rows[1].reviewer = ReviewerId::new("x"),
            "ranking.unknown-reviewer",
            "/rows/1/reviewer",
        ),
        (|study| study.rows[1].dimension = "x".to_owned(), "ranking.unknown-dimension", "/rows/1/dimension"),
        (|study| study.rows[1].score = 10.1, "ranking.out-of-bounds", "/rows/1/score"),
        (|study| study.rows[1].score = f64::NAN, "ranking.out-of-bounds", "/rows/1/score"),
        (|study| study.rows[1].score = f64::INFINITY, "ranking.out-of-bounds", "/rows/1/score"),
        (|study| study.rows[1].repeat = 0, "ranking.bad-repeat", "/rows/1/repeat"),
        (|study| study.rows.push(study.rows[0].clone()), "ranking.duplicate-row", "/rows/4"),
        (|study| study.designs[1].id = DesignId::new("d0"), "ranking.duplicate-id", "/designs/1/id"),
        (
            |study| study.reviewers.push(ReviewerFacts { id: ReviewerId::new("r0"), model: None }),
            "ranking.duplicate-id",
            "/reviewers/2/id",
        ),
        (|study| study.dimensions[0].max = 0.0, "ranking.bad-dimension", "/dimensions/0/max"),
        (|study| study.dimensions[0].weight = 0.0, "ranking.bad-dimension", "/dimensions/0/weight"),
        (|study| study.dimensions[0].min = f64::NAN, "ranking.bad-dimension", "/dimensions/0/min"),
        (
            |study| {
                let designs = vec![DesignId::new("d0"), DesignId::new("d0")];
                study.shown.push(Shown { reviewer: ReviewerId::new("r0"), repeat: 1, designs });
            },
            "ranking.duplicate-row",
            "/shown/0/designs/1",
        ),
    ];
    for (change, code, pointer) in cases {
        let problem = broken(change);
        assert_eq!((problem.code.as_str(), problem.pointer.as_deref()), (code, Some(pointer)));
        assert!(problem.next.is_some());
    }
}

fn compared(designs: usize, reviewers: usize, verdict: impl Fn(usize, usize, usize) -> Preferred) -> Study {
    let mut study = empty(designs, reviewers);
    study.mode = ReviewMode::Pairwise;
    for reviewer in 0..reviewers {
        for first in 0..designs {
            for second in (0..designs).filter(|&second| second != first) {
                study.comparisons.push(comparison(reviewer, first, second, verdict(reviewer, first, second)));
            }
        }
    }
    study
}

#[test]
fn consistent_comparisons_give_the_order() {
    let better = |_: usize, first: usize, second: usize| {
        if first < second { Preferred::First } else { Preferred::Second }
    };
    let ranking = rank(&compared(3, 5, better)).unwrap();
    assert_eq!(ranked(&ranking), [("d0", 1), ("d1", 2), ("d2", 3)]);
    let pairwise = ranking.pairwise.unwrap();
    assert_eq!((pairwise.flips, pairwise.pairs_in_both_orders, pairwise.tie_parameter), (0, 15, 0.0));
    assert!(pairwise.order_effect.unwrap().abs() < 1e-9);
    assert!(pairwise.strengths[0].log_strength.is_finite(), "complete separation stays finite");
    assert_eq!(ranking.metadata.aggregation_method, "davidson");
}

#[test]
fn verdicts_that_follow_the_place_are_ties() {
    let ranking = rank(&compared(3, 3, |_, _, _| Preferred::First)).unwrap();
    assert_eq!(ranked(&ranking), [("d0", 1), ("d1", 1), ("d2", 1)]);
    assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
    let pairwise = ranking.pairwise.unwrap();
    assert_eq!((pairwise.flips, pairwise.pairs_in_both_orders), (9, 9));
    assert!(pairwise.order_effect.unwrap() > 1.0);
    // Nine coins that all fall the same way: p = 2 / 2⁹.
    assert!((ranking.bias.position.p_value.unwrap() - 2.0 / 512.0).abs() < 1e-12);
}

#[test]
fn what_the_first_place_earns_is_taken_out_of_single_orders_and_told() {
    // Every verdict follows the position. Seven of eight reviewers saw d0 first: by wins alone it would lead by far.
    let verdicts = |swapped: usize| {
        let mut study = empty(2, 8);
        study.mode = ReviewMode::Pairwise;
        for reviewer in 0..8 {
            let (first, second) = if reviewer < swapped { (1, 0) } else { (0, 1) };
            study.comparisons.push(comparison(reviewer, first, second, Preferred::First));
        }
        let pairwise = rank(&study).unwrap().pairwise.unwrap();
        assert_eq!(pairwise.pairs_in_both_orders, 0);
        let lead =
            pairwise.strengths.iter().find(|strength| strength.design_id == "d0").unwrap().log_strength;
        (lead, pairwise.order_effect.unwrap())
    };
    let (lead, effect) = verdicts(1);
    assert!(lead.abs() < 0.5 && effect > 1.0, "{lead} {effect}");
    // With equally many either way, nothing of it remains.
    let (lead, effect) = verdicts(4);
    assert!(lead.abs() < 1e-9 && effect > 1.0, "{lead} {effect}");
}

#[test]
fn groups_that_never_met_are_not_told_apart() {
    let mut study =
        compared(4, 3, |_, first, second| if first < second { Preferred::First } else { Preferred::Second });
    study.comparisons.retain(|comparison| {
        let pair = [comparison.first.as_str(), comparison.second.as_str()];
        pair.iter().all(|design| ["d0", "d1"].contains(design))
            || pair.iter().all(|design| ["d2", "d3"].contains(design))
    });
    let ranking = rank(&study).unwrap();
    assert_eq!(ranked(&ranking), [("d0", 1), ("d2", 1), ("d1", 3), ("d3", 3)]);
    assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
}

#[test]
fn own_comparisons_are_left_out() {
    let mut study = compared(3, 3, |reviewer, first, second| {
        if first == reviewer || (second != reviewer && first < second) {
            Preferred::First
        } else {
            Preferred::Second
        }
    });
    for index in 0..3 {
        study.designs[index].model = Some(format!("acme/{index}"));
        study.reviewers[index].model = Some(format!("acme/{index}"));
    }
    let ranking = rank(&study).unwrap();
    assert_eq!(ranking.metadata.self_reviews_excluded, 12);
    let preference = &ranking.bias.self_preference["r2"];
    assert!(preference.points.unwrap() > 0.5);
    // One design of three: at best one pick in three is as far ahead.
    assert!((preference.p_value.unwrap() - 1.0 / 3.0).abs() < 1e-9);
    assert!(preference.sentence.contains("insufficient"), "{}", preference.sentence);
    study.options.exclude_self = false;
    assert_eq!(rank(&study).unwrap().metadata.self_reviews_excluded, 0);
}

#[test]
fn comparisons_have_their_problems_too() {
    let mut study = compared(2, 1, |_, _, _| Preferred::Tie);
    study.comparisons[1].second = DesignId::new("d1");
    assert_eq!(rank(&study).unwrap_err().code, "ranking.self-comparison");
    let mut study = compared(2, 1, |_, _, _| Preferred::Tie);
    study.comparisons.push(study.comparisons[0].clone());
    assert_eq!(rank(&study).unwrap_err().code, "ranking.duplicate-row");
}

/// The whole public format: a change here affects every reader of `ranking.json`.
#[test]
fn the_format_is_stable() {
    let mut study = matrix(&[&[9.0, 6.5, 7.0], &[6.0, 7.5, 6.0], &[5.5, 5.0, HOLE], &[HOLE, HOLE, HOLE]]);
    study.designs[0].model = Some("openai/gpt-5".to_owned());
    study.reviewers[0].model = Some("openai/gpt-5".to_owned());
    study.context.generated_at = "2026-11-20T12:00:00Z".to_owned();
    let ranking = rank(&study).unwrap();
    insta::assert_json_snapshot!("scores", ranking);
    let verdict = |reviewer: usize, first: usize, second: usize| match (first + second + reviewer) % 4 {
        0 => Preferred::Tie,
        1 if first > second => Preferred::Second,
        _ => Preferred::First,
    };
    insta::assert_json_snapshot!("pairwise", rank(&compared(3, 2, verdict)).unwrap());
}

#[test]
fn extreme_rubrics_give_finite_numbers_or_a_problem() {
    let ranked_with = |change: &dyn Fn(&mut Study)| {
        let mut study = matrix(&[&[9.0, 8.0, HOLE], &[6.0, 7.0, 5.0], &[4.0, 5.0, 6.0]]);
        let other: Vec<_> = study.rows.iter().take(5).cloned().collect();
        study.dimensions.push(dimension("depth"));
        study.rows.extend(other.into_iter().map(|row| ScoreRow { dimension: "depth".to_owned(), ..row }));
        change(&mut study);
        rank(&study)
    };
    let scaled = |study: &mut Study, by: f64| {
        study.dimensions[0].max *= by;
        for row in study.rows.iter_mut().filter(|row| row.dimension == "quality") {
            row.score *= by;
        }
    };
    let plain = ranked_with(&|_| {}).unwrap();
    for by in [1e-90, 1e90] {
        let ranking = ranked_with(&|study| scaled(study, by)).unwrap();
        assert_eq!(ranked(&ranking), ranked(&plain), "{by}");
        let [top, ..] = &ranking.rankings[..] else { panic!("three designs") };
        let [breakdown, expected] =
            [top, &plain.rankings[0]].map(|design| &design.score_breakdown["quality"]);
        assert!((breakdown.variance.unwrap() / by / by / expected.variance.unwrap() - 1.0).abs() < 1e-9);
    }
    let problem = ranked_with(&|study| scaled(study, 1e306)).unwrap_err();
    assert_eq!(
        (problem.code.as_str(), problem.pointer.as_deref()),
        ("ranking.bad-dimension", Some("/dimensions/0/max"))
    );
    // A dimension with almost no weight counts fully if a reviewer scored nothing else.
    let light = ranked_with(&|study| {
        (study.dimensions[0].weight, study.dimensions[1].weight) = (1e-9, 1e9);
        study.rows.iter_mut().for_each(|row| row.score = 7.0);
    })
    .unwrap();
    assert!(
        light.bias.reviewers.values().all(|habits| habits.spread == Some(0.0)),
        "{:?}",
        light.bias.reviewers
    );
}
