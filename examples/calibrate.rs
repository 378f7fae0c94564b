//! How far the chances that a ranking states hold on real panels of model judges, where people's scores are the truth.
//!
//! `cargo run --release --example calibrate [-- TABLES]` prints the table of `docs/ranking.md`. It draws TABLES small tables of each size from
//! `tests/data/real-judges.csv` (source and licence: `tests/data/README.md`): some systems' summaries of one text, scored by some judges.
//! Everything is seeded: the same command prints the same table.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use design_lab::config::{Dimension, ReviewMode};
use design_lab::random::Random;
use design_lab::ranking::{Context, DesignFacts, Options, ReviewerFacts, ScoreRow, Study, VerdictKind, rank};
use std::collections::BTreeMap;

const DATA: &str = include_str!("../tests/data/real-judges.csv");
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

fn main() {
    let tables: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    let data = Data::read();
    println!(
        "{tables} tables of each size: 2, 3, 4 and 6 designs by 2, 3 and 4 reviewers, as far as a panel has so many.\n"
    );
    println!(
        "| panel | said | true | difference | Brier | said ≥ 95 % | of these right | `clear` | `leaning` | right |"
    );
    println!("|---|{}", "---:|".repeat(9));
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            PANELS.iter().map(|panel| scope.spawn(|| Tally::of(&data, panel, tables))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no panel panics")).collect()
    });
    let mut total = Tally::default();
    let mut off = 0.0;
    for (panel, tally) in PANELS.iter().zip(&tallies) {
        println!("| {} {}", panel.name, tally.row());
        off += 100.0 * (tally.said - tally.hits).abs() / tally.count / PANELS.len() as f64;
        total.merge(tally);
    }
    println!("| **all** {}", total.row());
    println!("\nMean of |said − true| over the panels: {off:.1} points.");
}

struct Data {
    judges: Vec<String>,
    /// Systems, the best by people's scores first.
    systems: Vec<usize>,
    /// By text and system.
    people: Vec<Vec<f64>>,
    /// By text, system and judge: the mean over dimensions.
    scores: Vec<Vec<Vec<f64>>>,
}

impl Data {
    /// The rows come text by text, each with its systems in the same order.
    fn read() -> Self {
        let mut lines = DATA.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let judges: Vec<String> =
            header[3..].iter().step_by(DIMENSIONS).map(|name| name.replace(":0", "")).collect();
        let (mut people, mut scores) = (Vec::new(), Vec::new());
        for line in lines {
            // A judge that left a dimension out is taken by the others.
            let cells: Vec<Option<f64>> = line.split(',').skip(2).map(|cell| cell.parse().ok()).collect();
            people.push(cells[0].expect("people scored everything"));
            let of_judge =
                |cells: &[Option<f64>]| mean(&cells.iter().copied().flatten().collect::<Vec<f64>>());
            scores.push(cells[1..].chunks(DIMENSIONS).map(of_judge).collect::<Vec<f64>>());
        }
        let people: Vec<Vec<f64>> = people.chunks(SYSTEMS).map(<[f64]>::to_vec).collect();
        let scores = scores.chunks(SYSTEMS).map(<[Vec<f64>]>::to_vec).collect();
        let average = |system: usize| mean(&people.iter().map(|text| text[system]).collect::<Vec<_>>());
        let mut systems: Vec<usize> = (0..SYSTEMS).collect();
        systems.sort_by(|&a, &b| average(b).total_cmp(&average(a)));
        Self { judges, systems, people, scores }
    }
}

#[derive(Default)]
struct Tally {
    count: f64,
    said: f64,
    hits: f64,
    brier: f64,
    sure: f64,
    sure_hits: f64,
    clear: f64,
    leaning: f64,
    leaning_hits: f64,
}

impl Tally {
    fn of(data: &Data, panel: &Panel, tables: usize) -> Self {
        let named = |judge: &usize| panel.judges.iter().any(|part| data.judges[*judge].contains(part));
        let judges: Vec<usize> =
            (0..data.judges.len()).filter(|judge| panel.judges.is_empty() || named(judge)).collect();
        let people = judges.len() + usize::from(panel.again > 0.0);
        let mut tally = Self::default();
        for designs in DESIGNS {
            for reviewers in REVIEWERS.into_iter().filter(|&reviewers| reviewers <= people) {
                let random = &mut Random::new((10 * designs + reviewers) as u64, panel.name);
                for _ in 0..tables {
                    tally.add(data, panel, &judges, [designs, reviewers], random);
                }
            }
        }
        tally
    }

    fn add(
        &mut self,
        data: &Data,
        panel: &Panel,
        judges: &[usize],
        [designs, reviewers]: [usize; 2],
        random: &mut Random,
    ) {
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
        let ranking = rank(&study(designs, &columns)).expect("the study is well formed");
        let first: Vec<usize> = ranking
            .rankings
            .iter()
            .filter(|design| design.rank == Some(1))
            .filter_map(|design| design.design_id[1..].parse().ok())
            .collect();
        // A shared first place isn't a claim.
        let (&[first], Some(said)) = (&first[..], ranking.verdict.probability) else { return };
        let people: Vec<f64> = systems.iter().map(|&system| data.people[text][system]).collect();
        let highest = people.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best = people.iter().filter(|score| highest - **score < 1e-9).count();
        let hit = if highest - people[first] < 1e-9 { 1.0 / best as f64 } else { 0.0 };
        self.count += 1.0;
        self.said += said;
        self.hits += hit;
        self.brier += (said - hit) * (said - hit);
        if said >= 0.95 {
            self.sure += 1.0;
            self.sure_hits += hit;
        }
        match ranking.verdict.kind {
            VerdictKind::Clear => self.clear += 1.0,
            VerdictKind::Leaning => {
                self.leaning += 1.0;
                self.leaning_hits += hit;
            }
            _ => {}
        }
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.said += other.said;
        self.hits += other.hits;
        self.brier += other.brier;
        self.sure += other.sure;
        self.sure_hits += other.sure_hits;
        self.clear += other.clear;
        self.leaning += other.leaning;
        self.leaning_hits += other.leaning_hits;
    }

    fn row(&self) -> String {
        let percent = |part: f64, whole: f64| {
            if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "–".to_owned() }
        };
        format!(
            "| {} | {} | {:+.1} | {:.4} | {} | {} | {} | {} | {} |",
            percent(self.said, self.count),
            percent(self.hits, self.count),
            100.0 * (self.said - self.hits) / self.count,
            self.brier / self.count,
            self.sure,
            percent(self.sure_hits, self.sure),
            self.clear,
            self.leaning,
            percent(self.leaning_hits, self.leaning)
        )
    }
}

/// Scores by reviewer, each with its name; nobody reviews a design of its own.
fn study(designs: usize, columns: &[(String, Vec<f64>)]) -> Study {
    let rows = columns.iter().flat_map(|(reviewer, scores)| {
        scores.iter().enumerate().map(move |(design, score)| ScoreRow {
            design: format!("d{design}"),
            reviewer: reviewer.clone(),
            repeat: 1,
            dimension: "quality".to_owned(),
            score: *score,
        })
    });
    Study {
        mode: ReviewMode::Scores,
        designs: (0..designs)
            .map(|index| DesignFacts { id: format!("d{index}"), ..DesignFacts::default() })
            .collect(),
        reviewers: columns
            .iter()
            .map(|(name, _)| ReviewerFacts { id: name.clone(), model: Some(name.clone()) })
            .collect(),
        dimensions: vec![Dimension {
            name: "quality".to_owned(),
            description: String::new(),
            min: 0.0,
            max: 10.0,
            weight: 1.0,
            anchors: BTreeMap::new(),
        }],
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
