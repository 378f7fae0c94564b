//! The codes of problems that the command line finds without a host.

use kernel::error_codes;

error_codes! {
    /// Problems with the input of the command line.
    pub enum CliCode {
        /// There is nothing to rank.
        RankNothing => "rank.nothing",
        /// A JSON array contains no rows of scores or verdicts.
        RankRows => "rank.rows",
        /// `--scale` doesn't have two numbers.
        RankScale => "rank.scale",
        /// `--scale` is given although a rubric sets the bounds.
        RankScaleKnown => "rank.scale-known",
        /// `--as` names an unknown kind of file.
        ValidateUnknownKind => "validate.unknown-kind",
        /// The kind of a file can't be recognised.
        ValidateUnrecognised => "validate.unrecognised",
    }
}
