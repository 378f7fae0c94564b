//! The codes of runs of this workflow, beside those of any run, and the problems that several commands share.

use kernel::error_codes;
use kernel::problem::Problem;

error_codes! {
    /// What keeps a command from doing what it is for, or a run from its ranking.
    pub enum WorkflowCode {
        /// A file says nothing of a design.
        CandidateEmpty => "candidate.empty",
        /// A file can't be kept from designers, or isn't the project's.
        CandidateOutside => "candidate.outside",
        /// A file is named twice.
        CandidateTwice => "candidate.twice",
        /// `--max-cost` has no amount that it takes.
        BadCost => "command.bad-cost",
        /// There are not the two reviewing models that are needed to agree.
        FewReviewers => "command.few-reviewers",
        /// `--rounds` has no number that it takes.
        BadRounds => "command.bad-rounds",
        /// Who is to join the reviewers is one of them.
        ReviewsAlready => "command.reviews-already",
        /// What was asked for may cost more than the user wants to pay without a yes.
        WantsYes => "command.wants-yes",
        /// A remark is longer than a prompt should bear.
        LongRemark => "command.long-remark",
        /// An option has no value.
        MissingValue => "command.missing-value",
        /// A command has a word that it doesn't take.
        TooManyWords => "command.too-many-words",
        /// `--by` names no model that is there.
        UnknownModel => "command.unknown-model",
        /// A command has no such option.
        UnknownOption => "command.unknown-option",
        /// A decision has no such form.
        UnknownForm => "command.unknown-form",
        /// More than weights has changed in the rubric since the run was reviewed.
        OtherRubric => "rank.other-rubric",
        /// The run was stopped.
        Cancelled => "run.cancelled",
        /// The run to go on from has not begun.
        Empty => "run.empty",
        /// The same task under the same configuration has a run already.
        Exists => "run.exists",
        /// Nothing in the run is left to be asked.
        Finished => "run.finished",
        /// A design was never written.
        NoDesign => "run.no-design",
        /// No reviewer said anything to refine by.
        NoFeedback => "run.no-feedback",
        /// Every name that the run could have is taken.
        NoName => "run.no-name",
        /// No review was written.
        NoReviews => "run.no-reviews",
        /// No run is there of the kind that a command wants.
        NoRun => "run.none",
        /// The run has no ranking.
        NotRanked => "run.not-ranked",
        /// Nothing has failed that could be asked for again.
        NothingFailed => "run.nothing-failed",
        /// No new design was written.
        NothingNew => "run.nothing-new",
        /// The set of designs can't be changed any more.
        SetStands => "run.set-stands",
        /// There are not the two designs that a comparison needs.
        TooFewDesigns => "run.too-few-designs",
        /// The run has no such design.
        UnknownDesign => "run.unknown-design",
        /// The run is not over.
        Unfinished => "run.unfinished",
    }
}

/// An option that the command doesn't have.
pub(super) fn unknown_option(option: &str) -> Problem {
    Problem::new(WorkflowCode::UnknownOption, format!("This command has no option `{option}`."))
}

/// A word that the command doesn't take.
pub(super) fn too_many_words(word: &str) -> Problem {
    Problem::new(WorkflowCode::TooManyWords, format!("There is a word too many: `{word}`."))
}

/// A run with fewer than the two designs that `what` needs.
pub(super) fn too_few_designs(run: &str, there: usize, what: &str) -> Problem {
    let message = format!("{run} has {there} of the 2 designs that {what} needs.");
    Problem::new(WorkflowCode::TooFewDesigns, message)
        .next(format!("/design-lab-resume {run} asks for what is missing."))
}
