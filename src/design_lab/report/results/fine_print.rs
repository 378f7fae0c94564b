//! The fine print: every statistic with a line on how to read it, what was removed from the designs, and details of the
//! run.

use super::super::markdown::{blocks, inline, pieces, quoted_list, table};
use super::super::overview::Overview;
use super::super::piece::Piece;
use super::{Material, Scrubbed, Written, listed};
use crate::design_lab::anonymity::ScrubKind;
use crate::design_lab::artefacts::QuoteTally;
use crate::design_lab::ranking::{Audit, Ranking};
use crate::shared::figures::{NONE, count, money, number, signed, thousands};
use crate::shared::tier::Tier;
use kernel::clock::span;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn write(out: &mut String, run: &Overview<'_>, ranking: &Ranking, material: &Material<'_>) {
    out.push_str("## Fine print\n\n");
    out.push_str(&pieces(&fine_print(ranking, material)));
    the_run(out, run, ranking, material);
}

/// Returns agreement, bias, and what reviewers were not shown, each number with how to read it.
pub(in super::super) fn fine_print(ranking: &Ranking, material: &Material<'_>) -> Vec<Piece> {
    [agreement(ranking), quotes(material), pairwise(ranking), bias(ranking), scrubbed(material.scrubbed)]
        .concat()
}

/// Returns how much the reviewers agree.
fn agreement(ranking: &Ranking) -> Vec<Piece> {
    if ranking.pairwise.is_some() {
        return Vec::new();
    }
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
            "the average over pairs of reviewers; 1: the same order; 0: no relation; −1: the reverse",
        ),
        (
            "Krippendorff's α, ordinal",
            alpha.ordinal,
            "krippendorff_alpha.ordinal",
            "1: full agreement; 0: chance; below 0: they contradict each other. A reviewer harsher than the \
             others lowers it",
        ),
        (
            "Krippendorff's α, interval",
            alpha.interval,
            "krippendorff_alpha.interval",
            "as above, but by the distance between scores; 0.8 is the usual requirement, 0.67 the minimum \
             for a tentative conclusion",
        ),
        (
            "Effective votes",
            agreement.effective_votes,
            "effective_votes",
            "how many reviewers with independent errors would be worth as much",
        ),
    ]
    .into_iter()
    .map(|(name, value, field, reading)| match value {
        Some(value) => vec![name.to_owned(), format!("{value:.2}"), reading.to_owned()],
        None => {
            let reason = agreement.reasons.get(field).map_or("", String::as_str);
            vec![name.to_owned(), NONE.to_owned(), reason.to_owned()]
        }
    })
    .collect();
    let reviewers = count(u64::from(agreement.reviewers), "reviewer", "reviewers");
    let mut pieces = vec![
        Piece::Heading(format!("Agreement of {reviewers}")),
        Piece::table(&["Statistic", "Value", "How to read it"], &[false, true, false], rows),
    ];
    pieces.extend(human_reviews(ranking));
    pieces
}

/// Returns how many of the passages that each reviewer quotes are in the designs.
fn quotes(material: &Material<'_>) -> Vec<Piece> {
    let row = |written: &Written| {
        let tally = QuoteTally::of(written.review.evaluations.iter());
        let who = written.review.review_id.to_string();
        (tally.given > 0).then(|| vec![who, tally.given.to_string(), tally.found.to_string()])
    };
    let rows: Vec<Vec<String>> = material.reviews.iter().filter_map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    vec![
        Piece::Heading(format!("Quotes ({})", Tier::Observed.word())),
        Piece::Text(
            "Design Lab looked up every passage that a reviewer quotes for a weakness, in the design as the reviewer saw it. A passage \
             that isn't there makes its weakness doubtful."
                .to_owned(),
        ),
        Piece::table(&["Reviewer", "Quotes", "Found"], &[false, true, true], rows),
    ]
}

/// Returns how closely each person's order matches that of the models.
fn human_reviews(ranking: &Ranking) -> Vec<Piece> {
    let humans = &ranking.agreement.humans;
    if humans.is_empty() {
        return Vec::new();
    }
    let rows: Vec<Vec<String>> = humans
        .iter()
        .map(|(name, found)| {
            vec![
                name.clone(),
                number(found.kendall_tau_b),
                found.designs.to_string(),
                found.models.to_string(),
                found.sentence.clone(),
            ]
        })
        .collect();
    let headings = ["Person", "Kendall's τ-b", "Designs", "Models", "What it says"];
    vec![
        Piece::Heading("People and models".to_owned()),
        Piece::table(&headings, &[false, true, true, true, false], rows),
        Piece::Text(
            "τ-b compares a person's overall scores with the models' mean for each pair of designs: 1 is the \
             same order, −1 the reverse, 0 no relation. p is the chance of a relation this strong if there \
             is none. It shows who agrees, not who is right."
                .to_owned(),
        ),
    ]
}

/// Returns what the model of comparisons found in addition to the strengths.
fn pairwise(ranking: &Ranking) -> Vec<Piece> {
    let Some(pairwise) = &ranking.pairwise else { return Vec::new() };
    let rows: Vec<Vec<String>> = [
        (
            "Tie parameter ν",
            Some(format!("{:.2}", pairwise.tie_parameter)),
            "tie_parameter",
            "of Davidson's model: at 0, equal designs never tie; at 1, they tie as often as either of them \
             wins",
        ),
        (
            "Order effect",
            pairwise.order_effect.map(|value| signed(Some(value))),
            "order_effect",
            "log-odds added by being shown first; 0 means none. The strengths exclude it: it cancels for \
             pairs judged in both orders, and is fitted for the others",
        ),
    ]
    .into_iter()
    .map(|(name, value, field, reading)| match value {
        Some(value) => vec![name.to_owned(), value, reading.to_owned()],
        None => {
            let reason = pairwise.reasons.get(field).map_or("", String::as_str);
            vec![name.to_owned(), NONE.to_owned(), reason.to_owned()]
        }
    })
    .collect();
    vec![
        Piece::Heading("The model of comparisons".to_owned()),
        Piece::table(&["Statistic", "Value", "How to read it"], &[false, true, false], rows),
    ]
}

/// Returns influences other than quality that may have affected the scores.
fn bias(ranking: &Ranking) -> Vec<Piece> {
    let bias = &ranking.bias;
    let mut items: Vec<String> = [&bias.position, &bias.length].into_iter().filter_map(audit).collect();
    for (kind, preferences) in
        [("Own design", &bias.self_preference), ("Own vendor", &bias.family_preference)]
    {
        for (reviewer, preference) in preferences {
            items.push(format!("{kind}: {reviewer} {}", preference.sentence));
        }
    }
    let rows: Vec<Vec<String>> = bias
        .reviewers
        .iter()
        .map(|(reviewer, habits)| {
            vec![
                reviewer.clone(),
                signed(habits.leniency),
                number(habits.spread),
                number(habits.repeat_spread),
            ]
        })
        .collect();
    let mut parts = Vec::new();
    if !items.is_empty() {
        parts.push(Piece::List(items));
        parts.push(Piece::Text(
            "p is the chance of an effect this large if there is none; “insufficient” means that no outcome \
             with so few scores could have shown one."
                .to_owned(),
        ));
    }
    if !rows.is_empty() {
        let headings = ["Reviewer", "Leniency", "Spread", "Spread over repeats"];
        parts.push(Piece::table(&headings, &[false, true, true, true], rows));
        parts.push(Piece::Text(
            "Leniency: how many points higher than the panel the reviewer scores the same designs. Spread: \
             standard deviation of the reviewer's scores, over designs and over repeats of one design."
                .to_owned(),
        ));
    }
    if !parts.is_empty() {
        parts.insert(0, Piece::Heading("Bias audit".to_owned()));
    }
    parts
}

fn audit(audit: &Audit) -> Option<String> {
    let observations =
        if audit.p_value.is_some() { format!(" n = {}.", audit.observations) } else { String::new() };
    (!audit.sentence.is_empty()).then(|| format!("{}{observations}", audit.sentence))
}

/// Returns what was removed from the designs, so that a reader can judge whether it could have mattered.
fn scrubbed(scrubbed: &[Scrubbed]) -> Vec<Piece> {
    if scrubbed.is_empty() {
        return Vec::new();
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
                        count(u64::from(*times), "invisible character", "invisible characters")
                    }
                    _ => format!("“{what}” as {shown}, {}", count(u64::from(*times), "time", "times")),
                })
                .collect();
            format!("{}: {}", design.design_id, what.join(", "))
        })
        .collect();
    let heading = Piece::Heading("What reviewers were not shown".to_owned());
    if items.is_empty() {
        let none = "No design named a model, a vendor or an agent, so nothing was removed.";
        return vec![heading, Piece::Text(none.to_owned())];
    }
    let some = "Removed from the designs because it could reveal the author, and what replaced it:";
    vec![heading, Piece::Text(some.to_owned()), Piece::List(items)]
}

/// Describes the ranking's method in words.
pub(in super::super) fn method(ranking: &Ranking) -> &str {
    match ranking.metadata.aggregation_method.as_str() {
        "linear_mixed_model" => "linear mixed model (design, reviewer, reviewer's own design, place shown)",
        "davidson" => "Bradley–Terry model with ties (Davidson)",
        other => other,
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
    let mapper = || run.mapper.iter().filter(|mapper| mapper.prompts > 0).cloned().collect();
    let parts = [("design", &run.designers), ("review", &run.reviewers), ("decision map", &mapper())];
    let rows: Vec<Vec<String>> = parts
        .iter()
        .flat_map(|(part, participants)| {
            participants.iter().map(move |participant| {
                vec![
                    inline(&participant.name),
                    (*part).to_owned(),
                    inline(&participant.model),
                    participant.prompts.to_string(),
                    span(participant.duration_ms),
                    thousands(participant.tokens),
                    money(participant.cost),
                ]
            })
        })
        .collect();
    if !rows.is_empty() {
        let headings = ["Name", "Part", "Model", "Prompts", "Time", "Tokens", "Cost"];
        let _ = writeln!(out, "{}", table(&headings, &[false, false, false, true, true, true, true], &rows));
    }
    let _ = writeln!(
        out,
        "{} in all, {} tokens, {}. Method: {}. Seed: {}. Made {}.",
        span(run.elapsed_ms),
        thousands(run.tokens.total()),
        money(run.cost),
        inline(method(ranking)),
        ranking.metadata.seed,
        inline(&ranking.metadata.generated_at)
    );
    if let Some(rubric) = &ranking.rubric {
        let _ = writeln!(out, "\nJudged by the {}.", inline(&rubric.sentence));
    }
    let failed: Vec<&str> = ranking.metadata.failed.iter().map(|failure| failure.id.as_str()).collect();
    if !failed.is_empty() {
        let _ = writeln!(out, "\nFailed: {}; the reasons are at the top.", inline(&listed(&failed)));
    }
}
