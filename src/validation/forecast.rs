//! The expected cost of a validation before it asks a model, and the question to the user above a limit. The journal contains it, so
//! that a run gives the same account when it is read again.

use super::protocol::{Opening, Role};
use super::session::{Commands, Job, Part, Phase, Session, Turn};
use super::stage::Stage;
use super::stored::Found;
use crate::random;
use crate::shared::expected::{EarlierRuns, Expected};
use kernel::drive;
use kernel::protocol::{Outcome, Tone};
use kernel::workflow::Workflow as _;

/// The opening with the run's expected cost. `stored`: the runs of the project. A run that asks no model has no forecast.
pub fn foreseen(opening: Opening, stored: &[Found]) -> Opening {
    if opening.repeat.is_some() {
        return opening;
    }
    let mut session = Session::open(opening.clone(), 0);
    let alike = session.alike();
    let earlier = stored.iter().filter_map(|run| run.summary.as_ref()).filter(|run| {
        run.likeness == alike && matches!(run.outcome, Some(Outcome::Complete | Outcome::Partial))
    });
    let earlier = EarlierRuns::of(earlier.map(|run| (run.tokens.total(), run.cost)));
    let mut sum = Expected { earlier, ..Expected::default() };
    let stages = opening.scope.stages();
    let asked = [
        (Stage::Verify, Role::Verifier, Turn::Verify),
        (Stage::FlowAnalyze, Role::Analyst, Turn::Analyze),
        (Stage::TestPrep, Role::Tester, Turn::Tests),
    ];
    for (_, role, turn) in asked.into_iter().filter(|(stage, ..)| stages.contains(stage)) {
        session.ask(role, turn);
        let Some(job) = session.calls.jobs.last() else { continue };
        let mut last = drive::estimate(&session, job);
        sum.add(last);
        for next in further_criteria(job) {
            last = drive::estimate_after(&session, &next, last.tokens);
            sum.add(last);
        }
    }
    let expected = sum.asked_above(opening.settings.confirm_usd);
    Opening { expected: Some(expected), ..opening }
}

/// The requests about criteria that follow the first one, each as a job that makes it.
fn further_criteria(job: &Job) -> impl Iterator<Item = Job> {
    job.part.groups.iter().skip(1).map(|group| {
        let part = Part { groups: [group.clone()].into(), ..job.part.clone() };
        Job { in_conversation: true, ..Job::new(job.id.clone(), Turn::Criteria, part) }
    })
}

impl Session {
    /// A number that runs with the same models and the same scope share; 0 for a run that asks no model.
    pub(super) fn alike(&self) -> u64 {
        if self.opening.repeat.is_some() {
            return 0;
        }
        let models = (self.opening.scope, &self.opening.models);
        random::seed(&serde_json::to_string(&models).unwrap_or_default())
    }

    /// Reports the run's expected cost, or makes it wait for the user's approval.
    pub(super) fn begin_or_ask(&mut self, commands: &mut Commands) {
        if self.question().is_some() {
            self.phase = Phase::Resting(Outcome::Waiting);
            commands.push(Outcome::Waiting.finish(String::new()));
            return;
        }
        if let Some(message) = self.told_before() {
            let message = format!("Expected: {message}");
            commands.push(drive::line(Tone::Info, message));
        }
        self.enter(Stage::Verify, commands);
    }

    /// Whether the run waits for the user's approval of its expected cost.
    pub(super) fn awaits_yes(&self) -> bool {
        self.phase == Phase::Resting(Outcome::Waiting)
    }

    /// Why the user is asked before the first call; `None` when no approval is needed.
    pub(super) fn question(&self) -> Option<String> {
        self.opening.expected.as_ref().and_then(Expected::question)
    }

    fn told_before(&self) -> Option<String> {
        Some(self.opening.expected.as_ref()?.sentence(["run", "runs"]))
    }

    /// The forecast: before the end on its own, at the end next to the actual cost.
    pub(super) fn account_of_cost(&self) -> Option<String> {
        if !self.is_reported() {
            return self.told_before();
        }
        let (cost, tokens) = self.calls.spent();
        Some(self.opening.expected.as_ref()?.beside(cost, tokens.total()))
    }
}
