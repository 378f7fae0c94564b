//! The effects that a workflow requests besides asking models: run a command, look at the files.
//!
//! An effect is started by one command and answered by one event of the workflow. A process that dies takes its effects with it,
//! so the next one restarts every effect without a recorded answer: effects have to tolerate that.

use crate::json::Deserialize;
use crate::protocol::Command;
use serde::Serialize;

/// The effects in progress: started, with no answer recorded yet.
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
    /// Starts an effect.
    pub fn begin<R, O, D>(&mut self, effect: E, commands: &mut Vec<Command<R, O, D, E>>) {
        self.under_way.push(effect.clone());
        commands.push(Command::Perform(effect));
    }

    /// Returns the effect that an answer belongs to and removes it. `None` when no answer is expected: the answer is to be ignored.
    pub fn answered(&mut self, is_meant: impl Fn(&E) -> bool) -> Option<E> {
        let at = self.under_way.iter().position(is_meant)?;
        Some(self.under_way.remove(at))
    }

    /// The effects in progress, the earliest first.
    pub fn under_way(&self) -> &[E] {
        &self.under_way
    }

    /// Restarts, in a new process, the effects that had no answer when the previous process ended.
    pub fn begin_again<R, O, D>(&self, commands: &mut Vec<Command<R, O, D, E>>) {
        commands.extend(self.under_way.iter().cloned().map(Command::Perform));
    }
}

/// The effects of a workflow that has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "codegen", derive(ts_rs::TS))]
pub enum NoEffect {}
