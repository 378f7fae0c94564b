//! How far the chances of pairwise mode can be trusted, where the truth is known.
//!
//! `cargo run --release --example pairs [-- PANELS [NAME …]]` prints the tables of `docs/ranking-measurements.md`: of all regimes, or of those
//! whose names contain one of the given ones.
//!
//! Every reviewer compares every pair in both orders. Everything is seeded: the same command prints the same tables.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

mod panel;

use lab_core::design_lab::ranking::VerdictKind;
use panel::{BASE, Regime, World};

/// Panels as they are expected to be.
const ORDINARY: &[Regime] = &[
    Regime { name: "3×2", designs: 3, reviewers: 2, ..BASE },
    Regime { name: "3×3", designs: 3, reviewers: 3, ..BASE },
    Regime { name: "4×4", ..BASE },
    Regime { name: "5×5, three repeats", designs: 5, reviewers: 5, repeats: 3, ..BASE },
    Regime { name: "6×4", designs: 6, ..BASE },
    Regime { name: "6×6", designs: 6, reviewers: 6, ..BASE },
    Regime { name: "8×3", designs: 8, reviewers: 3, ..BASE },
    Regime { name: "8×6", designs: 8, reviewers: 6, ..BASE },
    Regime { name: "2×4", designs: 2, ..BASE },
    Regime { name: "5×2", designs: 5, reviewers: 2, ..BASE },
    Regime { name: "4×4, ten repeats", repeats: 10, ..BASE },
    Regime { name: "independent errors, 5×5", shared: 0.0, designs: 5, reviewers: 5, ..BASE },
    Regime { name: "wide qualities, 6×5", quality: 1.6, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "noisy reviewers, 6×6", noise: 1.6, designs: 6, reviewers: 6, ..BASE },
    Regime {
        name: "noisy reviewers, five repeats",
        noise: 1.6,
        repeats: 5,
        designs: 6,
        reviewers: 6,
        ..BASE
    },
    Regime { name: "steady reviewers, 6×5", noise: 0.2, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "strong place bias, 5×5", place: (1.0, 0.5), designs: 5, reviewers: 5, ..BASE },
    Regime { name: "many ties, 5×5", tie: 0.8, designs: 5, reviewers: 5, ..BASE },
    Regime { name: "heavy tails, 6×5", heavy: true, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "uneven reliability, 6×5", reliability: 0.6, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "intransitive tastes, 6×5", intransitive: 0.8, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "eight reviewers, 4×8", reviewers: 8, ..BASE },
    Regime { name: "wide qualities, 4×8", quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "heavy tails, wide, 4×8", heavy: true, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "uneven reliability, wide, 4×8", reliability: 0.6, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "intransitive tastes, wide, 4×8", intransitive: 0.8, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "two fifths missing, 6×5", missing: 0.4, designs: 6, reviewers: 5, ..BASE },
];

/// Panels that err more than they are assumed to.
const HARD: &[Regime] = &[
    Regime { name: "shared errors 0.44, 5×5", shared: 0.4375, designs: 5, reviewers: 5, ..BASE },
    Regime { name: "shared errors 0.5, 6×5", shared: 0.5, designs: 6, reviewers: 5, ..BASE },
    Regime { name: "shared errors 0.5, wide, 4×8", shared: 0.5, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "shared errors 0.7, wide, 4×8", shared: 0.7, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "five of eight are one, wide, 4×8", copies: 4, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "all eight are one, wide, 4×8", copies: 7, quality: 1.6, reviewers: 8, ..BASE },
    Regime { name: "shared errors 0.5, 6×6", shared: 0.5, designs: 6, reviewers: 6, ..BASE },
    Regime { name: "shared errors 0.7, 4×4", shared: 0.7, ..BASE },
    Regime { name: "close qualities, 5×5", quality: 0.3, designs: 5, reviewers: 5, ..BASE },
    Regime { name: "close qualities, 8×6", quality: 0.3, designs: 8, reviewers: 6, ..BASE },
    Regime { name: "strong tastes, 6×6", taste: 1.6, designs: 6, reviewers: 6, ..BASE },
    Regime { name: "three of six are one, 5×6", copies: 2, designs: 5, reviewers: 6, ..BASE },
    Regime { name: "all three are one, 4×3", copies: 2, reviewers: 3, ..BASE },
    Regime { name: "all three are one, 8×3", copies: 2, designs: 8, reviewers: 3, ..BASE },
    Regime {
        name: "all faults, 6×6",
        designs: 6,
        reviewers: 6,
        repeats: 2,
        shared: 0.4375,
        noise: 1.0,
        intransitive: 0.4,
        place: (0.6, 0.4),
        tie: 0.3,
        reliability: 0.4,
        heavy: true,
        missing: 0.1,
        ..BASE
    },
];

/// The lower ends of the bins of stated chances.
const BINS: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// Cases, the sum of the stated chances, and how many were right.
#[derive(Clone, Copy, Default)]
struct Share {
    cases: f64,
    said: f64,
    right: f64,
}

impl Share {
    fn count(&mut self, said: f64, right: f64) {
        self.add(&Self { cases: 1.0, said, right });
    }

    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.said += other.said;
        self.right += other.right;
    }

    /// In %, with a dash without cases.
    fn percent(&self, part: f64) -> String {
        if self.cases > 0.0 { format!("{:.1}", 100.0 * part / self.cases) } else { "–".to_owned() }
    }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    all: Share,
    bins: [Share; BINS.len()],
    clear: Share,
    leaning: Share,
    /// The sum of squared differences of chances and truths.
    brier: f64,
    votes: f64,
    /// How often the set of candidates held the best design, and the sum of its sizes.
    held: f64,
    among: f64,
}

impl Tally {
    fn of(regime: &'static Regime, panels: u64) -> Self {
        let mut tally = Self::default();
        for number in 0..panels {
            let world = World::draw(regime, number);
            let judged = world.judged(&world.compared());
            let (Some(chance), Some(votes)) = (judged.chance, judged.votes) else { continue };
            tally.all.count(chance, judged.hit);
            tally.brier += (chance - judged.hit) * (chance - judged.hit);
            tally.votes += votes;
            tally.held += f64::from(judged.held);
            tally.among += judged.among as f64;
            if let Some(bin) = BINS.iter().rposition(|low| chance >= *low) {
                tally.bins[bin].count(chance, judged.hit);
            }
            match judged.verdict {
                VerdictKind::Clear => tally.clear.count(chance, judged.hit),
                VerdictKind::Leaning => tally.leaning.count(chance, judged.hit),
                _ => {}
            }
        }
        tally
    }

    fn add(&mut self, other: &Self) {
        self.all.add(&other.all);
        self.clear.add(&other.clear);
        self.leaning.add(&other.leaning);
        for (bin, other) in self.bins.iter_mut().zip(&other.bins) {
            bin.add(other);
        }
        self.brier += other.brier;
        self.votes += other.votes;
        self.held += other.held;
        self.among += other.among;
    }

    fn row(&self, name: &str) -> String {
        let Self { all, clear, leaning, .. } = self;
        format!(
            "| {name} | {} | {} | {:+.1} | {:.4} | {:.2} | {:.1} of {:.0} | {} | {} | {} | {:.2} |",
            all.percent(all.said),
            all.percent(all.right),
            100.0 * (all.said - all.right) / all.cases,
            self.brier / all.cases,
            self.votes / all.cases,
            clear.cases - clear.right,
            clear.cases,
            leaning.percent(leaning.right),
            all.percent(leaning.cases),
            all.percent(self.held),
            self.among / all.cases,
        )
    }
}

fn main() {
    let panels: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let names: Vec<String> = std::env::args().skip(2).collect();
    let picked = |regime: &&'static Regime| {
        names.is_empty() || names.iter().any(|name| regime.name.contains(name.as_str()))
    };
    println!("{panels} panels per regime. Chances and shares are in %.\n");
    println!(
        "| regime | said | true | difference | Brier | votes | `clear` wrong of said | `leaning` right | said | set holds the best | size |"
    );
    println!("|---|{}", "---:|".repeat(10));
    let mut sums = Vec::new();
    for (name, regimes) in [("ordinary", ORDINARY), ("hard", HARD)] {
        let regimes: Vec<&'static Regime> = regimes.iter().filter(picked).collect();
        let tallies: Vec<Tally> = std::thread::scope(|scope| {
            let handles: Vec<_> =
                regimes.iter().map(|&regime| scope.spawn(move || Tally::of(regime, panels))).collect();
            handles.into_iter().map(|handle| handle.join().expect("no regime panics")).collect()
        });
        let mut sum = Tally::default();
        for (regime, tally) in regimes.iter().zip(&tallies) {
            println!("{}", tally.row(regime.name));
            sum.add(tally);
        }
        if !regimes.is_empty() {
            println!("{}", sum.row(&format!("**{name}**")));
            sums.push((name, sum));
        }
    }
    let mut all = Tally::default();
    for (_, sum) in &sums {
        all.add(sum);
    }
    println!("{}\n", all.row("**all**"));
    println!("| chance said, % | {} |", BINS.map(|low| format!("from {:.0}", 100.0 * low)).join(" | "));
    println!("|---|{}", "---:|".repeat(BINS.len()));
    for (name, sum) in &sums {
        let row = |part: fn(&Share) -> String| sum.bins.each_ref().map(part).join(" | ");
        println!("| {name}: cases | {} |", row(|bin| format!("{:.0}", bin.cases)));
        println!("| mean said | {} |", row(|bin| bin.percent(bin.said)));
        println!("| right | {} |", row(|bin| bin.percent(bin.right)));
    }
}
