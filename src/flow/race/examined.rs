//! The exam of a race: its examiner, its tests in each lane, and the table that they make.

use super::running::{Lane, Race};
use super::verdict::{Row, Step, Table};
use crate::flow::exam::{Exam, ExamTest};
use crate::flow::examining::Grade;
use crate::flow::prompts;
use crate::flow::protocol::{ApartRun, Effect, ExamRun, Examined, Role, TreeId};
use crate::flow::session::{Commands, Session, Turn};
use crate::shared::ran::Ran;
use kernel::protocol::JobId;

/// The number of tests that the exam of a race may have. Six that all tell for the same lane decide between two; with few tests, only
/// large differences show (`docs/races.md`).
pub(in crate::flow) const TESTS: usize = 24;

/// The exam of a race, as far as it has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Examination {
    /// What the examiner wrote.
    exam: Option<Exam>,
    /// Why there is no exam, as a clause; `None` when there is one, or none yet.
    pub(super) none: Option<String>,
    /// The results of each lane.
    sat: Vec<Sat>,
}

/// The exam in a lane.
#[derive(Clone, Debug)]
struct Sat {
    /// The lane, by its index.
    lane: usize,
    /// The grade of each test, or why there is none.
    grades: Result<Vec<Grade>, String>,
}

impl Examination {
    /// Whether the examiner wrote tests.
    pub(super) fn is_written(&self) -> bool {
        self.exam.is_some()
    }

    /// Why the examiner wrote no test, as a clause; `None` when it wrote some, or hasn't answered.
    pub(super) fn left_empty(&self) -> Option<String> {
        let exam = self.exam.as_ref().filter(|exam| exam.tests.is_empty())?;
        Some(format!("the examiner wrote no test: {}", exam.left_out.trim()))
    }

    fn tests(&self) -> &[ExamTest] {
        self.exam.as_ref().map_or(&[], |exam| &exam.tests)
    }

    /// What no test examines, in the examiner's words.
    pub(super) fn left_out(&self) -> &str {
        self.exam.as_ref().map_or("", |exam| exam.left_out.trim())
    }

    /// The table of the exam: a row for each test, a column for each lane; `None` without an exam.
    pub(super) fn table(&self, lanes: &[Lane]) -> Option<Table> {
        if self.sat.is_empty() {
            return None;
        }
        let result = |lane: usize, test: usize| {
            let sat = self.sat.iter().find(|sat| sat.lane == lane)?;
            match sat.grades.as_ref().ok()?.get(test)? {
                Grade::Passed => Some(true),
                Grade::Failed => Some(false),
                Grade::Kept | Grade::Void { .. } => None,
            }
        };
        let row = |(index, test): (usize, &ExamTest)| Row {
            file: test.path.clone(),
            author: None,
            on_base: false,
            passed: (0..lanes.len()).map(|lane| result(lane, index)).collect(),
        };
        Some(Table { step: Step::Exam, rows: self.tests().iter().enumerate().map(row).collect() })
    }

    /// Why results don't count, each once with the lane and the test.
    pub(super) fn void(&self, lanes: &[Lane]) -> Vec<String> {
        let name = |lane: usize| lanes.get(lane).map_or("", |lane| lane.entrant.lane.as_str());
        let mut void = Vec::new();
        for sat in &self.sat {
            match &sat.grades {
                Err(why) => void.push(format!("lane {}: {why}", name(sat.lane))),
                Ok(grades) => {
                    for (test, grade) in self.tests().iter().zip(grades) {
                        if let Grade::Void { why } = grade {
                            void.push(format!("{} in lane {}: {why}", test.path, name(sat.lane)));
                        }
                    }
                }
            }
        }
        void
    }
}

impl Race {
    /// Keeps an exam if it is the one that the race waits for.
    pub(in crate::flow) fn exam_written(&mut self, job: &JobId, exam: &Exam) {
        if self.asks(job) {
            self.examination.exam = Some(exam.clone());
        }
    }
}

impl Session {
    /// Adds the examiner's job.
    pub(in crate::flow) fn race_examiner(&mut self) -> JobId {
        let about = self.whole().unwrap_or_default();
        let checks = self.examining_checks_of_race();
        let prompt = prompts::race_exam(&self.opening.goal, &self.summaries(), &about, &checks);
        let job = self.ask(Role::Examiner, Turn::Exam, None, prompt);
        if let Some(job) = self.calls.job(&job) {
            job.part.whole = true;
        }
        job
    }

    /// The effect with this number that runs the exam on a lane's tree.
    pub(super) fn race_exam(&self, effect: u32, lane: usize, tree: &TreeId, base: &TreeId) -> Effect {
        let tests = self.race.as_ref().map(|race| race.examination.tests()).unwrap_or_default();
        // Nobody has seen them, so nobody has put another file in their place.
        let written: Vec<(&ExamTest, bool)> = tests.iter().map(|test| (test, false)).collect();
        let took = |argv: &[String]| self.checked_in(lane, argv).map(|ran| ran.duration_ms);
        self.exam_of(effect, [tree, base], &written, &self.examining_checks_of_race(), &took)
    }

    /// The result of a command on a lane's frozen files.
    fn checked_in(&self, lane: usize, argv: &[String]) -> Option<&Ran> {
        let checked = &self.race.as_ref()?.lanes.get(lane)?.checked;
        checked.iter().find(|(command, _)| command == argv).map(|(_, ran)| ran)
    }

    /// Handles the results of the exam in a lane.
    pub(in crate::flow) fn race_examined(
        &mut self,
        seen: Examined,
        before: &[ApartRun],
        tests: &[ExamRun],
        commands: &mut Commands,
    ) {
        let Some(lane) = self.race.as_ref().and_then(Race::sitting) else { return };
        if let Some(why) = seen.unprepared {
            self.lane_sat(lane, Err(why), commands);
            return;
        }
        let usual = |argv: &[String]| Some(self.checked_in(lane, argv)?.tests.as_ref()?.ran);
        let grades = self.grades(&seen, before, tests, &usual);
        self.lane_sat(lane, Ok(grades), commands);
    }

    /// Keeps the grades of a lane, or why no test could be run there.
    pub(super) fn lane_sat(
        &mut self,
        lane: usize,
        grades: Result<Vec<Grade>, String>,
        commands: &mut Commands,
    ) {
        let Some(race) = &mut self.race else { return };
        let name = race.lanes.get(lane).map_or("", |one| one.entrant.lane.as_str());
        let account = match &grades {
            Err(why) => format!("The exam could not be run in lane {name}: {}.", why.trim_end_matches('.')),
            Ok(grades) => {
                let of = |wanted: &Grade| grades.iter().filter(|grade| *grade == wanted).count();
                let (passed, failed) = (of(&Grade::Passed), of(&Grade::Failed));
                let void = grades.len() - passed - failed;
                format!("Exam in lane {name}: {passed} passed, {failed} failed, {void} not counted.")
            }
        };
        race.examination.sat.push(Sat { lane, grades });
        commands.push(kernel::drive::line(kernel::protocol::Tone::Info, account.clone()));
        self.log(&account);
        self.sit_next(Some(lane), commands);
    }
}
