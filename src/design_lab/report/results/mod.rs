//! `results/results.md`: which design came first and how certain that is, in words; then the tables; then what would
//! change the result; then the comments; then the fine print, each statistic with a line on how to read it.

mod change;
mod comparisons;
mod constraints;
mod fine_print;
mod gains;
mod map;
mod tables;
mod words;

use super::chat;
use super::markdown::{inline, one_line, pieces, quoted_list};
use super::outcomes::{outcomes, outcomes_aside};
use super::overview::Overview;
use crate::design_lab::anonymity::Scrub;
use crate::design_lab::artefacts::{StoredDesign, StoredMap, StoredReview, Task};
use crate::design_lab::config::Config;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::Study;
use crate::shared::capped::capped;
use crate::shared::reader::Reader;
use std::fmt::Write as _;

pub(super) use change::change;
pub(super) use comparisons::{Tally, reading as comparisons_reading, tallies, turned};
pub(super) use constraints::constraints;
pub(super) use fine_print::{fine_print, method};
pub(super) use gains::{gains, gains_aside};
pub(super) use map::{left_out, source};
pub(super) use tables::{
    MATRIX_READING, bounds, is_own, means_aside, overall_scores, own_reading, ranks_reading, reviewers,
    unranked,
};
pub(super) use words::{sure, warnings};

/// The maximum length of a heading, and of a sentence quoted from a text, in characters.
const HEADING: usize = 80;
const SENTENCE: usize = 200;

/// The sources of the report in addition to the run and its ranking.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// The task.
    pub task: &'a Task,
    /// The input of the ranking.
    pub study: &'a Study,
    /// What was removed from the designs before they were reviewed.
    pub scrubbed: &'a [Scrubbed],
    /// The designs as stored.
    pub designs: &'a [StoredDesign],
    /// The reviews as stored.
    pub reviews: &'a [Written],
    /// Where the designs agree and differ; `None` without a map.
    pub map: Option<&'a StoredMap>,
    /// The run's settings.
    pub config: &'a Config,
    /// Whether reviewers were asked about the constraints of the task.
    pub asks_constraints: bool,
}

/// A review, and the text that was written with its scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The review as stored.
    pub review: StoredReview,
    /// The written reviews in Markdown, one text for each repeat.
    pub prose: Vec<String>,
}

/// What was removed from one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrubbed {
    /// The design's id.
    pub design_id: DesignId,
    /// The removals, by place and name; may be empty.
    pub scrubs: Vec<Scrub>,
}

/// Returns the whole report; empty for a run without a ranking.
pub fn results(run: &Overview<'_>, material: &Material<'_>) -> String {
    let Some(ranking) = run.ranking else { return String::new() };
    let study = material.study;
    let mut out = format!("# {}\n\n", inline(&heading(material.task)));
    let _ = writeln!(out, "**{}**\n", inline(&ranking.verdict.sentence));
    if let Some(choice) = &ranking.choice {
        let _ = writeln!(out, "{}\n", inline(&choice.sentence));
    }
    for pair in &ranking.close_pairs {
        let _ = writeln!(out, "{}\n", inline(&pair.sentence));
    }
    let sure = sure(ranking);
    if !sure.is_empty() {
        let _ = writeln!(out, "{}", quoted_list(&sure));
    }
    let warnings = warnings(run, ranking);
    if !warnings.is_empty() {
        let _ = writeln!(out, "Before you rely on it:\n\n{}", quoted_list(&warnings));
    }
    tables::ranks(&mut out, ranking);
    let outcomes = outcomes(run, Reader::Person);
    if !outcomes.is_empty() {
        let (list, aside) = (quoted_list(&outcomes), outcomes_aside(run));
        let _ = writeln!(out, "## How designs turned out\n\n{list}\n{aside}\n");
    }
    if !ranking.gains.is_empty() {
        let sentences: Vec<&str> = ranking
            .gains
            .iter()
            .map(|gain| gain.sentence.as_str())
            .chain(run.no_further_round.as_deref())
            .collect();
        let _ = writeln!(out, "## What was gained\n\n{}", quoted_list(&sentences));
        out.push_str(&pieces(&gains(ranking)));
    }
    tables::dimensions(&mut out, ranking, study);
    tables::matrix(&mut out, ranking, study);
    comparisons::write(&mut out, ranking, study);
    let answers = constraints(ranking, material);
    if !answers.is_empty() {
        let _ = write!(out, "## Constraints\n\n{}", pieces(&answers));
    }
    if let Some(map) = material.map {
        map::write(&mut out, map);
    }
    let change = change(ranking);
    if !change.is_empty() {
        let _ = write!(out, "## What would change the result\n\n{}", pieces(&change));
    }
    if let Some(command) = run.to_build() {
        let _ = writeln!(
            out,
            "## Build it\n\nIn OpenCode, `{command}` plans how to build the winning design, feature by \
             feature.\n"
        );
    }
    let steps = chat::more_certain(run);
    if !steps.is_empty() {
        let _ = writeln!(out, "## Make it more certain\n\n- {}\n", steps.join("\n- "));
    }
    tables::said(&mut out, ranking);
    fine_print::write(&mut out, run, ranking, material);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Returns the task's first line, shortened to a heading.
pub(super) fn heading(task: &Task) -> String {
    let first = task.problem_statement.lines().find(|line| !line.trim().is_empty()).unwrap_or("Results");
    shortened(first)
}

/// Shortens a text to a heading.
pub(super) fn shortened(text: &str) -> String {
    capped(&one_line(text), HEADING)
}

/// Returns the first sentence of a text, shortened.
pub(super) fn sentence(text: &str) -> String {
    let line = one_line(text);
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    capped(line.get(..end).unwrap_or_default(), SENTENCE)
}

/// Joins names: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => String::new(),
        [name] => name.as_ref().to_owned(),
        [names @ .., last] => {
            let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", names.join(", "), last.as_ref())
        }
    }
}
