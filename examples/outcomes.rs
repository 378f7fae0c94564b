//! What rankings would gain from recorded outcomes: how often the first design is the best, without outcomes, with outcomes as
//! `/design-lab-rank --outcome` records them, and with the quality of every design, which nobody knows.
//!
//! `cargo run --release --example outcomes [-- PROJECTS]` prints the tables of `docs/history.md`.
//!
//! Outcomes are used as well as possible: by Bayes' theorem, with the true spreads of everything, which a real project doesn't know. A
//! real ranking gains at most this. Everything is seeded: the same command prints the same table.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use lab_core::random::Random;

/// A project in points of the scale from 0 to 10: three models design each task, and three models review.
#[derive(Clone, Copy)]
struct Project {
    name: &'static str,
    /// Spread of how well the designers do in all tasks.
    authors: f64,
    /// Spread of how much all reviewers like a designer's style in every task.
    tastes: f64,
    /// Whether one of the rubric's four dimensions measures nothing.
    noise: bool,
}

const PROJECTS: [Project; 5] = [
    Project { name: "designers equally good", authors: 0.0, tastes: 0.3, noise: false },
    Project { name: "designers differ by 0.3", authors: 0.3, tastes: 0.3, noise: false },
    Project { name: "designers differ by 0.6", authors: 0.6, tastes: 0.3, noise: false },
    Project { name: "designers differ by 0.6, tastes by 0.6", authors: 0.6, tastes: 0.6, noise: false },
    Project { name: "a dimension is noise", authors: 0.0, tastes: 0.0, noise: true },
];

/// How many tasks have an outcome before the measured one.
const TASKS: [usize; 3] = [5, 30, 100];
const DESIGNERS: usize = 3;
const DIMENSIONS: usize = 4;
/// Spread of the quality of designs.
const QUALITY: f64 = 0.8;
/// Variance of the error of the panel's mean: errors of 0.8 points that correlate by 0.25 between three reviewers.
const ERROR: f64 = 0.64 * (0.25 + 0.75 / 3.0);
/// Variance of what changes from one dimension to the next.
const BETWEEN: f64 = 0.3;
/// How much else decides whether a design is validated or fails, such as who builds it.
const LUCK: f64 = 0.3;
/// The quality of a design that fails as often as not, below the mean of all designs.
const BARRIER: f64 = 0.0;

/// What is believed about something unknown: its possible values, and their chances.
struct Belief<T>(Vec<(T, f64)>);

impl<T> Belief<T> {
    /// Learns something that had these chances under each value.
    fn learn(&mut self, chance: impl Fn(&T) -> f64) {
        for (value, weight) in &mut self.0 {
            *weight *= chance(value);
        }
        let sum: f64 = self.0.iter().map(|(_, weight)| weight).sum();
        self.0.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }

    fn mean(&self, of: impl Fn(&T) -> f64) -> f64 {
        self.0.iter().map(|(value, weight)| weight * of(value)).sum()
    }
}

/// Beliefs about a designer, before any task.
fn designer(spread: f64) -> Belief<f64> {
    let values = (-20..=20).map(|step| f64::from(step) * 0.1);
    let mut belief = Belief(values.map(|value| (value, 1.0)).collect());
    belief.learn(|value| density(*value, spread.max(0.03).powi(2)));
    belief
}

/// The density of a normal distribution around 0, up to a factor that depends on the variance only.
fn density(distance: f64, variance: f64) -> f64 {
    (-distance * distance / (2.0 * variance)).exp()
}

/// The chance that a design is validated, if its quality is only known as a normal distribution.
fn chance(mean: f64, variance: f64) -> f64 {
    // Gauss–Hermite.
    const POINTS: [(f64, f64); 5] = [
        (-2.856_97, 0.011_257),
        (-1.355_626, 0.222_076),
        (0.0, 0.533_333),
        (1.355_626, 0.222_076),
        (2.856_97, 0.011_257),
    ];
    let at = |point: f64| 1.0 / (1.0 + (-(mean + variance.sqrt() * point - BARRIER) / LUCK).exp());
    POINTS.iter().map(|(point, weight)| weight * at(*point)).sum()
}

/// The designs of one task: the true quality of each, and the panel's mean score on each dimension.
struct Task {
    quality: Vec<f64>,
    scores: Vec<[f64; DIMENSIONS]>,
}

impl Task {
    fn new(project: Project, authors: &[f64], tastes: &[f64], noise: usize, random: &mut Random) -> Self {
        let own = (QUALITY * QUALITY - project.authors * project.authors).sqrt();
        let quality: Vec<f64> = authors.iter().map(|author| author + own * normal(random)).collect();
        let scores = quality.iter().zip(tastes).map(|(quality, taste)| {
            let seen = quality + taste + ERROR.sqrt() * normal(random);
            let mut scores = [0.0; DIMENSIONS];
            for (dimension, score) in scores.iter_mut().enumerate() {
                let is_noise = project.noise && dimension == noise;
                *score = if is_noise { 1.5 * normal(random) } else { seen + BETWEEN.sqrt() * normal(random) };
            }
            scores
        });
        let scores = scores.collect();
        Self { quality, scores }
    }

    /// Whether the design with the highest estimate is the best.
    fn is_hit(&self, estimates: &[f64]) -> f64 {
        f64::from(u8::from(highest(estimates) == highest(&self.quality)))
    }

    /// The mean score of each design, without the dimension that is left out.
    fn means(&self, without: Option<usize>) -> Vec<f64> {
        let kept = |scores: &[f64; DIMENSIONS]| {
            let kept = scores.iter().enumerate().filter(|(dimension, _)| Some(*dimension) != without);
            let (sum, number) =
                kept.fold((0.0, 0.0), |(sum, number), (_, score)| (sum + score, number + 1.0));
            sum / number
        };
        self.scores.iter().map(kept).collect()
    }
}

/// The place of the highest value.
fn highest(values: &[f64]) -> usize {
    (0..values.len()).max_by(|one, other| values[*one].total_cmp(&values[*other])).unwrap_or(0)
}

/// How often the first design was the best, by each way of ranking.
type Hits = [f64; 4];

/// One project: after so many tasks with outcomes, another one is ranked.
fn project(project: Project, tasks: usize, random: &mut Random) -> Hits {
    let draw = |spread: f64, random: &mut Random| -> Vec<f64> {
        (0..DESIGNERS).map(|_| spread * normal(random)).collect()
    };
    let (authors, tastes) = (draw(project.authors, random), draw(project.tastes, random));
    let noise = usize::try_from(random.below(DIMENSIONS as u64)).unwrap_or(0);
    let own = QUALITY * QUALITY - project.authors * project.authors;
    let error = ERROR + BETWEEN / DIMENSIONS as f64 + project.tastes * project.tastes;
    // How far a score moves the estimate from the designer's mean, and what is unknown then.
    let (share, rest) = (own / (own + error), own * error / (own + error));

    let by_designer = || (0..DESIGNERS).map(|_| designer(project.authors)).collect::<Vec<_>>();
    let [mut earlier, mut recorded, mut known] = [by_designer(), by_designer(), by_designer()];
    let rubrics = || Belief((0..DIMENSIONS).map(|dimension| (dimension, 1.0 / DIMENSIONS as f64)).collect());
    let [mut rubric, mut known_rubric] = [rubrics(), rubrics()];
    let mut sums = vec![0.0; DESIGNERS];
    for _ in 0..tasks {
        let task = Task::new(project, &authors, &tastes, noise, random);
        let means = task.means(None);
        let first = highest(&means);
        let luck = random.unit();
        let is_validated = LUCK * (luck / (1.0 - luck)).ln() < task.quality[first] - BARRIER;
        let said = |chance: f64| if is_validated { chance } else { 1.0 - chance };
        if project.noise {
            let quality = |without: usize| share * task.means(Some(without))[first];
            rubric.learn(|&without| said(chance(quality(without), rest)));
            known_rubric.learn(|&without| {
                let means = task.means(Some(without));
                task.quality
                    .iter()
                    .zip(means)
                    .map(|(true_one, mean)| density(true_one - share * mean, rest))
                    .product()
            });
        } else {
            recorded[first].learn(|author| said(chance(author + share * (means[first] - author), rest)));
            for (designer, quality) in known.iter_mut().zip(&task.quality) {
                designer.learn(|author| density(quality - author, own));
            }
        }
        sums.iter_mut().zip(&means).for_each(|(sum, mean)| *sum += mean);
    }
    let spread =
        (own + error - project.tastes * project.tastes) / tasks as f64 + project.tastes * project.tastes;
    for (designer, sum) in earlier.iter_mut().zip(&sums) {
        designer.learn(|author| density(sum / tasks as f64 - author, spread));
    }

    let task = Task::new(project, &authors, &tastes, noise, random);
    let means = task.means(None);
    let with = |beliefs: &[Belief<f64>]| -> f64 {
        let estimate = |(belief, mean): (&Belief<f64>, &f64)| {
            let author = belief.mean(|author| *author);
            let unknown = own + belief.mean(|value| (value - author).powi(2));
            author + unknown / (unknown + error) * (mean - author)
        };
        task.is_hit(&beliefs.iter().zip(&means).map(estimate).collect::<Vec<f64>>())
    };
    let weighted = |belief: &Belief<usize>| {
        let of = |design: usize| belief.mean(|&without| task.means(Some(without))[design]);
        task.is_hit(&(0..DESIGNERS).map(of).collect::<Vec<f64>>())
    };
    let alone = task.is_hit(&means);
    if project.noise {
        [alone, alone, weighted(&rubric), weighted(&known_rubric)]
    } else {
        [alone, with(&earlier), with(&recorded), with(&known)]
    }
}

fn main() {
    let projects: u32 = std::env::args().nth(1).and_then(|given| given.parse().ok()).unwrap_or(20_000);
    println!(
        "| project | tasks | scores alone | and earlier scores | and recorded outcomes | and the quality of every design |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for setting in PROJECTS {
        for tasks in TASKS {
            let mut random = Random::new(7, setting.name);
            let mut hits = [0.0; 4];
            for _ in 0..projects {
                let one = project(setting, tasks, &mut random);
                hits.iter_mut().zip(one).for_each(|(sum, hit)| *sum += hit);
            }
            let [alone, others @ ..] = hits.map(|sum| 100.0 * sum / f64::from(projects));
            let gains = others.map(|other| format!("{:+.1}", other - alone)).join(" | ");
            println!("| {} | {tasks} | {alone:.1} | {gains} |", setting.name);
        }
    }
}

/// A standard normal number (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}
