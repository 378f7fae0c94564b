//! The codes of Validation: refusals, and what a schema can't check in settings and in models' answers.

use kernel::error_codes;

error_codes! {
    /// What Validation refuses, and what is wrong with its settings and with what its models return.
    pub enum ValidationCode {
        /// Two have the same id.
        DuplicateId => "validation.duplicate-id",
        /// A file isn't the evidence that was seen.
        Evidence => "validation.evidence",
        /// The decision that was typed is none of the three.
        GateChoice => "validation.gate-choice",
        /// Nothing waits for a decision.
        GateNothing => "validation.gate-nothing",
        /// The journal doesn't continue from the noted head.
        Head => "validation.head",
        /// Tests can't be kept in this directory.
        KeepDirectory => "validation.keep-directory",
        /// Files stand where tests would be kept.
        KeepTaken => "validation.keep-taken",
        /// Processes of a run may still be running.
        LeftRunning => "validation.left-running",
        /// An id isn't of the form that ids have.
        MalformedId => "validation.malformed-id",
        /// A test file isn't called as one.
        MalformedPath => "validation.malformed-path",
        /// This machine lacks what validations need.
        Missing => "validation.missing",
        /// No model is connected.
        NoModels => "validation.no-models",
        /// No run is there.
        NoRun => "validation.no-run",
        /// There are no settings.
        NoSettings => "validation.no-settings",
        /// The command doesn't name what to validate.
        NoSubject => "validation.no-subject",
        /// A model can't call tools.
        NoTools => "validation.no-tools",
        /// The run found nothing that is to be fixed.
        NothingToFix => "validation.nothing-to-fix",
        /// The run has no report yet.
        NotReported => "validation.not-reported",
        /// The process that is asked hasn't shown the commands.
        NotShown => "validation.not-shown",
        /// Playwright Test was not installed.
        NotInstalled => "validation.not-installed",
        /// The run has no tests that could be repeated.
        NothingToRepeat => "validation.nothing-to-repeat",
        /// There is nothing to continue.
        NothingToResume => "validation.nothing-to-resume",
        /// Two servers share what each has for itself.
        SettingsDuplicate => "validation.settings-duplicate",
        /// There are settings already.
        SettingsExist => "validation.settings-exist",
        /// A directory isn't one of the project's.
        SettingsOutside => "validation.settings-outside",
        /// A server doesn't name the one thing that shows that it is ready.
        SettingsReady => "validation.settings-ready",
        /// The settings don't name which of the project's own tests decide criteria.
        SettingsTests => "validation.settings-tests",
        /// The answer skips a criterion.
        SkippedCriterion => "validation.skipped-criterion",
        /// A command has more words than it takes.
        TooManyWords => "validation.too-many-words",
        /// There is no such criterion.
        UnknownCriterion => "validation.unknown-criterion",
        /// There is no such journey.
        UnknownJourney => "validation.unknown-journey",
        /// A command has no such option.
        UnknownOption => "validation.unknown-option",
        /// A test does what none may.
        UnsuitableTest => "validation.unsuitable-test",
    }
}
