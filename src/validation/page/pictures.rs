//! The pictures of a page: which are wanted, which are used, and the notes on those that are missing.
//!
//! A picture is data that the shell has read from the directory of the run, or of the run before. It is used only if it is the very
//! file that its run recorded as evidence, so a page that is rendered again shows what the first one showed, or notes that it can't.

use super::super::before::{Pair, pairs};
use super::super::protocol::{EvidenceFile, TestSeen};
use super::super::session::Session;
use super::super::verdict::Judged;
use super::gone::{Link, shown};
use crate::shared::figures::count;
use kernel::json::Deserialize;
use kernel::visible;

/// The maximum number of pictures and videos on a page.
const MOST: usize = 24;
/// The maximum size of one, and of all of them together, in bytes.
const LONGEST: u64 = 1 << 20;
const LONGEST_ALL: u64 = 4 << 20;

/// A picture or a video that the shell provides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPicture"))]
pub struct Picture {
    /// Its path, relative to the directory of its run.
    pub path: String,
    /// SHA-256 of the file, in lower-case hex.
    pub sha256: String,
    /// The file in Base64.
    pub data: String,
}

/// A picture or a video that the page may contain.
#[derive(Clone, Copy)]
struct Shot<'a> {
    /// The earlier run that has it; `None` when this run has it.
    run: Option<&'a str>,
    file: &'a EvidenceFile,
}

impl Shot<'_> {
    fn is(self, other: Self) -> bool {
        (self.run, &self.file.path) == (other.run, &other.file.path)
    }
}

/// What fits on a page.
#[derive(Default)]
struct Room<'a> {
    taken: Vec<Shot<'a>>,
    bytes: u64,
    /// How many pictures don't fit.
    left_out: usize,
}

impl<'a> Room<'a> {
    /// Takes all of these, or none.
    fn take(&mut self, shots: &[Shot<'a>]) -> bool {
        let bytes = self.bytes + shots.iter().map(|shot| shot.file.bytes).sum::<u64>();
        let fits = shots.iter().all(|shot| shot.file.bytes <= LONGEST)
            && bytes <= LONGEST_ALL
            && self.taken.len() + shots.len() <= MOST;
        if fits {
            self.bytes = bytes;
            self.taken.extend(shots);
        }
        fits
    }

    fn has(&self, shot: Shot<'_>) -> bool {
        self.taken.iter().any(|one| one.is(shot))
    }

    fn take_picture(&mut self, shot: Shot<'a>) {
        if !self.has(shot) && !self.take(&[shot]) {
            self.left_out += 1;
        }
    }
}

/// The pictures and videos that the page contains, as they were recorded, each with the earlier run that has it.
pub(in super::super) fn wanted(session: &Session) -> Vec<(Option<String>, EvidenceFile)> {
    let taken = chosen(session, &pairs(session, &session.judged())).taken;
    taken.into_iter().map(|shot| (shot.run.map(str::to_owned), shot.file.clone())).collect()
}

/// The pictures that the page has room for, in order: comparisons come first, and videos last.
fn chosen<'a>(session: &'a Session, pairs: &[Pair<'a>]) -> Room<'a> {
    let mut room = Room::default();
    for shot in pairs.iter().flat_map(|pair| shots(pair, pair.pictures())).flatten() {
        room.take_picture(shot);
    }
    for file in shown(session).into_iter().flat_map(|(_, test)| taken_of(session, test)) {
        room.take_picture(Shot { run: None, file });
    }
    for pair in pairs {
        if let [Some(before), Some(after)] = shots(pair, pair.videos()) {
            let new: Vec<Shot<'a>> = [before, after].into_iter().filter(|one| !room.has(*one)).collect();
            room.take(&new);
        }
    }
    room
}

/// The files of a comparison, each with its run.
fn shots<'a>(pair: &Pair<'a>, [before, after]: [Option<&'a EvidenceFile>; 2]) -> [Option<Shot<'a>>; 2] {
    [before.map(|file| Shot { run: Some(pair.run), file }), after.map(|file| Shot { run: None, file })]
}

/// The pictures of a test that are evidence.
fn taken_of<'a>(session: &'a Session, test: &'a TestSeen) -> impl Iterator<Item = &'a EvidenceFile> {
    let left = test.attachments.iter().filter(|one| is_picture(&one.path));
    left.filter_map(|one| session.evidence.iter().find(|file| file.path == one.path))
}

/// A file's media type, judging by its name; empty for other files.
fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webm" => "video/webm",
        _ => "",
    }
}

pub(in super::super) fn is_picture(path: &str) -> bool {
    kind(path).starts_with("image/")
}

pub(in super::super) fn is_video(path: &str) -> bool {
    kind(path).starts_with("video/")
}

/// A picture on the page.
#[derive(Clone)]
pub(super) struct Figure {
    /// A data URL of the picture.
    pub(super) source: String,
    pub(super) link: Link,
}

/// A side of a comparison.
pub(super) struct Side {
    /// `Before` or `After`.
    pub(super) when: &'static str,
    pub(super) wording: String,
    pub(super) is_video: bool,
    /// A data URL; empty if the page doesn't have it.
    pub(super) source: String,
    /// Why the page doesn't have it.
    pub(super) why: &'static str,
    pub(super) link: Option<Link>,
}

/// The pictures of the page.
pub(super) struct Album<'a> {
    session: &'a Session,
    pairs: Vec<Pair<'a>>,
    room: Room<'a>,
    /// Those of comparisons that are on the page: each is there once.
    used: Vec<Shot<'a>>,
    handed: Option<&'a [Picture]>,
    missing: usize,
}

impl<'a> Album<'a> {
    pub(super) fn new(session: &'a Session, judged: &[Judged], handed: Option<&'a [Picture]>) -> Self {
        let pairs = pairs(session, judged);
        let room = chosen(session, &pairs);
        Self { session, pairs, room, used: Vec::new(), handed, missing: 0 }
    }

    /// Whether the page may contain videos.
    pub(super) fn has_videos(&self) -> bool {
        self.room.taken.iter().any(|shot| is_video(&shot.file.path))
    }

    /// The data URL of a file; `None` when the shell doesn't have the file that was recorded.
    fn source(&mut self, shot: Shot<'_>) -> Option<String> {
        let EvidenceFile { path, sha256, .. } = shot.file;
        let mut handed = self.handed.unwrap_or_default().iter();
        let picture = handed.find(|one| one.path == *path && one.sha256 == *sha256 && is_base64(&one.data));
        if picture.is_none() && is_picture(path) {
            self.missing += 1;
        }
        Some(format!("data:{};base64,{}", kind(path), picture?.data))
    }

    /// The pictures of a test, without those that a comparison shows.
    pub(super) fn of(&mut self, test: &TestSeen) -> Vec<Figure> {
        let mut figures = Vec::new();
        for file in taken_of(self.session, test) {
            let shot = Shot { run: None, file };
            let is_compared =
                self.pairs.iter().any(|pair| shots(pair, pair.pictures())[1].is_some_and(|one| one.is(shot)));
            if is_compared || !self.room.has(shot) {
                continue;
            }
            if let Some(source) = self.source(shot) {
                let link = Link::to(self.session, "the picture", &file.path);
                figures.push(Figure { source, link });
            }
        }
        figures
    }

    /// The sides of a criterion's comparison: pictures, then videos if both runs have one; empty if there is nothing to compare.
    pub(super) fn sides(&mut self, criterion: &str) -> Vec<Side> {
        let Some(index) = self.pairs.iter().position(|pair| pair.id == criterion) else { return Vec::new() };
        let pair = &self.pairs[index];
        let before = format!("{}, {}: “{}” failed.", pair.run, pair.time, visible::line(&pair.fell.test));
        let after = match &pair.test {
            Some(test) => format!("This run: “{}” passed.", visible::line(test)),
            None => "This run: a command decides this criterion, not a test.".to_owned(),
        };
        let pictures = shots(pair, pair.pictures());
        let videos = shots(pair, pair.videos());
        // A video of one run alone compares nothing. If the settings ask for videos, the page says which is missing.
        let films = self.session.settings.video || videos.iter().all(Option::is_some);
        let mut sides = Vec::new();
        for (is_video, shots) in [(false, pictures), (true, videos)] {
            if is_video && !films {
                continue;
            }
            for ((when, wording), shot) in [("Before", &before), ("After", &after)].into_iter().zip(shots) {
                let link = shot.map(|shot| self.link(shot, is_video));
                let (source, why) = self.seen(shot);
                sides.push(Side { when, wording: wording.clone(), is_video, source, why, link });
            }
        }
        sides
    }

    fn link(&self, Shot { run, file }: Shot<'_>, is_video: bool) -> Link {
        let what = if is_video { "video" } else { "picture" };
        match run {
            None => Link::to(self.session, &format!("the {what}"), &file.path),
            Some(run) => Link::to_earlier(run, &format!("the earlier {what}"), file),
        }
    }

    /// The data URL of one side, or why the page doesn't have it.
    fn seen(&mut self, shot: Option<Shot<'a>>) -> (String, &'static str) {
        let nothing = |why| (String::new(), why);
        let Some(shot) = shot else { return nothing("None was recorded.") };
        if self.used.iter().any(|one| one.is(shot)) {
            return nothing("The page shows it with another criterion that the same test decides.");
        }
        if !self.room.has(shot) {
            return nothing("The page has no room for it.");
        }
        self.used.push(shot);
        match self.source(shot) {
            Some(source) => (source, ""),
            None if self.handed.is_none() => nothing("It isn’t on this page yet."),
            None => nothing("The file is missing, or was changed since it was recorded."),
        }
    }

    /// The notes on pictures that the page doesn't have.
    pub(super) fn left_out(&self) -> Vec<String> {
        let pictures = |number: usize| {
            let verb = if number == 1 { "isn't" } else { "aren't" };
            format!("{} {verb} on this page", count(number as u64, "picture", "pictures"))
        };
        let mut wording = Vec::new();
        if self.handed.is_none() && self.missing > 0 {
            let (are, all) = if self.missing == 1 { ("it is", "it") } else { ("they are", "them") };
            wording.push(format!(
                "{} yet: {are} added once the run has ended. The command at the end of this page also adds \
                 {all}.",
                pictures(self.missing)
            ));
        } else if self.missing > 0 {
            let (are, were) = if self.missing == 1 {
                ("it is missing from the run’s directory or has", "it was")
            } else {
                ("they are missing from the run’s directory or have", "they were")
            };
            wording.push(format!("{}: {are} changed since {were} recorded.", pictures(self.missing)));
        }
        if self.room.left_out > 0 {
            wording.push(format!(
                "{}: a page has at most {MOST} pictures, of at most {} MB each and {} MB in total. The run’s \
                 directory has all pictures.",
                pictures(self.room.left_out),
                LONGEST >> 20,
                LONGEST_ALL >> 20
            ));
        }
        wording
    }
}

fn is_base64(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
}
