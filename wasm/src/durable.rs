//! The boundary's operations on a run of any workflow: from its journal and back to it, and to the files.

use crate::handles::Handles;
use crate::{KEY, decode, outcome, verbatim, with_known};
use kernel::index::Summary;
use kernel::json::Read;
use kernel::origin::{Key, Origin};
use kernel::protocol::{Event, EventKind};
use kernel::run::{CommandTo, Durable};
use serde::Serialize;
use std::thread::LocalKey;

type Runs<R> = &'static LocalKey<Handles<R>>;

/// The run that results from a journal; returns `{"handle": number, "whole": bytes}`: anything after these bytes must be cut off.
pub(crate) fn replay<R: Durable>(runs: Runs<R>, journal: &str) -> String {
    #[derive(Serialize)]
    struct Replayed {
        handle: u32,
        whole: usize,
    }
    let replayed =
        R::replay(journal).map(|(run, whole)| Replayed { handle: runs.with(|runs| runs.keep(run)), whole });
    outcome(replayed.map_err(|problem| vec![problem]))
}

/// The journal line for an event; returns the line as a JSON string.
pub(crate) fn seal<R>(runs: Runs<R>, handle: u32, event: &str) -> String
where
    R: Durable<Opening: Read, Decision: Read>,
{
    verbatim(decode::<Event<R::Opening, R::Decision>>(event).and_then(|event| {
        let event = with_known(|known| event.redacted(known));
        let adopts = matches!(event.kind, EventKind::Adopted { .. });
        let sealed = |run: &R| with_key(|key| run.chain().marked(run.seal(&event), key, adopts));
        runs.with(|runs| runs.read(handle, |run| Ok(sealed(run))))
    }))
}

/// The origin of a run.
pub(crate) fn origin_of<R: Durable>(run: &R) -> Origin {
    with_key(|key| run.chain().origin(key))
}

/// Whether this machine has a key.
pub(crate) fn has_key() -> bool {
    with_key(|key| key.is_some())
}

/// A run in a few facts, including its origin; returns `Summary`, or `null` before its first event.
pub(crate) fn summary<R: Durable, S: Serialize>(
    runs: Runs<R>,
    handle: u32,
    of: impl FnOnce(&R) -> Option<Summary<S>>,
) -> String {
    let summary = |run: &R| of(run).map(|summary| Summary { origin: origin_of(run), ..summary });
    outcome(runs.with(|runs| runs.read(handle, |run| Ok(summary(run)))))
}

fn with_key<T>(act: impl FnOnce(Option<&Key>) -> T) -> T {
    let key = KEY.with_borrow(Clone::clone);
    act(key.as_ref())
}

/// Applies a sealed line that is on disk; returns the commands.
pub(crate) fn apply<R>(runs: Runs<R>, handle: u32, line: &str) -> String
where
    R: Durable<Role: Serialize, Opening: Serialize, Decision: Serialize, Effect: Serialize>,
{
    let commands = runs.with(|runs| runs.change(handle, |run| run.apply(line)));
    let redacted = |command: CommandTo<R>| with_known(|known| command.redacted(known));
    outcome(commands.map(|commands| commands.into_iter().map(redacted).collect::<Vec<_>>()))
}

/// Every file that should be on disk by now; returns `[path, text][]`.
pub(crate) fn files<R: Durable>(runs: Runs<R>, handle: u32) -> String {
    let files = runs.with(|runs| runs.read(handle, Durable::files));
    let redacted = |(path, text): (String, String)| {
        let text = with_known(|known| known.file(&path, text));
        (path, text)
    };
    outcome(files.map(|files| files.into_iter().map(redacted).collect::<Vec<_>>()))
}
