//! The codes of studies that can't be ranked.

use kernel::error_codes;

error_codes! {
    /// The reasons why a study can't be ranked.
    pub enum RankingCode {
        /// A dimension has unusable bounds or an unusable weight.
        BadDimension => "ranking.bad-dimension",
        /// A repeat has the number 0.
        BadRepeat => "ranking.bad-repeat",
        /// Two designs, reviewers or dimensions have the same id.
        DuplicateId => "ranking.duplicate-id",
        /// A score, a comparison or a place occurs twice.
        DuplicateRow => "ranking.duplicate-row",
        /// A score is outside its bounds.
        OutOfBounds => "ranking.out-of-bounds",
        /// A design is compared with itself.
        SelfComparison => "ranking.self-comparison",
        /// There are too few pairs to connect all designs.
        SmallBudget => "ranking.small-budget",
        /// There are more designs or reviewers than can be ranked at once.
        TooLarge => "ranking.too-large",
        /// A row names a design that doesn't exist.
        UnknownDesign => "ranking.unknown-design",
        /// A row names a dimension that doesn't exist.
        UnknownDimension => "ranking.unknown-dimension",
        /// A row names a reviewer that doesn't exist.
        UnknownReviewer => "ranking.unknown-reviewer",
    }
}
