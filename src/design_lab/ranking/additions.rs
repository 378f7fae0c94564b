//! What changed with reviewers that joined after a ranking existed.

use super::output::{Addition, Moved, Ranking};
use super::study::Study;
use crate::design_lab::ids::{DesignId, ReviewerId};
use crate::shared::figures::interval;
use std::ops::Deref;

impl Study {
    /// Returns the study without these reviewers and what they gave.
    #[must_use]
    pub fn without(&self, reviewers: &[ReviewerId]) -> Self {
        let mut study = self.clone();
        study.rows.retain(|row| !reviewers.contains(&row.reviewer));
        study.shown.retain(|shown| !reviewers.contains(&shown.reviewer));
        study.comparisons.retain(|one| !reviewers.contains(&one.reviewer));
        study.reviewers.retain(|one| !reviewers.contains(&one.id));
        study
    }

    /// Whether a reviewer gave no score and no verdict.
    fn is_silent(&self, reviewer: &ReviewerId) -> bool {
        self.rows.iter().all(|row| row.reviewer != *reviewer)
            && self.comparisons.iter().all(|one| one.reviewer != *reviewer)
    }
}

impl Addition {
    /// Returns the changes from the ranking without these reviewers to the one with them. `study` contains the reviews
    /// of all.
    pub fn between(reviewers: &[ReviewerId], study: &Study, before: &Ranking, after: &Ranking) -> Self {
        let first = [first(before), first(after)];
        let effective_votes = [before.agreement.effective_votes, after.agreement.effective_votes];
        let mut moved = Vec::new();
        for now in &after.rankings {
            let then = before.rankings.iter().find(|row| row.design_id == now.design_id);
            let Some(then) =
                then.filter(|then| (then.rank, then.rank_interval) != (now.rank, now.rank_interval))
            else {
                continue;
            };
            moved.push(Moved {
                design_id: now.design_id.clone(),
                rank: [then.rank, now.rank],
                rank_interval: [then.rank_interval, now.rank_interval],
            });
        }
        let names = listed(reviewers);
        let mut sentences = vec![format!("Without {names}: {}", before.verdict.sentence)];
        sentences.push(if first[0] == first[1] {
            format!("First place before and after: {}.", listed(&first[1]))
        } else {
            format!("First place before: {}; now: {}.", listed(&first[0]), listed(&first[1]))
        });
        let place = |rank: Option<u32>, ranks: Option<[u32; 2]>| match (rank, ranks) {
            (None, _) => "no rank".to_owned(),
            (Some(rank), None) => rank.to_string(),
            (Some(rank), ranks) => format!("{rank} (could be {})", interval(ranks)),
        };
        let rows: Vec<String> = moved
            .iter()
            .map(|one| {
                let [then, now] = [0, 1].map(|at| place(one.rank[at], one.rank_interval[at]));
                format!("{} from {then} to {now}", one.design_id)
            })
            .collect();
        sentences.push(match &rows[..] {
            [] => "No rank and no range of ranks changed.".to_owned(),
            rows => format!("Changed ranks: {}.", rows.join("; ")),
        });
        if let [Some(then), Some(now)] = effective_votes {
            sentences.push(format!(
                "The reviewers count as about {now:.1} independent ones; without {names}, they count as \
                 about {then:.1}."
            ));
        }
        let mut caution = format!(
            "Reviewers were added after a ranking had been seen: {names}. If you add reviewers until you \
             like the answer, you will get that answer; the chances given here don't account for that."
        );
        if reviewers.iter().all(|reviewer| study.is_silent(reviewer)) {
            sentences = vec![format!("{names} gave no review, so nothing changed.")];
            caution.clear();
        }
        Self {
            caution,
            reviewers: reviewers.to_vec(),
            verdict: [before.verdict.kind, after.verdict.kind],
            first,
            effective_votes,
            moved,
            sentences,
        }
    }
}

fn first(ranking: &Ranking) -> Vec<DesignId> {
    let first = ranking.rankings.iter().filter(|row| row.rank == Some(1));
    first.map(|row| row.design_id.clone()).collect()
}

/// Joins names: `a`, `a and b`, `a, b and c`; `no design` if there are none.
fn listed(names: &[impl Deref<Target = str>]) -> String {
    match names {
        [] => "no design".to_owned(),
        [name] => (**name).to_owned(),
        [others @ .., last] => {
            let others: Vec<&str> = others.iter().map(|name| &**name).collect();
            format!("{} and {}", others.join(", "), &**last)
        }
    }
}
