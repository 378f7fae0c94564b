//! The cross-examination: each lane's own tests are laid over the other lanes. It is asked only if the exam decides nothing.
//!
//! A file counts on another lane only if more tests ran with it than without. A file that the other lane has at the same path, or that
//! can't be loaded there, counts for nobody; neither does a single test that fails under Node's runner, which counts a file that can't
//! be loaded in the same way.

use super::running::{Lane, Race, RaceStep};
use super::verdict::{Row, Step, Table};
use crate::flow::named_tests::NamedTests;
use crate::flow::plan::{Check, Plan};
use crate::flow::protocol::{Overlay, TreeId};
use crate::flow::session::{Commands, Session};
use crate::shared::figures::count;
use crate::shared::ran::Ran;
use crate::shared::runners::Runner;
use kernel::protocol::Tone;
use std::collections::VecDeque;

/// How many files of each lane are laid over the others.
const FILES: usize = 12;

/// A test file of a lane over other files.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crossing {
    /// The lane that wrote it, by its index.
    author: usize,
    file: String,
    /// The lane over which it is laid; `None` for the files from before the race.
    on: Option<usize>,
}

/// The cross-examination, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct CrossExamination {
    /// What is left to be run, the one that runs first.
    left: VecDeque<Crossing>,
    /// What was run; `None` if the result doesn't count.
    seen: Vec<(Crossing, Option<bool>)>,
    /// The broad checks on the files from before the race.
    pub(super) base: Vec<(Vec<String>, Ran)>,
}

impl CrossExamination {
    fn result(&self, author: usize, file: &str, on: Option<usize>) -> Option<bool> {
        let is_it = |(crossing, _): &&(Crossing, Option<bool>)| {
            crossing.author == author && crossing.file == file && crossing.on == on
        };
        self.seen.iter().find(is_it)?.1
    }

    /// The table: a row for each file, a column for each lane; `None` if nothing was run.
    pub(super) fn table(&self, lanes: &[Lane]) -> Option<Table> {
        // Each file was laid over the files from before the race once.
        let files = self.seen.iter().filter(|(crossing, _)| crossing.on.is_none());
        let row = |(Crossing { author, file, .. }, on_base): &(Crossing, Option<bool>)| Row {
            file: file.clone(),
            author: Some(*author),
            on_base: *on_base == Some(true),
            passed: (0..lanes.len())
                .map(|lane| if lane == *author { Some(true) } else { self.result(*author, file, Some(lane)) })
                .collect(),
        };
        let rows: Vec<Row> = files.map(row).collect();
        (!rows.is_empty()).then_some(Table { step: Step::CrossExam, rows })
    }
}

/// What the checks show about a file that was laid over others. `usual`: the same checks without it.
fn judged(with: &[Ran], usual: &[&Ran]) -> Option<bool> {
    let ran = |ran: &Ran| ran.tests.as_ref().map_or(0, |tests| tests.ran);
    let sum = with.iter().map(ran).sum::<u32>();
    let added = sum.saturating_sub(usual.iter().map(|one| ran(one)).sum());
    if with.iter().all(Ran::passed) {
        return (added > 0).then_some(true);
    }
    let was_well = usual.iter().all(|ran| ran.passed() || ran.is_hollow());
    // Node's runner counts a file that can't be loaded as a test that failed.
    let is_node = |one: &Ran| one.tests.as_ref().is_some_and(|tests| tests.runners.contains(&Runner::Node));
    let least = if with.iter().any(is_node) { 2 } else { 1 };
    (was_well && added >= least).then_some(false)
}

impl Session {
    /// The checks with which files are laid over others.
    pub(super) fn crossing_checks(&self) -> Vec<Check> {
        let broad = self.plan.as_ref().map(Plan::broad_checks).unwrap_or_default();
        broad.into_iter().map(|(_, check)| check.clone()).collect()
    }

    /// Starts the cross-examination. Returns whether there is anything to run.
    pub(super) fn cross(&mut self, commands: &mut Commands) -> bool {
        let checks = self.crossing_checks();
        let Some(race) = &mut self.race else { return false };
        race.crossed.left = crossings(race, &checks);
        let runs = race.crossed.left.len();
        if runs == 0 {
            return false;
        }
        let line = format!(
            "No exam decides, so each lane's own tests run on the other lanes: {}.",
            count(runs as u64, "run", "runs")
        );
        self.announce(Tone::Info, line, commands);
        self.cross_next(commands);
        true
    }

    fn cross_next(&mut self, commands: &mut Commands) {
        let next = self.race.as_ref().and_then(Race::next_crossing);
        let Some((on, over, file)) = next else {
            self.end_race(commands);
            return;
        };
        if let Some(race) = &mut self.race {
            race.step = RaceStep::Crossing;
        }
        let checks = self.crossing_checks();
        self.run_apart(on, Overlay::Paths { tree: over, paths: vec![file] }, &checks, commands);
    }

    /// Handles the results of a file that was laid over others; none if they could not be had.
    pub(super) fn crossed(&mut self, with: &[Ran], commands: &mut Commands) {
        let checks = self.crossing_checks();
        let Some(race) = &mut self.race else { return };
        let Some(crossing) = race.crossed.left.pop_front() else { return };
        let ran = match crossing.on {
            Some(lane) => race.lanes.get(lane).map_or(&[][..], |lane| &lane.checked),
            None => &race.crossed.base,
        };
        // A lane has also run checks that aren't broad.
        let is_run = |argv: &Vec<String>| checks.iter().any(|check| check.command == *argv);
        let usual: Vec<&Ran> = ran.iter().filter(|(argv, _)| is_run(argv)).map(|(_, ran)| ran).collect();
        // Without either, nothing can be compared.
        let is_whole = with.len() == checks.len() && usual.len() == checks.len();
        let result = if is_whole { judged(with, &usual) } else { None };
        race.crossed.seen.push((crossing, result));
        self.cross_next(commands);
    }
}

impl Race {
    /// The tree on which the next file is laid, the tree that has it, and its path.
    fn next_crossing(&self) -> Option<(TreeId, TreeId, String)> {
        let Crossing { author, file, on } = self.crossed.left.front()?;
        let frozen = self.frozen();
        let tree =
            |lane: usize| frozen.iter().find(|(index, _)| *index == lane).map(|(_, tree)| tree.clone());
        let under = match on {
            Some(lane) => tree(*lane)?,
            None => self.base.clone()?,
        };
        Some((under, tree(*author)?, file.clone()))
    }
}

/// Each lane's own test files, over the files from before the race and over each other lane that has nothing at their paths.
fn crossings(race: &Race, checks: &[Check]) -> VecDeque<Crossing> {
    let frozen: Vec<usize> = race.frozen().into_iter().map(|(index, _)| index).collect();
    let mut left = VecDeque::new();
    for &author in &frozen {
        let lane = &race.lanes[author];
        let runners = |check: &Check| {
            let ran = lane.checked.iter().find(|(argv, _)| *argv == check.command);
            ran.and_then(|(_, ran)| ran.tests.as_ref()).map(|tests| tests.runners.clone()).unwrap_or_default()
        };
        let runners: Vec<_> = checks.iter().map(runners).collect();
        let commands = checks.iter().map(|check| check.command.as_slice());
        let named = NamedTests::of(commands.zip(runners.iter().map(Vec::as_slice)));
        for file in lane.changed.iter().filter(|file| named.holds(file)).take(FILES) {
            let lacks = |other: &&usize| **other != author && !race.lanes[**other].changed.contains(file);
            let others: Vec<usize> = frozen.iter().filter(lacks).copied().collect();
            if others.is_empty() {
                continue;
            }
            let on = std::iter::once(None).chain(others.into_iter().map(Some));
            left.extend(on.map(|on| Crossing { author, file: file.clone(), on }));
        }
    }
    left
}
