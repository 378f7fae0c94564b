//! Tests as they were gone through in the browser: step by step, with what was seen at their end, by the journeys that they go along.

use super::super::analysis;
use super::super::files::seen_in;
use super::super::protocol::{Against, LogEnd, TestSeen, TestStatus};
use super::super::report::{console_line, request_line};
use super::super::session::{Pass, Session};
use super::super::suite::tag;
use super::super::verdict::place;
use super::pictures::{Album, Figure};
use crate::shared::figures::count;
use kernel::clock::span;
use kernel::visible;
use std::fmt::Write as _;

/// How much of a digest is shown, in characters.
const DIGEST: usize = 12;
/// What the shell writes and the core doesn't; and the tests. A link leads nowhere else.
const FOLDERS: [&str; 4] = ["checks", "playwright", "servers", "tests"];

/// A test in the pass that is shown of it.
#[derive(Clone)]
pub(super) struct Gone<'a> {
    /// From 1, over the page.
    pub(super) number: usize,
    pub(super) seen: &'a TestSeen,
    pub(super) title: String,
    pub(super) state: &'static str,
    pub(super) facts: Vec<String>,
    pub(super) links: Vec<Link>,
    pub(super) figures: Vec<Figure>,
    /// What its pages said, and which of their requests failed.
    pub(super) wording: Vec<String>,
    pub(super) logs: &'a [LogEnd],
}

/// A link to a file of the run, with its digest where it was counted.
#[derive(Clone)]
pub(super) struct Link {
    pub(super) text: String,
    /// `None` when no page should lead there.
    pub(super) address: Option<String>,
    pub(super) digest: String,
}

/// A journey with the tests that go along it.
pub(super) struct Journey<'a> {
    pub(super) id: String,
    pub(super) title: String,
    /// As a model lists them.
    pub(super) steps: Vec<String>,
    pub(super) tests: Vec<Gone<'a>>,
}

/// Of each test the pass that is shown: the first in which it didn't pass, or else the first of all.
pub(super) fn shown(session: &Session) -> Vec<(&Pass, &TestSeen)> {
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

/// The journeys of the analysis, each with its tests; last the tests that name none.
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
        let title = if journeys.is_empty() { "Tests" } else { "Tests that name no journey" };
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

    /// What the style sheet calls how it ended.
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
}

/// What a test left behind.
pub(super) fn links(session: &Session, test: &TestSeen) -> Vec<Link> {
    test.attachments.iter().map(|one| Link::to(session, &one.name, &one.path)).collect()
}

/// How long something took: most tests take less than a second.
pub(super) fn took(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { span(ms) }
}

/// How a test ended, in words.
pub(super) fn word(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Passed => "passed",
        TestStatus::Failed => "failed",
        TestStatus::TimedOut => "it took too long",
        TestStatus::Interrupted => "interrupted",
        TestStatus::Skipped => "skipped",
    }
}

/// The address of a file beside the page; none of what lies elsewhere: anybody can make a journal.
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
