//! The name under which a claim is looked up.

use crate::design_lab::artefacts::{Claim, ClaimKind, ClaimState};
use crate::shared::citation::Citation;
use std::fmt;

/// Asks whether the project contains code.
pub(super) const CODE: &str = "$code";
const SYMBOL: &str = "$symbol/";
const DEPENDENCY: &str = "$dependency/";
const NEW_DEPENDENCY: &str = "$new-dependency/";
const SCRIPT: &str = "$script/";
/// The most words of a symbol.
const MOST_WORDS: usize = 6;

/// Something to look up. Its text is the name that the shell and the journal know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A path, possibly with a line.
    Path(Citation),
    /// Whether the project contains code.
    Code,
    /// An identifier.
    Symbol(String),
    /// A package; the part after the last `@` is its version.
    Dependency {
        /// The package, possibly with a version.
        package: String,
        /// Whether only a manifest counts: a package that another one needs is not yet a dependency of the project.
        direct: bool,
    },
    /// A command that the project declares.
    Script(String),
}

impl Wanted {
    /// What a claim names; `None` if it isn't one name that can be looked up.
    pub(super) fn of(claim: &Claim) -> Option<Self> {
        let name = claim.name.trim().trim_matches(['`', '"', '\'']).trim();
        if name.is_empty() || name.chars().any(char::is_control) {
            return None;
        }
        match claim.kind {
            ClaimKind::Other => None,
            ClaimKind::File => path(name).map(Self::Path),
            ClaimKind::Symbol => (!words(name).is_empty()).then(|| Self::Symbol(name.to_owned())),
            ClaimKind::Dependency => {
                let direct = claim.state == ClaimState::ToBeMade;
                package(name).map(|package| Self::Dependency { package, direct })
            }
            ClaimKind::Script if name.contains('/') && !name.contains(' ') => {
                path(name.trim_start_matches("./")).map(Self::Path)
            }
            ClaimKind::Script => script(name).map(Self::Script),
        }
    }

    /// What a name stands for.
    pub(super) fn named(name: &str) -> Self {
        let after = |prefix: &str| name.strip_prefix(prefix).map(str::to_owned);
        if name == CODE {
            Self::Code
        } else if let Some(symbol) = after(SYMBOL) {
            Self::Symbol(symbol)
        } else if let Some(package) = after(DEPENDENCY) {
            Self::Dependency { package, direct: false }
        } else if let Some(package) = after(NEW_DEPENDENCY) {
            Self::Dependency { package, direct: true }
        } else if let Some(name) = after(SCRIPT) {
            Self::Script(name)
        } else {
            Self::Path(Citation { path: name.to_owned(), line: None })
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, name) = match self {
            Self::Path(cited) => ("", &cited.path),
            Self::Code => return f.write_str(CODE),
            Self::Symbol(name) => (SYMBOL, name),
            Self::Dependency { package, direct: false } => (DEPENDENCY, package),
            Self::Dependency { package, direct: true } => (NEW_DEPENDENCY, package),
            Self::Script(name) => (SCRIPT, name),
        };
        write!(f, "{prefix}{name}")
    }
}

/// A path as a design names it: one concrete file or folder, relative to the project. An anchor, and a symbol behind a colon, are no
/// part of it. `None` for a pattern, an alias, several paths, and a path by a detour, which could name a file that is hidden.
pub(super) fn path(name: &str) -> Option<Citation> {
    let name = name.replace('\\', "/");
    let mut cited = Citation::of(name.trim_end_matches('/'), None)?;
    // An anchor or a symbol follows the ending of a file.
    let file = cited.path.rfind('/').map_or(0, |slash| slash + 1);
    if let Some(end) = cited.path[file..].find(['#', ':'])
        && cited.path[file..file + end].contains('.')
    {
        cited.path.truncate(file + end);
    }
    is_concrete(&cited.path).then_some(cited)
}

/// Whether a path is written in the one way in which it is compared with patterns.
pub(super) fn is_concrete(path: &str) -> bool {
    let is_plain = |segment: &str| !matches!(segment, "" | "." | "..");
    !path.starts_with(['/', '~', '@', '$'])
        && !path.contains(|c: char| c.is_whitespace() || "*?{}()[]<>|,;:\"'`\\".contains(c))
        && path.split('/').all(is_plain)
}

/// What languages write before a name.
const KEYWORDS: [&str; 27] = [
    "abstract",
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "fn",
    "func",
    "function",
    "impl",
    "interface",
    "let",
    "method",
    "mod",
    "module",
    "object",
    "private",
    "protected",
    "pub",
    "public",
    "static",
    "struct",
    "trait",
    "type",
    "val",
    "var",
];

/// The words of an identifier with its path: `Store::open()`, `store.open`, `class Store`. Empty if the text isn't one identifier.
pub(super) fn words(symbol: &str) -> Vec<String> {
    let symbol = symbol.split(['(', '<']).next().unwrap_or_default();
    let mut names = symbol.split_whitespace().filter(|word| !KEYWORDS.contains(word));
    let (Some(name), None) = (names.next(), names.next()) else { return Vec::new() };
    let separators = ["::", ".", "#", "/", "->"];
    let plain = separators.iter().fold(name.to_owned(), |name, separator| name.replace(separator, " "));
    let words: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    let is_name =
        |word: &String| word.chars().all(is_word) && !word.starts_with(|c: char| c.is_ascii_digit());
    if words.len() <= MOST_WORDS && words.iter().all(is_name) { words } else { Vec::new() }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A package as `name` or `name@version`: `react@18`, `@scope/x`, `serde 1.0`, `serde = "1"`, `"react": "^18.2.0"`, `requests>=2`.
fn package(text: &str) -> Option<String> {
    let text = text.trim_start_matches("npm:").trim_start_matches("jsr:");
    let (scope, rest) = match text.strip_prefix('@') {
        Some(rest) => ("@", rest),
        None => ("", text),
    };
    let is_of_name = |c: char| c.is_alphanumeric() || "-_./:".contains(c);
    let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let name = name.trim_end_matches([':', '.', '/']);
    // A version stands directly behind the name, or behind an operator. A range means several versions.
    let is_range = after.trim_start().starts_with(['<', '>', '!']) || after.contains([',', '|', '*']);
    let after = if is_range { "" } else { after };
    let version = after.trim_start_matches(|c: char| c.is_whitespace() || "@=<>~^:\"'v".contains(c));
    let end = version.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(version.len());
    let version = version[..end].trim_end_matches('.');
    if !name.starts_with(char::is_alphanumeric) {
        return None;
    }
    Some(if version.is_empty() { format!("{scope}{name}") } else { format!("{scope}{name}@{version}") })
}

/// Commands of npm, pnpm, Yarn and Bun that no project declares.
const NODE_COMMANDS: [&str; 18] = [
    "add",
    "audit",
    "ci",
    "create",
    "exec",
    "i",
    "init",
    "install",
    "pack",
    "publish",
    "remove",
    "update",
    "upgrade",
    "version",
    "why",
    "workspace",
    "workspaces",
    "x",
];
/// Commands of Cargo that no project declares.
const CARGO_COMMANDS: [&str; 20] = [
    "add", "b", "bench", "build", "c", "check", "clean", "clippy", "doc", "fix", "fmt", "install",
    "metadata", "nextest", "publish", "r", "run", "t", "test", "tree",
];

/// The command that a text runs: `npm run test:unit`, `make build`, `cargo xtask`, `test:unit`. `None` for a command with options,
/// which may run something elsewhere, and for what a tool can do by itself.
fn script(text: &str) -> Option<String> {
    let text = text.strip_prefix("$ ").unwrap_or(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let name = match words[..] {
        [name]
        | ["make" | "just", name, ..]
        | ["deno", "task", name, ..]
        | [
            "npm" | "pnpm" | "yarn" | "bun" | "composer" | "uv" | "poetry" | "pdm",
            "run" | "run-script",
            name,
            ..,
        ] => name,
        ["npm" | "pnpm" | "yarn" | "bun", name, ..] if !NODE_COMMANDS.contains(&name) => name,
        ["cargo", name, ..] if !CARGO_COMMANDS.contains(&name) => name,
        _ => return None,
    };
    (!name.starts_with('-') && !name.contains('=')).then(|| name.to_owned())
}
