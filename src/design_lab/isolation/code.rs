//! The codes of problems that make isolation impossible.

use kernel::error_codes;

error_codes! {
    /// Problems that make isolation impossible.
    pub enum IsolationCode {
        /// The configured output directory can't be used.
        OutputDirectory => "config.output-directory",
        /// An `.rgignore` in the output directory isn't Design Lab's.
        IgnoreFile => "isolation.ignore-file",
        /// A blocked pattern isn't a valid glob.
        InvalidPattern => "isolation.invalid-pattern",
        /// An allowed tool could access other designs.
        UnsafeTool => "isolation.unsafe-tool",
    }
}
