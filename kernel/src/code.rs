//! The codes of the kernel's problems: with a journal, and with a run in general.

crate::error_codes! {
    /// Problems that keep a run from being read, found or continued, whatever its workflow.
    pub enum RunCode {
        /// A line of the journal doesn't follow from those before it.
        JournalChain => "journal.chain",
        /// A line of the journal differs from what was written, according to its number or checksum.
        JournalDamaged => "journal.damaged",
        /// The journal holds no whole line.
        JournalEmpty => "journal.empty",
        /// An event that is impossible in a run.
        JournalInvalid => "journal.invalid",
        /// A run is opened twice, or its first event doesn't open it.
        JournalOrder => "journal.order",
        /// A command would reach outside of the run's directory.
        JournalPath => "journal.path",
        /// The journal has a version that this code doesn't read.
        JournalVersion => "journal.version",
        /// The journal belongs to another workflow.
        JournalWorkflow => "journal.workflow",
        /// A name matches several runs, or several are running when one is to be stopped.
        Ambiguous => "run.ambiguous",
        /// The run wasn't started on this machine, and the user hasn't allowed it to be continued.
        Elsewhere => "run.elsewhere",
        /// The run is running in another process.
        Locked => "run.locked",
        /// There is no run to stop.
        NoneRunning => "run.none-running",
        /// The process that was asked to stop a run is still running it.
        NotStopped => "run.not-stopped",
        /// No run has that name.
        Unknown => "run.unknown",
    }
}
