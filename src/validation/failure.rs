//! What a failed test found instead of what it expected: the page that it was on, and a picture of it.

use super::files::seen_in;
use super::protocol::{Against, Attachment, Shown, TestSeen, TestStatus};
use super::session::Session;
use super::status::place;
use super::verdict::{Judged, JudgedTest, Verdict};
use crate::shared::capped::capped;
use kernel::visible;

/// Playwright's names for what it attaches to a test itself.
pub(super) const SCREENSHOT: &str = "screenshot";
pub(super) const VIDEO: &str = "video";

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
    let picture = own_shot(test, SCREENSHOT);
    Some(Failure { shown: test.shown.as_ref(), picture: picture.map(|one| one.path.as_str()) })
}

/// The last of Playwright's own screenshots or videos of a test. A test can attach files under the same names: Playwright attaches its
/// own last, under names that it chooses, and in another folder than what a test attaches.
pub(super) fn own_shot<'a>(test: &'a TestSeen, name: &str) -> Option<&'a Attachment> {
    let is_own = |path: &str| {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, kind) = file.rsplit_once('.').unwrap_or((file, ""));
        let (stem, number) = match stem.rsplit_once('-') {
            Some((stem, number)) => (stem, number.parse::<u32>().is_ok()),
            None => (stem, false),
        };
        let is_named = match (name, kind) {
            (SCREENSHOT, "png") => number && matches!(stem, "test-failed" | "test-finished"),
            (VIDEO, "webm") => stem == VIDEO,
            _ => false,
        };
        is_named && !folder.ends_with("/attachments")
    };
    test.attachments.iter().rev().find(|one| one.name == name && is_own(&one.path))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::tests::test_seen;

    #[test]
    fn a_picture_that_a_test_attaches_is_never_taken_for_playwrights_own() {
        let place = "playwright/application-1/artifacts/a";
        for (name, left, expected) in [
            (
                SCREENSHOT,
                &["attachments/screenshot-1f.png", "test-failed-1.png"][..],
                Some("test-failed-1.png"),
            ),
            (SCREENSHOT, &["test-failed-1.png", "test-failed-2.png"], Some("test-failed-2.png")),
            (SCREENSHOT, &["test-finished-1.png", "mine.png"], Some("test-finished-1.png")),
            (SCREENSHOT, &["attachments/test-failed-1.png"], None),
            (SCREENSHOT, &["test-failed-x.png", "test-1.png", "video.webm"], None),
            (VIDEO, &["video.webm", "video-1.webm", "film.webm"], Some("video-1.webm")),
            (VIDEO, &["attachments/video.webm"], None),
        ] {
            let attachments = left
                .iter()
                .map(|file| Attachment { name: name.to_owned(), path: format!("{place}/{file}") })
                .collect();
            let test = TestSeen { attachments, ..test_seen("a", "@C1") };
            let found = own_shot(&test, name).map(|one| one.path.clone());
            assert_eq!(found, expected.map(|file| format!("{place}/{file}")), "{left:?}");
        }
    }
}
