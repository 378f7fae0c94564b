//! The codes of what the command line decides without a host.

use kernel::error_codes;

error_codes! {
    /// What is wrong with what the command line was given.
    pub enum CliCode {
        /// Nothing is given to rank by.
        RankNothing => "rank.nothing",
        /// A JSON array holds no rows of scores or verdicts.
        RankRows => "rank.rows",
        /// `--scale` has no two numbers.
        RankScale => "rank.scale",
        /// `--scale` is given where a rubric says the bounds.
        RankScaleKnown => "rank.scale-known",
        /// `--as` names no kind of file.
        ValidateUnknownKind => "validate.unknown-kind",
        /// A file doesn't show what it is.
        ValidateUnrecognised => "validate.unrecognised",
    }
}
