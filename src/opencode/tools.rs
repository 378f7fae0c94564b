//! The tools of OpenCode 1.18 and 2.0: their names, what they do, and what their arguments contain. The workflows decide what a
//! session may do with them.

use serde_json::Value;

/// The tool that this package gives to models.
pub(crate) const TOOL: &str = "design_lab";

/// The permission that is asked before a model's call sends the project's files to new vendors.
pub(crate) const VENDORS: &str = "design_lab_vendors";

/// The tools that it gives to models whose user wants them to have Flow.
pub(crate) const FLOW_TOOLS: &str = "flow_*";

/// OpenCode's name for a call that no tool accepts, to inform the model that it was malformed.
pub(crate) const MALFORMED: &str = "invalid";

/// Tools that change the project, access files unseen, start sessions or wait for a person, and which of these.
pub(crate) const FAR_REACHING: [(&str, &str); 16] = [
    ("apply_patch", "changes the project"),
    ("bash", "can read any file"),
    ("batch", "calls other tools unseen"),
    ("edit", "changes the project"),
    ("execute", "calls other tools unseen"),
    ("list_mcp_resource_templates", "reaches whatever MCP servers offer"),
    ("list_mcp_resources", "reaches whatever MCP servers offer"),
    ("lsp", "answers from any file of the project"),
    ("multiedit", "changes the project"),
    ("patch", "changes the project"),
    ("question", "would wait for an answer that nobody gives"),
    ("read_mcp_resource", "reaches whatever MCP servers offer"),
    ("shell", "can read any file"),
    ("subagent", "starts sessions of its own"),
    ("task", "starts sessions of its own"),
    ("write", "changes the project"),
];

/// The content of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    Flag,
    Glob,
    Number,
    Path,
    Text,
}

/// The arguments of the reading tools, by their names in OpenCode 1.18 and 2.0.
pub(crate) const SHAPES: [(&str, &[(&str, Holds)]); 3] = [
    (
        "read",
        &[
            ("filePath", Holds::Path),
            ("path", Holds::Path),
            ("offset", Holds::Number),
            ("limit", Holds::Number),
        ],
    ),
    (
        "grep",
        &[
            ("pattern", Holds::Text),
            ("path", Holds::Path),
            ("include", Holds::Glob),
            ("literal", Holds::Flag),
            ("caseSensitive", Holds::Flag),
            ("limit", Holds::Number),
        ],
    ),
    (
        "glob",
        &[("pattern", Holds::Glob), ("path", Holds::Path), ("hidden", Holds::Flag), ("limit", Holds::Number)],
    ),
];

/// The refusal to a session that may only read.
pub(crate) const ONLY_READS: &str = "This session only reads: read, grep and glob.";

/// Why a session that may only read may not call a tool; `None` when it may.
pub fn refused_to_readers(tool: &str) -> Option<&'static str> {
    (!reads(tool)).then_some(ONLY_READS)
}

/// Whether a tool only reads the project.
pub(crate) fn reads(tool: &str) -> bool {
    tool == MALFORMED || tool == "list" || SHAPES.iter().any(|(name, _)| *name == tool)
}

/// Whether a tool starts sessions.
pub(crate) fn starts_sessions(tool: &str) -> bool {
    matches!(tool, "task" | "subagent") || tool.starts_with(TOOL) || tool.starts_with("flow_")
}

/// The texts of a call that a shell interprets: the command line, and its working directory.
pub(crate) fn command_line(tool: &str, args: &Value) -> Vec<String> {
    let texts: &[&str] = if matches!(tool, "bash" | "shell") { &["command", "workdir"] } else { &[] };
    texts.iter().filter_map(|name| args[*name].as_str().map(str::to_owned)).collect()
}

/// The files that a call would write, if OpenCode's tools name them.
pub(crate) fn written(args: &Value) -> Vec<String> {
    const NAMES_A_FILE: [&str; 4] =
        ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let patch = args["patchText"].as_str().unwrap_or_default().lines();
    let patched = patch.filter_map(|line| NAMES_A_FILE.iter().find_map(|start| line.strip_prefix(start)));
    patched.map(str::trim).chain(args["filePath"].as_str()).map(str::to_owned).collect()
}
