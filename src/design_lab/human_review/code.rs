//! The codes of problems with a form, beside those of any table.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a form, or keeps one from being given out.
    pub enum FormCode {
        /// A row has too many or too few fields.
        Fields => "form.fields",
        /// A person's name makes no file's name.
        Name => "form.name",
        /// A model of the run has the person's name.
        NameTaken => "form.name-taken",
        /// A score lies outside of its bounds.
        OutOfBounds => "form.out-of-bounds",
        /// A score is no number, or may be torn apart.
        Score => "form.score",
        /// It has more rows than any form.
        TooLong => "form.too-long",
        /// A design is scored twice on a dimension.
        Twice => "form.twice",
        /// The run gave out no form of that name.
        Unknown => "form.unknown",
        /// No design of the form has that label.
        UnknownDesign => "form.unknown-design",
        /// The rubric has no such dimension.
        UnknownDimension => "form.unknown-dimension",
        /// The form has no such pair.
        UnknownPair => "form.unknown-pair",
        /// A verdict is none.
        Verdict => "form.verdict",
    }
}
