//! What the kernel's protocol carries in Flow: how a session is opened, what happens in one, and its effects.
//!
//! A job is called `plan:<n>`, `work:<feature>:<n>` or `review:<feature>:<n>`; `n` counts from 1 over the whole session.
//! Effects are numbered likewise, and answered by their number.

use super::chosen::Chosen;
use super::fix::Fix;
use super::git_record::GitRecord;
use super::leave::ShellRules;
use super::links::{Link, Links};
use super::mutator_report::MutatorSeen;
use super::test_files::TestFile;
use super::test_settings::TestSetting;
use crate::design_lab::config::FlowSettings;
use crate::shared::Rules;
use crate::shared::expected::Expected;
use crate::shared::prices;
use crate::shared::ran::Ran;
use kernel::protocol::ModelFacts;
use serde::{Deserialize, Serialize};

/// An event of a session.
pub type Event = kernel::protocol::Event<Opening, Decision>;
/// What happened in a session.
pub type EventKind = kernel::protocol::EventKind<Opening, Decision>;
/// What the shell has to do for a session.
pub type Command = kernel::protocol::Command<Role, Opening, Decision, Effect>;
/// A prompt.
pub type Ask = kernel::protocol::Ask<Role>;

/// What the journals of this workflow say they are of.
pub(super) const WORKFLOW: &str = "flow";

/// The rules of sessions that begin now. Since 1, only a reviewer's own approval approves, and a finding is refuted only by a run
/// that was seen to execute its reproducer. Since 2, the checks of every feature have to pass in a copy of its tree, and the reviewer
/// reads such a copy. Since 3, a check that is a runner of tests has to print its summary, files are tests as runners name them, the
/// checks run once on the files from before the feature, and a plan in which no check decides anything needs a person. Since 4, what
/// runs in a copy has a home, a temp directory and settings of its own, and the files are looked at also where a worker gave up. Since 5,
/// small faults are tried in each feature, checks that notice none of them decide nothing, and there may be an exam.
pub const RULES: u32 = 5;

/// The state of every file that git would not ignore, as one name: the same files, the same name.
pub type TreeId = String;

/// How a session begins: everything that it depends on but the models.
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
    /// The user's local date, `YYYY-MM-DD`: begins the session's name.
    pub date: String,
    /// What the user wants built.
    pub goal: String,
    /// The ranked design that it is built from; `None` when there is only a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Box<Chosen>>,
    /// What a validation found that it fixes; `None` when it fixes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub fix: Option<Box<Fix>>,
    /// Who is asked.
    pub models: Models,
    /// Sentences that the user should read, such as which models were picked and why.
    pub notes: Vec<String>,
    /// The prices that the host's catalogue has for the models in use.
    pub prices: Vec<ModelFacts>,
    /// Flow's part of the user's configuration.
    pub settings: FlowSettings,
    /// Whether the goal is built to its end without asking the user.
    pub automatic: bool,
    /// Which rules decide: 0 in sessions of before they were numbered, whose journals keep their meaning; else [`RULES`] of
    /// the day on which the session began.
    #[serde(default)]
    pub rules: u32,
    /// What the plan is expected to take; `None` when there was no forecast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub expected: Option<Expected>,
    /// The user's rules for a worker's shell commands; `None` in sessions of before checks went through them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub shell_rules: Option<ShellRules>,
    /// The seed of the jitter of pauses, below 2^53.
    #[cfg_attr(test, ts(type = "number"))]
    pub seed: u64,
}

impl Opening {
    /// How a check went, by the rules of this session.
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

/// Who is asked for what, each as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowModels"))]
pub struct Models {
    /// Drafts plans.
    pub planner: String,
    /// Changes files.
    pub worker: String,
    /// Reviews what the worker did.
    pub reviewer: String,
    /// Writes the exam; `None` where the reviewer's model does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub examiner: Option<String>,
}

impl Models {
    /// Who is asked for what.
    pub(super) fn roles(&self) -> Vec<(&'static str, Vec<&String>)> {
        let Self { planner, worker, reviewer, examiner } = self;
        let asked = [("planner", Some(planner)), ("worker", Some(worker)), ("reviewer", Some(reviewer))];
        let asked = asked.into_iter().chain([("examiner", examiner.as_ref())]);
        asked.filter_map(|(role, model)| Some((role, vec![model?]))).collect()
    }

    /// Who writes the exam.
    pub(super) fn examiner(&self) -> &String {
        self.examiner.as_ref().unwrap_or(&self.reviewer)
    }

    /// The same in a sentence, before any of them is asked.
    pub(super) fn wording(&self) -> String {
        let Self { planner, worker, reviewer, examiner } = self;
        let examines = examiner.as_ref().map(|model| format!(", {model} writes exams")).unwrap_or_default();
        format!("Models: {planner} plans, {worker} builds, {reviewer} reviews{examines}.")
    }

    pub(super) fn all(&self) -> Vec<&String> {
        self.roles().into_iter().flat_map(|(_, models)| models).collect()
    }

    /// What is known of them, where the catalogue said this of them.
    pub(super) fn known(&self, settings: &FlowSettings, catalogue: &[ModelFacts]) -> Vec<ModelFacts> {
        prices::facts(&self.all(), catalogue, &settings.prices)
    }

    /// Why the cap in dollars can't hold, in words; `None` when it does, or there is none.
    pub(super) fn void_cap(&self, settings: &FlowSettings, known: &[ModelFacts]) -> Option<String> {
        prices::void_cap("flow.budget", &settings.budget.of_session(), &self.all(), known)
    }
}

/// What a child session is for: decides the agent, `flow-planner`, `flow-worker`, `flow-reviewer` or `flow-examiner`.
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
    /// Writes tests of what was built; only reads.
    Examiner,
}

impl Role {
    /// Whether its tools read a copy of the files that were checked, and its instructions are those from before the feature.
    pub fn reads_copy(self) -> bool {
        matches!(self, Self::Reviewer | Self::Examiner)
    }
}

/// What happens in a session beside what happens in any run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowDecision"))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Decision {
    /// The user wants another draft of the plan. Voids the approval.
    Revised {
        /// What should change, in the user's words.
        remarks: String,
        /// What that is expected to take; `None` when there was no forecast.
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
    /// The user narrowed the draft to these features and all that they need.
    Selected {
        /// Their ids.
        features: Vec<String>,
    },
    /// The user took a feature back, and by that all that needs it.
    Reset {
        /// Its id.
        feature: String,
    },
    /// The user archived the session.
    Archived,
    /// The user wants the goal built to its end without being asked.
    Automatic {
        /// What that is expected to take; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// The user wants this feature built.
    Started {
        /// Its id.
        feature: String,
        /// What that is expected to take; `None` when there was no forecast.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        expected: Option<Expected>,
    },
    /// Flow's part of the user's configuration, or the user's rules for shell commands, have changed. The new ones apply from here on.
    Configured {
        /// What it says now.
        settings: Box<FlowSettings>,
        /// Whether the session continues with it in a new process, as by [`kernel::protocol::EventKind::Resumed`].
        resumes: bool,
        /// The rules now; `None` where they are as before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        shell_rules: Option<ShellRules>,
    },
    /// The answer to [`Effect::TakeTree`].
    TreeTaken {
        /// The effect's number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// The paths that differ from the tree that the effect named in `since`, from the root of the tree, sorted; empty if
        /// it named none.
        changed: Vec<String>,
        /// What happened to the tests in those of them that may hold any, by path; empty if no earlier state is kept.
        tests: Vec<TestFile>,
        /// What of them decides how tests are run, in files that hold much else.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<TestSetting>>"))]
        test_settings: Vec<TestSetting>,
        /// What the worker had left running, and was ended.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<EndedProcess>>"))]
        ended: Vec<EndedProcess>,
        /// Whether the copy that the reviewer read is no longer as it was laid: somebody touched it, or it is gone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        unsealed: bool,
        /// What git has on record; `None` when there is no repository.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        recorded: Option<Box<GitRecord>>,
        /// What copies would get as links; empty if the effect names none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<Link>>"))]
        links: Vec<Link>,
        /// Where that patch is, from the root of the tree; `None` when nothing differs, the effect didn't ask for it, or there is no git.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        undo: Option<String>,
    },
    /// The answer to [`Effect::RunCheck`].
    CheckFinished(Box<CheckFinished>),
    /// The answer to [`Effect::RunApart`].
    RanApart(Box<RanApart>),
    /// The answer to [`Effect::Mutate`].
    Mutated(Box<Mutated>),
    /// The answer to [`Effect::Examine`].
    Examined(Box<Examined>),
    /// An effect could not be done at all: no tree could be taken, a file could not be written.
    EffectFailed {
        /// The effect's number.
        effect: u32,
        /// Why, in a sentence for people.
        message: String,
    },
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
    /// Nobody: the user wants the goal built without being asked.
    Autonomous,
}

/// What was seen of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowCheckFinished"))]
pub struct CheckFinished {
    /// The effect's number.
    pub effect: u32,
    /// The tree just before the command was started.
    pub tree_before: TreeId,
    /// The tree once it had ended, and everything that it started.
    pub tree_after: TreeId,
    /// The paths that differ between the two, from the project's root, sorted.
    pub changed: Vec<String>,
    /// The files of the tree that were touched meanwhile, also those that hold the same again, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub touched: Vec<String>,
    /// How it went.
    pub ran: Ran,
}

/// What was seen in a copy of the project's files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowRanApart"))]
pub struct RanApart {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
    pub unprepared: Option<String>,
    /// What git ignores and the copy had by a link, from the root of the tree, sorted.
    pub linked: Vec<String>,
    /// The same, as it was just before the commands; empty if the effect doesn't ask for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Link>>"))]
    pub links: Vec<Link>,
    /// How each command went, in the order of the effect's; empty if there was no copy.
    pub runs: Vec<Ran>,
    /// The files of the copy that were touched by the end of each command, sorted; empty if no file was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<Vec<String>>>"))]
    pub touched: Vec<Vec<String>>,
    /// The links of the tree that lead out of it, from its root: the copy lacks them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
    pub outside: Vec<String>,
    /// The seal of the copy that the reviewer reads: another one as soon as anything in it was touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub seal: Option<String>,
}

/// What was seen of mutants.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowMutated"))]
pub struct Mutated {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
    pub unprepared: Option<String>,
    /// What was tried, in order.
    pub tried: Vec<TriedMutant>,
    /// How many were not, since the time was up.
    pub left: u32,
    /// What the user's tool showed; `None` where the effect names none. Where it showed something, nothing else was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub mutator: Option<MutatorSeen>,
    /// Milliseconds that it took, whole.
    #[cfg_attr(test, ts(type = "number"))]
    pub duration_ms: u64,
}

/// A mutant that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowTriedMutant"))]
pub struct TriedMutant {
    /// Which file, from the root of the tree.
    pub path: String,
    /// The first line that differs, from 1 on.
    pub line: u32,
    /// What differs, in words.
    pub change: String,
    /// How each command went, in the order of the effect's, without what it printed.
    pub runs: Vec<Ran>,
    /// Whether a command touched a file of the copy: then it shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub touched: bool,
}

/// What was seen of an exam.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamined"))]
pub struct Examined {
    /// The effect's number.
    pub effect: u32,
    /// Why there was no copy in which anything could run, in a sentence for people; `None` where there was one.
    pub unprepared: Option<String>,
    /// How each command of `before` went.
    pub before: Vec<Ran>,
    /// What was seen of each test, in the order of the effect's; empty without a copy.
    pub tests: Vec<ExamSeen>,
}

/// What was seen of a test of an exam.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamSeen"))]
pub struct ExamSeen {
    /// What the project has under the test's path.
    pub place: ExamPlace,
    /// How its command went with it, twice; empty where it was not run.
    pub runs: Vec<Ran>,
    /// How its command went with it on the files from before; `None` where it was not run there.
    pub before: Option<Ran>,
    /// Whether a command touched a file of the copy: then it shows nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub touched: bool,
}

/// What the project has where a test of an exam goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamPlace"))]
#[serde(rename_all = "lowercase")]
pub enum ExamPlace {
    /// Nothing: the test was added to the copy.
    #[default]
    Free,
    /// That very test.
    Same,
    /// Another version of it, which the test replaced in the copy.
    Replaced,
    /// Another file, which stays as it is.
    Other,
}

/// What is done in a session beside asking models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowEffect"))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Effect {
    /// Take the tree. Answer with `tree_taken` or `effect_failed`.
    TakeTree {
        /// Its number.
        effect: u32,
        /// An earlier tree of this session, to be compared with.
        since: Option<TreeId>,
        /// Whether a worker's turn is over: what its shells left running is ended before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        ends_work: bool,
        /// The seal of the copy that a reviewer has read and that is no longer needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seal: Option<String>,
        /// What git ignores and copies get by a link, by name or path, where a feature is begun: how it is now has to be told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(optional, as = "Option<Vec<String>>"))]
        link: Vec<String>,
        /// Where to keep the patch that leads from this tree back to `since`, below the session's directory; `None` when it isn't needed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        undo: Option<String>,
    },
    /// Run a command in the project's directory, without a shell of ours, with nothing to read. Take the tree before and after,
    /// stop it and all that it started once its time is up, keep its whole output in the file. Answer with `check_finished`
    /// or `effect_failed`. It may be asked for again after a crash, and then overwrites the file.
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
    /// Run commands, one after another, in a copy of the files of a tree: a directory of its own that holds nothing but these,
    /// and is gone afterwards. Answer with `ran_apart` or `effect_failed`. It may be asked for again after a crash.
    RunApart {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// What is laid over the copy.
        over: Overlay,
        /// What git ignores and the copy gets as a link, by name or path. Empty if `setup` makes a copy ready.
        link: Vec<String>,
        /// The command that makes the copy ready: program and arguments; empty if there is none.
        setup: Vec<String>,
        /// The commands.
        runs: Vec<ApartRun>,
        /// Whether they run in a clean room ([`super::clean_room`]), and not in the user's environment.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        clean: bool,
        /// What copies had as links when the feature started, to report what changed since. Empty if no feature is being built.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        began_with: Option<Links>,
        /// Whether a reviewer is asked next: a copy for its tools is laid beside it, and its seal told.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        review: bool,
    },
    /// Run commands in a copy of the files of a tree, once with each of its [mutants](super::mutants): one file has a small fault,
    /// and is as before afterwards. Begin with no other one once the time is up. Answer with `mutated` or `effect_failed`. It may be
    /// asked for again after a crash.
    Mutate {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// The tree before the feature.
        base: TreeId,
        /// The files of the change that are no tests, from the root of the tree.
        paths: Vec<String>,
        /// How many mutants there may be.
        most: u32,
        /// Milliseconds that all of it may take.
        #[cfg_attr(test, ts(type = "number"))]
        budget_ms: u64,
        /// As in [`Effect::RunApart`].
        link: Vec<String>,
        /// As in [`Effect::RunApart`].
        setup: Vec<String>,
        /// The commands. The output of each goes into a file of its own for each mutant: the name with the mutant's number, from 1
        /// on, before its end.
        runs: Vec<ApartRun>,
        /// As in [`Effect::RunApart`].
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        clean: bool,
        /// The user's tool, which is run first, in a copy of its own: mutants are tried only where it shows nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        mutator: Option<MutatorRun>,
    },
    /// Run the tests of an exam, one at a time: each is added to a copy of the files of a tree, its command runs there twice, and the copy
    /// is as before. Then the same once in a copy of the files from before, where the commands of `before` run without any of the tests
    /// first. Each run has a clean room of its own. Answer with `examined` or `effect_failed`. It may be asked for again after a crash.
    Examine {
        /// Its number.
        effect: u32,
        /// The tree.
        tree: TreeId,
        /// The tree from before what is examined.
        base: TreeId,
        /// As in [`Effect::RunApart`].
        link: Vec<String>,
        /// As in [`Effect::RunApart`].
        setup: Vec<String>,
        /// Each command of the tests, once.
        before: Vec<ApartRun>,
        /// The tests.
        tests: Vec<ExamRun>,
    },
}

/// A test of an exam, and the command that runs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowExamRun"))]
pub struct ExamRun {
    /// Its file, from the root of the tree.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// Whether the file was free before the worker saw the test: what is there now must make way for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub replaces: bool,
    /// The command. The output of each run goes into a file of its own: the name with `-1`, `-2` or `-before` before its end.
    pub run: ApartRun,
}

/// What is laid over a copy of the project's files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FlowOverlay"))]
#[serde(tag = "overlay", rename_all = "snake_case")]
pub enum Overlay {
    /// Nothing.
    #[default]
    Nothing,
    /// Files as they are in another tree; those that it doesn't have go.
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
        /// What it holds.
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
    /// Where it writes its report, from the project's directory on.
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
            | Self::RunCheck { effect, .. }
            | Self::RunApart { effect, .. }
            | Self::Mutate { effect, .. }
            | Self::Examine { effect, .. } => *effect,
        }
    }
}
