//! The pictures of a page: which are wanted, which are used, and the notes on those that are missing.
//!
//! A picture is data that the shell has read from the run's directory. It is used only if it is the very file that the run recorded
//! as evidence, so a page that is rendered again shows what the first one showed, or notes that it can't.

use super::super::protocol::{EvidenceFile, TestSeen};
use super::super::session::Session;
use super::gone::{Link, shown};
use crate::shared::figures::count;
use serde::Deserialize;

/// The maximum number of pictures on a page.
const MOST: usize = 24;
/// The maximum size of one picture, and of all of them together, in bytes.
const LONGEST: u64 = 1 << 20;
const LONGEST_ALL: u64 = 4 << 20;

/// A picture that the shell provides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ValidationPicture"))]
pub struct Picture {
    /// Its path, relative to the run's directory.
    pub path: String,
    /// SHA-256 of the file, in lower-case hex.
    pub sha256: String,
    /// The file in Base64.
    pub data: String,
}

/// The pictures that the page contains, as they were recorded.
pub(in super::super) fn wanted(session: &Session) -> Vec<EvidenceFile> {
    let (wanted, _) = chosen(session);
    wanted.into_iter().cloned().collect()
}

/// The pictures that the page has room for, in order, and how many it has no room for.
fn chosen(session: &Session) -> (Vec<&EvidenceFile>, usize) {
    let mut taken = Vec::new();
    let mut left_out = 0;
    let mut bytes = 0;
    for (_, test) in shown(session) {
        for file in taken_of(session, test) {
            if taken.len() < MOST && file.bytes <= LONGEST && bytes + file.bytes <= LONGEST_ALL {
                bytes += file.bytes;
                taken.push(file);
            } else {
                left_out += 1;
            }
        }
    }
    (taken, left_out)
}

/// The pictures of a test that are evidence.
fn taken_of<'a>(session: &'a Session, test: &'a TestSeen) -> impl Iterator<Item = &'a EvidenceFile> {
    let left = test.attachments.iter().filter(|one| kind(&one.path).is_some());
    left.filter_map(|one| session.evidence.iter().find(|file| file.path == one.path))
}

/// A picture's media type, judging by the file's name.
fn kind(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    match ending {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        _ => None,
    }
}

/// A picture on the page.
#[derive(Clone)]
pub(super) struct Figure {
    /// A data URL of the picture.
    pub(super) source: String,
    pub(super) link: Link,
}

/// The pictures of the page.
pub(super) struct Album<'a> {
    session: &'a Session,
    wanted: Vec<&'a EvidenceFile>,
    handed: Option<&'a [Picture]>,
    no_room: usize,
    missing: usize,
}

impl<'a> Album<'a> {
    pub(super) fn new(session: &'a Session, handed: Option<&'a [Picture]>) -> Self {
        let (wanted, no_room) = chosen(session);
        Self { session, wanted, handed, no_room, missing: 0 }
    }

    /// The pictures of a test.
    pub(super) fn of(&mut self, test: &TestSeen) -> Vec<Figure> {
        let mut figures = Vec::new();
        for file in taken_of(self.session, test) {
            if !self.wanted.iter().any(|one| one.path == file.path) {
                continue;
            }
            let handed = self.handed.unwrap_or_default().iter().find(|one| one.path == file.path);
            let is_it = |one: &&Picture| one.sha256 == file.sha256 && is_base64(&one.data);
            match (handed.filter(is_it), kind(&file.path)) {
                (Some(picture), Some(kind)) => figures.push(Figure {
                    source: format!("data:{kind};base64,{}", picture.data),
                    link: Link::to(self.session, "the picture", &file.path),
                }),
                _ => self.missing += 1,
            }
        }
        figures
    }

    /// The notes on pictures that the page doesn't have.
    pub(super) fn left_out(&self) -> Vec<String> {
        let pictures = |number: usize| {
            let verb = if number == 1 { "isn't" } else { "aren't" };
            format!("{} {verb} on this page", count(number as u64, "picture", "pictures"))
        };
        let mut wording = Vec::new();
        if self.handed.is_none() && self.missing > 0 {
            wording.push(format!(
                "{} yet: they are added once the run has ended. The command below also adds them.",
                pictures(self.missing)
            ));
        } else if self.missing > 0 {
            wording.push(format!(
                "{}: missing from the run’s directory, or changed since it was recorded.",
                pictures(self.missing)
            ));
        }
        if self.no_room > 0 {
            wording.push(format!(
                "{}: the page has at most {MOST}, of {} MB each and {} MB in all. They are in the run’s \
                 directory.",
                pictures(self.no_room),
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
