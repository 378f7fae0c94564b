//! A run as its shell sees it: seal an event, apply the line, carry out the commands.

use crate::code::RunCode;
use crate::drive;
use crate::journal::{self, Chain};
use crate::paths;
use crate::problem::Problem;
use crate::protocol::{Command, Event, EventKind, JOURNAL_VERSION, JobId, Reply, Spending};
use crate::workflow::{Commands, EventKindOf, EventOf, Opening as _, Workflow};

/// A run as its shell sees it, whatever its workflow.
pub trait Durable: Clone + Default {
    /// The purpose of a session.
    type Role;
    /// How a run is opened.
    type Opening;
    /// The workflow's own events, in addition to those of every run.
    type Decision;
    /// The workflow's own effects besides asking models.
    type Effect: Clone;

    /// As [`Run::replay`].
    fn replay(journal: &str) -> Result<(Self, usize), Problem>;
    /// As [`Run::seal`].
    fn seal(&self, event: &Event<Self::Opening, Self::Decision>) -> String;
    /// As [`Run::chain`].
    fn chain(&self) -> &Chain;
    /// As [`Run::apply`].
    fn apply(&mut self, line: &str) -> Result<Vec<CommandTo<Self>>, Problem>;
    /// Every file that should be on disk by now, as a path below the run's directory and content: files that a crash prevented
    /// from being written are restored from here.
    fn files(&self) -> Result<Vec<(String, String)>, Problem>;
}

/// A command of a run to its shell.
pub type CommandTo<R> =
    Command<<R as Durable>::Role, <R as Durable>::Opening, <R as Durable>::Decision, <R as Durable>::Effect>;

/// A run: the state that results from the lines of its journal.
#[derive(Clone, Debug)]
pub struct Run<W> {
    /// The lines applied so far.
    chain: Chain,
    /// `None` before the first line.
    state: Option<W>,
}

impl<W> Default for Run<W> {
    fn default() -> Self {
        Self { chain: Chain::default(), state: None }
    }
}

impl<W: Workflow> Run<W> {
    /// The run that results from a journal, and how many bytes of the journal are whole: anything after them is a torn line, to
    /// be cut off before anything is appended. The commands of old lines are not repeated: [`EventKind::Resumed`] requests what
    /// is missing.
    pub fn replay(journal: &str) -> Result<(Self, usize), Problem> {
        let lines = journal::read_all::<EventOf<W>>(journal)?;
        let mut run = Self::default();
        for line in &lines {
            run.apply(line)?;
        }
        if run.state.is_none() {
            return Err(Problem::new(
                RunCode::JournalEmpty,
                "The journal has no complete line: the run had not started.",
            )
            .next("Start it again."));
        }
        Ok((run, lines.iter().map(|line| line.len()).sum()))
    }

    /// The journal line for an event, to be appended and synced before it is applied.
    pub fn seal(&self, event: &EventOf<W>) -> String {
        self.chain.seal(event)
    }

    /// Applies a sealed line and returns the commands that follow.
    pub fn apply(&mut self, line: &str) -> Result<Commands<W>, Problem> {
        let event: EventOf<W> = self.chain.read(line)?;
        if let EventKind::Opened(opening) = &event.kind {
            suits::<W>(opening)?;
        }
        W::admit(self.state.as_ref(), &event.kind).map_err(|what| refused(self.chain.lines() + 1, &what))?;
        let commands = match (&mut self.state, event) {
            (None, Event { at, kind: EventKind::Opened(opening) }) => {
                let state = self.state.insert(W::open(*opening, at));
                drive::apply(state, Event { at, kind: EventKind::Woken })
            }
            (Some(state), event) if !matches!(event.kind, EventKind::Opened(_)) => drive::apply(state, event),
            _ => {
                return Err(Problem::new(RunCode::JournalOrder, "A run can be opened only once.")
                    .next("Restore journal.jsonl from a copy, or start a new run."));
            }
        };
        paths::admit_commands(&commands)?;
        self.chain.add(line);
        Ok(commands)
    }

    /// The event that stops a call between two steps of its answer, if the run has reached its budget or the call its step limit;
    /// otherwise `None`. `used` is what the calls in flight have used so far, including this one.
    pub fn overspending(&self, job: &JobId, used: &[Spending]) -> Option<EventKindOf<W>> {
        drive::overspending(self.state.as_ref()?, job, used)
    }

    /// The paths that this answer cites, if it can be used: what is at them has to be known when it is judged.
    pub fn cited(&self, job: &JobId, reply: &Reply) -> Vec<String> {
        self.state.as_ref().map_or_else(Vec::new, |state| drive::cited(state, job, reply))
    }

    /// The lines applied so far.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The state that results from the lines; `None` before the first.
    pub fn state(&self) -> Option<&W> {
        self.state.as_ref()
    }
}

/// Whether this opening is valid for a run of this workflow.
fn suits<W: Workflow>(opening: &W::Opening) -> Result<(), Problem> {
    if opening.version() != JOURNAL_VERSION {
        return Err(Problem::new(
            RunCode::JournalVersion,
            format!("The journal has version {}.", opening.version()),
        )
        .allowed(format!("version {JOURNAL_VERSION}"))
        .next("Use the version of opencode-design-lab that started this run."));
    }
    if opening.workflow() != W::NAME {
        return Err(Problem::new(RunCode::JournalWorkflow, "The journal belongs to another workflow.")
            .found(opening.workflow().chars().take(paths::NAME_LENGTH).collect::<String>())
            .allowed(W::NAME)
            .next("Name a run of this workflow, or use the commands of the other workflow."));
    }
    Ok(())
}

/// The problem with a line that can only have been written by hand.
fn refused(line: u64, what: &str) -> Problem {
    Problem::new(RunCode::JournalInvalid, format!("Line {line} of the journal is invalid: {what}."))
        .next("This journal was changed or forged. Restore it from a copy, or start a new run.")
}
