//! A lane: a copy of the project, outside it, in which the workers of a session work. The user's files stay as they are until the user
//! takes the result by typing the hash of what was shown.
//!
//! The invariant: a take writes exactly the tree whose hash the user typed, over exactly the tree that the user was shown. If either
//! has changed, nothing is written. What was approved in the lane is approved only there: a merged tree is a different one.

use super::code::FlowCode;
use super::evidence::some;
use super::git_record::{self, GitRecord};
use super::protocol::{Effect, LaneMade, Outside, Taken, TreeId, Weighed};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, FeatureState, Phase, Session};
use super::status::list;
use super::step::Step;
use crate::design_lab::config::Workplace;
use crate::shared::figures::{count, size};
use crate::shared::typed_hash::{SHORT, is_typed, short};
use design_lab_numerics::sorting::set;
use kernel::digest::sha256;
use kernel::drive;
use kernel::protocol::{Outcome, Tone};
use kernel::visible;
use std::fmt::Write as _;

/// A session's lane.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    /// Its absolute path.
    pub(super) directory: String,
    /// The tree from which it was made.
    made_from: TreeId,
    /// The tree that it and the project had in common last: the one from which it was made, or the one taken last.
    base: TreeId,
    /// The project at the last look of the current build.
    outside: Option<Outside>,
    /// The paths of the project that changed while a worker worked, sorted.
    moved: Vec<String>,
    /// The latest take.
    taken: Option<TakenOver>,
    /// The only tree that may be taken: that which its race compared. `None` when the user takes it outside a race.
    frozen: Option<TreeId>,
}

/// A take that was carried out.
#[derive(Clone, Debug)]
struct TakenOver {
    /// The tree of the lane that was taken.
    lane: TreeId,
    /// The project's tree since then.
    tree: TreeId,
    /// The paths that changed in the project, sorted.
    changed: Vec<String>,
    /// The patch that restores the earlier files.
    undo: Option<String>,
}

/// A take that is under way.
#[derive(Clone, Debug)]
pub(super) enum Take {
    /// Its changes are looked up. `typed`: the typed part of a hash; `None` to be shown the changes.
    Weighing { typed: Option<String> },
    /// The changes that the user is shown.
    Shown(Weighed),
    /// They are written to the project.
    Taking(Weighed),
}

impl Take {
    /// Whether it waits for the shell.
    pub(super) fn is_under_way(&self) -> bool {
        !matches!(self, Self::Shown(_))
    }
}

/// The hash that the user types: of the files that are written, and of those over which they are written.
fn hash(weighed: &Weighed, merged: &TreeId) -> String {
    sha256(&format!("take {} {merged}", weighed.project))
}

impl Session {
    // ---- the lane ----

    /// Makes the lane if this session works in one and doesn't have it yet. Returns whether it does.
    pub(super) fn makes_lane(&mut self, commands: &mut Commands) -> bool {
        if self.opening.settings.place != Workplace::Lane || self.lane.is_some() {
            return false;
        }
        self.effects_begun += 1;
        let (link, setup) = (self.linked_names(), self.settings.worktree.setup.clone());
        let from = self.opening.lane_of.as_ref().and_then(|lane_of| lane_of.base.clone());
        let effect = Effect::MakeLane { effect: self.effects_begun, from, link, setup };
        commands.push(drive::notice(Tone::Info, "Flow makes a lane for the worker".to_owned()));
        self.effects.begin(effect, commands);
        true
    }

    pub(super) fn lane_made(&mut self, made: LaneMade, commands: &mut Commands) {
        if self.answered(made.effect, |effect| matches!(effect, Effect::MakeLane { .. })).is_none() {
            return;
        }
        let LaneMade { unprepared, directory, tree, files, bytes, linked, copied, .. } = made;
        let tree = match (unprepared, tree) {
            (None, Some(tree)) => tree,
            (why, _) => {
                self.no_lane(&why.unwrap_or_else(|| "it has no files".to_owned()), commands);
                return;
            }
        };
        let mut log =
            format!("Flow made a lane with {} ({}).", count(files.into(), "file", "files"), size(bytes));
        for (what, paths) in [("Links to your project", linked), ("Copies of ignored files", copied)] {
            if !paths.is_empty() {
                let _ = write!(log, " {what}: {}.", some(&paths));
            }
        }
        self.log(&log);
        self.lane = Some(Lane {
            directory,
            made_from: tree.clone(),
            base: tree,
            outside: None,
            moved: Vec::new(),
            taken: None,
            frozen: None,
        });
        self.look_before(commands);
    }

    fn no_lane(&mut self, why: &str, commands: &mut Commands) {
        let message = format!("The lane could not be made: {}.", why.trim_end_matches('.'));
        let recovery = Recovery::new(FlowCode::LaneUnprepared, RecoveryStage::Run, message)
            .takes("a lane in which OpenCode and the checks can work");
        let hint = "Fix the cause and build the feature again. To work in the project itself, remove \
                    `flow.place` from the configuration and start a new session.";
        self.block(recovery, hint, commands);
    }

    /// The project's tree at the last look of the current build.
    pub(super) fn outside_since(&self) -> Option<TreeId> {
        let outside = self.lane.as_ref()?.outside.as_ref()?;
        (!self.is_before_work()).then(|| outside.tree.clone())
    }

    /// Whether no worker has worked since the current build began.
    fn is_before_work(&self) -> bool {
        self.build.as_ref().is_none_or(|build| matches!(build.step, Step::Before { .. }))
    }

    /// Keeps what was seen of the project, and returns what has changed there while a model worked.
    pub(super) fn outside_is(&mut self, outside: Option<Box<Outside>>) -> Vec<String> {
        let is_new = self.is_before_work();
        let (Some(lane), Some(now)) = (&mut self.lane, outside) else { return Vec::new() };
        let before = lane.outside.replace((*now).clone()).filter(|_| !is_new);
        let mut told = Vec::new();
        if before.is_some() && !now.changed.is_empty() {
            let moved = std::mem::take(&mut lane.moved);
            lane.moved = set(moved.iter().chain(&now.changed)).into_iter().cloned().collect();
            told.push(format!(
                "Files of your project changed while the worker worked in its lane: {}. If you didn't change \
                 them, the worker or a program that it started did.",
                some(&now.changed)
            ));
        }
        let recorded = before.as_ref().and_then(|before| before.recorded.as_ref()).zip(now.recorded.as_ref());
        if recorded.is_some_and(|(before, now)| before != now) {
            told.push(
                "HEAD, branches, the index or settings of your project's git repository changed while the \
                 worker worked in its lane. If you didn't change them, the worker or a program that it \
                 started did."
                    .to_owned(),
            );
        }
        told
    }

    /// What changed in git's own data while a model worked, in words.
    pub(super) fn told_of_git(&self, before: &GitRecord, now: &GitRecord) -> Option<String> {
        if self.lane.is_none() {
            return git_record::told_of(before, now);
        }
        // The commands that undo such a change would be typed in the project.
        (before != now).then(|| "Git's own data in the lane changed, but not by Flow.".to_owned())
    }

    // ---- taking ----

    /// Whether the result of the lane may be taken, or shown.
    pub(super) fn may_take(&self) -> Result<(), Recovery> {
        self.not_archived()?;
        self.at_rest()?;
        if self.lane.is_some() {
            return Ok(());
        }
        let in_lane = self.opening.settings.place == Workplace::Lane;
        let (message, hint, command) = if self.is_race() {
            (
                "This session is a race.",
                "Name the lane to take: /flow-race take, followed by its letter.",
                "/flow-status",
            )
        } else if in_lane {
            ("No feature was started yet, so there is no lane.", "Build a feature first.", "/flow-run")
        } else {
            (
                "This session works in your project, so its changes are there already.",
                "For the next session, set `flow.place` to \"lane\" in .opencode/design-lab.jsonc.",
                "/flow-status",
            )
        };
        Err(Recovery::new(FlowCode::TakeNoLane, RecoveryStage::Session, message)
            .takes("a session with a lane")
            .next(hint, command))
    }

    pub(super) fn take_wanted(
        &mut self,
        typed: Option<String>,
        frozen: Option<TreeId>,
        commands: &mut Commands,
    ) {
        let Some(lane) = &mut self.lane else { return };
        lane.frozen = frozen;
        let base = lane.base.clone();
        self.wake(Phase::Taking);
        self.weigh(base, typed, commands);
    }

    fn weigh(&mut self, base: TreeId, typed: Option<String>, commands: &mut Commands) {
        self.take = Some(Take::Weighing { typed });
        self.effects_begun += 1;
        let made_from = self.lane.as_ref().map(|lane| lane.made_from.clone());
        let checked = self.checked_tree().cloned().or(made_from);
        self.effects.begin(Effect::WeighTake { effect: self.effects_begun, base, checked }, commands);
    }

    /// The tree with which the latest feature was completed.
    fn checked_tree(&self) -> Option<&TreeId> {
        self.features.get(self.latest.as_deref()?)?.tree()
    }

    pub(super) fn take_weighed(&mut self, weighed: Weighed, commands: &mut Commands) {
        let number = weighed.effect;
        let asked = self.answered(number, |effect| matches!(effect, Effect::WeighTake { .. }));
        let Some(Effect::WeighTake { base, .. }) = asked else { return };
        let Some(Take::Weighing { typed }) = self.take.take() else { return };
        if self.lane.as_ref().and_then(|lane| lane.frozen.as_ref()).is_some_and(|tree| *tree != weighed.lane)
        {
            self.stop(Outcome::Stopped, self.thawed(), commands);
            return;
        }
        let Some(merged) = weighed.merged.clone().filter(|_| weighed.conflicts.is_empty()) else {
            self.stop(Outcome::Stopped, conflicting(&weighed, self.take_command()), commands);
            return;
        };
        if weighed.changed.is_empty() {
            // Whoever undid a take wants all of it again, not only what was added since.
            if let Some(lane) = self.lane.as_mut().filter(|lane| lane.made_from != base) {
                let made_from = lane.made_from.clone();
                lane.base.clone_from(&made_from);
                self.weigh(made_from, typed, commands);
                return;
            }
            self.stop(Outcome::Stopped, self.nothing_to_take(), commands);
            return;
        }
        let whole = hash(&weighed, &merged);
        match typed {
            None => {
                self.take = Some(Take::Shown(weighed));
                self.rest(Outcome::Complete, commands);
            }
            Some(typed) if is_typed(&typed, &whole) => {
                self.effects_begun += 1;
                let effect = Effect::Take {
                    effect: self.effects_begun,
                    from: weighed.project.clone(),
                    to: merged,
                    undo: format!("undo/take-{}.patch", self.effects_begun),
                };
                self.take = Some(Take::Taking(weighed));
                self.effects.begin(effect, commands);
            }
            Some(_) => {
                let message = "The lane or your project has changed since the changes were shown. Nothing was \
                               written.";
                self.stop(Outcome::Stopped, wrong_hash(message, self.take_command()), commands);
            }
        }
    }

    /// The whole hash of the changes that are shown, if that is what was typed.
    pub(super) fn takeable(&self, typed: &str) -> Result<String, Recovery> {
        let shown = self.take_hash().filter(|whole| is_typed(typed, whole));
        shown.ok_or_else(|| {
            wrong_hash("This isn't the hash of the changes that were shown last.", self.take_command())
        })
    }

    /// The whole hash of the changes that are shown; `None` when none are.
    pub(super) fn take_hash(&self) -> Option<String> {
        let Some(Take::Shown(weighed)) = &self.take else { return None };
        Some(hash(weighed, weighed.merged.as_ref()?))
    }

    fn nothing_to_take(&self) -> Recovery {
        let is_taken = self.lane.as_ref().is_some_and(|lane| lane.taken.is_some());
        let message = if is_taken {
            "Your project already has everything from the lane."
        } else {
            "The lane has no change that your project doesn't have."
        };
        let (hint, command) = self.after_take();
        Recovery::new(FlowCode::TakeNothing, RecoveryStage::Session, message)
            .takes("a change in the lane")
            .next(hint, command)
    }

    pub(super) fn taken(&mut self, taken: Taken, commands: &mut Commands) {
        if self.answered(taken.effect, |effect| matches!(effect, Effect::Take { .. })).is_none() {
            return;
        }
        let Some(Take::Taking(weighed)) = self.take.take() else { return };
        if !taken.refused.is_empty() {
            let message = format!(
                "These files of your project aren't as they were when you saw the changes, so Flow didn't \
                 write over them: {}.",
                some(&taken.refused)
            );
            let recovery = Recovery::new(FlowCode::TakeMoved, RecoveryStage::Session, message)
                .takes("files that stay as they were shown")
                .next("Read the changes as they are now.", self.take_command());
            self.stop(Outcome::Stopped, recovery, commands);
            return;
        }
        let Some(lane) = &mut self.lane else { return };
        lane.base.clone_from(&weighed.lane);
        lane.moved = Vec::new();
        let Taken { tree, undo, .. } = taken;
        let changed = weighed.changed;
        let what = count(changed.len() as u64, "file", "files");
        lane.taken = Some(TakenOver { lane: weighed.lane, tree, changed, undo });
        self.log(&format!("You took the result of the lane: {what} of your project changed."));
        commands.push(drive::notice(Tone::Success, format!("{what} of your project changed")));
        self.rest(Outcome::Complete, commands);
    }

    /// A take could not be weighed or carried out.
    pub(super) fn take_failed(&mut self, message: &str, commands: &mut Commands) {
        let was_writing = matches!(self.take.take(), Some(Take::Taking(_)));
        let what = if was_writing {
            "The result could not be written completely"
        } else {
            "The files could not be compared"
        };
        let message = format!("{what}: {}.", message.trim_end_matches('.'));
        let hint =
            "Fix the cause. This command then looks at the files again and shows what is left to take.";
        let recovery = Recovery::new(FlowCode::TakeFailed, RecoveryStage::Session, message)
            .takes("a directory that can be read and written")
            .next(hint, self.take_command());
        self.stop(Outcome::Stopped, recovery, commands);
    }

    // ---- what people see ----

    /// Whether the lane has something that the project doesn't have, as far as is known without a look.
    pub(super) fn has_more_in_lane(&self) -> bool {
        self.lane.as_ref().is_some_and(|lane| {
            let taken = lane.taken.as_ref().map(|taken| &taken.lane);
            self.checked_tree().is_some_and(|checked| taken != Some(checked))
        })
    }

    /// The command that takes this lane.
    pub(super) fn take_command(&self) -> String {
        let of = self.opening.lane_of.as_ref();
        let raced = of.filter(|_| self.lane.as_ref().is_some_and(|lane| lane.frozen.is_some()));
        raced.map_or_else(|| "/flow-take".to_owned(), |of| format!("/flow-race take {}", of.entrant.lane))
    }

    /// The refusal to take a lane of a race whose files changed after they were compared.
    fn thawed(&self) -> Recovery {
        let name = self.directory.name.as_deref().unwrap_or_default();
        let message = "The lane's files have changed since the race compared them. Nothing was written.";
        Recovery::new(FlowCode::TakeThawed, RecoveryStage::Session, message)
            .takes("the files that the race compared")
            .next(
                "Take another lane. To take this one as it is now, without the race's verdict, make its \
                 session the active one, then type /flow-take.",
                format!("/flow-session {name}"),
            )
    }

    /// The paths of the project that changed while a worker worked in the lane, sorted.
    pub(super) fn moved_outside(&self) -> &[String] {
        self.lane.as_ref().map(|lane| lane.moved.as_slice()).unwrap_or_default()
    }

    /// Whether the lane's result, as it is now, is in the project.
    pub(super) fn is_taken(&self) -> bool {
        self.lane.as_ref().is_some_and(|lane| lane.taken.is_some()) && !self.has_more_in_lane()
    }

    /// The next command if it is about a take.
    pub(super) fn way_to_take(&self) -> Option<(String, String)> {
        if let Some(whole) = self.take_hash() {
            let hint = "Writes these changes to your project. Nothing is committed.".to_owned();
            return Some((hint, format!("{} {}", self.take_command(), short(&whole))));
        }
        (self.is_complete() && self.has_more_in_lane()).then(|| {
            let hint = "Shows what the result would change in your project, without changing it.".to_owned();
            (hint, "/flow-take".to_owned())
        })
    }

    /// The lane, and what was taken or would be.
    pub(super) fn account_of_lane(&self, out: &mut String) {
        match &self.take {
            Some(Take::Shown(weighed)) => self.account_of_take(weighed, out),
            Some(Take::Weighing { .. }) => out.push_str("\nFlow compares the lane with your project.\n"),
            Some(Take::Taking(_)) => out.push_str("\nFlow writes the result to your project.\n"),
            None => self.account_of_taken(out),
        }
    }

    fn account_of_taken(&self, out: &mut String) {
        let taken = self.lane.as_ref().and_then(|lane| lane.taken.as_ref());
        let Some(TakenOver { lane, tree, changed, undo }) = taken else { return };
        out.push_str("\nChanged in your project (Flow commits nothing):\n");
        list(changed, out);
        if lane != tree {
            out.push_str(MERGED);
        }
        if let Some(command) = super::ended::taken_back_by(undo.as_slice()) {
            let _ = writeln!(out, "To undo it, run:\n  {}", crate::shared::wrapped::unbroken(&command));
        }
    }

    fn account_of_take(&self, weighed: &Weighed, out: &mut String) {
        let unfinished: Vec<&str> = self
            .all_planned()
            .filter(|one| self.state_of(&one.id) != FeatureState::Completed)
            .map(|one| one.id.as_str())
            .collect();
        out.push_str("\nThis would change in your project:\n");
        list(&weighed.changed, out);
        if !weighed.moved.is_empty() {
            let _ = writeln!(
                out,
                "\nYour project has changed since the lane was made: {}. These changes stay.",
                visible::line(&some(&weighed.moved))
            );
        }
        if weighed.merged.as_ref() != Some(&weighed.lane) {
            out.push_str(MERGED);
        }
        if !unfinished.is_empty() {
            let _ = writeln!(out, "\nNot complete: {}.", unfinished.join(", "));
        }
        if !weighed.unchecked.is_empty() {
            let _ = writeln!(
                out,
                "\nNot checked, because no completed feature has these files as they are in the lane now: {}.",
                visible::line(&some(&weighed.unchecked))
            );
        }
        let moved = self.moved_outside();
        if !moved.is_empty() {
            let _ = writeln!(
                out,
                "\nChanged in your project while a worker worked, by you or by the worker: {}.",
                visible::line(&some(moved))
            );
        }
    }

    /// The next command once the lane's result is in the project.
    fn after_take(&self) -> (String, String) {
        if self.is_complete() {
            self.proves_it()
        } else {
            ("Build the next feature.".to_owned(), "/flow-run".to_owned())
        }
    }
}

fn wrong_hash(message: &str, command: String) -> Recovery {
    Recovery::new(FlowCode::TakeWrongHash, RecoveryStage::Session, message)
        .takes(format!("the {SHORT} characters below the changes that /flow-take shows"))
        .next("Read the changes as they are now.", command)
}

/// The refusal to take changes that this process has not shown.
pub(super) fn not_shown(command: String) -> Recovery {
    wrong_hash("This process hasn't shown you these changes, so you can't take them yet.", command)
}

/// Why a host that opens sessions only in the project can't have lanes.
pub const NO_LANES_HERE: &str = "this version of OpenCode can't work in another directory than the project";

/// The refusal to continue a session whose lane no longer exists.
pub fn lane_gone(directory: &str) -> Recovery {
    Recovery::new(
        FlowCode::LaneGone,
        RecoveryStage::Session,
        format!("The session's lane doesn't exist any more: {directory}"),
    )
    .takes("the lane in which the session's workers have worked")
    .next(
        "Restore the directory, for example from a backup. To give the session up instead, archive it.",
        "/flow-reset session",
    )
}

/// The refusal to work in a lane under a host that opens sessions only in the project.
pub fn lane_closed() -> Recovery {
    let message = format!("The session works in a lane, and {NO_LANES_HERE}.");
    Recovery::new(FlowCode::LaneUnprepared, RecoveryStage::Session, message)
        .takes("OpenCode 1, which opens sessions in other directories")
        .next("Continue the session in OpenCode 1. To give it up instead, archive it.", "/flow-reset session")
}

/// The refusal of a race under such a host.
pub fn race_closed() -> Recovery {
    let message = format!("Each lane of a race works in a directory of its own, and {NO_LANES_HERE}.");
    Recovery::new(FlowCode::LaneUnprepared, RecoveryStage::Session, message)
        .takes("OpenCode 1, which opens sessions in other directories")
        .next("Race in OpenCode 1. To build the goal once, type /flow-plan and the goal.", "/flow-status")
}

/// What a merged tree is worth.
const MERGED: &str = "\nThe files with both sets of changes were not checked and not reviewed: only the \
                      lane's files were.\n";

fn conflicting(weighed: &Weighed, command: String) -> Recovery {
    let message = format!(
        "The lane's result doesn't fit your project, so nothing was written. In conflict, or in the way \
         although git ignores it: {}.",
        some(&weighed.conflicts)
    );
    Recovery::new(FlowCode::TakeConflict, RecoveryStage::Session, message)
        .takes("files that changed only in the lane or only in your project, or in different places")
        .next(
            "Save these files, or your changes to them, elsewhere. Restore or remove them here, then take \
             the result and apply your changes again.",
            command,
        )
}
