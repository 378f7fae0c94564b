//! What a workflow has done beside asking models: run a command, look at the files.
//!
//! An effect is begun by one command and answered by one event of the workflow's own. A process that dies takes its effects with it,
//! so the next one begins every effect again that has no answer on record: an effect has to bear that.

use crate::protocol::Command;
use serde::{Deserialize, Serialize};

/// The effects that are under way: begun, and not answered on record.
#[derive(Clone, Debug)]
pub struct Effects<E> {
    under_way: Vec<E>,
}

impl<E> Default for Effects<E> {
    fn default() -> Self {
        Self { under_way: Vec::new() }
    }
}

impl<E: Clone> Effects<E> {
    /// Begins an effect.
    pub fn begin<R, O, D>(&mut self, effect: E, commands: &mut Vec<Command<R, O, D, E>>) {
        self.under_way.push(effect.clone());
        commands.push(Command::Perform(effect));
    }

    /// The effect that an answer is to, which is under way no longer. `None` where no answer is expected: it is to be ignored.
    pub fn answered(&mut self, is_meant: impl Fn(&E) -> bool) -> Option<E> {
        let at = self.under_way.iter().position(is_meant)?;
        Some(self.under_way.remove(at))
    }

    /// What is under way, the earliest first.
    pub fn under_way(&self) -> &[E] {
        &self.under_way
    }

    /// Begins again, in a new process, what had no answer when the process before it ended.
    pub fn begin_again<R, O, D>(&self, commands: &mut Vec<Command<R, O, D, E>>) {
        commands.extend(self.under_way.iter().cloned().map(Command::Perform));
    }
}

/// The effects of a workflow that has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub enum NoEffect {}
