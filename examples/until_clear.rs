//! What asking only for the comparisons that matter saves, and how often it errs, where the truth is known.
//!
//! `cargo run --release --example until_clear [-- DATASETS]` prints the tables of `docs/ranking-measurements.md`.
//!
//! Reviewers answer any comparison in the same way, whichever method asks for it; so both methods meet the same world. Everything is seeded:
//! the same command prints the same tables.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

mod panel;

use lab_core::design_lab::artefacts::Preferred;
use lab_core::design_lab::ranking::sequential::{Next, Offer, Settled, next};
use lab_core::design_lab::ranking::{Comparison, Study};
use panel::{BASE, Judged, Regime, World};
use std::cmp::Ordering;

/// Comparisons under way at once, as a run has them by default.
const AT_ONCE: usize = 4;

const REGIMES: &[Regime] = &[
    Regime { name: "typical 3×3", designs: 3, reviewers: 3, ..BASE },
    Regime { name: "typical 4×4", ..BASE },
    Regime { name: "typical 6×4", designs: 6, ..BASE },
    Regime { name: "typical 6×6", designs: 6, reviewers: 6, ..BASE },
    Regime { name: "2×4", designs: 2, ..BASE },
    Regime { name: "5×2", designs: 5, reviewers: 2, ..BASE },
    Regime { name: "independent errors", shared: 0.0, ..BASE },
    Regime { name: "shared errors 0.44", shared: 0.4375, ..BASE },
    Regime { name: "shared errors 0.7", shared: 0.7, ..BASE },
    Regime { name: "close qualities", quality: 0.3, ..BASE },
    Regime { name: "wide qualities", quality: 1.6, ..BASE },
    Regime { name: "wide 6×5", quality: 1.6, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "noisy reviewers", noise: 1.6, ..BASE },
    Regime { name: "strong place bias", place: (1.0, 0.5), ..BASE },
    Regime { name: "many ties", tie: 0.8, ..BASE },
    Regime { name: "three repeats", repeats: 3, ..BASE },
    Regime { name: "heavy tails, 6×5", heavy: true, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "uneven reliability, 6×5", reliability: 0.6, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "intransitive tastes, 6×5", intransitive: 0.8, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "shared errors 0.5, 6×5", shared: 0.5, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "8×8", designs: 8, reviewers: 8, ..BASE },
    Regime { name: "4×8", reviewers: 8, ..BASE },
    Regime { name: "wide 4×8", quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, shared 0.5", shared: 0.5, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, heavy tails", heavy: true, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, uneven", reliability: 0.6, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, intransitive", intransitive: 0.8, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, five are one", copies: 4, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "wide 4×8, all are one", copies: 7, quality: 1.6, reviewers: 8, ..BASE },
];

/// Panels whose scores are taken for comparisons.
impl World {
    /// What the scores of a reviewer imply about a pair, as if it had been compared in both orders.
    fn implied(&self, scores: &[Vec<f64>], offer: &Offer) -> Comparison {
        let scores = &scores[offer.reviewer];
        let verdict = match scores[offer.first].total_cmp(&scores[offer.second]) {
            Ordering::Greater => Preferred::First,
            Ordering::Equal => Preferred::Tie,
            Ordering::Less => Preferred::Second,
        };
        self.judging(offer, verdict)
    }
}

/// What a method comes to over many panels.
#[derive(Clone, Copy, Default)]
struct Method {
    calls: f64,
    hits: f64,
    /// How far the first design was below the best one, in points.
    lost: f64,
    clear: f64,
    wrong: f64,
}

impl Method {
    fn count(&mut self, calls: usize, judged: &Judged) {
        self.calls += calls as f64;
        self.hits += judged.hit;
        self.lost += judged.lost;
        if judged.is_clear() {
            self.clear += 1.0;
            self.wrong += 1.0 - judged.hit;
        }
    }

    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.hits += other.hits;
        self.lost += other.lost;
        self.clear += other.clear;
        self.wrong += other.wrong;
    }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    worlds: f64,
    /// Every pair, by everybody.
    all: Method,
    /// As `--until clear` asks.
    chosen: Method,
    /// Scores alone: two calls for each reviewer.
    scores: Method,
    /// Scores first, then what is chosen, each score difference taken for a comparison.
    both: Method,
    settled: f64,
    same: f64,
}

/// Asks as `--until clear` does, on top of what there is; and why it ended.
fn asked(world: &World, mut study: Study, mut offers: Vec<Offer>) -> (Study, Settled) {
    let prices = vec![0.0; world.regime.reviewers];
    loop {
        match next(&study, &offers, &prices, AT_ONCE).expect("the study is sound") {
            Next::Ask(asked) => {
                offers.retain(|offer| !asked.contains(offer));
                study.comparisons.extend(asked.iter().map(|offer| world.answer(offer)));
            }
            Next::Stop(why) => return (study, why),
        }
    }
}

impl Tally {
    fn of(regime: &'static Regime, worlds: u64) -> Self {
        let mut tally = Self::default();
        for number in 0..worlds {
            let world = World::draw(regime, number);
            let offers = world.offers();
            let full = world.judged(&world.compared());
            tally.all.count(offers.len(), &full);

            let (study, why) = asked(&world, world.study.clone(), offers.clone());
            let chosen = world.judged(&study);
            tally.chosen.count(study.comparisons.len(), &chosen);
            tally.same += f64::from(u8::from(chosen.first == full.first));
            tally.settled += f64::from(u8::from(why == Settled::LittleToGain));

            let scores = world.scores();
            let for_scores = 2 * regime.reviewers;
            tally.scores.count(for_scores, &world.judged(&world.scored(&scores)));

            let mut study = world.study.clone();
            let once = offers.iter().filter(|offer| offer.repeat == 1);
            study.comparisons = once.map(|offer| world.implied(&scores, offer)).collect();
            let implied = study.comparisons.len();
            let later = offers.iter().map(|offer| Offer { repeat: offer.repeat + 1, ..*offer }).collect();
            let (study, _) = asked(&world, study, later);
            let judged = world.judged(&study);
            tally.both.count(for_scores + study.comparisons.len() - implied, &judged);
            tally.worlds += 1.0;
        }
        tally
    }

    fn row(&self) -> String {
        let percent = |value: f64| 100.0 * value / self.worlds;
        let Self { all, chosen, .. } = self;
        format!(
            "{:.0} | {:.1} | {:.1} | {:.3} | {:.3} | {:.1} | {:.1} of {:.0} | {:.1} of {:.0} | {:.1} |",
            100.0 * chosen.calls / all.calls,
            percent(all.hits),
            percent(chosen.hits),
            all.lost / self.worlds,
            chosen.lost / self.worlds,
            percent(self.same),
            all.wrong,
            all.clear,
            chosen.wrong,
            chosen.clear,
            percent(self.settled),
        )
    }

    fn row_with_scores(&self) -> String {
        let percent = |value: f64| 100.0 * value / self.worlds;
        let cells = [&self.chosen, &self.scores, &self.both].map(|method| {
            format!(
                "{:.1} | {:.1} | {:.1} | {:.1} of {:.0} |",
                method.calls / self.worlds,
                percent(method.hits),
                percent(method.clear),
                method.wrong,
                method.clear,
            )
        });
        cells.join(" ")
    }

    fn add(&mut self, other: &Self) {
        self.worlds += other.worlds;
        self.all.add(&other.all);
        self.chosen.add(&other.chosen);
        self.scores.add(&other.scores);
        self.both.add(&other.both);
        self.settled += other.settled;
        self.same += other.same;
    }
}

fn main() {
    let worlds: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            REGIMES.iter().map(|regime| scope.spawn(move || Tally::of(regime, worlds))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no regime panics")).collect()
    });
    let mut total = Tally::default();
    for tally in &tallies {
        total.add(tally);
    }
    println!(
        "{worlds} panels per regime. “All” has every reviewer compare every pair in both orders; “chosen” asks as `--until clear` does."
    );
    println!(
        "In %, but “lost” is how far the first design is below the best one in points, and `clear` shows how many of these verdicts were wrong.\n"
    );
    println!(
        "| regime | calls | best first, all | chosen | lost, all | chosen | same first | `clear` wrong of said, all | chosen | little to gain |"
    );
    println!("|---|{}", "---:|".repeat(9));
    for (regime, tally) in REGIMES.iter().zip(&tallies) {
        println!("| {} | {}", regime.name, tally.row());
    }
    println!("| **all** | {}\n", total.row());
    println!(
        "Chosen pairs beside scores alone, and beside scores with chosen pairs on top. For each: calls, best first in %, clear in %, wrong of said."
    );
    println!("\n| regime | pairs |  |  |  | scores |  |  |  | both |  |  |  |");
    println!("|---|{}", "---:|".repeat(12));
    for (regime, tally) in REGIMES.iter().zip(&tallies) {
        println!("| {} | {}", regime.name, tally.row_with_scores());
    }
    println!("| **all** | {}", total.row_with_scores());
}
