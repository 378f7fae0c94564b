//! Planted races, in which the better lane is known, and how their verdicts come out.

use super::{Row, Step, Table, Verdict, verdict};
use design_lab_numerics::random::Random;

/// How the lanes and tests of a race differ.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// What the tables call it.
    pub(super) name: &'static str,
    /// By how much the better lane's chance to pass a file is higher; 0 for equal lanes.
    pub(super) lead: f64,
    /// Whether every lane but the better one only passes what its worker could see.
    pub(super) cheats: bool,
    /// Whether a bug fails several files at once.
    pub(super) together: bool,
    /// The share of the exam's files that assert what one lane did and the contract doesn't say.
    pub(super) wrong: f64,
    /// Whether that is always the same lane, and not the better one.
    pub(super) biased: bool,
    /// The share of one lane's own files that assert the same; for the other lanes it is 0.
    pub(super) narrow: f64,
}

const BASE: Kind =
    Kind { name: "", lead: 0.0, cheats: false, together: false, wrong: 0.0, biased: false, narrow: 0.0 };

/// Races in which files fail independently, and no test favours a lane.
pub(super) const FAIR: [Kind; 6] = [
    Kind { name: "equal lanes", ..BASE },
    Kind { name: "one better by 5 points", lead: 0.05, ..BASE },
    Kind { name: "one better by 10 points", lead: 0.1, ..BASE },
    Kind { name: "one better by 30 points", lead: 0.3, ..BASE },
    Kind { name: "equal lanes, a fifth of the exam wrong", wrong: 0.2, ..BASE },
    Kind { name: "one better by 30 points, a fifth of the exam wrong", lead: 0.3, wrong: 0.2, ..BASE },
];

pub(super) const CHEATS: Kind = Kind { name: "only one lane doesn't cheat", cheats: true, ..BASE };

/// How many files share a cause of failure, if they do.
const SHARING: usize = 3;
/// The share of files whose result is that of their cause.
const SHARED: f64 = 0.8;

/// How verdicts came out.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) races: usize,
    pub(super) right: usize,
    pub(super) wrong: usize,
    /// Of each verdict that names a better lane: the stated chance, and whether it is right.
    pub(super) said: Vec<(f64, bool)>,
}

/// Runs planted races. `by_cause`: whether files that fail for the same cause on the same lanes count once.
pub(super) fn study(kind: &Kind, lanes: usize, files: usize, races: usize, by_cause: bool) -> Tally {
    let random = &mut Random::new(2026, &format!("{} {lanes} {files}", kind.name));
    let mut tally = Tally { races, ..Tally::default() };
    let left: Vec<usize> = (0..lanes).collect();
    for _ in 0..races {
        let (better, tables) = Planted::new(kind, lanes, random).tables(files, by_cause, random);
        if let Verdict::Better { lane, probability, .. } = verdict(&left, &tables) {
            let right = better == Some(lane);
            tally.right += usize::from(right);
            tally.wrong += usize::from(!right);
            tally.said.push((probability, right));
        }
    }
    tally
}

/// One race.
struct Planted<'a> {
    kind: &'a Kind,
    lanes: usize,
    /// The better lane, if there is one.
    best: usize,
    /// The lane that biased tests favour.
    favoured: usize,
}

/// A file's result on each lane, and its cause if it failed for one that other files share.
struct Outcome {
    passed: Vec<bool>,
    cause: Option<usize>,
}

impl<'a> Planted<'a> {
    fn new(kind: &'a Kind, lanes: usize, random: &mut Random) -> Self {
        let best = below(lanes, random);
        Self { kind, lanes, best, favoured: (best + 1 + below(lanes - 1, random)) % lanes }
    }

    /// The better lane, and what each step shows.
    fn tables(&self, files: usize, by_cause: bool, random: &mut Random) -> (Option<usize>, Vec<Table>) {
        let mut exam = self.outcomes(files, random);
        for outcome in &mut exam {
            if random.unit() < self.kind.wrong {
                let own = if self.kind.biased { self.favoured } else { below(self.lanes, random) };
                assert_only(own, outcome);
            }
        }
        let mut cross = Vec::new();
        for author in 0..self.lanes {
            let mut outcomes = self.outcomes(2 + below(9, random), random);
            for outcome in &mut outcomes {
                if author == self.favoured && random.unit() < self.kind.narrow {
                    assert_only(author, outcome);
                }
                outcome.passed[author] = true;
            }
            cross.extend(rows(outcomes, Some(author), by_cause));
        }
        let better = self.kind.cheats || self.kind.lead > 0.0;
        let exam = Table { step: Step::Exam, rows: rows(exam, None, by_cause) };
        (better.then_some(self.best), vec![exam, Table { step: Step::CrossExam, rows: cross }])
    }

    /// Whether each lane passes each of these files; the files of one cause follow each other.
    fn outcomes(&self, files: usize, random: &mut Random) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let mut of_cause = (0.0, Vec::new());
        for file in 0..files {
            if !self.kind.together || file % SHARING == 0 {
                let ease = 0.3 + 0.6 * random.unit();
                of_cause = (ease, self.draw(ease, random));
            }
            let follows: Vec<bool> =
                (0..self.lanes).map(|_| !self.kind.together || random.unit() < SHARED).collect();
            let alone = self.draw(of_cause.0, random);
            let passed: Vec<bool> = (0..self.lanes)
                .map(|lane| if follows[lane] { of_cause.1[lane] } else { alone[lane] })
                .collect();
            let shared = self.kind.together
                && passed.iter().zip(&follows).all(|(passed, follows)| *passed || *follows);
            outcomes.push(Outcome { passed, cause: shared.then_some(file / SHARING) });
        }
        outcomes
    }

    /// Whether each lane passes a file that others pass with the chance `ease`.
    fn draw(&self, ease: f64, random: &mut Random) -> Vec<bool> {
        let chance = |lane: usize| match (self.kind.cheats, lane == self.best) {
            (true, true) => 0.9,
            (true, false) => 0.15,
            (false, true) => ease + self.kind.lead,
            (false, false) => ease,
        };
        (0..self.lanes).map(|lane| random.unit() < chance(lane)).collect()
    }
}

/// Makes a file assert what this lane did, so that all others fail it.
fn assert_only(own: usize, outcome: &mut Outcome) {
    for (lane, passed) in outcome.passed.iter_mut().enumerate() {
        *passed &= lane == own;
    }
    outcome.cause = None;
}

fn rows(outcomes: Vec<Outcome>, author: Option<usize>, by_cause: bool) -> Vec<Row> {
    let mut kept: Vec<Outcome> = Vec::new();
    for outcome in outcomes {
        let same = |other: &Outcome| other.cause == outcome.cause && other.passed == outcome.passed;
        if !(by_cause && outcome.cause.is_some() && kept.iter().any(same)) {
            kept.push(outcome);
        }
    }
    let row = |outcome: Outcome| Row {
        file: String::new(),
        author,
        on_base: false,
        passed: outcome.passed.into_iter().map(Some).collect(),
    };
    kept.into_iter().map(row).collect()
}

fn below(bound: usize, random: &mut Random) -> usize {
    usize::try_from(random.below(bound as u64)).unwrap_or_default()
}
