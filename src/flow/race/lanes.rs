//! The session of a lane: how it opens, and what the race learns of it.

use super::entrants::{Entrant, LaneOf};
use crate::design_lab::config::{ExamPolicy, FlowSettings, Workplace};
use crate::flow::approval;
use crate::flow::code::FlowCode;
use crate::flow::plan::Feature;
use crate::flow::protocol::{LaneBuilt, LaneTold, Models, Opening, TreeId};
use crate::flow::recovery::{Recovery, RecoveryStage};
use crate::flow::session::Session;
use crate::flow::stored::Found;
use crate::random;
use design_lab_numerics::sorting::set;
use kernel::origin::Origin;
use serde::Serialize;

/// These settings as a lane has them, whenever it is continued: the race has asked the user about the cost of all lanes, and examines
/// them itself.
pub(in crate::flow) fn settings_of_lane(settings: &FlowSettings) -> FlowSettings {
    FlowSettings { place: Workplace::Lane, exam: ExamPolicy::Off, confirm_usd: None, ..settings.clone() }
}

impl Session {
    /// The opening of a lane's session. `base`: the tree from which it is made; `None` to foresee its cost.
    pub(in crate::flow) fn opening_of(&self, entrant: &Entrant, base: Option<TreeId>) -> Opening {
        let settings = settings_of_lane(&self.settings);
        let lane_of = LaneOf {
            race: self.directory.name.clone().unwrap_or_default(),
            entrant: entrant.clone(),
            base,
            plan: self.plan.clone().unwrap_or_default(),
            leave: self.approval.as_ref().map(|approval| approval.leave.clone()).unwrap_or_default(),
        };
        let models = Models { worker: entrant.worker.clone(), ..self.opening.models.clone() };
        let note = format!("This session builds lane {} of the race {}.", entrant.lane, lane_of.race);
        Opening {
            from: None,
            fix: None,
            race: Vec::new(),
            notes: vec![note, models.wording()],
            models,
            settings,
            automatic: true,
            expected: None,
            shell_rules: self.shell_rules.clone(),
            project_rules: self.held.rules().to_vec(),
            seed: random::seed(&format!("{} {}", self.opening.goal, entrant.lane)),
            lane_of: Some(Box::new(lane_of)),
            ..self.opening.clone()
        }
    }

    /// What this session, which builds a lane, has done so far; `None` when it builds none.
    pub(in crate::flow) fn lane_told(&self) -> Option<LaneTold> {
        let lane_of = self.opening.lane_of.as_ref()?;
        let (cost, tokens) = self.calls.spent();
        Some(LaneTold {
            lane: lane_of.entrant.lane.clone(),
            complete: u32::try_from(self.completed().count()).unwrap_or(u32::MAX),
            cost,
            tokens: tokens.total(),
        })
    }

    /// How this session, which builds a lane, has ended; `None` when it builds none.
    pub(in crate::flow) fn lane_built(&self, effect: u32) -> Option<LaneBuilt> {
        let told = self.lane_told()?;
        let plan = self.opening.lane_of.as_ref().map(|of| approval::hash(&self.opening.goal, &of.plan));
        let is_raced = plan.as_ref() == Some(&self.hash);
        let tree = self.built_tree().filter(|_| is_raced);
        let changed_plan = || "Its plan was changed, so it can't be compared.".to_owned();
        let unbuilt = tree.is_none().then(|| if is_raced { self.why_unbuilt() } else { changed_plan() });
        let changed = set(self.completed().flat_map(|one: &Feature| self.changed_by(&one.id)).cloned());
        Some(LaneBuilt {
            effect,
            told,
            session: self.directory.name.clone().unwrap_or_default(),
            tree,
            unbuilt,
            changed: changed.into_iter().collect(),
            moved: self.moved_outside().to_vec(),
        })
    }

    /// The tree with which the last feature was completed, if all of them are complete.
    fn built_tree(&self) -> Option<TreeId> {
        let latest = self.features.get(self.latest.as_deref()?)?;
        latest.tree().cloned().filter(|_| self.is_complete())
    }

    fn why_unbuilt(&self) -> String {
        let blocked = self.features.values().find_map(|one| one.recovery());
        let why = self.recovery.as_ref().or(blocked);
        why.map_or_else(|| "The lane isn't complete.".to_owned(), |why: &Recovery| why.message.clone())
    }
}

/// The session that builds this lane of this race from this tree, if there is one: the latest that this machine has written.
pub fn session_of_lane(race: &str, lane: &str, base: &TreeId, stored: &[Found]) -> Option<String> {
    let is_it = |found: &&Found| {
        found.summary.as_ref().is_some_and(|summary| {
            let of = summary.own.lane_of.as_ref();
            summary.origin == Origin::Here
                && of.is_some_and(|of| of.race == race && of.lane == lane && of.base.as_ref() == Some(base))
        })
    };
    let found = stored.iter().filter(is_it).max_by(|one, other| one.name.cmp(&other.name))?;
    Some(found.name.clone())
}

/// A lane that may be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneToTake"))]
pub struct LaneToTake {
    /// The lane.
    pub lane: String,
    /// The name of its session.
    pub session: String,
    /// The tree with which it was compared.
    pub frozen: TreeId,
}

impl Session {
    /// The lane that the user wants to take.
    pub(in crate::flow) fn lane_to_take(&self, named: &str) -> Result<LaneToTake, Recovery> {
        let named = named.trim().to_ascii_lowercase();
        self.not_archived()?;
        self.at_rest()?;
        let Some(race) = &self.race else {
            let (hint, command) = self.way_on();
            return Err(Recovery::new(
                FlowCode::RaceNone,
                RecoveryStage::Session,
                "No race has been run here.",
            )
            .takes("a session whose race is over")
            .next(hint, command));
        };
        let frozen = race.frozen();
        let lane = |(index, tree): &(usize, TreeId)| {
            let lane = &race.lanes[*index];
            (lane.entrant.lane == named).then(|| LaneToTake {
                lane: named.clone(),
                session: lane.session.clone(),
                frozen: tree.clone(),
            })
        };
        frozen.iter().find_map(lane).ok_or_else(|| {
            let known: Vec<&str> =
                frozen.iter().map(|(index, _)| race.lanes[*index].entrant.lane.as_str()).collect();
            let takes = match known[..] {
                [] => "a lane that was completed".to_owned(),
                _ => format!("one of the lanes that were compared: {}", known.join(", ")),
            };
            let message = format!("The race has no lane {named:?} that was completed.");
            let command = known
                .first()
                .map_or_else(|| "/flow-status".to_owned(), |lane| format!("/flow-race take {lane}"));
            Recovery::new(FlowCode::RaceNotCompared, RecoveryStage::Session, message)
                .takes(takes)
                .next("/flow-status shows the lanes.", command)
        })
    }
}
