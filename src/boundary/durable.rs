//! What the calls on the runs of every workflow have in common: from a journal and back to it, and to the files.

use super::Core;
use super::handles::Kept;
use super::values::{Argument, Failure};
use kernel::index::Summary;
use kernel::json::Read;
use kernel::origin::Origin;
use kernel::protocol::{Event, EventKind};
use kernel::run::{CommandTo, Durable};
use serde::Serialize;

/// A run that results from a journal.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Replayed {
    /// The handle of the run.
    handle: u32,
    /// How many bytes of the journal are whole: anything after them must be cut off.
    whole: usize,
}

/// An event of a run, with its moment.
pub(super) struct EventOf<R: Durable>(Event<R::Opening, R::Decision>);

impl<R: Durable<Opening: Read, Decision: Read>> Argument<&str> for EventOf<R> {
    fn read(text: &str, core: &Core) -> Result<Self, Failure> {
        core.read(text).map(Self)
    }
}

impl Core {
    /// The run that results from a journal.
    pub(super) fn replay<R: Durable + Kept>(&self, journal: &str) -> Result<Replayed, Failure> {
        let (run, whole) = R::replay(journal)?;
        Ok(Replayed { handle: self.handles.keep(run), whole })
    }

    /// The journal line for an event.
    pub(super) fn seal<R: Durable>(&self, run: &R, EventOf(event): EventOf<R>) -> String {
        let event = event.redacted(&self.known());
        let adopts = matches!(event.kind, EventKind::Adopted { .. });
        run.chain().marked(run.seal(&event), self.key().as_ref(), adopts)
    }

    /// Applies a sealed line that is on disk; returns the commands.
    pub(super) fn apply<R: Durable + Kept>(
        &self,
        handle: u32,
        line: &str,
    ) -> Result<Vec<CommandTo<R>>, Failure> {
        let commands = self.handles.change(handle, |run: &mut R| run.apply(line))?;
        let known = self.known();
        Ok(commands.into_iter().map(|command| command.redacted(&known)).collect())
    }

    /// The origin of a run.
    pub(super) fn origin_of<R: Durable>(&self, run: &R) -> Origin {
        run.chain().origin(self.key().as_ref())
    }

    /// The same, as far as this machine can tell: without a key it couldn't distinguish its own runs from others'.
    pub(super) fn vouched_origin_of<R: Durable>(&self, run: &R) -> Origin {
        if self.key().is_some() { self.origin_of(run) } else { Origin::Here }
    }

    /// The summary of a run, with its origin.
    pub(super) fn with_origin<R: Durable, S>(
        &self,
        run: &R,
        summary: Option<Summary<S>>,
    ) -> Option<Summary<S>> {
        summary.map(|summary| Summary { origin: self.origin_of(run), ..summary })
    }

    /// Every file that should be on disk by now: path and text.
    pub(super) fn files<R: Durable>(&self, run: &R) -> Result<Vec<(String, String)>, Failure> {
        let known = self.known();
        let redacted = |(path, text): (String, String)| {
            let text = known.file(&path, text);
            (path, text)
        };
        Ok(run.files()?.into_iter().map(redacted).collect())
    }
}
