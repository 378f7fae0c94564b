//! The rules for accepting an answer, and for asking again.

use kernel::job::Job;
use kernel::json::Deserialize;
use kernel::workflow::{Repetition, Workflow};
use serde::Serialize;

/// The rules by which a run accepts answers.
///
/// A run keeps the rules under which it was opened: replaying its journal judges every answer again, and must reach the same verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ReplyRules"))]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// An answer must have the right structure. Journals that name no rules were written under these.
    #[default]
    Structure,
    /// Its texts must also be the model's own, its scores must differ between designs, and a review must name what it reviews.
    OwnWords,
    /// The items of its lists must not be blank, either.
    FilledLists,
    /// A model that returns no object twice in a row gets the request in a new conversation.
    FreshStart,
    /// A test that is written for a validation decides a single criterion.
    SingleCriterion,
    /// What a design states about the project is looked up there; a design that states nothing is asked for it.
    CheckedClaims,
    /// A reviewer gives the reason before each score, and quotes what it finds weak.
    QuotedReviews,
    /// A validation asks for its criteria group by group.
    SeparateCriteria,
}

impl Rules {
    /// The rules of new runs.
    pub const LATEST: Self = Self::SeparateCriteria;

    /// Whether these are the rules of journals that name none.
    #[must_use]
    pub fn are_oldest(&self) -> bool {
        *self == Self::Structure
    }

    /// Whether texts must be the model's own.
    #[must_use]
    pub fn want_own_words(self) -> bool {
        self >= Self::OwnWords
    }

    /// Whether the items of lists must not be blank.
    #[must_use]
    pub fn want_filled_lists(self) -> bool {
        self >= Self::FilledLists
    }

    /// Whether a written test must decide a single criterion.
    #[must_use]
    pub fn want_single_criteria(self) -> bool {
        self >= Self::SingleCriterion
    }

    /// Whether statements of a design about the project are looked up.
    #[must_use]
    pub fn want_checked_claims(self) -> bool {
        self >= Self::CheckedClaims
    }

    /// Whether a reviewer gives the reason before each score, and quotes what it finds weak.
    #[must_use]
    pub fn want_evidence(self) -> bool {
        self >= Self::QuotedReviews
    }

    /// Whether a validation asks for its criteria group by group.
    #[must_use]
    pub fn want_separate_criteria(self) -> bool {
        self >= Self::SeparateCriteria
    }

    /// Whether the parts of a design for a builder must be the model's own, too.
    #[must_use]
    pub fn want_details(self) -> bool {
        self >= Self::QuotedReviews
    }

    /// Whether a reviewer answers for each constraint of the task.
    #[must_use]
    pub fn want_constraints(self) -> bool {
        self >= Self::QuotedReviews
    }

    /// The prompt for a new conversation after a repetition; `None` to ask as before.
    pub(crate) fn ask_otherwise<W: Workflow>(
        self,
        run: &W,
        job: &Job<W>,
        reason: &str,
        again: Repetition,
    ) -> Option<String> {
        // In a new conversation, the prompt includes its material.
        let afresh = Job { in_conversation: false, ..job.clone() };
        self.leaves(again, job.prompt_text()).then(|| super::otherwise(&run.prompt(&afresh), reason))
    }

    /// Whether to leave the conversation. `asked`: the last prompt to the model. A conversation that has produced an object continues:
    /// the correct parts of the object are worth keeping.
    fn leaves(self, again: Repetition, asked: Option<&str>) -> bool {
        match again {
            Repetition::Answer => self.want_own_words(),
            Repetition::Fault => self >= Self::FreshStart && asked == Some(&super::missing()),
        }
    }

    /// The lowest temperature for a retry: near 0 a model repeats itself word for word, and at 0.7 a small one still does so in every
    /// fourth conversation. Most models are made for 1, which is also the highest temperature that every vendor accepts.
    #[must_use]
    pub fn repair_temperature(self) -> f64 {
        match self {
            Self::Structure => 0.0,
            Self::OwnWords | Self::FilledLists => 0.7,
            Self::FreshStart
            | Self::SingleCriterion
            | Self::CheckedClaims
            | Self::QuotedReviews
            | Self::SeparateCriteria => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::reply::missing;

    #[test]
    fn a_conversation_is_left_that_holds_no_object_and_one_that_repeats_itself() {
        let wording = missing();
        for (rules, again, asked, left) in [
            (Rules::LATEST, Repetition::Fault, Some(wording.as_str()), true),
            (Rules::LATEST, Repetition::Fault, Some("Fix /title."), false),
            (Rules::LATEST, Repetition::Fault, None, false),
            (Rules::FilledLists, Repetition::Fault, Some(wording.as_str()), false),
            (Rules::FilledLists, Repetition::Answer, Some("Fix /title."), true),
            (Rules::Structure, Repetition::Answer, Some(wording.as_str()), false),
        ] {
            assert_eq!(rules.leaves(again, asked), left, "{rules:?} {again:?} {asked:?}");
        }
    }
}
