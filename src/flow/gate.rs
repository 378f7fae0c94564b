//! The gate: whether everything is present that completes a feature, for the tree that was taken last.

use super::apart::Purpose;
use super::build::Build;
use super::evidence::Standing;
use super::plan::Scope;
use super::protocol::{Role, TreeId};
use super::review::Verdict;
use super::session::Session;

impl Session {
    /// Whether the feature that is being built is proven; the error is the end of "what is missing is that …".
    pub(super) fn proven(&self) -> Result<(), String> {
        let none = || "nothing is being built".to_owned();
        let build = self.build.as_ref().ok_or_else(none)?;
        let tree = build.tree.as_ref().ok_or_else(none)?;
        self.checks_passed(build, tree)?;
        self.rules_hold(tree)?;
        self.checks_can_fail(build, tree)?;
        if self.copies_decide() {
            self.checks_passed_again(build, tree)?;
        }
        if let Some(why) = self.checks_notice_nothing(tree) {
            return Err(clause(&why));
        }
        if self.opening.rules >= 2 && build.seal.is_none() {
            return Err("the reviewer read no copy of these files".to_owned());
        }
        self.approved(build, tree, false)?;
        if self.needs_final_review() {
            self.approved(build, tree, true)?;
        }
        Ok(())
    }

    /// Whether each check passed on this tree.
    fn checks_passed(&self, build: &Build, tree: &TreeId) -> Result<(), String> {
        let feature =
            self.planned(&build.feature).ok_or_else(|| "the plan has no such feature".to_owned())?;
        let passed = |argv: &[String]| {
            let last = self.of_run(build).filter(|one| one.argv == argv && one.tree == *tree).last();
            last.is_some_and(|one| one.standing() == Standing::Passed)
        };
        let broad = self.broad_checks();
        let mut needed = feature.checks(Scope::Targeted).chain(&broad).peekable();
        if needed.peek().is_none() {
            return Err("no check was run".to_owned());
        }
        match needed.find(|check| !passed(&check.command)) {
            Some(check) => Err(format!("the check {} has not passed on these files", check.id)),
            None => Ok(()),
        }
    }

    /// Whether each check that decides a criterion ran without the feature and didn't pass there. If the feature changes no
    /// behaviour, it may pass there, but no check may run fewer tests than before the feature.
    fn checks_can_fail(&self, build: &Build, tree: &TreeId) -> Result<(), String> {
        let keeps_behaviour = self.keeps_behaviour();
        if keeps_behaviour && !self.tests_lost().is_empty() {
            return Err("tests that ran before the feature no longer run".to_owned());
        }
        for check in self.deciding(&build.feature) {
            let probes = self.apart_of_run(build).filter(|one| one.purpose.is_probe());
            match probes.filter(|one| one.check == check && one.tree == *tree).last() {
                None => return Err(format!("the check {check} was not run without the feature")),
                Some(probe) if probe.passed() == Some(true) && !keeps_behaviour => {
                    return Err(format!("the check {check} also passes without the feature"));
                }
                Some(probe) if self.lost_its_tests(build, probe) => {
                    return Err(format!("the check {check} no longer runs any test"));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Whether the checks of the feature passed again in a clean copy of this tree; before the last one is complete, all of the
    /// plan's.
    fn checks_passed_again(&self, build: &Build, tree: &TreeId) -> Result<(), String> {
        let again =
            || self.apart_of_run(build).filter(|one| one.purpose == Purpose::Again && one.tree == *tree);
        let passed = |argv: &[String]| {
            again().filter(|one| one.argv == argv).last().is_some_and(|one| one.passed() == Some(true))
        };
        match self.to_be_repeated().iter().find(|check| !passed(&check.command)) {
            Some(check) => Err(format!("the check {} has not passed in a clean copy", check.id)),
            None => Ok(()),
        }
    }

    /// Whether a session other than any worker's approved this tree.
    fn approved(&self, build: &Build, tree: &TreeId, whole: bool) -> Result<(), String> {
        let mut of_round =
            self.reviews.iter().rev().filter(|one| one.feature == build.feature && one.round == build.round);
        let given = of_round.find(|one| one.whole == whole);
        let what = if whole { "the complete change" } else { "the feature" };
        let given = given.ok_or_else(|| format!("no reviewer has seen {what}"))?;
        if given.tree != *tree || given.verdict() != Verdict::Approved {
            return Err(format!("no reviewer approved {what} with these files"));
        }
        let is_met = |id: &str| given.review.criteria.iter().any(|one| one.id == id && one.met);
        let about = self.reviewed_feature(whole).unwrap_or_default();
        if let Some(criterion) = about.criteria().find(|criterion| !is_met(&criterion.id)) {
            return Err(format!("no reviewer found the criterion {} met", criterion.id));
        }
        let mut workers = self.calls.jobs.iter().filter(|job| job.part.role == Role::Worker);
        if workers.any(|job| job.ledger.sessions.contains(&given.session)) {
            return Err("the approval comes from a worker's session".to_owned());
        }
        Ok(())
    }
}

/// A sentence as the end of another one: its first letter in lower case, without the full stop.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().map_or_else(String::new, |letter| letter.to_lowercase().collect());
    format!("{first}{}", letters.as_str())
}
