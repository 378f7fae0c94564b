//! `report.html`: a run on one page. It shows what `FINAL-VALIDATION.json` contains, and is self-contained: it includes pictures if
//! they fit. The shell reads these once everything has ended; without them the page is complete, and notes what it lacks.

mod gone;
mod pictures;

use super::checks::{CheckVerdict, JudgedCheck};
use super::crash;
use super::failure;
use super::files::seen_in;
use super::own::Own;
use super::protocol::{GateChoice, RanTests, TestStatus};
use super::report::{self, Version};
use super::session::{Pass, Session};
use super::stage::{Stage, StageFault};
use super::status::{self, decision_word, gap_line};
use super::verdict::{Judged, JudgedTest, Verdict, pass_words, words_for};
use super::verification::Opinion;
use crate::shared::capped::capped;
use crate::shared::figures::{count, money, thousands};
use crate::shared::page::Prose;
use crate::shared::tier::Tier;
use askama::Template;
pub(super) use gone::shown;
use gone::{Gone, Journey, Link};
use kernel::clock::{iso, span};
use kernel::visible;
pub use pictures::Picture;
use pictures::{Album, Figure, Side};
pub(super) use pictures::{is_picture, is_video, wanted};

/// The page's own style sheet.
const STYLE: &str = include_str!("style.css");
/// Its SHA-256 in Base64, as the policy requires; a test keeps it correct.
const STYLE_HASH: &str = include_str!("style.sha256").trim_ascii_end();
/// The maximum length of the heading's title, in characters.
const HEADING: usize = 160;
/// The maximum number of lines of one kind on the page; all of them are in the file for programs.
const MOST: usize = 200;

/// The whole page. `pictures`: those that [`wanted`] names, if the shell has them; `None` before it has looked.
pub(super) fn page(session: &Session, pictures: Option<&[Picture]>) -> String {
    Page::new(session, pictures).render().unwrap_or_default()
}

#[derive(Template)]
#[template(path = "validation.html")]
struct Page<'a> {
    style: &'static str,
    style_hash: &'static str,
    title: String,
    /// The run in a line.
    facts: Vec<String>,
    /// Its conclusion, in a word.
    outcome: &'static str,
    sentence: String,
    /// What can be typed next, each with its effect.
    next: Vec<(String, String)>,
    to_complete: Vec<String>,
    tiers: [Tier; 4],
    criteria: Vec<Criterion>,
    checks: Vec<Check<'a>>,
    faults: Vec<(&'static str, &'a StageFault)>,
    failed: Vec<Gone<'a>>,
    has_traces: bool,
    /// The command for Playwright.
    playwright: String,
    gate: (Tier, String),
    /// Gaps of the analysis, each in a line.
    gaps: Vec<String>,
    journeys: Vec<Journey<'a>>,
    left_out: Vec<String>,
    has_videos: bool,
    stages: Vec<Row>,
    passes: Vec<Row>,
    own: Vec<String>,
    by_hand: Option<report::ByHand>,
    servers: Vec<String>,
    processes: Vec<String>,
    console: Vec<String>,
    requests: Vec<String>,
    record: Vec<(&'static str, String)>,
    notes: Vec<String>,
    text: Option<Prose>,
    evidence: Vec<(Link, String)>,
    /// Evidence that isn't listed.
    unlisted: usize,
}

/// A row of a table: the item, its state, when it began, and how long it took.
struct Row {
    what: String,
    state: String,
    time: String,
    took: String,
}

/// A criterion, with its tests and a model's opinion on it.
struct Criterion {
    id: String,
    text: String,
    verdict: &'static str,
    /// The verdict's class in the style sheet.
    class: &'static str,
    reason: String,
    tests: Vec<Test>,
    /// What the run before and this run showed for it; empty if there is nothing to compare.
    compared: Vec<Side>,
    /// The checks that decide it, each in a line.
    checks: Vec<(Tier, String)>,
    opinion: Option<String>,
}

/// A check, apart from the criteria.
struct Check<'a> {
    id: String,
    verdict: &'static str,
    /// The verdict's class in the style sheet.
    class: &'static str,
    tier: Tier,
    wording: String,
    links: Vec<Link>,
    findings: Vec<String>,
    /// The end of its command's output, if it didn't pass.
    tail: &'a str,
}

/// A test of a criterion, in each pass.
struct Test {
    title: String,
    file: String,
    /// Its anchor on the page.
    anchor: Option<usize>,
    verdict: &'static str,
    reason: String,
    /// What the page showed instead, if it failed.
    there: Option<String>,
    /// The page at that moment.
    figures: Vec<Figure>,
    runs: Vec<(String, Vec<Link>)>,
}

impl<'a> Page<'a> {
    fn new(session: &'a Session, pictures: Option<&'a [Picture]>) -> Self {
        let judged = session.judged();
        let subject = &session.opening.subject;
        let title = heading(&subject.title);
        let mut album = Album::new(session, &judged, pictures);
        let shown = shown(session);
        let mut all: Vec<Gone<'a>> = shown.iter().map(|one| Gone::new(session, one, &mut album)).collect();
        let fell = |gone: &Gone<'_>| !matches!(gone.status(), TestStatus::Passed | TestStatus::Skipped);
        let analysis = session.analysis.as_ref();
        let criteria = judged.iter().map(|one| Criterion::new(session, one, &mut all, &mut album)).collect();
        let evidence = session.evidence.iter().take(MOST);
        Self {
            style: STYLE,
            style_hash: STYLE_HASH,
            facts: facts(session),
            outcome: session.conclusion().word(),
            sentence: sentence(session, &judged),
            next: status::ways_on(session, true),
            to_complete: report::to_complete(session, &judged),
            tiers: [Tier::Observed, Tier::Person, Tier::Opinion, Tier::NotChecked],
            criteria,
            checks: session.judged_checks().iter().map(|one| Check::new(session, one)).collect(),
            faults: session
                .stages
                .iter()
                .filter_map(|(stage, record)| Some((stage.words(), record.fault.as_ref()?)))
                .collect(),
            has_traces: report::traces(session).is_none(),
            playwright: report::playwright_command(session),
            failed: all.iter().filter(|gone| fell(gone)).cloned().collect(),
            gate: gate(session),
            gaps: analysis
                .map(|analysis| analysis.sorted_gaps())
                .unwrap_or_default()
                .into_iter()
                .map(|gap| format!("{}, {}: {}", gap.severity.word(), gap.r#type.words(), gap_line(gap)))
                .collect(),
            journeys: gone::journeys(session, all),
            left_out: album.left_out(),
            has_videos: album.has_videos(),
            stages: session.its_stages().into_iter().map(|stage| Row::of_stage(session, stage)).collect(),
            passes: session.passes.iter().map(Row::of_pass).collect(),
            own: session.own.as_ref().map(Own::wording).unwrap_or_default(),
            by_hand: report::by_hand(session),
            servers: session
                .servers
                .iter()
                .map(|one| {
                    format!(
                        "{} (process {}) at {}, ready after {}",
                        one.name,
                        one.pid,
                        one.url,
                        gone::took(one.ready_after_ms)
                    )
                })
                .collect(),
            processes: session.processes.iter().map(report::process).collect(),
            console: cut(report::console_lines(session)),
            requests: cut(report::request_lines(session)),
            record: record(session),
            notes: session.report_notes(),
            text: (subject.text.trim() != title).then(|| Prose::new(&subject.text)),
            evidence: evidence
                .map(|file| (Link::to(session, &file.path, &file.path), thousands(file.bytes)))
                .collect(),
            unlisted: session.evidence.len().saturating_sub(MOST),
            title,
        }
    }
}

impl<'a> Check<'a> {
    fn new(session: &'a Session, judged: &JudgedCheck) -> Self {
        let unpassed = session.runs_of(judged).find(|run| !run.ran.passed());
        let tail = unpassed.map_or("", |run| run.ran.output.tail.as_str());
        Self {
            id: judged.id.clone(),
            verdict: judged.verdict.words(),
            class: class(judged.verdict.of_criterion()),
            tier: tier(judged),
            wording: visible::line(&report::check(session, judged)),
            links: judged.outputs.iter().map(|output| Link::to(session, output, output)).collect(),
            findings: cut(judged.findings.iter().map(|found| visible::line(found)).collect()),
            tail,
        }
    }
}

/// The tier of a check's evidence.
fn tier(judged: &JudgedCheck) -> Tier {
    if judged.verdict == CheckVerdict::NotRun { Tier::NotChecked } else { Tier::Observed }
}

impl Criterion {
    /// Takes the pictures of its failed tests out of `all`: they are shown once, with the criterion.
    fn new(session: &Session, judged: &Judged, all: &mut [Gone<'_>], album: &mut Album<'_>) -> Self {
        let opinion = session.opinion(&judged.id).map(Opinion::wording);
        let test = |one: &JudgedTest| {
            let failure = failure::of_test(session, one);
            let gone = all.iter_mut().find(|gone| one.is_of(gone.seen));
            let (anchor, figures) = match gone {
                Some(gone) if failure.is_some() => (Some(gone.number), std::mem::take(&mut gone.figures)),
                gone => (gone.map(|gone| gone.number), Vec::new()),
            };
            Test {
                title: visible::line(&one.title),
                file: one.place(),
                anchor,
                verdict: one.verdict.words(),
                reason: visible::line(&one.reason),
                there: failure.and_then(|failure| failure.there()),
                figures,
                runs: runs(session, one),
            }
        };
        Self {
            id: judged.id.clone(),
            text: visible::line(&judged.text),
            verdict: judged.verdict.words(),
            class: class(judged.verdict),
            reason: visible::line(&judged.reason),
            tests: judged.tests.iter().map(test).collect(),
            compared: album.sides(&judged.id),
            checks: judged
                .checks
                .iter()
                .map(|check| (tier(check), visible::line(&report::check(session, check))))
                .collect(),
            opinion,
        }
    }
}

/// A verdict's class in the style sheet.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Met => "completed",
        Verdict::NotMet => "blocked",
        Verdict::Hollow | Verdict::Unproven | Verdict::Flaky | Verdict::Untested => "open",
    }
}

/// A test in each pass, with the files that it left behind there.
fn runs(session: &Session, test: &JudgedTest) -> Vec<(String, Vec<Link>)> {
    let its = seen_in(session).filter(|(_, seen)| test.is_of(seen));
    its.map(|(pass, seen)| {
        let wording = format!(
            "{}: {}, {}, {}",
            against(pass, words_for(&session.passes, pass, seen)),
            gone::word(seen.status),
            count(seen.expects.into(), "assertion", "assertions"),
            gone::took(seen.duration_ms)
        );
        (wording, gone::links(session, seen))
    })
    .collect()
}

/// What a pass ran against, with its number if there are several.
fn against(pass: &Pass, against: &str) -> String {
    if pass.against == super::protocol::Against::Application {
        format!("{against}, pass {}", pass.number)
    } else {
        against.to_owned()
    }
}

impl Row {
    fn of_stage(session: &Session, stage: Stage) -> Self {
        let record = session.stages.get(&stage);
        let began = record.and_then(|record| record.began).map(iso).unwrap_or_default();
        let took = record.and_then(|record| Some(record.ended?.saturating_sub(record.began?)));
        Self {
            what: stage.words().to_owned(),
            state: session.state_of(stage).word().to_owned(),
            time: began.get(11..19).unwrap_or_default().to_owned(),
            took: took.map(gone::took).unwrap_or_default(),
        }
    }

    fn of_pass(pass: &Pass) -> Self {
        let state = match &pass.ran {
            RanTests::Report { tests } => {
                let passed = tests.iter().filter(|test| test.status == TestStatus::Passed).count();
                format!("{passed} of {} passed", count(tests.len() as u64, "test", "tests"))
            }
            RanTests::Absent => "no report".to_owned(),
            RanTests::Empty => "an empty report".to_owned(),
            RanTests::Unparsable { message } => {
                format!("a report that can't be read: {}", visible::line(message))
            }
            RanTests::TimedOut { after_ms } => format!("stopped after {}", span(*after_ms)),
            RanTests::Impossible { obstacle } => {
                format!("not run: {}", obstacle.words().trim_end_matches('.'))
            }
            RanTests::ServerEnded { server, code, signal, .. } => {
                format!("stopped: {}", crash::ended(server, *code, signal.as_deref()))
            }
        };
        let what = against(pass, pass_words(pass.against, pass.number));
        Self { what, state, time: String::new(), took: gone::took(pass.duration_ms) }
    }
}

/// The first line of a text, shortened.
fn heading(text: &str) -> String {
    capped(&visible::line(text), HEADING)
}

fn facts(session: &Session) -> Vec<String> {
    let (cost, _) = session.calls.spent();
    let date = iso(session.calls.clock.began).get(..10).unwrap_or_default().to_owned();
    [Some(date), session.directory.name.clone(), Some(money(cost))].into_iter().flatten().collect()
}

/// The verdict in a sentence; what the reader must not miss comes first.
fn sentence(session: &Session, judged: &[Judged]) -> String {
    let mut parts = Vec::new();
    if session.gate.as_ref().is_some_and(|gate| gate.decision == GateChoice::ForceTest) {
        let gaps = session.analysis.as_ref().map_or(0, |analysis| analysis.gaps.len());
        parts.push(format!("Tested despite {}.", count(gaps as u64, "open gap", "open gaps")));
    }
    if session.cancelled.is_some() {
        parts.push("Stopped before the end.".to_owned());
    }
    parts.push(report::sentence(session, judged));
    parts.join(" ")
}

/// The user's decision about gaps.
fn gate(session: &Session) -> (Tier, String) {
    match (&session.gate, &session.analysis) {
        (Some(gate), _) => {
            (Tier::Person, format!("{}, typed by the user at {}", decision_word(gate.decision), gate.at))
        }
        (None, Some(analysis)) if analysis.gaps.is_empty() => {
            (Tier::Opinion, "the analysis found no gaps, so there was nothing to decide".to_owned())
        }
        (None, Some(_)) => (Tier::NotChecked, "no decision about the gaps yet".to_owned()),
        (None, None) => (Tier::NotChecked, "there was no analysis of gaps".to_owned()),
    }
}

fn record(session: &Session) -> Vec<(&'static str, String)> {
    let mut record = vec![
        ("Run", session.directory.name.clone().unwrap_or_default()),
        ("Started", iso(session.calls.clock.began)),
        ("Source", visible::line(&report::source(session))),
    ];
    record.extend(
        report::versions(session).into_iter().map(|Version { of, wording }| (of, visible::line(&wording))),
    );
    record.extend(report::traces(session).map(|line| ("Traces", line.to_owned())));
    record.extend(report::videos(session).map(|line| ("Videos", line)));
    record.extend(report::written_by(session).map(|line| ("Tests", visible::line(&line))));
    record.extend(report::asked(session).into_iter().map(|(stage, model)| {
        let what = match stage {
            Stage::Verify => "Criteria checked by",
            Stage::FlowAnalyze => "Journeys listed by",
            _ => "Tests written by",
        };
        (what, model.to_owned())
    }));
    record.push(("Package", session.opening.package.clone()));
    if let Some(reason) = &session.cancelled {
        record.push(("Stopped", visible::line(reason)));
    }
    record
}

/// The lines that fit, and how many more there are.
fn cut(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        lines.push(format!("and {more} more in FINAL-VALIDATION.json"));
    }
    lines
}
