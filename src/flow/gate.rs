//! The gate: whether everything is present that completes a feature, for the tree that was taken last.
//!
//! Only what passes it is [`Proven`], and only what is proven completes a feature.

use super::apart::Purpose;
use super::build::Build;
use super::evidence::Standing;
use super::held::Ruling;
use super::of_feature::Change;
use super::plan::Scope;
use super::protocol::{Role, TreeId};
use super::review::Verdict;
use super::session::Session;
use super::step::Frozen;
use super::test_settings::TestSetting;
use std::fmt;

/// A feature that is proven, and the files that prove it. Only [`Session::gate`] makes one.
#[derive(Clone, Debug)]
pub(super) struct Proven {
    feature: String,
    tree: TreeId,
    changed: Vec<String>,
    weakened: Vec<String>,
    test_settings: Vec<TestSetting>,
    ruling: Option<Ruling>,
}

impl Proven {
    /// The feature.
    pub(super) fn feature(&self) -> &str {
        &self.feature
    }

    /// The tree with which it is complete.
    pub(super) fn tree(&self) -> &TreeId {
        &self.tree
    }

    /// What it changed.
    pub(super) fn change(&self) -> Change<'_> {
        Change {
            paths: &self.changed,
            weakened: &self.weakened,
            test_settings: &self.test_settings,
            ruling: self.ruling.as_ref(),
        }
    }
}

/// Why a feature isn't proven. As text, it is the end of "what is missing is that …".
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotProven {
    /// The plan no longer has the feature.
    NotPlanned,
    /// The feature has no check.
    NoCheck,
    /// This check has not passed on the files.
    NotPassed(String),
    /// The project's rules were not checked on the files.
    RulesNotChecked,
    /// The change breaks a rule.
    RuleBroken,
    /// The feature changes no behaviour, but tests no longer run.
    TestsLost,
    /// This check was not run without the feature.
    NotProbed(String),
    /// This check also passes without the feature.
    CannotFail(String),
    /// This check no longer runs any test.
    RunsNoTest(String),
    /// This check has not passed in a clean copy.
    NotRepeated(String),
    /// The checks notice no small fault, with the reason as a sentence.
    NoticesNothing(String),
    /// The reviewer read no copy of the files.
    NoReviewedCopy,
    /// No reviewer has seen it.
    NotReviewed(Reviewable),
    /// No reviewer approved it with these files.
    NotApproved(Reviewable),
    /// No reviewer found this criterion met.
    NotMet(String),
    /// The approval comes from a worker's session.
    ApprovedByWorker,
}

/// What a reviewer approves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reviewable {
    /// The feature.
    Feature,
    /// All features together.
    Whole,
}

impl fmt::Display for Reviewable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Feature => "the feature",
            Self::Whole => "the complete change",
        })
    }
}

impl fmt::Display for NotProven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPlanned => f.write_str("the plan has no such feature"),
            Self::NoCheck => f.write_str("no check was run"),
            Self::NotPassed(check) => write!(f, "the check {check} has not passed on these files"),
            Self::RulesNotChecked => f.write_str("the project's rules were not checked on these files"),
            Self::RuleBroken => f.write_str("the change breaks a rule of the project"),
            Self::TestsLost => f.write_str("tests that ran before the feature no longer run"),
            Self::NotProbed(check) => write!(f, "the check {check} was not run without the feature"),
            Self::CannotFail(check) => write!(f, "the check {check} also passes without the feature"),
            Self::RunsNoTest(check) => write!(f, "the check {check} no longer runs any test"),
            Self::NotRepeated(check) => write!(f, "the check {check} has not passed in a clean copy"),
            Self::NoticesNothing(why) => f.write_str(&clause(why)),
            Self::NoReviewedCopy => f.write_str("the reviewer read no copy of these files"),
            Self::NotReviewed(what) => write!(f, "no reviewer has seen {what}"),
            Self::NotApproved(what) => write!(f, "no reviewer approved {what} with these files"),
            Self::NotMet(criterion) => write!(f, "no reviewer found the criterion {criterion} met"),
            Self::ApprovedByWorker => f.write_str("the approval comes from a worker's session"),
        }
    }
}

impl Session {
    /// Whether the feature that is being built is proven on these files.
    pub(super) fn gate(&self, build: &Build, files: &Frozen) -> Result<Proven, NotProven> {
        let tree = files.tree();
        self.checks_passed(build, tree)?;
        self.rules_hold(build, tree)?;
        self.checks_can_fail(build, tree)?;
        if self.copies_decide() {
            self.checks_passed_again(build, tree)?;
        }
        if let Some(why) = self.checks_notice_nothing(tree) {
            return Err(NotProven::NoticesNothing(why));
        }
        if self.opening.rules >= 2 && files.seal.is_none() {
            return Err(NotProven::NoReviewedCopy);
        }
        self.approved(build, tree, Reviewable::Feature)?;
        if self.needs_final_review() {
            self.approved(build, tree, Reviewable::Whole)?;
        }
        Ok(Proven {
            feature: build.feature.clone(),
            tree: tree.clone(),
            changed: build.changed.clone(),
            weakened: build.weakened.clone(),
            test_settings: build.test_settings.clone(),
            ruling: build.ruling.clone(),
        })
    }

    /// Whether each check passed on this tree.
    fn checks_passed(&self, build: &Build, tree: &TreeId) -> Result<(), NotProven> {
        let feature = self.planned(&build.feature).ok_or(NotProven::NotPlanned)?;
        let passed = |argv: &[String]| {
            let last = self.of_run(build).filter(|one| one.argv == argv && one.tree == *tree).last();
            last.is_some_and(|one| one.standing() == Standing::Passed)
        };
        let broad = self.broad_checks();
        let mut needed = feature.checks(Scope::Targeted).chain(&broad).peekable();
        if needed.peek().is_none() {
            return Err(NotProven::NoCheck);
        }
        match needed.find(|check| !passed(&check.command)) {
            Some(check) => Err(NotProven::NotPassed(check.id.clone())),
            None => Ok(()),
        }
    }

    /// Whether each check that decides a criterion ran without the feature and didn't pass there. If the feature changes no
    /// behaviour, it may pass there, but no check may run fewer tests than before the feature.
    fn checks_can_fail(&self, build: &Build, tree: &TreeId) -> Result<(), NotProven> {
        let keeps_behaviour = self.keeps_behaviour();
        if keeps_behaviour && !self.tests_lost().is_empty() {
            return Err(NotProven::TestsLost);
        }
        for check in self.deciding(&build.feature) {
            let probes = self.apart_of_run(build).filter(|one| one.purpose.is_probe());
            match probes.filter(|one| one.check == check && one.tree == *tree).last() {
                None => return Err(NotProven::NotProbed(check)),
                Some(probe) if probe.passed() == Some(true) && !keeps_behaviour => {
                    return Err(NotProven::CannotFail(check));
                }
                Some(probe) if self.lost_its_tests(build, probe) => {
                    return Err(NotProven::RunsNoTest(check));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Whether the checks of the feature passed again in a clean copy of this tree; before the last one is complete, all of the
    /// plan's.
    fn checks_passed_again(&self, build: &Build, tree: &TreeId) -> Result<(), NotProven> {
        let again =
            || self.apart_of_run(build).filter(|one| one.purpose == Purpose::Again && one.tree == *tree);
        let passed = |argv: &[String]| {
            again().filter(|one| one.argv == argv).last().is_some_and(|one| one.passed() == Some(true))
        };
        match self.to_be_repeated().iter().find(|check| !passed(&check.command)) {
            Some(check) => Err(NotProven::NotRepeated(check.id.clone())),
            None => Ok(()),
        }
    }

    /// Whether a session other than any worker's approved this tree.
    fn approved(&self, build: &Build, tree: &TreeId, what: Reviewable) -> Result<(), NotProven> {
        let whole = what == Reviewable::Whole;
        let mut of_round =
            self.reviews.iter().rev().filter(|one| one.feature == build.feature && one.round == build.round);
        let given = of_round.find(|one| one.whole == whole);
        let given = given.ok_or(NotProven::NotReviewed(what))?;
        if given.tree != *tree || given.verdict() != Verdict::Approved {
            return Err(NotProven::NotApproved(what));
        }
        let is_met = |id: &str| given.review.criteria.iter().any(|one| one.id == id && one.met);
        let about = self.reviewed_feature(whole).unwrap_or_default();
        if let Some(criterion) = about.criteria().find(|criterion| !is_met(&criterion.id)) {
            return Err(NotProven::NotMet(criterion.id.clone()));
        }
        let mut workers = self.calls.jobs.iter().filter(|job| job.part.role == Role::Worker);
        if workers.any(|job| job.ledger.sessions.contains(&given.session)) {
            return Err(NotProven::ApprovedByWorker);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_ends_a_sentence() {
        let cannot_be_completed = |missing: NotProven| format!("The feature can't be completed: {missing}.");
        let why = "The checks noticed none of 3 small faults.".to_owned();
        for (missing, sentence) in [
            (NotProven::NotPassed("unit".to_owned()), "the check unit has not passed on these files."),
            (NotProven::NoticesNothing(why), "the checks noticed none of 3 small faults."),
            (NotProven::NotReviewed(Reviewable::Feature), "no reviewer has seen the feature."),
            (
                NotProven::NotApproved(Reviewable::Whole),
                "no reviewer approved the complete change with these files.",
            ),
        ] {
            assert_eq!(cannot_be_completed(missing), format!("The feature can't be completed: {sentence}"));
        }
    }
}
