//! Whether a feature's checks notice small faults in it: its [mutants](super::mutants), one after another, in a clean copy.
//!
//! ```text
//! checks passed in a clean copy → mutants → reviewer
//!                                   ↓ once, if some go unnoticed
//!                                 worker
//! ```
//!
//! A mutant decides nothing if fewer tests run with it than without it: it may not even compile. A mutant is noticed if a check
//! fails or takes much longer than before. The worker is shown the unnoticed ones once, and the reviewer and the user see them.
//! Checks that notice none of [`ENOUGH`] or more mutants decide nothing, so their feature can't be completed. It is unknown which
//! check should notice which mutant, because a check may be about another file, or about types. So the checks are judged together.
//!
//! A tool of the user's may replace this ([`super::mutator_report`]). If its result is unusable, that is reported, and the mutants
//! are tried.

use super::build::Step;
use super::code::FlowCode;
use super::mutator_report::MutatorSeen;
use super::plan::Check;
use super::protocol::{ApartRun, Effect, Mutated, MutatorRun, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, FeatureState, Session};
use crate::design_lab::config::Mutator;
use crate::shared::figures::count;
use crate::shared::ran::{CommandEnd, Ran};
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use kernel::drive::notice;
use kernel::protocol::Tone;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeSet;

/// How many mutants have to decide something before checks that notice none of them count as deciding nothing.
const ENOUGH: usize = 3;
/// How long all mutants may take together, in ms, if twice the time of the checks is less.
const LEAST_MS: u64 = 60_000;
/// How long a check may take with a mutant, in ms, in addition to three times its duration without it.
const GRACE_MS: u64 = 5_000;

/// The results of the mutants of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mutation {
    pub(super) feature: String,
    pub(super) tree: TreeId,
    pub(super) mutants: Vec<Judged>,
    /// How many were not tried because the time was up.
    pub(super) left: u32,
    /// Why there are no results, if there are none.
    pub(super) unprepared: Option<String>,
    /// The duration, in ms.
    pub(super) duration_ms: u64,
    /// The tool that made the mutants; `None` when Flow made them.
    pub(super) tool: Option<String>,
    /// Why the user's tool didn't make them, if it was asked to, as a clause.
    pub(super) without_tool: Option<String>,
    /// How many mutants there are in addition to the listed ones, by kind.
    pub(super) unlisted: Counts,
}

/// The number of mutants of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) noticed: usize,
    pub(super) unnoticed: usize,
    /// Those that decide nothing.
    pub(super) undecided: usize,
}

/// A mutant, and its result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Judged {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) change: String,
    /// Whether a check noticed it; `None` when it decides nothing.
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
    /// The listed mutants that no check noticed.
    fn unnoticed(&self) -> impl Iterator<Item = &Judged> {
        self.mutants.iter().filter(|one| one.noticed == Some(false))
    }

    /// The mutants that no check noticed, one line each.
    pub(super) fn unnoticed_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.unnoticed().map(Judged::line).collect();
        if self.unlisted.unnoticed > 0 {
            lines.push(format!("and {} more", self.unlisted.unnoticed));
        }
        lines
    }

    /// The number of mutants of each kind.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = self.unlisted;
        for one in &self.mutants {
            match one.noticed {
                Some(true) => counts.noticed += 1,
                Some(false) => counts.unnoticed += 1,
                None => counts.undecided += 1,
            }
        }
        counts
    }

    /// The strength of the result as evidence.
    pub(super) fn tier(&self) -> Tier {
        let Counts { noticed, unnoticed, .. } = self.counts();
        if noticed + unnoticed > 0 { Tier::ReExecuted } else { Tier::NotChecked }
    }

    /// The result as a sentence without its final period; `None` when there were no mutants.
    pub(super) fn account(&self) -> Option<String> {
        let Counts { noticed, unnoticed, undecided } = self.counts();
        let decided = noticed + unnoticed;
        let mut parts = Vec::new();
        if let Some(why) = &self.unprepared {
            parts.push(format!("no small fault was tried: {why}"));
        }
        if decided > 0 {
            let faults = count(decided as u64, "small fault", "small faults");
            parts.push(match &self.tool {
                None => format!("the checks notice {noticed} of {faults} in the change"),
                Some(tool) => {
                    format!("by the report of {tool}, tests notice {noticed} of {faults} in the change")
                }
            });
        }
        if undecided > 0 {
            parts.push(match self.tool {
                None => format!("{undecided} undecided: fewer tests ran with them"),
                Some(_) => format!("{undecided} undecided"),
            });
        }
        if self.left > 0 {
            parts.push(format!("{} not tried: out of time", self.left));
        }
        if let Some(why) = &self.without_tool {
            let did = if decided > 0 {
                "so Flow made these faults itself"
            } else {
                "and Flow tried no faults itself"
            };
            parts.push(format!("{why}, {did}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// How many mutants decide something, if these are enough and no check noticed any of them.
    fn all_unnoticed(&self) -> Option<usize> {
        let Counts { noticed, unnoticed, .. } = self.counts();
        (noticed == 0 && unnoticed >= ENOUGH).then_some(unnoticed)
    }

    /// The results of the user's tool.
    fn of_tool(feature: String, tree: TreeId, seen: MutatorSeen, duration_ms: u64) -> Self {
        let listed = |noticed: Option<bool>| seen.mutants.iter().filter(|one| one.noticed == noticed).count();
        let unlisted = |all: u32, noticed: Option<bool>| (all as usize).saturating_sub(listed(noticed));
        let unlisted = Counts {
            noticed: unlisted(seen.noticed, Some(true)),
            unnoticed: unlisted(seen.unnoticed, Some(false)),
            undecided: unlisted(seen.undecided, None),
        };
        let judged = |one: super::mutator_report::ReportedMutant| Judged {
            path: one.path,
            line: one.line,
            change: one.change,
            noticed: one.noticed,
            by: BTreeSet::new(),
        };
        let mutants = seen.mutants.into_iter().map(judged).collect();
        let (left, unprepared, without_tool) = (0, None, None);
        Self {
            feature,
            tree,
            mutants,
            left,
            unprepared,
            duration_ms,
            tool: Some(seen.tool),
            without_tool,
            unlisted,
        }
    }
}

impl Session {
    /// Continues once the checks passed and can fail: do they notice small faults in the feature? Results for the same tree are
    /// reused.
    /// skipped.
    pub(super) fn mutate(&mut self, commands: &mut Commands) {
        let most = if self.opening.rules >= 5 { self.settings.mutation } else { 0 };
        let checks = self.targeted();
        let base = self.base();
        let (Some(build), Some(base)) = (&self.build, base) else { return };
        let Some(tree) = build.tree.clone() else { return };
        let with_tool = self.opening.rules >= 5 && self.settings.mutator.is_set();
        if (most == 0 && !with_tool) || checks.is_empty() || self.mutation(&build.feature, &tree).is_some() {
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
        let mutator = with_tool.then(|| {
            let Mutator { command, report, timeout_ms } = self.settings.mutator.clone();
            MutatorRun { argv: command, report, timeout_ms, output: format!("evidence/{effect}-mutator.log") }
        });
        if let Some(build) = &mut self.build {
            build.step = Step::Mutating;
        }
        commands.push(notice(
            Tone::Info,
            match &mutator {
                None => "Trying small faults in the change: do the checks notice them?".to_owned(),
                Some(mutator) => format!(
                    "`{}` tries small faults in the change: do the tests notice them?",
                    visible::line(&spelled(&mutator.argv))
                ),
            },
        ));
        self.effects.begin(
            Effect::Mutate { effect, tree, base, paths, most, budget_ms, link, setup, runs, clean, mutator },
            commands,
        );
    }

    /// Handles the results of the mutants.
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
        let mutation = match seen.mutator {
            Some(shown) if shown.unusable.is_none() => {
                Mutation::of_tool(feature, tree.clone(), shown, seen.duration_ms)
            }
            shown => Mutation {
                feature,
                tree: tree.clone(),
                mutants: seen.tried.into_iter().map(judge).collect(),
                left: seen.left,
                unprepared: seen.unprepared,
                duration_ms: seen.duration_ms,
                tool: None,
                without_tool: shown.and_then(|shown| shown.unusable),
                unlisted: Counts::default(),
            },
        };
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
        let mutation = self.mutation(&build.feature, &tree);
        let unnoticed = mutation.map(Mutation::unnoticed_lines).unwrap_or_default();
        let number = mutation.map_or(0, |one| one.counts().unnoticed);
        let machine = mutation.and_then(|one| one.tool.clone()).unwrap_or_else(|| "A machine".to_owned());
        let may_fix = !build.account_of_mutants && self.bears_another_round();
        if !unnoticed.is_empty() && may_fix {
            if let Some(build) = &mut self.build {
                build.account_of_mutants = true;
                build.may_stay = true;
                build.tried.push(format!(
                    "no check noticed {}",
                    count(number as u64, "small fault", "small faults")
                ));
            }
            let list: Vec<String> = unnoticed.iter().map(|line| format!("- {line}")).collect();
            self.fix(
                format!(
                    "The checks pass. {machine} then put small faults into your change, one at a time, in a \
                     copy. No check notices these:\n\n{}\n\nWrite tests that notice them. If a fault makes \
                     no difference to what the feature does, leave it and say so in your summary.",
                    list.join("\n")
                ),
                commands,
            );
        } else if let Some(why) = self.checks_notice_nothing(&tree) {
            let recovery = Recovery::new(FlowCode::RunNotProven, RecoveryStage::Run, why)
                .takes("a check that fails where the feature is broken");
            self.block(
                recovery,
                "The feature's page lists the faults. Add tests that notice them or revise the plan, then \
                 build the feature again.",
                commands,
            );
        } else {
            self.examine(commands);
        }
    }

    /// The results of a feature's mutants for these files.
    fn mutation(&self, feature: &str, tree: &TreeId) -> Option<&Mutation> {
        self.mutations.iter().rev().find(|one| one.feature == feature && one.tree == *tree)
    }

    /// The results of a feature's mutants in its current state, or in its state when it was blocked.
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

    /// Why the checks of the feature that is being built decide nothing, in a sentence; `None` when one notices something, or this
    /// is unknown. A feature that changes no behaviour is measured by the tests that ran before it.
    pub(super) fn checks_notice_nothing(&self, tree: &TreeId) -> Option<String> {
        let build = self.build.as_ref().filter(|_| !self.keeps_behaviour())?;
        let unnoticed = self.mutation(&build.feature, tree)?.all_unnoticed()?;
        let tool = self.mutation(&build.feature, tree)?.tool.as_ref();
        let faults = count(unnoticed as u64, "small fault", "small faults");
        (!self.deciding(&build.feature).is_empty()).then(|| match tool {
            None => format!("Its checks pass with each of {faults} in it, so they decide none of its \
                             criteria."),
            Some(tool) => format!(
                "By the report of {tool}, no test notices any of {faults} in it, so its checks decide none of its criteria."
            ),
        })
    }

    /// How long a check took, in ms, and how many tests it ran, if it passed in a clean copy of this tree.
    pub(super) fn again_on(&self, argv: &[String], tree: &TreeId) -> Option<(u64, Option<u32>)> {
        let ran = self.passed_again(argv, tree)?.seen.as_ref().ok()?;
        Some((ran.duration_ms, ran.tests.as_ref().map(|tests| tests.ran)))
    }
}

/// Whether a check noticed a mutant, if it ran this many tests without it; `None` when that can't be known.
fn notices(ran: &Ran, before: Option<u32>) -> Option<bool> {
    let now = ran.tests.as_ref().map_or(0, |tests| tests.ran);
    match ran.end {
        CommandEnd::NotStarted { .. } => None,
        CommandEnd::TimedOut => Some(true),
        _ if ran.passed() => Some(false),
        _ => before.is_none_or(|before| now >= before).then_some(true),
    }
}
