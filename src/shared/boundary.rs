//! The codes of faults between the core and its shell.

use kernel::error_codes;

error_codes! {
    /// A fault of the package itself.
    pub enum BoundaryCode {
        /// The shell names isolation rules that aren't in memory.
        LostRules => "internal.lost-rules",
        /// The shell names a run that isn't in memory.
        LostRun => "internal.lost-run",
        /// The shell sent something that the core can't read.
        Protocol => "internal.protocol",
    }
}
