//! The codes of problems with a form, besides those of any table.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a form, or prevents one from being handed out.
    pub enum FormCode {
        /// A row has too many or too few fields.
        Fields => "form.fields",
        /// A person's name can't be used as a file name.
        Name => "form.name",
        /// A model of the run has the person's name.
        NameTaken => "form.name-taken",
        /// A score is outside its bounds.
        OutOfBounds => "form.out-of-bounds",
        /// A score is not a number, or may have been split by the separator.
        Score => "form.score",
        /// It has more rows than a form may have.
        TooLong => "form.too-long",
        /// A design has two scores on one dimension, or a pair occurs twice.
        Twice => "form.twice",
        /// The run has no form of that name.
        Unknown => "form.unknown",
        /// No design of the form has that label.
        UnknownDesign => "form.unknown-design",
        /// The rubric has no such dimension.
        UnknownDimension => "form.unknown-dimension",
        /// The form has no such pair.
        UnknownPair => "form.unknown-pair",
        /// A verdict is not one of the allowed words.
        Verdict => "form.verdict",
    }
}
