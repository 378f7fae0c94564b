//! Which rules decide whether an answer is accepted, and how it is asked for again.

use kernel::job::Job;
use kernel::workflow::{Repetition, Workflow};
use serde::{Deserialize, Serialize};

/// The rules by which a run accepts answers.
///
/// A run keeps the rules that it was opened under: replaying its journal judges every answer again, and has to come to the same verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Rules {
    /// An answer has to have the right structure. Journals that name no rules were written under these.
    #[default]
    Structure,
    /// Its texts also have to be the model's own, its scores have to tell designs apart, and a review has to name what it reviews.
    OwnWords,
    /// The items of its lists have to say something, too.
    FilledLists,
    /// A model that returns no object twice in a row gets the request in a new conversation.
    FreshStart,
}

impl Rules {
    /// The rules of runs that begin now.
    pub const LATEST: Self = Self::FreshStart;

    /// Whether they are those of journals that name none.
    #[must_use]
    pub fn are_oldest(&self) -> bool {
        *self == Self::Structure
    }

    /// Whether texts have to be the model's own.
    #[must_use]
    pub fn want_own_words(self) -> bool {
        self >= Self::OwnWords
    }

    /// Whether the items of lists have to say something.
    #[must_use]
    pub fn want_filled_lists(self) -> bool {
        self >= Self::FilledLists
    }

    /// What a model is asked in a new conversation once something has come again; `None` to ask as before.
    pub(crate) fn ask_otherwise<W: Workflow>(
        self,
        run: &W,
        job: &Job<W>,
        reason: &str,
        again: Repetition,
    ) -> Option<String> {
        // In a new conversation the prompt brings its material along.
        let afresh = Job { in_conversation: false, ..job.clone() };
        self.leaves(again, job.prompt_text()).then(|| super::otherwise(&run.prompt(&afresh), reason))
    }

    /// Whether the conversation is left. `asked`: what the model was told last. One with an object in it stays: what is right in that is
    /// worth fixing.
    fn leaves(self, again: Repetition, asked: Option<&str>) -> bool {
        match again {
            Repetition::Answer => self.want_own_words(),
            Repetition::Fault => self >= Self::FreshStart && asked == Some(&super::missing()),
        }
    }

    /// The lowest temperature at which an answer is asked for again: near 0 a model repeats itself word for word, and at 0.7 a small one
    /// still does so in every fourth conversation. 1 is what most models are made for, and the highest that every vendor takes.
    #[must_use]
    pub fn repair_temperature(self) -> f64 {
        match self {
            Self::Structure => 0.0,
            Self::OwnWords | Self::FilledLists => 0.7,
            Self::FreshStart => 1.0,
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
