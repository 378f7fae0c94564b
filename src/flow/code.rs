//! The codes of Flow: refusals, stops, and what a schema can't check in a plan or a review.

use kernel::error_codes;

error_codes! {
    /// What Flow refuses or stops for, and what is wrong with what its models return.
    pub enum FlowCode {
        /// The plan is approved already.
        ApprovalAlready => "approval.already",
        /// The user's rules ask before they allow commands of the plan, and nobody was there to give permission.
        ApprovalAsked => "approval.asked",
        /// The plan isn't approved.
        ApprovalMissing => "approval.missing",
        /// The approval doesn't name a plan.
        ApprovalNoHash => "approval.no-hash",
        /// The process that received the approval hasn't shown the plan.
        ApprovalNotShown => "approval.not-shown",
        /// The hash is that of an earlier draft.
        ApprovalOutdatedHash => "approval.outdated-hash",
        /// No check decides any criterion of the plan, and nobody was there to approve it.
        ApprovalUnchecked => "approval.unchecked",
        /// The hash doesn't belong to any plan of the session.
        ApprovalWrongHash => "approval.wrong-hash",
        /// A test of an exam contains no assertion.
        ExamAssertsNothing => "exam.asserts-nothing",
        /// Two tests of an exam use the same file.
        ExamDuplicatePath => "exam.duplicate-path",
        /// An exam has no test, and doesn't say why.
        ExamWithoutTest => "exam.without-test",
        /// A file of an exam isn't a test file.
        ExamNoTestFile => "exam.no-test-file",
        /// A file of an exam isn't in the project.
        ExamPathOutside => "exam.path-outside",
        /// The exam has too many tests.
        ExamTooMany => "exam.too-many-tests",
        /// No check that can run the exam has the id that a test names.
        ExamUnknownCheck => "exam.unknown-check",
        /// The feature has no criterion with this id.
        ExamUnknownCriterion => "exam.unknown-criterion",
        /// The examiner hasn't read any file of the project.
        ExamUnread => "exam.unread",
        /// The feedback is a rule already.
        FeedbackAlready => "feedback.already",
        /// The command contains no feedback.
        FeedbackEmpty => "feedback.empty",
        /// The log of feedback can't be read.
        FeedbackLog => "feedback.log",
        /// The confirmation names no feedback.
        FeedbackNoHash => "feedback.no-hash",
        /// The process that received the confirmation hasn't shown the feedback.
        FeedbackNotShown => "feedback.not-shown",
        /// The feedback is too long.
        FeedbackTooLong => "feedback.too-long",
        /// The file of rules has a form in which Flow can't change one rule alone.
        FeedbackUneditable => "feedback.uneditable",
        /// There is no such rule, and no such feedback.
        FeedbackUnknown => "feedback.unknown",
        /// The hash doesn't belong to any feedback.
        FeedbackWrongHash => "feedback.wrong-hash",
        /// The session's lane doesn't exist any more.
        LaneGone => "lane.gone",
        /// The lane could not be made.
        LaneUnprepared => "lane.unprepared",
        /// No model is connected.
        ModelsNone => "models.none",
        /// A model can't call tools.
        ModelsNoTools => "models.no-tools",
        /// The project's files would go to a vendor for the first time.
        VendorsNew => "models.new-vendors",
        /// A check can't fail.
        PlanCheckCannotFail => "plan.check-cannot-fail",
        /// The user's rules deny a command of the plan.
        PlanCommandDenied => "plan.command-denied",
        /// A feature that is complete was changed or left out.
        PlanCompletedFeature => "plan.completed-feature",
        /// A feature needs itself.
        PlanCyclicDependency => "plan.cyclic-dependency",
        /// Two items have the same id.
        PlanDuplicateId => "plan.duplicate-id",
        /// No plan was written.
        PlanFailed => "plan.failed",
        /// An id doesn't have the form of an id.
        PlanMalformedId => "plan.malformed-id",
        /// The session has no plan yet.
        PlanMissing => "plan.missing",
        /// No check looks at the whole project.
        PlanNoBroadCheck => "plan.no-broad-check",
        /// The command names no goal.
        PlanNoGoal => "plan.no-goal",
        /// The command has no remarks.
        PlanNoRemarks => "plan.no-remarks",
        /// A draft can't be narrowed to the named features.
        PlanNoSelection => "plan.no-selection",
        /// No check looks at a feature.
        PlanNoTargetedCheck => "plan.no-targeted-check",
        /// `from` has more arguments than a run and a design.
        PlanTooManyWords => "plan.too-many-words",
        /// The plan doesn't answer a concern about the chosen design.
        PlanUnansweredConcern => "plan.unanswered-concern",
        /// A requirement is neither built nor left out.
        PlanUncovered => "plan.uncovered",
        /// A criterion isn't decided by anything that can decide one.
        PlanUndecidedCriterion => "plan.undecided-criterion",
        /// A required reason is missing.
        PlanUnexplained => "plan.unexplained",
        /// There is no such concern.
        PlanUnknownConcern => "plan.unknown-concern",
        /// A feature needs one that isn't in the plan.
        PlanUnknownDependency => "plan.unknown-dependency",
        /// There is no such requirement, and no such component.
        PlanUnknownRequirement => "plan.unknown-requirement",
        /// The user's rules deny the command that creates a pull request.
        PrDenied => "pr.denied",
        /// The client didn't create the pull request.
        PrFailed => "pr.failed",
        /// No branch is checked out.
        PrNoBranch => "pr.no-branch",
        /// No client that could create the pull request is installed.
        PrNoClient => "pr.no-client",
        /// The project isn't in a git repository.
        PrNoGit => "pr.no-git",
        /// The repository has no remote for the branch.
        PrNoRemote => "pr.no-remote",
        /// The branch doesn't contain the verified files.
        PrNotCommitted => "pr.not-committed",
        /// The session isn't complete.
        PrNotCompleted => "pr.not-completed",
        /// The remote doesn't have the branch's commit.
        PrNotPushed => "pr.not-pushed",
        /// The files aren't those that were verified.
        PrOtherFiles => "pr.other-files",
        /// The arguments of `/flow-pr` are unclear.
        PrUnclear => "pr.unclear",
        /// A race has fewer than two lanes, more than three, or two that are the same.
        RaceLanes => "race.lanes",
        /// The examiner of a race failed.
        RaceNoExam => "race.no-exam",
        /// No lane of the race was completed.
        RaceNoLane => "race.no-lane",
        /// The session isn't a race.
        RaceNone => "race.none",
        /// The race has no such lane, or it isn't complete.
        RaceNotCompared => "race.not-compared",
        /// The lanes of a race build the plan, and not the session itself.
        RaceOnly => "race.only",
        /// The race is over.
        RaceOver => "race.over",
        /// The arguments of `/flow-race` are unclear.
        RaceUnclear => "race.unclear",
        /// No connected model has the name of a worker of the race.
        RaceUnknownModel => "race.unknown-model",
        /// Nothing was started that could be taken back.
        ResetNothing => "reset.nothing",
        /// The command doesn't name what to reset.
        ResetUnclear => "reset.unclear",
        /// A review cites a place that doesn't exist.
        ReviewCitation => "review.citation",
        /// The review judges a criterion twice.
        ReviewDuplicateCriterion => "review.duplicate-criterion",
        /// A file for showing a finding isn't a test file.
        ReviewNoTestFile => "review.no-test-file",
        /// The review doesn't approve, but names no finding.
        ReviewNoFinding => "review.no-finding",
        /// A file for showing a finding isn't in the project.
        ReviewPathOutside => "review.path-outside",
        /// The review skips a criterion.
        ReviewSkippedCriterion => "review.skipped-criterion",
        /// No check has the id that a finding names.
        ReviewUnknownCheck => "review.unknown-check",
        /// The reviewer hasn't read any file of the project.
        ReviewUnread => "review.unread",
        /// The feature has no criterion with this id.
        ReviewUnknownCriterion => "review.unknown-criterion",
        /// The user's rules deny every shell command.
        RulesDenyAll => "rules.deny-all",
        /// Two rules of the project have the same id.
        RulesDuplicate => "rules.duplicate",
        /// A rule of the project has a text that can't be used.
        RulesMalformed => "rules.malformed",
        /// The project has too many rules.
        RulesTooMany => "rules.too-many",
        /// The host doesn't report which rules apply to shell commands.
        RulesUnknown => "rules.unknown",
        /// The worker asked for permission, and nobody was there to give it.
        RunAwaitingUser => "run.awaiting-user",
        /// The budget of the feature or of the session is used up.
        RunBudget => "run.budget",
        /// A feature needs other features first.
        RunDependencies => "run.dependencies",
        /// A check's program can't be found.
        PlanUnknownProgram => "plan.unknown-program",
        /// A check's command is the placeholder from the form.
        PlanPlaceholder => "plan.placeholder",
        /// A tree could not be taken, or a check could not run.
        RunEffectFailed => "run.effect-failed",
        /// The feature is complete.
        RunFeatureCompleted => "run.feature-completed",
        /// The worker changed nothing in two rounds in a row.
        RunNoChange => "run.no-change",
        /// Something that completes the feature is missing.
        RunNotProven => "run.not-proven",
        /// The checks could not be repeated in a clean copy.
        RunNotRepeated => "run.not-repeated",
        /// The remaining features need a feature that is blocked.
        RunNothingRunnable => "run.nothing-runnable",
        /// The worker asks for another plan.
        RunReplanRequired => "run.replan-required",
        /// The reviewer's findings don't happen, and it doesn't approve.
        RunReviewRefuted => "run.review-refuted",
        /// The reviewer sees no way forward.
        RunReviewBlocked => "run.review-blocked",
        /// The reviewer gave no usable answer.
        RunReviewerFailed => "run.reviewer-failed",
        /// The rounds of the feature are used up.
        RunRounds => "run.rounds",
        /// A check failed in the same way several times in a row.
        RunSameFailure => "run.same-failure",
        /// The plan has no such feature.
        RunUnknownFeature => "run.unknown-feature",
        /// The expected cost needs the user's confirmation.
        RunWantsYes => "run.wants-yes",
        /// Something is in the worker's way.
        RunWorkerBlocked => "run.worker-blocked",
        /// The worker gave no usable answer.
        RunWorkerFailed => "run.worker-failed",
        /// The session is archived.
        SessionArchived => "session.archived",
        /// The user stopped the session.
        SessionCancelled => "session.cancelled",
        /// Every feature is complete.
        SessionCompleted => "session.completed",
        /// Its journal has lines that this machine did not write.
        SessionElsewhere => "session.elsewhere",
        /// A command is not finished.
        SessionInterrupted => "session.interrupted",
        /// Every name that the session could have is taken.
        SessionNoName => "session.no-name",
        /// There is no session.
        SessionNone => "session.none",
        /// There is nothing to continue.
        SessionNothingToResume => "session.nothing-to-resume",
        /// The name doesn't match exactly one session.
        SessionUnknown => "session.unknown",
        /// The command names no session.
        SessionUnnamed => "session.unnamed",
        /// The lane and the project have conflicting changes.
        TakeConflict => "take.conflict",
        /// The lane and the project could not be compared, or the result could not be written.
        TakeFailed => "take.failed",
        /// The project's files changed while the result was written.
        TakeMoved => "take.moved",
        /// The session has no lane from which anything could be taken.
        TakeNoLane => "take.no-lane",
        /// The project already has everything that the lane has.
        TakeNothing => "take.nothing",
        /// The lane's files have changed since its race compared them.
        TakeThawed => "take.thawed",
        /// The hash isn't that of what would be taken now.
        TakeWrongHash => "take.wrong-hash",
        /// A check shows a different result than before.
        VerifyCheck => "verify.check",
        /// The journal doesn't continue from the noted head.
        VerifyHead => "verify.head",
        /// The session whose checks are to be run again isn't complete.
        VerifyNotCompleted => "verify.not-completed",
        /// The checks could not be run again.
        VerifyNotRun => "verify.not-run",
        /// The output of a check differs from the recorded one.
        VerifyOutput => "verify.output",
        /// The files differ from those that were checked.
        VerifyTree => "verify.tree",
    }
}
