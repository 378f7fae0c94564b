//! What a workflow supplies: which jobs are ready, what to ask, how to judge an answer, and what follows. The kernel does the rest.

use crate::calls::Calls;
use crate::host::Host;
use crate::job::{CallSettings, Job};
use crate::json::Read;
use crate::limits::Limits;
use crate::protocol::{Ask, Command, Event, EventKind, KeptFile, Outcome, Reply};
use crate::reason::Reason;
use serde::Serialize;
use std::fmt::Debug;

/// The state of a run of one workflow.
pub trait Workflow: Clone + Debug {
    /// The workflow's name in the journals of its runs.
    const NAME: &'static str;
    /// The host through which its models are asked.
    type Host: Host;
    /// How a run is opened.
    type Opening: Opening + Clone + Debug + PartialEq + Serialize + Read;
    /// Its own events, in addition to those of every run.
    type Decision: Clone + Debug + PartialEq + Serialize + Read;
    /// Its own effects besides asking models, each answered by one [`Self::Decision`]; [`crate::effects`] tracks which are in
    /// progress.
    type Effect: Clone + Debug + PartialEq + Serialize + Read;
    /// The purpose of a session: decides the agent.
    type Role: Clone + Debug + PartialEq + Serialize + Read;
    /// What a job can be asked.
    type Turn: Copy + Debug + PartialEq;
    /// The workflow's data about a job.
    type Part: Clone + Debug;
    /// What an answer can be accepted as.
    type Accepted;

    // ---- how a run begins ----

    /// Checks an event before it is applied; `run` is `None` before the first. The error is the end of a sentence.
    fn admit(run: Option<&Self>, event: &EventKindOf<Self>) -> Result<(), String>;
    /// Returns the run that an opening starts, at this moment.
    fn open(opening: Self::Opening, at: u64) -> Self;

    // ---- what the kernel keeps for it ----

    /// The jobs of the run, and its clock.
    fn calls(&self) -> &Calls<Self>;
    /// The same, mutable.
    fn calls_mut(&mut self) -> &mut Calls<Self>;
    /// The limits of its calls.
    fn limits(&self) -> Limits<'_>;

    // ---- what is ready, and what is asked ----

    /// Whether a job may be asked now, as far as the workflow is concerned.
    fn is_ready(&self, job: &Job<Self>) -> bool;
    /// Which model a job asks, and how.
    fn call_settings<'a>(&self, job: &'a Job<Self>) -> CallSettings<'a>;
    /// The purpose of the job's session.
    fn role(&self, job: &Job<Self>) -> Self::Role;
    /// The title of the job's session.
    fn title(&self, job: &Job<Self>) -> String;
    /// The system text that a job is asked with.
    fn system(&self, job: &Job<Self>) -> String;
    /// The prompt of the job's current turn.
    fn prompt(&self, job: &Job<Self>) -> String;
    /// The files sent with a prompt that begins a conversation.
    fn files(&self, _job: &Job<Self>) -> Vec<KeptFile> {
        Vec::new()
    }
    /// Output tokens that a turn is expected to use before one has been observed.
    fn expected_output(turn: Self::Turn) -> u64;
    /// Requests that one call of the job may take: a model that calls tools endlessly never answers.
    fn steps(&self, _job: &Job<Self>) -> u32 {
        100
    }
    /// What the user can do if the job's prompt exceeds its model's context, as an imperative.
    fn smaller(&self, _job: &Job<Self>) -> String {
        "give it a larger context on its server, or choose a model with one".to_owned()
    }
    /// Why a call isn't worth its cost although the budget would allow it, in words: nothing could follow it.
    fn hopeless(&self, _job: &Job<Self>) -> Option<String> {
        None
    }

    // ---- how an answer is judged ----

    /// Judges an answer to the job's current turn.
    fn judge(&self, job: &Job<Self>, reply: &Reply) -> Verdict<Self::Accepted>;
    /// The paths that an answer cites, as it writes them: the shell looks them up before the answer is journaled.
    fn cited(&self, _accepted: &Self::Accepted) -> Vec<String> {
        Vec::new()
    }
    /// The prompt that asks again after the answer exceeded its limit, or a filter stopped it.
    fn ask_again(&self, turn: Self::Turn, again: Again) -> String;
    /// The prompt for a new conversation when the job's current one is stuck; `None` to ask as before.
    fn ask_otherwise(&self, _job: &Job<Self>, _reason: &str, _again: Repetition) -> Option<String> {
        None
    }
    /// Where the last answer of a failed job is kept, if it is.
    fn kept_answer(&self, job: &Job<Self>) -> Option<String>;

    /// Whether what the job has already suffices if its current turn fails.
    fn suffices(&self, _job: &Job<Self>) -> bool {
        false
    }

    // ---- what follows ----

    /// Stores the accepted answer; returns the job's next turn, if any.
    fn accept(&mut self, index: usize, accepted: Self::Accepted) -> Option<Self::Turn>;
    /// A job is done or has failed. `is_known` is whether the user already knows why.
    fn settled(&mut self, index: usize, is_known: bool, commands: &mut Commands<Self>);
    /// The directory with that name was created for this run.
    fn directory_claimed(&mut self, name: String, commands: &mut Commands<Self>);
    /// A directory with that name already exists.
    fn directory_taken(&mut self, name: &str, commands: &mut Commands<Self>);
    /// A recorded decision of the workflow. `idle`: milliseconds since the previous event.
    fn decided(&mut self, decision: Self::Decision, idle: u64, commands: &mut Commands<Self>);
    /// The user takes over a run that wasn't started on this machine; the next event continues it. `voids`: whether what it has shown
    /// before counts for nothing. `at`: milliseconds by the shell's clock.
    fn adopted(&mut self, _voids: bool, _at: u64) {}
    /// The user wants failed jobs to be asked again once the run continues.
    fn retried(&mut self);
    /// A new process continues the run after `idle` milliseconds without a process.
    fn resumed(&mut self, idle: u64, commands: &mut Commands<Self>);
    /// Moves to the next phase when the current one is done.
    fn advance(&mut self, commands: &mut Commands<Self>);
    /// The user stopped the run.
    fn cancelled(&mut self, reason: &str, commands: &mut Commands<Self>);
    /// Every final file is on disk.
    fn closed(&mut self);
    /// Notes something for the user, now and with the results.
    fn note(&mut self, note: String);
    /// How the run ended; `None` while it continues.
    fn outcome(&self) -> Option<Outcome>;
}

/// What every opening contains.
pub trait Opening {
    /// The format of its journal ([`crate::protocol::JOURNAL_VERSION`]).
    fn version(&self) -> u32;
    /// [`Workflow::NAME`] of the workflow that it opens.
    fn workflow(&self) -> &str;
}

/// The judgement of an answer.
pub enum Verdict<A> {
    /// It is what was requested.
    Accept(Box<A>),
    /// It isn't.
    Repair {
        /// The prompt that says how to fix it.
        prompt: String,
        /// Its fault, in a sentence.
        reason: String,
    },
}

/// Why a prompt is asked again in other words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The answer outgrew the model's limit.
    Shorter,
    /// A content filter stopped the answer.
    Reworded,
}

/// What shows that a conversation is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The model sent the refused answer again, byte for byte.
    Answer,
    /// The fault is the same again: the model would get, word for word, the prompt that it has just got.
    Fault,
}

/// The commands of a workflow, in order.
pub type Commands<W> = Vec<CommandOf<W>>;
/// An event of a workflow's run.
pub type EventOf<W> = Event<<W as Workflow>::Opening, <W as Workflow>::Decision>;
/// What happened in a workflow's run.
pub type EventKindOf<W> = EventKind<<W as Workflow>::Opening, <W as Workflow>::Decision>;
/// A command of a workflow's run.
pub type CommandOf<W> = Command<
    <W as Workflow>::Role,
    <W as Workflow>::Opening,
    <W as Workflow>::Decision,
    <W as Workflow>::Effect,
>;
/// A prompt of a workflow's run.
pub type AskOf<W> = Ask<<W as Workflow>::Role>;

/// Why a job failed whose answers could not be used, and where the last of them is kept. The reason may quote the answers.
pub(crate) fn given_up<W: Workflow>(run: &W, job: &Job<W>, reason: &str) -> Reason {
    let reason = reason.trim_end_matches('.');
    let repairs = match job.repairs {
        0 => "retries.repair allows no second try".to_owned(),
        1 => "still wrong after 1 repair prompt".to_owned(),
        count => format!("still wrong after {count} repair prompts"),
    };
    let kept = run.kept_answer(job).map_or(String::new(), |path| format!("; the answer is kept in {path}"));
    let rest = format!("; {repairs}{kept}");
    let what = crate::visible::line(reason);
    Reason::worded(format!("{what}{rest}"), format!("its answers could not be used{rest}"))
}
