//! How often a ranking puts the best design first, by scores alone and with comparisons of the first two designs on top
//! (`review.close_pairs`).
//!
//! `cargo run --release --example close_pairs [-- PANELS]` prints the table of `docs/ranking-measurements.md` from simulated
//! panels. `… -- FILE.csv` measures any file with scores, comparisons and the truth, in the format that the same page describes.
//! `… -- stand-in` measures the real judges, with some of their dimensions in place of comparisons.
//!
//! Everything is seeded: the same command prints the same table.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

mod panel;

use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::config::{Dimension, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::sequential::Offer;
use lab_core::design_lab::ranking::{
    Comparison, Context, DesignFacts, Leaders, Options, ReviewerFacts, ScoreRow, Study, rank,
};
use lab_core::random::Random;
use panel::{BASE, Regime, World};
use std::collections::BTreeMap;

const REGIMES: &[Regime] = &[
    Regime { name: "3×2", designs: 3, reviewers: 2, ..BASE },
    Regime { name: "3×3", designs: 3, reviewers: 3, ..BASE },
    Regime { name: "4×3", reviewers: 3, ..BASE },
    Regime { name: "6×3", designs: 6, reviewers: 3, ..BASE },
    Regime { name: "close qualities, 4×3", quality: 0.3, reviewers: 3, ..BASE },
    Regime { name: "strong place bias, 4×3", place: (1.0, 0.5), reviewers: 3, ..BASE },
];

/// How far a reviewer's errors in comparisons correlate with its errors in scores.
const SAME: [f64; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// Cases, and in how many of them the best design came first.
#[derive(Clone, Copy, Default)]
struct Tally {
    cases: f64,
    /// With two designs close enough to be compared.
    close: f64,
    calls: f64,
    /// Among the close ones: by scores, and with comparisons.
    scores: f64,
    both: f64,
    /// Another design came first with comparisons; and how often that was right, or wrong.
    changed: f64,
    better: f64,
    worse: f64,
    /// The chances of the first design that were stated with comparisons.
    said: f64,
    said_alone: f64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.close += other.close;
        self.calls += other.calls;
        self.scores += other.scores;
        self.both += other.both;
        self.changed += other.changed;
        self.better += other.better;
        self.worse += other.worse;
        self.said += other.said;
        self.said_alone += other.said_alone;
    }

    /// Counts a case: `compare` returns what reviewers say about two designs, if they are asked.
    fn count(
        &mut self,
        study: &Study,
        hit: impl Fn(&[DesignId]) -> f64,
        compare: impl FnOnce(&[DesignId; 2]) -> Vec<Comparison>,
    ) {
        self.cases += 1.0;
        let alone = rank(study).expect("the study is sound");
        let Some(leaders) = Leaders::of(&alone).filter(Leaders::are_close) else { return };
        let comparisons = compare(&leaders.designs);
        if comparisons.is_empty() {
            return;
        }
        self.close += 1.0;
        self.calls += comparisons.len() as f64;
        let with = rank(&Study { comparisons, ..study.clone() }).expect("the study is sound");
        let first = |ranking: &lab_core::design_lab::ranking::Ranking| -> Vec<DesignId> {
            let rows = ranking.rankings.iter().filter(|row| row.rank == Some(1));
            rows.map(|row| row.design_id.clone()).collect()
        };
        let (before, after) = (first(&alone), first(&with));
        let (scores, both) = (hit(&before), hit(&after));
        self.scores += scores;
        self.both += both;
        self.said_alone += alone.verdict.probability.unwrap_or_default();
        self.said += with.verdict.probability.unwrap_or_default();
        if before != after {
            self.changed += 1.0;
            self.better += f64::from(both > scores);
            self.worse += f64::from(both < scores);
        }
    }

    fn row(&self, name: &str) -> String {
        let share = |part: f64, of: f64| if of > 0.0 { 100.0 * part / of } else { 0.0 };
        format!(
            "| {name} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {:+.1} | {:.1} | {:.1} | {:.0}: {:.0}, {:.0} |",
            self.cases,
            share(self.close, self.cases),
            self.calls / self.close.max(1.0),
            share(self.scores, self.close),
            share(self.both, self.close),
            share(self.both - self.scores, self.close),
            share(self.said_alone, self.close),
            share(self.said, self.close),
            self.changed,
            self.better,
            self.worse,
        )
    }
}

const HEAD: &str = "| | cases | close, % | calls | right by scores, % | with pairs, % | gain | said by scores, % | with \
                    pairs, % | first changed: better, worse |";

/// A simulated panel, in which a reviewer's errors in comparisons correlate by `same` with those in its scores.
fn simulated(regime: &'static Regime, same: f64, panels: u64) -> Tally {
    let mut tally = Tally::default();
    for number in 0..panels {
        let world = World::draw(regime, number);
        let study = world.scored(&world.scores());
        let fresh = World::draw(regime, number + (1 << 40));
        let mut comparing = World::draw(regime, number);
        for (seen, others) in comparing.seen.iter_mut().zip(&fresh.seen) {
            for (design, seen) in seen.iter_mut().enumerate() {
                let (truth, other) = (world.truth[design], others[design] - fresh.truth[design]);
                *seen = truth + same * (*seen - truth) + (1.0 - same * same).sqrt() * other;
            }
        }
        let best = (0..world.truth.len()).max_by(|&a, &b| world.truth[a].total_cmp(&world.truth[b]));
        let best = &study.designs[best.expect("there are designs")].id;
        let hit = |first: &[DesignId]| if first.contains(best) { 1.0 / first.len() as f64 } else { 0.0 };
        tally.count(&study, hit, |pair| {
            let index = |id: &DesignId| study.designs.iter().position(|one| one.id == *id).unwrap_or(0);
            let [one, other] = [index(&pair[0]), index(&pair[1])];
            let offers = (0..regime.reviewers).flat_map(|reviewer| {
                let orders = [(one, other), (other, one)];
                orders.map(|(first, second)| Offer { reviewer, repeat: 1, first, second })
            });
            offers.map(|offer| comparing.answer(&offer)).collect()
        });
    }
    tally
}

fn print_simulated(panels: u64) {
    println!("{panels} panels per regime.\n\n{HEAD}\n|---|{}", "---:|".repeat(9));
    for same in SAME {
        let tallies: Vec<Tally> = std::thread::scope(|scope| {
            let handles: Vec<_> =
                REGIMES.iter().map(|regime| scope.spawn(move || simulated(regime, same, panels))).collect();
            handles.into_iter().map(|handle| handle.join().expect("no regime panics")).collect()
        });
        let mut all = Tally::default();
        for (regime, tally) in REGIMES.iter().zip(&tallies) {
            println!("{}", tally.row(&format!("{same}, {}", regime.name)));
            all.add(tally);
        }
        println!("{}", all.row(&format!("**{same}, all**")));
    }
}

/// One case of a file: designs that the same reviewers scored and compared.
#[derive(Default)]
struct Case {
    scores: Vec<(String, String, f64)>,
    comparisons: Vec<Comparison>,
    truth: BTreeMap<String, f64>,
}

impl Case {
    fn study(&self) -> Study {
        let mut designs: Vec<&String> = self.scores.iter().map(|(_, design, _)| design).collect();
        let mut reviewers: Vec<&String> = self.scores.iter().map(|(reviewer, _, _)| reviewer).collect();
        for names in [&mut designs, &mut reviewers] {
            names.sort();
            names.dedup();
        }
        let id = |design: &String| DesignId::new(design.as_str());
        Study {
            mode: ReviewMode::Scores,
            designs: designs
                .into_iter()
                .map(|design| DesignFacts { id: id(design), ..DesignFacts::default() })
                .collect(),
            reviewers: reviewers
                .into_iter()
                .map(|name| ReviewerFacts { id: ReviewerId::new(name.as_str()), model: Some(name.clone()) })
                .collect(),
            dimensions: vec![Dimension::new("quality")],
            rows: self
                .scores
                .iter()
                .map(|(reviewer, design, score)| ScoreRow {
                    design: id(design),
                    reviewer: ReviewerId::new(reviewer.as_str()),
                    repeat: 1,
                    dimension: "quality".to_owned(),
                    score: *score,
                })
                .collect(),
            shown: Vec::new(),
            comparisons: Vec::new(),
            contrasts: Vec::new(),
            options: Options { exclude_self: true, exclude_family: false, seed: 1 },
            context: Context::default(),
        }
    }

    fn count(&self, tally: &mut Tally) {
        let highest = self.truth.values().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_best = |id: &&DesignId| self.truth.get(id.as_str()).is_some_and(|truth| *truth >= highest);
        let hit =
            |first: &[DesignId]| first.iter().filter(is_best).count() as f64 / first.len().max(1) as f64;
        tally.count(&self.study(), hit, |pair| {
            let about = |one: &&Comparison| pair.contains(&one.first) && pair.contains(&one.second);
            self.comparisons.iter().filter(about).cloned().collect()
        });
    }
}

/// Reads `case,reviewer,first,second,value`.
fn read(text: &str) -> Result<BTreeMap<String, Case>, String> {
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: &str| format!("Line {}: {what}.", number + 1);
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let &[case, reviewer, first, second, value] = cells.as_slice() else {
            return Err(wrong("a line has five cells: case,reviewer,first,second,value"));
        };
        let case = cases.entry(case.to_owned()).or_default();
        let figure = || {
            let figure = value.parse::<f64>().ok().filter(|figure| figure.is_finite());
            figure.ok_or_else(|| wrong("the value isn't a number"))
        };
        if !second.is_empty() {
            let verdict = match value {
                "first" => Preferred::First,
                "second" => Preferred::Second,
                "tie" => Preferred::Tie,
                _ => return Err(wrong("the value of a comparison is first, second or tie")),
            };
            case.comparisons.push(Comparison {
                reviewer: ReviewerId::new(reviewer),
                repeat: 1,
                first: DesignId::new(first),
                second: DesignId::new(second),
                verdict,
            });
        } else if reviewer == "truth" {
            case.truth.insert(first.to_owned(), figure()?);
        } else {
            case.scores.push((reviewer.to_owned(), first.to_owned(), figure()?));
        }
    }
    Ok(cases)
}

/// The real judges, who compared nothing: their first two dimensions count as scores, and their last two decide every pair.
fn stand_in(reviewers: usize, tables: u64) -> Tally {
    const DATA: &str = include_str!("../tests/design_lab/data/real-judges.csv");
    const STRONG: [&str; 4] = ["gpt-4-0314", "gpt-4o-mini", "qwen2.5-72b", "deepseek-r1-distill"];
    let mut lines = DATA.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let texts: Vec<&[Vec<&str>]> = rows.chunk_by(|a, b| a[0] == b[0]).collect();
    let mut tally = Tally::default();
    for number in 0..tables {
        let random = &mut Random::new(number, &format!("stand-in {reviewers}"));
        let text = texts[usize::try_from(random.below(texts.len() as u64)).unwrap_or(0)];
        let mut systems: Vec<&Vec<&str>> = text.iter().collect();
        random.shuffle(&mut systems);
        systems.truncate(4);
        let mut judges = STRONG.to_vec();
        random.shuffle(&mut judges);
        let mut case = Case::default();
        for judge in &judges[..reviewers] {
            let part = |system: &[&str], dimensions: [usize; 2]| {
                let cells = dimensions.map(|dimension| {
                    let at = header.iter().position(|name| *name == format!("{judge}:{dimension}"));
                    at.and_then(|at| system[at].parse::<f64>().ok()).unwrap_or(5.0)
                });
                f64::midpoint(cells[0], cells[1])
            };
            for system in &systems {
                case.scores.push(((*judge).to_owned(), system[1].to_owned(), part(system, [0, 1])));
                for other in systems.iter().filter(|other| other[1] != system[1]) {
                    let verdict = match part(system, [2, 3]).total_cmp(&part(other, [2, 3])) {
                        std::cmp::Ordering::Greater => Preferred::First,
                        std::cmp::Ordering::Equal => Preferred::Tie,
                        std::cmp::Ordering::Less => Preferred::Second,
                    };
                    case.comparisons.push(Comparison {
                        reviewer: ReviewerId::new(*judge),
                        repeat: 1,
                        first: DesignId::new(system[1]),
                        second: DesignId::new(other[1]),
                        verdict,
                    });
                }
            }
        }
        for system in &systems {
            case.truth.insert(system[1].to_owned(), system[2].parse().expect("people scored everything"));
        }
        case.count(&mut tally);
    }
    tally
}

fn main() -> Result<(), String> {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some("stand-in") => {
            println!("{HEAD}\n|---|{}", "---:|".repeat(9));
            for reviewers in [2, 3, 4] {
                println!("{}", stand_in(reviewers, 4_000).row(&format!("{reviewers} judges")));
            }
        }
        Some(file) if file.parse::<u64>().is_err() => {
            let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
            let mut tally = Tally::default();
            for case in read(&text)?.values() {
                case.count(&mut tally);
            }
            println!("{HEAD}\n|---|{}\n{}", "---:|".repeat(9), tally.row(file));
        }
        panels => print_simulated(panels.and_then(|panels| panels.parse().ok()).unwrap_or(1_000)),
    }
    Ok(())
}
