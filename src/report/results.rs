//! `results/results.md`: who won and how surely, in words first; then the tables; then what would change it; then
//! the fine print, each statistic with a line on how to read it.

use super::figures::{interval, number, signed};
use super::markdown::{list, one_line, table};
use super::overview::{Overview, Standing};
use crate::artefacts::Task;
use crate::clock::span;
use crate::ranking::{Audit, RankedDesign, Ranking, Study};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The whole report; a run without a ranking has none.
pub fn results(run: &Overview<'_>, task: &Task, study: &Study) -> String {
    let Some(ranking) = run.ranking else { return String::new() };
    let mut out = format!("# {}\n\n", heading(task));
    let _ = writeln!(out, "**{}**\n", ranking.verdict.sentence);
    caveats(&mut out, run, ranking);
    ranks(&mut out, ranking);
    dimensions(&mut out, ranking, study);
    matrix(&mut out, ranking, study);
    sensitivity(&mut out, ranking);
    agreement(&mut out, ranking);
    bias(&mut out, ranking);
    words(&mut out, ranking);
    failures(&mut out, run);
    fine_print(&mut out, run, ranking, task);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The task's first line, shortened to a heading.
fn heading(task: &Task) -> String {
    let line =
        one_line(task.problem_statement.lines().find(|line| !line.trim().is_empty()).unwrap_or("Results"));
    if line.chars().count() <= 80 { line } else { line.chars().take(79).chain(['…']).collect() }
}

fn caveats(out: &mut String, run: &Overview<'_>, ranking: &Ranking) {
    let mut notes: Vec<String> = run.notes.to_vec();
    if ranking.metadata.partial {
        notes.push("This result is partial: see what failed, below.".to_owned());
    }
    if let Some(reason) = run.closing {
        notes.push(format!("No further calls were made: {reason}."));
    }
    if !run.isolated {
        notes.push("Isolation was switched off: designers could have seen one another's work.".to_owned());
    }
    for found in &ranking.bias.instructions_in_designs {
        notes.push(format!(
            "Design {} addresses the reviewers: “{}”.",
            found.design_id,
            one_line(&found.excerpt)
        ));
    }
    if !notes.is_empty() {
        let _ = writeln!(out, "{}", list(&notes));
    }
}

fn ranks(out: &mut String, ranking: &Ranking) {
    let rows: Vec<Vec<String>> = ranking
        .rankings
        .iter()
        .map(|row| {
            vec![
                row.rank.map_or_else(|| "unranked".to_owned(), |rank| rank.to_string()),
                row.design_id.clone(),
                number(row.adjusted_score),
                interval(row.rank_interval),
                number(row.average_score),
                number(row.median_score),
                number(row.score_variance),
                row.reviewer_count.to_string(),
            ]
        })
        .collect();
    let headings =
        ["Rank", "Design", "Adjusted score", "Could be rank", "Mean", "Median", "Variance", "Reviewers"];
    let right = [true, false, true, true, true, true, true, true];
    let _ = writeln!(out, "## Ranking\n\n{}", table(&headings, &right, &rows));
    out.push_str(
        "Scores are on a scale of 0–10. The rank follows the adjusted score, which takes out how lenient each \
         reviewer is, what it gives its own design and where a design stood in the list. “Could be rank” is \
         what the scores leave open at 95 %.\n\n",
    );
}

fn dimensions(out: &mut String, ranking: &Ranking, study: &Study) {
    if study.dimensions.is_empty() {
        return;
    }
    let mut headings = vec!["Design"];
    headings.extend(study.dimensions.iter().map(|dimension| dimension.name.as_str()));
    let mut right = vec![true; headings.len()];
    right[0] = false;
    let rows: Vec<Vec<String>> = ranking
        .rankings
        .iter()
        .map(|row| {
            let mut cells = vec![row.design_id.clone()];
            cells.extend(study.dimensions.iter().map(|dimension| breakdown(row, &dimension.name)));
            cells
        })
        .collect();
    let _ = writeln!(out, "## By dimension\n\n{}", table(&headings, &right, &rows));
    let bounds: Vec<String> = study
        .dimensions
        .iter()
        .map(|one| format!("{} {}–{}, weight {}", one.name, one.min, one.max, one.weight))
        .collect();
    let _ = writeln!(out, "Mean, then median and variance in brackets. Bounds: {}.\n", bounds.join("; "));
}

fn breakdown(row: &RankedDesign, dimension: &str) -> String {
    let Some(found) = row.score_breakdown.get(dimension) else { return "–".to_owned() };
    match found.mean {
        None => "–".to_owned(),
        Some(mean) => format!("{mean:.2} ({}; {})", number(found.median), number(found.variance)),
    }
}

fn matrix(out: &mut String, ranking: &Ranking, study: &Study) {
    let overall = overall_scores(study);
    if overall.is_empty() {
        return;
    }
    let mut headings = vec!["Reviewer"];
    headings.extend(ranking.rankings.iter().map(|row| row.design_id.as_str()));
    let mut right = vec![true; headings.len()];
    right[0] = false;
    let model_of =
        |design: &str| study.designs.iter().find(|one| one.id == design).and_then(|one| one.model.as_deref());
    let mut has_own = false;
    let rows: Vec<Vec<String>> = study
        .reviewers
        .iter()
        .map(|reviewer| {
            let mut cells = vec![reviewer.id.clone()];
            cells.extend(ranking.rankings.iter().map(|row| {
                let own = reviewer.model.is_some() && reviewer.model.as_deref() == model_of(&row.design_id);
                match overall.get(&(reviewer.id.as_str(), row.design_id.as_str())) {
                    None => "–".to_owned(),
                    Some(score) if own => {
                        has_own = true;
                        format!("{score:.2}*")
                    }
                    Some(score) => format!("{score:.2}"),
                }
            }));
            cells
        })
        .collect();
    let _ = writeln!(out, "## Reviewer by design\n\n{}", table(&headings, &right, &rows));
    if has_own {
        let treatment = if ranking.metadata.self_reviews_excluded > 0 {
            "left out of mean, median and variance; in the adjusted score its bias is estimated instead"
        } else {
            "counted like any other"
        };
        let _ = writeln!(out, "\\* the reviewer's own design: {treatment}.\n");
    }
}

/// Each reviewer's overall of each design on the scale of 0–10: dimensions weighted, repeats averaged.
fn overall_scores(study: &Study) -> BTreeMap<(&str, &str), f64> {
    let mut sums: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for row in &study.rows {
        let Some(dimension) = study.dimensions.iter().find(|one| one.name == row.dimension) else { continue };
        let score = (row.score - dimension.min) / (dimension.max - dimension.min) * 10.0;
        let (sum, weight) = sums.entry((row.reviewer.as_str(), row.design.as_str())).or_default();
        *sum += score * dimension.weight;
        *weight += dimension.weight;
    }
    sums.into_iter().map(|(key, (sum, weight))| (key, sum / weight)).collect()
}

fn sensitivity(out: &mut String, ranking: &Ranking) {
    let orders = &ranking.sensitivity.orders;
    let mut rows: Vec<Vec<String>> = [
        ("adjusted score (used)", &orders.adjusted),
        ("mean", &orders.mean),
        ("median", &orders.median),
        ("Borda", &orders.borda),
        ("Copeland", &orders.copeland),
        ("Bradley–Terry", &orders.bradley_terry),
    ]
    .iter()
    .filter(|(_, order)| !order.is_empty())
    .map(|(method, order)| vec![(*method).to_owned(), order.join(" › ")])
    .collect();
    for (reviewer, order) in &ranking.sensitivity.leave_one_out {
        rows.push(vec![format!("without {reviewer}"), order.join(" › ")]);
    }
    if !rows.is_empty() {
        let _ = writeln!(
            out,
            "## What would change this\n\n{}",
            table(&["Method", "Order"], &[false, false], &rows)
        );
        out.push_str(
            "Where the first place is the same in every row, it doesn't hang on how scores are combined or on any one reviewer.\n\n",
        );
    }
}

fn agreement(out: &mut String, ranking: &Ranking) {
    let agreement = &ranking.agreement;
    let alpha = &agreement.krippendorff_alpha;
    let reason = |field: &str| agreement.reasons.get(field).map_or("", String::as_str).to_owned();
    let or_reason = |value: Option<f64>, field: &str, reading: &str| match value {
        Some(value) => vec![format!("{value:.2}"), reading.to_owned()],
        None => vec!["–".to_owned(), reason(field)],
    };
    let mut rows = Vec::new();
    for (name, mut cells) in [
        (
            "Kendall's W",
            or_reason(
                agreement.kendall_w,
                "kendall_w",
                "1: all reviewers rank alike; near 0: no common order",
            ),
        ),
        (
            "Krippendorff's α, ordinal",
            or_reason(
                alpha.ordinal,
                "krippendorff_alpha",
                "1: full agreement; 0: as if by chance; below 0: they contradict one another",
            ),
        ),
        (
            "Krippendorff's α, interval",
            or_reason(alpha.interval, "krippendorff_alpha", "the same, by how far scores lie apart"),
        ),
        (
            "Effective votes",
            or_reason(
                agreement.effective_votes,
                "effective_votes",
                "how many independent reviewers these are worth",
            ),
        ),
    ] {
        cells.insert(0, name.to_owned());
        rows.push(cells);
    }
    let _ = writeln!(
        out,
        "## Agreement of {} reviewers\n\n{}",
        agreement.reviewers,
        table(&["Statistic", "Value", "How to read it"], &[false, true, false], &rows)
    );
    for one in &agreement.dissent {
        let _ = writeln!(
            out,
            "- **Dissent:** {} gave {} {:.2}, where the other scores predict {:.2}.",
            one.reviewer, one.design_id, one.score, one.expected
        );
    }
    if !agreement.dissent.is_empty() {
        out.push('\n');
    }
}

fn bias(out: &mut String, ranking: &Ranking) {
    let bias = &ranking.bias;
    let mut items = Vec::new();
    for (name, audit) in [("Position", &bias.position), ("Length", &bias.length)] {
        items.push(format!("**{name}:** {}", sentence(audit)));
    }
    for (kind, preferences) in
        [("Own design", &bias.self_preference), ("Own vendor", &bias.family_preference)]
    {
        for (reviewer, preference) in preferences {
            items.push(format!("**{kind}, {reviewer}:** {}", preference.sentence));
        }
    }
    let _ = writeln!(out, "## Bias audit\n\n{}", list(&items));
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
    if !rows.is_empty() {
        let headings = ["Reviewer", "Leniency", "Spread", "Spread over repeats"];
        let _ = writeln!(out, "{}", table(&headings, &[false, true, true, true], &rows));
        out.push_str("Leniency: points above the panel for the same designs. Spread: how much of the scale the reviewer uses.\n\n");
    }
}

fn sentence(audit: &Audit) -> String {
    let p = audit.p_value.map_or(String::new(), |p| format!(" (p = {p:.3}, n = {})", audit.observations));
    format!("{}{p}", audit.sentence)
}

fn words(out: &mut String, ranking: &Ranking) {
    out.push_str("## What the reviewers said\n\n");
    for row in &ranking.rankings {
        let summary = &row.qualitative_summary;
        if summary.strengths.is_empty() && summary.weaknesses.is_empty() && summary.risks.is_empty() {
            continue;
        }
        let _ = writeln!(out, "### {}\n", row.design_id);
        for (title, items) in [
            ("Strengths", &summary.strengths),
            ("Weaknesses", &summary.weaknesses),
            ("Missing", &summary.risks),
        ] {
            if !items.is_empty() {
                let _ = writeln!(out, "{title}:\n\n{}", list(items));
            }
        }
    }
}

fn failures(out: &mut String, run: &Overview<'_>) {
    let mut items = Vec::new();
    for (kind, people) in [("Design", &run.designers), ("Review", &run.reviewers)] {
        for person in people {
            if let Standing::Failed(reason) = &person.standing {
                items.push(format!("{kind} by {} ({}): {reason}", person.name, person.model));
            }
        }
    }
    if !items.is_empty() {
        let _ = writeln!(out, "## Failures\n\n{}", list(&items));
    }
}

fn fine_print(out: &mut String, run: &Overview<'_>, ranking: &Ranking, task: &Task) {
    let _ = writeln!(out, "## The run\n\n{}\n", task.problem_statement.trim());
    for (title, items) in [
        ("Constraints", &task.constraints),
        ("Non-functional requirements", &task.non_functional_requirements),
    ] {
        if !items.is_empty() {
            let _ = writeln!(out, "{title}:\n\n{}", list(items));
        }
    }
    let rows: Vec<Vec<String>> = [("design", &run.designers), ("review", &run.reviewers)]
        .iter()
        .flat_map(|(part, people)| {
            people.iter().map(move |person| {
                vec![
                    person.name.clone(),
                    (*part).to_owned(),
                    person.model.clone(),
                    person.prompts.to_string(),
                    span(person.duration_ms),
                    person.tokens.to_string(),
                    format!("${:.4}", person.cost),
                ]
            })
        })
        .collect();
    let headings = ["Name", "Part", "Model", "Prompts", "Time", "Tokens", "Cost"];
    let _ = writeln!(out, "{}", table(&headings, &[false, false, false, true, true, true, true], &rows));
    let _ = writeln!(
        out,
        "{} in all, {} tokens, ${:.4}. Method: {}. Seed: {}. Made {}.",
        span(run.elapsed_ms),
        run.tokens.total(),
        run.cost,
        ranking.metadata.aggregation_method.replace('_', " "),
        ranking.metadata.seed,
        ranking.metadata.generated_at
    );
}
