//! The codes of the kernel's problems: with a journal, and with a run as such.

crate::error_codes! {
    /// What keeps a run from being read, found or continued, whatever its workflow.
    pub enum RunCode {
        /// A line of the journal doesn't follow from those before it.
        JournalChain => "journal.chain",
        /// A line of the journal isn't what was written, by its number or its checksum.
        JournalDamaged => "journal.damaged",
        /// The journal holds no whole line.
        JournalEmpty => "journal.empty",
        /// An event says what no run can.
        JournalInvalid => "journal.invalid",
        /// A run is opened twice, or not at first.
        JournalOrder => "journal.order",
        /// A command would reach outside of the run's directory.
        JournalPath => "journal.path",
        /// The journal is of another version than this code reads.
        JournalVersion => "journal.version",
        /// The journal belongs to another workflow.
        JournalWorkflow => "journal.workflow",
        /// A name fits several runs, or several are running where one is to be stopped.
        Ambiguous => "run.ambiguous",
        /// The run wasn't begun on this machine, and the user hasn't said that it may be continued.
        Elsewhere => "run.elsewhere",
        /// Another process carries the run on.
        Locked => "run.locked",
        /// No run is there to be stopped.
        NoneRunning => "run.none-running",
        /// The process that was asked to stop a run carries it on still.
        NotStopped => "run.not-stopped",
        /// No run has that name.
        Unknown => "run.unknown",
    }
}
