//! Tests as they ran in the browser: step by step, with the state at their end, grouped by the journeys that they follow.

use super::super::analysis;
use super::super::files::seen_in;
use super::super::protocol::{Against, EvidenceFile, LogEnd, TestSeen, TestStatus};
use super::super::report::{console_line, request_line};
use super::super::session::{Pass, Session};
use super::super::suite::tag;
use super::super::verdict::place;
use super::pictures::{Album, Figure};
use crate::shared::figures::count;
use kernel::clock::span;
use kernel::paths::{NAME_LENGTH, is_name};
use kernel::visible;
use std::fmt::Write as _;

/// How much of a digest is shown, in characters.
const DIGEST: usize = 12;
/// The folders that the shell writes and the core doesn't, and the tests. Links point nowhere else.
const FOLDERS: [&str; 4] = ["checks", "playwright", "servers", "tests"];

/// A test in the pass that the page shows.
#[derive(Clone)]
pub(super) struct Gone<'a> {
    /// Its number on the page, from 1.
    pub(super) number: usize,
    pub(super) seen: &'a TestSeen,
    pub(super) title: String,
    pub(super) state: &'static str,
    pub(super) facts: Vec<String>,
    pub(super) links: Vec<Link>,
    pub(super) figures: Vec<Figure>,
    /// The console output of its pages, and their failed requests.
    pub(super) wording: Vec<String>,
    pub(super) logs: &'a [LogEnd],
}

/// A link to a file of the run, with its digest if it was recorded.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) text: String,
    /// `None` when the page should not link to it.
    pub(super) address: Option<String>,
    pub(super) digest: String,
}

/// A journey with the tests that follow it.
pub(super) struct Journey<'a> {
    pub(super) id: String,
    pub(super) title: String,
    /// The steps as a model lists them.
    pub(super) steps: Vec<String>,
    pub(super) tests: Vec<Gone<'a>>,
}

/// The pass that is shown for each test: the first in which it didn't pass, or else the first of all.
pub(in super::super) fn shown(session: &Session) -> Vec<(&Pass, &TestSeen)> {
    let mut shown: Vec<(&Pass, &TestSeen)> = Vec::new();
    for (pass, test) in seen_in(session).filter(|(pass, _)| pass.against == Against::Application) {
        let same = |(_, one): &&mut (&Pass, &TestSeen)| one.is_same(test);
        match shown.iter_mut().find(same) {
            None => shown.push((pass, test)),
            Some(known) if known.1.status == TestStatus::Passed && test.status != TestStatus::Passed => {
                *known = (pass, test);
            }
            Some(_) => {}
        }
    }
    shown
}

/// The journeys of the analysis, each with its tests; last, the tests that name no journey.
pub(super) fn journeys<'a>(session: &Session, mut all: Vec<Gone<'a>>) -> Vec<Journey<'a>> {
    let listed = session.analysis.iter().flat_map(|analysis| &analysis.journeys);
    let mut journeys: Vec<Journey<'a>> = Vec::new();
    for analysis::Journey { id, title, steps } in listed {
        let tag = tag(id);
        let (its, others) = all.into_iter().partition(|gone| gone.seen.tags.contains(&tag));
        all = others;
        let steps = steps.iter().map(|step| visible::line(step)).collect();
        journeys.push(Journey { id: id.clone(), title: visible::line(title), steps, tests: its });
    }
    if !all.is_empty() {
        let title = if journeys.is_empty() { "Tests" } else { "Tests without a journey" };
        journeys.push(Journey { id: String::new(), title: title.to_owned(), steps: Vec::new(), tests: all });
    }
    journeys
}

impl<'a> Gone<'a> {
    pub(super) fn new(
        session: &Session,
        (pass, seen): &(&'a Pass, &'a TestSeen),
        album: &mut Album<'_>,
    ) -> Self {
        let number = shown(session).iter().position(|(_, one)| std::ptr::eq(*one, *seen)).unwrap_or(0) + 1;
        let requests = seen.failed_requests.iter().map(request_line);
        Self {
            number,
            seen,
            title: visible::line(&seen.title),
            state: word(seen.status),
            facts: vec![
                place(seen.whose, &seen.file),
                format!("pass {}", pass.number),
                took(seen.duration_ms),
                count(seen.expects.into(), "assertion", "assertions"),
                seen.tags.join(" "),
            ],
            links: links(session, seen),
            figures: album.of(seen),
            wording: seen.console.iter().map(console_line).chain(requests).collect(),
            logs: &pass.noted.logs,
        }
    }

    pub(super) fn status(&self) -> TestStatus {
        self.seen.status
    }

    pub(super) fn error(&self) -> &str {
        self.seen.error.trim()
    }

    pub(super) fn steps(&self) -> &'a [String] {
        &self.seen.steps
    }

    /// The class of its status in the style sheet.
    pub(super) fn class(&self) -> &'static str {
        match self.seen.status {
            TestStatus::Passed => "completed",
            TestStatus::Failed | TestStatus::TimedOut => "blocked",
            TestStatus::Interrupted | TestStatus::Skipped => "open",
        }
    }
}

impl Link {
    pub(super) fn to(session: &Session, text: &str, path: &str) -> Self {
        let digest = session.evidence.iter().find(|file| file.path == path);
        let digest = digest.map(|file| file.sha256.chars().take(DIGEST).collect());
        Self { text: text.to_owned(), address: address(path), digest: digest.unwrap_or_default() }
    }

    /// A link to a file of an earlier run, in the directory beside this run's.
    pub(super) fn to_earlier(run: &str, text: &str, file: &EvidenceFile) -> Self {
        let address = address(&file.path).filter(|_| is_name(run, NAME_LENGTH));
        Self {
            text: text.to_owned(),
            address: address.map(|address| format!("../{run}/{address}")),
            digest: file.sha256.chars().take(DIGEST).collect(),
        }
    }
}

/// The files that a test left behind.
pub(super) fn links(session: &Session, test: &TestSeen) -> Vec<Link> {
    test.attachments.iter().map(|one| Link::to(session, &one.name, &one.path)).collect()
}

/// The duration in words: most tests take less than a second.
pub(super) fn took(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { span(ms) }
}

/// How a test ended, in words.
pub(super) fn word(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Passed => "passed",
        TestStatus::Failed => "failed",
        TestStatus::TimedOut => "timed out",
        TestStatus::Interrupted => "interrupted",
        TestStatus::Skipped => "skipped",
    }
}

/// The address of a file next to the page; `None` for files elsewhere, because a journal can come from anyone.
fn address(path: &str) -> Option<String> {
    let mut parts = path.split('/');
    let is_ours = parts.next().is_some_and(|first| FOLDERS.contains(&first));
    if !is_ours || parts.any(|part| part.is_empty() || part == "." || part == "..") {
        return None;
    }
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_what_the_run_has_and_nowhere_else() {
        for (path, expected) in [
            (
                "playwright/application-1/artifacts/a/trace.zip",
                Some("playwright/application-1/artifacts/a/trace.zip"),
            ),
            ("playwright/ä b\".png", Some("playwright/%C3%A4%20b%22.png")),
            ("servers/web.log", Some("servers/web.log")),
            ("playwright/../../../etc/passwd", None),
            ("playwright//x", None),
            ("journal.jsonl", None),
            ("javascript:alert(1)", None),
            ("https://example.org/", None),
            ("/etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(address(path).as_deref(), expected, "{path}");
        }
    }
}
