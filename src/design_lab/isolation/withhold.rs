//! Removes what a result still reveals about blocked paths before the model reads it.
//!
//! This is the last line of defence, and searches need it: a glob such as `**/*` makes ripgrep list what `.ignore`
//! would hide. The forms are those of OpenCode 1.18 and 2.0; a result of unknown form is withheld whole as soon as it
//! names something below a blocked directory. The forms are defined here and not with the rest of the code for
//! OpenCode, because a line is parsed only to look up its paths in the rules.

use std::borrow::Cow;

use serde_json::Value;

use super::bounds::{Blocked, Bounds};
use super::keys::holds_keys;
use super::path::{components, is_absolute, is_environment_file};
use super::rules::Rules;
use super::verdict::{Facts, PathFact, PathKind};
use crate::opencode::tools::MALFORMED;

/// What the model reads instead of a result, or a line of it, that is withheld whole.
const WITHHELD: &str = "This result is not available in this session.";
const WITHHELD_LINE: &str = "(not available in this session)";

/// Returns the output that the model may read instead of this one, or `None` when it may read this one unchanged.
///
/// `facts` are the facts that the call was judged by, `metadata` is the JSON text of the result's metadata.
pub fn withhold(rules: &Rules, tool: &str, facts: &Facts, output: &str, metadata: &str) -> Option<String> {
    if !rules.enforce && !matches!(tool, "grep") {
        return None;
    }
    let result = Result { rules, bounds: Bounds::of(rules), facts, output };
    if result.loads_blocked(metadata) {
        return Some(WITHHELD.to_owned());
    }
    let kept = match tool {
        MALFORMED => return None,
        "glob" => Some(result.of_glob()),
        "grep" => result.of_grep(),
        "read" if facts.paths.first().is_some_and(|fact| fact.kind == PathKind::Directory) => {
            result.of_listing()
        }
        "read" if result.is_of_blocked() => None,
        "read" => Some(result.without_mentions(output)),
        _ => result.unread(),
    };
    let kept = kept.unwrap_or_else(|| WITHHELD.to_owned());
    (kept != output).then_some(kept)
}

struct Result<'a> {
    rules: &'a Rules,
    bounds: Bounds<'a>,
    facts: &'a Facts,
    output: &'a str,
}

impl Result<'_> {
    /// Whether the result includes the text of a blocked file, as `read` does with a nearby AGENTS.md.
    fn loads_blocked(&self, metadata: &str) -> bool {
        let Ok(metadata) = serde_json::from_str::<Value>(metadata) else { return false };
        let loaded = metadata.get("loaded").and_then(Value::as_array);
        loaded.into_iter().flatten().filter_map(Value::as_str).any(|path| self.is_blocked(path))
    }

    /// Whether the first line of `read`'s output names a blocked path as the source.
    fn is_of_blocked(&self) -> bool {
        let first = self.output.lines().next().unwrap_or_default();
        let path = first.strip_prefix("<path>").and_then(|rest| rest.strip_suffix("</path>"));
        path.is_some_and(|path| self.is_blocked(path))
    }

    /// Filters a list of paths, one per line, which may end with a note in parentheses.
    fn of_glob(&self) -> String {
        let mut kept = Vec::new();
        let mut paths = 0;
        let mut cut_off = false;
        for line in self.output.split('\n') {
            let is_note = line.is_empty() || line.starts_with('(') || line == "No files found";
            cut_off |= line.starts_with('(');
            if is_note || !(self.is_blocked(line) || self.mentions(line)) {
                paths += usize::from(!is_note);
                kept.push(line);
            }
        }
        if kept.len() == self.output.split('\n').count() {
            return self.output.to_owned();
        }
        if paths == 0 { nothing(cut_off) } else { kept.join("\n") }
    }

    /// Filters `Found 3 matches`, then for each file its path with a colon, its lines as `  Line 7: text`, and a blank
    /// line.
    fn of_grep(&self) -> Option<String> {
        let mut lines = self.output.split('\n');
        let found = lines.next().unwrap_or_default();
        if !found.starts_with("Found ") {
            return found.starts_with("No ").then(|| self.output.to_owned());
        }
        let (mut kept, mut matches, mut dropped, mut cut_off) = (Vec::new(), 0, false, false);
        let mut shown = None;
        for line in lines {
            let heading = line.strip_suffix(':').filter(|path| is_absolute(path));
            if let Some(path) = heading {
                let show = !self.is_blocked(path) && !is_environment_file(path) && !holds_keys(path);
                shown = Some(show);
                dropped |= !show;
                if show {
                    kept.push(line.to_owned());
                }
            } else if line.starts_with("(Results ") {
                cut_off = true;
                kept.push(line.to_owned());
            } else if line.is_empty() {
                if shown != Some(false) {
                    kept.push(String::new());
                }
            } else if shown? {
                matches += usize::from(line.starts_with("  Line "));
                kept.push(self.without_mentions(line));
            }
        }
        if !dropped {
            kept.insert(0, found.to_owned());
            return Some(kept.join("\n"));
        }
        if matches == 0 {
            return Some(nothing(cut_off));
        }
        let more = if found.ends_with("(more matches available)") { " (more matches available)" } else { "" };
        kept.insert(0, format!("Found {matches} matches{more}"));
        Some(kept.join("\n").trim_end().to_owned())
    }

    /// Filters directory entries, one per line, in a frame that depends on the version.
    fn of_listing(&self) -> Option<String> {
        let directory = &self.facts.paths.first()?.real;
        let mut dropped = 0;
        let kept: Vec<&str> = self
            .output
            .lines()
            .filter(|line| {
                let name = line.trim_end_matches('/');
                let blocked = !name.is_empty()
                    && (self.mentions(name)
                        || self.is_blocked(&format!("{directory}/{name}"))
                        || (name.contains('/') && self.is_blocked(name)));
                dropped += usize::from(blocked);
                !blocked
            })
            .collect();
        if dropped == 0 {
            return Some(self.output.to_owned());
        }
        let recount = |line: &&str| {
            let count = line.strip_prefix('(')?.strip_suffix(" entries)")?.parse::<usize>().ok()?;
            Some(format!("({} entries)", count.saturating_sub(dropped)))
        };
        let lines: Vec<String> =
            kept.iter().map(|line| recount(line).unwrap_or_else(|| (*line).to_owned())).collect();
        Some(lines.join("\n"))
    }

    /// Returns a result of unknown form unchanged, or `None` if it names anything blocked.
    fn unread(&self) -> Option<String> {
        let is_named = |token: &str| {
            let path = self.absolute(token.trim_end_matches(['.', ':']));
            let names = components(&path);
            match self.bounds.blocks(&names) {
                Some(Blocked::Pattern) => true,
                // The directory's own name reveals nothing.
                Some(Blocked::Kept) => {
                    names.split_last().is_some_and(|(_, above)| self.bounds.blocks(above).is_some())
                }
                Some(Blocked::Root) | None => false,
            }
        };
        let named = self.mentions(self.output)
            || self
                .output
                .split(|c: char| c.is_whitespace() || "\"'`,;()[]{}<>=|".contains(c))
                .filter(|token| token.contains(['/', '\\', '.']))
                .any(is_named);
        (!named).then(|| self.output.to_owned())
    }

    /// Replaces every line of the text that names something below a blocked directory; the directory's own name, as in
    /// a `.gitignore`, reveals nothing.
    fn without_mentions(&self, text: &str) -> String {
        if !self.mentions(text) {
            return text.to_owned();
        }
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| {
                if self.mentions(line) { format!("{}{WITHHELD_LINE}", number(line)) } else { line.to_owned() }
            })
            .collect();
        lines.join("\n")
    }

    fn mentions(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase().replace('\\', "/");
        self.bounds.blocked_names().any(|(names, parent)| {
            names_below(&text, &names.join("/").to_ascii_lowercase(), &parent.to_ascii_lowercase())
        })
    }

    /// Whether a path from a result, relative to the project or absolute, is blocked.
    fn is_blocked(&self, path: &str) -> bool {
        let absolute = self.absolute(path);
        let names = components(&absolute);
        self.bounds.blocks(&names).is_some()
            || self.facts.paths.iter().any(|fact| self.leads_to_blocked(fact, &names))
            || self.facts.linked.iter().any(|fact| self.is_other_name_of_hidden(fact, &names))
    }

    fn absolute<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if is_absolute(path) {
            Cow::Borrowed(path)
        } else {
            Cow::Owned(format!("{}/{path}", self.rules.project))
        }
    }

    /// A search reads a hard link, and `read` reads a nearby AGENTS.md that is a link, without either being named in
    /// the call.
    fn is_other_name_of_hidden(&self, fact: &PathFact, path: &[&str]) -> bool {
        let real = components(&fact.real);
        components(&fact.absolute) == path
            && ((fact.same_file_as_blocked && self.bounds.enforced)
                || self.bounds.blocks(&real).is_some()
                || is_environment_file(&fact.real)
                || holds_keys(&fact.real)
                || (self.bounds.contain(path) && !self.bounds.contain(&real)))
    }

    /// Results spell paths as the call did: if that spelling passed through a link, the real path counts too.
    fn leads_to_blocked(&self, fact: &PathFact, path: &[&str]) -> bool {
        let up = usize::from(fact.kind != PathKind::Directory);
        let (from, to) = (components(&fact.absolute), components(&fact.real));
        let (from, to) = (&from[..from.len().saturating_sub(up)], &to[..to.len().saturating_sub(up)]);
        path.strip_prefix(from).is_some_and(|rest| {
            let real: Vec<&str> = to.iter().chain(rest).copied().collect();
            self.bounds.blocks(&real).is_some()
        })
    }
}

fn nothing(cut_off: bool) -> String {
    let text = if cut_off {
        "No results can be shown. Use a more specific path or pattern."
    } else {
        "No files found"
    };
    text.to_owned()
}

/// Returns the `12: ` or `  Line 12: ` that a line of a result starts with.
fn number(line: &str) -> &str {
    let start = if line.starts_with("  Line ") { 7 } else { 0 };
    let digits = line[start..].bytes().take_while(u8::is_ascii_digit).count();
    let end = start + digits;
    if digits > 0 && line[end..].starts_with(": ") { &line[..end + 2] } else { "" }
}

/// Whether the text names a path with something concrete below it: alone, or after the name of its parent. All
/// arguments are in lower case, with forward slashes.
fn names_below(text: &str, path: &str, parent: &str) -> bool {
    text.match_indices(path).any(|(start, _)| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let before = &text[..start];
        let starts = match before.strip_suffix('/') {
            Some(before) => {
                let is_part = |c: char| is_name(c) || c == '.';
                let name = before.rsplit(|c| !is_part(c)).next().unwrap_or_default();
                ["", ".", "..", parent].contains(&name)
            }
            None => !before.ends_with(is_name),
        };
        let rest = &text[start + path.len()..];
        let below = rest.trim_start_matches('/');
        starts && below.len() < rest.len() && below.starts_with(|c| is_name(c) || c == '.' || c == '%')
    })
}
