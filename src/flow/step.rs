//! The steps of a feature's build, each with what exists only in it.
//!
//! ```text
//! Before → Working → After → Judging(files, checks → copies → small faults → exam → reviewer → copies → confirmation)
//!             ↑________↓________________________|
//! ```
//!
//! Only [`Step::Judging`] has files that evidence is about, and it always has them: nothing can be checked, reviewed or completed
//! before somebody has looked at the files.

use super::exam::Exam;
use super::plan::Check;
use super::protocol::TreeId;
use super::report::Report;
use super::review::Review;
use kernel::protocol::JobId;
use kernel::reason::Reason;
use std::collections::VecDeque;

/// What a feature waits for.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// The tree before the worker, after the lane if one has to be made.
    Before {
        /// Whether the feature was built before: it is checked before its worker is asked.
        is_built: bool,
    },
    /// The worker.
    Working(Work),
    /// The tree after the worker.
    After(Look),
    /// A judgement of the files.
    Judging(Frozen, Judge),
}

/// The two trees of a feature's change.
#[derive(Clone, Debug)]
pub(super) struct Trees {
    /// The tree before the feature was first started.
    pub(super) base: TreeId,
    /// The tree at the last look, except the one after a review.
    pub(super) now: TreeId,
}

/// A worker's turn.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) trees: Trees,
    /// Whether the worker may leave the files unchanged in this round.
    pub(super) may_stay: bool,
    /// A report that has not been acted on yet.
    pub(super) report: Option<Report>,
}

/// A look at the files after a worker's turn, or in its place.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) trees: Trees,
    /// Whether the files may be unchanged.
    pub(super) may_stay: bool,
    /// How the worker gave up, if it did.
    pub(super) gave_up: Option<GaveUp>,
}

/// How a worker's turn ended when it wasn't done, with the worker's reason.
#[derive(Clone, Debug)]
pub(super) enum GaveUp {
    /// It gave no report.
    Failed {
        /// Why its job failed.
        reason: Reason,
        /// Why no more calls may be made, if there is a reason.
        closing: Option<String>,
    },
    /// Something is in its way.
    Blocked(String),
    /// The plan doesn't fit.
    Replan(String),
}

/// Files that are judged. They count only as long as they stay as they are.
#[derive(Clone, Debug)]
pub(super) struct Frozen {
    pub(super) trees: Trees,
    /// The seal of the copy of them that reviewers read; `None` before there is one.
    pub(super) seal: Option<String>,
}

impl Frozen {
    /// The tree that evidence is about.
    pub(super) fn tree(&self) -> &TreeId {
        &self.trees.now
    }
}

/// What judges the files.
#[derive(Clone, Debug)]
pub(super) enum Judge {
    /// Checks.
    Checking {
        /// The check that is running.
        check: Check,
        /// The checks that follow it.
        left: VecDeque<Check>,
    },
    /// The checks on the files as they were before the feature.
    Probing,
    /// The checks in a clean copy.
    Repeating,
    /// The checks on exactly the files from before the feature.
    Comparing,
    /// The checks with small faults in the feature.
    Mutating,
    /// The examiner.
    Examining {
        /// Its job.
        examiner: JobId,
        /// An exam that has not been acted on yet.
        exam: Option<Exam>,
    },
    /// The tests of the exam.
    Sitting,
    /// The reviewer.
    Reviewing {
        /// Its job.
        reviewer: JobId,
        /// A review that has not been acted on yet.
        review: Option<Review>,
    },
    /// The reproducers of the reviewer's findings.
    Reproducing {
        /// The finding whose reproducer is running, by its index in the review.
        finding: usize,
        /// The findings that follow it.
        left: VecDeque<usize>,
    },
    /// The tree after the review.
    Confirming,
}

impl Step {
    /// The step as a word for people.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Before { .. } | Self::Working(_) => "working",
            Self::After(_) => "checking",
            Self::Judging(_, judge) => judge.word(),
        }
    }

    /// The tree at the last look; `None` before the first one.
    pub(super) fn tree(&self) -> Option<&TreeId> {
        match self {
            Self::Before { .. } => None,
            Self::Working(Work { trees, .. })
            | Self::After(Look { trees, .. })
            | Self::Judging(Frozen { trees, .. }, _) => Some(&trees.now),
        }
    }

    /// The job that is asked about the files: an examiner's or a reviewer's.
    pub(super) fn judging_job(&self) -> Option<&JobId> {
        match self {
            Self::Judging(
                _,
                Judge::Examining { examiner: job, .. } | Judge::Reviewing { reviewer: job, .. },
            ) => Some(job),
            _ => None,
        }
    }
}

impl Judge {
    fn word(&self) -> &'static str {
        match self {
            Self::Checking { .. } => "checking",
            Self::Probing | Self::Repeating | Self::Comparing | Self::Mutating => "in copies",
            Self::Examining { .. } | Self::Sitting => "examining",
            Self::Reviewing { .. } | Self::Reproducing { .. } | Self::Confirming => "reviewing",
        }
    }
}
