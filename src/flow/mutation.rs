//! Whether a feature's checks notice small faults in it: its [mutants](super::mutants), one after another, in a clean copy.
//!
//! ```text
//! checks passed in a clean copy → mutants → reviewer
//!                                   ↓ once, where some go unnoticed
//!                                 worker
//! ```
//!
//! A mutant decides nothing where fewer tests run with it than without it: it may not even compile. One in which a check fails, or takes
//! much longer than before, is noticed. Those that are not are told to the worker once, and to the reviewer and the user. Checks that notice
//! none of [`ENOUGH`] mutants or more decide nothing: their feature can't be completed. Which check had to notice which mutant nobody knows:
//! one may be of another file, or of types. So they are judged together.

use super::build::Step;
use super::code::FlowCode;
use super::plan::Check;
use super::protocol::{ApartRun, Effect, Mutated, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, FeatureState, Session};
use crate::shared::figures::count;
use crate::shared::ran::{CommandEnd, Ran};
use crate::shared::tier::Tier;
use kernel::drive::notice;
use kernel::protocol::Tone;
use serde::Serialize;
use std::collections::BTreeSet;

/// So many mutants have to decide something before checks that notice none of them decide nothing.
const ENOUGH: usize = 3;
/// What all mutants may take together, in ms, where twice the time of the checks is less.
const LEAST_MS: u64 = 60_000;
/// What a check may take with a mutant, in ms, beside three times of what it took without.
const GRACE_MS: u64 = 5_000;

/// What was seen of the mutants of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mutation {
    pub(super) feature: String,
    pub(super) tree: TreeId,
    pub(super) mutants: Vec<Judged>,
    /// How many were not tried since the time was up.
    pub(super) left: u32,
    /// Why nothing was seen, where that is so.
    pub(super) unprepared: Option<String>,
    /// What it took, in ms.
    pub(super) duration_ms: u64,
}

/// A mutant, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Judged {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) change: String,
    /// Whether a check noticed it; `None` where it decides nothing.
    pub(super) noticed: Option<bool>,
    /// The checks that noticed it.
    pub(super) by: BTreeSet<String>,
}

impl Judged {
    pub(super) fn line(&self) -> String {
        format!("{}:{}: {}", self.path, self.line, self.change)
    }
}

impl Mutation {
    /// Those that no check noticed.
    pub(super) fn unnoticed(&self) -> impl Iterator<Item = &Judged> {
        self.mutants.iter().filter(|one| one.noticed == Some(false))
    }

    /// How much it carries.
    pub(super) fn tier(&self) -> Tier {
        let decides = self.mutants.iter().any(|one| one.noticed.is_some());
        if decides { Tier::ReExecuted } else { Tier::NotChecked }
    }

    /// What was seen, in a sentence without its end; `None` where no mutant was to be had.
    pub(super) fn account(&self) -> Option<String> {
        if let Some(why) = &self.unprepared {
            return Some(format!("no small fault was tried: {why}"));
        }
        let decided = self.mutants.iter().filter(|one| one.noticed.is_some()).count();
        let noticed = decided - self.unnoticed().count();
        let void = self.mutants.len() - decided;
        let mut parts = Vec::new();
        if decided > 0 {
            let faults = count(decided as u64, "small fault", "small faults");
            parts.push(format!("the checks notice {noticed} of {faults} in the change"));
        }
        if void > 0 {
            parts.push(format!("{void} decided nothing: fewer tests ran with them"));
        }
        if self.left > 0 {
            parts.push(format!("{} not tried: the time was up", self.left));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// How many decide something, where those are enough and no check noticed any of them.
    fn all_unnoticed(&self) -> Option<usize> {
        let decided = self.mutants.iter().filter(|one| one.noticed.is_some()).count();
        (decided >= ENOUGH && self.unnoticed().count() == decided).then_some(decided)
    }
}

impl Session {
    /// The checks passed, and can fail. Do they notice small faults in the feature? Those of files that were tried before are known.
    pub(super) fn mutate(&mut self, commands: &mut Commands) {
        let most = if self.opening.rules >= 5 { self.settings.mutation } else { 0 };
        let checks = self.targeted();
        let base = self.base();
        let (Some(build), Some(base)) = (&self.build, base) else { return };
        let Some(tree) = build.tree.clone() else { return };
        if most == 0 || checks.is_empty() || self.mutation(&build.feature, &tree).is_some() {
            self.weigh_mutation(commands);
            return;
        }
        let tests = self.tests_among_changes(&checks);
        let paths: Vec<String> = build.changed.iter().filter(|path| !tests.contains(path)).cloned().collect();
        if paths.is_empty() {
            self.weigh_mutation(commands);
            return;
        }
        let took = |check: &Check| self.again_on(&check.command, &tree).map(|ran| ran.0);
        let times: Vec<u64> = checks.iter().map(|check| took(check).unwrap_or(check.timeout_ms)).collect();
        let budget_ms = times.iter().sum::<u64>().saturating_mul(2).max(LEAST_MS);
        self.effects_begun += 1;
        let effect = self.effects_begun;
        let runs = checks.iter().zip(times).map(|(check, ms)| ApartRun {
            check: check.id.clone(),
            argv: check.command.clone(),
            timeout_ms: check.timeout_ms.min(ms.saturating_mul(3).saturating_add(GRACE_MS)),
            output: format!("evidence/{effect}-{}.log", check.id.replace('/', "-")),
        });
        let runs = runs.collect();
        let (link, setup) = (self.linked_names(), self.settings.worktree.setup.clone());
        let clean = self.opening.rules >= 4;
        if let Some(build) = &mut self.build {
            build.step = Step::Mutating;
        }
        commands.push(notice(
            Tone::Info,
            "Trying small faults in the change: do the checks notice them?".to_owned(),
        ));
        self.effects.begin(
            Effect::Mutate { effect, tree, base, paths, most, budget_ms, link, setup, runs, clean },
            commands,
        );
    }

    /// They were tried.
    pub(super) fn mutated(&mut self, seen: Mutated, runs: &[ApartRun], commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let Some(tree) = build.tree.clone() else { return };
        let feature = build.feature.clone();
        let judge = |tried: super::protocol::TriedMutant| {
            let mut one = Judged {
                path: tried.path,
                line: tried.line,
                change: tried.change,
                noticed: Some(false),
                by: BTreeSet::new(),
            };
            for (run, ran) in runs.iter().zip(tried.runs) {
                let before = self.again_on(&run.argv, &tree).and_then(|(_, tests)| tests);
                match notices(&self.opening.heard(&run.argv, ran), before) {
                    Some(true) => {
                        one.by.insert(run.check.clone());
                    }
                    Some(false) => {}
                    None => one.noticed = None,
                }
            }
            if tried.touched {
                one.noticed = None;
            } else if !one.by.is_empty() {
                one.noticed = Some(true);
            }
            one
        };
        let mutants = seen.tried.into_iter().map(judge).collect();
        let (left, unprepared, duration_ms) = (seen.left, seen.unprepared, seen.duration_ms);
        let mutation = Mutation { feature, tree, mutants, left, unprepared, duration_ms };
        if let Some(account) = mutation.account() {
            let line = format!("{}: {account}", mutation.feature);
            commands.push(notice(Tone::Info, line.clone()));
            self.log(&line);
        }
        self.mutations.push(mutation);
        self.weigh_mutation(commands);
    }

    fn weigh_mutation(&mut self, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let tree = build.tree.clone().unwrap_or_default();
        let unnoticed: Vec<String> = self
            .mutation(&build.feature, &tree)
            .map(|one| one.unnoticed().map(Judged::line).collect())
            .unwrap_or_default();
        let may_mend = !build.told_of_mutants && self.bears_another_round();
        if !unnoticed.is_empty() && may_mend {
            if let Some(build) = &mut self.build {
                build.told_of_mutants = true;
                build.may_stay = true;
                build.tried.push(format!(
                    "no check noticed {}",
                    count(unnoticed.len() as u64, "small fault", "small faults")
                ));
            }
            let list: Vec<String> = unnoticed.iter().map(|line| format!("- {line}")).collect();
            self.mend(
                format!(
                    "The checks pass. A machine then put small faults into your change, one at a time, in a copy. No check notices \
                     these:\n\n{}\n\nWrite tests that notice them. Where a fault makes no difference to what the feature does, leave \
                     it, and say so in your summary.",
                    list.join("\n")
                ),
                commands,
            );
        } else if let Some(why) = self.checks_notice_nothing(&tree) {
            let recovery = Recovery::new(FlowCode::RunNotProven, RecoveryStage::Run, why)
                .takes("a check that fails where the feature is broken");
            self.block(
                recovery,
                "The faults are listed on the feature's page. Have tests written that notice them, or the plan revised; then build the \
                 feature again.",
                commands,
            );
        } else {
            self.examine(commands);
        }
    }

    /// What was seen of the mutants of a feature in these files.
    fn mutation(&self, feature: &str, tree: &TreeId) -> Option<&Mutation> {
        self.mutations.iter().rev().find(|one| one.feature == feature && one.tree == *tree)
    }

    /// What was seen of the mutants of a feature as it is now, or was when it was blocked.
    pub(super) fn mutation_of(&self, feature: &str) -> Option<&Mutation> {
        let progress = self.features.get(feature)?;
        let build = self.build.as_ref().filter(|build| build.feature == feature);
        match build.map_or(progress.tree.as_ref(), |build| build.tree.as_ref()) {
            Some(tree) => self.mutation(feature, tree),
            None if progress.state == FeatureState::Blocked => {
                self.mutations.iter().rev().find(|one| one.feature == feature)
            }
            None => None,
        }
    }

    /// Why the checks of the feature that is being built decide nothing, in a sentence; `None` where one notices something, or nobody
    /// knows. A feature that keeps the behaviour is measured by the tests that ran before it.
    pub(super) fn checks_notice_nothing(&self, tree: &TreeId) -> Option<String> {
        let build = self.build.as_ref().filter(|_| !self.keeps_behaviour())?;
        let unnoticed = self.mutation(&build.feature, tree)?.all_unnoticed()?;
        (!self.deciding(&build.feature).is_empty()).then(|| {
            format!(
                "Its checks pass with each of {} in it, so they decide none of its criteria.",
                count(unnoticed as u64, "small fault", "small faults")
            )
        })
    }

    /// What a check took, in ms, and how many tests it ran, where it passed in a clean copy of this tree.
    pub(super) fn again_on(&self, argv: &[String], tree: &TreeId) -> Option<(u64, Option<u32>)> {
        let ran = self.passed_again(argv, tree)?.seen.as_ref().ok()?;
        Some((ran.duration_ms, ran.tests.as_ref().map(|tests| tests.ran)))
    }
}

/// Whether a check noticed a mutant that ran so many tests without it; `None` where nobody can tell.
fn notices(ran: &Ran, before: Option<u32>) -> Option<bool> {
    let now = ran.tests.as_ref().map_or(0, |tests| tests.ran);
    match ran.end {
        CommandEnd::NotStarted { .. } => None,
        CommandEnd::TimedOut => Some(true),
        _ if ran.passed() => Some(false),
        _ => before.is_none_or(|before| now >= before).then_some(true),
    }
}
