//! The codes of Validation: refusals, and what a schema can't check in settings and in models' answers.

use kernel::error_codes;

error_codes! {
    /// The codes of refusals, and of faults in settings and in models' answers.
    pub enum ValidationCode {
        /// Two items have the same id.
        DuplicateId => "validation.duplicate-id",
        /// A file differs from the recorded evidence.
        Evidence => "validation.evidence",
        /// The decision is none of the three.
        GateChoice => "validation.gate-choice",
        /// Nothing is waiting for a decision.
        GateNothing => "validation.gate-nothing",
        /// The journal doesn't continue from the noted head.
        Head => "validation.head",
        /// Tests can't be kept in this directory.
        KeepDirectory => "validation.keep-directory",
        /// Files already exist where tests would be kept.
        KeepTaken => "validation.keep-taken",
        /// Processes of a run may still be running.
        LeftRunning => "validation.left-running",
        /// An id doesn't have the required form.
        MalformedId => "validation.malformed-id",
        /// A test file's name isn't valid for one.
        MalformedPath => "validation.malformed-path",
        /// This machine lacks something that validations need.
        Missing => "validation.missing",
        /// No model is connected.
        NoModels => "validation.no-models",
        /// There is no run.
        NoRun => "validation.no-run",
        /// There are no settings.
        NoSettings => "validation.no-settings",
        /// The command doesn't name what to validate.
        NoSubject => "validation.no-subject",
        /// A model can't call tools.
        NoTools => "validation.no-tools",
        /// The run found nothing to fix.
        NothingToFix => "validation.nothing-to-fix",
        /// The run has no report yet.
        NotReported => "validation.not-reported",
        /// The current process hasn't shown the commands.
        NotShown => "validation.not-shown",
        /// Playwright Test was not installed.
        NotInstalled => "validation.not-installed",
        /// The run has no tests that could be repeated.
        NothingToRepeat => "validation.nothing-to-repeat",
        /// There is nothing to continue.
        NothingToResume => "validation.nothing-to-resume",
        /// Two servers share a value that must be unique.
        SettingsDuplicate => "validation.settings-duplicate",
        /// Settings already exist.
        SettingsExist => "validation.settings-exist",
        /// A directory is outside the project.
        SettingsOutside => "validation.settings-outside",
        /// A server doesn't name exactly one sign of readiness.
        SettingsReady => "validation.settings-ready",
        /// The settings don't name which of the project's own tests decide criteria.
        SettingsTests => "validation.settings-tests",
        /// The answer skips a criterion.
        SkippedCriterion => "validation.skipped-criterion",
        /// A command has too many words.
        TooManyWords => "validation.too-many-words",
        /// There is no criterion with this id.
        UnknownCriterion => "validation.unknown-criterion",
        /// There is no such journey.
        UnknownJourney => "validation.unknown-journey",
        /// A command has no such option.
        UnknownOption => "validation.unknown-option",
        /// A test does something that no test may do.
        UnsuitableTest => "validation.unsuitable-test",
    }
}
