//! What a failed test found instead of what it expected: the page that it was on, and a picture of it.

use super::files::seen_in;
use super::protocol::{Against, Shown, TestSeen, TestStatus};
use super::session::Session;
use super::status::place;
use super::verdict::{Judged, JudgedTest, Verdict};
use crate::shared::capped::capped;
use kernel::visible;

/// How much of a page's text is shown, in characters.
const TEXT: usize = 300;

/// What a test found when it failed.
pub(super) struct Failure<'a> {
    /// What its page showed; `None` when that is unknown.
    shown: Option<&'a Shown>,
    /// Its picture, relative to the run's directory.
    pub(super) picture: Option<&'a str>,
}

/// The findings of the first pass in which a test failed against the application; `None` if the test's verdict isn't a failure.
pub(super) fn of_test<'a>(session: &'a Session, judged: &JudgedTest) -> Option<Failure<'a>> {
    if !matches!(judged.verdict, Verdict::NotMet | Verdict::Flaky) {
        return None;
    }
    let fell = |test: &TestSeen| matches!(test.status, TestStatus::Failed | TestStatus::TimedOut);
    let mut seen = seen_in(session).filter(|(pass, _)| pass.against == Against::Application);
    let (_, test) = seen.find(|(_, test)| judged.is_of(test) && fell(test))?;
    let picture = test.attachments.iter().find(|one| one.name == "screenshot");
    Some(Failure { shown: test.shown.as_ref(), picture: picture.map(|one| one.path.as_str()) })
}

/// The same for a criterion that is not met, from the first of its tests that failed.
pub(super) fn of_criterion<'a>(session: &'a Session, judged: &Judged) -> Option<Failure<'a>> {
    judged.tests.iter().filter(|test| test.verdict == judged.verdict).find_map(|test| of_test(session, test))
}

impl Failure<'_> {
    /// What the page showed, in a line.
    pub(super) fn there(&self) -> Option<String> {
        let Shown { address, title, text } = self.shown?;
        let text = visible::line(text.trim());
        let wording = if text.is_empty() {
            "no text at all".to_owned()
        } else {
            format!("\u{201c}{}\u{201d}", capped(&text, TEXT))
        };
        let title = visible::line(title);
        let title = if title.is_empty() { String::new() } else { format!(", \u{201c}{title}\u{201d}") };
        Some(format!("The page at {}{title} showed: {wording}", visible::line(address)))
    }

    /// The same for the chat, in which a path has to be complete.
    pub(super) fn in_chat(&self, session: &Session) -> Vec<String> {
        let picture = self.picture.zip(place(session));
        let picture = picture.map(|(path, place)| format!("{place}/{}", visible::line(path)));
        self.there().into_iter().chain(picture).collect()
    }

    /// All details, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        let picture = self.picture.map(|path| format!("Picture: {}", visible::line(path)));
        self.there().into_iter().chain(picture).collect()
    }
}
