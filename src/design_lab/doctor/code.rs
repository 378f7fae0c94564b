//! The codes of the doctor's own findings.

use kernel::error_codes;

error_codes! {
    /// What the doctor finds.
    pub enum DoctorCode {
        /// An agent that runs need is missing.
        AgentMissing => "doctor.agent-missing",
        /// Agents that runs don't need are not registered yet.
        AgentsNew => "doctor.agents-new",
        /// OpenCode didn't report its agents.
        AgentsUnknown => "doctor.agents-unknown",
        /// A model didn't answer.
        CallFailed => "doctor.call-failed",
        /// A model is deprecated by its provider.
        Deprecated => "doctor.deprecated",
        /// A model gave an empty answer.
        EmptyAnswer => "doctor.empty-answer",
        /// A run that was killed left ignore files behind.
        IgnoreLeft => "doctor.ignore-left",
        /// ripgrep doesn't honour `.ignore` files.
        IgnoreUnheeded => "doctor.ignore-unheeded",
        /// OpenCode didn't report the connected models.
        ModelsUnknown => "doctor.models-unknown",
        /// Node is not installed.
        NoNode => "doctor.no-node",
        /// ripgrep is not installed.
        NoRipgrep => "doctor.no-ripgrep",
        /// No tui.json names Design Lab.
        NoSidebar => "doctor.no-sidebar",
        /// A model can't call tools.
        NoTools => "doctor.no-tools",
        /// Node is too old for the command line.
        NodeOld => "doctor.node-old",
        /// The configuration contains something that may be intended.
        Note => "doctor.note",
        /// OpenCode is too old.
        OpencodeOld => "doctor.opencode-old",
        /// OpenCode didn't report its version.
        OpencodeUnknown => "doctor.opencode-unknown",
        /// OpenCode 2 in another version than the tested one.
        OpencodeUntested => "doctor.opencode-untested",
        /// npm has a newer version of Design Lab.
        PackageOld => "doctor.package-old",
        /// The sidebar is switched off.
        SidebarOff => "doctor.sidebar-off",
        /// The sidebar may have a different version.
        SidebarOther => "doctor.sidebar-other",
        /// A model has a small context.
        SmallContext => "doctor.small-context",
        /// A run has the lock of a process that no longer exists.
        StaleLock => "doctor.stale-lock",
        /// OpenCode would ask the user before an agent uses a tool.
        ToolAsked => "doctor.tool-asked",
        /// An agent lacks a tool that it should have.
        ToolBlocked => "doctor.tool-blocked",
        /// An agent has a tool that it shouldn't have.
        ToolOpen => "doctor.tool-open",
        /// A tui.json can't be read.
        TuiFile => "doctor.tui-file",
        /// A run is unfinished.
        Unfinished => "doctor.unfinished",
        /// The price of a model isn't known.
        Unpriced => "doctor.unpriced",
        /// A configuration file exists but can't be read.
        Unreadable => "doctor.unreadable",
    }
}
