//! The codes of this workflow's own problems, and the problems that several commands share.

use kernel::error_codes;
use kernel::problem::Problem;

error_codes! {
    /// Why a command can't do its job, or a run gets no ranking.
    pub enum WorkflowCode {
        /// A file contains no design.
        CandidateEmpty => "candidate.empty",
        /// A file can't be hidden from designers, or is outside the project.
        CandidateOutside => "candidate.outside",
        /// A file is named twice.
        CandidateTwice => "candidate.twice",
        /// No model can draft a rubric: only people review.
        NoDrafter => "command.no-drafter",
        /// `--max-cost` has no valid amount.
        BadCost => "command.bad-cost",
        /// There are fewer than the two review models that can agree.
        FewReviewers => "command.few-reviewers",
        /// `--rounds` has no valid number.
        BadRounds => "command.bad-rounds",
        /// Comparing the first two designs would change nothing.
        NothingToCompare => "command.nothing-to-compare",
        /// The run has a decision map.
        MappedAlready => "command.mapped-already",
        /// A model that is to join the reviewers is already one of them.
        ReviewsAlready => "command.reviews-already",
        /// The command may cost more than the user allows without a yes.
        WantsYes => "command.wants-yes",
        /// A remark is too long.
        LongRemark => "command.long-remark",
        /// An option has no value.
        MissingValue => "command.missing-value",
        /// A command has a word too many.
        TooManyWords => "command.too-many-words",
        /// A word is no outcome of a design.
        UnknownOutcome => "command.unknown-outcome",
        /// `--by` names no available model.
        UnknownModel => "command.unknown-model",
        /// The command has no such option.
        UnknownOption => "command.unknown-option",
        /// A decision has no such form.
        UnknownForm => "command.unknown-form",
        /// The outcome of a design is recorded already.
        OutcomeKnown => "rank.outcome-known",
        /// More than the weights has changed in the rubric since the run was reviewed.
        OtherRubric => "rank.other-rubric",
        /// The run was stopped.
        Cancelled => "run.cancelled",
        /// The run to continue or build upon has not started.
        Empty => "run.empty",
        /// A run of the same task under the same configuration exists already.
        Exists => "run.exists",
        /// Nothing in the run is left to ask.
        Finished => "run.finished",
        /// A design was never written.
        NoDesign => "run.no-design",
        /// No reviewer wrote a comment to refine by.
        NoFeedback => "run.no-feedback",
        /// Every name that the run could have is taken.
        NoName => "run.no-name",
        /// No review was written.
        NoReviews => "run.no-reviews",
        /// There is no run of the kind that a command needs.
        NoRun => "run.none",
        /// The run has no ranking.
        NotRanked => "run.not-ranked",
        /// Nothing has failed that could be retried.
        NothingFailed => "run.nothing-failed",
        /// No new design was written.
        NothingNew => "run.nothing-new",
        /// No rubric waits for approval, or its file doesn't exist.
        NoRubric => "run.no-rubric",
        /// The typed hash is not that of the rubric in the file.
        RubricChanged => "run.rubric-changed",
        /// Only the user decides on the drafted rubric.
        RubricWaits => "run.rubric-waits",
        /// The set of designs can't be changed any more.
        SetStands => "run.set-stands",
        /// There are fewer than the two designs that a comparison needs.
        TooFewDesigns => "run.too-few-designs",
        /// The run has no such design.
        UnknownDesign => "run.unknown-design",
        /// The run is not over.
        Unfinished => "run.unfinished",
    }
}

/// The problem of an option that the command doesn't have.
pub(super) fn unknown_option(option: &str) -> Problem {
    Problem::new(WorkflowCode::UnknownOption, format!("This command has no option `{option}`."))
}

/// The problem of a word too many.
pub(super) fn too_many_words(word: &str) -> Problem {
    Problem::new(WorkflowCode::TooManyWords, format!("The word `{word}` isn't expected here."))
}

/// The problem of a run with fewer than the two designs that a comparison needs.
pub(super) fn too_few_designs(run: &str, there: usize) -> Problem {
    let message = format!("{run} has {there} of the 2 designs that a comparison needs.");
    Problem::new(WorkflowCode::TooFewDesigns, message)
        .next(format!("/design-lab-resume {run} requests the missing designs."))
}
