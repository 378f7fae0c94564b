//! What the kernel's protocol carries in Flow: how a session opens, what happens in one, and its effects.
//!
//! A job is called `plan:<n>`, `work:<feature>:<n>` or `review:<feature>:<n>`; `n` counts from 1 over the whole session. Effects
//! are numbered in the same way, and an answer names the effect's number.

use super::chosen::Chosen;
use super::feedback::ProjectRule;
use super::feedback::added::Added;
use super::fix::Fix;
use super::git_record::GitRecord;
use super::leave::ShellRules;
use super::links::{Link, Links};
use super::mutants::Faultless;
use super::mutator_report::MutatorSeen;
use super::race::{Entrant, LaneOf};
use super::test_files::TestFile;
use super::test_settings::TestSetting;
pub use super::tree::TreeId;
use super::tree::{read_unless_empty, write_or_empty};
use crate::design_lab::config::FlowSettings;
use crate::shared::Rules;
use crate::shared::expected::Expected;
use crate::shared::prices;
use crate::shared::ran::Ran;
use kernel::json::Deserialize;
use kernel::protocol::ModelFacts;
use serde::Serialize;

/// An event of a session.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// What happened in a session.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// What the shell has to do for a session.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, Effect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// The workflow's name in its journals.
pub(super) const WORKFLOW: &str = "flow";

/// The rules of new sessions. Since 1, only a reviewer's own approval approves, and a finding is refuted only by a run that was
/// seen to execute its reproducer. Since 2, the checks of every feature have to pass in a copy of its tree, and the reviewer reads
/// such a copy. Since 3, a check that is a test runner has to print its summary, files count as tests if runners name them so, the
/// checks run once on the files from before the feature, and a plan in which no check decides anything needs a person. Since 4,
/// commands in a copy have their own home, temp directory and settings, and the files are looked at even if a worker gave up. Since
/// 5, small faults are tried in each feature, checks that notice none of them decide nothing, and there may be an exam. Since 6,
/// results of faults and exams count only for what they were made with, and a fault that may have been noticed blocks nothing. Since 7,
/// commands in a copy have no network but their own loopback, unless the settings give them one. Since 8, the user is asked about the
/// expected cost of features that are built without asking. Since 9, a reviewer first answers for the change, then for its criteria
/// group by group.
pub const RULES: u32 = 9;

/// How a session begins: everything that it depends on except the models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowOpening"))]
pub struct Opening {
    /// [`kernel::protocol::JOURNAL_VERSION`].
    pub version: u32,
    /// The workflow.
    pub workflow: String,
    /// The rules by which answers are accepted.
    #[serde(default, skip_serializing_if = "Rules::are_oldest")]
    #[cfg_attr(test, ts(optional, as = "Option<Rules>"))]
    pub acceptance: Rules,
    /// The package's version.
    pub package: String,
    /// The user's local date, `YYYY-MM-DD`, with which the session's name begins.
    pub date: String,
    /// What the user wants built.
    pub goal: String,
    /// The ranked design that it is built from; `None` when there is only a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Box<Chosen>>,
    /// The findings of a validation that it fixes; `None` when it fixes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fix: Option<Box<Fix>>,
    /// The lanes that build this plan side by side; empty when it isn't raced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Entrant>>"))]
    pub race: Vec<Entrant>,
    /// The race for which this session builds a lane; `None` when it is none of its lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub lane_of: Option<Box<LaneOf>>,
    /// The models that are asked.
    pub models: Models,
    /// Sentences that the user should read, such as which models were picked and why.
    pub notes: Vec<String>,
    /// The prices that the host's catalogue has for the models in use.
    pub prices: Vec<ModelFacts>,
    /// Flow's part of the user's configuration.
    pub settings: FlowSettings,
    /// Whether the whole goal is built without asking the user.
    pub automatic: bool,
    /// The rules that decide: [`RULES`] of the day on which the session began, or 0 in sessions from before the rules were
    /// numbered, whose journals keep their meaning.
    #[serde(default)]
    pub rules: u32,
    /// The expected cost of the plan; `None` when there was no forecast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub expected: Option<Expected>,
    /// The user's rules for a worker's shell commands; `None` in sessions from before these rules applied to checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shell_rules: Option<ShellRules>,
    /// The rules of the project when the session began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<ProjectRule>>"))]
    pub project_rules: Vec<ProjectRule>,
    /// The seed of the jitter of pauses, below 2^53.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
}

impl Opening {
    /// The result of a check by the rules of this session.
    pub(super) fn heard(&self, argv: &[String], ran: Ran) -> Ran {
        if self.rules >= 3 { ran.heard_of(argv) } else { ran }
    }
}

impl kernel::workflow::Opening for Opening {
    fn version(&self) -> u32 {
        self.version
    }

    fn workflow(&self) -> &str {
        &self.workflow
    }
}

/// The model for each role, as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowModels"))]
pub struct Models {
    /// Drafts plans.
    pub planner: String,
    /// Changes files.
    pub worker: String,
    /// Reviews the worker's changes.
    pub reviewer: String,
    /// Writes the exam; `None` when the reviewer's model does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub examiner: Option<String>,
}

impl Models {
    /// Every role with its model.
    pub(super) fn roles(&self) -> Vec<(&'static str, Vec<&String>)> {
        let Self { planner, worker, reviewer, examiner } = self;
        let asked = [("planner", Some(planner)), ("worker", Some(worker)), ("reviewer", Some(reviewer))];
        let asked = asked.into_iter().chain([("examiner", examiner.as_ref())]);
        asked.filter_map(|(role, model)| Some((role, vec![model?]))).collect()
    }

    /// The model that writes the exam.
    pub(super) fn examiner(&self) -> &String {
        self.examiner.as_ref().unwrap_or(&self.reviewer)
    }

    /// The roles and their models in a sentence, before any of them is asked.
    pub(super) fn wording(&self) -> String {
        let Self { planner, worker, reviewer, examiner } = self;
        let examines = examiner.as_ref().map(|model| format!(", {model} writes exams")).unwrap_or_default();
        format!("Models: {planner} plans, {worker} builds, {reviewer} reviews{examines}.")
    }

    pub(super) fn all(&self) -> Vec<&String> {
        self.roles().into_iter().flat_map(|(_, models)| models).collect()
    }

    /// The known facts about the models, as far as the catalogue has them.
    pub(super) fn known(&self, settings: &FlowSettings, catalogue: &[ModelFacts]) -> Vec<ModelFacts> {
        prices::facts(&self.all(), catalogue, &settings.prices)
    }

    /// Why the cap in dollars can't be enforced, in words; `None` when it can, or there is none.
    pub(super) fn void_cap(&self, settings: &FlowSettings, known: &[ModelFacts]) -> Option<String> {
        prices::void_cap("flow.budget", &settings.budget.of_session(), &self.all(), known)
    }
}

/// The purpose of a child session, which decides its agent: `flow-planner`, `flow-worker`, `flow-reviewer` or `flow-examiner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowRole"))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Drafts a plan; only reads.
    Planner,
    /// Builds a feature; may edit files and run commands.
    Worker,
    /// Reviews a feature; only reads.
    Reviewer,
    /// Writes tests for what was built; only reads.
    Examiner,
}

impl Role {
    /// Whether its tools read a copy of the checked files, and its instructions come from before the feature.
    pub fn reads_copy(self) -> bool {
        matches!(self, Self::Reviewer | Self::Examiner)
    }
}

/// What happens in a session in addition to the events of any run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowDecision"))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// The user wants another draft of the plan. Voids the approval.
    Revised {
        /// What should change, in the user's words.
        remarks: String,
        /// The expected cost of the draft; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// The user approved the plan.
    Approved {
        /// The whole hash of the plan that was approved.
        hash: String,
        /// Who approved it.
        by: Approver,
    },
    /// The user narrowed the draft to these features and everything that they need.
    Selected {
        /// Their ids.
        features: Vec<String>,
    },
    /// The user took a feature back, and with it every feature that needs it.
    Reset {
        /// Its id.
        feature: String,
    },
    /// The user archived the session.
    Archived,
    /// The user wants the whole goal built without being asked.
    Automatic {
        /// The expected cost of that; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// The user wants this feature built.
    Started {
        /// Its id.
        feature: String,
        /// The expected cost of that; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// Flow's part of the user's configuration, or the user's rules for shell commands, changed. The new ones apply from here on.
    Configured {
        /// The configuration now.
        settings: Box<FlowSettings>,
        /// Whether the session continues with it in a new process, as with [`kernel::protocol::EventKind::Resumed`].
        resumes: bool,
        /// The rules now; `None` when they are unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        shell_rules: Option<ShellRules>,
        /// The rules of the project now; `None` when they are unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        project_rules: Option<Vec<ProjectRule>>,
    },
    /// The user confirmed or removed a rule of the project while the session was at work.
    Ruled {
        /// The rules now.
        project_rules: Vec<ProjectRule>,
    },
    /// The user approved the plan and wants it built in every lane of the race.
    Raced {
        /// The whole hash of the plan that was approved.
        hash: String,
        /// The expected cost of all lanes; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// A lane of the race has completed another feature.
    LaneTold(LaneTold),
    /// The answer to [`Effect::BuildLane`].
    LaneBuilt(Box<LaneBuilt>),
    /// The user took the result of this lane of the race.
    LaneTaken {
        /// The lane.
        lane: String,
    },
    /// The answer to [`Effect::TakeTree`].
    TreeTaken(Box<TreeTaken>),
    /// The answer to [`Effect::MakeLane`].
    LaneMade(Box<LaneMade>),
    /// The user wants the result of the lane in the project, or to see first what that would change.
    TakeWanted {
        /// The typed part of the hash of what was shown; `None` to be shown it.
        hash: Option<String>,
        /// The tree that the lane had when its race compared it, which is the only one that may be taken; `None` outside a race.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        frozen: Option<TreeId>,
    },
    /// The answer to [`Effect::WeighTake`].
    TakeWeighed(Box<Weighed>),
    /// The answer to [`Effect::Take`].
    Taken(Box<Taken>),
    /// The answer to [`Effect::RunCheck`].
    CheckFinished(Box<CheckFinished>),
    /// The answer to [`Effect::RunApart`].
    RanApart(Box<RanApart>),
    /// The answer to [`Effect::Mutate`].
    Mutated(Box<Mutated>),
    /// The answer to [`Effect::Examine`].
    Examined(Box<Examined>),
    /// An effect could not be done at all: for example, no tree could be taken, or a file could not be written.
    EffectFailed {
        /// The effect's number.
        effect: u32,
        /// Why, in a sentence for people.
        message: String,
    },
}

/// The observed state of the files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTreeTaken"))]
pub struct TreeTaken {
    /// The effect's number.
    pub effect: u32,
    /// The tree.
    pub tree: TreeId,
    /// The paths that differ from the effect's `since` tree, from the root of the tree, sorted; empty if the effect has no
    /// `since`.
    pub changed: Vec<String>,
    /// What happened to the tests in those paths that may hold any, by path; empty if no earlier state is kept.
    pub tests: Vec<TestFile>,
    /// The changed settings in them that decide how tests run, in files that also hold much else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<TestSetting>>"))]
    pub test_settings: Vec<TestSetting>,
    /// The processes that the worker had left running and that were ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<EndedProcess>>"))]
    pub ended: Vec<EndedProcess>,
    /// Whether the copy that the reviewer read has changed since it was made: something touched it, or it is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub unsealed: bool,
    /// What git has on record; `None` when there is no repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub recorded: Option<Box<GitRecord>>,
    /// What copies would get as links; empty if the effect asks for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Link>>"))]
    pub links: Vec<Link>,
    /// What OpenCode loads when it starts, in the project and in the user's own directories: its settings, agents, commands and
    /// plugins. `changed` is what differs from the last look of the same process. `None` in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub loaded: Option<Vec<Link>>,
    /// The patch's path, from the root of the tree; `None` when nothing differs, the effect didn't ask for it, or there is no
    /// git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undo: Option<String>,
    /// The user's project, in a session that works in a lane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub outside: Option<Box<Outside>>,
    /// What the files add, compared with the effect's base, of that which its rules forbid; `None` when the effect has no base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub added: Option<Box<Added>>,
    /// Whether the project's file of rules holds other rules than the session: then something other than the user's own
    /// `/flow-feedback` in this process changed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub rules_differ: bool,
}

/// What was observed of the user's project while a worker worked in a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowOutside"))]
pub struct Outside {
    /// Its tree.
    pub tree: TreeId,
    /// The paths that differ from the effect's `outside_since` tree, from the root of the tree, sorted; empty without one.
    pub changed: Vec<String>,
    /// What git has on record there.
    pub recorded: Option<Box<GitRecord>>,
}

/// A lane that was made, or why it could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneMade"))]
pub struct LaneMade {
    /// The effect's number.
    pub effect: u32,
    /// Why there is no lane, in a sentence for people; `None` when there is one.
    pub unprepared: Option<String>,
    /// Its absolute path: the root of its tree.
    pub directory: String,
    /// The tree from which it was made; empty when there is no lane.
    #[serde(deserialize_with = "read_unless_empty", serialize_with = "write_or_empty")]
    #[cfg_attr(test, ts(type = "string"))]
    pub tree: Option<TreeId>,
    /// How many files it has.
    pub files: u32,
    /// Their size in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: u64,
    /// The ignored paths that it has as links to the project's, from the root of the tree, sorted.
    pub linked: Vec<String>,
    /// The ignored paths from which OpenCode loads its settings and that it has as copies, in the same form.
    pub copied: Vec<String>,
}

/// What a lane of a race has done so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneTold"))]
pub struct LaneTold {
    /// The lane.
    pub lane: String,
    /// How many of its features are complete.
    pub complete: u32,
    /// What its models have cost so far, in US dollars.
    pub cost: f64,
    /// The tokens that they have used so far.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
}

/// How a lane of a race ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowLaneBuilt"))]
pub struct LaneBuilt {
    /// The effect's number.
    pub effect: u32,
    /// What it has done.
    #[serde(flatten)]
    pub told: LaneTold,
    /// The session that built it.
    pub session: String,
    /// The tree with which every feature was completed; `None` when the lane isn't complete.
    pub tree: Option<TreeId>,
    /// Why the lane isn't complete, in a sentence; `None` when it is.
    pub unbuilt: Option<String>,
    /// The paths that differ from the tree from which it was made, sorted.
    pub changed: Vec<String>,
    /// The paths of the project that changed while its workers worked, sorted.
    pub moved: Vec<String>,
}

/// What taking the result of a lane would change in the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowWeighed"))]
pub struct Weighed {
    /// The effect's number.
    pub effect: u32,
    /// The project's tree now.
    pub project: TreeId,
    /// The lane's tree now.
    pub lane: TreeId,
    /// The tree with both sets of changes; `None` when they conflict.
    pub merged: Option<TreeId>,
    /// The paths with conflicts, from the root of the tree, sorted.
    pub conflicts: Vec<String>,
    /// The paths in which the merged tree differs from the project's, in the same form.
    pub changed: Vec<String>,
    /// The paths in which the project differs from the tree that the effect names, in the same form.
    pub moved: Vec<String>,
    /// The paths in which the lane differs from what was checked last, in the same form.
    pub unchecked: Vec<String>,
}

/// The lane's result in the project, or why it isn't there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(Default, ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTaken"))]
pub struct Taken {
    /// The effect's number.
    pub effect: u32,
    /// The project's tree afterwards.
    pub tree: TreeId,
    /// The paths that something else has changed meanwhile, from the root of the tree, sorted. If there is one, nothing was
    /// written.
    pub refused: Vec<String>,
    /// The patch that restores the earlier files, as a path from the root of the tree; `None` when nothing differs.
    pub undo: Option<String>,
}

/// A process that was ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowEndedProcess"))]
pub struct EndedProcess {
    /// Its number.
    pub pid: u32,
    /// Its program and arguments.
    pub command: Vec<String>,
}

/// Who approved a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowApprover"))]
#[serde(rename_all = "lowercase")]
pub enum Approver {
    /// The user, by typing its hash.
    User,
    /// Nobody: the user wanted the goal built without being asked.
    Autonomous,
}

/// The observed result of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowCheckFinished"))]
pub struct CheckFinished {
    /// The effect's number.
    pub effect: u32,
    /// The tree just before the command started.
    pub tree_before: TreeId,
    /// The tree after the command, and everything that it started, had ended.
    pub tree_after: TreeId,
    /// The paths that differ between the two, from the project's root, sorted.
    pub changed: Vec<String>,
    /// The files of the tree that were touched meanwhile, including those whose contents are the same again, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub touched: Vec<String>,
    /// The command's result.
    pub ran: Ran,
}

/// What was observed in a copy of the project's files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowRanApart"))]
pub struct RanApart {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
    pub unprepared: Option<String>,
    /// The ignored paths that the copy had through a link, from the root of the tree, sorted.
    pub linked: Vec<String>,
    /// The same, in their state just before the commands; empty if the effect doesn't ask for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Link>>"))]
    pub links: Vec<Link>,
    /// The result of each command, in the effect's order; empty if there was no copy.
    pub runs: Vec<Ran>,
    /// The files of the copy that had been touched by the end of each command, sorted; empty if no file was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Vec<String>>>"))]
    pub touched: Vec<Vec<String>>,
    /// What was [above](super::above) the copy, as absolute paths, sorted; empty if nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub above: Vec<String>,
    /// Whether the commands had the network, although they should have been cut off from it: this system can't do that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub online: bool,
    /// The tree's links to places outside it, from its root: the copy lacks them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub outside: Vec<String>,
    /// The seal of the copy that the reviewer reads, which changes as soon as anything in the copy is touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seal: Option<String>,
}

/// What was observed of mutants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutated"))]
pub struct Mutated {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
    pub unprepared: Option<String>,
    /// What was tried, in order.
    pub tried: Vec<TriedMutant>,
    /// How many were not tried because the time was up.
    pub left: u32,
    /// The result of each command with unreadable text in the files that get faults. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Ran>>"))]
    pub broken: Vec<Ran>,
    /// The result of each command at the end, with the files as they are. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Ran>>"))]
    pub after: Vec<Ran>,
    /// The changed files without a fault. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Faultless>>"))]
    pub without: Vec<Faultless>,
    /// The result of the user's tool; `None` when the effect names none. If it has a usable result, nothing else was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub mutator: Option<MutatorSeen>,
    /// How long all of it took, in whole milliseconds.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
}

/// A mutant that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTriedMutant"))]
pub struct TriedMutant {
    /// The file, from the root of the tree.
    pub path: String,
    /// The first line that differs, counted from 1.
    pub line: u32,
    /// What differs, in words.
    pub change: String,
    /// The result of each command, in the effect's order, without its output.
    pub runs: Vec<Ran>,
    /// Whether a command touched a file of the copy, in which case the result shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub touched: bool,
}

/// What was observed of an exam.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamined"))]
pub struct Examined {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` when there was one.
    pub unprepared: Option<String>,
    /// The result of each command of `before`.
    pub before: Vec<Ran>,
    /// The result of each test, in the effect's order; empty without a copy.
    pub tests: Vec<ExamSeen>,
}

/// What was observed of a test of an exam.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamSeen"))]
pub struct ExamSeen {
    /// What the project has at the test's path.
    pub place: ExamPlace,
    /// The results of its command with the test, run twice; empty if it was not run.
    pub runs: Vec<Ran>,
    /// The result of its command with the test on the files from before; `None` when it was not run there.
    pub before: Option<Ran>,
    /// Whether a command touched a file of the copy, in which case the result shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub touched: bool,
}

/// What the project has at the path of an exam's test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamPlace"))]
#[serde(rename_all = "lowercase")]
pub enum ExamPlace {
    /// Nothing: the test was added to the copy.
    #[default]
    Free,
    /// Exactly that test.
    Same,
    /// Another version of the test, which it replaced in the copy.
    Replaced,
    /// A different file, which stays unchanged.
    Other,
}

/// What is done in a session in addition to asking models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowEffect"))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Effect {
    /// Take the tree. Answer with `tree_taken` or `effect_failed`.
    TakeTree {
        /// Its number.
        effect: u32,
        /// An earlier tree of this session to compare with.
        since: Option<TreeId>,
        /// Whether a worker's turn is over, so that what its shells left running is ended first.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        ends_work: bool,
        /// The seal of a copy that a reviewer has read and that is no longer needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seal: Option<String>,
        /// The ignored paths, by name or path, that copies get through a link, if a feature is starting; their state has to be
        /// reported.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
        link: Vec<String>,
        /// Where to keep the patch from this tree back to `since`, below the session's directory; `None` when it isn't needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        undo: Option<String>,
        /// In a lane, the project's tree at the last look, to report what differs from it now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        outside_since: Option<TreeId>,
        /// The rules that the session holds its models to; `None` when there are none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        hold: Option<Box<Hold>>,
    },
    /// Make the session's lane from the project's files as they are. Answer with `lane_made` or `effect_failed`. After a crash this
    /// may be requested again. A lane that exists is moved aside.
    MakeLane {
        /// Its number.
        effect: u32,
        /// The tree from which it is made instead, which the session of the race has; `None` outside a race.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        from: Option<TreeId>,
        /// The ignored paths, by name or path, that it gets as links. Empty if `setup` prepares it.
        link: Vec<String>,
        /// The command that prepares it: program and arguments; empty if there is none.
        setup: Vec<String>,
    },
    /// Open the session of a lane, or continue it if there is one, until it can't continue by itself. Then keep the objects of its
    /// trees in this session. Answer with `lane_built` or `effect_failed`. After a crash this may be requested again.
    BuildLane {
        /// Its number.
        effect: u32,
        /// The lane.
        lane: String,
        /// How its session opens.
        opening: Box<Opening>,
    },
    /// Look what taking the lane's result would change in the project, without changing anything. Answer with `take_weighed` or
    /// `effect_failed`.
    WeighTake {
        /// Its number.
        effect: u32,
        /// The tree that the lane and the project had in common last.
        base: TreeId,
        /// The lane's tree that was checked last; `None` when none was.
        checked: Option<TreeId>,
    },
    /// Write the difference between two trees to the project, after a patch that undoes it. Answer with `taken` or `effect_failed`.
    /// After a crash this may be requested again, and then completes what was begun.
    Take {
        /// Its number.
        effect: u32,
        /// The project's tree before.
        from: TreeId,
        /// The project's tree afterwards.
        to: TreeId,
        /// Where to keep the patch, below the session's directory.
        undo: String,
    },
    /// Run a command in the project's directory, without adding a shell, and with empty input. Take the tree before and after, stop
    /// the command and everything that it started once its time is up, and keep its whole output in the file. Answer with
    /// `check_finished` or `effect_failed`. After a crash this may be requested again, and then overwrites the file.
    RunCheck {
        /// Its number.
        effect: u32,
        /// The check's id.
        check: String,
        /// The command: program and arguments.
        argv: Vec<String>,
        /// Milliseconds that it may take.
        #[cfg_attr(test, ts(type = "number"))]
        timeout_ms: u64,
        /// Where its output goes, below the session's directory.
        output: String,
    },
    /// Run commands, one after another, in a copy of the files of a tree: a separate directory that holds nothing else and is
    /// removed afterwards. Answer with `ran_apart` or `effect_failed`. After a crash this may be requested again.
    RunApart {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// What is put over the copy.
        over: Overlay,
        /// The ignored paths, by name or path, that the copy gets as links. Empty if `setup` prepares a copy.
        link: Vec<String>,
        /// The command that prepares the copy: program and arguments; empty if there is none.
        setup: Vec<String>,
        /// The commands.
        runs: Vec<ApartRun>,
        /// Whether they run in a clean room ([`super::clean_room`]) instead of the user's environment.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        clean: bool,
        /// Whether they are cut off from the network; they have a loopback of their own.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        offline: bool,
        /// What copies had as links when the feature started, to report what changed since. `None` when no feature is being built.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        began_with: Option<Links>,
        /// Whether a reviewer is asked next: a copy for its tools is made as well, and its seal reported.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        review: bool,
    },
    /// Run commands in a copy of the files of a tree, once with each of its [mutants](super::mutants): one file has a small fault
    /// and is restored afterwards. Start no further mutant once the time is up. Answer with `mutated` or `effect_failed`. After a
    /// crash this may be requested again.
    Mutate {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// The tree before the feature.
        base: TreeId,
        /// The changed files that aren't tests, from the root of the tree.
        paths: Vec<String>,
        /// How many mutants there may be.
        most: u32,
        /// The time limit for all of it, in milliseconds, once the first `least` of them were tried.
        #[cfg_attr(test, ts(type = "number"))]
        budget_ms: u64,
        /// How many are tried, however long they take.
        least: u32,
        /// As in [`Effect::RunApart`].
        link: Vec<String>,
        /// As in [`Effect::RunApart`].
        setup: Vec<String>,
        /// The commands. For each mutant, the output of each goes into a separate file, with the mutant's number, counted from 1,
        /// before the end of the name.
        runs: Vec<ApartRun>,
        /// As in [`Effect::RunApart`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        clean: bool,
        /// As in [`Effect::RunApart`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        offline: bool,
        /// The user's tool, which runs first, in a separate copy: mutants are tried only if it gives no usable result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        mutator: Option<MutatorRun>,
    },
    /// Run the tests of an exam, one at a time: add each to a copy of the files of a tree, run its command there twice, and restore
    /// the copy. Then do the same once in a copy of the files from before, where the commands of `before` run first without any of
    /// the tests. Each run has its own clean room. Answer with `examined` or `effect_failed`. After a crash this may be requested
    /// again.
    Examine {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// The tree before the change that is examined.
        base: TreeId,
        /// As in [`Effect::RunApart`].
        link: Vec<String>,
        /// As in [`Effect::RunApart`].
        setup: Vec<String>,
        /// Each command of the tests, once.
        before: Vec<ApartRun>,
        /// The tests.
        tests: Vec<ExamRun>,
        /// As in [`Effect::RunApart`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        offline: bool,
    },
}

/// The rules that a session holds its models to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowHold"))]
pub struct Hold {
    /// The tree before the feature; `None` when it isn't known yet, so that nothing is compared.
    pub base: Option<TreeId>,
    /// The rules.
    pub rules: Vec<ProjectRule>,
}

/// A test of an exam, and the command that runs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamRun"))]
pub struct ExamRun {
    /// The test's file, from the root of the tree.
    pub path: String,
    /// The file's contents.
    pub text: String,
    /// Whether the path was free before the worker saw the test, so that a file there now must make way for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub replaces: bool,
    /// The command. The output of each run goes into a separate file, with `-1`, `-2` or `-before` before the end of the name.
    pub run: ApartRun,
}

/// What is put over a copy of the project's files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowOverlay"))]
#[serde(tag = "overlay", rename_all = "snake_case")]
pub enum Overlay {
    /// Nothing.
    #[default]
    Nothing,
    /// Files as they are in another tree; those that it doesn't have are removed.
    Paths {
        /// The tree.
        tree: TreeId,
        /// The files, from the root of the tree.
        paths: Vec<String>,
    },
    /// A file with this text.
    File {
        /// The file, from the root of the tree.
        path: String,
        /// The file's contents.
        text: String,
    },
}

/// A command that is run in a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowApartRun"))]
pub struct ApartRun {
    /// The check's id.
    pub check: String,
    /// The command: program and arguments.
    pub argv: Vec<String>,
    /// Milliseconds that it may take.
    #[cfg_attr(test, ts(type = "number"))]
    pub timeout_ms: u64,
    /// Where its output goes, below the session's directory.
    pub output: String,
}

/// A mutation testing tool that is run in a copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutatorRun"))]
pub struct MutatorRun {
    /// The command: program and arguments.
    pub argv: Vec<String>,
    /// Where it writes its report, relative to the project's directory.
    pub report: String,
    /// Milliseconds that it may take.
    #[cfg_attr(test, ts(type = "number"))]
    pub timeout_ms: u64,
    /// Where its output goes, below the session's directory.
    pub output: String,
}

impl Effect {
    /// Its number.
    pub fn number(&self) -> u32 {
        match self {
            Self::TakeTree { effect, .. }
            | Self::MakeLane { effect, .. }
            | Self::BuildLane { effect, .. }
            | Self::WeighTake { effect, .. }
            | Self::Take { effect, .. }
            | Self::RunCheck { effect, .. }
            | Self::RunApart { effect, .. }
            | Self::Mutate { effect, .. }
            | Self::Examine { effect, .. } => *effect,
        }
    }
}
