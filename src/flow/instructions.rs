//! Files that OpenCode, and Kilo, which is made from it, use as instructions or settings: changes of them are reported, because later sessions follow them.

use kernel::visible;

/// File names, in any directory.
const NAMES: [&str; 7] =
    ["AGENTS.md", "CLAUDE.md", "CONTEXT.md", "opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc"];

/// Directories of agents, commands, plugins and skills.
const DIRECTORIES: [&str; 4] = [".opencode", ".claude", ".kilo", ".kilocode"];

/// The files among these that instruct models, or set up OpenCode.
pub(super) fn instructing(changed: &[String]) -> Vec<&str> {
    let instructs = |path: &&str| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        NAMES.iter().any(|one| name.eq_ignore_ascii_case(one))
            || parts.any(|part| DIRECTORIES.contains(&part))
    };
    changed.iter().map(String::as_str).filter(instructs).collect()
}

/// The note to the user about changed instruction files; `None` when none changed.
pub(super) fn told_of(changed: &[String]) -> Option<String> {
    let all = instructing(changed);
    (!all.is_empty())
        .then(|| format!("{}; your later sessions follow these instructions", visible::line(&all.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_opencode_takes_for_instructions_is_known_wherever_it_lies() {
        for path in [
            "AGENTS.md",
            "src/agents.md",
            "CLAUDE.md",
            "opencode.jsonc",
            "kilo.jsonc",
            ".opencode/plugin/a.js",
            ".kilo/plugins/a.js",
            ".kilocode/rules/a.md",
            "a/.claude/x.md",
        ] {
            assert_eq!(instructing(&[path.to_owned()]), [path]);
        }
        for path in ["README.md", "src/AGENTS.md.js", "opencode/a.js", "src/.opencode"] {
            assert!(instructing(&[path.to_owned()]).is_empty(), "{path}");
        }
    }
}
