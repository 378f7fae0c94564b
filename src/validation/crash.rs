//! A server that ends on its own while tests run: which one, how, its last log lines, and during which test. Failures after that
//! prove nothing about the application, so only the test that was running is judged.

use super::protocol::{Against, RanTests, TestUnderWay};
use super::session::{Pass, Session};
use super::stage::StageFault;
use super::versions::pass_name;
use kernel::visible;

/// How many lines of a log are quoted.
const QUOTED: usize = 3;

/// `web ended with exit code 1`.
pub(super) fn ended(server: &str, code: Option<i32>, signal: Option<&str>) -> String {
    let how = match (code, signal) {
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        (Some(code), None) => format!("ended with exit code {code}"),
        (None, None) => "ended for an unknown reason".to_owned(),
    };
    format!("{server} {how}")
}

/// The last lines of a log, as a sentence that follows another.
pub(super) fn last_lines(tail: &str) -> String {
    let lines: Vec<&str> = tail.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(QUOTED)..].join(" / ");
    if last.is_empty() { " Its log is empty.".to_owned() } else { format!(" Its last lines: {last}") }
}

/// A server's end, with the pass and the test in which it happened; `None` if no server ended there.
fn wording(ran: &RanTests, against: Against, number: u32) -> Option<String> {
    let RanTests::ServerEnded { server, code, signal, test, .. } = ran else { return None };
    let ended = ended(server, *code, signal.as_deref());
    let under = match test {
        Some(test) => format!("while the test \u{201c}{}\u{201d} ran", visible::line(&test.title)),
        None => "before the first test began".to_owned(),
    };
    Some(format!("{ended} in {}, {under}", pass_name(against, number)))
}

/// Why the stage fails; `None` if no server ended.
pub(super) fn fault(ran: &RanTests, against: Against, number: u32) -> Option<StageFault> {
    let RanTests::ServerEnded { tail, .. } = ran else { return None };
    let message = format!("{}.{}", wording(ran, against, number)?, last_lines(tail));
    let next = "Read the server's log in servers/ of the run's directory, and fix the server. Then type \
                /validate-resume to run this pass again.";
    Some(StageFault { message, next: next.to_owned() })
}

/// The test that was running in a pass against the application when a server ended, and how the server ended.
pub(super) fn under_test(pass: &Pass) -> Option<(&TestUnderWay, String)> {
    match &pass.ran {
        RanTests::ServerEnded { server, code, signal, test: Some(test), .. }
            if pass.against == Against::Application =>
        {
            Some((test, format!("{} while the test ran", ended(server, *code, signal.as_deref()))))
        }
        _ => None,
    }
}

impl Session {
    /// Notes that a server ended in a pass, before that pass is discarded to run again.
    pub(super) fn note_crashes(&mut self) {
        let wording = self.passes.iter().filter_map(|pass| wording(&pass.ran, pass.against, pass.number));
        let notes: Vec<String> = wording.map(|wording| format!("{wording}; that pass ran again.")).collect();
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// Whether a server ended on its own.
    pub(super) fn has_crashed(&self) -> bool {
        self.passes.iter().any(|pass| matches!(pass.ran, RanTests::ServerEnded { .. }))
    }
}
