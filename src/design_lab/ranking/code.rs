//! The codes of what can't be ranked.

use kernel::error_codes;

error_codes! {
    /// Why a study can't be ranked.
    pub enum RankingCode {
        /// Bounds or weight of a dimension can't be used.
        BadDimension => "ranking.bad-dimension",
        /// A repeat has the number 0.
        BadRepeat => "ranking.bad-repeat",
        /// Two designs, reviewers or dimensions have one id.
        DuplicateId => "ranking.duplicate-id",
        /// A score, a comparison or a place is given twice.
        DuplicateRow => "ranking.duplicate-row",
        /// A score lies outside of its bounds.
        OutOfBounds => "ranking.out-of-bounds",
        /// A design is compared with itself.
        SelfComparison => "ranking.self-comparison",
        /// Too few pairs to connect all designs.
        SmallBudget => "ranking.small-budget",
        /// There are more designs or reviewers than are ranked at once.
        TooLarge => "ranking.too-large",
        /// A row names a design that isn't there.
        UnknownDesign => "ranking.unknown-design",
        /// A row names a dimension that isn't there.
        UnknownDimension => "ranking.unknown-dimension",
        /// A row names a reviewer that isn't there.
        UnknownReviewer => "ranking.unknown-reviewer",
    }
}
