//! The reviewers' comments, and which reviewers made them.

use super::super::results::Material;
use super::{Prose, level, results};
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::ranking::{RankedDesign, Ranking};
use crate::shared::figures::number;
use crate::shared::tier::Tier;

/// The comments on one design.
pub(super) struct Voice {
    pub(super) design: String,
    /// Strengths, weaknesses, missing considerations, risks, people's comments: only lists that aren't empty.
    pub(super) lists: Vec<(&'static str, Vec<Said>)>,
    /// Each reviewer's reasons.
    pub(super) reasons: Vec<Reason>,
}

/// A statement and its reviewers; `who` is empty when the statement itself names its reviewer.
pub(super) struct Said {
    text: String,
    pub(super) prose: Prose,
    pub(super) who: Vec<String>,
}

/// A reviewer's reason for its score or verdict.
pub(super) struct Reason {
    pub(super) who: String,
    /// The score or verdict, in words and figures.
    pub(super) verdict: String,
    pub(super) why: Prose,
}

/// Returns the comments by design, in the order of the ranking; designs without comments are left out.
pub(super) fn voices(ranking: &Ranking, material: &Material<'_>) -> Vec<Voice> {
    let voices = ranking.rankings.iter().map(|row| voice(row, material));
    voices.filter(|voice| !voice.lists.is_empty() || !voice.reasons.is_empty()).collect()
}

fn voice(row: &RankedDesign, material: &Material<'_>) -> Voice {
    let design = row.design_id.as_str();
    let overall = results::overall_scores(material.study);
    let [mut strengths, mut weaknesses, mut missing, mut risks] = [const { Vec::new() }; 4];
    let mut reasons = Vec::new();
    let designs = material.designs.iter().filter(|stored| stored.design_id == design);
    for claim in designs.flat_map(|stored| &stored.design.claims).filter(|claim| claim.is_wrong()) {
        add(
            &mut weaknesses,
            Tier::Observed.word(),
            &claim.checked().map_or_else(Vec::new, |text| vec![text]),
        );
    }
    for written in material.reviews {
        let review = &written.review;
        let who = review.review_id.as_str();
        for evaluation in review.evaluations.iter().filter(|one| one.design_id == design) {
            let said = &evaluation.qualitative;
            add(&mut strengths, who, &said.strengths);
            add(&mut weaknesses, who, &said.weaknesses);
            add(&mut missing, who, &said.missing_considerations);
            add(&mut risks, who, &said.risks);
            let score = overall
                .get(&(who, design))
                .map_or_else(String::new, |&score| format!("overall {}, ", number(Some(score))));
            reasons.push(Reason {
                who: who.to_owned(),
                verdict: format!("{score}risk {}", level(said.risk_assessment)),
                why: Prose::new(&evaluation.quantitative.justification),
            });
        }
        for one in review.comparisons.iter().filter(|one| one.first == design || one.second == design) {
            let rival = if one.first == design { &one.second } else { &one.first };
            let verdict = match (one.verdict.preferred, one.first == design) {
                (Preferred::Tie, _) => "as good as",
                (Preferred::First, true) | (Preferred::Second, false) => "preferred to",
                (Preferred::First, false) | (Preferred::Second, true) => "behind",
            };
            let place = if one.first == design { "first" } else { "second" };
            reasons.push(Reason {
                who: who.to_owned(),
                verdict: format!("{verdict} {rival}, shown {place}"),
                why: Prose::new(&one.verdict.justification),
            });
        }
    }
    let comments = row.qualitative_summary.comments.iter();
    let comments = comments.map(|text| Said { text: text.clone(), prose: Prose::new(text), who: Vec::new() });
    let lists = [
        ("Strengths", strengths),
        ("Weaknesses", weaknesses),
        ("Missing", missing),
        ("Risks", risks),
        ("People's comments", comments.collect()),
    ];
    Voice {
        design: design.to_owned(),
        lists: lists.into_iter().filter(|(_, items)| !items.is_empty()).collect(),
        reasons,
    }
}

fn add(list: &mut Vec<Said>, who: &str, items: &[String]) {
    for text in items {
        match list.iter_mut().find(|said| said.text == *text) {
            Some(said) if said.who.iter().any(|one| one == who) => {}
            Some(said) => said.who.push(who.to_owned()),
            None => {
                list.push(Said { text: text.clone(), prose: Prose::new(text), who: vec![who.to_owned()] });
            }
        }
    }
}
