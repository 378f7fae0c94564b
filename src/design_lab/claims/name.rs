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
const COMMAND: &str = "$command/";
/// The longest name, in bytes.
const LONGEST: usize = 200;

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
    Script {
        /// The command's name.
        name: String,
        /// Whether a tool may have this command although the project doesn't declare it.
        may_be_built_in: bool,
    },
}

impl Wanted {
    /// What a claim names; `None` if nothing can be looked up.
    pub(super) fn of(claim: &Claim) -> Option<Self> {
        let name = claim.name.trim().trim_matches(['`', '"', '\'']).trim();
        if name.is_empty() || name.len() > LONGEST || name.chars().any(char::is_control) {
            return None;
        }
        match claim.kind {
            ClaimKind::Other => None,
            ClaimKind::File => Citation::of(name.trim_end_matches('/'), None).map(Self::Path),
            ClaimKind::Symbol => (!words(name).is_empty()).then(|| Self::Symbol(name.to_owned())),
            ClaimKind::Dependency => {
                let direct = claim.state == ClaimState::ToBeMade;
                package(name).map(|package| Self::Dependency { package, direct })
            }
            ClaimKind::Script => script(name),
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
            Self::Script { name, may_be_built_in: false }
        } else if let Some(name) = after(COMMAND) {
            Self::Script { name, may_be_built_in: true }
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
            Self::Script { name, may_be_built_in: false } => (SCRIPT, name),
            Self::Script { name, may_be_built_in: true } => (COMMAND, name),
        };
        write!(f, "{prefix}{name}")
    }
}

/// The words of an identifier with its path: `Store::open()`, `store.open`, `Store#open`.
pub(super) fn words(symbol: &str) -> Vec<String> {
    let symbol = symbol.split(['(', '<', ' ']).next().unwrap_or_default();
    let words: Vec<String> =
        symbol.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    // A text without a letter is no identifier.
    if words.iter().any(|word| word.chars().any(char::is_alphabetic)) { words } else { Vec::new() }
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A package as `name` or `name@version`: `react@18`, `@scope/x`, `serde 1.0`, `serde = "1"`, `requests>=2`.
fn package(text: &str) -> Option<String> {
    let (scope, rest) = match text.strip_prefix('@') {
        Some(rest) => ("@", rest),
        None => ("", text),
    };
    let end = rest.find(|c: char| c.is_whitespace() || "@=<>~^!;,[(".contains(c)).unwrap_or(rest.len());
    let (name, version) = rest.split_at(end);
    let version = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let version = version.split(|c: char| !(c.is_ascii_digit() || c == '.')).next().unwrap_or_default();
    let version = version.trim_end_matches('.');
    if !name.starts_with(char::is_alphanumeric) {
        return None;
    }
    Some(if version.is_empty() { format!("{scope}{name}") } else { format!("{scope}{name}@{version}") })
}

/// The programs that run what `package.json` declares.
const NODE_TOOLS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
/// Commands of these programs that no project declares.
const NODE_COMMANDS: [&str; 12] =
    ["add", "audit", "ci", "create", "exec", "i", "init", "install", "pack", "publish", "remove", "update"];
/// Commands of Cargo that no project declares.
const CARGO_COMMANDS: [&str; 20] = [
    "add", "b", "bench", "build", "c", "check", "clean", "clippy", "doc", "fix", "fmt", "install",
    "metadata", "nextest", "publish", "r", "run", "t", "test", "tree",
];

/// The command that a text runs: `npm run test:unit`, `make build`, `cargo xtask`, `test:unit`.
fn script(text: &str) -> Option<Wanted> {
    let text = text.strip_prefix("$ ").unwrap_or(text);
    let mut words = text.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let strict = |name: &str| Some(Wanted::Script { name: name.to_owned(), may_be_built_in: false });
    let loose = |name: &str| Some(Wanted::Script { name: name.to_owned(), may_be_built_in: true });
    match (first, second) {
        (name, None) => loose(name),
        (tool, Some("run" | "run-script")) if NODE_TOOLS.contains(&tool) => strict(words.next()?),
        (tool, Some(name)) if NODE_TOOLS.contains(&tool) => {
            (!NODE_COMMANDS.contains(&name)).then(|| strict(name))?
        }
        ("make" | "just", Some(name)) => strict(name),
        ("deno", Some("task")) => strict(words.next()?),
        ("composer" | "uv" | "poetry" | "pdm", Some("run")) => loose(words.next()?),
        ("cargo", Some(name)) => (!CARGO_COMMANDS.contains(&name)).then(|| loose(name))?,
        _ => None,
    }
}
