//! The files of a run, of which only those with changed content are written.

use crate::protocol::Command;
use std::collections::{BTreeMap, BTreeSet};

/// What this process has written and removed.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The last content written, by path.
    texts: BTreeMap<String, String>,
    /// Paths that were removed and not written since.
    removed: BTreeSet<String>,
}

impl Written {
    /// Whether this process has written nothing yet.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The commands that bring the disk in line with these files. `stale`: paths that no longer exist; those that an earlier
    /// process has not removed are removed now.
    pub fn changes<R, O, D, E>(
        &mut self,
        stale: Vec<String>,
        files: Vec<(String, String)>,
    ) -> Vec<Command<R, O, D, E>> {
        let mut commands = Vec::new();
        for path in stale {
            self.texts.remove(&path);
            if self.removed.insert(path.clone()) {
                commands.push(Command::Discard { path });
            }
        }
        for (path, text) in files {
            self.removed.remove(&path);
            if self.texts.get(&path) != Some(&text) {
                self.texts.insert(path.clone(), text.clone());
                commands.push(Command::Write { path, text });
            }
        }
        commands
    }
}
