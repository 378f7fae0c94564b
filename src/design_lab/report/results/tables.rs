//! The tables: the ranking, the scores by dimension and by reviewer, and the reviewers' comments on each design.

use super::super::artefacts::level;
use super::super::markdown::{inline, quoted_list, table, table_of_numbers};
use super::listed;
use crate::design_lab::artefacts::Level;
use crate::design_lab::ids::DesignId;
use crate::design_lab::ranking::{QualitativeSummary, RankedDesign, Ranking, ReviewerFacts, Study};
use crate::shared::figures::{NONE, interval, number, signed};
use design_lab_numerics::sorting::map;
use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(super) fn ranks(out: &mut String, ranking: &Ranking) {
    match &ranking.pairwise {
        None => by_score(out, ranking),
        Some(pairwise) => {
            let rows: Vec<Vec<String>> = ranking
                .rankings
                .iter()
                .map(|row| {
                    let strength = pairwise.strengths.iter().find(|one| one.design_id == row.design_id);
                    vec![
                        place(row),
                        inline(&row.design_id),
                        signed(strength.map(|one| one.log_strength)),
                        number(strength.map(|one| one.standard_error)),
                        interval(row.rank_interval),
                        reviewers(row),
                    ]
                })
                .collect();
            let headings = ["Rank", "Design", "Strength", "± standard error", "Could be rank", "Reviewers"];
            let right = [true, false, true, true, true, true];
            let _ = writeln!(out, "## Ranking\n\n{}", table(&headings, &right, &rows));
        }
    }
    let _ = writeln!(out, "{}\n", ranks_reading(ranking));
    for row in ranking.rankings.iter().filter(|row| row.rank.is_none()) {
        let _ = writeln!(out, "{}\n", inline(&unranked(row)));
    }
}

/// Returns how to read the ranking.
pub(in super::super) fn ranks_reading(ranking: &Ranking) -> &'static str {
    if ranking.pairwise.is_some() {
        "Strength is a log-odds scale with mean 0: a design 1 above another is preferred about 2.7 times as \
         often as it is not, apart from ties. “Could be rank” is the range that the comparisons leave open \
         at 95%."
    } else {
        "Scores are on a scale of 0–10. The rank follows the adjusted score, which corrects for each reviewer's \
         leniency, its bias towards its own design, and the effect of list position. “Could be rank” is \
         the range that the scores leave open at 95%."
    }
}

/// Explains why the first design that ranks above one with a higher mean does so; `None` when means and ranks agree.
pub(in super::super) fn means_aside(ranking: &Ranking) -> Option<String> {
    let mean = |row: &RankedDesign| row.average_score.filter(|_| row.rank.is_some());
    ranking.rankings.windows(2).find_map(|rows| {
        let (above, below) = (&rows[0], &rows[1]);
        let means = [mean(above)?, mean(below)?];
        let [shown, beyond] = means.map(|mean| number(Some(mean)));
        (means[0] < means[1] && shown != beyond).then(|| {
            format!(
                "{} has a lower mean than {} ({shown} and {beyond}) but a better rank: the rank follows the \
                 adjusted score, which corrects for each reviewer's leniency, its bias towards its own design, \
                 and the effect of list position.",
                above.design_id, below.design_id
            )
        })
    })
}

/// Explains why a design has no rank.
pub(in super::super) fn unranked(row: &RankedDesign) -> String {
    let why = row.reasons.get("rank").map_or("It has no valid score.", String::as_str);
    format!("{} is unranked: {why}", row.design_id)
}

fn by_score(out: &mut String, ranking: &Ranking) {
    let rows: Vec<Vec<String>> = ranking
        .rankings
        .iter()
        .map(|row| {
            vec![
                place(row),
                inline(&row.design_id),
                number(row.adjusted_score),
                interval(row.rank_interval),
                number(row.average_score),
                number(row.median_score),
                number(row.score_variance),
                reviewers(row),
            ]
        })
        .collect();
    let headings =
        ["Rank", "Design", "Adjusted score", "Could be rank", "Mean", "Median", "Variance", "Reviewers"];
    let right = [true, false, true, true, true, true, true, true];
    let _ = writeln!(out, "## Ranking\n\n{}", table(&headings, &right, &rows));
}

/// Returns how many reviewers' scores a design has, and out of how many if some don't count because the design is the
/// reviewer's own.
pub(in super::super) fn reviewers(row: &RankedDesign) -> String {
    match row.reviews.iter().filter(|review| !review.counts).count() {
        0 => row.reviewer_count.to_string(),
        _ => format!("{} of {} (own left out)", row.reviewer_count, row.reviews.len()),
    }
}

fn place(row: &RankedDesign) -> String {
    row.rank.map_or_else(|| "unranked".to_owned(), |rank| rank.to_string())
}

pub(super) fn dimensions(out: &mut String, ranking: &Ranking, study: &Study) {
    if study.dimensions.is_empty() || ranking.pairwise.is_some() {
        return;
    }
    let names: Vec<String> = study.dimensions.iter().map(|dimension| inline(&dimension.name)).collect();
    let rows: Vec<Vec<String>> = ranking
        .rankings
        .iter()
        .map(|row| {
            let mut cells = vec![inline(&row.design_id)];
            cells.extend(study.dimensions.iter().map(|dimension| breakdown(row, &dimension.name)));
            cells
        })
        .collect();
    let _ = writeln!(out, "## By dimension\n\n{}", table_of_numbers("Design", &names, &rows));
    let _ =
        writeln!(out, "Mean over reviewers, followed by (median; variance). {}\n", inline(&bounds(study)));
}

/// Returns the dimensions' bounds and weights: `All from 0 to 10, weight 1.`, or each one separately if they differ.
pub(in super::super) fn bounds(study: &Study) -> String {
    let of = |index: usize| {
        let one = &study.dimensions[index];
        format!("{} to {}, weight {}", one.min, one.max, one.weight)
    };
    let first = of(0);
    if (1..study.dimensions.len()).all(|index| of(index) == first) {
        return format!("All from {first}.");
    }
    let each: Vec<String> = study
        .dimensions
        .iter()
        .enumerate()
        .map(|(index, one)| format!("{} from {}", one.name, of(index)))
        .collect();
    format!("{}.", each.join("; "))
}

fn breakdown(row: &RankedDesign, dimension: &str) -> String {
    let found = row.score_breakdown.get(dimension).and_then(|found| Some((found, found.mean?)));
    found.map_or_else(
        || NONE.to_owned(),
        |(found, mean)| format!("{mean:.2} ({}; {})", number(found.median), number(found.variance)),
    )
}

pub(super) fn matrix(out: &mut String, ranking: &Ranking, study: &Study) {
    let overall = overall_scores(study);
    if overall.is_empty() {
        return;
    }
    let names: Vec<String> = ranking.rankings.iter().map(|row| inline(&row.design_id)).collect();
    let mut has_own = false;
    let rows: Vec<Vec<String>> = study
        .reviewers
        .iter()
        .map(|reviewer| {
            let person = if is_person(reviewer, study) { " (person)" } else { "" };
            let mut cells = vec![format!("{}{person}", inline(&reviewer.id))];
            cells.extend(ranking.rankings.iter().map(|row| {
                let own = is_own(study, reviewer, &row.design_id);
                match overall.get(&(reviewer.id.as_str(), row.design_id.as_str())) {
                    None => NONE.to_owned(),
                    Some(score) if own => {
                        has_own = true;
                        format!("{score:.2}\\*")
                    }
                    Some(score) => format!("{score:.2}"),
                }
            }));
            cells
        })
        .collect();
    let _ = writeln!(out, "## Reviewer by design\n\n{}", table_of_numbers("Reviewer", &names, &rows));
    out.push_str(MATRIX_READING);
    if has_own {
        let _ = write!(out, " \\* marks a reviewer's own design: {}.", own_reading(ranking));
    }
    out.push_str("\n\n");
}

/// Whether a reviewer is a person among models.
pub(in super::super) fn is_person(reviewer: &ReviewerFacts, study: &Study) -> bool {
    reviewer.model.is_none() && study.reviewers.iter().any(|other| other.model.is_some())
}

/// Whether the reviewer's model wrote the design.
pub(in super::super) fn is_own(study: &Study, reviewer: &ReviewerFacts, design: &DesignId) -> bool {
    let author = study.designs.iter().find(|one| one.id == *design).and_then(|one| one.model.as_deref());
    author.is_some() && author == reviewer.model.as_deref()
}

/// The meaning of the numbers in the table of reviewers and designs.
pub(in super::super) const MATRIX_READING: &str =
    "Each reviewer's overall score, 0–10, computed from its scores and the dimensions' weights.";

/// Explains how a reviewer's score of its own design counts.
pub(in super::super) fn own_reading(ranking: &Ranking) -> &'static str {
    if ranking.metadata.self_reviews_excluded > 0 {
        "left out of mean, median and variance; the adjusted score estimates and removes its effect"
    } else {
        "counted like any other in mean, median and variance; the adjusted score estimates and removes its \
         effect"
    }
}

/// Returns each reviewer's overall score of each design on the scale of 0–10: dimensions weighted, repeats averaged.
pub(in super::super) fn overall_scores(study: &Study) -> BTreeMap<(&str, &str), f64> {
    let mut sums: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for row in &study.rows {
        let Some(dimension) = study.dimensions.iter().find(|one| one.name == row.dimension) else { continue };
        let score = (row.score - dimension.min) / (dimension.max - dimension.min) * 10.0;
        let (sum, weight) = sums.entry((row.reviewer.as_str(), row.design.as_str())).or_default();
        *sum += score * dimension.weight;
        *weight += dimension.weight;
    }
    map(sums.into_iter().map(|(key, (sum, weight))| (key, sum / weight)))
}

/// Returns how risky the reviewers consider building a design; `None` when no reviewer rated it.
pub(in super::super) fn risk(summary: &QualitativeSummary) -> Option<String> {
    let by = |wanted: Level| {
        let said = summary.risk_assessments.iter().filter(|(_, level)| **level == wanted);
        let names: Vec<&str> = said.map(|(reviewer, _)| reviewer.as_str()).collect();
        (!names.is_empty()).then(|| format!("{} by {}", level(wanted), listed(&names)))
    };
    let levels: Vec<String> = [Level::High, Level::Medium, Level::Low].into_iter().filter_map(by).collect();
    (!levels.is_empty()).then(|| format!("Risk of building it: {}.", levels.join("; ")))
}

pub(super) fn said(out: &mut String, ranking: &Ranking) {
    let mut text = String::new();
    for row in &ranking.rankings {
        let summary = &row.qualitative_summary;
        let lists = [
            ("Strengths", &summary.strengths),
            ("Weaknesses", &summary.weaknesses),
            ("Missing", &summary.missing_considerations),
            ("Risks", &summary.risks),
            ("People's comments", &summary.comments),
        ];
        if lists.iter().all(|(_, items)| items.is_empty()) && summary.risk_assessments.is_empty() {
            continue;
        }
        let _ = writeln!(text, "### {}\n", inline(&row.design_id));
        for (title, items) in lists {
            if !items.is_empty() {
                let _ = writeln!(text, "{title}:\n\n{}", quoted_list(items));
            }
        }
        if let Some(risk) = risk(summary) {
            let _ = writeln!(text, "{}\n", inline(&risk));
        }
    }
    if !text.is_empty() {
        let _ = write!(out, "## What the reviewers said\n\n{text}");
    }
}
