//! The expected cost of a command of Flow, before its first call: from the length of what it sends, and from what the same models
//! used for earlier plans and features. It is kept in the journal, so that a session shows the same forecast when it is read again.

use super::code::FlowCode;
use super::protocol::{Approver, Opening, Role};
use super::reached::Reached;
use super::recovery::{Recovery, RecoveryStage};
use super::review_parts::further_parts;
use super::session::{Commands, FeatureState, Phase, Session};
use super::stored::Found;
use crate::design_lab::config::ExamPolicy;
use crate::random;
use crate::shared::expected::{EarlierRuns, Expected};
use kernel::drive;
use kernel::json::Deserialize;
use kernel::protocol::{Outcome, Tone};
use kernel::workflow::Workflow as _;
use serde::Serialize;

/// The note next to the price of a plan that is built without asking.
const AUTOMATIC: &str =
    "This leaves out the cost of the features, which is estimated when the plan is ready.";

/// What a session has used so far, for the forecasts of others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowPast"))]
pub struct Past {
    /// A number that is the same for sessions with the same models.
    #[cfg_attr(test, ts(type = "number"))]
    pub models: u64,
    /// What each draft of a plan used.
    pub plans: Vec<Took>,
    /// What each completed feature used.
    pub features: Vec<Took>,
}

/// The tokens and cost of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTook"))]
pub struct Took {
    /// Tokens of every kind.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// US dollars.
    pub cost: f64,
}

/// The forecast for the command that started last, and what had been spent before it.
#[derive(Clone, Debug)]
pub(super) struct Foreseen {
    pub(super) expected: Expected,
    /// Whether the forecast covers only drafting.
    drafts: bool,
    before: Took,
}

/// The opening with the expected cost of its plan. `stored`: the sessions of the project.
pub fn foreseen(opening: Opening, stored: &[Found]) -> Opening {
    let session = Session::open(opening.clone(), 0);
    Opening { expected: Some(session.expected_of_draft(stored)), ..opening }
}

impl Session {
    /// What this session has used so far.
    pub(super) fn past(&self) -> Past {
        let took = |of: &dyn Fn(&super::session::Job) -> bool| {
            let mut sum = Took::default();
            for job in self.calls.jobs.iter().filter(|job| of(job)) {
                sum.tokens += job.ledger.tokens.total();
                sum.cost += job.ledger.cost;
            }
            sum
        };
        let drafts =
            self.calls.jobs.iter().filter(|job| job.part.role == Role::Planner && job.ledger.prompts > 0);
        let features = self.completed().map(|one| took(&|job| job.part.feature.as_deref() == Some(&one.id)));
        Past {
            models: self.number_of_models(),
            plans: drafts.map(|draft| took(&|job| job.id == draft.id)).collect(),
            features: features.collect(),
        }
    }

    fn number_of_models(&self) -> u64 {
        random::seed(&serde_json::to_string(&self.opening.models).unwrap_or_default())
    }

    fn earlier(&self, stored: &[Found], of: fn(&Past) -> &[Took]) -> Option<EarlierRuns> {
        let models = self.number_of_models();
        let pasts = stored.iter().filter_map(|found| Some(&found.summary.as_ref()?.own.past));
        let each = pasts.filter(|past| past.models == models).flat_map(of);
        EarlierRuns::of(each.map(|took| (took.tokens, took.cost)))
    }

    /// The expected cost of the next draft.
    fn expected_of_draft(&self, stored: &[Found]) -> Expected {
        let earlier = self.earlier(stored, |past| &past.plans);
        let mut sum = Expected { earlier, ..Expected::default() };
        let job = self.calls.jobs.iter().find(|job| Some(&job.id) == self.drafting.as_ref());
        if let Some(job) = job {
            sum.add(drive::estimate(self, job));
        }
        sum.asked_above(self.settings.confirm_usd)
    }

    /// The expected cost of another draft.
    pub(super) fn expected_of_revision(&self, remarks: &str, stored: &[Found]) -> Expected {
        let mut then = self.clone();
        then.revise(remarks.to_owned(), &mut Vec::new());
        then.expected_of_draft(stored)
    }

    /// The expected cost of a feature.
    pub(super) fn expected_of_feature(&self, feature: &str, stored: &[Found]) -> Expected {
        let earlier = self.earlier(stored, |past| &past.features);
        let mut sum = Expected { earlier, ..Expected::default() };
        self.clone().foresee(feature, &mut sum);
        sum.asked_above(self.settings.confirm_usd)
    }

    /// The expected cost of all features that aren't complete, or of the draft if the plan is drafted again first.
    pub(super) fn expected_of_the_rest(&self, stored: &[Found]) -> Expected {
        if self.objection().is_some() {
            return self.expected_of_revision("", stored);
        }
        let mut then = self.clone();
        let mut sum = Expected::default();
        let mut features = 0_u32;
        for feature in self.all_planned().filter(|one| self.state_of(&one.id) == FeatureState::Pending) {
            then.foresee(&feature.id, &mut sum);
            features += 1;
        }
        let earlier = self.earlier(stored, |past| &past.features);
        if let Some(earlier) = earlier.filter(|_| features > 0) {
            // The range is for one feature, so it is multiplied by the number of features.
            sum.earlier = Some(EarlierRuns {
                runs: earlier.runs,
                tokens: earlier.tokens.map(|tokens| tokens * u64::from(features)),
                cost: earlier.cost.map(|cost| cost * f64::from(features)),
            });
        }
        sum.asked_above(self.settings.confirm_usd)
    }

    /// The expected cost of all lanes of a race, and of its exam.
    pub(super) fn expected_of_race(&self) -> Expected {
        let mut sum = Expected::default();
        for entrant in &self.opening.race {
            let mut lane = Self::open(self.opening_of(entrant, None), 0);
            for feature in self.all_planned() {
                lane.foresee(&feature.id, &mut sum);
            }
        }
        if self.settings.exam != ExamPolicy::Off {
            let mut then = self.clone();
            let examiner = then.race_examiner();
            if let Some(job) = then.calls.jobs.iter().find(|job| job.id == examiner) {
                sum.add(drive::estimate(&then, job));
            }
        }
        sum.asked_above(self.settings.confirm_usd)
    }

    /// Goes through the calls of a feature as they happen if nothing fails, and leaves it complete.
    fn foresee(&mut self, feature: &str, sum: &mut Expected) {
        self.start(feature.to_owned(), &mut Vec::new());
        let worker = self.build.as_ref().map(|build| build.worker.clone());
        let mut asked = vec![worker];
        if self.exam_is_due() {
            asked.push(self.exam_job());
        }
        for whole in [false, true] {
            if !whole || self.needs_final_review() {
                asked.push(self.review_job(whole, None));
            }
        }
        for id in asked.into_iter().flatten() {
            let job = self.calls.jobs.iter().find(|job| job.id == id);
            let Some(job) = job else { continue };
            let mut last = drive::estimate(self, job);
            sum.add(last);
            for part in further_parts(job) {
                last = drive::estimate_after(self, &part, last.tokens);
                sum.add(last);
            }
        }
        self.build = None;
        if let Some(progress) = self.features.get_mut(feature) {
            progress.reached = Reached::Foreseen;
        }
    }

    // ---- a command starts ----

    /// Keeps the forecast for the command that is starting.
    pub(super) fn expect(&mut self, expected: Option<Expected>) {
        let (cost, tokens) = self.calls.spent();
        let before = Took { tokens: tokens.total(), cost };
        self.foreseen = expected.map(|expected| Foreseen { expected, drafts: self.plan.is_none(), before });
    }

    /// Starts a command after reporting its forecast; or asks the user first, and starts the command on a resume.
    pub(super) fn begin(
        &mut self,
        expected: Option<Expected>,
        commands: &mut Commands,
        begin: impl FnOnce(&mut Self, &mut Commands),
    ) {
        self.expect(expected);
        if self.question().is_some() {
            // The effects and calls that this requests are requested again when the session continues.
            begin(self, &mut Vec::new());
            self.wait_for_yes(commands);
            return;
        }
        self.say_what_is_expected(commands);
        begin(self, commands);
    }

    /// Builds a feature of a plan that was drafted without asking. The forecast of a goal covers only its plan, so the features are
    /// foreseen first. Sessions from before [`super::protocol::RULES`] 8 build at once.
    pub(super) fn begin_features(&mut self, first: String, commands: &mut Commands) {
        let only_plan = self.foreseen.as_ref().is_some_and(|foreseen| foreseen.drafts);
        if only_plan && self.opening.rules >= 8 {
            let expected = self.expected_of_the_rest(&[]);
            self.begin(Some(expected), commands, |session, commands| session.start(first, commands));
        } else {
            self.start(first, commands);
        }
    }

    pub(super) fn say_what_is_expected(&self, commands: &mut Commands) {
        let expected = self.told_before().map(|message| format!("Expected: {message}"));
        for message in self.models_again().into_iter().chain(expected) {
            commands.push(drive::line(Tone::Info, message));
        }
    }

    /// The models and their roles, if the chat named them only with the plan and no longer shows that; otherwise `None`.
    fn models_again(&self) -> Option<String> {
        let approval = self.approval.as_ref().filter(|approval| approval.by == Approver::User);
        approval.map(|_| self.opening.models.wording())
    }

    /// Why the user is asked before the first call; `None` when no confirmation is needed.
    pub(super) fn question(&self) -> Option<String> {
        self.foreseen.as_ref().and_then(|foreseen| foreseen.expected.question())
    }

    /// Ends in this process before any model is asked; resuming is the user's confirmation.
    pub(super) fn wait_for_yes(&mut self, commands: &mut Commands) {
        let wording = self.question().into_iter().chain(self.models_again());
        let message = wording.collect::<Vec<_>>().join(" ");
        let recovery = Recovery::new(FlowCode::RunWantsYes, RecoveryStage::Session, message)
            .takes("your approval, or a larger budget.confirm_usd")
            .next("Starts the work. /flow-reset session archives the session instead.", "/flow-resume");
        self.stop(Outcome::Waiting, recovery, commands);
    }

    /// Records that the user confirmed by resuming what was waiting.
    pub(super) fn take_yes(&mut self) {
        if let Some(foreseen) =
            self.foreseen.as_mut().filter(|_| self.phase == Phase::Resting(Outcome::Waiting))
        {
            foreseen.expected.above = None;
        }
    }

    fn told_before(&self) -> Option<String> {
        let Foreseen { expected, drafts, .. } = self.foreseen.as_ref()?;
        let what = if *drafts || self.drafting.is_some() {
            ["earlier plan", "earlier plans"]
        } else {
            ["earlier feature", "earlier features"]
        };
        let mut said = expected.sentence(what);
        if *drafts && self.automatic {
            said = format!("{said} {AUTOMATIC}");
        }
        let unpriced = self.without_price();
        if !unpriced.is_empty() {
            said = format!(
                "{said} OpenCode knows no price for {}, so these calls count as $0.",
                unpriced.join(", ")
            );
        }
        Some(said)
    }

    /// The forecast for the latest command, and at its end its actual cost; `None` when there was no forecast.
    pub(super) fn account_of_cost(&self) -> Option<String> {
        let Foreseen { expected, before, .. } = self.foreseen.as_ref()?;
        if !matches!(self.phase, Phase::Resting(outcome) if outcome != Outcome::Waiting) {
            return Some(format!("Expected: {}", self.told_before()?));
        }
        let (cost, tokens) = self.spent();
        let beside = expected.beside((cost - before.cost).max(0.0), tokens.saturating_sub(before.tokens));
        // Earlier steps had their own forecast, and count in the sum above.
        let part = if before.tokens > 0 { " for the latest step" } else { "" };
        Some(format!("Expected{part}: {beside}"))
    }
}
