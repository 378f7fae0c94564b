//! The commands that the user may give now: each command's event, or the reason why not and the way forward.

use super::approval::{self, is_typed, short};
use super::code::FlowCode;
use super::lane::Take;
use super::plan::Feature;
use super::recovery::{Recovery, RecoveryStage};
use super::session::{FeatureState, Phase, Progress, Session};
use kernel::nearest::nearest;

impl Session {
    /// Requires that the previous command is finished.
    pub(super) fn at_rest(&self) -> Result<(), Recovery> {
        let is_taking = self.take.as_ref().is_some_and(Take::is_under_way);
        let is_building = self.build.is_some() || self.drafting.is_some() || is_taking || self.is_racing();
        let is_whole = self.directory.name.is_some() && !is_building;
        if matches!(self.phase, Phase::Resting(_)) && is_whole {
            return Ok(());
        }
        Err(Recovery::new(
            FlowCode::SessionInterrupted,
            RecoveryStage::Session,
            "An earlier command isn't finished.",
        )
        .takes("a session without an unfinished command")
        .next("Resume it first. Resuming keeps every answer so far.", "/flow-resume"))
    }

    pub(super) fn not_over(&self) -> Result<(), Recovery> {
        self.not_archived()?;
        if self.race.is_some() {
            let (hint, command) = self.race_way().unwrap_or_else(|| self.proves_it());
            return Err(Recovery::new(FlowCode::RaceOver, RecoveryStage::Session, "This race is over.")
                .takes("a session with something to build")
                .next(hint, command));
        }
        if !self.is_complete() {
            return Ok(());
        }
        Err(Recovery::new(
            FlowCode::SessionCompleted,
            RecoveryStage::Session,
            "Every feature of this session is complete.",
        )
        .takes("a session with something to build")
        .next(
            "To build something else, type /flow-plan followed by a new goal. /flow-status shows this \
             session.",
            "/flow-status",
        ))
    }

    // ---- the plan ----

    /// Whether another draft may be requested.
    pub(super) fn may_revise(&self, remarks: &str) -> Result<(), Recovery> {
        self.at_rest()?;
        self.not_over()?;
        if remarks.trim().is_empty() && self.objection().is_none() {
            return Err(Recovery::new(
                FlowCode::PlanNoRemarks,
                RecoveryStage::Plan,
                "Say what should change.",
            )
            .takes("a description of the change")
            .next("Type the change after /flow-plan revise. /flow-status shows the plan.", "/flow-status"));
        }
        Ok(())
    }

    /// The whole hash of the plan, if that is what was typed.
    pub(super) fn approvable(&self, typed: &str) -> Result<String, Recovery> {
        self.at_rest()?;
        self.not_over()?;
        let typed = typed.trim().to_ascii_lowercase();
        let refused = |code: FlowCode, message: String| {
            Recovery::new(code, RecoveryStage::Approval, message)
                .takes(format!("the {} characters of the hash shown with the plan", approval::SHORT))
                .next("Read the current plan with /flow-status, then approve that plan.", "/flow-status")
        };
        if typed.is_empty() {
            return Err(refused(
                FlowCode::ApprovalNoHash,
                "Name the plan to approve by its hash.".to_owned(),
            ));
        }
        if is_typed(&typed, &self.hash) {
            return match &self.approval {
                None => self.denied().map_or_else(|| Ok(self.hash.clone()), Err),
                Some(_) => Err(Recovery::new(
                    FlowCode::ApprovalAlready,
                    RecoveryStage::Run,
                    "This plan is already approved.",
                )
                .next("Build the next feature.", "/flow-run")),
            };
        }
        if self.former_hashes.iter().any(|former| is_typed(&typed, former)) {
            let message = format!("Plan {typed} has since been revised, so this approval doesn't count.");
            return Err(refused(FlowCode::ApprovalOutdatedHash, message));
        }
        Err(refused(FlowCode::ApprovalWrongHash, "No plan of this session has this hash.".to_owned()))
    }

    /// Whether the plan with this whole hash may be approved.
    pub(super) fn may_approve(&self, hash: &str) -> Result<(), Recovery> {
        match self.approvable(hash) {
            Ok(whole) if whole == hash => Ok(()),
            Ok(_) => Err(Recovery::new(
                FlowCode::ApprovalWrongHash,
                RecoveryStage::Approval,
                "The hash is too short.",
            )),
            Err(recovery) => Err(recovery),
        }
    }

    // ---- features ----

    /// The feature that the user named, or the next one.
    pub(super) fn startable(&self, text: &str) -> Result<String, Recovery> {
        let named = text.trim();
        if !named.is_empty() {
            self.may_start(named)?;
            return Ok(named.to_owned());
        }
        self.may_build()?;
        if let Some(next) = self.runnable() {
            return Ok(next.id.clone());
        }
        let blocked =
            self.features_in(FeatureState::Blocked).next().map_or("", |feature| feature.id.as_str());
        let reason = self.features.get(blocked).and_then(Progress::recovery);
        let why = reason.map_or(String::new(), |reason| format!(" {}", reason.message));
        Err(Recovery::new(
            FlowCode::RunNothingRunnable,
            RecoveryStage::Run,
            format!("{blocked} is blocked, and the remaining features need it.{why}"),
        )
        .takes("a feature whose needed features are complete")
        .next("Fix what blocks the feature, then build it again.", format!("/flow-run {blocked}")))
    }

    /// The feature with this id; `command` is the command that named it.
    pub(super) fn named_feature(&self, id: &str, command: &str) -> Result<&Feature, Recovery> {
        self.planned(id).ok_or_else(|| {
            let known = || self.features.keys().map(String::as_str);
            let next = nearest(id, known())
                .map_or_else(|| "/flow-status".to_owned(), |near| format!("{command} {near}"));
            Recovery::new(
                FlowCode::RunUnknownFeature,
                RecoveryStage::Run,
                format!("The plan has no feature {:?}.", shortened(id)),
            )
            .takes(format!("one of {}", known().collect::<Vec<_>>().join(", ")))
            .next("Name a feature of the plan. /flow-status lists the features.", next)
        })
    }

    /// Refuses what builds in the session itself, if lanes are to build its plan.
    pub(super) fn not_a_race(&self) -> Result<(), Recovery> {
        if !self.is_race() {
            return Ok(());
        }
        let (hint, command) = self.race_way().unwrap_or_else(|| self.proves_it());
        let message = "The plan of this session is built by the lanes of a race, and not here.";
        Err(Recovery::new(FlowCode::RaceOnly, RecoveryStage::Run, message)
            .takes("a session that isn't a race")
            .next(hint, command))
    }

    /// Whether the lanes of the plan with this whole hash may be built.
    pub(super) fn may_race(&self, hash: &str) -> Result<(), Recovery> {
        if !self.is_race() {
            let message = "This session has no lanes: it isn't a race.";
            return Err(Recovery::new(FlowCode::RaceNone, RecoveryStage::Run, message)
                .takes("a session that began with /flow-race")
                .next(
                    "Type /flow-race <goal> --workers <provider/model>,<provider/model>, or /flow-race from \
                     <run>. /flow-status shows this session.",
                    "/flow-status",
                ));
        }
        self.may_approve(hash)
    }

    fn may_build(&self) -> Result<(), Recovery> {
        self.at_rest()?;
        self.not_over()?;
        self.not_a_race()?;
        if self.approval.is_none() {
            return Err(Recovery::new(
                FlowCode::ApprovalMissing,
                RecoveryStage::Approval,
                format!("The plan {} isn't approved.", short(&self.hash)),
            )
            .takes("your approval of the plan")
            .next(
                "Read the plan first: /flow-status shows it.",
                format!("/flow-plan approve {}", short(&self.hash)),
            ));
        }
        self.denied().map_or(Ok(()), Err)
    }

    /// Whether the feature with this id may be built now.
    pub(super) fn may_start(&self, id: &str) -> Result<(), Recovery> {
        self.may_build()?;
        let feature = self.named_feature(id, "/flow-run")?;
        if self.state_of(id) == FeatureState::Completed {
            return Err(Recovery::new(
                FlowCode::RunFeatureCompleted,
                RecoveryStage::Run,
                format!("The feature {id} is complete."),
            )
            .takes("a feature that isn't complete")
            .next("Build the next feature.", "/flow-run"));
        }
        let missing = self.blocked_by(feature);
        if let Some(first) = missing.first().map(|first| self.first_of(first)) {
            return Err(Recovery::new(
                FlowCode::RunDependencies,
                RecoveryStage::Run,
                format!("The feature {id} needs {} first.", missing.join(", ")),
            )
            .takes("a feature whose needed features are complete")
            .next(format!("Build {first} first."), format!("/flow-run {first}")));
        }
        Ok(())
    }

    /// The first feature that has to be built before this one can be.
    fn first_of(&self, id: &str) -> String {
        let mut id = id.to_owned();
        // The plan has no cycle, so this ends.
        while let Some(needed) =
            self.planned(&id).and_then(|feature| self.blocked_by(feature).into_iter().next())
        {
            id = needed;
        }
        id
    }

    /// The next feature that can be built: in the order of the plan, with everything that it needs complete.
    pub(super) fn runnable(&self) -> Option<&Feature> {
        self.features_in(FeatureState::Pending).find(|feature| self.blocked_by(feature).is_empty())
    }

    fn features_in(&self, state: FeatureState) -> impl Iterator<Item = &Feature> {
        let features = self.all_planned();
        features.filter(move |feature| self.state_of(&feature.id) == state)
    }

    /// Whether the whole goal can be built without asking.
    pub(super) fn may_automate(&self) -> Result<(), Recovery> {
        self.not_archived()?;
        self.at_rest()?;
        self.not_over()?;
        self.not_a_race()
    }

    // ---- continuing ----

    /// Whether anything was started that isn't finished.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.closed || self.at_rest().is_err()
    }

    /// Whether there is anything to continue.
    pub(super) fn may_resume(&self) -> Result<(), Recovery> {
        if self.is_unfinished() {
            return self.held_up().map_or(Ok(()), Err);
        }
        let (hint, command) = self.way_on();
        Err(Recovery::new(
            FlowCode::SessionNothingToResume,
            RecoveryStage::Session,
            "There is nothing to resume.",
        )
        .next(hint, command))
    }

    /// The next command to type, and why.
    pub(super) fn way_on(&self) -> (String, String) {
        let way = |hint: &str, command: String| (hint.to_owned(), command);
        if let Some(recovery) = &self.recovery {
            return (recovery.resolution_hint.clone(), recovery.next_command.clone());
        }
        if let Err(recovery) = self.not_archived().and_then(|()| self.at_rest()) {
            return (recovery.resolution_hint, recovery.next_command);
        }
        if let Some(way) = self.race_way().or_else(|| self.way_to_take()) {
            return way;
        }
        if self.is_complete() {
            return self.proves_it();
        }
        if self.approval.is_none() {
            let command = format!("/flow-plan approve {}", short(&self.hash));
            return way(
                "Read the plan. Approve it, or type /flow-plan revise followed by what should change.",
                command,
            );
        }
        match self.startable("") {
            Ok(id) => way(&format!("Builds {id}."), "/flow-run".to_owned()),
            Err(recovery) => (recovery.resolution_hint, recovery.next_command),
        }
    }
}

impl Session {
    /// The next command once every feature is complete.
    pub(super) fn proves_it(&self) -> (String, String) {
        let (command, hint) = match self.opening.fix.as_deref() {
            Some(fix) => fix.validated_by(),
            None => ("/validate".to_owned(), "Tests the result in a browser.".to_owned()),
        };
        (format!("{hint} To build something else, type /flow-plan <goal>."), command)
    }
}

/// The refusal of a validation of a session that has no plan yet.
pub(super) fn no_plan() -> Recovery {
    Recovery::new(FlowCode::PlanMissing, RecoveryStage::Plan, "The session has no plan yet.")
        .takes("a plan with acceptance criteria")
        .next(
            "Type /validate followed by what must be true, or wait for the plan: /flow-status shows it.",
            "/flow-status",
        )
}

/// The refusal to approve a plan that this process has not shown.
pub(super) fn not_shown() -> Recovery {
    Recovery::new(
        FlowCode::ApprovalNotShown,
        RecoveryStage::Approval,
        "This process hasn't shown you this plan, so you can't approve it yet.",
    )
    .takes("the plan as this process shows it")
    .next("Read the current plan with /flow-status, then approve that plan.", "/flow-status")
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}
