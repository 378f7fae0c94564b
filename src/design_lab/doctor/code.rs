//! The codes of what the doctor finds by itself.

use kernel::error_codes;

error_codes! {
    /// What the doctor finds.
    pub enum DoctorCode {
        /// An agent that runs need isn't there.
        AgentMissing => "doctor.agent-missing",
        /// Agents that runs don't need aren't there yet.
        AgentsNew => "doctor.agents-new",
        /// OpenCode didn't say which agents it has.
        AgentsUnknown => "doctor.agents-unknown",
        /// A model didn't answer.
        CallFailed => "doctor.call-failed",
        /// A model is deprecated by its provider.
        Deprecated => "doctor.deprecated",
        /// A model answered with nothing.
        EmptyAnswer => "doctor.empty-answer",
        /// A run that was killed left ignore files behind.
        IgnoreLeft => "doctor.ignore-left",
        /// ripgrep doesn't heed ignore files.
        IgnoreUnheeded => "doctor.ignore-unheeded",
        /// OpenCode didn't say which models are connected.
        ModelsUnknown => "doctor.models-unknown",
        /// There is no Node.
        NoNode => "doctor.no-node",
        /// There is no ripgrep.
        NoRipgrep => "doctor.no-ripgrep",
        /// No tui.json names Design Lab.
        NoSidebar => "doctor.no-sidebar",
        /// A model can't call tools.
        NoTools => "doctor.no-tools",
        /// Node is too old for the command line.
        NodeOld => "doctor.node-old",
        /// The configuration has something that may be meant so.
        Note => "doctor.note",
        /// OpenCode is newer than what was tested.
        OpencodeNew => "doctor.opencode-new",
        /// OpenCode is too old.
        OpencodeOld => "doctor.opencode-old",
        /// OpenCode didn't say its version.
        OpencodeUnknown => "doctor.opencode-unknown",
        /// The sidebar is switched off.
        SidebarOff => "doctor.sidebar-off",
        /// The sidebar may be of another version.
        SidebarOther => "doctor.sidebar-other",
        /// A model holds few tokens.
        SmallContext => "doctor.small-context",
        /// A run has the lock of a process that is gone.
        StaleLock => "doctor.stale-lock",
        /// For an agent's tool the user would be asked.
        ToolAsked => "doctor.tool-asked",
        /// An agent lacks a tool that it is to have.
        ToolBlocked => "doctor.tool-blocked",
        /// An agent has a tool that it isn't to have.
        ToolOpen => "doctor.tool-open",
        /// A tui.json can't be read.
        TuiFile => "doctor.tui-file",
        /// A run is unfinished.
        Unfinished => "doctor.unfinished",
        /// The price of a model isn't known.
        Unpriced => "doctor.unpriced",
        /// A configuration file is there and can't be read.
        Unreadable => "doctor.unreadable",
    }
}
