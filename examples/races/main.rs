//! How verdicts of races come out where the better lane is known.
//!
//! `cargo run --release --example races [-- RACES]` prints the tables of `docs/races.md`. Everything is seeded: the same command prints
//! the same tables.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

mod planted;

use kernel::figures::thousands;
use lab_core::flow::race::verdict::{Row, Step, Table, Verdict, verdict};
use planted::{CHEATS, FAIR, Kind, Tally, study};

const FILES: [usize; 3] = [6, 12, 24];
const LANES: [usize; 2] = [2, 3];

/// Races that break an assumption of the tests: between equal lanes, and with a better one.
struct Unfair {
    name: &'static str,
    kinds: [Kind; 2],
    /// Whether files that fail for the same cause on the same lanes count once.
    by_cause: bool,
}

const TOGETHER: [Kind; 2] = [
    Kind { name: "equal lanes, a bug fails several files", together: true, ..FAIR[0] },
    Kind { name: "one better by 30 points, a bug fails several files", together: true, ..FAIR[3] },
];

const UNFAIR: [Unfair; 4] = [
    Unfair { name: "a bug fails several files", kinds: TOGETHER, by_cause: false },
    Unfair { name: "the same, each cause counted once", kinds: TOGETHER, by_cause: true },
    Unfair {
        name: "a fifth of the exam favours a lane that isn't better",
        kinds: [
            Kind { name: "equal lanes, a fifth of the exam favours one", biased: true, ..FAIR[4] },
            Kind {
                name: "one better by 30 points, a fifth of the exam favours another",
                biased: true,
                ..FAIR[5]
            },
        ],
        by_cause: false,
    },
    Unfair {
        name: "a third of the own files of a lane that isn't better favour it",
        kinds: [
            Kind { name: "equal lanes, a third of one's own files favour it", narrow: 0.33, ..FAIR[0] },
            Kind {
                name: "one better by 30 points, a third of another's own files favour it",
                narrow: 0.33,
                ..FAIR[3]
            },
        ],
        by_cause: false,
    },
];

/// How sure a verdict is, by the stated chance.
const SAID: [(&str, f64, f64); 4] =
    [("below 80%", 0.0, 0.8), ("80 to 90%", 0.8, 0.9), ("90 to 95%", 0.9, 0.95), ("95% or more", 0.95, 2.0)];

fn main() {
    let races: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000);
    println!(
        "{} races of each kind. In each cell: no difference found / right / wrong, in %.\n",
        figure(races)
    );
    println!("| races | lanes | 6 new files | 12 new files | 24 new files |");
    println!("|---|---:|---:|---:|---:|");
    let fair: Vec<(Kind, Tally)> = FAIR.iter().flat_map(|kind| row(kind, false, races)).collect();
    row(&CHEATS, false, races);
    let unfair = UNFAIR.map(|Unfair { name, kinds, by_cause }| {
        (name, kinds.iter().flat_map(|kind| row(kind, by_cause, races)).collect::<Vec<_>>())
    });

    println!("\nStated and true chances in races like the first six, in %:\n");
    println!(
        "| stated | verdicts | on average | right, if a quarter of races are between equal lanes | if half are |"
    );
    println!("|---|---:|---:|---:|---:|");
    let claims = claims(&fair);
    for (name, from, to) in SAID {
        let of: Vec<&Claim> = claims.iter().filter(|claim| (from..to).contains(&claim.said)).collect();
        // Four of the six kinds differ and two don't.
        let [quarter, half] = [2.0 / 3.0, 2.0].map(|weight| right(&of, weight));
        let mean = 100.0 * of.iter().map(|claim| claim.said).sum::<f64>() / of.len() as f64;
        println!("| {name} | {} | {mean:.1} | {quarter:.1} | {half:.1} |", figure(of.len()));
    }
    let close: Vec<&Claim> = claims.iter().filter(|claim| claim.lead < 0.07 && claim.said >= 0.95).collect();
    println!(
        "\nThe same from 95%, if all differences are 5 points and half of the races are between equal lanes: {:.1}.",
        right(&close, 0.5)
    );

    println!("\nOther races, half of them between equal lanes, stated chances of 95% or more:\n");
    println!("| races | verdicts | right, in % |");
    println!("|---|---:|---:|");
    for (name, tallies) in unfair {
        let claims = self::claims(&tallies);
        let sure: Vec<&Claim> = claims.iter().filter(|claim| claim.said >= 0.95).collect();
        println!("| {name} | {} | {:.1} |", figure(sure.len()), right(&sure, 1.0));
    }
}

/// A verdict that names a better lane.
struct Claim {
    /// The true difference, 0 for equal lanes.
    lead: f64,
    said: f64,
    right: bool,
}

fn claims(tallies: &[(Kind, Tally)]) -> Vec<Claim> {
    let of = |(kind, tally): &(Kind, Tally)| -> Vec<Claim> {
        tally.said.iter().map(|&(said, right)| Claim { lead: kind.lead, said, right }).collect()
    };
    tallies.iter().flat_map(of).collect()
}

/// How often claims are right, in %, if races between equal lanes have this weight.
fn right(claims: &[&Claim], equal: f64) -> f64 {
    let weight = |claim: &&Claim| if claim.lead > 0.0 { 1.0 } else { equal };
    let all: f64 = claims.iter().map(weight).sum();
    100.0 * claims.iter().filter(|claim| claim.right).map(weight).sum::<f64>() / all
}

/// Prints the rows of a kind, and returns their results.
fn row(kind: &Kind, by_cause: bool, races: usize) -> Vec<(Kind, Tally)> {
    let mut all = Vec::new();
    for lanes in LANES {
        let tallies = FILES.map(|files| study(kind, lanes, files, races, by_cause));
        let cells = tallies.each_ref().map(|tally| {
            let percent = |count: usize| 100.0 * count as f64 / tally.races as f64;
            let open = tally.races - tally.right - tally.wrong;
            format!("{:.1} / {:.1} / {:.1}", percent(open), percent(tally.right), percent(tally.wrong))
        });
        println!("| {} | {lanes} | {} |", name(kind, by_cause), cells.join(" | "));
        all.extend(tallies.map(|tally| (*kind, tally)));
    }
    all
}

fn name(kind: &Kind, by_cause: bool) -> String {
    format!("{}{}", kind.name, if by_cause { ", each cause counted once" } else { "" })
}

fn figure(count: usize) -> String {
    thousands(count as u64)
}
