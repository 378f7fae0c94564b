//! How far the chances that a ranking states hold on real panels of model judges, where people's scores are the truth.
//!
//! `cargo run --release --example calibrate [-- TABLES]` prints the tables of `docs/ranking-measurements.md`. It draws TABLES small tables of each size from
//! `tests/design_lab/data/real-judges.csv` (source and licence: `tests/design_lab/data/README.md`): some systems' summaries of one text, scored by some judges.
//! The second table is about the choice: whether the set of candidates holds the best design, what choosing the first one lost, and how often it was within
//! half a point of the best. With `-- TABLES held-out` it chooses the constants of the shared error again for each panel, by log loss on the other panels and on other texts, and
//! prints what they are worth on this one. Everything is seeded: the same command prints the same table.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use design_lab_numerics::chances::places;
use lab_core::design_lab::config::{Dimension, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::independence::independence;
use lab_core::design_lab::ranking::model::{Observation, Posterior, SHARED, Shared};
use lab_core::design_lab::ranking::table::Matrix;
use lab_core::design_lab::ranking::{
    Context, DesignFacts, Options, ReviewerFacts, ScoreRow, Study, VerdictKind, rank,
};
use lab_core::random::Random;

const DATA: &str = include_str!("../tests/design_lab/data/real-judges.csv");
const DIMENSIONS: usize = 4;
const SYSTEMS: usize = 12;
const DESIGNS: [usize; 4] = [2, 3, 4, 6];
const REVIEWERS: [usize; 3] = [2, 3, 4];

/// Which judges review what.
struct Panel {
    name: &'static str,
    /// Parts of judges' names; all where there are none.
    judges: &'static [&'static str],
    /// How many of the systems, the best by people's scores first.
    systems: usize,
    /// Whether the first judge also reviews under a second name, with errors of its own of this standard deviation. Otherwise 0.
    again: f64,
}

const STRONG: &[&str] = &["gpt-4-0314", "gpt-4o-mini", "qwen2.5-72b", "deepseek-r1-distill"];

const PANELS: &[Panel] = &[
    Panel { name: "eight judges of all sizes", judges: &[], systems: SYSTEMS, again: 0.0 },
    Panel { name: "four strong ones", judges: STRONG, systems: SYSTEMS, again: 0.0 },
    Panel { name: "four strong ones, the six best systems", judges: STRONG, systems: 6, again: 0.0 },
    Panel { name: "three of one vendor", judges: &["gpt-"], systems: SYSTEMS, again: 0.0 },
    Panel { name: "three of another vendor", judges: &["llama-2"], systems: SYSTEMS, again: 0.0 },
    Panel {
        name: "two that err alike, unlike their names",
        judges: &["qwen2.5-72b", "deepseek-r1-distill"],
        systems: SYSTEMS,
        again: 0.0,
    },
    Panel { name: "one model under two names", judges: &["gpt-4-0314"], systems: SYSTEMS, again: 0.8 },
    Panel { name: "another model under two names", judges: &["qwen2.5-72b"], systems: SYSTEMS, again: 0.8 },
];

/// Among these the constants are chosen; the last ceiling is as good as none.
const FLOORS: [f64; 5] = [0.4, 0.55, 0.7, 0.85, 1.0];
const CEILINGS: [f64; 6] = [0.75, 1.5, 3.0, 6.0, 12.0, 1e6];

fn main() {
    let tables: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    let held_out = std::env::args().nth(2).is_some_and(|option| option == "held-out");
    let data = Data::read();
    println!(
        "{tables} tables of each size: 2, 3, 4 and 6 designs by 2, 3 and 4 reviewers, as far as a panel has so many.\n"
    );
    let grid: Vec<Shared> = if held_out { candidates() } else { Vec::new() };
    let panels: Vec<Vec<Claim>> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            PANELS.iter().map(|panel| scope.spawn(|| claims(&data, panel, tables, &grid))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panel panics")).collect()
    });
    if held_out { print_held_out(&panels, &grid) } else { print_calibration(&panels) }
}

fn print_calibration(panels: &[Vec<Claim>]) {
    println!(
        "| panel | said | true | difference | Brier | said ≥ 95% | of these right | `clear` | right | `leaning` | right |"
    );
    println!("|---|{}", "---:|".repeat(10));
    let row = |claims: &[&Claim]| {
        let chances = chances(claims.iter().map(|claim| (claim.said, claim.hit)));
        let verdicts = |kind: VerdictKind| {
            let hits: Vec<f64> =
                claims.iter().filter(|claim| claim.kind == kind).map(|claim| claim.hit).collect();
            format!("{} | {}", hits.len(), percent(&hits))
        };
        format!("{chances} | {} | {} |", verdicts(VerdictKind::Clear), verdicts(VerdictKind::Leaning))
    };
    let mut off = 0.0;
    for (panel, claims) in PANELS.iter().zip(panels) {
        println!("| {} {}", panel.name, row(&claims.iter().collect::<Vec<_>>()));
        off += 100.0 * mean(&claims.iter().map(|claim| claim.said - claim.hit).collect::<Vec<_>>()).abs();
    }
    println!("| **all** {}", row(&panels.iter().flatten().collect::<Vec<_>>()));
    println!("\nMean of |said − true| over the panels: {:.1} points.", off / PANELS.len() as f64);
    print_choices(panels);
}

/// What the ranking says to do, and how that came out.
fn print_choices(panels: &[Vec<Claim>]) {
    println!(
        "\n| tables | cases | set holds the best | size | of designs | loss said | lost | at random | within half a point, said | true |"
    );
    println!("|---|{}", "---:|".repeat(9));
    let row = |name: &str, claims: &[&Claim]| {
        let average =
            |value: fn(&Claim) -> f64| mean(&claims.iter().map(|claim| value(claim)).collect::<Vec<_>>());
        println!(
            "| {name} | {} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} |",
            claims.len(),
            100.0 * average(|claim| claim.held),
            average(|claim| claim.among),
            average(|claim| claim.designs),
            average(|claim| claim.loss),
            average(|claim| claim.lost),
            average(|claim| claim.at_random),
            100.0 * average(|claim| claim.near),
            100.0 * average(|claim| f64::from(claim.lost <= 0.5 + 1e-9)),
        );
    };
    for (panel, claims) in PANELS.iter().zip(panels) {
        row(panel.name, &claims.iter().collect::<Vec<_>>());
    }
    let all: Vec<&Claim> = panels.iter().flatten().collect();
    let of =
        |keep: &dyn Fn(&Claim) -> bool| all.iter().copied().filter(|claim| keep(claim)).collect::<Vec<_>>();
    row("**all**", &all);
    for designs in DESIGNS {
        row(&format!("{designs} designs"), &of(&|claim| (claim.designs - designs as f64).abs() < 0.5));
    }
    for (name, kind) in [
        ("`clear`", VerdictKind::Clear),
        ("`leaning`", VerdictKind::Leaning),
        ("too close to call", VerdictKind::TooCloseToCall),
    ] {
        row(name, &of(&|claim| claim.kind == kind));
    }
    for (name, from, to) in
        [("below 0.25", 0.0, 0.25), ("0.25 to 0.5", 0.25, 0.5), ("from 0.5", 0.5, f64::MAX)]
    {
        row(&format!("loss said {name}"), &of(&|claim| (from..to).contains(&claim.loss)));
    }
    for (name, from, to) in [("below 70%", 0.0, 0.7), ("70 to 85%", 0.7, 0.85), ("from 85%", 0.85, 2.0)] {
        row(&format!("within half a point said {name}"), &of(&|claim| (from..to).contains(&claim.near)));
    }
    let few: Vec<&Claim> = of(&|claim| claim.few);
    row("highest mean in two dimensions or fewer", &few);
    row("in more", &of(&|claim| !claim.few));
    println!(
        "\nWith the highest mean in two dimensions or fewer: {}.",
        chances(few.iter().map(|claim| (claim.said, claim.hit)))
    );
}

fn print_held_out(panels: &[Vec<Claim>], grid: &[Shared]) {
    println!("| panel | floor | ceiling | said | true | difference | Brier | said ≥ 95% | of these right |");
    println!("|---|{}", "---:|".repeat(8));
    let chosen_on = |claim: &&Claim| claim.text.is_multiple_of(2);
    let (mut all, mut shipped) = (Vec::new(), Vec::new());
    for (index, panel) in PANELS.iter().enumerate() {
        let loss = |candidate: usize| -> f64 {
            let others = panels.iter().enumerate().filter(|(other, _)| *other != index);
            let of_panel = |(_, claims): (usize, &Vec<Claim>)| {
                let losses =
                    claims.iter().filter(chosen_on).map(|claim| log_loss(claim.by[candidate], claim.hit));
                mean(&losses.collect::<Vec<_>>())
            };
            others.map(of_panel).sum()
        };
        let best = (0..grid.len()).fold(0, |best, next| if loss(next) < loss(best) { next } else { best });
        let held: Vec<(f64, f64)> = panels[index]
            .iter()
            .filter(|claim| !chosen_on(claim))
            .map(|claim| (claim.by[best], claim.hit))
            .collect();
        let Shared { floor, ceiling } = grid[best];
        println!("| {} | {floor} | {ceiling} {} |", panel.name, chances(held.iter().copied()));
        all.extend(held);
        shipped.extend(
            panels[index].iter().filter(|claim| !chosen_on(claim)).map(|claim| (claim.said, claim.hit)),
        );
    }
    println!("| **all** | | {} |", chances(all.into_iter()));
    let Shared { floor, ceiling } = SHARED;
    println!("| **all**, by the ranking's own | {floor} | {ceiling} {} |", chances(shipped.into_iter()));
}

fn candidates() -> Vec<Shared> {
    FLOORS.iter().flat_map(|&floor| CEILINGS.map(|ceiling| Shared { floor, ceiling })).collect()
}

fn log_loss(said: f64, hit: f64) -> f64 {
    let said = said.clamp(1e-4, 1.0 - 1e-4);
    -(hit * said.ln() + (1.0 - hit) * (1.0 - said).ln())
}

/// How reliable chances are, as cells of a table: of stated chances and whether they were right.
fn chances(claims: impl Iterator<Item = (f64, f64)> + Clone) -> String {
    let (said, hits): (Vec<f64>, Vec<f64>) = claims.clone().unzip();
    let sure: Vec<f64> = claims.clone().filter(|(said, _)| *said >= 0.95).map(|(_, hit)| hit).collect();
    let brier: Vec<f64> = claims.map(|(said, hit)| (said - hit) * (said - hit)).collect();
    format!(
        "| {} | {} | {:+.1} | {:.4} | {} | {}",
        percent(&said),
        percent(&hits),
        100.0 * (mean(&said) - mean(&hits)),
        mean(&brier),
        sure.len(),
        percent(&sure)
    )
}

fn percent(shares: &[f64]) -> String {
    if shares.is_empty() { "–".to_owned() } else { format!("{:.1}", 100.0 * mean(shares)) }
}

struct Data {
    judges: Vec<String>,
    /// Systems, the best by people's scores first.
    systems: Vec<usize>,
    /// By text and system.
    people: Vec<Vec<f64>>,
    /// By text, system and judge: the mean over dimensions.
    scores: Vec<Vec<Vec<f64>>>,
    /// The same by dimension; `None` where a judge left one out.
    parts: Vec<Vec<Vec<Part>>>,
}

/// A score by dimension.
type Part = Vec<Option<f64>>;

impl Data {
    /// The rows come text by text, each with its systems in the same order.
    fn read() -> Self {
        let mut lines = DATA.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let judges: Vec<String> =
            header[3..].iter().step_by(DIMENSIONS).map(|name| name.replace(":0", "")).collect();
        let (mut people, mut scores, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for line in lines {
            // A judge that left a dimension out is taken by the others.
            let cells: Vec<Option<f64>> = line.split(',').skip(2).map(|cell| cell.parse().ok()).collect();
            people.push(cells[0].expect("people scored everything"));
            let of_judge =
                |cells: &[Option<f64>]| mean(&cells.iter().copied().flatten().collect::<Vec<f64>>());
            parts.push(cells[1..].chunks(DIMENSIONS).map(<[Option<f64>]>::to_vec).collect::<Vec<Part>>());
            scores.push(cells[1..].chunks(DIMENSIONS).map(of_judge).collect::<Vec<f64>>());
        }
        let people: Vec<Vec<f64>> = people.chunks(SYSTEMS).map(<[f64]>::to_vec).collect();
        let scores = scores.chunks(SYSTEMS).map(<[Vec<f64>]>::to_vec).collect();
        let average = |system: usize| mean(&people.iter().map(|text| text[system]).collect::<Vec<_>>());
        let mut systems: Vec<usize> = (0..SYSTEMS).collect();
        systems.sort_by(|&a, &b| average(b).total_cmp(&average(a)));
        let parts = parts.chunks(SYSTEMS).map(<[Vec<Part>]>::to_vec).collect();
        Self { judges, systems, people, scores, parts }
    }
}

/// A ranking's claim about the first place, and whether people agree.
struct Claim {
    text: usize,
    said: f64,
    /// What it would have said by each of the candidates.
    by: Vec<f64>,
    /// 1 where people put the same design first, a share where they put several first.
    hit: f64,
    kind: VerdictKind,
    designs: f64,
    /// The share of the designs that people put first that is among the candidates, and the number of candidates.
    held: f64,
    among: f64,
    /// The expected loss, what choosing the first design lost, and what a random choice loses, in points.
    loss: f64,
    lost: f64,
    at_random: f64,
    /// The stated chance that the first design is within half a point of the best.
    near: f64,
    /// Whether it has the highest mean in two of the four dimensions, or fewer.
    few: bool,
}

fn claims(data: &Data, panel: &Panel, tables: usize, grid: &[Shared]) -> Vec<Claim> {
    let named = |judge: &usize| panel.judges.iter().any(|part| data.judges[*judge].contains(part));
    let judges: Vec<usize> =
        (0..data.judges.len()).filter(|judge| panel.judges.is_empty() || named(judge)).collect();
    let people = judges.len() + usize::from(panel.again > 0.0);
    let mut claims = Vec::new();
    for designs in DESIGNS {
        for reviewers in REVIEWERS.into_iter().filter(|&reviewers| reviewers <= people) {
            let random = &mut Random::new((10 * designs + reviewers) as u64, panel.name);
            claims.extend(
                (0..tables).filter_map(|_| claim(data, panel, &judges, [designs, reviewers], random, grid)),
            );
        }
    }
    claims
}

/// Draws one table and ranks it; `None` when several designs share the first place, because that isn't a claim.
fn claim(
    data: &Data,
    panel: &Panel,
    judges: &[usize],
    [designs, reviewers]: [usize; 2],
    random: &mut Random,
    grid: &[Shared],
) -> Option<Claim> {
    let text = usize::try_from(random.below(data.people.len() as u64)).unwrap_or(0);
    let mut systems = data.systems[..panel.systems].to_vec();
    random.shuffle(&mut systems);
    systems.truncate(designs);
    let mut picked = judges.to_vec();
    random.shuffle(&mut picked);
    let mut columns: Vec<(String, Vec<f64>)> = picked
        .iter()
        .take(reviewers)
        .map(|&judge| {
            let scores = systems.iter().map(|&system| data.scores[text][system][judge]).collect();
            (data.judges[judge].clone(), scores)
        })
        .collect();
    if panel.again > 0.0 {
        let (name, scores) = columns[0].clone();
        let again =
            scores.iter().map(|score| (score + panel.again * normal(random)).clamp(0.0, 10.0)).collect();
        columns.push((format!("{name}-2"), again));
    }
    let study = study(designs, &columns);
    let ranking = rank(&study).expect("the study is well formed");
    let first: Vec<usize> = ranking
        .rankings
        .iter()
        .filter(|design| design.rank == Some(1))
        .filter_map(|design| design.design_id[1..].parse().ok())
        .collect();
    let (&[first], Some(said)) = (&first[..], ranking.verdict.probability) else { return None };
    let people: Vec<f64> = systems.iter().map(|&system| data.people[text][system]).collect();
    let highest = people.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = people.iter().filter(|score| highest - **score < 1e-9).count();
    let hit = if highest - people[first] < 1e-9 { 1.0 / best as f64 } else { 0.0 };
    let by = if grid.is_empty() { Vec::new() } else { chances_by(&columns, &study, first, said, grid) };
    let choice = ranking.choice.expect("a chance comes with a choice");
    let is_best =
        |id: &DesignId| id[1..].parse::<usize>().is_ok_and(|design| highest - people[design] < 1e-9);
    let part = |system: usize, dimension: usize| {
        let given =
            picked.iter().take(reviewers).filter_map(|&judge| data.parts[text][system][judge][dimension]);
        mean(&given.collect::<Vec<f64>>())
    };
    let leads = |&dimension: &usize| {
        let own = part(systems[first], dimension) + 1e-9;
        systems.iter().all(|&system| part(system, dimension) <= own)
    };
    Some(Claim {
        text,
        said,
        by,
        hit,
        kind: ranking.verdict.kind,
        designs: designs as f64,
        held: choice.best_among.iter().filter(|id| is_best(id)).count() as f64 / best as f64,
        among: choice.best_among.len() as f64,
        loss: choice.expected_loss.expect("scores have points"),
        lost: highest - people[first],
        at_random: highest - mean(&people),
        near: choice.within_half_a_point.expect("scores have points"),
        few: (0..DIMENSIONS).filter(leads).count() <= 2,
    })
}

/// The chance of the first design by each of the candidates, as the ranking finds it by its own constants.
fn chances_by(
    columns: &[(String, Vec<f64>)],
    study: &Study,
    first: usize,
    said: f64,
    grid: &[Shared],
) -> Vec<f64> {
    let designs = study.designs.len();
    let mut matrix = Matrix::empty(designs, columns.len());
    let mut observations = Vec::new();
    for (reviewer, (_, scores)) in columns.iter().enumerate() {
        for (design, &score) in scores.iter().enumerate() {
            matrix.set(design, reviewer, score);
            observations.push(Observation { design, reviewer, score, own: false, place: 0.0 });
        }
    }
    let posterior = Posterior::of(designs, columns.len(), &observations).expect("there are scores");
    let correlation = independence(&matrix, &study.reviewers).expect("there are reviewers").correlation;
    let chance =
        |shared: &Shared| places(designs, &posterior.qualities(correlation, shared, &[]))[first * designs];
    assert!((chance(&SHARED) - said).abs() < 1e-9, "not what the ranking says");
    grid.iter().map(chance).collect()
}

/// Scores by reviewer, each with its name; nobody reviews a design of its own.
fn study(designs: usize, columns: &[(String, Vec<f64>)]) -> Study {
    let rows = columns.iter().flat_map(|(reviewer, scores)| {
        scores.iter().enumerate().map(move |(design, score)| ScoreRow {
            design: DesignId::new(format!("d{design}")),
            reviewer: ReviewerId::new(reviewer.as_str()),
            repeat: 1,
            dimension: "quality".to_owned(),
            score: *score,
        })
    });
    Study {
        mode: ReviewMode::Scores,
        designs: (0..designs)
            .map(|index| DesignFacts { id: DesignId::new(format!("d{index}")), ..DesignFacts::default() })
            .collect(),
        reviewers: columns
            .iter()
            .map(|(name, _)| ReviewerFacts { id: ReviewerId::new(name.as_str()), model: Some(name.clone()) })
            .collect(),
        dimensions: vec![Dimension::new("quality")],
        rows: rows.collect(),
        shown: Vec::new(),
        comparisons: Vec::new(),
        contrasts: Vec::new(),
        options: Options { exclude_self: true, exclude_family: false, seed: 1 },
        context: Context::default(),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Standard normal (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}
