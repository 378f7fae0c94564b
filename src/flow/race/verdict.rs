//! The verdict of a race, decided only by differences that an exact test supports.
//!
//! The unit is the test file: the tests in one file often fail for the same reason, so they count once. For two lanes, only files that
//! one lane passes and the other fails are evidence. If the lanes were equal, these files would split like fair coins (the sign test;
//! Dixon and Mood 1946, "The statistical sign test", JASA 41).
//!
//! A file that a lane wrote itself is different: the lane wrote it until it passed, so it can only count against the others, and the
//! lane that wrote more files would win. The question for such files is therefore whether the other lane fails a larger share of this
//! lane's files than this lane of the other's (Fisher 1935, "The logic of inductive inference", JRSS 98). Neither test uses an
//! approximation.

use design_lab_numerics::exact::{Counts, chance_of_difference};
use design_lab_numerics::sorting::set;

/// Where test files come from, in the order in which they are asked for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A model that saw no lane wrote them.
    Exam,
    /// The lanes wrote them, each for itself.
    CrossExam,
}

impl Step {
    const ALL: [Self; 2] = [Self::Exam, Self::CrossExam];

    /// The highest p-value by which the step decides.
    ///
    /// For equal lanes, a step decides wrongly in at most this share of races, so the sum is how often a whole verdict does. It must
    /// stay below 5%. The remaining 0.7 points are for steps that don't exist yet, so that adding one changes no verdict of these. An
    /// exam decides from 6 files to 0 or 9 to 1, and a cross-examination with equal numbers of files from about 8 to 0.
    const fn level(self) -> f64 {
        match self {
            Self::Exam => 0.035,
            Self::CrossExam => 0.008,
        }
    }
}

/// What one step showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The step.
    pub step: Step,
    /// One row for each test file, in any order.
    pub rows: Vec<Row>,
}

/// What one test file showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The file; the decision doesn't use it.
    pub file: String,
    /// The lane that wrote it; `None` if no lane did.
    pub author: Option<usize>,
    /// Whether it passes on the base tree, where nothing is built.
    pub on_base: bool,
    /// Whether each lane passes it; `None` if the result doesn't count, for example because the file can't be loaded there.
    pub passed: Vec<Option<bool>>,
}

/// Whether a row is evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It counts.
    Counts,
    /// It passes on the base tree, so it tests nothing that the lanes built.
    OnBase,
    /// Fewer than two lanes have a result.
    NotShared,
    /// No lane passes it, or the lane that wrote it doesn't: the test or the contract is in doubt.
    InDoubt,
}

impl Row {
    /// Whether the row is evidence about these lanes, each of which is listed once.
    pub fn standing(&self, left: &[usize]) -> Standing {
        let results: Vec<bool> = left.iter().filter_map(|lane| self.result(*lane)).collect();
        let author_fails = self.author.is_some_and(|author| self.result(author) != Some(true));
        if self.on_base {
            Standing::OnBase
        } else if results.len() < 2 {
            Standing::NotShared
        } else if author_fails || !results.contains(&true) {
            Standing::InDoubt
        } else {
            Standing::Counts
        }
    }

    fn result(&self, lane: usize) -> Option<bool> {
        self.passed.get(lane).copied().flatten()
    }
}

/// The outcome of a race. Lanes are in ascending order everywhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No lane is left.
    Nothing,
    /// One lane is left, so nothing was compared.
    Unopposed {
        /// The lane.
        lane: usize,
    },
    /// One lane is better than every other.
    Better {
        /// The lane.
        lane: usize,
        /// The step that decided.
        by: Step,
        /// The chance that this is right, if every second race is between equal lanes: what the weakest of the comparisons supports.
        /// From about 76% for the exam and 90% for the cross-examination.
        probability: f64,
        /// The comparison with each other lane.
        against: Vec<Against>,
        /// What each lane passes in the deciding step.
        scores: Vec<Score>,
    },
    /// No step tells one lane from every other.
    NoDifference {
        /// What each step showed.
        shown: Vec<Shown>,
        /// How many more files of the exam would have decided for each lane.
        needed: Vec<Needed>,
    },
}

/// The comparison of a lane with another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against {
    /// The other lane.
    pub lane: usize,
    /// How many files only the first of the two passes.
    pub wins: usize,
    /// How many files only the other one passes.
    pub losses: usize,
    /// The exact two-sided p-value: twice the chance that equal lanes show at least this much for the first lane, and at most 1.
    pub p: f64,
}

/// How many files a lane passes, without those that it wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The lane.
    pub lane: usize,
    /// How many files it passes.
    pub passed: usize,
    /// How many files have a result on it.
    pub of: usize,
}

/// What one step showed without deciding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The step.
    pub step: Step,
    /// How many files counted.
    pub counted: usize,
    /// What each lane passes of them.
    pub scores: Vec<Score>,
}

/// How many more files of the exam would have decided for a lane, if it passed each of them and all other lanes failed it.
///
/// This measures how far away a decision was. It is no reason to examine again until one comes out: every further look at equal lanes
/// is one more chance of a false verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The lane.
    pub lane: usize,
    /// The number of files.
    pub files: usize,
}

/// Decides a race among the lanes that are left, which are those that were completed and pass every visible and broad check. Each number
/// is a lane's place in [`Row::passed`].
///
/// A lane is better if it beats every other lane left in the same step. Neither the order nor the names of lanes and rows matter.
///
/// If lanes are equal and files fail independently, at most 4.3% of verdicts between two lanes are [`Verdict::Better`], the sum of the
/// levels. Three equal lanes get one less often, because one of them has to beat both others.
pub fn verdict(left: &[usize], tables: &[Table]) -> Verdict {
    let left: Vec<usize> = set(left.iter().copied()).into_iter().collect();
    match left[..] {
        [] => Verdict::Nothing,
        [lane] => Verdict::Unopposed { lane },
        _ => Step::ALL.into_iter().find_map(|step| better(step, &left, tables)).unwrap_or_else(|| {
            let steps = Step::ALL.into_iter().filter(|step| tables.iter().any(|table| table.step == *step));
            let shown = |step| {
                let rows = counted(step, &left, tables);
                Shown { step, counted: rows.len(), scores: scores(&rows, &left) }
            };
            Verdict::NoDifference { shown: steps.map(shown).collect(), needed: needed(&left, tables) }
        }),
    }
}

/// The verdict of one step, if it decides.
fn better(step: Step, left: &[usize], tables: &[Table]) -> Option<Verdict> {
    let rows = counted(step, left, tables);
    left.iter().find_map(|&lane| {
        let against = |other: usize| {
            let contest = Contest::of(&rows, lane, other);
            Against { lane: other, wins: contest.wins, losses: contest.losses, p: contest.p(0) }
        };
        let against: Vec<Against> = others(left, lane).map(against).collect();
        // A lane beats every other one only as clearly as the one that it beats least clearly (Berger 1982, "Multiparameter hypothesis
        // testing and acceptance sampling", Technometrics 24).
        let p = against.iter().map(|against| against.p).fold(0.0, f64::max);
        (p <= step.level()).then(|| Verdict::Better {
            lane,
            by: step,
            probability: chance_of_difference(p),
            against,
            scores: scores(&rows, left),
        })
    })
}

/// The rows of a step that are evidence about these lanes.
fn counted<'a>(step: Step, left: &[usize], tables: &'a [Table]) -> Vec<&'a Row> {
    let rows = tables.iter().filter(|table| table.step == step).flat_map(|table| &table.rows);
    rows.filter(|row| row.standing(left) == Standing::Counts).collect()
}

fn others(left: &[usize], lane: usize) -> impl Iterator<Item = usize> {
    left.iter().copied().filter(move |other| *other != lane)
}

/// The rows of a step, as two lanes see them.
#[derive(Default)]
struct Contest {
    wins: usize,
    losses: usize,
    /// How many files that neither wrote tell the two apart.
    coins: usize,
    /// How many files the first one wrote.
    own: usize,
    /// How many files the other one wrote.
    theirs: usize,
    /// How many of these files the one that didn't write them fails.
    failed: usize,
}

impl Contest {
    fn of(rows: &[&Row], lane: usize, other: usize) -> Self {
        let mut contest = Self::default();
        for row in rows {
            let (Some(first), Some(second)) = (row.result(lane), row.result(other)) else { continue };
            let apart = usize::from(first != second);
            contest.wins += usize::from(first && !second);
            contest.losses += usize::from(!first && second);
            let written = match row.author {
                Some(author) if author == lane => &mut contest.own,
                Some(author) if author == other => &mut contest.theirs,
                _ => {
                    contest.coins += apart;
                    continue;
                }
            };
            *written += 1;
            contest.failed += apart;
        }
        contest
    }

    /// The p-value of [`Against`], with this many more files that only the first lane passes.
    fn p(&self, more: usize) -> f64 {
        let by_chance =
            Counts::of_draws(self.failed, self.own, self.theirs).plus(&Counts::of_coins(self.coins + more));
        (2.0 * by_chance.at_least(self.wins + more)).min(1.0)
    }
}

fn scores(rows: &[&Row], left: &[usize]) -> Vec<Score> {
    let score = |&lane: &usize| {
        let foreign = rows.iter().filter(|row| row.author != Some(lane));
        let results: Vec<bool> = foreign.filter_map(|row| row.result(lane)).collect();
        Score { lane, passed: results.iter().filter(|passed| **passed).count(), of: results.len() }
    };
    left.iter().map(score).collect()
}

fn needed(left: &[usize], tables: &[Table]) -> Vec<Needed> {
    let rows = counted(Step::Exam, left, tables);
    let of = |&lane: &usize| {
        let contests: Vec<Contest> =
            others(left, lane).map(|other| Contest::of(&rows, lane, other)).collect();
        let decide = |files: usize| contests.iter().all(|contest| contest.p(files) <= Step::Exam.level());
        // Each file brings the decision closer.
        let (mut too_few, mut enough) = (0, 1);
        while !decide(enough) {
            (too_few, enough) = (enough, 2 * enough);
        }
        while enough - too_few > 1 {
            let middle = too_few.midpoint(enough);
            if decide(middle) { enough = middle } else { too_few = middle }
        }
        Needed { lane, files: enough }
    };
    left.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
