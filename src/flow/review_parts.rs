//! A review in parts: in one session, the reviewer first answers for the change as a whole, then for its criteria, group by group.
//!
//! ```text
//! material + findings? → decision, findings → criterion 1? → met → criterion 2? → not met → … → the whole review
//! ```
//!
//! Only the part at fault is asked again. The parts of a review count as one call of a feature's budget.

use super::plan::{Criterion, Feature};
use super::prompts;
use super::review::{Asked, Judged, Review};
use super::session::{Job, Part, Session, Turn};
use crate::shared::groups;
use std::collections::VecDeque;

/// A review that is given in parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The part of the prompt that shows the change, for a conversation that has to begin again.
    material: String,
    /// The criteria that still have to be judged, in the groups in which they are asked.
    left: VecDeque<Vec<Criterion>>,
    /// What is judged so far.
    judged: Vec<Judged>,
    /// The answer about the change as a whole, and how many prompts led to it.
    given: Option<(Review, u32)>,
}

impl Parts {
    /// `judged`: the criteria that an earlier review of the same files judged; empty if there was none.
    pub(super) fn new(material: String, groups: Vec<Vec<Criterion>>, judged: Vec<Judged>) -> Self {
        let is_left = |one: &Criterion| judged.iter().all(|known| known.id != one.id);
        let left = groups.into_iter().map(|group| group.into_iter().filter(is_left).collect::<Vec<_>>());
        let left = left.filter(|group| !group.is_empty()).collect();
        Self { material, left, judged, given: None }
    }

    /// What is asked now.
    pub(super) fn asked(&self) -> Asked<'_> {
        match self.left.front() {
            Some(group) if self.given.is_some() => Asked::Criteria(group),
            next => Asked::Findings { criteria: next.is_some() },
        }
    }

    /// Keeps an answer that `prompts` prompts of the job led to. Returns the whole review once it is complete.
    pub(super) fn add(&mut self, answer: Review, prompts: u32) -> Option<Review> {
        match &mut self.given {
            None => self.given = Some((answer, prompts)),
            Some((given, _)) => {
                self.left.pop_front();
                self.judged.extend(answer.criteria);
                // A reviewer may find something while it reads for a criterion.
                given.findings.extend(answer.findings);
                given.decision = given.decision.max(answer.decision);
            }
        }
        let (given, _) = self.given.as_ref().filter(|_| self.left.is_empty())?;
        Some(Review { criteria: self.judged.clone(), ..given.clone() })
    }

    /// The prompts of a job that count as calls: those about criteria belong to the review's call.
    pub(super) fn calls(&self, prompts: u32) -> u32 {
        self.given.as_ref().map_or(prompts, |(_, first)| *first)
    }

    /// The progress in words, such as `criterion 2 of 4`; `None` before the criteria.
    pub(super) fn progress(&self) -> Option<String> {
        let Asked::Criteria(group) = self.asked() else { return None };
        let (judged, left) = (self.judged.len(), self.left.iter().map(Vec::len).sum::<usize>());
        let first = judged + 1;
        Some(match group.len() {
            1 => format!("criterion {first} of {}", judged + left),
            several => format!("criteria {first} to {} of {}", judged + several, judged + left),
        })
    }
}

impl Session {
    /// The groups in which a reviewer judges the criteria. One group is judged together with the findings.
    pub(super) fn groups_of_criteria(&self, about: &Feature, whole: bool) -> Vec<Vec<Criterion>> {
        let criteria: Vec<Criterion> = about.criteria().cloned().collect();
        if self.opening.rules < 9 {
            return vec![criteria];
        }
        let per_call = self.settings.criteria_per_call;
        let size = groups::size(criteria.len(), per_call);
        if whole && per_call.is_none() && size > 1 {
            // Each criterion was judged by itself when its feature was reviewed.
            return criteria
                .chunk_by(|one, next| one.feature() == next.feature())
                .map(<[_]>::to_vec)
                .collect();
        }
        criteria.chunks(size).map(<[_]>::to_vec).collect()
    }

    /// Keeps a reviewer's answer. Returns what it is asked next; `None` when its review is complete.
    pub(super) fn take_review(&mut self, index: usize, answer: Review) -> Option<Turn> {
        let job = &mut self.calls.jobs[index];
        let (id, session) = (job.id.clone(), job.session.clone().unwrap_or_default());
        let whole = match &mut job.part.parts {
            None => answer,
            Some(parts) => match parts.add(answer, job.ledger.prompts) {
                Some(whole) => whole,
                None => return Some(Turn::Criteria),
            },
        };
        self.reviewed(id, session, whole);
        None
    }
}

/// The request about the criteria that are judged next. A conversation that begins again needs the material, too.
pub(super) fn prompt(job: &Job) -> String {
    let Some(parts) = &job.part.parts else { return String::new() };
    let question = prompts::review_criteria(parts.asked());
    if job.in_conversation { question } else { format!("{}\n\n{question}", parts.material) }
}

/// The requests that follow the first one of a review in parts, each as a job that makes it: for a forecast.
pub(super) fn further_parts(job: &Job) -> impl Iterator<Item = Job> {
    let parts = job.part.parts.iter().flat_map(|parts| parts.left.iter().map(move |group| (parts, group)));
    parts.map(|(parts, group)| {
        let given = Some((Review::default(), 1));
        let next = Parts { left: [group.clone()].into(), given, ..parts.clone() };
        let part = Part { parts: Some(next), ..job.part.clone() };
        Job { in_conversation: true, ..Job::new(job.id.clone(), Turn::Criteria, part) }
    })
}
