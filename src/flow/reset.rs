//! The way back: resets a feature to pending, with everything that needs it, or archives the whole session.
//!
//! The invariant: after a reset, no complete feature needs one that isn't complete. None of the user's files is touched, and
//! nothing is forgotten: earlier results and decisions stay on record, but no longer count.

use super::code::FlowCode;
use super::lane::Take;
use super::reached::Reached;
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, FeatureState, LeftChanged, Phase, Progress, Session};
use design_lab_numerics::sorting::set;
use kernel::protocol::Outcome;
use std::collections::BTreeSet;

/// How much of a feature's record no longer counts: everything from before it was taken back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Voided {
    /// The number of the session's first pieces of evidence that don't count.
    pub(super) evidence: usize,
    /// The number of the session's first reviews that don't count.
    pub(super) reviews: usize,
    /// The number of the session's first results from copies that don't count.
    pub(super) apart: usize,
    /// The number of the session's first results of mutants that don't count.
    pub(super) mutations: usize,
    /// The number of the session's first results of exams that don't count.
    pub(super) sittings: usize,
}

impl Session {
    // ---- a feature ----

    /// Whether a feature may be taken back.
    pub(super) fn may_reset(&self, id: &str) -> Result<(), Recovery> {
        self.not_archived()?;
        self.at_rest()?;
        self.named_feature(id, "/flow-reset feature")?;
        let is_untouched = |id: &String| {
            self.features.get(id).is_none_or(|one| one.state() == FeatureState::Pending && one.rounds == 0)
        };
        if self.falls_with(id).iter().all(is_untouched) {
            return Err(Recovery::new(
                FlowCode::ResetNothing,
                RecoveryStage::Run,
                format!(
                    "There is nothing to reset: the feature {id} and all features that need it are pending."
                ),
            )
            .takes("a feature that was started")
            .next("Build the next feature. /flow-status lists the features.", "/flow-run"));
        }
        Ok(())
    }

    /// A feature and everything that needs it, in the order of the plan.
    fn falls_with(&self, id: &str) -> Vec<String> {
        let features = || self.all_planned();
        let mut falling = set([id]);
        // A plan may list a feature before the features that it needs: one pass for each feature is enough.
        for _ in features() {
            let needs_one = |needs: &[String]| needs.iter().any(|needed| falling.contains(needed.as_str()));
            let more: Vec<&str> = features()
                .filter(|feature| needs_one(&feature.depends_on))
                .map(|feature| feature.id.as_str())
                .collect();
            falling.extend(more);
        }
        features().map(|feature| &feature.id).filter(|id| falling.contains(id.as_str())).cloned().collect()
    }

    /// Everything on record so far.
    pub(super) fn all_so_far(&self) -> Voided {
        Voided {
            evidence: self.evidence.len(),
            reviews: self.reviews.len(),
            apart: self.apart.len(),
            mutations: self.mutations.len(),
            sittings: self.sittings.len(),
        }
    }

    pub(super) fn reset(&mut self, id: &str, commands: &mut Commands) {
        let falling = self.falls_with(id);
        let all = self.all_so_far();
        let voided = if self.opening.rules >= 6 { all } else { Voided { mutations: 0, sittings: 0, ..all } };
        let mut files = BTreeSet::new();
        let mut undo = Vec::new();
        for id in &falling {
            if let Some(progress) = self.features.get(id) {
                files.extend(progress.change().paths.iter().cloned());
                undo.extend(progress.undo.clone());
            }
            // The feature's changes so far are still in the files, so its base stays.
            let restarted = self.features.get(id).map(Progress::restarted).unwrap_or_default();
            self.features.insert(id.clone(), restarted);
            self.voided.insert(id.clone(), voided);
        }
        self.log(&format!(
            "You reset {}. Earlier results and decisions no longer count.",
            falling.join(", ")
        ));
        self.settled_at_once(commands);
        // Later features are undone first.
        undo.reverse();
        let files: Vec<String> = files.into_iter().collect();
        self.left_changed = (!files.is_empty()).then_some(LeftChanged { files, undo });
    }

    // ---- the session ----

    pub(super) fn not_archived(&self) -> Result<(), Recovery> {
        if !self.archived {
            return Ok(());
        }
        Err(archived("This session"))
    }

    /// Whether the session may be archived: not while a take is half written, because only this session can complete it.
    pub(super) fn may_archive(&self) -> Result<(), Recovery> {
        self.not_archived()?;
        if matches!(self.take, Some(Take::Taking(_))) { self.at_rest() } else { Ok(()) }
    }

    pub(super) fn archive(&mut self, commands: &mut Commands) {
        if let Some(build) = self.build.take()
            && let Some(progress) = self.features.get_mut(&build.feature)
        {
            progress.reached = Reached::Pending;
        }
        self.drafting = None;
        self.archived = true;
        self.automatic = false;
        self.log("The session was archived.");
        self.settled_at_once(commands);
    }

    /// Finishes a command that asks no model and looks at no file as soon as it is recorded.
    pub(super) fn settled_at_once(&mut self, commands: &mut Commands) {
        self.closed = false;
        self.recovery = None;
        self.take = None;
        self.foreseen = None;
        self.phase = Phase::Resting(Outcome::Complete);
        commands.push(Outcome::Complete.finish(String::new()));
    }
}

/// The refusal to change an archived session.
pub(super) fn archived(which: &str) -> Recovery {
    Recovery::new(FlowCode::SessionArchived, RecoveryStage::Session, format!("{which} is archived."))
        .takes("a session that isn't archived")
        .next(
            "/flow-plan starts a new session for a new goal. /flow-session lists the stored sessions.",
            "/flow-session",
        )
}
