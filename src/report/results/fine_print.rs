//! The fine print: every statistic with a line on how to read it, what was taken out of the designs, and the run itself.

use super::super::figures::{NONE, count, money, number, signed, thousands};
use super::super::markdown::{blocks, inline, list, quoted_list, table};
use super::super::overview::Overview;
use super::{Material, Scrubbed, listed};
use crate::anonymity::ScrubKind;
use crate::clock::span;
use crate::ranking::{Audit, Ranking};
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn write(out: &mut String, run: &Overview<'_>, ranking: &Ranking, material: &Material<'_>) {
    out.push_str("## Fine print\n\n");
    if ranking.pairwise.is_none() {
        agreement(out, ranking);
    }
    pairwise(out, ranking);
    bias(out, ranking);
    scrubbed(out, material.scrubbed);
    the_run(out, run, ranking, material);
}

fn agreement(out: &mut String, ranking: &Ranking) {
    let agreement = &ranking.agreement;
    let alpha = &agreement.krippendorff_alpha;
    let rows: Vec<Vec<String>> = [
        (
            "Kendall's W",
            agreement.kendall_w,
            "kendall_w",
            "1: all reviewers rank alike. Two reviewers reach 0.5 and three 0.33 by chance",
        ),
        (
            "Mean rank correlation",
            agreement.rank_correlation,
            "rank_correlation",
            "two reviewers on average: 1 the same order, 0 nothing in common, −1 the reverse",
        ),
        (
            "Krippendorff's α, ordinal",
            alpha.ordinal,
            "krippendorff_alpha.ordinal",
            "1: full agreement; 0: what chance gives; below 0: they contradict one another. A reviewer harsher than the rest lowers it",
        ),
        (
            "Krippendorff's α, interval",
            alpha.interval,
            "krippendorff_alpha.interval",
            "the same, by how far scores lie apart; 0.8 is usually asked for, 0.67 the least for a tentative conclusion",
        ),
        (
            "Effective votes",
            agreement.effective_votes,
            "effective_votes",
            "how many reviewers with independent errors these are worth",
        ),
    ]
    .into_iter()
    .map(|(name, value, field, reading)| match value {
        Some(value) => vec![name.to_owned(), format!("{value:.2}"), reading.to_owned()],
        None => {
            let reason = agreement.reasons.get(field).map_or("", String::as_str);
            vec![name.to_owned(), NONE.to_owned(), inline(reason)]
        }
    })
    .collect();
    let _ = writeln!(
        out,
        "### Agreement of {}\n\n{}",
        count(u64::from(agreement.reviewers), "reviewer", "reviewers"),
        table(&["Statistic", "Value", "How to read it"], &[false, true, false], &rows)
    );
    people(out, ranking);
}

/// How far each person's order is that of the models.
fn people(out: &mut String, ranking: &Ranking) {
    let people = &ranking.agreement.humans;
    if people.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = people
        .iter()
        .map(|(name, found)| {
            vec![
                inline(name),
                number(found.kendall_tau_b),
                found.designs.to_string(),
                found.models.to_string(),
                inline(&found.sentence),
            ]
        })
        .collect();
    let headings = ["Person", "Kendall's τ-b", "Designs", "Models", "What it says"];
    let _ = writeln!(
        out,
        "#### People and models\n\n{}",
        table(&headings, &[false, true, true, true, false], &rows)
    );
    out.push_str(
        "τ-b compares a person's overall scores with the models' mean, pair of designs by pair: 1 is the same order, −1 the \
         reverse, 0 no relation. p is the chance that as strong a relation comes about where there is none. It says who orders \
         alike, not who is right.\n\n",
    );
}

fn pairwise(out: &mut String, ranking: &Ranking) {
    let Some(pairwise) = &ranking.pairwise else { return };
    let rows: Vec<Vec<String>> = [
        (
            "Tie parameter ν",
            Some(format!("{:.2}", pairwise.tie_parameter)),
            "tie_parameter",
            "Davidson's: at 0 equals are never called a tie, at 1 they are as often as either wins",
        ),
        (
            "Order effect",
            pairwise.order_effect.map(|value| format!("{value:+.2}")),
            "order_effect",
            "log-odds that being shown first adds; 0 is none",
        ),
    ]
    .into_iter()
    .map(|(name, value, field, reading)| match value {
        Some(value) => vec![name.to_owned(), value, reading.to_owned()],
        None => {
            let reason = pairwise.reasons.get(field).map_or("", String::as_str);
            vec![name.to_owned(), NONE.to_owned(), inline(reason)]
        }
    })
    .collect();
    let _ = writeln!(
        out,
        "### The model of comparisons\n\n{}",
        table(&["Statistic", "Value", "How to read it"], &[false, true, false], &rows)
    );
}

fn bias(out: &mut String, ranking: &Ranking) {
    let bias = &ranking.bias;
    let mut items: Vec<String> = [&bias.position, &bias.length].into_iter().filter_map(audit).collect();
    for (kind, preferences) in
        [("Own design", &bias.self_preference), ("Own vendor", &bias.family_preference)]
    {
        for (reviewer, preference) in preferences {
            items.push(format!("{kind}: {} {}", inline(reviewer), inline(&preference.sentence)));
        }
    }
    let rows: Vec<Vec<String>> = bias
        .reviewers
        .iter()
        .map(|(reviewer, habits)| {
            vec![
                inline(reviewer),
                signed(habits.leniency),
                number(habits.spread),
                number(habits.repeat_spread),
            ]
        })
        .collect();
    if items.is_empty() && rows.is_empty() {
        return;
    }
    out.push_str("### Bias audit\n\n");
    if !items.is_empty() {
        let _ = writeln!(out, "{}", list(&items));
        out.push_str(
            "p is the chance that as large an effect comes about where there is none; “insufficient” means that no outcome \
             with so few scores could have told.\n\n",
        );
    }
    if !rows.is_empty() {
        let headings = ["Reviewer", "Leniency", "Spread", "Spread over repeats"];
        let _ = writeln!(out, "{}", table(&headings, &[false, true, true, true], &rows));
        out.push_str(
            "Leniency: points above the panel for the same designs. Spread: standard deviation of its scores, over designs and \
             over repeats of one design.\n\n",
        );
    }
}

fn audit(audit: &Audit) -> Option<String> {
    let observations =
        if audit.p_value.is_some() { format!(" n = {}.", audit.observations) } else { String::new() };
    (!audit.sentence.is_empty()).then(|| format!("{}{observations}", inline(&audit.sentence)))
}

/// What was taken out of the designs, so that a reader can judge whether it could have mattered.
fn scrubbed(out: &mut String, scrubbed: &[Scrubbed]) {
    if scrubbed.is_empty() {
        return;
    }
    let items: Vec<String> = scrubbed
        .iter()
        .filter(|design| !design.scrubs.is_empty())
        .map(|design| {
            let mut counts: BTreeMap<(ScrubKind, &str, &str), u32> = BTreeMap::new();
            for scrub in &design.scrubs {
                *counts.entry((scrub.kind, scrub.what.as_str(), scrub.shown.as_str())).or_default() +=
                    scrub.count;
            }
            let what: Vec<String> = counts
                .iter()
                .map(|((kind, what, shown), times)| match kind {
                    ScrubKind::Invisible => {
                        format!("{} that can't be seen", count(u64::from(*times), "character", "characters"))
                    }
                    _ => format!(
                        "“{}” as {}, {}",
                        inline(what),
                        inline(shown),
                        count(u64::from(*times), "time", "times")
                    ),
                })
                .collect();
            format!("{}: {}", inline(&design.design_id), what.join(", "))
        })
        .collect();
    out.push_str("### What reviewers were not shown\n\n");
    if items.is_empty() {
        out.push_str(
            "No design named a model, a vendor or an agent; nothing was taken out of their texts.\n\n",
        );
    } else {
        let _ = writeln!(
            out,
            "Taken out of the designs since it could tell the author, and what stood in its place:\n\n{}",
            list(&items)
        );
    }
}

fn the_run(out: &mut String, run: &Overview<'_>, ranking: &Ranking, material: &Material<'_>) {
    let task = material.task;
    let _ = writeln!(out, "### The run\n\n{}\n", blocks(&task.problem_statement));
    for (title, items) in [
        ("Constraints", &task.constraints),
        ("Non-functional requirements", &task.non_functional_requirements),
    ] {
        if !items.is_empty() {
            let _ = writeln!(out, "{title}:\n\n{}", quoted_list(items));
        }
    }
    let rows: Vec<Vec<String>> = [("design", &run.designers), ("review", &run.reviewers)]
        .iter()
        .flat_map(|(part, people)| {
            people.iter().map(move |person| {
                vec![
                    inline(&person.name),
                    (*part).to_owned(),
                    inline(&person.model),
                    person.prompts.to_string(),
                    span(person.duration_ms),
                    thousands(person.tokens),
                    money(person.cost),
                ]
            })
        })
        .collect();
    if !rows.is_empty() {
        let headings = ["Name", "Part", "Model", "Prompts", "Time", "Tokens", "Cost"];
        let _ = writeln!(out, "{}", table(&headings, &[false, false, false, true, true, true, true], &rows));
    }
    let method = match ranking.metadata.aggregation_method.as_str() {
        "linear_mixed_model" => "linear mixed model (design, reviewer, reviewer's own design, place shown)",
        "davidson" => "Bradley–Terry model with ties (Davidson)",
        other => other,
    };
    let _ = writeln!(
        out,
        "{} in all, {} tokens, {}. Method: {}. Seed: {}. Made {}.",
        span(run.elapsed_ms),
        thousands(run.tokens.total()),
        money(run.cost),
        inline(method),
        ranking.metadata.seed,
        inline(&ranking.metadata.generated_at)
    );
    let failed: Vec<&str> = ranking.metadata.failed.iter().map(|failure| failure.id.as_str()).collect();
    if !failed.is_empty() {
        let _ = writeln!(out, "\nFailed for good: {}; the reasons stand at the top.", listed(&failed));
    }
}
