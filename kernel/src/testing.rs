//! The virtual shell that every workflow's tests run on: scripted models answer, a virtual clock advances, and a host keeps
//! answers beyond the end of a process.

use crate::journal::Chain;
use crate::problem::Problem;
use crate::protocol::{Ask, CallFailure, Command, Event, EventKind, Outcome, Reply};
use crate::run::{CommandTo, Durable, Run};
use crate::tokens::Tokens;
use crate::workflow::{Commands, EventOf, Workflow};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

impl<W: Workflow> Durable for Run<W> {
    type Role = W::Role;
    type Opening = W::Opening;
    type Decision = W::Decision;
    type Effect = W::Effect;

    fn replay(journal: &str) -> Result<(Self, usize), Problem> {
        Self::replay(journal)
    }

    fn seal(&self, event: &EventOf<W>) -> String {
        self.seal(event)
    }

    fn chain(&self) -> &Chain {
        self.chain()
    }

    fn apply(&mut self, line: &str) -> Result<Commands<W>, Problem> {
        self.apply(line)
    }

    fn files(&self) -> Result<Vec<(String, String)>, Problem> {
        Ok(Vec::new())
    }
}

/// What a scripted model does with a prompt.
#[derive(Clone, Debug)]
pub enum Does {
    /// Answers with this text.
    Says(String),
    /// Sends this reply, with everything that the shell saw of it.
    Replies(Box<Reply>),
    /// Answers with this text, and stops for this reason.
    Ends(String, &'static str),
    /// Answers with this text, without reporting its usage.
    Mute(String),
    /// Fails with this name and this HTTP status.
    Fails(&'static str, Option<u16>),
}

/// In which order calls in flight come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The call that was asked first.
    FirstIn,
    /// The call that was asked last.
    LastIn,
}

/// The results of a workflow's own effects.
pub type Effects<'a, R> = &'a dyn Fn(&<R as Durable>::Effect) -> <R as Durable>::Decision;
/// How models answer their prompts.
pub type Script<'a, R> = &'a dyn Fn(&Ask<<R as Durable>::Role>) -> Does;
/// The answers that a host keeps, by session and prompt: they outlive a process.
pub type Kept = BTreeMap<(String, String), Reply>;

/// A shell without effects: keeps the journal and the files, and answers commands from a script.
pub struct Shell<'a, R: Durable> {
    /// The run.
    pub run: R,
    /// The shell's clock, in milliseconds since 1970-01-01 UTC.
    pub now: u64,
    /// The lines of the journal.
    pub journal: Vec<String>,
    /// What was written and not discarded, by path.
    pub files: BTreeMap<String, String>,
    /// Every prompt.
    pub asked: Vec<Ask<R::Role>>,
    /// Sessions that were stopped.
    pub aborted: Vec<String>,
    /// Prompts that wait for an answer.
    pub pending: Vec<Ask<R::Role>>,
    /// The workflow's own effects that wait for an answer.
    pub performing: Vec<R::Effect>,
    /// Every effect that was requested, in order.
    pub effects_asked: Vec<R::Effect>,
    /// How many effects were started.
    pub performed: usize,
    /// When the run asked to be woken.
    pub alarm: Option<u64>,
    /// How it ended, and the instructions for the final turn.
    pub ending: Option<(Outcome, String)>,
    /// Whether it is resumable, even if it had no directory yet.
    pub resumable: bool,
    /// The answers that the host keeps.
    pub kept: Kept,
    /// How many answers were found among those.
    pub recovered: usize,
    /// The host's failure name for a prompt that it has no answer to.
    pub lost_as: &'static str,
    /// Sessions opened so far.
    pub sessions: u32,
    /// The highest number of prompts that waited at once.
    pub most_in_flight: usize,
    /// Names of existing directories.
    pub taken: Vec<String>,
    /// The notices to the user.
    pub notices: Vec<String>,
    /// The order in which calls come back.
    pub order: Order,
    script: Script<'a, R>,
    effects: Option<Effects<'a, R>>,
}

impl<'a, R: Durable<Role: Clone>> Shell<'a, R> {
    /// A process without a run yet.
    pub fn new(script: Script<'a, R>, order: Order) -> Self {
        Self {
            run: R::default(),
            now: 1_795_167_000_000,
            journal: Vec::new(),
            files: BTreeMap::new(),
            asked: Vec::new(),
            aborted: Vec::new(),
            pending: Vec::new(),
            effects_asked: Vec::new(),
            performing: Vec::new(),
            performed: 0,
            alarm: None,
            ending: None,
            resumable: false,
            kept: BTreeMap::new(),
            recovered: 0,
            lost_as: "Unsent",
            sessions: 0,
            most_in_flight: 0,
            taken: Vec::new(),
            notices: Vec::new(),
            order,
            script,
            effects: None,
        }
    }

    /// The same shell with these results of effects.
    #[must_use]
    pub fn with_effects(self, effects: Effects<'a, R>) -> Self {
        Self { effects: Some(effects), ..self }
    }

    /// A process a day later, with the run of this journal in memory and its files on disk.
    ///
    /// # Panics
    /// If the journal can't be replayed.
    pub fn of(journal: &[String], script: Script<'a, R>, order: Order) -> Self {
        let text = journal.concat();
        let (run, whole) = R::replay(&text).expect("a journal that can be replayed");
        assert_eq!(whole, text.len(), "no line is torn");
        let last: Value = serde_json::from_str(journal.last().expect("a line")).expect("JSON");
        Self {
            files: run.files().expect("paths below the run's directory").into_iter().collect(),
            run,
            journal: journal.to_vec(),
            sessions: 1_000 * u32::try_from(journal.len()).expect("a short journal"),
            now: last["at"].as_u64().expect("a moment") + 86_400_000,
            ..Self::new(script, order)
        }
    }

    /// The same, and the run continues with the answers that the host kept.
    pub fn resumed(journal: &[String], script: Script<'a, R>, order: Order, kept: Kept) -> Self {
        let mut shell = Self { kept, ..Self::of(journal, script, order) };
        shell.feed(EventKind::Resumed);
        shell
    }

    /// Seals an event, appends it, applies it and carries out the commands that follow.
    ///
    /// # Panics
    /// If the run refuses it.
    pub fn feed(&mut self, kind: EventKind<R::Opening, R::Decision>) {
        let line = self.run.seal(&Event { at: self.now, kind });
        self.journal.push(line.clone());
        for command in self.run.apply(&line).expect("an event that the run takes") {
            self.perform(command);
        }
        self.most_in_flight = self.most_in_flight.max(self.pending.len());
    }

    /// Carries out a command.
    ///
    /// # Panics
    /// If the run ends twice.
    pub fn perform(&mut self, command: CommandTo<R>) {
        match command {
            Command::ClaimDirectory { name } if self.taken.contains(&name) => {
                self.feed(EventKind::DirectoryTaken { name });
            }
            Command::ClaimDirectory { name } => self.feed(EventKind::DirectoryClaimed { name }),
            Command::Record { event } => self.feed(event),
            Command::OpenSession { job, .. } => {
                self.sessions += 1;
                self.feed(EventKind::SessionOpened { job, session: format!("ses-{}", self.sessions) });
            }
            Command::Ask(ask) => {
                self.asked.push(ask.clone());
                self.pending.push(ask);
            }
            Command::Recover { ask, .. } => match self.kept.get(&(ask.session.clone(), ask.text.clone())) {
                Some(reply) => {
                    let reply = reply.clone();
                    self.recovered += 1;
                    self.feed(EventKind::Answered { job: ask.job, reply });
                }
                None => self.feed(EventKind::CallFailed {
                    job: ask.job,
                    failure: CallFailure { name: self.lost_as.into(), ..CallFailure::default() },
                }),
            },
            Command::Abort { session, .. } => self.aborted.push(session),
            Command::Write { path, text } => {
                self.files.insert(path, text);
            }
            Command::Create { path, text } => {
                self.files.entry(path).or_insert(text);
            }
            Command::Discard { path } => {
                self.files.remove(&path);
            }
            Command::WakeAt { at } => self.alarm = Some(at),
            Command::Notify { message, .. } => self.notices.push(message),
            Command::Perform(effect) => {
                self.performed += 1;
                self.effects_asked.push(effect.clone());
                self.performing.push(effect);
            }
            Command::Finish { outcome, done, resumable, brief } => {
                let expected = [Outcome::Complete, Outcome::Partial, Outcome::Paused, Outcome::Pending];
                assert_eq!(done, expected.contains(&outcome));
                assert!(resumable || outcome == Outcome::Stopped);
                assert!(self.ending.is_none(), "a run ends once");
                self.performing.clear();
                self.ending = Some((outcome, brief));
                self.resumable = resumable;
                self.feed(EventKind::Closed);
            }
        }
    }

    /// Answers one effect or call, or lets time pass until the next alarm. Returns false when there is neither.
    ///
    /// # Panics
    /// If there is an effect, and no script of effects.
    pub fn step(&mut self) -> bool {
        self.now += 1_000;
        if !self.performing.is_empty() && (self.order == Order::FirstIn || self.pending.is_empty()) {
            let effect = self.performing.remove(0);
            let effects = self.effects.expect("a script of effects");
            self.feed(EventKind::Decided(effects(&effect)));
            return true;
        }
        let next = match self.order {
            _ if self.pending.is_empty() => None,
            Order::FirstIn => Some(self.pending.remove(0)),
            Order::LastIn => self.pending.pop(),
        };
        if let Some(ask) = next {
            let does = (self.script)(&ask);
            self.feed(answer(&ask, does));
            return true;
        }
        match self.alarm.take() {
            Some(at) if self.ending.is_none() => {
                self.now = self.now.max(at);
                self.feed(EventKind::Woken);
                true
            }
            _ => false,
        }
    }

    /// Steps to the end of the run.
    ///
    /// # Panics
    /// If it hangs.
    pub fn finish(&mut self) -> Outcome {
        for _ in 0..10_000 {
            if let Some((outcome, _)) = &self.ending {
                return *outcome;
            }
            assert!(self.step(), "the run hangs: nothing is in flight and no alarm is set");
        }
        panic!("the run never ends")
    }

    /// A file as JSON.
    ///
    /// # Panics
    /// If it doesn't exist.
    pub fn json(&self, path: &str) -> Value {
        let text = self.files.get(path).unwrap_or_else(|| panic!("no {path}: {:?}", self.files.keys()));
        serde_json::from_str(text).expect("JSON")
    }

    /// The prompts to a model, in order.
    pub fn prompts_to(&self, model: &str) -> Vec<&str> {
        self.asked.iter().filter(|ask| ask.model == model).map(|ask| ask.text.as_str()).collect()
    }

    /// Every answer of the run as the host keeps it, whether or not it reached the journal.
    ///
    /// # Panics
    /// If a line of the journal is not JSON.
    pub fn kept_by_the_host(&self) -> Kept {
        let mut kept = Kept::new();
        let mut asked: BTreeMap<&str, Vec<&Ask<R::Role>>> = BTreeMap::new();
        for ask in &self.asked {
            asked.entry(ask.job.as_str()).or_default().push(ask);
        }
        for line in &self.journal {
            let event: Value = serde_json::from_str(line).expect("JSON");
            let Some(asks) = asked.get_mut(event["job"].as_str().unwrap_or_default()) else { continue };
            if event["event"] != "answered" && event["event"] != "call_failed" {
                continue;
            }
            let ask = asks.remove(0);
            if let Ok(reply) = serde_json::from_value::<Reply>(event["reply"].clone()) {
                kept.insert((ask.session.clone(), ask.text.clone()), reply);
            }
        }
        kept
    }
}

fn answer<R, O, D>(ask: &Ask<R>, does: Does) -> EventKind<O, D> {
    let job = ask.job.clone();
    let reply = |text: String, finish: &str| Reply {
        text,
        finish: finish.to_owned(),
        model: ask.model.clone(),
        cost: 0.01,
        tokens: Tokens { input: 1_000, output: 500, ..Tokens::default() },
        requests: 1,
        ..Reply::default()
    };
    match does {
        Does::Says(text) => EventKind::Answered { job, reply: reply(text, "stop") },
        Does::Replies(reply) => EventKind::Answered { job, reply: *reply },
        Does::Ends(text, finish) => EventKind::Answered { job, reply: reply(text, finish) },
        Does::Mute(text) => {
            let reply = Reply { cost: 0.0, tokens: Tokens::default(), ..reply(text, "stop") };
            EventKind::Answered { job, reply }
        }
        Does::Fails(name, status) => EventKind::CallFailed {
            job,
            failure: CallFailure {
                name: name.into(),
                message: "scripted".into(),
                status,
                cost: 0.001,
                ..CallFailure::default()
            },
        },
    }
}

/// The prompts that a journal holds answers to.
pub fn answered(journal: &[String]) -> BTreeSet<String> {
    let events = journal.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events
        .filter(|event| event["event"] == "answered")
        .map(|event| format!("{} {}", event["job"], event["reply"]["text"]))
        .collect()
}
