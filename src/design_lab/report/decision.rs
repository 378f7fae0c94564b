//! The decision that a run leads to, for a project's own records: an Architecture Decision Record in the form of MADR 4
//! (<https://adr.github.io/madr/>). It is only a proposal: people decide whether to accept it. Each sentence by a
//! reviewer or a designer is under its own heading, and none of Design Lab's own sentences claims more than the
//! ranking. What it doesn't repeat is in the design's file.

use super::artefacts::{level, sections};
use super::markdown::{blocks, inline, list, quoted_list};
use super::outcomes::outcomes;
use super::overview::Overview;
use super::results::{Material, heading, listed, sure, warnings};
use crate::design_lab::artefacts::{
    Contradiction, DesignOutcome, Position, StoredDesign, StoredMap, TurnedOut,
};
use crate::design_lab::ranking::{RankedDesign, Ranking};
use crate::shared::figures::{count, interval};
use crate::shared::reader::Reader;
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
    let status = status(run, chosen.map(|(row, _)| row));
    let mut out = format!("---\nstatus: {status}\ndate: {date}\n---\n\n# {title}\n\n");
    context(&mut out, material);
    let _ = write!(out, "## Considered Options\n\n{}\n", list(&options(ranking)));
    if let Some(map) = material.map {
        differences(&mut out, map);
    }
    outcome(&mut out, ranking, &first, chosen.map(|(row, _)| row));
    if let Some((_, stored)) = chosen {
        consequences(&mut out, run, stored);
    }
    confirmation(&mut out, run, chosen.map(|(_, stored)| stored));
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

/// Returns the status of the decision: what people recorded about the chosen design, otherwise a proposal.
fn status(run: &Overview<'_>, chosen: Option<&RankedDesign>) -> &'static str {
    let latest = |id: &_| run.outcomes.iter().rfind(|known| known.outcome.design == *id);
    match chosen.and_then(|row| latest(&row.design_id)).map(|known| &known.outcome) {
        Some(DesignOutcome { turned_out: TurnedOut::Built | TurnedOut::Validated, .. }) => "accepted",
        Some(DesignOutcome { turned_out: TurnedOut::Failed, .. }) => "rejected",
        None => "proposed",
    }
}

/// Writes the questions to which the designs give different answers, and what all of them share.
fn differences(out: &mut String, stored: &StoredMap) {
    let map = stored.map.only_checked();
    if map.contradictions.is_empty() && map.agreements.is_empty() {
        return;
    }
    let source = format!(
        "According to {}, which read the designs blind. Code found quotes for each point in the designs; \
         results.md lists them.",
        stored.model
    );
    let _ = writeln!(out, "{}\n", inline(&source));
    let answer = |Position { position, quotes }: &Position| {
        let mut ids: Vec<&str> = quotes.iter().map(|quote| quote.design_id.as_str()).collect();
        ids.dedup();
        format!("{}: {}", ids.join(", "), ended(position))
    };
    let question = |Contradiction { question, tradeoff, positions, .. }: &Contradiction| {
        let answers: Vec<String> = positions.iter().map(answer).collect();
        let tradeoff = if tradeoff.is_empty() { String::new() } else { format!(" Trade-off: {tradeoff}") };
        format!("{question} {}{tradeoff}", answers.join(" "))
    };
    let asked: Vec<String> = map.contradictions.iter().map(question).collect();
    let agreed: Vec<String> = map.agreements.into_iter().map(|one| one.statement).collect();
    for (lead, points) in [("The options contradict each other:", asked), ("All options agree:", agreed)] {
        if !points.is_empty() {
            let _ = writeln!(out, "{lead}\n\n{}", quoted_list(&points));
        }
    }
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
fn consequences(out: &mut String, run: &Overview<'_>, stored: &StoredDesign) {
    let design = &stored.design;
    let weighed = design.tradeoffs.iter().map(|one| {
        let [aspect, chosen] = [open(&one.aspect), open(&one.chosen)];
        format!("Neutral, because it is a trade-off: {aspect}. Chosen: {chosen}. {}", one.rationale)
    });
    let risks = design.risks.iter().map(|one| {
        let [risk, mitigation] = [open(&one.risk), open(&one.mitigation)];
        format!("Bad: a risk of {} impact: {risk}. Mitigation: {mitigation}.", level(one.impact))
    });
    let failures = design.failure_modes.iter().map(|mode| format!("Neutral, a failure mode: {mode}"));
    let steps = design.rollout.iter().map(|step| format!("Neutral, a step of the rollout: {step}"));
    let all: Vec<String> = weighed.chain(risks).chain(failures).chain(steps).collect();
    if !all.is_empty() {
        let _ =
            writeln!(out, "### Consequences\n\nAccording to the design's author:\n\n{}", quoted_list(&all));
    }
    let more = [
        count(design.interfaces.len() as u64, "interface", "interfaces"),
        count(design.data_model.len() as u64, "part of its data model", "parts of its data model"),
    ];
    let given = [&design.interfaces, &design.data_model];
    let more: Vec<String> =
        more.into_iter().zip(given).filter(|(_, given)| !given.is_empty()).map(|(words, _)| words).collect();
    if !more.is_empty()
        && let Some(directory) = &run.directory
    {
        let _ = writeln!(
            out,
            "The design also specifies {}: `{directory}/designs/{}.md`\n",
            more.join(" and "),
            stored.design_id
        );
    }
}

/// Writes how the decision is confirmed: what people recorded, what proves it, and what is still open.
fn confirmation(out: &mut String, run: &Overview<'_>, chosen: Option<&StoredDesign>) {
    let none: &[String] = &[];
    let [proofs, questions] = chosen
        .map_or([none; 2], |stored| [&stored.design.verification[..], &stored.design.open_questions[..]]);
    let recorded = outcomes(run, Reader::Person);
    let parts = [
        ("People recorded how designs turned out:", &recorded[..]),
        ("According to the design's author, this proves it:", proofs),
        ("The design's author left these questions open:", questions),
    ];
    let mut heading = "### Confirmation\n\n";
    for (lead, items) in parts {
        if !items.is_empty() {
            let _ = writeln!(out, "{heading}{lead}\n\n{}", quoted_list(items));
            heading = "";
        }
    }
}

/// Returns a sentence that ends, so that another can follow.
fn ended(sentence: &str) -> String {
    let sentence = sentence.trim_end();
    let mark = if sentence.ends_with(char::is_alphanumeric) { "." } else { "" };
    format!("{sentence}{mark}")
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
