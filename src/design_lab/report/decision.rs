//! The decision that a run leads to, for a project's own records: an Architecture Decision Record in the form of MADR 4
//! (<https://adr.github.io/madr/>). It is only a proposal: people decide whether to accept it. Each sentence by a
//! reviewer or a designer is under its own heading, and none of Design Lab's own sentences claims more than the
//! ranking.

use super::artefacts::{level, sections};
use super::markdown::{blocks, inline, list, quoted_list};
use super::overview::Overview;
use super::results::{Material, heading, listed, sure, warnings};
use crate::design_lab::artefacts::StoredDesign;
use crate::design_lab::ranking::{RankedDesign, Ranking};
use crate::shared::figures::interval;
use std::fmt::Write as _;

/// The format of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionForm {
    /// An Architecture Decision Record.
    Adr,
    /// The same, followed by the full design that came first.
    Markdown,
}

impl DecisionForm {
    /// All formats, each with the word that selects it.
    pub(crate) const ALL: [(&'static str, Self); 2] = [("adr", Self::Adr), ("markdown", Self::Markdown)];

    /// Returns the path of its file, relative to the run directory.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::Adr => "results/adr.md",
            Self::Markdown => "results/decision.md",
        }
    }
}

/// Returns the decision of a ranked run.
pub(crate) fn decision(
    run: &Overview<'_>,
    ranking: &Ranking,
    material: &Material<'_>,
    form: DecisionForm,
) -> String {
    let first: Vec<&RankedDesign> = ranking.rankings.iter().filter(|row| row.rank == Some(1)).collect();
    let chosen = match first[..] {
        [row] => material.designs.iter().find(|design| design.design_id == row.design_id).map(|it| (row, it)),
        _ => None,
    };
    let date = material.study.context.generated_at.get(..10).unwrap_or_default();
    let title = inline(&heading(material.task));
    let mut out = format!("---\nstatus: proposed\ndate: {date}\n---\n\n# {title}\n\n");
    context(&mut out, material);
    let _ = write!(out, "## Considered Options\n\n{}\n", list(&options(ranking)));
    outcome(&mut out, ranking, &first, chosen.map(|(row, _)| row));
    if let Some((_, stored)) = chosen {
        consequences(&mut out, stored);
    }
    out.push_str("## Pros and Cons of the Options\n\n");
    for row in &ranking.rankings {
        pros_and_cons(&mut out, row, material);
    }
    more(&mut out, run, ranking);
    if let (DecisionForm::Markdown, Some((row, stored))) = (form, chosen) {
        let _ = write!(out, "# Chosen design: {}\n\n", inline(&name(row)));
        sections(&mut out, &stored.design);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn context(out: &mut String, material: &Material<'_>) {
    let task = material.task;
    let _ = write!(out, "## Context and Problem Statement\n\n{}\n\n", blocks(&task.problem_statement));
    let asked = task.constraints.iter().chain(&task.non_functional_requirements).cloned();
    let judged = material.study.dimensions.iter().map(|one| format!("{} (weight {})", one.name, one.weight));
    let drivers: Vec<String> = asked.chain(judged).collect();
    if !drivers.is_empty() {
        let _ = writeln!(out, "## Decision Drivers\n\n{}", quoted_list(&drivers));
    }
}

fn options(ranking: &Ranking) -> Vec<String> {
    let of = |row: &RankedDesign| {
        let by = row.author().map_or_else(String::new, |author| format!(", by {author}"));
        inline(&format!("{}{by}", name(row)))
    };
    ranking.rankings.iter().map(of).collect()
}

/// Returns a design's title and its id, which the reviewers use in their comments.
fn name(row: &RankedDesign) -> String {
    row.title
        .as_ref()
        .map_or_else(|| row.design_id.to_string(), |title| format!("{title} ({})", row.design_id))
}

fn outcome(out: &mut String, ranking: &Ranking, first: &[&RankedDesign], chosen: Option<&RankedDesign>) {
    let verdict = inline(&ranking.verdict.sentence);
    out.push_str("## Decision Outcome\n\n");
    let _ = match chosen {
        Some(row) => {
            writeln!(
                out,
                "Chosen option: {}, because it came first in the ranking. {verdict}\n",
                inline(&name(row))
            )
        }
        None => {
            let names: Vec<&str> = first.iter().map(|row| row.design_id.as_str()).collect();
            let shared = match names[..] {
                [] => "no design has a rank".to_owned(),
                _ => format!("{} share the first place", listed(&names)),
            };
            writeln!(out, "Chosen option: none, because {}. {verdict}\n", inline(&shared))
        }
    };
    let sure = sure(ranking);
    if !sure.is_empty() {
        let _ = writeln!(out, "How certain this is:\n\n{}", quoted_list(&sure));
    }
}

/// Writes the consequences that the designer named.
fn consequences(out: &mut String, stored: &StoredDesign) {
    let design = &stored.design;
    let weighed = design.tradeoffs.iter().map(|one| {
        let [aspect, chosen] = [open(&one.aspect), open(&one.chosen)];
        format!("Neutral, because it is a trade-off: {aspect}. Chosen: {chosen}. {}", one.rationale)
    });
    let risks = design.risks.iter().map(|one| {
        let [risk, mitigation] = [open(&one.risk), open(&one.mitigation)];
        format!("Bad: a risk of {} impact: {risk}. Mitigation: {mitigation}.", level(one.impact))
    });
    let all: Vec<String> = weighed.chain(risks).collect();
    if !all.is_empty() {
        let _ =
            writeln!(out, "### Consequences\n\nAccording to the design's author:\n\n{}", quoted_list(&all));
    }
    if !design.open_questions.is_empty() {
        let _ = writeln!(
            out,
            "### Confirmation\n\nThe design's author left these questions open:\n\n{}",
            quoted_list(&design.open_questions)
        );
    }
}

/// Returns a sentence without its full stop.
fn open(sentence: &str) -> &str {
    sentence.trim_end().trim_end_matches('.')
}

/// Writes the reviewers' comments on a design.
fn pros_and_cons(out: &mut String, row: &RankedDesign, material: &Material<'_>) {
    let _ = writeln!(out, "### {}\n", inline(&name(row)));
    if let Some(stored) = material.designs.iter().find(|design| design.design_id == row.design_id) {
        let _ = writeln!(out, "{}\n", blocks(&stored.design.summary));
    }
    let said = &row.qualitative_summary;
    let kinds = [
        ("Good:", &said.strengths),
        ("Bad:", &said.weaknesses),
        ("Bad, left out:", &said.missing_considerations),
        ("Bad, a risk:", &said.risks),
    ];
    let all: Vec<String> =
        kinds.iter().flat_map(|(why, texts)| texts.iter().map(move |text| format!("{why} {text}"))).collect();
    if !all.is_empty() {
        let _ = writeln!(out, "{}", quoted_list(&all));
    }
}

/// Writes the standings of the designs, the reasons for caution, including dissent, and where the files are.
fn more(out: &mut String, run: &Overview<'_>, ranking: &Ranking) {
    out.push_str("## More Information\n\n");
    let places: Vec<String> = ranking
        .rankings
        .iter()
        .map(|row| match row.rank {
            None => format!("{}: no rank", row.design_id),
            Some(rank) => {
                let score = row.adjusted_score.map(|score| format!(", adjusted score {score:.2}"));
                format!(
                    "{}: rank {rank} (at 95%: {}){}, {} reviewers",
                    row.design_id,
                    interval(row.rank_interval),
                    score.unwrap_or_default(),
                    row.reviewer_count
                )
            }
        })
        .collect();
    let _ =
        writeln!(out, "The designs were reviewed without their authors' names.\n\n{}", quoted_list(&places));
    let warnings = warnings(run, ranking);
    if !warnings.is_empty() {
        let _ = writeln!(out, "Before you rely on it:\n\n{}", quoted_list(&warnings));
    }
    if let Some(directory) = &run.directory {
        let _ = writeln!(out, "Designs, reviews and figures: `{directory}`\n");
    }
}
