//! How much people and models agree: compares each person's order with the models' combined order.

use super::bias::tested;
use super::descriptive::{mean, mid_ranks};
use super::output::{HumanAgreement, Reasons};
use super::permutation;
use super::study::Study;
use super::table::{Cell, Judged, Table};
use crate::design_lab::artefacts::Preferred;
use crate::random::Random;
use design_lab_numerics::sorting::{distinct, map};
use std::collections::BTreeMap;

/// Returns, for each person that scored something, the agreement with the models. A reviewer without a model is a
/// person; the map is empty if no reviewer is a model, since there is nothing to compare with.
///
/// Every review of the table counts, including those of a model's own design.
pub(super) fn agreement(study: &Study, table: &Table) -> BTreeMap<String, HumanAgreement> {
    let is_model = |reviewer: usize| study.reviewers[reviewer].model.is_some();
    if !(0..study.reviewers.len()).any(is_model) {
        return BTreeMap::new();
    }
    let humans = table.active_reviewers().into_iter().filter(|&reviewer| !is_model(reviewer));
    map(humans.map(|person| {
        let name = &study.reviewers[person].id;
        let cells = || table.cells.iter();
        let mut models: Vec<usize> = Vec::new();
        let (mut own, mut theirs) = (Vec::new(), Vec::new());
        for cell in cells().filter(|cell| cell.reviewer == person) {
            let others: Vec<&Cell> =
                cells().filter(|other| other.design == cell.design && is_model(other.reviewer)).collect();
            let Some(score) = mean(&others.iter().map(|other| other.score).collect::<Vec<_>>()) else {
                continue;
            };
            own.push(cell.score);
            theirs.push(score);
            models.extend(others.iter().map(|other| other.reviewer));
        }
        let models = distinct(table.reviewers, models.into_iter()).len();
        let random = &mut Random::new(study.options.seed, &format!("human-{name}"));
        (name.to_string(), compared(name, &own, &theirs, models, random))
    }))
}

/// Returns the same for compared pairs: for each design, the share of its pairs that it won with the person, ties
/// counting half, is compared with its share in the verdicts of all models.
pub(super) fn agreement_in_pairs(study: &Study, judged: &[Judged]) -> BTreeMap<String, HumanAgreement> {
    let is_model = |reviewer: usize| study.reviewers[reviewer].model.is_some();
    let shares = |of: &dyn Fn(usize) -> bool| -> Vec<Option<f64>> {
        let mut won = vec![(0.0, 0.0); study.designs.len()];
        for one in judged.iter().filter(|one| of(one.reviewer)) {
            let first = match one.verdict {
                Preferred::First => 1.0,
                Preferred::Second => 0.0,
                Preferred::Tie => 0.5,
            };
            for (design, share) in [(one.first, first), (one.second, 1.0 - first)] {
                won[design].0 += share;
                won[design].1 += 1.0;
            }
        }
        won.into_iter().map(|(won, of)| (of > 0.0).then(|| won / of)).collect()
    };
    let reviewers = distinct(study.reviewers.len(), judged.iter().map(|one| one.reviewer));
    let models = reviewers.iter().filter(|&&reviewer| is_model(reviewer)).count();
    if models == 0 {
        return BTreeMap::new();
    }
    let theirs = shares(&is_model);
    let compare = |person: usize| {
        let name = &study.reviewers[person].id;
        let own = shares(&|reviewer| reviewer == person);
        let both = own.iter().zip(&theirs).filter_map(|(own, theirs)| own.zip(*theirs));
        let (own, theirs): (Vec<f64>, Vec<f64>) = both.unzip();
        let random = &mut Random::new(study.options.seed, &format!("human-{name}"));
        (name.to_string(), compared(name, &own, &theirs, models, random))
    };
    map(reviewers.iter().copied().filter(|&reviewer| !is_model(reviewer)).map(compare))
}

/// Kendall's rank correlation corrected for ties, τ-b (Kendall 1945, "The treatment of ties in ranking problems",
/// Biometrika 33), −1 to 1; `None` when one side doesn't vary.
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Option<f64> {
    let (x, y) = (mid_ranks(x), mid_ranks(y));
    let direction = |ranks: &[f64], a: usize, b: usize| {
        f64::from(i8::from(ranks[a] > ranks[b])) - f64::from(i8::from(ranks[a] < ranks[b]))
    };
    let (mut balance, mut untied_x, mut untied_y) = (0.0, 0.0, 0.0);
    for a in 0..x.len().min(y.len()) {
        for b in 0..a {
            let (of_x, of_y) = (direction(&x, a, b), direction(&y, a, b));
            balance += of_x * of_y;
            untied_x += of_x * of_x;
            untied_y += of_y * of_y;
        }
    }
    // The product of whole numbers: nothing is lost before the root.
    let most: f64 = untied_x * untied_y;
    (most > 0.0).then(|| (balance / most.sqrt()).clamp(-1.0, 1.0))
}

fn compared(name: &str, own: &[f64], theirs: &[f64], models: usize, random: &mut Random) -> HumanAgreement {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let mut found = HumanAgreement {
        kendall_tau_b: None,
        p_value: None,
        designs: count(own.len()),
        models: count(models),
        sentence: String::new(),
        reasons: Reasons::new(),
    };
    let Some(tau) = kendall_tau_b(own, theirs) else {
        let reason = if own.len() < 2 {
            "A comparison needs at least two designs that both the person and a model scored.".to_owned()
        } else if kendall_tau_b(own, own).is_none() {
            format!("{name} gave all these designs the same score.")
        } else {
            "The models' mean is the same for all these designs.".to_owned()
        };
        found.sentence = format!("{name}: no comparison with the models. {reason}");
        for field in ["kendall_tau_b", "p_value"] {
            found.reasons.insert(field.to_owned(), reason.clone());
        }
        return found;
    };
    let mut permuted = Vec::new();
    let test = permutation::test(&[own.len()], own.len() * own.len(), random, |items| {
        permuted.clear();
        permuted.extend(items.iter().map(|&item| own[item]));
        kendall_tau_b(&permuted, theirs).unwrap_or_default().abs()
    });
    let shown = if tau.abs() < 0.005 { 0.0 } else { tau };
    let size = format!("τ-b {shown:.2} with the models' mean over {} designs", own.len());
    found.sentence = tested(name, &size, test);
    found.kendall_tau_b = Some(tau);
    found.p_value = Some(test.p_value);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tau(x: &[f64], y: &[f64]) -> f64 {
        kendall_tau_b(x, y).unwrap()
    }

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    }

    #[test]
    fn tau_b_gives_published_and_hand_checked_values() {
        // The example of SciPy's manual for `scipy.stats.kendalltau`: −0.47140452079103173.
        close(tau(&[12.0, 2.0, 1.0, 12.0, 2.0], &[1.0, 4.0, 7.0, 1.0, 0.0]), -0.471_404_520_791_031_73);
        // By hand: six pairs, one tied in x, five concordant: 5 / √(5 · 6).
        close(tau(&[1.0, 2.0, 2.0, 3.0], &[1.0, 2.0, 3.0, 4.0]), 5.0 / 30.0_f64.sqrt());
        // By hand: one pair tied in both, none discordant, five untied on either side: 5 / √(5 · 5).
        close(tau(&[1.0, 2.0, 2.0, 3.0], &[1.0, 5.0, 5.0, 9.0]), 1.0);
        // By hand: pairs +, +, − of three: 1 / 3.
        close(tau(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]), 1.0 / 3.0);
        close(tau(&[0.1 + 0.2, 0.3, 1.0], &[2.0, 2.0, 3.0]), 1.0);
        assert_eq!(kendall_tau_b(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(kendall_tau_b(&[1.0], &[1.0]), None);
        assert_eq!(kendall_tau_b(&[], &[]), None);
    }

    fn said(own: &[f64], theirs: &[f64]) -> HumanAgreement {
        compared("ada", own, theirs, 2, &mut Random::new(1, "test"))
    }

    #[test]
    fn the_sentence_claims_no_more_than_the_numbers_carry() {
        let rising = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let falling = [6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
        let mixed = [2.0, 1.0, 6.0, 4.0, 3.0, 5.0];
        let lopsided = [1.0, 1.0, 1.0, 1.0, 1.0, 9.0];
        let cases = [
            (
                said(&rising, &rising),
                "τ-b 1.00 with the models' mean over 6 designs; chance alone rarely does that (p = 0.003).",
            ),
            (
                said(&rising, &falling),
                "τ-b -1.00 with the models' mean over 6 designs; chance alone rarely does that (p = 0.003).",
            ),
            (
                said(&rising, &mixed),
                "τ-b 0.33 with the models' mean over 6 designs; chance alone may do that (p = 0.47).",
            ),
            (
                said(&rising[..4], &rising[..4]),
                "τ-b 1.00 with the models' mean over 4 designs; insufficient data to exclude chance.",
            ),
            (
                said(&lopsided, &rising),
                "τ-b 0.58 with the models' mean over 6 designs; insufficient data to exclude chance.",
            ),
            (
                said(&[7.0], &[5.0]),
                "no comparison with the models. A comparison needs at least two designs that both the \
                 person and a model scored.",
            ),
            (
                said(&[7.0, 7.0], &[5.0, 6.0]),
                "no comparison with the models. ada gave all these designs the same score.",
            ),
            (
                said(&[7.0, 8.0], &[5.0, 5.0]),
                "no comparison with the models. The models' mean is the same for all these designs.",
            ),
        ];
        for (found, sentence) in cases {
            assert_eq!(found.sentence, format!("ada: {sentence}"));
            assert_eq!(found.kendall_tau_b.is_none(), found.reasons.contains_key("kendall_tau_b"));
        }
    }

    proptest! {
        #[test]
        fn tau_b_is_symmetric_bounded_and_odd(pairs in prop::collection::vec((0u8..6, 0u8..6), 0..12)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let down: Vec<f64> = y.iter().map(|value| -value).collect();
            let found = kendall_tau_b(&x, &y);
            prop_assert_eq!(found, kendall_tau_b(&y, &x));
            prop_assert_eq!(found.map(|tau| -tau), kendall_tau_b(&x, &down));
            prop_assert!(found.is_none_or(|tau| (-1.0..=1.0).contains(&tau)));
            if let Some(one) = kendall_tau_b(&x, &x) {
                prop_assert!((one - 1.0).abs() < 1e-12);
            }
        }
    }
}
