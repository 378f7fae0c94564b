//! `results/report.html`: the result as a page. It is one file that requests nothing from the network, runs no script
//! and allows none; its sentences are the same as in `results.md`. `form` is another page, which a person uses for a
//! review.
//!
//! Charts are SVG, and the shade of a table cell is a class: the policy in the page's head allows style sheets, by
//! their hashes, and nothing else ([`crate::shared::page`]).

mod designs;
mod form;
mod map;
mod scores;
mod voices;

use super::artefacts::level;
use super::chat;
use super::outcomes::{outcomes, outcomes_aside};
use super::overview::{Overview, Stage};
use super::piece::Piece;
use super::results::{self, Material};
use crate::design_lab::config::{Config, ReviewMode};
use crate::design_lab::ranking::{RankedDesign, Ranking};
use crate::shared::capped::capped;
use crate::shared::figures::{count, interval, money, number, signed, thousands};
use crate::shared::page::Prose;
use crate::shared::reader::Reader;
use askama::Template;
use designs::Comparison;
pub use form::{Form, form_page};
use kernel::clock::span;
use kernel::progress::{Participant, Standing};
use map::Map;
use scores::{Bars, Grid};
use voices::Voice;

/// The page's own style sheet.
const STYLE: &str = include_str!("style.css");
/// Its SHA-256 in Base64, as the policy requires it; a test keeps it up to date.
const STYLE_HASH: &str = include_str!("style.sha256").trim_ascii_end();

/// Returns the whole page; empty for a run without a ranking.
pub fn page(run: &Overview<'_>, material: &Material<'_>) -> String {
    let Some(ranking) = run.ranking else { return String::new() };
    Page::new(run, ranking, material).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    style: &'static str,
    style_hash: &'static str,
    ranking: &'a Ranking,
    run: &'a Overview<'a>,
    title: String,
    /// The facts about the run in one line: date, numbers, duration, cost.
    facts: Vec<String>,
    verdict: &'static str,
    /// The verdict's sentence without the part that the chip before it shows.
    sentence: &'a str,
    sure: Vec<String>,
    warnings: Vec<String>,
    outcomes: Vec<String>,
    outcomes_aside: &'static str,
    places: Vec<Place>,
    unranked: Vec<String>,
    /// Each rank, and its position on the axis, in percent.
    axis: Vec<(usize, String)>,
    ranks_reading: &'static str,
    grids: Vec<Grid>,
    grids_reading: String,
    bars: Vec<Bars>,
    bars_reading: String,
    map: Option<Map>,
    designs: Comparison,
    voices: Vec<Voice>,
    written: Vec<(&'a str, Prose)>,
    constraints: Vec<Piece>,
    change: Vec<Piece>,
    gains: Vec<Piece>,
    fine_print: Vec<Piece>,
    failures: Vec<Failed<'a>>,
    repairs: Vec<(String, String)>,
    task: Prose,
    lists: Vec<(&'static str, Vec<Prose>)>,
    config: Vec<(&'static str, String)>,
    rubric: Vec<(&'a str, &'a str)>,
    method: &'a str,
    next: Vec<chat::Step>,
}

/// A design's place among all designs.
struct Place {
    rank: Option<u32>,
    /// Whether other designs share it.
    shared: bool,
    id: String,
    /// Its title, shortened; empty if the design isn't available.
    title: String,
    model: String,
    /// The adjusted score, or in pairwise mode the strength.
    score: String,
    could_be: String,
    /// The positions of best, rank and worst on the axis, in percent.
    marks: Option<[String; 3]>,
    /// The other numbers, in the order of the table's headings.
    numbers: Vec<String>,
}

struct Failed<'a> {
    part: &'static str,
    name: &'a str,
    model: &'a str,
    reason: &'a str,
}

impl<'a> Page<'a> {
    fn new(run: &'a Overview<'a>, ranking: &'a Ranking, material: &Material<'a>) -> Self {
        let study = material.study;
        let ranked = ranked(ranking);
        let (grids, grids_reading) = scores::grids(ranking, study);
        let sentence = ranking.verdict.sentence.as_str();
        let verdict = ranking.verdict.kind.words();
        Self {
            style: STYLE,
            style_hash: STYLE_HASH,
            ranking,
            run,
            title: results::heading(material.task),
            facts: facts(run, ranking),
            verdict,
            sentence: sentence.strip_prefix(&format!("{verdict}: ")).unwrap_or(sentence),
            sure: results::sure(ranking),
            warnings: results::warnings(run, ranking),
            outcomes: outcomes(run, Reader::Person),
            outcomes_aside: outcomes_aside(run),
            places: ranking.rankings.iter().map(|row| Place::new(row, ranking, material)).collect(),
            unranked: ranking
                .rankings
                .iter()
                .filter(|row| row.rank.is_none())
                .map(results::unranked)
                .collect(),
            axis: (1..=ranked).map(|rank| (rank, position(rank as f64, ranked))).collect(),
            ranks_reading: results::ranks_reading(ranking),
            grids,
            grids_reading,
            bars: scores::bars(ranking, study),
            bars_reading: scores::bars_reading(study),
            map: material.map.map(Map::new),
            designs: Comparison::new(ranking, material.designs),
            voices: voices::voices(ranking, material),
            constraints: results::constraints(ranking, material),
            change: results::change(ranking),
            gains: results::gains(ranking),
            fine_print: results::fine_print(ranking, material),
            written: material
                .reviews
                .iter()
                .flat_map(|one| {
                    one.prose.iter().map(|text| (one.review.review_id.as_str(), Prose::new(text)))
                })
                .collect(),
            failures: [("design", &run.designers), ("review", &run.reviewers)]
                .into_iter()
                .flat_map(|(part, all)| all.iter().filter_map(move |one| Failed::new(part, one)))
                .collect(),
            repairs: repairs(material),
            task: Prose::new(&material.task.problem_statement),
            lists: [
                ("Constraints", &material.task.constraints),
                ("Non-functional requirements", &material.task.non_functional_requirements),
            ]
            .into_iter()
            .filter(|(_, items)| !items.is_empty())
            .map(|(title, items)| (title, items.iter().map(|item| Prose::new(item)).collect()))
            .collect(),
            config: configuration(material.config, ranking),
            rubric: study
                .dimensions
                .iter()
                .map(|one| (one.name.as_str(), one.description.as_str()))
                .collect(),
            method: results::method(ranking),
            next: chat::further(run),
        }
    }

    fn is_pairwise(&self) -> bool {
        self.ranking.pairwise.is_some()
    }

    fn turned(&self) -> Option<String> {
        results::turned(self.ranking.pairwise.as_ref()?)
    }

    fn is_over(&self) -> bool {
        matches!(self.run.stage, Stage::Over(_) | Stage::Map)
    }

    /// Returns the designs on the first three ranks, including ties.
    fn podium(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|place| place.rank.is_some_and(|rank| rank <= 3))
    }

    fn number_headings(&self) -> &'static [&'static str] {
        if self.is_pairwise() {
            &["Strength", "± standard error", "Could be rank", "Reviewers"]
        } else {
            &["Adjusted score", "Could be rank", "Mean", "Median", "Variance", "Reviewers"]
        }
    }

    /// Returns the table of participants: part, name, model, state, prompts, time, tokens, cost.
    fn participants(&self) -> Vec<[String; 8]> {
        let row = |part: &str, participant: &Participant| {
            let state = match &participant.standing {
                Standing::Waiting => "waiting",
                Standing::Working(_) | Standing::Pausing { .. } => "at work",
                Standing::Stopped => "not finished",
                Standing::NotAsked => "not started",
                Standing::Done => "done",
                Standing::Failed(_) => "failed",
            };
            [
                participant.name.clone(),
                part.to_owned(),
                participant.model.clone(),
                state.to_owned(),
                participant.prompts.to_string(),
                span(participant.duration_ms),
                thousands(participant.tokens),
                money(participant.cost),
            ]
        };
        let designs = self.run.designers.iter().map(|participant| row("design", participant));
        let reviews = self.run.reviewers.iter().map(|participant| row("review", participant));
        let mapper = self.run.mapper.iter().filter(|mapper| mapper.prompts > 0);
        designs.chain(reviews).chain(mapper.map(|participant| row("decision map", participant))).collect()
    }

    fn total(&self) -> String {
        format!(
            "{} in all, {} tokens, {}.",
            span(self.run.elapsed_ms),
            thousands(self.run.tokens.total()),
            money(self.run.cost)
        )
    }
}

impl Place {
    fn new(row: &RankedDesign, ranking: &Ranking, material: &Material<'_>) -> Self {
        let ranked = ranked(ranking);
        let stored = material.designs.iter().find(|one| one.design_id == row.design_id);
        let facts = material.study.designs.iter().find(|one| one.id == row.design_id);
        let strength = ranking
            .pairwise
            .as_ref()
            .and_then(|pairwise| pairwise.strengths.iter().find(|one| one.design_id == row.design_id));
        let could_be = interval(row.rank_interval);
        let reviewers = results::reviewers(row);
        let (score, numbers) = if ranking.pairwise.is_some() {
            let score = signed(strength.map(|one| one.log_strength));
            let error = number(strength.map(|one| one.standard_error));
            (score.clone(), vec![score, error, could_be.clone(), reviewers])
        } else {
            let score = number(row.adjusted_score);
            let [mean, median, variance] =
                [row.average_score, row.median_score, row.score_variance].map(number);
            (score.clone(), vec![score, could_be.clone(), mean, median, variance, reviewers])
        };
        let at = |rank: u32| position(f64::from(rank), ranked);
        Self {
            rank: row.rank,
            shared: ranking
                .rankings
                .iter()
                .filter(|other| row.rank.is_some() && other.rank == row.rank)
                .count()
                > 1,
            id: row.design_id.to_string(),
            title: stored.map_or_else(String::new, |stored| short(&stored.design.title)),
            model: facts
                .and_then(|facts| facts.file.clone().or_else(|| facts.model.clone()))
                .unwrap_or_default(),
            score,
            could_be,
            marks: row
                .rank
                .zip(row.rank_interval)
                .map(|(rank, [best, worst])| [at(best), at(rank), at(worst)]),
            numbers,
        }
    }
}

impl<'a> Failed<'a> {
    fn new(part: &'static str, person: &'a Participant) -> Option<Self> {
        match &person.standing {
            Standing::Failed(reason) => {
                Some(Self { part, name: &person.name, model: &person.model, reason: reason.wording() })
            }
            _ => None,
        }
    }
}

/// Returns how many designs have a rank.
fn ranked(ranking: &Ranking) -> usize {
    ranking.rankings.iter().filter(|row| row.rank.is_some()).count()
}

/// Returns the position of a rank on an axis with `of` ranks, in percent.
fn position(rank: f64, of: usize) -> String {
    percent((rank - 0.5) / of.max(1) as f64)
}

/// Formats a share for SVG.
fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// Shortens a line of foreign text to a heading.
fn short(text: &str) -> String {
    const LENGTH: usize = 110;
    capped(&super::markdown::one_line(text), LENGTH)
}

fn facts(run: &Overview<'_>, ranking: &Ranking) -> Vec<String> {
    let metadata = &ranking.metadata;
    let day = metadata.generated_at.get(..10).unwrap_or_default().to_owned();
    let mut facts = vec![
        day,
        count(u64::from(metadata.total_designs), "design", "designs"),
        count(u64::from(metadata.total_reviewers), "reviewer", "reviewers"),
        span(run.elapsed_ms),
        money(run.cost),
    ];
    facts.retain(|fact| !fact.is_empty());
    facts
}

/// Returns the repairs that were made to answers when they were parsed.
fn repairs(material: &Material<'_>) -> Vec<(String, String)> {
    let designs = material
        .designs
        .iter()
        .map(|stored| (format!("design by {}", stored.design_id), &stored.metadata.repairs));
    let reviews = material
        .reviews
        .iter()
        .map(|written| (format!("review by {}", written.review.review_id), &written.review.metadata.repairs));
    designs
        .chain(reviews)
        .filter(|(_, repairs)| !repairs.is_empty())
        .map(|(whose, repairs)| (whose, repairs.join("; ")))
        .collect()
}

fn configuration(config: &Config, ranking: &Ranking) -> Vec<(&'static str, String)> {
    let none = || "none".to_owned();
    let yes = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let rubric = ranking.rubric.as_ref().map(|rubric| ("Rubric", rubric.sentence.clone()));
    let settings = [
        (
            "Review",
            match config.review.mode {
                ReviewMode::Scores => "scores on every dimension".to_owned(),
                ReviewMode::Pairwise => "pairs, compared in both orders".to_owned(),
            },
        ),
        ("Repeats", config.review.repeats.to_string()),
        ("Turns of a reviewer", config.review.turns.to_string()),
        ("A reviewer's own design left out of the means", yes(config.review.exclude_self)),
        ("Its vendor's designs left out of the means", yes(config.review.exclude_family)),
        ("Designers kept apart", yes(config.isolation.enforce_design_isolation)),
        ("Budget in dollars", config.budget.max_cost_usd.map_or_else(none, money)),
        ("Budget in tokens", config.budget.max_tokens.map_or_else(none, thousands)),
        ("Time for one call", span(config.timeouts.call_ms)),
        ("Seed", ranking.metadata.seed.to_string()),
    ];
    rubric.into_iter().chain(settings).collect()
}
