//! The names of jobs: the only place that makes the text of a [`JobId`], and the only one that reads it.
//!
//! A job is called `topic`, `rubric`, `map`, `design:<id>` or `review:<id>:<repeat>`, in pairwise mode `review:<id>:<number of the comparison>`. A
//! comparison on top of scores is called `pair:<id>:<number>`. A person's form is not a job, but has the id `human:<id>`.

use crate::design_lab::ids::{DesignId, ReviewerId};
use kernel::protocol::JobId;

/// The meaning of a job's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JobName {
    /// Naming the run.
    Topic,
    /// Drafting the rubric.
    Rubric,
    /// Writing the design of this id.
    Design(DesignId),
    /// Reviewing.
    Review {
        /// The reviewer's id.
        reviewer: ReviewerId,
        /// The number of its repeat or, in pairwise mode, of its comparison; from 1.
        number: u32,
    },
    /// Mapping the decisions of all designs.
    Map,
    /// Comparing two designs that the reviewer has scored.
    Pair {
        /// The reviewer's id.
        reviewer: ReviewerId,
        /// The number of its comparison, from 1.
        number: u32,
    },
    /// Not a job, but a person's form: under this name, the journal keeps how that person sees the designs.
    Form {
        /// The person's id.
        person: ReviewerId,
    },
}

impl JobName {
    /// The id with this meaning.
    pub(super) fn id(&self) -> JobId {
        JobId::new(match self {
            Self::Topic => "topic".to_owned(),
            Self::Rubric => "rubric".to_owned(),
            Self::Design(id) => format!("design:{id}"),
            Self::Review { reviewer, number } => format!("review:{reviewer}:{number}"),
            Self::Map => "map".to_owned(),
            Self::Pair { reviewer, number } => format!("pair:{reviewer}:{number}"),
            Self::Form { person } => format!("human:{person}"),
        })
    }

    /// The readable form of an id.
    pub(super) fn in_words(id: &JobId) -> String {
        id.as_str().replace(':', " ")
    }

    /// The meaning of an id; `None` if no job of this workflow has such an id.
    pub(super) fn of(id: &JobId) -> Option<Self> {
        let (kind, rest) = id.as_str().split_once(':').unwrap_or((id.as_str(), ""));
        let name = match kind {
            "topic" => Self::Topic,
            "rubric" => Self::Rubric,
            "design" => Self::Design(DesignId::new(rest)),
            "review" | "pair" => {
                let (reviewer, number) = rest.split_once(':')?;
                let (reviewer, number) = (ReviewerId::new(reviewer), number.parse().ok()?);
                if kind == "pair" {
                    Self::Pair { reviewer, number }
                } else {
                    Self::Review { reviewer, number }
                }
            }
            "map" => Self::Map,
            "human" => Self::Form { person: ReviewerId::new(rest) },
            _ => return None,
        };
        // A job has only one id: no `topic:`, no `+1` and no `01`.
        (name.id() == *id).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> impl Strategy<Value = JobName> {
        let id = || "[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,2}";
        prop_oneof![
            Just(JobName::Topic),
            Just(JobName::Map),
            Just(JobName::Rubric),
            id().prop_map(|id| JobName::Design(DesignId::new(id))),
            (id(), any::<u32>()).prop_map(|(reviewer, number)| JobName::Review {
                reviewer: ReviewerId::new(reviewer),
                number
            }),
            (id(), any::<u32>())
                .prop_map(|(reviewer, number)| JobName::Pair { reviewer: ReviewerId::new(reviewer), number }),
            id().prop_map(|person| JobName::Form { person: ReviewerId::new(person) }),
        ]
    }

    proptest! {
        #[test]
        fn an_id_says_what_it_was_made_of(name in names()) {
            prop_assert_eq!(JobName::of(&name.id()), Some(name));
        }

        #[test]
        fn an_id_that_says_something_is_the_only_one_that_says_it(
            text in "(topic|rubric|design|review|pair|map|human|other)?(:[a-z0-9+-]{0,3}){0,3}",
        ) {
            let id = JobId::new(text);
            if let Some(name) = JobName::of(&id) {
                prop_assert_eq!(name.id(), id);
            }
        }
    }

    #[test]
    fn other_texts_say_nothing() {
        for text in
            ["", "topic:", "Topic", "review:judge", "review:judge:", "review:judge:01", "review:judge:+1"]
        {
            assert_eq!(JobName::of(&JobId::new(text)), None, "{text}");
        }
    }
}
