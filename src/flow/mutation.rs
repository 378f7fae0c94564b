//! Whether a feature's checks notice small faults in it: its [mutants](super::mutants), one after another, in a clean copy.
//!
//! ```text
//! checks passed in a clean copy → mutants → reviewer
//!                                   ↓ once, if some go unnoticed
//!                                 worker
//! ```
//!
//! A mutant decides nothing if fewer tests run with it than without it, or the tests can't be counted: it may not even compile. A
//! mutant is noticed if a check fails or takes much longer than before. Two more runs show whether the copy can tell at all: with
//! unreadable text in the changed files, where each check must fail, and with the files as they are, where each must pass. The worker
//! is shown the unnoticed ones once, and the reviewer and the user see them.
//!
//! Checks that notice none of [`ENOUGH`] or more mutants, each of which decides something, decide nothing, so their feature can't be
//! completed. It is unknown which check should notice which mutant, because a check may be about another file, or about types. So the
//! checks are judged together.
//!
//! A tool of the user's may replace this ([`super::mutator_report`]). If its result is unusable, that is reported, and the mutants
//! are tried.

use super::build::Build;
use super::code::FlowCode;
use super::mutants::Faultless;
use super::mutator_report::MutatorSeen;
use super::plan::Check;
use super::protocol::{ApartRun, Effect, Mutated, MutatorRun, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{Commands, Session};
use super::step::{Frozen, Judge, Step, Trees};
use crate::design_lab::config::Mutator;
use crate::shared::figures::count;
use crate::shared::ran::{CommandEnd, Ran};
use crate::shared::runners::{Runner, Tests};
use crate::shared::spelled::spelled;
use crate::shared::tier::Tier;
use kernel::drive::notice;
use kernel::protocol::{JobId, Tone};
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeSet;

/// How many mutants have to decide something before checks that notice none of them count as deciding nothing.
const ENOUGH: u32 = 3;
/// How long all mutants may take together, in ms, if twice the time of the checks is less.
const LEAST_MS: u64 = 60_000;
/// How long a check may take with a mutant, in ms, in addition to three times its duration without it.
const GRACE_MS: u64 = 5_000;

/// The results of the mutants of a feature.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mutation {
    pub(super) feature: String,
    /// The run of the feature, identified by its worker's job.
    pub(super) run: JobId,
    pub(super) tree: TreeId,
    /// What was tried with what; `None` when nothing was.
    pub(super) basis: Option<Basis>,
    pub(super) mutants: Vec<Judged>,
    /// Why these results show nothing, if they don't, as a clause.
    pub(super) doubt: Option<String>,
    /// The changed files of code without a fault.
    pub(super) without: Vec<Faultless>,
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

/// What the results of a feature's mutants depend on besides its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Basis {
    /// The tree before the feature.
    base: TreeId,
    /// The commands of the checks.
    commands: Vec<Vec<String>>,
    most: u32,
    mutator: Option<Mutator>,
    link: Vec<String>,
    setup: Vec<String>,
    offline: bool,
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
        if let Some(why) = &self.doubt {
            parts.push(format!("the results of the small faults don't count: {why}"));
        }
        if decided > 0 {
            let faults = count(decided as u64, "small fault", "small faults");
            parts.push(match &self.tool {
                None => format!("the checks notice {noticed} of {faults} in the change"),
                Some(tool) => {
                    format!("according to {tool}, the tests notice {noticed} of {faults} in the change")
                }
            });
        }
        if undecided > 0 {
            let is_explained = self.tool.is_some() || self.doubt.is_some();
            let why = if is_explained { "" } else { ": not all tests were seen to run" };
            parts.push(format!("{undecided} inconclusive{why}"));
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
        if let Some(Faultless { path, why }) = self.without.first() {
            let more = match self.without.len() - 1 {
                0 => String::new(),
                more => format!(", and in {}", count(more as u64, "other file", "other files")),
            };
            // A worker names its files, and a name may contain a line break.
            let path = visible::line(path);
            parts.push(format!("no small fault could be made in {path}{more}: {why}"));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// How many mutants decide something, if these are enough and no check noticed any of them.
    fn all_unnoticed(&self, rules: u32) -> Option<usize> {
        let Counts { noticed, unnoticed, undecided } = self.counts();
        // A runner that stops at the first failure runs fewer tests: such a mutant may have been noticed.
        let is_open = rules >= 6 && undecided > 0;
        (noticed == 0 && unnoticed >= ENOUGH as usize && !is_open).then_some(unnoticed)
    }

    /// No results.
    fn none(feature: String, run: JobId, tree: TreeId) -> Self {
        Self {
            feature,
            run,
            tree,
            basis: None,
            mutants: Vec::new(),
            doubt: None,
            without: Vec::new(),
            left: 0,
            unprepared: None,
            duration_ms: 0,
            tool: None,
            without_tool: None,
            unlisted: Counts::default(),
        }
    }

    /// The results of the user's tool in place of these.
    fn by_tool(self, seen: MutatorSeen) -> Self {
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
        Self {
            mutants,
            left: 0,
            unprepared: None,
            tool: Some(seen.tool),
            without_tool: None,
            unlisted,
            ..self
        }
    }
}

impl Session {
    /// Continues once the checks passed and can fail: do they notice small faults in the feature? Results for the same tree are
    /// reused, as far as nothing else has changed that they depend on.
    pub(super) fn mutate(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let Trees { base, now: tree } = files.trees.clone();
        let Some(Basis { most, mutator, link, setup, .. }) = self.basis() else {
            self.forget_mutation(&tree);
            self.weigh_mutation(files, commands);
            return;
        };
        if self.mutation(&build.feature, &tree).is_some() {
            self.weigh_mutation(files, commands);
            return;
        }
        let checks = self.targeted();
        let tests = self.tests_among_changes(&checks);
        let paths: Vec<String> = build.changed.iter().filter(|path| !tests.contains(path)).cloned().collect();
        if paths.is_empty() {
            self.weigh_mutation(files, commands);
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
        let (clean, offline) = (self.opening.rules >= 4, self.is_offline());
        let mutator = mutator.map(|Mutator { command, report, timeout_ms }| MutatorRun {
            argv: command,
            report,
            timeout_ms,
            output: format!("evidence/{effect}-mutator.log"),
        });
        self.enter(Step::Judging(files, Judge::Mutating));
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
            Effect::Mutate {
                effect,
                tree,
                base,
                paths,
                most,
                budget_ms,
                least: ENOUGH,
                link,
                setup,
                runs,
                clean,
                offline,
                mutator,
            },
            commands,
        );
    }

    /// Records that earlier results for these files no longer say anything about the feature that is being built.
    fn forget_mutation(&mut self, tree: &TreeId) {
        let Some(build) = self.build.as_ref().filter(|_| self.opening.rules >= 6) else { return };
        let (feature, run) = (build.feature.clone(), build.worker.clone());
        if self.mutations_of(&feature).any(|one| one.tree == *tree) {
            self.mutations.push(Mutation::none(feature, run, tree.clone()));
        }
    }

    /// Handles the results of the mutants.
    pub(super) fn mutated(&mut self, seen: Mutated, runs: &[ApartRun], commands: &mut Commands) {
        let Some(Build { step: Step::Judging(files, Judge::Mutating), feature, worker, .. }) = &self.build
        else {
            return;
        };
        let (files, feature, run) = (files.clone(), feature.clone(), worker.clone());
        let tree = files.tree();
        let rules = self.opening.rules;
        let passes = |all: &[Ran], at: usize| {
            all.get(at)
                .zip(runs.get(at))
                .map(|(ran, run)| self.opening.heard(&run.argv, ran.clone()).passed())
        };
        // A check that passes without any readable source doesn't read these files in the copy.
        let is_deaf = |at: usize| passes(&seen.broken, at) == Some(true);
        // One that fails at the end fails because of what earlier runs left behind.
        let is_spoilt = |at: usize| passes(&seen.after, at) == Some(false);
        let judge = |tried: super::protocol::TriedMutant| {
            let mut one = Judged {
                path: tried.path,
                line: tried.line,
                change: tried.change,
                noticed: Some(false),
                by: BTreeSet::new(),
            };
            for (at, (run, ran)) in runs.iter().zip(tried.runs).enumerate() {
                let before = self.again_on(&run.argv, tree).and_then(|(_, tests)| tests);
                let result = notices(&self.opening.heard(&run.argv, ran), before, rules);
                match result.filter(|noticed| !(is_deaf(at) || *noticed && is_spoilt(at))) {
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
        let doubt = if (0..runs.len()).any(is_deaf) {
            Some(
                "a check also passes with invalid code in the changed files, so it doesn't read these \
                 files in a copy",
            )
        } else if (0..runs.len()).any(is_spoilt) {
            Some("a check still fails in the copy after the faults were removed")
        } else {
            None
        };
        let doubt = doubt.map(str::to_owned);
        let mutants = seen.tried.into_iter().map(judge).collect();
        let (unusable, shown) = match seen.mutator {
            Some(MutatorSeen { unusable: Some(why), .. }) => (Some(why), None),
            shown => (None, shown),
        };
        let mutation = Mutation {
            basis: self.basis(),
            mutants,
            doubt,
            without: seen.without,
            left: seen.left,
            unprepared: seen.unprepared,
            duration_ms: seen.duration_ms,
            without_tool: unusable,
            ..Mutation::none(feature, run, tree.clone())
        };
        let mutation = match shown {
            Some(shown) => mutation.by_tool(shown),
            None => mutation,
        };
        if let Some(account) = mutation.account() {
            let line = format!("{}: {account}", mutation.feature);
            self.announce(Tone::Info, line, commands);
        }
        self.mutations.push(mutation);
        self.weigh_mutation(files, commands);
    }

    fn weigh_mutation(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let mutation = self.mutation(&build.feature, files.tree());
        let unnoticed = mutation.map(Mutation::unnoticed_lines).unwrap_or_default();
        let number = mutation.map_or(0, |one| one.counts().unnoticed);
        let machine = mutation.and_then(|one| one.tool.clone()).unwrap_or_else(|| "A machine".to_owned());
        let may_fix = !build.account_of_mutants && self.bears_another_round();
        if !unnoticed.is_empty() && may_fix {
            if let Some(build) = &mut self.build {
                build.account_of_mutants = true;
                build.tried.push(format!(
                    "no check noticed {}",
                    count(number as u64, "small fault", "small faults")
                ));
            }
            let list: Vec<String> = unnoticed.iter().map(|line| format!("- {line}")).collect();
            self.fix_or_stay(
                files.trees,
                format!(
                    "The checks pass. {machine} then put small faults into your change, one at a time, in a \
                     copy. No check notices these:\n\n{}\n\nWrite tests that notice them. If a fault makes \
                     no difference to what the feature does, leave it and say so in your summary.",
                    list.join("\n")
                ),
                commands,
            );
        } else if let Some(why) = self.checks_notice_nothing(files.tree()) {
            let recovery = Recovery::new(FlowCode::RunNotProven, RecoveryStage::Run, why)
                .takes("a check that fails if the feature is broken");
            self.block(
                recovery,
                "The feature's page lists the faults. Add tests that notice them, or revise the plan. Then \
                 build the feature again.",
                commands,
            );
        } else {
            self.examine(files, commands);
        }
    }

    /// The results of a feature's mutants for these files that count now: from before a reset, on another basis, or without a copy in
    /// an earlier run of the feature, they don't.
    fn mutation(&self, feature: &str, tree: &TreeId) -> Option<&Mutation> {
        let all = self.mutations_of(feature).filter(|one| one.tree == *tree);
        let Some(build) = self.build.as_ref().filter(|build| build.feature == feature) else {
            return all.last();
        };
        let basis = self.basis();
        let counts = |one: &&Mutation| {
            self.opening.rules < 6
                || basis.is_some()
                    && basis == one.basis
                    && (one.unprepared.is_none() || one.run == build.worker)
        };
        all.filter(counts).last()
    }

    fn mutations_of(&self, feature: &str) -> impl Iterator<Item = &Mutation> {
        let void = self.voided.get(feature).map_or(0, |voided| voided.mutations);
        self.mutations.iter().skip(void).filter(move |one| one.feature == feature)
    }

    /// The basis on which mutants of the feature that is being built are tried now; `None` when none are.
    fn basis(&self) -> Option<Basis> {
        let mutator = self.settings.mutator.is_set().then(|| self.settings.mutator.clone());
        let checks = self.targeted();
        let is_wanted = self.settings.mutation > 0 || mutator.is_some();
        if self.opening.rules < 5 || !is_wanted || checks.is_empty() {
            return None;
        }
        Some(Basis {
            base: self.base()?,
            commands: checks.into_iter().map(|check| check.command).collect(),
            most: self.settings.mutation,
            mutator,
            link: self.linked_names(),
            setup: self.settings.worktree.setup.clone(),
            offline: self.is_offline(),
        })
    }

    /// The results of a feature's mutants in its current state, or in its state when it was blocked.
    pub(super) fn mutation_of(&self, feature: &str) -> Option<&Mutation> {
        let progress = self.features.get(feature)?;
        let build = self.build.as_ref().filter(|build| build.feature == feature);
        match build.map_or_else(|| progress.tree(), Build::tree) {
            Some(tree) => self.mutation(feature, tree),
            None if progress.blocked().is_some() => self.mutations_of(feature).last(),
            None => None,
        }
    }

    /// Why the checks of the feature that is being built decide nothing, in a sentence; `None` when one notices something, or this
    /// is unknown. A feature that changes no behaviour is measured by the tests that ran before it.
    pub(super) fn checks_notice_nothing(&self, tree: &TreeId) -> Option<String> {
        let build = self.build.as_ref().filter(|_| !self.keeps_behaviour())?;
        let mutation = self.mutation(&build.feature, tree)?;
        let unnoticed = mutation.all_unnoticed(self.opening.rules)?;
        let tool = mutation.tool.as_ref();
        let faults = count(unnoticed as u64, "small fault", "small faults");
        (!self.deciding(&build.feature).is_empty()).then(|| match tool {
            None => format!(
                "The feature's checks noticed none of the {faults} that Flow put into the feature, so they \
                 show nothing about its criteria."
            ),
            Some(tool) => format!(
                "According to {tool}, the tests noticed none of {faults} in the feature, so the checks \
                 show nothing about the feature's criteria."
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
fn notices(ran: &Ran, before: Option<u32>, rules: u32) -> Option<bool> {
    let now = ran.tests.as_ref().map_or(0, |tests| tests.ran);
    // Cargo compiles everything before the first test, and then stops at the first program with a failed test.
    let compiles_first =
        |tests: &Tests| tests.runners.iter().all(|one| matches!(one, Runner::Cargo | Runner::Nextest));
    let has_compiled = rules >= 6 && now > 0 && ran.tests.as_ref().is_some_and(compiles_first);
    match ran.end {
        CommandEnd::NotStarted { .. } => None,
        CommandEnd::TimedOut => Some(true),
        _ if ran.passed() => Some(false),
        _ if has_compiled => Some(true),
        _ => before.map_or(rules < 6, |before| now >= before).then_some(true),
    }
}
