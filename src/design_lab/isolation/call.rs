//! Parses a tool call: which of its arguments are paths, globs or addresses.

use super::code::IsolationCode;
use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::path::{percent_decoded, without_parents};
use super::pattern::is_everything;
use super::rules::Rules;
use super::settings::Isolation;
use super::verdict::{Denial, Rule};
use crate::opencode::tools::{FAR_REACHING, Holds, MALFORMED, SHAPES, TOOL};
use kernel::problem::Problem;

/// What must be known to judge a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Inquiry {
    /// Nothing: the call may proceed.
    Allow,
    /// Nothing: the call is refused.
    Deny(Denial),
    /// These facts, for [`super::verdict()`].
    Ask {
        /// Strings to resolve from the session's directory, each to become a [`super::PathFact`].
        paths: Vec<String>,
        /// Addresses to parse and look up, each to become a [`super::UrlFact`].
        urls: Vec<String>,
        /// Whether the shell must find out which blocked directories searches are kept out of.
        guards: bool,
        /// Arguments to remove from the call. The call means the same without them, but ripgrep lets a glob for all
        /// files override `.ignore`.
        drop: Vec<String>,
    },
}

/// Returns what must be known to judge this call of a lab session. `args` is the JSON text of the arguments.
pub fn inquire(rules: &Rules, tool: &str, args: &str) -> Inquiry {
    match Call::parse(rules, tool, args) {
        Err(rule) => Inquiry::Deny(Denial::by(rule)),
        Ok(Call::Harmless) => Inquiry::Allow,
        Ok(call) => {
            let paths = call.paths().into_iter().map(Cow::into_owned).collect();
            let urls = call.urls().into_iter().map(str::to_owned).collect();
            let drop = match call {
                Call::Search { needless: Some(argument), .. } => vec![argument.to_owned()],
                _ => Vec::new(),
            };
            Inquiry::Ask { paths, urls, guards: matches!(call, Call::Search { .. }), drop }
        }
    }
}

/// Refuses tools that access files unseen by these rules, change the project, or would leave a run hanging.
///
/// For `isolation.allowed_tools`: every other tool may be added; its arguments and its results are checked, but its
/// internal actions can't be.
pub fn validate_tool(tool: &str) -> Result<(), Problem> {
    let name = tool.to_ascii_lowercase();
    let why = if let Some((_, why)) = FAR_REACHING.iter().find(|(refused, _)| *refused == name) {
        *why
    } else if name.starts_with(TOOL) {
        "starts, steers or shows runs"
    } else if tool.is_empty() || !tool.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:".contains(c)) {
        "is not the name of a tool; wildcards aren't supported"
    } else {
        return Ok(());
    };
    Err(Problem::new(IsolationCode::UnsafeTool, format!("The tool `{tool}` can't be allowed: it {why}."))
        .found(tool)
        .allowed(
            "read, glob, grep, and full names of tools such as webfetch, websearch, skill or those of \
                  MCP servers",
        )
        .next(
            "Remove it from `isolation.allowed_tools`, or set `isolation.enforce_design_isolation` to \
               false if designs needn't be independent.",
        ))
}

/// Returns the allowed tools whose internal actions can't be checked; empty when isolation isn't enforced, since then
/// nothing is claimed.
pub fn unchecked_tools(isolation: &Isolation) -> Vec<&str> {
    let is_unchecked = |tool: &&str| !SHAPES.iter().any(|(name, _)| name == tool);
    let tools = isolation.allowed_tools.iter().map(String::as_str).filter(is_unchecked);
    if isolation.enforce_design_isolation { tools.collect() } else { Vec::new() }
}

/// The parts of a call that matter here.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// Accesses nothing.
    Harmless,
    /// A tool that the user allowed: any string in it may be a path or an address.
    Opaque(Vec<String>),
    /// Reads a file or lists a directory.
    Read(String),
    /// Searches all files below a directory.
    Search {
        /// The directory, or a file in it; `None` for the session's own directory.
        path: Option<String>,
        /// The files to search.
        glob: Option<String>,
        /// An argument that has no effect.
        needless: Option<&'static str>,
    },
}

/// A limit above what any sensible call of an unknown tool contains.
const STRINGS: usize = 64;
/// Longer texts can't be paths (`PATH_MAX`).
const PATH: usize = 4096;

impl Call {
    /// Parses a call, or returns the rule that refuses it regardless of the facts.
    pub(super) fn parse(rules: &Rules, tool: &str, args: &str) -> Result<Self, Rule> {
        if tool == MALFORMED {
            return Ok(Self::Harmless);
        }
        if !rules.allowed_tools.iter().any(|allowed| allowed == tool) || validate_tool(tool).is_err() {
            return Err(Rule::Tool);
        }
        let args: Value = serde_json::from_str(args).map_err(|_| Rule::Arguments)?;
        let Some((_, shape)) = SHAPES.iter().find(|(name, _)| *name == tool) else {
            let mut strings = Vec::new();
            collect(args, &mut strings)?;
            return Ok(Self::Opaque(strings));
        };
        let (path, glob) = read_shape(args, shape)?;
        match tool {
            "read" => path.map(Self::Read).ok_or(Rule::Arguments),
            // OpenCode treats an empty path as no path.
            _ => {
                let path = path.filter(|path| !path.is_empty());
                if tool == "grep" && glob.as_deref().is_some_and(is_everything) {
                    return Ok(Self::Search { path, glob: None, needless: Some("include") });
                }
                Ok(Self::Search { path, glob, needless: None })
            }
        }
    }

    /// Returns the strings that must be resolved.
    pub(super) fn paths(&self) -> Vec<Cow<'_, str>> {
        let mut paths: Vec<&str> = match self {
            Self::Harmless => Vec::new(),
            Self::Opaque(strings) => strings
                .iter()
                .map(String::as_str)
                .filter(|text| text.len() <= PATH && !is_url(text) && !text.contains('\n'))
                .collect(),
            Self::Read(path) | Self::Search { path: Some(path), .. } => vec![path],
            Self::Search { path: None, .. } => vec!["."],
        };
        if let Self::Search { path: Some(path), .. } = self
            && matches!(path.as_str(), "undefined" | "null")
        {
            paths.push("."); // OpenCode 2.0 takes these two words for the default, 1.18 for names
        }
        let mut paths: Vec<Cow<'_, str>> = paths.into_iter().map(Cow::Borrowed).collect();
        if matches!(self, Self::Opaque(_)) {
            // An unknown tool may or may not decode `%2e`.
            let decoded: Vec<_> = paths.iter().filter_map(|path| percent_decoded(path)).collect();
            paths.extend(decoded.into_iter().map(Cow::Owned));
        }
        // OpenCode resolves `link/..` lexically, whereas the system follows the link: both results must be allowed.
        let lexical: Vec<_> = paths.iter().filter_map(|path| without_parents(path)).collect();
        paths.into_iter().chain(lexical.into_iter().map(Cow::Owned)).collect()
    }

    /// Returns the addresses that must be looked up.
    pub(super) fn urls(&self) -> Vec<&str> {
        match self {
            Self::Opaque(strings) => {
                let texts = strings.iter().map(String::as_str);
                texts.filter(|text| is_url(text) || lacks_scheme(text)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the path and the glob from the arguments of a tool whose shape is known.
fn read_shape(args: Value, shape: &[(&str, Holds)]) -> Result<(Option<String>, Option<String>), Rule> {
    let Value::Object(args) = args else { return Err(Rule::Arguments) };
    let (mut path, mut glob) = (None, None);
    for (key, value) in args {
        if value.is_null() {
            continue;
        }
        let (_, holds) = shape.iter().find(|(name, _)| *name == key).ok_or(Rule::Arguments)?;
        match (holds, value) {
            (Holds::Path, Value::String(text)) if path.is_none() => path = Some(text),
            (Holds::Glob, Value::String(text)) => glob = Some(text),
            (Holds::Text, Value::String(_))
            | (Holds::Number, Value::Number(_))
            | (Holds::Flag, Value::Bool(_)) => {}
            (Holds::Number, Value::String(text)) if text.trim().parse::<f64>().is_ok() => {}
            _ => return Err(Rule::Arguments),
        }
    }
    Ok((path, glob))
}

/// Collects all strings in a value, including keys.
fn collect(value: Value, strings: &mut Vec<String>) -> Result<(), Rule> {
    match value {
        Value::String(text) => strings.push(text),
        Value::Array(items) => items.into_iter().try_for_each(|item| collect(item, strings))?,
        Value::Object(members) => {
            for (key, member) in members {
                strings.push(key);
                collect(member, strings)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    if strings.len() > STRINGS { Err(Rule::Arguments) } else { Ok(()) }
}

/// Schemes that need no slashes: a browser's parser reads `http:127.0.0.1` as `http://127.0.0.1`.
const SLASHLESS: [&str; 5] = ["ftp", "http", "https", "ws", "wss"];
/// Schemes of addresses that contain their own content, or that name another address.
const INLINE: [&str; 5] = ["blob", "data", "filesystem", "javascript", "view-source"];

/// Whether a text is an address: with any scheme and an authority, with a scheme that needs no authority, or one that
/// names a file.
pub(super) fn is_url(text: &str) -> bool {
    // URL parsers drop these characters wherever they occur.
    let breaks = ['\t', '\n', '\r'];
    let text: Cow<'_, str> =
        if text.contains(breaks) { text.replace(breaks, "").into() } else { text.into() };
    text.trim().split_once(':').is_some_and(|(scheme, rest)| {
        let is_scheme =
            scheme.len() > 1 && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
        let is_one_of = |schemes: &[&str]| schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme));
        let is_prose = rest.is_empty() || rest.starts_with(char::is_whitespace);
        is_scheme
            && (rest.starts_with('/')
                || names_file(scheme, rest)
                || !is_prose && (is_one_of(&SLASHLESS) || is_one_of(&INLINE)))
    })
}

/// Whether a text is an address without a scheme, such as `//127.0.0.1/`; not `// a comment`.
fn lacks_scheme(text: &str) -> bool {
    let text = text.trim().replace('\\', "/");
    let Some(rest) = text.strip_prefix("//") else { return false };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &rest[..end];
    let is_name = !host.is_empty() && !host.contains(char::is_whitespace);
    is_name
        && (end < rest.len()
            || host.contains(['.', ':', '@'])
            || host.starts_with(|c: char| c.is_ascii_digit())
            || host.eq_ignore_ascii_case("localhost"))
}

/// Whether the address names a file: `file:x`, which isn't a path, or `jar:file:/x`.
fn names_file(scheme: &str, rest: &str) -> bool {
    if rest.is_empty() || rest.starts_with(char::is_whitespace) {
        return false; // prose
    }
    scheme.eq_ignore_ascii_case("file") || rest.to_ascii_lowercase().contains("file:/")
}
