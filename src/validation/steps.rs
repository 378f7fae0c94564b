//! What follows from an effect's answer: the tests are fixed or listed, servers are ready or not, one pass follows another.

use super::checks::{CheckRun, output};
use super::crash;
use super::fitting::lie_in;
use super::live;
use super::own::Own;
use super::patience::Patience;
use super::protocol::{
    Against, Effect, EvidenceFile, Listed, ListedTest, Live, LookedAt, Noted, Obstacle, OwnTests, ProcessEnd,
    RanTests, ServerFault, ServerStarted, Sources, TestLie, TestName, TestSeen, Whose,
};
use super::session::{Commands, Pass, Phase, Session, Step};
use super::settings::{
    CheckSettings, Counterfeit, Port, SETTINGS_FILE, ServerSettings, TestsSettings, ValidationSettings,
};
use super::sight;
use super::stage::{Stage, StageFault};
use super::suite::{Suite, tag};
use super::verdict::{self, words};
use crate::shared::figures::count;
use crate::shared::ran::Ran;
use crate::shared::schema::quote;
use design_lab_numerics::sorting::set;
use kernel::clock::span;
use kernel::drive;
use kernel::protocol::Tone;
use kernel::visible;

/// How often the tester may be asked to fix tests.
const FIXES: u32 = 3;
/// Milliseconds that a run of tests may take in addition to its tests: a browser starts, a report is written.
const BESIDE_MS: u64 = 60_000;
/// How much of Playwright's message is sent to the tester, in characters.
const SAID: usize = 4_000;

impl Session {
    // ---- the tests ----

    /// Keeps the tester's suite; [`Self::advance_stage`](Session) lists it.
    pub(super) fn take_suite(&mut self, suite: Suite) {
        let before = self.suite.iter().flat_map(Suite::paths).collect::<Vec<_>>();
        self.dropped.extend(before);
        for path in suite.paths() {
            self.dropped.remove(&path);
        }
        self.suite = Some(suite);
        self.prep.step = Step::Listing;
    }

    fn files(&self) -> Vec<String> {
        self.suite.as_ref().map(Suite::paths).unwrap_or_default()
    }

    pub(super) fn list_tests(&mut self, commands: &mut Commands) {
        let files = self.files();
        let further = self.settings.checks.iter().any(|check| !check.criteria.is_empty());
        if files.is_empty() && (further || self.own().is_some()) {
            self.listed = 0;
            self.enter(Stage::Checks, commands);
            return;
        }
        if files.is_empty() && self.opening.repeat.is_some() {
            return self.fail(nothing_left(), commands);
        }
        if files.is_empty() {
            let message = "The tester says that no browser test can decide any of the criteria.".to_owned();
            let next = "Write criteria whose result a user can see, then validate again.".to_owned();
            self.fail(StageFault { message, next }, commands);
            return;
        }
        self.begin(|effect| Effect::ListTests { effect, files }, commands);
    }

    /// The project's own tests that are to run.
    fn own(&self) -> Option<OwnTests> {
        self.own.as_ref().and_then(Own::to_run)
    }

    /// Lists the project's own tests before any is written: the criteria that they decide need no other tests.
    pub(super) fn list_own_tests(&mut self, commands: &mut Commands) {
        if let Some(TestsSettings { directory, .. }) = self.settings.tests.clone() {
            self.begin(|effect| Effect::ListOwnTests { effect, directory }, commands);
        }
    }

    pub(super) fn tests_listed(&mut self, effect: u32, listed: Listed, commands: &mut Commands) {
        let is_listing =
            |effect: &Effect| matches!(effect, Effect::ListTests { .. } | Effect::ListOwnTests { .. });
        match self.answered(effect, is_listing) {
            None => {}
            Some(Effect::ListOwnTests { directory, .. }) => self.own_listed(&directory, listed, commands),
            Some(_) => self.written_listed(listed, commands),
        }
    }

    fn own_listed(&mut self, directory: &str, listed: Listed, commands: &mut Commands) {
        let own = match (listed, &self.settings.tests) {
            (Listed::Tests { tests }, Some(settings)) => Own::new(settings, &self.criteria(), &tests)
                .map_err(|unfit| {
                    (
                        format!("No test in {directory} matches `tests.map` in {SETTINGS_FILE}: {unfit}."),
                        "Correct `tests.map`",
                    )
                }),
            // They were removed from the settings meanwhile.
            (Listed::Tests { .. }, None) => return self.enter(Stage::TestPrep, commands),
            (Listed::Unreadable { message }, _) => Err((
                format!("The project's own tests in {directory} can't be read: {}", shortened(&message)),
                "Fix them, or set `tests.directory` to another directory",
            )),
            (Listed::Impossible { obstacle }, _) => return self.fail(missing(&obstacle), commands),
        };
        match own {
            Ok(own) => {
                self.own = Some(own);
                self.enter(Stage::TestPrep, commands);
            }
            Err((message, remedy)) => {
                let next = format!("{remedy}, then continue with /validate-resume.");
                self.fail(StageFault { message, next }, commands);
            }
        }
    }

    fn written_listed(&mut self, listed: Listed, commands: &mut Commands) {
        match listed {
            Listed::Tests { tests } => {
                self.listed = u32::try_from(tests.len()).unwrap_or(u32::MAX);
                let fault = self.fault_of_listed(&tests);
                let is_readable = !tests.is_empty();
                match fault {
                    Some(fault) if !is_readable || self.may_fix() => self.fix(fault, commands),
                    // What is still missing is untested, and reported as such.
                    _ => self.enter(Stage::Checks, commands),
                }
            }
            Listed::Unreadable { message } => {
                let wording: String = message.chars().take(SAID).collect();
                self.fix(format!("Playwright can't read these tests:\n\n{wording}"), commands);
            }
            Listed::Impossible { obstacle } => self.fail(missing(&obstacle), commands),
        }
    }

    /// What is wrong with the tags of the tests.
    fn fault_of_listed(&self, tests: &[ListedTest]) -> Option<String> {
        if tests.is_empty() {
            return Some("Playwright finds no test in these files.".to_owned());
        }
        let suite = self.suite.as_ref()?;
        let is_named = |tag: &String| tests.iter().any(|test| test.tags.contains(tag));
        let criteria = self.criteria();
        let missing: Vec<String> = criteria
            .iter()
            .filter(|criterion| suite.untestable(&criterion.id).is_none())
            .filter(|criterion| self.own.as_ref().is_none_or(|own| own.of(&criterion.id).next().is_none()))
            .map(|criterion| tag(&criterion.id))
            .filter(|tag| !is_named(tag))
            .collect();
        if !missing.is_empty() {
            return Some(format!(
                "Playwright lists no test with these tags, although the files contain them: {}. Write a tag \
                 as `{{ tag: \"@C1\" }}` after the title of the test.",
                missing.join(", ")
            ));
        }
        if !self.opening.acceptance.want_single_criteria() {
            return None;
        }
        let tags: Vec<String> = criteria.iter().map(|criterion| tag(&criterion.id)).collect();
        let several = |test: &&ListedTest| tags.iter().filter(|tag| test.tags.contains(tag)).count() > 1;
        let titles: Vec<String> =
            tests.iter().filter(several).map(|test| quote(&visible::line(&test.title))).collect();
        (!titles.is_empty()).then(|| {
            let titles = titles.join(", ");
            format!(
                "Write a separate test for each criterion. These tests have the tags of several criteria: \
                 {titles}."
            )
        })
    }

    /// Whether the tester may be asked again to fix the tests.
    fn may_fix(&self) -> bool {
        self.prep.fixes < FIXES && self.opening.repeat.is_none()
    }

    fn fix(&mut self, fault: String, commands: &mut Commands) {
        if self.opening.repeat.is_some() {
            let message = format!("The tests can no longer be read: {}", shortened(&fault));
            return self.fail(StageFault { message, ..nothing_left() }, commands);
        }
        if self.prep.fixes >= FIXES {
            let tries = count(FIXES.into(), "time", "times");
            let first = shortened(&fault);
            let message =
                format!("The tester fixed the tests {tries}, but they still can't be used: {first}");
            let next = "/validate-resume asks the tester to fix the tests again. To use another model, first \
                        set `models.tester`.";
            self.prep.fault = fault;
            self.prep.step = Step::Writing;
            self.fail(StageFault { message, next: next.to_owned() }, commands);
            return;
        }
        self.prep.fixes += 1;
        self.prep.fault = fault;
        self.prep.step = Step::Writing;
        let tester = &self.opening.models.tester;
        commands.push(drive::notice(Tone::Info, format!("{tester} fixes the tests")));
    }

    // ---- the checks ----

    /// The next run of a check's command, or the next stage.
    pub(super) fn check_next(&mut self, commands: &mut Commands) {
        let ValidationSettings { checks, repeat, .. } = &self.settings;
        self.checked.retain(|run| checks.iter().any(|check| check.runs_like(&run.check)));
        let due = |check: &CheckSettings| Some((check.clone(), check.next(&self.checked, *repeat)?));
        let next = checks.iter().find_map(due);
        self.again.checks_due &= next.is_some();
        match next {
            Some((check, pass)) => {
                let output = output(&check.id, pass);
                self.begin(|effect| Effect::RunCheck { effect, check, pass, output }, commands);
            }
            // Without a test, nothing needs a server.
            None if self.files().is_empty() && self.own().is_none() => {
                self.enter(Stage::SafeTeardown, commands);
            }
            None => self.enter(Stage::ServersStart, commands),
        }
    }

    pub(super) fn check_ran(&mut self, effect: u32, ran: Ran, commands: &mut Commands) {
        let is_run = |effect: &Effect| matches!(effect, Effect::RunCheck { .. });
        let Some(Effect::RunCheck { check, pass, output, .. }) = self.answered(effect, is_run) else {
            return;
        };
        self.checked.push(CheckRun { check, number: pass, output, ran });
        self.check_next(commands);
    }

    // ---- the servers ----

    pub(super) fn servers_started(
        &mut self,
        effect: u32,
        servers: Vec<ServerStarted>,
        sources: Option<Sources>,
        commands: &mut Commands,
    ) {
        let is_start = |effect: &Effect| matches!(effect, Effect::StartServers { .. });
        let Some(Effect::StartServers { servers: wanted, .. }) = self.answered(effect, is_start) else {
            return;
        };
        let all = wanted.len() == servers.len()
            && wanted.iter().zip(&servers).all(|(wanted, started)| wanted.name == started.name);
        self.ports.extend(servers.iter().map(|server| server.port));
        if all && self.phase == Phase::At(Stage::NegativeControl) {
            self.is_afresh = true;
            self.run_next(commands);
        } else if all {
            self.servers = servers;
            self.sources = sources;
            self.enter(Stage::TestExecute, commands);
        } else {
            let message = "The started servers are not the ones that the settings name.".to_owned();
            let next = "Continue with /validate-resume.".to_owned();
            self.fail(StageFault { message, next }, commands);
        }
    }

    pub(super) fn server_failed(
        &mut self,
        effect: u32,
        server: &str,
        fault: &ServerFault,
        tail: &str,
        commands: &mut Commands,
    ) {
        if self.answered(effect, |effect| matches!(effect, Effect::StartServers { .. })).is_some() {
            self.fail(not_ready(server, fault, tail), commands);
        }
    }

    // ---- the passes ----

    /// The next pass of the stage, or the next stage.
    pub(super) fn run_next(&mut self, commands: &mut Commands) {
        let made = |against: Against| self.passes.iter().filter(|pass| pass.against == against).count();
        let done = u32::try_from(made(Against::Application)).unwrap_or(u32::MAX);
        let next = match self.phase {
            Phase::At(Stage::TestExecute) if done < self.settings.repeat => {
                Some((Against::Application, done + 1))
            }
            Phase::At(Stage::NegativeControl) => {
                let mut control = self.settings.control.iter().map(|one| Against::from(*one));
                let next = control.find(|one| *one != Against::Live && made(*one) == 0);
                // It needs the application, which the others replace: it comes last.
                next.map(|against| (against, 1)).or_else(|| Some((Against::Live, self.next_lie()?)))
            }
            _ => None,
        };
        let Some((against, pass)) = next else {
            if self.phase == Phase::At(Stage::TestExecute) && self.looks() {
                self.look_at_pages(commands);
                return;
            }
            let then = if self.phase == Phase::At(Stage::TestExecute) {
                Stage::NegativeControl
            } else {
                Stage::SafeTeardown
            };
            self.enter(then, commands);
            return;
        };
        if against == Against::Live && !self.is_afresh {
            let servers = self.servers_as_before();
            self.begin(|effect| Effect::StartServers { effect, servers }, commands);
            return;
        }
        let (mut files, mut own, mut only) = (self.files(), self.own(), None);
        let (mut live, mut lies) = (None, Vec::new());
        if against == Against::Live {
            let tests = self.unsettled(pass);
            (live, lies) = self.lies_of(pass, &tests);
            let of = |whose: Whose| tests.iter().copied().filter(move |test| test.whose == whose);
            let named = |test: &TestSeen| TestName { file: test.file.clone(), title: test.title.clone() };
            let written: Vec<TestName> = of(Whose::Written).map(named).collect();
            files.retain(|file| written.iter().any(|test| &test.file == file));
            let theirs: Vec<TestName> = of(Whose::Project).map(named).collect();
            own = own.filter(|_| !theirs.is_empty()).map(|own| OwnTests { tests: theirs, ..own });
            only = Some(written);
        }
        let (since, rule_seed) = (self.first_tree(), self.opening.rule_seed);
        let base_url = self.servers.first().map(|server| server.url.clone()).unwrap_or_default();
        let others = self.servers.iter().skip(1).map(|server| server.url.clone()).collect();
        let Patience { test: test_ms, action: wait_ms, assertion: assert_ms, each: waits } =
            Patience::of(against, &self.passes, self.settings.test_ms);
        // Each file of the project's own starts Playwright again.
        let own_files = set(own.iter().flat_map(|own| &own.tests).map(|test| &test.file)).len();
        let beside_ms = BESIDE_MS.saturating_mul(1 + own_files as u64);
        let timeout_ms = test_ms.saturating_mul(self.number_of_tests()).saturating_add(beside_ms);
        let video = self.settings.video && against == Against::Application && pass == 1;
        self.is_afresh = false;
        self.begin(
            |effect| Effect::RunTests {
                effect,
                against,
                pass,
                files,
                own,
                only,
                live,
                lies,
                rule_seed,
                video,
                since,
                base_url,
                others,
                test_ms,
                wait_ms,
                assert_ms,
                waits,
                timeout_ms,
            },
            commands,
        );
    }

    /// The next pass of the live counterfeit in which any test has to run.
    fn next_lie(&self) -> Option<u32> {
        if !self.settings.control.contains(&Counterfeit::Live) {
            return None;
        }
        let is_made = |number: u32| {
            self.passes.iter().any(|pass| pass.against == Against::Live && pass.number == number)
        };
        self.opening.lies.passes().find(|pass| !is_made(*pass) && !self.unsettled(*pass).is_empty())
    }

    /// The lie of a pass of the live counterfeit, and that of each test if they meet different ones. `None` without tests.
    fn lies_of(&self, pass: u32, tests: &[&TestSeen]) -> (Option<Live>, Vec<TestLie>) {
        let each: Vec<TestLie> = tests
            .iter()
            .filter_map(|test| {
                let (whose, file, title) = (test.whose, test.file.clone(), test.title.clone());
                Some(TestLie { whose, file, title, lie: lie_in(pass, test)? })
            })
            .collect();
        let Some(lie) = each.first().map(|one| one.lie) else { return (None, Vec::new()) };
        let seed = self.opening.seed.wrapping_add(pass.into()) % (1 << 53);
        let is_one = each.iter().all(|one| one.lie == lie);
        (Some(Live { lie, seed }), if is_one { Vec::new() } else { each })
    }

    /// The tests that have to run in a pass of the live counterfeit.
    fn unsettled(&self, pass: u32) -> Vec<&TestSeen> {
        verdict::unsettled(&self.passes, pass)
    }

    /// The servers, at the ports that they had.
    fn servers_as_before(&self) -> Vec<ServerSettings> {
        let mut servers = self.settings.servers.clone();
        for server in &mut servers {
            if let Some(before) = self.servers.iter().find(|started| started.name == server.name) {
                server.port = Port::Number(before.port);
            }
        }
        servers
    }

    pub(super) fn test_began(&mut self, effect: u32, test: u32, of: u32) {
        self.far = Some((effect, test, of));
    }

    pub(super) fn tests_ran(
        &mut self,
        effect: u32,
        (ran, duration_ms, noted): (RanTests, u64, Noted),
        commands: &mut Commands,
    ) {
        let is_run = |effect: &Effect| matches!(effect, Effect::RunTests { .. });
        let Some(Effect::RunTests { against, pass, .. }) = self.answered(effect, is_run) else { return };
        let fault = crash::fault(&ran, against, pass).or_else(|| unreadable(&ran, against));
        let files = self.seen.take().filter(|(of, _)| *of == effect).map(|(_, files)| files);
        self.ports.extend(&noted.ports);
        // Another lie can use the same servers if this one changed nothing there.
        self.is_afresh = against == Against::Live && live::is_untouched(noted.methods.as_deref());
        self.passes.push(Pass { against, number: pass, ran, duration_ms, noted, files });
        match fault {
            Some(fault) => self.fail(fault, commands),
            None => self.run_next(commands),
        }
    }

    // ---- the pages ----

    /// Whether pages have to be looked at and haven't been yet.
    fn looks(&self) -> bool {
        (self.settings.a11y || self.settings.metadata) && self.looked.is_none()
    }

    fn look_at_pages(&mut self, commands: &mut Commands) {
        let base_url = self.servers.first().map(|server| server.url.as_str()).unwrap_or_default();
        let pages = sight::pages(&self.passes, base_url);
        let (a11y, page_ms) = (self.settings.a11y, self.settings.test_ms);
        let timeout_ms = page_ms.saturating_mul(pages.len() as u64).saturating_add(BESIDE_MS);
        self.begin(|effect| Effect::LookAtPages { effect, pages, a11y, page_ms, timeout_ms }, commands);
    }

    pub(super) fn pages_seen(&mut self, effect: u32, seen: LookedAt, commands: &mut Commands) {
        if self.answered(effect, |effect| matches!(effect, Effect::LookAtPages { .. })).is_some() {
            self.looked = Some(seen);
            self.run_next(commands);
        }
    }

    // ---- the end ----

    pub(super) fn torn_down(
        &mut self,
        effect: u32,
        processes: Vec<ProcessEnd>,
        evidence: Vec<EvidenceFile>,
        commands: &mut Commands,
    ) {
        let is_end = |effect: &Effect| matches!(effect, Effect::StopServers { .. } | Effect::TearDown { .. });
        match self.answered(effect, is_end) {
            None => {}
            Some(Effect::TearDown { .. }) => {
                self.processes.extend(processes);
                self.evidence = evidence;
                self.enter(Stage::FinalReport, commands);
            }
            Some(_) => {
                self.processes.extend(processes);
                if self.phase == Phase::At(Stage::TestExecute) {
                    // Files have changed: what is tested is built and started again.
                    self.enter(Stage::Checks, commands);
                } else {
                    self.run_next(commands);
                }
            }
        }
    }

    pub(super) fn effect_failed(&mut self, effect: u32, message: &str, commands: &mut Commands) {
        if self.answered(effect, |_| true).is_some() {
            let message = format!("{}.", message.trim_end_matches('.'));
            let next = "Fix the cause, then continue with /validate-resume.".to_owned();
            self.fail(StageFault { message, next }, commands);
        }
    }
}

/// The fault when tests that were to be repeated no longer exist.
fn nothing_left() -> StageFault {
    StageFault {
        message: "No test of the earlier run is left to repeat.".to_owned(),
        next: "Type /validate with the same subject. A model then writes new tests.".to_owned(),
    }
}

/// The beginning of Playwright's message, in a line.
fn shortened(message: &str) -> String {
    visible::line(&message.chars().take(300).collect::<String>())
}

/// The fault of a missing prerequisite, with the one command that fixes it.
fn missing(obstacle: &Obstacle) -> StageFault {
    StageFault {
        message: obstacle.words().to_owned(),
        next: format!("{}. Then continue with /validate-resume.", obstacle.remedy()),
    }
}

/// Why a pass proves nothing; `None` when it has a report.
fn unreadable(ran: &RanTests, against: Against) -> Option<StageFault> {
    let against = words(against);
    let message = match ran {
        RanTests::Report { .. } | RanTests::ServerEnded { .. } => return None,
        RanTests::Impossible { obstacle } => return Some(missing(obstacle)),
        RanTests::Absent => format!("The tests against {against} left no report."),
        RanTests::Empty => format!("The tests against {against} left an empty report."),
        RanTests::Unparsable { message } => {
            let message = message.trim_end_matches('.');
            format!("The report of the tests against {against} can't be read: {message}.")
        }
        RanTests::TimedOut { after_ms } => {
            format!("The tests against {against} were stopped after {}.", span(*after_ms))
        }
    };
    let next = "Look for the cause in playwright/ of the run's directory, then continue with \
                /validate-resume. A pass that has a report doesn't run again.";
    Some(StageFault { message, next: next.to_owned() })
}

/// Why a server isn't ready.
fn not_ready(server: &str, fault: &ServerFault, tail: &str) -> StageFault {
    let who = |pid: Option<u32>, command: Option<&str>| match (pid, command) {
        (Some(pid), Some(command)) => format!(" process {pid} ({command})"),
        (Some(pid), None) => format!(" process {pid}"),
        (None, _) => " another process".to_owned(),
    };
    let log = || crash::last_lines(tail);
    let (message, next) = match fault {
        ServerFault::PortTaken { port, pid, command } => (
            format!("{server} was not started: port {port} is in use by{}.", who(*pid, command.as_deref())),
            "This run didn't start that process and left it running. Stop the process, or set `port` to \
             another number or to \"auto\". Then continue with /validate-resume.",
        ),
        ServerFault::NotStarted { message } => (
            format!("{server} could not be started: {}.", message.trim_end_matches('.')),
            "Correct the server's `command` in .opencode/validation.jsonc, then continue with \
             /validate-resume.",
        ),
        ServerFault::Died { code, signal } => (
            format!("{} before it was ready.{}", crash::ended(server, *code, signal.as_deref()), log()),
            "Read the server's log in servers/ of the run's directory, and fix the server. Then continue \
             with /validate-resume.",
        ),
        ServerFault::NotReady { after_ms, listens_on } if !listens_on.is_empty() => (
            format!(
                "{server} was not ready after {}. It listens on {} {}, not on the given port.",
                span(*after_ms),
                if listens_on.len() == 1 { "port" } else { "ports" },
                listens_on.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
            ),
            "Make the server listen on the port in the environment variable PORT, or set `port` to the one \
             that it uses. Then continue with /validate-resume.",
        ),
        ServerFault::NotReady { after_ms, .. } => (
            format!("{server} was not ready after {}.{}", span(*after_ms), log()),
            "Read the server's log in servers/ of the run's directory. If the server only needs more time, \
             raise `ready_ms`. Then continue with /validate-resume.",
        ),
        ServerFault::ForeignListener { port, pid, command } => (
            format!("{server} was started, but port {port} is in use by{}.", who(*pid, command.as_deref())),
            "This run didn't start that process and left it running. Stop the process, or set `port` to \
             another number. Then continue with /validate-resume.",
        ),
    };
    StageFault { message, next: next.to_owned() }
}
