//! The codes of problems with a configuration, beside those of [`Fault`](crate::design_lab::Fault) that its schema finds.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a configuration that holds to its schema.
    pub enum ConfigCode {
        /// A key and its older name are both there and differ.
        Contradiction => "config.contradiction",
        /// Two dimensions have one name.
        DuplicateDimension => "config.duplicate-dimension",
        /// Two models have one id.
        DuplicateId => "config.duplicate-id",
        /// The scores of a dimension have no room.
        EmptyRange => "config.empty-range",
        /// A reviewer is asked for nothing.
        IdleReviewer => "config.idle-reviewer",
        /// An anchor stands for no score.
        MisplacedAnchor => "config.misplaced-anchor",
        /// There are more problems than are told.
        More => "config.more",
        /// The settings of a mutation testing tool can't be used.
        Mutator => "config.mutator",
        /// No model is configured, and none is connected.
        NoModels => "config.no-models",
        /// No reviewer could compare two designs by others.
        NoNeutralReviewer => "config.no-neutral-reviewer",
        /// A configuration that is to say a rubric says none.
        NoRubric => "config.no-rubric",
        /// No reviewer gives scores.
        NoScores => "config.no-scores",
        /// A person is given what models take.
        PersonSettings => "config.person-settings",
        /// A price is given for what is no model.
        PriceOfNoModel => "config.price-of-no-model",
        /// The name of a dimension has another meaning in a review.
        ReservedDimension => "config.reserved-dimension",
        /// A prompt is empty.
        TemplateEmpty => "config.template-empty",
        /// A prompt file lies elsewhere than the configuration may read.
        TemplatePath => "config.template-path",
        /// A prompt is text and a file at once.
        TemplateReference => "config.template-reference",
        /// A prompt file may hold keys.
        TemplateSecret => "config.template-secret",
        /// A prompt file can't be read.
        TemplateUnreadable => "config.template-unreadable",
        /// The file is larger than a configuration can be.
        TooLarge => "config.too-large",
        /// Reasons or verdict of a comparison are switched off.
        UndividedComparison => "config.undivided-comparison",
        /// A model isn't connected.
        UnknownModel => "config.unknown-model",
        /// A project takes the question about new vendors away.
        VendorsElsewhere => "config.vendors-elsewhere",
        /// The project has a configuration already.
        InitExists => "init.exists",
        /// What is to be written as a model names none.
        InitModel => "init.model",
        /// `/design-lab-vendors` is called with what it doesn't know.
        VendorsArgument => "vendors.argument",
        /// A project's files would go to a vendor for the first time.
        VendorsNew => "vendors.new",
    }
}
