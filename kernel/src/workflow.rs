//! What a workflow supplies: which jobs are ready, what is asked, how an answer is judged, and what follows. The kernel does the
//! rest.

use crate::calls::Calls;
use crate::host::Host;
use crate::job::{CallSettings, Job};
use crate::limits::Limits;
use crate::protocol::{Ask, Command, Event, EventKind, KeptFile, Outcome, Reply};
use crate::reason::Reason;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// The state of a run of one workflow.
pub trait Workflow: Clone + Debug {
    /// What the journals of its runs say they are of.
    const NAME: &'static str;
    /// The host that its models are asked through.
    type Host: Host;
    /// How a run is opened.
    type Opening: Opening + Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What happens in a run beside what happens in any.
    type Decision: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What it has done beside asking models, each answered by one [`Self::Decision`]; [`crate::effects`] keeps which are under way.
    type Effect: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a session is for: decides the agent.
    type Role: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// What a job can be asked.
    type Turn: Copy + Debug + PartialEq;
    /// What the workflow keeps of a job.
    type Part: Clone + Debug;
    /// What an answer can be accepted as.
    type Accepted;

    // ---- how a run begins ----

    /// Looks at an event before it is applied; `run` is `None` before the first. The error is the end of a sentence.
    fn admit(run: Option<&Self>, event: &EventKindOf<Self>) -> Result<(), String>;
    /// The run that an opening begins, at this moment.
    fn open(opening: Self::Opening, at: u64) -> Self;

    // ---- what the kernel keeps for it ----

    /// The jobs of the run, and the clock they go by.
    fn calls(&self) -> &Calls<Self>;
    /// The same, to be changed.
    fn calls_mut(&mut self) -> &mut Calls<Self>;
    /// What bounds its calls.
    fn limits(&self) -> Limits<'_>;

    // ---- what is ready, and what is asked ----

    /// Whether a job may be asked now, as far as the workflow knows.
    fn is_ready(&self, job: &Job<Self>) -> bool;
    /// Whom a job asks.
    fn call_settings<'a>(&self, job: &'a Job<Self>) -> CallSettings<'a>;
    /// What the job's session is for.
    fn role(&self, job: &Job<Self>) -> Self::Role;
    /// The title of the job's session.
    fn title(&self, job: &Job<Self>) -> String;
    /// The system text that a job is asked with.
    fn system(&self, job: &Job<Self>) -> String;
    /// The prompt of the job's present turn.
    fn prompt(&self, job: &Job<Self>) -> String;
    /// What is sent beside a prompt that begins a conversation.
    fn files(&self, _job: &Job<Self>) -> Vec<KeptFile> {
        Vec::new()
    }
    /// Output tokens that a turn is expected to take before one has been seen.
    fn expected_output(turn: Self::Turn) -> u64;
    /// Requests that one call of the job may take: a model that calls tools without end has no answer.
    fn steps(&self, _job: &Job<Self>) -> u32 {
        100
    }
    /// What the user can do if the job's prompt is larger than its model's context, as an imperative.
    fn smaller(&self, _job: &Job<Self>) -> String {
        "give it a larger context on its server, or choose a model with one".to_owned()
    }
    /// Why a call isn't worth its cost, in words, though the budget would bear it: nothing could come after it.
    fn hopeless(&self, _job: &Job<Self>) -> Option<String> {
        None
    }

    // ---- how an answer is judged ----

    /// Judges an answer to the job's present turn.
    fn judge(&self, job: &Job<Self>, reply: &Reply) -> Verdict<Self::Accepted>;
    /// The paths that an answer cites, as it writes them: the shell looks them up before the answer is journaled.
    fn cited(&self, _accepted: &Self::Accepted) -> Vec<String> {
        Vec::new()
    }
    /// The prompt that asks again after the answer outgrew its limit, or a filter stopped it.
    fn ask_again(&self, turn: Self::Turn, again: Again) -> String;
    /// What a job is asked in a new conversation, for the one it is in has got stuck. `None` to ask as before.
    fn ask_otherwise(&self, _job: &Job<Self>, _reason: &str, _again: Repetition) -> Option<String> {
        None
    }
    /// Where the last answer of a job that failed is kept, if it is.
    fn kept_answer(&self, job: &Job<Self>) -> Option<String>;

    // ---- what follows ----

    /// Stores what was accepted; says what the job is asked next, if anything.
    fn accept(&mut self, index: usize, accepted: Self::Accepted) -> Option<Self::Turn>;
    /// A job is done or has failed. `is_known` is whether the user knows why already.
    fn settled(&mut self, index: usize, is_known: bool, commands: &mut Commands<Self>);
    /// The directory of that name was created for this run.
    fn directory_claimed(&mut self, name: String, commands: &mut Commands<Self>);
    /// A directory of that name was there already.
    fn directory_taken(&mut self, name: &str, commands: &mut Commands<Self>);
    /// A decision of the workflow's own, on record. `idle`: milliseconds since the event before.
    fn decided(&mut self, decision: Self::Decision, idle: u64, commands: &mut Commands<Self>);
    /// The user continues a run that wasn't begun on this machine: the event that follows, by which the run continues, does it.
    fn adopted(&mut self) {}
    /// The user wants what failed to be asked again, once the run continues.
    fn retried(&mut self);
    /// A new process continues the run after `idle` milliseconds in which none carried it.
    fn resumed(&mut self, idle: u64, commands: &mut Commands<Self>);
    /// Turns to the next phase where the present one is done.
    fn advance(&mut self, commands: &mut Commands<Self>);
    /// The user stopped the run.
    fn cancelled(&mut self, reason: &str, commands: &mut Commands<Self>);
    /// Every file of the end is on disk.
    fn closed(&mut self);
    /// Tells the user of something, now and with the results.
    fn note(&mut self, note: String);
    /// How the run ended; `None` while it continues.
    fn outcome(&self) -> Option<Outcome>;
}

/// What every opening says.
pub trait Opening {
    /// The format of its journal ([`crate::protocol::JOURNAL_VERSION`]).
    fn version(&self) -> u32;
    /// [`Workflow::NAME`] of the workflow that it opens.
    fn workflow(&self) -> &str;
}

/// What follows from an answer.
pub enum Verdict<A> {
    /// It is what was asked for.
    Accept(Box<A>),
    /// It isn't.
    Repair {
        /// The prompt that says how to fix it.
        prompt: String,
        /// What is wrong with it, in a sentence.
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
    /// The refused answer came again, byte for byte.
    Answer,
    /// What is wrong is the same again: the model would be told, word for word, what it has just been told.
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

/// Why a job came to nothing whose answers could not be used, and where the last of them is. What is wrong with them may quote
/// them.
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
