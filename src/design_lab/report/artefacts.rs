//! A design and a review as Markdown.

use super::markdown::{blocks, inline, quoted_list, table};
use crate::design_lab::artefacts::Preferred;
use crate::design_lab::artefacts::{
    CitedPlace, Claim, ConstraintLine, Design, Level, Provenance, QuoteTally, StoredDesign, StoredReview,
};
use crate::design_lab::ids::{DesignId, Label};
use crate::shared::figures::money;
use kernel::clock::span;
use std::fmt::Write as _;

/// Returns the text of `designs/<design>.md`.
pub fn design(stored: &StoredDesign) -> String {
    let design = &stored.design;
    let mut out = format!("# {}\n\n", inline(&design.title));
    let _ = writeln!(
        out,
        "Design `{}` by {}. {}\n",
        stored.design_id,
        inline(stored.author()),
        match stored.file {
            Some(_) => format!("Read from a file on {}, without a model call.", stored.metadata.generated_at),
            None => origin(&stored.metadata),
        }
    );
    sections(&mut out, design);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Returns a design for a human reviewer, under its label.
pub fn blind_design(design: &Design, label: &Label) -> String {
    let mut out = format!("# Design {}\n\n**{}**\n\n", label.as_str(), inline(&design.title));
    sections(&mut out, design);
    out.truncate(out.trim_end().len());
    out
}

/// Returns a written review on its own.
pub fn prose(text: &str) -> String {
    blocks(text) + "\n"
}

pub(super) fn sections(out: &mut String, design: &Design) {
    section(out, "Summary", &blocks(&design.summary));
    section(out, "Assumptions", &quoted_list(&design.assumptions));
    section(out, "Architecture", &blocks(&design.architecture_overview));
    let mut components = String::new();
    for component in &design.components {
        let _ =
            writeln!(components, "### {}\n\n{}\n", inline(&component.name), blocks(&component.description));
        let _ = writeln!(components, "{}", quoted_list(&component.responsibilities));
        if let Some(dependencies) = component.dependencies.as_ref().filter(|list| !list.is_empty()) {
            let _ = writeln!(components, "Needs: {}\n", inline(&dependencies.join(", ")));
        }
        components.push_str(&taken_from(component.sources.as_deref()));
    }
    section(out, "Components", &components);
    section(out, "Data flow", &blocks(&design.data_flow));
    let mut tradeoffs = String::new();
    for tradeoff in &design.tradeoffs {
        let _ = writeln!(
            tradeoffs,
            "### {}\n\nOptions: {}\n\n**Chosen: {}**. {}\n",
            inline(&tradeoff.aspect),
            inline(&tradeoff.options.join("; ")),
            inline(&tradeoff.chosen),
            inline(&tradeoff.rationale)
        );
        tradeoffs.push_str(&taken_from(tradeoff.sources.as_deref()));
    }
    section(out, "Trade-offs", &tradeoffs);
    let risks: Vec<Vec<String>> = design
        .risks
        .iter()
        .map(|risk| vec![inline(&risk.risk), level(risk.impact).to_owned(), inline(&risk.mitigation)])
        .collect();
    if !risks.is_empty() {
        section(out, "Risks", &table(&["Risk", "Impact", "Mitigation"], &[false, false, false], &risks));
    }
    section(out, "Open questions", &quoted_list(&design.open_questions));
    for (heading, items) in design.details() {
        section(out, heading, &quoted_list(items));
    }
    let claims: Vec<String> = design.claims.iter().filter_map(Claim::checked).collect();
    section(out, "Claims about the project", &quoted_list(&claims));
}

/// Returns the designs that a part of a merged design came from.
fn taken_from(sources: Option<&[String]>) -> String {
    let Some(sources) = sources else { return String::new() };
    format!("*From: {}*\n\n", inline(&sources.join(", ")))
}

/// Returns the text of `reviews/review-<reviewer>.md`: the written reviews, then the evaluations.
pub fn review(stored: &StoredReview, prose: &[String]) -> String {
    let mut out = format!("# Review by {}\n\n", stored.review_id);
    let _ = writeln!(out, "Model {}. {}\n", inline(&stored.reviewer_model), origin(&stored.metadata));
    for (index, order) in stored.orders.iter().enumerate() {
        let repeat =
            if stored.orders.len() > 1 { format!(" in repeat {}", index + 1) } else { String::new() };
        let _ = writeln!(
            out,
            "Designs were shown without their authors{repeat}, in this order: {}.\n",
            order.iter().map(DesignId::as_str).collect::<Vec<_>>().join(", ")
        );
    }
    for (index, text) in prose.iter().enumerate() {
        let title = if prose.len() > 1 {
            format!("Written review {}", index + 1)
        } else {
            "Written review".to_owned()
        };
        section(&mut out, &title, &blocks(text));
    }
    let citations: Vec<String> = stored.citations.iter().map(citation).collect();
    section(&mut out, "Cited places", &quoted_list(&citations));
    section(&mut out, "Quotes", &quotes(stored));
    for comparison in &stored.comparisons {
        let _ = writeln!(out, "## {} against {}\n", comparison.first, comparison.second);
        let named = |preferred: Preferred| match preferred {
            Preferred::First => comparison.first.as_str(),
            Preferred::Second => comparison.second.as_str(),
            Preferred::Tie => "neither",
        };
        let verdict = &comparison.verdict;
        let _ = writeln!(
            out,
            "Shown in this order. Preferred: **{}**. {}\n",
            named(verdict.preferred),
            inline(&verdict.justification)
        );
        let rows: Vec<Vec<String>> = verdict
            .dimensions
            .iter()
            .map(|(dimension, preferred)| vec![inline(dimension), named(*preferred).to_owned()])
            .collect();
        if !rows.is_empty() {
            let _ =
                writeln!(out, "{}", table(&["Dimension", "Preferred (not used)"], &[false, false], &rows));
        }
    }
    let per_repeat = stored.evaluations.len() / stored.orders.len().max(1);
    for (index, evaluation) in stored.evaluations.iter().enumerate() {
        let repeat = if stored.orders.len() > 1 && per_repeat > 0 {
            format!(", repeat {}", index / per_repeat + 1)
        } else {
            String::new()
        };
        let _ = writeln!(out, "## Scores of {}{repeat}\n", evaluation.design_id);
        let mut rows: Vec<Vec<String>> = evaluation
            .quantitative
            .scores
            .iter()
            .map(|(dimension, score)| vec![inline(dimension), score.to_string()])
            .collect();
        if let Some(overall) = evaluation.quantitative.overall {
            rows.push(vec!["the reviewer's own overall (not used)".to_owned(), overall.to_string()]);
        }
        let _ = writeln!(out, "{}", table(&["Dimension", "Score"], &[false, true], &rows));
        let said = &evaluation.qualitative;
        for (title, items) in [
            ("Strengths", &said.strengths),
            ("Weaknesses", &said.weaknesses),
            ("Missing", &said.missing_considerations),
            ("Risks", &said.risks),
        ] {
            if !items.is_empty() {
                let _ = writeln!(out, "{title}:\n\n{}", quoted_list(items));
            }
        }
        let _ = writeln!(out, "Risk: {}\n", level(said.risk_assessment));
        let lines: Vec<String> = evaluation.constraints.iter().map(constraint).collect();
        if !lines.is_empty() {
            let _ = writeln!(out, "Constraints (not used):\n\n{}", quoted_list(&lines));
        }
        if !evaluation.quantitative.justification.trim().is_empty() {
            let _ = writeln!(out, "{}\n", inline(&evaluation.quantitative.justification));
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// What a reviewer says about a constraint.
fn constraint(line: &ConstraintLine) -> String {
    let place = line.place.as_ref().map_or(String::new(), |place| format!(": {place}"));
    format!("Constraint {}, {}{place}", line.constraint, line.state.words())
}

/// How many passages that a reviewer quotes were found in the designs, and those that were not.
fn quotes(stored: &StoredReview) -> String {
    let tally = QuoteTally::of(stored.evaluations.iter());
    if tally.given == 0 {
        return String::new();
    }
    let lost = stored.evaluations.iter().flat_map(|evaluation| {
        let quotes = evaluation.qualitative.quotes.iter().filter(|quote| !quote.found);
        quotes.map(|quote| format!("not found in {}: “{}”", evaluation.design_id, quote.quote))
    });
    let lost: Vec<String> = lost.collect();
    format!("{tally} in the designs as the reviewer saw them.\n\n{}", quoted_list(&lost))
}

/// A place in the project that a reviewer cites, and whether it was found.
fn citation(cited: &CitedPlace) -> String {
    match &cited.fault {
        Some(fault) => format!("not found: {fault}"),
        None => format!("found: {}", cited.place),
    }
}

pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Low => "low",
        Level::Medium => "medium",
        Level::High => "high",
    }
}

fn origin(metadata: &Provenance) -> String {
    let prompts =
        if metadata.attempts == 1 { "1 prompt".to_owned() } else { format!("{} prompts", metadata.attempts) };
    let mut text = format!(
        "Accepted {} after {prompts} and {}, for {}.",
        metadata.generated_at,
        span(metadata.duration_ms),
        money(metadata.cost)
    );
    if !metadata.repairs.is_empty() {
        let _ = write!(text, " Repaired while reading the answer: {}.", inline(&metadata.repairs.join("; ")));
    }
    text
}

fn section(out: &mut String, title: &str, text: &str) {
    if !text.trim().is_empty() {
        let _ = writeln!(out, "## {title}\n\n{}\n", text.trim());
    }
}
