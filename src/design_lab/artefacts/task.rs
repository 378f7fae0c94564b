//! The task that every designer gets.

use crate::design_lab::schema::{DocumentKind, Fault};
use kernel::json::Deserialize;
use kernel::problem::Problem;
use serde::Serialize;

/// The task of a run, as stored in `task.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// What to design, in the user's own words.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub problem_statement: String,
    /// The constraints that every design has to respect.
    #[serde(default)]
    pub constraints: Vec<String>,
    /// The qualities that a design has to reach: performance, security, scale.
    #[serde(default)]
    pub non_functional_requirements: Vec<String>,
}

/// The section that a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Problem,
    Constraints,
    Qualities,
}

/// The headings that are recognised, in lower case; a hyphen counts as a space.
const HEADINGS: [(&str, Section); 6] = [
    ("task", Section::Problem),
    ("constraint", Section::Constraints),
    ("constraints", Section::Constraints),
    ("non functional requirement", Section::Qualities),
    ("non functional requirements", Section::Qualities),
    ("nonfunctional requirements", Section::Qualities),
];

impl Task {
    /// Parses the user's text: free text, or text with the sections `Task:`, `Constraints:` and
    /// `Non-functional requirements:`, in any case, as plain or Markdown headings. A section may be a list,
    /// or one line with entries separated by semicolons or commas. Text before the first heading belongs to
    /// the task. Headings within a code fence don't count.
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
    Problem::new(DocumentKind::Task.code(Fault::Empty), "There is no task to design for.")
        .found("nothing")
        .allowed(
            "a sentence or more; its parts may begin with `Task:`, `Constraints:` and `Non-functional \
                  requirements:`",
        )
        .next(
            "Describe what to design: /design-lab A rate limiter for a public HTTP API, 10,000 requests \
               per second, Redis available",
        )
}

/// Puts each heading on a line of its own, because commands are often typed on one line: if the text starts
/// with `Task:`, the other headings may follow on the same line.
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

/// Returns the section that a line starts, and the rest of that line. Any other Markdown heading continues
/// the task.
fn heading(line: &str) -> Option<(Section, &str)> {
    let line = line.trim();
    let marked = line.starts_with('#') || (line.starts_with("**") && line.ends_with("**"));
    let bare = line.trim_start_matches('#').trim_start_matches(['*', '_', ' ']);
    let (name, rest) = match bare.split_once(':') {
        Some((name, rest)) => (name, rest.trim_start_matches(['*', '_'])),
        None if marked => (bare, ""),
        None => return None,
    };
    let name = name.trim_end_matches(['*', '_', ' ']).to_ascii_lowercase().replace('-', " ");
    match HEADINGS.iter().find(|(heading, _)| *heading == name) {
        Some((_, section)) => Some((*section, rest)),
        None if line.starts_with('#') => Some((Section::Problem, line)),
        None => None,
    }
}

/// Returns the entries of a list: bullets or numbers with their continuation lines, or else lines, or else
/// the parts of a single line.
fn entries(lines: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    if let [line] = lines[..]
        && bullet(line).is_none()
    {
        return inline(line);
    }
    let listed = lines.iter().any(|line| bullet(line).is_some());
    let mut entries: Vec<String> = Vec::new();
    for line in lines {
        match (bullet(line), entries.last_mut()) {
            (None, Some(last)) if listed => last.extend([" ", line]),
            (None, _) => entries.push(line.to_owned()),
            (Some(entry), _) => entries.push(entry.to_owned()),
        }
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

/// Returns the text after a bullet or a number at the start of a line.
fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < line.len()).then(|| rest.strip_prefix(['.', ')'])).flatten()
    })?;
    after.starts_with([' ', '\t']).then(|| after.trim())
}

/// Returns the entries on one line: separated by semicolons if there are any, or else by commas of a single
/// sentence, but never within brackets. "None" is no entry.
fn inline(text: &str) -> Vec<String> {
    let whole = text.trim_end_matches('.');
    if ["none", "n/a", "-"].contains(&whole.to_ascii_lowercase().as_str()) {
        return Vec::new();
    }
    let separator = if text.contains(';') { ";" } else { ", " };
    if separator == ", " && whole.contains(". ") {
        return vec![text.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for part in whole.split(separator) {
        match parts.last_mut() {
            Some(last) if depth > 0 => last.extend([separator, part]),
            _ => parts.push(part.to_owned()),
        }
        for c in part.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    let tidy = |part: &String| part.trim().trim_start_matches("and ").trim().to_owned();
    parts.iter().map(tidy).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(text: &str) -> (String, Vec<String>, Vec<String>) {
        let task = Task::parse(text).unwrap();
        (task.problem_statement, task.constraints, task.non_functional_requirements)
    }

    #[test]
    fn free_text_is_the_task() {
        let text = "Design a rate limiter.\n\nIt has constraints: none that I know of.\nLimits are 10: 1.";
        assert_eq!(task(text), (text.to_owned(), vec![], vec![]));
    }

    #[test]
    fn sections_are_understood_however_they_are_written() {
        let expected = (
            "Design a login.".to_owned(),
            vec!["Refresh tokens".to_owned(), "stateless".to_owned(), "revocation".to_owned()],
            vec!["A million users".to_owned(), "p99 below 1,000 ms".to_owned()],
        );
        let cases = [
            "Task: Design a login.\nConstraints: Refresh tokens, stateless, and revocation\nNon-functional requirements: A million users; p99 below 1,000 ms",
            "Task: Design a login. Constraints: Refresh tokens, stateless, and revocation. Non-functional requirements: A million users, p99 below 1,000 ms",
            "TASK: Design a login.\nCONSTRAINTS:\n- Refresh tokens\n- stateless\n- revocation\nNON-FUNCTIONAL REQUIREMENTS:\n* A million users\n* p99 below 1,000 ms",
            "Design a login.\n\nConstraints:\n1. Refresh tokens\n2) stateless\n3. revocation\n\nNonfunctional requirements:\nA million users\np99 below 1,000 ms\n",
            "# Task\n\nDesign a login.\n\n## Constraints\n\n- Refresh\n  tokens\n\n- stateless\n- revocation\n\n## Non-functional Requirements\n\n• A million users\n• p99 below 1,000 ms",
            "**Task:** Design a login.\r\n**Constraints**\r\n- Refresh tokens\r\n- stateless\r\n- revocation\r\n**Non-functional requirements:**\r\n- A million users\r\n- p99 below 1,000 ms",
        ];
        for text in cases {
            let (problem, constraints, qualities) = task(text);
            assert_eq!(
                (problem.trim_end_matches('.').to_owned() + ".", constraints, qualities),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_of_the_task_is_lost() {
        let text = "Design a parser.\n\n## Constraints\n- fast (linear, streaming), small\n\n## Background\nIt began in 1998.\n\n```\nConstraints:\n- in pasted text\n```";
        let (problem, constraints, _) = task(text);
        assert_eq!(constraints, ["fast (linear, streaming), small"]);
        assert_eq!(
            problem,
            "Design a parser.\n\n## Background\nIt began in 1998.\n\n```\nConstraints:\n- in pasted text\n```"
        );
        assert_eq!(task("Task: x\nConstraints: one (a, b), two").1, ["one (a, b)", "two"]);
        assert_eq!(
            task("Task: x\nConstraints: It is old. It is slow, too.").1,
            ["It is old. It is slow, too."]
        );
        assert_eq!(task("Task: x\nConstraints: none").1, [""; 0]);
    }

    #[test]
    fn an_empty_task_asks_for_one() {
        for text in ["", "  \n ", "Task:", "Constraints: fast", "# Task\n"] {
            let problem = Task::parse(text).unwrap_err();
            assert_eq!(problem.code, "task.empty", "{text}");
            assert!(problem.next.is_some_and(|next| next.contains("/design-lab ")));
        }
    }
}
