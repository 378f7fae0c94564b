//! Taking over a session that this machine didn't write. What its journal claims may be made up, so none of it counts: its plan needs
//! an approval, and each feature has to be checked and reviewed here. The files are what they are, so no worker builds them again.

use super::reached::Reached;
use super::session::{Entry, Phase, Progress, Session};
use kernel::clock::iso;
use kernel::effects::Effects;
use kernel::protocol::Outcome;
use kernel::workflow::Workflow as _;

/// The rules of the first version that took sessions over in this way: earlier ones let through what a session from elsewhere may use.
const LEAST_RULES: u32 = 6;

impl Session {
    /// Takes the session over. The user's next command continues it. `at`: milliseconds by the shell's clock.
    pub(super) fn take_over(&mut self, at: u64) {
        if let Some(build) = self.build.take()
            && let Some(progress) = self.features.get_mut(&build.feature)
        {
            progress.reached = Reached::Pending;
            self.phase = Phase::Resting(Outcome::Stopped);
        }
        self.opening.rules = self.opening.rules.max(LEAST_RULES);
        (self.approval, self.latest, self.automatic) = (None, None, false);
        // A lane is on the machine that made it.
        (self.lane, self.take) = (None, None);
        self.effects = Effects::default();
        let voided = self.all_so_far();
        for (id, progress) in &mut self.features {
            let is_built = matches!(progress.reached, Reached::Completed(_)) || progress.is_built;
            // Links were digested with the key of another machine.
            *progress = Progress { links: None, is_built, ..progress.restarted() };
            self.voided.insert(id.clone(), voided);
        }
        let note = "You took this session over. This machine can't confirm what happened before, so the \
                    plan needs your approval, and features that were already built are checked and \
                    reviewed again.";
        self.history.push(Entry { at: iso(self.calls.clock.moment(at)), text: note.to_owned() });
        self.note(note.to_owned());
    }
}
