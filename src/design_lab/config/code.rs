//! The codes of problems with a configuration, besides those of [`Fault`](crate::design_lab::Fault) that its schema
//! finds.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a configuration that conforms to its schema.
    pub enum ConfigCode {
        /// A key and its older name are both set and differ.
        Contradiction => "config.contradiction",
        /// Two dimensions have the same name.
        DuplicateDimension => "config.duplicate-dimension",
        /// Two models have the same id.
        DuplicateId => "config.duplicate-id",
        /// A dimension's range of scores is empty.
        EmptyRange => "config.empty-range",
        /// A reviewer has nothing to do.
        IdleReviewer => "config.idle-reviewer",
        /// An anchor is not a score of its dimension.
        MisplacedAnchor => "config.misplaced-anchor",
        /// There are more problems than are listed.
        More => "config.more",
        /// The settings of a mutation testing tool can't be used.
        Mutator => "config.mutator",
        /// No model is configured, and none is connected.
        NoModels => "config.no-models",
        /// No reviewer could compare two designs that others wrote.
        NoNeutralReviewer => "config.no-neutral-reviewer",
        /// A configuration that should contain a rubric has none.
        NoRubric => "config.no-rubric",
        /// The file of a task's rubric sets something else.
        NotOfRubric => "config.not-of-rubric",
        /// No reviewer gives scores.
        NoScores => "config.no-scores",
        /// A person has settings that only models accept.
        PersonSettings => "config.person-settings",
        /// A price is set for something that is not a model.
        PriceOfNoModel => "config.price-of-no-model",
        /// The name of a dimension has another meaning in a review.
        ReservedDimension => "config.reserved-dimension",
        /// A prompt is empty.
        TemplateEmpty => "config.template-empty",
        /// A prompt file is outside the directories that the configuration may read.
        TemplatePath => "config.template-path",
        /// A prompt is both text and a file.
        TemplateReference => "config.template-reference",
        /// A prompt file may hold keys.
        TemplateSecret => "config.template-secret",
        /// A prompt file can't be read.
        TemplateUnreadable => "config.template-unreadable",
        /// The file is larger than a configuration may be.
        TooLarge => "config.too-large",
        /// The reasons or the verdict of a comparison are switched off.
        UndividedComparison => "config.undivided-comparison",
        /// A model isn't connected.
        UnknownModel => "config.unknown-model",
        /// A project switches off the question about new vendors.
        VendorsElsewhere => "config.vendors-elsewhere",
        /// The project has a configuration already.
        InitExists => "init.exists",
        /// Text that should name a model doesn't.
        InitModel => "init.model",
        /// `/design-lab-vendors` has arguments that it doesn't understand.
        VendorsArgument => "vendors.argument",
        /// A project's files would go to a vendor for the first time.
        VendorsNew => "vendors.new",
    }
}
