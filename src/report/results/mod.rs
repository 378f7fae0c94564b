//! `results/results.md`: who won and how surely, in words first; then the tables; then what would change it; then
//! what was said; then the fine print, each statistic with a line on how to read it.

mod change;
mod comparisons;
mod fine_print;
mod gains;
mod tables;
mod words;

use super::markdown::{inline, one_line};
use super::overview::Overview;
use crate::anonymity::Scrub;
use crate::artefacts::Task;
use crate::ranking::Study;

/// What the report draws from beside the run and its ranking.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// What was asked for.
    pub task: &'a Task,
    /// What the ranking was made from.
    pub study: &'a Study,
    /// What was taken out of the designs before they were reviewed.
    pub scrubbed: &'a [Scrubbed],
}

/// What was taken out of one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrubbed {
    /// The design's id.
    pub design_id: String,
    /// By place and name; may be empty.
    pub scrubs: Vec<Scrub>,
}

/// The whole report; a run without a ranking has none.
pub fn results(run: &Overview<'_>, material: &Material<'_>) -> String {
    let Some(ranking) = run.ranking else { return String::new() };
    let study = material.study;
    let mut out = format!("# {}\n\n", heading(material.task));
    words::write(&mut out, run, ranking);
    tables::ranks(&mut out, ranking);
    gains::write(&mut out, ranking);
    tables::dimensions(&mut out, ranking, study);
    tables::matrix(&mut out, ranking, study);
    comparisons::write(&mut out, ranking, study);
    change::write(&mut out, ranking);
    tables::said(&mut out, ranking);
    fine_print::write(&mut out, run, ranking, material);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The task's first line, shortened to a heading.
fn heading(task: &Task) -> String {
    let first = task.problem_statement.lines().find(|line| !line.trim().is_empty()).unwrap_or("Results");
    let line = one_line(first);
    let short =
        if line.chars().count() <= 80 { line } else { line.chars().take(79).chain(['…']).collect() };
    inline(&short)
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => String::new(),
        [name] => inline(name.as_ref()),
        [names @ .., last] => {
            let names: Vec<String> = names.iter().map(|name| inline(name.as_ref())).collect();
            format!("{} and {}", names.join(", "), inline(last.as_ref()))
        }
    }
}
