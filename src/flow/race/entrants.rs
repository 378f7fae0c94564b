//! Who races: the lanes of a race as its session opens, and a lane as the session of the lane opens.

use crate::flow::chosen::Chosen;
use crate::flow::plan::Plan;
use crate::flow::tree::TreeId;
use kernel::json::Deserialize;
use serde::Serialize;

/// A lane of a race, before it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowEntrant"))]
pub struct Entrant {
    /// Its name: a letter.
    pub lane: String,
    /// The model that builds it: `provider/model`.
    pub worker: String,
    /// The design that its worker follows; `None` when there is only the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub design: Option<Box<Chosen>>,
}

impl Entrant {
    /// What tells it from the others, for people.
    pub(in crate::flow) fn wording(&self) -> String {
        match &self.design {
            Some(chosen) => format!("{} ({})", chosen.design_id, self.worker),
            None => self.worker.clone(),
        }
    }
}

/// The race for which a session builds a lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneOf"))]
pub struct LaneOf {
    /// The name of the session that is the race.
    pub race: String,
    /// The lane.
    pub entrant: Entrant,
    /// The tree from which every lane of the race is made; `None` when only the cost of the lane is foreseen.
    pub base: Option<TreeId>,
    /// The plan that every lane builds.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub plan: Plan,
    /// The commands that the user's rules ask about and that the approval of the race permits: program and arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Vec<String>>>"))]
    pub leave: Vec<Vec<String>>,
}

/// A lane in a few facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneFacts"))]
pub struct LaneFacts {
    /// The name of the session that is its race.
    pub race: String,
    /// The lane.
    pub lane: String,
    /// The tree from which every lane of the race is made.
    pub base: Option<TreeId>,
}

impl LaneFacts {
    pub(in crate::flow) fn of(lane: &LaneOf) -> Self {
        Self { race: lane.race.clone(), lane: lane.entrant.lane.clone(), base: lane.base.clone() }
    }
}
