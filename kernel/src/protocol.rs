//! The protocol between the core and its shell.
//!
//! The shell owns every effect, the core every decision. They speak in two kinds of message:
//!
//! - an [`Event`] tells the core what happened: *"the model replied with this text"*, *"it is now T"*;
//! - a [`Command`] tells the shell what to do: *"ask this model this"*, *"write this file"*.
//!
//! One rule makes a run durable. For each event the shell
//! 1. asks the core to seal it into a journal line ([`crate::run::Run::seal`]),
//! 2. appends the line to the journal and syncs it to disk,
//! 3. gives the line back ([`crate::run::Run::apply`]) and carries out the commands it gets, in order.
//!
//! Nothing else changes a run's state, so replaying the lines rebuilds it: resuming has no code of its own.
//! Commands may be carried out concurrently; only [`Command::Write`] and [`Command::Discard`] must keep their order.
//! Each `OpenSession`, `Ask`, `Recover`, `ClaimDirectory`, `Record` and `Perform` is answered by exactly one event. What is still
//! under way when `Finish` comes is stopped, and not answered.

use crate::budget::{self, Price};
use crate::lenient;
use crate::redaction::{Known, Redacted};
use crate::tokens::Tokens;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// The journal's format; a reader refuses any other.
pub const JOURNAL_VERSION: u32 = 1;

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "O: DeserializeOwned, D: DeserializeOwned"))]
pub struct Event<O, D> {
    /// Milliseconds since 1970-01-01 UTC, by the shell's clock.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind<O, D>,
}

impl<O, D> Event<O, D> {
    /// The event as it is journaled: a host's account of a failure holds none of these secrets. A model's answer is
    /// kept as it came.
    #[must_use]
    pub fn redacted(mut self, known: &Known) -> Self {
        if let EventKind::CallFailed { failure, .. } = &mut self.kind {
            failure.name = known.redact(&failure.name);
            failure.message = known.redact(&failure.message);
        }
        self
    }
}

/// What happened. `O`: how the workflow opens a run; `D`: what it decides itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(remote = "Self", tag = "event", rename_all = "snake_case")]
#[serde(bound(deserialize = "O: DeserializeOwned"))]
pub enum EventKind<O, D> {
    /// A run began. Always the first event, never a later one.
    Opened(Box<O>),
    /// The directory of that name was created for this run.
    DirectoryClaimed {
        /// Below the output directory.
        name: String,
    },
    /// A directory of that name was there already.
    DirectoryTaken {
        /// Below the output directory.
        name: String,
    },
    /// A child session stands ready for this job.
    SessionOpened {
        /// The job it was opened for.
        job: JobId,
        /// The host's id of the session.
        session: String,
    },
    /// The model answered.
    Answered {
        /// The job whose prompt was answered.
        job: JobId,
        /// The answer.
        reply: Reply,
    },
    /// A session could not be opened, a prompt was not answered, or an answer could not be recovered.
    CallFailed {
        /// The job whose call failed.
        job: JobId,
        /// The host's account of it.
        failure: CallFailure,
    },
    /// A call that is answered in several steps is stopped between two of them: the run has reached its budget.
    Overspent {
        /// What that call has used so far.
        call: Spending,
        /// US dollars that the run has used, calls in flight included.
        #[serde(deserialize_with = "lenient::dollars_in_all")]
        cost: f64,
        /// Tokens that the run has used, calls in flight included.
        #[serde(deserialize_with = "lenient::tokens_in_all")]
        #[cfg_attr(feature = "codegen", ts(type = "number"))]
        tokens: u64,
        /// Requests that the run has made, calls in flight included.
        #[serde(default, deserialize_with = "lenient::requests")]
        requests: u32,
    },
    /// Time has passed: the moment of a [`Command::WakeAt`] has come.
    Woken,
    /// The user, a tool's abort or a signal stopped the run.
    Cancelled {
        /// In words, for the summary.
        reason: String,
    },
    /// The user wants what failed to be asked again: the event that follows, by which the run continues, does it.
    Retried,
    /// A new process continues the run.
    Resumed,
    /// The run is over in this process, and every file is on disk: the last event, unless the run is resumed.
    Closed,
    /// The journal on disk wasn't what this process had left there, and was written again from memory.
    JournalRestored,
    /// The user continues a run that wasn't begun on this machine ([`crate::origin`]).
    Adopted,
    /// A decision of the workflow's own that must outlive the code that made it.
    #[serde(skip_serializing, skip_deserializing)]
    #[cfg_attr(feature = "codegen", ts(untagged))]
    Decided(D),
}

impl<O: Serialize, D: Serialize> Serialize for EventKind<O, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Decided(decision) => decision.serialize(serializer),
            shared => Self::serialize(shared, serializer),
        }
    }
}

/// The events above by their names in the journal; any other is the workflow's.
const SHARED: [&str; 14] = [
    "opened",
    "directory_claimed",
    "directory_taken",
    "session_opened",
    "answered",
    "call_failed",
    "overspent",
    "woken",
    "cancelled",
    "retried",
    "resumed",
    "closed",
    "journal_restored",
    "adopted",
];

impl<'de, O: DeserializeOwned, D: DeserializeOwned> Deserialize<'de> for EventKind<O, D> {
    fn deserialize<S: Deserializer<'de>>(deserializer: S) -> Result<Self, S::Error> {
        let value = Value::deserialize(deserializer)?;
        let is_shared = value["event"].as_str().is_some_and(|event| SHARED.contains(&event));
        let read =
            if is_shared { Self::deserialize(value) } else { D::deserialize(value).map(Self::Decided) };
        read.map_err(serde::de::Error::custom)
    }
}

/// Which job of its run: one conversation with one model, in one session at a time. The workflow says what ids its jobs have and
/// what they mean; the kernel only tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct JobId(String);

impl JobId {
    /// The id of that text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, as journals have it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model's answer to one prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Reply {
    /// The text of the last assistant message, without reasoning.
    #[serde(deserialize_with = "lenient::text")]
    pub text: String,
    /// Why the model stopped, as the host says it: `stop`, `length`, `content-filter`, ….
    #[serde(deserialize_with = "lenient::text")]
    pub finish: String,
    /// The model as the provider named it; empty when unknown.
    #[serde(default, deserialize_with = "lenient::text")]
    pub model: String,
    /// US dollars, over all assistant messages of this prompt.
    #[serde(default, deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens, over all assistant messages of this prompt.
    #[serde(default)]
    pub tokens: Tokens,
    /// How often the host had to repeat the request before it was answered.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub host_retries: u32,
    /// How many requests for it broke off after the model had begun to answer: nobody reports what these used.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub cut_off: u32,
    /// How often the model has read a file of the project, or searched in them, in this session so far; `None` when the host
    /// doesn't say. Older journals don't have it.
    #[serde(default, deserialize_with = "lenient::times")]
    pub reads: Option<u32>,
    /// What is at the paths that the text cites, as the shell found it when the answer came. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<LookedUp>>"))]
    pub looked_up: Vec<LookedUp>,
    /// How many requests its provider was sent for it; 0 when nobody counted them.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
    /// Tokens of the prompt in the first of these requests, cached ones included, as the provider reported. Older journals don't
    /// have it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub prompt_tokens: Option<u64>,
    /// Tokens that the host takes the conversation for, by the provider's last report, whether or not that can be true. Older journals
    /// don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub held: Option<f64>,
}

/// What is at a path that an answer cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct LookedUp {
    /// As the answer writes it.
    pub path: String,
    /// What is there.
    pub found: PathFound,
    /// How many lines the file has; `None` for anything but a file, and for a file that is too large to count.
    pub lines: Option<u32>,
}

/// What was found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum PathFound {
    /// A plain file.
    File,
    /// Nothing.
    Nothing,
    /// Something that is no plain file, or that can't be opened.
    Other,
    /// The path leads out of the project, so nobody looked.
    Outside,
}

/// What a call has used that isn't answered yet: a model that reads and searches first answers in several steps, each a
/// request of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Spending {
    /// The job whose prompt is on its way.
    pub job: JobId,
    /// US dollars, over the steps so far.
    #[serde(deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens, over the steps so far.
    pub tokens: Tokens,
    /// How many requests its provider was sent for it so far: one for each step.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
}

/// Why a call failed, as far as the host knows. The core decides what follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct CallFailure {
    /// The host's name of the error (`APIError`, `ProviderAuthError`, …), `Timeout` or `Silent` for a deadline; where [`Command::Recover`] found
    /// no answer `Lost`, or `Unsent` if the model was never asked.
    #[serde(deserialize_with = "lenient::text")]
    pub name: Redacted,
    /// The host's message. A provider may quote the request in it, key and all.
    #[serde(deserialize_with = "lenient::text")]
    pub message: Redacted,
    /// The provider's HTTP status.
    #[serde(default, deserialize_with = "lenient::status")]
    pub status: Option<u16>,
    /// Whether the host thinks that trying again may help; none when it doesn't say.
    #[serde(default, deserialize_with = "lenient::flag")]
    pub retryable: Option<bool>,
    /// Milliseconds that the provider asked to wait.
    #[serde(default, deserialize_with = "lenient::milliseconds")]
    #[cfg_attr(feature = "codegen", ts(type = "number | null"))]
    pub retry_after_ms: Option<u64>,
    /// What the failed call cost all the same.
    #[serde(default, deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens of the failed call.
    #[serde(default)]
    pub tokens: Tokens,
    /// How often the host had repeated the request by itself: these tries count.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub host_retries: u32,
    /// How many of its requests broke off after the model had begun to answer: nobody reports what these used.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub cut_off: u32,
    /// How many requests its provider was sent for it.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
    /// Tokens of the prompt, if the provider says that they were too many.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub prompt_tokens: Option<u64>,
    /// Tokens that the model's context holds, if the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub context_tokens: Option<u64>,
}

impl CallFailure {
    /// The name of a call that took more steps than it may, and had no answer yet.
    pub const ENDLESS: &str = "Endless";
}

/// The facts of the host's catalogue about a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct ModelFacts {
    /// `provider/model`.
    pub model_id: String,
    /// US dollars per million input tokens; 0 when unknown.
    #[serde(deserialize_with = "lenient::dollars")]
    pub input_cost: f64,
    /// US dollars per million output tokens; 0 when unknown.
    #[serde(deserialize_with = "lenient::dollars")]
    pub output_cost: f64,
    /// Whether it takes images.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub images: bool,
    /// Whether it runs on the user's own machine: then it is free, and takes one call at a time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub local: bool,
    /// Whether it can't call tools: a request that offers some is refused by many servers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub no_tools: bool,
    /// What the user says that it costs: counts before what the host knows and reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub own: Option<Price>,
}

impl ModelFacts {
    /// What its tokens cost as far as anybody knows. The host's catalogue tells nothing here of caches.
    pub(crate) fn price(&self) -> Price {
        let known =
            Price { input: self.input_cost, output: self.output_cost, cache_read: None, cache_write: None };
        self.own.unwrap_or(known)
    }

    /// Whether anybody knows what it costs.
    pub fn is_priced(&self) -> bool {
        self.local || self.own.is_some() || self.input_cost > 0.0 || self.output_cost > 0.0
    }
}

/// Something that the shell has to do. `R`: what a session is for; `O` and `D` as in [`EventKind`]; `E`: effects of the
/// workflow's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "command", rename_all = "snake_case")]
#[serde(bound(
    deserialize = "R: Deserialize<'de>, O: DeserializeOwned, D: DeserializeOwned, E: Deserialize<'de>"
))]
pub enum Command<R, O, D, E> {
    /// Create the directory of that name below the output directory; it must not exist yet.
    /// Answer with `directory_claimed` or `directory_taken`.
    ClaimDirectory {
        /// Below the output directory.
        name: String,
    },
    /// Journal this event and apply it: a decision that must outlive the code that made it.
    Record {
        /// The event.
        event: EventKind<O, D>,
    },
    /// Create a child session. Answer with `session_opened` or `call_failed`.
    OpenSession {
        /// The job it is for.
        job: JobId,
        /// What it is for: decides the agent.
        role: R,
        /// Its title in the host's list.
        title: String,
    },
    /// Prompt a session and wait for the answer. Answer with `answered` or `call_failed`.
    Ask(Ask<R>),
    /// A prompt was on its way when the process before this one ended: look for its answer in the session, and stop
    /// what the session may still be doing. Answer with `answered`, or with `call_failed`, named `Lost` where
    /// there is no whole answer and `Unsent` where the model had not been asked.
    Recover {
        /// The prompt, as it was sent.
        ask: Ask<R>,
        /// When it was sent: an older message of the same text is not it. Milliseconds since 1970-01-01 UTC.
        #[cfg_attr(feature = "codegen", ts(type = "number"))]
        since: u64,
    },
    /// Stop what this job's session is doing. Needs no answer.
    Abort {
        /// The job.
        job: JobId,
        /// The session.
        session: String,
    },
    /// Write a file atomically: temporary file, sync, rename. Needs no answer.
    Write {
        /// Below the run directory, `/` between segments.
        path: String,
        /// The whole content.
        text: String,
    },
    /// Write a file unless one of that name is there: somebody may have changed it since. Needs no answer.
    Create {
        /// Below the run directory, `/` between segments.
        path: String,
        /// The whole content.
        text: String,
    },
    /// Take away a file that says what no longer holds; it may be gone already. Needs no answer.
    Discard {
        /// Below the run directory, `/` between segments.
        path: String,
    },
    /// Send `woken` at this moment, or as soon after as can be. Replaces an earlier one.
    WakeAt {
        /// Milliseconds since 1970-01-01 UTC.
        #[cfg_attr(feature = "codegen", ts(type = "number"))]
        at: u64,
    },
    /// Tell the user in passing.
    Notify {
        /// How it ends up coloured.
        tone: Tone,
        /// A short sentence.
        message: String,
        /// Whether it is worth a toast: the turns of phase are, single steps are not.
        toast: bool,
    },
    /// The run is over in this process; nothing more will come.
    Finish {
        /// How it ended.
        outcome: Outcome,
        /// Whether it came to what was asked for, or as far as it can by itself.
        done: bool,
        /// Whether it can be continued, also if it has no directory yet.
        resumable: bool,
        /// What the one model turn at the end is to be told; the user doesn't see it. Empty where there is to be none.
        brief: String,
    },
    /// An effect of the workflow's own. Answer with the one event of the workflow's own that the effect names.
    #[serde(untagged)]
    #[cfg_attr(feature = "codegen", ts(untagged))]
    Perform(E),
}

impl<R, O, D, E> Command<R, O, D, E> {
    /// The command as it may leave: people are shown no path of their home.
    #[must_use]
    pub fn redacted(mut self, known: &Known) -> Self {
        match &mut self {
            Self::Notify { message: text, .. }
            | Self::OpenSession { title: text, .. }
            | Self::Finish { brief: text, .. } => *text = known.tilde(text),
            Self::Write { path, text } | Self::Create { path, text } => {
                *text = known.file(path, std::mem::take(text));
            }
            _ => {}
        }
        self
    }
}

/// A prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Ask<R> {
    /// The job it belongs to.
    pub job: JobId,
    /// The session to prompt.
    pub session: String,
    /// What the session is for: decides the agent.
    pub role: R,
    /// `provider/model`.
    pub model: String,
    /// The temperature to ask for.
    pub temperature: f64,
    /// The provider's variant.
    pub variant: Option<String>,
    /// The system text.
    pub system: String,
    /// The prompt.
    pub text: String,
    /// What is sent beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<KeptFile>>"))]
    pub files: Vec<KeptFile>,
    /// Whether the model is offered no tools, since it can't call any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub no_tools: bool,
    /// Milliseconds after which the session is aborted and the call has failed as `Timeout`.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub deadline_ms: u64,
    /// Milliseconds without a sign of the model's while it is asked, after which the session is aborted and the call has failed as
    /// `Silent`. Time in which tools are at work doesn't count.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub idle_ms: u64,
    /// How often the host may repeat the request by itself: these are tries of ours, and once they are used up the
    /// call has failed.
    pub host_retries: u32,
}

impl<R> Ask<R> {
    /// How many characters of text it is taken for.
    pub(crate) fn characters(&self) -> usize {
        self.system.len() + self.text.len() + self.files.len() * budget::CHARACTERS_PER_FILE
    }
}

/// A file that the run keeps and models are sent. The shell sends no other bytes than these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct KeptFile {
    /// Below the run directory, `/` between segments.
    pub path: String,
    /// What it is.
    pub mime: String,
    /// How many bytes it has.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub bytes: u64,
    /// SHA-256 of these, in lower-case hex.
    pub sha256: String,
}

/// The colour of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Something went wrong.
    Error,
    /// Something goes on.
    Info,
    /// Something is done.
    Success,
    /// Something is missing.
    Warning,
}

/// How a run ended in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Stopped by the user; can be resumed.
    Cancelled,
    /// Done, with everything that was asked for.
    Complete,
    /// Done, with something missing.
    Partial,
    /// Done as far as was asked for: the user decides when it continues.
    Paused,
    /// All that could be asked here was asked: the result waits for somebody outside.
    Pending,
    /// Not done: too little remains.
    Stopped,
    /// Not begun: the user is to say whether it may cost what it is expected to.
    Waiting,
}

impl Outcome {
    /// Whether the run came to its result.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Complete | Self::Partial)
    }

    /// The command that ends the run in this process.
    pub fn finish<R, O, D, E>(self, brief: String) -> Command<R, O, D, E> {
        let done = self.is_done() || matches!(self, Self::Paused | Self::Pending);
        // One that ended by itself before it had a name holds nothing to continue.
        Command::Finish { outcome: self, done, resumable: self != Self::Stopped, brief }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shared_event_is_known_by_its_name() {
        let unknown = EventKind::<Value, Value>::deserialize(json!({"event": "?"}));
        let wording = unknown.unwrap_err().to_string();
        let names: Vec<&str> = wording.split('`').skip(3).step_by(2).collect();
        assert_eq!(names, SHARED, "{wording}");
    }
}
