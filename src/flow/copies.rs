//! The steps in copies of the files on a feature's way to *completed*, and what follows; [`super::apart`] covers what they show.
//!
//! ```text
//! checks pass → without the feature → in a clean copy → reviewer → the reviewer's reproducers → …
//! ```

use super::apart::{Apart, Purpose, account_of_links, account_of_links_out};
use super::build::Build;
use super::code::FlowCode;
use super::evidence::named;
use super::named_tests::NamedTests;
use super::plan::{Check, Feature, Scope};
use super::prompts;
use super::protocol::{ApartRun, Effect, Overlay, RanApart, TreeId};
use super::recovery::{Recovery, RecoveryStage};
use super::review::{Reproducer, Review};
use super::session::{Commands, Session};
use super::step::{Frozen, Judge, Step, Trees};
use super::test_files::{is_test, may_hold_tests};
use super::{above, links};
use crate::shared::figures::count;
use crate::shared::runners::Runner;
use crate::shared::spelled::spelled;
use design_lab_numerics::sorting::set;
use kernel::drive::{self, notice};
use kernel::protocol::Tone;
use kernel::workflow::Workflow as _;
use std::collections::{BTreeSet, VecDeque};

/// The warning that commands in copies have the network.
const ONLINE: &str = "On this system, Flow can't disconnect its copies of the project from the network, so \
                      a check in a copy can use a server that a worker left running. On Linux, Flow needs \
                      the programs `unshare`, `setpriv` and `ip` to disconnect them.";
/// What a worker learns of a copy without the network.
const ONLY_OWN_SERVERS: &str = ", and no network: a check can use only a server that it starts itself";

impl Session {
    // ---- without the feature ----

    /// Tests whether the checks, which passed, can fail. They run on the current files, with everything except the feature's tests
    /// restored to its state before the feature. There they have to run tests, and fail.
    pub(super) fn probe(&mut self, files: Frozen, commands: &mut Commands) {
        let Trees { base, now: tree } = files.trees.clone();
        self.enter(Step::Judging(files, Judge::Probing));
        let checks = self.targeted();
        let paths = self.tests_among_changes(&checks);
        let over = if paths.is_empty() { Overlay::Nothing } else { Overlay::Paths { tree, paths } };
        self.run_apart(base, over, &checks, commands);
    }

    /// The changed files that are tests, as the runners of these checks name them; in sessions from before
    /// [`super::protocol::RULES`] 3, by the words in their paths.
    pub(super) fn tests_among_changes(&self, checks: &[Check]) -> Vec<String> {
        let Some(build) = &self.build else { return Vec::new() };
        let runners = |check: &Check| {
            let runs = self.of_run(build).filter(|one| one.argv == check.command);
            runs.filter_map(|one| one.seen.ran.tests.as_ref()).last().map(|tests| tests.runners.clone())
        };
        let seen: Vec<Vec<Runner>> = checks.iter().map(|check| runners(check).unwrap_or_default()).collect();
        let checks = checks.iter().map(|check| check.command.as_slice());
        let named = NamedTests::of(checks.zip(seen.iter().map(Vec::as_slice)));
        let is_one = |path: &&String| if self.opening.rules >= 3 { named.holds(path) } else { is_test(path) };
        build.changed.iter().filter(is_one).cloned().collect()
    }

    fn probed(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let decides = self.deciding(&build.feature);
        let of = |found: Vec<&Apart>| -> Vec<String> {
            found.iter().map(|one| format!("`{}`", spelled(&one.argv))).collect()
        };
        let emptied = of(self.probes(build).filter(|one| self.lost_its_tests(build, one)).collect());
        if !emptied.is_empty() {
            self.emptied(files, &emptied, commands);
            return;
        }
        let passes = |one: &&Apart| {
            one.purpose == Purpose::CanFail && one.passed() == Some(true) && decides.contains(&one.check)
        };
        let idle = of(self.probes(build).filter(passes).collect());
        if idle.is_empty() {
            self.repeat(files, commands);
            return;
        }
        let checks = if idle.len() == 1 { "a check also passes" } else { "checks also pass" };
        let what = format!("{checks} without the feature: {}", idle.join(", "));
        self.tried(what);
        let text = format!(
            "These checks also pass without your feature (on the files from before it, with your tests \
             added), so they prove nothing about the feature.\n\n{}\n\nWrite tests that fail without the \
             feature. If no test of this feature can fail without it, the plan must change: report \
             `replan_required`.",
            bullets(&idle)
        );
        self.fix(files.trees, text, commands);
    }

    /// Whether a check ran tests on the files from before the feature, but isn't seen to run any now: its script was changed.
    pub(super) fn lost_its_tests(&self, build: &Build, probe: &Apart) -> bool {
        let ran_tests = probe.seen.as_ref().is_ok_and(|ran| ran.tests.is_some());
        let now = self.of_run(build).filter(|one| one.argv == probe.argv && one.tree == probe.tree).last();
        ran_tests && now.is_some_and(|one| one.seen.ran.tests.is_none())
    }

    fn emptied(&mut self, files: Frozen, checks: &[String], commands: &mut Commands) {
        let run = if checks.len() == 1 { "a check no longer runs" } else { "checks no longer run" };
        self.tried(format!("{run} any test: {}", checks.join(", ")));
        let text = format!(
            "These checks ran tests before your feature, but their output no longer shows that any test \
             runs. Make them run those tests again, and don't change the scripts of checks.\n\n{}",
            bullets(checks)
        );
        self.fix(files.trees, text, commands);
    }

    /// The checks of a feature that decide one of its criteria, by their ids.
    pub(super) fn deciding(&self, feature: &str) -> BTreeSet<String> {
        let feature = self.planned(feature).cloned().unwrap_or_default();
        let decides = |id: &String| feature.acceptance.iter().any(|one| one.verified_by == *id);
        set(feature.checks(Scope::Targeted).map(|check| check.id.clone()).filter(decides))
    }

    fn probes<'a>(&'a self, build: &'a Build) -> impl Iterator<Item = &'a Apart> {
        self.apart_of_round(build).filter(|one| one.purpose.is_probe())
    }

    // ---- in a clean copy ----

    /// Whether a feature's checks have to pass in a copy of its tree: in sessions from before [`super::protocol::RULES`] 2, only
    /// those of the last feature.
    pub(super) fn copies_decide(&self) -> bool {
        self.opening.rules >= 2 || self.is_last()
    }

    /// The checks that have to pass in a copy of the current files: the feature's checks, and the broad ones if they run for it;
    /// before the last feature is complete, all checks of the plan.
    pub(super) fn to_be_repeated(&self) -> Vec<Check> {
        match &self.plan {
            Some(plan) if self.is_last() => plan.all_checks(),
            _ => {
                let own = self.targeted();
                let mut broad = self.broad_checks();
                broad.retain(|check| !own.iter().any(|one| one.command == check.command));
                own.into_iter().chain(broad).collect()
            }
        }
    }

    /// Runs the feature's checks in such a copy.
    fn repeat(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let checks: Vec<Check> = if self.copies_decide() {
            self.to_be_repeated()
        } else {
            let failed = |check: &Check| {
                self.probes(build).any(|one| one.check == check.id && one.passed() == Some(false))
            };
            self.targeted().into_iter().filter(failed).collect()
        };
        if checks.is_empty() {
            self.compare(files, commands);
            return;
        }
        let tree = files.tree().clone();
        self.enter(Step::Judging(files, Judge::Repeating));
        self.run_apart(tree, Overlay::Nothing, &checks, commands);
    }

    fn repeated(&mut self, files: Frozen, commands: &mut Commands) {
        let Some(build) = &self.build else { return };
        let again = || self.apart_of_round(build).filter(|one| one.purpose == Purpose::Again);
        let not_run =
            again().find_map(|one| one.why_not().map(|why| format!("{}: {why}", spelled(&one.argv))));
        let failed: Vec<Apart> = again().filter(|one| one.passed() == Some(false)).cloned().collect();
        let touched: Vec<Apart> = again().filter(|one| !one.touched.is_empty()).cloned().collect();
        if !self.copies_decide() {
            self.withdraw_probes();
            self.compare(files, commands);
        } else if !touched.is_empty() {
            self.touched(files, &touched, commands);
        } else if let Some(why) = not_run {
            let recovery = Recovery::new(
                FlowCode::RunNotRepeated,
                RecoveryStage::Run,
                format!("The checks could not be repeated in a clean copy of the files: {why}"),
            )
            .takes("a copy in which the checks can run");
            let hint = "Set the command that prepares a copy (flow.worktree.setup in \
                        .opencode/design-lab.jsonc), then build the feature again.";
            self.block(recovery, hint, commands);
        } else if failed.is_empty() {
            self.compare(files, commands);
        } else {
            let names: Vec<String> =
                failed.iter().map(|one| format!("{} {}", one.check, one.account())).collect();
            self.tried(names.join("; "));
            let outputs: Vec<String> = failed.iter().map(prompts::shown_apart).collect();
            let text = format!(
                "The checks pass in the project, but these fail in a clean copy of it. The copy has only \
                 the files that git tracks or would add{}. Something that the checks need is ignored by \
                 git, lies outside the project, or was left behind by an earlier run.\n\n{}",
                if self.is_offline() { ONLY_OWN_SERVERS } else { "" },
                outputs.join("\n\n")
            );
            self.fix(files.trees, text, commands);
        }
    }

    /// Asks for a fix, because it is unknown which files these checks ran on.
    fn touched(&mut self, files: Frozen, void: &[Apart], commands: &mut Commands) {
        let names: Vec<String> = void.iter().map(|one| format!("{}: {}", one.check, one.account())).collect();
        self.tried(names.join("; "));
        let text = format!(
            "These checks ran in a clean copy of the project, but their results don't count, because the \
             checks or another process wrote to files in the copy. A check must not write to the project's \
             files, even if it writes the same content again.\n\n{}",
            bullets(&names)
        );
        self.fix(files.trees, text, commands);
    }

    /// Voids the probe of a check that fails in any copy: it has not been shown to fail because the feature is missing.
    fn withdraw_probes(&mut self) {
        let Some(build) = &self.build else { return };
        let fails_anyway: Vec<String> = self
            .apart_of_round(build)
            .filter(|one| one.purpose == Purpose::Again && one.passed() != Some(true))
            .map(|one| one.check.clone())
            .collect();
        let (from, round) = (build.apart_from, build.round);
        for one in self.apart.iter_mut().skip(from) {
            if one.round == round && one.purpose == Purpose::CanFail && fails_anyway.contains(&one.check) {
                let why = "the check also fails in a copy that has the feature; flow.worktree.setup sets \
                           the command that prepares a copy";
                one.seen = Err(why.to_owned());
            }
        }
    }

    // ---- reproducers ----

    /// Tries the findings that count against an approval and have a reproducer.
    pub(super) fn try_claims(&mut self, files: Frozen, review: &Review, commands: &mut Commands) {
        let findings = review.findings.iter().enumerate();
        let claims = findings.filter(|(_, one)| one.is_open() && one.reproducer.is_some());
        let claims = claims.map(|(index, _)| index).collect();
        self.try_next_claim(files, claims, commands);
    }

    fn try_next_claim(&mut self, files: Frozen, mut claims: VecDeque<usize>, commands: &mut Commands) {
        match claims.pop_front() {
            Some(finding) => self.try_claim(files, finding, claims, commands),
            None => self.act_on_review(files, commands),
        }
    }

    /// Tries a finding. `left`: the findings that follow it.
    fn try_claim(&mut self, files: Frozen, finding: usize, left: VecDeque<usize>, commands: &mut Commands) {
        let Some((claim, check)) = self.claim(finding) else {
            self.act_on_review(files, commands);
            return;
        };
        let tree = files.tree().clone();
        self.enter(Step::Judging(files, Judge::Reproducing { finding, left }));
        if self.opening.rules >= 1 && self.without_reproducer(&check.command, &tree).is_none() {
            self.run_apart(tree, Overlay::Nothing, &[check], commands);
            return;
        }
        self.run_apart(tree, Overlay::File { path: claim.path, text: claim.text }, &[check], commands);
    }

    /// The reproducer of a finding of the last review, and the check that runs it.
    fn claim(&self, finding: usize) -> Option<(Reproducer, Check)> {
        let given = self.reviews.last()?;
        let claim = given.review.findings.get(finding)?.reproducer.clone()?;
        let about = self.reviewed_feature(given.whole)?;
        let check = about.verification.iter().find(|check| check.id == claim.check)?.clone();
        Some((claim, check))
    }

    fn reproduced(&mut self, files: Frozen, finding: usize, left: VecDeque<usize>, commands: &mut Commands) {
        let passed = self.apart.last().and_then(Apart::passed) == Some(true);
        if let Some(given) = self.reviews.last_mut().filter(|_| passed) {
            given.unconfirmed.push(finding);
        }
        self.try_next_claim(files, left, commands);
    }

    /// The run of the same check in a copy of the same files with nothing over it.
    fn without_reproducer(&self, argv: &[String], tree: &TreeId) -> Option<&Apart> {
        let again = self.apart_of_run(self.build.as_ref()?).filter(|one| one.purpose == Purpose::Again);
        again.filter(|one| one.argv == argv && one.tree == *tree).last()
    }

    /// Why a check that passed with a reproducer refutes nothing; `None` when it was seen to run more tests than without it.
    fn not_executed(&self, with: &Apart) -> Option<String> {
        let without = self.without_reproducer(&with.argv, &with.tree);
        match (without.and_then(Apart::tests_run), with.tests_run()) {
            (Some(without), Some(with)) if with > without => None,
            (Some(without), Some(with)) => Some(format!(
                "the check ran {} with the reviewer's test and {without} without it, so it didn't run that test",
                count(with.into(), "test", "tests")
            )),
            _ => Some("the check's output does not show how many tests ran".to_owned()),
        }
    }

    /// What a review covers: the feature that is being built, or all of them.
    pub(super) fn reviewed_feature(&self, whole: bool) -> Option<Feature> {
        if whole { self.whole() } else { self.planned(&self.build.as_ref()?.feature).cloned() }
    }

    // ---- copies ----

    pub(super) fn targeted(&self) -> Vec<Check> {
        let feature = self.build.as_ref().and_then(|build| self.planned(&build.feature));
        feature.map(|feature| feature.checks(Scope::Targeted).cloned().collect()).unwrap_or_default()
    }

    pub(super) fn run_apart(
        &mut self,
        tree: TreeId,
        over: Overlay,
        checks: &[Check],
        commands: &mut Commands,
    ) {
        self.effects_begun += 1;
        self.effects.begin(self.in_a_copy(self.effects_begun, tree, over, checks), commands);
    }

    /// The effect with this number that runs these checks in a copy.
    pub(super) fn in_a_copy(&self, effect: u32, tree: TreeId, over: Overlay, checks: &[Check]) -> Effect {
        let run = |(index, check): (usize, &Check)| ApartRun {
            check: check.id.clone(),
            argv: check.command.clone(),
            timeout_ms: check.timeout_ms,
            output: format!("evidence/{effect}-{}-{}.log", index + 1, check.id.replace('/', "-")),
        };
        let runs = checks.iter().enumerate().map(run).collect();
        let is_repeating = |build: &Build| matches!(build.step, Step::Judging(_, Judge::Repeating));
        let review = self.opening.rules >= 2 && self.build.as_ref().is_some_and(is_repeating);
        let (link, setup) = (self.linked_names(), self.settings.worktree.setup.clone());
        let clean = self.opening.rules >= 4;
        let begun = self.build.as_ref().and_then(|build| self.features.get(&build.feature));
        let began_with = begun.filter(|_| clean).and_then(|progress| progress.links.clone());
        let offline = self.is_offline();
        Effect::RunApart { effect, tree, over, link, setup, runs, clean, offline, began_with, review }
    }

    /// Whether commands in copies are cut off from the network: a server that a worker left running then decides nothing.
    pub(super) fn is_offline(&self) -> bool {
        self.opening.rules >= 7 && !self.settings.worktree.network
    }

    /// The paths that copies get as links, by name or path; empty if a command prepares them.
    pub(super) fn linked_names(&self) -> Vec<String> {
        let worktree = &self.settings.worktree;
        if worktree.setup.is_empty() { worktree.link.clone() } else { Vec::new() }
    }

    /// Handles the results from a copy.
    pub(super) fn apart_is_over(
        &mut self,
        seen: RanApart,
        runs: Vec<ApartRun>,
        over: &Overlay,
        commands: &mut Commands,
    ) {
        let keeps_behaviour = self.keeps_behaviour();
        let Some(Build { step: Step::Judging(files, judge), feature, round, changed, .. }) = &self.build
        else {
            return;
        };
        let (mut files, judge) = (files.clone(), judge.clone());
        if let Judge::Comparing = judge {
            self.compared(files, seen, runs, commands);
            return;
        }
        let Some(purpose) = purpose(&judge, over, keeps_behaviour) else { return };
        if let Judge::Repeating = judge {
            files.seal = seen.seal;
        }
        let why = seen.unprepared.unwrap_or_else(|| "the check was not run".to_owned());
        let hides = *over == Overlay::Nothing && changed.iter().any(|path| may_hold_tests(path));
        let (feature, round, tree) = (feature.clone(), *round, files.tree().clone());
        let begun = self.features.get(&feature).and_then(|progress| progress.links.as_ref());
        let changed = begun.map(|begun| links::unclean(begun, &seen.links)).unwrap_or_default();
        let unclean: Vec<String> = changed.iter().cloned().chain(above::unclean(&seen.above)).collect();
        let mut went = seen.runs.into_iter();
        let mut touched = seen.touched.into_iter();
        for run in runs {
            // Without the feature, or with a reviewer's test, a runner that prints no summary hasn't failed either.
            let seen = went.next().map(|ran| match purpose {
                Purpose::Again => self.opening.heard(&run.argv, ran),
                Purpose::CanFail | Purpose::AsBefore | Purpose::Reproducer { .. } => ran,
            });
            let touched = touched.next().unwrap_or_default();
            if let Some(ran) = &seen
                && purpose.is_probe()
                && *over == Overlay::Nothing
                && touched.is_empty()
            {
                self.keep_base_run(&run, ran);
            }
            let mut one = Apart {
                feature: feature.clone(),
                check: run.check,
                argv: run.argv,
                round,
                tree: tree.clone(),
                purpose: purpose.clone(),
                seen: seen.ok_or_else(|| why.clone()),
                touched,
                unclean: unclean.clone(),
                output: run.output,
            };
            if purpose == Purpose::CanFail && hides && one.passed() == Some(true) {
                one.seen =
                    Err("the feature's tests are in the same file as the code that they test, so Flow \
                         can't separate them"
                        .to_owned());
            }
            if purpose.is_probe()
                && self.opening.rules >= 2
                && one.passed() == Some(false)
                && !one.saw_tests()
            {
                one.seen = Err(format!("no test was seen to run there ({})", one.end()));
            }
            if matches!(purpose, Purpose::Reproducer { .. })
                && self.opening.rules >= 1
                && one.passed() == Some(true)
                && let Some(why) = self.not_executed(&one)
            {
                one.seen = Err(why);
            }
            let line = format!("{}: {}", named(&feature, &one.check), one.brief());
            commands.push(drive::line(Tone::Info, line.clone()));
            self.log(&line);
            self.apart.push(one);
        }
        let of_links = (!changed.is_empty()).then(|| links::told_of(&changed));
        let of_above = (!seen.above.is_empty()).then(|| above::told_of(&seen.above));
        let of_network = seen.online.then(|| ONLINE.to_owned());
        for note in of_links.into_iter().chain(of_above).chain(of_network) {
            if !self.notes.contains(&note) {
                commands.push(notice(Tone::Warning, note.clone()));
                self.note(note);
            }
        }
        let links = account_of_links(&seen.linked).into_iter().chain(account_of_links_out(&seen.outside));
        for note in links {
            self.note(note);
        }
        match judge {
            Judge::Probing => self.probed(files, commands),
            Judge::Repeating => self.repeated(files, commands),
            Judge::Reproducing { finding, left } if purpose == Purpose::Again => {
                self.try_claim(files, finding, left, commands);
            }
            Judge::Reproducing { finding, left } => self.reproduced(files, finding, left, commands),
            _ => {}
        }
    }

    /// The results from copies in the current round.
    pub(super) fn apart_of_round<'a>(&'a self, build: &'a Build) -> impl Iterator<Item = &'a Apart> {
        self.apart_of_run(build).filter(|one| one.round == build.round)
    }

    /// The results from copies since the feature was started.
    pub(super) fn apart_of_run(&self, build: &Build) -> impl Iterator<Item = &Apart> {
        self.apart.get(build.apart_from..).unwrap_or_default().iter()
    }
}

/// What a run in a copy has to show to what judges the files; `None` when nothing of it runs there.
fn purpose(judge: &Judge, over: &Overlay, keeps_behaviour: bool) -> Option<Purpose> {
    match judge {
        Judge::Probing if keeps_behaviour => Some(Purpose::AsBefore),
        Judge::Probing => Some(Purpose::CanFail),
        Judge::Repeating => Some(Purpose::Again),
        Judge::Reproducing { .. } if *over == Overlay::Nothing => Some(Purpose::Again),
        Judge::Reproducing { finding, .. } => Some(Purpose::Reproducer { finding: *finding }),
        Judge::Checking { .. }
        | Judge::Comparing
        | Judge::Mutating
        | Judge::Examining { .. }
        | Judge::Sitting
        | Judge::Reviewing { .. }
        | Judge::Confirming => None,
    }
}

fn bullets(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}
