//! Reads the report of a mutation testing tool, which shows which small faults in a feature's lines the tests notice.
//!
//! The tool is the user's ([`Mutator`](crate::design_lab::config::Mutator)), but its configuration and its tests are the project's,
//! so its report is a claim that the worker may have influenced. Three formats are read and recognised by their contents:
//!
//! | format | written by | recognised by |
//! |---|---|---|
//! | the mutation testing report schema | Stryker for JavaScript, .NET and Scala, and others | `files` with `mutants` |
//! | `mutants.out/outcomes.json` | cargo-mutants | `outcomes` |
//! | `mutants/**/*.meta`, each next to a source with every mutant in it | mutmut 3 | `exit_code_by_key` |
//!
//! mutmut's files contain no line numbers. They are found by comparing each mutant of a function with the original next to it.

use super::evidence::some;
use super::mutants::{ChangedFile, changed_lines, shown};
use crate::shared::ran::CommandEnd;
use crate::shared::spelled::spelled;
use design_lab_numerics::sorting::{sort_by, sort_by_key};

use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use serde_json::Value;

/// How many unnoticed mutants are recorded, and how many others.
const KEPT: usize = 50;
/// The longest name of a tool, in characters.
const NAME: usize = 40;

/// How a tool ended, and what it left in the copy.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutatorLeft"))]
pub struct MutatorLeft {
    /// The tool's command.
    pub argv: Vec<String>,
    /// How the command ended.
    pub end: CommandEnd,
    /// Where its output is, below the session's directory.
    pub output: String,
    /// Where the tool's report should be, relative to the project's directory.
    pub report: String,
    /// The project's directory, from the root of the tree; empty if they are the same.
    pub directory: String,
    /// The root of the copy, absolute, under each of its names.
    pub roots: Vec<String>,
    /// The files of the copy that were touched meanwhile.
    pub touched: Vec<String>,
    /// The files found of the report; `None` when there are none.
    pub files: Option<Vec<ReportFile>>,
    /// Why the report was not looked for or not read; `None` when it was.
    pub refused: Option<Refused>,
    /// The changed files that aren't tests.
    pub changed: Vec<ChangedFile>,
}

/// A file of a report.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowReportFile"))]
pub struct ReportFile {
    /// The path from the root of the tree.
    pub path: String,
    /// The file's contents.
    pub text: String,
}

/// Why a report is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowReportRefused"))]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// A link leads out of the copy.
    Outside,
    /// It is too large.
    TooLarge,
}

/// The result of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutatorSeen"))]
pub struct MutatorSeen {
    /// The tool's name and version, as its report gives them.
    pub tool: String,
    /// Why the result is unusable, as a clause; `None` when it is usable.
    pub unusable: Option<String>,
    /// The mutants in lines that the feature changed: only the first ones, with priority for unnoticed ones.
    pub mutants: Vec<ReportedMutant>,
    /// How many of all mutants were noticed.
    pub noticed: u32,
    /// How many were not.
    pub unnoticed: u32,
    /// How many decided nothing.
    pub undecided: u32,
}

/// A mutant in a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowReportedMutant"))]
pub struct ReportedMutant {
    /// The file, from the root of the tree.
    pub path: String,
    /// The mutant's first line, counted from 1.
    pub line: u32,
    /// What differs, in words.
    pub change: String,
    /// Whether a test noticed it; `None` when it decided nothing.
    pub noticed: Option<bool>,
}

/// What a report of some format contains about the files of a change.
#[derive(Default)]
struct Said {
    tool: String,
    /// Whether it names any of these files.
    names_any: bool,
    mutants: Vec<Found>,
}

/// A mutant; its file is the file's index in the change.
struct Found {
    file: usize,
    first: usize,
    last: usize,
    change: String,
    noticed: Option<bool>,
}

/// The result of a tool for a change.
pub fn seen(left: &MutatorLeft) -> MutatorSeen {
    match left.said() {
        Err(why) => {
            let unusable = Some(format!("`{}` (flow.mutator) {why}", spelled(&left.argv)));
            MutatorSeen { unusable, ..MutatorSeen::default() }
        }
        Ok(seen) => seen,
    }
}

impl MutatorLeft {
    fn said(&self) -> Result<MutatorSeen, String> {
        let Self { report, output, .. } = self;
        let report = report.trim_end_matches('/');
        match &self.end {
            CommandEnd::NotStarted { message } => return Err(format!("did not start: {message}")),
            CommandEnd::TimedOut => return Err(format!("did not finish in time; see {output}")),
            CommandEnd::Signalled { signal } => return Err(format!("was ended by {signal}; see {output}")),
            CommandEnd::Exited { .. } => {}
        }
        let end = self.end.words();
        match (self.refused, &self.files) {
            (Some(Refused::Outside), _) => {
                return Err(format!("wrote no report in the copy: the path {report} leads outside the copy"));
            }
            (Some(Refused::TooLarge), _) => {
                return Err(format!("wrote a report that is too large: {report}"));
            }
            (None, None) => return Err(format!("wrote no report at {report} ({end}); see {output}")),
            (None, Some(_)) => {}
        }
        let whole = join(&self.directory, report);
        let is_report = |path: &&String| **path == whole || path.starts_with(&format!("{whole}/"));
        let touched: Vec<String> = self.touched.iter().filter(|path| !is_report(path)).cloned().collect();
        if !touched.is_empty() {
            return Err(format!("changed files in the copy: {}", some(&touched)));
        }
        let mut all = Said::default();
        let files = self.files.as_deref().unwrap_or_default();
        let mut is_known = files.is_empty();
        for file in files {
            if let Some(said) = self.read(file, &whole) {
                is_known = true;
                all.tool = said.tool;
                all.names_any |= said.names_any;
                all.mutants.extend(said.mutants);
            }
        }
        if !is_known {
            return Err(format!("wrote a report in a format that Flow can't read: {report}"));
        }
        if !all.names_any {
            return Err(format!("wrote a report that names no file of the change: {report}"));
        }
        let seen = self.judged(all);
        if seen.noticed + seen.unnoticed == 0 {
            return Err(format!("wrote a report without a result for the changed lines: {report}"));
        }
        Ok(seen)
    }

    /// Returns `None` when the format isn't known.
    fn read(&self, file: &ReportFile, whole: &str) -> Option<Said> {
        // mutmut keeps its sources next to its results.
        let text = file.text.trim_start_matches('\u{feff}');
        let value: Value = serde_json::from_str(text).ok()?;
        if let Some(outcomes) = value["outcomes"].as_array() {
            return Some(self.of_cargo_mutants(file, &value, outcomes));
        }
        if let Some(codes) = value["exit_code_by_key"].as_object() {
            let source = file.path.strip_suffix(".meta")?;
            let inside = source.strip_prefix(whole)?.strip_prefix('/')?;
            let path = join(parent(whole), inside);
            let text = self.files.iter().flatten().find(|other| other.path == source)?.text.as_str();
            return Some(self.of_mutmut(&path, codes, text));
        }
        let files = value["files"].as_object().filter(|files| {
            value["schemaVersion"].is_string() || files.values().any(|file| file["mutants"].is_array())
        })?;
        Some(self.of_stryker(file, &value, files))
    }

    fn of_stryker(&self, report: &ReportFile, value: &Value, files: &serde_json::Map<String, Value>) -> Said {
        let framework = &value["framework"];
        let name = framework["name"].as_str().unwrap_or("the mutation testing tool");
        let mut said = Said { tool: named(name, framework["version"].as_str()), ..Said::default() };
        for (path, reported) in files {
            let source = reported["source"].as_str().unwrap_or_default();
            // The report may be about a package at any path, but it contains the sources, which identify the files.
            let is_of = |at: &String| {
                self.changed.iter().position(|one| one.path == *at && one.now.lines().eq(source.lines()))
            };
            let Some(file) = self.places(path, ancestors(&report.path)).iter().find_map(is_of) else {
                continue;
            };
            said.names_any = true;
            let lines: Vec<&str> = source.lines().collect();
            for mutant in reported["mutants"].as_array().into_iter().flatten() {
                let at = |end: &str, what: &str| number(&mutant["location"][end][what]);
                let (Some(first), Some(last)) = (at("start", "line"), at("end", "line")) else { continue };
                let columns = (at("start", "column").unwrap_or(1), at("end", "column"));
                let was = lines
                    .get(first - 1)
                    .map(|line| part(line, columns.0, columns.1.filter(|_| first == last)));
                let change = match mutant["replacement"].as_str() {
                    Some(other) => wording(&was.unwrap_or_default(), other, first != last),
                    None => mutant["mutatorName"].as_str().map(shown).unwrap_or_default(),
                };
                let noticed = match mutant["status"].as_str() {
                    Some("Killed" | "Timeout") => Some(true),
                    Some("Survived" | "NoCoverage") => Some(false),
                    _ => None,
                };
                said.mutants.push(Found { file, first, last, change, noticed });
            }
        }
        said
    }

    fn of_cargo_mutants(&self, report: &ReportFile, value: &Value, outcomes: &[Value]) -> Said {
        let version = value["cargo_mutants_version"].as_str();
        let mut said = Said { tool: named("cargo-mutants", version), ..Said::default() };
        // Its file paths start from the workspace, which is also where it puts its own directory.
        let from = [parent(parent(&report.path)), self.directory.as_str()];
        for outcome in outcomes {
            let mutant = &outcome["scenario"]["Mutant"];
            let places = mutant["file"].as_str().map(|path| self.places(path, from.into_iter()));
            let Some(file) = places.iter().flatten().find_map(|at| self.place_in_change(at)) else {
                continue;
            };
            said.names_any = true;
            let line = |end: &str| number(&mutant["span"][end]["line"]);
            let (Some(first), Some(last)) = (line("start"), line("end")) else { continue };
            let name = mutant["name"].as_str().unwrap_or_default();
            // The part after file, line and column.
            let change = shown(name.split_once(": ").map_or(name, |(_, change)| change));
            let noticed = match outcome["summary"].as_str() {
                Some("CaughtMutant" | "Timeout") => Some(true),
                Some("MissedMutant") => Some(false),
                _ => None,
            };
            said.mutants.push(Found { file, first, last, change, noticed });
        }
        said
    }

    /// `path`: the file that is mutated; `text`: the source with all its mutants.
    fn of_mutmut(&self, path: &str, codes: &serde_json::Map<String, Value>, text: &str) -> Said {
        let mut said = Said { tool: "mutmut".to_owned(), ..Said::default() };
        let Some(file) = self.place_in_change(path) else { return said };
        said.names_any = true;
        let (source, with_mutants): (Vec<&str>, Vec<&str>) =
            (self.changed[file].now.lines().collect(), text.lines().collect());
        for (key, code) in codes {
            let Some((first, last, change)) = place_of_mutmut(key, &source, &with_mutants) else { continue };
            // mutmut's interpretation of a test run's exit code.
            let noticed = match code.as_i64() {
                Some(1 | 3 | 36 | 37 | 24 | -24 | 152 | 255) => Some(true),
                Some(0 | 5 | 33) => Some(false),
                _ => None,
            };
            said.mutants.push(Found { file, first, last, change, noticed });
        }
        said
    }

    fn place_in_change(&self, path: &str) -> Option<usize> {
        self.changed.iter().position(|one| one.path == path)
    }

    /// The paths in the tree that a path of a report may name, if it starts from one of these directories.
    fn places<'a>(&self, path: &str, from: impl Iterator<Item = &'a str>) -> Vec<String> {
        let path = path.replace('\\', "/");
        let roots = self.roots.iter().map(|root| root.replace('\\', "/"));
        let mut inside =
            roots.filter_map(|root| Some(path.strip_prefix(&root)?.strip_prefix('/')?.to_owned()));
        if let Some(path) = inside.next() {
            return vec![path];
        }
        let path = path.trim_start_matches("./");
        from.map(|folder| join(folder, path)).collect()
    }

    /// Only the mutants that lie entirely in changed lines.
    fn judged(&self, said: Said) -> MutatorSeen {
        let changed: Vec<(Vec<bool>, Vec<&str>)> =
            self.changed.iter().map(|file| (changed_lines(file), file.now.lines().collect())).collect();
        let is_of_change = |one: &&Found| {
            let (is_changed, lines) = &changed[one.file];
            // A line of brackets belongs to the change before it as much as to the change after it.
            let says = |line: usize| lines[line].contains(|letter: char| letter.is_alphanumeric());
            let range = one.first - 1..one.last;
            one.last <= lines.len()
                && range.clone().any(|line| is_changed[line])
                && range.into_iter().all(|line| is_changed[line] || !says(line))
        };
        let mut all: Vec<&Found> = said.mutants.iter().filter(is_of_change).collect();
        sort_by_key(&mut all, |one| (&self.changed[one.file].path, one.first));
        let count = |wanted: Option<bool>| {
            u32::try_from(all.iter().filter(|one| one.noticed == wanted).count()).unwrap_or(u32::MAX)
        };
        let (noticed, unnoticed, undecided) = (count(Some(true)), count(Some(false)), count(None));
        let (first, others): (Vec<&Found>, Vec<&Found>) =
            all.into_iter().partition(|one| one.noticed == Some(false));
        let kept = first.into_iter().take(KEPT).chain(others.into_iter().take(KEPT));
        let mutants = kept.map(|one| ReportedMutant {
            path: self.changed[one.file].path.clone(),
            line: u32::try_from(one.first).unwrap_or(u32::MAX),
            change: one.change.clone(),
            noticed: one.noticed,
        });
        let mut mutants: Vec<ReportedMutant> = mutants.collect();
        sort_by(&mut mutants, |a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        MutatorSeen { tool: said.tool, unusable: None, mutants, noticed, unnoticed, undecided }
    }
}

/// The first and last line of a mutmut mutant in its source, counted from 1, and what differs. `key`: `module.x_name__mutmut_1`, or
/// for a method `module.xǁClassǁname__mutmut_1`. `None` when the function isn't found, or is found twice.
fn place_of_mutmut(key: &str, source: &[&str], with_mutants: &[&str]) -> Option<(usize, usize, String)> {
    let mangled = key.rsplit('.').next()?;
    let (function, _) = mangled.rsplit_once("__mutmut_")?;
    let mut parts = function.rsplit('ǁ');
    let last = parts.next()?;
    let class = parts.next().filter(|class| *class != "x");
    let name = if function.contains('ǁ') { last } else { last.strip_prefix("x_")? };
    let original = function_in(with_mutants, &format!("{function}__mutmut_orig"))?;
    let mutant = function_in(with_mutants, mangled)?;
    let first_line = |lines: &[&str], mangled: &str| lines[0].replacen(mangled, name, 1);
    let heads = [first_line(original, &format!("{function}__mutmut_orig")), first_line(mutant, mangled)];
    let bodies = |index: usize| -> Vec<&str> {
        let of = [original, mutant][index];
        std::iter::once(heads[index].as_str()).chain(of[1..].iter().copied()).collect()
    };
    let (original, mutant) = (bodies(0), bodies(1));
    let is_here = |at: &usize| source[*at..].starts_with(&original);
    let is_of_class = |at: &usize| {
        let class_of = |line: &&&str| line.trim_start().strip_prefix("class ").map(str::to_owned);
        let nearest = source[..*at].iter().rev().find_map(|line| class_of(&line));
        class.is_none_or(|class| {
            nearest.is_some_and(|line| line.split(['(', ':', '[', ' ']).next() == Some(class))
        })
    };
    let mut places = (0..source.len()).filter(is_here).filter(is_of_class);
    let at = places.next().filter(|_| places.next().is_none())?;
    let same = original.iter().zip(&mutant).take_while(|(a, b)| a == b).count();
    let rest = original.len().min(mutant.len()).saturating_sub(same);
    let alike = original.iter().rev().zip(mutant.iter().rev());
    let same_behind = alike.take(rest).take_while(|(a, b)| a == b).count();
    let (was, is) =
        (&original[same..original.len() - same_behind], &mutant[same..mutant.len() - same_behind]);
    let line = at + same + 1;
    let change = wording(was.first()?, is.first().unwrap_or(&""), was.len() > 1);
    Some((line, line + was.len() - 1, change))
}

/// The lines of the Python function with this name, without trailing empty lines.
fn function_in<'a>(lines: &'a [&'a str], name: &str) -> Option<&'a [&'a str]> {
    let opens = |line: &&str| {
        let line = line.trim_start();
        let line = line.strip_prefix("async ").unwrap_or(line);
        line.strip_prefix("def ")
            .and_then(|line| line.strip_prefix(name))
            .is_some_and(|rest| rest.starts_with(['(', '[']))
    };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let from = lines.iter().position(opens)?;
    let is_of_it = |line: &&&str| {
        line.trim().is_empty() || indent(line) > indent(lines[from]) || line.trim_start().starts_with(')')
    };
    let mut to = from + 1 + lines[from + 1..].iter().take_while(is_of_it).count();
    while lines[to - 1].trim().is_empty() {
        to -= 1;
    }
    Some(&lines[from..to])
}

/// What differs, in words. `goes_on`: whether the original has more lines.
fn wording(was: &str, is: &str, goes_on: bool) -> String {
    let first = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
    let more = |goes_on: bool| if goes_on { " …" } else { "" };
    let (was, goes_on_then) = (first(was), is.trim().lines().nth(1).is_some());
    let becomes = match is.trim() {
        "" => "is left out".to_owned(),
        is => format!("becomes `{}{}`", shown(&first(is)), more(goes_on_then)),
    };
    format!("`{}{}` {becomes}", shown(&was), more(goes_on))
}

/// The part of a line between two columns, counted from 1.
fn part(line: &str, from: usize, to: Option<usize>) -> String {
    let from = from.saturating_sub(1);
    let length = to.map_or(usize::MAX, |to| to.saturating_sub(1).saturating_sub(from));
    line.chars().skip(from).take(length).collect()
}

/// A line or column number.
fn number(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0)
}

fn named(tool: &str, version: Option<&str>) -> String {
    let name = version.map_or_else(|| tool.to_owned(), |version| format!("{tool} {version}"));
    visible::line(&name).replace('`', "'").chars().take(NAME).collect()
}

fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The directories that contain a file, the nearest first, up to the root of the tree.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(parent(path)), |folder| (!folder.is_empty()).then(|| parent(folder)))
}

#[cfg(test)]
mod tests;
