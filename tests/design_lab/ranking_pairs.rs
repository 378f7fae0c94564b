//! Laws of pairwise mode: how much evidence verdicts are, whoever gives them and however often.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::empty;
use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::config::ReviewMode;
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::{Comparison, Leaders, Ranking, Study, VerdictKind, rank};
use lab_core::random::Random;
use proptest::prelude::*;

/// Verdicts with holes, by up to four reviewers in up to three repeats.
pub(crate) fn any_comparisons() -> impl Strategy<Value = Study> {
    (2..6usize, 1..5usize, 1..4usize)
        .prop_flat_map(|(designs, reviewers, repeats)| {
            let verdict = prop_oneof![Just(Preferred::First), Just(Preferred::Second), Just(Preferred::Tie)];
            let cell = prop::option::weighted(0.7, verdict);
            let cells = prop::collection::vec(cell, designs * designs * reviewers * repeats);
            (Just(designs), Just(reviewers), cells, any::<bool>())
        })
        .prop_map(|(designs, reviewers, cells, authors)| {
            let mut study = pairs(designs, reviewers);
            for (index, verdict) in cells.into_iter().enumerate() {
                let (first, second) = (index % designs, index / designs % designs);
                let reviewer = index / designs / designs % reviewers;
                let repeat = u32::try_from(index / designs / designs / reviewers).unwrap() + 1;
                if let Some(verdict) = verdict.filter(|_| first != second) {
                    study.comparisons.push(judged(reviewer, repeat, (first, second), verdict));
                }
            }
            for index in (0..designs.min(reviewers)).filter(|_| authors) {
                study.designs[index].model = Some(format!("acme/{index}"));
                study.reviewers[index].model = Some(format!("acme/{index}"));
                study.designs[index].length = Some(100 + 37 * index as u64 % 5);
            }
            study
        })
}

fn pairs(designs: usize, reviewers: usize) -> Study {
    Study { mode: ReviewMode::Pairwise, ..empty(designs, reviewers) }
}

fn judged(reviewer: usize, repeat: u32, (first, second): (usize, usize), verdict: Preferred) -> Comparison {
    Comparison { repeat, ..crate::common::comparison(reviewer, first, second, verdict) }
}

/// Every reviewer compares every pair in both orders; `better` returns the verdict in favour of the first argument's design.
fn compared(designs: usize, reviewers: usize, mut better: impl FnMut(usize, usize, usize) -> f64) -> Study {
    let mut study = pairs(designs, reviewers);
    for reviewer in 0..reviewers {
        for first in 0..designs {
            for second in (0..designs).filter(|&second| second != first) {
                let lead = better(reviewer, first, second);
                let verdict = match lead {
                    lead if lead.abs() < 0.15 => Preferred::Tie,
                    lead if lead > 0.0 => Preferred::First,
                    _ => Preferred::Second,
                };
                study.comparisons.push(judged(reviewer, 1, (first, second), verdict));
            }
        }
    }
    study
}

/// The same answers, given as many times in all.
fn given(study: &Study, times: u32) -> Study {
    let repeats = study.comparisons.iter().map(|one| one.repeat).max().unwrap_or(1);
    let mut repeated = study.clone();
    for time in 1..times {
        let again = |one: &Comparison| Comparison { repeat: one.repeat + time * repeats, ..one.clone() };
        repeated.comparisons.extend(study.comparisons.iter().map(again));
    }
    repeated
}

/// The ranking without what counts answers, or words that contain such a count.
fn uncounted(mut ranking: Ranking) -> Ranking {
    let pairwise = ranking.pairwise.as_mut().unwrap();
    (pairwise.flips, pairwise.pairs_in_both_orders) = (0, 0);
    ranking.bias.position.observations = 0;
    ranking.bias.position.sentence.clear();
    ranking.metadata.self_reviews_excluded = 0;
    ranking
}

fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * random.unit())
}

/// A reviewer's taste for a design is in each of its verdicts on it, and so is a part of the others' tastes: a panel of four on six
/// designs, with the design that is truly the best.
fn world(number: u64) -> (Study, DesignId) {
    let random = &mut Random::new(number, "a panel with tastes");
    let (designs, reviewers) = (6, 4);
    let spread =
        |by: f64, random: &mut Random| -> Vec<f64> { (0..designs).map(|_| by * normal(random)).collect() };
    let (truth, shared) = (spread(0.8, random), spread(0.4, random));
    let tastes: Vec<Vec<f64>> = (0..reviewers).map(|_| spread(0.48_f64.sqrt(), random)).collect();
    let seen = |reviewer: usize, design: usize| truth[design] + shared[design] + tastes[reviewer][design];
    let study = compared(designs, reviewers, |reviewer, first, second| {
        seen(reviewer, first) - seen(reviewer, second) + 0.3 + 0.6 * normal(random)
    });
    let best = (0..designs).max_by(|&a, &b| truth[a].total_cmp(&truth[b])).unwrap();
    (study, DesignId::new(format!("d{best}")))
}

#[test]
fn stated_chances_are_not_above_the_share_that_is_right() {
    let (mut said, mut right, mut panels) = (0.0, 0.0, 0.0);
    for number in 0..300 {
        let (study, best) = world(number);
        let ranking = rank(&study).unwrap();
        let chance = ranking.verdict.probability.unwrap();
        if chance >= 0.7 {
            let first: Vec<_> = ranking.rankings.iter().filter(|row| row.rank == Some(1)).collect();
            said += chance;
            right += f64::from(u8::from(first.iter().any(|row| row.design_id == best))) / first.len() as f64;
            panels += 1.0;
        }
    }
    let (said, right): (f64, f64) = (said / panels, right / panels);
    let error = (right * (1.0 - right) / panels).sqrt();
    assert!(panels > 80.0 && said <= right + 2.0 * error, "said {said}, right {right} ± {error}");
}

#[test]
fn repeats_with_other_answers_remove_noise() {
    // One reviewer prefers d0 twice and d1 once: as weak as two thirds of a verdict, and weaker than d0 three times.
    let leads = |answers: &[Preferred]| {
        let mut study = pairs(2, 2);
        for (repeat, &answer) in (1..).zip(answers) {
            let turned = if answer == Preferred::First { Preferred::Second } else { Preferred::First };
            study.comparisons.push(judged(0, repeat, (0, 1), answer));
            study.comparisons.push(judged(0, repeat, (1, 0), turned));
        }
        let strengths = rank(&study).unwrap().pairwise.unwrap().strengths;
        strengths.iter().find(|one| one.design_id == "d0").unwrap().log_strength
    };
    let [steady, torn, even] = [
        leads(&[Preferred::First; 3]),
        leads(&[Preferred::First, Preferred::First, Preferred::Second]),
        leads(&[Preferred::First, Preferred::Second]),
    ];
    assert!(steady > torn && torn > even, "{steady} {torn} {even}");
    assert!(even.abs() < 1e-9);
}

#[test]
fn reviewers_who_answer_alike_count_for_less() {
    // Three names, one taste, with the same slips: on eight designs no three reviewers coincide in all that.
    let random = &mut Random::new(5, "one taste");
    let slips: Vec<f64> = (0..64).map(|_| normal(random)).collect();
    let alike = compared(8, 3, |_, first, second| {
        (second as f64 - first as f64) * 0.8 + slips[8 * first + second] - slips[8 * second + first]
    });
    let ranking = rank(&alike).unwrap();
    assert_eq!(ranking.agreement.effective_votes, Some(1.0));
    assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
    assert!(ranking.verdict.sentence.contains("count as one"), "{}", ranking.verdict.sentence);

    // A fourth with a taste of its own: more than one opinion, and fewer than four.
    let mut mixed = alike;
    mixed.reviewers.extend(empty(0, 4).reviewers.into_iter().skip(3));
    mixed.comparisons.extend(
        compared(8, 4, |_, first, second| {
            (second as f64 - first as f64) * 0.8 + slips[8 * second + first] - slips[8 * first + second]
        })
        .comparisons
        .into_iter()
        .filter(|one| one.reviewer == "r3"),
    );
    let votes = rank(&mixed).unwrap().agreement.effective_votes.unwrap();
    assert!(votes > 1.0 && votes < 1.7, "{votes}");

    // Four that differ as strangers do.
    let strangers = rank(&world(3).0).unwrap();
    let votes = strangers.agreement.effective_votes.unwrap();
    assert!(votes > 2.0 && votes <= 4.0 / 1.75 + 1e-9, "{votes}");
}

#[test]
fn a_simple_order_that_all_see_is_no_copy() {
    // Five reviewers agree on three designs without a doubt, as independent ones may.
    let ranking = rank(&compared(3, 5, |_, first, second| second as f64 - first as f64)).unwrap();
    let votes = ranking.agreement.effective_votes.unwrap();
    assert!(votes > 1.8 && votes < 2.5, "{votes}");
    assert_eq!(ranking.verdict.kind, VerdictKind::Leaning);
}

#[test]
fn a_clear_verdict_does_not_rest_on_equal_answers() {
    // Eight reviewers prefer one of four designs and see no difference elsewhere: nothing tells copies from reviewers who agree.
    let stands_out =
        |first: usize, second: usize| f64::from(u8::from(first == 0)) - f64::from(u8::from(second == 0));
    let ranking = rank(&compared(4, 8, |_, first, second| stands_out(first, second))).unwrap();
    assert!(ranking.verdict.probability > Some(0.95), "{:?}", ranking.verdict.probability);
    assert_eq!(ranking.verdict.kind, VerdictKind::Leaning);
    assert!(ranking.verdict.sentence.contains("Counted as one"), "{}", ranking.verdict.sentence);

    // Each but one has an opinion of its own on one pair of the others: these are different reviewers, and all prefer the first.
    let mixed = compared(4, 8, |reviewer, first, second| {
        let own = [(1, 2), (1, 3), (2, 3), (2, 1), (3, 1), (3, 2)].get(reviewer);
        match own {
            Some(&pair) if pair == (first, second) => 1.0,
            Some(&pair) if pair == (second, first) => -1.0,
            _ => stands_out(first, second),
        }
    });
    assert_eq!(rank(&mixed).unwrap().verdict.kind, VerdictKind::Clear);
}

#[test]
fn one_model_under_several_names_is_one_opinion() {
    let mut study = world(4).0;
    for (index, reviewer) in study.reviewers.iter_mut().enumerate() {
        reviewer.model = Some(format!("openai/gpt-5:{index}"));
    }
    let ranking = rank(&study).unwrap();
    assert_eq!(ranking.agreement.effective_votes, Some(1.0));
    assert_eq!(ranking.verdict.kind, VerdictKind::TooCloseToCall);
    assert!(ranking.verdict.probability < rank(&world(4).0).unwrap().verdict.probability);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Asking again and getting the same answers says nothing about the designs that wasn't known.
    #[test]
    fn the_same_answers_again_are_no_evidence(study in any_comparisons(), times in 2..11u32) {
        let again = rank(&given(&study, times)).unwrap();
        prop_assert_eq!(uncounted(rank(&study).unwrap()), uncounted(again));
    }

    /// A reviewer's name for itself doesn't matter, nor does that of a design.
    #[test]
    fn no_name_changes_the_result_of_pairwise_mode(study in any_comparisons()) {
        let renamed = |id: &str| format!("x{}", 9 - id[1..].parse::<u32>().unwrap());
        let mut other = study.clone();
        for design in &mut other.designs {
            design.id = DesignId::new(renamed(&design.id));
        }
        for reviewer in &mut other.reviewers {
            reviewer.id = ReviewerId::new(renamed(&reviewer.id));
        }
        for one in &mut other.comparisons {
            one.reviewer = ReviewerId::new(renamed(&one.reviewer));
            (one.first, one.second) = (DesignId::new(renamed(&one.first)), DesignId::new(renamed(&one.second)));
        }
        let (one, other) = (rank(&study).unwrap(), rank(&other).unwrap());
        prop_assert_eq!(one.verdict.kind, other.verdict.kind);
        // Chances are integrals with six digits, and names decide the order in which they are summed.
        let close = |a: Option<f64>, b: Option<f64>| a.zip(b).map_or(a == b, |(a, b)| (a - b).abs() < 1e-6);
        prop_assert!(close(one.verdict.probability, other.verdict.probability));
        prop_assert!(close(one.agreement.effective_votes, other.agreement.effective_votes));
    }
}

/// Two designs that three reviewers score, the first half a point higher.
fn close() -> Study {
    let mut study =
        crate::common::matrix(&[&[7.5, 6.5, 7.0, 6.0], &[7.0, 6.0, 6.5, 5.5], &[4.0, 3.0, 4.0, 3.0]]);
    study.reviewers.truncate(4);
    study
}

#[test]
fn comparisons_of_close_designs_are_counted_on_top_of_their_scores() {
    let ranking = |verdicts: &[Preferred]| {
        let mut study = close();
        for (reviewer, verdict) in verdicts.iter().enumerate() {
            let reversed = match verdict {
                Preferred::First => Preferred::Second,
                Preferred::Second => Preferred::First,
                Preferred::Tie => Preferred::Tie,
            };
            study.comparisons.push(judged(reviewer, 1, (0, 1), *verdict));
            study.comparisons.push(judged(reviewer, 1, (1, 0), reversed));
        }
        rank(&study).unwrap()
    };
    let alone = ranking(&[]);
    assert!(alone.close_pairs.is_empty() && Leaders::of(&alone).unwrap().are_close());
    let chance = |ranking: &Ranking| ranking.verdict.probability.unwrap();

    let agreed = ranking(&[Preferred::First; 4]);
    assert_eq!(agreed.rankings[0].design_id, "d0");
    assert!(chance(&agreed) > chance(&alone));

    let split = ranking(&[Preferred::First, Preferred::Second, Preferred::First, Preferred::Second]);
    assert_eq!(split.rankings[0].design_id, "d0", "scores still count");
    assert!(chance(&split) < chance(&alone));

    let reversed = ranking(&[Preferred::Second; 4]);
    assert_eq!(reversed.rankings[0].design_id, "d1");
    let [pair] = reversed.close_pairs.as_slice() else { panic!("one pair") };
    assert_eq!((pair.reviewers, pair.preferred, pair.designs[0].as_str()), (4, [0, 4], "d0"));
    assert!(pair.lead > 0.4 && pair.lead_with_comparisons < 0.0);
    assert_ne!(reversed.verdict.kind, VerdictKind::Clear, "the scores contradict it");
    insta::assert_snapshot!(pair.sentence);
}

#[test]
fn comparisons_of_own_designs_do_not_count_on_top_of_scores_either() {
    let mut study = close();
    study.designs[1].model = Some("acme/one".to_owned());
    study.reviewers[0].model = Some("acme/one".to_owned());
    let alone = rank(&study).unwrap();
    study.comparisons.push(judged(0, 1, (0, 1), Preferred::Second));
    study.comparisons.push(judged(0, 1, (1, 0), Preferred::First));
    assert_eq!(rank(&study).unwrap(), alone);
}
