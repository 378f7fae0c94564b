//! The verdict on a call: the rule that refuses it, if any.

use kernel::json::Deserialize;
use serde::Serialize;

use super::address::is_public;
use super::bounds::{Blocked, Bounds};
use super::call::{Call, is_url};
use super::keys::holds_keys;
use super::path::{
    components, is_absolute, is_environment_file, is_under, names_home, percent_decoded, without_parents,
};
use super::pattern::{is_aimed_at, opens};
use super::rules::Rules;

/// What the shell found out about a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Facts {
    /// One fact for each requested path.
    #[serde(default)]
    pub paths: Vec<PathFact>,
    /// One fact for each requested address.
    #[serde(default)]
    pub urls: Vec<UrlFact>,
    /// The blocked directories, spelled as in [`Rules::blocked`], that searches are kept out of.
    #[serde(default)]
    pub guarded: Vec<String>,
    /// The directories of the runs in `guarded`, each absolute: a search whose glob enters one of them is refused.
    #[serde(default)]
    pub runs: Vec<String>,
    /// For a result: the files that it names and that have other names, by symbolic or hard link.
    #[serde(default)]
    pub linked: Vec<PathFact>,
}

/// Where a path leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PathFact {
    /// The path as requested.
    pub given: String,
    /// For a relative path, the session's directory, a slash and the path; otherwise the path as given. No link is
    /// followed, no `..` resolved.
    pub absolute: String,
    /// The real path of the longest part of `absolute` that exists, links followed and in the file system's own
    /// spelling (`fs.realpathSync.native`), with the rest appended.
    pub real: String,
    /// What exists at the path: nothing if the part before a `..` isn't a directory.
    pub kind: PathKind,
    /// Whether it is a file with other hard links, one of which is in a blocked directory.
    pub same_file_as_blocked: bool,
}

/// What exists at a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PathKind {
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// Nothing.
    Missing,
    /// A device, pipe or socket, or something that couldn't be inspected.
    Other,
}

/// Where an address leads, according to the platform's own URL parser and resolver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UrlFact {
    /// The address as requested.
    pub given: String,
    /// The scheme with its colon: `https:`.
    pub protocol: String,
    /// The host name or address, as normalised by the parser.
    pub host: String,
    /// All addresses of the host; empty if it has none.
    pub addresses: Vec<String>,
}

/// Whether a call may proceed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Verdict {
    /// It may.
    Allow,
    /// It may not.
    Deny(Denial),
}

/// A refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Denial {
    /// The rule that refused; for logs and tests, never for the model.
    pub rule: Rule,
    /// What the model reads instead of a result.
    pub message: &'static str,
}

/// The rules by which calls are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// An argument, or a fact, that isn't understood.
    Arguments,
    /// A path at or below a blocked directory.
    BlockedDirectory,
    /// A path that matches one of the user's patterns.
    BlockedPattern,
    /// `.env` and the like, for which OpenCode would ask the user.
    EnvironmentFile,
    /// A file that contains keys, judged by its name.
    KeyFile,
    /// A lab agent called by name.
    LabAgent,
    /// A path outside the project, for which OpenCode would ask the user.
    Outside,
    /// An address that isn't on the public web.
    PrivateAddress,
    /// A search that would find something blocked.
    Search,
    /// One of several names of a file that is blocked under another.
    SharedFile,
    /// A spelling that different tools resolve differently: `~`, `file:`, control characters, `link/..`.
    Spelling,
    /// A tool that isn't allowed.
    Tool,
}

impl Denial {
    /// Returns the refusal by a rule, in words that reveal nothing about the refused path.
    pub(super) fn by(rule: Rule) -> Self {
        let message = match rule {
            Rule::Arguments => "The arguments of this call are not valid; use only documented ones.",
            Rule::LabAgent | Rule::Tool => "This tool is not available in this session.",
            Rule::PrivateAddress => "This address is not available in this session.",
            Rule::BlockedDirectory
            | Rule::BlockedPattern
            | Rule::EnvironmentFile
            | Rule::KeyFile
            | Rule::Outside
            | Rule::Search
            | Rule::SharedFile
            | Rule::Spelling => "This path is not available in this session; the rest of the project is.",
        };
        Self { rule, message }
    }
}

/// Judges a call of a lab session. `args` is the JSON text of the arguments.
pub fn verdict(rules: &Rules, tool: &str, args: &str, facts: &Facts) -> Verdict {
    match Call::parse(rules, tool, args).and_then(|call| judge(rules, &call, facts)) {
        Ok(()) => Verdict::Allow,
        Err(rule) => Verdict::Deny(Denial::by(rule)),
    }
}

/// Judges a call of `task` (1.18) or `subagent` (2.0) by any session while a run is running: lab agents work only for
/// runs.
pub fn task_verdict(agent: &str) -> Verdict {
    if is_lab_agent(agent) { Verdict::Deny(Denial::by(Rule::LabAgent)) } else { Verdict::Allow }
}

/// Whether an agent is one of Design Lab's own.
pub fn is_lab_agent(agent: &str) -> bool {
    agent.trim().get(..11).is_some_and(|start| start.eq_ignore_ascii_case("design-lab-"))
}

fn judge(rules: &Rules, call: &Call, facts: &Facts) -> Result<(), Rule> {
    for given in call.urls() {
        let fact = facts.urls.iter().find(|fact| fact.given == given).ok_or(Rule::Arguments)?;
        if !is_public(fact) {
            return Err(Rule::PrivateAddress);
        }
    }
    let judge = Judge { bounds: Bounds::of(rules), facts };
    for given in call.paths() {
        let fact = facts.paths.iter().find(|fact| fact.given == given).ok_or(Rule::Arguments)?;
        match call {
            Call::Opaque(_) => judge.string(fact)?,
            Call::Search { glob, .. } => {
                judge.path(fact)?;
                judge.search(fact, glob.as_deref())?;
            }
            Call::Harmless | Call::Read(_) => judge.path(fact)?,
        }
    }
    if !matches!(call, Call::Opaque(_)) && call.paths().iter().any(|given| is_ambiguous(call, given, facts)) {
        return Err(Rule::Spelling);
    }
    Ok(())
}

/// Whether `name/..` in a path resolves differently on the file system than lexically. OpenCode 1.18 resolves relative
/// paths lexically and absolute ones on the file system, and if a search finds nothing under one of the two, its
/// results are spelled as neither.
fn is_ambiguous(call: &Call, given: &str, facts: &Facts) -> bool {
    let fact = |given: &str| facts.paths.iter().find(|fact| fact.given == given);
    let Some((by_system, by_letters)) = fact(given).zip(without_parents(given).as_deref().and_then(fact))
    else {
        return false;
    };
    by_system.real != by_letters.real
        || (matches!(call, Call::Search { .. }) && by_system.kind != by_letters.kind)
}

struct Judge<'a> {
    bounds: Bounds<'a>,
    facts: &'a Facts,
}

impl Judge<'_> {
    /// Checks a path that a built-in tool reads or searches.
    fn path(&self, fact: &PathFact) -> Result<(), Rule> {
        let given = fact.given.as_str();
        if given.trim_start().starts_with('~') || is_url(given) || given.chars().any(char::is_control) {
            return Err(Rule::Spelling);
        }
        if !is_absolute(&fact.absolute) || !is_absolute(&fact.real) || fact.kind == PathKind::Other {
            return Err(Rule::Arguments);
        }
        self.open(fact)?;
        if self.is_inside(&fact.absolute) && self.is_inside(&fact.real) {
            keyless(fact)
        } else {
            Err(Rule::Outside)
        }
    }

    /// Checks a string that needn't be a path, such as `/users/{id}`. It counts as a path if something exists there or
    /// a link in the project leads there.
    fn string(&self, fact: &PathFact) -> Result<(), Rule> {
        self.open(fact)?;
        if names_home(&fact.given) {
            return Err(Rule::Spelling);
        }
        match (self.is_inside(&fact.absolute), self.is_inside(&fact.real)) {
            (true, true) => keyless(fact),
            (false, _) if fact.kind == PathKind::Missing => Ok(()),
            _ => Err(Rule::Outside),
        }
    }

    fn is_inside(&self, path: &str) -> bool {
        self.bounds.contain(&components(path))
    }

    /// Refuses a path that is blocked under any of its names.
    fn open(&self, fact: &PathFact) -> Result<(), Rule> {
        self.reach(&fact.real)?;
        if fact.absolute != fact.real {
            self.reach(&fact.absolute)?;
        }
        if is_absolute(&fact.given) && fact.given != fact.absolute {
            self.reach(&fact.given)?; // absolute on another platform than the shell's: `C:\`, `\\?\`
        }
        if let Some(decoded) = percent_decoded(&fact.absolute) {
            self.reach(&decoded)?;
        }
        if fact.same_file_as_blocked && self.bounds.enforced {
            return Err(Rule::SharedFile);
        }
        if is_environment_file(&fact.absolute) || is_environment_file(&fact.real) {
            return Err(Rule::EnvironmentFile);
        }
        Ok(())
    }

    fn reach(&self, path: &str) -> Result<(), Rule> {
        match self.bounds.blocks(&components(path)) {
            Some(Blocked::Kept | Blocked::Root) => Err(Rule::BlockedDirectory),
            Some(Blocked::Pattern) => Err(Rule::BlockedPattern),
            None => Ok(()),
        }
    }

    /// Checks a search from a directory that may have blocked directories below it.
    fn search(&self, fact: &PathFact, glob: Option<&str>) -> Result<(), Rule> {
        if glob.is_some_and(is_environment_file) {
            return Err(Rule::EnvironmentFile);
        }
        if glob.is_some_and(holds_keys) {
            return Err(Rule::KeyFile);
        }
        if glob.is_some_and(|glob| names_home(glob) || is_url(glob)) {
            return Err(Rule::Spelling);
        }
        // OpenCode 1.18 searches the whole directory of a file.
        let parents = usize::from(fact.kind != PathKind::Directory);
        for path in [&fact.real, &fact.absolute] {
            let path = components(path);
            let start = &path[..path.len().saturating_sub(parents)];
            for (root, target) in self.bounds.blocked_below(start) {
                let open = root.guarded && !self.facts.guarded.contains(&root.path);
                if open || glob.is_some_and(|glob| is_aimed_at(glob, target)) {
                    return Err(Rule::Search);
                }
                for run in &self.facts.runs {
                    let run = components(run);
                    if glob.is_some_and(|glob| {
                        is_under(&run, &components(&root.path)) && opens(glob, &run[start.len()..])
                    }) {
                        return Err(Rule::Search);
                    }
                }
            }
            if let Some(prefix) = glob.and_then(literal_prefix)
                && self.leads(start, prefix)
            {
                return Err(Rule::Search);
            }
        }
        Ok(())
    }

    /// Whether the literal start of a glob leads from a directory, or from the root, to something blocked.
    fn leads(&self, start: &[&str], prefix: &str) -> bool {
        let joined = format!("/{}/{prefix}", start.join("/"));
        [joined.as_str(), prefix].into_iter().any(|path| self.bounds.blocks(&components(path)).is_some())
    }
}

/// Refuses a file that contains keys, judged by any of its names.
fn keyless(fact: &PathFact) -> Result<(), Rule> {
    let is_file = fact.kind != PathKind::Directory;
    let holds = holds_keys(&fact.real) || fact.absolute != fact.real && holds_keys(&fact.absolute);
    if is_file && holds { Err(Rule::KeyFile) } else { Ok(()) }
}

/// Returns the components of a glob before its first wildcard.
fn literal_prefix(glob: &str) -> Option<&str> {
    let wild = glob.find(['*', '?', '[', '{']).unwrap_or(glob.len());
    let end = if wild == glob.len() { wild } else { glob[..wild].rfind(['/', '\\'])? };
    (end > 0).then(|| &glob[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_start_of_a_glob_ends_before_its_first_wildcard() {
        let cases = [
            ("a/b/*.rs", Some("a/b")),
            ("/a/b", Some("/a/b")),
            ("a/b{c,d}", Some("a")),
            ("*.rs", None),
            ("**/a", None),
            ("", None),
        ];
        for (glob, expected) in cases {
            assert_eq!(literal_prefix(glob), expected, "{glob}");
        }
    }

    #[test]
    fn lab_agents_are_known_by_their_prefix() {
        for agent in ["design-lab-design-gpt", "design-lab-review-x", " Design-Lab-x"] {
            assert_eq!(task_verdict(agent), Verdict::Deny(Denial::by(Rule::LabAgent)), "{agent}");
        }
        for agent in ["general", "design", "my-design-lab-x", "", "dësign-läb-"] {
            assert_eq!(task_verdict(agent), Verdict::Allow, "{agent}");
        }
    }
}
