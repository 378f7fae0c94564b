//! The protocol between the core and its shell.
//!
//! The shell owns every effect, the core every decision. They exchange two kinds of message:
//!
//! - an [`Event`] tells the core what happened: *"the model replied with this text"*, *"it is now T"*;
//! - a [`Command`] tells the shell what to do: *"ask this model this"*, *"write this file"*.
//!
//! One rule makes a run durable. For each event the shell
//! 1. asks the core to seal it into a journal line ([`crate::run::Run::seal`]),
//! 2. appends the line to the journal and syncs it to disk,
//! 3. passes the line back ([`crate::run::Run::apply`]) and carries out the commands it returns, in order.
//!
//! Nothing else changes a run's state, so replaying the lines rebuilds it: resuming needs no code of its own.
//! Commands may be carried out concurrently; only [`Command::Write`] and [`Command::Discard`] must keep their order.
//! Each `OpenSession`, `Ask`, `Recover`, `ClaimDirectory`, `Record` and `Perform` is answered by exactly one event. Anything
//! still in progress when `Finish` arrives is stopped, and not answered.

use crate::budget::{self, Price};
use crate::json::Deserialize;
use crate::lenient;
use crate::redaction::{Known, Redacted};
use crate::tokens::Tokens;
use serde::Serialize;
use std::fmt;

/// The journal's format version; a reader refuses any other.
pub const JOURNAL_VERSION: u32 = 1;

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event<O, D> {
    /// Milliseconds since 1970-01-01 UTC, by the shell's clock.
    pub at: u64,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind<O, D>,
}

impl<O, D> Event<O, D> {
    /// The event as it is journaled: the host's description of a failure contains none of these secrets. A model's answer is kept
    /// unchanged.
    #[must_use]
    pub fn redacted(mut self, known: &Known) -> Self {
        if let EventKind::CallFailed { failure, .. } = &mut self.kind {
            failure.name = known.redact(&failure.name);
            failure.message = known.redact(&failure.message);
        }
        self
    }
}

/// What happened. `O`: how the workflow opens a run; `D`: the workflow's own decisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind<O, D> {
    /// A run began. Always the first event, never a later one.
    Opened(Box<O>),
    /// The directory with that name was created for this run.
    DirectoryClaimed {
        /// Below the output directory.
        name: String,
    },
    /// A directory with that name already exists.
    DirectoryTaken {
        /// Below the output directory.
        name: String,
    },
    /// A child session is ready for this job.
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
        /// The host's description of it.
        failure: CallFailure,
    },
    /// A call that takes several steps was stopped between two of them because the run reached its budget.
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
    /// The user wants failed jobs to be asked again; the next event, which continues the run, does so.
    Retried,
    /// A new process continues the run.
    Resumed,
    /// The run is over in this process, and every file is on disk. It is the last event unless the run is resumed.
    Closed,
    /// The journal on disk differed from what this process had written, and was rewritten from memory.
    JournalRestored,
    /// The user continues a run that wasn't started on this machine ([`crate::origin`]).
    Adopted {
        /// Whether what the run has shown before counts for nothing. Older journals don't have it.
        #[serde(default)]
        voids: bool,
    },
    /// A decision of the workflow that must outlive the code that made it.
    #[serde(untagged)]
    #[cfg_attr(feature = "codegen", ts(untagged))]
    Decided(D),
}

/// Identifies a job within its run: one conversation with one model, in one session at a time. The workflow chooses the ids of
/// its jobs and their meaning; the kernel only tells them apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct JobId(String);

impl JobId {
    /// The id with that text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, as written in journals.
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
    /// Why the model stopped, as the host reports it: `stop`, `length`, `content-filter`, ….
    #[serde(deserialize_with = "lenient::text")]
    pub finish: String,
    /// The model's name as the provider reported it; empty when unknown.
    #[serde(default, deserialize_with = "lenient::text")]
    pub model: String,
    /// US dollars, over all assistant messages of this prompt.
    #[serde(default, deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens, over all assistant messages of this prompt.
    #[serde(default)]
    pub tokens: Tokens,
    /// How often the host repeated the request before it was answered.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub host_retries: u32,
    /// How many of its requests broke off after the model had begun to answer: their usage is not reported.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub cut_off: u32,
    /// How often the model has read or searched files of the project in this session so far; `None` when the host doesn't report
    /// it. Older journals don't have it.
    #[serde(default, deserialize_with = "lenient::times")]
    pub reads: Option<u32>,
    /// What the shell found at the paths that the text cites when the answer arrived. Older journals don't have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<LookedUp>>"))]
    pub looked_up: Vec<LookedUp>,
    /// How many requests were sent to the provider for it; 0 when they were not counted.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
    /// Tokens of the prompt in the first of these requests, cached ones included, as the provider reported them. Older journals
    /// don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub prompt_tokens: Option<u64>,
    /// The size in tokens that the host assumes for the conversation, from the provider's last report, plausible or not. Older
    /// journals don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub held: Option<f64>,
}

/// What was found at a path that an answer cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct LookedUp {
    /// The path as the answer writes it.
    pub path: String,
    /// What was found there.
    pub found: PathFound,
    /// How many lines the file has; `None` for anything but a file, and for a file that is too large to count.
    pub lines: Option<u32>,
    /// Where a name was found, or what was found instead. Only for names that are no paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub place: Option<String>,
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
    /// Something that is not a plain file, or that can't be opened.
    Other,
    /// The path leads out of the project, so it was not looked up.
    Outside,
}

/// What a call that isn't answered yet has used: a model that first reads and searches answers in several steps, each a separate
/// request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct Spending {
    /// The job whose prompt is in flight.
    pub job: JobId,
    /// US dollars, over the steps so far.
    #[serde(deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens, over the steps so far.
    pub tokens: Tokens,
    /// How many requests were sent to the provider for it so far: one for each step.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
}

/// Why a call failed, as far as the host knows. The core decides what follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct CallFailure {
    /// The host's name of the error (`APIError`, `ProviderAuthError`, …), `Timeout` or `Silent` for a deadline; if
    /// [`Command::Recover`] found no answer, `Lost`, or `Unsent` when the model was never asked.
    #[serde(deserialize_with = "lenient::text")]
    pub name: Redacted,
    /// The host's message. A provider may quote the request in it, key and all.
    #[serde(deserialize_with = "lenient::text")]
    pub message: Redacted,
    /// The provider's HTTP status.
    #[serde(default, deserialize_with = "lenient::status")]
    pub status: Option<u16>,
    /// Whether the host thinks that trying again may help; `None` when it doesn't say.
    #[serde(default, deserialize_with = "lenient::flag")]
    pub retryable: Option<bool>,
    /// Milliseconds that the provider asked the client to wait.
    #[serde(default, deserialize_with = "lenient::milliseconds")]
    #[cfg_attr(feature = "codegen", ts(type = "number | null"))]
    pub retry_after_ms: Option<u64>,
    /// What the failed call cost nevertheless.
    #[serde(default, deserialize_with = "lenient::dollars")]
    pub cost: f64,
    /// Tokens of the failed call.
    #[serde(default)]
    pub tokens: Tokens,
    /// How often the host had already repeated the request on its own: these tries count.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub host_retries: u32,
    /// How many of its requests broke off after the model had begun to answer: their usage is not reported.
    #[serde(default, deserialize_with = "lenient::tries")]
    pub cut_off: u32,
    /// How many requests were sent to the provider for it.
    #[serde(default, deserialize_with = "lenient::requests")]
    pub requests: u32,
    /// The prompt's tokens, if the provider reports that they were too many.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub prompt_tokens: Option<u64>,
    /// The size of the model's context in tokens, if the provider reports it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "lenient::tokens")]
    #[cfg_attr(feature = "codegen", ts(optional, type = "number"))]
    pub context_tokens: Option<u64>,
}

impl CallFailure {
    /// The failure name of a call that took more steps than allowed without an answer.
    pub const ENDLESS: &str = "Endless";
}

/// The facts about a model from the host's catalogue.
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
    /// Whether it accepts images.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub images: bool,
    /// Whether it runs on the user's own machine: then it is free, and handles one call at a time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub local: bool,
    /// Whether it can't call tools: many servers refuse a request that offers some.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub no_tools: bool,
    /// The user's own price for it: takes precedence over the host's catalogue and reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "codegen", ts(optional))]
    pub own: Option<Price>,
}

impl ModelFacts {
    /// The price of its tokens as far as it is known. The host's catalogue has no cache prices here.
    pub(crate) fn price(&self) -> Price {
        let known =
            Price { input: self.input_cost, output: self.output_cost, cache_read: None, cache_write: None };
        self.own.unwrap_or(known)
    }

    /// Whether its price is known.
    pub fn is_priced(&self) -> bool {
        self.local || self.own.is_some() || self.input_cost > 0.0 || self.output_cost > 0.0
    }
}

/// Something that the shell has to do. `R`: the purpose of a session; `O` and `D` as in [`EventKind`]; `E`: the workflow's own
/// effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command<R, O, D, E> {
    /// Create the directory with that name below the output directory; it must not exist yet.
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
        /// Its purpose: decides the agent.
        role: R,
        /// Its title in the host's list.
        title: String,
    },
    /// Prompt a session and wait for the answer. Answer with `answered` or `call_failed`.
    Ask(Ask<R>),
    /// A prompt was in flight when the previous process ended: look for its answer in the session, and stop whatever the session
    /// may still be doing. Answer with `answered`, or with `call_failed`, named `Lost` if there is no complete answer and
    /// `Unsent` if the model was not asked.
    Recover {
        /// The prompt as it was sent.
        ask: Ask<R>,
        /// When it was sent: an older message with the same text is a different one. Milliseconds since 1970-01-01 UTC.
        #[cfg_attr(feature = "codegen", ts(type = "number"))]
        since: u64,
    },
    /// Stop whatever this job's session is doing. Needs no answer.
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
    /// Write a file unless one with that name exists: it may have been edited since. Needs no answer.
    Create {
        /// Below the run directory, `/` between segments.
        path: String,
        /// The whole content.
        text: String,
    },
    /// Delete a file whose content is no longer valid; it may already be gone. Needs no answer.
    Discard {
        /// Below the run directory, `/` between segments.
        path: String,
    },
    /// Send `woken` at this moment, or as soon as possible afterwards. Replaces an earlier one.
    WakeAt {
        /// Milliseconds since 1970-01-01 UTC.
        #[cfg_attr(feature = "codegen", ts(type = "number"))]
        at: u64,
    },
    /// Show the user a notice.
    Notify {
        /// Its tone, which decides the colour.
        tone: Tone,
        /// A short sentence.
        message: String,
        /// Whether it deserves a toast: phase changes do, single steps don't.
        toast: bool,
    },
    /// The run is over in this process; nothing more will come.
    Finish {
        /// How it ended.
        outcome: Outcome,
        /// Whether it reached what the user asked for, or got as far as it can without the user.
        done: bool,
        /// Whether it can be continued, even if it has no directory yet.
        resumable: bool,
        /// The instructions for the one model turn at the end; the user doesn't see them. Empty if there is none.
        brief: String,
    },
    /// An effect of the workflow's own. Answer with the one workflow event that the effect names.
    #[serde(untagged)]
    #[cfg_attr(feature = "codegen", ts(untagged))]
    Perform(E),
}

impl<R, O, D, E> Command<R, O, D, E> {
    /// The command as it may leave the core: people see no path of their home directory.
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
    /// The session's purpose: decides the agent.
    pub role: R,
    /// `provider/model`.
    pub model: String,
    /// The temperature to request.
    pub temperature: f64,
    /// The provider's variant.
    pub variant: Option<String>,
    /// The system text.
    pub system: String,
    /// The prompt.
    pub text: String,
    /// The files sent with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<Vec<KeptFile>>"))]
    pub files: Vec<KeptFile>,
    /// Whether the model is offered no tools, because it can't call any.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "codegen", ts(optional, as = "Option<bool>"))]
    pub no_tools: bool,
    /// Milliseconds after which the session is aborted and the call fails as `Timeout`.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub deadline_ms: u64,
    /// Milliseconds without any sign from the model during the call, after which the session is aborted and the call fails as
    /// `Silent`. Time in which tools are running doesn't count.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub idle_ms: u64,
    /// How often the host may repeat the request on its own: these count as tries of the run, and once they are used up the call
    /// has failed.
    pub host_retries: u32,
}

impl<R> Ask<R> {
    /// How many characters it is estimated at.
    pub(crate) fn characters(&self) -> usize {
        self.system.len() + self.text.len() + self.files.len() * budget::CHARACTERS_PER_FILE
    }
}

/// A file that the run keeps and sends to models. The shell sends exactly these bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub struct KeptFile {
    /// Below the run directory, `/` between segments.
    pub path: String,
    /// Its media type.
    pub mime: String,
    /// Its size in bytes.
    #[cfg_attr(feature = "codegen", ts(type = "number"))]
    pub bytes: u64,
    /// SHA-256 of its bytes, in lower-case hex.
    pub sha256: String,
}

/// The colour of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Something went wrong.
    Error,
    /// Something is in progress.
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
    /// Done, with everything that the user asked for.
    Complete,
    /// Done, with something missing.
    Partial,
    /// Done up to the requested point: the user decides when it continues.
    Paused,
    /// Everything that could be asked here was asked: the result waits for someone outside.
    Pending,
    /// Not done: too few results remain.
    Stopped,
    /// Not started: the user must first approve the expected cost.
    Waiting,
}

impl Outcome {
    /// Whether the run reached its result.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Complete | Self::Partial)
    }

    /// The command that ends the run in this process.
    pub fn finish<R, O, D, E>(self, brief: String) -> Command<R, O, D, E> {
        let done = self.is_done() || matches!(self, Self::Paused | Self::Pending);
        // A run that ended on its own before it had a name has nothing to continue.
        Command::Finish { outcome: self, done, resumable: self != Self::Stopped, brief }
    }
}
