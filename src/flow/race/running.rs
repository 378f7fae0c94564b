//! The steps of a race, from its approval to its verdict.

use super::crossed::CrossExamination;
use super::entrants::Entrant;
use super::examined::Examination;
use super::verdict::{self, Verdict};
use crate::design_lab::config::ExamPolicy;
use crate::flow::code::FlowCode;
use crate::flow::plan::{Check, Plan};
use crate::flow::protocol::{ApartRun, Effect, LaneBuilt, LaneTold, Overlay, RanApart, TreeId};
use crate::flow::recovery::{Recovery, RecoveryStage};
use crate::flow::session::{Commands, Phase, Session};
use crate::shared::ran::Ran;
use crate::shared::spelled::spelled;
use kernel::drive::notice;
use kernel::job::JobState;
use kernel::protocol::{JobId, Outcome, Tone};

/// How many lanes are built at once.
const CONCURRENCY: usize = 2;

/// A race that was approved.
#[derive(Clone, Debug)]
pub(in crate::flow) struct Race {
    pub(super) lanes: Vec<Lane>,
    /// The tree from which every lane is made; `None` before it is taken.
    pub(super) base: Option<TreeId>,
    pub(super) step: RaceStep,
    pub(super) examination: Examination,
    pub(super) crossed: CrossExamination,
    /// The lane whose result the user has taken.
    pub(super) taken: Option<String>,
}

/// A lane of a race.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub(super) entrant: Entrant,
    pub(super) state: LaneState,
    /// What it has done so far.
    pub(super) told: LaneTold,
    /// The session that has built it; empty before it has ended.
    pub(super) session: String,
    /// The paths that it changed.
    pub(super) changed: Vec<String>,
    /// The paths of the project that changed while its workers worked.
    pub(super) moved: Vec<String>,
    /// The checks of the plan on its frozen files: program and arguments, and the result.
    pub(super) checked: Vec<(Vec<String>, Ran)>,
}

/// How a lane stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LaneState {
    /// Its turn hasn't come.
    Waiting,
    /// Its session is at work.
    Building,
    /// Every feature is complete with this tree.
    Frozen(TreeId),
    /// It is out of the race, and why, in a sentence.
    Out(String),
}

/// What a race waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RaceStep {
    /// The tree from which the lanes are made.
    Looking,
    /// Lanes.
    Building,
    /// The checks of the plan on the frozen files of a lane.
    Checking { lane: usize },
    /// The checks on the files before any lane, and the examiner's copy of them.
    Copying,
    /// The examiner.
    Examining { job: JobId },
    /// The exam in a lane.
    Sitting { lane: usize },
    /// A lane's own test file on other files.
    Crossing,
    /// Nothing: the verdict is there.
    Over(Verdict),
}

impl Race {
    fn new(entrants: &[Entrant]) -> Self {
        let lane = |entrant: &Entrant| Lane {
            told: LaneTold { lane: entrant.lane.clone(), ..LaneTold::default() },
            entrant: entrant.clone(),
            state: LaneState::Waiting,
            session: String::new(),
            changed: Vec::new(),
            moved: Vec::new(),
            checked: Vec::new(),
        };
        Self {
            lanes: entrants.iter().map(lane).collect(),
            base: None,
            step: RaceStep::Looking,
            examination: Examination::default(),
            crossed: CrossExamination::default(),
            taken: None,
        }
    }

    /// Whether it has no verdict yet.
    pub(in crate::flow) fn is_under_way(&self) -> bool {
        !matches!(self.step, RaceStep::Over(_))
    }

    /// Whether it waits for this job.
    pub(in crate::flow) fn asks(&self, asked: &JobId) -> bool {
        matches!(&self.step, RaceStep::Examining { job } if job == asked)
    }

    /// The lane in which the exam is run, by its index.
    pub(super) fn sitting(&self) -> Option<usize> {
        if let RaceStep::Sitting { lane } = self.step { Some(lane) } else { None }
    }

    /// Whether the examiner's copy is still needed.
    pub(in crate::flow) fn needs_copy(&self) -> bool {
        matches!(self.step, RaceStep::Copying | RaceStep::Examining { .. })
    }

    /// The verdict, once there is one.
    pub(super) fn verdict(&self) -> Option<&Verdict> {
        if let RaceStep::Over(verdict) = &self.step { Some(verdict) } else { None }
    }

    /// The lanes that are frozen, by their index, with their trees.
    pub(super) fn frozen(&self) -> Vec<(usize, TreeId)> {
        let tree =
            |lane: &Lane| if let LaneState::Frozen(tree) = &lane.state { Some(tree.clone()) } else { None };
        self.lanes.iter().enumerate().filter_map(|(index, lane)| Some((index, tree(lane)?))).collect()
    }

    /// The first frozen lane after this one, or the first one.
    fn frozen_after(&self, lane: Option<usize>) -> Option<(usize, TreeId)> {
        self.frozen().into_iter().find(|(index, _)| lane.is_none_or(|lane| *index > lane))
    }

    /// What the evidence so far decides.
    fn decide(&self) -> Verdict {
        let left: Vec<usize> = self.frozen().into_iter().map(|(index, _)| index).collect();
        verdict::verdict(&left, &self.tables())
    }

    /// Whether the evidence so far decides for a lane.
    fn is_decided(&self) -> bool {
        matches!(self.decide(), Verdict::Better { .. })
    }

    /// What each step of evidence showed.
    pub(super) fn tables(&self) -> Vec<verdict::Table> {
        let tables = [self.examination.table(&self.lanes), self.crossed.table(&self.lanes)];
        tables.into_iter().flatten().collect()
    }

    fn lane_mut(&mut self, name: &str) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.entrant.lane == name)
    }
}

impl Session {
    /// Whether the plan of this session is raced instead of built here.
    pub(in crate::flow) fn is_race(&self) -> bool {
        !self.opening.race.is_empty()
    }

    /// Whether a race of this session was approved and has no verdict yet.
    pub(in crate::flow) fn is_racing(&self) -> bool {
        self.race.as_ref().is_some_and(Race::is_under_way)
    }

    /// Starts the race: first comes the tree from which every lane is made.
    pub(in crate::flow) fn start_race(&mut self, commands: &mut Commands) {
        self.wake(Phase::Racing);
        self.race = Some(Race::new(&self.opening.race));
        self.log("You approved the plan and started the race.");
        self.take_tree(None, commands);
    }

    /// Keeps the tree from which every lane is made.
    pub(in crate::flow) fn race_base_is(&mut self, tree: TreeId, commands: &mut Commands) {
        let Some(race) = &mut self.race else { return };
        race.base = Some(tree);
        race.step = RaceStep::Building;
        self.build_lanes(commands);
    }

    /// Lets the next lanes begin, as many as may be built at once.
    fn build_lanes(&mut self, commands: &mut Commands) {
        loop {
            let Some(race) = &mut self.race else { return };
            let Some(base) = race.base.clone() else { return };
            let at_work = race.lanes.iter().filter(|lane| lane.state == LaneState::Building).count();
            let next = race.lanes.iter_mut().find(|lane| lane.state == LaneState::Waiting);
            let Some(lane) = next.filter(|_| at_work < CONCURRENCY) else { return };
            lane.state = LaneState::Building;
            let entrant = lane.entrant.clone();
            let begins = format!("Lane {} begins: {}.", entrant.lane, entrant.wording());
            self.announce(Tone::Info, begins, commands);
            self.effects_begun += 1;
            let opening = Box::new(self.opening_of(&entrant, Some(base.clone())));
            let effect = Effect::BuildLane { effect: self.effects_begun, lane: entrant.lane, opening };
            self.effects.begin(effect, commands);
        }
    }

    /// Keeps what a lane has done so far.
    pub(in crate::flow) fn lane_is_told(&mut self, told: LaneTold) {
        let lane = self.race.as_mut().and_then(|race| race.lane_mut(&told.lane));
        if let Some(lane) = lane.filter(|lane| lane.state == LaneState::Building) {
            lane.told = told;
        }
    }

    /// Keeps how a lane ended.
    pub(in crate::flow) fn lane_is_built(&mut self, built: LaneBuilt, commands: &mut Commands) {
        let is_it = |effect: &Effect| matches!(effect, Effect::BuildLane { .. });
        let Some(Effect::BuildLane { lane, .. }) = self.answered(built.effect, is_it) else { return };
        let LaneBuilt { told, session, tree, unbuilt, changed, moved, .. } = built;
        let state = match tree {
            Some(tree) => LaneState::Frozen(tree),
            None => LaneState::Out(unbuilt.unwrap_or_default()),
        };
        if let Some(lane) = self.race.as_mut().and_then(|race| race.lane_mut(&lane)) {
            (lane.told, lane.session, lane.changed, lane.moved) = (told, session, changed, moved);
        }
        self.lane_ended(&lane, state, commands);
    }

    fn lane_ended(&mut self, name: &str, state: LaneState, commands: &mut Commands) {
        match &state {
            LaneState::Out(why) => self.announce(Tone::Warning, out_of_race(name, why), commands),
            _ => self.announce(Tone::Success, format!("Lane {name} is complete."), commands),
        }
        let Some(race) = &mut self.race else { return };
        if let Some(lane) = race.lane_mut(name) {
            lane.state = state;
        }
        let is_left = |lane: &Lane| matches!(lane.state, LaneState::Waiting | LaneState::Building);
        if race.lanes.iter().any(is_left) {
            self.build_lanes(commands);
        } else {
            self.freeze(commands);
        }
    }

    /// From here on no lane changes. Their files are checked first.
    fn freeze(&mut self, commands: &mut Commands) {
        let Some(race) = &self.race else { return };
        let frozen = race.frozen();
        let named: Vec<String> = frozen
            .iter()
            .map(|(index, tree)| format!("{} with tree {tree}", race.lanes[*index].entrant.lane))
            .collect();
        if !named.is_empty() {
            self.log(&format!("Frozen: {}.", named.join(", ")));
        }
        if frozen.len() < 2 {
            self.end_race(commands);
        } else {
            self.check_next(None, commands);
        }
    }

    /// Runs the checks of the plan on the frozen files of the next lane, or goes on to the exam.
    fn check_next(&mut self, after: Option<usize>, commands: &mut Commands) {
        let Some(race) = &mut self.race else { return };
        if let Some((lane, tree)) = race.frozen_after(after) {
            race.step = RaceStep::Checking { lane };
            let checks = self.examining_checks_of_race();
            self.run_apart(tree, Overlay::Nothing, &checks, commands);
        } else if race.frozen().len() < 2 {
            self.end_race(commands);
        } else {
            self.copy_for_examiner(commands);
        }
    }

    /// All checks of the plan: those that decide a lane, and those that can run an exam.
    pub(in crate::flow) fn examining_checks_of_race(&self) -> Vec<Check> {
        self.plan.as_ref().map(Plan::all_checks).unwrap_or_default()
    }

    /// Handles the results from a copy.
    pub(in crate::flow) fn race_ran_apart(
        &mut self,
        seen: RanApart,
        runs: Vec<ApartRun>,
        commands: &mut Commands,
    ) {
        let Some(race) = &self.race else { return };
        let heard: Vec<(Vec<String>, Ran)> = runs
            .into_iter()
            .zip(seen.runs)
            .map(|(run, ran)| {
                let ran = self.opening.heard(&run.argv, ran);
                (run.argv, ran)
            })
            .collect();
        match race.step {
            RaceStep::Checking { lane } => {
                let failed = heard.iter().find(|(_, ran)| !ran.passed());
                let why = match (seen.unprepared, failed) {
                    (Some(why), _) => Some(format!("Its files could not be checked: {why}.")),
                    (None, Some((argv, _))) => Some(format!("`{}` fails on its files.", spelled(argv))),
                    (None, None) => None,
                };
                self.lane_is_checked(lane, heard, why, commands);
            }
            RaceStep::Crossing => {
                let with: Vec<Ran> = heard.into_iter().map(|(_, ran)| ran).collect();
                self.crossed(&with, commands);
            }
            RaceStep::Copying => match seen.unprepared {
                Some(why) => {
                    self.without_race_exam(
                        format!("no copy for the examiner could be made: {why}"),
                        commands,
                    );
                }
                None => {
                    if let Some(race) = &mut self.race {
                        race.crossed.base = heard;
                    }
                    self.ask_race_examiner(commands);
                }
            },
            _ => {}
        }
    }

    fn lane_is_checked(
        &mut self,
        index: usize,
        checked: Vec<(Vec<String>, Ran)>,
        out: Option<String>,
        commands: &mut Commands,
    ) {
        let Some(lane) = self.race.as_mut().and_then(|race| race.lanes.get_mut(index)) else { return };
        lane.checked = checked;
        let name = lane.entrant.lane.clone();
        match out {
            Some(why) => {
                let told = out_of_race(&name, &why);
                lane.state = LaneState::Out(why);
                self.announce(Tone::Warning, told, commands);
            }
            None => {
                self.log(&format!("Every check of the plan passes on the frozen files of lane {name}."));
            }
        }
        self.check_next(Some(index), commands);
    }

    // ---- the exam ----

    /// Makes the copy that the examiner reads: the files as they were before any lane.
    fn copy_for_examiner(&mut self, commands: &mut Commands) {
        let Some(race) = &mut self.race else { return };
        let Some(base) = race.base.clone() else { return };
        race.step = RaceStep::Copying;
        self.effects_begun += 1;
        let checks = self.crossing_checks();
        let mut effect = self.in_a_copy(self.effects_begun, base, Overlay::Nothing, &checks);
        if let Effect::RunApart { review, .. } = &mut effect {
            *review = self.settings.exam != ExamPolicy::Off;
        }
        self.effects.begin(effect, commands);
    }

    fn ask_race_examiner(&mut self, commands: &mut Commands) {
        if self.settings.exam == ExamPolicy::Off {
            self.without_race_exam("`flow.exam` is off".to_owned(), commands);
            return;
        }
        if self.calls.closing.is_some() {
            self.without_race_exam("the session's budget is used up".to_owned(), commands);
            return;
        }
        let job = self.race_examiner();
        let line =
            format!("{} writes an exam: tests that no worker has seen", self.opening.models.examiner());
        commands.push(notice(Tone::Info, line));
        if let Some(race) = &mut self.race {
            race.step = RaceStep::Examining { job };
        }
    }

    /// Continues once the examiner has answered or failed.
    pub(in crate::flow) fn advance_race(&mut self, commands: &mut Commands) {
        let Some(race) = &self.race else { return };
        let RaceStep::Examining { job } = &race.step else { return };
        if let Some(why) = race.examination.left_empty() {
            self.without_race_exam(why, commands);
        } else if race.examination.is_written() {
            self.sit_next(None, commands);
        } else {
            let job = self.calls.jobs.iter().find(|one| one.id == *job);
            let Some(JobState::Failed(reason)) = job.map(|job| &job.state) else { return };
            let why = format!("the examiner failed: {reason}");
            if self.settings.exam == ExamPolicy::Off || self.calls.closing.is_some() {
                self.without_race_exam(why, commands);
            } else {
                self.wait_for_examiner(&why, commands);
            }
        }
    }

    /// Runs the exam on the frozen files of the next lane, or ends the race.
    pub(super) fn sit_next(&mut self, after: Option<usize>, commands: &mut Commands) {
        let next = self.race.as_ref().and_then(|race| Some((race.frozen_after(after)?, race.base.clone()?)));
        let Some(((lane, tree), base)) = next else {
            if self.race.as_ref().is_some_and(Race::is_decided) || !self.cross(commands) {
                self.end_race(commands);
            }
            return;
        };
        self.effects_begun += 1;
        let effect = self.race_exam(self.effects_begun, lane, &tree, &base);
        if let Some(race) = &mut self.race {
            race.step = RaceStep::Sitting { lane };
        }
        self.effects.begin(effect, commands);
    }

    /// Stops, because every lane is paid for and the exam may still be had.
    fn wait_for_examiner(&mut self, why: &str, commands: &mut Commands) {
        let message = format!("The lanes are not compared yet: {}.", why.trim_end_matches('.'));
        let recovery = Recovery::new(FlowCode::RaceNoExam, RecoveryStage::Run, message)
            .takes("an examiner that answers")
            .next(
                "This command asks the examiner again. To go on without an exam, set `flow.exam` to \"off\" \
                 in .opencode/design-lab.jsonc first.",
                "/flow-resume",
            );
        self.log(&recovery.message);
        self.stop(Outcome::Stopped, recovery, commands);
    }

    fn without_race_exam(&mut self, why: String, commands: &mut Commands) {
        let line = format!("There is no exam: {}.", why.trim_end_matches('.'));
        self.announce(Tone::Warning, line, commands);
        if let Some(race) = &mut self.race {
            race.examination.none = Some(why);
        }
        if !self.cross(commands) {
            self.end_race(commands);
        }
    }

    // ---- the end ----

    pub(super) fn end_race(&mut self, commands: &mut Commands) {
        let Some(race) = &mut self.race else { return };
        race.step = RaceStep::Over(race.decide());
        if race.frozen().is_empty() {
            let recovery = self.no_lane_completed();
            self.log(&recovery.message);
            self.stop(Outcome::Stopped, recovery, commands);
            return;
        }
        let sentence = self.race_sentence();
        self.announce(Tone::Success, sentence, commands);
        self.rest(Outcome::Complete, commands);
    }

    fn no_lane_completed(&self) -> Recovery {
        let lanes = self.race.as_ref().map(|race| race.lanes.as_slice()).unwrap_or_default();
        let out = |lane: &Lane| match &lane.state {
            LaneState::Out(why) => Some(format!("{}: {why}", lane.entrant.lane)),
            _ => None,
        };
        let why: Vec<String> = lanes.iter().filter_map(out).collect();
        let message = format!("No lane was completed. {}", why.join(" "));
        let session = lanes.iter().find(|lane| !lane.session.is_empty());
        let command = session
            .map_or_else(|| "/flow-status".to_owned(), |lane| format!("/flow-session {}", lane.session));
        Recovery::new(FlowCode::RaceNoLane, RecoveryStage::Run, message)
            .takes("a lane that is complete")
            .next(
                "Fix the cause. A lane's session can be continued by itself: make it the active one.",
                command,
            )
    }

    /// An effect of the race could not be carried out.
    pub(in crate::flow) fn race_effect_failed(
        &mut self,
        effect: Effect,
        message: &str,
        commands: &mut Commands,
    ) {
        let why = message.trim_end_matches('.').to_owned();
        let step = self.race.as_ref().map(|race| race.step.clone());
        match (effect, step) {
            (Effect::BuildLane { lane, .. }, _) => {
                self.lane_ended(&lane, LaneState::Out(format!("It could not be built: {why}.")), commands);
            }
            (_, Some(RaceStep::Checking { lane })) => {
                let out = format!("Its files could not be checked: {why}.");
                self.lane_is_checked(lane, Vec::new(), Some(out), commands);
            }
            (_, Some(RaceStep::Copying)) => {
                self.without_race_exam(format!("no copy for the examiner could be made: {why}"), commands);
            }
            (_, Some(RaceStep::Crossing)) => self.crossed(&[], commands),
            (_, Some(RaceStep::Sitting { lane })) => self.lane_sat(lane, Err(why), commands),
            _ => {
                self.race = None;
                let recovery = Recovery::new(
                    FlowCode::RunEffectFailed,
                    RecoveryStage::Run,
                    format!("The files could not be read: {why}."),
                )
                .takes("a directory that can be read")
                .next(
                    "Fix the cause, then approve the plan again. No lane has begun.",
                    format!("/flow-race approve {}", crate::flow::approval::short(&self.hash)),
                );
                self.approval = None;
                self.stop(Outcome::Stopped, recovery, commands);
            }
        }
    }

    /// Records that the user took the result of a lane.
    pub(in crate::flow) fn lane_is_taken(&mut self, lane: String, commands: &mut Commands) {
        let is_frozen = |one: &Lane| one.entrant.lane == lane && matches!(one.state, LaneState::Frozen(_));
        if !self.race.as_ref().is_some_and(|race| race.lanes.iter().any(is_frozen)) {
            return;
        }
        self.wake(Phase::Resting(Outcome::Complete));
        self.log(&format!("You took the result of lane {lane}."));
        if let Some(race) = &mut self.race {
            race.taken = Some(lane);
        }
        self.rest(Outcome::Complete, commands);
    }
}

/// Says that a lane is out. `why`: a sentence.
fn out_of_race(lane: &str, why: &str) -> String {
    format!("Lane {lane} is out of the race: {why}")
}
