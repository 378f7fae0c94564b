//! How often each way of combining the same scores gets the order right, where the truth is known.
//!
//! `cargo run --release --example simulate [-- DATASETS [NAME …]]` prints the tables of `docs/ranking-measurements.md`: of all regimes, or of
//! those whose names contain one of the given ones.
//!
//! Each regime draws true qualities and reviewers with the faults that the evidence reports, makes one matrix of scores, and
//! hands the same matrix to every method. Everything is seeded: the same command prints the same tables.
#![expect(clippy::print_stdout, clippy::format_push_string, reason = "printing is what it is for")]

use lab_core::design_lab::config::{Dimension, ReviewMode};
use lab_core::design_lab::ids::{DesignId, ReviewerId};
use lab_core::design_lab::ranking::{
    Context, DesignFacts, Options, ReviewerFacts, ScoreRow, Shown, Study, VerdictKind, descriptive, rank,
};
use lab_core::random::Random;

const METHODS: [&str; 7] = ["ours", "mean", "mean+self", "position", "borda", "median", "z-mean"];

/// What the world is like. Standard deviations and effects are in points of the scale of 0–10.
#[derive(Clone, Copy)]
struct Regime {
    name: &'static str,
    designs: usize,
    reviewers: usize,
    /// Whether reviewer j's model wrote design j.
    authors: bool,
    /// Spread of the true qualities.
    quality: f64,
    /// Spread of one reviewer's error.
    noise: f64,
    /// Correlation of two reviewers' errors on one design.
    shared: f64,
    /// Whether the shared error is shared by every second reviewer only: two camps, each with its own.
    camps: bool,
    /// Chance that a design deceives all reviewers, by 2 ± 1 points; a shared error that is nothing like normal.
    deceives: f64,
    /// Spread of leniency.
    leniency: f64,
    /// Spread of the logarithm of the factor by which a reviewer stretches the scale.
    stretch: f64,
    /// Spread of the logarithm of a reviewer's own noise.
    reliability: f64,
    /// What the first place shown earns over the last: mean and spread over reviewers.
    place: (f64, f64),
    /// What a model's own design earns: mean and spread.
    own: (f64, f64),
    /// What a design of the reviewer's vendor earns; designs and reviewers come from three vendors.
    family: f64,
    /// Chance that a review is missing.
    missing: f64,
}

const BASE: Regime = Regime {
    name: "",
    designs: 4,
    reviewers: 4,
    authors: true,
    quality: 0.8,
    noise: 0.8,
    shared: 0.25,
    camps: false,
    deceives: 0.0,
    leniency: 0.6,
    stretch: 0.15,
    reliability: 0.15,
    place: (0.3, 0.3),
    own: (0.4, 0.4),
    family: 0.0,
    missing: 0.0,
};

const REGIMES: &[Regime] = &[
    Regime { name: "typical 3×3", designs: 3, reviewers: 3, ..BASE },
    Regime { name: "typical 4×4", ..BASE },
    Regime { name: "typical 6×6", designs: 6, reviewers: 6, ..BASE },
    Regime { name: "typical 8×8", designs: 8, reviewers: 8, ..BASE },
    Regime { name: "2×2 authors", designs: 2, reviewers: 2, ..BASE },
    Regime { name: "2×3 strangers", designs: 2, reviewers: 3, authors: false, ..BASE },
    Regime { name: "5×2 strangers", designs: 5, reviewers: 2, authors: false, ..BASE },
    Regime { name: "6×3 authors of some", designs: 6, reviewers: 3, ..BASE },
    Regime { name: "4×8 half authors", reviewers: 8, ..BASE },
    Regime {
        name: "ideal: independent, no bias",
        authors: false,
        shared: 0.0,
        leniency: 0.0,
        stretch: 0.0,
        reliability: 0.0,
        place: (0.0, 0.0),
        ..BASE
    },
    Regime { name: "independent errors", shared: 0.0, ..BASE },
    Regime { name: "shared errors 0.44", shared: 0.4375, ..BASE },
    Regime { name: "shared errors 0.7", shared: 0.7, ..BASE },
    Regime { name: "two camps, 0.7", shared: 0.7, camps: true, ..BASE },
    Regime { name: "a fifth of designs deceive", deceives: 0.2, ..BASE },
    Regime { name: "strong self-preference", own: (1.2, 0.6), ..BASE },
    Regime { name: "no self-preference", own: (0.0, 0.0), ..BASE },
    Regime { name: "uneven self-preference", own: (0.3, 1.2), ..BASE },
    Regime { name: "family preference", own: (0.6, 0.3), family: 0.5, ..BASE },
    Regime { name: "strong place bias", place: (1.0, 0.5), ..BASE },
    Regime { name: "leniency differs much", leniency: 1.5, ..BASE },
    Regime { name: "scale use differs much", stretch: 0.45, ..BASE },
    Regime { name: "reliability differs much", reliability: 0.6, ..BASE },
    Regime { name: "a fifth missing", missing: 0.2, ..BASE },
    Regime { name: "a fifth missing, strangers", authors: false, missing: 0.2, ..BASE },
    Regime { name: "a third missing, alike lenient", authors: false, missing: 0.33, leniency: 0.3, ..BASE },
    Regime { name: "missing, lenient and harsh", missing: 0.25, leniency: 1.5, ..BASE },
    Regime { name: "close qualities", quality: 0.3, ..BASE },
    Regime { name: "wide qualities", quality: 1.6, ..BASE },
    Regime { name: "noisy reviewers", noise: 1.6, ..BASE },
    Regime {
        name: "all faults, 5×5",
        designs: 5,
        reviewers: 5,
        shared: 0.4375,
        leniency: 1.0,
        stretch: 0.3,
        reliability: 0.4,
        place: (0.6, 0.4),
        own: (0.8, 0.6),
        family: 0.3,
        missing: 0.1,
        ..BASE
    },
];

fn main() {
    let datasets: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let names: Vec<String> = std::env::args().skip(2).collect();
    let picked = |regime: &&Regime| names.is_empty() || names.iter().any(|name| regime.name.contains(name));
    println!(
        "{datasets} datasets per regime. Hits of the truly best design in %; `*` marks a method ahead of ours by more than"
    );
    println!("two standard errors of the paired difference. τ: Kendall's, mean.\n");
    println!("| regime | {} | τ | best other τ |", METHODS.join(" | "));
    println!("|---|{}", "---:|".repeat(METHODS.len() + 2));
    let regimes: Vec<&Regime> = REGIMES.iter().filter(picked).collect();
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> =
            regimes.iter().map(|regime| scope.spawn(|| Tally::of(regime, datasets))).collect();
        handles.into_iter().map(|handle| handle.join().expect("no regime panics")).collect()
    });
    let mut total = Tally::default();
    for (regime, tally) in regimes.iter().zip(&tallies) {
        println!("| {} {}", regime.name, tally.hits_row());
        total.merge(tally);
    }
    println!("| **all** {}", total.hits_row());
    println!(
        "\nHow often a rank interval holds the true place, and its mean width; the same for the percentile bootstrap over"
    );
    println!(
        "reviewers of the plain mean; how often `clear` is said, in how many of these cases it is wrong, and the 95% interval of"
    );
    println!(
        "that share (Wilson); the mean chance given to the first design, and how often it is the best. In % but the widths"
    );
    println!("and the cases.\n");
    println!(
        "| regime | holds | width | bootstrap holds | width | clear | wrong of said | share | chance said | true |"
    );
    println!("|---|{}", "---:|".repeat(9));
    for (regime, tally) in regimes.iter().zip(&tallies) {
        println!("| {} {}", regime.name, tally.sureness_row());
    }
    println!("| **all** {}", total.sureness_row());
}

/// One simulated run.
struct Dataset {
    truth: Vec<f64>,
    /// `scores[design][reviewer]`.
    scores: Vec<Vec<Option<f64>>>,
    own: Vec<Vec<bool>>,
    study: Study,
}

impl Dataset {
    fn draw(regime: &Regime, number: usize) -> Self {
        let random = &mut Random::new(number as u64, regime.name);
        let (designs, reviewers) = (regime.designs, regime.reviewers);
        let truth: Vec<f64> = (0..designs).map(|_| regime.quality * normal(random)).collect();
        let mut error = || regime.noise * regime.shared.sqrt() * normal(random);
        let shared: Vec<f64> = (0..designs).map(|_| error()).collect();
        let other_camp: Vec<f64> =
            if regime.camps { (0..designs).map(|_| error()).collect() } else { shared.clone() };
        let mut deceit = vec![0.0; designs];
        for deceit in deceit.iter_mut().filter(|_| regime.deceives > 0.0) {
            if random.unit() < regime.deceives {
                *deceit = 2.0 + normal(random);
            }
        }
        let vendors = ["anthropic/claude", "openai/gpt", "google/gemini"];
        // Authors of designs come from the three vendors by turns, whichever reviewer they are.
        let model = |index: usize| format!("{}-{index}", vendors[index % 3]);
        // A cyclic Latin square over shuffled designs, as the product draws its orders.
        let mut base: Vec<usize> = (0..designs).collect();
        random.shuffle(&mut base);
        let offset = usize::try_from(random.below(designs as u64)).unwrap_or(0);
        let mut scores = vec![vec![None; reviewers]; designs];
        let mut own = vec![vec![false; reviewers]; designs];
        let mut shown = Vec::new();
        for reviewer in 0..reviewers {
            let leniency = regime.leniency * normal(random);
            let stretch = (regime.stretch * normal(random)).exp();
            let noise =
                regime.noise * (1.0 - regime.shared).sqrt() * (regime.reliability * normal(random)).exp();
            let place = regime.place.0 + regime.place.1 * normal(random);
            let preference = regime.own.0 + regime.own.1 * normal(random);
            let order: Vec<usize> =
                (0..designs).map(|slot| base[(slot + reviewer + offset) % designs]).collect();
            for (slot, &design) in order.iter().enumerate() {
                let common = if reviewer % 2 == 0 { shared[design] } else { other_camp[design] };
                let seen = truth[design] + deceit[design] + common;
                let mut score = 7.0 + leniency + stretch * (seen + noise * normal(random));
                score += place * (0.5 - slot as f64 / (designs - 1) as f64);
                if regime.authors && reviewer == design {
                    own[design][reviewer] = true;
                    score += preference;
                } else if reviewer % 3 == design % 3 {
                    score += regime.family;
                }
                if random.unit() >= regime.missing {
                    // Five dimensions in whole points make steps of a fifth.
                    scores[design][reviewer] = Some(((score * 5.0).round() / 5.0).clamp(0.0, 10.0));
                }
            }
            shown.push(Shown {
                reviewer: ReviewerId::new(format!("r{reviewer}")),
                repeat: 1,
                designs: order.iter().map(|design| DesignId::new(format!("d{design}"))).collect(),
            });
        }
        let mut rows = Vec::new();
        for (design, row) in scores.iter().enumerate() {
            for (reviewer, score) in row.iter().enumerate() {
                if let Some(score) = *score {
                    rows.push(ScoreRow {
                        design: DesignId::new(format!("d{design}")),
                        reviewer: ReviewerId::new(format!("r{reviewer}")),
                        repeat: 1,
                        dimension: "quality".to_owned(),
                        score,
                    });
                }
            }
        }
        let study = Study {
            mode: ReviewMode::Scores,
            designs: (0..designs)
                .map(|index| DesignFacts {
                    id: DesignId::new(format!("d{index}")),
                    model: Some(model(index)),
                    ..DesignFacts::default()
                })
                .collect(),
            reviewers: (0..reviewers)
                .map(|index| ReviewerFacts {
                    id: ReviewerId::new(format!("r{index}")),
                    model: Some(if regime.authors {
                        model(index)
                    } else {
                        format!("{}-stranger", model(index))
                    }),
                })
                .collect(),
            dimensions: vec![Dimension::new("quality")],
            rows,
            shown,
            comparisons: Vec::new(),
            contrasts: Vec::new(),
            options: Options { exclude_self: true, exclude_family: false, seed: number as u64 },
            context: Context::default(),
        };
        Self { truth, scores, own, study }
    }

    /// One value per design and method, higher is better.
    fn values(&self, adjusted: &[f64]) -> [Vec<f64>; METHODS.len()] {
        let designs = self.truth.len();
        let reviewers = self.scores[0].len();
        let own = |design: usize, reviewer: usize| self.own[design][reviewer];
        let by_design = |value: &dyn Fn(usize, usize) -> Option<f64>,
                         statistic: fn(&[f64]) -> Option<f64>| {
            (0..designs)
                .map(|design| {
                    let values: Vec<f64> =
                        (0..reviewers).filter_map(|reviewer| value(design, reviewer)).collect();
                    statistic(&values).unwrap_or(f64::NEG_INFINITY)
                })
                .collect::<Vec<_>>()
        };
        let score = |design: usize, reviewer: usize| self.scores[design][reviewer];
        let others =
            |design: usize, reviewer: usize| score(design, reviewer).filter(|_| !own(design, reviewer));
        // Position in the reviewer's own ranking of all that it scored, 1 is best, ties share their mean.
        let position = |design: usize, reviewer: usize| {
            let mine = score(design, reviewer)?;
            let all: Vec<f64> = (0..designs).filter_map(|other| score(other, reviewer)).collect();
            let above = all.iter().filter(|other| **other > mine).count() as f64;
            let equal = all.iter().filter(|other| (**other - mine).abs() < 1e-9).count() as f64;
            Some((above + f64::midpoint(equal, 1.0), all.len() as f64))
        };
        let z = |design: usize, reviewer: usize| {
            let all: Vec<f64> = (0..designs).filter_map(|other| others(other, reviewer)).collect();
            let (mean, variance) = (descriptive::mean(&all)?, descriptive::variance(&all).unwrap_or(0.0));
            let centred = others(design, reviewer)? - mean;
            Some(if variance > 1e-12 { centred / variance.sqrt() } else { 0.0 })
        };
        [
            adjusted.to_vec(),
            by_design(&others, descriptive::mean),
            by_design(&score, descriptive::mean),
            by_design(&|design, reviewer| Some(-position(design, reviewer)?.0), descriptive::mean),
            by_design(
                &|design, reviewer| {
                    let (position, count) = position(design, reviewer).filter(|_| !own(design, reviewer))?;
                    Some(if count > 1.0 { (count - position) / (count - 1.0) } else { 0.5 })
                },
                descriptive::mean,
            ),
            by_design(&others, descriptive::median),
            by_design(&z, descriptive::mean),
        ]
    }
}

/// Ranks `[best, worst]` between the 2.5 and 97.5 percentiles over resampled reviewers: all resamples up to four
/// reviewers, else 400 of them. Means leave self-reviews out; a design without any score in a resample comes last.
fn bootstrap(dataset: &Dataset, ranked: &[usize], random: &mut Random) -> Vec<[usize; 2]> {
    let reviewers = dataset.scores[0].len();
    let resamples = if reviewers <= 4 { reviewers.pow(u32::try_from(reviewers).unwrap_or(0)) } else { 400 };
    let mut places = vec![Vec::with_capacity(resamples); ranked.len()];
    for number in 0..resamples {
        let mut digits = number;
        let picked: Vec<usize> = (0..reviewers)
            .map(|_| {
                let digit = digits % reviewers;
                digits /= reviewers;
                if reviewers <= 4 {
                    digit
                } else {
                    usize::try_from(random.below(reviewers as u64)).unwrap_or(0)
                }
            })
            .collect();
        let means: Vec<f64> = ranked
            .iter()
            .map(|&design| {
                let scores: Vec<f64> = picked
                    .iter()
                    .filter_map(|&reviewer| {
                        dataset.scores[design][reviewer].filter(|_| !dataset.own[design][reviewer])
                    })
                    .collect();
                descriptive::mean(&scores).unwrap_or(f64::NEG_INFINITY)
            })
            .collect();
        for (places, mean) in places.iter_mut().zip(&means) {
            places.push(1 + means.iter().filter(|other| *other > mean).count());
        }
    }
    places
        .iter_mut()
        .map(|places| {
            places.sort_unstable();
            let last = places.len() - 1;
            [places[last * 25 / 1000], places[last - last * 25 / 1000]]
        })
        .collect()
}

#[derive(Default)]
struct Tally {
    datasets: f64,
    hits: [f64; METHODS.len()],
    /// Sum and sum of squares of the paired difference of hits, method less ours.
    difference: [(f64, f64); METHODS.len()],
    tau: [f64; METHODS.len()],
    intervals: f64,
    held: f64,
    width: f64,
    bootstrap_held: f64,
    bootstrap_width: f64,
    clear: f64,
    clear_wrong: f64,
    chance: f64,
    chance_hits: f64,
    judged: f64,
}

impl Tally {
    fn of(regime: &Regime, datasets: usize) -> Self {
        let mut tally = Self::default();
        for number in 0..datasets {
            tally.add(&Dataset::draw(regime, number));
        }
        tally
    }

    fn add(&mut self, dataset: &Dataset) {
        let Ok(ranking) = rank(&dataset.study) else { return };
        let index = |id: &str| id[1..].parse::<usize>().unwrap_or(usize::MAX);
        let mut adjusted = vec![f64::NEG_INFINITY; dataset.truth.len()];
        for design in &ranking.rankings {
            if let Some(score) = design.adjusted_score {
                adjusted[index(&design.design_id)] = score;
            }
        }
        let best = hit_of(&dataset.truth, &dataset.truth).1;
        self.datasets += 1.0;
        let values = dataset.values(&adjusted);
        let ours = hit_of(&values[0], &dataset.truth).0;
        for (method, values) in values.iter().enumerate() {
            let hit = hit_of(values, &dataset.truth).0;
            self.hits[method] += hit;
            let difference = hit - ours;
            self.difference[method].0 += difference;
            self.difference[method].1 += difference * difference;
            self.tau[method] += tau(values, &dataset.truth);
        }
        // True places among the ranked designs.
        let ranked: Vec<(usize, [u32; 2])> = ranking
            .rankings
            .iter()
            .filter_map(|design| Some((index(&design.design_id), design.rank_interval?)))
            .collect();
        let places: Vec<usize> = ranked.iter().map(|(design, _)| *design).collect();
        let random = &mut Random::new(dataset.study.options.seed, "bootstrap");
        let resampled = bootstrap(dataset, &places, random);
        for (&(design, [low, high]), [best_place, worst_place]) in ranked.iter().zip(resampled) {
            let place =
                1 + ranked.iter().filter(|(other, _)| dataset.truth[*other] > dataset.truth[design]).count();
            self.intervals += 1.0;
            self.held += f64::from(u8::from((low as usize..=high as usize).contains(&place)));
            self.width += f64::from(high - low);
            self.bootstrap_held += f64::from(u8::from((best_place..=worst_place).contains(&place)));
            self.bootstrap_width += (worst_place - best_place) as f64;
        }
        let right = f64::from(u8::from(index(&ranking.rankings[0].design_id) == best));
        if ranking.verdict.kind == VerdictKind::Clear {
            self.clear += 1.0;
            self.clear_wrong += 1.0 - right;
        }
        if let Some(chance) = ranking.verdict.probability {
            self.judged += 1.0;
            self.chance += chance;
            self.chance_hits += right;
        }
    }

    fn merge(&mut self, other: &Self) {
        for method in 0..METHODS.len() {
            self.hits[method] += other.hits[method];
            self.difference[method].0 += other.difference[method].0;
            self.difference[method].1 += other.difference[method].1;
            self.tau[method] += other.tau[method];
        }
        self.datasets += other.datasets;
        self.intervals += other.intervals;
        self.held += other.held;
        self.width += other.width;
        self.bootstrap_held += other.bootstrap_held;
        self.bootstrap_width += other.bootstrap_width;
        self.clear += other.clear;
        self.clear_wrong += other.clear_wrong;
        self.chance += other.chance;
        self.chance_hits += other.chance_hits;
        self.judged += other.judged;
    }

    fn hits_row(&self) -> String {
        let n = self.datasets;
        let mut row = String::new();
        for method in 0..METHODS.len() {
            let (sum, squares) = self.difference[method];
            let error = ((squares - sum * sum / n) / (n - 1.0) / n).max(0.0).sqrt();
            let mark = if sum / n > 2.0 * error && sum > 0.0 { "*" } else { "" };
            row += &format!("| {:.1}{mark} ", 100.0 * self.hits[method] / n);
        }
        let other = self.tau[1..].iter().fold(f64::NEG_INFINITY, |best, tau| best.max(*tau));
        row += &format!("| {:.3} | {:.3} |", self.tau[0] / n, other / n);
        row
    }

    fn sureness_row(&self) -> String {
        let percent = |part: f64, whole: f64| {
            if whole > 0.0 { format!("{:.1}", 100.0 * part / whole) } else { "–".to_owned() }
        };
        format!(
            "| {} | {:.2} | {} | {:.2} | {} | {} of {} | {} | {} | {} |",
            percent(self.held, self.intervals),
            self.width / self.intervals,
            percent(self.bootstrap_held, self.intervals),
            self.bootstrap_width / self.intervals,
            percent(self.clear, self.datasets),
            self.clear_wrong,
            self.clear,
            wilson(self.clear_wrong, self.clear),
            percent(self.chance, self.judged),
            percent(self.chance_hits, self.judged)
        )
    }
}

/// The 95% interval of a share, in % (Wilson 1927, "Probable inference, the law of succession, and statistical inference",
/// JASA 22).
fn wilson(part: f64, whole: f64) -> String {
    const Z: f64 = 1.959_964;
    let (share, narrow) = (part / whole, Z * Z / whole);
    let centre = (share + narrow / 2.0) / (1.0 + narrow);
    let half = (share * (1.0 - share) * narrow + narrow * narrow / 4.0).sqrt() / (1.0 + narrow);
    if whole > 0.0 {
        format!("{:.1}–{:.1}", 100.0 * (centre - half).max(0.0), 100.0 * (centre + half))
    } else {
        "–".to_owned()
    }
}

/// Whether the highest value belongs to the truly best design (shared among ties), and which design that is.
fn hit_of(values: &[f64], truth: &[f64]) -> (f64, usize) {
    let best = (0..truth.len()).fold(0, |best, next| if truth[next] > truth[best] { next } else { best });
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let tied: Vec<usize> = (0..values.len()).filter(|&index| values[index] >= highest - 1e-9).collect();
    (if tied.contains(&best) { 1.0 / tied.len() as f64 } else { 0.0 }, best)
}

/// Kendall's τ-a: tied pairs count 0.
fn tau(values: &[f64], truth: &[f64]) -> f64 {
    let (mut sum, mut pairs) = (0.0, 0.0);
    for a in 0..truth.len() {
        for b in a + 1..truth.len() {
            let difference = values[a] - values[b];
            let agree =
                if difference.is_nan() || difference.abs() < 1e-9 { 0.0 } else { difference.signum() };
            sum += agree * (truth[a] - truth[b]).signum();
            pairs += 1.0;
        }
    }
    sum / pairs
}

/// Standard normal (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}
