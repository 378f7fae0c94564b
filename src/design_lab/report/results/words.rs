//! Which design came first and how certain that is, in words, and what the reader must know before relying on it.

use super::super::markdown::one_line;
use super::super::overview::Overview;
use super::listed;
use crate::design_lab::ranking::{RankedDesign, Ranking, VerdictKind};
use kernel::progress::Standing;

/// A bias is mentioned at the top if chance alone rarely causes it …
const NOTABLE_CHANCE: f64 = 0.05;
/// … or if a reviewer favours its own design by this many points, whether that can be tested or not.
const NOTABLE_POINTS: f64 = 1.0;

/// Explains how certain the verdict is and why, in a few sentences.
pub(in super::super) fn sure(ranking: &Ranking) -> Vec<String> {
    [
        only_reviewer(ranking),
        lead(ranking),
        few_dimensions(ranking),
        open(ranking),
        reach(ranking),
        agreement(ranking),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the designs that share the first place.
fn first(ranking: &Ranking) -> Vec<&RankedDesign> {
    ranking.rankings.iter().filter(|row| row.rank == Some(1)).collect()
}

/// States a single reviewer's opinion as an opinion.
fn only_reviewer(ranking: &Ranking) -> Option<String> {
    let mut reviewers = ranking.bias.reviewers.keys();
    let (Some(only), None) = (reviewers.next(), reviewers.next()) else { return None };
    let first: Vec<&str> = first(ranking).iter().map(|row| row.design_id.as_str()).collect();
    (!first.is_empty()).then(|| format!("{only}, the only reviewer, ranks {} first.", listed(&first)))
}

/// Names the dimensions that the first place rests on, if they are few.
fn few_dimensions(ranking: &Ranking) -> Option<String> {
    let led = ranking.choice.as_ref()?.leads_only_in.as_ref()?;
    let [first] = first(ranking)[..] else { return None };
    let whose = &first.design_id;
    Some(match &led[..] {
        [] => format!(
            "In every dimension, another design has a higher mean than {whose}. {whose} ranks first because \
             it is good in all of them."
        ),
        led => format!(
            "The first place rests on few dimensions: {whose} has the highest mean only in {}.",
            listed(led)
        ),
    })
}

/// States the lead of the first design over the next.
fn lead(ranking: &Ranking) -> Option<String> {
    let [first] = first(ranking)[..] else { return None };
    let next = ranking.rankings.iter().find(|row| row.rank.is_some_and(|rank| rank > 1))?;
    let second: Vec<&str> = ranking
        .rankings
        .iter()
        .filter(|row| row.rank == next.rank)
        .map(|row| row.design_id.as_str())
        .collect();
    let (ahead, behind) = (first.adjusted_score?, next.adjusted_score?);
    (ranking.verdict.kind != VerdictKind::Insufficient).then(|| {
        format!(
            "On the scale of 0–10, {} scores {ahead:.2}. That is {:.2} points more than {} with {behind:.2}.",
            first.design_id,
            ahead - behind,
            listed(&second),
        )
    })
}

/// States which other designs may be first, and which other places the first design may have.
fn open(ranking: &Ranking) -> Option<String> {
    let what = if ranking.pairwise.is_some() { "comparisons" } else { "scores" };
    let rivals: Vec<&str> = ranking
        .rankings
        .iter()
        .filter(|row| row.rank != Some(1) && row.rank_interval.is_some_and(|[best, _]| best == 1))
        .map(|row| row.design_id.as_str())
        .collect();
    if !rivals.is_empty() {
        let of = listed(&rivals);
        return Some(if rivals.len() == 1 {
            format!("By the {what}, {of} could also be first: its 95% range of ranks includes 1.")
        } else {
            format!("By the {what}, {of} could also be first: their 95% ranges of ranks include 1.")
        });
    }
    let [first] = first(ranking)[..] else { return None };
    Some(match first.rank_interval? {
        [_, 1] => {
            format!("By the {what}, no other design could be first: no other 95% range of ranks includes 1.")
        }
        [_, worst] => {
            format!("By the {what}, the 95% range of ranks of {} is 1 to {worst}.", first.design_id)
        }
    })
}

/// States the assumptions behind the chance of being the best.
fn reach(ranking: &Ranking) -> Option<String> {
    let spoken = ranking.verdict.probability.is_some() && first(ranking).len() == 1;
    let assumed = if ranking.pairwise.is_some() {
        "These verdicts are too few to show how large an error the reviewers share. The chance therefore uses \
         the size that was measured for other model judges. It predicts what reviewers like these would say. \
         People may disagree."
    } else {
        "These scores are too few to show how noisy the reviewers are or how large an error they share. The \
         chance therefore uses what was measured when other model judges were compared with people. It \
         predicts what reviewers like these would say. People may disagree."
    };
    spoken.then(|| assumed.to_owned())
}

/// States how similar the reviewers' orders are, and the equivalent number of independent reviewers.
fn agreement(ranking: &Ranking) -> Option<String> {
    let agreement = &ranking.agreement;
    if agreement.reviewers < 2 {
        return None;
    }
    let votes = agreement.effective_votes.map_or_else(String::new, |votes| {
        format!(" Together they count as about {votes:.1} independent reviewers.")
    });
    let ranked = ranking.rankings.iter().filter(|row| row.rank.is_some()).count();
    let alike = agreement.rank_correlation.filter(|_| ranked > 2).map(|correlation| match correlation {
        0.8.. => "put the designs in nearly the same order",
        0.5..0.8 => "put the designs in similar orders",
        0.2..0.5 => "agree only loosely on the order",
        -0.2..0.2 => "have no common order",
        _ => "contradict each other",
    });
    let own = if ranking.metadata.self_reviews_excluded > 0 { ", apart from their own designs" } else { "" };
    match alike {
        Some(alike) => Some(format!("The {} reviewers {alike}{own}.{votes}", agreement.reviewers)),
        None if votes.is_empty() => None,
        None => Some(votes.trim_start().to_owned()),
    }
}

/// Returns what the reader must know before relying on the result.
pub(in super::super) fn warnings(run: &Overview<'_>, ranking: &Ranking) -> Vec<String> {
    let mut notes: Vec<String> = run.notes.to_vec();
    notes.extend(run.void_cap.clone());
    if !run.isolated {
        notes.push("Isolation was switched off: designers could have seen each other's work.".to_owned());
    }
    if !run.unchecked_tools.is_empty() {
        notes.push(format!(
            "Isolation was weakened: sessions could call {}, and Design Lab can't check what such a tool \
             reads.",
            listed(&run.unchecked_tools)
        ));
    }
    if let Some(reason) = run.closing {
        notes.push(format!("The run is incomplete. Design Lab made no more calls: {reason}."));
    }
    for (kind, participants) in [("design", &run.designers), ("review", &run.reviewers)] {
        for participant in participants {
            if let Standing::Failed(reason) = &participant.standing {
                notes.push(format!(
                    "The {kind} by {} is missing: {}.",
                    participant.name,
                    reason.wording().trim_end_matches('.')
                ));
            }
        }
    }
    let cautions = ranking.additions.iter().map(|addition| addition.caution.clone());
    notes.extend(cautions.filter(|caution| !caution.is_empty()));
    for found in &ranking.bias.instructions_in_designs {
        notes.push(format!(
            "The text of {} addresses its reviewers: “{}”. The reviewers' instructions count that as a \
             fault.",
            found.design_id,
            one_line(&found.excerpt)
        ));
    }
    notes.extend(biases(ranking));
    for one in &ranking.agreement.dissent {
        let quote = one.quote.as_ref().map_or_else(
            || ": read that review.".to_owned(),
            |quote| format!(", and says: “{}”", one_line(quote)),
        );
        notes.push(format!(
            "{} gave {} {:.1}, but all the other scores predict {:.1}{quote}",
            one.reviewer, one.design_id, one.score, one.expected
        ));
    }
    notes
}

/// States which influences other than quality affected the scores, and whether the ranking allows for them.
fn biases(ranking: &Ranking) -> Vec<String> {
    let bias = &ranking.bias;
    let notable = |p: Option<f64>| p.is_some_and(|p| p <= NOTABLE_CHANCE);
    let estimated =
        if ranking.pairwise.is_some() { "" } else { " The adjusted score subtracts the estimated effect." };
    let mut notes = Vec::new();
    if notable(bias.position.p_value) {
        notes.push(format!("{}{estimated}", bias.position.sentence));
    }
    if notable(bias.length.p_value) {
        notes.push(format!(
            "{} The ranking doesn't correct this: longer designs may be better, or only look better.",
            bias.length.sentence
        ));
    }
    for (preferences, treatment) in [(&bias.self_preference, estimated), (&bias.family_preference, "")] {
        for (reviewer, preference) in preferences {
            let large = preference.points.is_some_and(|points| points >= NOTABLE_POINTS);
            if large || notable(preference.p_value) {
                notes.push(format!("{} {}{treatment}", reviewer, preference.sentence));
            }
        }
    }
    notes
}
