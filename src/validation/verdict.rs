//! The results of the tests and what they prove: a verdict for each criterion, and from these the outcome. No model is asked.
//!
//! The invariant: a criterion is *met* only by a test that names it, ran in every pass against the application, asserted
//! something, passed each time, failed against every enabled counterfeit, and had an assertion that ran and failed against one of
//! them; or by a command that the user's settings allow to decide it. If any of this is missing, it is *untested*; if no assertion
//! was seen to fail, it is *unproven*.

use super::acts::{before_acting, ends_on_page};
use super::checks::{CheckVerdict, JudgedCheck};
use super::crash;
use super::evasion::Evasion;
use super::fitting::lie_in;
use super::live::{FITTING, Lie};
use super::own::Own;
use super::property::{self, Said};
use super::protocol::{Against, Criterion, RanTests, StepKind, TestSeen, TestStatus, Whose};
use super::reason::reason;
use super::session::Pass;
use super::settings::Counterfeit;
use super::suite::{Suite, tag};
use crate::shared::figures::{count, counted};
use kernel::json::Deserialize;
use kernel::visible;
use serde::Serialize;
use std::collections::BTreeSet;
use std::iter;

/// The result of a criterion, or of a test that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// It was observed to be true.
    Met,
    /// It was observed to be false.
    NotMet,
    /// What passed would have passed anyway.
    Hollow,
    /// It passed, and none of its assertions was ever seen to fail.
    Unproven,
    /// It both passed and failed.
    Flaky,
    /// It was not observed.
    Untested,
}

impl Verdict {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::NotMet => "not met",
            Self::Hollow => "hollow",
            Self::Unproven => "unproven",
            Self::Flaky => "flaky",
            Self::Untested => "untested",
        }
    }
}

/// The conclusion of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Conclusion {
    /// Every criterion is met, and every check passed.
    Validated,
    /// At least one criterion is not met, or a check failed.
    Failed,
    /// All other cases: something is hollow, unproven, flaky, untested or not run.
    Incomplete,
}

impl Conclusion {
    /// In a word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Validated => "validated",
            Self::Failed => "failed",
            Self::Incomplete => "incomplete",
        }
    }
}

/// How many criteria have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationCounts"))]
pub struct Counts {
    /// Observed to be true.
    pub met: usize,
    /// Observed to be false.
    pub not_met: usize,
    /// What passed would have passed anyway.
    pub hollow: usize,
    /// No assertion was ever seen to fail.
    pub unproven: usize,
    /// Both passed and failed.
    pub flaky: usize,
    /// Not observed.
    pub untested: usize,
}

impl Counts {
    pub(super) fn of(judged: &[Judged]) -> Self {
        let of = |verdict| judged.iter().filter(|one| one.verdict == verdict).count();
        Self {
            met: of(Verdict::Met),
            not_met: of(Verdict::NotMet),
            hollow: of(Verdict::Hollow),
            unproven: of(Verdict::Unproven),
            flaky: of(Verdict::Flaky),
            untested: of(Verdict::Untested),
        }
    }

    /// `3 met, 1 not met`: the counts that aren't zero; empty without criteria.
    pub(super) fn words(self) -> String {
        let Self { met, not_met, hollow, unproven, flaky, untested } = self;
        let all = [
            (met, Verdict::Met),
            (not_met, Verdict::NotMet),
            (hollow, Verdict::Hollow),
            (unproven, Verdict::Unproven),
            (flaky, Verdict::Flaky),
            (untested, Verdict::Untested),
        ];
        counted(all.map(|(number, verdict)| (number, verdict.words())))
    }
}

/// A criterion with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Judged {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) verdict: Verdict,
    /// Why, in a sentence.
    pub(super) reason: String,
    pub(super) tests: Vec<JudgedTest>,
    /// The checks that decide it.
    pub(super) checks: Vec<JudgedCheck>,
}

/// A test with its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct JudgedTest {
    pub(super) whose: Whose,
    pub(super) file: String,
    pub(super) title: String,
    pub(super) verdict: Verdict,
    /// Why, in a sentence.
    pub(super) reason: String,
}

/// The basis of the verdicts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) criteria: &'a [Criterion],
    pub(super) suite: Option<&'a Suite>,
    pub(super) own: Option<&'a Own>,
    pub(super) passes: &'a [Pass],
    /// How many passes against the application are needed.
    pub(super) repeat: u32,
    /// The enabled counterfeits.
    pub(super) control: &'a [Counterfeit],
    pub(super) checks: &'a [JudgedCheck],
    /// The ports at which the run has ever started a server.
    pub(super) ports: &'a BTreeSet<u16>,
}

/// Every criterion with its verdict.
pub(super) fn judge(seen: &Seen<'_>) -> Vec<Judged> {
    let application = seen.application();
    seen.criteria.iter().map(|criterion| seen.criterion(criterion, &application)).collect()
}

/// The conclusion from the verdicts.
pub(super) fn conclusion(judged: &[Judged], checks: &[JudgedCheck]) -> Conclusion {
    let is_not_met = judged.iter().any(|one| one.verdict == Verdict::NotMet);
    if is_not_met || checks.iter().any(|check| check.verdict == CheckVerdict::Failed) {
        return Conclusion::Failed;
    }
    let all_met = judged.iter().all(|one| one.verdict == Verdict::Met)
        && checks.iter().all(|check| check.verdict == CheckVerdict::Passed);
    if all_met && !judged.is_empty() { Conclusion::Validated } else { Conclusion::Incomplete }
}

impl JudgedTest {
    /// Whether this is a result of it.
    pub(super) fn is_of(&self, test: &TestSeen) -> bool {
        (self.whose, &self.file, &self.title) == (test.whose, &test.file, &test.title)
    }

    /// Its file, and its owner if it wasn't written for the run.
    pub(super) fn place(&self) -> String {
        place(self.whose, &self.file)
    }
}

/// A test's file, and its owner if it wasn't written for the run.
pub(super) fn place(whose: Whose, file: &str) -> String {
    let of = match whose {
        Whose::Written => "",
        Whose::Project => ", the project's own",
    };
    format!("{}{of}", visible::line(file))
}

impl Judged {
    fn untested(criterion: &Criterion, reason: String) -> Self {
        Self {
            id: criterion.id.clone(),
            text: criterion.text.clone(),
            verdict: Verdict::Untested,
            reason,
            tests: Vec::new(),
            checks: Vec::new(),
        }
    }
}

/// The tests of a readable pass.
type Tests<'a> = &'a [TestSeen];

impl<'a> Seen<'a> {
    /// The readable passes against the application; or why they allow no verdict.
    fn application(&self) -> Result<Vec<Tests<'a>>, String> {
        let passes: Vec<&Pass> =
            self.passes.iter().filter(|pass| pass.against == Against::Application).collect();
        if passes.is_empty() {
            return Err("no test was run".to_owned());
        }
        let readable = passes.iter().map(|pass| {
            tests_of(pass).ok_or_else(|| match &pass.ran {
                RanTests::ServerEnded { server, .. } => {
                    format!("the server {server} ended in pass {}, before all tests had run", pass.number)
                }
                _ => format!("pass {} left no readable report", pass.number),
            })
        });
        let readable = readable.collect::<Result<Vec<_>, _>>()?;
        if (readable.len() as u64) < u64::from(self.repeat) {
            let wanted = count(self.repeat.into(), "pass", "passes");
            return Err(format!("the tests ran only {} of {wanted}", readable.len()));
        }
        Ok(readable)
    }

    fn criterion(&self, criterion: &Criterion, application: &Result<Vec<Tests<'a>>, String>) -> Judged {
        let checks: Vec<JudgedCheck> =
            self.checks.iter().filter(|check| check.criteria.contains(&criterion.id)).cloned().collect();
        if let Some(test) = self.crashed(&criterion.id) {
            let reason = test.reason.clone();
            let (verdict, tests) = (Verdict::NotMet, vec![test]);
            return Judged { verdict, tests, checks, ..Judged::untested(criterion, reason) };
        }
        let untestable = self.suite.and_then(|suite| suite.untestable(&criterion.id));
        let passes = match application {
            Ok(passes) => passes.as_slice(),
            // If tests of it were written, a command doesn't replace them.
            Err(_) if untestable.is_some() && !checks.is_empty() => &[],
            Err(reason) => return Judged { checks, ..Judged::untested(criterion, reason.clone()) },
        };
        let mut tests: Vec<JudgedTest> = Vec::new();
        for test in
            passes.iter().flat_map(|pass| pass.iter()).filter(|test| self.decides(test, &criterion.id))
        {
            if !tests.iter().any(|known| known.is_of(test)) {
                tests.push(self.test(test, passes));
            }
        }
        for name in self.own.iter().flat_map(|own| own.of(&criterion.id)).filter(|_| application.is_ok()) {
            let (file, title) = (name.file.clone(), name.title.clone());
            if !tests
                .iter()
                .any(|test| test.whose == Whose::Project && (&test.file, &test.title) == (&file, &title))
            {
                let reason = "the test did not run in every pass".to_owned();
                tests.push(JudgedTest {
                    whose: Whose::Project,
                    file,
                    title,
                    verdict: Verdict::Untested,
                    reason,
                });
            }
        }
        let by_tests = tests.iter().map(|test| (test.verdict, test.reason.clone()));
        let by_checks = checks.iter().map(|check| (check.verdict.of_criterion(), by_check(check)));
        let all: Vec<(Verdict, String)> = by_tests.chain(by_checks).collect();
        let of = |verdict: Verdict| all.iter().find(|(one, _)| *one == verdict).cloned();
        // One of several tests may be missing; if a command decides as well, every test must have been observed.
        let last = if checks.is_empty() {
            [Verdict::Met, Verdict::Untested]
        } else {
            [Verdict::Untested, Verdict::Met]
        };
        let mut worst =
            [Verdict::NotMet, Verdict::Flaky, Verdict::Hollow, Verdict::Unproven].into_iter().chain(last);
        let Some((verdict, reason)) = worst.find_map(of) else {
            let reason = untestable.map_or_else(
                || "no test covers this criterion".to_owned(),
                |why| {
                    format!(
                        "the tester says that no browser test can show whether this criterion is met: {}",
                        visible::line(why)
                    )
                },
            );
            return Judged::untested(criterion, reason);
        };
        Judged { verdict, reason, tests, checks, ..Judged::untested(criterion, String::new()) }
    }

    /// The test of a criterion during which a server ended.
    fn crashed(&self, criterion: &str) -> Option<JudgedTest> {
        self.passes.iter().filter_map(crash::under_test).find_map(|(test, reason)| {
            let (file, title) = (&test.file, &test.title);
            let decides = match test.whose {
                Whose::Written => test.tags.contains(&tag(criterion)),
                Whose::Project => self.own.is_some_and(|own| {
                    own.of(criterion).any(|name| (&name.file, &name.title) == (file, title))
                }),
            };
            let (file, title) = (file.clone(), title.clone());
            let verdict = Verdict::NotMet;
            decides.then_some(JudgedTest { whose: test.whose, file, title, verdict, reason })
        })
    }

    fn test(&self, test: &TestSeen, passes: &[Tests<'a>]) -> JudgedTest {
        let evasion = passes
            .iter()
            .flat_map(|pass| same(pass, test))
            .find_map(|one| Evasion::of(one, self.ports))
            .map(|evasion| evasion.words());
        // What the project's own tests do is the user's choice: it is only named.
        let (fault, note) = match test.whose {
            Whose::Written => (evasion, None),
            Whose::Project => (None, evasion),
        };
        let (verdict, reason) = self.weighed(test, passes, fault);
        let first = same(passes.first().copied().unwrap_or_default(), test);
        let tried = first.first().map(|one| property::tried(&one.rules));
        // What else is wrong with a test says more than how many inputs it tried.
        let is_sound = matches!(verdict, Verdict::Met | Verdict::Unproven);
        let tried = tried.filter(|tried| !tried.is_empty() && is_sound);
        let besides = [tried, note, self.shared(test)];
        let reason = iter::once(reason).chain(besides.into_iter().flatten()).collect::<Vec<_>>().join("; ");
        let (file, title) = (test.file.clone(), test.title.clone());
        JudgedTest { whose: test.whose, file, title, verdict, reason }
    }

    /// Whether a test is one of those that decide a criterion.
    fn decides(&self, test: &TestSeen, criterion: &str) -> bool {
        match test.whose {
            Whose::Written => test.tags.contains(&tag(criterion)),
            Whose::Project => self.own.is_some_and(|own| own.of(criterion).any(|name| name.is_of(test))),
        }
    }

    /// `evasion`: how a test that may not do so tests something other than the application.
    fn weighed(&self, test: &TestSeen, passes: &[Tests<'a>], evasion: Option<String>) -> (Verdict, String) {
        let seen: Vec<Vec<&TestSeen>> = passes.iter().map(|pass| same(pass, test)).collect();
        let all = || seen.iter().flatten().copied();
        let untested = |reason: &str| (Verdict::Untested, reason.to_owned());
        if seen.iter().any(Vec::is_empty) {
            return untested("the test did not run in every pass");
        }
        if all().any(|one| one.status == TestStatus::Skipped) {
            return untested("the test was skipped");
        }
        if all().any(|one| one.status == TestStatus::Interrupted) {
            return untested("the test was interrupted");
        }
        // The test chose its inputs badly: that says nothing about the application.
        if let Some(said) = all().find_map(|one| Said::of(&one.error).filter(Said::is_rejected)) {
            return (Verdict::Hollow, said.words());
        }
        if all().any(|one| one.status == TestStatus::Passed && one.rules.iter().any(|rule| rule.inputs == 0))
        {
            return (Verdict::Hollow, "the test tried a rule without any input".to_owned());
        }
        let failed = all().filter(|one| one.status != TestStatus::Passed).count();
        if failed == all().count() {
            return (Verdict::NotMet, failure(all()));
        }
        if failed > 0 {
            let times = |number: usize| count(number as u64, "time", "times");
            let (good, bad) = (times(all().count() - failed), times(failed));
            let reason = format!("the test passed {good} and failed {bad}: {}", failure(all()));
            return (Verdict::Flaky, reason);
        }
        if all().any(|one| one.expects == 0) {
            return (Verdict::Hollow, "the test asserts nothing".to_owned());
        }
        if all().any(|one| one.caught > 0) {
            return (
                Verdict::Hollow,
                "an assertion in the test failed, but the test passed anyway".to_owned(),
            );
        }
        match evasion {
            Some(evasion) => (Verdict::Hollow, evasion),
            None => self.controlled(test),
        }
    }

    /// That a test decides several criteria at once, which says little about each of them.
    fn shared(&self, test: &TestSeen) -> Option<String> {
        let decided: Vec<&str> =
            self.criteria.iter().map(|one| one.id.as_str()).filter(|id| self.decides(test, id)).collect();
        (decided.len() > 1)
            .then(|| format!("the test decides several criteria at once: {}", decided.join(", ")))
    }

    /// What the negative control shows about a test that passed.
    fn controlled(&self, test: &TestSeen) -> (Verdict, String) {
        let mut gap = None;
        for counterfeit in self.control {
            let against = Against::from(*counterfeit);
            // In the live control, every test runs in the first pass.
            let mut passes = self.passes.iter().rev().filter(|pass| pass.against == against);
            let pass = passes.find(|pass| against != Against::Live || pass.number == first_live(self.passes));
            let Some(tests) = pass.and_then(tests_of) else {
                gap.get_or_insert_with(|| match pass.map(|pass| &pass.ran) {
                    Some(RanTests::ServerEnded { server, .. }) => {
                        format!("the server {server} ended during the negative control")
                    }
                    _ => "the negative control did not run".to_owned(),
                });
                continue;
            };
            let seen = same(tests, test);
            let is_passed = seen.iter().any(|one| one.status == TestStatus::Passed);
            if is_passed && against != Against::Live {
                return (Verdict::Hollow, format!("the test also passes against {}", words(against)));
            }
            let fell = |one: &&TestSeen| matches!(one.status, TestStatus::Failed | TestStatus::TimedOut);
            if seen.is_empty() || !(is_passed || seen.iter().all(fell)) {
                gap.get_or_insert_with(|| format!("the test was not run against {}", words(against)));
            }
        }
        match gap {
            Some(gap) => (Verdict::Untested, gap),
            // Settings have at least one counterfeit; without any, nothing could have come out otherwise.
            None if self.control.is_empty() => {
                (Verdict::Untested, "the negative control did not run".to_owned())
            }
            None => self.proven(test),
        }
    }

    /// The enabled counterfeits, in words.
    fn counterfeits(&self) -> String {
        let all: Vec<&str> = self.control.iter().map(|one| words(Against::from(*one))).collect();
        match all.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
            _ => all.concat(),
        }
    }

    /// Whether an assertion of a test that passed was seen to fail.
    fn proven(&self, test: &TestSeen) -> (Verdict, String) {
        let control = Control::of(self.passes, test);
        if !control.is_observed() {
            return (Verdict::Met, format!("the test passed, and failed against {}", self.counterfeits()));
        }
        if let Some((pass, title)) = control.refutation() {
            let against = control.words_of(pass);
            return (
                Verdict::Met,
                format!(
                    "the test passed, and its assertion {} failed against {against}, as it should",
                    assertion(title)
                ),
            );
        }
        if let Belief::Indifferent(lie) = control.belief() {
            return (Verdict::Hollow, format!("the test also passes against {}", lie.words()));
        }
        let end = control.end();
        if self.control.contains(&Counterfeit::Live) {
            return (Verdict::Unproven, end);
        }
        (
            Verdict::Unproven,
            format!("{end}; tests get further if `control` in the settings includes \"live\""),
        )
    }
}

/// The number of the pass of the live counterfeit in which all tests run: the one of the fitting lies, which older runs don't have.
fn first_live(passes: &[Pass]) -> u32 {
    let is_fitting = |pass: &Pass| pass.against == Against::Live && pass.number == FITTING;
    if passes.iter().any(is_fitting) { FITTING } else { 1 }
}

/// The tests that have to run in a pass of the live counterfeit: in the first pass all that passed and assert something, in a later
/// pass those of them without a failed assertion so far, unless they have met its lie. Other words show nothing more about a test that
/// passes regardless of them, and other names nothing about one that other words have stopped.
pub(super) fn unsettled(passes: &[Pass], number: u32) -> Vec<&TestSeen> {
    let is_first = number == FITTING || number == first_live(passes);
    let application =
        || passes.iter().filter(|pass| pass.against == Against::Application).filter_map(tests_of);
    let first = application().next().unwrap_or_default();
    let holds = |test: &&TestSeen| {
        test.expects > 0
            && application().all(|pass| {
                let seen = same(pass, test);
                !seen.is_empty() && seen.iter().all(|one| one.status == TestStatus::Passed && one.caught == 0)
            })
    };
    let is_open = |test: &&TestSeen| {
        let control = Control::of(passes, test);
        let is_hollow = control
            .seen
            .iter()
            .any(|(pass, one)| pass.against != Against::Live && one.status == TestStatus::Passed);
        let shows_more = match Lie::of(number) {
            Some(Lie::Words) => control.belief() == Belief::Unknown,
            Some(Lie::Names) => matches!(control.belief(), Belief::Indifferent(_)),
            _ => true,
        };
        let is_open = || {
            let is_met = control.lies().any(|(lie, _)| Some(lie) == Lie::of(number));
            shows_more && !is_met && control.refutation().is_none()
        };
        !is_hollow && (is_first || is_open())
    };
    first.iter().filter(holds).filter(is_open).collect()
}

/// A test's results against the counterfeits.
struct Control<'a> {
    /// Its result in the first pass against the application.
    test: &'a TestSeen,
    seen: Vec<(&'a Pass, &'a TestSeen)>,
}

impl<'a> Control<'a> {
    fn of(passes: &'a [Pass], test: &'a TestSeen) -> Self {
        let of = |pass: &'a Pass| tests_of(pass).unwrap_or_default().iter().map(move |one| (pass, one));
        let control = passes.iter().filter(|pass| pass.against != Against::Application);
        Self { test, seen: control.flat_map(of).filter(|(_, one)| one.is_same(test)).collect() }
    }

    /// Whether steps were recorded at all: older journals don't have them.
    fn is_observed(&self) -> bool {
        self.seen.iter().any(|(_, one)| one.trail.is_some())
    }

    /// The lie that it met in a pass of the live counterfeit.
    fn lie_in(&self, pass: &Pass) -> Option<Lie> {
        lie_in(pass.number, self.test).filter(|_| pass.against == Against::Live)
    }

    /// The lies that it met, each with its result.
    fn lies(&self) -> impl Iterator<Item = (Lie, &'a TestSeen)> {
        self.seen.iter().filter_map(|(pass, one)| Some((self.lie_in(pass)?, *one)))
    }

    /// What it ran against in a pass, in words.
    fn words_of(&self, pass: &Pass) -> &'static str {
        self.lie_in(pass).map_or_else(|| words(pass.against), Lie::words)
    }

    /// What other words do to it.
    fn belief(&self) -> Belief {
        let indifferent =
            self.lies().find(|(lie, one)| lie.changes_words() && one.status == TestStatus::Passed);
        if let Some((lie, _)) = indifferent {
            return Belief::Indifferent(lie);
        }
        let has_met = |wanted: fn(Lie) -> bool| self.lies().any(|(lie, _)| wanted(lie));
        // Older runs begin with words.
        let is_known = has_met(|lie| lie == Lie::Words) || !self.has_met_fitting();
        if is_known { Belief::Stopped } else { Belief::Unknown }
    }

    fn has_met_fitting(&self) -> bool {
        self.seen.iter().any(|(pass, _)| pass.against == Against::Live && pass.number == FITTING)
    }

    /// The assertion that ran and failed, and where.
    ///
    /// An assertion before the test acts proves nothing about what the test does later: unless other words alone are known to stop the
    /// test, such an assertion decides nothing. It counts under [`Lie::Both`], though: if other words made it fail, they alone stop the
    /// test, and if the writes that had no effect did, it counts under [`Lie::Deaf`], too. So no order of the lies lets an assertion
    /// count that wouldn't count if the test met one lie after another, beginning with words.
    fn refutation(&self) -> Option<(&'a Pass, &'a str)> {
        let is_stopped = self.belief() == Belief::Stopped;
        let settled = if is_stopped { 0 } else { before_acting(self.test) };
        let counts = |pass: &Pass| {
            // In a frozen copy nothing happens after an action, so an assertion that fails there depends on what the application does.
            let is_dead = pass.against == Against::Frozen && ends_on_page(self.test);
            is_stopped || is_dead || self.lie_in(pass).is_some_and(|lie| lie != Lie::Words)
        };
        let settled_in = |pass: &Pass| match self.lie_in(pass) {
            Some(Lie::Deaf | Lie::Elsewhere | Lie::Both) => 0,
            _ => settled,
        };
        self.seen.iter().rev().filter(|(pass, _)| counts(pass)).find_map(|(pass, one)| {
            let (title, before) = failed_assertion(one)?;
            (before >= settled_in(pass)).then_some((*pass, title))
        })
    }

    /// How far it got, if no assertion failed.
    fn end(&self) -> String {
        let last = self.seen.iter().rev().find(|(_, one)| one.trail.is_some());
        let Some((pass, one)) = last else {
            return "no assertion of the test failed against a counterfeit".to_owned();
        };
        let steps = one.trail.as_deref().unwrap_or_default();
        let at = steps.iter().find(|step| !step.error.is_empty()).or_else(|| steps.last());
        let title = at.map_or("its beginning", |step| step.title.as_str());
        let why = at.map(|step| reason(&step.error)).filter(|why| !why.is_empty());
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        format!(
            "no assertion of the test failed against any counterfeit: against {} it ended at {}{why}",
            self.words_of(pass),
            visible::line(title)
        )
    }
}

/// What other words do to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belief {
    /// It has not met them yet, or something else stopped it as well.
    Unknown,
    /// It passes all the same, against this lie.
    Indifferent(Lie),
    /// They stop it.
    Stopped,
}

/// The assertion that failed a test, and how many had run before it. A timeout proves nothing.
fn failed_assertion(test: &TestSeen) -> Option<(&str, usize)> {
    let mut before = 0;
    for step in test.trail.iter().flatten().filter(|_| test.status == TestStatus::Failed) {
        match (step.kind, step.error.is_empty()) {
            (StepKind::Expect, false) => return Some((&step.title, before)),
            (StepKind::Expect, true) => before += 1,
            (StepKind::Call, _) => {}
        }
    }
    None
}

/// What is asserted, from Playwright's title: `Expect "toBeVisible"`, and `expect.toBeVisible` in older versions.
fn assertion(title: &str) -> String {
    let its = title.strip_prefix("Expect ").or_else(|| title.strip_prefix("expect.")).unwrap_or(title);
    visible::line(&its.replace('"', ""))
}

/// Why a check decides as it does.
fn by_check(JudgedCheck { id, verdict, reason, .. }: &JudgedCheck) -> String {
    match verdict {
        // No counterfeit can replace a command, and the reader should know it.
        CheckVerdict::Passed => {
            format!("the command {id} passed each time, {reason}; a command has no negative control")
        }
        _ => format!("the command {id}: {reason}"),
    }
}

/// What tests are run against, in words.
pub(super) fn words(against: Against) -> &'static str {
    match against {
        Against::Application => "the application",
        Against::Nothing => "a closed port",
        Against::Blank => "an empty page",
        Against::Frozen => "a copy of the start page",
        Against::Live => "the live counterfeit",
    }
}

/// The same for a test in a pass of the live counterfeit. `passes`: those in which it ran.
pub(super) fn words_for(passes: &[Pass], pass: &Pass, test: &TestSeen) -> &'static str {
    let first = passes.iter().filter(|pass| pass.against == Against::Application).find_map(tests_of);
    let first = first.and_then(|tests| tests.iter().find(|one| one.is_same(test)));
    let lie = first.and_then(|first| lie_in(pass.number, first)).filter(|_| pass.against == Against::Live);
    lie.map_or_else(|| pass_words(pass.against, pass.number), Lie::words)
}

/// The same for the pass with this number.
pub(super) fn pass_words(against: Against, number: u32) -> &'static str {
    let lie = Lie::of(number).filter(|_| against == Against::Live);
    lie.map_or_else(|| words(against), Lie::words)
}

/// The tests of a pass; `None` when its report can't be read.
fn tests_of(pass: &Pass) -> Option<&[TestSeen]> {
    match &pass.ran {
        RanTests::Report { tests } => Some(tests),
        _ => None,
    }
}

/// The results of this test in a pass.
fn same<'a>(pass: &'a [TestSeen], test: &TestSeen) -> Vec<&'a TestSeen> {
    pass.iter().filter(|one| one.is_same(test)).collect()
}

/// Why a test failed, in a line.
fn failure<'a>(mut seen: impl Iterator<Item = &'a TestSeen>) -> String {
    let failed = seen.find(|one| one.status != TestStatus::Passed);
    let is_cut = failed.is_some_and(|one| one.rules.iter().any(|rule| rule.interrupted && rule.inputs > 0));
    let cut = if is_cut { "; the test's time ran out before smaller inputs were tried" } else { "" };
    let wording = failed.map(|one| reason(&one.error));
    match (wording.filter(|wording| !wording.is_empty()), failed.map(|one| one.status)) {
        (Some(wording), _) => wording + cut,
        (None, Some(TestStatus::TimedOut)) => "the test took too long".to_owned(),
        (None, _) => "the test failed without a message".to_owned(),
    }
}
