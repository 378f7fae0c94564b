//! The codes of replies that conform to their schema but can't be used.

use kernel::error_codes;

error_codes! {
    /// What is wrong with a reply that conforms to its schema.
    pub enum ArtefactCode {
        /// A verdict has no reasons.
        ComparisonMissingJustification => "comparison.missing-justification",
        /// A comparison names neither the better design nor a tie.
        ComparisonNoVerdict => "comparison.no-verdict",
        /// Two components have the same name or the same description.
        DesignEqualComponents => "design.equal-components",
        /// A part of a merged design doesn't name its sources.
        DesignMissingSources => "design.missing-sources",
        /// A part of a merged design names a source that wasn't shown.
        DesignUnknownSource => "design.unknown-source",
        /// A decision map has no point that can be read.
        MapNoPoints => "map.no-points",
        /// A passage that a decision map quotes isn't in the design, or is in others, too.
        MapNotFound => "map.not-found",
        /// A design is evaluated twice.
        ReviewDuplicateEvaluation => "review.duplicate-evaluation",
        /// A design isn't evaluated.
        ReviewMissingDesign => "review.missing-design",
        /// A score is missing.
        ReviewMissingDimension => "review.missing-dimension",
        /// Scores have no reasons.
        ReviewMissingJustification => "review.missing-justification",
        /// A reviewer answers although no designs were shown to it.
        ReviewNotPresented => "review.not-presented",
        /// A score is outside its dimension's bounds.
        ReviewScoreOutOfBounds => "review.score-out-of-bounds",
        /// An evaluated design wasn't shown.
        ReviewUnknownDesign => "review.unknown-design",
        /// A draft of a rubric has too few or too many dimensions.
        RubricCount => "rubric.count",
        /// The name of a drafted dimension can't be used.
        RubricName => "rubric.name",
        /// A draft of a rubric names a model, its maker or an agent.
        RubricNames => "rubric.names",
        /// A text of a drafted dimension is missing or too long.
        RubricText => "rubric.text",
        /// The weight of a drafted dimension can't be used.
        RubricWeight => "rubric.weight",
    }
}
