//! The codes of replies that hold to their schema and can't be used.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a reply that holds to its schema.
    pub enum ArtefactCode {
        /// A verdict has no reasons.
        ComparisonMissingJustification => "comparison.missing-justification",
        /// A comparison says neither which design is better nor that none is.
        ComparisonNoVerdict => "comparison.no-verdict",
        /// Two components have one name, or one description.
        DesignEqualComponents => "design.equal-components",
        /// A part of a merged design doesn't say where it comes from.
        DesignMissingSources => "design.missing-sources",
        /// A part of a merged design comes from a design that wasn't shown.
        DesignUnknownSource => "design.unknown-source",
        /// A design is evaluated twice.
        ReviewDuplicateEvaluation => "review.duplicate-evaluation",
        /// A design isn't evaluated.
        ReviewMissingDesign => "review.missing-design",
        /// A score is missing.
        ReviewMissingDimension => "review.missing-dimension",
        /// Scores have no reasons.
        ReviewMissingJustification => "review.missing-justification",
        /// A reviewer answers who was shown no designs.
        ReviewNotPresented => "review.not-presented",
        /// A score lies outside of its dimension's bounds.
        ReviewScoreOutOfBounds => "review.score-out-of-bounds",
        /// An evaluated design wasn't shown.
        ReviewUnknownDesign => "review.unknown-design",
    }
}
