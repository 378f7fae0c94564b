//! The codes of what goes wrong between the core and its shell.

use kernel::error_codes;

error_codes! {
    /// What only a fault of the package itself leads to.
    pub enum BoundaryCode {
        /// The shell names isolation rules that aren't in memory.
        LostRules => "internal.lost-rules",
        /// The shell names a run that isn't in memory.
        LostRun => "internal.lost-run",
        /// The shell sent what the core doesn't read.
        Protocol => "internal.protocol",
    }
}
