//! The task that every designer is given.

use crate::error::Problem;
use serde::{Deserialize, Serialize};

/// The task of a run, as stored in `task.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What is to be designed, in the user's own words.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub problem_statement: String,
    /// What every design has to respect.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// Qualities the design has to reach: performance, security, scale.
    #[serde(default)]
    pub non_functional_requirements: Vec<String>,
}

/// What a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Problem,
    Constraints,
    Qualities,
}

/// The headings that are understood, in lower case; a hyphen counts as a space.
const HEADINGS: [(&str, Section); 6] = [
    ("task", Section::Problem),
    ("constraint", Section::Constraints),
    ("constraints", Section::Constraints),
    ("non functional requirement", Section::Qualities),
    ("non functional requirements", Section::Qualities),
    ("nonfunctional requirements", Section::Qualities),
];

impl Task {
    /// Understands what the user typed: free text, or text with the sections `Task:`, `Constraints:` and
    /// `Non-functional requirements:`, in any case, as plain or Markdown headings. A section may be a list, or one line with
    /// entries between semicolons or commas. What stands before the first heading belongs to the task, and so does
    /// everything within a code fence.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let text = one_heading_per_line(text);
        let mut task = Self::default();
        let (mut problem, mut constraints, mut qualities) = (Vec::new(), Vec::new(), Vec::new());
        let mut section = Section::Problem;
        let mut fenced = false;
        for line in text.lines() {
            fenced ^= line.trim_start().starts_with("```");
            let heading = if fenced { None } else { heading(line) };
            let line = match heading {
                Some((next, rest)) => {
                    section = next;
                    rest
                }
                None => line,
            };
            match section {
                Section::Problem => &mut problem,
                Section::Constraints => &mut constraints,
                Section::Qualities => &mut qualities,
            }
            .push(line);
        }
        problem.join("\n").trim().clone_into(&mut task.problem_statement);
        task.constraints = entries(&constraints);
        task.non_functional_requirements = entries(&qualities);
        if task.problem_statement.is_empty() { Err(empty()) } else { Ok(task) }
    }
}

fn empty() -> Problem {
    Problem::new("task.empty", "There is no task to design for")
        .found("nothing")
        .allowed("a sentence or more; `Task:`, `Constraints:` and `Non-functional requirements:` may head its parts")
        .next("Say what is to be designed: /design-lab A rate limiter for a public HTTP API, 10 000 requests per second, Redis at hand")
}

/// Commands are often typed on one line: when the text begins with `Task:`, the other headings may follow on its line.
fn one_heading_per_line(text: &str) -> String {
    let text = text.trim();
    if !text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("task:")) {
        return text.to_owned();
    }
    let mut out = text.to_owned();
    for heading in ["Constraints:", "Non-functional requirements:", "Non-Functional Requirements:"] {
        if let Some(at) = out.find(&format!(" {heading}")) {
            out.replace_range(at..=at, "\n");
        }
    }
    out
}

/// The section that a line opens, and what follows on that line.
fn heading(line: &str) -> Option<(Section, &str)> {
    let bare = line.trim().trim_start_matches('#').trim_start_matches(['*', '_', ' ']);
    let marked = line.trim_start().starts_with('#');
    let (name, rest) = match bare.split_once(':') {
        Some((name, rest)) => (name, rest.trim_start_matches(['*', '_'])),
        None if marked => (bare, ""),
        None => return None,
    };
    let name = name.trim_end_matches(['*', '_', ' ']).to_lowercase().replace('-', " ");
    HEADINGS.iter().find(|(heading, _)| *heading == name).map(|(_, section)| (*section, rest))
}

/// The entries of a list, whichever way it is written.
fn entries(lines: &[&str]) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let listed = lines.iter().any(|line| bullet(line).is_some());
    let mut open = false;
    for line in lines {
        let text = line.trim();
        match bullet(line) {
            _ if text.is_empty() => open = false,
            Some(entry) => {
                entries.push(entry.to_owned());
                open = true;
            }
            None => match entries.last_mut().filter(|_| listed && open) {
                Some(last) => {
                    last.push(' ');
                    last.push_str(text);
                }
                None => entries.extend(inline(text)),
            },
        }
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

/// What follows a bullet or a number at the beginning of a line.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(['.', ')'])).flatten()
    })?;
    after.starts_with([' ', '\t']).then(|| after.trim())
}

/// Entries on one line: between semicolons if there are any, else between commas of a single sentence.
fn inline(text: &str) -> Vec<String> {
    let sentences = text.trim_end_matches('.').contains(". ");
    let separator = match () {
        () if text.contains(';') => ";",
        () if !sentences => ", ",
        () => return vec![text.to_owned()],
    };
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0_i32;
    for part in text.split(separator) {
        match parts.last_mut().filter(|_| depth > 0) {
            Some(last) => {
                last.push_str(separator);
                last.push_str(part);
            }
            None => parts.push(part.to_owned()),
        }
        depth +=
            part.chars().map(|c| i32::from("([{".contains(c)) - i32::from(")]}".contains(c))).sum::<i32>();
    }
    parts.iter().map(|part| part.trim().trim_start_matches("and ").trim_end_matches('.').to_owned()).collect()
}
