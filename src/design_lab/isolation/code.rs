//! The codes of what isolation can't be kept with.

use kernel::error_codes;

error_codes! {
    /// What isolation can't be kept with.
    pub enum IsolationCode {
        /// The output directory can't be that one.
        OutputDirectory => "config.output-directory",
        /// An `.rgignore` in the output directory isn't ours.
        IgnoreFile => "isolation.ignore-file",
        /// A blocked pattern is no glob.
        InvalidPattern => "isolation.invalid-pattern",
        /// An allowed tool could reach other designs.
        UnsafeTool => "isolation.unsafe-tool",
    }
}
